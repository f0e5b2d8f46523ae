"""Both sides of a clash: what hits leave of them, and when their battle is over."""

from __future__ import annotations

from functools import cache

from pbem.games.axis_and_allies_pacific.battle import can_hurt, combat_capable
from pbem.games.axis_and_allies_pacific.firing import attack_values, defense_values
from pbem.games.axis_and_allies_pacific.odds.clash import Clash, Moment
from pbem.games.axis_and_allies_pacific.odds.force import Force
from pbem.games.axis_and_allies_pacific.state import Unit


class Sides:
    """Both sides of a clash at any moment: who is left, who is lost without a fight, whether it is over."""

    def __init__(self, clash: Clash) -> None:
        self.clash, self.g = clash, clash.g
        self.attack = Force(clash.g, clash.attackers, attacks=1)
        self.defence = Force(clash.g, clash.defenders, attacks=0)
        self.ways_out = cache(lambda state: clash.ways_out(self.attack.fighting(state)))
        self.in_contact = cache(self._in_contact)

    @property
    def whole(self) -> Moment:
        """The clash as it stands."""
        return Moment(self.clash.round, self.attack.whole, self.defence.whole)

    def mine(self, moment: Moment) -> tuple[Unit, ...]:
        """Attackers in the battle."""
        return self.attack.fighting(self.attack.inside(moment.attack))

    def theirs(self, moment: Moment) -> tuple[Unit, ...]:
        """Defenders in the battle."""
        return self.defence.fighting(self.defence.inside(moment.defence))

    def is_over(self, moment: Moment) -> bool:
        """[GC-19] Nobody left to fight, or to be hit; on land, who is there fights."""
        mine = self.attack.examples(self.attack.inside(moment.attack))
        theirs = self.defence.examples(self.defence.inside(moment.defence))
        if moment.left or not mine or not theirs:
            return True
        return self.clash.at_sea and not self.in_contact(mine, theirs)

    def _in_contact(self, mine: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
        """[GC-19] Both sides can fight, and one can hit the other: by one unit of each type."""
        one, other = self.attack.by_id(mine), self.defence.by_id(theirs)
        if not combat_capable(one) or not combat_capable(other):
            return False
        return can_hurt(self.g, one, other, attack_values(self.g, one)) or can_hurt(
            self.g, other, one, defense_values(self.g, other)
        )

    def sunk(self, a: int, d: int) -> tuple[int, int]:
        """[GC-16] [GC-17] Transports alone go down, the attacker's only when they cannot retreat."""
        if not self.clash.at_sea:
            return a, d
        inside, there = self.attack.inside(a), self.defence.inside(d)
        mine_fight, theirs_fight = self.attack.can_fight(inside), self.defence.can_fight(there)
        if mine_fight and not theirs_fight and there:
            return a, self.defence.destroyed(d, self.defence.fighting(there))
        if theirs_fight and not mine_fight and inside:
            mine = self.attack.fighting(inside)
            return (self.attack.without(a, mine) if self.ways_out(inside) else self.attack.destroyed(a, mine)), d
        return a, d

    def withdrawn(self, now: Moment) -> Moment:
        """[GC-20] [AMP-09] All leave together, but landed units stay and fight on."""
        mine = self.mine(now)
        stay = [u for u in mine if u.role == "landed"]
        state = self.attack.without(now.attack, [u for u in mine if u not in stay])
        return now._replace(attack=state, left=not stay)

    def rank(self, moment: Moment) -> tuple[int, ...]:
        """Moments in an order in which none follows a later one."""
        left = self.attack.inside(moment.attack).bit_count() + self.defence.inside(moment.defence).bit_count()
        return (-left, moment.round, moment.left)
