"""What a game of the series must bring along: every value that the series rules leave to the game specific rules.

A scenario gives a value itself, or in its `tables` (the game's charts), or in its `charts` (those of the series); what none
of them gives has the default stated here, or is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from pbem.games.next_war.charts import MOBILITIES, ROADS, TERRAINS, band, combat_result, fire_result
from pbem.kernel.orders import nearest
from pbem.kernel.shapes import (
    Check,
    Fault,
    ScenarioFault,
    either,
    fault,
    lacking,
    list_of,
    map_of,
    matching,
    one_of,
    record,
    unknown_key,
    whole,
    words,
    yes_no,
)

MISSING: Any = object()
SEATS = ("allied", "non-allied")
OTHER_KEYS = ("game", "name", "title", "map", "units", "charts", "tables", "setup", "control", "playing_area", "units_in_play")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One value that a scenario supplies: the section that asks for it, what it is for, its shape."""

    name: str
    rule: str
    text: str
    check: Check
    default: Any = MISSING


# -- shapes of this game ---------------------------------------------------------------------------------------------------

_side = one_of(*SEATS)
_points = whole(0, 999)
_drm = whole(-20, 20)
_texts = list_of(words)
_turn = matching(r"[1-9]\d?", "a turn such as 3")
_cost = matching(r"P|\+?\d+|\d+/[1-9]\d*", "movement points such as 2 or 1/2, or P")
_weather = one_of("clear", "overcast", "storm")


def _by_seat(check: Check) -> Check:
    return record(dict.fromkeys(SEATS, check))


def _any_seat(check: Check) -> Check:
    return record({}, dict.fromkeys(SEATS, check))


def _with(needed: Sequence[str], entry: Check) -> Check:
    """A mapping of values of one shape, some of its keys fixed."""

    def check(value: Any) -> Iterator[Fault]:
        yield from map_of(entry)(value)
        missing = [name for name in needed if not isinstance(value, dict) or name not in value]
        if isinstance(value, dict) and missing:
            yield fault(f"lacks {', '.join(missing)}")

    return check


def _band(value: Any) -> Iterator[Fault]:
    try:
        band(str(value))
    except ValueError as wrong:
        yield fault(str(wrong))


def _is_band(key: Any) -> bool:
    return not [*_band(key)]


def _banded(entry: Check, covers: range = range(0)) -> Check:
    """A table by bands that do not overlap and leave no gap; `covers`: numbers that it has to answer."""

    def check(value: Any) -> Iterator[Fault]:
        wrong = list(map_of(entry, _band, some=True)(value))
        yield from wrong
        if isinstance(value, dict) and all(_is_band(key) for key in value):
            yield from _uneven(value, covers)

    return check


def _uneven(table: Mapping[str, Any], covers: range) -> Iterator[Fault]:
    bands = sorted((band(key), key) for key in table)
    for ((_, high), key), ((low, _), after) in pairwise(bands):
        if low <= high:
            yield Fault((after,), f"band {after} overlaps band {key}", word=after)
        elif low > high + 1:
            yield Fault((after,), f"nothing stands for {high + 1}, between bands {key} and {after}", word=after)
    if bands and covers and (bands[0][0][0] > covers[0] or bands[-1][0][1] < covers[-1]):
        yield fault(f"does not answer every die from {covers[0]} to {covers[-1]}")


def _by_die(entry: Check) -> Check:
    return _banded(entry, range(10))


def _cell(read: Callable[[str], Any]) -> Check:
    def check(value: Any) -> Iterator[Fault]:
        try:
            read(str(value))
        except ValueError as wrong:
            yield fault(str(wrong))

    return check


def _highest_first(value: Any) -> Iterator[Fault]:
    level = list_of(list_of(either(whole(0), words), 2))
    wrong = list(level(value))
    yield from wrong
    if not wrong and [row[0] for row in value] != sorted((row[0] for row in value), reverse=True):
        yield fault("is not in order", "the highest difference first")


