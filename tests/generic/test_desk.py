"""The desk: text and picks, on one table that goes on; it says what `compose` says."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem import games
from pbem.kernel.forms import Partial
from pbem.kernel.wording import english
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.composing import Draft
from pbem.runtime.desk import Desk
from pbem.runtime.taking import Refused
from pbem.store.library import load_scenario
from tests.toygame.party import Person, found_game, send

AXIS = ["japan"]
ALLIES = ["united-states", "china", "united-kingdom", "anzac"]
PACIFIC = "axis-and-allies-pacific"


def party(system: str = PACIFIC, scenario: str = "spring-1940", sides: tuple[list[str], ...] = (AXIS, ALLIES)) -> list[Person]:
    game = games.load(system)
    people = [Person(name, seats) for name, seats in zip(("yamada", "nowak"), sides, strict=True)]
    found_game(game, people, {}, load_scenario(game, scenario))
    return people


def desk_of(people: list[Person], text: str = "") -> Desk:
    due = people[0].table.due.player
    person = next(p for p in people if p.name == due)
    return Desk(person.table, person.secrets(), person.fetch, lambda *_: b"\7" * 32, text)


def first_orders(people: list[Person]) -> Desk:
    """Japan's first turn, with remarks."""
    lines = ["# mine", "orders:", "  # money first", "  - buy: 2 infantry  # cheap", "  - done", "", "# the end", "note: [yes]"]
    return desk_of(people, "\n".join(lines) + "\n")


def agrees(desk: Desk) -> bool:
    return desk.compose().table.engine.state_hash() == desk.table.engine.state_hash()


def test_a_text_is_read_order_by_order() -> None:
    sheet = first_orders(party()).sheet
    assert sheet.orders == ({"buy": "2 infantry"}, "done") and sheet.lines == (4, 5)
    assert sheet.trouble is None and sheet.asked is not None and sheet.asked.kind == "combat-move"


def test_picked_orders_are_written_into_the_text() -> None:
    desk = first_orders(party())
    sheet = desk.take([{"move": {"units": {"infantry": 1}, "from": "jehol", "to": "chahar"}}])
    assert sheet.text == (
        "# mine\norders:\n  # money first\n  - buy: 2 infantry  # cheap\n  - done\n"
        "  - move: 1 infantry from Jehol to Chahar\n\n# the end\nnote: [yes]\n"
    )
    assert desk.undo().text == first_orders(party()).sheet.text
    assert agrees(desk)


def test_a_refused_order_changes_nothing() -> None:
    desk = first_orders(party())
    before, told = desk.sheet, desk.table.engine.state_hash()
    with pytest.raises(Refused):
        desk.take([{"move": {"units": {"infantry": 1}, "from": "japan", "to": "chahar"}}])
    assert (desk.sheet, desk.table.engine.state_hash()) == (before, told)


def test_trouble_is_shown_at_its_line() -> None:
    desk = desk_of(party(), "orders:\n- buy: 1 infantry\n- move: 1 infantry from jehol to chahar\n- done\n")
    assert desk.sheet.trouble is not None and desk.sheet.trouble.line == 3
    assert desk.sheet.orders == ({"buy": "1 infantry"},)
    desk.take(["done"])
    assert desk.sheet.orders[1:] == ("done", {"move": "1 infantry from jehol to chahar"}, "done")
    desk.edit("orders: [")
    assert desk.sheet.trouble is not None and desk.sheet.trouble.unread.id and desk.sheet.text == "orders: ["
    with pytest.raises(ProtocolError):
        desk.take(["done"])
    with pytest.raises(ProtocolError):
        desk.undo()
    assert desk.sheet.text == "orders: ["


@pytest.mark.parametrize("text", ["", "orders:\n", "orders: []  # none yet\n", "note: [hello]\n", "orders: [{buy: 1 tank}]\n"])
def test_orders_are_added_to_any_text(text: str) -> None:
    desk = desk_of(party(), text)
    sheet = desk.take([{"buy": {"infantry": 1}}])
    assert sheet.orders[-1] == {"buy": "1 infantry"} and sheet.trouble is None
    assert all(word in sheet.text for word in ("none yet", "hello") if word in text)


def test_a_done_behind_a_phase_that_ended_by_itself_is_left_out() -> None:
    people = party()
    money = people[0].table.engine.state.cash["japan"] // 3
    desk = desk_of(people, f"orders:\n- buy: {money} infantry\n- done\n- move: 1 infantry from jehol to chahar\n")
    assert desk.sheet.trouble is None and desk.sheet.asked is not None and desk.sheet.asked.kind == "combat-move"
    assert [(left.at, left.line) for left in desk.sheet.left_out] == [(1, 3)] and len(desk.sheet.orders) == 2
    assert desk.draft.orders == desk.wanted.orders and agrees(desk)


