"""Pacific War in words and pictures: every event has words or is bookkeeping, dice are matched, nothing sealed is told."""

from __future__ import annotations

import ast
import random
import string
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.games.pacific_war import (
    checking,
    clock,
    engagements,
    events,
    movements,
    picture,
    postures,
    strategic,
    tallies,
    terms,
    veils,
    victory,
)
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.records import Flight, Mission, Operation
from pbem.games.pacific_war.words import telling, wording
from pbem.games.pacific_war.words.dice import sentence
from pbem.games.pacific_war.words.statements import FOLLOWED
from pbem.games.pacific_war.world import intelligence
from pbem.kernel import questions
from pbem.kernel.engine import Engine
from pbem.kernel.events import Stated, emit
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.records import to_plain
from pbem.kernel.wording import Message, Term, Told, english
from pbem.report import render, story, svg_map
from pbem.report.digest import digest
from pbem.report.languages import LANGUAGES, language
from pbem.report.maps.hex_land import layout
from pbem.report.maps.look import Look
from pbem.report.steps import history
from pbem.runtime.ledger import DrawMade
from pbem.runtime.table import Table
from tests.pacific_war import hidden_play, random_play, table
from tests.pacific_war import party as golden
from tests.report import catalogues
from tests.toygame.party import Person, send

BOOKKEEPING = {
    *("Closed", "Reopened", "Landed", "Settled", "ArrivesInSecret", "StepsCounted", "TorpedoesFired", "TorpedoesLoaded"),
    *("ScreenSet", "ReconnaissanceLapsed"),
    *("HomesNoted", "FlewHex", "AlertedAs", "ExperienceGained", "StruckInland", "MissionHit", "CrewsRescued", "FlewOn"),
    *("MissionLanded", "WaveWaits", "WaveLanded", "OnStation", "PatrolEnded", "HaveFlown", "Grounded", "AirReady"),
    *("ShipsPlaced", "CrippledShotAt", "QualityTested"),
    *("LightChosen", "FreeBaseGranted", "FreeBaseUsed", "OperationEnded", "PointsHeld", "HeldPointsLapsed", "LengthShown"),
    *("FalseEndPassed", "LastCycleCounted", "RoutesWritten"),
    *("MovesBegan", "ApproachBegan", "MovesAgain", "MoveSpent", "DisengagedFrom", "IncrementMade", "EntryMarked"),
    *("EntriesCleared", "WaysClosed", "TendersSailed", "TendersGone", "TendersCounted", "SearchMade", "IncrementBegan"),
    *("AnchorageFell", "ScoutedFar"),
    *("PursesEmptied", "ReserveSet", "HqReturns", "LinkBuilt", "LinkDropped", "PoolsChanged", "PoolsLost", "ArrivalDelayed"),
    *("Stranded", "CanalClosed", "WentAbroad", "AbroadNearer", "CameBack", "WorkWentOn"),
    *("PriorityChosen", "HarassersSet", "BomberPointsSet", "BombersBased", "RaidMade", "DoolittleFlown", "HomeBombed"),
    *("ResourceDemolished", "ResourceRestored", "StepsExited", "NationFell", "AlliesLed", "OverrunCounted", "LossExcused"),
    *("LossesSettled", "ConversionCounted", "ConversionStopped", "PanamaBombarded", "PointsCame"),
    *("Allotted", "SecretKept", "BoatsStationed", "CoverStated"),
}
MAY_CHANGE_NOTHING = {
    *("Rolled", "Fired", "Remarked", "Reported", "GroundFought", "Coordinated", "Alerted", "ShipsPlaced", "Moved"),
    *("MonthBegan", "CyclesCleared", "MovesBegan", "ApproachBegan", "IncrementBegan"),
}
EVENTS = (events, postures, engagements, clock, movements, tallies, strategic, veils)
ENGLISH = language("en", (wording.CATALOGUE,))
SCENARIOS = table.SCENARIOS
SHORTER: dict[str, dict[str, Any]] = {"strategic-1941": {"last_month": 44}, "guadalcanal": {"last_month": 36}}


