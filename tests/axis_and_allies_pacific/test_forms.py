"""Pacific 1940 pick by pick: stacks and their ends, crossings, money, room, losses; nothing that is finished is refused."""

from __future__ import annotations

import random

from pbem.games.axis_and_allies_pacific.casualties import Hits, _ask
from pbem.games.axis_and_allies_pacific.raid import _ask_targets
from pbem.games.axis_and_allies_pacific.state import State, Unit
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.forms import Chosen, Form, Partial, Step, form_of
from pbem.kernel.wording import english
from tests.axis_and_allies_pacific.table import build, empty, engine_at, put
from tests.axis_and_allies_pacific.test_movement import COMBAT, NONCOMBAT, at_war
from tests.generic.test_forms import moments


def form(engine: Engine) -> Form:
    assert isinstance(engine.request, Ask)
    return form_of(engine.request)


def picked(verb: str, at: str, units: dict[str, int], *to: str) -> Partial:
    """Units of a space, and where they go."""
    chosen = (Chosen("at", at), *(Chosen("unit", k, n) for k, n in units.items()), *(Chosen("to", s) for s in to))
    return Partial(verb, chosen)


def ends(step: Step) -> dict[str, tuple[str, ...]]:
    return {p.value: p.leads for p in step.picks if p.slot == "to"}


def units(step: Step) -> dict[str, int]:
    return {p.value: p.most for p in step.picks if p.slot == "unit" and p.why_not is None}


def in_china() -> State:
    g = at_war(empty(), "china japan")
    put(g, "japan", "kwangsi", "infantry", 3)
    put(g, "japan", "kwangsi", "fighter", 2)
    put(g, "china", "yunnan", "infantry")
    return g


def test_a_mixed_stack_attacks_by_separate_orders() -> None:
    engine = engine_at(in_china(), "japan", COMBAT)
    f = form(engine)
    assert units(f.step(picked("", "kwangsi", {}))) == {"infantry": 3, "fighter": 2}
    chosen = {"infantry": 2, "fighter": 1}
    step = f.step(picked("", "kwangsi", chosen))
    assert units(step) == {"infantry": 1, "fighter": 1} and ends(step)["yunnan"] == ("attack",)
    orders = f.step(picked("", "kwangsi", chosen, "yunnan")).orders
    assert [f.line(o) for o in orders] == [
        {"move": "2 infantry from Kwangsi to Yunnan"},
        {"move": "1 fighter from Kwangsi to Yunnan"},
    ]
    for order in orders:
        engine.reply(order)


def test_neutral_land_is_entered_by_attacking_it() -> None:
    """[NEUT-02] Whether anybody guards it or not."""
    g = at_war(empty(), "china japan")
    put(g, "japan", "manchuria", "infantry")
    put(g, "japan", "jehol", "infantry")
    found = ends(form(engine_at(g, "japan", COMBAT)).step(picked("", "manchuria", {"infantry": 1})))
    assert found["buyant-uhaa"] == ("attack",)


def test_what_has_moved_stands_there_with_its_reason() -> None:
    engine = engine_at(in_china(), "japan", COMBAT)
    engine.reply({"move": "3 infantry from Kwangsi to Yunnan"})
    step = form(engine).step(picked("move", "yunnan", {}))
    assert [(p.value, english(p.why_not.reason)) for p in step.picks if p.why_not] == [
        ("infantry", "has moved or fought already")
    ]
    assert all(p.at != "yunnan" for p in form(engine).step(Partial("move")).picks)


def landing() -> Engine:
    g = at_war(empty(), "japan united-kingdom")
    put(g, "japan", "japan", "infantry", 2)
    put(g, "japan", "sz-6", "transport")
    put(g, "japan", "japan", "fighter")
    g.control["korea"] = "united-kingdom"
    put(g, "united-kingdom", "korea", "infantry")
    return engine_at(g, "japan", COMBAT)


def test_a_landing_from_a_coast_is_one_gesture() -> None:
    engine = landing()
    f = form(engine)
    assert "korea" in ends(f.step(picked("", "japan", {"infantry": 2})))
    orders = f.step(picked("", "japan", {"infantry": 2}, "korea")).orders
    assert [next(iter(o)) for o in orders if isinstance(o, dict)] == ["load", "assault"]
    for order in orders:
        engine.reply(order)
    assert {u.target for u in engine.state.of("japan") if u.type == "infantry"} == {"korea"}


