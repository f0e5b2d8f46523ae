"""An order file on its way, on a tiny game: what it says is what would be sent, its notes too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence, Kind
from pbem.kernel.engine import Option
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Commit, Flow, Roll
from pbem.kernel.forms import VERB, Chosen, Partial, Pick, Step
from pbem.kernel.orders import Problem, unreadable
from pbem.kernel.wording import english, msg, verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import desk as desk_module
from pbem.runtime.desk import Desk
from pbem.runtime.living import Living
from pbem.runtime.sheet import LeftOut, Sheet, Trouble
from pbem.runtime.taking import Refused
from tests.runtime.one_segment import OneSegment
from tests.runtime.test_living import ask, people
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import SkirmishState
from tests.toygame.test_dues import reading


def desk_of(text: str, person: Person | None = None) -> Desk:
    person = person or people()[0]
    return Desk(person.table, person.secrets(), person.fetch, lambda *_: b"\7" * 32, text)


def test_the_file_has_the_note_that_the_text_has_now() -> None:
    desk = desk_of("orders:\n- buy: 1\nnote: first\n")
    assert desk.compose().document["note"] == ["first"] == [*desk.draft.note]
    for note in ("second", "third"):
        desk.edit(f"orders:\n- buy: 1\n- buy: 2\n- end\nnote: {note}\n")
        document = desk.compose().document
        assert document["note"] == [note] and document["orders"] == [{"buy": 1}, {"buy": 2}], "without what is refused"
    desk.say("note", "fourth")
    assert desk.compose().document["note"] == ["fourth"]


# -- a game of rounds -----------------------------------------------------------------------------------------------------

SHOP: list[Plain] = [{"buy": 1}, {"buy": 2}, "done"]


def buying(question: Ask) -> Any:
    """Words that it does not know cannot be read; a number that is too great is not allowed."""

    def read(order: Plain) -> Plain:
        if isinstance(order, str) and order != "done":
            raise unreadable(verbatim(f"{order!r} is no purchase"))
        return question.read(order)

    return replace(question, read=read)


def shop(g: SkirmishState, number: int = 1) -> Flow[None]:
    """[E1] Two purchases, or fewer with `done`: then it ends by itself, and the next one begins."""
    for _ in range(2):
        if (yield buying(ask(f"shop {number}", "buy", "done", series=True, options=lambda: SHOP))) == "done":
            break
        g.at += 1
    emit(g, Scheduled((("shop", (number + 1,)) if number < 2 else ("hide", ()),), "E1"))


def hide(g: SkirmishState) -> Flow[None]:
    """[E2] A hidden number, questions that defaults answer, and dice."""
    g.garrison = yield Commit("red", "garrison", "E hide", "hide men", reading(0, 1, 2), options=lambda: [0, 1, 2])
    for kind, verb in (("bomb", "bomb"), ("dig", "dig"), ("bomb again", "bomb")):
        form = Bare if kind == "dig" else None
        g.played.append(str((yield ask(kind, verb, default=verb, options=lambda verb=verb: [verb, {verb: 1}], form=form))))
    (g.day,) = yield Roll("luck", 1, 6, "E luck", "blue")
    while True:
        yield ask("rest", "rest")


class Bare:
    """A form that has picks only: its question's verb is offered in its place."""

    def step(self, partial: Partial) -> Step:
        return Step(orders=({"dig": 1},)) if partial.chosen else Step((Pick("number", "1", verbatim("one")),))

    def partial(self, order: Plain) -> Partial:
        return Partial("", (Chosen("number", "1"),))

    def line(self, order: Plain) -> Plain:
        return order


class Rounds(OneSegment):
    name, title = "rounds", "Rounds"
    options: Sequence[Option] = ()
    segments = {"shop": shop, "hide": hide}

    def typed(self, state: SkirmishState, ask: Ask | Commit, order: Plain) -> Sequence[Plain]:
        """`twice` is two purchases, `half` is one and one too many; `what` is a word that nobody knows."""
        if order == "what":
            raise unreadable(verbatim("what is what?"))
        return {"twice": [{"buy": 1}, {"buy": 2}], "half": [{"buy": 1}, {"buy": 9}], "end it": ["done"]}.get(str(order), [])


def rounds() -> Person:
    person = Person("nowak", ["red"])
    found_game(Rounds(), [person, Person("yamada", ["blue"])], {})
    return person


def at_rounds(*entries: str, head: str = "orders:\n", tail: str = "") -> Desk:
    """A desk whose text has these entries."""
    return desk_of((head + "".join(f"  - {entry}\n" for entry in entries) if entries else head) + tail, rounds())


ONE, TWO = "buy: 1", "buy: 2"
ALL = (ONE, ONE, "done", "done", "2")  # up to the dice: `done` of the first shop is left out


def agrees(desk: Desk) -> bool:
    """The table is the one to which the file leads."""
    composed = desk.compose()
    return composed.table.engine.state_hash() == desk.table.engine.state_hash() and composed.table.due == desk.table.due


