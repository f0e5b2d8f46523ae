"""What people type: `sail J1 1531`, `march 1 marine guadalcanal`, as orders that stand."""

from __future__ import annotations

from pbem.games.pacific_war.sea.courses import legs
from pbem.games.pacific_war.state import State
from pbem.kernel import shorthand
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import verbs_of

VERBS = {
    "go": ("sail", "move"),
    "sail": ("ship", "move"),
    "march": ("move",),
    "move": ("sail", "march", "ship", "rebase"),
    "attack": ("mission",),
}
WORDS_ALONE = ("kinds", "first", "light")  # kinds of questions whose orders name neither unit nor place: `air` is no air unit
SHAPES = {"sail": "map", "ship": "map", "rebase": "map", "move": "ways", "march": "ways"}


def typed(g: State, ask: Ask | Commit, order: Plain) -> list[Plain]:
    """The orders that a line means; none where it is no such line. Raises Rejected for a name of several."""
    along = legs(order)
    if along != [order]:
        return along
    if ask.kind in WORDS_ALONE:
        return []
    known = shorthand.Vocabulary(g.board.unit_index, g.board.place_index, VERBS, SHAPES, lambda place: ())
    return shorthand.typed(known, ask.seat, verbs_of(ask), order)
