"""[5.33] [5.34] What events do besides an offensive, by the keys of the card's data. One small function for each key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pbem.games.empire_of_the_sun import card_forms
from pbem.games.empire_of_the_sun.board import TOKYO, Card, distance
from pbem.games.empire_of_the_sun.burma import NORTHERN_FIELDS
from pbem.games.empire_of_the_sun.cards import hidden, read_card
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.deployment import entry_hexes, may_enter_china_box
from pbem.games.empire_of_the_sun.events.cards import CardFiled, CardPlayed, CardTaken, ReshuffleDue
from pbem.games.empire_of_the_sun.events.markers import BargesSet, ExpressPlaced, GroundPenalty, InForce, RouteBuilt
from pbem.games.empire_of_the_sun.events.politics import (
    ChinaMoved,
    EuropeMoved,
    IndiaMoved,
    RivalryBegan,
    RivalryEnded,
    Surrendered,
    WillChanged,
)
from pbem.games.empire_of_the_sun.events.strategy import EscortSet, EscortsStopped, PointsSaved, ShippingSet
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.events.units import Controlled, Placed, Recovered, Returned
from pbem.games.empire_of_the_sun.labels import ASKED, unread, written
from pbem.games.empire_of_the_sun.losses import eliminate, lose_step
from pbem.games.empire_of_the_sun.movement.limits import barred
from pbem.games.empire_of_the_sun.movement.sea import sea_path
from pbem.games.empire_of_the_sun.orders import split_order
from pbem.games.empire_of_the_sun.replacements import chinese_fed, pool_of, rebuildable, replace_steps
from pbem.games.empire_of_the_sun.state import ALLIES, COLLAPSED, INDIA, JAPAN, State, china_coast_lost, offensive
from pbem.games.empire_of_the_sun.supply import hostile, supplied
from pbem.kernel.canon import Plain
from pbem.kernel.events import Event, emit
from pbem.kernel.flow import Ask, Flow, Open, Roll
from pbem.kernel.orders import illegal, nearest, unreadable
from pbem.kernel.questions import NONE, choose_place, choose_unit, nothing
from pbem.kernel.wording import die_for, msg, verbatim

Effect = Callable[[State, Card, Any], Flow[None] | None]
WAR_LIMITS = (-7, 3)  # [15.7]
DUTCH_ISLANDS = ("Java", "Borneo", "Sumatra", "Celebes")


def happen(g: State, card: Card) -> Flow[None]:
    """Everything that the event does at once, in the order of the table below."""
    for key, effect in AT_ONCE.items():
        if key in card.data:
            yield from effect(g, card, card.data[key]) or nothing()


# -- tracks ----------------------------------------------------------------------------------------------------------


def _points(g: State, card: Card, given: dict[str, int]) -> Flow[None]:
    """[5.33] Japanese steps, used at once as in the Replacement Segment, or saved."""
    left = yield from replace_steps(g, JAPAN, given, "5.33")
    for pool, points in left.items():
        emit(g, PointsSaved(pool, g.points[pool] + points, "5.33"))


def _rivalry(g: State, card: Card, turned: dict[str, str]) -> None:
    """[14.0] Rivalry of the services begins or ends."""
    for side, state in turned.items():
        if (side in g.rivalry) != (state == "on"):
            emit(g, RivalryBegan(side) if state == "on" else RivalryEnded(side, "14.0"))


def _europe(g: State, card: Card, by_year: dict[str, int]) -> None:
    """[15.0] The War in Europe marker moves by the figure of the year."""
    low, high = WAR_LIMITS
    emit(g, EuropeMoved(max(low, min(high, g.europe + by_year.get(str(g.year), 0)))))


def _will(g: State, card: Card, by: int) -> None:
    if not (card.data.get("needs") == "japan-holds-manila" and not g.holds(JAPAN, 2813)):
        emit(g, WillChanged(by, verbatim(str(card)), "16.44"))


def _india(g: State, card: Card, by: int) -> None:
    """[13.62] Towards Revolts, never into surrender; first edition: events reach Unrest."""
    if "india" in g.surrendered:
        return
    top = len(INDIA) - 1 if g.second else 1
    if g.india < top:
        emit(g, IndiaMoved(g.india + by))


def _ground_penalty(g: State, card: Card, _: bool) -> None:
    emit(g, GroundPenalty(g.turn + 1))


def _china(g: State, card: Card, by: int) -> None:
    move_china(g, by, "13.72", event=True)


def move_china(g: State, by: int, rule: str, event: bool, into_stable: bool = False) -> None:
    """[13.72] The China front moves; at its left end the government collapses, in the first edition never by event."""
    if "china" in g.surrendered or (by > 0 and china_coast_lost(g)):
        return
    if by > 0:
        to = g.china + by
        if to >= COLLAPSED and event and not g.second:
            return
        emit(g, ChinaMoved(min(COLLAPSED, to), rule))
        if g.china == COLLAPSED:
            china_surrenders(g)
        return
    lowest = 0 if into_stable or not g.second else min(1, g.china)
    if g.china > lowest:
        emit(g, ChinaMoved(max(lowest, g.china + by), rule))


def china_surrenders(g: State) -> None:
    """[13.73] Chinese units leave the game, air units in China the map."""
    emit(g, Surrendered("china", False, "13.73"))
    for unit, piece in g.pieces.items():
        if g.counter(unit).nation == "chinese" and piece.box != "removed":
            emit(g, Placed(unit, 0, "removed", "13.73"))
    escape = g.second or any(g.friendly_airfield(ALLIES, h) for h in NORTHERN_FIELDS if h in g.board.hexes)
    for unit in g.china_box():
        if escape:
            emit(g, Placed(unit, 0, "schedule", "13.73", due=g.turn + 1))
        else:
            emit(g, Placed(unit, 0, "removed", "13.73"))


def _simply(event: Event) -> Effect:
    """An effect that only puts a marker in its place."""

    def effect(g: State, card: Card, _: Any) -> None:
        emit(g, event)

    return effect


def _escort(g: State, card: Card, by: int) -> None:
    if not g.no_escort:
        emit(g, EscortSet(min(4, g.escort + by)))


def _submarine_doctrine(g: State, card: Card, _: bool) -> None:
    emit(g, EscortsStopped())


def _barges(g: State, card: Card, _: bool) -> None:
    if g.barges != "never":
        emit(g, BargesSet("on"))


def _kwai(g: State, card: Card, _: bool) -> None:
    if g.holds(JAPAN, 2108) and g.holds(JAPAN, 2109):
        emit(g, InForce("kwai", "13.79"))


def _permanent_asp(g: State, card: Card, by: int) -> None:
    emit(g, ShippingSet(ALLIES, g.asp[ALLIES] + by, "10.31"))


def _free_route(g: State, card: Card, _: bool) -> Flow[None]:
    """[13.77] Jarhat at once and free, else Ledo or Imphal; the first edition has no such routes."""
    if not g.second or "jarhat" not in g.board.nations.get("routes", {"jarhat": 1}):
        return
    if "jarhat" not in g.routes:
        emit(g, RouteBuilt("jarhat"))
        return
    names = {2205: "ledo", 2105: "imphal"}
    left = [h for h, name in names.items() if name not in g.routes and h in g.board.hexes]
    place = yield from choose_place(g.board.place_index, ALLIES, "route", "13.77", msg("a transport route to build"), left)
    if place:
        emit(g, RouteBuilt(names[place]))


def _soviets(g: State, card: Card, _: bool) -> None:
    """[5.37] Manchuria's resource hexes are lost to Japan for good; China recovers two boxes."""
    emit(g, InForce("soviets", "5.37"))
    for h in (3302, 3303):
        if h in g.board.hexes and g.holds(JAPAN, h):
            emit(g, Controlled(h, ALLIES, "5.37"))
    move_china(g, -2, "13.72", event=True, into_stable=True)


