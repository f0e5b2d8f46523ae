"""Empire of the Sun pick by pick: activation that narrows, ends with their class, battles from outside, reaction, cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.phase_forms import bombings
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.forms import Chosen, Form, Partial, form_of, verbs_of
from pbem.kernel.wording import english, verbatim
from pbem.report.board import Teller
from pbem.report.languages import language
from tests.case_driver import Case
from tests.empire_of_the_sun.stage import GameStage
from tests.generic.test_forms import form_at_hand, moments, picked, values

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
    assert "organic" in values(step, "word"), "the cruiser carries the brigade, before the end is named"
    carried = f.step(picked("assault", "at 4017", "unit 3-sn-brigade", "unit ca-aoba", "word organic", "to 4021"))
    assert carried.orders == ({"assault": "3-sn-brigade, ca-aoba to 4021 by organic"},)


BUIN = ("OWN japan: Buin", "UNITS Truk: South Seas HQ", "UNITS Buin: 17th Army, 1st SN Brigade", "HAND allies: A59")


@pytest.mark.parametrize(
    ("mark", "card", "units", "may"),
    [
        ("MARK barges on", "J14", "17-army", True),
        ("MARK barges never", "J14", "17-army", False),
        ("MARK barges on", "J3", "17-army", False),
        ("MARK barges on", "J14", "17-army 1-sn-brigade", False),
    ],
)
def test_barges_are_offered_when_they_can_carry_only(mark: str, card: str, units: str, may: bool) -> None:
    """[8.47] Not before their event, for one unit, with an operations value of three."""
    play = (f"japan: play: {card}", "japan: operations: South Seas HQ", "japan: activate: 17th Army, 1st SN Brigade")
    f = form_at_hand(played((*BUIN, mark, f"HAND japan: {card}"), play))
    at = next(p.value for p in f.step(Partial("assault")).picks if p.slot == "at")
    step = f.step(picked("assault", f"at {at}", *(f"unit {u}" for u in units.split())))
    assert values(step, "to") and ("barge" in values(step, "word")) == may


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


def test_flyers_that_reach_no_enemy_are_not_offered() -> None:
    """[7.24] Alone, or with who is picked already."""
    setup = (TRUK[0] + ", 1st Air Division", *TRUK[1:], "UNITS 4022: CA US Asia")
    called = "japan: activate: CV Akagi, 21st Air Flotilla, 1st Air Division"
    f = form_at_hand(played(setup, (*BEGIN, called, "japan: move: CV Akagi to 4020", "japan: done")))
    assert values(f.step(Partial("battle")), "unit") == ["cv-akagi", "air-flotilla-21"]
    assert "air-division-1" not in values(f.step(picked("battle", "unit cv-akagi")), "unit")


def test_who_reaches_no_battle_does_not_react() -> None:
    """Far East Air Force may fly to a base in range, but so far that it does not fight from there; troops have no ships."""
    far = "UNITS Townsville: South West Pacific HQ, CV Lexington, US FEAF, 1st Marine Division"
    play = (*CALLED, "japan: move: CA Aoba to Rabaul", "japan: done", "japan: done", "allies: react")
    engine = played((*TRUK, "UNITS Rabaul: CA US Asia", far), (*play, "allies: intelligence: roll", 'dice "intelligence": 1'))
    told = {p.value: p.why_not for p in form_at_hand(engine).step(picked("counter", "hq hq-south-west-pacific")).picks}
    assert told["cv-lexington"] is None
    for unit in ("us-feaf", "1st-marine-division"):
        why_not = told[unit]
        assert why_not is not None and english(why_not.reason).endswith("reaches no battle") and why_not.rule == "7.26"


def test_a_reaction_is_put_together() -> None:
    setup = (*TRUK, "UNITS Rabaul: CA US Asia", "UNITS Townsville: South West Pacific HQ, CV Lexington, US FEAF")
    play = (*CALLED, "japan: move: CA Aoba to Rabaul", "japan: done", "japan: done", "allies: react")
    engine = played(setup, (*play, "allies: intelligence: roll", 'dice "intelligence": 1'))
    f = form_at_hand(engine)
    assert values(f.step(Partial("counter")), "word") == ["none"]
    hq, unit = "hq hq-south-west-pacific", "unit cv-lexington"
    assert set(values(f.step(picked("counter", hq)), "unit")) >= {"cv-lexington", "ca-us-asia-cruiser"}
    assert values(f.step(picked("counter", hq, unit, "with cv-lexington")), "to") == ["4021"]
    (order,) = f.step(picked("counter", hq, unit, "with cv-lexington", "to 4021")).orders
    assert f.partial(order).chosen[-1] == Chosen("to", "4021")
    engine.reply(order)


def test_a_reaction_sends_all_who_have_to_be_sent_at_one_pick() -> None:
    """[7.26] An end without units before it is for everybody who does not fight from where he is; until then it is no fault."""
    setup = (*TRUK, "UNITS Rabaul: CA US Asia", "UNITS Townsville: South West Pacific HQ, CV Lexington, CA Northampton")
    play = (*CALLED, "japan: move: CA Aoba to Rabaul", "japan: done", "japan: done", "allies: react")
    engine = played(setup, (*play, "allies: intelligence: roll", 'dice "intelligence": 1'))
    f, hq = form_at_hand(engine), "hq hq-south-west-pacific"
    called = (hq, "unit cv-lexington", "unit ca-northampton", "unit ca-us-asia-cruiser")
    step = f.step(picked("counter", *called))
    assert not step.orders and not step.problems
    assert english(step.note) == "still to be sent into a battle: CV Lexington, CA Northampton"
    assert values(step, "to") == ["4021"] and values(step, "with") == ["cv-lexington", "ca-northampton"]
    whole = f.step(picked("counter", *called, "to 4021"))
    assert whole.orders == f.step(picked("counter", *called, "with cv-lexington", "with ca-northampton", "to 4021")).orders
    assert not values(whole, "to")
    engine.reply(whole.orders[0])
    (alone,) = f.step(picked("counter", hq, "unit ca-us-asia-cruiser")).orders
    assert alone and not f.step(picked("counter", hq, "unit ca-us-asia-cruiser")).note.id


def test_who_does_not_stand_together_is_not_sent_together() -> None:
    setup = (
        *TRUK,
        "UNITS Rabaul: CA US Asia",
        "UNITS Townsville: South West Pacific HQ, CV Lexington",
        "UNITS Cairns: CA Northampton",
    )
    play = (*CALLED, "japan: move: CA Aoba to Rabaul", "japan: done", "japan: done", "allies: react")
    f = form_at_hand(played(setup, (*play, "allies: intelligence: roll", 'dice "intelligence": 1')))
    called = ("hq hq-south-west-pacific", "unit cv-lexington", "unit ca-northampton")
    assert not values(f.step(picked("counter", *called)), "to")
    assert values(f.step(picked("counter", *called, "with cv-lexington", "to 4021")), "to") == ["4021"], "one is left"


def test_troops_of_a_reaction_name_their_way_before_the_ships_beside_them_have_moved() -> None:
    """[7.26] How they come is judged by those that have an end; the carrier, which is to sail behind them, has none yet."""
    setup = ("UNITS Truk: South Seas HQ, 21st Air Flotilla", *TRUK[1:], "MARK asp allies 3", "UNITS Rabaul: CA US Asia")
    units = "UNITS Townsville: South West Pacific HQ, CV Lexington, 1st Marine Division"
    moves = ("japan: activate: 21st Air Flotilla", "japan: done", "japan: battle: Rabaul with 21st Air Flotilla", "japan: done")
    f = form_at_hand(
        played((*setup, units), (*BEGIN, *moves, "allies: react", "allies: intelligence: roll", 'dice "intelligence": 1'))
    )
    called = ("hq hq-south-west-pacific", "unit cv-lexington", "unit 1st-marine-division")
    ashore = ("with 1st-marine-division", "to 4021")
    assert values(f.step(picked("counter", *called, *ashore)), "word") == ["assault"]
    assert f.step(picked("counter", *called, *ashore, "word assault", "with cv-lexington", "to 4021")).orders


def test_hits_are_counted_down() -> None:
    setup = (*TRUK, "UNITS Rabaul: CA US Asia, CA Exeter")
    engine = played(setup, (*CALLED, "japan: move: CV Akagi, CA Aoba to Rabaul", "japan: done", "japan: done", "allies: pass"))
    engine.reply([9])
    f = form_at_hand(engine)
    step = f.step(Partial("hits"))
    assert english(step.budget) == "hits used: 0 of 24" and values(step, "unit") == ["ca-us-asia-cruiser", "ca-exeter"]
    one = f.step(Partial("hits", (Chosen("unit", "ca-exeter", 1),)))
    assert one.orders == () and [p.rule for p in one.problems] == ["9.2 F3"]
    assert {p.value: p.most for p in one.picks} == {"ca-us-asia-cruiser": 2, "ca-exeter": 1}
    both = f.step(Partial("hits", (Chosen("unit", "ca-exeter", 1), Chosen("unit", "ca-us-asia-cruiser", 2))))
    assert both.orders == ({"hits": {"ca-exeter": 1, "ca-us-asia-cruiser": 2}},) and both.problems == ()


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
    assert not found[0].has_to_be_meant, "`operations: South HQ` says so itself: it is told, and nobody is asked"
    copy = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    copy.state.discards["japan"].append("J3")
    [discarded] = GAME.consequences(engine.state, copy.state, engine.request)
    assert discarded.has_to_be_meant


# -- cards and small decisions --------------------------------------------------------------


def card_asked(*hand: str) -> Engine:
    """Japan is asked for a card with these in hand."""
    return played(("UNITS Truk: South Seas HQ", f"HAND japan: {', '.join(hand)}", "HAND allies: A59"), ())


def test_a_card_comes_before_what_is_done_with_it() -> None:
    f = form_at_hand(card_asked("J14", "J3"))
    first = f.step(Partial())
    assert values(first, "card") == ["J3", "J14"]
    assert next(english(p.name) for p in first.picks if p.slot == "card") == "J3 Col. Tsuji, Unit 82"
    step = f.step(picked("", "card J14"))
    assert values(step, "word") == ["play", "future", "discard"] and not step.orders
    for verb in ("play", "future", "discard"):
        order: Plain = {verb: "J14"}
        assert f.partial(order) == picked("", "card J14", f"word {verb}")
        assert f.step(f.partial(order)).orders == (order,) == f.step(picked(verb, "card J14")).orders


def test_a_card_that_has_no_other_use_is_only_played() -> None:
    f = form_at_hand(card_asked("J43", "J14"))
    assert values(f.step(picked("", "card J43")), "word") == ["play"]


def test_hidden_cards_are_picked_by_their_owner() -> None:
    engine = card_asked("J14", "J3")
    handles = {card: f"japan:draw0:{n}" for n, card in enumerate(("J43", "J15"))}
    engine.state.hands["japan"] = ["J3", *handles.values()]
    ask = engine.request
    assert isinstance(ask, Ask) and values(form_at_hand(engine).step(Partial()), "card") == ["J3"]
    f = GAME.hand_form(engine.state, ask, handles)
    assert f is not None and values(f.step(Partial()), "card") == ["J3", "J15", "J43"]
    assert f.step(picked("", "card J15", "word discard")).orders == ({"discard": "J15"},)
    assert "future" not in values(f.step(picked("", "card J43")), "word"), "its owner would have to lie"
    assert f.step(picked("", "card J15", "word future")).orders == ({"future": "J15"},)
    assert f.partial({"future": handles["J15"]}) == picked("", "card J15", "word future")


def test_the_hq_of_a_card_is_picked_on_the_map() -> None:
    f = form_at_hand(played(TRUK, BEGIN[:1]))
    first = f.step(Partial())
    assert {"operations", "event", "withdraw", "discard"} <= set(values(first, "verb"))
    assert not {"return", "route", "air"} & set(values(first, "verb")), "nothing can be done with them"
    assert all(english(p.says) for p in first.picks)
    for verb in ("operations", "event"):
        (hq,) = f.step(Partial(verb)).picks
        assert (hq.slot, hq.value, hq.at) == ("hq", "hq-south-seas", "4017")
        assert f.step(picked(verb, "hq hq-south-seas")).orders == ({verb: "hq-south-seas"},)
    assert f.step(Partial("discard")).orders == ("discard",) == f.step(f.partial("discard")).orders


def test_who_comes_by_an_event_is_offered_from_beside_the_map() -> None:
    """Halsey, who takes Ghormley's place, has no reach yet; the printed one of those on the map is told."""
    setup = ("ACTIVE allies", "UNITS Noumea: South Pacific HQ (Ghormley), CV Essex", "HAND allies: A20")
    f = form_at_hand(played((*setup, "BOX event: South Pacific HQ (Halsey)"), ("allies: play: A20",)))
    told = {english(p.name): english(p.cost) for p in f.step(Partial("event")).picks}
    assert told.pop("South Pacific HQ (Halsey)") == "" and all("command range" in cost for cost in told.values())
    assert f.step(picked("event", "hq hq-halsey")).orders == ({"event": "hq-halsey"},)


