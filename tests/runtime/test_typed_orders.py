"""Orders as people type them: a verb in front, other readings of what does not stand, entries of an order file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import Problem, Rejected, illegal, unreadable
from pbem.kernel.wording import msg, verbatim
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime import typed
from pbem.runtime.dues import Due
from pbem.runtime.entries import entry_of, read_entry
from pbem.runtime.knowledge import Unknown
from pbem.runtime.taking import Refused
from tests.runtime import desks
from tests.runtime.desks import Desk

BAD, ODD = "not allowed", "cannot be read"


class Game(desks.Game):
    """Reads what a test says it reads."""

    meant: Any = ()

    def typed(self, state: Any, ask: Any, order: Plain) -> Any:
        self.asked = (state, ask.kind, order)
        if isinstance(self.meant, Rejected):
            raise self.meant
        return self.meant


def read(order: Plain) -> Plain:
    if order == "odd":
        raise unreadable(verbatim("odd"))
    if order == "bad":
        raise illegal(verbatim("bad"), "R")
    return order


ASK = Ask("red", "move", "R", msg("move?"), read, ("move", "move far", "done"))


@pytest.fixture
def desk() -> Any:
    desk = Desk(game=Game(), due=Due("nowak", "orders", "red"))
    desk.engine.request, desk.engine.state = ASK, "state"  # type: ignore[attr-defined, assignment]
    return desk


# -- verbs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "means"),
    [
        ("move: 3 to x", {"move": "3 to x"}),
        ("move far 3", {"move far": 3}),
        ("  MOVE  :  [1, 2] ", {"move": [1, 2]}),
        ("move", "move"),
        ("move: ", "move: "),
        ("moved 3", "moved 3"),
        ("move.3", "move.3"),
        ("go 3", "go 3"),
        ("move 3\n  far: 4", {"move": "3\n  far: 4"}),
        ("move {a: 1", {"move": "{a: 1"}),
        (3, 3),
    ],
)
def test_a_verb_in_front_is_the_key(order: Plain, means: Plain) -> None:
    assert typed.with_verb(order, ("move", "done", "move far", "m.ve")) == means


def test_of_two_verbs_the_longer_one_is_meant() -> None:
    assert typed.with_verb("move far 3", ("move", "move far")) == typed.with_verb("move far 3", ("move far", "move"))
    assert typed.with_verb("m+ve 3", ("m+ve",)) == {"m+ve": 3}


# -- readings ---------------------------------------------------------------------------------------------------------


def readings(desk: Any, order: Plain) -> list[tuple[Plain, ...]]:
    return typed.readings(desk, "nowak", order)


def test_what_is_typed_has_its_verb_and_what_the_game_makes_of_it(desk: Any) -> None:
    assert readings(desk, "move 3") == [({"move": 3},)] and desk.game.asked == ("state", "move", {"move": 3})
    assert readings(desk, {"move": 3}) == []
    desk.game.meant = [{"move": 4}, "done"]
    assert readings(desk, "move 3") == [({"move": 3},), ({"move": 4}, "done")]
    assert readings(desk, "x") == [({"move": 4}, "done")] and desk.game.asked[2] == "x"
    desk.game.meant = [{"move": 3}]
    assert readings(desk, "move 3") == [({"move": 3},)], "the same is said once"
    desk.game.meant = ["x"]
    assert readings(desk, "x") == []
    desk.due = Due("yamada", "orders", "red")
    assert readings(desk, "move 3") == [], "he is not asked"


def test_a_secret_order_is_read_by_what_its_owner_sees(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def seen_by(self: Any, state: Any, seat: str, reveal: Any) -> Any:
        return (state, seat, reveal("h")) if seat == "red" else None

    def unknown(handle: str) -> Plain:
        raise Unknown(handle)

    monkeypatch.setattr(Game, "seen_by", seen_by, raising=False)
    desk.game.meant = ["done"]
    typed.readings(desk, "nowak", "x", str.upper)
    assert desk.game.asked == ("state", "move", "x"), "an open one by what lies open"
    for seat, reveal, state in (
        ("red", str.upper, ("state", "red", "H")),
        ("blue", str.upper, "state"),
        ("red", unknown, "state"),
        ("red", None, "state"),
    ):
        typed.readings_at(desk, Commit(seat, "hide", "R", verbatim("hide?"), str), "x", reveal)
        assert desk.game.asked == (state, "hide", "x")


def test_a_secret_order_is_read_so_wherever_it_stands(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, within its seal, and in the place of one that was refused."""
    monkeypatch.setattr(Game, "seen_by", lambda self, state, seat, reveal: (state, reveal("h")), raising=False)
    desk.engine.request = Commit("red", "hide", "R", verbatim("hide?"), read, options=lambda: [])
    desk.due, desk.game.meant = Due("nowak", "seal", "red"), ["done"]
    for order in ("x", {"seal": "x", "seat": "red"}):
        typed.readings(desk, "nowak", order, str.upper)
        assert desk.game.asked == (("state", "H"), "hide", "x")
        typed.readings(desk, "nowak", order)
        assert desk.game.asked == ("state", "hide", "x")
    typed.first_that_stands(lambda orders: None, desk, "nowak", "x", refused(ODD), str.upper)
    assert desk.game.asked == (("state", "H"), "hide", "x")


