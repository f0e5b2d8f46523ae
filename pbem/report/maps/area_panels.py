"""The panels of an area map: what stands in each space, where it has room, lines to those that stand beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from pbem.kernel.picture import Picture, Space
from pbem.report.maps import svg, tokens
from pbem.report.maps.area_sheet import Sheet
from pbem.report.maps.arrows import edge
from pbem.report.maps.panels import Placed, fitted, refilled, settled, united
from pbem.report.maps.tokens import BREAK, Token


class Panels:
    """The panels of one map. `other`: another position on the same board; they have room for both."""

    def __init__(self, sheet: Sheet, other: Picture | None) -> None:
        self.sheet, self.other = sheet, other

    def placed(self) -> list[Placed]:
        """Every space's panel."""
        if self.other is None:
            return self._settled([self._fitted(space) for space in self.sheet.picture.spaces])
        other = {space.id: space for space in self.other.spaces}
        spaces = [united(space, other.get(space.id, space)) for space in self.sheet.picture.spaces]
        standing = self._settled([self._fitted(space) for space in spaces])
        now = {space.id: space for space in self.sheet.picture.spaces}
        return [refilled(one, now[one.space.id], self._tokens(now[one.space.id])) for one in standing]

    def _fitted(self, space: Space) -> Placed:
        """A panel at its own place."""
        largest = 1.0 if self.sheet.overview else 0

        def fresh() -> Placed:
            return fitted(space, self._tokens, self.sheet.shapes, largest=largest)

        return self.sheet.part(("panel", space.id), space, fresh)

    def _settled(self, panels: list[Placed]) -> list[Placed]:
        """Each at the place that it gets beside the others: the same as long as none is larger or smaller than before."""
        extents = [(one.space.id, one.panel.width * one.size, one.panel.height * one.size) for one in panels]
        found = self.sheet.part("places", extents, lambda: [(p.space.id, p.x, p.y) for p in settled(panels, self.sheet.shapes)])
        at = {one.space.id: one for one in panels}
        return [
            one if (one.x, one.y) == (x, y) else replace(one, x=x, y=y) for one, x, y in ((at[s], x, y) for s, x, y in found)
        ]

    def _tokens(self, space: Space) -> list[Token]:
        return self._few_tokens(space) if self.sheet.overview else self._all_tokens(space)

    def _few_tokens(self, space: Space) -> list[Token]:
        theme = self.sheet.theme
        name = tokens.words(space.name.rpartition(" ")[2], 38, theme, colour=theme.faint) if space.sea else []
        city = [tokens.star(space.capital, 1.7, theme)] if space.city else []
        return [*name, *city, *tokens.totals(space.stacks, self.sheet.style, theme)]

    def _all_tokens(self, space: Space) -> list[Token]:
        theme, owner = self.sheet.theme, self.sheet.style.owner(space.owner)
        if space.sea:
            found = tokens.words(space.name.rpartition(" ")[2], 26, theme, bold=True, colour=theme.faint, halo=True)
            found += [tokens.sign(self.sheet.used.sign(sign), theme) for sign in space.signs]
        else:
            found = tokens.words(space.name, 20, theme, bold=bool(space.city), halo=True)
            if space.owner:
                found.append(tokens.pill(f"{owner.letter} {space.value}" if space.value else owner.letter, owner, 18, theme))
        if space.city:
            found += [BREAK, tokens.star(space.capital, 1, theme), *tokens.words(space.city, 18, theme)]
        found += [tokens.badge(given, self.sheet.used.badge(given.type), theme) for given in space.badges]
        look: dict[str, bool] = {"changes": self.sheet.look.changes, "live": self.sheet.live}
        return found + tokens.stacks(space.stacks, self.sheet.style, self.sheet.used, theme, home=space.owner, **look)

    def drawn(self, placed: Iterable[Placed]) -> list[str]:
        """The panels themselves."""
        return svg.group(self.sheet.part(("drawn", one.space.id), one, partial(self._panel, one)) for one in placed)

    def _panel(self, one: Placed) -> str:
        """A panel, on a ground where its area is too small for it."""
        x, y, width, height = one.box
        left, top = x - width / 2, y - height / 2
        panel = svg.moved(one.panel.markup(), left, top, one.size)
        drawn = svg.el("g", panel, data_at=one.space.id) if self.sheet.live else panel
        if self._at_home(one):
            return drawn
        ground: dict[str, svg.Value] = {"fill": self.sheet.theme.panel, "fill_opacity": 0.84}
        return svg.el("rect", x=left - 3, y=top - 2, width=width + 6, height=height + 4, rx=6, **ground) + drawn

    def _at_home(self, one: Placed) -> bool:
        """Does the panel lie wholly in its area? Others need a ground to be read on."""
        width, height = self.sheet.shapes.boxes[one.space.id][2:]
        fits = one.box[2] <= width + 1 and one.box[3] <= height + 1
        return fits and (one.space.sea or one.space.id in self.sheet.shapes.within)

    def leaders(self, placed: Sequence[Placed]) -> str:
        """Lines from panels that stand beside their area."""
        away = [one for one in placed if one.panel.tokens and (one.outside or self._far(one))]
        return self.sheet.part("leaders", [(one.space.id, one.box) for one in away], lambda: self._led(away))

    def _led(self, away: Iterable[Placed]) -> str:
        found = []
        for one in away:
            ax, ay = self.sheet.shapes.anchors[one.space.id]
            x, y = edge(one.box, ax, ay)
            found.append(svg.el("path", d=f"M{svg.number(x)} {svg.number(y)}L{svg.number(ax)} {svg.number(ay)}"))
            found.append(svg.el("circle", cx=ax, cy=ay, r=4, fill=self.sheet.theme.coast, stroke="none"))
        return svg.el("g", "".join(found), stroke=self.sheet.theme.coast, stroke_width=2.2)

    def _far(self, one: Placed) -> bool:
        """Has the panel been moved away from its place?"""
        x, y, width, height = self.sheet.shapes.boxes[one.space.id]
        return abs(one.x - x) > width / 2 or abs(one.y - y) > height / 2
