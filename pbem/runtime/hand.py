"""The file at hand: what it brings while the engine goes on. One code path for files received and files composed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct, field

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Reveal
from pbem.kernel.orders import Problem, verb_of
from pbem.runtime.ledger import Rolled


class Supply(Protocol):
    """Where openings, claims and openings of seals come from: the file received, or the owner's secrets."""

    @property
    def reveal(self) -> Reveal | None:
        """What the file's author knows of hidden things; None for everybody else's program."""
        ...

    def opening(self, handle: str) -> Plain | None:
        """The entry {handle, item | order, salt} for a handle, or None."""
        ...

    def claim(self, n: int, request: Claim) -> Plain | None:
        """The entry {claim: n, value} for claim n, or None."""
        ...


class NoSupply:
    """Nothing to open: the state between two files."""

    reveal = None

    def opening(self, handle: str) -> Plain | None:
        return None

    def claim(self, n: int, request: Claim) -> Plain | None:
        return None


class FileSupply:
    """What a received file opens; `unused` is what nobody asked for."""

    reveal = None

    def __init__(self, entries: list[Plain]) -> None:
        self.unused = [e for e in entries if isinstance(e, dict)]

    def opening(self, handle: str) -> Plain | None:
        return self._take(lambda e: e.get("handle") == handle)

    def claim(self, n: int, request: Claim) -> Plain | None:
        return self._take(lambda e: e.get("claim") == n)

    def _take(self, wanted) -> Plain | None:  # type: ignore[no-untyped-def]
        for i, entry in enumerate(self.unused):
            if wanted(entry):
                return self.unused.pop(i)
        return None


class Unsealed(Struct, frozen=True):
    """An order of the file that has to be secret and stands there openly: which, whose, and how it is read."""

    at: int
    seat: str
    read: Callable[[Plain], Any]


class Hand(Struct):
    """The file being taken: its player and place, its orders and how far they are used."""

    player: str
    seq: int
    orders: list[Plain] = field(default_factory=list)
    supply: Supply = field(default_factory=NoSupply)
    next: int = 0
    asked: list[str] = field(default_factory=list)  # which kind of question each order used has answered
    seals: int = 0
    state: str | None = None  # hash just before the first order
    turned: list[Rolled] = field(default_factory=list)
    openings: list[Plain] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unsealed: Unsealed | None = None
    plan: list[dict[str, Plain]] = field(default_factory=list)
    plan_seals: list[str] = field(default_factory=list)  # the handle of each sealed step, "" of an open one
    stops: bool = False  # behind its orders its player is asked what a default would answer; for looking, never for a file

    @property
    def has_orders(self) -> bool:
        """Orders not yet used are left in the file."""
        return self.next < len(self.orders)

    def offers_answer_to(self, ask: Ask) -> bool:
        """The next order in the file is of a kind that this question takes."""
        return self.has_orders and (not ask.verbs or verb_of(self.orders[self.next]) in ask.verbs)
