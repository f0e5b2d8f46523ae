"""What an own file carries: questions after a loss with their answers, and slips that no file has taken yet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.wording import msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.composing import Draft
from pbem.runtime.dues import Due
from pbem.runtime.ledger import KeyHeld
from pbem.store import catching_up, enclosing
from tests.toygame.test_after_a_loss import ASKED, answer, file, head_of, question, restored, slip
from tests.toygame.test_seats import named

Restored = tuple[list[Any], Any, dict[str, Any], list[dict[str, Any]]]


@pytest.fixture
def loss() -> Restored:
    """nowak has asked, and both others have answered."""
    return restored()


def session(loss: Restored, *known: Any, files: Any = (), me: str = "nowak") -> Any:
    """What enclosing uses of a session: a table, the slips beside the log, its files."""
    log = SimpleNamespace(slips=lambda: [*known], files=lambda: [{}, *files])
    return SimpleNamespace(table=loss[0][0].table, folder=SimpleNamespace(log=log), me=SimpleNamespace(player=me))


def test_a_question_is_carried_with_its_answers_in_the_order_in_which_they_came(loss: Restored) -> None:
    party, nowak, asked, given = loss
    others = question(named(party, "dubois"), party)
    beside = [others, answer(nowak, others, head_of(party)), slip(nowak, "request", head_of(party), text="?")]
    known = [given[1], beside[0], asked, beside[1], given[0], beside[2]]
    assert enclosing.carried(session(loss, *known)) == [given[1], asked, given[0]]
    assert enclosing.carried(session(loss, *known, me="dubois")) == beside[:2]
    assert enclosing.carried(session(loss, *known, me="yamada")) == [] == enclosing.carried(session(loss))


def test_ones_own_word_is_carried_too(loss: Restored) -> None:
    word = question(loss[1], loss[0], word="my disk died")
    assert enclosing.carried(session(loss, word, loss[2])) == [word, loss[2]]


def test_a_question_is_carried_once(loss: Restored) -> None:
    party, nowak, asked, given = loss
    carrier = file(nowak, asked, *given)
    assert enclosing.carried(session(loss, asked, *given, files=[carrier])) == []
    later = question(nowak, party, note=["once more"])
    assert enclosing.carried(session(loss, asked, later, *given, files=[carrier, {"slips": None}])) == [later]


def test_a_question_about_files_that_were_given_up_is_left_with_its_answers(loss: Restored) -> None:
    party, nowak, asked, given = loss
    gone = slip(nowak, "restored", ASKED, asks="cd" * 32)
    about = answer(named(party, "dubois"), gone, head_of(party))
    ahead = answer(named(party, "yamada"), asked, ASKED)
    assert enclosing.carried(session(loss, gone, about, asked, ahead, given[0])) == [asked, given[0]]


def test_what_a_key_signed_that_was_given_up_is_carried_by_nobody(loss: Restored) -> None:
    party, _, asked, given = loss
    table = party[0].table
    known = [asked, *given]
    table.ledger.held.append(KeyHeld("dubois", "another", table.last + 1))
    assert enclosing.carried(session(loss, *known)) == [asked, given[1]]
    table.ledger.held.append(KeyHeld("nowak", "another", table.last + 1))
    assert enclosing.carried(session(loss, *known)) == []


def test_slips_that_no_file_has_taken_wait_for_a_file_that_its_author_writes(
    loss: Restored, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, nowak, asked, _ = loss
    head = head_of(party)
    resigned = slip(nowak, "resignation", head, seats=["red"])
    one, two = file(nowak, orders=["go"]), file(nowak)
    proof = slip(named(party, "yamada"), "equivocation", head, files=[one, two])
    beyond = slip(named(party, "dubois"), "resignation", ASKED, seats=["rust"])
    false, ruling = {**resigned, "seats": ["blue"]}, {"slip": "ruling", "head": head}
    known = [asked, resigned, false, beyond, proof, slip(nowak, "request", head, text="?")]
    play, seat = Draft(orders=["halt"]), Draft(type="seat")
    assert enclosing.untaken_slips(session(loss, *known), play) == [resigned, proof]
    assert enclosing.untaken_slips(session(loss, *known, files=[{"slips": [resigned]}]), play) == [proof]
    assert enclosing.untaken_slips(session(loss, asked), play) == []
    with monkeypatch.context() as patch:  # this game has no umpire who could rule
        patch.setattr(enclosing.slips, "counts", lambda table, slip: slip is ruling and table is party[0].table)
        assert enclosing.untaken_slips(session(loss, *known, ruling), play) == [ruling]
    party[0].table.due = Due("nowak", "witness")
    assert enclosing.untaken_slips(session(loss, *known), play) == [], "the program writes it by itself"
    assert enclosing.untaken_slips(session(loss, *known), seat) == [resigned, proof]


def test_what_a_file_has_carried_promises_nothing_any_more(loss: Restored) -> None:
    """An answer that comes behind that file may name it, or a newer one."""
    party, nowak, asked, given = loss
    carrier = file(nowak, asked, given[0])
    late = answer(named(party, "dubois"), asked, head_of(party))
    others = question(named(party, "dubois"), party)
    known = [asked, *given, others, late]
    work = session(loss, *known, files=[carrier, {"slips": [others]}], me="yamada")
    assert enclosing.not_carried(work, "nowak", 2) == [*given, others, late]
    assert enclosing.not_carried(work, "nowak", 1) == known == enclosing.not_carried(work, "yamada", 3), "the carrier is file 1"
    assert enclosing.not_carried(work, "dubois", 2) == known
    assert enclosing.not_carried(work, "dubois", 3) == [asked, *given, late]


# -- a key that was given up between question and file ---------------------------------------------------------------------

ANEW = "what you asked the others after a loss, or your word, counts no more: the key or the files are given up"
UNTOLD = "not all others have said, with the keys that they have now, what they hold of you"


def why(loss: Restored, *known: Any, files: Any = (), me: str = "nowak", secrets: Any = "some", yielded: Any = ()) -> str:
    """What the session says; in a folder that only watches nothing is asked for."""
    work = session(loss, *known, files=files, me=me)
    work.folder.secrets = lambda: secrets
    if secrets is None:
        del work.me
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enclosing, "_in_nobodys_hands", lambda at: {*yielded} if at is work else set())
        return str(enclosing.why_not_carried(work))


def another_key(loss: Restored, *players: str) -> None:
    """From their next files on; the key that nobody here has signs nothing."""
    table = loss[0][0].table
    table.ledger.held += [KeyHeld(player, "another", table.last + 1) for player in players]


def test_without_another_key_the_record_alone_tells_who_is_sure(loss: Restored) -> None:
    _, _, asked, given = loss
    assert why(loss) == why(loss, asked) == why(loss, asked, given[0]) == why(loss, asked, *given) == ""
    assert why(loss, {**asked, "asks": "ef" * 32}) == "", "nobody has signed it"
    assert why(loss, slip(loss[1], "head", ASKED, answers=ASKED)) == "", "no question of his"


def test_a_question_by_a_key_that_was_given_up_is_asked_anew_and_answered_by_all(loss: Restored) -> None:
    party, nowak, asked, given = loss
    another_key(loss, "nowak")
    assert why(loss, asked, *given) == why(loss, asked) == ANEW
    assert why(loss, asked, *given, secrets=None) == why(loss, asked, *given, me="dubois") == ""
    newer = question(nowak, party, note=["again"])
    answers = [answer(named(party, name), newer, head_of(party)) for name in ("dubois", "yamada")]
    old = {document_id(s) for s in (asked, *given)}
    with pytest.MonkeyPatch.context() as patch:  # the new key has signed what came later
        patch.setattr(enclosing.slips, "counts", lambda table, s, seq=0: document_id(dict(s)) not in old)
        assert why(loss, asked, *given, newer) == why(loss, asked, *given, newer, answers[1]) == UNTOLD
        assert why(loss, asked, *given, newer, *answers) == ""
        ahead = answer(named(party, "dubois"), newer, ASKED)
        assert why(loss, asked, *given, newer, ahead, answers[1]) == UNTOLD, "his newest file is not here"
        word = question(nowak, party, word="my disk died")
        assert why(loss, asked, *given, word) == ""
        taken = [file(nowak, newer, *answers)]
        assert why(loss, asked, *given, newer, *answers, files=taken) == why(loss, asked, newer, files=taken) == ""
        assert why(loss, newer, *answers, asked, files=taken) == ANEW, "asked once more since"


def test_who_has_answered_with_a_key_that_was_given_up_answers_again(loss: Restored) -> None:
    party, _, asked, given = loss
    another_key(loss, "dubois")
    assert why(loss, asked, *given) == UNTOLD
    party[0].table.ledger.resigned.append("dubois")
    assert why(loss, asked, *given) == "", "nobody waits for him"
    assert why(loss, asked, given[0]) == UNTOLD, "yamada has not answered"


def test_a_question_about_files_that_were_given_up_is_asked_anew(loss: Restored) -> None:
    """A heal has kept another version, after all had answered and before his next file."""
    party, nowak, asked, given = loss
    gone = slip(nowak, "restored", ASKED, asks="cd" * 32)
    assert why(loss, gone) == ANEW and why(loss, gone, asked, *given) == "" == why(loss, asked, gone, files=[file(nowak, gone)])
    assert why(loss, gone, asked, given[0]) == UNTOLD
    ahead = answer(named(party, "yamada"), asked, ASKED)
    assert why(loss, asked, given[0], ahead) == UNTOLD, "what he holds is given up, or not here"
    assert why(loss, slip(nowak, "restored", ASKED, asks="cd" * 32, word="my disk died")) == ANEW


def test_a_question_behind_an_own_file_in_nobody_s_hands_asks_nothing(loss: Restored) -> None:
    """Asked at a second machine, behind a file that the answers to the first question have made nobody's."""
    _, nowak, asked, given = loss
    gone = slip(nowak, "restored", ASKED, asks="cd" * 32)
    assert why(loss, asked, *given, gone) == ANEW
    assert why(loss, asked, *given, gone, yielded=[ASKED]) == "" == why(loss, gone, yielded=[ASKED])
    assert why(loss, asked, given[0], gone, yielded=[ASKED]) == UNTOLD


