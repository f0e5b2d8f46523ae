"""Battles in words: forces, fire, losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.empire_of_the_sun.battle.modifiers import air_naval_modifiers, ground_modifiers
from pbem.games.empire_of_the_sun.d10 import face
from pbem.games.empire_of_the_sun.events.battles import BattleBegan, BattleEnded, Fired, GarrisonLost, Restored
from pbem.games.empire_of_the_sun.events.units import Eliminated, StepLost
from pbem.games.empire_of_the_sun.labels import ROUNDS, SIDES, battle, block_of, gone, hexes, units, where_is
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, side_of
from pbem.kernel.wording import Argument, Message, Told, counted, msg, signed


def _battle(g: State, x: BattleBegan) -> Told:
    present = {side: units(g, g.mine_at(side, x.hex)) for side in (JAPAN, ALLIES)}
    o = g.offensive
    if o is not None:
        for entries in (o.units, o.reactors):
            for name, entry in entries.items():
                if entry.battle == x.hex and g.pieces[name].at != x.hex:
                    present[side_of(g, name)] += units(g, (name,))
    nobody = msg("nobody")
    text = msg("Forces of Japan: {japan}; of the Allies: {allies}", **{s: there or nobody for s, there in present.items()})
    return Told("battle", text, x.rule, battle(g, x.hex), hexes(x.hex))


MODIFIERS = {
    "surprise": msg("Surprise Attack"),
    "ambush": msg("Ambush"),
    "year": msg("year"),
    "events": msg("events"),
    "event, final": msg("event, final"),
    "ships": msg("ships"),
    "air": msg("air superiority"),
    "terrain": msg("terrain"),
    "landing": msg("landing against a garrison"),
    "armour": msg("armour"),
}


SALVO = msg("{power}, {round}: strength {strength}, hits: {hits}")


def _fired(g: State, x: Fired) -> Told:
    modifiers = air_naval_modifiers if x.kind == "air-naval" else ground_modifiers
    parts = tuple(
        Message("{by} {what}", {"by": signed(by), "what": MODIFIERS[name]}) for name, by in modifiers(g, x.side, x.hex)
    )
    args: dict[str, Argument] = {
        "power": SIDES[x.side],
        "round": ROUNDS[x.kind],
        "strength": x.strength,
        "die": x.die,
        "modifiers": parts or msg("no modifier"),
        "total": x.die + x.modifier,
        "rating": x.rating,
        "hits": msg("{n}, critical", n=x.hits) if x.critical else x.hits,
    }
    text = msg(
        "{power}, {round}: strength {strength}; die {die}, {modifiers}, gives {total}; "
        "effectiveness {rating}; hits: {hits}; rolled",
        **args,
    )
    short = Message(SALVO.id, args)
    return Told(
        "dice", text, x.rule, battle(g, x.hex), hexes(x.hex), str(x.label), (face(x.die),), ten_is_zero=True, short=short
    )


def _round_ended(g: State, x: BattleEnded) -> Told:
    if x.kind == "battle":  # its last round has told who won
        return Told("battle", msg("The battle is over"), x.rule, battle(g, x.hex), hexes(x.hex))
    args: dict[str, Argument] = {"round": ROUNDS[x.kind], "power": SIDES[x.winner]}
    text = msg("Winner of the {round}: {power}", **args)
    return Told("battle", text, x.rule, battle(g, x.hex), hexes(x.hex), decisive=True)


def _step_lost(g: State, x: StepLost) -> Told:
    side, where = side_of(g, x.unit), g.pieces[x.unit].at
    things = (Message(f"{g.counter(x.unit).name} (−1)", {"n": 1, "unit": x.unit}),)
    args: dict[str, Argument] = {"power": SIDES[side], "place": where_is(g, x.unit), "things": things}
    return Told("loss", msg("Reduced, {power}, in {place}: {things}", **args), x.rule, block_of(g), hexes(where), loser=side)


def _eliminated(g: State, x: Eliminated) -> Told:
    side, where = side_of(g, x.unit), g.pieces[x.unit].at
    args: dict[str, Argument] = {"power": SIDES[side], "place": where_is(g, x.unit), "things": units(g, (x.unit,))}
    args["lost"] = gone(g, (x.unit,))
    return Told("loss", msg("Eliminated, {power}, in {place}: {things}", **args), x.rule, block_of(g), hexes(where), loser=side)


def _garrison(g: State, x: GarrisonLost) -> Told:
    text = counted("The garrison loses {n} step", "The garrison loses {n} steps", x.steps)
    return Told("loss", text, x.rule, block_of(g))


def _restored(g: State, x: Restored) -> Told:
    text = msg("Kept by a transfer of losses, {power}: {things}", power=SIDES[side_of(g, x.unit)], things=units(g, (x.unit,)))
    return Told("battle", text, x.rule, block_of(g))


# -- the table -----------------------------------------------------------------------------------------------------


TELL: dict[type, Callable[[State, Any], Told | None]] = {
    BattleBegan: _battle,
    Fired: _fired,
    BattleEnded: _round_ended,
    StepLost: _step_lost,
    Eliminated: _eliminated,
    GarrisonLost: _garrison,
    Restored: _restored,
}
