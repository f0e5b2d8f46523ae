"""Standing orders and defaults that answer for their owners (protocol, standing orders)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import verbatim
from pbem.runtime import showing
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Fired, StandingOrder

if TYPE_CHECKING:
    from pbem.runtime.table import Table


_NEVER: dict[str, Plain] = {"do": standing.ASK_ME, "when": "never"}  # a clause that no fact makes true


def apply(table: Table, ask: Ask, player: str, hand: Hand) -> Due | bool | None:
    """True: a standing order or the default answered. A Due: sealed clauses must be opened. None: ask the player."""
    held = in_force(table, player, ask.kind)
    if held is None:
        return _default(table, ask, hand, 0, ())
    if held.seals:
        held.clauses = []
    given = answer_of(table, ask, held)
    while isinstance(given, tuple) and len(held.clauses) < len(held.seals):
        at = len(held.clauses)
        concerns = not held.scopes[at] or held.scopes[at] == ask.scope
        clause = showing.opening(table, held.seals[at], hand) if concerns else None
        if clause is showing.MISSING:
            return Due(player, "open", ask.seat, verbatim(held.seals[at]), ask.rule)
        held.clauses.append(_as_clause(table, held.kind, clause))
        given = answer_of(table, ask, held)
    if not isinstance(given, standing.Answered):
        return None if given is None else _default(table, ask, hand, held.seq, given)
    table.engine.reply(given.order)
    fire(table, ask, hand, held, given)
    return True


def fire(table: Table, ask: Ask, hand: Hand, held: StandingOrder, given: standing.Answered) -> None:
    """A clause has answered."""
    _spend(held, given.clause)
    fired = Fired(hand.seq, ask.seat, ask.kind, given.order, "clause", held.seq, given.clause + 1)
    table.ledger.fired.append(fired)


def _as_clause(table: Table, kind: str, opened: Plain) -> Plain:
    """A sealed clause as it reads when opened; a bare answer is one without condition (version 1: it never applies)."""
    bare = opened is not None and not (isinstance(opened, dict) and "do" in opened)
    clause: Plain = {"do": opened} if bare and table.charter.version > 1 else opened
    return clause if _readable(kind, clause) else dict(_NEVER)


def answer_of(table: Table, ask: Ask, held: StandingOrder) -> standing.Answered | tuple[standing.WhyNot, ...] | None:
    """What the clauses that are known so far say."""
    if not held.clauses:
        return ()
    facts = table.game.facts(table.engine.state, ask.seat) if table.charter.version > 1 else None
    return standing.answer(ask, standing.read_clauses(ask.kind, held.clauses), held.spent, facts)


def why_asked(table: Table, ask: Ask, held: StandingOrder) -> list[standing.WhyNot]:
    """Why its clauses, as far as they lie open, leave the question to its owner."""
    facts = table.game.facts(table.engine.state, ask.seat) if table.charter.version > 1 else None
    return standing.why_asked(ask, standing.read_clauses(ask.kind, held.clauses), held.spent, facts) if held.clauses else []


def _spend(held: StandingOrder, fired: int) -> None:
    clause = held.clauses[fired]
    if isinstance(clause, dict) and clause.get("life") == "once":
        held.spent.append(fired)


def _default(table: Table, ask: Ask, hand: Hand, file: int, why: tuple[standing.WhyNot, ...]) -> bool | None:
    """`file`: of the standing order that has no answer, 0 for none."""
    held = ask.default
    if held is None:
        held = ask.idle if table.game.passes_idle else None
    elif hand.stops and not hand.has_orders and hand.player == table.answering(ask):
        return None
    if held is None:
        return None
    _pass(table, ask, hand, held, file, why)
    return True


def let_pass(table: Table, ask: Ask, hand: Hand) -> None:
    """The default answers a question at which a hand has stopped to look at it."""
    assert hand.stops and ask.default is not None
    _pass(table, ask, hand, ask.default, 0, ())


def _pass(table: Table, ask: Ask, hand: Hand, order: Plain, file: int, why: tuple[standing.WhyNot, ...]) -> None:
    table.engine.reply(order)
    table.ledger.fired.append(Fired(hand.seq, ask.seat, ask.kind, order, "default", file, 0, [*why]))


def in_force(table: Table, player: str, kind: str) -> StandingOrder | None:
    """The standing order of a kind as it stood in the file that fixed the seed (rule 1)."""
    held = [s for s in table.ledger.standing if s.player == player and s.kind == kind and s.seq <= table.ledger.source]
    return held[-1] if held else None


def _readable(kind: str, clause: Plain) -> bool:
    """A sealed clause that can be read; an unreadable or empty one does not apply (protocol, standing orders)."""
    try:
        standing.read_clauses(kind, [clause])
    except Rejected:
        return False
    return clause is not None
