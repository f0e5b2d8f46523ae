"""[6.3] [7.21] Activation: which units an HQ may call, how many, and together with which others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.games.empire_of_the_sun.board import KUNMING, KWAI, RANGOON, Card, distance
from pbem.games.empire_of_the_sun.burma import NORTHERN_FIELDS
from pbem.games.empire_of_the_sun.china_box import flies_to_china, wing_in_china_fed
from pbem.games.empire_of_the_sun.fields import Crossing, Field
from pbem.games.empire_of_the_sun.labels import names
from pbem.games.empire_of_the_sun.lines import ANY_LENGTH, ANY_PORTS, OVERLAND_LIMIT, lines, overland
from pbem.games.empire_of_the_sun.nations import commands
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.games.empire_of_the_sun.supply import by_supply, hqs_on_map, limits_of, supplied
from pbem.kernel.orders import illegal, possible
from pbem.kernel.wording import NO_WORDS, Message, msg

CBI = ("Burma", "NIndia", "Ceylon")


def hqs(g: State, side: str) -> list[str]:
    """HQs of one side on the map."""
    return [*hqs_on_map(g, side)]


def activation_reach(g: State, hq: str) -> Field:
    """[6.3] Hexes that an activation path of at most the command range leads to."""
    return by_supply(g, ("activation", hq), lambda: _reach(g, hq))


def _reach(g: State, hq: str) -> Field:
    """Sea hexsides outside hostile zones; land hexsides that no enemy bars.

    First edition: a hex that the enemy holds may be the start or the end, whatever its hexsides.
    """
    counter, fields = g.counter(hq), g.board.fields
    limits = limits_of(g, counter.side)
    start = found = frontier = fields.of([g.pieces[hq].at])
    leave = ~limits.blocked | (0 if g.second else start)
    enter = ~limits.blocked if g.second else -1
    crossing = Crossing(fields.links, limits.closed)
    for _ in range(counter.command):
        ships = frontier & ~limits.closed & (-1 if g.second else leave)
        came = fields.step("any sea", ships) & ~limits.closed | crossing.step(ships)
        came |= fields.step("any land", frontier & leave) & enter
        frontier = came & ~found
        found |= frontier
        if not frontier and not crossing.waiting:
            break
    return found


def in_reach(g: State, hq: str, unit: str) -> bool:
    """An activation path leads from the HQ to the unit, the China box by way of Kunming or the Hump [13.74]."""
    reach, has = activation_reach(g, hq), g.board.fields.has
    if g.pieces[unit].box == "china":
        bases = [h for h in NORTHERN_FIELDS if h in g.board.hexes and flies_to_china(g, h)]
        return has(reach, KUNMING) or (g.has("hump") and any(has(reach, h) for h in bases))
    return has(reach, g.pieces[unit].at)


def unit_fed(g: State, unit: str) -> bool:
    """Supplied, on the map or in the China box."""
    if g.pieces[unit].box == "china":
        return wing_in_china_fed(g, unit)
    return supplied(g, unit)


FINE = (NO_WORDS, "")  # why an HQ cannot activate a unit, and the section


def why_not(g: State, hq: str, unit: str, card: Card | None = None) -> tuple[Message, str]:
    """Why this HQ cannot activate this unit, and the section; or two empty words."""
    counter, leader, piece = g.board.counters[unit], g.board.counters[hq], g.pieces[unit]
    name = counter.name
    if counter.side != leader.side or counter.kind == "hq":
        return msg("{unit} is none of your units", unit=name), "7.21"
    if piece.box not in ("map", "china"):
        return msg("{unit} is not on the map", unit=name), "7.21"
    if piece.bombed == g.turn and not _attacked(g, unit):
        return msg("{unit} has bombed Japan this turn", unit=name), "12.31"
    if card is not None and not event_allows(card, g, hq, unit):
        return msg("{unit} is not among the units of this event: {card}", unit=name, card=card.told), "5.31"
    free_nation = card is not None and "only_units" in card.data
    if not free_nation and not commands(g, leader, counter):
        return msg("{unit} is not under the command of this HQ: {hq}", unit=name, hq=leader.name), "6.12"
    if not (card is not None and card.data.get("unsupplied")) and not unit_fed(g, unit):
        return msg("{unit} is out of supply", unit=name), "6.21"
    if not in_reach(g, hq, unit):
        return msg("no activation path leads from {hq} to {unit}", hq=leader.name, unit=name), "6.3"
    return FINE


def _attacked(g: State, unit: str) -> bool:
    """[12.31] Enemy units of the present offensive are in its hex: a B-29 that has bombed may react."""
    o = g.offensive
    side = g.counter(unit).side
    return o is not None and o.side != side and any(g.pieces[u].at == g.pieces[unit].at for u in o.units)


def eligible(g: State, hq: str, card: Card | None = None) -> list[str]:
    """Units that this HQ may activate, for this event or for an operations card (None).

    Found once for a layout (places, supply, markers, bombers that flew, active units) and a turn: all that `why_not` asks of.
    """
    key = "eligible", hq, card.id if card is not None else "", g.turn
    return [*g.memo.cached(key, lambda: _eligible(g, hq, card))]


def _eligible(g: State, hq: str, card: Card | None) -> list[str]:
    reach, one, pieces = activation_reach(g, hq), g.board.fields.one, g.pieces
    near = [u for u in candidates(g, g.counter(hq).side) if pieces[u].box != "map" or reach & one[pieces[u].at]]
    return [u for u in near if not why_not(g, hq, u, card)[0]]


def candidates(g: State, side: str) -> list[str]:
    """Units of a side on the map and in the China box."""
    return [*g.on_map(side), *(g.china_box() if side == ALLIES else ())]


def event_allows(card: Card, g: State, hq: str, unit: str) -> bool:
    """[5.31] The kinds and nations that an event is limited to."""
    counter, data = g.counter(unit), card.data
    if "only" in data and counter.kind not in data["only"]:
        return False
    if counter.kind == "ground":
        if "ground_units" in data and unit not in data["ground_units"]:
            return False
        if "ground_nation" in data and counter.nation != data["ground_nation"]:
            return False
        if "ground_size" in data and counter.size > data["ground_size"]:
            return False
    return _group_allows(str(data.get("only_units", "")), g, unit)


def _group_allows(group: str, g: State, unit: str) -> bool:
    counter = g.counter(unit)
    us_air = counter.nation == "us" and counter.kind == "air"
    match group:
        case "commonwealth":
            return counter.commonwealth
        case "commonwealth-chinese-us-air":
            return counter.commonwealth or counter.nation == "chinese" or us_air
        case "us-air-us-australian-ground":
            return us_air or (counter.kind == "ground" and counter.nation in ("us", "australian"))
        case "us-carriers":
            return counter.nation == "us" and counter.carrier
    return True


def efficiency(g: State, hq: str, units: Iterable[str]) -> int:
    """[6.11] The printed rating; second edition: US line of communications [6.25] and the Kwai railway [13.79]."""
    counter = g.counter(hq)
    rating = counter.efficiency
    if not g.second:
        return rating
    if counter.side == ALLIES:
        return max(0, rating - 1) if counter.nation in ("us", "joint") and not has_east_line(g, hq) else rating
    in_cbi = [u for u in units if _region(g, u) in CBI]
    if not in_cbi or RANGOON not in g.board.hexes:
        return rating
    if not g.has("kwai") and g.holds(ALLIES, RANGOON):
        return max(0, rating - 1)
    return rating + 1 if g.has("kwai") and g.holds(JAPAN, RANGOON) and any(kwai_line(g, u) for u in in_cbi) else rating


def _region(g: State, unit: str) -> str:
    piece = g.pieces[unit]
    return g.board.hexes[piece.at].region if piece.box == "map" else ""


def logistics(card: Card, hq: str, off_card: Card | None = None) -> int:
    """[5.31] The logistics value of an event for this HQ; some reactions take the OC value of the enemy's card."""
    value: Any = card.data.get("lv", 0)
    if isinstance(value, dict):
        return int(value[hq] if hq in value else value["else"])
    if value in ("oc", "oc+1"):
        base = (off_card.oc or 0) if off_card is not None else 0
        return base + 1 if value == "oc+1" else base
    return int(value)


