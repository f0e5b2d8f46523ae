"""A game's map as SVG, whatever its board is."""

from __future__ import annotations

from pbem.games import Module
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.report.maps import area_map, hex_map, svg
from pbem.report.maps.areas import areas
from pbem.report.maps.kept import Kept
from pbem.report.maps.look import Look
from pbem.report.maps.style import style

Drawing = area_map.Drawing | hex_map.Drawing


def described(drawn: str, told: str) -> str:
    """A whole picture with what happened in words, for those who do not see it: `<desc>` behind its title."""
    return drawn.replace("</title>", "</title>" + svg.el("desc", svg.paragraph(told)), 1) if told else drawn


def draw(game: Module, picture: Picture | HexPicture, title: str, look: Look) -> str:
    """A map of the game, as wide as suits it if `look` says 0. Raises ProtocolError for unknown spaces."""
    return drawing(game, picture, look).whole(title)


class Series:
    """Pictures of one game that follow each other: what is as it was in the one before is not drawn again."""

    def __init__(self, game: Module, title: str, look: Look) -> None:
        self._game, self._title, self._look, self._kept = game, title, look, Kept()

    def pieces(self, picture: Picture | HexPicture) -> list[str]:
        """The next picture, in pieces that are the whole one behind the other. Raises ProtocolError for unknown spaces."""
        return drawing(self._game, picture, self._look, kept=self._kept).pieces(self._title)


def drawing(
    game: Module, picture: Picture | HexPicture, look: Look, other: Picture | HexPicture | None = None, *, live: bool = False,
    kept: Kept | None = None,
) -> Drawing:  # fmt: skip
    """A map that is still to be joined. `other`: a second position for which it has room; `live`: for a page that is clicked;
    `kept`: by the picture before, of the same game and look. Raises ProtocolError for unknown spaces.
    """
    if isinstance(picture, HexPicture):
        return hex_map.Drawing(game, picture, look, other if isinstance(other, HexPicture) else None, live=live, kept=kept)
    shapes = areas(game, frozenset(space.id for space in picture.spaces if space.sea))
    before = other if isinstance(other, Picture) else None
    return area_map.Drawing(shapes, style(game), picture, look, before, live=live, kept=kept)
