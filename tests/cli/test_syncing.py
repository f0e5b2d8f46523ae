"""Two machines of one player: what each command says, what it leaves in the folder, and what it refuses."""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import syncing
from pbem.kernel.wording import msg
from pbem.protocol import turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.store import early, heals, pen, record
from pbem.store.paths import home
from pbem.store.session import Session
from tests.commands import Done, must, run
from tests.toygame.folders import TWO, as_json, at, orders, session, two_pens
from tests.toygame.remembered import found
from tests.toygame.test_pen import machine, two_machines


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nowak marches next; two machines of his know each other, the desk and the laptop; `mine` lies at the laptop."""
    place = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch, at(place, patch):
        two_machines(patch)
    return place


@pytest.fixture(autouse=True)
def game(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same in a folder of its own."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    with at(tmp_path, monkeypatch):
        yield


@pytest.fixture
def laptop(monkeypatch: pytest.MonkeyPatch) -> AbstractContextManager[None]:
    return machine("laptop", monkeypatch)


def refused(code: int, *words: str) -> str:
    done: Done = run("sync", *words)
    assert done.code == code and not done.out, done
    return done.err


def rows(name: str = "nowak") -> list[dict[str, Any]]:
    with pen.held(session(name)) as held:
        return list(held.rows)


def place_of_the_march() -> int:
    """The place of nowak's march."""
    return next(n for n, d in enumerate(session("nowak").folder.log.files()) if d.get("orders") == ["go"])


def machines() -> dict[str, str]:
    return dict(json.loads(Path("nowak/private/machines.json").read_text()))


# -- joining ----------------------------------------------------------------------------------------------------------------


def test_who_joins_is_told_which_machines_are_known(laptop: AbstractContextManager[None]) -> None:
    assert must("sync", "--join", "-g", "nowak") == "This machine is 'desk' here; known: desk, laptop\n", "it keeps its name"
    assert as_json("sync", "--join", "-g", "nowak") == {"machine": "desk", "machines": ["desk", "laptop"]}
    assert as_json("sync", "--join", "--name", "study", "-g", "nowak") == {"machine": "study", "machines": ["laptop", "study"]}
    assert syncing.join(Path("nowak"))[0] == {"machine": "study", "machines": ["laptop", "study"]}
    said = refused(5, "--join", "--name", "laptop", "-g", "nowak")
    assert ": another machine is called 'laptop' here: --name gives this one another name\n" in said
    assert machines()["study"] == record.identity(home(), session("nowak").folder.disk)["record"]
    assert Path("nowak/private/machines.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("node", "called"), [("a-node", "a-node"), ("", "machine 1")])
def test_a_machine_without_a_name_has_that_of_the_system_or_a_number(
    node: str, called: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "node", lambda: node)
    for damaged in ("[1]", "{", '"desk"'):
        Path("nowak/private/machines.json").write_text(damaged)
        assert as_json("sync", "--join", "-g", "nowak") == {"machine": called, "machines": [called]}


def test_a_second_machine_without_a_name_has_the_next_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "")
    with machine("third", monkeypatch):
        assert as_json("sync", "--join", "-g", "nowak")["machine"] == "machine 3"


# -- leaving and taking -----------------------------------------------------------------------------------------------------


def test_what_a_row_and_the_folder_say_of_a_pen_that_was_left(laptop: AbstractContextManager[None]) -> None:
    at_start = session("nowak")
    told = must("sync", "--leave", "-g", "nowak")
    assert told == f"The pen is left to 'laptop' at file {at_start.table.last}: `pbem sync` there takes it.\n"
    known = machines()
    left = {"from": known["desk"], "to": known["laptop"], "head": at_start.head, "seq": at_start.table.last}
    assert {key: rows()[-1][key] for key in ("kind", *left)} == {"kind": "left", **left}
    assert (pen.read_place(session("nowak").folder) or {})["left"] == left
    assert as_json("sync", "--leave", "-g", "nowak") == {"left": "laptop", "file": at_start.table.last}
    assert syncing.leave(Path("nowak"))[0] == {"left": "laptop", "file": at_start.table.last}
    assert len([row for row in rows() if row["kind"] == "left"]) == 1
    before = pen.read_place(session("nowak").folder) or {}
    with laptop:
        told = must("sync", "-g", "nowak")
        assert told.startswith(
            "The pen was left to this machine: it signs here now.\nYou may sign here. nowak has to send orders"
        )
        row = {"from": known["desk"], "to": known["laptop"], "head": at_start.head, "row": before["last"]}
        assert {key: rows()[-1][key] for key in ("kind", *row)} == {"kind": "took-over", **row}
        assert as_json("sync", "-g", "nowak") == {"sure": True, "files": at_start.table.last}


