"""A game joined to its log: which seed is open, who is to act, what each file brings (protocol, "Dice", rules 1 to 5)."""

from __future__ import annotations

from typing import Any

from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Checkpoint, Diverged, Engine, Result
from pbem.kernel.flow import Ask, Claim, Commit, Draw, Open, PrivateRoll, Request, Roll, Simultaneous
from pbem.kernel.orders import Rejected
from pbem.kernel.records import from_plain, to_plain
from pbem.kernel.wording import msg
from pbem.protocol import dice as protocol_dice
from pbem.protocol.charter import Charter
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import asking, chance, overdue, planned, showing, together
from pbem.runtime.dues import NOTHING as NOTHING
from pbem.runtime.dues import Due as Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import (
    Chain,
    DrawTree,
    Entry,
    KeyHeld,
    Ledger,
    RulesInForce,
)


class Table:
    """One game at one moment of its log."""

    def __init__(self, charter: Charter, module: Module, engine: Engine, ledger: Ledger, due: Due = NOTHING) -> None:
        self.charter, self.engine, self.ledger, self.due = charter.in_order(module.seats), engine, ledger, due
        self.module = module  # with all its rules versions
        self.game = at_version(module, ledger.rules_version)  # the one in force

    # -- making and copying ----------------------------------------------------------------------------------------

    @classmethod
    def start(cls, charter: Charter, game: Module, scenario: Plain, engine_type: type[Engine] = Engine) -> Table:
        """The table after the charter alone. Raises ProtocolError (diverged) when the rules version is not here."""
        in_force = at_version(game, charter.rules_version)
        state = in_force.start(scenario, charter.options)
        ledger = Ledger(entries=[Entry(charter.game_id, "", "charter")])
        ledger.chains = {p.name: Chain(p.chain, p.chain_length) for p in charter.all_players}
        ledger.keys = {p.name: p.key for p in charter.all_players}
        ledger.held = [KeyHeld(p.name, p.key, 0) for p in charter.all_players]
        ledger.trees = [DrawTree(p.name, p.draws, 0, 0) for p in charter.all_players]
        ledger.rules = [RulesInForce(charter.rules_version, 0)]
        table = cls(charter, game, engine_type(in_force, scenario, state), ledger)
        table.advance(Hand("", 0))
        return table

    def to_plain(self) -> Plain:
        """A checkpoint: a cache that can always be made again from the log."""
        return {
            "ledger": to_plain(self.ledger),
            "engine": to_plain(self.engine.checkpoint()),
            "due": to_plain(self.due),
        }

    @classmethod
    def from_plain(cls, charter: Charter, game: Module, scenario: Plain, plain: Any) -> Table:
        """The table a checkpoint was made of."""
        saved = plain["engine"]
        ledger = from_plain(Ledger, plain["ledger"])
        checkpoint = Checkpoint(saved["state"], [(asked, answer) for asked, answer in saved["journal"]])
        engine = Engine.resume(at_version(game, ledger.rules_version), scenario, checkpoint)
        return cls(charter, game, engine, ledger, from_plain(Due, plain["due"]))

    def fork(self) -> Table:
        """A copy to try something on."""
        return Table(self.charter, self.module, self.engine.fork(), self.ledger.fork(), self.due)

    def switch_rules(self, version: int) -> None:
        """Go on under another rules version: the running segment must ask the same, answer by answer.

        Raises ProtocolError (diverged) with the entry where it does not, or when the version is not here.
        """
        game = at_version(self.module, version)
        asked = self.engine.fingerprint
        try:
            engine = type(self.engine).resume(game, self.engine.scenario, self.engine.checkpoint())
        except (Diverged, Rejected) as wrong:
            raise ProtocolError(
                Outcome.DIVERGED,
                msg("rules version {version} does not fit what was played: {wrong}", version=version, wrong=wrong.told),
            ) from None
        if engine.fingerprint != asked:
            reason = msg(
                "rules version {version} asks {fingerprint!r}, version {rules_version} {asked!r}",
                version=version,
                fingerprint=engine.fingerprint,
                rules_version=self.game.rules_version,
                asked=asked,
            )
            raise ProtocolError(Outcome.DIVERGED, reason)
        self.game, self.engine = game, engine

    def advance_nothing(self) -> None:
        """Look again at who is due after something outside the log, such as a resignation."""
        if self.ended is not None:
            self.due = NOTHING

    # -- who is who --------------------------------------------------------------------------------------------------

    def player_of(self, seat: str) -> str:
        """The player who holds a seat."""
        return self.charter.player_of(seat)

    def answering(self, ask: Ask) -> str:
        """Who answers a question: its seat's player, or the one whom his side has named for its reactions."""
        player = self.player_of(ask.seat)
        return self.charter.answers.get(self.side_of(player), player) if ask.reaction else player

    def side_of(self, player: str) -> str:
        """The side of a player; an umpire is on neither."""
        return self.charter.side_of(player)

    def opponents(self, player: str) -> list[str]:
        """The players of the other side, in seat order."""
        return [p for p in self.charter.players_in_order if self.side_of(p) != self.side_of(player)]

    @property
    def last(self) -> int:
        """The seq of the newest file."""
        return len(self.ledger.entries) - 1

    @property
    def result(self) -> Result | None:
        """How the game ended: by the log, or by a ruling on a file that never came."""
        return self.ended or overdue.lost(self)

    @property
    def ended(self) -> Result | None:
        """How the log ended the game: by the rules, by resignation of a whole side, or by an agreed draw."""
        if self.ledger.agreed == "draw":
            return Result(None, msg("a draw was agreed"), "protocol")
        for side in sorted({s.side for s in self.charter.seats}):
            players = [p for p in self.charter.players_in_order if self.side_of(p) == side]
            if all(p in self.ledger.resigned for p in players):
                winner = next(s.side for s in self.charter.seats if s.side != side)
                return Result(winner, msg("{side} resigned", side=side), "protocol")
        return self.game.result(self.engine.state)

    # -- going on ----------------------------------------------------------------------------------------------------

    def advance(self, hand: Hand) -> None:
        """Answer what the rules ask, from what is fixed and from the file at hand, until somebody else must come in."""
        while True:
            request = self.engine.request
            if request is None or self.ended is not None:
                self.due = NOTHING
                return
            planned.lapse(self)
            due = self._serve(request, hand)
            if due is not None:
                self.due = due
                return

    def _serve(self, request: Request, hand: Hand) -> Due | None:
        match request:
            case Roll():
                return chance.roll(self, request, hand)
            case Ask():
                return asking.ask(self, request, hand)
            case Draw() | PrivateRoll():
                return chance.draw(self, request, hand)
            case Open():
                return showing.show(self, request, hand)
            case Claim():
                return showing.state(self, request, hand)
            case Commit():
                return showing.commit(self, request, hand)
            case Simultaneous():
                return together.decide_together(self, request, hand)

    # -- seeds ---------------------------------------------------------------------------------------------------------

    def seed(self) -> bytes | None:
        """The seed of the next roll, or None while the link that turns it is not shown (rules 1 and 3)."""
        k, entries, at = self.ledger.source, self.ledger.entries, self.ledger.behind(self.ledger.source)
        if k < 1 or not at or self._is_of_one_side(entries[k].player, entries[at].player):
            return None
        return protocol_dice.seed(bytes.fromhex(entries[at].link), entries[0].id, k, entries[k].id)

    def _is_of_one_side(self, signer: str, shows: str) -> bool:
        """A link that a heal shows ("" for its player) was due from the other side."""
        return bool(shows) and self.side_of(signer) == self.side_of(shows)

    def witness(self, signer: str, against: str | None) -> str:
        """Whose link turns the dice after a file: the umpire, the player rolled against, or the first opponent."""
        if self.charter.umpire_role == "witness":
            return self.charter.umpire_name
        if against is not None and self.side_of(self.player_of(against)) != self.side_of(signer):
            return self.player_of(against)
        return self.opponents(signer)[0]

    @property
    def no_die_is_known(self) -> bool:
        """Nobody can compute a die of the source's seed yet, the author of the file at hand neither: it is the newest entry.

        From there on what is in force answers first, and who could choose an order of his own instead would choose dice.
        """
        return self.seed() is None


def at_version(game: Module, version: int) -> Module:
    """A module's rules of one version: its own, or an older one that its `earlier` mapping keeps.

    Raises ProtocolError (diverged) naming the versions that this program has.
    """
    if game.rules_version == version:
        return game
    if version in game.earlier:
        return game.earlier[version]
    known = ", ".join(map(str, sorted({game.rules_version, *game.earlier})))
    reason = msg(
        "{title} is played under rules version {version}; this program has {known}: use one that has it",
        title=game.title,
        version=version,
        known=known,
    )
    raise ProtocolError(Outcome.DIVERGED, reason)