def test_an_event_without_an_offensive_names_nobody() -> None:
    f = form_at_hand(played(("UNITS Truk: South Seas HQ", "HAND japan: J5", "HAND allies: A59"), ("japan: play: J5",)))
    assert f.step(Partial("event")).orders == ("event",) == f.step(f.partial("event")).orders
    assert not f.step(Partial("event")).picks


REACTING = (*CALLED, "japan: move: CA Aoba to Rabaul", "japan: done", "japan: done")


def test_reaction_cards_are_picked_one_after_the_other() -> None:
    engine = played((*TRUK[:2], "HAND allies: A59, A61", "UNITS Rabaul: CA US Asia"), (*REACTING, "allies: react"))
    f = form_at_hand(engine)
    assert values(f.step(Partial()), "word") == ["none", "roll"] and "A59" in values(f.step(Partial()), "card")
    assert f.step(picked("intelligence", "card A59")).orders == ({"intelligence": "A59"},)
    assert f.partial({"intelligence": ["A59"]}) == picked("intelligence", "card A59") == f.partial({"intelligence": "A59 x:1"})


def test_carriers_change_places_for_a_hit() -> None:
    setup = ("UNITS Truk: South Seas HQ, CV Akagi, CV Soryu", "UNITS Rabaul: 5th Air Force, 13th Air Force", *TRUK[1:])
    more = "UNITS Townsville: South West Pacific HQ"
    play = [*BEGIN, "japan: activate: CV Akagi, CV Soryu", "japan: move: CV Akagi, CV Soryu to 4019", "japan: done"]
    play += ["japan: battle: Rabaul with CV Akagi, CV Soryu", "japan: done", "allies: react", "allies: intelligence: A59"]
    play += ["allies: counter: none", 'dice "of japan": 0', 'dice "of allies": 5', "allies: hits: CV Akagi"]
    f = form_at_hand(played((*setup, more), play))
    assert values(f.step(Partial()), "unit") == ["cv-akagi"] and values(f.step(Partial()), "word") == ["none"]
    assert values(f.step(picked("transfer", "unit cv-akagi")), "with") == ["cv-soryu"]
    (order,) = f.step(picked("transfer", "unit cv-akagi", "with cv-soryu")).orders
    assert order == {"transfer": "cv-soryu for cv-akagi"} and f.partial(order).chosen[0] == Chosen("unit", "cv-akagi")


