"""The bot against a simple player of another kind: python -m tests.axis_and_allies_pacific.greedy --games 4 --floors.

The greedy player makes every attack that it expects to win at 65 per cent or more, the greatest income first, and never asks
what the enemy answers. It buys men, guns and transports while somebody waits for them, marches to the nearest enemy and sails
with all it has to the richest shore. Whoever plays well holds against it, and makes an end of it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import mean

from msgspec.structs import replace

from pbem.batch.arena import SEEDS
from pbem.bots.operation import Operation
from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.bot import attack, battles, buying, fleets, redeploy
from pbem.games.axis_and_allies_pacific.bot.airfields import land_aircraft
from pbem.games.axis_and_allies_pacific.bot.balance import standing
from pbem.games.axis_and_allies_pacific.bot.course import forget
from pbem.games.axis_and_allies_pacific.bot.forces import is_ready, orders_for, without_guards
from pbem.games.axis_and_allies_pacific.bot.judgement import FAR, Temper, is_harbour, is_wanted, steps, temper
from pbem.games.axis_and_allies_pacific.bot.legal import next_legal
from pbem.games.axis_and_allies_pacific.bot.lifts import loadable
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.state import SEA, SIDES, State, Unit, enemy_units
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.questions import DONE
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.continuations import HashedDice
from tests.several import played_at

LEAST = 650  # chance in thousandths from which it attacks
OPENS = {"japan": 2, "united-states": 1}  # the round from which a power declares war; the rest in the third
TRIES = 5  # ways to attack one place that are tried
MERCHANTS = 6


class Greedy:
    """Answers for every power of its side; what is left of a phase's orders is kept from one question to the next."""

    def __init__(self) -> None:
        self.phase, self.left = ("", 0), list[Plain]()

    def choose(self, g: State, ask: Ask, seed: int) -> Plain:
        if ask.kind == "purchase":
            return _bought(g, ask)
        if ask.kind in ("combat-move", "noncombat-move"):
            if self.phase != (f"{g.power} {g.phase}", g.round):
                self.phase, self.left = (f"{g.power} {g.phase}", g.round), _planned(g, ask.seat)
            found = next_legal(ask, self.left)
            self.left = self.left[found[0] + 1 :] if found else []
            if found:
                return found[1]
        return bot.choose(g, ask, seed=seed)


def _planned(g: State, power: str) -> list[Plain]:
    stage, mind = Rehearsal(g, power), replace(temper(0, power, g.board), noise=0)
    if g.phase == "combat-move":
        targets = ("united-kingdom", "anzac", "united-states", "japan") if g.round >= OPENS.get(power, 3) else ()
        for target in targets:
            stage.give({"declare war": [target]})
        _attack(stage, mind)
        attack._reinforce(stage)
        return stage.orders
    land_aircraft(stage, mind)
    _march(stage)
    landed = len(stage.orders)
    _sail(stage)
    return stage.orders if stage.may_end() else stage.orders[:landed]


# -- attacks -------------------------------------------------------------------------------------------------------------


def _attack(stage: Rehearsal, mind: Temper) -> None:
    """The dearest first, until nothing more is found."""
    done, before = set[str](), -1
    while len(done) > before:
        before, used, tried = len(done), set[int](), Counter[str]()
        found = [o for o in _chances(stage.g, stage.power, mind) if o.goal not in done]
        for chance in sorted(found, key=lambda o: (-_worth(stage.g, o), -min(950, o.reasons["won"]), len(o.units), o.goal)):
            if chance.goal in done or chance.units & used or tried[chance.goal] == TRIES:
                continue
            tried[chance.goal] += 1
            if stage.attempt(chance.steps):
                done.add(chance.goal)
                used |= chance.units


def _chances(g: State, power: str, mind: Temper) -> Iterator[Operation]:
    """Every attack that is likely to be won, and at sea costs no more than it brings."""
    busy = frozenset(u.id for u in g.of(power) if not is_ready(u))
    for land in g.board.territories:
        if attack._may_attack(g, power, land):
            yield from (o for o in battles.on_land(g, power, land, mind, busy) if o.reasons["won"] >= LEAST)
    for zone in g.board.zones:
        if any(u.type in SEA for u in enemy_units(g, power, zone)):
            likely = (o for o in battles.at_sea(g, power, zone, mind, busy) if o.reasons["won"] >= LEAST)
            yield from (o for o in likely if o.reasons["theirs"] > o.reasons["mine"])


def _worth(g: State, chance: Operation) -> int:
    """Income, cities and capitals; at sea a quarter of what is gained; in thousandths of an IPC."""
    if chance.goal in g.board.zones:
        return (chance.reasons["theirs"] - chance.reasons["mine"]) // 4
    place = g.board.territories[chance.goal]
    return 1000 * (place.ipc + 4 * bool(place.victory_city) + 20 * (chance.goal in g.board.capitals.values()))


# -- purchases -----------------------------------------------------------------------------------------------------------


def _bought(g: State, ask: Ask) -> Plain:
    power, bought = ask.seat, g.purchased[ask.seat]
    possible = {k for o in ask.options() if isinstance(o, dict) and "buy" in o for k in buying._kinds(o)}
    for kind in _wishes(g, power, bought):
        if kind in possible and (power == "china" or buying._can_make(g, power, kind)):
            return {"buy": {kind: 1}}
    return DONE


