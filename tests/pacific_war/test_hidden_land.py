"""[PW-FOG-01] Who meets a Force marker: what is shown of it, what its owner merely states, what he may show first."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.pacific_war.air.mission_orders import read_mission
from pbem.games.pacific_war.air.missions import mission
from pbem.games.pacific_war.cycle.campaign import month_end
from pbem.games.pacific_war.cycle.cycle import removal
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.land.movement import land_phase
from pbem.games.pacific_war.land.retreat import resolve
from pbem.games.pacific_war.month.merchants import japanese_points
from pbem.games.pacific_war.records import Base, Flight, Marker, Mission, Operation, Unit
from pbem.games.pacific_war.sea.bombardment import bombardment
from pbem.games.pacific_war.sea.combat import exits, naval_cycle, sea_combat
from pbem.games.pacific_war.sea.searching import search_modifier, search_round, somebody_below
from pbem.games.pacific_war.sea.submarines import submarine_combat
from pbem.games.pacific_war.secret.forces import conceal, unveil_force
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.world.nations import NATIONS
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Flow, Request, Roll, Simultaneous
from pbem.kernel.orders import Rejected
from tests.pacific_war import invariants, random_play, table
from tests.pacific_war.stage import clear

MANILA, CABANATUAN, NORTH, BEACH = 3819, 3920, 3919, 3820
J, A = "japan", "allies"
DIVISION, WING, DESTROYER, CRUISER = "Philippine Division", "24th Pursuit Group", "DD1 Clemson", "CA9 Houston"
OTHERS, SUBMARINE = "North Luzon Force", "SS1 Asiatic Fleet"
TRANSPORT = "AA2 Philippines transports A"
REGIMENT, GUARDS, FIGHTERS, BOMBERS, HEAVY = "144th Regiment", "Kure Marines", "Tainan air group", "3rd Bomb Group", "CA1 Aoba"


def luzon() -> State:
    """The map of the whole war with nothing on it; hidden forces, by day, Japan the operations player with the advantage."""
    g = GAME.start(table.scenario("strategic-1941"), {"forces": "sealed", "land": "sealed"})
    clear(g)
    g.level, g.forces, g.in_secret, g.condition = "campaign", {}, {}, "intercept"
    g.memo.forget()
    return g


def put(g: State, at: int, *names: str, hidden: bool = False, **details: Any) -> None:
    """Units in a hex, activated in view, or at rest behind a Force marker."""
    for name in names:
        g.units[name] = Unit(at, "sealed" if hidden else "map", active=not hidden, **details)
        if hidden:
            g.forces[g.side(name)] = sorted({*g.forces.get(g.side(name), ()), at})
    g.memo.forget()


def fleet(g: State, marker: str, at: int, *ships: str, **details: Any) -> None:
    """An activated task force in view."""
    put(g, at, *ships)
    g.markers[marker] = Marker(g.side(ships[0]), at, **details)
    for ship in ships:
        g.units[ship].tf = marker


def drive(flow: Flow[Any] | None, orders: dict[str, list[Plain]] | None = None, die: int = 5) -> list[Request]:
    """A flow to its end: true statements, one die, the orders given for a kind of question, else what is forced or proposed
    first. What was asked."""
    asked: list[Request] = []
    waiting = {kind: [*given] for kind, given in (orders or {}).items()}
    answer: Any = None
    while flow is not None:
        try:
            request = flow.send(answer)
        except StopIteration:
            return asked
        asked.append(request)
        answer = _answer(request, waiting, die)
    return asked


def _answer(request: Request, waiting: dict[str, list[Plain]], die: int) -> Any:
    if isinstance(request, Claim):
        return request.truth(table.behind)
    if isinstance(request, Simultaneous):
        return {ask.seat: _answer(ask, waiting, die) for ask in request.asks}
    if isinstance(request, Roll):
        return [die + 1] * request.dice
    assert isinstance(request, Ask), request
    if waiting.get(request.kind):
        return request.read(waiting[request.kind].pop(0))
    fallback = request.forced if request.forced is not None else request.default
    return request.read(fallback if fallback is not None else next(iter(request.options())))


def march(g: State, side: str, unit: str, *path: int, contact: bool = False) -> list[Request]:
    """One unit marches; what was asked."""
    g.moved = {}
    return drive(land_phase(g, side, contact), {"land": [{"move": {unit: [*path]}}, "done"]})


def claims(asked: list[Request]) -> list[tuple[str, str, str]]:
    return [(r.seat, r.kind, str(r.about)) for r in asked if isinstance(r, Claim)]


def questions(asked: list[Request]) -> list[tuple[str, str]]:
    return [(r.seat, r.kind) for r in asked if isinstance(r, Ask)]


def in_view(g: State, *names: str) -> list[str]:
    return [n for n in names if g.units[n].box == "map"]


# -- the worked examples ---------------------------------------------------------------------------------------------------


def at_manila() -> State:
    """[PW-EX-02] An airfield, aircraft, a destroyer unit at rest and a division in Manila."""
    g = luzon()
    g.airfields[MANILA] = Base(A, size=18)
    put(g, MANILA, WING, DESTROYER, DIVISION)
    for name in (WING, DESTROYER, DIVISION):
        g.units[name].active = False
    return g


def test_one_force_marker_stands_for_aircraft_ships_and_troops_of_a_hex() -> None:  # PW-EX-02
    g = at_manila()
    conceal(g, A, {MANILA})
    assert g.forces == {A: [MANILA]}
    assert not in_view(g, WING, DESTROYER, DIVISION) and g.airfield(A, MANILA)


def test_a_division_that_leaves_is_another_force_and_the_rest_stays_behind_the_marker() -> None:  # PW-EX-03
    g = at_manila()
    conceal(g, A, {MANILA})
    drive(unveil_force(g, A, MANILA, "PW-FOG-01", [DIVISION]))
    g.units[DIVISION].active = True
    march(g, A, DIVISION, CABANATUAN)
    assert g.forces == {A: [MANILA]} and in_view(g, WING, DESTROYER, DIVISION) == [DIVISION]
    g.units[DIVISION].active = False
    conceal(g, A, {MANILA, CABANATUAN})
    assert g.forces == {A: [MANILA, CABANATUAN]}


# -- marches ---------------------------------------------------------------------------------------------------------------


def test_hidden_troops_are_seen_by_who_marches_in_and_stop_him() -> None:
    g = luzon()
    put(g, CABANATUAN, REGIMENT)
    put(g, MANILA, DIVISION, WING, hidden=True)
    march(g, J, REGIMENT, MANILA, BEACH)
    assert g.units[REGIMENT].at == MANILA and in_view(g, DIVISION, WING) == [DIVISION, WING]
    assert g.forces == {A: []} and g.entries == [f"japan {CABANATUAN} {MANILA}"]


def test_hidden_aircraft_alone_are_overrun_and_the_march_goes_on() -> None:
    g = luzon()
    g.airfields[MANILA] = Base(A, size=18)
    put(g, CABANATUAN, REGIMENT)
    put(g, MANILA, WING, hidden=True)
    march(g, J, REGIMENT, MANILA, BEACH)
    assert (g.units[REGIMENT].at, g.units[WING].box, g.entries) == (BEACH, "eliminated", [])


def test_sealed_task_forces_of_the_hex_are_seen_too() -> None:
    g = luzon()
    put(g, CABANATUAN, REGIMENT)
    fleet(g, "A1", MANILA, CRUISER, handle="seal 0 {}")
    g.units[CRUISER].box = "sealed"
    march(g, J, REGIMENT, MANILA)
    assert in_view(g, CRUISER) and not g.markers["A1"].handle


@pytest.mark.parametrize(("garrison", "reached"), [(DIVISION, CABANATUAN), (DESTROYER, MANILA)])
def test_in_a_contact_phase_hidden_troops_close_a_hex_and_stay_hidden(garrison: str, reached: int) -> None:
    g = luzon()
    put(g, CABANATUAN, REGIMENT)
    put(g, MANILA, garrison, hidden=True)
    asked = march(g, J, REGIMENT, MANILA, contact=True)
    assert claims(asked)[0] == (A, "behind", "3819: ground")
    assert g.units[REGIMENT].at == reached and bool(in_view(g, garrison)) == (reached == MANILA)


def test_hidden_friends_leave_no_room() -> None:
    g = luzon()
    big = [n for n, c in g.board.counters.items() if c.side == A and c.kind == "ground" and c.steps == 9 and n != DIVISION][:5]
    put(g, CABANATUAN, DIVISION)
    put(g, MANILA, *big, hidden=True)
    assert claims(march(g, A, DIVISION, MANILA)) == [(A, "room", f"3819 {DIVISION}")]
    assert g.units[DIVISION].at == CABANATUAN
    put(g, MANILA, *big[:4], hidden=True)
    del g.units[big[4]]
    march(g, A, DIVISION, MANILA)
    assert g.units[DIVISION].at == MANILA and g.forces == {A: [MANILA]}


@pytest.mark.parametrize("garrison", [DESTROYER, DIVISION])
def test_hidden_ships_keep_troops_aboard_a_transport_that_has_moved(garrison: str) -> None:
    g = luzon()
    fleet(g, "J1", MANILA, TRANSPORT)
    put(g, MANILA, REGIMENT, aboard=TRANSPORT)
    put(g, MANILA, garrison, hidden=True)
    flow = land_phase(g, J, False)
    g.moved = {"J1": 1}
    drive(flow, {"land": [{"debark": {REGIMENT: MANILA}}, "done"]})
    assert bool(g.units[REGIMENT].aboard) == (garrison == DESTROYER) == (not in_view(g, garrison))


@pytest.mark.parametrize(("hidden", "ways"), [(DIVISION, []), (DESTROYER, [MANILA])])
def test_hidden_troops_bar_a_retreat(hidden: str, ways: list[int]) -> None:
    g = luzon()
    put(g, CABANATUAN, REGIMENT, OTHERS)
    put(g, MANILA, hidden, hidden=True)
    g.entries = [f"allies {h} {CABANATUAN}" for h in g.board.near(CABANATUAN) if h != MANILA]
    g.entries += [f"japan {h} {CABANATUAN}" for h in g.board.near(CABANATUAN)]
    leaders, losses = {J: REGIMENT, A: OTHERS}, {J: 0, A: 0}
    asked = drive(
        resolve(g, CABANATUAN, A, leaders, {J: False, A: False}, losses, ""), {"retreat": [{"retreat": "yes"}]}, die=0
    )
    assert claims(asked)[0] == (A, "hexes", f"retreat from {CABANATUAN}: ground")
    assert (J, "retreat") in questions(asked) or not ways
    assert g.units[REGIMENT].at == (ways[0] if ways else CABANATUAN)
    assert bool(in_view(g, hidden)) == bool(ways), "who retreats into a hex sees what is there"


# -- from the air ----------------------------------------------------------------------------------------------------------


def raid(g: State, kind: str, *units: str, seen: bool = False, **orders: Plain) -> list[Request]:
    """A Japanese mission from Cabanatuan against Manila; what was asked."""
    g.mission = Mission(J, kind, MANILA, [Flight([*units], [CABANATUAN, MANILA])], detected=seen)
    return drive(mission(g), {kind: [order] for kind, order in orders.items()}, die=9)


def over_manila(*hidden: str) -> State:
    g = luzon()
    g.airfields[CABANATUAN], g.airfields[MANILA] = Base(J, size=18), Base(A, size=18)
    put(g, CABANATUAN, FIGHTERS, "25th Flotilla bombers")
    put(g, MANILA, *hidden, hidden=True)
    return g


def test_a_force_is_a_target() -> None:
    g = over_manila(DIVISION)
    g.level = "battle"  # links do not matter
    del g.airfields[MANILA]
    assert read_mission(g, J, {"mission": {"strike": MANILA, "units": ["25th Flotilla bombers"]}})
    g.forces[A] = []
    with pytest.raises(Rejected, match="nothing to attack"):
        read_mission(g, J, {"mission": {"strike": MANILA, "units": ["25th Flotilla bombers"]}})


def test_a_strike_has_the_whole_force_shown() -> None:
    g = over_manila(DIVISION, WING, DESTROYER)
    asked = raid(g, "strike", "25th Flotilla bombers")
    assert claims(asked) == [(A, "force", "3819")]
    assert in_view(g, DIVISION, WING, DESTROYER) == [DIVISION, WING, DESTROYER]


def test_a_superiority_mission_sees_the_aircraft_alone() -> None:
    g = over_manila(DIVISION, WING, DESTROYER)
    raid(g, "superiority", FIGHTERS)
    assert in_view(g, DIVISION, WING, DESTROYER) == [WING] and g.forces == {A: [MANILA]}


@pytest.mark.parametrize("word", ["yes", "no"])
def test_a_strike_on_a_task_force_need_not_meet_the_force_of_the_hex(word: str) -> None:
    g = over_manila(DIVISION)
    fleet(g, "A1", MANILA, CRUISER, detected=True)
    asked = raid(g, "strike", "25th Flotilla bombers", strike_force={"strike_force": word})
    assert (J, "strike_force") in questions(asked) and bool(in_view(g, DIVISION)) == (word == "yes")


def test_hidden_fighters_may_be_shown_to_meet_a_mission() -> None:
    g = over_manila(DIVISION, WING)
    asked = raid(g, "strike", "25th Flotilla bombers", seen=True, show_force={"show_force": "yes"}, cap={"cap": WING})
    assert questions(asked)[:2] == [(A, "show_force"), (A, "cap")]
    assert claims(asked)[:2] == [(A, "force", "3819: air"), (A, "force", "3819")]


def test_hidden_fighters_on_the_way_may_be_shown_to_intercept() -> None:
    g = over_manila(WING)
    g.airfields[CABANATUAN + 100] = Base(J, size=18)
    g.mission = Mission(J, "superiority", CABANATUAN, [Flight([FIGHTERS], [MANILA + 1, MANILA, CABANATUAN])], detected=True)
    g.units[FIGHTERS].at = MANILA + 1
    g.airfields[MANILA + 1] = Base(J, size=18)
    asked = drive(mission(g), {"show_force": [{"show_force": "yes"}], "intercept": [{"intercept": WING}]})
    assert questions(asked)[:2] == [(A, "show_force"), (A, "intercept")] and in_view(g, WING)


def test_who_is_hidden_below_looks_up() -> None:
    g = over_manila(DIVISION)
    del g.airfields[MANILA]
    assert somebody_below(g, A, MANILA)
    g.forces[A] = []
    assert not somebody_below(g, A, MANILA)


# -- from the sea ----------------------------------------------------------------------------------------------------------


def off_manila(*hidden: str, **details: Any) -> State:
    g = luzon()
    fleet(g, "J1", MANILA, HEAVY, **details)
    put(g, MANILA, *hidden, hidden=True)
    return g


def test_ships_at_rest_are_met_by_a_task_force_and_nobody_else_is_shown() -> None:
    g = off_manila(DESTROYER, DIVISION)
    asked = drive(sea_combat(g, MANILA))
    assert claims(asked)[-1] == (A, "force", "3819: naval") and any(isinstance(r, Roll) for r in asked)
    assert g.units[DESTROYER].box != "sealed" and g.units[DIVISION].box == "sealed" and g.forces == {A: [MANILA]}


def test_a_force_without_ships_does_not_give_a_task_force_away() -> None:
    g = off_manila(DIVISION)
    asked = drive(sea_combat(g, MANILA))
    assert not any(isinstance(r, Roll) for r in asked)
    assert not g.markers["J1"].detected and g.units[DIVISION].box == "sealed"


@pytest.mark.parametrize("hidden", [DIVISION, DESTROYER])
def test_hidden_ships_bar_a_withdrawal(hidden: str) -> None:
    g = off_manila(CRUISER)
    put(g, NORTH, hidden, hidden=True)
    before = exits(g, J, MANILA)
    asked = drive(sea_combat(g, MANILA))
    assert NORTH in before and (A, "hexes", "withdrawal from 3819: naval") in claims(asked)
    assert (NORTH in exits(g, J, MANILA)) == (hidden == DIVISION)


def test_bombarded_troops_are_shown_and_the_ships_pick_among_them() -> None:
    g = off_manila(DIVISION, WING)
    orders: dict[str, list[Plain]] = {"bombard": [{"bombard": {HEAVY: "force"}}, {"bombard": {HEAVY: DIVISION}}]}
    asked = drive(bombardment(g), orders)
    assert claims(asked) == [(A, "force", "3819: ground")] and in_view(g, DIVISION, WING) == [DIVISION]
    assert any(isinstance(r, Roll) for r in asked)


def test_who_bombards_a_force_cannot_hold_its_fire_when_he_sees_it() -> None:
    g = off_manila(DIVISION)
    orders: dict[str, list[Plain]] = {"bombard": [{"bombard": {HEAVY: "force"}}, "pass"]}
    with pytest.raises(Rejected):
        drive(bombardment(g), orders)


def test_hidden_aircraft_are_hit_with_their_airfield() -> None:
    g = off_manila(WING, DIVISION)
    g.airfields[MANILA] = Base(A, size=18)
    drive(bombardment(g), {"bombard": [{"bombard": {HEAVY: "airfield"}}]}, die=0)
    assert g.airfields[MANILA].hits and g.units[WING].hits and g.units[DIVISION].box == "sealed"


def test_a_submarine_does_not_find_what_rests_in_port() -> None:
    g = luzon()
    fleet(g, "J1", MANILA, HEAVY)
    put(g, MANILA, SUBMARINE)
    put(g, MANILA, GUARDS, hidden=True)
    drive(submarine_combat(g, A, MANILA))
    assert g.units[GUARDS].box == "sealed" and g.forces == {J: [MANILA]}


# -- searches --------------------------------------------------------------------------------------------------------------


def test_hidden_aircraft_are_shown_to_search() -> None:
    g = luzon()
    g.airfields[MANILA] = Base(A, size=18)
    put(g, MANILA, WING, DIVISION, hidden=True)
    fleet(g, "J1", NORTH - 1, HEAVY)
    asked = drive(search_round(g, A, "increment 0"), {"search": [{"reveal": "3819"}, {"search": {"J1": WING}}, "pass"]}, die=0)
    assert claims(asked)[0] == (A, "force", "3819: air") and in_view(g, WING, DIVISION) == [WING]
    assert g.markers["J1"].detected


def test_nobody_is_asked_to_search_beyond_the_reach_of_hidden_aircraft() -> None:
    g = luzon()
    put(g, MANILA, WING, hidden=True)
    fleet(g, "J1", 1630, HEAVY)
    assert drive(search_round(g, A, "increment 0")) == []


def test_a_task_force_stays_detected_beside_a_force() -> None:
    g = off_manila(DIVISION, detected=True)
    drive(removal(g))
    assert g.markers["J1"].detected
    g.forces[A] = []
    drive(removal(g))
    assert not g.markers["J1"].detected


# -- the whole war ---------------------------------------------------------------------------------------------------------


def test_japan_states_what_its_hidden_garrison_of_manchuria_lacks() -> None:
    g = GAME.start(table.scenario("strategic-1941"), {"forces": "sealed", "land": "sealed"})
    before, border = _points(g), [h for h, x in g.board.listed.items() if "border" in x.features]
    for place in border:
        put(g, place, *[n for n in g.here(J, place, "ground", "air") if not g.units[n].aboard], hidden=True)
    assert any(h in border for h in g.forces[J])
    assert _points(g) == before


def _points(g: State) -> int:
    flow, answer = japanese_points(g), None
    try:
        while True:
            request = flow.send(answer)
            assert isinstance(request, Claim)
            answer = request.truth(table.behind)
    except StopIteration as end:
        return int(end.value)


def test_java_does_not_surrender_while_a_force_is_there() -> None:
    g = luzon()
    java = next(n for n in NATIONS if n.name == "java")
    assert java.more(g)
    g.forces[A] = [next(iter(g.board.region("java")))]
    assert not java.more(g)


def test_at_the_end_everything_is_shown() -> None:
    g = luzon()
    put(g, MANILA, DIVISION, WING, hidden=True)
    put(g, CABANATUAN, GUARDS, hidden=True)
    g.last_month, g.victory = g.month, {A: [{"kind": "holds", "side": A, "hexes": [MANILA], "text": "Manila"}]}
    drive(month_end(g, False))
    assert in_view(g, DIVISION, WING, GUARDS) == [DIVISION, WING, GUARDS] and g.winner == A


# -- random play -----------------------------------------------------------------------------------------------------------


@pytest.mark.in_turn(2)
def test_a_random_campaign_with_everything_sealed_is_sound() -> None:
    engine = random_play.play("guadalcanal", 9, invariants.watch, forces="sealed", land="sealed", decoys="yes")
    assert engine.state.winner and engine.state.forces == {J: [], A: []}
    assert not [n for n, u in engine.state.units.items() if u.box == "sealed"]


def test_a_force_marker_beside_a_task_force_makes_its_hex_easier_to_search() -> None:
    """[PW-FOG-01] Each marker beyond one."""
    g = table.begin("guadalcanal", forces="sealed", land="sealed").state
    g.markers["A1"] = Marker("allies", 135)
    g.forces["allies"] = [722]
    alone = search_modifier(g, "japan", 135)
    g.forces["allies"] = [135, 722]
    assert search_modifier(g, "japan", 135) == alone - 1


def test_a_naval_combat_that_has_begun_goes_on_in_penalty_time() -> None:
    """[PW-TIM-04] [PW-NAV-05] Otherwise nobody could ever leave."""
    g = table.begin("guadalcanal").state
    g.operator, g.operation = "allies", Operation("South Pacific", 10, 0, 14, penalty=14)
    for marker, side, ship in (("A1", "allies", "CA3 Minneapolis"), ("J1", "japan", "CA1 Aoba")):
        g.markers[marker] = Marker(side, 1530)
        g.units[ship].at, g.units[ship].tf, g.units[ship].active = 1530, marker, True
    g.units["CA1 Aoba"].tf = ""  # in port: it begins nothing
    del g.markers["J1"]
    g.memo.forget()
    assert not _combats(g)
    g.markers["A1"].held = True
    assert _combats(g) == [1530]


def _combats(g: State) -> list[int]:
    g.stack.clear()
    naval_cycle(g)
    return [cursor.args[0] for cursor in g.stack if cursor.name == "sea-combat"]
