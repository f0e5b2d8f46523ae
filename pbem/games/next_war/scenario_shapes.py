"""What a scenario's map, units and set-up look like: which keys there are, and what may stand behind each."""

from __future__ import annotations

from pbem.games.next_war.charts import ROADS, TERRAINS
from pbem.games.next_war.parameter_shapes import SEATS
from pbem.kernel.shapes import Check, either, list_of, map_of, matching, one_of, record, whole, words, yes_no
from pbem.kernel.wording import msg, verbatim

_block = either(list_of(words), words)
_names = either(list_of(words), words, map_of(words))
MAP = record(
    {"terrain": map_of(_block, one_of(*TERRAINS), some=True)},
    {
        **dict.fromkeys(
            ("sea", "playing_area", "airbases", "airfields", "beaches", "sites", "extra_clearing", "jungle"), _block
        ),
        **dict.fromkeys(("cities", "towns", "ports"), _names),
        **dict.fromkeys(("countries", "forts", "inshore"), map_of(_block)),
        "names": map_of(words),
        "default_country": words,
        "sheets": map_of(record(dict.fromkeys(("column", "even", "odd"), whole()))),
        "rivers": map_of(words, one_of("minor", "major")),
        "water": words,
        "ferries": map_of(words),
        "roads": map_of(words, one_of(*ROADS)),
    },
    msg("the map"),
)
_front = matching(
    r"\d+-(\d+|\(\d+\))-\d+[mkL]?", msg("attack-defense-move such as 6-4-8k (m motorized, k mechanized, L Light Infantry)")
)
_back = matching(
    r"\d+-(\d+|\(\d+\))-\d+[mkL]?/\d/(\d+|1/2)", msg("attack-defense-move/efficiency/stacking points such as 3-2-8k/5/1")
)
_size = either(matching("1/2", verbatim("1/2")), whole(1, 9))
_place: Check = matching(r"\S.*", msg("a hex, a sea area, a ship, or removed"))
_who: dict[str, Check] = {"id": words, "side": one_of(*SEATS), "nation": words}
_also: dict[str, Check] = {"name": words, "at": _place, "value": words}
_ground = record(
    {**_who, "type": words, "front": _front, "er": whole(0, 9), "sp": _size},
    {**_also, "back": _back, "size": words, "formation": words, "division": words, "marine": yes_no},
    msg("a ground unit"),
)
_helo = record(
    {**_who, "cs": either(list_of(whole(0, 9)), whole(0, 9)), "range": whole(0, 99)},
    {**_also, "usmc": yes_no},
    msg("a helicopter"),
)
_ship = record(
    {**_who, "kind": one_of("AMPH", "SAG", "CV", "CVN"), "cs": whole(0, 9), "range": whole(0, 99)},
    {**_also, "capacity": whole(0, 99), "air": whole(0, 9), "flips_to": words},
    msg("a naval unit"),
)
UNITS = record({"ground": list_of(_ground)}, {"helicopters": list_of(_helo), "naval": list_of(_ship)}, msg("the units"))
OTHERS: dict[str, Check] = {
    "setup": map_of(_place),
    "control": map_of(_block, one_of(*SEATS)),
    "playing_area": _block,
    "units_in_play": list_of(words),
    "title": words,
}
