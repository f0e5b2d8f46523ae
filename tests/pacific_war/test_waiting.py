"""Dice that wait for their player's orders: a setting of the folder, told wherever he looks, and never two signed files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.store.session import Session
from tests.board.serving import served
from tests.commands import inside, must, run
from tests.pacific_war.test_folders import ENGAGED, LINE, founded
from tests.store import post

SENT = "yamada/outbox/0001-yamada.yaml"
WAITS = "this file waits for your orders"


@pytest.fixture(scope="module")
def engaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Yamada searches; nowak has not got it yet, and is asked for his line right behind the die that his program turns."""
    root = tmp_path_factory.mktemp("engaged")
    with inside(root):
        founded("savo-island")
        Path("mine.yaml").write_text(ENGAGED)
        Path("line.yaml").write_text(LINE)
        must("send", "mine.yaml", "-g", "yamada", "--yes")
    return root


@pytest.fixture
def here(engaged: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(engaged, tmp_path / "machine")
    with inside(tmp_path / "machine"):
        Path("home/games.json").unlink()  # where the folders lay before
        yield tmp_path / "machine"


def written(name: str = "nowak") -> set[str]:
    """Every signed file of nowak that lies somewhere in a folder, by its id."""
    files = [*Path(name).glob("outbox/0*.yaml"), *Path(name).glob("files/0*-nowak.yaml")]
    return {document_id(read_document(file.read_bytes())[0]) for file in files}


def test_the_setting_holds_for_all_that_takes_files_until_it_is_lifted(here: Path) -> None:
    assert "at once" in must("wait", "-g", "nowak")
    assert "wait for your orders" in must("wait", "on", "-g", "nowak")
    assert json.loads(must("wait", "-g", "nowak", "--json"))["waits"] is True
    for command in (["receive", SENT, "-g", "nowak"], ["inbox", SENT, "--again", "-g", "nowak"]):
        told = must(*command)
        assert WAITS in told and "written by itself" not in told and not written()
    told = must("wait", "off", "-g", "nowak")
    assert "written by itself: file 2" in told and len(written()) == 1
    assert json.loads(must("wait", "-g", "nowak", "--json"))["waits"] is False


def test_one_receive_may_differ_from_the_setting(here: Path) -> None:
    must("wait", "on", "-g", "nowak")
    assert "written by itself: file 2" in must("receive", SENT, "--no-wait", "-g", "nowak")


def test_mail_run_keeps_the_dice_and_sends_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    post.stand_for_servers(monkeypatch)
    post.deliver_to_mailbox(Path("yamada/outbox/0001-yamada.eml"))
    post.settle("nowak", "nowak", "yamada")
    must("wait", "on", "-g", "nowak")
    assert WAITS in must("mail", "run", "-g", "nowak")
    assert not post.sent() and not written()
    must("send", "line.yaml", "--yes", "-g", "nowak")
    must("mail", "run", "-g", "nowak")
    assert "0002-nowak" in post.sent() and len(written()) == 1


def test_who_forgets_that_his_dice_wait_is_told_wherever_he_looks(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    must("receive", SENT, "--wait", "-g", "nowak")
    status = must("status", "-g", "nowak")
    assert WAITS in status and "`pbem orders`" in status and "`pbem wait off`" in status
    assert json.loads(must("status", "-g", "nowak", "--json"))["waits"] == 2
    assert WAITS in must("inbox", "-g", "nowak", "--no-mail")
    assert WAITS not in must("status", "-g", "yamada"), "it is nowak's own business until he sends it"
    assert json.loads(must("status", "-g", "yamada", "--json"))["waits"] is None
    post.stand_for_servers(monkeypatch)
    said: list[str] = []
    for name, other in (("nowak", "yamada"), ("yamada", "nowak")):
        post.settle(name, name, other)
        must("mail", "remind", "--after", "0", "-g", name)
        said += post.reminders()
        shutil.rmtree("post")
    mine, others = said
    assert WAITS in mine and "pbem wait off" in mine
    assert WAITS not in others and "`pbem orders`" in others and "`pbem wait off`" in others


def test_the_board_asks_for_the_orders_that_the_dice_wait_for(here: Path) -> None:
    must("receive", SENT, "--wait", "-g", "nowak")
    with served(Path("nowak")) as server:
        game = server.hall.game(0, "")
        sheet = game.sheet()
        assert sheet["mine"] and sheet["desk"] is not None and sheet["step"] is not None
        shutil.copy("line.yaml", game.draft.path)
        agreed = game.review()
        game.send(game.draft.read()[0], game.draft.read()[1], str(game.head()["head"]), str(agreed["digest"]))
        assert game.sheet()["desk"] is None
    (file,) = Path("nowak/outbox").glob("0002-*.yaml")
    assert read_document(file.read_bytes())[0]["orders"] and len(written()) == 1


def test_a_file_that_a_crash_kept_back_is_told_to_be_due_too(here: Path) -> None:
    """Without the setting too: what holds no decision and is not written yet can be written or carry orders."""
    with Session.at_work(Path("nowak")) as session:
        session.take(read_document(Path(SENT).read_bytes())[0])
    assert WAITS in must("status", "-g", "nowak")


def test_nothing_waits_behind_a_sent_file(here: Path) -> None:
    must("wait", "on", "-g", "nowak")
    must("receive", SENT, "-g", "nowak")
    must("send", "line.yaml", "--yes", "-g", "nowak")
    assert WAITS not in must("status", "-g", "nowak") and len(written()) == 1


def test_a_copy_that_has_sent_the_dice_alone_takes_the_place(here: Path) -> None:
    """The folder is copied while the dice wait; the copy sends them alone: the other takes that file over, no second."""
    must("receive", SENT, "--wait", "-g", "nowak")
    shutil.copytree("nowak", "copy")
    must("wait", "off", "-g", "copy")
    (alone,) = written("copy")
    again = run("send", "line.yaml", "--yes", "-g", "nowak")
    assert again.code == 1 and "file 2 was signed before" in again.err
    assert written() == {alone}, "it came back from the record"
    must("send", "line.yaml", "--yes", "-g", "nowak")
    assert alone in written() and len(written()) == 2
    assert "file 3 of nowak" in must("receive", "nowak/outbox", "-g", "yamada")


def test_a_backup_of_before_signs_nothing_by_itself(here: Path) -> None:
    """What waited is not known to the restored folder, and it asks before anything is signed; no die is turned twice."""
    must("backup", "b.zip", "-g", "nowak")
    must("receive", SENT, "--wait", "-g", "nowak")
    must("send", "line.yaml", "--yes", "-g", "nowak")
    (first,) = written()
    shutil.rmtree("nowak")
    must("restore", "b.zip", "nowak")
    run("receive", SENT, "--wait", "-g", "nowak")
    run("wait", "off", "-g", "nowak")
    assert written() <= {first}


def test_the_setting_is_in_the_backup(here: Path) -> None:
    must("wait", "on", "-g", "nowak")
    must("backup", "b.zip", "-g", "nowak")
    must("restore", "b.zip", "again")
    assert json.loads(must("wait", "-g", "again", "--json"))["waits"] is True


def test_only_on_and_off_are_words_of_it(here: Path) -> None:
    done = run("wait", "maybe", "-g", "nowak")
    assert done.code != 0 and "on, off" in done.err


def test_what_its_owner_holds_goes_into_the_file_that_shows_the_dice(here: Path) -> None:
    order = read_document(LINE.encode())[0]["orders"][0]
    must("wait", "on", "-g", "nowak")
    Path("holds.yaml").write_text(write_document({"line": [{"do": order}]}))
    must("hold", "holds.yaml", "-g", "nowak")
    told = must("receive", SENT, "-g", "nowak")
    assert "written by itself: file 2" in told and WAITS not in told
    sent = read_document(Path("nowak/outbox/0002-nowak.yaml").read_bytes())[0]
    assert sent["dice"] and sent["orders"]
