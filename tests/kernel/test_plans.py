"""Plans as they stand in a file: what a step is, what is refused and what a player is told then."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected
from pbem.kernel.plans import HIDDEN, Step, later_of, read_step

VERBS = {"noncombat-move": ("move", "done"), "mobilize": ("place", "done"), f"{HIDDEN}draw": ("draw",), "long": ("advance",)}
FACTS = {"round": 3, "yunnan": "china", "china-fell": False}


def step(**plain: Any) -> Step:
    return read_step(2, plain, VERBS, FACTS)


def refusal(plain: Plain) -> str:
    with pytest.raises(Rejected) as refused:
        read_step(2, plain, VERBS, FACTS)
    return str(refused.value)


def test_a_step_as_short_and_as_long_as_it_can_be() -> None:
    assert step(at="mobilize", do=["done"]) == Step("mobilize", ("done",), "", "", "ask", 0)
    plain = {"at": "mobilize", "seat": "japan", "later": 2, "when": "round > 2", "do": [{"place": "x"}, "done"], "else": "drop"}
    assert step(**plain) == Step("mobilize", ({"place": "x"}, "done"), "japan", "round > 2", "drop", 2)
    assert step(at="mobilize", do=["done"], **{"else": "ask"}).otherwise == "ask"


@pytest.mark.parametrize(("plain", "later"), [({}, 0), ({"later": 3}, 3), ({"later": "3"}, 0), ({"later": None}, 0)])
def test_for_which_stretch_a_step_is(plain: dict[str, Plain], later: int) -> None:
    assert later_of(plain) == later


NO_STEP = "cannot be read: plan, step 2: a step is at, seat, later, when, do, else; `do` is a list of orders"


@pytest.mark.parametrize("plain", ["done", ["done"], None, {"at": "mobilize"}, {"at": "mobilize", "do": "done"}, {"do": []}])
def test_what_is_no_step(plain: Plain) -> None:
    assert refusal(plain) == NO_STEP


TEXT = "cannot be read: plan, step 2: at, seat and when are text, else is ask or drop"
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"zzz": 1, "att": "x"}, "cannot be read: plan, step 2: unknown key 'att'"),
    ({"at": 1}, TEXT),
    ({"seat": None}, TEXT),
    ({"when": 3}, TEXT),
    ({"else": "stop"}, TEXT),
    (
        {"at": "mobilise"},
        "cannot be read: plan, step 2: 'mobilise' is no question that can be planned for; did you mean mobilize?",
    ),
    (
        {"at": "x"},
        "cannot be read: plan, step 2: 'x' is no question that can be planned for; "
        "one of: noncombat-move, mobilize, sealed draw, long",
    ),
    ({"do": ["done", {"plaec": {"x": 1}}]}, "cannot be read: plan, step 2: plaec: 1 x is no order there; did you mean place?"),
    ({"do": ["zzz"]}, "cannot be read: plan, step 2: zzz is no order there; one of: place, done"),
    ({"do": [{"move": "x"}]}, "cannot be read: plan, step 2: move: x is no order there; one of: place, done"),
    ({"when": "rond > 2"}, "cannot be read: plan, step 2: there is no fact 'rond'; did you mean round?"),
    ({"when": "zzz > 2"}, "cannot be read: plan, step 2: there is no fact 'zzz'"),
    ({"when": "round >"}, "cannot be read: condition 'round >': a fact, a number or a word is missing"),
]


@pytest.mark.parametrize(("change", "told"), REFUSED)
def test_what_is_wrong_with_a_step_is_said(change: dict[str, Any], told: str) -> None:
    plain: dict[str, Any] = {"at": "mobilize", "do": ["done"]}
    assert refusal(plain | change) == told


@pytest.mark.parametrize(
    "condition",
    ["round", "china fell", "not china-fell", "round > 2", "2 < round", "yunnan in [china, japan]", "yunnan = china"],
)
def test_conditions_on_facts_that_the_game_has(condition: str) -> None:
    assert step(at="mobilize", do=["done"], when=condition).when == condition


@pytest.mark.parametrize(
    ("condition", "unknown"),
    [
        ("fall", "fall"),
        ("not fall", "fall"),
        ("fall in [china]", "fall"),
        ("fall in [round]", "fall"),
        ("fall in [china, round]", "fall"),
        ("fall = 2", "fall"),
        ("fall or round", "fall"),
        ("round or fall", "fall"),
        ("fall and round", "fall"),
        ("round and fall", "fall"),
        ("round and (china-fell or not (fall > 3))", "fall"),
    ],
)
def test_a_fact_that_the_game_has_not_is_named_wherever_it_stands(condition: str, unknown: str) -> None:
    told = refusal({"at": "mobilize", "do": ["done"], "when": condition})
    assert told.startswith(f"cannot be read: plan, step 2: there is no fact {unknown!r}")


ONE_ORDER = "cannot be read: plan, step 2: what stays sealed is one order, without `when` and `else`"


def test_what_stays_sealed_is_one_order() -> None:
    sealed: dict[str, Any] = {"at": "sealed draw", "do": [{"draw": 1}]}
    assert step(**sealed) == Step("sealed draw", ({"draw": 1},))
    for more in ({"do": ["draw", "draw"]}, {"when": "round"}, {"else": "ask"}, {"do": ["draw", "draw"], "when": "round"}):
        assert refusal(sealed | more) == ONE_ORDER
    assert step(at="mobilize", do=["done", "done"], when="round").do == ("done", "done")
