"""The stage of Pacific War: SETUP and THEN lines of its cases (tests/cases/README.md lists them)."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import copy
from typing import Any, TypeVar

from msgspec.structs import replace

from pbem.games.pacific_war.command.activation import unit_cost
from pbem.games.pacific_war.events import GroundFought, Reported
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.month.merchants import co_prosperity, garrison_penalty
from pbem.games.pacific_war.orders import read_place, read_unit
from pbem.games.pacific_war.records import Base, Headquarters, Marker, Operation, Unit, Work
from pbem.games.pacific_war.secret.forces import roster
from pbem.games.pacific_war.secret.points import public_points
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.world.links import linked
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Claim, Commit, Open, PrivateRoll, Request, Simultaneous
from pbem.kernel.memo import POSTURE, PRESENCE, Memo
from tests.case_driver import (
    ALL_THE_SAME,
    Sealed,
    Stage,
    proposed,
    read_options,
    read_order,
    read_sealed,
    read_value,
    sealed_answer,
    sealed_as_it_is,
)
from tests.pacific_war import table

T = TypeVar("T")
BOATS = "boats "
PRIVATE = "private die of "
SEAL = "seal 0 "
SEALED_VERBS = {
    "allocate": ("allocate",),
    "length": ("days",),
    "task forces": ("organize",),
    "PT boats": ("boats",),
    "muster": ("activate",),
    "march": ("march", "embark", "debark", "orders"),
    "fly": ("fly",),
    "transport": ("ship",),
    "replacements": ("orders",),
    "repairs": ("orders",),
    "arrive": ("arrive",),
}
SIZES = {"small": 6, "large": 18}


class Watched(Memo):
    """What is kept is looked at anew whenever it is asked for, before each change and after each order: an event that forgot
    to forget is seen, also where the next one forgets for it."""

    __slots__ = ("_makes", "state")

    def __init__(self, layout: int = 0, state: State | None = None) -> None:
        super().__init__(layout)
        self._makes: list[dict[Any, Callable[[], Any]]] = [{} for _ in self._held]
        self.state = state  # whose it is; of a copy that is changed by hand: nobody's

    def forget(self, layer: int = PRESENCE) -> None:
        if self.state is not None and self.state.memo is self:
            self.check(len(self.state.express))
        super().forget(layer)
        self._makes[layer:] = [{} for _ in self._makes[layer:]]

    def cached(self, key: Any, make: Callable[[], T], layer: int = POSTURE) -> T:
        kept = super().cached(key, make, layer)
        if make is dict:  # an empty one, for whoever asks to fill
            return kept
        self._makes[layer].setdefault(key, make)
        assert kept == make(), f"{key} is kept, and is another by now"
        return kept

    def check(self, express: int) -> None:
        """Everything that is kept of the position as it is. `express`: emergency links, which keys of links end in."""
        for held, makes in zip(self._held, self._makes, strict=True):
            for key, make in list(makes.items()):
                of_links = isinstance(key, tuple) and key[0] in ("reach", "linked")
                assert (of_links and key[2] != express) or held[key] == make(), f"{key} is kept, and is another by now"

    def fresh(self) -> Memo:
        return Watched(self.layout + 1)


class GameStage(Stage):
    """A case of Pacific War being played. Dice show 0 to 9; every force is known; SEALED lines answer sealed questions."""

    sealed: Sealed
    stated: dict[tuple[str, str], list[tuple[Any, bool]]]  # by seat and kind: what is said, and whether it may be
    offers: dict[tuple[str, str], list[Any]]  # by seat and kind of a sealed order: what has to be among its proposals

    def face(self, shown: int, sides: int) -> int:
        return 10 if sides == 10 and shown == 0 else shown

    def chance(self, request: Request) -> Plain:
        """Statements are true, or as STATED lines say; sealed questions take the next SEALED line, or the default."""
        if isinstance(request, Simultaneous):
            return {a.seat: self._sealed(a) for a in request.asks}
        if isinstance(request, Open):
            return request.handle
        if isinstance(request, Commit):
            return f"{SEAL}{json.dumps(self._contents(request))}"
        if isinstance(request, PrivateRoll):
            return f"{PRIVATE}{request.seat}"
        assert isinstance(request, Claim), f"nothing answers {request}"
        return self._statement(request)

    def _statement(self, request: Claim) -> Plain:
        truth = request.truth(_behind)
        waiting = self.stated.get((request.seat, request.kind), [])
        while waiting:
            said, allowed = waiting.pop(0)
            assert request.allowed(truth, said) == allowed, f"{said} of {truth}: allowed is {not allowed}"
            if allowed:
                found: Plain = said
                return found
        return truth

    def _contents(self, request: Commit) -> Plain:
        """The next SEALED line of the seat, if it is about this, or the default. What OFFERS lines say is proposed."""
        for order in self.offers.pop((request.seat, request.kind), []):
            proposals = GAME.proposals(self.engine.state, request, {}, _behind)
            assert order in proposals, f"{order} is not proposed: {proposals}"
        waiting = self.sealed.get(request.seat, [])
        while waiting and isinstance(waiting[0][0], dict) and next(iter(waiting[0][0])) in SEALED_VERBS[request.kind]:
            order, rule = waiting.pop(0)
            if sealed_as_it_is(lambda plain: request.check(plain, _behind), order, rule):
                found: Plain = order
                return found
        return request.default

    def _sealed(self, ask: Ask) -> Plain:
        for order in self.offers.pop((ask.seat, ask.kind), []):
            proposals = proposed(ask)
            assert order in proposals, f"{order} is not proposed: {proposals}"
        return sealed_answer(self.sealed.get(ask.seat, []), ask)

    def run(self) -> None:
        """Every SEALED line that is to be refused, every STATED and every OFFERS one has been tried."""
        super().run()
        untried = [order for rows in self.sealed.values() for order, rule in rows if rule and not rule.startswith(ALL_THE_SAME)]
        untried += [said for rows in self.stated.values() for said, _ in rows]
        untried += [order for orders in self.offers.values() for order in orders]
        assert not untried, f"never asked for: {untried}"

    # -- SETUP ----------------------------------------------------------------------------------------------------------

    def set_up(self) -> Engine:
        lines = [(w, r) for w, _, r in (line.partition(" ") for line in self.case.setup)]
        first = {w: r for w, r in lines if w in ("SCENARIO", "START", "COUNTERS")}
        options = read_options(self.case.setup, GAME.options)
        scenario = table.scenario(first.get("SCENARIO", first.get("COUNTERS", "coral-sea")))
        printed = [read_order(r) for w, r in lines if w == "PRINT"]
        if printed:
            scenario = {**scenario, "more": {"counters": [*scenario.get("more", {}).get("counters", ()), *printed]}}
        g = GAME.start(scenario, options)
        self.sealed, self.stated, self.offers = {}, {}, {}
        if "SCENARIO" not in first:
            clear(g)
        for word, rest in lines:
            if word not in (*first, "OPTION", "PRINT"):
                getattr(self, f"_set_{word.lower()}")(g, rest)
        g.memo = Watched(state=g)
        if "START" in first:
            g.stack = [_cursor(part.strip()) for part in reversed(first["START"].split(","))]
        return Engine(GAME, scenario, g)

    def _order(self, line: str, number: int) -> None:
        super()._order(line, number)
        self._look_again()

    def _dice(self, line: str) -> None:
        super()._dice(line)
        self._look_again()

    def _look_again(self) -> None:
        g = self.engine.state
        if isinstance(g.memo, Watched):
            g.memo.check(len(g.express))

    def _set_sealed(self, g: State, rest: str) -> None:
        """SEALED seat: order [!! rule | ?? rule]."""
        read_sealed(self.sealed, rest)

    def _set_stated(self, g: State, rest: str) -> None:
        """STATED seat kind: what the seat says instead of the truth [!! false: what it may not say]."""
        head, _, text = rest.partition(": ")
        said, _, false = text.partition("!!")
        seat, _, kind = head.partition(" ")
        self.stated.setdefault((seat, kind), []).append((read_order(said.strip()), not false))

    def _set_offers(self, g: State, rest: str) -> None:
        """OFFERS seat kind: order: the next sealed order of this kind is proposed like this, among others."""
        head, _, text = rest.partition(": ")
        seat, _, kind = head.partition(" ")
        self.offers.setdefault((seat, kind), []).append(read_order(text))

    def _set_chart(self, g: State, rest: str) -> None:
        """CHART line: its hits, column by column: a line of the air and naval chart as players may have it of their own."""
        line, _, text = rest.partition(": ")
        air_naval = {**g.board.charts.air_naval, line: read_order(text)}
        g.board = copy(g.board)
        g.board.charts = replace(g.board.charts, air_naval=air_naval)

    def _set_units(self, g: State, rest: str) -> None:
        """UNITS place: unit, unit less 2, unit inactive, unit demoralized."""
        place, _, units = rest.partition(":")
        for text in units.split(","):
            _unit(g, text, read_place(g, place.strip()))

    def _set_fleet(self, g: State, rest: str) -> None:
        """FLEET J1 1134 [detected|sealed] [held]: core, core / screen, screen."""
        head, _, body = rest.partition(":")
        marker, place, *seen = head.split()
        at = read_place(g, place)
        core, _, screen = body.partition("/")
        for part, inside in ((core, False), (screen, True)):
            for text in [t for t in part.split(",") if t.strip()]:
                unit = _unit(g, text, at)
                g.units[unit].tf, g.units[unit].screen = marker, inside
                g.markers[marker] = Marker(g.side(unit), at, "detected" in seen, held="held" in seen)
                if "sealed" in seen:
                    g.markers[marker].handle, g.units[unit].box = f"force {marker}", "sealed"

    def _set_decoy(self, g: State, rest: str) -> None:
        """DECOY A3 0135: a task force without ships."""
        marker, place = rest.split()
        side = JAPAN if marker.startswith("J") else ALLIES
        g.markers[marker] = Marker(side, read_place(g, place), handle=f"force {marker}")

    def _set_force(self, g: State, rest: str, active: bool = False) -> None:
        """FORCE side place: units at rest behind a Force marker."""
        head, _, units = rest.partition(":")
        side, place = head.split()
        at = read_place(g, place)
        for text in units.split(","):
            unit = _unit(g, text, at)
            g.units[unit].box, g.units[unit].active = "sealed", active
        g.forces[side] = sorted({*g.forces.get(side, []), at})

    def _set_stirs(self, g: State, rest: str) -> None:
        """STIRS side place: units behind a Force marker that have been activated in secret."""
        self._set_force(g, rest, active=True)
        g.stirring[rest.split()[0]] = True

    def _set_aboard(self, g: State, rest: str) -> None:
        """ABOARD ship: unit less 2, unit."""
        ship, _, units = rest.partition(":")
        carrier = read_unit(g, ship.strip())
        for text in units.split(","):
            unit = _unit(g, text, g.units[carrier].at)
            g.units[unit].aboard, g.units[unit].box = carrier, g.units[carrier].box

    def _set_airfield(self, g: State, rest: str) -> None:
        """AIRFIELD place: side small|large [hits n] [interdicted]."""
        place, _, body = rest.partition(":")
        side, size, *more = body.split()
        hits = int(more[more.index("hits") + 1]) if "hits" in more else 0
        g.airfields[read_place(g, place.strip())] = Base(side, SIZES[size], hits, "interdicted" in more)

    def _set_port(self, g: State, rest: str) -> None:
        """PORT place: side [hits n] [interdicted]."""
        place, _, body = rest.partition(":")
        g.ports[read_place(g, place.strip())] = _base(body)

    def _set_osb(self, g: State, rest: str) -> None:
        """OSB place: side [hits n]."""
        place, _, body = rest.partition(":")
        g.osbs[read_place(g, place.strip())] = _base(body)

    def _set_box(self, g: State, rest: str) -> None:
        """BOX eliminated: units, without steps; BOX due: units, whole."""
        box, _, units = rest.partition(":")
        for text in units.split(","):
            unit = _unit(g, text, 0)
            g.units[unit].box, g.units[unit].active = box, False
            g.units[unit].hits = g.counter(unit).steps if box == "eliminated" else 0

    def _set_work(self, g: State, rest: str) -> None:
        """WORK place: side kind engineer, months left [hits n]."""
        place, _, body = rest.partition(":")
        what, _, more = body.partition(",")
        side, kind, engineer = what.split(maxsplit=2)
        left, *hits = more.split()
        work = Work(kind, side, read_unit(g, engineer), int(left), int(hits[1]) if hits else 0)
        g.works[read_place(g, place.strip())] = work

    def _set_hq(self, g: State, rest: str) -> None:
        """HQ name: side place points [box, month of its return]."""
        name, _, body = rest.partition(":")
        side, place, points, *box = body.split()
        g.hqs[name] = Headquarters(side, read_place(g, place), 20, 2, int(points))
        if box:
            g.hqs[name].box, g.hqs[name].due = box[0], int(box[1])

    def _set_boats(self, g: State, rest: str) -> None:
        """BOATS hexes: where the PT boats were sealed."""
        g.boats = f"{BOATS}{rest}"

    def _set_operation(self, g: State, rest: str) -> None:
        """OPERATION hq: field number ..."""
        hq, _, fields = rest.partition(":")
        words = fields.split()
        numbers: dict[str, Any] = dict(zip(words[::2], map(int, words[1::2]), strict=True))
        g.operation = Operation(hq, bid=0, start=numbers.pop("start"), days=numbers.pop("days"), **numbers)

    def _set_mark(self, g: State, rest: str) -> None:
        """MARK name value: a field of the state; lists and mappings as YAML."""
        name, _, text = rest.partition(" ")
        held = getattr(g, name)
        value: Any = read_order(text) if isinstance(held, dict | list) else read_value(text)
        if isinstance(held, bool):
            value = text in ("true", "yes", "on")
        elif isinstance(held, int):
            value = int(text)
        if name in ("sieges", "control", "fallen") or (isinstance(held, dict) and held and isinstance(next(iter(held)), int)):
            value = {int(k): v for k, v in value.items()}
        setattr(g, name, value)

    def _set_strategic(self, g: State, rest: str) -> None:
        """STRATEGIC: the level of the whole war."""
        g.level = "strategic"

    def _set_sunk(self, g: State, rest: str) -> None:
        """SUNK ship, ship: lost in the operation that is going on."""
        for text in rest.split(","):
            ship = _unit(g, text.strip(), 0)
            g.units[ship] = Unit(0, box="sunk", hits=g.counter(ship).capacity)

    def _set_held(self, g: State, rest: str) -> None:
        """HELD feature except 3106: side: who controls the hexes of a region or with a feature."""
        head, _, side = rest.partition(":")
        feature, *spared = head.replace(" except", "").split()
        g.control |= {h: side.strip() for h in g.board.region(feature) if f"{h:04d}" not in spared}

    def _set_nation(self, g: State, rest: str) -> None:
        """NATION unit: nation: a counter of another nation, on this board only."""
        unit, _, nation = rest.partition(":")
        name = read_unit(g, unit.strip())
        g.board = copy(g.board)
        g.board.counters = {**g.board.counters, name: replace(g.board.counters[name], nation=nation.strip())}

    # -- THEN -----------------------------------------------------------------------------------------------------------

    def _then_hits(self, g: State, rest: str, line: str) -> None:
        """HITS unit: n."""
        for text in rest.split(","):
            unit, _, n = text.partition(":")
            found = g.units[read_unit(g, unit.strip())].hits
            assert found == int(n), f"{line}: {unit} has {found}"

    def _then_gone(self, g: State, rest: str, line: str) -> None:
        """GONE sunk|eliminated|surrendered: units."""
        box, _, units = rest.partition(":")
        for text in units.split(","):
            found = g.units[read_unit(g, text.strip())].box
            assert found == box, f"{line}: {text} is {found}"

    def _then_at(self, g: State, rest: str, line: str) -> None:
        """AT place: units (among others)."""
        place, _, units = rest.partition(":")
        for text in units.split(","):
            u = g.units[read_unit(g, text.strip())]
            assert (u.box, u.at) == ("map", read_place(g, place.strip())), f"{line}: {u}"

    def _then_is(self, g: State, rest: str, line: str) -> None:
        """IS unit: active|inactive|closed|open|demoralized|steady|aboard <ship>|ashore."""
        unit, _, word = rest.partition(":")
        u = g.units[read_unit(g, unit.strip())]
        word, _, what = word.strip().partition(" ")
        found = {
            "active": u.active,
            "inactive": not u.active,
            "closed": u.closed,
            "open": not u.closed,
            "demoralized": u.demoralized,
            "steady": not u.demoralized,
            "ashore": not u.aboard,
            "aboard": bool(what) and u.aboard == read_unit(g, what or unit.strip()),
        }
        assert found[word], f"{line}: {u}"

    def _then_fleet(self, g: State, rest: str, line: str) -> None:
        """FLEET J1: place [detected|undetected], or none."""
        marker, _, body = rest.partition(":")
        place, *seen = body.split()
        if place == "none":
            assert marker not in g.markers, line
            return
        m = g.markers[marker]
        assert m.at == read_place(g, place), f"{line}: {m}"
        assert not seen or m.detected == (seen[0] == "detected"), f"{line}: {m}"

    def _then_reported(self, g: State, rest: str, line: str) -> None:
        """REPORTED J1: what n, what n: what the owner last said of a task force that was found."""
        marker, _, body = rest.partition(":")
        said = next((e.found for e in reversed(g.events) if isinstance(e, Reported) and e.marker == marker), {})
        wanted = {what: int(n) for what, n in (part.split() for part in body.split(","))}
        assert dict(said) == wanted, f"{line}: {said}"

    def _then_screen(self, g: State, rest: str, line: str) -> None:
        """SCREEN J4: ships."""
        marker, _, ships = rest.partition(":")
        found = {s for s in g.members(marker) if g.units[s].screen}
        assert found == {read_unit(g, s.strip()) for s in ships.split(",")}, f"{line}: {found}"

    def _then_airfield(self, g: State, rest: str, line: str) -> None:
        """AIRFIELD place: side [hits n] [interdicted|working], or none."""
        self._base(g.airfields, g, rest, line)

    def _then_port(self, g: State, rest: str, line: str) -> None:
        self._base(g.ports, g, rest, line)

    def _then_osb(self, g: State, rest: str, line: str) -> None:
        """OSB place: side [hits n], or none."""
        self._base(g.osbs, g, rest, line)

    def _base(self, bases: dict[int, Base], g: State, rest: str, line: str) -> None:
        place, _, body = rest.partition(":")
        if body.strip() == "none":
            assert read_place(g, place.strip()) not in bases, line
            return
        base = bases[read_place(g, place.strip())]
        words = body.split()
        assert base.side == words[0], f"{line}: {base}"
        if "hits" in words:
            assert base.hits == int(words[words.index("hits") + 1]), f"{line}: {base}"
        assert "interdicted" not in words or base.interdicted, f"{line}: {base}"
        assert "working" not in words or not base.interdicted, f"{line}: {base}"

    def _then_work(self, g: State, rest: str, line: str) -> None:
        """WORK place: hits n, or none."""
        place, _, body = rest.partition(":")
        work = g.works.get(read_place(g, place.strip()))
        assert (f"hits {work.hits}" if work else "none") == body.strip(), f"{line}: {work}"

    def _then_siege(self, g: State, rest: str, line: str) -> None:
        """SIEGE place: side, or none."""
        place, _, side = rest.partition(":")
        assert g.sieges.get(read_place(g, place.strip()), "none") == side.strip(), f"{line}: {g.sieges}"

    def _then_hqbox(self, g: State, rest: str, line: str) -> None:
        """HQBOX name: map, voluntary, involuntary or gone."""
        name, _, box = rest.partition(":")
        assert g.hqs[name.strip()].box == box.strip(), f"{line}: {g.hqs[name.strip()]}"

    def _then_hqdue(self, g: State, rest: str, line: str) -> None:
        """HQDUE name: the month in which it comes back."""
        name, _, due = rest.partition(":")
        assert g.hqs[name.strip()].due == int(due), f"{line}: {g.hqs[name.strip()]}"

    def _then_hqat(self, g: State, rest: str, line: str) -> None:
        """HQAT name: place."""
        name, _, place = rest.partition(":")
        assert g.hqs[name.strip()].at == read_place(g, place.strip()), f"{line}: {g.hqs[name.strip()]}"

    def _then_linked(self, g: State, rest: str, line: str, wanted: bool = True) -> None:
        """LINKED side: hexes."""
        side, _, places = rest.partition(":")
        found = [h for h in places.split(",") if linked(g, side.strip(), int(h)) != wanted]
        assert not found, f"{line}: {found}"

    def _then_unlinked(self, g: State, rest: str, line: str) -> None:
        """UNLINKED side: hexes."""
        self._then_linked(g, rest, line, False)

    def _then_bases(self, g: State, rest: str, line: str) -> None:
        """BASES kind hex, hex: every airfield, port or support base."""
        kind, _, places = rest.partition(" ")
        assert sorted(getattr(g, kind)) == sorted(int(h) for h in places.split(",") if h), f"{line}: {getattr(g, kind)}"

    def _then_resources(self, g: State, rest: str, line: str) -> None:
        """RESOURCES n: the co-prosperity total."""
        assert co_prosperity(g) == int(rest), f"{line}: {co_prosperity(g)}"

    def _then_ledger(self, g: State, rest: str, line: str) -> None:
        """LEDGER key: a count of the strategic game."""
        key, _, n = rest.partition(":")
        assert g.ledger.get(key.strip(), 0) == int(n), f"{line}: {g.ledger}"

    def _then_cost(self, g: State, rest: str, line: str) -> None:
        """COST unit: activation points."""
        unit, _, n = rest.partition(":")
        assert unit_cost(g, read_unit(g, unit.strip())) == int(n), f"{line}: {unit_cost(g, read_unit(g, unit.strip()))}"

    def _then_penalty(self, g: State, rest: str, line: str) -> None:
        """PENALTY n: what the garrison of Manchuria costs."""
        assert garrison_penalty(g) == int(rest), f"{line}: {garrison_penalty(g)}"

    def _then_mark(self, g: State, rest: str, line: str) -> None:
        name, _, text = rest.partition(" ")
        held = getattr(g, name)
        assert str(held).lower() == text.lower(), f"{line}: {held}"

    def _then_operation(self, g: State, rest: str, line: str) -> None:
        """OPERATION name value: a field of the operation."""
        name, _, text = rest.partition(" ")
        assert g.operation is not None, line
        assert str(getattr(g.operation, name)).lower() == text.lower(), f"{line}: {getattr(g.operation, name)}"

    def _then_points(self, g: State, rest: str, line: str) -> None:
        """POINTS side: the command points that it has left, as everybody sees them."""
        side, _, points = rest.partition(":")
        assert public_points(g, side) == int(points), f"{line}: {public_points(g, side)}"

    def _then_hq(self, g: State, rest: str, line: str) -> None:
        """HQ name: command points."""
        name, _, points = rest.partition(":")
        assert g.hqs[name].points == int(points), f"{line}: {g.hqs[name]}"

    def _then_forces(self, g: State, rest: str, line: str) -> None:
        """FORCES side: hexes with a Force marker (none)."""
        side, _, places = rest.partition(":")
        found = [f"{h:04d}" for h in g.forces.get(side.strip(), [])]
        assert found == sorted(p.strip() for p in places.split(",") if p.strip() != "none"), f"{line}: {found}"

    def _then_hidden(self, g: State, rest: str, line: str) -> None:
        """HIDDEN unit, unit: behind a Force marker or in a sealed task force."""
        shown = [t for t in rest.split(",") if g.units[read_unit(g, t.strip())].box != "sealed"]
        assert not shown, f"{line}: {shown}"

    def _then_truth(self, g: State, rest: str, line: str) -> None:
        """TRUTH unit: hex [active|resting] [hits n] [tf A1] [ashore|aboard ship], as its owner knows it; or gone."""
        name, _, body = rest.partition(":")
        unit = read_unit(g, name.strip())
        found = roster(g, g.side(unit), _behind).get(unit)
        if body.strip() == "gone":
            assert found is None, f"{line}: {found}"
            return
        place, *words = body.split()
        assert found is not None and found.at == read_place(g, place), f"{line}: {found}"
        assert "hits" not in words or found.hits == int(words[words.index("hits") + 1]), f"{line}: {found}"
        assert "tf" not in words or found.tf == words[words.index("tf") + 1], f"{line}: {found}"
        assert not {"active", "resting"} & {*words} or found.active == ("active" in words), f"{line}: {found}"
        assert "ashore" not in words or not found.aboard, f"{line}: {found}"
        ship = body.partition(" aboard ")[2]
        assert not ship or found.aboard == read_unit(g, ship), f"{line}: {found}"

    def _then_fought(self, g: State, rest: str, line: str) -> None:
        """FOUGHT name value: of the last ground combat."""
        name, _, text = rest.partition(" ")
        found = next(e for e in reversed(g.events) if isinstance(e, GroundFought))
        assert str(getattr(found, name)) == text, f"{line}: {found}"

    def _then_onward(self, g: State, rest: str, line: str) -> None:
        """ONWARD [order, order] = order: how who sailed with these orders, newest first, keeps his course; or none."""
        orders, _, wanted = rest.partition(" = ")
        ask = self.engine.request
        assert isinstance(ask, Ask), f"{line}: {self.engine.fingerprint}"
        found = GAME.onward(g, ask, read_order(orders))
        assert found == (None if wanted == "none" else read_order(wanted)), f"{line}: {found}"

    def _then_mission(self, g: State, rest: str, line: str) -> None:
        """MISSION name value: a field of the mission; `MISSION none`."""
        if rest == "none":
            assert g.mission is None, line
            return
        name, _, text = rest.partition(" ")
        assert g.mission is not None, line
        assert str(getattr(g.mission, name)).lower() == text.lower(), f"{line}: {getattr(g.mission, name)}"


def _behind(handle: str) -> Plain:
    """What a handle of a case hides: itself, or the hexes of a BOATS line; a die that one side alone sees shows a five."""
    if handle.startswith(PRIVATE):
        return [5]
    if handle.startswith(SEAL):
        return table.behind(handle)
    if not handle.startswith(BOATS):
        return handle
    return {"boats": [int(h) for h in handle.removeprefix(BOATS).split(",")]}


def clear(g: State) -> None:
    """The map of the Coral Sea with its counters, nothing on it, day, between two phases."""
    g.units, g.markers, g.airfields, g.ports, g.osbs, g.control = {}, {}, {}, {}, {}, {}
    g.seaplanes, g.stack, g.script, g.victory, g.hqs, g.ledger = {}, [], {}, {}, {}, {}
    g.level = "battle"
    g.cycle, g.light, g.operator, g.advantage, g.phase = 1, "am", "japan", "japan", "movement"


def _unit(g: State, text: str, at: int) -> str:
    words = text.split()
    states = [w for w in words if w in ("inactive", "demoralized", "landed")]
    hits = int(words[words.index("less") + 1]) if "less" in words else 0
    name = text.split(" less ")[0]
    for word in states:
        name = name.replace(f" {word}", "")
    unit = read_unit(g, name.strip())
    record = Unit(at, hits=hits, active="inactive" not in states, demoralized="demoralized" in states)
    record.landed = "landed" in states
    g.units[unit] = record
    return unit


def _base(body: str) -> Base:
    side, *more = body.split()
    return Base(side, hits=int(more[more.index("hits") + 1]) if "hits" in more else 0, interdicted="interdicted" in more)


def _cursor(text: str) -> Cursor:
    name, *arguments = text.split()
    values: list[Plain] = [{"true": True, "false": False}.get(a, read_value(a)) for a in arguments]
    return Cursor(name, values)
