"""Writing SVG: the one place in which values become markup. Every attribute and every text is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pbem.report.escaping import html

Value = str | int | float


@lru_cache(4096)
def _safe(value: str) -> str:
    return html(value)


def plain(words: str) -> str:
    """Text for inside an element. `words` may come from anybody."""
    return _safe(words if len(words) <= LONGEST else words[: LONGEST - 1] + "…")


def paragraph(text: str) -> str:
    """Sentences of ours, of any length, in which words of others may stand."""
    return _safe(text)


@lru_cache(1 << 14)
def number(value: float) -> str:
    """A length with one decimal at most. Maps say the same lengths over and over; 0 and -0 are one to what keeps them."""
    text = f"{value + 0:.1f}"
    return text[:-2] if text.endswith(".0") else text


@lru_cache(256)
def _attribute(key: str) -> str:
    return f' {key.rstrip("_").replace("_", "-")}="'


def el(name: str, content: str = "", /, **attributes: Value) -> str:
    """An element around markup of ours; `stroke_width=2` becomes `stroke-width="2"`."""
    tag = opened(name, **attributes)
    return f"{tag}{content}</{name}>" if content else f"{tag[:-1]}/>"


def opened(name: str, /, **attributes: Value) -> str:
    """The tag that begins an element; who opens it closes it."""
    parts = [f"<{name}"]
    for key, value in attributes.items():
        parts += (_attribute(key), _safe(value) if isinstance(value, str) else number(value), '"')
    parts.append(">")
    return "".join(parts)


def group(pieces: Iterable[str], /, **attributes: Value) -> list[str]:
    """A group around pieces of markup, which stay apart."""
    inner = [*pieces]
    return [opened("g", **attributes), *inner, "</g>"] if any(inner) else [el("g", **attributes)]


def text(words: str, x: float, y: float, size: float, /, **attributes: Value) -> str:
    """A line of text; long ones are cut. `words` may come from anybody."""
    return el("text", plain(words), x=x, y=y, font_size=size, **attributes)


LONGEST = 80  # letters
# Widths of the letters from space to ~ in hundredths of the size, from the fonts in pbem/report/fonts.
REGULAR = bytes.fromhex(
    "20282e54405f4e1b272732542024202240404040404040404040222254545435644445464d3f3a4d4b1d1d4238564b4f"
    "3c4f453f3d494463453d452722275432323d3f373f3e233f3f1c1c3a1c613f3d3f3f2934273f3b523b3b3440224054"
)
BOLD = bytes.fromhex(
    "232e34544664571f2e2e3454262a26254646464646464646464628285454543a644d4c49534444525425254d40645455"
    "49554d4844514d6e4d48492e252e54323243483b48442c4847222243226847454848313c3047415c41413a47254754"
)
OTHERS = 0.8  # of the size, for every letter beyond ASCII


@lru_cache(4096)
def breadth(words: str, size: float, bold: bool = False) -> float:
    """How wide a text comes out in DejaVu Sans."""
    widths = BOLD if bold else REGULAR
    return size * sum(widths[ord(c) - 32] / 100 if " " <= c <= "~" else OTHERS for c in words[:LONGEST])


def moved(content: str, x: float, y: float, scale: float = 1, **attributes: Value) -> str:
    """Markup at another place."""
    how = f"translate({number(x)} {number(y)})" + (f" scale({scale:.3g})" if scale != 1 else "")
    return el("g", content, transform=how, **attributes)
