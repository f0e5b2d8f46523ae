"""Plans on the command line: the page's order file, `check`, `send`, `status`, the report, and a draft that begins one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.store.session import Session
from tests.commands import inside, must, prepare, run
from tests.manual import order_files, page


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Path]:
    """A running game of Pacific 1940, in the folder of him who is due."""
    moments = prepare(tmp_path)
    with inside(moments["running"]):
        yield Path("axis")


@pytest.fixture
def written(game: Path) -> str:
    """The page's order file."""
    (text,) = (block for block in order_files(page("orders")) if "plan:" in block)
    Path("o.yaml").write_text(text)
    return text


def test_check_tells_each_step(written: str) -> None:
    told = must("check", "o.yaml", "-g", "axis")
    assert "then, noncombat moves, when Yunnan has fallen and own units in Yunnan (infantry) > 0: move: 1 infantry" in told
    first, second, third = (
        f"then, {what}" for what in ("noncombat moves, when", "noncombat moves: done", "where new units are")
    )
    assert told.index(first) < told.index(second) < told.index(third)
    assert "potom, " in must("check", "o.yaml", "-g", "axis", "--language", "cs")


def test_what_is_planned_is_sent_told_and_shown(game: Path, written: str) -> None:
    must("send", "o.yaml", "-g", "axis", "--yes")
    session = Session.open(game)
    assert [step["at"] for step in session.folder.fetch(session.table.last)["plan"]] == ["noncombat-move"] * 2 + ["mobilize"]
    status = must("status", "-g", "axis")
    assert f"{session.me.player} has planned, in file {session.table.last}:" in status and "  then, noncombat moves" in status
    for form in ("md", "html", "bbcode"):
        report = must("report", "-g", "axis", "--format", form)
        assert "Plan: then, noncombat moves: done" in report and "Standing order: then" not in report


def test_a_sealed_step_is_told_as_sealed_to_all_but_its_owner(game: Path, written: str) -> None:
    Path("o.yaml").write_text(written.replace("  - at: mobilize\n", "  - at: mobilize\n    sealed: true\n"))
    must("send", "o.yaml", "-g", "axis", "--yes")
    session = Session.open(game)
    assert sorted(session.folder.fetch(session.table.last)["plan"][2]) == ["at", "sealed"]
    assert "  then, where new units are placed, sealed: place: " in (mine := must("status", "-g", "axis"))
    assert "1 transport" in mine
    must("receive", "axis/outbox", "-g", "allies")
    theirs = must("status", "-g", "allies")
    assert "  then, where new units are placed: sealed\n" in theirs and "1 transport in SZ 6" not in theirs


def test_who_plans_openly_is_told_that_everybody_reads_it(game: Path, written: str) -> None:
    told = "Mind: what is planned openly everybody reads before it is due; `sealed: true` shows a step's question alone"
    assert told in must("check", "o.yaml", "-g", "axis").splitlines()
    Path("o.yaml").write_text(written.replace("  - at: mobilize\n", "  - at: mobilize\n    sealed: true\n"))
    assert told in must("check", "o.yaml", "-g", "axis").splitlines(), "the other steps lie open"
    Path("o.yaml").write_text(re.sub(r"(?m)^(  - at: .*)$", r"\1\n    sealed: true", written))
    assert "everybody reads" not in must("check", "o.yaml", "-g", "axis")
    Path("o.yaml").write_text(written.split("plan:")[0])
    assert "everybody reads" not in must("check", "o.yaml", "-g", "axis")


def test_a_slip_of_the_pen_is_refused_with_the_nearest_name(game: Path, written: str) -> None:
    Path("o.yaml").write_text(written.replace("yunnan fell", "yunan fell"))
    assert "there is no fact 'yunan-fell'; did you mean yunnan-fell" in run("check", "o.yaml", "-g", "axis").err
    Path("o.yaml").write_text(written.split("plan:")[0] + "plan: done\n")
    assert "plan is a list of steps" in run("check", "o.yaml", "-g", "axis").err


def test_a_draft_begins_a_plan_in_remarks(game: Path) -> None:
    must("orders", "-g", "axis")
    draft = Path("orders.yaml").read_text()
    kinds = [line.split()[-1] for line in draft.splitlines() if line.startswith("#   - at:")]
    assert kinds == ["combat-move", "noncombat-move", "mobilize"] and "# plan:" in draft
