"""Offensives in words: activation, moves, battle hexes, reaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.empire_of_the_sun.events.offensives import (
    BargesUsed,
    BattleDeclared,
    Committed,
    ConditionSet,
    Moved,
    OffensiveBegan,
    OffensiveEnded,
    ReactionLed,
    TurnedBack,
    UnitsActivated,
    Withdrawn,
)
from pbem.games.empire_of_the_sun.events.units import Returned
from pbem.games.empire_of_the_sun.labels import BOXES, CONDITIONS, HOW, SIDES, battle, block_of, card, hexes, place, units
from pbem.games.empire_of_the_sun.state import FOE, Offensive, State, offensive, side_of
from pbem.kernel.events import Rewound
from pbem.kernel.wording import Argument, Declared, Message, Told, msg


def _offensive(g: State, x: OffensiveBegan) -> Told:
    text = _heading(g, x)
    return Told("phase", text, x.rule, declares=(Declared(text, text),))


def _heading(g: State, x: OffensiveBegan | Offensive) -> Message:
    args: dict[str, Argument] = {"power": SIDES[x.side], "card": card(g, x.card)}
    args["n"] = x.allowance + (g.counter(x.hq).efficiency if x.hq else 0)
    args["hq"] = g.counter(x.hq).name if x.hq else "–"
    if not x.hq:
        return msg("Offensive, {power}: {card}, played as event", **args)
    if x.event:
        return msg("Offensive, {power}: {card}, played as event; led by {hq}, up to {n} units", **args)
    return msg("Offensive, {power}: {card}, played as operations card ({ops}); led by {hq}, up to {n} units", ops=x.ops, **args)


def _activated(g: State, x: UnitsActivated) -> Told | None:
    if not x.units:
        return None
    o = g.offensive
    args: dict[str, Argument] = {"power": SIDES[x.side], "things": units(g, x.units)}
    spaces = hexes(*(g.pieces[u].at for u in x.units))
    if o is not None and o.side != x.side:
        text = msg("Reaction of {power} with: {things}", **args)
        return Told("orders", text, x.rule, spaces=spaces, declares=_behind(g, text))
    return Told("orders", msg("Activated by {power}: {things}", **args), x.rule, spaces=spaces)


def _moved(g: State, x: Moved) -> Told | None:
    start = g.pieces[x.unit].at
    if x.path == (start,):
        return None  # the take-off for China: where to is told next
    args: dict[str, Argument] = {
        "power": SIDES[side_of(g, x.unit)],
        "how": HOW[x.mode],
        "origin": place(g, start) if start else BOXES["china"],
        "place": place(g, x.path[-1]),
        "things": units(g, (x.unit,)),
    }
    text = msg("{power}, {how}, from {origin} to {place}: {things}", **args)
    if len(x.path) > 2:
        text = msg("{power}, {how}, from {origin} via {way} to {place}: {things}", way=_way(x.path), **args)
    return Told("move", text, x.rule, spaces=hexes(start, x.path[-1]))


def _way(path: tuple[int, ...]) -> tuple[str, ...]:
    """The hexes between start and end."""
    return tuple(f"{h:04}" for h in path[1:-1])


def _returned(g: State, x: Returned) -> Told | None:
    start = g.pieces[x.unit].at
    if start == x.path[-1]:
        return None
    args: dict[str, Argument] = {"power": SIDES[side_of(g, x.unit)], "origin": place(g, start), "place": place(g, x.path[-1])}
    args["things"] = units(g, (x.unit,))
    text = msg("Withdrawal of {power} from {origin} to {place}: {things}", **args)
    if x.rule == "9.6":
        text = msg("Post-battle movement of {power} from {origin} to {place}: {things}", **args)
    return Told("move", text, x.rule, block_of(g), hexes(start, x.path[-1]))


def _committed(g: State, x: Committed) -> Told:
    args: dict[str, Argument] = {"power": SIDES[side_of(g, x.unit)], "place": place(g, x.hex), "things": units(g, (x.unit,))}
    if x.cover:
        return Told("battle", msg("Landing in {place}, covered by {power}: {things}", **args), x.rule, spaces=hexes(x.hex))
    return Told("battle", msg("{power}, into the battle of {place}: {things}", **args), x.rule, spaces=hexes(x.hex))


def _declared(g: State, x: BattleDeclared) -> Told:
    text, short = msg("Battle hex: {place}", place=place(g, x.hex)), msg("battle hexes: {places}", places=(place(g, x.hex),))
    if x.special:
        text = short = msg("Battle hex by special reaction: {place}", place=place(g, x.hex))
    return Told("battle", text, x.rule, spaces=hexes(x.hex), declares=(Declared(short, battle(g, x.hex)),))


def _withdrawn(g: State, x: Withdrawn) -> Told:
    text = msg("The activation is cancelled of: {things}", things=units(g, (x.unit,)))
    return Told("orders", text, x.rule, spaces=hexes(g.pieces[x.unit].at))


def _turned_back(g: State, x: TurnedBack) -> Told:
    where = g.pieces[x.unit].at
    args: dict[str, Argument] = {"place": place(g, where), "things": units(g, (x.unit,))}
    text = msg("Back to sea from {place}: {things}", **args) if x.beaten else msg("Turned back off {place}: {things}", **args)
    return Told("battle", text, x.rule, block_of(g), hexes(where), decisive=True)


def _offensive_ended(g: State, x: OffensiveEnded) -> Told:
    return Told("orders", msg("The offensive is over: {power}", power=SIDES[x.side]), x.rule)


def _rewound(g: State, x: Rewound) -> Told:
    text = msg("The offensive is called off: everything goes back to where it began")
    if x.name == "moves":
        text = msg("The moves of this offensive are taken back and begin anew")
    return Told("orders", text, x.rule)


def _condition(g: State, x: ConditionSet) -> Told:
    text = msg("Intelligence condition: {condition}", condition=CONDITIONS[x.condition])
    return Told("battle", text, x.rule, declares=_behind(g, text))


def _behind(g: State, text: Message) -> tuple[Declared, ...]:
    """A sentence that is announced where the battles of its offensive are not told under its heading."""
    return (Declared(text, _heading(g, offensive(g))),)


def _reaction_led(g: State, x: ReactionLed) -> Told | None:
    args: dict[str, Argument] = {"power": SIDES[FOE[offensive(g).side]], "hq": g.counter(x.hq).name}
    return Told("orders", msg("Headquarters of the reaction of {power}: {hq}", **args), x.rule)


def _barges_used(g: State, x: BargesUsed) -> Told:
    return Told("move", msg("Japanese barges are used"), x.rule)


# -- the table -----------------------------------------------------------------------------------------------------


TELL: dict[type, Callable[[State, Any], Told | None]] = {
    OffensiveBegan: _offensive,
    UnitsActivated: _activated,
    Moved: _moved,
    Returned: _returned,
    Committed: _committed,
    BattleDeclared: _declared,
    Withdrawn: _withdrawn,
    TurnedBack: _turned_back,
    OffensiveEnded: _offensive_ended,
    Rewound: _rewound,
    ConditionSet: _condition,
    ReactionLed: _reaction_led,
    BargesUsed: _barges_used,
}
