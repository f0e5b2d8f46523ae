"""Everything that is wrong with a scenario or with charts of one's own, each fault with its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.pacific_war.state import LIGHTS
from pbem.games.pacific_war.victory import LEVELS
from pbem.kernel.shapes import (
    Check,
    Fault,
    a_list,
    a_map,
    lacking,
    list_of,
    map_of,
    matching,
    one_of,
    record,
    unknown_key,
    whole,
    words,
)
from pbem.kernel.wording import msg

Data = Mapping[str, Any]
CONDITIONS = ("surprise", "intercept", "ambush", "cv-ambush")
BANDS = ("short", "medium", "long")
BIDS = ("long long", "long medium", "long short", "medium medium", "medium short", "short short")
LINES = (
    *(
        "cap-uncoordinated",
        "cap-coordinated",
        "superiority-cap",
        "uncoordinated-cap",
        "coordinated-cap",
        "flak",
        "improved-flak",
    ),
    *("1E-naval", "2E-naval", "4E-naval", "air-installation", "air-ground", "strafing", *BANDS),
    *("bombard-installation", "bombard-ground", "torpedo", "asw", "normal-bombing", "incendiary-bombing"),
)
SEARCHES = ("lra-day", "lra-night", "air-day", "air-night", "spotter-day", "spotter-night")
MISSIONS = ("mission-day", "mission-night")

_number = whole(0)
_die_rows = list_of(list_of(whole(-1, 9), 3))
_by_side = ("allies", "japan")
CHARTS: Mapping[str, Check] = {
    "air_naval": map_of(list_of(matching(r"T|\d+", msg("a number of hits or T")), 12), one_of(*LINES)),
    "critical": list_of(whole(0, 9), 10),
    "random_light": list_of(one_of(*(x for x in LIGHTS if x != "random")), 10),
    "search": record(
        {},
        {
            s: record({}, {**dict.fromkeys(SEARCHES, _die_rows), **dict.fromkeys(MISSIONS, list_of(whole(-1, 9), 3))})
            for s in _by_side
        },
    ),
    "naval_track": list_of(whole(1, 99)),
    "range_bids": record({b: record(dict.fromkeys(BIDS, one_of(*BANDS))) for b in BANDS}),
    "ground": record(
        {
            "column_at_par": whole(),
            "bands": list_of(whole()),
            "rows": list_of(
                record({"steps": whole(1), "results": list_of(matching(r"\d+ \d+( [AD])?", msg("a result like `2 1 A`")))})
            ),
        }
    ),
    "terrain_shift": record(dict.fromkeys(("clear", "atoll", "jungle", "rough", "mountain", ""), whole(-9, 9))),
    "ratio": list_of(list_of(whole(-9), 3)),
    "operational": map_of(list_of(one_of(*CONDITIONS), 10), matching("[1-4]", msg("a level from 1 to 4"))),
    "strategic_intelligence": record(dict.fromkeys(_by_side, list_of(a_list))),
    "japanese_points": record({"shipping": list_of(_number), "resources": list_of(a_list)}),
    "allied_points": list_of(list_of(_number, 3)),
    "initiative": list_of(whole(0, 9)),
    "harassment": record(
        {"ratios": list_of(_number), "letters": words, "submarines": list_of(_number), "losses": map_of(a_list)}
    ),
    "weather": map_of(
        map_of(matching("[CSFRM]{10}", msg("ten letters of C, S, F, R and M")), matching("1?[0-9]", msg("a month")))
    ),
}
LATER = ("initiative",)  # own scenarios of before have none, and a track of ten levels
MERGED = ("air_naval", "search", "weather")  # single lines may be given, the others stay as they are
GOALS = ("damaged", "crippled", "sunk", "afloat", "holds", "holds-any", "denied", "bombers", "unbombed")
_hexes = list_of(matching(r"\d{4}", msg("a hex of four digits")))
_goals = list_of(
    record(
        {"kind": one_of(*GOALS), "text": words},
        {
            **{"side": one_of(*_by_side), "types": list_of(words), "units": list_of(words)},
            **{"number": whole(1), "hits": whole(1), "hexes": _hexes},
        },
    )
)
_winner = one_of(*_by_side, "draw")
_levels = list_of(record({"side": _winner, "goals": _goals}, {"level": one_of(*LEVELS)}))
NEEDED: Mapping[str, Check] = {
    "level": one_of("engagement", "battle", "campaign", "strategic"),
    "map": a_map,
    "counters": record({"counters": a_list}),
    "month": whole(1, 44),
    "operator": one_of("japan", "allies"),
    "condition": one_of(*CONDITIONS),
    "victory": record({}, {**dict.fromkeys(_by_side, _goals), "levels": _levels, "otherwise": _winner}),
}


def reconstructed(scenario: Data) -> list[str]:
    """The charts of a scenario that no source prints."""
    return list(scenario["charts"].get("reconstructed", ()))


def faults(charts: Any) -> list[Fault]:
    """What is wrong with an owner's charts: any of the charts, each whole; single lines of the large ones."""
    if not isinstance(charts, dict):
        return [Fault((), msg("no mapping of charts"), msg("any of {charts}", charts=", ".join(CHARTS)))]
    found: list[Fault] = []
    for name, chart in charts.items():
        if name not in CHARTS:
            found.append(unknown_key(name, tuple(CHARTS), msg("a chart file")))
        else:
            found += [f.under(name) for f in CHARTS[name](chart)]
    return found or _ground_faults(charts)


