"""[7.2] Steps 4 to 10 of an offensive: what the reacting player does, asked after every offensive that activated units."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun import card_forms, choice_forms
from pbem.games.empire_of_the_sun.activation import check, efficiency, eligible, hqs, logistics, reacting_hqs
from pbem.games.empire_of_the_sun.battle.strengths import effects
from pbem.games.empire_of_the_sun.board import Card, distance
from pbem.games.empire_of_the_sun.cards import draw_extra, file_card, read_card, show, usable
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.events.cards import CardFiled, CardPlayed
from pbem.games.empire_of_the_sun.events.offensives import (
    BattleDeclared,
    Committed,
    ConditionSet,
    IntelligenceRolled,
    ReactionCardPlayed,
    ReactionLed,
    UnitsActivated,
)
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.happenings.at_once import lose_random_card
from pbem.games.empire_of_the_sun.happenings.blows import bombard_air
from pbem.games.empire_of_the_sun.impulse.initiative import next_player
from pbem.games.empire_of_the_sun.labels import ASKED, names, places, possible, unread, written
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.movement.plans import plan
from pbem.games.empire_of_the_sun.operations import in_range
from pbem.games.empire_of_the_sun.orders import (
    ASSAULT,
    MOVE,
    read_place,
    read_route,
    read_unit,
    read_units,
    split_order,
    takes_nothing,
)
from pbem.games.empire_of_the_sun.reaction_forms import counters
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, LANDINGS, State, offensive
from pbem.games.empire_of_the_sun.suggestions import Read, accepted, stands
from pbem.games.empire_of_the_sun.supply import in_zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import Event, Rewound, Unmarked, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.questions import NONE, choose_place, choose_unit
from pbem.kernel.wording import Argument, Message, die_for, msg, signed

MOST_CARDS = 3  # [5.32]
ZONE_HELP = 2  # [7.25] E
CONDITIONS = ("surprise", "intercept", "ambush")
KINDS = {
    "intelligence": msg("intelligence cards"),
    "counteroffensive": msg("counteroffensive cards"),
    "attack": msg("attack cards"),
    "personage": msg("personage cards"),
}
FORCE_Z = "bb-force-z"
FRENCH_FRIGATE_SHOALS = 5508


def reaction(g: State) -> Flow[None]:
    """[7.2] O-4 to O-10."""
    o = offensive(g)
    card = g.board.cards[o.card]
    special = card.data.get("special") if o.event else None
    if special == "operation-1":
        yield from _first_strike_response(g)
    if special or not o.units:
        return
    side = FOE[o.side]
    if g.hands[side] or g.future[side]:
        kind, played, entry = yield _ask_reaction(g, side)
    else:
        kind, played, entry = "react", "", ""
    if kind in ("weather", "cancel"):
        yield from _cancel(g, side, played, entry)
        return
    yield from _before_reaction(g)
    if kind == "pass":
        return
    if o.battles or _special_hexes(g, side):
        yield from _react(g, side)
    yield from _other_cards(g, side)


def _react(g: State, side: str) -> Flow[None]:
    """O-6 to O-8."""
    o = offensive(g)
    found = yield from _special_reaction(g, side)
    if not o.battles:
        return
    yield from _intelligence(g, side)
    if o.condition != "surprise" or (found and not g.second):
        events = yield _ask_counter(g, side)
        for event in events:
            emit(g, event)
        _draw_escorts(g)
    yield from _additions(g)


def _additions(g: State) -> Flow[None]:
    """[7.27] Battle hexes of the reaction's making: the covering units fight there; first edition: so may others in range."""
    o = offensive(g)
    for place in o.special:
        for unit in [u for u, a in o.units.items() if a.cover == place and not a.battle]:
            emit(g, Committed(unit, place, False, "7.27"))
        while not g.second:
            prompt = msg("who joins the battle in {place}", place=g.board.name(place))
            unit = yield from choose_unit(g.board.unit_index, o.side, "join", "7.27", prompt, _free(g, place), none=True)
            if not unit:
                break
            emit(g, Committed(unit, place, False, "7.27"))


def _free(g: State, place: int) -> list[str]:
    """Air units and carriers of the active side without a battle that can fight in the hex from where they are."""
    idle = [u for u, a in offensive(g).units.items() if g.counter(u).flies and not a.battle]
    return [u for u in idle if not g.battle_hex(g.pieces[u].at) and in_range(g, u, place)]


