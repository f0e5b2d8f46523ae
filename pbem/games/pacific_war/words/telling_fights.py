"""Missions, naval combats and sieges in words, from the state just before each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.pacific_war import engagements as f
from pbem.games.pacific_war.records import Mission
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import MISSIONS, RANGES, SIDES, block_of, place, things
from pbem.games.pacific_war.words.telling_units import hexes
from pbem.kernel.wording import Declared, Message, Told, msg

# -- missions -------------------------------------------------------------------------------------------------------------


def _mission_heading(g: State, m: Mission) -> Message:
    return msg("{power}, {type}: {place}", power=SIDES[m.side], type=MISSIONS[m.type], place=place(g, m.target))


def _mission_began(g: State, x: f.MissionBegan) -> Told:
    m = x.mission
    flights = [
        msg("{units} ({way})", units=tuple(group.units), way=tuple(f"{h:04d}" for h in group.path)) for group in m.flights
    ]
    text = msg("Takes off: {flights}", flights=tuple(flights))
    here, units = _mission_heading(g, m), tuple(unit for group in m.flights for unit in group.units)
    declared = msg("{mission} – {units}", mission=here, units=units)
    short, declares = msg("Taking off: {units}", units=units), (Declared(declared, here),)
    return Told("battle", text, x.rule, here, hexes(m.target), declares=declares, short=short)


def _in_flight(g: State, text: Message, rule: str) -> Told:
    """A sentence about the mission that is being flown."""
    assert g.mission is not None
    return Told("battle", text, rule, block_of(g), hexes(g.mission.target))


def _coordinated(g: State, x: f.Coordinated) -> Told | None:
    if g.mission is None or g.mission.type != "strike":
        return None
    return _in_flight(g, msg("The mission is coordinated") if x.good else msg("The mission is not coordinated"), x.rule)


def _mission_detected(g: State, x: f.MissionDetected) -> Told:
    return _in_flight(g, msg("The mission is detected"), x.rule)


def _alerted(g: State, x: f.Alerted) -> Told:
    return _in_flight(g, msg("Alerted: {things}", things=things(x.units) or msg("nobody")), x.rule)


def _gave_up(g: State, x: f.GaveUp) -> Told | None:
    return _in_flight(g, msg("Gives up the mission: {things}", things=things(x.new)), x.rule) if x.new else None


def _targets(g: State, x: f.TargetsNamed) -> Told | None:
    aims = tuple(msg("{unit} ({targets})", unit=u, targets=tuple(map(str, at))) for u, at in x.targets.items())
    return _in_flight(g, msg("Targets: {aims}", aims=aims), x.rule) if aims else None


def _mission_ended(g: State, x: f.MissionEnded) -> Told:
    fights = g.mission is not None and g.mission.type not in ("transfer", "patrol")
    return Told("battle", msg("The mission is over"), x.rule, block_of(g), closing=fights)


# -- naval combats --------------------------------------------------------------------------------------------------------


def _sea_began(g: State, x: f.SeaBegan) -> Told | None:
    if x.sea is None:
        return Told("battle", msg("The combat is over"), x.rule, block_of(g), closing=True)
    if g.sea is not None:
        return Told("battle", msg("Range: {range}", range=RANGES[x.sea.range]), x.rule, block_of(g)) if x.sea.range else None
    text = msg("Naval combat: {place}", place=place(g, x.sea.hex))
    words = (
        msg("The combat begins; surprise: {power}", power=SIDES[x.sea.surprise]) if x.sea.surprise else msg("The combat begins")
    )
    return Told("battle", words, x.rule, text, hexes(x.sea.hex))


def _round(g: State, x: f.RoundBegan) -> Told:
    return Told("dice", msg("Round {n}", n=x.phase), x.rule, block_of(g))


def _range(g: State, x: f.RangeChanged) -> Told:
    return Told("battle", msg("Range: {range}", range=RANGES[x.range]), x.rule, block_of(g))


# -- sieges ---------------------------------------------------------------------------------------------------------------


def _besieged(g: State, x: f.Besieged) -> Told:
    text = msg("Besieged: {places}", places=tuple(place(g, h) for h in x.places))
    return Told("battle", text, x.rule, declares=(Declared(text, text),) if x.places else ())


def _sieges_over(g: State, x: f.SiegesOver) -> Told:
    return Told("battle", msg("The siege is over: {places}", places=tuple(place(g, h) for h in x.places)), x.rule)


TELL: dict[type, Callable[[State, Any], Told | None]] = {
    f.MissionBegan: _mission_began,
    f.Coordinated: _coordinated,
    f.MissionDetected: _mission_detected,
    f.Alerted: _alerted,
    f.GaveUp: _gave_up,
    f.TargetsNamed: _targets,
    f.MissionEnded: _mission_ended,
    f.SeaBegan: _sea_began,
    f.RoundBegan: _round,
    f.RangeChanged: _range,
    f.Besieged: _besieged,
    f.SiegesOver: _sieges_over,
}
