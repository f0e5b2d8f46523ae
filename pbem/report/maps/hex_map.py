"""Hex maps as SVG: the whole theatre, or what lies around one hex, with boxes and tracks beside the board. Knows no game."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pbem.games import Module
from pbem.kernel.hex_picture import Box, HexPicture, Journey, Piece, Track
from pbem.kernel.orders import nearest
from pbem.kernel.wording import Message, english, linked, msg
from pbem.protocol.outcomes import unreadable
from pbem.report.maps import svg, tokens
from pbem.report.maps.hex_land import HALF, LINES, RADIUS, RIVERS, Layout, ground, layout, lines, outline, route, terrains
from pbem.report.maps.hex_names import COUNTERS, LAND, NUMBER, Area, area, labels
from pbem.report.maps.hex_roster import roster
from pbem.report.maps.style import Speak, Style, style
from pbem.report.maps.themes import LIGHT, Theme, ink_on, mix
from pbem.report.maps.tokens import BREAK, Panel, Shapes, Token

XMLNS = "http://www.w3.org/2000/svg"
FONT = "DejaVu Sans, Verdana, sans-serif"
WIDTHS = (1200, 2400)  # pixels of a whole map when the reader asks for nothing else: a pixel for each board unit, within these
NEAR = 1000  # pixels of a section
REACH = 4  # hexes around a chosen one
ROSTERS = 6  # stacks that are listed beside such a section
TILE = (30.0, 24.0)
STACK_MIDDLE, STACK_HEIGHT = -1.0, 43.0  # between the number of the hex and its signs
NUMBER_SIZE, SIGN_WIDTH = 7.5, 13.0
BELOW_NAME = 16.0  # from the upper side of a hex to its number, where the name of the hex above hangs over that side
SHORT = 22.0  # how far before the middle of its last hex an arrow ends
TONES = (0.3, 0.1)  # of the land of the first party and of the others
BURST = "M0-22 5-9 17-16 11-4 23 0 11 5 17 17 5 10 0 23-5 10-17 17-11 5-23 0-11-4-17-16-5-9z"


REDUCED = Piece("", "", "", "", 9, 12, "", True)  # for the legend
UNSUPPLIED = replace(REDUCED, marks=("unsupplied",))


@dataclass(frozen=True, slots=True)
class Look:
    """What the reader asked for: `width` in pixels, 0: what suits the map; `around`: a hex by number or name."""

    theme: Theme = LIGHT
    width: int = 0
    around: str = ""
    speak: Speak = english


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of the board that is drawn, in board units."""

    x: float
    y: float
    width: float
    height: float

    def shows(self, x: float, y: float) -> bool:
        """Is the hex with its middle there inside, at least in part?"""
        across = self.x - RADIUS < x < self.x + self.width + RADIUS
        return across and self.y - HALF < y < self.y + self.height + HALF

    def holds(self, x: float, y: float) -> bool:
        """Is this point inside?"""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


