"""A folder that may lack what was signed: what it asks and says, what the others answer, when it signs again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import restoring
from pbem.protocol import slips as papers
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import write_document
from pbem.store import enclosing, pen, record
from pbem.store.paths import home
from pbem.store.session import Session
from pbem.transport.armor import write_block
from pbem.transport.mail import gather
from tests.commands import must
from tests.toygame.folders import SEATS, answered, as_json, at, finish, give, in_file, orders, session, slips
from tests.toygame.remembered import advance_to, found

Document = dict[str, Any]
UNSURE = "nothing in it says which record of signatures vouches for it: it was restored, or copied in part"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nowak marches next, as yamada and dubois know."""
    place = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch, at(place, patch):
        assert advance_to(found(SEATS), "march") == "nowak"
    return place


@pytest.fixture(autouse=True)
def game(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same in a folder of its own; nowak's was copied in part."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    with at(tmp_path, monkeypatch):
        Path("nowak/private/place.json").unlink()
        yield


def asked() -> Document:
    """Nowak's question."""
    return in_file(as_json("restored", "-g", "nowak")["asked"])


def is_sure(name: str = "nowak") -> bool:
    return not pen.why_unsure(session(name).folder, session(name).charter.game_id)


# -- asking -----------------------------------------------------------------------------------------------------------------


def test_a_folder_that_is_sure_asks_nobody() -> None:
    told = must("restored", "-g", "yamada")
    assert told == "Nothing to ask: this machine's record vouches for the folder. nowak has to send orders: day 1 [S5]\n"
    assert as_json("restored", "-g", "yamada") == {"sure": True, "asked": None, "missing": []}
    assert as_json("restored", "--on-my-word", "x", "-g", "yamada")["asked"] is None and not slips("yamada", "restored")


def test_an_unsure_one_asks_all_others_once() -> None:
    told = must("restored", "-g", "nowak")
    (question,) = slips("nowak", "restored")
    file = next(Path("nowak/outbox").glob("slip-restored-*.yaml"))
    assert told == (
        f"{UNSURE}.\nThe question is in {file}: send it to dubois, yamada. Their programs answer by themselves; "
        "`receive` the answers.\n"
    )
    assert as_json("restored", "-g", "nowak") == {"sure": False, "asked": str(file), "missing": ["dubois", "yamada"]}
    assert slips("nowak", "restored") == [question] and len(bytes.fromhex(question["asks"])) == 32
    assert in_file(file) == question and "word" not in question
    give(answered(question, "dubois"), "nowak")
    assert as_json("restored", "-g", "nowak")["missing"] == ["yamada"]


def test_on_his_own_word_a_player_signs_again_and_everybody_is_shown_it() -> None:
    told = must("restored", "--on-my-word", "the disk is broken", "-g", "nowak")
    assert told == (
        f"{UNSURE}.\nOn your own word you sign again: everybody is shown it for good, with the reason. "
        "nowak has to send orders: day 1 [S5]\n"
    )
    (said,) = slips("nowak", "restored")
    assert said["word"] == "the disk is broken" and len(bytes.fromhex(said["asks"])) == 32 and is_sure()
    assert said in in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])["slips"]


def test_a_word_is_no_question_that_waits_for_answers() -> None:
    must("restored", "--on-my-word", "the disk is broken", "-g", "nowak")
    Path("nowak/private/place.json").unlink()
    assert "word" not in asked() and len(slips("nowak", "restored")) == 2
    assert as_json("restored", "-g", "nowak")["missing"] == ["dubois", "yamada"]


def test_upon_a_word_nothing_is_given_up_whoever_answers_it(monkeypatch: pytest.MonkeyPatch) -> None:
    must("restored", "--on-my-word", "the disk is broken", "-g", "nowak")
    monkeypatch.setattr(restoring, "_waits", lambda *_: [])
    monkeypatch.setattr(restoring, "_give_up", lambda *_: ["given up"])
    assert restoring.settle(session("nowak")) == []


def test_a_folder_that_has_heard_all_when_it_asks_again_is_told_what_was_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked()
    monkeypatch.setattr(restoring, "_waits", lambda *_: [])
    monkeypatch.setattr(restoring, "_give_up", lambda *_: ["given up"])
    plain, told = restoring.ask(Path("nowak"))
    assert told.startswith("given up\nEverybody has said what he holds: ") and is_sure()
    assert isinstance(plain, dict) and plain["sure"] is True and "word" not in slips("nowak", "restored")[-1]


