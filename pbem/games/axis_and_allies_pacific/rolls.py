"""What dice are for: the label that goes into them, and the sentence of the report, made of the same parts.

The record form of a label is part of the dice (protocol, "Dice"): it stays as it is, letter for letter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.games.axis_and_allies_pacific.events.combat import DiceRolled
from pbem.games.axis_and_allies_pacific.state import POWERS, State, Unit
from pbem.games.axis_and_allies_pacific.terms import THINGS, battle, place_term, power_term, raid
from pbem.kernel.wording import Argument, Message, Term, Told, msg, times

FIRE = "battle for {place}, round {round}: {power} {things} at {at}"
SURPRISE = "battle for {place}, round {round}, surprise: {power} {things} at {at}"
BOMBARDMENT = "bombardment of {place}: {power} {things} at {at}"
AA_GUNS = "battle for {place}: {power} AA gun at {things}, at {at}"
KAMIKAZE = "kamikaze in {place} against a {things} of {power} (ship {ship}), at {at}"
PASSING = "{place}: {power} submarines fire at {other} transports passing, {things} at {at}"
ESCORTS = "raid on {place}: {power} escorts, {things} at {at}"
INTERCEPTORS = "raid on {place}: interceptors, {things} at {at}"
GUNS = "raid on {place}, {what}: its guns, {things} at {at}"
BOMBS = "raid on {place}, {what}: {things} bombers"

Label = Callable[[str, Sequence[Unit], int], Message]  # of who fires, with what, and up to which number it hits


# -- labels --------------------------------------------------------------------------------------------------------------


def combat(g: State, space: str, number: int) -> Label:
    """Fire in a round of combat."""
    return lambda power, units, at: _fire(g, FIRE, space, power, units, at, round=number)


def surprise(g: State, space: str, number: int) -> Label:
    """Submarines that fire first in a round."""
    return lambda power, units, at: _fire(g, SURPRISE, space, power, units, at, round=number)


def bombardment(g: State, space: str) -> Label:
    """Ships that fire at the defenders of a beach."""
    return lambda power, units, at: _fire(g, BOMBARDMENT, space, power, units, at)


def _fire(g: State, label: str, space: str, power: str, units: Sequence[Unit], at: int, **more: Argument) -> Message:
    counts = {kind: sum(u.type == kind for u in units) for kind in g.board.types}
    things = tuple(Term(f"{n} {kind}", times(THINGS[kind], n)) for kind, n in counts.items() if n)
    return Message(label, {"place": place_term(g, space), "power": _owners(units, power), "things": things, "at": at, **more})


def _owners(units: Sequence[Unit], otherwise: str) -> Term | tuple[Term, ...]:
    """[MULT-01] Whose units these are: everybody's who defends there, in turn order; a garrison is nobody's."""
    owners = [p for p in POWERS if any(u.owner == p for u in units)]
    return tuple(map(power_term, owners)) if len(owners) > 1 else power_term(owners[0] if owners else otherwise)


def aa_guns(g: State, space: str, guns: Sequence[Unit], kind: str, n: int) -> Message:
    """AA guns, a die for each aircraft of a type."""
    targets = (Term(f"{n} {kind}", times(THINGS[kind], n)),)
    return Message(AA_GUNS, {"place": place_term(g, space), "power": _owners(guns, guns[0].owner), "things": targets, "at": 1})


def kamikaze(g: State, ship: Unit) -> Message:
    """A kamikaze at a ship."""
    where, target = place_term(g, ship.at), (Term(ship.type, times(THINGS[ship.type], 1)),)
    return Message(KAMIKAZE, {"place": where, "things": target, "power": power_term(ship.owner), "ship": ship.id, "at": 2})


def passing(g: State, zone: str, subs: Sequence[Unit], power: str) -> Message:
    """Submarines at transports that pass."""
    who = {"place": place_term(g, zone), "power": _owners(subs, subs[0].owner), "other": power_term(power)}
    return Message(PASSING, {**who, "things": _number("submarine", len(subs)), "at": 2})


def escorts(g: State, territory: str, power: str, n: int) -> Message:
    """The fighters of a raid."""
    who = {"place": place_term(g, territory), "power": power_term(power)}
    return Message(ESCORTS, {**who, "things": _number("fighter", n), "at": 1})


def interceptors(g: State, territory: str, n: int) -> Message:
    """The fighters over the target of a raid."""
    return Message(INTERCEPTORS, {"place": place_term(g, territory), "things": _number("fighter", n), "at": 2})


def guns(g: State, territory: str, facility: str, n: int) -> Message:
    """A facility's own guns, a die for each bomber."""
    what = Term(facility, times(THINGS[facility], 1))
    return Message(GUNS, {"place": place_term(g, territory), "what": what, "things": _number("strategic-bomber", n), "at": 1})


