"""What happened, on an area map: bursts where there was a fight, arrows of moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.report.maps import svg
from pbem.report.maps.area_sheet import BURST, Sheet
from pbem.report.maps.arrows import arrow
from pbem.report.maps.panels import Placed, overlap

MARK = 18.0  # from the middle of a burst to most of its rim


class Marks:
    """Bursts and arrows of one map."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def fought(self, placed: Sequence[Placed]) -> str:
        """A burst beside every panel where there was a fight."""
        found = []
        fought = [one.space.id for one in placed if one.space.fought]
        boxes = [one.box for one in placed] if fought else []
        bursts = self.sheet.part("bursts", (fought, boxes), lambda: self.bursts(placed))
        for x, y in bursts.values():
            burst = svg.el("path", d=BURST, fill=self.sheet.theme.alarm, stroke=self.sheet.theme.panel, stroke_width=1.5)
            found.append(svg.moved(burst, x, y, 2 if self.sheet.overview else 1.2))
        return "".join(found)

    def bursts(self, placed: Sequence[Placed]) -> dict[str, tuple[float, float]]:
        """The middles of the bursts by space, each where it hides the least of the other panels."""
        found = {}
        for one in placed:
            if one.space.fought:
                x, y, width, height = one.box
                wide, high = width / 2 + 20, height / 2 + 6
                beside = [(x + dx * wide, y + dy * high) for dy in (-1, 0, 1) for dx in (-1, 1)]
                spots = [*beside, (x, y - high - 14), (x, y + high + 14)]
                size = 2 * MARK * (2 if self.sheet.overview else 1.2)
                field = (x, y, 2 * wide + size, 2 * (high + 14) + size)  # farther off no spot covers anything
                others = [other.box for other in placed if other is not one and overlap(field, other.box)]
                hidden = [sum(overlap((*spot, size, size), box) for box in others) for spot in spots]
                found[one.space.id] = spots[hidden.index(min(hidden))]
        return found

    def arrows(self, standing: Iterable[Placed], shown: Iterable[Placed]) -> list[str]:
        """Arrows that begin or end at a panel that is shown."""
        at, seen = {one.space.id: one.box for one in standing}, {one.space.id for one in shown}
        weight = 2.0 if self.sheet.overview else 1.0
        drawn = [
            arrow(given, at[given.start], at[given.to], self.sheet.style.owner(given.owner).colour, self.sheet.theme, weight)
            for given in self.sheet.picture.arrows
            if given.start in at and given.to in at and (given.start in seen or given.to in seen)
        ]
        return svg.group(drawn, fill="none", stroke_linecap="round", stroke_linejoin="round")
