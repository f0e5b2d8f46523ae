"""Breaks as they are written, and the source that each of them makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import yaml

from pbem.games.index import RuleIndex

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
GAMES = ("axis_and_allies_pacific", "empire_of_the_sun", "next_war", "pacific_war")


class Unusable(Exception):
    """A break that cannot be applied: its place is gone, its old text is not there once, it makes no Python."""


@dataclass(frozen=True, slots=True)
class Break:
    """One edit that makes a rule wrong, and the cases of which one has to fail; `crash`: why it can only fell the program."""

    game: str
    rule: str
    number: int
    place: str
    old: str
    new: str
    cases: tuple[str, ...]
    crash: str = ""

    @property
    def name(self) -> str:
        return f"{self.rule}#{self.number}"

    @property
    def module(self) -> str:
        """The module in full; `place` is that of the game, with a function or class behind it or not."""
        return f"pbem.games.{self.game}.{self._parted()[0]}"

    @property
    def path(self) -> Path:
        return _file(self.game, self._parted()[0])

    def source(self) -> str:
        """The module's text with the edit in it. Raises Unusable."""
        module, inner = self._parted()
        return edited(_file(self.game, module).read_text("utf-8"), inner, self.place, self.old, self.new)

    def _parted(self) -> tuple[str, str]:
        return parted(f"games.{self.game}", self.place)


def _file(game: str, module: str) -> Path:
    return file_of(f"games.{game}", module)


def file_of(package: str, module: str) -> Path:
    """The file of a module of `pbem.PACKAGE`; of pbem itself where no package is named."""
    return ROOT / "pbem" / Path(*package.split("."), *module.split(".")).with_suffix(".py")


def parted(package: str, place: str) -> tuple[str, str]:
    """The module of `pbem.PACKAGE` and what is meant in it (nothing: the module itself). Raises Unusable."""
    parts = place.split(".")
    for n in range(len(parts), 0, -1):
        if file_of(package, ".".join(parts[:n])).is_file():
            return ".".join(parts[:n]), ".".join(parts[n:])
    raise Unusable(f"{place}: no such module")


def edited(text: str, inner: str, place: str, old: str, new: str) -> str:
    """A module's text with an edit in one of its functions or classes. Raises Unusable."""
    begin, end = _extent(text, inner, place)
    part = text[begin:end]
    if part.count(old) != 1:
        raise Unusable(f"{place}: {old!r} stands there {part.count(old)} times")
    changed = part.replace(old, new)
    try:
        meaning = _meaning(changed)
    except SyntaxError as error:
        raise Unusable(f"{place}: {new!r} makes no Python: {error.msg}") from None
    if meaning == _meaning(part):
        raise Unusable(f"{place}: {new!r} changes nothing")
    return text[:begin] + changed + text[end:]


def _meaning(part: str) -> str:
    """What a whole function, class or module says, wherever it stands and however it is laid out. Raises SyntaxError."""
    return ast.dump(ast.parse(f"if True:\n{part}" if part.startswith((" ", "\t")) else part))


def _extent(text: str, inner: str, place: str) -> tuple[int, int]:
    """Where a function or class (`Hits.read`) begins and ends, its decorators too."""
    if not inner:
        return 0, len(text)
    body: Sequence[ast.stmt] = _statements(text)
    found: ast.stmt | None = None
    for name in inner.split("."):
        named = [n for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == name]
        if not named:
            raise Unusable(f"{place}: nothing of this name")
        found, body = named[0], named[0].body
    assert isinstance(found, ast.FunctionDef | ast.ClassDef) and found.end_lineno
    lines = text.splitlines(keepends=True)
    first = min([found.lineno, *(d.lineno for d in found.decorator_list)])
    return sum(map(len, lines[: first - 1])), sum(map(len, lines[: found.end_lineno]))


@lru_cache(maxsize=64)
def _statements(text: str) -> Sequence[ast.stmt]:
    return ast.parse(text).body


@cache
def rules(game: str) -> RuleIndex:
    return RuleIndex(ROOT / "pbem" / "games" / game)


def breaks(game: str) -> list[Break]:
    """All breaks of a game, in the order of its file."""
    path = HERE / f"{game}.yaml"
    written = yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}
    return [b for rule, rows in written.items() for b in _of_rule(game, str(rule), rows)]


def _of_rule(game: str, rule: str, rows: Sequence[dict[str, object]]) -> Iterator[Break]:
    cited = [str(c) for c in rules(game).entries[rule].cases]
    for number, row in enumerate(rows, 1):
        named = row.get("cases", cited)
        assert isinstance(named, list), f"{rule}: cases are a list"
        yield Break(
            game,
            rule,
            number,
            str(row["in"]),
            str(row["old"]),
            str(row["new"]),
            tuple(map(str, named)),
            str(row.get("crash", "")),
        )
