"""The bot against itself, measured: python -m tests.pacific_war.opponents --scenario guadalcanal --games 3.

Prints what a player would look at: ships sunk, operations month by month, what changed hands, units that nobody can reach.
Months count down: 44 is December 1941, `--months 6` plays to May 1942 (39). The seeds of a game are its dice.
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

from pbem.batch.arena import SEEDS
from pbem.games.pacific_war import bot
from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.bot.operations import LAST_OPERATION
from pbem.games.pacific_war.events import Hit, Removed
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.terms import month_name
from pbem.games.pacific_war.victory import owner
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from tests.pacific_war import table
from tests.several import played_at

FEBRUARY, MAY, JUNE = 42, 39, 38  # 1942
CARRIERS, CRUISERS = ("CV", "CVL", "CVE"), ("CA", "CL")
GIVEN_UP, OVERRUN = ("PW-TIM-03", "PW-TIM-05"), "PW-MOV-04"
OPENERS = ("Combined Fleet", "Southern Army")
PLACES = {
    "Malaya": 3908, "Manila": 3819, "Davao": 3219, "Java": 2908, "Palembang": 3606, "Borneo": 3112, "Tarakan": 3314,
    "Burma": 5011, "Hong Kong": 4419,
}  # fmt: skip


@dataclass(slots=True)
class Game:
    """What one game showed. `operations`: month, side, headquarters, spent, bid, first day."""

    seed: int
    operations: list[tuple[int, str, str, int, int, int]] = field(default_factory=list)
    taken: list[tuple[int, str, str, int]] = field(default_factory=list)  # month, side, name, hex
    sunk: list[tuple[int, str]] = field(default_factory=list)  # month, ship
    types: Counter[str] = field(default_factory=Counter)  # side and type of what was sunk
    stranded: list[str] = field(default_factory=list)  # ships that had to be given up at sea [PW-TIM-03]
    lost_india: list[tuple[int, str]] = field(default_factory=list)  # month and place
    caught: list[str] = field(default_factory=list)  # ships in anchorages that troops overran [PW-MOV-04]
    held: dict[int, frozenset[int]] = field(default_factory=dict)  # month -> hexes that Japan holds at its end
    winner: str = ""
    seconds: float = 0.0


class Watcher:
    """Looks at a game before each question."""

    def __init__(self, game: Game, g: State) -> None:
        self.game, self.month, self.begun, self.told = game, g.month, "", len(g.events)
        self.layout: object = None
        self.owners: dict[int, str] = {}
        self.places = sorted({*g.airfields, *g.ports, *(int(k[9:]) for k in g.ledger if k.startswith("resource "))})

    def __call__(self, g: State) -> None:
        """A month over, an operation begun, a hex taken, a ship gone."""
        if g.month != self.month:
            self.game.held[self.month] = self.japanese(g)
            self.month = g.month
        o = g.operation
        if o is not None and o.spent:
            row = (o.month, g.operator, o.hq, o.spent, o.bid, o.start)
            name = f"{o.month} {o.start} {g.operator} {o.hq}"
            if name == self.begun:
                self.game.operations[-1] = row
            else:
                self.game.operations.append(row)
            self.begun = name
        if self.layout != g.memo.layout:
            self.layout = g.memo.layout
            self._compare(g)
        self._gone(g)

    def _compare(self, g: State) -> None:
        for place in self.places:
            side = owner(g, place)
            if side and self.owners.setdefault(place, side) != side:
                self.owners[place] = side
                self.game.taken.append((g.month, side, g.board.name(place), place))
                if side == JAPAN and place in g.board.region("india"):
                    self.game.lost_india.append((g.month, g.board.name(place)))

    def _gone(self, g: State) -> None:
        """Ships that have left the map since the last look, and why."""
        new, self.told = g.events[self.told :], len(g.events)
        for e in [e for e in new if isinstance(e, Hit | Removed) and e.box and g.counter(e.unit).kind == "naval"]:
            if e.box == "sunk":
                self.game.sunk.append((g.month, e.unit))
                self.game.types[f"{g.side(e.unit)} {g.counter(e.unit).type}"] += 1
            elif e.rule in GIVEN_UP and g.counter(e.unit).type != FORT:
                self.game.stranded.append(f"{month_name(g.month)} {e.unit}")
            elif e.rule == OVERRUN:
                self.game.caught.append(f"{month_name(g.month)} {e.unit}")

    def japanese(self, g: State) -> frozenset[int]:
        """What Japan holds now."""
        return frozenset(h for h in self.places if owner(g, h) == JAPAN)


def played(seed: int, scenario: str, months: int, watch: Callable[[Engine], None] | None = None, **options: Plain) -> Game:
    """One game of the bot against itself, to the end of a month or the game."""
    engine, dice, game = table.begin(scenario, **options), random.Random(seed), Game(seed)
    look, last, begun = Watcher(game, engine.state), engine.state.month - months, time.process_time()
    while engine.request is not None and engine.state.month > last:
        g, request = engine.state, engine.request
        look(g)
        if watch is not None:
            watch(engine)
        if isinstance(request, Simultaneous):
            engine.reply({a.seat: bot.choose(g, a, seed=seed) for a in request.asks})
        elif isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else bot.choose(g, request, seed=seed))
        else:
            engine.reply(table.chance(request, dice))
    look(engine.state)
    if engine.request is None:
        game.held[look.month] = look.japanese(engine.state)
    game.winner = engine.state.winner
    game.seconds = time.process_time() - begun
    return game


# -- the table -----------------------------------------------------------------------------------------------------------


def sinkings(game: Game, *types: str) -> int:
    """Ships of these types that both sides lost."""
    return sum(n for name, n in game.types.items() if name.split()[1] in types)


def opened(game: Game) -> str:
    """The headquarters of Japan's first operation."""
    return next((hq for _, side, hq, *_ in game.operations if side == JAPAN), "")


