"""`pbem play`: lists what is legal, completes words, explains refusals, writes signed files into real game folders."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pbem.cli import guiding, local, playing, terminal
from pbem.games import load
from pbem.report.languages import language
from pbem.store.session import Session
from tests.commands import must, run

ROOT = Path(__file__).parents[2]
FILES = 4
BOT = ("--bot", "--side", "axis", "--option", "round-limit=3")


def played(folder: Path, lines: str, *words: str) -> str:
    """What the terminal shows while these lines are typed; the input then ends."""
    done = run("play", str(folder), *words, stdin=lines)
    assert done.code == 0, done
    return done.out


def table_of(folder: Path, player: str) -> Session:
    return Session.open(folder / player)


def test_the_first_question_tells_what_is_asked_by_which_rule_and_what_is_legal(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "", *BOT)
    assert "Japan: buy units and repair facilities [PUR-01]" in shown and "buy (18)" in shown


def test_legal_orders_are_listed_by_words_and_chosen_by_number(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "done\nlist fighter yunnan\n1\nshow\n", *BOT)
    assert "  1 move: 1 fighter from kiangsu to yunnan" in shown
    assert "ok: move: 1 fighter from Kiangsu to Yunnan" in shown


def test_what_is_listed_says_what_it_costs_and_does(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "list tank\nbuy: 7 infantry\n", *BOT)
    assert "  1 buy: 1 tank  (6 IPC)\n" in shown
    assert "  1 buy: 1 infantry  (3 IPC)\n" in shown and "done\n" in shown  # what ends a phase costs nothing


def test_the_uses_of_a_card_say_what_they_do_once_and_how_far_each_headquarters_reaches(tmp_path: Path) -> None:
    words = ("--system", "empire-of-the-sun", "--scenario", "south-pacific", "--bot")
    shown = played(tmp_path / "g", "1\n", *words).split("japan> ")[1]
    led = [line.partition("(")[2] for line in shown.splitlines() if "operations: " in line]
    once = "An offensive with its operations value, led by an HQ; "
    assert [said.startswith(once) for said in led] == [True, False]
    reaches = [re.fullmatch(r"up to \d units, command range (\d+)\)", said.removeprefix(once)) for said in led]
    assert [found and found[1] for found in reaches] == ["13", "12"]


def test_cut_words_are_completed_from_the_legal_orders() -> None:
    known = ["from", "kwangsi", "kwangtung", "infantry", "move", "to", "yunnan"]
    assert guiding.completed("mo: 3 inf from kwangs to yun", known) == "move: 3 infantry from kwangsi to yunnan"
    assert guiding.completed("move: 3 inf from kwang to yun", known) == "move: 3 infantry from kwang to yunnan"
    assert guiding.open_words("from kwang", known) == ["kwang: kwangsi, kwangtung"]


def test_a_refused_order_is_explained_with_its_section_and_changes_nothing(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "buy: 200 infantry\nshow\nbuy: 1 zeppelin\n", *BOT)
    assert "not allowed: this costs 600 IPC [PUR-01 Buying units]" in shown and "no orders yet" in shown
    assert "cannot be read" in shown and "zeppelin" in shown


def test_a_near_miss_is_offered_and_ordered_by_y_alone(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "done\nmoev 3 infntry kwangsi yunan\ny\ny\nmove 2 zeppelin jehol chahar\nshow\n", *BOT)
    parts = shown.split("axis> ")
    assert "did you mean move" in parts[2] and "Did you mean `move 3 infantry kwangsi yunnan`? `y` orders it." in parts[2]
    assert "ok: move: 3 infantry from Kwangsi to Yunnan" in parts[3]
    assert "'y' is no order here" in parts[4], "an offer holds for the next line alone"
    assert "Did you mean" not in parts[5] and "2 orders are kept" in parts[6]


def test_an_order_that_is_split_is_told_in_its_parts(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "done\nmove 1 ftr 1 inf kiangsu anhwe\nback\nshow\n", *BOT)
    told = [line for line in shown.splitlines() if line.startswith("ok: ")]
    assert told == ["ok: done", "ok: move: 1 fighter from Kiangsu to Anhwe", "ok: move: 1 infantry from Kiangsu to Anhwe"]
    assert shown.split("show\n")[1].splitlines()[:1] == ["  1 done"] and "  2 " not in shown.split("show\n")[1]


def test_nonsense_is_answered_and_never_ends_the_game(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "[\n{}\nbuy:\n- -\n\x1b[31m\n?\nback\nsend\nshow\n", *BOT)
    assert shown.count("axis>") == 9 and "\x1b" not in shown
    assert "Not yet: something is still asked." in shown


def test_orders_can_be_taken_back_before_they_are_sent(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "buy: 1 infantry\nbuy: 1 tank\nback\nshow\n", *BOT)
    assert shown.split("show\n")[1].splitlines()[0] == "  1 buy: 1 infantry"


def test_a_game_goes_on_with_the_orders_that_were_not_sent(tmp_path: Path) -> None:
    played(tmp_path / "g", "buy: 1 infantry\ndone\nnote Good luck.\nstanding casualties: cheapest first\nquit\n", *BOT)
    assert table_of(tmp_path / "g", "axis").table.last == 0
    shown = played(tmp_path / "g", "show\nmove: 3 infantry from Kwangsi to Yunnan\ndone\nsend\n")
    assert "Japan: combat moves" in shown and "  1 buy: 1 infantry" in shown
    first = dict(table_of(tmp_path / "g", "axis").folder.fetch(1))
    assert first["note"] == ["Good luck."] and first["standing"] == {"casualties": "cheapest first"}
    assert len(first["orders"]) == 4


def test_kept_orders_that_do_not_fit_any_more_are_left_out(tmp_path: Path) -> None:
    played(tmp_path / "g", "", *BOT)
    (tmp_path / "g" / "axis" / "unsent.yaml").write_text("orders:\n  - press\n")
    shown = played(tmp_path / "g", "show\n")
    assert "do not fit any more" in shown and "no orders yet" in shown


def test_the_dice_of_a_battle_are_told_after_the_file_that_sends_it(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "done\nmove: 3 infantry from Kwangsi to Yunnan\ndone\nsend\n", *BOT)
    after = shown.split("File 1 is signed")[1]
    assert "*** Battle: Yunnan" in after and "Combat round 1, Japan: 3 infantry at 1: " in after


def reactive(desk: playing.Desk, files: int) -> Callable[[str], str]:
    """A person who takes the last of the listed orders, or `done`, and leaves after some files."""

    def read(prompt: str) -> str:
        if desk.party.one.table.last >= files:
            raise EOFError
        if desk.asked is None:
            return "send"
        return "done" if "done" in desk.asked.verbs or "done" in desk.asked.options else str(len(desk.listed))

    return read


@pytest.mark.parametrize("bots", [[], ["allies"], ["axis", "allies"]])
def test_hot_seat_and_bot_games_leave_real_folders_that_verify(tmp_path: Path, bots: list[str]) -> None:
    folder = tmp_path / "g"
    playing.begin(folder, playing.Wanted("axis-and-allies-pacific", "spring-1940", ["round-limit=3"], "axis", False))
    (folder / "play.json").write_text(json.dumps({"bots": bots}))
    with local.at_work(folder) as party:
        desk = playing.Desk(party, bots, terminal.Talk(str, language("pl", ("axis_and_allies_pacific",))))
        desk.talk.read = reactive(desk, FILES)
        if len(bots) == 2:
            while party.one.table.last < FILES:
                desk.next_file()
        else:
            desk.run()
        assert party.one.table.last >= FILES
        assert len({s.table.engine.state_hash() for s in party.sessions.values()}) == 1
    for player in ("axis", "allies"):
        assert "signatures, chain, dice and rules agree" in must("verify", "-g", str(folder / player))


@pytest.mark.parametrize(("scenario", "option"), [("coral-sea", "forces=sealed"), ("guadalcanal", "points=sealed")])
def test_the_bot_answers_secret_questions_and_a_person_s_secret_order_is_judged(
    tmp_path: Path, scenario: str, option: str
) -> None:
    words = ("--system", "pacific-war", "--scenario", scenario, "--option", option, "--bot")
    shown = played(tmp_path / "g", "gallop\n", *words, "--side", "allies")
    assert "=== allies ===" in shown and "'gallop'" in shown and "no orders yet" not in shown
    seals = table_of(tmp_path / "g", "allies").table.ledger.seals
    assert seals and {seal.player for seal in seals.values()} == {"japan"}


def test_files_that_an_interruption_kept_back_are_handed_over(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    playing.begin(folder, playing.Wanted("axis-and-allies-pacific", "spring-1940"))
    with local.at_work(folder) as party:
        party.sessions["axis"].write(playing.Draft(["done", "done", "done"]))
        assert party.sessions["allies"].table.last == 0
    with local.at_work(folder) as party:
        assert party.sessions["allies"].table.last == 1


def test_an_offer_made_elsewhere_is_answered_at_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "g"
    played(folder, "")
    monkeypatch.setenv("PBEM_HOME", str(folder / "keys"))
    must("offer", "draw", "-g", str(folder / "axis"))
    monkeypatch.delenv("PBEM_HOME")
    shown = played(folder, "perhaps\nagree\n")
    assert "agree` or `refuse`" in shown and "The game is over, a draw" in shown


def test_a_side_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    done = run("play", str(tmp_path / "g"), "--bot", "--side", "martians")
    assert done.code == 1 and "axis, allies" in done.err and not (tmp_path / "g").exists()


def test_at_a_keyboard_the_tabulator_completes_and_an_interrupt_keeps_the_orders(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "pbem", "play", str(tmp_path / "g"), *BOT]
    shown = b""

    def until(text: bytes, nudge: Callable[[], None] = lambda: None) -> None:
        """Read until a text has come; a nudge for every five silent seconds, of which there are not too many."""
        nonlocal shown
        for _ in range(20):
            while text not in shown and select.select([master], [], [], 5)[0]:
                shown += os.read(master, 4096)
            if text in shown:
                return
            nudge()
        raise AssertionError(shown)

    heeded = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # also where the tests run in the background
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, preexec_fn=heeded)
    try:
        until(b"axis> ")
        os.write(master, b"buy: 1 infan\t\n")
        until(b"ok: buy: 1 infantry")
        process.send_signal(signal.SIGINT)  # one that comes just before the keyboard is waited for is noticed at the next
        until(b"1 order is kept", lambda: process.send_signal(signal.SIGINT))
        assert process.wait(20) == 0
    finally:
        process.kill()
        os.close(master)
        os.close(slave)
    assert "1 infantry" in (tmp_path / "g" / "axis" / "unsent.yaml").read_text()


def test_why_tells_the_rule_of_the_last_refused_order_and_what_it_says(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "why?\nbuy: 200 infantry\nwhy?\n", *BOT).split("axis> ")
    assert shown[1].splitlines()[1] == "no order was refused yet"
    refused, asked = shown[2].splitlines(), shown[3].splitlines()
    assert asked[:2] == ["why?", refused[1].replace(" Buying units", "")]
    says = load("axis-and-allies-pacific").index().entries["PUR-01"].says
    assert asked[2] == f"PUR-01 Buying units: {says}"


def test_why_tells_of_an_order_that_is_not_listed_and_orders_nothing(tmp_path: Path) -> None:
    lines = "done\nwhy? move: 1 infantry from japan to yunnan\nwhy? mo: 1 fig from kiangsu to yun\nwhy? walk\nwhy? [\nshow\n"
    shown = played(tmp_path / "g", lines, *BOT).split("axis> ")
    assert "not allowed" in shown[2] and len(shown[2].splitlines()) == 3
    assert shown[3].splitlines()[1] == "nothing is wrong with it: it can be ordered"
    assert "'walk' is no order here" in shown[4]
    assert "not YAML" in shown[5]
    assert shown[6].splitlines()[1] == "  1 done" and "1 order is kept" in shown[6]


def test_why_speaks_the_players_language(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "buy: 200 infantry\nwhy?\n", *BOT, "--language", "pl").split("axis> ")[2]
    assert "kosztuje" in shown
    assert "PUR-01" in shown


def test_looking_things_up_in_the_middle_of_a_file_touches_no_order(tmp_path: Path) -> None:
    lines = (
        "choices artillery\nodds 3 infantry, 1 artillery v 2 infantry\nodds 2 submarine v 1 destroyer sea\nmap SZ 6\n"
        "rules GC-14\nluck\nreview\nodds x v y\ncard J1\nrules nonsense\nchoices zeppelin\nhand\nhint\nshow\n"
    )
    shown = played(tmp_path / "g", lines, *BOT)
    parts = shown.split("axis> ")
    assert "money: 26 IPC" in parts[0], "what can be spent stands in sight"
    assert "1 artillery (4 IPC, up to 6)" in parts[1]
    assert "win 93.1%" in parts[2] and "on land" in parts[2] and "at sea" in parts[3]
    assert "map.svg written" in parts[4] and (tmp_path / "g" / "axis" / "map.svg").read_text().startswith("<svg")
    assert parts[5].splitlines()[1].startswith("GC-14 ") and "own dice" in parts[6] and "Largest losses" in parts[7]
    assert "there is no unit 'x'" in parts[8] and "no cards to look up" in parts[9] and "no rule of" in parts[10]
    assert "nothing here has these words" in parts[11] and "you hold nothing" in parts[12]
    assert "Hint: buy units" in parts[13] and "no orders yet" in parts[14]


def test_odds_and_the_map_are_those_behind_the_orders_so_far(tmp_path: Path) -> None:
    lines = "done\nodds\nmove: 3 infantry from Kwangsi to Yunnan\nodds\nmap\n"
    parts = played(tmp_path / "g", lines, *BOT).split("axis> ")
    before, after = parts[2], parts[4]
    assert "No battles." in before and "battle for Yunnan: Japan 3 infantry against China 3 infantry" in after
    drawn = (tmp_path / "g" / "axis" / "map.svg").read_text()
    assert run("map", "-g", str(tmp_path / "g" / "axis"), "--to", str(tmp_path / "sent.svg")).code == 0
    assert drawn != (tmp_path / "sent.svg").read_text(), "orders that are not sent are on it"


def test_a_hand_is_shown_with_what_its_cards_do_and_hex_maps_as_text(tmp_path: Path) -> None:
    words = ("--system", "empire-of-the-sun", "--scenario", "year-1942", "--bot")
    shown = played(tmp_path / "g", "map 2813\nhand\ncard J25\nhint\n", *words)
    parts = shown.split("japan> ")
    held = [line for line in parts[0].splitlines() if line.startswith("Japan holds ")]
    texts = [line for line in parts[0].splitlines() if line.startswith("    ")]
    assert len(held) == len(texts) == 7
    assert "2813 Manila" in parts[1] and "2809 Swatow" in parts[1]
    again = [line for line in parts[2].splitlines() if line.startswith("Japan holds ")]
    assert again == held and "Operation KA" in parts[3] and "Hint: " in parts[4]


def test_a_hint_is_ordered_by_its_number_and_taken_back_like_any_order(tmp_path: Path) -> None:
    shown = played(tmp_path / "g", "hint\nhint 1\nshow\nback\nshow\nhint 9\nhint 0\n", *BOT)
    parts = shown.split("axis> ")
    offered = [line.strip(" -") for line in parts[1].split("2.")[0].splitlines() if line.startswith("   - ")]
    assert "`hint NUMBER` orders one of them." in parts[1]
    in_words = [line.replace("1 minor-ic", "1 minor industrial complex") for line in offered]  # as `ok` says it
    assert offered and [f"ok: {line}" for line in in_words] == [x for x in parts[2].splitlines() if x.startswith("ok: ")]
    ordered = parts[3].splitlines()[1 : 1 + len(offered)]
    assert [line[4:] for line in ordered] == in_words
    assert "no orders yet" in parts[5], "what was ordered at once is taken back at once"
    assert "there is no hint 9" in parts[6] and "there is no hint 0" in parts[7]
