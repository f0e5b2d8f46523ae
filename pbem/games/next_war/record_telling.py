"""Records that move, in words: weather, initiative, points, supply, sea control."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.next_war.events.air import AirLevelSet, AirmobilePointsSet, AirPointLost, AirPointsReceived, AirPointsSpent
from pbem.games.next_war.events.losses import ReplacementsSet, SupplyJudged
from pbem.games.next_war.events.sea import AntisubmarineSet, SeaControlSet, ThreatSet
from pbem.games.next_war.events.turns import InitiativeHeld, TurnOpened, WeatherSet
from pbem.games.next_war.events.victory import PointsCounted
from pbem.games.next_war.labels import AIR_LEVELS, SIDES, WEATHERS, area, block_of
from pbem.games.next_war.state import ALLIED, FOE, LEVELS, State
from pbem.kernel.wording import Message, Told, msg


def air_level(level: int) -> Message:
    """[6.4] The Air Superiority level, from -3 to 3."""
    if not level:
        return msg("Air Superiority: {level}", level=AIR_LEVELS[0])
    side = SIDES[ALLIED if level > 0 else FOE[ALLIED]]
    return msg("Air Superiority: {level}, {power}", level=AIR_LEVELS[min(abs(level), len(LEVELS) - 1)], power=side)


def _weather(g: State, x: WeatherSet) -> Told:
    return Told("orders", msg("Weather: {weather}", weather=WEATHERS[x.weather]), x.rule)


def _turn_opened(g: State, x: TurnOpened) -> Told | None:
    text = msg("This is a Contested Turn") if x.contested else msg("This is an Initiative Turn")
    return Told("orders", text, x.rule) if x.contested != g.contested else None


def _initiative(g: State, x: InitiativeHeld) -> Told:
    return Told("orders", msg("Initiative: {power}", power=SIDES[x.side]), x.rule)


def _air_level(g: State, x: AirLevelSet) -> Told | None:
    return Told("orders", air_level(x.level), x.rule) if x.level != g.air_level else None


def _points(g: State, x: PointsCounted) -> Told | None:
    """Scores that moved; both are told."""
    after = {side: g.vp[side] + g.vp_turn[side] for side in g.vp}
    text = msg("Victory Points: Allied {allied}, Non-Allied {other}", allied=after[ALLIED], other=after[FOE[ALLIED]])
    return Told("income", text, x.rule) if after != g.vp else None


def _supply(g: State, x: SupplyJudged) -> Told | None:
    text = msg("Out of supply: {names}", names=tuple(g.counter(u).name for u in x.out) or msg("nobody"))
    return Told("orders", text, x.rule) if list(x.out) != g.unsupplied else None


def _sea_control(g: State, x: SeaControlSet) -> Told | None:
    text = msg("Sea control of {place}: {power}", place=area(g, x.area), power=SIDES[x.side or ""])
    return Told("control", text, x.rule) if g.sea_control.get(x.area) != x.side else None


def _tally(g: State, sentence: Message, side: str, n: int, before: int | None, rule: str) -> Told | None:
    """A number of a side that changes."""
    if n == before:
        return None
    text = Message(sentence.id, {"power": SIDES.get(side, side), "n": n})
    return Told("income" if rule in INCOME else "orders", text, rule, block_of(g))


INCOME = ("6.1", "11.0")
AIR = msg("Air Points of {power}: {n}")


def _air_received(g: State, x: AirPointsReceived) -> Told | None:
    return _tally(g, AIR, x.side, x.points, g.air.get(x.side), x.rule)


def _air_spent(g: State, x: AirPointsSpent) -> Told | None:
    return _tally(g, AIR, x.side, x.left, g.air.get(x.side), x.rule) if g.fight is None else None  # else told as support


def _air_lost(g: State, x: AirPointLost) -> Told | None:
    return _tally(g, msg("Air Points that {power} has lost for good: {n}"), x.side, g.air_lost[x.side] + 1, None, x.rule)


def _airmobile(g: State, x: AirmobilePointsSet) -> Told | None:
    return _tally(g, msg("Airmobile Points of {power}: {n}"), x.side, x.points, g.lift_points.get(x.side), x.rule)


def _threat(g: State, x: ThreatSet) -> Told | None:
    return _tally(g, msg("Submarine threat of {power}: {n}"), x.side, x.level, g.threat.get(x.side), x.rule)


def _antisubmarine(g: State, x: AntisubmarineSet) -> Told | None:
    return _tally(g, msg("Antisubmarine level of {power}: {n}"), x.side, x.level, g.asw.get(x.side), x.rule)


def _replacements(g: State, x: ReplacementsSet) -> Told | None:
    return _tally(g, msg("Replacement points of {power}: {n}"), x.nation, x.points, g.replacements.get(x.nation), x.rule)


RECORDS_TOLD: dict[type, Callable[[State, Any], Told | None]] = {
    WeatherSet: _weather,
    TurnOpened: _turn_opened,
    InitiativeHeld: _initiative,
    AirLevelSet: _air_level,
    PointsCounted: _points,
    SupplyJudged: _supply,
    SeaControlSet: _sea_control,
    AirPointsReceived: _air_received,
    AirPointsSpent: _air_spent,
    AirPointLost: _air_lost,
    AirmobilePointsSet: _airmobile,
    ThreatSet: _threat,
    AntisubmarineSet: _antisubmarine,
    ReplacementsSet: _replacements,
}
