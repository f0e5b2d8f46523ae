"""Maps: what they show, that nothing covers anything, that colours can be told apart, and that no text becomes markup.

`python -m tests.report.test_map` writes the golden maps anew; look at them before you commit them.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem import games
from pbem.kernel.picture import Arrow, Badge, Party, Picture, Space, Stack
from pbem.protocol.outcomes import ProtocolError
from pbem.report import svg_map, view
from pbem.report.maps import area_sheet, panels
from pbem.report.maps.area_map import Drawing
from pbem.report.maps.areas import areas
from pbem.report.maps.look import Look
from pbem.report.maps.style import style
from pbem.report.maps.themes import DARK, LIGHT, THEMES, brightness, ink_on, mix, rgb
from pbem.report.steps import history
from tests.axis_and_allies_pacific import table
from tests.report import recorded

GAME = games.load("axis-and-allies-pacific")
GOLDEN = Path(__file__).parent / "golden" / "maps"
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "defs", "pattern", "g", "path", "rect", "circle", "text", "use"}
TITLE = "Axis & Allies Pacific 1940"


def picture_after(file: int, happened: str = "turn") -> Picture:
    steps = [*history(recorded.start(), recorded.documents()[1 : file + 1], recorded.fetch)]
    files = [(step.before.engine.state, step.taken.events) for step in steps]
    state = steps[-1].taken.table.engine.state if steps else recorded.start().engine.state
    return view.picture_of(GAME, state, files, happened)


@cache
def opening() -> Picture:
    return picture_after(0)


@cache
def japans_turn() -> Picture:
    return picture_after(4)


def draw(picture: Picture, title: str = TITLE, **look: Any) -> str:
    return svg_map.draw(GAME, picture, title, Look(**look))


def drawing(picture: Picture, **look: Any) -> Drawing:
    sea = frozenset(space.id for space in picture.spaces if space.sea)
    return Drawing(areas(GAME, sea), style(GAME), picture, Look(**look))


def texts(svg: str) -> Counter[str]:
    return Counter("".join(e.itertext()) for e in ElementTree.fromstring(svg).iter(f"{SVG}text"))


def with_space(picture: Picture, **changed: Any) -> Picture:
    """The picture with other things in one space."""
    spaces = tuple(_changed(s, changed) if s.id == changed["id"] else s for s in picture.spaces)
    return Picture(picture.parties, picture.facts, spaces, picture.arrows)


def _changed(space: Space, changed: dict[str, Any]) -> Space:
    kept = {name: getattr(space, name) for name in Space.__struct_fields__}
    return Space(**{**kept, **changed})


# -- what is shown ----------------------------------------------------------------------------------------------------------


def test_every_stack_of_the_set_up_has_its_counter():
    said = texts(draw(opening()))
    numbers = Counter(str(stack.count) for space in opening().spaces for stack in space.stacks)
    assert numbers["8"] == 1 and said["8"] == 2  # Japan's infantry, and sea zone 8
    for number, times in numbers.items():
        assert said[number] - (1 <= int(number) <= 63) == times, number


def test_every_space_is_named():
    said = texts(draw(opening()))
    for space in opening().spaces:
        assert all(said[word] for word in space.name.removeprefix("SZ ").split()), space.name


def test_a_narrow_picture_shows_totals():
    said = texts(draw(opening(), width=400))
    japan = next(space for space in opening().spaces if space.id == "japan")
    assert said[f"J{sum(stack.count for stack in japan.stacks)}"] == 1
    assert not said["Kwangsi"]
    assert all(said[str(zone)] for zone in range(1, 64))


def test_buildings_and_their_damage():
    damaged = with_space(opening(), id="india", badges=(Badge("major-ic", 4), Badge("air-base", 0)))
    assert texts(draw(damaged))["−4"] == 1
    assert not texts(draw(opening()))["−4"]


def test_hit_ships_are_marked():
    damaged = with_space(opening(), id="sz-28", stacks=(Stack("japan", "battleship", 3, 2),))
    assert texts(draw(damaged))["✕2"] == 1


def test_changes_are_shown_on_request():
    lost = with_space(opening(), id="sz-28", stacks=(Stack("japan", "cruiser", 0, 0, -2), Stack("japan", "destroyer", 5, 0, 3)))
    said = texts(draw(lost, changes=True))
    assert said["−2"] == said["+3"] == said["5"] - texts(draw(opening()))["5"] == 1
    assert not texts(draw(lost))["−2"] and not texts(draw(lost))["+3"]


def test_battles_and_captured_land_are_marked():
    shown = japans_turn()
    svg = draw(shown)
    assert svg.count(area_sheet.BURST) == 1 + sum(space.fought for space in shown.spaces)  # one in the legend
    taken = [space for space in shown.spaces if space.taken_from]
    assert {space.id for space in taken} == {"anhwe", "chahar", "french-indo-china", "hunan", "yunnan"}
    assert svg.count("url(#mtaken-") == len(taken)


def test_a_round_has_the_arrows_and_battles_of_all_powers():
    last = len(recorded.documents()) - 1
    shown, own = picture_after(last, "round"), picture_after(last)
    assert {arrow.owner for arrow in own.arrows} == {"anzac"}
    assert {arrow.owner for arrow in shown.arrows} >= {"japan", "united-states", "china", "united-kingdom", "anzac"}
    battles = {space.id for space in shown.spaces if space.fought}
    assert battles >= {space.id for space in japans_turn().spaces if space.fought} != set()


def test_letter_and_number_beside_a_name_are_explained():
    assert "held by United States, income 2" in {said.strip() for said in texts(draw(opening()))}


def test_arrows_go_from_space_to_space_in_the_movers_colour():
    one = Picture((), "", opening().spaces, (Arrow("sz-6", "sz-16", "japan", "sea", 3),))
    shown = draw(one, around="sz-6")
    assert draw(Picture((), "", opening().spaces, ()), around="sz-6") != shown
    lines = re.findall(r'<path d="M([\d.]+) ([\d.]+)Q[\d. ]+ ([\d.]+) ([\d.]+)" stroke="(#\w+)"', shown)
    x0, _, x1, _ = map(float, lines[-1][:4])
    at = areas(GAME, frozenset()).boxes
    assert abs(x0 - at["sz-6"][0]) < abs(x0 - at["sz-16"][0]) and abs(x1 - at["sz-16"][0]) < abs(x1 - at["sz-6"][0])
    assert lines[-1][4] == style(GAME).owner("japan").colour


def test_the_surroundings_of_a_space():
    svg = draw(opening(), around="SZ 6")
    said = texts(svg)
    assert said["Japan"] and said["6"] and said["Korea"]
    assert not said["Queensland"]
    assert draw(opening(), around="sz-6") == svg == draw(opening(), around="sz6")


def test_an_unknown_space_is_refused_with_the_nearest_name():
    with pytest.raises(ProtocolError, match="Kwangtung"):
        draw(opening(), around="Kwangtun")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("width", [400, 1000])
def test_themes_and_sizes_make_readable_xml(theme, width):
    root = ElementTree.fromstring(draw(japans_turn(), theme=theme, width=width))
    assert int(root.get("width")) == width
    assert theme.sea in {e.get("fill") for e in root.iter(f"{SVG}rect")}


@pytest.mark.parametrize("look", [{"width": 1000}, {"width": 400}, {"width": 300, "around": "hunan"}], ids=str)
def test_the_title_is_large_enough_to_read(look):
    root = ElementTree.fromstring(draw(opening(), **look))
    wide = float(root.get("viewBox").split()[2])
    scale = float(re.findall(r"scale\(([\d.]+)\)", root.findall(f"{SVG}g")[0].get("transform", "") + "scale(1)")[0])
    size = max(float(text.get("font-size")) for text in root.findall(f"{SVG}g")[0].iter(f"{SVG}text"))
    assert size * scale * look["width"] / wide >= 13.5


# -- nothing covers anything ------------------------------------------------------------------------------------------------


def covered(placed):
    """Pairs of panels with the part of the smaller one that is covered."""
    found = {}
    for one, other in itertools.combinations(placed, 2):
        shared = panels.overlap(one.box, other.box)
        if shared:
            found[one.space.id, other.space.id] = shared / min(b[2] * b[3] for b in (one.box, other.box))
    return found


@pytest.mark.parametrize("width", [400, 1000])
def test_at_the_set_up_no_panel_covers_another(width):
    pairs = covered(drawing(opening(), width=width).panels.placed())
    assert {pair: part for pair, part in pairs.items() if part > 0.12} == {}


def test_after_a_turn_hardly_a_panel_covers_another():
    pairs = covered(drawing(japans_turn()).panels.placed())
    assert {pair: part for pair, part in pairs.items() if part > 0.3} == {}


@pytest.mark.parametrize("file", [4, -1])
def test_the_burst_of_a_battle_hides_no_panel(file):
    made = drawing(japans_turn() if file == 4 else picture_after(len(recorded.documents()) - 1, "round"))
    standing = made.panels.placed()
    bursts = made.marks.bursts(standing)
    assert set(bursts) == {space.id for space in made.sheet.picture.spaces if space.fought} != set()
    for name, spot in bursts.items():
        for other in standing:
            assert other.space.id == name or not panels.overlap((*spot, 24, 24), other.box), (name, other.space.id)


def test_every_panel_lies_on_the_board():
    board = areas(GAME, frozenset())
    for one in drawing(japans_turn()).panels.placed():
        x, y, width, height = one.box
        assert x - width / 2 >= -8 and x + width / 2 <= board.width + 8, one.space.id
        assert y - height / 2 >= -8 and y + height / 2 <= board.height + 8, one.space.id


@pytest.mark.parametrize("look", [{"width": 300}, {"width": 650}, {"width": 1000}, {"around": "hunan", "width": 300}], ids=str)
def test_title_and_legend_stay_on_the_picture(look):
    made = drawing(opening(), **look)
    title = made.beside.heading("A title of many words: round 12, United States, conduct combat")
    assert max(title.width, made.beside.legend().width) * made.sheet.scale <= made.frame.width


# -- colours ----------------------------------------------------------------------------------------------------------------

# Simulation of full colour blindness of one kind on linear RGB (Viénot, Brettel, Mollon 1999; tritan: Machado et al. 2009).
BLIND = {
    "protan": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deutan": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    "tritan": ((1.25553, -0.07675, -0.17878), (-0.07841, 0.93081, 0.1476), (0.00473, 0.69137, 0.3039)),
    "nobody": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
POWERS = ("japan", "united-states", "china", "united-kingdom", "anzac")
PAIRS = [*itertools.combinations(POWERS, 2)]


def lab(colour, matrix):
    """CIE L*a*b* of a colour as such a reader sees it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(colour))]
    seen = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in matrix]
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [
        sum(a * b for a, b in zip(row, seen, strict=True)) / white
        for row, white in zip(to_xyz, (0.9505, 1, 1.089), strict=True)
    ]
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one, other, matrix):
    return sum((a - b) ** 2 for a, b in zip(lab(one, matrix), lab(other, matrix), strict=True)) ** 0.5


