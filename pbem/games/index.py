"""The rules index of a game: what each rule says, its place in the book and in the code, its cases, its rulings; the cards.

It reads `sections.yaml`, `rulings.yaml` and `cards.yaml` beside the game's code, each when it is first asked for.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

_NUMBER = re.compile(r"(1e-)?(\d+(?:\.\d+)+)")
_LETTER = re.compile(r"(\S+) [A-Z]\d?")  # a paragraph within a section: 9.2 F5
_RANGE = re.compile(r"(\S+?)\.\.(\S+)")  # GC-05..09, GC-05..GC-09

_ENDING = re.compile(r"(?<=...)(?:ing|ed|es|e|s)$")  # of a word that is looked for

T = TypeVar("T")


class Entry(Struct, frozen=True):
    """A rule. `at`: its place in the book (chapter, page, step); `where`: module.function of what carries it out."""

    id: str
    title: str
    at: Mapping[str, str | int]
    says: str
    status: str  # implemented, not applicable
    why: str = ""  # it does not apply
    where: Sequence[str] = ()
    cases: Sequence[str] = ()


class Ruling(Struct, frozen=True):
    """A decision where the book is silent or says two things. `rules`: those that it is about."""

    id: str
    decision: str
    source: str
    rules: Sequence[str] = ()


class Card(Struct, frozen=True):
    """A card. `differs`: what is otherwise in an edition."""

    id: str
    name: str
    type: str
    values: str
    says: str
    when: str
    section: str
    kind: str = ""
    differs: Mapping[str, str] = field(default_factory=dict)


class RuleIndex:
    """The rules of one game by id, by words, by the card. Without a folder it is empty."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._english: RuleIndex | None = None  # what this one is a translation of
        self._spoken: Callable[[str], str] = str  # how an English text is said to the reader

    def said(self, spoken: Callable[[str], str]) -> RuleIndex:
        """The same index in a reader's words, which finds words in both languages. `spoken`: each text in his language."""
        other = RuleIndex(self.folder)
        other._english, other._spoken = self, spoken
        return other

    # -- rules

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Every row, in the order of the book."""
        if self._english:
            return {id: _entry_said(entry, self._spoken) for id, entry in self._english.entries.items()}
        rows: Mapping[str, Mapping[str, Any]] = self._sections.get("sections", {})
        return {id: Entry(id, **row) for id, row in rows.items()}

    @property
    def note(self) -> str:
        """What a reader should know about the ids."""
        return self._spoken(str(self._sections.get("note", "")))

    def entry(self, id: str, edition: str = "") -> Entry | None:
        """A rule as a player of an edition names it."""
        letter = _LETTER.fullmatch(id)
        names = [n for name in ((id, letter[1]) if letter else (id,)) for n in self._names(name, edition)]
        return next((self.entries[n] for n in names if n in self.entries), None)

    def children(self, id: str, edition: str = "") -> list[Entry]:
        """What stands below a section, in a chapter (`POL`, `6.0`) or in a range (`GC-05..09`)."""
        for name in self._names(id, edition):
            ends = _RANGE.fullmatch(name)
            found = self._between(ends[1], ends[2]) if ends else self._below(name)
            if found:
                return found
        return []

    def _names(self, id: str, edition: str) -> list[str]:
        """What an id may be called in the index: an edition with numbers of its own has no others; else those of all."""
        own = self._prefixes.get(edition)
        if own is None:
            return [id, *(prefix + id for prefix in self._prefixes.values())]
        return [id] if id.startswith(own) else [own + id]

    def search(self, words: str, edition: str = "") -> list[Entry]:
        """The rules that have most of the words, those of the edition and those with the words in their title first."""
        own = self._prefixes.get(edition, "")
        others = tuple(p for p in self._prefixes.values() if p != own)
        found = _having(self.entries.values(), words, self._words_of)
        return sorted(found, key=lambda e: not e.id.startswith(own) or e.id.startswith(others))

    def _words_of(self, entry: Entry) -> tuple[str, str]:
        known = (entry, self._english.entries[entry.id]) if self._english else (entry,)
        return (
            " ".join(e.title for e in known),
            " ".join(f"{e.id} {e.says} {e.why} {e.at.get('chapter', '')}" for e in known),
        )

    def label(self, rule: str, edition: str = "") -> str:
        """An id with the title of the rule: `GC-14 Submarines and aircraft`."""
        found = self.entry(rule, edition)
        return f"{rule} {found.title}" if found else rule

    def knows(self, id: str, edition: str = "") -> bool:
        """It is a rule, a ruling or a card, or stands over some rules."""
        return self.entry(id, edition) is not None or id in self.rulings or id in self.cards or bool(self.children(id, edition))

    def _between(self, first: str, last: str) -> list[Entry]:
        ids = list(self.entries)
        end = last if last in self.entries else first[: len(first) - len(last)] + last
        return [self.entries[i] for i in ids[ids.index(first) : ids.index(end) + 1]] if {first, end} <= {*ids} else []

    def _below(self, id: str) -> list[Entry]:
        below = [i for i in self.entries if self._is_below(i, id)]
        return [self.entries[i] for i in below if not any(self._is_below(i, other) for other in below)]

    def _is_below(self, id: str, over: str) -> bool:
        if id == over or not _NUMBER.fullmatch(over):
            return id.startswith(f"{over}-")
        if over.endswith(".0"):
            return id.startswith(over.removesuffix("0"))
        return id.startswith(over + "." if self._dotted else over)

    @cached_property
    def _dotted(self) -> bool:
        """Sections below 4.1 are 4.1.1 and so on; else they are 4.11 and so on."""
        return any(i.count(".") > 1 for i in self.entries)

    @property
    def _prefixes(self) -> Mapping[str, str]:
        """Edition -> what stands before its numbers in the index."""
        found: Mapping[str, str] = self._sections.get("editions", {})
        return found

    # -- rulings

    @cached_property
    def rulings(self) -> Mapping[str, Ruling]:
        """Every decision by its id."""
        if self._english:
            return {
                r.id: replace(r, decision=self._spoken(r.decision), source=self._spoken(r.source))
                for r in self._english.rulings.values()
            }
        rows: Mapping[str, Mapping[str, Any]] = self._read("rulings.yaml").get("rulings", {})
        return {id: Ruling(id, **row) for id, row in rows.items()}

    def rulings_on(self, id: str) -> list[Ruling]:
        """The decisions about a rule."""
        return [r for r in self.rulings.values() if id in r.rules]

    # -- cards

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """Every card by its id."""
        if self._english:
            return {id: _card_said(card, self._spoken) for id, card in self._english.cards.items()}
        read = self._read("cards.yaml")
        return {id: Card(id, **{**read["types"][row["type"]], **row}) for id, row in read.get("cards", {}).items()}

    def search_cards(self, words: str) -> list[Card]:
        """The cards that have most of the words, those with the words in their name first."""
        return _having(self.cards.values(), words, self._words_on)

    def _words_on(self, card: Card) -> tuple[str, str]:
        known = (card, self._english.cards[card.id]) if self._english else (card,)
        return " ".join(c.name for c in known), " ".join(f"{c.id} {c.type} {c.kind} {c.says}" for c in known)

    # -- files

    def place(self, where: str) -> tuple[Path, int]:
        """The file and line of `module.function`. Raises LookupError."""
        if self.folder is None:
            raise LookupError(where)
        *module, name = where.split(".")
        path = self.folder.joinpath(*module).with_suffix(".py")
        lines = _definitions(path) if path.is_file() else {}
        if name not in lines:
            raise LookupError(where)
        return path, lines[name]

    @cached_property
    def _sections(self) -> Mapping[str, Any]:
        return self._read("sections.yaml")

    def _read(self, name: str) -> Mapping[str, Any]:
        path = self.folder / name if self.folder else None
        if path is None or not path.is_file():
            return {}
        found: Mapping[str, Any] = _load(path)
        return found


def _entry_said(entry: Entry, spoken: Callable[[str], str]) -> Entry:
    at = {name: spoken(place) if isinstance(place, str) else place for name, place in entry.at.items()}
    return replace(entry, title=spoken(entry.title), at=at, says=spoken(entry.says), why=spoken(entry.why))


def _card_said(card: Card, spoken: Callable[[str], str]) -> Card:
    return replace(
        card,
        name=spoken(card.name),
        type=spoken(card.type),
        kind=spoken(card.kind),
        values=spoken(card.values),
        says=spoken(card.says),
        when=spoken(card.when),
        differs={edition: spoken(text) for edition, text in card.differs.items()},
    )


def _load(path: Path) -> Any:
    import yaml

    fast = "CSafeLoader" if yaml.__with_libyaml__ else "SafeLoader"
    return yaml.load(path.read_text("utf-8"), Loader=vars(yaml)[fast])


@cache
def _definitions(path: Path) -> Mapping[str, int]:
    """The line of each function and class of a file; of two with one name, that of the first."""
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    found = [(n.name, n.lineno) for n in tree if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    return dict(reversed(found))


def _having(known: Iterable[T], words: str, texts: Callable[[T], tuple[str, str]]) -> list[T]:
    """Those whose title or text has most of the words, whatever their endings; the more in the title, the earlier."""
    wanted = [_ENDING.sub("", w) for w in words.casefold().split()]
    found: list[tuple[int, int, T]] = []
    for one in known:
        title, text = (t.casefold() for t in texts(one))
        found.append((sum(w in title or w in text for w in wanted), -sum(w in title for w in wanted), one))
    most = max((hits for hits, _, _ in found), default=0)
    return [one for hits, _, one in sorted(found, key=lambda row: row[1]) if hits == most] if most else []


@cache
def index_beside(game: type) -> RuleIndex:
    """The index that lies beside a class, read once; an empty one where there is none."""
    file = getattr(sys.modules[game.__module__], "__file__", None)
    folder = Path(file).parent if file else None
    return RuleIndex(folder if folder and (folder / "sections.yaml").is_file() else None)
