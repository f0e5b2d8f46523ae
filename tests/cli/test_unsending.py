"""`pbem unsend`: a file is taken back as long as nothing shows that it has left, and its place is then free again."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import pytest

from pbem.cli import mailing
from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.store import backups, known, pen, unsending
from pbem.store.record import Record
from pbem.store.session import Session
from tests.commands import ORDERS, inside, must, prepare, run
from tests.store.failing_disk import Crash, Failure, everywhere

OTHERWISE = ORDERS.replace("3 infantry", "2 infantry")


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("games"))


@pytest.fixture
def here(moments: dict[str, Path], tmp_path: Path) -> Iterator[Path]:
    """Yamada has sent his first file; nowak does not have it yet."""
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("home/games.json").unlink()  # it names the folders of which these are copies
        Path("o2.yaml").write_text(OTHERWISE)
        yield tmp_path / "now"


def folder() -> Session:
    return Session.open(Path("axis"))


def files() -> list[str]:
    return sorted(p.name for name in ("outbox", "files", "backups") for p in Path("axis", name).glob("0001*"))


def test_the_place_is_free_again_and_another_file_is_taken_there(here: Path) -> None:
    first = document_id(folder().folder.log.files()[1])
    assert json.loads(must("unsend", "--yes", "-g", "axis", "--json")) == {"due": "yamada", "taken_back": [1]}
    assert files() == [] and folder().table.last == 0 and folder().table.due.player == "yamada"
    must("send", "o2.yaml", "--yes", "-g", "axis")
    assert document_id(folder().folder.log.files()[1]) != first
    must("receive", "axis/outbox", "-g", "allies")
    must("receive", "allies/outbox", "-g", "axis")
    for one in ("axis", "allies"):
        must("verify", "-g", one)
        assert not Path(one, "equivocation-0001.yaml").exists()
    assert first[:12] not in must("dispute", "--to", "d.txt", "-g", "axis") + Path("d.txt").read_text()


def test_the_same_file_may_be_signed_again(here: Path) -> None:
    first = folder().folder.log.files()[1]
    must("unsend", "--yes", "-g", "axis")
    must("send", "o.yaml", "--yes", "-g", "axis")
    assert folder().folder.log.files()[1] == first
    must("receive", "axis/outbox", "-g", "allies")
    must("status", "-g", "axis")
    assert folder().table.last == 1, "what was signed again is not taken back by the next command"


def test_it_does_not_come_back_by_itself(here: Path) -> None:
    """Not from record, outbox, copies or backups."""
    must("unsend", "--yes", "-g", "axis")
    for _ in range(2):
        must("status", "-g", "axis")
        assert folder().table.last == 0
    assert backups.newest(Path("axis")) is None or not backups.covers(Path("axis"), 1)


def test_nothing_is_taken_back_where_nobody_is_sure(here: Path) -> None:
    done = run("unsend", "-g", "axis")
    assert done.code == 1 and "proof of cheating" in done.err and folder().table.last == 1


def _mailed(session: Session) -> None:
    document = session.folder.log.files()[1]
    state = mailing.State.read(session.folder)
    state.sent[f"0001-yamada.{sha256_hex(canonical(document))[:16]}"] = ["nowak@example.org"]
    state.write(session.folder)


LEFT: dict[str, Callable[[], object]] = {
    "mail server": lambda: _mailed(folder()),
    "pbem post": lambda: must("post", "-g", "axis"),
    "pbem replay": lambda: must("replay", "-g", "axis", "--to", "r.html"),
    "pbem dispute": lambda: must("dispute", "--to", "d.txt", "-g", "axis"),
    "outbox any more": lambda: Path("axis/outbox/0001-yamada.yaml").unlink(),
    "allies holds it": lambda: must("receive", "axis/outbox", "-g", "allies"),
}


@pytest.mark.parametrize("how", LEFT)
def test_what_has_left_stays(how: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pen, "why_unsure", lambda *_: "")  # only how it left is asked here
    known.note(Path("allies"))
    LEFT[how]()
    done = run("unsend", "--yes", "-g", "axis")
    assert done.code == 1 and how in done.err and "pbem undo 1" in done.err, done
    assert folder().table.last == 1


def test_a_file_that_somebody_refuses_without_reason_has_left(here: Path) -> None:
    """Copied from the outbox by hand: the refusal, which this program does not share, is all that tells of it."""
    refusal = {"file": document_id(folder().folder.log.files()[1]), "outcome": "refused", "reason": "no such order"}
    with Session.at_work(Path("allies")) as session:
        Path("slip.yaml").write_text(write_document(session.sign_slip("refusal", refusal)))
    assert "this program finds it valid" in run("receive", "slip.yaml", "-g", "axis").out
    done = run("unsend", "--yes", "-g", "axis")
    assert done.code == 1 and "a slip of nowak (refusal) names it" in done.err and "pbem undo 1" in done.err, done
    assert folder().table.last == 1


def test_what_was_moved_out_of_the_outbox_stays_though_a_command_puts_it_there_again(here: Path) -> None:
    Path("axis/outbox/0001-yamada.yaml").unlink()
    must("status", "-g", "axis")
    assert files() == ["0001-yamada.eml", "0001-yamada.yaml", "0001-yamada.yaml", "0001.zip"]
    assert run("unsend", "--yes", "-g", "axis").code == 1


def test_what_another_copy_of_the_folder_has_handed_out_stays(here: Path) -> None:
    """Two machines in turn, or a folder kept in a synchronised place: the other copy is not asked, the machine knows."""
    shutil.copytree("axis", "copy")
    must("post", "-g", "axis")
    shutil.rmtree("axis")
    done = run("unsend", "--yes", "-g", "copy")
    assert done.code == 1 and "`pbem post` has put it into something to hand out" in done.err
    shutil.copytree("copy", "later")
    must("replay", "-g", "copy", "--to", "r.html")
    assert run("unsend", "--yes", "-g", "later").code == 1


def test_a_restored_folder_knows_what_was_handed_out_before(moments: dict[str, Path], tmp_path: Path) -> None:
    """The backup is older than the file, which comes back from the record into the outbox; that it has left is known."""
    shutil.copytree(moments["running"], tmp_path / "now")
    with inside(tmp_path / "now"):
        must("backup", "old.zip", "-g", "axis")
        must("send", "o.yaml", "--yes", "-g", "axis")
        must("post", "-g", "axis")
        shutil.rmtree("axis")
        must("restore", "old.zip", "axis")
        assert Path("axis/outbox/0001-yamada.yaml").exists()
        done = run("unsend", "--yes", "-g", "axis")
        assert done.code == 1 and "`pbem post` has put it into something to hand out" in done.err


def test_what_is_gone_from_the_outbox_of_another_copy_of_the_folder_stays(here: Path) -> None:
    shutil.copytree("axis", "copy")
    known.note(Path("axis").absolute())
    Path("axis/outbox/0001-yamada.yaml").unlink()
    done = run("unsend", "--yes", "-g", "copy")
    assert done.code == 1 and f"another copy of this folder, {Path('axis').absolute()}, shows that it has left" in done.err
    shutil.rmtree("axis")
    must("unsend", "--yes", "-g", "copy")


@pytest.mark.parametrize("damage", [b"", b"\0" * 40, b"[1]", b'{"seq": 1'])
def test_a_damaged_note_of_what_has_left_frees_nothing(damage: bytes, here: Path) -> None:
    must("post", "-g", "axis")
    (beside,) = Path("home/signed").glob("*.handed-out.json")
    inside_ = Path("axis/handed-out.json")
    for whole, broken in ((beside, inside_), (inside_, beside)):
        content = whole.read_bytes()
        whole.unlink()
        broken.write_bytes(damage)
        done = run("unsend", "--yes", "-g", "axis")
        assert done.code == 1 and f"{broken} cannot be read, and it tells what has left" in done.err
        must("post", "-g", "axis")
        assert whole.read_bytes() == broken.read_bytes() == content
        assert "`pbem post` has put it" in run("unsend", "--yes", "-g", "axis").err


def test_a_note_goes_with_its_folder_to_another_machine(here: Path) -> None:
    must("post", "-g", "axis")
    (beside,) = Path("home/signed").glob("*.handed-out.json")
    beside.unlink()
    assert "`pbem post` has put it" in run("unsend", "--yes", "-g", "axis").err


def test_what_was_handed_out_last_does_not_hide_what_was_before(here: Path) -> None:
    must("post", "-g", "axis")
    session = folder()
    monkey = [*session.folder.log.standing()][:1]
    session.folder.log._standing = (session.folder.log.head, monkey)
    unsending.note_handed_out(session, "dispute")
    assert "`pbem post` has put it" in run("unsend", "--yes", "-g", "axis").err


def test_what_a_mail_server_took_stays_though_no_room_was_left_to_note_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = "from: me@example.org\nto: {nowak: nowak@example.org}\nsmtp: {host: localhost, security: none}\n"
    Path("axis/mail.yaml").write_text(settings)
    taken: list[object] = []
    monkeypatch.setattr("pbem.transport.sending.open_smtp", lambda _: nullcontext())
    monkeypatch.setattr("pbem.transport.sending.deliver", lambda *words: taken.append(words[-1]))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(mailing.State, "write", full)
        assert run("mail", "send", "-g", "axis").code and taken
    done = run("unsend", "--yes", "-g", "axis")
    assert done.code == 1 and "`pbem mail` has put it into something to hand out" in done.err
    assert folder().table.last == 1


def test_what_is_taken_back_while_a_mail_server_answers_is_not_sent(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes seconds until a server takes mails, and they were read before."""
    settings = "from: me@example.org\nto: {nowak: nowak@example.org}\nsmtp: {host: localhost, security: none}\n"
    Path("axis/mail.yaml").write_text(settings)
    taken: list[object] = []

    @contextmanager
    def answering(_: object) -> Iterator[None]:
        must("unsend", "--yes", "-g", "axis")
        yield

    monkeypatch.setattr("pbem.transport.sending.open_smtp", answering)
    monkeypatch.setattr("pbem.transport.sending.deliver", lambda *words: taken.append(words))
    done = run("mail", "send", "-g", "axis")
    assert taken == [] and done.code == 3
    assert "file 1 was taken back meanwhile: nothing was handed out; give the command again" in done.err
    monkeypatch.setattr("pbem.transport.sending.open_smtp", lambda _: nullcontext())
    must("mail", "send", "-g", "axis")
    assert len(taken) == 1, "the charter alone"


