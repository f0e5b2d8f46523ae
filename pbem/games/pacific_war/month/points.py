"""[PW-CMD-01] to [PW-CMD-05] [PW-HQ-01] Command points of a month: how many, to which headquarters, reserves, returns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct, field

from pbem.games.pacific_war.clock import HeldPointsLapsed
from pbem.games.pacific_war.command.activation import read_hq
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.month.merchants import japanese_points
from pbem.games.pacific_war.operation_forms import DISPERSE, RELEASE, Moves, allocations, journeys
from pbem.games.pacific_war.operation_forms import RETURN as RETURNS
from pbem.games.pacific_war.orders import misread, month_word
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.points import allot, hidden, open_months, read_reserve, reserve_months
from pbem.games.pacific_war.state import JAPAN, SIDES, STRATEGIC, State
from pbem.games.pacific_war.tallies import HqDispersed, HqReturns, PurseFilled, PursesEmptied, ReserveSet
from pbem.games.pacific_war.units.changes import set_points
from pbem.games.pacific_war.world.initiative import lead
from pbem.games.pacific_war.world.links import reach
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Simultaneous
from pbem.kernel.forms import Form
from pbem.kernel.naming import read_number
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg, verbatim

RETURN = {"voluntary": (10, 1), "involuntary": (20, 3)}  # [PW-HQ-01] points and months


class Allocation(Struct):
    """What a side does with the points of a month."""

    points: dict[str, int] = field(default_factory=dict)
    reserve: tuple[int, int] = (0, 0)
    returns: list[str] = field(default_factory=list)
    disperse: list[str] = field(default_factory=list)
    release: str = ""  # the headquarters that gets the reserve; "": the one with the most points


def command_points(g: State) -> Flow[None]:
    """[PW-CMD-04] Old points lapse, new ones are counted and allocated, both sides in secret."""
    yield from show_cover(g)
    if g.operation is not None and g.operation.held:
        emit(g, HeldPointsLapsed())
    for name, hq in g.hqs.items():
        if hq.points and not hidden(g):  # sealed ones lapse with the new allocation
            set_points(g, name, 0, "PW-CMD-04")
    emit(g, PursesEmptied())
    for side in SIDES:
        found = yield from points_of(g, side)
        emit(g, PurseFilled(side, found))
    if hidden(g):
        yield from _in_secret(g)
        return
    answers: dict[str, Allocation] = yield Simultaneous(tuple(_ask(g, s) for s in SIDES), "PW-CMD-04")
    for side, allocation in answers.items():
        _carry_out(g, side, allocation)


def points_of(g: State, side: str) -> Flow[int]:
    """[PW-CMD-02] [PW-CMD-03] Campaigns: the scenario's list; strategic game: tables, the Allied one with a die."""
    if g.level != STRATEGIC:
        return int(g.points_table[side].get(str(g.month), 0))
    if side == JAPAN:
        found: int = yield from japanese_points(g)
        return found
    rolled = yield from die(g, msg("Allied command points"), "PW-CMD-03")
    modified = max(0, rolled - lead(g))  # [PW-SI-04] negative when the Allies hold the initiative
    rows = g.board.charts.plain["allied_points"]
    row = next(r for r in reversed(rows) if g.month <= r[0])
    return int(row[1] + row[2] * modified)


def _ask(g: State, side: str) -> Ask:
    linked = list(reach(g, side))
    total = g.purse[side]
    options, kept = _options(g, side, linked, total), g.reserve.get(side, [0, 0])
    return Ask(
        side,
        "allocate",
        "PW-CMD-04",
        msg("allocate {n} command points", n=total),
        lambda plain: read_allocation(g, side, linked, plain),
        ("allocate",),
        facts={"points": total},
        default=options[0],
        options=lambda: options,
        form=lambda: allocations(
            linked,
            open_months(g.month, (kept[0], kept[1])),
            total,
            {**_moves(g, side), **_release(g, side, linked)},
            partial(read_hq, g, side),
            lambda plain: read_allocation(g, side, linked, plain),
        ),
    )


def _moves(g: State, side: str) -> Moves:
    """[PW-HQ-01] Headquarters that may disperse, or return for points."""
    found: dict[str, tuple[Message, int]] = {}
    for hq, x in g.hqs.items():
        if x.side == side and x.box == "map":
            found[f"{DISPERSE} {hq}"] = msg("{hq} disperses", hq=hq), 0
        elif x.side == side and x.box in RETURN and not x.due:
            found[f"{RETURNS} {hq}"] = msg("{hq} returns", hq=hq), RETURN[x.box][0]
    return found


def _release(g: State, side: str, linked: Sequence[str]) -> Moves:
    """[PW-CMD-05] The reserve of this month, for one headquarters; hidden ones only their owner knows."""
    due = hidden(g) or g.reserve.get(side, [0, 0])[0] == g.month
    return {f"{RELEASE} {hq}": (msg("the reserve for {hq}", hq=hq), 0) for hq in linked if due}


