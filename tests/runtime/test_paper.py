"""The text of an order file: edits keep comments, notation and everything that is no order."""

from __future__ import annotations

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.wording import english
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.paper import lines_of, read_paper

TEXT = """# My turn
orders:
# first
- buy: 2 infantry  # cheap
- done

# then
- move: 3 infantry
# behind
standing:
  loss: foot  # always
"""


def added(text: str, *orders: Plain, at: int | None = None) -> str:
    return read_paper(text).adding(orders, at).text


def without(text: str, first: int, count: int = 1) -> str:
    return read_paper(text).without(first, count).text


# -- reading ----------------------------------------------------------------------------------------------------------


def test_a_signed_file_is_no_order_file() -> None:
    with pytest.raises(ProtocolError) as refused:
        read_paper("pbem: 9\norders: [a]\n")
    assert (refused.value.outcome, str(refused.value)) == (
        Outcome.UNREADABLE,
        "this is a signed file, no orders: `pbem receive` takes it",
    )
    with pytest.raises(ProtocolError, match="unknown key 'PBEM'"):
        read_paper("PBEM: 9\n")


def test_a_file_says_orders_standing_orders_a_plan_and_notes() -> None:
    text = "orders: [a, {b: 1}]\nstanding: {x: y}\nsealed_standing: {k: 1, l: [2]}\nplan:\n- {at: b}\nnote: 3\n"
    draft = read_paper(text).draft
    assert (draft.orders, draft.standing, draft.sealed_standing) == (["a", {"b": 1}], {"x": "y"}, {"k": [1], "l": [2]})
    assert (draft.plan, draft.note) == ([{"at": "b"}], ["3"])
    assert read_paper("note: [a, 1]\n").draft.note == ["a", "1"]
    assert read_paper(text.encode()).text == text and read_paper(text).orders == ("a", {"b": 1})


def test_a_clause_without_its_list_is_one_too() -> None:
    clause: Plain = {"do": "go", "when": "at = 1"}
    draft = read_paper("standing: {x: {do: go, when: at = 1}, y: {go: 1}, z: [{do: go}]}\n").draft
    assert draft.standing == {"x": [clause], "y": {"go": 1}, "z": [{"do": "go"}]}


@pytest.mark.parametrize("text", ["", "  \n", "# nothing\n", "orders:\nstanding:\nsealed_standing:\nplan:\nnote:\n"])
def test_a_file_may_say_nothing(text: str) -> None:
    paper = read_paper(text)
    draft = paper.draft
    assert paper.text == text and paper.orders == ()
    assert (draft.orders, draft.standing, draft.sealed_standing, draft.plan, draft.note) == ([], {}, {}, [], [])


@pytest.mark.parametrize(
    ("text", "words", "line", "column"),
    [
        ("orders: []\nordres: x\n", "unknown key 'ordres'; keys are orders, standing, sealed_standing, plan, note", 2, 9),
        ("orders: x\n", "orders is a list; standing and sealed_standing are mappings", 0, 0),
        ("standing: [x]\n", "orders is a list; standing and sealed_standing are mappings", 0, 0),
        ("sealed_standing: [x]\n", "orders is a list; standing and sealed_standing are mappings", 0, 0),
        ("plan: x\n", "plan is a list of steps", 0, 0),
    ],
)
def test_what_is_no_order_file_is_refused(text: str, words: str, line: int, column: int) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_paper(text)
    error = caught.value
    assert error.outcome is Outcome.UNREADABLE and words == english(error.message)
    assert (error.line or 0, error.column or 0) == (line, column)


def test_bytes_that_are_no_text_are_refused_in_plain_words() -> None:
    with pytest.raises(ProtocolError):
        read_paper(b"orders: [\xff]\n")


def test_orders_have_their_lines() -> None:
    paper = read_paper(TEXT)
    assert [paper.line_of(at) for at in range(4)] == [4, 5, 8, 0]


# -- adding -----------------------------------------------------------------------------------------------------------


def test_orders_are_added_behind_those_that_stand_there() -> None:
    assert read_paper(added(TEXT, "end", {"move": {"a": "1"}})).orders[3:] == ("end", {"move": {"a": "1"}})
    assert added(TEXT, "end") == TEXT.replace("- move: 3 infantry\n", "- move: 3 infantry\n- end\n")
    assert added(TEXT, "x", at=0) == TEXT.replace("- buy", "- x\n- buy")
    assert added(TEXT, "x", "y", at=1) == TEXT.replace("- done", "- x\n- y\n- done")
    assert added(TEXT, "x", at=2) == TEXT.replace("- done\n", "- done\n- x\n")
    assert added(TEXT) == TEXT


