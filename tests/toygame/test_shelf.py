"""Tables that lie beside a log: they give what playing the log again gives, and nothing depends on them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import __version__
from pbem.kernel.canon import Plain
from pbem.runtime.ledger import Ledger
from pbem.store import shelf
from tests.commands import must, run
from tests.toygame.folders import SEATS, TWO, advance_to, as_json, at, due, finish, found, orders, session, spread

KEPT = Path("yamada/tables")


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(shelf, "_SPARSE", ((8, 2), (16, 4)))  # a short game fills the shelf as a long one does
    with at(tmp_path, monkeypatch):
        yield


def plain_at(seq: int) -> Plain:
    return shelf.table_at(session("yamada"), seq).to_plain()


def from_the_log(seq: int) -> Plain:
    opened = session("yamada")
    return opened.replayed(seq, passing_over=opened.folder.log.slips()).to_plain()


def check_every_place() -> None:
    """From the shelf and from the log alone, the newest place first, as one who looks back asks for them."""
    last = session("yamada").table.last
    first = [plain_at(seq) for seq in range(last, -1, -1)]
    assert sorted(KEPT.glob("*.json")), "something was kept"
    again = [plain_at(seq) for seq in range(last, -1, -1)]
    assert first == again == [from_the_log(seq) for seq in range(last, -1, -1)]


@pytest.mark.parametrize("seats", [TWO, SEATS], ids=["two", "three"])
def test_a_table_from_the_shelf_is_the_one_that_the_log_gives(seats: dict[str, str]) -> None:
    finish(found(seats))
    check_every_place()


def test_after_orders_were_taken_back_too() -> None:
    folders, sent = found(TWO), 0
    while session("yamada").table.last < 9:
        writer = advance_to(folders, "march")
        sent = as_json("send", orders(writer, "go"), "-g", writer)["seq"]
        spread(folders)
    check_every_place()
    must("undo", str(sent), "-g", due(folders))
    spread(folders)
    must("agree", "-g", due(folders))
    spread(folders)
    assert session("yamada").table.ledger.voided
    check_every_place()


def test_what_is_kept_thins_out_behind_the_newest_file() -> None:
    finish(found(TWO))
    last = session("yamada").table.last
    plain_at(last)
    kept = sorted(int(p.stem) for p in KEPT.glob("*.json"))
    assert kept == [seq for seq in range(1, last + 1) if shelf.is_kept(seq, last)]
    assert [seq for seq in kept if last - seq > 8] == [seq for seq in range(1, last - 8) if seq % 4 == 0 and last - seq <= 16]


def test_verify_compares_what_is_kept_with_the_log() -> None:
    finish(found(TWO))
    plain_at(session("yamada").table.last)
    must("verify", "-g", "yamada")
    path = sorted(KEPT.glob("*.json"))[-1]
    spoilt = json.loads(path.read_text())
    spoilt["table"]["ledger"]["rolls"] += 1
    path.write_text(json.dumps(spoilt))
    done = run("verify", "-g", "yamada")
    assert done.code == 11 and f"{path} is not what the log gives: delete it" in done.err, done
    path.unlink()
    must("verify", "-g", "yamada")


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("harm", ["gone", "torn", "of another program", "of another file", "no table"])
def test_nothing_depends_on_what_is_kept(harm: str) -> None:
    finish(found(TWO))
    last = session("yamada").table.last
    plain_at(last)
    before = from_the_log(last - 1)
    if harm == "gone":
        shutil.rmtree(KEPT)
    for path in sorted(KEPT.glob("*.json")):
        _spoil(path, harm)
    assert plain_at(last - 1) == before


def _spoil(path: Path, harm: str) -> None:
    plain = json.loads(path.read_text())
    plain["table"]["ledger"]["rolls"] += 1  # whoever believes it is seen
    if harm == "torn":
        path.write_text(json.dumps(plain)[:-9])
        return
    if harm == "of another program":
        plain["program"] = f"{__version__}.1"
    elif harm == "of another file":
        plain["links"][-1] = "0" * 64
    elif harm == "no table":
        plain["table"] = {"ledger": 5}
    path.write_text(json.dumps(plain))


def test_a_folder_that_cannot_be_written_is_looked_at_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    finish(found(TWO))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pbem.store.disk.Disk.make_folder", full)
    assert plain_at(session("yamada").table.last) and not KEPT.exists()


def test_a_fork_of_a_ledger_shares_no_list_that_may_grow() -> None:
    finish(found(SEATS))
    ledger = session("yamada").table.ledger
    other = ledger.fork()
    assert other == ledger
    shared = [name for name in vars_of(ledger) if isinstance(vars_of(ledger)[name], list | dict)]
    assert [name for name in shared if vars_of(ledger)[name] is vars_of(other)[name]] == []
    assert not {id(chain) for chain in ledger.chains.values()} & {id(chain) for chain in other.chains.values()}
    assert not {id(order.spent) for order in ledger.standing} & {id(order.spent) for order in other.standing}


def vars_of(ledger: Ledger) -> dict[str, object]:
    return {name: getattr(ledger, name) for name in ledger.__struct_fields__}
