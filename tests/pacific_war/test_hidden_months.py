"""[PW-FOG-01] The phases of a month with sealed land forces: shipping, steps, rebuilding, repairs and arrivals in secret."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace as changed

from pbem.games.pacific_war.air.exchange import exchange
from pbem.games.pacific_war.land.demolition import demolition
from pbem.games.pacific_war.land.engineering import engineering
from pbem.games.pacific_war.month import reinforcements as arrivals
from pbem.games.pacific_war.month import repair
from pbem.games.pacific_war.month.emergency_links import emergency_links
from pbem.games.pacific_war.month.reinforcements import reinforcements
from pbem.games.pacific_war.month.repair import naval_repair
from pbem.games.pacific_war.month.replacements import replacements
from pbem.games.pacific_war.month.upkeep import isolation, strategic_transport
from pbem.games.pacific_war.records import Headquarters, Marker, Unit
from pbem.games.pacific_war.secret.forces import roster, unveil_force, whole
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.units.dispersal import free_children, is_parent
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Commit, Request, Roll
from pbem.kernel.orders import illegal
from pbem.runtime.composing import Draft
from tests.pacific_war import hidden_play, table
from tests.pacific_war.test_hidden_hands import audited, lies, named
from tests.pacific_war.test_sealing import up_to
from tests.toygame.party import Person, sealing_anything, send

BOATS, MARINES, BOMBERS = "Rabaul flying boats", "1st Marine Regiment", "11th Bomb Group"


def position(scenario: str = "guadalcanal") -> State:
    """The first month, everything that rests behind Force markers."""
    state = first_month(scenario)
    return deepcopy(state, {id(state.board): state.board})


@cache
def first_month(scenario: str) -> State:
    engine = table.begin(scenario, forces="sealed", land="sealed")
    up_to(engine, "transport", "japan")
    state: State = engine.state
    return state


class Phase:
    """A phase that is played with answers by kind of question; everything else is declined, statements are true."""

    def __init__(self, flow: Any, answers: dict[tuple[str, str], list[Plain]], stated: dict[str, Plain] | None = None) -> None:
        self.asked: list[Request] = []
        self.said: dict[str, Any] = {}
        self.given = {key: [*rows] for key, rows in answers.items()}
        answer: Any = None
        while True:
            try:
                request = flow.send(answer)
            except StopIteration:
                return
            self.asked.append(request)
            answer = self.answer(request, stated or {})

    def answer(self, request: Request, stated: dict[str, Plain]) -> Any:
        if isinstance(request, Claim):
            said = stated[request.kind] if request.kind in stated else request.truth(table.behind)
            self.said[f"{request.kind} {request.about}"] = said
            return said
        if isinstance(request, Roll):
            return (1,) * request.dice
        assert isinstance(request, Ask | Commit)
        kind = f"sealed {request.kind}" if isinstance(request, Commit) else request.kind
        waiting = self.given.get((request.seat, kind), [])
        if isinstance(request, Commit):
            return f"seal 1 {json.dumps(waiting.pop(0) if waiting else 'done')}"
        return request.read(waiting.pop(0) if waiting else list(request.options())[-1 if request.kind == "show" else 0])

    def claims(self) -> list[str]:
        return [r.kind for r in self.asked if isinstance(r, Claim)]


def in_secret(seat: str, question: str, kind: str, order: Plain) -> dict[tuple[str, str], list[Plain]]:
    """`secret` at the question, then this sealed order."""
    return {(seat, question): ["secret"], (seat, f"sealed {kind}"): [order]}


def truly(g: State, side: str, unit: str) -> Unit:
    return roster(g, side, table.behind)[unit]


def show(g: State, side: str, place: int) -> Phase:
    """The Force of a hex is shown."""
    return Phase(unveil_force(g, side, place, "PW-FOG-01"), {})


# -- strategic transport -----------------------------------------------------------------------------------------------


def ship(g: State, seat: str, order: Plain) -> Phase:
    return Phase(strategic_transport(g), in_secret(seat, "transport", "transport", order))


def test_a_unit_shipped_in_secret_is_where_its_owner_sent_it() -> None:
    g = position()
    ship(g, "japan", {"ship": {BOATS: 2432}})
    assert truly(g, "japan", BOATS).at == 2432
    assert g.units[BOATS].at == 1630, "everybody else has last seen it there"
    show(g, "japan", 2432)
    assert (g.units[BOATS].box, g.units[BOATS].at) == ("map", 2432)


def test_force_markers_stand_where_sealed_units_are_after_a_secret_order() -> None:
    g = position()
    g.ports[1134] = g.ports[1630]
    ship(g, "japan", {"ship": {"144th Regiment": 2432, "Kure Marines": 2533}})
    assert g.forces["japan"] == [1134, 1626, 1630, 2432, 2533]


@pytest.mark.parametrize(
    "order",
    [
        {"ship": {MARINES: 1134}},  # an enemy airfield
        {"ship": {"CV3 Yorktown": 722}},  # not crippled
        {"ship": {"1st Marine Regiment": 1426, "4th Regiment": 1426}},  # not in play
    ],
)
def test_a_secret_order_that_is_not_legal_changes_nothing(order: Plain) -> None:
    g = position()
    phase = ship(g, "allies", order)
    assert phase.said["lawful transport"] is False
    assert truly(g, "allies", MARINES).at == 135 and not g.in_secret.get("allies")


def test_the_lift_of_a_month_counts_open_and_secret_orders_together() -> None:
    g = position()
    show(g, "japan", 1630)
    g.units["144th Regiment"].box = "sealed"
    g.forces["japan"] = [1134, 1626, 1630, 2432]
    open_order: Plain = {"ship": {"25th Flotilla bombers": 2432}}  # six steps are a division: all of the month's lift
    answers = in_secret("japan", "transport", "transport", {"ship": {"144th Regiment": 2432}})
    answers["japan", "transport"] = [open_order, "secret"]
    assert Phase(strategic_transport(g), answers).said["lawful transport"] is False


def hidden_flyers(place: int) -> State:
    """Japanese fighters from Buin, hidden in another hex."""
    g = position()
    unit = g.units["Tainan air group"]
    unit.at = place
    g.forces["japan"] = sorted({*g.forces["japan"], place} - {1626})
    g.memo.forget()
    return g


def open_shipment(place: int) -> tuple[State, Phase]:
    g = hidden_flyers(place)
    show(g, "allies", 135)
    return g, Phase(strategic_transport(g), {("allies", "transport"): [{"ship": {MARINES: 722}}]})


def test_hidden_enemy_aircraft_close_a_sea_lane_by_statement() -> None:
    g, phase = open_shipment(922)
    assert phase.said["lane 0135 to 0722"] is False
    assert g.units[MARINES].at == 135 and g.units["Tainan air group"].box == "sealed", "where they are is not told"


def test_nobody_is_asked_about_a_lane_that_nothing_hidden_can_close() -> None:
    g, phase = open_shipment(1626)
    assert "lane" not in phase.claims() and g.units[MARINES].at == 722


@pytest.mark.parametrize(("place", "lawful"), [(922, False), (1626, True)])
def test_a_secret_shipment_is_judged_by_what_the_enemy_has_stated(place: int, lawful: bool) -> None:
    phase = ship(hidden_flyers(place), "allies", {"ship": {MARINES: 722}})
    assert phase.said["lawful transport"] is lawful
    assert ("lanes of allies" in phase.said) is not lawful


# -- replacements ------------------------------------------------------------------------------------------------------


def replace(g: State, seat: str, *rows: Plain) -> Phase:
    return Phase(replacements(g), in_secret(seat, "replacements", "replacements", {"orders": [*rows]}))


def test_steps_taken_in_secret_are_seen_when_the_unit_is_shown() -> None:
    g = position()
    replace(g, "allies", {"replace": {BOMBERS: 2}})
    assert truly(g, "allies", BOMBERS).hits == 0 and g.units[BOMBERS].hits == 2
    show(g, "allies", 135)
    assert g.units[BOMBERS].hits == 0


def test_steps_used_in_secret_are_not_spent_twice() -> None:
    g = position()
    replace(g, "allies", {"replace": {BOMBERS: 2}})
    assert whole(g, "allies", table.behind).pools["allies"] == {"air 0": 2, "air 1": 0, "ground us": 2}
    assert g.pools["allies"]["air 1"] == 2, "nobody else knows"
    show(g, "allies", 722)
    order: Plain = {"replace": {"19th Bomb Group": {"steps": 1, "level": 1}}}
    phase = Phase(replacements(g), {("allies", "replacements"): [order]})
    assert phase.said["pool 19th Bomb Group"] == {} and g.units["19th Bomb Group"].hits == 1


def test_an_open_order_takes_from_the_pool_that_has_steps_in_truth() -> None:
    g = position()
    replace(g, "allies", {"replace": {BOMBERS: {"steps": 1, "level": 0}}})
    show(g, "allies", 722)
    order: Plain = {"replace": {"19th Bomb Group": {"steps": 1, "level": 0}}}
    phase = Phase(replacements(g), {("allies", "replacements"): [order]})
    assert phase.said["pool 19th Bomb Group"] == {"pool": "air 0", "steps": 1}
    assert g.units["19th Bomb Group"].hits == 0 and g.pools["allies"]["air 0"] == 1


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ({"pool": "air 1", "steps": 1}, 0),  # the truth
        ({"pool": "air 1", "steps": 2}, 1),  # more than the order has
        ({"pool": "air 1", "steps": 0}, 1),
        ({"pool": "air 1", "steps": "one"}, 1),
        ({"pool": "air 2", "steps": 1}, 1),  # no pool of this side
        ({"pool": "air 1"}, 1),
    ],
)
def test_what_is_said_of_a_pool_stays_within_the_order_and_within_what_the_pool_can_have(said: Plain, left: int) -> None:
    g = position()
    replace(g, "allies", {"replace": {BOMBERS: {"steps": 1, "level": 1}}})
    show(g, "allies", 722)
    order: Plain = {"replace": {"19th Bomb Group": {"steps": 1, "level": 1}}}
    Phase(replacements(g), {("allies", "replacements"): [order]}, {"pool": said})
    assert g.units["19th Bomb Group"].hits == left


def test_more_steps_than_there_are_cannot_be_taken_in_secret() -> None:
    g = position()
    g.units["1st Marine Regiment"].hits = g.units["5th Marine Regiment"].hits = 2
    rows: list[Plain] = [{"replace": {"1st Marine Regiment": 2}}, {"replace": {"5th Marine Regiment": 1}}]
    assert replace(g, "allies", *rows).said["lawful replacements"] is False


def lose(g: State, unit: str) -> None:
    g.units[unit] = Unit(box="eliminated", hits=g.counter(unit).steps)
    g.memo.forget()


def test_a_unit_rebuilt_in_secret_enters_play_unseen() -> None:
    g = position()
    lose(g, "3rd Bomb Group")
    phase = replace(g, "allies", {"rebuild": {"3rd Bomb Group": {"at": 135, "steps": 2}}})
    assert phase.said["lawful replacements"] is True and g.units["3rd Bomb Group"].box == "eliminated"
    show(g, "allies", 135)
    shown = g.units["3rd Bomb Group"]
    assert (shown.box, shown.at, g.steps("3rd Bomb Group")) == ("map", 135, 2)


def test_a_unit_that_was_rebuilt_shown_and_lost_again_is_not_there() -> None:
    g = position()
    lose(g, "3rd Bomb Group")
    replace(g, "allies", {"rebuild": {"3rd Bomb Group": {"at": 135, "steps": 2}}})
    show(g, "allies", 135)
    since = g.units["3rd Bomb Group"].since
    lose(g, "3rd Bomb Group")
    g.units["3rd Bomb Group"].since = since
    assert "3rd Bomb Group" not in roster(g, "allies", table.behind)


def test_a_hidden_unit_is_not_rebuilt_openly_a_second_time() -> None:
    g = position()
    lose(g, "3rd Bomb Group")
    replace(g, "allies", {"rebuild": {"3rd Bomb Group": {"at": 722, "steps": 1}}})
    order: Plain = {"rebuild": {"3rd Bomb Group": {"at": 135, "steps": 1}}}
    phase = Phase(replacements(g), {("allies", "replacements"): [order]})
    assert phase.said["pool 3rd Bomb Group"] == {} and g.units["3rd Bomb Group"].box == "eliminated"


def test_units_in_sight_take_no_steps_in_secret() -> None:
    g = position()
    show(g, "allies", 135)
    assert replace(g, "allies", {"replace": {BOMBERS: 1}}).said["lawful replacements"] is False


# -- divisions ---------------------------------------------------------------------------------------------------------


def divided() -> tuple[State, str, str]:
    """A Japanese division at rest behind a Force marker has broken down in secret: a regiment stands beside it."""
    g = position("strategic-1941")
    sealed = [n for n, u in g.units.items() if u.box == "sealed" and u.at in g.forces["japan"]]
    division = next(n for n in sealed if is_parent(g.counter(n)) and free_children(g, n) and g.side(n) == "japan")
    child = free_children(g, division)[0]
    order: Plain = {"break_down": {division: {"units": [child], "at": g.units[division].at}}}
    assert replace(g, "japan", order).said["lawful replacements"] is True
    return g, division, child


def test_a_division_breaks_down_and_takes_its_parts_in_again_in_secret() -> None:
    g, division, child = divided()
    steps = g.counter(child).steps
    assert truly(g, "japan", division).hits == g.units[division].hits + steps
    assert truly(g, "japan", child).at == g.units[division].at
    assert child not in g.units or g.units[child].box != "map"
    replace(g, "japan", {"recombine": {division: [child]}})
    assert child not in roster(g, "japan", table.behind)
    assert truly(g, "japan", division).hits == g.units[division].hits


def test_a_part_of_a_division_does_not_stand_elsewhere() -> None:
    g, division, _ = divided()
    place = next(h for h in g.forces["japan"] if h != g.units[division].at)
    child = free_children(whole(g, "japan", table.behind), division)[0]
    order: Plain = {"break_down": {division: {"units": [child], "at": place}}}
    assert replace(g, "japan", order).said["lawful replacements"] is False


# -- ships -------------------------------------------------------------------------------------------------------------


def mend(g: State, seat: str, *rows: Plain) -> Phase:
    return Phase(naval_repair(g), in_secret(seat, "repairs", "repairs", {"orders": [*rows]}))


def damaged() -> State:
    """Two destroyer units in Noumea, one with hits; the cruisers have hits, and a yard that is not there."""
    g = position()
    g.units["DD8 Benham"] = Unit(135, "sealed", 2)
    g.units["DD5 Mahan"].hits = 1
    g.units["CA2 Chicago"].hits = 1
    return g


def test_destroyers_exchange_steps_in_secret() -> None:
    g = damaged()
    phase = mend(g, "allies", {"recombine": {"from": "DD8 Benham", "to": "DD5 Mahan", "steps": 1}})
    assert phase.said["lawful repairs"] is True
    assert (truly(g, "allies", "DD8 Benham").hits, truly(g, "allies", "DD5 Mahan").hits) == (3, 0)


def test_an_emptied_ship_is_gone() -> None:
    g = damaged()
    g.units["DD5 Mahan"].hits, g.units["DD8 Benham"].hits = 4, 4
    mend(g, "allies", {"recombine": {"from": "DD8 Benham", "to": "DD5 Mahan", "steps": 2}})
    assert "DD8 Benham" not in roster(g, "allies", table.behind)
    assert "DD8 Benham" not in whole(g, "allies", table.behind).ships("allies", 135)


def test_a_ship_outside_a_yard_is_not_mended_in_secret() -> None:
    assert mend(damaged(), "allies", {"repair": "CA2 Chicago"}).said["lawful repairs"] is False


def test_a_ship_in_a_yard_is_mended_in_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(repair.YARDS, 135, 1)
    g = damaged()
    mend(g, "allies", {"repair": "CA2 Chicago"})
    assert truly(g, "allies", "CA2 Chicago").hits == 0 and g.units["CA2 Chicago"].hits == 1


# -- reinforcements ----------------------------------------------------------------------------------------------------


def arriving(place: Plain) -> tuple[State, Phase]:
    """The next month; the Allies have a second headquarters, and North Carolina is due."""
    g = position()
    g.month = 35
    g.hqs["Townsville"] = Headquarters("allies", 722, 20, 2, points=0)
    g.memo.forget()
    answers: dict[tuple[str, str], list[Plain]] = {
        ("allies", "arrive"): [place],
        ("allies", "sealed arrive"): [{"arrive": 722}],
    }
    return g, Phase(reinforcements(g), answers)


def test_a_reinforcement_comes_unseen_to_one_of_the_hexes() -> None:
    g, phase = arriving({"arrive": "secret"})
    assert phase.said["lawful arrive"] is True
    assert g.units["BB12 North Carolina"].box == "sealed" and truly(g, "allies", "BB12 North Carolina").at == 722
    show(g, "allies", 722)
    assert (g.units["BB12 North Carolina"].box, g.units["BB12 North Carolina"].at) == ("map", 722)


def test_a_reinforcement_without_room_anywhere_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(seen: State, unit: str, place: int) -> None:
        raise illegal(f"{place:04d} is full", "PW-MOV-05")

    monkeypatch.setattr(arrivals, "_check_secret_arrival", full)
    g, phase = arriving({"arrive": "secret"})
    assert phase.said["room BB12 North Carolina"] is False and g.units["BB12 North Carolina"].box == "due"


def test_a_reinforcement_comes_in_sight() -> None:
    g, _ = arriving({"arrive": 135})
    assert (g.units["BB12 North Carolina"].box, g.units["BB12 North Carolina"].at) == ("map", 135)


# -- isolation ---------------------------------------------------------------------------------------------------------


def test_an_isolated_force_is_shown_and_loses_steps() -> None:
    g = hidden_flyers(1040)
    phase = Phase(isolation(g), {})
    assert list(phase.said) == ["force 1040"]
    assert g.units["Tainan air group"].box == "map" and g.units["Tainan air group"].hits == 1
    assert 1040 not in g.forces["japan"] and 1630 in g.forces["japan"]


# -- what stands in the way ------------------------------------------------------------------------------------------------


def routes(place: int) -> tuple[State, Phase]:
    """The Allies want an air transport route from Noumea to Moresby; Japanese fighters are hidden in this hex."""
    g = hidden_flyers(place)
    order: Plain = {"link": {"from": 722, "to": 1426}}
    return g, Phase(emergency_links(g, "allies"), {("allies", "links"): [order]})


def test_hidden_fighters_close_an_air_transport_route() -> None:
    g, phase = routes(1528)
    assert phase.said["fighters 1426"] is True and not g.express


def test_hidden_fighters_out_of_range_close_nothing() -> None:
    g, phase = routes(1626)
    assert "fighters" not in phase.claims() and g.express


def test_the_counter_of_a_hidden_unit_takes_no_other_units_place() -> None:
    """The 3rd Bomb Group, level 1, is hidden anew: an untrained unit of its kind does not become it."""
    g = position()
    lose(g, "3rd Bomb Group")
    replace(g, "allies", {"rebuild": {"3rd Bomb Group": {"at": 135, "steps": 2}}})
    show(g, "allies", 1426)
    g.board = deepcopy(g.board)
    kind = g.board.counters["3rd Bomb Group"]
    g.board.counters["Port Moresby fighters"] = changed(kind, id="Port Moresby fighters", level=0)
    phase = Phase(exchange(g, "Port Moresby fighters", 1, "PW-RPL-07"), {})
    assert phase.said["spare 3rd Bomb Group"] is False and g.units["Port Moresby fighters"].box == "map"


def test_an_engineer_is_shown_before_he_repairs() -> None:
    g = position()
    g.hqs["South Pacific"].points, g.ports[135].hits = 30, 1
    order: Plain = {"repair": {"at": 135, "hq": "South Pacific"}}
    answers: dict[tuple[str, str], list[Plain]] = {("allies", "show"): [{"show": "0135"}], ("allies", "engineering"): [order]}
    phase = Phase(engineering(g), answers)
    assert g.units["1st Marine Engineers"].box == "map" and "force 0135" in phase.said
    assert g.ports[135].hits == 0


def test_hidden_troops_are_shown_before_they_demolish() -> None:
    g = position()
    answers: dict[tuple[str, str], list[Plain]] = {
        ("allies", "show"): [{"show": "1426"}],
        ("allies", "demolition"): [{"demolish": {"30th Brigade": "port"}}],
    }
    phase = Phase(demolition(g), answers)
    assert "force 1426" in phase.said and g.ports[1426].interdicted


def test_hidden_enemies_are_shown_before_anything_is_built() -> None:
    g = position()
    show(g, "allies", 135)
    g.hqs["South Pacific"].points = 30
    g.units["1st Marine Engineers"].at = 922
    g.airfields.pop(922, None)
    g.units["CA1 Aoba"].tf, g.markers["J1"] = "J1", Marker("japan", 922, handle="seal 1 {}")
    g.memo.forget()
    order: Plain = {"build": {"what": "airfield", "at": 922, "hq": "South Pacific"}}
    phase = Phase(engineering(g), {("allies", "engineering"): [order]})
    assert phase.said["contents J1"] == {"core": ["CA1 Aoba"], "screen": []}
    assert g.units["CA1 Aoba"].box == "map" and not g.works


# -- nothing leaks ---------------------------------------------------------------------------------------------------------


def seen_by_all(order: Plain, rows: list[Plain]) -> tuple[list[Any], list[Any]]:
    """What everybody sees of two phases with this shipment and these replacements, the same statements made each time."""
    stated: dict[str, Plain] = {"lawful": True, "forces": [1134, 1626, 1630, 2432], "cover": {}}
    g = position()
    first = Phase(strategic_transport(g), in_secret("japan", "transport", "transport", order), stated)
    second = Phase(replacements(g), in_secret("japan", "replacements", "replacements", {"orders": rows}), stated)
    for secret in g.in_secret["japan"]:
        secret.handle = "sealed"
    return [outline(r) for r in (*first.asked, *second.asked)], [str(e) for e in g.events if "seal 1" not in str(e)]


def outline(request: Request) -> tuple[object, ...]:
    """What a request shows: for a question what it proposes too."""
    offered = list(request.options()) if isinstance(request, Ask | Commit) else []
    return type(request), getattr(request, "kind", ""), getattr(request, "prompt", ""), offered


def test_what_is_asked_and_told_does_not_depend_on_what_was_sealed() -> None:
    one = seen_by_all({"ship": {BOATS: 2432}}, [{"replace": {"144th Regiment": 1}}])
    other = seen_by_all({"ship": {"25th Flotilla bombers": 2432, "Kure Marines": 2533}}, [{"repair": "CA1 Aoba"}])
    assert one == other


# -- over signed files -------------------------------------------------------------------------------------------------


def covertly(ask: Ask | Commit, dice: random.Random) -> Plain:
    """In secret, whatever can be done in secret; nothing else."""
    options = list(ask.options())
    if isinstance(ask, Commit):
        return next((o for o in options if o != "done"), options[0])
    return "secret" if "secret" in options else hidden_play.passive(ask, dice)


def months(most: int, to_seal: dict[str, Plain] | None = None, show: str = "") -> list[Person]:
    """Guadalcanal over signed files, everything in secret; `to_seal`: what the Allies seal, whatever it is, by kind;
    `show`: a Force that they show before they build."""
    party = hidden_play.two_people("guadalcanal", forces="sealed", land="sealed")
    left = dict(to_seal or {})

    def choose(ask: Ask | Commit, dice: random.Random) -> Plain:
        wanted: Plain = {"show": show}
        return wanted if show and wanted in list(ask.options()) and ask.rule == "PW-ENG-01" else covertly(ask, dice)

    for _ in range(most):
        writer = next(p for p in party if p.name == party[0].table.due.player)
        request = writer.table.engine.request
        if isinstance(request, Commit) and request.seat == "allies" and request.kind in left:
            with sealing_anything():
                send(party, Draft(orders=[{"seal": left.pop(request.kind), "seat": "allies"}], standing={"show": "ask me"}))
        else:
            send(party, hidden_play.decide(writer, random.Random(0), choose))
    assert not left, "everything was sealed"
    return party


def orders_given(party: list[Person]) -> list[str]:
    g = party[0].table.engine.state
    return [s.kind for rows in g.in_secret.values() for s in rows if s.handle]


def test_a_month_in_secret_passes_the_audit() -> None:
    party = months(25)
    assert {"transport", "repairs", "replacements"} <= set(orders_given(party))
    assert audited(party) is None


STEPS: dict[str, Plain] = {"replacements": {"orders": [{"replace": {BOMBERS: 2}}]}}


def test_steps_given_in_secret_are_shown_and_pass_the_audit() -> None:
    party = months(25, STEPS, show="0135")
    unit = party[0].table.engine.state.units[BOMBERS]
    assert (unit.box, unit.hits) == ("map", 0)
    assert audited(party) is None


@pytest.mark.parametrize(
    ("kind", "order"),
    [
        ("transport", {"ship": {MARINES: 1134}}),
        ("replacements", {"orders": [{"replace": {BOMBERS: 2}}, {"replace": {BOMBERS: 2}}]}),
        ("replacements", {"orders": [{"rebuild": {"3rd Bomb Group": {"at": 135, "steps": 6}}}]}),
    ],
)
def test_a_secret_order_stated_to_be_legal_that_is_not(kind: str, order: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "nowak", lawful=lambda claim, truth: True)
    named(months(25, {kind: order}), "nowak", "lawful")


def test_an_honest_program_states_that_its_order_was_not_legal() -> None:
    party = months(25, {"transport": {"ship": {MARINES: 1134}}})
    assert next(c.value for c in party[0].table.ledger.claims if c.kind == "lawful" and c.player == "nowak") is False
    assert audited(party) is None


def test_a_unit_shown_with_other_hits_than_its_secret_orders_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    def unchanged(claim: Claim, truth: Any) -> Plain:
        return {**truth, "units": {**truth["units"], BOMBERS: {}}}

    lies(monkeypatch, "nowak", force=unchanged)
    party = months(25, STEPS, show="0135")
    assert party[0].table.engine.state.units[BOMBERS].hits == 2
    named(party, "nowak", "force")


def test_a_lane_that_is_said_to_be_closed_without_anybody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "yamada", lanes=lambda claim, truth: [])
    named(months(25), "yamada", "lanes")
