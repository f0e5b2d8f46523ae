"""Small questions: what is asked, what is proposed, what is refused, what a standing order gives, what the rule receives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.kernel.flow import Ask, Flow, Roll
from pbem.kernel.forms import Partial, form_of
from pbem.kernel.naming import Index, hex_index, hex_number
from pbem.kernel.orders import Rejected, illegal, unreadable
from pbem.kernel.proposals import Found, has_choice
from pbem.kernel.questions import (
    accepted,
    choose_place,
    choose_term,
    choose_unit,
    choose_word,
    first_that_reads,
    nothing,
    one_of,
    orders_until_done,
    yes_or_no,
)
from pbem.kernel.wording import NO_WORDS, english, msg, verbatim

HEXES = {"Hunan": 1, "Yunnan": 2, "Kwangsi": 3}


def read_hex(plain: Any) -> int:
    if plain not in HEXES:
        raise unreadable(f"{plain!r} is no place")
    return HEXES[plain]


def name(number: int) -> str:
    return next(n for n, i in HEXES.items() if i == number)


def first(flow: Flow[Any]) -> Ask:
    request = next(flow)
    assert isinstance(request, Ask)
    return request


def end(flow: Flow[Any], answer: Any) -> Any:
    with pytest.raises(StopIteration) as stopped:
        flow.send(answer)
    return stopped.value.value


def refusal(ask: Ask, order: Any) -> str:
    with pytest.raises(Rejected) as refused:
        ask.read(order)
    return str(refused.value)


def retreat(choices: tuple[int, ...] = (1, 2), **more: Any) -> Flow[int | None]:
    return one_of("red", "retreat", "7.2", "where to", choices, read_hex, "Hunan or Yunnan", name, **more)


def test_one_of_some_things_is_asked_and_answered() -> None:
    flow = retreat()
    ask = first(flow)
    assert (ask.seat, ask.kind, ask.rule, ask.prompt, ask.verbs) == ("red", "retreat", "7.2", "where to", ("retreat",))
    assert (ask.scope, ask.facts, ask.forced, ask.default, ask.reaction) == ("", {"choices": 2}, None, None, False)
    assert ask.options() == [{"retreat": "Hunan"}, {"retreat": "Yunnan"}]
    assert ask.read("retreat: Yunnan") == 2 and ask.read({"retreat": "Hunan"}) == 1
    assert end(flow, 2) == 2


def test_one_of_some_things_refuses_the_rest() -> None:
    ask = first(retreat())
    assert refusal(ask, "retreat: Kwangsi") == ("not allowed: 'Kwangsi' cannot be chosen for 'retreat' [7.2]; Hunan or Yunnan")
    assert refusal(ask, "retreat: Tokyo") == "cannot be read: 'Tokyo' is no place; Hunan or Yunnan"
    assert refusal(ask, "retreat: none") == "cannot be read: 'none' is no place; Hunan or Yunnan"
    assert refusal(ask, "advance: Hunan") == "cannot be read: 'advance' is not asked here; one of: retreat"


def test_one_of_some_things_may_be_declined_and_carries_what_the_rule_adds() -> None:
    more: dict[str, Any] = {"none": True, "default": "Hunan", "scope": "battle:1", "reaction": True, "facts": {"round": 3}}
    flow = retreat(**more)
    ask = first(flow)
    assert ask.options() == [{"retreat": "Hunan"}, {"retreat": "Yunnan"}, {"retreat": "none"}]
    assert ask.read("retreat: none") is None
    assert (ask.scope, ask.facts, ask.default, ask.reaction) == (
        "battle:1",
        {"choices": 2, "round": 3},
        {"retreat": "Hunan"},
        True,
    )
    assert end(flow, None) is None


def test_the_only_thing_is_forced_unless_it_may_be_declined() -> None:
    assert first(retreat((2,))).forced == {"retreat": "Yunnan"}
    assert first(retreat((2,), none=True)).forced is None
    assert first(retreat((1, 2))).forced is None


Offered = list[tuple[str, str, str]]  # slot, value, name


def offered(ask: Ask) -> tuple[list[Offered], list[Any]]:
    """What the question's form offers, pick by pick, the last of each; and the orders that come of it."""
    assert ask.form is not None
    form, partial, seen = ask.form(), Partial(), list[Offered]()
    while (step := form.step(partial)).picks:
        assert step.note == NO_WORDS, "there are no other orders"
        seen.append([(pick.slot, pick.value, str(pick.name)) for pick in step.picks])
        partial = partial.plus(step.picks[-1])
    assert not form.step(Partial("unheard of")).orders
    return seen, [*step.orders]