def test_a_folder_that_is_sure_again_is_vouched_for_up_to_its_last_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where keys and record were copied from another machine: this one is told apart from that from now on."""
    before = record.identity(home(), session("nowak").folder.disk)["record"]
    monkeypatch.setenv("PBEM_MACHINE", "another")
    must("restored", "--on-my-word", "x", "-g", "nowak")
    folder, place = session("nowak").folder, pen.read_place(session("nowak").folder) or {}
    assert is_sure() and place["record"] == record.identity(home(), folder.disk)["record"] != before
    with pen.held(session("nowak")) as rows:
        assert (place["rows"], place["last"], place["entries"]) == (*rows.mark, len(folder.log.entries))


def test_the_word_is_cut_where_it_is_too_long_and_told_to_programs() -> None:
    word = "x" * 301
    done = as_json("restored", "--on-my-word", word, "-g", "nowak")
    assert done == {"sure": True, "asked": None, "missing": [], "word": word}
    assert slips("nowak", "restored")[0]["word"] == word[:300]


# -- answering --------------------------------------------------------------------------------------------------------------


def test_who_is_asked_answers_once_with_what_the_other_lacks() -> None:
    question = asked()
    told = give(question, "yamada")
    (answer,) = slips("yamada", "head")
    to = next(Path("yamada/outbox").glob("slip-head-*.txt"))
    assert f"\nnowak has restored a backup and asks what you hold: send him {to} (files in it: 0)\n" in told
    assert (answer["answers"], answer["head"], answer["player"]) == (document_id(question), session("yamada").head, "yamada")
    assert [d for _, d in gather(to)] == [question, answer]
    assert "asks what you hold" not in give(slips("yamada", "head")[0], "yamada") and len(slips("yamada", "head")) == 1
    old_key = {**answer, "signature": question["signature"]}
    assert not restoring._is_answered(session("yamada"), question, "yamada", [old_key]), "no file has carried it yet"


def test_behind_an_unknown_head_all_files_are_put_out_and_those_aside_too() -> None:
    one = session("yamada")
    files = one.folder.log.files()
    aside = {**files[-1], "note": ["another"]}
    one.folder.set_aside(aside)
    with Session.at_work(Path("yamada")) as work:
        slip = work.sign_slip("request", {"text": "x"})
        Path("slip.yaml").write_text(write_document(slip))
        for head, first in (("", 1), (document_id(files[0]), 1), (document_id(files[3]), 4), (work.head, len(files))):
            to, count = restoring.put_out_files(work, head, "slip.yaml")
            assert (to, count) == (Path("slip.txt"), len(files) - first + 1)
            found_ = [d for _, d in gather(to)]
            assert found_ == [*sorted([*files[first:], aside], key=lambda d: d["seq"]), slip]
            assert to.read_text() == "\n".join(write_block(d) for d in [*files[first:], aside, slip])


def test_void_places_are_put_out_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The heal that stands behind them holds them."""
    with Session.at_work(Path("yamada")) as work:
        Path("slip.yaml").write_text(write_document(work.sign_slip("request", {"text": "x"})))
        files = work.folder.log.files()
        head = document_id(files[-2])
        monkeypatch.setattr(type(work.folder.log), "files", lambda _: [*files[:-1], {**files[-1], "type": "void"}, files[-1]])
        to, count = restoring.put_out_files(work, head, "slip.yaml")
    assert count == 1 and [d["type"] for _, d in gather(to) if isinstance(d, dict)] == [files[-1]["type"], "slip"]


def test_who_watches_or_asks_himself_answers_nobody() -> None:
    question = asked()
    assert not slips("nowak", "head"), "his own question"
    must("new", "watch", "--system", "skirmish", "--scenario", "hill")
    must("accept", "yamada/files/0000-charter.yaml", "-g", "watch")
    must("receive", "yamada/files", "-g", "watch")
    assert "asks what you hold" not in give(question, "watch") and not slips("watch", "head")


def test_nobody_answers_a_word_of_his_own() -> None:
    must("restored", "--on-my-word", "x", "-g", "nowak")
    assert "asks what you hold" not in give(slips("nowak", "restored")[0], "yamada") and not slips("yamada", "head")


def test_a_question_that_a_file_has_carried_is_not_answered_again() -> None:
    question = asked()
    answers = [answered(question, name) for name in ("yamada", "dubois")]
    for answer in answers:
        give(answer, "nowak")
    file = in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])
    assert question in file["slips"]
    give(file, "yamada")
    with Session.at_work(Path("yamada")) as work:
        assert restoring._is_answered(work, question, "yamada", [answers[0]])
        old_key = {**answers[0], "signature": answers[1]["signature"]}
        assert restoring._is_answered(work, question, "yamada", [old_key]), "the file has carried the question"
        head = work.sign_slip("head", {})
        others = [answers[1], {**answers[0], "answers": "ab" * 32}, head, {**answers[0], "slip": "request"}]
        assert not restoring._is_answered(work, question, "yamada", others)
        assert not restoring._is_answered(work, question, "yamada", []), "nor by him"
        assert enclosing.open_questions(work, "nowak") == [] and restoring.answer(work) == []