# -- units -----------------------------------------------------------------------------------------------------------


def _arrives(g: State, card: Card, unit: str) -> Flow[None]:
    """[5.31] C, [5.33] A unit comes in by the event, or is out of the game when it cannot."""
    if g.pieces[unit].box != "event":
        return
    places = arrival_hexes(g, unit)
    prompt = msg("where {unit} arrives", unit=g.counter(unit).name)
    place = yield from choose_place(g.board.place_index, card.side, "arrives", "5.33", prompt, places)
    if place:
        emit(g, Placed(unit, place, "map", "5.33"))
    else:
        emit(g, Placed(unit, 0, "removed", "5.33"))


def arrival_hexes(g: State, unit: str) -> list[int]:
    """Where the unit of an event may be put."""
    found = entry_hexes(g, unit)
    if unit == "hq-abda":
        return [h for h in found if g.board.hexes[h].region in DUTCH_ISLANDS]
    if unit == "7th-armored-brigade":
        return [h for h in found if g.board.hexes[h].region in ("India", "NIndia", "Burma")]
    return found


def _ground_points(g: State, card: Card, given: dict[str, Any]) -> Flow[None]:
    """Ground steps to be used at once: near a hex, or for one nation."""

    def near(h: int) -> bool:
        return "within" not in given or distance(h, given["of"]) <= given["within"]

    def may(unit: str) -> bool:
        piece = g.pieces[unit]
        return given.get("nation", g.counter(unit).nation) == g.counter(unit).nation and (piece.box != "map" or near(piece.at))

    def places(unit: str) -> list[int]:
        home = "Australia" if given.get("nation") == "australian" else ""
        return [h for h in entry_hexes(g, unit) if near(h) and home in ("", g.board.hexes[h].region)]

    yield from replace_steps(g, card.side, {"ground": given["steps"]}, "5.33", may, places)


