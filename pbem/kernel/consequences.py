"""What a file gives up, found by playing it: counted facts, no advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.kernel.wording import Message

Kind = Literal["lost", "idle", "skipped", "unspent", "unfinished", "exposed", "unasked"]
KINDS: tuple[Kind, ...] = ("lost", "idle", "exposed", "skipped", "unspent", "unfinished", "unasked")  # worst first


@dataclass(frozen=True, slots=True)
class Consequence:
    """One of them. `at`: where it is shown. `final`: it cannot be had back: who sends it is asked whether he means it."""

    kind: Kind
    message: Message
    rule: str = ""
    at: str = ""
    final: bool = False
