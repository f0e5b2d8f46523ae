"""Many pictures that differ little, kept small: each is a list of pieces, most of them shared, and told as changes to the last.

Colours become numbers of a palette with a light and a dark value, so that one drawing serves both themes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct, field

from pbem.kernel.canon import Plain

PIECE = 1500  # characters: an element that is longer is cut into its children
_TAG = re.compile(r"<[^>]*>")
_COLOUR = re.compile(r'"(#[0-9a-f]{6})"')


class Palette(Struct):
    """Colours of the light drawings with their dark counterparts, in the order in which they came up."""

    dark: dict[str, str] = field(default_factory=dict)

    def learn(self, light: str, darken: Callable[[], str]) -> None:
        """Look at a drawing; only when it has new colours is it drawn in the dark theme, to compare."""
        colours = _COLOUR.findall(light)
        if all(colour in self.dark for colour in colours):
            return
        others = _COLOUR.findall(darken())
        same = len(others) == len(colours)
        for number, colour in enumerate(colours):
            self.dark.setdefault(colour, others[number] if same else colour)

    def numbered(self, light: str) -> str:
        """The drawing with CSS variables for colours."""
        numbers = {colour: number for number, colour in enumerate(self.dark)}
        return _COLOUR.sub(lambda found: f'"var(--m{numbers[found[1]]})"', light)

    def css(self, *, dark: bool) -> str:
        """Declarations of the variables."""
        return "".join(f"--m{n}:{to if dark else colour};" for n, (colour, to) in enumerate(self.dark.items()))

    def sheet(self) -> str:
        """A style sheet of them: dark on a dark screen, light elsewhere and on paper."""
        dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{self.css(dark=True)}}}}}"
        return f":root{{{self.css(dark=False)}}}{dark}"


class Filmstrip(Struct):
    """Pictures, one after the other. `pieces`: every piece once; `changes`: per picture [[at, how many go, what comes]]."""

    pieces: dict[str, int] = field(default_factory=dict)
    changes: list[Plain] = field(default_factory=list)
    _cut: dict[str, list[int]] = field(default_factory=dict)  # the parts of the last picture, and the pieces of each
    _last: list[int] = field(default_factory=list)

    def fresh(self, parts: Sequence[str]) -> list[int]:
        """Which of the parts of a picture the last one did not have."""
        return [n for n, part in enumerate(parts) if part not in self._cut]

    def add(self, parts: Sequence[str], finish: Callable[[str], str] = str) -> None:
        """The next picture, in parts of any size; `finish` is done to those that are new before they are kept."""
        self._cut = {part: self._cut[part] if part in self._cut else self._numbers(finish(part)) for part in parts}
        now = [number for part in parts for number in self._cut[part]]
        self.changes.append([*_changes(self._last, now)])
        self._last = now

    def _numbers(self, markup: str) -> list[int]:
        return [self.pieces.setdefault(piece, len(self.pieces)) for piece in cut(markup)]

    def repeat(self) -> None:
        """The same picture again."""
        self.changes.append([])


def _changes(last: Sequence[int], now: Sequence[int]) -> Iterator[Plain]:
    """What goes and what comes, place by place; equal ends are left out of the comparison, which grows with the square."""
    start = next((n for n, (one, other) in enumerate(zip(last, now, strict=False)) if one != other), min(len(last), len(now)))
    rest = range(min(len(last), len(now)) - start)
    end = next((n for n in rest if last[-1 - n] != now[-1 - n]), len(rest))
    one, other = last[start : len(last) - end], now[start : len(now) - end]
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind != "equal":
            yield [start + a, b - a, [*other[c:d]]]


def cut(markup: str) -> Iterator[str]:
    """Pieces of markup: elements of at most PIECE characters whole, longer ones as tag, children, tag. They need not be closed
    or opened in it.
    """
    tags = list(_TAG.finditer(markup))
    ends = _ends(tags)
    at, number = 0, 0
    while number < len(tags):
        tag = tags[number]
        if tag.start() > at:
            yield markup[at : tag.start()]
        last = ends.get(number, number)
        if tags[last].end() - tag.start() > PIECE:
            last = number
        yield markup[tag.start() : tags[last].end()]
        at, number = tags[last].end(), last + 1
    if at < len(markup):
        yield markup[at:]


def _ends(tags: list[re.Match[str]]) -> dict[int, int]:
    """For every opening tag the number of its closing tag."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for number, tag in enumerate(tags):
        if tag[0].startswith("</"):
            if opened:
                ends[opened.pop()] = number
        elif not tag[0].endswith("/>"):
            opened.append(number)
    return ends
