"""Agreed slots: files with decisions leave at them alone, by every way out of the folder; what holds no decision at once."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.cli import mailing
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.pace import Pace, chosen
from pbem.store import pace, unsending
from pbem.store.shown import Shown
from pbem.transport.mailbox import read_settings
from tests.commands import must, run
from tests.toygame.folders import TWO, advance_to, at, due, found, orders, session, spread

Hours = Callable[[float], None]
SETTINGS = """from: me@example.org
to: {yamada: y@example.org, nowak: n@example.org}
smtp: {host: localhost}
"""


@pytest.fixture
def wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hours]:
    """A workplace with a clock that goes on by hours from 07:00."""
    clock = SimpleNamespace(now=datetime.datetime(2025, 1, 31, 7))
    monkeypatch.setattr("pbem.store.clock.now", lambda: clock.now.strftime("%Y-%m-%dT%H:%M:%SZ"))

    def on(hours: float) -> None:
        clock.now += datetime.timedelta(hours=hours)

    with at(tmp_path, monkeypatch):
        yield on


def begun() -> tuple[str, str]:
    """A game with two slots, and the player who is asked to march, and the other one."""
    folders = found(TWO, late=["--slots", "18:00, 06:00"])
    advance_to(folders, "march")
    mine = due(folders)
    return mine, next(f for f in folders if f != mine)


def mailed(name: str) -> list[str]:
    """What `pbem mail` would send of this folder now."""
    folder = session(name).folder
    return [
        letter.what
        for letter in mailing._letters(folder, read_settings(SETTINGS.encode()))
        if letter.readers and letter.what != "charter"
    ]


def marched(mine: str) -> int:
    """The file of the one who was asked to march."""
    must("send", orders(mine, "halt"), "-g", mine)
    waiting = pace.held(session(mine))
    assert waiting is not None
    return waiting.seq


# -- the agreement ------------------------------------------------------------------------------------------------------


def test_slots_are_put_in_order_and_judged() -> None:
    assert chosen("18:00,06:00, 06:00") == {"slots": ["06:00", "18:00"]}
    assert chosen("") is None and chosen("none") is None
    for wrong in ("6:00", "24:00", "06:00,", "noon"):
        with pytest.raises(ProtocolError, match="time of the day"):
            chosen(wrong)


@pytest.mark.parametrize(
    ("stamp", "slot"),
    [
        ("2025-01-31T05:59:59Z", "2025-01-31T06:00:00Z"),
        ("2025-01-31T06:00:00Z", "2025-01-31T06:00:00Z"),
        ("2025-01-31T06:00:01Z", "2025-01-31T18:30:00Z"),
        ("2025-01-31T18:30:01Z", "2025-02-01T06:00:00Z"),
        ("2024-12-31T23:00:00Z", "2025-01-01T06:00:00Z"),
    ],
)
def test_the_first_slot_that_is_not_before_a_time(stamp: str, slot: str) -> None:
    agreed = Pace((360, 1110))
    assert pace.first(agreed, stamp) == slot and agreed.times == ["06:00", "18:30"] and agreed.longest == 750


def test_a_draft_whose_waits_are_longer_than_its_deadline_is_refused(wait: Hours) -> None:
    command = ("new", "draft", "--system", "skirmish", "--scenario", "hill", "--slots", "06:00")
    done = run(*command, "--deadline", "23h")
    assert done.code == Outcome.UNREADABLE.code and "longer than the deadline" in done.err and not Path("draft").exists()
    must(*command, "--deadline", "24h")


def test_who_signs_is_told_the_slots(wait: Hours) -> None:
    must("new", "draft", "--system", "skirmish", "--scenario", "hill", "--slots", "06:00,18:00")
    must("join", "draft/charter.yaml", "--as", "yamada", "--seats", "blue", "-g", "yamada")
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", "red,rust", "-g", "nowak")
    assert "06:00, 18:00" in must("accept", "nowak/charter.yaml", "-g", "yamada")


# -- what waits -----------------------------------------------------------------------------------------------------------


def test_a_decision_waits_for_the_next_slot_and_is_told(wait: Hours) -> None:
    mine, _ = begun()
    told = must("send", orders(mine, "halt"), "-g", mine)
    seq = session(mine).table.last
    waits = f"file {seq} waits until 2025-01-31T18:00:00Z"
    assert waits in told and waits in must("status", "-g", mine)
    wait(10.99)
    assert pace.held(session(mine)) == pace.Held(seq, "2025-01-31T18:00:00Z")
    wait(0.01)
    assert pace.held(session(mine)) is None and "waits until" not in must("status", "-g", mine)


def test_what_holds_no_decision_leaves_at_once(wait: Hours) -> None:
    mine, other = begun()
    marched(mine)
    wait(11)
    spread([mine, other])
    written = session(other).table.last
    assert session(other).table.ledger.entries[written].player == other, "it has turned the dice by itself"
    assert not session(other).table.ledger.entries[written].decides and pace.held(session(other)) is None


def test_files_behind_one_that_waits_wait_with_it(wait: Hours) -> None:
    mine, _ = begun()
    seq = marched(mine)
    here = session(mine)
    assert pace.shown(here) == seq and here.table.last >= seq
    wait(11)
    assert pace.shown(session(mine)) == session(mine).table.last + 1


def test_without_slots_and_in_a_folder_that_watches_nothing_waits(wait: Hours) -> None:
    folders = found(TWO)
    advance_to(folders, "march")
    mine = due(folders)
    must("send", orders(mine, "halt"), "-g", mine)
    assert pace.held(session(mine)) is None


# -- the ways out -----------------------------------------------------------------------------------------------------------


def test_mail_leaves_it_out_until_then(wait: Hours) -> None:
    mine, _ = begun()
    before = mailed(mine)
    seq = marched(mine)
    name = session(mine).folder.outgoing(dict(session(mine).folder.fetch(seq))).stem
    assert mailed(mine) == before and name not in before
    wait(11)
    assert name in mailed(mine)


def test_nobody_is_reminded_of_it(wait: Hours) -> None:
    mine, _ = begun()
    seq = marched(mine)
    newest = session(mine).table.ledger.entries[-1].id
    assert f"file {seq} waits" in mailing._no_reminder(session(mine), mailing.State(), newest, 0)
    wait(11)
    assert mailing._no_reminder(session(mine), mailing.State(), newest, 0) == ""


def test_a_live_exchange_shows_it_from_then_on_and_it_can_be_taken_back_until_then(wait: Hours) -> None:
    mine, _ = begun()
    shown = Shown(Path(mine))
    shown.refresh()
    before = shown.last
    seq = marched(mine)
    shown.refresh()
    assert shown.last == before == seq - 1 and len(shown.files) == seq
    unsending.check(session(mine), unsending.newest(session(mine)))  # it has not left
    wait(11)
    assert shown.refresh() and shown.last == session(mine).table.last and len(shown.files) == shown.last + 1
    with pytest.raises(ProtocolError, match="has put it into something"):
        unsending.check(session(mine), unsending.newest(session(mine)))


def test_what_shows_the_whole_game_waits_too(wait: Hours) -> None:
    mine, _ = begun()
    seq = marched(mine)
    commands = (("post", "--place", "phpbb"), ("replay", "--to", "r.html"), ("dispute", "--to", "d.txt"))
    for command in commands:
        done = run(*command, "-g", mine)
        assert done.code and f"file {seq} waits" in done.err, command
    wait(11)
    for command in commands:
        must(*command, "-g", mine)


def test_a_league_does_not_show_it_before_its_time(wait: Hours) -> None:
    mine, _ = begun()
    seq = marched(mine)
    done = run("league", ".", "--to", "site")
    assert done.code and f"file {seq} waits" in done.err + done.out and not Path("site").exists()
