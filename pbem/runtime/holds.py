"""What a player's own program answers for him, by what he alone knows: ordinary orders, of which the others see no more.

Holds have the grammar of standing orders and are never sent. They answer what is asked of their owner by then, so that
whatever lies open (standing orders, plans) goes before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Facts
from pbem.kernel.orders import Rejected, judged, unreadable, verb_of
from pbem.kernel.standing import Clause, WhyNot
from pbem.kernel.wording import Message, msg, verbatim
from pbem.runtime.asked import proposals, question_of
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.quiet import does_nothing
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused

Holds = Mapping[str, Plain]  # kind of question -> clauses
OWN_ANSWERS, OPEN_ANSWERS = "own-answers", "open-answers"


def check(kind: str, plain: Plain) -> None:
    """Raises Rejected for clauses that cannot be read, or that are to answer once alone: nothing counts that."""
    for clause in standing.read_clauses(kind, plain):
        if clause.life != "standing":
            raise unreadable(msg("{kind}: a hold has no `life`", kind=verbatim(kind)))


class OwnFacts(Mapping[str, int]):
    """What only the owner of a question knows of it, each worked out when a condition names it.

    `own-answers`: how many answers nobody else can give or list, by cards or by what he has out of sight; of a question that
    can be answered in secret those that would be sealed behind it. `open-answers`: how many everybody sees that do anything.
    """

    def __init__(self, table: Table, ask: Ask | Commit, knowledge: Knowledge) -> None:
        self._table, self._ask, self._knowledge = table, ask, knowledge
        self._found: dict[str, int | None] = {}

    def __getitem__(self, name: str) -> int:
        if name not in self._found:
            self._found[name] = self._own() if name == OWN_ANSWERS else self._open() if name == OPEN_ANSWERS else None
        found = self._found[name]
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return (name for name in (OWN_ANSWERS, OPEN_ANSWERS) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _own(self) -> int | None:
        game, ask, state = self._table.game, self._ask, self._table.engine.state
        if isinstance(ask, Commit):
            return _sealed_answers(self._table, ask, self._knowledge)
        if game.hidden_hands:
            return len(game.hand_options(state, ask, self._knowledge.hand(ask.seat)))
        behind = [seal for order in _words(ask) if (seal := _seal_behind(self._table, ask, order)) is not None]
        return sum(_sealed_answers(table, seal, self._knowledge) for table, seal in behind) if behind else None

    def _open(self) -> int | None:
        ask = self._ask
        if isinstance(ask, Commit):
            return None
        hiding = [order for order in _words(ask) if _seal_behind(self._table, ask, order) is not None]
        return sum(not does_nothing(order) and order not in hiding for order in ask.options())


def _words(ask: Ask) -> list[str]:
    """Answers of one word, behind which something may be sealed."""
    return [order for order in ask.options() if isinstance(order, str) and not does_nothing(order)]


def _seal_behind(table: Table, ask: Ask, order: Plain) -> tuple[Table, Commit] | None:
    """The question for a seal that an answer leads to, with the table at which it is asked; None where it leads to none."""
    after = table.fork()
    if after.engine.request is None or not isinstance(table.engine.request, Ask):
        return None
    after.engine.reply(order)
    seal = after.engine.request
    return (after, seal) if isinstance(seal, Commit) and seal.seat == ask.seat else None


def _sealed_answers(table: Table, seal: Commit, knowledge: Knowledge) -> int:
    """How many orders its owner could seal that do anything, as far as they can be listed."""
    listed = proposals(table, seal, replace(knowledge, ledger=table.ledger))
    return sum(not does_nothing(order) and order != seal.default for order in listed)


class Course(Struct):
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
    while (order := answer(found.table, player, held, replace(knowledge, ledger=found.table.ledger))) is not None:
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
    reasons = [why for _, why in _tried(ask, clauses, known, knowledge)]
    return [] if None in reasons else [*filter(None, reasons)]


def answer(table: Table, player: str, held: Holds, knowledge: Knowledge) -> Plain | None:
    """The order that the first clause gives which applies to what is asked of a player."""
    ask = question_of(table, player)
    return None if ask is None else answer_to(table, ask, held, knowledge)


def answer_to(table: Table, ask: Ask | Commit, held: Holds, knowledge: Knowledge) -> Plain | None:
    """The same for a question that is known."""
    if ask.kind not in held:
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
        replace(clause, do=_meant(ask, table.game.spelled_out(state, ask.seat, clause.do, hand)))
        for clause in standing.read_clauses(ask.kind, held[ask.kind])
    ]
    return clauses, standing.beside(OwnFacts(table, ask, knowledge), table.game.facts(state, ask.seat))


def _meant(ask: Ask | Commit, do: Plain) -> Plain:
    """An answer that has its verb, as in a file, `{counter: none}`, as the clause has it, where it says nothing else."""
    if not isinstance(ask, Ask) or not isinstance(do, dict) or len(do) != 1 or verb_of(do) not in ask.verbs:
        return do
    try:
        judged(ask.read, judged(ask.policy, do))
    except Rejected:
        return next(iter(do.values()))
    return do


def _sealed(ask: Commit, clauses: list[Clause], facts: Facts, knowledge: Knowledge) -> Plain | None:
    """The same of a question whose answer is a seal."""
    for clause, why in _tried(ask, clauses, facts, knowledge):
        if why is None:
            return {"seal": clause.do, "seat": ask.seat}
    return None


def _tried(ask: Commit, clauses: list[Clause], facts: Facts, knowledge: Knowledge) -> Iterator[tuple[Clause, WhyNot | None]]:
    """The clauses for a seal, each with why it does not answer, up to the one that does or that asks."""
    for number, clause in enumerate(clauses, 1):
        why = _why_not_sealed(ask, number, clause, facts, knowledge)
        yield clause, why
        if why is None or why.reason == "asks":
            return


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
