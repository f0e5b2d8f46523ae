"""Who sends what, what an umpire may send for others, what a file brings beside its orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.kernel.wording import verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import contents, dues, umpire
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import DrawMade, Rolled, Seal, StandingOrder
from tests.runtime.desks import Desk

A, B = "aa" * 32, "bb" * 32


def refused(attempt: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        attempt()
    return caught.value.outcome, str(caught.value)


# -- who sends what ---------------------------------------------------------------------------------------------------


def test_who_has_to_send_what_is_said_with_his_name() -> None:
    told = "nowak has to send a file that turns the dice"
    assert str(dues.sends(Due("nowak", "witness", "red", verbatim("x")))) == told
    assert str(dues.sends(Due("smith", "accept"))) == "smith has to send an answer to an offer"
    assert dues.SENDS["accept"].args == {}


# -- the umpire for another player ------------------------------------------------------------------------------------


def stand_in(**more: Any) -> dict[str, Any]:
    return {"type": "turn", "player": "nowak", "signed_by": "smith", "link": A, **more}


@pytest.mark.parametrize("what", ["witness", "start"])
def test_the_umpire_may_show_a_link_that_is_due(what: str) -> None:
    desk: Any = Desk(due=Due("nowak", what))
    empty = dict.fromkeys(("orders", "open", "standing", "slips"))
    full = dict.fromkeys(("pbem", "game", "seq", "prev", "state", "dice", "note", "signature"), "x")
    umpire.check_stand_in(desk, stand_in())
    umpire.check_stand_in(desk, stand_in(**full, **empty))
    umpire.check_stand_in(desk, {"type": "seat", "player": "yamada", "orders": ["x"]})  # signed by nobody else


@pytest.mark.parametrize("what", ["orders", "open", "claim", "seal", "draws", "accept", "nothing"])
def test_the_umpire_decides_nothing_for_others(what: str) -> None:
    words = (Outcome.REFUSED, "the umpire shows a link that is due; decisions stay with their owner")
    desk: Any = Desk(due=Due("nowak", what))
    assert refused(lambda: umpire.check_stand_in(desk, stand_in())) == words
    desk.due = Due("nowak", "witness")
    assert refused(lambda: umpire.check_stand_in(desk, stand_in(player="yamada"))) == words
    assert refused(lambda: umpire.check_stand_in(desk, stand_in(type="seat"))) == words
    more = stand_in(slips=["x"], orders=["x"], open=[])
    assert refused(lambda: umpire.check_stand_in(desk, more)) == (Outcome.REFUSED, "the umpire brings no orders, slips")


@pytest.mark.parametrize("what", ["orders", "open", "claim", "seal", "witness", "start"])
def test_the_umpire_may_show_the_link_that_turns_dice_before_an_opening_or_a_claim(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk: Any = Desk(due=Due("nowak", what))
    for owed in (0, 1, 4):
        monkeypatch.setattr(umpire.seats, "dice_owed", lambda table, owed=owed: owed if table is desk else -1)
        assert umpire.may_show(desk) is (what in ("witness", "start") or (what in ("open", "claim") and owed > 0))


def test_a_file_as_the_ledger_keeps_it() -> None:
    own = umpire.entry({"player": "nowak", "type": "turn", "link": A}, "id")
    assert (own.id, own.player, own.type, own.link, own.signed_by, own.decides) == ("id", "nowak", "turn", A, "", False)
    assert umpire.entry(stand_in(), "id").signed_by == "smith"


# -- standing orders that a file brings -------------------------------------------------------------------------------


def test_standing_orders_are_taken_by_kind_and_count_from_this_file_on() -> None:
    desk: Any = Desk()
    hand = Hand("nowak", 7, ["sealed", {"move": 1}, {"sealed": A}, {"sealed": B, "x": 1}])
    shown = {"seal": B, "scope": "battle:x"}
    contents.take_standing(
        desk,
        {"standing": {"b": "go", "a": [{"do": "x", "life": "once"}]}, "standing_sealed": {"d": [A], "c": [B, shown]}},
        hand,
    )
    clause = {"do": "x", "when": "", "scope": "", "life": "once"}
    assert hand.problems == [] and desk.ledger.standing == [
        StandingOrder(7, "nowak", "a", [clause]),
        StandingOrder(7, "nowak", "b", [{**clause, "do": "go", "life": "standing"}]),
        StandingOrder(7, "nowak", "c", [], ["nowak:seal7:2", "nowak:seal7:3"], ["", "battle:x"]),
        StandingOrder(7, "nowak", "d", [], ["nowak:seal7:4"], [""]),
    ], "numbers go on behind the sealed orders of the file"
    assert desk.ledger.seals == {
        "nowak:seal7:2": Seal("nowak", 7, 2, B, "c"),
        "nowak:seal7:3": Seal("nowak", 7, 3, B, "c"),
        "nowak:seal7:4": Seal("nowak", 7, 4, A, "d"),
    }


def test_one_standing_order_that_cannot_be_read_keeps_no_other_back() -> None:
    desk: Any = Desk()
    hand = Hand("nowak", 7)
    contents.take_standing(desk, {"standing": {"a": [{"do": "x", "odd": 1}], "b": "go"}}, hand)
    assert [s.kind for s in desk.ledger.standing] == ["b"] and len(hand.problems) == 1
    contents.take_standing(desk, {}, hand)
    contents.take_standing(desk, {"standing": None, "standing_sealed": None}, hand)
    assert len(desk.ledger.standing) == 1


# -- commitments ------------------------------------------------------------------------------------------------------


def drawn(*numbers: int, items: int = 2) -> Any:
    desk = Desk()
    desk.ledger.draws = [DrawMade(j, "nowak", "red", "cd" * 32, 5, items) for j in numbers]
    return desk


def given(*numbers: int, seq: int = 6, items: int = 2) -> dict[str, Any]:
    return {"seq": seq, "commit": [{"draw": j, "items": [A, B][:items]} for j in numbers]}


def test_commitments_that_are_owed_are_taken_once() -> None:
    desk = drawn(0, 1)
    contents.take_commits(desk, given(0, 1), "nowak", before=False)
    assert desk.ledger.commits == {"nowak 0": [A, B], "nowak 1": [A, B]}
    assert desk.ledger.committed_in == {"nowak 0": 6, "nowak 1": 6} and desk.ledger.uncommitted("nowak") == []
    contents.take_commits(desk, given(0, 1), "nowak", before=False)  # the same file, looked at once more
    twice = (Outcome.BAD_OPENING, "nowak commits to a draw twice")
    assert refused(lambda: contents.take_commits(desk, given(1, seq=7), "nowak", before=False)) == twice
    assert refused(lambda: contents.take_commits(drawn(0), given(0, 0), "nowak", before=False)) == twice
    contents.take_commits(desk, {"seq": 7}, "nowak", before=False)
    contents.take_commits(desk, {"seq": 7, "commit": None}, "yamada", before=False)


def test_commitments_that_are_owed_unasked_or_short_are_refused() -> None:
    def refusal(desk: Any, document: dict[str, Any], before: bool = False) -> tuple[Outcome, str]:
        return refused(lambda: contents.take_commits(desk, document, "nowak", before=before))

    assert refusal(drawn(0, 1), given(0)) == (Outcome.BAD_OPENING, "nowak owes commitments to draw 1")
    assert refusal(drawn(0), {"seq": 6}) == (Outcome.BAD_OPENING, "nowak owes commitments to draw 0")
    assert refusal(drawn(0), given(0, items=1)) == (Outcome.BAD_OPENING, "draw 0 has 2 items")
    assert refusal(drawn(0), given(0, 5, 3)) == (Outcome.BAD_OPENING, "commits to draw 3, which was not made")
    assert refusal(drawn(), given(4)) == (Outcome.BAD_OPENING, "commits to draw 4, which was not made")
    early = drawn(0)
    contents.take_commits(early, given(0, 5), "nowak", before=True)  # draw 5 may come of this very file's link
    assert [*early.ledger.commits] == ["nowak 0"]


def test_an_opening_in_the_file_that_turned_the_draw_is_committed_to_first() -> None:
    desk = drawn(0)
    document = {**given(0, 5), "player": "nowak", "open": [{"handle": "red:draw0:0", "item": "ace"}]}
    supply = contents.Received(desk, document)
    assert desk.ledger.commits == {}
    assert supply.opening("red:draw0:0") == {"handle": "red:draw0:0", "item": "ace"} and supply.opening("red:draw0:0") is None
    assert desk.ledger.commits == {"nowak 0": [A, B]}
    assert contents.Received(desk, {"player": "yamada", "seq": 6}).opening("x") is None


# -- what a file must bring, and its record ---------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["orders", "open", "claim", "seal", "accept"])
def test_a_file_that_brings_nothing_of_what_is_asked_is_refused(what: str) -> None:
    due, turn = Due("nowak", what, "red", verbatim("march")), {"type": "turn"}
    words = (Outcome.REFUSED, f"brings nothing of what is asked: {what} (march)")
    assert refused(lambda: contents.check_brings_something(due, turn, Hand("nowak", 7, ["go"]))) == words
    contents.check_brings_something(due, turn, Hand("nowak", 7, ["go"], next=1))
    contents.check_brings_something(due, turn, Hand("nowak", 7, openings=[{"handle": "a"}]))
    contents.check_brings_something(due, {"type": "offer"}, Hand("nowak", 7))
    for automatic in ("start", "witness", "draws"):
        contents.check_brings_something(Due("nowak", automatic), turn, Hand("nowak", 7))


def test_the_senders_record_of_dice_and_state_is_compared_with_ours() -> None:
    desk: Any = Desk()
    one, two = Rolled(3, 0, "first", 6, "1", [2, 5]), Rolled(3, 1, "second", 10, "2", [9])
    hand = Hand("nowak", 7, turned=[one, two])
    mine = [contents.record(one), contents.record(two)]
    assert mine[0] == {"roll": 0, "label": "first", "sides": 6, "dice": [2, 5]}
    contents.check_record({"dice": mine}, hand, desk)
    contents.check_record({"dice": mine, "state": "state 0"}, hand, desk)
    contents.check_record({}, Hand("nowak", 7), desk)
    for theirs, at in (([mine[0], {**mine[1], "dice": [8]}], 1), ([], 0), (mine[:1], 1), ([*mine, mine[0]], 2)):
        with pytest.raises(ProtocolError) as caught:
            contents.check_record({"dice": theirs}, hand, desk)
        words = f"roll {at}: file says {theirs[at : at + 1]}, the seed gives {mine[at : at + 1]}"
        assert (caught.value.outcome, str(caught.value.message), caught.value.path) == (Outcome.BAD_DICE, words, f"dice {at}")
    hand.state = "0123456789abcdefXYZ"
    with pytest.raises(ProtocolError) as caught:
        contents.check_record({"dice": mine, "state": "fedcba9876543210XYZ"}, hand, desk)
    words = "state before the orders: file says fedcba9876543210, here it is 0123456789abcdef"
    assert (caught.value.outcome, str(caught.value)) == (Outcome.DIVERGED, words)
    contents.check_record({"dice": mine, "state": hand.state}, hand, desk)
