"""What a game played on without its players takes for what nobody can know: what is hidden, stated or shown on the way."""

from __future__ import annotations

from msgspec import Struct, field

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Commit, Reveal

NEVER = 10**6  # of the handles that are made on the way: no file gets so far


class NoGuess(Exception):
    """Nothing can be guessed, so that the game ends here."""


class Guessed(Struct):
    """What lies behind handles: as it is known, and as it was guessed on the way."""

    known: Reveal
    made: dict[str, Plain] = field(default_factory=dict)

    def reveal(self, handle: str) -> Plain:
        """What is behind a handle. Raises Unknown."""
        return self.made[handle] if handle in self.made else self.known(handle)

    def keep(self, seat: str, content: Plain) -> str:
        """A handle for something that is hidden on the way."""
        handle = f"{seat}:seal{NEVER}:{len(self.made)}"
        self.made[handle] = content
        return handle


def by_silence(ask: Commit) -> Plain:
    """What a seat hides that says nothing: the rules' default, else the first that is listed. Raises NoGuess."""
    hidden = ask.default if ask.default is not None else next(iter(ask.options()), None)
    if hidden is None:
        raise NoGuess
    return hidden
