"""[4.22] One action of the active player: a card is chosen and used."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.activation import logistics
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.cards import draw_extra, file_card, show
from pbem.games.empire_of_the_sun.deployment import check_stacks, displace_hqs, emergency, send_hq_away
from pbem.games.empire_of_the_sun.events.cards import InitiativeSeized
from pbem.games.empire_of_the_sun.events.markers import RouteBuilt
from pbem.games.empire_of_the_sun.events.offensives import OffensiveBegan
from pbem.games.empire_of_the_sun.events.politics import RivalryEnded
from pbem.games.empire_of_the_sun.events.turns import ActiveSet, Passed, PassesSet
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.happenings.at_once import happen
from pbem.games.empire_of_the_sun.impulse.china import china_offensive
from pbem.games.empire_of_the_sun.impulse.choosing import ask_card, discard, set_future
from pbem.games.empire_of_the_sun.impulse.initiative import next_player
from pbem.games.empire_of_the_sun.impulse.uses import ask_use
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State
from pbem.kernel.events import Marked, Scheduled, Unmarked, emit
from pbem.kernel.flow import Flow

OFFENSIVE = ("moves", "reaction", "battles", "return", "offensive-end", "impulse")


def impulse(g: State) -> Flow[None]:
    """[4.22] One action of the active player; a player without cards is passed over; two empty hands end the phase."""
    if not g.hands[g.active]:
        if not g.hands[FOE[g.active]]:
            for who in (JAPAN, ALLIES):
                emit(g, PassesSet(who, 0))
            return
        emit(g, ActiveSet(FOE[g.active], "4.22"))
    side = g.active
    kind, card, entry = ("play", g.seized, g.future[side]) if g.seized else (yield ask_card(g, side))
    if kind == "pass":
        emit(g, Passed(side))
    elif kind == "future":
        yield from set_future(g, side, card, entry)
    elif kind == "discard":
        shown = yield from show(g, side, card, entry, "discard", "4.22")
        yield from discard(g, shown)
    else:
        yield from _use_card(g, side, card, entry)
    if g.offensive is None:
        yield from _after_card(g)


def _after_card(g: State) -> Flow[None]:
    """[8.34] Stacks are checked after every card; then the other player."""
    if not g.winner:
        yield from check_stacks(g)
    next_player(g)


def _use_card(g: State, side: str, card_id: str, entry: str) -> Flow[None]:
    seized = bool(g.seized)
    card = yield from show(g, side, card_id, entry, "play", "5.0")
    if seized:
        emit(g, InitiativeSeized(""))
    emit(g, Marked("card", "5.32"))
    use = yield ask_use(g, side, card, seized)
    match use.kind:
        case "operations":
            _begin(g, card, use.hq, False)
        case "event":
            yield from _event(g, card, use.hq)
        case "china":
            yield from china_offensive(g, card)
        case "withdraw":
            send_hq_away(g, use.hq, "6.13")
        case "return":
            emit(g, Placed(use.hq, use.place, "map", "6.15"))
        case "air":
            emit(g, Placed(use.unit, 0, "track", "8.33", due=g.turn + 1, undelayable=True))
        case "route":
            emit(g, RouteBuilt(use.route))
        case "rivalry":
            emit(g, RivalryEnded(side, "17.26"))
    if g.offensive is None:
        emit(g, Unmarked("card", "5.32"))
        file_card(g, card, use.kind == "event")
        if use.kind == "event" and card.type != "military" and card.draw:
            yield from draw_extra(g, card.side)


def _begin(g: State, card: Card, hq: str, event: bool) -> None:
    """[7.1] An offensive: its allowance of units is efficiency and operations or logistics value."""
    base = logistics(card, hq) if event else card.ops
    emit(g, OffensiveBegan(card.side, card.id, event, hq, card.ops, base, card.data.get("asp", 0) if event else 0, "7.1"))
    emit(g, Scheduled(tuple((name, ()) for name in OFFENSIVE), "7.2"))


def _event(g: State, card: Card, hq: str) -> Flow[None]:
    yield from happen(g, card)
    if card.type == "military" and (not hq or g.pieces[hq].box == "map"):
        _begin(g, card, hq, True)
    if g.offensive is None:
        displace_hqs(g)
        yield from emergency(g)
