"""Orders that are picked field by field, over a toy question: what is offered, what is finished, how verbs share a map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.forms import VERB, Chosen, Partial, Pick, Step, WhyNot
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Taken, Verbs, Worded, finished, taken_with, worded
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim

MEN, HEXES, MODES = ("rifles", "guards", "tanks"), ("0101", "0102", "0103"), ("road", "rail")


def pick(slot: str, value: str, **more: Any) -> Pick:
    return Pick(slot, value, verbatim(value), **more)


def chosen(*said: str) -> tuple[Chosen, ...]:
    """`slot value` after `slot value`."""
    return tuple(Chosen(*one.split(" ", 1)) for one in said)


def told(step: Step) -> tuple[list[str], list[Plain], list[str], str]:
    """Picks (greyed ones in brackets), orders, problems and budget of a step."""
    picks = [f"({p.slot} {p.value}: {p.why_not.reason})" if p.why_not else f"{p.slot} {p.value}" for p in step.picks]
    return picks, [*step.orders], [str(p.reason) for p in step.problems], str(step.budget)


def read(order: Any) -> Any:
    """The guards go alone, 0103 takes no tanks, two units go nowhere by rail; `hold` is a whole order, `wait` is none."""
    if order == "wait":
        raise illegal(verbatim("no waiting"), "9")
    if order in ("hold", "done", {"march": "home"}):
        return order
    if order in ({"march": "away"}, "flee"):
        raise illegal(verbatim("nobody leaves"), "9")
    body = next(iter(order.values()))
    if not body.get("to"):
        raise illegal(verbatim("nowhere"), "3")
    if "guards" in body["units"] and len(body["units"]) > 1:
        raise illegal(verbatim("the guards march alone"), "2")
    if body.get("to") == "0103" and "tanks" in body["units"]:
        raise illegal(verbatim("no tanks"), "3.1")
    if body.get("by") == "rail" and len(body["units"]) > 1:
        raise illegal(verbatim("one train"), "3.2")
    return order


def there(taken: Taken) -> list[Pick]:
    return [pick("to", h) for h in HEXES]


def men(taken: Taken) -> list[Pick]:
    """The guards march with nobody."""
    busy = WhyNot(verbatim("alone"), "2")
    return [pick("unit", m, why_not=busy if m == "guards" and taken.all("unit") else None) for m in MEN]


def modes(taken: Taken) -> list[Pick]:
    return [pick("by", m) for m in MODES]


def marching(taken: Taken) -> Plain:
    body: dict[str, Plain] = {"units": [*taken.all("unit")], "to": taken.one("to")}
    return {"march": body | ({"by": taken.one("by")} if taken.one("by") else {})}


def said(body: Plain) -> Mapping[str, list[str]]:
    if not isinstance(body, dict):
        raise unreadable(verbatim("no march"))
    units, to, by = body.get("units", []), body.get("to"), body.get("by")
    assert isinstance(units, list)
    return {"by": [str(by)] if by else [], "to": [str(to)], "unit": [str(u) for u in units]}


def left(taken: Taken) -> Message:
    return msg("{n} named", n=len(taken.all("unit")))


UNIT, TO, BY = Field("unit", men, most=2), Field("to", there), Field("by", modes, least=0)
MARCH = Fields((UNIT, TO, BY), marching, said, read, left)


def test_what_is_taken_by_slot() -> None:
    taken = Taken(chosen("unit a", "to x", "unit b"))
    assert (taken.all("unit"), taken.all("by")) == (["a", "b"], [])
    assert (taken.one("unit"), taken.one("to"), taken.one("by")) == ("a", "x", "")
    assert taken_with(taken, pick("by", "rail", most=3)).chosen == (*taken.chosen, Chosen("by", "rail", 1))
    assert MANY >= 999


def test_an_order_that_is_finished_or_what_is_wrong_with_it() -> None:
    assert told(finished(read, "hold")) == ([], ["hold"], [], "")
    assert told(finished(read, "wait")) == ([], [], ["no waiting"], "")


def test_the_first_field_comes_alone_while_it_is_needed() -> None:
    assert told(MARCH.step(())) == (["unit rifles", "unit guards", "unit tanks"], [], [], "0 named")


def test_then_more_of_it_or_the_next_one() -> None:
    step = MARCH.step(chosen("unit rifles"))
    picks = ["(unit guards: alone)", "unit tanks", *(f"to {h}" for h in HEXES)]
    assert told(step) == (picks, [], [], "1 named")


def test_what_would_finish_an_order_is_judged() -> None:
    assert told(MARCH.step(chosen("unit tanks")))[0][2:] == ["to 0101", "to 0102"]
    assert told(MARCH.step(chosen("unit rifles", "unit tanks")))[0] == ["to 0101", "to 0102"]
    assert told(MARCH.step(chosen("unit rifles", "unit tanks", "to 0101")))[0] == ["by road"]
    trusted = replace(MARCH, fields=(UNIT, replace(TO, trusted=True), BY))
    assert told(trusted.step(chosen("unit tanks")))[0][2:] == ["to 0101", "to 0102", "to 0103"]


def test_a_grey_field_says_why_not() -> None:
    grey = replace(MARCH, fields=(UNIT, replace(TO, grey=True), BY))
    step = grey.step(chosen("unit tanks"))
    assert told(step)[0][2:] == ["to 0101", "to 0102", "(to 0103: no tanks)"]
    assert step.picks[-1] == pick("to", "0103", why_not=WhyNot(verbatim("no tanks"), "3.1"))


def test_what_the_field_itself_says_against_a_thing_is_not_judged() -> None:
    """Once a place is known a unit would finish the order; one that the field greys keeps the field's own reason."""
    first = replace(MARCH, fields=(TO, replace(UNIT, grey=True)))
    assert told(first.step(chosen("to 0103")))[0] == ["unit rifles", "unit guards", "(unit tanks: no tanks)"]
    assert told(first.step(chosen("to 0103", "unit rifles")))[0] == ["(unit guards: alone)", "(unit tanks: no tanks)"]


