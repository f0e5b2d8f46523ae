"""Empire of the Sun pick by pick: activation that narrows, ends with their class, battles from outside, reaction, cards."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.game import GAME
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.forms import Chosen, Partial
from pbem.kernel.wording import english
from tests.case_driver import Case
from tests.empire_of_the_sun.stage import GameStage
from tests.generic.test_forms import form_at_hand, picked, values

TRUK = (
    "UNITS Truk: South Seas HQ, CV Akagi, CA Aoba, 3rd SN Brigade, 21st Air Flotilla",
    "HAND japan: J14",
    "HAND allies: A59",
)
BEGIN = ("japan: play: J14", "japan: operations: South Seas HQ")
CALLED = (*BEGIN, "japan: activate: CV Akagi, CA Aoba, 3rd SN Brigade")


def played(setup: Sequence[str], play: Sequence[str]) -> Engine:
    """A position after some orders, from lines of a case."""
    stage = GameStage(Case("", "", [], [*setup, "UNITS Oahu: Central Pacific HQ"], [*play]))
    stage.run()
    return stage.engine


def test_activation_narrows_with_what_is_picked() -> None:
    rivals = ("MARK rivalry japan", "UNITS Truk: South Seas HQ, CV Akagi, 17th Army", *TRUK[1:])
    f = form_at_hand(played(rivals, BEGIN))
    assert values(f.step(Partial("activate")), "unit") == ["cv-akagi", "17-army"]
    step = f.step(picked("activate", "unit cv-akagi"))
    (army,) = [p for p in step.picks if p.slot == "unit"]
    assert army.why_not is not None and army.why_not.rule == "14.2"
    assert step.orders == ({"activate": ["cv-akagi"]},)
    assert english(step.budget).startswith("units: 1 of ")


def test_an_end_says_whether_it_is_an_attack_or_a_base() -> None:
    setup = (*TRUK, "UNITS Rabaul: CA US Asia")
    f = form_at_hand(played(setup, CALLED))
    step = f.step(picked("", "at 4017", "unit cv-akagi"))
    leads = {p.value: p.leads for p in step.picks if p.slot == "to"}
    assert leads["4021"] == ("attack",) and ("base",) in leads.values()
    assert english(step.budget).startswith("hexes by sea: ")


def test_troops_and_ships_together_can_only_land() -> None:
    f = form_at_hand(played(TRUK, CALLED))
    step = f.step(picked("", "at 4017", "unit 3-sn-brigade", "unit ca-aoba"))
    assert "4021" in values(step, "to") and english(step.budget).startswith("shipping points needed: ")
    done = f.step(picked("assault", "at 4017", "unit 3-sn-brigade", "unit ca-aoba", "to 4021"))
    assert done.orders == ({"assault": "3-sn-brigade, ca-aoba to 4021"},)
    assert values(done, "word") == ["organic"], "the cruiser carries the brigade"


def test_another_verb_is_offered_for_the_same_picks() -> None:
    f = form_at_hand(played(TRUK, CALLED))
    near, far = (values(f.step(picked(verb, "at 4017", "unit ca-aoba")), "to") for verb in ("move", "strategic"))
    port = next(h for h in near if h in far)
    step = f.step(picked("", "at 4017", "unit ca-aoba", f"to {port}"))
    assert step.orders == ({"move": f"ca-aoba to {port}"},) and values(step, "verb") == ["strategic"]
    assert f.step(picked("strategic", "at 4017", "unit ca-aoba", f"to {port}")).orders == ({"strategic": f"ca-aoba to {port}"},)


def test_flyers_fight_from_where_they_are() -> None:
    setup = (*TRUK, "UNITS Rabaul: CA US Asia")
    f = form_at_hand(played(setup, (*CALLED, "japan: move: CV Akagi to 4019", "japan: done")))
    assert values(f.step(picked("battle", "unit cv-akagi")), "to") == ["4021"]
    assert f.step(picked("", "unit cv-akagi", "to 4021")).orders == ({"battle": "4021 with cv-akagi"},)


def test_units_in_the_battle_hex_are_not_named_again() -> None:
    setup = (*TRUK, "UNITS Rabaul: CA US Asia")
    f = form_at_hand(played(setup, (*CALLED, "japan: move: CA Aoba to Rabaul", "japan: done")))
    assert "ca-aoba" not in values(f.step(Partial("battle")), "unit")


def test_a_reaction_is_put_together() -> None:
    setup = (*TRUK, "UNITS Rabaul: CA US Asia", "UNITS Townsville: South West Pacific HQ, CV Lexington, US FEAF")
    play = (*CALLED, "japan: move: CA Aoba to Rabaul", "japan: done", "japan: done", "allies: react")
    engine = played(setup, (*play, "allies: intelligence: roll", 'dice "intelligence": 1'))
    f = form_at_hand(engine)
    assert values(f.step(Partial("counter")), "word") == ["none"]
    hq, unit = "hq hq-south-west-pacific", "unit cv-lexington"
    assert set(values(f.step(picked("counter", hq)), "unit")) >= {"cv-lexington", "us-feaf"}
    assert values(f.step(picked("counter", hq, unit, "with cv-lexington")), "to") == ["4021"]
    (order,) = f.step(picked("counter", hq, unit, "with cv-lexington", "to 4021")).orders
    assert f.partial(order).chosen[-1] == Chosen("to", "4021")
    engine.reply(order)


def test_hits_are_counted_down() -> None:
    setup = (*TRUK, "UNITS Rabaul: CA US Asia, CA Exeter")
    engine = played(setup, (*CALLED, "japan: move: CV Akagi, CA Aoba to Rabaul", "japan: done", "japan: done", "allies: pass"))
    engine.reply([9])
    f = form_at_hand(engine)
    step = f.step(Partial("hits"))
    assert english(step.budget) == "hits used: 0 of 24" and values(step, "unit") == ["ca-us-asia-cruiser", "ca-exeter"]
    one = f.step(Partial("hits", (Chosen("unit", "ca-exeter", 1),)))
    assert one.orders == ({"hits": {"ca-exeter": 1}},)
    assert {p.value: p.most for p in one.picks} == {"ca-us-asia-cruiser": 2, "ca-exeter": 1}


def given_up(engine: Engine, order: str = "done") -> list[str]:
    """What an order gives up at the question at hand."""
    ask = engine.request
    assert isinstance(ask, Ask)
    copy = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    copy.reply(order)
    return [f"{c.kind}: {english(c.message)} [{c.rule}]" for c in GAME.consequences(engine.state, copy.state, ask)]


def test_what_is_activated_and_stays() -> None:
    found = given_up(played(TRUK, CALLED))
    assert "idle: Truk 4017, activated and not moved: CV Akagi, CA Aoba, 3rd SN Brigade [7.23]" in found
    assert any(line.startswith("unspent: shipping points left: ") and line.endswith("[10.3]") for line in found)


def test_a_landing_without_escort() -> None:
    found = given_up(played(TRUK, (*CALLED, "japan: assault: 3rd SN Brigade to Rabaul")))
    assert "exposed: Rabaul 4021, a landing without a ship: 3rd SN Brigade [8.45]" in found


def test_flyers_that_reach_the_battle() -> None:
    setup = (*TRUK, "UNITS Rabaul: CA US Asia")
    play = (*BEGIN, "japan: activate: CV Akagi, CA Aoba, 21st Air Flotilla", "japan: move: CA Aoba to Rabaul", "japan: done")
    found = given_up(played(setup, play))
    assert "idle: Rabaul 4021, in range and not in the battle: 21st Air Flotilla [9.11]" in found


def test_an_event_that_is_not_played() -> None:
    engine = played(("HAND japan: J3", *TRUK[:1], "HAND allies: A59"), ("japan: play: J3",))
    copy = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    copy.reply({"operations": "hq-south-seas"})
    assert isinstance(engine.request, Ask) and engine.request.kind in GAME.weighed
    found = GAME.consequences(engine.state, copy.state, engine.request)
    assert [english(c.message) for c in found] == ["the event of this card is not played: J3 Col. Tsuji, Unit 82"]