def _naval_points(g: State, card: Card, steps: int) -> Flow[None]:
    yield from replace_steps(g, ALLIES, {"us-naval": steps}, "5.33")


def _sextant(g: State, card: Card, _: bool) -> Flow[None]:
    yield from replace_steps(g, ALLIES, {"chinese": 3 if chinese_fed(g) else 0, "air": 1}, "5.33")


def _new_china(g: State, card: Card, _: bool) -> Flow[None]:
    yield from replace_steps(g, ALLIES, {"chinese": 1}, "5.33", lambda unit: g.pieces[unit].box == "map")


def _airlift(g: State, card: Card, _: bool) -> Flow[None]:
    """One step for the AVG or a 14th Air Force unit; the latter may come back in Northern India or Burma."""
    units = ("avg", "14-af", "14-af-lrb")
    theatre = ("NIndia", "Burma")
    reduced = [u for u in units if g.pieces[u].reduced and _in_theatre(g, u, theatre)]
    gone = [u for u in units if rebuildable(g, u) and pool_of(g.counter(u))]
    unit = yield from choose_unit(
        g.board.unit_index, ALLIES, "airlift", "5.33", msg("the unit that gains a step"), [*reduced, *gone], none=True
    )
    if unit in reduced:
        emit(g, Recovered(unit, "5.33"))
    elif unit:
        places = [h for h in entry_hexes(g, unit) if g.board.hexes[h].region in theatre]
        place = yield from choose_place(
            g.board.place_index, ALLIES, "airfield", "5.33", msg("where {unit} comes back", unit=g.counter(unit).name), places
        )
        if place:
            emit(g, Placed(unit, place, "map", "5.33", reduced=True))


def _in_theatre(g: State, unit: str, regions: Sequence[str]) -> bool:
    piece = g.pieces[unit]
    return piece.box == "china" or (piece.box == "map" and g.board.hexes[piece.at].region in regions)


def _chennault(g: State, card: Card, _: bool) -> Flow[None]:
    """The 14th Air Force takes the place of the AVG."""
    if g.pieces["avg"].box not in ("removed",):
        emit(g, Placed("avg", 0, "removed", "5.31"))
    if g.pieces["14-af"].box != "event":
        return
    everywhere = entry_hexes(g, "14-af")
    near = [h for h in everywhere if g.board.hexes[h].region == "NIndia"]
    box = may_enter_china_box(g, "14-af")
    place = yield from choose_place(
        g.board.place_index,
        ALLIES,
        "airfield",
        "5.31",
        msg("where {unit} arrives", unit=g.counter("14-af").name),
        near or ([] if box else everywhere),
        none=box,
    )
    if place:
        emit(g, Placed("14-af", place, "map", "5.31"))
    elif box:
        emit(g, Placed("14-af", 0, "china", "5.31"))
    else:
        emit(g, Placed("14-af", 0, "removed", "5.31"))


def _halsey(g: State, card: Card, _: bool) -> Flow[None]:
    """Halsey takes over Ghormley's command where it stands."""
    old = g.pieces["hq-ghormley"]
    at, box = old.at, old.box
    emit(g, Placed("hq-ghormley", 0, "removed", "5.31"))
    if g.pieces["hq-halsey"].box != "event":
        return
    if box == "map":
        emit(g, Placed("hq-halsey", at, "map", "5.31"))
    else:
        yield from _arrives(g, card, "hq-halsey")


