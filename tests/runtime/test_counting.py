"""How many files by hand a turn still takes: counted on drawn dice, compared with turns that are played over files."""

from __future__ import annotations

from pbem.kernel.canon import Plain
from pbem.protocol import strict_yaml
from pbem.runtime.ahead import part_of
from pbem.runtime.composing import Draft
from pbem.runtime.counting import Counted, counted
from pbem.runtime.taking import take
from tests.generic.test_desk import party
from tests.toygame.party import Person

ATTACK: list[Plain] = [
    "done",
    {"move": "3 infantry, 1 artillery from Kwangsi to Yunnan"},
    {"move": "3 infantry, 1 artillery from Kiangsi to Hunan"},
    "done",
]
HELD: dict[str, Plain] = {"casualties": "cheapest first", "battle": "any", "retreat": "press"}


def behind(people: list[Person], orders: list[Plain], standing: dict[str, Plain] | None = None) -> Counted:
    """The count behind these orders of Japan."""
    table = people[0].table
    after = people[0].write(Draft(orders, standing or {})).table
    return counted(after, part_of(table), 0)


def kinds(found: Counted) -> list[str]:
    return [kind for _, kind in found.files]


def test_a_turn_without_battles_is_one_file() -> None:
    people = party()
    found = counted(people[0].table, part_of(people[0].table), 0)
    assert found.files == (("yamada", "purchase"),) and found.whole, "the turn of one power, the next one's is another"


def test_nobody_is_due_by_hand_behind_a_whole_turn() -> None:
    assert behind(party(), ["done", "done", "done"]).files == ()


def test_what_standing_orders_answer_costs_no_file() -> None:
    without, held = behind(party(), ATTACK), behind(party(), ATTACK, HELD)
    assert {"battle", "retreat"} <= set(kinds(without)) and kinds(held) == ["noncombat-move"]
    assert held.whole and without.whole


def test_supposed_standing_orders_answer_and_given_ones_go_before_them() -> None:
    people = party()
    table = people[0].table
    after = people[0].write(Draft(ATTACK, {"battle": "any"})).table
    supposed: list[tuple[str, str, Plain]] = [("yamada", kind, plain) for kind, plain in HELD.items()]
    assert kinds(counted(after, part_of(table), 0, supposed)) == ["noncombat-move"]
    worse: list[tuple[str, str, Plain]] = [("yamada", "battle", {"do": "ask me"}), *supposed[:1], *supposed[2:]]
    assert kinds(counted(after, part_of(table), 0, worse)) == ["noncombat-move"]


def test_counting_changes_nothing_and_says_the_same_for_the_same_dice() -> None:
    people = party()
    after = people[0].write(Draft(ATTACK)).table
    before, ledger = after.engine.state_hash(), len(after.ledger.rolled)
    first = [counted(after, part_of(people[0].table), number) for number in range(6)]
    assert first == [counted(after, part_of(people[0].table), number) for number in range(6)]
    assert len({len(one.files) for one in first}) > 1, "other dice, other files"
    assert (after.engine.state_hash(), len(after.ledger.rolled)) == (before, ledger)


def test_the_count_is_what_a_turn_over_files_takes() -> None:
    """With the usual standing orders only the dice stand between; then one file ends the turn."""
    people = party()
    since = part_of(people[0].table)
    expected = behind(people, ATTACK, HELD)
    by_hand = list[tuple[str, str]]()
    draft: Draft | None = Draft(ATTACK, HELD)
    while draft is not None:
        writer = next(p for p in people if p.name == people[0].table.due.player)
        document, _ = strict_yaml.read_document(strict_yaml.write_document(writer.sign(writer.write(draft).document)))
        taken = take(writer.table, document, writer.fetch)
        for person in people:
            person.table = taken.table
            person.log.append(document)
        if part_of(taken.table) != since:
            break
        due = taken.table.due
        draft = Draft()
        if due.what == "orders":
            request = taken.table.engine.request
            by_hand.append((due.player, str(getattr(request, "kind", ""))))
            draft = Draft(["done"])
    assert tuple(by_hand) == expected.files
