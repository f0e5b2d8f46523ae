"""Terms of Pacific War as messages: sides, phases, light, conditions, installations, what is asked; terms of labels."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.pacific_war.nouns import INSTALLATIONS as INSTALLATIONS
from pbem.games.pacific_war.nouns import LIGHT as LIGHT
from pbem.games.pacific_war.nouns import RANGES as RANGES
from pbem.games.pacific_war.nouns import WORKS as WORKS
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.kernel.wording import Argument, Message, Term, msg

SIDES = {JAPAN: msg("Japan"), ALLIES: msg("Allies"), "": msg("nobody"), "draw": msg("nobody, a draw")}
PHASES = {
    "": msg("Set-up"),
    "contact": msg("Contact Phase"),
    "movement": msg("Movement Phase"),
    "air": msg("Air Mission Phase"),
    "naval": msg("Naval Combat Phase"),
    "bombardment": msg("Bombardment Phase"),
    "ground": msg("Ground Combat Phase"),
}
CONDITIONS = {
    "surprise": msg("Surprise Attack"),
    "intercept": msg("Intercept"),
    "ambush": msg("Ambush"),
    "cv-ambush": msg("CV Ambush"),
    "secret": msg("rolled in secret"),
}
MISSIONS = {
    "strike": msg("air strike"),
    "superiority": msg("air superiority"),
    "transfer": msg("transfer"),
    "paradrop": msg("paradrop"),
    "patrol": msg("fighter patrol"),
}
BOXES = {
    "sunk": msg("sunk"),
    "eliminated": msg("eliminated"),
    "surrendered": msg("surrendered"),
    "stranded": msg("stranded"),
    "escorts": msg("escorts of the merchant ships"),
    "due": msg("due later"),
    "reserve": msg("out of play"),
    "removed": msg("out of the game"),
}
MONTHS = (
    *(msg("January"), msg("February"), msg("March"), msg("April"), msg("May"), msg("June")),
    *(msg("July"), msg("August"), msg("September"), msg("October"), msg("November"), msg("December")),
)
WEATHER_ZONES = {
    "southeast-asia": msg("Southeast Asia"),
    "asia": msg("Asia"),
    "north-pacific": msg("North Pacific"),
    "south-pacific": msg("South Pacific"),
}
WEATHERS = {
    "clear": msg("clear weather"),
    "storm": msg("storm"),
    "fog": msg("fog"),
    "rain": msg("rain"),
    "monsoon": msg("monsoon"),
}
LANDS = {
    "": msg("sea"),
    "clear": msg("clear"),
    "jungle": msg("jungle"),
    "rough": msg("rough"),
    "mountain": msg("mountain"),
    "atoll": msg("atoll"),
}
LINES = {
    "long": msg("gunnery at long range"),
    "medium": msg("gunnery at medium range"),
    "short": msg("gunnery at short range"),
    "torpedo": msg("torpedoes"),
    "cap-uncoordinated": msg("CAP against an uncoordinated mission"),
    "cap-coordinated": msg("CAP against a coordinated mission"),
    "superiority-cap": msg("air superiority against CAP"),
    "uncoordinated-cap": msg("uncoordinated mission against CAP"),
    "coordinated-cap": msg("coordinated mission against CAP"),
    "flak": msg("flak"),
    "improved-flak": msg("improved flak"),
    "strafing": msg("strafing"),
    "asw": msg("against submarines"),
    "air-installation": msg("aircraft against an installation"),
    "air-ground": msg("aircraft against ground units"),
    "normal-bombing": msg("bombing"),
    "incendiary-bombing": msg("incendiary bombing"),
    "1E-naval": msg("1E against ships"),
    "2E-naval": msg("2E against ships"),
    "4E-naval": msg("4E against ships"),
    "bombard-ground": msg("bombardment of ground units"),
    "bombard-installation": msg("bombardment of installations"),
}
KINDS = {"air": msg("aircraft"), "ground": msg("ground units"), "naval": msg("ships")}
TARGETS = {**INSTALLATIONS, "construction": msg("construction"), "strafe": msg("strafing")}
REPORTED = {
    "ships": msg("ships"),
    "capital": msg("capital ships"),
    "others": msg("other ships"),
    "carriers": msg("carriers"),
}
SHIPPING = {"merchants": msg("merchant ships"), "escorts": msg("escorts")}
NATIONS = {
    "australia": msg("Australia"),
    "britain": msg("Britain"),
    "china": msg("China"),
    "india": msg("India"),
    "netherlands": msg("the Netherlands"),
    "us": msg("US"),
}
COUNTRIES = {"java": msg("Java"), "india": msg("India"), "china": msg("China"), "malaya": msg("Malaya")}
ASKED = {
    "PT boats": msg("stations of the PT boats, sealed"),
    "activate": msg("activation of units"),
    "alert": msg("units on the airfield that are alerted"),
    "allocate": msg("command points for the headquarters"),
    "arrive": msg("where a reinforcement arrives"),
    "attack": msg("a ground attack, or none"),
    "barges": msg("movement by barge"),
    "base": msg("the base on which an air unit lands"),
    "besiege": msg("sieges at the start of the operation"),
    "bid": msg("range bid, or withdrawal"),
    "bombard": msg("bombardment"),
    "cap": msg("combat air patrol"),
    "cargo": msg("losses aboard a ship that was hit"),
    "claim": msg("whether to take the operation without a bid"),
    "common": msg("deactivation, disengagement"),
    "contact": msg("approach of the task forces"),
    "counter": msg("the counter that takes a unit's place"),
    "damage": msg("hits on the home resource hexes"),
    "demolition": msg("demolition"),
    "doolittle": msg("the Doolittle raid"),
    "drop": msg("which unit is deactivated"),
    "engineering": msg("engineering"),
    "escort": msg("escorts"),
    "exchange": msg("which ships are the screen now"),
    "extend": msg("whether to pay for another week"),
    "fire": msg("targets of the ships"),
    "first": msg("which kind moves first"),
    "flak": msg("which ships fire flak"),
    "fly": msg("flights of hidden air units, in secret"),
    "fly_hidden": msg("whether hidden air units fly in secret"),
    "free_base": msg("a supply base, or none"),
    "go_on": msg("whether the rest of a mission flies on"),
    "grounded": msg("aircraft destroyed on the airfield"),
    "groups": msg("points of the strategic bombers"),
    "hangar": msg("air steps lost aboard a carrier"),
    "headquarters": msg("headquarters that return or disperse"),
    "hide": msg("hexes whose task forces are sealed"),
    "hits": msg("who takes the hits"),
    "intercept": msg("interception of the mission"),
    "join": msg("units that join the operation"),
    "kinds": msg("kinds of units that move in the approach"),
    "land": msg("movement of ground units"),
    "landing": msg("where the aircraft land"),
    "leader": msg("the unit whose quality counts"),
    "leave": msg("the hex of the withdrawal"),
    "length": msg("length of the operation, sealed"),
    "light": msg("light of the first cycle"),
    "line": msg("ships that enter the combat"),
    "links": msg("links of the headquarters"),
    "lose": msg("the group of bombers that loses a point"),
    "losses": msg("steps lost"),
    "march": msg("movement of hidden ground units, in secret"),
    "march_hidden": msg("whether hidden ground units move in secret"),
    "mend": msg("airfields that are repaired"),
    "merchants": msg("merchant shipping points that are bought"),
    "mission": msg("an air mission, or none"),
    "mustangs": msg("the base of the P-51"),
    "muster": msg("which units are activated in secret"),
    "night_attack": msg("an attack at night, or none"),
    "operation-bid": msg("bid for the operation"),
    "order": msg("order of the ground combats"),
    "organize": msg("task forces of a hex"),
    "panama": msg("bombardment of the Panama Canal, or none"),
    "plan": msg("routes of all task forces, written down"),
    "priority": msg("what the submarines attack first"),
    "pursue": msg("pursuit, or none"),
    "raid": msg("strategic bombing"),
    "rally": msg("units that rally"),
    "react": msg("activation in reaction"),
    "rebase": msg("air units that change their base"),
    "repairs": msg("repair of ships"),
    "replacements": msg("replacements"),
    "retreat": msg("retreat, or none"),
    "sail": msg("movement of task forces"),
    "search": msg("search, or none"),
    "ship": msg("the ship that is attacked"),
    "show": msg("task forces that are shown because they act"),
    "show_force": msg("units of a Force that are shown because they could act"),
    "simultaneous": msg("a simultaneous strike, or none"),
    "stop": msg("whether the approach is stopped"),
    "strafed": msg("aircraft destroyed on the ground"),
    "strategy": msg("strategic orders"),
    "strike_force": msg("whether the strike is on the Force of the hex"),
    "submarine": msg("the submarine that attacks"),
    "submarines": msg("where new submarines go"),
    "sweep": msg("a sweep for submarines, or none"),
    "take_airfield": msg("use of an overrun airfield"),
    "targets": msg("targets of the air strike"),
    "task forces": msg("task forces of a hex, sealed"),
    "to": msg("where the units go"),
    "torpedo": msg("target of a submarine"),
    "transport": msg("strategic transport"),
}


def month_name(number: int) -> str:
    """44 is December 1941, 1 is July 1945."""
    since = 1941 * 12 + 11 + (44 - number)
    return f"{since // 12}-{since % 12 + 1:02d}"


def month(number: int) -> Message:
    """The month by its number in the game, 44 = December 1941."""
    year, n = map(int, month_name(number).split("-"))
    return msg("{name} {year}", name=MONTHS[n - 1], year=year)


def place(g: State, hex: int) -> str:
    """A hex as players name it: `1630 Rabaul`. Names of the map stay as they are printed."""
    return g.board.name(hex)


def hex_term(g: State, place: int) -> Term:
    """A hex in a label or statement: four digits in records."""
    return Term(f"{place:04d}", g.board.name(place))


def hex_in(message: Message) -> int:
    """The hex that a label names."""
    return int(str(message.args["place"]))


def side_term(side: str) -> Term:
    """A side in a label."""
    return Term(side, SIDES[side])


def zone_term(zone: str) -> Term:
    """A weather zone in a label."""
    return Term(zone, WEATHER_ZONES[zone])


def target_terms(targets: Iterable[str]) -> tuple[Term | str, ...]:
    """What is attacked in a hex: units by name, installations."""
    return tuple(Term(one, TARGETS[one]) if one in TARGETS else one for one in targets)


def side_of(g: State, unit: str) -> Message:
    """Whose unit."""
    return SIDES[g.side(unit)]


def things(ids: Iterable[str]) -> tuple[Message, ...]:
    """Units by name: every one is a single piece."""
    return tuple(Message(name, {"n": 1}) for name in ids)


def where(g: State, unit: str) -> Argument:
    """The hex in which a unit is, or over which it flies, or the box."""
    u, m = g.units[unit], g.mission
    for flight in m.flights if m is not None and unit not in m.landed else ():
        if unit in flight.units and m is not None:
            return place(g, flight.path[min(m.flown.get(unit, 0), len(flight.path) - 1)])
    return place(g, u.at) if u.at else BOXES.get(u.box, msg("out of sight"))


def block_of(g: State) -> Message | None:
    """Heading of the mission or naval combat that is going on."""
    if g.mission is not None:
        m = g.mission
        return msg("{power}, {type}: {place}", power=SIDES[m.side], type=MISSIONS[m.type], place=place(g, m.target))
    if g.sea is not None:
        return msg("Naval combat: {place}", place=place(g, g.sea.hex))
    return None
