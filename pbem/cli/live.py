"""`pbem live`: a game's files exchanged at once, over TCP or a folder that all see, until Ctrl-C; the same files as by mail.

Nothing is decided here: what comes goes through the door of `receive`, what goes is what the log holds. Another terminal or
the board writes into the folder meanwhile, and its files leave at once.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from pbem.cli import receiving
from pbem.cli.live_folder import OverFolder
from pbem.cli.live_lines import OverTcp
from pbem.cli.live_telling import Teller
from pbem.cli.speech import speak
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.store import clock
from pbem.store.folder import GameFolder
from pbem.store.shown import Shown

LOOPBACK = "127.0.0.1"
AGAIN = 5.0  # seconds until an answer that could not be written is tried again
ALONE = (LOOPBACK, "localhost", "::1")
_ADDRESS = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]*):)?(?P<port>[0-9]{1,5})")


class Wanted(Struct, frozen=True):
    """A folder, or an address; `listen`: the others call."""

    target: str
    listen: bool = False
    as_json: bool = False


def run(path: Path, wanted: Wanted) -> None:
    """Exchange until the person stops it. Raises ProtocolError: no game, no such folder or address, the log has parted."""
    folder = GameFolder(path)
    folder.check()
    if not folder.is_running:
        raise ProtocolError(Outcome.WAITING, msg("the game has not begun: not everybody has signed its charter"))
    with folder.live_lock(), _until_stopped() as is_stopped:
        teller = Teller(wanted.as_json, clock.ticks)
        shown = Shown(path)
        shown.refresh()
        exchange = _exchange(shown, wanted, teller)
        home = Home(shown, teller)
        home.settle()
        try:
            while not is_stopped():
                home.look()
                exchange.step()
        finally:
            exchange.close()
        teller.tell("stopped", speak("stopped; nothing is lost: the next `pbem live`, or mail, goes on from here"))


class Home(Struct):
    """This folder beside the exchange: what another command has written into it, and what is due of its program."""

    shown: Shown
    teller: Teller
    tried: float = 0.0

    def look(self) -> None:
        """What was written here is shown from now on; an answer that could not be written when it was due is tried again."""
        with suppress(BlockingIOError):
            if self.shown.refresh():
                self.settle()
            elif self.shown.session.owes_what_is_no_decision() and clock.ticks() - self.tried > AGAIN:
                self._try_again()

    def settle(self) -> None:
        """What holds no decision and is due from here is answered; then whose turn it is."""
        with suppress(BlockingIOError):
            for line in self._answer():
                self.teller.tell("answered", line)
            self.shown.refresh()
        self.teller.turn(self.shown)

    def _try_again(self) -> None:
        lines = self._answer()
        is_written = self.shown.refresh()
        for line in lines:
            self.teller.tell("answered", line) if is_written else self.teller.trouble(line)
        if is_written:
            self.teller.turn(self.shown)

    def _answer(self) -> list[str]:
        self.tried = clock.ticks()
        return receiving.receive_all(self.shown.path, [], in_short=False).after


def _exchange(shown: Shown, wanted: Wanted, teller: Teller) -> OverTcp | OverFolder:
    """The way that the person wants. Raises ProtocolError."""
    folder = Path(wanted.target)
    if not wanted.listen and folder.is_dir():
        teller.tell("folder", speak("Exchanging through {folder} until you press Ctrl-C.", folder=wanted.target))
        return OverFolder(shown, teller, folder, clock.ticks)
    host, port = _address(wanted)
    exchange = OverTcp(shown, teller, (host, port), clock.ticks)
    if not wanted.listen:
        teller.tell("calling", speak("Calling {host}:{port} until you press Ctrl-C.", host=host, port=str(port)))
        return exchange
    try:
        port = exchange.listen()
    except OSError as error:
        why = error.strerror or str(error)
        raise unreadable(msg("{host}:{port} cannot be listened at: {why}", host=host, port=str(port), why=why)) from None
    told = speak("Listening at {host}:{port} until you press Ctrl-C.", host=host, port=str(port))
    teller.tell("listening", told, host=host, port=port)
    if host not in ALONE:
        teller.tell("open", speak("Others on the network reach it; they read what readers of your mail read, and no more."))
    return exchange


def _address(wanted: Wanted) -> tuple[str, int]:
    match = _ADDRESS.fullmatch(wanted.target)
    port = int(match["port"]) if match else 0
    if match is None or port > 65535 or (port == 0 and not wanted.listen):
        reason = msg("{target} is no folder that exists and no address", target=wanted.target)
        raise unreadable(msg("{reason}; an address is HOST:PORT, localhost:47000 say", reason=reason))
    return (match["host"] or LOOPBACK).strip("[]"), port


@contextmanager
def _until_stopped() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and a request to end are heard between two rounds, so that nothing is stopped in the middle."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = {number: signal.signal(number, lambda *_: asked.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
