"""Exact odds of the battles that the bot thinks of: hits fall on the cheapest units, nobody retreats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.bot.judgement import outlook
from pbem.games.axis_and_allies_pacific.firing import attack_values, defense_values
from pbem.games.axis_and_allies_pacific.state import CAPITAL_SHIPS, LAND, State, Unit, is_cargo
from pbem.odds.distributions import Dice, together
from pbem.odds.duel import Duel, first_round, to_the_end

Points = tuple[tuple[int, int], ...]  # price and value of every hit that a side can take, in the order of loss
LARGE = 700  # hits of one side times hits of the other: beyond that mean dice are near enough


class Verdict(Struct, frozen=True):
    """A battle to its end, in thousandths: how likely it is won (ashore: with a land unit left), what each side loses on
    the mean in IPC, how many of the attacker's land units are left when it is won.
    """

    won: int
    mine_lost: int
    theirs_lost: int
    ground: int

    @property
    def swing(self) -> int:
        """What the attacker gains by the losses of both."""
        return self.theirs_lost - self.mine_lost


def verdict(g: State, attack: Sequence[Unit], defence: Sequence[Unit], guns: Sequence[Unit] = ()) -> Verdict:
    """The attack of some units on others; `guns`: ships that bombard first. Cargo does not defend."""
    defence = [u for u in defence if not is_cargo(u)]
    mine, theirs = _points(g, attack, attack_values(g, attack)), _points(g, defence, defense_values(g, defence))
    ground = sum(u.type in LAND and u.type != "aa-gun" for u in attack)
    if len(mine) * len(theirs) > LARGE:
        return _by_mean_dice(g, attack, defence, ground)
    at_sea = not ground
    return _fought(mine, theirs, len(mine) if at_sea else ground, together([g.board.types[u.type].bombard for u in guns]))


def _points(g: State, units: Sequence[Unit], values: dict[int, int]) -> Points:
    """First hits on capital ships, then the cheapest units; transports and AA guns do not fight."""
    types = g.board.types
    whole = [(0, 0) for u in units if u.type in CAPITAL_SHIPS and not u.damaged]
    return (*whole, *sorted((types[u.type].cost, values[u.id]) for u in units if u.type not in ("transport", "aa-gun")))


@lru_cache(maxsize=200_000)
def _fought(mine: Points, theirs: Points, ground: int, guns: Dice) -> Verdict:
    if not mine:
        return Verdict(0, 0, 0, 0)
    if not theirs:
        return Verdict(1000, 0, 0, ground * 1000)
    duel = Duel(_dice(mine), _dice(theirs), guns)
    ends = to_the_end(duel, first_round(duel), lambda a, d: False)
    price_a, price_d = _prices(mine), _prices(theirs)
    won = sum(ends[-1][:ground])
    left = sum(p * (ground - a) for a, p in enumerate(ends[-1][:ground]))
    lost = sum(p * price for row in ends for p, price in zip(row, price_a, strict=True))
    killed = sum(sum(row) * price for row, price in zip(ends, price_d, strict=True))
    return Verdict(round(won * 1000), round(lost * 1000), round(killed * 1000), round(left / won * 1000) if won else 0)


def _dice(points: Points) -> tuple[Dice, ...]:
    values = [value for _, value in points]
    return tuple(together(values[hits:]) for hits in range(len(values) + 1))


def _prices(points: Points) -> list[int]:
    return [0, *accumulate(price for price, _ in points)]


def _by_mean_dice(g: State, attack: Sequence[Unit], defence: Sequence[Unit], ground: int) -> Verdict:
    expected = outlook(g, attack, defence)
    lost = len(attack) * 1000 - expected.attack_left
    left = max(0, ground * 1000 - lost) if ground else expected.attack_left
    won = 950 if expected.is_won and left > 0 else 50
    return Verdict(won, expected.attack_cost * 1000, expected.defence_cost * 1000, left)
