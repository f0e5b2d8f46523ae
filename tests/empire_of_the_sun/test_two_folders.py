"""The first offensive of 1942 over the command line: two folders, mails between them, report, maps and dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import inside, must, run

OFFENSIVE = """\
orders:
  - play: {card}
  - operations: South HQ
  - activate: 14th Army, 5th Air Division, CVL Ryujo
  - move: 14th Army to Manila
  - move: CVL Ryujo to Manila
  - done
  - battle: Manila with 14th Army, 5th Air Division, CVL Ryujo
  - done
standing:
  hits: cheapest
  return: home
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Both folders after an offensive to which the Allies do not react."""
    root = tmp_path_factory.mktemp("eots")
    with inside(root):
        must("new", "japan", "--system", "empire-of-the-sun", "--scenario", "year-1942")
        must("join", "--as", "yamada", "--seats", "japan", "-g", "japan")
        must("join", "japan/charter.yaml", "--as", "nowak", "--seats", "allies", "-g", "allies")
        must("accept", "-g", "allies")
        must("accept", "allies/charter.yaml", "-g", "japan")
        must("accept", "japan/charter.yaml", "-g", "allies")
        _send("allies", "orders:\n  - arcadia: no\n")
        _send("allies", "orders:\n  - done\n")
        _send("japan", OFFENSIVE.format(card=_enough_operations()))
        _send("allies", "orders:\n  - pass\nstanding:\n  hits: cheapest\n")
        yield root


def _send(folder: str, orders: str) -> None:
    """An order file checked, sent, and taken by both until nobody's program has anything left to answer by itself."""
    Path("orders.yaml").write_text(orders)
    must("check", "orders.yaml", "-g", folder)
    must("send", "orders.yaml", "-g", folder)
    for giver, taker in (("japan", "allies"), ("allies", "japan")) * 2:
        must("receive", f"{giver}/outbox", "-g", taker)


def _enough_operations() -> str:
    """A card of Japan's hand for three units: operations value 2 or 3, which of seven cards one has in all but a freak deal."""
    hand = re.findall(r"holds (J\d+) .*operations [23]", must("status", "-g", "japan"))
    return str(hand[0])


def test_the_draft_names_the_own_cards(played: Path) -> None:
    with inside(played):
        must("orders", "-g", "allies", "--to", "draft.yaml")
    assert "- play: A" in (played / "draft.yaml").read_text()


def test_the_report_tells_the_battle_and_every_die(played: Path) -> None:
    with inside(played):
        text = must("report", "-g", "allies", "--format", "md", "--spectator")
    assert "#### Battle: Manila/Corregidor 2813" in text
    assert "air-naval combat: strength 28" in text and "+3 Surprise Attack" in text
    assert text.count("; rolled: ") == text.count("pbem dice ")


def test_every_die_is_explained_from_link_to_number(played: Path) -> None:
    with inside(played):
        report = must("report", "-g", "japan", "--format", "md")
        source, roll = report.split("pbem dice ")[1].split("`")[0].split(" --roll ")
        assert "air-naval fire of japan in Manila" in must("dice", source, "--roll", roll, "-g", "japan")


def test_both_folders_draw_the_same_map(played: Path) -> None:
    with inside(played):
        for folder in ("japan", "allies"):
            must("map", "-g", folder, "--to", f"{folder}.svg")
        assert Path("japan.svg").read_bytes() == Path("allies.svg").read_bytes()
        assert 'width="2400"' in Path("japan.svg").read_text()


def test_every_battle_has_its_section_of_the_map(played: Path) -> None:
    with inside(played):
        assert "m-2813.svg written" in must("map", "-g", "japan", "--around", "battles", "--to", "m.svg")


def test_the_map_comes_as_text(played: Path) -> None:
    with inside(played):
        must("map", "-g", "japan", "--around", "Manila", "--to", "m.txt")
        lines = Path("m.txt").read_text().splitlines()
    assert any(line.startswith("2813 Manila/Corregidor: mixed, city, port, airfield") and "BATTLE" in line for line in lines)
    assert "Japan, 1 by sea: Davao 2915 to Manila/Corregidor 2813" in lines


def test_an_area_map_has_no_text_and_says_so(played: Path) -> None:
    with inside(played):
        must("new", "pacific")
        done = run("map", "-g", "pacific", "--to", "m.txt")
    assert done.code != 0


def test_sections_are_found_in_the_code() -> None:
    assert "reaction.py" in must("rules", "empire-of-the-sun", "7.25")
