"""Combat in words: who attacks, the odds, support and retreats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.next_war.events.combat import (
    AirSupportNamed,
    AttackDeclared,
    ColumnFound,
    DefenseLed,
    HelicopterSupportNamed,
    MustRetreat,
    NavalSupportNamed,
    SupportLeft,
)
from pbem.games.next_war.labels import SIDES, block_of, combat, labels_of, place, units
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.strength import Part, attack_strength, is_soft, odds_of, shifts
from pbem.kernel.wording import Argument, Declared, Message, Told, msg, signed


def _attack(g: State, x: AttackDeclared) -> Told:
    f = x.fight
    target, soft = f.target, is_soft(g, g.ground(FOE[f.side], f.target))
    named = tuple(
        msg("{unit} (attack {n})", unit=g.counter(u).name, n=attack_strength(g, u, target, u in f.amphibious, soft))
        for u in f.units
    )
    args: dict[str, Argument] = {
        "power": SIDES[f.side],
        "place": place(g, target),
        "units": named,
        "lead": g.counter(f.lead).name,
    }
    text = msg("{power} attacks {place}: {units}; lead unit: {lead}", **args)
    here = combat(g, target)
    return Told("battle", text, x.rule, here, labels_of(g, target), declares=(Declared(text, here),))


def _defense_led(g: State, x: DefenseLed) -> Told:
    return Told("battle", msg("Lead unit of the defense: {unit}", unit=g.counter(x.unit).name), x.rule, block_of(g))


def _support_left(g: State, x: SupportLeft) -> Told | None:
    f = g.fight
    if (
        f is None
        or x.points == f.support.get(x.side)
        or not (f.points.get(x.side) or f.helos.get(x.side) or f.ships.get(x.side))
    ):
        return None
    text = msg("Combat support of {power} after Air Defense Fire: {n}", power=SIDES[x.side], n=x.points)
    return Told("battle", text, x.rule, block_of(g))


def _must_retreat(g: State, x: MustRetreat) -> Told | None:
    return Told("battle", msg("The defender retreats, hexes: {n}", n=x.hexes), x.rule, block_of(g)) if x.hexes else None


def _odds(g: State, x: ColumnFound) -> Told:
    """[9.2.2, 9.2.3] Strengths, odds, shifts and column, as both sides know them before they name their support."""
    assert g.fight is not None
    found = odds_of(g, g.fight)
    text = msg(
        "Attack {attack} against defense {defense}, odds {ratio}, {shifts}: column {column}",
        attack=found.attack,
        defense=found.defense,
        ratio=found.ratio,
        shifts=tuple(map(part_said, shifts(g, g.fight))) or msg("no shift"),
        column=x.column,
    )
    return Told("battle", text, x.rule, block_of(g))


def _air_support(g: State, x: AirSupportNamed) -> Told | None:
    text = msg("Air Points of {power} in support: {n}", power=SIDES[x.side], n=x.points)
    return Told("battle", text, x.rule, block_of(g)) if x.points else None


def _units_in_support(g: State, x: HelicopterSupportNamed | NavalSupportNamed) -> Told | None:
    named = x.helos if isinstance(x, HelicopterSupportNamed) else x.ships
    text = msg("In support of {power}: {things}", power=SIDES[x.side], things=units(g, named))
    return Told("battle", text, x.rule, block_of(g)) if named else None


def part_said(part: Part) -> Message:
    return Message("{by} {what}", {"by": signed(part.value), "what": part.why})


COMBAT_TOLD: dict[type, Callable[[State, Any], Told | None]] = {
    AttackDeclared: _attack,
    DefenseLed: _defense_led,
    ColumnFound: _odds,
    AirSupportNamed: _air_support,
    HelicopterSupportNamed: _units_in_support,
    NavalSupportNamed: _units_in_support,
    SupportLeft: _support_left,
    MustRetreat: _must_retreat,
}
