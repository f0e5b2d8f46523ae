"""What a file gives up, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.consequences import KINDS, Consequence
from pbem.kernel.wording import Message, linked, msg
from pbem.report.languages import Language

HEADS = {
    "lost": msg("Lost"),
    "binding": msg("For good"),
    "idle": msg("Idle"),
    "exposed": msg("Exposed"),
    "skipped": msg("Skipped"),
    "unspent": msg("Not spent"),
    "unfinished": msg("Not finished"),
    "unasked": msg("Hint"),
}


def lines(language: Language, found: Sequence[Consequence]) -> list[str]:
    """One line for each, the section behind it."""
    return [language.text(told(c)) for c in found]


def grouped(found: Sequence[Consequence]) -> list[Message]:
    """One line for each kind, worst first, with all that is of it."""
    kinds = ([c for c in found if c.kind == kind] for kind in KINDS)
    return [
        msg("{kind}: {told}", kind=HEADS[these[0].kind], told=linked("; ", *map(with_rule, these))) for these in kinds if these
    ]


def with_rule(found: Consequence) -> Message:
    """What is given up, its section behind it."""
    return Message("{told} [{rule}]", {"told": found.message, "rule": found.rule}) if found.rule else found.message


def told(found: Consequence) -> Message:
    """The same under its head."""
    return msg("{kind}: {told}", kind=HEADS[found.kind], told=with_rule(found))
