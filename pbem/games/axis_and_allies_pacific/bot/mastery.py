"""When the enemy's fleet is beaten: no more warships are wanted, but transports for whom it takes to end the war."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.judgement import MARCHING
from pbem.games.axis_and_allies_pacific.state import AIR, SEA, SIDES, State, Unit, controller_side, side_of

BEATEN = 2  # times what the enemies have at sea and in the air that a side has at sea, from which on it rules there
AMPLE, MOST = 130, 16  # per cent of the guards of a capital that a lift against it is to carry, and transports for it at most


def rules_the_sea(g: State, power: str) -> bool:
    """The ships of a power's side are worth many times what its enemies could send against them."""
    side, enemies = SIDES[power], [p for p in SIDES if SIDES[p] != SIDES[power]]
    mine = sum(_at_sea(g, u) for p in SIDES if SIDES[p] == side for u in g.of(p))
    theirs = sum(_at_sea(g, u) + (g.board.types[u.type].cost // 2 if u.type in AIR else 0) for p in enemies for u in g.of(p))
    return mine > BEATEN * theirs


def _at_sea(g: State, unit: Unit) -> int:
    """What a warship costs, half of what a submarine costs."""
    if unit.type not in SEA or unit.type == "transport":
        return 0
    return g.board.types[unit.type].cost // (2 if unit.type == "submarine" else 1)


def lift_to_end_it(g: State, power: str) -> int:
    """Transports that a landing in the enemy's best guarded capital by the sea takes."""
    guards = [
        sum(u.type in (*MARCHING, *AIR) and side_of(g, u.owner) != SIDES[power] for u in g.at(home))
        for home in g.board.capitals.values()
        if controller_side(g, home) not in ("", SIDES[power]) and g.board.coast(home)
    ]
    return min(MOST, (max(guards, default=0) * AMPLE + 199) // 200)