def test_another_judge_of_candidates() -> None:
    mild = replace(MARCH, judge=lambda order: order)
    assert told(mild.step(chosen("unit tanks")))[0][2:] == ["to 0101", "to 0102", "to 0103"]
    assert told(mild.step(chosen("unit tanks", "to 0103"))) == (["by road", "by rail"], [], ["no tanks"], "1 named")


def test_the_order_is_there_as_soon_as_nothing_is_missing() -> None:
    step = MARCH.step(chosen("unit rifles", "to 0101"))
    assert told(step) == (["by road", "by rail"], [{"march": {"units": ["rifles"], "to": "0101"}}], [], "1 named")
    whole = MARCH.step(chosen("unit rifles", "to 0101", "by rail"))
    assert told(whole) == ([], [{"march": {"units": ["rifles"], "to": "0101", "by": "rail"}}], [], "1 named")


def test_needed_things_stand_before_those_that_may_be_left_out() -> None:
    early = Fields((BY, UNIT, TO), marching, said, read)
    assert told(early.step(())) == ([*(f"unit {m}" for m in MEN), "by road", "by rail"], [], [], "")
    assert told(early.step(chosen("by road")))[0] == [f"unit {m}" for m in MEN]
    assert told(early.step(chosen("unit rifles")))[0] == ["(unit guards: alone)", "unit tanks", *(f"to {h}" for h in HEXES)]


@pytest.mark.parametrize(
    "row", [["to 0101"], ["unit rifles", "by road"], ["unit rifles", "to 0101", "unit tanks"], ["x y"], ["unit rifles", "x y"]]
)
def test_picks_that_do_not_come_field_by_field(row: list[str]) -> None:
    assert MARCH.step(chosen(*row)) == Step() and not MARCH.takes(chosen(*row))


@pytest.mark.parametrize(
    ("row", "takes"),
    [
        ([], True),
        (["unit rifles"], True),
        (["unit horses"], False),
        (["unit rifles", "unit tanks"], True),
        (["unit rifles", "unit guards"], False),  # greyed by what is picked before
        (["unit guards", "unit rifles"], True),
        (["unit rifles", "to 0101", "by rail"], True),
        (["unit rifles", "to 0999"], False),
        (["unit rifles", "to 0101", "by sea"], False),
    ],
)
def test_each_pick_is_a_candidate_of_its_field(row: list[str], takes: bool) -> None:
    assert MARCH.takes(chosen(*row)) is takes


def test_the_picks_of_a_body_field_by_field() -> None:
    body: Plain = {"units": ["rifles", "tanks"], "to": "0101", "by": "road"}
    assert MARCH.picks(body) == chosen("unit rifles", "unit tanks", "to 0101", "by road")
    assert MARCH.step(MARCH.picks(body)).orders == ({"march": body},)
    assert MARCH.picks({"units": ["rifles"], "to": "0101"}) == chosen("unit rifles", "to 0101")
    bare = replace(MARCH, said=lambda body: {"to": ["0101"]})
    assert bare.picks({}) == chosen("to 0101")


# -- words in place of picks --------------------------------------------------------------------------------------------------

HOME = {"home": msg("go home"), "away": msg("go away")}
WORDED = Worded("march", HOME, MARCH, read)


