"""[4.2] [5.0] The Offensives Phase: initiative, and what the active player does with a card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pbem.games.empire_of_the_sun import card_forms, choice_forms
from pbem.games.empire_of_the_sun.activation import hqs, logistics
from pbem.games.empire_of_the_sun.board import OAHU, RANGOON, Card
from pbem.games.empire_of_the_sun.cards import (
    draw_extra,
    file_card,
    hidden,
    japan_in_alaska,
    must_play_event,
    read_card,
    show,
    usable,
    why_no_event,
)
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.deployment import check_stacks, displace_hqs, emergency, port_fed, room, send_hq_away
from pbem.games.empire_of_the_sun.events.cards import CardFiled, ExtraDrawsBegan, FutureSet, InitiativeSeized
from pbem.games.empire_of_the_sun.events.markers import RouteBuilt
from pbem.games.empire_of_the_sun.events.offensives import OffensiveBegan
from pbem.games.empire_of_the_sun.events.politics import ChinaOffensiveMade, ChinaRolled, RivalryEnded
from pbem.games.empire_of_the_sun.events.turns import ActiveSet, Passed, PassesSet, PhaseBegan
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.happenings.at_once import happen
from pbem.games.empire_of_the_sun.happenings.tracks import move_china
from pbem.games.empire_of_the_sun.labels import ROUTES, names, places, possible, unread, written
from pbem.games.empire_of_the_sun.lines import BUILT_ROUTES
from pbem.games.empire_of_the_sun.orders import read_place, read_unit, split_order, takes_nothing
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State, china_coast_lost
from pbem.games.empire_of_the_sun.suggestions import accepted, stands
from pbem.games.empire_of_the_sun.supply import burma_road_open, china_box_supplied, hump_field, supplied
from pbem.kernel.canon import Plain
from pbem.kernel.events import Marked, Scheduled, Unmarked, emit
from pbem.kernel.flow import Ask, Claim, Flow, Reveal
from pbem.kernel.forms import Form
from pbem.kernel.orders import illegal, nearest, unreadable
from pbem.kernel.wording import NO_WORDS, Message, die_for, msg, verbatim

CARD_VERBS = ("play", "future", "discard", "pass")
USE_VERBS = ("operations", "event", "china", "withdraw", "return", "air", "route", "rivalry", "discard")
SPECIAL_CARDS = ("J43", "A79")  # [5.37] Tojo Resigns, Soviets Invade Manchuria
OFFENSIVE = ("moves", "reaction", "battles", "return", "offensive-end", "impulse")
BURMA_ROAD_SUPPORT = {"open": 8, "hump": 4, "closed": 0}  # Burma Road track


@dataclass(frozen=True, slots=True)
class Use:
    """What an operations or event card is used for."""

    kind: str
    hq: str = ""
    unit: str = ""
    place: int = 0
    route: str = ""


# -- initiative ------------------------------------------------------------------------------------------------------


def initiative(g: State) -> Flow[None]:
    """[4.21] The larger hand begins; on a tie Japan until 1942, then the Allies; a future offensive may change it [7.29]."""
    emit(g, PhaseBegan(g.turn, "Offensives Phase", "4.2"))
    emit(g, ExtraDrawsBegan())
    sizes = {s: g.hand_size(s) for s in (JAPAN, ALLIES)}
    tie = sizes[JAPAN] == sizes[ALLIES]
    first = (JAPAN if g.turn <= 4 else ALLIES) if tie else max(sizes, key=lambda s: sizes[s])
    other = FOE[first]
    if g.future[other] and g.future_turn[other] < g.turn and sizes[other] and not tie:
        card = yield _ask_initiative(g, other)
        if card:
            emit(g, InitiativeSeized(card))
            first = other
    emit(g, ActiveSet(first, "4.21"))
    emit(g, Scheduled((("impulse", ()),), "4.22"))


def _ask_initiative(g: State, side: str) -> Ask:
    """[7.29] A: the future offensives card goes first, as an event that can be played now (second edition: an offensive)."""

    def read(plain: Plain) -> str:
        _, body = split_order(plain, ("initiative",))
        if body == "no":
            return ""
        card, entry = read_card(g, side, body)
        if entry != g.future[side]:
            raise illegal(msg("only the future offensives card takes the initiative"), "7.29")
        if (g.second and g.board.cards[card].type != "military") or why_no_event(g, g.board.cards[card]):
            raise illegal(msg("this card cannot be played as such an event now: {card}", card=str(g.board.cards[card])), "7.29")
        return card

    def options() -> list[Plain]:
        orders: list[Plain] = [{"initiative": "no"}, {"initiative": g.future[side]}]
        return [o for o in orders if stands(read, o)]

    return Ask(
        side,
        "initiative",
        "4.21",
        msg("take the initiative with your future offensives card?"),
        read,
        ("initiative",),
        options=options,
        policy=lambda word: {"initiative": word},
        form=lambda: card_forms.form("initiative", g, side, read),
    )


def impulse(g: State) -> Flow[None]:
    """[4.22] One action of the active player; a player without cards is passed over; two empty hands end the phase."""
    if not g.hands[g.active]:
        if not g.hands[FOE[g.active]]:
            for who in (JAPAN, ALLIES):
                emit(g, PassesSet(who, 0))
            return
        emit(g, ActiveSet(FOE[g.active], "4.22"))
    side = g.active
    kind, card, entry = ("play", g.seized, g.future[side]) if g.seized else (yield _ask_card(g, side))
    if kind == "pass":
        emit(g, Passed(side))
    elif kind == "future":
        yield from _set_future(g, side, card, entry)
    elif kind == "discard":
        shown = yield from show(g, side, card, entry, "discard", "4.22")
        yield from _discard(g, shown)
    else:
        yield from _use_card(g, side, card, entry)
    if g.offensive is None:
        yield from _after_card(g)


def _after_card(g: State) -> Flow[None]:
    """[8.34] Stacks are checked after every card; then the other player."""
    if not g.winner:
        yield from check_stacks(g)
    next_player(g)


def next_player(g: State) -> None:
    """[4.22] The turn passes to the other player."""
    emit(g, ActiveSet(FOE[g.active], "4.22"))
    emit(g, Scheduled((("impulse", ()),), "4.22"))


# -- the card --------------------------------------------------------------------------------------------------------


def _ask_card(g: State, side: str) -> Ask:
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
        options=lambda: accepted(read, card_options(g, side)),
        form=lambda: card_forms.form("card", g, side, read),
    )


def _check_opening(g: State, card: Card) -> None:
    """[17.11] The two cards that open the war have no other use than their events, in their order."""
    reason = why_no_event(g, card) if card.data.get("special") else NO_WORDS
    if reason:
        raise illegal(_with_card(card, reason), "17.11")


def _with_card(card: Card, reason: Message) -> Message:
    return msg("{card} cannot be played as event: {why}", card=str(card), why=reason)


def _only_event(card: Card) -> Message:
    return msg("this card has to be played as event: {card}", card=str(card))


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
        raise illegal(msg("this card cannot be prepared: {card}", card=str(g.board.cards[card])), "5.37")
    if entry not in g.hands[side]:
        raise illegal(msg("this card is not in hand: {card}", card=str(g.board.cards[card])), "7.29")
    return "future", card, entry


def _read_discard(g: State, side: str, body: Plain) -> tuple[str, str, str]:
    card, entry = read_card(g, side, body)
    special = g.board.cards[card]
    if card in SPECIAL_CARDS and g.second:
        raise illegal(msg("this card has to be played: {card}", card=str(special)), "5.37")
    if special.data.get("special"):
        raise illegal(_only_event(special), "17.11")
    if entry == g.future[side] and g.second:
        raise illegal(msg("the future offensives card is not discarded"), "7.29")
    return "discard", card, entry


def _set_future(g: State, side: str, card: str, entry: str) -> Flow[None]:
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


def _discard(g: State, card: Card) -> Flow[None]:
    """[4.22] A voluntary discard; first edition: a special card takes place even so [5.36]."""
    if card.data.get("must") and not g.second:
        emit(g, CardFiled(card.side, card.id, "out_of_play", "5.36"))
        yield from happen(g, card)
    else:
        file_card(g, card, False)


# -- its use ---------------------------------------------------------------------------------------------------------


def _use_card(g: State, side: str, card_id: str, entry: str) -> Flow[None]:
    seized = bool(g.seized)
    card = yield from show(g, side, card_id, entry, "play", "5.0")
    if seized:
        emit(g, InitiativeSeized(""))
    emit(g, Marked("card", "5.32"))
    use = yield _ask_use(g, side, card, seized)
    match use.kind:
        case "operations":
            _begin(g, card, use.hq, False)
        case "event":
            yield from _event(g, card, use.hq)
        case "china":
            yield from _china_offensive(g, card)
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


def _china_offensive(g: State, card: Card) -> Flow[None]:
    """[13.72] d10 and one for each supporting air unit against the divisions in China less the Burma Road's support."""
    emit(g, ChinaOffensiveMade())
    value = g.divisions - burma_road_support(g)
    wings = supporting_wings(g)
    label = die_for("China offensive")
    die = yield from throw(label, "13.72", ALLIES)
    success = die + wings <= value
    emit(g, ChinaRolled(label, value, wings, die, success))
    if success:
        move_china(g, 1, "13.72", event=False)
    elif wings or (g.china_box() and not g.second):
        move_china(g, -1, "13.72", event=False)


