"""[CM] [NCM] Phases 2 and 4: Combat Move and Noncombat Move."""

from __future__ import annotations

from typing import Any

from pbem.games.axis_and_allies_pacific import forms
from pbem.games.axis_and_allies_pacific.assaults import battle_expected, takes_part_in_assault
from pbem.games.axis_and_allies_pacific.conduct_combat import able_to_engage
from pbem.games.axis_and_allies_pacific.events.combat import Destroyed, DiceRolled
from pbem.games.axis_and_allies_pacific.events.conquest import ControlChanged
from pbem.games.axis_and_allies_pacific.events.moves import AssaultAnnounced, Boarded, Engaged, Landed, Moved, Pledged
from pbem.games.axis_and_allies_pacific.events.turns import NeutralityBroken, PhaseBegan
from pbem.games.axis_and_allies_pacific.landing import crash_now, decks, unprovable
from pbem.games.axis_and_allies_pacific.move_options import combat_options, noncombat_options
from pbem.games.axis_and_allies_pacific.moves import (
    COMBAT,
    NONCOMBAT,
    Move,
    check_landing,
    read_move,
    select,
    way_of_flight,
)
from pbem.games.axis_and_allies_pacific.orders import read_route, read_space, split_order
from pbem.games.axis_and_allies_pacific.ownership import capture
from pbem.games.axis_and_allies_pacific.paths import is_empty_hostile
from pbem.games.axis_and_allies_pacific.pledges import check_end, check_move, promise
from pbem.games.axis_and_allies_pacific.politics import (
    check_attack,
    check_declaration,
    declare,
    declaring,
    leans_against,
    read_powers,
)
from pbem.games.axis_and_allies_pacific.rolls import passing
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    SEA,
    SIDES,
    SURFACE_WARSHIPS,
    State,
    Trail,
    Unit,
    enemy_units,
    is_neutral,
    zone_is_hostile,
)
from pbem.games.axis_and_allies_pacific.stranded import return_and_strand
from pbem.games.axis_and_allies_pacific.terms import OWNERS, example, one_of, place, some
from pbem.games.axis_and_allies_pacific.transports import read_assault, read_load, read_unload
from pbem.kernel.canon import Plain
from pbem.kernel.events import Marked, Rewound, Unmarked, emit
from pbem.kernel.flow import Ask, Flow, Roll
from pbem.kernel.images import image
from pbem.kernel.orders import Problem, Rejected, illegal, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg, verbatim

START, START_OVER = "combat-move", "start over"
COMBAT_VERBS = ("declare war", "move", "load", "assault", "bomb", "engage", START_OVER, DONE)
NONCOMBAT_VERBS = ("move", "load", "unload", DONE)


def combat_move(g: State, power: str) -> Flow[None]:
    """[CM-01] Declarations of war, then moves that lead to combat."""
    emit(g, PhaseBegan(power, "combat-move"))
    emit(g, Marked(START, "CM-09"))
    moved, first = False, len(g.events)
    trail = _set_out(g)
    while True:
        trail.stops.append(len(g.events))
        verb, order = yield _combat_ask(g, power, moved, first)
        if verb == DONE:
            break
        if verb == START_OVER:
            emit(g, Rewound(START, "CM-09"))
            moved, trail = False, _set_out(g)
            continue
        if verb == "declare war":
            declare(g, power, order, declaring(power))
            continue
        moved = True
        yield from carry_out(g, power, verb, order, COMBAT)
    emit(g, Unmarked(START, "CM-09"))
    promise(g, power)
    for territory in sorted({u.target or u.at for u in g.of(power) if u.moved == COMBAT or u.target}):
        if territory in g.board.territories and is_neutral(g, territory):
            violate(g, power, territory)


def _combat_ask(g: State, power: str, moved: bool, first: int) -> Ask:
    return Ask(
        power,
        "combat-move",
        "CM-01",
        msg("{power}: combat moves", power=OWNERS[power]),
        lambda plain: read_combat(g, power, plain, moved, first),
        COMBAT_VERBS,
        facts={"round": g.round},
        options=lambda: combat_options(g, power, moved, first),
        form=lambda: forms.moves(g, power, COMBAT_VERBS, lambda plain: read_combat(g, power, plain, moved, first)),
        series=True,
    )


