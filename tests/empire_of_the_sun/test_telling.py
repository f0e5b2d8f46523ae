"""Empire of the Sun in words: every event has them or is bookkeeping, dice are matched, nothing hidden is told."""

from __future__ import annotations

import random
import re
import string
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

from pbem import games
from pbem.games.empire_of_the_sun import events, labels, picture
from pbem.games.empire_of_the_sun.events.battles import Fired
from pbem.games.empire_of_the_sun.events.offensives import Moved, OffensiveBegan, OffensiveEnded
from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.words import wording
from pbem.games.empire_of_the_sun.words.telling import _TELL
from pbem.kernel.events import Rewound, emit
from pbem.kernel.happened import lasting
from pbem.kernel.records import to_plain
from pbem.kernel.wording import Message, english
from pbem.report import render, story
from pbem.report.languages import LANGUAGES, language, rules_in
from pbem.report.steps import history
from pbem.runtime.table import Table
from pbem.store.library import load_scenario
from tests.empire_of_the_sun import diary, hidden_play, table
from tests.empire_of_the_sun.random_play import Player
from tests.report import catalogues
from tests.toygame.party import Person, send

GLOSSARY = {  # terms of the Polish rulebook of the first edition and of the Russian one of the second
    "pl": {
        "Intercept": "Przechwycenie",
        "Ambush": "Zasadzka",
        "amphibious assault": "desant morski",
        "Attrition Phase": "Faza Wyczerpania",
        "Escort modifier": "Modyfikator eskortowy",
    },
    "ru": {
        "Intercept": "Перехват",
        "Ambush": "Засада",
        "amphibious assault": "морской десант",
        "organic naval transport": "приданный морской транспорт",
        "US Political Will": "Политическая воля США",
    },
}
BOOKKEEPING = {
    *(
        "CardsDrawn",
        "RoundBegan",
        "ActiveSet",
        "InitiativeSeized",
        "ExtraDrawsBegan",
        "ExtraDrawn",
        "ReshuffleDue",
        "TurnCleared",
    ),
    *("ShippingUsed", "ShippingReady", "BombingSucceeded", "ReinforcementsBegan", "HeadquartersDue", "ProgressSet"),
    *("ArrivalsPunctual", "IndiaWatched", "ChinaOffensiveMade", "GroundPenalty", "CutOff", "BonusTaken", "OccupationCounted"),
    *("CasualtiesCounted", "HawaiiOccupied", "StackMoving", "ZoneTouched", "ReactionShipping", "Garrisoned"),
    *("IntelligenceRolled", "ReactionCardPlayed"),
}
ENGLISH = language("en", (wording.CATALOGUE,))


@pytest.mark.parametrize("code", LANGUAGES)
def test_golden_diary(code: str) -> None:
    assert diary.diary(diary.played(), code) == (diary.GOLDEN / f"diary.{code}.md").read_text("utf-8")


@pytest.mark.parametrize("code", GLOSSARY)
def test_terms_of_the_rulebooks(code: str) -> None:
    words = language(code, (wording.CATALOGUE,))
    assert {term: words.text(Message(term)) for term in GLOSSARY[code]} == GLOSSARY[code]


def test_every_kind_of_event_has_words_or_is_known_bookkeeping() -> None:
    kinds = {
        name
        for part in iter_modules(events.__path__)
        for module in (import_module(f"{events.__name__}.{part.name}"),)
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }
    told = {kind.__name__ for kind in _TELL}
    assert kinds - told == BOOKKEEPING and told - kinds == {"Rewound"}


def test_every_line_cites_its_section() -> None:
    unruled = [type(event).__name__ for _, event, one in diary.told(diary.played()) if one and not one.rule]
    assert unruled == []


def test_the_modifiers_named_add_up_to_the_one_that_was_applied() -> None:
    fired = [(event, one) for _, event, one in diary.told(diary.played()) if isinstance(event, Fired) and one]
    assert len(fired) == 4
    for event, one in fired:
        parts = one.text.args["modifiers"]
        named = [part.args["by"] for part in parts] if isinstance(parts, tuple) else []  # type: ignore[union-attr]
        assert sum(int(str(by)) for by in named) == event.modifier


