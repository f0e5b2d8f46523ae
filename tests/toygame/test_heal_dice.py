"""Dice across a heal, in one folder per player: what was claimed before the parting is opened and turned behind the heal."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import keys
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.composing import Draft
from pbem.store import pen, record
from tests.commands import must, run
from tests.toygame.folders import SEATS, answer, as_json, at, due, finish, hashes, session, two_pens
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_heal_folders import all_sign, show, spread_slips

Document = dict[str, Any]


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


def write(folders: list[str], draft: Draft) -> None:
    """The file of who is due, taken by everybody."""
    name = due(folders)
    document = session(name).write(draft)
    for other in folders:
        if other != name:
            session(other).take(document)


def asked_for_an_opening() -> list[str]:
    """Yamada (blue) has sealed a standing order; it is to be opened, and a die hangs on what it says."""
    folders, dice = found(SEATS), random.Random(4)
    advance_to(folders, "march")
    write(folders, Draft(orders=["go"], sealed_standing={}))
    sealed = {"stop": [{"do": "let pass", "when": "step > 1"}, "stop"]}
    write(folders, Draft(orders=["stop"], sealed_standing=sealed))
    for _ in range(40):
        table = session(folders[0]).table
        if (table.due.what, table.due.player) == ("open", "yamada") and table.seed() is None:
            return folders
        assert table.due.what != "nothing"
        decides = table.due.what in ("orders", "seal")
        write(folders, Draft([answer(table.due.player, dice)]) if decides else Draft())
    raise AssertionError("never asked")


def two_openings() -> list[Document]:
    """Yamada's folder and a copy of it both open, the one with a note; his record knows both."""
    shutil.copytree("yamada", "copy")
    with two_pens():
        files = [session("yamada").write(Draft()), session("copy").write(Draft(note=["again"]))]
    shutil.rmtree("copy")
    game = session("yamada")
    with pen.held(game) as rows:
        for n, document in enumerate(files):
            answered = dict(game.folder.fetch(document["seq"] - 1))
            rows.append("signed", record.row_of(document, keys.public_text(game.private), answered), game.now())
            Path(f"opening-{n}.yaml").write_text(write_document(document))
    return files


def parted() -> tuple[list[str], list[Document], Document]:
    """Nowak has the one opening, dubois the other, and who is due behind it has gone on; the file before both."""
    folders = asked_for_an_opening()
    before = session("nowak").folder.log.files()[-1]
    files = two_openings()
    for n, name in enumerate(("nowak", "dubois")):
        must("receive", f"opening-{n}.yaml", "-g", name)
    show(*((one, two) for one in folders for two in folders if one != two))
    for name in folders:
        for n in range(2):
            run("receive", f"opening-{n}.yaml", "-g", name)
    return folders, files, before


@pytest.mark.in_turn(2)
def test_the_die_behind_an_opening_is_the_same_when_all_go_back_before_it() -> None:
    folders, files, before = parted()
    assert files[0]["open"] == files[1]["open"] and files[0].get("dice") == files[1].get("dice")
    drafted = as_json("heal", "--keep", document_id(before)[:16], "-g", "nowak")
    all_sign(folders, drafted)
    table = session("nowak").table
    assert (table.due.what, table.due.player) == ("open", "yamada") or table.last > drafted["seq"]
    session("yamada").answer_by_itself()
    again = session("yamada").folder.log.files()[drafted["seq"] + 1]
    wanted = {key: files[0].get(key) for key in ("link", "open", "dice")}
    assert {key: again.get(key) for key in wanted} == wanted and document_id(again) not in map(document_id, files)
    check_plays_on(folders)


@pytest.mark.in_turn(2)
def test_the_die_behind_an_opening_stays_when_the_game_goes_on_from_one_of_two() -> None:
    folders, files, _ = parted()
    drafted = as_json("heal", "--keep", document_id(files[1])[:16], "-g", "nowak")
    all_sign(folders, drafted)
    kept = session("nowak").folder.log.files()[files[1]["seq"]]
    assert kept == files[1]
    check_plays_on(folders)


def check_plays_on(folders: list[str]) -> None:
    show(*((one, two) for one in folders for two in folders if one != two))
    assert len(hashes(folders)) == 1 and {session(f).head for f in folders} == {session("nowak").head}
    finish(folders)
    for name in folders:
        assert run("verify", "-g", name).code == 0
    for name in folders * 2:
        run("audit", "-g", name)
    spread_slips(folders)
    assert as_json("audit", "-g", "nowak")["clean"]
