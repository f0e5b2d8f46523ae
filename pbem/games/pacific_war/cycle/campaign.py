"""[PW-SEQ-03] to [PW-SEQ-06] Months and operations of campaigns and the strategic game."""

from __future__ import annotations

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.clock import CyclesCleared, DayCame, LastCycleCounted, MonthBegan, OperationEnded
from pbem.games.pacific_war.cycle.calendar import (
    advance,
    after_days,
    in_operation,
    refresh,
    settle_seals,
    show_length,
    stand_down,
)
from pbem.games.pacific_war.events import (
    InstallationTaken,
    MarkerRemoved,
    Moved,
    Remarked,
    Removed,
)
from pbem.games.pacific_war.land.sieges import declare_sieges
from pbem.games.pacific_war.postures import TorpedoesLoaded
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.fleets import unveil_side
from pbem.games.pacific_war.secret.forces import conceal, concealing, unveil_force
from pbem.games.pacific_war.state import FOE, SIDES, STRATEGIC, State
from pbem.games.pacific_war.units.changes import deactivate, leave_fleet
from pbem.games.pacific_war.victory import finish
from pbem.games.pacific_war.world.initiative import settle_losses
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Flow
from pbem.kernel.wording import msg

STRATEGIC_FIRST = ("strategic-bombing", "escort", "submarine-priority", "harassment")
MONTHLY = (
    "command-points",
    "isolation",
    "strategic-transport",
    "reinforcements",
    "naval-repair",
    "strategy",
    "replacements",
    "engineering",
)
LAST_CYCLES = 5  # [PW-TIM-05]


def month(g: State, number: int) -> Flow[None]:
    """[PW-SEQ-03] The monthly phases; then bids, unless an operation goes on."""
    emit(g, MonthBegan(number))
    refresh(g)
    if concealing(g):
        yield from conceal_resting(g)
    weather = ("weather",) if g.options.get("weather") == "yes" else ()
    phases = [*weather, "strategic-intelligence", *(STRATEGIC_FIRST if g.level == STRATEGIC else ()), *MONTHLY]
    names: list[tuple[str, tuple[bool, ...]]] = [(p, ()) for p in phases]
    if g.operation is None:
        names.append(("bids", (True,)))
    emit(g, Scheduled(tuple(names), "PW-SEQ-03"))


def conceal_resting(g: State) -> Flow[None]:
    """[PW-FOG-01] At the start of a month what rests goes behind Force markers; links are then those of hidden aircraft."""
    yield from show_cover(g)
    for side in SIDES:
        conceal(g, side, linked_hexes(g, side))
    yield from show_cover(g)


def month_end(g: State, marched: bool) -> Flow[None]:
    """[PW-SEQ-06] Submarines go home; the next month begins, or the scenario ends. `marched`: the day marker did it."""
    for side in SIDES:
        _submarines_home(g, side)
    if not marched and g.day:
        emit(g, DayCame(0, rule="PW-SEQ-04"))
    yield from show_cover(g)
    drop_unlinked_bases(g)
    if g.month - 1 < g.last_month:
        yield from _show_everything(g)
        finish(g)
        return
    emit(g, Scheduled((("month", (g.month - 1,)),), "PW-SEQ-06"))


def _show_everything(g: State) -> Flow[None]:
    """[PW-FOG-01] At the end of a scenario nothing is hidden any more."""
    for side in SIDES:
        yield from unveil_side(g, side, "PW-SEQ-02")
        for place in list(g.forces.get(side, ())):
            yield from unveil_force(g, side, place, "PW-SEQ-02")


def _submarines_home(g: State, side: str) -> None:
    ports = [h for h, b in g.ports.items() if b.side == side]
    for boat in [u for u in g.on_map(side, "submarine") if g.units[u].active]:
        if ports:
            _, home = min((distance(g.units[boat].at, h), h) for h in ports)
            emit(g, Moved(boat, home, "PW-SEQ-06"))
        deactivate(g, boat, "PW-SEQ-06")


