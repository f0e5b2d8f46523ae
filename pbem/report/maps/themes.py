"""Colours: two themes, and how owners' colours are toned for land and printed on."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace


class Theme(Struct, frozen=True):
    """A theme. `tone`: how much of an owner's colour its land shows, the rest is `paper`."""

    name: str
    sea: str
    sea_line: str
    paper: str
    coast: str
    border: str
    ink: str
    faint: str
    halo: str
    panel: str
    alarm: str
    tone: float


LIGHT = Theme(
    "light",
    sea="#dcebf4",
    sea_line="#a5c1d2",
    paper="#ffffff",
    coast="#44525c",
    border="#7b8790",
    ink="#14202a",
    faint="#3f6379",
    halo="#ffffff",
    panel="#ffffff",
    alarm="#c8102e",
    tone=0.55,
)
DARK = Theme(
    "dark",
    sea="#14232e",
    sea_line="#34505f",
    paper="#11181d",
    coast="#93a7b3",
    border="#5d6d78",
    ink="#f1f5f7",
    faint="#9dbfd3",
    halo="#0b1319",
    panel="#0d171e",
    alarm="#ff6b6b",
    tone=0.44,
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def distinct(theme: Theme) -> Theme:
    """The theme with colours of its own for everything: equal ones differ by one step, which no eye sees."""
    seen = {"#000000", "#ffffff"}  # what is printed on counters, in every theme
    changed: dict[str, Any] = {}
    for name in ("sea", "sea_line", "paper", "coast", "border", "ink", "faint", "halo", "panel", "alarm"):
        colour = getattr(theme, name)
        while colour in seen:
            colour = f"#{int(colour[1:], 16) - 1:06x}"
        seen.add(colour)
        changed[name] = colour
    return replace(theme, **changed)


def rgb(colour: str) -> tuple[int, int, int]:
    """#rrggbb as three numbers from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: str, other: str, part: float) -> str:
    """`part` of the first colour, the rest of the second."""
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in zip(rgb(one), rgb(other), strict=True))


def brightness(colour: str) -> float:
    """Relative luminance, 0 black to 1 white (WCAG 2)."""
    parts = [c / 255 for c in rgb(colour)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(colour: str) -> str:
    """Black or white, whichever reads better on a colour."""
    return "#000000" if brightness(colour) > 0.179 else "#ffffff"
