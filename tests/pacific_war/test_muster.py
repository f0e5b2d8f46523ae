"""[PW-FOG-01] [PW-ACT-02] [PW-OPT-04] Activation in secret: what everybody sees of it, decoys, rest unseen, lies."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.games.pacific_war.command.activation import level_of
from pbem.games.pacific_war.command.muster import read_muster
from pbem.games.pacific_war.cycle.calendar import in_operation, pay_for
from pbem.games.pacific_war.cycle.common_phase import deactivations
from pbem.games.pacific_war.records import Marker, Operation
from pbem.games.pacific_war.sea.searching import search_task_force
from pbem.games.pacific_war.secret.fleets import contents, offer_show, unveil
from pbem.games.pacific_war.secret.forces import presumed, roster, whole
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Claim, Commit, Flow, Roll, Simultaneous
from pbem.kernel.orders import Rejected
from tests.pacific_war import table

NOUMEA, BRISBANE = 135, 722
CRUISER = {"core": ["CA3 Minneapolis"], "screen": []}
CARRIERS = {"core": ["CV3 Yorktown", "CV4 Saratoga"], "screen": ["CA3 Minneapolis", "DD5 Mahan"]}
MARINES = "5th Marine Regiment"


def resting(**options: Plain) -> Engine:
    """Guadalcanal at the first question of its first month: everything that rests is behind Force markers."""
    engine = table.begin("guadalcanal", forces="sealed", land="sealed", **{"decoys": "yes", **options})
    answer_quietly(engine, lambda ask: True)
    return engine


def answer_quietly(engine: Engine, until: Callable[[Ask], bool]) -> None:
    """Dice, true statements and defaults until this is asked."""
    while True:
        request = engine.request
        if isinstance(request, Ask) and until(request):
            return
        if isinstance(request, Ask):
            engine.reply(next(iter(request.options())))
        elif isinstance(request, Simultaneous):
            engine.reply({a.seat: list(a.options())[-1] for a in request.asks})
        else:
            assert request is not None
            engine.reply(table.chance(request, random.Random(1)))


def at_activation(points: int = 60, **options: Plain) -> Engine:
    """The Allies are to activate; their headquarters has so many points."""
    engine = resting(**options)
    state = engine.state
    state.stack = [Cursor("operation", []), Cursor("activation", [points, True])]
    state.operator, state.secrets = "allies", {"strategic japan": "die 3"}
    state.hqs["South Pacific"].points = points
    engine = Engine(engine.game, table.scenario("guadalcanal"), state)
    hidden_first(engine)
    return engine


def hidden_first(engine: Engine) -> None:
    """Nothing is shown, statements are true, until something else is asked."""
    while True:
        request = engine.request
        if isinstance(request, Claim):
            engine.reply(request.truth(table.behind))
        elif isinstance(request, Ask) and request.kind == "show":
            engine.reply({"show": "none"})
        else:
            return


def order(units: list[str], *fleets: Plain, hq: str = "South Pacific") -> dict[str, Plain]:
    return {"activate": {"hq": hq, "units": [*units], "days": 14, **({"fleets": [*fleets]} if fleets else {})}}


def muster(engine: Engine, plain: Plain) -> Plain:
    """The order is sealed; what its owner states of it."""
    engine.reply("secret")
    assert isinstance(engine.request, Commit)
    engine.reply(f"seal 1 {json.dumps(plain)}")
    assert isinstance(engine.request, Claim) and engine.request.kind == "muster"
    stated = engine.request.truth(table.behind)
    engine.reply(stated)
    hidden_first(engine)
    return stated


def at_sea(*fleets: Plain, units: list[str] | None = None) -> State:
    """The Allies have activated ships in secret."""
    engine = at_activation()
    ships = units or [s for f in fleets for part in ("core", "screen") for s in f.get(part, [])]  # type: ignore[union-attr]
    assert muster(engine, order(ships, *fleets))
    return engine.state


# -- what everybody sees ---------------------------------------------------------------------------------------------------


def test_the_owner_states_what_everybody_sees_and_nothing_else() -> None:
    engine = at_activation()
    stated = muster(engine, order(["CA3 Minneapolis"], CRUISER))
    cost = engine.state.board.counters["CA3 Minneapolis"].cost
    assert stated == {
        "hq": "South Pacific", "points": cost, "price": cost, "week": cost, "fleets": [NOUMEA], "ashore": False, "days": 14
    }  # fmt: skip
    public = json.dumps([str(e) for e in engine.state.events if "seal" not in str(e)])
    assert "OrderedInSecret" not in public
    assert engine.state.units["CA3 Minneapolis"].box == "sealed" and not engine.state.units["CA3 Minneapolis"].active


def test_sealed_ships_appear_as_task_forces_with_the_names_that_are_free() -> None:
    state = at_sea(CARRIERS)
    assert state.markers == {"A1": Marker("allies", NOUMEA, handle=state.markers["A1"].handle)}
    truth = contents(state, "A1", table.behind)
    assert {k: sorted(v) for k, v in truth.items()} == {k: sorted(v) for k, v in CARRIERS.items()}


def test_carriers_bring_their_aircraft_along() -> None:
    state = at_sea(CARRIERS)
    seen = whole(state, "allies", table.behind)
    aboard = seen.air_aboard("CV3 Yorktown")
    assert aboard and all(seen.units[a].active for a in aboard)


def test_the_whole_price_is_paid() -> None:
    engine = at_activation(60)
    stated: Any = muster(engine, order(CARRIERS["core"] + CARRIERS["screen"], CARRIERS))
    assert engine.state.hqs["South Pacific"].points == 60 - stated["price"] and stated["price"] > 5


def test_an_operation_of_the_level_that_is_stated_begins() -> None:
    state = at_sea(CARRIERS)
    assert state.operation is not None and state.operation.hq == "South Pacific"
    assert state.operation.level == level_of(sum(state.counter(s).cost for s in CARRIERS["core"] + CARRIERS["screen"]))


def test_what_stirs_behind_a_force_marker_is_known_to_stir_somewhere() -> None:
    engine = at_activation()
    stated: Any = muster(engine, order([MARINES]))
    assert stated["ashore"] and stated["fleets"] == []
    assert engine.state.stirring == {"allies": True} and in_operation(engine.state, "allies")
    assert whole(engine.state, "allies", table.behind).units[MARINES].active


def test_the_force_stays_where_something_is_left() -> None:
    before = resting().state.forces["allies"]
    assert at_sea(CRUISER).forces["allies"] == before


# -- what is refused -------------------------------------------------------------------------------------------------------


def refusal(plain: Plain, **options: Plain) -> str:
    state = resting(**options).state
    state.hqs["South Pacific"].points = 60
    with pytest.raises(Rejected) as caught:
        read_muster(state, whole(state, "allies", table.behind), "allies", plain, 60, 3, True)
    return str(caught.value)


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        (order(["CA3 Minneapolis"]), "each activated ship once"),
        (order(["CA3 Minneapolis"], CRUISER, CRUISER), "each activated ship once"),
        (order(["CA3 Minneapolis", "DD5 Mahan"], CRUISER), "each activated ship once"),
        (order(["CA3 Minneapolis"], {"core": [], "screen": ["CA3 Minneapolis"]}), "larger than its core"),
        (order(["CA3 Minneapolis"], CRUISER, *[{"decoy": NOUMEA}] * 3), "3 decoys"),
        (order(["CA3 Minneapolis"], CRUISER, {"decoy": 1230}), "no linked port"),
        (order([MARINES], {"decoy": NOUMEA}), "decoys come with activated ships"),
        (order(["CA1 Aoba"], CRUISER), "not yours"),
    ],
)
def test_a_secret_activation_is_refused_with_a_reason(plain: Plain, words: str) -> None:
    assert words in refusal(plain)


def test_decoys_need_the_option() -> None:
    assert "at least one ship" in refusal(order(["CA3 Minneapolis"], CRUISER, {"decoy": NOUMEA}), decoys="no")


def test_what_is_in_sight_is_activated_openly() -> None:
    state = resting().state
    state.units["CA3 Minneapolis"].box = "map"
    with pytest.raises(Rejected, match="in sight"):
        read_muster(state, presumed(state, "allies"), "allies", order(["CA3 Minneapolis"], CRUISER), 60, 3, True)


def test_an_order_that_is_not_legal_activates_nothing_and_its_owner_says_so() -> None:
    engine = at_activation()
    assert muster(engine, order(["CA3 Minneapolis"], CRUISER, CRUISER)) == {}
    assert not engine.state.markers and engine.state.operation is None


def test_nothing_sealed_nothing_secret() -> None:
    engine = table.begin("guadalcanal", forces="sealed")
    answer_quietly(engine, lambda ask: ask.kind == "activate")
    with pytest.raises(Rejected, match="nothing of yours is sealed"):
        engine.reply("secret")


# -- decoys ----------------------------------------------------------------------------------------------------------------


def with_decoy() -> State:
    """A decoy first, then a cruiser, both in Noumea."""
    return at_sea({"decoy": NOUMEA}, CRUISER, units=["CA3 Minneapolis"])


def done(flow: Flow[Any], answer: Callable[[Any], Plain]) -> list[Any]:
    """What a rule asks until it is done: kind (or label of a die) and answer."""
    asked: list[Any] = []
    request = next(flow, None)
    while request is not None:
        given = answer(request)
        asked.append((str(request.label) if isinstance(request, Roll) else request.kind, given))
        try:
            request = flow.send(given)
        except StopIteration:
            return asked
    return asked


def truth_or(die: int) -> Callable[[Any], Plain]:
    return lambda request: (die or 10,) if isinstance(request, Roll) else request.truth(table.behind)


def test_a_decoy_looks_like_a_task_force() -> None:
    state = with_decoy()
    assert [(m, x.at, bool(x.handle)) for m, x in state.markers.items()] == [("A1", NOUMEA, True), ("A2", NOUMEA, True)]
    assert contents(state, "A1", table.behind) == {"core": [], "screen": []}


def test_a_decoy_that_is_detected_is_taken_off() -> None:
    state = with_decoy()
    state.markers["A1"].at = state.markers["A2"].at = state.units["Rabaul flying boats"].at
    state.units["Rabaul flying boats"].box = "map"
    asked = done(search_task_force(state, "japan", "Rabaul flying boats", "A1"), truth_or(0))
    assert asked[1] == ("report", {"decoy": True})
    assert list(state.markers) == ["A2"]


def test_a_decoy_that_is_not_found_stays() -> None:
    state = with_decoy()
    state.markers["A1"].at = state.units["Rabaul flying boats"].at
    state.units["Rabaul flying boats"].box = "map"
    asked = done(search_task_force(state, "japan", "Rabaul flying boats", "A1"), truth_or(9))
    assert len(asked) == 1 and "A1" in state.markers


def test_a_decoy_that_is_met_is_taken_off() -> None:
    state = with_decoy()
    done(unveil(state, "A1", "PW-NAV-03"), truth_or(0))
    assert list(state.markers) == ["A2"]


def test_a_task_force_that_is_shown_is_what_was_sealed() -> None:
    state = with_decoy()
    done(unveil(state, "A2", "PW-NAV-03"), truth_or(0))
    assert state.members("A2") == ["CA3 Minneapolis"] and state.units["CA3 Minneapolis"].active


def test_decoys_close_no_links() -> None:
    closed = with_decoy()
    place = 1230
    closed.markers["A1"].at = place
    empty = with_decoy()
    del empty.markers["A1"]
    assert linked_hexes(closed, "japan") == linked_hexes(empty, "japan")


# -- rest, and its price ---------------------------------------------------------------------------------------------------


def test_a_sealed_task_force_in_port_rests_unseen() -> None:
    state = at_sea(CRUISER)
    flow = deactivations(state, "allies")
    ask = next(flow)
    assert isinstance(ask, Ask)
    claim = flow.send(ask.read({"deactivate": ["A1"]}))
    assert isinstance(claim, Claim) and claim.kind == "forces"
    with pytest.raises(StopIteration):
        flow.send(claim.truth(table.behind))
    unit = roster(state, "allies", table.behind)["CA3 Minneapolis"]
    assert not state.markers and not in_operation(state, "allies")
    assert (unit.active, unit.closed, unit.tf, unit.at) == (False, True, "", NOUMEA)


def test_what_stirs_behind_force_markers_rests_at_a_word() -> None:
    engine = at_activation()
    muster(engine, order([MARINES]))
    state = engine.state
    flow = deactivations(state, "allies")
    ask = next(flow)
    assert isinstance(ask, Ask)
    claim = flow.send(ask.read({"deactivate": "hidden"}))
    with pytest.raises(StopIteration):
        flow.send(claim.truth(table.behind))  # type: ignore[union-attr]
    assert not in_operation(state, "allies") and not whole(state, "allies", table.behind).units[MARINES].active


def test_penalty_time_is_paid_by_a_statement_of_the_price() -> None:
    state = at_sea(CARRIERS)
    state.hqs["South Pacific"].points = 30
    asked = done(pay_for(state, "allies", "PW-TIM-03"), truth_or(0))
    price = sum(state.counter(s).cost for s in CARRIERS["core"] + CARRIERS["screen"])
    assert asked == [("upkeep", price)]
    assert state.hqs["South Pacific"].points == 30 - price and state.markers["A1"].handle


# -- what hidden enemies do to ships that are given up, and to who rests or goes -------------------------------------------


def first_or_truth(request: Any) -> Any:
    return request.truth(table.behind) if isinstance(request, Claim) else request.read(request.options()[0])


def given_up(place: int) -> State:
    """An Allied cruiser of an operation that nobody can pay for, at sea."""
    state = at_activation(points=0).state
    state.operation = Operation("South Pacific", 10, 0, 14)
    ship = state.units["CA3 Minneapolis"]
    ship.box, ship.at, ship.active, ship.tf = "map", place, True, "A1"
    state.markers["A1"] = Marker("allies", place)
    state.forget()
    done(
        pay_for(state, "allies", "PW-TIM-03"),
        lambda r: r.truth(table.behind) if isinstance(r, Claim) else r.read(r.options()[0]),
    )
    return state


def test_a_ship_given_up_where_hidden_aircraft_are_near_is_lost() -> None:
    assert given_up(1530).units["CA3 Minneapolis"].box == "eliminated"


def test_a_ship_given_up_far_from_the_enemy_is_stranded() -> None:
    assert given_up(338).units["CA3 Minneapolis"].box == "stranded"


def test_ships_do_not_rest_where_hidden_enemy_ships_lie() -> None:
    state = at_sea(CRUISER)
    state.units["CA1 Aoba"].at = NOUMEA
    state.forces["japan"] = [NOUMEA, *state.forces["japan"]]
    flow = deactivations(state, "allies")
    claim = flow.send(next(flow).read({"deactivate": ["A1"]}))  # type: ignore[union-attr]
    assert isinstance(claim, Claim) and claim.kind == "hexes" and claim.truth(table.behind) == [NOUMEA]
    flow.send(claim.truth(table.behind))
    assert "A1" in state.markers and in_operation(state, "allies")


def test_some_units_of_a_force_are_shown_and_the_others_stay_hidden() -> None:
    engine = at_activation()
    state = engine.state
    flow = offer_show(state, "allies", "PW-ACT-03")
    ask = next(flow)
    assert isinstance(ask, Ask)
    claim = flow.send(ask.read({"show": {NOUMEA: [MARINES]}}))
    assert isinstance(claim, Claim)
    assert claim.truth(table.behind) == {"units": {MARINES: {}}, "rest": True}
    flow.send(claim.truth(table.behind))
    assert state.units[MARINES].box == "map" and state.units["1st Marine Regiment"].box == "sealed"
    assert NOUMEA in state.forces["allies"]


@pytest.mark.parametrize(
    ("body", "words"), [({1630: [MARINES]}, "no Force of yours"), ({NOUMEA: ["nobody"]}, "no unit"), ("J9", "no unit")]
)
def test_only_what_is_there_is_shown(body: Plain, words: str) -> None:
    ask = next(offer_show(at_activation().state, "allies", "PW-ACT-03"))
    assert isinstance(ask, Ask)
    with pytest.raises(Rejected, match=words):
        ask.read({"show": body})
