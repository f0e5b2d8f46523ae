"""[PW-NRP-01] to [PW-NRP-04] Naval repair: yards, steps that destroyers exchange."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.pacific_war.events import Mended
from pbem.games.pacific_war.month.forms import yards
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.orders import check_in_play, misread, read_unit
from pbem.games.pacific_war.secret.forces import concealed
from pbem.games.pacific_war.secret.orders import REPAIRS, read_rows
from pbem.games.pacific_war.secret.phases import check_sealed, give_in_secret, orders_or_secret, row_ideas, trial
from pbem.games.pacific_war.state import JAPAN, SIDES, State
from pbem.games.pacific_war.units.damage import drop_empty_markers, hit_steps
from pbem.games.pacific_war.world.initiative import recount
from pbem.games.pacific_war.world.off_map import ABROAD, advance_boxes, yard_abroad
from pbem.games.pacific_war.world.options import CONVERSIONS, begin_conversion, convert_month, convertible
from pbem.games.pacific_war.world.resources import home_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.forms import Form, Read, verdict
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal, split_order
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg

YARDS = {2860: 3, 3819: 1, 5402: 2, 5502: 2}  # [PW-NRP-01] Oahu is known, the others are reconstructed
HOME_YARD = 2
COMPLETE = ("CV", "CVL", "CVS", "BB", "BC")  # [PW-NRP-02]
LONE_SHIPS = (
    "CA9 Houston",
    "CA10 Wichita",
    "CA4 Exeter",
    "CL2 Perth",
    "CA1 DeRuyter",
    "CL1 Tromp",
    "CL4 Kuma",
    "CL8 Yubari",
    "CL15 Oyodo",
)
HALF = ("CVE", "CA", "CL")  # [PW-NRP-03]
SHARED = ("DD", "DE", "APD", "ST")  # [PW-NRP-04]
CONVERT = "convert"


def naval_repair(g: State) -> Flow[None]:
    """[PW-NRP-01] One hit off each of a few ships in each yard; destroyers exchange steps [PW-NRP-04]."""
    for ship in [s for s in CONVERSIONS if s in g.units]:
        convert_month(g, ship, in_yard(g, ship))
    advance_boxes(g)
    for side in SIDES:
        yield from _repairs_of(g, side)


def _repairs_of(g: State, side: str) -> Flow[None]:
    """The orders of a side: ships of open view one by one, sealed ones in secret at the end."""
    done: dict[int, list[str]] = {}

    def act(order: tuple[str, str, int]) -> None:
        _carry_out(g, done, *order)

    prompt, verbs = msg("repair a ship, or done"), ("repair", "recombine", "convert")
    hidden = concealed(g, side) and any(h in ports_of(g, side) for h in g.forces.get(side, ()))
    yield from orders_or_secret(
        side,
        "repairs",
        "PW-NRP-01",
        prompt,
        verbs,
        lambda plain: _read_repair(g, side, done, plain),
        lambda: _repair_options(g, side, done),
        act,
        (lambda: _repair_in_secret(g, side, done)) if hidden else None,
        lambda verbs, read: _form(g, side, verbs, read),
    )


def _form(g: State, side: str, verbs: Sequence[str], read: Read) -> Form:
    away = [u for u in g.abroad if g.counter(u).kind == "naval" and g.side(u) == side]
    ships = [*g.on_map(side, "naval"), *away]
    mended = [s for s in ships if g.units[s].hits and not verdict(read, [{"repair": s}])]
    takers = [s for s in g.on_map(side, "naval") if g.counter(s).type in SHARED and g.units[s].hits]
    return yards(g, side, verbs, (mended, takers, [s for s in ships if _may_convert(g, s)]), read)


def _read_repair(g: State, side: str, done: dict[int, list[str]], plain: Plain) -> tuple[str, str, int] | None:
    """The ship, who gives it steps ("": the yard mends it; `CONVERT`: it is converted), how many. Raises Rejected."""
    verb, body = split_order(plain, ("repair", "recombine", "convert", DONE))
    if verb == DONE:
        return None
    if verb == "recombine":
        return read_recombination(g, side, body)
    ship = read_unit(g, body, side)
    if verb == "repair":
        check_repair(g, side, ship, done)
        return ship, "", 1
    if not _may_convert(g, ship):
        raise illegal(msg("{ship} cannot be converted now", ship=ship), "PW-OPT-21")
    return ship, CONVERT, 0


def _may_convert(g: State, ship: str) -> bool:
    return convertible(g, ship, in_yard(g, ship)) and f"converting {ship}" not in g.ledger


def _repair_options(g: State, side: str, done: dict[int, list[str]]) -> list[Plain]:
    found: list[Plain] = [DONE]
    away = [u for u in g.abroad if g.counter(u).kind == "naval" and g.side(u) == side]
    for ship in [*g.on_map(side, "naval"), *away]:
        if g.units[ship].hits:
            try:
                check_repair(g, side, ship, done)
            except Rejected:
                continue
            found.append({"repair": ship})
        elif _may_convert(g, ship):
            found.append({"convert": ship})
    return [*found, *_recombinations(g, side, [*g.on_map(side, "naval")])]


def _carry_out(g: State, done: dict[int, list[str]], ship: str, giver: str, n: int) -> None:
    if giver == CONVERT:
        begin_conversion(g, ship)
        return
    emit(g, Mended(ship, n, "PW-NRP-04" if giver else "PW-NRP-01"))
    recount(g, ship, -n)
    if giver:
        hit_steps(g, giver, n, "PW-NRP-04")
        recount(g, giver, n)
        drop_empty_markers(g)
    else:
        done.setdefault(g.units[ship].at, []).append(ship)


def _repair_in_secret(g: State, side: str, done: dict[int, list[str]]) -> Flow[None]:
    """`orders: [{repair: ship}, {recombine: {from: DD5, to: DD3, steps: 2}}]` for sealed ships."""

    def judge(seen: State, plain: Plain) -> None:
        tried, mended = trial(seen), {place: [*ships] for place, ships in done.items()}
        for verb, who, what in read_rows(plain):
            if verb not in ("repair", "transfer"):
                raise illegal(msg("this order does not belong to this phase: {order}", order=verb), "PW-NRP-01")
            _try_row(g, tried, side, mended, who, what)

    def ideas(seen: State) -> Iterable[Plain]:
        ships = [s for s in seen.on_map(side, "naval") if seen.units[s].hits and g.units[s].box == "sealed"]
        repairs: list[Plain] = [{"repair": s} for s in ships]
        givers = [s for s in seen.on_map(side, "naval") if g.units[s].box == "sealed"]
        return row_ideas(lambda plain: judge(seen, plain), [*repairs, *_recombinations(seen, side, givers)])

    prompt = msg("repair sealed ships in secret")
    yield from give_in_secret(g, side, REPAIRS, "PW-NRP-01", prompt, judge, read_rows, ideas)


def _try_row(g: State, tried: State, side: str, mended: dict[int, list[str]], who: str, what: Plain) -> None:
    """Carries out a row of a secret order on a trial. Raises Rejected."""
    if what is not None:
        taker, giver, n = read_recombination(tried, side, what)
        check_sealed(g, [taker, giver])
        emit(tried, Mended(taker, n, "PW-NRP-04"))
        hit_steps(tried, giver, n, "PW-NRP-04")
        return
    ship = read_unit(g, who, side)
    check_sealed(g, [ship])
    if ship not in tried.units or tried.units[ship].box != "map":
        raise illegal(msg("{ship} is not in play", ship=ship), "PW-NRP-01")
    check_repair(tried, side, ship, mended)
    emit(tried, Mended(ship, 1, "PW-NRP-01"))
    mended.setdefault(tried.units[ship].at, []).append(ship)


def in_yard(g: State, ship: str) -> bool:
    """The ship lies where its side has a working yard."""
    return g.units[ship].box == "map" and yard(g, g.side(ship), g.units[ship].at) > 0


def yard(g: State, side: str, place: int) -> int:
    """[PW-NRP-01] How many ships a yard mends in a phase."""
    if place not in ports_of(g, side):
        return 0
    if side == JAPAN:
        return HOME_YARD if home_hexes(g).get(place) else 0
    return YARDS.get(place, 0)


def least_hits(g: State, ship: str) -> int:
    """[PW-NRP-02] [PW-NRP-03] Hits that can never come off again."""
    c = g.counter(ship)
    if c.type in COMPLETE or ship in LONE_SHIPS:
        return 0
    if c.type in HALF:
        return 0 if 2 * g.units[ship].hits < c.capacity else -(-c.capacity // 2)
    return g.units[ship].hits


def check_repair(g: State, side: str, ship: str, done: dict[int, list[str]]) -> None:
    """A ship may lose a hit in the yard it lies in. Raises Rejected."""
    place, box = g.units[ship].at, g.units[ship].box
    if g.side(ship) != side or g.counter(ship).kind != "naval" or box not in ("map", ABROAD):
        raise illegal(msg("{ship} is not one of your ships", ship=ship), "PW-NRP-01")
    if any(ship in mended for mended in done.values()):
        raise illegal(msg("{ship} has lost its hit of this month", ship=ship), "PW-NRP-01")
    where, room = yard_abroad(g, ship)
    here = [s for s in done.get(place, []) if yard_abroad(g, s)[0] == where]
    if len(here) >= (room if box == ABROAD else yard(g, side, place)):
        raise illegal(_no_yard(g, ship, where, place), "PW-NRP-01")
    if g.units[ship].hits <= least_hits(g, ship):
        raise illegal(msg("{ship} cannot be mended further", ship=ship), "PW-NRP-03")


def _no_yard(g: State, ship: str, abroad: str, place: int) -> Message:
    """Why a yard takes no further ship: one in a hex, or beyond an edge of the map."""
    if abroad:
        return msg("no yard beyond the edge of the map has room for {ship}", ship=ship)
    return msg("no yard in {place} has room for {ship}", place=g.board.name(place), ship=ship)


def _recombinations(g: State, side: str, givers: Sequence[str]) -> list[Plain]:
    """To each unit that lacks steps one from the first of the givers who lies with it and can spare it."""
    found: list[Plain] = []
    hurt = [u for u in g.on_map(side, "naval") if g.counter(u).type in SHARED and g.units[u].hits]
    for taker in hurt:
        for giver in givers:
            order: Plain = {"from": giver, "to": taker, "steps": 1}
            if _may_recombine(g, side, order):
                found.append({"recombine": order})
                break
    return found


def _may_recombine(g: State, side: str, order: Plain) -> bool:
    try:
        read_recombination(g, side, order)
    except Rejected:
        return False
    return True


def read_recombination(g: State, side: str, body: Plain) -> tuple[str, str, int]:
    """[PW-NRP-04] `recombine: {from: DD5, to: DD3, steps: 2}`. Raises Rejected."""
    if not isinstance(body, dict) or set(body) != {"from", "to", "steps"}:
        raise misread("recombine", body, "recombine: {from: DD5, to: DD3, steps: 2}")
    giver, taker = read_unit(g, body["from"], side), read_unit(g, body["to"], side)
    n = read_number(body["steps"], 1, 6, "PW-NRP-04")
    check_in_play(g, [giver, taker], "PW-NRP-04")
    a, b = g.counter(giver), g.counter(taker)
    if a.side != side or b.side != side or a.type != b.type or a.type not in SHARED or giver == taker:
        raise illegal(msg("{giver} and {taker} cannot exchange steps", giver=giver, taker=taker), "PW-NRP-04")
    if g.units[giver].at != g.units[taker].at or g.units[giver].at not in ports_of(g, side):
        raise illegal(msg("both must lie in one friendly linked port"), "PW-NRP-04")
    if b.gun[0] > a.gun[0] or b.torpedo[0] > a.torpedo[0] or b.asw > a.asw:
        raise illegal(msg("{taker} is better than {giver}", taker=taker, giver=giver), "PW-NRP-04")
    if n > g.units[taker].hits or n > g.steps(giver):
        raise illegal(msg("so many steps cannot be moved: {n}", n=n), "PW-NRP-04")
    if n == g.steps(giver) and (g.cargo(giver) or g.air_aboard(giver)):
        raise illegal(msg("{unit} carries somebody and keeps its last step", unit=giver), "PW-NRP-04")
    return taker, giver, n
