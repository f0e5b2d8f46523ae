"""The rest of the allowance: idle troops and air units move up."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.board import Card, distance
from pbem.games.empire_of_the_sun.bot.judgement import taken_easily, worth
from pbem.games.empire_of_the_sun.bot.plans import Blow, Plan, tried
from pbem.games.empire_of_the_sun.bot.reach import Reach
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.state import FOE, JAPAN, State

WANTED, DEAREST = 12, 34  # worth of hexes that troops move up to
TRIES = 8
URGENT = 5  # what a unit that moves up to the dearest hexes is worth


def shift_forward(g: State, found: Plan, reach: Reach, limit: int, event: Card | None, base: int) -> None:
    """Idle troops and air units move up to bases from which something can be attacked next."""
    ranked = front(g, reach.side)
    wanted = [h for _, h in ranked]
    if not wanted:
        return
    found.each_shift = URGENT if reach.side == JAPAN and ranked[0][0] >= DEAREST else 1
    tries = 0
    for unit in reach.able:
        if len(found.units) >= limit or tries >= TRIES:
            return
        kind = g.counter(unit).kind
        if unit in found.units or kind == "naval":
            continue
        at = g.pieces[unit].at
        if kind == "ground" and (len(g.mine_at(reach.side, at, "ground")) == 1 or reach.leaving(unit)):
            continue
        to = _better_base(found.copy, reach, unit, wanted)
        if not to:
            continue
        tries += 1
        on_foot = kind == "ground" and to in reach.by_land.get(at, {})
        blow = Blow(to, 0, [("move" if on_foot else "strategic", Route((unit,), to))], [unit])
        copy = tried(g, found, blow, event, base, shift=True)
        if copy is not None:
            found.copy = copy
            found.shifts += blow.moves


def front(g: State, side: str) -> list[tuple[int, int]]:
    """Hexes that the enemy holds and that are wanted most; to Japan, as long as there are any, the dearest alone."""
    held = [(worth(g, side, h), h) for h, owner in g.control.items() if owner == FOE[side]]
    dearest = [x for x in held if x[0] >= DEAREST] if side == JAPAN else []
    return sorted(dearest or [x for x in held if x[0] >= WANTED], key=lambda x: (-x[0], x[1]))[:24]


def _better_base(g: State, reach: Reach, unit: str, wanted: Sequence[int]) -> int:
    """An own base much nearer to what is wanted than where the unit stands; 0 when there is none."""
    side, at = reach.side, g.pieces[unit].at
    air = g.counter(unit).kind == "air"
    span = 3 if air else 6

    def far(h: int) -> int:
        return min(distance(h, w) for w in wanted)

    if not air:
        step = min(reach.by_land.get(at, {at: 0}), key=lambda h: (far(h), h))
        if far(step) < far(at) <= span and not g.mine_at(reach.foe, step) and len(g.mine_at(side, step, "air", "ground")) < 3:
            return step
    if far(at) <= span:
        return 0
    bases = g.board.airfields if air else g.board.ports
    near = [
        b
        for b in bases
        if g.holds(side, b) and b not in reach.closed and len(g.mine_at(side, b, "air", "ground")) < 3 and far(b) + 2 < far(at)
    ]
    if air:
        near = [b for b in near if g.mine_at(side, b, "ground") or not taken_easily(g, side, b)]
    return min(near, key=lambda b: (far(b), distance(at, b), b), default=0)