def test_a_crossing_sails_where_the_shore_is_farther() -> None:
    g = at_war(empty(), "japan united-kingdom")
    put(g, "japan", "japan", "infantry", 2)
    put(g, "japan", "sz-6", "transport", 2)
    near = g.board.neighbours
    beyond = [z for z in near["sz-6"] if z in g.board.zones]
    shore = next(
        t for z in beyond for t in near[z] if t in g.board.territories and t not in near["sz-6"] and g.control[t] == "japan"
    )
    g.control[shore] = "united-kingdom"
    engine = engine_at(g, "japan", COMBAT)
    orders = form(engine).step(picked("assault", "japan", {"infantry": 2}, shore)).orders
    verbs = [next(iter(o)) for o in orders if isinstance(o, dict)]
    assert verbs == ["load", "move", "assault"]
    for order in orders:
        engine.reply(order)
    assert sum(u.at == "sz-6" for u in engine.state.of("japan")) == 1, "the other transport stays"


def test_noncombat_landings_are_no_attack() -> None:
    g = empty()
    put(g, "japan", "japan", "fighter")
    put(g, "japan", "korea", "infantry")
    step = form(engine_at(g, "japan", NONCOMBAT)).step(picked("move", "japan", {"fighter": 1}))
    assert ends(step)["korea"] == ("land",)


def test_a_carrier_takes_her_aircraft_along_after_combat() -> None:
    """[NCM-07] Who sails along is named with her and needs no order; who comes from elsewhere flies behind her."""
    for there, planes, told in (
        ("", {"fighter": 1, "tactical-bomber": 1}, ["1 aircraft-carrier, 1 destroyer from SZ 33 to SZ 17"]),
        ("aircraft-carrier", {"fighter": 1}, ["1 aircraft-carrier, 1 destroyer from SZ 33 to SZ 17"]),
        (
            "aircraft-carrier",
            {"fighter": 2, "tactical-bomber": 1},
            ["1 aircraft-carrier, 1 destroyer from SZ 33 to SZ 17", "1 fighter from SZ 33 to SZ 17"],
        ),
    ):
        g = empty()
        put(g, "japan", "sz-33", "aircraft-carrier")
        for kind in ("destroyer", "fighter", "tactical-bomber"):
            put(g, "japan", "sz-33", kind)
        if planes["fighter"] == 2:
            put(g, "japan", "sz-33", "aircraft-carrier")
            put(g, "japan", "sz-33", "fighter", 2)
        if there:
            put(g, "japan", "sz-17", there)
        engine = engine_at(g, "japan", NONCOMBAT)
        f, stack = form(engine), {"aircraft-carrier": 1, "destroyer": 1, **planes}
        assert "sz-17" in ends(f.step(picked("", "sz-33", stack)))
        orders = f.step(picked("", "sz-33", stack, "sz-17")).orders
        assert [f.line(o) for o in orders] == [{"move": text} for text in told]
        for order in orders:
            engine.reply(order)
        assert sum(u.at == "sz-17" for u in engine.state.of("japan")) == 2 + max(2, sum(planes.values())) + bool(there)


def test_loaded_and_empty_transports_are_picked_apart() -> None:
    g = empty()
    put(g, "japan", "sz-6", "transport", 2)
    put(g, "japan", "sz-6", "infantry")
    g.units[g.next_id - 1].aboard = g.next_id - 3
    step = form(engine_at(g, "japan", NONCOMBAT)).step(picked("move", "sz-6", {}))
    assert units(step) == {"transport": 2, "loaded transport": 1, "empty transport": 1}
    (cargo,) = [p for p in step.picks if p.why_not]
    assert cargo.why_not and "aboard" in english(cargo.why_not.reason) and "`unload`" in english(cargo.why_not.reason)


def test_an_empty_transport_among_empty_ones_is_picked_as_a_transport() -> None:
    g = empty()
    put(g, "japan", "sz-6", "transport", 2)
    asked = form(engine_at(g, "japan", NONCOMBAT))
    order: Plain = {"move": {"units": {"empty transport": 1}, "from": "sz-6", "to": "sz-19"}}
    wanted = asked.partial(order)
    assert wanted == picked("move", "sz-6", {"transport": 1}, "sz-19") and asked.step(wanted).orders


