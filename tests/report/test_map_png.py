"""PNG: as large as asked, with letters on it although no font of the system is used.

`python -m tests.report.test_map_png` writes the pictures of README.md and of the manual anew.
"""

from __future__ import annotations

import sys
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from pbem import games
from pbem.protocol.outcomes import ProtocolError
from pbem.report import png, svg_map
from pbem.report.maps.look import Look
from tests.empire_of_the_sun import test_telling
from tests.manual import page
from tests.next_war import party as next_war
from tests.pacific_war import party as pacific_war
from tests.report.test_map import draw, japans_turn, opening


def pixels(data: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and rows of RGBA bytes of a PNG."""
    with Image.open(BytesIO(data)) as picture:
        assert picture.format == "PNG"
        width, height, whole = *picture.size, picture.convert("RGBA").tobytes()
    return width, height, [whole[at : at + 4 * width] for at in range(0, len(whole), 4 * width)]


def inked(svg: str) -> int:
    """Pixels that are not white."""
    rows = pixels(png.png(svg))[2]
    return sum(row[i : i + 3] != b"\xff\xff\xff" for row in rows for i in range(0, len(row), 4))


def words(said: str, **attributes: str) -> str:
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><rect width="300" height="40" fill="#ffffff"/>'
        f'<text x="5" y="30" font-size="28"{more}>{said}</text></svg>'
    )


@pytest.mark.parametrize("said", ["8", "Kwangtung", "Кантон", "Łódź štěstí"])
@pytest.mark.parametrize("family", ["DejaVu Sans, Verdana, sans-serif", "a font that nobody has", "sans-serif"])
@pytest.mark.parametrize("weight", ["normal", "bold"])
def test_text_leaves_pixels(said, family, weight):
    assert inked(words(said, font_family=family, font_weight=weight)) > 40 * len(said)


def test_without_text_there_are_none():
    assert inked(words("")) == 0


def test_bold_is_bolder():
    assert inked(words("Kwangtung", font_weight="bold")) > 1.2 * inked(words("Kwangtung"))


def test_a_map_is_as_large_as_asked_and_has_its_text():
    svg = draw(opening(), width=500)
    width, height, rows = pixels(png.png(svg))
    assert width == 500 and height == len(rows) > 300
    title = [row[4 * x : 4 * x + 3] for row in rows[:40] for x in range(10, 350)]
    assert sum(sum(pixel) < 200 for pixel in title) > 400


def test_fonts_and_their_licence_are_in_the_package():
    assert {path.name for path in png.FONTS.iterdir()} == {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "LICENSE"}


def test_a_palette_makes_a_map_small_and_changes_no_colour_that_one_sees():
    svg = draw(opening())
    with Image.open(BytesIO(png.png(svg))) as few, Image.open(BytesIO(png.drawn(svg))) as all_:
        assert few.mode == "P"
        apart = ImageChops.difference(few.convert("RGBA").convert("RGB"), all_.convert("RGB")).convert("L").histogram()
    assert sum(apart[9:]) < 0.03 * sum(apart) and not any(apart[25:])
    assert len(png.png(svg)) < 0.45 * len(png.drawn(svg))


def test_what_can_be_seen_through_stays_so():
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="20" height="40" fill="#ff0000"/></svg>'
    row = pixels(png.png(svg))[2][20]
    assert row[:4] == b"\xff\0\0\xff" and row[-1] == 0


@pytest.mark.parametrize("module", ["resvg_py", "PIL"])
def test_without_the_extra_the_reason_is_said(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ProtocolError, match=r"pbem\[png\]"):
        png.png(words("8"))


# -- the pictures of README.md and the manual ------------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]


@cache
def pictures() -> dict[str, bytes]:
    """By their path."""
    title = "Axis & Allies Pacific 1940: Round 1, Japan"
    empire, offensive = games.load("empire-of-the-sun"), test_telling._pictured()
    korea, coral_sea = next_war.shown(), pacific_war.shown(pacific_war.coral_sea())
    drawn = {
        "opening": draw(opening(), title),
        "battles": draw(japans_turn(), title, around="hunan", width=800),
        "eots-map": svg_map.draw(empire, offensive, "Empire of the Sun, 1942: an offensive", Look(width=1600)),
        "eots-manila": svg_map.draw(empire, offensive, "Manila falls", Look(width=800, around="Manila")),
        "next-war-map": svg_map.draw(games.load("next-war"), korea, "The Orno gap, turn 1", Look()),
        "pacific-war-map": svg_map.draw(games.load("pacific-war"), coral_sea, "Coral Sea", Look()),
    }
    return {f".assets/{name}.png": png.png(svg) for name, svg in drawn.items()}


NAMES = ("opening", "battles", "eots-map", "eots-manila", "next-war-map", "pacific-war-map")


@pytest.mark.parametrize("name", NAMES)
def test_readme_and_manual_show_todays_maps(name):
    path = f".assets/{name}.png"
    told = ("reports", "empire-of-the-sun", "next-war", "pacific-war")
    assert any(f"{path})" in text for text in ((ROOT / "README.md").read_text("utf-8"), *map(page, told)))
    assert pixels(pictures()[path]) == pixels((ROOT / path).read_bytes())


if __name__ == "__main__":
    for path, data in pictures().items():
        (ROOT / path).write_bytes(data)
