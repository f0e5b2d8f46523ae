"""The shapes of what a game of the series brings along: tables by band or die, charts, sea zones, schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pbem.games.next_war.charts import MOBILITIES, TERRAINS, band, combat_result
from pbem.kernel.shapes import Check, Fault, either, fault, list_of, map_of, matching, one_of, record, whole, words, yes_no
from pbem.kernel.wording import msg, verbatim

SEATS = ("allied", "non-allied")
SIDE = one_of(*SEATS)
POINTS = whole(0, 999)
DRM = whole(-20, 20)
WORD_LIST = list_of(words)
TURN = matching(r"[1-9]\d?", msg("a turn such as 3"))
COST = matching(r"P|\+?\d+|\d+/[1-9]\d*", msg("movement points such as 2 or 1/2, or P"))
WEATHER = one_of("clear", "overcast", "storm")


def by_seat(check: Check) -> Check:
    """A value for each seat."""
    return record(dict.fromkeys(SEATS, check))


def any_seat(check: Check) -> Check:
    """A value for either seat, both or none."""
    return record({}, dict.fromkeys(SEATS, check))


def with_keys(needed: Sequence[str], entry: Check) -> Check:
    """A mapping of values of one shape, some of its keys fixed."""

    def check(value: Any) -> Iterator[Fault]:
        yield from map_of(entry)(value)
        missing = [name for name in needed if not isinstance(value, dict) or name not in value]
        if isinstance(value, dict) and missing:
            yield fault(msg("lacks {missing}", missing=", ".join(missing)))

    return check


def band_key(value: Any) -> Iterator[Fault]:
    """A band of numbers such as <=2, 3-5 or 7."""
    try:
        band(str(value))
    except ValueError as wrong:
        yield fault(verbatim(str(wrong)))


def _is_band(key: Any) -> bool:
    return not [*band_key(key)]


def banded(entry: Check, covers: range = range(0)) -> Check:
    """A table by bands that do not overlap and leave no gap; `covers`: numbers that it has to answer."""

    def check(value: Any) -> Iterator[Fault]:
        wrong = list(map_of(entry, band_key, some=True)(value))
        yield from wrong
        if isinstance(value, dict) and all(_is_band(key) for key in value):
            yield from _uneven(value, covers)

    return check


def _uneven(table: Mapping[str, Any], covers: range) -> Iterator[Fault]:
    bands = sorted((band(key), key) for key in table)
    for ((_, high), key), ((low, _), after) in pairwise(bands):
        if low <= high:
            yield Fault((after,), msg("band {after} overlaps band {key}", after=after, key=key), word=after)
        elif low > high + 1:
            yield Fault(
                (after,),
                msg("nothing stands for {number}, between bands {key} and {after}", number=high + 1, key=key, after=after),
                word=after,
            )
    if bands and covers and (bands[0][0][0] > covers[0] or bands[-1][0][1] < covers[-1]):
        yield fault(msg("does not answer every die from {low} to {high}", low=covers[0], high=covers[-1]))


def by_die(entry: Check) -> Check:
    """A table that answers every die from 0 to 9."""
    return banded(entry, range(10))


def cell(read: Callable[[str], Any]) -> Check:
    """One printed result of a table, as its reader reads it."""

    def check(value: Any) -> Iterator[Fault]:
        try:
            read(str(value))
        except ValueError as wrong:
            yield fault(verbatim(str(wrong)))

    return check


def highest_first(value: Any) -> Iterator[Fault]:
    """Levels of victory, [least difference, name], in falling order."""
    level = list_of(list_of(either(whole(0), words), 2))
    wrong = list(level(value))
    yield from wrong
    if not wrong and [row[0] for row in value] != sorted((row[0] for row in value), reverse=True):
        yield fault(msg("is not in order"), msg("the highest difference first"))


COSTS = record(dict.fromkeys(MOBILITIES, list_of(COST, 2)))
ODDS = matching(r"\d+(\.\d+)?:\d+", msg("odds such as 3:1"))
CRT = record(
    {
        "rows": list_of(record({"terrain": list_of(one_of(*TERRAINS)), "columns": map_of(whole(1, 13), ODDS, some=True)})),
        "results": by_die(list_of(cell(combat_result), 13)),
    },
    {"excess_loss_columns": list_of(whole(1, 13))},
)
SIDE_SHEET = record({"name": words, "nations": WORD_LIST, "countries": map_of(WORD_LIST)})
UNIT_TYPE = record(
    {"class": one_of("leg", "motorized", "mechanized", "armor")},
    {"marine": yes_no, "airborne": yes_no, "mountain": yes_no, "value": words},
)
SEA_ZONE = record({"id": words, "at_sea": words}, {"inshore": WORD_LIST, "adjacent": WORD_LIST, "names": map_of(words)})
ARRIVAL = record({"turn": whole(1, 99), "side": SIDE}, {"units": WORD_LIST, "where": WORD_LIST, "airmobile_points": POINTS})
ADF_DRMS = ("escort", "air_transport_home", "near_enemy_installation", "near_enemy_armor", "flew_over_enemy")
VP_CHART = record(
    dict.fromkeys(("airfield_or_town", "installation", "city", "urban", "capital"), POINTS),
    {"capitals": WORD_LIST, "site": by_seat(POINTS), "eliminated": map_of(POINTS)},
)
THROWS = record({"columns": list_of(band_key), "rows": by_die(list_of(one_of("V", "-")))})
NO_POINTS = dict.fromkeys(SEATS, 0)