def test_who_steps_aside_and_where() -> None:
    units = ("UNITS Rangoon: South HQ, 15th Army", "UNITS 2007: 33rd Corps, 15th Corps", "UNITS Calcutta: SEAC HQ")
    setup = ("OWN japan: 2008", *units, "HAND japan: J40", "HAND allies: A59")
    play = ("japan: play: J40", "japan: operations: South HQ", "japan: activate: 15th Army", "japan: move: 15th Army to 2007")
    f = form_at_hand(played(setup, play))
    step = f.step(Partial())
    assert values(step, "word") == ["none"] and len(values(step, "unit")) == 2 and "2006" in values(step, "to")
    assert f.step(picked("disengage", "to 2006")).orders == ({"disengage": "all to 2006"},)
    assert f.partial({"disengage": "all to Akyab"}) == picked("disengage", "to 2006")
    one = values(step, "unit")[0]
    assert f.step(picked("disengage", f"unit {one}", "to 2006")).orders == ({"disengage": f"{one} to 2006"},)
    assert f.partial({"disengage": f"{one} to 2006"}) == picked("disengage", f"unit {one}", "to 2006")


def test_who_bombs() -> None:
    engine = card_asked("J14")
    known = [u for u in engine.state.pieces if engine.state.counter(u).b29]
    f = bombings(engine.state, known, lambda order: order)
    assert (
        len(known) == 2 and values(f.step(Partial()), "word") == ["all", "none"] and values(f.step(Partial()), "unit") == known
    )
    assert f.step(picked("bomb", f"unit {known[0]}")).orders == ({"bomb": [known[0]]},)
    assert f.partial({"bomb": known}) == picked("bomb", *(f"unit {u}" for u in known))


