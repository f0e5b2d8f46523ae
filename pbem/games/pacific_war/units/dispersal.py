"""[PW-DSP-01] Divisions that break down into regiments and battalions, and take them in again."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import Counter
from pbem.games.pacific_war.events import Hit, Mended, Raised, Removed
from pbem.games.pacific_war.orders import read_units
from pbem.games.pacific_war.state import JAPAN, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg, verbatim

LEAST_TQ = 6
MARINE_DIVISIONS = ("1st", "2nd", "3rd")
PROPOSED = 4
WAITING = ("eliminated", "reserve", "due")  # boxes of counters that can be raised


def is_parent(c: Counter) -> bool:
    """A US or Japanese division of quality 6 or more; of the marines the first three."""
    if c.kind != "ground" or c.size != "division" or c.tq < LEAST_TQ:
        return False
    if c.type == "marine":
        return c.nation == "us" and c.id.split()[0] in MARINE_DIVISIONS
    return c.type == "infantry" and (c.nation == "us" or c.side == JAPAN)


def is_child(parent: Counter, c: Counter) -> bool:
    """US marine regiments (quality 8), infantry regiments (6), Japanese infantry battalions (7)."""
    if c.kind != "ground" or (c.side, c.nation, c.type) != (parent.side, parent.nation, parent.type):
        return False
    kinds = [("regiment", 8, 3)] if parent.type == "marine" else [("regiment", 6, 3)]
    if parent.side == JAPAN:
        kinds.append(("battalion", 7, 1))
    return (c.size, c.tq, c.steps) in kinds


def is_part(g: State, unit: str) -> bool:
    """A counter that some division can break down into."""
    c = g.counter(unit)
    return any(is_parent(p) and is_child(p, c) for p in g.board.counters.values())


def free_children(g: State, parent: str) -> list[str]:
    """Counters of the right kind that are not in play."""
    p = g.counter(parent)
    parts = [
        c for size in ("regiment", "battalion") for c in g.board.troops.get((p.side, p.nation, size), ()) if is_child(p, c)
    ]
    return [c.id for c in parts if c.id not in g.units or g.units[c.id].box in WAITING]


def present_children(g: State, parent: str) -> list[str]:
    """Units that the division can take in: in its hex, steady or shaken as it is."""
    p = g.units[parent]
    here = g.ashore(g.side(parent), p.at)
    return [u for u in here if is_child(g.counter(parent), g.counter(u)) and g.units[u].demoralized == p.demoralized]


def read_dispersal(g: State, side: str, verb: str, parent: str, what: Plain) -> list[str]:
    """`break_down: {division: [units]}` or `recombine: {division: [units]}`. Raises Rejected."""
    u, children = g.units[parent], read_units(g, what, side)
    if not is_parent(g.counter(parent)) or u.box != "map" or u.aboard:
        raise illegal(
            msg("{unit} does not break down", unit=parent),
            "PW-DSP-01",
            msg("US and Japanese divisions of quality 6 or more do, ashore"),
        )
    able = free_children(g, parent) if verb == "break_down" else present_children(g, parent)
    for child in children:
        if child not in able:
            raise illegal(
                msg("{unit} cannot be chosen for {division}", unit=child, division=parent), "PW-DSP-01", verbatim(*able[:8])
            )
    steps = _steps(g, verb, children)
    if steps > (g.steps(parent) if verb == "break_down" else u.hits):
        raise illegal(msg("these are too many steps for {unit}: {n}", n=steps, unit=parent), "PW-DSP-01")
    return children


def _steps(g: State, verb: str, children: Sequence[str]) -> int:
    return sum(g.counter(c).steps if verb == "break_down" else g.steps(c) for c in children)


def break_down(g: State, parent: str, children: Sequence[str]) -> None:
    """The parts stand beside the division, which takes as many hits; without steps it leaves the game."""
    n = _steps(g, "break_down", children)
    for child in children:
        emit(g, Raised(child, parent, "PW-DSP-01"))
    emit(g, Hit(parent, n, "PW-DSP-01", "removed" if n == g.steps(parent) else ""))


def recombine(g: State, parent: str, children: Sequence[str]) -> None:
    """The parts leave the map, their steps are the division's again."""
    n = _steps(g, "recombine", children)
    for child in children:
        emit(g, Removed(child, "reserve", "PW-DSP-01"))
    emit(g, Mended(parent, n, "PW-DSP-01"))


def dispersal_options(g: State, side: str) -> list[Plain]:
    """A regiment out of a division or into it, where that can be."""
    found: list[Plain] = []
    for parent in [u for u in g.on_map(side, "ground") if is_parent(g.counter(u)) and not g.units[u].aboard]:
        if len(found) >= PROPOSED:
            break
        small = [c for c in free_children(g, parent) if g.counter(c).steps <= g.steps(parent)]
        found += [{"break_down": {parent: [c]}} for c in small[:1]]
        fitting = [c for c in present_children(g, parent) if g.steps(c) <= g.units[parent].hits]
        found += [{"recombine": {parent: [c]}} for c in fitting[:1]]
    return found