def _wishes(g: State, power: str, bought: dict[str, int]) -> Iterator[str]:
    home = g.board.capitals.get(power, "")
    if home and buying._is_short_of_guards(g, power, home, bought):
        yield "infantry"
    ships = sum(u.type == "transport" for u in g.of(power)) + bought.get("transport", 0)
    if power in OPENS and 2 * ships < min(2 * MERCHANTS, buying._idle_troops(g, power) + 2):
        yield "transport"
    if bought.get("infantry", 0) > 2 * bought.get("artillery", 0):
        yield "artillery"
    yield from ("infantry", "fighter")


# -- moves ---------------------------------------------------------------------------------------------------------------


def _march(stage: Rehearsal) -> None:
    """Whoever is no guard goes to where the enemy is nearest."""
    power, land = stage.power, steps(stage.board, "land")
    wanted = [t for t in stage.board.territories if is_wanted(stage.g, power, t)]
    far = {t: min((land[t].get(w, FAR) for w in wanted), default=FAR) for t in stage.board.territories}
    for at in stage.board.territories:
        idle = [u for u in redeploy._free(stage.g, power) if u.at == at]
        for unit in without_guards(stage.g, power, at, idle):
            here = stage.g.units[unit.id]
            best = min([*redeploy._marches(stage.g, here), at], key=lambda t: (far[t], t != at, t))
            if best != at:
                stage.attempt(orders_for([here], best))


def _sail(stage: Rehearsal) -> None:
    """All warships to the richest shore, transports with troops after them, the others to troops that wait."""
    power, sea = stage.power, steps(stage.board, "sea")
    goal = _richest(stage.g, power)
    for ship in sorted(stage.g.of(power), key=lambda u: (u.type != "aircraft-carrier", u.id)):
        if ship.type not in SEA or not fleets._is_free(stage.g, stage.g.units[ship.id]) or not goal:
            continue
        if ship.type == "transport" and not stage.g.cargo(ship):
            for unit in loadable(stage.g, power, ship.at, frozenset()):
                stage.give({"load": {"units": {unit.type: 1}, "from": unit.at, "zone": ship.at}})
        here = stage.g.units[ship.id]
        ways = fleets._sailing(stage.g, power, here)
        mark = "" if ship.type != "transport" else "loaded " if stage.g.cargo(here) else "empty "
        quay = _quay(stage.g, power, here) if mark == "empty " else goal
        best = min([*ways, here.at], key=lambda z: (sea[quay].get(z, FAR), z))
        if best != here.at:
            stage.attempt(orders_for([here], best, mark))


def _richest(g: State, power: str) -> str:
    """The zone beside the most income for the way from an own harbour."""
    sea, homes = steps(g.board, "sea"), [z for z in g.board.zones if is_harbour(g, power, z)]
    shores = [(t, z) for t in g.board.territories if is_wanted(g, power, t) for z in g.board.coast(t)]

    def merit(shore: tuple[str, str]) -> int:
        far = min((sea[h].get(shore[1], FAR) for h in homes), default=FAR)
        return (1000 * g.board.territories[shore[0]].ipc + 500) // (2 + far)

    return max(shores, key=lambda s: (merit(s), s[1]))[1] if shores and homes else ""


def _quay(g: State, power: str, ship: Unit) -> str:
    """The nearest zone where troops wait, else the nearest harbour."""
    sea = steps(g.board, "sea")[ship.at]
    waiting = [z for z in sea if loadable(g, power, z, frozenset())] or [z for z in sea if is_harbour(g, power, z)]
    return min(waiting, key=lambda z: (sea[z], z), default=ship.at)


# -- games ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Match:
    """How a game ended for the bot: its standing in IPC, whether it had won before the agreed rounds were over, and when."""

    side: str
    seed: int
    standing: int
    won: bool
    rounds: int


def played(seed: int, side: str, rounds: int) -> Match:
    """One game; the bot has a side."""
    forget()
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), {"round-limit": rounds}))
    dice, greedy = HashedDice(f"game {seed}"), Greedy()
    while engine.request is not None:
        g, request = engine.state, engine.request
        if isinstance(request, Roll):
            engine.reply(list(dice.throw(g, request)))
            continue
        assert isinstance(request, Ask)
        choose = bot.choose if SIDES[request.seat] == side else greedy.choose
        engine.reply(choose(g, request, seed=seed) if request.forced is None else request.forced)
    g = engine.state
    won = g.winner == side and g.win_rule in ("VIC-02", "VIC-03")
    return Match(side, seed, standing(g, next(p for p in SIDES if SIDES[p] == side)), won, g.round)


FLOORS = {"axis": 400, "allies": 1000}  # of the standing on the mean, in IPC


def missed(games: Sequence[Match]) -> list[str]:
    """The sides on which the bot does not beat it by as much as it should."""
    stands = {side: mean([m.standing for m in games if m.side == side] or [0]) for side in FLOORS}
    return [f"MISSED: {side} stands at {n:+.0f}, floor {FLOORS[side]:+}" for side, n in stands.items() if n < FLOORS[side]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print. The exit code: 1 when floors are asked for and missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=4, help="for each side")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", choices=[*SEEDS], default="train")
    parser.add_argument("--floors", action="store_true")
    wanted = parser.parse_args(arguments)
    games: list[Match] = []
    for side in FLOORS:
        play: Callable[[int], Match] = partial(played, side=side, rounds=wanted.rounds)
        games += played_at(SEEDS[wanted.seeds][: wanted.games], play, wanted.jobs)
    for m in games:
        print(f"{m.side:6} seed {m.seed}: {m.standing:+5} after round {m.rounds}{', won' if m.won else ''}")
    low = missed(games) if wanted.floors else []
    print("\n".join(low))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
