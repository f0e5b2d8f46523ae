"""[7.2] O-1 and O-2: units are activated and move, stack after stack; then the battles are declared."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.activation import (
    PEARL_HARBOR,
    check,
    check_first_strike,
    efficiency,
    eligible,
    eligible_first_strike,
)
from pbem.games.empire_of_the_sun.battle.retreats import disengage
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.events.offensives import UnitsActivated
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.happenings.landings import airborne, bluff_landing, chronicle
from pbem.games.empire_of_the_sun.labels import names
from pbem.games.empire_of_the_sun.movement.plans import plan
from pbem.games.empire_of_the_sun.operations import forms
from pbem.games.empire_of_the_sun.operations.battle_hexes import Declaration, must_fight
from pbem.games.empire_of_the_sun.operations.declaration import ask_battle, declare
from pbem.games.empire_of_the_sun.operations.first_turn import check_operation_1
from pbem.games.empire_of_the_sun.orders import ASSAULT, MOVE, STRATEGIC, Route, only_done, read_route, read_units, split_order
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.games.empire_of_the_sun.suggestions import activation_options, move_options
from pbem.kernel.canon import Plain
from pbem.kernel.events import Event, Marked, Rewound, Scheduled, Unmarked, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, possible
from pbem.kernel.questions import AGAIN, DONE
from pbem.kernel.wording import msg

MOVE_VERBS = (MOVE, ASSAULT, STRATEGIC, "track", AGAIN, DONE)


def moves(g: State) -> Flow[None]:
    """[7.2] O-1 to O-3."""
    o = offensive(g)
    card = g.board.cards[o.card]
    emit(g, Marked("moves", "7.23"))
    yield from _activate(g, card)
    if o.event and card.data.get("bluff_landing"):
        yield from bluff_landing(g)
    if o.event and card.data.get("airborne"):
        yield from airborne(g)
    while True:
        events, route, verb = yield _ask_move(g)
        if verb == AGAIN:
            _start_over(g)
            return
        if not verb:
            break
        for event in events:
            emit(g, event)
        if route is not None and verb == MOVE:
            yield from _meet(g, route)
    declaration = Declaration()
    while True:
        kind, place, units = yield ask_battle(g, declaration)
        if kind == AGAIN:
            _start_over(g)
            return
        if kind == DONE:
            break
        into = declaration.battles if kind == "battle" else declaration.covers
        into.setdefault(place, []).extend(units)
    emit(g, Unmarked("moves", "7.23"))
    declare(g, declaration)
    if o.event and card.data.get("before_reaction") == "chronicle":
        chronicle(g)


def _start_over(g: State) -> None:
    """[7.23] Nothing has been rolled yet: the active player may activate and move anew."""
    emit(g, Rewound("moves", "7.23"))
    emit(g, Unmarked("moves", "7.23"))
    emit(g, Scheduled((("moves", ()),), "7.23"))


def _meet(g: State, route: Route) -> Flow[None]:
    """[8.43] Ground units that come by land may find that the enemy leaves."""
    o = offensive(g)
    if g.counter(route.units[0]).kind == "ground" and g.mine_at(FOE[o.side], route.to, "ground"):
        yield from disengage(g, route)


# -- activation ----------------------------------------------------------------------------------------------------


def _activate(g: State, card: Card) -> Flow[None]:
    o = offensive(g)
    if card.data.get("special") == "operation-z":
        emit(g, UnitsActivated(o.side, tuple(u for u in PEARL_HARBOR if g.pieces[u].box == "map"), "17.11"))
        return
    units = yield _ask_activation(g, card)
    if units:
        emit(g, UnitsActivated(o.side, tuple(units), "7.21"))


def allowance(g: State, units: Sequence[str] = ()) -> int:
    """[7.21] How many units the active player may activate."""
    o = offensive(g)
    return o.allowance + (efficiency(g, o.hq, units) if o.hq else 0)


def _ask_activation(g: State, card: Card) -> Ask:
    o = offensive(g)
    first_strike = card.data.get("special") == "operation-1"
    event = card if o.event else None

    def narrowing(plain: Plain) -> list[str]:
        _, body = split_order(plain, ("activate",))
        units = [] if body == "none" else read_units(g, body)
        if first_strike:
            check_first_strike(g, units, o.allowance)
        else:
            check(g, o.hq, units, o.allowance, event)
        return units

    def read(plain: Plain) -> list[str]:
        units = narrowing(plain)
        _check_chinese(g, card if o.event else None, o.hq, units)
        return units

    def can() -> list[str]:
        return eligible_first_strike(g) if first_strike else eligible(g, o.hq, event)

    return Ask(
        o.side,
        "activate",
        "7.21",
        msg("{card}: activate units, at most {n}", card=card.told, n=allowance(g)),
        read,
        ("activate",),
        facts={"card": card.id, "allowance": allowance(g), "ops": o.ops},
        options=lambda: activation_options(g, can(), allowance(g), read),
        policy=lambda said: said if isinstance(said, dict) else {"activate": said},
        form=lambda: forms.activations(g, can(), lambda units: allowance(g, units), read, narrowing),
    )


def _check_chinese(g: State, card: Card | None, hq: str, units: Sequence[str]) -> None:
    """[A38] One of the units is a Chinese army if one is within reach."""
    if card is None or not card.data.get("needs_chinese"):
        return
    armies = [u for u in eligible(g, hq, card) if g.counter(u).nation == "chinese"]
    if armies and not any(u in armies for u in units):
        raise illegal(msg("this event takes a Chinese army along: {card}", card=card.told), "5.31", possible(names(g, armies)))


# -- movement ------------------------------------------------------------------------------------------------------


def _ask_move(g: State) -> Ask:
    o = offensive(g)

    def read(plain: Plain) -> tuple[list[Event], Route | None, str]:
        verb, body = split_order(plain, MOVE_VERBS)
        if verb in (DONE, AGAIN):
            only_done(body)
            return [], None, verb if verb == AGAIN else ""
        if verb == "track":
            return _to_track(g, read_units(g, body)), None, verb
        route = read_route(g, body)
        return moved(g, verb, route), route, verb

    return Ask(
        o.side,
        MOVE,
        "7.23",
        msg("move the activated units, one stack after the other"),
        read,
        MOVE_VERBS,
        facts={"ops": o.ops, "moved": sum(bool(a.mode) for a in o.units.values())},
        options=lambda: move_options(g, read),
        form=lambda: forms.moves(g, MOVE_VERBS, read),
    )


def moved(g: State, verb: str, route: Route) -> list[Event]:
    """[7.23] What a move of the offensive under way makes happen. Raises Rejected."""
    o = offensive(g)
    done = o.touched, tuple(o.moving), o.barge, g.asp_used[o.side]  # what a move leaves behind besides the places
    return [*g.memo.cached(("move", verb, route, done), lambda: _moved(g, verb, route))]


def _moved(g: State, verb: str, route: Route) -> list[Event]:
    check_operation_1(g, verb, route)
    events = plan(g, offensive(g).side, verb, route, False)
    _check_second_battle(g, route)
    return events


def _check_second_battle(g: State, route: Route) -> None:
    """[7.24, A-44] An operations card allows one battle hex: no second hex with units of both sides."""
    o = offensive(g)
    if o.event or not g.mine_at(FOE[o.side], route.to):
        return
    others = [h for h in must_fight(g) if h != route.to and not _all_leave(g, route, h)]
    if others:
        why = msg("there is a battle already in {place}", place=g.board.name(others[0]))
        raise illegal(why, "7.24", msg("an operations card allows one battle hex"))


def _all_leave(g: State, route: Route, place: int) -> bool:
    """The stack that moves is all that the active side has in the hex."""
    o = offensive(g)
    return all(u in route.units for u in g.mine_at(o.side, place) if u in o.units)


def _to_track(g: State, units: list[str]) -> list[Event]:
    """[8.33] Second form of strategic air movement: an activated air unit goes to the turn track."""
    o = offensive(g)
    for unit in units:
        gone = g.pieces[unit].box == "track"
        if not g.second or unit not in o.units or o.units[unit].mode or gone or g.counter(unit).kind != "air":
            why = msg("{unit} is no activated air unit that has not moved", unit=g.counter(unit).name)
            raise illegal(why, "8.33")
    return [Placed(u, 0, "track", "8.33", due=g.turn + 1, undelayable=True) for u in units]
