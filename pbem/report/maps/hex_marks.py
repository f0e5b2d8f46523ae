"""What a position and the latest files put on a hex map: holders, zones, battles, conquests, ways."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from pbem.kernel.hex_picture import Journey
from pbem.report.maps import svg
from pbem.report.maps.hex_land import outline
from pbem.report.maps.hex_sheet import BURST, Sheet

SHORT = 22.0  # how far before the middle of its last hex an arrow ends
TONES = (0.18, 0.1)  # of the land of the first party and of the others
CONQUERED = "#ffd23f"


class Marks:
    """The marks of one map."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def control(self) -> str:
        """Land in a tone of its owner."""
        held: dict[str, list[str]] = {}
        seen = set(self.sheet.shown)
        for place in self.sheet.picture.spaces:
            if place.owner and place.id in seen and self.sheet.at.is_land(place.id):
                held.setdefault(place.owner, []).append(self.sheet.at.shore(place.id))
        first = self.sheet.picture.parties[0].id
        return "".join(
            svg.el("path", d="".join(paths), fill=self.sheet.style.owner(owner).colour, fill_opacity=TONES[owner != first])
            for owner, paths in held.items()
        )

    def zones(self) -> str:
        """Zones of influence: a tint and a border; hatched where the enemy neutralises them."""
        parts = []
        for number, (owner, rules, lost) in enumerate(self.zones_of()):
            colour = self.sheet.style.owner(owner).colour
            tint = "".join(self.sheet.at.hexagon(h) for h in rules)
            parts.append(svg.el("path", d=tint, fill=colour, fill_opacity=0.1))
            hatched = "".join(self.sheet.at.hexagon(h) for h in lost)
            parts.append(svg.el("path", d=hatched, fill=f"url(#{self.sheet.pattern(number)})", fill_opacity=0.4))
            border = outline(self.sheet.at, (*rules, *lost), 0.95 - 0.06 * number)
            line: dict[str, svg.Value] = {"stroke": colour, "stroke_width": 2.6, "stroke_linecap": "round"}
            if number:
                line["stroke_dasharray"] = "9 6"
            parts.append(svg.el("path", d=border, fill="none", stroke_opacity=0.8, **line))
        return "".join(parts)

    def zones_of(self) -> list[tuple[str, list[int], list[int]]]:
        """Per owner the hexes that his zone rules and those where it is neutralised."""
        owners, seen = [party.id for party in self.sheet.picture.parties], set(self.sheet.shown)
        found = []
        for owner in owners:
            here = [
                (place.id, neutral)
                for place in self.sheet.picture.spaces
                if place.id in seen
                for o, neutral in place.zones
                if o == owner
            ]
            found.append((owner, [h for h, neutral in here if not neutral], [h for h, neutral in here if neutral]))
        return found

    def patterns(self) -> str:
        """Hatching of neutralised zones, each owner's in a direction of its own."""
        found = []
        for number, party in enumerate(self.sheet.picture.parties):
            stripe = svg.el("path", d="M0 0V14", stroke=self.sheet.style.owner(party.id).colour, stroke_width=3)
            how = {"patternUnits": "userSpaceOnUse", "patternTransform": f"rotate({45 if number % 2 else -45})"}
            found.append(svg.el("pattern", stripe, id=self.sheet.pattern(number), width=14, height=14, **how))
        return "".join(found)

    def taken(self) -> str:
        """A yellow rim around what changed hands."""
        hexes = [place.id for place in self.sheet.picture.spaces if place.taken_from]
        path = "".join(self.sheet.at.hexagon(h, 0.93) for h in hexes)
        return svg.el("path", d=path, fill="none", stroke=CONQUERED, stroke_width=4) if path else ""

    def fought(self) -> str:
        """A red rim and a burst at its corner, behind the counters, where there was a battle or will be one."""
        parts = []
        for place in self.sheet.picture.spaces:
            if place.fought and place.id in self.sheet.at.cells:
                ring = svg.el(
                    "path",
                    d=self.sheet.at.hexagon(place.id, 0.97),
                    fill="none",
                    stroke=self.sheet.theme.alarm,
                    stroke_width=4.5,
                )
                burst = svg.el("path", d=BURST, fill=self.sheet.theme.alarm, stroke=self.sheet.theme.panel, stroke_width=1.5)
                parts.append(ring + svg.moved(burst, *self.burst(place.id), 0.75))
        return "".join(parts)

    def burst(self, h: int) -> tuple[float, float]:
        """The middle of the burst of a battle: at a corner of its hex."""
        (x, y), (dx, dy) = self.sheet.at.middles[h], self.sheet.at.corners[0]
        return x + dx, y + dy

    def journeys(self) -> str:
        """Arrows along the paths that were moved."""
        parts = [self._journey(journey, i) for i, journey in enumerate(self.sheet.picture.journeys)]
        return svg.el("g", "".join(parts), fill="none", stroke_linecap="round", stroke_linejoin="round")

    def _journey(self, journey: Journey, number: int) -> str:
        points = [self.sheet.at.middles[h] for h in journey.path if h in self.sheet.at.cells]
        if len(points) < 2 or not any(self.sheet.shows(*p) for p in points):
            return ""
        shift = 5 * ((number % 5) - 2)  # so that arrows along the same way do not hide each other
        points = [(x + shift * 0.7, y + shift) for x, y in points]
        (px, py), (tx, ty) = points[-2], points[-1]
        angle = math.atan2(ty - py, tx - px)
        tx, ty = tx - math.cos(angle) * SHORT, ty - math.sin(angle) * SHORT  # counters stay free
        colour = self.sheet.style.owner(journey.owner).colour
        width = 4.0 + min(journey.count, 4)
        size = 6 + 2.2 * width
        bx, by = tx - math.cos(angle) * size * 0.7, ty - math.sin(angle) * size * 0.7
        d = _smooth([*points[:-1], (bx, by)])
        wings = [(tx + size * math.cos(angle + a), ty + size * math.sin(angle + a)) for a in (2.6, -2.6)]
        head = "M" + "L".join(f"{svg.number(x)} {svg.number(y)}" for x, y in ((tx, ty), *wings)) + "z"
        dash: dict[str, svg.Value] = {"stroke_dasharray": "12 9"} if journey.kind == "air" else {}
        edge, start = self.sheet.theme.halo, points[0]
        return (
            svg.el("path", d=d, stroke=edge, stroke_width=width + 3.5, stroke_opacity=0.8)
            + svg.el("path", d=head, fill=colour, stroke=edge, stroke_width=3)
            + svg.el("circle", cx=start[0], cy=start[1], r=width * 0.9, fill=colour, stroke=edge, stroke_width=1.5)
            + svg.el("path", d=d, stroke=colour, stroke_width=width, **dash)
            + svg.el("path", d=head, fill=colour)
        )


def _smooth(points: Sequence[tuple[float, float]]) -> str:
    """A line whose bends are rounded."""
    parts = [f"M{svg.number(points[0][0])} {svg.number(points[0][1])}"]
    for (x, y), (nx, ny) in pairwise(points[1:]):
        parts.append(f"Q{svg.number(x)} {svg.number(y)} {svg.number((x + nx) / 2)} {svg.number((y + ny) / 2)}")
    parts.append(f"L{svg.number(points[-1][0])} {svg.number(points[-1][1])}")
    return "".join(parts)