def test_a_sealed_order_is_read_within_its_seal(desk: Any) -> None:
    order: Plain = {"seal": "move 3", "seat": "red"}
    desk.game.meant = [{"move": 4}, "done"]
    assert readings(desk, order) == [
        ({"seal": {"move": 3}, "seat": "red"},),
        ({"seal": {"move": 4}, "seat": "red"}, {"seal": "done", "seat": "red"}),
    ]
    assert readings(desk, {"seal": "move 3"}) == [({"move": 4}, "done")] and desk.game.asked[2] == {"seal": "move 3"}


def test_verbs_of_a_secret_question_are_those_of_its_proposals(desk: Any) -> None:
    options: list[Plain] = [{"hide": 1}, "pass", {"hide": 2}, {"keep": 1}]
    desk.engine.request = Commit("red", "secret", "R", verbatim("hide?"), read, options=lambda: options)
    desk.due = Due("nowak", "seal", "red")
    assert readings(desk, "keep 2") == [({"keep": 2},)] and readings(desk, "hide 2") == [({"hide": 2},)]
    assert readings(desk, "pass 2") == [] and readings(desk, "p 2") == [], "a word has no verbs in it"


def test_an_unknown_word_is_told_as_the_game_tells_it(desk: Any) -> None:
    desk.game.meant = unreadable(verbatim("no such word"))
    with pytest.raises(Refused) as caught:
        readings(desk, "move 3")
    assert [str(problem.reason) for problem in caught.value.problems] == ["no such word"]


# -- which of them stands ---------------------------------------------------------------------------------------------


def refused(*verdicts: str) -> Refused:
    return Refused([Problem(v, verbatim(f"{v} {n}")) for n, v in enumerate(verdicts)])  # type: ignore[arg-type]


def tried(desk: Any, first: Refused, **outcomes: Refused) -> Any:
    """What is taken for `move 3`, or as what it is refused. `outcomes`: of the reading with the verb, of the game's."""
    added: list[Any] = []

    def add(orders: Sequence[Plain]) -> None:
        added.append(orders)
        name = "verb" if orders == ({"move": 3},) else "game"
        if name in outcomes:
            raise outcomes[name]

    desk.game.meant = [{"move": 4}]
    try:
        return typed.first_that_stands(add, desk, "nowak", "move 3", first), added
    except Refused as error:
        return error, added


def test_the_first_reading_that_stands_is_taken(desk: Any) -> None:
    verb, game = ({"move": 3},), ({"move": 4},)
    assert tried(desk, refused(ODD)) == (verb, [verb])
    assert tried(desk, refused(ODD), verb=refused(BAD)) == (game, [verb, game])


