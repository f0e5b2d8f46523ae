"""[7.2] Steps 1 to 3 of an offensive: activation, movement in the order given, declaration of battle hexes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.games.empire_of_the_sun import forms
from pbem.games.empire_of_the_sun.activation import (
    PEARL_HARBOR,
    check,
    check_first_strike,
    efficiency,
    eligible,
    eligible_first_strike,
)
from pbem.games.empire_of_the_sun.board import OAHU, TOKYO, Card, distance
from pbem.games.empire_of_the_sun.cards import japan_in_alaska
from pbem.games.empire_of_the_sun.events.offensives import BattleDeclared, Committed, Garrisoned, UnitsActivated
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.happenings.landings import airborne, bluff_landing, chronicle
from pbem.games.empire_of_the_sun.labels import names, places, possible, unread, written
from pbem.games.empire_of_the_sun.lines import sea_reach
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.movement.plans import plan
from pbem.games.empire_of_the_sun.orders import (
    ASSAULT,
    MOVE,
    STRATEGIC,
    Route,
    only_done,
    read_place,
    read_route,
    read_units,
    split_order,
)
from pbem.games.empire_of_the_sun.retreats import disengage
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, LANDINGS, Activated, State, nearest_first, offensive
from pbem.games.empire_of_the_sun.suggestions import activation_options, declaration_options, move_options
from pbem.kernel.canon import Plain
from pbem.kernel.events import Event, Marked, Rewound, Scheduled, Unmarked, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import NO_WORDS, Message, msg

AGAIN = "again"  # take back everything since the activation and start over
MOVE_VERBS = (MOVE, ASSAULT, STRATEGIC, "track", AGAIN, DONE)
BATTLE_VERBS = ("battle", "cover", AGAIN, DONE)
MALAYA_GUNS = (2813, 2015)


@dataclass(slots=True)
class Declaration:
    """Battle hexes and who takes part from outside, as declared so far; covered landings."""

    battles: dict[int, list[str]] = field(default_factory=dict)
    covers: dict[int, list[str]] = field(default_factory=dict)

    def assigned(self) -> list[str]:
        """Units that have a hex already."""
        return [u for units in (*self.battles.values(), *self.covers.values()) for u in units]


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
        kind, place, units = yield _ask_battle(g, declaration)
        if kind == AGAIN:
            _start_over(g)
            return
        if kind == DONE:
            break
        into = declaration.battles if kind == "battle" else declaration.covers
        into.setdefault(place, []).extend(units)
    emit(g, Unmarked("moves", "7.23"))
    _declare(g, declaration)
    if o.event and card.data.get("before_reaction") == "chronicle":
        chronicle(g)


def _start_over(g: State) -> None:
    """[7.23] Nothing has been rolled yet: the active player may activate and move anew."""
    emit(g, Rewound("moves", "7.23"))
    emit(g, Unmarked("moves", "7.23"))
    emit(g, Scheduled((("moves", ()),), "7.23"))


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
        msg("{card}: activate units, at most {n}", card=str(card), n=allowance(g)),
        read,
        ("activate",),
        facts={"card": card.id, "allowance": allowance(g), "ops": o.ops},
        options=lambda: activation_options(g, can(), allowance(g), read),
        form=lambda: forms.activations(g, can(), lambda units: allowance(g, units), read, narrowing),
    )


def _check_chinese(g: State, card: Card | None, hq: str, units: Sequence[str]) -> None:
    """[A38] One of the units is a Chinese army if one is within reach."""
    if card is None or not card.data.get("needs_chinese"):
        return
    armies = [u for u in eligible(g, hq, card) if g.counter(u).nation == "chinese"]
    if armies and not any(u in armies for u in units):
        raise illegal(msg("this event takes a Chinese army along: {card}", card=str(card)), "5.31", possible(names(g, armies)))


# -- movement --------------------------------------------------------------------------------------------------------


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
        _check_operation_1(g, verb, route)
        events = plan(g, o.side, verb, route, False)
        _check_second_battle(g, route)
        return events, route, verb

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
        if not g.second or unit not in o.units or o.units[unit].mode or g.counter(unit).kind != "air":
            why = msg("{unit} is no activated air unit that has not moved", unit=g.counter(unit).name)
            raise illegal(why, "8.33")
    return [Placed(u, 0, "track", "8.33", due=g.turn + 1, undelayable=True) for u in units]


def _check_operation_1(g: State, verb: str, route: Route) -> None:
    """[17.11] Card J1 sails to Oahu in one stack; J2 lands within five hexes of a Japanese port, under escort at bases."""
    o = offensive(g)
    special = g.board.cards[o.card].data.get("special") if o.event else ""
    if special == "operation-z" and (verb != MOVE or set(route.units) != set(o.units)):
        raise illegal(msg("the fleet of Operation Z sails in one stack"), "17.11")
    _check_open_sea(g, route.to)
    if special != "operation-1" or verb != ASSAULT:
        return
    if _sea_distance_to_port(g, route.to) > 5:
        why = msg("{place} is farther than five hexes from every Japanese port", place=g.board.name(route.to))
        raise illegal(why, "17.11")
    ships = [u for u in route.units if g.counter(u).kind == "naval"]
    here = g.board.hexes[route.to]
    if (here.port or here.resource) and not ships and not g.mine_at(JAPAN, route.to, "naval"):
        why = msg("submarines guard ports and resource hexes: the landing needs an escort")
        raise illegal(why, "17.11")


def _check_open_sea(g: State, place: int) -> None:
    """[17.11] Card J1 attacks no Allied fleet at sea."""
    o = offensive(g)
    if not o.event or g.board.cards[o.card].data.get("special") != "operation-z":
        return
    if not g.board.hexes[place].is_land and g.mine_at(ALLIES, place):
        raise illegal(msg("Operation Z attacks no Allied fleet at sea"), "17.11")


def _sea_distance_to_port(g: State, to: int) -> int:
    reach = sea_reach(g, [to], frozenset(), 5)
    return min((n for h, n in reach.items() if g.friendly_port(JAPAN, h)), default=99)


def _meet(g: State, route: Route) -> Flow[None]:
    """[8.43] Ground units that come by land may find that the enemy leaves."""
    o = offensive(g)
    if g.counter(route.units[0]).kind == "ground" and g.mine_at(FOE[o.side], route.to, "ground"):
        yield from disengage(g, route)


# -- declaration -----------------------------------------------------------------------------------------------------


def _ask_battle(g: State, so_far: Declaration) -> Ask:
    o = offensive(g)

    def read(plain: Plain) -> tuple[str, int, list[str]]:
        verb, body = split_order(plain, BATTLE_VERBS)
        if verb == AGAIN:
            only_done(body)
            return AGAIN, 0, []
        if verb == DONE:
            only_done(body)
            check_declaration(g, so_far)
            return DONE, 0, []
        place, units = _place_and_units(g, body)
        if verb == "cover":
            _check_cover(g, so_far, place, units)
        else:
            _check_battle(g, so_far, place, units)
        return verb, place, units

    return Ask(
        o.side,
        "battle",
        "7.24",
        msg("declare battle hexes and who fights from outside"),
        read,
        BATTLE_VERBS,
        facts={"battles": len(so_far.battles)},
        options=lambda: declaration_options(g, must_fight(g), read),
        form=lambda: forms.declarations(
            g, BATTLE_VERBS, must_fight(g), so_far.assigned(), lambda body: _place_and_units(g, body), read
        ),
    )


def _place_and_units(g: State, body: Plain) -> tuple[int, list[str]]:
    """`4021 with CV Akagi, CV Soryu` or `{hex: 4021, units: [...]}`."""
    if isinstance(body, dict):
        if body.keys() - {"hex", "units"} or "hex" not in body:
            raise unreadable(unread("", body), msg("its keys are {keys}", keys=("hex", "units")))
        listed = body.get("units")
        return read_place(g, body["hex"]), read_units(g, listed) if listed else []
    text = str(body) if body is not None else ""
    name, _, rest = text.partition(" with ")
    return read_place(g, name.strip()), read_units(g, rest.strip()) if rest.strip() else []


def must_fight(g: State) -> list[int]:
    """[7.24] Hexes with units of both sides, HQs included."""
    o = offensive(g)
    mine = {g.pieces[u].at for u in o.units if g.pieces[u].box == "map"}
    return sorted(h for h in mine if g.mine_at(FOE[o.side], h) or (o.side == ALLIES and g.intrinsic(h)))


def in_range(g: State, unit: str, place: int) -> bool:
    """[1.3] An air unit or carrier can fight in the hex from where it is; not after a move at parenthetical range."""
    o = offensive(g)
    counter, piece = g.counter(unit), g.pieces[unit]
    entry = o.units.get(unit) or o.reactors.get(unit)
    if not counter.flies or piece.box != "map" or (entry and entry.mode == "strategic"):
        return False
    if entry is not None and entry.far and counter.parenthesis:
        return False
    return distance(piece.at, place) <= counter.reach


def _check_battle(g: State, so_far: Declaration, place: int, units: list[str]) -> None:
    o = offensive(g)
    here = g.board.hexes[place]
    foes = g.mine_at(FOE[o.side], place)
    _check_open_sea(g, place)
    if not foes and not (o.side == ALLIES and g.intrinsic(place)):
        raise illegal(msg("there is no enemy in {place}", place=g.board.name(place)), "7.24")
    if here.region == "IChina":
        raise illegal(msg("no battle in the interior of China"), "7.24")
    if place not in must_fight(g) and not units and not so_far.battles.get(place):
        why = msg("nobody attacks {place}", place=g.board.name(place))
        raise illegal(why, "7.24", msg("name air units or carriers in range"))
    _check_units(g, so_far, place, units, set(must_fight(g)))
    if not o.event and not _only_hex(g, so_far, place):
        raise illegal(msg("an operations card allows one battle hex"), "7.24")


def _only_hex(g: State, so_far: Declaration, place: int) -> bool:
    return {*so_far.battles, *must_fight(g)} <= {place}


def _check_units(g: State, so_far: Declaration, place: int, units: list[str], mandatory: set[int]) -> None:
    o = offensive(g)
    for unit in units:
        name = g.counter(unit).name
        if unit not in o.units:
            raise illegal(msg("{unit} is not activated", unit=name), "7.24")
        if unit in so_far.assigned():
            raise illegal(msg("{unit} has a battle already", unit=name), "9.1")
        if g.pieces[unit].at in mandatory and g.pieces[unit].at != place:
            raise illegal(msg("{unit} fights in the battle hex in which it stands", unit=name), "9.1")
        if g.pieces[unit].at != place and not in_range(g, unit, place):
            far = msg("hexes away: {n}", n=distance(g.pieces[unit].at, place))
            raise illegal(msg("{unit} cannot fight in {place}", unit=name, place=g.board.name(place)), "9.11", far)


def _check_cover(g: State, so_far: Declaration, place: int, units: list[str]) -> None:
    """[7.24] Cover: an own landing into an empty hex of the enemy."""
    o = offensive(g)
    if not g.second:
        raise illegal(msg("the first edition has no covering units"), "7.24")
    landed = [u for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].at == place]
    if not landed or not _may_cover(g, place):
        raise illegal(msg("{place} is no landing in an empty enemy hex", place=g.board.name(place)), "7.24")
    if not units:
        raise unreadable(msg("name the carriers and air units that cover"), written("cover: HEX with UNITS"))
    _check_units(g, so_far, place, units, set(must_fight(g)))


def _may_cover(g: State, place: int) -> bool:
    """An enemy hex without enemy units."""
    foe = FOE[offensive(g).side]
    return g.holds(foe, place) and not g.mine_at(foe, place)


def check_declaration(g: State, so_far: Declaration) -> None:
    """[7.24] [8.21] The whole: one battle hex for an operations card, ships where they may be, the event's own conditions."""
    o = offensive(g)
    hexes = sorted({*so_far.battles, *must_fight(g)})
    if not o.event and len(hexes) > 1:
        raise illegal(
            msg("battle hexes: {things}", things=places(g, hexes)), "7.24", msg("an operations card allows one battle hex")
        )
    if any(g.board.hexes[h].region == "IChina" for h in hexes):
        raise illegal(msg("no battle in the interior of China"), "7.24")
    for unit, entry in o.units.items():
        if g.counter(unit).kind == "naval" and g.pieces[unit].box == "map":
            _check_ship(g, so_far, hexes, unit, entry)
    _check_event(g, hexes)


