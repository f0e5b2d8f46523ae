"""[5.0] Cards: drawn, played, set aside for a future offensive, laid down."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State


class CardsDrawn(Struct, frozen=True):
    """[4.14] Cards come into a hand; their faces are known to the owner only."""

    side: str
    entries: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.hands[self.side].extend(self.entries)


class CardPlayed(Struct, frozen=True):
    """A card leaves a hand (or was the future offensives card) for a use."""

    side: str
    entry: str  # the handle or known card that left the hand
    card: str
    use: str  # operations, event, reaction, discard, ...
    rule: str

    def apply(self, g: State) -> None:
        if g.future[self.side] == self.entry:
            g.future = {**g.future, self.side: ""}
        else:
            g.hands[self.side].remove(self.entry)


class CardFiled(Struct, frozen=True):
    """A card comes to rest: `discards` or `out_of_play`."""

    side: str
    card: str
    pile: str
    rule: str

    def apply(self, g: State) -> None:
        getattr(g, self.pile)[self.side].append(self.card)


class CardTaken(Struct, frozen=True):
    """[5.33] A card known to both comes from the discard pile into the hand."""

    side: str
    card: str
    rule: str

    def apply(self, g: State) -> None:
        g.discards[self.side].remove(self.card)
        g.hands[self.side].append(self.card)


class FutureSet(Struct, frozen=True):
    """[7.29] A card goes face down as future offensives card."""

    side: str
    entry: str
    rule: str

    def apply(self, g: State) -> None:
        g.hands[self.side].remove(self.entry)
        g.future = {**g.future, self.side: self.entry}
        g.future_turn = {**g.future_turn, self.side: g.turn}


class InitiativeSeized(Struct, frozen=True):
    """[7.29] A future offensive takes the initiative; no card: it has been used."""

    card: str
    rule: str = "7.29"

    def apply(self, g: State) -> None:
        g.seized = self.card


class ExtraDrawsBegan(Struct, frozen=True):
    """[5.35] No card has been drawn by an event in this phase yet."""

    rule: str = "5.35"

    def apply(self, g: State) -> None:
        g.extra = {JAPAN: 0, ALLIES: 0}


class ExtraDrawn(Struct, frozen=True):
    """[5.35] A side draws one card more by an event."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.extra = {**g.extra, self.side: g.extra[self.side] + 1}


class ReshuffleDue(Struct, frozen=True):
    """[5.37] A side shuffles its discard pile at the end of the turn."""

    side: str
    rule: str = "5.37"

    def apply(self, g: State) -> None:
        g.reshuffle = [*g.reshuffle, self.side]


class Reshuffled(Struct, frozen=True):
    """[5.36] The discard pile goes back into the deck."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.discards[self.side].clear()


class DealLossSet(Struct, frozen=True):
    """[12.2] Cards that Japan loses in the next deal."""

    cards: int
    rule: str

    def apply(self, g: State) -> None:
        g.deal_loss = self.cards
