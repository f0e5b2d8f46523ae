"""The simulated world as the default run plays it: at least 2,000 steps."""

from __future__ import annotations

from tests.world.long import piece

STEPS, GAMES = 2000, 10  # the latter of a piece: the longer one runs, the longer each of its games takes


def test_the_world_keeps_its_promises() -> None:
    done = seed = 0
    while done < STEPS:
        seed += 1
        _, steps, fault = piece(seed, GAMES)
        assert not fault, f"seed {seed}, {GAMES} games: {fault}"
        assert steps > GAMES, "a world in which nothing happens"
        done += steps