@pytest.mark.parametrize("matrix", BLIND.values(), ids=BLIND)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_colour_blind_readers_tell_counters_apart(one, other, matrix):
    looks = style(GAME)
    assert distance(looks.owner(one).colour, looks.owner(other).colour, matrix) > 15


@pytest.mark.parametrize("matrix", BLIND.values(), ids=BLIND)
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_colour_blind_readers_tell_land_apart(one, other, theme, matrix):
    tones = [mix(style(GAME).owner(owner).colour, theme.paper, theme.tone) for owner in (one, other)]
    assert distance(*tones, matrix) > 8


def test_owners_have_letters_of_their_own():
    letters = [owner.letter for owner in style(GAME).owners.values()]
    assert len(letters) == len(set(letters))


def contrast(one, other):
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_print_on_counters_and_panels_is_readable():
    for owner in style(GAME).owners.values():
        assert contrast(owner.colour, ink_on(owner.colour)) >= 4.5, owner
    for theme in THEMES.values():
        assert contrast(theme.ink, theme.panel) >= 7
        assert contrast(theme.faint, theme.sea) >= 4.5
        for owner in style(GAME).owners.values():
            assert contrast(theme.ink, mix(owner.colour, theme.paper, theme.tone)) >= 4.5, (theme.name, owner)


