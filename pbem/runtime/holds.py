"""What a player's own program answers for him, by what he alone knows: ordinary orders, of which the others see no more.

Holds have the grammar of standing orders and are never sent. They answer what is asked of their owner by then, so that
whatever lies open (standing orders, plans) goes before them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Facts
from pbem.kernel.orders import Rejected, judged, unreadable
from pbem.kernel.standing import Clause, WhyNot
from pbem.kernel.wording import Message, msg, verbatim
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


@dataclass(slots=True)
class Course:
    """What holds make of the next file: the orders that they give, and the table behind these."""

    given: list[Plain]
    table: Table
    refused: Message | str = ""  # why the last order of them does not stand

    def asked(self, player: str) -> Ask | Commit | None:
        """What they leave to their owner; None where they answer all that the file decides."""
        return question_of(self.table, player)


def course(table: Table, player: str, held: Holds, knowledge: Knowledge, try_out: Callable[[list[Plain]], Table]) -> Course:
    """The next file as far as these holds answer. `try_out`: the table behind such a file. Raises what it does but Refused."""
    found = Course([], table)
    while (order := _answer(found.table, player, held, replace(knowledge, ledger=found.table.ledger))) is not None:
        try:
            found.table = try_out([*found.given, order])
        except Refused as wrong:
            found.refused = wrong.told
            break
        found.given.append(order)
    return found


def orders(
    table: Table, player: str, held: Holds, knowledge: Knowledge, try_out: Callable[[list[Plain]], Table]
) -> list[Plain]:
    """The orders of the next file, as these holds give them; none where they leave anything in it to its owner."""
    found = course(table, player, held, knowledge, try_out)
    return found.given if not found.refused and found.asked(player) is None else []


def why_asked(table: Table, ask: Ask | Commit, held: Holds, knowledge: Knowledge) -> list[WhyNot]:
    """Why the clauses for a question leave it to its owner; nothing where one of them answers, or there is none."""
    if ask.kind not in held:
        return []
    clauses, known = _clauses(table, ask, held, knowledge)
    if isinstance(ask, Ask):
        return standing.why_asked(ask, clauses, (), known)
    reasons = []
    for number, clause in enumerate(clauses, 1):
        why = _why_not_sealed(ask, number, clause, known, knowledge)
        if why is None:
            return []
        reasons.append(why)
        if why.reason == "asks":
            break
    return reasons


def _answer(table: Table, player: str, held: Holds, knowledge: Knowledge) -> Plain | None:
    """The order that the first clause gives which applies to what is asked of a player."""
    ask = question_of(table, player)
    if ask is None or ask.kind not in held:
        return None
    clauses, known = _clauses(table, ask, held, knowledge)
    if isinstance(ask, Commit):
        return _sealed(ask, clauses, known, knowledge)
    answered = standing.answer(ask, clauses, (), known)
    return answered.order if isinstance(answered, standing.Answered) else None


def _clauses(table: Table, ask: Ask | Commit, held: Holds, knowledge: Knowledge) -> tuple[list[Clause], Facts]:
    """The clauses for a question with cards by their handles, and the facts that they may name."""
    hand, state = knowledge.hand(ask.seat) if table.game.hidden_hands else {}, table.engine.state
    clauses = [
        replace(clause, do=table.game.spelled_out(state, ask.seat, clause.do, hand))
        for clause in standing.read_clauses(ask.kind, held[ask.kind])
    ]
    return clauses, standing.beside(own_facts(table, ask, knowledge), table.game.facts(state, ask.seat))


def _sealed(ask: Commit, clauses: list[Clause], facts: Facts, knowledge: Knowledge) -> Plain | None:
    """The same of a question whose answer is a seal."""
    for number, clause in enumerate(clauses, 1):
        why = _why_not_sealed(ask, number, clause, facts, knowledge)
        if why is None:
            return {"seal": clause.do, "seat": ask.seat}
        if why.reason == "asks":
            return None
    return None


def _why_not_sealed(ask: Commit, number: int, clause: Clause, facts: Facts, knowledge: Knowledge) -> WhyNot | None:
    if clause.when and not standing.holds(clause.when, facts):
        return WhyNot(number, "condition", clause.when)
    if clause.do == standing.ASK_ME:
        return WhyNot(number, "asks", clause.when)
    try:
        judged(lambda order: ask.check(order, knowledge.reveal), clause.do)
    except Rejected as problem:
        return WhyNot(number, "illegal", problem.told)
    return None