def test_a_thing_is_picked_in_a_form() -> None:
    verb = [("verb", "retreat", "retreat")]
    things = [("word", "Hunan", "Hunan"), ("word", "Yunnan", "Yunnan")]
    assert offered(first(retreat())) == ([verb, things], [{"retreat": "Yunnan"}])
    assert offered(first(retreat(none=True))) == ([verb, [*things, ("word", "none", "none")]], [{"retreat": "none"}])
    other = retreat(slot="place", name=lambda slot, value: verbatim(f"{slot} {value}"))
    things = [("place", "Hunan", "place Hunan"), ("place", "Yunnan", "place Yunnan")]
    assert offered(first(other)) == ([[("verb", "retreat", "verb retreat")], things], [{"retreat": "Yunnan"}])


def test_a_form_offers_verbs_of_which_no_order_is_listed() -> None:
    for ask in (first(retreat()), first(choose_word("red", "stop", "5", "stop him?", ()))):
        assert ask.form is not None
        form: Any = ask.form()
        assert form._verbs == ask.verbs and form._read is ask.read


def test_nothing_to_choose_is_not_asked() -> None:
    with pytest.raises(StopIteration) as stopped:
        next(retreat(()))
    assert stopped.value.value is None


def test_a_standing_list_gives_the_first_thing_that_can_be_chosen() -> None:
    ask = first(retreat())
    assert ask.policy(["Tokyo", "Kwangsi", "Yunnan", "Hunan"]) == {"retreat": "Yunnan"}
    assert ask.policy("Hunan") == {"retreat": "Hunan"}
    assert ask.policy(["Tokyo"]) is None and ask.policy("Tokyo") is None and ask.policy([]) is None


def test_ideas_are_judged_when_they_are_wanted() -> None:
    heard = []

    def read(order: Any) -> None:
        heard.append(order)
        if order < 2:
            raise illegal("too small", "1")

    ideas = accepted(read, [0, 2, 1, 3])
    assert next(ideas) == 2 and heard == [0, 2]
    assert list(ideas) == [3] and heard == [0, 2, 1, 3]
    assert first_that_reads(lambda order: None, "take", ["a", "b"]) == {"take": "a"}

    def broken(order: Any) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        next(accepted(broken, [1]))


def test_a_word_is_asked_and_answered() -> None:
    flow = choose_word("red", "stop", "5", "stop him?", ("yes", "no", "later"))
    ask = first(flow)
    assert (ask.seat, ask.kind, ask.rule, ask.prompt, ask.verbs) == ("red", "stop", "5", "stop him?", ("stop",))
    assert (ask.scope, ask.facts, ask.forced, ask.default, ask.reaction) == ("", {}, None, None, False)
    assert ask.options() == [{"stop": "yes"}, {"stop": "no"}, {"stop": "later"}]
    assert ask.policy("later") == {"stop": "later"}
    assert ask.read("stop: later") == "later" and ask.read({"stop": True}) == "yes" and ask.read({"stop": False}) == "no"
    for order, shown in [("stop: never", "'never'"), ({"stop": 1}, "1"), ({"stop": ["yes"]}, "['yes']"), ("stop", "None")]:
        assert refusal(ask, order) == f"cannot be read: stop: {shown}; stop: yes, or stop: no, or stop: later"
    assert refusal(ask, "halt: yes") == "cannot be read: 'halt' is not asked here; one of: stop"
    assert end(flow, "later") == "later"
    words = [("word", word, word) for word in ("yes", "no", "later")]
    assert offered(ask) == ([[("verb", "stop", "stop")], words], [{"stop": "later"}])


