"""The bot against itself, measured: python -m tests.axis_and_allies_pacific.opponents --games 10 --rounds 8.

Prints what a player would look at: who holds what and by when, aircraft that fly and that are left, how different the first
turns are, what was thrown away, the time of a turn. The seeds of a game are its dice and the bot's temperament.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import mean, median

from pbem.batch.arena import SEEDS
from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.bot.balance import standing
from pbem.games.axis_and_allies_pacific.bot.judgement import rivals
from pbem.games.axis_and_allies_pacific.events.combat import Destroyed
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.income import production
from pbem.games.axis_and_allies_pacific.paths import flights
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    POWERS,
    SEA,
    SIDES,
    SURFACE_WARSHIPS,
    State,
    Unit,
    movement_points,
)
from pbem.games.parts import HARD, NORMAL
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import table
from tests.several import played_at

TRAIN, CHOOSE, REPORT = SEEDS["train"], SEEDS["choose"], SEEDS["report"]
PRIZES = ("java", "borneo", "sumatra", "celebes", "kwangtung", "malaya", "philippines", "india", "french-indo-china")
DUTCH = ("java", "sumatra", "celebes", "dutch-new-guinea")
NEVER = 99


@dataclass(slots=True)
class Game:
    """What one game showed. Rounds are counted from 1; `fell`: land -> the round in which Japan first held it at the end."""

    seed: int
    war: int = 1  # the round in which Japan opened it
    ipc: dict[int, dict[str, int]] = field(default_factory=dict)  # round -> power -> production
    fell: dict[str, int] = field(default_factory=dict)
    guarded: dict[str, int] = field(default_factory=dict)  # Dutch land -> the round in which UK or ANZAC first held it
    flying: dict[int, int] = field(default_factory=dict)  # round -> Japanese aircraft that attacked
    targets: dict[int, int] = field(default_factory=dict)  # round -> spaces that they attacked
    aircraft: int = 0  # Japanese, at the end
    opening: str = ""
    silly: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)  # CPU time of each turn of each power
    winner: str = ""
    balance: int = 0  # how Japan stands at the end, in IPC


def played(seed: int, rounds: int = 8, hard: str = "") -> Game:
    """One game of the bot against itself; `hard`: a side that plays by look-ahead."""
    dice, game = random.Random(seed), Game(seed)
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), {"round-limit": rounds}))
    turn, spent = "", 0.0
    first: list[Plain] = []
    landed: set[int] = set()  # transports that have landed something in this turn
    while engine.request is not None:
        g, request = engine.state, engine.request
        if turn != f"{g.round} {g.power}":
            _turn_over(game, g, turn, landed)
            game.seconds += [spent] if turn else []
            turn, spent = f"{g.round} {g.power}", 0.0
        if isinstance(request, Roll):
            engine.reply([dice.randint(1, request.sides) for _ in range(request.dice)])
            continue
        assert isinstance(request, Ask)
        answer = request.forced
        if answer is None:
            begun = time.process_time()
            answer = bot.choose(g, request, seed=seed, level=HARD if SIDES[request.seat] == hard else NORMAL)
            spent += time.process_time() - begun
        if turn == "1 japan" and request.kind in ("purchase", "combat-move"):
            first.append(answer)
        phase, power = g.phase, g.power
        landed = set(g.landed_from)
        engine.reply(answer)
        if power == "japan" and phase == "combat-move" and request.kind == "combat-move" and answer == "done":
            _count_flights(game, engine.state)
    game.opening = str(first)
    return _closed(game, engine, turn, spent, landed)


def _closed(game: Game, engine: Engine, turn: str, spent: float, landed: Collection[int]) -> Game:
    _turn_over(game, engine.state, turn, landed)
    game.seconds.append(spent)
    game.aircraft = sum(u.type in AIR for u in engine.state.of("japan"))
    game.silly["aircraft without a landing place"] += sum(
        isinstance(e, Destroyed) and e.rule == "NCM-08" for e in engine.state.events
    )
    game.balance = standing(engine.state, "japan")
    game.winner = engine.state.winner if engine.state.win_rule in ("VIC-02", "VIC-03") else ""
    return game


def _count_flights(game: Game, g: State) -> None:
    flying = [u for u in g.of("japan") if u.type in AIR and u.moved == "combat"]
    if g.wars == ["china japan"]:
        game.war = g.round + 1
    game.flying[g.round] = len(flying)
    game.targets[g.round] = len({u.at for u in flying})


def _turn_over(game: Game, g: State, turn: str, landed: Collection[int]) -> None:
    """The turn that has just ended: whom it brought what, and what lies open."""
    if not turn:
        return
    number, power = int(turn.split()[0]), turn.split()[1]
    for land in PRIZES:
        if g.control[land] == "japan":
            game.fell.setdefault(land, number)
    for land in DUTCH:
        if g.control[land] in ("united-kingdom", "anzac"):
            game.guarded.setdefault(land, number)
    game.silly["lone transports in reach"] += _lone_transports(g, power, landed)
    if power == POWERS[-1] or g.winner:
        game.ipc[number] = {p: production(g, p) for p in POWERS}


def _lone_transports(g: State, power: str, landed: Collection[int]) -> int:
    """Transports at sea without any warship of their side beside them, in reach of an enemy who has a turn and is or may go
    to war with them then, that have landed nothing: the next turn, in which this is counted, has forgotten who `landed`.
    """
    zones = {u.at for u in g.of(power) if u.type == "transport"}
    alone = [z for z in sorted(zones) if not any(_guards(u, power) for u in g.at(z)) and _in_reach(g, power, z)]
    return sum(u.type == "transport" and u.at in alone and u.id not in landed for u in g.of(power))


def _guards(unit: Unit, power: str) -> bool:
    return SIDES.get(unit.owner) == SIDES[power] and unit.type in (*SURFACE_WARSHIPS, *AIR)


def _in_reach(g: State, power: str, zone: str) -> bool:
    near = _sea_distances(g, zone)
    foes = [u for enemy in rivals(g, power) for u in g.of(enemy)]
    ships = any(u.type in SEA and u.type != "transport" and near.get(u.at, NEVER) <= movement_points(g, u) for u in foes)
    planes = (u for u in foes if u.type in AIR and u.owner in POWERS and u.owner != "china")
    return ships or any(zone in flights(g, u.owner, u.at, movement_points(g, u) // 2) for u in planes)


def _sea_distances(g: State, zone: str) -> dict[str, int]:
    found, ring = {zone: 0}, [zone]
    for distance in (1, 2, 3):
        ring = [n for z in ring for n in g.board.neighbours[z] if n in g.board.zones and n not in found]
        found |= dict.fromkeys(ring, distance)
    return found


# -- the table -----------------------------------------------------------------------------------------------------------


def lines(games: Sequence[Game], rounds: int) -> list[str]:
    """The table in words."""
    marks = [r for r in (1, 3, 6, 8) if r <= rounds]
    told = [f"games {len(games)}, seeds {games[0].seed} to {games[-1].seed}, rounds {rounds}"]
    for power in POWERS:
        told.append(
            f"{power + ' earns':22} " + "  ".join(f"{r}: {_mean(g.ipc[r][power] for g in games if r in g.ipc)}" for r in marks)
        )
    for land in PRIZES:
        told.append(f"{land + ' Japanese by':28} " + _by(games, [g.fell.get(land, NEVER) for g in games], rounds))
    for land in DUTCH:
        told.append(f"{land + ' UK or ANZAC by':28} " + _by(games, [g.guarded.get(land, NEVER) for g in games], rounds))
    told.append(
        "aircraft attacking      " + "  ".join(f"{r}: {_mean(g.flying.get(r, 0) for g in games)}" for r in range(1, rounds + 1))
    )
    told.append(
        "spaces they attack      "
        + "  ".join(f"{r}: {_mean(g.targets.get(r, 0) for g in games)}" for r in range(1, rounds + 1))
    )
    told.append(f"war opened in round       {dict(sorted(Counter(g.war for g in games).items()))}")
    told.append(f"aircraft left           {_mean(g.aircraft for g in games)}")
    told.append(f"different first turns   {len({g.opening for g in games})} of {len(games)}")
    silly = sum((g.silly for g in games), Counter[str]())
    told += [f"{what:40} {count} in {len(games)} games" for what, count in sorted(silly.items())]
    spent = [s for g in games for s in g.seconds]
    told.append(f"CPU seconds a turn      median {median(spent):.2f}, worst {max(spent):.2f}")
    told.append(f"Japan stands at          {' '.join(f'{g.balance:+}' for g in games)}, mean {_mean(g.balance for g in games)}")
    told.append(f"victories               {dict(sorted(Counter(g.winner for g in games).items()))}")
    return told


FLOORS: tuple[tuple[str, Callable[[Sequence[Game]], int], int], ...] = (
    ("production of Japan after its first round of war, tenths", lambda games: _tenths(games, "japan", 1), 320),
    ("production of Japan after its third round of war, tenths", lambda games: _tenths(games, "japan", 3), 420),
    ("production of Japan after round 6, tenths", lambda games: _tenths(games, "japan", 6, True), 500),
    ("Hong Kong by the second round of war, per cent", lambda games: _share(games, "kwangtung", 2), 95),
    ("Java by the third, per cent", lambda games: _share(games, "java", 3), 80),
    ("Borneo by the third, per cent", lambda games: _share(games, "borneo", 3), 80),
    ("Sumatra by the fifth, per cent", lambda games: _share(games, "sumatra", 5), 80),
    ("Celebes by the sixth, per cent", lambda games: _share(games, "celebes", 6), 80),
    ("Malaya by the sixth, per cent", lambda games: _share(games, "malaya", 6), 80),
    ("aircraft attacking in the first round of war, tenths", lambda games: _flights(games, 1), 80),
    ("aircraft attacking in the second, tenths", lambda games: _flights(games, 2), 120),
    ("first turns in 20 games", lambda games: 20 * len({g.opening for g in games}) // max(20, len(games)), 8),
)  # of games of at least eight rounds: a believable war, whenever Japan opens it


def _of_war(game: Game, number: int) -> int:
    """The round of the game that is so many rounds into the war."""
    return game.war + number - 1


def _tenths(games: Sequence[Game], power: str, number: int, of_game: bool = False) -> int:
    """After a round of the war, or of the game; after the last one of a game that was won before."""
    rounds = [number if of_game else _of_war(g, number) for g in games]
    return 10 * sum(g.ipc[min(r, max(g.ipc))][power] for g, r in zip(games, rounds, strict=True)) // len(games)


def _share(games: Sequence[Game], land: str, number: int) -> int:
    return 100 * sum(g.fell.get(land, NEVER) <= _of_war(g, number) for g in games) // len(games)


def _flights(games: Sequence[Game], number: int) -> int:
    return 10 * sum(g.flying.get(_of_war(g, number), 0) for g in games) // len(games)


def missed(games: Sequence[Game]) -> list[str]:
    """The floors that some games do not reach."""
    found = ((name, measure(games), floor) for name, measure, floor in FLOORS)
    return [f"MISSED: {name}: {value}, floor {floor}" for name, value, floor in found if value < floor]


def _mean(values: Iterable[int]) -> str:
    found = list(values)
    return f"{mean(found):.1f}" if found else "-"


def _by(games: Sequence[Game], when: Sequence[int], rounds: int) -> str:
    return "  ".join(f"{r}: {sum(w <= r for w in when):2}" for r in range(1, rounds + 1)) + f"  of {len(games)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print. The exit code: 1 when a floor is asked for and missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", choices=[*SEEDS], default="train")
    parser.add_argument("--first", type=int, default=0, help="how many seeds to leave out")
    parser.add_argument("--hard", choices=["axis", "allies"], default="", help="a side that plays by look-ahead")
    parser.add_argument("--floors", action="store_true", help="fail when a floor is missed")
    wanted = parser.parse_args(arguments)
    chosen = SEEDS[wanted.seeds][wanted.first : wanted.first + wanted.games]
    games = played_at(chosen, partial(played, rounds=wanted.rounds, hard=wanted.hard), wanted.jobs)
    low = missed(games) if wanted.floors else []
    print("\n".join([*lines(games, wanted.rounds), *low]))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
