"""What a rules module says of a position on a hex map: plain names, counts and hex numbers, no colours and no shapes.

Ids of owners, terrains, signs and unit types are those of the module; the map's style knows how each one looks.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.picture import Party
from pbem.kernel.wording import Argument


class Cell(Struct, frozen=True):
    """A hex as printed. `label`: its printed number where that is not the id.

    `sides` in the order of `hexes.SIDES`, letters: L land and W sea (small: not playable), R a route, S secondary road,
    P primary road, H highway, m minor river, M major river, F ferry.
    """

    id: int
    terrain: str
    sides: tuple[str, ...]
    name: str = ""
    signs: tuple[str, ...] = ()
    label: str = ""

    @property
    def number(self) -> str:
        """The printed number."""
        return self.label or f"{self.id:04}"


class HexMap(Struct, frozen=True, eq=False):
    """The printed map. `sea`: the terrain that is water. `pointed`: hexes stand on a corner, in rows from west to east
    that are numbered from south to north; the map is the usual one with its columns laid down as these rows.

    A game makes it once for each board: it is equal to itself alone, and what is drawn of it is kept under it.
    """

    cells: tuple[Cell, ...]
    sea: str = "ocean"
    odd_lower: bool = True
    pointed: bool = False


class Piece(Struct, frozen=True):
    """A counter. `short`: a few letters of its name; `marks`: its troubles; `said`: what it shows in place of its strengths.

    Pieces of one owner and `group` in a hex are drawn as one where room is short.
    """

    owner: str
    type: str
    group: str
    name: str
    attack: int
    defense: int
    short: str = ""
    reduced: bool = False
    marks: tuple[str, ...] = ()
    said: str = ""


class Change(Struct, frozen=True):
    """How many pieces of an owner have come to a hex, and how many are no longer there."""

    owner: str
    came: int
    gone: int


class Place(Struct, frozen=True):
    """A hex with what can change. `zones`: (owner, neutralised); `fought`: a battle of these files; `changes`: `compared`."""

    id: int
    owner: str = ""
    zones: tuple[tuple[str, bool], ...] = ()
    pieces: tuple[Piece, ...] = ()
    fought: bool = False
    taken_from: str = ""
    changes: tuple[Change, ...] = ()


class Journey(Struct, frozen=True):
    """Pieces of one owner that went along a path of hexes. `kind` is land, air or sea."""

    path: tuple[int, ...]
    owner: str
    kind: str
    count: int


class Track(Struct, frozen=True):
    """A track beside the map with its marker in one of the boxes; `at` counts from 0, -1: nowhere."""

    title: Argument
    cells: tuple[Argument, ...]
    at: int


class Box(Struct, frozen=True):
    """A box beside the map with counters in it."""

    title: Argument
    pieces: tuple[Piece, ...]


class HexPicture(Struct, frozen=True):
    """Everything that a map of a position shows. `spaces`: hexes with more than print on them."""

    map: HexMap
    parties: tuple[Party, ...]
    facts: Argument
    spaces: tuple[Place, ...]
    journeys: tuple[Journey, ...] = ()
    tracks: tuple[Track, ...] = ()
    boxes: tuple[Box, ...] = ()


def compared(now: HexPicture, before: HexPicture) -> HexPicture:
    """The picture with what each owner has gained and lost in every hex since an earlier one. Pieces are known by name."""
    old = {place.id: place for place in before.spaces}
    here = {place.id for place in now.spaces}
    spaces = [_compared(place, old.get(place.id)) for place in now.spaces]
    emptied = [replace(place, pieces=(), owner="", zones=(), fought=False, taken_from="") for place in before.spaces]
    left = [_compared(gone, old[gone.id]) for gone in emptied if gone.id not in here]
    return replace(now, spaces=(*spaces, *(place for place in left if place.changes)))


def _compared(place: Place, before: Place | None) -> Place:
    new = Counter((piece.owner, piece.name) for piece in place.pieces)
    old = Counter((piece.owner, piece.name) for piece in (before.pieces if before else ()))
    owners = dict.fromkeys(owner for owner, _ in (*old, *new))
    found = (Change(o, _of(o, new - old), _of(o, old - new)) for o in owners)
    return replace(place, changes=tuple(change for change in found if change.came or change.gone))


def _of(owner: str, pieces: Counter[tuple[str, str]]) -> int:
    return sum(n for (who, _), n in pieces.items() if who == owner)