def burma_road_support(g: State) -> int:
    """[13.78] E: what the state of the road takes from a China offensive."""
    if burma_road_open(g):
        return BURMA_ROAD_SUPPORT["open"]
    return BURMA_ROAD_SUPPORT["hump" if g.has("hump") and hump_field(g) else "closed"]


def supporting_wings(g: State) -> int:
    """[13.72] B: non-LRB air units in the China box, and the 14th Air Force LRB; supplied ones only in the second edition."""
    if g.second and not china_box_supplied(g):
        return 0
    return sum(not g.counter(u).lrb or u == "14-af-lrb" for u in g.china_box())


def _ask_use(g: State, side: str, card: Card, seized: bool) -> Ask:
    def read(plain: Plain) -> Use:
        verb, body = split_order(plain, USE_VERBS)
        if (seized or card.data.get("special")) and verb != "event":
            raise illegal(_only_event(card), "7.29" if seized else "17.11")
        if verb != "event" and must_play_event(g, card):
            raise illegal(_only_event(card), "5.37")
        bound = card.data.get("battles") == "aleutians-if-japanese" and japan_in_alaska(g)
        if bound and verb not in ("event", "discard"):
            why = msg("while Japan is in the Aleutians, this card is played as event or discarded: {card}", card=str(card))
            raise illegal(why, "5.31")
        return _READERS[verb](g, side, card, body)

    return Ask(
        side,
        "use",
        "5.0",
        msg("what this card is used for: {card}", card=str(card)),
        read,
        USE_VERBS,
        facts={"card": card.id, "ops": card.ops},
        options=lambda: use_options(g, side, card, seized),
        form=lambda: _use_form(g, side, card, read),
    )


