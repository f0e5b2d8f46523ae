"""Orders that are likely to be legal here, for random play, for a bot and for completion. Every one is judged by `read`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from pbem.games.next_war.board import Board, distance
from pbem.games.next_war.searches import reach
from pbem.games.next_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.proposals import Proposals, Read
from pbem.kernel.questions import DONE

T = TypeVar("T")
MOST_STACKS = 2  # stacks that moves are proposed for
MOST_ENDS = 3  # destinations for one stack
MOST_NEAR = 256  # hexes whose nearest goals are kept
MOST_GOALS = 2  # enemies and prizes that draw a stack
MOST_LOOKED_AT = 24  # destinations of a stack that cannot come beside one
MOST_OTHERS = 8  # proposals of all other kinds


def label(g: State, place: int) -> str:
    """A hex as an order names it."""
    return g.board.hexes[place].label


def some(items: Sequence[T], turn: int, most: int) -> list[T]:
    """A few things in their order, spread over all of them, others at another turn."""
    count = len(items)
    return [items[(turn * 7 + i * count // most) % count] for i in range(most)] if count > most else list(items)


# -- movement ------------------------------------------------------------------------------------------------------------


def movement_options(g: State, kind: str, side: str, read: Read) -> Proposals:
    """Marches of a few stacks, a few of all other moves, and being done; other ones after some moves."""
    turn = len(g.moved) + g.moment
    moved, pieces = frozenset(g.moved), g.pieces
    waiting = [u for u in g.on_map(side, "ground") if u not in moved and not pieces[u].aboard]
    found: list[Plain] = []
    starts, round_ = dict.fromkeys([pieces[u].at for u in waiting]), turn // MOST_STACKS
    for start in sorted(starts, key=lambda h: (h * 7919 + round_ * 104_729) % 1009)[:MOST_STACKS]:
        together = [u for u in waiting if pieces[u].at == start]
        found += _marches(g, side, together if round_ % 3 == 0 else some(together, round_, 1), turn)
    if kind != "elite":
        found += some([*_flights(g, side, waiting, turn), *_voyages(g, side, waiting, turn)], turn, MOST_OTHERS)
    return Proposals(read, [*found, DONE])


def _goals(g: State, side: str) -> frozenset[int]:
    """Enemy units and places worth taking."""
    foe = FOE[side]
    return g.cached_of(foe, "goals", lambda: frozenset(g.occupied(foe)).union(h for h in g.board.prizes if g.holds(foe, h)))


def _near(g: State, side: str, start: int) -> list[int]:
    """The goals nearest to a hex, a few, nearest first."""
    return _nearest(g.board, start, _goals(g, side))


@lru_cache(maxsize=MOST_NEAR)
def _nearest(board: Board, start: int, goals: frozenset[int]) -> list[int]:
    found: list[int] = []
    for ring in board.rings(start):
        found += sorted(goals & ring)
        if len(found) >= MOST_GOALS:
            break
    return found[:MOST_GOALS]


def _marches(g: State, side: str, units: Sequence[str], turn: int) -> list[Plain]:
    start, own = g.pieces[units[0]].at, g.points(side)
    size, goals = g.stack_points(units), _near(g, side, start)
    ends = [h for h in reach(g, side, units, start).ends() if h not in own or own[h] + size <= g.limit(h)]
    beside = {n for goal in goals for n in (goal, *g.board.near[goal])}
    worth = [h for h in ends if h in beside] or some(ends, turn, MOST_LOOKED_AT)
    best = sorted([(min([distance(h, goal) for goal in goals], default=0), h) for h in worth])[:MOST_ENDS]
    chosen = dict.fromkeys([*[h for _, h in best], *some(ends, turn, 1)])
    return [{"move": {"units": list(units), "to": label(g, h)}} for h in chosen]


def _flights(g: State, side: str, waiting: Sequence[str], turn: int) -> list[Plain]:
    if g.storm:
        return _rebases(g, side)
    found: list[Plain] = []
    bases = [h for h in g.board.bases if g.holds(side, h)]
    escort = min(1, g.air[side])
    for unit in some([u for u in waiting if g.counter(u).yellow], turn, 2):
        spots = [n for h in _near(g, side, g.pieces[unit].at) for n in g.board.near[h] if n not in g.occupied(FOE[side])]
        for to in some(spots, turn, 2):
            found.append({"lift": {"units": [unit], "to": label(g, to), "escort": escort}})
            if g.counter(unit).airborne:
                found.append({"drop": {"units": [unit], "to": label(g, to), "escort": escort}})
    for unit in [u for u in waiting if g.pieces[u].at in bases and g.values(u).mobility in ("leg", "li")][:2]:
        found += [{"fly": {"units": [unit], "to": label(g, to), "escort": escort}} for to in some(bases, turn, 2)]
    return found + _rebases(g, side)


def _rebases(g: State, side: str) -> list[Plain]:
    able = [u for u in g.on_map(side, "helo") if u not in g.moved and u not in g.grounded and not g.missions.get(u)]
    found: list[Plain] = []
    for helo in able[:1]:
        bases = [h for h in g.board.bases if g.holds(side, h) and h != g.pieces[helo].at]
        near = sorted(bases, key=lambda h: (distance(h, g.pieces[helo].at), h))[:2]
        found += [{"rebase": {"units": helo, "to": label(g, h)}} for h in near]
    return found


def _voyages(g: State, side: str, waiting: Sequence[str], turn: int) -> list[Plain]:
    if g.storm:
        return []
    found: list[Plain] = []
    for ship in some([u for u in g.board.ships[side] if u not in g.moved and g.area_of(u)], turn, 1):
        found += _of_a_ship(g, side, ship, waiting, turn)
    heads = [h for h, marker in g.beachheads.items() if marker.side == side]
    ports = [h for h in g.board.ports if g.holds(side, h)] + heads
    for unit in some([u for u in waiting if g.pieces[u].at in ports], turn, 1):
        away = [h for h in ports if h != g.pieces[unit].at]
        found += [{"ship": {"units": [unit], "to": label(g, h)}} for h in some(away, turn, 2)]
    if g.threat[side] > 1:
        free = [h for places in g.board.seas.values() for h in some(sorted(places), turn, 1) if h not in g.mines]
        found += [{"submine": label(g, h)} for h in free[:1]]
    return found


def _of_a_ship(g: State, side: str, ship: str, waiting: Sequence[str], turn: int) -> list[Plain]:
    area, place = g.board.areas[g.area_of(ship)], g.pieces[ship].at
    cargo = [u for u in g.cargo(ship) if g.counter(u).ground and u not in g.moved]
    seas = sorted(g.board.seas.get(area.id, ()))
    found: list[Plain] = [{"sail": {"units": ship, "to": n}} for n in (area.near if not place else (area.id,))]
    found += [{"sail": {"units": ship, "to": label(g, s)}} for s in some(seas, turn, 2)]
    if cargo:
        beaches = [(s, b) for s in seas for b in g.board.near[s] if g.board.hexes[b].beach and not g.holds(side, b)]
        found += [{"poise": {"units": ship, "to": label(g, s), "at": label(g, b)}} for s, b in some(beaches, turn, 3)]
    return found + _ship_work(g, side, ship, place, cargo, waiting)


def _ship_work(g: State, side: str, ship: str, place: int, cargo: Sequence[str], waiting: Sequence[str]) -> list[Plain]:
    found: list[Plain] = []
    counter = g.counter(ship)
    if place and g.board.hexes[place].terrain == "sea" and place not in g.mines:
        found.append({"mine": {"units": ship, "at": label(g, place)}})
    if counter.flips_to and not g.cargo(ship):
        found.append({"convert": ship})
    if counter.kind != "AMPH" or not place:
        return found
    shore = [h for h in (place, *g.board.near[place]) if g.board.hexes[h].land]
    found += [{"disembark": {"units": [u], "to": label(g, h)}} for u in cargo[:1] for h in shore[:2]]
    marines = [u for u in waiting if g.counter(u).marine and g.pieces[u].at in shore]
    found += [{"embark": {"units": [u], "on": ship}} for u in marines[:2]]
    return found + [
        {"marine-lift": {"units": [u], "by": ship, "to": label(g, h)}} for u in [*cargo, *marines][:1] for h in shore[:2]
    ]


# -- combat --------------------------------------------------------------------------------------------------------------


def combat_options(g: State, side: str, able: Mapping[int, Sequence[str]], read: Read) -> Proposals:
    """Every target with all who can attack it, and with one; landings; Beachheads; being done."""
    found: list[Plain] = []
    for target, units in list(able.items())[:8]:
        found += [
            {"attack": {"units": list(units), "at": label(g, target)}},
            {"attack": {"units": [units[0]], "at": label(g, target)}},
        ]
    for beach in dict.fromkeys(g.poised.values()):
        if not g.ground(FOE[side], beach):
            found.append({"land": [u for u, b in g.poised.items() if b == beach]})
    near = dict.fromkeys(h for ship in g.on_map(side, "AMPH") for h in g.board.near[g.pieces[ship].at])
    found += [{"beachhead": label(g, h)} for h in near]
    return Proposals(read, [*found, DONE])
