"""Slots by themselves: what a charter may say under `pace`, and how long one waits at most."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.pace import SHAPE, Pace, chosen, slot

NO_TIME = "a time of the day is needed, such as 06:00"


def test_slots_are_read_in_minutes_and_written_as_they_were() -> None:
    pace = Pace.read({"slots": ["00:00", "06:05", "23:59"]})
    assert pace == Pace((0, 365, 1439)) and pace.times == ["00:00", "06:05", "23:59"]
    assert Pace.read(None) is None and Pace.read({}) is None
    assert Pace((365,)).times == ["06:05"]


def test_the_longest_wait_is_counted_over_midnight_too() -> None:
    assert Pace((360, 1080)).longest == 720 and Pace((360, 480)).longest == 1320
    assert Pace((0, 900, 1000)).longest == 900 and Pace((360,)).longest == 1440


@pytest.mark.parametrize("slots", [["18:00", "06:00"], ["06:00", "06:00"], ["06:00", "18:00", "18:00"]])
def test_slots_stand_in_order_of_time_each_once(slots: list[str]) -> None:
    with pytest.raises(ProtocolError) as caught:
        Pace.read({"slots": slots})
    assert (caught.value.outcome, str(caught.value)) == (
        Outcome.UNREADABLE, "the slots of `pace` are in order of time, each once",
    )  # fmt: skip


@pytest.mark.parametrize("value", ["24:00", "6:00", "06:60", "06:00 ", "0600", "", "a06:00", "06:000", 600, None])
def test_a_slot_is_a_time_of_the_day(value: Any) -> None:
    assert slot(value) == NO_TIME
    assert SHAPE({"slots": [value]}), "nor in a charter"


def test_every_time_of_the_day_is_one() -> None:
    assert [slot(f"{hour:02}:{minute:02}") for hour in (0, 9, 10, 19, 20, 23) for minute in (0, 9, 30, 59)] == [""] * 24


def test_a_charter_has_up_to_48_slots_and_at_least_one() -> None:
    times: list[Plain] = [f"{hour:02}:{minute}" for hour in range(24) for minute in ("00", "30")]
    assert SHAPE({"slots": times}) == "" and SHAPE({"slots": times[:1]}) == ""
    assert SHAPE({"slots": [*times, "23:59"]}) and SHAPE({"slots": []}) and SHAPE({}) and SHAPE({"slots": times, "x": 1})


def test_a_new_charter_takes_times_by_commas() -> None:
    assert chosen("18:00, 06:00,06:00") == {"slots": ["06:00", "18:00"]}
    assert chosen("") is None and chosen("none") is None
    for wrong in ("06:00,", "noon", "None"):
        with pytest.raises(ProtocolError) as caught:
            chosen(wrong)
        assert caught.value.outcome is Outcome.UNREADABLE and str(caught.value).startswith("slots: ")
        assert NO_TIME in str(caught.value)
