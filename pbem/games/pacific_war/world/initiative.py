"""[PW-SI] The strategic initiative: overruns, ship losses."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.state import JAPAN, STRATEGIC, State
from pbem.games.pacific_war.strategic import AlliesLed, InitiativeMoved, LossesSettled, LossExcused, OverrunCounted
from pbem.kernel.events import emit

BEFORE = tuple(range(1, 11))  # the levels of scenarios that do not print a track


def levels(g: State) -> Sequence[int]:
    """[PW-SI-01] The levels that are printed in the spaces of the track, from the middle outwards, on either side."""
    found: Sequence[int] = g.board.charts.plain.get("initiative", BEFORE)
    return found


def lead(g: State) -> int:
    """[PW-SI-01] The level of the strategic initiative, 0 where nobody holds it; positive: Japan's."""
    return level_at(g, g.initiative)


def lead_of(g: State, side: str) -> int:
    """[PW-SI-01] The same for a side: negative where its enemy holds the initiative."""
    return lead(g) if side == JAPAN else -lead(g)


def level_at(g: State, space: int) -> int:
    """The level that a space gives; positive: to Japan."""
    passed = levels(g)[: abs(space)]
    level = passed[-1] if passed else 0
    return level if space > 0 else -level


def shift(g: State, spaces: int, rule: str) -> None:
    """The marker moves: positive to the right, towards Japan. Strategic game only."""
    if g.level == STRATEGIC and spaces:
        last = len(levels(g))
        space = max(-last, min(last, g.initiative + spaces))
        if space != g.initiative:
            emit(g, InitiativeMoved(space, rule))
        if lead(g) < 0 and not g.ledger.get("allies led"):
            emit(g, AlliesLed())


def overrun(g: State, side: str, place: int, kind: str) -> None:
    """[PW-SI-02] An installation or resource hex has fallen; airfields and ports count once each, for the Allies only."""
    if g.level != STRATEGIC:
        return
    if kind in ("co-prosperity", "home"):
        shift(g, 1 if side == JAPAN else -1, "PW-SI-02")
        return
    key = f"overrun {kind} {place:04d}"
    if side != JAPAN and kind in ("airfields", "ports") and key not in g.ledger:
        emit(g, OverrunCounted(kind, place))
        shift(g, -1 if kind == "airfields" else -2, "PW-SI-02")


def ship_points(g: State, loser: str) -> int:
    """[PW-SI-03] Points that a side's losses in this operation give to its enemy."""
    points, hits = 0, 0
    for unit, u in g.units.items():
        c = g.counter(unit)
        if c.side != loser or c.kind != "naval" or c.type == FORT:
            continue
        before = g.ledger.get(f"hits {unit}", 0)
        hits += max(0, u.hits - before)
        if u.box == "sunk" and before < c.capacity:
            points += 2 if c.type == "CV" else 1 if c.type in ("BB", "BC", "CVL", "CVS") else 0
    return points + hits // (10 if loser == JAPAN else 15)


def settle_losses(g: State) -> None:
    """[PW-SI-03] At the end of an operation the better side gains one to three spaces."""
    japan, allies = ship_points(g, "allies"), ship_points(g, JAPAN)
    lead = abs(japan - allies)
    spaces = 3 if lead >= 7 else 2 if lead >= 4 else 1 if lead >= 2 else 0
    shift(g, spaces if japan > allies else -spaces, "PW-SI-03")
    note_hits(g)


def recount(g: State, ship: str, change: int) -> None:
    """Hits that come off or on otherwise than by the enemy: they are no losses of the operation."""
    if g.level == STRATEGIC:
        emit(g, LossExcused(ship, change))


def note_hits(g: State) -> None:
    """The hits that stand on every ship now: only later ones count."""
    emit(g, LossesSettled())
