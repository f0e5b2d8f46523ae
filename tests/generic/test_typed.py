"""`verb: rest` and `verb rest` as one text mean `{verb: rest}` in every game; words that are no verb stay as they are."""

from __future__ import annotations

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.wording import english
from pbem.runtime.typed import with_verb
from tests.generic.test_desk import desk_of, party

VERBS = ("declare war", "declare", "move", "done")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("move: 3 tanks to 0711", {"move": "3 tanks to 0711"}),
        ("Move 4", {"move": 4}),
        ("move {units: [a, b], to: 1}", {"move": {"units": ["a", "b"], "to": 1}}),
        ("declare war uk", {"declare war": "uk"}),
        ("declare peace", {"declare": "peace"}),
        ("move a: b: [", {"move": "a: b: ["}),
        ("move", "move"),
        ("mover 3", "mover 3"),
        ("done", "done"),
        ({"move": "3"}, {"move": "3"}),
    ],
)
def test_a_text_with_a_verb_that_is_asked(text: Plain, order: Plain) -> None:
    assert with_verb(text, VERBS) == order


@pytest.mark.parametrize("line", ["weather clear", "WEATHER   clear"])
def test_another_game(line: str) -> None:
    people = party("next-war", "training", (["allied"], ["non-allied"]))
    written = desk_of(people, f"orders:\n- {line}\n")
    assert written.sheet.trouble is None and written.sheet.orders == ({"weather": "clear"},)
    assert written.sheet.text == f"orders:\n- {line}\n", "the text stays as it was typed"


@pytest.mark.parametrize(
    ("system", "scenario", "line", "order"),
    [
        ("next-war", "training", "clear", {"weather": "clear"}),
        ("empire-of-the-sun", "year-1942", "yes", {"arcadia": "yes"}),
    ],
)
def test_an_answer_without_the_only_verb(system: str, scenario: str, line: str, order: Plain) -> None:
    """Where one verb alone is asked, it goes without saying; what is no answer is refused as ever."""
    seats = (["allied"], ["non-allied"]) if system == "next-war" else (["allies"], ["japan"])
    people = party(system, scenario, seats)
    written = desk_of(people, f"orders:\n- {line}\n")
    assert written.sheet.trouble is None and written.sheet.orders == (order,)
    refused = desk_of(people, "orders:\n- fog\n").sheet.trouble
    assert refused is not None and "is not asked here" in english(refused.problems[0].reason)


@pytest.mark.parametrize("line", ["search A1 with Chokai", "search: A1 by CA5 Chokai", "Search: a1 with chokai"])
def test_a_search_is_typed_like_an_attack(line: str) -> None:
    people = party("pacific-war", "savo-island", (["japan"], ["allies"]))
    written = desk_of(people, f"orders:\n- {line}\n")
    assert written.sheet.trouble is None and [*written.sheet.orders[0]] == ["search"]
    nobody = desk_of(people, "orders:\n- search A1 with Yamato\n").sheet.trouble
    assert nobody is not None and nobody.problems
