"""Verdicts on orders: what a player reads when an order does not stand, and how an order is taken apart."""

from __future__ import annotations

import traceback
from typing import Any

import pytest

from pbem.kernel.orders import (
    NO_WORDS,
    Problem,
    Rejected,
    all_told,
    ambiguous,
    failed,
    illegal,
    judged,
    nearest,
    nearest_verb,
    split_order,
    unreadable,
    verb_of,
)
from pbem.kernel.wording import english, verbatim


def test_a_problem_says_verdict_reason_section_and_what_would_be_legal() -> None:
    assert str(Problem("not allowed", "it is winter", "9.2", "wait")) == "not allowed: it is winter [9.2]; wait"
    assert str(Problem("cannot be read", "no verb")) == "cannot be read: no verb"
    assert Problem("cannot be read", "x").order is None


def test_a_refusal_tells_every_problem() -> None:
    problems = [Problem("not allowed", "one", "1"), Problem("cannot be read", "two", "", "three")]
    refused = Rejected(problems)
    assert str(refused) == "not allowed: one [1]; cannot be read: two; three"
    assert refused.problems == tuple(problems) and refused.args == (problems,)


def test_several_problems_are_told_in_one_sentence() -> None:
    problems = [Problem("not allowed", verbatim("one"), "1"), Problem("cannot be read", verbatim("two"))]
    told = "not allowed: one [1]; cannot be read: two"
    assert english(all_told(problems)) == english(Rejected(problems).told) == told
    assert english(all_told(problems[:1])) == "not allowed: one [1]"


def test_what_would_be_legal_is_offered_where_nothing_is() -> None:
    mine, other = verbatim("wait"), verbatim("retreat")
    refused = Rejected([Problem("not allowed", verbatim("one"), "1", mine), Problem("cannot be read", verbatim("two"))])
    assert refused.offering(other).problems == (refused.problems[0], Problem("cannot be read", verbatim("two"), "", other))


@pytest.mark.parametrize(
    ("order", "verb"),
    [
        ({" Move ": "x"}, "move"),
        (" Done ", "done"),
        ("Move: x", "move: x"),
        ({}, ""),
        ({"a": 1, "b": 2}, ""),
        (["move"], ""),
        ([], ""),
        (None, ""),
        (3, ""),
    ],
)
def test_the_verb_of_an_order(order: Any, verb: str) -> None:
    assert verb_of(order) == verb


def test_a_refusal_points_at_an_order() -> None:
    refused = Rejected([Problem("not allowed", "one"), Problem("not allowed", "two", order=1)])
    assert [p.order for p in refused.at(4).problems] == [4, 4]
    assert [p.reason for p in refused.at(0).problems] == ["one", "two"] and refused.at(0).problems[0].order == 0
    assert [p.order for p in refused.problems] == [None, 1]


def test_the_three_verdicts() -> None:
    assert unreadable("why").problems == (Problem("cannot be read", "why"),)
    assert unreadable("why", "this").problems == (Problem("cannot be read", "why", "", "this"),)
    assert illegal("why", "4.1").problems == (Problem("not allowed", "why", "4.1"),)
    assert illegal("why", "4.1", "this").problems == (Problem("not allowed", "why", "4.1", "this"),)
    two = str(ambiguous("two hills", ["hill 1", "hill 2"]))
    assert two == "means two things: two hills; did you mean hill 1 or hill 2?"
    assert ambiguous("two hills", ["hill 1", "hill 2"]).problems[0].rule == ""


def test_the_nearest_words_are_named_at_most_three() -> None:
    assert str(nearest("Kwansi", ["Kwangsi", "Yunnan", "Kiangsi"])) == "did you mean Kwangsi, Kiangsi?"
    assert str(nearest("move", ["mode", "movie", "moves", "mover", "most"])) == "did you mean movie, moves, mover?"
    assert str(nearest("xyzzy", ["Kwangsi"])) == ""
    assert str(nearest("", [])) == ""


