"""Whole games of Skirmish over signed files: hidden hand, sealed bids, private die, claims, rewinding, audit."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.runtime.audit import Disclosure, audit, disclose, read_disclosure
from pbem.runtime.composing import Draft
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import GAME


def people(**charter: Any) -> list[Person]:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])]
    found_game(GAME, party, {}, **charter)
    return party


def choose(person: Person, dice: random.Random) -> Draft:
    """One legal decision, or nothing but what is owed."""
    due, request = person.table.due, person.table.engine.request
    if due.what in ("witness", "open", "claim", "start"):
        return Draft()
    if isinstance(request, Commit):
        return Draft(orders=[{"seal": 2, "seat": "blue"}])
    if isinstance(request, Simultaneous):
        bid = dice.choice([0, 1, 2, 3, 4, 5, 9]) if due.what == "seal" else dice.randrange(6)
        return Draft(orders=[{"seal": bid, "seat": due.seat} if due.what == "seal" else bid])
    assert isinstance(request, Ask)
    return Draft(orders=[dice.choice(list(request.options()))])


def play(party: list[Person], seed: int) -> None:
    dice = random.Random(seed)
    while party[0].table.due.what != "nothing":
        writer = next(p for p in party if p.name == party[0].table.due.player)
        send(party, choose(writer, dice))


def disclosures(party: list[Person]) -> list[Disclosure]:
    slips: list[Any] = [(p.name, disclose(p.table, p.knowledge(), p.draw_keys())) for p in party]
    return [read_disclosure(name, slip) for name, slip in slips]


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_game_ends_with_equal_tables_and_a_clean_audit(seed: int) -> None:
    party = people()
    play(party, seed)
    assert party[0].table.result is not None
    assert party[0].table.ledger.draws and party[0].table.ledger.claims
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_a_label_that_is_longer_than_a_file_may_say_is_cut_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strike that names twenty ships, say: dice and files know its first 300 characters, on both sides."""
    from tests.toygame import skirmish

    long = "🎲" * 300
    open_roll, private_roll = skirmish.Roll, skirmish.PrivateRoll
    monkeypatch.setattr(skirmish, "Roll", lambda label, *of: open_roll(f"{label} {long}", *of))
    monkeypatch.setattr(skirmish, "PrivateRoll", lambda seat, label, *of: private_roll(seat, f"{label} {long}", *of))
    party = people()
    play(party, 1)
    labels = [d["label"] for document in party[0].log for d in document.get("dice") or []]
    assert labels and {len(label) for label in labels} == {300}
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None
