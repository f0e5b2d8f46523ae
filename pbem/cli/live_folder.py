"""A live exchange through a folder that all see: own files are put there, others' judged by what is in them, not by name."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.cli import live_door
from pbem.cli.live_telling import Teller
from pbem.cli.speech import speak
from pbem.protocol import strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import clock, naming
from pbem.store.disk import Disk
from pbem.store.shown import Shown
from pbem.transport.wire import MOST

LOOK = 0.5  # seconds between two looks
AT_ONCE, MOST_NAMES = 32, 5000  # files read in one look, names looked at
SETTLED = 5.0  # seconds after which a file that cannot be read is not half written any more
_READING = os.O_RDONLY | (os.O_NOFOLLOW | os.O_NONBLOCK if os.name == "posix" else 0)  # no link, no pipe that waits
_AGAIN = (Outcome.NOT_WRITTEN, Outcome.FAULT, Outcome.WAITING)

Stamp = tuple[int, int]


class _Found(Struct):
    """A file of the folder as it was when it was read, since when, and what is in it."""

    stamp: Stamp
    since: float
    body: bytes
    document: dict[str, Any] | None
    settled: bool = False


class OverFolder:
    """This end of the exchange: it puts its own files into GAME below the folder, and takes the others'."""

    def __init__(self, shown: Shown, teller: Teller, folder: Path, now: Callable[[], float]) -> None:
        self._shown, self._teller, self._now = shown, teller, now
        self._place = folder / shown.game[:16]
        self._disk = Disk()
        self._put: dict[str, tuple[Stamp, bytes]] = {}
        self._found: dict[str, _Found] = {}
        self._beside: dict[str, str] = {}  # file names of slips and notes, by id

    def close(self) -> None:
        """Nothing is held open."""

    def step(self) -> None:
        """One round. Raises ProtocolError where the log has parted."""
        try:
            self._put_own()
            self._look()
        except OSError as error:  # the folder is away, or full: it may come back
            self._teller.trouble(f"{self._place}: {error.strerror or error}")
        clock.wait(LOOK)

    # -- own files --------------------------------------------------------------------------------------------------------

    def _put_own(self) -> None:
        """What is missing there, or was changed, is put there again; what was withdrawn goes."""
        self._disk.make_folder(self._place)
        own = dict(self._own())
        put: list[int] = []
        for name, (seq, read) in own.items():
            path, known = self._place / name, self._put.get(name)
            stamp = _stamp(path)  # before its content: whatever is written later gives it another
            if known is not None and stamp == known[0]:
                continue
            data = read()
            if _content(path) != data:
                self._disk.replace(path, data)
                stamp = None  # the next round reads what lies there then
                put += [seq] if seq else []
            self._put[name] = (stamp or (0, 0), data)
        if put:
            self._teller.went(put[0], put[-1], str(self._place))
        for name in [name for name in self._put if name not in own]:
            del self._put[name]
            self._disk.remove(self._place / name)

    def _own(self) -> Iterator[tuple[str, tuple[int, Callable[[], bytes]]]]:
        """Name, place and content of each file of this folder's player; slips and notes have no place."""
        shown = self._shown
        for seq in range(1, shown.last + 1):
            if shown.is_own(seq) and not shown.is_void(seq):
                yield self._name(shown.files[seq], shown.ids[seq]), (seq, partial(shown.bytes_of, seq))
        for name, (_, data) in shown.beside.items():
            if name not in self._beside:
                self._beside[name] = self._name(strict_yaml.read_document(data)[0], name)
            yield self._beside[name], (0, partial(bytes, data))

    def _name(self, document: dict[str, Any], name: str) -> str:
        part = naming.in_game(str(document.get("player") or ""), self._shown.files[0]["players"])
        return f"{naming.of_outgoing(document, part)}-{name[:16]}.yaml"

    # -- others' files ----------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Whatever is new, in the order of the game; what leaves a gap waits until the gap is filled."""
        self._read_new()
        known, place = self._shown.known, self._shown.last + 1
        ready: list[_Found] = []
        for found in sorted((f for f in self._found.values() if not f.settled), key=_place_of):
            if found.document is None:
                self._half(found)
            elif document_id(found.document) in known:
                found.settled = True
            elif _place_of(found) <= place or found.document.get("type") in live_door.BESIDE:
                place += _place_of(found) == place
                ready.append(found)
        self._take(ready)

    def _read_new(self) -> None:
        names = sorted(name for name in os.listdir(self._place) if name.endswith(".yaml"))[:MOST_NAMES]
        self._found = {name: found for name, found in self._found.items() if name in {*names}}
        read = 0
        for name in names:
            stamp = _stamp(self._place / name)
            known, own = self._found.get(name), self._put.get(name)
            if stamp is None or read >= AT_ONCE or (known and known.stamp == stamp) or (own and own[0] == stamp):
                continue
            read += 1
            body = _content(self._place / name) or b""
            self._found[name] = _Found(stamp, self._now(), body, _document(body))

    def _half(self, found: _Found) -> None:
        """It may still be growing; then it has another stamp the next time."""
        if self._now() - found.since > SETTLED:
            found.settled = True
            name = next(name for name, one in self._found.items() if one is found)
            self._teller.trouble(speak("{name} cannot be read; it is looked at again when it changes", name=name))

    def _take(self, ready: list[_Found]) -> None:
        if not ready:
            return
        try:
            judged, received = live_door.take(self._shown, str(self._place), [found.body for found in ready])
        except BlockingIOError:
            return
        for taken in received:
            self._teller.came(taken)
        for found, one in zip(ready, judged, strict=True):
            found.settled = one.outcome not in _AGAIN
            found.body = b""
            if found.settled and one.is_bad:
                self._teller.trouble(speak("{name} is not taken: {told}", name=str(self._place), told=one.told))
            if live_door.is_another(self._shown, one):
                raise live_door.parted(_place_of(found))


def _place_of(found: _Found) -> int:
    seq = found.document.get("seq") if found.document is not None else None
    return seq if isinstance(seq, int) else 0


def _document(body: bytes) -> dict[str, Any] | None:
    with suppress(ProtocolError):
        return strict_yaml.read_document(body)[0]
    return None


def _stamp(path: Path) -> Stamp | None:
    """Size and time of a plain file of a size that is read; None for whatever else."""
    with suppress(OSError):
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and 0 < found.st_size <= MOST:
            return found.st_size, found.st_mtime_ns
    return None


def _content(path: Path) -> bytes | None:
    """A plain file, no link, no more than a file may have."""
    if _stamp(path) is None:
        return None
    with suppress(OSError):
        descriptor = os.open(path, _READING)
        with os.fdopen(descriptor, "rb") as file:
            return file.read(MOST + 1)
    return None
