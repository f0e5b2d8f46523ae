"""[5.32] D: react, let it pass, or call the offensive off by weather."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.cards import draw_extra, file_card, show, usable
from pbem.games.empire_of_the_sun.events.cards import CardFiled, CardPlayed
from pbem.games.empire_of_the_sun.impulse.initiative import next_player
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.orders import split_order, takes_nothing
from pbem.games.empire_of_the_sun.phase_forms import card_form
from pbem.games.empire_of_the_sun.reaction.cards import reaction_card
from pbem.games.empire_of_the_sun.state import ALLIES, State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.events import Rewound, Unmarked, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal
from pbem.kernel.proposals import Proposals
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import Message, msg


def _prompt(g: State) -> Message:
    o = offensive(g)
    card = g.board.cards[o.card].told
    if not o.battles:
        return msg("{card}: react, or let it pass?", card=card)
    places = tuple(g.board.name(place) for place in o.battles)
    return msg("{card}, attack on {places}: react, or let it pass?", card=card, places=places)


def ask_reaction(g: State, side: str) -> Ask:
    """[7.2] O-4: what is done, with which card, and its entry of the hand."""
    o = offensive(g)

    def read(plain: Plain) -> tuple[str, str, str]:
        verb, body = split_order(plain, ("pass", "react", "weather", "cancel"))
        if verb in ("pass", "react"):
            takes_nothing(verb, body)
            return verb, "", ""
        card, entry = reaction_card(g, side, body)
        kind = g.board.cards[card]
        if verb == "weather" and not kind.data.get("weather"):
            raise illegal(msg("this is no Weather card: {card}", card=kind.told), "5.32")
        if verb == "weather" and g.board.cards[o.card].data.get("no_weather") and o.event:
            raise illegal(msg("this offensive cannot be cancelled by weather"), "5.31")
        if verb == "cancel" and (kind.data.get("cancel") != "seac" or o.hq != "hq-seac"):
            raise illegal(msg("this offensive is not cancelled by this card: {card}", card=kind.told), "5.32")
        return verb, card, entry

    def options() -> Sequence[Plain]:
        orders: list[Plain] = ["react", "pass"]
        orders += [{v: c} for v in ("weather", "cancel") for c in usable(g, side)]
        return Proposals(read, orders)

    return Ask(
        side,
        "reaction",
        "7.2",
        _prompt(g),
        read,
        ("pass", "react", "weather", "cancel"),
        facts={
            "card": o.card,
            "event": o.event,
            "battles": len(o.battles),
            "asp": sum(a.asp for a in o.units.values()),
            "units": len(o.units),
        },
        options=options,
        policy=lambda word: word if word in ("pass", "react") else None,
        form=lambda: card_form("reaction", g, side, read),
    )


def cancel(g: State, side: str, card_id: str, entry: str) -> Flow[None]:
    """[5.32] D: everything since the card was turned up is taken back; the cancelled card goes to the discards."""
    o = offensive(g)
    cancelled, active = g.board.cards[o.card], list(o.units)
    shown = yield from show(g, side, card_id, entry, "reaction", "5.32")
    emit(g, Rewound("card", "5.32"))
    emit(g, Unmarked("card", "5.32"))
    emit(g, CardPlayed(side, entry, card_id, "reaction", "5.32"))
    file_card(g, cancelled, False)
    emit(g, CardFiled(side, card_id, "out_of_play" if shown.remove or g.second else "discards", "5.36"))
    if "storm_damage" in shown.data:
        ships = [u for u in active if g.counter(u).type in shown.data["storm_damage"] and not g.weak(u)]
        unit = yield from choose_unit(
            g.board.unit_index, side, "target", "5.32", msg("the ship that the storm damages"), ships, none=True
        )
        if unit:
            lose_step(g, unit, "5.32")
    if shown.data.get("cancel"):
        corps = [u for u in g.on_map(ALLIES) if g.counter(u).nation == "indian" and g.counter(u).size == 3 and not g.weak(u)]
        unit = yield from choose_unit(
            g.board.unit_index, ALLIES, "target", "5.32", msg("the Indian corps that is reduced"), corps
        )
        if unit:
            lose_step(g, unit, "5.32")
    if shown.draw:
        yield from draw_extra(g, side)
    next_player(g)
