"""[5.0] Strategy cards: hands, draws, and what an event needs.

Keys of a card's data: `lv` logistics value, `hq` HQs that may lead, `only` kinds of units, `max_ground`, `ground_size`,
`ground_nation`, `ground_units`, `only_units`, `only_one_of`; `needs` and `battles` conditions; `effects` of the offensive;
the rest are happenings (see happenings) and reactions (see reaction).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.events.cards import CardFiled, CardPlayed, CardsDrawn, ExtraDrawn, Reshuffled, ReshuffleDue
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Draw, Flow, Open
from pbem.kernel.orders import illegal, nearest, possible, unreadable
from pbem.kernel.proposals import stands
from pbem.kernel.wording import NO_WORDS, Message, msg, quoted

FIRST_EDITION_DECK = {JAPAN: 84, ALLIES: 81}  # see rulings.yaml, DECK
EXTRA_DRAWS = 3  # [5.35]


def hidden(entry: str) -> bool:
    """A handle; otherwise the entry is a card that both sides know."""
    return ":" in entry


def deck_of(g: State, side: str) -> list[str]:
    """Every card of one side that this game uses."""
    if g.decks[side]:
        return g.decks[side]
    limit = 99 if g.second else FIRST_EDITION_DECK[side]
    return [c for c in g.board.cards if g.board.cards[c].side == side and int(c[1:]) <= limit]


def draw_cards(g: State, side: str, count: int, rule: str) -> Flow[None]:
    """[4.14] Draw unseen; an empty draw pile takes the discards back first [AMB-23]. No card is on the table then."""
    while count > 0:
        held = [*g.hands[side], *([g.future[side]] if g.future[side] else [])]
        base = deck_of(g, side)
        gone = (*held, *g.discards[side], *g.out_of_play[side])
        less = [x for x in gone if hidden(x) or x in base]
        left = len(base) - len(less)
        if left <= 0 and not g.discards[side]:
            return
        if left <= 0:
            emit(g, Reshuffled(side, "AMB-23"))
            continue
        now = min(count, left)
        entries = yield Draw(side, f"{side} deck", tuple(sorted(base)), tuple(less), now, rule)
        emit(g, CardsDrawn(side, tuple(entries), rule))
        count -= now


def draw_extra(g: State, side: str, rule: str = "5.35") -> Flow[None]:
    """[5.35] A card drawn by an event, at most three in an Offensives Phase."""
    if g.extra[side] >= EXTRA_DRAWS:
        return
    emit(g, ExtraDrawn(side, rule))
    yield from draw_cards(g, side, 1, rule)


def read_card(g: State, side: str, body: Plain) -> tuple[str, str]:
    """`J14 japan:draw0:3`, or `J14` when both sides know where it is: the card and its place in the hand. Raises Rejected."""
    if not isinstance(body, str):
        raise unreadable(msg("{given} is no card", given=quoted(body)), msg("for example {example}", example="`J14`"))
    words = body.split()
    card = words[0].upper() if words else ""
    if card not in g.board.cards or g.board.cards[card].side != side:
        own = [c for c in g.board.cards if g.board.cards[c].side == side]
        raise unreadable(msg("{given} is no card of this side", given=quoted(body)), nearest(card, own))
    entry = words[1] if len(words) > 1 and ":" in words[1] else card
    if entry not in usable(g, side):
        held = tuple(str(g.board.cards[e]) for e in usable(g, side) if not hidden(e))
        raise illegal(msg("this card is not in hand: {card}", card=g.board.cards[card].told), "5.0", possible(held))
    if card in (*g.discards[side], *g.out_of_play[side]):
        raise illegal(msg("this card has been played: {card}", card=g.board.cards[card].told), "5.0")
    return card, entry


def usable(g: State, side: str) -> list[str]:
    """[7.29] The hand, and the future offensives card of an earlier turn while it is not the last card."""
    future = g.future[side] if g.hands[side] else ""
    return [*g.hands[side], *([future] if future and g.future_turn[side] < g.turn else [])]


def show(g: State, side: str, card: str, entry: str, use: str, rule: str) -> Flow[Card]:
    """The card is turned up and leaves the hand."""
    if hidden(entry):
        yield Open(side, entry, rule, shows=card)
    emit(g, CardPlayed(side, entry, card, use, rule))
    return g.board.cards[card]


def file_card(g: State, card: Card, as_event: bool) -> None:
    """[5.36] Out of the game if it says so and was used as an event; else on the discard pile; some bring a reshuffle."""
    pile = "out_of_play" if as_event and card.remove else "discards"
    emit(g, CardFiled(card.side, card.id, pile, "5.36"))
    if card.reshuffle and not as_event and card.side not in g.reshuffle:
        emit(g, ReshuffleDue(card.side))


def why_no_event(g: State, card: Card) -> Message:
    """[5.31] Why the active player cannot play this card as an event now, or nothing."""
    if card.type == "reaction":
        return msg("reaction cards are played against an offensive")
    if "special" in card.data:
        if card.id == "J2" and "J1" in g.hands[JAPAN]:
            return msg("Operation Z comes first")
        return NO_WORDS if g.turn == 1 else msg("it opens the war")
    needs = card.data.get("needs", "")
    reasons: dict[str, Message] = {
        "doolittle": NO_WORDS if g.has("doolittle") else msg("it answers the Doolittle Raid"),
        "strategic-agreement": NO_WORDS if JAPAN not in g.rivalry else msg("Army and Navy are in rivalry"),
    }
    if reasons.get(needs):
        return reasons[needs]
    if g.turn < card.data.get("from_turn", 0):
        return msg("its time has not come")
    if "soviets" in card.data and not g.has("tojo"):
        return msg("Tojo has not resigned")
    if card.data.get("barges") and g.barges == "never" and not g.second:
        return msg("PT boats have ended the barges")
    return NO_WORDS


def must_play_event(g: State, card: Card) -> bool:
    """[5.37] Tojo Resigns and Soviets Invade Manchuria have to be events as soon as they can be."""
    return bool(card.data.get("must")) and not why_no_event(g, card)


def _prepared(body: Plain, cards: Mapping[str, str]) -> str:
    """[7.29] A card that goes face down: its handle alone, so that the order does not tell which it is."""
    return cards.get(body.strip().upper(), "") if isinstance(body, str) else ""


def with_handles(g: State, side: str, order: Plain, cards: dict[str, str]) -> Plain:
    """An order with `J14` turned into `J14 japan:draw0:3` for cards that only the owner knows (card -> handle)."""
    if isinstance(order, dict):
        face_down = {k: _prepared(v, cards) for k, v in order.items() if k.strip().lower() == "future"}
        return {k: face_down.get(k) or with_handles(g, side, v, cards) for k, v in order.items()}
    if isinstance(order, list):
        return [with_handles(g, side, v, cards) for v in order]
    if not isinstance(order, str):
        return order
    verb, _, rest = order.partition(":")
    if verb.strip().lower() == "future" and _prepared(rest, cards):
        return f"{verb}: {_prepared(rest, cards)}"

    def spelled(found: re.Match[str]) -> str:
        card = found[1].upper()
        return f"{card} {cards[card]}" if card in cards and not found[2] else found[0]

    return re.sub(r"\b([JAja][0-9]{1,2})\b(\s+\w+:draw)?", spelled, order)


CARD_WORDS = {  # question -> words of orders that name one card
    "card": ("play", "future", "discard"),
    "initiative": ("initiative",),
    "reaction": ("weather", "cancel"),
    "intelligence": ("intelligence",),
    "cards": ("cards",),
}


def hand_options(g: State, ask: Ask, cards: Mapping[str, str]) -> list[Plain]:
    """Legal orders with cards that only the owner knows (card -> handle), as he would write them."""
    held = [c for c, h in cards.items() if h in (*g.hands[ask.seat], g.future[ask.seat])]
    ideas: list[Plain] = [{word: card} for word in CARD_WORDS.get(ask.kind, ()) for card in sorted(held)]
    return [i for i in ideas if stands(ask.read, with_handles(g, ask.seat, i, dict(cards)))]


def japan_in_alaska(g: State) -> bool:
    """[A30] Japanese units stand on an Aleutian hex."""
    return any(g.occupied(JAPAN, h) for h in g.board.region("Alaska"))


def read_cards(rows: Iterable[Mapping[str, Any]]) -> dict[str, Card]:
    """The cards of a card file."""
    plain = ("id", "name", "type", "ops", "kind", "oc", "ec", "draw", "remove", "reshuffle")
    return {
        row["id"]: Card(**{k: row[k] for k in plain if k in row}, data={k: v for k, v in row.items() if k not in plain})
        for row in rows
    }