def test_a_word_carries_what_the_rule_adds() -> None:
    more: dict[str, Any] = {"default": "no", "scope": "hill", "reaction": True, "facts": {"at": 2}}
    ask = first(choose_word("red", "stop", "5", "stop him?", ("yes", "no"), **more))
    assert (ask.scope, ask.facts, ask.default, ask.reaction) == ("hill", {"at": 2}, {"stop": "no"}, True)


def test_truth_values_are_refused_where_yes_and_no_are_no_words() -> None:
    ask = first(choose_word("red", "stop", "5", "how?", ("now", "later")))
    assert refusal(ask, {"stop": True}).startswith("cannot be read: stop: True; stop: now")


def test_a_word_with_a_name_for_people_is_asked_and_answered() -> None:
    hours = {"am": msg("the morning"), "pm": msg("the afternoon")}
    flow = choose_term("red", "hour", "5", "when?", hours, none=True)
    ask = first(flow)
    assert (ask.seat, ask.kind, ask.rule, ask.prompt, ask.forced, ask.default) == ("red", "hour", "5", "when?", None, None)
    assert ask.options() == [{"hour": "am"}, {"hour": "pm"}, {"hour": "none"}]
    assert [ask.read({"hour": word}) for word in ("pm", "PM", "any", "none")] == ["pm", "pm", "am", None]
    for order, shown in [("hour: day", "'day'"), ({"hour": 1}, "1"), ({"hour": ["am"]}, "['am']")]:
        assert refusal(ask, order) == f"cannot be read: hour: {shown}; am, pm, none"
    words = [("word", "am", "the morning"), ("word", "pm", "the afternoon"), ("word", "none", "none")]
    assert offered(ask)[0][1] == words
    assert ask.policy(["night", "pm"]) == {"hour": "pm"}
    assert end(flow, None) == ""
    always = first(choose_term("red", "hour", "5", "when?", hours, default="pm"))
    assert always.default == {"hour": "pm"} and refusal(always, "hour: none") == "cannot be read: hour: 'none'; am, pm"


@pytest.mark.parametrize(("word", "answer"), [("yes", True), ("no", False)])
def test_yes_or_no(word: str, answer: bool) -> None:
    flow = yes_or_no("blue", "stop", "5", "stop him?", "no", True)
    ask = first(flow)
    assert (ask.seat, ask.kind, ask.rule, ask.prompt, ask.reaction) == ("blue", "stop", "5", "stop him?", True)
    assert ask.default == {"stop": "no"} and ask.options() == [{"stop": "yes"}, {"stop": "no"}]
    assert end(flow, word) is answer
    plain = first(yes_or_no("blue", "stop", "5", "stop him?"))
    assert plain.default is None and plain.reaction is False


def test_orders_come_one_after_the_other_until_done() -> None:
    left, done = ["a", "b", "c"], []

    def options() -> list[Any]:
        return [*({"take": item} for item in left), "done"]

    def act(item: str) -> Flow[None]:
        left.remove(item)
        dice = yield Roll("luck", 1, 6, "3")
        done.append((item, dice))

    flow = orders_until_done("red", "taking", "3", "take", ("take",), lambda order: order, options, act)
    ask = first(flow)
    assert (ask.seat, ask.kind, ask.rule, ask.prompt, ask.verbs) == ("red", "taking", "3", "take", ("take", "done"))
    assert ask.series is True and ask.form is None
    assert ask.read("x") == "x"
    listed: Any = ask.options()
    assert listed == [{"take": "a"}, {"take": "b"}, {"take": "c"}, "done"]
    listed.clear()
    assert len(ask.options()) == 4, "what is offered is a copy"
    assert isinstance(flow.send("b"), Roll)
    again = flow.send((4,))
    assert isinstance(again, Ask) and again.options() == [{"take": "a"}, {"take": "c"}, "done"]
    assert done == [("b", (4,))]
    flow.send("a")
    last = flow.send((1,))
    assert isinstance(last, Ask) and last.options() == [{"take": "c"}, "done"]
    assert end(flow, None) is None