def test_who_leaves_the_pen_to_another_is_told_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with machine("tablet", monkeypatch):
        must("sync", "--join", "--name", "tablet", "-g", "nowak")
    must("sync", "--leave", "--name", "tablet", "-g", "nowak")
    at_file, tablet = f"at file {session('nowak').table.last} already: it goes on from there\n", machines()["tablet"]
    said = refused(3, "--leave", "--name", "laptop", "-g", "nowak")
    assert f": the pen was left to 'tablet' {at_file}" in said
    Path("nowak/private/machines.json").write_text(json.dumps({"laptop": machines()["laptop"]}))
    assert f": the pen was left to '{tablet[:8]}' {at_file}" in refused(3, "--leave", "-g", "nowak"), "one without a name"


def test_a_machine_that_has_not_the_pen_says_so(laptop: AbstractContextManager[None]) -> None:
    with laptop:
        told = must("sync", "-g", "nowak")
        assert told.startswith("It signs nothing here: it comes from another machine, or the folder of keys"), told
        said = refused(3, "--leave", "-g", "nowak")
        assert said.startswith(
            "waiting: this folder may lack something that you have signed: it comes from another machine, or"
        )
        assert not [row for row in rows() if row["kind"] == "left"]


def test_a_pen_is_not_taken_by_a_machine_that_it_was_not_left_to(monkeypatch: pytest.MonkeyPatch) -> None:
    with machine("tablet", monkeypatch):
        must("sync", "--join", "--name", "tablet", "-g", "nowak")
    must("sync", "--leave", "--name", "laptop", "-g", "nowak")
    with machine("tablet", monkeypatch):
        assert not as_json("sync", "-g", "nowak")["sure"]
    with machine("laptop", monkeypatch):
        assert as_json("sync", "-g", "nowak")["sure"]


def test_a_copy_of_before_the_pen_was_called_back_hides_no_newer_one(laptop: AbstractContextManager[None]) -> None:
    must("sync", "--leave", "-g", "nowak")
    shutil.copytree("nowak", "stick")
    must("restored", "--on-my-word", "the laptop is away", "-g", "nowak")
    must("send", orders("nowak", "go"), "-g", "nowak")
    must("sync", "--leave", "-g", "nowak")
    with laptop:
        assert as_json("sync", "nowak", "-g", "stick")["sure"]


def test_an_older_folder_of_a_machine_signs_nothing_beside_what_the_other_one_has_signed(
    laptop: AbstractContextManager[None],
) -> None:
    """The pen has been away and is back at the desk, in a copy of the stick; `nowak` there knows nothing of that."""
    must("sync", "--leave", "-g", "nowak")
    shutil.copytree("nowak", "stick")
    with laptop:
        must("sync", "-g", "stick")
        sent = as_json("send", orders("stick", "go"), "-g", "stick")["seq"]
        must("sync", "--leave", "-g", "stick")
    shutil.copytree("stick", "carried")
    assert as_json("sync", "-g", "carried")["sure"]
    done = run("send", orders("nowak", "halt"), "-g", "nowak")
    assert done.code != 0, done
    files = session("nowak").folder.log.files()
    assert files[sent:] in ([], session("carried").folder.log.files()[sent:]), "what was signed, or nothing"
    must("receive", "carried/outbox", "-g", "yamada")


