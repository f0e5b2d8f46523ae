"""`--forecast`: how many files by hand a turn still takes, told by status and check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import must, run

DRAFT = """orders:
- done
- move: 3 infantry, 1 artillery from Kwangsi to Yunnan
- done
"""


@pytest.fixture
def axis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    run("play", str(tmp_path / "g"), stdin="")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "g" / "keys"))
    (tmp_path / "orders.yaml").write_text(DRAFT)
    return str(tmp_path / "g" / "axis")


def test_a_draft_is_told_with_the_files_behind_it_and_what_would_save_some(axis: str, tmp_path: Path) -> None:
    file = str(tmp_path / "orders.yaml")
    assert "files by hand" not in must("check", file, "-g", axis)
    told = must("check", file, "-g", axis, "--forecast")
    assert "This power's turn: " in told and "by hand: axis " in told and "noncombat moves" in told
    assert "with `retreat` of the set `usual` in the standing orders of axis: " in told
    forecast = json.loads(must("check", file, "-g", axis, "--forecast", "--json"))["forecast"]
    assert forecast["files"] == len(forecast["by"]) and forecast["whole"]
    assert {"player": "axis", "kind": "noncombat-move"} in forecast["by"]
    assert all(one["files"] <= forecast["files"] for one in forecast["with"])


def test_standing_orders_of_the_draft_count(axis: str, tmp_path: Path) -> None:
    held = tmp_path / "held.yaml"
    held.write_text(DRAFT + "standing:\n  set: usual\n")
    forecast = json.loads(must("check", str(held), "-g", axis, "--forecast", "--json"))["forecast"]
    assert [one["kind"] for one in forecast["by"]] == ["noncombat-move"] and forecast["with"] == []


def test_status_tells_it_as_things_stand(axis: str) -> None:
    assert "This power's turn: 1 more file by hand: axis 1 (buy units and repair facilities)" in must(
        "status", "-g", axis, "--forecast"
    )
    assert "by hand: axis 1" not in must("status", "-g", axis)
    assert json.loads(must("status", "-g", axis, "--forecast", "--json"))["forecast"]["files"] == 1


def test_a_turn_that_needs_nothing_more_is_told_so(axis: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole.yaml"
    whole.write_text("orders: [done, done, done]\n")
    told = must("check", str(whole), "-g", axis, "--forecast")
    assert "This power's turn: no more file by hand\n" in told and "This round: 1 more file by hand: allies 1" in told


def test_a_month_s_secret_decisions_are_files_and_a_whole_set_is_counted_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the next operation: what both sides seal and open, and what would be left with all of the set `usual`."""
    run("play", str(tmp_path / "w"), "--system", "pacific-war", "--scenario", "guadalcanal", stdin="")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "w" / "keys"))
    japan = str(tmp_path / "w" / "japan")
    told = must("status", "-g", japan, "--forecast")
    forecast = json.loads(must("status", "-g", japan, "--forecast", "--json"))["forecast"]
    assert "Until the next operation: " in told and forecast["whole"] and not forecast["guessed"]
    assert {one["kind"] for one in forecast["by"]} >= {"allocate", "operation-bid", "transport"}
    assert forecast["files"] > min(one["files"] for one in forecast["with"]) > forecast["at_best"] > 1
    assert "with all of them that the set `usual` has, of every player: " in told and forecast["with"][0]["do"]


def test_a_whole_turn_of_the_game_is_told_beside_the_part_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("play", str(tmp_path / "n"), "--system", "next-war", "--scenario", "gap", stdin="")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "n" / "keys"))
    told = must("status", "-g", str(tmp_path / "n" / "allied"), "--forecast")
    assert "This movement segment: 1 more file by hand" in told and "This Game Turn: 6 more files by hand" in told


def test_where_something_hidden_has_to_be_shown_it_looks_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("play", str(tmp_path / "e"), "--system", "empire-of-the-sun", "--scenario", "year-1942", stdin="")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "e" / "keys"))
    told = must("status", "-g", str(tmp_path / "e" / "japan"), "--forecast")
    assert "what is hidden" in told


def test_what_the_own_program_answers_by_itself_is_no_file_by_hand(axis: str, tmp_path: Path) -> None:
    holds = tmp_path / "holds.yaml"
    holds.write_text("purchase: done\ncombat-move: [{when: round > 1, do: done}]\n")
    must("hold", str(holds), "-g", axis)
    assert "This power's turn: 1 more file by hand: axis 1 (combat moves)" in must("status", "-g", axis, "--forecast")
