"""[PW-SEQ-02] The end of a scenario and its victory conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.events import Won
from pbem.games.pacific_war.state import ENGAGEMENT, SIDES, State
from pbem.kernel.events import emit
from pbem.kernel.wording import Message, msg, recorded_as

DRAW = "draw"
BOMBER_RANGE = 15
NOBODY_THERE = msg("no side has reached its goal")
ENOUGH = recorded_as(str(NOBODY_THERE), msg("no side has reached its goal, and by the scenario that is enough"))
LEVELS = {
    "decisive": msg("Decisive victory"),
    "substantive": msg("Substantive victory"),
    "tactical": msg("Tactical victory"),
    "strategic": msg("Strategic draw"),
}


class Level(Struct, frozen=True):
    """A level of victory: whose it is (draw: nobody's), its name where a scenario has several, all that it asks for."""

    side: str
    name: str
    goals: Sequence[Mapping[str, Any]]


def check_end(g: State) -> None:
    """[PW-SEQ-02] When cycles or days have passed, the conditions decide."""
    over = g.cycle >= g.cycles if g.level == ENGAGEMENT or g.cycles else g.day >= g.days
    if over:
        finish(g)


def finish(g: State) -> None:
    """The first level of victory whose goals are all reached; otherwise as the scenario says."""
    for level in levels(g.victory):
        if level.goals and all(holds(g, goal) for goal in level.goals):
            emit(g, Won(level.side, reached(level), "PW-SEQ-02"))
            return
    winner = g.victory.get("otherwise", DRAW)
    emit(g, Won(winner, NOBODY_THERE if winner == DRAW else ENOUGH, "PW-SEQ-02"))


def levels(victory: Mapping[str, Any]) -> list[Level]:
    """[PW-SEQ-02] What a scenario asks for, in the order in which it counts: its levels, or the one goal of each side."""
    if "levels" in victory:
        return [Level(row["side"], row.get("level", ""), row["goals"]) for row in victory["levels"]]
    return [Level(side, "", victory.get(side, ())) for side in SIDES]


def goals_of(victory: Mapping[str, Any], side: str) -> list[Mapping[str, Any]]:
    """Every goal of a side, those of its lower levels too."""
    return [goal for level in levels(victory) if level.side == side for goal in level.goals]


def reached(level: Level) -> Message:
    """What the scenario asks for, as the reason of a victory."""
    texts = [str(goal["text"]) for goal in level.goals]
    goals = tuple(map(Message, texts))
    if not level.name:
        return recorded_as("; ".join(texts), Message("{goals}", {"goals": goals}))
    return recorded_as(f"{level.name}: {'; '.join(texts)}", msg("{level}: {goals}", level=LEVELS[level.name], goals=goals))


def ended(g: State) -> Message:
    """[PW-SEQ-02] Why the game is over: the one of the reasons that there can be that the state has written down."""
    otherwise = NOBODY_THERE if g.winner == DRAW else ENOUGH
    found = (reason for reason in (*map(reached, levels(g.victory)), otherwise) if str(reason) == g.win_reason)
    return next(found)


def holds(g: State, condition: Mapping[str, Any]) -> bool:
    """One condition: ships damaged, crippled, sunk or all afloat, hexes held."""
    kind = condition["kind"]
    if kind in SHIPS:
        return SHIPS[kind](g, condition, ships_of(g, condition))
    if kind == "bombers":
        return bombers_in_reach(g)
    if kind == "unbombed":
        return not bombers_in_reach(g)
    owned = [owner(g, int(h)) == condition["side"] for h in condition["hexes"]]
    if kind == "denied":
        return not any(owned)
    assert kind in ("holds", "holds-any"), f"condition {kind}"
    return all(owned) if kind == "holds" else any(owned)


def ships_of(g: State, condition: Mapping[str, Any]) -> list[str]:
    """The ships that a condition counts: by name, or all of some types of a side."""
    if "units" in condition:
        return [u for u in condition["units"] if u in g.units]
    return [u for u in g.units if g.side(u) == condition["side"] and g.counter(u).type in condition["types"]]


def _sunk(g: State, ships: Sequence[str]) -> int:
    return sum(g.units[s].box == "sunk" for s in ships)


def _damaged(g: State, condition: Mapping[str, Any], ships: Sequence[str]) -> bool:
    return bool(sum(g.units[s].hits >= condition["hits"] or g.units[s].box == "sunk" for s in ships) >= condition["number"])


def _crippled(g: State, condition: Mapping[str, Any], ships: Sequence[str]) -> bool:
    """[PW-UNT-05] Crippled or sunk."""
    return bool(sum(g.units[s].box == "sunk" or g.crippled(s) for s in ships) >= condition["number"])


SHIPS: Mapping[str, Callable[[State, Mapping[str, Any], Sequence[str]], bool]] = {
    "damaged": _damaged,
    "crippled": _crippled,
    "sunk": lambda g, condition, ships: bool(_sunk(g, ships) >= condition["number"]),
    "afloat": lambda g, condition, ships: not _sunk(g, ships),
}


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
