"""Games that were healed: the verifier in JavaScript goes on where the players did, and the page shows what was given up."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.protocol import charter
from pbem.report import replay
from pbem.report.languages import language
from pbem.runtime.table import Table
from tests.browser import browser, needs_browser
from tests.replay.node import needs_node, run
from tests.signed_games import FOLDER, Recorded
from tests.toygame import skirmish, test_heal
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


@pytest.mark.in_turn(3)
@needs_node
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.__name__.removeprefix("test_"))
def test_the_second_verifier_finds_no_fault_in_a_healed_game(scenario: Callable[[], None]) -> None:
    logs = logs_of(scenario)
    assert logs
    for log in logs:
        verdict = run("game.js", stdin={"charter": log[0], "files": log[1:]})
        assert [(n, v["faults"]) for n, v in enumerate(verdict["verdicts"]) if v["faults"]] == []
        assert any(d["type"] == "heal" for d in log)


@needs_browser
def test_the_page_counts_no_void_place_and_shows_what_was_given_up_behind_the_heal(tmp_path: Path) -> None:
    game = Recorded.read(FOLDER / "healed-2.json.gz")
    documents = [game.charter, *game.files]
    start = Table.start(charter.verify(game.charter), game.module(), game.scenario)
    with games.register(skirmish.GAME):
        page = replay.page(start, documents, lambda seq: documents[seq], language("en"))
    (tmp_path / "page.html").write_text(page)
    place = next(seq for seq, d in enumerate(documents) if d["type"] == "heal")
    standing = sum(d["type"] not in ("void", "heal") for d in game.files)
    with browser() as opened:
        opened.open(tmp_path / "page.html")
        opened.press("Home", *["ArrowRight"] * place)
        told = opened.text("#log-frame")
        verdict = opened.text("#verdict-text")
        assert verdict.startswith("✔ Everything holds") and f"files: {standing}," in verdict and verdict.endswith(", 1 heal")
        assert opened.ask("[...document.querySelectorAll('#strip i.empty')].length") == sum(
            d["type"] == "void" for d in game.files
        )
        assert 0 <= told.index("Healed at place") < told.index("(void)")
        struck = "getComputedStyle(document.querySelector('.void ul')).textDecorationLine"
        assert opened.ask(struck) == "line-through" and not opened.errors