def test_the_verb_at_the_beginning_of_a_longer_text_is_looked_for_too() -> None:
    verbs = ("move", "halt")
    assert str(nearest_verb("mvoe", verbs)) == "did you mean move?"
    assert str(nearest_verb("HALTT where you all stand now", verbs)) == "did you mean halt?"
    assert str(nearest_verb("haltx movex", ["haltx movey", "haltx"])) == "did you mean haltx movey, haltx?", "the whole first"
    assert nearest_verb("", ["XXXX"]) == NO_WORDS


def test_half_of_a_verb_is_another_verb() -> None:
    assert nearest_verb("undo", ["buy", "done"]) == NO_WORDS
    assert str(nearest_verb("doone", ["buy", "done"])) == "did you mean done?"
    assert str(nearest_verb("abcde", ["abcxy"])) == "did you mean abcxy?", "three letters of five are enough"


def test_half_of_a_word_is_near_enough() -> None:
    assert str(nearest("abcd", ["abxy"])) == "did you mean abxy?"
    assert str(nearest("abcd", ["axyz"])) == ""


SPLIT: list[tuple[Any, tuple[str, Any]]] = [
    ("done", ("done", None)),
    ("Done:", ("done", None)),
    (" MOVE : a to b: c ", ("move", "a to b: c")),
    ({"move": "a"}, ("move", "a")),
    ({" Move ": ["x"]}, ("move", ["x"])),
    ({"move": {"to": 1, "at": {"z": 1, "y": 2}}}, ("move", {"at": {"y": 2, "z": 1}, "to": 1})),
    ({"move": None}, ("move", None)),
    ({7: "x"}, ("7", "x")),
]


@pytest.mark.parametrize(("plain", "expected"), SPLIT)
def test_an_order_is_a_verb_and_a_body(plain: Any, expected: tuple[str, Any]) -> None:
    verb, body = split_order(plain, ("move", "done", "7"))
    assert (verb, body) == expected
    if isinstance(body, dict):
        assert repr(body) == repr(expected[1])


REFUSED: list[tuple[Any, str]] = [
    (5, "cannot be read: 5 is no order; one of: move, done"),
    ([], "cannot be read: [] is no order; one of: move, done"),
    ({}, "cannot be read: {} is no order; one of: move, done"),
    ({"move": 1, "done": 2}, "cannot be read: {'move': 1, 'done': 2} is no order; one of: move, done"),
    ("mve: x", "cannot be read: 'mve' is not asked here; did you mean move?"),
    ({"Xyzzy": 1}, "cannot be read: 'Xyzzy' is not asked here; one of: move, done"),
    ("", "cannot be read: '' is not asked here; one of: move, done"),
]


@pytest.mark.parametrize(("plain", "why"), REFUSED)
def test_what_is_no_order_is_refused_with_what_is_asked(plain: Any, why: str) -> None:
    with pytest.raises(Rejected) as refused:
        split_order(plain, ("move", "done"))
    assert str(refused.value) == why


# -- rules that fail ----------------------------------------------------------------------------------------------


def broken(order: Any) -> Any:
    raise order


FAULT = "the rules module fails on it (ZeroDivisionError): a fault of the program, not of who wrote it"


def test_an_order_on_which_the_rules_fail_is_refused_with_a_trace_for_their_makers() -> None:
    fault = ZeroDivisionError("by nought")
    with pytest.raises(Rejected) as refused:
        judged(broken, fault)  # type: ignore[arg-type]
    (problem,) = refused.value.problems
    assert str(problem) == f"not allowed: {FAULT}" and problem.order is None and refused.value.__cause__ is fault
    assert problem.trace == "".join(traceback.format_exception(fault)) and "in broken\n" in problem.trace
    alone = failed(ZeroDivisionError(), 3)
    assert (str(alone), alone.order, alone.trace) == (f"not allowed: {FAULT}", 3, "ZeroDivisionError\n")
    assert (alone.rule, alone.legal) == ("", NO_WORDS)
    assert Problem("not allowed", "x").trace == ""


def test_what_the_rules_say_and_what_the_machine_cannot_do_pass_unchanged() -> None:
    assert judged(lambda order: [order], 5) == [5]
    for error in (illegal("no", "1"), RecursionError(), MemoryError()):
        with pytest.raises(type(error)) as raised:
            judged(broken, error)  # type: ignore[arg-type]
        assert raised.value is error