def test_a_mail_server_that_is_not_there_has_taken_nothing(here: Path) -> None:
    settings = "from: me@example.org\nto: {nowak: nowak@example.org}\nsmtp: {host: localhost, port: 1, security: none}\n"
    Path("axis/mail.yaml").write_text(settings)
    assert run("mail", "send", "-g", "axis").code
    must("unsend", "--yes", "-g", "axis")


def test_a_file_that_was_answered_or_holds_no_decision_stays(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["answered"], tmp_path / "now")
    with inside(tmp_path / "now"):
        for one in ("axis", "allies"):
            done = run("unsend", "--yes", "-g", one)
            assert done.code == 1 and "nothing that can be taken back" in done.err


def test_a_crash_between_record_and_folder_is_finished(here: Path) -> None:
    with Session.at_work(Path("axis")) as session:
        document = session.folder.log.files()[1]
        with pen.held(session) as rows:
            rows.append("unsent", {"id": document_id(document), "seq": 1}, session.now())
    must("status", "-g", "axis")
    assert files() == [] and folder().table.last == 0
    must("send", "o2.yaml", "--yes", "-g", "axis")


@pytest.mark.in_turn(2)
def test_stopped_at_any_step_it_is_done_or_not_and_can_be_done_again(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine stops, a write fails, the disk is full: never half a file, never a second one at its place."""
    first, at, hit = document_id(folder().folder.log.files()[1]), 0, True
    while hit:
        at += 1
        shutil.rmtree(here.parent / "work", ignore_errors=True)
        shutil.copytree(here, here.parent / "work")
        with inside(here.parent / "work"):
            failure = Failure(at, error=(0, errno.EIO, 0, errno.ENOSPC)[at % 4])
            with everywhere(failure, monkeypatch), suppress(Crash):
                run("unsend", "--yes", "-g", "axis")
            hit = failure.hit
            must("status", "-g", "axis")
            is_there = folder().table.last == 1
            assert files() == (["0001-yamada.eml", "0001-yamada.yaml", "0001-yamada.yaml", "0001.zip"] if is_there else []), at
            sent = run("send", "o2.yaml", "--yes", "-g", "axis")
            assert (sent.code == 0) is not is_there, (at, sent)
            if is_there:
                must("unsend", "--yes", "-g", "axis")
                must("send", "o2.yaml", "--yes", "-g", "axis")
            with pen.held(folder()) as rows:
                assert rows.unsent() == {first} and len(rows.signed()) == 1
            must("receive", "axis/outbox", "-g", "allies")
            assert folder().folder.log.files()[1] == Session.open(Path("allies")).folder.log.files()[1]
    assert at > 10


def test_a_file_that_was_with_the_others_all_the_same_comes_back_and_the_game_goes_on(here: Path) -> None:
    """Its author has said that it has not left, and was wrong: it comes with the answer to it, and binds him again."""
    shutil.copytree("axis/outbox", "mailed by hand")
    must("unsend", "--yes", "-g", "axis")
    must("receive", "mailed by hand", "-g", "allies")
    assert Session.open(Path("allies")).table.last == 2
    must("receive", "allies/files", "-g", "axis")
    assert folder().table.last == 2
    for words in (["post"], ["replay", "--to", "r.html"], ["dispute", "--to", "d.txt"], ["prove", "1", "proof"], ["status"]):
        must(*words, "-g", "axis")
    assert folder().table.last == 2
    with pen.held(folder()) as rows:
        assert rows.unsent() == set() and len([row for row in rows.signed() if row["seq"] == 1]) == 1


def test_a_file_of_another_machine_stays(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = folder()
    monkeypatch.setattr(Record, "signed", lambda self: [])
    with pytest.raises(ProtocolError, match="another machine"):
        unsending.check(session, unsending.newest(session))
