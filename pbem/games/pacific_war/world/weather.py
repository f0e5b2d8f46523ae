"""[PW-WX] Weather: one condition for each zone and month, and what it does to searches, missions and ground units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.pacific_war.clock import WeatherSet
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.engagements import Grounded
from pbem.games.pacific_war.events import Remarked
from pbem.games.pacific_war.records import Flight
from pbem.games.pacific_war.state import JAPAN, State
from pbem.games.pacific_war.terms import hex_term, zone_term
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.wording import die_for, msg

ZONES = ("southeast-asia", "asia", "north-pacific", "south-pacific")  # [PW-WX-01]
CONDITIONS = {"C": "clear", "S": "storm", "F": "fog", "R": "rain", "M": "monsoon"}
SHIPS = {"storm": 2, "fog": 3, "rain": 2, "monsoon": 3}  # [PW-WX-02] added to a search die for ships
WET = ("rain", "monsoon")
BLIND = ("fog", *WET)  # [PW-WX-03] missions may be cancelled; none at dusk and night
HARD = ("jungle", "mountain")  # closed by the monsoon
DARK = ("dusk", "night")


def weather_phase(g: State) -> Flow[None]:
    """[PW-WX-01] One die for each zone, once a month."""
    chart = g.board.charts.plain["weather"]
    found = {}
    for zone in ZONES:
        rolled = yield from die(g, die_for("weather of {zone}", zone=zone_term(zone)), "PW-WX-01")
        found[zone] = CONDITIONS[chart[zone][str(calendar_month(g.month))][rolled]]
    if found != g.weather:
        emit(g, WeatherSet(found))


def calendar_month(number: int) -> int:
    """1 to 12 of a month number: 44 is December 1941."""
    return (11 + 44 - number) % 12 + 1


def weather_at(g: State, place: int) -> str:
    """The condition in a hex; "" without weather."""
    return g.weather.get(g.board.zone(place), "") if g.weather else ""


def hides_ships(g: State, place: int) -> int:
    """[PW-WX-02] Added to the die of a search for ships in a hex."""
    return SHIPS.get(weather_at(g, place), 0)


def hides_aircraft(g: State, side: str, place: int) -> int:
    """[PW-WX-02] Added to the die of a Japanese search for Allied aircraft over a hex."""
    return int(side == JAPAN and weather_at(g, place) in WET)


def grounds(g: State, place: int) -> bool:
    """[PW-WX-02] No mission starts from the hex in this light."""
    return g.light in DARK and weather_at(g, place) in BLIND


def slows(g: State, place: int) -> bool:
    """[PW-WX-02] A ground unit that begins a phase in the hex goes one hex at most."""
    return weather_at(g, place) in WET


def closes(g: State, place: int) -> bool:
    """[PW-WX-02] Ground units neither march nor pursue into the hex; "mixed" terrain is jungle or hill [PW-AMB-20]."""
    return weather_at(g, place) == "monsoon" and g.board.hex(place).land in HARD


def cancelled(g: State, side: str, units: Iterable[str]) -> Flow[list[str]]:
    """[PW-WX-03] Units of a mission that stay on the ground: one die for each hex with fog, rain or monsoon."""
    by_hex: dict[int, list[str]] = {}
    for unit in units:
        if unit not in g.waves and weather_at(g, g.units[unit].at) in BLIND:
            by_hex.setdefault(g.units[unit].at, []).append(unit)
    lost: list[str] = []
    for place, named in by_hex.items():
        rolled = yield from die(g, msg("weather over {place}", place=hex_term(g, place)), "PW-WX-03", side)
        if rolled > 3 * min(g.counter(u).level for u in named):
            kept = msg("The weather over {place} keeps on the ground: {units}", place=hex_term(g, place), units=tuple(named))
            emit(g, Remarked(kept, "PW-WX-03"))
            lost += named
    if lost:
        emit(g, Grounded(tuple(lost)))
    return lost


def without(g: State, flights: Sequence[Flight], lost: Sequence[str]) -> list[Flight]:
    """The flights without units that stay on the ground; each begins where its first remaining unit takes off."""
    found = []
    for flight in flights:
        units = [u for u in flight.units if u not in lost]
        if units:
            starts = {g.waves.get(u, g.units[u].at) for u in units}
            first = next(i for i, h in enumerate(flight.path) if h in starts)
            found.append(Flight(units, flight.path[first:]))
    return found
