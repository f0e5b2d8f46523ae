"""Pacific War by the real command line, one folder per player: Pearl Harbor's first mission, Coral Sea's sealed fleets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.kernel.canon import Plain
from pbem.protocol.strict_yaml import read_document, write_document
from tests.commands import inside, must, run
from tests.generic.test_hostile_text import HOSTILE, REPORTS, is_harmless, judge_report
from tests.pacific_war.random_play import PASSIVE
from tests.toygame.folders import spread

FOLDERS = ["yamada", "nowak"]
RAID = """\
orders:
  - done
  - mission: {strike: 2860, units: [CAD1, CAD2, CAD3, CAD4, CAD5, CAD6]}
"""
TARGETS = """\
orders:
  - targets: {CAD1: [BB8, BB3], CAD2: [BB1], CAD3: [BB9], CAD4: [BB4], CAD5: [airfield], CAD6: [strafe]}
"""
SEALED = """\
orders:
  - organize: {J3: {core: [CVL4, AA1], screen: [CL8]}, J4: {core: [CVS4, CA1, CL1], screen: [APD5, CA2]}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with inside(tmp_path):
        yield tmp_path


def founded(scenario: str, *options: str) -> str:
    """A game that has begun; what `pbem new` said."""
    chosen = [word for option in options for word in ("--option", option)]
    said = must("new", "draft", "--system", "pacific-war", "--scenario", scenario, *chosen)
    must("join", "draft/charter.yaml", "--as", "yamada", "--seats", "japan", "-g", "yamada")
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", "allies", "-g", "nowak")
    must("accept", "-g", "nowak")
    must("accept", "nowak/charter.yaml", "-g", "yamada")
    must("accept", "yamada/charter.yaml", "-g", "nowak")
    spread(FOLDERS)
    return said


def sent(folder: Path, orders: str, by: str = "yamada") -> None:
    (folder / "orders.yaml").write_text(orders)
    must("check", "orders.yaml", "-g", by)
    must("send", "orders.yaml", "-g", by, "--yes")
    spread(FOLDERS)


ENGAGED = """\
orders:
  - search: {A1: CA1 Aoba}
plan:
  - {at: line, sealed: true, do: [line: [CA1 Aoba, CA2 Furutaka, CA5 Chokai, CL1 Tenryu]]}
  - {at: bid, sealed: true, do: [bid: short]}
"""
LINE = """\
orders:
  - line: [DD7 Bagley, CA1 Australia, CA2 Chicago, CA7 Vincennes]
plan:
  - {at: bid, sealed: true, do: [bid: short]}
"""


def handed(folder: Path, by: str, to: str, *words: str) -> str:
    """The newest file of a player's outbox is received by another one."""
    newest = max((folder / by / "outbox").glob("*.yaml"), key=lambda file: file.name)
    return must("receive", str(newest), "-g", to, *words)


def test_dice_wait_for_the_line_and_come_with_it(folder: Path) -> None:
    founded("savo-island")
    (folder / "mine.yaml").write_text(ENGAGED)
    (folder / "line.yaml").write_text(LINE)
    must("send", "mine.yaml", "-g", "yamada", "--yes")
    told = handed(folder, "yamada", "nowak", "--wait")
    assert "this file waits for your orders" in told and "written by itself" not in told
    assert "search" in told.lower(), "the die that it will show"
    must("orders", "-g", "nowak", "--to", "drafted.yaml")
    drafted = (folder / "drafted.yaml").read_text()
    assert "this file waits" in drafted and "line:" in drafted.partition("orders:")[2]
    assert "1 order is legal" in must("check", "line.yaml", "-g", "nowak")
    must("send", "line.yaml", "-g", "nowak", "--yes")
    (file,) = (folder / "nowak" / "outbox").glob("0002-*.yaml")
    document, _ = read_document(file.read_bytes())
    assert document["orders"] and document["plan"] and document["dice"], "the die and the line in one file"
    assert "0002-nowak.yaml: done" in handed(folder, "nowak", "yamada")


def test_a_file_that_waited_is_sent_alone_by_the_next_receive(folder: Path) -> None:
    founded("savo-island")
    (folder / "mine.yaml").write_text(ENGAGED)
    (folder / "line.yaml").write_text(LINE)
    must("send", "mine.yaml", "-g", "yamada", "--yes")
    handed(folder, "yamada", "nowak", "--wait")
    assert "written by itself: file 2" in handed(folder, "yamada", "nowak")
    must("send", "line.yaml", "-g", "nowak", "--yes")
    assert len([*(folder / "nowak" / "outbox").glob("000[23]-*.yaml")]) == 2


def test_an_air_mission_costs_a_file_for_each_decision(folder: Path) -> None:
    founded("pearl-harbor")
    sent(folder, RAID)
    sent(folder, TARGETS)
    report = must("report", "-g", "nowak")
    assert "coordination of the strike on 2860" in report and "CAD5 Shokaku air group attacks airfield" in report
    log = must("log", "-g", "yamada")
    assert (log.count("yamada"), log.count("nowak")) == (2, 2)  # nowak's were written by his program
    must("map", "-g", "yamada", "--to", "map.svg")
    assert (folder / "map.svg").read_text().startswith("<svg")
    must("map", "-g", "yamada", "--around", "Oahu", "--to", "map.txt")
    assert "BB4 Arizona" in (folder / "map.txt").read_text()
    must("verify", "-g", "nowak")


def test_a_new_game_names_the_charts_that_are_reconstructed(folder: Path) -> None:
    assert "range_bids" in founded("savo-island")


def test_a_refusal_names_the_rule(folder: Path) -> None:
    founded("pearl-harbor")
    (folder / "orders.yaml").write_text("orders:\n  - done\n  - mission: {strike: 1630, units: [CAD1]}\n")
    done = run("check", "orders.yaml", "-g", "yamada")
    assert done.code == 1 and "PW-SRC-01" in done.err


def test_drafts_offer_a_sealed_order_and_the_other_side_sees_none_of_it(folder: Path) -> None:
    founded("coral-sea", "forces=sealed")
    must("orders", "-g", "yamada")
    drafted = (folder / "orders.yaml").read_text()
    assert "J3" in drafted and "seal:" not in drafted
    (folder / "orders.yaml").write_text("orders:\n  - organize: {J3: {core: [CVL4], screen: []}}\n")
    assert "PW-FOG-02" in run("check", "orders.yaml", "-g", "yamada").err  # it would not stand when it is opened
    sent(folder, SEALED)
    own, other = must("report", "-g", "yamada"), must("report", "-g", "nowak")
    assert "APD5" in own and "APD5" not in other
    posted = [file.read_text() for file in (folder / "yamada" / "outbox").glob("*.yaml")]
    assert posted and not any("APD5" in text for text in posted)


def test_a_draft_names_the_hexes_of_its_sample_orders(folder: Path) -> None:
    founded("savo-island")
    sent(folder, "orders: [{search: {A1: Chokai}}]")
    must("orders", "-g", "yamada")
    text = Path("orders.yaml").read_text()
    assert "#  - line: CA5 Chokai" in text and "standing:" in text and "line: first" in text
    sent(folder, "orders: [{line: [CA5, CA1, CA2, CL1]}]")
    sent(folder, "orders: [{line: [CA1, CA2, CA7, CA8]}]", by="nowak")
    sent(folder, "orders: [{fire: {CA5: CA1}}]")
    must("orders", "-g", "yamada")
    assert "#  - bid: {withdraw: 1233}  # 1233 Santa Isabel" in Path("orders.yaml").read_text()


def test_no_report_or_map_carries_hostile_text_further(folder: Path) -> None:
    founded("savo-island")
    bad: Plain = {"search": {"A1": HOSTILE["script"]}}
    (folder / "bad.yaml").write_text(write_document({"orders": [bad], "standing": {HOSTILE["attribute"]: "x"}}))
    refused = run("check", "bad.yaml", "-g", "yamada")
    assert refused.code and is_harmless(refused.out + refused.err)
    note: list[Plain] = [text for name, text in HOSTILE.items() if name != "numbers"]
    (folder / "orders.yaml").write_text(write_document({"orders": [{"search": {"A1": "Chokai"}}], "note": note[:4]}))
    must("send", "orders.yaml", "-g", "yamada", "--yes")
    spread(FOLDERS)
    for form in REPORTS:
        judge_report(form, must("report", "--format", form, "-g", "nowak"))
    must("map", "--to", "m.svg", "-g", "nowak")
    assert "<script" not in Path("m.svg").read_text()


def test_a_draft_offers_to_be_asked_what_passes_unasked(folder: Path) -> None:
    founded("coral-sea", "forces=sealed")
    must("orders", "-g", "yamada", "--to", "draft.yaml")
    draft = (folder / "draft.yaml").read_text()
    assert "\n#  hide: ask me  # else it passes unasked" in draft and "\n#  show: ask me" in draft
    asking = draft.replace("#  show:", "  show:").replace("#  - done", "  - done", 1)
    sent(folder, asking)
    must("orders", "-g", "yamada", "--to", "draft.yaml")
    draft = (folder / "draft.yaml").read_text()
    assert "show: ask me" not in draft and "#  show: holds since file 1" in draft and "#  hide: ask me" in draft
    for n in range(15):
        if "yamada has to send orders: show a task force" in must("status", "-g", "yamada"):
            return
        due = json.loads(must("status", "--json", "-g", "yamada"))["due"]["player"]
        proposals = json.loads(must("orders", "--json", "-g", due, "--to", f"draft-{n}.yaml"))["proposals"]
        quiet = next((p for p in proposals if p in PASSIVE), proposals[0])
        sent(folder, write_document({"orders": [quiet]}), due)
    raise AssertionError("he is never asked")


def test_an_open_game_has_nothing_to_hide(folder: Path) -> None:
    founded("coral-sea")
    must("orders", "-g", "yamada", "--to", "draft.yaml")
    assert "ask me" not in (folder / "draft.yaml").read_text()


def test_the_file_that_opens_a_campaign_is_nobody_s_order(folder: Path) -> None:
    must("new", "draft", "--system", "pacific-war", "--scenario", "guadalcanal")
    must("join", "draft/charter.yaml", "--as", "yamada", "--seats", "japan", "-g", "yamada")
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", "allies", "-g", "nowak")
    must("accept", "-g", "nowak")
    assert "written by itself: file 1" in must("accept", "nowak/charter.yaml", "-g", "yamada")
    must("accept", "yamada/charter.yaml", "-g", "nowak")
    said = must("orders", "-g", "nowak", "--to", "draft.yaml")
    assert "the opening file" in said and "it holds no order, the program of yamada writes it by itself" in said
    assert not (folder / "draft.yaml").exists()


TOO_LONG = """\
orders:
  - kinds: [naval, air, ground]
plan:
  - {at: contact, do: [sail: {J4: [1731, 1831]}, end]}
  - {at: sail, later: 1, do: [sail: {J4: [1832, 1833, 1834]}]}
  - {at: sail, later: 2, sealed: true, do: [sail: {J4: 2026}]}
"""


def test_a_planned_course_that_cannot_be_sailed_is_told_when_it_is_written(folder: Path) -> None:
    founded("coral-sea")
    (folder / "orders.yaml").write_text(TOO_LONG)
    for command in ("check", "send"):
        told = must(command, "orders.yaml", "-g", "yamada", *(["--yes"] if command == "send" else []))
        minds = [line for line in told.splitlines() if "of the plan:" in line]
        assert minds == [
            "Mind: step 2 of the plan: ships move two hexes in a battle cycle; 3 orders are planned for this one",
            "Mind: step 3 of the plan: J4: 2026 Ninigo is not next to 1834",
        ]
