"""Holds part by part: what cannot be held, the facts that their owner alone knows, which clause gives which order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.orders import Problem, Rejected, illegal
from pbem.kernel.wording import verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import holds
from pbem.runtime.taking import Refused
from tests.runtime.test_counting_parts import ask

MARCH = ask("march", "go", "halt", "ace", facts={"month": 2})
HAND = {"h1": "ace", "h2": "king"}


class Held(Struct, frozen=True):
    """What a player knows; `ledger`: of which table."""

    ledger: str = "before"
    asked: list[str] = field(default_factory=list)

    def hand(self, seat: str) -> dict[str, str]:
        self.asked.append(seat)
        return HAND

    def reveal(self, handle: str) -> str:
        return f"{handle} of {self.ledger}"


class Game:
    hidden_hands = True
    behind: dict[Any, Any] = {}  # what is asked behind an answer

    def hand_options(self, state: Any, ask: Any, hand: Any) -> list[str]:
        assert (state, hand) == ("state", HAND) and isinstance(ask, Ask)
        return [f"play {card}" for card in hand.values()]

    def facts(self, state: Any, seat: str) -> dict[str, int]:
        assert (state, seat) == ("state", "red")
        return {"at": 3}

    def spelled_out(self, state: Any, seat: str, order: Plain, hand: Any) -> Plain:
        assert (state, seat) == ("state", "red")
        return hand.get(order, order) if isinstance(order, str) else order


def table(*requests: Any, ledger: str = "before", **game: Any) -> Any:
    """One at which the player is asked the first of these."""
    played = Game()
    for name, value in game.items():
        setattr(played, name, value)
    engine = SimpleNamespace(state="state", request=requests[0] if requests else None)
    at = SimpleNamespace(game=played, engine=engine, ledger=ledger, rest=requests[1:])
    at.fork = lambda: _copy(at)
    return at


def _copy(at: Any) -> Any:
    """One at which the question may be answered: what comes of it is in `behind`."""
    copy = table(at.engine.request, ledger=f"behind {at.ledger}")
    copy.game = at.game

    def reply(order: Plain) -> None:
        copy.engine.request, copy.engine.state = at.game.behind.get(order), f"behind {order}"

    copy.engine.reply = reply
    return copy


@pytest.fixture(autouse=True)
def nowak_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def question_of(at: Any, player: str) -> Any:
        return at.engine.request if player == "nowak" else None

    monkeypatch.setattr(holds, "question_of", question_of)


def given(held: dict[str, Plain], at: Any, player: str = "nowak", **seen: Any) -> list[Plain]:
    tried: list[list[Plain]] = seen.get("tried", [])

    def try_out(orders: list[Plain]) -> Any:
        tried.append([*orders])
        if orders[-1] in seen.get("refused", ()):
            raise Refused([])
        return table(*at.rest[len(orders) - 1 :], ledger=f"behind {len(orders)}")

    return holds.orders(at, player, held, Held(), try_out)  # type: ignore[arg-type]


def refused(kind: str, plain: Plain) -> str:
    with pytest.raises(Rejected) as caught:
        holds.check(kind, plain)
    [problem] = caught.value.problems
    return str(problem)


def test_a_hold_is_read_like_a_standing_order_and_has_no_life() -> None:
    holds.check("stop", [{"do": "stop", "when": "month = 1"}, {"do": "let pass", "life": "standing"}])
    assert refused("stop", [{"do": "stop", "life": "once"}]) == "cannot be read: stop: a hold has no `life`"
    assert "stop" in refused("stop", [{"do": "stop", "if": "x"}]) and "unknown key" in refused("stop", [{"do": "x", "if": "x"}])


HIDE = Commit("red", "hide", "F", verbatim("hide"), lambda order: order, default="none")
SEALED = ["none", "done", {"row": 1}, {"row": 2}]  # of which two do anything


@pytest.fixture
def listing(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Of what is listed: at which position, with whose knowledge."""
    asked: list[Any] = []

    def proposals(at: Any, seal: Any, knowledge: Any) -> list[Plain]:
        asked.append((at.engine.state, seal, knowledge.ledger))
        return SEALED

    monkeypatch.setattr(holds, "proposals", proposals)
    return asked


