"""Odds of Next War against the engine itself, played to the end of the combat for every face of every die."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from pbem.games.next_war import chances
from pbem.games.next_war.charts import TERRAINS, combat_result, pick
from pbem.games.next_war.events.combat import CombatThrown, Thrown
from pbem.games.next_war.game import GAME
from pbem.games.next_war.odds.battle import Battle, Ending, battle
from pbem.games.next_war.odds.courses import Answers, copy_of
from pbem.games.next_war.odds.imagined import PLACES
from pbem.games.next_war.stacking import efficiency
from pbem.games.next_war.state import FOE, State
from pbem.kernel import standing
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.orders import Rejected
from pbem.kernel.records import to_plain
from pbem.kernel.wording import die_for, english
from pbem.odds.forecast import Imagined, in_words
from tests.case_driver import Case, read_cases
from tests.commands import must
from tests.manual import page
from tests.next_war import table
from tests.next_war.random_play import OPTIONS, play
from tests.next_war.stage import GameStage

NEARLY = 1e-12
Orders = Mapping[str, Any]  # kind -> standing order of both sides
USUAL: Orders = {"defend": "any", "support": "none", "lose": "any", "stand": "yes", "failed": "retreat", "retreat": "any"}
PLAIN = ["UNITS 0906: 3/I, 4/I", "UNITS 1007: 11/A"]
ATTACK: Plain = {"attack": "3/I, 4/I at 1007"}
HIGH = ["UNITS 0704: 3/I, 4/I", "UNITS 0703: 11/A"]
UPHILL: Plain = {"attack": "3/I, 4/I at 0703"}
MARKS = ["MARK air allied 3", "MARK air non-allied 2"]


def standing_here(orders: Orders) -> Any:
    return lambda seat, kind: standing.read_clauses(kind, orders[kind]) if kind in orders else ()


def declared(setup: list[str], order: Plain) -> Engine:
    """The engine after this attack was declared."""
    engine = GameStage(Case("NW-OD", "odds", setup=[*setup, "START combat basic allied"])).engine
    engine.reply(order)
    return engine


def answered(engine: Engine, orders: Orders) -> Roll | None:
    """Questions are answered up to the next die; None before the advance, or when the combat is over."""
    while engine.state.fight is not None:
        ask = engine.request
        if isinstance(ask, Roll):
            return ask
        assert isinstance(ask, Ask)
        if ask.kind == "advance":
            return None
        given = standing.answer(ask, standing.read_clauses(ask.kind, {**USUAL, **orders}[ask.kind]))
        if ask.forced is None:
            assert isinstance(given, standing.Answered), given
        engine.reply(ask.forced if ask.forced is not None else given.order)  # type: ignore[union-attr]
    return None


def steps(g: State) -> dict[str, int]:
    return {u: g.steps(u) if p.at or p.aboard else 0 for u, p in g.pieces.items() if g.counter(u).ground}


def every_die(engine: Engine, orders: Orders) -> dict[Ending, float]:
    """The ends of the combat by the engine's own dice, each face a course of its own."""
    fight, before = copy_of(engine.state).fight, steps(engine.state)
    assert fight is not None
    there = engine.state.ground(FOE[fight.side], fight.target)[:]
    beach = engine.state.beachheads.get(fight.target)
    ends: dict[Ending, float] = defaultdict(float)
    todo = [(engine.checkpoint(), 1.0)]
    while todo:
        checkpoint, chance = todo.pop()
        now = Engine.resume(GAME, engine.scenario, checkpoint)
        if answered(now, orders) is not None:
            for face in range(1, 11):
                branch = Engine.resume(GAME, engine.scenario, now.checkpoint())
                branch.reply([face])
                todo.append((branch.checkpoint(), chance / 10))
            continue
        after, g = steps(now.state), now.state
        left = sum(after[u] for u in there)
        beach_lost = (beach.steps - (g.beachheads[fight.target].steps if fight.target in g.beachheads else 0)) if beach else 0
        fate = chances.HOLDS if g.ground(FOE[fight.side], fight.target) else chances.RETREATS if left else chances.DESTROYED
        end = Ending(
            sum(before[u] - after[u] for u in fight.units),
            sum(before[u] for u in there) - left + beach_lost,
            fate,
            fate != chances.HOLDS and any(after[u] for u in fight.units),
        )
        ends[end] += chance
    return dict(ends)


