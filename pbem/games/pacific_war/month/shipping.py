"""[PW-MER-01] [PW-RNF-01] The shipping war's forces: escorts, new submarines and their roles, merchant shipping bought."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.games.pacific_war.command.activation import read_hq
from pbem.games.pacific_war.events import Hit, Listed, Mended, Moved
from pbem.games.pacific_war.month.forms import Boats, Fleet, boats, escorts, purchases
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.orders import PASS, example, hexes_named, misread, read_place, read_unit
from pbem.games.pacific_war.postures import StepsCounted
from pbem.games.pacific_war.secret.points import afford, pay
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.strategic import HarassersSet
from pbem.games.pacific_war.units.changes import arrive, set_escorts, set_merchants
from pbem.games.pacific_war.world.initiative import recount
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import Form
from pbem.kernel.naming import read_number
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import DONE, NONE, accepted
from pbem.kernel.wording import msg

ESCORT, RELEASE = "escort", "release"
SIX = 6  # [PW-RNF-01] steps of a submarine or destroyer unit
MERCHANT_PRICE = 3
SINGLE = ("KRS", "STO")  # [PW-NRP-05] submarines that are never reinforced
Placement = tuple[str, int, int]  # unit, hex (0: it is on the map), steps


# -- escorts -----------------------------------------------------------------------------------------------------------


def escort(g: State) -> Flow[None]:
    """[PW-MER-01] Japan moves steps of linked destroyers to the escorts, or takes steps back; not both in a phase."""
    direction = ""

    def ask() -> Ask:
        way = direction
        return Ask(
            JAPAN,
            ESCORT,
            "PW-MER-01",
            msg("destroyer steps to the escorts (now {n}), or back, or pass", n=g.ledger.get("escorts", 0)),
            lambda plain: read_escort(g, way, plain),
            (ESCORT, RELEASE, PASS),
            options=lambda: [PASS, *_escort_ideas(g, way)],
            form=lambda: _escort_form(g, way),
        )

    while _steps_to_move(g):
        order = yield ask()
        if order is None:
            return
        direction, (unit, place, steps) = order
        if direction == ESCORT:
            emit(g, Hit(unit, steps, "PW-MER-01", "reserve" if steps == g.steps(unit) else ""))
            recount(g, unit, steps)
            set_escorts(g, g.ledger.get("escorts", 0) + steps, "PW-MER-01")
        else:
            put_steps(g, unit, place, steps, "PW-MER-01")
            set_escorts(g, g.ledger["escorts"] - steps, "PW-MER-01")


def _escort_form(g: State, way: str) -> Form:
    fleet = Fleet([u for u in g.on_map(JAPAN, "naval") if _escorts(g, u)], _spare(g, JAPAN, _escorts), harbours(g, JAPAN))
    return escorts(g, (ESCORT, RELEASE, PASS), fleet, lambda plain: read_escort(g, way, plain))


def _escorts(g: State, unit: str) -> bool:
    return g.counter(unit).type in ("DD", "DE")


def _steps_to_move(g: State) -> bool:
    """There are escort steps, or destroyer units that are not activated."""
    fleet = [u for u in g.on_map(JAPAN, "naval") if _escorts(g, u)]
    return bool(g.ledger.get("escorts")) or any(not g.units[u].active for u in fleet)


def read_escort(g: State, direction: str, plain: Plain) -> tuple[str, Placement] | None:
    """`escort: {unit: steps}`, `release: {unit: steps}` or `release: {unit: {at: hex, steps: n}}`. Raises Rejected."""
    verb, body = split_order(plain, (ESCORT, RELEASE, PASS))
    if verb == PASS:
        return None
    if direction and verb != direction:
        raise illegal(msg("steps go only one way in a phase"), "PW-MER-01", example(f"{direction}: {{DD12 Wakatake: 3}}"))
    if isinstance(body, str):
        unit = read_unit(g, body, JAPAN)
        body = {unit: g.steps(unit) if unit in g.units else SIX}
    if not isinstance(body, dict) or len(body) != 1:
        raise misread(verb, body, f"{verb}: {{DD12 Wakatake: 3}}")
    who, what = next(iter(body.items()))
    unit = read_unit(g, who, JAPAN)
    if g.side(unit) != JAPAN or not _escorts(g, unit):
        raise illegal(msg("{unit} is no Japanese destroyer or escort unit", unit=unit), "PW-MER-01")
    if verb == RELEASE:
        found = read_placement(g, JAPAN, unit, what, "PW-MER-01")
        if found[2] > g.ledger.get("escorts", 0):
            raise illegal(msg("the escorts have only so many steps: {n}", n=g.ledger.get("escorts", 0)), "PW-MER-01")
        return verb, found
    u = g.units.get(unit)
    if u is None or u.box != "map" or u.active or u.at not in linked_hexes(g, JAPAN) or g.cargo(unit):
        raise illegal(
            msg("{unit} cannot go to the escorts", unit=unit),
            "PW-MER-01",
            msg("linked units on the map that are not activated can"),
        )
    return verb, (unit, u.at, read_number(what, 1, g.steps(unit), "PW-MER-01"))


def _escort_ideas(g: State, direction: str) -> Iterator[Plain]:
    """Destroyers to the escorts while these are fewer than the submarines; half of them back when there is nobody to fear."""
    linked = linked_hexes(g, JAPAN)
    guards, hunters = g.ledger.get("escorts", 0), g.ledger.get("harassing", 0)
    fleet = [u for u in g.on_map(JAPAN, "naval") if _escorts(g, u) and g.units[u].at in linked]
    for unit in fleet:
        if direction != RELEASE and guards < hunters and not g.units[unit].active and not g.cargo(unit):
            yield {ESCORT: {unit: 1}}
            yield {ESCORT: {unit: g.steps(unit)}}
        if direction != ESCORT and guards > hunters and g.units[unit].hits and g.units[unit].at in ports_of(g, JAPAN):
            yield {RELEASE: {unit: min(g.units[unit].hits, guards)}}
    if direction != ESCORT and guards > hunters:
        spare = _spare(g, JAPAN, _escorts)
        for place in harbours(g, JAPAN)[:2] if spare else ():
            yield {RELEASE: {spare[0]: {"at": place, "steps": min(SIX, guards)}}}


# -- placing steps -------------------------------------------------------------------------------------------------------


def harbours(g: State, side: str) -> list[int]:
    """[PW-RNF-01] Linked working ports, and linked support bases on a coast."""
    linked = linked_hexes(g, side)
    bases = [h for h, b in g.osbs.items() if b.side == side and h in linked and g.board.coast(h)]
    return sorted({*ports_of(g, side), *bases})


def read_placement(g: State, side: str, unit: str, what: Plain, rule: str) -> Placement:
    """Steps for a unit in a harbour, or for a new one: `{at: hex, steps: n}`. Raises Rejected."""
    u = g.units.get(unit)
    new = u is None or u.box != "map"
    if not new:
        assert u is not None
        room = u.hits
        if u.at not in harbours(g, side) or u.tf or not room:
            raise illegal(msg("{unit} takes no steps where it is", unit=unit), rule)
        return unit, 0, read_number(what, 1, room, rule)
    if u is not None and u.box == "due":
        raise illegal(msg("{unit} is still expected", unit=unit), rule)
    if u is not None and u.box == "sunk":
        raise illegal(msg("{ship} is not in play", ship=unit), "PW-DMG-02")
    if not isinstance(what, dict) or set(what) != {"at", "steps"}:
        raise misread(unit, what, f"{unit}: {{at: 2432, steps: 3}}")
    place = read_place(g, what["at"])
    if place not in harbours(g, side):
        raise illegal(
            msg("{place} is no linked harbour", place=g.board.name(place)), rule, hexes_named(g, harbours(g, side)[:8])
        )
    return unit, place, read_number(what["steps"], 1, _full(g, unit), rule)


def put_steps(g: State, unit: str, place: int, steps: int, rule: str) -> None:
    """Steps join a unit, or a new unit of so many steps stands in a hex."""
    ship = g.counter(unit).kind == "naval"
    if not place:
        emit(g, Mended(unit, steps, rule))
        if ship:
            recount(g, unit, -steps)
        return
    if unit not in g.units:
        emit(g, Listed(unit, rule))
    full = _full(g, unit)
    if ship:
        recount(g, unit, full - steps - g.ledger.get(f"hits {unit}", 0))
    emit(g, StepsCounted(unit, full - steps, rule))
    arrive(g, unit, rule)
    emit(g, Moved(unit, place, rule))


# -- submarines ----------------------------------------------------------------------------------------------------------


def submarines(g: State, side: str, new: int) -> Flow[None]:
    """[PW-RNF-01] New submarine steps come to the fleet; the Allied player also moves steps between fleet and harassment."""
    if g.level != "strategic" or (not new and side == JAPAN) or not (new or _may_redeploy(g)):
        return
    plan: Plan = yield Ask(
        side,
        "submarines",
        "PW-RNF-01",
        msg("new submarine steps: {n}", n=new),
        lambda plain: read_submarines(g, side, new, plain),
        ("submarines",),
        facts={"steps": new},
        options=lambda: _submarine_ideas(g, side, new),
        form=lambda: _boats_form(g, side, new),
    )
    for unit, place, steps in plan.fleet:
        put_steps(g, unit, place, steps, "PW-RNF-01")
    for unit, steps in plan.withdrawn.items():
        emit(g, Hit(unit, steps, "PW-RNF-01", "reserve" if steps == g.steps(unit) else ""))
    change = plan.harassing + sum(plan.withdrawn.values()) - plan.recalled
    if change:
        emit(g, HarassersSet(g.ledger.get("harassing", 0) + change, "PW-RNF-01"))


class Plan:
    """New steps for units, steps that leave units for harassment, steps of harassment that come back, new steps there."""

    __slots__ = ("fleet", "harassing", "recalled", "withdrawn")

    def __init__(self) -> None:
        self.fleet: list[Placement] = []
        self.withdrawn: dict[str, int] = {}
        self.recalled = self.harassing = 0


def _may_redeploy(g: State) -> bool:
    return bool(g.ledger.get("harassing")) or any(True for _ in g.on_map(ALLIES, "submarine"))


def read_submarines(g: State, side: str, new: int, plain: Plain) -> Plan:
    """`submarines: {fleet: {unit: steps}, withdraw: {unit: steps}, recall: steps}`; what is not placed harasses, or is lost.

    Without `recall` and `withdraw` the new steps are split as the order says; with `withdraw` none of them, with `recall`
    all of them go to the fleet. Raises Rejected.
    """
    _, body = split_order(plain, ("submarines",))
    plan = Plan()
    if body == NONE:
        body = {}
    if not isinstance(body, dict) or not set(body) <= {"fleet", "withdraw", "recall"}:
        raise misread("submarines", body, "submarines: {fleet: {SS11 Brisbane: 2}}", "submarines: none")
    if side == JAPAN and set(body) - {"fleet"}:
        raise illegal(msg("only the Allied player harasses merchant shipping"), "PW-RNF-01")
    fleet, withdraw = body.get("fleet", {}), body.get("withdraw", {})
    if not isinstance(fleet, dict) or not isinstance(withdraw, dict):
        raise misread("submarines", body, "submarines: {fleet: {SS11 Brisbane: 2}}")
    plan.recalled = read_number(body["recall"], 1, g.ledger.get("harassing", 0), "PW-RNF-01") if "recall" in body else 0
    for who, what in fleet.items():
        unit = _read_boat(g, side, who)
        plan.fleet.append(read_placement(g, side, unit, what, "PW-RNF-01"))
    placed = sum(steps for _, _, steps in plan.fleet)
    for who, what in withdraw.items():
        unit = _read_boat(g, side, who)
        if unit not in g.units or g.units[unit].box != "map" or g.units[unit].at not in linked_hexes(g, side):
            raise illegal(msg("{unit} is not linked", unit=unit), "PW-RNF-01")
        plan.withdrawn[unit] = read_number(what, 1, g.steps(unit), "PW-RNF-01")
    if plan.withdrawn and (placed or plan.recalled):
        raise illegal(msg("with steps withdrawn from the fleet every new step harasses"), "PW-RNF-01")
    if placed > new + plan.recalled or (plan.recalled and placed < new + plan.recalled):
        raise illegal(msg("steps placed: {n}", n=placed), "PW-RNF-01", msg("steps that are there: {n}", n=new + plan.recalled))
    if len({unit for unit, _, _ in plan.fleet}) < len(plan.fleet):
        raise illegal(msg("a unit is named twice"), "PW-RNF-01")
    plan.harassing = new - placed if side == ALLIES and not plan.recalled else 0
    return plan


def _read_boat(g: State, side: str, who: Plain) -> str:
    unit = read_unit(g, who, side)
    if g.side(unit) != side or g.counter(unit).kind != "submarine":
        raise illegal(msg("{unit} is not one of your submarine units", unit=unit), "PW-RNF-01")
    if g.counter(unit).type in SINGLE:
        raise illegal(msg("{unit} takes no steps here", unit=unit), "PW-NRP-05")
    return unit


def _submarine_ideas(g: State, side: str, new: int) -> list[Plain]:
    """Everything harasses (or is lost); everything to units with room; a new unit; one unit to harassment, one back."""
    hurt = [u for u in g.on_map(side, "submarine") if g.units[u].hits and g.counter(u).type not in SINGLE]
    ideas: list[Plain] = [{"submarines": {"fleet": {u: min(new, g.units[u].hits)}}} for u in hurt[:2] if new]
    spare = _spare(g, side, lambda g, u: g.counter(u).kind == "submarine")
    ideas += [
        {"submarines": {"fleet": {u: {"at": h, "steps": min(new, SIX)}}}} for u in spare[:1] for h in harbours(g, side)[:2]
    ]
    if side == ALLIES:
        ideas += [{"submarines": {"withdraw": {u: 1}}} for u in list(g.on_map(side, "submarine"))[:1]]
        ideas += [{"submarines": {"recall": 1, "fleet": {u: new + 1}}} for u in hurt[:1]]
    return [{"submarines": NONE}, *accepted(lambda plain: read_submarines(g, side, new, plain), ideas)]


def _boats_form(g: State, side: str, new: int) -> Form:
    def fleet(body: Plain) -> list[Placement]:
        return read_submarines(g, side, new, {"submarines": body}).fleet

    mine = [u for u in g.on_map(side, "submarine") if g.counter(u).type not in SINGLE]
    ports = harbours(g, side)
    there = Boats(
        {u: g.units[u].hits for u in mine if g.units[u].hits and g.units[u].at in ports and not g.units[u].tf},
        {u: _full(g, u) for u in _spare(g, side, lambda g, u: g.counter(u).kind == "submarine")},
        ports,
        {u: g.steps(u) for u in mine if side == ALLIES and g.units[u].at in linked_hexes(g, side)},
        g.ledger.get("harassing", 0) if side == ALLIES else 0,
        new,
    )
    return boats(g, there, fleet, lambda plain: read_submarines(g, side, new, plain))


def _spare(g: State, side: str, suits: Callable[[State, str], bool]) -> list[str]:
    """Counters of a side that are in the box."""
    return [c.id for c in g.board.counters.values() if c.side == side and suits(g, c.id) and _free(g, c.id)]


def _full(g: State, unit: str) -> int:
    c = g.counter(unit)
    return c.capacity if c.kind == "naval" else c.steps


def _free(g: State, unit: str) -> bool:
    if g.counter(unit).type in SINGLE:
        return False
    return unit not in g.units or g.units[unit].box not in ("map", "due", "sunk")


# -- merchant shipping ---------------------------------------------------------------------------------------------------


def merchant_points(g: State, offered: int) -> Flow[None]:
    """[PW-RNF-01] Japan buys merchant shipping points at three command points; what is not bought is lost."""
    left = offered

    def ask() -> Ask:
        n = left
        return Ask(
            JAPAN,
            "merchants",
            "PW-RNF-01",
            msg("merchant shipping points offered, for three command points each: {n}", n=n),
            lambda plain: read_purchase(g, n, plain),
            ("buy", DONE),
            facts={"offered": n},
            options=lambda: _purchases(g, n),
            form=lambda: purchases(_payers(g, n), lambda plain: read_purchase(g, n, plain)),
        )

    while left and any(h.side == JAPAN and h.box == "map" and h.points >= MERCHANT_PRICE for h in g.hqs.values()):
        order = yield ask()
        if order is None:
            return
        hq, n = order
        if not (yield from afford(g, JAPAN, hq, MERCHANT_PRICE * n, "PW-RNF-01")):
            return
        pay(g, hq, MERCHANT_PRICE * n, "PW-RNF-01")
        set_merchants(g, g.ledger.get("merchants", 0) + n, "PW-RNF-01")
        left -= n


def read_purchase(g: State, offered: int, plain: Plain) -> tuple[str, int] | None:
    """`buy: {South Seas: 2}`, or done. Raises Rejected."""
    verb, body = split_order(plain, ("buy", DONE))
    if verb == DONE:
        return None
    if not isinstance(body, dict) or len(body) != 1:
        raise misread("buy", body, "buy: {South Seas: 2}")
    who, what = next(iter(body.items()))
    hq = read_hq(g, JAPAN, who)
    n = read_number(what, 1, offered, "PW-RNF-01")
    if g.hqs[hq].points < MERCHANT_PRICE * n:
        raise illegal(
            msg("{hq} has too few command points: {points}", hq=hq, points=g.hqs[hq].points),
            "PW-RNF-01",
            msg("each point costs {price}", price=MERCHANT_PRICE),
        )
    return hq, n


def _purchases(g: State, offered: int) -> list[Plain]:
    found: list[Plain] = [{"buy": {name: n}} for name, n in _payers(g, offered).items()]
    return [DONE, *found]


def _payers(g: State, offered: int) -> dict[str, int]:
    """Headquarters on the map and how many merchant shipping points each can pay."""
    able = {n: h for n, h in g.hqs.items() if h.side == JAPAN and h.box == "map" and h.points >= MERCHANT_PRICE}
    return {name: min(offered, hq.points // MERCHANT_PRICE) for name, hq in able.items()}
