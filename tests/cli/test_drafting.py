"""`pbem orders`: what a person has written is not overwritten; the next question is added under what stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.cli import drafting
from pbem.runtime.paper import read_paper
from tests.board.test_turns import at_one_machine, until
from tests.commands import begun, inside, must, run
from tests.manual import page, told


@pytest.fixture
def axis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    run("play", str(tmp_path / "g"), stdin="")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "g" / "keys"))
    return tmp_path / "g" / "axis"


def drafted(axis: Path) -> Path:
    to = axis.parent / "orders.yaml"
    must("orders", "-g", str(axis), "--to", str(to))
    return to


def test_an_untouched_draft_is_written_anew(axis: Path) -> None:
    first = drafted(axis).read_text()
    assert first.startswith("# draft ") and drafted(axis).read_text() == first


@pytest.mark.parametrize("change", ["# mine\n", "  - buy: 1 infantry\n"])
def test_an_edited_file_is_not_overwritten(change: str, axis: Path) -> None:
    to = drafted(axis)
    edited = to.read_text().replace("orders:\n", f"orders:\n{change}")
    to.write_text(edited)
    done = run("orders", "-g", str(axis), "--to", str(to))
    assert done.code == 1 and "--continue" in done.err and to.read_text() == edited


def test_a_file_of_ones_own_is_not_overwritten(axis: Path) -> None:
    to = axis.parent / "orders.yaml"
    to.write_text("orders: [\n")
    assert run("orders", "-g", str(axis), "--to", str(to)).code == 1 and to.read_text() == "orders: [\n"


def test_what_was_sent_is_kept_aside(axis: Path) -> None:
    to = drafted(axis)
    written = to.read_text().replace("orders:\n", "orders:\n  - buy: 1 infantry\n  - done\n")
    to.write_text(written)
    must("send", str(to), "-g", str(axis), "--yes")
    shown = must("orders", "-g", str(axis), "--to", str(to))
    aside = to.with_name("orders-0001.yaml")
    assert str(aside) in shown and aside.read_text() == written and "- buy" not in to.read_text()


def test_the_next_question_comes_under_the_orders(axis: Path) -> None:
    to = axis.parent / "orders.yaml"
    to.write_text("orders:\n  - buy: 2 infantry  # cheap\n  - done\nnote: [hello]\n")
    assert "combat moves" in must("orders", "--continue", str(to), "-g", str(axis))
    lines = to.read_text().split("\n")
    assert lines[:4] == ["orders:", "  - buy: 2 infantry  # cheap", "  - done", "# next: combat moves"]
    assert lines[-2] == "note: [hello]" and any(line.startswith("#  - move: 1 ") for line in lines)
    once = to.read_text()
    must("orders", "--continue", str(to), "-g", str(axis))
    assert to.read_text() == once
    assert "2 orders are legal" in must("check", str(to), "-g", str(axis))


@pytest.mark.parametrize("option", [("--to", "new.yaml"), ("--set", "bold")])
def test_what_goes_under_written_orders_has_neither_another_file_nor_a_set(axis: Path, option: tuple[str, str]) -> None:
    to = axis.parent / "orders.yaml"
    to.write_text("orders:\n  - buy: 2 infantry\n  - done\n")
    done = run("orders", "--continue", str(to), *option, "-g", str(axis))
    assert done.code == 2 and "--continue writes into the file" in done.err
    assert "# next" not in to.read_text() and not Path("new.yaml").exists()


def test_a_set_and_a_hold_stay_as_they_were_written(axis: Path) -> None:
    to, rest = axis.parent / "orders.yaml", "standing: {set: bold, hold: [{kinds: [scramble], answer: none}]}\n"
    to.write_text("orders:\n  - buy: 2 infantry\n  - done\n" + rest)
    must("orders", "--continue", str(to), "-g", str(axis))
    assert to.read_text().endswith(rest) and "# next: combat moves" in to.read_text()


def test_orders_that_are_not_legal_are_mended_first(axis: Path) -> None:
    to = axis.parent / "orders.yaml"
    to.write_text("orders:\n  - buy: 200 infantry\n")
    done = run("orders", "--continue", str(to), "-g", str(axis))
    assert done.code == 1 and "pbem check" in done.err and "200" in to.read_text()


def test_nothing_is_added_where_nothing_more_is_asked(axis: Path) -> None:
    to = axis.parent / "orders.yaml"
    to.write_text("orders:\n  - done\n  - move: 3 infantry from Kwangsi to Yunnan\n  - done\n")
    before = to.read_text()
    assert "pbem send" in must("orders", "--continue", str(to), "-g", str(axis)) and to.read_text() == before


def test_every_command_line_of_the_page(axis: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(axis.parent)
    axis.rename("pacific")
    lines = told(page("orders"))
    assert [words[0] for words in lines] == [
        *("orders", "check", "orders", "send", "hold", "hold", "hold", "new", "status", "unsend")
    ]
    Path("holds.yaml").write_text("scramble: none\n")
    refused = [  # by this game and this folder
        ["hold", "usual", "-g", "pacific"],  # it has no hidden cards
        ["new", "pacific", "--slots", "06:00,18:00"],  # the game has begun
        ["unsend", "-g", "pacific"],  # whether it has left is asked, and nobody is here to say
    ]
    for words in lines:
        done = run(*words)
        assert (done.code != 0) is (words in refused), done
        if words == lines[0]:
            Path("orders.yaml").write_text("orders:\n- buy: 4 infantry, 2 transports\n")
    assert "# next: combat moves" in Path("orders.yaml").read_text()


def test_a_draft_names_every_stack_by_place_with_prices_and_money(axis: Path) -> None:
    to = drafted(axis)
    lines = to.read_text().split("\n")
    assert "# buy: Japan has 26 IPC" in lines and "1 infantry (3 IPC, up to 8)" in to.read_text()
    to.write_text("orders:\n  - buy: 8 infantry\n")
    must("orders", "--continue", str(to), "-g", str(axis))
    moves = [line for line in to.read_text().split("\n") if line.startswith("# move: ")]
    places = {line.split(": ")[1] for line in moves}
    assert {"Japan", "Manchuria", "SZ 6", "Kwangsi"} <= places and len(moves) > 12
    assert any(line.startswith("# move: Kwangsi: 3 infantry, 1 artillery") for line in moves), moves


def test_standing_orders_that_hold_are_not_printed_again(axis: Path) -> None:
    to = axis.parent / "orders.yaml"
    to.write_text("orders:\n  - done\n  - done\nstanding: {casualties: cheapest first}\n")
    must("send", str(to), "-g", str(axis), "--yes")
    to.unlink()
    text = drafted(axis).read_text()
    assert "#  casualties: holds since file 1" in text and "\n  casualties:" not in text and "\n  battle:" in text
    must("check", str(to), "-g", str(axis))


def test_a_draft_tells_the_questions_that_follow(axis: Path) -> None:
    text = drafted(axis).read_text()
    _, found, ahead = text.partition("# what follows in the same file, answered like this:\n")
    told = [line for line in ahead.split("\n") if line.startswith("#  Japan: ")]
    assert found and [line.split("[")[1].split("]")[0] for line in told] == ["PUR-01", "CM-01", "NCM-01", "MOB-01"], text
    assert "buy: " in told[0] and [line for line in ahead.split("\n") if "units:" in line and not line.startswith("#")] == []


def test_a_draft_tells_an_offensive_to_its_end(tmp_path: Path) -> None:
    at_one_machine(tmp_path / "g", "empire-of-the-sun", "year-1942")
    until(tmp_path / "g", "card")
    to = tmp_path / "o.yaml"
    drafting.draft(tmp_path / "g" / "japan", to)
    _, _, ahead = to.read_text().partition("# what follows")
    assert [rule for rule in ("[5.0]", "[7.21]", "[7.23]", "[7.24]") if rule not in ahead] == []
    assert "activate: none" not in ahead and not read_paper(to.read_text()).orders


def test_a_draft_names_its_game_and_goes_into_no_other_one(tmp_path: Path) -> None:
    with inside(tmp_path):
        begun()
        for name in ("axis", "allies"):
            Path(name).rename(f"first-{name}")
        begun()
        must("orders", "-g", "first-axis", "--to", "o.yaml")
        line = next(line for line in Path("o.yaml").read_text().splitlines() if line.startswith("# game "))
        assert re.fullmatch(r"# game [a-z]+ [a-z]+: first-axis", line)
        Path("o.yaml").write_text(Path("o.yaml").read_text().replace("orders:\n", "orders:\n  - buy: 1 infantry\n"))
        for command in (["check", "o.yaml"], ["send", "o.yaml", "--yes"], ["orders", "--continue", "o.yaml"]):
            done = run(*command, "-g", "axis")
            other = line.split(":")[0]
            assert done.code == 8 and f"drafted for the game {other.removeprefix('# game ')}, this is " in done.err, done
            assert f"take out the line `{other}:`" in done.err
        assert not [*Path("axis/outbox").glob("*.eml")]
        must("check", "o.yaml", "-g", "first-axis")
        Path("o.yaml").write_text(Path("o.yaml").read_text().replace(line, "# game over soon: hurry"))
        must("check", "o.yaml", "-g", "axis")
