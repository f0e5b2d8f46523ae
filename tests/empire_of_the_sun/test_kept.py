"""What is kept between positions of Empire of the Sun is what would be found anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.games.empire_of_the_sun import activation, lines
from pbem.games.empire_of_the_sun.china_box import burma_road_open
from pbem.games.empire_of_the_sun.deployment import entry_hexes, fed_hexes
from pbem.games.empire_of_the_sun.events.strategy import Bombed
from pbem.games.empire_of_the_sun.events.units import Controlled, Eliminated, Placed, StepLost
from pbem.games.empire_of_the_sun.fields import Floods
from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.movement import sea
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import SIDES, Piece, State
from pbem.games.empire_of_the_sun.supply import limits_of, sources, supplied, supply, zones
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.records import from_plain, to_plain
from pbem.kernel.wording import msg
from tests.empire_of_the_sun import random_play, table

RUN = 6  # positions that are looked at in a row


def answers(g: State) -> dict[str, Any]:
    """Supply, zones, lines, entry of units and the Burma Road as they stand."""
    return {
        "supplied": [u for u in g.pieces if supplied(g, u)],
        "zones": [(dict(zones(g).reach), dict(zones(g).fighters))],
        "fed": [(sorted(fed.hqs), dict(fed.hexes)) for fed in supply(g).lines.values()],
        "limits": [limits_of(g, side) for side in SIDES],
        "in command": [sorted(fed_hexes(g, side)) for side in SIDES],
        "entry": {u: entry_hexes(g, u) for u, p in g.pieces.items() if p.box in ("schedule", "delayed", "eliminated")},
        "road": burma_road_open(g),
        "standing": [
            (g.on_map(side), dict(g.standing.places), g.standing.hexes[side], g.standing.field(side)) for side in SIDES
        ],
        "held": [(g.held(side), g.occupied_hexes(side)) for side in SIDES],
        "hqs": [activation.hqs(g, side) for side in SIDES],
        "eligible": {hq: activation.eligible(g, hq) for side in SIDES for hq in activation.hqs(g, side)},
    }


def unkept(self: Floods, begin: Any, obstacles: Any, flood: Callable[[], Any]) -> Any:
    return flood()[0]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("name", "rules"), [("campaign-1941", "2nd-2015"), ("campaign-1941", "1st-2005"), ("year-1943", "2nd-2015")]
)
def test_positions_of_random_games(name: str, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some runs of positions, one after the other: what is kept from the last one has to notice what changed."""
    dice, looked, left = random.Random(7), 0, 0

    def watch(engine: Engine) -> None:
        nonlocal looked, left
        left = RUN if dice.random() < 0.005 else left - 1
        if left <= 0:
            return
        g = from_plain(State, to_plain(engine.state))
        GAME.attach(g, table.scenario(name))
        with monkeypatch.context() as patch:
            patch.setattr(Floods, "find", unkept)
            anew = answers(g)
        assert answers(engine.state) == anew
        looked += 1

    random_play.play(name, 3, watch, rules=rules)
    assert looked >= RUN - 1


def test_a_flood_that_met_a_changed_hex_is_made_again() -> None:
    floods, made = Floods(), []

    def flood(result: int, *met: int) -> Callable[[], tuple[int, tuple[int, ...]]]:
        return lambda: (made.append(result) or result, met)  # type: ignore[func-returns-value]

    assert floods.find("begin", (0b0000,), flood(1, 0b0011)) == 1
    assert floods.find("begin", (0b0100,), flood(2, 0b0011)) == 1
    assert floods.find("begin", (0b0010,), flood(3, 0b0011)) == 3
    assert floods.find("begin", (0b1000,), flood(4, 0b0011)) == 1
    assert floods.find("elsewhere", (0b0000,), flood(5, 0b0011)) == 5
    assert floods.find("two kinds", (0b0000, 0b0000), flood(6, 0b0011, 0b1100)) == 6
    assert floods.find("two kinds", (0b0100, 0b0001), flood(7, 0b0011, 0b1100)) == 6
    assert floods.find("two kinds", (0b0100, 0b0100), flood(8, 0b0011, 0b1100)) == 8
    assert made == [1, 3, 5, 6, 8]