def _options(g: State, side: str, linked: list[str], total: int) -> list[Plain]:
    """All to the first headquarters; to each as many; ten points for the next month."""
    found: list[Plain] = [{"allocate": {linked[0]: total}} if linked else {"allocate": {}}]
    if len(linked) > 1:
        share = total // len(linked)
        found.append({"allocate": dict.fromkeys(linked, share)})
    old = g.reserve.get(side, [0, 0])[0]
    if linked and total > 10 and g.month > 1 and not 0 < old <= g.month:
        kept: Plain = {"month": month_word(g.month - 1), "points": 10}
        found.append({"allocate": {linked[0]: total - 10, "reserve": kept}})
    return found


def _in_secret(g: State) -> Flow[None]:
    """[PW-CMD-01] What headquarters do on the map is seen; the allocation of the points is sealed."""
    for side in SIDES:
        moves: Allocation = yield _headquarters(g, side)
        _carry_out(g, side, moves)
        total = g.purse[side] - sum(RETURN[g.hqs[n].box][0] for n in moves.returns)
        linked = list(reach(g, side))
        form = partial(
            allocations, linked, reserve_months(g.month), total, _release(g, side, linked), partial(read_hq, g, side)
        )
        yield from allot(g, side, total, linked, _options(g, side, linked, total), form)


def _headquarters(g: State, side: str) -> Ask:
    def read(plain: Plain) -> Allocation:
        verb, body = split_order(plain, ("allocate", DONE))
        if verb == DONE:
            return Allocation()
        if not isinstance(body, dict) or not set(body) <= {"return", "disperse"}:
            raise misread("allocate", body, "allocate: {return: [South Pacific], disperse: [South West Pacific]}")
        return read_allocation(g, side, [], plain)

    def form() -> Form:
        return journeys(_moves(g, side), verbs, read)

    prompt = msg("headquarters that return or disperse, or done: the points themselves are sealed")
    verbs = ("allocate", DONE)
    return Ask(side, "headquarters", "PW-HQ-01", prompt, read, verbs, default=DONE, options=lambda: [DONE], form=form)


def read_allocation(g: State, side: str, linked: list[str], plain: Plain) -> Allocation:
    """`allocate: {hq: points, reserve: {month, points}, release: hq, return: [hq], disperse: [hq]}`. Raises Rejected."""
    _, body = split_order(plain, ("allocate",))
    if not isinstance(body, dict):
        raise misread("allocate", body, "allocate: {South Seas: 20}")
    a, total, spent, kept = Allocation(), g.purse[side], 0, g.reserve.get(side, [0, 0])
    for key, value in body.items():
        if key == "reserve":
            a.reserve = read_reserve(value, g.month, (kept[0], kept[1]), total)
            spent += a.reserve[1]
        elif key in ("return", "disperse"):
            names = [read_hq(g, side, n) for n in (value if isinstance(value, list) else [value])]
            spent += _check_boxes(g, names, key)
            (a.returns if key == "return" else a.disperse).extend(names)
        else:
            name = read_hq(g, side, value if key == "release" else key)
            if name not in linked:
                raise illegal(msg("{hq} is not linked", hq=name), "PW-CMD-04", verbatim(*linked))
            if key == "release":
                a.release = name
                continue
            a.points[name] = read_number(value, 0, total, "PW-CMD-04")
            spent += a.points[name]
    if spent > total:
        raise illegal(msg("too many points are given away: {n}", n=spent), "PW-CMD-04", msg("at most: {most}", most=total))
    if linked and kept[0] == g.month and not (a.release or a.points):
        raise illegal(msg("the reserve of this month goes to a headquarters"), "PW-CMD-05", verbatim(*linked))
    return a


def _check_boxes(g: State, names: list[str], key: str) -> int:
    """Price of returns; a headquarters on the map may disperse for nothing."""
    price = 0
    for name in names:
        box = g.hqs[name].box
        if (key == "return") != (box in RETURN) or (key == "return" and g.hqs[name].due):
            raise illegal(
                msg("{hq} cannot return", hq=name) if key == "return" else msg("{hq} cannot disperse", hq=name), "PW-HQ-01"
            )
        price += RETURN[box][0] if key == "return" else 0
    return price


def _carry_out(g: State, side: str, a: Allocation) -> None:
    kept = g.reserve.get(side, [0, 0])
    for name, points in a.points.items():
        set_points(g, name, points, "PW-CMD-04")
    if kept[0] == g.month and (a.release or a.points):  # [PW-CMD-05] the whole reserve goes to one headquarters
        name = a.release or max(a.points, key=lambda n: a.points[n])
        set_points(g, name, g.hqs[name].points + kept[1], "PW-CMD-05")
    if a.reserve[1]:
        before = kept[1] if kept[0] == a.reserve[0] else 0
        emit(g, ReserveSet(side, a.reserve[0], before + a.reserve[1]))
    elif kept[0] > g.month:
        emit(g, ReserveSet(side, 0, 0))
    for name in a.returns:
        emit(g, HqReturns(name, g.month - RETURN[g.hqs[name].box][1]))
    for name in a.disperse:
        emit(g, HqDispersed(name, "voluntary"))
        set_points(g, name, 0, "PW-HQ-01")