def test_where_none_stands_the_refusal_that_came_furthest_is_told(desk: Any) -> None:
    odd, bad, unread, legal = refused(ODD), refused(BAD), refused(ODD, ODD), refused(ODD, BAD)
    assert tried(desk, odd, verb=unread, game=legal)[0] is legal
    assert tried(desk, bad, verb=unread, game=unread)[0] is bad, "it was read, and is not allowed"
    assert tried(desk, odd, verb=legal, game=unread)[0] is legal
    assert tried(desk, bad, verb=legal, game=bad)[0] is bad
    assert tried(desk, odd, verb=unread, game=odd)[0] is odd
    again = refused(ODD)
    assert tried(desk, odd, verb=unread, game=again)[0] is again, "the last of those that say as much"


def test_an_unknown_word_is_told_unless_the_order_was_read(desk: Any) -> None:
    def never(orders: Sequence[Plain]) -> None:
        raise AssertionError(orders)

    desk.game.meant = unreadable(verbatim("no such word"))
    for first, words in ((refused(ODD), "no such word"), (refused(BAD), f"{BAD} 0")):
        with pytest.raises(Refused) as caught:
            typed.first_that_stands(never, desk, "nowak", "x", first)
        assert str(caught.value.problems[0].reason) == words
    desk.game.meant = ()
    with pytest.raises(Refused) as caught:
        typed.first_that_stands(never, desk, "nowak", "x", first)
    assert caught.value is first


def test_a_word_that_means_two_things_is_told_though_the_order_was_read(desk: Any) -> None:
    desk.game.meant = Rejected([Problem("means two things", verbatim("which of them?"))])
    with pytest.raises(Refused) as caught:
        typed.first_that_stands(lambda orders: None, desk, "nowak", {"move": "x"}, refused(BAD))
    assert str(caught.value.problems[0].reason) == "which of them?"


@pytest.mark.parametrize(("order", "meant"), [("yes", "yes"), ("3", 3), (True, True), ([1, 2], [1, 2])])
def test_an_answer_without_its_verb_is_taken_where_one_alone_is_asked(desk: Any, order: Plain, meant: Plain) -> None:
    desk.engine.request = Ask("red", "answer", "R", msg("now?"), read, ("answer",))
    added: list[Any] = []
    assert typed.first_that_stands(added.append, desk, "nowak", order, refused(ODD)) == ({"answer": meant},)
    assert added == [({"answer": meant},)]


def test_an_answer_without_its_verb_is_tried_last_and_told_as_the_order_was(desk: Any) -> None:
    first, tries = refused(ODD), list[Any]()
    ask = Ask("red", "answer", "R", msg("now?"), read, ("answer",))

    def never(orders: Sequence[Plain]) -> None:
        tries.append(orders)
        raise refused(BAD)

    def last(order: Plain) -> Any:
        tries.clear()
        with pytest.raises(Refused) as caught:
            typed.first_that_stands(never, desk, "nowak", order, first)
        return caught.value

    assert last("yes") is first and tries == [], "three verbs could be meant"
    desk.engine.request = ask
    assert last("yes") is first and tries == [({"answer": "yes"},)], "what the guess is refused for tells nobody anything"
    assert last({"yes": 1}) is first and tries == [], "a verb is there"
    desk.game.meant = ["no"]
    assert last("yes") is not first and tries == [("no",), ({"answer": "yes"},)]
    desk.engine.request = Commit("red", "secret", "R", verbatim("hide?"), read, options=lambda: [{"hide": 1}])
    desk.due, desk.game.meant = Due("nowak", "seal", "red"), ()
    assert last("yes") is first and tries == [], "a secret question has no verb"
    desk.engine.request, desk.due = ask, Due("yamada", "orders", "red")
    assert last("yes") is first and tries == [], "he is not asked"


