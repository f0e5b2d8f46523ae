"""A judge and heals: what all have signed ends a fork, what not all have signed ends nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.runtime.composing import Draft
from tests.toygame.healing import Healer, branch, drafted, forged, healed, healers, named, signed_by, take_heal
from tests.toygame.party import send
from tests.toygame.test_attacks import advance_to
from tests.toygame.test_heal import crossed
from tests.toygame.test_judging import log, told, verdict
from tests.toygame.test_skirmish import choose
from tests.toygame.test_slips import slip


def parted() -> tuple[list[Healer], list[Any], list[Any]]:
    """Nowak has signed two files for a place; the one that is given up has the longer line of files behind it."""
    party = healers()
    advance_to([*party], "red", "march")
    second = branch(party, Draft(orders=["halt"]))
    second += [f := forged(named(party, "nowak"), second[-1], 2), forged(named(party, "nowak"), f, 3)]
    return party, branch(party, Draft(orders=["go"]), Draft(orders=["let pass"])), second


def test_a_fork_that_all_have_healed_is_told_and_is_no_fault_any_more() -> None:
    party, first, second = parted()
    before = log([*party])
    assert verdict(*before, *first, *second).word == "signed twice"
    document = healed(party, [first, second], 0)
    send([*party], choose(named(party, party[0].table.due.player), random.Random(1)))
    since = [d for d in log([*party])[len(before) :] if d["type"] != heal.VOID]  # void places are in logs alone
    found = verdict(*before, *second, *since)
    assert found.word == "due" and found.due[0].player == party[0].table.due.player
    assert (found.last, found.head) == (party[0].table.last, party[0].table.ledger.entries[-1].id)
    assert [(f.player, f.seq, f.healed) for f in found.forks] == [("nowak", first[0]["seq"], document["seq"])]
    assert dict(found.forks[0].versions)[document_id(first[0])] == 2  # files, the heal not counted
    assert found.aside == []


def test_the_heal_alone_brings_the_versions_and_without_it_the_fork_is_open() -> None:
    party, first, second = parted()
    before = log([*party])
    document = healed(party, [first, second], 0)
    found = verdict(*before, document)
    assert (found.word, found.head, found.forks[0].healed) == ("due", document_id(document), document["seq"])
    late = named(party, "nowak").sign({**first[0], "note": ["a third"]})
    assert verdict(*before, document, late).forks[0].healed == document["seq"]


@pytest.mark.parametrize("how", ["unsigned", "forged", "against the rules"])
def test_a_heal_that_does_not_bind_heals_nothing(how: str) -> None:
    party, first, second = parted()
    made = drafted(party, [first, second], 0, **({"chosen_by": "allies"} if how == "against the rules" else {}))
    document = signed_by(made, party[:2] if how == "unsigned" else party)
    if how == "forged":
        document["signatures"]["dubois"] = document["signatures"]["nowak"]
    found = verdict(*log([*party]), *first, *second, document)
    assert told(found) == ("signed twice", first[0]["seq"], "nowak") and not found.forks[0].healed
    outcome = Outcome.REFUSED if how == "against the rules" else Outcome.WAITING
    assert outcome in {r.outcome for r in found.aside}


def test_a_heal_needs_no_signature_of_who_has_resigned() -> None:
    party, first, second = parted()
    gone = slip(named(party, "dubois"), "resignation", {"seats": ["rust"]})
    first = branch(party, Draft(orders=["go"], slips=[gone]), Draft(orders=["let pass"]))
    document = signed_by(drafted(party, [first, second], 0), party[:2])
    assert verdict(*log([*party]), document).forks[0].healed == document["seq"]


def test_of_a_late_answer_and_the_umpires_file_for_it_a_heal_says_enough() -> None:
    party = healers("escrow")
    own, theirs = crossed(party)
    before = log([*party])
    document = signed_by(drafted(party, [own, theirs], 0, chosen_by="umpire"), [named(party, "smith")])
    unhealed = verdict(*before, *own, *theirs)
    assert [r.outcome for r in unhealed.aside] == [Outcome.ALREADY_KNOWN], "one place, one link"
    take_heal(party, document)
    found = verdict(*before, *own, *theirs, document)
    assert (found.head, found.aside) == (document_id(document), [])
