"""Slips at a table: what each kind must show, what it changes, and which of those beside the log lie ahead of it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.protocol import slips as papers
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.runtime.composing import Draft
from pbem.runtime.ledger import Claimed, KeyHeld, Ruled
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import GAME
from tests.toygame.test_after_a_loss import ASKED, answer, at_the_march, at_the_start, file, head_of, question, restored, slip
from tests.toygame.test_attacks import signed
from tests.toygame.test_deadlines import claim_of, marching, ruling_of
from tests.toygame.test_seats import named
from tests.toygame.test_slips import refusal

LONG_AGO = "1999-01-01T00:00:00Z"


def told(party: list[Person], paper: dict[str, Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        slips.check(party[0].table, paper)
    return caught.value.outcome, str(caught.value)


# -- what each kind must show ---------------------------------------------------------------------------------------------


def test_a_player_resigns_all_his_seats_and_no_other() -> None:
    party = marching("smith")
    for name, seats, whose in (
        ("nowak", ["blue"], "nowak holds red"),
        ("nowak", ["red", "rust"], "nowak holds red"),
        ("smith", ["red"], "smith holds no seat"),
    ):
        said = f"the resignation is of other seats than its author's: {whose}"
        assert told(party, slip(named(party, name), "resignation", head_of(party), seats=seats)) == (Outcome.WRONG_KEY, said)


def test_seats_are_resigned_in_any_order() -> None:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    found_game(GAME, party, {})
    slips.check(party[0].table, slip(named(party, "nowak"), "resignation", head_of(party), seats=["rust", "red"]))
    said = "the resignation is of other seats than its author's: nowak holds red, rust"
    assert told(party, slip(named(party, "nowak"), "resignation", head_of(party), seats=["red"])) == (Outcome.WRONG_KEY, said)


def test_a_claim_is_judged_as_one() -> None:
    party = marching()
    said = "only a player of another side claims a file of nowak"
    assert told(party, claim_of(party, "dubois")) == (Outcome.REFUSED, said)


def test_a_ruling_holds_a_claim_that_is_good_and_is_judged_as_one() -> None:
    party = marching("smith")
    claim = claim_of(party, "smith")
    slips.check(party[0].table, ruling_of(party, "smith", claim))
    unclaimed = {**slip(named(party, "smith"), "request", head_of(party), text="?"), "place": 1}
    said = "a ruling holds the claim that it is about"
    assert told(party, ruling_of(party, "smith", unclaimed)) == (Outcome.UNREADABLE, said)
    forged = ruling_of(party, "smith", {**claim, "since": "2000-01-01T00:00:00Z"})
    assert told(party, forged) == (Outcome.BAD_SIGNATURE, "the overdue slip is not signed by smith")
    other = ruling_of(party, "smith", claim, "substitute")
    said = "on a file that is overdue follows loss, by the charter, not substitute"
    assert told(party, other) == (Outcome.REFUSED, said)


def test_a_claim_and_a_ruling_are_signed_with_the_key_of_the_place_that_they_are_about() -> None:
    party = marching("smith")
    table, smith = party[0].table, named(party, "smith")
    claim, place = claim_of(party, "smith"), table.last + 1
    ruling, request = ruling_of(party, "smith", claim), slip(smith, "request", head_of(party), text="?")
    table.ledger.held.append(KeyHeld("smith", smith.key_of("new").public_key().public_bytes_raw().hex(), place + 1))
    table.ledger.entries.append(table.ledger.entries[-1])
    for paper in (claim, ruling):
        slips.check(table, paper, place + 5)
    assert told(party, request)[0] is Outcome.WRONG_KEY, "it is signed for the next file"


def test_a_slip_in_the_first_file_is_judged_by_the_key_of_that_place() -> None:
    party, nowak = at_the_march()
    table = party[0].table
    table.ledger.held.append(KeyHeld("nowak", nowak.record_of("new").key, 2))
    request = slip(nowak, "request", head_of(party), text="?")
    slips.check(table, request, 1)
    for seq in (0, 2):
        with pytest.raises(ProtocolError, match="signed with a key that nowak gave up"):
            slips.check(table, request, seq)
    assert slips.counts(table, request, 1) and not slips.counts(table, request, 2) and not slips.counts(table, request)


def test_a_fork_is_by_the_key_of_whoever_signed_the_file() -> None:
    party = marching("smith")
    smith = named(party, "smith")
    one = signed(named(party, "nowak"), Draft(orders=["halt"]))
    turns = [smith.sign({**one, "signed_by": "smith", "orders": [], "note": [note]}) for note in ("one", "two")]
    slips.check_fork(party[0].table, *turns)
    with pytest.raises(ProtocolError) as caught:
        slips.check_fork(party[0].table, *({**turn, "signed_by": "stranger"} for turn in turns))
    assert (caught.value.outcome, str(caught.value)) == (Outcome.WRONG_KEY, "stranger does not play in this game")


def test_a_proof_by_itself_is_good_under_any_key_of_its_author_and_in_a_file_under_that_of_its_place() -> None:
    party, nowak = at_the_march()
    table, yamada = party[0].table, named(party, "yamada")
    proof = slip(yamada, "equivocation", head_of(party), files=[file(nowak), file(nowak, orders=["go"])])
    table.ledger.held.append(KeyHeld("yamada", yamada.record_of("new").key, table.last + 1))
    slips.check(table, proof)
    with pytest.raises(ProtocolError, match="signed with a key that yamada gave up"):
        slips.check(table, proof, table.last + 1)


def test_a_file_that_takes_the_place_of_another_is_judged_where_the_file_before_them_is() -> None:
    party, nowak = at_the_march()
    behind, wrong = at_the_start(), file(nowak)
    brought = [refusal(named(party, "dubois"), file(nowak, orders=["go"]))]
    right = signed(nowak, Draft(orders=["halt"]), replaces="ab" * 32, slips=brought)
    said = f"one of them may stand against the other: file {wrong['seq'] - 1}, which both follow, is not here"
    for pair in ((wrong, right), (right, wrong)):
        with pytest.raises(ProtocolError) as caught:
            slips.check_fork(behind, *pair)
        assert (caught.value.outcome, str(caught.value)) == (Outcome.WAITING, said)
        slips.check_fork(party[0].table, *pair)


# -- what a slip changes --------------------------------------------------------------------------------------------------


def test_claims_and_rulings_are_remembered_once() -> None:
    party = marching("smith")
    table, claim = party[0].table, claim_of(party, "smith")
    ruling, place, head = ruling_of(party, "smith", claim), table.last + 1, head_of(party)
    for paper in (claim, ruling, slip(named(party, "nowak"), "request", head, text="?"), claim, ruling):
        slips.note(table, paper)
    assert table.ledger.overdue == [Claimed(place, head, "nowak", "smith", LONG_AGO)]
    assert table.ledger.rulings == [Ruled(place, head, "nowak", "smith", "loss")]
    assert len(table.ledger.slips) == 3 and table.ledger.resigned == []


def test_rulings_that_a_file_brings_count_before_it_and_nothing_else_does() -> None:
    party = marching("smith")
    table, claim = party[0].table, claim_of(party, "smith")
    ruling, resigned = (
        ruling_of(party, "smith", claim),
        slip(named(party, "nowak"), "resignation", head_of(party), seats=["red"]),
    )
    for brought in ({}, {"slips": None}, {"slips": [claim, resigned, {}]}):
        slips.take_rulings(table, brought)
        assert table.ledger.slips == table.ledger.rulings == table.ledger.overdue == table.ledger.resigned == []
    with pytest.raises(ProtocolError, match="not signed by smith"):
        slips.take_rulings(table, {"slips": [{**ruling, "then": "nothing"}]})
    slips.take_rulings(table, {"slips": [resigned, ruling, claim, ruling]})
    assert table.ledger.slips == [document_id(ruling)] and [r.then for r in table.ledger.rulings] == ["loss"]
    assert table.ledger.overdue == [] == table.ledger.resigned


def test_slips_of_a_file_are_judged_by_the_keys_of_its_place() -> None:
    party, nowak = at_the_march()
    table, request = party[0].table, slip(nowak, "request", head_of(party), text="?")
    table.ledger.held.append(KeyHeld("nowak", nowak.record_of("new").key, table.last + 1))
    slips.take_slips(table, {"seq": table.last, "slips": [request]})
    assert table.ledger.slips == [document_id(request)]
    with pytest.raises(ProtocolError, match="a key that nowak gave up"):
        slips.take_slips(table, {"seq": table.last + 1, "slips": [request]})


def test_a_resignation_behind_files_that_were_given_up_is_noted_and_ends_nothing() -> None:
    party, nowak = at_the_march()
    table = party[0].table
    table.ledger.gone.append(ASKED)
    resigned = slip(nowak, "resignation", ASKED, seats=["red"])
    slips.note(table, resigned)
    assert table.ledger.slips == [document_id(resigned)] and table.ledger.resigned == []


def test_a_resignation_beside_the_log_counts_while_its_key_signs_its_author_s_next_file() -> None:
    party, nowak = at_the_march()
    table = party[0].table
    resigned, request = (slip(nowak, kind, head_of(party), **more) for kind, more in RESIGNED_AND_ASKED)
    assert slips.resignations([request, resigned]) == [resigned]
    later = table.fork()
    later.ledger.held.append(KeyHeld("nowak", nowak.record_of("new").key, table.last + 2))
    slips.note_beside(later, [resigned, request])
    assert later.ledger.resigned == ["nowak"], "the new key signs the file behind the next one"
    for new in (KeyHeld("nowak", nowak.record_of("new").key, table.last + 1), None):
        other = table.fork()
        other.ledger.held += [new] if new else []
        slips.note_beside(other, [resigned, request])
        assert other.ledger.resigned == ([] if new else ["nowak"])
        assert other.ledger.slips == [document_id(s) for s in ((request,) if new else (resigned, request))]


RESIGNED_AND_ASKED: tuple[tuple[str, dict[str, Any]], ...] = (("resignation", {"seats": ["red"]}), ("request", {"text": "?"}))


# -- refusals, questions and answers under the key of the file that holds them --------------------------------------------


def test_what_a_file_carries_is_signed_with_keys_of_its_own_place() -> None:
    party, nowak, asked, given = restored()
    table, seq = party[0].table, party[0].table.last + 1
    wrong = file(nowak)
    replacing = signed(
        nowak, Draft(orders=["halt"]), replaces=document_id(wrong), slips=[refusal(named(party, "dubois"), wrong)]
    )
    again = file(nowak, asked, *given)
    assert slips.refusal_in(table, replacing, document_id(wrong)) and slips.stands(table, again)
    table.ledger.held += [KeyHeld(n, named(party, n).record_of("new").key, seq + 1) for n in ("dubois", "yamada")]
    table.ledger.entries.append(table.ledger.entries[-1])
    assert slips.refusal_in(table, replacing, document_id(wrong)) and slips.stands(table, again), (
        "they are judged at the place of the file"
    )
    assert len(slips.answers(table, asked, given, seq)) == 2 and slips.answers(table, asked, given) == {}


def test_answers_beside_the_log_are_signed_with_the_key_of_the_next_file() -> None:
    party, _, asked, given = restored()
    table = party[0].table
    table.ledger.held.append(KeyHeld("dubois", named(party, "dubois").record_of("new").key, 2))
    assert [*slips.answers(table, asked, given)] == ["yamada"] and len(slips.answers(table, asked, given, 1)) == 2


def test_the_keys_of_its_player_that_sign_a_slip() -> None:
    party, _, asked, given = restored()
    table = party[0].table
    dubois, yamada = (next(s for s in given if s["player"] == name) for name in ("dubois", "yamada"))
    table.ledger.held.append(KeyHeld("dubois", named(party, "dubois").record_of("new").key, 2))
    held = {name: [h.key for h in table.ledger.held if h.player == name] for name in ("dubois", "nowak")}
    assert slips.signing_keys(table, dubois) == held["dubois"][:1] and slips.signing_keys(table, asked) == held["nowak"]
    assert slips.signing_keys(table, {**dubois, "signature": yamada["signature"]}) == []


def test_nobody_stands_by_what_another_has_asked() -> None:
    party, nowak, *_ = restored()
    dubois = named(party, "dubois")
    asked = question(dubois, party)
    given = [answer(named(party, name), asked, head_of(party)) for name in ("nowak", "yamada")]
    document = file(nowak, asked, *given)
    assert slips.questions(document) == [] and not slips.stands(party[0].table, document)
    assert slips.questions({**document, "player": "dubois"}) == [asked]


def test_under_version_1_no_file_stands_against_another() -> None:
    for version in (1, 2):
        party, _ = at_the_march(pbem=version)
        head = head_of(party)

        def made(who: str, kind: str, version: int = version, party: Any = party, head: str = head, **content: Any) -> Any:
            paper = papers.make(kind, party[0].table.charter.game_id, head, who, content, version)
            return papers.sign(paper, named(party, who).private)

        asked = made("nowak", "restored", asks=ASKED)
        given = [made(who, "head", answers=document_id(asked)) for who in ("dubois", "yamada")]
        document = {"player": "nowak", "seq": party[0].table.last + 1, "slips": [asked, *given]}
        assert len(slips.answers(party[0].table, asked, given)) == 2
        assert slips.stands(party[0].table, document) is (version == 2)


# -- what a first file after a loss has to carry ------------------------------------------------------------------------------


def test_of_several_questions_the_one_that_was_answered_has_to_be_carried() -> None:
    party, nowak, asked, given = restored()
    table, bare = party[0].table, file(nowak)
    unanswered = question(nowak, party, note=["another"])
    word = question(nowak, party, word="my disk died")
    on_his_word = [answer(named(party, n), word, head_of(party)) for n in ("dubois", "yamada")]
    assert slips.promised(table, bare, [word, *on_his_word], "yamada") is None, "his own word binds nobody"
    known = [unanswered, word, *on_his_word, asked, *given]
    assert slips.promised(table, bare, known, "yamada") == asked
    beside = [slip(named(party, "dubois"), "head", ASKED), answer(named(party, "dubois"), unanswered, ASKED)]
    assert slips.promised(table, bare, [*beside, *known], "yamada") == asked, "what else they have named counts elsewhere"


def test_what_a_file_had_to_carry_is_judged_by_the_key_of_its_place() -> None:
    party, nowak, asked, given = restored()
    table, bare = party[0].table, file(nowak)
    table.ledger.held.append(KeyHeld("nowak", nowak.record_of("new").key, table.last + 2))
    table.ledger.entries.append(replace(table.ledger.entries[-1], id=ASKED))
    assert slips.promised(table, bare, [asked, *given], "yamada") == asked and not slips.counts(table, asked)
