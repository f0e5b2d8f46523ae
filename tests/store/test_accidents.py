"""Accidents of the disk and of the log: one plain sentence, the right outcome, what is lost and what to do."""

from __future__ import annotations

import errno
import json
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.cli import faults
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.store import backups
from pbem.store.disk import Disk, NotWritten
from tests.commands import Done, inside, must, prepare, run
from tests.store.failing_disk import FailingDisk, Failure, everywhere

LOG = Path("axis/log.jsonl")


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("moments"))


@pytest.fixture
def at(moments: dict[str, Path], tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """A copy of the game at a moment as the current folder."""
    with inside(tmp_path):

        def go(moment: str) -> None:
            for old in Path().iterdir():
                shutil.rmtree(old) if old.is_dir() else old.unlink()
            shutil.copytree(moments[moment], ".", dirs_exist_ok=True)

        yield go


def plain(done: Done, outcome: Outcome) -> str:
    """The one sentence of a command that failed."""
    assert done.code == outcome.code and "Traceback" not in done.err, done
    (line,) = done.err.splitlines()
    assert line.startswith(f"{outcome.word}: ") and "[Errno" not in line
    return line


# -- the log -------------------------------------------------------------------------------------------------------------------


def test_every_damaged_byte_is_called_so_and_its_entry_named(at: Callable[[str], None]) -> None:
    at("answered")
    whole, dice = LOG.read_bytes(), random.Random(1)
    lines = whole.splitlines(keepends=True)
    for _ in range(25):
        place, byte = dice.randrange(len(whole)), dice.choice([0, 10, 34, 255, ord("x"), ord("7")])
        if whole[place] in (byte, 10):  # a line end that is gone is a cut or two lines in one
            continue
        entry = next(n for n in range(len(lines)) if place < len(b"".join(lines[: n + 1])))
        LOG.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
        for words in (["verify"], ["status"]):
            line = plain(run(*words, "-g", "axis"), Outcome.LOG_DAMAGED)
            assert f"entry {entry}" in line or f"entry {entry + 1}" in line, (place, byte, line)
            assert "is lost in this folder only" in line and "pbem restore" in line and "pbem receive" in line
    LOG.write_bytes(whole)
    assert run("verify", "-g", "axis").code == 0


def test_a_time_that_is_none_is_damage_too(at: Callable[[str], None]) -> None:
    at("answered")
    *before, last = LOG.read_bytes().splitlines(keepends=True)
    entry = json.loads(last)
    LOG.write_bytes(b"".join(before) + last.replace(entry["received"].encode(), entry["received"][:-3].encode() + b"x0Z"))
    line = plain(run("status", "-g", "axis"), Outcome.LOG_DAMAGED)
    assert f"entry {entry['n']} does not say when it was received" in line


@pytest.mark.parametrize("words", [["verify"], ["log"], ["report"], ["map"], ["orders"], ["check", "o.yaml"]])
@pytest.mark.parametrize("cut", ["at a line end", "in a line", "one byte", "all but one entry", "all"])
def test_a_log_that_was_cut_is_not_shown_as_whole(words: list[str], cut: str, at: Callable[[str], None]) -> None:
    at("answered")
    lines = LOG.read_bytes().splitlines(keepends=True)
    left = {
        "at a line end": lines[:-1],
        "in a line": [*lines[:-1], lines[-1][:50]],
        "one byte": [*lines[:-1], lines[-1][:-1]],
        "all but one entry": lines[:1],
        "all": [],
    }
    LOG.write_bytes(b"".join(left[cut]))
    line = plain(run(*words, "-g", "axis"), Outcome.LOG_DAMAGED)
    assert "was longer: files/000" in line and "is a copy of what stood behind it" in line and "pbem status" in line


@pytest.mark.parametrize("keep", [1, 2])
def test_status_takes_back_what_lies_in_the_folder_and_says_so(keep: int, at: Callable[[str], None]) -> None:
    at("answered")
    files = json.loads(must("verify", "-g", "axis", "--json"))
    LOG.write_bytes(b"".join(LOG.read_bytes().splitlines(keepends=True)[:keep]))
    assert "the log had lost file" in must("status", "-g", "axis")
    assert json.loads(must("verify", "-g", "axis", "--json")) == files
    assert "had lost" not in must("status", "-g", "axis")


@pytest.mark.parametrize("left", [None, b"", bytes(5000)], ids=["gone", "empty", "zeros"])
def test_a_log_of_which_nothing_is_left_begins_again_with_the_copies(left: bytes | None, at: Callable[[str], None]) -> None:
    at("answered")
    files = json.loads(must("verify", "-g", "axis", "--json"))
    if left is None:
        LOG.unlink()
    else:
        LOG.write_bytes(left)
    again = run("send", "o.yaml", "--yes", "-g", "axis")
    assert "signed by everybody" not in again.err and again.code != 0, "it is no draft, and the file is signed already"
    must("status", "-g", "axis")
    assert json.loads(must("verify", "-g", "axis", "--json")) == files
    must("receive", "allies/outbox", "-g", "axis")


def test_folders_that_a_copy_has_lost_are_made_again(at: Callable[[str], None]) -> None:
    """Programs that keep files, git say, copy no empty folder, and a hurried hand copies files alone."""
    at("sent")
    for command in (["status"], ["receive", "allies/files"]):
        for name in ("files", "outbox", "reports"):
            shutil.rmtree(Path("axis", name))
        must(*command, "-g", "axis")
        assert Path("axis/outbox/0001-yamada.yaml").exists(), "the newest file can be handed out"
        assert Path("axis/files").is_dir() and Path("axis/reports").is_dir()


def test_orders_and_signed_files_are_told_apart(at: Callable[[str], None]) -> None:
    """A tired player gives `send` what he was sent, and his friend the orders that he has not signed."""
    at("sent")
    given = plain(run("send", "axis/outbox/0001-yamada.yaml", "--yes", "-g", "axis"), Outcome.UNREADABLE)
    assert "this is a signed file, no orders: `pbem receive` takes it" in given
    done = run("receive", "o.yaml", "-g", "allies")
    assert done.code == Outcome.UNREADABLE.code
    assert "these are orders that nobody has signed: `pbem send` makes a file of them" in done.out
    Path("letter.txt").write_text("Good luck!\nMy orders: none")
    assert "no block that begins with" in run("receive", "letter.txt", "-g", "allies").out


@pytest.mark.parametrize("change", ["gone", "unsigned", "cut"])
def test_a_log_that_is_gone_is_no_draft(change: str, at: Callable[[str], None]) -> None:
    """Without a whole charter beside it nothing begins: the backup has it."""
    at("answered")
    LOG.unlink()
    copy = Path("axis/files/0000-charter.yaml")
    text = copy.read_text()
    copy.unlink()
    if change != "gone":
        copy.write_text(text[: text.index("signatures:")] if change == "unsigned" else text[:300])
    line = plain(run("status", "-g", "axis"), Outcome.LOG_DAMAGED)
    assert "it is empty or missing, and was longer" in line


def test_a_withdrawn_file_is_no_cut(at: Callable[[str], None]) -> None:
    """Its copy lies behind the end of the log, and the log says why."""
    from pbem.store.session import Session

    at("answered")
    session = Session.open(Path("axis"))
    session.withdraw_from(1)
    assert session.folder.cut() == ""
    assert Session.open(Path("axis")).folder.cut() == ""


# -- the wrong folder ----------------------------------------------------------------------------------------------------------


def test_a_game_folder_that_is_received_means_what_lies_in_its_outbox(at: Callable[[str], None]) -> None:
    at("sent")
    assert "file 1 of yamada" in must("receive", "axis", "-g", "allies")
    at("signed")
    assert "charter" in run("receive", "allies", "-g", "axis").out, "a draft has no outbox to send from"


@pytest.mark.parametrize("many", [3, 4])
def test_what_is_here_already_is_counted_where_it_is_much(many: int, at: Callable[[str], None]) -> None:
    """A folder in which old files lie: the one that is new stands alone."""
    at("sent")
    for n in range(many):
        must("say", "all", f"{n} more days", "-g", "axis")
    Path("in").mkdir()
    for note in Path("axis/outbox").glob("note-*.yaml"):
        shutil.copy(note, "in")
    must("receive", "in", "-g", "allies")
    shutil.copy("axis/outbox/0001-yamada.yaml", "in")
    lines = must("receive", "in", "-g", "allies").splitlines()
    known = [line for line in lines if "already known" in line]
    assert "0001-yamada.yaml: done: file 1 of yamada" in lines
    assert len(known) == (3 if many == 3 else 0) and (f"{many} documents were here already" in lines) == (many > 3), lines


def test_who_receives_without_his_keys_is_told_why_his_program_answers_nothing(
    at: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    at("sent")
    monkeypatch.setenv("PBEM_HOME", "nowhere")
    said = must("receive", "axis/outbox", "-g", "allies")
    assert "file 1 of yamada" in said and "This folder signs nothing: " in said and "PBEM_HOME" in said
    assert said.count("This folder signs nothing") == 1
    monkeypatch.setenv("PBEM_HOME", "home")
    assert "signs nothing" not in must("receive", "axis/outbox", "-g", "allies")


def test_a_folder_without_its_private_part_says_that_it_only_watches(at: Callable[[str], None]) -> None:
    at("sent")
    assert "watches the game" not in must("status", "-g", "axis")
    shutil.rmtree("axis/private")
    assert "this folder watches the game; it has no player's key" in must("status", "-g", "axis")


# -- the disk ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "words"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "read-only"), (errno.EACCES, "nobody may write"), (errno.EIO, "fails")],
)
@pytest.mark.parametrize(
    "command",
    [
        ["send", "o.yaml", "-g", "axis", "--yes"],
        ["resign", "--yes", "-g", "axis"],
        ["orders", "-g", "axis"],
        ["backup", "c.zip", "-g", "axis"],
    ],
)
def test_what_cannot_be_written_is_said_in_one_sentence(
    command: list[str], error: int, words: str, at: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    at("running")
    before = LOG.read_bytes()
    with everywhere(Failure(1, error=error), monkeypatch):
        line = plain(run(*command), Outcome.NOT_WRITTEN)
    assert words in line and "then give the command again" in line
    assert LOG.read_bytes() == before


def test_a_lock_that_is_held_is_waited_for(at: Callable[[str], None]) -> None:
    at("running")
    with Disk().lock(Path("axis/lock")):
        line = plain(run("send", "o.yaml", "-g", "axis", "--yes"), Outcome.WAITING)
    assert "another program is at work" in line


def test_what_comes_in_while_the_disk_is_full_is_told_line_by_line(
    at: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    at("sent")
    before = Path("allies/log.jsonl").read_bytes()
    with everywhere(Failure(1, error=errno.ENOSPC), monkeypatch):
        done = run("receive", "axis/outbox", "-g", "allies")
    assert done.code == Outcome.NOT_WRITTEN.code and "not written" in done.out + done.err, done
    assert Path("allies/log.jsonl").read_bytes() == before
    assert run("receive", "axis/outbox", "-g", "allies").code == 0


@pytest.mark.parametrize("step", range(1, 8))
def test_every_writer_of_the_disk_says_that_it_could_not_write(step: int, tmp_path: Path) -> None:
    disk = FailingDisk(Failure(step, error=errno.ENOSPC))
    with pytest.raises(NotWritten) as caught:
        disk.make_folder(tmp_path / "a")
        disk.replace(tmp_path / "a" / "b", b"x")
        disk.append(tmp_path / "a" / "c", b"x", 0)
    assert caught.value.errno == errno.ENOSPC and caught.value.filename


def test_what_cannot_be_read_is_unreadable_and_what_cannot_be_written_is_not(tmp_path: Path) -> None:
    reading = FileNotFoundError(errno.ENOENT, "No such file or directory", str(tmp_path / "x"))
    assert faults.judged(reading) == (Outcome.UNREADABLE, [f"{tmp_path / 'x'} cannot be read: there is no such file"])
    writing = PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "nowhere" / "x"))
    assert faults.judged(writing)[0] is Outcome.NOT_WRITTEN
    assert faults.judged(OSError(errno.ENOSPC, "No space left on device"))[0] is Outcome.NOT_WRITTEN
    assert faults.judged(BlockingIOError())[0] is Outcome.WAITING
    assert faults.judged(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x"))[0] is Outcome.UNREADABLE
    for fault in (KeyError("x"), IndexError(), AssertionError(), TypeError("x"), RecursionError()):
        assert faults.judged(fault)[0] is Outcome.FAULT and faults.trace_of(fault)
    typed = ValueError("two is no number")
    assert faults.judged(typed) == (Outcome.UNREADABLE, ["two is no number"]) and not faults.trace_of(typed)
    assert faults.judged(typed, strict=True)[0] is Outcome.FAULT and faults.trace_of(typed, strict=True)
    assert faults.trace_of(reading) == "" == faults.trace_of(ProtocolError(Outcome.WAITING, "x"))


def test_a_fault_of_any_command_is_told_with_a_file_to_report(
    at: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    at("running")
    monkeypatch.setattr("pbem.cli.look.log", lambda path: [][0])
    done = run("log", "-g", "axis")
    assert done.code == Outcome.FAULT.code and "a fault of the program, not yours: IndexError" in done.err
    (report,) = Path("home/faults").glob("fault-*.txt")
    assert f"please report {report}" in done.err and "list index out of range" in report.read_text()
    assert json.loads(run("log", "-g", "axis", "--json").out)["outcome"] == "program fault"
    assert len(list(Path("home/faults").glob("*"))) == 1


# -- backups that are none -----------------------------------------------------------------------------------------------------


def packed(path: Path, content: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as bundle:
        for name, data in content.items():
            bundle.writestr(name, data)
    return path


def refused(source: Path) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        backups.unpack(source)
    assert "nothing was restored" in str(caught.value)
    return caught.value


def test_a_backup_is_unpacked_by_known_names_only(tmp_path: Path) -> None:
    source = packed(tmp_path / "b.zip", {"pbem.json": b"{}", "../../evil": b"x", "/etc/passwd": b"x", "private/key": b"k"})
    assert backups.unpack(source) == {"pbem.json": b"{}", "private/key": b"k"}


def test_an_archive_of_many_members_is_none(tmp_path: Path) -> None:
    twenty = {"pbem.json": b"{}", **{f"x{n}": b"" for n in range(19)}}
    assert backups.unpack(packed(tmp_path / "20.zip", twenty))
    error = refused(packed(tmp_path / "21.zip", {**twenty, "more": b""}))
    assert error.outcome is Outcome.TOO_LARGE and "21 members" in str(error)
    many = packed(tmp_path / "many.zip", {"pbem.json": b"{}", **{f"a name of some length {n}": b"" for n in range(2000)}})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backups.zipfile, "ZipFile", None)  # the list of members is not even read
        assert refused(many).outcome is Outcome.TOO_LARGE


def test_what_is_packed_a_thousand_times_is_not_unpacked(tmp_path: Path) -> None:
    error = refused(packed(tmp_path / "bomb.zip", {"pbem.json": b"{}", "log.jsonl": b"\0" * (40 << 20)}))
    assert error.outcome is Outcome.TOO_LARGE and "log.jsonl is packed more than 100 times" in str(error)


def test_more_than_64_mib_are_not_unpacked(tmp_path: Path) -> None:
    noise = (random.Random(1).randbytes(2000) + bytes(60_000)) * 680
    error = refused(packed(tmp_path / "b.zip", {"pbem.json": b"{}", "log.jsonl": noise, "scenario.json": noise[: 30 << 20]}))
    assert error.outcome is Outcome.TOO_LARGE and "64 MiB unpacked" in str(error)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_another_packing_is_none_of_ours(method: int, tmp_path: Path) -> None:
    assert refused(packed(tmp_path / "b.zip", {"pbem.json": b"{}" * 100}, method)).outcome is Outcome.UNREADABLE


@pytest.mark.parametrize("damage", ["cut", "noise", "crc", "empty", "encrypted"])
def test_a_damaged_archive_is_said_to_be_one(damage: str, tmp_path: Path) -> None:
    source = packed(tmp_path / "b.zip", {"pbem.json": b'{"format": 2}', "log.jsonl": b"abc" * 500})
    data = bytearray(source.read_bytes())
    match damage:
        case "cut":
            del data[len(data) // 2 :]
        case "noise":
            data[:] = random.Random(1).randbytes(500)
        case "crc":
            data[data.find(b"log.jsonl") + 12] ^= 255
        case "empty":
            data[:] = b""
        case _:
            for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
                data[data.find(mark) + at] |= 1
    source.write_bytes(bytes(data))
    assert refused(source).outcome is Outcome.UNREADABLE


def test_a_restore_of_what_is_none_leaves_nothing(at: Callable[[str], None]) -> None:
    at("running")
    packed(Path("bomb.zip"), {"pbem.json": b"{}", "log.jsonl": b"\0" * (40 << 20)})
    line = plain(run("restore", "bomb.zip", "again"), Outcome.TOO_LARGE)
    assert "bomb.zip is no backup that this program made" in line and not Path("again").exists()
    assert not list(Path().glob("again*"))


# -- a charter that nobody can play --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "outcome", "said"),
    [
        ({"options": {}}, Outcome.UNREADABLE, "other options than"),
        ({"options": {"surprise": 1}}, Outcome.UNREADABLE, "surprise"),
        ({"rules": "9th"}, Outcome.UNREADABLE, "is not played by the rules '9th'"),
        ({"rules_version": 77}, Outcome.DIVERGED, "77"),
    ],
)
def test_nobody_signs_a_charter_that_cannot_be_played(
    change: dict[str, object], outcome: Outcome, said: str, at: Callable[[str], None]
) -> None:
    at("joined")
    charter = Path("allies/charter.yaml")
    charter.write_text(write_document({**read_document(charter.read_bytes())[0], **change}))
    line = plain(run("accept", "-g", "allies"), outcome)
    assert said in line and not Path("allies/log.jsonl").exists()
    assert not read_document(charter.read_bytes())[0]["signatures"]


@pytest.mark.parametrize("value", ["x", True, 999, [1], None])
def test_an_option_is_one_of_its_choices(value: object, at: Callable[[str], None]) -> None:
    at("joined")
    charter = Path("allies/charter.yaml")
    document = read_document(charter.read_bytes())[0]
    options = document["options"]
    assert isinstance(options, dict)
    charter.write_text(write_document({**document, "options": {**options, "bid": value}}))
    assert "the option bid cannot be" in plain(run("accept", "-g", "allies"), Outcome.UNREADABLE)
