"""The log line by line, the disk step by step, names of files and scenarios: exact bytes and exact words."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pbem import shipped
from pbem.games.module import GameModule
from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import disk as disks
from pbem.store import library, naming
from pbem.store.disk import Disk, NotWritten
from pbem.store.log import START, Log, bundle, check_times
from pbem.store.paths import LOCK
from tests.toygame.skirmish import Skirmish


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def refusal(attempt: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as refused:
        attempt()
    return refused.value.outcome, str(refused.value)


def line(n: int, prev: str = START, **changes: Any) -> bytes:
    entry = {"n": n, "prev": prev, "kind": "file", "received": "t", "document": {"i": n}, **changes}
    return canonical(entry) + b"\n"


# -- the log -------------------------------------------------------------------------------------------------------


def test_an_entry_is_one_canonical_line_chained_to_the_one_before(path: Path) -> None:
    log = Log.open(Disk(), path)
    assert (log.entries, log.head, log.torn, log.size) == ([], "0" * 64, "", 0)
    log.append("charter", {"b": "ł", "a": 1}, "2026-01-01T00:00:00Z")
    first = canonical(
        {"n": 0, "prev": START, "kind": "charter", "received": "2026-01-01T00:00:00Z", "document": {"b": "ł", "a": 1}}
    )
    assert path.read_bytes() == first + b"\n" and log.head == sha256_hex(first) and log.size == len(first) + 1
    log.append("file", {"i": 1}, "t")
    second = canonical({"n": 1, "prev": sha256_hex(first), "kind": "file", "received": "t", "document": {"i": 1}})
    assert path.read_bytes() == first + b"\n" + second + b"\n" and log.size == len(path.read_bytes())
    again = Log.open(Disk(), path)
    assert (again.entries, again.head, again.size, again.torn) == (log.entries, log.head, log.size, "")
    assert again.entries[1] == json.loads(second) and again.head == sha256_hex(second)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"nonsense\n", "log entry 0 is not readable"),
        (b"\n", "log entry 0 is not readable"),
        (b"\xff\n", "log entry 0 is not readable"),
        (b"[" * 100_000 + b"\n", "log entry 0 is not readable"),
        (b"1.5\n", "log entry 0 is not readable"),
        (b"[]\n", "log entry 0 does not follow entry −1"),
        (line(1), "log entry 0 does not follow entry −1"),
        (line(0, "1" * 64), "log entry 0 does not follow entry −1"),
        (line(0) + line(1), "log entry 1 does not follow entry 0"),
        (line(0) + line(0, sha256_hex(line(0)[:-1])), "log entry 1 does not follow entry 0"),
        (line(0).replace(b",", b", "), "log entry 0 is not in canonical form"),
        (line(0, kind="letter"), "log entry 0 is no charter, file or slip"),
        (line(0, odd=1), "log entry 0 is no charter, file or slip"),
        (line(0, document=[]), "log entry 0 is no charter, file or slip"),
        (canonical({"n": 0, "prev": START, "kind": "file", "document": {}}) + b"\n", "log entry 0 is no charter, file or slip"),
    ],
)
def test_damage_is_named_with_its_entry(path: Path, data: bytes, why: str) -> None:
    path.write_bytes(data)
    assert refusal(lambda: Log.open(Disk(), path)) == (Outcome.LOG_DAMAGED, why)


def long_log(path: Path, lines: int = 40, spoilt: int = -1) -> list[bytes]:
    """A log of so many lines; one of them with a blank behind a comma, and the lines behind it linked to that."""
    written: list[bytes] = []
    for n in range(lines):
        made = line(n, sha256_hex(written[-1][:-1]) if written else START)
        written.append(made.replace(b",", b", ", 1) if n == spoilt else made)
    path.write_bytes(b"".join(written))
    return written


def test_a_long_log_is_opened_by_its_links_and_read_to_the_last_letter_by_a_check(path: Path) -> None:
    written = long_log(path)
    log = Log.open(Disk(), path)
    assert [e["n"] for e in log.entries] == [*range(40)] and log.head == sha256_hex(written[-1][:-1])
    log.check()
    long_log(path, spoilt=3)
    why = (Outcome.LOG_DAMAGED, "log entry 3 is not in canonical form")
    assert refusal(Log.open(Disk(), path).check) == why
    long_log(path, spoilt=30)
    assert refusal(lambda: Log.open(Disk(), path)) == (Outcome.LOG_DAMAGED, "log entry 30 is not in canonical form")


@pytest.mark.parametrize("at", [0, 3, 23, 24, 38])
def test_a_letter_changed_anywhere_in_a_long_log_is_noticed_on_opening(path: Path, at: int) -> None:
    written = long_log(path)
    written[at] = written[at].replace(b'"received":"t"', b'"received":"u"')
    path.write_bytes(b"".join(written))
    why = f"log entry {at + 1} does not follow entry {at}"
    assert refusal(lambda: Log.open(Disk(), path)) == (Outcome.LOG_DAMAGED, why)


@pytest.mark.parametrize(
    ("at", "changes"), [(2, {"kind": "letter"}), (2, {"odd": 1}), (2, {"document": []}), (2, {"received": 5})]
)
def test_an_old_line_of_another_shape_is_named(path: Path, at: int, changes: dict[str, Any]) -> None:
    written: list[bytes] = []
    for n in range(20):
        prev = sha256_hex(written[-1][:-1]) if written else START
        written.append(line(n, prev, **(changes if n == at else {})))
    path.write_bytes(b"".join(written))
    why = f"log entry {at} is no charter, file or slip"
    assert refusal(lambda: Log.open(Disk(), path)) == (Outcome.LOG_DAMAGED, why)


def test_an_unfinished_line_is_left_out_and_goes_with_the_next_append(path: Path) -> None:
    path.write_bytes(line(0) + b'{"n":1,')
    log = Log.open(Disk(), path)
    assert log.torn == (
        "an unfinished last line of 7 bytes was dropped: something stopped while it was written, or the file was cut"
    )
    assert len(log.entries) == 1 and log.size == len(line(0))
    log.append("file", {"i": 1}, "t")
    assert path.read_bytes() == line(0) + line(1, sha256_hex(line(0)[:-1]))


def test_another_program_that_wrote_in_between_is_noticed(path: Path) -> None:
    one, other = Log.open(Disk(), path), Log.open(Disk(), path)
    one.append("file", {"i": 0}, "t")
    why = f"another program has written to {path} since this one read it; nothing was written: give the command again"
    assert refusal(lambda: other.append("file", {"i": 9}, "t")) == (Outcome.NOT_WRITTEN, why)
    third = Log.open(Disk(), path)
    one.append("file", {"i": 1}, "t")
    assert refusal(lambda: third.append("file", {"i": 9}, "t"))[0] is Outcome.NOT_WRITTEN
    path.write_bytes(line(0, received="u") + path.read_bytes()[len(line(0)) :])
    one.append("file", {"i": 2}, "t")
    path.write_bytes(line(0))
    assert refusal(lambda: one.append("file", {"i": 3}, "t"))[0] is Outcome.NOT_WRITTEN
    assert path.read_bytes() == line(0)


def test_a_log_of_other_kinds_holds_those_alone(path: Path) -> None:
    Log.open(Disk(), path).append("signed", {"i": 0}, "t")
    assert refusal(lambda: Log.open(Disk(), path)) == (Outcome.LOG_DAMAGED, "log entry 0 is no charter, file or slip")
    assert Log.open(Disk(), path, ("signed",)).entries[0]["kind"] == "signed"


def test_files_slips_and_withdrawals(path: Path) -> None:
    log = Log.open(Disk(), path)
    for kind, document in (
        ("charter", {"game": "x"}),
        ("slip", {"slip": "one"}),
        ("file", {"seq": 1}),
        ("file", {"seq": 2}),
        ("file", {"seq": 3}),
        ("withdrawn", {"seq": 2}),
        ("slip", {"slip": "two"}),
        ("file", {"seq": 2, "again": True}),
    ):
        log.append(kind, document, "t")  # type: ignore[arg-type]
        log.files()
    assert log.files() == [{"game": "x"}, {"seq": 1}, {"seq": 2, "again": True}]
    assert log.slips() == [{"slip": "one"}, {"slip": "two"}]
    assert [e["n"] for e in log.standing()] == [0, 2, 7]
    log.standing().clear()
    assert len(log.standing()) == 3, "what is given out is a copy"


def test_a_whole_game_as_one_document() -> None:
    files = [{"pbem": 2, "type": "charter", "signatures": {}}, {"seq": 1, "signature": "x"}]
    assert bundle(files, [{"slip": "one"}]) == {
        "pbem": 2,
        "type": "game",
        "charter": files[0],
        "files": [files[1]],
        "slips": [{"slip": "one"}],
        "head": document_id(files[1]),
    }


# -- the disk ------------------------------------------------------------------------------------------------------


class Recording(Disk):
    """Writes down every step; one of them may fail."""

    def __init__(self, fails: str = "", error: int = errno.ENOSPC) -> None:
        self.steps: list[str] = []
        self.fails, self.error = fails, error

    def _step(self, name: str) -> None:
        self.steps.append(name)
        if name == self.fails:
            raise OSError(self.error, "no room")

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        self._step("open")
        return super().open(path, flags, mode)

    def put(self, descriptor: int, data: bytes) -> int:
        self._step("put")
        return super().put(descriptor, data[:3])

    def sync(self, descriptor: int) -> None:
        self._step("sync")
        super().sync(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        self._step("rename")
        super().rename(old, new)

    def sync_folder(self, folder: Path) -> None:
        self._step(f"sync {folder.name}")
        super().sync_folder(folder)

    def truncate(self, descriptor: int, size: int) -> None:
        self._step(f"truncate {size}")
        super().truncate(descriptor, size)


class Meeting(Disk):
    """At one step of it something else happens first, once."""

    def __init__(self, step: str, meanwhile: Callable[[], None]) -> None:
        self.step, self.meanwhile = step, meanwhile

    def _meet(self, step: str) -> None:
        if step == self.step:
            self.step = ""
            self.meanwhile()

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        self._meet("open")
        return super().open(path, flags, mode)

    def put(self, descriptor: int, data: bytes) -> int:
        self._meet("put")
        return super().put(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._meet("sync")
        super().sync(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        self._meet("rename")
        super().rename(old, new)


def test_an_append_in_its_steps(path: Path) -> None:
    disk, folder = Recording(), path.parent.name
    disk.append(path, b"abcde", 0)
    assert disk.steps == ["open", "put", "put", "sync", f"sync {folder}"] and path.read_bytes() == b"abcde"
    disk.steps.clear()
    disk.append(path, b"fg", 5)
    assert disk.steps == ["open", "put", "sync"] and path.read_bytes() == b"abcdefg"
    disk.steps.clear()
    disk.append(path, b"x", 3)
    assert disk.steps == ["open", "truncate 3", "put", "sync"] and path.read_bytes() == b"abcx"


def test_an_append_that_fails_leaves_what_was_there(path: Path) -> None:
    path.write_bytes(b"abc")
    for step in ("put", "sync"):
        with pytest.raises(NotWritten) as failed:
            Recording(step).append(path, b"defg", 3)
        assert (failed.value.errno, failed.value.strerror, failed.value.filename) == (errno.ENOSPC, "no room", str(path))
        assert path.read_bytes() == b"abc"


def test_a_replacement_in_its_steps(path: Path) -> None:
    disk, beside = Recording(), path.with_name("log.jsonl.new")
    beside.write_text("left by a crash")
    disk.replace(path, b"new", 0o600)
    assert disk.steps == ["open", "put", "sync", "rename", f"sync {path.parent.name}"]
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o777 == 0o600 and not beside.exists()
    for step in ("open", "put", "sync", "rename"):
        with pytest.raises(NotWritten):
            Recording(step).replace(path, b"newer")
        assert path.read_bytes() == b"new"
    umask = os.umask(0)
    try:
        Disk().replace(path, b"plain")
        assert path.stat().st_mode & 0o777 == 0o644
    finally:
        os.umask(umask)


@pytest.mark.parametrize("step", ["open", "put", "sync", "rename"])
def test_two_programs_that_replace_a_file_wait_for_each_other(path: Path, step: str) -> None:
    """The second begins at this step of the first: both are written whole, and nothing is left beside them."""
    second = threading.Thread(target=lambda: Disk().replace(path, b"second"))

    def meanwhile() -> None:
        second.start()
        second.join(0.1)
        assert second.is_alive(), "it waits"

    Meeting(step, meanwhile).replace(path, b"first one")
    second.join(5)
    assert path.read_bytes() == b"second" and [*path.parent.iterdir()] == [path]


def test_a_program_that_never_ends_a_replacement_is_told_of(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disks, "MOMENT", 0.05)
    path.write_bytes(b"old")

    def meanwhile() -> None:
        with pytest.raises(BlockingIOError):
            Disk().replace(path, b"second")

    Meeting("put", meanwhile).replace(path, b"first")
    assert path.read_bytes() == b"first"


def test_a_file_is_replaced_where_folders_have_no_locks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", None)
    Disk().replace(path, b"new")
    monkeypatch.undo()
    Disk().replace(path.with_name("2"), b"new")

    def unlocked(file: Any, flags: int, *mode: int) -> int:
        if flags == os.O_RDONLY:
            raise PermissionError("as on Windows")
        return opened(file, flags, *mode)

    opened = os.open
    monkeypatch.setattr(os, "open", unlocked)
    Disk().replace(path.with_name("3"), b"new")
    assert {p.read_bytes() for p in path.parent.iterdir()} == {b"new"} and len([*path.parent.iterdir()]) == 3


def test_programs_that_write_one_file_all_day_spoil_nothing(path: Path) -> None:
    """Real processes, none of which fails or ever shows half a file."""
    script = (
        "import sys; from pathlib import Path; from pbem.store.disk import Disk\n"
        "for n in range(20): Disk().replace(Path(sys.argv[1]), sys.argv[2].encode() * 60_000)"
    )
    path.write_bytes(b"")
    both = [subprocess.Popen([sys.executable, "-c", script, str(path), mark], stderr=subprocess.PIPE) for mark in "ab"]
    while any(one.poll() is None for one in both):
        shown = path.read_bytes()
        assert shown in (b"", b"a" * 60_000, b"b" * 60_000)
    assert [one.communicate()[1] for one in both] == [b"", b""]
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]


def test_a_whole_folder_in_its_steps(tmp_path: Path) -> None:
    disk, target = Recording(), tmp_path / "f"
    (tmp_path / "f.new" / "0123456789abcdef").mkdir(parents=True)  # left by a crash
    with disk.whole_folder(target, 0o700) as beside:
        assert beside.parent == tmp_path / "f.new" and len(beside.name) == 16 and not [*beside.iterdir()]
    assert disk.steps == ["rename", f"sync {tmp_path.name}"] and target.stat().st_mode & 0o777 == 0o700
    with pytest.raises(NotWritten), Recording("rename").whole_folder(tmp_path / "g"):
        pass
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f"]


def test_what_a_crash_left_and_nobody_can_remove_keeps_no_folder_from_its_name(tmp_path: Path) -> None:
    left = tmp_path / "f.new" / "0123456789abcdef"
    left.parent.mkdir()
    left.write_text("no folder")
    with Disk().whole_folder(tmp_path / "f") as beside:
        (beside / "one").touch()
    assert [p.name for p in (tmp_path / "f").iterdir()] == ["one"] and left.exists()


def test_programs_of_one_home_write_there_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, order, umask = tmp_path / "home", list[str](), os.umask(0)

    def second() -> None:
        with Disk().alone_at(home):
            order.append("second")

    try:
        other = threading.Thread(target=second)
        with Disk().alone_at(home):
            assert [p.name for p in home.iterdir()] == [LOCK] and home.stat().st_mode & 0o777 == 0o700
            other.start()
            other.join(0.1)
            order.append("first")
        other.join(5)
    finally:
        os.umask(umask)
    assert order == ["first", "second"], "a moment is waited for"
    monkeypatch.setattr(disks, "MOMENT", 0.05)
    with Disk().alone_at(home), pytest.raises(BlockingIOError), Disk().alone_at(home):
        pass


def test_a_folder_of_somebodys_own_beside_a_new_one_stays(tmp_path: Path) -> None:
    (tmp_path / "f.new" / "holiday").mkdir(parents=True)
    with Disk().whole_folder(tmp_path / "f"):
        pass
    assert [p.name for p in (tmp_path / "f.new").iterdir()] == ["holiday"]


@pytest.mark.parametrize("first", ["begun", "done"])
def test_two_programs_that_fill_one_folder_leave_the_one_that_is_done_first(tmp_path: Path, first: str) -> None:
    """Each in a place of its own, whichever began first; the other one is told plainly, and takes its own along."""
    target, one, other = tmp_path / "f", ExitStack(), ExitStack()
    its = one.enter_context(Disk().whole_folder(target))
    (its / "mine").write_text("1")
    also = other.enter_context(Disk().whole_folder(target))
    (also / "his").write_text("2")
    done, late = (one, other) if first == "begun" else (other, one)
    done.close()
    kept = [p.name for p in target.iterdir()]
    assert refusal(late.close) == (Outcome.UNREADABLE, f"{target} exists already: name a new folder")
    assert kept == [p.name for p in target.iterdir()] == (["mine"] if first == "begun" else ["his"])
    assert [*tmp_path.iterdir()] == [target]


def test_what_goes_wrong_while_another_program_fills_the_folder_is_told_as_it_is(tmp_path: Path) -> None:
    """One that fails leaves the other's alone; an empty folder may be filled, and a file there is an error by name."""
    target, one = tmp_path / "f", ExitStack()
    target.mkdir()
    also = one.enter_context(Disk().whole_folder(target))
    (also / "his").write_text("2")
    with pytest.raises(ValueError), Disk().whole_folder(target) as beside:
        (beside / "mine").write_text("1")
        raise ValueError
    assert [*(tmp_path / "f.new").iterdir()] == [also]
    one.close()
    assert [p.name for p in target.iterdir()] == ["his"] and [*tmp_path.iterdir()] == [target]
    (tmp_path / "file").write_text("here")
    with pytest.raises(NotWritten) as failed, Disk().whole_folder(tmp_path / "file"):
        pass
    assert str(failed.value.filename).startswith(str(tmp_path / "file.new"))
    assert (tmp_path / "file").read_text() == "here" and len([*tmp_path.iterdir()]) == 2


