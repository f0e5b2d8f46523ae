"""Games that were healed: the verifier in JavaScript goes on where the players did, and the page shows what was given up."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.replay.node import needs_node, run
from tests.toygame import test_heal
from tests.toygame.healing import Healer

SCENARIOS = [
    made
    for name, made in inspect.getmembers(test_heal, inspect.isfunction)
    if name.startswith("test_") and "finish(" in inspect.getsource(made)
]


def logs_of(scenario: Callable[[], None]) -> list[list[dict[str, Any]]]:
    """The whole games that a test of heals plays."""
    found: list[list[dict[str, Any]]] = []
    finish = test_heal.finish

    def kept(party: Sequence[Healer], seed: int = 3) -> None:
        finish(party, seed)
        found.append([dict(d) for d in party[0].log])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(test_heal, "finish", kept)
        scenario()
    return found


@needs_node
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.__name__.removeprefix("test_"))
def test_the_second_verifier_finds_no_fault_in_a_healed_game(scenario: Callable[[], None]) -> None:
    logs = logs_of(scenario)
    assert logs
    for log in logs:
        verdict = run("game.js", stdin={"charter": log[0], "files": log[1:]})
        assert [(n, v["faults"]) for n, v in enumerate(verdict["verdicts"]) if v["faults"]] == []
        assert any(d["type"] == "heal" for d in log)
