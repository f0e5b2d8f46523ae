"""The Next War series in words and pictures: events have words or are bookkeeping, dice match, maps show what is there."""

from __future__ import annotations

import random
import re
import string
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import pytest

from pbem import games
from pbem.games.next_war import events, picture, wording
from pbem.games.next_war.events.combat import AttackDeclared, CombatThrown
from pbem.games.next_war.events.losses import StepLost
from pbem.games.next_war.events.turns import SegmentBegan
from pbem.games.next_war.game import GAME
from pbem.games.next_war.telling import _TELL
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.records import to_plain
from pbem.kernel.wording import Message
from pbem.report import render
from pbem.report.languages import LANGUAGES, language
from pbem.report.maps import hex_text
from pbem.report.maps.look import Look
from pbem.report.maps.style import style
from pbem.report.svg_map import draw
from tests.case_driver import Case
from tests.next_war import diary, party, table
from tests.next_war.random_play import choose
from tests.next_war.stage import GameStage

BOOKKEEPING = {
    *("FightOver", "DefendersPresent", "Defended", "TurnCleared", "MovementBegan", "UnitsDone", "UsedUp", "AttacksOpen"),
    *("Reorganized", "EntriesForgotten", "LiftSet", "LiftUsed", "LiftShared", "HelicopterFlew", "HelicopterGrounded"),
    *("BaseCrowded", "MinesSpent", "ZonesEntered", "Shipped", "Unloaded", "AssaultMade", "Poised", "AssaultsOff", "Landed"),
    *("HexEntered", "FerryLost", "BridgeChanged", "Fled", "ReplacementsBegan", "Reconstituted", "CapitalTaken"),
    *("CapitalsJudged", "ThrowMade"),
}
ENGLISH = language("en", (wording.CATALOGUE,))


@pytest.mark.parametrize("code", LANGUAGES)
def test_golden_diary(code: str) -> None:
    assert diary.diary(diary.played(), code) == (diary.GOLDEN / f"diary.{code}.md").read_text("utf-8")


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return party.goldens()


@pytest.mark.parametrize("name", [*(f"report.{code}.md" for code in LANGUAGES), "map.svg", "map-dark-0705.svg", "map.txt"])
def test_golden_reports_and_maps(name: str, made: dict[str, str]) -> None:
    assert made[name] == (diary.GOLDEN / name).read_text("utf-8")


@pytest.mark.parametrize("form", render.FORMATS)
def test_reports_come_in_every_format(form: str) -> None:
    assert "Initiative Combat Segment" in render.report(party.view(), form, ENGLISH)


def test_every_die_stands_beside_what_it_did() -> None:
    view = party.view()
    lines = [line for chapter in view.chapters for block in chapter.blocks for line in block.lines if line.roll]
    assert view.rolls and {line.roll.number for line in lines} == {roll.number for roll in view.rolls}


def parts_of(folder: ModuleType) -> list[ModuleType]:
    return [import_module(f"{folder.__name__}.{part.name}") for part in iter_modules(folder.__path__)]


def test_every_kind_of_event_has_words_or_is_known_bookkeeping() -> None:
    kinds = {
        name
        for module in parts_of(events)
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }
    assert kinds - {kind.__name__ for kind in _TELL} == BOOKKEEPING


def test_the_modifiers_named_add_up_to_the_one_that_was_applied() -> None:
    thrown = [
        (event, one)
        for _, event, one in diary.told(diary.played())
        if isinstance(event, CombatThrown) and one and "modifiers" in one.text.args
    ]
    assert thrown
    for event, one in thrown:
        parts = one.text.args["modifiers"]
        assert isinstance(parts, tuple)
        named = [part.args["by"] for part in parts if isinstance(part, Message)]
        assert sum(int(str(by)) for by in named) == event.drm


def _some_play(scenario: str, seed: int, answers: int) -> tuple[Any, list[tuple[str, tuple[Any, ...]]]]:
    """A game of random orders, and the label and dice of every roll."""
    engine, dice, rolls = table.begin(scenario), random.Random(seed), list[tuple[str, tuple[Any, ...]]]()
    for _ in range(answers):
        request = engine.request
        if isinstance(request, Ask):
            answer = request.forced if request.forced is not None else choose(request, dice, 8)
        elif isinstance(request, Roll):
            answer = table.chance(request, dice)
            assert isinstance(answer, list)
            rolls.append((str(request.label), tuple(answer)))
        else:
            break
        engine.reply(answer)
    return engine, rolls


@pytest.mark.parametrize(("scenario", "answers"), [("training", 1500), ("gap", 400), ("wonsan", 400), ("korea", 120)])
def test_random_play_is_told_without_a_gap(scenario: str, answers: int) -> None:
    engine, rolls = _some_play(scenario, 5, answers)
    lines = [one for _, _, one in diary.told(engine) if one]
    assert lines and not any("{" in ENGLISH.text(one.text) for one in lines)
    for one in lines:
        names = {name for _, name, _, _ in string.Formatter().parse(one.text.id) if name}
        assert names <= set(one.text.args), one.text.id
    told = [(one.label, one.dice) for one in lines if one.label]
    assert told == [(label, dice) for label, dice in rolls if not label.startswith("Clearing marker")]
    for overview in wording.overviews(engine.state):
        for row in overview.rows:
            assert {key for key, _ in overview.columns} == set(row)
            assert "{" not in ENGLISH.text(Message(overview.spoken, row))
    assert all(ENGLISH.text(remark) for remark in wording.remarks(engine.state))


