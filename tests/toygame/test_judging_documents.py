"""A judge reads whatever lies in the heap: what is missing, foreign, forged, damaged or unknown."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.wording import english
from pbem.protocol import slips
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime.composing import Draft
from pbem.runtime.judging import judge
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to, due, signed
from tests.toygame.test_judging import forked, items, log, rules, skirmish_of_version, told, verdict
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import people
from tests.toygame.test_slips import slip
from tests.toygame.test_umpire import with_umpire


def at_march() -> list[Person]:
    party = people()
    advance_to(party, "red", "march")
    return party


def elsewhere() -> list[Person]:
    """The same players in another game."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])]
    found_game(GAME, party, {}, note=["another game"])
    advance_to(party, "red", "march")
    return party


# -- missing ------------------------------------------------------------------------------------------------------------


def test_a_file_left_out_is_a_cut_at_its_place() -> None:
    party = at_march()
    documents = log(party)
    found = verdict(*documents[:4], *documents[5:])
    assert told(found) == ("cut", 4, "") and (found.fault.outcome.code, found.last) == (15, 3)


def test_a_slip_that_names_a_newest_file_which_is_not_here_is_a_cut() -> None:
    party = at_march()
    documents = log(party)
    send(party, Draft(orders=["halt"]))
    later = slip(named(party, "dubois"), "request", {"text": "please hurry"})
    found = verdict(*documents, later)
    assert found.word == "cut" and "request slip of dubois" in english(found.fault.reason)
    assert verdict(*log(party), later).word == "due"
    forged = verdict(*documents, {**later, "text": "another"})
    assert forged.word == "due" and [r.outcome for r in forged.aside] == [Outcome.BAD_SIGNATURE]
    both = verdict(*documents, later, {**later, "text": "another"})
    assert both.word == "cut" and [r.outcome for r in both.aside] == [Outcome.BAD_SIGNATURE]


def test_a_lost_file_that_no_other_player_holds_is_no_cut() -> None:
    """Its author alone had it, in a backup; all others have answered his question with files that are here."""
    party = at_march()
    nowak, yamada, dubois = (named(party, name) for name in ("nowak", "yamada", "dubois"))
    question = slip(nowak, "restored", {"asks": "ab" * 32}, head="cd" * 32)
    by_yamada, by_dubois = (slip(p, "head", {"answers": document_id(question)}) for p in (yamada, dubois))
    found = verdict(*log(party), question, by_yamada, by_dubois)
    assert found.word == "due" and [(r.outcome.word, english(r.reason).partition(" (")[0]) for r in found.aside] == [
        ("waiting", "the restored slip of nowak")
    ]
    later = slip(nowak, "request", {"text": "please hurry"}, head="cd" * 32)
    assert verdict(*log(party), question, by_yamada, by_dubois, later).word == "due", "whatever else names that file"


def test_a_newest_file_that_somebody_else_may_hold_is_a_cut() -> None:
    party = at_march()
    nowak, yamada, dubois = (named(party, name) for name in ("nowak", "yamada", "dubois"))
    question = slip(nowak, "restored", {"asks": "ab" * 32}, head="cd" * 32)
    asked, by_yamada = document_id(question), slip(yamada, "head", {"answers": document_id(question)})
    for answers in (
        [],
        [by_yamada],
        [by_yamada, slip(dubois, "head", {})],
        [by_yamada, slip(dubois, "head", {"answers": "ab" * 32})],
        [by_yamada, slip(dubois, "head", {"answers": asked}, head="cd" * 32)],
        [by_yamada, slip(dubois, "head", {"answers": asked, "head": ["no text"]})],
        [by_yamada, {**slip(dubois, "head", {"answers": asked}), "note": ["forged"]}],
        [by_yamada, {**slip(nowak, "head", {"answers": asked}), "player": "dubois"}],
    ):
        assert verdict(*log(party), question, *answers).word == "cut", answers
    by_dubois = slip(dubois, "head", {"answers": asked})
    forged = {**question, "note": ["forged"]}
    later = slip(nowak, "request", {"text": "please hurry"}, head="cd" * 32)
    given = [slip(p, "head", {"answers": document_id(forged)}) for p in (yamada, dubois)]
    assert verdict(*log(party), forged, *given, later).word == "cut", "nobody has asked"
    other = slip(nowak, "restored", {"asks": "ab" * 32}, head="ef" * 32)
    assert verdict(*log(party), question, by_yamada, by_dubois, other).word == "cut", "another file is asked for alone"


