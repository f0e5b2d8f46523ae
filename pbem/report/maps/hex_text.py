"""A hex map, or what lies around one hex, as plain text: a grid of two lines for each hex, and what stands where."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games import Module
from pbem.kernel.hex_picture import HexPicture, Piece, Place
from pbem.kernel.wording import Message, english, linked, msg
from pbem.report.maps.hex_beside import standing
from pbem.report.maps.hex_land import Layout, layout, terrains
from pbem.report.maps.hex_sheet import REACH, known
from pbem.report.maps.style import Speak, Style, style

MARKS = {"unsupplied": msg("out of supply")}
CELL = 7  # characters from one column to the next
SIGNS = "~.%&^o+=#!@"  # of terrains, in the order of the map's style


def text(game: Module, picture: HexPicture, title: str, around: str = "", speak: Speak = english) -> str:
    """The map as lines of text. Raises ProtocolError for a hex that is not on the map."""
    at, looks = layout(picture.map), style(game).told(speak)
    centre = known(picture, around) if around else 0
    shown = [h for h in at.cells if not centre or at.grid.distance(h, centre) <= REACH]
    places = {place.id: place for place in picture.spaces}
    signs = dict(zip(terrains(game), SIGNS, strict=False))
    parts = [title, *(speak(linked(": ", looks.owner(p.id).name, p.facts)) for p in picture.parties), speak(picture.facts)]
    parts += ["", *_grid(at, shown, places, looks, signs), "", _key(game, signs, speak), ""]
    lands = {id: speak(Message(terrain.name)) for id, terrain in terrains(game).items()}
    parts += [line for h in shown for line in _lines(at, places.get(h), looks, lands, speak)]
    if not centre:
        parts += ["", *(standing(track, speak) for track in picture.tracks)]
        parts += [f"{speak(box.title)}: {', '.join(_counter(piece, speak) for piece in box.pieces)}" for box in picture.boxes]
    parts += _moves(at, picture, looks, set(shown), speak)
    return "\n".join(parts) + "\n"


def _grid(at: Layout, shown: list[int], places: dict[int, Place], looks: Style, signs: dict[str, str]) -> list[str]:
    base = at.grid.base
    left, top = min(h // base for h in shown), min(h % base for h in shown)
    rows: dict[int, dict[int, str]] = {}
    for h in shown:
        column, row = divmod(h, base)
        lowered = (column % 2 == 1) == at.board.odd_lower
        y, x = 2 * (row - top) + lowered, (column - left) * CELL
        rows.setdefault(y, {})[x] = at.cells[h].number
        rows.setdefault(y + 1, {})[x] = _mark(places.get(h), looks, signs.get(at.cells[h].terrain, "?"))
    return [_spread(rows.get(y, {})) for y in range(max(rows) + 1)]


def _mark(place: Place | None, looks: Style, sign: str) -> str:
    """Terrain, who holds the hex, and how many counters of each owner; a battle has a star."""
    if place is None:
        return sign
    counts: dict[str, int] = {}
    for piece in place.pieces:
        letter = looks.owner(piece.owner).letter
        counts[letter] = counts.get(letter, 0) + 1
    holder = looks.owner(place.owner).letter.lower() if place.owner else ""
    return (sign + ("*" if place.fought else "") + holder + "".join(f"{k}{n}" for k, n in counts.items()))[: CELL - 1]


def _spread(words: dict[int, str]) -> str:
    line = ""
    for x, word in sorted(words.items()):
        line = line.ljust(x) + word
    return line


def _key(game: Module, signs: dict[str, str], speak: Speak) -> str:
    named = ", ".join(f"{signs[id]} {speak(Message(terrain.name))}" for id, terrain in terrains(game).items() if id in signs)
    return speak(msg("{terrains}; small letter: holder; letter and number: counters; * battle", terrains=named))


def _lines(at: Layout, place: Place | None, looks: Style, lands: Mapping[str, str], speak: Speak) -> list[str]:
    """What is worth a line: names, counters, battles."""
    if place is None:
        return []
    cell = at.cells[place.id]
    if not (place.pieces or place.fought or place.taken_from or (cell.name and cell.signs)):
        return []
    facts = [lands[cell.terrain], *(looks.signs[sign].name for sign in cell.signs)]
    if place.owner:
        facts.append(speak(msg("held by {owner}", owner=looks.owner(place.owner).name)))
    if place.taken_from:
        facts.append(speak(msg("before by {owner}", owner=looks.owner(place.taken_from).name)))
    for id, neutral in place.zones:
        zone = msg("zone of {owner} (neutralised)") if neutral else msg("zone of {owner}")
        facts.append(speak(Message(zone.id, {"owner": looks.owner(id).name})))
    facts += [speak(msg("BATTLE"))] if place.fought else []
    name = f"{cell.number} {cell.name}".strip()
    return [f"{name}: {', '.join(facts)}", *(f"    {looks.owner(p.owner).letter} {_counter(p, speak)}" for p in place.pieces)]


def _counter(piece: Piece, speak: Speak) -> str:
    troubles = [*([speak(msg("reduced"))] if piece.reduced else []), *(speak(MARKS[mark]) for mark in piece.marks)]
    return f"{piece.name} {piece.said or f'{piece.attack}-{piece.defense}'}" + (f" ({', '.join(troubles)})" if troubles else "")


def _moves(at: Layout, picture: HexPicture, looks: Style, shown: set[int], speak: Speak) -> list[str]:
    def name(h: int) -> str:
        return f"{at.cells[h].name} {at.cells[h].number}".strip() if h in at.cells else f"{h:04}"

    found = [
        speak(
            msg(
                "{owner}, {count} by {kind}: {start} to {end}",
                owner=looks.owner(j.owner).name,
                count=j.count,
                kind=speak(Message(j.kind)),
                start=name(j.path[0]),
                end=name(j.path[-1]),
            )
        )
        for j in picture.journeys
        if shown & set(j.path)
    ]
    return ["", speak(msg("Moves:")), *found] if found else []
