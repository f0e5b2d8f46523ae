"""Clauses that no case can play: what is proposed, and what is known no longer when a marker goes."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.empire_of_the_sun.events.turns import TurnCleared
from pbem.games.empire_of_the_sun.impulse.uses import use_options
from pbem.games.empire_of_the_sun.orders import read_place, read_unit
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.games.empire_of_the_sun.supply import supplied
from pbem.kernel.events import emit
from tests.empire_of_the_sun import table
from tests.empire_of_the_sun.stage import clear


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
