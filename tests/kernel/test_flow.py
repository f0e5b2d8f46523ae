"""What a rule may ask: requests, their defaults, and the line by which a journal knows them."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.flow import Ask, Claim, Commit, Draw, Open, PrivateRoll, Roll, Simultaneous, fingerprint, same
from pbem.kernel.orders import Rejected, illegal


def ask(seat: str = "red", kind: str = "move") -> Ask:
    return Ask(seat, kind, "4.1", "move something", lambda order: order)


@pytest.mark.parametrize(
    ("request_", "line"),
    [
        (ask(), "ask | red | move | 4.1 | month 3"),
        (Simultaneous((ask("red", "bid"), ask("blue", "other")), "5"), "simultaneous | red,blue | bid | 5 | month 3"),
        (Roll("weather", 2, 6, "7", "blue"), "roll | 2d6 | weather | 7 | month 3"),
        (PrivateRoll("red", "scouting", 1, 10, "8"), "private roll | red | scouting | 8 | month 3"),
        (Draw("red", "deck", ("a", "b"), (), 2, "9"), "draw | red | 2 from deck | 9 | month 3"),
        (Commit("red", "garrison", "10", "hide men", int), "commit | red | garrison | 10 | month 3"),
        (Open("red", "red:draw0:1", "11"), "open | red | red:draw0:1 | 11 | month 3"),
        (Claim("red", "no truce", "month 3", "12", lambda reveal: True), "claim | red | no truce month 3 | 12 | month 3"),
    ],
)
def test_a_request_has_one_public_line(request_: Any, line: str) -> None:
    assert fingerprint(request_, "month 3") == line


def test_a_question_offers_nothing_and_takes_a_standing_answer_as_it_stands_unless_it_says_otherwise() -> None:
    plain = ask()
    assert plain.options() == () and plain.policy({"a": 1}) == {"a": 1}
    assert (plain.verbs, plain.scope, plain.facts, plain.forced, plain.default, plain.reaction) == (
        (),
        "",
        {},
        None,
        None,
        False,
    )
    assert Roll("x", 1, 6, "7").against is None and Open("red", "h", "11").shows is None


def test_equal_in_kind_too() -> None:
    assert same(1, 1) and same({"a": 1, "b": 2}, {"b": 2, "a": 1}) and same([True], [True])
    assert not same(1, True) and not same([0], [False]) and not same("1", 1) and not same([1, 2], [2, 1])


def test_a_claim_is_the_truth_itself_unless_the_rule_allows_more() -> None:
    claim = Claim("red", "high", "scouting", "12", lambda reveal: reveal("h"))
    assert claim.truth(lambda handle: handle + "!") == "h!"
    assert claim.read([1, [2]]) == (1, [2]) and claim.read("high") == "high" and claim.read(None) is None
    assert claim.allowed(4, 4) and not claim.allowed(4, 5) and not claim.allowed(1, True)


def test_what_is_hidden_is_read_and_then_judged_by_what_the_owner_knows() -> None:
    heard: list[Any] = []

    def read(order: Any) -> Any:
        heard.append(order)
        if order == "no":
            raise illegal("no", "10")

    def judge(order: Any, reveal: Any) -> None:
        if reveal("h") < order:
            raise illegal(f"{order} men are not there", "10")

    open_to_all, judged = (
        Commit("red", "men", "10", "hide men", read),
        Commit("red", "men", "10", "hide men", read, judge=judge),
    )
    assert open_to_all.options() == () and open_to_all.default is None
    open_to_all.check(5, lambda handle: 3)
    judged.check(3, lambda handle: 3)
    assert heard == [5, 3]
    with pytest.raises(Rejected, match="4 men are not there"):
        judged.check(4, lambda handle: 3)
    for commit in (open_to_all, judged):
        with pytest.raises(Rejected, match="not allowed: no"):
            commit.check("no", lambda handle: 3)
