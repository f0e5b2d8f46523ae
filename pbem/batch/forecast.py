"""A position played on to the end by the bots of its game, once: the work of a job of a forecast.

A job's arguments: {"system", "scenario", "hash", "own", "program", "rules", "seed", "most", "turns", "position": {"state",
"journal"}, "dealt": handle -> item, "owners": handle -> seat, "shown": handle -> item, "drawn"}. "own" is a scenario of the
players' own, null for a shipped one; "turns": after so many more it is left off, 0: never; "dealt": what nobody has shown,
drawn anew for this run; "drawn": how many draws were made.
Its result: {"winner": side or "", "rule", "reason", "turn", "decisions", "turns": [{"turn", "measured": [numbers],
"public": name -> number}], "state"}. The first turn is the position itself, each other one the moment at which that turn began,
the last one the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem import __version__, games
from pbem.batch.dealing import Dealer
from pbem.batch.jobs import Job
from pbem.batch.matches import Match
from pbem.batch.players import BOT, player
from pbem.batch.redealing import Hidden, hidden_in
from pbem.batch.scenarios import scenario_of
from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Checkpoint, Engine
from pbem.kernel.flow import Handle
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import Argument, Message, Overview, Term, english, msg
from pbem.protocol.ids import scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.table import Table, at_version
from pbem.store.library import load_scenario, scenario_names

FORECAST = "forecast"
MOST = 50_000  # decisions of a run that has not come to its end by then: it is left open


class Plan(Struct, frozen=True):
    """So many runs, from a seed on, over so many turns (0: to the end)."""

    number: int
    seed: int = 1
    turns: int = 0


def jobs(table: Table, plan: Plan, known: Mapping[Handle, Plain]) -> list[Job]:
    """The runs from a position. Of what is hidden they hold what `known` tells, the rest dealt anew in each of them.

    Raises Rejected for a game without a bot, one that is over, one where something is hidden that cannot be dealt.
    """
    if table.game.bot() is None:
        raise unreadable(msg("{system} has no bot yet", system=table.game.name))
    if table.result is not None:
        raise unreadable(msg("the game is over: nothing is left to forecast"))
    hidden, shared = hidden_in(table, known), _shared(table, plan)
    return [
        Job(FORECAST, {**shared, "seed": seed, "dealt": hidden.deal(_lots(table, seed)), **_seen(hidden)})
        for seed in range(plan.seed, plan.seed + plan.number)
    ]


def _shared(table: Table, plan: Plan) -> dict[str, Plain]:
    """What all runs have in common."""
    scenario, name, position = table.engine.scenario, table.charter.scenario, table.engine.checkpoint()
    return {
        "system": table.game.name,
        "scenario": name,
        "hash": scenario_hash(scenario),
        "own": None if _is_shipped(table.game, name, scenario) else scenario,
        "program": __version__,
        "rules": table.game.rules_version,
        "most": MOST,
        "turns": plan.turns,
        "position": {"state": position.state, "journal": [[asked, answer] for asked, answer in position.journal]},
        "drawn": 1 + max((made.j for made in table.ledger.draws), default=0),
    }


def _seen(hidden: Hidden) -> dict[str, Plain]:
    return {"owners": dict(hidden.owners), "shown": dict(hidden.shown)}


def _lots(table: Table, seed: int) -> Dealer:
    """What deals the hidden things of a run: other numbers than those of its dice."""
    return Dealer.of(FORECAST, "deal", table.game.name, seed)


def _is_shipped(game: Module, name: str, scenario: Plain) -> bool:
    """Every worker has this scenario."""
    return name in scenario_names(game) and scenario_hash(load_scenario(game, name)) == scenario_hash(scenario)


def play(job: Mapping[str, Any]) -> Plain:
    """One run. What goes wrong names the seed. Raises ProtocolError (diverged) for other rules than the job's."""
    game = at_version(games.load(str(job["system"])), int(job["rules"]))
    scenario = scenario_of(game, job)
    if scenario is None:
        reason = msg("the scenario {scenario} of this worker is not that of the job", scenario=str(job["scenario"]))
        raise ProtocolError(Outcome.DIVERGED, reason)
    journal = [(str(asked), answer) for asked, answer in job["position"]["journal"]]
    engine = Engine.resume(game, scenario, Checkpoint(job["position"]["state"], journal))
    dealer = _dealer(job)
    bot: Plain = {"kind": BOT, "policy": {}}
    match = Match(game, engine, dealer, {s: player(game, bot, dealer, int(job["seed"])) for s in game.seats.values()})
    seen = _Course(game, int(job["turns"]))
    try:
        seen.look(engine)
        match.play(int(job["most"]), seen.look)
    except _Enough:
        pass
    except Exception as error:
        error.add_note(f"forecast of {game.name}, {job['scenario']}, seed {job['seed']}")
        raise
    return {**_told(game, engine), "decisions": match.decisions, "turns": [*seen.turns, seen.at(engine.state)]}