def _draw_escorts(g: State) -> None:
    """[7.27] Second edition: a reaction into the hex of a special reaction draws carriers and wings there into it."""
    o = offensive(g)
    met = {g.pieces[u].at for u in o.reactors} | {a.battle for a in o.reactors.values()}
    for place in (h for h in o.special if g.second and h in met):
        for unit, entry in o.units.items():
            if g.counter(unit).flies and g.pieces[unit].at == place and entry.battle not in (0, place):
                emit(g, Committed(unit, place, False, "7.27"))


# -- weather and other cancellations ---------------------------------------------------------------------------------


def _ask_reaction(g: State, side: str) -> Ask:
    o = offensive(g)

    def read(plain: Plain) -> tuple[str, str, str]:
        verb, body = split_order(plain, ("pass", "react", "weather", "cancel"))
        if verb in ("pass", "react"):
            takes_nothing(verb, body)
            return verb, "", ""
        card, entry = _reaction_card(g, side, body)
        kind = g.board.cards[card]
        if verb == "weather" and not kind.data.get("weather"):
            raise illegal(msg("this is no Weather card: {card}", card=str(kind)), "5.32")
        if verb == "weather" and g.board.cards[o.card].data.get("no_weather") and o.event:
            raise illegal(msg("this offensive cannot be cancelled by weather"), "5.31")
        if verb == "cancel" and (kind.data.get("cancel") != "seac" or o.hq != "hq-seac"):
            raise illegal(msg("this offensive is not cancelled by this card: {card}", card=str(kind)), "5.32")
        return verb, card, entry

    def options() -> Sequence[Plain]:
        orders: list[Plain] = ["react", "pass"]
        orders += [{v: c} for v in ("weather", "cancel") for c in usable(g, side)]
        return accepted(read, orders)

    return Ask(
        side,
        "reaction",
        "7.2",
        msg("{card}: react, or let it pass?", card=str(g.board.cards[o.card])),
        read,
        ("pass", "react", "weather", "cancel"),
        facts={
            "card": o.card,
            "event": o.event,
            "battles": len(o.battles),
            "asp": sum(a.asp for a in o.units.values()),
            "units": len(o.units),
        },
        options=options,
        policy=lambda word: word if word in ("pass", "react") else None,
        form=lambda: card_forms.form("reaction", g, side, read),
    )


def _reaction_card(g: State, side: str, body: Plain) -> tuple[str, str]:
    card, entry = read_card(g, side, body)
    if g.board.cards[card].type != "reaction":
        raise illegal(msg("this is no reaction card: {card}", card=str(g.board.cards[card])), "5.32")
    return card, entry


def _cancel(g: State, side: str, card_id: str, entry: str) -> Flow[None]:
    """[5.32] D: everything since the card was turned up is taken back; the cancelled card goes to the discards."""
    o = offensive(g)
    cancelled, active = g.board.cards[o.card], list(o.units)
    shown = yield from show(g, side, card_id, entry, "reaction", "5.32")
    emit(g, Rewound("card", "5.32"))
    emit(g, Unmarked("card", "5.32"))
    emit(g, CardPlayed(side, entry, card_id, "reaction", "5.32"))
    file_card(g, cancelled, False)
    emit(g, CardFiled(side, card_id, "out_of_play" if shown.remove or g.second else "discards", "5.36"))
    if "storm_damage" in shown.data:
        ships = [u for u in active if g.counter(u).type in shown.data["storm_damage"] and not g.weak(u)]
        unit = yield from choose_unit(
            g.board.unit_index, side, "target", "5.32", msg("the ship that the storm damages"), ships, none=True
        )
        if unit:
            lose_step(g, unit, "5.32")
    if shown.data.get("cancel"):
        corps = [u for u in g.on_map(ALLIES) if g.counter(u).nation == "indian" and g.counter(u).size == 3 and not g.weak(u)]
        unit = yield from choose_unit(
            g.board.unit_index, ALLIES, "target", "5.32", msg("the Indian corps that is reduced"), corps
        )
        if unit:
            lose_step(g, unit, "5.32")
    if shown.draw:
        yield from draw_extra(g, side)
    next_player(g)


