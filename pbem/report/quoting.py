"""Orders and standing orders on one line: told in a report, their names are the game's own, an order's words the reader's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from pbem.kernel.canon import Plain
from pbem.kernel.notation import Way, flat_in, order_in
from pbem.kernel.wording import NO_WORDS, Message, linked, msg, times, verbatim
from pbem.report.conditions import condition_told
from pbem.report.verbs import MARKS, worded

T = TypeVar("T")
_MARKS = re.compile(r"(\s*[;,:]\s*|\s+(?:to|from|with|at|via|by|and|in)\s+)")  # between the names of a body written as one text
_SOME = re.compile(r"(\d{1,2}) (\S.*)")  # 3 infantry
Named = Callable[[str], Message | None]  # what a word of an order is called by the game; None: it has no other name


def order_told(order: Plain, named: Named) -> Message:
    """The same for a reader: spaces, units and cards by the game's names, words of the notation, all in his language."""
    return order_in(order, replace(_telling(named, worded), beside=MARKS))


def answer_told(order: Plain, named: Named) -> Message:
    """An order beside the question that it answers: without its verb, and what is secret is only said to be so."""
    if isinstance(order, dict) and order.keys() & {"sealed", "seal"}:
        return msg("in secret")
    way = replace(_telling(named, worded), pair=": ", beside=MARKS)
    if isinstance(order, dict) and len(order) == 1:
        return flat_in(next(iter(order.values())), way, ", ")
    return order_in(order, way)


def things_told(things: str, named: Named) -> Message:
    """`3 infantry, 1 tank` for a reader."""
    return _telling(named, worded).name(things)


def standing_told(order: Plain, named: Named) -> Message:
    """A standing order for a reader, what is done before when: `retreat when own strength < enemy strength; press`."""
    return linked("; ", *(_usual(clause, named) for clause in (order if isinstance(order, list) else [order])))


def _usual(clause: Plain, named: Named) -> Message:
    if not isinstance(clause, dict) or "do" not in clause:
        return order_told(clause, named)
    done = order_told(clause["do"], named)
    return linked(" ", done, MARKS["when"], condition_told(str(clause["when"]), named)) if clause.get("when") else done


def clause_told(kind: str, clause: Plain, named: Named) -> Message:
    """One clause of a standing order for a reader: `retreat when own strength < enemy strength: retreat`."""
    way = replace(_telling(named, worded), beside=MARKS)
    if not isinstance(clause, dict) or "do" not in clause:
        return linked(": ", kind_told(kind), flat_in(clause, way))
    head = [kind_told(kind)]
    if clause.get("when"):
        head += [MARKS["when"], condition_told(str(clause["when"]), named)]
    if clause.get("scope"):
        head += [linked("", "(", scope_told(str(clause["scope"]), named), ")")]
    told = linked(": ", linked(" ", *head), flat_in(clause["do"], way))
    return linked(" ", told, msg("(once)")) if clause.get("life") == "once" else told


def scope_told(scope: str, named: Named) -> Message:
    """What a clause is for alone: `battle:sz-19` by the name of the place."""
    return _telling(named, worded).name(scope.rpartition(":")[2])


def kind_told(kind: str) -> Message:
    """A kind of question by the word that orders have for it, in the reader's language."""
    return worded(kind) or verbatim(kind)


def _telling(named: Named, worded: Named) -> Way[Message]:
    def join(mark: str, parts: Sequence[Message]) -> Message:
        return linked(mark, *parts)

    def word(text: str) -> Message:
        return worded(text) or verbatim(text)

    def name(text: str) -> Message:
        known = named(text) or worded(text)
        if known is not None or not _MARKS.search(text):
            return known or one_of(text)
        parts = _MARKS.split(text)  # names and, between them, marks
        return join("", [one_of(part) if n % 2 == 0 else mark(part) for n, part in enumerate(parts)])

    def mark(text: str) -> Message:
        known = worded(text.strip())
        return verbatim(text) if known is None else join(" ", [NO_WORDS, known, NO_WORDS])

    def one_of(part: str) -> Message:
        if some := _SOME.fullmatch(part):
            return count(int(some[1]), some[2])
        known = named(part) or worded(part)
        return verbatim(part) if known is None or known.plural else known

    def count(n: int, thing: str) -> Message:
        known = named(thing)
        if known and "n" in known.args and known.plural:
            return times(known, n)
        return join(" ", [verbatim(str(n)), known or verbatim(thing)])

    return Way(join, word, name, count, " → ", whole=False)
