"""[8.5] `check` tells over which hexes a march goes that names its end alone, and another one that costs as much."""

from __future__ import annotations

from typing import Any

from pbem.games.next_war.game import GAME
from pbem.games.next_war.searches import find_path
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import english
from tests.next_war.test_bot import position

SIDE = "non-allied"


def at_play() -> Engine:
    return position("START movement basic non-allied", "UNITS 0604: 11/A")


def told(engine: Engine, order: Any) -> str:
    assert isinstance(engine.request, Ask)
    way = GAME.chosen_way(engine.state, engine.request, order)
    return english(way) if way is not None else ""


def test_a_way_is_told_with_one_that_costs_as_much_where_there_is_one() -> None:
    engine = at_play()
    g, seen = engine.state, {"one": 0, "two": 0}
    (unit,) = [u for u in g.pieces if g.counter(u).name == "11/A"]
    start = g.pieces[unit].at
    for label, place in g.board.labels.items():
        try:
            path = find_path(g, SIDE, [unit], start, place, ())
        except Rejected:
            continue
        said = told(engine, {"move": f"11/A to {label}"})
        if len(path.hexes) < 3:
            assert said == ""
            continue
        between = ", ".join(g.board.hexes[h].label for h in path.hexes[1:-1])
        assert said.startswith(f"11/A: by way of {between}")
        if "; over " not in said:
            seen["one"] += 1
            continue
        seen["two"] += 1
        name = said.split("; over ")[1].split(" it costs")[0]
        over = next(h for h in g.board.hexes if g.board.name(h) == name)
        other = find_path(g, SIDE, [unit], start, place, (over,))
        assert other.spent == path.spent and over in other.hexes and over not in path.hexes
    assert all(seen.values()), seen


def test_other_orders_and_those_that_do_not_stand_have_no_way() -> None:
    engine = at_play()
    for order in ("done", {"move": "11/A to nowhere"}, {"attack": "11/A at 0806"}, 7):
        assert told(engine, order) == ""
