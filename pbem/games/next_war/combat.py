"""[9.0] Combat Segments: attacks declared one at a time, each played to its end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pbem.games.next_war import combat_forms as forms
from pbem.games.next_war.advance import advance, landed
from pbem.games.next_war.board import distance
from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.charts import CombatResult, combat_result, pick
from pbem.games.next_war.choices import throw
from pbem.games.next_war.events.combat import (
    AttackDeclared,
    ColumnFound,
    CombatThrown,
    Defended,
    DefendersPresent,
    DefenseLed,
    FightOver,
    MustRetreat,
    SupportLeft,
)
from pbem.games.next_war.events.markers import BeachheadGone, BeachheadHit
from pbem.games.next_war.events.turns import AttacksOpen, SegmentBegan
from pbem.games.next_war.labels import SEGMENTS, SIDES
from pbem.games.next_war.orders import fields, first_legal, only, read_own, read_place, read_unit, split_order
from pbem.games.next_war.retreat import combat_scope, length, retreat_phase
from pbem.games.next_war.sealift import beachhead_places, place_beachhead, unpoise
from pbem.games.next_war.stacking import fighting, halves
from pbem.games.next_war.state import FOE, Fight, State
from pbem.games.next_war.strength import (
    can_attack_into,
    odds_of,
    row_of,
    shifted,
    shifts,
    total_drm,
)
from pbem.games.next_war.suggestions import combat_options
from pbem.games.next_war.support import ask_support, commit, under_fire
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.questions import DONE, choose_unit
from pbem.kernel.wording import die_for, msg, quoted

VERBS = ("attack", "land", "beachhead", DONE)


def combat(g: State, kind: str, side: str) -> None:
    """[9.1] A Combat Segment begins: only units next to the enemy now may attack."""
    emit(g, SegmentBegan("combat", kind, side, "9.0"))
    foes = g.occupied(FOE[side])
    near = [u for h in g.occupied(side) for u in g.ground(side, h) if any(n in foes for n in g.board.near[h])]
    emit(g, AttacksOpen(tuple(near)))
    emit(g, Scheduled((("attacks", (kind, side)),), "9.0"))


def attacks(g: State, kind: str, side: str) -> Flow[None]:
    """[9.2.1] The next attack, or the end of the segment."""
    if not targets(g, side) and not g.poised and not beachhead_places(g, side):
        _over(g)
        return
    verb, deed = yield _ask(g, kind, side)
    if verb == DONE:
        _over(g)
        return
    again = ("attacks", (kind, side))
    if verb == "attack":
        emit(g, AttackDeclared(deed))
        emit(g, Scheduled((("fight", ()), again), "9.2.1"))
        return
    if verb == "land":
        yield from landed(g, side, deed)
    else:
        place_beachhead(g, side, deed)
    emit(g, Scheduled((again,), "9.2.1"))


def _over(g: State) -> None:
    unpoise(g)
    emit(g, AttacksOpen(()))


def can_fight(g: State, unit: str) -> bool:
    """[9.1, 8.4.1.5] Next to the enemy when the segment began, not under a marker, has not attacked, has strength."""
    place = g.pieces[unit].at
    return (
        unit in g.may_attack
        and unit not in g.fought
        and bool(place)
        and not g.under_marker(place, g.seat(unit))
        and g.values(unit).attack > 0
    )


def targets(g: State, side: str) -> dict[int, list[str]]:
    """Enemy hexes that may be attacked now, with the units that can do it."""
    return g.memo.cached(("targets", side, len(g.fought), len(g.attacked), g.segment), lambda: _targets(g, side))


def _targets(g: State, side: str) -> dict[int, list[str]]:
    foes = g.occupied(FOE[side])
    found: dict[int, list[str]] = {}
    for unit in g.may_attack:
        if not can_fight(g, unit):
            continue
        place = g.pieces[unit].at
        for n in g.board.land_near[place]:
            if n in foes and n not in g.attacked and can_attack_into(g, unit, n):
                found.setdefault(n, []).append(unit)
    for unit, beach in g.poised.items():
        if beach in foes and beach not in g.attacked and unit not in g.fought:
            found.setdefault(beach, []).append(unit)
    return found


def _ask(g: State, kind: str, side: str) -> Ask:
    able = targets(g, side)
    return Ask(
        side,
        "combat",
        "9.2.1",
        msg("{segment}: {power}", segment=SEGMENTS["combat", kind], power=SIDES[side]),
        lambda plain: read_order(g, kind, side, plain),
        VERBS,
        facts={"turn": g.turn, "segment": kind, "targets": len(able), "attacks": len(g.attacked)},
        options=lambda: combat_options(g, side, able, lambda plain: read_order(g, kind, side, plain)),
        policy=lambda wanted: next_attack(g, kind, side, wanted),
        form=lambda: forms.attacks(
            g,
            side,
            VERBS,
            lambda plain: read_order(g, kind, side, plain),
            lambda body: read_attack(g, kind, side, body),
            able,
            beachhead_places(g, side),
        ),
    )


def read_order(g: State, kind: str, side: str, plain: Plain) -> tuple[str, Any]:
    """An attack, a landing, a Beachhead, or the end of the segment. Raises Rejected."""
    verb, body = split_order(plain, VERBS)
    if verb == DONE:
        only(verb, body)
        return verb, None
    if verb == "beachhead":
        place = read_place(g, body)
        if place not in beachhead_places(g, side):
            raise illegal(msg("no Beachhead can be put in {place}", place=g.board.name(place)), "8.5.8.2")
        return verb, place
    if verb == "land":
        return verb, read_landing(g, side, body)
    return verb, read_attack(g, kind, side, body)


def next_attack(g: State, kind: str, side: str, wanted: Plain) -> Plain:
    """A standing list of attacks, landings and Beachheads: the first that is legal now, else done. Raises Rejected."""
    return first_legal(wanted, lambda item: _planned(g, kind, side, item)) or DONE


def _planned(g: State, kind: str, side: str, item: Plain) -> Plain:
    """An item of that list as an order; an attack may say `least 2:1`, the odds that it needs. Raises Rejected."""
    if item == DONE or (isinstance(item, dict) and not item.keys().isdisjoint(("land", "beachhead"))):
        read_order(g, kind, side, item)
        return item
    body = item.get("attack") if isinstance(item, dict) and "attack" in item else item
    found = fields(body, ("at", "lead", "least"), ("units", "at"))
    least = str(found.pop("least", ""))
    planned = read_attack(g, kind, side, found)
    columns = row_of(g, planned.target)["columns"]
    if least and not re.fullmatch(r"[0-9.]+:[0-9]+", least):
        raise unreadable(msg("{given} are no odds", given=quoted(least)), msg("one of: {choices}", choices=", ".join(columns)))
    planned.defenders = g.ground(FOE[side], planned.target)
    if least and (least not in columns or odds_of(g, planned).column < columns[least]):
        raise illegal(
            msg("the odds against {place} are below {least}", place=g.board.name(planned.target), least=least), "9.2.2"
        )
    return {"attack": found}


def read_landing(g: State, side: str, body: Plain) -> list[str]:
    """[8.5.8.1] `land: 1/4, 2/4`: an assault on a Beach that is empty. Raises Rejected."""
    units = read_own(g, body, side, "8.5.8.1")
    beaches = {g.poised.get(u, 0) for u in units}
    if len(beaches) > 1 or 0 in beaches:
        raise illegal(msg("units that assault one Beach land together"), "8.5.8.1")
    if g.ground(FOE[side], beaches.pop()):
        raise illegal(msg("the enemy holds the Beach: attack it"), "8.5.8.1")
    return units


def read_attack(g: State, kind: str, side: str, body: Plain) -> Fight:
    """[9.2.1, 9.2.3] `attack: 3/II, 6/II at N2718 lead 3/II`. Raises Rejected."""
    f = fields(body, ("at", "lead"), ("units", "at"))
    target = read_place(g, f["at"])
    units = read_own(g, f["units"], side, "9.1")
    if not g.ground(FOE[side], target):
        raise illegal(msg("there are no enemy units in {place}", place=g.board.name(target)), "9.1")
    if target in g.attacked:
        raise illegal(msg("{place} has been attacked in this segment", place=g.board.name(target)), "9.3")
    for unit in units:
        _check_attacker(g, side, unit, target)
    lead = read_unit(g, f["lead"], side) if "lead" in f else _best_lead(g, units)
    if lead not in units:
        raise illegal(msg("{unit} takes no part in the attack", unit=g.counter(lead).name), "9.2.3")
    for place in dict.fromkeys(g.pieces[u].at for u in units if u not in g.poised):
        mine = [u for u in units if g.pieces[u].at == place]
        if len(mine) > 1 and len(fighting(g, place, g.ground(side, place))) < len(g.ground(side, place)):
            _check_crowd(g, place, mine)
    shift = -int(g.p["exploitation_shift"]) if kind == "exploitation" else 0
    return Fight(side, target, units, lead, [u for u in units if u in g.poised], shift)


def _check_crowd(g: State, place: int, units: Sequence[str]) -> None:
    """[8.1.1.1] From an over-stacked hex four stacking points attack, three from mountains. Raises Rejected."""
    room = 6 if g.board.hexes[place].terrain in ("mountain", "high_mountain") else 8
    if g.stack_points(units) > room:
        raise illegal(
            msg(
                "{place} is over-stacked: at most {points} stacking points attack from there",
                place=g.board.name(place),
                points=halves(room),
            ),
            "8.1.1.1",
        )


def _check_attacker(g: State, side: str, unit: str, target: int) -> None:
    name = g.counter(unit).name
    if unit in g.poised:
        if g.poised[unit] != target:
            raise illegal(msg("{unit} is about to assault {place}", unit=name, place=g.board.name(g.poised[unit])), "8.5.8.1")
        return
    if unit in g.fought:
        raise illegal(msg("{unit} has attacked in this segment", unit=name), "9.1")
    if g.under_marker(g.pieces[unit].at, side):
        raise illegal(msg("{unit} is under a Clearing marker", unit=name), "8.4.1.5")
    if not can_fight(g, unit):
        raise illegal(
            msg(
                "{unit} cannot attack: it was next to no enemy when the segment began, or it has no attack strength", unit=name
            ),
            "9.1",
        )
    if distance(g.pieces[unit].at, target) != 1 or not can_attack_into(g, unit, target):
        raise illegal(msg("{unit} cannot attack {place} from where it is", unit=name, place=g.board.name(target)), "9.1")


def _best_lead(g: State, units: Sequence[str]) -> str:
    """The unit with the highest efficiency, the larger of equals."""
    return max(units, key=lambda u: (g.values(u).er, g.steps(u), -g.values(u).attack, u))


# -- one combat ----------------------------------------------------------------------------------------------------------


def fight(g: State) -> Flow[None]:
    """[9.2] One combat from the defender's lead to the advance."""
    f = g.fight
    assert f is not None
    foe = FOE[f.side]
    yield from joined(g, f)
    for side, attacking in ((f.side, True), (foe, False)):
        commit(g, side, (yield from ask_support(g, side, attacking)))
    for side in (f.side, foe):
        left = yield from under_fire(g, side)
        emit(g, SupportLeft(side, left))
    drm = total_drm(g, f)
    label = die_for("combat at {place}", place=g.board.name(f.target))
    die = yield from throw(label, "9.2.6")
    text = printed(g, die + drm, f.column)
    emit(g, CombatThrown(label, die, drm, text, odds_of(g, f).ratio, f.column))
    yield from suffered(g, f, excess(g, f, combat_result(text)))
    yield from advance(g)
    emit(g, FightOver())


