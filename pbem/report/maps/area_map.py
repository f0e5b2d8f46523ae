"""Area maps as SVG: the whole theatre, or what lies around one space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from pbem.kernel.picture import Picture, Space
from pbem.kernel.wording import msg
from pbem.report.maps import svg, tokens
from pbem.report.maps.areas import Areas
from pbem.report.maps.arrows import arrow, edge
from pbem.report.maps.kept import Kept
from pbem.report.maps.look import NARROW, Frame, Look, found, squeezed
from pbem.report.maps.page import page
from pbem.report.maps.panels import Placed, fitted, overlap, refilled, settled, united
from pbem.report.maps.pins import pins
from pbem.report.maps.style import Style
from pbem.report.maps.themes import mix
from pbem.report.maps.tokens import BREAK, Panel, Shapes, Token

WIDTH = 1000  # pixels when the reader asks for nothing else
TITLE, TITLE_PIXELS = 36.0, 14.0  # size of the title, and on the picture at least
TOUCH = 24.0  # pixels: areas that are smaller are hit in a circle as wide as this
MARK = 18.0  # from the middle of a burst to most of its rim
BURST = "M0-22 5-9 17-16 11-4 23 0 11 5 17 17 5 10 0 23-5 10-17 17-11 5-23 0-11-4-17-16-5-9z"


def _known(picture: Picture, said: str) -> str:
    """The id of a space from its id or its name."""
    names = {squeezed(name): space.id for space in picture.spaces for name in (space.id, space.name)}
    nothing = msg("there is no space {name!r} on the map", name=said)
    return found(names, said, [space.name for space in picture.spaces], nothing)


class Drawing:
    """One map on its way to SVG. Everything is in board units, which the picture's viewBox scales.

    `other`: another position on the same board; panels have room for both and stand where they would for either.
    `live`: counters say what they are, for a page on which they are clicked. `kept`: of the picture before, of the same board
    and look. Raises ProtocolError for unknown spaces.
    """

    def __init__(
        self, shapes: Areas, looks: Style, picture: Picture, look: Look, other: Picture | None = None, *, live: bool = False,
        kept: Kept | None = None,
    ) -> None:  # fmt: skip
        self.shapes, self.picture, self.other, self.live, self.theme = shapes, picture, other, live, look.theme
        self.style = looks.told(look.speak)
        self.look = replace(look, width=look.width or WIDTH, around=_known(picture, look.around) if look.around else "")
        self.overview = self.look.width < NARROW and not look.around
        self.used, self.kept = Shapes(self.style, f"{look.prefix}m"), kept or Kept()
        self.region = {self.look.around, *shapes.neighbours.get(self.look.around, ())}
        self.frame = self._frame()
        smallest = TITLE_PIXELS / TITLE * self.frame.width / self.look.width
        self.scale = max(self.frame.width / shapes.width, smallest)  # of title and legend, in board units

    @property
    def pixel(self) -> float:
        """Board units of a pixel."""
        return self.frame.width / self.look.width

    def whole(self, title: str) -> str:
        """The picture with title and legend."""
        return "".join(self.pieces(title))

    def pieces(self, title: str) -> list[str]:
        """The whole picture in pieces, most of which are those of the picture before."""
        board = [piece for layer in self._layers().values() for piece in layer]
        head, foot = self.heading(title), self.legend()
        return page(
            title, board, head, foot, self.frame, self.look.width, self.scale, 10 * self.scale, self.theme, self.definitions
        )

    def parts(self) -> dict[str, str]:
        """The board in layers, the lowest first (see layers.ORDER)."""
        return {name: "".join(pieces) for name, pieces in self._layers().items()}

    def _layers(self) -> dict[str, list[str]]:
        standing = self.placed()
        shown = [one for one in standing if self.frame.covers(one.box) or one.space.id in self.region]
        return {
            "base": [self.kept.part("water", None, self.used, self._water)],
            "control": [*self._areas(), self._marks(shown), self._leaders(shown)],
            "glow": [],
            "arrows": self._arrows(standing, shown),
            "stacks": self._panels(shown),
            "names": [],
            "pins": [pins(self.look.pins, self.shapes.anchors, self.frame, self.pixel, self.theme)],
            "hits": [self._hits(shown)] if self.live else [],
        }

    def definitions(self) -> str:
        """What the parts refer to."""
        return self.used.definitions() + self._patterns()

    # -- for a page on which it is clicked ------------------------------------------------------------------------------------

    def _hits(self, placed: Iterable[Placed]) -> str:
        """Areas, over them the panels, over those circles where an area is small."""
        shapes, frame = self.shapes, self.frame
        least = TOUCH * self.pixel
        fields = [svg.el("path", d=shapes.outlines[space.id], data_at=space.id) for space in self.picture.spaces]
        for one in placed:
            x, y, width, height = one.box
            fields.append(svg.el("rect", x=x - width / 2, y=y - height / 2, width=width, height=height, data_at=one.space.id))
        for space in self.picture.spaces:
            (x, y), (left, top, right, bottom) = shapes.anchors[space.id], shapes.bounds[space.id]
            if min(right - left, bottom - top) < least and frame.holds(x, y):
                fields.append(svg.el("circle", cx=x, cy=y, r=least / 2, data_at=space.id))
        return svg.el("g", "".join(fields), fill="none", pointer_events="all")

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

    def _water(self) -> str:
        theme, shapes = self.theme, self.shapes
        ground = svg.el("rect", width=shapes.width, height=shapes.height, fill=theme.sea)
        line: dict[str, svg.Value] = {"stroke": theme.sea_line, "stroke_width": 2.5, "stroke_linejoin": "round"}
        return ground + svg.el("path", d=self._lines("sea"), fill="none", **line)

    def _lines(self, kind: str) -> str:
        """Lines of a kind that the frame shows."""
        if not self.look.around:
            return self.shapes.lines[kind]
        return "".join(line.path for line in self.shapes.borders if line.kind == kind and self.frame.meets(line.bounds))

    def _areas(self) -> list[str]:
        theme, shapes = self.theme, self.shapes
        land = [
            self.kept.part(("land", s.id), (s.owner, self._hatching(s)), self.used, partial(self._land, s))
            for s in self.picture.spaces
            if not s.sea and self.frame.meets(shapes.bounds[s.id])
        ]
        edges = [svg.el("path", d=shapes.outlines[s.id]) for s in self.picture.spaces if s.taken_from and not s.sea]
        red: dict[str, svg.Value] = {"stroke": theme.alarm, "stroke_width": 5, "stroke_linejoin": "round"}
        taken = svg.group(edges, fill="none", **red) if edges else []
        return [*land, self.kept.part("lines", None, self.used, self._borders), *taken]

    def _land(self, space: Space) -> str:
        """An area in its owner's tone, hatched in that of who held it before."""
        outline, hatching = self.shapes.outlines[space.id], self._hatching(space)
        land = svg.el("path", d=outline, fill=self._tone(space.owner))
        return land + svg.el("path", d=outline, fill=hatching) if hatching else land

    def _hatching(self, space: Space) -> str:
        return f"url(#{self._pattern(space.taken_from)})" if space.taken_from else ""

    def _borders(self) -> str:
        borders = svg.el("path", d=self._lines("land"), stroke=self.theme.border, stroke_width=1.8)
        coast = svg.el("path", d=self._lines("coast"), stroke=self.theme.coast, stroke_width=2.2)
        return svg.el("g", borders + coast, fill="none", stroke_linejoin="round")

    def _tone(self, owner: str) -> str:
        if not owner:
            return mix(self.theme.border, self.theme.paper, 0.3)
        return mix(self.style.owner(owner).colour, self.theme.paper, self.theme.tone)

    def _pattern(self, owner: str) -> str:
        return f"{self.look.prefix}mtaken-{sorted({space.taken_from for space in self.picture.spaces}).index(owner)}"

    def _patterns(self) -> str:
        """Stripes of who held a space before."""
        before = sorted({space.taken_from for space in self.picture.spaces if space.taken_from})
        return "".join(self._stripes(owner) for owner in before)

    def _stripes(self, owner: str) -> str:
        stripe = svg.el("path", d="M0 0V28", stroke=self._tone(owner), stroke_width=18)
        size = {"width": 28, "height": 28}
        how = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
        return svg.el("pattern", stripe, id=self._pattern(owner), **size, **how)

    # -- panels -----------------------------------------------------------------------------------------------------------

    def placed(self) -> list[Placed]:
        """Every space's panel."""
        if self.other is None:
            return self._settled([self._fitted(space) for space in self.picture.spaces])
        other = {space.id: space for space in self.other.spaces}
        spaces = [united(space, other.get(space.id, space)) for space in self.picture.spaces]
        standing = self._settled([self._fitted(space) for space in spaces])
        now = {space.id: space for space in self.picture.spaces}
        return [refilled(one, now[one.space.id], self._tokens(now[one.space.id])) for one in standing]

    def _fitted(self, space: Space) -> Placed:
        """A panel at its own place."""
        largest = 1.0 if self.overview else 0

        def fresh() -> Placed:
            return fitted(space, self._tokens, self.shapes, largest=largest)

        return self.kept.part(("panel", space.id), space, self.used, fresh)

    def _settled(self, panels: list[Placed]) -> list[Placed]:
        """Each at the place that it gets beside the others: the same as long as none is larger or smaller than before."""
        extents = [(one.space.id, one.panel.width * one.size, one.panel.height * one.size) for one in panels]
        found = self.kept.part(
            "places", extents, self.used, lambda: [(p.space.id, p.x, p.y) for p in settled(panels, self.shapes)]
        )
        at = {one.space.id: one for one in panels}
        return [
            one if (one.x, one.y) == (x, y) else replace(one, x=x, y=y) for one, x, y in ((at[s], x, y) for s, x, y in found)
        ]

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
        look: dict[str, bool] = {"changes": self.look.changes, "live": self.live}
        return found + tokens.stacks(space.stacks, self.style, self.used, theme, home=space.owner, **look)

    def _panels(self, placed: Iterable[Placed]) -> list[str]:
        return svg.group(self.kept.part(("drawn", one.space.id), one, self.used, partial(self._panel, one)) for one in placed)

    def _panel(self, one: Placed) -> str:
        """A panel, on a ground where its area is too small for it."""
        x, y, width, height = one.box
        left, top = x - width / 2, y - height / 2
        panel = svg.moved(one.panel.markup(), left, top, one.size)
        drawn = svg.el("g", panel, data_at=one.space.id) if self.live else panel
        if self._at_home(one):
            return drawn
        ground: dict[str, svg.Value] = {"fill": self.theme.panel, "fill_opacity": 0.84}
        return svg.el("rect", x=left - 3, y=top - 2, width=width + 6, height=height + 4, rx=6, **ground) + drawn

    def _at_home(self, one: Placed) -> bool:
        """Does the panel lie wholly in its area? Others need a ground to be read on."""
        width, height = self.shapes.boxes[one.space.id][2:]
        fits = one.box[2] <= width + 1 and one.box[3] <= height + 1
        return fits and (one.space.sea or one.space.id in self.shapes.within)

    def _leaders(self, placed: Sequence[Placed]) -> str:
        """Lines from panels that stand beside their area."""
        away = [one for one in placed if one.outside or self._far(one)]
        return self.kept.part("leaders", [(one.space.id, one.box) for one in away], self.used, lambda: self._led(away))

    def _led(self, away: Iterable[Placed]) -> str:
        found = []
        for one in away:
            ax, ay = self.shapes.anchors[one.space.id]
            x, y = edge(one.box, ax, ay)
            found.append(svg.el("path", d=f"M{svg.number(x)} {svg.number(y)}L{svg.number(ax)} {svg.number(ay)}"))
            found.append(svg.el("circle", cx=ax, cy=ay, r=4, fill=self.theme.coast, stroke="none"))
        return svg.el("g", "".join(found), stroke=self.theme.coast, stroke_width=2.2)

    def _far(self, one: Placed) -> bool:
        """Has the panel been moved away from its place?"""
        x, y, width, height = self.shapes.boxes[one.space.id]
        return abs(one.x - x) > width / 2 or abs(one.y - y) > height / 2

    # -- what happened ------------------------------------------------------------------------------------------------------

    def _marks(self, placed: Sequence[Placed]) -> str:
        """A burst beside every panel where there was a fight."""
        found = []
        fought = [one.space.id for one in placed if one.space.fought]
        boxes = [one.box for one in placed] if fought else []
        bursts = self.kept.part("bursts", (fought, boxes), self.used, lambda: self.bursts(placed))
        for x, y in bursts.values():
            burst = svg.el("path", d=BURST, fill=self.theme.alarm, stroke=self.theme.panel, stroke_width=1.5)
            found.append(svg.moved(burst, x, y, 2 if self.overview else 1.2))
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
                size = 2 * MARK * (2 if self.overview else 1.2)
                field = (x, y, 2 * wide + size, 2 * (high + 14) + size)  # farther off no spot covers anything
                others = [other.box for other in placed if other is not one and overlap(field, other.box)]
                hidden = [sum(overlap((*spot, size, size), box) for box in others) for spot in spots]
                found[one.space.id] = spots[hidden.index(min(hidden))]
        return found

    def _arrows(self, standing: Iterable[Placed], shown: Iterable[Placed]) -> list[str]:
        """Arrows that begin or end at a panel that is shown."""
        at, seen = {one.space.id: one.box for one in standing}, {one.space.id for one in shown}
        weight = 2.0 if self.overview else 1.0
        drawn = [
            arrow(given, at[given.start], at[given.to], self.style.owner(given.owner).colour, self.theme, weight)
            for given in self.picture.arrows
            if given.start in at and given.to in at and (given.start in seen or given.to in seen)
        ]
        return svg.group(drawn, fill="none", stroke_linecap="round", stroke_linejoin="round")

    # -- title and legend -----------------------------------------------------------------------------------------------------

    def heading(self, title: str) -> Panel:
        """The title, and below it the powers with their facts."""
        of = (title, self.picture.parties, self.picture.facts)
        return self.kept.part("heading", of, self.used, lambda: self._heading(title))

    def _heading(self, title: str) -> Panel:
        room = self.frame.width / self.scale - 20
        found = [*tokens.words(title, TITLE, self.theme, bold=True)]
        if not self.look.around:
            found.append(BREAK)
            for party in self.picture.parties:
                owner = self.style.owner(party.id)
                found += [tokens.pill(owner.letter, owner, 25, self.theme)]
                if not self.overview:
                    found += [tokens.line(f"{owner.name}: {self.look.speak(party.facts)} ", 24, self.theme)]
            found.append(tokens.line(self.look.speak(self.picture.facts), 24, self.theme))
        return tokens.flow(found, room, centred=False, gap=9)

    def legend(self) -> Panel:
        """What the silhouettes and signs mean; only under large pictures of the whole board."""
        if self.overview or self.look.around:
            return Panel(0, 0, ())
        shown = {stack.type for space in self.picture.spaces for stack in space.stacks}
        example = next(((space.owner, space.value) for space in self.picture.spaces if space.owner and space.value), None)
        return self.kept.part("legend", (shown, example), self.used, lambda: self._legend(shown, example))

    def _legend(self, shown: set[str], example: tuple[str, int] | None) -> Panel:
        theme, found = self.theme, []
        for id, shape in self.style.units.items():
            if id in shown:
                found += self._entry(svg.el("use", href=self.used.unit(id), fill=theme.ink), shape.name)
        for id, shape in self.style.badges.items():
            found += self._entry(svg.el("use", href=self.used.badge(id), fill=theme.ink), shape.name)
        for id, shape in self.style.signs.items():
            found += self._entry(svg.el("use", href=self.used.sign(id), fill=theme.faint), shape.name)
        found += self._holder(*example) if example else []
        found += [tokens.star(False, 1, theme), tokens.line(self.look.speak(msg("Victory city")), 21, theme)]
        found += [tokens.star(True, 1, theme), tokens.line(self.look.speak(msg("and capital")) + "   ", 21, theme)]
        found += self._entry(svg.moved(svg.el("path", d=BURST, fill=theme.alarm), 15, 11, 0.6), self.look.speak(msg("Battle")))
        return tokens.flow(found, self.frame.width / self.scale - 20, centred=False, gap=6)

    def _holder(self, id: str, value: int) -> list[Token]:
        """What a letter and a number beside a name say, by an example from the board."""
        owner = self.style.owner(id)
        said = msg("held by {owner}, income {value}", owner=owner.name, value=value)
        pill = tokens.pill(f"{owner.letter} {value}", owner, 18, self.theme)
        return [pill, tokens.line(self.look.speak(said) + "   ", 21, self.theme)]

    def _entry(self, drawn: str, name: str) -> list[Token]:
        width, height = tokens.FIELD
        said = tokens.line(name + "   ", 21, self.theme)
        both = drawn + svg.moved(said.markup, width + 5, 0)
        return [Token(width + 5 + said.width, height, both)]