def _check_ship(g: State, so_far: Declaration, hexes: list[int], unit: str, entry: Activated) -> None:
    """[8.21] Where a ship may end: port, battle, beside a fighting or covering carrier, at an own landing."""
    o = offensive(g)
    at = g.pieces[unit].at
    assigned = so_far.assigned()
    if g.friendly_port(o.side, at) or at in hexes or unit in assigned:
        return
    landings = [g.pieces[u].at for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].box == "map"]
    stacked = any(u in assigned for u in g.mine_at(o.side, at, "naval") if u in o.units)
    if g.counter(unit).carrier:
        near = any(distance(at, h) <= g.counter(unit).range for h in landings)
        if g.second and not _covers_empty_landing(g, at, unit, landings):
            why = msg("{unit} at sea has to fight in a battle or cover a landing", unit=g.counter(unit).name)
            raise illegal(why, "7.24")
        if near:
            return
    if at in landings or stacked or _with_carrier(g, unit, at, landings):
        return
    why = msg("{unit} may not end its move in {place}", unit=g.counter(unit).name, place=g.board.name(at))
    raise illegal(why, "8.21", msg("a friendly port, or a battle"))


def _covers_empty_landing(g: State, at: int, unit: str, landings: list[int]) -> bool:
    """A landing in friendly or empty land has nothing to fight over; then standing by counts as cover."""
    return any(distance(at, h) <= g.counter(unit).range for h in landings)


