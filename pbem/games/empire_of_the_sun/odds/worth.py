"""What a die of fire was worth, in steps."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.battle.attacks import submarine_steps
from pbem.games.empire_of_the_sun.battle.fire import Volley, effect, salvo_of
from pbem.games.empire_of_the_sun.battle.salvoes import Salvo, best, cheapest_targets, minimum_critical
from pbem.games.empire_of_the_sun.events.battles import Fired
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.odds.courses import DIE
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.odds.luck import Throw, points_thrown


def fire(g: State, x: Fired) -> Throw:
    """[9.2] [9.4] The steps that the hits can cost, weakest targets first, beside those of the other nine faces."""
    steps = [steps_of(g, x, die) for die in DIE]
    return points_thrown(str(x.label), x.side, FOE[x.side], steps[x.die], steps, 1.0)


def steps_of(g: State, x: Fired, die: int) -> int:
    """The steps that this fire can cost by a die of 0 to 9."""
    fired = Volley(x.side, x.hex, x.kind, x.strength, x.modifier)
    return in_steps(g, salvo_of(g, fired, effect(g, fired, die)))


def in_steps(g: State, salvo: Salvo) -> int:
    """[9.2] F The most steps of a salvo, weakest targets first; a critical hit costs one at least."""
    losses = best(g, salvo, cheapest_targets(g, salvo))
    if salvo.critical and not losses and not salvo.targets:
        return int(salvo.garrison > 0)
    return sum(losses.values()) or int(bool(minimum_critical(g, salvo, losses)))


def submarine(g: State, x: Rolled) -> Throw | None:
    """[5.32] The steps of a submarine card by its die; None for any other die."""
    if x.steps is None or g.offensive is None:
        return None
    o = offensive(g)
    card = next((c for c in o.reaction_cards if str(g.board.cards[c]) == str(x.label.args.get("card"))), "")
    if not card:
        return None
    steps = [submarine_steps(g, card, die) for die in DIE]
    return points_thrown(str(x.label), FOE[o.side], o.side, steps[x.die], steps, 1.0)
