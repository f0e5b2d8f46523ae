"""Orders as people type them: what they are read as before they are signed, and what stays refused."""

from __future__ import annotations

import pytest

from pbem.games.axis_and_allies_pacific.notation import units_text
from pbem.games.axis_and_allies_pacific.orders import TYPES, read_groups
from pbem.kernel.canon import Plain
from pbem.runtime.desk import Desk
from tests.generic.test_desk import agrees, desk_of, party

MARCH = {"move": "3 infantry from Kwangsi to Yunnan"}


def desk(*lines: str) -> Desk:
    return desk_of(party(), "\n".join(["orders:", *(f"- {line}" for line in lines)]) + "\n")


def read_as(*lines: str) -> tuple[Plain, ...]:
    """The orders that the last of these lines is; all of them stand and the file says what they say."""
    written = desk(*lines)
    assert written.sheet.trouble is None, written.sheet.trouble
    assert agrees(written)
    return tuple(order for at, order in written.placed() if at == len(lines) - 1)


def refusal(*lines: str) -> str:
    trouble = desk(*lines).sheet.trouble
    assert trouble is not None and len(trouble.problems) == 1
    return str(trouble.problems[0])


@pytest.mark.parametrize(
    ("line", "bought"),
    [
        ('"buy: 8 infantry"', {"infantry": 8}),
        ("buy 4 inf 1 trans", {"infantry": 4, "transport": 1}),
        ("BUY: 2inf + 1 trn", {"infantry": 2, "transport": 1}),
        ("buy 1 arm and 1 ftr", {"tank": 1, "fighter": 1}),
        ("buy 1 mech 1 art 1 tac", {"mechanized-infantry": 1, "artillery": 1, "tactical-bomber": 1}),
        ("purchase 1 cr", {"cruiser": 1}),
        ("buy 1 ca 1 dd", {"cruiser": 1, "destroyer": 1}),
        ("buy 1 bmb, 1 sub", {"strategic-bomber": 1, "submarine": 1}),
        ("buy 1 tank 1 cv", {"tank": 1, "aircraft-carrier": 1}),
        ("buy 1 ac", {"aircraft-carrier": 1}),
        ("buy 1 bb", {"battleship": 1}),
    ],
)
def test_units_go_by_their_usual_abbreviations(line: str, bought: dict[str, int]) -> None:
    written = desk(line)
    assert written.sheet.trouble is None and agrees(written)
    assert written.table.engine.state.purchased["japan"] == bought


@pytest.mark.parametrize(
    "line",
    [
        "move 3 inf kwangsi yunnan",
        '"move: 3 inf Kwangsi -> Yunnan"',
        "move: 3 inf Kwangsi to Yun",
        "attack Yunnan from Kwangsi with 3 inf",
        "move from Kwangsi to Yunnan 3x infantry",
        "{move: 3 inf kwangsi yunnan}",
    ],
)
def test_a_march_may_leave_out_its_small_words(line: str) -> None:
    assert read_as("done", line) == (MARCH,)


def test_all_is_whoever_can_still_go() -> None:
    assert read_as("done", "attack Yunnan from Kwangsi with all") == (
        {"move": "3 infantry, 1 artillery from Kwangsi to Yunnan"},
    )
    assert read_as("done", "move all inf Kwangsi Yunnan") == (MARCH,)
    assert read_as("done", "move 3 inf kwangsi yunnan", "move all kwangsi yunnan") == (
        {"move": "1 artillery from Kwangsi to Yunnan"},
    )


@pytest.mark.parametrize("line", ["attack Anhwe with all", "move all -> Anhwe"])
def test_all_without_an_origin_are_the_land_units_beside_the_place(line: str) -> None:
    assert read_as("done", line) == (
        {"move": "2 infantry, 1 artillery from Jehol to Anhwe"},
        {"move": "3 infantry, 1 artillery from Kiangsi to Anhwe"},
        {"move": "1 infantry from Kiangsu to Anhwe"},
        {"move": "1 infantry from Shantung to Anhwe"},
    )


def test_an_attack_without_units_is_no_order() -> None:
    assert "is no order here" in refusal("done", "attack Anhwe")


@pytest.mark.parametrize("line", ["attack WUS from 35 with all", "move all from Hunan to Yunnan"])
def test_all_of_a_place_where_nothing_can_be_ordered_says_so(line: str) -> None:
    assert refusal("done", line).startswith(
        f"not allowed: {'SZ 35' if '35' in line else 'Hunan'}: nothing there can be ordered now"
    )


