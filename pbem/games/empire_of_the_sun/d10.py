"""The die of Empire of the Sun."""

from __future__ import annotations

from pbem.kernel.flow import Flow, Roll
from pbem.kernel.wording import Message


def throw(label: Message, rule: str, against: str) -> Flow[int]:
    """One die of 0 to 9, thrown against a side; the protocol rolls 1 to 10, and 10 is read as 0."""
    (die,) = yield Roll(label, 1, 10, rule, against=against)
    face: int = die
    return face % 10


def face(die: int) -> int:
    """A die of 0 to 9 as the protocol rolls it: 0 comes as 10."""
    return die or 10
