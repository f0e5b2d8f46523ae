"""A power's whole turn in one file: what follows the battles is planned, and carried out by what they brought."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.planning import PlanFacts
from pbem.kernel.canon import Plain
from pbem.kernel.standing import holds
from pbem.kernel.wording import english
from pbem.report import story
from pbem.report.steps import history
from pbem.runtime import planned
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from pbem.store.library import load_scenario
from tests.axis_and_allies_pacific.table import empty, put
from tests.toygame.party import Person, found_game, send

STANDING: dict[str, Plain] = {"casualties": "cheapest first", "battle": "any", "retreat": "press"}
ATTACK: list[Plain] = [
    {"buy": "4 infantry, 1 transport"},
    "done",
    {"move": "3 infantry, 1 artillery from Kwangsi to Yunnan"},
    "done",
]
JEHOL: Plain = {"move": "1 infantry from Manchuria to Jehol"}
PLACE: Plain = {"at": "mobilize", "do": [{"place": "4 infantry in Japan"}, {"place": "1 transport in SZ 6"}]}
BOTH: list[Plain] = [
    {"at": "noncombat-move", "when": "yunnan-fell and own-infantry-at-yunnan > 0", "do": [JEHOL, "done"]},
    {"at": "noncombat-move", "do": ["done"]},
    PLACE,
]


def attacked(plan: list[Plain], note: str = "") -> list[Person]:
    """Japan buys and marches into Yunnan; nowak's program has to turn the dice."""
    party = [Person("yamada", ["japan"]), Person("nowak", [seat for seat in GAME.seats if seat != "japan"])]
    found_game(GAME, party, {o.name: o.choices[0] for o in GAME.options}, load_scenario(GAME, "spring-1940"))
    send(party, Draft(orders=ATTACK, standing=STANDING, plan=plan, note=[note]))
    assert (party[0].table.due.player, party[0].table.due.what) == ("nowak", "witness")
    return party


def fought(plan: list[Plain], falls: bool) -> list[Person]:
    """The same after battles that bring Yunnan to Japan, or do not."""
    for n in range(60):
        party = attacked(plan, str(n))
        send(party, Draft(standing={"casualties": "cheapest first"}))
        while party[0].table.due.what in ("witness", "open"):
            send(party, Draft())
        if (party[0].table.engine.state.control["yunnan"] == "japan") == falls:
            return party
    raise AssertionError("no such battle")


def by_plan(party: list[Person]) -> list[tuple[str, int]]:
    return [(f.by, f.clause) for f in party[0].table.ledger.fired if f.by in ("plan", "passed", "stopped")]


@pytest.mark.parametrize("falls", [True, False])
def test_a_whole_turn_is_one_file_by_hand(falls: bool) -> None:
    party = fought(BOTH, falls)
    g = party[0].table.engine.state
    assert (g.power, party[0].table.due.player) == ("united-states", "nowak"), "Japan's turn is over"
    assert sum(bool(d.get("orders")) for d in party[0].log[1:]) == 1
    step = [("plan", 1)] * 2 if falls else [("passed", 1), ("plan", 2)]
    assert by_plan(party) == [*step, ("plan", 3), ("plan", 3)]
    assert not g.purchased["japan"].get("transport")


def test_an_order_that_is_illegal_when_it_is_due_is_asked_for_and_the_rest_waits() -> None:
    lost: Plain = {"move": "9 infantry from Yunnan to Kwangsi"}
    party = fought([{"at": "noncombat-move", "do": [lost, "done"]}, PLACE], True)
    table = party[0].table
    assert (table.due.player, table.due.what) == ("yamada", "orders") and by_plan(party) == [("stopped", 1)]
    assert table.engine.request.kind == "noncombat-move" and planned.in_force(table, "yamada") is None  # type: ignore[union-attr]
    send(party, Draft(orders=["done"]))
    assert party[0].table.engine.request.kind == "mobilize", "the plan is over as a whole"  # type: ignore[union-attr]


def test_what_is_to_be_dropped_is_left_out_and_the_rest_goes_on() -> None:
    lost: Plain = {"move": "9 infantry from Yunnan to Kwangsi"}
    party = fought([{"at": "noncombat-move", "do": [lost, "done"], "else": "drop"}, PLACE], True)
    assert by_plan(party) == [("passed", 1), ("plan", 1), ("plan", 2), ("plan", 2)]
    assert party[0].table.due.player == "nowak"


def test_sealed_steps_cost_one_file_of_the_own_program() -> None:
    party = attacked([{**step, "sealed": True} for step in BOTH if isinstance(step, dict)])
    assert all(sorted(step) == ["at", "sealed"] for step in party[0].log[1]["plan"])
    files = []
    while party[0].table.due.what in ("witness", "open"):
        draft = Draft(standing={"casualties": "cheapest first"}) if not files else Draft()
        files.append((party[0].table.due.player, party[0].table.due.what))
        send(party, draft)
    assert files == [("nowak", "witness"), ("yamada", "open")]
    assert party[0].table.engine.state.power == "united-states"
    opened = [o["order"] for o in party[0].log[-1]["open"]]
    assert {"do": PLACE["do"]} in opened  # type: ignore[index, call-overload]