@cache
def played(scenario: str, seed: int) -> tuple[Engine, tuple[tuple[Any, Told | None], ...]]:
    """A game of random play to its end, and each of its events with its words."""
    engine = random_play.play(scenario, seed, changes=SHORTER.get(scenario))
    state, told = GAME.start(engine.scenario, {}), []
    for event in engine.state.events:
        told.append((event, telling.tell(state, event)))
        emit(state, event)
    return engine, tuple(told)


def test_every_kind_of_event_has_words_or_is_known_bookkeeping() -> None:
    kinds = {
        name
        for module in EVENTS
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }
    told = {kind.__name__ for kind in telling._TELL}
    assert kinds - told == BOOKKEEPING and told - kinds == {"Stated"}


@pytest.mark.parametrize("scenario", ["pearl-harbor", "savo-island"])
def test_an_event_changes_something_or_begins_something_or_says_what_came_of_a_roll(scenario: str) -> None:
    engine, _ = played(scenario, 1)
    state, idle = GAME.start(engine.scenario, {}), set()
    for event in engine.state.events:
        before = to_plain(state)
        emit(state, event)
        if to_plain(state) == before and sys.modules[type(event).__module__] in EVENTS:
            idle.add(type(event).__name__)
    assert idle <= MAY_CHANGE_NOTHING


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_play_is_told_without_a_gap(scenario: str) -> None:
    engine, told = played(scenario, 1)
    sentences = [text for _, one in told if one for text in _text(one.text)]
    assert sentences and not any("{" in text for text in sentences)
    assert [one.text.id for _, one in told if one and not one.rule] == []
    state = engine.state
    for overview in wording.overviews(state):
        for row in overview.rows:
            assert "{" not in ENGLISH.text(Message(overview.spoken, row))
            assert {key for key, _ in overview.columns} == set(row)
    assert all(ENGLISH.text(remark) for remark in wording.remarks(state))
    board = wording.board(state)
    assert all(f"{u.at:04d}" in board for u in state.units.values() if u.box == "map")


def _text(message: Message) -> list[str]:
    names = {name for _, name, _, _ in string.Formatter().parse(message.id) if name}
    assert names <= set(message.args), message.id
    return [ENGLISH.text(message)]


def _sources() -> dict[str, ast.Module]:
    home = Path(picture.__file__).parent
    files = {".".join(path.relative_to(home).with_suffix("").parts): path for path in sorted(home.rglob("*.py"))}
    paths = {f"{picture.__package__}.{name.removesuffix('.__init__')}": path for name, path in files.items()}
    paths[questions.__name__] = Path(questions.__file__)
    del paths[checking.__name__]  # the shapes of charts, which ask nobody
    return {name: ast.parse(path.read_text("utf-8")) for name, path in paths.items()}


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _asking(sources: dict[str, ast.Module]) -> dict[str, int]:
    """Functions that put a question of the kind that they are given, and where in their arguments it stands."""
    found = {"Ask": 1, "Commit": 1}
    functions = [f for tree in sources.values() for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)]
    while True:
        before = len(found)
        for f in functions:
            names = [a.arg for a in f.args.args]
            for call in (c for c in ast.walk(f) if isinstance(c, ast.Call) and _called(c) in found):
                given = call.args[found[_called(call)]]
                if isinstance(given, ast.Name) and given.id in names:
                    found[f.name] = names.index(given.id)
        if len(found) == before:
            return found


def kinds_in_the_source() -> set[str]:
    """The kind of every question that some line of the rules puts."""
    sources = _sources()
    asking, found = _asking(sources), set()
    for name, tree in sources.items():
        module = import_module(name)
        for call in (c for c in ast.walk(tree) if isinstance(c, ast.Call) and _called(c) in asking):
            given = call.args[asking[_called(call)]]
            if isinstance(given, ast.Constant):
                found.add(str(given.value))
            elif isinstance(given, ast.Name) and hasattr(module, given.id):
                found.add(getattr(module, given.id))
            elif isinstance(given, ast.Subscript) and isinstance(given.value, ast.Name):  # of a table of kinds
                found.update(getattr(module, given.value.id).values())
    return found