def test_a_folder_is_whole_whatever_becomes_of_the_place_where_it_was_filled(tmp_path: Path) -> None:
    """Another program may have removed that already; and an error of whoever fills it is told by the folder's name."""

    class Tidied(Disk):
        def rename(self, old: Path, new: Path) -> None:
            super().rename(old, new)
            old.parent.rmdir()

    with Tidied().whole_folder(tmp_path / "f") as beside:
        (beside / "one").touch()
    assert [p.name for p in (tmp_path / "f").iterdir()] == ["one"]
    with pytest.raises(NotWritten) as failed, Disk().whole_folder(tmp_path / "g"):
        raise OSError("just words")
    assert (failed.value.strerror, failed.value.filename) == ("just words", str(tmp_path / "g"))


def test_an_append_that_cannot_even_be_taken_back_tells_what_went_wrong_first(path: Path) -> None:
    class Broken(Disk):
        def put(self, descriptor: int, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "full")

        def truncate(self, descriptor: int, size: int) -> None:
            raise OSError(errno.EIO, "broken")

    with pytest.raises(NotWritten) as failed:
        Broken().append(path, b"x", 0)
    assert (failed.value.errno, failed.value.filename) == (errno.ENOSPC, str(path))


def test_reading_and_removing(path: Path) -> None:
    disk = Disk()
    assert disk.tail(path, 5) == b""
    path.write_bytes(b"abcdef")
    assert disk.read(path) == b"abcdef" and disk.tail(path, 4) == b"ef" and disk.tail(path, 9) == b""
    disk.remove(path)
    disk.remove(path)
    assert not path.exists()
    disk.make_folder(path / "a" / "b")
    disk.make_folder(path / "a" / "b")
    assert (path / "a" / "b").is_dir()
    with pytest.raises(NotWritten) as failed:
        disk.remove(path)
    assert failed.value.filename == str(path)