def test_the_own_scenario_left_out_is_a_cut_before_anything_is_played() -> None:
    def lacking(read: Any) -> Any:
        raise ProtocolError(Outcome.BAD_CHAIN, "the players' own scenario is not here")

    found = judge(items(log(at_march())), lacking)
    assert told(found) == ("cut", 1, "") and found.table is None and found.fault.outcome.code == 15


def test_without_a_charter_there_is_no_such_game() -> None:
    assert verdict(*log(at_march())[1:]).word == "no such game"
    assert judge([], rules).word == "no such game"
    whole = at_march()[0].log[0]
    draft = verdict({**whole, "signatures": {}})
    assert draft.word == "no such game" and "a draft" in english(draft.fault.reason)
    swapped = {**whole["signatures"], "nowak": whole["signatures"]["yamada"]}
    found = verdict({**whole, "signatures": swapped})
    assert told(found) == ("rule broken", None, "") and found.fault.outcome is Outcome.BAD_SIGNATURE


# -- foreign ------------------------------------------------------------------------------------------------------------


def test_documents_of_two_games_are_no_such_game() -> None:
    one, two = at_march(), elsewhere()
    found = verdict(*log(one), *log(two))
    assert found.word == "no such game" and found.fault.outcome.code == 8
    assert all(p.table.charter.game_id[:16] in english(found.fault.reason) for p in (one[0], two[0]))
    assert "dubois, nowak, yamada signed two charters with one chain" in english(found.fault.reason)
    some = verdict(*log(one), *log(two)[1:4])
    assert (some.word, some.last) == ("no such game", one[0].table.last)
    assert some.evidence is not None and some.evidence.foreign == {two[0].table.charter.game_id: 3}


def test_a_charter_that_not_everybody_signed_is_no_second_game() -> None:
    one, two = at_march(), elsewhere()
    found = verdict(*log(one), {**two[0].log[0], "signatures": {}})
    assert found.word == "due" and [r.outcome for r in found.aside] == [Outcome.FOREIGN_GAME]


# -- forged -------------------------------------------------------------------------------------------------------------


def test_a_forged_second_file_changes_no_verdict() -> None:
    before, one, two = forked()
    forged = {**two, "signature": one["signature"]}
    found = verdict(*before, one, forged)
    assert (found.word, found.forks) == ("due", [])
    assert [r.outcome for r in found.aside] == [Outcome.BAD_SIGNATURE]


def test_a_forged_copy_of_a_file_does_not_hide_it() -> None:
    before, one, two = forked()
    found = verdict(*before, {**one, "signature": two["signature"]}, one)
    assert (found.word, found.last) == ("due", one["seq"])


@pytest.mark.parametrize(
    ("change", "outcome"),
    [({"signature": ""}, Outcome.BAD_SIGNATURE), ({"signed_by": "smith"}, Outcome.WRONG_KEY)],
    ids=str,
)
def test_a_log_that_ends_in_a_file_nobody_signed_says_so(change: dict[str, Any], outcome: Outcome) -> None:
    before, one, two = forked()
    change = {"signature": two["signature"]} if "signature" in change else change
    found = verdict(*before, {**one, **change})
    assert told(found) == ("rule broken", one["seq"], "nowak") and found.fault.outcome is outcome


def test_a_forged_tail_does_not_choose_between_two_versions() -> None:
    """Only what players signed counts as standing behind a file."""
    before, one, two = forked()
    after = Person("yamada", ["blue"]).sign({**one, "player": "yamada", "seq": one["seq"] + 1, "prev": document_id(one)})
    tail: list[Any] = []
    for n in range(9):
        tail.append({**two, "seq": two["seq"] + 1 + n, "prev": document_id([two, *tail][-1])})
    found = verdict(*before, one, two, after, *tail)
    assert dict(found.forks[0].versions) == {document_id(one): 1, document_id(two): 0}


def test_an_ally_who_signs_where_he_is_not_due_stops_nothing() -> None:
    party = at_march()
    document = due(party).write(Draft(orders=["halt"])).document
    ally = named(party, "dubois").sign({**document, "player": "dubois"})
    behind = named(party, "dubois").sign({**ally, "seq": ally["seq"] + 1, "prev": document_id(ally)})
    send(party, Draft(orders=["go"]))
    found = verdict(*log(party), ally, behind)
    assert (found.word, found.last) == ("due", party[0].table.last)
    assert [r.outcome for r in found.aside] == [Outcome.WRONG_KEY]


def test_a_file_out_of_its_place_is_named() -> None:
    party = at_march()
    far = signed(due(party), Draft(orders=["halt"]), seq=99)
    found = verdict(*log(party), far)
    assert found.word == "due" and [r.outcome for r in found.aside] == [Outcome.BAD_CHAIN]