_costs = record(dict.fromkeys(MOBILITIES, list_of(_cost, 2)))
_odds = matching(r"\d+(\.\d+)?:\d+", "odds such as 3:1")
_crt = record(
    {
        "rows": list_of(record({"terrain": list_of(one_of(*TERRAINS)), "columns": map_of(whole(1, 13), _odds, some=True)})),
        "results": _by_die(list_of(_cell(combat_result), 13)),
    },
    {"excess_loss_columns": list_of(whole(1, 13))},
)
_side_sheet = record({"name": words, "nations": _texts, "countries": map_of(_texts)})
_unit_type = record(
    {"class": one_of("leg", "motorized", "mechanized", "armor")},
    {"marine": yes_no, "airborne": yes_no, "mountain": yes_no, "value": words},
)
_sea_zone = record({"id": words, "at_sea": words}, {"inshore": _texts, "adjacent": _texts, "names": map_of(words)})
_arrival = record({"turn": whole(1, 99), "side": _side}, {"units": _texts, "where": _texts, "airmobile_points": _points})
_adf_drms = ("escort", "air_transport_home", "near_enemy_installation", "near_enemy_armor", "flew_over_enemy")
_vp_chart = record(
    dict.fromkeys(("airfield_or_town", "installation", "city", "urban", "capital"), _points),
    {"capitals": _texts, "site": _by_seat(_points), "eliminated": map_of(_points)},
)
_throws = record({"columns": list_of(_band), "rows": _by_die(list_of(one_of("V", "-")))})
_no_points = dict.fromkeys(SEATS, 0)

