"""The order of loss that a standing order gives, when several hits come at once and when they come one by one."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.casualties import Hits, by_priority, loss_order, read
from pbem.games.axis_and_allies_pacific.state import Unit
from tests.axis_and_allies_pacific import table


def fleet(*kinds: str) -> list[Unit]:
    return [Unit(i, k.removeprefix("damaged "), "japan", "sz-6", k.startswith("damaged ")) for i, k in enumerate(kinds)]


def lost(units: list[Unit], number: int, wanted: object) -> object:
    answer = by_priority(table.empty(), units, Hits(by_ships=number), number, wanted)  # type: ignore[arg-type]
    assert isinstance(answer, dict)
    return answer["casualties"]


def test_a_list_that_is_too_short_goes_on_cheapest_first() -> None:
    units = fleet("fighter", "infantry", "tank", "artillery")
    assert lost(units, 3, ["fighter"]) == ["1 fighter", "1 infantry", "1 artillery"]


def test_a_damaged_ship_goes_before_a_whole_one() -> None:
    assert lost(fleet("battleship", "damaged battleship"), 1, ["battleship"]) == ["1 battleship"]
    assert [u.id for u in loss_order(table.empty(), fleet("battleship", "damaged battleship"), ["battleship"])] == [1, 0, 0]


def test_first_hits_come_first_where_the_list_says_so() -> None:
    units = fleet("battleship", "destroyer", "battleship")
    assert [u.id for u in loss_order(table.empty(), units, ["hit battleship", "destroyer"])] == [0, 2, 1, 0, 2]


def test_transports_come_last_even_when_the_list_begins_with_them() -> None:
    units = fleet("transport", "destroyer", "cruiser")
    assert lost(units, 2, ["transport", "cruiser"]) == ["1 cruiser", "1 destroyer"]


def test_the_cheapest_losses_read_back_when_a_whole_ship_stands_before_a_damaged_one() -> None:
    units, hits = fleet("submarine", "battleship", "damaged battleship"), Hits(by_ships=3)
    answer = by_priority(table.empty(), units, hits, 3, "cheapest first")
    assert len(read(table.empty(), units, hits, 3, answer)) == 3


def test_any_number_of_hits_on_damaged_and_whole_carriers_reads_back_to_the_same() -> None:
    units = fleet("damaged aircraft-carrier", "damaged battleship", "cruiser", "aircraft-carrier", "aircraft-carrier")
    for number in range(1, 8):
        hits = Hits(by_ships=number)
        answer = by_priority(table.empty(), units, hits, number, "cheapest first")
        found = read(table.empty(), units, hits, number, answer)
        assert len(found) == number, answer
