"""The pen's own rules on rows of a record: one place, one link, one file; one slip of each kind and subject."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import pen, record
from pbem.store.disk import Disk
from pbem.store.paths import home
from tests.runtime.desks import GAME
from tests.toygame.test_after_a_loss import file, restored

KEY, OTHER_KEY = "my key", "my old key"
PREV, ELSEWHERE, LINK, OLD_LINK = "aa" * 32, "bb" * 32, "cc" * 32, "dd" * 32


def document(seq: int = 7, prev: str = PREV, link: str = LINK, **more: Any) -> dict[str, Any]:
    return {"player": "nowak", "seq": seq, "prev": prev, "link": link, "orders": ["halt"], **more}


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A session whose record lies in a home of its own; nothing is withdrawn, the log holds nothing."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    log = SimpleNamespace(files=list)
    folder = SimpleNamespace(log=log, disk=Disk())
    charter = SimpleNamespace(game_id=GAME, version=1)
    table = SimpleNamespace(charter=charter)
    return SimpleNamespace(folder=folder, charter=charter, table=table, withdrawn=list, now=lambda: "t")


def signed(session: Any, made: dict[str, Any], key: str = KEY) -> dict[str, Any]:
    with pen.held(session) as rows:
        rows.append("signed", record.row_of(made, key, None), "t")
    return made


def noted(session: Any, kind: str, made: dict[str, Any]) -> None:
    with pen.held(session) as rows:
        rows.append(kind, {"id": document_id(made), "seq": made["seq"], "to": ""}, "t")


def guard(session: Any, made: dict[str, Any]) -> None:
    with pen.held(session) as rows:
        pen._guard(session, rows, made, KEY)


def refused(session: Any, made: dict[str, Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        guard(session, made)
    return caught.value.outcome, str(caught.value)


SAID = (
    "file 7 is signed already, with other content, and may be with the others: it stays as it is. "
    "`pbem undo 7` offers to take it back; a signed refusal of theirs lets it be replaced"
)


# -- files ----------------------------------------------------------------------------------------------------------------


def test_a_place_is_signed_once_and_the_same_content_again(session: Any) -> None:
    guard(session, document())
    signed(session, document())
    guard(session, document())
    assert refused(session, document(orders=["go"])) == (Outcome.REFUSED, SAID)
    assert refused(session, document(orders=["go"], link=OLD_LINK)) == (Outcome.REFUSED, SAID)


def test_what_another_key_of_the_player_signed_counts_and_what_another_player_signed_does_not(session: Any) -> None:
    signed(session, document(), OTHER_KEY)
    assert refused(session, document(orders=["go"])) == (Outcome.REFUSED, SAID)
    guard(session, document(orders=["go"], player="dubois"))
    guard(session, document(orders=["go"], signed_by="smith"))
    signed(session, document(seq=9, player="dubois"), KEY)
    assert refused(session, document(seq=9, orders=["go"]))[0] is Outcome.REFUSED, "one key signs one place once"


def test_behind_the_same_content_what_else_was_signed_still_counts(session: Any) -> None:
    signed(session, document())
    signed(session, document(seq=9, prev=ELSEWHERE, link=OLD_LINK))
    assert refused(session, document())[0] is Outcome.WAITING


def test_what_a_heal_has_given_up_binds_nobody(session: Any) -> None:
    healing = {"type": "heal", "seq": 9, "forked": {"player": "nowak", "seq": 7}, "prev": PREV}
    session.folder.log.files = lambda: [healing]
    signed(session, document(seq=6, link="ee" * 32, prev="ff" * 32))
    signed(session, document(prev=ELSEWHERE))
    assert refused(session, document())[0] is Outcome.REFUSED, "the heal has not been taken here"
    noted(session, "healed", healing)
    guard(session, document())
    assert refused(session, document(seq=6))[0] is Outcome.REFUSED, "what lies before the parting stands"


def test_a_refused_file_may_be_replaced_at_its_place(session: Any) -> None:
    wrong = signed(session, document())
    withdrawn = [{"id": document_id(wrong), "refusal": {"slip": "refusal", "head": wrong["prev"]}}]
    session.withdrawn = lambda: withdrawn
    guard(session, document(orders=["go"]))
    withdrawn[0]["refusal"] = {"slip": "refusal", "head": ELSEWHERE}
    assert refused(session, document(orders=["go"])) == (Outcome.REFUSED, SAID), "no file can show that this refusal is its own"
    withdrawn[0]["refusal"] = {}
    assert refused(session, document(orders=["go"])) == (Outcome.REFUSED, SAID), "withdrawn without a refusal"


def test_a_link_answers_one_file(session: Any) -> None:
    other = signed(session, document(prev=ELSEWHERE))
    said = (
        f"you have answered another file 6 with your file 7 ({document_id(other)[:12]}), and shown your link: your opponent "
        "has signed two files, or you have lost one: nothing is signed, the two files are the proof"
    )
    assert refused(session, document()) == (Outcome.REFUSED, said)
    assert refused(session, document(link=OLD_LINK)) == (Outcome.REFUSED, said), "the place is the same"
    later = refused(session, document(seq=8, prev="ee" * 32))
    assert later[0] is Outcome.REFUSED and "another file 7 with your file 7" in later[1], "the link is the same"
    guard(session, document(seq=8, prev="ee" * 32, link=OLD_LINK))


def test_nothing_is_signed_before_what_was_signed_later(session: Any) -> None:
    later = signed(session, document(seq=9, prev=ELSEWHERE, link=OLD_LINK))
    said = "you have signed file 9 already, which this folder lacks: receive what came before it; nothing was signed"
    assert refused(session, document()) == (Outcome.WAITING, said)
    noted(session, "yielded", later)
    guard(session, document())


def test_a_file_that_was_given_up_gives_its_place_free_behind_another_file(session: Any) -> None:
    lost = signed(session, document(prev=ELSEWHERE, link=OLD_LINK))
    assert refused(session, document())[0] is Outcome.REFUSED
    noted(session, "yielded", lost)
    guard(session, document())
    assert refused(session, document(link=OLD_LINK))[0] is Outcome.REFUSED, "its link was shown all the same"


def test_at_the_very_place_of_a_file_that_was_given_up_only_one_that_stands_is_signed(session: Any) -> None:
    party, nowak, asked, given = restored()
    session.table = party[0].table
    bare, standing = file(nowak, orders=["go"]), file(nowak, asked, *given)
    lost = signed(session, {**bare, "orders": ["halt"], "link": OLD_LINK})
    for made in (bare, standing):
        assert refused(session, made)[0] is Outcome.REFUSED
    noted(session, "yielded", lost)
    assert "is signed already, with other content" in refused(session, bare)[1]
    guard(session, standing)


def test_whoever_has_refused_a_file_does_not_answer_it(session: Any) -> None:
    slip = {"slip": "refusal", "file": PREV, "player": "nowak"}
    pen.write_slip_row(session, slip, KEY, pen.about(slip))
    said = "you have refused file 6: who refuses a file does not answer it"
    assert refused(session, document()) == (Outcome.REFUSED, said)
    guard(session, document(prev=ELSEWHERE))


# -- slips ----------------------------------------------------------------------------------------------------------------


def test_what_a_slip_is_about() -> None:
    one, two = document(), document(orders=["go"])
    named = sorted(map(document_id, (one, two)))
    assert pen.about({"slip": "refusal", "file": PREV, "reason": "x"}) == f"refusal {PREV}" == pen.about_refusal(PREV)
    assert pen.about({"slip": "head", "head": PREV}) == f"head at {PREV}"
    assert pen.about({"slip": "head", "head": PREV, "answers": ELSEWHERE}) == f"head {ELSEWHERE}"
    for files in ([one, two], [two, one]):
        assert pen.about({"slip": "equivocation", "files": files}) == f"equivocation {named[0]} {named[1]}"
    request = {"slip": "request", "text": "?", "player": "nowak"}
    subject = pen.about({**request, "head": PREV, "signature": "x"})
    assert subject == pen.about({**request, "head": ELSEWHERE, "signature": "y"}) == f"request {document_id(request)}"
    assert pen.about({**request, "text": "!", "head": PREV}) != subject


def test_of_one_kind_and_subject_the_first_slip_is_given_out_again(session: Any) -> None:
    first, again = ({"slip": "request", "player": "nowak", "n": n} for n in (1, 2))
    assert pen.write_slip_row(session, first, KEY, "x") == first == pen.write_slip_row(session, again, OTHER_KEY, "x")
    assert pen.write_slip_row(session, again, KEY, "y") == again
    dubois = {**again, "player": "dubois"}
    assert pen.write_slip_row(session, dubois, KEY, "x") == dubois
    with pen.held(session) as rows:
        assert [(row["about"], row["key"], row["seq"]) for row in rows.rows] == [
            ("x", KEY, None),
            ("y", KEY, None),
            ("x", KEY, None),
        ]


def test_an_answer_after_a_loss_is_given_once_by_each_key(session: Any) -> None:
    first, again = ({"slip": "head", "player": "nowak", "answers": PREV, "n": n} for n in (1, 2))
    assert pen.write_slip_row(session, first, OTHER_KEY, "x") == first
    assert pen.write_slip_row(session, again, KEY, "x") == again
    assert pen.write_slip_row(session, {**first, "n": 3}, KEY, "x") == again


def test_a_question_after_a_loss_says_in_which_record_it_was_asked(session: Any) -> None:
    """A copied record has the row too."""
    question, other = {"slip": "restored", "player": "nowak", "asks": PREV}, {"slip": "request", "player": "nowak"}
    for slip in (question, other):
        assert pen.write_slip_row(session, slip, KEY, pen.about(slip)) == slip
    mine = record.identity(home(), session.folder.disk)["record"]
    with pen.held(session) as rows:
        assert [row.get("asked_in") for row in rows.rows] == [mine, None] and "asked_in" not in rows.rows[1]


def test_whoever_has_answered_a_file_does_not_refuse_it(session: Any) -> None:
    signed(session, document())
    slip = {"slip": "refusal", "file": PREV, "player": "nowak"}
    with pytest.raises(ProtocolError) as caught:
        pen.write_slip_row(session, slip, KEY, pen.about(slip))
    said = "you have answered that file with your file 7: who answers a file does not refuse it"
    assert (caught.value.outcome, str(caught.value)) == (Outcome.REFUSED, said)
    other = {**slip, "file": ELSEWHERE}
    assert pen.write_slip_row(session, other, KEY, pen.about(other)) == other


# -- the pen leaves ---------------------------------------------------------------------------------------------------------


def may_leave(session: Any) -> str:
    """Why not; nothing where the pen may go."""
    try:
        with pen.held(session) as rows:
            pen.check_all_is_here(session, rows)
    except ProtocolError as error:
        assert error.outcome is Outcome.REFUSED
        return str(error)
    return ""


@pytest.fixture
def leaving(session: Any) -> Any:
    session.me = SimpleNamespace(player="nowak")
    session.table.ledger = SimpleNamespace(entries=[], gone=[])
    return session


def stays(made: dict[str, Any]) -> str:
    lacking = f"file {made['seq']} ({document_id(made)[:12]}) is signed and not in this log"
    return f"{lacking}: another machine would not know of it, and might sign there again: the pen stays here"


def test_the_pen_is_left_where_the_log_holds_all_that_was_signed(leaving: Any) -> None:
    assert may_leave(leaving) == ""
    signed(leaving, document(player="dubois"))
    pen.write_slip_row(leaving, {"slip": "restored", "player": "nowak", "asks": PREV}, KEY, "a question")
    assert may_leave(leaving) == "", "files of this player count"
    first, made = signed(leaving, document(seq=6)), signed(leaving, document())
    leaving.table.ledger.entries = [SimpleNamespace(id=document_id(first))]
    assert may_leave(leaving) == stays(made)
    leaving.table.ledger.entries += [SimpleNamespace(id=document_id(made))]
    assert may_leave(leaving) == ""


def test_what_was_given_up_does_not_keep_the_pen(leaving: Any) -> None:
    made = signed(leaving, document())
    leaving.withdrawn = lambda: [{"id": document_id(made), "refusal": None}]
    assert may_leave(leaving) == stays(made), "taken out of the log, and in the hands of others"
    leaving.withdrawn = lambda: [{"id": document_id(made), "refusal": {"file": "x"}}]
    assert may_leave(leaving) == ""
    leaving.withdrawn, leaving.table.ledger.gone = list, [document_id(made)]
    assert may_leave(leaving) == ""
    leaving.table.ledger.gone = []
    noted(leaving, "left", made)
    assert may_leave(leaving) == stays(made)
    noted(leaving, "yielded", made)
    assert may_leave(leaving) == ""
    healing = {"type": "heal", "seq": 9, "forked": {"player": "nowak", "seq": 7}, "prev": PREV}
    other = signed(leaving, document(prev=ELSEWHERE))
    leaving.folder.log.files = lambda: [healing]
    assert may_leave(leaving) == stays(other)
    noted(leaving, "healed", healing)
    assert may_leave(leaving) == ""


def test_a_file_that_the_umpire_has_signed_for_this_player_keeps_the_pen_too(leaving: Any) -> None:
    made = document()
    for player, reason in (("dubois", ""), ("nowak", stays(made))):
        with pen.held(leaving) as rows:
            row = {"id": document_id(made), "seq": 7, "prev": PREV, "link": LINK, "by": "smith", "for": player}
            rows.append("shown", row, "t")
        assert may_leave(leaving) == reason
    leaving.table.ledger.entries = [SimpleNamespace(id=document_id(made))]
    assert may_leave(leaving) == ""