def test_words_are_offered_first_and_only_at_first() -> None:
    step = WORDED.step(())
    assert told(step) == (["word home", *(f"unit {m}" for m in MEN)], [], [], "0 named")  # `away` is refused
    assert step.picks[0] == Pick("word", "home", msg("go home"))
    assert WORDED.step(chosen("unit rifles")) == MARCH.step(chosen("unit rifles"))


def test_a_word_is_an_order() -> None:
    assert told(WORDED.step(chosen("word home"))) == ([], [{"march": "home"}], [], "")
    assert told(WORDED.step(chosen("word away"))) == ([], [], ["nobody leaves"], "")
    assert WORDED.step(chosen("word home", "word away")) == Step() == WORDED.step(chosen("word other"))
    assert told(replace(WORDED, words={"rifles": msg("x")}).step(chosen("unit rifles"))) == told(
        MARCH.step(chosen("unit rifles"))
    )


def test_the_picks_of_a_word_or_of_the_gesture() -> None:
    assert WORDED.picks("home") == chosen("word home")
    assert WORDED.picks({"units": ["rifles"], "to": "0101"}) == chosen("unit rifles", "to 0101")


def test_a_word_may_stand_for_what_orders_do_not_know() -> None:
    whole: Plain = {"units": ["rifles"], "to": "0101"}
    wide = replace(WORDED, words={"all": msg("everybody"), "home": msg("go home")}, whole={"all": whole})
    assert told(wide.step(chosen("word all"))) == ([], [{"march": whole}], [], "")
    assert told(wide.step(chosen("word home"))) == ([], [{"march": "home"}], [], "")
    assert told(wide.step(()))[0][:2] == ["word all", "word home"]
    assert wide.picks("home") == chosen("word home") and wide.picks(whole) == chosen("unit rifles", "to 0101")
    with pytest.raises(Exception, match="no march"):
        wide.picks("all")


# -- several verbs on one map -------------------------------------------------------------------------------------------------


def with_verb(verb: str, gesture: Fields) -> Fields:
    return replace(gesture, make=lambda taken: {verb: next(iter(dict(gesture.make(taken)).values()))})  # type: ignore[arg-type, call-overload]


ATTACK = with_verb("attack", Fields((UNIT, replace(TO, offers=lambda taken: there(taken)[1:])), marching, said, read))
NOBODY = Fields((Field("unit", lambda taken: ()), TO), marching, said, read)
GESTURES: dict[str, Gesture] = {"march": MARCH, "attack": ATTACK, "land": NOBODY}
FORM = Verbs(
    read,
    ("march", "attack", "land", "hold", "wait", "done"),
    GESTURES,
    bare=("march", "attack"),
    says={"attack": msg("fire first"), "done": msg("it ends")},
)


UNITS = [f"unit {m}" for m in MEN]


def test_verbs_with_which_something_can_be_done_and_what_is_clicked_at_once() -> None:
    step = FORM.step(Partial())
    assert told(step)[0] == ["verb march", "verb attack", "verb hold", "(verb wait: no waiting)", "verb done", *UNITS]
    by_value = {p.value: p for p in step.picks}
    assert by_value["attack"] == Pick(VERB, "attack", verbatim("attack"), says=msg("fire first"))
    assert by_value["march"] == Pick(VERB, "march", verbatim("march"))
    assert by_value["done"] == Pick(VERB, "done", verbatim("done"), leads=("ends-phase",), says=msg("it ends"))
    assert not step.orders


def test_a_verb_whose_order_is_finished_at_once_is_offered_too() -> None:
    ready = replace(NOBODY, fields=(Field("by", lambda taken: (), least=0),), read=lambda order: order)
    assert told(Verbs(read, ("land",), {"land": with_verb("land", ready)}).step(Partial()))[0] == ["verb land"]
    assert not Verbs(read, ("land",), {"land": NOBODY}).step(Partial()).note


def test_after_a_verb_its_fields() -> None:
    assert FORM.step(Partial("march")) == MARCH.step(())
    assert FORM.step(Partial("attack", chosen("unit rifles"))) == ATTACK.step(chosen("unit rifles"))
    assert told(FORM.step(Partial("hold"))) == ([], ["hold"], [], "")
    assert told(FORM.step(Partial("wait"))) == ([], [], ["no waiting"], "")
    assert FORM.step(Partial("flee")) == Step() == FORM.step(Partial("hold", chosen("unit rifles")))