def read_combat(g: State, power: str, plain: Plain, moved: bool, first: int) -> tuple[str, Any]:
    """An order of the Combat Move phase. Raises Rejected."""
    verb, body = split_order(plain, COMBAT_VERBS)
    match verb:
        case "declare war":
            targets = read_powers(body)
            if moved:
                raise illegal(msg("war is declared at the beginning of Combat Move"), declaring(power))
            check_declaration(g, power, targets)
            return verb, targets
        case "move":
            return verb, read_move(g, power, read_route(g.board, body))
        case "load":
            return verb, read_load(g, power, body)
        case "assault":
            return verb, read_assault(g, power, body)
        case "bomb":
            return verb, read_bomb(g, power, body)
        case "engage":
            return verb, read_engage(g, power, body)
        case "start over":
            if dice_fell(g, first):
                raise illegal(msg("dice have fallen in this phase: nothing is taken back"), "E-01")
            return verb, None
    check_combat_moves(g, power, dice_fell(g, first))
    return DONE, None


def dice_fell(g: State, first: int) -> bool:
    """[E-01] A die was rolled in the phase that began with event number `first`: nothing is taken back any more."""
    return any(isinstance(e, DiceRolled) for e in g.events[first:])


def _set_out(g: State) -> Trail:
    """The phase begins, or begins over."""
    g.trail = Trail(image(g), len(g.events))
    return g.trail


def noncombat_move(g: State, power: str) -> Flow[None]:
    """[NCM-01] Defenders in the air find a home, then the phasing power moves what has not moved or fought, and lands."""
    emit(g, PhaseBegan(power, "noncombat-move"))
    yield from return_and_strand(g, power)
    trail = _set_out(g)
    while True:
        trail.stops.append(len(g.events))
        verb, order = yield Ask(
            power,
            "noncombat-move",
            "NCM-01",
            msg("{power}: noncombat moves and landings", power=OWNERS[power]),
            lambda plain: read_noncombat(g, power, plain),
            NONCOMBAT_VERBS,
            facts={"round": g.round},
            options=lambda: noncombat_options(g, power),
            form=lambda: forms.moves(g, power, NONCOMBAT_VERBS, lambda plain: read_noncombat(g, power, plain)),
            series=True,
        )
        if verb == DONE:
            break
        yield from carry_out(g, power, verb, order, NONCOMBAT)
    crash_now(g, power)


def read_noncombat(g: State, power: str, plain: Plain) -> tuple[str, Any]:
    """An order of the Noncombat Move phase. Raises Rejected."""
    verb, body = split_order(plain, NONCOMBAT_VERBS)
    match verb:
        case "move":
            move = read_move(g, power, read_route(g.board, body))
            check_move(g, power, move)
            return verb, move
        case "load":
            return verb, read_load(g, power, body)
        case "unload":
            return verb, read_unload(g, power, body)
    check_end(g, power)
    return DONE, None


# -- carrying out ------------------------------------------------------------------------------------------------------


def carry_out(g: State, power: str, verb: str, order: Any, phase: str) -> Flow[None]:
    """Turn a legal order into events."""
    match verb:
        case "move" | "bomb":
            yield from _move(g, power, order, phase)
        case "load":
            for unit, ship in order.pairs:
                emit(g, Boarded(unit, ship, phase, "TRN-02"))
        case "assault":
            for unit in order.units:
                emit(g, AssaultAnnounced(unit, order.territory))
        case "engage":
            zone, kinds = order
            for kind in kinds:
                emit(g, Engaged(zone, kind))
        case "unload":
            for unit in order.units:
                emit(g, Landed(unit, g.units[unit].aboard or 0, order.territory, "", phase, "NCM-10"))
            take_guardianship(g, power, order.territory)


def _move(g: State, power: str, move: Move, phase: str) -> Flow[None]:
    if move.kind == "sea":
        yield from _sail(g, power, move, phase)
        return
    if move.kind == "land":
        for space in (move.origin, *move.path[:-1]):
            if is_empty_hostile(g, power, space):
                capture(g, space, power)  # [BLZ-03]
    roles = dict(move.roles)
    before = (move.origin, *move.path)[-2]
    for unit in move.units:
        if g.units[unit].aboard is not None:
            emit(g, Boarded(unit, None, "", "CVM-01"))
        emit(g, Moved(unit, move.path[-1], before, len(move.path), phase, roles.get(unit, ""), move.rule))
    if phase == NONCOMBAT:
        _settle(g, power, move)