def kind(desk: Desk) -> str:
    asked = desk.sheet.asked
    return asked.kind if asked is not None else ""


def shown(desk: Desk) -> tuple[Sheet, str]:
    """The sheet, the question by its kind: after each replay it is another one."""
    return replace(desk.sheet, asked=None), kind(desk)


# -- what stands ----------------------------------------------------------------------------------------------------------


def test_an_empty_desk_asks_what_the_table_asks() -> None:
    person = rounds()
    desk = desk_of("", person)
    assert shown(desk) == (Sheet("", (), (), None, (), None, ()), "shop 1")
    assert desk.draft.orders == [] and desk.wanted.orders == [] and desk.placed() == [] and desk.reworded() == []
    assert [p.value for p in desk.step(Partial()).picks if p.slot == VERB] == ["buy", "done"]
    assert desk.step(Partial("buy", (Chosen("word", "1"),))).orders in (({"buy": 1},), ())
    assert desk.table.engine.state_hash() == person.table.engine.state_hash() and desk.sealed == {} and agrees(desk)
    assert desk.put([{"buy": 1}]).text == "orders:\n  - buy: 1\n" and desk.undo().orders == ()


def test_each_order_stands_at_its_line_up_to_the_first_trouble() -> None:
    desk = at_rounds(ONE, TWO, "buy: 9", "done", head="# mine\norders:\n", tail="note: hello\n")
    assert desk.sheet.orders == ({"buy": 1}, {"buy": 2}) and desk.sheet.lines == (3, 4)
    trouble = desk.sheet.trouble
    assert trouble is not None and (trouble.line, trouble.unread) == (5, Trouble(5).unread)
    assert [(p.order, p.verdict, p.rule) for p in trouble.problems] == [(2, "not allowed", "E shop 2")]
    assert kind(desk) == "shop 2" and desk.table.engine.state.at == 2
    assert desk.draft.orders == [{"buy": 1}, {"buy": 2}] and desk.draft.note == ["hello"] == desk.wanted.note
    assert desk.wanted.orders == [{"buy": 1}, {"buy": 2}, {"buy": 9}, "done"]
    assert desk.placed() == [(0, {"buy": 1}), (1, {"buy": 2}), (2, {"buy": 9}), (3, "done")]
    assert desk.compose().document["orders"] == [{"buy": 1}, {"buy": 2}]


def test_what_the_protocol_refuses_stands_at_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Living.add

    def add(living: Living, order: Plain) -> None:
        if order == {"buy": 3}:
            raise ProtocolError(Outcome.DIVERGED, msg("programs differ"), 7, 8)
        real(living, order)

    monkeypatch.setattr(Living, "add", add)
    desk = at_rounds(ONE, "buy: 3", "done")
    assert desk.sheet.trouble is not None and (desk.sheet.trouble.line, desk.sheet.trouble.problems) == (3, ())
    assert english(desk.sheet.trouble.unread) == "line 7, column 8: programs differ"
    assert desk.sheet.orders == ({"buy": 1},) and desk.table.engine.state.at == 1 and agrees(desk)


def test_of_a_done_that_was_forgotten_a_word_is_said() -> None:
    desk = at_rounds(ONE, ONE, ONE, "2")
    before = shown(desk)
    assert (desk.sheet.orders, kind(desk)) == (({"buy": 1},) * 3, "shop 2") and desk.sheet.trouble is not None
    assert english(desk.done_forgotten()) == "write `done` before it if this is over: then comes hide men, where it stands"
    assert shown(desk) == before and agrees(desk), "the desk is as it was"
    for others in ((ONE, "2"), (ONE, ONE, ONE, "buy: 9"), (ONE, ONE, ONE, "what"), (ONE, ONE, ONE, "3"), (*ALL, "1"), (ONE,)):
        assert not at_rounds(*others).done_forgotten(), others
    assert not at_rounds(ONE, "done: shop 2").done_forgotten(), "one that names its phase was not forgotten"
    assert at_rounds(ONE, ONE, ONE, "done", "2").sheet.trouble is None


def test_what_stands_behind_a_refused_order_is_read_as_it_is_probably_meant() -> None:
    desk = at_rounds("twice", "buy: 9", "twice", "done", "nonsense")
    assert desk.wanted.orders == [{"buy": 1}, {"buy": 2}, {"buy": 9}, {"buy": 1}, {"buy": 2}, "done", "nonsense"]
    assert [at for at, _ in desk.placed()] == [0, 0, 1, 2, 2, 3, 4]
    assert desk.draft.orders == [{"buy": 1}, {"buy": 2}]


