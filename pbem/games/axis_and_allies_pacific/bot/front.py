"""One space that may be attacked, and who could come."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.axis_and_allies_pacific.state import Unit

DEAR = 15_000  # what land has to bring that aircraft are lost for it, in thousandths of an IPC


@dataclass(frozen=True, slots=True)
class Front:
    """A target, its defenders, those who could walk or fly there, what it brings at once and when it is held."""

    target: str
    theirs: tuple[Unit, ...]
    walking: tuple[Unit, ...]
    flying: tuple[Unit, ...]
    now: int
    lasting: int

    @property
    def dear(self) -> bool:
        """Worth an aircraft that is lost for the last man."""
        return self.now + self.lasting >= DEAR
