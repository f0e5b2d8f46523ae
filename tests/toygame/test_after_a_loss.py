"""After a restore: the question, the answers that count, and when a file stands against any other at its place."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.protocol import slips as papers
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.runtime.composing import Draft
from pbem.runtime.ledger import KeyHeld
from pbem.runtime.table import Table
from tests.toygame.party import Person
from tests.toygame.test_attacks import signed
from tests.toygame.test_refusals import at_the_march, by_all, by_himself, deliver
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import people

ASKED = "ab" * 32


def slip(person: Person, kind: str, head: str, **content: Any) -> dict[str, Any]:
    return papers.sign(papers.make(kind, person.table.charter.game_id, head, person.name, content), person.private)


def head_of(party: list[Person]) -> str:
    return str(party[0].table.ledger.entries[-1].id)


def question(person: Person, party: list[Person], **content: Any) -> dict[str, Any]:
    return slip(person, "restored", head_of(party), asks=ASKED, **content)


def answer(person: Person, to: dict[str, Any], head: str) -> dict[str, Any]:
    return slip(person, "head", head, answers=document_id(to))


def restored(**charter: Any) -> tuple[list[Person], Person, dict[str, Any], list[dict[str, Any]]]:
    """At the march: nowak has restored a backup and asked, both others have answered with the head that he has."""
    party, nowak = at_the_march(**charter)
    asked = question(nowak, party)
    return party, nowak, asked, [answer(named(party, n), asked, head_of(party)) for n in ("dubois", "yamada")]


def file(writer: Person, *brought: Any, orders: Any = ("halt",)) -> dict[str, Any]:
    return signed(writer, Draft(orders=[*orders]), slips=[*brought])


def at_the_start() -> Table:
    """The table of who holds nothing but the charter."""
    return people()[0].table


def test_the_slip_under_which_a_file_stands() -> None:
    party, nowak, asked, _ = restored()
    other = question(named(party, "dubois"), party)
    refusal = slip(nowak, "request", head_of(party), text="x")
    assert slips.restored_by({"player": "nowak", "slips": [refusal, other, asked]}) == asked
    for document in ({"player": "nowak"}, {"player": "nowak", "slips": None}, {"player": "yamada", "slips": [asked, other]}):
        assert slips.restored_by(document) is None


def test_everybody_else_answers_but_who_has_resigned() -> None:
    party, *_ = restored()
    table = party[0].table
    assert sorted(slips.others(table, "nowak")) == ["dubois", "yamada"]
    table.ledger.resigned.append("dubois")
    assert slips.others(table, "nowak") == ["yamada"]


def test_answers_that_count_are_signed_and_to_this_question() -> None:
    party, nowak, asked, given = restored()
    table, head = party[0].table, head_of(party)
    dubois, yamada = named(party, "dubois"), named(party, "yamada")
    other = question(nowak, party, word="another")
    noise = [
        answer(nowak, asked, head),
        answer(yamada, other, head),
        {**given[1], "note": ["forged"]},
        slip(yamada, "head", head),
        slip(dubois, "request", head, text="x"),
    ]
    assert slips.answers(table, asked, noise) == {}
    assert slips.answers(table, asked, [*noise, *given]) == {"dubois": given[0], "yamada": given[1]}
    again = answer(yamada, asked, ASKED)
    assert slips.answers(table, asked, [given[1], again])["yamada"] == given[1], "the first counts"


def test_a_file_stands_when_all_others_have_signed_that_they_hold_no_other() -> None:
    party, nowak, asked, given = restored()
    table, head = party[0].table, head_of(party)
    earlier = table.ledger.entries[-2].id
    assert slips.stands(table, file(nowak, asked, *given))
    behind = answer(named(party, "yamada"), asked, earlier)
    assert slips.stands(table, file(nowak, asked, given[0], behind)), "one of them may lag"
    both = [answer(named(party, n), asked, earlier) for n in ("dubois", "yamada")]
    assert slips.stands(table, file(nowak, asked, *both)), "the asker himself held the newest one when he asked"
    behind_own, by_others = behind_his_newest(party, nowak)
    assert slips.stands(table, file(nowak, *all_name(party, nowak, by_others))), "who wrote since has sworn that he had not yet"
    strange = answer(named(party, "yamada"), asked, ASKED)
    for brought in (
        [],
        [*given],
        [asked],
        [asked, given[0]],
        all_name(party, nowak, behind_own),
        [asked, given[0], strange],
        [question(nowak, party, word="mine"), *given],
    ):
        assert not slips.stands(table, file(nowak, *brought)), brought
    table.ledger.resigned.append("dubois")
    assert slips.stands(table, file(nowak, asked, given[1]))
    assert head == table.ledger.entries[-1].id


def behind_his_newest(party: list[Person], person: Person) -> tuple[str, str]:
    """The file before this player's newest, and that one: the files behind it are of others."""
    entries = party[0].table.ledger.entries
    newest = max(seq for seq, e in enumerate(entries) if e.player == person.name)
    assert newest < len(entries) - 1
    return entries[newest - 1].id, entries[newest].id