def check(g: State, hq: str, units: Sequence[str], base: int, card: Card | None) -> None:
    """[7.21] The whole list: each unit, their number, rivalry of the services [14.0], the event's limits. Raises Rejected."""
    for unit in units:
        reason, rule = why_not(g, hq, unit, card)
        if reason:
            raise illegal(reason, rule, _some(g, eligible(g, hq, card)))
    free = [u for u in units if _free(g, hq, u, card)]
    allowance = base + efficiency(g, hq, units)
    if len(units) - len(free) > allowance:
        most = msg("{hq}: units that it may activate: {n}", hq=g.counter(hq).name, n=allowance)
        raise illegal(msg("too many units: {n}", n=len(units)), "7.21", most)
    _check_rivalry(g, hq, units, card)
    if card is not None:
        _check_event(g, units, card)


def _free(g: State, hq: str, unit: str, card: Card | None) -> bool:
    return card is not None and bool(card.data.get("new_china")) and g.counter(unit).nation == "chinese"


def _check_rivalry(g: State, hq: str, units: Sequence[str], card: Card | None) -> None:
    """[14.1] C, [14.2] A: Army and Navy not together; a few events bend the rule."""
    side = g.counter(hq).side
    if side not in g.rivalry:
        return
    own = [u for u in units if g.counter(u).nation in ("us", "japan")]
    army = [u for u in own if g.counter(u).service == "army"]
    navy = [u for u in own if g.counter(u).service == "navy"]
    bent = card.data.get("one_navy_unit") if card is not None else None
    if (
        bent
        and (bent is True or bent == hq)
        and len(navy) == 1
        and g.counter(navy[0]).kind == "naval"
        and not g.counter(navy[0]).carrier
    ):
        return
    if army and navy:
        rule = "14.1" if side == ALLIES else "14.2"
        why = msg("rivalry of the services: Army and Navy cannot be activated together")
        told = msg("only the Army ({army}) or only the Navy ({navy})", army=names(g, army), navy=names(g, navy))
        raise illegal(why, rule, told)


