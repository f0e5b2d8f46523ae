"""[5.32] Reaction cards: which may be played when, and those of step O-9."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.cards import read_card, show, usable
from pbem.games.empire_of_the_sun.events.offensives import ReactionCardPlayed
from pbem.games.empire_of_the_sun.labels import ASKED, of_card
from pbem.games.empire_of_the_sun.orders import split_order
from pbem.games.empire_of_the_sun.phase_forms import card_form
from pbem.games.empire_of_the_sun.state import State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, possible
from pbem.kernel.proposals import Proposals
from pbem.kernel.questions import NONE
from pbem.kernel.wording import msg

MOST_CARDS = 3  # [5.32]


KINDS = {
    "intelligence": msg("intelligence cards"),
    "counteroffensive": msg("counteroffensive cards"),
    "attack": msg("attack cards"),
    "personage": msg("personage cards"),
}


def reaction_card(g: State, side: str, body: Plain) -> tuple[str, str]:
    """The card that an order names and its entry of the hand. Raises Rejected for every other kind of card."""
    card, entry = read_card(g, side, body)
    if g.board.cards[card].type != "reaction":
        raise illegal(msg("this is no reaction card: {card}", card=g.board.cards[card].told), "5.32")
    return card, entry


def read_cards(g: State, side: str, body: Plain, kinds: Sequence[str], after_roll: bool = False) -> list[tuple[str, str]]:
    """Up to three reaction cards of some kinds, one counteroffensive at most. Raises Rejected."""
    o = offensive(g)
    parts = body if isinstance(body, list) else [p.strip() for p in str(body).split(",")]
    found = [reaction_card(g, side, part) for part in parts]
    for card, entry in found:
        if [c for c, _ in found].count(card) > 1 or [e for _, e in found].count(entry) > 1:
            raise illegal(msg("{name} is named twice", name=g.board.cards[card].told), "5.32")
        _check_card(g, g.board.cards[card], kinds, after_roll)
    if len(found) + len(o.reaction_cards) > MOST_CARDS:
        raise illegal(msg("three reaction cards at most in an offensive"), "5.32")
    if g.second and sum(g.board.cards[c].kind == "counteroffensive" for c, _ in found) > 1:
        raise illegal(msg("one counteroffensive card at most"), "5.32")
    return found


def _check_card(g: State, card: Card, kinds: Sequence[str], after_roll: bool) -> None:
    o = offensive(g)
    if card.kind not in kinds:
        why = msg("this card is not played at this point: {card}", card=card.told)
        raise illegal(why, "5.32", possible(tuple(KINDS[kind] for kind in kinds)))
    if after_roll and not card.data.get("after_roll"):
        raise illegal(msg("this card cannot be played after an intelligence roll: {card}", card=card.told), "7.25")
    if card.data.get("needs") == "japanese-air-or-naval" and not any(g.counter(u).kind in ("air", "naval") for u in o.units):
        raise illegal(of_card(card, msg("active Japanese air or naval units are needed")), "5.32")
    if card.data.get("cancel"):
        raise illegal(of_card(card, msg("it is played at once, like weather")), "5.32")


def play_card(g: State, side: str, card_id: str, entry: str) -> Flow[None]:
    """[5.32] The card is shown and takes effect while the offensive lasts."""
    card = yield from show(g, side, card_id, entry, "reaction", "5.32")
    emit(g, ReactionCardPlayed(card_id, card.kind == "counteroffensive"))


def other_cards(g: State, side: str) -> Flow[None]:
    """O-9: attack and personage cards."""
    if not (g.hands[side] or g.future[side]) or len(offensive(g).reaction_cards) >= MOST_CARDS:
        return
    cards = yield _ask_cards(g, side)
    for card, entry in cards:
        yield from play_card(g, side, card, entry)


def _ask_cards(g: State, side: str) -> Ask:
    def read(plain: Plain) -> list[tuple[str, str]]:
        _, body = split_order(plain, ("cards",))
        return [] if body == NONE else read_cards(g, side, body, ("attack", "personage"))

    def options() -> Sequence[Plain]:
        orders: list[Plain] = [{"cards": c} for c in usable(g, side)]
        return Proposals(read, [{"cards": NONE}, *orders])

    return Ask(
        side,
        "cards",
        "5.32",
        ASKED["cards"],
        read,
        ("cards",),
        default={"cards": NONE},
        options=options,
        policy=lambda word: {"cards": word},
        form=lambda: card_form("cards", g, side, read),
    )
