"""A weight of the bot measured by paired continuations.

    python -m tests.axis_and_allies_pacific.continuations airfields.UNSAFE 12000 9000
    python -m tests.axis_and_allies_pacific.continuations level hard normal --games 8 --rounds 3 5 --times 1

Whole games scatter too much to tell one adviser from another. From the same positions one power plays a turn, the others
theirs, and it one more or some more, with one value of a weight and with the other; the dice are the same as long as they are
thrown for the same thing. Told is the difference in what the sides are worth, victory cities included, its mean and the error
of the mean; what a place is worth later is not in it. The weight is that of the module that reads it: a copy that another
module has imported keeps its value.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import mean, stdev

from pbem.batch.arena import SEEDS
from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.bot.balance import standing
from pbem.games.axis_and_allies_pacific.bot.course import forget
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.state import POWERS, State
from pbem.games.parts import NORMAL
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import table
from tests.several import played_at

LEVEL = "level"  # in the place of a weight
ADVISER = "pbem.games.axis_and_allies_pacific.bot."


def measured(
    seed: int,
    power: str,
    rounds: Sequence[int],
    times: int,
    weight: str,
    values: tuple[int, int] | tuple[str, str],
    turns: int = 1,
) -> list[list[int]]:
    """For each of some rounds of one game: what the first value of a weight brings more than the other, each time; after so
    many more `turns` of the power, with none when the others have answered.
    """
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), {"round-limit": 12}))
    found, dice = [], HashedDice(f"game {seed}")
    for number in rounds:
        while engine.request is not None and not _begins(engine, power, number):
            engine.reply(_answer(engine, dice, seed))
        pairs = []
        for time in range(times if engine.request is not None else 0):
            one, other = (_worth_after(engine.fork(), power, number + turns, seed, time, weight, v, not turns) for v in values)
            pairs.append(one - other)
        print(f"seed {seed} round {number}: {' '.join(f'{n:+}' for n in pairs)}", flush=True)
        found.append(pairs)
    return [pairs for pairs in found if pairs]


class HashedDice:
    """Dice drawn from a name, the turn, what they are thrown for and how often that was thrown for before."""

    def __init__(self, name: str) -> None:
        self.name, self.thrown = name, Counter[str]()

    def throw(self, g: State, roll: Roll) -> list[int]:
        what = f"{self.name} {g.round} {g.power} {roll.label}"
        self.thrown[what] += 1
        seeds = (f"{what} {self.thrown[what]} {die}".encode() for die in range(roll.dice))
        return [1 + int.from_bytes(hashlib.sha256(s).digest()[:6], "big") % roll.sides for s in seeds]


def _begins(engine: Engine, power: str, number: int) -> bool:
    g = engine.state
    return (g.round, g.power, g.phase) == (number, power, "purchase") and isinstance(engine.request, Ask)


def _answer(engine: Engine, dice: HashedDice, seed: int, level: str = NORMAL) -> Plain:
    request = engine.request
    if isinstance(request, Roll):
        return list(dice.throw(engine.state, request))
    assert isinstance(request, Ask)
    return bot.choose(engine.state, request, seed=seed, level=level) if request.forced is None else request.forced


def _worth_after(
    engine: Engine, power: str, last: int, seed: int, time: int, weight: str, value: int | str, answered: bool
) -> int:
    """After the power's turn in a round, or when that was `answered`; the weight or the level is so for the power alone."""
    dice = HashedDice(f"{seed} {time}")
    forget()
    while engine.request is not None:
        g = engine.state
        if answered and (g.round > last + 1 or (g.round == last + 1 and g.power == power)):
            break
        if not answered and (g.round > last or (g.round == last and g.power != power)):
            break
        asked = isinstance(engine.request, Ask) and engine.request.seat == power
        with _weighing(weight, value if asked else None) as level:
            answer = _answer(engine, dice, seed, level)
        engine.reply(answer)
    return standing(engine.state, power)


@contextmanager
def _weighing(weight: str, value: int | str | None) -> Iterator[str]:
    """The level to play with; meanwhile the weight has the value, if one is given."""
    if value is None or weight == LEVEL:
        yield NORMAL if value is None else str(value)
        return
    module, _, name = weight.rpartition(".")
    adviser = importlib.import_module(ADVISER + module)
    usual = getattr(adviser, name)
    setattr(adviser, name, value)
    try:
        yield NORMAL
    finally:
        setattr(adviser, name, usual)


def told(positions: Sequence[Sequence[int]]) -> str:
    """The mean over positions with its error: continuations of one position hang together."""
    means = [mean(pairs) for pairs in positions]
    error = f"{stdev(means) / len(means) ** 0.5:.1f}" if len(means) > 1 else "?"
    better, worse = sum(m > 0 for m in means), sum(m < 0 for m in means)
    return f"{mean(means):+.1f} +- {error} IPC, {len(means)} positions: {better} better, {worse} worse, the rest alike"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("weight", help="module and name, as airfields.UNSAFE; or level")
    parser.add_argument("values", nargs=2)
    parser.add_argument("--power", choices=POWERS, default="japan")
    parser.add_argument("--rounds", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument(
        "--turns", type=int, default=1, help="turns of the power after the first that are played; 0: up to its next turn"
    )
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--first", type=int, default=0, help="how many seeds to leave out")
    parser.add_argument("--seeds", choices=[*SEEDS], default="train")
    parser.add_argument("--jobs", type=int, default=2)
    wanted = parser.parse_args(arguments)
    run = partial(
        measured,
        power=wanted.power,
        rounds=wanted.rounds,
        times=wanted.times,
        weight=wanted.weight,
        values=tuple(wanted.values if wanted.weight == LEVEL else map(int, wanted.values)),
        turns=wanted.turns,
    )
    seeds = SEEDS[wanted.seeds][wanted.first : wanted.first + wanted.games]
    found = [pairs for game in played_at(seeds, run, wanted.jobs) for pairs in game]
    print(told(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
