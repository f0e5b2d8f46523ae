"""What people type: `move 11/a kaes`, `attack 0907 with 3/i`, as orders that stand."""

from __future__ import annotations

from pbem.games.next_war.picks import hex_word
from pbem.games.next_war.state import State
from pbem.kernel import shorthand
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import Chosen, Partial, form_of, verbs_of

VERBS = {
    **dict.fromkeys(("march", "go"), ("move",)),
    **dict.fromkeys(("assault", "hit"), ("attack",)),
    **dict.fromkeys(("land", "para", "jump"), ("drop", "lift", "ship")),
    "fly": ("lift", "move"),
    "sail": ("ship", "move"),
}
SHAPES = {"attack": "{units} at {place}"}


def typed(g: State, ask: Ask | Commit, order: Plain) -> list[Plain]:
    """The orders that a line means; none where it is no such line. Raises Rejected for a name of several."""

    def here(place: int) -> list[str]:
        mine = [unit for unit in g.by_hex().get(place, ()) if g.seat(unit) == ask.seat]
        return mine or _attackers(g, ask, place)

    labels = g.board.hexes
    known = shorthand.Vocabulary(
        g.board.unit_index, g.board.place_index, VERBS, SHAPES, here, lambda place: labels[place].label
    )
    return shorthand.typed(known, ask.seat, verbs_of(ask), order)


def _attackers(g: State, ask: Ask | Commit, place: int) -> list[str]:
    """[9.2.1] Who may attack a hex."""
    picks = form_of(ask).step(Partial("attack", (Chosen("target", hex_word(g, g.board.hexes[place].label)),))).picks
    return [pick.value for pick in picks if pick.slot == "unit" and pick.why_not is None]