def test_every_question_of_a_recorded_game_has_a_form_of_its_own() -> None:
    asked = [ask for _, ask, _ in moments("empire_of_the_sun/2nd-2015-burma-403", 1)]
    assert len(asked) > 10 and [ask.kind for ask in asked if ask.form is None] == []


def test_the_text_of_a_card_is_told_in_the_players_language() -> None:
    card = GAME.index().cards["J14"]
    words = GAME.words()
    told = [Teller(language(code, (words.CATALOGUE,)), words, None).card(verbatim(card.says)) for code in ("en", "cs")]
    assert told[0] == card.says != told[1]


def test_ways_lead_only_over_hexes_from_which_an_end_is_reached() -> None:
    """Every end over every hex is read: what is offered is what some order can have, neither more nor less. Stacks that have no
    end are hardly offered."""
    seen: Counter[str] = Counter()
    for form, here in _stacks_that_move():
        step = form.step(here)
        offered = {p.value for p in step.picks if p.slot == "via"}
        ends = [p.value for p in step.picks if p.slot == "to"]
        if not ends:
            assert not offered, here
            seen["no end"] += 1
        elif len(ends) < 70:
            able = {h for h in {*ends, *offered} if any(_over(form, here, h, end) for end in ends if end != h)}
            assert offered == able, here
            seen["some"] += 1
    assert seen["some"] > 8 and seen["no end"] < 2, seen


