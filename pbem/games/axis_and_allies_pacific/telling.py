"""Every event of Pacific 1940 in words, from the state just before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any

from pbem.games.axis_and_allies_pacific.battle import Battle, attackers
from pbem.games.axis_and_allies_pacific.conduct_combat import battles
from pbem.games.axis_and_allies_pacific.events import combat, conquest, economy, moves, turns
from pbem.games.axis_and_allies_pacific.pledges import counting_on_carriers
from pbem.games.axis_and_allies_pacific.rolls import dice
from pbem.games.axis_and_allies_pacific.state import State, Unit
from pbem.games.axis_and_allies_pacific.terms import (
    OWNERS,
    PHASES,
    SIDES,
    THINGS,
    battle,
    block_of,
    one,
    place,
    raid,
)
from pbem.kernel.wording import Declared, Message, Things, Told, added, msg, times


def tell(g: State, event: object) -> Told | None:
    """An event in words, from the state just before it; None for bookkeeping."""
    words = _TELL.get(type(event))
    return words(g, event) if words else None


def _turn(g: State, x: turns.TurnBegan) -> Told:
    return Told("turn", msg("Round {round}: {power}", round=g.round, power=OWNERS[x.power]), x.rule)


def _phase(g: State, x: turns.PhaseBegan) -> Told:
    declared = tuple(_attacks(g, x.power)) if x.phase == "conduct-combat" else ()
    return Told("phase", PHASES[x.phase], x.rule, declares=declared)


def _attacks(g: State, power: str) -> Iterator[Declared]:
    """What the moves of the power lead to: raids and battles, each with who takes part."""
    raiders = [u for u in g.of(power) if u.role in ("bomb", "escort")]
    for space in sorted({u.at for u in raiders if u.role == "bomb"}):
        where, things = place(g, space), _types(u for u in raiders if u.at == space)
        yield Declared(msg("{power} bombs {place}: {things}", power=OWNERS[power], place=where, things=things), raid(where))
    for space in battles(g, power):
        landing = [u for u in g.of(power) if u.target == space]
        where, things = place(g, space), _types([*attackers(g, Battle(space, power)), *landing])
        text = msg("{power} attacks {place}: {things}", power=OWNERS[power], place=where, things=things)
        yield Declared(text, battle(where))


def _types(units: Iterable[Unit]) -> Things:
    return reduce(added, (one(u.type) for u in units), ())


def _bought(g: State, x: economy.Bought) -> Told:
    things = (times(THINGS[x.type], x.count),)
    return Told("build", msg("{power} buys: {things}", power=OWNERS[x.power], things=things), x.rule, worth=x.cost)


def _repaired(g: State, x: economy.Repaired) -> Told:
    text = msg(
        "{power} repairs damage of {points} in {place}: {things}",
        power=OWNERS[x.power],
        points=x.points,
        place=place(g, x.territory),
        things=(THINGS[x.facility],),
    )
    return Told("build", text, x.rule, spaces=(x.territory,))


def _ship_repaired(g: State, x: economy.ShipRepaired) -> Told:
    ship = g.units[x.unit]
    text = msg("{power} repairs in {place}: {things}", power=OWNERS[ship.owner], place=place(g, ship.at), things=one(ship.type))
    return Told("build", text, x.rule, spaces=(ship.at,))


def _war(g: State, x: turns.WarDeclared) -> Told:
    text = msg(
        "{one} and {other} are at war, opened by: {side}", one=OWNERS[x.one], other=OWNERS[x.other], side=SIDES[x.opened_by]
    )
    return Told("politics", text, x.rule)


def _neutral(g: State, x: turns.NeutralityBroken) -> Told:
    text = msg("The neutrality of {place} is broken; it leans to: {side}", place=place(g, x.territory), side=SIDES[x.side])
    return Told("politics", text, x.rule, spaces=(x.territory,))


def _placed(g: State, x: economy.UnitPlaced) -> Told:
    text = msg("{power} places in {place}: {things}", power=OWNERS[x.owner], place=place(g, x.at), things=one(x.type))
    return Told("build", text, x.rule, spaces=(x.at,))


def _built(g: State, x: economy.FacilityBuilt) -> Told:
    text = msg("{power} builds in {place}: {things}", power=OWNERS[x.power], place=place(g, x.territory), things=one(x.type))
    return Told("build", text, x.rule, spaces=(x.territory,))


def _refunded(g: State, x: economy.Refunded) -> Told | None:
    if not x.ipc:
        return None
    return Told(
        "income", msg("{power} gets back {ipc} IPC for units that found no place", power=OWNERS[x.power], ipc=x.ipc), x.rule
    )


def _produced(g: State, x: economy.Production) -> Told:
    who, ipc = OWNERS[x.power], x.level - x.convoys
    if not x.convoys:
        return _income(x.power, ipc, msg("{power} earns {ipc} IPC: production", power=who, ipc=ipc), x.rule)
    text = msg(
        "{power} earns {ipc} IPC: production {level}, lost to convoy attacks {lost}",
        power=who,
        ipc=ipc,
        level=x.level,
        lost=x.convoys,
    )
    return _income(x.power, ipc, text, x.rule)


def _income(power: str, ipc: int, text: Message, rule: str) -> Told:
    """Money from some source; a short report tells each power's in one sum."""
    return Told("income", text, rule, short=msg("{power} earns {n} IPC", power=OWNERS[power], n=ipc))


