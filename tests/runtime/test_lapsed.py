"""Sealed steps of a plan that lapsed, on a tiny game: which of them answered, and what their owner's program says of each."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit, Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import english, verbatim
from pbem.runtime import lapsed as module
from pbem.runtime.knowledge import Unknown
from pbem.runtime.lapsed import answered_by, lapsed
from pbem.runtime.ledger import Fired, PlanHeld
from tests.runtime.one_segment import OneSegment
from tests.runtime.test_counting_parts import ask
from tests.toygame.skirmish import SkirmishState

PLAY: list[Ask | Commit] = []
SEALS = ["red:seal3:0", "", "red:seal3:2"]
KNOWN = {"red:seal3:0": "two", "red:seal3:2": "ten", "red:seal9:9": "ten"}


def playing(g: SkirmishState) -> Flow[None]:
    """[C] What a test wants."""
    for one in PLAY:
        g.losses.append(str((yield one)))


class Hiding(OneSegment):
    name, title = "hiding", "Hiding"
    segments = {"playing": playing}


def fired(seq: int, clause: int, by: Any = "plan", order: Plain = None, file: int = 3) -> Fired:
    return Fired(seq, "red", "hide", {"sealed": 1} if order is None else order, by, file, clause)


def plan(seq: int = 3, player: str = "nowak") -> PlanHeld:
    return PlanHeld(seq, player, 1, [], SEALS, [])


def ledger(*made: Fired, plans: tuple[PlanHeld, ...] = (plan(),)) -> Any:
    return SimpleNamespace(plans=[*plans], fired=[*made])


# -- which of them answered -----------------------------------------------------------------------------------------------


def test_sealed_steps_of_ones_own_plans_by_file() -> None:
    one, three, late = fired(7, 1), fired(7, 3), fired(8, 1)
    assert answered_by(ledger(one, three, late), "nowak", [7]) == {7: [("red:seal3:0", one), ("red:seal3:2", three)]}
    assert answered_by(ledger(one, three, late), "nowak", iter([8, 7])) == {
        7: [("red:seal3:0", one), ("red:seal3:2", three)],
        8: [("red:seal3:0", late)],
    }


@pytest.mark.parametrize(
    "made",
    [
        fired(8, 1),
        fired(7, 1, by="clause"),
        fired(7, 1, by="passed"),
        fired(7, 2),
        fired(7, 1, order="sealed"),
        fired(7, 1, order={"seal": 1}),
        fired(7, 1, file=4),
    ],
)
def test_what_is_no_such_step(made: Fired) -> None:
    assert answered_by(ledger(made), "nowak", [7]) == {}


def test_the_plan_of_another_player_is_not_his() -> None:
    assert answered_by(ledger(fired(7, 1)), "yamada", [7]) == {}
    other = plan(4, "yamada")
    assert answered_by(ledger(fired(7, 1), fired(7, 1, file=4), plans=(plan(), other)), "yamada", [7]) == {
        7: [("red:seal3:0", fired(7, 1, file=4))]
    }


# -- what is said of them -------------------------------------------------------------------------------------------------


def reveal(handle: str) -> Plain:
    if handle not in KNOWN:
        raise Unknown(handle)
    return KNOWN[handle]


def judge(order: Plain, shown: Callable[[str], Plain]) -> None:
    if order == "ten":
        raise illegal(verbatim(f"ten, and {shown('red:seal3:0')}"), "F")
    if order == "two":
        shown("red:seal0:0")  # what he does not know


def hide() -> Commit:
    return Commit("red", "hide", "F", verbatim("hide"), lambda order: order, judge=judge)


def found(monkeypatch: pytest.MonkeyPatch, *answers: Plain, made: tuple[Fired, ...], player: str = "nowak") -> list[Any]:
    """What is said when the file answers so."""
    game = Hiding()
    engine = Engine(game, "hill", game.start("hill", {}))
    table: Any = SimpleNamespace(game=game, engine=engine, ledger=ledger(*made))

    def take_in_place(before: Any, document: Any, fetch: Any) -> Any:
        assert before is table and (document, fetch) == ("document", "fetch")
        for answer in answers:
            before.engine.reply(answer)
        return SimpleNamespace(table=before, seq=7)

    monkeypatch.setattr(module, "take_in_place", take_in_place)
    knowledge: Any = SimpleNamespace(player=player, reveal=reveal)
    given: list[Any] = [*lapsed(table, "document", "fetch", knowledge)]  # type: ignore[arg-type]
    assert table.engine.scenario == "hill"
    assert table.engine.state.losses == [str(answer) for answer in answers], "it was taken as it is"
    return given


def test_why_a_step_did_not_stand_and_what_it_held(monkeypatch: pytest.MonkeyPatch) -> None:
    PLAY[:] = [hide(), hide()]
    made = (fired(7, 1), fired(7, 3))
    [one] = found(monkeypatch, "red:seal3:0", "red:seal3:2", made=made)
    assert (one.fired, one.order) == (made[1], "ten") and english(one.why) == "not allowed: ten, and two [F]"


def test_what_he_cannot_know_is_judged_as_if_it_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    PLAY[:] = [hide(), hide()]
    assert found(monkeypatch, "red:seal3:0", "red:seal5:0", made=(fired(7, 1), fired(7, 3))) == []


def test_only_his_own_seals_of_that_file_and_only_answers_to_such_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    PLAY[:] = [hide(), hide()]
    answers = ("red:seal3:2", "red:seal9:9")
    assert found(monkeypatch, *answers, made=(fired(7, 3),), player="yamada") == []
    assert found(monkeypatch, *answers, made=(fired(8, 3),)) == []
    [one] = found(monkeypatch, *answers, made=(fired(7, 3),))
    assert one.order == "ten", "what he sealed beside a plan is not told here"
    PLAY[:] = [ask("march", "red:seal3:2"), ask("march", 5)]
    assert found(monkeypatch, "red:seal3:2", 5, made=(fired(7, 3),)) == []
