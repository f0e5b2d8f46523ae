"""Forms over toy questions: an order as picks and back, what comes next in some listed orders, what is finished."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import (
    NOT_ALL,
    UNLISTED,
    VERB,
    Chosen,
    Form,
    Partial,
    Pick,
    Step,
    fields,
    form_of,
    listed,
    means_the_same,
    picks_of,
    plainly,
    silently,
    verbs_of,
    verdict,
    written,
)
from pbem.kernel.orders import illegal
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim


def chosen(*said: str) -> tuple[Chosen, ...]:
    """`slot value`, or `slot value*number`, after one another."""
    found = []
    for one in said:
        slot, _, value = one.partition(" ")
        name, _, number = value.partition("*")
        found.append(Chosen(slot, name, int(number or 1)))
    return tuple(found)


def shown(step: Step) -> list[str]:
    return [f"{p.slot} {p.value}" + (f"*{p.most}" if p.most > 1 else "") for p in step.picks]


def anything(order: Any) -> Any:
    return order


# -- picks --------------------------------------------------------------------------------------------------------------------


def test_a_pick_more() -> None:
    begun = Partial().plus(Pick(VERB, "move", NO_WORDS))
    assert begun == Partial("move") and begun.plus(Pick(VERB, "land", NO_WORDS)) == Partial("land")
    more = begun.plus(Pick("unit", "tank", NO_WORDS), 2).plus(Pick("to", "Yunnan", NO_WORDS))
    assert more == Partial("move", chosen("unit tank*2", "to Yunnan"))


def test_the_verbs_of_a_question() -> None:
    ask = Ask("red", "march", "1", NO_WORDS, anything, ("march", "done"))
    assert verbs_of(ask) == ("march", "done")
    assert verbs_of(Commit("red", "march", "1", NO_WORDS, anything)) == ()


def test_the_form_of_a_question_is_its_own_or_one_over_its_orders() -> None:
    own = listed([], anything)
    ask = Ask("red", "march", "1", NO_WORDS, anything, ("march", "done"), options=lambda: [{"march": {"to": "x"}}])
    assert form_of(replace(ask, form=lambda: own)) is own
    assert shown(form_of(ask).step(Partial())) == ["verb march", "verb done"]
    assert shown(form_of(ask).step(Partial("march"))) == ["to x"]
    assert form_of(ask).step(Partial("march", chosen("to x"))).orders == ({"march": {"to": "x"}},)
    sealed = Commit("red", "march", "1", NO_WORDS, anything, options=lambda: ["yes"], form=lambda read, reveal: own)
    assert shown(form_of(sealed).step(Partial())) == ["verb yes"]


def read_small(order: Any) -> Any:
    """Two words mean the same; 3 is refused, 4 is a fault of the rules."""
    if order == 3:
        raise illegal(verbatim("three"), "3")
    if order == 4:
        raise ValueError("four")
    return {"uno": 1, "one": 1}.get(order, order) if isinstance(order, str) else order


def test_what_orders_mean() -> None:
    assert means_the_same(read_small, "uno", "one") is True and means_the_same(read_small, "one", "two") is False
    assert means_the_same(read_small, 3, 3) is False and means_the_same(read_small, 1, 4) is False


def test_the_first_order_that_is_refused_gives_the_verdict() -> None:
    assert verdict(read_small, [1, 2]) == () == verdict(read_small, [])
    (told,) = verdict(read_small, [1, 3, 4])
    assert (told.reason, told.rule) == (verbatim("three"), "3")
    assert "ValueError" in str(verdict(read_small, [4, 3])[0])


# -- an order as its writer would write it ------------------------------------------------------------------------------------


def one_line(order: Any) -> Any:
    """Bodies are read however they are written, in whatever order."""
    (verb, body), *_ = order.items()
    text = body if isinstance(body, str) else ", ".join(f"{n} {t}" for t, n in body.items()) if isinstance(body, dict) else body
    return verb, sorted(text.split(", ")) if isinstance(text, str) else text


@pytest.mark.parametrize(
    ("order", "line"),
    [
        ({"hits": {"fleet": 2, "carrier": 1}}, {"hits": "1 carrier, 2 fleet"}),  # by name, whatever the order
        ({"hits": {"fleet": 2}}, {"hits": "2 fleet"}),
        ({"hits": "2 fleet"}, {"hits": "2 fleet"}),
        ({"hits": ["a", "b"]}, {"hits": ["a", "b"]}),  # one line would be read as another order
        ({"hits": 2}, {"hits": 2}),
    ],
)
def test_an_order_is_written_on_one_line_where_that_means_the_same(order: Plain, line: Plain) -> None:
    assert written(order, one_line) == line == listed([], one_line).line(order)


def test_what_has_no_body_of_its_own_stays() -> None:
    same = lambda order: 1  # noqa: E731
    for order in ("done", ["a"], {}, {"a": [1], "b": [2]}, {"a": "x"}, {"a": 7}, {"a": None}):
        assert written(order, same) == order
    assert written({"a": [1, 2]}, same) == {"a": "1; 2"} and written({"a": {"to": "y", "at": "x"}}, same) == {"a": "to y at x"}


# -- the fields of an order ---------------------------------------------------------------------------------------------------

FIELDS: list[tuple[Plain, str, list[str]]] = [
    ("done", "done", []),
    ({"move": {"units": ["a", "b"], "from": "x", "to": "y"}}, "move", ["unit a", "unit b", "at x", "to y"]),
    ({"move": {"from": "x", "units": {"tank": 2, "gun": 1}, "via": ["p", "q"]}}, "move",
     ["unit tank*2", "unit gun", "at x", "via p", "via q"]),
    ({"hits": {"CV": 2, "AF": 1}}, "hits", ["unit CV*2", "unit AF"]),
    ({"hits": {"CV": 0}}, "hits", ["unit CV", "number 0"]),
    ({"hits": {"CV": True}}, "hits", ["unit CV", "word yes"]),
    ({"hits": {"CV": 99, "AF": 100}}, "hits", ["unit CV", "number 99", "unit AF", "to 0100"]),
    ({"sail": {"TF1": 1531}}, "sail", ["unit TF1", "to 1531"]),
    ({"sail": {"tf": 1531}}, "sail", ["unit tf", "to 1531"]),
    ({"sail": {"tf": "x"}}, "sail", ["word tf", "word x"]),
    ({"sail": {"TF1": "x"}}, "sail", ["unit TF1", "word x"]),
    ({"build": {"points": 3, "card": 12}}, "build", ["number 3", "card 12"]),
    ({"build": {"facility": "port", "territory": "x", "in": "y", "zone": "z"}}, "build", ["unit port", "at x", "to y", "to z"]),
    ({"use": {"with": "w", "by": "b", "target": "t", "hq": "h", "power": "p", "unit": "u"}}, "use",
     ["with w", "by b", "target t", "hq h", "power p", "unit u"]),
    ({"go": 722}, "go", ["to 0722"]),
    ({"go": 100}, "go", ["to 0100"]),
    ({"go": 99}, "go", ["number 99"]),
    ({"go": {"to": 7}}, "go", ["to 7"]),
    ({"go": {"at": 7, "via": [8, 1000]}}, "go", ["at 7", "via 8", "via 1000"]),
    ({"go": {"to": {"x": 2}}}, "go", ["unit x", "to 2"]),
    ({"go": {"to": {"X": "y"}}}, "go", ["unit X", "to y"]),
    ({"go": {"with": {"x": 2}}}, "go", ["unit x*2"]),
    ({"go": {"with": {"x": "y"}}}, "go", ["word x", "word y"]),
    ({"go": True}, "go", ["word yes"]),
    ({"go": None}, "go", ["word nothing"]),
    ({"go": {"to": True}}, "go", ["to yes"]),
    ({"go": {}}, "go", []),
    ({"go": []}, "go", []),
    ({"a": 1, "to": "y"}, "", ["word a", "number 1", "to y"]),
    (["a", 2], "", ["word a", "number 2"]),
    (7, "", ["number 7"]),
]  # fmt: skip


@pytest.mark.parametrize(("order", "verb", "picks"), FIELDS, ids=[str(o)[:50] for o, *_ in FIELDS])
def test_a_written_order_as_picks(order: Plain, verb: str, picks: list[str]) -> None:
    assert fields(order) == Partial(verb, chosen(*picks))


@pytest.mark.parametrize(
    ("order", "bare", "picks"),
    [
        ({"take": "a"}, "unit", ["unit a"]),
        ({"take": ["a", 3]}, "to", ["to a", "to 3"]),
        ({"take": {"x": 3}}, "to", ["unit x", "to 3"]),  # a hex of a small map, not three of them
        ({"take": {"x": 3}}, "unit", ["unit x*3"]),
        ({"take": {"x": ["a"]}}, "unit", ["word x", "word a"]),
        ({"take": {"x": ["a"]}}, "via", ["word x", "via a"]),
        (["a"], "card", ["card a"]),
        ({"take": 7}, "card", ["card 7"]),
        ({"take": 722}, "card", ["card 0722"]),
    ],
)
def test_what_a_lone_word_fills(order: Plain, bare: str, picks: list[str]) -> None:
    assert fields(order, bare).chosen == chosen(*picks)


# -- over listed orders -------------------------------------------------------------------------------------------------------

MOVES: list[Plain] = [
    {"move": {"units": {"tank": 3}, "from": "x", "to": "y"}},
    {"move": {"units": {"tank": 2}, "from": "x", "to": "z"}},
    {"move": {"units": {"gun": 1}, "from": "x", "to": "z"}},
    "done",
    {"build": {"points": 3}},
]


def legal(order: Any) -> Any:
    """Two tanks at most go to z; no gun at all."""
    if isinstance(order, dict) and "move" in order:
        units = order["move"]["units"]
        if "gun" in units:
            raise illegal(verbatim("no guns"), "4")
        if order["move"]["to"] == "z" and units.get("tank", 0) > 2:
            raise illegal(verbatim("two go there"), "5")
    return order


def moves(**more: Any) -> Form:
    return listed(MOVES, legal, ("move", "land", "pass"), **more)


def test_verbs_come_first() -> None:
    step = moves().step(Partial())
    assert shown(step) == ["verb move", "verb done", "verb build", "verb land", "verb pass"]
    assert [p.leads for p in step.picks] == [(), ("ends-phase",), (), (), ("ends-phase",)]
    assert step.picks[0] == Pick(VERB, "move", verbatim("move")) and step.note == NOT_ALL
    assert moves(whole=True).step(Partial()).note == NO_WORDS


def test_then_each_thing_with_the_greatest_number_of_it() -> None:
    step = moves().step(Partial("move"))
    assert shown(step) == ["unit tank*3", "unit gun"] and step.note == NOT_ALL and not step.orders
    assert moves(whole=True).step(Partial("move")).note == NO_WORDS
    at = moves().step(Partial("move", chosen("unit tank")))
    assert at.picks == (Pick("at", "x", verbatim("x"), at="x"),)
    assert shown(moves().step(Partial("move", chosen("unit tank", "at x")))) == ["to y", "to z"]
    assert shown(listed([*reversed(MOVES)], legal).step(Partial("move"))) == ["unit gun", "unit tank*3"]


def test_what_begins_no_listed_order_is_not_known() -> None:
    for partial in (
        Partial("land"),
        Partial("move", chosen("unit horse")),
        Partial("move", chosen("at tank")),
        Partial("move", chosen("unit tank*0")),
        Partial("move", chosen("unit tank", "at x", "to y", "via q")),
        Partial("build", chosen("unit tank")),
    ):
        assert moves().step(partial) == Step(note=UNLISTED)


def test_a_listed_order_is_finished_with_the_numbers_that_were_picked() -> None:
    def order(number: int, to: str) -> Plain:
        return {"move": {"units": {"tank": number}, "from": "x", "to": to}}

    for number in (1, 2, 3):
        step = moves().step(Partial("move", chosen(f"unit tank*{number}", "at x", "to y")))
        assert step == Step(orders=(order(number, "y"),), note=NOT_ALL)
    step = moves(whole=True).step(Partial("move", chosen("unit tank*3", "at x", "to z")))
    assert not step.orders and [str(p.reason) for p in step.problems] == ["two go there"] and step.note == NO_WORDS
    assert moves().step(Partial("move", chosen("unit gun", "at x", "to z"))).problems[0].reason == verbatim("no guns")
    assert moves().step(Partial("done")).orders == ("done",)
    assert moves().step(Partial("build", chosen("number 3"))).orders == ({"build": {"points": 3}},)


def test_an_order_that_goes_on_may_be_finished_already() -> None:
    both = listed([{"go": {"to": "x"}}, {"go": {"to": "x", "by": "rail"}}], anything)
    step = both.step(Partial("go", chosen("to x")))
    assert shown(step) == ["by rail"] and step.orders == ({"go": {"to": "x"}},)


def test_numbers_are_put_into_the_largest_listed_order() -> None:
    """Of several orders of the same things the one with most of them is the pattern, wherever its numbers stand."""
    few: Plain = {"lose": {"tank": 1, "gun": 2}}
    many: Plain = {"lose": {"tank": 2, "gun": 3}}
    for options in ([few, many], [many, few]):
        form = listed(options, anything)
        assert form.step(Partial("lose", chosen("unit tank", "unit gun*2"))).orders == (few,)
        assert form.step(Partial("lose", chosen("unit tank*2", "unit gun"))).orders == ({"lose": {"tank": 2, "gun": 1}},)
    shapes: list[Plain] = [{"lose": {"tank": 1}}, {"lose": {"units": {"tank": 5}}}]
    assert listed(shapes, anything).step(Partial("lose", chosen("unit tank"))).orders == (shapes[0],)  # as it is listed
    other = [{"take": [{"tank": 1}, {"to": "x"}]}, {"take": [{"tank": 5}, "x", {"to": "x"}]}]
    assert listed(other, anything).step(Partial("take", chosen("unit tank*3", "to x"))).orders == (
        {"take": [{"tank": 3}, {"to": "x"}]},
    )


@pytest.mark.parametrize(
    ("pattern", "picks", "made"),
    [
        ({"m": {"to": "y", "units": {"t": 1}}}, ["unit t*4", "to y"], {"m": {"to": "y", "units": {"t": 4}}}),
        (
            {"m": {"P": {"t": 1}, "Q": {"u": 1}}},
            ["unit P", "unit t*4", "unit Q", "unit u*5"],
            {"m": {"P": {"t": 4}, "Q": {"u": 5}}},
        ),
        ({"m": {"P": 722, "units": {"t": 1}}}, ["unit t*4", "unit P", "to 0722"], {"m": {"P": 722, "units": {"t": 4}}}),
        (
            {"m": ["a", {"t": 1}, 7, {"u": 2}]},
            ["word a", "unit t*3", "number 7", "unit u*4"],
            {"m": ["a", {"t": 3}, 7, {"u": 4}]},
        ),
        ({"m": {"to": {"x": 2}, "with": {"y": 2}}}, ["unit x", "to 2", "unit y*4"], {"m": {"to": {"x": 2}, "with": {"y": 4}}}),
        (
            {"m": {"to": [{"x": 2}], "with": {"y": 2}}},
            ["unit x", "to 2", "unit y*4"],
            {"m": {"to": [{"x": 2}], "with": {"y": 4}}},
        ),
        (
            {"m": {"to": {"P": {"x": 2}}, "with": {"y": 2}}},
            ["unit P", "unit x", "to 2", "unit y*4"],
            {"m": {"to": {"P": {"x": 2}}, "with": {"y": 4}}},
        ),
        ([{"t": 1}], ["unit t*4"], [{"t": 4}]),
        ({"at": "x", "units": {"t": 1}}, ["unit t*4", "at x"], {"at": "x", "units": {"t": 4}}),
    ],
)
def test_numbers_go_where_they_were_picked(pattern: Plain, picks: list[str], made: Plain) -> None:
    verb = next(iter(pattern)) if isinstance(pattern, dict) and len(pattern) == 1 else ""
    assert listed([pattern], anything).step(Partial(verb, chosen(*picks))).orders == (made,)


def test_a_lone_word_stays_what_it_is() -> None:
    form = listed([{"to": {"x": 3}}, {"go": {"x": 3}}], anything, bare="to")
    step = form.step(Partial("go", chosen("unit x", "to 3*2")))
    assert step.orders == ({"go": {"x": 3}},)  # a hex, not a number of things
    assert listed([[{"x": 3}]], anything, bare="to").step(Partial("", chosen("unit x*2", "to 3"))).orders == ([{"x": 3}],)
    assert listed(["done"], anything).step(Partial("done")).orders == ("done",)


def test_bare_orders_are_offered_beside_the_verbs() -> None:
    form = listed([["a", "b"], ["c"], {"go": "x"}, []], anything, bare="unit")
    assert shown(form.step(Partial())) == ["verb go", "unit a", "unit c"]
    assert shown(form.step(Partial("", chosen("unit a")))) == ["unit b"]
    assert form.step(Partial("", chosen("unit c"))).orders == (["c"],)
    assert shown(form.step(Partial("go"))) == ["unit x"]


def test_orders_whose_picks_are_the_same_are_told_apart() -> None:
    one: Plain = {"go": {"to": "x", "at": "y"}}
    other: Plain = {"go": {"to": ["x"], "at": "y"}}
    form = listed([one, other, one], anything)
    assert form.partial(one) == Partial("go", chosen("to x", "at y"))
    assert form.partial(other) == Partial("go", chosen("to x", "at y", "word go: to x at y"))
    step = form.step(Partial("go", chosen("to x", "at y")))
    assert step.orders == (one,) and shown(step) == ["word go: to x at y"]
    assert form.step(form.partial(other)).orders == (other,)


def test_things_are_named_and_explained() -> None:
    def name(slot: str, value: str) -> Message:
        return msg("{slot} named {value}", slot=slot, value=value)

    def says(slot: str, value: str) -> Message:
        return msg("{slot} does {value}", slot=slot, value=value)

    form = moves(name=name, says=says)
    verb = form.step(Partial()).picks[0]
    assert (verb.name, verb.says) == (name(VERB, "move"), NO_WORDS)
    unit = form.step(Partial("move")).picks[0]
    assert unit == Pick("unit", "tank", name("unit", "tank"), most=3, says=says("unit", "tank"))
    assert (plainly("to", "x"), silently("to", "x")) == (verbatim("x"), NO_WORDS)


def read_move(order: Any) -> Any:
    """`move: 2 tank from x to z` is read as the listed order."""
    if isinstance(order, dict) and isinstance(order.get("move"), str):
        number, what, _, at, _, to = order["move"].split()
        return legal({"move": {"units": {what: int(number)}, "from": at, "to": to}})
    return legal(order)


@pytest.mark.parametrize(
    ("order", "partial"),
    [
        (MOVES[1], Partial("move", chosen("unit tank*2", "at x", "to z"))),
        ({"move": {"units": {"tank": 1}, "from": "x", "to": "z"}}, Partial("move", chosen("unit tank", "at x", "to z"))),
        ({"move": "2 tank from x to z"}, Partial("move", chosen("unit tank*2", "at x", "to z"))),
        ({"move": "3 tank from x to z"}, Partial("move", chosen("word 3 tank from x to z"))),  # refused
        ({"move": {"units": {"tank": 1}, "from": "x"}}, Partial("move", chosen("unit tank", "at x"))),
        ({"walk": "2 tank from x to z"}, Partial("walk", chosen("word 2 tank from x to z"))),
    ],
)
def test_the_picks_of_an_order_that_means_a_listed_one(order: Plain, partial: Partial) -> None:
    assert listed(MOVES, read_move).partial(order) == partial


def test_an_order_of_another_verb_is_not_taken_for_a_listed_one() -> None:
    blind = listed([{"go": {"to": "x"}}], lambda order: "same")
    assert blind.partial({"run": "far"}) == Partial("run", chosen("word far"))
    assert blind.partial({"go": "far"}) == Partial("go", chosen("to x"))
    counted = listed([{"go": {"tank": 2}}], lambda order: "same")
    assert counted.partial({"go": {"tank": 1}}) == Partial("go", chosen("unit tank"))  # its own number
    assert listed([["a"]], anything, bare="unit").partial(["b", "c"]) == Partial("", chosen("unit b", "unit c"))
    seen: list[Sequence[Any]] = []
    listed(["done", {"go": {"to": "x"}}], lambda order: seen.append(order) or len(seen)).partial({"go": "far"})
    assert "done" not in seen


# -- the picks of an order as a form offers them ------------------------------------------------------------------------------


def test_the_picks_of_an_order_as_they_are_offered() -> None:
    form = moves(name=lambda slot, value: verbatim(f"the {value}"))
    assert picks_of(form, MOVES[1]) == (
        Pick(VERB, "move", verbatim("the move")),
        Pick("unit", "tank", verbatim("the tank"), most=3),
        Pick("at", "x", verbatim("the x"), at="x"),
        Pick("to", "z", verbatim("the z"), at="z"),
    )
    assert [p.value for p in picks_of(form, {"move": {"units": {"tank": 1}, "from": "q", "to": "z"}})] == ["move", "tank"]
    assert picks_of(listed([["a"]], anything, bare="unit"), ["a"]) == (Pick("unit", "a", verbatim("a")),)


class Twice:
    """Offers a thing twice, and counts what is picked of it."""

    def __init__(self) -> None:
        self.asked: list[Partial] = []

    def step(self, partial: Partial) -> Step:
        self.asked.append(partial)
        return Step((Pick("unit", "a", verbatim("first")), Pick("unit", "a", verbatim("second")), Pick("to", "a", NO_WORDS)))

    def partial(self, order: Plain) -> Partial:
        return Partial("", chosen("unit a*3", "unit b", "to a"))

    def line(self, order: Plain) -> Plain:
        return order


def test_each_pick_is_looked_for_behind_those_before_it() -> None:
    form = Twice()
    assert [str(p.name) for p in picks_of(form, {})] == ["first", ""]
    assert form.asked == [Partial(), Partial("", chosen("unit a*3")), Partial("", chosen("unit a*3", "unit b"))]
