"""Two programs in two folders play Pacific 1940 through files alone; their tables stay equal after every file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import demonstration, play, proof, setup
from pbem.cli.session import Session
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.composing import Draft
from pbem.transport.armor import documents, write_block


@pytest.fixture
def parties(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Session, Session]:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return two_folders(tmp_path)


def two_folders(folder: Path) -> tuple[Session, Session]:
    """A game of three rounds drafted, joined and accepted on both sides."""
    axis, allies = folder / "axis", folder / "allies"
    setup.new(axis, "axis-and-allies-pacific", "spring-1940", ["round-limit=3"], "72h")
    setup.join(axis, None, "yamada", ["japan"])
    setup.join(allies, axis / "charter.yaml", "nowak", demonstration.ALLIES.split(","))
    setup.accept(allies, None)
    setup.accept(axis, allies / "charter.yaml")
    setup.accept(allies, axis / "charter.yaml")
    return Session.open(axis), Session.open(allies)


def orders_at_random(session: Session, dice: random.Random) -> list[Any]:
    """Random legal orders for everything asked of this player before dice or somebody else come in."""
    engine = Engine.resume(session.game, session.scenario, session.table.engine.checkpoint())
    orders: list[Any] = []
    while isinstance(engine.request, Ask) and session.table.player_of(engine.request.seat) == session.me.player:
        ask = engine.request
        if ask.forced is None:
            orders.append(dice.choice(list(ask.options())))
        engine.reply(ask.forced if ask.forced is not None else orders[-1])
    return orders


def lockstep(parties: tuple[Session, Session], seed: int, standing: dict[str, Any]) -> int:
    """A whole game; each file travels as a pasted block. Returns the number of files."""
    dice = random.Random(seed)
    by_name = {s.me.player: s for s in parties}
    given: set[str] = set()
    while parties[0].table.result is None:
        due = parties[0].table.due
        writer = by_name[due.player]
        reader = next(s for s in parties if s is not writer)
        orders = orders_at_random(writer, dice) if due.what == "orders" else []
        draft = Draft(orders, standing if due.player not in given and orders else {})
        given.add(due.player)
        document = writer.write(draft)
        (received,) = documents(write_block(document))
        reader.take(received)
        assert writer.table.engine.state_hash() == reader.table.engine.state_hash()
        assert writer.table.due == reader.table.due
    return parties[0].table.last


def test_a_random_game_in_lockstep(parties: tuple[Session, Session]) -> None:
    assert lockstep(parties, 4, dict(demonstration.STANDING)) > 6
    for session in parties:
        plain, _ = proof.verify(session.folder.path)
        assert isinstance(plain, dict) and plain["rolls"]


def test_a_second_program_from_the_log_alone(parties: tuple[Session, Session]) -> None:
    lockstep(parties, 2, dict(demonstration.STANDING))
    one = parties[0]
    before = one.table.engine.state_hash()
    (one.folder.path / "checkpoint.json").unlink()
    assert Session.open(one.folder.path).table.engine.state_hash() == before


def test_a_refused_file_changes_nothing_and_names_the_line(parties: tuple[Session, Session], tmp_path: Path) -> None:
    axis = parties[0]
    orders = tmp_path / "orders.yaml"
    orders.write_text("orders:\n  - buy: 200 infantry\n  - done\n  - move: 1 infantry from Japan to Kwangtun\n")
    before = (axis.folder.path / "log.jsonl").read_bytes()
    with pytest.raises(Exception, match=r"orders.yaml:2: this costs 600 IPC.*PUR-01.*orders.yaml:4"):
        play.send(axis.folder.path, orders)
    assert (axis.folder.path / "log.jsonl").read_bytes() == before


def test_equivocation_is_kept_as_proof(parties: tuple[Session, Session]) -> None:
    axis, allies = parties
    one = axis.try_out(Draft(["done", "done"], dict(demonstration.STANDING))).document
    two = axis.try_out(Draft([{"buy": "1 infantry"}, "done", "done"])).document
    from pbem.protocol import turnfile

    for document in (one, two):
        signed = turnfile.sign(document, axis.private)
        outcome, _ = play._receive_one(allies, signed)
    assert outcome is Outcome.EQUIVOCATION
    assert list(allies.folder.path.glob("equivocation-*.yaml"))


def test_the_whole_exchange_by_commands(parties: tuple[Session, Session], tmp_path: Path) -> None:
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
    assert "witness" in play.check(axis, orders)[1]
    play.send(axis, orders)
    _, text, code = play.receive(allies, str(axis / "outbox" / "0001-yamada.eml"))
    assert code == 0 and "written by itself: file 2" in text, text
    assert play.receive(axis, str(allies / "outbox"))[2] == 0
    assert "written by hand and by the program: nowak 0 and 1, yamada 1 and 0" in play.status(axis)[1]
    again, _, code = play.receive(axis, str(allies / "outbox"))
    assert code == 0 and "already known" in str(again)
    slip = play.resign(allies)[1]
    assert "axis won" in slip
    play.receive(axis, str(allies / "outbox" / "slip-resignation-nowak.yaml"))
    assert "axis won" in play.status(axis)[1]


def test_backup_and_restore(parties: tuple[Session, Session], tmp_path: Path) -> None:
    axis = parties[0].folder.path
    proof.backup(axis, tmp_path / "b.zip")
    proof.restore(tmp_path / "b.zip", tmp_path / "again")
    again = Session.open(tmp_path / "again")
    assert again.table.engine.state_hash() == parties[0].table.engine.state_hash()
    with pytest.raises(ProtocolError, match="newest file"):
        again.write(Draft(["done", "done"]))
    parties[0].write(Draft(["done", "done"]))
    play.receive(tmp_path / "again", str(axis / "outbox"))
    assert Session.open(tmp_path / "again").table.last == parties[0].table.last
    assert (tmp_path / "again" / "private" / "key").stat().st_mode & 0o777 == 0o600


def test_a_damaged_log_is_named_by_entry(parties: tuple[Session, Session]) -> None:
    folder = parties[0].folder.path
    data = (folder / "log.jsonl").read_bytes()
    (folder / "log.jsonl").write_bytes(data.replace(b'"n":0', b'"n":1', 1))
    with pytest.raises(ProtocolError) as caught:
        Session.open(folder).folder.log.files()
    assert caught.value.outcome is Outcome.LOG_DAMAGED
    assert write_document
