"""How players name units and hexes is the same in every hex game: laws of the readers on all names of all scenarios."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem import games
from pbem.kernel.naming import parts_of, words_of
from pbem.store.library import load_scenario

SYSTEMS = ("empire-of-the-sun", "next-war", "pacific-war")
SCENARIOS = [
    (system, path.stem)
    for system in SYSTEMS
    for path in sorted((games.load(system).home("scenarios") / "compiled").glob("*.json"))
]


@cache
def board_of(system: str, scenario: str) -> Any:
    game = games.load(system)
    return game.start(load_scenario(game, scenario), {}).board


def named_hexes(system: str, board: Any) -> list[tuple[int, str, str]]:
    """Number, printed number and name of every hex that is listed."""
    hexes = board.listed if system == "pacific-war" else board.hexes
    return [(h, x.label if system == "next-war" else f"{h:04}", x.name) for h, x in hexes.items()]


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_every_unit_is_found_by_its_id_and_by_its_name(system: str, scenario: str) -> None:
    board = board_of(system, scenario)
    names = {unit: getattr(counter, "name", unit) for unit, counter in board.counters.items()}
    for unit, name in names.items():
        for own in ("", *games.load(system).seats):
            assert [board.unit_index.one(text, own) for text in (unit, unit.upper(), name, [name])] == [unit] * 4


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_every_hex_is_found_by_its_number_with_or_without_a_name(system: str, scenario: str) -> None:
    board = board_of(system, scenario)
    for place, label, name in named_hexes(system, board):
        for text in (label, label.lower(), f"{label} {name}", f"{label} or so"):
            assert board.place_index.one(text) == place
        if name:
            assert board.place_index.one(f"{name} {label}") == place


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_every_name_of_a_hex_finds_the_first_that_has_it(system: str, scenario: str) -> None:
    board = board_of(system, scenario)
    first: dict[str, int] = {}
    for place, _, name in named_hexes(system, board):
        first.setdefault(words_of(name), place)
    for name in first.keys() - {""}:
        assert board.place_index.one(name) == first[name]
        assert board.place_index.one_among(name, [first[name]]) == first[name]


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_a_name_is_not_cut_at_its_and(system: str, scenario: str) -> None:
    board = board_of(system, scenario)
    for index, names in (
        (board.unit_index, list(board.counters)),
        (board.place_index, [name for _, _, name in named_hexes(system, board) if name]),
    ):
        for name in names:
            if "," not in name and ";" not in name:
                assert parts_of(name, index.is_name) == [name]


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_lists_of_units_may_be_written_in_three_ways(system: str, scenario: str) -> None:
    board = board_of(system, scenario)
    some = list(board.counters)[:5]
    for between in (", ", ";", " and "):
        assert board.unit_index.many(between.join(some), "1") == some
    assert board.unit_index.many(some, "1") == some


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_a_word_that_one_unit_of_a_side_has_means_that_one_to_its_side(system: str, scenario: str) -> None:
    index = board_of(system, scenario).unit_index
    for side in games.load(system).seats:
        having: dict[str, set[str]] = {}
        for unit, names in index._words_of.items():
            for word in frozenset().union(*names) if index._side(unit) == side else ():
                having.setdefault(word, set()).add(unit)
        for word, units in having.items():
            if len(units) == 1 and not index.is_name(word):
                assert {index.one(word, side)} == units
