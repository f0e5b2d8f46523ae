"""What is left of a plan."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.bots.course import KEPT, UNDER_WAY, Course


@dataclass
class Position:
    """A position that goes on."""

    number: int
    events: list[str] = field(default_factory=list, metadata={"cache": True})

    def go_on(self, number: int) -> None:
        self.number = number
        self.events.append("went on")


def test_a_question_that_is_asked_again_finds_the_same_orders() -> None:
    course, g = Course(), Position(1)
    assert course.rest(g, "war") is None
    course.begin(g, "war", ["a", "b"])
    course.give(g, "war", ["b"])
    assert course.rest(g, "war") == ("a", "b")
    g.go_on(2)
    assert course.rest(g, "war") == ("b",)
    assert course.rest(Position(2), "war") == ("b",), "a copy of the position"
    assert course.rest(g, "peace") is None


def test_a_plan_goes_on_only_in_the_game_that_it_was_made_for() -> None:
    course, g = Course(), Position(1)
    course.begin(g, "war", ["a", "b"])
    course.give(g, "war", ["b"])
    assert course.rest(Position(2), "war") is None


def test_a_copy_that_was_thought_about_changes_nothing_in_the_game() -> None:
    course, g, copy = Course(), Position(1), Position(1)
    course.begin(g, "war", ["a", "b"])
    course.give(g, "war", ["b"])
    course.give(copy, "war", [])
    g.go_on(2)
    assert course.rest(g, "war") == ("b",)


def test_who_goes_back_does_not_do_the_same_again() -> None:
    """As far as the position tells, nothing has happened."""
    course, g = Course(), Position(1)
    course.begin(g, "war", ["a", "back"])
    course.give(g, "war", ["back"])
    g.go_on(2)
    course.give(g, "war", ["none"])
    g.go_on(1)
    assert course.rest(g, "war") == ("none",)


def test_the_memory_has_an_end() -> None:
    course = Course()
    games = [Position(-n) for n in range(UNDER_WAY + 1)]
    for g in games:
        course.begin(g, "war", ["a", "b"])
        course.give(g, "war", ["b"])
    for number, g in enumerate(games, 1):
        g.go_on(number)
    assert [course.rest(g, "war") is None for g in games] == [True, *[False] * UNDER_WAY]
    for number in range(KEPT):
        course.begin(Position(1000 + number), "war", [])
    assert course.rest(Position(-1), "war") is None
    course.forget()
    assert course.rest(Position(1000 + KEPT - 1), "war") is None
