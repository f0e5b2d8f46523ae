"""What a game of the series must bring along: every value that the series rules leave to the game specific rules.

A scenario gives a value itself, or in its `tables` (the game's charts), or in its `charts` (those of the series); what none
of them gives has the default stated here, or is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.games.next_war.charts import band, combat_result, fire_result

MISSING: Any = object()
SEATS = ("allied", "non-allied")


class ScenarioFault(ValueError):
    """A scenario that cannot be played: every fault found in it, each with the parameter's name and rule section."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One value that a scenario supplies: the section that asks for it, what it is for, how it is checked."""

    name: str
    rule: str
    text: str
    check: Callable[[Any], str]  # what is wrong with the value, or nothing
    default: Any = MISSING


def _is(kind: type | tuple[type, ...], word: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        wrong = not isinstance(value, kind) or (isinstance(value, bool) and kind is int)
        return f"is {value!r}, not {word}" if wrong else ""

    return check


_int, _bool = _is(int, "a whole number"), _is(bool, "true or false")
_map, _list, _text = _is(dict, "a mapping"), _is(list, "a list"), _is(str, "text")


def _by_seat(check: Callable[[Any], str]) -> Callable[[Any], str]:
    def both(value: Any) -> str:
        if not isinstance(value, dict) or set(value) != set(SEATS):
            return "needs a value for each of allied and non-allied"
        return "; ".join(f"{seat}: {fault}" for seat in SEATS if (fault := check(value[seat])))

    return both


def _one_of(*words: str) -> Callable[[Any], str]:
    return lambda value: "" if value in words else f"is {value!r}, not one of {', '.join(words)}"


def _bands(check: Callable[[Any], str]) -> Callable[[Any], str]:
    def each(value: Any) -> str:
        if not isinstance(value, dict) or not value:
            return "is no table of bands"
        faults = []
        for key, entry in value.items():
            try:
                band(str(key))
            except ValueError as fault:
                faults.append(str(fault))
            if wrong := check(entry):
                faults.append(f"row {key}: {wrong}")
        return "; ".join(faults)

    return each


def _columns(width: int, check: Callable[[str], Any]) -> Callable[[Any], str]:
    def row(value: Any) -> str:
        if not isinstance(value, list) or len(value) != width:
            return f"has not {width} columns"
        for cell in value:
            try:
                check(str(cell))
            except ValueError as fault:
                return str(fault)
        return ""

    return row


def _crt(value: Any) -> str:
    if not isinstance(value, dict) or not {"rows", "results"} <= set(value):
        return "needs rows (terrain and odds) and results"
    return _bands(_columns(13, combat_result))(value["results"])


_capability = _by_seat(_one_of("full", "limited", "none"))

PARAMETERS = (
    Parameter("sides", "2.1", "name and nations of both sides", _by_seat(_map)),
    Parameter("countries", "2.1", "country -> side", _map),
    Parameter("unit_types", "2.2", "unit symbol -> combat class", _map),
    Parameter("game_length_turns", "12.3", "last game turn", _int),
    Parameter("initiative_start", "5.1", "who has the Initiative at the start, and through which turn", _map),
    Parameter("initiative_vp", "5.1.1", "victory points in a turn that take or hold the Initiative", _map, {}),
    Parameter("fixed_turns", "5.1", "turn -> side or contested, where the scenario fixes it", _map, {}),
    Parameter("weather_table", "4.0", "die -> weather", _bands(_one_of("clear", "overcast", "storm"))),
    Parameter("weather_drm", "4.0", "season modifier", _int, 0),
    Parameter("weather_fixed", "4.0", "turn -> weather, where the scenario fixes it", _map, {}),
    Parameter("weather_chosen_turns", "4.0", "turns on which the Initiative player chooses", _list, [1]),
    Parameter("season_is_winter", "9.4.4", "marsh does not hinder", _bool, False),
    Parameter("all_weather_capability", "4.1.2", "full, limited or none", _capability),
    Parameter("storm_reinforcements", "4.1.3", "reinforcements arrive in Storm", _bool, True),
    Parameter("air_points_turns", "6.1", "turn bands, the columns of the Air Points table", _list),
    Parameter("air_points_table", "6.1", "die -> [non-allied, allied] for each column", _bands(_list)),
    Parameter("air_points_fixed", "6.1", "turn -> {allied, non-allied}, where the scenario fixes them", _map, {}),
    Parameter("air_points_lost_for_good", "6.3", "losses are permanent", _bool, True),
    Parameter(
        "carrier_air_points",
        "7.3.4",
        "nation -> points in a controlled area; other; at sea",
        _map,
        {"US": 2, "other": 1, "at sea": 1},
    ),
    Parameter(
        "air_superiority_table",
        "6.4",
        "difference -> level",
        _bands(_one_of("contested", "advantage", "superiority", "supremacy")),
    ),
    Parameter("adf_table", "6.6.1", "die -> result for each level", _bands(_columns(7, fire_result))),
    Parameter("adf_drms", "6.6.1", "modifiers of Air Defense Fire", _map, {"escort": 1, "air_transport_home": 3}),
    Parameter("helo_loss_table", "6.5.4", "die -> destroyed, step, rebase", _bands(_one_of("destroyed", "step", "rebase"))),
    Parameter(
        "point_loss_table", "6.3.1", "die -> lost, none", _bands(_one_of("lost", "none")), {"0-2": "lost", "3-9": "none"}
    ),
    Parameter("sea_zones", "7.1", "sea zones with their areas", _list, []),
    Parameter("sea_control_start", "7.2", "area -> side", _map, {}),
    Parameter("sea_control_fixed", "7.2", "areas that are never rolled for", _list, []),
    Parameter("sea_control_table", "7.2", "turn band -> die -> side or contested", _map, {}),
    Parameter("sea_control_drms", "7.2.2", "naval units and others", _map, {}),
    Parameter("submarine_threat", "7.4.1", "level of each side", _by_seat(_int), {"allied": 0, "non-allied": 0}),
    Parameter("asw_level", "7.4.2", "level of each side", _by_seat(_int), {"allied": 0, "non-allied": 0}),
    Parameter("track_maximum", "7.4.1", "end of both tracks", _int, 10),
    Parameter(
        "contested_sea_table",
        "8.5.6.4.1",
        "die -> ok, aborted, loss",
        _bands(_one_of("ok", "aborted", "loss")),
        {"<=5": "ok", "6-8": "aborted", ">=9": "loss"},
    ),
    Parameter("mine_markers", "7.5", "most markers in use", _by_seat(_int), {"allied": 0, "non-allied": 0}),
    Parameter("mines_start", "7.5", "hex -> {side, density}", _map, {}),
    Parameter("port_capacity", "8.3.1.9", "port -> stacking points a turn", _map, {"other": 2}),
    Parameter("beachhead_markers", "8.5.8.2", "most markers in use", _by_seat(_int), {"allied": 0, "non-allied": 0}),
    Parameter(
        "beachhead_strength",
        "8.5.8.4",
        "defense strength, steps and efficiency of a Beachhead",
        _map,
        {"ds": 2, "steps": 1, "er": 4},
    ),
    Parameter("terrain_effects", "8.3", "terrain -> class -> [other weather, storm] in movement points", _map),
    Parameter("road_effects", "8.3.2", "road -> class -> [other weather, storm]", _map),
    Parameter("river_effects", "8.3.1.1", "class -> extra movement points", _map),
    Parameter("air_transport_limit", "8.5.2.1", "stacking points a segment", _map, {}),
    Parameter("airborne_limit", "8.5.3.1", "stacking points a turn", _map, {}),
    Parameter("sea_transport_limit", "8.5.7.3", "stacking points a segment", _map, {}),
    Parameter(
        "airmobile_points", "8.5.4.1", "points of each side at the start", _by_seat(_int), {"allied": 0, "non-allied": 0}
    ),
    Parameter("paradrop_table", "8.5.3", "die -> steps lost for each kind of terrain", _map),
    Parameter("clearing_markers", "8.4.1", "clearing number -> markers", _map),
    Parameter("clearing_mssp", "8.4.1.1", "urban, city, installation -> minimum safe stacking points", _map),
    Parameter("extra_clearing_hexes", "8.4", "other hexes that need clearing", _list, []),
    Parameter("crt", "9.2.2.2", "odds rows and results", _crt),
    Parameter("exploitation_shift", "9.5.3", "columns left", _int, 2),
    Parameter("surprise_shifts", "9.5.4", "list of turn, side, columns", _list, []),
    Parameter("light_infantry_drm", "9.6.7", "modifier for its side", _int, 1),
    Parameter(
        "multi_formation_drm",
        "9.6.6",
        "per formation beyond the first; most; exempt nations",
        _map,
        {"each": 1, "most": 3, "exempt": []},
    ),
    Parameter("special_unit_drms", "9.6.4", "unit type -> {attack, defend}, once per combat", _map, {}),
    Parameter("multinational_drm", "9.6.5", "attack by several nations", _map, {"each": 0, "as one": []}),
    Parameter("multinational_stacking", "8.1.1.2", "efficiency lost where nations stack", _map, {"er": 0, "as one": []}),
    Parameter("reinforcements", "10.0", "list of turn, units or points, where", _list, []),
    Parameter("replacement_points", "11.0", "nation -> turn band -> points", _map, {}),
    Parameter("replacement_costs", "11.1", "unit type -> [recovery, reconstitution] by size", _map),
    Parameter("vp_chart", "12.1", "what is taken or destroyed -> points", _map),
    Parameter("pregame_vp", "12.1.3", "points before the first turn", _by_seat(_int), {"allied": 0, "non-allied": 0}),
    Parameter("auto_victory_level", "12.2", "difference that allows a throw; 0: none", _int, 0),
    Parameter("auto_victory_hexes", "12.2", "side -> hexes of the enemy capital", _map, {}),
    Parameter("auto_victory_table", "12.2", "die -> victory for each number of throws", _map, {}),
    Parameter("victory_levels", "12.3", "list of [least difference, name], highest first", _list),
    Parameter("victory_base", "12.3", "points that the allied side needs to be even with the other", _int, 0),
    Parameter("zones_stop_at_border", "8.2.3", "no zones into enemy hexes before the first segment has ended", _bool, True),
    Parameter(
        "friendly_map_edge", "9.8.1", "side -> north, south, east or west", _by_seat(_one_of("north", "south", "east", "west"))
    ),
    Parameter("naval_boxes", "8.5.6.3", "reinforcement box -> whose, and the At Sea areas it touches", _map, {}),
    Parameter("bridge_rules", "SOP", "destroy, repair: die bands; none: switched off", _map, {}),
)
NAMES = {p.name: p for p in PARAMETERS}


def read_parameters(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter of a scenario. Raises ScenarioFault naming all that are missing or malformed."""
    found: dict[str, Any] = {}
    faults: list[str] = []
    sources = [s for s in (scenario, scenario.get("tables", {}), scenario.get("charts", {})) if isinstance(s, dict)]
    for parameter in PARAMETERS:
        value = next((s[parameter.name] for s in sources if parameter.name in s), parameter.default)
        if value is MISSING:
            faults.append(f"{parameter.name} is missing [{parameter.rule}]: {parameter.text}")
        elif wrong := parameter.check(value):
            faults.append(f"{parameter.name} {wrong} [{parameter.rule}]")
        found[parameter.name] = value
    for part in ("map", "units"):
        if not isinstance(scenario.get(part), dict):
            faults.append(f"{part} is missing [2.1]: the {part} of the game")
    if faults:
        raise ScenarioFault(faults)
    return found
