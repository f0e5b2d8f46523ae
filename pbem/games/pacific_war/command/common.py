"""[PW-ACT-12] Activation in the common phase: up to ten command points for each side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.clock import PointsHeld
from pbem.games.pacific_war.command.activation import (
    COMMON,
    MULTIPLE,
    Activation,
    carry_out,
    common_price,
    read_activation,
    sealed_length,
)
from pbem.games.pacific_war.command.callable import activation_form, callable_units, groups
from pbem.games.pacific_war.events import Remarked
from pbem.games.pacific_war.operation_forms import Purse
from pbem.games.pacific_war.records import Operation
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.points import afford, pay
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Claim, Flow, Reveal
from pbem.kernel.forms import Form
from pbem.kernel.orders import illegal
from pbem.kernel.proposals import has_choice
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg, recorded_as


def common_claim(g: State, side: str, o: Operation, price: int, points: int) -> Flow[bool]:
    """[PW-ACT-12] Whether the common activations so far are within ten points for the sealed length of the operation."""

    def truth(reveal: Reveal) -> Plain:
        return price + points * (MULTIPLE[sealed_length(o, reveal)] - 1) <= COMMON

    about = recorded_as(f"{points} points", msg("a common activation for {n} points can be paid", n=points))
    stated = yield Claim(side, "common", about, "PW-ACT-12", truth)
    return bool(stated)


def common_activation(g: State, side: str) -> Flow[None]:
    """[PW-ACT-12] Up to ten command points; the operations player's time multiple applies to him."""
    o = g.operation
    if o is None or (o.last_cycles and side == g.operator):
        return
    yield from show_cover(g)
    spent: dict[str, int] = {"all": 0, "points": 0}
    days = o.days if side == g.operator else 14
    secret = days == 0

    def read(plain: Plain) -> Activation | None:
        return read_common(g, side, plain, o, days, spent["all"])

    def options() -> Sequence[Plain]:
        return proposals(read, _ideas(g, side, o, days, COMMON - spent["all"]))

    def form() -> Form:
        left = COMMON - spent["all"]

        def price(hq: str, units: Sequence[str], length: int) -> tuple[int, int]:
            return common_price(g, side, units, days or length)

        return activation_form(g, side, ("activate", DONE), Purse(price, lambda hq: min(left, g.hqs[hq].points)), read)

    while has_choice(found := options()):
        prompt = msg("activate units in the common phase, or done")
        a = yield Ask(side, "join", "PW-ACT-12", prompt, read, ("activate", DONE), options=partial(list, found), form=form)
        if a is None:
            return
        longest = a.points * (MULTIPLE[o.longest] - 1) if secret else 0
        if not (yield from afford(g, side, a.hq, a.price + longest, "PW-ACT-12")):
            return
        if secret:
            within = yield from common_claim(g, side, o, spent["all"] + a.price, spent["points"] + a.points)
            if not within:
                dear = msg("{hq} could not pay for: {units}", hq=a.hq, units=tuple(a.units))
                emit(g, Remarked(dear, "PW-ACT-12"))
                continue
            if a.points or a.hq not in o.held:
                emit(g, PointsHeld(a.hq, a.points))
            pay(g, a.hq, longest, "PW-TIM-02")
        spent["all"] += a.price
        spent["points"] += a.points
        yield from carry_out(g, side, a, "PW-ACT-12")


def _ideas(g: State, side: str, o: Operation, days: int, left: int) -> Iterator[Any]:
    """What a headquarters could activate when so many points may still be spent; `days` 0: sealed."""

    times, longest = MULTIPLE[days or 14], MULTIPLE[days or o.longest]

    def paid(hq: str, weekly: int, once: int) -> bool:
        return weekly * times + once <= left and weekly * longest + once <= g.hqs[hq].points

    for hq, units, _ in groups(g, side, COMMON, 0, False):
        if paid(hq, sum([x.weekly for x in units]), sum([x.once for x in units])):
            yield {"activate": {"hq": hq, "units": [x.unit for x in units]}}
    for hq, ready in callable_units(g, side).items():
        yield from ({"activate": {"hq": hq, "units": [x.unit]}} for x in ready if paid(hq, x.weekly, x.once))


def read_common(g: State, side: str, plain: Plain, o: Operation, days: int, spent: int) -> Activation | None:
    """[PW-ACT-12] An activation that its headquarters can pay, after what was spent; `days` 0: sealed. Raises Rejected."""
    a = read_activation(g, side, plain, 9999, 3, False)
    if a is None:
        return None
    points, price = common_price(g, side, a.units, days or 14)
    has = g.hqs[a.hq].points
    if not days and points * MULTIPLE[o.longest] + price - points > has:
        why = msg("{hq} could not pay for {days} days", hq=a.hq, days=o.longest)
        raise illegal(why, "PW-ACT-12", msg("its command points: {points}", points=has))
    if spent + price > COMMON:
        why = msg("this costs too many command points: {price}", price=price)
        raise illegal(why, "PW-ACT-12", msg("at most: {most}", most=COMMON - spent))
    if price > has:
        raise illegal(msg("{hq} has too few command points: {points}", hq=a.hq, points=has), "PW-ACT-12")
    return Activation(a.hq, a.units, days or 14, points, price)
