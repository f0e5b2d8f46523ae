"""Backups that the program makes by itself: after each signature, three and one a week, never an obstacle; nothing in clear."""

from __future__ import annotations

import datetime
import json
import os
import random
import shutil
import subprocess
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.kernel.flow import Commit
from pbem.runtime.composing import Draft
from pbem.store import backups, passphrase, private, vault
from pbem.store.disk import Disk
from tests.commands import must, run
from tests.passphrases import alone
from tests.toygame.folders import TWO, as_json, at, due, finish, hashes, orders, session, spread, step
from tests.toygame.remembered import found

PHRASE = "correct horse"


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with alone(monkeypatch), at(tmp_path, monkeypatch):
        yield


def numbers(folder: str) -> list[int]:
    return sorted(int(p.stem) for p in Path(folder, "backups").iterdir())


def signed_last(folder: str) -> int:
    """The newest file that this folder's player has signed."""
    files = session(folder).folder.log.files()
    return max(int(f["seq"]) for f in files[1:] if f["player"] == folder)


# -- made by themselves ----------------------------------------------------------------------------------------------------


def test_after_each_signature_the_newest_backup_holds_it() -> None:
    folders = found(TWO)
    dice = random.Random(1)
    for _ in range(12):
        step(folders, dice)
        for name in folders:
            newest = backups.newest(Path(name))
            assert newest is not None and int(newest.stem) == signed_last(name) and newest.stat().st_mode & 0o777 == 0o600
            log = zipfile.ZipFile(newest).read("log.jsonl").splitlines()
            documents = [json.loads(line)["document"] for line in log]
            assert documents[-1]["seq"] == signed_last(name) and documents[-1]["player"] == name


def test_a_signed_slip_is_in_the_backup_too() -> None:
    found(TWO)
    must("resign", "--yes", "-g", "nowak")
    newest = backups.newest(Path("nowak"))
    assert newest is not None and b"resignation" in zipfile.ZipFile(newest).read("log.jsonl")


def test_the_newest_backup_brings_a_folder_back() -> None:
    folders = found(TWO)
    for _ in range(4):
        step(folders, random.Random(2))
    name = due(folders)
    newest = backups.newest(Path(name))
    assert newest is not None
    shutil.copy(newest, "kept.zip")
    shutil.rmtree(name)
    must("restore", "kept.zip", name)
    spread(folders)
    assert len(hashes(folders)) == 1
    before = session(name).table.last
    step(folders, random.Random(3))
    assert session(name).table.last > before


def test_what_a_crash_kept_from_the_backup_is_made_up_for() -> None:
    folders = found(TWO)
    step(folders, random.Random(1))
    last = max(folders, key=signed_last)
    shutil.rmtree(Path(last, "backups"))
    must("status", "-g", last)
    assert numbers(last) == [signed_last(last)]


