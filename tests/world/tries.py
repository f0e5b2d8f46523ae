"""One accident over and over, in short games of its own: it shows what a broken program does sooner than the whole world."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

from tests.toygame.folders import at
from tests.world import acts
from tests.world.cheat import Cheat, plays
from tests.world.disk import every_disk, memory_folder
from tests.world.ghost import Broken
from tests.world.heals import parts_and_heals
from tests.world.losses import a_lost_file_comes_late, an_old_stick_brings_the_pen, set_back_as_a_whole
from tests.world.machine import Worlds
from tests.world.talks import loses_all_after_a_talk
from tests.world.world import SEATS, Stopped, World, fixed_world

Accident = Callable[..., object]
ACCIDENTS: dict[str, Accident] = {"talk": loses_all_after_a_talk, "heal": parts_and_heals}
AMONG_HONEST: dict[str, Callable[[World, int], object]] = {
    "image": set_back_as_a_whole,
    "late": a_lost_file_comes_late,
    "stick": an_old_stick_brings_the_pen,
}
GAMES = 12


def tried(accident: str, seed: int) -> tuple[int, int, str]:
    """Twelve games with it: the seed, how many were played, what broke."""
    with pytest.MonkeyPatch.context() as patch, memory_folder() as root, at(root, patch):
        worlds = Worlds(root, patch)
        for n in range(GAMES):
            try:
                _game(worlds, patch, accident, GAMES * (seed - 1) + n)
            except Broken as fault:
                return seed, n + 1, str(fault)
    return seed, GAMES, ""


def _game(worlds: Worlds, patch: pytest.MonkeyPatch, accident: str, number: int) -> None:
    """The game goes on for a while; then it happens, to another player each time."""
    player, choice = [*SEATS][number % 3], number * 7919 % 65536
    world = worlds.fresh("", player if accident in ACCIDENTS else "")
    with fixed_world(world), every_disk(patch, world.failure):
        for folder in world.folders:
            world.look(folder)
        with contextlib.suppress(Stopped):
            if accident in AMONG_HONEST:
                acts.rounds(world, number % 7, number)
                AMONG_HONEST[accident](world, choice)
            else:
                _beside_a_cheat(world, player, ACCIDENTS[accident], number, choice)


def _beside_a_cheat(world: World, player: str, accident: Accident, number: int, choice: int) -> None:
    cheat = Cheat.of(world, next(f for f in world.folders if f.player == player))
    for n in range(number % 7):
        acts.rounds(world, 1, n + number)
        plays(cheat, n + number)
    accident(world, cheat, choice)