def test_purchases_show_prices_and_money() -> None:
    g = empty()
    g.cash["japan"] = 12
    build(g, "japan", "minor-ic", 2)
    f = form(engine_at(g, "japan", "purchase"))
    step = f.step(Partial("buy", (Chosen("unit", "infantry", 2),)))
    assert english(step.budget) == "Japan has 6 IPC" and units(step)["infantry"] == 2 and units(step)["tank"] == 1
    dear = next(p for p in step.picks if p.value == "battleship")
    assert english(dear.cost) == "20 IPC" and dear.why_not is not None
    assert step.orders == ({"buy": {"infantry": 2}},)
    assert f.partial({"buy": "2 inf, 1 tank"}).chosen == (Chosen("unit", "infantry", 2), Chosen("unit", "tank"))
    assert units(f.step(Partial("repair", (Chosen("at", "japan"),)))) == {"minor-ic": 2}
    order: Plain = {"repair": {"territory": "japan", "facility": "minor-ic", "points": 2}}
    assert f.line(order) == {"repair": "2 at Japan minor-ic"}
    assert f.step(f.partial({"repair": "2 at Japan minor-ic"})).orders == (order,)


def test_new_units_go_where_all_of_them_find_room() -> None:
    g = empty()
    g.purchased["japan"] = {"infantry": 4, "destroyer": 1}
    build(g, "japan", "minor-ic")
    f = form(engine_at(g, "japan", "mobilize"))
    assert list(ends(f.step(Partial("place", (Chosen("unit", "infantry", 3),))))) == ["japan"]
    assert not ends(f.step(Partial("place", (Chosen("unit", "infantry", 4),))))
    assert "sz-6" in ends(f.step(Partial("place", (Chosen("unit", "destroyer", 1),))))
    assert f.line({"place": {"units": {"infantry": 3}, "in": "japan"}}) == {"place": "3 infantry in Japan"}


def test_scrambles_are_picked_line_by_line() -> None:
    found = [(e, a) for e, a, _ in moments("axis_and_allies_pacific/random-101", 400) if a.kind == "scramble"][:1]
    for engine, ask in found:
        f = form_of(ask)
        for order in ask.options():
            assert f.step(f.partial(order)).orders
            assert f.partial(f.line(order)) == f.partial(order)
        assert engine.request is ask


def test_nothing_that_is_finished_is_refused() -> None:
    """Random picks through a recorded game; what one gesture makes is accepted order after order."""
    dice, gestures = random.Random(3), 0
    for number, (engine, ask, _) in enumerate(moments("axis_and_allies_pacific/bot-103", 400)):
        if number % 9:
            continue
        f, so_far, orders = form_of(ask), Partial(), tuple[Plain, ...]()
        for _ in range(12):
            step = f.step(so_far)
            able = [p for p in step.picks if p.why_not is None]
            if not able or (step.orders and dice.random() < 0.7):
                orders = step.orders
                break
            pick = dice.choice(able)
            so_far = so_far.plus(pick, dice.randint(1, pick.most))
        copy = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
        for order in orders:
            copy.reply(order)
        gestures += bool(orders)
    assert gestures > 20


def test_bombers_are_counted_over_the_facilities() -> None:
    """[SBR-05] One target each, as many on each facility as its owner likes."""
    g = empty()
    put(g, "japan", "queensland", "strategic-bomber", 3)
    for bomber in g.units.values():
        bomber.role = "bomb"
    for kind in ("minor-ic", "air-base"):
        build(g, "queensland", kind)
    f = form_of(_ask_targets(g, "japan", "queensland"))
    first = f.step(Partial("targets"))
    assert units(first) == {"minor-ic": 3, "air-base": 3} and not first.orders
    one = f.step(Partial("targets", (Chosen("unit", "minor-ic", 1),)))
    assert not one.orders and units(one) == {"minor-ic": 2, "air-base": 2}
    both = f.step(Partial("targets", (Chosen("unit", "minor-ic", 1), Chosen("unit", "air-base", 2))))
    assert both.orders == ({"targets": {"minor-ic": 1, "air-base": 2}},) and not both.picks


def test_transports_are_picked_when_they_are_lost() -> None:
    """[GC-15] So many as other units cannot take."""
    zone = [Unit(n, kind, "japan", "sz-6") for n, kind in enumerate(("destroyer", "transport", "transport"), 1)]
    for hits, transports in ((1, 0), (2, 1)):
        ask = _ask(empty(), "japan", zone, Hits(by_ships=hits), hits, "zone:sz-6", {})
        picks = units(form_of(ask).step(Partial("casualties")))
        assert picks.get("transport", 0) == transports and picks["destroyer"] == 1