def test_they_are_indented_as_those_that_stand_there() -> None:
    assert added("orders:\n- a\nnote: n\n", "b") == "orders:\n- a\n- b\nnote: n\n"
    assert added("orders:\n    - a\n    # x\nnote: n\n", "b") == "orders:\n    - a\n    - b\n    # x\nnote: n\n"
    text = added("orders:\n    - a\n", {"b": {"c": "1"}, "d": "2"})
    assert read_paper(text).orders == ("a", {"b": {"c": "1"}, "d": "2"}) and text.startswith("orders:\n    - a\n    - b")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "orders:\n  - a\n"),
        ("  \n", "orders:\n  - a\n"),
        ("# mine\nnote: n\n", "orders:\n  - a\n# mine\nnote: n\n"),
        ("orders:\nnote: n\n", "orders:\n  - a\nnote: n\n"),
        ("orders: []  # none yet\nnote: n\n", "orders:  # none yet\n  - a\nnote: n\n"),
        ("note: n\norders: []\n", "note: n\norders:\n  - a\n"),
        ("orders:\n# remark\nnote: n\n", "orders:\n  - a\n# remark\nnote: n\n"),
        ("orders: []  # one # two\n", "orders:  # one # two\n  - a\n"),
        ("orders: null\n", "orders:\n  - a\n"),
    ],
)
def test_a_list_is_begun_where_there_is_none(text: str, after: str) -> None:
    assert added(text, "a") == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("orders: [a, b]  # mine\nnote: n\n", "orders:  # mine\n  - a\n  - b\n  - c\nnote: n\n"),
        ("orders: [a, b]\n# r\nnote: n\n", "orders:\n  - a\n  - b\n  - c\n# r\nnote: n\n"),
        ("orders: [a, b]\n# r\n# s\n\nnote: n\n", "orders:\n  - a\n  - b\n  - c\n# r\n# s\n\nnote: n\n"),
        ("orders: [a,\n  # why\n  b]\n\n# end\nnote: n\n", "orders:\n  # why\n  - a\n  - b\n  - c\n\n# end\nnote: n\n"),
    ],
)
def test_a_list_in_brackets_is_written_anew_with_its_remarks(text: str, after: str) -> None:
    assert added(text, "c") == after


def test_a_dash_may_stand_on_a_line_of_its_own() -> None:
    for dash in ("-", "-  # first", "-  "):
        text = f"orders:\n{dash}\n  d: 1\n- e\n"
        assert added(text, "x", at=1) == text.replace("  d: 1\n", "  d: 1\n- x\n") and without(text, 0) == "orders:\n- e\n"
    assert added("orders: [\n  a,\n  b]\n", "c") == "orders:\n  - a\n  - b\n  - c\n"


def test_orders_of_several_lines_in_brackets_are_written_under_each_other() -> None:
    text = added("orders: [{a: {b: '1'}, c: ['2']}]\n", "x")
    assert read_paper(text).orders == ({"a": {"b": "1"}, "c": ["2"]}, "x") and "[{" not in text


def test_an_order_of_several_lines_stays_together() -> None:
    text = "orders:\n- a:\n    b: 1\n\n    c: 2\n# to c\n- c\n-\n  # its body\n  d: 1\n"
    assert read_paper(text).orders == ({"a": {"b": 1, "c": 2}}, "c", {"d": 1})
    assert added(text, "x", at=1) == text.replace("    c: 2\n", "    c: 2\n- x\n")
    assert added(text, "x", at=2) == text.replace("- c\n", "- c\n- x\n")
    assert added(text, "x") == text + "- x\n"
    assert without(text, 0) == "orders:\n# to c\n- c\n-\n  # its body\n  d: 1\n"
    assert without(text, 2) == "orders:\n- a:\n    b: 1\n\n    c: 2\n# to c\n- c\n"


# -- leaving out ------------------------------------------------------------------------------------------------------


