"""A resignation whose key its author gives up meanwhile: all who have the same files agree on whether it counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.outcomes import Outcome
from tests.commands import must, run
from tests.toygame.folders import SEATS, as_json, at, due, give, in_file, session, spread
from tests.toygame.remembered import advance_to, found

Document = dict[str, Any]
ALONE = {"nowak": "red,rust", "yamada": "blue"}


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


def watching() -> None:
    """A folder of somebody who has no key in the game, with all its files."""
    must("new", "watch", "--system", "skirmish", "--scenario", "hill")
    must("accept", "yamada/files/0000-charter.yaml", "-g", "watch")
    must("receive", "yamada/files", "-g", "watch")


def offered_and_accepted(folders: list[str]) -> tuple[Document, list[Document]]:
    """Nowak offers another key, resigns with the one that he has, and all accept that: slip, files from the offer on."""
    assert advance_to(folders, "march") == "nowak"
    watching()
    files = [in_file(as_json("seat", "renew", "-g", "nowak")["file"])]
    slip = session("nowak").sign_slip("resignation", {"seats": session("nowak").charter.seats_of("nowak")})
    while session("nowak").table.ledger.offer is not None:
        spread(folders)
        files.append(in_file(as_json("agree", "-g", due(folders))["file"]))
        for name in folders:
            give(files[-1], name)
    return slip, files


@pytest.mark.parametrize("seats", [ALONE, SEATS], ids=["two", "three"])
@pytest.mark.parametrize("known", [0, 1, 2])
def test_it_counts_for_nobody_once_the_key_is_given_up(known: int, seats: dict[str, str]) -> None:
    """Whoever hears of it before he has all the files agrees with those who hear of it behind them."""
    slip, files = offered_and_accepted(found(seats))
    for document in (*files[:known], slip, *files[known:]):
        told = give(document, "watch")
    assert session("watch").head == session("yamada").head, told
    ended = "nowak has another key: the old one has signed his resignation, which counts no more"
    assert (ended in told) == (known < len(files)) and "not told in short" not in told, told
    assert Outcome.WRONG_KEY.word in give(slip, "yamada")
    for name in ("watch", "yamada"):
        now = session(name)
        assert now.table.result is None and now.table.ledger.resigned == [] and now.table.due.player == "nowak"
        assert now.replayed().to_plain() == now.table.to_plain()
        must("dispute", "-g", name, "--to", f"{name}.txt")
    assert [run("judge", f"{n}.txt").code for n in ("watch", "yamada")] == [Outcome.WAITING.code] * 2


@pytest.mark.parametrize("seats", [ALONE, SEATS], ids=["two", "three"])
def test_it_counts_while_the_key_holds_and_files_behind_it_are_taken(seats: dict[str, str]) -> None:
    slip, files = offered_and_accepted(found(seats))
    give(slip, "watch")
    for document in files[:-1]:
        give(document, "watch")
        assert session("watch").table.ledger.resigned == ["nowak"]
        assert (session("watch").table.result is not None) == (seats is ALONE)
    assert session("watch").table.last == session("yamada").table.last - 1


def test_what_a_file_holds_counts_whatever_key_comes_behind_it() -> None:
    """Yamada has the slip when he accepts the offer: his file holds it."""
    folders = found(SEATS)
    assert advance_to(folders, "march") == "nowak"
    must("seat", "renew", "-g", "nowak")
    slip = session("nowak").sign_slip("resignation", {"seats": ["red"]})
    spread(folders)
    must("agree", "-g", "dubois")
    spread(folders)
    give(slip, "yamada")
    last = in_file(as_json("agree", "-g", "yamada")["file"])
    assert slip in last["slips"]
    for name in ("nowak", "dubois"):
        give(last, name)
    for name in folders:
        assert session(name).table.ledger.resigned == ["nowak"]
        assert session(name).replayed().to_plain() == session(name).table.to_plain()


def test_a_damaged_log_with_slips_and_another_key_is_named_whatever_is_damaged() -> None:
    """The slips' signers are looked up in files that have not been judged yet."""
    folders = found(ALONE)
    Path("yamada", "private", "place.json").unlink()
    must("receive", as_json("restored", "-g", "yamada")["asked"], "-g", "nowak")
    run("receive", "nowak/outbox", "-g", "yamada")
    assert offered_and_accepted(folders)[1][-1]["type"] == "accept"
    path = Path("nowak", "log.jsonl")
    whole = path.read_bytes().splitlines(keepends=True)
    assert run("verify", "-g", "nowak").code == 0 and any(b'"kind":"slip"' in line for line in whole)
    for *lines, newest in (whole, whole[:-1]):  # the acceptance, the offer
        for name in (b'"type":"', b'"seat":{', b'"player":"', b'"key":"', b'"seq":', b'"prev":"'):
            at = -1
            while (at := newest.find(name, at + 1)) >= 0:
                damaged = newest[: at + 1] + bytes([newest[at + 1] ^ 1]) + newest[at + 2 :]
                path.write_bytes(b"".join([*lines, damaged]))
                done = run("verify", "-g", "nowak")
                assert done.code == Outcome.LOG_DAMAGED.code, (name, at, done)