def test_every_question_in_the_source_has_a_name_and_no_other_has() -> None:
    assert {"mission", "hide", "mend", "escort", "hits", "task forces"} <= kinds_in_the_source()
    assert kinds_in_the_source() == set(terms.ASKED)


def test_what_is_rolled_in_secret_is_told_in_the_readers_language() -> None:
    made = DrawMade(1, "nowak", "japan", "", 1, 1, label=str(intelligence._strategic("japan")), sides=10)
    assert made.told == intelligence.STRATEGIC
    told = [language(code, ("pacific_war",)).text(made.told) for code in LANGUAGES]
    assert len(set(told)) == len(LANGUAGES) and "strategický průzkum" in told
    assert english(DrawMade(1, "nowak", "japan", "", 1, 1, label="{x}, japan", sides=10).told) == "{x}"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_question_of_random_play_has_a_name(scenario: str) -> None:
    asked: set[str] = set()

    def watch(engine: Engine) -> None:
        request = engine.request
        asks = request.asks if isinstance(request, Simultaneous) else (request,)
        asked.update(one.kind for one in asks if isinstance(one, Ask | Commit))

    random_play.play(scenario, 2, watch, changes=SHORTER.get(scenario))
    assert asked and asked <= wording.ASKED.keys()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_record_of_random_play_is_in_words_that_can_be_translated(scenario: str) -> None:
    engine, _ = played(scenario, 1)
    g = engine.state
    said = [sentence(event.label) for event in g.events if isinstance(event, events.Rolled | events.Fired)]
    said += [event.text for event in g.events if isinstance(event, events.Remarked)]
    said += [event.about for event in g.events if isinstance(event, Stated) and event.kind not in FOLLOWED]
    known = {one[0] if isinstance(one, tuple) else one for one in catalogues.ids("pacific_war")}
    assert {message.id for message in map(_words, said)} <= known
    lines = {event.line for event in g.events if isinstance(event, events.Fired)}
    assert lines <= set(terms.LINES)


def _words(message: Message) -> Message:
    """What players read of a message that records spell otherwise."""
    given = message.args.get("words")
    return given.words if isinstance(given, Term) and isinstance(given.words, Message) else message


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_sentence_of_random_play_stands_in_the_catalogues(scenario: str) -> None:
    engine, told = played(scenario, 1)
    state, known = engine.state, {str(one) for one in catalogues.ids("pacific_war")} | {"{goals}"}
    said = [m for _, one in told if one for m in (one.text, one.block) if m]
    said += [*wording.remarks(state), *wording.board(state).values(), wording.heading(state)]
    parts = [part for base in wording.board(state).values() for part in _parts(base)]
    assert {m.id for m in (*said, *parts) if "{" in m.id or not m.args} <= known


def _parts(message: Message) -> list[Message]:
    given = [part for value in message.args.values() for part in (value if isinstance(value, tuple) else (value,))]
    return [part for part in given if isinstance(part, Message)]


def test_a_loss_names_who_suffers_it() -> None:
    _, told = played("pearl-harbor", 1)
    losses = [(event, one) for event, one in told if one and one.topic == "loss"]
    assert losses
    for event, one in losses:
        unit = event.unit
        assert one.loser == played("pearl-harbor", 1)[0].state.side(unit)
        assert unit in ENGLISH.text(one.text)


def test_operations_missions_and_sieges_are_declared_for_short_reports() -> None:
    g = golden.campaign().table.engine.state
    flight = Flight(["25th Flotilla bombers"], [1630, 1530, 1429])
    began = clock.OperationBegan(Operation("South Seas", 10, 0, 14, level=1))
    flown = engagements.MissionBegan(Mission("japan", "strike", 1429, [flight]), "PW-AIR-01")
    said = [telling.tell(g, event) for event in (began, flown, engagements.Besieged("japan", (1429, 1630)))]
    english = [language("en", ("pacific_war",)).text(one.text) for told in said if told for one in told.declares]
    assert english == [
        "Operation of the headquarters South Seas: bid 10, level 1",
        "Japan, air strike: 1429 – 25th Flotilla bombers",
        "Besieged: 1429, 1630 Rabaul",
    ]
    assert said[1] and said[1].declares[0].fight == said[1].block, "the mission is not told twice when it has been flown"
    nothing = telling.tell(g, engagements.Besieged("japan", ()))
    assert nothing and nothing.declares == ()


