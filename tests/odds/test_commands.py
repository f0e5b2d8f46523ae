"""`pbem odds`, `pbem luck` and what `pbem check` says of battles, as a player meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.commands import inside, must, prepare, run
from tests.manual import page

ATTACK = """\
orders:
  - done
  - move: 3 infantry, 1 artillery from Kwangsi to Yunnan
  - done
standing:
  casualties: cheapest first
  retreat: press
"""


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("odds"))


def told(*words: str) -> dict[str, object]:
    plain = json.loads(must("odds", "axis-and-allies-pacific", *words, "--json"))
    assert isinstance(plain, dict)
    return plain


def test_one_infantry_against_one() -> None:
    plain = told("1 infantry", "1 infantry")
    win, loss, both = 1 / 6 * 2 / 3, 1 / 3 * 5 / 6, 1 / 6 * 1 / 3
    whole = win + loss + both
    assert plain["outcomes"] == pytest.approx({"win": win / whole, "loss": loss / whole, "draw": both / whole, "retreat": 0.0})
    assert plain["means"]["swing to the attacker"] == pytest.approx(3 * (win - loss) / whole)  # type: ignore[index]
    assert plain["exact"] is True


def test_places_orders_of_loss_and_retreat_matter() -> None:
    words = ("2 infantry, 1 tank, 1 cruiser", "2 infantry")
    assert run("odds", "axis-and-allies-pacific", *words).code == 1, "a cruiser does not fight on land"
    cheap, dear = told(*words, "--amphibious"), told(*words, "--amphibious", "--losses", "tank, infantry")
    assert cheap["outcomes"]["win"] > dear["outcomes"]["win"]  # type: ignore[index]
    away = told("2 infantry", "3 infantry", "--retreat", "own-strength < enemy-strength")
    assert away["outcomes"]["retreat"] > 0.3  # type: ignore[index]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("axis-and-allies-pacifc", "1 infantry", "1 infantry"), "axis-and-allies-pacific"),
        (("axis-and-allies-pacific", "1 infantri", "1 infantry"), "infantry"),
        (("axis-and-allies-pacific", "1 destroyer", "1 infantry", "--sea"), "does not fight at sea"),
        (("axis-and-allies-pacific", "1 infantry", "1 infantry", "--losses", "elephant"), "elephant"),
        (("axis-and-allies-pacific", "1 infantry", "1 infantry", "--retreat", "round >"), "missing"),
    ],
)
def test_mistakes_are_named(words: tuple[str, ...], said: str) -> None:
    done = run("odds", *words)
    assert done.code != 0 and said in done.err


def test_check_tells_the_odds_of_the_battles_that_a_draft_starts(moments: dict[str, Path]) -> None:
    with inside(moments["running"]):
        Path("attack.yaml").write_text(ATTACK)
        text, plain = (
            must("check", "attack.yaml", "-g", "axis"),
            json.loads(must("check", "attack.yaml", "-g", "axis", "--json")),
        )
        alone = json.loads(must("odds", "attack.yaml", "-g", "axis", "--json"))
    assert "battle for Yunnan: Japan 3 infantry, 1 artillery against China" in text and "(exact)" in text
    assert plain["odds"] == alone and len(alone) == 1
    assert sum(alone[0]["outcomes"].values()) == pytest.approx(1, abs=1e-12)
    assert alone[0]["notes"] == ["China has no standing order; supposed: casualties cheapest first"]


def test_own_sealed_orders_count_for_their_owner(moments: dict[str, Path]) -> None:
    sealed = ATTACK.replace("  retreat: press\n", "sealed_standing:\n  retreat: [{when: round >= 1, do: retreat}]\n")
    with inside(moments["running"]):
        Path("sealed.yaml").write_text(sealed)
        (told,) = json.loads(must("odds", "sealed.yaml", "-g", "axis", "--json"))
    assert told["outcomes"]["retreat"] > 0.3
    assert not any("retreat" in note for note in told["notes"])


def test_a_board_without_battles(moments: dict[str, Path]) -> None:
    with inside(moments["running"]):
        assert must("odds", "-g", "axis") == "No battles.\n"


def test_luck_before_any_die(moments: dict[str, Path]) -> None:
    with inside(moments["running"]):
        rows = json.loads(must("luck", "-g", "axis", "--json"))
    assert [row["player"] for row in rows] == ["yamada", "nowak"] and all(row["p_value"] == 1 for row in rows)


def test_without_dice_no_picture_is_written(moments: dict[str, Path]) -> None:
    with inside(moments["running"]):
        assert "no picture written" in must("luck", "-g", "axis", "--to", "none.svg")
        assert not Path("none.svg").exists()


def test_luck_counts_every_die_of_the_log(moments: dict[str, Path]) -> None:
    with inside(moments["running"]):
        Path("attack.yaml").write_text(ATTACK)
        must("send", "attack.yaml", "-g", "axis", "--yes")
        for _ in range(8):
            must("receive", "axis/outbox", "-g", "allies")
            must("receive", "allies/outbox", "-g", "axis")
            if "casualties" not in (text := must("status", "-g", "allies")):
                break
            Path("answer.yaml").write_text("orders: []\nstanding:\n  casualties: cheapest first\n")
            run("send", "answer.yaml", "-g", "allies", "--yes")
        rows = json.loads(must("luck", "-g", "axis", "--json"))
        must("luck", "-g", "axis", "--to", "luck.svg")
        must("luck", "-g", "axis", "--to", "luck.png")
        picture = Path("luck.png").read_bytes()
        report = must("report", "-g", "axis", "--format", "html")
        drawn = ElementTree.fromstring(Path("luck.svg").read_text())
        log = json.loads(must("log", "-g", "axis", "--json"))
    yamada, nowak = rows
    assert log and yamada["dice"] > 0, text
    assert yamada["value"] == pytest.approx(-nowak["value"])
    assert yamada["surplus"] == pytest.approx(-nowak["surplus"]) and not yamada["suspect"]
    assert len(drawn.findall("{*}polyline")) == 2 and "luck of the dice" in report
    assert picture.startswith(b"\x89PNG")


def test_the_examples_of_the_manual_run() -> None:
    section = page("odds")
    lines = [line.partition("#")[0].strip() for line in section.splitlines() if line.startswith("pbem odds axis")]
    assert len(lines) >= 3
    for line in lines:
        words = [w.strip('"') for w in re.findall(r'"[^"]*"|\S+', line)]
        assert "(exact)" in must(*words[1:])
    shown = section.split("```text\n")[1].split("```")[0]
    words = [w.strip('"') for w in re.findall(r'"[^"]*"|\S+', lines[0])]
    assert must(*words[1:]) == shown
