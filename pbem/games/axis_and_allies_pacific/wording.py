"""The words of Pacific 1940, as the report asks for them: the situation, what is asked, and events (telling.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.axis_and_allies_pacific.income import production
from pbem.games.axis_and_allies_pacific.orders import ALIASES
from pbem.games.axis_and_allies_pacific.state import POWERS, State, controller_side
from pbem.games.axis_and_allies_pacific.state import SIDES as SIDE_OF
from pbem.games.axis_and_allies_pacific.telling import tell as tell
from pbem.games.axis_and_allies_pacific.terms import ASKED as ASKED
from pbem.games.axis_and_allies_pacific.terms import MARKED, OWNERS, PHASES, THINGS, place
from pbem.games.axis_and_allies_pacific.terms import SIDES as SIDES
from pbem.games.axis_and_allies_pacific.victory import axis_cities
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Reveal
from pbem.kernel.wording import NO_WORDS, Argument, Message, Overview, counted, msg, times

CATALOGUE = "axis_and_allies_pacific"
LATER = NO_WORDS  # a plan is for its own turn alone
SEATS = OWNERS


def scenario_names(scenario: Mapping[str, Any]) -> list[str]:
    """Names of a scenario's land and cities: message ids that stand in no code."""
    land = scenario["map"]["territories"].values()
    return [name for t in land for name in (t["name"], t.get("victory_city")) if name]


def item(g: State, hidden: Plain) -> str | None:
    """Nothing is hidden."""
    return None


def named(g: State, word: str) -> Message | None:
    """A space, a power or a type of unit, however an order spells that: `strategic-bombers`, `inf`, `3 infantry of anzac`."""
    thing, _, power = word.rpartition(" of ")
    if thing and power in POWERS:
        number, _, kind = thing.partition(" ")
        what = named(g, kind if number.isdecimal() else thing)
        n = int(number) if number.isdecimal() else 1
        return what and msg("{things} ({power})", things=times(what, n), power=OWNERS[power])
    space = word.lower().replace(" ", "-")  # `SZ 35`
    if space in g.board.neighbours:
        return place(g, space)
    return THINGS.get(ALIASES.get(word, word)) or MARKED.get(word) or (OWNERS[word] if word in POWERS else None)


def own(g: State, seat: str, reveal: Reveal, asked: str = "") -> Sequence[Overview]:
    """Nothing on the board is hidden."""
    return ()


def turn(g: State) -> int:
    """The round."""
    return g.round


def part(g: State, *, whole: bool = False) -> Message:
    """What the turn of whoever is at play is called, or the whole one."""
    return msg("This round") if whole else msg("This power's turn")


def heading(g: State) -> Message:
    """Where the game stands."""
    return msg("Round {round}, {power}: {phase}", round=g.round, power=OWNERS[g.power], phase=PHASES[g.phase])


# -- the situation -------------------------------------------------------------------------------------------------------


def overviews(g: State) -> Sequence[Overview]:
    """Powers and victory cities."""
    return [_powers(g), _cities(g)]


def _powers(g: State) -> Overview:
    rows: list[dict[str, Argument]] = [
        {
            "power": OWNERS[p],
            "cash": g.cash[p],
            "production": production(g, p),
            "units": sum(u.owner == p for u in g.units.values()),
        }
        for p in POWERS
    ]
    sentence = msg("{power}: money {cash} IPC, production {production}, units on the board {units}.")
    return Overview(
        msg("The powers"),
        (("power", msg("Power")), ("cash", msg("IPC")), ("production", msg("Production")), ("units", msg("Units"))),
        tuple(rows),
        sentence.id,
    )


def _cities(g: State) -> Overview:
    rows: list[dict[str, Argument]] = [
        {"city": Message(city), "territory": place(g, t), "side": SIDES[controller_side(g, t)]}
        for city, t in g.board.victory_cities.items()
    ]
    sentence = msg("{city} in {territory}, held by: {side}.")
    return Overview(
        msg("Victory cities"),
        (("city", msg("City")), ("territory", msg("Territory")), ("side", msg("Held by"))),
        tuple(rows),
        sentence.id,
    )


def measured(g: State) -> Sequence[tuple[Argument, int]]:
    """Victory cities of the Axis, and what the territories of each side produce."""
    sides = [(side, [p for p in POWERS if SIDE_OF[p] == side]) for side in ("axis", "allies")]
    cities: tuple[Argument, int] = ((msg("Victory cities"), SIDES["axis"]), axis_cities(g))
    return [cities, *(((msg("Production"), SIDES[side]), sum(production(g, p) for p in powers)) for side, powers in sides)]


def remarks(g: State) -> Sequence[Message]:
    """Wars, and how near the Axis is to victory."""
    wars = tuple(msg("{one} against {other}", one=OWNERS[a], other=OWNERS[b]) for a, b in (key.split() for key in g.wars))
    cities = counted("The Axis holds {n} victory city of {all}.", "The Axis holds {n} victory cities of {all}.", axis_cities(g))
    count = Message(cities.id, {**cities.args, "all": len(g.board.victory_cities)}, cities.plural)
    return [msg("At war: {wars}.", wars=wars or msg("nobody")), count]


def board(g: State) -> Mapping[str, Message]:
    """Every space in sentences: who holds it, what stands there, what is adjacent."""
    return {space: _space(g, space) for space in g.board.neighbours}


def _space(g: State, space: str) -> Message:
    here = [
        msg("{power} has {things}", power=OWNERS[owner], things=tuple(times(THINGS[k], n) for k, n in counts.items()))
        for owner, counts in _counts(g, space).items()
    ]
    near = tuple(place(g, s) for s in g.board.neighbours[space])
    if space in g.board.zones:
        args: dict[str, Argument] = {"place": place(g, space), "near": near, "here": tuple(here) or msg("nobody")}
        return msg("From {place}, adjacent: {near}. Here: {here}.", **args)
    buildings = tuple(_facility(f.type, f.damage) for f in g.facilities.get(space, ()))
    return msg(
        "From {place}, worth {ipc} IPC, held by: {owner}; adjacent: {near}. Here: {here}.",
        place=place(g, space),
        ipc=g.board.territories[space].ipc,
        owner=OWNERS[g.control.get(space, "none")],
        near=near,
        here=(*here, *buildings) or msg("nobody"),
    )


def _facility(kind: str, damage: int) -> Message:
    return msg("{what} with damage {damage}", what=times(THINGS[kind], 1), damage=damage) if damage else times(THINGS[kind], 1)


def _counts(g: State, space: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for unit in g.at(space):
        mine = found.setdefault(unit.owner, {})
        mine[unit.type] = mine.get(unit.type, 0) + 1
    return found