def joined(g: State, f: Fight) -> Flow[None]:
    """[9.2.2, 9.2.3] The defender's side of a combat that was declared, and the column that follows."""
    yield from _defend(g, f, FOE[f.side])
    emit(g, ColumnFound(shifted(g, f, odds_of(g, f).column, shifts(g, f))))


def printed(g: State, total: int, column: int) -> str:
    """[9.2.6] What the Combat Results Table prints for a die with its modifiers."""
    return str(pick(g.p["crt"]["results"], total)[column - 1])


def suffered(g: State, f: Fight, result: CombatResult) -> Flow[None]:
    """[9.2.7] Losses of both sides and the defender's retreat, all that comes before the advance."""
    foe = FOE[f.side]
    yield from _losses(g, foe, f.defenders, f.defender_lead, result.defender, f.target)
    if result.retreat:
        yield from retreat_phase(g)
    if g.newer and not g.ground(foe, f.target):  # newer rules: a defender who was eliminated counts as well
        emit(g, MustRetreat(length(g, f.target), "9.9.1"))
    yield from _losses(g, f.side, f.units, f.lead, result.attacker, 0)
    _thrown_back(g, f)


def _defend(g: State, f: Fight, foe: str) -> Flow[None]:
    """[9.2.3, 9.8.6] Who defends: those that fit and did not retreat here in this segment; the defender names his lead."""
    present = g.ground(foe, f.target)
    steady = [u for u in present if g.refugees.get(u) != f.target]
    emit(g, DefendersPresent(tuple(present)))
    if not steady:
        emit(g, Defended((), "9.8.6"))
        return
    lead = yield from choose_unit(
        g.board.unit_index,
        foe,
        "defend",
        "9.2.3",
        msg("who leads the defense of {place}?", place=g.board.name(f.target)),
        _leads(g, steady),
        reaction=True,
        scope=combat_scope(g, f.target),
    )
    order = [lead, *(u for u in steady if u != lead)]
    emit(g, Defended(tuple(fighting(g, f.target, order)), "8.1.1.1"))
    emit(g, DefenseLed(lead))


