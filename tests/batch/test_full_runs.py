"""The long runs of the games as jobs: what a stopped run has done is not done again, and floors are judged all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.batch.work import counted
from tests.full_runs import Kind, main


def test_a_long_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COUNTED", str(tmp_path / "seen"))
    kind = Kind("runs", "runs", counted, 4, {"things": 150}, first=1)
    to = ["--to", str(tmp_path / "r"), "--jobs", "1"]
    assert main([kind], [*to, "--runs", "2"]) == 0
    assert main([kind], to) == 0
    assert [*map(int, (tmp_path / "seen").read_text().split())] == [1, 2, 3, 4]
    out = capsys.readouterr().out
    assert "things" in out and "10  per 100 runs 250" in out and "nothing" not in out
    assert main([Kind("runs", "runs", counted, 4, {"things": 251}, first=1)], to) == 1
    assert "MISSED: 10 things in 4 games" in capsys.readouterr().out
    assert main([Kind("runs", "runs", counted, 4, first=1, never="thi")], to) == 1
    assert "MISSED: 10 times things" in capsys.readouterr().out
