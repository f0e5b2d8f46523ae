"""A board whose names would be too small on one sheet of A4, in parts that fit one: drawn once and used again."""

from __future__ import annotations

from math import ceil

from pbem.report.maps import svg
from pbem.report.maps.hex_land import RADIUS
from pbem.report.maps.look import Frame
from pbem.report.maps.page import FONT

WIDE, HIGH = 190, 255  # millimetres of a sheet, between its margins and below its key
LEGIBLE = 1.45  # millimetres, four points: a name that is less high is hard to read
OVERLAP = 3 * RADIUS  # board units that two sheets have in common: a row of hexes and what hangs over


def parts(whole: Frame, name: float) -> list[Frame]:
    """What each sheet shows, row by row; nothing where one sheet does. `name`: how high names are, in board units."""
    wide, high = (min(most, side / LEGIBLE * name) for most, side in ((whole.width, WIDE), (whole.height, HIGH)))
    lefts, tops = _cuts(whole.x, whole.width, wide), _cuts(whole.y, whole.height, high)
    wide, high = whole.width - lefts[-1] + whole.x, whole.height - tops[-1] + whole.y
    found = [Frame(x, y, wide, high) for y in tops for x in lefts]
    return found if len(found) > 1 else []


def _cuts(start: float, length: float, most: float) -> list[float]:
    """Where parts of equal length begin, none longer than `most`."""
    many = max(1, ceil((length - OVERLAP) / (most - OVERLAP)))
    return [start + n * (length - OVERLAP) / many for n in range(many)]


def sheet(whole: Frame, part: Frame, board: str) -> str:
    """One sheet: the key, where it lies in the whole board, and the part. `board`: the id of what is drawn."""
    fields = (svg.el("rect", x=f.x, y=f.y, width=f.width, height=f.height) for f in (whole, part))
    key = svg.el("svg", "".join(fields), viewBox=whole.view_box)
    return key + svg.el("svg", svg.el("use", href=f"#{board}"), viewBox=part.view_box, font_family=FONT)
