"""`pbem status --forecast`: the files by hand that a turn still takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import inside, must, prepare
from tests.runtime.test_foreseen import LANDING


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Path]:
    """A running game of Pacific 1940, in the folder of him who is due."""
    moments = prepare(tmp_path)
    with inside(moments["running"]):
        yield Path("axis")


def test_who_has_to_write_how_many_at_what_questions(game: Path) -> None:
    assert "forecast" not in must("status", "-g", "axis")
    told = must("status", "--forecast", "-g", "axis")
    assert "forecast: about 1 more file by hand in this turn, 1 at most: yamada 1 (purchase)" in told
    assert "výhled: v tomto kole ještě asi 1 soubor" in must("--language", "cs", "status", "--forecast", "-g", "axis")


def test_which_standing_order_would_save_files(game: Path) -> None:
    Path("o.yaml").write_text(json.dumps({"orders": LANDING}))
    must("send", "o.yaml", "-g", "axis", "--yes")
    found = json.loads(must("status", "--forecast", "-g", "axis", "--json"))["forecast"]
    assert found["whole"] and found["most"] >= found["files"] > 2
    assert {"casualties", "retreat"} <= {*found["held"]["yamada"]["questions"]}
    number = found["held"]["yamada"]["files"]
    assert number < found["files"]
    assert f"with the usual standing orders of yamada for {', '.join(found['held']['yamada']['questions'])}: {number}" in must(
        "status", "--forecast", "-g", "axis"
    )


def test_what_is_sealed_is_told_to_end_the_count(game: Path) -> None:
    sealed = {"orders": LANDING, "sealed_standing": {"retreat": [{"do": "press"}]}}
    Path("o.yaml").write_text(json.dumps(sealed))
    must("send", "o.yaml", "-g", "axis", "--yes")
    must("receive", "axis/outbox/0001-yamada.yaml", "-g", "allies")
    assert "counted only up to where" in must("status", "--forecast", "-g", "allies")
    assert "counted only up to where" not in must("status", "--forecast", "-g", "axis")
