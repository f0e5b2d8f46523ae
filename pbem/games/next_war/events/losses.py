"""Steps lost and restored, supply, replacements."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.next_war.state import Piece, State


class StepLost(Struct, frozen=True):
    """[9.7.1] A unit flips to its reduced side."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].reduced = True
        _count(g, self.unit)
        g.changed(g.seat(self.unit))


class Eliminated(Struct, frozen=True):
    """A unit is destroyed, with all that is aboard; `box` is `eliminated`, or `removed` when it can never come back."""

    unit: str
    box: str
    rule: str

    def apply(self, g: State) -> None:
        _count(g, self.unit)
        lost = (self.unit, *g.cargo(self.unit))
        for unit in lost:
            g.pieces[unit] = Piece(0, self.box, False)
            g.poised.pop(unit, None)
        g.displaced(*lost)


def _count(g: State, unit: str) -> None:
    if g.fight is not None:
        g.fight.lost[unit] = g.fight.lost.get(unit, 0) + 1


class Restored(Struct, frozen=True):
    """[11.1] A unit recovers a step."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].reduced = False
        g.restored.append(self.unit)
        g.changed(g.seat(self.unit))


class SupplyJudged(Struct, frozen=True):
    """[13.1] Who is out of supply."""

    out: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.unsupplied = list(self.out)
        g.memo.forget()


class ReplacementsBegan(Struct, frozen=True):
    """[11.2] Nobody has been reconstituted in this phase yet."""

    rule: str = "11.2"

    def apply(self, g: State) -> None:
        g.restored = []


class ReplacementsSet(Struct, frozen=True):
    """[11.0] Replacement points of a nation."""

    nation: str
    points: int
    rule: str = "11.0"

    def apply(self, g: State) -> None:
        g.replacements[self.nation] = self.points


class Reconstituted(Struct, frozen=True):
    """[11.2] A unit came back from the eliminated ones in this phase."""

    unit: str
    rule: str = "11.2"

    def apply(self, g: State) -> None:
        g.restored.append(self.unit)
