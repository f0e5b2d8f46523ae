"""What stands in a space: words, pills, badges and counters as tokens that flow into a panel like words into lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from pbem.kernel.picture import Badge, Stack
from pbem.report.maps import svg
from pbem.report.maps.style import Owner, Shape, Style
from pbem.report.maps.themes import Theme, ink_on

Drawn = TypeVar("Drawn")
GAP = 4.0
FIELD = (30.0, 22.0)  # of a silhouette
MOST_WORDS = 80  # that are drawn of one text
LONGEST, TALLEST = 3.5, 1.7  # what a panel's sides may be to each other
WIDENINGS = (1, 1.25, 1.5, 1.8, 2.2, 2.7, 3.3)
SIZES = (1.5, 1.3, 1.15, 1.0, 0.88)  # of tokens, the largest that fits is taken


class Token(Struct, frozen=True):
    """Markup drawn from (0, 0) to the right and down."""

    width: float
    height: float
    markup: str


BREAK = Token(0, 0, "")


class Panel(Struct, frozen=True):
    """Tokens at their places, (x, y) from the upper left corner."""

    width: float
    height: float
    tokens: tuple[tuple[float, float, Token], ...]

    def markup(self) -> str:
        """The tokens drawn."""
        return "".join(svg.moved(token.markup, x, y) for x, y, token in self.tokens)


def words(said: str, size: float, theme: Theme, *, bold: bool = False, colour: str = "", halo: bool = False) -> list[Token]:
    """One token for each word, each of them cut where it is long; with a halo where lines may run behind it."""
    style: dict[str, svg.Value] = {"fill": colour or theme.ink}
    if bold:
        style["font_weight"] = "bold"
    if halo:
        style |= {"stroke": theme.halo, "stroke_width": 3.5, "stroke_opacity": 0.7, "paint_order": "stroke"}
    return [
        Token(svg.breadth(word, size, bold), size * 1.06, svg.text(word, 0, size * 0.86, size, **style))
        for word in said.split()[:MOST_WORDS]
    ]


def line(said: str, size: float, theme: Theme, *, bold: bool = False, colour: str = "") -> Token:
    """Words that stay together."""
    weight = {"font_weight": "bold"} if bold else {}
    markup = svg.text(said, 0, size * 0.86, size, fill=colour or theme.ink, **weight)
    return Token(svg.breadth(said, size, bold), size * 1.06, markup)


def pill(said: str, owner: Owner, size: float, theme: Theme) -> Token:
    """An owner's colour with its letter, and a number."""
    width, height = svg.breadth(said, size, True) + 0.6 * size, size * 1.22
    ground = svg.el("rect", width=width, height=height, rx=size * 0.3, fill=owner.colour, stroke=theme.ink)
    middle = {"text_anchor": "middle", "font_weight": "bold", "stroke": "none"}
    return Token(width, height, ground + svg.text(said, width / 2, size * 0.97, size, fill=ink_on(owner.colour), **middle))


def counter(
    stack: Stack, shape: str, owner: Owner, theme: Theme, changes: bool, *, name: str = "", live: bool = False
) -> Token:
    """Silhouette and number on the owner's colour; bars for damage, the change in a corner. Who points at it reads `name`."""
    said = str(stack.count)
    width, height = 37 + svg.breadth(said, 23, True), 28.0
    ink = ink_on(owner.colour)
    dash: dict[str, svg.Value] = {} if stack.count else {"stroke_dasharray": "4 3", "opacity": 0.6}
    parts = [
        svg.el("rect", width=width, height=height, rx=4, fill=owner.colour, stroke=theme.ink, **dash),
        svg.el("use", href=shape, x=3, y=3, fill=ink),
        svg.text(said, width - 3, 22.5, 23, fill=ink, text_anchor="end", font_weight="bold"),
    ]
    if stack.damaged:
        hit = f"✕{stack.damaged}" if stack.damaged > 1 else "✕"
        parts.append(
            svg.text(
                hit, 4, 14, 15, fill=theme.alarm, font_weight="bold", stroke="#ffffff", stroke_width=3, paint_order="stroke"
            )
        )
    who: dict[str, svg.Value] = {"data_unit": stack.type} if live else {}
    token = Token(width, height, svg.el("g", svg.el("title", svg.plain(f"{stack.count} {name}")) + "".join(parts), **who))
    return _changed(token, stack.change, theme) if changes and stack.change else token


def _changed(token: Token, change: int, theme: Theme) -> Token:
    said = f"+{change}" if change > 0 else f"−{-change}"
    room = svg.breadth(said, 16, True) + 3
    mark = svg.text(said, token.width + 2, 15, 16, fill=theme.ink if change > 0 else theme.alarm, font_weight="bold")
    return Token(token.width + room, token.height, token.markup + mark)


def badge(given: Badge, shape: str, theme: Theme) -> Token:
    """A building; its damage in points."""
    parts = [
        svg.el("rect", width=32, height=25, rx=3, fill=theme.panel, stroke=theme.ink),
        svg.el("use", href=shape, x=1, y=1.5, fill=theme.ink),
    ]
    if not given.damage:
        return Token(32, 25, "".join(parts))
    said = f"−{given.damage}"
    parts.append(svg.text(said, 34, 20, 20, fill=theme.alarm, font_weight="bold"))
    return Token(36 + svg.breadth(said, 20, True), 25, "".join(parts))


def sign(shape: str, theme: Theme, size: float = 1) -> Token:
    """A symbol that is printed on the board."""
    return Token(24 * size, 20 * size, svg.moved(svg.el("use", href=shape, fill=theme.faint), -3 * size, -1, size))


