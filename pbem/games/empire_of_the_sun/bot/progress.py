"""[16.47] What one more hex counts for the progress of the war: the Allies need some each turn, Japan takes them back."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.political import counts_for_progress, progress_wanted
from pbem.games.empire_of_the_sun.state import ALLIES, State

WHOLE_MAP = (10, 60)  # on which the will of the United States counts
ADVANCE = 12  # what a hex counts beside its own worth while the turn's number is not reached
MARGIN = 1  # hexes beyond it, for those that Japan takes back


def missing(g: State) -> int:
    """How many hexes the Allies still need this turn; less than nothing where none are asked for."""
    wanted = progress_wanted(g) if g.board.edges == WHOLE_MAP else 0
    return wanted + MARGIN - sum(g.holds(ALLIES, h) for h in _counted(g)) if wanted else -1


def advancing(g: State, side: str) -> frozenset[int]:
    """Hexes that a side takes for the sake of the progress of the war."""
    short = missing(g)
    if side == ALLIES:
        return frozenset(_counted(g) if short > 0 else ())
    return frozenset(h for h in _counted(g) if g.holds(ALLIES, h)) if short >= 0 else frozenset()


def _counted(g: State) -> list[int]:
    return [h for h in g.japanese_before if counts_for_progress(g, h)]
