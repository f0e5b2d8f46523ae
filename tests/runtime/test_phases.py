"""`done: PHASE`: which words mean which question of every game, and what is said where another one is asked."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from pbem import games
from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import accepted
from pbem.kernel.wording import english, msg
from pbem.runtime import phases
from pbem.runtime.asked import question_of
from pbem.runtime.desk import Desk
from tests.empire_of_the_sun import hidden_play as eots
from tests.next_war import party as next_war
from tests.pacific_war import hidden_play as pacific_war
from tests.report import recorded
from tests.toygame.party import Person, send

SYSTEMS = ("axis-and-allies-pacific", "empire-of-the-sun", "next-war", "pacific-war")
SCENARIOS = {"empire-of-the-sun": "year-1942", "pacific-war": "guadalcanal"}
PACIFIC = games.load("axis-and-allies-pacific")


def why_not(game: Module, words: str, asked: str) -> str:
    try:
        phases.check(game, words, asked)
    except Rejected as wrong:
        return str(wrong)
    return ""


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_question_is_known_by_its_name_and_by_what_it_is_about(system: str) -> None:
    game = games.load(system)
    about = game.words().ASKED
    assert len(about) >= 18
    for kind, words in about.items():
        assert phases.phases_of(game, kind) == phases.phases_of(game, kind.upper().replace("-", "_")) == [kind]
        assert kind in phases.phases_of(game, english(words)) and why_not(game, kind, kind) == "", kind


@pytest.mark.parametrize(
    ("system", "words", "kind"),
    [
        (SYSTEMS[0], "buy", "purchase"),
        (SYSTEMS[0], "combat", "combat-move"),
        (SYSTEMS[0], "noncombat move", "noncombat-move"),
        (SYSTEMS[0], "mob", "mobilize"),
        (SYSTEMS[1], "movement", "move"),
        (SYSTEMS[1], "post-battle movement", "return"),
        (SYSTEMS[2], "movement", "movement"),
        (SYSTEMS[2], "combat", "combat"),
        (SYSTEMS[3], "engineering", "engineering"),
        (SYSTEMS[3], "movement of ground units", "land"),
    ],
)
def test_usual_short_names_are_understood(system: str, words: str, kind: str) -> None:
    assert phases.phases_of(games.load(system), words) == [kind]


def test_another_phase_is_refused_with_both_names_and_what_would_be_legal() -> None:
    assert why_not(PACIFIC, "purchase", "combat-move") == (
        "not allowed: this is the phase combat-move (combat moves), not purchase [protocol]; done: combat-move"
    )
    assert why_not(PACIFIC, "mobilise", "purchase") == (
        "cannot be read: no phase is called 'mobilise'; this is purchase; did you mean mobilize?"
    )
    assert why_not(PACIFIC, "zzz", "purchase").endswith("this is purchase; done: purchase")
    assert why_not(PACIFIC, "pu", "purchase").startswith("cannot be read"), "two letters are no name"
    assert why_not(games.load(SYSTEMS[3]), "movement of", "sail") == (
        "means two things: movement of: several phases; did you mean done: land or done: march or done: sail?"
    )


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ({"done": "purchase"}, "purchase"),
        ({"Done ": " combat move "}, "combat move"),
        ("done: purchase", "purchase"),
        ("done purchase", "purchase"),
        ("DONE:purchase", "purchase"),
        ("done", ""),
        ("done:", ""),
        ("donepurchase", ""),
        ({"done": None}, ""),
        ({"done": 3}, ""),
        ({"done": "x", "buy": "y"}, ""),
        ({"buy": "done: x"}, ""),
        (["done"], ""),
        (None, ""),
    ],
)
def test_what_names_a_phase(order: Plain, words: str) -> None:
    assert phases.named_by(order) == words and phases.plainly(order) == ("done" if words else order)


def test_a_step_of_a_plan_names_its_own_phase() -> None:
    step: Plain = {"at": "noncombat-move", "do": ["start over", {"done": "noncombat"}]}
    assert phases.in_step(PACIFIC, step) == {"at": "noncombat-move", "do": ["start over", "done"]}
    with pytest.raises(Rejected, match=r"this is the phase noncombat-move \(noncombat moves\), not mobilize"):
        phases.in_step(PACIFIC, {"at": "noncombat-move", "do": ["done: mobilize"]})
    for other in ("done", {"at": "x"}, {"at": "x", "sealed": "ab"}, {"do": "done: purchase"}):
        assert phases.in_step(PACIFIC, other) == other


def at_a_series(system: str) -> Person:
    """A recorded game at a question that goes on until `done`, and who is asked."""
    match system:
        case "axis-and-allies-pacific":
            return recorded.seated("yamada")
        case "next-war":
            return next_war.played()[1]
    people, dice = (eots if system == "empire-of-the-sun" else pacific_war).two_people(SCENARIOS[system]), Random(4)
    choose = {} if system == "empire-of-the-sun" else {"choose": pacific_war.passive}
    while True:
        writer = next(p for p in people if p.name == people[0].table.due.player)
        asked = question_of(writer.table, writer.name)
        if isinstance(asked, Ask) and "done" in asked.verbs and [*accepted(asked.read, ["done"])]:
            return writer
        hands = eots if system == "empire-of-the-sun" else pacific_war
        send(people, hands.decide(writer, dice, **choose))


@pytest.mark.parametrize("system", SYSTEMS)
def test_in_every_game_a_done_may_name_its_phase_and_no_other(system: str) -> None:
    person = at_a_series(system)
    asked = question_of(person.table, person.name)
    assert isinstance(asked, Ask)
    signed = []
    for entry in ("done", f"done: {asked.kind}", f"done {english(person.table.game.words().ASKED[asked.kind])}"):
        desk = Desk(person.table, person.secrets(), person.fetch, person.salt, f"orders:\n  - {json.dumps(entry)}\n")
        assert desk.sheet.trouble is None, (entry, desk.sheet.trouble)
        signed.append(desk.compose().document)
    assert signed[0] == signed[1] == signed[2] and signed[0]["orders"] == ["done"], "the same file"
    other = next(kind for kind in person.table.game.words().ASKED if kind != asked.kind)
    desk = Desk(person.table, person.secrets(), person.fetch, person.salt, f"orders:\n  - done: {other}\n")
    assert desk.sheet.trouble is not None and not desk.sheet.orders
    assert f"this is the phase {asked.kind} (" in str(desk.sheet.trouble.problems[0])


def test_a_question_of_which_the_game_says_nothing_is_known_by_its_name_alone() -> None:
    asked = {"sea-battle": msg("the fight for a zone"), "sea-move": msg("sailing")}
    game: Any = SimpleNamespace(words=lambda: SimpleNamespace(ASKED=asked))
    assert phases.phases_of(game, " Sea  Battle ") == phases.phases_of(game, "the fight") == ["sea-battle"]
    assert phases.phases_of(game, "sea") == ["sea-battle", "sea-move"] and phases.phases_of(game, "se") == []
    assert phases.phases_of(game, "landing", "landing") == ["landing"] and phases.phases_of(game, "xxxx", "landing") == []
    assert why_not(game, "landing", "landing") == why_not(game, "sea battle", "sea-battle") == ""
    assert "this is the phase landing (landing), not sea-move" in why_not(game, "sailing", "landing")
    assert "sea: several phases" in why_not(game, "sea", "sea-move")
