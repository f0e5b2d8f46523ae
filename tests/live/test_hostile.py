"""Whoever calls a live exchange without being welcome: at most his own connection is closed, and nothing is said to him."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.live_lines import OverTcp
from pbem.cli.live_telling import Teller
from pbem.kernel.canon import canonical
from pbem.protocol import turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.store.session import Session
from pbem.store.shown import Shown
from pbem.transport import lines, wire
from tests.commands import inside, must, prepare
from tests.live import ids


class Clock:
    """A time that only the test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Stranger:
    """A connection of bytes, whatever they are."""

    def __init__(self, end: End) -> None:
        self._end = end
        self._socket = socket.create_connection(("127.0.0.1", end.port))
        self._socket.setblocking(False)
        self.heard, self.is_cut = b"", False
        self.wait()

    def say(self, *said: wire.Said) -> Stranger:
        return self.bytes(b"".join(wire.framed(one) for one in said))

    def bytes(self, data: bytes) -> Stranger:
        with suppress(OSError):
            self._socket.sendall(data)
        self.wait()
        return self

    def wait(self) -> None:
        """The other end does what it does; what it says is kept."""
        for _ in range(6):
            self._end.step()
            try:
                data = self._socket.recv(1 << 20)
                self.is_cut = self.is_cut or not data
                self.heard += data
            except BlockingIOError:
                pass
            except OSError:
                self.is_cut = True

    def words(self) -> list[wire.Said]:
        frames = wire.Frames()
        frames.most = wire.MOST
        frames.feed(self.heard)
        found = []
        while (body := frames.next()) is not None:
            found.append(wire.heard(body))
        return found


class End:
    """The end that listens, in this process, at file `last` of its log; it makes its rounds when it is told to."""

    def __init__(self, folder: str) -> None:
        self.clock = Clock()
        self.shown = Shown(Path(folder))
        self.shown.refresh()
        self.over = OverTcp(self.shown, Teller(False, self.clock), ("127.0.0.1", 0), self.clock)
        self.port = self.over.listen()

    def step(self) -> None:
        self.shown.refresh()
        self.over.step()

    def have(self, **other: Any) -> wire.Have:
        """What an honest caller with the same log says, or something else."""
        plain = {"game": self.shown.game, "seq": self.shown.last, "head": self.shown.head, **other}
        return wire.Have(plain["game"], plain["seq"], plain["head"])

    @contextmanager
    def unharmed(self) -> Iterator[None]:
        """The log is what it was, nothing lies aside, and an honest caller is answered."""
        before, aside = ids("allies"), {*Path("allies").rglob("*not-taken*")}
        yield
        assert ids("allies") == before and {*Path("allies").rglob("*not-taken*")} == aside
        honest = Stranger(self).say(self.have())
        assert honest.words() == [self.have()] and not honest.is_cut


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("games"))


@pytest.fixture
def end(moments: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[End]:
    """The allies listen; Japan's first file is signed, and has not come."""
    monkeypatch.setattr("pbem.cli.live_lines.TICK", 0.01)
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        found = End("allies")
        yield found
        found.over.close()


def first_file() -> bytes:
    return Path("axis/outbox/0001-yamada.yaml").read_bytes()


def forged(**changed: Any) -> bytes:
    document: dict[str, Any] = {**read_document(first_file())[0], **changed}
    return write_document(document).encode()


OTHER = "ab" * 32


def test_nothing_is_said_before_the_right_game(end: End) -> None:
    with end.unharmed():
        silent = Stranger(end)
        assert silent.heard == b"" and not silent.is_cut
        wrong = Stranger(end).say(end.have(game=OTHER))
        assert wrong.heard == b"" and wrong.is_cut
        for said in (wire.Want(1), first_file()[:900]):
            early = Stranger(end).say(said)
            assert early.heard == b"" and early.is_cut
    assert ids("allies") == ids("allies")


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"\x00" * 64,
        b"\xff\xff\xff\xff",
        (wire.MOST_SHORT + 1).to_bytes(4, "big"),
        wire.framed(b'{"have":{}}'),
        wire.framed(b'{"have":' + b"[" * 900),
        wire.framed(b"\xff\xfe" * 20),
    ],
    ids=["http", "zeros", "huge", "long", "empty have", "deep", "bytes"],
)
def test_garbage_closes_its_connection_alone(end: End, data: bytes) -> None:
    with end.unharmed():
        stranger = Stranger(end).bytes(data)
        assert stranger.is_cut and stranger.heard == b""


