"""Random positions that no game would reach: stacks of every kind thrown together in a corner of the map."""

from __future__ import annotations

import random

from pbem.games.next_war.state import SIDES, Clearing, Piece, State
from pbem.kernel.canon import Plain
from tests.next_war import table

EDITIONS: tuple[dict[str, Plain], ...] = ({}, {"edition": "newer", "supply": "on", "bridges": "on"})
RADIUS = 4


def position(name: str, dice: random.Random) -> State:
    """A scenario's board with random units, control, markers, weather, supply and bridges around one hex."""
    g: State = table.begin(name, **dice.choice(EDITIONS)).state
    centre = dice.choice([h for h, x in g.board.hexes.items() if x.land])
    places = [h for h in g.board.within(centre, RADIUS) if g.board.hexes[h].land]
    sides = {h: dice.choice(SIDES) for h in places}
    _throw_together(g, sides, dice)
    g.control |= {h: dice.choice(SIDES) for h in places}
    g.clearing = {
        h: Clearing(side)
        for h, side in sides.items()
        if g.board.hexes[h].needs_clearing and g.control[h] != side and dice.random() < 0.5
    }
    roads = [(min(pair), max(pair)) for pair, side in g.board.sides.items() if side.road and (side.river or side.water)]
    g.bridges_down = [10_000 * low + high for low, high in roads if dice.random() < 0.2]
    g.weather, g.segment = dice.choice(("clear", "storm")), "movement"
    g.turn, g.moment = dice.choice(((1, 1), (3, 6)))
    g.forget()
    return g


def _throw_together(g: State, sides: dict[int, str], dice: random.Random) -> None:
    """Ten to sixty ground units into hexes of their side, some reduced, some out of supply; nothing else on the map."""
    g.pieces = {u: Piece(0, "removed") for u in g.board.counters}
    units = [u for u, c in g.board.counters.items() if c.ground]
    for unit in dice.sample(units, min(len(units), dice.choice((10, 30, 60)))):
        spots = [h for h, side in sides.items() if side == g.seat(unit)]
        if spots:
            g.pieces[unit] = Piece(dice.choice(spots), "", g.board.counters[unit].steps == 2 and dice.random() < 0.3)
    g.unsupplied = [u for u in units if dice.random() < 0.2]