def test_an_error_of_writing_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(NotWritten) as failed:
        Disk().replace(tmp_path / "no" / "file", b"x")
    assert failed.value.errno == errno.ENOENT and str(tmp_path / "no") in failed.value.filename
    with pytest.raises(NotWritten) as plain, disks._named(tmp_path):
        raise OSError("just words")
    assert (plain.value.errno, plain.value.strerror, plain.value.filename) == (None, "just words", str(tmp_path))
    for error in (BlockingIOError(1, "x"), NotWritten(2, "y", "z")):
        with pytest.raises(type(error)) as same, disks._named(tmp_path):
            raise error
        assert same.value is error


def test_one_program_at_a_time_and_none_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk, lock = Disk(), tmp_path / "lock"
    with disk.lock(lock), pytest.raises(BlockingIOError), disk.lock(lock):
        pass
    with disk.lock(lock):
        pass
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", None)
    with pytest.raises(NotWritten) as none, disk.lock(lock):
        pass
    assert none.value.errno == errno.ENOLCK
    assert none.value.strerror == "this system cannot lock files, so that two programs could sign at once"


def test_the_lock_of_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    calls: list[tuple[str, int]] = []

    def locking(descriptor: int, how: str, size: int) -> None:
        assert os.path.samestat(os.fstat(descriptor), (tmp_path / "lock").stat())
        if calls:
            raise OSError(13, "Permission denied")
        calls.append((how, size))

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK="nblck"))  # type: ignore[arg-type]
    with Disk().lock(tmp_path / "lock"):
        assert calls == [("nblck", 1)]
        with pytest.raises(BlockingIOError) as taken, Disk().lock(tmp_path / "lock"):
            pass
        assert (taken.value.errno, taken.value.strerror) == (errno.EAGAIN, "locked by another program")


