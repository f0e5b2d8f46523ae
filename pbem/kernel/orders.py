"""Verdicts on orders, as a player needs them: cannot be read, not allowed, means two things (architecture, Errors)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain, in_key_order
from pbem.kernel.wording import NO_WORDS, Message, english, linked, msg, quoted, verbatim

Verdict = Literal["cannot be read", "not allowed", "means two things"]
SHOWN = 8  # legal things that a refusal lists
VERDICTS: dict[Verdict, Message] = {
    "cannot be read": msg("cannot be read"),
    "not allowed": msg("not allowed"),
    "means two things": msg("means two things"),
}


class Problem(Struct, frozen=True):
    """One mistake in one order: what kind, why, under which rule section, and what would be legal instead."""

    verdict: Verdict
    reason: Message
    rule: str = ""
    legal: Message = NO_WORDS
    order: int | None = None  # index in the file's list of orders, once known
    trace: str = ""  # where the rules module itself failed: for a report to its makers

    @property
    def told(self) -> Message:
        """All of it in one line."""
        told = msg("{verdict}: {reason}", verdict=VERDICTS[self.verdict], reason=self.reason)
        if self.rule:
            told = Message("{told} [{rule}]", {"told": told, "rule": self.rule})
        return msg("{told}; {legal}", told=told, legal=self.legal) if self.legal else told

    def __str__(self) -> str:
        return english(self.told)


def all_told(problems: Sequence[Problem]) -> Message:
    """Several problems in one sentence."""
    return linked("; ", *(p.told for p in problems))


class Rejected(Exception):
    """An order that does not stand, with every problem found in it. Nothing has changed."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems)
        self.problems = tuple(problems)

    @property
    def told(self) -> Message:
        """All problems in one sentence."""
        return all_told(self.problems)

    def __str__(self) -> str:
        return "; ".join(str(p) for p in self.problems)

    def offering(self, legal: Message) -> Rejected:
        """The same problems; where one names nothing that would be legal, it names this."""
        return Rejected([p if p.legal else replace(p, legal=legal) for p in self.problems])

    def at(self, order: int) -> Rejected:
        """The same problems, pointing at the order with this index."""
        return Rejected([replace(p, order=order) for p in self.problems])


def unreadable(reason: Message, legal: Message = NO_WORDS) -> Rejected:
    """An order whose words cannot be understood."""
    return Rejected([Problem("cannot be read", reason, "", legal)])


def illegal(reason: Message, rule: str, legal: Message = NO_WORDS) -> Rejected:
    """An order that is understood but that a rule forbids; `rule` is the section."""
    return Rejected([Problem("not allowed", reason, rule, legal)])


def ambiguous(reason: Message, readings: Sequence[str]) -> Rejected:
    """An order with more than one reading; `readings` are listed for the player to choose from."""
    return Rejected([Problem("means two things", reason, "", msg("did you mean {readings}?", readings=_any_of(readings)))])


def _any_of(readings: Sequence[str]) -> Message:
    named = verbatim(*readings[:1])
    for other in readings[1:]:
        named = msg("{one} or {other}", one=named, other=other)
    return named


def failed(fault: BaseException, order: int | None = None) -> Problem:
    """An order on which the rules module itself fails is refused; by every program that has this version of it."""
    import traceback

    what = type(fault).__name__
    reason = msg("the rules module fails on it ({what}): a fault of the program, not of who wrote it", what=what)
    return Problem("not allowed", reason, "", NO_WORDS, order, "".join(traceback.format_exception(fault)))


def judged(read: Callable[[Plain], Any], order: Plain) -> Any:
    """What `read` makes of an order. Raises Rejected, also where the module fails; not where the machine gives out."""
    try:
        return read(order)
    except (Rejected, RecursionError, MemoryError):
        raise
    except Exception as fault:
        raise Rejected([failed(fault)]) from fault


VERB = 0.6  # how alike a verb has to be: half of a short word is another word


def closest(word: str, known: Sequence[str], cutoff: float = 0.5) -> list[str]:
    """Up to three known words that are spelt most like one, the closest first."""
    return [*_closest(word, (*known,), cutoff)]


@lru_cache(512)
def _closest(word: str, known: tuple[str, ...], cutoff: float) -> list[str]:
    """Looked for once: the same slip comes again with every reading of an order file."""
    return get_close_matches(word, known, n=3, cutoff=cutoff)


def nearest(word: str, known: Sequence[str]) -> Message:
    """A hint naming the closest known words, or nothing."""
    return did_you_mean(closest(word, known))


def did_you_mean(names: Sequence[str]) -> Message:
    """The same hint with names that were looked for already."""
    return msg("did you mean {names}?", names=", ".join(names)) if names else NO_WORDS


def possible(things: Sequence[Message | str]) -> Message:
    """What would be legal, the first few of it; nothing if there is nothing."""
    if len(things) > SHOWN:
        return msg("possible: {things}; others: {n}", things=(*things[:SHOWN],), n=len(things) - SHOWN)
    return msg("possible: {things}", things=(*things,)) if things else NO_WORDS


def nearest_verb(text: str, verbs: Sequence[str]) -> Message:
    """The same for the verb of an order, which may stand at the beginning of a text that says more."""
    return did_you_mean(closest(text, verbs, VERB) or closest(next(iter(text.lower().split()), ""), verbs, VERB))


def verb_of(order: Plain) -> str:
    """The verb of a plain order: its only key, or the whole word."""
    if isinstance(order, dict) and len(order) == 1:
        return next(iter(order)).strip().lower()
    return order.strip().lower() if isinstance(order, str) else ""


def split_order(plain: Plain, verbs: Sequence[str]) -> tuple[str, Plain]:
    """Verb and body of `verb: body`, `{verb: body}` or a single word, its keys in canonical order. Raises Rejected."""
    if isinstance(plain, dict) and len(plain) == 1:
        verb, body = next(iter(plain.items()))
    elif isinstance(plain, str):
        verb, _, rest = plain.partition(":")
        body = rest.strip() or None
    else:
        raise unreadable(msg("{order} is no order", order=quoted(plain)), msg("one of: {words}", words=", ".join(verbs)))
    given = str(verb).strip()
    verb = given.lower()
    if verb not in verbs:
        raise unreadable(
            msg("{verb!r} is not asked here", verb=given),
            nearest_verb(verb, verbs) or msg("one of: {words}", words=", ".join(verbs)),
        )
    return verb, in_key_order(body)
