"""[PW-FOG-01] Everything sealed over signed files: two programs in lockstep, a clean audit, and each lie named."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Commit
from tests.pacific_war import random_play
from tests.pacific_war.hidden_play import decide, play_on, two_people
from tests.pacific_war.test_hidden_hands import audited, lies, named
from tests.toygame.party import Person, send

SEALED: dict[str, Plain] = {"forces": "sealed", "land": "sealed", "decoys": "yes", "points": "sealed"}


def secretive(ask: Ask | Commit, dice: random.Random) -> Plain:
    """Nothing is shown and everything that can be ordered in secret is."""
    options = list(ask.options())
    if isinstance(ask, Commit):
        return options[-1]
    if ask.kind == "show":
        return {"show": "none"}
    if "secret" in options:
        return "secret"
    yes: Plain = {ask.kind: "yes"}
    if ask.kind.endswith("_hidden") and yes in options:
        return yes
    return random_play.choose(ask, dice)


def play(party: list[Person], dice: random.Random, most: int) -> None:
    """Files of two players who hide what they can."""
    for _ in range(most):
        if party[0].table.due.what == "nothing":
            return
        writer = next(p for p in party if p.name == party[0].table.due.player)
        send(party, decide(writer, dice, secretive))


def test_everything_sealed_in_lockstep_and_a_clean_audit() -> None:
    party = two_people("guadalcanal", **SEALED)
    play(party, random.Random(2), 80)
    kinds = {s.kind for row in party[0].table.engine.state.in_secret.values() for s in row}
    assert {"transport", "activate"} <= kinds
    assert audited(party) is None


def test_random_play_with_everything_sealed_passes_the_audit() -> None:
    party = two_people("guadalcanal", **SEALED)
    play_on(party, 3, 60)
    assert party[0].table.ledger.claims and audited(party) is None


def caught(monkeypatch: pytest.MonkeyPatch, kind: str, change: Any) -> None:
    """The Japanese player's program states this otherwise than it is, in one of a few games: the audit names him."""
    told: list[Plain] = []

    def lie(claim: Claim, truth: Plain) -> Plain:
        changed = change(claim, truth)
        if changed != truth:
            told.append(changed)
        return changed

    lies(monkeypatch, "yamada", **{kind: lie})
    for seed in (4, 1, 2, 3):
        party = two_people("guadalcanal", **SEALED)
        dice = random.Random(seed)
        for _ in range(90):
            play(party, dice, 1)
            if told:
                named(party, "yamada", kind)
                return
    raise AssertionError(f"nothing false was stated about {kind}")


def test_a_price_that_was_not_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    def cheaper(claim: Claim, truth: Any) -> Plain:
        return {**truth, "price": 0} if truth else truth

    caught(monkeypatch, "muster", cheaper)


def test_task_forces_in_another_port_than_the_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    def elsewhere(claim: Claim, truth: Any) -> Plain:
        return {**truth, "fleets": [h + 1 for h in truth["fleets"]]} if truth and truth["fleets"] else truth

    caught(monkeypatch, "muster", elsewhere)


def test_a_force_marker_that_stands_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """[PW-FOG-01] At least one unit is behind each marker."""
    caught(monkeypatch, "forces", lambda claim, truth: [*truth, truth[-1] + 1] if truth else truth)


def test_a_force_marker_that_is_taken_off_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    caught(monkeypatch, "forces", lambda claim, truth: list(truth)[:-1])


def test_a_secret_order_that_did_not_hold_said_to_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    caught(monkeypatch, "lawful", lambda claim, truth: not truth)


def test_ships_said_to_be_a_decoy(monkeypatch: pytest.MonkeyPatch) -> None:
    caught(monkeypatch, "report", lambda claim, truth: {"decoy": True})
