"""What can happen in a game of Pacific War. Every change of the state is one of these."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.games.pacific_war.records import Base, Marker, Unit
from pbem.games.pacific_war.state import State
from pbem.kernel.memo import PLACES, POSTURE, PRESENCE
from pbem.kernel.wording import Message


class Moved(Struct, frozen=True):
    """A unit, with everything aboard, comes to a hex."""

    unit: str
    at: int
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        moved = g.units[self.unit]
        moved.shore = moved.at if self.at in g.board.double_coasts else 0
        moved.at = self.at
        for u in g.units.values():
            if u.aboard == self.unit and u.box == "map":
                u.at = self.at


class MarkerMoved(Struct, frozen=True):
    """A task force marker with its ships comes to a hex."""

    marker: str
    at: int
    rule: str

    def apply(self, g: State) -> None:
        ships = set(g.members(self.marker))
        g.memo.forget(PLACES)
        moved = g.markers[self.marker]
        moved.shore = moved.at if self.at in g.board.double_coasts else 0
        moved.at = self.at
        for unit, u in g.units.items():
            if unit in ships:
                u.at, u.shore = self.at, moved.shore
            elif u.aboard in ships and u.box == "map":
                u.at = self.at


class MarkerPlaced(Struct, frozen=True):
    """A new task force marker."""

    marker: str
    side: str
    at: int
    rule: str
    detected: bool = False
    handle: str = ""

    def apply(self, g: State) -> None:
        if self.handle:
            g.memo.forget(PLACES)
        g.markers[self.marker] = Marker(self.side, self.at, self.detected, self.handle)


class MarkerRemoved(Struct, frozen=True):
    """A task force marker leaves the map."""

    marker: str
    rule: str

    def apply(self, g: State) -> None:
        if g.markers.pop(self.marker).handle:
            g.memo.forget(PLACES)


class Hit(Struct, frozen=True):
    """[PW-DMG-01] Hits on a unit, at most what it can take; `box` says where it goes when that was all."""

    unit: str
    hits: int
    rule: str
    box: str = ""

    def apply(self, g: State) -> None:
        g.memo.forget(PRESENCE if self.box else POSTURE)
        u = g.units[self.unit]
        u.hits += self.hits
        if self.box:
            u.box, u.at, u.tf, u.aboard, u.active = self.box, 0, "", "", False


class Mended(Struct, frozen=True):
    """Hits come off a unit, or steps come back."""

    unit: str
    hits: int
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].hits -= self.hits


class Removed(Struct, frozen=True):
    """A unit leaves the map into a box; an eliminated air or ground unit has no steps left."""

    unit: str
    box: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        u, c = g.units[self.unit], g.counter(self.unit)
        if self.box == "eliminated" and c.kind in ("air", "ground"):
            u.hits = c.steps
        u.box, u.at, u.tf, u.aboard, u.active = self.box, 0, "", "", False


class Raised(Struct, frozen=True):
    """[PW-DSP-01] A counter that was not in play stands beside another, in the same state."""

    unit: str
    beside: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        parent = g.units[self.beside]
        child = Unit(parent.at, active=parent.active, demoralized=parent.demoralized, closed=parent.closed)
        child.since = g.orders_given(self.unit)
        g.units[self.unit] = child


class Listed(Struct, frozen=True):
    """[PW-RPL-04] A counter that no scenario list names waits beside the map, without steps."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit] = Unit(box="reserve", hits=g.counter(self.unit).steps, since=g.orders_given(self.unit))


class Exchanged(Struct, frozen=True):
    """[PW-RPL-04] [PW-RPL-07] An air unit becomes another counter with the same steps; its own is out of play."""

    unit: str
    other: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        hits = g.counter(self.other).steps - g.steps(self.unit)
        u = g.units[self.unit]
        now = g.orders_given(self.unit)
        g.units[self.other] = Unit(u.at, u.box, hits, u.active, aboard=u.aboard, closed=u.closed, since=now)
        g.units[self.unit] = Unit(box="reserve", hits=g.counter(self.unit).steps, since=now)
        g.waves = {self._name(k): h for k, h in g.waves.items()}
        g.patrols = {self._name(k): x for k, x in g.patrols.items()}
        g.searched = [self._name(n) for n in g.searched]
        for key in [k for k in ("flown", "sorties", "scouts") if k in g.script]:
            g.script = {**g.script, key: [self._name(n) for n in g.script[key]]}

    def _name(self, name: str) -> str:
        return self.other if name == self.unit else name


class InstallationBecame(Struct, frozen=True):
    """[PW-DMG-07] Hits and interdiction of an airfield, port or base in a hex. `kind`: airfield, port, osb."""

    kind: str
    at: int
    hits: int
    interdicted: bool
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        base = g.bases(self.kind)[self.at]
        base.hits, base.interdicted = self.hits, self.interdicted


class InstallationTaken(Struct, frozen=True):
    """[PW-MOV-04] An installation changes hands, is built, or goes (`side` "")."""

    kind: str
    at: int
    side: str
    rule: str
    size: int = 0

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        bases = g.bases(self.kind)
        if not self.side:
            bases.pop(self.at, None)
        else:
            bases[self.at] = Base(self.side, self.size)


class Won(Struct, frozen=True):
    """The game is over."""

    side: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.win_reason, g.win_rule = self.side, str(self.reason), self.rule


class Remarked(Struct, frozen=True):
    """Something to be told that changes nothing: what fails, or ends."""

    text: Message
    rule: str

    def apply(self, g: State) -> None:
        return


class Reported(Struct, frozen=True):
    """[PW-SRC-02] What the owner of a task force that was found says of it, at the level of the search. Changes nothing."""

    marker: str
    level: int
    found: Mapping[str, int]
    rule: str

    def apply(self, g: State) -> None:
        return


class GroundFought(Struct, frozen=True):
    """[PW-LND-02] The result of a ground combat: `column` before the die, `net` after it, the `size` that chooses the row of
    the chart, steps lost by the attacker and killed by him, the side that must retreat or "". Changes nothing."""

    hex: int
    attacker: str
    column: int
    die: int
    net: int
    size: int
    lost: int
    killed: int
    retreats: str
    rule: str

    def apply(self, g: State) -> None:
        return


class Rolled(Struct, frozen=True):
    """[PW-GEN-01] A die, 0 to 9, with the label of its roll; `against`: the side it is thrown against, or "".

    Changes nothing.
    """

    label: Message
    die: int
    rule: str
    against: str = ""

    def apply(self, g: State) -> None:
        return


class Fired(Struct, frozen=True):
    """[PW-DMG-02] An attack on a line of the air and naval chart; `result` as the chart prints it. Changes nothing.

    A `strength` of -1 is zero-four: the chart is not read yet and a die of zero is followed by a second one.
    """

    label: Message
    line: str
    strength: int
    die: int
    result: str
    rule: str
    against: str

    def apply(self, g: State) -> None:
        return
