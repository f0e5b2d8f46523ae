"""Two honest files for one place: a player's own, and one that the umpire or an ally has signed for him meanwhile (SPEC 9b).

Nobody has signed twice. The folders come together by themselves, or by the command that their status names.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import seats
from pbem.protocol.ids import document_id
from tests.commands import must, run
from tests.toygame.folders import SEATS, TWO, as_json, at, finish, hashes, orders, sent_until_a_witness_is_due, session, spread
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_commands import watching
from tests.toygame.test_heal_folders import document_in, show

Document = dict[str, Any]


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


@dataclass
class Crossed:
    """Nowak's own file for a place, and the one that gives his seat to the key in the folder `jones`."""

    folders: list[str]
    own: str
    theirs: str

    @property
    def everybody(self) -> list[str]:
        return [*self.folders, "jones"]

    @property
    def seq(self) -> int:
        return int(document_in(self.own)["seq"])

    def all_get_all(self) -> None:
        before: set[str] = set()
        while before != (before := self.heads()):
            show(*((one, two) for one in self.folders for two in self.everybody if one != two))

    def heads(self) -> set[str]:
        return {session(f).head for f in self.everybody}

    def file_at_the_place(self) -> set[str]:
        return {session(f).table.ledger.entries[self.seq].id for f in self.everybody}

    def plays_on(self) -> None:
        """Jones plays on for nowak where he has his seat."""
        if session("jones").is_seated:
            must("seat", "secrets", "hidden.json", "-g", "jones")
            shutil.rmtree("nowak")
            Path("jones").rename("nowak")
        finish(self.folders)
        assert len(hashes(self.folders)) == 1


def seat_given(role: str, by: str, lost_keys: str, answer: str = "go") -> Crossed:
    """Nowak has sent his orders to yamada alone; for all others his key is lost, and `by` gives his seat to another one."""
    folders = found(SEATS, role, lost_keys=lost_keys)
    assert advance_to(folders, "march") == "nowak"
    watching("yamada", "jones")
    must("seat", "take", "nowak", "--to", "seat.yaml", "-g", "jones")
    seats._hand_over(session("nowak"), Path("hidden.json"))  # from a backup, as if the key alone were lost
    own = as_json("send", orders("nowak", answer), "-g", "nowak")["file"]
    theirs = as_json("seat", "give", "seat.yaml", "-g", by)["file"]
    must("receive", own, "-g", "yamada")
    for name in [n for n in (*folders, "jones") if n not in (by, "nowak", "yamada")]:
        run("receive", theirs, "-g", name)  # jones, at nowak's machine, has the own file first
    return Crossed(folders, own, theirs)


def test_an_own_file_that_nobody_has_followed_gives_way_to_the_umpires_change_of_key() -> None:
    crossed = seat_given("escrow", "smith", "umpire")
    for name in ("yamada", "nowak"):
        said = run("receive", crossed.theirs, "-g", name)
        assert "this folder goes on with the other file" in said.out, said
    run("receive", crossed.own, "-g", "dubois")
    assert crossed.file_at_the_place() == {document_id(document_in(crossed.theirs))}
    assert "heal" not in must("status", "-g", "smith")
    crossed.plays_on()


def test_where_the_other_side_has_followed_the_own_file_the_umpire_heals_as_his_status_says() -> None:
    crossed = seat_given("escrow", "smith", "umpire")
    assert session("yamada").table.due.player == "yamada"
    must("send", orders("yamada", "let pass"), "-g", "yamada")
    crossed.all_get_all()
    assert len(crossed.heads()) > 1
    status = must("status", "-g", "smith")
    assert "pbem heal -g smith" in status and "PROVED" not in status, status
    assert "smith" in must("status", "-g", "dubois").split("pbem heal")[0].splitlines()[-1]
    other = run("heal", "--keep", document_id(document_in(crossed.theirs))[:16], "-g", "smith")
    assert other.code == 1, "who has seen both has no choice"
    done = as_json("heal", "-g", "smith")
    assert done["complete"], done
    for name in crossed.everybody:
        run("receive", done["file"], "-g", name)
    assert crossed.file_at_the_place() == {document_id(document_in(crossed.own))}
    assert {done["heal"]} <= {e.id for e in session("nowak").table.ledger.entries}
    assert "pbem heal" not in must("status", "-g", "smith")
    spread(crossed.folders)
    crossed.plays_on()


def test_two_files_of_allies_are_healed_by_all_whose_key_is_not_in_question() -> None:
    crossed = seat_given("", "dubois", "others")
    crossed.all_get_all()
    status = must("status", "-g", "yamada")
    assert "signed by yamada, dubois: pbem heal -g yamada" in status, status
    drafted = as_json("heal", "-g", "yamada")
    assert drafted["missing"] == ["dubois"]
    done = as_json("heal", drafted["file"], "-g", "dubois")
    assert done["complete"]
    for name in crossed.everybody:
        run("receive", done["file"], "-g", name)
    assert crossed.file_at_the_place() == {document_id(document_in(crossed.theirs))}, "nobody has followed either"
    must("agree", "-g", "yamada")
    spread(crossed.everybody)
    assert session("jones").is_seated
    crossed.plays_on()


@pytest.mark.parametrize("own_first", [True, False])
def test_where_the_umpire_stands_in_for_who_answers_meanwhile_the_own_file_stands_and_coming_again_adds_nothing(
    own_first: bool,
) -> None:
    folders = found(TWO, "escrow")
    advance_to(folders, "march")
    late = sent_until_a_witness_is_due("smith")
    sent = sorted(Path("smith/outbox").glob("*.yaml")) + sorted(
        p for f in folders for p in Path(f, "outbox").glob("*.yaml") if f not in (late, "smith")
    )
    theirs = as_json("umpire", "stand-in", "-g", "smith")["file"]
    for file in sent:
        run("receive", str(file), "-g", late)
    (own,) = [p for p in map(str, Path(late, "outbox").glob("*.yaml")) if is_place(p, document_in(theirs)["seq"])]
    other = next(f for f in folders if f not in (late, "smith"))
    for name in (late, "smith"):
        for file in (own, theirs) if own_first else (theirs, own):
            run("receive", file, "-g", name)
    for file in (own, theirs):  # theirs first, and his program might follow that by itself: then that one stands
        run("receive", file, "-g", other)
    assert {session(f).table.ledger.entries[document_in(own)["seq"]].id for f in folders} == {document_id(document_in(own))}
    entries = {f: len(session(f).folder.log.entries) for f in folders}
    for name in folders:
        for file in (theirs, own, theirs):
            run("receive", file, "-g", name)
    assert {f: len(session(f).folder.log.entries) for f in folders} == entries
    spread(folders)
    finish(folders)
    assert len(hashes(folders)) == 1


def is_place(file: str, seq: int) -> bool:
    document = document_in(file)
    return document["type"] != "slip" and document.get("seq") == seq
