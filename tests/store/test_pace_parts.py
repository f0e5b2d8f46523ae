"""Which file waits for its slot, with everything around it in view: the log, its times, whose files they are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.wording import english
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.pace import Pace
from pbem.runtime.ledger import Entry
from pbem.store import clock, pace

SIX = Pace((360, 1080))  # 06:00 and 18:00
NOW = "2026-01-02T05:00:00Z"
CHARTER = Entry("0", "", "charter")


@pytest.fixture(autouse=True)
def five_o_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


def own(decides: bool = True, **more: Any) -> Entry:
    return Entry("n", "nowak", "turn", decides=decides, **more)


def folder(*entries: Entry, received: str = "2026-01-02T04:00:00Z", agreed: Pace | None = SIX) -> Any:
    """A folder of nowak's with this log; every file was noted at the same time."""
    log = SimpleNamespace(standing=lambda: [{"received": received}] * len(entries))
    return SimpleNamespace(
        folder=SimpleNamespace(secrets=lambda: SimpleNamespace(player="nowak"), is_running=True, log=log),
        charter=SimpleNamespace(pace=agreed),
        table=SimpleNamespace(ledger=SimpleNamespace(entries=[*entries]), last=len(entries) - 1),
    )


THEIRS = Entry("y", "yamada", "turn", decides=True)


@pytest.mark.parametrize(
    ("entries", "seq"),
    [
        ([CHARTER], None),
        ([CHARTER, own()], 1),
        ([CHARTER, own(), own(), own()], 1),
        ([CHARTER, own(), THEIRS, own(), own()], 3),
        ([CHARTER, own(), THEIRS], None),
        ([CHARTER, own(False)], None),
        ([CHARTER, own(False), own(), own(False)], 2),
        ([CHARTER, own(), own(signed_by="smith"), own()], 3),
    ],
)
def test_the_first_own_file_with_a_decision_behind_all_others_waits(entries: list[Entry], seq: int | None) -> None:
    here = folder(*entries)
    waiting = pace.held(here)
    assert waiting == (None if seq is None else pace.Held(seq, "2026-01-02T06:00:00Z"))
    assert pace.shown(here) == (len(entries) if seq is None else seq), "of files that others may see"
    if seq is None:
        pace.check_nothing_waits(here)
        return
    with pytest.raises(ProtocolError) as caught:
        pace.check_nothing_waits(here)
    said = f"file {seq} waits until 2026-01-02T06:00:00Z, as agreed: it goes out then, and by hand not before"
    assert (caught.value.outcome, english(caught.value.message)) == (Outcome.WAITING, said)


def test_nothing_waits_behind_its_slot_without_an_agreement_a_game_or_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pace.held(folder(CHARTER, own(), received="2026-01-01T18:00:00Z")) is None
    assert pace.held(folder(CHARTER, own(), agreed=None)) is None
    watching = folder(CHARTER, own())
    watching.folder.secrets = lambda: None
    assert pace.held(watching) is None

    class NotBegun:
        """One whose charter cannot be read yet."""

        folder = SimpleNamespace(secrets=lambda: SimpleNamespace(player="nowak"), is_running=False)

    begun: Any = NotBegun()
    assert pace.held(begun) is None
    monkeypatch.setattr(clock, "now", lambda: "2026-01-02T06:00:00Z")
    assert pace.held(folder(CHARTER, own())) is None, "at its time it goes"


@pytest.mark.parametrize(
    ("noted", "slot"),
    [
        ("2026-01-02T05:59:59Z", "2026-01-02T06:00:00Z"),
        ("2026-01-02T06:00:00Z", "2026-01-02T06:00:00Z"),
        ("2026-01-02T06:00:01Z", "2026-01-02T18:00:00Z"),
        ("2026-12-31T18:00:01Z", "2027-01-01T06:00:00Z"),
    ],
)
def test_the_slot_of_a_file(noted: str, slot: str) -> None:
    assert pace.first(SIX, noted) == slot
