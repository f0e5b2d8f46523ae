"""The map as the board's page uses it: its layers, each sent only where the page does not hold it, and what the places are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from pbem.games import Module
from pbem.kernel.canon import Plain, canonical, sha256_hex
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.kernel.wording import linked
from pbem.report.maps.layers import ORDER, layers
from pbem.report.maps.look import Look
from pbem.report.maps.style import Speak, style
from pbem.report.maps.themes import THEMES

NOTHING: Mapping[str, Plain] = {"view": "", "room": 1, "layers": {}, "places": ["", []], "facts": []}  # without a map


def drawn(
    game: Module,
    picture: Picture | HexPicture,
    other: Picture | HexPicture,
    theme: str,
    speak: Speak,
    held: Mapping[str, str],
    pins: Sequence[tuple[str, str]] = (),
) -> dict[str, Plain]:
    """The whole board. `other`: the position from which it came, so that panels keep their places while orders are written.

    `theme`: one of THEMES; another one is light. `held`: layer -> digest of what the page has of it. `pins`: the player's own
    notes, place and words.
    """
    made = layers(game, picture, Look(THEMES.get(theme, THEMES["light"]), speak=speak, pins=tuple(pins)), other)
    sent: dict[str, Plain] = {
        "definitions": _unless(held.get("definitions", ""), sha256_hex(made.definitions.encode())[:16], made.definitions)
    }
    for name in ORDER:
        sent[name] = _unless(held.get(name, ""), made.digest(name), made.fragments[name])
    places = places_of(picture)
    return {
        "view": made.view_box,
        "room": _room(made.view_box, len(places)),
        "layers": sent,
        "places": _unless(held.get("places", ""), sha256_hex(canonical(places))[:16], places),
        "facts": _facts(game, picture, speak),
    }


def _room(view_box: str, places: int) -> int:
    """How wide a place is on the average, in board units."""
    _, _, width, height = map(float, view_box.split())
    return round(sqrt(width * height / max(places, 1)))


def _unless(held: str, digest: str, content: Plain) -> Plain:
    """A digest and what it names; nothing where the page holds just that."""
    return [digest, None if held == digest else content]


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
