"""A side may name one of its players to answer its reactions (charter, `answers`)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.composing import Draft
from tests.commands import must
from tests.toygame.folders import at
from tests.toygame.party import send
from tests.toygame.test_attacks import advance_to, due, refused, signed
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import choose, people, play


def test_the_named_player_answers_for_his_ally_and_nobody_else_does() -> None:
    party = people(answers={"allies": "dubois"})
    advance_to(party, "red", "loss", seed=5)
    assert due(party).name == "dubois"
    nowak = named(party, "nowak")
    assert refused(party, signed(nowak, Draft(), orders=["foot"])).outcome is Outcome.WRONG_KEY
    send(party, Draft(orders=["horse"]))
    assert party[0].table.engine.state.losses[-1] == "red horse"
    play(party, 3)
    assert party[0].table.result is not None


def test_without_a_named_player_the_seat_answers() -> None:
    party = people()
    assert advance_to(party, "red", "loss", seed=5).name == "nowak"


def test_his_standing_order_answers_too() -> None:
    party = people(answers={"allies": "dubois"})
    dice = random.Random(5)
    given: set[str] = set()
    while party[0].table.due.what != "nothing":
        writer = due(party)
        draft = choose(writer, dice)
        if draft.orders and writer.name not in given:
            draft.standing = {"loss": ["foot" if writer.name == "dubois" else "horse"]}
            given.add(writer.name)
        send(party, draft)
    losses = party[0].table.engine.state.losses
    assert "dubois" in given and "red foot" in losses
    assert "red horse" not in losses


def test_only_a_player_of_the_side_can_be_named() -> None:
    with pytest.raises(ProtocolError, match="holds no seat of it"):
        people(answers={"allies": "yamada"})


def test_a_player_names_himself_when_he_joins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(tmp_path, monkeypatch):
        must("new", "draft", "--system", "skirmish", "--scenario", "hill")
        must("join", "draft/charter.yaml", "--as", "nowak", "--seats", "red", "--answers", "-g", "nowak")
        assert strict_yaml.read_document(Path("nowak/charter.yaml").read_bytes())[0]["answers"] == {"allies": "nowak"}
