"""Passphrases and lost keys as a player meets them: at a real terminal, in a real game, in what `new` asks and says."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.protocol.charter import read_charter
from pbem.protocol.outcomes import ProtocolError
from pbem.protocol.strict_yaml import read_document
from pbem.store import backups, passphrase, private, vault
from pbem.store.folder import GameFolder
from tests.commands import ALLIES, inside, must, prepare, run
from tests.passphrases import alone
from tests.store.failing_disk import Failure
from tests.store.test_commands_sweep import ANY, attempt, sweep

PHRASE = "correct horse"


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with alone(monkeypatch), inside(tmp_path):
        yield


def locked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits there and gives no passphrase; nothing may be derived or asked."""
    monkeypatch.delenv("PBEM_PASSPHRASE", raising=False)
    private.forget()
    monkeypatch.setattr(vault, "_derived", lambda *_: pytest.fail("something was derived"))
    monkeypatch.setattr(passphrase, "typed", lambda prompt: pytest.fail("somebody was asked"))
    monkeypatch.setattr(passphrase, "at_terminal", lambda: True)


def test_all_that_only_shows_the_game_works_without_the_passphrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    moments = prepare(tmp_path)
    secrets = (moments["answered"] / "axis/private/secrets.json").read_bytes()
    assert b"token" in secrets and b"chain_secret" not in secrets
    locked_out(monkeypatch)
    with inside(moments["answered"]):
        for words in ("status", "log", "report", "report --since-mine", "verify", "map --to m.svg", "odds", "luck"):
            must(*words.split(), "-g", "axis")
        must("replay", "--to", "r.html", "-g", "axis")
        must("receive", "axis/outbox", "-g", "allies")
        must("backup", "b.zip", "-g", "axis")
    with inside(moments["running"]):
        assert "needs your passphrase" not in must("status", "-g", "axis")
        assert "nothing that the others do not see" in must("hand", "-g", "axis")
        must("report", "-g", "axis")


# -- a real terminal -------------------------------------------------------------------------------------------------------