def test_every_die_is_told_with_its_label() -> None:
    _, told = played("pearl-harbor", 1)
    thrown = [(event, one) for event, one in told if isinstance(event, events.Rolled | events.Fired)]
    assert thrown and all(one and one.label == str(event.label) and one.dice == (event.die or 10,) for event, one in thrown)


# -- over signed files ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def party() -> list[Person]:
    """Two players at the Coral Sea after some files, task forces sealed."""
    found = hidden_play.two_people("coral-sea", forces="sealed")
    dice = random.Random(4)
    for _ in range(12):
        writer = next(p for p in found if p.name == found[0].table.due.player)
        send(found, hidden_play.decide(writer, dice))
    return found


def _view(party: list[Person], reader: Person | None = None) -> Any:
    person = party[0]
    start = Table.start(person.table.charter, person.table.game, person.table.engine.scenario)
    steps = [*history(start, person.log[1:], lambda seq: person.log[seq])]
    knowledge = reader.knowledge() if reader else None
    words = games.load("pacific-war").words()
    return story.report(words, steps, steps[-1].taken.table, lambda seq: person.log[seq], knowledge=knowledge)


def test_what_a_sealed_task_force_holds_stands_in_no_report_or_map_of_others(party: list[Person]) -> None:
    g = party[0].table.engine.state
    sealed = [name for name, m in g.markers.items() if m.handle]
    ships = {n for n, u in g.units.items() if u.box == "sealed"}
    assert sealed and ships
    row = next(o for o in wording.overviews(g) if o.title.id == "Task forces")
    assert all(ENGLISH.text(r["ships"]) == "sealed" for r in row.rows if r["marker"] in sealed)
    drawn = {p.name for place in picture.picture(g, []).spaces for p in place.pieces}
    assert not drawn & ships and {f"{name} (sealed)" for name in sealed} <= drawn
    assert not any(ship in ENGLISH.text(text) for ship in ships for text in wording.board(g).values())


def _told(items: Any) -> list[tuple[str, str]]:
    english_of = language("en", (wording.CATALOGUE,)).text
    return [(english_of(where), english_of(what)) for where, what in items]


def test_a_sealed_arrangement_is_told_to_its_owner_alone(party: list[Person]) -> None:
    for person, other in (party, party[::-1]):
        own = set(person.knowledge().hand(person.seats[0]))
        told, shown = (
            _told(_view(party, person).private),
            {h for h, _ in story.private(wording, person.knowledge(), person.table)},
        )
        assert own <= shown and len(told) == len(shown)
        assert not shown & set(other.knowledge().hand(other.seats[0]))
        assert not set(told) & set(_told(_view(party, other).private))
        assert not [where for where, what in told if ":draw" in where or ":seal" in where], "no handle tells people anything"
    assert _view(party).private == ()


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("form", render.FORMATS)
def test_reports_come_in_every_format_and_language(party: list[Person], form: str, code: str) -> None:
    text = render.report(_view(party), form, language(code, (wording.CATALOGUE,)))
    assert "Coral" in text or "Rabaul" in text


def test_every_die_stands_beside_what_it_did(party: list[Person]) -> None:
    view = _view(party)
    lines = [line for chapter in view.chapters for block in chapter.blocks for line in block.lines if line.roll]
    assert {line.roll.number for line in lines if line.roll} == {roll.number for roll in view.rolls}
    assert not any(line.text.id == "Roll: {label}" for line in lines)


@pytest.mark.parametrize("name", golden.NAMES)
def test_golden_reports_and_maps(name: str) -> None:
    assert golden.goldens()[name] == (golden.GOLDEN / name).read_text("utf-8")