@pytest.mark.parametrize("end_of_it", [b" ", b"\n", b"#"])
def test_a_word_has_one_spelling(end: End, end_of_it: bytes) -> None:
    with end.unharmed():
        assert Stranger(end).bytes(wire.framed(wire.body_of(end.have()) + end_of_it)).is_cut


def test_a_huge_length_is_not_read(end: End) -> None:
    with end.unharmed():
        stranger = Stranger(end).say(end.have()).bytes((wire.MOST + 1).to_bytes(4, "big"))
        assert stranger.is_cut


@pytest.mark.parametrize(
    "body",
    [
        lambda: forged(note=["Changed on the way."]),
        lambda: forged(game=OTHER),
        lambda: forged(player="nowak"),
        lambda: forged(player="nobody"),
        lambda: forged(type="charter"),
        lambda: first_file()[:700],
        lambda: b"a: [1\n",
        lambda: b'{"want":{"seq":0}}',
        lambda: b'{"want":{"seq":true}}',
        lambda: canonical({"type": "slip", "slip": "resignation"}),
        lambda: Path("axis/charter.yaml").read_bytes().replace(b"yamada", b"tanaka"),
    ],
    ids=["note", "game", "player", "nobody", "type", "half", "yaml", "place 0", "no place", "slip", "charter"],
)
def test_a_forged_file_closes_its_connection_and_leaves_no_trace(end: End, body: Any) -> None:
    with end.unharmed():
        stranger = Stranger(end).say(end.have(seq=1, head=OTHER), body())
        assert stranger.is_cut


