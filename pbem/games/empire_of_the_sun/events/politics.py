"""[13.0] to [17.0] Politics: nations, rivalries, the war in Europe, Political Will and what is counted for it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.wording import Message


class Surrendered(Struct, frozen=True):
    """[13.1] A nation surrenders, or is liberated."""

    nation: str
    liberated: bool
    rule: str

    def apply(self, g: State) -> None:
        (g.liberated if self.liberated else g.surrendered).append(self.nation)
        g.changed()


class ChinaRolled(Struct, frozen=True):
    """[13.72] The die of a China offensive: what it had to reach, with air support."""

    label: Message
    value: int
    wings: int
    die: int
    success: bool
    rule: str = "13.72"

    def apply(self, g: State) -> None:
        return None


class ChinaMoved(Struct, frozen=True):
    """[13.72] The China front."""

    box: int
    rule: str

    def apply(self, g: State) -> None:
        g.china = self.box


class ChinaOffensiveMade(Struct, frozen=True):
    """[13.72] There was a China offensive in this turn."""

    rule: str = "13.72"

    def apply(self, g: State) -> None:
        g.china_turn = g.turn


class IndiaMoved(Struct, frozen=True):
    """[13.62] The marker of India."""

    box: int
    rule: str = "13.62"

    def apply(self, g: State) -> None:
        g.india = self.box


class IndiaWatched(Struct, frozen=True):
    """[1e-12.62] Turns in the present box of India, and whether all of its north is lost."""

    turns: int
    lost: bool
    rule: str = "13.62"

    def apply(self, g: State) -> None:
        g.india_turns, g.northern_lost, g.northern_regained = self.turns, self.lost, False


class RivalryBegan(Struct, frozen=True):
    """[14.0] Inter-Service Rivalry of a side."""

    side: str
    rule: str = "14.0"

    def apply(self, g: State) -> None:
        g.rivalry = [*g.rivalry, self.side]


class RivalryEnded(Struct, frozen=True):
    """[14.0] Its end: the Strategic Agreement."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.rivalry = [side for side in g.rivalry if side != self.side]


class EuropeMoved(Struct, frozen=True):
    """[15.0] The War in Europe marker."""

    points: int
    rule: str = "15.0"

    def apply(self, g: State) -> None:
        g.europe = self.points


class CutOff(Struct, frozen=True):
    """[13.93] Segments in a row without a line from the home cities to a resource."""

    segments: int
    rule: str = "13.93"

    def apply(self, g: State) -> None:
        g.cut_off = self.segments


# -- Political Will ------------------------------------------------------------------------------------------------


class WillChanged(Struct, frozen=True):
    """[16.4] US Political Will moves, and why."""

    by: int
    why: Message
    rule: str

    def apply(self, g: State) -> None:
        g.will = max(0, min(g.will + self.by, 10))


class BonusTaken(Struct, frozen=True):
    """[16.4] What moves Political Will once only has done so."""

    what: str
    rule: str

    def apply(self, g: State) -> None:
        g.bonuses = [*g.bonuses, self.what]


class OccupationCounted(Struct, frozen=True):
    """[16.42] Segments that Japan has held hexes of Alaska or Hawaii."""

    area: Literal["alaska", "hawaii"]
    held: tuple[tuple[str, int], ...]
    rule: str = "16.42"

    def apply(self, g: State) -> None:
        if self.area == "alaska":
            g.alaska = dict(self.held)
        else:
            g.hawaii = dict(self.held)


class CasualtiesCounted(Struct, frozen=True):
    """[16.45] US casualties have moved Political Will in this turn."""

    rule: str = "16.45"

    def apply(self, g: State) -> None:
        g.casualties = g.turn


class HawaiiOccupied(Struct, frozen=True):
    """[17.27] Hexes of Hawaii that Japan has held and occupied."""

    hexes: tuple[int, ...]
    rule: str = "17.27"

    def apply(self, g: State) -> None:
        g.occupied_once = sorted({*self.hexes, *g.occupied_once})


class ProgressSet(Struct, frozen=True):
    """[16.47] The shipping points by which progress of the war is measured."""

    points: int
    rule: str = "16.47"

    def apply(self, g: State) -> None:
        g.asp_for_progress = self.points
