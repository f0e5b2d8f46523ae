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
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import heals, pen, record
from pbem.store.paths import home
from pbem.store.session import Session
from tests.commands import Done, must, run
from tests.toygame.folders import TWO, advance_to, as_json, at, found, orders, session, two_pens
from tests.toygame.test_pen import machine


@pytest.fixture(autouse=True)
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nowak marches next; two machines of his know each other, the desk and the laptop; `mine` lies at the laptop."""
    with at(tmp_path, monkeypatch):
        assert advance_to(found(TWO), "march") == "nowak"
        must("sync", "--join", "--name", "desk", "-g", "nowak")
        with machine("laptop", monkeypatch):
            must("sync", "--join", "--name", "laptop", "-g", "nowak")
        shutil.copytree("nowak", "mine")
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
    said = refused(5, "--join", "--name", "laptop", "-g", "nowak")
    assert "another machine is called 'laptop' here: --name gives this one another name" in said
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


def test_a_machine_that_has_not_the_pen_says_so(laptop: AbstractContextManager[None]) -> None:
    with laptop:
        told = must("sync", "-g", "nowak")
        assert told.startswith("It signs nothing here: it comes from another machine, or the folder of keys"), told
        assert refused(3, "--leave", "-g", "nowak").startswith("waiting: this folder may lack something that you have signed")
        assert not [row for row in rows() if row["kind"] == "left"]


def test_a_pen_is_not_taken_by_a_machine_that_it_was_not_left_to(monkeypatch: pytest.MonkeyPatch) -> None:
    with machine("tablet", monkeypatch):
        must("sync", "--join", "--name", "tablet", "-g", "nowak")
    must("sync", "--leave", "--name", "laptop", "-g", "nowak")
    with machine("tablet", monkeypatch):
        assert not as_json("sync", "-g", "nowak")["sure"]
    with machine("laptop", monkeypatch):
        assert as_json("sync", "-g", "nowak")["sure"]


def test_a_pen_that_was_left_behind_a_file_is_not_taken_before_that_is_here(laptop: AbstractContextManager[None]) -> None:
    """Its mark has travelled before the log has: a synchronised folder brings one file after the other."""
    must("send", orders("nowak", "go"), "-g", "nowak")
    must("sync", "--leave", "-g", "nowak")
    seq = session("nowak").table.last
    shutil.copy("nowak/private/place.json", "mine/private/place.json")
    with laptop:
        told = must("sync", "-g", "mine")
        assert f"The pen was left here at a file that this folder lacks: synchronise the folder first ({seq})." in told
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
        assert f"The pen is not taken: file {seq} of yours was signed at another machine" in told
        assert not as_json("sync", "-g", "nowak")["sure"]


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
        one.me.sealed.update({handle: {"order": name, "salt": "ab" * 32}})
        one.folder.save_secrets(one.me)
    must("sync", "mine", "-g", "nowak")
    for name in ("nowak", "mine"):
        one = session(name)
        assert slip in one.folder.log.slips() and "well met" in must("notes", "-g", name)
        assert {h: c["order"] for h, c in one.me.sealed.items() if h in ("one", "other")} == {"one": "nowak", "other": "mine"}


def test_two_signed_futures_are_not_merged() -> None:
    with two_pens():
        must("send", orders("nowak", "go"), "-g", "nowak")
        must("send", orders("mine", "halt"), "-g", "mine")
    seq = place_of_the_march()
    before = [Path(name, "log.jsonl").read_bytes() for name in ("nowak", "mine")]
    said = refused(11, "mine", "-g", "nowak")
    assert f"the two folders hold different files {seq}: nothing was merged; `pbem status` in both says more" in said
    assert [Path(name, "log.jsonl").read_bytes() for name in ("nowak", "mine")] == before


def test_folders_of_others_and_of_other_games_are_refused() -> None:
    assert "yamada is yamada's folder: players exchange files by `receive`" in refused(5, "yamada", "-g", "nowak")
    shutil.rmtree("draft")
    for name in TWO:
        Path(name).rename(f"first-{name}")
    found(TWO)
    assert "first-nowak is a folder of another game" in refused(8, "first-nowak", "-g", "nowak")


def test_a_file_that_the_other_folder_does_not_take_is_named(
    laptop: AbstractContextManager[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    answered()
    seq = session("mine").table.last + 1

    def refuse(*_: Any) -> None:
        raise ProtocolError(Outcome.REFUSED, msg("it does not please"))

    monkeypatch.setattr(Session, "take", refuse)
    with laptop:
        assert f"file {seq} is not taken in mine: it does not please" in refused(11, "mine", "-g", "nowak")


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
    monkeypatch.setattr(heals, "take", lambda at, d: taken.append(f"{at.folder.path} {d['type']}"))
    monkeypatch.setattr(Session, "take", lambda at, d: taken.append(f"{at.folder.path} {d['type']}"))
    with laptop, Session.at_work(Path("mine")) as here, Session.at_work(Path("nowak")) as there:
        monkeypatch.setattr(
            type(there.folder.log), "files", lambda log: longer if log is there.folder.log else files[: last + 1]
        )
        syncing._exchange(here, there)
    assert taken == ["bring mine nowak", "bring nowak mine", "mine heal", "mine turn"]