# -- sure again -------------------------------------------------------------------------------------------------------------


def test_when_all_have_answered_it_signs_again() -> None:
    question = asked()
    first, last = (answered(question, name) for name in ("dubois", "yamada"))
    assert "This folder signs nothing yet: yamada has not answered yet." in give(first, "nowak") and not is_sure()
    assert restoring.unheard(session("nowak"), "nowak") == ["yamada has not answered yet"]
    seq, told = session("nowak").table.last, give(last, "nowak")
    assert f"\nEverybody has said what he holds: the log is whole up to file {seq}, you may sign again.\n" in told and is_sure()
    newest = session("nowak").folder.log.files()[-1]["player"]
    hint = f"If you remember an answer to file {seq}, look for it in your sent mail before you write another."
    assert (hint in told) == (newest != "nowak") and restoring.unheard(session("nowak"), "nowak") == []
    assert "Everybody has said" not in give(last, "nowak"), "said once"


def test_whose_newest_file_is_not_here_is_named() -> None:
    question = asked()
    made = papers.make("head", question["game"], "ab" * 32, "yamada", {"answers": document_id(question)})
    work = session("nowak")
    for answer in (papers.sign(made, session("yamada").private), answered(question, "dubois")):
        work.add_slip(answer)
    assert restoring._waits(work, question) == ["yamada holds a newest file that is not here: ask him for his files"]
    assert not restoring.has_heard_all(work) and not restoring._is_overtaken(work, question)
    assert "This folder signs nothing yet: yamada holds a newest file that is not here" in give(made, "nowak")


def test_a_question_behind_a_file_that_is_not_here_waits_for_it() -> None:
    work = session("nowak")
    for name, said in (
        ("nowak", "your other machine holds a newest file that is not here"),
        ("yamada", "yamada holds a newest file that is not here: ask him for his files"),
    ):
        question = papers.make("restored", work.charter.game_id, "ab" * 32, name, {"asks": "cd" * 32})
        waits = restoring._waits(work, papers.sign(question, session(name).private))
        assert waits[-1] == said and [w for w in waits[:-1] if "has not answered yet" not in w] == []


def test_all_is_heard_when_everybody_has_answered_and_all_files_lie_here() -> None:
    assert not restoring.has_heard_all(session("nowak")), "nothing was asked"
    question = asked()
    work = session("nowak")
    assert not restoring.has_heard_all(work)
    for name in ("yamada", "dubois"):
        work.add_slip(answered(question, name))
    assert restoring.has_heard_all(work)


@pytest.mark.parametrize("held", [1, 2], ids=["right behind", "behind another's"])
def test_an_own_file_in_nobody_s_hands_is_given_up_and_its_place_is_free(held: int) -> None:
    before = session("nowak").folder.log.files()
    head = document_id(before[-held])
    assert before[-1]["player"] != "nowak", "it stays"
    must("restored", "--on-my-word", "x", "-g", "nowak")
    file = in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])
    seq = file["seq"]
    give(file, "yamada")
    behind = in_file(as_json("send", orders("yamada", "let pass"), "-g", "yamada")["file"])
    give(behind, "nowak")
    with Session.at_work(Path("nowak")) as work:
        made = papers.make("restored", file["game"], head, "nowak", {"asks": "cd" * 32})
        question = papers.sign(made, work.private)
        at_file = papers.sign({**made, "head": work.head}, work.private)
        assert restoring._give_up(work, at_file) == [], "he held it himself when he asked"
        assert restoring._give_up(work, {**question, "head": "ab" * 32}) == [], "nobody knows what comes behind it"
        told = restoring._give_up(work, question)
    assert told == [f"Your file {seq} is in nobody's hands and is given up: its place is free again."]
    work = session("nowak")
    assert work.table.last == seq - 1 and all(d in work.folder.aside() for d in (file, behind))
    with pen.held(work) as rows:
        yielded = [(row["id"], row["seq"], row["to"]) for row in rows.rows if row["kind"] == "yielded"]
    assert (document_id(file), seq, "") in yielded and document_id(behind) not in [name for name, *_ in yielded]


