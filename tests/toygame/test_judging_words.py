"""Every word of a verdict: which fault, of whom, under which section, and what is said of what is put aside."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.orders import Problem
from pbem.kernel.wording import Message, english, msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime import audit, judging, slips
from pbem.runtime.composing import Draft
from pbem.runtime.evidence import Document, Remark
from pbem.runtime.judging import judge
from pbem.runtime.taking import Refused
from pbem.runtime.verdicts import Judgement
from tests.toygame.healing import drafted, healers, signed_by
from tests.toygame.party import Person, send
from tests.toygame.test_attacks import advance_to, due, signed
from tests.toygame.test_judging import audits, forked, items, log, rules
from tests.toygame.test_judging_documents import at_march, elsewhere
from tests.toygame.test_judging_heals import parted
from tests.toygame.test_seats import agree, named
from tests.toygame.test_skirmish import people, play
from tests.toygame.test_slips import refusal, slip

LONG = "x" * 300


def judged(*documents: Any) -> Judgement:
    return judge(items(documents), rules)


def whole(found: Judgement) -> tuple[Any, ...]:
    """All of a fault."""
    fault = found.fault
    return fault.outcome, english(fault.reason), fault.seq, fault.player, fault.section, fault.roll, fault.word


def said(found: Judgement) -> list[tuple[str, Outcome, str]]:
    """All that is put aside."""
    return [(r.where, r.outcome, english(r.reason)) for r in found.aside]


def failing(*_: Any, **__: Any) -> Any:
    raise ValueError(LONG)


NAMED = f"ValueError: {'x' * 200}"


# -- before the first file ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("outcome", "word"), [(Outcome.BAD_CHAIN, "cut"), (Outcome.DIVERGED, "")])
def test_a_game_that_cannot_be_set_up_is_at_fault_in_its_charter(outcome: Outcome, word: str) -> None:
    def lacking(read: Any) -> Any:
        raise ProtocolError(outcome, msg("its scenario is not here"), 7, 9)

    found = judge(items(log(people())), lacking)
    told = "line 7, column 9: its scenario is not here; not judged beyond the charter"
    assert whole(found) == (outcome, told, 1, "", "", None, word)
    assert (found.files, found.head, found.table) == ([], people()[0].table.charter.game_id, None)
    assert (found.due, found.result, found.claims) == ([], None, [])


def test_a_program_that_cannot_set_up_the_game_says_how_it_failed() -> None:
    found = judge(items(log(people())), failing)
    assert whole(found) == (Outcome.DIVERGED, f"this program cannot set the game up ({NAMED})", 1, "", "", None, "")


def test_no_game_has_the_section_of_its_fault() -> None:
    charter = at_march()[0].log[0]
    swapped = {**charter["signatures"], "nowak": charter["signatures"]["yamada"]}
    found = judged({**charter, "signatures": swapped})
    assert (found.fault.section, found.evidence, found.table) == ("protocol 2", None, None)
    assert english(found.fault.reason).startswith("the charter (document 0): ")
    assert whole(judged()) == (Outcome.FOREIGN_GAME, "nothing of pbem is in it", None, "", "", None, "")


# -- one file -----------------------------------------------------------------------------------------------------------

TAKEN = [
    (
        Refused([Problem("cannot be read", msg("one"), "S5"), Problem("cannot be read", msg("two"), "S6")]),
        (Outcome.REFUSED, "cannot be read: one [S5]; cannot be read: two [S6]", "S5", None),
    ),
    (Refused([Problem("cannot be read", msg("one"))]), (Outcome.REFUSED, "cannot be read: one", "S5", None)),
    (
        Refused([Problem("cannot be read", msg("one"), "S6"), Problem("cannot be read", msg("it fell"), trace="line 1")]),
        (Outcome.DIVERGED, "cannot be read: one [S6]; cannot be read: it fell", "S6", None),
    ),
    (ProtocolError(Outcome.BAD_DICE, msg("no"), 3, 4, "dice 12"), (Outcome.BAD_DICE, "line 3, column 4: no", "protocol 6", 12)),
    (ProtocolError(Outcome.BAD_CHAIN, msg("no"), path="link"), (Outcome.BAD_CHAIN, "no", "protocol 4", None)),
    (ProtocolError(Outcome.TOO_LARGE, msg("no")), (Outcome.TOO_LARGE, "no", "", None)),
    (ValueError(LONG), (Outcome.DIVERGED, f"this program has a fault and cannot judge it ({NAMED})", "", None)),
]


@pytest.mark.parametrize(("raised", "expected"), TAKEN)
def test_whatever_is_wrong_with_a_file_has_its_word_and_section(
    raised: Exception, expected: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    party = at_march()
    file, real = signed(due(party), Draft(orders=["halt"])), judging.take_in_place

    def taking(table: Any, document: Document, fetch: Any) -> Any:
        if document["seq"] == file["seq"]:
            raise raised
        return real(table, document, fetch)

    monkeypatch.setattr(judging, "take_in_place", taking)
    found = judged(*log(party), file)
    outcome, reason, section, roll = expected
    assert whole(found) == (outcome, reason, file["seq"], "nowak", section, roll, "")
    assert found.last == file["seq"] - 1 and found.due == [] and found.aside == []


def test_without_a_rule_of_its_own_a_refusal_stands_in_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first file is asked for by no rule of the game."""
    party = people()
    first = signed(due(party), Draft())
    assert party[0].table.due.rule == ""
    monkeypatch.setattr(
        judging, "take_in_place", lambda *_: (_ for _ in ()).throw(Refused([Problem("cannot be read", msg("no"))]))
    )
    found = judged(party[0].log[0], first)
    assert (found.fault.section, found.fault.seq, found.fault.player) == ("protocol 9", 1, first["player"])


