"""One space that may be attacked, and who could come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.axis_and_allies_pacific.state import State, Unit, enemy_units


@dataclass(frozen=True, slots=True)
class Front:
    """A target, its defenders, those who could walk or fly there, what it brings at once and when it is held."""

    target: str
    theirs: tuple[Unit, ...]
    walking: tuple[Unit, ...]
    flying: tuple[Unit, ...]
    now: int
    lasting: int
    guns: bool = False  # [AIR-03] of each six aircraft AA guns bring one down first

    def through(self, planes: Sequence[Unit]) -> Sequence[Unit]:
        """As many of some aircraft as get through its AA guns on the mean."""
        return planes[(len(planes) + 2) // 6 :] if self.guns else planes

    def shot(self, g: State, planes: Sequence[Unit]) -> int:
        """What the AA guns bring down on the mean, in thousandths of an IPC."""
        return 1000 * sum(g.board.types[u.type].cost for u in planes) // 6 if self.guns else 0


def has_guns(g: State, power: str, target: str) -> bool:
    """AA guns of an enemy stand there."""
    return any(u.type == "aa-gun" for u in enemy_units(g, power, target))
