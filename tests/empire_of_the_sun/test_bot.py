"""What the bot makes of small positions, and of whole games against random play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.cli import local, playing
from pbem.games.empire_of_the_sun import bot
from pbem.games.empire_of_the_sun.bot import openings
from pbem.games.empire_of_the_sun.bot.judgement import Assault, ground_chance
from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Open
from pbem.runtime.composing import Draft
from tests.case_driver import Case
from tests.empire_of_the_sun import bot_play, hidden_play, table
from tests.empire_of_the_sun.stage import GameStage
from tests.empire_of_the_sun.table import SCENARIOS
from tests.toygame.party import Person, send

LONG = range(20)


def position(*setup: str, play: tuple[str, ...] = ()) -> Engine:
    """A position in the words of the case files, at its next question to somebody."""
    stage = GameStage(Case("", "", [], list(setup), list(play)))
    stage.run()
    return stage.engine


def orders(engine: Engine, until: str) -> list[Any]:
    """The bot's orders for whoever is asked until this kind of question comes up."""
    given: list[Any] = []
    while isinstance(engine.request, Ask) and engine.request.kind != until:
        given.append(bot.choose(engine.state, engine.request))
        engine.reply(given[-1])
    return given


def test_the_undefended_oil_is_taken() -> None:
    engine = position(
        "TURN 3",
        "UNITS Saigon: South HQ, 25th Army, CA Nachi",
        "OWN japan: Kuantan, Singapore, Medan, Palembang, Bangka, Balikpapan, Tarakan, Soerabaja, Manila, Rangoon",
        "OWN allies: Miri",
        "HAND japan: J14",
        "HAND allies: A59",
    )
    orders(engine, "reaction")
    assert engine.state.pieces["25-army"].at == 2415


def test_a_question_that_is_asked_again_is_answered_alike_in_a_copy_too() -> None:
    engine = position(
        "TURN 3",
        "UNITS Saigon: South HQ, 25th Army, CA Nachi",
        "OWN japan: Kuantan, Medan, Palembang, Bangka, Balikpapan, Tarakan, Soerabaja, Manila, Rangoon",
        "OWN allies: Miri",
        "HAND japan: J14",
        "HAND allies: A59",
    )
    kinds = []
    while isinstance(engine.request, Ask) and engine.request.kind != "reaction":
        kinds.append(engine.request.kind)
        copy = engine.fork()
        assert isinstance(copy.request, Ask)
        first = bot.choose(engine.state, engine.request)
        assert bot.choose(engine.state, engine.request) == bot.choose(copy.state, copy.request) == first
        engine.reply(first)
    assert "move" in kinds


def struck(*beside: str) -> list[str]:
    """The Allied ships that sail against an air division in Malaya, with these units of Japan beside it."""
    engine = position(
        "TURN 3",
        "ACTIVE allies",
        "UNITS Rangoon: SEAC HQ, BB Warspite, CV Indomitable",
        "UNITS Saigon: South HQ",
        "UNITS Kota Bharu: 2nd Air Division",
        *beside,
        "OWN japan: Kota Bharu, Kuantan",
        "HAND allies: A79",
        "HAND japan: J14",
    )
    orders(engine, "reaction")
    offensive = engine.state.offensive
    return [u for u in offensive.units if engine.state.counter(u).kind == "naval"] if offensive else []


def test_a_fleet_strikes_where_no_more_may_come_than_it_can_bear() -> None:
    assert struck() == ["bb-warspite", "cv-indomitable"]
    assert struck("UNITS Kuantan: 21st Air Flotilla, 22nd Air Flotilla, 23rd Air Flotilla") == []
    far = struck("UNITS Manila: 21st Air Flotilla, 22nd Air Flotilla, 23rd Air Flotilla", "OWN japan: Manila")
    assert far == ["bb-warspite", "cv-indomitable"], "they are too far off to come"