def test_the_plan_of_a_round_says_nothing_in_the_next() -> None:
    party = fought([{"at": "noncombat-move", "when": "round = 2", "do": ["done"]}, PLACE], True)
    assert by_plan(party) == [("passed", 1)]
    table = party[0].table
    assert GAME.stretch(table.engine.state) == 1 and planned.in_force(table, "yamada") is not None
    table.engine.state.round = 2
    assert planned.in_force(table, "yamada") is None


def test_one_player_plans_for_the_turns_of_his_other_powers() -> None:
    """China's purchase stands in the plan of the United States' file, and waits for China's turn."""
    party = fought(BOTH, True)
    steps: list[Plain] = [
        {"at": "purchase", "seat": "china", "do": [{"buy": "1 infantry"}, "done"]},
        {"at": "combat-move", "seat": "china", "do": ["done"]},
        {"at": "noncombat-move", "seat": "china", "do": ["done"]},
    ]
    composed = party[1].write(Draft(orders=["done"] * 3, plan=steps))
    fired = [(f.seat, f.by) for f in composed.table.ledger.fired if f.file == composed.document["seq"]]
    assert fired == [("china", "plan")] * 4 and composed.table.engine.request.kind == "mobilize"  # type: ignore[union-attr]


def test_the_report_tells_each_answer_with_its_step_and_what_did_not_apply() -> None:
    lost: Plain = {"move": "9 infantry from Yunnan to Kwangsi"}
    steps: list[Plain] = [
        {"at": "noncombat-move", "when": "round = 2", "do": ["done"]},
        {"at": "noncombat-move", "do": [JEHOL, lost, "done"], "else": "drop"},
        {"at": "mobilize", "do": [{"place": "1 transport in SZ 1"}]},
    ]
    party = fought(steps, True)
    files = party[0].log[1:]
    table = Table.start(party[0].table.charter, GAME, load_scenario(GAME, "spring-1940"))
    played = list(history(table, files, party[0].fetch))
    view = story.report(GAME.words(), played, played[-1].taken.table, party[0].fetch)
    told = [f"{english(f.order)}: {english(f.why)}" for f in view.fired if f.planned]
    assert told[0] == "done: plan of file 1, step 1: left out, not so: round = 2"
    assert told[1] == "move: 1 infantry from Manchuria to Jehol: plan of file 1, step 2"
    assert told[2].startswith("move: 9 infantry from Yunnan to Kwangsi: plan of file 1, step 2: left out, not allowed here (")
    assert told[4].startswith("place: 1 transport in sea zone 1: plan of file 1, step 3: not allowed here (")
    assert told[4].endswith("); the plan ends there and its owner is asked") and len(told) == 5
    assert [english(line) for line in view.files[0].beside][-1].startswith("Plan: then, where new units are placed: place: ")


# -- facts ------------------------------------------------------------------------------------------------------------


def test_facts_are_public_and_counted_when_they_are_named() -> None:
    g = empty()
    put(g, "japan", "yunnan", "infantry", 2)
    put(g, "china", "yunnan", "artillery")
    put(g, "japan", "sz-6", "transport")
    g.control["yunnan"] = "japan"
    g.start.control = {**g.control, "yunnan": "china"}
    facts: Any = PlanFacts(g, "japan")
    true = [
        "yunnan held by = japan",
        "yunnan fell and not kwangsi fell",
        "own at yunnan = 2 and own infantry at yunnan = 2 and own tank at yunnan = 0",
        "enemy at yunnan = 1 and enemy artillery at yunnan = 1 and enemy at sz-6 = 0",
        "own-transport-at-sz-6 >= 1",
        "round in [1, 2]",
        "yunnan-held-by in [japan, china]",
    ]
    assert [when for when in true if not holds(when, facts)] == []
    assert holds("own at yunnan = 1 and enemy at yunnan = 2", PlanFacts(g, "china"))
    assert holds("enemy at yunnan = 2", PlanFacts(g, "anzac"))
    assert not any(
        name in facts for name in ("tokyo-fell", "own-at-nowhere", "own-boats-at-yunnan", "sz-6-fell", "ownat-yunnan")
    )
    assert len(facts) == len(set(facts)) and all(name in facts for name in facts) and "own-infantry-at-sz-6" in set(facts)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"at": "noncombat-move", "when": "yunan-fell", "do": ["done"]}, "did you mean yunnan-fell"),
        ({"at": "noncombat-move", "do": [{"assault": "1 infantry from SZ 20 to Kwangtung"}]}, "no order there"),
        ({"at": "casualties", "do": ["cheapest first"]}, "no question that can be planned for"),
        ({"at": "mobilize", "seat": "china", "do": ["done"]}, "does not play 'china'"),
    ],
    ids=str,
)
def test_what_cannot_be_planned_is_refused_when_it_is_written(step: Plain, why: str) -> None:
    with pytest.raises(Refused, match=why):
        attacked([step])
