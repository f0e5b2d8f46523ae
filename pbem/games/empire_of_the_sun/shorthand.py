"""What people type: `move 14 army manila`, `attack Manila with all`, as orders that stand."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.operations.battle_hexes import in_range, must_fight
from pbem.games.empire_of_the_sun.reaction.typed_counter import COUNTER, countered
from pbem.games.empire_of_the_sun.reaction.typed_counter import VERBS as VERBS_OF_MOVES
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel import shorthand
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import Partial, form_of, verbs_of

VERBS = {
    "attack": ("battle",),
    "fight": ("battle",),
    **dict.fromkeys(("land", "invade", "landing"), ("assault",)),
    **dict.fromkeys(("sail", "fly", "march", "go"), ("move",)),
    **dict.fromkeys(("ops", "oc", "hq", "offensive"), ("operations",)),
    "sr": ("strategic",),
}
SHAPES = {"battle": "{place} with {units}", "cover": "{place} with {units}"}


def typed(g: State, ask: Ask | Commit, order: Plain) -> list[Plain]:
    """The orders that a line means; none where it is no such line. Raises Rejected for a name of several."""

    offensive = g.offensive
    acting = {*offensive.units, *offensive.reactors} if offensive is not None else set()

    def here(place: int) -> list[str]:
        units = g.mine_at(ask.seat, place)
        active = [unit for unit in units if unit in acting]
        if ask.kind != "battle":
            return active or units
        return [*(active if place in must_fight(g) else ()), *_reaching(g, ask, place)]

    known = shorthand.Vocabulary(g.board.unit_index, g.board.place_index, VERBS, SHAPES, here)
    if COUNTER in verbs_of(ask) and (reaction := _reaction(g, known, ask.seat, order)) is not None:
        return reaction
    return shorthand.typed(known, ask.seat, verbs_of(ask), order)


def _reaction(g: State, known: shorthand.Vocabulary, side: str, order: Plain) -> list[Plain] | None:
    """[7.26] A line that begins with `counter`, or a mapping of that word to one; None for any other order."""
    verb, body = shorthand.parted(order, (COUNTER,))
    if verb != COUNTER or not isinstance(body, str):
        return None
    return countered(g, side, body, lambda line: next(iter(shorthand.typed(known, side, VERBS_OF_MOVES, line)), line))


def _reaching(g: State, ask: Ask | Commit, place: int) -> list[str]:
    """[7.24] Who may still be named for a battle or as cover, and reaches it from where he is."""
    form = form_of(ask)
    units = [p.value for verb in SHAPES for p in form.step(Partial(verb)).picks if p.slot == "unit"]
    return [unit for unit in dict.fromkeys(units) if in_range(g, unit, place)]