def _use_form(g: State, side: str, card: Card, read: Callable[[Plain], Use]) -> Form:
    back = {u: return_ports(g, u) for u in _on_track(g, side)}
    wings = [u for u in g.on_map(side) if g.counter(u).kind == "air"]
    return choice_forms.uses(g, USE_VERBS, hqs(g, side), _event_leaders(g, side, card), back, wings, read)


def _event_leaders(g: State, side: str, card: Card) -> list[str] | None:
    """HQs that might lead the card's event, more than may; None where it names no HQ."""
    if card.type != "military" or card.data.get("special"):
        return None
    return [*dict.fromkeys([*hqs(g, side), *(["hq-halsey"] if card.data.get("halsey") else [])])]


def _operations(g: State, side: str, card: Card, body: Plain) -> Use:
    hq = _own_hq(g, side, body)
    if not supplied(g, hq):
        raise illegal(msg("{unit} is out of supply", unit=g.counter(hq).name), "6.0")
    return Use("operations", hq)


def _own_hq(g: State, side: str, body: Plain) -> str:
    hq = read_unit(g, body)
    if hq not in hqs(g, side):
        why = msg("{unit} is no HQ of yours on the map", unit=g.counter(hq).name)
        raise illegal(why, "6.11", possible(names(g, hqs(g, side))))
    return hq


