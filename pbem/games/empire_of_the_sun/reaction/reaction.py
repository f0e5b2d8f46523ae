"""[7.2] O-4 to O-10 in their order."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.happenings.at_once import lose_random_card
from pbem.games.empire_of_the_sun.happenings.blows import bombard_air
from pbem.games.empire_of_the_sun.reaction.cancelling import ask_reaction, cancel
from pbem.games.empire_of_the_sun.reaction.cards import other_cards
from pbem.games.empire_of_the_sun.reaction.countermove import ask_counter
from pbem.games.empire_of_the_sun.reaction.first_strike import first_strike_response
from pbem.games.empire_of_the_sun.reaction.intelligence import intelligence
from pbem.games.empire_of_the_sun.reaction.special import additions, draw_escorts, special_hexes, special_reaction
from pbem.games.empire_of_the_sun.state import FOE, JAPAN, State, offensive
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow


def reaction(g: State) -> Flow[None]:
    """[7.2] O-4 to O-10."""
    o = offensive(g)
    card = g.board.cards[o.card]
    special = card.data.get("special") if o.event else None
    if special == "operation-1":
        yield from first_strike_response(g)
    if special or not o.units:
        return
    side = FOE[o.side]
    if g.hands[side] or g.future[side]:
        kind, played, entry = yield ask_reaction(g, side)
    else:
        kind, played, entry = "react", "", ""
    if kind in ("weather", "cancel"):
        yield from cancel(g, side, played, entry)
        return
    yield from _before_reaction(g)
    if kind == "pass":
        return
    if o.battles or special_hexes(g, side):
        yield from _react(g, side)
    yield from other_cards(g, side)


def _react(g: State, side: str) -> Flow[None]:
    """O-6 to O-8."""
    o = offensive(g)
    found = yield from special_reaction(g, side)
    if not o.battles:
        return
    yield from intelligence(g, side)
    if o.condition != "surprise" or (found and not g.second):
        events = yield ask_counter(g, side)
        for event in events:
            emit(g, event)
        draw_escorts(g)
    yield from additions(g)


def _before_reaction(g: State) -> Flow[None]:
    """O-5: bonuses of the active player's event that act before the reaction."""
    o = offensive(g)
    data = g.board.cards[o.card].data if o.event else {}
    if data.get("before_reaction") == "bombard-air":
        yield from bombard_air(g)
    if data.get("halsey_storm") and _us_carrier_at_japan(g):
        yield from lose_random_card(g, JAPAN, "5.31")


def _us_carrier_at_japan(g: State) -> bool:
    o = offensive(g)
    home = [h for h in o.battles if g.board.hexes[h].region == "Japan"]
    decks = [u for u in o.units if g.counter(u).carrier and g.counter(u).nation == "us"]
    return any(o.units[u].battle in home or g.pieces[u].at in home for u in decks)