def test_a_loss_names_who_suffers_it() -> None:
    losses = [one for _, _, one in diary.told(diary.played()) if one and one.topic == "loss"]
    assert [(one.loser, ENGLISH.text(one.text.args["things"])) for one in losses] == [
        ("allies", "Far East Air Force (US)"),
        ("allies", "R Corps (−1)"),
    ]


@pytest.mark.parametrize("scenario", ["year-1942", "year-1944", "campaign-1941", "south-pacific", "burma"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_play_is_told_without_a_gap(scenario: str, seed: int) -> None:
    engine = _some_play(scenario, seed, 300)
    places = {text for _, event, one in diary.told(engine) if one for text in _texts(one.text)}
    assert places and not any("{" in text for text in places)
    state = engine.state
    for overview in wording.overviews(state):
        for row in overview.rows:
            spoken = ENGLISH.text(Message(overview.spoken, row))
            assert "{" not in spoken
            assert {key for key, _ in overview.columns} == set(row)
    assert all(ENGLISH.text(remark) for remark in wording.remarks(state))
    board = wording.board(state)
    assert all(f"{p.at:04}" in board for p in state.pieces.values() if p.box == "map" and p.at in state.board.hexes)


def _texts(message: Message) -> list[str]:
    names = {name for _, name, _, _ in string.Formatter().parse(message.id) if name}
    assert names <= set(message.args), message.id
    return [ENGLISH.text(message)]


def _some_play(scenario: str, seed: int, answers: int) -> Any:
    engine = table.begin(scenario)
    player = Player(random.Random(seed))
    for _ in range(answers):
        if engine.request is None:
            break
        engine.reply(player.answer(engine.request))
    return engine


# -- over signed files ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def party() -> list[Person]:
    """Two players after some files with hidden hands."""
    found = hidden_play.two_people("year-1942")
    dice = random.Random(4)
    for _ in range(9):
        writer = next(p for p in found if p.name == found[0].table.due.player)
        send(found, hidden_play.decide(writer, dice))
    return found


def _view(party: list[Person], reader: Person | None = None) -> Any:
    person = party[0]
    start = Table.start(person.table.charter, GAME, person.table.engine.scenario)
    steps = [*history(start, person.log[1:], lambda seq: person.log[seq])]
    knowledge = reader.knowledge() if reader else None
    words = games.load("empire-of-the-sun").words()
    return story.report(words, steps, steps[-1].taken.table, lambda seq: person.log[seq], knowledge=knowledge)


def test_spectators_see_no_card_that_nobody_has_shown(party: list[Person]) -> None:
    text = render.report(_view(party), "md", ENGLISH)
    deck = party[0].table.engine.state.board.cards
    shown = {str(item) for item in party[0].table.ledger.opened.values()}
    hidden = {card for p in party for card in p.knowledge().hand(p.seats[0]) if card not in shown}
    assert len(hidden) >= 4
    assert [str(deck[card]) for card in hidden if str(deck[card]) in text] == []


def test_the_owner_sees_his_own_hand_and_not_the_other_one(party: list[Person]) -> None:
    yamada, nowak = party
    for person in (yamada, nowak):
        held = person.knowledge().hand(person.seats[0])
        own = dict(story.private(wording, person.knowledge(), person.table))
        assert {*held.values()} <= {*own} and all(handle.startswith(person.seats[0]) for handle in own)
        told = [(english(where), english(what)) for where, what in _view(party, person).private]
        assert {*map(english, own.values())} == {what for _, what in told}
        assert held and all(re.match("what was (drawn unseen|sealed) in file [0-9]+$", where) for where, _ in told), told


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("form", render.FORMATS)
def test_reports_come_in_every_format_and_language(party: list[Person], form: str, code: str) -> None:
    tongue = language(code, (wording.CATALOGUE,))
    text = render.report(_view(party), form, tongue)
    assert tongue.text(labels.SIDES["japan"]) in text
    assert tongue.text(wording.heading(party[0].table.engine.state)).split(":")[0] in text


def test_every_die_stands_beside_what_it_did(party: list[Person]) -> None:
    view = _view(party)
    lines = [line for chapter in view.chapters for block in chapter.blocks for line in block.lines if line.roll]
    assert {line.roll.number for line in lines if line.roll} == {roll.number for roll in view.rolls}


# -- the picture -----------------------------------------------------------------------------------------------------------


def _pictured() -> Any:
    engine = diary.played()
    return picture.picture(engine.state, picture.latest_turn([(GAME.start(engine.scenario, {}), engine.state.events)]))


def test_the_picture_shows_the_moves_and_the_battle_of_the_offensive() -> None:
    shown = _pictured()
    moves = {(j.path[0], j.path[-1], j.kind, j.count) for j in shown.journeys}
    assert moves == {(2812, 2813, "land", 1), (2915, 2813, "sea", 2)}
    manila = next(place for place in shown.spaces if place.id == 2813)
    assert manila.fought and manila.owner == "japan" and manila.taken_from == "allies"
    assert [place.id for place in shown.spaces if place.fought] == [2813]


def test_every_unit_on_the_map_is_one_counter_of_the_picture() -> None:
    engine, shown = diary.played(), _pictured()
    drawn = sorted(piece.name for place in shown.spaces for piece in place.pieces)
    assert drawn == sorted(engine.state.counter(u).name for u in engine.state.on_map())
    reduced = {piece.name for place in shown.spaces for piece in place.pieces if piece.reduced}
    assert "R Corps" in reduced and "14th Army" not in reduced


def test_moves_that_were_taken_back_leave_no_arrow() -> None:
    engine = diary.played()
    ((state, happened),) = picture.latest_turn([(GAME.start(engine.scenario, {}), engine.state.events)])
    last = max(i for i, event in enumerate(happened) if isinstance(event, Moved))
    again = [*happened[: last + 1], Rewound("moves", "7.23"), *happened[last + 1 :]]
    assert picture._journeys(state, lasting([(state, happened)]))
    assert picture._journeys(state, lasting([(state, again)])) == ()


def test_each_offensive_of_a_turn_has_its_ways() -> None:
    """The same units go the same ways in two offensives: both have arrows."""
    engine = diary.played()
    ((state, happened),) = picture.latest_turn([(GAME.start(engine.scenario, {}), engine.state.events)])
    once = {j.path: j.count for j in picture._journeys(state, lasting([(state, happened)]))}
    twice = {j.path: j.count for j in picture._journeys(state, [*lasting([(state, happened)])] * 2)}
    assert twice == {path: 2 * count for path, count in once.items()} != {}


def test_latest_offensive_begins_where_its_card_was_used() -> None:
    engine = diary.played()
    start = GAME.start(engine.scenario, {})
    plain, events_before = to_plain(start), len(start.events)
    ((state, happened),) = picture.latest_turn([(start, engine.state.events)])
    picture.picture(engine.state, [(state, happened)])
    assert to_plain(start) == plain and len(start.events) == events_before  # a picture uses nothing up
    assert isinstance(happened[0], OffensiveBegan) and isinstance(happened[-1], OffensiveEnded)
    assert state.holds("allies", 2813)
    for event in happened:
        emit(state, event)
    assert state.holds("japan", 2813)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("CV Akagi", "Akagi"),
        ("22nd Air Flotilla", "22"),
        ("South West Pacific HQ", "SWP"),
        ("Combined Fleet HQ (Yamamoto)", "Yama"),
        ("R Corps", "R"),
        ("Korean Army", "Korea"),
    ],
)
def test_counters_are_told_apart_by_a_few_letters(name: str, short: str) -> None:
    assert picture.short(name) == short


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_card_is_called_in_a_hand_as_the_card_itself_is_shown(code: str) -> None:
    game = games.load("empire-of-the-sun")
    spoken, shown = language(code, (game.folder,)), rules_in(code, game).cards
    board = game.start(load_scenario(game, "south-pacific"), {}).board
    told = {id: spoken.text(card.told) for id, card in board.cards.items()}
    assert told == {id: f"{id} {shown[id].name}" for id in board.cards}
    assert (code == "en") == (told["J33"] == "J33 Imperial Intervention")


@pytest.mark.parametrize("code", catalogues.TRANSLATED)
def test_the_name_of_a_card_is_translated_in_one_place(code: str) -> None:
    names = {card.name for card in games.load("empire-of-the-sun").index().cards.values()}
    held = catalogues.translations(code, "empire_of_the_sun")
    assert all(held[name] for name in names) and not names & set(catalogues.translations(code, "rules_empire_of_the_sun"))
