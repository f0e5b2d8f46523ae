"""[4.21] Who begins, and to whom the turn passes."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.cards import read_card, why_no_event
from pbem.games.empire_of_the_sun.events.cards import ExtraDrawsBegan, InitiativeSeized
from pbem.games.empire_of_the_sun.events.turns import ActiveSet, PhaseBegan
from pbem.games.empire_of_the_sun.orders import split_order
from pbem.games.empire_of_the_sun.phase_forms import card_form
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal
from pbem.kernel.proposals import stands
from pbem.kernel.wording import msg


def initiative(g: State) -> Flow[None]:
    """[4.21] The larger hand begins; on a tie Japan until 1942, then the Allies; a future offensive may change it [7.29]."""
    emit(g, PhaseBegan(g.turn, "Offensives Phase", "4.2"))
    emit(g, ExtraDrawsBegan())
    sizes = {s: g.hand_size(s) for s in (JAPAN, ALLIES)}
    tie = sizes[JAPAN] == sizes[ALLIES]
    first = (JAPAN if g.turn <= 4 else ALLIES) if tie else max(sizes, key=lambda s: sizes[s])
    other = FOE[first]
    if g.future[other] and g.future_turn[other] < g.turn and sizes[other] and not tie:
        card = yield _ask_initiative(g, other)
        if card:
            emit(g, InitiativeSeized(card))
            first = other
    emit(g, ActiveSet(first, "4.21"))
    emit(g, Scheduled((("impulse", ()),), "4.22"))


def _ask_initiative(g: State, side: str) -> Ask:
    """[7.29] A: the future offensives card goes first, as an event that can be played now (second edition: an offensive)."""

    def read(plain: Plain) -> str:
        _, body = split_order(plain, ("initiative",))
        if body == "no":
            return ""
        card, entry = read_card(g, side, body)
        if entry != g.future[side]:
            raise illegal(msg("only the future offensives card takes the initiative"), "7.29")
        if (g.second and g.board.cards[card].type != "military") or why_no_event(g, g.board.cards[card]):
            raise illegal(msg("this card cannot be played as such an event now: {card}", card=g.board.cards[card].told), "7.29")
        return card

    def options() -> list[Plain]:
        orders: list[Plain] = [{"initiative": "no"}, {"initiative": g.future[side]}]
        return [o for o in orders if stands(read, o)]

    return Ask(
        side,
        "initiative",
        "4.21",
        msg("take the initiative with your future offensives card?"),
        read,
        ("initiative",),
        options=options,
        policy=lambda word: {"initiative": word},
        form=lambda: card_form("initiative", g, side, read),
    )


def next_player(g: State) -> None:
    """[4.22] The turn passes to the other player."""
    emit(g, ActiveSet(FOE[g.active], "4.22"))
    emit(g, Scheduled((("impulse", ()),), "4.22"))
