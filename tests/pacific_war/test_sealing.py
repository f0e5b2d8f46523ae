"""[PW-FOG-01] [PW-FOG-02] Sealed task forces on the bare engine: arranged in secret, shown, hidden again, in campaigns too."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from pbem.games.pacific_war.cycle.calendar import pay_for, settle_length, show_length
from pbem.games.pacific_war.records import Marker, Operation, Secret
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.fleets import offer_seal
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.veils import OrderedInSecret, Unveiled, Veiled
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor, emit
from pbem.kernel.flow import Ask, Claim, Commit, Simultaneous
from pbem.kernel.wording import english
from tests.pacific_war import random_play, table

FIRST: dict[str, Plain] = {
    "J3": {"core": ["CA1 Aoba", "CA2 Furutaka", "CVL4 Shoho"], "screen": []},
    "J4": {"core": ["AA1 Transports", "CL1 Tenryu", "CVS4 Kamikawa Maru"], "screen": ["APD5 Mutsuki", "CL8 Yubari"]},
}
SECOND: dict[str, Plain] = {
    "J3": {"core": ["AA1 Transports", "CL8 Yubari"], "screen": ["APD5 Mutsuki", "CL1 Tenryu"]},
    "J4": {"core": ["CVL4 Shoho", "CVS4 Kamikawa Maru"], "screen": ["CA1 Aoba", "CA2 Furutaka"]},
}


def up_to(engine: Engine, kind: str, seat: str) -> Any:
    """Quiet play until this is asked of this side; the request."""
    dice = random.Random(1)
    for _ in range(2000):
        request = engine.request
        if getattr(request, "kind", "") == kind and getattr(request, "seat", "") == seat:
            return request
        if isinstance(request, Ask):
            options = list(request.options())
            engine.reply(next((o for o in options if random_play.is_passive(o)), options[0]))
        elif isinstance(request, Simultaneous):
            engine.reply({a.seat: a.default for a in request.asks})
        else:
            assert request is not None
            engine.reply(table.chance(request, dice))
    raise AssertionError(f"{kind} is never asked of {seat}")


def seal(engine: Engine, contents: Plain) -> None:
    assert isinstance(engine.request, Commit), engine.request
    engine.reply(f"seal 1 {json.dumps({'organize': contents})}")


def shown(engine: Engine, marker: str, seat: str) -> Plain:
    """The next time this side may show: what the owner's program states."""
    up_to(engine, "show", seat)
    engine.reply({"show": marker})
    assert isinstance(engine.request, Claim)
    stated = engine.request.truth(table.behind)
    assert isinstance(stated, dict)
    return {part: sorted(stated[part]) for part in ("core", "screen")}  # type: ignore[type-var]


def at_rabaul() -> Engine:
    """Coral Sea, the two task forces at Rabaul arranged in secret."""
    engine = table.begin("coral-sea", forces="sealed")
    request = engine.request
    while not (isinstance(request, Commit) and "Rabaul" in english(request.prompt)):
        engine.reply(table.chance(request, random.Random(1)))  # type: ignore[arg-type]
        request = engine.request
    seal(engine, FIRST)
    return engine


def test_a_sealed_arrangement_is_what_is_shown() -> None:
    assert shown(at_rabaul(), "J3", "japan") == FIRST["J3"]


def test_sealed_task_forces_are_rearranged_while_they_are_sealed() -> None:
    engine = at_rabaul()
    up_to(engine, "hide", "japan")
    engine.reply({"hide": "1630"})
    seal(engine, SECOND)
    assert shown(engine, "J4", "japan") == SECOND["J4"]


def test_a_rearrangement_that_is_not_legal_leaves_what_was_sealed_before() -> None:
    engine = at_rabaul()
    up_to(engine, "hide", "japan")
    engine.reply({"hide": "1630"})
    seal(engine, {**SECOND, "J4": FIRST["J4"]})  # ships twice
    assert shown(engine, "J4", "japan") == FIRST["J4"]


def test_what_was_shown_is_hidden_again_when_the_enemy_has_lost_sight_of_it() -> None:
    engine = at_rabaul()
    stated = shown(engine, "J3", "japan")
    engine.reply(stated)
    assert engine.state.units["CVL4 Shoho"].box == "map"
    up_to(engine, "hide", "japan")
    engine.reply({"hide": "1630"})
    seal(engine, SECOND)
    assert engine.state.units["CVL4 Shoho"].box == "sealed" and engine.state.markers["J3"].handle
    assert shown(engine, "J3", "japan") == SECOND["J3"]


