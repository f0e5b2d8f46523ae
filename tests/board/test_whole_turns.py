"""A whole operation of Pacific War clicked against the bot: two ships fire at one target, what was ordered is ordered again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.board.whole_turns import TURNS, played
from tests.browser import browser, needs_browser

pytestmark = pytest.mark.in_turn(3)


@needs_browser
def test_the_battle_off_savo(tmp_path: Path) -> None:
    with browser() as page:
        found = played(page, tmp_path / "g", TURNS["savo"])
    clicks = sum(found.total[kind] for kind in ("map", "buttons", "keys"))
    assert found.each and clicks <= 13 * found.total["files"], found.each
