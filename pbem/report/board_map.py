"""The map as the board's page uses it: its layers, each sent only where the page does not hold it, and what the places are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from pbem.games import Module
from pbem.kernel.canon import Plain, canonical, sha256_hex
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.kernel.wording import linked
from pbem.report.filmstrip import Palette
from pbem.report.maps.layers import ORDER, Layers, layers
from pbem.report.maps.look import Look
from pbem.report.maps.style import Speak, style
from pbem.report.maps.themes import DARK, LIGHT, Theme, distinct

NOTHING: Mapping[str, Plain] = {"view": "", "room": 1, "layers": {}, "colours": "", "places": ["", []], "facts": []}  # no map


def drawn(
    game: Module,
    picture: Picture | HexPicture,
    other: Picture | HexPicture,
    palette: Palette,
    speak: Speak,
    held: Mapping[str, str],
    pins: Sequence[tuple[str, str]] = (),
) -> dict[str, Plain]:
    """The whole board. `other`: the position from which it came, so that panels keep their places while orders are written.

    `palette`: the colours of all maps that this page has had, which are numbers in them: `colours` says what they are on a
    light and on a dark screen. `held`: layer -> digest of what the page has of it. `pins`: the player's own notes, place and
    words.
    """

    def made(theme: Theme) -> Layers:
        return layers(game, picture, Look(theme, speak=speak, pins=tuple(pins)), other)

    light = made(distinct(LIGHT))
    parts = _parts(light)
    names = {name: sha256_hex(part.encode())[:16] for name, part in parts.items()}
    fresh = [name for name in parts if held.get(name) != names[name]]
    palette.learn("".join(parts[name] for name in fresh), lambda: "".join(_parts(made(DARK))[name] for name in fresh))
    sent: dict[str, Plain] = {
        name: [names[name], palette.numbered(part) if name in fresh else None] for name, part in parts.items()
    }
    places = places_of(picture)
    digest = sha256_hex(canonical(places))[:16]
    return {
        "view": light.view_box,
        "room": _room(light.view_box, len(places)),
        "layers": sent,
        "colours": palette.sheet(),
        "places": [digest, None if held.get("places") == digest else places],
        "facts": _facts(game, picture, speak),
    }


def _parts(made: Layers) -> dict[str, str]:
    return {"definitions": made.definitions, **{name: made.fragments[name] for name in ORDER}}


def _room(view_box: str, places: int) -> int:
    """How wide a place is on the average, in board units."""
    _, _, width, height = map(float, view_box.split())
    return round(sqrt(width * height / max(places, 1)))


def places_of(picture: Picture | HexPicture) -> list[Plain]:
    """Every place: the name that it has in the layers, what it is called, and other names that orders may have for it."""
    if isinstance(picture, Picture):
        return [[space.id, space.name, []] for space in picture.spaces]
    found: list[Plain] = []
    for cell in picture.map.cells:
        also = dict.fromkeys(name for name in (cell.number, f"{cell.id:04}", cell.name) if name and name != str(cell.id))
        found.append([str(cell.id), f"{cell.name} {cell.number}".strip(), [*also]])
    return found


def _facts(game: Module, picture: Picture | HexPicture, speak: Speak) -> list[Plain]:
    """What is worth knowing of each party, and of all."""
    looks = style(game).told(speak)
    told: list[Plain] = [speak(linked(": ", looks.owner(p.id).name, p.facts)) for p in picture.parties if speak(p.facts)]
    return [*told, *([said] if (said := speak(picture.facts)) else [])]