def _settle(g: State, power: str, move: Move) -> None:
    to = move.path[-1]
    if move.kind == "land":
        take_guardianship(g, power, to)
    if move.kind == "air" and to in g.board.zones:
        for plane in move.units:
            deck = next(iter(decks(g, power, to)), None)
            if deck is not None:
                emit(g, Boarded(plane, deck.id, "", "NCM-07"))
            elif plane not in g.pledged:
                emit(g, Pledged(plane))  # [NCM-06] it waits for a carrier that was bought


def take_guardianship(g: State, power: str, territory: str) -> None:
    """[POL-UK-05] Land units of UK or ANZAC in Dutch land not yet captured take control of it."""
    if g.control[territory] == "netherlands" and power in ("united-kingdom", "anzac"):
        emit(g, ControlChanged(territory, power, "netherlands", "POL-UK-05"))


def violate(g: State, power: str, territory: str) -> None:
    """[NEUT-02] [NEUT-03] The garrison comes out and the territory leans to the other side."""
    from pbem.games.axis_and_allies_pacific.events.economy import UnitPlaced

    emit(g, NeutralityBroken(territory, leans_against(SIDES[power])))
    for _ in range(g.board.territories[territory].garrison):
        emit(g, UnitPlaced(g.next_id, "infantry", "neutral", territory, None, 0, "NEUT-02"))


def _sail(g: State, power: str, move: Move, phase: str) -> Flow[None]:
    """[CVM-01] Own aircraft stay behind in the air; [E-01] submarines on the way may fire at lone transports."""
    ships = [g.units[i] for i in move.units]
    for ship in ships:
        for plane in g.cargo(ship) if ship.type == "aircraft-carrier" and phase == COMBAT else []:
            if plane.owner == power:
                emit(g, Boarded(plane.id, None, "", "CVM-01"))
    here = move.origin
    for zone in move.path:
        for ship in [s for s in ships if s.id in g.units]:
            emit(g, Moved(ship.id, zone, here, 1, phase, "", move.rule))
        yield from _lone_transports(g, power, zone, [s for s in ships if s.id in g.units])
        here = zone


def _lone_transports(g: State, power: str, zone: str, ships: list[Unit]) -> Flow[None]:
    """[E-01] Each enemy submarine there: one die, a hit on 2, against transports that no surface warship moves with."""
    lone = [s for s in ships if s.type == "transport"]
    if g.options["submarines-shoot-transports"] == "no" or not lone or any(s.type in SURFACE_WARSHIPS for s in ships):
        return
    subs = [u for u in enemy_units(g, power, zone) if u.type == "submarine"]
    if not subs:
        return
    label = passing(g, zone, subs, power)
    dice = yield Roll(label, len(subs), 6, "E-01", subs[0].owner)
    hits = sum(d <= 2 for d in dice)
    emit(g, DiceRolled(label, dice, hits, "E-01"))
    for ship in sorted(lone, key=lambda s: (len(g.cargo(s)), s.id))[:hits]:
        sink(g, ship, "E-01")


def sink(g: State, ship: Unit, rule: str) -> None:
    """[GC-03] A ship and its land cargo are lost."""
    for cargo in [c for c in g.cargo(ship) if c.type not in AIR]:
        emit(g, Destroyed(cargo.id, cargo.type, cargo.owner, cargo.at, "TRN-05"))
    emit(g, Destroyed(ship.id, ship.type, ship.owner, ship.at, rule))


# -- bombing, engaging ---------------------------------------------------------------------------------------------------