def test_files_in_nobody_s_hands_are_those_that_the_record_has_yielded_to_none(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"kind": "yielded", "id": "alone", "seq": 5, "to": ""},
        {"kind": "yielded", "id": "to another version", "seq": 5, "to": "x"},
        {"kind": "yielded", "id": "healed", "seq": None, "to": ""},
        {"kind": "signed", "id": "signed", "seq": 5, "to": ""},
    ]
    asked: list[Any] = []
    monkeypatch.setattr(enclosing, "home", lambda: "home")
    monkeypatch.setattr(enclosing, "Record", lambda *where: asked.append(where) or SimpleNamespace(rows=rows))
    work: Any = SimpleNamespace(charter=SimpleNamespace(game_id="game"), folder=SimpleNamespace(disk="disk"))
    assert enclosing._in_nobodys_hands(work) == {"alone"} and asked == [("home", "game", "disk")]


def test_a_word_by_a_key_that_was_given_up_is_given_anew(loss: Restored) -> None:
    word = question(loss[1], loss[0], word="my disk died")
    assert why(loss, word) == ""
    another_key(loss, "nowak")
    assert why(loss, word) == ANEW


# -- a file in the place of one that was refused -------------------------------------------------------------------------


def withdrawn(*gone: dict[str, Any]) -> Any:
    """A session behind file 4."""
    table = SimpleNamespace(last=4, ledger=SimpleNamespace(entries=[SimpleNamespace(id=n) for n in "234"]))
    return SimpleNamespace(table=table, withdrawn=lambda: [*gone])


