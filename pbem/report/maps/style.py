"""How the things of one game look: owners' colours and letters, silhouettes, badges, signs. Read from the templates folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from pbem.games import Module
from pbem.kernel.wording import Argument, Message

Speak = Callable[[Argument], str]  # a reader's language
UNKNOWN = "#8a8a8a"
DOT = "M15 6a5 5 0 1 0 .1 0z"


class Shape(Struct, frozen=True):
    """A silhouette: SVG path data in a field 30 wide and 22 high, and what it is called."""

    name: str
    path: str


class Owner(Struct, frozen=True):
    """An owner: a name, a letter for readers who cannot tell the colour, and #rrggbb."""

    name: str
    letter: str
    colour: str


class Style(Struct, frozen=True):
    """The looks of a game. Unknown ids get a grey dot and their own name: a map is never refused for them."""

    owners: Mapping[str, Owner]
    units: Mapping[str, Shape]
    badges: Mapping[str, Shape]
    signs: Mapping[str, Shape]
    words: Mapping[str, str]  # of the legend, where the game has its own: reduced, route
    numbered: bool = False  # hex numbers on wider maps too, for seas without names

    def told(self, speak: Speak) -> Style:
        """The same in a reader's language."""

        def shapes(known: Mapping[str, Shape]) -> dict[str, Shape]:
            return {id: replace(shape, name=speak(Message(shape.name))) for id, shape in known.items()}

        owners = {id: replace(owner, name=speak(Message(owner.name))) for id, owner in self.owners.items()}
        words = {key: speak(Message(text)) for key, text in self.words.items()}
        units, badges, signs = shapes(self.units), shapes(self.badges), shapes(self.signs)
        return replace(self, owners=owners, units=units, badges=badges, signs=signs, words=words)

    def owner(self, id: str) -> Owner:
        """An owner's looks."""
        return self.owners.get(id) or Owner(id, id[:1].upper(), UNKNOWN)

    def unit(self, id: str) -> Shape:
        """A unit type's silhouette."""
        return self.units.get(id) or Shape(id, DOT)

    def badge(self, id: str) -> Shape:
        """A badge's silhouette."""
        return self.badges.get(id) or Shape(id, DOT)

    def sign(self, id: str) -> Shape:
        """A sign's silhouette."""
        return self.signs.get(id) or Shape(id, DOT)


@cache
def style(game: Module) -> Style:
    """The looks of a game."""
    plain = json.loads((game.home("templates") / "map_style.json").read_text("utf-8"))
    units, badges, signs = ({id: Shape(*given) for id, given in plain[kind].items()} for kind in ("units", "badges", "signs"))
    owners = {id: Owner(*given) for id, given in plain["owners"].items()}
    return Style(owners, units, badges, signs, plain.get("words", {}), bool(plain.get("numbered")))
