"""What comes before the files that it rests on waits in the folder, and is looked at again by itself when they are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import slips, turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.slips import check as check_slip
from pbem.store import early
from pbem.store.folder import GameFolder
from pbem.transport.mail import write_eml
from tests.commands import Done, must, run
from tests.store import post
from tests.toygame.folders import SEATS, as_json, at, in_file, orders, session, spread
from tests.toygame.remembered import advance_to, found

Document = dict[str, Any]
Bring = Callable[[Document], Done]


@pytest.fixture
def march(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Document]:
    """Nowak's newest file, which is not in dubois's folder."""
    with at(tmp_path, monkeypatch):
        assert advance_to(found(SEATS), "march") == "nowak"
        yield in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])


def by_receive(document: Document, name: str = "dubois") -> Done:
    """A player takes one document; it is gone then."""
    Path("one.yaml").write_text(write_document(document))
    return run("receive", "one.yaml", "-g", name)


def by_inbox(document: Document) -> Done:
    Path("downloads").mkdir(exist_ok=True)
    Path("downloads/one.yaml").write_text(write_document(document))
    done = run("inbox", "downloads", "-g", "dubois")
    Path("downloads/one.yaml").unlink()
    return done


def by_mail(document: Document) -> Done:
    """The mail is deleted on the server when it was read."""
    post.settle("dubois", "dubois", "nowak")
    post.MAILBOX.mkdir(exist_ok=True)
    number = len(list(post.MAILBOX.glob("*"))) + int(document.get("seq", 0)) + 1
    mail = post.MAILBOX / f"{number}.eml"
    mail.write_bytes(write_eml(document, document["game"][:8], ""))
    done = run("mail", "fetch", "-g", "dubois")
    mail.unlink()
    return done


def forked(before: Document) -> list[Document]:
    """Two files of yamada's behind another one; only who has that one can say whether they prove anything."""
    place: Document = {**before, "player": "yamada", "seq": before["seq"] + 1, "prev": document_id(before)}
    first = turnfile.sign({**place, "note": ["one"]}, session("yamada").private)
    return [first, turnfile.sign({**place, "note": ["two"], "replaces": document_id(first)}, session("yamada").private)]


def proof(before: Document, author: str = "nowak") -> Document:
    return session(author).sign_slip("equivocation", {"files": forked(before)})


def waiting() -> list[str]:
    """What waits in dubois's folder."""
    return [path.name for path, _ in early.lying(session("dubois").folder)]


# -- proofs -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bring", [by_receive, by_inbox, by_mail])
def test_a_proof_that_came_before_the_files_that_it_rests_on_counts_when_they_are_there(
    bring: Bring, march: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.stand_for_servers(monkeypatch)
    slip = proof(march)
    early_ = bring(slip)
    assert "waiting: equivocation of nowak" in early_.out and "(kept as aside/early-of-nowak-000000001-" in early_.out, early_
    assert slip not in session("dubois").folder.log.slips() and "PROVED" not in must("status", "-g", "dubois")
    then = bring(march)
    assert "equivocation of nowak, which had come too early: done" in then.out and "PROVED: yamada" in then.out, then
    assert slip in session("dubois").folder.log.slips() and not waiting()
    assert "PROVED" in must("status", "-g", "dubois")


def test_where_the_disk_is_full_what_waits_is_looked_at_once(march: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    by_receive(proof(march))
    monkeypatch.setattr(early, "tried", lambda *_: None)
    by_receive(session("nowak").sign_slip("request", {"text": "x"}))
    assert len(waiting()) == 1


def test_a_proof_that_still_waits_or_comes_again_is_kept_once(march: Document) -> None:
    slip = proof(march)
    for _ in range(2):
        assert "waiting" in by_receive(slip).out
    assert len(waiting()) == 1
    other = session("nowak").sign_slip("request", {"text": "x"})
    assert "early" not in by_receive(other).out and len(waiting()) == 1, "nothing to look at: the log has not grown"


def test_each_author_has_little_room_and_his_oldest_gives_way(march: Document) -> None:
    files = forked(march)
    for n in range(early.MOST + 2):
        made = session("yamada").sign_slip("equivocation", {"files": files, "note": [str(n)]})
        assert by_receive(made).code == Outcome.WAITING.code
    by_receive(proof(march))
    assert len([name for name in waiting() if "of-yamada" in name]) == early.MOST
    assert len([name for name in waiting() if "of-nowak" in name]) == 1
    notes_ = sorted(document["note"][0] for _, document in early.lying(session("dubois").folder) if "note" in document)
    assert notes_ == sorted(str(n) for n in range(2, early.MOST + 2))


def test_what_is_too_large_does_not_wait(march: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    slip = proof(march)
    monkeypatch.setattr(early, "MOST_BYTES", len(write_document(slip)) - 1)
    assert "kept as" not in by_receive(slip).out and not waiting()
    monkeypatch.setattr(early, "MOST_BYTES", len(write_document(slip)))
    assert "kept as" in by_receive(slip).out and len(waiting()) == 1


def test_a_claim_that_came_too_early_counts_or_is_refused_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(tmp_path, monkeypatch):
        folders = found(SEATS, late=["--deadline", "72h", "--grace", "48h", "--then", "nothing"])
        assert advance_to(folders, "march") == "nowak"
        before = in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])
        place: Document = {"place": before["seq"] + 1, "due": "yamada", "since": "2025-01-31T18:00:00Z"}
        right = session("nowak").sign_slip("overdue", place)
        wrong = slips.make("overdue", right["game"], before["prev"], "nowak", place)
        for claim in (right, slips.sign(wrong, session("nowak").private)):
            assert "(kept as aside/early-of-nowak-" in by_receive(claim).out
        then = by_receive(before).out
        told = [line for line in then.splitlines() if "which had come too early" in line]
        assert [("done" in line, "bad chain" in line) for line in told] == [(True, False), (False, True)], then
        assert not waiting() and right in session("dubois").folder.log.slips()
        assert "which had come too early" not in by_receive(before).out


# -- a key that comes with a file that is not here -----------------------------------------------------------------------------


@pytest.fixture
def accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Document]:
    """The file behind which nowak has another key; dubois, who has agreed to that before, has not got it."""
    with at(tmp_path, monkeypatch):
        folders = found(SEATS)
        assert advance_to(folders, "march") == "nowak"
        must("seat", "renew", "-g", "nowak")
        for name in ("dubois", "yamada"):
            spread(folders)
            answer = in_file(as_json("agree", "-g", name)["file"])
        by_receive(answer, "nowak")
        yield answer