PARAMETERS = (
    Parameter("sides", "2.1", "name and nations of both sides", _by_seat(_side_sheet)),
    Parameter("countries", "2.1", "country -> side", map_of(_side, some=True)),
    Parameter("unit_types", "2.2", "unit symbol -> combat class", map_of(_unit_type, some=True)),
    Parameter("game_length_turns", "12.3", "last game turn", whole(1, 99)),
    Parameter(
        "initiative_start",
        "5.1",
        "who has the Initiative at the start, and through which turn",
        record({"side": _side, "through": whole(0, 99)}),
    ),
    Parameter("initiative_vp", "5.1.1", "victory points in a turn that take or hold the Initiative", _any_seat(_points), {}),
    Parameter(
        "fixed_turns",
        "5.1",
        "turn -> side or contested, where the scenario fixes it",
        map_of(one_of(*SEATS, "contested"), _turn),
        {},
    ),
    Parameter("weather_table", "4.0", "die -> weather", _by_die(_weather)),
    Parameter("weather_drm", "4.0", "season modifier", _drm, 0),
    Parameter("weather_fixed", "4.0", "turn -> weather, where the scenario fixes it", map_of(_weather, _turn), {}),
    Parameter("weather_chosen_turns", "4.0", "turns on which the Initiative player chooses", list_of(whole(1, 99)), [1]),
    Parameter("season_is_winter", "9.4.4", "marsh does not hinder", yes_no, False),
    Parameter("all_weather_capability", "4.1.2", "full, limited or none", _by_seat(one_of("full", "limited", "none"))),
    Parameter("storm_reinforcements", "4.1.3", "reinforcements arrive in Storm", yes_no, True),
    Parameter("air_points_turns", "6.1", "turn bands, the columns of the Air Points table", list_of(_band)),
    Parameter("air_points_table", "6.1", "die -> [non-allied, allied] for each column", _by_die(list_of(list_of(_points, 2)))),
    Parameter(
        "air_points_fixed",
        "6.1",
        "turn -> {allied, non-allied}, where the scenario fixes them",
        map_of(_by_seat(_points), _turn),
        {},
    ),
    Parameter("air_points_lost_for_good", "6.3", "losses are permanent", yes_no, True),
    Parameter(
        "carrier_air_points",
        "7.3.4",
        "nation -> points in a controlled area; other; at sea",
        _with(("other", "at sea"), _points),
        {"US": 2, "other": 1, "at sea": 1},
    ),
    Parameter(
        "air_superiority_table",
        "6.4",
        "difference -> level",
        _banded(one_of("contested", "advantage", "superiority", "supremacy")),
    ),
    Parameter("adf_table", "6.6.1", "die -> result for each level", _by_die(list_of(_cell(fire_result), 7))),
    Parameter(
        "adf_drms",
        "6.6.1",
        "modifiers of Air Defense Fire",
        map_of(_drm, one_of(*_adf_drms)),
        {"escort": 1, "air_transport_home": 3},
    ),
    Parameter("helo_loss_table", "6.5.4", "die -> destroyed, step, rebase", _by_die(one_of("destroyed", "step", "rebase"))),
    Parameter(
        "point_loss_table", "6.3.1", "die -> lost, none", _by_die(one_of("lost", "none")), {"0-2": "lost", "3-9": "none"}
    ),
    Parameter("sea_zones", "7.1", "sea zones with their areas", list_of(_sea_zone), []),
    Parameter("sea_control_start", "7.2", "area -> side", map_of(_side), {}),
    Parameter("sea_control_fixed", "7.2", "areas that are never rolled for", _texts, []),
    Parameter(
        "sea_control_table",
        "7.2",
        "turn band -> die -> side or contested",
        map_of(_by_die(one_of(*SEATS, "contested")), _band),
        {},
    ),
    Parameter(
        "sea_control_drms",
        "7.2.2",
        "naval units and others",
        record({}, {**dict.fromkeys(("kinds", "nations", "areas"), map_of(_drm)), "tracks": yes_no}),
        {},
    ),
    Parameter("submarine_threat", "7.4.1", "level of each side", _by_seat(whole(0, 99)), _no_points),
    Parameter("asw_level", "7.4.2", "level of each side", _by_seat(whole(0, 99)), _no_points),
    Parameter("track_maximum", "7.4.1", "end of both tracks", whole(1, 99), 10),
    Parameter(
        "contested_sea_table",
        "8.5.6.4.1",
        "die -> ok, aborted, loss",
        _by_die(one_of("ok", "aborted", "loss")),
        {"<=5": "ok", "6-8": "aborted", ">=9": "loss"},
    ),
    Parameter("mine_markers", "7.5", "most markers in use", _by_seat(_points), _no_points),
    Parameter("mines_start", "7.5", "hex -> {side, density}", map_of(record({"side": _side, "density": whole(1, 2)})), {}),
    Parameter("port_capacity", "8.3.1.9", "port -> stacking points a turn", _with(("other",), _points), {"other": 2}),
    Parameter("beachhead_markers", "8.5.8.2", "most markers in use", _by_seat(_points), _no_points),
    Parameter(
        "beachhead_strength",
        "8.5.8.4",
        "defense strength, steps and efficiency of a Beachhead",
        record({"ds": _points, "steps": whole(1, 9), "er": whole(0, 9)}),
        {"ds": 2, "steps": 1, "er": 4},
    ),
    Parameter(
        "terrain_effects",
        "8.3",
        "terrain -> class -> [other weather, storm] in movement points",
        record({t: _costs for t in TERRAINS if t != "urban"}),
    ),
    Parameter(
        "mountain_infantry_effects",
        "8.3",
        "terrain -> [other weather, storm] for mountain infantry on foot (newer rules)",
        map_of(list_of(_cost, 2), one_of(*TERRAINS)),
        {"highland": [2, 3], "highland_woods": [2, 3], "mountain": [2, 3]},
    ),
    Parameter(
        "jungle_effects",
        "8.3",
        "class -> [other weather, storm] in movement points over those of the hex (newer charts)",
        _costs,
        {"leg": [1, 2], "li": [0, 1], "mot": [3, "P"], "mech": [2, "P"]},
    ),
    Parameter("road_effects", "8.3.2", "road -> class -> [other weather, storm]", record(dict.fromkeys(ROADS, _costs))),
    Parameter("river_effects", "8.3.1.1", "class -> extra movement points", record(dict.fromkeys(MOBILITIES, _cost))),
    Parameter("air_transport_limit", "8.5.2.1", "stacking points a segment", _any_seat(_points), {}),
    Parameter("airborne_limit", "8.5.3.1", "stacking points a turn", _any_seat(_points), {}),
    Parameter("sea_transport_limit", "8.5.7.3", "stacking points a segment", _any_seat(_points), {}),
    Parameter("airmobile_points", "8.5.4.1", "points of each side at the start", _by_seat(_points), _no_points),
    Parameter("paradrop_table", "8.5.3", "die -> steps lost for each kind of terrain", _by_die(list_of(whole(0, 9), 4))),
    Parameter(
        "clearing_markers",
        "8.4.1",
        "clearing number -> markers",
        map_of(_points, matching(r"\d+", "a clearing number such as 4"), some=True),
    ),
    Parameter(
        "clearing_mssp",
        "8.4.1.1",
        "urban, city, installation -> minimum safe stacking points",
        record(dict.fromkeys(("urban", "city", "installation"), _points)),
    ),
    Parameter("extra_clearing_hexes", "8.4", "other hexes that need clearing", _texts, []),
    Parameter("crt", "9.2.2.2", "odds rows and results", _crt),
    Parameter("exploitation_shift", "9.5.3", "columns left", whole(0, 12), 2),
    Parameter(
        "surprise_shifts",
        "9.5.4",
        "list of turn, side, columns",
        list_of(record({"turn": whole(1, 99), "side": _side, "columns": whole(-12, 12)})),
        [],
    ),
    Parameter("light_infantry_drm", "9.6.7", "modifier for its side", whole(0, 9), 1),
    Parameter(
        "multi_formation_drm",
        "9.6.6",
        "per formation beyond the first; most; exempt nations",
        record({"each": _points, "most": _points}, {"exempt": _texts}),
        {"each": 1, "most": 3, "exempt": []},
    ),
    Parameter(
        "special_unit_drms",
        "9.6.4",
        "unit type -> {attack, defend}, once per combat",
        map_of(record({"attack": _drm, "defend": _drm})),
        {},
    ),
    Parameter(
        "multinational_drm",
        "9.6.5",
        "attack by several nations",
        record({}, {"each": _drm, "as one": _texts}),
        {"each": 0, "as one": []},
    ),
    Parameter(
        "multinational_stacking",
        "8.1.1.2",
        "efficiency lost where nations stack",
        record({}, {"er": whole(0, 9), "as one": _texts}),
        {"er": 0, "as one": []},
    ),
    Parameter("reinforcements", "10.0", "list of turn, units or points, where", list_of(_arrival), []),
    Parameter("replacement_points", "11.0", "nation -> turn band -> points", map_of(_banded(_points)), {}),
    Parameter(
        "replacement_costs",
        "11.1",
        "unit type -> [recovery, reconstitution] by size",
        map_of(list_of(either(one_of("NA"), whole(0, 99)), 2)),
    ),
    Parameter("vp_chart", "12.1", "what is taken or destroyed -> points", _vp_chart),
    Parameter("pregame_vp", "12.1.3", "points before the first turn", _by_seat(whole(-999, 999)), _no_points),
    Parameter("auto_victory_level", "12.2", "difference that allows a throw; 0: none", _points, 0),
    Parameter("auto_victory_hexes", "12.2", "side -> hexes of the enemy capital", _any_seat(_texts), {}),
    Parameter("auto_victory_table", "12.2", "die -> victory for each number of throws", either(record({}), _throws), {}),
    Parameter("victory_levels", "12.3", "list of [least difference, name], highest first", _highest_first),
    Parameter("victory_base", "12.3", "points that the allied side needs to be even with the other", whole(-999, 999), 0),
    Parameter("supply_edge_hexes", "13.1.2", "side -> hexes with a road off the map (newer rules)", _any_seat(_texts), {}),
    Parameter("zones_stop_at_border", "8.2.3", "no zones into enemy hexes before the first segment has ended", yes_no, True),
    Parameter(
        "friendly_map_edge", "9.8.1", "side -> north, south, east or west", _by_seat(one_of("north", "south", "east", "west"))
    ),
    Parameter(
        "naval_boxes",
        "8.5.6.3",
        "reinforcement box -> whose, and the At Sea areas it touches",
        map_of(record({"side": _side, "touches": _texts}, {"name": words})),
        {},
    ),
    Parameter(
        "bridge_rules",
        "SOP",
        "highest die that destroys, that repairs",
        record({"destroy": whole(-1, 9), "repair": whole(-1, 9)}),
        {"destroy": 6, "repair": 6},
    ),
)
NAMES = {p.name: p for p in PARAMETERS}


