"""The words of the Next War series, as the report asks for them: the situation, what is asked, and events (telling.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.games.next_war.labels import ASKED as ASKED
from pbem.games.next_war.labels import BOXES, CLEARS, ESCORT, PHASES, SEGMENTS, SPOKEN, TERRAIN, WEATHERS, area, place
from pbem.games.next_war.labels import SIDES as SIDES
from pbem.games.next_war.record_telling import air_level
from pbem.games.next_war.state import SIDES as BOTH
from pbem.games.next_war.state import State
from pbem.games.next_war.telling import tell as tell
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Reveal
from pbem.kernel.wording import NO_WORDS, Argument, Message, Overview, msg, verbatim

CATALOGUE = "next_war"
LATER = NO_WORDS  # a plan is for its own turn alone
SEATS = SIDES


def item(g: State, hidden: Plain) -> str | None:
    """Nothing is hidden."""
    return None


def named(g: State, word: str) -> Message | None:
    """A unit, a sea area, a hex by its number, or what an order says with a word."""
    verb, _, part = word.partition(": ")
    if part and verb != "weather":
        said = {"clear": CLEARS, "escort": ESCORT}.get(part)
        if word in SPOKEN or said is not None:
            return SPOKEN.get(word, said)
    if word in g.board.counters:
        return verbatim(g.counter(word).name)
    if word in g.board.areas:
        return verbatim(g.board.areas[word].name)
    return verbatim(place(g, int(word))) if word.isdecimal() and len(word) == 4 and int(word) in g.board.hexes else None


def own(g: State, seat: str, reveal: Reveal, asked: str = "") -> Sequence[Overview]:
    """Nothing on the board is hidden."""
    return ()


def scenario_names(scenario: Mapping[str, Any]) -> Iterable[str]:
    """What the two sides are."""
    return (side["name"] for side in scenario.get("sides", {}).values())


def turn(g: State) -> int:
    """The Game Turn."""
    return g.turn


def part(g: State, *, whole: bool = False) -> Message:
    """What the turn of whoever is at play is called, or the whole one."""
    return msg("This Game Turn") if whole else msg("This movement segment")


def heading(g: State) -> Message:
    """Where the game stands."""
    return msg("Turn {turn}: {phase}", turn=g.turn, phase=_now(g))


def _now(g: State) -> Message:
    """The segment that is played, or the phase. A combat has its segment waiting behind it."""
    cursor = g.stack[-1] if g.fight is not None and g.stack else g.running
    kind = str(cursor.args[0]) if cursor is not None and cursor.args else ""
    if (g.segment, kind) in SEGMENTS:
        return SEGMENTS[g.segment, kind]
    return PHASES[g.phase]


# -- the situation -------------------------------------------------------------------------------------------------------


def overviews(g: State) -> Sequence[Overview]:
    """The two sides, and who controls the sea."""
    return [_sides(g), _seas(g)] if g.board.areas else [_sides(g)]


def _sides(g: State) -> Overview:
    rows: list[dict[str, Argument]] = [
        {
            "power": SIDES[s],
            "vp": g.vp[s],
            "vp_turn": g.vp_turn[s],
            "air": f"{g.air[s]}/{g.air_received[s]}",
            "lift": _halves(g.lift[s]),
            "threat": g.threat[s],
            "asw": g.asw[s],
            "steps": sum(g.steps(u) for u in g.on_map(s, "ground")),
        }
        for s in BOTH
    ]
    sentence = msg(
        "{power}: Victory Points {vp}, this turn {vp_turn}; Air Points {air}; Airmobile Points left {lift}; "
        "submarine threat {threat}, antisubmarine level {asw}; steps of ground units on the map {steps}."
    )
    columns = (
        ("power", msg("Side")),
        ("vp", msg("Victory Points")),
        ("vp_turn", msg("Victory Points this turn")),
        ("air", msg("Air Points")),
        ("lift", msg("Airmobile Points")),
        ("threat", msg("Submarine threat")),
        ("asw", msg("Antisubmarine level")),
        ("steps", msg("Steps on the map")),
    )
    return Overview(msg("The sides"), columns, tuple(rows), sentence.id)


def _halves(half: int) -> str:
    """Half points as a number."""
    return str(half // 2) + (".5" if half % 2 else "")


def _seas(g: State) -> Overview:
    rows: list[dict[str, Argument]] = [
        {
            "area": x.name,
            "power": SIDES[g.sea_control.get(x.id, "")] if not x.box else "–",
            "here": tuple(g.counter(u).name for u in g.pieces if g.counter(u).naval and g.area_of(u) == x.id) or msg("none"),
        }
        for x in g.board.areas.values()
    ]
    sentence = msg("{area}, sea control: {power}. Ships: {here}.")
    columns = (("area", msg("Sea area")), ("power", msg("Sea control")), ("here", msg("Ships")))
    return Overview(msg("The sea"), columns, tuple(rows), sentence.id)


def measured(g: State) -> Sequence[tuple[Argument, int]]:
    """Victory Points of both sides."""
    return [((msg("Victory Points"), SIDES[s]), g.vp[s]) for s in BOTH]


def remarks(g: State) -> Sequence[Message]:
    """Weather, initiative, air superiority, losses, reinforcements of the next turn, supply."""
    found = [msg("Weather: {weather}.", weather=WEATHERS[g.weather])]
    first = msg("Initiative: {power}.", power=SIDES[g.first])
    if g.contested:
        first = msg("This is a Contested Turn; First Player: {power}.", power=SIDES[g.first])
    found += [first, msg("{sentence}.", sentence=air_level(g.air_level))]
    for s in BOTH:
        coming = tuple(
            g.counter(u).name for u, p in g.pieces.items() if p.box == "due" and p.due == g.turn + 1 and g.seat(u) == s
        )
        if coming:
            found.append(msg("Reinforcements of {power} in the next turn: {names}.", power=SIDES[s], names=coming))
        dead = tuple(g.counter(u).name for u, p in g.pieces.items() if p.box == "eliminated" and g.seat(u) == s)
        if dead:
            found.append(msg("{box}, {power}: {names}.", box=BOXES["eliminated"], power=SIDES[s], names=dead))
        hungry = tuple(g.counter(u).name for u in g.unsupplied if g.seat(u) == s)
        if hungry:
            found.append(msg("Out of supply, {power}: {names}.", power=SIDES[s], names=hungry))
    return found


def board(g: State) -> Mapping[str, Message]:
    """Every hex with units or something worth holding, in sentences."""
    worth = [h for h, x in g.board.hexes.items() if x.name or x.installations or x.airfield or x.fort or x.city or x.town]
    return {g.board.hexes[h].label: _hex(g, h) for h in sorted({*worth, *g.by_hex(), *g.clearing, *g.mines, *g.beachheads})}


def _hex(g: State, h: int) -> Message:
    here = g.board.hexes[h]
    marks = (
        (msg("city"), here.city),
        (msg("town"), here.town),
        (msg("airbase"), here.airbase),
        (msg("airfield"), here.airfield),
        (msg("port"), here.port),
        (msg("installation"), here.sites > 0),
        (msg("fortification"), bool(here.fort) and h not in g.fallen),
        (msg("Clearing marker"), h in g.clearing),
        (msg("mines"), h in g.mines),
        (msg("beachhead"), h in g.beachheads),
    )
    args: dict[str, Argument] = {
        "place": place(g, h),
        "terrain": (TERRAIN[here.terrain], *(word for word, there in marks if there)),
        "here": tuple(_unit(g, u) for u in g.by_hex().get(h, ())) or msg("nobody"),
    }
    if h in g.control:
        return msg("{place} ({terrain}), held by: {owner}. Here: {here}.", owner=SIDES[g.control[h]], **args)
    return msg("{place} ({terrain}), {area}. Here: {here}.", area=area(g, g.area_at(h)), **args)


def _unit(g: State, u: str) -> Message | str:
    words: list[Message] = []
    if g.pieces[u].reduced:
        words.append(msg("reduced"))
    if u in g.unsupplied:
        words.append(msg("out of supply"))
    aboard = tuple(g.counter(c).name for c in g.cargo(u)) if g.counter(u).kind == "AMPH" else ()
    if aboard:
        words.append(msg("aboard: {names}", names=aboard))
    name = g.counter(u).name
    return msg("{unit} ({state})", unit=name, state=tuple(words)) if words else name
