"""A hex map, or what lies around one hex, as plain text: a grid of two lines for each hex, and what stands where."""

from __future__ import annotations

from pbem.games import Module
from pbem.kernel.hex_picture import HexPicture, Piece, Place
from pbem.report.maps.hex_land import Layout, layout, terrains
from pbem.report.maps.hex_map import REACH, known
from pbem.report.maps.style import Style, style

CELL = 7  # characters from one column to the next
SIGNS = "~.%&^o+=#!@"  # of terrains, in the order of the map's style


def text(game: Module, picture: HexPicture, title: str, around: str = "") -> str:
    """The map as lines of text. Raises ProtocolError for a hex that is not on the map."""
    at, looks = layout(picture.map), style(game)
    centre = known(picture, around) if around else 0
    shown = [h for h in at.cells if not centre or at.grid.distance(h, centre) <= REACH]
    places = {place.id: place for place in picture.spaces}
    signs = dict(zip(terrains(game), SIGNS, strict=False))
    parts = [title, *(f"{looks.owner(p.id).name}: {p.facts}" for p in picture.parties), picture.facts]
    parts += ["", *_grid(at, shown, places, looks, signs), "", _key(game, signs), ""]
    parts += [line for h in shown for line in _lines(at, places.get(h), looks)]
    if not centre:
        parts += ["", *(f"{track.title}: {track.cells[track.at] if track.at >= 0 else '-'}" for track in picture.tracks)]
        parts += [f"{box.title}: {', '.join(map(_counter, box.pieces))}" for box in picture.boxes]
    parts += _moves(at, picture, looks, set(shown))
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


def _key(game: Module, signs: dict[str, str]) -> str:
    named = ", ".join(f"{signs[id]} {terrain.name}" for id, terrain in terrains(game).items() if id in signs)
    return f"{named}; small letter: holder; letter and number: counters; * battle"


def _lines(at: Layout, place: Place | None, looks: Style) -> list[str]:
    """What is worth a line: names, counters, battles."""
    if place is None:
        return []
    cell = at.cells[place.id]
    if not (place.pieces or place.fought or place.taken_from or (cell.name and cell.signs)):
        return []
    facts = [cell.terrain, *cell.signs]
    if place.owner:
        facts.append(f"held by {looks.owner(place.owner).name}")
    if place.taken_from:
        facts.append(f"before by {looks.owner(place.taken_from).name}")
    facts += [f"zone of {looks.owner(o).name}{' (neutralised)' if neutral else ''}" for o, neutral in place.zones]
    facts += ["BATTLE"] if place.fought else []
    name = f"{cell.number} {cell.name}".strip()
    return [f"{name}: {', '.join(facts)}", *(f"    {looks.owner(p.owner).letter} {_counter(p)}" for p in place.pieces)]


def _counter(piece: Piece) -> str:
    troubles = [*(["reduced"] if piece.reduced else []), *piece.marks]
    return f"{piece.name} {piece.said or f'{piece.attack}-{piece.defense}'}" + (f" ({', '.join(troubles)})" if troubles else "")


def _moves(at: Layout, picture: HexPicture, looks: Style, shown: set[int]) -> list[str]:
    def name(h: int) -> str:
        return f"{at.cells[h].name} {at.cells[h].number}".strip() if h in at.cells else f"{h:04}"

    found = [
        f"{looks.owner(j.owner).name}, {j.count} by {j.kind}: {name(j.path[0])} to {name(j.path[-1])}"
        for j in picture.journeys
        if shown & set(j.path)
    ]
    return ["", "Moves:", *found] if found else []
