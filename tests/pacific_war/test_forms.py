"""Pacific War pick by pick: ships that sail together, marches, missions, activations with their price, sealed task forces."""

from __future__ import annotations

import random

import pytest

from pbem.games.pacific_war.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import Chosen, Partial
from pbem.kernel.wording import english
from tests.case_driver import Case
from tests.generic.test_forms import chain, form_at_hand, moments, picked, values
from tests.pacific_war import table
from tests.pacific_war.stage import GameStage
from tests.pacific_war.test_sealing import up_to

FLEETS = ("FLEET J1 1529: CA1 Aoba, CA2 Furutaka", "FLEET J2 1630: CL1 Tenryu", "MARK advantage japan", "START movement true")
AIR = ("AIRFIELD 1426: allies small", "UNITS 1426: Townsville Catalinas", "AIRFIELD 1630: japan large")
MISSION = (*AIR, "PORT 1330: allies", "UNITS 1630: Tainan air group, 25th Flotilla bombers", "START air-phase japan true")


def position(*setup: str) -> Engine:
    """A game at its first question, from lines of a case."""
    return GameStage(Case("", "", [], list(setup), [])).engine


def asked(engine: Engine, kind: str) -> Engine:
    """The same when this is asked; whatever comes before it is declined."""
    for _ in range(20):
        ask = engine.request
        assert isinstance(ask, Ask)
        if ask.kind == kind:
            return engine
        engine.reply(ask.verbs[-1])
    raise AssertionError(engine.request)


def test_several_markers_sail_in_one_order() -> None:
    f = form_at_hand(asked(position(*FLEETS), "sail"))
    assert values(f.step(Partial("sail")), "unit") == ["J1", "J2"]
    assert "1530" in values(f.step(picked("sail", "unit J1")), "to")
    one = f.step(picked("sail", "unit J1", "to 1530"))
    assert one.orders == ({"sail": {"J1": 1530}},) and values(one, "unit") == ["J2"], "another marker may join"
    both = f.step(picked("sail", "unit J1", "to 1530", "unit J2", "to 1631"))
    assert both.orders == ({"sail": {"J1": 1530, "J2": 1631}},) and not values(both, "unit")


def test_a_march_is_a_way_of_hexes_with_its_cost() -> None:
    f = form_at_hand(position("UNITS 1629: 144th Regiment", "START movement true"))
    first = f.step(picked("move", "at 1629", "unit 144th Regiment"))
    there = next(p for p in first.picks if p.slot == "to")
    assert english(there.cost).startswith("movement points: ") and english(first.budget) == "movement points: 0 of 6"
    step = f.step(picked("move", "at 1629", "unit 144th Regiment", f"to {there.value}"))
    assert step.orders == ({"move": {"144th Regiment": [int(there.value)]}},)


def test_a_mission_is_kind_target_and_units() -> None:
    f = form_at_hand(position(*MISSION))
    assert {"strike", "superiority", "transfer"} <= set(values(f.step(Partial("mission")), "word"))
    goals = f.step(picked("mission", "word strike"))
    assert "1330" in values(goals, "target") and all(p.leads == ("attack",) for p in goals.picks)
    step = f.step(picked("mission", "word strike", "target 1330", "unit 25th Flotilla bombers"))
    assert step.orders == ({"mission": {"strike": 1330, "units": ["25th Flotilla bombers"]}},)
    refused = f.step(picked("mission", "word superiority", "target 1330")).picks
    (bombers,) = [p for p in refused if p.value == "25th Flotilla bombers"]
    assert bombers.why_not is not None and bombers.why_not.rule == "PW-AIR-01"


def test_an_activation_tells_its_price() -> None:
    for _, ask, _ in moments("pacific_war/guadalcanal-bot-608", 2):
        if not isinstance(ask, Ask) or ask.kind != "activate":
            continue
        f = ask.form()  # type: ignore[misc]
        hq = f.step(Partial("activate")).picks[0]
        units = f.step(Partial("activate").plus(hq)).picks
        one = f.step(Partial("activate").plus(hq).plus(next(p for p in units if p.why_not is None)))
        assert english(one.budget).startswith("command points: ") and one.orders
        return
    pytest.fail("no activation is asked")


def test_sealed_task_forces_are_picked_by_what_their_owner_knows() -> None:
    engine = table.begin("coral-sea", forces="sealed")
    ask = up_to(engine, "task forces", "japan")
    assert isinstance(ask, Commit) and ask.form is not None

    def may_seal(order: Plain) -> Plain:
        ask.check(order, table.behind)
        return order

    f, so_far = ask.form(may_seal, table.behind), Partial("organize")
    before = engine.state_hash()
    markers = values(f.step(so_far), "word")
    so_far = so_far.plus(f.step(so_far).picks[0])
    while ships := values(f.step(so_far), "with"):
        so_far = Partial("organize", (*so_far.chosen, Chosen("with", ships[0])))
    step = f.step(so_far)
    assert english(step.budget) == "ships without a task force: 0"
    assert bool(step.orders) == (len(markers) == 1), "each marker of the hex needs a ship"
    assert engine.state_hash() == before


