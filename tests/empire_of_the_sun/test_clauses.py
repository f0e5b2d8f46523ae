"""Clauses that no case can play: what is proposed, and what is known no longer when a marker goes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.d10 import face
from pbem.games.empire_of_the_sun.events.turns import TurnCleared
from pbem.games.empire_of_the_sun.facts import PlanFacts
from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.impulse.uses import use_options
from pbem.games.empire_of_the_sun.orders import read_place, read_unit
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.games.empire_of_the_sun.supply import supplied
from pbem.kernel.events import emit
from tests.empire_of_the_sun import table
from tests.empire_of_the_sun.stage import clear

CARDS = ("J14", "J43")


def empty_map() -> State:
    g = table.begin("campaign-1941", rules="2nd-2015").state
    clear(g)
    g.memo.forget()
    return g


def put(g: State, unit: str, at: int, box: str = "map") -> None:
    g.pieces[unit] = replace(g.pieces[unit], at=at, box=box)


def test_without_the_tokyo_express_its_hex_is_fed_no_longer() -> None:
    """[6.23] [4.5] What was known of supply while it lay there is looked at anew."""
    g = empty_map()
    there = {"South Seas HQ": "Truk", "17th Army": "Guadalcanal"}
    there |= {"South West Pacific HQ": "Townsville", "5th Air Force": "New Georgia"}
    for unit, place in there.items():
        put(g, read_unit(g, unit), read_place(g, place))
    g.express = g.pieces["17-army"].at
    g.control[g.express] = JAPAN
    g.changed(control=True)
    g.memo.forget()
    assert supplied(g, "17-army")
    emit(g, TurnCleared())
    assert not supplied(g, "17-army")


def test_whose_hq_is_away_is_offered_its_early_return() -> None:
    """[6.15] One's own, not the other side's."""
    g = empty_map()
    put(g, "hq-south-west-pacific", 0, "track")
    g.changed("hq-south-west-pacific", control=True)
    card = next(card for card in g.board.cards.values() if card.side == ALLIES and card.ops >= 2)
    other = next(card for card in g.board.cards.values() if card.side == JAPAN and card.ops >= 2)
    offered = [o for o in use_options(g, ALLIES, card, False) if isinstance(o, dict) and "return" in o]
    assert offered and all(str(o["return"]).startswith("hq-south-west-pacific at ") for o in offered)
    assert not [o for o in use_options(g, JAPAN, other, False) if isinstance(o, dict) and "return" in o]


@pytest.mark.parametrize("kind", ["sea", "land", "route"])
def test_a_flood_comes_where_single_steps_come(kind: str) -> None:
    """[6.21] Whatever bars hexes to enter, and others to leave."""
    g = empty_map()
    fields, looked = g.board.fields, set()
    for salt in (3, 5, 7, 11):
        enter = fields.of(h for h in g.board.hexes if h * salt % 13 > 4)
        leave = fields.of(h for h in g.board.hexes if h * salt % 17 > 1)
        for start in sorted(g.board.hexes)[:: 20 + salt]:
            begin = reached = fields.one[start]
            while (further := reached | fields.step(kind, reached & leave) & enter) != reached:
                reached = further
            found = fields.fill(kind, begin, leave, enter)
            assert found == fields.step(kind, reached & leave), (kind, salt, start)
            looked.add(found.bit_count() // 10)
    assert len(looked) > 1


def test_a_future_offensives_card_is_no_special_card() -> None:
    """[7.29] Its owner has said so; any other card of the hand may be one."""
    g = empty_map()
    g.hands[JAPAN], g.future[JAPAN] = ["japan:draw0:1"], "japan:draw0:2"
    may = {
        (handle, card): GAME.may_hold(g, JAPAN, handle, card) for handle in ("japan:draw0:1", "japan:draw0:2") for card in CARDS
    }
    assert [key for key, held in may.items() if not held] == [("japan:draw0:2", "J43")]


def test_what_a_move_leaves_known_is_known_of_the_same_position() -> None:
    """[5.32] After a cancelled offensive, or a change by hand, every unit is looked for again, not only the next that moves."""
    g = empty_map()
    put(g, "5-af", read_place(g, "Townsville"))
    put(g, "13-af", read_place(g, "Cairns"))
    g.forget()
    assert set(g.on_map(ALLIES)) == {"5-af", "13-af"}
    put(g, "5-af", read_place(g, "Port Moresby"))
    g.forget()
    put(g, "13-af", read_place(g, "Townsville"))
    g.changed("13-af")
    assert g.standing.places == {"5-af": read_place(g, "Port Moresby"), "13-af": read_place(g, "Townsville")}


@pytest.mark.parametrize("name", ["allies-at-rabaul", "own-tank-at-rabaul", "own-rabaul", "own-at-atlantis", "holder"])
def test_a_condition_that_names_no_fact_is_unknown(name: str) -> None:
    """[7.2] Whose units, and of which kind, is one of the words there are."""
    facts = PlanFacts(empty_map(), JAPAN)
    assert facts["own-at-rabaul"] == facts["enemy-air-at-rabaul"] == 0
    assert name not in facts


def test_a_nought_is_thrown_as_ten() -> None:
    """[9.2] Dice of the protocol show 1 to 10; what is told and reckoned of them names the face that was thrown."""
    assert [face(die) for die in range(10)] == [10, *range(1, 10)]
