"""Odds and luck of Pacific War: the distributions are those of the rules, every shot of a game is somebody's luck."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pbem.games.pacific_war import chances, odds
from pbem.games.pacific_war.dice import fire, ground_result
from pbem.games.pacific_war.engagements import SeaBegan
from pbem.games.pacific_war.events import Fired, Moved
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.land.combat import ground_column, ratio_modifier
from pbem.games.pacific_war.postures import Activated
from pbem.games.pacific_war.records import Sea
from pbem.games.pacific_war.state import State
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Simultaneous
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import english, msg
from pbem.odds.forecast import Imagined, in_words
from pbem.odds.luck import factor, lucks, proxy
from tests.pacific_war import random_play, table
from tests.pacific_war.test_telling import played

SEATS = {"japan": "yamada", "allies": "nowak"}


def by_the_rules(g: Any, line: str, strength: int) -> list[float]:
    """The distribution of the hits of `fire`, for every pair of dice that it can roll."""
    counts: dict[int, int] = {}
    for first, second, third in product(range(1, 11), repeat=3):
        dice, flow = iter((first, second, third)), fire(g, line, strength, msg("light"), "PW-NAV-03", "allies")
        try:
            next(flow)
            while True:
                flow.send([next(dice)])
        except StopIteration as end:
            counts[end.value.hits] = counts.get(end.value.hits, 0) + 1
    return [counts.get(n, 0) / 1000 for n in range(max(counts) + 1)]


@pytest.mark.parametrize("line", ["short", "torpedo", "2E-naval", "cap-coordinated", "flak", "air-ground", "air-installation"])
@pytest.mark.parametrize("strength", [-1, 0, 1, 5, 12, 19, 25])
def test_the_hits_of_an_attack_are_those_of_the_rules(line: str, strength: int) -> None:
    g = table.begin("savo-island").state
    assert odds.shot(g.board.charts, line, strength) == pytest.approx(by_the_rules(g, line, strength))


def test_attacks_together_add_up() -> None:
    charts = table.begin("savo-island").state.board.charts
    both = odds.volley(charts, [("short", 5), ("torpedo", 3)])
    one, other = odds.shot(charts, "short", 5), odds.shot(charts, "torpedo", 3)
    assert sum(both) == pytest.approx(1)
    assert odds.mean(both) == pytest.approx(odds.mean(one) + odds.mean(other))
    assert both[0] == pytest.approx(one[0] * other[0])


def test_a_ground_combat_has_the_results_of_the_chart() -> None:
    g = table.begin("coral-sea").state
    results = [ground_result(g, 12 - die, 9) for die in range(10)]
    found = odds.assault(g, 12, 9)
    assert found.attacker_loses == pytest.approx(sum(r[0] for r in results) / 10)
    assert found.defender_retreats == pytest.approx(sum(r[2] == "D" for r in results) / 10)


# -- forecasts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["savo-island", "pearl-harbor"])
def test_what_is_about_to_be_fought_is_forecast(scenario: str) -> None:
    told: dict[str, Any] = {}

    def watch(engine: Engine) -> None:
        g: State = engine.state
        found = chances.forecasts(g, lambda seat, kind: ())
        asked = engine.request.asks[0].kind if isinstance(engine.request, Simultaneous) else getattr(engine.request, "kind", "")
        assert found or asked != "fire"
        aims = g.mission.targets if g.mission is not None else {}
        flying = [u for u, aim in aims.items() if g.units[u].box == "map" and aim != ["strafe"]]
        assert found or not [u for u in flying if g.mission and u not in g.mission.aborted]
        told.update({english(one.title): one for one in found})

    for seed in (1, 2):
        random_play.play(scenario, seed, watch)
    assert told
    for one in told.values():
        assert sum(one.outcomes.values()) == pytest.approx(1) and min(one.outcomes.values()) >= -1e-9, one.title
        assert in_words(one)


def test_a_contested_hex_is_forecast_for_each_side_that_may_attack() -> None:
    g = table.begin("coral-sea").state
    invader, garrison = "144th Regiment", next(u for u in g.on_map("allies", "ground") if g.units[u].at == 1426)
    emit(g, Moved(invader, 1426, "PW-LND-01"))
    emit(g, Activated(invader, "PW-ACT-01"))
    told, answer = chances.forecasts(g, lambda seat, kind: ())
    assert "japan, " in english(told.title) and "allies, " in english(answer.title)  # both are activated
    own, other = g.counter(invader).tq, g.counter(garrison).tq
    steps = g.steps(invader), g.steps(garrison)
    assert f"quality {own}, steps {steps[0]}, attacks quality {other}, steps {steps[1]}" in english(told.title)
    net = ground_column(g, 1426, own, other) + ratio_modifier(g, *steps)
    assert told.means["attacker loses"] == sum(ground_result(g, net - die, sum(steps))[0] for die in range(10)) / 10


def test_a_ship_is_sunk_by_as_many_hits_as_it_takes() -> None:
    engine = table.begin("savo-island")
    g = engine.state
    emit(g, SeaBegan(Sea(1134, 1, "short", "", {"japan": ["CA5 Chokai"], "allies": ["CA1 Australia"]}), "PW-NAV-02"))
    told = {english(one.title).rpartition(" at ")[2]: one for one in chances.forecasts(g, lambda seat, kind: ())}
    shots = odds.volley(g.board.charts, [("short", 5), ("torpedo", 5)])
    room = g.steps("CA1 Australia")
    assert told["CA1 Australia"].outcomes["sunk"] == pytest.approx(sum(shots[room:]))
    assert told["CA1 Australia"].means["hits"] == pytest.approx(odds.mean(shots))


def test_ships_that_the_same_shots_hit_alike_are_told_together() -> None:
    g = table.begin("savo-island").state
    allies = ["CA1 Australia", "CA2 Chicago", "DD7 Bagley"]
    emit(g, SeaBegan(Sea(1134, 1, "short", "", {"japan": ["CA5 Chokai"], "allies": allies}), "PW-NAV-02"))
    told = {english(one.title).rpartition(" can fire, at ")[2]: one for one in chances.forecasts(g, lambda seat, kind: ())}
    assert [*told] == ["one of CA1 Australia, CA2 Chicago", "DD7 Bagley", "CA5 Chokai"]
    alone = Sea(1134, 1, "short", "", {"japan": ["CA5 Chokai"], "allies": ["CA2 Chicago"]})
    g.sea = alone
    [one] = [f for f in chances.forecasts(g, lambda seat, kind: ()) if english(f.title).endswith("at CA2 Chicago")]
    assert one.outcomes == told["one of CA1 Australia, CA2 Chicago"].outcomes


@pytest.mark.parametrize(
    ("attack", "defence", "place"),
    [
        ("short 5, torpedo 5", "4", "sea"),
        ("1E-naval 8, flak zero-four", "2", "sea"),
        ("quality 8, steps 6", "quality 5, steps 3, mountain", "land"),
        ("quality 8, step 1", "quality 5, steps 3", "amphibious"),
    ],
)
def test_a_battle_in_words_has_outcomes_that_add_up(attack: str, defence: str, place: str) -> None:
    told = chances.imagine(table.scenario("coral-sea"), Imagined(attack, defence, place))
    assert sum(told.outcomes.values()) == pytest.approx(1) and min(told.outcomes.values()) >= 0
    assert attack in in_words(told)


def test_an_assault_from_the_sea_is_harder() -> None:
    def loses(place: str) -> float:
        words = "quality 8, steps 6", "quality 5, steps 3"
        return chances.imagine(table.scenario("coral-sea"), Imagined(*words, place)).means["defender loses"]

    assert loses("amphibious") < loses("land")


@pytest.mark.parametrize(
    ("attack", "defence", "place"), [("shrt 5", "4", "sea"), ("short 5", "x", "sea"), ("CA1", "CA2", "land")]
)
def test_a_battle_that_cannot_be_read_is_refused_with_an_example(attack: str, defence: str, place: str) -> None:
    with pytest.raises(Rejected, match="cannot be read"):
        chances.imagine(table.scenario("coral-sea"), Imagined(attack, defence, place))


# -- luck ----------------------------------------------------------------------------------------------------------------


SEEDS = {"guadalcanal": 4}  # with shots in its first months


def thrown(scenario: str) -> list[Any]:
    engine = played(scenario, SEEDS.get(scenario, 1))[0]
    state, found = GAME.start(engine.scenario, {}), []
    for event in engine.state.events:
        found.append((event, chances.throw(state, event)))
        emit(state, event)
    return found


@pytest.mark.parametrize("scenario", ["savo-island", "pearl-harbor", "coral-sea", "midway", "guadalcanal"])
def test_every_shot_of_a_game_is_the_luck_of_a_side(scenario: str) -> None:
    found = thrown(scenario)
    shots = [(event, one) for event, one in found if isinstance(event, Fired)]
    assert shots
    for event, one in shots:
        assert one is not None and {one.gains, one.loses} == {"japan", "allies"}, event.label
        assert event.result == "T" or event.strength < 0 or one.score == int(event.result)
    total = lucks([one for _, one in found if one], SEATS)
    assert total["yamada"].path[-1][1] == pytest.approx(-total["nowak"].path[-1][1])


@pytest.mark.parametrize("scenario", ["pearl-harbor", "coral-sea"])
def test_what_a_roll_brings_on_the_mean_is_what_the_odds_say(scenario: str) -> None:
    state = table.begin(scenario).state
    for event, one in thrown(scenario):
        if isinstance(event, Fired) and one and event.strength >= 0:
            faces = [odds.hits_on(state.board.charts, event.line, event.strength, die) for die in range(10)]
            assert one.mean == pytest.approx(sum(faces) / 10)
            assert one.factor >= sum((n - one.mean) ** 2 for n in faces) / 10


@pytest.mark.parametrize("hitting", [1, 3, 5, 8])
def test_the_variance_factor_of_a_hit_or_miss_is_the_known_one(hitting: int) -> None:
    found, known = proxy((0.0,) * (10 - hitting) + (1.0,) * hitting), factor(hitting / 10)
    assert known * 0.999 <= found <= known * 1.011


def test_dice_that_cannot_differ_are_no_luck() -> None:
    assert proxy((2.0,) * 10) == 0.0