def _check_event(g: State, units: Sequence[str], card: Card) -> None:
    ground = [u for u in units if g.counter(u).kind == "ground"]
    if len(ground) > card.data.get("max_ground", 99):
        most = int(card.data["max_ground"])
        raise illegal(msg("ground units that this event activates: at most {n} ({card})", n=most, card=card.told), "5.31")
    if "only_one_of" in card.data and len({g.counter(u).kind for u in units}) > 1:
        raise illegal(msg("this event activates air units or naval units, not both: {card}", card=card.told), "5.31")
    if card.data.get("only_one_of") and ground:
        raise illegal(msg("this event activates no ground units: {card}", card=card.told), "5.31")


def reacting_hqs(g: State, side: str, hexes: Iterable[int]) -> list[str]:
    """[7.26] Supplied HQs with one of these hexes within plain command range."""
    wanted = tuple(hexes)
    return [*g.memo.cached(("reacting", side, wanted), lambda: _reacting_hqs(g, side, wanted))]


def _reacting_hqs(g: State, side: str, wanted: Sequence[int]) -> list[str]:
    return [
        h for h in hqs(g, side) if supplied(g, h) and any(distance(g.pieces[h].at, x) <= g.counter(h).command for x in wanted)
    ]


def in_command(g: State, side: str, place: int) -> bool:
    """[6.24] Within command range of any own HQ, whatever stands between."""
    return any(distance(g.pieces[h].at, place) <= g.counter(h).command for h in hqs(g, side))


PEARL_HARBOR = ("cv-akagi", "cv-soryu", "cv-shokaku", "bb-hiei")  # [17.11] the fleet of card J1


def eligible_first_strike(g: State) -> list[str]:
    """[17.11] Card J2: units in the range of any Japanese HQ, but for the fleet that struck Oahu."""
    commanders = hqs(g, JAPAN)
    return [
        u
        for u in g.on_map(JAPAN)
        if g.counter(u).kind != "hq" and u not in PEARL_HARBOR and any(in_reach(g, h, u) for h in commanders)
    ]


def check_first_strike(g: State, units: Sequence[str], allowance: int) -> None:
    """[17.11] The list of card J2. Raises Rejected."""
    able = eligible_first_strike(g)
    for unit in units:
        if unit not in able:
            raise illegal(msg("{unit} takes no part in Operation No. 1", unit=g.counter(unit).name), "17.11", _some(g, able))
    if len(units) > allowance:
        raise illegal(msg("too many units: {n}", n=len(units)), "17.11", msg("at most {n}", n=allowance))


def _some(g: State, units: Sequence[str]) -> Message:
    return possible(names(g, units)) or msg("no unit is eligible")


def has_east_line(g: State, hq: str) -> bool:
    """[6.25] A supply line from the east map edge leads to this HQ."""
    reach = by_supply(g, "east line", lambda: lines(g, g.board.east_edge, limits_of(g, ALLIES), ANY_LENGTH, ANY_PORTS).all)
    return g.board.fields.has(reach, g.pieces[hq].at)


def kwai_line(g: State, unit: str) -> bool:
    """[13.79] The unit traces overland to Rangoon along the Bangkok railway."""
    reach = by_supply(g, "kwai", lambda: overland(g, g.board.fields.of([RANGOON]), OVERLAND_LIMIT, limits_of(g, JAPAN)))
    return g.has("kwai") and all(g.holds(JAPAN, h) for h in (*KWAI, RANGOON)) and g.board.fields.has(reach, g.pieces[unit].at)