def test_a_file_says_which_refused_ones_it_replaces() -> None:
    one = {"seq": 5, "id": "one", "refusal": {"file": "one", "head": "4"}}
    two = {"seq": 5, "id": "two", "refusal": {"file": "two", "head": "4"}}
    taken_back = {"seq": 5, "id": "not sent", "refusal": None}
    assert enclosing.replacement(withdrawn()) == ({}, [])
    assert enclosing.replacement(withdrawn(taken_back)) == ({}, []), "taken back by its author himself"
    assert enclosing.replacement(withdrawn(one)) == ({"replaces": "one"}, [one["refusal"]])
    both = ({"replaces": "two"}, [one["refusal"], two["refusal"]])
    assert enclosing.replacement(withdrawn(one, two)) == both, "the first is in others' hands as well"
    assert enclosing.replacement(withdrawn(taken_back, one, two, taken_back)) == both
    for elsewhere in ({**one, "seq": 4}, {**one, "seq": 6}, {**one, "refusal": {"file": "one", "head": "3"}}):
        assert enclosing.replacement(withdrawn(elsewhere)) == ({}, []), "it stood at another place, or behind another file"
        assert enclosing.replacement(withdrawn(two, elsewhere)) == ({"replaces": "two"}, [two["refusal"]])


# -- what is to be opened ------------------------------------------------------------------------------------------------


