"""What the bot makes of small positions, and of whole games against random play."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pbem.games.pacific_war import bot
from pbem.games.pacific_war.bot.ground_war import HOME_IN_DANGER, guards, rounds_to_take
from pbem.games.pacific_war.bot.operations import best_plan, plan_of
from pbem.games.pacific_war.bot.sea import course, destination
from pbem.games.pacific_war.bot.war import transport
from pbem.games.pacific_war.records import Marker
from pbem.games.pacific_war.state import ALLIES, JAPAN, SIDES
from pbem.games.pacific_war.victory import owner
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll, Simultaneous
from tests.case_driver import Case
from tests.pacific_war import bot_play, table
from tests.pacific_war.stage import GameStage


def position(*setup: str, play: tuple[str, ...] = ()) -> Engine:
    """A position in the words of the case files, at its next question to somebody."""
    stage = GameStage(Case("", "", [], list(setup), list(play)))
    stage.run()
    return stage.engine


def answer(engine: Engine) -> Any:
    """What the bot says to the question at hand."""
    assert isinstance(engine.request, Ask)
    return bot.choose(engine.state, engine.request)


def test_the_best_searcher_looks_for_the_task_force() -> None:
    engine = position(
        "AIRFIELD 1134: allies small",
        "UNITS 1134: Noumea Catalinas, 3rd Bomb Group",
        "FLEET J1 1332: CA1 Aoba",
        "START movement true",
    )
    assert answer(engine) == {"search": {"J1": "Noumea Catalinas"}}


def test_aircraft_strike_the_carrier_that_has_been_found() -> None:
    engine = position(
        "FLEET A1 1134: CV1 Lexington, CV3 Yorktown / CA3 Minneapolis, DD5 Mahan",
        "ABOARD CV1 Lexington: Lexington air group less 1",
        "FLEET J1 1337 detected: CVL4 Shoho, CA1 Aoba",
        "AIRFIELD 1630: japan large",
        "UNITS 1630: 144th Regiment",
        "MARK advantage allies",
        "START air-phase allies true",
    )
    assert answer(engine)["mission"]["strike"] == 1337


def test_carriers_that_are_to_sink_others_come_near() -> None:
    """At three hexes a search by aircraft succeeds in four of ten cases, at one hex in six."""
    fleets = (
        "FLEET A1 1134: CV1 Lexington, CV3 Yorktown / CA3 Minneapolis, DD5 Mahan",
        "ABOARD CV1 Lexington: Lexington air group less 1",
        "FLEET J1 1337: CVL4 Shoho, CA1 Aoba",
    )
    hunt = "MARK victory {allies: [{kind: sunk, side: japan, types: [CVL], number: 1, text: Shoho}]}"
    hunters, others = position(*fleets, hunt, "START movement true"), position(*fleets, "START movement true")
    assert destination(hunters.state, ALLIES, "A1", 1134) == 1337
    assert not destination(others.state, ALLIES, "A1", 1134)


def marines_at_sea(place: int, time: str, *more: str) -> Engine:
    """Marines at sea near an Allied airfield, in an operation of fourteen days that has lasted some time."""
    return position(
        "SCENARIO guadalcanal",
        "HQ South Seas: japan 2432 40",
        f"OPERATION South Seas: start 0 days 14 {time}",
        "AIRFIELD 1432: allies small",
        f"FLEET J9 {place}: CL1 Tenryu, AA1 Transports",
        "ABOARD AA1 Transports: Kure Marines",
        "MARK operator japan",
        "MARK cycle 5",
        "MARK control {1432: allies}",
        *more,
        "START movement true",
        play=("japan: first: land",),
    )


IN_TIME, IN_PENALTY_TIME = "elapsed 6", "elapsed 16 penalty 14"


def test_in_penalty_time_nobody_sails_for_a_beach_any_more() -> None:
    """One hex from an empty airfield that should be taken: there while the operation lasts, to Rabaul when it costs more."""
    assert destination(marines_at_sea(1332, IN_TIME).state, JAPAN, "J9", 1332) == 1432
    assert destination(marines_at_sea(1332, IN_PENALTY_TIME).state, JAPAN, "J9", 1332) == 1630


def test_ships_leave_a_double_coastline_on_their_own_side() -> None:
    """[PW-MAP-01] From the north side of 4431 the way to the Bonins goes round; from the south side straight on."""
    g = table.begin("strategic-1941").state
    g.markers["A1"] = Marker(ALLIES, 4431, shore=4532)
    north = course(g, "A1", 4431, 3832)
    g.markers["A1"].shore = 4332
    south = course(g, "A1", 4431, 3832)
    assert north is not None and south is not None
    assert (north[0], south[0]) == (4532, 4332) and len(north) > len(south)


def test_in_penalty_time_nobody_lands_among_enemies() -> None:
    """[PW-TIM-04] They could not attack, and who has landed cannot be deactivated before: an operation without an end."""
    fight = "UNITS 1432: 6th Seabees inactive, 144th Regiment"
    assert answer(marines_at_sea(1432, IN_TIME, fight)) == {"debark": {"Kure Marines": 1432}}
    assert answer(marines_at_sea(1432, IN_PENALTY_TIME, fight)) == "done"


@pytest.mark.parametrize(("elapsed", "leaves"), [(4, False), (12, True)])
def test_ships_leave_a_combat_before_the_penalty_time(elapsed: int, leaves: bool) -> None:
    """[PW-NAV-05] If both stay they are held, and in penalty time nobody could begin the combat that frees them."""
    engine = position(
        "SCENARIO guadalcanal",
        "HQ South Seas: japan 2432 40",
        f"OPERATION South Seas: start 0 days 14 elapsed {elapsed}",
        "FLEET J9 1432 detected: BB8 Hiei, BB9 Kirishima",
        "FLEET A9 1432 detected: CL5 San Juan",
        "MARK operator japan",
        "MARK cycle 3",
        "MARK advantage japan",
        "START sea-combat 1432",
    )
    while not (isinstance(engine.request, Ask) and engine.request.kind == "leave"):
        request = engine.request
        if isinstance(request, Simultaneous):
            engine.reply({a.seat: {"bid": "short"} if a.kind == "bid" else a.default for a in request.asks})
        elif isinstance(request, Roll):
            engine.reply([9])
        else:
            engine.reply("hold" if request is not None and getattr(request, "kind", "") == "fire" else answer(engine))
    assert engine.request.seat == JAPAN
    assert (answer(engine) != {"leave": "none"}) == leaves


def test_a_hopeless_landing_waits_and_an_unopposed_one_does_not() -> None:
    beach = (
        "COUNTERS guadalcanal",
        "FLEET J4 1134: CL1 Tenryu, AA1 Transports",
        "ABOARD AA1 Transports: Kure Marines",
        "MARK control {1134: allies}",
    )
    victory = 'MARK victory {japan: [{kind: holds, side: japan, hexes: ["1134"], text: Guadalcanal}]}'
    free = position(*beach, victory, "START movement true", play=("japan: first: land",))
    assert answer(free) == {"debark": {"Kure Marines": 1134}}
    held = position(
        *beach, victory, "UNITS 1134: 30th Brigade, 1st Marine Regiment", "START movement true", play=("japan: first: land",)
    )
    assert answer(held) == "done"


def test_a_cruiser_among_battleships_withdraws() -> None:
    engine = position(
        "COUNTERS guadalcanal",
        "FLEET J1 1234 detected: BB8 Hiei, BB9 Kirishima",
        "FLEET A1 1234 detected: CL5 San Juan",
        "START sea-combat 1234",
    )
    while not (isinstance(engine.request, Simultaneous) and engine.request.asks[0].kind == "bid"):
        request = engine.request
        if isinstance(request, Simultaneous):
            engine.reply({a.seat: a.default for a in request.asks})
        elif isinstance(request, Roll):
            engine.reply([9])
        else:
            engine.reply(answer(engine))
    bids: dict[str, Any] = {a.seat: bot.choose(engine.state, a) for a in engine.request.asks}
    assert "withdraw" in bids[ALLIES]["bid"]
    assert bids[JAPAN]["bid"] in ("short", "medium", "long")


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("name", "side", "least", "at_random"),
    [("savo-island", JAPAN, 10, 4), ("coral-sea", JAPAN, 5, 1), ("midway", ALLIES, 3, 0)],
)
def test_the_bot_wins_more_often_than_random_play(name: str, side: str, least: int, at_random: int) -> None:
    """The bot against random play, and random play against itself, on the same seeds."""
    seeds = range(12 if name == "savo-island" else 8)
    assert bot_play.wins(name, side, seeds, (side,)) >= least
    assert bot_play.wins(name, side, seeds, ()) <= at_random


def test_the_first_operation_of_the_war_goes_south() -> None:
    """Manila, Malaya or the Indies, and Burma: with transports, troops and aircraft of one headquarters, within its points."""
    g = table.begin("strategic-1941").state
    plan = best_plan(g, JAPAN, {"Southern Army": 60, "Combined Fleet": 60})
    assert plan is not None and plan.price <= 60
    goals = {t.goal for t in plan.tasks}
    assert goals & {3819, 3908, 3606, 3314} and 5011 in goals
    assert all(t.ships and t.beach for t in plan.tasks if t.port)


def test_more_points_take_more_and_no_points_take_nothing() -> None:
    g = table.begin("strategic-1941").state
    small, large = plan_of(g, JAPAN, "Southern Army", 8), plan_of(g, JAPAN, "Southern Army", 60)
    assert small is not None and large is not None and small.gain < large.gain
    assert plan_of(g, JAPAN, "Southern Army", 0) is None


def test_resource_hexes_and_headquarters_keep_a_garrison() -> None:
    g = table.begin("strategic-1941").state
    stay = {g.units[u].at for u in guards(g, JAPAN)}
    assert {4212, 4716, 5029} <= stay


def test_the_home_islands_are_garrisoned_from_the_start() -> None:
    """Every port of the main islands keeps who is there; from 1943 on those without a division get troops from the rear."""
    g = table.begin("strategic-1941").state
    stay = {g.units[u].at for u in guards(g, JAPAN)}
    assert {4329, 4331, 4332, 4333, 4429, 4430, 4434, 4635} <= stay
    kagoshima, sendai = 4329, 4434
    early: Any = transport(g, Ask(JAPAN, "transport", "", "", lambda plain: plain, ()))[0]
    assert next(iter(early["ship"].values())) not in (kagoshima, sendai)
    g.month = HOME_IN_DANGER
    g.memo.forget()
    first: Any = transport(g, Ask(JAPAN, "transport", "", "", lambda plain: plain, ()))[0]
    assert first == {"ship": {"21st Division": sendai}}
    g.units["21st Division"].at = sendai
    g.memo.forget()
    second: Any = transport(g, Ask(JAPAN, "transport", "", "", lambda plain: plain, ()))[0]
    assert second == {"ship": {"27th Division": kagoshima}}


def test_a_division_takes_a_weak_garrison_but_not_singapore_from_the_sea() -> None:
    g = table.begin("strategic-1941").state
    assert rounds_to_take(g, 3305, JAPAN, ["2nd Division"], False)
    assert not rounds_to_take(g, 3908, JAPAN, ["2nd Division"], True)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", ["coral-sea", "guadalcanal", "pearl-harbor", "savo-island"])
def test_two_bots_come_to_an_end(name: str) -> None:
    assert bot_play.play(name, 3, (JAPAN, ALLIES)).state.winner


@pytest.mark.parametrize("name", ["coral-sea", "savo-island", "pearl-harbor"])
def test_two_bots_with_sealed_forces(name: str) -> None:
    assert bot_play.play(name, 1, (JAPAN, ALLIES), forces="sealed").state.winner


@pytest.mark.long
def test_the_bot_conquers_the_south_in_the_first_half_year() -> None:
    """Most of Singapore, Manila, Rangoon, Palembang and Balikpapan are Japanese before July 1942."""

    class HalfYear(Exception):
        pass

    def watch(engine: Engine) -> None:
        if engine.state.month < 38:
            raise HalfYear(sum(owner(engine.state, h) == JAPAN for h in (3908, 3819, 5011, 3606, 3112)))

    with pytest.raises(HalfYear) as seen:
        bot_play.play("strategic-1941", 1, (JAPAN, ALLIES), watch=watch)
    assert seen.value.args[0] >= 3


@pytest.mark.long
def test_two_bots_finish_every_scenario() -> None:
    for name in table.SCENARIOS:
        assert bot_play.play(name, 5, (JAPAN, ALLIES)).state.winner, name


def test_the_bot_fights_with_forces_that_were_hidden() -> None:
    engine = bot_play.play("guadalcanal", 1, SIDES, forces="sealed", land="sealed", decoys="yes")
    kinds = Counter(type(e).__name__ for e in engine.state.events)
    assert engine.state.winner and kinds["Concealed"] and kinds["Shown"] and kinds["MissionBegan"] > 5