def _with_carrier(g: State, unit: str, at: int, landings: list[int]) -> bool:
    o = offensive(g)
    decks = [u for u in g.mine_at(o.side, at, "naval") if u in o.units and g.counter(u).carrier and u != unit]
    return any(distance(at, h) <= g.counter(u).range for u in decks for h in landings)


def _check_event(g: State, hexes: list[int]) -> None:
    """[5.31] The conditions of the event on battle hexes and landings; who activates nothing has spent the card."""
    o = offensive(g)
    card = g.board.cards[o.card]
    if not o.event or not o.units:
        return
    if card.data.get("special") == "operation-z" and OAHU not in hexes:
        raise illegal(msg("Operation Z has to make Oahu a battle hex"), "17.11")
    if card.data.get("landing") == "tokyo-10" and not _lands_near_tokyo(g):
        raise illegal(_condition(card, msg("a landing within 10 hexes of Tokyo is needed")), "5.31")
    reason = _battle_condition(g, str(card.data.get("battles", "")), hexes)
    if reason:
        raise illegal(_condition(card, reason), "5.31")


def _lands_near_tokyo(g: State) -> bool:
    return any(a.mode in LANDINGS and distance(g.pieces[u].at, TOKYO) <= 10 for u, a in offensive(g).units.items())


