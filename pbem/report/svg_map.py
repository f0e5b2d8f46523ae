"""Area maps as SVG: the whole theatre, or what lies around one space."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pbem.games import Module
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.orders import nearest
from pbem.kernel.picture import Picture, Space
from pbem.kernel.wording import english, linked, msg
from pbem.protocol.outcomes import unreadable
from pbem.report.maps import hex_map, svg, tokens
from pbem.report.maps.areas import Areas, Box, areas
from pbem.report.maps.arrows import arrow, edge
from pbem.report.maps.style import Speak, Style, style
from pbem.report.maps.themes import LIGHT, Theme, mix
from pbem.report.maps.tokens import BREAK, Panel, Shapes, Token

XMLNS = "http://www.w3.org/2000/svg"
FONT = "DejaVu Sans, Verdana, sans-serif"
WIDTH = 1000  # pixels when the reader asks for nothing else
OVERVIEW_BELOW = 600  # pixels: narrower pictures of the whole theatre show totals instead of unit types
TITLE, TITLE_PIXELS = 36.0, 14.0  # size of the title, and on the picture at least
LARGEST, LARGEST_NAME = 1.3, 1.15
BURST = "M0-22 5-9 17-16 11-4 23 0 11 5 17 17 5 10 0 23-5 10-17 17-11 5-23 0-11-4-17-16-5-9z"


@dataclass(frozen=True, slots=True)
class Look:
    """What the reader asked for: `width` in pixels; `around`: a space; `changes`: units against the beginning of the turn."""

    theme: Theme = LIGHT
    width: int = WIDTH
    around: str = ""
    changes: bool = False
    speak: Speak = english


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of the board that is drawn, in board units."""

    x: float
    y: float
    width: float
    height: float

    def covers(self, box: Box) -> bool:
        """Is a box wholly inside?"""
        x, y, width, height = box
        across = self.x <= x - width / 2 and x + width / 2 <= self.x + self.width
        return across and self.y <= y - height / 2 and y + height / 2 <= self.y + self.height


@dataclass(frozen=True, slots=True)
class Placed:
    """A space's panel on the board."""

    space: Space
    panel: Panel
    size: float
    x: float
    y: float
    outside: bool  # it stands beside its area

    @property
    def box(self) -> Box:
        """Middle and extent."""
        return self.x, self.y, self.panel.width * self.size, self.panel.height * self.size


def draw(game: Module, picture: Picture | HexPicture, title: str, look: Look) -> str:
    """A map of the game, as wide as suits it if `look` says 0. Raises ProtocolError for unknown spaces."""
    if isinstance(picture, HexPicture):
        return hex_map.draw(game, picture, title, hex_map.Look(look.theme, look.width, look.around, look.speak))
    look = replace(look, width=look.width or WIDTH)
    shapes = areas(game, frozenset(space.id for space in picture.spaces if space.sea))
    if look.around:
        look = replace(look, around=_known(picture, look.around))
    return Drawing(shapes, style(game).told(look.speak), picture, look).whole(title)


def _known(picture: Picture, said: str) -> str:
    """The id of a space from its id or its name."""
    names = {_squeezed(name): space.id for space in picture.spaces for name in (space.id, space.name)}
    if _squeezed(said) not in names:
        hint = nearest(said, [space.name for space in picture.spaces])
        nothing = msg("there is no space {name!r} on the map", name=said)
        raise unreadable(linked("; ", nothing, hint) if hint else nothing)
    return names[_squeezed(said)]