def test_a_done_behind_ones_last_phase_that_ended_by_itself_is_left_out() -> None:
    """Everything is placed, and another power is asked: nothing that this `done` could end is one's own."""
    turn = ["buy: 1 infantry", "done", "done", "done", "place: 1 infantry in Japan"]
    desk = desk_of(party(), "orders:\n" + "".join(f"- {order}\n" for order in [*turn, "done"]))
    assert desk.sheet.trouble is None and desk.sheet.asked is None and desk.table.due.player != desk.player
    assert [(left.at, english(left.message)) for left in desk.sheet.left_out] == [
        (5, "`done` is left out: what was asked before had ended by itself (Japan: place 1 infantry)")
    ]
    assert len(desk.sheet.orders) == 5 and agrees(desk)


def test_a_done_that_is_picked_in_sight_of_the_question_ends_it() -> None:
    people = party()
    desk = desk_of(people)
    desk.take([{"buy": {"infantry": people[0].table.engine.state.cash["japan"] // 3}}])
    assert desk.sheet.asked is not None and desk.sheet.asked.kind == "combat-move"
    sheet = desk.take(["done"])
    assert sheet.text.endswith("  - done: combat-move\n") and sheet.text.count("- done") == 1 and len(sheet.orders) == 2
    assert sheet.asked is not None and sheet.asked.kind == "noncombat-move"
    assert desk.undo().text.count("- done") == 0


@pytest.mark.in_turn(3)
def test_text_and_picks_alternate() -> None:
    """200 steps: remarks, notation and the order of lines stay; the table is the one that `compose` makes."""
    dice, people = random.Random(5), party()
    desk = first_orders(people)
    remarks = ["# mine", "# money first", "# cheap", "# the end"]
    for number in range(200):
        before = desk.sheet.text
        deed = dice.randrange(6)
        if deed < 3:
            _pick(desk, dice)
        elif deed == 3 and len(desk.sheet.orders) > 2:
            desk.undo()
        elif deed == 4:
            lines = before.split("\n")
            at = dice.randrange(3, len(lines) - 1)
            if at >= len(lines) or not lines[at].startswith("    "):
                lines.insert(at, f"  # remark {number:03}")
                remarks.append(f"# remark {number:03}")
            desk.edit("\n".join(lines))
        else:
            kept = before.split("\n")
            own = [n for n, line in enumerate(kept) if line.startswith("  - ") and "cheap" not in line]
            if len(own) > 3 and dice.random() < 0.5:
                end = own[-1] + 1
                while kept[end].startswith("    "):
                    end += 1
                del kept[own[-1] : end]
            desk.edit("\n".join(kept))
        assert [r for r in remarks if desk.sheet.text.count(r) != 1] == []
        assert [r for r in remarks if r in desk.sheet.text] and desk.sheet.text.index(remarks[0]) == 0
        if number % 20 == 0:
            assert agrees(desk)
    assert agrees(desk)


def _pick(desk: Desk, dice: random.Random) -> None:
    so_far = Partial()
    for _ in range(12):
        step = desk.step(so_far)
        able = [p for p in step.picks if p.why_not is None and p.value != "done"]
        if step.orders:
            desk.take(step.orders)
            return
        if not able:
            return
        pick = dice.choice(able)
        so_far = so_far.plus(pick, dice.randint(1, pick.most))


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    ("system", "scenario", "sides"),
    [
        (PACIFIC, "spring-1940", (AXIS, ALLIES)),
        ("next-war", "training", None),
        ("empire-of-the-sun", "south-pacific", None),
        ("pacific-war", "coral-sea", None),
    ],
)
def test_desk_and_compose_agree(system: str, scenario: str, sides: Any) -> None:
    """Files picked at random, sent and taken; at each the table of the desk is the one that the file leads to."""
    dice = random.Random(system)
    if sides is None:
        seats = games.load(system).seats
        sides = tuple([s for s, of in seats.items() if of == side] for side in dict.fromkeys(seats.values()))
    people = party(system, scenario, sides)
    for _ in range(6):
        if people[0].table.due.what not in ("orders", "seal"):
            break
        desk = desk_of(people)
        for _ in range(5):
            _pick(desk, dice)
        assert agrees(desk), desk.sheet
        if not desk.sheet.orders:
            break
        send(people, desk.draft)
        while people[0].table.due.what in ("witness", "open", "claim", "start"):
            send(people, Draft())


def test_what_is_given_up() -> None:
    desk = desk_of(party(), "orders:\n- done\n")
    found = {c.kind: english(c.message) for c in desk.consequences()}
    assert "skipped" in found and "unfinished" in found
    assert "combat moves" in found["unfinished"]


def test_asking_what_would_be_wrong_changes_nothing() -> None:
    desk = first_orders(party())
    desk.take([{"move": {"units": {"infantry": 1}, "from": "jehol", "to": "chahar"}}])
    before = desk.sheet.text, desk.sheet.orders, desk.table.engine.state_hash()
    wrong = [{"move": {"units": {"infantry": 1}, "from": "japan", "to": "chahar"}}]
    assert [p.verdict for p in desk.wrong_with(wrong)] == ["not allowed"]
    assert desk.wrong_with([{"move": {"units": {"fighter": 1}, "from": "kiangsu", "to": "yunnan"}}]) == ()
    assert (desk.sheet.text, desk.sheet.orders, desk.table.engine.state_hash()) == before and agrees(desk)
    assert desk.undo().text == first_orders(party()).sheet.text
