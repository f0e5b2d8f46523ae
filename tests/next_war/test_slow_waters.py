"""The second, slow reading of ports, mines, lifts and Sea Transport agrees with the game, at random and with the bot."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pbem.games.next_war import naval
from pbem.games.next_war.state import SIDES, State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.next_war import bot_play, random_play, slow_waters, table
from tests.next_war.random_play import MOVES


class Noticed(Exception):
    """The two readings differ: the rest of the game is no matter."""


class Watch:
    """Compares at some questions for moves and at some positions."""

    def __init__(self, seed: int, questions: float, positions: float) -> None:
        self.dice, self.questions, self.positions = random.Random(seed), questions, positions
        self.seen: Counter[str] = Counter()

    def __call__(self, engine: Engine, _: Plain) -> None:
        found = self.disagreements(engine)
        assert not found, found[0]

    def disagreements(self, engine: Engine) -> list[str]:
        """What the game and the judge think differently here."""
        ask, found = engine.request, []
        if isinstance(ask, Ask) and ask.kind == "movement" and self.dice.random() < self.questions:
            self.seen["questions"] += 1
            found += slow_waters.disagreements_on_lifts(engine.state, ask, self.dice)
        if self.dice.random() < self.positions:
            self.seen["positions"] += 1
            found += slow_waters.sea_disagreements(engine.state, self.dice)
        return found


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", table.SCENARIOS)
def test_ports_mines_and_lifts_are_read_the_same_twice(name: str) -> None:
    watch = Watch(7, 0.3, 0.05)
    for seed in (3,) if name == "korea" else (3, 4, 5):
        random_play.play(name, seed, watch, moves=MOVES[name])
    assert watch.seen["questions"] and watch.seen["positions"]


def test_they_are_read_the_same_twice_in_a_game_of_the_bot() -> None:
    watch = Watch(8, 0.3, 0.1)
    bot_play.play("wonsan", 4, SIDES, watch)
    assert watch.seen["questions"] and watch.seen["positions"]


@pytest.mark.parametrize("wrong", ["flight", "mines", "port"])
def test_the_slow_reading_can_disagree(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge whose helicopters fly further, or a game in which coastal mines lie in their hex alone or any Port is open."""
    if wrong == "flight":
        monkeypatch.setattr(slow_waters, "SPARE", 2)
    elif wrong == "mines":
        monkeypatch.setattr(naval, "mine_fields", lambda g, place: [place] if place in g.mines else [])
    else:
        monkeypatch.setattr(State, "own_port", lambda g, side, place: g.board.hexes[place].port)
    judge = Watch(9, 0.6, 0.3)

    def watch(engine: Engine, _: Plain) -> None:
        if judge.disagreements(engine):
            raise Noticed

    with pytest.raises(Noticed):
        for seed in range(40, 43):
            random_play.play("korea", seed, watch, moves=MOVES["korea"])
