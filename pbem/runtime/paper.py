"""The text of an order file: read with the place of each order, and edited so that comments and notation stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.notation import by_number
from pbem.kernel.standing import listed
from pbem.kernel.wording import msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.strict_yaml import Marks
from pbem.runtime.composing import Draft
from pbem.runtime.entries import entry_of

KEYS = ("orders", "standing", "sealed_standing", "plan", "note")
HEAD = "orders:"


class Paper(Struct, frozen=True):
    """An order file as text, and what it says."""

    text: str
    draft: Draft
    marks: Marks

    @property
    def orders(self) -> tuple[Plain, ...]:
        """What it orders, entry by entry."""
        return tuple(self.draft.orders)

    def line_of(self, at: int) -> int:
        """The line of an order, from 1; 0 for one that is not there."""
        return self.marks.get(("orders", at), (0, 0))[0]

    # -- edits: each gives another paper ------------------------------------------------------------------------------

    def adding(self, orders: Sequence[Plain], at: int | None = None) -> Paper:
        """With some orders behind the first `at` of those that stand there, behind all of them without `at`."""
        at = len(self.orders) if at is None else at
        lines = self.text.split("\n")
        wanted = [*self.orders[:at], *orders, *self.orders[at:]]
        spans = self._spans(lines)
        if self.orders and not spans:
            return read_paper(_restated(self.text, wanted))
        pad, line = (_indent(lines[spans[0][0]]), _behind(spans, at)) if spans else (2, _head(lines) + 1)
        new = [" " * pad + part for order in orders for part in entry_of(order).split("\n")]
        if line == 0:  # the key is not there yet
            return self._judged("\n".join([HEAD, *new, *(lines if self.text.strip() else [""])]), wanted)
        changed = [*lines[:line], *new, *lines[line:]]
        if not spans:
            changed[line - 1] = _opened(lines[line - 1])
        return self._judged("\n".join(changed), wanted)

    def remarked(self, remarks: Sequence[str], at: int) -> str:
        """The text with lines that order nothing behind the first `at` orders."""
        lines = self.text.split("\n")
        spans = self._spans(lines)
        line = _behind(spans, at) if spans else _head(lines) + 1
        return "\n".join([*lines[:line], *remarks, *lines[line:]])

    def saying(self, key: str, value: Plain) -> Paper:
        """With another value of a key that is not `orders`; what is said about it in lines of its own goes."""
        lines = self.text.rstrip("\n").split("\n") if self.text.strip() else []
        new = lines_of({key: value})
        at = next((n for n, line in enumerate(lines) if line.startswith(f"{key}:")), len(lines))
        end = _end(lines, at + 1) if at < len(lines) else at
        return read_paper("\n".join([*lines[:at], *new, *lines[end:]]) + "\n")

    def without(self, first: int, count: int = 1) -> Paper:
        """Without some orders that stand one after the other; what is said about them in lines of its own stays."""
        lines = self.text.split("\n")
        rest = [*self.orders[:first], *self.orders[first + count :]]
        gone = {n for at in range(first, first + count) for n in range(*self._span(lines, at))}
        kept = [line for n, line in enumerate(lines) if n not in gone]
        return self._judged("\n".join(kept), rest)

    def _judged(self, text: str, wanted: Sequence[Plain]) -> Paper:
        """The edited text if it says what it is to say; else the list of orders is written anew among its comments."""
        try:
            made = read_paper(text)
            if by_number([*made.orders]) == by_number([*wanted]) and _beside(made.draft) == _beside(self.draft):
                return made
        except ProtocolError:
            pass
        return read_paper(_restated(self.text, wanted))

    def _spans(self, lines: Sequence[str]) -> list[tuple[int, int]]:
        """The lines of each order of a list in block style, the first and the one behind the last; of others nothing."""
        found: list[tuple[int, int]] = []
        starts = [_dash(lines, *self.marks["orders", i]) for i in range(len(self.orders))]
        if -1 in starts:
            return []
        for i, start in enumerate(starts):
            end = starts[i + 1] if i + 1 < len(starts) else _end(lines, start + 1)
            while end > start + 1 and _is_remark(lines[end - 1]):
                end -= 1
            found.append((start, end))
        return found

    def _span(self, lines: Sequence[str], at: int) -> tuple[int, int]:
        spans = self._spans(lines)
        return spans[at] if at < len(spans) else (0, 0)


def lines_of(document: Mapping[str, Plain]) -> list[str]:
    """A document as a person would write it: an entry of a list begins behind its dash."""
    found: list[str] = []
    for line in strict_yaml.write_document(dict(document)).removesuffix("\n").split("\n"):
        if found and found[-1].strip() == "-":
            line = f"{found.pop()} {line.lstrip()}"
        found.append(line)
    return found


def read_paper(source: str | bytes) -> Paper:
    """An order file: orders, standing, sealed standing orders, plan, note. Raises ProtocolError with line and column."""
    text = source.decode("utf-8", "surrogateescape") if isinstance(source, bytes) else source
    says = any(not _is_remark(line) for line in text.split("\n"))
    document, marks = strict_yaml.read_document(source) if says else ({}, {})
    if "pbem" in document:
        raise unreadable(msg("this is a signed file, no orders: `pbem receive` takes it"))
    for key in document:
        if key not in KEYS:
            line, column = marks[(key,)]
            told = msg("unknown key {key!r}; keys are {known}", key=key, known=", ".join(KEYS))
            raise ProtocolError(Outcome.UNREADABLE, told, line, column)
    return Paper(text, _draft(document), marks)


def _draft(document: dict[str, Any]) -> Draft:
    orders, standing = document.get("orders") or [], document.get("standing") or {}
    sealed, plan, note = document.get("sealed_standing") or {}, document.get("plan") or [], document.get("note") or []
    if not (isinstance(orders, list) and isinstance(standing, dict) and isinstance(sealed, dict)):
        raise unreadable(msg("orders is a list; standing and sealed_standing are mappings"))
    if not isinstance(plan, list):
        raise unreadable(msg("plan is a list of steps"))
    notes = note if isinstance(note, list) else [note]
    clauses = {k: v if isinstance(v, list) else [v] for k, v in sealed.items()}
    return Draft(orders, {k: listed(v) for k, v in standing.items()}, clauses, plan, [str(n) for n in notes])


def _beside(draft: Draft) -> tuple[Any, ...]:
    return draft.standing, draft.sealed_standing, draft.plan


# -- lines -------------------------------------------------------------------------------------------------------------


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_remark(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _behind(spans: Sequence[tuple[int, int]], at: int) -> int:
    return spans[at - 1][1] if at else spans[0][0]


def _head(lines: Sequence[str]) -> int:
    """The line of the key `orders`; -1 where it is missing."""
    return next((n for n, line in enumerate(lines) if line.startswith(HEAD)), -1)


def _opened(head: str) -> str:
    """`orders: []  # a word` as the head of a list; the word stays."""
    _, sign, remark = head.partition("#")
    return HEAD + (f"  #{remark}" if sign else "")


def _dash(lines: Sequence[str], line: int, column: int) -> int:
    """The line of the dash before a value; -1 in a list that is written in brackets."""
    before = lines[line - 1][: column - 1]
    if before.strip().startswith("-"):
        return line - 1
    above = line - 2
    while above >= 0 and not before.strip():
        if lines[above].strip().partition("#")[0].strip() == "-":
            return above
        if not _is_remark(lines[above]):
            break
        above -= 1
    return -1


def _end(lines: Sequence[str], start: int) -> int:
    """The line of the next key of the document."""
    for n in range(start, len(lines)):
        line = lines[n]
        if not _is_remark(line) and _indent(line) == 0 and not line.startswith("- ") and line.rstrip() != "-":
            return n
    return len(lines)


def _restated(text: str, orders: Sequence[Plain]) -> str:
    """The list of orders written anew, remarks on lines of their own before it."""
    lines = text.split("\n")
    head = _head(lines)
    if head < 0:
        raise unreadable(msg("the orders stand under a key that cannot be found: write `orders:` at the beginning of a line"))
    end = _end(lines, head + 1)
    while end > head + 1 and _is_remark(lines[end - 1]):
        end -= 1
    remarks = [line for line in lines[head + 1 : end] if line.lstrip().startswith("#")]
    new = ["  " + line for order in orders for line in entry_of(order).split("\n")]
    return "\n".join([*lines[:head], _opened(lines[head]) if "#" in lines[head] else HEAD, *remarks, *new, *lines[end:]])