def all_name(party: list[Person], person: Person, head: str) -> list[dict[str, Any]]:
    """A question and all answers, which name this file as the newest."""
    asked = slip(person, "restored", head, asks=ASKED)
    return [asked, *(answer(named(party, n), asked, head) for n in ("dubois", "yamada"))]


def test_two_files_that_carry_one_question_are_a_proof_and_one_that_carries_a_later_one_stands() -> None:
    party, nowak, asked, given = restored()
    table = party[0].table
    one, two = file(nowak, asked, *given), file(nowak, asked, *given, orders=["go"])
    slips.check_fork(table, one, two)
    later = slip(nowak, "restored", head_of(party), asks="cd" * 32)
    after = [later, *(answer(named(party, n), later, head_of(party)) for n in ("dubois", "yamada"))]
    for brought in (after, [asked, *given, *after], [asked, *after]):
        assert slips.stands(table, file(nowak, *brought), one)
    assert not slips.stands(table, one, file(nowak, asked, *after)), "both carry his first question"
    deliver(party, one)
    assert by_all(party, two)[0] is Outcome.EQUIVOCATION


def test_a_word_of_ones_own_makes_no_file_stand() -> None:
    party, nowak, _, _ = restored()
    alone = question(nowak, party, word="my disk died")
    given = [answer(named(party, n), alone, head_of(party)) for n in ("dubois", "yamada")]
    assert not slips.stands(party[0].table, file(nowak, alone, *given))


def test_a_file_that_stands_is_refused_where_another_is_and_the_other_way_round() -> None:
    party, nowak, asked, given = restored()
    seq = party[0].table.last + 1
    lost, standing = file(nowak), file(nowak, asked, *given, orders=["go"])
    for pair in ((lost, standing), (standing, lost)):
        forked = by_himself(lambda pair=pair: slips.check_fork(party[0].table, *pair))  # type: ignore[misc]
        assert forked == (
            Outcome.DIVERGED,
            "one file stands against the other: after a restore everybody has signed that he did not hold that",
        )
    deliver(party, lost)
    assert by_all(party, standing) == (
        Outcome.DIVERGED,
        f"this file {seq} stands against the log's: after a restore all others have signed that they hold none",
    )


def test_which_question_a_file_has_to_carry() -> None:
    party, nowak, asked, given = restored()
    bare, known = file(nowak), [asked, *given]

    def wanted(document: Any, slips_known: Any, player: str) -> Any:
        return slips.promised(party[0].table, document, slips_known, player)

    assert wanted(bare, known, "yamada") == asked and wanted(bare, known, "dubois") == asked
    assert wanted(file(nowak, asked), known, "yamada") is None
    assert wanted(bare, known, "smith") is None and wanted(bare, given, "yamada") is None
    assert wanted({**bare, "prev": ASKED}, known, "yamada") is None
    assert wanted({**bare, "player": "dubois"}, known, "yamada") is None
    request = slip(named(party, "yamada"), "request", head_of(party), text="x")
    assert wanted(bare, [request, *known], "yamada") == asked
    behind_own, by_others = behind_his_newest(party, nowak)
    told = all_name(party, nowak, by_others)
    assert wanted(bare, told, "yamada") == told[0], "also behind files that others have written since"
    assert wanted(bare, all_name(party, nowak, behind_own), "yamada") is None, "his first file has come already"
    strange = answer(named(party, "dubois"), asked, ASKED)
    assert wanted(bare, [asked, strange, given[1]], "yamada") is None, "somebody names a file that is not here"