def _before_reaction(g: State) -> Flow[None]:
    """O-5: bonuses of the active player's event that act before the reaction."""
    o = offensive(g)
    data = g.board.cards[o.card].data if o.event else {}
    if data.get("before_reaction") == "bombard-air":
        yield from bombard_air(g)
    if data.get("halsey_storm") and _us_carrier_at_japan(g):
        yield from lose_random_card(g, JAPAN, "5.31")


def _us_carrier_at_japan(g: State) -> bool:
    o = offensive(g)
    home = [h for h in o.battles if g.board.hexes[h].region == "Japan"]
    decks = [u for u in o.units if g.counter(u).carrier and g.counter(u).nation == "us"]
    return any(o.units[u].battle in home or g.pieces[u].at in home for u in decks)


# -- special reaction and intelligence -------------------------------------------------------------------------------


def _special_hexes(g: State, side: str) -> list[int]:
    """[7.27] Empty bases of the reacting side into which a landing came, in its zone and in command of an HQ that may react."""
    o = offensive(g)
    found = []
    for place in sorted({g.pieces[u].at for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].box == "map"}):
        here = g.board.hexes[place]
        based = here.named if g.second else here.base
        mainland = here.region == "India" and "india" in g.surrendered
        if not based or place in o.battles or not g.holds(side, place) or not in_zone(g, side, place) or mainland:
            continue
        if not g.mine_at(side, place) and reacting_hqs(g, side, [place]) and (g.second or _escorted(g, place)):
            found.append(place)
    return found


def _escorted(g: State, place: int) -> bool:
    """[7.27, AMB-06] First edition: not against ground units alone."""
    return any(g.counter(u).kind != "ground" and (g.pieces[u].at == place or a.cover) for u, a in offensive(g).units.items())


SPECIAL = "special reaction at {place}, {value} or less with {modifier}"  # a die label


def _special_reaction(g: State, side: str) -> Flow[bool]:
    eligible_hexes = _special_hexes(g, side)
    if not eligible_hexes:
        return False
    wanted = yield _ask_special(g, side, eligible_hexes)
    success = False
    for place in wanted:
        found = yield from _roll(g, side, SPECIAL, _value(g, special=True), "7.27", place)
        if found:
            success = True
            emit(g, BattleDeclared(place, True, "7.27"))
        if not g.second:
            emit(g, IntelligenceRolled("7.27"))
            if found and not _printed_surprise(g):
                emit(g, ConditionSet("intercept"))
            break  # [AMB-07] one roll in an offensive
    return success


def _ask_special(g: State, side: str, hexes: list[int]) -> Ask:
    def read(plain: Plain) -> list[int]:
        _, body = split_order(plain, ("special",))
        if body in (None, "all"):
            return hexes
        if body == NONE:
            return []
        names = body if isinstance(body, list) else [p for p in str(body).split(",") if p.strip()]
        chosen = [read_place(g, n) for n in names]
        for place in chosen:
            if place not in hexes or chosen.count(place) > 1:
                raise illegal(
                    msg("no special reaction in {place}", place=g.board.name(place)), "7.27", possible(places(g, hexes))
                )
        return chosen

    return Ask(
        side,
        "special",
        "7.27",
        msg("special reaction: the landings against which you react"),
        read,
        ("special",),
        default={"special": "all"},
        options=lambda: [{"special": "all"}, {"special": NONE}],
        policy=lambda word: {"special": word},
        form=lambda: choice_forms.specials(g, hexes, read),
    )


def _printed_surprise(g: State) -> bool:
    o = offensive(g)
    return o.event and g.board.cards[o.card].surprise


def _value(g: State, special: bool) -> int:
    """[7.25] The value to roll against: EC for an event, OC otherwise and where the event prints Surprise Attack."""
    o = offensive(g)
    card = g.board.cards[o.card]
    if o.event and not (special and card.surprise) and card.ec is not None:
        return card.ec
    return card.oc if card.oc is not None else card.ops


def _roll(g: State, side: str, label: str, value: int, rule: str, place: int = 0) -> Flow[bool]:
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


