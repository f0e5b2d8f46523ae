"""Moves, entries and searches: what is spent, closed, stopped and seen in a phase. More events."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.games.pacific_war.state import State


class MovesBegan(Struct, frozen=True):
    """[PW-STR-01] [PW-MOV-08] Nobody has moved yet."""

    rule: str

    def apply(self, g: State) -> None:
        g.moved = {}


class ApproachBegan(Struct, frozen=True):
    """[PW-MOV-09] The approach of a contact phase is not stopped."""

    rule: str = "PW-MOV-09"

    def apply(self, g: State) -> None:
        g.stopped = False


class ApproachStopped(Struct, frozen=True):
    """[PW-MOV-10] The other side stops the approach."""

    rule: str = "PW-MOV-10"

    def apply(self, g: State) -> None:
        g.stopped = True


class MovesAgain(Struct, frozen=True):
    """[PW-MOV-09] These have not moved yet in this increment."""

    movers: tuple[str, ...]
    rule: str = "PW-MOV-09"

    def apply(self, g: State) -> None:
        g.moved = {u: n for u, n in g.moved.items() if u not in self.movers}


class MoveSpent(Struct, frozen=True):
    """[PW-MOV-02] [PW-MOV-14] How much of its move in this phase a unit or task force has spent."""

    mover: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.moved = {**g.moved, self.mover: self.points}


class DisengagedFrom(Struct, frozen=True):
    """[PW-DEA-02] Troops of a side have left a hex by a neighbour: others that leave it go the same way."""

    side: str
    place: int
    goal: int
    rule: str = "PW-DEA-02"

    def apply(self, g: State) -> None:
        g.moved = {**g.moved, f"{self.side} left {self.place:04d}": self.goal}


class IncrementMade(Struct, frozen=True):
    """[PW-MOV-09] How many increments of the contact phase a side has made."""

    reacting: bool
    steps: int
    rule: str = "PW-MOV-09"

    def apply(self, g: State) -> None:
        if self.reacting:
            g.reaction_steps = self.steps
        else:
            g.steps_made = self.steps


class EntryMarked(Struct, frozen=True):
    """[PW-MOV-03] Troops have entered a hex with enemies from a neighbour."""

    side: str
    start: int
    place: int
    rule: str = "PW-MOV-03"

    def apply(self, g: State) -> None:
        g.entries = [*g.entries, f"{self.side} {self.start:04d} {self.place:04d}"]


class AnchorageFell(Struct, frozen=True):
    """[PW-MOV-04] Troops have overrun an enemy anchorage: enemy ships in it are lost if they stay until the operation ends."""

    place: int
    side: str
    rule: str = "PW-MOV-04"

    def apply(self, g: State) -> None:
        g.fallen = {**g.fallen, self.place: self.side}


class EntriesCleared(Struct, frozen=True):
    """[PW-MOV-03] Entry arrows that are left where both sides still stand."""

    left: tuple[str, ...]
    rule: str = "PW-MOV-03"

    def apply(self, g: State) -> None:
        g.entries = list(self.left)


class WaysClosed(Struct, frozen=True):
    """[PW-LND-05] [PW-NAV-07] Hexes closed to a retreat or withdrawal, as the owners of hidden units state: "side hex"."""

    ways: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.barred = list(self.ways)


class TendersSailed(Struct, frozen=True):
    """[PW-BAS-03] Tenders that sail make no base in this battle cycle."""

    ships: tuple[str, ...]
    rule: str = "PW-BAS-03"

    def apply(self, g: State) -> None:
        g.seaplanes = {**g.seaplanes, **dict.fromkeys(self.ships, 0)}


class TendersGone(Struct, frozen=True):
    """[PW-BAS-03] Tenders that sail in a contact phase give up their base."""

    ships: tuple[str, ...]
    rule: str = "PW-BAS-03"

    def apply(self, g: State) -> None:
        g.seaplanes = {s: n for s, n in g.seaplanes.items() if s not in self.ships}


class TendersCounted(Struct, frozen=True):
    """[PW-BAS-03] For how many cycles each tender has stayed in its hex."""

    cycles: Mapping[str, int]
    rule: str = "PW-BAS-03"

    def apply(self, g: State) -> None:
        g.seaplanes = dict(self.cycles)


class SearchMade(Struct, frozen=True):
    """[PW-SRC-03] What has searched or was searched in this increment or phase."""

    names: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.searched = [*g.searched, *self.names]


class IncrementBegan(Struct, frozen=True):
    """[PW-SRC-04] A new increment of the contact phase: everybody may search again."""

    rule: str = "PW-SRC-04"

    def apply(self, g: State) -> None:
        g.searched = []