def test_what_a_new_key_has_signed_waits_for_the_file_that_brings_the_key(accepted: Document) -> None:
    request = session("nowak").sign_slip("request", {"text": "a pause?"})
    note = in_file(as_json("say", "all", "hello", "-g", "nowak")["file"])
    march = in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])
    for document in (request, note, march):
        done = by_receive(document)
        assert done.code == Outcome.BAD_SIGNATURE.code and "(kept as aside/early-unsigned-" in done.out, done
    then = by_receive(accepted)
    assert then.out.count("which had come too early: done") == 3 and not waiting(), then
    lagged = session("dubois")
    assert lagged.folder.log.files()[-1] == march and request in lagged.folder.log.slips()
    assert "hello" in must("notes", "-g", "dubois")


def test_what_anybody_may_have_written_has_little_room_and_slows_nothing(accepted: Document) -> None:
    request = session("nowak").sign_slip("request", {"text": "x"})
    for n in range(early.MOST + 3):
        by_receive({**request, "text": str(n)})
    assert len(waiting()) == early.MOST
    assert "kept as aside/not-taken" in by_receive({**request, "head": accepted["prev"]}).out, "behind a file that is here"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(early, "lying", lambda _: pytest.fail("nothing has come"))
        by_receive(request)
    by_receive(accepted)
    assert not waiting(), "a key that is here signed none of it"


def test_what_comes_before_the_charter_is_signed_by_all_is_taken_when_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at(tmp_path, monkeypatch):
        newest = all_but_one_accept()
        first = in_file("nowak/outbox/0001-nowak.yaml")
        assert "waiting: file 1 of nowak" in by_receive(first, "yamada").out
        by_receive({**first, "game": "ab" * 32}, "yamada")
        assert len(early.lying(GameFolder(Path("yamada")))) == 1
        begun = run("accept", newest, "-g", "yamada").out
        assert "file 1 of nowak, which had come too early: done" in begun and session("yamada").folder.log.files()[1] == first


def all_but_one_accept() -> str:
    """A game that has begun for all but yamada, who has not got the charter with the last signature; that one."""
    must("new", "draft", "--system", "skirmish", "--scenario", "hill")
    newest = "draft/charter.yaml"
    for name, seats in SEATS.items():
        must("join", newest, "--as", name, "--seats", seats, "-g", name)
        newest = f"{name}/charter.yaml"
    for name in SEATS:
        must("accept", newest, "-g", name)
        newest = f"{name}/charter.yaml"
    must("accept", newest, "-g", "nowak")
    return newest


def test_a_proof_counts_whatever_key_its_author_has_since(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two files prove it, not he; in a file of the log it has to be signed as every slip is."""
    with at(tmp_path, monkeypatch):
        folders = found(SEATS)
        assert advance_to(folders, "march") == "nowak"
        newest = session("nowak").folder.log.files()[-1]
        slip = proof(newest)
        must("seat", "renew", "-g", "nowak")
        for name in ("dubois", "yamada"):
            spread(folders)
            must("agree", "-g", name)
        spread(folders)
        assert "PROVED: yamada" in by_receive(slip).out
        told = by_receive({**slip, "note": ["changed"]})
        assert told.code == Outcome.BAD_SIGNATURE.code
        table = session("dubois").table
        with pytest.raises(ProtocolError) as caught:
            check_slip(table, slip, table.last + 1)
        assert caught.value.outcome is Outcome.WRONG_KEY
