"""Pins: what the reader of a map has noted at its places for himself, each as a flag with its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.report.maps import svg
from pbem.report.maps.look import Frame
from pbem.report.maps.themes import Theme

SIZE, SHOWN = 12, 40  # pixels of the letters; letters of a flag, all others are in its title


def pins(
    held: Sequence[tuple[str, str]], middles: Mapping[str, tuple[float, float]], frame: Frame, pixel: float, theme: Theme
) -> str:
    """The flags of the places that the frame holds. `held`: place and words; `pixel` in board units."""
    drawn = []
    for place, words in held:
        x, y = middles.get(place, (-1.0, -1.0))
        if frame.holds(x, y):
            drawn.append(svg.moved(_flag(words, theme, (frame.x + frame.width - x) / pixel), x, y, pixel))
    return "".join(drawn)


def _flag(words: str, theme: Theme, room: float) -> str:
    """A pin whose point is at 0, 0, in pixels; `room` is to the right of it, and where that is short the flag flies left."""
    shown = words if len(words) <= SHOWN else words[: SHOWN - 1] + "…"
    wide = svg.breadth(shown, SIZE) + 10
    left = -1 if wide <= room else 1 - wide
    needle = svg.el("path", d="M0 0V-26", stroke=theme.ink, stroke_width=2)
    board = svg.el("rect", x=left, y=-26 - SIZE - 6, width=wide, height=SIZE + 8, rx=3, fill=theme.panel, stroke=theme.alarm)
    text = svg.text(shown, left + 5, -26 - 2, SIZE, fill=theme.ink)
    return svg.el("title", svg.paragraph(words)) + needle + board + text
