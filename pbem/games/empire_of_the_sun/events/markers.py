"""[5.33] Markers that events of cards and engineers put on the map or in force."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.empire_of_the_sun.state import Marker, State


class InForce(Struct, frozen=True):
    """A marker that comes into force."""

    marker: Marker
    rule: str

    def apply(self, g: State) -> None:
        if self.marker not in g.in_force:
            g.in_force = sorted([*g.in_force, self.marker])
        g.changed()


class GroundPenalty(Struct, frozen=True):
    """[5.33] Gandhi's strike: the turn in which it costs the Commonwealth ground replacements."""

    turn: int
    rule: str = "5.33"

    def apply(self, g: State) -> None:
        g.ground_penalty = self.turn


class BargesSet(Struct, frozen=True):
    """[8.47] Japanese barges: `on`, or `never` any more."""

    state: str
    rule: str = "8.47"

    def apply(self, g: State) -> None:
        g.barges = self.state


class RouteBuilt(Struct, frozen=True):
    """[13.77] A transport route."""

    route: str
    rule: str = "13.77"

    def apply(self, g: State) -> None:
        g.routes = [*g.routes, self.route]
        g.changed()


class ExpressPlaced(Struct, frozen=True):
    """[6.23] The Tokyo Express."""

    place: int
    rule: str = "6.23"

    def apply(self, g: State) -> None:
        g.express = self.place
        g.changed()
