"""Orders and standing orders on one line: told in a report, their names are the game's own, an order's words the reader's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.notation import ARROW, EACH, Way, flat_in, order_in
from pbem.kernel.wording import NO_WORDS, Message, linked, msg, times, verbatim
from pbem.report.conditions import condition_told
from pbem.report.verbs import MARKS, worded

T = TypeVar("T")
_MARKS = re.compile(r"(\s*[;,:]\s*|(?:^|\s+)(?:to|from|for|with|at|on|via|by|and|in|then)\s+)")  # in a body written as one text
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
    """`verb`: of the order."""
    own = _Words(named, worded, verb)
    return Way(_join, own.word, own.name, own.count, f" {ARROW} ", whole=False, number=own.number, phrase=own.phrase)


def _join(mark: str, parts: Sequence[Message]) -> Message:
    return linked(mark, *parts)


class _Words(Struct, frozen=True):
    """How the words of an order are told. `verb`: of the order; what the game says for such orders goes first."""

    named: Named
    worded: Named
    verb: str

    def own(self, text: str) -> Message | None:
        """What the game says of it in such an order alone."""
        return self.named(f"{self.verb}: {text}") if self.verb else None

    def word(self, text: str) -> Message:
        """A word of the notation."""
        known = self.own(text)
        return known if known is not None else self.worded(text) or verbatim(text)

    def name(self, text: str) -> Message:
        """A name, or a body written as one text: what is said with keys stands apart."""
        known = self.own(text) or self.named(text) or self.worded(text)
        if known is not None:
            return known
        words = text.split(" ")
        keys = [n for n, one in enumerate(words[:-1]) if self.own(one) is not None]
        if not keys:
            return self._names(text)
        parts = [self._names(" ".join(words[: keys[0]]).rstrip(" ;,"))] if keys[0] else []
        for n, end in zip(keys, [*keys[1:], len(words)], strict=True):
            parts.append(self._under(words[n], " ".join(words[n + 1 : end]).strip(" ;,")))
        return _join("; ", parts)

    def _under(self, key: str, text: str) -> Message:
        counted = self.number(key, int(text)) if text.isdecimal() else None
        if counted is not None:
            return counted
        word = self.word(key)
        return _join(" ", [word, self._names(text)]) if word else self._names(text)

    def number(self, key: str, n: int) -> Message | None:
        """So many of what a key stands for, where the game counts it."""
        known = self.own(key)
        return times(known, n) if known is not None and _counts(known) else None

    def phrase(self, key: str, table: Mapping[str, Plain]) -> Message | None:
        """A table under a key, where what the game says for it has a place for each of its words; `points` are counted."""
        known = self.own(key)
        if known is None or {"points", *known.args} - {"n"} != {*table} or not isinstance(table["points"], int):
            return None
        said = {word: self.name(str(value)) for word, value in table.items() if word in known.args}
        return replace(known, args={**said, "n": table["points"]})

    def _names(self, text: str) -> Message:
        if not _MARKS.search(text):
            return self._one_of(text)
        parts = _MARKS.split(text)  # names and, between them, marks
        return _join("", [self._one_of(part) if n % 2 == 0 else self._mark(part) for n, part in enumerate(parts)])

    def _mark(self, text: str) -> Message:
        known = self.worded(text.strip())
        if known is None:
            return verbatim(text)
        return _join(" ", [*([NO_WORDS] if text[0].isspace() else []), known, NO_WORDS])

    def _one_of(self, part: str) -> Message:
        known = self.named(part)
        if known is None and (some := _SOME.fullmatch(part)):
            return self.count(int(some[1]), some[2])
        if known is None or known.plural:
            known = self.worded(part) or verbatim(part)
        return known

    def count(self, n: int, thing: str) -> Message:
        """So many of a thing, or so much of it where the game says what is counted."""
        known, each = self.own(thing) or self.named(thing), self.own(EACH)
        if known and _counts(known):
            return times(known, n)
        if each is not None:
            return _join(": ", [known or verbatim(thing), times(each, n)])
        return _join(" ", [verbatim(str(n)), known or self.worded(thing) or verbatim(thing)])
