"""One game between players without a person, on the bare engine: the work of a job of the arena.

A job's arguments: {"system", "scenario", "hash", "own", "options", "program", "rules", "seed", "most", "players"}. "own" is a
scenario of one's own, null for a shipped one; "seed": of the dice, and of the bots; "players": side -> player, as
`players.player` reads him.
Its result: {"winner": side or "", "rule", "reason", "decisions", "rolls", "state"}; "rule" is empty where `most` decisions did
not end it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem import games
from pbem.batch.dealing import Dealer
from pbem.batch.players import Player, player
from pbem.batch.scenarios import scenario_of
from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Commit, Draw, Open, PrivateRoll, Roll, Simultaneous
from pbem.kernel.wording import english, msg
from pbem.protocol.outcomes import Outcome, ProtocolError

MATCH = "match"


def play(job: Mapping[str, Any]) -> Plain:
    """One game to its end. What goes wrong names the game. Raises ProtocolError (diverged) for other rules than the job's."""
    game = games.load(str(job["system"]))
    scenario = scenario_of(game, job)
    if game.rules_version != job["rules"] or scenario is None:
        reason = msg(
            "the rules or the scenario {scenario} of this worker are not those of the job", scenario=str(job["scenario"])
        )
        raise ProtocolError(Outcome.DIVERGED, reason)
    dealer = Dealer.of(game.name, job["scenario"], job["seed"])
    parties = {side: player(game, one, dealer, job["seed"]) for side, one in job["players"].items()}
    match = Match(game, Engine(game, scenario, game.start(scenario, job["options"])), dealer, parties)
    try:
        match.play(int(job["most"]))
    except Exception as error:
        error.add_note(f"{game.name}, {job['scenario']}, seed {job['seed']}, players {job['players']}")
        raise
    return match.told()


def _unwatched(engine: Engine) -> None:
    """Nobody looks on."""


class Match:
    """A game at work. `players`: by side; `decisions`: that were made so far."""

    def __init__(self, game: Module, engine: Engine, dealer: Dealer, players: Mapping[str, Player]) -> None:
        self.game, self.engine, self.dealer, self.players, self.decisions = game, engine, dealer, players, 0

    def play(self, most: int, watch: Callable[[Engine], None] = _unwatched) -> None:
        """Until the rules end it, or so many decisions were made. `watch` sees every position in which something is asked."""
        while self.engine.request is not None and self.decisions < most:
            watch(self.engine)
            match self.engine.request:
                case Ask() as ask:
                    self.engine.reply(self._order(ask))
                case Simultaneous(asks):
                    self.engine.reply({ask.seat: self._order(ask) for ask in asks})
                case Commit() as ask:
                    self.decisions += 1
                    self.engine.reply(self.dealer.hide(ask.seat, self._by(ask.seat).sealed(self.engine, ask)))
                case (Roll() | PrivateRoll() | Draw() | Open() | Claim()) as asked:
                    self.engine.reply(self.dealer.answer(self.engine, asked))

    def told(self) -> Plain:
        """The result."""
        ended = self.game.result(self.engine.state)
        return {
            "winner": (ended.winner or "") if ended else "",
            "rule": ended.rule if ended else "",
            "reason": english(ended.reason) if ended else "",
            "decisions": self.decisions,
            "rolls": self.dealer.rolls,
            "state": self.engine.state_hash(),
        }

    def _by(self, seat: str) -> Player:
        return self.players[self.game.seats[seat]]

    def _order(self, ask: Ask) -> Plain:
        if ask.forced is not None:
            return ask.forced
        self.decisions += 1
        own = self.dealer.own.get(ask.seat, {}) if self.game.hidden_hands else {}
        order = self._by(ask.seat).order(self.engine, ask, own)
        return self.game.spelled_out(self.engine.state, ask.seat, order, own)
