"""The turn and its cards in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.empire_of_the_sun.events.cards import CardFiled, CardPlayed, CardTaken, FutureSet, Reshuffled
from pbem.games.empire_of_the_sun.events.turns import Passed, PhaseBegan, Won
from pbem.games.empire_of_the_sun.labels import PHASES, SIDES, block_of, card
from pbem.games.empire_of_the_sun.state import YEARS, State
from pbem.games.empire_of_the_sun.victory import why_it_ended
from pbem.kernel.wording import Message, Told, msg


def _phase(g: State, x: PhaseBegan) -> Told:
    if x.phase.endswith("Phase"):
        return Told("turn", msg("Turn {turn}, {year}: {phase}", turn=x.turn, year=YEARS[x.turn], phase=PHASES[x.phase]), x.rule)
    return Told("phase", PHASES[x.phase], x.rule)


def _passed(g: State, x: Passed) -> Told:
    left = g.passes[x.side] - 1
    return Told("orders", msg("{power}: pass; passes left: {left}", power=SIDES[x.side], left=left), x.rule)


def _won(g: State, x: Won) -> Told:
    return Told("end", msg("The game is won by: {side} ({reason})", side=SIDES[x.side], reason=why_it_ended(x.reason)), x.rule)


# -- cards ---------------------------------------------------------------------------------------------------------


USES = {
    "play": msg("Played by {power}: {card}"),
    "discard": msg("Discarded by {power}: {card}"),
    "reaction": msg("Reaction card of {power}: {card}"),
}


def _card_played(g: State, x: CardPlayed) -> Told:
    text = Message(USES[x.use].id, {"power": SIDES[x.side], "card": card(g, x.card)})
    return Told("orders", text, x.rule, block_of(g))


def _card_filed(g: State, x: CardFiled) -> Told | None:
    if x.pile != "out_of_play":
        return None
    return Told("orders", msg("{card} leaves the game", card=card(g, x.card)), x.rule, block_of(g))


def _card_taken(g: State, x: CardTaken) -> Told:
    text = msg("Taken from the discard pile by {power}: {card}", power=SIDES[x.side], card=card(g, x.card))
    return Told("orders", text, x.rule)


def _future(g: State, x: FutureSet) -> Told:
    return Told("orders", msg("{power}: a card is set face down for a future offensive", power=SIDES[x.side]), x.rule)


def _reshuffled(g: State, x: Reshuffled) -> Told:
    return Told("orders", msg("{power}: the discard pile is shuffled into the deck again", power=SIDES[x.side]), x.rule)


# -- the table -----------------------------------------------------------------------------------------------------


TELL: dict[type, Callable[[State, Any], Told | None]] = {
    PhaseBegan: _phase,
    Passed: _passed,
    Won: _won,
    CardPlayed: _card_played,
    CardFiled: _card_filed,
    CardTaken: _card_taken,
    FutureSet: _future,
    Reshuffled: _reshuffled,
}
