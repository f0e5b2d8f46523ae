"""`pbem report`: formats, languages, ranges and refusals as a player asks for them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.report import render
from tests.commands import inside, must, prepare, run


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("games"))


FIRST = "orders:\n  - done\n  - done\n  - done\nsealed_standing:\n  retreat: press\nnote:\n  - Good luck.\n"


@pytest.fixture
def game(moments: dict[str, Path], tmp_path: Path) -> Iterator[Path]:
    """Two files without dice: yamada's first turn, and the beginning of nowak's, who is due again."""
    shutil.copytree(moments["running"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("first.yaml").write_text(FIRST)
        must("send", "first.yaml", "-g", "axis", "--yes")
        must("receive", "axis/outbox", "-g", "allies")
        Path("second.yaml").write_text("orders:\n  - done\n")
        must("send", "second.yaml", "-g", "allies", "--yes")
        must("receive", "allies/outbox", "-g", "axis")
        yield tmp_path / "now"


def test_the_suffix_names_the_format(game: Path) -> None:
    for name, start in (("r.md", "# Axis"), ("r.html", "<!DOCTYPE html>"), ("r.bbcode", "[b]Axis"), ("r.txt", "Axis &")):
        must("report", "-g", "axis", "--out", name)
        assert Path(name).read_text("utf-8").startswith(start)


def test_an_html_report_tells_at_its_foot_what_the_cited_rules_say(game: Path) -> None:
    must("report", "-g", "axis", "--out", "r.html")
    shown = Path("r.html").read_text("utf-8")
    cited = set(re.findall(r'href="#rule-([^"]+)"', shown))
    assert cited and cited == set(re.findall(r'id="rule-([^"]+)"', shown))
    assert '<li id="rule-INC-01">Rule INC-01. <b>' in shown


def test_a_refused_check_names_the_title_of_the_rule(game: Path) -> None:
    Path("wrong.yaml").write_text("orders:\n  - declare war: japan\n")
    done = run("check", "wrong.yaml", "-g", "allies")
    assert done.code == 1 and "[POL-US-01 The United States must wait]" in done.err


def test_a_part_of_a_game_that_ended_by_a_resignation(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["over"], tmp_path / "over")
    with inside(tmp_path / "over"):
        for words in (("--from", "2"), ("--from", "2", "--to", "2"), ("--since-mine",), ("--from", "2", "--brief")):
            must("report", *words, "-g", "allies")


def test_languages_by_option_and_by_environment(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Následn" not in must("report", "-g", "axis") and "Co dál" in must("report", "-g", "axis", "--language", "cs")
    monkeypatch.setenv("PBEM_LANGUAGE", "fr_FR.UTF-8")
    assert "Suite" in must("report", "-g", "axis")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "pdf"], ", ".join(render.FORMATS)),
        (["--language", "tlh"], "en, pl, ru, fr, cs"),
        (["--from", "2", "--to", "9"], "1 to 2"),
        (["--turn", "7"], "turn 7 is not in the log"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(game: Path, words: list[str], said: str) -> None:
    done = run("report", "-g", "axis", *words)
    assert done.code == 1 and said in done.err


def test_who_takes_to_for_a_file_is_told_how_one_is_written(game: Path) -> None:
    done = run("report", "-g", "axis", "--to", "r.html")
    assert done.code == 2 and "r.html is no number of a file; `--out r.html` writes the report there" in " ".join(
        done.err.split()
    )
    assert "files 1 to 1" in must("report", "-g", "axis", "--to", "1")


def test_since_my_last_turn_begins_with_my_latest_orders(game: Path) -> None:
    assert "files 1 to 2." in must("report", "-g", "axis", "--since-mine")
    shown = must("report", "-g", "allies", "--since-mine")
    assert "files 2 to 2." in shown and "Good luck." not in shown
    assert "files 1 to 2." in must("report", "-g", "allies", "--turn", "1")


def test_only_the_owner_reads_what_he_sealed_and_only_when_he_wants(game: Path) -> None:
    secret = "For your eyes only"
    assert secret in must("report", "-g", "axis") and secret not in must("report", "-g", "axis", "--spectator")
    assert secret not in must("report", "-g", "allies")


def test_a_refused_order_file_is_reported_with_line_rule_and_what_is_possible(game: Path) -> None:
    Path("bad.yaml").write_text("orders:\n  - move: 1 infantry from Western United States to Japan\n")
    shown = must("report", "-g", "allies", "--refused", "bad.yaml", "--format", "spoken")
    assert "bad.yaml was refused." in shown and "line 2." in shown and "Rule " in shown
    Path("good.yaml").write_text("orders:\n  - done\n")
    assert "good.yaml is not refused" in must("report", "-g", "allies", "--refused", "good.yaml")


def test_a_refused_received_file_is_reported(game: Path) -> None:
    path = sorted(Path("axis/outbox").glob("*.yaml"))[0]
    Path("again.yaml").write_bytes(path.read_bytes().replace(b"Good luck.", b"Bad luck.."))
    shown = must("report", "-g", "allies", "--refused", "again.yaml", "--language", "pl")
    assert "Odrzucono: again.yaml." in shown


def test_a_brief_report_in_every_format_and_language(game: Path) -> None:
    for form in render.FORMATS:
        shown = must("report", "-g", "axis", "--brief", "--format", form)
        assert "Decided: " in shown and "Nothing was fought over" not in shown
    shown = must("report", "-g", "axis", "--brief", "--since-mine", "--language", "pl")
    assert "(pliki od 1 do 2)" in shown and "yamada (Oś), nowak (Alianci)" in shown and "kolej na rozkazy" in shown
    assert "(plik 2)" in must("report", "-g", "allies", "--brief", "--since-mine", "--language", "pl")
    must("report", "-g", "axis", "--brief", "--out", "brief.md")
    assert Path("brief.md").read_text("utf-8").startswith("# Axis &")


def test_a_brief_report_is_not_of_a_refused_file(game: Path) -> None:
    assert run("report", "-g", "axis", "--brief", "--refused", "first.yaml").code == 2


def test_receive_tells_in_short_what_came_from_others(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["running"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("first.yaml").write_text(FIRST)
        must("send", "first.yaml", "-g", "axis", "--yes")
        shutil.copytree("allies", "others")
        shown = must("receive", "axis/outbox", "-g", "allies").splitlines()
        assert shown[shown.index("") + 1] == "Axis & Allies Pacific 1940"
        assert any(line.startswith("Next: nowak (United States) has to send orders") for line in shown)
        plain = json.loads(must("receive", "axis/outbox", "-g", "others", "--json"))
        assert plain["digest"] == shown[shown.index("") + 1 :]
        assert not set(plain["lines"]) & set(plain["digest"])
        again = must("receive", "axis/outbox", "-g", "allies")
        assert "Axis & Allies" not in again
        assert json.loads(must("receive", "axis/outbox", "-g", "axis", "--json"))["digest"] == []


@pytest.mark.parametrize(
    "command", ["verify", "report", "log", "map", "luck", "post", "odds", "hint", "orders", "unsend", "sync"]
)
def test_before_the_charter_is_signed_no_command_says_that_a_log_is_missing(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    with inside(tmp_path):
        must("new", "game")
        must("join", "--as", "yamada", "--seats", "japan", "-g", "game")
        done = run(command, "-g", "game")
        assert (done.code, done.err.strip()) == (3, "waiting: the charter is not signed by everybody yet: see `pbem status`")
