"""A game that brings no words is told with raw names."""

from __future__ import annotations

from pbem.games.plain_words import PlainWords
from pbem.kernel.canon import Plain
from pbem.kernel.events import DiceThrown, Stated
from pbem.kernel.wording import english


def _told(value: Plain) -> str:
    told = PlainWords("a-game").tell(None, Stated("red", "scouts", "hill 3", value, "S8"))
    assert told is not None and (told.topic, told.rule) == ("orders", "S8")
    return english(told.text)


def test_a_statement_is_told_by_its_kind_its_subject_and_its_value() -> None:
    assert _told(3) == "scouts, hill 3: 3"
    assert (_told(True), _told(False)) == ("scouts, hill 3: yes", "scouts, hill 3: no")


def test_dice_are_told_without_it() -> None:
    assert PlainWords("a-game").tell(None, DiceThrown("light", (3,), 10, "1")) is None
