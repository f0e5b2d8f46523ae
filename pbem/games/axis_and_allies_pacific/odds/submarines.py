"""[GC-05] to [GC-09] Submarines: who dives, who strikes first."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.battle import can_hurt
from pbem.games.axis_and_allies_pacific.firing import attack_values, defense_values
from pbem.games.axis_and_allies_pacific.odds.clash import Moment
from pbem.games.axis_and_allies_pacific.odds.force import Fire, Force
from pbem.games.axis_and_allies_pacific.odds.sides import Sides
from pbem.games.axis_and_allies_pacific.odds.standing import Orders
from pbem.kernel.canon import Plain

Silent = tuple[frozenset[int], frozenset[int]]
_NONE: frozenset[int] = frozenset()
NOBODY: Silent = (_NONE, _NONE)


class Submarines:
    """[GC-05] to [GC-09] What submarines do before the others fire."""

    def __init__(self, sides: Sides, orders: Orders) -> None:
        self.sides, self.g, self.orders = sides, sides.g, orders

    def decide(self, moment: Moment) -> tuple[Moment, Silent]:
        """[GC-05] [GC-06] The attacker's, then the defender's; where the other side has a destroyer nothing is decided."""
        a, mine = self.dive(self.sides.attack, moment, "attack")
        d, theirs = self.dive(self.sides.defence, moment._replace(attack=a), "defence")
        return moment._replace(attack=a, defence=d), (mine, theirs)

    def dive(self, force: Force, moment: Moment, side: str) -> tuple[int, frozenset[int]]:
        """The state of this side afterwards, and which of its submarines do not fire with the others."""
        state, enemies = (
            (moment.attack, self.sides.theirs(moment)) if side == "attack" else (moment.defence, self.sides.mine(moment))
        )
        own = force.fighting(force.inside(state))
        if any(u.type == "destroyer" for u in enemies):
            return state, _NONE
        silent = frozenset(u.id for u in own if u.type == "submarine")
        for owner in dict.fromkeys(u.owner for u in own if u.id in silent):
            boats = [u for u in own if u.id in silent and u.owner == owner]
            given = (_submerging(w, len(boats)) for w in self.orders.applying(owner, "submarines", moment, side))
            state = force.without(state, boats[len(boats) - next(n for n in given if n is not None) :])
        return state, silent

    def strikes(self, now: Moment, silent: Silent) -> list[list[tuple[int, float]]]:
        """[GC-08] [GC-09] Both sides' surprise strikes: the state of each side after the other's."""
        mine, theirs = self.sides.mine(now), self.sides.theirs(now)
        first = [u for u in mine if u.id in silent[0]]
        second = [u for u in theirs if u.id in silent[1]]
        on_attack, on_defence = {now.attack: 1.0}, {now.defence: 1.0}
        if first and can_hurt(self.g, first, theirs, attack_values(self.g, first)):
            fire = Fire(submarines=((2, len(first)),))
            on_defence = self.sides.defence.losses(now.defence, fire, self.orders.order("defence", now))
        if second and can_hurt(self.g, second, mine, defense_values(self.g, second)):
            fire = Fire(submarines=((1, len(second)),))
            on_attack = self.sides.attack.losses(now.attack, fire, self.orders.order("attack", now))
        return [list(on_attack.items()), list(on_defence.items())]


def _submerging(wanted: Plain, number: int) -> int | None:
    """[GC-06] How many of these submarines submerge; None when the order does not fit them."""
    if wanted in ("strike", "submerge"):
        return number if wanted == "submerge" else 0
    counts = {"strike": 0, "submerge": 0, **wanted} if isinstance(wanted, dict) else {}
    strike, dive = counts.get("strike"), counts.get("submerge")
    return dive if isinstance(strike, int) and isinstance(dive, int) and strike + dive == number else None
