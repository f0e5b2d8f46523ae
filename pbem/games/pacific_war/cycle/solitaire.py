"""[PW-SOL-01] The suggestions for one player, by option: routes written in advance, a table in place of the bids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.pacific_war.board import shortest
from pbem.games.pacific_war.clock import RoutesWritten
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.orders import misread, read_places, read_unit
from pbem.games.pacific_war.picks import hex_word, picker
from pbem.games.pacific_war.sea.movement import STAY, place_of
from pbem.games.pacific_war.state import ALLIES, FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.world.initiative import lead
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import Form, Pick
from pbem.kernel.gathering import Lists
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.picking import sole
from pbem.kernel.wording import msg, verbatim

LOWER_FROM = (5, 6, 7, 7, 8, 9)  # the die from which the lower total becomes operations player, by column
DIFFERENCES = (10, 20)  # the third column is for more
RATIOS = (2, 3, 4)


def on(g: State) -> bool:
    """The option is chosen."""
    return bool(g.options.get("solitaire") == "yes")


# -- bids --------------------------------------------------------------------------------------------------------------


def table_column(high: int, low: int) -> int:
    """The highest column of the table that applies: differences up to 10, 20 and more, then ratios of 2, 3 and 4."""
    ratios = sum(high >= n * low for n in RATIOS)
    return 2 + ratios if ratios else sum(high - low > n for n in DIFFERENCES)


def operations_player(g: State) -> Flow[str]:
    """One die; "" when nobody has command points. Equal totals: the strategic initiative, else Japan, counts as higher."""
    totals = {s: sum(h.points for h in g.hqs.values() if h.side == s and h.box == "map") for s in SIDES}
    if not any(totals.values()):
        return ""
    first = ALLIES if totals[ALLIES] > totals[JAPAN] or (totals[ALLIES] == totals[JAPAN] and lead(g) < 0) else JAPAN
    rolled = yield from die(g, msg("operations player"), "PW-SOL-01")
    lower = rolled >= LOWER_FROM[table_column(totals[first], totals[FOE[first]])]
    return FOE[first] if lower and totals[FOE[first]] else first


# -- routes ------------------------------------------------------------------------------------------------------------


def plan_routes(g: State, side: str, able: Sequence[str]) -> Flow[None]:
    """The operations player writes down every route before the first hex."""
    routes = yield Ask(
        side,
        "plan",
        "PW-SOL-01",
        msg("routes of all task forces and submarines, or stay"),
        lambda plain: read_plan(g, side, able, plain),
        ("plan", STAY),
        options=lambda: _plan_options(g, side, able),
        form=lambda: _plan_form(g, side, able),
    )
    emit(g, RoutesWritten(routes))


def read_plan(g: State, side: str, able: Sequence[str], plain: Plain) -> dict[str, list[int]]:
    """`plan: {TF1: [1531, 1532]}`: hex after hex. Raises Rejected."""
    verb, body = split_order(plain, ("plan", STAY))
    if verb == STAY:
        return {}
    if not isinstance(body, dict):
        raise misread("plan", body, "plan: {TF1: [1531, 1532]}")
    routes: dict[str, list[int]] = {}
    for who, way in body.items():
        mover = who if who in g.markers else read_unit(g, who, side)
        if mover not in able:
            raise illegal(msg("{unit} cannot move now", unit=mover), "PW-MOV-09", verbatim(*able))
        at, routes[mover] = place_of(g, mover), read_places(g, way)
        for step in routes[mover]:
            if step not in g.board.near(at) or not g.board.sea(step):
                raise illegal(
                    msg("{place} is no water next to {origin}", place=g.board.name(step), origin=g.board.name(at)), "PW-MOV-07"
                )
            at = step
    return routes


def _plan_form(g: State, side: str, able: Sequence[str]) -> Form:
    """A mover, and its way hex by hex; the next mover."""

    def read(plain: Plain) -> dict[str, list[int]]:
        return read_plan(g, side, able, plain)

    def ways(mover: str, way: Sequence[str]) -> list[Pick]:
        last = int(way[-1]) if way else place_of(g, mover)
        return picker(g).places("to", (h for h in g.board.near(last) if g.board.sea(h)))

    def make(named: Mapping[str, Sequence[str]]) -> Plain:
        return {"plan": {mover: [int(h) for h in way] for mover, way in named.items()}}

    def said(body: Plain) -> dict[str, list[str]]:
        return {mover: [hex_word(h) for h in way] for mover, way in read({"plan": body}).items()}

    gesture = Lists(("unit", "to"), lambda: picker(g).units("unit", able), ways, make, said, read)
    return sole("plan", gesture, read, ("plan", STAY))


def planned(g: State, able: Sequence[str], increment: int) -> dict[str, int]:
    """The next hexes of the routes; nothing when all are at their ends."""
    return {m: way[increment] for m, way in g.plan.items() if m in able and increment < len(way)}


def _plan_options(g: State, side: str, able: Sequence[str]) -> list[Plain]:
    goals = sorted({h for h, b in g.ports.items() if b.side != side} | {x.at for x in g.markers.values() if x.side != side})
    found: list[Plain] = [STAY]
    for goal in goals[:4]:
        routes: dict[str, Plain] = {}
        for mover in able:
            way = shortest(g.board, place_of(g, mover), goal, g.board.sea)
            if way:
                routes[mover] = [*way]
        if routes:
            found.append({"plan": routes})
    return found
