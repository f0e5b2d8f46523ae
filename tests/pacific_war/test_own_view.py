"""[PW-FOG-01] What both players see of sealed forces: the public picture, and what their owner alone is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.games.pacific_war import picture
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.records import Operation, Secret
from pbem.games.pacific_war.secret import fleets
from pbem.games.pacific_war.state import NOBODY, State
from pbem.games.pacific_war.veils import OrderedInSecret
from pbem.games.pacific_war.words import wording
from pbem.games.pacific_war.words.consequences import consequences
from pbem.games.pacific_war.words.holdings import holdings
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import Rejected
from pbem.kernel.standing import answer, read_clauses
from pbem.kernel.wording import Message, english
from pbem.report.languages import language
from pbem.report.story import hidden_told
from tests.commands import inside, must
from tests.pacific_war import table
from tests.pacific_war.test_folders import founded
from tests.pacific_war.test_sealing import FIRST, at_rabaul, up_to

ENGLISH = language("en", (wording.CATALOGUE,))
OPTIONS: dict[str, Any] = {"forces": "sealed", "land": "sealed"}


@pytest.fixture
def state() -> State:
    """Guadalcanal when both sides have put behind Force markers what rests."""
    found = table.begin("guadalcanal", **OPTIONS).state
    assert isinstance(found, State) and found.forces["japan"]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with inside(tmp_path):
        yield tmp_path


def activated(g: State) -> None:
    """Japan activates flying boats at Rabaul in secret: nobody else sees which unit it is."""
    order = {"activate": {"hq": "South Seas", "units": ["Rabaul flying boats"]}}
    emit(g, OrderedInSecret("japan", Secret("activate", f"seal 1 {json.dumps(order)}", {"markers": []}), "PW-ACT-02"))


def told(g: State) -> list[str]:
    """Everything that a report or a map says of the position."""
    tables = [ENGLISH.text(Message(one.spoken, row)) for one in wording.overviews(g) for row in one.rows]
    shown = picture.picture(g, [])
    drawn = [f"{place.id} {piece}" for place in shown.spaces for piece in place.pieces]
    return [
        *tables,
        *(ENGLISH.text(m) for m in wording.board(g).values()),
        *drawn,
        *(ENGLISH.text(p.facts) for p in shown.parties),
    ]


def rows(g: State, side: str = "japan") -> dict[str, list[Any]]:
    return {f"{row['hex']}, {row['marker']}": row["units"] for row in holdings(g, side, table.behind)}  # type: ignore[misc]


def test_what_is_sealed_counts_as_last_seen(state: State) -> None:
    before = picture.strengths(GAME.start(table.scenario("guadalcanal"), OPTIONS), "japan", ("map",))
    assert picture.strengths(state, "japan", ("map", "sealed")) == before
    assert picture.strengths(state, "japan", ("sealed",))["ships"] == before["ships"]


def test_a_force_marker_stands_on_the_map_and_no_unit_behind_it(state: State) -> None:
    pieces = {place.id: place.pieces for place in picture.picture(state, []).spaces}
    assert [(p.owner, p.type, p.said) for p in pieces[1134]] == [("japan", "force", "F")]
    sealed = [n for n, u in state.units.items() if u.box == "sealed"]
    assert sealed and not [text for text in told(state) for name in sealed if name in text]


def test_an_order_in_secret_changes_nothing_that_everybody_is_shown(state: State) -> None:
    before = told(state)
    activated(state)
    assert told(state) == before


def test_the_owner_sees_what_stands_behind_his_markers_and_what_he_has_activated(state: State) -> None:
    assert [u["unit"] for u in rows(state)["1134 Guadalcanal, Force"]] == ["7th Engineers", "84th Guard"]
    assert {u["state"] for u in rows(state)["1630 Rabaul, Force"]} == {"rests"}
    activated(state)
    states = {u["unit"]: u["state"] for units in rows(state).values() for u in units}
    assert states["Rabaul flying boats"] == "activated" and states["25th Flotilla fighters"] == "rests"
    (overview,) = wording.own(state, "japan", table.behind)
    lines = [ENGLISH.text(Message(overview.spoken, row)) for row in overview.rows]
    assert any("Rabaul flying boats (activated)" in line for line in lines)


def test_every_question_to_show_says_which_phase_it_comes_before() -> None:
    sources = Path(str(picture.__file__)).parent.rglob("*.py")
    asked = {rule for path in sources for rule in re.findall(r'offer_show\([^)"]*"(PW-[A-Z]+-\d+)"', path.read_text("utf-8"))}
    assert asked == set(fleets.SHOWN_BEFORE)


def test_a_standing_order_asks_to_show_before_one_phase_alone(state: State) -> None:
    clauses = read_clauses("show", [{"when": "phase = air", "do": "ask me"}])
    for rule, waits in (("PW-AIR-04", True), ("PW-BOM-01", False)):
        ask = next(fleets.offer_show(state, "japan", rule))
        assert isinstance(ask, Ask)
        assert (answer(ask, clauses) is None) == waits


def test_a_sealed_order_is_told_to_its_owner_in_a_line(state: State) -> None:
    order: Any = {"activate": {"hq": "South Seas", "units": ["CV5", "DD1"], "fleets": [{"decoy": 1630}]}}
    told = english(hidden_told(order, lambda word: wording.named(state, word)))
    assert told == "activate: CV5, DD1; headquarters South Seas; task forces (decoy: 1630 Rabaul)"


def test_the_owner_of_open_forces_is_told_nothing_more() -> None:
    assert wording.own(table.begin("guadalcanal").state, "japan", table.behind) == ()


def costs(g: State, side: str, asked: str) -> list[str]:
    """What units cost, as their owner reads it."""
    told = [o for o in wording.own(g, side, table.behind, asked) if str(o.title).startswith("Command points of")]
    return [f"{o.title}: {ENGLISH.text(Message(o.spoken, row))}" for o in told for row in o.rows]


def test_whoever_spends_command_points_reads_what_his_units_cost_hidden_ones_too(state: State) -> None:
    lines = costs(state, "japan", "operation-bid")
    assert lines[0].startswith("Command points of units activated by South Seas for 14 days")
    assert "2 more above 10, 20 and 30 activation points" in lines[0]
    rabaul = next(line for line in lines if "1630 Rabaul" in line)
    assert "2 each: CA1 Aoba, CA2 Furutaka" in rabaul and "1 each: CL1 Tenryu" in rabaul, "the dearest first"
    truk = next(line for line in lines if "2432 Truk" in line)
    assert "CV5 Shokaku" in truk and "5th Carrier Division" not in truk, "aircraft come with their carrier for nothing"
    assert costs(state, "japan", "sail") == [], "nobody is told where nothing is paid"


def begun(g: State, side: str, bid: int, price: int) -> State:
    """The same when an operation has begun for this price."""
    after = replace(g, operation=Operation("South Seas", bid, 0, 14, spent=price))
    after.operator = side
    return after


def muster(seat: str) -> Commit:
    return Commit(seat, "muster", "PW-ACT-03", Message("?"), lambda plain: plain)


def test_what_a_bid_leaves_over_is_told_in_secret_too_and_only_where_it_is_lost(state: State) -> None:
    state.operator, told = "japan", "command points of the bid that are not spent: 4"
    lost = consequences(state, begun(state, "japan", 12, 8), muster("japan"))
    assert [(c.kind, str(c.message), c.rule) for c in lost] == [("unspent", told, "PW-ACT-03")]
    assert consequences(state, begun(state, "japan", 12, 12), muster("japan")) == []
    assert consequences(state, begun(state, "japan", 12, 8), muster("allies")) == [], "the reaction has no bid"
    going = begun(state, "japan", 12, 8)
    assert consequences(going, going, muster("japan")) == [], "an operation that had begun before"
    claimed = replace(state, claims_next=NOBODY)
    assert consequences(claimed, begun(claimed, "japan", 30, 8), muster("japan")) == [], "no bid, nothing to lose [PW-BID-05]"
    alone = replace(state, options={**state.options, "solitaire": "yes"})
    assert consequences(alone, begun(alone, "japan", 30, 8), muster("japan")) == []


def test_activated_units_have_no_price_any_more(state: State) -> None:
    before = costs(state, "japan", "react")
    activated(state)
    named = [line for line in costs(state, "japan", "react") if "Rabaul flying boats" in line]
    assert any("Rabaul flying boats" in line for line in before) and not named


def test_open_forces_have_prices_too() -> None:
    g = table.begin("guadalcanal").state
    assert any("0135 Noumea" in line and "2 each: CV3 Yorktown" in line for line in costs(g, "allies", "activate"))
    assert wording.own(table.begin("coral-sea").state, "allies", table.behind, "activate") == (), "no headquarters, no points"


def test_the_owners_map_turns_his_own_markers_up_and_leaves_the_enemys(state: State) -> None:
    mine = picture.picture(GAME.seen_by(state, "japan", table.behind), [])
    pieces = [piece for place in mine.spaces for piece in place.pieces]
    assert "7th Engineers" in {p.name for p in pieces}
    assert {p.owner for p in pieces if p.type == "force"} == {"allies"}


def test_each_player_reads_his_own_sealed_forces_and_nobody_elses(folder: Path) -> None:
    founded("guadalcanal", "forces=sealed", "land=sealed")
    held = json.loads(must("hand", "--json", "-g", "yamada"))["board"]["japan"]
    assert {"hex": "1134 Guadalcanal", "marker": "Force"}.items() <= held[0].items()
    assert held[0]["units"][0] == {"unit": "7th Engineers", "steps": 3, "hits": 0, "state": "rests"}
    assert "1134 Guadalcanal, Force: 7th Engineers, 84th Guard." in must("hand", "-g", "yamada")
    assert "7th Engineers" in must("report", "-g", "yamada")
    must("orders", "-g", "yamada")
    assert "# 1134 Guadalcanal, Force: 7th Engineers, 84th Guard." in Path("orders.yaml").read_text()
    must("map", "--own", "--to", "own.txt", "-g", "yamada")
    assert "7th Engineers" in Path("own.txt").read_text()
    must("map", "--to", "public.txt", "-g", "yamada")
    must("map", "--own", "--to", "other.txt", "-g", "nowak")
    others = [must("hand", "-g", "nowak"), must("report", "-g", "nowak"), must("report", "--spectator", "-g", "yamada")]
    others += [Path("public.txt").read_text(), Path("other.txt").read_text()]
    assert not [text for text in others if "7th Engineers" in text]


def test_who_arranges_sealed_task_forces_again_is_offered_them_as_they_are() -> None:
    engine = at_rabaul()
    up_to(engine, "hide", "japan")
    engine.reply({"hide": "1630"})
    ask = engine.request
    assert isinstance(ask, Commit)
    offered: list[Any] = [o for o in GAME.sealed_options(engine.state, ask, table.behind) if _may_seal(ask, o)]
    (only,) = offered
    assert {m: {part: sorted(ships) for part, ships in row.items()} for m, row in only["organize"].items()} == FIRST


def _may_seal(ask: Commit, order: Any) -> bool:
    try:
        ask.check(order, table.behind)
    except Rejected:
        return False
    return True