def _intelligence(g: State, side: str) -> Flow[None]:
    """O-7: cards, or one roll; a failed roll can be followed only by a card that says so [J13]."""
    o = offensive(g)
    if o.event and g.board.cards[o.card].data.get("no_intel_change"):
        return
    mode, cards = yield _ask_intelligence(g, side, after_roll=o.rolled)
    if mode == "roll":
        emit(g, IntelligenceRolled("7.25"))
        success = yield from _roll(g, side, "intelligence, {value} or less with {modifier}", _value(g, special=False), "7.25")
        if success:
            emit(g, ConditionSet("intercept"))
        elif _late_card_possible(g, side):
            mode, cards = yield _ask_intelligence(g, side, after_roll=True)
    for card, entry in cards:
        yield from _play(g, side, card, entry)
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
            if _printed_surprise(g):
                raise illegal(msg("the event prints Surprise Attack: only a card can change that"), "5.31")
            return "roll", []
        return "cards", _read_cards(g, side, body, ("intelligence", "counteroffensive"), after_roll)

    def options() -> Sequence[Plain]:
        orders: list[Plain] = [{"intelligence": word} for word in (NONE, "roll", *usable(g, side))]
        return accepted(read, orders)

    return Ask(
        side,
        "intelligence",
        "7.25",
        ASKED["intelligence"],
        read,
        ("intelligence",),
        facts={"value": _value(g, special=False), "zone": offensive(g).touched, "rolled": after_roll},
        default={"intelligence": NONE} if after_roll else None,
        options=options,
        policy=lambda word: {"intelligence": word},
        form=lambda: card_forms.form("intelligence", g, side, read),
    )


def _read_cards(g: State, side: str, body: Plain, kinds: Sequence[str], after_roll: bool = False) -> list[tuple[str, str]]:
    """Up to three reaction cards of some kinds, one counteroffensive at most. Raises Rejected."""
    o = offensive(g)
    parts = body if isinstance(body, list) else [p.strip() for p in str(body).split(",")]
    found = [_reaction_card(g, side, part) for part in parts]
    for card, entry in found:
        if [c for c, _ in found].count(card) > 1 or [e for _, e in found].count(entry) > 1:
            raise illegal(msg("{name} is named twice", name=str(g.board.cards[card])), "5.32")
        _check_card(g, g.board.cards[card], kinds, after_roll)
    if len(found) + len(o.reaction_cards) > MOST_CARDS:
        raise illegal(msg("three reaction cards at most in an offensive"), "5.32")
    if g.second and sum(g.board.cards[c].kind == "counteroffensive" for c, _ in found) + bool(o.counter) > 1:
        raise illegal(msg("one counteroffensive card at most"), "5.32")
    return found


def _check_card(g: State, card: Card, kinds: Sequence[str], after_roll: bool) -> None:
    o = offensive(g)
    if card.kind not in kinds:
        why = msg("this card is not played at this point: {card}", card=str(card))
        raise illegal(why, "5.32", possible(tuple(KINDS[kind] for kind in kinds)))
    if after_roll and not card.data.get("after_roll"):
        raise illegal(msg("this card cannot be played after an intelligence roll: {card}", card=str(card)), "7.25")
    if card.data.get("needs") == "japanese-air-or-naval" and not any(g.counter(u).kind in ("air", "naval") for u in o.units):
        raise illegal(_needs(card, msg("active Japanese air or naval units are needed")), "5.32")
    if card.data.get("cancel"):
        raise illegal(_needs(card, msg("it is played at once, like weather")), "5.32")


def _needs(card: Card, why: Message) -> Message:
    return msg("{card}: {why}", card=str(card), why=why)


def _play(g: State, side: str, card_id: str, entry: str) -> Flow[None]:
    card = yield from show(g, side, card_id, entry, "reaction", "5.32")
    emit(g, ReactionCardPlayed(card_id, card.kind == "counteroffensive"))


def _other_cards(g: State, side: str) -> Flow[None]:
    """O-9: attack and personage cards."""
    if not (g.hands[side] or g.future[side]) or len(offensive(g).reaction_cards) >= MOST_CARDS:
        return
    cards = yield _ask_cards(g, side)
    for card, entry in cards:
        yield from _play(g, side, card, entry)


def _ask_cards(g: State, side: str) -> Ask:
    def read(plain: Plain) -> list[tuple[str, str]]:
        _, body = split_order(plain, ("cards",))
        return [] if body == NONE else _read_cards(g, side, body, ("attack", "personage"))

    def options() -> Sequence[Plain]:
        orders: list[Plain] = [{"cards": c} for c in usable(g, side)]
        return accepted(read, [{"cards": NONE}, *orders])

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
        form=lambda: card_forms.form("cards", g, side, read),
    )