def _condition(card: Card, why: Message) -> Message:
    return msg("{card}: {why}", card=str(card), why=why)


def _battle_condition(g: State, wanted: str, hexes: list[int]) -> Message:
    board = g.board.hexes
    match wanted:
        case "one-hex-islands":
            return (
                NO_WORDS if all(board[h].one_hex_island for h in hexes) else msg("every battle has to be on a one-hex island")
            )
        case "japanese-islands":
            landed = [h for h in hexes if board[h].region == "Japan" and g.mine_at(ALLIES, h, "ground")]
            return NO_WORDS if landed else msg("a battle with ground units in the home islands is needed")
        case "philippines":
            return (
                NO_WORDS
                if any(board[h].region == "Philippines" for h in hexes)
                else msg("a battle in the Philippines is needed")
            )
        case "aleutians-if-japanese":
            fights = any(board[h].region == "Alaska" for h in hexes)
            return NO_WORDS if fights or not japan_in_alaska(g) else msg("a battle in the Aleutians is needed")
    return NO_WORDS


def _declare(g: State, declaration: Declaration) -> None:
    o = offensive(g)
    for place in sorted({*declaration.battles, *must_fight(g)}):
        emit(g, BattleDeclared(place, False, "7.24"))
        for unit in declaration.battles.get(place, ()):
            emit(g, Committed(unit, place, False, "7.24"))
    _stand_by(g, declaration)
    for place, units in sorted(declaration.covers.items()):
        for unit in units:
            emit(g, Committed(unit, place, True, "7.24"))
    guarded = [h for h in o.battles if g.mine_at(FOE[o.side], h, "ground", "hq" if g.second else "ground") or g.intrinsic(h)]
    emit(g, Garrisoned(tuple(guarded)))
    if g.board.cards[o.card].data.get("special") == "operation-1":
        _coast_guns(g)


def _stand_by(g: State, declaration: Declaration) -> None:
    """[7.24] Second edition: a carrier at sea that neither fights nor covers by order covers the nearest landing in range."""
    o = offensive(g)
    landings = {g.pieces[u].at for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].box == "map"}
    for unit in [u for u in o.units if g.second and g.counter(u).carrier and g.pieces[u].box == "map"]:
        at = g.pieces[unit].at
        if g.friendly_port(o.side, at) or at in must_fight(g) or unit in declaration.assigned():
            continue
        near = [h for h in landings if _may_cover(g, h) and distance(at, h) <= g.counter(unit).range]
        if near:
            declaration.covers.setdefault(nearest_first(at, near)[0], []).append(unit)


def _coast_guns(g: State) -> None:
    """[17.11] Manila and Singapore: every ship that escorts a landing there loses a step before the battle."""
    o = offensive(g)
    for place in MALAYA_GUNS:
        landing = any(a.mode in LANDINGS and g.pieces[u].at == place for u, a in o.units.items())
        escorts = [u for u in g.mine_at(JAPAN, place, "naval") if u in o.units]
        if landing and g.holds(ALLIES, place):
            for unit in escorts:
                lose_step(g, unit, "17.11")