# -- damaged and unknown --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", [Outcome.UNREADABLE, Outcome.TOO_LARGE])
def test_what_cannot_be_read_is_the_verdict_only_where_nothing_is_proved(outcome: Outcome) -> None:
    party = at_march()
    noise = ProtocolError(outcome, "both copies of the block are damaged")
    found = verdict(*log(party), noise)
    assert found.word == "unreadable" and found.fault.outcome is outcome
    assert found.last == party[0].table.last and "document" in english(found.fault.reason)
    before, one, two = forked()
    assert verdict(*before, one, two, noise).word == "signed twice"
    assert verdict(unreadable("noise")).word == "unreadable"


def test_a_file_of_another_shape_is_unreadable_and_hinders_no_other() -> None:
    party = at_march()
    odd = signed(due(party), Draft(orders=["halt"]))
    found = verdict(*log(party), {**odd, "surprise": 1})
    assert found.word == "unreadable" and "surprise" in english(found.fault.reason) and found.last == party[0].table.last


def test_slips_of_kinds_not_known_here_are_named_and_not_fatal() -> None:
    party = at_march()
    dubois = named(party, "dubois")
    odd = {**slip(dubois, "request", {"text": "x"}), "slip": "horoscope"}
    found = verdict(*log(party), slips.sign(odd, dubois.private), odd)
    assert found.word == "due" and found.evidence is not None
    assert ["horoscope" in english(r.reason) for r in found.evidence.strange.values()] == [True]
    assert [s["slip"] for s in found.claims] == ["horoscope"]
    assert [r.outcome for r in found.aside] == [Outcome.BAD_SIGNATURE]


def test_a_file_that_takes_an_unknown_slip_is_not_judged() -> None:
    party = at_march()
    odd = {**slip(named(party, "dubois"), "request", {"text": "x"}), "slip": "horoscope"}
    file = signed(due(party), Draft(orders=["halt"]), slips=[odd])
    found = verdict(*log(party), file)
    assert told(found) == ("programs differ", file["seq"], "nowak") and "horoscope" in english(found.fault.reason)


def test_a_document_of_a_kind_not_known_here_is_named_and_what_follows_it_not_judged() -> None:
    party = at_march()
    last = party[0].table.last
    odd = {"pbem": 2, "type": "truce", "game": party[0].log[1]["game"], "seq": last + 1, "prev": document_id(party[0].log[-1])}
    assert verdict(*log(party), odd).word == "due"
    behind = signed(due(party), Draft(orders=["halt"]), seq=last + 2, prev=document_id(odd))
    found = verdict(*log(party), odd, behind)
    assert told(found) == ("programs differ", last + 2, "nowak") and "truce" in english(found.fault.reason)


def test_a_slip_signed_before_its_author_changed_his_key_counts() -> None:
    from tests.toygame.test_seats import agree, seat

    party = at_march()
    nowak = named(party, "nowak")
    before = slip(nowak, "request", {"text": "a day more, please"})
    send(party, seat(nowak, party[0].table.last + 4))
    agree(party)
    nowak.begin("second")
    send(party, Draft(orders=["halt"]))
    late = slip(nowak, "request", {"text": "x"})
    nowak.private = nowak.key_of("")
    old = slip(nowak, "request", {"text": "with the old key"})
    found = verdict(*log(party), before, late, old)
    assert [r.outcome for r in found.aside] == [Outcome.WRONG_KEY] and found.word == "due"


def test_a_resignation_counts_no_more_once_its_author_has_another_key() -> None:
    from tests.toygame.test_seats import agree, seat

    party = at_march()
    nowak = named(party, "nowak")
    before = [slip(nowak, "resignation", {"seats": ["red"]}), slip(named(party, "dubois"), "resignation", {"seats": ["rust"]})]
    assert verdict(*log(party), *before).result is not None
    send(party, seat(nowak, party[0].table.last + 4))
    agree(party)
    nowak.begin("second")
    send(party, Draft(orders=["halt"]))
    found = verdict(*log(party), *before)
    assert found.result is None and found.table is not None and found.table.ledger.resigned == ["dubois"] and not found.aside
    found = verdict(*log(party), before[1], slip(nowak, "resignation", {"seats": ["red"]}))
    assert found.result is not None


def test_resignations_beside_the_log_end_the_game() -> None:
    party = at_march()
    both = [slip(named(party, n), "resignation", {"seats": [s]}) for n, s in (("nowak", "red"), ("dubois", "rust"))]
    found = verdict(*log(party), *both)
    assert found.result is not None and found.result.winner == "axis"
    assert found.word == "due" and {d.what for d in found.due} == {"audit"}
    assert verdict(*log(party), both[0]).result is None