# -- reaction movement -----------------------------------------------------------------------------------------------


def _ask_counter(g: State, side: str) -> Ask:
    o = offensive(g)

    def read(plain: Plain) -> list[Event]:
        _, body = split_order(plain, ("counter",))
        return [] if body == NONE else read_counter(g, side, body)

    def policy(wanted: Plain) -> Plain:
        return {"counter": wanted}

    return Ask(
        side,
        "counter",
        "7.26",
        ASKED["counter"],
        read,
        ("counter",),
        facts={"condition": o.condition, "battles": len(o.battles), "ops": o.ops},
        options=lambda: counter_options(g, side, read),
        policy=policy,
        form=lambda: counters(
            g,
            side,
            reacting_hqs(g, side, o.battles),
            lambda hq: _counter_base(g, hq),
            lambda hq, units: counter_allowance(g, side, hq, units),
            read,
        ),
    )


def counter_allowance(g: State, side: str, hq: str, units: Sequence[str]) -> int:
    """[7.26] Efficiency and the counteroffensive's logistics value, else the operations value of the active player's card."""
    return _counter_base(g, hq) + efficiency(g, hq, units)


def _counter_base(g: State, hq: str) -> int:
    o = offensive(g)
    if o.counter:
        return logistics(g.board.cards[o.counter], hq, g.board.cards[o.card])
    return o.ops


def read_counter(g: State, side: str, body: Plain) -> list[Event]:
    """[7.26] `{hq, activate, moves, battles}` played through on a copy; returns the events. Raises Rejected."""
    if not isinstance(body, dict) or body.keys() - {"hq", "activate", "moves", "battles"} or "hq" not in body:
        form = "counter: {hq: HQ, activate: [UNITS], moves: [...], battles: {HEX: [UNITS]}}"
        raise unreadable(unread("counter", body), written(form, "counter: none"))
    o = offensive(g)
    hq = read_unit(g, body["hq"])
    if hq not in hqs(g, side) or hq not in reacting_hqs(g, side, o.battles):
        legal = possible(names(g, reacting_hqs(g, side, o.battles))) or msg("no HQ can react")
        raise illegal(msg("{unit} cannot react here", unit=g.counter(hq).name), "7.26", legal)
    listed = body.get("activate")
    units = read_units(g, listed) if listed and listed != NONE else []
    check(g, hq, units, _counter_base(g, hq), g.board.cards[o.counter] if o.counter else None)
    copy, events = rehearse(g, units), []

    def happens(event: Event) -> None:
        event.apply(copy)
        events.append(event)

    happens(ReactionLed(hq))
    happens(UnitsActivated(side, tuple(units), "7.26"))
    for order in _listed(body.get("moves")):
        verb, rest = split_order(order, (MOVE, ASSAULT))
        for event in plan(copy, side, verb, read_route(copy, rest), True):
            happens(event)
    for event in _commitments(copy, units, body.get("battles")):
        happens(event)
    for unit in units:
        _check_fights(copy, unit)
    return events


def _listed(plain: Plain) -> list[Plain]:
    return plain if isinstance(plain, list) else [] if plain is None else [plain]


def _commitments(g: State, units: Sequence[str], plain: Plain) -> list[Event]:
    """Battles named by the owner; a flyer that left a battle hex keeps that battle; others take the nearest in range."""
    o = offensive(g)
    chosen: dict[str, int] = {}
    if plain is not None and not isinstance(plain, dict):
        raise unreadable(unread("battles", plain), written("battles: {HEX: [UNITS]}"))
    for name, listed in (plain or {}).items():
        place = read_place(g, name)
        if place not in o.battles:
            raise illegal(msg("{place} is no battle hex", place=g.board.name(place)), "7.26", possible(places(g, o.battles)))
        for unit in read_units(g, listed):
            chosen[unit] = place
    found: list[Event] = []
    for unit in units:
        entry, at = o.reactors[unit], g.pieces[unit].at
        if not g.counter(unit).flies or at in o.battles:
            continue
        if entry.start in o.battles:
            chosen[unit] = entry.start
        near = sorted((h for h in o.battles if distance(at, h) <= g.counter(unit).reach), key=lambda h: (distance(at, h), h))
        place = chosen.get(unit, near[0] if near else 0)
        if place:
            found.append(Committed(unit, place, False, "7.26"))
    return found


