"""A live exchange over TCP: heads are compared, who is behind asks, who has more sends (protocol, section 11b)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct, field

from pbem.cli import live_door
from pbem.cli.live_telling import Teller
from pbem.cli.speech import speak, text
from pbem.kernel.wording import msg
from pbem.protocol.ids import document_id
from pbem.store.shown import Shown
from pbem.transport import wire
from pbem.transport.lines import MINUTE, Clock, Line, Net

TICK = 0.25  # seconds of waiting at most, so that another terminal's file goes soon
FULL = 1 << 18  # bytes that may wait on a line before more files are read for it
BESIDE = 15  # slips and notes a minute, fewer than the other end allows
SHOW = 10.0  # seconds in which another file has to be shown
LONGEST_WAIT = 30.0  # seconds between two attempts to reach somebody
_MOST_SPOILT, _TRIES = 100, 3


class _Peer(Struct, eq=False):
    """What this end knows of one line."""

    line: Line
    said: wire.Have | None = None
    sends: int = 0  # the next place that it wants, 0 when it has all
    first: int = 0  # where the sending began, for the person
    sent: int = 0  # the highest place sent
    beside: set[str] = field(default_factory=set)  # ids of slips and notes that it has
    times: deque[float] = field(default_factory=deque)  # when some were sent
    asked: tuple[int, int] = (0, 0)  # a place that was asked for, and how often
    parted: float | None = None  # since when it says that it holds another file


class OverTcp:
    """This end of the exchange: it listens, or calls until somebody answers."""

    def __init__(self, shown: Shown, teller: Teller, address: tuple[str, int], now: Clock) -> None:
        self._shown, self._teller, self._now = shown, teller, now
        self._net = Net(shown.game, now)
        self._peers: dict[Line, _Peer] = {}
        self._address: tuple[str, int] = address
        self._calls = True
        self._next_call, self._wait = 0.0, 1.0
        self._spoilt: deque[str] = deque(maxlen=_MOST_SPOILT)  # heads behind which a file was bad

    def listen(self) -> int:
        """Wait for the others; the port. Raises OSError."""
        self._calls = False
        return self._net.listen(*self._address)

    def close(self) -> None:
        """The lines are cut."""
        self._net.close()

    def step(self) -> None:
        """One round. Raises ProtocolError where the log has parted."""
        self._call()
        for peer in self._peers.values():
            self._say_have(peer)
        self._net.poll(TICK)
        for line in self._net.lines:
            self._look(self._peers.setdefault(line, _Peer(line)))
        for peer in self._peers.values():
            self._send(peer)
        for line in self._net.cut():
            self._peers.pop(line, None)
            name = line.name.rpartition(":")[0]
            self._teller.trouble(f"{line.name}: {text(line.closed)}", f"{name} {line.closed}")

    # -- calling ----------------------------------------------------------------------------------------------------------

    def _call(self) -> None:
        if not self._calls or self._net.lines or self._now() < self._next_call:
            return
        try:
            line = self._net.dial(*self._address)
            self._peers[line] = _Peer(line)
        except OSError as error:
            where = f"{self._address[0]}:{self._address[1]}"
            why = error.strerror or str(error)
            self._teller.trouble(speak("nobody answers at {where} ({why}): it is tried again", where=where, why=why))
        self._next_call = self._now() + self._wait
        self._wait = min(2 * self._wait, LONGEST_WAIT)

    def _say_have(self, peer: _Peer) -> None:
        """After each change, and now and then. Who listens says nothing before the other has named the game."""
        if peer.line.closed or (peer.line.heard is None and not self._calls):
            return
        have = wire.Have(self._shown.game, self._shown.last, self._shown.head)
        if have != peer.said or peer.line.is_idle:
            peer.said = have
            peer.line.say(have)

    # -- hearing ----------------------------------------------------------------------------------------------------------

    def _look(self, peer: _Peer) -> None:
        """What came on a line, in order."""
        line = peer.line
        if peer.said is None or peer.line.heard is not None:
            self._say_have(peer)
        while line.inbox:
            if isinstance(line.inbox[0], bytes):
                if not self._take(peer):
                    return
                continue
            said = line.inbox.popleft()
            if isinstance(said, wire.Have):
                self._compare(peer, said)
            elif isinstance(said, wire.Want):
                self._wanted(peer, said.seq)
        if peer.parted is not None and self._now() - peer.parted > SHOW:
            line.close(msg("it says that it holds another file, and shows none"))

    def _compare(self, peer: _Peer, have: wire.Have) -> None:
        """Its head and this one."""
        shown, line = self._shown, peer.line
        self._wait = 1.0
        if line.is_new:
            line.is_new = False
            self._teller.tell("connected", speak("{name} is there, at file {seq}", name=line.name, seq=have.seq))
        if have.seq <= shown.last:
            if shown.ids[have.seq] == have.head:
                peer.parted = None
            elif peer.parted is None:
                self._part(peer, have.seq)
        elif not line.expected and have.head not in self._spoilt and not line.closed:
            place = shown.last + 1
            peer.asked = (place, peer.asked[1] + 1 if peer.asked[0] == place else 1)
            if peer.asked[1] > _TRIES:
                line.close(msg("it does not bring what it says it has"))
                return
            line.expected = have.seq - shown.last
            line.say(wire.Want(place))

    def _part(self, peer: _Peer, seq: int) -> None:
        """It holds another file there: it is shown ours, and has to show its own."""
        peer.parted, peer.sends = self._now(), 0
        self._teller.trouble(speak("{name} says that it holds another file {seq}", name=peer.line.name, seq=seq))
        if seq and not self._shown.is_void(seq):
            peer.line.say(self._shown.bytes_of(seq))

    def _wanted(self, peer: _Peer, seq: int) -> None:
        if peer.parted is not None or seq > self._shown.last:
            return
        if seq <= peer.sent:
            peer.line.count_unasked()
        peer.sends = peer.first = seq

    def _take(self, peer: _Peer) -> bool:
        """The files at the head of a line's inbox; False where the folder is not free for them yet."""
        line, shown = peer.line, self._shown
        bodies = [*_leading(line.inbox)]
        before = shown.last
        try:
            judged, received = live_door.take(shown, line.name, bodies)
        except BlockingIOError:
            return False
        for _ in bodies:
            line.inbox.popleft()
        for one in received:
            self._teller.came(one)
        self._after(peer, judged)
        if shown.last == before:
            line.expected = 0
        if line.heard is not None and not line.expected and not line.closed and not line.inbox:
            self._compare(peer, line.heard)
        return True

    def _after(self, peer: _Peer, judged: Sequence[live_door.Judged]) -> None:
        """A bad file closes its line; two files at one place end the exchange, told to both."""
        line = peer.line
        for one in judged:
            if one.document is not None:
                peer.beside.add(document_id(one.document))
            if live_door.is_another(self._shown, one):
                seq = int(one.document["seq"]) if one.document else 0
                self._stop(peer, seq)
            if one.is_bad:
                if one.document is not None and line.heard is not None:
                    self._spoilt.append(line.heard.head)
                line.inbox.clear()
                line.close(msg("it sent a file that is not taken: {told}", told=one.told))
                return

    def _stop(self, peer: _Peer, seq: int) -> None:
        """Show ours too, then end. Raises ProtocolError."""
        if peer.parted is None:
            self._part(peer, seq)
        until = self._now() + SHOW / 2
        while peer.line.out and not peer.line.closed and self._now() < until:
            with suppress(OSError):
                self._net.poll(TICK)
        raise live_door.parted(seq)

    # -- sending ----------------------------------------------------------------------------------------------------------

    def _send(self, peer: _Peer) -> None:
        """Files that it wants, then slips and notes that it can place."""
        line, shown = peer.line, self._shown
        while peer.sends and not line.closed and len(line.out) < FULL:
            if peer.sends <= shown.last:
                if not shown.is_void(peer.sends):
                    line.say(shown.bytes_of(peer.sends))
                peer.sent = max(peer.sent, peer.sends)
                peer.sends += 1
            if peer.sends > shown.last:
                self._teller.went(peer.first, shown.last, line.name)
                peer.sends = 0
        if line.heard is not None and not line.closed and not peer.sends:
            self._send_beside(peer, line.heard)

    def _send_beside(self, peer: _Peer, have: wire.Have) -> None:
        """Whoever is behind gets the files first."""
        if have.seq < self._shown.last:
            return
        now, placed = self._now(), {*self._shown.ids}
        while peer.times and peer.times[0] < now - MINUTE:
            peer.times.popleft()
        for name, (head, data) in reversed(self._shown.beside.items()):
            if len(peer.times) >= BESIDE:
                return
            if name not in peer.beside and (not head or head in placed):
                peer.beside.add(name)
                peer.times.append(now)
                peer.line.say(data)


def _leading(inbox: deque[wire.Said]) -> list[bytes]:
    found: list[bytes] = []
    for said in inbox:
        if not isinstance(said, bytes):
            break
        found.append(said)
    return found