# -- after a loss -------------------------------------------------------------------------------------------------------


def restored(word: str = "") -> tuple[list[Any], dict[str, Any], dict[str, Any]]:
    """The log, a file of nowak's that nobody holds any more, and the file that he signs after the loss."""
    party = people()
    writer = advance_to(party, "red", "march")
    lost = signed(writer, Draft(orders=["go"]))
    asked = slip(writer, "restored", {"asks": "ab" * 32, **({"word": word} if word else {})})
    answers = [] if word else [slip(p, "head", {"answers": document_id(asked)}) for p in party if p is not writer]
    file = writer.sign(writer.write(Draft(orders=["halt"], slips=[asked, *answers])).document)
    return log(party), lost, file


def test_a_file_that_stands_after_a_restore_is_no_fork_with_the_lost_one() -> None:
    before, lost, file = restored()
    nowak = Person("nowak", ["red"])
    others = [nowak.sign({**lost, "note": [str(n)]}) for n in range(6)]
    assert len({document_id(o) < document_id(file) for o in others}) == 2  # before and behind it in any order
    for other in others:
        found = verdict(*before, other, file)
        assert (found.word, found.forks, found.head) == ("due", [], document_id(file))
        assert [r.outcome for r in found.aside] == [Outcome.ALREADY_KNOWN]
        assert english(found.aside[0].reason) == f"file {lost['seq']} of nowak: the place is filled by nowak"


def test_a_file_that_stands_after_a_restore_is_no_fork_where_the_rules_are_not_here_either() -> None:
    before, lost, file = restored()
    found = verdict(*before, lost, file, module=skirmish_of_version(7))
    assert (found.word, found.forks) == ("programs differ", [])
    found = verdict(*before[:-1], lost, file)
    assert (found.word, found.forks) == ("cut", []), "nor where the file before it is missing"
    before, lost, file = restored("the disk is broken")
    found = verdict(*before, lost, file, module=skirmish_of_version(7))
    assert told(found) == ("signed twice", lost["seq"], "nowak"), "with a word of his own it does not stand"


def test_on_his_own_word_a_second_file_stays_one_and_the_loss_is_told() -> None:
    before, lost, file = restored("the disk is broken")
    found = verdict(*before, lost, file)
    assert told(found) == ("signed twice", lost["seq"], "nowak") and found.forks[0].after_restore
    alone = verdict(*before, file)
    assert alone.word == "due"
    before, one, two = forked()
    assert not verdict(*before, one, two).forks[0].after_restore


def test_claims_on_the_file_that_is_due_are_told_until_it_comes() -> None:
    party = people(overdue={"after": "72h", "grace": "48h", "then": "nothing"})
    advance_to(party, "red", "march")
    content = {"place": party[0].table.last + 1, "due": "nowak", "since": "2026-01-01T00:00:00Z"}
    claim = slip(named(party, "yamada"), "overdue", content)
    asked = slip(named(party, "yamada"), "request", {"text": "please hurry"})
    found = verdict(*log(party), claim, asked)
    assert found.word == "due" and {c["slip"] for c in found.claims} == {"overdue", "request"}
    send(party, Draft(orders=["halt"]))
    assert verdict(*log(party), claim, asked).claims == []


def test_a_claim_that_the_umpire_has_lifted_stands_no_more() -> None:
    party = with_umpire("witness", overdue={"after": "72h", "grace": "48h", "then": "loss"})
    advance_to(party, "red", "march")
    place, smith = party[0].table.last + 1, named(party, "smith")
    claim = slip(smith, "overdue", {"place": place, "due": "nowak", "since": "2026-01-01T00:00:00Z"})
    lifted = slip(smith, "ruling", {"place": place, "then": "nothing", "claim": claim})
    assert [c["slip"] for c in verdict(*log(party), claim, lifted).claims] == ["ruling"]
    ruled = slip(smith, "ruling", {"place": place, "then": "loss", "claim": claim})
    found = verdict(*log(party), claim, ruled)
    assert found.result is not None and (found.result.winner, found.word) == ("axis", "due")


# -- many --------------------------------------------------------------------------------------------------------------


def test_of_many_files_for_one_place_a_few_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.runtime import judging

    tried = []
    real = judging.take
    monkeypatch.setattr(judging, "take", lambda *words: tried.append(words) or real(*words))
    party = at_march()
    writer = due(party)
    wrong = [signed(writer, Draft(orders=["halt"]), orders=[f"gallop {n}"]) for n in range(40)]
    found = judge(items([*log(party), *wrong]), rules)
    assert found.word == "signed twice" and len(found.forks[0].versions) == 40 and len(tried) == judging.TRIED
