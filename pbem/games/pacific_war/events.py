"""What can happen in a game of Pacific War. Every change of the state is one of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from pbem.games.pacific_war.state import Account, Allotment, Base, Marker, Mission, Payment, Sea, Secret, State, Unit
from pbem.kernel.events import emit
from pbem.kernel.wording import Message


@dataclass(frozen=True, slots=True)
class Noted:
    """A marker or record of the state takes a value."""

    name: str
    value: Any
    rule: str

    def apply(self, g: State) -> None:
        if self.name in ("control", "express", "ledger", "covers"):
            g.memo.forget()
        setattr(g, self.name, copy(self.value) if self.name == "operation" else self.value)


@dataclass(frozen=True, slots=True)
class UnitBecame:
    """A detail of a unit takes a value: its hex, task force, ship, ..."""

    unit: str
    name: str
    value: Any
    rule: str

    def apply(self, g: State) -> None:
        if self.name in ("box", "at"):
            g.memo.forget()
        setattr(g.units[self.unit], self.name, self.value)


@dataclass(frozen=True, slots=True)
class Moved:
    """A unit, with everything aboard, comes to a hex."""

    unit: str
    at: int
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        moved = g.units[self.unit]
        moved.shore = moved.at if self.at in g.board.double_coasts else 0
        moved.at = self.at
        for u in g.units.values():
            if u.aboard == self.unit and u.box == "map":
                u.at = self.at


@dataclass(frozen=True, slots=True)
class MarkerMoved:
    """A task force marker with its ships comes to a hex."""

    marker: str
    at: int
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        moved = g.markers[self.marker]
        moved.shore = moved.at if self.at in g.board.double_coasts else 0
        moved.at = self.at
        ships = set(g.members(self.marker))
        for unit, u in g.units.items():
            if unit in ships:
                u.at, u.shore = self.at, moved.shore
            elif u.aboard in ships and u.box == "map":
                u.at = self.at


@dataclass(frozen=True, slots=True)
class MarkerBecame:
    """A detail of a task force marker takes a value."""

    marker: str
    name: str
    value: Any
    rule: str

    def apply(self, g: State) -> None:
        setattr(g.markers[self.marker], self.name, self.value)


@dataclass(frozen=True, slots=True)
class MarkerPlaced:
    """A new task force marker."""

    marker: str
    side: str
    at: int
    rule: str
    detected: bool = False
    handle: str = ""

    def apply(self, g: State) -> None:
        g.markers[self.marker] = Marker(self.side, self.at, self.detected, self.handle)


@dataclass(frozen=True, slots=True)
class MarkerRemoved:
    """A task force marker leaves the map."""

    marker: str
    rule: str

    def apply(self, g: State) -> None:
        del g.markers[self.marker]


@dataclass(frozen=True, slots=True)
class Hit:
    """[PW-DMG-01] Hits on a unit, at most what it can take; `box` says where it goes when that was all."""

    unit: str
    hits: int
    rule: str
    box: str = ""

    def apply(self, g: State) -> None:
        g.memo.forget()
        u = g.units[self.unit]
        u.hits += self.hits
        if self.box:
            u.box, u.at, u.tf, u.aboard, u.active = self.box, 0, "", "", False


@dataclass(frozen=True, slots=True)
class Mended:
    """Hits come off a unit, or steps come back."""

    unit: str
    hits: int
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].hits -= self.hits


@dataclass(frozen=True, slots=True)
class Removed:
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


@dataclass(frozen=True, slots=True)
class Raised:
    """[PW-DSP-01] A counter that was not in play stands beside another, in the same state."""

    unit: str
    beside: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        parent = g.units[self.beside]
        child = Unit(parent.at, active=parent.active, demoralized=parent.demoralized, closed=parent.closed)
        child.since = _now(g, self.unit)
        g.units[self.unit] = child


@dataclass(frozen=True, slots=True)
class Listed:
    """[PW-RPL-04] A counter that no scenario list names waits beside the map, without steps."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit] = Unit(box="reserve", hits=g.counter(self.unit).steps, since=_now(g, self.unit))


@dataclass(frozen=True, slots=True)
class Exchanged:
    """[PW-RPL-04] [PW-RPL-07] An air unit becomes another counter with the same steps; its own is out of play."""

    unit: str
    other: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        hits = g.counter(self.other).steps - g.steps(self.unit)
        u = g.units[self.unit]
        now = _now(g, self.unit)
        g.units[self.other] = Unit(u.at, u.box, hits, u.active, aboard=u.aboard, closed=u.closed, since=now)
        g.units[self.unit] = Unit(box="reserve", hits=g.counter(self.unit).steps, since=now)
        g.waves = {self._name(k): h for k, h in g.waves.items()}
        g.patrols = {self._name(k): x for k, x in g.patrols.items()}
        g.searched = [self._name(n) for n in g.searched]
        if "flown" in g.script:
            g.script = {**g.script, "flown": [self._name(n) for n in g.script["flown"]]}

    def _name(self, name: str) -> str:
        return self.other if name == self.unit else name