def test_a_slip_of_a_strange_kind_in_a_file_is_named_with_its_kind() -> None:
    party = at_march()
    known = slip(named(party, "yamada"), "request", {"text": "x"})
    odd = {**slip(named(party, "dubois"), "request", {"text": "x"}), "slip": "horoscope" + LONG}
    file = signed(due(party), Draft(orders=["halt"]), slips=[known, odd, {**odd, "slip": "omen"}])
    kind = repr(("horoscope" + LONG)[:40])
    told = f"it takes a slip of kind {kind} into the log, which this program does not know: update pbem"
    assert whole(judged(*log(party), file)) == (Outcome.DIVERGED, told, file["seq"], "nowak", "", None, "")


def test_an_undo_is_played_again_by_the_judge() -> None:
    party = at_march()
    send(party, Draft(orders=["go"]))
    send(party, Draft(type="undo", extra={"to": party[0].table.last}))
    agree(party)
    found = judged(*log(party))
    assert (found.word, found.last, len(found.files)) == ("due", party[0].table.last, party[0].table.last)
    assert found.files == party[0].log[1:] and found.table is not None and found.table.ledger.voided


# -- several files for one place ----------------------------------------------------------------------------------------


def test_of_two_files_with_nothing_behind_them_the_one_with_the_greater_id_counts() -> None:
    for note in ("a", "b", "c", "d"):
        before, one, two = forked()
        other = Person("nowak", ["red"]).sign({**two, "note": [note]})
        found = judged(*before, one, other)
        greatest = max(document_id(one), document_id(other))
        told = "2 different files for one place, behind the same file"
        assert found.head == greatest
        assert whole(found) == (Outcome.EQUIVOCATION, told, one["seq"], "nowak", "protocol 9", None, "")
        assert found.due != [] and found.result is None


def test_of_several_files_that_all_are_wrong_the_fault_is_that_of_the_first_tried() -> None:
    party = at_march()
    wrong = [signed(due(party), Draft(orders=["halt"]), orders=[f"gallop {n}"]) for n in range(2)]
    wrong.sort(key=document_id)
    judging_ = judging._Judging(judging.sort(items([*log(party), *wrong])))
    judging_.begin(rules)
    judging_.play()
    assert judging_.fault is not None and wrong[1]["orders"][0] in english(judging_.fault.reason)
    assert len(judging_.line) == party[0].table.last


def replaced(orders: list[Any], **change: Any) -> tuple[list[Document], dict[str, Any], dict[str, Any]]:
    """The log, a file of nowak's, and the one with which he replaces it after yamada's refusal."""
    party = people()
    writer, before = advance_to(party, "red", "march"), log(party)
    first = signed(writer, Draft(orders=["go"]), orders=orders, **change)
    refused = refusal(named(party, "yamada"), first)
    extra = {"replaces": document_id(first)}
    return before, first, signed(writer, Draft(orders=["halt"], extra=extra, slips=[refused]))


