"""A scenario of one's own: read strictly from its files, put together, and where each of its values stands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest
from pbem.kernel.wording import Message, linked, msg
from pbem.protocol.outcomes import ProtocolError, unreadable
from pbem.protocol.strict_yaml import Marks, read_document
from pbem.shipped import data_folder

Keys = tuple[str | int, ...]


class Spot(Struct, frozen=True):
    """A place in a file; line and column from 1."""

    file: Path
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Source(Struct, frozen=True):
    """A file that was read: its text, and the place of each of its values."""

    file: Path
    text: str
    marks: Marks

    def spot(self, path: Keys, word: str = "") -> Spot:
        """Where a value stands, or its nearest parent that does; its key, or a word of its text, if one is named."""
        at = path
        while at not in self.marks:
            at = at[:-1]
        line, column = self.marks[at]
        start = sum(len(row) for row in self.text.splitlines(keepends=True)[: line - 1]) + column - 1
        found = self._word(start, word, at == path and bool(path) and str(path[-1]) == word) if word else start
        return Spot(self.file, self.text.count("\n", 0, found) + 1, found - (self.text.rfind("\n", 0, found) + 1) + 1)

    def _word(self, start: int, word: str, key: bool) -> int:
        """The word after the start of a value; a key stands before its value."""
        whole = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        places = [m.start() for m in whole.finditer(self.text)]
        before, after = [p for p in places if p < start], [p for p in places if p >= start]
        return (before or [start])[-1] if key else (after or [start])[0]


class OwnScenario(Struct):
    """What was read. `broken`: files that could not be, each with the place and the reason; their part is left out."""

    plain: dict[str, Any] = field(default_factory=dict)
    sources: dict[Keys, Source] = field(default_factory=dict)
    broken: list[tuple[Spot, Message]] = field(default_factory=list)

    def spot(self, path: Keys, word: str = "") -> Spot:
        """The place of a value (or of a word in it) in the file it came from."""
        depth = max(n for n in range(min(1, len(path)) + 1) if path[:n] in self.sources)
        return self.sources[path[:depth]].spot(path[depth:], word)


def is_file(scenario: str) -> bool:
    """A scenario is named by a file of one's own, not by the name of a shipped one."""
    return scenario.endswith((".yaml", ".json"))


def read_own(path: Path) -> OwnScenario:
    """A scenario's file, what it `extends`, and the files it names; these stand beside it or among the shipped ones.

    Raises ProtocolError (unreadable) for the scenario's own file only.
    """
    source, plain = _read(path)
    own = OwnScenario(sources={(): source})
    shipped = _shipped(plain.get("game"))
    if "extends" in plain:
        _extend(own, plain, path.parent, shipped, source)
    own.plain = {"name": path.stem, **own.plain, **plain}
    for key, value in list(own.plain.items()):
        if isinstance(value, str) and value.endswith(".yaml"):
            _include(own, key, _found(value, path.parent, shipped))
    return own


def read_part(file: Path) -> tuple[Source, Any]:
    """One part of a scenario by itself, such as its charts. Raises ProtocolError (unreadable)."""
    if not file.is_file():
        raise unreadable(msg("there is no file {file}", file=str(file)))
    return _read(file)


def _shipped(game: Plain) -> Path:
    return data_folder("scenarios") / str(game or "").replace("-", "_")


def _found(name: str, *folders: Path) -> Path:
    return next((folder / name for folder in folders if (folder / name).is_file()), folders[0] / name)


def _extend(own: OwnScenario, plain: dict[str, Any], here: Path, shipped: Path, source: Source) -> None:
    name = f"{plain.pop('extends')}.yaml"
    try:
        base, own.plain = _read(_found(name, here, shipped))
        own.sources |= {(key,): _part(base, key) for key in own.plain if key not in plain}
    except (ProtocolError, OSError) as error:
        own.broken.append((source.spot(("extends",)), linked(": ", name, _reason(error, here, shipped))))


def _part(base: Source, key: str) -> Source:
    """One key of the file that is extended."""
    return Source(base.file, base.text, {path[1:]: mark for path, mark in base.marks.items() if path[:1] == (key,)})


def _include(own: OwnScenario, key: str, file: Path) -> None:
    spot = own.spot((key,))
    try:
        own.sources[(key,)], own.plain[key] = _read(file, as_list=True)
    except ProtocolError as error:
        del own.plain[key]
        own.broken.append((Spot(file, error.line or 1, error.column or 1), error.message))
    except OSError as error:
        del own.plain[key]
        own.broken.append((spot, linked(": ", file.name, _reason(error, file.parent))))


def _reason(error: ProtocolError | OSError, *folders: Path) -> Message:
    known = sorted(p.stem for folder in folders if folder.is_dir() for p in folder.glob("*.yaml"))
    if isinstance(error, ProtocolError):
        return error.told
    hint = nearest(Path(str(error.filename or "")).stem, known)
    return linked("; ", msg("there is no such file"), hint) if hint else msg("there is no such file")


def _read(file: Path, as_list: bool = False) -> tuple[Source, Any]:
    """A file and its data. `as_list`: a list stands for itself, which a document may not."""
    data = file.read_bytes()
    text = data.decode("utf-8", "replace")
    if not (as_list and re.search(r"^- ", text, re.MULTILINE) and not re.search(r"^[^\s#-]", text, re.MULTILINE)):
        plain, marks = read_document(data)
        return Source(file, text, marks), plain
    inner, marks = read_document(b"list:\n" + data)
    moved = {path[1:]: (line - 1, column) for path, (line, column) in marks.items() if path[:1] == ("list",)}
    return Source(file, text, moved), inner["list"]


def read_compiled(path: Path) -> Any:
    """A scenario that was put together before: `scenario.json` of a game folder. Raises ProtocolError (unreadable)."""
    try:
        plain = json.loads(path.read_text("utf-8"))
    except ValueError:
        plain = None
    if not isinstance(plain, dict):
        raise unreadable(msg("{path} is no scenario", path=str(path)))
    return plain
