"""Pacific War pick by pick: ships that sail together, marches, missions, activations with their price, sealed task forces."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from pbem.games.pacific_war import operation_forms, shorthand
from pbem.games.pacific_war.cycle.solitaire import plan_routes
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.land.combat import _order_ask
from pbem.games.pacific_war.month.forms import refits
from pbem.games.pacific_war.month.points import _ask, _headquarters
from pbem.games.pacific_war.month.shipping import merchant_points, submarines
from pbem.games.pacific_war.secret.orders import REPLACEMENTS
from pbem.games.pacific_war.secret.points import open_months
from pbem.kernel import picking
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit, Roll
from pbem.kernel.forms import Chosen, Form, Partial, Step, means_the_same
from pbem.kernel.wording import english, msg
from tests.case_driver import Case
from tests.generic.test_forms import chain, check, form_at_hand, moments, picked, values, walk
from tests.pacific_war import random_play, table
from tests.pacific_war.stage import GameStage
from tests.pacific_war.test_play import STRATEGIC_CHANGES
from tests.pacific_war.test_sealing import up_to

FLEETS = ("FLEET J1 1529: CA1 Aoba, CA2 Furutaka", "FLEET J2 1630: CL1 Tenryu", "MARK advantage japan", "START movement true")
KEPT = {"reserve": {"month": "January 1942", "points": 10}}
AIR = ("AIRFIELD 1426: allies small", "UNITS 1426: Townsville Catalinas", "AIRFIELD 1630: japan large")
PASSED = ("UNITS 1630: Shoho air group", "PORT 1330: allies", "START air-phase japan true")
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
    told = {p.value: (p.at, english(p.says)) for p in f.step(Partial("sail")).picks if p.slot == "unit"}
    assert told == {"J1": ("1529", "1529 Jacquinot Bay: CA1 Aoba, CA2 Furutaka"), "J2": ("1630", "1630 Rabaul: CL1 Tenryu")}
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


def test_a_mission_flies_over_bases_that_its_own_aircraft_can_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """[PW-MOV-06] Over the base of bombers, which fly no superiority, fighters would need more than their range; also where
    there are too many ways to try them.
    """
    monkeypatch.setattr(picking, "TRIED", 0)
    bases = ("AIRFIELD 1426: japan small", "UNITS 1426: 25th Flotilla bombers", "AIRFIELD 1630: japan large")
    f = form_at_hand(position(*bases, *PASSED))
    assert "1426" in values(f.step(picked("mission", "word strike", "target 1330")), "via")
    assert "1426" not in values(f.step(picked("mission", "word superiority", "target 1330")), "via")


def test_fighters_of_longer_range_are_offered_what_they_reach_with_it() -> None:
    """[PW-OPT-06] Three hexes out, one to the next base, printed range two: only with the option, by two hexes more."""
    printed = "PRINT {id: Ace fighters, side: japan, nation: japan, kind: air, type: 1E, aa: 7, range: 2, level: 2}"
    bases = ("AIRFIELD 1131: japan small", "AIRFIELD 1133: japan small", "AIRFIELD 1134: allies small")
    units = ("UNITS 1131: Ace fighters", "UNITS 1134: Port Moresby fighters", "START air-phase japan true")
    for option, offered in (("yes", ["1134"]), ("no", [])):
        f = form_at_hand(position(f"OPTION fighter-range {option}", printed, *bases, *units))
        assert values(f.step(picked("mission", "word superiority")), "target") == offered
        fly = f.step(picked("mission", "word superiority", "target 1134", "unit Ace fighters"))
        assert bool(fly.orders) == bool(offered)


def test_missions_that_nobody_may_fly_are_not_offered() -> None:
    """[PW-AIR-01] [PW-OPT-17] [PW-AIR-20] No fighters, no troops to drop; a patrol by the advantaged side only."""
    bombers = (*AIR, "PORT 1330: allies", "UNITS 1630: 25th Flotilla bombers", "START air-phase japan true")
    assert {*values(form_at_hand(position(*bombers)).step(Partial("mission")), "word")} == {"strike", "transfer"}
    for side, offered in (("japan", True), ("allies", False)):
        f = form_at_hand(position("OPTION fighter-patrol yes", f"MARK advantage {side}", *MISSION))
        assert ("patrol" in values(f.step(Partial("mission")), "word")) == offered
    far = values(f.step(picked("mission", "word strike")), "target")
    assert far, "farther than half the range"


def test_targets_of_a_unit_are_of_one_line() -> None:
    """[PW-AIR-14] Ships, troops, installations or aircraft; the rest is not offered behind the first."""
    setup = (*MISSION[:-1], "UNITS 1330: 30th Brigade", "AIRFIELD 1330: allies small", MISSION[-1])
    engine = position(*setup)
    engine.reply({"mission": {"strike": 1330, "units": ["25th Flotilla bombers"]}})
    while isinstance(engine.request, Roll):
        engine.reply([9] * engine.request.dice)
    f = form_at_hand(asked(engine, "targets"))
    bombers = "unit 25th Flotilla bombers"
    assert {*values(f.step(picked("targets", bombers)), "target")} == {"airfield", "port", "30th Brigade"}
    assert values(f.step(picked("targets", bombers, "target airfield")), "target") == ["port"]


def test_a_screen_is_no_larger_than_its_core_and_the_rest_has_to_fit() -> None:
    """[PW-FOG-02] At most four small ships in one of the two task forces."""
    fleets = ("FLEET J1 1529: CA1 Aoba, CA2 Furutaka, CA3 Myoko", "FLEET J2 1529: CL1 Tenryu, CL8 Yubari", *FLEETS[2:])
    f = form_at_hand(asked(position(*fleets), "organize"))
    assert not values(f.step(picked("organize", "word J1")), "by"), "a screen has a core"
    core = ("organize", "word J1", "with CA1 Aoba")
    one = f.step(picked(*core))
    assert values(one, "by") and values(one, "word") == ["J2"], "the other four may be the second one"
    assert not values(f.step(picked(*core, "by CL1 Tenryu")), "by")
    mixed = (
        "FLEET J1 1529: CA1 Aoba, CVL4 Shoho",
        "FLEET J2 1529: CA2 Furutaka, CL1 Tenryu, CL8 Yubari, CA3 Myoko, DD1 Kagero",
    )
    f = form_at_hand(asked(position(*mixed, *FLEETS[2:]), "organize"))
    assert "CL1 Tenryu" in values(f.step(picked(*core)), "by"), "four small ships and the carrier may be the second one"
    five = (*fleets[:1], "FLEET J2 1529: CL1 Tenryu, CL8 Yubari, DD1 Kagero", *FLEETS[2:])
    f = form_at_hand(asked(position(*five), "organize"))
    assert values(f.step(picked(*core)), "word") == [], "five small ships are too many for the second one"
    assert values(f.step(picked(*core, "with CA2 Furutaka")), "word") == ["J2"]


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
    assert english(step.budget) == "ships without a task force: 2", "it takes four small ships at most; the rest is the other's"
    assert bool(step.orders) == (len(markers) == 1), "each marker of the hex needs a ship"
    assert engine.state_hash() == before
    assert f.step(Partial("organize", (*so_far.chosen, Chosen("to", "0301")))) == Step(), (
        "a hex below the mouse is none of them"
    )


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


# -- months of the strategic game --------------------------------------------------------------------------------------------

FLEET = ("SCENARIO guadalcanal", "PORT 2432: japan", "HQ South Seas: japan 2432 30")


def read_at(engine: Engine) -> tuple[Ask, Form]:
    ask = engine.request
    assert isinstance(ask, Ask) and ask.form is not None
    return ask, ask.form()


def test_steps_go_to_the_escorts_and_come_back() -> None:
    ships = "UNITS 2432: DD1 Kagero less 2 inactive, DD9 Fubuki inactive"
    ledger = "MARK ledger {home 4430: 20, escorts: 4, harassing: 10}"
    new = "PRINT {id: DD20 Hatsuharu, side: japan, nation: japan, kind: naval, type: DD, cost: 1, capacity: 6, torpedo: [4]}"
    _, f = read_at(position(*FLEET, new, ships, "START escort", ledger))
    assert {"DD1 Kagero", "DD9 Fubuki"} <= set(values(f.step(Partial("escort")), "unit"))
    assert values(f.step(picked("escort", "unit DD1 Kagero")), "number") == ["1", "2", "3", "4"]
    assert f.step(picked("escort", "unit DD1 Kagero", "number 3")).orders == ({"escort": {"DD1 Kagero": 3}},)
    back = f.step(picked("release", "unit DD1 Kagero", "to 2432"))
    assert values(back, "number") == ["1", "2"], "only two steps are missing"
    spare = next(u for u in values(f.step(Partial("release")), "unit") if u not in ("DD1 Kagero", "DD9 Fubuki"))
    (order,) = f.step(picked("release", f"unit {spare}", "to 2432", "number 4")).orders
    assert order == {"release": {spare: {"at": 2432, "steps": 4}}}
    assert f.partial(order) == picked("release", f"unit {spare}", "to 2432", "number 4")


def test_strategic_months_by_picks() -> None:
    """Every question of the months that has a form of its own: the laws hold, and each kind has been met."""
    dice, met = random.Random(5), dict.fromkeys(("escort", "submarines", "raid", "strategy"), 0)

    def watch(engine: Engine) -> None:
        ask = engine.request
        if isinstance(ask, Ask) and ask.kind in met and met[ask.kind] < 4:
            assert ask.form is not None
            met[ask.kind] += 1
            check((engine, ask, ask.options()[0]), dice, 6, 6)

    for seed in (30, 40):
        random_play.play("guadalcanal", seed, watch, changes={**STRATEGIC_CHANGES, "schedule": SCHEDULE})
    assert all(met.values()), met


def test_yards_mend_ships_and_ships_share_steps() -> None:
    hurt = "UNITS 2432: CV5 Shokaku less 2 inactive, BB8 Hiei less 1 inactive, DD1 Kagero inactive, DD9 Fubuki less 3 inactive"
    ask, f = read_at(position(*FLEET[:2], "MARK ledger {home 2432: 5}", hurt, "MARK cycle 1", "START naval-repair, light"))
    assert values(f.step(Partial("repair")), "unit") == ["CV5 Shokaku", "BB8 Hiei"], "destroyers are not mended in yards"
    assert f.step(picked("repair", "unit CV5 Shokaku")).orders == ({"repair": "CV5 Shokaku"},)
    assert values(f.step(picked("recombine", "unit DD9 Fubuki")), "by") == ["DD1 Kagero"]
    assert values(f.step(picked("recombine", "unit DD9 Fubuki", "by DD1 Kagero")), "number") == ["1", "2", "3"]
    for order in ask.options():
        assert walk(f, f.partial(order)).orders == (order,)


SCHEDULE = {str(m): {"submarines": {"allies": 6, "japan": 4}, "shipping": 3} for m in range(8, 11)}


def test_submarine_steps_are_placed_recalled_or_withdrawn() -> None:
    ask, f = submarines_asked()
    first = f.step(Partial("submarines"))
    assert first.orders == ({"submarines": "none"},), "what is not placed harasses"
    new = next(v for v in values(first, "unit") if " in " in v)
    unit, _, place = new.partition(" in ")
    step = f.step(Partial("submarines", (Chosen("unit", new, 3),)))
    assert step.orders == ({"submarines": {"fleet": {unit: {"at": int(place), "steps": 3}}}},)
    ask.read(step.orders[0])
    assert not any(v.startswith("withdraw ") for v in values(step, "unit")), "steps go one way"
    assert english(step.budget).startswith("steps placed: 3 of ")
    more = {p.value: p.most for p in step.picks}
    assert more[new] == 3, "of the same boats too"
    assert not any(v.startswith(f"{unit} in ") for v in more if v != new), "which are new in one place"
    assert "recall" not in more, "six new steps are as many as boats take"


def submarines_asked() -> tuple[Ask, Form]:
    boat = "PRINT {id: SS99 Fremantle, side: allies, nation: us, kind: submarine, type: SS, cost: 1, steps: 6, torpedo: [4]}"
    g = position(
        *FLEET, boat, "MARK ledger {home 4430: 20, harassing: 10}", "HQ South Pacific: allies 1134 9", "PORT 1134: allies"
    ).state
    g.level = "strategic"
    asked = next(submarines(g, "allies", 6))
    assert isinstance(asked, Ask) and asked.form is not None
    return asked, asked.form()


def test_merchant_shipping_is_bought_by_who_can_pay() -> None:
    g = position(*FLEET, "MARK ledger {home 4430: 20}").state
    asked = next(merchant_points(g, 12))
    assert isinstance(asked, Ask) and asked.form is not None
    f = asked.form()
    assert values(f.step(picked("buy", "hq South Seas")), "number") == [str(n) for n in range(1, 11)], "30 points, three each"
    assert f.step(picked("buy", "hq South Seas", "number 10")).orders == ({"buy": {"South Seas": 10}},)


def test_a_raid_is_points_and_hexes() -> None:
    setup = ("STRATEGIC", "HQ Marianas: allies 3031 24", "PORT 3031: allies", "AIRFIELD 3031: allies large")
    ledger = "MARK ledger {home 4333: 60, 20th at: 3031, 20th points: 6, 21st at: 3031, 21st points: 6}"
    ask, f = read_at(position(*setup, ledger, "START strategic-bombing"))
    step = f.step(picked("raid", "by 20th 6", "by 21st 2"))
    assert values(step, "target") == ["4333"] and not values(step, "by")
    (order,) = f.step(picked("raid", "by 20th 6", "by 21st 2", "target 4333")).orders
    assert order == {"raid": {"20th": 6, "21st": 2, "targets": [4333]}} and ask.read(order)
    dear = f.step(picked("raid", "by 20th 6", "by 21st 6"))
    assert values(dear, "target") == ["4333"], "twelve points are paid with 24"


def test_bombers_are_based_where_they_can_stand() -> None:
    setup = ("STRATEGIC", "MARK month 10", "PORT 3920: allies", "AIRFIELD 3920: allies large", "AIRFIELD 3820: allies small")
    _, f = read_at(
        position(*setup, "MARK ledger {home 4333: 60, 20th points: 6}", "HQ Marianas: allies 3920 24", "START strategy")
    )
    assert values(f.step(picked("bombers", "unit 20th")), "to") == ["3920"]
    assert f.step(picked("bombers", "unit 20th", "to 3920")).orders == ({"bombers": {"20th": 3920}},)


def test_ground_combats_in_any_order() -> None:
    ask = _order_ask(table.begin("guadalcanal").state, [1330, 1134, 1427])
    assert ask.form is not None
    f = ask.form()
    step = f.step(picked("order", "to 1427", "to 1330"))
    assert not step.orders and values(step, "to") == ["1134"]
    assert f.step(picked("order", "to 1427", "to 1330", "to 1134")).orders == ({"order": [1427, 1330, 1134]},)


def test_a_plan_is_a_way_for_each_mover() -> None:
    engine = position(*FLEETS)
    ask = plan_asked(engine, ["J1", "J2"])
    assert ask.form is not None
    f = ask.form()
    step = f.step(picked("plan", "unit J1", "to 1530", "to 1531", "unit J2", "to 1631"))
    assert step.orders == ({"plan": {"J1": [1530, 1531], "J2": [1631]}},)
    assert f.partial(step.orders[0]) == picked("plan", "unit J1", "to 1530", "to 1531", "unit J2", "to 1631")


def plan_asked(engine: Engine, able: list[str]) -> Ask:
    asked = next(plan_routes(engine.state, "japan", able))
    assert isinstance(asked, Ask)
    return asked


def test_headquarters_return_and_disperse_by_picks() -> None:
    engine = table.begin("guadalcanal", points="sealed")
    g = engine.state
    (there, *_) = [n for n, h in g.hqs.items() if h.side == "allies" and h.box == "map"]
    g.purse["allies"] = 12
    ask = _headquarters(g, "allies")
    assert ask.form is not None
    f = ask.form()
    assert f"disperse {there}" in values(f.step(Partial("allocate")), "hq")
    assert f.step(picked("allocate", f"hq disperse {there}")).orders == ({"allocate": {"disperse": [there]}},)
    g.hqs[there].box = "voluntary"
    f = _headquarters(g, "allies").form()  # type: ignore[misc]
    back = next(p for p in f.step(Partial("allocate")).picks if p.value == f"return {there}")
    assert english(back.cost) == "command points: 10"
    assert not f.step(picked("allocate", f"hq disperse {there}")).orders
    g.purse["allies"] = 9
    assert f"return {there}" not in values(f.step(Partial("allocate")), "hq"), "it costs ten"


def test_a_sealed_length_and_sealed_points_are_picked() -> None:
    """[PW-TIM-02] [PW-CMD-04] Whatever a side seals is picked, too."""
    met: set[str] = set()

    def watch(engine: Engine) -> None:
        ask = engine.request
        if isinstance(ask, Commit) and ask.kind in ("allocate", "length") and ask.kind not in met:
            assert ask.form is not None

            def may_seal(order: Plain, ask: Commit = ask) -> Plain:
                ask.check(order, table.behind)
                return order

            f = ask.form(may_seal, table.behind)
            for order in ask.options():
                assert means_the_same(may_seal, walk(f, f.partial(order)).orders[0], order)
            met.add(ask.kind)

    for seed in (3, 4, 5):
        random_play.play("guadalcanal", seed, watch, points="sealed")
    assert met == {"allocate", "length"}


def test_headquarters_move_while_points_are_allocated() -> None:
    """[PW-HQ-01] [PW-CMD-05] In the open one order says all of it."""
    g = table.begin("guadalcanal").state
    g.purse["allies"], g.reserve["allies"] = 30, [g.month, 10]
    (hq, *_) = [n for n, h in g.hqs.items() if h.side == "allies" and h.box == "map"]
    ask = _ask(g, "allies")
    assert ask.form is not None
    f = ask.form()
    offered = values(f.step(Partial("allocate")), "unit")
    assert {hq, f"disperse {hq}", f"release {hq}"} <= set(offered) and f"return {hq}" not in offered
    picks = Partial("allocate", (Chosen("unit", hq, 20), Chosen("unit", f"release {hq}")))
    (order,) = f.step(picks).orders
    assert order == {"allocate": {hq: 20, "release": hq}} and f.partial(order) == picks
    (order,) = f.step(Partial("allocate", (Chosen("unit", hq, 20), Chosen("unit", f"disperse {hq}")))).orders
    assert ask.read(order).disperse == [hq] and walk(f, f.partial(order)).orders == (order,)


def test_points_are_kept_for_one_month() -> None:
    """[PW-CMD-05] More of them may be kept for the same month; another one would lead to no order."""
    form = operation_forms.allocations(["South Seas"], range(30, 33), 10, {}, str, str)
    first = values(form.step(Partial("allocate")), "unit")
    assert first == ["South Seas", "reserve 30", "reserve 31", "reserve 32"]
    kept = form.step(Partial("allocate", (Chosen("unit", "reserve 31", 4),)))
    assert values(kept, "unit") == ["South Seas", "reserve 31"]
    rich = operation_forms.allocations(["South Seas"], [31], 90, {}, str, str)
    step = rich.step(Partial("allocate", (Chosen("unit", "reserve 31", 20),)))
    assert {p.value: p.most for p in step.picks} == {"South Seas": 70, "reserve 31": 30}, "fifty at most"


def test_a_reserve_that_stands_fixes_the_month() -> None:
    """[PW-CMD-05] One at a time."""
    assert open_months(30, (0, 0)) == [26, 27, 28, 29] and open_months(30, (27, 10)) == [27] and open_months(30, (30, 5)) == []


def test_replacements_tell_the_steps_that_are_left() -> None:
    """[PW-RPL-01] By what they are for; aircraft in training are on the sheet too."""
    g = table.begin("strategic-1941").state
    g.pools = {"allies": {"ground us": 2, "ground": 1, "air 1": 4, f"air from {g.month}": 3, "air 0": 0}}
    form = refits(g, "allies", ("replace", "rebuild", "done"), list, dict, 5, str)
    for verb in ("replace", "rebuild"):
        told = english(form.step(Partial(verb)).budget)
        assert told == "replacement steps: 4 air of level 1, 3 air in training, 1 ground, 2 ground, US"
    g.in_secret = {"allies": (SimpleNamespace(kind=REPLACEMENTS),)}
    assert english(form.step(Partial("replace")).budget).startswith("replacement steps, less those that were used in secret: 4")
    g.pools = {}
    assert not form.step(Partial("replace")).budget


@pytest.mark.parametrize(
    ("line", "body"),
    [
        ("allocate 30 Combined Fleet and 8 china army", {"Combined Fleet": 30, "china army": 8}),
        ("Allocate: 30 to Combined Fleet and more", None),
        ({"allocate": "Combined Fleet 30; South Seas = 10"}, {"Combined Fleet": 30, "South Seas": 10}),
        ("allocate 30 Combined Fleet, 10 kept for January 1942", {"Combined Fleet": 30, **KEPT}),
        ("allocate 30 Combined Fleet & reserve 10 January 1942", {"Combined Fleet": 30, **KEPT}),
        ("allocate keep 10 for January 1942", KEPT),
        ("allocate 10 South Seas, 10 South Seas", None),
        ("allocate Combined Fleet", None),
        ({"allocate": {"South Seas": 10}}, None),
        ("allocate", None),
    ],
)
def test_command_points_are_given_in_plain_words(line: Plain, body: Plain) -> None:
    """A number is none of the units that are called so."""
    ask = Ask("japan", "allocate", "PW-CMD-04", msg("points"), str, ("allocate",))
    sealed = Commit("japan", "allocate", "PW-CMD-04", msg("points"), str, options=lambda: [{"allocate": {"South Seas": 30}}])
    g = table.begin("strategic-1941").state
    assert shorthand.typed(g, ask, line) == ([] if body is None else [{"allocate": body}]) == shorthand.typed(g, sealed, line)