class Grid:
    """Counters of one hex in rows; `tiles`: the pieces that each of them stands for."""

    def __init__(self, tiles: Sequence[Sequence[Piece]]) -> None:
        self.tiles = tiles
        self.columns = 1 if len(tiles) == 1 else 2 if len(tiles) <= 4 else 3
        self.rows = -(-len(tiles) // self.columns)
        self.size = min(62 / (self.columns * TILE[0]), STACK_HEIGHT / (self.rows * TILE[1]), 1.25)
        self.cell = (TILE[0] + 1.5) * self.size, (TILE[1] + 1.5) * self.size

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of them all."""
        return self.columns * self.cell[0], self.rows * self.cell[1]


def draw(game: Module, picture: HexPicture, title: str, look: Look) -> str:
    """A map of the game. Raises ProtocolError for a hex that is not on the map."""
    return Drawing(game, picture, look).whole(title)


def known(picture: HexPicture, said: str) -> int:
    """The number of a hex from its number or name. Raises ProtocolError."""
    names: dict[str, int] = {}
    for cell in picture.map.cells:
        for spelling in (cell.number, str(cell.id), cell.name, f"{cell.name}{cell.number}", *cell.name.split("/")):
            names.setdefault(_squeezed(spelling), cell.id)
    if not _squeezed(said) or _squeezed(said) not in names:
        hint = nearest(said, [cell.name for cell in picture.map.cells if cell.name])
        nothing = msg("there is no hex {name!r} on the map", name=said)
        raise unreadable(linked("; ", nothing, hint) if hint else nothing)
    return names[_squeezed(said)]


def _squeezed(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


class Drawing:
    """One map on its way to SVG. Everything is in board units, which the picture's viewBox scales."""

    def __init__(self, game: Module, picture: HexPicture, look: Look) -> None:
        self.game, self.picture, self.look, self.theme = game, picture, look, look.theme
        self.style: Style = style(game).told(look.speak)
        self.at: Layout = layout(picture.map)
        self.used = Shapes(self.style, "h")
        self.places = {place.id: place for place in picture.spaces}
        self.centre = known(picture, look.around) if look.around else 0
        self.frame = self._frame()
        self.width = look.width or (NEAR if self.centre else round(min(max(WIDTHS[0], self.frame.width), WIDTHS[1])))
        self.scale = self.frame.width / self.width  # board units per pixel
        self.large = 1.0 if self.centre else min(1.25, max(0.75, self.width / 1920))  # words beside the board
        self.close = self.scale < 0.8  # near enough for single counters and hex numbers everywhere
        self.shown = [h for h, (x, y) in self.at.middles.items() if self.frame.shows(x, y)]
        named = [self.at.middles[h] for h, cell in self.at.cells.items() if cell.name]
        self.under = {(round(x), round(y / HALF) + 2) for x, y in named}

    def whole(self, title: str) -> str:
        """The picture with title, boxes and legend."""
        frame, theme = self.frame, self.theme
        printed = ground(self.picture.map, self.game, theme, tuple(self.shown))
        drawn = lines(self.picture.map, theme, tuple(self.shown))
        position = self._control() + drawn + self._zones() + self._print() + self._taken() + self._fought()
        layers = printed + position + self._journeys() + self._stacks() + self._names()
        head, foot = self.heading(title), self.beside()
        scale, pad = self.scale * self.large, 12 * self.scale
        high = [panel.height * scale + 2 * pad if panel.tokens else 0 for panel in (head, foot)]
        height = high[0] + frame.height + high[1]
        window = svg.el(
            "svg", layers, x=0, y=high[0], width=frame.width, height=frame.height,
            viewBox=" ".join(map(svg.number, (frame.x, frame.y, frame.width, frame.height))),
        )  # fmt: skip
        content = svg.el("defs", self.used.definitions() + self._patterns())
        content += svg.el("rect", width=frame.width, height=height, fill=theme.panel) + window
        content += svg.moved(head.markup(), pad, pad, scale)
        content += svg.moved(foot.markup(), pad, high[0] + frame.height + pad, scale)
        label = svg.el("title", svg.plain(title))
        extent = {"width": self.width, "height": round(self.width * height / frame.width)}
        view_box = f"0 0 {svg.number(frame.width)} {svg.number(height)}"
        return svg.el("svg", label + content, xmlns=XMLNS, viewBox=view_box, **extent, font_family=FONT, role="img")

    def _frame(self) -> Frame:
        if not self.centre:
            return Frame(0, 0, self.at.width, self.at.height)
        x, y = self.at.middles[self.centre]
        wide, high = (REACH * 1.5 + 1) * 2 * RADIUS, (2 * REACH + 1) * 2 * HALF * 0.8
        wide, high = min(wide, self.at.width), min(high, self.at.height)
        left = min(max(0.0, x - wide / 2), self.at.width - wide)
        top = min(max(0.0, y - high / 2), self.at.height - high)
        return Frame(left, top, wide, high)

    # -- who holds and rules what -------------------------------------------------------------------------------------------

    def _control(self) -> str:
        """Land in a tone of its owner."""
        held: dict[str, list[str]] = {}
        seen = set(self.shown)
        for place in self.picture.spaces:
            if place.owner and place.id in seen and self.at.is_land(place.id):
                held.setdefault(place.owner, []).append(self.at.shore(place.id))
        first = self.picture.parties[0].id
        return "".join(
            svg.el("path", d="".join(paths), fill=self.style.owner(owner).colour, opacity=TONES[owner != first])
            for owner, paths in held.items()
        )

    def _zones(self) -> str:
        """Zones of influence: a tint and a border; hatched where the enemy neutralises them."""
        parts = []
        for number, (owner, rules, lost) in enumerate(self._zones_of()):
            colour = self.style.owner(owner).colour
            tint = "".join(self.at.hexagon(h) for h in rules)
            parts.append(svg.el("path", d=tint, fill=colour, opacity=0.1))
            hatched = "".join(self.at.hexagon(h) for h in lost)
            parts.append(svg.el("path", d=hatched, fill=f"url(#hzone{number})", opacity=0.4))
            border = outline(self.at, (*rules, *lost), 0.95 - 0.06 * number)
            line: dict[str, svg.Value] = {"stroke": colour, "stroke_width": 2.6, "stroke_linecap": "round"}
            if number:
                line["stroke_dasharray"] = "9 6"
            parts.append(svg.el("path", d=border, fill="none", opacity=0.8, **line))
        return "".join(parts)

    def _zones_of(self) -> list[tuple[str, list[int], list[int]]]:
        """Per owner the hexes that his zone rules and those where it is neutralised."""
        owners, seen = [party.id for party in self.picture.parties], set(self.shown)
        found = []
        for owner in owners:
            here = [
                (place.id, neutral)
                for place in self.picture.spaces
                if place.id in seen
                for o, neutral in place.zones
                if o == owner
            ]
            found.append((owner, [h for h, neutral in here if not neutral], [h for h, neutral in here if neutral]))
        return found

    def _patterns(self) -> str:
        """Hatching of neutralised zones, each owner's in a direction of its own."""
        found = []
        for number, party in enumerate(self.picture.parties):
            stripe = svg.el("path", d="M0 0V14", stroke=self.style.owner(party.id).colour, stroke_width=3)
            how = {"patternUnits": "userSpaceOnUse", "patternTransform": f"rotate({45 if number % 2 else -45})"}
            found.append(svg.el("pattern", stripe, id=f"hzone{number}", width=14, height=14, **how))
        return "".join(found)

    # -- what is printed ------------------------------------------------------------------------------------------------------

    def _print(self) -> str:
        """Signs of bases on a disc of their holder's colour, and hex numbers."""
        theme, parts = self.theme, []
        for h in self.shown:
            cell = self.at.cells[h]
            x, y = self.at.middles[h]
            if self._numbered:
                at = self._number_at(h)
                parts.append(svg.text(cell.number, x, at, NUMBER_SIZE, fill=theme.ink, text_anchor="middle", opacity=0.8))
            if cell.signs:
                parts.append(self._signs(h, cell.signs, x, y))
        return svg.el("g", "".join(parts))

    @property
    def _numbered(self) -> bool:
        """Is there room for hex numbers everywhere?"""
        return bool(self.close or self.centre or (self.style.numbered and self.scale < 1.1))

    def _number_at(self, h: int) -> float:
        """The baseline of a hex's number: lower where the name of the hex above hangs over its upper side."""
        x, y = self.at.middles[h]
        return y - HALF + (BELOW_NAME if (round(x), round(y / HALF)) in self.under else 8.5)

    def _signs(self, h: int, signs: Sequence[str], x: float, y: float) -> str:
        """A row along the lower side of the hex."""
        place = self.places.get(h)
        colour = self.style.owner(place.owner).colour if place and place.owner else self.theme.panel
        wide = SIGN_WIDTH
        left = x - wide * len(signs) / 2
        parts = [
            svg.el(
                "rect", x=left, y=y + HALF - 13.5, width=wide * len(signs), height=12, rx=3, fill=colour,
                stroke=self.theme.ink, stroke_width=0.8,
            )
        ]  # fmt: skip
        for i, sign in enumerate(signs):
            use = svg.el("use", href=self.used.sign(sign), fill=ink_on(colour))
            parts.append(svg.moved(use, left + i * wide + 0.2, y + HALF - 12.2, 0.42))
        return "".join(parts)

    def _names(self) -> str:
        """Names of places, over everything, where they hide little."""
        size = min(12.5, max(8.5, 15 * self.scale))
        inside = (h for h in self.shown if self.frame.holds(*self.at.middles[h]))
        names = {h: _short(self.at.cells[h].name) for h in inside if self.at.cells[h].name}
        window = Area(self.frame.x, self.frame.y, self.frame.x + self.frame.width, self.frame.y + self.frame.height)
        found = labels(names, self.at.middles, size, self._taken_room(), window)
        halo: dict[str, svg.Value] = {
            "stroke": self.theme.halo,
            "stroke_width": 3,
            "stroke_opacity": 0.8,
            "paint_order": "stroke",
        }
        content = "".join(svg.text(one.words, one.x, one.y, size) for one in found)
        return svg.el("g", content, fill=self.theme.ink, text_anchor="middle", font_weight="bold", **halo)

    def _taken_room(self) -> list[tuple[int, Area]]:
        """What names should not cover: hex numbers, counters, signs, islands that are not theirs."""
        found = []
        for h in self.shown:
            cell, place = self.at.cells[h], self.places.get(h)
            x, y = self.at.middles[h]
            if self._numbered:
                found.append((h, area(cell.number, x, self._number_at(h), NUMBER_SIZE, NUMBER)))
            if cell.signs:
                half = SIGN_WIDTH * len(cell.signs) / 2
                found.append((h, Area(x - half, y + HALF - 13.5, x + half, y + HALF - 1.5, COUNTERS)))
            if place and place.fought:
                dx, dy = self.at.corners[0]
                found.append((h, Area(x + dx - 17, y + dy - 17, x + dx + 17, y + dy + 17, COUNTERS)))
            if place and place.pieces:
                wide, high = self._grid(place.pieces).extent
                found.append(
                    (h, Area(x - wide / 2, y + STACK_MIDDLE - high / 2, x + wide / 2, y + STACK_MIDDLE + high / 2, COUNTERS))
                )
            elif self.at.is_land(h):
                found.append((h, Area(x - 20, y - 20, x + 20, y + 20, LAND)))
        return found

    # -- what happened --------------------------------------------------------------------------------------------------------

    def _taken(self) -> str:
        hexes = [place.id for place in self.picture.spaces if place.taken_from]
        path = "".join(self.at.hexagon(h, 0.93) for h in hexes)
        return svg.el("path", d=path, fill="none", stroke="#ffd23f", stroke_width=4) if path else ""

    def _fought(self) -> str:
        """A red rim and a burst at its corner, behind the counters, where there was a battle or will be one."""
        parts = []
        for place in self.picture.spaces:
            if place.fought and place.id in self.at.cells:
                x, y = self.at.middles[place.id]
                ring = svg.el("path", d=self.at.hexagon(place.id, 0.97), fill="none", stroke=self.theme.alarm, stroke_width=4.5)
                burst = svg.el("path", d=BURST, fill=self.theme.alarm, stroke=self.theme.panel, stroke_width=1.5)
                dx, dy = self.at.corners[0]
                parts.append(ring + svg.moved(burst, x + dx, y + dy, 0.75))
        return "".join(parts)

    def _journeys(self) -> str:
        """Arrows along the paths that were moved."""
        parts = [self._journey(journey, i) for i, journey in enumerate(self.picture.journeys)]
        return svg.el("g", "".join(parts), fill="none", stroke_linecap="round", stroke_linejoin="round")

    def _journey(self, journey: Journey, number: int) -> str:
        points = [self.at.middles[h] for h in journey.path if h in self.at.cells]
        if len(points) < 2 or not any(self.frame.shows(*p) for p in points):
            return ""
        shift = 5 * ((number % 5) - 2)  # so that arrows along the same way do not hide each other
        points = [(x + shift * 0.7, y + shift) for x, y in points]
        (px, py), (tx, ty) = points[-2], points[-1]
        angle = math.atan2(ty - py, tx - px)
        tx, ty = tx - math.cos(angle) * SHORT, ty - math.sin(angle) * SHORT  # counters stay free
        colour = self.style.owner(journey.owner).colour
        width = 4.0 + min(journey.count, 4)
        size = 6 + 2.2 * width
        bx, by = tx - math.cos(angle) * size * 0.7, ty - math.sin(angle) * size * 0.7
        d = _smooth([*points[:-1], (bx, by)])
        wings = [(tx + size * math.cos(angle + a), ty + size * math.sin(angle + a)) for a in (2.6, -2.6)]
        head = "M" + "L".join(f"{svg.number(x)} {svg.number(y)}" for x, y in ((tx, ty), *wings)) + "z"
        dash: dict[str, svg.Value] = {"stroke_dasharray": "12 9"} if journey.kind == "air" else {}
        edge, start = self.theme.halo, points[0]
        return (
            svg.el("path", d=d, stroke=edge, stroke_width=width + 3.5, opacity=0.8)
            + svg.el("path", d=head, fill=colour, stroke=edge, stroke_width=3)
            + svg.el("circle", cx=start[0], cy=start[1], r=width * 0.9, fill=colour, stroke=edge, stroke_width=1.5)
            + svg.el("path", d=d, stroke=colour, stroke_width=width, **dash)
            + svg.el("path", d=head, fill=colour)
        )

    # -- counters -------------------------------------------------------------------------------------------------------------

    def _stacks(self) -> str:
        parts = []
        for h in self.shown:
            place = self.places.get(h)
            if place and place.pieces:
                x, y = self.at.middles[h]
                parts.append(svg.moved(self.stack(place.pieces), x, y + STACK_MIDDLE))
        return svg.el("g", "".join(parts))

    def stack(self, pieces: Sequence[Piece]) -> str:
        """Counters around (0, 0): all of them where there is room, else one for each group of an owner."""
        grid = self._grid(pieces)
        wide, high = grid.cell
        parts = []
        for i, tile in enumerate(map(self.tile, grid.tiles)):
            row, column = divmod(i, grid.columns)
            inside = min(grid.columns, len(grid.tiles) - row * grid.columns)
            parts.append(svg.moved(tile, (column - inside / 2) * wide, (row - grid.rows / 2) * high, grid.size))
        return "".join(parts)

    def _grid(self, pieces: Sequence[Piece]) -> Grid:
        """How the counters of a hex are laid out."""
        return Grid([[piece] for piece in pieces] if len(pieces) <= (9 if self.centre else 2) else grouped(pieces))

    def tile(self, pieces: Sequence[Piece]) -> str:
        """One counter from (0, 0): silhouette, strengths; several as a pile with their number and the sum of attacks."""
        first, theme = pieces[0], self.theme
        owner = self.style.owner(first.owner)
        ink, (wide, high) = ink_on(owner.colour), TILE
        parts = []
        if len(pieces) > 1:
            parts.append(_card(2.4, -2.4, mix(owner.colour, theme.ink, 0.75), theme))
        parts.append(_card(0, 0, owner.colour, theme))
        if any(piece.reduced for piece in pieces):
            parts.append(
                svg.el("path", d=f"M1 {svg.number(high - 9.5)}H{wide - 1}V{high - 1.5}H1z", fill="#ffffff", opacity=0.6)
            )
        shape = svg.el("use", href=self.used.unit(first.type), fill=ink)
        many = len(pieces) > 9
        parts.append(
            svg.moved(shape, 1.6, 3.2 if many else 2.2, 0.38 if many else 0.46 if len(pieces) == 1 and first.short else 0.52)
        )
        if len(pieces) > 1:
            size = 6.8 if many else 8.5
            parts.append(svg.text(f"×{len(pieces)}", wide - 1.5, 10.5, size, fill=ink, text_anchor="end", font_weight="bold"))
        said = first.said or f"{first.attack}-{first.defense}"
        if len(pieces) > 1:
            said = f"{sum(p.attack for p in pieces)}"
        dark = "#000000" if any(piece.reduced for piece in pieces) else ink
        parts.append(svg.text(said, wide / 2, high - 2.6, 10, fill=dark, text_anchor="middle", font_weight="bold"))
        if len(pieces) == 1 and first.short:
            size = min(7.0, 6.2 * 13 / svg.breadth(first.short, 6.2))
            parts.append(svg.text(first.short, wide - 1.4, 7.4 + size * 0.36, size, fill=ink, text_anchor="end"))
        if any("unsupplied" in piece.marks for piece in pieces):
            parts.append(svg.el("circle", cx=wide - 1, cy=1, r=4.6, fill=theme.alarm, stroke="#ffffff", stroke_width=1))
            parts.append(svg.text("!", wide - 1, 4, 8.5, fill="#ffffff", text_anchor="middle", font_weight="bold"))
        return "".join(parts)

    # -- beside the map ------------------------------------------------------------------------------------------------------

    def heading(self, title: str) -> Panel:
        """The title, and below it the parties with their facts."""
        found = [*tokens.words(title, 26 if self.centre else 30, self.theme, bold=True)]
        if not self.centre:
            found.append(BREAK)
            for party in self.picture.parties:
                owner = self.style.owner(party.id)
                mark = tokens.pill(owner.letter, owner, 20, self.theme)
                said = tokens.line(f"{owner.name}: {party.facts}   ", 19, self.theme)
                both = mark.markup + svg.moved(said.markup, mark.width + 6, 2)
                found.append(Token(mark.width + 6 + said.width, mark.height, both))
            found.append(tokens.line(self.picture.facts, 19, self.theme))
        return tokens.flow(found, self._room(), centred=False, gap=8)

    def _room(self) -> float:
        return (self.width - 24) / self.large

    def beside(self) -> Panel:
        """Tracks, boxes and the legend; with a part of the board what stands in its stacks."""
        if self.centre:
            return tokens.flow([*self._rosters(), BREAK, *self._numbers()], self._room(), centred=False, gap=12)
        found = [self.track(track) for track in self.picture.tracks]
        if self.picture.boxes:
            found += [BREAK, *(self.box(box) for box in self.picture.boxes)]
        return tokens.flow([*found, BREAK, *self._legend()], self._room(), centred=False, gap=22)

    def _rosters(self) -> list[Token]:
        """What stands in the chosen hex and in the piles around it, the nearest first."""
        found = []
        for h in sorted(self.shown, key=lambda h: (self.at.grid.distance(h, self.centre), h)):
            place, cell = self.places.get(h), self.at.cells[h]
            if place and place.pieces and (h == self.centre or len(self._grid(place.pieces).tiles) < len(place.pieces)):
                title = f"{cell.number} {_short(cell.name)}".strip()
                found.append(roster(title, place.pieces, self.tile, self._room(), self.theme))
        return found[:ROSTERS]

    def track(self, track: Track) -> Token:
        """A title and a row of boxes, the one with the marker filled."""
        theme, size, x = self.theme, 16.0, 0.0
        parts = [svg.text(track.title, 0, size, size, fill=theme.ink, font_weight="bold")]
        for i, said in enumerate(track.cells):
            wide = svg.breadth(said, size, i == track.at) + 14
            here = i == track.at
            fill = {"fill": theme.ink if here else theme.panel, "stroke": theme.ink}
            parts.append(svg.el("rect", x=x, y=size + 6, width=wide, height=size + 10, rx=3, **fill))
            weight: dict[str, svg.Value] = {"font_weight": "bold"} if here else {}
            ink = theme.panel if here else theme.ink
            parts.append(svg.text(said, x + wide / 2, 2 * size + 8, size, fill=ink, text_anchor="middle", **weight))
            x += wide
        return Token(max(x, svg.breadth(track.title, size, True)), 2 * size + 20, "".join(parts))

    def box(self, box: Box) -> Token:
        """A title and counters in a row; many of them in piles."""
        theme, size, scale = self.theme, 16.0, 1.35
        tiles = [[p] for p in box.pieces] if len(box.pieces) <= 4 else grouped(box.pieces)
        wide = max(len(tiles) * (TILE[0] + 5) * scale + 8, svg.breadth(box.title, size, True) + 12)
        rim = svg.el("rect", width=wide, height=64, rx=4, fill="none", stroke=theme.border)
        parts = [rim, svg.text(box.title, 6, size + 2, size, fill=theme.ink, font_weight="bold")]
        for i, pieces in enumerate(tiles):
            parts.append(svg.moved(self.tile(pieces), 6 + i * (TILE[0] + 5) * scale, 27, scale))
        return Token(wide, 64, "".join(parts))

    def _legend(self) -> list[Token]:
        theme, found = self.theme, []
        for terrain in terrains(self.game).values():
            box = svg.el("rect", width=28, height=20, rx=3, fill=terrain.colour(theme), stroke=theme.border)
            if terrain.mark:
                mark = svg.el("path", d=terrain.mark, fill="none", stroke=theme.ink, stroke_width=1.4, opacity=0.5)
                box += svg.moved(mark, 14, 11)
            found.append(self._entry(box, self.look.speak(Message(terrain.name))))
        for id, shape in self.style.signs.items():
            found.append(self._entry(svg.el("use", href=self.used.sign(id), fill=theme.ink), shape.name))
        shown = {piece.type for place in self.picture.spaces for piece in place.pieces}
        for id, shape in self.style.units.items():
            if id in shown:
                found.append(self._entry(svg.el("use", href=self.used.unit(id), fill=theme.ink), shape.name))
        own = self.style.words.get("reduced")
        trouble = self.tile([REDUCED if own else UNSUPPLIED])
        found.append(self._entry(svg.moved(trouble, 0, -1, 0.92), own or self.look.speak(msg("Reduced, out of supply"))))
        found += [*self._numbers(), *self._lines_entries()]
        if any(place.zones for place in self.picture.spaces):
            found += [self._zone_entry(number) for number in range(len(self.picture.parties))]
        found.append(
            self._entry(svg.moved(svg.el("path", d=BURST, fill=theme.alarm), 14, 11, 0.6), self.look.speak(msg("Battle")))
        )
        taken = svg.el("rect", x=2, y=2, width=24, height=17, fill="none", stroke="#ffd23f", stroke_width=4)
        found.append(self._entry(taken, self.look.speak(msg("Changed hands"))))
        return found

    def _numbers(self) -> list[Token]:
        """What the numbers on counters say, where the style puts it in words."""
        said = self.style.words.get("numbers", "")
        return [tokens.line(part, 16, self.theme) for part in said.split("; ") if part]

    def _lines_entries(self) -> list[Token]:
        """Roads and rivers, where the map tells them apart."""
        letters = {letter for cell in self.picture.map.cells for side in cell.sides for letter in side}
        found = []
        if "R" in letters and "route" in self.style.words:
            drawn = svg.el("g", route("M0 11H28", self.theme), fill="none")
            found.append(self._entry(drawn, self.style.words["route"]))
        for letter, line in (LINES | RIVERS).items():
            if letter in letters:
                drawn = svg.el("g", line.drawn("M0 11H28", self.theme), fill="none", stroke_linecap="round")
                found.append(self._entry(drawn, self.look.speak(Message(line.name))))
        return found

    def _zone_entry(self, number: int) -> Token:
        owner = self.style.owner(self.picture.parties[number].id)
        dash: dict[str, svg.Value] = {"stroke_dasharray": "9 6"} if number else {}
        rim: dict[str, svg.Value] = {"stroke": owner.colour, "stroke_width": 2.6}
        left = svg.el("rect", x=1, y=1, width=26, height=19, fill=f"url(#hzone{number})", **rim, **dash)
        return self._entry(left, self.look.speak(msg("Zone of {owner}, hatched: neutralised", owner=owner.name)))

    def _entry(self, drawn: str, name: str) -> Token:
        said = tokens.line(name, 16, self.theme)
        return Token(34 + said.width, 22, drawn + svg.moved(said.markup, 34, 2))


def grouped(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces of the same owner and group together, strongest first."""
    found: dict[tuple[str, str], list[Piece]] = {}
    for piece in pieces:
        found.setdefault((piece.owner, piece.group), []).append(piece)
    return [sorted(group, key=lambda p: -p.attack) for group in found.values()]


def _card(x: float, y: float, colour: str, theme: Theme) -> str:
    return svg.el("rect", x=x, y=y, width=TILE[0], height=TILE[1], rx=2.5, fill=colour, stroke=theme.ink, stroke_width=0.9)


def _short(name: str) -> str:
    return name.split("/")[0]


def _smooth(points: Sequence[tuple[float, float]]) -> str:
    """A line whose bends are rounded."""
    parts = [f"M{svg.number(points[0][0])} {svg.number(points[0][1])}"]
    for (x, y), (nx, ny) in pairwise(points[1:]):
        parts.append(f"Q{svg.number(x)} {svg.number(y)} {svg.number((x + nx) / 2)} {svg.number((y + ny) / 2)}")
    parts.append(f"L{svg.number(points[-1][0])} {svg.number(points[-1][1])}")
    return "".join(parts)