def test_a_detected_task_force_is_not_hidden_again() -> None:
    state = at_rabaul().state
    request = next(offer_seal(state, "japan"), None)
    assert isinstance(request, Ask) and {"hide": "1630"} in list(request.options())
    state.markers["J4"].detected = True
    assert next(offer_seal(state, "japan"), None) is None


def test_campaigns_seal_what_an_activation_put_to_sea() -> None:
    engines = (_to_a_task_force_shown(seed) for seed in range(12))
    assert any(any(e.state.in_secret.values()) and any(type(x).__name__ == "Unveiled" for x in e.state.events) for e in engines)


def _to_a_task_force_shown(seed: int) -> Engine:
    """A random campaign that seals whenever it may, until a sealed task force is shown or the game is over."""
    dice, engine = random.Random(seed), table.begin("guadalcanal", forces="sealed")
    for _ in range(3000):
        request = engine.request
        if request is None or any(type(e).__name__ == "Unveiled" for e in engine.state.events):
            break
        if isinstance(request, Ask):
            hide = [o for o in request.options() if isinstance(o, dict) and o.get("hide", "none") != "none"]
            engine.reply(hide[0] if hide else request.forced or random_play.choose(request, dice))
        elif isinstance(request, Simultaneous):
            engine.reply({a.seat: random_play.choose(a, dice) for a in request.asks})
        else:
            engine.reply(table.chance(request, dice))
    return engine


# -- the length of an operation ----------------------------------------------------------------------------------------

FLEET = ["CV3 Saratoga", "CA3 Minneapolis"]


def activated(length: int) -> Engine:
    """Guadalcanal: the Allies have activated ships and sealed this many days."""
    engine = table.begin("guadalcanal")
    engine.state.stack = [Cursor("operation", []), Cursor("activation", [30, True])]
    engine.state.operator, engine.state.secrets = "allies", {"strategic japan": "die 3"}
    engine.state.hqs["South Pacific"].points = 30
    engine = Engine(engine.game, table.scenario("guadalcanal"), engine.state)
    order = next(o for o in engine.request.options() if isinstance(o, dict))  # type: ignore[union-attr]
    hq = order["activate"]["hq"]  # type: ignore[index, call-overload]
    unit = order["activate"]["units"][:1]  # type: ignore[index, call-overload]
    engine.reply({"activate": {"hq": hq, "units": unit}})
    assert isinstance(engine.request, Commit) and "28 days" in english(engine.request.prompt)
    engine.reply(f"seal 1 {json.dumps({'days': length})}")
    return engine


def statements(engine: Engine, most: int = 3000) -> list[tuple[str, Plain, int]]:
    """Quiet play to the end of the operation: what is stated about its length, and the days that had passed."""
    dice = random.Random(1)
    found: list[tuple[str, Plain, int]] = []
    for _ in range(most):
        request = engine.request
        if engine.state.operation is None or request is None:
            return found
        if isinstance(request, Claim) and request.rule == "PW-TIM-02":
            found.append((f"{request.kind} {request.about}", request.truth(table.behind), engine.state.operation.elapsed))
        if isinstance(request, Ask):
            options = list(request.options())
            engine.reply(next((o for o in options if random_play.is_passive(o) and o != {"deactivate": "all"}), options[0]))
        elif isinstance(request, Simultaneous):
            engine.reply({a.seat: a.default for a in request.asks})
        else:
            engine.reply(table.chance(request, dice))
    return found


@pytest.mark.parametrize(
    ("length", "wanted"),
    [
        (14, [("end marker after 14 days", True, 14)]),
        (21, [("end marker after 14 days", False, 14), ("end marker after 21 days", True, 22)]),
        (28, [("end marker after 14 days", False, 14), ("end marker after 21 days", False, 22)]),
    ],
)
def test_each_end_marker_that_is_passed_is_said_to_be_true_or_false(length: int, wanted: Any) -> None:
    engine = activated(length)
    assert engine.state.operation.days == 0
    assert statements(engine) == wanted
    assert engine.state.operation.days == length


