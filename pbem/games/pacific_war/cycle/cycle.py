"""[PW-SEQ-01] The battle cycle: its phases as segments."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import TENDERS
from pbem.games.pacific_war.clock import CycleBegan, DayCame, PhaseBegan
from pbem.games.pacific_war.cycle.calendar import in_operation
from pbem.games.pacific_war.cycle.campaign import campaign_cycle_end
from pbem.games.pacific_war.land.engineering import mend_airfields
from pbem.games.pacific_war.land.movement import clear_entries, land_phase, march_way, may_move
from pbem.games.pacific_war.land.quality import passes
from pbem.games.pacific_war.land.sieges import declare_sieges, lift_sieges
from pbem.games.pacific_war.movements import TendersCounted
from pbem.games.pacific_war.postures import ReconnaissanceLapsed, Undetected
from pbem.games.pacific_war.sea.movement import movers, release, sea_phase
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.fleets import arrange_sealed, offer_seal, offer_show, sealing
from pbem.games.pacific_war.secret.forces import stirring
from pbem.games.pacific_war.secret.marches import land_in_secret, may_come_ashore, move_in_secret
from pbem.games.pacific_war.secret.meeting import has_force
from pbem.games.pacific_war.secret.orders import MARCH
from pbem.games.pacific_war.state import BATTLE, CAMPAIGN, ENGAGEMENT, FOE, SIDES, STRATEGIC, State
from pbem.games.pacific_war.units.changes import deactivate, rally_unit
from pbem.games.pacific_war.units.fleets import organize_everywhere
from pbem.games.pacific_war.victory import check_end
from pbem.games.pacific_war.world.links import linked
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import msg


def begin(g: State) -> Flow[None]:
    """[PW-SEQ-01] The sides arrange their task forces; then the contact phases, or the first cycle."""
    for side in SIDES:
        if sealing(g):
            yield from arrange_sealed(g, side)
        else:
            yield from organize_everywhere(g, side, "PW-FOG-02", asked=bool(g.script.get("arrange")))
    if g.level == BATTLE:
        yield from declare_sieges(g)
    first: list[tuple[str, tuple[bool, ...]]] = (
        [("cycle", ())] if g.level == ENGAGEMENT else [("contact", (False,)), ("contact", (True,)), ("cycle", ())]
    )
    emit(g, Scheduled(tuple((n, a) for n, a in first), "PW-SEQ-01"))


def cycle(g: State) -> None:
    """[PW-SEQ-01] The phases of one battle cycle, in order."""
    if g.operation is not None and not any(in_operation(g, s) for s in SIDES):
        emit(g, Scheduled((("operation-end", ()),), "PW-SEQ-05"))
        return
    emit(g, CycleBegan(g.cycle + 1))
    phases: list[tuple[str, tuple[str | bool, ...]]] = [
        ("light", ()),
        ("advantage", ()),
        ("movement", (True,)),
        ("missions", (True,)),
        ("naval", ()),
        ("bombardment", ()),
        ("ground", ()),
        ("repair", ()),
        ("rally", ()),
        ("movement", (False,)),
        ("missions", (False,)),
        ("common", ()),
        ("removal", ()),
        ("cycle-end", ()),
    ]
    if g.level in (CAMPAIGN, STRATEGIC):
        phases.insert(6, ("demolition", ()))
    if g.ledger.get("doolittle"):
        phases.insert(3, ("doolittle", ()))
    emit(g, Scheduled(tuple(phases), "PW-SEQ-01"))


def movement(g: State, advantaged: bool, boarding: bool = True) -> Flow[None]:
    """[PW-MOV-14] One side's Movement Phase: task forces reorganize, then ground and naval units in either order. Whether
    troops go aboard and ashore in secret too (`boarding`) is a matter of the rules version."""
    side = g.advantage if advantaged else FOE[g.advantage]
    emit(g, PhaseBegan("movement", "PW-MOV-14"))
    if not g.script.get("still"):
        yield from offer_show(g, side, "PW-MOV-14")
        if g.cycle > 1:
            yield from offer_seal(g, side)
        yield from organize_everywhere(g, side, "PW-FOG-02")
        land = any(may_move(g, u) for u in g.on_map(side, "ground")) or stirring(g, side)
        land = land or (boarding and may_come_ashore(g, side))
        sea = bool(movers(g, side, 1))
        order = ["land", "sea"]
        if land and sea:
            first = yield from choose_unit(g.board.unit_index, side, "first", "PW-MOV-14", msg("which kind moves first"), order)
            order = [first, *(k for k in order if k != first)]
        for kind in order:
            yield from _land(g, side, boarding) if kind == "land" else sea_phase(g, side)
    elif g.markers:
        from pbem.games.pacific_war.sea.searching import search_round

        for seat in (FOE[side], side):
            yield from search_round(g, seat, msg("Movement Phase"))
    release(g)
    clear_entries(g)
    lift_sieges(g)


def _land(g: State, side: str, boarding: bool) -> Flow[None]:
    """[PW-MOV-14] Ground units march: first those that nobody sees."""

    def way(seen: State, who: str, plain: Plain) -> Sequence[int]:
        return march_way(seen, who, plain, False, False)

    yield from land_in_secret(g, side, way, False) if boarding else move_in_secret(g, side, MARCH, way)
    yield from land_phase(g, side, contact=False)


def missions(g: State, advantaged: bool) -> None:
    """[PW-AIR-01] One side's Air Mission Phase."""
    side = g.advantage if advantaged else FOE[g.advantage]
    emit(g, Scheduled((("air-phase", (side, True)),), "PW-AIR-01"))


