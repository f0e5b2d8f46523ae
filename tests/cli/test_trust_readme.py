"""The manual's lines about lost disks and about deadlines followed as they stand, on two machines."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.runtime import slips
from pbem.store import pen
from pbem.store.session import Session
from tests.commands import ALLIES, ORDERS, inside, must, prepare, run
from tests.manual import page, told


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Path]:
    """A game that has begun; its folder is called as the manual calls it."""
    (tmp_path / "made").mkdir()
    moments = prepare(tmp_path / "made")
    for name in ("home", "allies"):
        shutil.copytree(moments["running"] / name, tmp_path / name)
    shutil.copytree(moments["running"] / "axis", tmp_path / "pacific")
    with inside(tmp_path):
        Path("o.yaml").write_text(ORDERS)
        yield tmp_path


def test_a_lost_disk_by_the_lines_of_the_manual(running: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    must("backup", "backup.zip", "-g", "pacific")
    must("send", "o.yaml", "-g", "pacific", "--yes")
    shutil.rmtree("pacific")
    restore, ask, receive = told(page("accidents"))
    shutil.copytree("home/keys", "new/keys")
    with monkeypatch.context() as patch:
        patch.setenv("PBEM_HOME", "new")
        patch.setenv("PBEM_MACHINE", "new")
        assert "signs nothing yet" in must(*restore)
        assert "send it to nowak" in must(*ask)
    must("receive", "pacific/outbox", "-g", "allies")
    Path("answers").mkdir()
    for answer in Path("allies/outbox").glob("slip-head-*.txt"):
        shutil.copy(answer, "answers")
    with monkeypatch.context() as patch:
        patch.setenv("PBEM_HOME", "new")
        patch.setenv("PBEM_MACHINE", "new")
        assert "you may sign again" in must(*receive)
        sent = must("send", "o.yaml", "-g", "pacific", "--yes")
        session = Session.open(Path("pacific"))
        assert "written" in sent and not pen.why_unsure(session.folder, session.charter.game_id)
    must("receive", "pacific/outbox", "-g", "allies")
    allies = Session.open(Path("allies"))
    assert slips.stands(allies.table, allies.folder.fetch(1))


def test_deadlines_by_the_lines_of_the_manual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, status, claim, rule = told(page("deadlines"))
    with inside(tmp_path):
        must(*new)
        must("join", "--as", "yamada", "--seats", "japan", "-g", "pacific")
        must("join", "pacific/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
        must("accept", "-g", "allies")
        must("accept", "allies/charter.yaml", "-g", "pacific")
        must("accept", "pacific/charter.yaml", "-g", "allies")
        assert "time left" in must(*status)
        late = [w if w != "pacific" else "allies" for w in claim]
        assert run(*late).code == 3, "there is time left"
        monkeypatch.setattr("pbem.store.clock.now", lambda: "2099-01-01T00:00:00Z")
        must(*late)
        must("receive", "allies/outbox", "-g", "pacific")
        assert "nowak" in must(*status)
        done = run(*rule)
        assert done.code in (0, 3), done
