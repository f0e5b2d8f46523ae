"""Numbers with one decimal, in words that each language has for them."""

from __future__ import annotations

from decimal import Decimal

from pbem.kernel.wording import Message, msg


def hundredths(number: float) -> Message:
    """The same with two decimals."""
    whole, _, decimals = f"{number:.2f}".partition(".")
    return msg("{whole}.{tenths}", whole=whole, tenths=decimals)


def two_figures(number: float) -> Message | str:
    """The first two figures that tell something, behind the mark of the reader's language: 0.43, 0.000012."""
    whole, mark, decimals = f"{Decimal(f'{number:.2g}'):f}".partition(".")
    return msg("{whole}.{tenths}", whole=whole, tenths=decimals) if mark else whole


def percent(chance: float) -> Message:
    """A chance in percent, with one decimal."""
    whole, _, decimal = f"{100 * chance:.1f}".partition(".")
    return msg("{whole}.{tenths}%", whole=whole, tenths=decimal)


def tenths(number: float, *, signed: bool = False) -> Message:
    """A number with one decimal behind the mark of the reader's language; `signed`: with its sign, also a plus."""
    whole, _, decimal = printed(f"{number:+.1f}" if signed else f"{number:.1f}").partition(".")
    return msg("{whole}.{tenths}", whole=whole, tenths=decimal)


def printed(number: str) -> str:
    """A number with the sign that print has for minus."""
    return number.replace("-", "−")