def digested(person: Person) -> list[list[str]]:
    """For each file the sentences of a digest that begins with it and tells one file more."""
    start = Table.start(person.table.charter, person.table.game, person.table.engine.scenario)
    found = []
    for at in range(1, len(person.log)):
        steps = [*history(start.fork(), person.log[1:], lambda seq: person.log[seq])][at - 1 : at + 1]  # telling uses it up
        told = story.report(GAME.words(), steps, steps[-1].taken.table, lambda seq: person.log[seq])
        found.append([language("en", ("pacific_war",)).text(line) for line in digest(told).lines])
    return found


def test_no_sentence_of_a_digest_ends_in_its_middle() -> None:
    """Statements about hidden forces stand in one sentence with others."""
    told = [line for lines in digested(golden.coral_sea()) for line in lines]
    assert any("states: " in line for line in told)
    assert not [line for line in told if ".;" in line or ".." in line]


def test_a_digest_does_not_tell_the_number_of_a_round_for_what_happened_in_it() -> None:
    told = digested(golden.engagement())
    assert any("sunk" in line for lines in told for line in lines)
    assert not [line for lines in told for line in lines if line.startswith("Round")]


def test_who_wins_because_nobody_has_reached_his_goal_is_told_so() -> None:
    assert english(victory.NOBODY_THERE) == "no side has reached its goal"
    assert str(victory.ENOUGH) == str(victory.NOBODY_THERE), "records keep their words"
    assert "no side has reached its goal, and by the scenario that is enough" in golden.goldens()["engagement.en.md"]


# -- the picture -----------------------------------------------------------------------------------------------------------


def test_the_picture_shows_the_mission_of_its_cycle() -> None:
    engine = table.begin("pearl-harbor")
    engine.reply("done")
    engine.reply({"mission": {"strike": 2860, "units": ["CAD1"]}})
    g = engine.state
    shown = picture.picture(g, picture.latest_turn([(GAME.start(engine.scenario, {}), g.events)]))
    assert [(j.path[0], j.path[-1], j.owner, j.kind) for j in shown.journeys] == [(3159, 2860, "japan", "air")]
    assert [place.id for place in shown.spaces if place.fought] == [2860]


def test_a_marker_that_is_placed_anew_keeps_its_earlier_way() -> None:
    g = table.begin("coral-sea").state
    placed = [events.MarkerPlaced("J9", "japan", 1630, "x"), events.MarkerMoved("J9", 1530, "x")]
    again = [events.MarkerPlaced("J9", "japan", 2231, "x"), events.MarkerMoved("J9", 2131, "x")]
    assert [j.path for j in picture._journeys(g, [*placed, *again])] == [(1630, 1530), (2231, 2131)]


def test_north_is_up_and_east_is_right() -> None:
    at = layout(picture.picture(table.begin("coral-sea").state, []).map).middles
    rabaul, moresby, noumea = at[1630], at[1426], at[135]
    assert rabaul[1] < moresby[1] < noumea[1] and moresby[0] < rabaul[0] < noumea[0]


def test_every_unit_ashore_is_one_counter_of_the_picture() -> None:
    g = table.begin("guadalcanal").state
    drawn = sorted(p.name for place in picture.picture(g, []).spaces for p in place.pieces)
    assert drawn == sorted(n for n, u in g.units.items() if u.box == "map" and not u.aboard)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_maps_are_drawn(scenario: str) -> None:
    shown = picture.picture(table.begin(scenario).state, [])
    svg = svg_map.draw(games.load("pacific-war"), shown, "A war", Look(width=0))
    assert svg.startswith("<svg") and all(kind in svg for kind in ("Port", "Airfield"))


def test_every_sea_hex_of_a_battle_has_its_number() -> None:
    drawn = golden.goldens()["coral-sea.svg"]
    assert all(f">{cell.number}<" in drawn for cell in golden.shown(golden.coral_sea()).map.cells)


@pytest.mark.parametrize(("name", "short"), [("CV1 Akagi", "CV1"), ("144th Regiment", "144"), ("Tainan air group", "Tai")])
def test_counters_are_told_apart_by_a_few_letters(name: str, short: str) -> None:
    assert picture.short(name) == short