def test_an_older_folder_gives_the_answer_after_a_loss_that_the_other_machine_has_given(
    laptop: AbstractContextManager[None],
) -> None:
    """Two answers of one key would leave it to him who asks which of them counts."""
    must("sync", "--leave", "-g", "nowak")
    shutil.copytree("nowak", "stick")
    Path("yamada/private/place.json").unlink()
    question = as_json("restored", "-g", "yamada")["asked"]
    with laptop:
        must("sync", "-g", "stick")
        must("receive", question, "-g", "stick")
        must("send", orders("stick", "go"), "-g", "stick")
        must("sync", "--leave", "-g", "stick")
    shutil.copytree("stick", "carried")
    must("sync", "-g", "carried")
    must("receive", question, "-g", "nowak")
    for name in ("carried", "nowak"):
        assert [s for s in session(name).folder.log.slips() if s["slip"] == "head"] == [
            s for s in session("stick").folder.log.slips() if s["slip"] == "head"
        ], name


def test_an_older_folder_signs_nothing_beside_what_one_that_is_sure_again_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was signed at a machine that is lost: one folder knows of it, and goes on upon its player's word."""
    shutil.copytree("nowak", "third")
    shutil.copytree("nowak", "older")
    with machine("third", monkeypatch), two_pens():
        monkeypatch.setattr(pen, "why_unsure", lambda *_: "")
        sent = as_json("send", orders("third", "go"), "-g", "third")
        monkeypatch.undo()
    must("receive", sent["file"], "-g", "nowak")
    assert as_json("restored", "--on-my-word", "that machine is lost", "-g", "nowak")["sure"]
    done = run("send", orders("older", "halt"), "-g", "older")
    assert done.code != 0, done
    files = session("older").folder.log.files()
    assert files[sent["seq"] :] in ([], session("nowak").folder.log.files()[sent["seq"] :]), "what was signed, or nothing"


def test_a_folder_in_which_it_was_left_to_another_hides_no_other_folder(laptop: AbstractContextManager[None]) -> None:
    must("sync", "--leave", "-g", "nowak")
    place = json.loads(Path("nowak/private/place.json").read_text())
    Path("mine/private/place.json").write_text(json.dumps({**place, "left": {**place["left"], "to": "ab" * 16}}))
    with laptop:
        assert as_json("sync", "nowak", "-g", "mine")["sure"]


def test_a_pen_that_was_left_behind_a_file_is_not_taken_before_that_is_here(laptop: AbstractContextManager[None]) -> None:
    """Its mark has travelled before the log has: a synchronised folder brings one file after the other."""
    must("send", orders("nowak", "go"), "-g", "nowak")
    must("sync", "--leave", "-g", "nowak")
    seq = session("nowak").table.last
    shutil.copy("nowak/private/place.json", "mine/private/place.json")
    with laptop:
        told = must("sync", "-g", "mine")
        assert told.startswith(
            f"The pen was left here at a file that this folder lacks: synchronise the folder first ({seq}).\n"
        )
        assert not as_json("sync", "-g", "mine")["sure"]
        assert not [row for row in rows("mine") if row["kind"] == "took-over"]