def test_the_file_is_composed_with_all_that_its_owner_has(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    real = desk_module.compose

    def compose(*of: Any) -> Any:
        given.append(of)
        return real(*of)

    person = rounds()
    secrets, salt = person.secrets(), lambda *_: b"\7" * 32
    desk = Desk(person.table, secrets, person.fetch, salt, "orders: [{buy: 1}]\n")
    monkeypatch.setattr(desk_module, "compose", compose)
    desk.compose()
    assert given == [(person.table, secrets, desk.draft, person.fetch, salt)]


def test_an_order_behind_the_dice_is_trouble() -> None:
    desk = at_rounds(*ALL, "rest")
    trouble = desk.sheet.trouble
    assert trouble is not None and (trouble.line, trouble.unread) == (7, Trouble(7).unread)
    assert [(p.order, p.rule) for p in trouble.problems] == [(5, "protocol")]
    assert kind(desk) == "" and len(desk.sheet.orders) == 4 and agrees(desk)


def test_a_text_that_cannot_be_read_leaves_the_orders_as_they_stood() -> None:
    desk = at_rounds(ONE)
    before = desk.sheet
    sheet = desk.edit("orders:\n  - {buy: 1\n")
    assert (sheet.text, sheet.orders, sheet.lines) == ("orders:\n  - {buy: 1\n", before.orders, before.lines)
    assert sheet is desk.sheet and sheet.asked is before.asked
    assert sheet.trouble is not None and (sheet.trouble.line > 0, sheet.trouble.problems) == (True, ())
    with pytest.raises(ProtocolError) as wrong:
        desk_module.read_paper(sheet.text)
    assert (sheet.trouble.line, sheet.trouble.unread) == (wrong.value.line, wrong.value.message)
    assert desk.edit("orders: 3\n").trouble == Trouble(0, unread=desk.sheet.trouble.unread)  # type: ignore[union-attr]
    for deed in (lambda: desk.put(["done"]), lambda: desk.say("note", "x"), desk.undo, desk.finish):
        with pytest.raises(ProtocolError, match="orders is a list"):
            deed()
    assert desk.sheet.text == "orders: 3\n" and desk.table.engine.state.at == 1
    assert desk.edit("orders:\n  - buy: 2\n").orders == ({"buy": 2},)


def test_a_text_that_is_refused_from_outside_is_kept_and_the_orders_stay() -> None:
    desk = at_rounds(ONE)
    before = desk.sheet
    wrong = [Problem("not allowed", verbatim("no such plan"), "P")]
    desk.refuse("orders:\n  - buy: 2\n", wrong)
    assert desk.sheet == replace(before, text="orders:\n  - buy: 2\n", trouble=Trouble(0, tuple(wrong)))
    with pytest.raises(Refused) as refused:
        desk.put(["done"])
    assert refused.value.problems == wrong and desk.sheet.orders == ({"buy": 1},) and agrees(desk)


# -- what is typed --------------------------------------------------------------------------------------------------------


def test_one_entry_may_be_several_orders() -> None:
    desk = at_rounds("twice", "buy 1", "what")
    assert desk.sheet.orders == ({"buy": 1}, {"buy": 2}, {"buy": 1}) and desk.sheet.lines == (2, 2, 3)
    assert desk.placed() == [(0, {"buy": 1}), (0, {"buy": 2}), (1, {"buy": 1}), (2, "what")]
    assert desk.reworded() == [(0, [{"buy": 1}, {"buy": 2}]), (1, [{"buy": 1}])]
    trouble = desk.sheet.trouble
    assert trouble is not None and [(p.order, english(p.reason)) for p in trouble.problems] == [(2, "what is what?")]
    assert desk.edit(desk.sheet.text.replace("- what", "- buy: 2")).trouble is None
    assert desk.sheet.lines == (2, 2, 3, 4) and desk.table.engine.state.at == 4 and agrees(desk)
    assert desk.reworded() == [(0, [{"buy": 1}, {"buy": 2}]), (1, [{"buy": 1}])]
    assert desk.edit(desk.sheet.text.replace("- twice", "- buy 2")).orders == ({"buy": 2}, {"buy": 1}, {"buy": 2})
    assert desk.sheet.lines == (2, 3, 4) and agrees(desk)


def test_a_reading_that_does_not_stand_to_its_end_leaves_nothing() -> None:
    desk = at_rounds("half", "done")
    assert (desk.sheet.orders, desk.sheet.lines, desk.table.engine.state.at) == ((), (), 0) and agrees(desk)
    trouble = desk.sheet.trouble
    assert trouble is not None and (trouble.line, [p.order for p in trouble.problems]) == (2, [0])
    assert desk.wanted.orders == [{"buy": 1}, {"buy": 9}, "done"] and desk.draft.orders == []
    desk = at_rounds(ONE, "half")
    assert (desk.sheet.orders, desk.table.engine.state.at) == (({"buy": 1},), 1) and agrees(desk)


def test_an_entry_that_is_changed_is_read_anew_and_what_follows_it_too() -> None:
    desk = at_rounds(ONE, ONE, TWO)
    for text, orders in (
        ("twice\n  - buy: 1", ({"buy": 1}, {"buy": 2}, {"buy": 1})),
        ("buy: 1\n  - twice", ({"buy": 1}, {"buy": 1}, {"buy": 2})),
        ("buy: 1\n  - end it\n  - twice", ({"buy": 1}, "done", {"buy": 1}, {"buy": 2})),
        ("buy: 1\n  - end it\n  - buy: 2", ({"buy": 1}, "done", {"buy": 2})),
        ("done", ("done",)),
        ("buy: 2", ({"buy": 2},)),
    ):
        sheet = desk.edit(f"orders:\n  - {text}\n")
        assert (sheet.orders, sheet.trouble) == (orders, None) and agrees(desk), text
        assert desk.table.engine.state.at == sum(isinstance(order, dict) for order in orders)


# -- a `done` that ends nothing -------------------------------------------------------------------------------------------

TOLD = "`done` is left out: what was asked before had ended by itself (shop 1?). To end this too, write it twice: shop 2?"


def test_a_done_behind_what_had_ended_by_itself_is_left_out_with_a_word() -> None:
    desk = at_rounds(ONE, ONE, "done", TWO)
    assert desk.sheet.orders == ({"buy": 1}, {"buy": 1}, {"buy": 2}) and desk.sheet.lines == (2, 3, 5)
    [left] = desk.sheet.left_out
    assert isinstance(left, LeftOut) and (left.at, left.line, english(left.message)) == (2, 4, TOLD)
    assert desk.placed() == [(0, {"buy": 1}), (1, {"buy": 1}), (3, {"buy": 2})] and desk.reworded() == []
    assert kind(desk) == "shop 2" and desk.table.engine.state.at == 3 and agrees(desk)


def test_a_done_that_had_ended_something_is_left_out_when_that_has_ended_by_itself() -> None:
    desk = at_rounds(ONE, ONE, "done", "done")
    assert (desk.sheet.orders, kind(desk)) == (({"buy": 1}, {"buy": 1}, "done"), "garrison")
    sheet = desk.edit("orders:\n  - buy: 1\n  - buy: 1\n  - done\n")
    assert (sheet.orders, kind(desk), len(sheet.left_out)) == (({"buy": 1}, {"buy": 1}), "shop 2", 1) and agrees(desk)
    assert english(sheet.left_out[0].message) == TOLD


def test_a_done_that_is_picked_ends_the_question_in_sight() -> None:
    desk = at_rounds(ONE, ONE)
    assert desk.put(["done"]).text.endswith("  - buy: 1\n  - done: shop 2\n"), "the text names what it ends"
    assert kind(desk) == "garrison" and len(desk.sheet.orders) == 3 and agrees(desk)
    assert desk.undo().text == "orders:\n  - buy: 1\n  - buy: 1\n" and kind(desk) == "shop 2"
    desk = at_rounds(ONE, ONE, "done")
    assert desk.put(["done"]).text.count("- done") == 2 and kind(desk) == "garrison"
    desk = at_rounds(ONE, ONE, "done", ONE)
    assert desk.put(["done"]).text.count("- done") == 2, "behind a purchase it ends the second shop"
    assert kind(desk) == "garrison" and agrees(desk)
    desk = at_rounds()
    assert desk.put(["done"]).text.count("- done") == 1 and kind(desk) == "shop 2"
    desk = at_rounds(ONE, ONE)
    assert desk.put([{"buy": 2}]).text.count("- done") == 0 and kind(desk) == "shop 2"
    assert desk.put([]).text == desk.sheet.text and len(desk.sheet.orders) == 3


def test_of_orders_that_are_picked_the_first_alone_is_named() -> None:
    desk = at_rounds(ONE, ONE)
    assert desk.put(["done", 2]).text.endswith("  - done: shop 2\n  - 2\n") and len(desk.sheet.orders) == 4
    desk = at_rounds(ONE, ONE, "done")
    assert desk.put(["done"]).text.endswith("  - done\n  - done\n"), "a bare one behind the one that is left out"
    assert at_rounds("done").put(["done"]).text == "orders:\n  - done\n  - done\n", "behind a `done` none is left out"


# -- a `done` behind the last that is asked -------------------------------------------------------------------------------


def market(g: SkirmishState, number: int = 1) -> Flow[None]:
    """[E3] Two purchases, then two stalls of one name, and nothing more is asked of red."""
    if number == 1:
        for _ in range(2):
            if (yield buying(ask("market", "buy", "done", series=True, options=lambda: SHOP))) == "done":
                break
    else:
        yield buying(ask("stall", "buy", "done", series=True, options=lambda: SHOP))
    emit(g, Scheduled((("market", (number + 1,)) if number < 3 else ("rest", ()),), "E3"))


def rest(g: SkirmishState) -> Flow[None]:
    """[E4] The other side is asked."""
    while True:
        yield replace(ask("rest", "rest"), seat="blue")


class Market(Rounds):
    name, title = "market", "Market"
    segments = {"market": market, "rest": rest}


def at_market(*entries: str) -> Desk:
    person = Person("nowak", ["red"])
    found_game(Market(), [person, Person("yamada", ["blue"])], {})
    return desk_of("orders:\n" + "".join(f"  - {entry}\n" for entry in entries), person)


def test_a_done_behind_the_last_that_is_asked_is_left_out() -> None:
    desk = at_market(ONE, ONE, ONE, ONE, "done")
    assert (len(desk.sheet.orders), desk.sheet.asked, desk.sheet.trouble) == (4, None, None) and agrees(desk)
    [left] = desk.sheet.left_out
    told = "`done` is left out: what was asked before had ended by itself (stall?)"
    assert (left.at, left.line, english(left.message)) == (4, 6, told)
    assert desk.edit(desk.sheet.text).left_out == desk.sheet.left_out and desk.draft.orders == [{"buy": 1}] * 4
    desk = at_market(ONE, ONE, ONE, ONE, "done", "done")
    assert desk.sheet.trouble is not None and desk.sheet.trouble.line == 7, "one alone"
    desk = at_market("done", "done", "done", "done")
    assert desk.sheet.trouble is not None and desk.sheet.left_out == (), "none where the last has ended by a `done`"


def test_a_done_that_is_picked_stands_twice_where_both_have_one_name() -> None:
    desk = at_market(ONE, ONE, ONE)
    assert desk.put(["done"]).text.endswith("  - buy: 1\n  - done\n  - done\n") and desk.sheet.asked is None and agrees(desk)
    desk = at_market(ONE, ONE)
    assert desk.put(["done"]).text.endswith("  - buy: 1\n  - done: stall\n") and kind(desk) == "stall" and agrees(desk)


def test_nothing_is_said_of_a_forgotten_done_where_nothing_comes_behind_it() -> None:
    desk = at_market(ONE, ONE, ONE, "buy: 9")
    assert desk.sheet.trouble is not None and not desk.done_forgotten() and agrees(desk)


# -- a `done` that names its phase ----------------------------------------------------------------------------------------


def test_a_done_may_name_the_question_that_it_ends() -> None:
    for written in ("done: shop 1", "done shop 1", '"done: shop-1"', "Done:  SHOP_1"):
        desk = at_rounds(ONE, written, TWO, "done: shop 2")
        assert desk.sheet.orders == ({"buy": 1}, "done", {"buy": 2}, "done") and desk.sheet.trouble is None, written
        assert desk.compose().document["orders"] == [{"buy": 1}, "done", {"buy": 2}, "done"], "what is signed"
        assert kind(desk) == "garrison" and agrees(desk) and (1, ["done"]) in desk.reworded()


def test_a_done_that_names_another_question_is_refused_with_both_names() -> None:
    desk = at_rounds(ONE, "done: shop 2", TWO)
    assert desk.sheet.orders == ({"buy": 1},) and kind(desk) == "shop 1" and agrees(desk)
    assert desk.sheet.trouble is not None and desk.sheet.trouble.line == 3
    assert [str(p) for p in desk.sheet.trouble.problems] == [
        "cannot be read: no phase is called 'shop 2'; this is shop 1; done: shop 1"
    ], "a game without words knows the phase that is asked"
    with pytest.raises(Refused):
        desk.put(["done: shop 2"])
    desk.put([{"done": "shop 1"}])
    assert kind(desk) == "garrison" and len(desk.sheet.orders) == 3, "what was written too early stands now"


def test_a_named_done_behind_what_had_ended_by_itself_ends_no_other() -> None:
    desk = at_rounds(ONE, ONE, "done: shop 1", TWO)
    assert desk.sheet.orders == ({"buy": 1}, {"buy": 1}, {"buy": 2}) and kind(desk) == "shop 2" and agrees(desk)
    [left] = desk.sheet.left_out
    assert (left.at, left.line, english(left.message)) == (2, 4, "`done: shop 1` is left out: that phase had ended by itself")
    desk.edit(desk.sheet.text + "  - done: shop 2\n")
    assert desk.sheet.orders == ({"buy": 1}, {"buy": 1}, {"buy": 2}, "done") and kind(desk) == "garrison" and agrees(desk)


def test_a_named_done_ends_the_question_in_sight_where_a_bare_one_is_left_out() -> None:
    desk = at_rounds(ONE, ONE, "done: shop 2")
    assert desk.sheet.orders == ({"buy": 1}, {"buy": 1}, "done") and kind(desk) == "garrison" and desk.sheet.left_out == ()
    desk = at_rounds(ONE, "done: shop 1", "done")
    assert desk.sheet.orders == ({"buy": 1}, "done", "done") and kind(desk) == "garrison", "no surplus behind a done"
    assert desk.edit(desk.sheet.text + "  - 2\n").orders == ({"buy": 1}, "done", "done", 2) and agrees(desk)
    desk = at_rounds(ONE, "done", "done: shop 1")
    assert desk.sheet.trouble is not None and desk.sheet.left_out == (), "one that has been ended is not ended again"


def test_where_no_done_is_asked_the_rules_say_what_is() -> None:
    desk = at_rounds("done", "done", "0", "done: garrison")
    assert desk.sheet.trouble is not None and len(desk.sheet.orders) == 3


# -- picking --------------------------------------------------------------------------------------------------------------


def test_orders_are_put_behind_those_that_stand_and_before_those_that_do_not() -> None:
    desk = at_rounds(ONE, "buy: 9")
    sheet = desk.put([{"buy": 2}, "done", "done"])
    assert sheet.orders == ({"buy": 1}, {"buy": 2}, "done") and [left.at for left in sheet.left_out] == [2]
    assert sheet.text == "orders:\n  - buy: 1\n  - buy: 2\n  - done\n  - done\n  - buy: 9\n" and sheet is desk.sheet
    assert sheet.trouble is not None and sheet.trouble.line == 6
    assert desk.undo().text == "orders:\n  - buy: 1\n  - buy: 9\n", "one gesture"
    assert desk.remarked(desk.sheet.text, ["# here"]) == "orders:\n  - buy: 1\n# here\n  - buy: 9\n"
    written = "orders:\n  - b: 1\n  - b: 9\n"
    assert desk.remarked(written, ["# here"]) == "orders:\n  - b: 1\n# here\n  - b: 9\n", "in the text as somebody wrote it"


def test_what_is_refused_changes_nothing_and_says_why() -> None:
    desk = at_rounds(ONE)
    desk.put([{"buy": 2}])
    before = shown(desk)
    for orders, at in (([{"buy": 9}], 2), ([{"buy": 1}, {"buy": 9}], 3)):
        with pytest.raises(Refused) as refused:
            desk.put(orders)
        assert [(p.order, p.verdict) for p in refused.value.problems] == [(at, "not allowed")]
        assert (shown(desk), desk.table.engine.state.at) == (before, 2) and agrees(desk)
    assert desk.undo().text == "orders:\n  - buy: 1\n", "what was refused is no gesture"


def test_where_nothing_is_asked_nothing_is_taken() -> None:
    desk = desk_of("", people()[1])
    assert desk.form() is None and desk.step(Partial()) == desk_module.OVER and desk.sheet.asked is None
    assert english(desk_module.OVER.note) == "nothing more is asked"
    for deed in (desk.put, desk.take):
        with pytest.raises(Refused) as refused:
            deed(["done"])
        [problem] = refused.value.problems
        assert (problem.verdict, english(problem.reason), problem.rule) == ("not allowed", "nothing more is asked", "protocol")


def test_finished_orders_of_a_form_are_written_as_players_write() -> None:
    desk = at_rounds(ONE)

    class Form:
        def line(self, order: Plain) -> Plain:
            return {"buy": order}

    desk._form = (desk.sheet, Form())  # type: ignore[assignment]
    assert desk.take([2]).orders == ({"buy": 1}, {"buy": 2}) and "buy: 2" in desk.sheet.text


def test_a_form_is_made_once_for_each_question() -> None:
    desk = at_rounds()
    first = desk.form()
    assert first is not None and first is desk.form()
    desk.put([{"buy": 1}])
    second = desk.form()
    assert second is not first and second is desk.form()
    desk.put([{"buy": 1}])
    assert desk.form() is not second and kind(desk) == "shop 2"


def test_what_defaults_have_answered_is_offered_too() -> None:
    desk = at_rounds(*ALL)
    assert desk.sheet.trouble is None and desk.sheet.asked is None
    assert [one.kind for one in desk.sheet.passed] == ["bomb", "dig"]
    form = desk.form()
    assert form is not None and form is desk.form()
    assert [p.value for p in form.step(Partial()).picks if p.slot == VERB] == ["bomb", "dig"]
    sheet = desk.take([{"dig": 1}])
    assert sheet.orders[-1] == {"dig": 1} and [one.kind for one in sheet.passed] == ["bomb again"] and agrees(desk)
    assert desk.form() is not form and desk.table.engine.state.played == ["bomb", "{'dig': 1}", "bomb"]
    assert [p.value for p in desk.step(Partial()).picks if p.slot == VERB] == ["bomb"]


def test_done_is_said_to_all_that_takes_it_as_one_gesture(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = at_rounds()
    desk.put([{"buy": 1}])
    sheet = desk.finish()
    assert sheet is desk.sheet and sheet.orders == ({"buy": 1}, "done", "done") and kind(desk) == "garrison"
    assert desk.undo().orders == ({"buy": 1},) and desk.undo().orders == () and desk.undo().orders == ()
    desk = at_rounds(*ALL[:-1])
    with pytest.raises(Refused):
        desk.finish()
    assert desk_module.MOST_DONE == 50
    for most, kind_now in ((1, "shop 2"), (2, "garrison")):
        monkeypatch.setattr(desk_module, "MOST_DONE", most)
        desk = at_rounds()
        desk.finish()
        assert kind(desk) == kind_now
        assert desk.undo().orders == ()


@pytest.mark.parametrize(
    ("lost", "at", "behind"),
    [
        ("unspent", "shop 2", 1),
        ("lost", "shop 2", 1),
        ("idle", "shop 2", 2),
        ("exposed", "shop 2", 2),
        ("unspent", "shop 1", 2),
    ],
)
def test_done_to_all_stops_where_more_would_be_lost_than_an_order(
    monkeypatch: pytest.MonkeyPatch, lost: Kind, at: str, behind: int
) -> None:
    """What the first `done` gives up is meant: it was pressed there."""

    def consequences(self: Rounds, before: Any, after: Any, ask: Ask) -> list[Consequence]:
        return [Consequence(lost, verbatim("money"), final=lost == "lost")] if ask.kind == at else []

    monkeypatch.setattr(Rounds, "consequences", consequences)
    desk = at_rounds()
    assert desk.finish().orders == ("done",) * behind
    if behind == 1:
        assert desk.finish().orders == ("done", "done") and kind(desk) == "garrison" and desk.undo().orders == ("done",)
    assert desk.undo().orders == ()


def test_what_would_be_refused_is_told_and_nothing_changes() -> None:
    desk = at_rounds()
    desk.put([{"buy": 1}, {"buy": 2}])
    before = desk.sheet.text, desk.sheet.orders, desk.table.engine.state_hash()
    [problem] = desk.wrong_with([{"buy": 9}])
    assert (problem.verdict, problem.rule) == ("not allowed", "E shop 2")
    assert (desk.sheet.text, desk.sheet.orders, desk.table.engine.state_hash()) == before
    assert desk.wrong_with([{"buy": 1}, "done"]) == ()
    assert (desk.sheet.text, desk.sheet.orders, desk.table.engine.state_hash()) == before and agrees(desk)
    assert desk.undo().orders == ()
    assert desk.undo().orders == ()


def test_an_edit_is_the_end_of_all_gestures() -> None:
    desk = at_rounds()
    desk.put([{"buy": 1}, {"buy": 2}])
    desk.edit("orders:\n  - buy: 1\n  - buy: 2\n  - buy: 1\n")
    assert desk.undo().orders == ({"buy": 1}, {"buy": 2})
    desk.put([{"buy": 2}])
    assert desk.undo().orders == ({"buy": 1}, {"buy": 2}) and desk.undo().orders == ({"buy": 1},)
    assert desk.undo().orders == () and desk.undo().orders == ()


def test_what_is_refused_is_undone_as_the_last_of_the_text() -> None:
    desk = at_rounds(ONE, "buy: 9", "nonsense")
    assert desk.undo().text == "orders:\n  - buy: 1\n  - buy: 9\n"
    assert desk.undo().text == "orders:\n  - buy: 1\n" and desk.sheet.trouble is None


# -- what is said beside the orders -----------------------------------------------------------------------------------------


def test_standing_orders_are_said_in_their_place_and_count_at_once() -> None:
    desk = at_rounds(*ALL)
    assert desk.table.engine.state.played == ["bomb", "dig", "bomb"]
    sheet = desk.say("standing", {"dig": {"dig": 2}})
    assert sheet is desk.sheet and "standing:\n" in sheet.text and desk.draft.standing == {"dig": {"dig": 2}}
    assert desk.table.engine.state.played == ["bomb", "{'dig': 2}", "bomb"] and agrees(desk)
    text = sheet.text
    assert desk.edit(text.replace("dig: 2", "dig: 3")).trouble is None
    assert desk.table.engine.state.played == ["bomb", "{'dig': 3}", "bomb"] and agrees(desk)
    desk.say("sealed_standing", {"dig": [{"do": {"dig": 1}}]})
    assert desk.draft.sealed_standing == {"dig": [{"do": {"dig": 1}}]} and agrees(desk)
    assert len(desk.sealed) > 1


def test_what_is_said_is_taken_back_where_orders_do_not_stand_with_it() -> None:
    desk = at_rounds(ONE)
    before = shown(desk)
    with pytest.raises(Refused) as refused:
        desk.say("orders", ["done", {"buy": 9}])
    assert [(p.order, p.verdict) for p in refused.value.problems] == [(1, "not allowed")]
    assert shown(desk) == before and agrees(desk)
    desk = at_rounds(ONE, "buy: 9")
    assert desk.say("note", ["hello"]).trouble is not None and desk.draft.note == ["hello"]


# -- what only the owner knows ------------------------------------------------------------------------------------------


def test_the_owner_knows_what_he_has_sealed_in_this_file_and_before() -> None:
    person = rounds()
    person.sealed["old"] = {"order": "older", "salt": ""}
    text = "orders:\n" + "".join(f"- {entry}\n" for entry in ALL)
    desk = desk_of(text, person)
    [(handle, content)] = desk.sealed.items()
    assert content["order"] == 2
    known = desk.knowledge()
    assert (known.player, known.ledger, known.game_id) == ("nowak", desk.table.ledger, person.table.charter.game_id)
    assert known.reveal(handle) == 2 and known.reveal("old") == "older" and known.secrets is desk._secrets.draw_secrets


def test_forms_are_those_of_the_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = at_rounds(*ALL)
    asked: list[Any] = []
    real = desk_module.form_at

    def form_at(table: Any, question: Any, knowledge: Any) -> Any:
        asked.append((table.engine.request, question, knowledge.player, knowledge.ledger is table.ledger, {*knowledge.sealed}))
        return real(table, question, knowledge)

    monkeypatch.setattr(desk_module, "form_at", form_at)
    desk.form()
    assert [(question.kind, who, own) for _, question, who, own, _ in asked] == [
        ("bomb", "nowak", True),
        ("dig", "nowak", True),
    ]
    assert all(request is question and sealed == {*desk.sealed} for request, question, _, _, sealed in asked)
    asked.clear()
    desk.edit("orders: []\n")
    desk.form()
    assert [(question.kind, own) for _, question, _, own, _ in asked] == [("shop 1", True)]


def test_what_a_file_gives_up_is_told_of_its_orders() -> None:
    desk = at_rounds("done", ONE)
    found = [(c.kind, english(c.message)) for c in desk.consequences()]
    assert ("skipped", "ended with no order in it: shop 1?") in found
    assert ("unfinished", "still asked, so that another file of yours is needed: shop 2?") in found
    assert desk.sheet.orders == ("done", {"buy": 1}) and agrees(desk), "the desk goes on as it was"


# -- how often the file is played -----------------------------------------------------------------------------------------


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Each time that the file is played from the beginning, what it was composed with."""
    counted: list[Any] = []

    class Counted(Living):
        def __init__(self, *of: Any) -> None:
            counted.append(of)
            super().__init__(*of)

    monkeypatch.setattr(desk_module, "Living", Counted)
    return counted


def test_a_text_that_grows_goes_on_and_one_that_changes_begins_anew(begun: list[Any]) -> None:
    person = rounds()
    secrets, salt = person.secrets(), lambda *_: b"\7" * 32
    desk = Desk(person.table, secrets, person.fetch, salt)
    assert len(begun) == 1 and begun[0][:4] == (person.table, secrets, person.fetch, salt)
    assert shown(desk) == (Sheet("", (), (), None, (), None, ()), "shop 1")
    for text in ("- buy: 1", "- buy: 1\n- buy: 2  # two", "- buy: 1\n- buy: 2\n- buy: 1", "- buy: 1\n- buy: 2\n- buy: 1\n"):
        desk.edit("orders:\n" + text)
    assert len(begun) == 1 and len(desk.sheet.orders) == 3
    desk.undo()
    assert len(begun) == 2 and len(desk.sheet.orders) == 2
    desk.put([{"buy": 1}])
    assert len(begun) == 2
    desk.edit(desk.sheet.text + "note: x\n")
    assert len(begun) == 2, "a note plays nothing"
    desk.edit(desk.sheet.text + "standing: {dig: {dig: 1}}\n")
    assert len(begun) == 3 and begun[2][:4] == begun[0][:4] and begun[2][4].standing == {"dig": {"dig": 1}}
    desk.edit(desk.sheet.text)
    assert len(begun) == 3


def test_what_was_read_as_several_orders_is_not_played_again(begun: list[Any]) -> None:
    desk = at_rounds("twice")
    begun.clear()
    desk.put([{"buy": 1}])
    assert desk.sheet.orders == ({"buy": 1}, {"buy": 2}, {"buy": 1}) and begun == []


def test_what_a_file_gives_up_and_its_ways_are_found_in_one_time_through(
    begun: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, seen = at_rounds(ONE, TWO), list[Any]()

    def way(self: Any, state: Any, asked: Ask, order: Plain) -> Any:
        seen.append((english(asked.prompt), order))
        assert isinstance(state, SkirmishState)
        return msg("way") if order == {"buy": 2} else msg("")

    monkeypatch.setattr(type(desk.table.game), "chosen_way", way)
    begun.clear()
    lost = desk.consequences()
    assert [(at, english(told)) for at, told in desk.chosen_ways()] == [(1, "way")] and desk.consequences() == lost
    assert len(begun) == 1 and seen == [("shop 1?", {"buy": 1}), ("shop 1?", {"buy": 2})]
    desk.undo()
    begun.clear()
    assert desk.chosen_ways() == [] and len(begun) == 1, "other orders are looked at anew"


def test_an_entry_parted_is_a_desk_of_its_own_with_the_same_secrets() -> None:
    desk = at_rounds(ONE, TWO)
    other = desk.parted(0, [{"buy": 2}, "done"])
    assert [*other._paper.orders] == [{"buy": 2}, "done", {"buy": 2}] and desk.sheet.orders == ({"buy": 1}, {"buy": 2})
    same_parts = ("start", "_secrets", "_fetch", "_salt")
    assert all(getattr(other, name) is getattr(desk, name) for name in same_parts)


def test_what_is_typed_is_read_by_what_its_writer_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, found = at_rounds(ONE), list[Any]()

    def first(add: Any, table: Any, player: str, order: Plain, refused: Refused, reveal: Any = None) -> Any:
        found.append((table is desk.table, player, order, reveal))
        raise refused

    monkeypatch.setattr(desk_module.typed, "first_that_stands", first)
    desk.edit("orders:\n- buy: 1\n- nonsense\n")
    (is_there, player, order, reveal) = found[0]
    assert (is_there, player, order) == (True, desk.player, "nonsense")
    assert reveal.__func__ is type(desk.knowledge()).reveal and reveal.__self__.player == desk.player
