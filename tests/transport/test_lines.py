"""Lines of a live exchange, one at a time: bounds in number, size and time, and what is said when one is cut."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.transport import lines, wire
from pbem.transport.lines import Line, Net

GAME, HEAD = "ab" * 32, "cd" * 32
HAVE = wire.Have(GAME, 7, HEAD)
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Clock:
    """A time that only the test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Other:
    """The other end of a line."""

    def __init__(self) -> None:
        self.clock = Clock()
        here, self.socket = socket.socketpair()
        self.line = Line(here, "friend", GAME, self.clock)

    def say(self, *said: wire.Said) -> Line:
        return self.bytes(b"".join(wire.framed(one) for one in said))

    def bytes(self, data: bytes) -> Line:
        self.socket.sendall(data)
        self.line.read()
        return self.line

    def later(self, seconds: float) -> str:
        """Why the line is closed after so long; empty while it is open."""
        self.clock.now += seconds
        self.line.look_at_the_clock()
        return str(self.line.closed)


@pytest.fixture
def other() -> Iterator[Other]:
    found = Other()
    yield found
    found.socket.close()
    found.line.connection.close()


# -- what it hears ---------------------------------------------------------------------------------------------------


def test_a_new_line_has_said_and_heard_nothing(other: Other) -> None:
    line = other.line
    assert (line.name, line.heard, line.expected, line.is_new, str(line.closed)) == ("friend", None, 0, True, "")
    assert not line.inbox and not line.out and line.events == READ and not line.connection.getblocking()


def test_messages_wait_in_their_order(other: Other) -> None:
    line = other.say(HAVE, wire.Want(3), b"a file")
    assert [*line.inbox] == [HAVE, wire.Want(3), b"a file"] and line.heard == HAVE and not line.closed


def test_the_first_word_names_the_game(other: Other) -> None:
    assert str(other.say(b"a file").closed) == "somebody who does not say which game he means" and not other.line.inbox


def test_another_game_is_not_ours(other: Other) -> None:
    line = other.say(wire.Have(HEAD, 7, HEAD))
    assert str(line.closed) == "somebody with another game" and line.heard is None and not line.inbox


def test_before_the_first_word_a_message_is_short_and_then_a_file_may_be_long(other: Other) -> None:
    assert not other.say(HAVE, b"x" * 5000).closed
    stranger = Other()
    assert str(stranger.bytes((1025).to_bytes(4, "big")).closed) == "a message of 1025 bytes, at most 1024 here"


def test_nothing_behind_a_fault_is_heard(other: Other) -> None:
    line = other.say(HAVE, b'{"want":{"seq":0}}', wire.Want(3))
    assert str(line.closed) == "this is no message of a live exchange" and [*line.inbox] == [HAVE]


def test_nothing_to_read_is_no_fault(other: Other) -> None:
    other.line.read()
    assert not other.line.closed


def test_who_hangs_up_has_cut_the_line(other: Other) -> None:
    other.socket.close()
    other.line.read()
    assert str(other.line.closed) == "the line was cut" and other.line.connection.fileno() == -1
    other.line.read()
    other.line.close(lines.msg("later"))
    assert str(other.line.closed) == "the line was cut", "the first reason stands"


def test_no_more_is_read_than_can_be_looked_at(other: Other) -> None:
    line = other.say(HAVE, *[wire.Want(3)] * 14)
    assert line.events == READ
    assert other.say(wire.Want(3)).events == 0
    line.say(HAVE)
    assert line.events == WRITE
    line.inbox.clear()
    assert line.events == READ | WRITE


class Broken:
    """A connection that fails at everything."""

    def setblocking(self, flag: bool) -> None:
        pass

    def fail(self, *_: Any) -> Any:
        raise ConnectionResetError

    recv = send = close = fail


def test_a_connection_that_was_reset_is_a_cut_line() -> None:
    for what in ("read", "write"):
        line = Line(Broken(), "friend", GAME, Clock())  # type: ignore[arg-type]
        getattr(line, what)()
        assert str(line.closed) == "the line was cut"


# -- how much --------------------------------------------------------------------------------------------------------