def star(capital: bool, size: float, theme: Theme) -> Token:
    """A victory city; a capital has a ring."""
    path = "M0-10 2.9-3.2 10.3-2.6 4.7 2.2 6.4 9.4 0 5.6-6.4 9.4-4.7 2.2-10.3-2.6-2.9-3.2z"
    ring = svg.el("circle", r=13, fill="none", stroke=theme.ink, stroke_width=2) if capital else ""
    drawn = svg.el("path", d=path, fill="#ffd23f", stroke="#3d2f00", stroke_width=1.4) + ring
    return Token(
        28 * size, 28 * size if capital else 22 * size, svg.moved(drawn, 14 * size, (14 if capital else 11) * size, size)
    )


def stacks(
    given: Iterable[Stack], style: Style, shapes: Shapes, theme: Theme, *, home: str, changes: bool, live: bool = False
) -> list[Token]:
    """Counters, every owner's in lines of their own; the owner of the space needs no letter. `live`: they say what they are."""
    found: list[Token] = []
    last = ""
    for stack in given:
        if not stack.count and not changes:
            continue
        owner = style.owner(stack.owner)
        if stack.owner != last:
            found.append(BREAK)
            if stack.owner != home:
                found.append(pill(owner.letter, owner, 23, theme))
        name = style.unit(stack.type).name
        found.append(counter(stack, shapes.unit(stack.type), owner, theme, changes, name=name, live=live))
        last = stack.owner
    return found


def totals(given: Iterable[Stack], style: Style, theme: Theme) -> list[Token]:
    """For small pictures: how many units every owner has, nothing else."""
    counts: dict[str, int] = {}
    for stack in given:
        counts[stack.owner] = counts.get(stack.owner, 0) + stack.count
    return [pill(f"{style.owner(o).letter}{n}", style.owner(o), 46, theme) for o, n in counts.items() if n]


class Shapes:
    """The silhouettes that a drawing uses, each defined once, under an id that is the same in every drawing of the game."""

    def __init__(self, style: Style, prefix: str) -> None:
        self.style, self.prefix = style, prefix
        self.used: dict[str, Shape] = {}
        self._keys: dict[tuple[str, str], str] = {}

    def unit(self, id: str) -> str:
        """Reference to a unit type's silhouette."""
        return self._of("unit", self.style.units, id, self.style.unit(id))

    def badge(self, id: str) -> str:
        """Reference to a badge."""
        return self._of("badge", self.style.badges, id, self.style.badge(id))

    def sign(self, id: str) -> str:
        """Reference to a sign."""
        return self._of("sign", self.style.signs, id, self.style.sign(id))

    def _of(self, kind: str, shapes: Mapping[str, Shape], id: str, shape: Shape) -> str:
        if (kind, id) not in self._keys:
            number = list(shapes).index(id) if id in shapes else len(shapes)  # all unknown ones are the same dot
            self._keys[kind, id] = f"{self.prefix}{kind}{number}"
        key = self._keys[kind, id]
        self.used[key] = shape
        return f"#{key}"

    def noted(self, draw: Callable[[], Drawn]) -> tuple[Drawn, dict[str, Shape]]:
        """What is drawn, and the silhouettes that this alone uses."""
        before, self.used = self.used, {}
        try:
            return draw(), self.used
        finally:
            self.used = before

    def definitions(self) -> str:
        """What the references point to."""
        return "".join(svg.el("path", id=key, d=shape.path, fill_rule="evenodd") for key, shape in self.used.items())


def flow(tokens: Sequence[Token], width: float, *, centred: bool = True, gap: float = GAP) -> Panel:
    """Tokens in lines no wider than `width` if they can be."""
    rows: list[list[Token]] = [[]]
    taken = 0.0
    for token in tokens:
        if token is BREAK or (rows[-1] and taken + gap + token.width > width):
            rows.append([])
            taken = 0.0
        if token is not BREAK:
            taken += token.width + (gap if rows[-1] else 0)
            rows[-1].append(token)
    rows = [row for row in rows if row]
    broad = max((_breadth(row, gap) for row in rows), default=0.0)
    placed, y = [], 0.0
    for row in rows:
        high = max(token.height for token in row)
        x = (broad - _breadth(row, gap)) / 2 if centred else 0.0
        for token in row:
            placed.append((x, y + (high - token.height) / 2, token))
            x += token.width + gap
        y += high + 3
    return Panel(broad, max(0.0, y - 3), tuple(placed))


def _breadth(row: Sequence[Token], gap: float) -> float:
    return sum(token.width for token in row) + gap * (len(row) - 1)


def fit(tokens: Sequence[Token], width: float, height: float, largest: float) -> tuple[Panel, float]:
    """The panel with the largest tokens that fit into a box; if none does, the smallest, in the shape nearest to the box."""
    surface = sum(token.width * token.height for token in tokens)
    for size in SIZES:
        if size > largest or (surface * size * size > width * height and size > SIZES[-1]):
            continue
        panel = flow(tokens, width / size)
        if panel.width * size <= width and panel.height * size <= height:
            return panel, size
    size = SIZES[-1]
    panels = [flow(tokens, width * more / size) for more in WIDENINGS]
    return min(panels, key=lambda p: _excess(p, size, width, height)), size


def _excess(panel: Panel, size: float, width: float, height: float) -> float:
    """What hangs over the box; long and narrow panels count as larger than they are."""
    broad, tall = panel.width * size, panel.height * size
    wide, high = max(0.0, broad - width), max(0.0, tall - height)
    stretched = max(0.0, broad / tall - LONGEST, tall / broad - TALLEST) if broad and tall else 0.0
    return wide * max(height, tall) + high * max(width, broad) + stretched * broad * tall
