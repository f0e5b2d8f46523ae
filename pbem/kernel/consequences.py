"""What a file gives up, found by playing it: counted facts, no advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.kernel.wording import Message

Kind = Literal["lost", "idle", "skipped", "unspent", "unfinished", "exposed", "unasked"]
KINDS: tuple[Kind, ...] = ("lost", "idle", "exposed", "skipped", "unspent", "unfinished", "unasked")  # worst first


@dataclass(frozen=True, slots=True)
class Consequence:
    """One of them. `at`: where it is shown. `final`: it cannot be had back.

    `pending`: the phase is still open behind the file, and only its end would give this up.
    """

    kind: Kind
    message: Message
    rule: str = ""
    at: str = ""
    final: bool = False
    pending: bool = False

    @property
    def has_to_be_meant(self) -> bool:
        """Who sends it is asked whether he means it."""
        return self.final or (self.kind in ("skipped", "unspent") and not self.pending)