def months_without(game: Game) -> list[int]:
    """Months from February on in which the Allies began no operation."""
    begun = {month for month, side, *_ in game.operations if side == ALLIES}
    return [m for m in sorted(game.held, reverse=True) if m <= FEBRUARY and m not in begun]


def allied_months(games: Sequence[Game]) -> tuple[int, int]:
    """Months from February on in which the Allies began an operation, and all of them."""
    months = sum(month <= FEBRUARY for game in games for month in game.held)
    return months - sum(len(months_without(game)) for game in games), months


def overpaid(game: Game) -> int:
    """Operations for which more than a fifth over what they cost was bid, but for the last of a month."""
    return sum(5 * bid > 6 * spent and start <= LAST_OPERATION for *_, spent, bid, start in game.operations)


def _japanese(game: Game, place: int) -> bool:
    return place in game.held.get(MAY, ())


Floor = tuple[str, Callable[[Game], bool], int]
BATTLES: tuple[Floor, ...] = (
    ("a carrier or three cruisers sunk", lambda g: sinkings(g, *CARRIERS) >= 1 or sinkings(g, *CRUISERS) >= 3, 80),
    ("no unit stranded", lambda g: not g.stranded, 100),
)
WAR: tuple[Floor, ...] = (
    ("the Allies attack in each month from February", lambda g: not months_without(g), 100),
    ("Japan opens from the right headquarters", lambda g: opened(g) in OPENERS, 90),
    ("India untouched before June", lambda g: not any(month > JUNE for month, _ in g.lost_india), 90),
    *(
        (f"{name} Japanese by the end of May", lambda g, h=place: h in g.held.get(MAY, ()), 80)
        for name, place in PLACES.items()
    ),  # type: ignore[misc]
    ("no unit stranded", lambda g: not g.stranded, 100),
)
SLACK = 20  # per cent by which a few games may miss a floor by their dice
HELD = ("no unit stranded", "Japan opens from the right headquarters", "India untouched before June")  # the others are open
FLOORS = {"guadalcanal": BATTLES, "strategic-1941": WAR}


def share(games: Sequence[Game], holds: Callable[[Game], bool]) -> int:
    """Per cent of the games of which something is true."""
    return 100 * sum(map(holds, games)) // len(games)


def lines(games: Sequence[Game]) -> list[str]:
    """The games one by one, and the floors of their scenario."""
    told = []
    for game in games:
        told.append(f"seed {game.seed}: {game.winner or 'goes on'}, {game.seconds:.0f} s CPU")
        told.append(f"  stranded {game.stranded}, caught {game.caught}")
        for month in sorted(game.held, reverse=True):
            begun = [f"{side[0].upper()} {hq} {spent}/{bid}" for m, side, hq, spent, bid, _ in game.operations if m == month]
            taken = [f"{side[0].upper()}+{name}" for m, side, name, _ in game.taken if m == month]
            sunk = [ship for m, ship in game.sunk if m == month]
            told.append(f"  {month_name(month)}: {'; '.join(begun)} | {', '.join(taken)} | sunk {', '.join(sunk)}")
    total = sum((g.types for g in games), Counter[str]())
    told.append("sunk a game: " + ", ".join(f"{name} {n / len(games):.1f}" for name, n in sorted(total.items())))
    told.append(f"bids of more than a fifth too much: {sum(map(overpaid, games))} of {sum(len(g.operations) for g in games)}")
    begun, months = allied_months(games)
    told.append(f"Allied months with an operation: {begun} of {months}")
    return told


def main() -> bool:
    """The table of a scenario and its floors; whether those that have been reached are kept."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--scenario", choices=FLOORS, default="guadalcanal")
    asked.add_argument("--games", type=int, default=3)
    asked.add_argument("--months", type=int, default=6)
    asked.add_argument("--seeds", choices=SEEDS, default="train")
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--workers", type=int, default=1)
    given = asked.parse_args()
    seeds = SEEDS[given.seeds][given.first : given.first + given.games]
    run = partial(played, scenario=given.scenario, months=given.months)
    found = played_at(seeds, run, given.workers)
    print("\n".join(lines(found)))
    measured = [(name, share(found, holds), floor) for name, holds, floor in FLOORS[given.scenario]]
    for name, got, floor in measured:
        print(f"{'ok  ' if got >= floor else 'MISS'} {name}: {got} % (floor {floor})")
    return all(got >= floor - SLACK for name, got, floor in measured if name in HELD)


if __name__ == "__main__":
    sys.exit(not main())