def _convoy_lost(g: State, x: economy.ConvoyLost) -> Told:
    text = msg(
        "Convoy attack in {place} by {raider}: {power} loses {ipc} IPC",
        place=place(g, x.zone),
        raider=OWNERS[x.to],
        power=OWNERS[x.power],
        ipc=x.ipc,
    )
    return Told("income", text, x.rule)


def _earned(g: State, x: economy.Earned) -> Told:
    who, ipc = OWNERS[x.power], x.ipc
    if x.why == "war economy":
        text = msg("{power} earns {ipc} IPC: wartime economy", power=who, ipc=ipc)
    else:
        text = msg("{power} earns {ipc} IPC: Burma Road", power=who, ipc=ipc)
    return _income(x.power, ipc, text, x.rule)


def _objective(g: State, x: economy.ObjectivePaid) -> Told:
    text = msg("{power} earns {ipc} IPC: national objective {name}", power=OWNERS[x.power], ipc=x.ipc, name=x.objective)
    return _income(x.power, x.ipc, text, x.rule)


def _treasury(g: State, x: conquest.TreasuryTaken) -> Told:
    text = msg("{captor} takes the treasury of {loser}: {ipc} IPC", captor=OWNERS[x.captor], loser=OWNERS[x.loser], ipc=x.ipc)
    return Told("income", text, x.rule)


def _control(g: State, x: conquest.ControlChanged) -> Told:
    before, after = OWNERS[g.control.get(x.territory, "none")], OWNERS[x.to]
    text = msg("{place}: held by {before} before, by {after} now", place=place(g, x.territory), before=before, after=after)
    return Told("control", text, x.rule, block_of(g, x.territory), (x.territory,))


def _facilities_taken(g: State, x: conquest.FacilitiesTaken) -> Told | None:
    here = tuple(THINGS[f.type] for f in g.facilities.get(x.territory, ()))
    text = msg(
        "{power} takes over in {place}: {things}", power=OWNERS[x.to], place=place(g, x.territory), things=added((), here)
    )
    return Told("control", text, x.rule, block_of(g, x.territory), (x.territory,)) if here else None


def _complex_removed(g: State, x: conquest.ComplexRemoved) -> Told:
    text = msg("The industrial complex of {place} leaves the game", place=place(g, x.territory))
    return Told("control", text, x.rule, block_of(g, x.territory), (x.territory,))


def _gun_taken(g: State, x: conquest.OwnerChanged) -> Told:
    unit = g.units[x.unit]
    text = msg("{power} takes over in {place}: {things}", power=OWNERS[x.to], place=place(g, unit.at), things=one(unit.type))
    return Told("control", text, x.rule, block_of(g, unit.at), (unit.at,))


def _kamikaze_enabled(g: State, x: conquest.KamikazeEnabled) -> Told:
    return Told("politics", msg("Japan may launch kamikaze attacks from now on"), x.rule)


def _moved(g: State, x: moves.Moved) -> Told:
    unit = g.units[x.unit]
    cargo = tuple(THINGS[c.type] for c in g.cargo(unit))
    return _from_to(g, unit.owner, unit.at, x.to, added((THINGS[unit.type],), cargo), x.rule)


def _relocated(g: State, x: combat.Relocated) -> Told | None:
    unit = g.units[x.unit]
    return _from_to(g, unit.owner, unit.at, x.to, one(unit.type), x.rule) if unit.at != x.to else None


def _from_to(g: State, owner: str, origin: str, to: str, things: tuple[Message, ...], rule: str) -> Told:
    text = msg(
        "{power} from {origin} to {place}: {things}",
        power=OWNERS[owner],
        origin=place(g, origin),
        place=place(g, to),
        things=things,
    )
    return Told("move", text, rule, block_of(g, origin), (origin, to))


def _landed(g: State, x: moves.Landed) -> Told:
    unit = g.units[x.unit]
    where = place(g, x.territory)
    text = msg("{power} lands in {place}: {things}", power=OWNERS[unit.owner], place=where, things=one(unit.type))
    return Told("move", text, x.rule, block_of(g, x.territory), (unit.at, x.territory))


def _assault(g: State, x: moves.AssaultAnnounced) -> Told:
    unit = g.units[x.unit]
    where = place(g, x.territory)
    text = msg("{power} announces a landing in {place}: {things}", power=OWNERS[unit.owner], place=where, things=one(unit.type))
    return Told("move", text, x.rule, spaces=(x.territory,))