def test_nothing_that_is_finished_is_refused() -> None:
    dice, finished = random.Random(8), 0
    for _, ask, _ in moments("pacific_war/guadalcanal-allies-bot-610", 8):
        if isinstance(ask, Ask) and ask.form is not None:
            for order in chain(ask.form(), dice).orders:
                ask.read(order)
                finished += 1
    assert finished > 40


def first_of(kind: str, *titles: str) -> tuple[Ask, Plain]:
    """The first question of a kind in some recorded games, and the order that was given."""
    for title in titles:
        for _, ask, given in moments(title, 1):
            if ask.kind == kind:
                assert isinstance(ask, Ask) and ask.form is not None
                return ask, given
    raise AssertionError(kind)


BATTLES = ("pacific_war/savo-island-bot-606", "pacific_war/guadalcanal-bot-608")


def test_guns_and_torpedoes_have_targets_and_all_may_fire_at_one() -> None:
    ask, _ = first_of("fire", *BATTLES)
    f = ask.form()  # type: ignore[misc]
    first = f.step(Partial("fire"))
    (ship, *_), (word, *_) = values(first, "unit"), values(first, "word")
    assert word.startswith("at ") and english(first.picks[0].name).startswith("all that can fire at ")
    aims = {p.value: p for p in f.step(picked("fire", f"unit {ship}")).picks}
    both = next(v for v in aims if v.endswith(" with both"))
    assert english(aims[both].cost) == "with guns and torpedoes" and aims[both].leads == ("attack",)
    (one,) = f.step(picked("fire", f"unit {ship}", f"target {both}")).orders
    assert one == {"fire": {ship: {"at": both.removesuffix(" with both"), "with": "both"}}}
    (all_at_one,) = f.step(picked("fire", f"word {word}")).orders
    assert {aim.target for aim in ask.read(all_at_one).values()} == {word.removeprefix("at ")}
    assert [*ask.read(all_at_one)] == values(first, "unit"), "every ship that can fire does"


def test_the_range_is_bid_or_a_hex_of_retreat() -> None:
    ask, _ = first_of("bid", *BATTLES)
    step = ask.form().step(Partial("bid"))  # type: ignore[misc]
    assert set(values(step, "word")) <= {"short", "medium", "long"} and values(step, "word")
    for way in values(step, "to"):
        assert ask.form().step(picked("bid", f"to {way}")).orders == ({"bid": {"withdraw": int(way)}},)  # type: ignore[misc]


def test_aircraft_land_at_home_or_where_they_are_told() -> None:
    ask, _ = first_of("landing", *BATTLES)
    f = ask.form()  # type: ignore[misc]
    step = f.step(Partial("landing"))
    assert f.step(picked("landing", "word home")).orders == ({"landing": "home"},)
    unit = values(step, "unit")[0]
    bases = f.step(picked("landing", f"unit {unit}")).picks
    assert bases and all(p.leads == ("base",) and p.at for p in bases), "every base lights its hex"
    (order,) = f.step(Partial("landing").plus(step.picks[-1]).plus(bases[0])).orders if len(step.picks) == 2 else (None,)
    if order is not None:
        assert [*ask.read(order)] == [unit]


def test_the_kinds_of_units_move_in_any_order() -> None:
    ask, given = first_of("kinds", *BATTLES)
    assert isinstance(given, dict) and isinstance(given["kinds"], list)
    f, found = ask.form(), []  # type: ignore[misc]
    for kind in values(f.step(Partial("kinds")), "word"):
        found += values(f.step(picked("kinds", f"word {kind}")), "word")
    kinds = len(given["kinds"])
    assert len(found) == kinds * (kinds - 1), "each of them may follow each other"


def given_up(engine: Engine, order: Plain) -> list[str]:
    """What an order gives up at the question at hand."""
    ask = engine.request
    assert isinstance(ask, Ask)
    copy = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    copy.reply(order)
    return [f"{c.kind}: {english(c.message)} [{c.rule}]" for c in GAME.consequences(engine.state, copy.state, ask)]


def test_ships_that_stay() -> None:
    engine = asked(position(*FLEETS), "sail")
    assert given_up(engine, "stay") == ["idle: do not sail in this step: J1, J2 [PW-MOV-14]"]
    assert given_up(engine, {"sail": {"J1": 1530}}) == ["idle: do not sail in this step: J2 [PW-MOV-14]"]
    assert given_up(engine, {"sail": {"J1": 1530, "J2": 1631}}) == []


def test_troops_that_stay() -> None:
    engine = position("UNITS 1629: 144th Regiment", "START movement true")
    assert given_up(engine, "done") == ["idle: 1629, not moved: 144th Regiment [PW-MOV-02]"]


def test_aircraft_with_enemies_in_range() -> None:
    found = given_up(position(*MISSION), "pass")
    assert found and all(line.startswith("idle: ") and line.endswith("[PW-AIR-01]") for line in found), found
