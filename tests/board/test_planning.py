"""Plans on the page: what may be asked behind the dice is picked into the file, with a condition, and judged at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.board.server import Server
from pbem.runtime.paper import read_paper
from pbem.store.session import Session
from tests.board.hands import button, click, come, on_map
from tests.board.serving import ask, post, unsent
from tests.browser import Page, needs_browser

pytestmark = pytest.mark.in_turn(3)

ATTACK = """# mine
orders:
  - buy: 4 infantry
  - done
  - move: 3 infantry, 1 artillery from Kwangsi to Yunnan
  - done
standing:
  retreat: press
  casualties: cheapest first
"""
TO = [["at", "manchuria", 1], ["unit", "infantry", 1], ["to", "jehol", 1]]


def stamp(sheet: Any) -> str:
    return str(sheet["changes"]["draft"])


def planned(server: Server, sheet: Any, **more: Any) -> Any:
    """What the picks make, into the plan."""
    return ask(server, "/take", **{**sheet["step"]["partial"], **more}, seen=stamp(sheet))


def test_a_plan_is_picked_like_orders(server: Server, folder: Path) -> None:
    unsent(folder).write_text(ATTACK)
    sheet = ask(server, "/sheet")
    (on,) = [one for one in sheet["answers"] if one["key"] == "plan"]
    before = ask(server, "/map")["layers"]["stacks"]
    sheet = ask(server, on["address"], **on["body"], seen=stamp(sheet))
    assert sheet["desk"]["asked"]["kind"] == "noncombat-move" and sheet["bar"].startswith("Plan, if it comes to it: Japan: ")
    assert ask(server, "/map")["layers"]["stacks"] != before, "the board as it may stand then"
    moved = planned(server, sheet, verb="move", chosen=TO, when="yunnan fell")
    assert moved["desk"]["asked"]["kind"] == "noncombat-move" and moved["step"]["partial"]["when"] == "yunnan fell"
    ended = planned(server, moved, verb="done")
    assert ended["desk"]["asked"]["kind"] == "mobilize" and not ended["step"]["partial"]["when"]
    first, fell = read_paper(unsent(folder).read_text()), {"at": "noncombat-move", "when": "yunnan fell"}
    assert [*first.draft.plan] == [{**fell, "do": [{"move": "1 infantry from Manchuria to Jehol"}, "done"]}]
    assert unsent(folder).read_text().startswith(ATTACK), "the rest stays as it was written"
    placed = planned(server, ended, verb="place", chosen=[["unit", "infantry", 3], ["to", "japan", 1]])
    assert "then, noncombat moves, when Yunnan has fallen" in " ".join(o["text"] for o in placed["desk"]["orders"])
    review = ask(server, "/review")
    assert any(line.startswith("then, ") for line in review["orders"])
    session = Session.open(folder / "yamada")
    composed = session.desk(unsent(folder).read_text()).compose()
    assert len(composed.document["plan"]) == 2


def test_a_plan_is_undone_redone_and_removed(server: Server, folder: Path) -> None:
    unsent(folder).write_text(ATTACK)
    sheet = ask(server, "/plan", seen=stamp(ask(server, "/sheet")))
    sheet = planned(server, planned(server, sheet, verb="move", chosen=TO), verb="done")
    whole = unsent(folder).read_text()
    sheet = ask(server, "/undo", seen=stamp(sheet))
    assert [len(step["do"]) for step in read_paper(unsent(folder).read_text()).draft.plan] == [1]
    sheet = ask(server, "/redo", seen=stamp(sheet))
    assert unsent(folder).read_text() == whole
    entry = sheet["desk"]["orders"][-1]
    sheet = ask(server, "/remove", at=entry["at"], seen=stamp(sheet))
    assert not read_paper(unsent(folder).read_text()).draft.plan and len(sheet["desk"]["orders"]) == 4


def test_a_condition_is_judged_at_once(server: Server, folder: Path) -> None:
    unsent(folder).write_text(ATTACK)
    sheet = ask(server, "/plan", seen=stamp(ask(server, "/sheet")))
    text = unsent(folder).read_text()
    wrong = post(
        server, "/take", {"game": 0, **sheet["step"]["partial"], "verb": "done", "when": "yunan fell", "seen": stamp(sheet)}
    )
    assert wrong.status == 422 and "yunnan-fell" in wrong.plain["problems"][0]
    assert unsent(folder).read_text() == text


def test_a_typed_plan_that_nobody_can_carry_out_is_kept_and_told(server: Server, folder: Path) -> None:
    typed = ATTACK + "plan:\n  - at: noncombat\n    do: [done]\n"
    sheet = ask(server, "/sheet", text=typed, seen="")
    assert "noncombat-move" in sheet["desk"]["trouble"][0] and unsent(folder).read_text() == typed
    again = ask(server, "/sheet")
    assert again["desk"]["text"] == typed and again["desk"]["trouble"] == sheet["desk"]["trouble"], "the page still opens"
    assert post(server, "/undo", {"game": 0, "seen": stamp(again)}).status == 422, "nothing is written over it"
    assert unsent(folder).read_text() == typed
    mended = ask(server, "/sheet", text=typed.replace("noncombat", "noncombat-move"), seen=stamp(again))
    assert not mended["desk"]["trouble"]


def test_planning_is_offered_where_something_can_be_foreseen(server: Server, folder: Path) -> None:
    unsent(folder).write_text("orders: [done, done, done, done]\n")
    sheet = ask(server, "/sheet")
    assert sheet["desk"]["asked"] is None and not [one for one in sheet["answers"] if one["key"] == "plan"]
    assert "foreseen" in post(server, "/plan", {"game": 0, "seen": stamp(sheet)}).plain["problems"][0]


def test_nothing_is_planned_while_something_is_asked(server: Server, folder: Path) -> None:
    assert not [one for one in ask(server, "/sheet")["answers"] if one["key"] == "plan"]
    assert post(server, "/take", {"game": 0, "instead": -2, "verb": "done", "seen": ""}).status == 422


BEHIND = ATTACK.replace("standing:", "  - move: 1 infantry from Manchuria to Jehol\n  - done: noncombat-move\nstanding:")


def test_orders_typed_behind_a_die_are_named_and_go_into_the_plan_at_one_press(server: Server, folder: Path) -> None:
    sheet = ask(server, "/sheet", text=BEHIND, seen="")
    wrong, told = sheet["desk"]["trouble"]
    assert wrong.startswith("line 7: ")
    assert told == "Orders 5 to 6 come behind a die or another's answer. A plan in the same file could hold them."
    (button,) = sheet["answers"]
    assert button["text"] == "Move them into the plan" and unsent(folder).read_text() == BEHIND, "nothing is moved unasked"
    sheet = ask(server, button["address"], **button["body"], seen=stamp(sheet))
    steps = [{"at": "noncombat-move", "do": [{"move": "1 infantry from Manchuria to Jehol"}, "done"]}]
    assert not sheet["desk"]["trouble"] and [*read_paper(unsent(folder).read_text()).draft.plan] == steps
    assert unsent(folder).read_text().startswith("# mine\n")
    assert any(line.startswith("then, noncombat moves: ") for line in ask(server, "/review")["orders"])
    again = post(server, button["address"], {"game": 0, "seen": stamp(sheet)})
    assert again.status == 422 and "no order of this file has to go into a plan" in again.plain["problems"][0]


def test_what_the_button_moved_is_taken_back_at_once(server: Server, folder: Path) -> None:
    sheet = ask(server, "/sheet", text=BEHIND, seen="")
    moved = ask(server, "/behind", seen=stamp(sheet))
    text = unsent(folder).read_text()
    back = ask(server, "/undo", seen=stamp(moved))
    assert unsent(folder).read_text() == BEHIND and [b["key"] for b in back["answers"]] == ["behind"] and back["redo"]
    again = ask(server, "/redo", seen=stamp(back))
    assert unsent(folder).read_text() == text and not again["redo"]
    other = ask(server, "/sheet", text=text.replace("# mine", "# ours"), seen=stamp(again))
    ask(server, "/undo", seen=stamp(other))
    assert unsent(folder).read_text().startswith("# ours\n"), "what was written since is not taken back with it"
    (step,) = read_paper(unsent(folder).read_text()).draft.plan
    assert isinstance(step, dict) and step["do"] == [{"move": "1 infantry from Manchuria to Jehol"}]


def test_what_no_plan_can_hold_is_told_and_has_no_button(server: Server, folder: Path) -> None:
    typed = BEHIND.replace("done: noncombat-move", "done: scramble")
    sheet = ask(server, "/sheet", text=typed, seen="")
    assert "for order 6 and what follows it no question is foreseen" in sheet["desk"]["trouble"][-1] and not sheet["answers"]
    assert post(server, "/behind", {"game": 0, "seen": stamp(sheet)}).status == 422
    assert unsent(folder).read_text() == typed
    other = ask(server, "/sheet", text=ATTACK.replace("Kwangsi", "Hawaii"), seen=stamp(sheet))
    assert len(other["desk"]["trouble"]) == 1, "another mistake"


@needs_browser
def test_typed_orders_go_into_the_plan_on_the_page(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(BEHIND)
    come(chromium, server)
    button(chromium, "tab:text")
    chromium.ask("document.querySelector('#text').focus()")
    chromium.type("# ")
    chromium.wait("document.querySelector('#trouble').textContent.includes('come behind a die')")
    button(chromium, "behind")
    assert "then, noncombat moves" in chromium.text("#content ol")
    button(chromium, "turn")
    assert chromium.ask("document.querySelector('#text').value") == unsent(folder).read_text(), "what is there now"


@needs_browser
def test_planning_on_the_page(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(ATTACK)
    come(chromium, server)
    button(chromium, "tool:send")
    button(chromium, "plan")
    assert chromium.text("h2").startswith("Plan, if it comes to it: Japan: noncombat moves")
    chromium.ask("document.querySelector('[data-key=\"when\"]').focus()")
    chromium.type("yunnan fell")
    on_map(chromium, "manchuria")
    button(chromium, "unit:infantry")
    on_map(chromium, "jehol")
    if not chromium.ask("document.getElementById('pill').hidden"):
        click(chromium, "#pill .main")
    (step,) = read_paper(unsent(folder).read_text()).draft.plan
    assert isinstance(step, dict) and step["when"] == "yunnan fell"
    button(chromium, "verb:done")
    assert chromium.text("h2").startswith("Plan, if it comes to it: Japan: where new units")
    button(chromium, "tool:send")
    assert "Yunnan has fallen" in chromium.text("#content ol")


# -- answers in advance ------------------------------------------------------------------------------------------------------


def test_a_set_of_standing_orders_is_one_press_away(server: Server, folder: Path) -> None:
    unsent(folder).write_text(ATTACK.replace("  retreat: press\n  casualties: cheapest first\n", "  battle: any\n"))
    sheet = ask(server, "/sheet")
    offered = {one["key"]: one for one in sheet["answers"]}
    assert {"set:usual", "set:careful", "set:bold"} <= offered.keys()
    (folder / "yamada" / "sets").mkdir()
    (folder / "yamada" / "sets" / "night.yaml").write_text("battle: any\n")
    (folder / "yamada" / "sets" / "torn.yaml").write_text("battle: [any\n")
    found = {one["key"] for one in ask(server, "/sheet")["answers"]} - offered.keys()
    assert not found, "one that the file gives whole ends the offer; one that cannot be read does not close the page"
    (folder / "yamada" / "sets" / "night.yaml").write_text("retreat: press\n")
    assert {one["key"] for one in ask(server, "/sheet")["answers"]} - offered.keys() == {"set:night"}
    bold = offered["set:bold"]
    sheet = ask(server, bold["address"], **bold["body"], seen=stamp(sheet))
    held = read_paper(unsent(folder).read_text()).draft.standing
    bold_set = Session.open(folder / "yamada").game.sets()["bold"]
    assert held["battle"] == "any" and held.keys() == {*bold_set, "battle"}, "what is written goes before the set"
    assert not [one for one in sheet["answers"] if one["key"].startswith("set:")]
    review = ask(server, "/review")["orders"]
    assert "casualties, always: cheapest first" in review and "which battle comes next, always: any" in review
    composed = Session.open(folder / "yamada").desk(unsent(folder).read_text()).compose()
    assert composed.document["standing"].keys() == held.keys()


def test_a_set_that_a_person_writes_is_read_on_the_page(server: Server, folder: Path) -> None:
    unsent(folder).write_text(ATTACK.replace("  retreat: press\n  casualties: cheapest first\n", "  set: bold\n"))
    sheet = ask(server, "/sheet")
    assert not sheet["desk"]["trouble"] and "casualties, always: cheapest first" in ask(server, "/review")["orders"]
    sheet = ask(server, "/sheet", text=ATTACK.replace("  retreat: press", "  set: bald"), seen=stamp(sheet))
    (wrong,) = sheet["desk"]["trouble"]
    assert "there are usual, careful, bold" in str(wrong)
