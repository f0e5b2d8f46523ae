"""Water and land of an area map: outlines, owners, what was taken."""

from __future__ import annotations

from functools import partial

from pbem.kernel.picture import Space
from pbem.report.maps import svg
from pbem.report.maps.area_sheet import Sheet


class Ground:
    """Water, land and lines of one map."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def water(self) -> str:
        """The sea."""
        return self.sheet.part("water", None, self._water)

    def areas(self) -> list[str]:
        """Every area with its owner's tone, borders and coasts over them, a red edge round what was taken."""
        theme, shapes = self.sheet.theme, self.sheet.shapes
        land = [
            self.sheet.part(("land", s.id), (s.owner, self._hatching(s)), partial(self._land, s))
            for s in self.sheet.picture.spaces
            if not s.sea and self.sheet.frame.meets(shapes.bounds[s.id])
        ]
        edges = [svg.el("path", d=shapes.outlines[s.id]) for s in self.sheet.picture.spaces if s.taken_from and not s.sea]
        red: dict[str, svg.Value] = {"stroke": theme.alarm, "stroke_width": 5, "stroke_linejoin": "round"}
        taken = svg.group(edges, fill="none", **red) if edges else []
        return [*land, self.sheet.part("lines", None, self._borders), *taken]

    def _land(self, space: Space) -> str:
        """An area in its owner's tone, hatched in that of who held it before."""
        outline, hatching = self.sheet.shapes.outlines[space.id], self._hatching(space)
        land = svg.el("path", d=outline, fill=self.sheet.tone(space.owner))
        return land + svg.el("path", d=outline, fill=hatching) if hatching else land

    def _hatching(self, space: Space) -> str:
        return f"url(#{self.sheet.pattern(space.taken_from)})" if space.taken_from else ""

    def _borders(self) -> str:
        borders = svg.el("path", d=self._lines("land"), stroke=self.sheet.theme.border, stroke_width=1.8)
        coast = svg.el("path", d=self._lines("coast"), stroke=self.sheet.theme.coast, stroke_width=2.2)
        return svg.el("g", borders + coast, fill="none", stroke_linejoin="round")

    def patterns(self) -> str:
        """Stripes of who held a space before."""
        return "".join(self._stripes(owner) for owner in self.sheet.before)

    def _stripes(self, owner: str) -> str:
        stripe = svg.el("path", d="M0 0V28", stroke=self.sheet.tone(owner), stroke_width=18)
        size = {"width": 28, "height": 28}
        how = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
        return svg.el("pattern", stripe, id=self.sheet.pattern(owner), **size, **how)

    def _lines(self, kind: str) -> str:
        """Lines of a kind that the frame shows."""
        shapes, frame = self.sheet.shapes, self.sheet.frame
        if not self.sheet.look.around:
            return shapes.lines[kind]
        return "".join(line.path for line in shapes.borders if line.kind == kind and frame.meets(line.bounds))

    def _water(self) -> str:
        theme, shapes = self.sheet.theme, self.sheet.shapes
        ground = svg.el("rect", width=shapes.width, height=shapes.height, fill=theme.sea)
        line: dict[str, svg.Value] = {"stroke": theme.sea_line, "stroke_width": 2.5, "stroke_linejoin": "round"}
        return ground + svg.el("path", d=self._lines("sea"), fill="none", **line)