def test_orders_until_done_are_picked_in_the_form_that_the_rule_brings() -> None:
    made: Any = lambda: None  # noqa: E731
    flow = orders_until_done(
        "red", "taking", "3", "take", ("take",), lambda o: o, lambda: ["take", "done"], lambda o: None, made
    )
    assert first(flow).form is made


def test_nobody_is_asked_when_only_done_is_left() -> None:
    def act(item: Any) -> Flow[None]:
        return
        yield

    for offered in (["done"], []):
        flow = orders_until_done("red", "taking", "3", "take", ("take",), lambda o: o, lambda found=offered: found, act)  # type: ignore
        with pytest.raises(StopIteration):
            next(flow)


SHIPS = {"CV1": "red", "CV2": "red", "BB1": "blue"}
FLEET = Index([("Akagi", "CV1"), ("Kaga", "CV2"), ("Akagi Maru", "BB1")], ids=SHIPS, title=str.lower, side=SHIPS.__getitem__)
PLACES = hex_index([(101, "0101", "Delhi"), (102, "0102", "")], lambda h: f"hex {h}", lambda w: hex_number(w) or None)


def sink(units: tuple[str, ...] = ("CV1", "BB1"), **more: Any) -> Flow[str]:
    return choose_unit(FLEET, "red", "sink", "9.2", "which ship", units, **more)


def test_a_unit_is_chosen_by_a_name_that_only_one_of_them_can_have() -> None:
    flow = sink(facts={"round": 2}, scope="combat:0101", reaction=True)
    ask = first(flow)
    assert (ask.facts, ask.scope, ask.reaction, ask.forced) == ({"choices": 2, "round": 2}, "combat:0101", True, None)
    assert ask.options() == [{"sink": "CV1"}, {"sink": "BB1"}]
    assert [ask.read({"sink": name}) for name in ("any", "bb1", "Akagi", "maru", ["CV1"])] == [
        "CV1",
        "BB1",
        "CV1",
        "BB1",
        "CV1",
    ]
    assert refusal(ask, "sink: Kaga") == "not allowed: 'Kaga' cannot be chosen for 'sink' [9.2]; cv1, bb1"
    assert refusal(ask, "sink: Hood") == "cannot be read: there is no unit 'Hood'; cv1, bb1", "a word that nobody has"
    assert refusal(ask, "sink: Akagy").endswith("did you mean Akagi, Kaga, Akagi Maru?"), "a near name goes before the list"
    assert ask.policy(["Kaga", "any"]) == {"sink": "any"}
    assert end(flow, "BB1") == "BB1"


def test_a_unit_question_says_whose_it_is_and_offers_units_by_their_names() -> None:
    ask = first(sink())
    assert (ask.seat, ask.kind, ask.rule, ask.prompt) == ("red", "sink", "9.2", "which ship")
    assert (ask.scope, ask.reaction, ask.default) == ("", False, None)
    units = [("unit", "CV1", "cv1"), ("unit", "BB1", "bb1")]
    assert offered(ask) == ([[("verb", "sink", "sink")], units], [{"sink": "BB1"}])
    units = [("unit", "BB1", "bb1"), ("unit", "none", "none")]
    assert offered(first(sink(("BB1",), none=True))) == ([[("verb", "sink", "sink")], units], [{"sink": "none"}])


def test_a_name_on_both_sides_means_the_own_unit() -> None:
    ships = {"R1": "red", "B1": "blue"}
    both = Index([("Kirov", "R1"), ("Kirov", "B1")], ids=ships, title=str, side=ships.__getitem__)
    for seat, own in (("red", "R1"), ("blue", "B1")):
        assert first(choose_unit(both, seat, "sink", "9.2", "which", ("R1", "B1"))).read("sink: Kirov") == own


def test_a_unit_is_told_by_its_title_and_a_word_as_it_is() -> None:
    titled = Index([("Akagi", "CV1")], ids=["CV1"], title={"CV1": "CV Akagi"}.__getitem__)
    form = form_of(first(choose_unit(titled, "red", "sink", "9.2", "which", ("CV1",), none=True)))
    assert [english(pick.name) for pick in form.step(Partial()).picks] == ["sink"]
    assert [english(pick.name) for pick in form.step(Partial("sink")).picks] == ["CV Akagi", "none"]