def test_a_file_that_was_refused_with_reason_is_told_with_that_reason() -> None:
    before, first, second = replaced(["gallop"])
    found = judged(*before, first, second)
    [(where, outcome, text)] = said(found)
    assert (where, outcome) == (f"document {len(before)}", Outcome.REFUSED)
    assert text.startswith(f"file {first['seq']} of nowak was refused with reason and replaced (") and "'gallop'" in text
    assert (found.word, found.head, found.last) == ("due", document_id(second), second["seq"])
    assert found.files == [*before[1:], second] and found.table is not None
    assert found.table.ledger.entries[-1].id == document_id(second)


def test_a_file_that_was_replaced_though_it_is_valid_is_the_fault_and_the_log_ends_before_it() -> None:
    before, first, second = replaced(["go"])
    found = judged(*before, first, second)
    told = "it was refused by another player and replaced, but this program finds it valid"
    assert whole(found) == (Outcome.DIVERGED, told, first["seq"], "nowak", "", None, "")
    assert found.files == before[1:] and found.table is not None and found.table.last == len(before) - 1


def test_a_replacement_whose_first_file_is_not_here_or_stands_elsewhere_is_taken_as_it_is() -> None:
    before, _, second = replaced(["gallop"])
    found = judged(*before, second)
    assert (found.word, found.head, found.aside) == ("due", document_id(second), [])
    party = people()
    writer = advance_to(party, "red", "march")
    far = signed(writer, Draft(orders=["go"]), orders=["gallop"], seq=99)
    extra = {"replaces": document_id(far)}
    right = signed(writer, Draft(orders=["halt"], extra=extra, slips=[refusal(named(party, "yamada"), far)]))
    found = judged(*log(party), far, right)
    assert (found.word, found.head) == ("due", document_id(right)) and [r.outcome for r in found.aside] == [Outcome.BAD_CHAIN]


# -- heals --------------------------------------------------------------------------------------------------------------


def test_a_heal_against_the_rules_is_put_aside_with_its_place_and_reason() -> None:
    party, first, second = parted()
    document = signed_by(drafted(party, [first, second], 0, chosen_by="allies"), party)
    documents = [*log([*party]), *first, *second, document]
    where, outcome, text = said(judged(*documents))[0]
    assert (where, outcome) == (f"document {len(documents) - 1}", Outcome.REFUSED)
    assert text == f"the heal at place {document['seq']}: axis chooses between these versions, not allies"


def test_of_many_heals_behind_one_file_a_few_are_tried_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    party, first, second = parted()
    heals = [
        signed_by(drafted(party, [first, second], 0, chosen_by="allies", seq=20 + n), party) for n in range(judging.TRIED + 2)
    ]
    tried, real = list[str](), judging.take

    def taking(table: Any, document: Document, fetch: Any) -> Any:
        if document["type"] == "heal":
            tried.append(document_id(dict(document)))
        return real(table, document, fetch)

    monkeypatch.setattr(judging, "take", taking)
    judged(*log([*party]), *first, *second, *heals)
    assert len(tried) <= judging.TRIED and tried == sorted(tried, reverse=True)


# -- why nothing follows ------------------------------------------------------------------------------------------------


def test_a_file_that_nobody_signed_ends_the_log_with_the_section_of_its_fault() -> None:
    before, one, two = forked()
    found = judged(*before, {**one, "signature": two["signature"]})
    told = f"file {one['seq']} of nowak is not signed by nowak: anybody can have written it"
    assert whole(found) == (Outcome.BAD_SIGNATURE, told, one["seq"], "nowak", "protocol 2", None, "")
    found = judged(*before, {**one, "signed_by": "smith"})
    told = f"file {one['seq']} of nowak: smith does not play in this game"
    assert whole(found) == (Outcome.WRONG_KEY, told, one["seq"], "nowak", "protocol 5", None, "")


def test_a_file_behind_a_strange_document_waits_for_a_newer_program() -> None:
    party = at_march()
    last = party[0].table.last
    odd = {"pbem": 2, "type": "truce", "game": party[0].log[1]["game"], "seq": last + 1, "prev": document_id(party[0].log[-1])}
    behind = signed(due(party), Draft(orders=["halt"]), seq=last + 2, prev=document_id(odd))
    told = "it follows a document of kind 'truce', which this program does not know: update pbem"
    assert whole(judged(*log(party), odd, behind)) == (Outcome.DIVERGED, told, last + 2, "nowak", "", None, "")


# -- slips --------------------------------------------------------------------------------------------------------------