def test_the_opening_lands_nowhere_weaker_than_it_can_bear() -> None:
    """Of the armies alone that landed at Leyte and Davao once, every second was lost."""
    g = table.begin("campaign-1941").state
    landed: dict[int, list[str]] = {}
    lines = [line for lines in openings.book().values() for line in lines]
    flown_to = {int(battle.split()[0]) for line in lines for battle in line.battles}
    for line in lines:
        for said in (str(move["assault"]) for move in line.moves if "assault" in move):
            units, _, way = said.partition(" from ")
            place = int(way.partition(" to ")[2].split()[0])
            landed.setdefault(place, []).extend(read_unit(g, name) for name in units.split(", "))
    chances = {}
    for place, arrived in landed.items():
        troops = [u for u in arrived if g.counter(u).kind == "ground"]
        defenders = g.mine_at(ALLIES, place, "ground")
        assault = Assault(place, (), tuple(troops), tuple(defenders), True, place in flown_to)
        chances[place] = ground_chance(g, JAPAN, assault)
    assert len(chances) >= 6 and min(chances.values()) >= 60, chances


def test_the_larger_card_is_played_first_and_a_reaction_card_is_kept() -> None:
    engine = position("UNITS Truk: South Seas HQ, CV Akagi", "HAND japan: J4, J9, J24", "HAND allies: A59")
    assert isinstance(engine.request, Ask)
    assert bot.choose(engine.state, engine.request) == {"play": "J9"}


def test_tojo_resigns_as_soon_as_he_has_to() -> None:
    engine = position("TURN 8", "UNITS Truk: South Seas HQ, CV Akagi", "HAND japan: J9, J43", "HAND allies: A59")
    assert orders(engine, "nothing")[:2] == [{"play": "J43"}, "event"]


ATTACK = (
    "allies: play: A21",
    "allies: operations: Central Pacific HQ",
    "allies: activate: CV Essex, CV Franklin, 1st Marine Division",
    "allies: assault: CV Essex, CV Franklin, 1st Marine Division to Kwajalein",
    "allies: done",
    "allies: done",
)


def attacked(hand: str) -> Engine:
    return position(
        "ACTIVE allies",
        "MARK asp allies 4",
        "UNITS Oahu: Central Pacific HQ, CV Essex, CV Franklin, 1st Marine Division",
        "UNITS Kwajalein: 24th Air Flotilla, 17th Army",
        "UNITS Truk: South Seas HQ",
        "HAND allies: A21",
        f"HAND japan: {hand}",
        play=ATTACK,
    )


def test_weather_stops_what_threatens_much() -> None:
    engine = attacked("J19, J14")
    assert isinstance(engine.request, Ask)
    assert bot.choose(engine.state, engine.request) == {"weather": "J19"}


def test_an_intelligence_card_is_played_for_a_battle_that_counts() -> None:
    engine = attacked("J4")
    orders(engine, "counter")
    assert engine.state.offensive is not None
    assert engine.state.offensive.condition == "intercept"


def test_hits_go_where_they_cost_the_enemy_most() -> None:
    engine = position(
        "TURN 3",
        "UNITS Truk: South Seas HQ, CV Akagi, CV Shokaku",
        "UNITS Rabaul: CV Wasp, CA Kent",
        "HAND japan: J14",
        play=(
            "japan: play: J14",
            "japan: operations: South Seas HQ",
            "japan: activate: CV Akagi, CV Shokaku",
            "japan: move: CV Akagi, CV Shokaku to 4019",
            "japan: done",
            "japan: battle: Rabaul with CV Akagi, CV Shokaku",
            "japan: done",
            "allies: intelligence: none",
            "dice: 9",
        ),
    )
    hits = orders(engine, "return")[0]["hits"]
    assert hits[read_unit(engine.state, "CV Wasp")] == 2


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(
    ("name", "rules"),
    [("south-pacific", "1st-2005"), ("south-pacific", "2nd-2015"), ("burma", "1st-2005"), ("year-1943", "2nd-2015")],
)
def test_two_bots_come_to_an_end(name: str, rules: str) -> None:
    assert bot_play.play(name, 3, (JAPAN, ALLIES), rules=rules).state.winner