def at_terminal(*words: str, answers: tuple[tuple[str, str], ...]) -> tuple[int, str]:
    """A command at a pseudo-terminal: each answer is typed when its question has come. Exit code and all that was shown."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "pbem", *words]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True, env={**os.environ})
    os.close(slave)
    shown = ""
    try:
        for question, typed in answers:
            shown = _read(master, shown, lambda new, question=question: question in new)
            time.sleep(0.05)  # the terminal's echo is off before the answer comes
            os.write(master, f"{typed}\n".encode())
        shown = _read(master, shown, lambda new: False)
        return process.wait(60), shown
    finally:
        process.kill()
        process.wait()
        os.close(master)


def _read(master: int, shown: str, is_enough: Callable[[str], bool]) -> str:
    """What was shown and what comes now, up to the end or to what is waited for."""
    seen = len(shown)
    while not is_enough(shown[seen:]):
        ready, _, _ = select.select([master], [], [], 60)
        assert ready, f"nothing more comes after: {shown}"
        try:
            part = os.read(master, 1000)
        except OSError:
            return shown  # the other end is closed
        if not part:
            return shown
        shown += part.decode()
    return shown


def test_a_player_at_a_terminal_is_asked_for_what_is_needed_and_never_sees_it() -> None:
    code, shown = at_terminal("new", "axis", answers=(("Who may give a seat a new key", "both"), ("Who may", "umpire")))
    assert code == 0 and "No passphrase is set" in shown, shown
    draft = read_document(Path("axis/charter.yaml").read_bytes())[0]
    assert draft["lost_keys"] == "umpire"
    must("umpire", "join", "axis/charter.yaml", "--as", "smith", "--role", "witness", "-g", "smith")
    twice = (("passphrase for the key of yamada", PHRASE), ("once more", PHRASE))
    words = ("join", "smith/charter.yaml", "--as", "yamada", "--seats", "japan", "-g", "yamada")
    code, shown = at_terminal(*words, answers=twice)
    assert code == 0 and PHRASE not in shown, shown
    assert Path("yamada/private/lock.json").exists() and "ENCRYPTED" not in shown
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "nowak")
    once = (("Passphrase for the private part of yamada", "wrong"), ("That is another one", PHRASE))
    code, shown = at_terminal("accept", "nowak/charter.yaml", "-g", "yamada", answers=once)
    assert code == 0 and "yamada" in read_document(Path("yamada/charter.yaml").read_bytes())[0]["signatures"], shown


def test_enter_means_no_passphrase() -> None:
    must("new", "axis")
    words = ("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    code, shown = at_terminal(*words, answers=(("passphrase for the key of yamada", ""),))
    assert code == 0 and not Path("axis/private/lock.json").exists(), shown
    assert Path("axis/private/secrets.json").stat().st_mode & 0o777 == 0o600


# -- lost keys in `new` ----------------------------------------------------------------------------------------------------


def charter(folder: str) -> dict[str, object]:
    return read_document(Path(folder, "charter.yaml").read_bytes())[0]


def test_without_a_terminal_allies_may_where_there_can_be_allies() -> None:
    assert "an ally may give" in must("new", "pacific")
    assert charter("pacific")["lost_keys"] == "others"
    assert "nobody may give" in must("new", "eots", "--system", "empire-of-the-sun", "--scenario", "year-1942")
    assert "lost_keys" not in charter("eots")


@pytest.mark.parametrize(("said", "held"), [("others", "others"), ("umpire", "umpire"), ("nobody", None)])
def test_a_script_says_who_may(said: str, held: str | None) -> None:
    must("new", "pacific", "--lost-keys", said)
    assert charter("pacific").get("lost_keys") == held


def test_what_cannot_be_is_refused_in_words() -> None:
    done = run("new", "pacific", "--lost-keys", "everybody")
    assert done.code == 1 and "others, umpire, nobody" in done.err and not Path("pacific").exists()
    done = run("new", "eots", "--system", "empire-of-the-sun", "--scenario", "year-1942", "--lost-keys", "others")
    assert done.code == 1 and "no player has an ally" in done.err


def test_a_charter_that_waits_for_its_umpire_is_not_signed_without_him() -> None:
    must("new", "axis", "--lost-keys", "umpire")
    must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
    assert read_charter(charter("allies")).lost_keys == "umpire"
    done = run("accept", "-g", "allies")
    assert done.code == 5 and "umpire join" in done.err


def test_new_says_once_that_secrets_lie_in_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert must("new", "a").count("mode 0600") == 1
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    assert "mode 0600" not in must("new", "b")


# -- losses ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["key", "secrets.json", "lock.json"])
def test_each_loss_is_told_with_the_ways_out(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    with inside(prepare(tmp_path)["answered"]):
        monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
        Path("axis/private", name).unlink()
        newest = backups.newest(Path("axis"))
        assert newest is not None
        private.forget()
        done = run("undo", "1", "-g", "axis")
        assert done.code in (4, 7) and name in done.err and f"pbem restore {newest} " in done.err, done
        assert "nobody may give the seat a new key" in done.err and "resign" in done.err
        must("status", "-g", "axis")
        must("restore", str(newest), "again")
        must("receive", "allies/outbox", "-g", "again")
        must("undo", "1", "-g", "again")


# -- crashes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("moment", "words"),
    [
        ("drafted", "join --as yamada --seats japan -g axis"),
        ("running", "send o.yaml --yes -g axis"),
        ("answered", "seat renew -g axis"),
    ],
)
def test_with_a_passphrase_a_crash_leaves_before_or_after_too(
    moment: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    start = prepare(tmp_path)[moment]
    assert sweep(start, words.split(), lambda: None, ANY, 0.5, monkeypatch) > 10


def test_a_crash_while_the_passphrase_changes_leaves_the_old_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    start = prepare(tmp_path)["answered"]
    new = start / "new-phrase"
    new.write_text("another one")
    new.chmod(0o600)
    before = GameFolder(start / "axis").private.secrets()
    at, opened_by = 0, set()
    while True:
        at += 1
        shutil.rmtree(tmp_path / "work", ignore_errors=True)
        with inside(shutil.copytree(start, tmp_path / "work")):
            monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
            failure = Failure(at)
            done = attempt(["passphrase", "--file", "new-phrase", "-g", "axis"], failure, monkeypatch)
            found = [phrase for phrase in (PHRASE, "another one") if opens("axis", phrase, before, monkeypatch)]
            assert len(found) == 1, at
            opened_by.add(found[0])
            if not failure.hit:
                assert done is not None and done.code == 0 and found == ["another one"], done
                break
    assert at > 8 and len(opened_by) == 2


def opens(name: str, phrase: str, secrets: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> bool:
    """This passphrase gives these secrets and the key."""
    private.forget()
    monkeypatch.setenv("PBEM_PASSPHRASE", phrase)
    folder = GameFolder(Path(name))
    try:
        return folder.private.secrets() == secrets and folder.private_key("key") is not None
    except ProtocolError:
        return False
    finally:
        private.forget()
