"""Conditions of standing orders that name what the game shows: a hold answers a kind of question until something happens."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.games.next_war.game import GAME
from pbem.kernel.canon import Plain
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime import standing_orders
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from pbem.store import sets
from tests.next_war import test_plans
from tests.next_war.test_plans import ATTACK_AND_END, MOVES, begun, fought, go_on, moved
from tests.toygame.party import Person, send

WAKES = "own at 0705 = 0"
ASHORE = [order for order in MOVES if not (isinstance(order, dict) and "sail" in order)]
HELD: Plain = [{"when": WAKES, "do": "ask me"}, {"do": "done"}]


def session(party: list[Person], name: str = "yamada") -> Any:
    person = next(p for p in party if p.name == name)
    table = person.table
    return SimpleNamespace(
        table=table,
        game=GAME,
        charter=table.charter,
        me=SimpleNamespace(player=name),
        folder=SimpleNamespace(path=Path("none")),
    )


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both hold still while somebody of theirs is in 0705, where none but Allies are; no ship sails."""
    monkeypatch.setitem(test_plans.STANDING, "movement", HELD)
    monkeypatch.setattr(test_plans, "MOVES", ASHORE)


def test_a_hold_is_spelled_out_as_clauses() -> None:
    entry: Plain = {"kinds": ["movement", "combat"], "answer": "done", "until": WAKES}
    written = sets.spelled(session(begun()), {"set": "usual", "hold": [entry], "combat": "ask me"})
    assert written == {**GAME.sets()["usual"], "movement": HELD, "combat": "ask me"}
    assert sets.spelled(session(begun()), {"hold": {"kinds": "movement"}}) == {"movement": [{"do": "done"}]}


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"kinds": ["movement"], "until": "own at 07055 = 0"}, "there is no fact 'own-at-07055'"),
        ({"kinds": ["movement"], "until": "own at 0705 ="}, "condition"),
        ({"kinds": []}, "kinds, answer, until"),
        ({"kinds": ["movement"], "until": 3}, "kinds, answer, until"),
        ({"kinds": ["movement"], "when": WAKES}, "kinds, answer, until"),
        ("movement", "kinds, answer, until"),
    ],
    ids=str,
)
def test_a_hold_that_would_never_wake_is_refused_when_it_is_written(entry: Plain, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        sets.spelled(session(begun()), {"hold": [entry]})


@pytest.mark.parametrize("stands", [True, False])
def test_a_hold_answers_until_what_it_waits_for_has_happened(stands: bool, held: None) -> None:
    """The Allies hold still as long as somebody of theirs is in 0705; then they are asked."""
    party = fought([*ATTACK_AND_END], stands)
    still = [f.order for f in party[0].table.ledger.fired if f.kind == "movement" and f.by == "clause" and f.seat == "allied"]
    asked = party[0].table.due.player, getattr(party[0].table.engine.request, "kind", "")
    assert still[:1] == (["done"] if stands else []) and (asked == ("yamada", "movement")) != stands


def test_a_sealed_hold_does_not_show_what_wakes_it_before_its_first_question() -> None:
    party = moved([*ATTACK_AND_END])
    go_on(party)
    send(party, Draft(["done"], sealed_standing={"support": [{"when": "enemy at 0705 > 0", "do": "ask me"}, {"do": "none"}]}))
    shown = party[0].log[-1]["standing_sealed"]["support"]
    assert len(shown) == 8 and not any("when" in str(seal) for seal in shown)


def test_in_a_game_of_version_1_a_condition_knows_its_question_alone(held: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(test_plans.STANDING, "movement", [{"when": "own at 0705 > 0", "do": "done"}])
    party = fought([*ATTACK_AND_END], True)
    assert any(f.kind == "movement" and f.by == "clause" for f in party[0].table.ledger.fired)
    (allied,) = [s for s in party[0].table.ledger.standing if s.kind == "movement" and s.player == "yamada"]
    table: Any = SimpleNamespace(charter=SimpleNamespace(version=1), game=GAME, engine=party[0].table.engine)
    request: Any = SimpleNamespace(kind="movement", facts={}, scope="", seat="allied", policy=str, read=str)
    given: Any = standing_orders.answer_of(table, request, allied)
    assert given[0].reason == "condition"


def test_who_can_compute_the_dice_orders_nothing_instead_of_what_he_holds(held: None) -> None:
    """The attack's die is thrown by the link of the Allies' file, which sees whether they will be awake."""
    for n in range(40):
        party = begun()
        send(party, Draft(ASHORE, plan=[*ATTACK_AND_END], note=[str(n)]))
        allied = next(p for p in party if p.name == "yamada")
        assert (allied.table.due.player, allied.table.due.what) == ("yamada", "witness")
        if allied.write(Draft()).table.due.player != "yamada":
            with pytest.raises((Refused, ProtocolError)):
                allied.write(Draft([{"move": "4/I to 0605"}, "done"]))
            return
    raise AssertionError("never held")