def compare(engine: Engine, orders: Orders) -> Battle:
    told = battle(engine.state, Answers(standing_here(orders)))
    assert told.endings == pytest.approx(every_die(engine, orders), abs=NEARLY)
    return told


@pytest.mark.parametrize(
    ("setup", "order", "orders"),
    [
        (PLAIN, ATTACK, {}),
        (PLAIN, ATTACK, {"stand": "no", "lose": ["4/I"]}),
        (HIGH, UPHILL, {}),
        (HIGH, UPHILL, {"failed": "step"}),
        (HIGH, UPHILL, {"stand": "no"}),
        ([*HIGH, "MARKER non-allied 0703"], UPHILL, {}),
        ([*PLAIN, "OPTION edition newer"], ATTACK, {}),
        ([*PLAIN, "UNITS 0907: 1/MEC"], {"attack": "3/I, 4/I, 1/MEC at 1007"}, {}),
        ([*PLAIN, "UNITS 1008: 1/G", "UNITS 1107: 2/G"], ATTACK, {}),
    ],
)
def test_a_combat_ends_as_often_as_by_the_engines_dice(setup: list[str], order: Plain, orders: Orders) -> None:
    compare(declared(setup, order), orders)


def test_fire_at_air_points_is_followed_on_both_sides() -> None:
    engine = declared([*PLAIN, *MARKS], {"attack": "3/I at 1007"})
    told = compare(engine, {"support": {"air": 2}, "stand": "no"})
    assert len(told.drms) > 1


def attacks_at_once(case: Case) -> bool:
    """An attack is declared before any die."""
    lines = [*takewhile(lambda line: not line.startswith("dice"), case.play)]
    return any(line.partition(": ")[2].startswith("attack: ") and "!!" not in line for line in lines)


CASES = Path(__file__).parents[1] / "cases" / "next_war"
ATTACKS = [case for path in sorted(CASES.glob("*.cases")) for case in read_cases(path) if attacks_at_once(case)]


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("case", ATTACKS, ids=lambda case: case.id)
def test_the_combats_of_the_cases(case: Case) -> None:
    """The first attack of every case that begins with one, without Air Points, helicopters and ships."""
    stage = GameStage(case)
    for i, line in enumerate(case.play):
        stage._quiet(line)
        if stage.engine.state.fight is not None:
            break
        stage._order(line, i)
    compare(stage.engine, {})


# -- what a player is told ---------------------------------------------------------------------------------------------


def test_a_declared_attack_is_forecast_until_its_die() -> None:
    engine = declared(PLAIN, ATTACK)
    (told,) = chances.forecasts(engine.state, standing_here({}), hurry=True)
    assert sum(told.outcomes.values()) == pytest.approx(1, abs=NEARLY)
    assert english(told.title).startswith("Allied attacks 1007: odds ") and told.error == 0
    assert told.means["defender loses"] == pytest.approx(sum(n * p for n, p in told.losses["the defender"].items()))
    assert any("stand yes" in english(note) or "retreat any" in english(note) for note in told.notes)
    assert "lost steps, the attacker: 0 " in in_words(told)
    roll = answered(engine, {})
    assert roll is not None
    engine.reply([10])
    assert engine.state.fight is not None and chances.forecasts(engine.state, standing_here({})) == []


def test_every_hex_that_can_be_attacked_is_told_to_who_asks() -> None:
    engine = GameStage(Case("NW-OD", "odds", setup=[*PLAIN, "START combat basic allied"])).engine
    before = canonical(to_plain(engine.state))
    (told,) = chances.forecasts(engine.state, standing_here({}))
    assert english(told.title).startswith("Allied can attack 1007 with 3/I, 4/I: odds ")
    assert chances.forecasts(engine.state, standing_here({}), hurry=True) == []
    assert canonical(to_plain(engine.state)) == before
    (again,) = chances.forecasts(declared(PLAIN, ATTACK).state, standing_here({}))
    assert again.outcomes == told.outcomes