def facts(at: Any, ask: Any, known: Any = None) -> dict[str, int]:
    return dict(holds.OwnFacts(at, ask, known or Held()))


def test_how_many_answers_his_cards_give_is_known_to_their_owner_alone() -> None:
    known = Held()
    assert facts(table(MARCH), MARCH, known) == {"own-answers": 2, "open-answers": 3} and known.asked == ["red"]
    found = holds.OwnFacts(table(MARCH), MARCH, known)  # type: ignore[arg-type]
    assert [*found] == ["own-answers", "open-answers"] and len(found) == 2 and "month" not in found
    with pytest.raises(KeyError, match="month"):
        found["month"]


def test_what_may_be_sealed_behind_a_word_is_counted_and_no_open_answer(listing: list[Any]) -> None:
    secret = replace(MARCH, options=lambda: ["go", {"go": 1}, "done", "secret"])
    other = replace(HIDE, seat="blue")
    behind: dict[str, Any] = {"secret": HIDE, "go": other, "done": HIDE}
    at = table(secret, hidden_hands=False, behind=behind)
    assert facts(at, secret) == {"own-answers": 2, "open-answers": 2}
    assert listing == [("behind secret", HIDE, "behind before")], "of his own seal, with what he knows there"
    assert facts(table(secret, hidden_hands=False, behind={"go": other}), secret) == {"open-answers": 3}
    several = Simultaneous((secret,), "F")
    assert facts(table(several, hidden_hands=False, behind=behind), secret) == {"open-answers": 3}, "it is not answered alone"
    assert facts(table(hidden_hands=False, behind=behind), secret) == {"open-answers": 3}


def test_of_a_question_for_a_seal_there_is_what_he_could_seal(listing: list[Any]) -> None:
    assert facts(table(HIDE), HIDE) == {"own-answers": 2} and listing == [("state", HIDE, "before")]
    found = holds.OwnFacts(table(HIDE), HIDE, Held())  # type: ignore[arg-type]
    assert (found["own-answers"], found["own-answers"], len(listing)) == (2, 2, 2), "once"


def test_why_his_holds_leave_a_question_to_him() -> None:
    def why(ask: Any, clauses: Plain, kind: str = "") -> list[tuple[int, str]]:
        found = holds.why_asked(table(ask), ask, {kind or ask.kind: clauses}, Held())  # type: ignore[arg-type]
        return [(one.clause, one.reason) for one in found]

    later: Plain = {"when": "month = 1", "do": "go"}
    assert why(MARCH, [later, {"do": "charge"}, {"do": "ask me"}]) == [(1, "condition"), (2, "illegal"), (3, "asks")]
    assert why(MARCH, [{"when": "month = 2", "do": "charge"}]) == [(1, "illegal")], "by the facts of the question"
    assert why(MARCH, [{"when": "at = 3", "do": "charge"}]) == [(1, "illegal")], "by those of the game"
    assert why(MARCH, [later, {"do": "go"}]) == [] == why(MARCH, [later], "stop")

    def judge(order: Plain, reveal: Any) -> None:
        if order == "ten":
            raise illegal(verbatim("too many"), "F")

    hide = replace(HIDE, judge=judge)
    clauses: Plain = [{"when": "at = 4", "do": "two"}, {"do": "ten"}, {"do": "ask me", "when": "at = 3"}, {"do": "two"}]
    assert why(hide, clauses) == [(1, "condition"), (2, "illegal"), (3, "asks")], "what stands behind it is not looked at"
    assert why(hide, [{"do": "ten"}]) == [(1, "illegal")] and why(hide, [{"do": "ten"}, {"do": "two"}]) == []
    told = holds.why_asked(table(hide), hide, {"hide": clauses}, Held())  # type: ignore[arg-type]
    assert [str(one.detail) for one in told] == ["at = 4", "not allowed: too many [F]", "at = 3"]


