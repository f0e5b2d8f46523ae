"""Live exchanges: two programs with a folder each, on the loopback or through a folder that both see."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from pbem.kernel.canon import Plain
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.store.folder import GameFolder
from pbem.store.session import Session
from tests.mails.counting import bot_orders

PATIENCE = 60.0  # seconds


@contextmanager
def live(folder: str, *words: str, code: int = 0) -> Iterator[Path]:
    """`pbem live` as a process of its own; the file that holds what it has printed. Ctrl-C ends it, or it ends with `code`."""
    printed = Path(f"{folder}-{time.monotonic_ns()}.txt")
    command = [sys.executable, "-m", "pbem", "live", *words, "-g", folder]
    with printed.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield printed
        if not code:
            process.send_signal(signal.SIGINT)
        assert process.wait(15) == code, printed.read_text()
        assert code or "stopped; nothing is lost" in printed.read_text()
    finally:
        process.kill()
        process.wait()


def until(happened: Callable[[], object], *printed: Path) -> None:
    """Wait until it has."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "\n---\n".join(path.read_text() for path in printed)
        time.sleep(0.05)


def port_of(printed: Path) -> int:
    """The port at which a process listens."""
    until(lambda: " until you press" in printed.read_text(), printed)
    return int(printed.read_text().split(" until you press")[0].rpartition(":")[2])


def ids(folder: str) -> list[str]:
    """What a log holds, slips left out."""
    return [str(entry["document"].get("signature") or "charter") for entry in GameFolder(Path(folder)).log.standing()]


def kept(folder: str) -> dict[str, bytes]:
    """The readable copies of a folder's files, byte by byte."""
    return {path.name: path.read_bytes() for path in Path(folder, "files").glob("[0-9]*.yaml") if path.name[:4] != "0000"}


def write_what_is_due(folder: str, standing: Plain = None) -> bool:
    """The bot's orders, if this player has to decide, written as another terminal would: a file in the outbox."""
    session = Session.open(Path(folder))
    due, me = session.table.due, session.me.player
    if due.player != me or due.what in AUTOMATIC:
        return False
    try:
        with Session.at_work(Path(folder)) as session:
            seats = [seat.name for seat in session.charter.seats if seat.player == me]
            writer = SimpleNamespace(name=me, seats=seats, table=session.table, knowledge=session.knowledge)
            session.write(Draft(bot_orders(writer, session.table), standing or {}))  # type: ignore[arg-type]
    except BlockingIOError:
        return False
    return True


def play(folders: tuple[str, str], files: int, *printed: Path, limit: float = 240.0) -> None:
    """Bots at both terminals until both logs hold so many files and nothing is due of a program, or the game is over."""
    end = time.monotonic() + limit
    while True:
        tables = [Session.open(Path(folder)).table for folder in folders]
        enough = [table.last >= files or table.result is not None for table in tables]
        settled = tables[0].last == tables[1].last and tables[0].due.what not in AUTOMATIC
        if all(enough) and settled:
            return
        assert time.monotonic() < end, "\n---\n".join(path.read_text() for path in printed)
        for folder, is_enough in zip(folders, enough, strict=True):
            if not is_enough and not write_what_is_due(folder):
                time.sleep(0.05)