def _vengeance(g: State, card: Card, _: bool) -> None:
    """Ozawa follows Yamamoto where he stands, on the map or on the turn track."""
    old = g.pieces["hq-yamamoto"]
    at, box, due = old.at, old.box, old.due
    if g.pieces["hq-ozawa"].box != "event" or box == "removed":
        return
    emit(g, Placed("hq-yamamoto", 0, "removed", "5.33"))
    emit(g, Placed("hq-ozawa", at, box, "5.33", due=due, undelayable=True))


def _air_loss(g: State, card: Card, _: bool) -> Flow[None]:
    """Makin: an air unit outside the home islands in command range of a US HQ loses a step."""
    us = [u for u in g.on_map(ALLIES) if g.counter(u).kind == "hq" and g.counter(u).nation == "us"]
    targets = [
        u
        for u in g.on_map(JAPAN)
        if g.counter(u).kind == "air"
        and g.board.hexes[g.pieces[u].at].region != "Japan"
        and any(distance(g.pieces[u].at, g.pieces[h].at) <= g.counter(h).command for h in us)
    ]
    unit = yield from choose_unit(g.board.unit_index, ALLIES, "target", "5.33", msg("the air unit that loses a step"), targets)
    if unit:
        lose_step(g, unit, "5.33")


def _raid_b29(g: State, card: Card, highest: int) -> Flow[None]:
    """A raid on the bombers' airfields: d10 up to the figure costs a B-29 a step."""
    targets = [u for u, p in g.pieces.items() if g.counter(u).b29 and (p.box == "china" or near_tokyo(g, u))]
    if not targets:
        return
    label = die_for("raid on the B-29 airfields")
    die = yield from throw(label, "5.31", ALLIES)
    emit(g, Rolled(label, die, "hit" if die <= highest else "miss", "5.31"))
    if die <= highest:
        unit = yield from choose_unit(g.board.unit_index, JAPAN, "target", "5.31", msg("the B-29 that loses a step"), targets)
        lose_step(g, unit, "5.31")


def near_tokyo(g: State, unit: str) -> bool:
    """[12.31] Within eight hexes of Tokyo."""
    piece = g.pieces[unit]
    return piece.box == "map" and distance(piece.at, TOKYO) <= 8


def _evacuation(g: State, card: Card, most: int) -> Flow[None]:
    """Operation KE: up to three ground units of one coastal hex and its neighbours sail to one friendly port, zones ignored."""
    coast = [h for h, x in g.board.hexes.items() if x.coastal and g.mine_at(JAPAN, h) and _leaving(g, h)]
    centre = yield from choose_place(
        g.board.place_index, JAPAN, "evacuate", "5.33", msg("the coastal hex that is evacuated"), coast, none=True
    )
    if not centre:
        return
    ready = _leaving(g, centre)
    ports = [p for p in g.board.ports if g.friendly_port(JAPAN, p) and p != centre and not g.mine_at(ALLIES, p)]
    port = yield from choose_place(g.board.place_index, JAPAN, "port", "5.33", msg("the port they sail to"), ports)
    for _ in range(most):
        reachable = [u for u in ready if port and _sails(g, u, port)]
        unit = yield from choose_unit(
            g.board.unit_index, JAPAN, "evacuate unit", "5.33", msg("a unit that sails"), reachable, none=True
        )
        if not unit:
            return
        ready.remove(unit)
        path = sea_path(g, g.pieces[unit].at, [port], 30, lambda h: False)
        emit(g, Returned(unit, path or (port,), "5.33"))


def _leaving(g: State, centre: int) -> list[str]:
    """Ground units in a hex and beside it that can go by sea."""
    near = [centre, *(n for n in g.board.near[centre] if n)]
    return [u for h in near for u in g.mine_at(JAPAN, h, "ground") if g.counter(u).ships_out]


def _sails(g: State, unit: str, port: int) -> bool:
    return bool(sea_path(g, g.pieces[unit].at, [port], 30, lambda h: False)) and g.pieces[unit].at != port


