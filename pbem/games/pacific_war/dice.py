"""Dice and the air and naval results chart."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.events import Fired, Rolled
from pbem.games.pacific_war.state import State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow, Roll
from pbem.kernel.wording import Message, msg

NAVAL_LINES = ("1E-naval", "2E-naval", "4E-naval", "long", "medium", "short", "torpedo")


class Shot(Struct, frozen=True):
    """A result: hits, or a troop quality test of the target; the first die."""

    hits: int
    test: bool = False
    die: int = 9


def die(g: State, label: Message, rule: str, against: str | None = None) -> Flow[int]:
    """[PW-GEN-01] One die, 0 to 9; zero is zero."""
    rolled = yield from _shown(label, rule, against)
    emit(g, Rolled(label, rolled, rule, against or ""))
    return rolled


def _shown(label: Message, rule: str, against: str | None) -> Flow[int]:
    rolled = yield Roll(label, 1, 10, rule, against)
    return int(rolled[0]) % 10


def column(strength: int, rolled: int) -> int:
    """Column of the chart: 0 to 11."""
    return 11 if strength >= 19 else max(0, min(11, strength - rolled + 1))


def halved(strength: int) -> int:
    """[PW-GEN-01] Half, rounded up; zero-four and x stay."""
    return strength if strength <= 0 else -(-strength // 2)


def fire(g: State, line: str, strength: int, label: Message, rule: str, against: str) -> Flow[Shot]:
    """One attack on a line of the chart; against ships a zero rolls for a critical hit [PW-NAV-08]."""
    if strength == X:
        return Shot(0)
    rolled = yield from _shown(label, rule, against)
    found = 0 if strength < 0 else g.board.charts.air_naval[line][column(strength, rolled)]
    emit(g, Fired(label, line, strength, rolled, str(found), rule, against))
    if strength < 0:  # [PW-DMG-06]
        if rolled != 0:
            return Shot(0, die=rolled)
        second = yield from die(g, msg("{about}, second die", about=label), "PW-DMG-06", against)
        if second > 4:
            return Shot(0, die=rolled)
        found = g.board.charts.air_naval[line][1]
    if found == "T":
        return Shot(0, True, rolled)
    hits = int(found)
    if (second if strength < 0 else rolled) == 0 and line in NAVAL_LINES:
        extra = yield from die(g, msg("{about}, critical hit", about=label), "PW-NAV-08", against)
        hits += g.board.charts.critical[extra]
    return Shot(hits, die=rolled)


def ground_result(g: State, net: int, steps: int) -> tuple[int, int, str]:
    """Steps lost by attacker and defender, and who must retreat (A, D or nobody)."""
    chart = g.board.charts.plain["ground"]
    row = next(r for r in chart["rows"] if steps <= r["steps"])
    band = next(i for i, most in enumerate(chart["bands"]) if net <= most)
    words = str(row["results"][band]).split()
    return int(words[0]), int(words[1]), words[2] if len(words) > 2 else ""
