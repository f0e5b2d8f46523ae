"""What stands beside a hex map: title, parties, tracks, boxes, legend, and with a section what is in its stacks."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.hex_picture import Box, Piece, Track
from pbem.kernel.wording import Message, linked, msg
from pbem.report.maps import svg, tokens
from pbem.report.maps.hex_counters import REDUCED, TILE, UNSUPPLIED, Counters, grouped
from pbem.report.maps.hex_land import LINES, RIVERS, route, terrains
from pbem.report.maps.hex_marks import CONQUERED
from pbem.report.maps.hex_roster import roster
from pbem.report.maps.hex_sheet import BURST, Sheet
from pbem.report.maps.style import Speak
from pbem.report.maps.tokens import BREAK, Panel, Token

ROSTERS = 6  # stacks that are listed beside a section


class Beside:
    """What stands around one map."""

    def __init__(self, sheet: Sheet, counters: Counters) -> None:
        self.sheet, self.counters = sheet, counters

    def heading(self, title: str) -> Panel:
        """The title, and below it the parties with their facts."""
        found = [*tokens.words(title, 26 if self.sheet.centre else 30, self.sheet.theme, bold=True)]
        if not self.sheet.centre:
            found.append(BREAK)
            for party in self.sheet.picture.parties:
                owner = self.sheet.style.owner(party.id)
                mark = tokens.pill(owner.letter, owner, 20, self.sheet.theme)
                facts = self.sheet.look.speak(linked(": ", owner.name, party.facts))
                said = tokens.line(f"{facts}   ", 19, self.sheet.theme)
                both = mark.markup + svg.moved(said.markup, mark.width + 6, 2)
                if len(facts) + 3 <= svg.LONGEST and mark.width + 6 + said.width <= self._room():
                    found.append(Token(mark.width + 6 + said.width, mark.height, both))
                else:
                    found += [BREAK, mark, *tokens.words(facts, 19, self.sheet.theme), BREAK]
            found += self._spread(self.sheet.look.speak(self.sheet.picture.facts), 19)
        return tokens.flow(found, self._room(), centred=False, gap=8)

    def _spread(self, said: str, size: float) -> list[Token]:
        """A line, or its words where it is wider than the picture or would be cut."""
        line = tokens.line(said, size, self.sheet.theme)
        return [line] if len(said) <= svg.LONGEST and line.width <= self._room() else tokens.words(said, size, self.sheet.theme)

    def _room(self) -> float:
        return (self.sheet.width - 24) / self.sheet.large

    def beside(self) -> Panel:
        """Tracks, boxes and the legend; with a part of the board what stands in its stacks."""
        if self.sheet.centre:
            return tokens.flow([*self._rosters(), BREAK, *self._numbers()], self._room(), centred=False, gap=12)
        tracks, boxes = self.sheet.picture.tracks, [self.box(box) for box in self.sheet.picture.boxes]
        if self.sheet.narrow:
            told = [word for track in tracks for word in (BREAK, *self._spread(self._standing(track), 16))]
            return tokens.flow([*told, BREAK, *boxes], self._room(), centred=False, gap=6)
        found = [*map(self.track, tracks), BREAK, *boxes, BREAK, *self._legend()]
        return tokens.flow(found, self._room(), centred=False, gap=22)

    def _rosters(self) -> list[Token]:
        """What stands in the chosen hex and in the piles around it, the nearest first."""
        found = []
        for h in sorted(self.sheet.shown, key=lambda h: (self.sheet.at.grid.distance(h, self.sheet.centre), h)):
            place, cell = self.sheet.places.get(h), self.sheet.at.cells[h]
            if place and place.pieces and (h == self.sheet.centre or self._piled(h, place.pieces)):
                title = " ".join((cell.number, cell.name.split("/")[0])).strip()
                found.append(roster(title, place.pieces, self.counters.tile, self._room(), self.sheet.theme))
        return found[:ROSTERS]

    def _piled(self, h: int, pieces: Sequence[Piece]) -> bool:
        return len(self.counters.grid(h, pieces).tiles) < len(pieces)

    def track(self, track: Track) -> Token:
        """A title and boxes in rows, the one with the marker filled."""
        theme, size, x, y, broad = self.sheet.theme, 16.0, 0.0, 0.0, 0.0
        speak = self.sheet.look.speak
        title = speak(track.title)
        parts = [svg.text(title, 0, size, size, fill=theme.ink, font_weight="bold")]
        for i, said in enumerate(map(speak, track.cells)):
            wide = svg.breadth(said, size, i == track.at) + 14
            if x and x + wide > self._room():
                x, y = 0.0, y + size + 10
            here = i == track.at
            fill = {"fill": theme.ink if here else theme.panel, "stroke": theme.ink}
            parts.append(svg.el("rect", x=x, y=y + size + 6, width=wide, height=size + 10, rx=3, **fill))
            weight: dict[str, svg.Value] = {"font_weight": "bold"} if here else {}
            ink = theme.panel if here else theme.ink
            parts.append(svg.text(said, x + wide / 2, y + 2 * size + 8, size, fill=ink, text_anchor="middle", **weight))
            x += wide
            broad = max(broad, x)
        return Token(max(broad, svg.breadth(title, size, True)), y + 2 * size + 20, "".join(parts))

    def box(self, box: Box) -> Token:
        """A title and counters in a row; many of them in piles."""
        theme, size, scale, named = self.sheet.theme, 16.0, 1.35, self.sheet.look.speak(box.title)
        tiles = [[p] for p in box.pieces] if len(box.pieces) <= 4 else grouped(box.pieces)
        step, title = (TILE[0] + 5) * scale, svg.breadth(named, size, True) + 12
        columns = max(1, min(len(tiles), int((self._room() - 8) // step)))
        wide, high = max(columns * step + 8, title), 28 + 36 * -(-len(tiles) // columns)
        rim = svg.el("rect", width=wide, height=high, rx=4, fill="none", stroke=theme.border)
        parts = [rim, svg.text(named, 6, size + 2, size, fill=theme.ink, font_weight="bold")]
        for i, pieces in enumerate(tiles):
            row, column = divmod(i, columns)
            parts.append(self.counters.placed(pieces, 6 + column * step, 27 + row * 36, scale))
        return Token(wide, high, "".join(parts))

    def _legend(self) -> list[Token]:
        theme, found = self.sheet.theme, []
        for terrain in terrains(self.sheet.game).values():
            box = svg.el("rect", width=28, height=20, rx=3, fill=terrain.colour(theme), stroke=theme.border)
            if terrain.mark:
                mark = svg.el("path", d=terrain.mark, fill="none", stroke=theme.ink, stroke_width=1.4, stroke_opacity=0.5)
                box += svg.moved(mark, 14, 11)
            found.append(self._entry(box, self.sheet.look.speak(Message(terrain.name))))
        for id, shape in self.sheet.style.signs.items():
            found.append(self._entry(svg.el("use", href=self.sheet.used.sign(id), fill=theme.ink), shape.name))
        shown = {piece.type for place in self.sheet.picture.spaces for piece in place.pieces}
        for id, shape in self.sheet.style.units.items():
            if id in shown:
                found.append(self._entry(svg.el("use", href=self.sheet.used.unit(id), fill=theme.ink), shape.name))
        own = self.sheet.style.words.get("reduced")
        trouble = self.counters.tile([REDUCED if own else UNSUPPLIED])
        found.append(self._entry(svg.moved(trouble, 0, -1, 0.92), own or self.sheet.look.speak(msg("Reduced, out of supply"))))
        found += [*self._numbers(), *self._lines_entries()]
        if any(place.zones for place in self.sheet.picture.spaces):
            found += [self._zone_entry(number) for number in range(len(self.sheet.picture.parties))]
        found.append(
            self._entry(svg.moved(svg.el("path", d=BURST, fill=theme.alarm), 14, 11, 0.6), self.sheet.look.speak(msg("Battle")))
        )
        taken = svg.el("rect", x=2, y=2, width=24, height=17, fill="none", stroke=CONQUERED, stroke_width=4)
        found.append(self._entry(taken, self.sheet.look.speak(msg("Changed hands"))))
        return found

    def _numbers(self) -> list[Token]:
        """What the numbers on counters say, where the style puts it in words."""
        said = self.sheet.style.words.get("numbers", "")
        return [word for part in said.split("; ") if part for word in self._spread(part, 16)]

    def _lines_entries(self) -> list[Token]:
        """Roads and rivers, where the map tells them apart."""
        letters = {letter for cell in self.sheet.picture.map.cells for side in cell.sides for letter in side}
        found = []
        if "R" in letters and "route" in self.sheet.style.words:
            drawn = svg.el("g", route("M0 11H28", self.sheet.theme), fill="none")
            found.append(self._entry(drawn, self.sheet.style.words["route"]))
        for letter, line in (LINES | RIVERS).items():
            if letter in letters:
                drawn = svg.el("g", line.drawn("M0 11H28", self.sheet.theme), fill="none", stroke_linecap="round")
                found.append(self._entry(drawn, self.sheet.look.speak(Message(line.name))))
        return found

    def _zone_entry(self, number: int) -> Token:
        owner = self.sheet.style.owner(self.sheet.picture.parties[number].id)
        dash: dict[str, svg.Value] = {"stroke_dasharray": "9 6"} if number else {}
        rim: dict[str, svg.Value] = {"stroke": owner.colour, "stroke_width": 2.6}
        left = svg.el("rect", x=1, y=1, width=26, height=19, fill=f"url(#{self.sheet.pattern(number)})", **rim, **dash)
        return self._entry(left, self.sheet.look.speak(msg("Zone of {owner}, hatched: neutralised", owner=owner.name)))

    def _entry(self, drawn: str, name: str) -> Token:
        said = tokens.line(name, 16, self.sheet.theme)
        return Token(34 + said.width, 22, drawn + svg.moved(said.markup, 34, 2))

    def _standing(self, track: Track) -> str:
        """A track in a line."""
        return standing(track, self.sheet.look.speak)


def standing(track: Track, speak: Speak) -> str:
    """A track in a line."""
    return f"{speak(track.title)}: {speak(track.cells[track.at]) if track.at >= 0 else '-'}"