# -- names ---------------------------------------------------------------------------------------------------------


def test_players_parts_of_file_names() -> None:
    players = ["山田", "nowak", "Łukasz"]
    assert [naming.in_game(p, players) for p in ("nowak", "Łukasz", "山田")] == ["nowak", "p2", "p3"]
    assert naming.in_game("Łukasz", []) == "p1" and naming.in_game("com1", ["com1", "aaa"]) == "p2"
    assert naming.of_key("nowak-2") == "nowak-2"
    for odd in ("Łukasz", "Nowak", "con", "lpt9", "o'neil"):
        assert naming.of_key(odd) == f"key-{sha256_hex(odd.encode())[:16]}"
    for plain in ("con1", "com", "com10", "null", "xcon"):
        assert naming.of_key(plain) == plain


def test_names_in_the_outbox() -> None:
    assert naming.of_outgoing({"type": "turn", "seq": 7}, "nowak") == "0007-nowak"
    assert naming.of_outgoing({"type": "slip", "slip": "request"}, "p2") == "slip-request-p2"
    assert naming.of_outgoing({"type": "slip", "slip": "overdue", "place": 12}, "p2") == "slip-overdue-0012-p2"
    ruling = {"type": "slip", "slip": "ruling", "place": 3, "then": "loss"}
    assert naming.of_outgoing(ruling, "p2") == "slip-ruling-0003-loss-p2"
    for kind in ("head", "restored"):
        slip = {"type": "slip", "slip": kind, "place": 3}
        assert naming.of_outgoing(slip, "p2") == f"slip-{kind}-{document_id(slip)[:12]}-p2"
    assert naming.of_outgoing({"type": "note", "n": 3, "seq": 8}, "p2") == "note-0003-p2"


