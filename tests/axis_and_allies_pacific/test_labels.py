"""What stands in the dice never changes: every label that a roll of Pacific 1940 can have, letter for letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific import rolls
from pbem.games.axis_and_allies_pacific.battle import battle
from pbem.games.axis_and_allies_pacific.events.combat import DiceRolled, RoleTaken
from pbem.games.axis_and_allies_pacific.kamikaze import kamikazes
from pbem.games.axis_and_allies_pacific.movement import carry_out
from pbem.games.axis_and_allies_pacific.moves import COMBAT, Move
from pbem.games.axis_and_allies_pacific.raid import raid
from pbem.games.axis_and_allies_pacific.sequence import round_end, turn_end
from pbem.games.axis_and_allies_pacific.state import State, Unit
from pbem.games.axis_and_allies_pacific.victory import ended, held
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Roll
from pbem.kernel.wording import Message, english
from tests.axis_and_allies_pacific import table
from tests.odds.engine_tree import USUAL, answer, position


def labels_of(flow: Flow[Any]) -> Iterator[str]:
    """The labels of all rolls of a flow whose dice all show a six; asks are answered by usual orders."""
    try:
        request = next(flow)
        while True:
            if isinstance(request, Roll):
                yield str(request.label)
                request = flow.send((6,) * request.dice)
                continue
            assert isinstance(request, Ask)
            request = flow.send(request.read(answer(request, {**USUAL, "retreat": "press"})))
    except StopIteration:
        return


def first_labels(flow: Flow[Any], n: int) -> list[str]:
    return [label for label, _ in zip(labels_of(flow), range(n), strict=False)]


def sea_battle() -> list[str]:
    attack = "1 submarine, 2 destroyer, 1 fighter, 1 damaged battleship"
    return first_labels(battle(position("SZ 20", attack, "1 aircraft-carrier, 2 cruiser"), "japan", "sz-20"), 9)


def land_battle() -> list[str]:
    g = position("Kwangsi", "3 infantry, 1 artillery, 2 tactical-bomber, 1 fighter", "2 infantry, 1 aa-gun")
    return first_labels(battle(g, "japan", "kwangsi"), 6)


def answering_submarines() -> list[str]:
    g = position("SZ 20", "1 cruiser", "2 submarine, 1 destroyer")
    return first_labels(battle(g, "japan", "sz-20"), 1)


def garrison() -> list[str]:
    g = position("Kansu", "1 infantry", "1 infantry")
    for unit in g.units.values():
        unit.owner = "neutral" if unit.owner == "united-kingdom" else unit.owner
    g.control["kansu"] = "neutral"
    g.allegiance["kansu"] = "allies"
    return first_labels(battle(g, "japan", "kansu"), 2)


def bombardment() -> list[str]:
    g = position("Kwangtung", "2 infantry, 1 battleship, 1 cruiser", "1 infantry", sea="SZ 20")
    return first_labels(battle(g, "japan", "kwangtung"), 3)


def raided() -> list[str]:
    g = position("Kwangtung", "2 strategic-bomber, 1 fighter", "2 fighter")
    g.power = "japan"
    table.build(g, "kwangtung", "minor-ic")
    for unit in g.of("japan"):
        emit(g, RoleTaken(unit.id, "bomb" if unit.type == "strategic-bomber" else "escort", "SBR-02"))
    flow = raid(g, "japan", "kwangtung")
    ask = next(flow)
    assert isinstance(ask, Ask) and ask.kind == "intercept"
    found, request = [], flow.send(2)
    while True:
        if isinstance(request, Roll):
            found.append(str(request.label))
        try:
            known = isinstance(request, Roll)
            request = flow.send((6,) * request.dice if known else request.read(answer(request, USUAL)))
        except StopIteration:
            return found


def suicide() -> list[str]:
    g = position("SZ 6", "1 submarine", "1 cruiser")
    g.kamikaze_enabled, g.kamikaze_left = True, 6
    ship = next(u for u in g.units.values() if u.type == "cruiser")
    ship.moved = "combat"
    flow = kamikazes(g, "united-kingdom")
    next(flow)
    roll = flow.send([ship])
    assert isinstance(roll, Roll)
    return [str(roll.label).replace(f"ship {ship.id}", "ship 7")]


def passing() -> list[str]:
    g = position("SZ 19", "1 transport", "")
    g.options = {**g.options, "submarines-shoot-transports": "yes"}
    table.put(g, "united-kingdom", "sz-20", "submarine", 2)
    ship = next(u for u in g.units.values() if u.type == "transport")
    move = Move((ship.id,), "sz-19", ("sz-20",), "sea", "CM-10")
    return first_labels(carry_out(g, "japan", "move", move, COMBAT), 1)


TABLE: tuple[tuple[Callable[[], list[str]], list[str]], ...] = (
    (
        sea_battle,
        [
            "battle for SZ 20, round 1, surprise: japan 1 submarine at 2",
            "battle for SZ 20, round 1: japan 1 battleship at 4",
            "battle for SZ 20, round 1: japan 1 fighter at 3",
            "battle for SZ 20, round 1: japan 2 destroyer at 2",
            "battle for SZ 20, round 1: united-kingdom 2 cruiser at 3",
            "battle for SZ 20, round 1: united-kingdom 1 aircraft-carrier at 2",
            "battle for SZ 20, round 2, surprise: japan 1 submarine at 2",
            "battle for SZ 20, round 2: japan 1 battleship at 4",
            "battle for SZ 20, round 2: japan 1 fighter at 3",
        ],
    ),
    (
        land_battle,
        [
            "battle for Kwangsi: united-kingdom AA gun at 1 fighter, at 1",
            "battle for Kwangsi: united-kingdom AA gun at 2 tactical-bomber, at 1",
            "battle for Kwangsi, round 1: japan 1 tactical-bomber at 4",
            "battle for Kwangsi, round 1: japan 1 fighter, 1 tactical-bomber at 3",
            "battle for Kwangsi, round 1: japan 1 infantry, 1 artillery at 2",
            "battle for Kwangsi, round 1: japan 2 infantry at 1",
        ],
    ),
    (
        answering_submarines,
        [
            "battle for SZ 20, round 1, surprise: united-kingdom 2 submarine at 1",
        ],
    ),
    (
        garrison,
        [
            "battle for Kansu, round 1: japan 1 infantry at 1",
            "battle for Kansu, round 1: the garrison's 1 infantry at 2",
        ],
    ),
    (
        bombardment,
        [
            "bombardment of Kwangtung: japan 1 battleship at 4",
            "bombardment of Kwangtung: japan 1 cruiser at 3",
            "battle for Kwangtung, round 1: japan 2 infantry at 1",
        ],
    ),
    (
        raided,
        [
            "raid on Kwangtung: japan escorts, 1 at 1",
            "raid on Kwangtung: interceptors, 2 at 2",
            "raid on Kwangtung, minor-ic: its guns, 2 at 1",
            "raid on Kwangtung, minor-ic: 2 bombers",
        ],
    ),
    (
        suicide,
        [
            "kamikaze in SZ 6 against a cruiser of united-kingdom (ship 7), at 2",
        ],
    ),
    (
        passing,
        [
            "SZ 20: united-kingdom submarines fire at japan transports passing, 2 at 2",
        ],
    ),
)


def test_every_label_has_a_sentence() -> None:
    g = table.empty()
    ship = Unit(7, "cruiser", "japan", "sz-6")
    fire = [kind(g, "sz-6", 2)("japan", [ship], 3) for kind in (rolls.combat, rolls.surprise)]
    labels = [
        *fire,
        rolls.bombardment(g, "korea")("japan", [ship], 3),
        rolls.aa_guns(g, "korea", [Unit(8, "aa-gun", "japan", "korea")], "fighter", 2),
        rolls.kamikaze(g, ship),
        rolls.passing(g, "sz-6", [Unit(n, "submarine", "japan", "sz-6") for n in (8, 9)], "china"),
        rolls.escorts(g, "korea", "china", 1),
        rolls.interceptors(g, "korea", 1),
        rolls.guns(g, "korea", "air-base", 1),
        rolls.bombs(g, "korea", "air-base", 1),
    ]
    told = [rolls.dice(g, DiceRolled(label, (1,), 1, "GC-10")) for label in labels]
    assert [t.label for t in told] == [str(label) for label in labels]
    assert [english(t.text) for t in told] == [
        "Combat round 2, Japan: 1 cruiser at 3",
        "Combat round 2, surprise strike by Japan: 1 cruiser at 3",
        "Bombardment by Japan: 1 cruiser at 3",
        "AA guns of Japan at 1; targets: 2 fighters",
        "Kamikaze in sea zone 6 at 2; target of Japan: 1 cruiser",
        "Japan fires in sea zone 6 on transports passing by (China): 2 submarines at 2",
        "Escorts of China: 1 fighter at 1",
        "Interceptors: 1 fighter at 2",
        "Guns of 1 air base at 1; targets: 1 strategic bomber",
        "Bombs on 1 air base: 1 strategic bomber",
    ]
    assert [t.hit_at for t in told] == [3, 3, 3, 1, 2, 2, 1, 2, 1, 0]


@pytest.mark.parametrize(("played", "labels"), TABLE, ids=lambda value: getattr(value, "__name__", ""))
def test_labels_are_what_they_always_were(played: Callable[[], list[str]], labels: list[str]) -> None:
    assert played() == labels


def test_reasons_of_ends_are_what_they_always_were() -> None:
    def noted(play: Callable[[State], object], **options: Any) -> str:
        g = table.empty(**options)
        play(g)
        return g.win_reason

    def kept(text: str) -> Message:
        g = table.empty()
        g.win_reason = text
        return ended(g)

    def captured(g: State) -> None:
        g.japan_fell = 1
        turn_end(g, "japan")

    def six_cities(g: State) -> None:
        for territory in g.board.victory_cities.values():
            g.control[territory] = "japan"
        round_end(g, 4)

    assert kept("Japan holds 7 of 8 victory cities") == held(7), "found again by its record form"
    assert english(kept("round limit: Japan holds 4 of 8 victory cities")) == "Round limit: Japan holds 4 of 8 victory cities"
    assert noted(captured) == "Japan was captured and held through its next turn"
    assert noted(six_cities) == "Japan holds 8 of 8 victory cities"
    assert noted(lambda g: round_end(g, 4), **{"round-limit": 4}) == "round limit: Japan holds 2 of 8 victory cities"