@pytest.mark.parametrize("way", ["6 7", "from 6 to 7", "SZ 6 -> sz7", "sea zone 6 to Z 07"])
def test_a_sea_zone_goes_by_its_number(way: str) -> None:
    assert read_as("done", f"move 1 bb, 1 dd {way}") == ({"move": "1 battleship, 1 destroyer from SZ 6 to SZ 7"},)


@pytest.mark.parametrize("name", ["WUS", "Western US", "w us", "San Francisco", "western"])
def test_spaces_go_by_abbreviation_city_or_the_beginnings_of_their_words(name: str) -> None:
    where = refusal("done", f"move 1 ftr japan {name}")
    if name == "western":
        assert where.startswith("means two things: space 'western'; did you mean Western Australia or Western United States?")
    else:
        assert where.startswith("not allowed: Western United States is out of reach")


def test_land_sea_and_air_units_of_one_line_go_by_orders_of_their_own() -> None:
    assert read_as("done", "move 1 inf, 1 ftr kiangsu anhwe") == (
        {"move": "1 fighter from Kiangsu to Anhwe"},
        {"move": "1 infantry from Kiangsu to Anhwe"},
    )


def test_a_part_of_a_split_order_that_does_not_stand_takes_the_whole_with_it() -> None:
    written = desk("done", "move 2 inf, 1 ftr kiangsu anhwe")
    assert written.sheet.orders == ("done",) and written.sheet.trouble is not None
    assert str(written.sheet.trouble.problems[0]).startswith("not allowed: Japan has in Kiangsu: 1 infantry, not 2")
    assert agrees(written)


def test_an_entry_that_is_split_is_taken_back_and_edited_as_one() -> None:
    written = desk("done", "move 1 inf, 1 ftr kiangsu anhwe")
    written.take([{"move": {"units": {"infantry": 3}, "from": "kwangsi", "to": "yunnan"}}])
    assert [at for at, _ in written.placed()] == [0, 1, 1, 2] and written.sheet.lines == (2, 3, 3, 4)
    assert len(written.undo().orders) == 3 and written.undo().orders == ("done",)
    assert written.sheet.text == "orders:\n- done\n" and agrees(written)


def test_what_could_be_read_before_is_signed_as_it_was_written() -> None:
    line = "{move: {units: {inf: 3}, from: KWANGSI, to: yunn}}"
    assert read_as("done", line) == ({"move": {"units": {"inf": 3}, "from": "KWANGSI", "to": "yunn"}},)
    assert read_as("buy: 2 infantry, 1 trn") == ({"buy": "2 infantry, 1 trn"},)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("mvoe 3 inf kwangsi yunnan", "'mvoe 3 inf kwangsi yunnan' is no order here; did you mean move"),
        ("Mvoe 3 inf Kwangsi", "'Mvoe 3 inf Kwangsi' is no order here; did you mean move"),
        ("move 3 inf Kwangsy yunnan", "there is no space 'Kwangsy'; did you mean Kwangsi"),
        ("move 3 infntry kwangsi yunnan", "there is no unit 'infntry'; did you mean infantry"),
        ("move: 3 infantry from Kwangsi to Yunan", "there is no space 'Yunan'; did you mean Yunnan"),
        ("move 3 inf kwang yunnan", "space 'kwang'; did you mean Kwangsi or Kwangtung?"),
        ("move 3 inf kwangsi eus", "there is no space 'eus'"),
        ("move 3 kwangsi yunnan", "is no movement"),
        ("move 3 inf kwangsi", "is no movement"),
        ("move 0 inf kwangsi yunnan", "is no number of units"),
        ("move 3 inf kwangsi yunnan hunan", "is no movement"),
    ],
)
def test_a_slip_is_told_in_one_line_with_what_is_spelt_most_like_it(line: str, says: str) -> None:
    assert says in refusal("done", line)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("mark", ["", "damaged "])
def test_several_units_are_written_so_that_they_are_read_again(kind: str, mark: str) -> None:
    for count in (1, 2):
        said = units_text({f"{mark}{kind}": count})
        [group] = read_groups(said)
        assert (group.type, group.count, group.mark) == (kind, count, mark.strip()), said


def test_several_units_have_their_plural() -> None:
    assert units_text({"infantry": 2, "transport": 2, "damaged battleship": 2, "tank": 1}) == (
        "2 infantry, 2 transports, 2 damaged battleships, 1 tank"
    )