def _check_fights(g: State, unit: str) -> None:
    """[7.26] Every activated unit has to fight in a declared battle."""
    o = offensive(g)
    entry, at, counter = o.reactors[unit], g.pieces[unit].at, g.counter(unit)
    if g.pieces[unit].box != "map":
        raise illegal(msg("{unit} is not on the map", unit=counter.name), "7.26")
    if at in o.battles:
        if entry.start in o.battles and at != entry.start:
            raise illegal(msg("{unit} has to fight in {place}", unit=counter.name, place=g.board.name(entry.start)), "7.26")
        return
    place = entry.battle
    parenthetical = entry.far and counter.parenthesis
    if not place or distance(at, place) > counter.reach or parenthetical:
        raise illegal(msg("{unit} reaches no battle", unit=counter.name), "7.26", msg("every reacting unit has to fight"))


def counter_options(g: State, side: str, read: Read) -> list[Plain]:
    """No reaction, or the flyers in range and ships that reach a battle, for each HQ that may react."""
    o = offensive(g)
    found: list[Plain] = [{"counter": NONE}]
    for hq in reacting_hqs(g, side, o.battles):
        card = g.board.cards[o.counter] if o.counter else None
        ready = eligible(g, hq, card)
        flyers = [
            u for u in ready if g.counter(u).flies and any(distance(g.pieces[u].at, h) <= g.counter(u).reach for h in o.battles)
        ]
        most = max(0, counter_allowance(g, side, hq, flyers))
        found += _shrinking(read, hq, flyers[:most], [])
        ships = [u for u in ready if g.counter(u).kind == "naval" and g.pieces[u].at not in o.battles]
        for unit in ships[:4]:
            moves: list[Plain] = [{"move": f"{unit} to {o.battles[0]:04}"}]
            found += _shrinking(read, hq, [unit], moves)
    return found


def _shrinking(read: Read, hq: str, units: list[str], moves: list[Plain]) -> list[Plain]:
    """The largest legal part of a list of units, taking away the last ones."""
    while units:
        order: Plain = {"counter": {"hq": hq, "activate": list(units), "moves": list(moves)}}
        if stands(read, order):
            return [order]
        units = units[:-1]
    return []


# -- turn 1 ----------------------------------------------------------------------------------------------------------


def _first_strike_response(g: State) -> Flow[None]:
    """[17.11] Force Z meets a fleet off Malaya; Allied air units in reach join the battles."""
    o = offensive(g)
    fleets = sorted({g.pieces[u].at for u in o.units if g.counter(u).kind == "naval"})
    malaya = [h for h in fleets if g.board.hexes[h].region == "Malaya" and g.board.hexes[h].coastal]
    if malaya and g.pieces[FORCE_Z].box == "map":
        place = yield from choose_place(
            g.board.place_index, ALLIES, "force z", "17.11", msg("where Force Z meets the enemy"), malaya
        )
        emit(g, UnitsActivated(ALLIES, (FORCE_Z,), "17.11"))
        emit(g, Placed(FORCE_Z, place, "map", "17.11"))
        if place not in o.battles:
            emit(g, BattleDeclared(place, True, "17.11"))
    for unit in [u for u in g.on_map(ALLIES) if g.counter(u).kind == "air" and not g.battle_hex(g.pieces[u].at)]:
        yield from _joins(g, unit)
    yield from _additions(g)


def _joins(g: State, unit: str) -> Flow[None]:
    """Second printing: every air unit in range joins; first edition: one that is adjacent may join or begin a battle."""
    o = offensive(g)
    at, counter = g.pieces[unit].at, g.counter(unit)
    if g.second:
        open_to = [h for h in o.battles if distance(at, h) <= counter.reach]
    else:
        near = [n for n in g.board.near[at] if n]
        open_to = [h for h in near if h in o.battles or g.mine_at(JAPAN, h)]
    place = yield from choose_place(
        g.board.place_index,
        ALLIES,
        "air battle",
        "17.11",
        msg("{unit} joins a battle: where?", unit=counter.name),
        open_to,
        none=not g.second,
    )
    if not place:
        return
    if place not in o.battles:
        emit(g, BattleDeclared(place, True, "17.11"))
    emit(g, UnitsActivated(ALLIES, (unit,), "17.11"))
    emit(g, Committed(unit, place, False, "17.11"))
