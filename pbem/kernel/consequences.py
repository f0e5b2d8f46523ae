"""What a file gives up, found by playing it: counted facts, no advice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from pbem.kernel.wording import Argument, Message, msg

Kind = Literal["lost", "binding", "idle", "skipped", "unspent", "unfinished", "exposed", "unasked"]
KINDS: tuple[Kind, ...] = ("lost", "binding", "idle", "exposed", "skipped", "unspent", "unfinished", "unasked")  # worst first

NAMED = 6  # units that one line names


class Consequence(Struct, frozen=True):
    """One of them. `at`: where it is shown. `final`: it cannot be had back.

    `pending`: the phase is still open behind the file, and only its end would give this up. `chosen`: an order says so itself.
    """

    kind: Kind
    message: Message
    rule: str = ""
    at: str = ""
    final: bool = False
    pending: bool = False
    chosen: bool = False

    @property
    def has_to_be_meant(self) -> bool:
        """Who sends it is asked whether he means it."""
        return self.final or (self.kind in ("skipped", "unspent") and not (self.pending or self.chosen))


def some(units: Sequence[str], named: Callable[[Sequence[str]], Argument] = tuple) -> Argument:
    """Units by name, the first few of many."""
    told, more = named(units[:NAMED]), len(units) - NAMED
    return msg("{units} and more: {n}", units=told, n=more) if more > 0 else told


def by_place(units: Iterable[str], at: Callable[[str], int]) -> dict[int, list[str]]:
    """Units by where they stand, in the order in which the places come first."""
    found: dict[int, list[str]] = {}
    for unit in units:
        found.setdefault(at(unit), []).append(unit)
    return found
