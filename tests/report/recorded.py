"""A recorded opening of Pacific 1940 between two players with fixed keys; `python -m tests.report.recorded` records it anew.

Files 1 to 6 are the first round as the bot saw it on the day of recording, with sealed standing orders, a note, and a file
that is taken back; only the log is used from then on.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from pbem import games
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.canon import Plain
from pbem.protocol import charter
from pbem.report import story
from pbem.report.steps import history
from pbem.report.view import ReportView
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from pbem.runtime.taking import take
from tests.axis_and_allies_pacific.table import scenario
from tests.toygame.party import Person, found_game, send

LOG = Path(__file__).parent / "recorded.json"
ALLIES = ["united-states", "china", "united-kingdom", "anzac"]
STANDING: dict[str, Plain] = {
    "casualties": "cheapest first",
    "battle": "any",
    "submarines": "strike",
    "retreat": [{"when": "own-strength < enemy-strength", "do": "retreat"}, {"do": "press"}],
}


def people() -> list[Person]:
    """Both players, before the game."""
    return [Person("yamada", ["japan"]), Person("nowak", ALLIES)]


@cache
def documents() -> tuple[dict[str, Any], ...]:
    """The recorded log, the charter first."""
    return tuple(json.loads(LOG.read_text("utf-8")))


def fetch(seq: int) -> dict[str, Any]:
    return documents()[seq]


def start() -> Table:
    return Table.start(charter.verify(documents()[0]), GAME, scenario())


def seated(name: str) -> Person:
    """A player who has taken every file of the recorded log; his sealed things are known to him again."""
    person = next(p for p in people() if p.name == name)
    person.table, person.log = start(), list(documents())
    for document in documents()[1:]:
        person.table = take(person.table, document, fetch).table
    person.sealed.update(json.loads(LOG.with_name("recorded_secrets.json").read_text("utf-8"))[name])
    return person


def view(first: int = 1, last: int = 0, *, reader: str = "", whole: bool = False) -> ReportView:
    """The report of some files; `reader` sees his own secrets."""
    last = last or len(documents()) - 1
    steps = [*history(start(), documents()[1 : last + 1], fetch)]
    knowledge = seated(reader).knowledge() if reader else None
    words = games.load("axis-and-allies-pacific").words()
    return story.report(words, steps[first - 1 :], steps[-1].taken.table, fetch, knowledge=knowledge, whole=whole)


def record() -> None:
    """Play, and keep the log and what each player sealed."""
    both = people()
    found_game(GAME, both, {}, scenario())
    notes = {1: ["Good luck.", "Удачи! Powodzenia & hodně štěstí <3"]}
    sealed: dict[str, dict[str, list[Plain]]] = {
        "yamada": {"intercept": [{"do": "none"}]},
        "nowak": {"scramble": [{"do": "ask me"}]},
    }
    while both[0].table.engine.state.round == 1:
        seq, due = both[0].table.last + 1, both[0].table.due
        writer = next(p for p in both if p.name == due.player)
        if seq == 3 and due.what == "orders":
            send(both, Draft(type="offer", extra={"offer": {"draw": True}}))
            send(both, Draft(type="decline"))
            continue
        orders = bot_orders(writer) if due.what == "orders" else []
        first = orders and not any(s.player == writer.name for s in both[0].table.ledger.standing)
        send(both, Draft(orders, STANDING if first else {}, sealed[writer.name] if first else {}, notes.get(seq, [])))
    LOG.write_text(json.dumps(both[0].log, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    kept = {p.name: p.sealed for p in both}
    LOG.with_name("recorded_secrets.json").write_text(json.dumps(kept, ensure_ascii=False) + "\n", "utf-8")


def bot_orders(writer: Person) -> list[Plain]:
    """What the bot orders until dice or the other player come in."""
    from pbem.games.axis_and_allies_pacific import bot
    from pbem.kernel.engine import Engine
    from pbem.kernel.flow import Ask

    engine = Engine.resume(GAME, scenario(), writer.table.engine.checkpoint())
    orders: list[Plain] = []
    while isinstance(engine.request, Ask) and writer.table.player_of(engine.request.seat) == writer.name:
        asked = engine.request
        order = asked.forced if asked.forced is not None else bot.choose(engine.state, asked)
        if asked.forced is None:
            orders.append(order)
        engine.reply(order)
    return orders


if __name__ == "__main__":
    record()
