"""The words of Empire of the Sun, as the report asks for them: the situation, what is asked, and events (telling.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.games.empire_of_the_sun.labels import (
    ASKED as ASKED,
)
from pbem.games.empire_of_the_sun.labels import (
    CHINA,
    INDIA,
    NATIONS,
    PHASES,
    SPOKEN,
    TERRAIN,
    place,
)
from pbem.games.empire_of_the_sun.labels import (
    SIDES as SIDES,
)
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, europe_level
from pbem.games.empire_of_the_sun.supply import in_zone, supplied, zones
from pbem.games.empire_of_the_sun.victory import score
from pbem.games.empire_of_the_sun.words.telling import tell as tell
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Reveal
from pbem.kernel.wording import NO_WORDS, Argument, Message, Overview, msg, signed, verbatim

CATALOGUE = "empire_of_the_sun"
LATER = NO_WORDS  # a plan is for its own turn alone
SEATS = SIDES


CARDS = {"military": msg("military"), "reaction": msg("reaction"), "resource": msg("resource"), "political": msg("political")}


def own(g: State, seat: str, reveal: Reveal, asked: str = "") -> Sequence[Overview]:
    """Nothing on the board is hidden."""
    return ()


def scenario_names(scenario: Mapping[str, Any]) -> Iterable[str]:
    """The titles of the cards: of every scenario, as they stand in no code."""
    return [str(row["name"]) for row in scenario["deck"]["cards"]]


def item(g: State, hidden: Plain) -> Message | None:
    """A card by number and title, with the values one plays it for."""
    card = g.board.cards.get(hidden) if isinstance(hidden, str) else None
    if card is None:
        return None
    told: dict[str, Argument] = {
        "card": card.told,
        "kind": CARDS[card.type],
        "ops": card.ops,
        "oc": "-" if card.oc is None else card.oc,
    }
    if card.type != "military":
        return msg("{card} ({kind}, operations {ops}, intelligence {oc})", **told)
    ec = "-" if card.ec is None else card.ec
    return msg("{card} ({kind}, operations {ops}, intelligence {oc}, event {ec})", ec=ec, **told)


def named(g: State, word: str) -> Message | None:
    """A unit, a hex by its number, a card of the hand (`J10 japan:draw0:3`), or what an order says with a word."""
    if word in SPOKEN:
        return SPOKEN[word]
    if word in g.board.counters:
        return verbatim(g.counter(word).name)
    card, _, handle = word.partition(" ")
    if card in g.board.cards and (not handle or ":" in handle):
        return g.board.cards[card].told
    return verbatim(place(g, int(word))) if word.isdecimal() and len(word) == 4 and int(word) in g.board.hexes else None


def turn(g: State) -> int:
    """The turn."""
    return g.turn


def part(g: State, *, whole: bool = False) -> Message:
    """What the turn of whoever is at play is called, or the whole one."""
    return msg("This turn") if whole else msg("This play of a card")


def heading(g: State) -> Message:
    """Where the game stands."""
    return msg("Turn {turn}, {year}: {phase}", turn=g.turn, year=g.year, phase=PHASES[g.phase])


# -- the situation -------------------------------------------------------------------------------------------------------


def overviews(g: State) -> Sequence[Overview]:
    """The two sides, and the tracks of the war."""
    return [_sides(g), _tracks(g)]


def _sides(g: State) -> Overview:
    rows: list[dict[str, Argument]] = [
        {
            "power": SIDES[s],
            "cards": g.hand_size(s),
            "future": msg("prepared") if g.future[s] else msg("none"),
            "passes": g.passes[s],
            "asp": f"{g.asp[s] - g.asp_used[s]}/{g.asp[s]}",
            "resources": len(g.resources(s)),
            "units": sum(g.counter(u).kind != "hq" for u in g.on_map(s)),
        }
        for s in (JAPAN, ALLIES)
    ]
    sentence = msg(
        "{power}: cards in hand {cards}, future offensive {future}, passes {passes}, shipping points {asp}, "
        "resource hexes {resources}, units on the map {units}."
    )
    columns = (
        ("power", msg("Side")),
        ("cards", msg("Cards in hand")),
        ("future", msg("Future offensive")),
        ("passes", msg("Passes")),
        ("asp", msg("Shipping points")),
        ("resources", msg("Resource hexes")),
        ("units", msg("Units on the map")),
    )
    return Overview(msg("The sides"), columns, tuple(rows), sentence.id)


def _tracks(g: State) -> Overview:
    no = msg("no")
    entries: list[tuple[Message, Argument]] = [
        (msg("US Political Will"), g.will),
        (msg("War in Europe"), msg("{points} points, level {level}", points=signed(g.europe), level=europe_level(g.europe))),
        (msg("China front"), CHINA[g.china]),
        (msg("Japanese divisions in China"), g.divisions),
        (msg("India"), INDIA[g.india]),
        (msg("Inter-Service Rivalry"), tuple(SIDES[s] for s in g.rivalry) or no),
        (msg("Escort modifier"), g.escort),
        (msg("Surrendered"), tuple(NATIONS.get(n, Message(n)) for n in g.surrendered) or no),
    ]
    rows: list[dict[str, Argument]] = [{"track": track, "value": value} for track, value in entries]
    sentence = msg("{track}: {value}.")
    return Overview(msg("The war"), (("track", msg("Track")), ("value", msg("Value"))), tuple(rows), sentence.id)


def measured(g: State) -> Sequence[tuple[Argument, int]]:
    """Political Will, and the resource hexes of both sides."""
    hexes = [((msg("Resource hexes"), SIDES[s]), len(g.resources(s))) for s in (JAPAN, ALLIES)]
    return [(msg("US Political Will"), g.will), *hexes]


def remarks(g: State) -> Sequence[Message]:
    """The offensive that is going on, units without supply, victory points where they count."""
    found = []
    if g.offensive is not None:
        o = g.offensive
        hexes = tuple(place(g, h) for h in o.battles) or msg("none")
        found.append(msg("Offensive of {power}, battle hexes: {hexes}.", power=SIDES[o.side], hexes=hexes))
    for s in (JAPAN, ALLIES):
        hungry = tuple(g.counter(u).name for u in g.on_map(s) if not supplied(g, u))
        if hungry:
            found.append(msg("Out of supply, {power}: {names}.", power=SIDES[s], names=hungry))
    points = score(g)
    if points:
        found.append(msg("Japanese victory points as things stand: {n}.", n=sum(n for _, n in points)))
    return found


def board(g: State) -> Mapping[str, Message]:
    """Every hex that is more than open sea, in sentences: what it is, who holds it, zones, units."""
    worth = sorted({*g.control, *g.by_hex()})
    return {f"{h:04}": _hex(g, h) for h in worth if h in g.board.hexes}


def _hex(g: State, h: int) -> Message:
    here = g.board.hexes[h]
    signs = tuple(
        word
        for word, there in (
            (msg("port"), here.port),
            (msg("airfield"), here.airfield),
            (msg("city"), bool(here.city)),
            (msg("resources"), here.resource),
        )
        if there
    )
    args: dict[str, Argument] = {
        "place": place(g, h),
        "terrain": (TERRAIN[here.terrain], *signs),
        "zone": _zone(g, h),
        "here": tuple(_unit(g, u) for u in g.units_at(h)) or msg("nobody"),
    }
    if h in g.control:
        return msg(
            "{place} ({terrain}), held by: {owner}; zone of influence: {zone}. Here: {here}.", owner=SIDES[g.control[h]], **args
        )
    return msg("{place} ({terrain}); zone of influence: {zone}. Here: {here}.", **args)


def _zone(g: State, h: int) -> Argument:
    mine = [s for s in (JAPAN, ALLIES) if in_zone(g, s, h)]
    return tuple(msg("{power}, neutralised", power=SIDES[s]) if _neutral(g, s, h) else SIDES[s] for s in mine) or msg("none")


def _neutral(g: State, s: str, h: int) -> bool:
    """The zone of side `s` is neutralised in this hex."""
    foe = ALLIES if s == JAPAN else JAPAN
    return g.board.fields.has(zones(g).fighters[foe], h)


def _unit(g: State, u: str) -> Message | str:
    name = g.counter(u).name
    words = []
    if g.pieces[u].reduced:
        words.append(msg("reduced"))
    if not supplied(g, u):
        words.append(msg("out of supply"))
    return msg("{unit} ({state})", unit=name, state=tuple(words)) if words else name