# -- hostile names -----------------------------------------------------------------------------------------------------------

HOSTILE = [
    "</text><script>alert(1)</script>",
    '" onload="alert(1)',
    "]]><!--<image href='http://example.org/x.png'/>",
    "&lt;&#x3c;%3Cscript%3E",
    "\x00\x08\x1b[31m\u202eevil\u2066",
    "W" * 10_000,
    "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
    "{{ 7 * 7 }}{% for %}",
]


def hostile_picture(text: str) -> Picture:
    evil = with_space(
        opening(), id="sz-28", name=text, city=text, owner=text, signs=(text,), badges=(Badge(text, 3),),
        stacks=(Stack(text, text, 4, 1, 2), Stack("japan", text, 2)), fought=True, taken_from=text,
    )  # fmt: skip
    more = with_space(evil, id="yunnan", name=text, city=text, owner=text, taken_from=text)
    arrow = Arrow("sz-28", "sz-11", text, text, 2)
    return Picture((Party(text, text), *more.parties), text, more.spaces, (arrow,))


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("look", [{}, {"width": 400}, {"around": "sz-28", "theme": DARK, "changes": True}], ids=str)
def test_hostile_text_stays_text(text, look):
    svg = draw(hostile_picture(text), text, **look)
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ELEMENTS
        assert not [name for name in element.attrib if name.startswith("on") or name.endswith("style")]
        assert element.get("href", "#").startswith("#")
        assert len("".join(element.itertext()) if element.tag == f"{SVG}text" else "") <= 80
    assert not set(svg) & {"\x00", "\x08", "\x1b", "\u202e", "\u2066"}
    assert len(svg) < 400_000