def test_every_player_writes_the_same_name_for_a_heal_and_two_heals_have_two() -> None:
    heals = [{"type": "heal", "seq": 12, "n": 1, "versions": [[version]]} for version in ("one", "other")]
    names = [naming.of_outgoing(heal, "nowak") for heal in heals]
    assert names == [f"heal-0012-{document_id(heal)[:12]}" for heal in heals] and names[0] != names[1]
    assert names == [naming.of_outgoing(heal, "p2") for heal in heals]


@pytest.mark.usefixtures("ascii_system")
def test_scenarios_are_found_and_unknown_ones_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "pbem"
    checkout = tmp_path / "scenarios" / "race" / "compiled"
    checkout.mkdir(parents=True)
    for name in ("b", "a"):
        (checkout / f"{name}.json").write_text(json.dumps({"named": name, "ł": "ł"}, ensure_ascii=False), "utf-8")
    (checkout / "c.txt").touch()
    monkeypatch.setattr(shipped, "_PACKAGE", package)

    class Race(Skirmish):
        name = "race"

    class Empty(Skirmish):
        name = "none"

    monkeypatch.setattr(Skirmish, "home", GameModule.home)
    race, empty = Race(), Empty()
    assert shipped.data_folder("scenarios") == tmp_path / "scenarios"
    assert library.scenario_names(race) == ["a", "b"] and library.scenario_names(empty) == []
    assert library.load_scenario(race, "b") == {"named": "b", "ł": "ł"}
    assert refusal(lambda: library.load_scenario(race, "c")) == (
        Outcome.UNREADABLE,
        "there is no scenario 'c'; there are: a, b",
    )
    assert refusal(lambda: library.load_scenario(empty, "c"))[1] == "there is no scenario 'c'; there are: none"
    packed = package / "_data" / "scenarios"
    packed.mkdir(parents=True)
    assert shipped.data_folder("scenarios") == packed