@pytest.mark.parametrize(
    ("name", "rules"), [("campaign-1941", "2nd-2015"), ("south-pacific", "2nd-2015"), ("south-pacific", "1st-2005")]
)
def test_lines_of_any_length_are_what_steps_reach(name: str, rules: str) -> None:
    """Filled in sweeps as hex by hex, also over the long ways of a small map; and they have met what a step meets."""
    dice, looked = random.Random(3), 0

    def watch(engine: Engine) -> None:
        nonlocal looked
        if dice.random() > 0.02:
            return
        g: State = engine.state
        fields = g.board.fields
        for side in ("japan", "allies"):
            limits = limits_of(g, side)
            for begin in [sources(g, side), *(fields.one[g.pieces[hq].at] for hq in activation.hqs(g, side))]:
                swept = lines._anyhow(fields, begin, limits, limits.ports)
                assert swept == lines._lines(fields, begin, limits, lines.ANY_LENGTH, lines.ANY_PORTS, limits.ports)
                looked += 1

    random_play.play(name, 3, watch, rules=rules)
    assert looked > 20


def test_a_move_is_followed_and_a_change_by_hand_is_noticed() -> None:
    g: State = table.begin("year-1943").state
    unit = g.on_map("japan")[0]
    before, place = g.standing, g.pieces[unit].at
    emit(g, StepLost(unit, "9.22"))
    assert g.standing is before and unit in g.mine_at("japan", place)
    emit(g, Placed(unit, 4021, "map", "6.5"))
    assert unit in g.mine_at("japan", 4021) and unit not in g.mine_at("japan", place)
    assert g.standing.known["presence"] is before.known["presence"]
    assert g.standing.known["places"] is not before.known["places"]
    g.pieces[unit] = Piece(0, "eliminated")
    g.memo.forget()
    assert unit not in g.on_map("japan") and unit not in g.mine_at("japan", 4021)
    hex_of_japan = next(h for h, side in g.control.items() if side == "japan")
    assert g.board.fields.has(g.held("japan"), hex_of_japan)
    emit(g, Controlled(hex_of_japan, "allies", "6.5"))
    assert not g.board.fields.has(g.held("japan"), hex_of_japan) and g.board.fields.has(g.held("allies"), hex_of_japan)


def test_who_may_be_activated_is_asked_again_after_a_raid_a_loss_and_a_turn() -> None:
    g: State = table.begin("year-1943").state
    hq = activation.hqs(g, "japan")[0]
    before = activation.eligible(g, hq)
    bomber, lost = before[:2]
    emit(g, Bombed(msg("raid"), bomber, 3, True, "12.32"))
    assert activation.eligible(g, hq) == before[1:]
    g.turn += 1
    assert activation.eligible(g, hq) == before
    emit(g, Eliminated(lost, "eliminated", "9.22"))
    assert activation.eligible(g, hq) == [u for u in before if u != lost]


def test_what_is_tried_out_does_not_move_anybody() -> None:
    g: State = table.begin("year-1943").state
    unit = g.on_map("japan")[0]
    place, will = g.pieces[unit].at, g.standing
    copy = rehearse(g)
    emit(copy, Placed(unit, 4021, "map", "6.5"))
    assert unit in copy.mine_at("japan", 4021) and g.pieces[unit].at == place and g.standing is will


@pytest.mark.parametrize("allowance", [3, 15])
def test_a_way_by_sea_found_in_layers_is_the_one_found_hex_by_hex(allowance: int) -> None:
    """Of ways of one length the same one is taken, and nobody finds a way that the other does not."""
    board, dice, found = table.begin("year-1943").state.board, random.Random(5), 0
    places = [h for h in board.hexes if board.by_sea[h]]
    for _ in range(300):
        start, to = dice.sample(places, 2)
        barred = frozenset(dice.sample(places, 200))
        for shut in (frozenset[int](), barred):
            way = sea._open_leg(board, start, to, allowance, shut)
            assert way == sea._linked_leg(board, start, to, allowance, shut)
            found += way[0] is not None
    assert found > 5


@pytest.mark.parametrize("kind", ["sea", "land", "route"])
def test_steps_and_fills_are_those_hex_by_hex(kind: str) -> None:
    board, dice = table.begin("year-1943").state.board, random.Random(6)
    fields, mark = board.fields, {"sea": "W", "land": "L", "route": "R"}[kind]
    near = {h: [n for n, s in zip(board.near[h], board.hexes[h].sides, strict=True) if n and mark in s] for h in board.hexes}
    for _ in range(20):
        begin, leave, enter = (set(dice.sample([*board.hexes], n)) for n in (5, 1000, 900))
        assert set(fields.hexes(fields.step(kind, fields.of(begin)))) == {n for h in begin for n in near[h]}
        reached, waiting, met = {*begin}, [*begin], set[int]()
        while waiting:
            here = waiting.pop()
            for n in near[here] if here in leave else ():
                met.add(n)
                if n in enter and n not in reached:
                    reached.add(n)
                    waiting.append(n)
        assert set(fields.hexes(fields.fill(kind, fields.of(begin), fields.of(leave), fields.of(enter)))) == met
