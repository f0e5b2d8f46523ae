"""Steps lost and restored, supply, replacements."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.next_war.state import Piece, State


@dataclass(frozen=True, slots=True)
class StepLost:
    """[9.7.1] A unit flips to its reduced side."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].reduced = True
        _count(g, self.unit)
        g.changed(g.seat(self.unit))


@dataclass(frozen=True, slots=True)
class Eliminated:
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


@dataclass(frozen=True, slots=True)
class Restored:
    """[11.1] A unit recovers a step."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].reduced = False
        g.restored.append(self.unit)
        g.changed(g.seat(self.unit))


@dataclass(frozen=True, slots=True)
class SupplyJudged:
    """[13.1] Who is out of supply."""

    out: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.unsupplied = list(self.out)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class ReplacementsBegan:
    """[11.2] Nobody has been reconstituted in this phase yet."""

    rule: str = "11.2"

    def apply(self, g: State) -> None:
        g.restored = []


@dataclass(frozen=True, slots=True)
class ReplacementsSet:
    """[11.0] Replacement points of a nation."""

    nation: str
    points: int
    rule: str = "11.0"

    def apply(self, g: State) -> None:
        g.replacements[self.nation] = self.points


@dataclass(frozen=True, slots=True)
class Reconstituted:
    """[11.2] A unit came back from the eliminated ones in this phase."""

    unit: str
    rule: str = "11.2"

    def apply(self, g: State) -> None:
        g.restored.append(self.unit)
