"""A whole picture: the board in its frame, what stands above and below it, and what all of them refer to."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.report.maps import svg
from pbem.report.maps.look import Frame
from pbem.report.maps.themes import Theme
from pbem.report.maps.tokens import Panel

XMLNS = "http://www.w3.org/2000/svg"
FONT = "DejaVu Sans, Verdana, sans-serif"


def page(
    title: str, board: Iterable[str], head: Panel, foot: Panel, frame: Frame, width: int, scale: float, pad: float,
    theme: Theme, definitions: Callable[[], str],
) -> list[str]:  # fmt: skip
    """The board `width` pixels wide, panels enlarged by `scale`, in pieces that make the picture one behind the other.

    `definitions` is asked when everything else is drawn.
    """
    high = [panel.height * scale + 2 * pad if panel.tokens else 0 for panel in (head, foot)]
    height = high[0] + frame.height + high[1]
    outer: dict[str, svg.Value] = {"width": width, "height": round(width * height / frame.width)}
    view_box = f"0 0 {svg.number(frame.width)} {svg.number(height)}"
    extent: dict[str, svg.Value] = {"width": frame.width, "height": frame.height, "viewBox": frame.view_box}
    return [
        svg.opened("svg", xmlns=XMLNS, viewBox=view_box, **outer, font_family=FONT, role="img"),
        svg.el("title", svg.plain(title)),
        svg.el("defs", definitions()),
        svg.el("rect", width=frame.width, height=height, fill=theme.panel),
        svg.opened("svg", x=0, y=high[0], **extent, overflow="visible"),  # to clip a whole map costs a second as PNG
        *board,
        "</svg>",
        *_bands(frame.width, high[0], height - high[1], high[1], theme),
        svg.moved(head.markup(), pad, pad, scale),
        svg.moved(foot.markup(), pad, high[0] + frame.height + pad, scale),
        "</svg>",
    ]


def _bands(width: float, above: float, under: float, below: float, theme: Theme) -> list[str]:
    """Paper above and below the board, over what goes beyond its frame, and over the part of a pixel that rounding adds."""
    bands = [(y, high) for y, high in ((-above, above), (under, below)) if high]
    return [svg.el("rect", y=y, width=width, height=2 * high, fill=theme.panel) for y, high in bands]
