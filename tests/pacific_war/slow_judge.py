"""A second opinion on legality, slow and written from the rules alone: moves at sea, searches, flights, command links.

Distances are counted by walking from neighbour to neighbour of the staggered grid [PW-MAP-06], not by formula.
"""

from __future__ import annotations

import random
from functools import cache

from pbem.games.pacific_war.sea.searching import SHORE, reach, searchers
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected

FARTHEST = 30


def beside(place: int) -> list[int]:
    """[PW-MAP-06] The six neighbours in the staggered grid: the pages of even columns lie half a hex lower."""
    column, row = divmod(place, 100)
    down = 0 if column % 2 else 1
    return [
        place - 1,
        place + 1,
        (column - 1) * 100 + row - 1 + down,
        (column - 1) * 100 + row + down,
        (column + 1) * 100 + row - 1 + down,
        (column + 1) * 100 + row + down,
    ]


@cache
def rings(start: int) -> dict[int, int]:
    """Hexes away of every place within the farthest flight, by walking."""
    found, edge = {start: 0}, [start]
    for away in range(1, FARTHEST + 1):
        edge = [n for n in dict.fromkeys(n for p in edge for n in beside(p)) if n not in found]
        found |= dict.fromkeys(edge, away)
    return found


def accepted(ask: Ask, order: object) -> bool:
    """Whether the game takes the order."""
    try:
        ask.read(order)  # type: ignore[arg-type]
    except Rejected:
        return False
    return True


def disagreements(g: State, ask: Ask, dice: random.Random) -> list[str]:
    """What the game and this judge think differently about a question."""
    if ask.kind in ("sail", "contact"):
        return _at_sea(g, ask, dice)
    if ask.kind == "search":
        return _searches(g, ask)
    if ask.kind == "mission":
        return _flights(g, ask, dice)
    return []


def _at_sea(g: State, ask: Ask, dice: random.Random) -> list[str]:
    """[PW-MOV-07] One hex, over water, with every ship activated and no crippled ship on the second hex."""
    step, found = int(ask.facts.get("step", 1)), []
    for marker, m in g.markers.items():
        ships = g.members(marker)
        speed = 1 if any(g.counter(s).cripples and g.steps(s) == 1 for s in ships) else 2
        ready = (
            m.side == ask.seat and not m.held and all(g.units[s].active for s in ships) and g.moved.get(marker, 0) == step - 1
        )
        for goal in dice.sample([*beside(m.at), m.at, m.at + 2], 3):
            water = g.board.on_map(goal) and g.board.sea(goal) and m.at not in g.board.double_coasts
            legal = ready and (speed >= step) and goal in beside(m.at) and water
            if m.at in g.board.double_coasts or goal in g.board.double_coasts:
                continue  # which coast counts: cases have it
            if accepted(ask, {"sail": {marker: goal}}) != legal:
                found.append(f"{marker} from {m.at:04d} to {goal:04d}: {legal} says the slow judge")
    return found


def _searches(g: State, ask: Ask) -> list[str]:
    """[PW-SRC-03] A searcher is named for a hex only when some die of its row at that distance finds something."""
    found = []
    for m in g.markers.values():
        if m.side == ask.seat:
            continue
        for unit in [u for u in searchers(g, ask.seat, m.at) if u != SHORE]:
            walked = rings(g.units[unit].at).get(m.at, FARTHEST + 1)
            if reach(g, unit, m.at) > walked:
                found.append(f"{unit} is {walked} hexes from {m.at:04d}, not {reach(g, unit, m.at)}")
            if g.counter(unit).kind in ("naval", "ground") and not g.counter(unit).spotter and walked:
                found.append(f"{unit} searches {walked} hexes away")
            if g.units[unit].box != "map" or unit in g.searched:
                found.append(f"{unit} cannot search")
    return found


def _flights(g: State, ask: Ask, dice: random.Random) -> list[str]:
    """[PW-AIR-02] A strike goes no further than the unit flies, and never to a second target in a hex."""
    found = []
    units = [u for u in g.on_map(ask.seat, "air") if u not in g.waves]
    targets = [h for h, b in g.airfields.items() if b.side == FOE[ask.seat]]
    targets += [m.at for m in g.markers.values() if m.side != ask.seat and m.detected]
    for unit in dice.sample(units, min(4, len(units))):
        for target in dice.sample(targets, min(2, len(targets))):
            walked = rings(g.units[unit].at).get(target, FARTHEST + 1)
            taken = accepted(ask, {"mission": {"strike": f"{target:04d}", "units": [unit]}})
            u, c = g.units[unit], g.counter(unit)
            base = g.airfields.get(u.at)
            grounded = not u.aboard and (base is None or base.side != c.side or base.interdicted)
            if taken and (walked > c.range or not u.active or grounded or target in g.targeted or c.type == "LRA"):
                found.append(f"{unit} strikes {target:04d}, {walked} hexes away")
    return found


def unlinked(g: State, side: str) -> list[str]:
    """[PW-CMD-06] Linked hexes that no chain of headquarters, bases and twenty hexes each could reach."""
    hubs = [h.at for h in g.hqs.values() if h.side == side and h.box == "map"]
    hubs += [h for h, b in g.osbs.items() if b.side == side] + [h for h, b in g.ports.items() if b.side == side]
    hubs += [p for pair in g.express.values() for p in pair]
    longest = max([20, *(h.range for h in g.hqs.values() if h.side == side)])
    reached = {p for hub in hubs for p, away in rings(hub).items() if away <= longest}
    return [f"{place:04d} is linked for {side}" for place in linked_hexes(g, side) if place not in reached]