def test_a_slip_that_cannot_be_judged_is_put_aside_with_how_the_program_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    party = at_march()
    one = slip(named(party, "nowak"), "request", {"text": "please wait"})
    monkeypatch.setattr(slips, "check", failing)
    found = judged(*log(party), one)
    assert said(found) == [(f"document {len(log(party))}", Outcome.UNREADABLE, f"a slip that cannot be judged ({NAMED})")]
    assert (found.word, found.claims) == ("due", [])


def test_a_slip_against_the_protocol_is_put_aside_with_the_line_of_its_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: Any) -> None:
        raise unreadable(msg("no such slip"), 2, 5)

    party = at_march()
    one, two = (slip(named(party, n), "request", {"text": "please wait"}) for n in ("nowak", "dubois"))
    monkeypatch.setattr(slips, "check", wrong)
    told = "line 2, column 5: no such slip"
    at = len(log(party))
    expected = [(f"document {n}", Outcome.UNREADABLE, told) for n in (at, at + 1)]
    assert said(judged(*log(party), one, two)) == expected


def test_strange_slips_are_named_by_kind_and_player_and_need_his_signature() -> None:
    from pbem.protocol import slips as slip_shapes

    party = at_march()
    nowak, dubois = named(party, "nowak"), named(party, "dubois")
    odd = {**slip(dubois, "request", {"text": "x"}), "slip": "horoscope" + LONG}
    good, forged = slip_shapes.sign(odd, dubois.private), slip_shapes.sign(odd, nowak.private)
    nobody = slip_shapes.sign({**odd, "player": "y" * 50}, nowak.private)
    found = judged(*log(party), good, forged, nobody)
    kind, at = repr(odd["slip"][:40]), len(log(party))
    assert said(found) == [
        (f"document {at + 1}", Outcome.BAD_SIGNATURE, f"a slip of kind {kind} of dubois is not signed by him"),
        (f"document {at + 2}", Outcome.BAD_SIGNATURE, f"a slip of kind {kind} of {'y' * 40} is not signed by him"),
    ]
    told = Message("a slip of kind {kind!r} of {player}, which this program does not know", {"kind": odd["slip"][:40]})
    assert found.evidence is not None
    [(name, remark)] = found.evidence.strange.items()
    assert (name, remark.where, remark.outcome) == (document_id(good), f"document {at}", Outcome.UNREADABLE)
    assert english(remark.reason) == f"a slip of kind {kind} of dubois, which this program does not know", told
    assert found.claims == [good] and isinstance(remark, Remark)


def test_a_file_behind_a_strange_slip_is_no_orphan() -> None:
    """Slips of the newest kinds may be followed; the judge knows that they are here."""
    from pbem.protocol import slips as slip_shapes

    party = at_march()
    dubois = named(party, "dubois")
    odd = slip_shapes.sign({**slip(dubois, "request", {"text": "x"}), "slip": "horoscope"}, dubois.private)
    behind = signed(due(party), Draft(orders=["halt"]), prev=document_id(odd))
    found = judged(*log(party), odd, behind)
    told = "it follows a slip of kind 'horoscope' of dubois, which this program does not know: update pbem"
    assert whole(found)[:4] == (Outcome.DIVERGED, told, behind["seq"], "nowak")


def test_a_slip_whose_newest_file_is_not_here_is_a_cut_in_full_words() -> None:
    party = at_march()
    at, head = len(log(party)), "cd" * 32
    one = slip(named(party, "dubois"), "request", {"text": "please hurry"}, head=head)
    other = slip(named(party, "yamada"), "request", {"text": "please hurry"}, head="ef" * 32)
    told = f"the request slip of dubois (document {at}) names a newest file that is not here: {head[:16]}"
    found = judged(*log(party), one, other)
    assert whole(found) == (Outcome.BAD_CHAIN, told, None, "", "protocol 5", None, "cut") and found.aside == []
    forged = judged(*log(party), {**one, "text": "another"})
    told = f"the request slip of dubois (document {at}) is not signed by him"
    assert said(forged) == [(f"document {at}", Outcome.BAD_SIGNATURE, told)]
    odd = judged(*log(party), {**one, "slip": LONG, "player": "y" * 50})
    assert [text for _, _, text in said(odd)] == [f"the {'x' * 40} slip of {'y' * 40} (document {at}) is not signed by him"]