@pytest.mark.parametrize(
    ("name", "side", "least", "at_random"),
    [("burma", ALLIES, 6, 5), pytest.param("south-pacific", ALLIES, 5, 3, marks=pytest.mark.long)],
)
def test_the_bot_wins_more_often_than_random_play(name: str, side: str, least: int, at_random: int) -> None:
    """Six games each: the bot against random play, and random play against itself."""
    assert bot_play.wins(name, side, range(6), (side,)) >= least
    assert bot_play.wins(name, side, range(6), ()) <= at_random


@pytest.mark.long
@pytest.mark.parametrize("rules", ["1st-2005", "2nd-2015"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_two_bots_finish_every_scenario(name: str, rules: str) -> None:
    assert bot_play.play(name, 5, (JAPAN, ALLIES), rules=rules, **{"simultaneous-hits": "sealed"}).state.winner


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "side", "percent", "at_random"),
    [
        ("year-1942", JAPAN, 20, 5),
        ("year-1943", ALLIES, 90, 75),
        ("year-1944", ALLIES, 30, 10),
        ("burma", ALLIES, 90, 85),
        ("south-pacific", ALLIES, 65, 20),
    ],
)
def test_either_side_wins_clearly_more_often(name: str, side: str, percent: int, at_random: int) -> None:
    assert 100 * bot_play.wins(name, side, LONG, (side,)) >= percent * len(LONG)
    assert 100 * bot_play.wins(name, side, LONG, ()) <= at_random * len(LONG)


# -- hidden hands ----------------------------------------------------------------------------------------------------


def by_bot(person: Person) -> Draft:
    """The bot's orders over signed files, its cards by name, until somebody else is asked."""
    if person.table.due.what != "orders":
        return Draft()
    engine = Engine.resume(GAME, person.table.engine.scenario, person.table.engine.checkpoint())
    knowledge = person.knowledge()
    given: list[Plain] = []
    while engine.request is not None:
        request = engine.request
        if isinstance(request, Ask) and request.seat in person.seats:
            cards = knowledge.hand(request.seat)
            order = request.forced if request.forced is not None else bot.choose(engine.state, request, cards)
            if request.forced is None:
                given.append(order)
            engine.reply(GAME.spelled_out(engine.state, request.seat, order, cards))
        elif isinstance(request, Open) and request.seat in person.seats:
            engine.reply(knowledge.reveal(request.handle))
        elif isinstance(request, Claim) and request.seat in person.seats:
            engine.reply(request.truth(knowledge.reveal))
        else:
            break
    return Draft(given)


def test_bots_play_with_hidden_hands_over_signed_files() -> None:
    party = hidden_play.two_people("burma")
    for _ in range(80):
        if party[0].table.due.what == "nothing":
            break
        writer = next(p for p in party if p.name == party[0].table.due.player)
        send(party, by_bot(writer))
    assert _played_by_japan(party[0].table.engine.state) >= 2
    assert party[0].table.engine.state == party[1].table.engine.state


def test_bots_play_in_real_game_folders(tmp_path: Path) -> None:
    """As `pbem play --bot` with the bot on both sides."""
    folder = tmp_path / "g"
    playing.begin(folder, playing.Wanted("empire-of-the-sun", "burma", [], JAPAN, False))
    with local.at_work(folder) as party:
        while party.one.table.last < 90 and _played_by_japan(party.one.table.engine.state) < 2:  # dice are real ones here
            party.send(Draft(local.bot_orders(party.writer)))
        assert len({s.table.engine.state_hash() for s in party.sessions.values()}) == 1
        assert _played_by_japan(party.one.table.engine.state) >= 2


def _played_by_japan(state: State) -> int:
    return len(state.discards[JAPAN]) + len(state.out_of_play[JAPAN])
