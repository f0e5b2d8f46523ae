"""The simulated world as the default run plays it: at least 1,000 steps."""

from __future__ import annotations

from tests.world.long import piece

STEPS, STEPS_OF_A_GAME = 1000, 40  # the latter about


def test_the_world_keeps_its_promises() -> None:
    done = seed = 0
    while done < STEPS:
        seed += 1
        games = 1 + (STEPS - done) // STEPS_OF_A_GAME
        _, steps, fault = piece(seed, games)
        assert not fault, f"seed {seed}, {games} games: {fault}"
        assert steps > games, "a world in which nothing happens"
        done += steps
