"""What is hidden, sealed and shown: task forces, Forces, secret orders and dice, sealed points. More events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from pbem.games.pacific_war.records import Account, Allotment, Payment, Secret, Unit
from pbem.games.pacific_war.state import State


class Allotted(Struct, frozen=True):
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


class Paid(Struct, frozen=True):
    """[PW-CMD-01] Sealed points are spent: everybody knows how many less any headquarters of the side can have."""

    side: str
    payment: Payment
    rule: str

    def apply(self, g: State) -> None:
        g.accounts.setdefault(self.side, Account()).paid.append(self.payment)
        for hq in g.hqs.values():
            if hq.side == self.side and hq.box == "map":
                hq.points -= self.payment.points


class Veiled(Struct, frozen=True):
    """[PW-FOG-01] The task forces of a hex, with everything aboard, are out of sight."""

    handle: str
    side: str
    place: int
    markers: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        ships = [s for m in self.markers for s in g.members(m)]
        g.memo.forget()
        _seal(g, [n for n, u in g.units.items() if u.box == "map" and (n in ships or u.aboard in ships)])
        for marker in self.markers:
            g.markers[marker].handle = self.handle


def _seal(g: State, names: Sequence[str]) -> None:
    """Units go out of sight as they are now; secret orders from here on may change them."""
    for name in names:
        g.units[name].box, g.units[name].since = "sealed", g.orders_given(name)


def _show(g: State, side: str, rows: Mapping[str, Mapping[str, Any]], at: int) -> None:
    """Units are seen in a hex, each as everybody last saw it but for what its row says."""
    for name, row in rows.items():
        u = g.units.setdefault(name, Unit())
        if f"hits {name}" in g.ledger:  # [PW-SI-03] what was mended in secret is no less a loss when it is lost again
            before = g.ledger[f"hits {name}"] + row.get("hits", u.hits) - u.hits
            g.ledger = {**g.ledger, f"hits {name}": before}
        u.box, u.at, u.since = "map", at, g.orders_given(name)
        for key, value in row.items():
            setattr(u, key, value)


class Unveiled(Struct, frozen=True):
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


class Concealed(Struct, frozen=True):
    """[PW-FOG-01] Units of a side stand behind Force markers from now on."""

    side: str
    units: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        _seal(g, self.units)
        g.forces[self.side] = sorted({*g.forces.get(self.side, ()), *(g.units[u].at for u in self.units)})


class Shown(Struct, frozen=True):
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


class ForcesStand(Struct, frozen=True):
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


class OrderedInSecret(Struct, frozen=True):
    """[PW-FOG-01] An order that changes sealed units of a side. `stirring`: some of them are activated now."""

    side: str
    secret: Secret
    rule: str
    stirring: bool | None = None

    def apply(self, g: State) -> None:
        g.in_secret.setdefault(self.side, []).append(self.secret)
        if self.stirring is not None:
            g.stirring[self.side] = self.stirring


class SecretKept(Struct, frozen=True):
    """[PW-INT-01] [PW-OIN-01] A die that one side alone has seen, by what hides it."""

    name: str
    handle: str
    rule: str

    def apply(self, g: State) -> None:
        g.secrets = {**g.secrets, self.name: self.handle}


class BoatsStationed(Struct, frozen=True):
    """[PW-OPT-18] Where the PT boats are is sealed; hexes that could have them."""

    handle: str
    places: tuple[int, ...]
    rule: str = "PW-OPT-18"

    def apply(self, g: State) -> None:
        g.boats, g.boat_places = self.handle, list(self.places)


class CoverStated(Struct, frozen=True):
    """[PW-CMD-09] Where hidden aircraft of a side may cover its links, and for what position that was stated."""

    side: str
    cover: Mapping[int, str]
    position: str
    rule: str = "PW-CMD-09"

    def apply(self, g: State) -> None:
        if self.cover != g.covers.get(self.side, {}):
            g.memo.forget()
            g.covers = {**g.covers, self.side: dict(self.cover)}
        g.cover_of = {**g.cover_of, self.side: self.position}
