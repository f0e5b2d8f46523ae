"""Two programs in two folders play Pacific 1940 through files alone; their tables stay equal after every file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.cli import demonstration, play, proof, receiving, sending
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.composing import Draft
from pbem.store.session import Session
from tests.two_players.folders import Parties, Side, lockstep, opened_anew, two_sessions


@pytest.fixture
def parties(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Parties:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return two_folders(tmp_path)


def two_folders(folder: Path) -> Parties:
    """A game of three rounds drafted, joined and accepted on both sides."""
    axis, allies = Side("axis", "yamada", ["japan"]), Side("allies", "nowak", demonstration.ALLIES.split(","))
    return two_sessions(folder, "axis-and-allies-pacific", "spring-1940", ["round-limit=3"], axis, allies)


def lockstep_at_random(parties: Parties, seed: int) -> int:
    """A whole game of random legal orders; the number of files."""
    dice = random.Random(seed)

    def choose(_: Engine, ask: Ask) -> Plain:
        return dice.choice(list(ask.options()))

    return lockstep(parties, {"yamada": choose, "nowak": choose}, dict(demonstration.STANDING))


def test_a_random_game_in_lockstep(parties: Parties) -> None:
    assert lockstep_at_random(parties, 4) > 6
    for session in parties:
        plain, _, code = proof.verify(session.folder.path)
        assert isinstance(plain, dict) and plain["rolls"] and code == 0


def test_a_second_program_from_the_log_alone(parties: Parties) -> None:
    lockstep_at_random(parties, 2)
    assert opened_anew(parties[0]) == parties[0].table.engine.state_hash()


def test_a_refused_file_changes_nothing_and_names_the_line(parties: Parties, tmp_path: Path) -> None:
    axis = parties[0]
    orders = tmp_path / "orders.yaml"
    orders.write_text("orders:\n  - buy: 200 infantry\n  - done\n  - move: 1 infantry from Japan to Kwangtun\n")
    before = (axis.folder.path / "log.jsonl").read_bytes()
    with pytest.raises(Exception, match=r"orders.yaml:2: this costs 600 IPC.*PUR-01.*1 order behind it"):
        sending.send(axis.folder.path, orders, sure=True)
    assert (axis.folder.path / "log.jsonl").read_bytes() == before


def test_equivocation_is_kept_as_proof(parties: Parties) -> None:
    axis, allies = parties
    one = axis.try_out(Draft(["done", "done"], dict(demonstration.STANDING))).document
    two = axis.try_out(Draft([{"buy": "1 infantry"}, "done", "done"])).document
    from pbem.protocol import turnfile

    for document in (one, two):
        signed = turnfile.sign(document, axis.private)
        outcome, _ = receiving.receive_one(allies, signed)
    assert outcome is Outcome.EQUIVOCATION
    assert list(allies.folder.path.glob("equivocation-*.yaml"))


def test_the_whole_exchange_by_commands(parties: Parties, tmp_path: Path) -> None:
    """check, send, receive (mail), automatic answer, status, undo and agree, resign."""
    axis, allies = (s.folder.path for s in parties)
    orders = tmp_path / "o.yaml"
    lines = [
        "orders:",
        "  - done",
        "  - move: 3 infantry from Kwangsi to Hunan",
        "  - done",
        "standing:",
        "  casualties: cheapest first",
    ]
    orders.write_text("\n".join([*lines, "  retreat: press", ""]))
    assert "a file that turns the dice" in sending.check(axis, orders)[1]
    sending.send(axis, orders, sure=True)
    _, text, code = receiving.receive(allies, str(axis / "outbox" / "0001-yamada.eml"))
    assert code == 0 and "written by itself: file 2" in text, text
    assert receiving.receive(axis, str(allies / "outbox"))[2] == 0
    assert "written by hand and by the program: nowak 0 and 1, yamada 1 and 0" in play.status(axis)[1]
    again, _, code = receiving.receive(axis, str(allies / "outbox"))
    assert code == 0 and "already known" in str(again)
    slip = play.resign(allies, sure=True)[1]
    assert "Axis won" in slip
    receiving.receive(axis, str(allies / "outbox" / "slip-resignation-nowak.yaml"))
    assert "Axis won" in play.status(axis)[1]


def test_backup_and_restore(parties: Parties, tmp_path: Path) -> None:
    axis = parties[0].folder.path
    proof.backup(axis, tmp_path / "b.zip")
    proof.restore(tmp_path / "b.zip", tmp_path / "again")
    again = Session.open(tmp_path / "again")
    assert again.table.engine.state_hash() == parties[0].table.engine.state_hash()
    parties[0].write(Draft(["done", "done"]))
    with pytest.raises(ProtocolError, match="signed already"):
        again.write(Draft(["done"]))
    receiving.receive(tmp_path / "again", str(axis / "outbox"))
    assert Session.open(tmp_path / "again").table.last == parties[0].table.last
    assert (tmp_path / "again" / "private" / "key").stat().st_mode & 0o777 == 0o600


def test_a_damaged_log_is_named_by_entry(parties: Parties) -> None:
    folder = parties[0].folder.path
    data = (folder / "log.jsonl").read_bytes()
    (folder / "log.jsonl").write_bytes(data.replace(b'"n":0', b'"n":1', 1))
    with pytest.raises(ProtocolError) as caught:
        Session.open(folder).folder.log.files()
    assert caught.value.outcome is Outcome.LOG_DAMAGED
    assert write_document