def test_orders_are_left_out_and_remarks_stay() -> None:
    assert without(TEXT, 0) == TEXT.replace("- buy: 2 infantry  # cheap\n", "")
    assert without(TEXT, 1) == TEXT.replace("- done\n", "")
    assert without(TEXT, 0, 2) == TEXT.replace("- buy: 2 infantry  # cheap\n- done\n", "")
    assert without(TEXT, 2) == TEXT.replace("- move: 3 infantry\n", "")
    assert read_paper(without(TEXT, 0, 3)).orders == ()


def test_of_a_list_in_brackets_the_rest_is_written_anew() -> None:
    assert without("orders: [a, b, c]\nnote: n\n", 1) == "orders:\n  - a\n  - c\nnote: n\n"


# -- other keys and remarks -------------------------------------------------------------------------------------------


def test_another_key_says_something_else_and_the_rest_stays() -> None:
    assert read_paper(TEXT).saying("note", "hello").text == TEXT + "note: hello\n"
    changed = read_paper(TEXT).saying("standing", {"loss": "horse"})
    assert changed.text == TEXT.replace("standing:\n  loss: foot  # always\n", "standing: {loss: horse}\n")
    text = "note: a\n# of the note\nstanding:\n  x: 1\n# of standing\norders:\n- a\n"
    assert read_paper(text).saying("standing", {"y": 2}).text == "note: a\n# of the note\nstanding: {y: 2}\norders:\n- a\n"
    assert read_paper(text).saying("note", "b").text == text.replace("note: a\n# of the note\n", "note: b\n")
    assert read_paper("note: a\norders:\n- b\n").saying("note", "maX").text == "note: maX\norders:\n- b\n"
    for old in ("- a\n- b\n", "-\n  a\n- b\n"):
        assert read_paper(f"note:\n{old}orders:\n- x\n").saying("note", "c").text == "note: c\norders:\n- x\n"
    assert read_paper("orders:\n- X\n").saying("note", "b").text == "orders:\n- X\nnote: b\n"
    assert read_paper("orders:\n- x  \n").saying("note", "b").text == "orders:\n- x  \nnote: b\n"
    assert read_paper("").saying("note", "b").text == "note: b\n" == read_paper(" \n").saying("note", "b").text


def test_remarks_are_written_behind_an_order() -> None:
    paper = read_paper(TEXT)
    assert paper.remarked(["# r"], 0) == TEXT.replace("- buy", "# r\n- buy")
    assert paper.remarked(["# r", "# s"], 2) == TEXT.replace("- done\n", "- done\n# r\n# s\n")
    assert paper.remarked(["# r"], 3) == TEXT.replace("- move: 3 infantry\n", "- move: 3 infantry\n# r\n")
    for before in ("", "note:\n-\n"):
        for listed in ("[a, b]", "[\n  a,\n  b]"):
            text = f"{before}orders: {listed}\nplan: []\n"
            first = text.replace(listed, listed.replace("\n", "\n# r\n", 1) if "\n" in listed else f"{listed}\n# r")
            assert [read_paper(text).remarked(["# r"], at) for at in (0, 1, 2)] == [first] * 3, (
                "of brackets behind the first line"
            )
    assert read_paper("# a\norders:\nnote: n\n").remarked(["# r"], 0) == "# a\norders:\n# r\nnote: n\n"


def test_without_a_key_at_the_beginning_of_a_line_the_list_cannot_be_written_anew() -> None:
    paper = read_paper("{orders: [a]}\n")
    for attempt in (lambda: paper.adding(["b"]), lambda: paper.without(0)):
        with pytest.raises(ProtocolError) as caught:
            attempt()
        words = "the orders stand under a key that cannot be found: write `orders:` at the beginning of a line"
        assert words == str(caught.value) and caught.value.outcome is Outcome.UNREADABLE


def test_a_list_within_the_list_is_an_order_of_its_own() -> None:
    paper = read_paper("orders: \n- - a\n- b\nnote: n\n")
    assert paper.orders == (["a"], "b")
    assert paper.without(0).orders == ("b",) and paper.adding(["c"], 1).orders == (["a"], "c", "b")


def test_entries_of_a_list_begin_behind_their_dash() -> None:
    plan: Plain = [{"at": "return", "do": [{"return": "home"}, [["a", {"b": ["c"]}], "d"]]}, "done"]
    lines = lines_of({"plan": plan})
    assert lines[:3] == ["plan:", "  - at: return", "    do:"] and not any(line.strip() == "-" for line in lines)
    assert strict_yaml.read_document("\n".join(lines) + "\n")[0] == {"plan": plan}