@pytest.mark.parametrize(("length", "back"), [(14, 4), (21, 2), (28, 0)])
def test_the_price_of_the_longest_operation_is_held_back_until_the_length_is_known(length: int, back: int) -> None:
    state = activated(length).state
    held = state.hqs["South Pacific"].points
    assert held == 30 - 2 * 3, "two points for each of three steps"
    settle_length(state, length)
    assert state.hqs["South Pacific"].points == held + back


def test_an_operation_that_is_over_states_its_length() -> None:
    state = activated(21).state
    claim = next(show_length(state))
    assert isinstance(claim, Claim) and claim.truth(table.behind) == 21


def test_a_sealed_length_that_cannot_be_paid_for_is_fourteen_days() -> None:
    state = activated(35).state
    claim = next(show_length(state))
    assert isinstance(claim, Claim) and claim.truth(table.behind) == 14


# -- what penalty time and links know of sealed task forces ------------------------------------------------------------

CARRIERS = {"A1": "CV3 Yorktown", "A2": "CV4 Saratoga"}


def carriers_at_sea(place: int, points: int = 0) -> State:
    """Guadalcanal: two Allied carriers of an operation, each in a sealed task force of this hex."""
    g: State = table.begin("guadalcanal", forces="sealed").state
    g.operator, g.operation = "allies", Operation("South Pacific", 10, 0, 14)
    g.hqs["South Pacific"].points = points
    for marker, ship in CARRIERS.items():
        g.markers[marker] = Marker("allies", place)
        for unit in (ship, *g.air_aboard(ship)):
            g.units[unit].active, g.units[unit].at = True, place
        g.units[ship].tf = marker
    order = {"organize": {m: {"core": [ship], "screen": []} for m, ship in CARRIERS.items()}}
    emit(g, Veiled(f"seal 1 {json.dumps(order)}", "allies", place, tuple(CARRIERS), "PW-FOG-01"))
    facts = {"place": place, "markers": list(CARRIERS)}
    emit(g, OrderedInSecret("allies", Secret("organize", f"seal 1 {json.dumps(order)}", facts), "PW-FOG-02"))
    return g


def test_penalty_time_is_paid_without_showing_sealed_task_forces() -> None:
    g = carriers_at_sea(1640, points=30)
    price = sum(g.counter(ship).cost for ship in CARRIERS.values())
    assert price and list(pay_for(g, "allies", "PW-TIM-03")) == []
    assert g.hqs["South Pacific"].points == 30 - price
    assert all(g.markers[m].handle for m in CARRIERS)


def test_ships_that_cannot_be_paid_for_are_shown() -> None:
    g = carriers_at_sea(1640)
    request = next(pay_for(g, "allies", "PW-TIM-03"))
    assert isinstance(request, Claim) and (request.kind, str(request.about)) == ("contents", "A1")


def cover_asked(g: State) -> Claim:
    """What the Allied program has to state about aircraft over links."""
    asked = next(show_cover(g))
    assert isinstance(asked, Claim) and asked.seat == "allies"
    return asked


def both_linked(g: State) -> list[set[int]]:
    return [set(linked_hexes(g, side)) for side in ("japan", "allies")]


def test_hidden_aircraft_count_for_links_as_if_they_were_seen() -> None:
    g, seen = carriers_at_sea(2032), carriers_at_sea(2032)
    for marker, ship in CARRIERS.items():
        emit(seen, Unveiled(marker, (ship,), (), "PW-FOG-01"))
    assert both_linked(g) != both_linked(seen)
    flow = show_cover(g)
    asked = next(flow)
    assert isinstance(asked, Claim)
    with pytest.raises(StopIteration):
        flow.send(asked.truth(table.behind))
    assert g.covers == {"allies": {2032: "1E"}} and both_linked(g) == both_linked(seen)
    assert all(g.markers[m].handle for m in CARRIERS), "nothing is shown"


def test_carriers_without_aircraft_close_no_links() -> None:
    g = carriers_at_sea(2032)
    for name in [n for n, u in g.units.items() if u.aboard in CARRIERS.values()]:
        g.units[name].aboard, g.units[name].at = "", 334
    assert cover_asked(g).truth(table.behind) == {}


def test_nobody_is_asked_where_hidden_aircraft_change_no_link() -> None:
    assert next(show_cover(carriers_at_sea(2132)), None) is None
