"""Two programs play Pacific War over signed files, as two people wrote them; `python -m tests.pacific_war.party` writes the
golden reports and maps anew: look at them before you commit them."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from pbem import games
from pbem.games.pacific_war.picture import latest_turn, picture
from pbem.games.pacific_war.words import wording
from pbem.report import render, story
from pbem.report.languages import LANGUAGES, language
from pbem.report.maps import hex_text
from pbem.report.maps.look import Look
from pbem.report.steps import history
from pbem.report.svg_map import draw
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from tests.pacific_war.hidden_play import Choose, decide, passive, two_people, warlike
from tests.toygame.party import Person, send

GOLDEN = Path(__file__).parent / "golden"
GUNS: dict[str, Any] = {"fire": ["CA with both", "AA"], "bid": "short", "line": "first", "leave": "none"}
ENGAGEMENT = (Draft([{"search": {"A1": "Chokai"}}], GUNS), Draft([{"line": ["CA1", "CA2", "CA7", "CA8"]}], GUNS))


@cache
def engagement() -> Person:
    """Savo Island to its end by two files with standing orders; what nobody foresaw is let be."""
    people, drafts = two_people("savo-island", protocol=1), list(ENGAGEMENT)
    while people[0].table.due.what != "nothing":
        asked = people[0].table.due.what in ("orders", "seal")
        send(people, drafts.pop(0) if asked and drafts else _let_be(people))
    return people[0]


def _let_be(people: list[Person]) -> Draft:
    writer = next(p for p in people if p.name == people[0].table.due.player)
    return decide(writer, random.Random(0), passive)


@cache
def some_files(scenario: str, files: int, choose: Choose, **options: Any) -> Person:
    """The game after so many files."""
    people, dice = two_people(scenario, protocol=1, **options), random.Random(4)
    for _ in range(files):
        writer = next(p for p in people if p.name == people[0].table.due.player)
        send(people, decide(writer, dice, choose))
    return people[0]


def coral_sea() -> Person:
    """The first days in the Coral Sea, task forces sealed."""
    return some_files("coral-sea", 24, warlike, forces="sealed")


def campaign() -> Person:
    """August 1942 at Guadalcanal."""
    return some_files("guadalcanal", 30, passive)


def view(person: Person) -> Any:
    """The report of the whole game."""
    start = Table.start(person.table.charter, person.table.game, person.table.engine.scenario)
    steps = [*history(start, person.log[1:], lambda seq: person.log[seq])]
    return story.report(games.load("pacific-war").words(), steps, steps[-1].taken.table, lambda seq: person.log[seq])


def shown(person: Person) -> Any:
    """The map of the latest cycle or month."""
    start = Table.start(person.table.charter, person.table.game, person.table.engine.scenario)
    steps = [*history(start, person.log[1:], lambda seq: person.log[seq])]
    files = [(step.before.engine.state, step.taken.events) for step in steps]
    return picture(person.table.engine.state, latest_turn(files))


NAMES = (*(f"engagement.{code}.md" for code in LANGUAGES), "coral-sea.html", "coral-sea.svg", "coral-sea.txt", "campaign.md")


@cache
def goldens() -> dict[str, str]:
    """Reports and maps by the name of their golden file."""
    tongue = {code: language(code, (wording.CATALOGUE,)) for code in LANGUAGES}
    found = {f"engagement.{code}.md": render.report(view(engagement()), "md", tongue[code]) for code in LANGUAGES}
    found["coral-sea.html"] = render.report(view(coral_sea()), "html", tongue["en"])
    found["coral-sea.svg"] = draw(games.load("pacific-war"), shown(coral_sea()), "Coral Sea", Look())
    found["coral-sea.txt"] = hex_text.text(games.load("pacific-war"), shown(coral_sea()), "Coral Sea")
    found["campaign.md"] = render.report(view(campaign()), "md", tongue["en"])
    return found


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, text in goldens().items():
        (GOLDEN / name).write_text(text, "utf-8")
