"""What a player's own program answers for him, by what he alone knows: ordinary orders, of which the others see no more.

Holds have the grammar of standing orders and are never sent. They answer what is asked of their owner by then, so that
whatever lies open (standing orders, plans) goes before them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Facts
from pbem.kernel.orders import Rejected, judged, unreadable
from pbem.kernel.wording import msg, verbatim
from pbem.runtime.asked import question_of
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused

Holds = Mapping[str, Plain]  # kind of question -> clauses
OWN_ANSWERS = "own-answers"


def check(kind: str, plain: Plain) -> None:
    """Raises Rejected for clauses that cannot be read, or that are to answer once alone: nothing counts that."""
    for clause in standing.read_clauses(kind, plain):
        if clause.life != "standing":
            raise unreadable(msg("{kind}: a hold has no `life`", kind=verbatim(kind)))


def own_facts(table: Table, ask: Ask | Commit, knowledge: Knowledge) -> Facts:
    """What only the owner of a question knows of it: how many answers of his nobody else can give, by hidden cards."""
    if not isinstance(ask, Ask) or not table.game.hidden_hands:
        return {}
    hand = knowledge.hand(ask.seat)
    return {OWN_ANSWERS: len(table.game.hand_options(table.engine.state, ask, hand))}


def orders(
    table: Table, player: str, held: Holds, knowledge: Knowledge, try_out: Callable[[list[Plain]], Table]
) -> list[Plain]:
    """The orders of the next file, as these holds give them; none where they leave anything in it to its owner.

    `try_out`: the table behind such a file. Raises what that raises but Refused.
    """
    given: list[Plain] = []
    after = table
    while (order := _answer(after, player, held, replace(knowledge, ledger=after.ledger))) is not None:
        try:
            after = try_out([*given, order])
        except Refused:
            return []
        given.append(order)
    return given if question_of(after, player) is None else []


def _answer(table: Table, player: str, held: Holds, knowledge: Knowledge) -> Plain | None:
    """The order that the first clause gives which applies to what is asked of a player."""
    ask = question_of(table, player)
    if ask is None or ask.kind not in held:
        return None
    hand, state = knowledge.hand(ask.seat) if table.game.hidden_hands else {}, table.engine.state
    clauses = [
        replace(clause, do=table.game.spelled_out(state, ask.seat, clause.do, hand))
        for clause in standing.read_clauses(ask.kind, held[ask.kind])
    ]
    known = standing.beside(own_facts(table, ask, knowledge), table.game.facts(state, ask.seat))
    if isinstance(ask, Commit):
        return _sealed(ask, clauses, known, knowledge)
    answered = standing.answer(ask, clauses, (), known)
    return answered.order if isinstance(answered, standing.Answered) else None


def _sealed(ask: Commit, clauses: list[standing.Clause], facts: Facts, knowledge: Knowledge) -> Plain | None:
    """The same of a question whose answer is a seal."""
    for clause in clauses:
        if clause.when and not standing.holds(clause.when, facts):
            continue
        if clause.do == standing.ASK_ME:
            return None
        try:
            judged(lambda order: ask.check(order, knowledge.reveal), clause.do)
        except Rejected:
            continue
        return {"seal": clause.do, "seat": ask.seat}
    return None