@pytest.mark.parametrize("fault", ["a file in the way", "no permission", "full"])
def test_a_backup_that_fails_is_a_remark_and_the_file_is_signed(
    fault: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = found(TWO)
    name = due(folders)
    replace = Disk.replace
    shutil.rmtree(Path(name, "backups"), ignore_errors=True)
    if fault == "a file in the way":
        Path(name, "backups").write_text("not a folder")

    def failing(self: Disk, path: Path, data: bytes, mode: int = 0o644) -> None:
        if path.parent.name == "backups":
            raise OSError(13 if fault == "no permission" else 28, "it does not fit", str(path))
        replace(self, path, data, mode)

    monkeypatch.setattr(Disk, "replace", failing)
    step(folders, random.Random(1))
    assert "no backup was made" in capsys.readouterr().err
    assert len(hashes(folders)) == 1 and signed_last(name)
    assert Path(name, "outbox", f"{signed_last(name):04d}-{name}.yaml").exists()


def test_a_clock_that_knows_no_year_keeps_no_backup_from_being_made(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(TWO)
    name = due(folders)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    first, again = (backups.bundle(Path(name), Disk()) for _ in range(2))
    assert first == again and backups.keep(Path(name), Disk(), 7) == Path(name, "backups", "0007.zip")
    subprocess.run(["python3", "-m", "zipfile", "-e", f"{name}/backups/0007.zip", "unpacked"], check=True)
    assert Path("unpacked/log.jsonl").read_bytes() == Path(name, "log.jsonl").read_bytes()


# -- how many --------------------------------------------------------------------------------------------------------------


def made_on(game: Path, days: dict[int, str]) -> None:
    """Backups by number, as if made on these days."""
    (game / "backups").mkdir(parents=True)
    for number, day in days.items():
        path = game / "backups" / f"{number:04d}.zip"
        path.touch()
        when = datetime.datetime.fromisoformat(f"{day}T12:00:00+00:00").timestamp()
        os.utime(path, (when, when))


def test_the_newest_three_are_kept_and_the_last_of_each_week(tmp_path: Path) -> None:
    game = tmp_path / "g"
    days = ("2020-01-06", "2020-01-12", "2020-01-13", "2020-02-03", "2020-02-04", "2020-02-05", "2020-02-06")
    made_on(game, dict(enumerate(days, 1)))
    (game / "backups" / "mine.zip").touch()
    (game / "backups" / "0008.zip.new").touch()
    (game / "pbem.json").touch()
    backups.keep(game, Disk(), 9)
    kept = {p.name for p in (game / "backups").iterdir()}
    assert kept == {"0002.zip", "0003.zip", "0006.zip", "0007.zip", "0009.zip", "mine.zip", "0008.zip.new"}


def test_the_weeks_of_a_year_have_one_each(tmp_path: Path) -> None:
    game = tmp_path / "g"
    start = datetime.date(2019, 12, 30)  # a Monday, of the first week of 2020
    made_on(game, {n + 1: str(start + datetime.timedelta(days=n)) for n in range(371)})
    (game / "pbem.json").touch()
    backups.keep(game, Disk(), 10**5)
    kept = sorted(int(p.stem) for p in (game / "backups").iterdir())
    assert kept[-3:] == [370, 371, 10**5] and kept[:-3] == list(range(7, 370, 7))


def test_a_backup_behind_file_10000_is_newer_than_one_behind_9999(tmp_path: Path) -> None:
    made_on(tmp_path / "g", {9999: "2026-01-05", 10000: "2026-01-05"})
    newest = backups.newest(tmp_path / "g")
    assert newest is not None and newest.name == "10000.zip" and backups.covers(tmp_path / "g", 10000)
    assert not backups.covers(tmp_path / "g", 10001) and backups.newest(tmp_path / "none") is None


# -- a game with a passphrase ----------------------------------------------------------------------------------------------


def secret_words(name: str) -> set[bytes]:
    """Every secret of a folder, as it stands in the plain form of its secrets."""
    held = session(name).folder.secrets()
    assert held is not None
    later = [held.next_chain] if held.next_chain else []
    chains = [held.chain_secret, *(c["secret"] for c in [*held.other_chains, *later])]
    salts = [content["salt"] for content in held.sealed.values()]
    words = [*chains, held.draw_master, *held.more_masters, *salts, *([held.escrow_key] if held.escrow_key else [])]
    return {form for word in words for form in (word.encode(), bytes.fromhex(word))}


def in_clear(words: set[bytes]) -> list[str]:
    """The files that hold one of these, backups unpacked; keys of the home folder too."""
    found_in = []
    for path in (p for p in Path().rglob("*") if p.is_file()):
        held = {str(path): path.read_bytes()}
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as packed:
                held |= {f"{path}:{name}": packed.read(name) for name in packed.namelist()}
        found_in += [where for where, data in held.items() if any(word in data for word in words)]
    return found_in


def sealed_game(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A game under a passphrase in which both sides have drawn and sealed."""
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    folders = found(TWO, "escrow")
    dice = random.Random(5)
    while not all(session(n).folder.secrets().sealed for n in TWO):  # type: ignore[union-attr]
        step(folders, dice)
    return folders


def test_no_secret_lies_in_clear_where_there_is_a_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = sealed_game(monkeypatch)
    must("backup", "by-hand.zip", "-g", "nowak")
    for name in folders:
        words = secret_words(name)
        assert len(words) >= 4 and in_clear(words) == [], name
    assert all(numbers(name) for name in TWO)
    assert b"OPENSSH" not in b"".join(p.read_bytes() for n in folders for p in Path(n, "private").iterdir())


def test_the_same_search_finds_them_where_there_is_none() -> None:
    folders = found(TWO)
    for _ in range(3):
        step(folders, random.Random(1))
    where = in_clear(secret_words("nowak"))
    assert "nowak/private/secrets.json" in where and any("backups" in w and w.endswith("secrets.json") for w in where)


def locked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the next morning: nobody gives a passphrase, and nothing may be derived or asked."""
    monkeypatch.delenv("PBEM_PASSPHRASE")
    private.forget()
    monkeypatch.setattr(vault, "_derived", lambda *_: pytest.fail("something was derived"))
    monkeypatch.setattr(passphrase, "typed", lambda prompt: pytest.fail("somebody was asked"))


def test_where_something_is_hidden_status_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    sealed_game(monkeypatch)
    before = as_json("status", "-g", "nowak")["due"]
    locked_out(monkeypatch)
    monkeypatch.setattr(passphrase, "at_terminal", lambda: True)
    assert "needs your passphrase" in must("status", "-g", "nowak") and as_json("status", "-g", "nowak")["due"] == before
    for words in (["log"], ["verify"], ["mail", "setup"], ["umpire", "check", "--help"]):
        must(*words, "-g", "nowak")
    monkeypatch.setattr(passphrase, "at_terminal", lambda: False)
    for words in (["hand"], ["send", orders("nowak", "halt")], ["check", "orders.yaml"]):
        done = run(*words, "-g", "nowak")
        assert done.code == 7 and "PBEM_PASSPHRASE_FILE" in done.err, done


def test_a_file_that_asks_nothing_is_received_without_the_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    folders = found(TWO)
    finish_until_orders(folders)
    writer = due(folders)
    other = next(n for n in folders if n != writer)
    request = session(writer).table.engine.request
    assert not isinstance(request, Commit)
    must("resign", "--yes", "-g", writer)
    locked_out(monkeypatch)
    assert "resignation" in must("receive", f"{writer}/outbox", "-g", other)


def finish_until_orders(folders: list[str]) -> None:
    dice = random.Random(1)
    step(folders, dice)
    while session(folders[0]).table.due.what != "orders":
        step(folders, dice)


def test_what_needs_an_answer_is_taken_and_the_answer_waits_for_the_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    folders = found(TWO)
    dice = random.Random(1)
    while True:
        name = due(folders)
        sessions = {f: session(f) for f in folders}
        document = sessions[name].write(Draft([answer_of(name, dice)]))
        other = next(n for n in folders if n != name)
        if sessions[name].table.due.player == other and sessions[name].table.due.what in ("witness", "open", "claim"):
            break
        sessions[other].take(document)
        for f in folders:
            for more in session(f).answer_by_itself():
                for g in folders:
                    if session(g).table.last < more["seq"]:
                        session(g).take(more)
    monkeypatch.delenv("PBEM_PASSPHRASE")
    private.forget()
    before = session(other).table.last
    done = run("receive", f"{name}/outbox", "-g", other)
    assert done.code == 7 and "is not answered" in done.out and "PBEM_PASSPHRASE_FILE" in done.out, done
    assert session(other).table.last == before + 1
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    assert "written by itself" in must("receive", f"{name}/outbox", "-g", other)


def answer_of(name: str, dice: random.Random) -> object:
    from tests.toygame.folders import answer

    return answer(name, dice)


def test_a_game_with_a_passphrase_is_played_to_its_end_and_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    folders = found(TWO)
    finish(folders, seed=2)
    for name in folders:
        run("audit", "-g", name)
    spread(folders)
    assert len(hashes(folders)) == 1 and as_json("audit", "-g", folders[0]) == {"clean": True}


def test_a_plain_folder_gets_a_passphrase_and_another_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folders = found(TWO)
    for _ in range(5):
        step(folders, random.Random(1))
    name = due(folders)
    words = secret_words(name)
    done = run("passphrase", "-g", name)
    assert done.code != 0 and "--file" in done.err
    for number, phrase in enumerate(("first one", "second one")):
        file = Path(f"phrase{number}")
        file.write_text(phrase + "\n")
        file.chmod(0o600)
        told = must("passphrase", "--file", str(file), "-g", name)
        assert "backup" in told and len(numbers(name)) == 1
        assert [w for w in in_clear(words) if w.startswith(f"{name}/")] == []
        private.forget()
        monkeypatch.setenv("PBEM_PASSPHRASE_FILE", str(file))
    step(folders, random.Random(2))
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", "phrase0")
    private.forget()
    assert run("hand", "-g", name).code in (0, 7)
    must("status", "-g", name)


def test_a_locked_backup_is_restored_without_the_passphrase_and_signs_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    folders = found(TWO)
    for _ in range(4):
        step(folders, random.Random(2))
    name = due(folders)
    must("backup", "kept.zip", "-g", name)
    shutil.rmtree(name)
    monkeypatch.delenv("PBEM_PASSPHRASE")
    private.forget()
    must("restore", "kept.zip", name)
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    spread(folders)
    step(folders, random.Random(3))
    assert len(hashes(folders)) == 1
