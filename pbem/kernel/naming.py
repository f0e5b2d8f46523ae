"""Names as players write them: the unit or hex that is meant, lists of them, numbers. Changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from pbem.kernel.canon import Plain
from pbem.kernel.orders import ambiguous, closest, did_you_mean, illegal, possible, unreadable
from pbem.kernel.wording import Message, msg, quoted

T = TypeVar("T", bound=Hashable)
SHOWN = 6  # readings of an ambiguous name that a refusal lists
MOST_KNOWN = 4096  # texts whose meaning is kept
SHORT = 60  # letters of a name whose words are kept
DIGITS = 18  # of a number that an order may hold
_WORD = re.compile(r"[a-z0-9]+")


def words_of(text: str) -> str:
    """A name for comparison: its words of letters and digits, in lower case."""
    return _short_words(text) if len(text) <= SHORT else " ".join(_WORD.findall(text.lower()))


@lru_cache(maxsize=10_000)
def _short_words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def hex_number(word: str) -> int:
    """The number of a hex, of three or four digits; 0 for any other word."""
    return int(word) if word.isdecimal() and len(word) in (3, 4) else 0


def read_number(body: Plain, least: int, most: int, rule: str) -> int:
    """A whole number in bounds. Raises Rejected."""
    if isinstance(body, str) and body.isdecimal() and len(body) <= DIGITS:
        body = int(body)
    if isinstance(body, bool) or not isinstance(body, int):
        raise unreadable(
            msg("a number is missing") if body is None else msg("{body} is no number", body=quoted(body)),
            msg("a number from {least} to {most}", least=least, most=most),
        )
    if not least <= body <= most:
        raise illegal(
            msg("{body} is outside {least} to {most}", body=body, least=least, most=most),
            rule,
            msg("{least} to {most}", least=least, most=most),
        )
    return body


def parts_of(body: Plain, is_name: Callable[[str], bool]) -> list[Plain]:
    """The parts of a list, or of a text with `,`, `;` or " and " between them; one plain value is a list of one.

    What is a name as it stands (`is_name`) is not cut at its "and". Raises Rejected without a body.
    """
    if body is None:
        raise unreadable(msg("names are missing"), msg("names with commas between them"))
    if not isinstance(body, str):
        return body if isinstance(body, list) else [body]
    found: list[Plain] = []
    for piece in re.split(r"[,;]", body):
        parts = [piece] if is_name(piece) else piece.split(" and ")
        found += [part.strip() for part in parts if part.strip()]
    return found


def _single(body: Plain) -> Plain:
    return body[0] if isinstance(body, list) and len(body) == 1 else body


def _begins(name: list[str], wanted: list[str]) -> bool:
    """Each word wanted begins a word of the name, in order; the last one may be the initials of what is left (`25th AF`)."""
    *before, last = wanted
    rest = name
    for part in before:
        at = next((n + 1 for n, word in enumerate(rest) if _is_start(part, word)), 0)
        if not at:
            return False
        rest = rest[at:]
    initials = last.isalpha() and last == "".join(word[0] for word in rest)
    return initials or any(_is_start(last, word) for word in rest)


def _is_start(part: str, word: str) -> bool:
    """A number begins no longer one: 1 is not 14th."""
    return word.startswith(part) and not (part.isdecimal() and word[len(part) : len(part) + 1].isdecimal())


UNITS = (msg("unit"), msg("units"))
HEXES = (msg("hex"), msg("hexes"))


class Index(Generic[T]):
    """Things of one kind by the names that players give them.

    A thing is found by its id, then by a whole name, then by words that are all in one of its names; at each step those
    of one's own side come first. `names` are all names of all things; `side` says whose a thing is, `title` how a refusal
    calls it. `first` reads the first word of a name that may go on, such as the number of a hex: "0722 Townsville".
    """

    def __init__(
        self,
        names: Iterable[tuple[str, T]],
        kinds: tuple[Message, Message] = UNITS,
        *,
        ids: Iterable[T] = (),
        title: Callable[[T], str] = str,
        side: Callable[[T], str] | None = None,
        first: Callable[[str], T | None] | None = None,
    ) -> None:
        self.kind, self.kinds = kinds
        self.title, self._side, self._first = title, side, first
        self._ids: dict[str, list[T]] = {}
        self._spelled: dict[str, str] = {}  # names as they are printed
        self._names: dict[str, list[T]] = {}
        for thing in ids:
            self._put(self._ids, str(thing), thing)
        for name, thing in names:
            self._put(self._names, name, thing)
        for key, things in self._ids.items():
            self._names[key] = list(dict.fromkeys([*self._names.get(key, ()), *things]))
        self._text_meant = lru_cache(MOST_KNOWN)(self._meant)
        self._words = [(frozenset(key.split()), things) for key, things in self._names.items()]
        self._words_of: dict[T, list[frozenset[str]]] = {}
        for words, things in self._words:
            for thing in things:
                self._words_of.setdefault(thing, []).append(words)

    def _put(self, table: dict[str, list[T]], name: str, thing: T) -> None:
        self._spelled.setdefault(words_of(name), name)
        things = table.setdefault(words_of(name), [])
        if thing not in things:
            things.append(thing)

    def one(self, text: Plain, own: str = "") -> T:
        """The one thing that is meant. Raises Rejected."""
        return self._text_meant(text, own) if isinstance(text, str) else self._meant(text, own)

    def _meant(self, text: Plain, own: str) -> T:
        wanted = words_of(self._written(text))
        if self._first is not None and (found := self._first(wanted.partition(" ")[0])) is not None:
            return found
        mine: list[T] = []
        for step in self._steps(wanted):
            mine = [thing for thing in step if self._is_own(thing, own)] or step
            if len(mine) == 1:
                return mine[0]
        if mine:
            meant = sorted(mine, key=str)[:SHOWN]
            raise ambiguous(
                msg("{text} is the name of several {kinds}", text=quoted(text), kinds=self.kinds),
                [self.title(thing) for thing in meant],
            )
        nothing = msg("there is no {kind} {text}", kind=self.kind, text=quoted(text))
        near = dict.fromkeys(map(self._shown, closest(wanted, list(self._names))))
        raise unreadable(nothing, did_you_mean([*near]))

    def _shown(self, key: str) -> str:
        """A name as it is printed; of a thing that is called by its id, its title."""
        return self.title(self._ids[key][0]) if key in self._ids else self._spelled[key]

    def one_among(self, text: Plain, choices: Iterable[T], own: str = "") -> T:
        """The only one of some choices that can be meant, else whatever is meant. Raises Rejected."""
        text, choices = _single(text), [*choices]
        if text is None:
            raise unreadable(msg("no {kind} is named", kind=self.kind), possible([self.title(thing) for thing in choices]))
        number = isinstance(text, int) and text >= 0
        tokens = frozenset(words_of(str(text)).split() if number or isinstance(text, str) else ())
        near = [thing for thing in choices if tokens and self._fits(tokens, thing)]
        return near[0] if len(near) == 1 else self.one(text, own)

    def begun(self, text: str, own: str = "") -> T | None:
        """The one thing whose name has words that begin with these, in this order (`14 army`, `kwaj`), or these initials.

        None where there is none. Raises Rejected where there are several.
        """
        wanted = words_of(text).split()
        if not wanted or sum(map(len, wanted)) < 2:
            return None
        fits = [thing for key, things in self._names.items() if _begins(key.split(), wanted) for thing in things]
        found = list(dict.fromkeys(fits))
        mine = [thing for thing in found if self._is_own(thing, own)] or found
        if len(mine) > 1:
            meant = sorted(mine, key=str)[:SHOWN]
            raise ambiguous(
                msg("{text} is the name of several {kinds}", text=quoted(text), kinds=self.kinds),
                [self.title(thing) for thing in meant],
            )
        return mine[0] if mine else None

    def knows(self, text: str) -> bool:
        """Whether something is called so, or several things."""
        wanted = words_of(text)
        first = self._first is not None and self._first(wanted.partition(" ")[0]) is not None
        return first or any(self._steps(wanted))

    def is_name(self, text: str) -> bool:
        """Whether a text is a whole name."""
        return words_of(text) in self._names

    def many(self, body: Plain, rule: str, own: str = "", *, least: int = 1) -> list[T]:
        """Several things, none twice. Raises Rejected."""
        parts = parts_of(body, self.is_name)
        if len(parts) < least:
            raise unreadable(msg("{body} names no {kinds}", body=quoted(body), kinds=self.kinds))
        found = [self.one(part, own) for part in parts]
        for i, thing in enumerate(found):
            if thing in found[:i]:
                raise illegal(msg("{title} is named twice", title=self.title(thing)), rule)
        return found

    def along(self, body: Plain) -> list[T]:
        """The things on a way: a list, or a text with commas between them; what is no whole name is cut at its blanks too."""
        if isinstance(body, str):
            pieces = [[piece] if self.is_name(piece) else piece.split() for piece in re.split(r"[,;]", body)]
            return [self.one(part) for parts in pieces for part in parts]
        parts = body if isinstance(body, list) else [] if body is None else [body]
        return [self.one(part) for part in parts if part != ""]

    def _written(self, body: Plain) -> str:
        text = _single(body)
        if isinstance(text, int) and not isinstance(text, bool) and text >= 0 and self._first is not None:
            return f"{text:04}"
        if text is None:
            raise unreadable(msg("no {kind} is named", kind=self.kind))
        if not isinstance(text, str):
            raise unreadable(msg("{body} is no {kind}", body=quoted(body), kind=self.kind))
        return text

    def _steps(self, wanted: str) -> Iterator[list[T]]:
        """What an id, a whole name, and some words of a name can mean; each is looked for when it is wanted."""
        yield self._ids.get(wanted, [])
        yield self._names.get(wanted, [])
        tokens = frozenset(wanted.split())
        yield list(dict.fromkeys(t for words, things in self._words if tokens and tokens <= words for t in things))

    def _fits(self, tokens: frozenset[str], thing: T) -> bool:
        return any(tokens <= words for words in self._words_of.get(thing) or [frozenset(words_of(str(thing)).split())])

    def _is_own(self, thing: T, own: str) -> bool:
        return bool(own) and self._side is not None and self._side(thing) == own


def hex_index(
    hexes: Iterable[tuple[int, str, str]], title: Callable[[int], str], first: Callable[[str], int | None]
) -> Index[int]:
    """The hexes of a map by printed number and name: of several with one name the first has it, the others it and a number."""
    names: dict[str, tuple[str, int]] = {}
    for place, label, name in hexes:
        names[words_of(label)] = (label, place)
        if name:
            names.setdefault(words_of(name), (name, place))
            names.setdefault(words_of(f"{name} {label}"), (f"{name} {label}", place))
    return Index(names.values(), HEXES, title=title, first=first)