def test_a_slip_about_a_file_beside_the_log_hides_no_other_that_names_a_missing_one() -> None:
    party = at_march()
    far = signed(due(party), Draft(orders=["halt"]), seq=99)
    beside = slip(named(party, "yamada"), "request", {"text": "that one?"}, head=document_id(far))
    lost = slip(named(party, "dubois"), "request", {"text": "please hurry"}, head="cd" * 32)
    found = judged(*log(party), far, beside, lost)
    assert found.word == "cut" and "request slip of dubois" in english(found.fault.reason)
    found = judged(*log(party), far, {**beside, "text": "another"})
    assert [r.outcome for r in found.aside] == [Outcome.BAD_CHAIN, Outcome.BAD_SIGNATURE], "it is judged like any other"


def test_a_lost_file_that_nobody_else_holds_is_told_with_the_answers() -> None:
    party = at_march()
    nowak, yamada, dubois = (named(party, name) for name in ("nowak", "yamada", "dubois"))
    at, head = len(log(party)), "cd" * 32
    question = slip(nowak, "restored", {"asks": "ab" * 32}, head=head)
    given = [slip(p, "head", {"answers": document_id(question)}) for p in (yamada, dubois)]
    found = judged(*log(party), question, *given)
    told = f"the restored slip of nowak (document {at}) names a newest file that is not here: {head[:16]}"
    told += "; all others have answered that they hold no such file"
    assert said(found) == [(f"document {at}", Outcome.WAITING, told)] and found.word == "due"
    request = slip(nowak, "request", {"text": "x", "answers": document_id(question)}, head=head)
    assert judged(*log(party), request, *given).word == "cut", "a request is no question"


def test_a_resignation_beside_the_log_counts_only_where_the_log_is_sound() -> None:
    party = at_march()
    both = [slip(named(party, n), "resignation", {"seats": [s]}) for n, s in (("nowak", "red"), ("dubois", "rust"))]
    wrong = signed(due(party), Draft(orders=["halt"]), orders=["gallop"])
    found = judged(*log(party), wrong, *both)
    assert found.table is not None and found.table.ledger.resigned == [] and found.result is None
    assert (found.word, found.due, found.claims) == ("rule broken", [], [])


def test_a_refusal_of_a_valid_file_is_told_with_its_words_while_its_author_has_not_gone_on() -> None:
    party = at_march()
    one = signed(due(party), Draft(orders=["go"]))
    refused = refusal(named(party, "dubois"), one)
    asked = slip(named(party, "dubois"), "request", {"text": "please hurry"})
    elsewhere_ = slip(named(party, "dubois"), "refusal", {"file": "ab" * 32, "outcome": "diverged", "reason": "x"})
    found = judged(*log(party), one, asked, elsewhere_, refused)
    told = "dubois refuses it (diverged: state before the orders); this program finds it valid"
    assert whole(found) == (Outcome.DIVERGED, told, one["seq"], "nowak", "", None, "")
    own = refusal(named(party, "nowak"), party[0].log[-1])
    last = party[0].log[-1]
    found = judged(*log(party), own)
    assert whole(found)[2:4] == (last["seq"], last.get("signed_by") or last["player"])
    assert judged(*log(party), one, own).word == "due", "nowak has gone on behind it"


# -- the end of a game --------------------------------------------------------------------------------------------------


def played() -> list[Person]:
    party = people()
    play(party, 3)
    return party


def test_at_the_end_of_a_game_audits_are_due_by_the_section_on_lies() -> None:
    party = played()
    found = judged(*log(party))
    assert [(d.player, d.what, d.rule) for d in found.due] == [
        (n, "audit", "protocol 10") for n in ("dubois", "nowak", "yamada")
    ]
    assert whole(found) == (Outcome.WAITING, "", None, "", "", None, "") and found.claims == []
    found = judged(*log(party), *audits(party))
    assert whole(found) == (Outcome.DONE, "", None, "", "", None, "") and found.due == []


AUDITED = [
    (ProtocolError(Outcome.DIVERGED, msg("played otherwise"), 1, 2), "line 1, column 2: played otherwise"),
    (ValueError(LONG), f"this program fails at the audit ({NAMED})"),
]


