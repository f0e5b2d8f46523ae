"""The maps of a report: the whole board, the same for a phone, and what lies around each battle that mattered."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.games import Module
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.report import svg_map
from pbem.report.filmstrip import Palette
from pbem.report.map_set import Maps
from pbem.report.maps import paper
from pbem.report.maps.hex_map import Drawing
from pbem.report.maps.look import Look
from pbem.report.maps.themes import DARK, LIGHT, distinct

NARROW, CLOSE = 390, 480  # pixels of a map for a phone, and of one around a battle
BOARD = "whole-board"  # its id on the page
BATTLES = 6  # maps of battles in one report


def maps(game: Module, picture: Picture | HexPicture, title: str, look: Look) -> Maps:
    """All of them in light and dark, with ids of their own, since they stand on one page. Themes of `look` do not matter."""
    palette = Palette()

    def drawn(name: str, near: Look) -> str:
        light = svg_map.draw(game, picture, name, replace(near, theme=distinct(LIGHT)))
        palette.learn(light, lambda: svg_map.draw(game, picture, name, replace(near, theme=DARK)))
        return light

    board = svg_map.drawing(game, picture, look)
    parts = board.sheets if isinstance(board, Drawing) else []
    whole = drawn(title, replace(look, board=BOARD) if parts else look)
    sheets = tuple(paper.sheet(board.frame, part, BOARD) for part in parts)
    narrow = drawn(title, replace(look, width=NARROW, prefix="n")) if isinstance(picture, Picture) else ""
    battles = [
        (name, drawn(name, replace(look, around=id, width=CLOSE, prefix=f"b{number}")))
        for number, (id, name) in enumerate(fought(picture)[:BATTLES])
    ]
    small = tuple((name, palette.numbered(svg)) for name, svg in battles)
    return Maps(palette.numbered(whole), palette.numbered(narrow), small, palette.sheet(), sheets)


def fought(picture: Picture | HexPicture) -> list[tuple[str, str]]:
    """Where there were battles, with their names: what changed hands first, then where most has come to and stands."""
    found: list[tuple[bool, int, str, str]] = []
    if isinstance(picture, Picture):
        for space in picture.spaces:
            if space.fought:
                came = sum(arrow.count for arrow in picture.arrows if arrow.to == space.id)
                size = came + sum(stack.count for stack in space.stacks)
                found.append((bool(space.taken_from), size, space.id, space.name))
    else:
        cells = {cell.id: cell for cell in picture.map.cells}
        for place in picture.spaces:
            if place.fought and place.id in cells:
                came = sum(journey.count for journey in picture.journeys if journey.path[-1] == place.id)
                name = f"{cells[place.id].number} {cells[place.id].name}".strip()
                found.append((bool(place.taken_from), came + len(place.pieces), str(place.id), name))
    found.sort(key=lambda one: (not one[0], -one[1]))
    return [(id, name) for _, _, id, name in found]
