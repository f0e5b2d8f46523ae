"""What a rules module says of a position for its map: plain names and counts, no colours and no shapes. All of it is public.

Ids (of spaces, owners, unit types, badges, signs) are those of the module; the map's style knows how each one looks.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.kernel.wording import Argument


class Stack(Struct, frozen=True):
    """Units of one type and owner in a space; `damaged` of them are hit; `change` against the beginning of the turn."""

    owner: str
    type: str
    count: int
    damaged: int = 0
    change: int = 0


class Badge(Struct, frozen=True):
    """Something that stands in a space and is not a unit; `damage` in points."""

    type: str
    damage: int = 0


class Space(Struct, frozen=True):
    """A space as it is drawn. `fought`: a battle of this turn; `taken_from`: who held it when the turn began."""

    id: str
    name: str
    sea: bool
    owner: str
    value: int = 0
    city: str = ""
    capital: bool = False
    signs: tuple[str, ...] = ()
    badges: tuple[Badge, ...] = ()
    stacks: tuple[Stack, ...] = ()
    fought: bool = False
    taken_from: str = ""


class Arrow(Struct, frozen=True):
    """Units of one owner that went from one space to another. `kind` is land, air or sea."""

    start: str
    to: str
    owner: str
    kind: str
    count: int


class Party(Struct, frozen=True):
    """A player power and what is worth knowing of it in a few words."""

    id: str
    facts: Argument


class Picture(Struct, frozen=True):
    """Everything that a map of a position shows."""

    parties: tuple[Party, ...]
    facts: Argument
    spaces: tuple[Space, ...]
    arrows: tuple[Arrow, ...]
