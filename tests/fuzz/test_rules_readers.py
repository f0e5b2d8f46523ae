"""Orders, standing answers, contents and statements that no program would write, at every question of every game: judged, no
rule fails on them. What a module does fail on is refused by name all the same (`kernel.orders.judged`); here it is a fault."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME as PACIFIC
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Commit, Request, Roll, Simultaneous
from pbem.kernel.orders import Rejected
from tests.axis_and_allies_pacific import table as pacific
from tests.empire_of_the_sun import random_play as eots_play
from tests.empire_of_the_sun import table as eots
from tests.fuzz.amounts import EXAMPLES
from tests.next_war import random_play as next_war_play
from tests.next_war import table as next_war
from tests.pacific_war import random_play as pacific_war_play
from tests.pacific_war import table as pacific_war

JUNK: list[Plain] = [
    None, True, False, 0, -1, 1, 999, 10**15, "", " ", ":", ",", "none", "done", "yes", "all", "again", "open", "\u0663", "1 ,",
    "a" * 300, [], {}, [None], [[]], {"": ""}, {"x": None}, [1, "a"], {"units": {}, "from": "", "to": ""}, {"do": 1},
]  # fmt: skip
WORDS = ["0", "1", "2", "3", "999", "-1", ",", "to", "from", "via", "and", "with", "in", "at", "none"]
SEALED = {"forces": "sealed", "land": "sealed", "points": "sealed", "decoys": "yes"}


# -- orders that are nearly right ----------------------------------------------------------------------------------------------


def words_of(order: Plain) -> Iterator[str]:
    """Every word of an order."""
    if isinstance(order, dict):
        for key, value in order.items():
            yield key
            yield from words_of(value)
    elif isinstance(order, list):
        for item in order:
            yield from words_of(item)
    elif order is not None:
        yield from str(order).replace(",", " , ").split()


def spoilt(order: Plain, words: Sequence[str], dice: random.Random) -> Plain:
    """The order with one thing in it changed."""
    if dice.random() < 0.1:
        return dice.choice(JUNK)
    if isinstance(order, dict) and order:
        return _spoilt_mapping(order, words, dice)
    if isinstance(order, list) and order:
        listed, at = list(order), dice.randrange(len(order))
        match dice.randrange(5):
            case 0:
                return []
            case 1:
                del listed[at]
            case 2:
                listed.append(dice.choice([listed[at], dice.choice(words)]))
            case _:
                listed[at] = spoilt(listed[at], words, dice)
        return listed
    return _spoilt_text(order, words, dice) if isinstance(order, str) else dice.choice([*JUNK, *words])


def _spoilt_mapping(order: dict[str, Plain], words: Sequence[str], dice: random.Random) -> Plain:
    made, key = dict(order), dice.choice(list(order))
    match dice.randrange(8):
        case 0:
            made[dice.choice(words)] = made.pop(key)
        case 1:
            del made[key]
        case 2:
            made[dice.choice(words)] = dice.choice(JUNK)
        case 3:
            made[key] = dice.choice([[], {}, "", [made[key]]])
        case _:
            made[key] = spoilt(made[key], words, dice)
    return made


def _spoilt_text(order: str, words: Sequence[str], dice: random.Random) -> Plain:
    if dice.random() < 0.1:
        return dice.choice([[order], {"units": order, "to": dice.choice(words)}, {"units": [], "from": order, "to": order}])
    parts = order.replace(",", " , ").split(" ")
    at = dice.randrange(len(parts))
    match dice.randrange(6):
        case 0:
            del parts[at]
        case 1:
            parts[at] = dice.choice(words)
        case 2:
            parts.insert(at, dice.choice([*words, *WORDS]))
        case 3:
            parts += [",", *parts]
        case 4:
            parts[at] = parts[at][:-1]
        case _:
            parts[at], parts[-1] = parts[-1], parts[at]
    return " ".join(parts).replace(" , ", ", ")


# -- trying them --------------------------------------------------------------------------------------------------------------


@dataclass
class Trial:
    """One game on its way; `failed`: where a rule failed, and on what."""

    engine: Engine
    chance: Callable[[Request, random.Random], Plain]
    choose: Callable[[Ask, random.Random], Plain]
    dice: random.Random
    failed: list[str] = field(default_factory=list)
    tried: int = 0

    def run(self, attempts: int) -> None:
        """Random play; at each question some orders that are nearly right."""
        while self.engine.request is not None and self.tried < attempts:
            request = self.engine.request
            asks = request.asks if isinstance(request, Simultaneous) else [request] if isinstance(request, Ask) else []
            for ask in asks:
                self.question(ask)
            if isinstance(request, Claim | Commit):
                self.contents(request)
            if isinstance(request, Simultaneous):
                self.engine.reply({a.seat: self.choose(a, self.dice) for a in asks})
            elif isinstance(request, Ask):
                self.engine.reply(request.forced if request.forced is not None else self.choose(request, self.dice))
            else:
                self.engine.reply(self.chance(request, self.dice))

    def question(self, ask: Ask) -> None:
        """Orders near those that are proposed, each judged; what is accepted is sometimes carried out on a copy."""
        offered = list(ask.options())[:80] or ["done"]
        words = [w for o in offered[:20] for w in words_of(o)] + [*ask.verbs, "none", "done"]
        for _ in range(3):
            order = self.dice.choice(offered)
            for _ in range(self.dice.choice([1, 1, 2, 4])):
                order = spoilt(order, words, self.dice)
            body = next(iter(order.values())) if isinstance(order, dict) and len(order) == 1 else order
            if self.stands("read", ask.read, order) and isinstance(self.engine.request, Ask) and self.dice.random() < 0.1:
                self.stands("carry out", self.copy().reply, order)
            self.stands("standing order", lambda do: None if (o := ask.policy(do)) is None else ask.read(o), body)

    def contents(self, request: Claim | Commit) -> None:
        """Statements and sealed contents of every kind."""
        for value in [*self.dice.sample(JUNK, 3), "x", [0]]:
            if isinstance(request, Claim):
                self.stands(f"statement {request.kind}", self.copy().reply, value)
            else:
                near = spoilt(self.dice.choice(list(request.options()) or [None]), WORDS, self.dice)
                self.stands(f"contents {request.kind}", request.read, near)

    def copy(self) -> Engine:
        return Engine.resume(self.engine.game, self.engine.scenario, self.engine.checkpoint())

    def stands(self, what: str, read: Callable[[Plain], Any], order: Plain) -> bool:
        """Whether an order was accepted; a rule that fails on it is noted."""
        self.tried += 1
        try:
            read(order)
        except Rejected as wrong:
            self.failed += [f"{what}: {order!r}\n{p.trace}" for p in wrong.problems if p.trace]
            return False
        except Exception:
            self.failed.append(f"{what}: {order!r}\n{traceback.format_exc()}")
            return False
        return True


def begin(name: str, dice: random.Random) -> Trial:
    """A game of a system at its first question."""
    if name == "pacific":
        rounds = {"round-limit": 6}
        engine = Engine(PACIFIC, pacific.scenario(), PACIFIC.start(pacific.scenario(), rounds))
        return Trial(engine, _rolled, lambda ask, d: d.choice(list(ask.options())), dice)
    if name == "eots":
        player = eots_play.Player(dice)
        return Trial(eots.begin(dice.choice(eots.SCENARIOS)), eots.chance, lambda ask, d: player.choose(ask), dice)
    if name == "next war":
        engine = next_war.begin(dice.choice(sorted(next_war_play.MOVES)), **dice.choice(next_war_play.OPTIONS))
        return Trial(engine, next_war.chance, lambda ask, d: next_war_play.choose(ask, d, 6), dice)
    options: dict[str, Plain] = {} if name == "pacific war" else {**SEALED}
    engine = pacific_war.begin(dice.choice(pacific_war.SCENARIOS), **options)
    return Trial(engine, pacific_war.chance, pacific_war_play.choose, dice)


def _rolled(request: Request, dice: random.Random) -> Plain:
    assert isinstance(request, Roll)
    return [dice.randint(1, request.sides) for _ in range(request.dice)]


@pytest.mark.parametrize("name", ["pacific", "eots", "next war", "pacific war", "pacific war, sealed"])
def test_no_rule_fails_on_an_order(name: str) -> None:
    for seed in range(1 + EXAMPLES // 100):
        trial = begin(name, random.Random(f"{name} {seed}"))
        trial.run(10 * EXAMPLES)
        assert trial.failed == [], f"seed {seed}: {trial.failed[0]}"
        assert trial.tried > 50
