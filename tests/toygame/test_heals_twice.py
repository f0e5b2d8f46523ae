"""Two forks in one game: what the first heal has burnt the second one gives back to nobody."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

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
