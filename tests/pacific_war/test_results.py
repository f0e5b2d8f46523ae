"""Dice and losses in words: what was needed is what the rules ask, strengths add up, battles tell their toll."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.games.pacific_war import engagements, postures
from pbem.games.pacific_war import events as e
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.words import telling, wording
from pbem.kernel.events import Stated, emit
from pbem.kernel.wording import Message, Told
from pbem.report.languages import language
from tests.pacific_war import party, table
from tests.pacific_war.test_telling import played

ENGLISH = language("en", (wording.CATALOGUE,))
FOUND = (postures.Detected, postures.Reconnoitred)
FOUGHT = ("savo-island", "pearl-harbor", "coral-sea", "midway")


def told_of(scenario: str, kind: type) -> list[tuple[Any, Told, list[Any]]]:
    """Events of a kind in random play, their words, and the events after each."""
    told = played(scenario, 1)[1]
    later = [event for event, _ in told]
    return [(event, one, later[i + 1 :]) for i, (event, one) in enumerate(told) if isinstance(event, kind) and one]


@pytest.mark.parametrize("scenario", FOUGHT)
def test_the_parts_of_a_strength_add_up_to_it(scenario: str) -> None:
    shots = [(event, one) for event, one, _ in told_of(scenario, e.Fired) if "parts" in one.text.args]
    for event, one in shots:
        parts = one.text.args["parts"]
        assert isinstance(parts, tuple)
        printed, *changes = [part for part in parts if isinstance(part, Message)]
        total = int(str(printed.args["n"]))
        for change in changes:
            if change.id.startswith("halved"):
                total = -(-total // 2)
            else:
                total += int(str(change.args["n"])) * (-1 if "−" in change.id else 1)
        assert max(total, -1) == event.strength, ENGLISH.text(one.text)
    assert shots or scenario == "savo-island"


@pytest.mark.parametrize("scenario", FOUGHT)
def test_a_shot_tells_the_column_and_the_hits_of_the_chart(scenario: str) -> None:
    charts = table.begin(scenario).state.board.charts
    shots = [(event, one) for event, one, _ in told_of(scenario, e.Fired) if event.strength >= 0]
    for event, one in shots:
        said = ENGLISH.text(one.outcome or "")
        if event.result == "0":
            assert said == "no hit"
        else:
            column = int(re.findall(r"column (\d+)", said)[0])
            assert str(charts.air_naval[event.line][column]) == event.result
            assert event.result == "T" or f"{event.result} hit" in said
    assert shots


def test_a_search_tells_what_was_needed_and_what_it_found() -> None:
    searches = [
        (event, one, after[0])
        for scenario in FOUGHT
        for event, one, after in told_of(scenario, e.Rolled)
        if " searches for " in event.label.id
    ]
    failed = [ENGLISH.text(one.outcome or "") == "nothing is found" for _, one, _ in searches]
    assert True in failed and False in failed
    for (event, one, after), vain in zip(searches, failed, strict=True):
        found = isinstance(after, FOUND) or (isinstance(after, Stated) and after.kind == "report")
        assert found != vain
        needed = [int(n) for n in re.findall(r"at (\d) or less", ENGLISH.text(one.text))]
        assert (event.die <= max(needed)) == found


def test_a_zero_is_shown_as_zero() -> None:
    rolls = [r for r in party.view(party.some_files("midway", 28, party.warlike)).rolls if r.dice == (10,)]
    assert rolls and all(r.faces == (0,) for r in rolls)


def test_a_naval_combat_ends_with_the_losses_of_both_sides() -> None:
    view = party.view(party.engagement())
    lines = [line for chapter in view.chapters for block in chapter.blocks for line in block.lines]
    toll = [ENGLISH.text(line.text) for line in lines if line.topic == "toll"]
    assert toll == [f"Losses, {ENGLISH.text(loss.who)}: {ENGLISH.text(loss.things)}" for loss in view.losses]
    assert any("(sunk)" in line for line in toll)
    assert lines[lines.index(next(line for line in lines if line.topic == "toll")) - 1].text.id == "The combat is over"


def test_who_is_sunk_stands_once_in_the_list_of_losses() -> None:
    told = party.view(party.engagement()).losses
    names = [ENGLISH.text(thing).partition(" (")[0] for loss in told for thing in loss.things]
    assert len(names) == len(set(names)) > 1


def test_aircraft_are_hit_where_they_fly() -> None:
    engine = played("pearl-harbor", 1)[0]
    state, hit = GAME.start(engine.scenario, {}), 0
    for event in engine.state.events:
        if isinstance(event, e.Hit) and event.rule == "PW-AIR-13":
            told = telling.tell(state, event)
            assert told and f"in {state.board.name(state.mission.target)}" in ENGLISH.text(told.text)
            hit += 1
        emit(state, event)
    assert hit


def test_an_event_stays_what_it_was() -> None:
    began = [event.mission for event, _ in played("pearl-harbor", 1)[1] if isinstance(event, engagements.MissionBegan)]
    assert began and all(not m.landed and not m.flown and not m.targets for m in began)
    fought = [event.sea for event, _ in played("savo-island", 1)[1] if isinstance(event, engagements.SeaBegan) and event.sea]
    assert fought and all(sea.phase == 1 and not sea.placed for sea in fought)