def test_a_click_means_every_gesture_that_takes_it() -> None:
    step = FORM.step(Partial("", chosen("unit rifles")))
    assert told(step) == (["(unit guards: alone)", "unit tanks", "to 0101", "to 0102", "to 0103"], [], [], "1 named")
    only = FORM.step(Partial("", chosen("unit rifles", "to 0101")))
    assert told(only) == (["by road", "by rail"], [{"march": {"units": ["rifles"], "to": "0101"}}], [], "1 named")
    assert FORM.step(Partial("", chosen("unit horses"))) == Step()


def test_the_first_verb_is_meant_and_the_others_are_offered_when_an_order_is_finished() -> None:
    step = FORM.step(Partial("", chosen("unit rifles", "to 0102")))
    assert told(step) == (
        ["by road", "by rail", "verb attack"],
        [{"march": {"units": ["rifles"], "to": "0102"}}],
        [],
        "1 named",
    )
    assert step.picks[-1] == Pick(VERB, "attack", verbatim("attack"), says=msg("fire first"))


def test_a_click_that_every_gesture_refuses_says_the_first_reason() -> None:
    step = FORM.step(Partial("", chosen("unit tanks", "to 0103")))
    assert told(step) == ([], [], ["no tanks"], "1 named")
    silent = Verbs(read, ("attack", "march"), GESTURES, bare=("attack", "march"))
    assert told(silent.step(Partial("", chosen("unit tanks", "to 0103")))) == ([], [], ["no tanks"], "1 named")
    assert (
        told(Verbs(read, ("attack",), GESTURES, bare=("attack",)).step(Partial("", chosen("unit tanks", "to 0103"))))[3] == ""
    )


def test_a_thing_that_one_gesture_takes_is_not_grey() -> None:
    grey = replace(MARCH, fields=(Field("unit", lambda t: [pick("unit", "a", why_not=WhyNot(verbatim("tired")))]), TO))
    able = replace(MARCH, fields=(Field("unit", lambda t: [pick("unit", "a"), pick("unit", "b")]), TO))
    also = replace(MARCH, fields=(Field("unit", lambda t: [pick("unit", "a", why_not=WhyNot(verbatim("ill")))]), TO))
    for bare, picks in [
        (("x", "y", "z"), ["unit a", "unit b"]),
        (("y", "x"), ["unit a", "unit b"]),
        (("x", "z"), ["(unit a: tired)"]),
    ]:
        form = Verbs(read, (), {"x": grey, "y": able, "z": also}, bare=bare)
        assert told(form.step(Partial()))[0] == picks


def test_the_picks_of_an_order_however_it_is_written() -> None:
    body: Plain = {"units": ["rifles"], "to": "0101"}
    assert (
        FORM.partial({"march": body}) == FORM.partial({" March ": body}) == Partial("march", chosen("unit rifles", "to 0101"))
    )
    assert FORM.partial("hold") == Partial("hold")
    assert FORM.partial({"march": "nowhere"}) == Partial("march", chosen("word nowhere"))  # cannot be read
    assert FORM.partial({"flee": {"to": "x"}}) == Partial("flee", chosen("to x"))
    heard: list[Plain] = []

    def hear(body: Plain) -> Mapping[str, list[str]]:
        heard.append(body)
        return {}

    form = Verbs(read, ("march",), {"march": replace(MARCH, said=hear)})
    for order in (" March :  rifles: two ", "march", "march:"):
        assert form.partial(order) == Partial("march")
    assert heard == ["rifles: two", None, None]
    assert form.partial({"march": 1, "by": 2}) != Partial("march") and len(heard) == 3


def test_an_order_as_a_player_would_write_it() -> None:
    order: Plain = {"march": {"units": ["rifles"], "to": "0101"}}
    assert FORM.line(order) == order  # one line would not be read
    assert Verbs(lambda o: "same", ("march",), GESTURES).line(order) == {"march": "rifles to 0101"}
    assert Verbs(read, ("march",), GESTURES, line=lambda o: ["mine", o]).line(order) == ["mine", order]


def test_a_question_of_one_verb() -> None:
    form = worded("march", HOME, MARCH, read)
    assert told(form.step(Partial()))[0] == ["verb march", "word home", *(f"unit {m}" for m in MEN)]
    for verb in ("march", ""):  # the word needs no verb before it
        assert told(form.step(Partial(verb, chosen("word home")))) == ([], [{"march": "home"}], [], "")
    assert told(form.step(Partial("", chosen("unit rifles", "to 0101"))))[1] == [{"march": {"units": ["rifles"], "to": "0101"}}]
    assert form.step(Partial()).note == NO_WORDS
    order: Plain = {"march": {"units": ["rifles"], "to": "0101"}}
    assert worded("march", HOME, MARCH, lambda o: "same").line(order) == {"march": "rifles to 0101"}
