"""The demo: two parties with keys of their own play through signed files, in two folders, with the bot's orders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli import local, look, proof, reporting, setup
from pbem.cli.speech import speak
from pbem.kernel.wording import counted, msg
from pbem.protocol.outcomes import unreadable
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from pbem.store.paths import own_keys
from pbem.store.session import Session

if TYPE_CHECKING:
    from pbem.kernel.canon import Plain

STANDING: dict[str, Plain] = {
    "casualties": "cheapest first",
    "submarines": "strike",
    "battle": "any",
    "retreat": [{"when": "own-strength < enemy-strength", "do": "retreat"}, {"do": "press"}],
    "bomb-targets": ["major-ic", "minor-ic", "naval-base", "air-base"],
}
ALLIES = "united-states,china,united-kingdom,anzac"


def run(to: Path, rounds: int) -> None:
    """A game from keys to report; everything stays in the folder `to`."""
    if to.exists():
        raise unreadable(msg("{folder} exists already: name another folder with --to", folder=str(to)))
    to.mkdir(parents=True)
    with own_keys(to):
        axis, allies = _begin(to)
        _show_refusal(axis)
        _play(axis, allies, rounds)
    print(proof.verify(to / "axis")[1])
    print(look.draw(to / "axis", to / "map.svg", look.Chart()))
    print(reporting.report(to / "axis", reporting.Wanted(), to / "report.md"))
    rolled = axis.table.ledger.rolled
    if rolled:
        print(proof.prove(to / "axis", rolled[0].source, 0, to / "proof")[1])


def _begin(to: Path) -> tuple[Session, Session]:
    """Two folders; the charter travels between them until both have signed."""
    print(setup.new(to / "axis", "axis-and-allies-pacific", "spring-1940", [], "72h")[1])
    print(setup.join(to / "axis", None, "yamada", ["japan"])[1])
    print(setup.join(to / "allies", to / "axis" / "charter.yaml", "nowak", ALLIES.split(","))[1])
    print(setup.accept(to / "allies", None)[1])
    print(setup.accept(to / "axis", to / "allies" / "charter.yaml")[1])
    print(setup.accept(to / "allies", to / "axis" / "charter.yaml")[1])
    return Session.open(to / "axis"), Session.open(to / "allies")


def _show_refusal(session: Session) -> None:
    """What an unlawful order gets for an answer."""
    wrong: list[Plain] = [{"buy": "200 infantry"}, "done", {"move": "1 infantry from Japan to Kwangtung"}]
    try:
        session.try_out(Draft(orders=wrong))
    except Refused as error:
        print(speak("An order file with mistakes is refused as a whole:"))
        for one in error.problems:
            print("  " + speak("order {order}: {problem}", order=(one.order or 0) + 1, problem=one.told))


def _play(axis: Session, allies: Session, rounds: int) -> None:
    """Turn by turn: the one who is due writes, the other receives; programs answer by themselves."""
    sides = {s.me.player: s for s in (axis, allies)}
    while axis.table.result is None and axis.table.engine.state.round <= rounds:
        due = axis.table.due.player
        writer = sides[due]
        other = next(s for s in sides.values() if s is not writer)
        document = writer.write(Draft(local.bot_orders(writer), STANDING if not _has_standing(writer) else {}))
        other.take(document)
        orders = counted("{n} order", "{n} orders", len(document.get("orders", [])))
        print(speak("file {seq}: {player} sends {orders}", seq=document["seq"], player=due, orders=orders))
        for answer in other.answer_by_itself():
            writer.take(answer)
            rolls = counted("{n} roll", "{n} rolls", len(answer.get("dice", [])))
            told = {"seq": answer["seq"], "player": answer["player"], "rolls": rolls}
            print(speak("file {seq}: the program of {player} turns {rolls}", **told))
        sys.stdout.flush()


def _has_standing(session: Session) -> bool:
    return any(s.player == session.me.player for s in session.table.ledger.standing)