def test_what_is_said_beforehand_may_be_said_now(desk: Any) -> None:
    def policy(wanted: Plain) -> Plain:
        if wanted == "cheapest":
            return {"hits": {"b1": 2}}
        if wanted == "never":
            return None
        raise illegal(verbatim("beforehand"), "R")

    def takes(orders: Sequence[Plain]) -> None:
        if any(order == "hits: cheapest" or order == {"hits": "cheapest"} for order in orders):
            raise refused(ODD)

    first = refused(ODD)
    desk.engine.request = Ask("red", "hits", "R", msg("who is hit?"), read, ("hits", "done"), policy=policy)
    for order in ({"hits": "cheapest"}, "hits: cheapest", "Hits cheapest"):
        assert typed.first_that_stands(takes, desk, "nowak", order, first) == ({"hits": {"b1": 2}},)
    desk.game.meant = Rejected([Problem("means two things", msg("which of them?"))])
    assert typed.first_that_stands(takes, desk, "nowak", {"hits": "cheapest"}, first) == ({"hits": {"b1": 2}},)
    desk.game.meant = ()
    for order in ({"hits": "never"}, {"hits": "dear"}, {"done": "cheapest"}, "cheapest", {"hits": "cheapest", "done": 1}):
        with pytest.raises(Refused) as caught:
            typed.first_that_stands(takes, desk, "nowak", order, first)
        assert caught.value is first


def test_a_question_that_nothing_is_said_about_beforehand_reads_no_body_as_an_order(desk: Any) -> None:
    desk.engine.request = Ask("red", "buy", "R", msg("buy?"), read, ("buy", "done"))
    with pytest.raises(Refused):
        typed.first_that_stands(list[Any]().append, desk, "nowak", {"buy": "done"}, refused(ODD))


def test_what_an_order_behind_a_refused_one_probably_says(desk: Any) -> None:
    def guess(order: Plain) -> tuple[Plain, ...]:
        return typed.best_guess(desk, "nowak", order)

    desk.game.meant = [{"move": 4}, "done"]
    assert guess("move 3") == ("move 3",), "it stands as it is"
    assert guess("odd") == ({"move": 4}, "done") and desk.game.asked[2] == "odd"
    assert guess("bad") == ("bad",)
    desk.game.meant = ()
    assert guess("odd") == ("odd",)
    desk.game.meant = unreadable(verbatim("no such word"))
    assert guess("odd") == ("odd",)
    desk.game.meant = [{"move": 4}]
    desk.due = Due("yamada", "orders", "red")
    assert guess("odd") == ("odd",)


# -- entries ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "entry"),
    [
        ("done", "- done"),
        ({"move": "3 infantry from a to b"}, "- move: 3 infantry from a to b"),
        ({"move": {"units": ["a", "b"], "to": {"x": 1}}}, "- move:\n    units: [a, b]\n    to: {x: 1}"),
        ("yes", '- "yes"'),
        ("no: 3", '- "no: 3"'),
        (3, "- 3"),
        ({}, "- {}"),
        ({"a": "1", "b": 2}, '- a: "1"\n  b: 2'),
        (["a", "1"], '- [a, "1"]'),
    ],
)
def test_an_order_as_an_entry_reads_back_as_the_same(order: Plain, entry: str) -> None:
    assert read_entry(entry_of(order)) == order
    assert entry_of(order).startswith("- ") and "\t" not in entry_of(order)
    assert read_entry(entry) == order


def test_a_plain_order_is_written_as_a_player_would() -> None:
    assert entry_of("done") == "- done" and entry_of({"move": "3 infantry from a to b"}) == "- move: 3 infantry from a to b"
    assert entry_of({"a": {"b": "1"}, "c": ["2"]}).startswith("- a:")
    assert all(line.startswith("  ") for line in entry_of({"a": {"b": "1"}, "c": ["2"]}).split("\n")[1:])
    assert entry_of(["a", "1"]) == '- [a, "1"]'


def test_an_entry_that_says_nothing_is_none_and_one_that_is_no_yaml_is_refused() -> None:
    assert read_entry("[]") is None and read_entry("-") is None and read_entry("- a") == "a"
    with pytest.raises(ProtocolError):
        read_entry("- {a")
