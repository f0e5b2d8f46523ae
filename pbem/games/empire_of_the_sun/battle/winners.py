"""[9.3] [9.4] C: who has won a round."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.battle.participants import defender, firing_units
from pbem.games.empire_of_the_sun.battle.strengths import surviving_strength
from pbem.games.empire_of_the_sun.state import FOE, State, fighting, offensive


def air_naval_winner(g: State, place: int) -> str:
    """[9.3] [9.31] The larger surviving strength; a tie for the defender; only his wings left: he wins."""
    o = offensive(g)
    mine, theirs = firing_units(g, o.side, place), firing_units(g, defender(g), place)
    if not mine and not theirs:
        return o.side
    wings = any(g.counter(u).flies for u in theirs)
    if wings and not any(g.counter(u).flies for u in mine):
        return defender(g)
    return o.side if surviving_strength(g, o.side, place) > surviving_strength(g, defender(g), place) else defender(g)


def ground_winner(g: State, mine: bool, theirs: bool) -> str:
    """[9.4] C: the side that alone is left; else the one that lost fewer steps; a tie, or nobody left: the defender."""
    o = offensive(g)
    if not mine or not theirs:
        return o.side if mine else FOE[o.side]
    fight = fighting(g)
    lost = {o.side: 0, FOE[o.side]: fight.garrison_round}
    for unit, steps in fight.losses.items():
        lost[g.counter(unit).side] += steps
    return o.side if lost[o.side] < lost[FOE[o.side]] else FOE[o.side]