def _leads(g: State, units: Sequence[str]) -> list[str]:
    """Best efficiency first."""
    return sorted(units, key=lambda u: (-g.values(u).er, -g.steps(u), u))


def excess(g: State, f: Fight, result: CombatResult) -> CombatResult:
    """[9.7.1.1] Too few steps on one side spare the other a step: the attacker in columns 11 to 13, the defender always."""
    mine = sum(g.steps(u) for u in f.units)
    theirs = sum(g.steps(u) for u in f.defenders)
    if f.target in g.beachheads and g.beachheads[f.target].side != f.side:
        theirs += g.beachheads[f.target].steps
    attacker, defender = result.attacker, result.defender
    if f.column in g.p["crt"].get("excess_loss_columns", (11, 12, 13)) and theirs < result.defender:
        attacker = max(0, attacker - 1)
    if mine < result.attacker:
        defender = max(0, defender - 1)
    return CombatResult(attacker, defender, result.retreat)


def _losses(g: State, side: str, units: Sequence[str], lead: str, steps: int, target: int) -> Flow[None]:
    """[9.7.1] The lead unit first, then evenly: nobody loses a second step before everybody has lost one."""
    for i in range(steps):
        alive = [u for u in units if g.steps(u) and (g.pieces[u].at or g.pieces[u].aboard)]
        beachhead = target in g.beachheads and g.beachheads[target].side == side
        if beachhead and (not alive or i > 0) and all(g.lost_steps(u) for u in alive):
            _hit_beachhead(g, target)
            continue
        if not alive:
            return
        fewest = min(g.lost_steps(u) for u in alive)
        able = [lead] if i == 0 and lead in alive else [u for u in alive if g.lost_steps(u) == fewest]
        unit = yield from choose_unit(
            g.board.unit_index,
            side,
            "lose",
            "9.7.1",
            msg("which unit loses a step?"),
            able,
            reaction=bool(target),
            scope=combat_scope(g, target) if target else "",
        )
        lose_step(g, unit, "9.7.1")


def _hit_beachhead(g: State, target: int) -> None:
    emit(g, BeachheadHit(target, "8.5.8.4"))
    if g.beachheads[target].steps <= 0:
        emit(g, BeachheadGone(target, "8.5.8.2.1"))


def _thrown_back(g: State, f: Fight) -> None:
    """[8.5.8.1] An assault that leaves an enemy unit on the Beach costs each assaulting unit a step; they stay aboard."""
    if f.amphibious and g.ground(FOE[f.side], f.target):
        for unit in f.amphibious:
            if g.pieces[unit].at:
                lose_step(g, unit, "8.5.8.1")