def _squeezed(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


class Drawing:
    """One map on its way to SVG. Everything is in board units, which the picture's viewBox scales."""

    def __init__(self, shapes: Areas, looks: Style, picture: Picture, look: Look) -> None:
        self.shapes, self.style, self.picture, self.look, self.theme = shapes, looks, picture, look, look.theme
        self.overview = look.width < OVERVIEW_BELOW and not look.around
        self.used = Shapes(looks, "m")
        self.region = {look.around, *shapes.neighbours.get(look.around, ())}
        self.frame = self._frame()
        smallest = TITLE_PIXELS / TITLE * self.frame.width / look.width
        self.scale = max(self.frame.width / shapes.width, smallest)  # of title and legend, in board units

    def whole(self, title: str) -> str:
        """The picture with title and legend."""
        frame, theme = self.frame, self.theme
        standing = self.placed()
        shown = [one for one in standing if frame.covers(one.box) or one.space.id in self.region]
        board = self._areas() + self._marks(shown) + self._leaders(shown) + self._arrows(standing, shown) + self._panels(shown)
        head, foot = self.heading(title), self.legend()
        pad = 10 * self.scale
        high = [panel.height * self.scale + 2 * pad if panel.tokens else 0 for panel in (head, foot)]
        height = high[0] + frame.height + high[1]
        window = svg.el(
            "svg", board, x=0, y=high[0], width=frame.width, height=frame.height,
            viewBox=" ".join(map(svg.number, (frame.x, frame.y, frame.width, frame.height))),
        )  # fmt: skip
        content = svg.el("defs", self.used.definitions() + self._patterns())
        content += svg.el("rect", width=frame.width, height=height, fill=theme.panel) + window
        content += svg.moved(head.markup(), pad, pad, self.scale)
        content += svg.moved(foot.markup(), pad, high[0] + frame.height + pad, self.scale)
        label = svg.el("title", svg.plain(title))
        extent = {"width": self.look.width, "height": round(self.look.width * height / frame.width)}
        view_box = f"0 0 {svg.number(frame.width)} {svg.number(height)}"
        return svg.el("svg", label + content, xmlns=XMLNS, viewBox=view_box, **extent, font_family=FONT, role="img")

    # -- the part of the board ------------------------------------------------------------------------------------------

    def _frame(self) -> Frame:
        width, height = self.shapes.width, self.shapes.height
        if not self.look.around:
            return Frame(0, 0, width, height)
        boxes = [self.shapes.boxes[name] for name in sorted(self.region)]
        low_x, high_x = min(b[0] - b[2] / 2 for b in boxes) - 50, max(b[0] + b[2] / 2 for b in boxes) + 50
        low_y, high_y = min(b[1] - b[3] / 2 for b in boxes) - 50, max(b[1] + b[3] / 2 for b in boxes) + 50
        wide = max(high_x - low_x, 1.1 * (high_y - low_y), 520)
        high = max(high_y - low_y, 0.6 * wide)
        wide, high = min(wide, width), min(high, height)
        x = min(max(0, (low_x + high_x - wide) / 2), width - wide)
        y = min(max(0, (low_y + high_y - high) / 2), height - high)
        return Frame(x, y, wide, high)

    # -- land and sea ---------------------------------------------------------------------------------------------------

    def _areas(self) -> str:
        theme, shapes = self.theme, self.shapes
        land = []
        for space in self.picture.spaces:
            if not space.sea:
                fill = self._tone(space.owner)
                land.append(svg.el("path", d=shapes.outlines[space.id], fill=fill))
                if space.taken_from:
                    land.append(
                        svg.el("path", d=shapes.outlines[space.id], fill=f"url(#mtaken-{self._number(space.taken_from)})")
                    )
        seas = svg.el("path", d=shapes.lines["sea"], stroke=theme.sea_line, stroke_width=2.5)
        borders = svg.el("path", d=shapes.lines["land"], stroke=theme.border, stroke_width=1.8)
        coast = svg.el("path", d=shapes.lines["coast"], stroke=theme.coast, stroke_width=2.2)
        ground = svg.el("rect", width=shapes.width, height=shapes.height, fill=theme.sea)
        lines = svg.el("g", seas + borders + coast, fill="none", stroke_linejoin="round")
        edges = [svg.el("path", d=shapes.outlines[s.id]) for s in self.picture.spaces if s.taken_from and not s.sea]
        red: dict[str, svg.Value] = {"stroke": theme.alarm, "stroke_width": 5, "stroke_linejoin": "round"}
        taken = svg.el("g", "".join(edges), fill="none", **red) if edges else ""
        return ground + "".join(land) + lines + taken

    def _tone(self, owner: str) -> str:
        if not owner:
            return mix(self.theme.border, self.theme.paper, 0.3)
        return mix(self.style.owner(owner).colour, self.theme.paper, self.theme.tone)

    def _number(self, owner: str) -> int:
        return sorted({space.taken_from for space in self.picture.spaces}).index(owner)

    def _patterns(self) -> str:
        """Stripes of who held a space before."""
        before = sorted({space.taken_from for space in self.picture.spaces if space.taken_from})
        return "".join(self._stripes(owner) for owner in before)

    def _stripes(self, owner: str) -> str:
        stripe = svg.el("path", d="M0 0V28", stroke=self._tone(owner), stroke_width=18)
        size = {"width": 28, "height": 28}
        how = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
        return svg.el("pattern", stripe, id=f"mtaken-{self._number(owner)}", **size, **how)

    # -- panels -----------------------------------------------------------------------------------------------------------

    def placed(self) -> list[Placed]:
        """Every space's panel; those that are larger than their room give way to the others."""
        fitted = []
        for space in self.picture.spaces:
            x, y, width, height = self.shapes.boxes[space.id]
            largest = LARGEST if any(stack.count for stack in space.stacks) else LARGEST_NAME
            panel, size = tokens.fit(self._tokens(space), width, height, 1.0 if self.overview else largest)
            fits = panel.width * size <= width + 1 and panel.height * size <= height + 1
            fitted.append((fits, Placed(space, panel, size, x, y, self._outside(space))))
        standing = [placed for fits, placed in fitted if fits]
        islets = [(*self.shapes.anchors[placed.space.id], ISLET, ISLET) for _, placed in fitted if placed.outside]
        for _, placed in (pair for pair in fitted if not pair[0]):
            standing.append(_best_place(placed, standing, islets, self.shapes))
        return standing

    def _outside(self, space: Space) -> bool:
        return not space.sea and space.id not in self.shapes.inside

    def _tokens(self, space: Space) -> list[Token]:
        return self._few_tokens(space) if self.overview else self._all_tokens(space)

    def _few_tokens(self, space: Space) -> list[Token]:
        name = tokens.words(space.name.rpartition(" ")[2], 38, self.theme, colour=self.theme.faint) if space.sea else []
        city = [tokens.star(space.capital, 1.7, self.theme)] if space.city else []
        return [*name, *city, *tokens.totals(space.stacks, self.style, self.theme)]

    def _all_tokens(self, space: Space) -> list[Token]:
        theme, owner = self.theme, self.style.owner(space.owner)
        if space.sea:
            found = tokens.words(space.name.rpartition(" ")[2], 26, theme, bold=True, colour=theme.faint, halo=True)
            found += [tokens.sign(self.used.sign(sign), theme) for sign in space.signs]
        else:
            found = tokens.words(space.name, 20, theme, bold=bool(space.city), halo=True)
            if space.owner:
                found.append(tokens.pill(f"{owner.letter} {space.value}" if space.value else owner.letter, owner, 18, theme))
        if space.city:
            found += [BREAK, tokens.star(space.capital, 1, theme), *tokens.words(space.city, 18, theme)]
        found += [tokens.badge(given, self.used.badge(given.type), theme) for given in space.badges]
        return found + tokens.stacks(space.stacks, self.style, self.used, theme, home=space.owner, changes=self.look.changes)

    def _panels(self, placed: Iterable[Placed]) -> str:
        parts = []
        for one in placed:
            x, y, width, height = one.box
            left, top = x - width / 2, y - height / 2
            if not self._at_home(one):
                ground: dict[str, svg.Value] = {"fill": self.theme.panel, "fill_opacity": 0.84}
                parts.append(svg.el("rect", x=left - 3, y=top - 2, width=width + 6, height=height + 4, rx=6, **ground))
            parts.append(svg.moved(one.panel.markup(), left, top, one.size))
        return svg.el("g", "".join(parts))

    def _at_home(self, one: Placed) -> bool:
        """Does the panel lie wholly in its area? Others need a ground to be read on."""
        width, height = self.shapes.boxes[one.space.id][2:]
        fits = one.box[2] <= width + 1 and one.box[3] <= height + 1
        return fits and (one.space.sea or one.space.id in self.shapes.within)

    def _leaders(self, placed: Iterable[Placed]) -> str:
        """Lines from panels that stand beside their area."""
        found = []
        for one in placed:
            ax, ay = self.shapes.anchors[one.space.id]
            if one.outside or self._far(one):
                x, y = edge(one.box, ax, ay)
                found.append(svg.el("path", d=f"M{svg.number(x)} {svg.number(y)}L{svg.number(ax)} {svg.number(ay)}"))
                found.append(svg.el("circle", cx=ax, cy=ay, r=4, fill=self.theme.coast, stroke="none"))
        return svg.el("g", "".join(found), stroke=self.theme.coast, stroke_width=2.2)

    def _far(self, one: Placed) -> bool:
        """Has the panel been moved away from its place?"""
        x, y, width, height = self.shapes.boxes[one.space.id]
        return abs(one.x - x) > width / 2 or abs(one.y - y) > height / 2

    # -- what happened ------------------------------------------------------------------------------------------------------

    def _marks(self, placed: Iterable[Placed]) -> str:
        """A burst behind every panel where there was a fight."""
        found = []
        for one in placed:
            if one.space.fought:
                x, y, width, height = one.box
                burst = svg.el("path", d=BURST, fill=self.theme.alarm, stroke=self.theme.panel, stroke_width=1.5)
                found.append(svg.moved(burst, x - width / 2 - 20, y - height / 2 - 6, 2 if self.overview else 1.2))
        return "".join(found)

    def _arrows(self, standing: Iterable[Placed], shown: Iterable[Placed]) -> str:
        """Arrows that begin or end at a panel that is shown."""
        at, seen = {one.space.id: one.box for one in standing}, {one.space.id for one in shown}
        weight = 2.0 if self.overview else 1.0
        drawn = [
            arrow(given, at[given.start], at[given.to], self.style.owner(given.owner).colour, self.theme, weight)
            for given in self.picture.arrows
            if given.start in at and given.to in at and (given.start in seen or given.to in seen)
        ]
        return svg.el("g", "".join(drawn), fill="none", stroke_linecap="round", stroke_linejoin="round")

    # -- title and legend -----------------------------------------------------------------------------------------------------

    def heading(self, title: str) -> Panel:
        """The title, and below it the powers with their facts."""
        room = self.frame.width / self.scale - 20
        found = [*tokens.words(title, TITLE, self.theme, bold=True)]
        if not self.look.around:
            found.append(BREAK)
            for party in self.picture.parties:
                owner = self.style.owner(party.id)
                found += [tokens.pill(owner.letter, owner, 25, self.theme)]
                if not self.overview:
                    found += [tokens.line(f"{owner.name}: {party.facts} ", 24, self.theme)]
            found.append(tokens.line(self.picture.facts, 24, self.theme))
        return tokens.flow(found, room, centred=False, gap=9)

    def legend(self) -> Panel:
        """What the silhouettes and signs mean; only under large pictures of the whole board."""
        if self.overview or self.look.around:
            return Panel(0, 0, ())
        theme, found = self.theme, []
        shown = {stack.type for space in self.picture.spaces for stack in space.stacks}
        for id, shape in self.style.units.items():
            if id in shown:
                found += self._entry(svg.el("use", href=self.used.unit(id), fill=theme.ink), shape.name)
        for id, shape in self.style.badges.items():
            found += self._entry(svg.el("use", href=self.used.badge(id), fill=theme.ink), shape.name)
        for id, shape in self.style.signs.items():
            found += self._entry(svg.el("use", href=self.used.sign(id), fill=theme.faint), shape.name)
        found += [tokens.star(False, 1, theme), tokens.line(self.look.speak(msg("Victory city")), 21, theme)]
        found += [tokens.star(True, 1, theme), tokens.line(self.look.speak(msg("and capital")) + "   ", 21, theme)]
        found += self._entry(svg.moved(svg.el("path", d=BURST, fill=theme.alarm), 15, 11, 0.6), self.look.speak(msg("Battle")))
        return tokens.flow(found, self.frame.width / self.scale - 20, centred=False, gap=6)

    def _entry(self, drawn: str, name: str) -> list[Token]:
        width, height = tokens.FIELD
        said = tokens.line(name + "   ", 21, self.theme)
        both = drawn + svg.moved(said.markup, width + 5, 0)
        return [Token(width + 5 + said.width, height, both)]


ISLET = 36.0  # board units around an islet that no panel should cover
STEP, FARTHEST = 14, 12
COVERED = 12.0  # square units of another panel that are as bad as one unit of distance
STEPS = sorted(
    ((dx * STEP, dy * STEP) for dx in range(-FARTHEST, FARTHEST + 1) for dy in range(-FARTHEST, FARTHEST + 1)),
    key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
)


def _best_place(placed: Placed, others: Sequence[Placed], islets: Sequence[Box], shapes: Areas) -> Placed:
    """The nearest place on the board where a panel that is larger than its room covers hardly anything."""
    _, _, width, height = placed.box
    reach = STEP * FARTHEST
    field = (placed.x, placed.y, width + 2 * reach, height + 2 * reach)
    near = tuple(box for box in (*(other.box for other in others), *islets) if overlap(field, box))
    x, y = _best_spot(placed.box, near, shapes.width, shapes.height)
    return replace(placed, x=x, y=y)


@lru_cache(maxsize=4096)  # from one picture of a game to the next most panels stay as they are
def _best_spot(box: Box, near: tuple[Box, ...], wide: float, high: float) -> tuple[float, float]:
    middle_x, middle_y, width, height = box
    best, least = (middle_x, middle_y), float("inf")
    for dx, dy in STEPS:
        distance = math.hypot(dx, dy)
        if distance >= least:
            break
        x = min(max(middle_x + dx, width / 2 + 4), wide - width / 2 - 4)
        y = min(max(middle_y + dy, height / 2 + 4), high - height / 2 - 4)
        price = distance + sum(overlap((x, y, width, height), other) for other in near) / COVERED
        if price < least:
            best, least = (x, y), price
    return best


def overlap(one: Box, other: Box) -> float:
    wide = min(one[0] + one[2] / 2, other[0] + other[2] / 2) - max(one[0] - one[2] / 2, other[0] - other[2] / 2)
    high = min(one[1] + one[3] / 2, other[1] + other[3] / 2) - max(one[1] - one[3] / 2, other[1] - other[3] / 2)
    return max(0.0, wide + 6) * max(0.0, high + 4) if wide > -6 and high > -4 else 0.0
