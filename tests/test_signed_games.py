"""Recorded signed games hold for both verifiers, and are played again to the states that were recorded."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from pbem.protocol import heal
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.audit import audit, collect, undisclosed
from pbem.runtime.slips import check as check_slip
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take
from tests.replay.node import needs_node, run
from tests.signed_games import FOLDER, MAKERS, Recorded, ended

NAMES = sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))
Faults = list[list[dict[str, str]]]


@cache
def recorded(name: str) -> Recorded:
    return Recorded.read(FOLDER / f"{name}.json.gz")


@cache
def played(name: str) -> list[Table]:
    return recorded(name).played()


@cache
def in_javascript(name: str) -> dict[str, Any]:
    verdict: dict[str, Any] = run("signed.js", stdin=vars(recorded(name)))
    return verdict


def outcome(table: Table, game: Recorded, document: dict[str, Any]) -> str:
    """What a document comes to that is offered to a log."""
    try:
        take(table, document, game.fetch)
    except (ProtocolError, Refused) as fault:
        return fault.outcome.word
    return "done"


def test_every_kind_of_game_is_recorded() -> None:
    assert [f"{name}-{version}" for name, (_, versions) in sorted(MAKERS.items()) for version in versions] == NAMES
    assert {recorded(name).charter["pbem"] for name in NAMES} == {1, 2}
    assert {recorded(name).charter["system"] for name in NAMES} == {"skirmish", "empire-of-the-sun", "pacific-war"}


def test_together_they_hold_everything_that_a_game_can() -> None:
    """A recording that lost what it was made for would prove nothing."""
    for version in (1, 2):
        files = [file for name in NAMES if name.endswith(str(version)) for file in recorded(name).files]
        left = {"heal", "void"} if version == 2 else set()
        assert {file["type"] for file in files} == {"turn", "undo", "offer", "accept", "decline", "seat"} | left
        keys = {key for file in files for key in file}
        assert keys >= {
            "dice",
            "commit",
            "open",
            "standing_sealed",
            "next_chain",
            "next_draws",
            "signed_by",
            "replaces",
            "slips",
        }
        openings = {key for file in files for entry in file.get("open", []) for key in entry}
        assert openings >= {"claim", "item", "order"}
        assert {"sealed"} in [set(order) for file in files for order in file.get("orders", []) if isinstance(order, dict)]
        brought = {slip["slip"] for file in files for slip in file.get("slips", [])}
        assert brought >= {"refusal", "resignation", "equivocation", *(["ruling"] if version == 2 else [])}
    signed = [file for name in NAMES if name.endswith("2") for file in recorded(name).files if not heal.is_place(file)]
    assert all("state" in file for file in signed)
    outcomes = {one["outcome"] for name in NAMES for one in recorded(name).aside}
    assert outcomes >= {"already known", "equivocation proved", "bad chain", "diverged", "wrong key", "refused by rule"}


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_played_again_to_the_same_states_and_result(name: str) -> None:
    game, tables = recorded(name), played(name)
    assert [table.engine.state_hash() for table in tables] == game.states
    assert ended(tables[-1]) == game.result


@pytest.mark.parametrize("name", NAMES)
def test_what_came_beside_a_game_comes_out_as_recorded(name: str) -> None:
    game, tables = recorded(name), played(name)
    found = [outcome(tables[one["after"]], game, one["document"]) for one in game.aside]
    assert found == [one["outcome"] for one in game.aside]


@pytest.mark.parametrize("name", NAMES)
def test_the_audit_of_a_game_is_clean(name: str) -> None:
    game, table = recorded(name), played(name)[-1]
    for slip in game.slips:
        check_slip(table, slip)
    shown = collect(table, game.slips)
    assert undisclosed(table.ledger, shown) == []
    assert audit(table, shown, game.fetch) is None


@pytest.mark.in_turn(4)
@needs_node
@pytest.mark.parametrize("name", NAMES)
def test_javascript_finds_no_fault_in_a_game(name: str) -> None:
    verdict = in_javascript(name)
    assert [(seq, fault) for seq, faults in enumerate(verdict["faults"]) for fault in faults] == []
    assert verdict["audit"] == "done"


@needs_node
@pytest.mark.parametrize("name", NAMES)
def test_javascript_finds_the_same_beside_a_game(name: str) -> None:
    """But for what takes the rules: a state that is not the one before the orders."""
    wanted = [one["outcome"] for one in recorded(name).aside]
    found = in_javascript(name)["aside"]
    assert len(found) == len(wanted)
    assert [(f, w) for f, w in zip(found, wanted, strict=True) if f != w and (f, w) != ("done", "diverged")] == []


# -- a change anywhere is noticed --------------------------------------------------------------------------------------------


def die(file: dict[str, Any]) -> bool:
    """Another die, where the file records one."""
    if not file.get("dice"):
        return False
    file["dice"][0]["dice"][0] = file["dice"][0]["dice"][0] % 6 + 1
    return True


def word(file: dict[str, Any]) -> bool:
    """Another note."""
    file["note"] = ["x"]
    return True


WITH_DICE = [name for name in NAMES if name.endswith("2") and any(file.get("dice") for file in recorded(name).files)]
CHANGED = [*((name, word) for name in NAMES if name.endswith("2")), *((name, die) for name in WITH_DICE)]


@pytest.mark.in_turn(4)
@needs_node
@pytest.mark.parametrize(("name", "change"), CHANGED)
def test_a_changed_file_is_noticed_by_both(name: str, change: Callable[[dict[str, Any]], bool]) -> None:
    game = copy.deepcopy(recorded(name))
    seq = next(n for n, file in enumerate(game.files, 1) if change(file))
    assert outcome(played(name)[seq - 1], game, game.files[seq - 1]) == "bad signature"
    faults: Faults = run("signed.js", stdin={**vars(game), "aside": []})["faults"]
    assert faults[seq][0]["outcome"] == "bad signature" and faults[seq + 1][0]["outcome"] == "bad chain"


def test_the_audit_notices_what_is_left_out() -> None:
    for name in NAMES:
        game, table = recorded(name), played(name)[-1]
        for left in range(len(game.slips)):
            shown = collect(table, [slip for n, slip in enumerate(game.slips) if n != left])
            assert audit(table, shown, game.fetch) is not None, name
