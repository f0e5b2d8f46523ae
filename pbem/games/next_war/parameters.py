"""What a game of the series must bring along: every value that the series rules leave to the game specific rules.

A scenario gives a value itself, or in its `tables` (the game's charts), or in its `charts` (those of the series); what none
of them gives has the default stated here, or is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.next_war.charts import MOBILITIES, ROADS, TERRAINS, fire_result
from pbem.games.next_war.parameter_shapes import (
    ADF_DRMS,
    ARRIVAL,
    COST,
    COSTS,
    CRT,
    DRM,
    NO_POINTS,
    POINTS,
    SEA_ZONE,
    SEATS,
    SIDE,
    SIDE_SHEET,
    THROWS,
    TURN,
    UNIT_TYPE,
    VP_CHART,
    WEATHER,
    WORD_LIST,
    any_seat,
    band_key,
    banded,
    by_die,
    by_seat,
    cell,
    highest_first,
    with_keys,
)
from pbem.kernel.orders import nearest
from pbem.kernel.shapes import (
    Check,
    Fault,
    ScenarioFault,
    either,
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
from pbem.kernel.wording import Message, msg

MISSING: Any = object()
OTHER_KEYS = ("game", "name", "title", "map", "units", "charts", "tables", "setup", "control", "playing_area", "units_in_play")


class Parameter(Struct, frozen=True):
    """One value that a scenario supplies: the section that asks for it, what it is for, its shape."""

    name: str
    rule: str
    text: Message
    check: Check
    default: Any = MISSING


PARAMETERS = (
    Parameter("sides", "2.1", msg("name and nations of both sides"), by_seat(SIDE_SHEET)),
    Parameter("countries", "2.1", msg("country -> side"), map_of(SIDE, some=True)),
    Parameter("unit_types", "2.2", msg("unit symbol -> combat class"), map_of(UNIT_TYPE, some=True)),
    Parameter("game_length_turns", "12.3", msg("last game turn"), whole(1, 99)),
    Parameter(
        "initiative_start",
        "5.1",
        msg("who has the Initiative at the start, and through which turn"),
        record({"side": SIDE, "through": whole(0, 99)}),
    ),
    Parameter("initiative_vp", "5.1.1", msg("victory points in a turn that take or hold the Initiative"), any_seat(POINTS), {}),
    Parameter(
        "fixed_turns",
        "5.1",
        msg("turn -> side or contested, where the scenario fixes it"),
        map_of(one_of(*SEATS, "contested"), TURN),
        {},
    ),
    Parameter("weather_table", "4.0", msg("die -> weather"), by_die(WEATHER)),
    Parameter("weather_drm", "4.0", msg("season modifier"), DRM, 0),
    Parameter("weather_fixed", "4.0", msg("turn -> weather, where the scenario fixes it"), map_of(WEATHER, TURN), {}),
    Parameter("weather_chosen_turns", "4.0", msg("turns on which the Initiative player chooses"), list_of(whole(1, 99)), [1]),
    Parameter("season_is_winter", "9.4.4", msg("marsh does not hinder"), yes_no, False),
    Parameter("all_weather_capability", "4.1.2", msg("full, limited or none"), by_seat(one_of("full", "limited", "none"))),
    Parameter("storm_reinforcements", "4.1.3", msg("reinforcements arrive in Storm"), yes_no, True),
    Parameter("air_points_turns", "6.1", msg("turn bands, the columns of the Air Points table"), list_of(band_key)),
    Parameter(
        "air_points_table", "6.1", msg("die -> [non-allied, allied] for each column"), by_die(list_of(list_of(POINTS, 2)))
    ),
    Parameter(
        "air_points_fixed",
        "6.1",
        msg("turn -> allied and non-allied, where the scenario fixes them"),
        map_of(by_seat(POINTS), TURN),
        {},
    ),
    Parameter("air_points_lost_for_good", "6.3", msg("losses are permanent"), yes_no, True),
    Parameter(
        "carrier_air_points",
        "7.3.4",
        msg("nation -> points in a controlled area; other; at sea"),
        with_keys(("other", "at sea"), POINTS),
        {"US": 2, "other": 1, "at sea": 1},
    ),
    Parameter(
        "air_superiority_table",
        "6.4",
        msg("difference -> level"),
        banded(one_of("contested", "advantage", "superiority", "supremacy")),
    ),
    Parameter("adf_table", "6.6.1", msg("die -> result for each level"), by_die(list_of(cell(fire_result), 7))),
    Parameter(
        "adf_drms",
        "6.6.1",
        msg("modifiers of Air Defense Fire"),
        map_of(DRM, one_of(*ADF_DRMS)),
        {"escort": 1, "air_transport_home": 3},
    ),
    Parameter("helo_loss_table", "6.5.4", msg("die -> destroyed, step, rebase"), by_die(one_of("destroyed", "step", "rebase"))),
    Parameter(
        "point_loss_table", "6.3.1", msg("die -> lost, none"), by_die(one_of("lost", "none")), {"0-2": "lost", "3-9": "none"}
    ),
    Parameter("sea_zones", "7.1", msg("sea zones with their areas"), list_of(SEA_ZONE), []),
    Parameter("sea_control_start", "7.2", msg("area -> side"), map_of(SIDE), {}),
    Parameter("sea_control_fixed", "7.2", msg("areas that are never rolled for"), WORD_LIST, []),
    Parameter(
        "sea_control_table",
        "7.2",
        msg("turn band -> die -> side or contested"),
        map_of(by_die(one_of(*SEATS, "contested")), band_key),
        {},
    ),
    Parameter(
        "sea_control_drms",
        "7.2.2",
        msg("naval units and others"),
        record({}, {**dict.fromkeys(("kinds", "nations", "areas"), map_of(DRM)), "tracks": yes_no}),
        {},
    ),
    Parameter("submarine_threat", "7.4.1", msg("level of each side"), by_seat(whole(0, 99)), NO_POINTS),
    Parameter("asw_level", "7.4.2", msg("level of each side"), by_seat(whole(0, 99)), NO_POINTS),
    Parameter("track_maximum", "7.4.1", msg("end of both tracks"), whole(1, 99), 10),
    Parameter(
        "contested_sea_table",
        "8.5.6.4.1",
        msg("die -> ok, aborted, loss"),
        by_die(one_of("ok", "aborted", "loss")),
        {"<=5": "ok", "6-8": "aborted", ">=9": "loss"},
    ),
    Parameter("mine_markers", "7.5", msg("most markers in use"), by_seat(POINTS), NO_POINTS),
    Parameter("mines_start", "7.5", msg("hex -> side and density"), map_of(record({"side": SIDE, "density": whole(1, 2)})), {}),
    Parameter("port_capacity", "8.3.1.9", msg("port -> stacking points a turn"), with_keys(("other",), POINTS), {"other": 2}),
    Parameter("beachhead_markers", "8.5.8.2", msg("most markers in use"), by_seat(POINTS), NO_POINTS),
    Parameter(
        "beachhead_strength",
        "8.5.8.4",
        msg("defense strength, steps and efficiency of a Beachhead"),
        record({"ds": POINTS, "steps": whole(1, 9), "er": whole(0, 9)}),
        {"ds": 2, "steps": 1, "er": 4},
    ),
    Parameter(
        "terrain_effects",
        "8.3",
        msg("terrain -> class -> [other weather, storm] in movement points"),
        record({t: COSTS for t in TERRAINS if t != "urban"}),
    ),
    Parameter(
        "mountain_infantry_effects",
        "8.3",
        msg("terrain -> [other weather, storm] for mountain infantry on foot (newer rules)"),
        map_of(list_of(COST, 2), one_of(*TERRAINS)),
        {"highland": [2, 3], "highland_woods": [2, 3], "mountain": [2, 3]},
    ),
    Parameter(
        "jungle_effects",
        "8.3",
        msg("class -> [other weather, storm] in movement points over those of the hex (newer charts)"),
        COSTS,
        {"leg": [1, 2], "li": [0, 1], "mot": [3, "P"], "mech": [2, "P"]},
    ),
    Parameter("road_effects", "8.3.2", msg("road -> class -> [other weather, storm]"), record(dict.fromkeys(ROADS, COSTS))),
    Parameter("river_effects", "8.3.1.1", msg("class -> extra movement points"), record(dict.fromkeys(MOBILITIES, COST))),
    Parameter("air_transport_limit", "8.5.2.1", msg("stacking points a segment"), any_seat(POINTS), {}),
    Parameter("airborne_limit", "8.5.3.1", msg("stacking points a turn"), any_seat(POINTS), {}),
    Parameter("sea_transport_limit", "8.5.7.3", msg("stacking points a segment"), any_seat(POINTS), {}),
    Parameter("airmobile_points", "8.5.4.1", msg("points of each side at the start"), by_seat(POINTS), NO_POINTS),
    Parameter("paradrop_table", "8.5.3", msg("die -> steps lost for each kind of terrain"), by_die(list_of(whole(0, 9), 4))),
    Parameter(
        "clearing_markers",
        "8.4.1",
        msg("clearing number -> markers"),
        map_of(POINTS, matching(r"\d+", msg("a clearing number such as 4")), some=True),
    ),
    Parameter(
        "clearing_mssp",
        "8.4.1.1",
        msg("urban, city, installation -> minimum safe stacking points"),
        record(dict.fromkeys(("urban", "city", "installation"), POINTS)),
    ),
    Parameter("extra_clearing_hexes", "8.4", msg("other hexes that need clearing"), WORD_LIST, []),
    Parameter("crt", "9.2.2.2", msg("odds rows and results"), CRT),
    Parameter("exploitation_shift", "9.5.3", msg("columns left"), whole(0, 12), 2),
    Parameter(
        "surprise_shifts",
        "9.5.4",
        msg("list of turn, side, columns"),
        list_of(record({"turn": whole(1, 99), "side": SIDE, "columns": whole(-12, 12)})),
        [],
    ),
    Parameter("light_infantry_drm", "9.6.7", msg("modifier for its side"), whole(0, 9), 1),
    Parameter(
        "multi_formation_drm",
        "9.6.6",
        msg("per formation beyond the first; most; exempt nations"),
        record({"each": POINTS, "most": POINTS}, {"exempt": WORD_LIST}),
        {"each": 1, "most": 3, "exempt": []},
    ),
    Parameter(
        "special_unit_drms",
        "9.6.4",
        msg("unit type -> attack and defend, once per combat"),
        map_of(record({"attack": DRM, "defend": DRM})),
        {},
    ),
    Parameter(
        "multinational_drm",
        "9.6.5",
        msg("attack by several nations"),
        record({}, {"each": DRM, "as one": WORD_LIST}),
        {"each": 0, "as one": []},
    ),
    Parameter(
        "multinational_stacking",
        "8.1.1.2",
        msg("efficiency lost where nations stack"),
        record({}, {"er": whole(0, 9), "as one": WORD_LIST}),
        {"er": 0, "as one": []},
    ),
    Parameter("reinforcements", "10.0", msg("list of turn, units or points, where"), list_of(ARRIVAL), []),
    Parameter("replacement_points", "11.0", msg("nation -> turn band -> points"), map_of(banded(POINTS)), {}),
    Parameter(
        "replacement_costs",
        "11.1",
        msg("unit type -> [recovery, reconstitution] by size"),
        map_of(list_of(either(one_of("NA"), whole(0, 99)), 2)),
    ),
    Parameter("vp_chart", "12.1", msg("what is taken or destroyed -> points"), VP_CHART),
    Parameter("pregame_vp", "12.1.3", msg("points before the first turn"), by_seat(whole(-999, 999)), NO_POINTS),
    Parameter("auto_victory_level", "12.2", msg("difference that allows a throw; 0: none"), POINTS, 0),
    Parameter("auto_victory_hexes", "12.2", msg("side -> hexes of the enemy capital"), any_seat(WORD_LIST), {}),
    Parameter("auto_victory_table", "12.2", msg("die -> victory for each number of throws"), either(record({}), THROWS), {}),
    Parameter("victory_levels", "12.3", msg("list of [least difference, name], highest first"), highest_first),
    Parameter("victory_base", "12.3", msg("points that the allied side needs to be even with the other"), whole(-999, 999), 0),
    Parameter(
        "supply_edge_hexes", "13.1.2", msg("side -> hexes with a road off the map (newer rules)"), any_seat(WORD_LIST), {}
    ),
    Parameter(
        "zones_stop_at_border", "8.2.3", msg("no zones into enemy hexes before the first segment has ended"), yes_no, True
    ),
    Parameter(
        "tunnels",
        "KOREA-TUNNELS",
        msg("whose tunnels, and the hexes where they come up"),
        record({"side": SIDE, "hexes": WORD_LIST}),
        {"side": "non-allied", "hexes": []},
    ),
    Parameter("fixed_units", "KOREA-FIXED", msg("units that do not move and do not retreat"), WORD_LIST, []),
    Parameter(
        "friendly_map_edge",
        "9.8.1",
        msg("side -> north, south, east or west"),
        by_seat(one_of("north", "south", "east", "west")),
    ),
    Parameter(
        "naval_boxes",
        "8.5.6.3",
        msg("reinforcement box -> whose, and the At Sea areas it touches"),
        map_of(record({"side": SIDE, "touches": WORD_LIST}, {"name": words})),
        {},
    ),
    Parameter(
        "bridge_rules",
        "SOP",
        msg("highest die that destroys, that repairs"),
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


PARTS = {"map": msg("the map of the game"), "units": msg("the units of the game")}


def read_parameters(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter of a scenario. Raises ScenarioFault naming all that are missing or malformed."""
    found, faults, _ = parameters_of(scenario)
    faults += [lacking(part, text, "2.1") for part, text in PARTS.items() if not isinstance(scenario.get(part), dict)]
    if faults:
        raise ScenarioFault(faults)
    return found
