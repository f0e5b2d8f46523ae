"""One file of the log as reports show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from pbem.games.parts import Words
from pbem.kernel.canon import Plain
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Argument, Message, linked, msg
from pbem.report.planning import steps_told
from pbem.report.quoting import Named, answer_told, clause_told, kind_told, order_told
from pbem.report.steps import Document
from pbem.report.verbs import VERBS
from pbem.report.view import FileView


def file_view(
    document: Document, kind: Message, file_id: str, voided: bool, named: Named, words: Words, asked: Sequence[str] = ()
) -> FileView:
    """One file as it is shown. `asked`: which kind of question each of its orders has answered."""
    orders = tuple(_repeated([order_told(o, named) for o in document.get("orders") or []]))
    note = tuple(str(line) for line in document.get("note") or [])
    standing = [_beside(msg("Standing order"), line) for line in _standing_lines(document, named)]
    plan = [_beside(msg("Plan"), step) for step in steps_told(document.get("plan") or [], words, named)]
    answers = tuple(_answers(document.get("orders") or [], asked, named, words))
    return FileView(int(document["seq"]), by(document), kind, file_id, orders, (*standing, *plan), note, voided, answers)


def _answers(orders: Sequence[Plain], asked: Sequence[str], named: Named, words: Words) -> Iterator[Message]:
    """What was asked and how it was answered, neighbours of one kind together. `done` is told where nothing else is."""
    only_done = all(order == DONE for order in orders)
    for kind, some in groupby(zip(asked, orders, strict=False), lambda one: one[0]):
        given = [order for _, order in some if order != DONE or only_done]
        told = _repeated([answer_told(order, named) for order in given])
        if given:
            about: Argument = words.ASKED.get(kind) or kind
            yield linked(" – ", about, linked("; ", *told))


def _beside(kind: Message, told: Message) -> Message:
    return msg("{kind}: {told}", kind=kind, told=told)


def by(document: Document) -> str:
    """Who wrote a file; a heal is by all who signed it."""
    return str(document["player"]) if "player" in document else ", ".join(sorted(document["signatures"]))


def _repeated(lines: Sequence[Message]) -> Iterator[Message]:
    """Equal neighbours as one line with their number."""
    for line, same in groupby(lines):
        n = len(list(same))
        yield linked(" ", line, f"(× {n})") if n > 1 else line


def _standing_lines(document: Document, named: Named) -> Iterator[Message]:
    for kind, clauses in sorted((document.get("standing") or {}).items()):
        several = (
            clauses if isinstance(clauses, list) and all(isinstance(c, dict) and "do" in c for c in clauses) else [clauses]
        )
        yield from (clause_told(kind, clause, named) for clause in several)
    for kind in sorted(document.get("standing_sealed") or {}):
        yield linked(": ", kind_told(kind), VERBS["sealed"])