def _ground_faults(charts: Data) -> list[Fault]:
    """Each row of the ground chart has a result for every band, the rows and bands rise."""
    ground, found = charts.get("ground"), []
    if ground is None:
        return []
    bands, steps = ground["bands"], [row["steps"] for row in ground["rows"]]
    if sorted(set(bands)) != bands:
        found.append(Fault(("ground", "bands"), msg("do not rise")))
    if sorted(set(steps)) != steps or not steps or steps[-1] < 96:
        found.append(Fault(("ground", "rows"), msg("do not rise to the 96 steps of a full hex")))
    for i, row in enumerate(ground["rows"]):
        if len(row["results"]) != len(bands):
            text = msg("has {number} entries", number=len(row["results"]))
            found.append(Fault(("ground", "rows", i, "results"), text, msg("{number}, one for each band", number=len(bands))))
    return found


def replaced(scenario: Data, charts: Data) -> dict[str, Any]:
    """The scenario with an owner's charts in place of ours; what he gives whole is no longer reconstructed."""
    ours = scenario["charts"]
    changed: dict[str, Any] = {}
    for name, chart in charts.items():
        changed[name] = _merged(ours.get(name, {}), chart) if name in MERGED else chart
    left = [n for n in ours.get("reconstructed", ()) if n not in charts or changed[n] != charts[n]]
    return {**scenario, "charts": {**ours, **changed, "reconstructed": left}}


def _merged(ours: Any, theirs: Any) -> Any:
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return theirs
    return {**ours, **{k: _merged(ours.get(k), v) for k, v in theirs.items()}}


def faults_of(scenario: Data) -> list[Fault]:
    """Every fault of shape of a scenario; the set-up judges the rest."""
    found = [lacking(k, msg("every scenario of this game has it")) for k in (*NEEDED, "charts") if k not in scenario]
    for key, shape in NEEDED.items():
        if key in scenario:
            found += [f.under(key) for f in shape(scenario[key])]
    charts = scenario.get("charts", {})
    if not isinstance(charts, dict):
        return [*found, Fault(("charts",), msg("is no mapping of charts"))]
    found += [lacking(name, path=("charts",)) for name in CHARTS if "charts" in scenario and name not in (*charts, *LATER)]
    return [*found, *(f.under("charts") for f in faults({k: v for k, v in charts.items() if k != "reconstructed"}))]


def counts_of(scenario: Data) -> dict[str, Any]:
    """What a scenario without faults holds; which of its charts are reconstructed."""
    rows = [*scenario["counters"]["counters"], *scenario.get("more", {}).get("counters", ())]
    return {
        "hexes": len(scenario["map"]["hexes"]),
        "counters": len(rows),
        "task forces": len(scenario.get("fleets", {})),
        "reconstructed": list(scenario["charts"].get("reconstructed", ())),
    }
