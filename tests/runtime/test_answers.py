"""What answers a question, and what shows or seals a hidden thing: each part by itself, on a table that notes everything."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Commit, Open
from pbem.kernel.orders import unreadable
from pbem.kernel.standing import WhyNot
from pbem.kernel.wording import verbatim
from pbem.protocol import draws
from pbem.protocol.keys import key_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import asking, showing, standing_orders
from pbem.runtime.dues import Due
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.knowledge import Unknown
from pbem.runtime.ledger import ClaimMade, DrawMade, Entry, Fired, Seal, StandingOrder
from tests.runtime.desks import GAME, KEYS, Desk, sealed

A = "aa" * 32


def read(order: Plain) -> Plain:
    if order == "bad" or isinstance(order, list):
        raise unreadable(verbatim("bad"))
    return order


ASK = Ask("red", "x", "4.2", verbatim("march?"), read, ("go", "bad"), scope="here")


@pytest.fixture
def desk() -> Any:
    """File 7 is being taken; the dice come from file 5."""
    desk = Desk()
    desk.ledger.entries = [Entry(str(n), "nowak", "turn") for n in range(8)]
    desk.ledger.source = 5
    return desk


def holds(desk: Any, *clauses: Plain, seq: int = 5, **more: Any) -> StandingOrder:
    desk.ledger.standing.append(StandingOrder(seq, "nowak", "x", [*clauses], **more))
    return desk.ledger.standing[-1]


# -- questions ------------------------------------------------------------------------------------------------------------


def test_the_only_legal_order_comes_before_everything(desk: Any) -> None:
    holds(desk, {"do": "go"})
    hand = Hand("nowak", 7, ["go"])
    assert asking.ask(desk, replace(ASK, forced="halt", default="pass"), hand) is None
    assert desk.engine.given == ["halt"] and hand.next == 0 and desk.ledger.source == 5 and desk.ledger.fired == []


def test_orders_at_hand_answer_and_dice_come_from_them_while_no_die_is_known(desk: Any) -> None:
    holds(desk, {"do": "stay"})
    desk.ledger.rolls = 3
    hand = Hand("nowak", 7, ["go", "go"])
    assert asking.ask(desk, ASK, hand) is None
    assert (desk.engine.given, hand.next, hand.state) == (["go"], 1, "state 0")
    assert (desk.ledger.source, desk.ledger.rolls, desk.ledger.entries[7].decides) == (7, 0, True)
    assert not desk.ledger.entries[6].decides
    assert asking.ask(desk, ASK, hand) is None and hand.state == "state 0", "the state is that of before the first order"


def test_what_is_in_force_answers_first_where_a_die_may_be_known(desk: Any) -> None:
    holds(desk, {"do": "stay"})
    desk.no_die_is_known = False
    hand = Hand("nowak", 7, ["go"])
    assert asking.ask(desk, ASK, hand) is None and desk.engine.given == ["stay"] and hand.next == 0
    desk.ledger.standing.clear()
    assert asking.ask(desk, ASK, hand) is None and desk.engine.given == ["stay", "go"]


def test_an_order_for_another_question_waits_and_what_is_in_force_answers(desk: Any) -> None:
    hand = Hand("nowak", 7, ["march"])
    assert asking.ask(desk, replace(ASK, default="pass"), hand) is None
    assert desk.engine.given == ["pass"] and hand.next == 0
    assert asking.ask(desk, ASK, hand) is None and desk.engine.given == ["pass", "march"], "nothing else is left: it is tried"


@pytest.mark.parametrize("hand", [Hand("yamada", 7, ["go"]), Hand("nowak", 7), Hand("nowak", 7, ["go"], next=1)])
def test_without_orders_of_its_owner_a_question_waits_for_him(desk: Any, hand: Hand) -> None:
    assert asking.ask(desk, ASK, hand) == Due("nowak", "orders", "red", ASK.prompt, "4.2")
    assert desk.engine.given == [] and desk.ledger.source == 5


def test_a_mistake_is_noted_with_its_number_and_the_next_order_is_tried(desk: Any) -> None:
    hand = Hand("nowak", 7, ["go", "bad", "go"], next=1)
    assert asking.ask(desk, ASK, hand) is None and hand.next == 2
    assert [p.order for p in hand.problems] == [1] and desk.ledger.source == 5 and not desk.ledger.entries[7].decides


def test_a_sealed_standing_order_in_force_asks_its_owner_for_the_opening(desk: Any) -> None:
    handle, _ = sealed(desk, "nowak", 5, 0, "go")
    holds(desk, seals=[handle], scopes=[""])
    assert asking.ask(desk, ASK, Hand("yamada", 7)) == Due("nowak", "open", "red", verbatim(handle), "4.2")
    assert desk.engine.given == []


# -- standing orders ----------------------------------------------------------------------------------------------------------


def test_a_clause_answers_and_is_told_with_file_and_number(desk: Any) -> None:
    held = holds(desk, {"do": "stay", "scope": "there"}, {"do": "go", "life": "once"})
    hand = Hand("yamada", 7)
    assert standing_orders.apply(desk, ASK, "nowak", hand) is True
    assert desk.engine.given == ["go"] and desk.ledger.fired == [Fired(7, "red", "x", "go", "clause", 5, 2)]
    assert held.spent == [1], "it answers once"
    assert standing_orders.apply(desk, replace(ASK, default="pass"), "nowak", hand) is True
    why = [WhyNot(1, "scope", "there"), WhyNot(2, "used")]
    assert desk.engine.given == ["go", "pass"]
    assert desk.ledger.fired[1] == Fired(7, "red", "x", "pass", "default", 5, 0, why)
    assert standing_orders.apply(desk, ASK, "nowak", hand) is None, "neither clause nor default: he is asked"


def test_a_clause_for_good_is_not_used_up(desk: Any) -> None:
    held = holds(desk, {"do": "go", "life": "standing"})
    for _ in range(2):
        assert standing_orders.apply(desk, ASK, "nowak", Hand("yamada", 7)) is True
    assert held.spent == [] and len(desk.ledger.fired) == 2


def test_ask_me_beats_the_default(desk: Any) -> None:
    holds(desk, {"do": "ask me"})
    assert standing_orders.apply(desk, replace(ASK, default="pass"), "nowak", Hand("yamada", 7)) is None
    assert desk.engine.given == []


def test_without_a_standing_order_the_default_answers_and_says_that_there_was_none(desk: Any) -> None:
    assert standing_orders.apply(desk, replace(ASK, default="pass"), "nowak", Hand("yamada", 7)) is True
    assert desk.ledger.fired == [Fired(7, "red", "x", "pass", "default", 0, 0, [])]


def test_in_force_is_the_newest_of_its_player_and_kind_of_when_the_dice_were_fixed(desk: Any) -> None:
    old, new = holds(desk, {"do": "a"}, seq=2), holds(desk, {"do": "b"}, seq=5)
    holds(desk, {"do": "c"}, seq=6)
    desk.ledger.standing += [StandingOrder(5, "yamada", "x", []), StandingOrder(5, "nowak", "y", [])]
    assert standing_orders.in_force(desk, "nowak", "x") is new
    desk.ledger.source = 4
    assert standing_orders.in_force(desk, "nowak", "x") is old
    desk.ledger.source = 1
    assert standing_orders.in_force(desk, "nowak", "x") is None


def test_sealed_clauses_are_opened_in_order_until_one_answers(desk: Any) -> None:
    first, one = sealed(desk, "nowak", 5, 0, {"do": "stay", "when": "round > 3"})
    second, two = sealed(desk, "nowak", 5, 1, "go")
    third, _ = sealed(desk, "nowak", 5, 2, "halt")
    holds(desk, {"do": "left over"}, seals=[first, second, third], scopes=["", "here", ""])
    due = standing_orders.apply(desk, ASK, "nowak", Hand("yamada", 7))
    assert due == Due("nowak", "open", "red", verbatim(first), "4.2")
    hand = Hand("nowak", 7, supply=FileSupply([one]))
    assert standing_orders.apply(desk, ASK, "nowak", hand) == Due("nowak", "open", "red", verbatim(second), "4.2")
    assert hand.openings == [one] and desk.engine.given == []
    hand = Hand("nowak", 8, supply=FileSupply([two]))
    assert standing_orders.apply(desk, ASK, "nowak", hand) is True
    assert desk.engine.given == ["go"] and hand.openings == [two], "the third stays sealed"
    assert desk.ledger.fired == [Fired(8, "red", "x", "go", "clause", 5, 2)]


def test_a_sealed_clause_of_another_scope_stays_sealed_and_one_that_cannot_be_read_never_applies(desk: Any) -> None:
    elsewhere, _ = sealed(desk, "nowak", 5, 0, "halt")
    odd, opening = sealed(desk, "nowak", 5, 1, {"do": "go", "odd": 1})
    empty, nothing = sealed(desk, "nowak", 5, 2, None)
    held = holds(desk, seals=[elsewhere, odd, empty], scopes=["there", "here", ""])
    hand = Hand("nowak", 7, supply=FileSupply([opening, nothing]))
    assert standing_orders.apply(desk, replace(ASK, default="pass"), "nowak", hand) is True
    assert desk.engine.given == ["pass"] and held.clauses == [{"do": "ask me", "when": "never"}] * 3
    assert [w.reason for w in desk.ledger.fired[0].why] == ["condition"] * 3


def test_in_version_1_a_sealed_bare_answer_never_applies(desk: Any) -> None:
    handle, opening = sealed(desk, "nowak", 5, 0, {"go": 1})
    desk.charter.version = 1
    holds(desk, seals=[handle], scopes=[""])
    assert standing_orders.apply(desk, replace(ASK, default="pass"), "nowak", Hand("nowak", 7, supply=FileSupply([opening])))
    assert desk.engine.given == ["pass"]
    desk.charter.version = 2
    assert standing_orders.apply(desk, ASK, "nowak", Hand("nowak", 7)) and desk.engine.given == ["pass", {"go": 1}]


# -- hidden things ------------------------------------------------------------------------------------------------------------


def test_what_is_behind_a_handle_is_shown_by_its_owner_once(desk: Any) -> None:
    handle, entry = sealed(desk, "nowak", 5, 0, "ace")
    shown = Open("red", handle, "7.1", shows="ace")
    assert showing.show(desk, shown, Hand("yamada", 7, supply=FileSupply([entry]))) == Due(
        "nowak", "open", "red", verbatim(handle), "7.1"
    )
    assert showing.show(desk, shown, Hand("nowak", 7)) is not None and desk.ledger.opened == {}
    hand = Hand("nowak", 7, supply=FileSupply([entry]))
    assert showing.show(desk, shown, hand) is None
    assert desk.engine.given == ["ace"] and hand.openings == [entry] and desk.ledger.opened == {handle: "ace"}
    assert showing.show(desk, replace(shown, shows=None), Hand("yamada", 8)) is None, "everybody has seen it"
    with pytest.raises(ProtocolError) as refused:
        showing.show(desk, replace(shown, shows="king"), Hand("yamada", 8))
    assert refused.value.outcome is Outcome.BAD_OPENING
    assert str(refused.value) == f"{handle} is not king: the order names another card than the hand holds"


def test_a_drawn_item_belongs_to_who_drew_it_and_a_handle_of_nobody_to_nobody(desk: Any) -> None:
    desk.ledger.draws = [DrawMade(0, "nowak", "red", A, 5, 1)]
    for handle in ("red:draw0:0", "red:draw9:0"):
        assert showing.opening(desk, handle, Hand("nowak", 7)) is showing.MISSING
    handle, entry = sealed(desk, "yamada", 5, 0, "ace")
    assert showing.opening(desk, handle, Hand("nowak", 7, supply=FileSupply([entry]))) is showing.MISSING
    salt, key = bytes(32), key_bytes(KEYS["nowak"])
    desk.ledger.draws[0].base[:] = ["ace"]
    desk.ledger.commits["nowak 0"] = [draws.commitment(GAME, key, 0, 0, salt, "ace")]
    desk.ledger.committed_in["nowak 0"] = 6
    drawn = [{"handle": "red:draw0:0", "item": "ace", "salt": salt.hex()}]
    assert showing.opening(desk, "red:draw0:0", Hand("yamada", 7, supply=FileSupply([*drawn]))) is showing.MISSING
    assert showing.opening(desk, "red:draw0:0", Hand("nowak", 7, supply=FileSupply([*drawn]))) == "ace"


def test_a_statement_is_its_owners_and_kept_for_the_audit(desk: Any) -> None:
    claim = Claim("red", "holds", verbatim("ace"), "7.2", lambda reveal: True)
    due = Due("nowak", "claim", "red", verbatim("holds ace"), "7.2")
    told = showing.state(desk, claim, Hand("yamada", 7, supply=FileSupply([{"claim": 0, "value": True}])))
    assert told is not None and replace(told, detail=due.detail) == due and str(told.detail) == "holds ace"
    assert showing.state(desk, claim, Hand("nowak", 7)) is not None and desk.ledger.claims == []
    entry: dict[str, Plain] = {"claim": 0, "value": True}
    hand = Hand("nowak", 7, supply=FileSupply([entry]))
    assert showing.state(desk, claim, hand) is None and desk.engine.given == [True] and hand.openings == [entry]
    assert desk.ledger.claims == [ClaimMade(0, "nowak", "red", "holds", "ace", "7.2", True, 7)]
    hand = Hand("nowak", 8, supply=FileSupply([{"claim": 1, "value": "bad"}]))
    refused = showing.state(desk, claim, hand)
    assert refused is not None and (refused.player, refused.what, refused.seat, refused.rule) == (
        "nowak",
        "claim",
        "red",
        "7.2",
    )
    assert str(refused.detail) == "holds ace" and len(hand.problems) == 1


COMMIT = Commit("red", "bid", "8.1", verbatim("bid?"), read)


def test_a_seal_is_the_next_order_of_its_owner(desk: Any) -> None:
    due = Due("nowak", "seal", "red", COMMIT.prompt, "8.1")
    for hand in (Hand("yamada", 7, [{"sealed": A}]), Hand("nowak", 7), Hand("nowak", 7, ["x"], next=1)):
        assert showing.commit(desk, COMMIT, hand) == due and desk.ledger.seals == {}
    hand = Hand("nowak", 7, [{"sealed": A}, {"sealed": "bb" * 32}])
    assert showing.commit(desk, COMMIT, hand) is None and showing.commit(desk, COMMIT, hand) is None
    assert desk.ledger.seals == {
        "red:seal7:0": Seal("nowak", 7, 0, A, "bid"),
        "red:seal7:1": Seal("nowak", 7, 1, "bb" * 32, "bid"),
    }
    assert desk.engine.given == ["red:seal7:0", "red:seal7:1"] and hand.seals == 2 and desk.ledger.source == 7


@pytest.mark.parametrize("order", ["5", {"sealed": "short"}, {"sealed": A, "more": 1}, {"sealed": 5}])
def test_an_order_that_should_be_sealed_stands_there_openly(desk: Any, order: Plain) -> None:
    hand = Hand("nowak", 7, [order, "go"])
    assert showing.commit(desk, COMMIT, hand) is None
    [problem] = hand.problems
    assert (problem.order, str(problem.legal), problem.rule) == (0, "sealed: <hash>", "protocol"), problem
    assert (
        problem.verdict == "cannot be read"
        and str(problem.reason) == "bid must be sealed"
        and desk.ledger.seals == {}
        and desk.engine.given == []
    )
    assert hand.next == 2, "what stands behind it belongs to later questions"
    assert hand.unsealed is not None and (hand.unsealed.at, hand.unsealed.seat, hand.unsealed.read) == (0, "red", read)


class Knows(FileSupply):
    """The owner's own program, which knows what he seals."""

    def __init__(self, held: dict[str, Plain]) -> None:
        super().__init__([])
        self.held = held

    def reveal(self, handle: str) -> Plain:  # type: ignore[override]
        if handle not in self.held:
            raise Unknown(handle)
        return self.held[handle]


def test_the_owners_program_alone_looks_at_what_he_seals(desk: Any) -> None:
    hand = Hand("nowak", 7, [{"sealed": A}], Knows({"red:seal7:0": "bad"}))
    assert showing.commit(desk, COMMIT, hand) is None and [p.order for p in hand.problems] == [0]
    hand = Hand("nowak", 7, [{"sealed": A}], Knows({"red:seal7:0": "good"}))
    assert showing.commit(desk, COMMIT, hand) is None and hand.problems == []
    hand = Hand("nowak", 7, [{"sealed": A}], Knows({}))
    showing.commit(desk, COMMIT, hand)
    assert [str(p.reason) for p in hand.problems] == ["sealed for another seat than red"]
