"""Standing orders: which clause answers, why another does not, and the little language of conditions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.standing import (
    ASK_ME,
    DEEPEST,
    LONGEST,
    Answered,
    Clause,
    WhyNot,
    answer,
    beside,
    holds,
    listed,
    parse,
    read_clauses,
)
from pbem.kernel.wording import english


def question(scope: str = "", **facts: Any) -> Ask:
    """Takes `go` and `halt`; a standing list gives its first word, an empty one nothing."""

    def read(order: Any) -> Any:
        if order not in ("go", "halt"):
            raise illegal(f"{order} is not possible", "5", "go or halt")
        return order

    def policy(wanted: Any) -> Any:
        return (wanted[0] if wanted else None) if isinstance(wanted, list) else wanted

    return Ask("red", "march", "5", "march on", read, scope=scope, facts=facts, policy=policy)


# -- reading ------------------------------------------------------------------------------------------------------


def test_a_standing_order_without_clauses_is_one_clause() -> None:
    assert read_clauses("march", "go") == (Clause("go"),)
    assert read_clauses("march", ["foot", "horse"]) == (Clause(["foot", "horse"]),)
    assert read_clauses("march", []) == (Clause([]),)
    assert read_clauses("march", {"do": "go"}) == (Clause({"do": "go"}),), "as it has always been read in a file"
    assert listed({"do": "go"}) == [{"do": "go"}] and [listed(x) for x in ({"go": 1}, [{"do": 1}], "do")] == [
        {"go": 1},
        [{"do": 1}],
        "do",
    ]
    assert read_clauses("march", [{"do": "go"}, {"retreat": "x"}]) == (Clause([{"do": "go"}, {"retreat": "x"}]),)
    assert read_clauses("march", [{"do": "go"}, "do"]) == (Clause([{"do": "go"}, "do"]),)
    assert read_clauses("march", ["do"]) == (Clause(["do"]),)


def test_clauses_have_conditions_scope_and_life() -> None:
    plain: Any = [{"when": "round > 1", "do": ["foot"], "scope": "battle:1", "life": "once"}, {"do": "halt"}]
    assert read_clauses("march", plain) == (Clause(["foot"], "round > 1", "battle:1", "once"), Clause("halt"))
    assert Clause("x") == Clause("x", "", "", "standing")


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ({"do": 1, "wen": "x", "if": 2}, "unknown key 'if'; keys are do, when, scope, life"),
        ({"do": 1, "when": 5}, "when and scope are text, life is standing or once"),
        ({"do": 1, "scope": True}, "when and scope are text, life is standing or once"),
        ({"do": 1, "life": "twice"}, "when and scope are text, life is standing or once"),
        ({"do": 1, "life": None}, "when and scope are text, life is standing or once"),
    ],
)
def test_a_clause_that_cannot_be_read_is_named(clause: Any, why: str) -> None:
    with pytest.raises(Rejected) as refused:
        read_clauses("march", [{"do": "go"}, clause])
    assert str(refused.value) == f"cannot be read: standing order 'march', clause 2: {why}"


def test_a_condition_that_cannot_be_read_is_refused_at_once() -> None:
    with pytest.raises(Rejected, match="one word too many"):
        read_clauses("march", [{"do": "go", "when": "a = b = c"}])
    assert read_clauses("march", [{"do": "go", "when": ""}]) == (Clause("go"),)


# -- answering ----------------------------------------------------------------------------------------------------


def test_the_first_clause_that_applies_answers() -> None:
    clauses = [Clause("fly"), Clause([]), Clause("go", "round > 1"), Clause("go", scope="hill"), Clause("halt"), Clause("go")]
    assert answer(question(round=1), clauses) == Answered(4, "halt")
    assert answer(question(round=2), clauses) == Answered(2, "go")
    assert answer(question("hill", round=1), clauses) == Answered(3, "go")
    assert answer(question("hill", round=1), clauses, [3]) == Answered(4, "halt")
    assert answer(question(), [Clause(["go", "halt"])]) == Answered(0, "go")


def test_why_no_clause_answers_is_told_in_words() -> None:
    clauses = [Clause("fly"), Clause([]), Clause("go", "round > 1"), Clause("go", scope="hill"), Clause("go")]
    with pytest.raises(Rejected) as refused:
        question().read("fly")
    assert answer(question("plain", round=1), clauses, spent=(4,)) == (
        WhyNot(1, "illegal", refused.value.told),
        WhyNot(2, "silent"),
        WhyNot(3, "condition", "round > 1"),
        WhyNot(4, "scope", "hill"),
        WhyNot(5, "used"),
    )
    assert answer(question(), []) == ()


def test_a_clause_on_which_the_rules_fail_does_not_apply() -> None:
    for broken in (
        Ask("red", "x", "5", "x", lambda order: 1 // 0),
        Ask("red", "x", "5", "x", lambda order: order, policy=lambda wanted: 1 // 0),
    ):
        why = answer(broken, [Clause("go")])
        assert isinstance(why, tuple) and why[0].reason == "illegal"
        assert english(why[0].detail).startswith("not allowed: the rules module fails on it (ZeroDivisionError)")


def test_asking_the_owner_stops_the_search() -> None:
    assert ASK_ME == "ask me"
    assert answer(question(at=1), [Clause("ask me", "at = 2"), Clause("ask me"), Clause("go")]) is None
    assert answer(question(at=1), [Clause("ask me"), Clause("go")], [0]) == Answered(1, "go")


# -- conditions ---------------------------------------------------------------------------------------------------

FACTS: dict[str, Any] = {
    "round": 3,
    "space": "sz-19",
    "night": True,
    "rain": False,
    "own-value": 10,
    "enemy-value": 12,
    "none": 0,
}

TRUE = [
    "round = 3",
    "round != 4",
    "round > 2",
    "round >= 3",
    "round < 4",
    "round <= 3",
    "3 = round",
    "2 < round",
    "round > -1",
    "space = sz-19",
    "space = sz 19",
    "space != sz-2",
    "own value < enemy value",
    "own-value<enemy-value",
    "night",
    "not rain",
    "not not night",
    "not nothing-known",
    "space in [sz-1, sz-19]",
    "space in [sz-1 sz-19]",
    "round in [3]",
    "round in [1, round]",
    "not space in []",
    "not unknown in [unknown]",
    "rain or night",
    "night or rain",
    "night and round = 3",
    "night or night and rain",
    "rain and rain or night",
    "(night or night) and not rain",
    "not (rain or rain)",
    "not rain and night",
    "night and (rain or (round > 2 and not rain))",
    "  round   =  3  ",
    "night = night",
    "night != rain",
]
FALSE = [
    "round = 4",
    "round != 3",
    "round > 3",
    "round >= 4",
    "round < 3",
    "round <= 2",
    "space = sz-2",
    "space = round",
    "rain",
    "none",
    "not night",
    "nothing-known",
    "unknown = 3",
    "unknown != 3",
    "3 = 3",
    "space < 3",
    "space > round",
    "round < space",
    "space >= space",
    "space in [sz-1]",
    "round in []",
    "unknown in [unknown]",
    "rain or rain",
    "night and rain",
    "rain and night",
    "rain and night or rain",
    "night and (rain or rain)",
    "not (rain or night)",
    "not night or rain",
    "not rain and rain",
]


@pytest.mark.parametrize("condition", TRUE)
def test_true_conditions(condition: str) -> None:
    assert holds(condition, FACTS) is True


@pytest.mark.parametrize("condition", FALSE)
def test_false_conditions(condition: str) -> None:
    assert holds(condition, FACTS) is False


def test_a_tree_of_words() -> None:
    assert parse("a b = 3 or not c and d in [x, y]") == (
        "or",
        ("=", "a-b", "3"),
        ("and", ("not", ("is", "c")), ("in", "d", "x", "y")),
    )
    assert parse("a or b or c") == ("or", ("or", ("is", "a"), ("is", "b")), ("is", "c"))
    assert parse("a and b and c") == ("and", ("and", ("is", "a"), ("is", "b")), ("is", "c"))
    assert parse("Łódź = 1") == ("=", "Łódź", "1") and parse("battle:sz-1") == ("is", "battle:sz-1")
    assert parse("a1 = -12") == ("=", "a1", "-12")


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("round = 3 )", "')' is one word too many"),
        ("a = b = c", "'=' is one word too many"),
        ("a (b)", "'(' is one word too many"),
        ("a = not b", "a fact, a number or a word is missing"),
        ("a ] b", "']' is one word too many"),
        ("round $ 3", "cannot read '$ 3'"),
        ("round = 3%", "cannot read '%'"),
        ("(a or b", "a bracket is not closed"),
        ("(a or b ]", "a bracket is not closed"),
        ("a in b", "after 'in' comes a list in square brackets"),
        ("a in", "after 'in' comes a list in square brackets"),
        ("a in [b", "after 'in' comes a list in square brackets"),
        ("a in b ]", "after 'in' comes a list in square brackets"),
        ("", "a fact, a number or a word is missing"),
        ("a =", "a fact, a number or a word is missing"),
        ("= 3", "a fact, a number or a word is missing"),
        ("a or", "a fact, a number or a word is missing"),
        ("not", "a fact, a number or a word is missing"),
        ("a and and b", "a fact, a number or a word is missing"),
        ("a = in", "a fact, a number or a word is missing"),
        ("a = ,", "a fact, a number or a word is missing"),
        ("a != <", "a fact, a number or a word is missing"),
        ("a > [", "a fact, a number or a word is missing"),
        ("()", "a fact, a number or a word is missing"),
    ],
)
def test_a_condition_that_cannot_be_read(condition: str, why: str) -> None:
    with pytest.raises(Rejected) as refused:
        parse(condition)
    assert str(refused.value) == f"cannot be read: condition {condition!r}: {why}"


def test_a_condition_has_an_end() -> None:
    assert LONGEST == 1000 and DEEPEST == 32
    parse("a" * 1000)
    with pytest.raises(Rejected) as refused:
        parse("a" * 1001)
    assert str(refused.value) == f"cannot be read: condition '{'a' * 40}'... has more than 1000 characters"
    for deep in ("(" * 32 + "a" + ")" * 32, "not " * 32 + "a", "not (" * 16 + "a" + ")" * 16):
        parse(deep)
    for deeper in ("(" * 33 + "a" + ")" * 33, "not " * 33 + "a", "not (" * 16 + "not a" + ")" * 16):
        with pytest.raises(Rejected) as refused:
            parse(deeper)
        assert str(refused.value) == f"cannot be read: condition '{deeper[:40]}'... has more than 32 brackets and `not`"


NAMES = ["round", "night", "rain", "own-value", "unknown"]
terms = st.sampled_from([*NAMES, "3", "-2", "sz-19"])
comparisons = st.builds(" ".join, st.tuples(terms, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), terms))
members = st.builds(lambda name, words: f"{name} in [{', '.join(words)}]", terms, st.lists(terms, max_size=3))
conditions = st.recursive(
    st.sampled_from(NAMES) | comparisons | members,
    lambda inner: (
        st.builds("not ({})".format, inner)
        | st.builds("({}) and ({})".format, inner, inner)
        | st.builds("({}) or ({})".format, inner, inner)
    ),
    max_leaves=3,
)


@given(conditions, conditions)
@settings(deadline=None)
def test_and_or_and_not_mean_what_they_mean(one: str, other: str) -> None:
    a, b = holds(one, FACTS), holds(other, FACTS)
    assert holds(f"({one}) and ({other})", FACTS) == (a and b)
    assert holds(f"({one}) or ({other})", FACTS) == (a or b)
    assert holds(f"not ({one})", FACTS) == (not a)
    assert holds(f"({one}) or ({other}) and ({one})", FACTS) == (a or (b and a))


@given(st.sampled_from(["round", "own-value"]), st.integers(-20, 20))
@settings(deadline=None)
def test_comparisons_with_numbers_are_those_of_arithmetic(name: str, number: int) -> None:
    value = FACTS[name]
    assert [holds(f"{name} {sign} {number}", FACTS) for sign in ("=", "!=", "<", "<=", ">", ">=")] == [
        value == number,
        value != number,
        value < number,
        value <= number,
        value > number,
        value >= number,
    ]


def test_conditions_name_facts_of_the_question_first_and_beside_them_those_of_the_game() -> None:
    ask, clauses = question(round=2, space="sz-19"), (Clause("halt", "weather = storm"), Clause("go", "round = 2"))
    assert answer(ask, clauses, facts={"round": 9, "weather": "fair"}) == Answered(1, "go")
    assert answer(ask, clauses, facts={"round": 9, "weather": "storm"}) == Answered(0, "halt")
    assert answer(ask, (Clause("go", "weather = storm"),)) == (WhyNot(1, "condition", "weather = storm"),)
    both = beside({"round": 2}, {"round": 9, "weather": "fair"})
    assert dict(both) == {"round": 2, "weather": "fair"} and len(both) == 2
