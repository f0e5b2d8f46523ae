"""[PW-ENG] [PW-OSB] Engineering: repairs, construction, support bases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.command.activation import read_hq
from pbem.games.pacific_war.events import InstallationTaken
from pbem.games.pacific_war.nouns import WORKS
from pbem.games.pacific_war.orders import any_of, misread, read_place
from pbem.games.pacific_war.picks import place_named
from pbem.games.pacific_war.records import Work
from pbem.games.pacific_war.secret.fleets import offer_show, unveil_hex
from pbem.games.pacific_war.secret.forces import concealed
from pbem.games.pacific_war.secret.meeting import has_force
from pbem.games.pacific_war.secret.points import afford, pay, payer
from pbem.games.pacific_war.selection import some_places
from pbem.games.pacific_war.state import FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.strategic import ResourceRestored
from pbem.games.pacific_war.tallies import WorkBegan, WorkOver, WorkWentOn
from pbem.games.pacific_war.units.changes import set_installation
from pbem.games.pacific_war.world.links import linked, linked_hexes, reach, surcharge
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.forms import Form, listed
from pbem.kernel.orders import Rejected, illegal, split_order, unreadable
from pbem.kernel.questions import DONE, accepted, orders_until_done
from pbem.kernel.wording import Message, msg, quoted, verbatim

PRICE = {"port": 15, "airfield": 5, "upgrade": 10}  # [PW-ENG-06] to [PW-ENG-08]: each month; Japan pays for two months
MONTHS = {JAPAN: 2, FOE[JAPAN]: 1}
PORT_REPAIR, OSB_PRICE = 15, 1
VERBS = ("build", "repair", "restore", "base", "abandon")
LARGE, SMALL = 18, 6


def engineering(g: State) -> Flow[None]:
    """[PW-ENG-02] [PW-ENG-03] Free repairs, works go on, then orders of both sides."""
    for side in SIDES:
        yield from mend_airfields(g, side, "PW-ENG-02")
        for h, base in list(g.osbs.items()):
            if base.side == side and base.hits and linked(g, side, h):
                set_installation(g, "osb", h, 0, False, "PW-ENG-03")
    yield from progress(g)
    for side in SIDES:
        yield from _orders(g, side)


def mend_airfields(g: State, side: str, rule: str) -> Flow[None]:
    """[PW-REP-01] [PW-ENG-02] All hits and the interdiction come off linked airfields; their owner may leave damage."""
    damaged = [h for h, b in g.airfields.items() if b.side == side and (b.hits or b.interdicted) and linked(g, side, h)]
    for place in (yield from some_places(g, side, "mend", rule, msg("which airfields are repaired"), sorted(damaged))):
        set_installation(g, "airfield", place, 0, False, rule)


def engineer_at(g: State, side: str, place: int) -> str:
    """[PW-ENG-01] A linked, steady engineer in the hex, or ""."""
    units = [u for u in g.ashore(side, place) if g.counter(u).type == "engineer" and not g.units[u].demoralized]
    return units[0] if units and place in linked_hexes(g, side) else ""


def progress(g: State) -> Flow[None]:
    """[PW-ENG-06] A month of work; without its engineer it is given up."""
    going_on = []
    for place, work in g.works.items():
        if engineer_at(g, work.side, place) == "" or g.ashore(FOE[work.side], place):
            continue
        if work.left > 1:
            hq = yield from _instalment(g, work, place)
            if not hq:
                continue
            pay(g, hq, PRICE[work.kind] * dear(g, work.side, place), "PW-ENG-06")
            going_on.append(place)
            continue
        kind, size = ("port", 0) if work.kind == "port" else ("airfield", LARGE if work.kind == "upgrade" else SMALL)
        emit(g, InstallationTaken(kind, place, work.side, "PW-ENG-06", size))
    for place in g.works:
        emit(g, WorkWentOn(place) if place in going_on else WorkOver(place, "PW-ENG-06"))


def _instalment(g: State, work: Work, place: int) -> Flow[str]:
    """The linked headquarters that pays for the second month, or "" (the work is given up)."""
    names = [n for n, hexes in reach(g, work.side).items() if place in hexes]
    return (yield from payer(g, work.side, names, PRICE[work.kind] * dear(g, work.side, place), "PW-ENG-06"))


def _orders(g: State, side: str) -> Flow[None]:
    if concealed(g, side):
        yield from offer_show(g, side, "PW-ENG-01")
    placed: list[str] = []
    broke: list[str] = []  # headquarters whose owner has stated that they cannot pay

    def read(plain: Plain) -> tuple[str, str, int, str] | None:
        verb, body = split_order(plain, (*VERBS, DONE))
        if verb == DONE:
            return None
        if verb == "abandon":
            place = read_place(g, body)
            if place not in g.osbs or g.osbs[place].side != side:
                raise illegal(msg("no support base of yours is in {place}", place=g.board.name(place)), "PW-OSB-02")
            return verb, "osb", place, ""
        if not isinstance(body, dict) or not {"at", "hq"} <= set(body):
            raise misread(verb, body, "build: {what: airfield, at: 1134, hq: South Pacific}")
        kind = str(body.get("what", ""))
        place, hq = read_place(g, body["at"]), read_hq(g, side, body["hq"])
        price = work_price(g, side, verb, kind, place, placed if verb == "base" else [], hq)
        if place not in reach(g, side).get(hq, set()):
            rule = "PW-OSB-01" if verb == "base" else "PW-ENG-01"
            raise illegal(msg("{place} is not linked to {hq}", place=g.board.name(place), hq=hq), rule)
        if hq in broke or g.hqs[hq].points < price:
            raise illegal(msg("{hq} cannot pay so many command points: {price}", hq=hq, price=price), "PW-CMD-01")
        return verb, kind, place, hq

    def options() -> Sequence[Plain]:
        return proposals(read, _work_ideas(g, side, placed))

    def form() -> Form:
        orders = [DONE, *accepted(read, _work_ideas(g, side, placed))]
        return listed(orders, read, (*VERBS, DONE), bare="at", name=lambda slot, word: _named(g, slot, word))

    def act(order: tuple[str, str, int, str]) -> Flow[None]:
        verb, kind, place, hq = order
        if verb == "build" and (yield from _met(g, side, place)):
            return
        price = work_price(g, side, verb, kind, place, [], hq) if verb != "abandon" else 0
        if price and not (yield from afford(g, side, hq, price, "PW-CMD-01")):
            broke.append(hq)
            return
        _carry_out(g, side, verb, kind, place, hq)
        if verb == "base":
            placed.append(hq)

    yield from orders_until_done(side, "engineering", "PW-ENG-01", msg("engineering, or done"), VERBS, read, options, act, form)


def _named(g: State, slot: str, word: str) -> Message:
    """A thing of an engineering order as it is called."""
    return WORKS.get(word) or (place_named(g, word) if slot == "at" else verbatim(word))


def _work_ideas(g: State, side: str, placed: Sequence[str]) -> Iterator[Any]:
    """Repairs, constructions and bases that a side could pay for; `placed`: headquarters that have made a base this month."""
    linked = {n: places for n, places in reach(g, side).items() if g.hqs[n].points > 0}
    named = [h.number for h in g.board.listed.values() if h.name and h.land]
    places = sorted({g.units[u].at for u in g.on_map(side, "ground") if g.counter(u).type == "engineer"})
    works = [(verb, "", p) for p in places for verb in ("repair", "restore")] + [("build", k, p) for p in places for k in PRICE]
    able = [work for work in works if _can_be_done(g, side, *work)]
    for hq, near in linked.items():
        yield from ({v: {"what": k, "at": p, "hq": hq} if k else {"at": p, "hq": hq}} for v, k, p in able if p in near)
    sites = [h for h in [*(h for h, b in g.ports.items() if b.side == side), *named] if h not in g.osbs]
    for hq in [n for n in linked if n not in placed]:
        yield from ({"base": {"at": h, "hq": hq}} for h in sites if h in linked[hq])
    yield from ({"abandon": h} for h, b in g.osbs.items() if b.side == side)


def _can_be_done(g: State, side: str, verb: str, kind: str, place: int) -> bool:
    """The work itself is legal, whoever pays for it."""
    try:
        check_work(g, side, verb, kind, place, [], "")
    except Rejected:
        return False
    return True


def _met(g: State, side: str, place: int) -> Flow[bool]:
    """[PW-ENG-06] Hidden enemies in the hex are shown; then nothing is built there."""
    yield from unveil_hex(g, FOE[side], place, "PW-ENG-06")
    return bool(g.here(FOE[side], place))


def _beset(g: State, side: str, place: int) -> bool:
    """[PW-OSB-02] Enemy units stand in the hex and no friendly ones."""
    friends = g.here(side, place) or g.afloat(side, place) or has_force(g, side, place)
    return not friends and bool(g.here(FOE[side], place) or g.afloat(FOE[side], place))


def work_price(g: State, side: str, verb: str, kind: str, place: int, placed: list[str], hq: str) -> int:
    """What an order costs, twice as much at the end of an emergency link. Raises Rejected when it is not legal."""
    return check_work(g, side, verb, kind, place, placed, hq) * dear(g, side, place)


def dear(g: State, side: str, place: int) -> int:
    """[PW-CMD-12] Each point spent through an emergency link costs one more."""
    return 2 if surcharge(g, side, place) else 1


def check_work(g: State, side: str, verb: str, kind: str, place: int, placed: list[str], hq: str) -> int:
    """The printed price of an order. Raises Rejected when it is not legal."""
    if verb == "base":
        return _check_base(g, side, place, placed, hq)
    if not engineer_at(g, side, place):
        raise illegal(msg("no linked engineer is in {place}", place=g.board.name(place)), "PW-ENG-01")
    if verb == "repair":
        port = g.port(side, place)
        if port is None or not (port.hits or port.interdicted):
            raise illegal(msg("no damaged port is in {place}", place=g.board.name(place)), "PW-ENG-04")
        return PORT_REPAIR
    if verb == "restore":
        if not g.ledger.get(f"demolished {place:04d}"):
            raise illegal(msg("{place} is not demolished", place=g.board.name(place)), "PW-ENG-05")
        return 2 * g.ledger.get(f"resource {place:04d}", 0)
    if kind not in PRICE:
        raise unreadable(msg("{given} cannot be built", given=quoted(kind)), any_of("port", "airfield", "upgrade"))
    rule = {"port": "PW-ENG-06", "airfield": "PW-ENG-07", "upgrade": "PW-ENG-08"}[kind]
    field = g.airfields.get(place)
    wrong = {
        "port": not g.board.coast(place) or place in g.ports,
        "airfield": field is not None,
        "upgrade": field is None or field.side != side or field.interdicted or field.size == LARGE,
    }[kind]
    atoll = kind == "upgrade" and g.board.hex(place).land == "atoll"
    if wrong or atoll or place in g.works or g.here(FOE[side], place):
        raise illegal(msg("in {place} this cannot be built: {what}", place=g.board.name(place), what=WORKS[kind]), rule)
    return PRICE[kind]


def _check_base(g: State, side: str, place: int, placed: list[str], hq: str) -> int:
    """[PW-OSB-01] One for each headquarters and month, in a linked port or named hex."""
    named = bool(g.board.hex(place).name) and g.board.land(place)
    port = g.port(side, place)
    if hq in placed:
        raise illegal(msg("{hq} has set up a support base this month", hq=hq), "PW-OSB-01")
    if _beset(g, side, place):
        raise illegal(msg("enemy units stand alone in {place}", place=g.board.name(place)), "PW-OSB-02")
    if place in g.osbs or not (named or (port is not None and not port.interdicted)):
        raise illegal(msg("no support base can be set up in {place}", place=g.board.name(place)), "PW-OSB-01")
    return OSB_PRICE


def _carry_out(g: State, side: str, verb: str, kind: str, place: int, hq: str) -> None:
    if verb == "abandon":
        emit(g, InstallationTaken("osb", place, "", "PW-OSB-02"))
        return
    pay(g, hq, work_price(g, side, verb, kind, place, [], hq), "PW-OSB-01" if verb == "base" else "PW-ENG-01")
    if verb == "base":
        emit(g, InstallationTaken("osb", place, side, "PW-OSB-01"))
    elif verb == "repair":
        set_installation(g, "port", place, 0, False, "PW-ENG-04")
    elif verb == "restore":
        emit(g, ResourceRestored(place))
    else:
        emit(g, WorkBegan(place, Work(kind, side, engineer_at(g, side, place), MONTHS[side])))


def stop_works(g: State, place: int) -> None:
    """[PW-ENG-01] A ground combat in the hex ends the work there."""
    if place in g.works:
        emit(g, WorkOver(place, "PW-ENG-01"))
