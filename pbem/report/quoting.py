"""Orders and standing orders on one line: told in a report, their names are the game's own, an order's words the reader's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from pbem.kernel.canon import Plain
from pbem.kernel.notation import ARROW, EACH, Way, flat_in, order_in
from pbem.kernel.wording import NO_WORDS, Message, linked, msg, times, verbatim
from pbem.report.conditions import condition_told
from pbem.report.verbs import MARKS, worded

T = TypeVar("T")
_MARKS = re.compile(r"(\s*[;,:]\s*|\s+(?:to|from|for|with|at|via|by|and|in)\s+)")  # in a body written as one text
_SOME = re.compile(r"(\d{1,2}) (\S.*)")  # 3 infantry
Named = Callable[[str], Message | None]  # what a word of an order is called by the game; None: it has no other name


def order_told(order: Plain, named: Named) -> Message:
    """The same for a reader: spaces, units and cards by the game's names, words of the notation, all in his language."""
    told = _telling(named, worded, _verb(order))
    return order_in(_together(order, told), replace(told, beside=MARKS))


def answer_told(order: Plain, named: Named) -> Message:
    """An order beside the question that it answers: without its verb, and what is secret is only said to be so."""
    if isinstance(order, dict) and order.keys() & {"sealed", "seal"}:
        return msg("in secret")
    way = replace(_telling(named, worded, _verb(order)), pair=": ", beside=MARKS)
    order = _together(order, way)
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
    way = replace(_telling(named, worded, kind), beside=MARKS)
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


def _verb(order: Plain) -> str:
    """What an order does, a sealed one too."""
    inner = order.get("seal", order) if isinstance(order, dict) else order
    return next(iter(inner)) if isinstance(inner, dict) and len(inner) == 1 else ""


def _counts(known: Message | None) -> bool:
    return known is not None and "n" in known.args and bool(known.plural)


def _together(order: Plain, way: Way[Message]) -> Plain:
    """`casualties: [1 infantry, 1 infantry]` as two of them, where the game counts such things."""
    if not isinstance(order, dict):
        return order
    if "seal" in order:
        return {**order, "seal": _together(order["seal"], way)}
    if len(order) != 1:
        return order
    (verb, body), *_ = order.items()
    some = [_SOME.fullmatch(part) if isinstance(part, str) else None for part in body] if isinstance(body, list) else []
    sums: dict[str, Plain] = {}
    for found in some:
        if found is None or not _counts(way.count(1, found[2])):
            return order
        before = sums.get(found[2], 0)
        sums[found[2]] = int(found[1]) + (before if isinstance(before, int) else 0)
    return {verb: sums} if sums else order


def _telling(named: Named, worded: Named, verb: str = "") -> Way[Message]:
    """`verb`: of the order. What the game says of its words in such an order goes before what it calls them anywhere."""

    def own(text: str) -> Message | None:
        return named(f"{verb}: {text}") if verb else None

    def join(mark: str, parts: Sequence[Message]) -> Message:
        return linked(mark, *parts)

    def word(text: str) -> Message:
        known = own(text)
        return known if known is not None else worded(text) or verbatim(text)

    def name(text: str) -> Message:
        known = own(text) or named(text) or worded(text)
        if known is not None:
            return known
        words = text.split(" ")
        keys = [n for n, one in enumerate(words[:-1]) if own(one) is not None]
        if not keys:
            return names(text)
        parts = [names(" ".join(words[: keys[0]]).rstrip(" ;,"))] if keys[0] else []
        for n, end in zip(keys, [*keys[1:], len(words)], strict=True):
            parts.append(under(words[n], " ".join(words[n + 1 : end]).strip(" ;,")))
        return join("; ", parts)

    def under(key: str, text: str) -> Message:
        counted = number(key, int(text)) if text.isdecimal() else None
        return counted or (join(" ", [word(key), names(text)]) if word(key) else names(text))

    def number(key: str, n: int) -> Message | None:
        known = own(key)
        return times(known, n) if known is not None and _counts(known) else None

    def names(text: str) -> Message:
        if not _MARKS.search(text):
            return one_of(text)
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
        known, each = own(thing) or named(thing), own(EACH)
        if known and _counts(known):
            return times(known, n)
        if each is not None:
            return join(": ", [known or verbatim(thing), times(each, n)])
        return join(" ", [verbatim(str(n)), known or verbatim(thing)])

    return Way(join, word, name, count, f" {ARROW} ", whole=False, number=number)
