"""Two forks in one game: what the first heal has burnt the second one gives back to nobody."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from pbem.kernel.canon import Plain
from pbem.runtime.composing import Draft
from tests.replay.node import NODE, run
from tests.toygame.healing import Healer, branch, forged, healed, named
from tests.toygame.party import send
from tests.toygame.test_heal import GO, HALT, PASS, finish, marching
from tests.toygame.test_skirmish import choose


def play_on(party: Sequence[Healer]) -> None:
    """To the end; the other verifier, where it can run, finds no fault in any file either."""
    finish(party)
    if NODE is not None:
        charter, *files = party[0].log
        found = run("signed.js", stdin={"charter": charter, "files": files, "slips": [], "aside": []})["faults"]
        assert [(seq, fault) for seq, faults in enumerate(found) for fault in faults] == []


def announced() -> list[Healer]:
    """Nowak has announced his next chain; blue, who is to answer him, brings it into use with whatever he signs."""
    party = marching()
    tip = {"tip": named(party, "nowak").record_of("later").chain, "length": 512}
    send([*party], Draft(orders=["go"], extra={"next_chain": tip}))
    return party


def test_a_second_heal_leaves_links_of_a_next_chain_burnt() -> None:
    """Blue has seen what nowak would show next, and may not fork once more to have it shown again."""
    party = announced()
    nowak = named(party, "nowak")
    lives = [*nowak.lives]
    nowak.lives.append("later")
    first = branch(party, PASS, lambda people: send([*people], choose(nowak, random.Random(1))))
    second = branch(party, Draft(orders=["stop"]))
    nowak.lives = lives
    healed(party, [first, second], None)
    held = party[0].table.ledger.chains["nowak"]
    assert (held.next_skip, held.next_tip != "") == (1, True)
    again = branch(party, Draft(orders=["stop"])), branch(party, Draft(orders=["stop"], note=["again"]))
    healed(party, again, None)
    assert party[0].table.ledger.chains["nowak"].next_skip == 1
    send([*party], PASS)
    nowak.lives.append("later")
    document = send([*party], choose(nowak, random.Random(1)))
    assert document["link"] != first[1]["link"]
    play_on(party)


@pytest.mark.parametrize(("once", "again"), [(4, 1), (2, 5)])
def test_a_second_heal_leaves_links_burnt_behind_the_one_that_is_owed(once: int, again: int) -> None:
    """Blue owes an opening and forks twice, each time with so many of his links."""
    party = marching()
    yamada = named(party, "yamada")
    send([*party], GO)
    send([*party], Draft(orders=["stop"], sealed_standing={"stop": [{"do": "let pass", "when": "step > 1"}, "stop"]}))
    while not (party[0].table.due.what == "open" and party[0].table.due.player == "yamada"):
        send([*party], choose(named(party, party[0].table.due.player), random.Random(4)))
    without = branch(party, Draft())
    left = party[0].table.ledger.chains["yamada"].left
    for depth in (once, again):
        deep = branch(party, Draft())
        deep += [forged(yamada, deep[-1], depth)] if depth > 1 else []
        healed(party, [deep, branch(party, Draft(note=["again"]))], None)
    document = send([*party], Draft())
    assert document["link"] == without[0]["link"] and document.get("dice") == without[0].get("dice")
    held = party[0].table.ledger.chains["yamada"]
    most = max(once, again)
    assert (held.skip, held.left) == (most - 1, left - most), "what either heal has burnt stays burnt"
    play_on(party)


def test_a_third_file_behind_dice_that_a_heal_has_turned_burns_further() -> None:
    """Dice that a heal turned show a link of nowak's; what later versions show counts from there."""
    party = marching()
    nowak = named(party, "nowak")
    send([*party], GO)
    send([*party], PASS)
    assert (party[0].table.due.what, party[0].table.due.player) == ("witness", "nowak")
    left = party[0].table.ledger.chains["nowak"].left
    healed(party, [branch(party, Draft(orders=["go"])), branch(party, HALT)], None)
    assert party[0].table.due.what == "orders"
    deep = branch(party, Draft(orders=["go"]))
    deep += [forged(nowak, deep[-1], 3)]
    healed(party, [deep, branch(party, HALT)], None)
    held = party[0].table.ledger.chains["nowak"]
    assert (held.skip, held.left) == (3, left - 4)
    play_on(party)


def owing(depth: int, order: Draft = GO) -> tuple[list[Healer], set[str]]:
    """Blue owes an opening and forked, so many of his links deep: all know them, and the first one is due still."""
    party = marching()
    yamada = named(party, "yamada")
    send([*party], GO)
    send([*party], Draft(orders=["stop"], sealed_standing={"stop": [{"do": "let pass", "when": "step > 1"}, "stop"]}))
    while not (party[0].table.due.what == "open" and party[0].table.due.player == "yamada"):
        asked = party[0].table.due.what == "orders" and getattr(party[0].table.engine.request, "kind", "") == "march"
        send([*party], order if asked else choose(named(party, party[0].table.due.player), random.Random(4)))
    deep = branch(party, Draft())
    deep += [forged(yamada, deep[-1], depth)]
    known = {yamada.ahead(steps) for steps in range(1, depth + 1)}
    healed(party, [deep, branch(party, Draft(note=["again"]))], None)
    held = party[0].table.ledger.chains["yamada"]
    assert (held.skip, held.later) == (0, depth - 1)
    return party, known


