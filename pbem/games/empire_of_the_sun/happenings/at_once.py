"""[5.33] [5.37] What an event does at once, by the table of its keys; cards that are lost or fetched."""

from __future__ import annotations

from functools import partial

from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.cards import hidden, read_card
from pbem.games.empire_of_the_sun.events.cards import CardFiled, CardPlayed, CardTaken, ReshuffleDue
from pbem.games.empire_of_the_sun.events.markers import BargesSet, InForce
from pbem.games.empire_of_the_sun.happenings import blows, tracks, units, voyages
from pbem.games.empire_of_the_sun.happenings.blows import near_tokyo
from pbem.games.empire_of_the_sun.labels import ASKED, unread, written
from pbem.games.empire_of_the_sun.orders import split_order
from pbem.games.empire_of_the_sun.phase_forms import card_form
from pbem.games.empire_of_the_sun.state import JAPAN, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Open, Roll
from pbem.kernel.orders import illegal, nearest, unreadable
from pbem.kernel.questions import NONE, nothing
from pbem.kernel.wording import die_for, msg


def happen(g: State, card: Card) -> Flow[None]:
    """Everything that the event does at once, in the order of the table below."""
    for key, effect in AT_ONCE.items():
        if key in card.data:
            yield from effect(g, card, card.data[key]) or nothing()


# -- cards ---------------------------------------------------------------------------------------------------------


def lose_random_card(g: State, side: str, rule: str) -> Flow[None]:
    """A die picks the place in the hand; the owner shows the card."""
    hand = list(g.hands[side])
    if not hand:
        return
    (die,) = yield Roll(die_for("card lost from the hand of {side}", side=side), 1, len(hand), rule, against=side)
    entry = hand[die - 1]
    card = entry
    if hidden(entry):
        card = yield Open(side, entry, rule)
    emit(g, CardPlayed(side, entry, card, "discard", rule))
    yield from forced_discard(g, side, card)


def forced_discard(g: State, side: str, card_id: str) -> Flow[None]:
    """[5.37] A special card that is forced out of the hand takes effect if it can (first edition: always)."""
    card = g.board.cards[card_id]
    fulfilled = card.data.get("must") and (not g.second or _fulfilled(g, card))
    emit(g, CardFiled(side, card_id, "out_of_play" if fulfilled else "discards", "5.37"))
    if fulfilled:
        yield from happen(g, card)
    elif card.data.get("must") and side not in g.reshuffle:
        emit(g, ReshuffleDue(side))


def _fulfilled(g: State, card: Card) -> bool:
    return g.turn >= card.data.get("from_turn", 0) and ("soviets" not in card.data or g.has("tojo"))


def _lose_card(g: State, card: Card, condition: str) -> Flow[None]:
    """[12.33] A B-29 in its place costs Japan a card of its hand, picked by a die."""
    b29s = [u for u in g.pieces if g.counter(u).b29]
    there = (
        any(g.pieces[u].box == "china" for u in b29s) if condition == "b29-in-china" else any(near_tokyo(g, u) for u in b29s)
    )
    if there:
        yield from lose_random_card(g, JAPAN, "12.33")


def _retrieve(g: State, card: Card, _: bool) -> Flow[None]:
    """Discard a card from the hand and take any card of the discard pile instead."""
    side = card.side
    if not g.hands[side] or not g.discards[side]:
        return

    def read(plain: Plain) -> tuple[str, str, str] | None:
        verb, body = split_order(plain, ("retrieve",))
        if body == NONE:
            return None
        give, word, take = str(body).partition(" for ")
        if not word:
            raise unreadable(unread(verb, body), written("retrieve: CARD of the discards for CARD in hand", "retrieve: none"))
        wanted = give.strip().upper()
        if wanted not in g.discards[side]:
            raise illegal(msg("{given} is not in the discard pile", given=wanted), "5.33", nearest(wanted, g.discards[side]))
        given, entry = read_card(g, side, take.strip())
        if entry not in g.hands[side]:
            raise illegal(msg("the card given must be in hand"), "5.33")
        return wanted, given, entry

    def options() -> list[Plain]:
        known = [e for e in g.hands[side] if not hidden(e)]
        swaps: list[Plain] = [{"retrieve": f"{d} for {k}"} for d in g.discards[side][:6] for k in known[:2]]
        return [{"retrieve": NONE}, *swaps]

    form = partial(card_form, "retrieve", g, side, read)
    chosen = yield Ask(
        side,
        "retrieve",
        "5.33",
        ASKED["retrieve"],
        read,
        ("retrieve",),
        options=options,
        policy=lambda said: said if isinstance(said, dict) else {"retrieve": said},
        form=form,
    )
    if chosen is None:
        return
    wanted, given, entry = chosen
    if hidden(entry):
        yield Open(side, entry, "5.33", shows=given)
    emit(g, CardPlayed(side, entry, given, "discard", "5.33"))
    emit(g, CardTaken(side, wanted, "5.33"))
    yield from forced_discard(g, side, given)


# -- the table -----------------------------------------------------------------------------------------------------


AT_ONCE: dict[str, tracks.Effect] = {
    "rivalry": tracks.rivalry,
    "points": tracks.points,
    "europe": tracks.europe,
    "will": tracks.will,
    "tojo": tracks.simply(InForce("tojo", "5.37")),
    "india": tracks.india,
    "ground_penalty": tracks.ground_penalty,
    "china": tracks.china,
    "soviets": tracks.soviets,
    "doctrine": tracks.simply(InForce("doctrine", "5.33")),
    "doolittle": tracks.simply(InForce("doolittle", "5.34")),
    "interceptors": tracks.simply(InForce("interceptors", "12.32")),
    "delay_allies": tracks.simply(InForce("delayed_next", "10.2")),
    "hump": tracks.simply(InForce("hump", "13.78")),
    "pt_boats": tracks.simply(BargesSet("never")),
    "escort": tracks.escort,
    "submarine_doctrine": tracks.submarine_doctrine,
    "barges": tracks.barges,
    "kwai": tracks.kwai,
    "permanent_asp": tracks.permanent_asp,
    "route": tracks.free_route,
    "arrives": units.arrives,
    "ground_points": units.ground_points,
    "naval_points": units.naval_points,
    "sextant": units.sextant,
    "new_china": units.new_china,
    "airlift": units.airlift,
    "chennault": units.chennault,
    "halsey": units.halsey,
    "vengeance": units.vengeance,
    "air_loss": blows.air_loss,
    "raid_b29": blows.raid_b29,
    "evacuation": voyages.evacuation,
    "redeploy": voyages.redeploy,
    "tokyo_express": voyages.tokyo_express,
    "retrieve": _retrieve,
    "lose_card": _lose_card,
}