@dataclass(frozen=True, slots=True)
class InstallationBecame:
    """[PW-DMG-07] Hits and interdiction of an airfield, port or base in a hex. `kind`: airfield, port, osb."""

    kind: str
    at: int
    hits: int
    interdicted: bool
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        base = g.bases(self.kind)[self.at]
        base.hits, base.interdicted = self.hits, self.interdicted


@dataclass(frozen=True, slots=True)
class InstallationTaken:
    """[PW-MOV-04] An installation changes hands, is built, or goes (`side` "")."""

    kind: str
    at: int
    side: str
    rule: str
    size: int = 0

    def apply(self, g: State) -> None:
        g.memo.forget()
        bases = g.bases(self.kind)
        if not self.side:
            bases.pop(self.at, None)
        else:
            bases[self.at] = Base(self.side, self.size)


@dataclass(frozen=True, slots=True)
class MissionBegan:
    """[PW-AIR-04] A mission takes off."""

    mission: Mission
    rule: str

    def apply(self, g: State) -> None:
        g.mission = copy(self.mission)  # what becomes of it later is not part of this event
        if self.mission.type not in ("transfer", "patrol"):
            g.targeted = [*g.targeted, self.mission.target]


@dataclass(frozen=True, slots=True)
class MissionBecame:
    """A detail of the present mission takes a value."""

    name: str
    value: Any
    rule: str

    def apply(self, g: State) -> None:
        setattr(g.mission, self.name, self.value)


@dataclass(frozen=True, slots=True)
class SeaBegan:
    """[PW-NAV-01] A naval combat begins in a hex, or is over (None)."""

    sea: Sea | None
    rule: str

    def apply(self, g: State) -> None:
        g.sea = copy(self.sea)


@dataclass(frozen=True, slots=True)
class SeaBecame:
    """A detail of the present naval combat takes a value."""

    name: str
    value: Any
    rule: str

    def apply(self, g: State) -> None:
        setattr(g.sea, self.name, self.value)


@dataclass(frozen=True, slots=True)
class Won:
    """The game is over."""

    side: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.win_reason, g.win_rule = self.side, str(self.reason), self.rule


@dataclass(frozen=True, slots=True)
class Remarked:
    """Something to be told that changes nothing: what fails, or ends."""

    text: Message
    rule: str

    def apply(self, g: State) -> None:
        return


@dataclass(frozen=True, slots=True)
class HqBecame:
    """A detail of a headquarters takes a value."""

    hq: str
    name: str
    value: Any
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        setattr(g.hqs[self.hq], self.name, self.value)


@dataclass(frozen=True, slots=True)
class Allotted:
    """[PW-CMD-04] A side's points of the month are sealed; `most`: what a headquarters can have at most."""

    side: str
    allotment: Allotment
    most: int
    rule: str

    def apply(self, g: State) -> None:
        account = g.accounts.setdefault(self.side, Account())
        account.allotments.append(self.allotment)
        account.paid = []
        for hq in g.hqs.values():
            if hq.side == self.side and hq.box == "map":
                hq.points = self.most


@dataclass(frozen=True, slots=True)
class Paid:
    """[PW-CMD-01] Sealed points are spent: everybody knows how many less any headquarters of the side can have."""

    side: str
    payment: Payment
    rule: str

    def apply(self, g: State) -> None:
        g.accounts.setdefault(self.side, Account()).paid.append(self.payment)
        for hq in g.hqs.values():
            if hq.side == self.side and hq.box == "map":
                hq.points -= self.payment.points


@dataclass(frozen=True, slots=True)
class OperationBecame:
    """A detail of the operation takes a value."""

    name: str
    value: Any
    rule: str

    def apply(self, g: State) -> None:
        setattr(g.operation, self.name, self.value)


@dataclass(frozen=True, slots=True)
class Veiled:
    """[PW-FOG-01] The task forces of a hex, with everything aboard, are out of sight."""

    handle: str
    side: str
    place: int
    markers: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        ships = [s for m in self.markers for s in g.members(m)]
        _seal(g, [n for n, u in g.units.items() if u.box == "map" and (n in ships or u.aboard in ships)])
        for marker in self.markers:
            g.markers[marker].handle = self.handle


