"""Numbers with one decimal, in words that each language has for them."""

from __future__ import annotations

from pbem.kernel.wording import Message, msg


def tenths(number: float, *, signed: bool = False) -> Message:
    """A number with one decimal behind the mark of the reader's language; `signed`: with its sign, also a plus."""
    whole, _, decimal = (f"{number:+.1f}" if signed else f"{number:.1f}").partition(".")
    return msg("{whole}.{tenths}", whole=whole, tenths=decimal)