def forked_by_nowak(party: Sequence[Healer], *behind: int) -> None:
    """The other side signs two files where blue's opening is due; behind the one stand files that show blue's links."""
    nowak, newest = named(party, "nowak"), party[0].log[-1]
    first = [forged(nowak, newest)]
    for steps in behind:
        first.append(forged(named(party, "yamada"), first[-1], steps))
    healed(party, [first, [forged(nowak, newest, note=["again"])]], None)


@pytest.mark.parametrize("steps", [1, 2, 4, 6])
def test_orders_that_are_asked_again_get_no_dice_of_links_that_an_earlier_heal_has_burnt(steps: int) -> None:
    """Red, who has seen four of blue's links, forks: he is asked again, and blue answers with a fifth one."""
    party, known = owing(4)
    left = party[0].table.ledger.chains["yamada"].left
    forked_by_nowak(party, steps)
    held, most = party[0].table.ledger.chains["yamada"], max(4, steps)
    assert (party[0].table.due.what, party[0].table.due.player) == ("orders", "nowak")
    assert (held.skip, held.later, held.left) == (most, 0, left - most)
    send([*party], choose(named(party, "nowak"), random.Random(4)))
    if NODE is not None and steps < 4:
        cheat = forged(named(party, "yamada"), party[0].log[-1])
        charter, *files = [*party[0].log, cheat]
        found = run("signed.js", stdin={"charter": charter, "files": files, "slips": [], "aside": []})["faults"]
        assert cheat["link"] in known and "link" in found[-1][0]["says"], "nor does the other verifier take a known one"
    document = send([*party], Draft())
    assert document["player"] == "yamada" and document["link"] not in known
    play_on(party)


def test_a_link_that_is_due_since_an_earlier_heal_stays_due_where_nobody_shows_it_again() -> None:
    party, known = owing(4)
    left = party[0].table.ledger.chains["yamada"].left
    forked_by_nowak(party)
    assert (party[0].table.due.what, party[0].table.due.player) == ("open", "yamada")
    document = send([*party], Draft())
    held = party[0].table.ledger.chains["yamada"]
    assert document["link"] in known and (held.skip, held.later, held.left) == (3, 0, left - 4)
    play_on(party)


PLANNED = pytest.mark.parametrize("sealed", [{}, {"sealed": True}])


def planning(sealed: dict[str, Plain]) -> Draft:
    return Draft(orders=["go"], plan=[{"at": "march", "do": ["go"], "later": 1, **sealed}])


@PLANNED
def test_a_step_planned_for_a_later_month_outlives_the_heals_of_both_sides(sealed: dict[str, Plain]) -> None:
    """Red's file with the plan stands before either fork, and the plan answers in the next month, once."""
    party = marching()
    sent = send([*party], planning(sealed))
    while party[0].table.due.player != "yamada" or party[0].table.due.what != "orders":
        send([*party], Draft())
    deep = branch(party, PASS)
    deep += [forged(named(party, "yamada"), deep[-1], 2)]
    healed(party, [deep, branch(party, Draft(orders=["stop"]))], None)
    forked_by_nowak(party, 1)
    table = party[0].table
    assert [(p.seq, p.used, p.over) for p in table.ledger.plans] == [(sent["seq"], [0], False)]
    assert (table.due.player, table.due.what) == ("yamada", "orders"), "nobody owed dice"
    finish(party)
    ledger = party[0].table.ledger
    assert [(f.order, f.by, f.clause) for f in ledger.fired if f.file == sent["seq"]] == [("go", "plan", 1)]


@PLANNED
def test_a_step_planned_for_a_later_month_goes_with_the_orders_that_a_second_heal_voids(sealed: dict[str, Plain]) -> None:
    """Red's own fork shows the link that turns his dice: he orders again, and what he had planned with it binds nobody."""
    party, _ = owing(4, planning(sealed))
    ledger = party[0].table.ledger
    (held,) = ledger.plans
    assert (held.used, held.over) == ([0], False)
    forked_by_nowak(party, 1)
    ledger = party[0].table.ledger
    assert (party[0].table.due.what, ledger.plans, held.seq in ledger.voided) == ("orders", [], True)
    send([*party], planning(sealed))
    assert [p.seq for p in party[0].table.ledger.plans] == [party[0].table.last]
    play_on(party)
    fired = [(f.file, f.order) for f in party[0].table.ledger.fired if f.by == "plan"]
    assert all(file > held.seq for file, _ in fired)
