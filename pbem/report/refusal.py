"""The report of a refused file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.parts import Words
from pbem.kernel.canon import Plain
from pbem.kernel.orders import VERDICTS, Problem
from pbem.kernel.wording import NO_WORDS, Message, msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.due import due_message
from pbem.report.quoting import order_told
from pbem.report.view import Mistake, RefusalView
from pbem.runtime.table import Table

OUTCOMES = {
    Outcome.REFUSED: msg("The rules refuse it as a whole; nothing has changed."),
    Outcome.UNREADABLE: msg("It cannot be read; nothing has changed."),
    Outcome.WAITING: msg("It came too early; nothing has changed."),
    Outcome.ALREADY_KNOWN: msg("It is in the log already; nothing has changed."),
    Outcome.EQUIVOCATION: msg("Another signed file stands in its place: keep both as proof."),
}
OTHERWISE = msg("It is not accepted; nothing has changed.")


def refusal(
    words: Words,
    table: Table,
    name: str,
    orders: Sequence[Plain],
    problems: Sequence[Problem],
    lines: Mapping[int, int] | None = None,
) -> RefusalView:
    """Orders that the rules refuse. `lines`: line of the file by index of the order."""
    known = lines or {}

    def named(word: str) -> Message | None:
        return words.named(table.engine.state, word)

    mistakes = [
        Mistake(
            VERDICTS[p.verdict],
            p.reason,
            p.rule,
            p.legal,
            0 if p.order is None else p.order + 1,
            order_told(orders[p.order], named) if p.order is not None and p.order < len(orders) else NO_WORDS,
            known.get(p.order, 0) if p.order is not None else 0,
        )
        for p in problems
    ]
    return _view(words, table, name, Outcome.REFUSED, mistakes)


def unaccepted(words: Words, table: Table, name: str, error: ProtocolError) -> RefusalView:
    """A file with a wrong signature, place, chain or form."""
    mistake = Mistake(OUTCOMES.get(error.outcome, OTHERWISE), error.message, line=error.line or 0)
    return _view(words, table, name, error.outcome, [mistake])


def _view(words: Words, table: Table, name: str, outcome: Outcome, mistakes: Sequence[Mistake]) -> RefusalView:
    return RefusalView(
        table.game.title,
        words.heading(table.engine.state),
        table.charter.game_id,
        name,
        OUTCOMES.get(outcome, OTHERWISE),
        tuple(mistakes),
        due_message(words, table),
        table.due.rule,
    )
