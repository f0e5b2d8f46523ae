"""What stands in one hex, counter by counter with its name: beside a map on which stacks are drawn as piles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.kernel.hex_picture import Piece
from pbem.report.maps import svg, tokens
from pbem.report.maps.themes import Theme
from pbem.report.maps.tokens import Token

SIZE = 15.0  # of the names
LARGE = 1.1  # of the counters
WIDE, HIGH = 30.0 * LARGE, 24.0 * LARGE
GAP = 14.0


def roster(title: str, pieces: Sequence[Piece], tile: Callable[[Sequence[Piece]], str], room: float, theme: Theme) -> Token:
    """A title and every counter with its name, in as many columns as there is room for."""
    names = [_cut(piece.name) for piece in pieces]
    column = WIDE + 6 + max(svg.breadth(name, SIZE) for name in names) + GAP
    columns = max(1, min(int((room - 12) // column), -(-len(pieces) // 3)))
    rows = -(-len(pieces) // columns)
    wide = max(columns * column + 12 - GAP, svg.breadth(title, SIZE, True) + 12)
    high = 26 + rows * (HIGH + 4) + 4
    parts = [
        svg.el("rect", width=wide, height=high, rx=4, fill="none", stroke=theme.border),
        svg.text(title, 6, SIZE + 3, SIZE, fill=theme.ink, font_weight="bold"),
    ]
    for i, (piece, name) in enumerate(zip(pieces, names, strict=True)):
        x, y = 6 + (i // rows) * column, 26 + (i % rows) * (HIGH + 4)
        parts.append(svg.moved(tile([piece]), x, y, LARGE))
        parts.append(svg.moved(tokens.line(name, SIZE, theme).markup, x + WIDE + 6, y + (HIGH - SIZE) / 2))
    return Token(wide, high, "".join(parts))


def _cut(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"