def test_a_pen_is_not_taken_where_files_were_signed_elsewhere_since_it_was_left(
    laptop: AbstractContextManager[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    must("sync", "--leave", "-g", "nowak")
    shutil.copytree("nowak", "third")
    with machine("third", monkeypatch), two_pens():
        monkeypatch.setattr(pen, "why_unsure", lambda *_: "")
        sent = as_json("send", orders("third", "go"), "-g", "third")["file"]
        monkeypatch.undo()
    with laptop:
        must("receive", sent, "-g", "nowak")
        seq = session("nowak").table.last
        told = must("sync", "-g", "nowak")
        assert told.startswith(f"The pen is not taken: file {seq} of yours was signed at another machine")
        assert not as_json("sync", "-g", "nowak")["sure"]


def test_a_pen_is_not_left_where_files_were_signed_elsewhere_that_the_record_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree("nowak", "third")
    with machine("third", monkeypatch), two_pens():
        monkeypatch.setattr(pen, "why_unsure", lambda *_: "")
        sent = as_json("send", orders("third", "go"), "-g", "third")["file"]
        monkeypatch.undo()
    must("receive", sent, "-g", "nowak")
    seq = session("nowak").table.last
    assert f"file {seq} of yours was signed at another machine" in refused(3, "--leave", "-g", "nowak")


# -- two folders ------------------------------------------------------------------------------------------------------------


def answered() -> None:
    """Nowak has marched and holds yamada's answer, and has left the pen to the laptop; `mine` there lacks both files."""
    must("send", orders("nowak", "go"), "-g", "nowak")
    must("receive", "nowak/outbox", "-g", "yamada")
    sent = as_json("send", orders("yamada", "let pass"), "-g", "yamada")["file"]
    must("receive", sent, "-g", "nowak")
    must("sync", "--leave", "-g", "nowak")


def test_another_folder_gives_what_it_has_more_of(laptop: AbstractContextManager[None]) -> None:
    answered()
    moved = session("nowak").table.last - session("mine").table.last
    with laptop:
        told = must("sync", "nowak", "-g", "mine")
        assert told.startswith(f"Files brought to mine: {moved}.\nThe pen was left to this machine: it signs here now.\n"), told
        assert session("mine").head == session("nowak").head
        assert must("sync", "nowak", "-g", "mine").startswith("Both folders hold the same files.\n")


def test_another_folder_is_given_what_this_one_has_more_of(laptop: AbstractContextManager[None]) -> None:
    answered()
    moved = session("nowak").table.last - session("mine").table.last
    with laptop:
        assert must("sync", "mine", "-g", "nowak").startswith(f"Files brought to mine: {moved}.\n")
        assert session("mine").head == session("nowak").head


def test_slips_notes_and_contents_of_seals_go_both_ways() -> None:
    must("say", "all", "well met", "-g", "mine")
    slip = session("nowak").sign_slip("request", {"text": "x"})
    session("nowak").add_slip(slip)
    for name, handle in (("nowak", "one"), ("mine", "other")):
        one = session(name)
        one.me.sealed.update({handle: {"order": name, "salt": "ab" * 32}, "both": {"order": name, "salt": "cd" * 32}})
        one.folder.save_secrets(one.me)
    must("sync", "mine", "-g", "nowak")
    for name in ("nowak", "mine"):
        one = session(name)
        assert slip in one.folder.log.slips() and "well met" in must("notes", "-g", name)
        sealed = {h: c["order"] for h, c in one.me.sealed.items() if h in ("one", "other", "both")}
        assert sealed == {"one": "nowak", "other": "mine", "both": name}, "what is known stays"


def what_came_early() -> tuple[dict[str, Any], dict[str, Any]]:
    """Yamada's answer to nowak's march, which nowak lacks yet, and a proof that rests on it."""
    must("send", orders("nowak", "go"), "-g", "nowak")
    must("receive", "nowak/outbox", "-g", "yamada")
    answer_: dict[str, Any] = dict(
        read_document(Path(as_json("send", orders("yamada", "let pass"), "-g", "yamada")["file"]).read_bytes())[0]
    )
    place = {**answer_, "seq": answer_["seq"] + 1, "prev": document_id(answer_)}
    forked = [turnfile.sign({**place, "note": [word]}, session("yamada").private) for word in ("one", "two")]
    forked[1] = turnfile.sign({**forked[1], "replaces": document_id(forked[0])}, session("yamada").private)
    return answer_, session("yamada").sign_slip("equivocation", {"files": forked})


def arrives(document: dict[str, Any], name: str, code: int = 0) -> str:
    Path("one.yaml").write_text(write_document(document))
    done = run("receive", "one.yaml", "-g", name)
    assert done.code == code, done
    return done.out


@pytest.mark.parametrize(("other", "here"), [("mine", "nowak"), ("nowak", "mine")])
def test_what_came_too_early_to_one_folder_counts_where_the_other_has_the_files(
    other: str, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_, slip = what_came_early()
    with machine("laptop", monkeypatch):
        arrives(slip, "mine", Outcome.WAITING.code)
    arrives(answer_, "nowak")
    with machine("laptop", monkeypatch):
        told = must("sync", other, "-g", here)
        assert told.count("equivocation of yamada, which had come too early: done") == 1, told
        for name in ("nowak", "mine"):
            assert slip in session(name).folder.log.slips() and not early.waits(session(name).folder), name


def test_what_still_waits_in_one_folder_waits_in_both(laptop: AbstractContextManager[None]) -> None:
    answer_, slip = what_came_early()
    with laptop:
        arrives(slip, "mine", Outcome.WAITING.code)
    told = must("sync", "mine", "-g", "nowak")
    assert "equivocation" not in told, told
    assert [d for _, d in early.lying(session("nowak").folder)] == [slip] == [d for _, d in early.lying(session("mine").folder)]
    assert must("sync", "mine", "-g", "nowak").startswith("Both folders hold the same files.\nYou may sign here."), "once"
    assert "equivocation of yamada, which had come too early: done" in arrives(answer_, "nowak")


@pytest.mark.parametrize(("other", "here"), [("mine", "nowak"), ("nowak", "mine")])
def test_a_file_that_lies_beside_one_log_is_taken_where_it_fits(
    other: str, here: str, laptop: AbstractContextManager[None]
) -> None:
    answer_, _ = what_came_early()
    with laptop:
        arrives(answer_, "mine", Outcome.WAITING.code)
        told = must("sync", other, "-g", here)
        assert told.startswith("Files brought to mine: 1.\n") and f"file {answer_['seq']} of yamada" in told, told
        assert session("nowak").folder.log.files()[-1] == answer_ == session("mine").folder.log.files()[-1]


def test_a_file_that_its_author_has_taken_back_does_not_come_again_from_an_old_copy() -> None:
    must("send", orders("nowak", "go"), "-g", "nowak")
    seq = session("nowak").table.last
    taken_back = session("nowak").folder.log.files()[seq]
    must("unsend", "--yes", "-g", "nowak")
    session("mine").folder.set_aside(taken_back)
    must("sync", "mine", "-g", "nowak")
    assert session("nowak").table.last == seq - 1 and not list(Path("nowak/aside").glob(f"{seq:04d}-*"))


def test_a_file_that_was_taken_back_does_not_go_to_a_copy_that_has_never_had_it() -> None:
    must("send", orders("nowak", "go"), "-g", "nowak")
    taken_back = session("nowak").folder.log.files()[-1]
    must("unsend", "--yes", "-g", "nowak")
    session("nowak").folder.set_aside(taken_back)
    must("sync", "mine", "-g", "nowak")
    assert taken_back not in session("mine").folder.log.files() and taken_back not in session("mine").folder.aside()


def test_an_own_file_beside_one_log_is_not_brought_into_the_other() -> None:
    """Whether it counts is told by the record, not by a copy of the folder."""
    shutil.copytree("nowak", "third")
    with two_pens():
        must("send", orders("third", "go"), "-g", "third")
    own = session("third").folder.log.files()[-1]
    session("mine").folder.set_aside(own)
    assert syncing._beside(session("mine")) == []


def test_a_file_that_went_to_another_folder_is_not_unsent_unasked() -> None:
    must("send", orders("nowak", "go"), "-g", "nowak")
    must("sync", "mine", "-g", "nowak")
    done = run("unsend", "--yes", "-g", "nowak")
    assert done.code == 1 and "`pbem sync`" in done.err + done.out, done


def test_two_signed_futures_are_not_merged() -> None:
    with two_pens():
        must("send", orders("nowak", "go"), "-g", "nowak")
        must("send", orders("mine", "halt"), "-g", "mine")
    seq = place_of_the_march()
    before = [Path(name, "log.jsonl").read_bytes() for name in ("nowak", "mine")]
    said = refused(11, "mine", "-g", "nowak")
    assert f": the two folders hold different files {seq}: nothing was merged; `pbem status` in both says more\n" in said
    assert [Path(name, "log.jsonl").read_bytes() for name in ("nowak", "mine")] == before


def test_folders_of_others_and_of_other_games_are_refused() -> None:
    assert ": yamada is yamada's folder: players exchange files by `receive`\n" in refused(5, "yamada", "-g", "nowak")
    shutil.rmtree("draft")
    for name in TWO:
        Path(name).rename(f"first-{name}")
    found(TWO)
    assert ": first-nowak is a folder of another game\n" in refused(8, "first-nowak", "-g", "nowak")


def test_a_file_that_the_other_folder_does_not_take_is_named(
    laptop: AbstractContextManager[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    answered()
    seq = session("mine").table.last + 1

    def refuse(*_: Any) -> None:
        raise ProtocolError(Outcome.REFUSED, msg("it does not please"))

    monkeypatch.setattr(Session, "take", refuse)
    with laptop:
        assert f": file {seq} is not taken in mine: it does not please\n" in refused(11, "mine", "-g", "nowak")


def test_a_heal_in_the_longer_log_is_taken_as_one(
    laptop: AbstractContextManager[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the files that it makes void, which no log takes."""
    answered()
    taken: list[str] = []
    files = session("nowak").folder.log.files()
    last = session("mine").table.last
    heal, void, real = ({**files[last + 1], "type": kind} for kind in ("heal", "void", "turn"))
    longer = [*files[: last + 1], heal, void, real]
    monkeypatch.setattr(heals, "bring", lambda one, two: taken.append(f"bring {one.folder.path} {two.folder.path}"))
    monkeypatch.setattr(heals, "take", lambda at, d: taken.append(f"{at.folder.path} {d['type']} as a heal"))
    monkeypatch.setattr(Session, "take", lambda at, d: taken.append(f"{at.folder.path} {d['type']}"))
    with laptop, Session.at_work(Path("mine")) as here, Session.at_work(Path("nowak")) as there:
        monkeypatch.setattr(
            type(there.folder.log), "files", lambda log: longer if log is there.folder.log else files[: last + 1]
        )
        syncing._exchange(here, there)
    assert taken == ["bring mine nowak", "bring nowak mine", "mine heal as a heal", "mine turn"]


# -- two machines in turn ------------------------------------------------------------------------------------------------------


def test_the_pen_goes_to_another_machine_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = "nowak"
    with machine("laptop", monkeypatch):
        assert run("send", orders(writer, "go"), "-g", writer).code == 3, "the pen is at the desk"
    assert as_json("sync", "--leave", "-g", writer)["left"] == "laptop"
    assert run("send", orders(writer, "go"), "-g", writer).code == 3, "the pen was left"
    must("sync", "--leave", "-g", writer)  # given again: nothing new
    with machine("laptop", monkeypatch):
        assert as_json("sync", "-g", writer)["sure"]
        must("send", orders(writer, "go"), "-g", writer)
        assert as_json("sync", "--leave", "-g", writer)["left"] == "desk"
    assert as_json("sync", "-g", writer)["sure"]


def test_a_pen_that_is_left_again_after_more_has_come_is_where_it_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record has gone on since, and so has the log; nothing is left a second time, nor by an old copy of the folder."""
    writer = "nowak"
    must("sync", "--join", "--name", "desk", "-g", writer)
    for name in ("laptop", "tablet"):
        with machine(name, monkeypatch):
            must("sync", "--join", "--name", name, "-g", writer)
    shutil.copytree(writer, "old")
    must("sync", "--leave", "--name", "laptop", "-g", writer)
    place = Path(writer, "private/place.json").read_bytes()
    with pen.held(session(writer)) as rows:
        rows.append("yielded", {"id": "ab" * 32, "seq": None, "to": ""}, "")
    session(writer).add_slip(session("yamada").sign_slip("request", {"text": "x"}))
    at = session(writer).table.last
    for name in (writer, "old"):
        told = must("sync", "--leave", "--name", "laptop", "-g", name)
        assert told.startswith(f"The pen is left to 'laptop' at file {at}: `pbem sync` there takes it."), told
        other = run("sync", "--leave", "--name", "tablet", "-g", name)
        assert other.code == 3 and f"the pen was left to 'laptop' at file {at} already: it goes on from there" in other.err, (
            other
        )
        assert run("send", orders(name, "go"), "-g", name).code == 3
    assert Path(writer, "private/place.json").read_bytes() == place
    with machine("laptop", monkeypatch):
        assert as_json("sync", "-g", writer)["sure"]
        must("sync", "--leave", "--name", "desk", "-g", writer)
        assert not as_json("sync", "-g", "old")["sure"], "by the old copy it was left only once too"
    assert as_json("sync", "-g", writer)["sure"]


def test_what_a_tired_player_asks_of_his_machines_is_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = "nowak"
    Path(writer, "private/machines.json").unlink()

    def told(*words: str) -> str:
        done = run("sync", *words, "-g", writer)
        assert done.code == 5, done
        return done.err

    assert f"{writer} is this folder itself: name the other one" in told(f"./{writer}")
    assert ": no other machine is known here: give `pbem sync --join` there first\n" in told("--leave")
    must("sync", "--join", "--name", "desk", "-g", writer)
    assert "no other machine is known here" in told("--leave"), "nor is this one another"
    for name in ("laptop", "tablet"):
        with machine(name, monkeypatch):
            must("sync", "--join", "--name", name, "-g", writer)
    assert ": which machine? --name laptop, --name tablet\n" in told("--leave")
    assert "which machine? --name laptop, --name tablet" in told("--leave", "--name", "lap")
    for both in (["--join", "--leave"], ["--leave", writer], ["--join", writer]):
        assert "one thing at a time: --join, --leave, or another folder" in told(*both)
    assert as_json("sync", "--leave", "--name", "tablet", "-g", writer)["left"] == "tablet"


def test_a_pen_that_was_taken_and_left_again_is_not_taken_from_an_old_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stick on which the folder lies as it was left to this machine: the desk has the pen, and signs at the same time."""
    writer = "nowak"
    must("sync", "--leave", "-g", writer)
    for copy in ("stick", "stick 2", "stick 3"):
        shutil.copytree(writer, copy)
    with machine("laptop", monkeypatch):
        assert as_json("sync", "-g", writer)["sure"]
        assert as_json("sync", "-g", "stick")["sure"], "the pen is here: from the same copy it is taken as often as you like"
        must("sync", "--leave", "-g", writer)
        with pen.held(session(writer)) as held:
            held.append("yielded", {"id": "ab" * 32, "seq": None, "to": ""}, "")  # the record goes on
    assert as_json("sync", "-g", writer)["sure"]
    with machine("laptop", monkeypatch):
        for copy in ("stick 2", "stick 3"):
            told = run("sync", "-g", copy)
            assert told.out.startswith("The pen was taken from this copy once, and left again since: leave it here anew.\n"), (
                told
            )
            assert not as_json("sync", "-g", copy)["sure"]
            assert run("send", orders(copy, "go"), "-g", copy).code == 3
        shutil.rmtree("stick 3")
        told = run("sync", "stick 2", "-g", writer)
        assert not as_json("sync", "stick 2", "-g", writer)["sure"], "nor where it is named beside the folder at work"
    must("sync", "--leave", "-g", writer)
    with machine("laptop", monkeypatch):
        assert as_json("sync", writer, "-g", "stick 2")["sure"], "the old copy hides nothing: left anew it is taken anew"
        assert as_json("sync", "-g", writer)["sure"]
        must("send", orders(writer, "go"), "-g", writer)


@pytest.mark.parametrize("damaged", ["here", "there"])
def test_damaged_notes_keep_no_pen_from_going_on(damaged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The talk is no part of the game; what can be read of it goes along."""
    writer = "nowak"
    must("say", "all", "well met", "-g", writer)
    must("sync", "--leave", "-g", writer)
    list_of_notes = Path("mine" if damaged == "here" else writer, "notes.jsonl")
    list_of_notes.write_bytes(b"\0" * 20 + b"\n")
    with machine("laptop", monkeypatch):
        told = must("sync", writer, "-g", "mine")
        assert told.count("\nThe notes of the two folders stay apart: ") == 1 and "You may sign here" in told, told
        assert f"{list_of_notes} cannot be read (log entry 0 is not readable): move it away" in told
    assert list_of_notes.read_bytes().startswith(b"\0"), "what is damaged stays for whoever can mend it"


def test_a_fault_in_what_follows_keeps_no_pen_from_being_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the program, where it looks whether a file beside the log fits now: it is told, and the rest is done."""
    must("sync", "--leave", "-g", "nowak")
    with machine("laptop", monkeypatch), pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.cli.forks.move", lambda session: [][0])
        told = must("sync", "nowak", "-g", "mine")
        assert told.count("what follows is not done: ") == 2, "in both folders"
        assert "You may sign here" in told, told