def test_files_that_were_wanted_are_counted_down_and_then_twenty_a_minute_are_borne(other: Other) -> None:
    other.say(HAVE)
    other.line.expected = 3
    for left in (2, 1, 0):
        assert other.say(b"a file").expected == left
    for _ in range(20):
        assert not other.say(b"a file").closed
    assert str(other.say(b"a file").closed) == "more than 20 files a minute that nobody wanted"


def test_a_minute_later_twenty_more_are_borne(other: Other) -> None:
    for _ in range(20):
        other.line.count_unasked()
    other.clock.now += 60
    other.line.count_unasked()
    assert other.line.closed, "a minute has sixty seconds and its ends"
    patient = Other()
    for _ in range(20):
        patient.line.count_unasked()
    patient.clock.now += 60.1
    for _ in range(20):
        patient.line.count_unasked()
        assert not patient.line.closed


def test_words_are_no_files_but_have_a_bound_too(other: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (lines.WORDS, lines.UNASKED, lines.MOST_LINES) == (3000, 20, 4)
    monkeypatch.setattr(lines, "WORDS", 25)
    other.line.expected = 1
    assert not other.say(HAVE, *[wire.Want(3)] * 24).closed and other.line.expected == 1
    assert str(other.say(wire.Want(3)).closed) == "more than 25 words a minute" and len(other.line.inbox) == 25
    patient = Other()
    patient.say(HAVE, *[wire.Want(3)] * 24)
    patient.clock.now += 61
    assert not patient.say(wire.Want(3)).closed


# -- what it says ----------------------------------------------------------------------------------------------------


def test_what_is_said_goes_out_as_the_line_takes_it(other: Other) -> None:
    other.line.say(HAVE)
    other.line.say(b"a file")
    assert other.line.out == wire.framed(HAVE) + wire.framed(b"a file")
    other.line.write()
    assert other.socket.recv(1000) == wire.framed(HAVE) + wire.framed(b"a file") and not other.line.out


def test_a_long_file_goes_in_pieces(other: Other) -> None:
    other.line.say(b"x" * 100_000)
    other.line.write()
    assert len(other.line.out) >= 100_004 - 65536
    got = b""
    while len(got) < 100_004:
        got += other.socket.recv(1 << 17)
        other.line.write()
    assert got == wire.framed(b"x" * 100_000) and not other.line.closed


def test_a_reader_who_takes_nothing_is_cut_after_a_minute(other: Other) -> None:
    other.say(HAVE)
    other.clock.now += 50
    other.line.say(b"x" * (1 << 20))
    for _ in range(40):
        other.line.write()
    assert other.line.out and not other.line.closed
    other.clock.now += 59
    other.line.say(HAVE)
    assert not other.later(1)
    assert other.later(0.5) == "the other end takes nothing"


def test_the_minute_of_a_reader_begins_when_something_is_said(other: Other) -> None:
    other.say(HAVE)
    other.clock.now += 50
    other.line.say(b"a file")
    assert not other.later(60) and other.later(0.1) == "the other end takes nothing"


def test_a_reader_who_takes_slowly_is_not_cut(other: Other) -> None:
    other.say(HAVE)
    other.line.say(b"x" * (1 << 20))
    for _ in range(4):
        other.line.write()
        assert other.line.out and not other.later(40)
        other.socket.recv(1 << 16)
        other.bytes(wire.framed(HAVE))


def test_a_broken_pipe_is_a_cut_line(other: Other) -> None:
    other.line.say(HAVE)
    other.socket.close()
    other.line.write()
    assert str(other.line.closed) == "the line was cut"


# -- when ------------------------------------------------------------------------------------------------------------


def test_the_first_word_is_due_within_ten_seconds(other: Other) -> None:
    assert not other.later(10)
    assert other.later(0.1) == "nobody said within 10 seconds which game he means"


def test_a_message_is_whole_within_a_minute(other: Other) -> None:
    other.say(HAVE)
    other.clock.now += 30
    other.bytes(wire.framed(b"a file")[:5])
    other.clock.now += 40
    other.bytes(b" ")
    assert not other.later(20), "a minute from its first byte"
    assert other.later(0.1) == "a message was not whole after 60 seconds"


def test_the_minute_of_a_message_begins_anew_with_each(other: Other) -> None:
    other.say(HAVE)
    other.bytes(wire.framed(b"a file")[:5])
    other.clock.now += 50
    other.bytes(wire.framed(b"a file")[5:] + wire.framed(b"b")[:3])
    assert not other.later(50)


def test_silence_of_three_minutes_is_death(other: Other) -> None:
    other.say(HAVE)
    other.clock.now += 100
    other.bytes(wire.framed(HAVE))
    assert not other.later(180)
    assert other.later(0.1) == "the other end is silent"


def test_after_a_minute_of_saying_nothing_it_is_time_to_show_life(other: Other) -> None:
    other.clock.now += 60
    assert not other.line.is_idle
    other.clock.now += 0.1
    assert other.line.is_idle
    other.line.say(HAVE)
    assert not other.line.is_idle


# -- all lines -------------------------------------------------------------------------------------------------------


@pytest.fixture
def net() -> Iterator[tuple[Net, int, Clock]]:
    clock = Clock()
    found = Net(GAME, clock)
    yield found, found.listen("127.0.0.1", 0), clock
    found.close()


Listening = tuple[Net, int, Clock]


def call(listening: Listening, *said: wire.Said) -> socket.socket:
    """Somebody who calls and says this; the net has heard it."""
    net, port, _ = listening
    caller = socket.create_connection(("127.0.0.1", port))
    caller.setblocking(False)
    net.poll(1)
    if said:
        caller.sendall(b"".join(wire.framed(one) for one in said))
        net.poll(1)
    return caller


def cut(caller: socket.socket) -> bool:
    try:
        return caller.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_a_caller_has_a_line_named_by_his_address(net: Listening) -> None:
    caller = call(net, HAVE)
    (line,) = net[0].lines
    assert line.name == f"127.0.0.1:{caller.getsockname()[1]}" and [*line.inbox] == [HAVE]
    assert line.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    line.say(HAVE)
    net[0].poll(1)
    assert caller.recv(1000) == wire.framed(HAVE)


def test_who_is_called_is_named_by_what_was_dialled(net: Listening) -> None:
    own = Net(GAME, net[2])
    line = own.dial("127.0.0.1", net[1])
    assert own.lines == [line] and line.name == f"127.0.0.1:{net[1]}" and line.heard is None
    own.close()
    assert str(line.closed) == "this end was stopped" and line.connection.fileno() == -1


def test_a_net_of_its_own_version_of_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    class Server:
        def setblocking(self, flag: bool) -> None:
            made.append(flag)

        def getsockname(self) -> tuple[Any, ...]:
            return "::1", 4711, 0, 0

    def create_server(address: Any, **rest: Any) -> Server:
        made.append((address, rest))
        return Server()

    monkeypatch.setattr(socket, "create_server", create_server)
    assert Net(GAME, Clock()).listen("::1", 5) == 4711 == Net(GAME, Clock()).listen("127.0.0.1", 0)
    assert made == [
        (("::1", 5), {"family": socket.AF_INET6, "backlog": 4}),
        False,
        (("127.0.0.1", 0), {"family": socket.AF_INET, "backlog": 4}),
        False,
    ]


def test_dialling_waits_five_seconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    here, there = socket.socketpair()

    def create_connection(address: Any, **rest: Any) -> socket.socket:
        asked.append((address, rest))
        return here

    monkeypatch.setattr(socket, "create_connection", create_connection)
    Net(GAME, Clock()).dial("example.org", 4711)
    assert asked == [(("example.org", 4711), {"timeout": 5})]
    here.close()
    there.close()


def test_four_lines_and_the_mute_one_makes_room(net: Listening) -> None:
    callers = [call(net, HAVE), call(net, HAVE), call(net), call(net)]
    mute = net[0].lines[2]
    fifth = call(net, HAVE)
    assert str(mute.closed) == "it said nothing, and others wait" and len(net[0].lines) == 5
    assert cut(callers[2]) and not cut(callers[3]) and not cut(fifth)
    assert [*net[0].cut()] == [mute] and len(net[0].lines) == 4
    net[0].lines[2].connection.getpeername()
    callers[3].sendall(wire.framed(HAVE))
    net[0].poll(1)
    sixth = call(net)
    assert cut(sixth) and len(net[0].lines) == 4 and not any(line.closed for line in net[0].lines)


def test_closed_lines_take_no_place(net: Listening) -> None:
    for _ in range(4):
        call(net, HAVE).close()
        net[0].poll(1)
    assert [str(line.closed) for line in net[0].lines] == ["the line was cut"] * 4
    assert not cut(call(net, HAVE)) and len(net[0].lines) == 5
    assert not [*net[0].cut()], "what was heard has to be looked at"
    for line in net[0].lines:
        line.inbox.clear()
    gone = [*net[0].cut()]
    assert len(gone) == 4 and len(net[0].lines) == 1 and not net[0].lines[0].closed


def test_each_round_looks_at_the_clock_of_the_lines_that_are_open(net: Listening) -> None:
    call(net, HAVE).close()
    net[0].poll(1)
    slow = call(net)
    net[2].now += 11
    net[0].poll(0)
    assert [str(line.closed) for line in net[0].lines] == [
        "the line was cut",
        "nobody said within 10 seconds which game he means",
    ]
    assert cut(slow)


def test_a_line_that_waits_for_nothing_is_not_asked(net: Listening) -> None:
    caller = call(net, HAVE, *[wire.Want(1)] * 15)
    caller.sendall(wire.framed(wire.Want(2)))
    net[0].poll(0)
    assert len(net[0].lines[0].inbox) == 16
    net[0].lines[0].inbox.clear()
    net[0].poll(1)
    assert [*net[0].lines[0].inbox] == [wire.Want(2)]


def test_a_line_that_only_writes_is_not_read(net: Listening) -> None:
    caller = call(net, HAVE, *[wire.Want(1)] * 15)
    (line,) = net[0].lines
    line.say(HAVE)
    caller.sendall(wire.framed(wire.Want(2)))
    net[0].poll(1)
    assert caller.recv(1000) == wire.framed(HAVE) and len(line.inbox) == 16


def test_a_new_caller_keeps_nobody_waiting(net: Listening) -> None:
    caller = call(net, HAVE)
    caller.sendall(wire.framed(wire.Want(1)))
    other = socket.create_connection(("127.0.0.1", net[1]))
    net[0].poll(1)
    assert len(net[0].lines) == 2 and [*net[0].lines[0].inbox] == [HAVE, wire.Want(1)]
    other.close()


def test_who_does_not_listen_can_talk(net: Listening) -> None:
    own = Net(GAME, net[2])
    own.dial("127.0.0.1", net[1]).say(HAVE)
    own.poll(1)
    net[0].poll(1)
    net[0].poll(1)
    assert [*net[0].lines[0].inbox] == [HAVE]
    own.close()


def test_a_line_whose_writing_fails_is_not_read(net: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = call(net, HAVE)
    (line,) = net[0].lines
    line.say(HAVE)
    caller.sendall(wire.framed(wire.Want(1)))
    read = []
    monkeypatch.setattr(Line, "write", lambda self: self.close(lines.msg("written off")))
    monkeypatch.setattr(Line, "read", lambda self: read.append(self))
    net[0].poll(1)
    assert str(line.closed) == "written off" and not read


def test_without_a_caller_the_wait_ends(net: Listening) -> None:
    net[0].poll(0)
    assert not net[0].lines


def test_a_caller_who_is_gone_before_he_is_let_in(net: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    class Door:
        def __init__(self, server: socket.socket) -> None:
            self.fileno, self.close = server.fileno, server.close

        def accept(self) -> Any:
            raise ConnectionAbortedError

    net[0]._server = Door(net[0]._server)  # type: ignore[assignment,arg-type]
    call(net)
    assert not net[0].lines


def test_when_it_ends_nobody_is_let_in(net: Listening) -> None:
    caller = call(net, HAVE)
    net[0].close()
    assert cut(caller) and [str(line.closed) for line in net[0].lines] == ["this end was stopped"]
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", net[1]), timeout=1)
