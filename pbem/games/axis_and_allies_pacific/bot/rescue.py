"""Aircraft that no land can take in, and the decks that can: what is lost already, and what still has to be ordered."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT, Deck, homeless, most_landed, reach_of
from pbem.games.axis_and_allies_pacific.pledges import decks_to_come
from pbem.games.axis_and_allies_pacific.state import State, Unit


def lost(g: State, power: str) -> int:
    """How many of them come down nowhere, whatever is ordered."""
    return _lost(g, power, "lost", False)


def adrift(g: State, power: str) -> int:
    """How many of them come down nowhere if no carrier sails any more."""
    return _lost(g, power, "adrift", True)


def _lost(g: State, power: str, name: str, anchored: bool) -> int:
    memo, question = g.memo(), (name, power)
    if question not in memo:
        planes = homeless(g, power)
        spaces = [reach_of(g, u, u.at, u.used) for u in planes if u.type in CARRIER_AIRCRAFT]
        decks = [_at_anchor(ship, deck) if anchored else deck for ship, deck in decks_to_come(g, power)] if planes else []
        memo[question] = len(planes) - most_landed(spaces, [d for d in decks if d.room > 0])
    return int(memo[question])


def _at_anchor(ship: Unit | None, deck: Deck) -> Deck:
    return deck if ship is None else Deck(deck.room, {ship.at: 0})
