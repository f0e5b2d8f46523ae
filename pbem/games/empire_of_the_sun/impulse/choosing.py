"""[4.22] [7.29] The card of an impulse: played, discarded, set aside for a future offensive, or none."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.cards import file_card, hidden, read_card, usable, why_no_event
from pbem.games.empire_of_the_sun.events.cards import CardFiled, FutureSet
from pbem.games.empire_of_the_sun.happenings.at_once import happen
from pbem.games.empire_of_the_sun.orders import split_order, takes_nothing
from pbem.games.empire_of_the_sun.phase_forms import card_form
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Claim, Flow, Reveal
from pbem.kernel.orders import illegal, possible
from pbem.kernel.proposals import Proposals
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim

CARD_VERBS = ("play", "future", "discard", "pass")
SPECIAL_CARDS = ("J43", "A79")  # [5.37] Tojo Resigns, Soviets Invade Manchuria


def ask_card(g: State, side: str) -> Ask:
    """[5.0] The question for a card; answered by what is done, the card, and the entry of the hand."""

    def read(plain: Plain) -> tuple[str, str, str]:
        verb, body = split_order(plain, CARD_VERBS)
        match verb:
            case "pass":
                return _read_pass(g, side, body)
            case "future":
                return _read_future(g, side, body)
            case "discard":
                return _read_discard(g, side, body)
        card, entry = read_card(g, side, body)
        _check_opening(g, g.board.cards[card])
        return "play", card, entry

    return Ask(
        side,
        "card",
        "5.0",
        msg("turn {turn}: play a card", turn=g.turn),
        read,
        CARD_VERBS,
        facts={"turn": g.turn, "cards": g.hand_size(side), "passes": g.passes[side]},
        options=lambda: Proposals(read, card_options(g, side)),
        form=lambda: card_form("card", g, side, read),
    )


def _check_opening(g: State, card: Card) -> None:
    """[17.11] The two cards that open the war have no other use than their events, in their order."""
    reason = why_no_event(g, card) if card.data.get("special") else NO_WORDS
    if reason:
        raise illegal(with_card(card, reason), "17.11")


def with_card(card: Card, reason: Message) -> Message:
    """Why a card is refused as event."""
    return msg("{card} cannot be played as event: {why}", card=card.told, why=reason)


def only_event(card: Card) -> Message:
    """The refusal of every other use."""
    return msg("this card has to be played as event: {card}", card=card.told)


def card_options(g: State, side: str) -> list[Plain]:
    """What may be done with cards that are known to both sides, and what needs no card; the question's `read` judges it."""
    known = [e for e in usable(g, side) if not hidden(e)]
    plays: list[Plain] = [{"play": c} for c in known]
    others: list[Plain] = [{verb: c} for c in known for verb in ("discard", "future")]
    return [*plays, *others, "pass"]


def _read_pass(g: State, side: str, body: Plain) -> tuple[str, str, str]:
    takes_nothing("pass", body)
    if not g.passes[side]:
        raise illegal(msg("no pass is left"), "12.4")
    return "pass", "", ""


def _read_future(g: State, side: str, body: Plain) -> tuple[str, str, str]:
    """[7.29] One at a time, once a turn, never the two special cards; a hidden card is named by its place in the hand."""
    if g.future[side]:
        raise illegal(msg("a future offensives card is held already"), "7.29")
    if g.future_turn[side] == g.turn:
        raise illegal(msg("one card a turn may be prepared"), "7.29")
    if isinstance(body, str) and hidden(body):
        if body not in g.hands[side]:
            raise illegal(
                msg("this card is not in hand: {card}", card=body), "7.29", possible(tuple(map(verbatim, g.hands[side])))
            )
        return "future", "", body
    card, entry = read_card(g, side, body)
    if card in SPECIAL_CARDS or g.board.cards[card].data.get("special"):
        raise illegal(msg("this card cannot be prepared: {card}", card=g.board.cards[card].told), "5.37")
    if entry not in g.hands[side]:
        raise illegal(msg("this card is not in hand: {card}", card=g.board.cards[card].told), "7.29")
    return "future", card, entry


def _read_discard(g: State, side: str, body: Plain) -> tuple[str, str, str]:
    card, entry = read_card(g, side, body)
    special = g.board.cards[card]
    if card in SPECIAL_CARDS and g.second:
        raise illegal(msg("this card has to be played: {card}", card=special.told), "5.37")
    if special.data.get("special"):
        raise illegal(only_event(special), "17.11")
    if entry == g.future[side] and g.second:
        raise illegal(msg("the future offensives card is not discarded"), "7.29")
    return "discard", card, entry


def set_future(g: State, side: str, card: str, entry: str) -> Flow[None]:
    """[7.29] The owner of a hidden card states that it is neither of the two special cards."""
    if hidden(entry):

        def truth(reveal: Reveal) -> Plain:
            return reveal(entry) not in SPECIAL_CARDS

        def read(stated: Plain) -> Plain:
            if stated is not True:
                raise illegal(msg("Tojo Resigns and Soviets Invade Manchuria cannot be prepared"), "5.37")
            return stated

        def allowed(true: Plain, said: Plain) -> bool:
            return true is True and said is True

        yield Claim(side, "future offensives card", verbatim(entry), "7.29", truth, allowed, read)
    emit(g, FutureSet(side, entry, "7.29"))


def discard(g: State, card: Card) -> Flow[None]:
    """[4.22] A voluntary discard; first edition: a special card takes place even so [5.36]."""
    if card.data.get("must") and not g.second:
        emit(g, CardFiled(card.side, card.id, "out_of_play", "5.36"))
        yield from happen(g, card)
    else:
        file_card(g, card, False)