def test_an_unknown_owner_and_type_are_drawn_all_the_same():
    strange = with_space(opening(), id="sz-28", stacks=(Stack("martians", "saucer", 9),))
    assert texts(draw(strange))["M"] == 1


# -- golden maps -------------------------------------------------------------------------------------------------------------


def golden() -> dict[str, str]:
    """Without the long outlines, which shapes.json has already; a line for each element."""
    maps = {
        "opening": draw(opening()),
        "opening-phone": draw(opening(), width=400),
        "turn-dark": draw(japans_turn(), theme=DARK, changes=True),
        "hunan": draw(japans_turn(), theme=LIGHT, around="hunan"),
    }
    return {name: _abridged(svg) for name, svg in maps.items()}


def _abridged(svg: str) -> str:
    return re.sub(r' d="([^"]{40})[^"]{160,}"', r' d="\1…"', svg).replace("><", ">\n<") + "\n"


@pytest.mark.parametrize("name", ["opening", "opening-phone", "turn-dark", "hunan"])
def test_golden_maps(name):
    assert golden()[name] == (GOLDEN / f"{name}.svg").read_text("utf-8")


# -- what a game brings -------------------------------------------------------------------------------------------------------


def test_the_turn_begins_where_the_state_is_brought_to():
    """What the counters say has changed is what the events of the turn have changed."""
    shown = japans_turn()
    first = {(s.id, k.owner, k.type): k.count for s in opening().spaces for k in s.stacks}
    now = {(s.id, k.owner, k.type): k for s in shown.spaces for k in s.stacks}
    assert all(stack.change == stack.count - first.get(key, 0) for key, stack in now.items())
    assert set(first) <= set(now)


def test_a_later_turn_counts_from_its_own_beginning():
    shown = picture_after(5)
    changed = {k.owner for s in shown.spaces for k in s.stacks if k.change}
    assert changed == {"japan", "china"}


def test_nothing_happened_before_the_first_file():
    assert not opening().arrows
    assert not [space for space in opening().spaces if space.fought or space.taken_from]


def test_arrows_of_the_last_file_alone():
    assert set(picture_after(5, "file").arrows) <= set(picture_after(5).arrows)
    assert picture_after(5, "none").arrows == ()
    with pytest.raises(ProtocolError, match="turn, round, file, none"):
        picture_after(1, "yesterday")


def test_signs_and_cities_come_from_the_board():
    spaces = {space.id: space for space in opening().spaces}
    assert spaces["sz-6"].signs == ("convoy", "kamikaze")
    assert spaces["japan"].city == "Tokyo" and spaces["japan"].capital
    assert spaces["philippines"].city == "Manila" and not spaces["philippines"].capital


def test_a_landing_has_an_arrow_from_its_zone():
    from pbem.games.axis_and_allies_pacific.events.moves import Boarded, Landed, Moved
    from pbem.games.axis_and_allies_pacific.picture import picture

    g = table.empty()
    table.put(g, "japan", "sz-6", "transport")
    table.put(g, "japan", "japan", "infantry")
    ship, infantry = g.units
    happened = [
        Boarded(infantry, ship, "combat-move", "TRN-02"),
        Moved(ship, "sz-20", "sz-6", 1, "combat-move", "", "CM-01"),
        Landed(infantry, ship, "formosa", "", "combat-move", "AMP-01"),
    ]
    arrows = {(a.start, a.to, a.kind) for a in picture(g, [(g, happened)]).arrows}
    assert arrows == {("sz-6", "sz-20", "sea"), ("sz-20", "formosa", "land")}


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name, text in golden().items():
        (GOLDEN / f"{name}.svg").write_text(text, "utf-8")
