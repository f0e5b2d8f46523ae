"""What a file gives up, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.consequences import Consequence
from pbem.kernel.wording import Message, msg
from pbem.report.languages import Language

HEADS = {
    "lost": msg("Lost"),
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


def told(found: Consequence) -> Message:
    """What is given up, under its head."""
    head = HEADS[found.kind]
    if not found.rule:
        return msg("{kind}: {told}", kind=head, told=found.message)
    return msg("{kind}: {told} [{rule}]", kind=head, told=found.message, rule=found.rule)
