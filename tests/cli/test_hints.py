"""What a command says next: which question an order met, what to type then, what a file may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import must, run

EVERYTHING = "buy: 8 infantry"  # leaves 2 IPC, for which nothing can be bought: the phase ends by itself


@pytest.fixture(scope="module")
def axis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Japan's folder at the start of a local game."""
    folder = tmp_path_factory.mktemp("hints") / "g"
    run("play", str(folder), "--bot", "--side", "axis", stdin="")
    return folder / "axis"


def test_a_standing_order_that_nothing_asks_for_is_pointed_at(axis: Path, tmp_path: Path) -> None:
    file = tmp_path / "orders.yaml"
    file.write_text("orders:\n  - buy: 1 infantry\nstanding:\n  casulties: cheapest first\n  battle: any\n", "utf-8")
    said = must("check", str(file), "-g", str(axis))
    assert "asks for 'casulties'" in said and "did you mean casualties" in said and "'battle'" not in said


@pytest.fixture(scope="module")
def empire(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Japan's folder of a card game, a hand drawn."""
    folder = tmp_path_factory.mktemp("hints") / "e"
    words = ("--system", "empire-of-the-sun", "--scenario", "year-1942", "--side", "japan")
    run("play", str(folder), "--bot", *words, stdin="")
    return folder / "japan"


def checked(folder: Path, *orders: str) -> str:
    """What check says of these orders, good or bad."""
    done = run("check", *(word for order in orders for word in ("--order", order)), "-g", str(folder))
    return done.out + done.err


def test_a_done_behind_a_phase_that_ended_by_itself_ends_no_other_phase(axis: Path) -> None:
    left_out = "Mind: order 2: `done` is left out: what was asked before had ended by itself (Japan: buy units"
    told = checked(axis, EVERYTHING, "done")
    assert left_out in told and "1 order is legal" in told and "still asked" in told
    assert "Mind:" not in checked(axis, "buy: 1 infantry", "done")
    assert "2 orders are legal" in checked(axis, EVERYTHING, "done", "move: 1 infantry from Jehol to Chahar")
    twice = checked(axis, EVERYTHING, "done", "done")
    assert left_out in twice and "2 orders are legal" in twice and "ended with no order in it: Japan: combat moves" in twice


def test_what_is_refused_behind_a_done_that_is_left_out_has_its_number(axis: Path, tmp_path: Path) -> None:
    refused = checked(axis, EVERYTHING, "done", "move: 1 infantry from Kwangsi to Atlantis")
    assert "order 3: " in refused and "Atlantis" in refused
    file = tmp_path / "o.yaml"
    file.write_text(f"orders:\n- {EVERYTHING}\n- done\n- move: 1 infantry from Kwangsi to Atlantis\n")
    done = run("check", str(file), "-g", str(axis))
    assert "order 3: " in done.err and "o.yaml:4: " in done.err


def test_what_only_follows_from_the_first_mistake_is_counted(axis: Path) -> None:
    refused = checked(
        axis, "move: 1 infantry from Kwangsi to Yunnan", "load: 1 infantry from Japan in SZ 6", "assault: x", "engage: y"
    )
    assert refused.count("cannot be read") == 1 and "3 orders behind it" in refused


def test_mistakes_on_the_same_question_are_all_listed(axis: Path) -> None:
    refused = checked(axis, "done", "move: 9 infantry from Kwangsi to Yunnan", "move: 1 infantry from Kwangsi to Atlantis")
    assert "order 2: " in refused and "order 3: " in refused and "Atlantis" in refused


def test_what_comes_next_is_a_sentence(axis: Path) -> None:
    assert "1 order is legal.\nThen axis has to send orders: Japan: buy units" in checked(axis, "buy: 1 infantry")
    assert "standing order of kind" not in checked(axis, "buy: 1 infantry"), "nobody has a standing order for purchases"


def test_a_draft_is_written_as_players_write_and_names_the_folder(axis: Path, tmp_path: Path) -> None:
    to = tmp_path / "orders.yaml"
    assert f"pbem check {to} -g {axis}" in must("orders", "-g", str(axis), "--to", str(to))
    samples = [line for line in to.read_text().splitlines() if line.startswith("#  - ")]
    assert "#  - buy: 1 aircraft-carrier" in samples and len(samples) == len(set(samples))
    to.write_text(to.read_text().replace("#  - buy: 1 aircraft-carrier", "  - buy: 1 aircraft-carrier"))
    assert "1 order is legal" in must("check", str(to), "-g", str(axis))


def test_a_card_without_a_verb_is_told_as_it_was_typed(empire: Path) -> None:
    card = next(line.split()[2] for line in must("status", "-g", str(empire)).splitlines() if "holds J" in line)
    assert f"'{card}' is not asked here; one of: play" in checked(empire, card)


def test_cards_are_listed_with_their_names_and_the_hand_is_shown(empire: Path) -> None:
    shown = run("play", str(empire.parent), stdin="hand\nlist play\n").out
    hand = [line.removeprefix("Japan holds ") for line in must("status", "-g", str(empire)).splitlines() if "holds" in line]
    assert hand
    for card in hand:
        assert shown.count(f"Japan holds {card}") == 2, "when the file begins, and when asked for"
        name = card.partition(" (")[0]
        assert f"play: {card.split()[0]}  ({name}" in shown


def test_a_card_that_was_taken_before_all_eyes_is_in_the_hand_too(tmp_path: Path) -> None:
    words = ("--system", "empire-of-the-sun", "--scenario", "year-1942", "--side", "allies")
    run("play", str(tmp_path / "e"), "--bot", *words, stdin="arcadia: yes\nsend\n")
    allies = tmp_path / "e" / "allies"
    known = "Allies holds A4 Arcadia Conference"
    drafted = tmp_path / "o.yaml"
    must("orders", "-g", str(allies), "--to", str(drafted))
    samples = [line for line in drafted.read_text("utf-8").splitlines() if line.startswith("#  - sail:")]
    assert "#  - sail: CA Kent to 3626  # Cairns 3626" in samples, "a ship goes by its printed name, beside it the port's"
    drafted.write_text("orders:\n  - " + "\n  - ".join(line.removeprefix("#  - ") for line in samples))
    assert f"{len(samples)} orders are legal" in must("check", str(drafted), "-g", str(allies))
    for said in (must("status", "-g", str(allies)), must("hand", "-g", str(allies))):
        held = [line for line in said.splitlines() if "holds A" in line]
        assert len(held) == 5 and [line.endswith(": known to all") for line in held] == [known in line for line in held]
        assert any(known in line for line in held)


def test_a_scenario_is_only_asked_for_where_there_are_several(tmp_path: Path) -> None:
    assert "(spring-1940)" in must("new", str(tmp_path / "pacific"))
    done = run("new", str(tmp_path / "eots"), "--system", "empire-of-the-sun")
    assert done.code and "several scenarios: --scenario NAME" in done.err and "year-1942" in done.err
    assert not (tmp_path / "eots").exists()


def test_check_takes_orders_yaml_where_no_file_is_named(axis: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("orders.yaml").write_text("orders:\n  - buy: 1 infantry\n")
    assert "1 order is legal" in must("check", "-g", str(axis))


def test_dice_without_a_file_lists_the_latest_rolls(axis: Path, tmp_path: Path) -> None:
    assert must("dice", "-g", str(axis)).strip() == "no dice have been rolled yet"
    folder = tmp_path / "g"
    moves = "done\nmove: 3 infantry, 1 artillery from Kwangsi to Yunnan\ndone\n"
    run("play", str(folder), stdin=f"{moves}standing casualties: cheapest first\nsend\n")
    listed = must("dice", "-g", str(folder / "axis")).splitlines()
    assert "battle for Yunnan, round 1: japan" in listed[0] and len(listed) > 1
    command = listed[1].partition(":")[0].split()[1:]
    assert listed[1].rpartition("  ")[2] in must(*command, "-g", str(folder / "axis"))


def test_orders_out_of_turn_are_told_so(axis: Path) -> None:
    refused = run("check", "--order", "done", "-g", str(axis.parent / "allies"))
    assert refused.code and "axis has to send orders" in refused.err and "it is not your turn" in refused.err


def test_an_empty_outbox_is_not_passed_over_in_silence(axis: Path, tmp_path: Path) -> None:
    assert "nothing of pbem is in there" in must("receive", str(tmp_path), "-g", str(axis))


def test_changes_of_a_hex_map_are_drawn(empire: Path) -> None:
    assert "written" in must("map", "--changes", "--to", str(empire / "map.svg"), "-g", str(empire))