@pytest.mark.parametrize(("raised", "told"), AUDITED)
def test_an_audit_that_cannot_be_held_proves_nothing(raised: Exception, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    party = played()

    def fails(*_: Any) -> Any:
        raise raised

    monkeypatch.setattr(audit, "audit", fails)
    found = judged(*log(party), *audits(party))
    assert whole(found) == (Outcome.DIVERGED, told, party[0].table.last, "", "", None, "") and found.due == []


def test_a_lie_is_told_with_the_section_on_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    party = played()
    monkeypatch.setattr(audit, "audit", lambda *_: audit.Finding("yamada", 5, msg("he said no")))
    found = judged(*log(party), *audits(party))
    assert whole(found) == (Outcome.LIE_PROVED, "he said no", 5, "yamada", "protocol 10", None, "")


# -- what comes first ---------------------------------------------------------------------------------------------------


def test_what_players_signed_about_the_newest_file_is_told_but_for_what_proves_or_answers() -> None:
    party = at_march()
    nowak, dubois = named(party, "nowak"), named(party, "dubois")
    older = slip(nowak, "request", {"text": "old"}, head=party[0].table.ledger.entries[-2].id)
    newest = slip(nowak, "request", {"text": "new"})
    question = slip(nowak, "restored", {"asks": "ab" * 32})
    answer = slip(dubois, "head", {"answers": document_id(question)})
    shown = slip(nowak, "audit", {"keys": [], "open": []})
    found = judged(*log(party), older, newest, question, answer, shown)
    assert found.claims == [newest] and found.aside == []


def test_documents_of_other_games_are_counted_and_named_in_order() -> None:
    one, two = at_march(), elsewhere()
    third = {**two[0].log[1], "game": "0" * 64}
    found = judged(*log(one), *log(two)[1:3], third)
    names = ", ".join(sorted(["0" * 16, two[0].table.charter.game_id[:16]]))
    told = f"3 documents belong to another game ({names}), whose charter is not here"
    assert whole(found) == (Outcome.FOREIGN_GAME, told, None, "", "", None, "")


def test_the_first_of_what_cannot_be_read_is_named_with_its_place() -> None:
    party = at_march()
    at = len(log(party))
    found = judged(*log(party), unreadable(msg("noise")), ProtocolError(Outcome.TOO_LARGE, msg("more")))
    assert whole(found) == (Outcome.UNREADABLE, f"document {at}: noise", None, "", "", None, "")


def test_what_is_proved_comes_before_what_is_missing() -> None:
    party = played()
    lost = slip(named(party, "dubois"), "request", {"text": "x"}, head="cd" * 32)
    noise = unreadable(msg("noise"))
    assert judged(*log(party), lost).word == "cut"
    assert judged(*log(party), lost, noise).word == "unreadable"
    orphan = named(party, "nowak").sign({**party[0].log[-1], "player": "nowak", "prev": "ab" * 32, "seq": 77})
    found = judged(*log(party), lost, orphan)
    assert (found.word, found.fault.seq) == ("cut", 76)


@pytest.mark.parametrize(("before", "word"), [(True, "rule broken"), (False, "signed twice")])
def test_a_fault_comes_before_a_fork_that_is_signed_later_and_not_before_its_own_place(before: bool, word: str) -> None:
    party = at_march()
    writer = due(party)
    wrong = signed(writer, Draft(orders=["halt"]), orders=["gallop"])
    seq = wrong["seq"] + 1 if before else wrong["seq"]
    yamada = named(party, "yamada")
    base = {**wrong, "player": "yamada", "seq": seq, "prev": document_id(wrong)}
    two = [yamada.sign({**base, "note": [n]}) for n in ("a", "b")]
    found = judged(*log(party), wrong, *two)
    assert (found.word, [f.player for f in found.forks]) == (word, ["yamada"])


def test_a_program_that_cannot_judge_a_file_still_knows_two_of_them_behind_it() -> None:
    party = at_march()
    wrong = signed(due(party), Draft(orders=["halt"]), state="ab" * 32)
    yamada = named(party, "yamada")
    later = {**wrong, "player": "yamada", "seq": wrong["seq"] + 1, "prev": document_id(wrong)}
    two = [yamada.sign({**later, "note": [n]}) for n in ("a", "b")]
    found = judged(*log(party), wrong, *two)
    assert (found.word, found.fault.seq, found.fault.player) == ("signed twice", later["seq"], "yamada")


def test_a_fork_that_is_healed_leaves_the_fault_behind_it() -> None:
    party = healers()
    assert len({p.name for p in party}) == 3
    party, first, second = parted()
    document = signed_by(drafted(party, [first, second], 0), party)
    found = judged(*log([*party]), *first, *second, document)
    assert (found.word, found.head) == ("due", document_id(document)) and len(found.files) == document["seq"]
    assert [p["type"] for p in found.files][-2:] == ["void", "heal"]