def repair(g: State) -> Flow[None]:
    """[PW-REP-01] Each player takes all hits and the interdiction off his linked airfields, or leaves damage."""
    for side in (g.advantage, FOE[g.advantage]):
        yield from mend_airfields(g, side, "PW-REP-01")


def rally(g: State) -> Flow[None]:
    """[PW-RAL-01] Demoralized units without enemies in the hex: one test a hex with one unit's halved quality."""
    if any(u.demoralized for u in g.units.values()):
        yield from show_cover(g)
    for side in (g.advantage, FOE[g.advantage]):
        if any(u.box == "sealed" and u.demoralized and g.side(n) == side for n, u in g.units.items()):
            yield from offer_show(g, side, "PW-RAL-01")
        shaken = [u for u in g.on_map(side, "ground") if g.units[u].demoralized]
        for place in dict.fromkeys(g.units[u].at for u in shaken):
            units = [u for u in shaken if g.units[u].at == place]
            if g.ashore(FOE[side], place) or not linked(g, side, place):
                continue
            best = max(units, key=lambda u: g.counter(u).tq)
            unit = yield from choose_unit(
                g.board.unit_index,
                side,
                "rally",
                "PW-RAL-01",
                msg("who rallies in {place}", place=g.board.name(place)),
                units,
                none=True,
                default=best,
            )
            if not unit:
                continue
            good = yield from passes(g, unit, msg("rally"), "PW-RAL-01")
            for u in units:
                (rally_unit if good else deactivate)(g, u, "PW-RAL-01")


def removal(g: State) -> None:
    """[PW-DET-01] Task forces become undetected where no enemy unit is in the hex."""
    for marker, m in g.markers.items():
        foe = FOE[m.side]
        met = g.here(foe, m.at, "air", "ground") or g.afloat(foe, m.at) or has_force(g, foe, m.at)
        if m.detected and not met:
            emit(g, Undetected(marker))
        if m.level:
            emit(g, ReconnaissanceLapsed(marker))


def cycle_end(g: State) -> Flow[None]:
    """[PW-CAL-01] Two days pass; the scenario ends or the next cycle begins."""
    stayed = _tenders(g)
    if stayed != g.seaplanes:
        emit(g, TendersCounted(stayed))
    lift_sieges(g)
    if g.operation is not None:
        yield from campaign_cycle_end(g)
        return
    if g.level != ENGAGEMENT:
        emit(g, DayCame(g.day + 2))
    check_end(g)
    if not g.winner:
        emit(g, Scheduled((("cycle", ()),), "PW-SEQ-01"))


def _tenders(g: State) -> dict[str, int]:
    """[PW-BAS-03] Tenders that stayed a whole cycle in coastal or restricted water, one in a hex, and the bases there were."""
    found = {s: n for s, n in g.seaplanes.items() if n > 0}
    taken = [g.units[s].at for s in found if g.units[s].box == "map"]
    for side in SIDES:
        for ship in g.on_map(side, "naval"):
            calm = g.board.hex(g.units[ship].at).water in ("coastal", "restricted")
            stays = g.counter(ship).type in TENDERS and calm and g.seaplanes.get(ship) != 0
            if stays and (ship in found or g.units[ship].at not in taken):
                found[ship] = g.seaplanes.get(ship, 0) + 1
                taken.append(g.units[ship].at)
    return found
