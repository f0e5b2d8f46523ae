"""`pbem map`: at any file, around a space, a picture for each battle, SVG and PNG; wrong wishes are refused in a sentence."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.cli import look, reporting
from pbem.cli.spans import Walk
from pbem.kernel.hex_picture import Place
from pbem.protocol.outcomes import Outcome
from pbem.report import render
from pbem.report.languages import language
from pbem.store.session import Session
from tests.commands import inside, must, prepare, run
from tests.report import test_hex_map
from tests.report.test_map_png import pixels


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """The game folder after an attack on Hunan."""
    folder = prepare(tmp_path_factory.mktemp("moments"))["answered"]
    with inside(folder):
        yield folder


def drawn(*words: str) -> str:
    must("map", "-g", "axis", "--to", "m.svg", *words)
    svg = Path("m.svg").read_text("utf-8")
    ElementTree.fromstring(svg)
    return svg


def test_the_newest_map_shows_the_attack(game):
    svg = drawn()
    assert "Round 1, Japan" in svg
    assert svg.count("Q") > drawn("--arrows", "none").count("Q")


def test_the_map_at_an_earlier_file(game):
    before = drawn("--file", "0")
    assert "Purchase and Repair Units" in before
    assert before != drawn("--file", "1") == drawn("--file", "1", "--arrows", "file")


def test_the_words_of_a_map_tell_the_turn_up_to_its_file(game):
    """Played along on one table they are those of the files taken one by one; the last file brings the fight."""
    told = []
    for last in (1, 2):
        session = Session.open(Path("axis"))
        words = session.game.words()
        steps = Walk(session, last).of_turn(words, 1)
        short = reporting.digest_of(session, steps, last)
        assert look._in_words(session, last) == render.brief(short, "spoken", language("en", ())).strip() != ""
        told.append(look._in_words(session, last))
    assert "Hunan" in told[1] and told[0] != told[1]


def test_arrows_only_of_the_last_file(game):
    assert drawn("--arrows", "file") != drawn("--arrows", "turn")


def test_a_picture_for_each_battle(game):
    said = must("map", "-g", "axis", "--to", "b.svg", "--around", "battles")
    assert said == "b-hunan.svg written\n"
    assert "Hunan" in Path("b-hunan.svg").read_text("utf-8")
    assert must("map", "-g", "axis", "--around", "battles", "--file", "0").startswith("no battles")


def test_a_battle_in_a_hex_is_called_by_its_printed_number():
    fought = Place(302, "japan", fought=True), Place(502, "japan"), Place(303, "japan", fought=True)
    assert look._fought(test_hex_map.picture(spaces=fought)) == ["0302", "0303"]


def test_out_is_another_word_for_to(game):
    assert must("map", "-g", "axis", "--out", "o.svg") == "o.svg written\n"
    assert must("replay", "-g", "axis", "--out", "o.html").startswith("o.html written")


def test_png(game):
    must("map", "-g", "axis", "--to", "m.png", "--around", "Hunan", "--width", "300", "--theme", "dark")
    assert pixels(Path("m.png").read_bytes())[0] == 300


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--around", "Kwangtun"], "Kwangtung"),
        (["--theme", "pink"], "light, dark"),
        (["--width", "9"], "200 to 8000"),
        (["--file", "77"], "there are: 0 to"),
        (["--arrows", "none at all"], "turn, round, file, none"),
    ],
)
def test_wrong_wishes(game, words, reason):
    done = run("map", "-g", "axis", "--to", "no.svg", *words)
    assert done.code == Outcome.UNREADABLE.code
    assert reason in done.err
    assert not Path("no.svg").exists()