def opening(what: str, detail: Any, **sealed: Any) -> Any:
    """Nowak's session, who has sealed `plan` in file 3, and yamada `bid` in file 2."""
    seals = {"plan": SimpleNamespace(player="nowak", seq=3), "bid": SimpleNamespace(player="yamada", seq=2)}
    due = SimpleNamespace(what=what, detail=detail)
    private = SimpleNamespace(ways_out=lambda: msg("Ask for help"))
    return SimpleNamespace(
        table=SimpleNamespace(due=due, ledger=SimpleNamespace(seals=seals)),
        me=SimpleNamespace(player="nowak", sealed=sealed),
        folder=SimpleNamespace(private=private),
    )


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The sessions for which the record was searched for seals; it brings what its `brings` says."""
    found: list[Any] = []

    def recover(session: Any) -> None:
        found.append(session)
        session.me.sealed.update(getattr(session, "brings", {}))

    monkeypatch.setattr(catching_up, "recover_seals", recover)
    return found


def test_a_seal_whose_content_is_lost_is_looked_for_in_the_record(looked: list[Any]) -> None:
    lost = opening("open", "plan")
    lost.brings = {"plan": ["x"]}
    enclosing.check_sealed(lost)
    assert looked == [lost]


def test_a_seal_whose_content_is_lost_is_told_with_the_ways_out(looked: list[Any]) -> None:
    with pytest.raises(ProtocolError) as told:
        enclosing.check_sealed(opening("open", "plan", bid=["x"]))
    assert told.value.outcome == Outcome.WAITING
    assert str(told.value) == (
        "what you sealed as plan in file 3 is to be opened now, and its content is lost: neither this folder nor the record of "
        "signatures holds it, and nobody else knows it. Go on at the machine at which you sealed it, or restore a backup made "
        "after file 3 there. Ask for help"
    )


def test_nothing_is_lost_where_it_lies_here_or_is_anothers_or_not_due(looked: list[Any]) -> None:
    for session in (
        opening("open", "plan", plan=["x"]),
        opening("open", "bid"),
        opening("open", "none"),
        opening("open", None),
        opening("orders", "plan"),
    ):
        enclosing.check_sealed(session)
    with_number = opening("open", 7, **{"7": ["x"]})
    with_number.table.ledger.seals["7"] = SimpleNamespace(player="nowak", seq=1)
    enclosing.check_sealed(with_number)
    assert not looked
    del with_number.me.sealed["7"]
    with pytest.raises(ProtocolError, match="what you sealed as 7 in file 1 "):
        enclosing.check_sealed(with_number)
