"""How long a long game's replay takes to write and to verify, and how large it gets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.replay import games, node

FILES = 500


@pytest.fixture(scope="module")
def long_game() -> list[games.Document]:
    return games.one_by_one(FILES)


def test_writing_the_replay_of_500_files(benchmark: Any, long_game: list[games.Document]) -> None:
    html = benchmark.pedantic(games.page, (long_game,), rounds=1)
    benchmark.extra_info.update(files=FILES, kib=len(html.encode()) // 1024, distinct_pieces=len(games.content(html)["pieces"]))


@node.needs_node
def test_verifying_500_files_in_node(benchmark: Any, long_game: list[games.Document]) -> None:
    """Start of node, signatures by the platform's WebCrypto, chain, dice, openings."""
    log = {"charter": long_game[0], "files": long_game[1:]}
    verdict = benchmark.pedantic(node.run, ("game.js",), {"stdin": log}, rounds=3)
    assert [v["faults"] for v in verdict["verdicts"] if v["faults"]] == []