def test_ways_over_several_hexes_lead_on_as_those_over_one() -> None:
    """The same of the second hex of a way: behind the first, ships have what is left of their allowance."""
    seen: Counter[str] = Counter()
    for form, here in _stacks_that_move():
        vias = [p for p in form.step(here).picks if p.slot == "via"]
        for via in (vias[0], vias[len(vias) // 2], vias[-1]) if vias else ():
            on = replace(here, chosen=(*here.chosen, Chosen("via", via.value)))
            step = form.step(on)
            ends = [p.value for p in step.picks if p.slot == "to"]
            if not 0 < len(ends) < 60:
                continue
            offered = {p.value for p in step.picks if p.slot == "via"}
            others = {*ends, *offered, *(p.value for p in vias)} - {via.value}
            able = {h for h in others if any(_over(form, on, h, end) for end in ends if end != h)}
            assert offered == able, on
            seen["none" if not able else "some"] += 1
    assert seen["some"] > 5, seen


def _stacks_that_move() -> Iterator[tuple[Form, Partial]]:
    for _, ask, _ in moments("empire_of_the_sun/2nd-2015-campaign-1941-401", 12):
        form = form_of(ask)
        for verb in sorted({"move", "strategic"} & {*verbs_of(ask)}):
            for place in [p for p in form.step(Partial(verb)).picks if p.slot == "at"][:4]:
                unit = next(p for p in form.step(Partial(verb).plus(place)).picks if p.slot == "unit")
                yield form, Partial(verb).plus(place).plus(unit)


def _over(form: Form, here: Partial, via: str, end: str) -> bool:
    return bool(form.step(replace(here, chosen=(*here.chosen, Chosen("via", via), Chosen("to", end)))).orders)
