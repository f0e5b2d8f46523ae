"""The course of a game in words: time, operations, points, headquarters, works, control, shipping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.pacific_war import clock as c
from pbem.games.pacific_war import movements as m
from pbem.games.pacific_war import strategic as s
from pbem.games.pacific_war import tallies as t
from pbem.games.pacific_war import veils as v
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.terms import (
    CONDITIONS,
    LIGHT,
    PHASES,
    SHIPPING,
    SIDES,
    WEATHER_ZONES,
    WEATHERS,
    WORKS,
    month,
    place,
)
from pbem.games.pacific_war.world.initiative import level_at, levels
from pbem.kernel.wording import Argument, Declared, Message, Told, msg, signed

# -- time -----------------------------------------------------------------------------------------------------------------


def _month(g: State, x: c.MonthBegan) -> Told | None:
    return Told("turn", month(x.month), x.rule) if x.month != g.month else None  # a game begins in its first month


def _day(g: State, x: c.DayCame) -> Told:
    return Told("orders", msg("Day {n}", n=x.day), x.rule)


def _cycle(g: State, x: c.CycleBegan) -> Told:
    return Told("turn", msg("Battle cycle {n}", n=x.cycle), x.rule)


def _cycles_cleared(g: State, x: c.CyclesCleared) -> Told | None:
    return Told("turn", msg("Battle cycle {n}", n=0), x.rule) if g.cycle else None


def _phase(g: State, x: c.PhaseBegan) -> Told:
    return Told("phase", PHASES[x.phase], x.rule)


def _weather(g: State, x: c.WeatherSet) -> Told:
    found = tuple(msg("{zone}: {weather}", zone=WEATHER_ZONES[zone], weather=WEATHERS[now]) for zone, now in x.weather.items())
    return Told("politics", msg("Weather of the month: {conditions}", conditions=found), x.rule)


def _light(g: State, x: c.LightSet) -> Told:
    return Told("orders", msg("Light: {light}", light=LIGHT[x.light]), x.rule)


def _advantage(g: State, x: c.AdvantageSet) -> Told:
    return Told("orders", msg("Advantaged player: {power}", power=SIDES[x.side]), x.rule)


def _stopped(g: State, x: m.ApproachStopped) -> Told:
    return Told("orders", msg("The approach is stopped"), x.rule)


# -- operations -----------------------------------------------------------------------------------------------------------


def _operator(g: State, x: c.OperatorNamed) -> Told:
    return Told("orders", msg("Operations player: {power}", power=SIDES[x.side]), x.rule)


def _next_claim(g: State, x: c.NextClaimSet) -> Told | None:
    if x.side not in SIDES:
        return None
    return Told("orders", msg("May begin the next operation without a bid: {power}", power=SIDES[x.side]), x.rule)


def _operation(g: State, x: c.OperationBegan) -> Told:
    o = x.operation
    text = msg("Operation of the headquarters {hq}: bid {bid}, level {level}", hq=o.hq, bid=o.bid, level=o.level)
    return Told("phase", text, x.rule, declares=(Declared(text, text),))


def _condition(g: State, x: c.ConditionSet) -> Told:
    return Told("battle", msg("Intelligence condition: {condition}", condition=CONDITIONS[x.condition]), x.rule)


def _reaction(g: State, x: c.ReactionTimed) -> Told:
    return Told("orders", msg("Reaction time ends {n} days after the start", n=x.until), x.rule)


def _penalty(g: State, x: c.PenaltyBegan) -> Told:
    return Told("orders", msg("Penalty time, {n} days after the start", n=x.until), x.rule)


# -- command points and headquarters --------------------------------------------------------------------------------------


def _purse(g: State, x: t.PurseFilled) -> Told | None:
    if not x.points:
        return None
    return Told("income", msg("Command points of the month, {power}: {n}", power=SIDES[x.side], n=x.points), x.rule)


def _hq_points(g: State, x: t.HqPointsSet) -> Told:
    text = msg("{power}, command points of {hq}: {n}", power=SIDES[g.hqs[x.hq].side], hq=x.hq, n=x.points)
    return Told("income", text, x.rule)


def _paid(g: State, x: v.Paid) -> Told:
    if not x.payment.hq:
        text = msg("{power}, command points of the bid that are not spent: {n}", power=SIDES[x.side], n=x.payment.points)
        return Told("income", text, x.rule)
    text = msg("{power}, command points of {hq}: {n}", power=SIDES[x.side], hq=x.payment.hq, n=signed(-x.payment.points))
    return Told("income", text, x.rule)


def _headquarters(g: State, hq: str, now: Message, rule: str) -> Told:
    text = msg("{power}, headquarters {hq}: {where}", power=SIDES[g.hqs[hq].side], hq=hq, where=now)
    return Told("orders", text, rule)


def _hq_arrived(g: State, x: t.HqArrived) -> Told:
    return _headquarters(g, x.hq, msg("on the map"), x.rule)


def _hq_dispersed(g: State, x: t.HqDispersed) -> Told:
    return _headquarters(g, x.hq, msg("dispersed"), x.rule)


def _hq_lost(g: State, x: t.HqLost) -> Told:
    return _headquarters(g, x.hq, msg("out of the game"), x.rule)


# -- works and control ----------------------------------------------------------------------------------------------------


def _work(g: State, h: int) -> dict[str, Argument]:
    work = g.works[h]
    return {"power": SIDES[work.side], "place": place(g, h), "what": WORKS[work.kind]}


def _work_began(g: State, x: t.WorkBegan) -> Told:
    args: dict[str, Argument] = {"power": SIDES[x.work.side], "place": place(g, x.place), "what": WORKS[x.work.kind]}
    return Told("build", msg("{power} builds in {place}: {what}", **args), x.rule)


def _work_hit(g: State, x: t.WorkHit) -> Told:
    power = SIDES[g.works[x.place].side]
    text = msg("{power}, construction in {place}: hits {n}", power=power, place=place(g, x.place), n=x.hits)
    return Told("battle", text, x.rule)


def _work_over(g: State, x: t.WorkOver) -> Told:
    return Told("build", msg("{power}, work is over in {place}: {what}", **_work(g, x.place)), x.rule)


def _control(g: State, x: t.ControlTaken) -> Told:
    before, after = SIDES[g.control.get(x.place, "")], SIDES[x.side]
    text = msg("{place}: held by {before} before, by {after} now", place=place(g, x.place), before=before, after=after)
    return Told("control", text, x.rule)


# -- the strategic game ---------------------------------------------------------------------------------------------------


def _merchants(g: State, x: s.MerchantsSet) -> Told:
    return _shipping("merchants", x.points, x.rule)


def _escorts(g: State, x: s.EscortsSet) -> Told:
    return _shipping("escorts", x.steps, x.rule)


def _shipping(what: str, n: int, rule: str) -> Told:
    return Told("income", msg("Japanese merchant shipping, {what}: {n}", what=SHIPPING[what], n=n), rule)


def _initiative(g: State, x: s.InitiativeMoved) -> Told:
    level = level_at(g, x.space)
    text = msg(
        "Strategic initiative: {side}, level {level} (space {space} of {last})",
        side=SIDES[JAPAN if level > 0 else ALLIES if level else ""],
        level=abs(level),
        space=abs(x.space),
        last=len(levels(g)),
    )
    return Told("politics", text, x.rule)


TELL: dict[type, Callable[[State, Any], Told | None]] = {
    c.MonthBegan: _month,
    c.DayCame: _day,
    c.CycleBegan: _cycle,
    c.CyclesCleared: _cycles_cleared,
    c.PhaseBegan: _phase,
    c.WeatherSet: _weather,
    c.LightSet: _light,
    c.AdvantageSet: _advantage,
    m.ApproachStopped: _stopped,
    c.OperatorNamed: _operator,
    c.NextClaimSet: _next_claim,
    c.OperationBegan: _operation,
    c.ConditionSet: _condition,
    c.ReactionTimed: _reaction,
    c.PenaltyBegan: _penalty,
    t.PurseFilled: _purse,
    t.HqPointsSet: _hq_points,
    v.Paid: _paid,
    t.HqArrived: _hq_arrived,
    t.HqDispersed: _hq_dispersed,
    t.HqLost: _hq_lost,
    t.WorkBegan: _work_began,
    t.WorkHit: _work_hit,
    t.WorkOver: _work_over,
    t.ControlTaken: _control,
    s.MerchantsSet: _merchants,
    s.EscortsSet: _escorts,
    s.InitiativeMoved: _initiative,
}
