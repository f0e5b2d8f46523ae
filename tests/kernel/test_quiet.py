"""Quiet events change the course of a game and nothing that lies on a map."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.events import QUIET, Cursor, DiceThrown, Entered, Left, Marked, Rewound, Scheduled, Stated, Unmarked, emit
from pbem.kernel.records import to_plain
from pbem.kernel.wording import msg
from tests.axis_and_allies_pacific.table import scenario

COURSE = {"stack", "running", "marks"}


def test_quiet_events_leave_all_but_the_course_alone() -> None:
    g = GAME.start(scenario(), {})
    quiet = [
        Entered(),
        Left(),
        Scheduled((("purchase", ()),)),
        DiceThrown(msg("dice"), (6,), 6, "1"),
        Stated("japan", "cards", msg("cards"), 3, "1"),
        Unmarked("here", "1"),
        Marked("here", "1"),
    ]
    assert {type(event) for event in quiet} == QUIET and Rewound not in QUIET
    g.stack.append(Cursor("purchase", []))
    before = to_plain(g)
    assert isinstance(before, dict)
    for event in quiet:
        emit(g, event)
        after = to_plain(g)
        assert isinstance(after, dict)
        assert {name for name in after if after[name] != before[name]} <= COURSE, event


def test_units_are_indexed_anew_when_a_mark_is_gone_back_to() -> None:
    g = GAME.start(scenario(), {})
    emit(g, Marked("here", "1"))
    unit = next(iter(g.units.values()))
    assert unit in g.at(unit.at)
    index = g.places
    emit(g, Scheduled(()))
    assert unit in g.at(unit.at) and g.places is not index and g.places and index and g.places.at is index.at
    emit(g, Rewound("here", "1"))
    assert all(g.units[u.id] is u for u in g.at(unit.at))