def test_standing_orders_of_both_sides_count() -> None:
    engine = declared(HIGH, UPHILL)
    (stays,) = chances.forecasts(engine.state, standing_here({"stand": "yes", "failed": "step"}))
    (goes,) = chances.forecasts(engine.state, standing_here({"stand": "no"}))
    assert goes.outcomes[chances.RETREATS] > stays.outcomes[chances.RETREATS] == 0


def test_conditions_of_standing_orders_see_the_facts_of_the_game() -> None:
    """`turn` is no fact of the question; by one that does not hold the next clause answers."""
    engine = declared(HIGH, UPHILL)
    told = [
        chances.forecasts(engine.state, standing_here({"stand": [{"do": "no", "when": f"turn = {turn}"}, {"do": "yes"}]}))[0]
        for turn in (engine.state.turn, engine.state.turn + 1)
    ]
    alone = [chances.forecasts(engine.state, standing_here({"stand": word}))[0] for word in ("no", "yes")]
    assert [t.outcomes for t in told] == [t.outcomes for t in alone] and alone[0].outcomes != alone[1].outcomes


# -- in words ------------------------------------------------------------------------------------------------------------


def imagined(attack: str, defence: str, place: str = "land") -> Any:
    return chances.imagine(table.scenario("training"), Imagined(attack, defence, place))


def printed(told: Any) -> str:
    return english(told.title).partition(": ")[2]


@pytest.mark.parametrize(
    ("attack", "defence", "odds"),
    [
        ("24", "8", "odds 3:1, column 10, modifier +0"),
        ("3:1", "steps 2", "odds 3:1, column 10, modifier +0"),
        ("25", "8", "odds 3:1, column 10, modifier −1"),
        ("1.5:1, efficiency 6", "efficiency 4", "odds 1.5:1, column 10, modifier +0"),
        ("24", "8, city, town", "odds 3:1, column 8, modifier +1"),
        ("24", "8, fortification", "odds 3:1, column 8, modifier +0"),
        ("24, support 3, drm 1", "8, support 1", "odds 3:1, column 10, modifier −1"),
        ("24", "8, urban", "odds 3:1, column 6, modifier +0"),
    ],
)
def test_odds_in_words(attack: str, defence: str, odds: str) -> None:
    assert printed(imagined(attack, defence)) == odds


def test_an_assault_from_the_sea_is_shifted_and_thrown_back() -> None:
    ashore, assault = imagined("24, steps 4", "8"), imagined("24, steps 4", "8", "amphibious")
    assert printed(assault) == "odds 3:1, column 9, modifier +0", printed(ashore)
    assert assault.losses["the attacker"].get(0, 0) <= assault.events["the hex can be entered"] + 1e-12


def test_words_are_the_same_combat_as_counters_of_such_strengths() -> None:
    """Two units of 2 steps and efficiency like those of the case, on flat ground: the same table, the same losses."""
    told = imagined("3:1, efficiency 5, steps 4", "efficiency 5, steps 2")
    table_row = [combat_result(row[told_column(told) - 1]) for row in rows_of_die(0)]
    expected = sum(min(2, r.defender) for r in table_row) / 10
    assert told.means["defender loses"] == pytest.approx(expected)


def told_column(told: Any) -> int:
    return int(english(told.title).partition("column ")[2].partition(",")[0])


def rows_of_die(drm: int) -> list[list[str]]:
    """The rows of the printed table that the faces of a die lead to."""
    results = GAME.start(table.scenario("training"), {}).p["crt"]["results"]
    return [pick(results, die + drm) for die in range(10)]


@pytest.mark.parametrize(
    ("attack", "defence", "place"),
    [
        ("3:1", "8", "land"),
        ("24", "steps 2", "land"),
        ("24, rough", "8", "land"),
        ("0:1", "steps 2", "land"),
        ("9" * 5000, "8", "land"),
        ("24, elephants", "8", "land"),
        ("24, steps 0", "8", "land"),
        ("24", "8, rough, marsh", "land"),
        ("24", "8", "sea"),
    ],
)
def test_mistakes_are_refused(attack: str, defence: str, place: str) -> None:
    with pytest.raises(Rejected):
        imagined(attack, defence, place)


