"""[AMB-PLEDGE] Carriers that attackers count on; [MOB-02] what complexes on one coast make together."""

from __future__ import annotations

from itertools import product

import pytest

from pbem.games.axis_and_allies_pacific.capacity import left, makers_for, room_for
from pbem.games.axis_and_allies_pacific.events.economy import FacilityBuilt
from pbem.games.axis_and_allies_pacific.events.moves import Pledged
from pbem.games.axis_and_allies_pacific.events.turns import TurnBegan
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.landing import Deck, find_decks, most_landed
from pbem.games.axis_and_allies_pacific.pledges import bound_for, most_placed
from pbem.games.axis_and_allies_pacific.state import Snapshot, State
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import english
from tests.axis_and_allies_pacific.table import build, empty, engine_at, put
from tests.axis_and_allies_pacific.test_movement import COMBAT, at_war, move

MOBILIZE = "mobilize"


def test_as_many_land_as_some_choice_of_zones_allows() -> None:
    """Against every choice of zones for the carriers and of decks for the aircraft."""
    decks = [Deck(2, {"a": 0, "b": 1}), Deck(1, {"b": 0, "c": 1}), Deck(1, {"c": 0})]
    sorts = [{"a": 0}, {"b": 0}, {"c": 0}, {"a": 0, "c": 1}]
    for planes in product(sorts, repeat=4):
        most = 0
        for zones in product(*(d.zones for d in decks)):
            for choice in product((None, 0, 1, 2), repeat=4):
                fits = all(n is None or zones[n] in spaces for n, spaces in zip(choice, planes, strict=True))
                if fits and all(choice.count(n) <= deck.room for n, deck in enumerate(decks)):
                    most = max(most, sum(n is not None for n in choice))
        assert most_landed(planes, decks) == most
        assert find_decks(planes, decks) == (most == 4)


def test_only_aircraft_without_land_are_promised_a_carrier() -> None:
    engine = engine_at(_attack(), "japan", COMBAT)
    engine.reply(move("1 fighter from Manchuria to SZ 23"))
    engine.reply(move("1 fighter from Caroline Islands to SZ 23"))
    before = engine.state
    engine.reply("done")
    promised = [e for e in engine.state.events if isinstance(e, Pledged)]
    assert [engine.state.units[e.unit].start for e in promised] == ["manchuria"]
    assert engine.state.pledged == [e.unit for e in promised]
    told = GAME.words().tell(before, promised[0])
    assert told is not None
    assert english(told.text) == "Japan counts on a carrier for what is in the air in sea zone 23: 1 fighter"


def _attack() -> State:
    g = at_war(empty(), "japan united-states")
    put(g, "japan", "manchuria", "fighter")
    put(g, "japan", "caroline-islands", "fighter")
    put(g, "japan", "sz-33", "aircraft-carrier")
    put(g, "united-states", "sz-23", "destroyer")
    return g


def test_promises_end_with_the_turn() -> None:
    g = _attack()
    emit(g, Pledged(1))
    emit(g, TurnBegan("united-states", Snapshot(dict(g.control), [], list(g.wars))))
    assert g.pledged == [] == bound_for(g, "japan")


def test_while_a_promise_is_open_every_proposal_keeps_it() -> None:
    g = _attack()
    engine = engine_at(g, "japan", "noncombat-move")
    plane = next(u for u in g.of("japan") if u.start == "manchuria")
    plane.at, plane.used, plane.moved = "sz-23", 4, "combat"
    g.units = {i: u for i, u in g.units.items() if u.owner == "japan"}
    g.forget()
    emit(g, Pledged(plane.id))
    ask = engine.request
    assert isinstance(ask, Ask)
    proposed = list(ask.options())
    assert {"move": {"units": {"aircraft-carrier": 1}, "from": "sz-33", "to": "sz-23"}} in proposed
    assert "done" not in proposed
    for order in proposed:
        ask.read(order)
    engine.reply({"move": {"units": {"aircraft-carrier": 1}, "from": "sz-33", "to": "sz-23"}})
    engine.reply("done")
    assert plane.id in engine.state.units


# -- complexes -----------------------------------------------------------------------------------------------------------


def factories(**damage: int) -> State:
    g = empty()
    for territory, points in damage.items():
        build(g, territory, "minor-ic", points)
    g.start = Snapshot(dict(g.control), [], list(g.wars))
    return g


def test_what_is_placed_is_counted_where_it_leaves_most_room() -> None:
    """Ships of Japan or Korea, then land units of one of them: against every way to share the ships out."""
    for japan, korea, ships, troops in product(range(3), range(4), range(6), range(4)):
        g = factories(japan=japan, korea=korea)
        coast, ashore = makers_for(g, "japan", "submarine", "sz-6"), makers_for(g, "japan", "infantry", "korea")
        assert (coast, ashore) == (("japan", "korea"), ("korea",))
        shared = any(n <= left(g, "japan") and ships - n + troops <= left(g, "korea") for n in range(ships + 1))
        fits = room_for(g, coast, {}) >= ships and room_for(g, ashore, {coast: ships}) >= troops
        assert fits == shared, (japan, korea, ships, troops)


def test_as_many_wait_for_carriers_as_can_be_placed() -> None:
    g = factories(japan=2, manchuria=0)
    assert makers_for(g, "japan", "aircraft-carrier", "sz-19") == ("manchuria",)
    assert most_placed(g, "japan", {"sz-6": 4}, 2, {}) == 2, "Japan can make one"
    assert most_placed(g, "japan", {"sz-6": 4, "sz-19": 1}, 2, {}) == 3
    assert most_placed(g, "japan", {"sz-6": 4, "sz-19": 1}, 1, {}) == 2
    assert most_placed(g, "japan", {"sz-6": 4}, 2, {("japan",): 1}) == 0
    assert most_placed(g, "japan", {"sz-33": 2}, 1, {}) == 0, "no complex there"


def test_an_enlarged_complex_makes_ten_from_its_owners_next_turn_on() -> None:
    """[E-03] [MOB-01]"""
    g = factories(korea=1)
    g.purchased["japan"] = {"ic-upgrade": 1}
    emit(g, FacilityBuilt("japan", "korea", "ic-upgrade", "E-03"))
    assert left(g, "korea") == 2
    for power in ("united-states", "china", "united-kingdom", "anzac"):
        emit(g, TurnBegan(power, g.start))
    assert left(g, "korea") == 2
    emit(g, TurnBegan("japan", g.start))
    assert left(g, "korea") == 9


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ({"place": "1 minor-ic in Korea"}, "there is a complex in Korea already: one of any size in a territory"),
        ({"place": "1 major-ic in Korea"}, "there is a complex in Korea already: one of any size in a territory"),
        ({"place": "1 ic-upgrade in Manchuria"}, "there is no minor complex in Manchuria to be enlarged"),
        ({"place": "6 submarines in SZ 6"}, "Japan, Korea can still make this turn: 5, not 6"),
    ],
)
def test_a_refusal_says_what_stands_against_it(order: object, reason: str) -> None:
    g = factories(japan=0, korea=1)
    g.purchased["japan"] = {"minor-ic": 1, "major-ic": 1, "ic-upgrade": 1, "submarine": 6}
    ask = engine_at(g, "japan", MOBILIZE).request
    assert isinstance(ask, Ask)
    with pytest.raises(Rejected) as refused:
        ask.read(order)  # type: ignore[arg-type]
    assert english(refused.value.problems[0].reason) == reason
