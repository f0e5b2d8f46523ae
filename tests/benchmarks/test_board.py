"""How long the board's page waits for an answer, by the socket: a click, an order, the map, what a file gives up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import cycle
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


@pytest.fixture
def floor(server: Server) -> Any:
    """Milliseconds that a request costs which does nothing: the least of some, in the same run on the same machine."""

    def once() -> float:
        begun = time.perf_counter()
        ask(server, "/changes")
        return time.perf_counter() - begun

    return round(1000 * min(once() for _ in range(20)), 2)


def test_a_click(benchmark: Any, server: Server, floor: float) -> None:
    """Target: 100 ms from click to lit; this is the program's part of it."""
    benchmark.extra_info["floor ms"] = floor
    benchmark(ask, server, "/step", verb="", chosen=FIGHTERS)
    assert benchmark.disabled or 1000 * benchmark.stats.stats.min < max(100, 10 * floor)


def test_a_whole_stack_by_one_click(benchmark: Any, server: Server, floor: float) -> None:
    """The same target, though every unit of it is asked for in its turn: the page asks once. The slowest rounds are the first
    look at a stack, the others remember."""
    benchmark.extra_info["floor ms"] = floor
    places = cycle([("manchuria", 4), ("kiangsu", 2), ("japan", 5)])

    def stack() -> None:
        place, least = next(places)
        found = ask(server, "/step", verb="", chosen=[["at", place, 1]], act="all")
        assert len(found["chosen"]) > least, found["chosen"]

    benchmark(stack)
    assert benchmark.disabled or 1000 * benchmark.stats.stats.min < max(100, 10 * floor)


def test_an_order_taken_and_undone(benchmark: Any, server: Server, floor: float) -> None:
    """Target: 60 ms for undo."""
    benchmark.extra_info["floor ms"] = floor

    def both() -> None:
        seen = ask(server, "/sheet")["changes"]["draft"]
        taken = ask(server, "/take", verb="", chosen=[*FIGHTERS, ["to", "anhwe", 1]], seen=seen)
        ask(server, "/undo", seen=taken["changes"]["draft"])

    benchmark(both)


def test_the_map_after_an_order(benchmark: Any, server: Server) -> None:
    """Target: 60 kB a click, before packing."""
    whole = ask(server, "/map")
    held = {**{name: layer[0] for name, layer in whole["layers"].items()}, "places": whole["places"][0]}
    answer = benchmark(ask, server, "/map", held={**held, "stacks": "", "arrows": "", "hits": "", "control": ""})
    sent = {name: len(layer[1] or "") for name, layer in answer["layers"].items()}
    benchmark.extra_info.update(kib=sum(sent.values()) // 1024, **sent)


def test_what_a_file_gives_up(benchmark: Any, server: Server) -> None:
    benchmark(ask, server, "/review")
