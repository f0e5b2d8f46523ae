"""Events for pictures: what lasted, the latest stretch of play; the states that are given stay as they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pbem.kernel.events import Event, Marked, Rewound, emit
from pbem.kernel.happened import between, brought_forward, lasting, since
from pbem.kernel.records import to_plain
from tests.kernel.test_events import Position, Recruited

RED, BLUE, GREEN = Recruited("red"), Recruited("blue"), Recruited("green")


def files(*contents: list[Any]) -> list[tuple[Position, list[Any]]]:
    """Each file with the state before it."""
    found, state = [], Position()
    for events in contents:
        found.append((state, events))
        after = Position(men=dict(state.men))
        for event in events:
            emit(after, event)
        after.events.clear()
        state = after
    return found


def is_red(event: Any) -> bool:
    return event == RED


def is_blue(event: Any) -> bool:
    return event == BLUE


def test_what_was_taken_back_did_not_happen() -> None:
    events = [RED, Marked("moves", "3"), BLUE, Rewound("moves", "3"), GREEN]
    assert lasting([(None, events[:3]), (None, events[3:])]) == [RED, GREEN]
    assert lasting([(None, [RED, Rewound("unknown", "3"), BLUE])]) == [BLUE]


def test_from_the_latest_start_to_now() -> None:
    known = files([RED, GREEN], [GREEN, RED, BLUE], [GREEN])
    (before, first), (later, second) = since(known, is_red)
    assert (first, second) == ([RED, BLUE], [GREEN])
    assert before.men == {"red": 1, "green": 2} and later is known[2][0]


def test_to_the_first_end_after_it() -> None:
    known = files([BLUE, RED, GREEN], [GREEN, BLUE, BLUE], [GREEN])
    assert [events for _, events in since(known, is_red, is_blue)] == [[RED, GREEN], [GREEN, BLUE]]
    assert [events for _, events in since(files([RED], [GREEN]), is_red, is_blue)] == [[RED], [GREEN]]


def test_a_start_is_not_its_own_end() -> None:
    known = files([RED, GREEN], [RED, BLUE], [GREEN])
    assert [events for _, events in since(known, is_red, is_red)] == [[RED, BLUE], [GREEN]]


def test_a_start_waits_for_a_deed() -> None:
    known = files([RED, BLUE], [RED, GREEN])
    assert [events for _, events in since(known, is_red, deed=is_blue)] == [[RED, BLUE], [RED, GREEN]]
    assert since(files([BLUE, RED]), is_red, deed=is_blue) == []


def test_without_a_start_there_is_nothing() -> None:
    assert since(files([GREEN]), is_red) == [] and since([], is_red) == []


def test_between_two_events() -> None:
    known = files([RED, GREEN], [BLUE, RED])
    assert [events for _, events in between(known, (0, 1), (1, 1))] == [[GREEN], [BLUE]]
    assert [events for _, events in between(known, (1, 0), None)] == [[BLUE, RED]]


def test_the_states_stay_as_they_are() -> None:
    known = files([GREEN, RED, BLUE])
    plain, count = to_plain(known[0][0]), len(known[0][0].events)
    ((before, _),) = since(known, is_red)
    assert before is not known[0][0] and before.men == {"green": 1}
    assert to_plain(known[0][0]) == plain and len(known[0][0].events) == count
    assert since(known, is_red)[0][0].men == {"green": 1}  # the same again


@dataclass(slots=True)
class OnBoard(Position):
    board: list[str] = field(default_factory=list, metadata={"cache": True})
    forgotten: list[str] = field(default_factory=list)

    def forget(self) -> None:
        self.forgotten.append("sums")


def test_a_state_brought_forward_has_the_same_board_and_nothing_else_of_the_old_one() -> None:
    earlier: list[Event] = [GREEN]
    state = OnBoard(men={"red": 1}, board=["map"], events=[*earlier])
    again = brought_forward(state, [BLUE])
    assert again.board is state.board and again.men == {"red": 1, "blue": 1} and again.events == [BLUE]
    assert again.forgotten == ["sums"] and not state.forgotten and state.men == {"red": 1} and state.events == earlier
    assert brought_forward(state, []) is state
