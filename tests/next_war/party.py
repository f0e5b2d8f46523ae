"""Two programs play the training scenario over signed files: the first segments as two people wrote them.

`python -m tests.next_war.party` writes the golden reports and maps anew; look at them before you commit them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from pbem import games
from pbem.games.next_war import wording
from pbem.games.next_war.game import GAME
from pbem.games.next_war.picture import latest_turn, picture
from pbem.report import render, story
from pbem.report.languages import LANGUAGES, language
from pbem.report.maps import hex_text
from pbem.report.maps.look import Look
from pbem.report.maps.themes import DARK
from pbem.report.steps import history
from pbem.report.svg_map import draw
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from tests.next_war import diary, table
from tests.toygame.party import Person, found_game, send

GOLDEN = Path(__file__).parent / "golden"
FILES = (
    Draft([{"weather": "clear"}]),
    Draft(),
    Draft([{"move": "1/G to 0806"}, {"move": "2/G to 0805"}, {"sail": "Kreuzer to strait-at-sea"}, "done"]),
    Draft([{"attack": "1/G, 12/A at 0705 lead 1/G"}, {"support": {"air": 2}}]),
    Draft([{"support": {"air": 2}}], standing={"stand": "yes", "defend": "3/I"}),
    Draft(),
)


@cache
def played() -> tuple[Person, Person]:
    """Both players after these files."""
    people = [Person("yamada", ["allied"]), Person("nowak", ["non-allied"])]
    found_game(GAME, people, {o.name: o.choices[0] for o in GAME.options}, table.scenario("training"), pbem=1)
    for draft in FILES:
        send(people, draft)
    return people[0], people[1]


def view() -> Any:
    """The report of the whole game."""
    person = played()[0]
    start = Table.start(person.table.charter, GAME, person.table.engine.scenario)
    steps = [*history(start, person.log[1:], lambda seq: person.log[seq])]
    return story.report(games.load("next-war").words(), steps, steps[-1].taken.table, lambda seq: person.log[seq])


def shown() -> Any:
    """The map of the diary's game."""
    engine = diary.played()
    return picture(engine.state, latest_turn([(GAME.start(engine.scenario, {}), engine.state.events)]))


def goldens() -> dict[str, str]:
    """Reports and maps by the name of their golden file."""
    found = {f"report.{c}.md": render.report(view(), "md", language(c, (wording.CATALOGUE,))) for c in LANGUAGES}
    found["map.svg"] = draw(games.load("next-war"), shown(), "The Orno gap", Look())
    found["map-dark-0705.svg"] = draw(games.load("next-war"), shown(), "The Orno gap", Look(theme=DARK, around="0705"))
    found["map.txt"] = hex_text.text(games.load("next-war"), shown(), "The Orno gap")
    return found


if __name__ == "__main__":
    for name, text in goldens().items():
        (GOLDEN / name).write_text(text, "utf-8")