def _pledged(g: State, x: moves.Pledged) -> Told:
    plane = g.units[x.unit]
    return Told("move", _counts_on_carrier(g, plane, 1), x.rule, spaces=(plane.at,))


def _counts_on_carrier(g: State, plane: Unit, number: int) -> Message:
    return msg(
        "{power} counts on a carrier for what is in the air in {place}: {things}",
        power=OWNERS[plane.owner],
        place=place(g, plane.at),
        things=(times(THINGS[plane.type], number),),
    )


def promises(g: State, power: str) -> list[Message]:
    """[AMB-PLEDGE] The aircraft of a power that count on carriers, by space and type."""
    planes = counting_on_carriers(g, power)
    stacks = {(u.at, u.type): u for u in reversed(planes)}
    return [_counts_on_carrier(g, u, sum((v.at, v.type) == stack for v in planes)) for stack, u in reversed([*stacks.items()])]


def _scrambled(g: State, x: combat.Scrambled) -> Told:
    unit = g.units[x.unit]
    text = msg(
        "{power} scrambles to {place}: {things}", power=OWNERS[unit.owner], place=place(g, x.zone), things=one(unit.type)
    )
    return Told("battle", text, x.rule, spaces=(unit.at, x.zone))


def _submerged(g: State, x: combat.RoleTaken) -> Told | None:
    unit = g.units[x.unit]
    if x.role not in ("submerged", "intercept"):
        return None
    who, where, what = OWNERS[unit.owner], place(g, unit.at), one(unit.type)
    if x.role == "submerged":
        text = msg("{power} submerges in {place}: {things}", power=who, place=where, things=what)
        return Told("battle", text, x.rule, block_of(g, unit.at), (unit.at,))
    text = msg("{power} intercepts over {place}: {things}", power=who, place=where, things=what)
    return Told("battle", text, x.rule, raid(where), (unit.at,))


def _damaged(g: State, x: combat.Damaged) -> Told:
    ship = g.units[x.unit]
    text = msg(
        "First hit on a capital ship of {power} in {place}: {things}",
        power=OWNERS[ship.owner],
        place=place(g, ship.at),
        things=one(ship.type),
    )
    return Told("battle", text, x.rule, block_of(g, ship.at), (ship.at,))


def _destroyed(g: State, x: combat.Destroyed) -> Told:
    text = msg("{power} loses in {place}: {things}", power=OWNERS[x.owner], place=place(g, x.at), things=one(x.type))
    worth = g.board.types[x.type].cost
    return Told("loss", text, x.rule, block_of(g, x.at), (x.at,), loser=x.owner, worth=worth)


def _facility_damaged(g: State, x: combat.FacilityDamaged) -> Told:
    text = msg(
        "Bombs on {place}: damage {points} to {what}", place=place(g, x.territory), points=x.points, what=THINGS[x.facility]
    )
    return Told("battle", text, x.rule, raid(place(g, x.territory)), (x.territory,))


def _battle_ended(g: State, x: combat.BattleEnded) -> Told:
    text = msg(
        "The battle is over; left in {place}: {power}",
        place=place(g, x.space),
        power=tuple(OWNERS[p] for p in x.left) or OWNERS["nobody"],
    )
    return Told("battle", text, x.rule, battle(place(g, x.space)), (x.space,), decisive=True)


def _won(g: State, x: turns.Won) -> Told:
    return Told("end", msg("The game is won by: {side} ({reason})", side=SIDES[x.side], reason=x.reason), x.rule)


_TELL: dict[type, Callable[[State, Any], Told | None]] = {
    turns.TurnBegan: _turn,
    turns.PhaseBegan: _phase,
    economy.Bought: _bought,
    economy.Repaired: _repaired,
    economy.ShipRepaired: _ship_repaired,
    turns.WarDeclared: _war,
    turns.NeutralityBroken: _neutral,
    economy.UnitPlaced: _placed,
    economy.FacilityBuilt: _built,
    economy.Refunded: _refunded,
    economy.Production: _produced,
    economy.ConvoyLost: _convoy_lost,
    economy.Earned: _earned,
    economy.ObjectivePaid: _objective,
    conquest.TreasuryTaken: _treasury,
    conquest.ControlChanged: _control,
    conquest.FacilitiesTaken: _facilities_taken,
    conquest.ComplexRemoved: _complex_removed,
    conquest.OwnerChanged: _gun_taken,
    conquest.KamikazeEnabled: _kamikaze_enabled,
    moves.Moved: _moved,
    combat.Relocated: _relocated,
    moves.Landed: _landed,
    moves.AssaultAnnounced: _assault,
    moves.Pledged: _pledged,
    combat.Scrambled: _scrambled,
    combat.RoleTaken: _submerged,
    combat.Damaged: _damaged,
    combat.Destroyed: _destroyed,
    combat.FacilityDamaged: _facility_damaged,
    combat.BattleEnded: _battle_ended,
    combat.DiceRolled: dice,
    turns.Won: _won,
}
