"""The battle that is reckoned, and a moment of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from pbem.games.axis_and_allies_pacific.state import State, Unit
from pbem.kernel.wording import Message
from pbem.odds.distributions import Dice


class Moment(NamedTuple):
    """A battle between two rounds. `left`: the attacker has retreated. Rounds are counted as far as orders look at them."""

    round: int
    attack: int
    defence: int
    left: bool = False


class Clash(Struct, frozen=True):
    """A battle that is to be fought. Landed units have the role `landed`; AA guns are not among the defenders.

    `ways_out`: where these attackers may retreat to. `bombards`: dice before the landing [AMP-05]. `flak`: an AA gun
    fires before the first round [AIR-03]. `round`: rounds already fought.
    """

    g: State
    space: str
    power: str
    attackers: Sequence[Unit]
    defenders: Sequence[Unit]
    at_sea: bool
    ways_out: Callable[[Sequence[Unit]], Sequence[str]]
    bombards: Dice = ()
    flak: bool = False
    round: int = 0
    notes: Sequence[Message] = field(default=())