def test_a_question_is_asked_anew_when_it_waits_for_what_comes_no_more() -> None:
    """A file that was given up, one of a version that the log has left; or its key is given up."""
    question = asked()
    work = session("nowak")
    assert not restoring._is_overtaken(work, question)
    work.table.ledger.gone.append("ab" * 32)
    behind = papers.sign(papers.make("restored", question["game"], "ab" * 32, "nowak", {"asks": "cd" * 32}), work.private)
    assert restoring._is_overtaken(work, behind)
    anew = "nowak has named a file of another version than this log's: once that is given up, `pbem restored` asks anew"
    assert restoring._waits(work, behind)[-1] == anew
    assert restoring._is_overtaken(work, {**question, "asks": "ef" * 32}), "nobody has signed it"


def test_a_file_lies_behind_what_the_log_has_left() -> None:
    """By the files that lie aside from there to the log: another version's, not those that only go on behind its end."""
    work = session("nowak")
    files = work.folder.log.files()
    one = {**files[-2], "note": ["another"]}
    two = {**files[-1], "prev": document_id(one)}
    late = {**files[-1], "seq": len(files), "prev": document_id(files[-1])}
    for document in (one, two, late):
        work.folder.set_aside(document)
    assert [restoring._is_left(work, document_id(d)) for d in (one, two, late, files[-1], files[3])] == [
        True,
        True,
        *[False] * 3,
    ]
    assert not restoring._is_left(work, "ab" * 32)
    question = papers.sign(
        {**papers.make("restored", work.charter.game_id, document_id(late), "nowak", {"asks": "cd" * 32})}, work.private
    )
    others = [f"{name} has not answered yet" for name in ("dubois", "yamada")]
    assert restoring._waits(work, question) == [*others, "your other machine holds a newest file that is not here"]
    work.table.ledger.agreed = "draw"
    assert restoring._is_left(work, document_id(late)), "behind the end nothing comes into a log"
    assert restoring._waits(work, question) == others and not restoring._is_left(work, "ab" * 32)


def test_what_was_withdrawn_and_never_came_again_comes_into_the_log_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    work = session("nowak")
    here = document_id(work.folder.log.files()[-1])
    gone: list[Document] = [{"id": "cd" * 32, "unsent": ["ef" * 32]}, {"id": here}, {"id": "12" * 32}]
    monkeypatch.setattr(Session, "withdrawn", lambda _: gone)
    heads = ("cd" * 32, "ef" * 32, "12" * 32, here, "ab" * 32)
    assert [restoring._is_left(work, head) for head in heads] == [True, True, True, False, False]


def test_a_folder_that_has_another_version_beside_it_has_heard_all() -> None:
    question = asked()
    work = session("nowak")
    other = {**work.folder.log.files()[-1], "note": ["another"]}
    made = papers.make("head", question["game"], document_id(other), "yamada", {"answers": document_id(question)})
    for answer in (papers.sign(made, session("yamada").private), answered(question, "dubois")):
        work.add_slip(answer)
    assert not restoring.has_heard_all(work), "it is not here"
    work.folder.set_aside(other)
    assert restoring.has_heard_all(work)
    anew = "a file of another version than this log's: once that is given up, `pbem restored` asks anew"
    assert restoring._waits(work, question) == [f"yamada has named {anew}"]


def test_who_is_not_unheard() -> None:
    """He has not asked, or goes on upon his word, or the key that signed his question is given up."""
    assert restoring.unheard(session("yamada"), "nowak") == []
    question = asked()
    work = session("yamada")
    work.add_slip(question)
    assert restoring.unheard(work, "nowak") == [f"{name} has not answered yet" for name in ("dubois", "yamada")]
    forged = session("yamada")
    forged.add_slip({**question, "asks": "ab" * 32})
    forged.folder.log.entries[:] = [e for e in forged.folder.log.entries if e["document"] != question]
    assert restoring.unheard(forged, "nowak") == []
    must("restored", "--on-my-word", "x", "-g", "nowak")
    last = session("dubois")
    last.add_slip(slips("nowak", "restored")[-1])
    assert restoring.unheard(last, "nowak") == []


def test_who_answers_late_takes_the_files_behind_the_one_that_has_carried_the_question() -> None:
    """Dubois has resigned, and nobody waits for him; his program answers when the file with the question is there already."""
    question = asked()
    give(answered(question, "yamada"), "nowak")
    must("resign", "--yes", "-g", "dubois")
    resigned = slips("dubois", "resignation")[-1]
    for name in ("nowak", "yamada"):
        give(resigned, name)
    assert restoring.ask(Path("nowak")) and is_sure()
    first = in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])
    assert question in first["slips"]
    for name in ("dubois", "yamada"):
        give(first, name)
    late = answered(question, "dubois")
    assert late["head"] == document_id(first)
    give(late, "yamada")
    finish(["nowak", "dubois", "yamada"])
    for name in ("dubois", "yamada"):
        assert session(name).head == session("nowak").head and len(session(name).folder.log.files()) > first["seq"] + 3