def parameters_of(scenario: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault], list[str]]:
    """Every parameter of a scenario, the faults, each with its path in the scenario, and the names that have their default."""
    found: dict[str, Any] = {}
    faults: list[Fault] = []
    defaulted: list[str] = []
    sources = [((), scenario)] + [
        ((part,), scenario[part]) for part in ("tables", "charts") if isinstance(scenario.get(part), dict)
    ]
    for parameter in PARAMETERS:
        at = next((path for path, source in sources if parameter.name in source), None)
        if at is not None:
            found[parameter.name] = next(source[parameter.name] for path, source in sources if path == at)
            faults += [f.under(*at, parameter.name, rule=parameter.rule) for f in parameter.check(found[parameter.name])]
        elif parameter.default is MISSING:
            faults.append(lacking(parameter.name, parameter.text, parameter.rule))
        else:
            found[parameter.name] = parameter.default
            defaulted.append(parameter.name)
    return found, [*faults, *_strange_keys(sources)], defaulted


def _strange_keys(sources: Sequence[tuple[tuple[str, ...], Mapping[str, Any]]]) -> Iterator[Fault]:
    for path, source in sources:
        known = [*NAMES, *(OTHER_KEYS if not path else ())]
        for name in source:
            if name not in known:
                yield replace(unknown_key(name, known), allowed=nearest(name, known)).under(*path)


def read_parameters(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter of a scenario. Raises ScenarioFault naming all that are missing or malformed."""
    found, faults, _ = parameters_of(scenario)
    faults += [
        lacking(part, f"the {part} of the game", "2.1") for part in ("map", "units") if not isinstance(scenario.get(part), dict)
    ]
    if faults:
        raise ScenarioFault(faults)
    return found
