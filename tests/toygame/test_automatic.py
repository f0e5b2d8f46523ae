"""A file that a program writes by itself is a function of log and secrets: from any backup it is the same file."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.protocol.ids import document_id
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.store import announcing
from tests.toygame.folders import SEATS, TWO, answer, at, due, session, spread, two_pens
from tests.toygame.remembered import found


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


def written_twice(folders: list[str], seed: int, files: int = 40) -> int:
    """Play on; whatever a program writes by itself is written by a copy of its folder too. How many there were."""
    dice, count = random.Random(seed), 0
    for _ in range(files):
        if session(folders[0]).table.result is not None:
            break
        name = due(folders)
        if session(name).table.due.what in AUTOMATIC:
            shutil.copytree(name, "copy")
            one = session(name).write(Draft())
            with two_pens():
                two = session("copy").write(Draft())
            assert document_id(one) == document_id(two) and one["signature"] == two["signature"], one["type"]
            assert not one.get("note") and not one.get("slips")
            shutil.rmtree("copy")
            count += 1
        else:
            session(name).write(Draft([answer(name, dice)]))
        spread_one(folders, name)
    return count


def spread_one(folders: list[str], name: str) -> None:
    document = session(name).folder.log.files()[-1]
    for other in folders:
        if other != name:
            session(other).take(document)


@pytest.mark.parametrize("seed", [1, 2])
def test_twice_the_same_witness_openings_and_claims(seed: int) -> None:
    folders = found(SEATS)
    assert written_twice(folders, seed) > 5


def test_twice_the_same_new_chain_and_its_escrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.protocol.charter.CHAIN_LENGTH", 70)
    folders = found(TWO, "escrow")
    assert written_twice([f for f in folders if f != "smith"], 3) > 5
    announced = [d for d in session("yamada").folder.log.files() if d.get("next_chain")]
    assert announced and all("escrow" in d["next_chain"] for d in announced)


def test_a_chain_announced_from_a_copy_is_found_again_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.protocol.charter.CHAIN_LENGTH", 66)
    folders = found(TWO)
    dice = random.Random(5)
    while session(folders[0]).table.result is None:
        name = due(folders)
        automatic = session(name).table.due.what in AUTOMATIC
        session(name).write(Draft() if automatic else Draft([answer(name, dice)]))
        spread_one(folders, name)
    shown = session("yamada").table.ledger.chains
    assert any(c.left > 40 for c in shown.values()) and len(session("yamada").table.ledger.tips) >= 2
    spread(folders)


def test_two_orders_at_one_place_never_share_a_salt() -> None:
    found(TWO)
    blue = session("yamada")
    same = [announcing.salt(blue, 3, 0, "a"), announcing.salt(blue, 3, 0, "a")]
    others = {announcing.salt(blue, 3, 0, "b"), announcing.salt(blue, 4, 0, "a"), announcing.salt(blue, 3, 1, "a")}
    assert same[0] == same[1] and len(others | {same[0]}) == 4
    assert announcing.salt(session("nowak"), 3, 0, "a") != same[0]


def test_what_is_derived_depends_on_the_draw_master_alone_not_on_what_an_escrow_holds() -> None:
    found(TWO, "escrow")
    blue = session("yamada")
    before = announcing.salt(blue, 3, 0, "a")
    blue.me.chain_secret = "00" * 32
    assert announcing.salt(blue, 3, 0, "a") == before
    blue.me.draw_master = "00" * 32
    assert announcing.salt(blue, 3, 0, "a") != before
