"""The first offensive of 1942 over the command line: two folders, mails between them, report, maps and dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import inside, must, run
from tests.two_players.folders import Pair, Side, first_die

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
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Both folders after an offensive to which the Allies do not react."""
    root = tmp_path_factory.mktemp("eots")
    with inside(root):
        japan, allies = Side("japan", "yamada", ["japan"]), Side("allies", "nowak", ["allies"])
        pair = Pair.begun("empire-of-the-sun", "year-1942", japan, allies)
        pair.send("allies", "orders:\n  - arcadia: no\n")
        pair.send("allies", "orders:\n  - done\n")
        pair.send("japan", OFFENSIVE.format(card=_enough_operations()))
        pair.send("allies", "orders:\n  - pass\nstanding:\n  hits: cheapest\n")
        yield pair


def _enough_operations() -> str:
    """A card of Japan's hand for three units: operations value 2 or 3, which of seven cards one has in all but a freak deal."""
    hand = re.findall(r"holds (J\d+) .*operations [23]", must("status", "-g", "japan"))
    return str(hand[0])


def test_the_draft_names_the_own_cards(played: Pair) -> None:
    must("orders", "-g", "allies", "--to", "draft.yaml")
    assert "- play: A" in Path("draft.yaml").read_text()


def test_the_report_tells_the_battle_and_every_die(played: Pair) -> None:
    text = must("report", "-g", "allies", "--format", "md", "--spectator")
    assert "#### Battle: Manila/Corregidor 2813" in text
    assert "air-naval combat: strength 28" in text and "+3 Surprise Attack" in text
    told = text[text.index("## Situation") :]  # the digest before it tells one throw once more
    assert told.count("; rolled: ") == text.count("pbem dice ")


def test_every_die_is_explained_from_link_to_number(played: Pair) -> None:
    assert "air-naval fire of japan in Manila" in first_die(played.first)


def test_both_folders_draw_the_same_map(played: Pair) -> None:
    assert 'width="3080"' in played.same_map()


def test_every_battle_has_its_section_of_the_map(played: Pair) -> None:
    assert "m-2813.svg written" in must("map", "-g", "japan", "--around", "battles", "--to", "m.svg")


def test_the_map_comes_as_text(played: Pair) -> None:
    must("map", "-g", "japan", "--around", "Manila", "--to", "m.txt")
    lines = Path("m.txt").read_text().splitlines()
    assert any(line.startswith("2813 Manila/Corregidor: Mixed, City, Port, Airfield") and "BATTLE" in line for line in lines)
    assert "Japan, 1 by sea: Davao 2915 to Manila/Corregidor 2813" in lines


def test_an_area_map_has_no_text_and_says_so(played: Pair) -> None:
    must("new", "pacific")
    done = run("map", "-g", "pacific", "--to", "m.txt")
    assert done.code != 0


def test_sections_are_found_in_the_code() -> None:
    assert "reaction/intelligence.py" in must("rules", "empire-of-the-sun", "7.25")