def test_words_can_be_chosen_like_units() -> None:
    ask = first(sink(("merchants", "escorts of the convoy"), default="merchants"))
    assert ask.read("sink: ESCORTS") == "escorts of the convoy" and ask.default == {"sink": "merchants"}
    ask = first(sink(("Escorts", "escorts of the convoy")))
    assert ask.read("sink: ESCORTS") == "Escorts", "the whole word first"


def test_no_unit_and_no_place_is_an_empty_answer() -> None:
    flow = sink(none=True)
    assert first(flow).read("sink: none") is None and end(flow, None) == ""
    with pytest.raises(StopIteration) as stopped:
        next(sink(()))
    assert stopped.value.value == ""
    where = choose_place(PLACES, "red", "to", "9.3", "where to", (101, 102), none=True)
    assert first(where).read("to: none") is None and end(where, None) == 0


def test_a_place_is_chosen_by_number_or_name() -> None:
    flow = choose_place(PLACES, "red", "to", "9.3", "where to", (101, 102), default=102)
    ask = first(flow)
    assert (ask.default, ask.options()) == ({"to": 102}, [{"to": 101}, {"to": 102}])
    assert [ask.read({"to": place}) for place in (102, "0102", "any", "Delhi", "0102 or so")] == [102, 102, 101, 101, 102]
    assert refusal(ask, "to: 0205") == "not allowed: '0205' cannot be chosen for 'to' [9.3]; hex 101, hex 102"
    assert refusal(ask, "to: Hong Kong") == "cannot be read: there is no hex 'Hong Kong'; hex 101, hex 102"
    assert end(flow, 102) == 102
    assert (ask.seat, ask.kind, ask.prompt, ask.scope, ask.reaction, ask.facts) == (
        "red",
        "to",
        "where to",
        "",
        False,
        {"choices": 2},
    )
    places = [("to", "0101", "hex 101"), ("to", "0102", "hex 102")]
    assert offered(ask) == ([[("verb", "to", "to")], places], [{"to": 102}])


def test_a_place_question_carries_what_the_rule_adds() -> None:
    more: dict[str, Any] = {"none": True, "scope": "air", "reaction": True, "facts": {"round": 3}}
    ask = first(choose_place(PLACES, "red", "to", "9.3", "where to", (101,), **more))
    assert (ask.scope, ask.reaction, ask.facts) == ("air", True, {"choices": 1, "round": 3})
    places = [("to", "0101", "hex 101"), ("to", "none", "none")]
    assert offered(ask) == ([[("verb", "to", "to")], places], [{"to": "none"}])


def test_nothing_asks_nothing() -> None:
    assert list(nothing()) == []


def test_what_is_offered_is_looked_for_as_far_as_somebody_looks() -> None:
    looked: list[int] = []

    def coming(until: int) -> Iterator[Any]:
        for number in range(until):
            looked.append(number)
            yield number

    def act(item: Any) -> Flow[None]:
        return
        yield

    asked = orders_until_done("red", "taking", "3", "take", ("take",), lambda o: o, lambda: Found(coming(5)), act)
    ask = first(asked)
    assert looked == [0, 1], "whether there is anything besides one"
    assert ask.options() == [0, 1, 2, 3, 4] and looked == [0, 1, 2, 3, 4]
    assert ask.options() == [0, 1, 2, 3, 4] and len(looked) == 5, "each is looked for once"
    assert len(Found(coming(3))) == 3 and Found(coming(3))[1:] == [1, 2] and 2 in Found(coming(3))
    assert [has_choice(o) for o in (Found(coming(2)), Found(coming(1)), Found(coming(0)), [1, 2], [1])] == [
        True,
        False,
        False,
        True,
        False,
    ]
    alone = orders_until_done("red", "taking", "3", "take", ("take",), lambda o: o, lambda: Found(coming(1)), act)
    with pytest.raises(StopIteration):
        next(alone)
