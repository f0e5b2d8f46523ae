"""Passphrases, locks and what lies behind them, word by word and bound by bound; nothing here is worth its scrypt."""

from __future__ import annotations

import base64
import getpass
import hashlib
import io
import json
import os
import stat
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from pbem.kernel.canon import canonical
from pbem.kernel.wording import msg
from pbem.protocol import keys
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import agent, passphrase, private, vault
from pbem.store.agent import AgentKey
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.private import PrivateFolder, open_key

PHRASE = "correct horse"
DERIVED = vault._derived  # before it stands in for itself
WAYS = (
    "it may come from PBEM_PASSPHRASE, from PBEM_PASSPHRASE_FILE (a file with mode 0600), from the keyring (extra `keyring`, "
    "filled by `pbem passphrase --keyring`), or from the terminal"
)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A key is derived at once; nothing of the machine is asked; nothing is remembered."""

    def derived(phrase: str, *of: Any) -> bytes:
        return base64.urlsafe_b64encode(hashlib.sha256(repr((phrase, *of)).encode()).digest())

    monkeypatch.setattr(vault, "_derived", derived)
    for name in (passphrase.VARIABLE, passphrase.FILE, "SSH_AUTH_SOCK"):
        monkeypatch.delenv(name, raising=False)
    keyring(monkeypatch)
    private.forget()
    yield
    private.forget()


class KeyringError(Exception):
    """Of the keyring that stands in for the machine's."""


def keyring(monkeypatch: pytest.MonkeyPatch, **of: Any) -> dict[tuple[str, str], str]:
    """A keyring that remembers; `of` replaces what it does."""
    held: dict[tuple[str, str], str] = {}
    module, errors = types.ModuleType("keyring"), types.ModuleType("keyring.errors")
    module.get_password = of.get("get", lambda service, name: held.get((service, name)))  # type: ignore[attr-defined]
    module.set_password = of.get("set", lambda service, name, word: held.update({(service, name): word}))  # type: ignore[attr-defined]
    errors.KeyringError = KeyringError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", module)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return held


def raises(error: BaseException) -> Callable[..., Any]:
    def call(*_: Any, **__: Any) -> Any:
        raise error

    return call


