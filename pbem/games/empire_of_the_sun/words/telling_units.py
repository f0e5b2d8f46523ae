"""Units and dice outside battle in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pbem.games.empire_of_the_sun.d10 import face
from pbem.games.empire_of_the_sun.events.politics import ChinaRolled
from pbem.games.empire_of_the_sun.events.strategy import Bombed
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.events.units import Placed, Rebuilt, Recovered
from pbem.games.empire_of_the_sun.labels import BOXES, SIDES, block_of, hexes, place, units, where_is
from pbem.games.empire_of_the_sun.state import State, side_of
from pbem.kernel.wording import Argument, Message, Told, counted, msg


def _placed(g: State, x: Placed) -> Told | None:
    piece = g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[side_of(g, x.unit)], "things": units(g, (x.unit,))}
    if x.box in ("track", "schedule"):
        text = msg("{power}, due in turn {turn}: {things}", turn=x.due, **args)
    elif x.box == "map" and piece.box == "map" and piece.at == x.at:
        return None
    else:
        to: Argument = place(g, x.at) if x.box == "map" else BOXES[x.box]
        if piece.box == "map":
            text = msg("{power}, from {origin} to {place}: {things}", origin=place(g, piece.at), place=to, **args)
        else:
            text = msg("{power}, placed in {place}: {things}", place=to, **args)
    return Told("build", text, x.rule, block_of(g), hexes(x.at if x.box == "map" else 0))


def _recovered(g: State, x: Recovered) -> Told:
    args: dict[str, Argument] = {
        "power": SIDES[side_of(g, x.unit)],
        "place": where_is(g, x.unit),
        "things": units(g, (x.unit,)),
    }
    return Told("build", msg("Full strength again, {power}, in {place}: {things}", **args), x.rule)


def _rebuilt(g: State, x: Rebuilt) -> Told:
    args: dict[str, Argument] = {"power": SIDES[side_of(g, x.unit)], "place": place(g, x.at), "things": units(g, (x.unit,))}
    return Told("build", msg("Rebuilt, {power}, in {place}: {things}", **args), x.rule, spaces=hexes(x.at))


# -- dice ----------------------------------------------------------------------------------------------------------


RESULTS = {
    "success": msg("success"),
    "failure": msg("failure"),
    "hit": msg("hit"),
    "miss": msg("miss"),
    "sent to Europe": msg("sent to Europe"),
    "stays": msg("stays"),
}


DICE = {  # what a die was thrown for -> its sentence
    "intelligence, {value} or less with {modifier}": msg(
        "Intelligence die roll: die {die} {modifier}, {value} or less is needed: {result}; rolled"
    ),
    "special reaction at {place}, {value} or less with {modifier}": msg(
        "Special reaction in {place}: die {die} {modifier}, {value} or less is needed: {result}; rolled"
    ),
    "Europe: {unit}": msg("Europe, {unit}: die {die}, {result}; rolled"),
    "raid on the B-29 airfields": msg("Raid on the B-29 airfields: die {die}, {result}; rolled"),
    "{card}": msg("{what}: die {die}, {result}; rolled"),
}
SHORT = {  # the same for short reports
    "intelligence, {value} or less with {modifier}": msg("Intelligence: {result}"),
    "special reaction at {place}, {value} or less with {modifier}": msg("Special reaction in {place}: {result}"),
    "Europe: {unit}": msg("Europe, {unit}: {result}"),
    "raid on the B-29 airfields": msg("Raid on the B-29 airfields: {result}"),
    "{card}": msg("{what}: {result}"),
}


def _of_die(text: Message, short: Message, rule: str, label: Message, die: int, block: Message | None = None) -> Told:
    dice = (face(die),)
    return Told("dice", text, rule, block, label=str(label), dice=dice, ten_is_zero=True, short=short, decisive=block is None)


def _rolled(g: State, x: Rolled) -> Told:
    if x.label.id not in DICE:
        return _submarines(g, x)
    result: Argument = RESULTS.get(x.result, x.result) if x.steps is None else counted("{n} step", "{n} steps", x.steps)
    args: dict[str, Argument] = {**x.label.args, "what": str(x.label), "die": x.die, "result": result}
    text, short = Message(DICE[x.label.id].id, args), Message(SHORT[x.label.id].id, args)
    told = _of_die(text, short, x.rule, x.label, x.die, block_of(g))
    return replace(told, decisive=told.decisive and x.result != "stays")


def _china_rolled(g: State, x: ChinaRolled) -> Told:
    result = RESULTS["success" if x.success else "failure"]
    text = msg(
        "China offensive: die {die} + {wings} for air support against {value}, {result}; rolled",
        die=x.die,
        wings=x.wings,
        value=x.value,
        result=result,
    )
    return _of_die(text, msg("China offensive: {result}", result=result), x.rule, x.label, x.die, block_of(g))


def _submarines(g: State, x: Rolled) -> Told:
    first_year = int(g.year == 1942)
    text = msg(
        "Submarine warfare: die {die}, turn -{turn}, escorts +{escorts}, 1942 +{year}, gives {total}; "
        "0 or less is needed: {result}; rolled",
        die=x.die,
        turn=g.turn,
        escorts=g.escort,
        year=first_year,
        total=x.die - g.turn + g.escort + first_year,
        result=RESULTS[x.result],
    )
    return _of_die(text, msg("Submarine warfare: {result}", result=RESULTS[x.result]), x.rule, x.label, x.die)


def _bombed(g: State, x: Bombed) -> Told:
    name = g.counter(x.unit).name
    result = RESULTS["success" if x.success else "failure"]
    text = msg("Strategic bombing by {unit}: die {die}, {result}; rolled", unit=name, die=x.die, result=result)
    return _of_die(text, msg("Strategic bombing by {unit}: {result}", unit=name, result=result), x.rule, x.label, x.die)


# -- the table -----------------------------------------------------------------------------------------------------


TELL: dict[type, Callable[[State, Any], Told | None]] = {
    Placed: _placed,
    Recovered: _recovered,
    Rebuilt: _rebuilt,
    Rolled: _rolled,
    ChinaRolled: _china_rolled,
    Bombed: _bombed,
}