def _redeploy(g: State, card: Card, most: int) -> Flow[None]:
    """Fuel shortage: Combined Fleet HQ and up to four ships may go to a port within three hexes of a resource hex."""
    closed = hostile(g, JAPAN)
    oil = [p for p in g.board.ports if g.friendly_port(JAPAN, p) and p not in closed and _near_resource(g, p)]
    port = yield from choose_place(
        g.board.place_index, JAPAN, "port", "5.33", msg("the port the fleet goes to"), oil, none=True
    )
    if not port:
        return
    fleet = [h for h in ("hq-yamamoto", "hq-ozawa") if g.pieces[h].box == "map" and _reaches(g, h, port)]
    free = not any(g.counter(u).kind == "hq" for u in g.units_at(port))
    what = msg("the headquarters that goes along")
    hq = yield from choose_unit(g.board.unit_index, JAPAN, "headquarters", "5.33", what, fleet if free else [], none=True)
    if hq:
        emit(g, Placed(hq, port, "map", "5.33"))
    for _ in range(most):
        ships = [u for u in g.on_map(JAPAN) if g.counter(u).kind == "naval" and g.pieces[u].at != port and _reaches(g, u, port)]
        unit = yield from choose_unit(
            g.board.unit_index, JAPAN, "ship", "5.33", msg("a ship that goes along"), ships, none=True
        )
        if not unit:
            return
        emit(g, Placed(unit, port, "map", "5.33"))


def _near_resource(g: State, place: int) -> bool:
    return any(distance(place, r) <= 3 for r in g.board.resources)


def _reaches(g: State, unit: str, port: int) -> bool:
    closed = hostile(g, JAPAN)
    return sea_path(g, g.pieces[unit].at, [port], 60, lambda h: h in closed) is not None


def _tokyo_express(g: State, card: Card, _: bool) -> Flow[None]:
    """[6.23] The marker goes to a hex in command range of a supplied HQ; first edition: of any."""
    fed = [h for h in g.on_map(JAPAN) if g.counter(h).kind == "hq" and (supplied(g, h) or not g.second)]
    held = [h for h in g.board.hexes if any(distance(g.pieces[q].at, h) <= g.counter(q).command for q in fed)]
    place = yield from choose_place(
        g.board.place_index, JAPAN, "tokyo express", "6.23", msg("the hex of the Tokyo Express"), held, none=True
    )
    if place:
        emit(g, ExpressPlaced(place))


# -- cards -----------------------------------------------------------------------------------------------------------


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

    form = partial(card_forms.form, "retrieve", g, side, read)
    chosen = yield Ask(side, "retrieve", "5.33", ASKED["retrieve"], read, ("retrieve",), options=options, form=form)
    if chosen is None:
        return
    wanted, given, entry = chosen
    if hidden(entry):
        yield Open(side, entry, "5.33", shows=given)
    emit(g, CardPlayed(side, entry, given, "discard", "5.33"))
    emit(g, CardTaken(side, wanted, "5.33"))
    yield from forced_discard(g, side, given)


def _lose_card(g: State, card: Card, condition: str) -> Flow[None]:
    """[12.33] A B-29 in its place costs Japan a card of its hand, picked by a die."""
    b29s = [u for u in g.pieces if g.counter(u).b29]
    there = (
        any(g.pieces[u].box == "china" for u in b29s) if condition == "b29-in-china" else any(near_tokyo(g, u) for u in b29s)
    )
    if there:
        yield from lose_random_card(g, JAPAN, "12.33")


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


# -- options of military events --------------------------------------------------------------------------------------


def bluff_landing(g: State) -> Flow[None]:
    """[J58 to J60] A hex in extended range of an activated air unit, empty or with a lone Dutch regiment, becomes Japanese."""
    o = offensive(g)
    wings = [u for u in o.units if g.counter(u).kind == "air" and g.pieces[u].box == "map"]
    closed = hostile(g, JAPAN)
    open_to = [
        h
        for h, side in sorted(g.control.items())
        if side == ALLIES
        and h not in closed
        and not o.special
        and any(distance(g.pieces[u].at, h) <= g.counter(u).leg for u in wings)
        and not barred(g, JAPAN, JAPAN, h)
        and not any(g.counter(u).type or g.counter(u).nation != "dutch" or g.counter(u).size != 1 for u in g.mine_at(ALLIES, h))
        and len(g.mine_at(ALLIES, h)) <= 1
    ]
    place = yield from choose_place(
        g.board.place_index, JAPAN, "airborne", "5.31", msg("the hex that becomes Japanese"), open_to, none=True
    )
    if place:
        for unit in g.mine_at(ALLIES, place):
            eliminate(g, unit, "5.31")
        emit(g, Controlled(place, JAPAN, "5.31"))