def test_every_question_of_random_play_has_a_name() -> None:
    engine, kinds, dice = table.begin("training"), set(), random.Random(2)
    for _ in range(1500):
        request = engine.request
        if isinstance(request, Ask):
            kinds.add(request.kind)
            engine.reply(request.forced if request.forced is not None else choose(request, dice, 8))
        elif request is not None:
            engine.reply(table.chance(request, dice))
    assert kinds <= wording.ASKED.keys()


def test_the_heading_names_the_segment_while_a_combat_is_fought() -> None:
    stage = GameStage(
        Case(
            "", "", [], ["START combat basic allied", "UNITS 0505: 1/MEC", "UNITS 0605: 2/G"], ["allied: attack: 1/MEC at 0605"]
        )
    )
    stage.run()
    assert stage.engine.state.fight is not None
    assert "Basic Combat Segment" in ENGLISH.text(wording.heading(stage.engine.state))


def test_a_step_and_a_unit_lost_are_told_apart() -> None:
    g = diary.played().state
    steps = [wording.tell(g, StepLost(unit, "9.7.1")) for unit in ("1/MEC", "2/MEC")]
    assert [ENGLISH.text(thing) for one in steps if one for thing in one.text.args["lost"]] == ["1/MEC (−1)", "2/MEC (−1)"]


# -- the picture -----------------------------------------------------------------------------------------------------------


def _pictured(engine: Any) -> Any:
    return picture.picture(engine.state, picture.latest_turn([(GAME.start(engine.scenario, {}), engine.state.events)]))


def test_the_picture_shows_the_moves_and_the_combat_of_the_segments() -> None:
    shown = _pictured(diary.played())
    moves = {(j.path[0], j.path[-1], j.kind, j.count) for j in shown.journeys}
    assert {(905, 806, "land", 1), (906, 805, "land", 1)} == moves
    assert [place.id for place in shown.spaces if place.fought] == [705]


def test_the_name_of_a_hex_does_not_hide_the_number_below_it() -> None:
    drawn = draw(games.load("next-war"), _pictured(diary.played()), "Map", Look())
    at = {m[3]: (float(m[1]), float(m[2])) for m in re.finditer(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]+)</text>', drawn)}
    assert at["Aurel"][0] == at["0206"][0] and at["0206"][1] - at["Aurel"][1] >= 7.5  # the height of its digits


def test_every_counter_on_the_map_is_drawn_once() -> None:
    engine, _ = _some_play("training", 7, 300)
    shown = _pictured(engine)
    g = engine.state
    drawn = sorted(p.name for place in shown.spaces for p in place.pieces if p.group != "marker")
    assert drawn == sorted(g.counter(u).name for u, p in g.pieces.items() if p.at and not p.aboard)
    boxed = {p.name for box in shown.boxes for p in box.pieces}
    assert {g.counter(u).name for u, p in g.pieces.items() if p.box in g.board.areas and not p.aboard} <= boxed


def test_hexsides_keep_their_roads_rivers_and_ferries() -> None:
    cells = {c.id: c for c in picture.hex_map(table.begin("training").state.board).cells}
    near = picture.GRID.neighbours

    def side(a: int, b: int) -> str:
        return cells[a].sides[near(a).index(b)]

    assert side(705, 805) == side(805, 705) == "LHm"
    assert (side(305, 306), side(304, 404), side(404, 503)) == ("LP", "LS", "LM")
    assert (side(1008, 1107), side(1010, 1011), side(101, 102)) == ("WF", "W", "L")


@pytest.mark.parametrize("scenario", table.SCENARIOS)
def test_every_symbol_and_sign_of_a_scenario_has_a_shape(scenario: str) -> None:
    state, looks = table.begin(scenario).state, style(games.load("next-war"))
    assert {picture.piece(state, u).type for u, p in state.pieces.items() if p.box != "removed"} <= set(looks.units)
    cells = picture.hex_map(state.board).cells
    assert {sign for cell in cells for sign in cell.signs} <= set(looks.signs)


def test_the_printed_number_of_a_hex_finds_it_and_stands_in_the_text() -> None:
    shown = _pictured(table.begin("gap"))
    cell = next(cell for cell in shown.map.cells if cell.name)
    assert cell.label and not cell.label.isdigit()
    assert f"{cell.label} " in hex_text.text(games.load("next-war"), shown, "Gap", cell.label)
    assert cell.label in draw(games.load("next-war"), shown, "Gap", Look(around=cell.label))


def test_the_latest_segment_may_begin_inside_a_file() -> None:
    engine = diary.played()
    start = GAME.start(engine.scenario, {})
    ((state, happened),) = picture.latest_turn([(start, engine.state.events)])
    assert isinstance(happened[0], SegmentBegan) and happened[0].segment == "movement"
    for event in happened:
        emit(state, event)
    assert to_plain(state) == to_plain(engine.state)


def test_an_empty_segment_leaves_the_last_one_on_the_map() -> None:
    engine = diary.played()
    start = GAME.start(engine.scenario, {})
    later = [*engine.state.events, SegmentBegan("movement", "elite", "allied")]
    ((_, happened),) = picture.latest_turn([(start, later)])
    assert any(isinstance(event, AttackDeclared) for event in happened)


def test_events_told_again_lead_to_the_same_state() -> None:
    engine, _ = _some_play("training", 5, 1500)
    state = GAME.start(engine.scenario, {})
    for event in engine.state.events:
        emit(state, event)
    assert to_plain(state) == to_plain(engine.state)