def _dealer(job: Mapping[str, Any]) -> Dealer:
    """Who deals from here on: he knows what was dealt for this run, and what everybody has seen."""
    dealer = Dealer.of(FORECAST, job["system"], job["seed"])
    dealer.drawn = int(job["drawn"])
    dealer.behind.update(job["dealt"])
    dealer.behind.update(job["shown"])
    dealer.shown.update(job["shown"])
    dealer.owner.update(job["owners"])
    for handle, seat in job["owners"].items():
        dealer.own.setdefault(seat, {})[str(job["dealt"][handle])] = handle
    return dealer


def _told(game: Module, engine: Engine) -> dict[str, Plain]:
    ended = game.result(engine.state)
    return {
        "winner": (ended.winner or "") if ended else "",
        "rule": ended.rule if ended else "",
        "reason": english(ended.reason) if ended else "",
        "turn": game.words().turn(engine.state),
        "state": engine.state_hash(),
    }


# -- what is measured on the way ----------------------------------------------------------------------------------------------


class _Enough(Exception):
    """As many turns were played as were wanted."""


class _Course:
    """Public numbers at the beginning, and whenever a turn begins. `limit`: so many turns behind the first one at most."""

    def __init__(self, game: Module, limit: int) -> None:
        self.game, self.words, self.limit = game, game.words(), limit
        self.turns: list[Plain] = []
        self.first = self.newest = -1

    def look(self, engine: Engine) -> None:
        """A position in which something is asked. Raises _Enough at the first one behind the last turn that is wanted."""
        turn = self.words.turn(engine.state)
        if turn == self.newest:
            return
        self.first = turn if self.first < 0 else self.first
        if self.limit and turn > self.first + self.limit:
            raise _Enough
        self.newest = turn
        self.turns.append(self.at(engine.state))

    def at(self, state: Any) -> Plain:
        """The public numbers of a position."""
        measured: list[Plain] = [number for _, number in self.game.measured(state)]
        public: dict[str, Plain] = {name: number for name, (_, number) in public_numbers(self.game, state).items()}
        return {"turn": self.words.turn(state), "measured": measured, "public": public}


def public_numbers(game: Module, state: Any) -> dict[str, tuple[Argument, int]]:
    """Every number in a game's tables of the situation, and how often a side stands there: name -> (its words, number)."""
    words, found = game.words(), dict[str, tuple[Argument, int]]()
    sides = [words.SIDES[side] for side in dict.fromkeys(game.seats.values())]
    for table in words.overviews(state):
        for key, heading in table.columns:
            found.update({english(said): (said, n) for said, n in _column(table, key, heading, sides)})
    return found


def _column(table: Overview, key: str, heading: Message, sides: list[Message]) -> list[tuple[Argument, int]]:
    cells, first = [row[key] for row in table.rows], table.columns[0][0]
    if key == first:
        return []
    numbers: list[tuple[Argument, int]] = [
        ((heading, *_parts(row[first])), cell)
        for row, cell in zip(table.rows, cells, strict=True)
        if isinstance(cell, int) and not isinstance(cell, bool)
    ]
    held = [side for side in sides if any(cell == side for cell in cells)]
    return [*numbers, *(((table.title, side), sum(cell == side for cell in cells)) for side in (sides if held else ()))]


def _parts(name: Argument) -> tuple[Message | Term | str, ...]:
    return name if isinstance(name, tuple) else (str(name),) if isinstance(name, int) else (name,)
