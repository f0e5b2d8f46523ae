"""What a rules module may leave out when it says what a map shows."""

from __future__ import annotations

from pbem.kernel.hex_picture import Box, Cell, Change, HexMap, HexPicture, Journey, Piece, Place, Track, compared
from pbem.kernel.picture import Arrow, Badge, Party, Picture, Space, Stack


def test_a_hex_has_its_printed_number() -> None:
    assert Cell(712, "clear", ()).number == "0712"
    assert Cell(12345, "clear", ()).number == "12345"
    assert Cell(712, "clear", (), label="W7").number == "W7"


def test_a_hex_map_is_the_usual_one_unless_it_says_otherwise() -> None:
    cell = Cell(712, "clear", ("L",) * 6)
    assert (cell.name, cell.signs, cell.label) == ("", (), "")
    printed = HexMap((cell,))
    assert (printed.sea, printed.odd_lower, printed.pointed) == ("ocean", True, False)


def test_a_hex_picture_shows_what_is_named() -> None:
    piece = Piece("red", "infantry", "ground", "1st Army", 4, 3)
    assert (piece.short, piece.reduced, piece.marks, piece.said) == ("", False, (), "")
    place = Place(712, pieces=(piece,))
    assert (place.owner, place.zones, place.fought, place.taken_from) == ("", (), False, "")
    picture = HexPicture(HexMap(()), (Party("red", "5 points"),), "turn 1", (place,))
    assert (picture.journeys, picture.tracks, picture.boxes) == ((), (), ())
    journey, track, box = Journey((712, 713), "red", "land", 2), Track("turn", ("1", "2"), -1), Box("reserve", (piece,))
    assert (journey.path, journey.count, track.at, box.pieces) == ((712, 713), 2, -1, (piece,))


def pieces(*names: str) -> tuple[Piece, ...]:
    """`red 1st Army`: counters by owner and name."""
    return tuple(Piece(name.split()[0], "infantry", "ground", name, 4, 3) for name in names)


def test_a_picture_is_compared_with_an_earlier_one_hex_by_hex() -> None:
    before = HexPicture(
        HexMap(()),
        (),
        "turn 1",
        (
            Place(101, pieces=pieces("red 1", "red 1", "blue 9")),
            Place(102, "red", (("red", False),), pieces("red 2"), fought=True, taken_from="blue"),
            Place(103, "blue", (("blue", True),), fought=True),
            Place(104, pieces=pieces("red 3")),
        ),
    )
    now = HexPicture(
        HexMap(()),
        (),
        "turn 2",
        (
            Place(101, pieces=pieces("red 1", "red 4", "red 5")),
            Place(104, pieces=pieces("red 3")),
            Place(105, "blue", pieces=pieces("blue 7", "blue 7")),
        ),
    )
    seen = compared(now, before)
    assert seen.facts == "turn 2" and seen.spaces == (
        Place(101, pieces=now.spaces[0].pieces, changes=(Change("red", 2, 1), Change("blue", 0, 1))),
        Place(104, pieces=now.spaces[1].pieces),
        Place(105, "blue", pieces=now.spaces[2].pieces, changes=(Change("blue", 2, 0),)),
        Place(102, changes=(Change("red", 0, 1),)),
    )


def test_an_area_picture_shows_what_is_named() -> None:
    stack, badge = Stack("red", "infantry", 3), Badge("port")
    assert (stack.damaged, stack.change, badge.damage) == (0, 0, 0)
    space = Space("hunan", "Hunan", False, "red", stacks=(stack,), badges=(badge,))
    assert (space.value, space.city, space.capital, space.signs, space.fought, space.taken_from) == (
        0,
        "",
        False,
        (),
        False,
        "",
    )
    picture = Picture((Party("red", ""),), "round 1", (space,), (Arrow("hunan", "yunnan", "red", "land", 2),))
    assert picture.spaces[0].stacks[0].count == 3 and picture.arrows[0].to == "yunnan"
