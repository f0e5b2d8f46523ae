"""Both verifiers speak the commands of SPEC 14, and the driver tells where one comes out otherwise."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.protocol.outcomes import Outcome
from tests.conformance import __main__, ours
from tests.conformance.driver import CODES, Case, cases, command, differences
from tests.replay.node import HERE as REPLAY
from tests.replay.node import NODE, needs_node

CASES = list(cases())
PYTHON = [sys.executable, "-m", "tests.conformance.ours"]
JAVASCRIPT = [str(NODE), str(REPLAY / "conform.js")]


def one_of_each() -> list[Case]:
    """A case of every verb, kind and outcome."""
    found = {(case.verb, case.path.split("/")[0], case.code, case.needs): case for case in CASES}
    return list(found.values())


def in_process(words: list[str]) -> tuple[int, str, str]:
    """The verifier in Python without a process of its own."""
    out, why = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(why):
        code = ours.main(words)
    return code, out.getvalue(), why.getvalue()


def test_the_cases_cover_the_three_verbs_and_all_outcomes_of_documents() -> None:
    assert {case.verb for case in CASES} == {"document", "log", "value"}
    no_document = {Outcome.LOG_DAMAGED, Outcome.NOT_WRITTEN, Outcome.FAULT}
    assert {case.code for case in CASES} == {o.code for o in Outcome if o not in no_document}


def test_python_passes(tmp_path: Path) -> None:
    assert [str(d) for d in differences(in_process, CASES, tmp_path)] == []


@pytest.mark.in_turn(2)
@needs_node
def test_javascript_passes_without_the_rules_of_the_games(tmp_path: Path) -> None:
    assert [str(d) for d in differences(command(JAVASCRIPT), one_of_each(), tmp_path, rules=False)] == []


@needs_node
@pytest.mark.long
def test_javascript_passes_everywhere(tmp_path: Path) -> None:
    assert [str(d) for d in differences(command(JAVASCRIPT), CASES, tmp_path, rules=False)] == []


def test_python_is_a_command(tmp_path: Path) -> None:
    chosen = [
        next(c for c in CASES if c.verb == verb and bool(c.code) is bad)
        for verb in ("document", "value")
        for bad in (True, False)
    ]
    assert [str(d) for d in differences(command(PYTHON), chosen, tmp_path)] == []
    assert subprocess.run([*PYTHON, "greet", "nobody"], capture_output=True).returncode == 2


@pytest.mark.parametrize("words", [["true"], ["sh", "-c", "exit 5"], ["sh", "-c", "echo id: 00; exit 0"]], ids=str)
def test_a_verifier_that_does_not_look_is_found_out(words: list[str], tmp_path: Path) -> None:
    found = [d.path for d in differences(command(words), one_of_each(), tmp_path)]
    good = [c.path for c in one_of_each() if c.code == 0]
    bad = [c.path for c in one_of_each() if c.code not in (0, CODES["unreadable"])]
    assert set(bad) <= set(found)
    assert "exit 5" not in words[-1] or set(good) <= set(found)


def test_an_id_that_is_printed_wrong_is_found_out(tmp_path: Path) -> None:
    case = next(c for c in CASES if "id" in c.prints)
    (found,) = differences(lambda words: (0, "canonical-sha256: 00\nid: 00", ""), [case], tmp_path)
    assert found.came == "00" and case.prints["id"] in found.expected


def test_the_driver_names_every_difference(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(__main__, "cases", lambda: one_of_each()[:5])
    assert __main__.main(["true"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == f"5 vectors, {len(told) - 1} differences" and len(told) > 1
    assert __main__.main([]) == 2


@needs_node
def test_a_crash_is_no_outcome_of_a_document(tmp_path: Path) -> None:
    (tmp_path / "case").write_text(json.dumps({"kind": "dice", "case": None}))
    for words in (JAVASCRIPT, PYTHON):
        done = subprocess.run([*words, "value", str(tmp_path / "case")], capture_output=True)
        assert done.returncode == Outcome.FAULT.code
