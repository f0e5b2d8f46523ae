"""Connections of a live exchange: what one may bring, how fast and when it must speak. A fault closes one, never all.

Nobody is believed here: who says the right game id may only send and ask for files within these bounds.
"""

from __future__ import annotations

import selectors
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

from pbem.kernel.wording import NO_WORDS, Message, msg
from pbem.protocol.outcomes import ProtocolError, unreadable
from pbem.transport import wire

MOST_LINES = 4
FIRST_WORD = 10.0  # seconds until the first `have`
WHOLE = 60.0  # seconds for one message, and for a reader that takes nothing
ALIVE = 60.0  # seconds after which `have` is said again
SILENT = 180.0  # seconds of silence after which a line is dead
UNASKED, MINUTE = 20, 60.0  # files and repeated questions a minute beyond those that were wanted
WORDS = 3000  # `have` and `want` a minute
_AHEAD = 16  # messages that wait to be looked at; then no more is read
_PIECE = 1 << 16

Clock = Callable[[], float]


class Line:
    """One connection. `inbox`: what was heard and not looked at yet; `expected`: files that were asked for and are to come."""

    def __init__(self, connection: socket.socket, name: str, game: str, now: Clock) -> None:
        self.connection, self.name, self._game, self._now = connection, name, game, now
        self.heard: wire.Have | None = None
        self.inbox: deque[wire.Said] = deque()
        self.out = bytearray()
        self.expected, self.is_new = 0, True
        self.closed = NO_WORDS  # why it is
        self._frames = wire.Frames()
        self._unasked: deque[float] = deque()
        self._words: deque[float] = deque()
        self._opened = self._heard_at = self._said_at = self._moved_at = self._whole_at = now()
        connection.setblocking(False)

    # -- what both ends do ------------------------------------------------------------------------------------------------

    def say(self, said: wire.Said) -> None:
        """A message goes out as the line takes it."""
        self._moved_at = self._now() if not self.out else self._moved_at
        self._said_at = self._now()
        self.out += wire.framed(said)

    def close(self, why: Message) -> None:
        """The line is cut; the first reason stands."""
        self.closed = self.closed or why
        with suppress(OSError):
            self.connection.close()

    def count_unasked(self) -> None:
        """A file or question beyond what was wanted; too many in a minute close the line."""
        if _too_many(self._unasked, self._now(), UNASKED):
            self.close(msg("more than {n} files a minute that nobody wanted", n=UNASKED))

    @property
    def is_idle(self) -> bool:
        """Nothing was said for so long that a `have` should show that this end is alive."""
        return self._now() - self._said_at > ALIVE

    # -- bytes ------------------------------------------------------------------------------------------------------------

    @property
    def events(self) -> int:
        """What it waits for."""
        reads = selectors.EVENT_READ if len(self.inbox) < _AHEAD else 0
        return reads | (selectors.EVENT_WRITE if self.out else 0)

    def read(self) -> None:
        """Take what has come, message by message."""
        try:
            data = self.connection.recv(_PIECE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self.close(msg("the line was cut"))
            return
        if not self._frames.is_half:
            self._whole_at = self._now()
        self._heard_at = self._now()
        self._frames.feed(data)
        try:
            while not self.closed and (body := self._frames.next()) is not None:
                self._whole_at = self._now()
                self._hear(wire.heard(body))
        except ProtocolError as error:
            self.close(error.told)

    def _hear(self, said: wire.Said) -> None:
        if isinstance(said, wire.Have):
            if said.game != self._game:
                raise unreadable(msg("somebody with another game"))
            self.heard, self._frames.most = said, wire.MOST
        elif self.heard is None:
            raise unreadable(msg("somebody who does not say which game he means"))
        if not isinstance(said, bytes):
            if _too_many(self._words, self._now(), WORDS):
                raise unreadable(msg("more than {n} words a minute", n=WORDS))
        elif self.expected:
            self.expected -= 1
        else:
            self.count_unasked()
        self.inbox.append(said)

    def write(self) -> None:
        """Send what the line takes."""
        try:
            sent = self.connection.send(self.out[:_PIECE])
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.close(msg("the line was cut"))
            return
        self._moved_at = self._now()
        del self.out[:sent]

    def look_at_the_clock(self) -> None:
        """Close it where its time is up; where it is closed already, the first reason stands."""
        now = self._now()
        if self.heard is None and now - self._opened > FIRST_WORD:
            self.close(msg("nobody said within {n} seconds which game he means", n=int(FIRST_WORD)))
        elif self._frames.is_half and now - self._whole_at > WHOLE:
            self.close(msg("a message was not whole after {n} seconds", n=int(WHOLE)))
        elif self.out and now - self._moved_at > WHOLE:
            self.close(msg("the other end takes nothing"))
        elif now - self._heard_at > SILENT:
            self.close(msg("the other end is silent"))


def _too_many(times: deque[float], now: float, most: int) -> bool:
    times.append(now)
    while times[0] < now - MINUTE:
        times.popleft()
    return len(times) > most


class Net:
    """All lines of one program, and the door for new ones if it listens."""

    def __init__(self, game: str, now: Clock) -> None:
        self._game, self._now = game, now
        self._server: socket.socket | None = None
        self.lines: list[Line] = []

    def listen(self, host: str, port: int) -> int:
        """Wait for others at this address; the port that it is. Raises OSError."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._server = socket.create_server((host, port), family=family, backlog=MOST_LINES)
        self._server.setblocking(False)
        return int(self._server.getsockname()[1])

    def dial(self, host: str, port: int) -> Line:
        """A line to somebody who listens. Raises OSError."""
        connection = socket.create_connection((host, port), timeout=5)
        return self._new(connection, f"{host}:{port}")

    def poll(self, seconds: float) -> None:
        """Wait at most so long for anything to happen on any line; let it happen; drop the lines that are closed."""
        with selectors.DefaultSelector() as selector:
            if self._server is not None:
                selector.register(self._server, selectors.EVENT_READ)
            for line in self.lines:
                if line.events and not line.closed:
                    selector.register(line.connection, line.events, line)
            ready = [(key.data, events) for key, events in selector.select(seconds)]
        for line, events in ready:
            if line is None:
                self._accept()
                continue
            if events & selectors.EVENT_WRITE and not line.closed:
                line.write()
            if events & selectors.EVENT_READ and not line.closed:
                line.read()
        for line in self.lines:
            line.look_at_the_clock()

    def cut(self) -> Iterator[Line]:
        """The lines that were closed and have nothing left to be looked at; they are forgotten."""
        gone = [line for line in self.lines if line.closed and not line.inbox]
        self.lines = [line for line in self.lines if line not in gone]
        yield from gone

    def close(self) -> None:
        """All of it ends."""
        for line in self.lines:
            line.close(msg("this end was stopped"))
        if self._server is not None:
            self._server.close()

    def _new(self, connection: socket.socket, name: str) -> Line:
        with suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines.append(Line(connection, name, self._game, self._now))
        return self.lines[-1]

    def _accept(self) -> None:
        assert self._server is not None
        try:
            connection, address = self._server.accept()
        except OSError:
            return
        open_lines = [line for line in self.lines if not line.closed]
        if len(open_lines) >= MOST_LINES:
            mute = next((line for line in open_lines if line.heard is None), None)
            if mute is None:
                connection.close()
                return
            mute.close(msg("it said nothing, and others wait"))
        self._new(connection, f"{address[0]}:{address[1]}")