def airborne(g: State) -> Flow[None]:
    """[A69] The 11th Airborne jumps from an airfield with a supplied US air unit onto an empty hex in its range."""
    unit = "11th-airborne-division"
    o = offensive(g)
    piece = g.pieces[unit]
    if piece.box != "map" or unit in o.units or not g.friendly_airfield(ALLIES, piece.at):
        return
    planes = [u for u in g.mine_at(ALLIES, piece.at, "air") if g.counter(u).nation == "us" and supplied(g, u)]
    reach = max((g.counter(u).range if g.counter(u).lrb else g.counter(u).leg for u in planes), default=0)
    closed = hostile(g, ALLIES)
    open_to = [
        h
        for h in g.board.within(piece.at, reach)
        if g.board.hexes[h].is_land
        and h != piece.at
        and h not in closed
        and not g.occupied(JAPAN, h)
        and not g.mine_at(JAPAN, h)
    ]
    place = yield from choose_place(
        g.board.place_index, ALLIES, "airborne", "5.31", msg("where the 11th Airborne jumps"), open_to, none=True
    )
    if place:
        emit(g, Placed(unit, place, "map", "5.31"))
        if g.holds(JAPAN, place):
            emit(g, Controlled(place, ALLIES, "6.5"))


def bombard_air(g: State) -> Flow[None]:
    """[J20] A battleship that shells an airfield without Allied battleships costs one air unit a step."""
    o = offensive(g)
    targets: list[str] = []
    for h in o.battles:
        battleships = [u for u in g.units_at(h) if g.counter(u).type == "bb"]
        if battleships and all(g.counter(u).side == JAPAN for u in battleships):
            targets += g.mine_at(ALLIES, h, "air")
    unit = yield from choose_unit(g.board.unit_index, JAPAN, "target", "5.31", msg("the air unit that is shelled"), targets)
    if unit:
        lose_step(g, unit, "5.31")


def chronicle(g: State) -> None:
    """[A28] Landings on empty one-hex islands bring in the empty one-hex islands beside them."""
    o = offensive(g)
    landed = [
        h for h in dict.fromkeys(g.pieces[u].at for u, a in o.units.items() if a.mode in ("assault", "organic"))
        if g.board.hexes[h].one_hex_island and not g.occupied(JAPAN, h)
    ]  # fmt: skip
    for h in landed:
        for n in g.board.near[h]:
            if n and g.board.hexes[n].one_hex_island and g.holds(JAPAN, n) and not g.occupied(JAPAN, n):
                emit(g, Controlled(n, ALLIES, "5.31"))


AT_ONCE: dict[str, Effect] = {
    "rivalry": _rivalry,
    "points": _points,
    "europe": _europe,
    "will": _will,
    "tojo": _simply(InForce("tojo", "5.37")),
    "india": _india,
    "ground_penalty": _ground_penalty,
    "china": _china,
    "soviets": _soviets,
    "doctrine": _simply(InForce("doctrine", "5.33")),
    "doolittle": _simply(InForce("doolittle", "5.34")),
    "interceptors": _simply(InForce("interceptors", "12.32")),
    "delay_allies": _simply(InForce("delayed_next", "10.2")),
    "hump": _simply(InForce("hump", "13.78")),
    "pt_boats": _simply(BargesSet("never")),
    "escort": _escort,
    "submarine_doctrine": _submarine_doctrine,
    "barges": _barges,
    "kwai": _kwai,
    "permanent_asp": _permanent_asp,
    "route": _free_route,
    "arrives": _arrives,
    "ground_points": _ground_points,
    "naval_points": _naval_points,
    "sextant": _sextant,
    "new_china": _new_china,
    "airlift": _airlift,
    "chennault": _chennault,
    "halsey": _halsey,
    "vengeance": _vengeance,
    "air_loss": _air_loss,
    "raid_b29": _raid_b29,
    "evacuation": _evacuation,
    "redeploy": _redeploy,
    "tokyo_express": _tokyo_express,
    "retrieve": _retrieve,
    "lose_card": _lose_card,
}
