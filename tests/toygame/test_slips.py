"""Slips inside files, and a refused file that is replaced at its place (protocol, rule 2)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.protocol import slips, strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips as slips_taken
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused, take
from tests.toygame.party import Person, send
from tests.toygame.test_attacks import advance_to, due, refused, signed
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import people, play


def slip(person: Person, kind: str, content: dict[str, Any], head: str = "") -> dict[str, Any]:
    made = slips.make(kind, person.table.charter.game_id, head or person.table.ledger.entries[-1].id, person.name, content)
    return slips.sign(made, person.private)


def deliver(party: list[Person], document: dict[str, Any]) -> None:
    for person in party:
        person.receive(strict_yaml.write_document(document))


def test_resignations_taken_into_the_log_end_the_game() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    one, two = (slip(named(party, n), "resignation", {"seats": [s]}) for n, s in (("nowak", "red"), ("dubois", "rust")))
    send(party, Draft(orders=["halt"], slips=[one]))
    assert party[0].table.result is None and party[0].table.ledger.resigned == ["nowak"]
    assert writer.name == "nowak"
    send(party, Draft(slips=[two], orders=_owed(party)))
    result = party[0].table.result
    assert result is not None and result.winner == "axis" and party[0].table.due.what == "nothing"


def _owed(party: list[Person]) -> list[Any]:
    import random

    from tests.toygame.test_skirmish import choose

    return list(choose(due(party), random.Random(1)).orders)


def test_a_slip_counts_once() -> None:
    party = people()
    advance_to(party, "red", "march")
    one = slip(named(party, "nowak"), "resignation", {"seats": ["red"]})
    table = party[0].table
    slips_taken.note(table, one)
    slips_taken.note(table, one)
    assert table.ledger.resigned == ["nowak"] and len(table.ledger.slips) == 1


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"seats": ["red"]}, Outcome.BAD_SIGNATURE),
        ({"game": "ab" * 32}, Outcome.FOREIGN_GAME),
        ({"player": "stranger"}, Outcome.WRONG_KEY),
        ({"extra": 1}, Outcome.UNREADABLE),
    ],
    ids=str,
)
def test_a_file_with_a_false_slip_is_refused(change: dict[str, Any], outcome: Outcome) -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    false = {**slip(named(party, "dubois"), "resignation", {"seats": ["rust"]}), **change}
    assert refused(party, signed(writer, Draft(orders=["halt"]), slips=[false])).outcome is outcome


def test_a_slip_that_names_a_head_outside_the_log_is_refused() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    foreign = slip(named(party, "dubois"), "resignation", {"seats": ["rust"]}, head="ab" * 32)
    assert refused(party, signed(writer, Draft(orders=["halt"]), slips=[foreign])).outcome is Outcome.BAD_CHAIN


# -- replacement ------------------------------------------------------------------------------------------------------------


def unlawful(party: list[Person]) -> dict[str, Any]:
    """A signed file whose record of the state is wrong: everybody else refuses it."""
    document = signed(due(party), Draft(orders=["halt"]), state="ab" * 32)
    assert refused(party, document).outcome is Outcome.DIVERGED
    return document


def refusal(person: Person, document: dict[str, Any], head: str = "") -> dict[str, Any]:
    content = {"file": document_id(document), "outcome": "diverged", "reason": "state before the orders"}
    return slip(person, "refusal", content, head)


def test_a_refused_file_is_replaced_at_its_place_with_its_link() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    wrong = unlawful(party)
    right = writer.write(Draft(orders=["halt"], extra={"replaces": document_id(wrong)}, slips=[refusal(party[0], wrong)]))
    assert (right.document["seq"], right.document["link"]) == (wrong["seq"], wrong["link"])
    deliver(party, writer.sign(right.document))
    assert party[0].table.last == wrong["seq"]
    play(party, 1)


@pytest.mark.parametrize("case", ["none", "own", "of another file", "of another place", "unsigned"])
def test_a_replacement_needs_the_refusal_of_another_player_for_this_very_file(case: str) -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    wrong = unlawful(party)
    yamada = named(party, "yamada")
    brought = {
        "none": [],
        "own": [refusal(writer, wrong)],
        "of another file": [refusal(yamada, {**wrong, "note": ["x"]})],
        "of another place": [refusal(yamada, wrong, head=yamada.table.ledger.entries[1].id)],
        "unsigned": [{**refusal(yamada, wrong), "reason": "another"}],
    }[case]
    replaced = signed(writer, Draft(orders=["halt"]), replaces=document_id(wrong), slips=brought)
    assert refused(party, replaced).outcome is Outcome.REFUSED


def test_a_valid_file_is_never_replaced_programs_that_disagree_stop() -> None:
    """An ally's refusal does not give the author a second try where the first file was found valid."""
    party = people()
    writer = advance_to(party, "red", "march")
    head = party[0].table.ledger.entries[-1].id
    one = signed(writer, Draft(orders=["go"]))
    ally = refusal(named(party, "dubois"), one, head)
    two = signed(writer, Draft(orders=["halt"], extra={"replaces": document_id(one)}, slips=[ally]))
    without = signed(writer, Draft(orders=["halt"]), replaces=document_id(one))
    deliver(party, one)
    error = refused(party, two)
    assert error.outcome is Outcome.DIVERGED and "third judge" in str(error)
    assert refused(party, without).outcome is Outcome.EQUIVOCATION
    with pytest.raises(ProtocolError, match="programs disagree"):
        slips_taken.check_fork(party[0].table, one, two)
    slips_taken.check_fork(party[0].table, one, without)


