"""Sentences with arguments, counted things, and neighbours that become one line."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.kernel.records import to_plain
from pbem.kernel.wording import (
    NO_WORDS,
    Message,
    Overview,
    Term,
    Told,
    added,
    counted,
    die_for,
    english,
    linked,
    msg,
    number_told,
    paragraph,
    quoted,
    recalled,
    recorded_as,
    signed,
    times,
    verbatim,
)


def things(*counts: tuple[str, int]) -> tuple[Message, ...]:
    return tuple(counted(name, name + "s", n) for name, n in counts)


def test_a_sentence_has_its_id_its_arguments_and_perhaps_a_plural() -> None:
    assert msg("{who} moves", who="red") == Message("{who} moves", {"who": "red"}, "")
    assert msg("{id} moves", id=3).args == {"id": 3}
    assert Message("x").args == {} and Message("x").plural == ""
    assert counted("a man", "{n} men") == Message("a man", {"n": 1}, "{n} men")
    assert counted("a man of {of}", "{n} men of {of}", 4, of="red") == Message(
        "a man of {of}", {"of": "red", "n": 4}, "{n} men of {of}"
    )


def test_what_records_spell_otherwise_reads_as_players_speak() -> None:
    about = recorded_as("of 3 points", counted("who pays {n} point", "who pays {n} points", 3))
    assert (str(about), english(about)) == ("of 3 points", "who pays 3 points")
    assert english(msg("{about}: {value}", about=about, value="A")) == "who pays 3 points: A"


def test_what_is_listed_stands_behind_commas_in_records_and_for_readers() -> None:
    listed = msg("{who}: {where}", who=Term("red", msg("the Reds")), where=("0940", Term("sea", "the sea"), msg("x")))
    assert (str(listed), english(listed)) == ("red: 0940, sea, x", "the Reds: 0940, the sea, x")
    assert english(("a", msg("b"), Term("c", msg("d")))) == "a, b, d" and english(7) == "7"


def test_the_number_chooses_the_form_that_is_read() -> None:
    for n, read in ((0, "0 ships"), (1, "1 ship"), (2, "2 ships")):
        assert english(counted("{n} ship", "{n} ships", n)) == read and str(counted("{n} ship", "{n} ships", n)) == f"{n} ship"
    assert english(msg("{n} ship", n=3)) == "3 ship", "one form, whatever the number"
    assert english(Message("{x} man", {"x": 1}, "{x} men")) == "1 men", "no number chooses the many"


def test_names_stand_as_they_are_and_none_are_no_words() -> None:
    assert verbatim("Tokyo", "", "Kure") == Message("{words}", {"words": "Tokyo, , Kure"})
    assert verbatim() is NO_WORDS is verbatim("", "") and not NO_WORDS and verbatim("x")


def test_labels_of_dice_modifiers_and_paragraphs() -> None:
    assert die_for("battle at {place}", place=712) == Message("battle at {place}", {"place": 712})
    assert [signed(n) for n in (3, 0, -2)] == [Term("+3", "+3"), Term("+0", "+0"), Term("-2", "−2")]
    assert [number_told(n) for n in (3, 0, -2)] == ["3", "0", "−2"]
    assert english(-2) == "−2" and english(msg("{n} to the die", n=-2)) == "−2 to the die"
    both = paragraph([msg("One."), msg("Two {n}.", n=2)])
    assert both == Message("{s0} {s1}", {"s0": msg("One."), "s1": msg("Two {n}.", n=2)}) and english(both) == "One. Two 2."


def test_times_changes_the_number_alone() -> None:
    assert times(counted("a man", "{n} men", 4, of="red"), 6) == counted("a man", "{n} men", 6, of="red")


def test_counted_things_are_summed_in_the_order_in_which_they_come_first() -> None:
    one, other = things(("man", 2), ("ship", 1)), things(("tank", 1), ("man", 3))
    assert added(one, other) == things(("man", 5), ("ship", 1), ("tank", 1))
    assert added((), other) == other and added(one, ()) == one
    assert added(things(("man", 0)), things(("man", 2))) == things(("man", 2))


def test_a_thing_without_a_number_cannot_be_summed() -> None:
    with pytest.raises(AssertionError):
        added((msg("man", n="two"),), (msg("man", n=1),))


def told(worth: int, counts: tuple[tuple[str, int], ...], **more: str) -> Told:
    return Told("loss", msg("{seat} loses: {things}", seat="red", things=things(*counts)), worth=worth, **more)  # type: ignore


def test_neighbours_that_differ_in_things_only_become_one_line() -> None:
    joined = told(3, (("man", 1),), loser="red").joined(told(5, (("man", 1), ("ship", 1)), loser="red"))
    assert joined == told(8, (("man", 2), ("ship", 1)), loser="red")


def test_words_among_the_things_are_left_out_of_the_sum() -> None:
    one = Told("loss", msg("{things}", things=(*things(("man", 1)), "and", *things(("ship", 1)))))
    assert one.joined(one) == Told("loss", msg("{things}", things=things(("man", 2), ("ship", 2))))


def test_what_differs_in_anything_else_stays_apart() -> None:
    one = told(1, (("man", 1),))
    for other in (
        replace(one, topic="move"),
        replace(one, rule="9"),
        replace(one, loser="blue"),
        replace(one, dice=(1,)),
        replace(one, closing=True),
        replace(one, text=msg("{seat} loses: {things}", seat="blue", things=things(("man", 1)))),
        replace(one, text=msg("{seat} lost: {things}", seat="red", things=things(("man", 1)))),
        replace(one, text=msg("nothing")),
        replace(one, text=msg("{things}", things="a man")),
    ):
        assert one.joined(other) is None and other.joined(one) is None


def test_an_event_says_by_default_nothing_but_its_topic_and_text() -> None:
    assert Told("move", msg("x")) == Told("move", msg("x"), "", None, (), "", (), 0, "", 0, False, None, False)


def test_an_overview_has_a_title_columns_rows_and_a_sentence() -> None:
    table = Overview(msg("IPC"), (("seat", msg("seat")),), ({"seat": "red"},), "{seat}")
    assert table.title == msg("IPC") and table.rows[0]["seat"] == "red" and table.spoken == "{seat}"


def test_a_message_kept_as_plain_data_is_itself_again() -> None:
    inner = counted("{n} tank", "{n} tanks", 2)
    whole = msg("{who}: {things}", who=Term("japan", msg("Japan")), things=(inner, "flags"))
    assert recalled(to_plain(whole)) == whole
    assert recalled("as it is") == "as it is" and recalled(7) == 7


def test_sentences_are_linked_by_one_mark() -> None:
    assert english(linked("; ", "one", msg("two"), msg("three {n}", n=3))) == "one; two; three 3"


def test_what_somebody_wrote_stands_in_quotation_marks_that_a_reader_s_language_may_change() -> None:
    assert quoted("Truk") == Message("{text!r}", {"text": "Truk"})
    assert english(quoted("Truk")) == "'Truk'" and [quoted(given) for given in (3, ["a"])] == ["3", "['a']"]