def _now(g: State, unit: str) -> int:
    """How many secret orders the side of a unit has given: older ones do not concern what is seen now."""
    return len(g.in_secret.get(g.side(unit), ()))


def _seal(g: State, names: Sequence[str]) -> None:
    """Units go out of sight as they are now; secret orders from here on may change them."""
    for name in names:
        g.units[name].box, g.units[name].since = "sealed", _now(g, name)


def _show(g: State, side: str, rows: Mapping[str, Mapping[str, Any]], at: int) -> None:
    """Units are seen in a hex, each as everybody last saw it but for what its row says."""
    for name, row in rows.items():
        u = g.units.setdefault(name, Unit())
        if f"hits {name}" in g.ledger:  # [PW-SI-03] what was mended in secret is no less a loss when it is lost again
            before = g.ledger[f"hits {name}"] + row.get("hits", u.hits) - u.hits
            g.ledger = {**g.ledger, f"hits {name}": before}
        u.box, u.at, u.since = "map", at, _now(g, name)
        for key, value in row.items():
            setattr(u, key, value)


@dataclass(frozen=True, slots=True)
class Unveiled:
    """[PW-FOG-01] A task force is shown. `rows`: what has changed in secret in its ships and in what they carry; `away`: what
    everybody saw aboard and has left in secret."""

    marker: str
    core: tuple[str, ...]
    screen: tuple[str, ...]
    rule: str
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    away: tuple[str, ...] = ()

    def apply(self, g: State) -> None:
        g.memo.forget()
        m = g.markers[self.marker]
        m.handle = ""
        ships = (*self.core, *self.screen)
        aboard = [n for n, u in g.units.items() if u.aboard in ships and u.box == "sealed" and n not in self.away]
        _show(g, m.side, {**{n: {} for n in (*ships, *aboard)}, **self.rows}, m.at)
        for name in ships:
            g.units[name].tf, g.units[name].screen = self.marker, name in self.screen


@dataclass(frozen=True, slots=True)
class Concealed:
    """[PW-FOG-01] Units of a side stand behind Force markers from now on."""

    side: str
    units: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        _seal(g, self.units)
        g.forces[self.side] = sorted({*g.forces.get(self.side, ()), *(g.units[u].at for u in self.units)})


@dataclass(frozen=True, slots=True)
class Shown:
    """[PW-FOG-01] Units of a Force are shown, each with what has changed in it in secret; `rest`: others stay hidden."""

    side: str
    place: int
    rows: dict[str, dict[str, Any]]
    rest: bool
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        _show(g, self.side, {n: {"tf": "", "screen": False, **row} for n, row in self.rows.items()}, self.place)
        if not self.rest:
            g.forces[self.side] = [h for h in g.forces.get(self.side, ()) if h != self.place]
        _settle(g, self.side)


@dataclass(frozen=True, slots=True)
class ForcesStand:
    """[PW-FOG-01] Where the Force markers of a side stand now."""

    side: str
    places: tuple[int, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        g.forces[self.side] = [*self.places]
        _settle(g, self.side)


def _settle(g: State, side: str) -> None:
    """Without a Force marker nothing stirs."""
    if g.stirring.get(side) and not g.forces[side]:
        g.stirring[side] = False


@dataclass(frozen=True, slots=True)
class OrderedInSecret:
    """[PW-FOG-01] An order that changes sealed units of a side. `stirring`: some of them are activated now."""

    side: str
    secret: Secret
    rule: str
    stirring: bool | None = None

    def apply(self, g: State) -> None:
        g.in_secret.setdefault(self.side, []).append(self.secret)
        if self.stirring is not None:
            g.stirring[self.side] = self.stirring


@dataclass(frozen=True, slots=True)
class Reported:
    """[PW-SRC-02] What the owner of a task force that was found says of it, at the level of the search. Changes nothing."""

    marker: str
    level: int
    found: Mapping[str, int]
    rule: str

    def apply(self, g: State) -> None:
        return


@dataclass(frozen=True, slots=True)
class GroundFought:
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


@dataclass(frozen=True, slots=True)
class Rolled:
    """[PW-GEN-01] A die, 0 to 9, with the label of its roll; `against`: the side it is thrown against, or "".

    Changes nothing.
    """

    label: Message
    die: int
    rule: str
    against: str = ""

    def apply(self, g: State) -> None:
        return


@dataclass(frozen=True, slots=True)
class Fired:
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


def note(g: State, key: str, value: int, rule: str) -> None:
    """A count of the strategic game."""
    emit(g, Noted("ledger", {**g.ledger, key: value}, rule))
