"""The closed list of outcomes: exit codes, `--json` words and the `expect:` lines of the test vectors are the same."""

from __future__ import annotations

from enum import Enum

from pbem.kernel.wording import Message, english, msg


class Outcome(Enum):
    """Word and exit code. Exit code 2 is wrong usage of the command line."""

    DONE = ("done", 0)
    REFUSED = ("refused by rule", 1)
    WAITING = ("waiting", 3)
    LOG_DAMAGED = ("log damaged", 4)
    UNREADABLE = ("unreadable", 5)
    BAD_SIGNATURE = ("bad signature", 6)
    WRONG_KEY = ("wrong key", 7)
    FOREIGN_GAME = ("foreign game", 8)
    ALREADY_KNOWN = ("already known", 9)
    TOO_LARGE = ("too large", 10)
    DIVERGED = ("diverged", 11)
    EQUIVOCATION = ("equivocation proved", 12)
    BAD_OPENING = ("bad opening", 13)
    LIE_PROVED = ("audit: lie proved", 14)
    BAD_CHAIN = ("bad chain", 15)
    BAD_DICE = ("bad dice", 16)
    NOT_WRITTEN = ("not written", 17)
    FAULT = ("program fault", 18)

    @property
    def word(self) -> str:
        """The outcome in words."""
        return self.value[0]

    @property
    def told(self) -> Message:
        """The outcome as a reader is told: what is refused need not be against a rule of the game, as its word has it."""
        said = "refused" if self is Outcome.REFUSED else self.word
        return next(known for known in _TOLD if known.id == said)

    @property
    def code(self) -> int:
        """The exit code."""
        return self.value[1]


_TOLD = (
    msg("done"),
    msg("refused"),
    msg("waiting"),
    msg("log damaged"),
    msg("unreadable"),
    msg("bad signature"),
    msg("wrong key"),
    msg("foreign game"),
    msg("already known"),
    msg("too large"),
    msg("diverged"),
    msg("equivocation proved"),
    msg("bad opening"),
    msg("audit: lie proved"),
    msg("bad chain"),
    msg("bad dice"),
    msg("not written"),
    msg("program fault"),
)


class ProtocolError(Exception):
    """Something the protocol refuses: outcome, one plain sentence, and where (1-based line and column, path).

    `source`: the bytes that could not be read, where whoever read them noted it.
    """

    source: bytes = b""

    def __init__(
        self, outcome: Outcome, message: Message, line: int | None = None, column: int | None = None, path: str = ""
    ) -> None:
        super().__init__(english(message))
        self.outcome, self.message = outcome, message
        self.line, self.column, self.path = line, column, path

    @property
    def told(self) -> Message:
        """The sentence with its place."""
        if self.line is None:
            return self.message
        return msg("line {line}, column {column}: {what}", line=self.line, column=self.column or 1, what=self.message)

    def __str__(self) -> str:
        return english(self.told)


class ProgramFault(ProtocolError):
    """The program itself failed: nothing is said about the document or the player. `trace`: what its makers need."""

    def __init__(self, doing: Message, fault: BaseException) -> None:
        import traceback

        told = msg("{doing}: a fault of the program, not yours ({kind})", doing=doing, kind=type(fault).__name__)
        super().__init__(Outcome.FAULT, told)
        self.trace = "".join(traceback.format_exception(fault))


def unreadable(message: Message, line: int | None = None, column: int | None = None, path: str = "") -> ProtocolError:
    """A document that cannot be read."""
    return ProtocolError(Outcome.UNREADABLE, message, line, column, path)
