"""Command links judged a second time, hex by hex instead of all hexes at once."""

from __future__ import annotations

import pytest

from pbem.games.pacific_war.board import COSTS
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.world.links import Lines
from pbem.games.pacific_war.world.ways import bit, bits, places_of
from pbem.kernel.engine import Engine
from tests.pacific_war import random_play


def by_sea(g: State, lines: Lines, start: int, most: int) -> set[int]:
    """Coastline hexes within a number of steps over water, with the hex from which each was entered."""
    seen, live = {(start, 0)}, [(start, 0)]
    for _ in range(most):
        steps = [
            (n, at if n in g.board.double_coasts else 0)
            for at, came in live
            if at == start or not lines.blocked(at)
            for n in g.board.near(at)
            if g.board.sails(at, n, came)
        ]
        live = sorted(set(steps) - seen)
        seen.update(live)
    return {at for at, _ in seen if g.board.coast(at)}


def by_land(g: State, lines: Lines, start: int, points: int) -> set[int]:
    """Land hexes within a number of movement points, every way tried."""
    best = {start: 0}
    live = [start]
    while live:
        at = live.pop()
        if at != start and lines.blocked(at):
            continue
        for n in g.board.marches(at):
            price = 2 if n in g.board.hex(at).routes else COSTS.get(g.board.hex(n).land, 99)
            spent = best[at] + price
            if spent <= points and spent < best.get(n, 99):
                best[n] = spent
                live.append(n)
    return set(best)


@pytest.mark.parametrize(("name", "changes"), [("guadalcanal", {}), ("strategic-1941", {"last_month": 44})])
def test_ways_of_random_positions(name: str, changes: dict[str, int]) -> None:
    counted = [0, 0]

    def watch(engine: Engine) -> None:
        counted[0] += 1
        if counted[0] % 150:
            return
        g: State = engine.state
        for side in ("japan", "allies"):
            lines = Lines(g, side)
            for hq in [h for h in g.hqs.values() if h.side == side and h.at]:
                counted[1] += 1
                assert set(places_of(lines.coasts(hq.at, hq.range))) == by_sea(g, lines, hq.at, hq.range)
                assert set(places_of(lines.overland(hq.at, 12))) == by_land(g, lines, hq.at, 12)

    random_play.play(name, 1, watch, changes=changes)
    assert counted[1] > 4


def test_hexes_as_bits() -> None:
    assert list(places_of(bits([5812, 135, 2960]))) == [135, 2960, 5812]
    assert bit(135) & bits([135, 136]) == bit(135)
