"""The bot against itself, measured: python -m tests.empire_of_the_sun.opponents --scenario campaign-1941 --games 10 --turns 4.

Prints what a player would look at: who holds what at the end of each turn, resources, will, losses, the time of a card play.
The seeds of a game are its dice and the bot's opening.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import mean, median

from pbem.batch.arena import SEEDS
from pbem.games.empire_of_the_sun import bot
from pbem.games.empire_of_the_sun.state import JAPAN, SIDES, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Simultaneous
from tests.empire_of_the_sun import random_play, table
from tests.several import played_at

PLACES = {
    "Manila": 2813, "Hong Kong": 2709, "Guam": 3814, "Wake": 4612, "Singapore": 2015, "Rangoon": 2008, "Rabaul": 4021,
    "Davao": 2915, "Batavia": 2018, "Soerabaja": 2220, "Balikpapan": 2517, "Tarakan": 2616, "Kavieng": 4020, "Lae": 3822,
    "Gasmata": 3921, "Guadalcanal": 4423, "Bougainville": 4222, "Admiralties": 3820, "Tarawa": 5018, "Kwajalein": 4715,
    "Eniwetok": 4415, "Saipan": 3813, "Port Moresby": 3823, "Hollandia": 3520,
}  # fmt: skip


@dataclass(slots=True)
class Game:
    """What one game showed. `held`: turn -> the places that Japan holds at its end."""

    seed: int
    held: dict[int, frozenset[str]] = field(default_factory=dict)
    resources: dict[int, int] = field(default_factory=dict)
    will: dict[int, int] = field(default_factory=dict)
    plays: Counter[str] = field(default_factory=Counter)  # side and what its card plays did
    lost: Counter[str] = field(default_factory=Counter)  # ships and air units gone at the end, by side
    seconds: list[float] = field(default_factory=list)  # CPU time of each card play
    opening: str = ""
    winner: str = ""


def played(seed: int, scenario: str, turns: int, **options: Plain) -> Game:
    """One game of the bot against itself, to the end of a turn or the game."""
    engine, others, game = table.begin(scenario, **options), random_play.Player(random.Random(seed)), Game(seed)
    turn, spent, first = engine.state.turn, 0.0, list[Plain]()
    _turn_over(game, engine.state, turn - 1)
    while engine.request is not None:
        g, request = engine.state, engine.request
        if g.turn != turn:
            _turn_over(game, g, turn)
            turn = g.turn
            if turn > turns:
                break
        begun = time.process_time()
        if isinstance(request, Simultaneous):
            engine.reply({a.seat: bot.choose(g, a, seed=seed) for a in request.asks})
        elif isinstance(request, Ask) and request.forced is None:
            answer = bot.choose(g, request, seed=seed)
            if request.kind == "card":
                game.seconds += [spent] if spent else []
                spent = 0.0
                game.plays[f"{request.seat} cards"] += 1
            game.plays[f"{request.seat} idle"] += request.kind == "activate" and answer == {"activate": "none"}
            first += [answer] if len(first) < 40 else []
            engine.reply(answer)
        else:
            engine.reply(others.answer(request))
        spent += time.process_time() - begun
    game.opening, game.winner = str(first), engine.state.winner
    if engine.request is None:
        _turn_over(game, engine.state, turn)
    return game


def _turn_over(game: Game, g: State, turn: int) -> None:
    game.held[turn] = frozenset(name for name, h in PLACES.items() if h in g.board.hexes and g.holds(JAPAN, h))
    game.resources[turn], game.will[turn] = len(g.resources(JAPAN)), g.will
    for side in SIDES:
        gone = [u for u, p in g.pieces.items() if p.box == "eliminated" and g.counter(u).side == side]
        for kind in ("naval", "air", "ground"):
            game.lost[f"{side} {kind}"] = sum(g.counter(u).kind == kind for u in gone)
        game.lost[f"{side} carriers"] = sum(bool(g.counter(u).carrier) for u in gone)


# -- the table -----------------------------------------------------------------------------------------------------------


def lines(games: Sequence[Game]) -> list[str]:
    """The table in words."""
    turns = sorted({t for g in games for t in g.held})
    told = [f"games {len(games)}, seeds {games[0].seed} to {games[-1].seed}"]
    told.append("end of turn   " + "  ".join(f"{t:5}" for t in turns))
    for what, of in (("resources", "resources"), ("will", "will")):
        told.append(f"{what:14}" + "  ".join(f"{mean(getattr(g, of)[t] for g in games if t in g.held):5.1f}" for t in turns))
    for place in PLACES:
        told.append(f"{place:14}" + "  ".join(f"{_share(games, place, t):4} %" for t in turns))
    for what in ("plays", "lost"):
        total = sum((getattr(g, what) for g in games), Counter[str]())
        told.append(f"{what}: " + ", ".join(f"{name} {number / len(games):.1f}" for name, number in sorted(total.items())))
    spent = [s for g in games for s in g.seconds]
    told.append(f"CPU seconds a card play: median {median(spent):.2f}, worst {max(spent):.2f}")
    told.append("Allied gains  " + "  ".join(f"{mean(gains(g, t) for g in games):5.1f}" for t in turns))
    told.append(
        f"openings {len({g.opening for g in games})}; victories {dict(sorted(Counter(g.winner for g in games).items()))}"
    )
    return told


def _share(games: Sequence[Game], place: str, turn: int) -> int:
    """Per cent of the games in which Japan holds a place at the end of a turn."""
    shown = [g for g in games if turn in g.held]
    return 100 * sum(place in g.held[turn] for g in shown) // max(1, len(shown))


def gains(game: Game, turn: int) -> int:
    """Places that Japan held when the scenario began and that are Allied at the end of a turn."""
    before = game.held[min(game.held)]
    return len(before - game.held[min(turn, max(game.held))])


SLACK = 10  # per cent by which twenty games may miss a floor by their dice
Floor = tuple[str, Callable[[Sequence[Game]], int], int]
CAMPAIGN: tuple[Floor, ...] = (
    ("Manila by turn 3, per cent", lambda games: _share(games, "Manila", 3), 90),
    ("Hong Kong by turn 3, per cent", lambda games: _share(games, "Hong Kong", 3), 90),
    ("Guam by turn 3, per cent", lambda games: _share(games, "Guam", 3), 90),
    ("Wake by turn 3, per cent", lambda games: _share(games, "Wake", 3), 90),
    ("11 resources by turn 3, per cent", lambda games: 100 * sum(g.resources[3] >= 11 for g in games) // len(games), 90),
)
YEAR_1943: tuple[Floor, ...] = (
    ("three Allied gains by turn 7, per cent", lambda games: 100 * sum(gains(g, 7) >= 3 for g in games) // len(games), 80),
)
FLOORS = {"campaign-1941": (3, CAMPAIGN), "year-1943": (7, YEAR_1943)}  # scenario -> the turn that it takes, the floors


def main() -> bool:
    """The table of a scenario, and the floors that it misses; whether it misses none."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--scenario", default="campaign-1941")
    asked.add_argument("--games", type=int, default=10)
    asked.add_argument("--turns", type=int, default=4)
    asked.add_argument("--seeds", choices=SEEDS, default="train")
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--workers", type=int, default=2)
    given = asked.parse_args()
    seeds = SEEDS[given.seeds][given.first : given.first + given.games]
    run = partial(played, scenario=given.scenario, turns=given.turns)
    found = played_at(seeds, run, given.workers)
    print("\n".join(lines(found)))
    least, floors = FLOORS.get(given.scenario, (0, ()))
    measured = [(name, measure(found), floor) for name, measure, floor in floors] if given.turns >= least else []
    for name, got, floor in measured:
        print(f"{'ok  ' if got >= floor else 'MISS'} {name}: {got} (floor {floor})")
    return all(got >= floor - SLACK for _, got, floor in measured)


if __name__ == "__main__":
    sys.exit(not main())