def test_what_has_no_name_in_an_error_gets_that_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"

    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(errno.EIO, "broken")

    class Broken(Disk):
        mkdir = rename = staticmethod(fail)

    def filled() -> None:
        with Broken().whole_folder(path):
            raise AssertionError("there is no folder")

    for call in (lambda: Broken().replace(path, b"x"), lambda: Broken().make_folder(path), filled):
        with pytest.raises(NotWritten) as failed:
            call()
        assert str(failed.value.filename).partition(".new")[0] == str(path), call
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", fail)
        with pytest.raises(NotWritten) as failed:
            Disk().remove(path)
        assert failed.value.filename == str(path)
    for where, name in ((os, "open"), (disks, "_take_lock")):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, fail)
            with pytest.raises(NotWritten) as failed, Disk().lock(path):
                pass
        assert failed.value.filename == str(path)


def test_modes_that_nobody_names(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        Disk().make_folder(tmp_path / "a")
        with Disk().whole_folder(tmp_path / "b"), Disk().lock(tmp_path / "lock"):
            pass
        os.close(Disk().open(tmp_path / "c", os.O_WRONLY | os.O_CREAT))
    finally:
        os.umask(umask)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "b", "lock", "c")]
    assert modes == [0o755, 0o755, 0o644, 0o644]


def test_a_lock_waits_for_nobody_unless_it_is_told_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(disks.clock, "ticks", lambda: float(len(waited)))  # type: ignore[attr-defined]
    monkeypatch.setattr(disks.clock, "wait", waited.append)  # type: ignore[attr-defined]
    with Disk().lock(tmp_path / "lock"):
        for patience, waits in ((None, 0), (2, 2)):
            waited.clear()
            with pytest.raises(BlockingIOError), Disk().lock(tmp_path / "lock", *([patience] if patience else [])):
                pass
            assert waited == [0.02] * waits


TIMES = ("", "today", "2026-01-02", "2026-01-02T03:04:05", " 2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z\n")


@pytest.mark.parametrize("received", TIMES)
def test_an_entry_that_does_not_say_when_it_came_is_named(received: str, path: Path) -> None:
    log = Log(Disk(), path)
    for n in range(2):
        log.append("file", {"seq": n}, "2026-01-02T03:04:05Z")
    check_times(log)
    log.append("file", {"seq": 2}, received)
    said = "log entry 2 does not say when it was received"
    assert refusal(lambda: check_times(log)) == (Outcome.LOG_DAMAGED, said)
