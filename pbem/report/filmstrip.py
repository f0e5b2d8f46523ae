"""Many pictures that differ little, kept small: each is a list of pieces, most of them shared, and told as changes to the last.

Colours become numbers of a palette with a light and a dark value, so that one drawing serves both themes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from pbem.kernel.canon import Plain

PIECE = 1500  # characters: an element that is longer is cut into its children
_TAG = re.compile(r"<[^>]*>")
_COLOUR = re.compile(r'"(#[0-9a-f]{6})"')


@dataclass
class Palette:
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


@dataclass
class Filmstrip:
    """Pictures, one after the other. `pieces`: every piece once; `changes`: per picture [[at, how many go, what comes]]."""

    pieces: dict[str, int] = field(default_factory=dict)
    changes: list[Plain] = field(default_factory=list)
    _last: list[int] = field(default_factory=list)

    def add(self, markup: str) -> None:
        """The next picture."""
        now = [self.pieces.setdefault(piece, len(self.pieces)) for piece in cut(markup)]
        steps = SequenceMatcher(None, self._last, now, autojunk=False).get_opcodes()
        self.changes.append([[a, b - a, [*now[c:d]]] for kind, a, b, c, d in steps if kind != "equal"])
        self._last = now

    def repeat(self) -> None:
        """The same picture again."""
        self.changes.append([])


def cut(markup: str) -> Iterator[str]:
    """Pieces of markup: elements of at most PIECE characters whole, longer ones as tag, children, tag."""
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
            ends[opened.pop()] = number
        elif not tag[0].endswith("/>"):
            opened.append(number)
    return ends