def refused(call: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


# -- where a passphrase comes from -------------------------------------------------------------------------------------


def test_the_variable_then_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "phrase"
    assert passphrase.given() == ""
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", "")
    assert passphrase.given() == ""
    file.write_bytes("käse \r\nmore".encode())
    file.chmod(0o600)
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", str(file))
    assert passphrase.given() == "käse " == passphrase.read(file)
    monkeypatch.setenv("PBEM_PASSPHRASE", "mine")
    assert passphrase.given() == "mine"
    file.write_bytes(b"a" * 5000)
    assert passphrase.read(file) == "a" * 4096
    file.write_bytes(b"\rx\r\r\ny")
    assert passphrase.read(file) == "\rx"
    file.write_bytes(b"XXX\r\n")
    assert passphrase.read(file) == "XXX"


def test_a_passphrase_file_that_is_no_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "phrase"

    def said(what: str) -> None:
        assert refused(lambda: passphrase.read(file)) == (Outcome.WRONG_KEY, f"{what}. The passphrase: {WAYS}")

    said(f"the passphrase file {file} cannot be read (No such file or directory)")
    for content in (b"", b"\n", b"\r\nx"):
        file.write_bytes(content)
        file.chmod(0o600)
        said(f"the passphrase file {file} is empty")
    file.write_bytes(b"\xff")
    said(f"the passphrase file {file} cannot be read (it is no text)")
    file.write_bytes(b"x")
    for mode in (0o604, 0o640, 0o610, 0o601, 0o677):
        file.chmod(mode)
        said(f"others may read {file}: chmod 600 {file}")
    file.chmod(0o400)
    assert passphrase.read(file) == "x"
    file.chmod(0o644)
    found = types.SimpleNamespace(stat=lambda: file.stat(), open=lambda mode: io.BytesIO(b"of windows"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        assert passphrase.read(found) == "of windows"  # type: ignore[arg-type]
    file.chmod(0o600)
    found.open = raises(OSError("no words"))
    assert refused(lambda: passphrase.read(found))[1].count("cannot be read ()") == 1  # type: ignore[arg-type]


WRONG = ProtocolError(Outcome.WRONG_KEY, msg("no"))


def unlock(phrase: str) -> str:
    if phrase == "broken":
        raise ProtocolError(Outcome.LOG_DAMAGED, msg("it is damaged"))
    if phrase != PHRASE:
        raise WRONG
    return f"opened by {phrase}"


def opened(asking: bool = True, kept: Any = None) -> str:
    more = {"kept": lambda: kept} if kept is not None else {}
    return passphrase.opened(msg("the chest"), unlock, lambda: msg("a locksmith"), asking, **more)  # type: ignore[arg-type]


def wrong(source: str) -> tuple[Outcome, str]:
    said = f"the passphrase from {source} does not open the chest. The passphrase: {WAYS}. Where it is forgotten: a locksmith"
    return Outcome.WRONG_KEY, said


def test_what_opens_a_chest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    none = Outcome.WRONG_KEY, f"the chest is encrypted and there is no passphrase. The passphrase: {WAYS}"
    monkeypatch.setattr(passphrase, "at_terminal", lambda: False)
    assert refused(opened) == none and opened(kept="of the keyring") == "of the keyring"
    monkeypatch.setattr(passphrase, "at_terminal", lambda: True)
    asked: list[str] = []
    monkeypatch.setattr(passphrase, "typed", lambda prompt: asked.append(prompt) or PHRASE)
    assert refused(lambda: opened(asking=False)) == none and opened(kept="k") == "k" and asked == []
    assert opened() == f"opened by {PHRASE}" and asked == ["Passphrase for the chest: "]
    assert passphrase.opened(msg("it"), unlock, lambda: msg("no way")) == f"opened by {PHRASE}", "somebody there is asked"
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    assert opened(kept="k") == f"opened by {PHRASE}"
    monkeypatch.setenv("PBEM_PASSPHRASE", "x")
    assert refused(lambda: opened(kept="k")) == wrong("PBEM_PASSPHRASE")
    monkeypatch.setenv("PBEM_PASSPHRASE", "broken")
    assert refused(opened) == (Outcome.LOG_DAMAGED, "it is damaged")
    monkeypatch.setenv("PBEM_PASSPHRASE", "")
    file = tmp_path / "phrase"
    file.write_text("y")
    file.chmod(0o600)
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", str(file))
    assert refused(opened) == wrong("PBEM_PASSPHRASE_FILE")


def test_three_tries_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(passphrase, "at_terminal", lambda: True)
    for lines, ends, again in (
        *((["a", "b", PHRASE], f"opened by {PHRASE}", 2), (["a", "b", "c", PHRASE], wrong("the terminal"), 2)),
        *((["", PHRASE], wrong("the terminal"), 0), (["a", "broken", PHRASE], (Outcome.LOG_DAMAGED, "it is damaged"), 1)),
    ):
        left = [*lines]
        monkeypatch.setattr(passphrase, "typed", lambda prompt, left=left: left.pop(0))
        found = opened() if isinstance(ends, str) else refused(opened)
        assert found == ends
        assert capsys.readouterr() == ("", "That is another one.\n" * again)


def test_a_line_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(getpass, "getpass", lambda prompt: asked.append(prompt) or "x")
    assert passphrase.typed("What? ") == "x" and asked == ["What? "]
    monkeypatch.setattr(getpass, "getpass", raises(EOFError()))
    assert passphrase.typed("What? ") == ""
    for stdin, there in ((types.SimpleNamespace(isatty=lambda: True), True), (io.StringIO(), False), (None, False)):
        monkeypatch.setattr(sys, "stdin", stdin)
        assert passphrase.at_terminal() is there


def test_a_new_passphrase(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []
    left = ["one", "other", "same", "same"]
    monkeypatch.setattr(passphrase, "typed", lambda prompt: asked.append(prompt) or left.pop(0))
    monkeypatch.setattr(passphrase, "at_terminal", lambda: True)
    assert passphrase.chosen("a game") == "same"
    assert asked == ["A passphrase for a game (Enter for none): ", "The same once more: "] * 2
    assert capsys.readouterr() == ("", "These were two different ones.\n")
    left += ["", "x"]
    assert passphrase.chosen("a game") == "" and left == ["x"]
    assert passphrase.chosen("a game", False) == "" and left == ["x"]
    monkeypatch.setattr(passphrase, "at_terminal", lambda: False)
    assert passphrase.typed_twice("a game") == ""
    monkeypatch.setenv("PBEM_PASSPHRASE", "given")
    assert passphrase.chosen("a game", False) == "given"


def test_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    held = keyring(monkeypatch)
    assert passphrase.from_keyring("n") == b""
    passphrase.into_keyring("n", b"key")
    assert held == {("pbem", "n"): "key"} and passphrase.from_keyring("n") == b"key"
    for error in (KeyringError("locked"), OSError("no bus"), RuntimeError("no backend")):
        keyring(monkeypatch, get=raises(error), set=raises(error))
        assert passphrase.from_keyring("n") == b""
        said = f"the system's keyring does not take it: {error}"
        assert refused(lambda: passphrase.into_keyring("n", b"key")) == (Outcome.UNREADABLE, said)
    keyring(monkeypatch, set=lambda *_: None)
    said = "the system's keyring did not keep it"
    assert refused(lambda: passphrase.into_keyring("n", b"key")) == (Outcome.UNREADABLE, said)
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert passphrase.from_keyring("n") == b""
    said = "there is no keyring: pip install 'pbem[keyring]'"
    assert refused(lambda: passphrase.into_keyring("n", b"key")) == (Outcome.UNREADABLE, said)


# -- locks and tokens --------------------------------------------------------------------------------------------------


def lock_with(**changed: Any) -> bytes:
    made, _ = vault.make(PHRASE)
    return canonical({**json.loads(made), **changed})


def test_a_lock_of_these_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    made, data_key = vault.make(PHRASE)
    plain = json.loads(made)
    assert made == canonical(plain) + b"\n" and vault.is_data_key(data_key)
    assert [plain[k] for k in ("format", "kdf", "n", "r", "p")] == [1, "scrypt", 2**17, 8, 1]
    lock = vault.read_lock(made)
    assert (lock.n, lock.r, lock.p, len(lock.salt), lock.wrapped.decode()) == (2**17, 8, 1, 16, plain["wrapped"])
    assert lock.name == plain["salt"] and vault.unwrap(lock, PHRASE) == data_key
    assert vault.unwrap(vault.read_lock(vault.make("other", data_key)[0]), "other") == data_key
    with pytest.raises(vault.WrongPassphrase) as caught:
        vault.unwrap(lock, "other")
    assert (caught.value.outcome, str(caught.value)) == (Outcome.WRONG_KEY, "the passphrase is another one")
    monkeypatch.setattr(vault, "_WRAPPED", b"another heading\n")
    assert refused(lambda: vault.unwrap(lock, PHRASE)) == (Outcome.LOG_DAMAGED, "it is damaged")


def test_locks_that_are_not_tried() -> None:
    damaged, newer = (Outcome.LOG_DAMAGED, "it is damaged"), (Outcome.UNREADABLE, "a newer program wrote it: update pbem")

    def read(**changed: Any) -> Any:
        return refused(lambda: vault.read_lock(lock_with(**changed)))

    for junk in (b"", b"[]", b"7", b"{}", b"[" * 100_000, b"\xff"):
        assert refused(lambda junk=junk: vault.read_lock(junk)) == damaged
    assert read(more=1) == damaged
    assert read(format=2) == newer == read(kdf="argon2")
    for n, r, p in ((2**19, 8, 1), (2**13, 8, 1), (2**17 + 1, 8, 1), (2**17, 9, 1), (2**17, 8, 0), (2**17, 8, 5)):
        said = f"it asks for scrypt with n {n}, r {r}, p {p}: no program of pbem wrote that"
        assert read(n=n, r=r, p=p) == (Outcome.TOO_LARGE, said)
    assert read(n=True)[1].startswith("it asks for scrypt with n 0, r 8, p 1") and read(n="x")[0] is Outcome.TOO_LARGE
    for n, p in ((2**14, 1), (2**18, 4)):
        assert vault.read_lock(lock_with(n=n, p=p)).n == n
    for salt in (7, "", "ab" * 15, "ab" * 17, "ab" * 15 + " a", "gg" * 16, " " + "ab" * 16, "ab " * 16):
        assert read(salt=salt) == damaged, salt
    assert read(wrapped=7) == damaged == read(wrapped="käse")
    size = len(lock_with(wrapped=""))
    assert vault.read_lock(lock_with(wrapped="x" * (4096 - size))).wrapped == b"x" * (4096 - size)
    assert read(wrapped="x" * (4097 - size)) == damaged


def test_a_token_and_what_it_shows() -> None:
    data_key = vault.make(PHRASE)[1]
    data = vault.encrypt(data_key, "private/key", {"public": "k"}, b"content")
    plain = json.loads(data)
    assert data == canonical(plain) + b"\n" and plain["format"] == 1 and plain["known"] == {"public": "k"}
    assert vault.read_known(data) == {"public": "k"} and vault.decrypt(data_key, "private/key", data) == b"content"
    inside = Fernet(data_key).decrypt(plain["token"].encode())
    assert inside == b'{"known":{"public":"k"},"name":"private/key"}\ncontent', "as every later program reads it"
    damaged = Outcome.LOG_DAMAGED, "it is damaged, or of another game folder"
    elsewhere = Outcome.LOG_DAMAGED, "what it shows was changed, or it has been put in another file's place"

    def read(name: str = "private/key", key: bytes = data_key, **changed: Any) -> Any:
        return refused(lambda: vault.decrypt(key, name, canonical({**plain, **changed})))

    assert read("private/other") == elsewhere == read(known={"public": "x"}) == read(known={})
    assert read(key=vault.make(PHRASE)[1]) == damaged == read(token="x") == read(known=7) == read(known=None)
    assert read(format=2) == (Outcome.UNREADABLE, "a newer program wrote it: update pbem")
    for junk in (b"", b"[]", b"7", b"{}"):
        assert refused(lambda junk=junk: vault.decrypt(data_key, "private/key", junk)) == damaged
    for junk in (b"", b"[]", b"7", b"{}", b"[" * 100_000, canonical({**plain, "known": 7}), canonical({**plain, "more": 7})):
        assert vault.read_known(junk) is None


def test_a_key_is_derived_by_scrypt() -> None:
    salt = bytes(range(16))
    made = hashlib.scrypt("käse".encode(), salt=salt, n=2**4, r=8, p=2, dklen=32)
    assert DERIVED("käse", salt, 2**4, 8, 2) == base64.urlsafe_b64encode(made)


def test_a_token_is_written_in_one_way_only() -> None:
    data_key = vault.make(PHRASE)[1]
    for content in (b"", b"x" * 16, b"x" * 32):
        data = vault.encrypt(data_key, "f", {}, content)
        plain = json.loads(data)
        token = plain["token"]
        end = len(token.rstrip("="))
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        other = letters[letters.index(token[end - 1]) ^ 1]
        changed = token[: end - 1] + other + token[end:]
        assert vault.decrypt(data_key, "f", data) == content
        with pytest.raises(ProtocolError):
            vault.decrypt(data_key, "f", canonical({**plain, "token": changed}))
        with pytest.raises(ProtocolError):
            vault.decrypt(data_key, "f", canonical({**plain, "token": token[:8] + "\n" + token[8:]}))


def test_what_can_be_a_data_key() -> None:
    assert vault.is_data_key(base64.urlsafe_b64encode(bytes(32)))
    for size in (0, 31, 33):
        assert not vault.is_data_key(base64.urlsafe_b64encode(bytes(size)))
    assert not vault.is_data_key(b"x") and not vault.is_data_key(b"rubbish")


# -- a private folder --------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GameFolder:
    monkeypatch.setattr(PrivateFolder, "ways_out", lambda self: msg("What can be done: little"))
    made = GameFolder.create(tmp_path / "game", {"a": 1})
    made.save_secrets(PlayerSecrets.fresh("nowak"))
    return made


def given(monkeypatch: pytest.MonkeyPatch, phrase: str = PHRASE) -> None:
    private.forget()
    monkeypatch.setenv("PBEM_PASSPHRASE", phrase)


def plain_in(folder: GameFolder) -> list[str]:
    """The files that are not encrypted."""
    found = sorted((folder.path / "private").iterdir())
    return [p.name for p in found if vault.read_known(p.read_bytes()) is None and p.name != "lock.json"]


def test_a_lock_encrypts_all_that_is_there(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    place, mine = folder.path / "private", folder.private
    newer, older = keys.generate(), keys.generate()
    mine.keep_key("key", older)
    mine.keep_key("key.next", newer)
    mine.write("pins.json", b"pins", {})
    assert plain_in(folder) == ["key", "key.next", "pins.json", "secrets.json"] and mine.opens_unasked()
    mine.lock(PHRASE)
    assert plain_in(folder) == [] and mine.is_locked
    assert all(stat.S_IMODE(p.stat().st_mode) == 0o600 for p in place.iterdir())
    before = {p.name: p.read_bytes() for p in place.iterdir()}
    mine.lock("another")
    assert {p.name: p.read_bytes() for p in place.iterdir()} == before
    assert mine.opens_unasked(), "whoever has locked it need not say the word at once"
    private.forget()
    assert not mine.opens_unasked()
    given(monkeypatch)
    assert mine.opens_unasked() and mine.read("pins.json") == b"pins" and mine.known("pins.json") == {}
    assert mine.known("key") == {"public": keys.public_text(older)}
    for name, signer in (("key", older), ("key.next", newer)):
        assert keys.public_text(mine.private_key(name)) == keys.public_text(signer) == mine.public_key(name)  # type: ignore[arg-type]


def test_what_a_crash_has_left_plain_goes_when_a_folder_is_locked(folder: GameFolder) -> None:
    place = folder.path / "private"
    for name in ("secrets.json.new", "key.new"):
        (place / name).write_text("as plain as it was then")
    folder.private.lock(PHRASE)
    assert sorted(p.name for p in place.iterdir()) == ["lock.json", "secrets.json"] and plain_in(folder) == []


def test_a_file_that_a_newer_program_has_encrypted(folder: GameFolder) -> None:
    folder.private.lock(PHRASE)
    path = folder.path / "private/secrets.json"
    path.write_bytes(canonical({**json.loads(path.read_bytes()), "format": 2}))
    outcome, said = refused(folder.private.secrets)
    assert outcome is Outcome.UNREADABLE and said == f"{path}: a newer program wrote it: update pbem. What can be done: little"


def test_a_key_with_another_passphrase_stays_as_it_is(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, signer = folder.private, keys.generate()
    path = folder.path / "private/key"
    path.write_text(keys.private_text(signer, "another"))
    mine.lock(PHRASE)
    assert plain_in(folder) == ["key"] and mine.public_key("key") == keys.public_text(signer)
    monkeypatch.setattr(PrivateFolder, "_with_passphrase", lambda self, name: f"{name} is opened")
    assert mine.private_key("key") == "key is opened"
    mine.keep_key("key.next", keys.generate())
    mine.settle()
    asked: list[str] = []
    monkeypatch.setattr(PrivateFolder, "_with_passphrase", lambda self, name: asked.append(name))
    mine.settle()
    assert asked == ["key"]


def test_a_key_of_before_brings_its_passphrase_along(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    signer = keys.generate()
    (folder.path / "private/key").write_text(keys.private_text(signer, PHRASE))
    given(monkeypatch)
    assert keys.public_text(folder.private.private_key("key")) == keys.public_text(signer)  # type: ignore[arg-type]
    assert folder.private.is_locked and plain_in(folder) == []
    given(monkeypatch, "another")
    said = f"the passphrase from PBEM_PASSPHRASE does not open the private part of {folder.path}. The passphrase: {WAYS}. "
    assert refused(folder.private.secrets) == (Outcome.WRONG_KEY, f"{said}Where it is forgotten: What can be done: little")


def test_a_key_of_before_that_another_passphrase_does_not_open(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.path / "private/key").write_text(keys.private_text(keys.generate(), PHRASE))
    given(monkeypatch, "another")
    said = f"the passphrase from PBEM_PASSPHRASE does not open the key of {folder.path}. The passphrase: {WAYS}. "
    assert refused(lambda: folder.private.private_key("key")) == (
        Outcome.WRONG_KEY,
        f"{said}Where it is forgotten: What can be done: little",
    )
    assert not folder.private.is_locked


def test_nobody_at_the_terminal_is_asked_whether_a_folder_opens_by_itself(
    folder: GameFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only who needs what is in it is asked; what the keyring holds under its name may be no key at all."""
    mine, held, asked = folder.private, keyring(monkeypatch), list[str]()
    monkeypatch.setattr(passphrase, "at_terminal", lambda: True)
    monkeypatch.setattr(passphrase, "typed", lambda prompt: asked.append(prompt) or PHRASE)
    mine.lock(PHRASE)
    data_key, name = mine.data_key(), mine.into_keyring()
    held[("pbem", name)] = "rubbish"
    private.forget()
    assert not mine.opens_unasked() and asked == []
    assert mine.data_key() == data_key and asked == [f"Passphrase for the private part of {folder.path}: "]


def test_the_key_of_a_file_and_what_opened_it(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = keys.generate()
    found, phrase = open_key(keys.private_text(signer), msg("it"), raises(AssertionError()))
    assert (keys.public_text(found), phrase) == (keys.public_text(signer), "")
    locked = keys.private_text(signer, PHRASE)
    given(monkeypatch)
    found, phrase = open_key(locked, msg("it"), raises(AssertionError()))
    assert (keys.public_text(found), phrase) == (keys.public_text(signer), PHRASE)
    given(monkeypatch, "x")
    said = refused(lambda: open_key(locked, msg("my key"), lambda: msg("little")))[1]
    assert "does not open my key. " in said and said.endswith("Where it is forgotten: little")


def test_another_passphrase_goes_along_in_the_keyring(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, held = folder.private, keyring(monkeypatch)
    mine.lock(PHRASE)
    data_key = mine.data_key()
    mine.change("second")
    assert held == {} and mine.data_key() == data_key
    name = mine.into_keyring()
    assert held == {("pbem", name): data_key.decode()} and name == json.loads(mine.disk.read(mine.path / "lock.json"))["salt"]
    mine.change("third")
    after = json.loads(mine.disk.read(mine.path / "lock.json"))["salt"]
    assert held[("pbem", after)] == data_key.decode() and after != name
    assert mine.data_key() == data_key, "it is known without a word"
    private.forget()
    assert mine.data_key() == data_key and mine.opens_unasked()
    assert stat.S_IMODE((mine.path / "lock.json").stat().st_mode) == 0o600
    held[("pbem", after)] = "rubbish"
    given(monkeypatch, "third")
    assert mine.data_key() == data_key


def test_a_lock_that_is_lost_or_damaged(folder: GameFolder) -> None:
    mine = folder.private
    mine.lock(PHRASE)
    path = mine.path / "lock.json"
    for content, why, outcome in (
        (b"", "it is damaged", Outcome.LOG_DAMAGED),
        (lock_with(format=2), "a newer program wrote it: update pbem", Outcome.UNREADABLE),
        (None, "it is missing, and without it no passphrase opens the rest", Outcome.LOG_DAMAGED),
    ):
        path.unlink() if content is None else path.write_bytes(content)
        assert refused(mine.data_key) == (outcome, f"{path}: {why}. What can be done: little")
        assert not mine.opens_unasked(), "secrets are encrypted, and nothing opens them"
    (mine.path / "secrets.json").unlink()
    assert mine.opens_unasked()


def test_what_is_read_and_kept_elsewhere(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = folder.private
    assert mine.wrap("sealed", {"a": 1}) == {"a": 1} == mine.unwrap("sealed", {"a": 1})
    said = f"what this machine's record keeps for {folder.path} cannot be opened. What can be done: little"
    mine.lock(PHRASE)
    held = mine.wrap("sealed", {"a": 1})
    assert isinstance(held, str) and json.loads(held)["known"] == {} and mine.unwrap("sealed", held) == {"a": 1}
    listed = vault.encrypt(mine.data_key(), "record/sealed", {}, b"[1]").decode()
    broken = vault.encrypt(mine.data_key(), "record/sealed", {}, b"\xff").decode()
    for name, wrong_one in (
        ("other", held),
        ("sealed", "x"),
        ("sealed", listed),
        ("sealed", broken),
        ("sealed", 7),
        ("sealed", None),
    ):
        assert refused(lambda name=name, w=wrong_one: mine.unwrap(name, w)) == (Outcome.LOG_DAMAGED, said)
    path = mine.path / "secrets.json"
    path.write_bytes(path.read_bytes().replace(b"nowak", b"dubois"))
    why = "what it shows was changed, or it has been put in another file's place"
    assert refused(lambda: mine.read("secrets.json")) == (Outcome.LOG_DAMAGED, f"{path}: {why}. What can be done: little")
    for content in (b"[]", b"{", b"[" * 100_000):
        (mine.path / "lock.json").unlink(missing_ok=True)
        path.write_bytes(content)
        assert refused(mine.secrets) == (Outcome.LOG_DAMAGED, f"{path}: it cannot be read. What can be done: little")


def test_what_secrets_show(folder: GameFolder) -> None:
    mine = folder.private
    mine.write_secrets({"player": "nowak", "signed_charter": "c", "draw_master": "m"})
    assert (
        mine.secrets() == {"player": "nowak", "signed_charter": "c", "draw_master": "m"} and mine.known("secrets.json") is None
    )
    mine.lock(PHRASE)
    assert mine.known("secrets.json") == {"player": "nowak", "signed_charter": "c"}
    mine.write_secrets({"player": "nowak", "restored": True})
    assert mine.known("secrets.json") == {"player": "nowak", "restored": True} and mine.holds("secrets.json")
    assert not mine.holds("pins.json")


def test_keys_that_are_not_there_or_broken(folder: GameFolder) -> None:
    mine, path = folder.private, folder.path / "private/key"
    assert mine.public_key("key") == "" and mine.private_key("key") is None
    missing = f"{path} is missing: nothing can be signed for nowak. What can be done: little"
    assert str(mine.no_key("nowak")) == missing and mine.no_key("nowak").outcome is Outcome.WRONG_KEY
    assert (mine.no_secrets().outcome, str(mine.no_secrets())) == (
        Outcome.WRONG_KEY,
        "this folder watches the game; it has no player's key",
    )
    path.write_bytes(b"junk\xff")
    for call in (lambda: mine.public_key("key"), lambda: mine.private_key("key")):
        said = f"{path}: this is no private key in the format of OpenSSH. What can be done: little"
        assert refused(call) == (Outcome.WRONG_KEY, said)
    mine.keep_key("key", keys.generate())
    said = "the key of this folder does not sign for nowak: the seat has another one now. What can be done: little"
    assert str(mine.no_key("nowak")) == said
    lost = f"{mine.path / 'secrets.json'}: it is missing, and with it every secret of this game. What can be done: little"
    assert (mine.no_secrets().outcome, str(mine.no_secrets())) == (Outcome.LOG_DAMAGED, lost)
    mine.lock(PHRASE)
    held = json.loads(path.read_bytes())
    path.write_bytes(canonical({**held, "known": {}}))
    assert refused(lambda: mine.public_key("key"))[1].startswith(f"{path}: ")
    for content in (b"no key", b"\xff"):
        mine.write("key", content, {"public": str(held["known"]["public"])})
        outcome, said = refused(lambda: mine.private_key("key"))
        assert outcome is Outcome.LOG_DAMAGED and said.endswith(". What can be done: little")
        assert said.startswith(f"{path}: the private key cannot be read: ")


def test_a_key_that_an_agent_holds(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, signer = folder.private, keys.generate()
    public = keys.public_text(signer)
    asked: list[Any] = []
    held = AgentKey("")
    monkeypatch.setattr(keys, "public_text", lambda key: public)
    mine.keep_key("key", held)
    path = mine.path / "key.pub"
    assert path.read_text() == f"{public}\n" and stat.S_IMODE(path.stat().st_mode) == 0o600 and not mine.holds("key")
    assert mine.public_key("key") == public
    monkeypatch.setattr(agent, "find", lambda wanted: asked.append(wanted) or held)
    assert mine.private_key("key") is held and asked == [{public}]
    assert mine.signer({public}) is held and mine.signer({"another"}) is held and asked[1:] == [{public}, {"another"}]
    assert mine.signs_for({public}) and not mine.signs_for({"another"})
    monkeypatch.setattr(agent, "find", lambda wanted: None)
    outcome, said = refused(lambda: mine.private_key("key"))
    assert (outcome, said) == (
        Outcome.WRONG_KEY,
        f"the key {keys.fingerprint(public)} is in no file, and no ssh-agent holds it now: start one and `ssh-add` it. Where "
        "it is lost: What can be done: little",
    )


def test_which_key_signs(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, newer, older = folder.private, keys.generate(), keys.generate()
    asked: list[Any] = []
    monkeypatch.setattr(agent, "find", lambda wanted: asked.append(wanted))
    assert mine.signs_for({"whatever"}), "whoever has lost the key wants to be told"
    mine.keep_key("key", older)
    mine.keep_key("key.next", newer)
    for signer in (newer, older):
        public = keys.public_text(signer)
        assert keys.public_text(mine.signer({public, "x"})) == public and mine.signs_for({public})  # type: ignore[arg-type]
    assert asked == [] and mine.signer({"x"}) is None and asked == [{"x"}] and not mine.signs_for({"x"})


def test_the_ways_out_are_told_to_the_player_whom_the_secrets_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = GameFolder.create(tmp_path / "game", {"a": 1})
    mine, path = made.private, made.path / "private/secrets.json"
    monkeypatch.setattr(private.lost, "ways_out", lambda game, player: msg("{player} of {game}", player=player, game=str(game)))
    assert str(mine.ways_out()) == f" of {made.path}"
    made.save_secrets(PlayerSecrets.fresh("nowak"))
    assert str(mine.ways_out()) == f"nowak of {made.path}"
    mine.lock(PHRASE)
    private.forget()
    assert str(mine.ways_out()) == f"nowak of {made.path}"
    for content in (b"", b"[]", b"{}", b'{"player": null}', b"[" * 100_000):
        path.write_bytes(content)
        assert str(mine.ways_out()) == f" of {made.path}"