def _event_use(g: State, side: str, card: Card, body: Plain) -> Use:
    reason = why_no_event(g, card)
    if reason:
        raise illegal(_with_card(card, reason), "5.31")
    if card.type != "military" or card.data.get("special"):
        if body is not None:
            raise unreadable(msg("no HQ is named for this event: {card}", card=str(card)), written("event"))
        return Use("event")
    return Use("event", _event_hq(g, side, card, body))


def _event_hq(g: State, side: str, card: Card, body: Plain) -> str:
    """[5.31] A: some events name the HQs that may lead; an HQ that the event itself brings need not be on the map yet."""
    allowed = card.data.get("hq", ())
    hq = read_unit(g, body)
    comes = bool(card.data.get("halsey")) and hq == "hq-halsey"
    if not comes:
        hq = _own_hq(g, side, body)
    if allowed and hq not in allowed:
        raise illegal(msg("this event is led by another HQ: {card}", card=str(card)), "5.31", possible(names(g, allowed)))
    if not comes and not card.data.get("unsupplied") and not supplied(g, hq):
        raise illegal(msg("{unit} is out of supply", unit=g.counter(hq).name), "6.0")
    return hq


def _china_use(g: State, side: str, card: Card, body: Plain) -> Use:
    if side != JAPAN or card.ops != 3:
        raise illegal(msg("a China offensive takes a Japanese card of operations value 3"), "13.72")
    if "china" in g.surrendered or china_coast_lost(g):
        raise illegal(msg("no China offensive is possible any more"), "13.71")
    if g.second and g.china_turn and g.china_turn >= g.turn - 1:
        raise illegal(msg("there is no China offensive in two consecutive turns"), "13.72")
    if not g.second and (g.turn % 2 or g.china_turn == g.turn):
        raise illegal(msg("there is one China offensive in each even turn"), "13.72")
    return Use("china")


def _withdraw_use(g: State, side: str, card: Card, body: Plain) -> Use:
    return Use("withdraw", _own_hq(g, side, body))


def _return_use(g: State, side: str, card: Card, body: Plain) -> Use:
    name, at, port = str(body).partition(" at ")
    if not at:
        raise unreadable(unread("return", body), written("return: HQ at PORT"))
    hq, place = read_unit(g, name.strip()), read_place(g, port.strip())
    rule = "6.15"
    if g.counter(hq).side != side or g.counter(hq).kind != "hq" or g.pieces[hq].box != "track":
        raise illegal(msg("{unit} is not on the turn track", unit=g.counter(hq).name), rule)
    if place not in return_ports(g, hq):
        why = msg("{unit} cannot come back in {place}", unit=g.counter(hq).name, place=g.board.name(place))
        raise illegal(why, rule, possible(places(g, return_ports(g, hq))))
    return Use("return", hq, place=place)


def return_ports(g: State, hq: str) -> list[int]:
    """[6.15] Supplied friendly ports of the home islands, or of Australia, Oahu and India."""
    side = g.counter(hq).side
    home = ("Japan",) if side == JAPAN else ("Australia", "India", "NIndia")
    ports = [
        p for p in g.board.ports if g.holds(side, p) and (g.board.hexes[p].region in home or (p == OAHU and side == ALLIES))
    ]
    return [p for p in ports if room(g, hq, p) and port_fed(g, side, p)]


def _air_use(g: State, side: str, card: Card, body: Plain) -> Use:
    """[1e-7.33] First edition: a whole card takes one air unit off the map until next turn."""
    if g.second:
        raise illegal(msg("air units go to the turn track when they are activated for an offensive"), "8.33")
    unit = read_unit(g, body)
    if unit not in g.on_map(side) or g.counter(unit).kind != "air":
        raise illegal(msg("{unit} is no air unit of yours on the map", unit=g.counter(unit).name), "8.33")
    return Use("air", unit=unit)


