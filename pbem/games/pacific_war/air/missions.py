"""[PW-AIR-01] to [PW-AIR-06] Air missions: the phase of a side, and the course of a mission."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbem.games.pacific_war.air.combat import air_clash, patrol_clash
from pbem.games.pacific_war.air.exchange import promote
from pbem.games.pacific_war.air.flight import fighting_units, mission_of, over
from pbem.games.pacific_war.air.landings import bases_for, land, land_all, rehome, reorganize_bases, return_waves
from pbem.games.pacific_war.air.mission_orders import (
    Plan,
    crews,
    flies_so_far,
    mission_options,
    read_mission,
    targets_at,
    why_not,
)
from pbem.games.pacific_war.air.paradrops import drop
from pbem.games.pacific_war.air.patrols import PATROL, end_patrols, take_station
from pbem.games.pacific_war.air.strikes import fire_flak, simultaneous, strike
from pbem.games.pacific_war.air.targets import fleet_targets, name_targets, needs_targets
from pbem.games.pacific_war.clock import PhaseBegan
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.engagements import Coordinated, HomesNoted, MissionBegan, MissionEnded, StruckInland
from pbem.games.pacific_war.land.occupation import contested, fall
from pbem.games.pacific_war.operation_forms import missions
from pbem.games.pacific_war.orders import PASS
from pbem.games.pacific_war.records import Flight, Mission
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.fleets import offer_show, unveil
from pbem.games.pacific_war.secret.forces import unveil_force
from pbem.games.pacific_war.secret.meeting import AIR, GROUND, has_force, offer_part
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.world.weather import cancelled, without
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.questions import yes_or_no
from pbem.kernel.wording import msg


def air_phase(g: State, side: str, first: bool) -> Flow[None]:
    """[PW-AIR-01] A side flies missions until it passes; then its air units reorganize."""
    if first:
        yield from offer_show(g, side, "PW-AIR-04")
        yield from show_cover(g)
        emit(g, PhaseBegan("air", "PW-SEQ-01"))
    ready = [u for u in g.on_map(side, "air") if why_not(g, u) is None]
    if not ready:
        emit(g, Scheduled((("air-end", (side,)),), "PW-AIR-18"))
        return
    plan: Plan | None = yield Ask(
        side,
        "mission",
        "PW-AIR-01",
        msg("fly a mission or pass"),
        lambda plain: read_mission(g, side, plain),
        ("mission", PASS),
        facts={"cycle": g.cycle, "light": g.light},
        options=lambda: mission_options(g, side, ready),
        form=lambda: missions(
            g,
            side,
            ("mission", PASS),
            crews(g, side, ready),
            ready,
            lambda place: place not in g.targeted and targets_at(g, FOE[side], place),
            partial(flies_so_far, g),
            lambda plain: read_mission(g, side, plain),
        ),
    )
    if plan is None:
        emit(g, Scheduled((("air-end", (side,)),), "PW-AIR-18"))
        return
    flights = [Flight(list(units), list(path)) for units, path in plan.flights]
    lost = yield from cancelled(g, side, [u for f in flights for u in f.units])
    flights = without(g, flights, lost)
    if not flights:
        emit(g, Scheduled((("air-phase", (side, False)),), "PW-WX-03"))
        return
    cargo = {troops: carrier for troops, carrier in plan.cargo if carrier not in lost}
    emit(g, MissionBegan(Mission(side, plan.type, plan.target, flights, cargo=cargo), "PW-AIR-04"))
    emit(g, Scheduled((("mission", ()), ("air-phase", (side, False))), "PW-AIR-03"))


def air_end(g: State, side: str) -> Flow[None]:
    """[PW-AIR-18] The end of an Air Mission Phase: waves that did not strike come home, bases reorganize."""
    if side != g.advantage and g.waves:
        yield from return_waves(g)
    if side != g.advantage:
        yield from end_patrols(g)
    reorganize_bases(g, side)


def mission(g: State) -> Flow[None]:
    """[PW-AIR-03] One mission from coordination to landing."""
    m = mission_of(g)
    units = [u for f in m.flights for u in f.units]
    yield from _coordinate(g, units)
    homes = {u: g.units[u].aboard or f"{g.units[u].at:04d}" for u in units}
    emit(g, HomesNoted(homes))
    yield from fly_out(g)
    if m.type == PATROL:
        take_station(g)
        emit(g, MissionEnded("PW-OPT-17"))
        return
    before = contested(g)
    if m.type in ("strike", "superiority", "paradrop") and fighting_units(g):
        yield from _over_target(g)
    yield from land_all(g)
    yield from promote(g)
    yield from rehome(g)
    emit(g, MissionEnded())
    yield from fall(g, before)


def fly_out(g: State) -> Flow[None]:
    """[PW-MOV-15] One stack after the other flies to the target."""
    m = mission_of(g)
    for flight in m.flights:
        start = flight.path[0]
        flying: list[str] = [u for u in flight.units if g.waves.get(u, g.units[u].at) == start]
        for place in flight.path[1:]:
            flying = [u for u in flying if u not in m.landed and g.units[u].box == "map"]
            if not flying:
                break
            joining = [u for u in flight.units if u not in flying and u not in m.landed and g.units[u].at == place]
            yield from over(g, flying, place, place == m.target and _is_goal(g, flying))
            flying += joining  # they have flown nothing yet
            if place != m.target:
                yield from _turn_back(g, [u for u in flying if g.units[u].box == "map"], place)
        if flight.path[0] == m.target:
            yield from over(g, flying, m.target, True)


def _turn_back(g: State, flying: Sequence[str], place: int) -> Flow[None]:
    """[PW-AIR-10] Who aborts on the way lands at once; then the owner of the others says whether they go on."""
    m = mission_of(g)
    beaten = [u for u in flying if u in m.aborted]
    if not beaten:
        return
    yield from land(g, beaten, place)
    others = [u for u in flying if u not in beaten]
    if others:
        on = yield from yes_or_no(m.side, "go_on", "PW-AIR-10", msg("the other units go on to the target"), default="yes")
        if not on:
            yield from land(g, others, place)


def _is_goal(g: State, flying: Sequence[str]) -> bool:
    """The last hex of the way is the target; of a transfer only where somebody can land [PW-AIR-16]."""
    m = mission_of(g)
    return m.type != "transfer" or any(bases_for(g, u, m.target, 0) for u in flying)


def _coordinate(g: State, units: Sequence[str]) -> Flow[None]:
    """[PW-AIR-05] Coordination."""
    m = mission_of(g)
    good = m.type == "superiority" or (m.type == "strike" and len(units) == 1)
    if m.type == "strike" and len(units) > 1:
        label = msg("coordination of the strike on {place}", place=hex_term(g, m.target))
        rolled = yield from die(g, label, "PW-AIR-05", m.side)
        good = rolled <= 3 * min(g.counter(u).level for u in units)
    if good or m.type == "strike":
        emit(g, Coordinated(good))


def _over_target(g: State) -> Flow[None]:
    """[PW-AIR-03] [PW-AIR-14] In the target hex: CAP and flak first if detected, flak last if not."""
    m = mission_of(g)
    for marker in g.forces_at(FOE[m.side], m.target):
        if g.markers[marker].detected:
            yield from unveil(g, marker, "PW-AIR-14")
    yield from patrol_clash(g)
    if m.detected and fighting_units(g):
        yield from offer_part(
            g,
            FOE[m.side],
            m.target,
            AIR,
            "PW-AIR-08",
            msg("show aircraft in {place}, to be alerted", place=g.board.name(m.target)),
        )
        yield from air_clash(g)
    if not fighting_units(g):
        return
    late_flak = g.condition == "cv-ambush" and g.cycle == 1 and g.advantage == m.side
    if m.type == "paradrop":
        if m.detected:
            yield from _flak(g)
        yield from drop(g)
        if not m.detected:
            yield from _flak(g)
        return
    yield from _meet_force(g)
    if needs_targets(g):
        yield from name_targets(g)
    yield from simultaneous(g)
    if m.detected and not (late_flak and m.fleets):
        yield from _flak(g)
        yield from strike(g)
    else:
        yield from strike(g)
        yield from _flak(g)


def _meet_force(g: State) -> Flow[None]:
    """[PW-AIR-14] [PW-SRC-01] A Force is always detected: it is shown when a mission attacks what is not at sea."""
    m = mission_of(g)
    foe = FOE[m.side]
    if not has_force(g, foe, m.target) or g.night or all(g.counter(u).kamikaze for u in fighting_units(g)):
        return
    if fleet_targets(g) and m.type == "strike":
        prompt = msg("strike the Force in {place}, not the task forces", place=g.board.name(m.target))
        yes = yield from yes_or_no(m.side, "strike_force", "PW-AIR-14", prompt)
        if not yes:
            return
        emit(g, StruckInland())
    yield from unveil_force(g, foe, m.target, "PW-AIR-14", kind=AIR if m.type == "superiority" else "")


def _flak(g: State) -> Flow[None]:
    """[PW-AIR-13] Hidden troops may be shown to fire."""
    m = mission_of(g)
    if fighting_units(g) and not m.fleets:
        yield from offer_part(
            g,
            FOE[m.side],
            m.target,
            GROUND,
            "PW-AIR-13",
            msg("show troops in {place}, to fire flak", place=g.board.name(m.target)),
        )
    yield from fire_flak(g)