def drop_unlinked_bases(g: State) -> None:
    """[PW-OSB-02] A support base that is not linked is removed."""
    for side in SIDES:
        mine = [h for h, b in g.osbs.items() if b.side == side]
        if mine:
            linked = linked_hexes(g, side)
            for h in mine:
                if h not in linked:
                    emit(g, InstallationTaken("osb", h, "", "PW-OSB-02"))


def operation(g: State) -> Flow[None]:
    """[PW-SEQ-03] After the activation: intelligence, contact, reaction, battle cycles."""
    if g.operation is None:
        emit(g, Scheduled((("bids", (False,)),), "PW-BID-05"))
        return
    emit(g, CyclesCleared())
    for unit, u in g.units.items():
        if u.spent:
            emit(g, TorpedoesLoaded(unit))
    yield from declare_sieges(g)
    phases: list[tuple[str, tuple[bool, ...]]] = [
        ("operational-intelligence", ()),
        ("contact", (False,)),
        ("condition", ()),
        ("reaction-activation", ()),
        ("contact", (True,)),
        ("cycle", ()),
    ]
    emit(g, Scheduled(tuple(phases), "PW-SEQ-03"))


def campaign_cycle_end(g: State) -> Flow[None]:
    """[PW-CAL-01] [PW-SEQ-05] Two days; end markers; the operation ends when nobody is activated."""
    ends = advance(g, 2)
    for side in SIDES:
        yield from settle_seals(g, side)
    idle = not in_operation(g, g.operator)
    if idle and g.operation is not None and in_operation(g, g.reactor):
        emit(g, LastCycleCounted())
        if g.operation.last_cycles > LAST_CYCLES:
            yield from stand_down(g, g.reactor)
    yield from after_days(g)
    drop_unlinked_bases(g)
    month_over: list[tuple[str, tuple[bool, ...]]] = [("month-end", (True,))] if ends else []
    if in_operation(g, g.operator) or in_operation(g, g.reactor):
        emit(g, Scheduled((*month_over, ("operation-check", ())), "PW-SEQ-05"))
    else:  # [PW-SEQ-05] its losses count before the next month begins
        emit(g, Scheduled((("operation-end", ()), *month_over), "PW-SEQ-05"))


def operation_check(g: State) -> None:
    """[PW-SEQ-05] The next cycle, or the end of the operation."""
    if in_operation(g, g.operator) or in_operation(g, g.reactor):
        emit(g, Scheduled((("cycle", ()),), "PW-SEQ-05"))
    else:
        emit(g, Scheduled((("operation-end", ()),), "PW-SEQ-05"))


def _lost_anchorage(g: State, side: str, place: int) -> bool:
    """[PW-MOV-04] Enemy troops hold the anchorage alone, or have overrun it in this operation and it was not won back."""
    port = g.ports.get(place)
    won_back = bool(g.ashore(side, place)) or (port is not None and port.side == side)
    return g.anchorage(place) and (g.overrun(side, place) or (g.fallen.get(place) == FOE[side] and not won_back))


def operation_end(g: State) -> Flow[None]:
    """[PW-SEQ-05] [PW-DET-01] Task forces dissolve; ships in overrun anchorages are lost; then new bids."""
    yield from show_length(g)
    for marker in list(g.markers):
        for ship in g.members(marker):
            leave_fleet(g, ship, "PW-DET-01")
            deactivate(g, ship, "PW-DET-01")
        emit(g, MarkerRemoved(marker, "PW-DET-01"))
    for side in SIDES:
        for place in [h for h in g.forces.get(side, ()) if _lost_anchorage(g, side, h)]:
            yield from unveil_force(g, side, place, "PW-MOV-04")
        for unit in [*g.on_map(side, "naval", "submarine")]:
            if _lost_anchorage(g, side, g.units[unit].at):
                for name in [unit, *g.air_aboard(unit), *g.cargo(unit)]:
                    emit(g, Removed(name, "eliminated", "PW-MOV-04"))
    if g.level == STRATEGIC:
        settle_losses(g)
    emit(g, OperationEnded())
    emit(g, Remarked(msg("The operation is over"), "PW-SEQ-05"))
    month_just_ended = g.stack and g.stack[-1].name in ("bids", "month", "month-end")
    if not month_just_ended:
        emit(g, Scheduled((("bids", (False,)),), "PW-SEQ-05"))