def _route_use(g: State, side: str, card: Card, body: Plain) -> Use:
    name = str(body).strip().lower()
    if not g.second or name not in BUILT_ROUTES:
        raise unreadable(msg("there is no route {given} to build", given=repr(body)), nearest(name, list(BUILT_ROUTES)))
    if card.ops != 3:
        raise illegal(msg("a transport route takes a card of operations value 3"), "13.77")
    if name not in routes_to_build(g, side):
        able = tuple(ROUTES[route] for route in routes_to_build(g, side))
        raise illegal(msg("this route cannot be built now: {route}", route=ROUTES[name]), "13.77", possible(able))
    return Use("route", route=name)


def routes_to_build(g: State, side: str) -> list[str]:
    """[13.77] B, C: Jarhat before the others; the Allies need all of Northern India and Akyab, Japan a line to Rangoon."""
    left = [n for n in BUILT_ROUTES if n not in g.routes and BUILT_ROUTES[n] in g.board.hexes]
    if side == ALLIES:
        wanted = [*g.board.region("NIndia"), 2006]
        if not all(g.holds(ALLIES, h) for h in wanted):
            return []
        return ["jarhat"] if "jarhat" in left else left
    return ["imphal"] if "imphal" in left and _imphal_line(g) else []


def _imphal_line(g: State) -> bool:
    """Along routes through Japanese hexes from Imphal to a supplied Japanese Rangoon."""
    here, goal = BUILT_ROUTES["imphal"], RANGOON
    if not (g.holds(JAPAN, here) and g.holds(JAPAN, goal) and port_fed(g, JAPAN, goal)):
        return False
    found, frontier = {here}, [here]
    while frontier:
        at = frontier.pop()
        for n in g.board.by_land[at]:
            if n not in found and g.holds(JAPAN, n) and g.board.route(at, n):
                found.add(n)
                frontier.append(n)
    return goal in found


def _rivalry_use(g: State, side: str, card: Card, body: Plain) -> Use:
    if not g.one_year or card.ops != 3 or side not in g.rivalry:
        raise illegal(msg("only a three-turn scenario lets a card of operations value 3 end your rivalry"), "17.26")
    return Use("rivalry")


def _discard_use(g: State, side: str, card: Card, body: Plain) -> Use:
    """[4.22] Whoever finds no use for the card that he has turned up discards it."""
    if body is not None:
        raise unreadable(msg("this card is turned up and needs no name: {card}", card=str(card)), written("discard"))
    return Use("discard")


Reader = Callable[[State, str, Card, Plain], Use]
_READERS: Mapping[str, Reader] = {
    "operations": _operations,
    "event": _event_use,
    "china": _china_use,
    "withdraw": _withdraw_use,
    "return": _return_use,
    "air": _air_use,
    "route": _route_use,
    "rivalry": _rivalry_use,
    "discard": _discard_use,
}


def use_options(g: State, side: str, card: Card, seized: bool) -> list[Plain]:
    """Every use that `read` accepts for HQs on the map."""
    candidates: list[Plain] = []
    commanders = hqs(g, side)
    leaders = _event_leaders(g, side, card)
    candidates += ["event"] if leaders is None else [{"event": h} for h in leaders]
    candidates += [{"operations": h} for h in commanders]
    candidates += ["china", "rivalry"]
    candidates += [{"route": n} for n in BUILT_ROUTES]
    candidates += [{"return": f"{h} at {p:04}"} for h in _on_track(g, side) for p in return_ports(g, h)]
    candidates += [{"withdraw": h} for h in commanders]
    candidates.append("discard")
    ask = _ask_use(g, side, card, seized)
    return [c for c in candidates if stands(ask.read, c)]


def _on_track(g: State, side: str) -> list[str]:
    return [u for u, p in g.pieces.items() if p.box == "track" and g.counter(u).kind == "hq" and g.counter(u).side == side]
