"""[7.25] Intelligence: the roll, and the cards that change its condition."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.battle.strengths import effects
from pbem.games.empire_of_the_sun.board import Card, distance
from pbem.games.empire_of_the_sun.cards import usable
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.events.offensives import ConditionSet, IntelligenceRolled
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.labels import ASKED
from pbem.games.empire_of_the_sun.orders import split_order
from pbem.games.empire_of_the_sun.phase_forms import card_form
from pbem.games.empire_of_the_sun.reaction.cards import play_card, read_cards
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, State, offensive
from pbem.games.empire_of_the_sun.supply import in_zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal
from pbem.kernel.proposals import Proposals
from pbem.kernel.questions import NONE
from pbem.kernel.wording import Argument, die_for, msg, signed

ZONE_HELP = 2  # [7.25] E
CONDITIONS = ("surprise", "intercept", "ambush")
FRENCH_FRIGATE_SHOALS = 5508


def printed_surprise(g: State) -> bool:
    """[5.31] The event of the offensive prints Surprise Attack."""
    o = offensive(g)
    return o.event and g.board.cards[o.card].surprise


def needed(g: State, special: bool) -> int:
    """[7.25] The value to roll against: EC for an event, OC otherwise and where the event prints Surprise Attack."""
    o = offensive(g)
    card = g.board.cards[o.card]
    if o.event and not (special and card.surprise) and card.ec is not None:
        return card.ec
    return card.oc if card.oc is not None else card.ops


def rolled(g: State, side: str, label: str, value: int, rule: str, place: int = 0) -> Flow[bool]:
    """[7.25] D, E: d10, two less if a zone was touched, plus what an event adds; a natural 9 fails."""
    o = offensive(g)
    modifier: int = -ZONE_HELP if o.touched else 0
    modifier += sum(e["intel_roll"] for e in effects(g) if "intel_roll" in e and e["side"] == side and _far_from_shoals(g))
    args: dict[str, Argument] = {"place": g.board.name(place)} if place else {}
    what = die_for(label, value=value, modifier=signed(modifier), **args)
    die = yield from throw(what, rule, FOE[side])
    success: bool = die != 9 and die + modifier <= value
    emit(g, Rolled(what, die, "success" if success else "failure", rule))
    return success


def _far_from_shoals(g: State) -> bool:
    """[J12] French Frigate Shoals are neither in an Allied zone nor within three hexes of a US cruiser."""
    cruisers = [u for u in g.on_map(ALLIES) if g.counter(u).type == "ca" and g.counter(u).nation == "us"]
    near = any(distance(g.pieces[u].at, FRENCH_FRIGATE_SHOALS) <= 3 for u in cruisers)
    return not in_zone(g, ALLIES, FRENCH_FRIGATE_SHOALS) and not near


def intelligence(g: State, side: str) -> Flow[None]:
    """O-7: cards, or one roll; a failed roll can be followed only by a card that says so [J13]."""
    o = offensive(g)
    if o.event and g.board.cards[o.card].data.get("no_intel_change"):
        return
    mode, cards = yield _ask_intelligence(g, side, after_roll=o.rolled)
    if mode == "roll":
        emit(g, IntelligenceRolled("7.25"))
        success = yield from rolled(g, side, "intelligence, {value} or less with {modifier}", needed(g, special=False), "7.25")
        if success:
            emit(g, ConditionSet("intercept"))
        elif _late_card_possible(g, side):
            mode, cards = yield _ask_intelligence(g, side, after_roll=True)
    for card, entry in cards:
        yield from play_card(g, side, card, entry)
    for card, _ in cards:
        _change_condition(g, g.board.cards[card])


def _late_card_possible(g: State, side: str) -> bool:
    """Some card of this deck may still be played after a roll, as far as both sides know."""
    late = [c.id for c in g.board.cards.values() if c.side == side and c.data.get("after_roll")]
    gone = (*g.discards[side], *g.out_of_play[side])
    return bool(g.hands[side]) and any(c not in gone for c in late)


def _change_condition(g: State, card: Card) -> None:
    o = offensive(g)
    new = str(card.data.get("intel", ""))
    if new and CONDITIONS.index(new) > CONDITIONS.index(o.condition):
        emit(g, ConditionSet(new))


def _ask_intelligence(g: State, side: str, after_roll: bool) -> Ask:
    def read(plain: Plain) -> tuple[str, list[tuple[str, str]]]:
        _, body = split_order(plain, ("intelligence",))
        if body == NONE:
            return NONE, []
        if body == "roll":
            if after_roll:
                raise illegal(msg("there is one intelligence roll in an offensive"), "7.25")
            if printed_surprise(g):
                raise illegal(msg("the event prints Surprise Attack: only a card can change that"), "5.31")
            return "roll", []
        return "cards", read_cards(g, side, body, ("intelligence", "counteroffensive"), after_roll)

    def options() -> Sequence[Plain]:
        orders: list[Plain] = [{"intelligence": word} for word in (NONE, "roll", *usable(g, side))]
        return Proposals(read, orders)

    return Ask(
        side,
        "intelligence",
        "7.25",
        ASKED["intelligence"],
        read,
        ("intelligence",),
        facts={"value": needed(g, special=False), "zone": offensive(g).touched, "rolled": after_roll},
        default={"intelligence": NONE} if after_roll else None,
        options=options,
        policy=lambda word: {"intelligence": word},
        form=lambda: card_form("intelligence", g, side, read),
    )