def test_a_signature_is_judged_before_the_rules_are(end: End, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("it came as far as the door of `receive`")

    monkeypatch.setattr("pbem.cli.receiving.receive_all", never)
    with end.unharmed():
        assert Stranger(end).say(end.have(seq=1, head=OTHER), forged(note=["Changed."])).is_cut


def test_who_says_nothing_is_cut_after_ten_seconds(end: End) -> None:
    with end.unharmed():
        slow = Stranger(end).bytes(b"\x00")
        end.clock.now += lines.FIRST_WORD - 1
        slow.wait()
        assert not slow.is_cut
        slow.bytes(b"\x00")
        end.clock.now += 2
        slow.wait()
        assert slow.is_cut and slow.heard == b""


def test_a_message_that_drips_is_cut(end: End) -> None:
    with end.unharmed():
        slow = Stranger(end).say(end.have())
        slow.bytes(wire.framed(first_file())[:100])
        for _ in range(7):
            end.clock.now += 10
            slow.bytes(b"x")
        assert slow.is_cut


def test_four_connections_and_the_mute_one_makes_room(end: End) -> None:
    four = [Stranger(end).say(end.have()) for _ in range(3)] + [Stranger(end)]
    assert not any(one.is_cut for one in four)
    fifth = Stranger(end).say(end.have())
    four[3].wait()
    assert four[3].is_cut and fifth.words() == [end.have()]
    sixth = Stranger(end).say(end.have())
    assert sixth.is_cut and not sixth.heard and not fifth.is_cut
    assert len(end.over._net.lines) == lines.MOST_LINES


def test_a_flood_of_files_that_nobody_wanted_is_cut(end: End) -> None:
    must("receive", "axis/outbox", "-g", "allies")
    with end.unharmed():
        stranger = Stranger(end).say(end.have())
        for n in range(lines.UNASKED + 1):
            assert not stranger.is_cut, n
            stranger.say(first_file())
        assert stranger.is_cut


def test_what_was_promised_is_no_leave_to_flood(end: End) -> None:
    """Who says that he holds a million files brings those that were asked for, or nothing."""
    must("receive", "axis/outbox", "-g", "allies")
    with end.unharmed():
        stranger = Stranger(end).say(end.have(seq=wire.MOST_SEQ, head=OTHER))
        for _ in range(lines.UNASKED + 2):
            stranger.say(first_file())
        assert stranger.is_cut


def test_a_flood_of_questions_is_cut(end: End) -> None:
    must("receive", "axis/outbox", "-g", "allies")
    with end.unharmed():
        stranger = Stranger(end).say(end.have(seq=0, head=end.shown.game))
        for _ in range(lines.UNASKED + 2):
            stranger.say(wire.Want(1))
        assert stranger.is_cut


def test_a_flood_of_words_is_cut(end: End) -> None:
    with end.unharmed():
        stranger = Stranger(end)
        for _ in range(lines.WORDS // 100 + 1):
            stranger.say(*[end.have()] * 100)
        assert stranger.is_cut


def test_who_says_that_he_holds_another_file_and_shows_none_stops_nothing(end: End) -> None:
    must("receive", "axis/outbox", "-g", "allies")
    with end.unharmed():
        liar = Stranger(end).say(end.have(head=OTHER))
        assert not liar.is_cut and Path("allies/files/0002-nowak.yaml").read_bytes() in liar.words()
        end.clock.now += 11
        liar.wait()
        assert liar.is_cut


def test_a_file_that_the_rules_refuse_is_kept_and_not_asked_for_again(end: End) -> None:
    """It is signed, so it is evidence; its line is closed, and the loop goes on."""
    document = {**read_document(first_file())[0], "orders": [{"move": "99 infantry from Tokyo to Rome"}]}
    unlawful = turnfile.sign({k: v for k, v in document.items() if k != "signature"}, Session.open(Path("axis")).private)
    caller = Stranger(end).say(end.have(seq=1, head=document_id(unlawful)))
    assert caller.words()[1:] == [wire.Want(1)]
    assert caller.say(write_document(unlawful).encode()).is_cut and len(ids("allies")) == 1
    assert [*Path("allies/aside").glob("not-taken-*")]
    again = Stranger(end).say(end.have(seq=1, head=document_id(unlawful)))
    assert again.words() == [end.have()] and not again.is_cut


def test_an_honest_file_is_taken_and_answered(end: End) -> None:
    """Among all that: the caller is ahead, is asked, and gets the file that the program answers with."""
    head = Shown(Path("axis"))
    head.refresh()
    caller = Stranger(end).say(end.have(seq=1, head=head.head))
    assert caller.words()[1:] == [wire.Want(1)]
    caller.say(first_file())
    assert len(ids("allies")) == 3 and caller.words()[-1] == end.have(seq=2, head=end.shown.head)
    caller.say(wire.Want(2))
    assert caller.words()[-1] == Path("allies/outbox/0002-nowak.yaml").read_bytes()


def test_a_lock_of_another_program_delays_a_file_and_loses_none(end: End) -> None:
    head = Shown(Path("axis"))
    head.refresh()
    caller = Stranger(end).say(end.have(seq=1, head=head.head))
    with end.shown.session.folder.lock():
        caller.say(first_file())
        assert len(ids("allies")) == 1 and not caller.is_cut
    caller.wait()
    assert len(ids("allies")) == 3


@pytest.mark.parametrize("pieces", [1, 3, 1000])
def test_frames_are_found_however_the_bytes_come(pieces: int) -> None:
    said: list[wire.Said] = [wire.Have(OTHER, 3, OTHER), wire.Want(4), b"x" * 1000]
    data, frames, found = b"".join(map(wire.framed, said)), wire.Frames(), list[wire.Said]()
    for start in range(0, len(data), pieces):
        frames.feed(data[start : start + pieces])
        while (body := frames.next()) is not None:
            found.append(wire.heard(body))
    assert found == said and not frames.is_half