def test_only_the_key_of_the_place_proves_a_fork() -> None:
    """Anybody can write a second file; without the player's signature it is no proof."""
    party = people()
    writer = advance_to(party, "red", "march")
    one, two = signed(writer, Draft(orders=["go"])), signed(writer, Draft(orders=["halt"]))
    deliver(party, one)
    forged = {**two, "signature": named(party, "yamada").sign(two)["signature"]}
    assert refused(party, forged).outcome is Outcome.BAD_SIGNATURE
    proof = slip(named(party, "yamada"), "equivocation", {"files": [one, two]})
    slips_taken.check(party[0].table, proof)
    with pytest.raises(ProtocolError):
        slips_taken.check(party[0].table, slip(named(party, "yamada"), "equivocation", {"files": [one, forged]}))


def test_a_refused_file_changes_nothing_for_whoever_takes_it() -> None:
    party = people()
    advance_to(party, "red", "march")
    receiver = named(party, "yamada")
    before = receiver.table.to_plain()
    with pytest.raises((ProtocolError, Refused)):
        take(receiver.table, unlawful(party), receiver.fetch)
    assert receiver.table.to_plain() == before


def refused_twice(party: list[Person]) -> list[dict[str, Any]]:
    """Two wrong files of one place, the second in the place of the first, and one that takes theirs: both refusals in it."""
    writer, yamada = advance_to(party, "red", "march"), named(party, "yamada")
    one = unlawful(party)
    first = refusal(yamada, one)
    two = signed(writer, Draft(orders=["halt"]), state="cd" * 32, replaces=document_id(one), slips=[first])
    replaces = {"replaces": document_id(two)}
    return [one, two, signed(writer, Draft(orders=["halt"], extra=replaces, slips=[first, refusal(yamada, two)]))]


def test_who_was_refused_twice_and_replaced_both_has_forked_with_neither() -> None:
    party = people()
    one, two, right = refused_twice(party)
    for pair in ((one, two), (two, right), (one, right), (right, one)):
        with pytest.raises(ProtocolError, match="programs disagree") as error:
            slips_taken.check_fork(party[0].table, *pair)
        assert error.value.outcome is Outcome.DIVERGED
    deliver(party, right)
    assert party[0].table.last == right["seq"]


def test_a_file_with_the_refusal_of_another_is_proof_with_it_unless_it_replaces_one() -> None:
    party = people()
    one, _, right = refused_twice(party)
    beside = due(party).sign({k: v for k, v in right.items() if k != "replaces"})
    slips_taken.check_fork(party[0].table, one, beside)
    unrefused = signed(due(party), Draft(orders=["halt"], note=["another"]))
    slips_taken.check_fork(party[0].table, unrefused, right)


def test_a_file_found_valid_is_replaced_by_no_later_one_either() -> None:
    """Whoever refused it: where it is in the log, a file that was to take its place shows that programs disagree."""
    party = people()
    writer = advance_to(party, "red", "march")
    one, dubois = signed(writer, Draft(orders=["go"])), named(party, "dubois")
    first = refusal(dubois, one)
    two = signed(writer, Draft(orders=["halt"]), state="ab" * 32, replaces=document_id(one), slips=[first])
    extra = {"replaces": document_id(two)}
    three = signed(writer, Draft(orders=["halt"], extra=extra, slips=[first, refusal(dubois, two)]))
    deliver(party, one)
    assert refused(party, three).outcome is Outcome.DIVERGED
