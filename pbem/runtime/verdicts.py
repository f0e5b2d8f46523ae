"""The words of a verdict on a whole game, and what it tells besides (protocol, 12)."""

from __future__ import annotations

from msgspec import Struct, field

from pbem.kernel.engine import Result
from pbem.kernel.wording import Message
from pbem.protocol.outcomes import Outcome
from pbem.runtime.evidence import Document, Evidence, Remark
from pbem.runtime.table import Due, Table

VALID, DUE, TWICE, CUT, BROKEN = "valid", "due", "signed twice", "cut", "rule broken"
WORDS = {
    Outcome.DONE: VALID,
    Outcome.WAITING: DUE,
    Outcome.UNREADABLE: "unreadable",
    Outcome.TOO_LARGE: "unreadable",
    Outcome.FOREIGN_GAME: "no such game",
    Outcome.DIVERGED: "programs differ",
    Outcome.EQUIVOCATION: TWICE,
    Outcome.BAD_OPENING: "bad opening",
    Outcome.LIE_PROVED: "lie",
    Outcome.BAD_DICE: "wrong dice",
}
SECTIONS = {
    Outcome.BAD_SIGNATURE: "protocol 2",
    Outcome.WRONG_KEY: "protocol 5",
    Outcome.BAD_CHAIN: "protocol 4",
    Outcome.BAD_DICE: "protocol 6",
    Outcome.REFUSED: "protocol 9",
    Outcome.BAD_OPENING: "protocol 8",
    Outcome.LIE_PROVED: "protocol 10",
    Outcome.EQUIVOCATION: "protocol 9",
}


class Fault(Struct, frozen=True):
    """The verdict's own word: what is wrong, in which file, whose, under which section, in which roll of its record."""

    outcome: Outcome
    reason: Message
    seq: int | None = None
    player: str = ""
    section: str = ""
    roll: int | None = None
    word: str = ""


class Fork(Struct, frozen=True):
    """Two or more files signed by one key for one place. `versions`: their ids, and how many files follow each.

    `healed`: the place of the heal after which all went on; 0 for an open fork.
    """

    player: str
    seq: int
    versions: tuple[tuple[str, int], ...]
    after_restore: bool
    healed: int


class Judgement(Struct):
    """One verdict, and what else there is to say of the game."""

    fault: Fault
    evidence: Evidence | None = None
    table: Table | None = None
    files: list[Document] = field(default_factory=list)  # those that count and were judged good; void places and heals too
    head: str = ""
    due: list[Due] = field(default_factory=list)
    result: Result | None = None
    forks: list[Fork] = field(default_factory=list)
    claims: list[Document] = field(default_factory=list)  # slips about the newest file
    aside: list[Remark] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The newest place that was judged good."""
        return len(self.files)

    @property
    def word(self) -> str:
        """The verdict."""
        return self.fault.word or WORDS.get(self.fault.outcome, BROKEN)
