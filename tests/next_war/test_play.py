"""Random games to their end, with what must hold after every decision."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.next_war.state import FOE, SIDES, State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.records import from_plain, to_plain
from tests.next_war import random_play, table

MOVES = {"training": 12, "korea": 2}  # about so many moves a Movement Segment
SEEDS = {"korea": 1}


def sound(engine: Engine, _: Plain) -> None:
    """Invariants of a position."""
    g: State = engine.state
    for place, units in g.by_hex().items():
        sides = {g.seat(u) for u in units if g.counter(u).ground}
        assert len(sides) < 2, f"both sides in {g.board.name(place)}"
    for unit, piece in g.pieces.items():
        counter = g.counter(unit)
        assert not (piece.at and piece.box), unit
        if piece.aboard:
            ship = g.pieces[piece.aboard]
            assert (piece.at, piece.box) == (ship.at, ship.box), f"{unit} is not where {piece.aboard} is"
        elif piece.at and counter.ground:
            assert g.board.hexes[piece.at].land, f"{unit} in the sea"
        if piece.reduced:
            assert counter.steps == 2, unit
    for side in SIDES:
        assert g.air[side] >= 0 and g.lift[side] >= 0 and g.threat[side] >= 0 and g.asw[side] >= 0
        assert sum(m.side == side for m in g.mines.values()) <= max(g.mine_pool[side], 0) + 1
    for place, marker in g.clearing.items():
        assert g.ground(marker.side, place), f"a Clearing marker without units in {g.board.name(place)}"
        assert not g.holds(marker.side, place)
        assert not g.ground(FOE[marker.side], place)


@pytest.mark.parametrize(("name", "seed"), [(n, s) for n in table.SCENARIOS for s in range(SEEDS.get(n, 2))])
def test_random_game(name: str, seed: int) -> None:
    engine = random_play.play(name, seed, sound, moves=MOVES.get(name, 8))
    result = engine.game.result(engine.state)
    assert result is not None and result.rule in ("12.2", "12.3")


@pytest.mark.parametrize("edition", ["source", "newer"])
def test_random_game_with_every_option(edition: str) -> None:
    options: dict[str, Any] = {"supply": "on", "bridges": "on", "passed-fortifications": "on", "shift-clamp": "row"}
    random_play.play("training", 5, sound, edition=edition, **options)


def test_a_position_survives_writing_and_reading() -> None:
    engine = random_play.play("training", 1)
    plain = to_plain(engine.state)
    assert to_plain(from_plain(State, plain)) == plain