def test_a_question_by_a_key_that_was_given_up_binds_nobody() -> None:
    party, nowak, asked, given = restored()
    table, bare = party[0].table, file(nowak)
    place = table.last + 1
    table.ledger.held.append(KeyHeld("nowak", "another", place + 1))
    assert slips.counts(table, asked) and slips.promised(table, bare, [asked, *given], "yamada") == asked
    table.ledger.held[-1] = KeyHeld("nowak", "another", place)
    assert slips.promised(table, bare, [asked, *given], "yamada") is None, "no file could carry it"
    assert not slips.counts(table, asked) and slips.counts(table, asked, place - 1) and slips.counts(table, given[0])


def test_the_newest_of_all_answers_counts_for_what_was_promised() -> None:
    party, nowak, *_ = restored()
    behind_own, by_others = behind_his_newest(party, nowak)
    asked, *low = all_name(party, nowak, behind_own)
    anew = answer(named(party, "yamada"), asked, by_others)
    for known in ([asked, *low, anew], [anew, *low, asked]):
        assert slips.promised(party[0].table, file(nowak), known, "yamada") == asked


def test_a_slip_that_is_taken_counts_once_and_a_resignation_ends_nothing_alone() -> None:
    party, nowak, *_ = restored()
    table = party[0].table
    resigned = slip(nowak, "resignation", head_of(party), seats=["red"])
    for _ in range(2):
        slips.note(table, resigned)
    again = slip(nowak, "resignation", head_of(party), seats=["red"], note=["again"])
    slips.note(table, again)
    assert table.ledger.slips == [document_id(resigned), document_id(again)] and table.ledger.resigned == ["nowak"]
    assert table.due.what == "orders"
    slips.note(table, slip(named(party, "dubois"), "resignation", head_of(party), seats=["rust"]))
    assert table.due.what == "nothing"
    with pytest.raises(ProtocolError):
        slips.check(table, {**resigned, "seats": ["blue"]})


def test_where_everybody_else_has_resigned_nobody_has_answered() -> None:
    party, nowak, asked, _ = restored()
    party[0].table.ledger.resigned = ["dubois", "yamada"]
    assert not slips.stands(party[0].table, file(nowak, asked))


def test_who_has_not_the_file_before_two_others_cannot_tell_whether_one_stands() -> None:
    """A lost file and the one that stands, shown to who lags behind or holds another version, make nobody a proved cheat."""
    party, nowak, asked, given = restored()
    lost, right, third = file(nowak, orders=["go"]), file(nowak, asked, *given), file(nowak)
    behind = at_the_start()
    for pair in ((lost, right), (right, lost)):
        with pytest.raises(ProtocolError, match=f"file {right['seq'] - 1}, .* is not here") as caught:
            slips.check_fork(behind, *pair)
        assert caught.value.outcome is Outcome.WAITING
    slips.check_fork(behind, lost, third)
    both = file(nowak, asked, *given, orders=["go"])
    slips.check_fork(behind, right, both)
    elsewhere = [nowak.sign({**f, "prev": "ef" * 32}) for f in (lost, right, third)]
    with pytest.raises(ProtocolError) as caught:
        slips.check_fork(party[0].table, elsewhere[0], elsewhere[1])
    assert caught.value.outcome is Outcome.WAITING, "another version"
    slips.check_fork(party[0].table, elsewhere[0], elsewhere[2])
    slips.check_fork(party[0].table, lost, third)


def test_who_has_not_the_file_before_two_others_cannot_tell_whether_a_refusal_counts() -> None:
    party, nowak, *_ = restored()
    wrong = file(nowak, orders=["go"])
    said = slip(named(party, "yamada"), "refusal", head_of(party), file=document_id(wrong), outcome="diverged", reason="x")
    right = signed(nowak, Draft(orders=["halt"]), replaces=document_id(wrong), slips=[said])
    forged = signed(nowak, Draft(orders=["halt"]), replaces=document_id(wrong), slips=[{**said, "reason": "y"}])
    behind = at_the_start()
    for file_, outcome in ((right, Outcome.DIVERGED), (forged, Outcome.WAITING)):
        with pytest.raises(ProtocolError) as caught:
            slips.check_fork(behind, wrong, file_)
        assert caught.value.outcome is outcome
    slips.check_fork(party[0].table, wrong, forged)