def test_how_far_they_answer_a_file() -> None:
    stop = replace(MARCH, kind="stop")

    def try_out(orders: list[Plain]) -> Any:
        if "halt" in orders:
            raise Refused([Problem("not allowed", verbatim("too late"), "E")])
        return table(*(MARCH, stop)[len(orders) :], ledger="behind")

    found = holds.course(table(MARCH), "nowak", {"march": "go"}, Held(), try_out)  # type: ignore[arg-type]
    assert (found.given, found.refused, found.asked("nowak")) == (["go"], "", stop)
    found = holds.course(table(MARCH), "nowak", {"march": "go", "stop": "halt"}, Held(), try_out)  # type: ignore[arg-type]
    assert (found.given, str(found.refused), found.asked("nowak")) == (["go"], "not allowed: too late [E]", stop)


@pytest.mark.parametrize(
    ("clauses", "order"),
    [
        ("go", "go"),
        ([{"when": "month = 2", "do": "go"}], "go"),
        ([{"when": "month = 1", "do": "go"}, {"do": "halt"}], "halt"),
        ([{"when": "at = 3", "do": "go"}], "go"),
        ([{"when": "own-answers = 2", "do": "go"}], "go"),
        ([{"when": "own-answers = 0", "do": "go"}], None),
        ("h1", "ace"),
        ("charge", None),
        ("ask me", None),
    ],
)
def test_the_first_clause_that_applies_gives_the_order(clauses: Plain, order: Plain) -> None:
    assert given({"march": clauses}, table(MARCH)) == ([] if order is None else [order])


def test_a_game_without_hidden_hands_has_none_to_look_into() -> None:
    at = table(MARCH, hidden_hands=False, spelled_out=lambda state, seat, order, hand: order if hand == {} else "halt")
    assert given({"march": "go"}, at) == ["go"]


def test_nothing_is_answered_that_is_not_held_or_not_asked_of_him() -> None:
    assert given({"stop": "go"}, table(MARCH)) == []
    assert given({"march": "go"}, table(MARCH), player="yamada") == []
    assert given({"march": "go"}, table()) == []


def test_one_file_holds_all_orders_or_none() -> None:
    tried: list[list[Plain]] = []
    stop = replace(MARCH, kind="stop")
    held: dict[str, Plain] = {"march": "go", "stop": "halt"}
    assert given(held, table(MARCH, stop), tried=tried) == ["go", "halt"] and tried == [["go"], ["go", "halt"]]
    assert given({"march": "go"}, table(MARCH, stop)) == [], "the second is his own matter"
    assert given(held, table(MARCH, stop), refused=("halt",)) == [] == given(held, table(MARCH, stop), refused=("go",))

    def failing(orders: list[Plain]) -> Any:
        raise ProtocolError(Outcome.DIVERGED, verbatim("programs differ"))

    with pytest.raises(ProtocolError):
        holds.orders(table(MARCH), "nowak", held, Held(), failing)  # type: ignore[arg-type]


def test_what_is_sealed_is_judged_by_what_its_owner_knows_there() -> None:
    seen: list[str] = []

    def judge(order: Plain, reveal: Any) -> None:
        seen.append(f"{order}: {reveal('h')}")
        if order == "ten":
            raise illegal(verbatim("too many"), "F")

    hide = Commit("red", "hide", "F", verbatim("hide"), lambda order: order, judge=judge)
    assert given({"hide": [{"do": "ten"}, {"do": "two"}, {"do": "one"}]}, table(hide)) == [{"seal": "two", "seat": "red"}]
    assert seen == ["ten: h of before", "two: h of before"]
    del seen[:]
    assert given({"march": "go", "hide": "two"}, table(MARCH, hide)) == ["go", {"seal": "two", "seat": "red"}]
    assert seen == ["two: h of behind 1"], "of the table behind his own orders"
    for clauses in ("ten", "ask me", [{"do": "ask me"}, {"do": "two"}], [{"when": "at = 4", "do": "two"}]):
        assert given({"hide": clauses}, table(hide)) == []
    assert given({"hide": [{"when": "at = 3", "do": "two"}]}, table(hide)) == [{"seal": "two", "seat": "red"}]
    assert given({"hide": "h1"}, table(hide)) == [{"seal": "ace", "seat": "red"}]
