"""Players without a person: the bot of a game, one who draws from the proposals, and either with standing orders.

A player is named by a word: `bot`, `easy` for a bot of that level, `random`; behind it the standing orders that answer before
he is asked, as plain data.
What he knows is what his seat may know: the public state, and the names of his own hidden items.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from pbem.batch.dealing import Dealer
from pbem.games import Module
from pbem.games.parts import EASY, NORMAL, Bot, Own
from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import msg, verbatim

BOT, RANDOM = "bot", "random"
KINDS = (BOT, RANDOM, EASY)
ANEW = ("again", "start over")  # who draws by lot never begins a phase anew: he would never come to an end


class Player(Struct):
    """One of the two parties. `policy`: kind of question -> clauses, which answer first; `spent`: those used up;
    `seed`: what a bot draws its play from.
    """

    game: Module
    kind: str
    policy: Mapping[str, Plain]
    dealer: Dealer
    seed: int
    bot: Bot | None = None
    spent: dict[str, list[int]] = field(default_factory=dict)

    def order(self, engine: Engine, ask: Ask, own: Own) -> Plain:
        """His order, as he would write it."""
        given = self._by_policy(engine, ask)
        if given is not None:
            return given
        if self.bot is None:
            return self._by_lot(engine, ask, own)
        return self.bot.choose(engine.state, ask, own, self.seed, EASY if self.kind == EASY else NORMAL)

    def sealed(self, engine: Engine, ask: Commit) -> Plain:
        """What he hides: the bot the first contents that he may seal, the other any of them."""
        lawful = self.game.proposals(engine.state, ask, {}, self.dealer.known_to(ask.seat))
        if not lawful:
            return ask.default
        return lawful[0] if self.bot is not None else lawful[self.dealer.lot(len(lawful))]

    def _by_policy(self, engine: Engine, ask: Ask) -> Plain:
        if ask.kind not in self.policy:
            return None
        spent = self.spent.setdefault(ask.kind, [])
        clauses = standing.read_clauses(ask.kind, self.policy[ask.kind])
        given = standing.answer(ask, clauses, spent, self.game.facts(engine.state, ask.seat))
        if not isinstance(given, standing.Answered):
            return None
        if clauses[given.clause].life == "once":
            spent.append(given.clause)
        return given.order

    def _by_lot(self, engine: Engine, ask: Ask, own: Own) -> Plain:
        """Each proposal is as likely as any other."""
        proposals = self.game.proposals(engine.state, ask, own)
        left = [order for order in proposals if order not in ANEW] or proposals
        return left[self.dealer.lot(len(left))] if left else ask.default


def player(game: Module, plain: Plain, dealer: Dealer, seed: int) -> Player:
    """A player as a job names him, `{"kind", "policy"}`, with the job's seed. Raises Rejected for one that there is not."""
    assert isinstance(plain, dict) and isinstance(plain["policy"], dict)
    kind = str(plain["kind"])
    if kind not in KINDS:
        raise unreadable(msg("there is no player {kind!r}", kind=kind), verbatim(*KINDS))
    found = game.bot() if kind != RANDOM else None
    if kind != RANDOM and found is None:
        raise unreadable(msg("{system} has no bot yet", system=game.name))
    for question, clauses in plain["policy"].items():
        standing.read_clauses(question, clauses)
    return Player(game, kind, plain["policy"], dealer, seed, found)