def read_bomb(g: State, power: str, body: Plain) -> Move:
    """[SBR-02] Strategic bombers, with fighters as escorts, against facilities. Raises Rejected."""
    route = read_route(g.board, body)
    if route.to not in g.board.territories or not g.facilities.get(route.to):
        raise illegal(msg("there is no facility in {place}", place=place(g, route.to)), "SBR-01")
    check_attack(g, power, route.to)
    planes = select(g, power, route.groups, route.origin, "SBR-02")
    if any(p.type not in ("strategic-bomber", "fighter") for p in planes):
        raise illegal(msg("strategic bombers raid, fighters escort them"), "SBR-02")
    if not any(p.type == "strategic-bomber" for p in planes) and not _raiders(g, power, route.to):
        raise illegal(msg("escorts need bombers"), "SBR-02")
    path = way_of_flight(g, power, planes, route)
    check_landing(g, power, planes, route.to, len(path))
    roles = tuple((p.id, "bomb" if p.type == "strategic-bomber" else "escort") for p in planes)
    return Move(tuple(p.id for p in planes), route.origin, path, "air", "SBR-02", roles)


def _raiders(g: State, power: str, territory: str) -> bool:
    return any(u.owner == power and u.role == "bomb" for u in g.at(territory))


def read_engage(g: State, power: str, body: Plain) -> tuple[str, list[str]]:
    """[CM-11] `submarines in SZ 19`, `submarines and transports in SZ 19`. Raises Rejected."""
    if not isinstance(body, str) or " in " not in body:
        raise unreadable(verbatim(repr(body)), example("`submarines in SZ 19`"))
    words, _, where = body.rpartition(" in ")
    zone = read_space(g.board, where)
    kinds = sorted({w.strip().lower() for w in words.replace(",", " and ").split(" and ")})
    if any(k not in ("submarines", "transports") for k in kinds):
        raise unreadable(verbatim(repr(words)), one_of("submarines, transports, submarines and transports"))
    if not able_to_engage(g, power, zone):
        raise illegal(msg("{power} has nothing in {place} to fight with", power=OWNERS[power], place=place(g, zone)), "CM-11")
    for kind in kinds:
        if not any(u.type + "s" == kind for u in enemy_units(g, power, zone)):
            raise illegal(_none_to_engage(kind, place(g, zone)), "CM-11")
    stay = {u.id: zone for u in g.at(zone) if u.owner == power and u.type == "aircraft-carrier"}
    if stay and unprovable(g, power, {}, stay):
        raise illegal(
            msg("aircraft would have no landing place: a carrier of {place} fights there", place=place(g, zone)), "AIR-01"
        )
    return zone, kinds


def _none_to_engage(kind: str, where: Message) -> Message:
    if kind == "submarines":
        return msg("there are no enemy submarines in {place}", place=where)
    return msg("there are no enemy transports in {place}", place=where)


# -- the end of Combat Move ----------------------------------------------------------------------------------------------


def check_combat_moves(g: State, power: str, fell: bool) -> None:
    """[CM-01] [CM-05] [TRN-03] [AIR-01] Everything that moved leads to combat. Raises Rejected with all that does not.

    `fell`: dice have fallen in this phase; moves that a lost transport has made pointless then stand.
    """
    problems: list[Problem] = []
    for unit in g.of(power):
        why = _pointless(g, power, unit) if unit.moved == COMBAT and not fell else None
        if why is not None:
            reason = msg("{things} in {place}: {why}", things=some(unit.type), place=place(g, unit.at), why=why[0])
            problems.append(Problem("not allowed", reason, why[1]))
    for plane in unprovable(g, power):
        reason = msg("no landing place can be shown in {place}: {things}", place=place(g, plane.at), things=some(plane.type))
        problems.append(Problem("not allowed", reason, "AIR-01"))
    if problems:
        raise Rejected(problems)


def _pointless(g: State, power: str, unit: Unit) -> tuple[Message, str] | None:
    if unit.type in SEA:
        return None if _ship_has_business(g, power, unit) else (msg("its move leads to no combat"), "CM-05")
    lands_nowhere = unit.aboard is not None and unit.type not in AIR and not unit.target
    return (msg("it was loaded in Combat Move and lands nowhere"), "TRN-03") if lands_nowhere else None


def _ship_has_business(g: State, power: str, ship: Unit) -> bool:
    """[CM-05] A hostile zone, an assault, leaving an enemy fleet, or enemy submarines and transports."""
    return battle_expected(g, power, ship.at) or zone_is_hostile(g, power, ship.start) or takes_part_in_assault(g, power, ship)
