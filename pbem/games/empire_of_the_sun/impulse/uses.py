"""[5.0] What a card is used for: the question, and what each use takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from pbem.games.empire_of_the_sun.activation import hqs, logistics
from pbem.games.empire_of_the_sun.board import OAHU, Card
from pbem.games.empire_of_the_sun.cards import japan_in_alaska, must_play_event, why_no_event
from pbem.games.empire_of_the_sun.deployment import port_fed, room
from pbem.games.empire_of_the_sun.impulse.choosing import only_event, with_card
from pbem.games.empire_of_the_sun.impulse.routes import routes_to_build
from pbem.games.empire_of_the_sun.labels import ROUTES, names, places, unread, written
from pbem.games.empire_of_the_sun.lines import BUILT_ROUTES
from pbem.games.empire_of_the_sun.orders import read_place, read_unit, split_order
from pbem.games.empire_of_the_sun.phase_forms import uses
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, china_coast_lost
from pbem.games.empire_of_the_sun.supply import supplied
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.forms import Form
from pbem.kernel.orders import illegal, nearest, possible, unreadable
from pbem.kernel.proposals import stands
from pbem.kernel.wording import msg, quoted


class Use(Struct, frozen=True):
    """What an operations or event card is used for."""

    kind: str
    hq: str = ""
    unit: str = ""
    place: int = 0
    route: str = ""


HALSEY = "hq-halsey"
USE_VERBS = ("operations", "event", "china", "withdraw", "return", "air", "route", "rivalry", "discard")


def ask_use(g: State, side: str, card: Card, seized: bool) -> Ask:
    """[5.0] The question what a card that has been turned up is used for."""

    def read(plain: Plain) -> Use:
        verb, body = split_order(plain, USE_VERBS)
        if (seized or card.data.get("special")) and verb != "event":
            raise illegal(only_event(card), "7.29" if seized else "17.11")
        if verb != "event" and must_play_event(g, card):
            raise illegal(only_event(card), "5.37")
        bound = card.data.get("battles") == "aleutians-if-japanese" and japan_in_alaska(g)
        if bound and verb not in ("event", "discard"):
            why = msg("while Japan is in the Aleutians, this card is played as event or discarded: {card}", card=card.told)
            raise illegal(why, "5.31")
        return _READERS[verb](g, side, card, body)

    return Ask(
        side,
        "use",
        "5.0",
        msg("what this card is used for: {card}", card=card.told),
        read,
        USE_VERBS,
        facts={"card": card.id, "ops": card.ops},
        options=lambda: use_options(g, side, card, seized),
        form=lambda: _use_form(g, side, card, read),
    )


def _use_form(g: State, side: str, card: Card, read: Callable[[Plain], Use]) -> Form:
    back = {u: return_ports(g, u) for u in _on_track(g, side)}
    wings = [u for u in g.on_map(side) if g.counter(u).kind == "air"]
    bases: dict[str, Callable[[str], int]] = {"operations": lambda hq: card.ops, "event": lambda hq: logistics(card, hq)}
    return uses(g, USE_VERBS, hqs(g, side), _event_leaders(g, side, card), bases, back, wings, read)


def _event_leaders(g: State, side: str, card: Card) -> list[str] | None:
    """HQs that might lead the card's event, more than may; None where it names no HQ."""
    if card.type != "military" or card.data.get("special"):
        return None
    return [*dict.fromkeys([*hqs(g, side), *([HALSEY] if card.data.get("halsey") else [])])]


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
    ask = ask_use(g, side, card, seized)
    return [c for c in candidates if stands(ask.read, c)]


def _on_track(g: State, side: str) -> list[str]:
    return [u for u, p in g.pieces.items() if p.box == "track" and g.counter(u).kind == "hq" and g.counter(u).side == side]


# -- operations and events -----------------------------------------------------------------------------------------


def _operations(g: State, side: str, card: Card, body: Plain) -> Use:
    hq = _own_hq(g, side, body)
    if not supplied(g, hq):
        raise illegal(msg("{unit} is out of supply", unit=g.counter(hq).name), "6.0")
    return Use("operations", hq)


def _own_hq(g: State, side: str, body: Plain) -> str:
    hq = g.board.unit_index.one_among(body, hqs(g, side))
    if hq not in hqs(g, side):
        why = msg("{unit} is no HQ of yours on the map", unit=g.counter(hq).name)
        raise illegal(why, "6.11", possible(names(g, hqs(g, side))))
    return hq


def _event_use(g: State, side: str, card: Card, body: Plain) -> Use:
    reason = why_no_event(g, card)
    if reason:
        raise illegal(with_card(card, reason), "5.31")
    if card.type != "military" or card.data.get("special"):
        if body is not None:
            raise unreadable(msg("no HQ is named for this event: {card}", card=card.told), written("event"))
        return Use("event")
    return Use("event", _event_hq(g, side, card, body))


def _event_hq(g: State, side: str, card: Card, body: Plain) -> str:
    """[5.31] A: some events name the HQs that may lead; an HQ that the event itself brings need not be on the map yet."""
    allowed = card.data.get("hq", ())
    comes = bool(card.data.get("halsey")) and body is not None and read_unit(g, body) == HALSEY
    hq = HALSEY if comes else _own_hq(g, side, body)
    if allowed and hq not in allowed:
        raise illegal(msg("this event is led by another HQ: {card}", card=card.told), "5.31", possible(names(g, allowed)))
    if not comes and not card.data.get("unsupplied") and not supplied(g, hq):
        raise illegal(msg("{unit} is out of supply", unit=g.counter(hq).name), "6.0")
    return hq


# -- other uses ----------------------------------------------------------------------------------------------------


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
    return g.memo.cached(("return ports", hq), lambda: _return_ports(g, hq))


def _return_ports(g: State, hq: str) -> list[int]:
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
        raise unreadable(msg("there is no route {given} to build", given=quoted(body)), nearest(name, list(BUILT_ROUTES)))
    if card.ops != 3:
        raise illegal(msg("a transport route takes a card of operations value 3"), "13.77")
    if name not in routes_to_build(g, side):
        able = tuple(ROUTES[route] for route in routes_to_build(g, side))
        raise illegal(msg("this route cannot be built now: {route}", route=ROUTES[name]), "13.77", possible(able))
    return Use("route", route=name)


def _rivalry_use(g: State, side: str, card: Card, body: Plain) -> Use:
    if not g.one_year or card.ops != 3 or side not in g.rivalry:
        raise illegal(msg("only a three-turn scenario lets a card of operations value 3 end your rivalry"), "17.26")
    return Use("rivalry")


def _discard_use(g: State, side: str, card: Card, body: Plain) -> Use:
    """[4.22] Whoever finds no use for the card that he has turned up discards it."""
    if body is not None:
        raise unreadable(msg("this card is turned up and needs no name: {card}", card=card.told), written("discard"))
    return Use("discard")


# -- all -----------------------------------------------------------------------------------------------------------


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
