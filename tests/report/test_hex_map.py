"""Hex maps: where land, coasts, counters and arrows lie, what is hatched, that no text becomes markup.

`python -m tests.report.test_hex_map` writes the golden maps anew; look at them before you commit them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem import games
from pbem.kernel.hex_picture import Box, Cell, HexMap, HexPicture, Journey, Piece, Place, Track
from pbem.kernel.picture import Party
from pbem.protocol.outcomes import ProtocolError
from pbem.report import svg_map
from pbem.report.maps import hex_land, hex_marks, hex_sheet, hex_text
from pbem.report.maps.hex_counters import TILE, grouped
from pbem.report.maps.hex_land import HALF, RADIUS, layout, outline
from pbem.report.maps.hex_map import Drawing
from pbem.report.maps.hex_names import COUNTERS, Area, area, labels
from pbem.report.maps.look import Look
from pbem.report.maps.style import style
from pbem.report.maps.themes import DARK, LIGHT, mix
from tests.empire_of_the_sun import test_telling
from tests.report.test_map import BLIND, distance

GAME = games.load("empire-of-the-sun")  # whose style is used; the board below is no game's
GOLDEN = Path(__file__).parent / "golden" / "maps"
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "defs", "pattern", "g", "path", "rect", "circle", "text", "use"}
SEA = ("W",) * 6
LAND = {  # two land hexes side by side, a third below both, an island, a coast with a closed side
    202: Cell(202, "open", ("W", "W", "L", "W", "W", "W"), "Westport", ("city", "port")),
    302: Cell(302, "jungle", ("W", "W", "W", "LR", "W", "L")),
    303: Cell(303, "mountain", ("LR", "W", "W", "W", "W", "W"), "Peak", ("airfield", "resource")),
    502: Cell(502, "atoll", SEA, "Lonely & <small>", ("airfield",)),
}
BOARD = HexMap(tuple(LAND.get(h, Cell(h, "ocean", SEA)) for h in (100 * c + r for c in range(1, 7) for r in range(1, 5))))


def piece(name: str, **given: Any) -> Piece:
    return Piece(
        **{"owner": "us", "type": "air", "group": "air", "attack": 10, "defense": 8, "short": name[:4], **given}, name=name
    )


def picture(**given: Any) -> HexPicture:
    army = piece("1st Army", owner="japan", type="ground", group="ground", attack=18, defense=12)
    hurt = piece("2nd Army", owner="japan", type="ground", group="ground", attack=9, reduced=True, marks=("unsupplied",))
    spaces = (
        Place(202, "japan", (("japan", False),), (army, hurt, piece("CV Hiryu", owner="japan", type="cv", group="naval"))),
        Place(302, "japan", (("japan", True), ("allies", True)), (), fought=True, taken_from="allies"),
        Place(402, "", (("allies", False),)),
        Place(502, "allies", (("allies", False),), (piece("7th Air Force"),)),
    )
    return HexPicture(
        **{
            "map": BOARD,
            "parties": (Party("japan", "4 cards"), Party("allies", "5 cards")),
            "facts": "Turn 1 of 3",
            "spaces": spaces,
            "journeys": (Journey((502, 402, 302), "allies", "air", 2), Journey((202, 302), "japan", "land", 1)),
            "tracks": (Track("Will", ("0", "1", "2"), 1),),
            "boxes": (Box("Later", (army,)),),
            **given,
        }
    )


def draw(shown: HexPicture | None = None, **look: Any) -> str:
    return svg_map.draw(GAME, shown or picture(), "A small war", Look(**{"width": 0, **look}))


def points(path: str) -> list[tuple[float, float]]:
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


# -- land ------------------------------------------------------------------------------------------------------------------


def test_neighbours_stand_one_hex_apart() -> None:
    at = layout(BOARD)
    for h, (x, y) in at.middles.items():
        for there in (n for n in at.near[h] if n in at.cells):
            nx, ny = at.middles[there]
            assert (nx - x) ** 2 + (ny - y) ** 2 == pytest.approx((2 * HALF) ** 2)


def test_land_goes_on_across_a_side_from_both_hexes() -> None:
    at = layout(BOARD)
    joined = {(h, i) for h in at.cells for i in range(6) if at.joined(h, i)}
    assert joined == {(202, 2), (302, 5), (302, 3), (303, 0)}


def test_land_touches_the_same_points_of_a_common_side() -> None:
    at = layout(BOARD)
    common = set(points(at.shore(302))) & set(points(at.shore(303)))
    assert len(common) == 2
    assert {y for _, y in common} == {round(at.middles[302][1] + HALF, 1)}


def test_an_island_stays_inside_its_hex() -> None:
    at = layout(BOARD)
    x, y = at.middles[502]
    assert all((px - x) ** 2 + (py - y) ** 2 < (0.62 * RADIUS) ** 2 for px, py in points(at.shore(502)))


def test_a_corner_where_three_land_hexes_meet_is_solid() -> None:
    cells = [Cell(h, "open", ("L",) * 6) for h in (202, 302, 303, 203)]
    at = layout(HexMap((*cells, Cell(101, "ocean", SEA))))
    assert at.solid(302, 3) and at.solid(202, 2)  # between 302, 303 and 202
    hexagon = {(round(x, 1), round(y, 1)) for x, y in points(at.hexagon(302))}
    assert {(round(x, 1), round(y, 1)) for x, y in points(at.shore(302))} <= hexagon | set(points(at.shore(302)))


def test_the_border_of_a_region_runs_along_its_outer_sides() -> None:
    at = layout(BOARD)
    assert outline(at, [402]).count("M") == 6
    assert outline(at, [302, 303]).count("M") == 10
    assert outline(at, []) == ""


def test_a_side_that_nothing_crosses_is_a_bar() -> None:
    closed = Cell(202, "open", ("-", "W", "L", "W", "W", "W"))
    cells = tuple(closed if cell.id == 202 else cell for cell in BOARD.cells)
    assert hex_land._closed(layout(BOARD), [202], LIGHT) == ""
    assert hex_land._closed(layout(HexMap(cells)), [202], LIGHT).count("M") == 1


def test_a_route_runs_from_middle_to_middle() -> None:
    at = layout(BOARD)
    (x, y), (nx, ny) = at.middles[302], at.middles[303]
    (path, again) = re.findall(r' d="([^"]*)"', hex_land._routes(at, list(at.cells), LIGHT))
    assert path == again and {tuple(map(round, p)) for p in points(path)} == {(round(x), round(y)), (round(nx), round(ny))}


# -- counters --------------------------------------------------------------------------------------------------------------


def test_pieces_are_grouped_by_owner_and_kind_strongest_first() -> None:
    found = grouped(picture().spaces[0].pieces)
    assert [[p.name for p in group] for group in found] == [["1st Army", "2nd Army"], ["CV Hiryu"]]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6, 9])
@pytest.mark.parametrize("around", ["", "302"])
@pytest.mark.parametrize("place", [201, 202])  # the second has a name
def test_counters_stay_between_the_number_and_the_signs_of_their_hex(number: int, around: str, place: int) -> None:
    drawing = Drawing(GAME, picture(), Look(around=around))
    room, stack = (
        drawing.counters.room(place),
        drawing.counters.stack(place, [piece(str(i), group=f"group {i}") for i in range(number)]),
    )
    placed = re.findall(r'<g transform="translate\((-?[\d.]+) (-?[\d.]+)\)(?: scale\(([\d.]+)\))?"><title', stack)
    assert len(placed) == number
    for x, y, scale in placed:
        size = float(scale or 1)
        assert float(x) >= -RADIUS and float(x) + TILE[0] * size <= RADIUS
        assert room.middle + float(y) >= 8.5 - HALF and room.middle + float(y) + TILE[1] * size <= room.signs + 1


def test_a_pile_says_how_many_and_the_sum_of_attacks() -> None:
    assert {"×2", "27"} <= set(texts(draw()))


def test_near_by_every_counter_stands_alone_with_its_strengths() -> None:
    said = texts(draw(around="Westport"))
    assert {"18-12", "9-8", "10-8"} <= set(said) and "×2" not in said


@pytest.mark.parametrize("number", [1, 2])
def test_at_full_size_the_name_of_a_counter_can_be_read(number: int) -> None:
    """Four letters are at least 6 pixels high on a map as wide as suits it, and whoever points at it reads the whole name."""
    shown = test_telling._pictured()
    drawing = Drawing(GAME, shown, Look())
    several = [piece(f"Akagi {n}", short="Akag", group=f"{n}") for n in range(number)]
    for place in (h for h in drawing.sheet.shown[:60]):
        stack = drawing.counters.stack(place, several)
        scale = drawing.counters.grid(place, several).size / drawing.sheet.scale
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"[^>]*>Akag<', stack)]
        assert len(sizes) == number and min(sizes) * scale >= 6
        assert [f"<title>Akagi {n} 10-8</title>" in stack for n in range(number)] == [True] * number


def test_reduced_and_unsupplied_counters_are_marked() -> None:
    drawing = Drawing(GAME, picture(), Look())
    whole, hurt = drawing.counters.tile([piece("a")]), drawing.counters.tile([piece("a", reduced=True, marks=("unsupplied",))])
    assert "!" not in whole and ">!<" in hurt
    assert hurt.count("<path") == whole.count("<path") + 1


# -- zones, battles, arrows --------------------------------------------------------------------------------------------------


def test_zones_are_tinted_where_they_rule_and_hatched_where_not() -> None:
    drawing = Drawing(GAME, picture(), Look())
    assert drawing.marks.zones_of() == [("japan", [202], [302]), ("allies", [402, 502], [302])]
    svg = drawing.whole("")
    assert {"hzone0", "hzone1"} <= set(re.findall(r"url\(#(\w+)\)", svg))


def test_battles_and_hexes_that_changed_hands_are_marked() -> None:
    calm = picture(spaces=tuple(Place(p.id, p.owner, p.zones, p.pieces) for p in picture().spaces))
    assert draw().count(hex_sheet.BURST) == draw(calm).count(hex_sheet.BURST) + 1 == 2  # one is in the legend
    assert draw().count("#ffd23f") == draw(calm).count("#ffd23f") + 1 == 2


def test_an_arrow_ends_before_the_counters_of_its_last_hex() -> None:
    drawing = Drawing(GAME, picture(journeys=(Journey((502, 402), "allies", "sea", 1),)), Look())
    x, y = drawing.sheet.at.middles[402]
    ends = [points(d) for d in re.findall(r' d="(M[^"]*)"', drawing.marks.journeys())]
    nearest = min((px - x) ** 2 + (py - y) ** 2 for path in ends for px, py in path)
    assert (hex_marks.SHORT - 12) ** 2 < nearest < (2 * HALF) ** 2


def test_a_journey_that_leads_nowhere_is_not_drawn() -> None:
    drawing = Drawing(
        GAME, picture(journeys=(Journey((502,), "allies", "sea", 1), Journey((9901, 9902), "japan", "sea", 1))), Look()
    )
    assert "<path" not in drawing.marks.journeys()


@pytest.mark.parametrize(("name", "first"), [("empire-of-the-sun", "japan"), ("next-war", "allied"), ("pacific-war", "japan")])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_no_land_has_the_colour_of_the_sea_whoever_holds_it(name: str, first: str, theme: Any) -> None:
    looks, owners = hex_land.terrains(games.load(name)), style(games.load(name)).owners
    (sea,) = (looks[id].colour(theme) for id in ("ocean", "sea") if id in looks)
    for id, terrain in looks.items():
        for owner in owners if terrain.colour(theme) != sea else ():
            tinted = mix(owners[owner].colour, terrain.colour(theme), hex_marks.TONES[owner != first])
            assert distance(tinted, sea, BLIND["nobody"]) >= 19, (id, owner)


# -- words -------------------------------------------------------------------------------------------------------------------


def test_names_are_text_and_never_markup() -> None:
    tree = ElementTree.fromstring(draw())
    assert {element.tag.removeprefix(SVG) for element in tree.iter()} <= ELEMENTS
    assert "Lonely & <small>" in texts(draw())


@pytest.mark.parametrize("said", ["0502", "502", "Lonely & <small>", "lonely small"])
def test_a_hex_is_found_by_number_and_name(said: str) -> None:
    assert hex_sheet.known(picture(), said) == 502


def test_an_unknown_hex_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ProtocolError) as refused:
        draw(around="Westprot")
    assert "Westport" in str(refused.value)


def test_tracks_mark_where_they_stand_and_boxes_hold_their_counters() -> None:
    said = texts(draw())
    assert {"Will", "0", "1", "2", "Later"} <= set(said)
    assert "Will" not in texts(draw(around="502"))


def test_themes_share_shapes_and_differ_in_colours() -> None:
    light, dark = draw(theme=LIGHT), draw(theme=DARK)
    colour = re.compile(r"#[0-9a-f]{6}")
    assert colour.sub("", light) == colour.sub("", dark)
    assert light != dark


def test_the_same_position_makes_the_same_bytes() -> None:
    assert draw() == draw()


# -- names and what they must not hide ---------------------------------------------------------------------------------------


def drawn_texts(svg: str) -> list[tuple[str, Area]]:
    """Names and hex numbers of the board itself with what they cover, in board units."""
    window = ElementTree.fromstring(svg).find(f".//{SVG}svg")
    assert window is not None
    said = [t for t in window.iter(f"{SVG}text") if t.get("x") is not None and t.get("text-anchor", "") != "end"]
    sizes = [(t, float(t.get("font-size", "0"))) for t in said]
    return [
        (t.text or "", area(t.text or "", float(t.get("x", "0")), float(t.get("y", "0")), size, 1.0, bold=not t.get("fill")))
        for t, size in sizes
    ]


ISLES = {303: "Santa Catalina", 304: "San Salvador", 402: "Isla Grande", 502: "Port Arthur", 101: "Westernmost Bay"}


@pytest.mark.parametrize("around", ["", "302"])
@pytest.mark.parametrize("pointed", [False, True])
def test_no_name_hides_a_hex_number_or_leaves_the_picture(pointed: bool, around: str) -> None:
    cells = tuple(Cell(c.id, "atoll" if c.id in ISLES else "ocean", SEA, ISLES.get(c.id, "")) for c in BOARD.cells)
    svg = draw(picture(map=HexMap(cells, pointed=pointed), spaces=(), journeys=()), around=around)
    found = drawn_texts(svg)
    names, numbers = [a for t, a in found if t in ISLES.values()], [a for t, a in found if t.isdigit()]
    assert len(numbers) > 10 and len(names) >= 4
    assert not any(name.cost(number) > 1 for name in names for number in numbers)
    x, y, wide, high = map(float, re.findall(r'<svg [^>]*viewBox="([^"]+)"', svg)[1].split())
    assert not any(name.outside(Area(x, y, x + wide, y + high)) > 1 for name in names)


def test_a_name_goes_where_no_counters_stand() -> None:
    below = Area(-40, 30, 40, 60, COUNTERS)
    (moved,) = labels({1: "Here"}, {1: (0.0, 0.0), 2: (0.0, 70.0)}, 10, [(2, below)], Area(-200, -200, 200, 200))
    (usual,) = labels({1: "Here"}, {1: (0.0, 0.0)}, 10, [], Area(-200, -200, 200, 200))
    assert HALF > usual.y > HALF - 5 and moved.y < usual.y


def test_the_burst_of_a_battle_lies_behind_the_counters_at_the_rim() -> None:
    here = Place(302, "japan", (), (piece("1st Army"), piece("2nd Army")), fought=True)
    svg = draw(picture(spaces=(here,)))
    assert svg.index(hex_sheet.BURST) < svg.index("1st")
    x, y = (float(n) for n in re.findall(r'translate\((\S+) (\S+)\) scale\(0.75\)"><path d="M0-22', svg)[0])
    drawing = Drawing(GAME, picture(), Look())
    mx, my = drawing.sheet.at.middles[302]
    assert (x - mx) ** 2 + (y - my) ** 2 > (HALF - 1) ** 2


def test_beside_a_section_every_counter_of_a_pile_stands_with_its_name() -> None:
    crowd = tuple(piece(f"Squadron {n}", owner="allies") for n in range(12))
    svg = draw(picture(spaces=(Place(302, "allies", (), crowd), Place(303, "allies", (), (piece("Lone Wolf"),)))), around="302")
    said = texts(svg)
    assert {one.name for one in crowd} <= set(said) and "×12" in said
    assert "Lone Wolf" not in said  # it stands alone, the map shows it
    assert "Squadron 3" not in texts(draw(picture(spaces=(Place(302, "allies", (), crowd),))))


@pytest.mark.parametrize("width", [0, 390])
def test_a_long_heading_is_told_to_its_end(width: int) -> None:
    """Counts of a large war are longer than a line of text may be; words of others are cut all the same."""
    counts = ", ".join(f"ships of the {n}. kind {100 + n}" for n in range(9))
    svg = draw(picture(parties=(Party("japan", counts), Party("allies", "x" * 500)), facts=f"{counts}, end"), width=width)
    said = " ".join(texts(svg)).split()
    assert all(said.count(str(100 + n)) + said.count(f"{100 + n},") >= 2 for n in range(9)) and "end" in said
    assert max(len(word) for word in said) == 80 and "…" in max(said, key=len)
    assert len([word for word in said if "…" in word]) == 1


# -- the whole theatre ---------------------------------------------------------------------------------------------------------


def test_a_theatre_names_every_place_and_is_not_huge() -> None:
    shown = test_telling._pictured()
    svg = svg_map.draw(GAME, shown, "", Look(width=0))
    said = set(texts(svg))
    assert {cell.name.split("/")[0] for cell in shown.map.cells if cell.name} <= said
    assert len(svg) < 700_000
    assert f'width="{round(layout(shown.map).width)}"' in svg  # a pixel for each board unit


# -- golden maps -------------------------------------------------------------------------------------------------------------


def golden() -> dict[str, str]:
    theatre = test_telling._pictured()
    return {
        "hex-small.svg": _lines(draw()),
        "hex-small-dark.svg": _lines(draw(theme=DARK)),
        "hex-section.svg": _lines(draw(around="302")),
        "hex-small.txt": hex_text.text(GAME, picture(), "A small war"),
        "hex-manila.svg": _lines(svg_map.draw(GAME, theatre, "Manila", Look(width=0, around="Manila"))),
        "hex-manila.txt": hex_text.text(GAME, theatre, "Manila", "Manila"),
    }


def _lines(svg: str) -> str:
    return svg.replace("><", ">\n<") + "\n"


@pytest.mark.parametrize(
    "name", ["hex-small.svg", "hex-small-dark.svg", "hex-section.svg", "hex-small.txt", "hex-manila.svg", "hex-manila.txt"]
)
def test_golden_hex_maps(name: str) -> None:
    assert golden()[name] == (GOLDEN / name).read_text("utf-8")


if __name__ == "__main__":
    for where, text in golden().items():
        (GOLDEN / where).write_text(text, "utf-8")
