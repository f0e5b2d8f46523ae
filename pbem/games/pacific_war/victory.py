"""[PW-SEQ-02] The end of a scenario and its victory conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.events import Won
from pbem.games.pacific_war.state import ENGAGEMENT, SIDES, State
from pbem.kernel.events import emit
from pbem.kernel.wording import Message, msg, recorded_as

DRAW = "draw"
BOMBER_RANGE = 15
NOBODY_THERE = msg("no side has reached its goal")


def check_end(g: State) -> None:
    """[PW-SEQ-02] When cycles or days have passed, the conditions decide."""
    over = g.cycle >= g.cycles if g.level == ENGAGEMENT or g.cycles else g.day >= g.days
    if over:
        finish(g)


def finish(g: State) -> None:
    """The conditions of both sides, the first that holds wins; otherwise as the scenario says."""
    for side in SIDES:
        wanted = g.victory.get(side)
        if wanted and all(holds(g, c) for c in wanted):
            emit(g, Won(side, reached(g, side), "PW-SEQ-02"))
            return
    emit(g, Won(g.victory.get("otherwise", DRAW), NOBODY_THERE, "PW-SEQ-02"))


def reached(g: State, side: str) -> Message:
    """What the scenario asks of a side, as the reason of its victory."""
    goals = [str(condition["text"]) for condition in g.victory.get(side, ())]
    return recorded_as("; ".join(goals), Message("{goals}", {"goals": tuple(map(Message, goals))}))


def ended(g: State) -> Message:
    """[PW-SEQ-02] Why the game is over: the one of the reasons that there can be that the state has written down."""
    found = (reason for reason in (*(reached(g, side) for side in SIDES), NOBODY_THERE) if str(reason) == g.win_reason)
    return next(found)


def holds(g: State, condition: Mapping[str, Any]) -> bool:
    """One condition: ships damaged or sunk, hexes held, steps destroyed."""
    kind = condition["kind"]
    if kind == "damaged":
        ships = [u for u, x in g.units.items() if g.side(u) == condition["side"] and g.counter(u).type in condition["types"]]
        return bool(sum(g.units[s].hits >= condition["hits"] or g.units[s].box == "sunk" for s in ships) >= condition["number"])
    if kind == "sunk":
        ships = [u for u in g.units if g.side(u) == condition["side"] and g.counter(u).type in condition["types"]]
        return bool(sum(g.units[s].box == "sunk" for s in ships) >= condition["number"])
    if kind == "bombers":
        return bombers_in_reach(g)
    if kind == "unbombed":
        return not bombers_in_reach(g)
    if kind == "denied":
        return all(owner(g, int(h)) != condition["side"] for h in condition["hexes"])
    assert kind == "holds", f"condition {kind}"
    return all(owner(g, int(h)) == condition["side"] for h in condition["hexes"])


def bombers_in_reach(g: State) -> bool:
    """[PW-STB-07] A group of strategic bombers stands within reach of a home resource hex."""
    bases = [g.ledger.get(f"{group} at", 0) for group in ("20th", "21st")]
    homes = [int(k[5:]) for k in g.ledger if k.startswith("home ")]
    return any(at and distance(at, h) <= BOMBER_RANGE for at in bases for h in homes)


def owner(g: State, place: int) -> str:
    """Who holds a hex: the side with ground units there alone, else the owner of its installations or of the hex."""
    sides = [s for s in ("japan", "allies") if g.ashore(s, place)]
    if len(sides) == 1:
        return sides[0]
    if len(sides) == 2:
        return ""
    for bases in (g.airfields, g.ports):
        if place in bases:
            return bases[place].side
    return g.control.get(place, "")
