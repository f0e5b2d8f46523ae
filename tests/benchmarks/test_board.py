"""How long the board's page waits for an answer, by the socket: a click, an order, the map, what a file gives up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.board.server import Server
from pbem.cli import local
from tests.board.serving import ask, found, served

TEXT = "orders:\n  - buy: 2 infantry\n  - done\n  - move: 3 infantry from Kwangsi to Yunnan\n"
FIGHTERS = [["at", "manchuria", 1], ["unit", "fighter", 3]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("board") / "g"
    game = found(folder)
    (game / "unsent.yaml").write_text(TEXT)
    with local.own_keys(folder), served(game) as running:
        yield running


def test_a_click(benchmark: Any, server: Server) -> None:
    """Target: 100 ms from click to lit; this is the program's part of it."""
    benchmark(ask, server, "/step", verb="", chosen=FIGHTERS)


def test_an_order_taken_and_undone(benchmark: Any, server: Server) -> None:
    """Target: 60 ms for undo."""

    def both() -> None:
        seen = ask(server, "/sheet")["changes"]["draft"]
        taken = ask(server, "/take", verb="", chosen=[*FIGHTERS, ["to", "anhwe", 1]], seen=seen)
        ask(server, "/undo", seen=taken["changes"]["draft"])

    benchmark(both)


def test_the_map_after_an_order(benchmark: Any, server: Server) -> None:
    """Target: 60 kB a click, before packing."""
    whole = ask(server, "/map", theme="light")
    held = {**{name: layer[0] for name, layer in whole["layers"].items()}, "places": whole["places"][0]}
    answer = benchmark(ask, server, "/map", theme="light", held={**held, "stacks": "", "arrows": "", "hits": "", "control": ""})
    sent = {name: len(layer[1] or "") for name, layer in answer["layers"].items()}
    benchmark.extra_info.update(kib=sum(sent.values()) // 1024, **sent)


def test_what_a_file_gives_up(benchmark: Any, server: Server) -> None:
    benchmark(ask, server, "/review")
