"""Events: the only way a rule changes a state; marks and going back to them."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.kernel.canon import canonical
from pbem.kernel.events import Cursor, Entered, Event, Left, Marked, Rewound, Scheduled, Unmarked, emit
from pbem.kernel.hashing import canonical_record
from pbem.kernel.images import copied
from pbem.kernel.records import Mark, from_plain, to_plain


@dataclass(slots=True)
class Position:
    stack: list[Cursor] = field(default_factory=list)
    running: Cursor | None = None
    men: dict[str, int] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list, metadata={"cache": True})
    sums: dict[str, int] = field(default_factory=dict, metadata={"cache": True})

    def forget(self) -> None:
        self.sums.clear()


@dataclass(slots=True)
class Bare:
    men: int = 0
    marks: dict[str, Mark] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list, metadata={"cache": True})


@dataclass(frozen=True, slots=True)
class Recruited:
    seat: str
    rule: str = "3"

    def apply(self, g: Position) -> None:
        g.men[self.seat] = g.men.get(self.seat, 0) + 1
        g.sums["all"] = sum(g.men.values())


def test_an_event_is_applied_and_recorded() -> None:
    g = Position()
    emit(g, Recruited("red"))
    emit(g, Recruited("blue"))
    assert g.men == {"red": 1, "blue": 1} and g.events == [Recruited("red"), Recruited("blue")]


def test_a_cursor_in_words() -> None:
    assert str(Cursor("march", [2, "north", True])) == "march 2 north True" and str(Cursor("end", [])) == "end"


def test_segments_run_from_the_top_of_the_stack() -> None:
    g = Position(stack=[Cursor("end", [])])
    emit(g, Scheduled((("draw", ()), ("march", (1, "a"))), "S1"))
    assert g.stack == [Cursor("end", []), Cursor("march", [1, "a"]), Cursor("draw", [])]
    emit(g, Entered())
    assert g.running == Cursor("draw", []) and g.stack == [Cursor("end", []), Cursor("march", [1, "a"])]
    emit(g, Left())
    assert g.running is None and len(g.stack) == 2
    assert [event.rule for event in g.events] == ["S1", "sequence", "sequence"] and Scheduled(()).rule == "sequence"


def test_going_back_takes_everything_back_but_what_runs_the_marks_and_the_record() -> None:
    g = Position(stack=[Cursor("end", [])], running=Cursor("march", [0]))
    emit(g, Recruited("red"))
    emit(g, Marked("march", "5"))
    emit(g, Recruited("red"))
    emit(g, Scheduled((("battle", ()),)))
    g.running = Cursor("march", [1])
    marks = dict(g.marks)
    emit(g, Rewound("march", "5"))
    assert g.men == {"red": 1} and g.stack == [Cursor("end", [])]
    assert g.running == Cursor("march", [1]) and g.marks == marks
    assert len(g.events) == 5 and g.events[-1] == Rewound("march", "5")
    assert g.sums == {}, "cached values are forgotten"


def test_one_can_go_back_to_a_mark_again_and_again() -> None:
    g = Position()
    emit(g, Marked("march", "5"))
    for _ in range(2):
        emit(g, Recruited("red"))
        emit(g, Rewound("march", "5"))
        assert g.men == {}


def test_a_mark_holds_no_marks_and_not_the_caches() -> None:
    g = Position()
    emit(g, Marked("first", "5"))
    emit(g, Recruited("red"))
    emit(g, Marked("second", "5"))
    assert g.marks == {
        "first": {"stack": [], "running": None, "men": {}, "marks": {}},
        "second": {"stack": [], "running": None, "men": {"red": 1}, "marks": {}},
    }


def test_a_mark_may_be_given_up_and_one_that_is_not_there_too() -> None:
    g = Position()
    emit(g, Marked("march", "5"))
    emit(g, Unmarked("other", "5"))
    assert list(g.marks) == ["march"]
    emit(g, Unmarked("march", "5"))
    assert g.marks == {}


def test_a_mark_is_stored_hashed_and_gone_back_to_as_plain_data() -> None:
    g = Position(men={"red": 1})
    emit(g, Marked("march", "5"))
    stored, hashed = to_plain(g), canonical_record(g)
    assert isinstance(stored, dict) and stored["marks"] == {
        "march": {"stack": [], "running": None, "men": {"red": 1}, "marks": {}}
    }
    assert hashed == canonical(stored)
    again, copy = from_plain(Position, stored), copied(g)
    for other in (again, copy):
        assert other.marks == g.marks and canonical_record(other) == hashed
        emit(other, Recruited("red"))
        emit(other, Rewound("march", "5"))
        assert other.men == {"red": 1}
    assert to_plain(g) == stored


def test_what_comes_after_a_mark_does_not_change_it() -> None:
    g = Position()
    emit(g, Marked("march", "5"))
    emit(g, Recruited("red"))
    assert g.marks["march"].plain() == {"stack": [], "running": None, "men": {}, "marks": {}}
    emit(g, Marked("march", "5"))
    assert g.marks["march"] != Mark(None, {"men": {}}) and g.marks["march"].record(Position).men == {"red": 1}
