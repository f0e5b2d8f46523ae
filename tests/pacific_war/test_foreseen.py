"""A month with everything sealed: what a plan seals for good is judged by its owner's eyes before it is signed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli import sending
from pbem.protocol.outcomes import ProtocolError
from tests.commands import inside, must, run
from tests.pacific_war.test_folders import founded, sent

MIND = "Mind: step"
JAPAN = """\
orders:
  - allocate: {South Seas: 30}
standing: {set: usual, stop: no}
plan:
  - {at: repairs, do: [done]}
  - {at: replacements, do: [done]}
  - {at: engineering, do: [done]}
  - {at: operation-bid, sealed: true, do: [bid: 1]}
"""
ALLIES = """\
orders:
  - allocate: {{South Pacific: 35}}
standing: {{set: usual}}
plan:
  - {{at: repairs, do: [done]}}
  - {{at: replacements, do: [done]}}
  - {{at: engineering, do: [done]}}
  - {{at: operation-bid, sealed: true, do: [bid: {bid}]}}
  - {{at: activate, do: [secret]}}
  - at: sealed muster
    do:
      - activate:
          hq: South Pacific
          units: [CV3, CV4, CA3, CL5, DD5, AA3, CA1, CA2, 1st Marine Regiment]
          fleets: [{{core: [CV3, CV4], screen: [CA3, CA2]}}, {{core: [AA3, CA1], screen: [{screen}]}}]
  - {{at: sealed length, do: [days: {days}]}}
"""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("august")
    with inside(root):
        founded("guadalcanal", "forces=sealed", "land=sealed", "points=sealed")
        sent(root, JAPAN)
    return root


@pytest.fixture
def here(begun: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(begun, tmp_path / "machine")
    with inside(tmp_path / "machine"):
        Path("home/games.json").unlink()
        yield tmp_path / "machine"


def checked(**said: object) -> str:
    """What `pbem check` says of such a plan."""
    Path("plan.yaml").write_text(ALLIES.format(**{"bid": 30, "screen": "CL5, DD5", "days": 14, **said}))
    return must("check", "plan.yaml", "-g", "nowak")


def test_a_plan_that_can_be_carried_out_is_doubted_nowhere(here: Path) -> None:
    assert MIND not in checked()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"screen": "CL5"}, "step 6"),  # DD5 is in no task force
        ({"screen": "CL5, DD5, CA1"}, "step 6"),  # CA1 is twice there
        ({"bid": 3}, "step 6"),  # too dear for the bid
        ({"days": 28}, "step 7"),  # the bid pays no four weeks
    ],
)
def test_the_first_sealed_step_that_is_not_allowed_is_told_with_its_reason(
    here: Path, said: dict[str, object], why: str
) -> None:
    told = checked(**said)
    line = next((line for line in told.splitlines() if MIND in line), "")
    assert why in line and "not allowed" in line, told


def test_it_is_told_once_more_when_it_is_signed_and_nothing_of_it_is_sent(here: Path) -> None:
    Path("plan.yaml").write_text(ALLIES.format(bid=3, screen="CL5, DD5", days=14))
    assert f"{MIND} 6" in must("send", "plan.yaml", "-g", "nowak", "--yes")
    assert "1st Marine" not in max(Path("nowak/outbox").glob("*.yaml")).read_text()


@pytest.mark.parametrize("answer", ["", "y"])
def test_a_person_is_asked_whether_such_a_plan_may_go(
    answer: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("plan.yaml").write_text(ALLIES.format(bid=3, screen="CL5, DD5", days=14))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    log = Path("nowak/log.jsonl").read_bytes()
    if answer:
        sending.send(Path("nowak"), Path("plan.yaml"))
    else:
        with pytest.raises(ProtocolError, match="nothing is signed"):
            sending.send(Path("nowak"), Path("plan.yaml"))
    assert f"{MIND} 6" in capsys.readouterr().out and (Path("nowak/log.jsonl").read_bytes() != log) is bool(answer)


def test_an_approach_that_is_over_within_its_file_is_no_course_any_more(here: Path) -> None:
    """Nobody writes in between: it was judged from where it had ended, and its first hex was not next to that."""
    sent(here, ALLIES.format(bid=30, screen="CL5, DD5", days=14), "nowak")
    told = must("report", "-g", "nowak")
    assert "nowak shows bid: 30 (" in told.replace("\n", " ").replace("  ", " ") and "do:" not in told
    Path("sail.yaml").write_text(
        "orders: [kinds: ground; naval; air]\nplan:\n"
        "  - {at: contact, do: [sail: {A1: ['0234', '0334', '0433', '0533']}, end]}\n"
    )
    told = must("check", "sail.yaml", "-g", "nowak")
    assert "yamada has to send a statement" in told and MIND not in told
    done = run("check", "--order", "kinds: air; ground", "-g", "nowak")
    assert "air group" not in done.err and "kinds: [" in done.err, "`air` is a kind here, no short name of air units"
    Path("sail.yaml").write_text(
        "orders: [kinds: ground; naval; air]\nplan:\n  - {at: contact, do: [sail: {A1: ['0234', '0720']}, end]}\n"
    )
    told = must("check", "sail.yaml", "-g", "nowak")
    assert "plan of file 8, step 1" in told and "0720" in told.split("step 1", 1)[1] and MIND not in told


def test_a_bid_whose_order_lapses_is_told_as_a_bid_that_is_lost(here: Path) -> None:
    sent(here, ALLIES.format(bid=3, screen="CL5, DD5", days=14), "nowak")
    told = must("report", "-g", "yamada")
    assert "Allies, command points of the bid that are not spent: 3" in told and "points of –" not in told
