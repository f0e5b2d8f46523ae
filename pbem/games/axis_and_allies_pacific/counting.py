"""Forms that count: purchases with prices and money, new units, casualties, scrambles. The rules hand over what there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.axis_and_allies_pacific.notation import groups_of, line_of, named, units_text
from pbem.games.axis_and_allies_pacific.orders import as_list, read_groups, read_route, read_territory, read_type, read_units_in
from pbem.games.axis_and_allies_pacific.state import CAPITAL_SHIPS, State, Unit
from pbem.games.axis_and_allies_pacific.terms import OWNERS, place, some
from pbem.kernel.canon import Plain
from pbem.kernel.forms import VERB, Chosen, Partial, Pick, Read, Step, WhyNot, fields, verdict
from pbem.kernel.questions import DONE, NONE
from pbem.kernel.wording import Message, msg, verbatim


def _verbs(verbs: Sequence[str]) -> Step:
    return Step(tuple(Pick(VERB, v, verbatim(v), leads=("ends-phase",) if v == DONE else ()) for v in verbs))


def _finished(read: Read, order: Plain, step: Step | None = None) -> Step:
    """A step with this order in it, or with what is wrong with it."""
    before = step or Step()
    problems = verdict(read, [order])
    return Step(before.picks, () if problems else (order,), before.budget, before.note, problems)


def _units(kinds: Mapping[str, int], at: str = "") -> tuple[Pick, ...]:
    return tuple(Pick("unit", kind, some(kind, n), at, n) for kind, n in kinds.items() if n > 0)


# -- purchases -----------------------------------------------------------------------------------------------------------


class Purchases:
    """[PUR-01] Units by price while there is money, repairs by place."""

    def __init__(self, g: State, power: str, prices: Mapping[str, int], damaged: Sequence[tuple[str, str, int]], read: Read):
        self._g, self._power, self._prices, self._damaged, self._read = g, power, prices, damaged, read

    def step(self, partial: Partial) -> Step:
        """What the money that is left buys."""
        match partial.verb:
            case "":
                least = min(self._prices.values(), default=0)
                can_buy = self._g.cash[self._power] >= least
                return _verbs([*(["buy"] if can_buy else []), *(["repair"] if self._damaged else []), DONE])
            case "buy":
                return self._buy(groups_of(partial.chosen))
            case "repair":
                return self._repair(partial.chosen)
        return _finished(self._read, partial.verb)

    def _buy(self, taken: Mapping[str, int]) -> Step:
        left = self._g.cash[self._power] - sum(n * self._prices.get(kind, 0) for kind, n in taken.items())
        budget = _money(self._power, left)
        picks = tuple(self._priced(kind, price, left, budget) for kind, price in self._prices.items())
        step = Step(picks, budget=budget)
        return _finished(self._read, {"buy": dict(taken)}, step) if taken else step

    def _priced(self, kind: str, price: int, left: int, budget: Message) -> Pick:
        cost, dear = msg("{ipc} IPC", ipc=price), price > left
        why = WhyNot(budget, "PUR-01") if dear else None
        return Pick("unit", kind, some(kind), most=1 if dear else left // price, cost=cost, why_not=why)

    def _repair(self, chosen: tuple[Chosen, ...]) -> Step:
        budget = _money(self._power, self._g.cash[self._power])
        if not chosen:
            spaces = dict.fromkeys(territory for territory, _, _ in self._damaged)
            return Step(tuple(Pick("at", t, place(self._g, t), t) for t in spaces), budget=budget)
        at = chosen[0].value
        if len(chosen) == 1:
            cash = self._g.cash[self._power]
            return Step(_units({f: min(damage, cash) for t, f, damage in self._damaged if t == at}, at), budget=budget)
        order: Plain = {"repair": {"territory": at, "facility": chosen[1].value, "points": chosen[1].count}}
        return _finished(self._read, order, Step(budget=budget))

    def partial(self, order: Plain) -> Partial:
        """The picks of a purchase or repair."""
        if not isinstance(order, dict):
            return Partial(str(order))
        (verb, body), *_ = order.items()
        if verb == "buy":
            return Partial(verb, tuple(Chosen("unit", kind, n) for kind, n in named(read_groups(body)).items()))
        if isinstance(body, str):
            count, _, rest = body.partition(" at ")
            where, _, facility = rest.rpartition(" ")
            body = {"territory": read_territory(self._g.board, where), "facility": read_type(facility), "points": int(count)}
        assert isinstance(body, dict)
        points = body["points"]
        assert isinstance(points, int)
        return Partial(verb, (Chosen("at", str(body["territory"])), Chosen("unit", str(body["facility"]), points)))

    def line(self, order: Plain) -> Plain:
        """`buy: 3 infantry, 1 tank`; `repair: 2 at Japan major-ic`."""
        if isinstance(order, dict) and isinstance(body := order.get("repair"), dict):
            where = self._g.board.name(str(body["territory"]))
            return {"repair": f"{body['points']} at {where} {body['facility']}"}
        return line_of(self._g.board, order, self._read)


def _money(power: str, ipc: int) -> Message:
    return msg("{power} has {ipc} IPC", power=OWNERS[power], ipc=ipc)


# -- new units -----------------------------------------------------------------------------------------------------------


class Placements:
    """[MOB] New units, then where they go."""

    def __init__(self, g: State, waiting: Mapping[str, int], spaces: Sequence[str], read: Read) -> None:
        self._g, self._waiting, self._spaces, self._read = g, waiting, spaces, read

    def step(self, partial: Partial) -> Step:
        """Units that wait, and the spaces that take all that are picked."""
        if not partial.verb:
            return _verbs(("place", DONE))
        if partial.verb != "place":
            return _finished(self._read, partial.verb)
        taken = groups_of(c for c in partial.chosen if c.slot == "unit")
        ends = [c.value for c in partial.chosen if c.slot == "to"]
        if ends:
            return _finished(self._read, _placed(taken, ends[0]))
        left = {kind: n - taken.get(kind, 0) for kind, n in self._waiting.items()}
        able = [s for s in self._spaces if taken and self._takes(taken, s)]
        spaces = tuple(Pick("to", s, place(self._g, s), s, leads=("base",)) for s in able)
        return Step(
            (*_units({k: self._most(taken, k, n) for k, n in left.items()}), *spaces), budget=verbatim(units_text(taken))
        )

    def _takes(self, units: Mapping[str, int], space: str) -> bool:
        return not verdict(self._read, [_placed(units, space)])

    def _most(self, taken: Mapping[str, int], kind: str, left: int) -> int:
        """How many more of a type some space takes together with what is picked."""
        more = ({**taken, kind: taken.get(kind, 0) + n} for n in range(left, 0, -1))
        return next((m[kind] - taken.get(kind, 0) for m in more if any(self._takes(m, s) for s in self._spaces)), 0)

    def partial(self, order: Plain) -> Partial:
        """The picks of a placement."""
        if not isinstance(order, dict):
            return Partial(str(order))
        (verb, body), *_ = order.items()
        groups, space = read_units_in(self._g.board, body, "in")
        return Partial(verb, (*(Chosen("unit", kind, n) for kind, n in named(groups).items()), Chosen("to", space)))

    def line(self, order: Plain) -> Plain:
        """`place: 2 infantry in Japan`."""
        return line_of(self._g.board, order, self._read)


def _placed(units: Mapping[str, int], space: str) -> Plain:
    return {"place": {"units": {**units}, "in": space}}


# -- casualties ----------------------------------------------------------------------------------------------------------


class Losses:
    """[GC-08] Units that are hit, counted until all hits are taken; of a capital ship the first hit or the whole ship.
    `transports`: how many of them are lost, last of all [GC-15].
    """

    def __init__(self, units: Sequence[Unit], number: int, transports: int, read: Read) -> None:
        self._units, self._number, self._read = [u for u in units if u.type != "aa-gun"], number, read
        self._transports = transports

    def step(self, partial: Partial) -> Step:
        """More losses while hits are left."""
        if not partial.verb:
            return _verbs(("casualties",))
        taken = groups_of(partial.chosen)
        hits = sum(n * self._worth(name, taken) for name, n in taken.items())
        budget = msg("hits: {n} of {most}", n=hits, most=self._number)
        picks = tuple(p for p in (self._pick(name, taken, self._number - hits) for name in self._names()) if p.most > 0)
        step = Step(picks, budget=budget)
        if hits < self._number or not taken:
            return step
        return _finished(self._read, {"casualties": [f"{n} {name}" for name, n in taken.items()]}, step)

    def _names(self) -> list[str]:
        """What an order calls the units: a type, whose it is where several have it, a first hit."""
        found: dict[str, None] = {}
        for unit in self._units:
            whose = {u.owner for u in self._units if u.type == unit.type}
            owner = f" of {unit.owner}" if len(whose) > 1 else ""
            if unit.type in CAPITAL_SHIPS and not unit.damaged:
                found[f"hit {unit.type}{owner}"] = None
            found[f"{unit.type}{owner}"] = None
        return list(found)

    def _meant(self, name: str) -> list[Unit]:
        what, _, owner = name.removeprefix("hit ").removeprefix("damaged ").partition(" of ")
        return [u for u in self._units if u.type == what and owner in ("", u.owner)]

    def _worth(self, name: str, taken: Mapping[str, int]) -> int:
        """Hits that one such loss takes: two for a whole capital ship that was not hit before."""
        whole = [u for u in self._meant(name) if u.type in CAPITAL_SHIPS and not u.damaged]
        spared = len(whole) > taken.get(f"hit {name}", 0)
        return 2 if spared and not name.startswith(("hit ", "damaged ")) and len(whole) == len(self._meant(name)) else 1

    def _pick(self, name: str, taken: Mapping[str, int], left: int) -> Pick:
        meant = self._meant(name)
        if name.startswith("hit "):
            there = sum(not u.damaged for u in meant) - taken.get(name, 0) - taken.get(name.removeprefix("hit "), 0)
        else:
            there = len(meant) - taken.get(name, 0)
        kind = meant[0].type
        if kind == "transport":
            there = min(there, self._transports - sum(n for other, n in taken.items() if self._meant(other)[0].type == kind))
        shown: Message = msg("first hit: {things}", things=some(kind)) if name.startswith("hit ") else some(kind, max(there, 1))
        return Pick("unit", name, shown, most=min(there, left // self._worth(name, taken)))

    def partial(self, order: Plain) -> Partial:
        """The picks of a choice, however it was written."""
        if not isinstance(order, dict):
            return fields(order)
        (verb, body), *_ = order.items()
        taken: dict[str, int] = {}
        for name, n in _named_losses(body):
            taken[name] = taken.get(name, 0) + n
        return Partial(verb, tuple(Chosen("unit", name, n) for name, n in taken.items()))

    def line(self, order: Plain) -> Plain:
        """`casualties: 2 infantry, 1 hit battleship`."""
        losses = ", ".join(f"{c.count} {c.value}" for c in self.partial(order).chosen)
        short: Plain = {"casualties": losses}
        return short if losses and not verdict(self._read, [short]) else order


def _named_losses(body: Plain) -> list[tuple[str, int]]:
    """`2 infantry of anzac` as name and number, part by part."""
    if isinstance(body, list):
        return [loss for part in body for loss in _named_losses(part)]
    if isinstance(body, dict):
        return [loss for name, n in body.items() for loss in _named_losses(f"{n} {name}")]
    found: list[tuple[str, int]] = []
    for part in str(body).lower().replace("+", ",").replace(" and ", ",").split(","):
        what, sign, owner = part.strip().partition(" of ")
        found += [(f"{name}{sign}{owner}", n) for name, n in named(read_groups(what)).items()]
    return found


# -- scrambles -----------------------------------------------------------------------------------------------------------


class Scrambles:
    """[SCR-01] Aircraft from islands into threatened zones, line by line, or none."""

    def __init__(
        self, g: State, places: Sequence[tuple[str, str]], planes: Mapping[str, Mapping[str, int]], read: Read
    ) -> None:
        self._g, self._places, self._planes, self._read = g, places, planes, read

    def step(self, partial: Partial) -> Step:
        """An island, its aircraft, a zone beside it; then the next one."""
        if not partial.verb:
            return _verbs(("scramble",))
        done, line = _lines(partial.chosen)
        if partial.chosen == (Chosen("word", NONE),):
            return _finished(self._read, {"scramble": NONE})
        used: dict[tuple[str, str], int] = {}
        for at, units, _ in [*done, line]:
            for kind, n in units.items():
                used[at, kind] = used.get((at, kind), 0) + n
        at, units, _ = line
        if at:
            zones = tuple(Pick("to", z, place(self._g, z), z) for t, z in self._places if t == at and units)
            return Step((*_units({k: n - used.get((at, k), 0) for k, n in self._planes[at].items()}, at), *zones))
        islands = [t for t in self._planes if any(n > used.get((t, k), 0) for k, n in self._planes[t].items())]
        none = (Pick("word", NONE, verbatim(NONE)),) if not done else ()
        step = Step((*none, *(Pick("at", t, place(self._g, t), t) for t in islands)))
        orders: list[Plain] = [{"units": {**units}, "from": at, "to": to} for at, units, to in done]
        return _finished(self._read, {"scramble": orders}, step) if done else step

    def partial(self, order: Plain) -> Partial:
        """The picks of a scramble."""
        body = order.get("scramble") if isinstance(order, dict) else None
        if body == NONE or body == []:
            return Partial("scramble", (Chosen("word", NONE),))
        chosen: list[Chosen] = []
        for line in as_list(body):
            route = read_route(self._g.board, line)
            units = [Chosen("unit", kind, n) for kind, n in named(route.groups).items()]
            chosen += [Chosen("at", route.origin), *units, Chosen("to", route.to)]
        return Partial("scramble", tuple(chosen))

    def line(self, order: Plain) -> Plain:
        """`scramble: [1 fighter from Okinawa to SZ 19]`."""
        body = order.get("scramble") if isinstance(order, dict) else None
        if not isinstance(body, list):
            return order
        lines: list[Plain] = []
        for part in body:
            route, name = read_route(self._g.board, part), self._g.board.name
            lines.append(f"{units_text(named(route.groups))} from {name(route.origin)} to {name(route.to)}")
        return {"scramble": lines}


Line = tuple[str, dict[str, int], str]


def _lines(chosen: Sequence[Chosen]) -> tuple[list[Line], Line]:
    """Finished lines, and the one that is being picked."""
    done: list[Line] = []
    at: str = ""
    units: dict[str, int] = {}
    for one in chosen:
        if one.slot == "at":
            at = one.value
        elif one.slot == "unit":
            units[one.value] = units.get(one.value, 0) + one.count
        elif one.slot == "to":
            done.append((at, units, one.value))
            at, units = "", {}
    return done, (at, units, "")