def bombs(g: State, territory: str, facility: str, n: int) -> Message:
    """The bombs on a facility, which count their pips."""
    what = Term(facility, times(THINGS[facility], 1))
    return Message(BOMBS, {"place": place_term(g, territory), "what": what, "things": _number("strategic-bomber", n)})


def _number(kind: str, n: int) -> tuple[Term, ...]:
    """Things that a label only counts, because its text says what they are."""
    return (Term(str(n), times(THINGS[kind], n)),)


# -- their parts ---------------------------------------------------------------------------------------------------------


def space_of(g: State, label: Message) -> str:
    """The space that a label names, by the name printed there."""
    return g.board.named(str(label.args["place"]))


def number_in(label: Message, part: str) -> int:
    """A number of a label: `round`, `at`, `ship`; 0 when it has none."""
    value = label.args.get(part)
    return value if isinstance(value, int) else 0


# -- sentences -----------------------------------------------------------------------------------------------------------


def dice(g: State, x: DiceRolled) -> Told:
    """Dice in words, under the heading of what they belong to."""
    parts = {name: _as_read(value) for name, value in x.label.args.items()}
    where = parts["place"]
    assert isinstance(where, Message)
    block, text = _SENTENCES[x.label.id](where, parts)
    return Told("dice", text, x.rule, block, label=str(x.label), dice=x.dice, hit_at=number_in(x.label, "at"))


def _as_read(value: Argument) -> Argument:
    """A part of a label as players read it."""
    if isinstance(value, tuple):
        return tuple(part.words if isinstance(part, Term) else part for part in value)
    return value.words if isinstance(value, Term) else value


Parts = Mapping[str, Argument]
_SENTENCES: Mapping[str, Callable[[Message, Parts], tuple[Message, Message]]] = {
    FIRE: lambda where, p: (battle(where), msg("Combat round {round}, {power}: {things} at {at}", **p)),
    SURPRISE: lambda where, p: (
        battle(where),
        msg("Combat round {round}, surprise strike by {power}: {things} at {at}", **p),
    ),
    BOMBARDMENT: lambda where, p: (battle(where), msg("Bombardment by {power}: {things} at {at}", **p)),
    AA_GUNS: lambda where, p: (battle(where), msg("AA guns of {power} at {at}; targets: {things}", **p)),
    KAMIKAZE: lambda where, p: (
        msg("Kamikaze attacks: {place}", place=where),
        msg("Kamikaze in {place} at {at}; target of {power}: {things}", **p),
    ),
    PASSING: lambda where, p: (
        msg("Submarines: {place}", place=where),
        msg("{power} fires in {place} on transports passing by ({other}): {things} at {at}", **p),
    ),
    ESCORTS: lambda where, p: (raid(where), msg("Escorts of {power}: {things} at {at}", **p)),
    INTERCEPTORS: lambda where, p: (raid(where), msg("Interceptors: {things} at {at}", **p)),
    GUNS: lambda where, p: (raid(where), msg("Guns of {what} at {at}; targets: {things}", **p)),
    BOMBS: lambda where, p: (raid(where), msg("Bombs on {what}: {things}", **p)),
}