@pytest.mark.parametrize("ground", [*TERRAINS, *PLACES])
@pytest.mark.parametrize("place", ["land", "amphibious"])
def test_every_ground_can_be_fought_over(ground: str, place: str) -> None:
    told = imagined("3:1, steps 3", f"steps 5, {ground.replace('_', ' ')}", place)
    assert sum(told.outcomes.values()) == pytest.approx(1, abs=NEARLY)
    assert told.outcomes[chances.RETREATS] > 0


# -- luck ----------------------------------------------------------------------------------------------------------------


def test_a_combat_die_is_worth_the_steps_that_it_takes() -> None:
    engine = declared(PLAIN, ATTACK)
    assert answered(engine, {}) is not None
    seen = []
    for face in range(1, 11):
        branch = engine.fork()
        before = copy_of(branch.state)
        branch.reply([face])
        (event,) = [e for e in branch.state.events if isinstance(e, CombatThrown)]
        thrown = chances.throw(before, event)
        assert thrown is not None and (thrown.gains, thrown.loses, thrown.worth) == ("allied", "non-allied", 1.0)
        result = combat_result(event.outcome)
        assert thrown.score == min(2, result.defender) - result.attacker
        seen.append(thrown)
    assert seen[0].mean == pytest.approx(sum(t.score for t in seen) / 10)
    assert sum(t.surplus for t in seen) == pytest.approx(0)


def test_a_check_of_the_defender_is_worth_a_step() -> None:
    engine = declared(HIGH, UPHILL)
    g = engine.state
    rating = efficiency(g, "11/A")
    label = die_for("efficiency check, ignoring a retreat")
    passed, failed = (
        chances.throw(g, Thrown(label, die, 0, outcome, "9.8.4")) for die, outcome in ((0, "passed"), (9, "failed"))
    )
    assert passed is not None and failed is not None and passed.gains == "non-allied"
    assert passed.mean == failed.mean == pytest.approx((rating + 1) / 10) and passed.score - failed.score == 1
    named = chances.throw(g, Thrown(die_for("efficiency check, {name} cannot retreat", name="11/A"), 9, 0, "failed", "9.8.3"))
    assert named is not None and named.mean == passed.mean


def test_other_dice_are_nobodys_luck() -> None:
    g = declared(PLAIN, ATTACK).state
    assert chances.throw(g, Thrown(die_for("weather"), 3, 0, "clear", "4.0")) is None
    g.fight = None
    assert chances.throw(g, Thrown(die_for("efficiency check, ignoring a retreat"), 3, 0, "passed", "9.8.4")) is None


@pytest.mark.parametrize(("seed", "options"), [(8, OPTIONS[0]), (7, OPTIONS[1])], ids=["source", "newer"])
def test_every_combat_die_of_a_game_is_forecast_and_somebodys_luck(seed: int, options: dict[str, Any]) -> None:
    seen: Counter[str] = Counter()
    held: dict[str, State] = {}

    def watch(engine: Engine, answer: Plain) -> None:
        now = engine.state
        for event in now.events[seen["events"] :] if held else ():
            thrown = chances.throw(held["state"], event)
            emit(held["state"], event)
            if isinstance(event, CombatThrown) or (isinstance(event, Thrown) and event.label.id in chances.CHECKS):
                assert thrown is not None and {thrown.gains, thrown.loses} == {"allied", "non-allied"}
                assert 0 < thrown.chance <= 1
                seen[type(event).__name__] += 1
        if not held:
            held["state"] = copy_of(now)
        seen["events"] = len(now.events)
        for told in chances.forecasts(now, standing_here({}), hurry=True):
            assert sum(told.outcomes.values()) == pytest.approx(1, abs=NEARLY)
            seen["forecasts"] += 1

    play("training", seed, watch, **options)
    assert seen["CombatThrown"] > 10 < seen["forecasts"] and seen["Thrown"], seen


def test_the_examples_of_the_manual_run() -> None:
    lines = [line.partition("#")[0] for line in page("odds").splitlines() if line.startswith("pbem odds next-war")]
    assert len(lines) >= 3
    for line in lines:
        assert "(exact)" in must(*shlex.split(line)[1:])
