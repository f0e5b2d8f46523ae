"""A game joined to its log: which seed is open, who is to act, what each file brings (protocol, "Dice", rules 1 to 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from pbem.games import Module
from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Checkpoint, Diverged, Engine, Result
from pbem.kernel.flow import Ask, Claim, Commit, Draw, Open, PrivateRoll, Request, Reveal, Roll, Simultaneous
from pbem.kernel.orders import Problem, Rejected, judged, unreadable
from pbem.kernel.records import from_plain, to_plain
from pbem.kernel.wording import Text
from pbem.protocol import dice as protocol_dice
from pbem.protocol.charter import Charter
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.schema import hex32
from pbem.runtime import overdue, proofs
from pbem.runtime.hand import Hand, Unsealed
from pbem.runtime.knowledge import Unknown
from pbem.runtime.ledger import (
    Chain,
    ClaimMade,
    DrawMade,
    DrawTree,
    Entry,
    Fired,
    KeyHeld,
    Ledger,
    Rolled,
    RulesInForce,
    Seal,
    StandingOrder,
)


@dataclass(frozen=True, slots=True)
class Due:
    """Who has to send what. `what`: orders, witness, open, claim, seal, draws (new draw keys), accept, start, or nothing."""

    player: str
    what: str
    seat: str = ""
    detail: Text = ""
    rule: str = ""


NOTHING = Due("", "nothing")


class Table:
    """One game at one moment of its log."""

    def __init__(self, charter: Charter, game: Module, engine: Engine, ledger: Ledger) -> None:
        self.charter, self.game, self.engine, self.ledger = charter.in_order(game.seats), game, engine, ledger
        self.module = game  # with all its rules versions; `game` is the one in force
        self.due = NOTHING

    # -- making and copying ----------------------------------------------------------------------------------------

    @classmethod
    def start(cls, charter: Charter, game: Module, scenario: Plain, engine_type: type[Engine] = Engine) -> Table:
        """The table after the charter alone. Raises ProtocolError (diverged) when the rules version is not here."""
        module, game = game, at_version(game, charter.rules_version)
        state = game.start(scenario, charter.options)
        ledger = Ledger(entries=[Entry(charter.game_id, "", "charter")])
        ledger.chains = {p.name: Chain(p.chain, p.chain_length) for p in charter.all_players}
        ledger.keys = {p.name: p.key for p in charter.all_players}
        ledger.held = [KeyHeld(p.name, p.key, 0) for p in charter.all_players]
        ledger.trees = [DrawTree(p.name, p.draws, 0, 0) for p in charter.all_players]
        ledger.rules = [RulesInForce(charter.rules_version, 0)]
        table = cls(charter, game, engine_type(game, scenario, state), ledger)
        table.module = module
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
        module, game = game, at_version(game, ledger.rules_version)
        checkpoint = Checkpoint(saved["state"], [(asked, answer) for asked, answer in saved["journal"]])
        table = cls(charter, game, Engine.resume(game, scenario, checkpoint), ledger)
        table.module, table.due = module, from_plain(Due, plain["due"])
        return table

    def fork(self) -> Table:
        """A copy to try something on."""
        return Table.from_plain(self.charter, self.module, self.engine.scenario, self.to_plain())

    def switch_rules(self, version: int) -> None:
        """Go on under another rules version: the running segment must ask the same, answer by answer.

        Raises ProtocolError (diverged) with the entry where it does not, or when the version is not here.
        """
        game = at_version(self.module, version)
        asked = self.engine.fingerprint
        try:
            engine = type(self.engine).resume(game, self.engine.scenario, self.engine.checkpoint())
        except (Diverged, Rejected) as wrong:
            raise ProtocolError(Outcome.DIVERGED, f"rules version {version} does not fit what was played: {wrong}") from None
        if engine.fingerprint != asked:
            reason = f"rules version {version} asks {engine.fingerprint!r}, version {self.game.rules_version} {asked!r}"
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
            return Result(None, "a draw was agreed", "protocol")
        for side in sorted({s.side for s in self.charter.seats}):
            players = [p for p in self.charter.players_in_order if self.side_of(p) == side]
            if all(p in self.ledger.resigned for p in players):
                winner = next(s.side for s in self.charter.seats if s.side != side)
                return Result(winner, f"{side} resigned", "protocol")
        return self.game.result(self.engine.state)

    # -- going on ----------------------------------------------------------------------------------------------------

    def advance(self, hand: Hand) -> None:
        """Answer what the rules ask, from what is fixed and from the file at hand, until somebody else must come in."""
        while True:
            request = self.engine.request
            if request is None or self.ended is not None:
                self.due = NOTHING
                return
            due = self._serve(request, hand)
            if due is not None:
                self.due = due
                return

    def _serve(self, request: Request, hand: Hand) -> Due | None:
        match request:
            case Roll():
                return self._roll(request, hand)
            case Ask():
                return self._ask(request, hand)
            case Draw() | PrivateRoll():
                return self._draw(request, hand)
            case Open():
                return self._open(request, hand)
            case Claim():
                return self._claim(request, hand)
            case Commit():
                return self._commit(request, hand)
            case Simultaneous():
                return self._simultaneous(request, hand)

    # -- dice --------------------------------------------------------------------------------------------------------

    def seed(self) -> bytes | None:
        """The seed of the next roll, or None while the link that turns it is not shown (rules 1 and 3)."""
        k, entries, at = self.ledger.source, self.ledger.entries, self.ledger.behind(self.ledger.source)
        if k < 1 or not at or self._is_of_one_side(entries[k].player, entries[at].player):
            return None
        return protocol_dice.seed(bytes.fromhex(entries[at].link), entries[0].id, k, entries[k].id)

    def _is_of_one_side(self, signer: str, shows: str) -> bool:
        """A link that a heal shows ("" for its player) was due from the other side."""
        return bool(shows) and self.side_of(signer) == self.side_of(shows)

    def _needs_witness(self, against: str | None) -> Due:
        newest = self.ledger.newest
        if self.ledger.source < 1 and newest < 1:
            first = self.charter.seats[0]
            return Due(first.player, "start", first.name, "no dice come from the charter: file 1 opens the game")
        self.ledger.source, self.ledger.rolls = newest, 0  # nobody has turned a seed since: the newest file holds
        return Due(self.witness(self.ledger.entries[newest].player, against), "witness")

    def witness(self, signer: str, against: str | None) -> str:
        """Whose link turns the dice after a file: the umpire, the player rolled against, or the first opponent."""
        if self.charter.umpire_role == "witness":
            return self.charter.umpire_name
        if against is not None and self.side_of(self.player_of(against)) != self.side_of(signer):
            return self.player_of(against)
        return self.opponents(signer)[0]

    def _roll(self, request: Roll, hand: Hand) -> Due | None:
        assert request.label and request.rule and request.dice > 0 and request.sides > 1  # rule 4
        seed = self.seed()
        if seed is None:
            return self._needs_witness(request.against)
        index = self.ledger.rolls
        label = str(request.label)
        numbers = list(protocol_dice.roll(seed, index, label, request.dice, request.sides))
        rolled = Rolled(self.ledger.source, index, label, request.sides, request.rule, numbers)
        self.ledger.rolled.append(rolled)
        hand.turned.append(rolled)
        self.ledger.rolls += 1
        self.engine.reply([*numbers])
        return None

    def _draw(self, request: Draw | PrivateRoll, hand: Hand) -> Due | None:
        seed = self.seed()
        if seed is None:
            return self._needs_witness(None)
        player = self.player_of(request.seat)
        j = self.ledger.draw_counts.get(player, 0)
        if self.ledger.tree_of(player, j, self.ledger.source) is None:
            announced = self.ledger.draw_keys_left(player) > 0
            return self._needs_witness(None) if announced else Due(player, "draws", request.seat, "new draw keys")
        self.ledger.draw_counts[player] = j + 1
        made = DrawMade(j, player, request.seat, seed.hex(), hand.seq, 1, source=self.ledger.source)
        if isinstance(request, Draw):
            made.pool, made.base, made.less = request.pool, list(request.base), list(request.less)
            made.count = request.count
        else:
            made.label, made.sides, made.count = str(request.label), request.sides, request.dice
        self.ledger.draws.append(made)
        handles: list[Plain] = [*made.handles()]
        self.engine.reply(handles[0] if isinstance(request, PrivateRoll) else handles)
        return None

    # -- decisions ---------------------------------------------------------------------------------------------------

    def _ask(self, ask: Ask, hand: Hand) -> Due | None:
        player = self.answering(ask)
        if ask.forced is not None:
            self.engine.reply(ask.forced)
            return None
        mine = hand.player == player and hand.has_orders
        if mine and self.no_die_is_known and hand.offers_answer_to(ask):
            return self._decide(ask, hand)
        due = self._standing(ask, player, hand)
        if due is not None:
            return due if isinstance(due, Due) else None
        if mine:
            return self._decide(ask, hand)
        return Due(player, "orders", ask.seat, ask.prompt, ask.rule)

    @property
    def no_die_is_known(self) -> bool:
        """Nobody can compute a die of the source's seed yet, the author of the file at hand neither: it is the newest entry.

        From there on what is in force answers first, and who could choose an order of his own instead would choose dice.
        """
        return self.seed() is None

    def _decide(self, ask: Ask, hand: Hand) -> Due | None:
        """Take the next order of the file at hand. A mistake is noted and the next order is tried on the same question."""
        if hand.state is None:
            hand.state = self.engine.state_hash()
        order, at = hand.orders[hand.next], hand.next
        hand.next += 1
        try:
            self.engine.reply(order)
        except Rejected as wrong:
            hand.problems.extend(wrong.at(at).problems)
            return None
        self._decided(hand)
        return None

    def _decided(self, hand: Hand) -> None:
        self.ledger.source, self.ledger.rolls = hand.seq, 0
        self.ledger.entries[hand.seq].decides = True

    def _standing(self, ask: Ask, player: str, hand: Hand) -> Due | bool | None:
        """True: a standing order or the default answered. A Due: sealed clauses must be opened. None: ask the player."""
        held = self._order_in_force(player, ask.kind)
        if held is None:
            return self._default(ask, hand, 0, ())
        if held.seals:
            held.clauses = []
        given = self._given(ask, held)
        while isinstance(given, tuple) and len(held.clauses) < len(held.seals):
            at = len(held.clauses)
            concerns = not held.scopes[at] or held.scopes[at] == ask.scope
            clause = self._opening(held.seals[at], hand) if concerns else None
            if clause is _MISSING:
                return Due(player, "open", ask.seat, held.seals[at], ask.rule)
            held.clauses.append(self._as_clause(held.kind, clause))
            given = self._given(ask, held)
        if not isinstance(given, standing.Answered):
            return None if given is None else self._default(ask, hand, held.seq, given)
        self.engine.reply(given.order)
        self._fire(ask, hand, held, given)
        return True

    def _fire(self, ask: Ask, hand: Hand, held: StandingOrder, given: standing.Answered) -> None:
        self._spend(held, given.clause)
        fired = Fired(hand.seq, ask.seat, ask.kind, given.order, "clause", held.seq, given.clause + 1)
        self.ledger.fired.append(fired)

    def _as_clause(self, kind: str, opened: Plain) -> Plain:
        """A sealed clause as it reads when opened; a bare answer is one without condition (version 1: it never applies)."""
        bare = opened is not None and not (isinstance(opened, dict) and "do" in opened)
        clause: Plain = {"do": opened} if bare and self.charter.version > 1 else opened
        return clause if _readable(kind, clause) else dict(_NEVER)

    def _given(self, ask: Ask, held: StandingOrder) -> standing.Answered | tuple[standing.WhyNot, ...] | None:
        if not held.clauses:
            return ()
        return standing.answer(ask, standing.read_clauses(ask.kind, held.clauses), held.spent)

    def _spend(self, held: StandingOrder, fired: int) -> None:
        clause = held.clauses[fired]
        if isinstance(clause, dict) and clause.get("life") == "once":
            held.spent.append(fired)

    def _default(self, ask: Ask, hand: Hand, file: int, why: tuple[standing.WhyNot, ...]) -> bool | None:
        """`file`: of the standing order that has no answer, 0 for none."""
        if ask.default is None:
            return None
        self.engine.reply(ask.default)
        self.ledger.fired.append(Fired(hand.seq, ask.seat, ask.kind, ask.default, "default", file, 0, [*why]))
        return True

    def _order_in_force(self, player: str, kind: str) -> StandingOrder | None:
        """The standing order of a kind as it stood in the file that fixed the seed (rule 1)."""
        held = [s for s in self.ledger.standing if s.player == player and s.kind == kind and s.seq <= self.ledger.source]
        return held[-1] if held else None

    # -- secrets -----------------------------------------------------------------------------------------------------

    def _opening(self, handle: str, hand: Hand) -> Plain:
        if handle in self.ledger.opened:
            return self.ledger.opened[handle]
        if self._owner(handle) != hand.player:
            return cast(Plain, _MISSING)
        entry = hand.supply.opening(handle)
        if entry is None:
            return cast(Plain, _MISSING)
        item = proofs.check_opening(self, handle, entry)
        hand.openings.append(entry)
        self.ledger.opened[handle] = item
        return item

    def _owner(self, handle: str) -> str:
        if handle in self.ledger.seals:
            return self.ledger.seals[handle].player
        made = self.ledger.draw_of(handle)
        return made.player if made else ""

    def _open(self, request: Open, hand: Hand) -> Due | None:
        item = self._opening(request.handle, hand)
        if item is _MISSING:
            return Due(self.player_of(request.seat), "open", request.seat, request.handle, request.rule)
        if request.shows is not None and item != request.shows:
            why = f"{request.handle} is not {request.shows}: the order names another card than the hand holds"
            raise ProtocolError(Outcome.BAD_OPENING, why)
        self.engine.reply(item)
        return None

    def _claim(self, request: Claim, hand: Hand) -> Due | None:
        player, n = self.player_of(request.seat), len(self.ledger.claims)
        entry = hand.supply.claim(n, request) if hand.player == player else None
        if not isinstance(entry, dict):
            return Due(player, "claim", request.seat, f"{request.kind} {request.about}", request.rule)
        hand.openings.append(entry)
        made = ClaimMade(n, player, request.seat, request.kind, str(request.about), request.rule, entry["value"], hand.seq)
        self.ledger.claims.append(made)
        try:
            self.engine.reply(entry["value"])
        except Rejected as wrong:
            hand.problems.extend(wrong.problems)
            return Due(player, "claim", request.seat, f"{request.kind} {request.about}", request.rule)
        return None

    def _take_seal(self, hand: Hand, kind: str, seat: str, read: Callable[[Plain], Any]) -> str | None:
        """The next order of the file as a sealed one: its handle, or None with the problem noted."""
        if hand.state is None:
            hand.state = self.engine.state_hash()
        order, at = hand.orders[hand.next], hand.next
        hand.next += 1
        if not (isinstance(order, dict) and order.keys() == {"sealed"} and not hex32(order["sealed"])):
            hand.unsealed = Unsealed(at, seat, read)
            hand.problems.append(Problem("cannot be read", f"{kind} must be sealed", "protocol", "sealed: <hash>", at))
            hand.next = len(hand.orders)  # what stands behind it belongs to later questions
            return None
        handle = f"{seat}:seal{hand.seq}:{hand.seals}"
        self.ledger.seals[handle] = Seal(hand.player, hand.seq, hand.seals, str(order["sealed"]), kind)
        hand.seals += 1
        return handle

    def _commit(self, request: Commit, hand: Hand) -> Due | None:
        player = self.player_of(request.seat)
        if hand.player != player or not hand.has_orders:
            return Due(player, "seal", request.seat, request.prompt, request.rule)
        handle = self._take_seal(hand, request.kind, request.seat, request.read)
        if handle is not None:
            self._judge(request, handle, hand)
            self.engine.reply(handle)
            self._decided(hand)
        return None

    def _judge(self, request: Commit, handle: str, hand: Hand) -> None:
        """The author's own program looks at what he is about to seal; everybody else takes it as it is."""
        reveal, at = hand.supply.reveal, hand.next - 1
        if reveal is None:
            return
        try:
            request.check(_contents(handle, reveal), reveal)
        except Rejected as wrong:
            hand.problems.extend(wrong.at(at).problems)

    def _simultaneous(self, request: Simultaneous, hand: Hand) -> Due | None:
        """Of a simultaneous decision all seal but the last, who answers openly; then the seals open.

        A seat whose public standing order answers has said so before: it seals nothing.
        """
        sealed, opened = self.ledger.sealed_answers, self.ledger.open_answers
        for ask in request.asks[:-1]:
            if ask.seat not in sealed and ask.seat not in opened and not self._said_before(ask, hand):
                return self._seal_answer(ask, hand)
        last = request.asks[-1]
        if last.seat not in opened and not self._said_before(last, hand):
            return self._answer_openly(last, hand)
        for ask in request.asks[:-1]:
            if ask.seat not in opened:
                order = self._opening(sealed[ask.seat], hand)
                if order is _MISSING:
                    return Due(self.player_of(ask.seat), "open", ask.seat, sealed[ask.seat], ask.rule)
                opened[ask.seat] = order
        answers: dict[str, Plain] = dict(opened)
        sealed.clear()
        opened.clear()
        self.engine.reply(answers)
        return None

    def _said_before(self, ask: Ask, hand: Hand) -> bool:
        """A public standing order answers a simultaneous question, unless the file at hand brings orders for it."""
        player = self.player_of(ask.seat)
        if hand.player == player and hand.has_orders and self.no_die_is_known:
            order = hand.orders[hand.next]
            if hand.offers_answer_to(ask) or (isinstance(order, dict) and "sealed" in order):
                return False
        held = self._order_in_force(player, ask.kind)
        given = self._given(ask, held) if held is not None and not held.seals else None
        if held is None or not isinstance(given, standing.Answered):
            return False
        self.ledger.open_answers[ask.seat] = given.order
        self._fire(ask, hand, held, given)
        return True

    def _seal_answer(self, ask: Ask, hand: Hand) -> Due | None:
        player = self.player_of(ask.seat)
        if hand.player != player or not hand.has_orders:
            return Due(player, "seal", ask.seat, ask.prompt, ask.rule)
        handle = self._take_seal(hand, ask.kind, ask.seat, ask.read)
        if handle is not None:
            self.ledger.sealed_answers[ask.seat] = handle
            self._decided(hand)
        return None

    def _answer_openly(self, ask: Ask, hand: Hand) -> Due | None:
        player = self.player_of(ask.seat)
        if hand.player != player or not hand.has_orders:
            return Due(player, "orders", ask.seat, ask.prompt, ask.rule)
        if hand.state is None:
            hand.state = self.engine.state_hash()
        order, at = hand.orders[hand.next], hand.next
        hand.next += 1
        try:
            judged(ask.read, order)
        except Rejected as wrong:
            hand.problems.extend(wrong.at(at).problems)
            return None
        self.ledger.open_answers[ask.seat] = order
        self._decided(hand)
        return None


def at_version(game: Module, version: int) -> Module:
    """A module's rules of one version: its own, or an older one that its `earlier` mapping keeps.

    Raises ProtocolError (diverged) naming the versions that this program has.
    """
    if game.rules_version == version:
        return game
    if version in game.earlier:
        return game.earlier[version]
    known = ", ".join(map(str, sorted({game.rules_version, *game.earlier})))
    reason = f"{game.title} is played under rules version {version}; this program has {known}: use one that has it"
    raise ProtocolError(Outcome.DIVERGED, reason)


def _contents(handle: str, reveal: Reveal) -> Plain:
    """What is behind an own seal. Raises Rejected when it was sealed for another seat."""
    try:
        return reveal(handle)
    except Unknown:
        raise unreadable(f"sealed for another seat than {handle.partition(':')[0]}") from None


_MISSING: Any = object()
_NEVER: dict[str, Plain] = {"do": standing.ASK_ME, "when": "never"}  # a clause that no fact makes true


def _readable(kind: str, clause: Plain) -> bool:
    """A sealed clause that can be read; an unreadable or empty one does not apply (protocol, standing orders)."""
    try:
        standing.read_clauses(kind, [clause])
    except Rejected:
        return False
    return clause is not None
