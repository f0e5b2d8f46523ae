"""Approach and movement of Pacific War planned over signed files, and the facts that plans and holds name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.planning import FARTHEST, SECRET, PlanFacts
from pbem.games.pacific_war.records import Operation
from pbem.games.pacific_war.sea.courses import _ahead
from pbem.games.pacific_war.sea.movement import place_of
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.wording import english
from pbem.protocol import strict_yaml
from pbem.report.planning import steps_told
from pbem.runtime.behind import behind
from pbem.runtime.composing import Draft
from pbem.runtime.desk import Desk
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.taking import Refused
from tests.mails.counting import Player, Stretch, drafted, two_bots
from tests.mails.stretches import STRETCHES, WAR, WAYS
from tests.toygame.party import send

(CORAL,) = (s for s in STRETCHES if s.scenario == "coral-sea")
MOST = 80  # files


def due(party: list[Player]) -> Player:
    return next(p for p in party if p.name == party[0].table.due.player)


def asked(party: list[Player]) -> str:
    request = party[0].table.engine.request
    return request.kind if isinstance(request, Ask) and party[0].table.due.what not in AUTOMATIC else ""


def approaching() -> tuple[list[Player], list[Plain]]:
    """Bots play the Coral Sea until ships are asked for their next hex, and two hexes that they may sail through."""
    party = two_bots(CORAL, 0)
    standing = {**WAYS["careful"](WAR), "contact": "ask me"}
    given: set[str] = set()
    for _ in range(MOST):
        if asked(party) == "contact":
            request = party[0].table.engine.request
            assert isinstance(request, Ask)
            ways = [order for order in request.options() if isinstance(order, dict) and "sail" in order]
            if ways:
                return party, ways
        writer = due(party)
        automatic = party[0].table.due.what in AUTOMATIC
        send([*party], Draft() if automatic else drafted(writer, {} if writer.name in given else standing))
        given |= set() if automatic else {writer.name}
    raise AssertionError("no ships approach")


def fired(party: list[Player]) -> list[tuple[str, Plain]]:
    return [
        (f.by, f.order) for f in party[0].table.ledger.fired if f.kind == "contact" and f.by in ("plan", "passed", "stopped")
    ]


def go_on(party: list[Player], mover: str) -> None:
    """Programs answer, and the other side by hand, until the mover has to decide."""
    for _ in range(MOST):
        if party[0].table.due.what in AUTOMATIC:
            send([*party], Draft())
        elif due(party).name != mover:
            send([*party], drafted(due(party), {}))
        else:
            return
    raise AssertionError("he is never asked")


def test_an_approach_of_several_hexes_is_one_file_by_hand() -> None:
    """The bot's side alone is asked between the hexes, whether it searches or stops; the mover's plan goes on."""
    party, ways = approaching()
    mover = due(party).name
    send([*party], Draft([ways[0]], plan=[{"at": "contact", "do": ["end"]}]))
    at = len(party[0].log)
    go_on(party, mover)
    assert fired(party) == [("plan", "end")] and asked(party) != "contact"
    assert not any(d["player"] == mover and d.get("orders") for d in party[0].log[at:])


@pytest.mark.parametrize("otherwise", ["ask", "drop"])
def test_a_hex_that_cannot_be_reached_is_told_and_nobody_sails_elsewhere(otherwise: str) -> None:
    party, ways = approaching()
    mover = due(party).name
    order = ways[0]
    assert isinstance(order, dict) and isinstance(order["sail"], dict)
    away: Plain = {"sail": dict.fromkeys(order["sail"], "0722")}
    send([*party], Draft([order], plan=[{"at": "contact", "do": [away, "end"], "else": otherwise}]))
    places = {m: x.at for m, x in party[0].table.engine.state.markers.items() if m in order["sail"]}
    go_on(party, mover)
    ended = [("passed", away), ("plan", "end")] if otherwise == "drop" else [("stopped", away)]
    assert fired(party) == ended and (asked(party) == "contact") == (otherwise == "ask")
    now = party[0].table.engine.state.markers
    assert all(m not in now or now[m].at == at for m, at in places.items())


def test_what_is_hidden_on_the_board_is_not_planned_for_and_a_plan_ends_with_its_cycle() -> None:
    party, ways = approaching()
    for at in ("muster", "length", "task forces", "sealed organize"):
        with pytest.raises(Refused, match="no question that can be planned for"):
            due(party).write(Draft([ways[0]], plan=[{"at": at, "do": [{"bid": 3}]}]))
    state = party[0].table.engine.state
    before = GAME.stretch(state)
    state.cycle += 1
    assert GAME.stretch(state) != before


def test_cycles_behind_a_plan_are_counted_within_its_operation_and_its_bids_are_those_behind_it() -> None:
    g = at_start("guadalcanal")
    g.operation, g.cycle = Operation("South Seas", 12, 3, 14), 2
    written = GAME.stretch(g)
    counted = [GAME.stretches_since(g, written)]
    g.cycle = 5
    counted.append(GAME.stretches_since(g, written))
    g.operation = None
    counted.append(GAME.stretches_since(g, written))
    between = GAME.stretch(g)
    g.operation, g.cycle = Operation("South Seas", 12, 9, 14), 6
    counted += [GAME.stretches_since(g, written), GAME.stretches_since(g, between)]
    g.operation, g.month = None, g.month - 1
    counted += [GAME.stretches_since(g, written), GAME.stretches_since(g, between)]
    assert counted == [0, 3, 0, None, None, None, None]


def test_a_plan_made_between_operations_goes_on_in_the_one_that_begins_that_day_and_in_no_other() -> None:
    g = at_start("guadalcanal")
    g.operation, g.cycle, g.day = None, 5, 9
    between = GAME.stretch(g)
    counted = [GAME.stretches_since(g, between)]
    for cycle in (0, 1, 4):
        g.operation, g.cycle = Operation("South Seas", 12, 9, 14), cycle
        counted.append(GAME.stretches_since(g, between))
    g.operation, g.day = None, 11
    counted.append(GAME.stretches_since(g, between))
    g.operation = Operation("South Seas", 12, 11, 14)
    counted.append(GAME.stretches_since(g, between))
    g.operation, g.day, g.month = None, 9, g.month - 1
    counted.append(GAME.stretches_since(g, between))
    assert counted == [0, 1, 2, 5, None, None, None]


def test_a_plan_of_the_day_after_is_carried_out_that_day_and_a_strike_waits_for_what_is_found() -> None:
    """Where nobody was found the strike is left out, and what stands behind it holds."""
    party, _ = approaching()
    mover = due(party)
    seat = mover.seats[0]
    strike: Plain = {"mission": {"strike": 1426, "units": []}}
    days: tuple[Plain, ...] = (1, 2)
    plan: list[Plain] = [
        *({"at": "first", "later": day, "do": [{"first": "land"}]} for day in days),
        *({"at": "land", "later": day, "do": ["done"], "else": "drop"} for day in days),
        *({"at": "sail", "later": day, "do": ["stay"]} for day in days),
        {"at": "mission", "later": 2, "when": "found within 20 of 1426 > 99", "do": [strike]},
        {"at": "mission", "later": 2, "do": ["pass"]},
    ]
    send([*party], Draft(["end"], plan=plan))
    for _ in range(MOST):
        state = party[0].table.engine.state
        if state.cycle > 2:
            break
        writer = due(party)
        assert writer is not mover or asked(party) not in ("first", "land", "sail", "mission")
        send([*party], Draft() if party[0].table.due.what in AUTOMATIC else drafted(writer, {}))
    told = [(f.by, f.kind) for f in party[0].table.ledger.fired if f.seat == seat and f.by in ("plan", "passed")]
    assert [by for by, kind in told if kind == "sail"] == ["plan"] * 2
    assert [by for by, kind in told if kind == "mission"] == ["passed", "plan"]


LONG = [s for s in STRETCHES if s.scenario == "guadalcanal"]


@pytest.mark.parametrize("stretch", LONG, ids=lambda s: s.what)
def test_what_a_plan_may_say_are_orders_of_its_question(stretch: Stretch) -> None:
    """Of the questions that bots are asked in the beginning."""
    seen: set[str] = set()
    asks: list[Ask] = []
    party = two_bots(stretch, 0)
    for _ in range(40):
        request = party[0].table.engine.request
        asks += request.asks if isinstance(request, Simultaneous) else [request] if isinstance(request, Ask) else []
        send([*party], Draft() if party[0].table.due.what in AUTOMATIC else drafted(due(party), {}))
    for ask in asks:
        if ask.kind in GAME.plannable:
            secret = {SECRET} - {*ask.verbs}  # where nothing of his is hidden
            assert {*GAME.plannable[ask.kind]} - secret <= {*ask.verbs}, ask.kind
            seen.add(ask.kind)
    assert len(seen) > 4


# -- facts ------------------------------------------------------------------------------------------------------------


def at_start(scenario: str, **options: str) -> State:
    stretch = next(s for s in STRETCHES if s.scenario == scenario and s.options == options)
    state = two_bots(stretch, 0)[0].table.engine.state
    assert isinstance(state, State)
    return state


def test_facts_count_whom_everybody_sees_by_distance() -> None:
    g = at_start("guadalcanal")
    facts: Mapping[str, Any] = PlanFacts(g, "allies")
    (noumea,) = [h.number for h in g.board.listed.values() if h.name == "Noumea"]
    near = [int(facts[f"own-within-{n}-of-noumea"]) for n in range(FARTHEST + 1)]
    assert near == sorted(near) and near[0] == facts["own-at-Noumea"] == facts[f"own-at-{noumea:04d}"] > 0
    assert [PlanFacts(g, "japan")[f"enemy-within-{n}-of-noumea"] for n in range(FARTHEST + 1)] == near
    assert facts["holder-of-noumea"] == "allies" and facts["month"] == g.month and facts["operator"] == "nobody"
    for unknown in ("own-within-21-of-noumea", "own-at-nowhere", "hits-of-noumea", "own-within-007-of-noumea", "own-at-9999"):
        with pytest.raises(KeyError):
            facts[unknown]
    assert len(facts) == len([*facts]) and all(name in facts for name in list(facts)[:400])


def test_what_is_sealed_changes_no_fact() -> None:
    g = at_start("guadalcanal", forces="sealed", land="sealed", points="sealed")
    sealed = [u for u in g.units.values() if u.box == "sealed"]
    assert sealed
    names = [name for name in PlanFacts(g, "japan") if "noumea" in name or "truk" in name or "rabaul" in name]
    before = [PlanFacts(g, "japan")[name] for name in names]
    for unit in sealed:
        unit.at = 1630
    g.forget()
    assert [PlanFacts(g, "japan")[name] for name in names] == before


# -- standing orders of the usual set -------------------------------------------------------------------------------------


def test_fire_that_is_spread_goes_at_as_many_as_there_are() -> None:
    """[PW-NAV-03] Each ship fires with all it has, and no two at one while somebody else is there."""
    from tests.mails.counting import count

    (savo,) = (s for s in STRETCHES if s.scenario == "savo-island")
    assert count(savo, 0, WAYS["usual"](WAR)).fired["fire 1"] > 0
    party = two_bots(savo, 0)
    for _ in range(MOST):
        if asked(party) == "fire":
            break
        send([*party], Draft() if party[0].table.due.what in AUTOMATIC else drafted(due(party), {}))
    request = party[0].table.engine.request
    assert isinstance(request, Ask)
    order: Any = request.policy("spread")
    request.read(order)
    aims = [aim["at"] for aim in order["fire"].values()]
    assert len(aims) == len({*aims}) > 1


def test_a_step_for_another_cycle_is_told_with_its_number() -> None:
    plan: list[Plain] = [
        {"at": "mission", "later": 2, "do": ["pass"]},
        {"at": "operation-bid", "later": 1, "sealed": "ab" * 32},
        {"at": "sail", "do": ["stay"]},
    ]
    told = [english(line) for line in steps_told(plan, GAME.words(), lambda word: None)]
    assert told == [
        "then, an air mission, or none (2 approaches or battle cycles later): pass",
        "then, bid for the operation (1 approach or battle cycle later): sealed",
        "then, movement of task forces: stay",
    ]


def test_a_course_is_one_order_for_each_of_its_hexes() -> None:
    assert GAME.legs(at_start("coral-sea"), {"sail": {"J1": [1531, "1431"], "J2": 1531}}) == [
        {"sail": {"J1": 1531, "J2": 1531}},
        {"sail": {"J1": "1431"}},
    ]
    none: Plain = {"sail": {"J1": []}}
    others: list[Plain] = [{"sail": {"J1": 1531}}, none, {"sail": "J1 1531"}, "end", {"mission": {"strike": [1, 2]}}, 7]
    for order in others:
        assert GAME.legs(at_start("coral-sea"), order) == [order]


def test_a_course_may_be_written_in_one_where_nobody_can_come_between() -> None:
    party, ways = approaching()
    state, request = party[0].table.engine.state, party[0].table.engine.request
    assert isinstance(request, Ask) and isinstance(ways[0], dict) and isinstance(ways[0]["sail"], dict)
    ((who, first),) = [*ways[0]["sail"].items()][:1]
    assert GAME.typed(state, request, {"sail": {who: [first, first]}}) == [{"sail": {who: first}}] * 2


def test_an_approach_written_in_one_is_offered_as_its_first_hex_and_a_plan() -> None:
    """[PW-MOV-09] Behind each hex both sides search: by its last hex alone the whole way is one file."""
    party, ways = approaching()
    writer = due(party)
    g = writer.table.engine.state
    ((who, first),) = [*ways[0]["sail"].items()][:1]  # type: ignore[index, call-overload, union-attr]
    line = [place_of(g, who), first]
    while len(line) < 4:
        line.append(_ahead(g.board, line[-2], line[-1]))
    text = strict_yaml.write_document({"orders": [{"sail": {who: line[-1]}}, "end"]})
    desk = Desk(writer.table, writer.secrets(), writer.fetch, writer.salt, text)
    found = behind(desk)
    assert found is not None and found.parted == (0, tuple({"sail": {who: at}} for at in line[1:]))
    assert (found.first, found.count, found.rest) == (1, 3, 3)
    assert found.steps == ({"at": "contact", "do": [{"sail": {who: line[2]}}, {"sail": {who: line[3]}}, "end"]},)
    assert found.steps[0].keys() == {"at", "do"}
