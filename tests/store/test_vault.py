"""What lies encrypted on the disk: the lock, tokens that fit one file only, limits before work, sources of the passphrase."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from pbem.protocol import keys
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import passphrase, private, vault
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder, PlayerSecrets

PHRASE = "correct horse"
SOURCES = ("PBEM_PASSPHRASE", "PBEM_PASSPHRASE_FILE", "keyring", "terminal")
WAYS_OUT = ("pbem restore", "new key", "resign")


@pytest.fixture(autouse=True)
def cheap_and_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Scrypt at its least, no passphrase around, nothing remembered from another test."""
    monkeypatch.setattr(vault, "N", 2**14)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    for name in (passphrase.VARIABLE, passphrase.FILE):
        monkeypatch.delenv(name, raising=False)
    private.forget()
    yield
    private.forget()


@pytest.fixture
def folder(tmp_path: Path) -> GameFolder:
    """A locked folder with a key and secrets, whose passphrase nobody has given yet."""
    made = GameFolder.create(tmp_path / "game", {"a": 1})
    made.private.lock(PHRASE)
    made.private.keep_key("key", keys.generate())
    made.save_secrets(PlayerSecrets.fresh("nowak"))
    private.forget()
    return GameFolder(tmp_path / "game")


def refused(outcome: Outcome, call: Any) -> str:
    with pytest.raises(ProtocolError) as caught:
        call()
    assert caught.value.outcome is outcome, caught.value
    return str(caught.value)


# -- lock and tokens -----------------------------------------------------------------------------------------------------


def test_a_lock_gives_its_data_key_to_its_passphrase_alone() -> None:
    data, data_key = vault.make(PHRASE)
    lock = vault.read_lock(data)
    assert vault.unwrap(lock, PHRASE) == data_key
    for other in ("", PHRASE + " ", PHRASE.upper()):
        with pytest.raises(vault.WrongPassphrase):
            vault.unwrap(lock, other)
    assert vault.make(PHRASE)[1] != data_key, "two folders share a data key"


def test_a_lock_is_written_with_the_numbers_of_the_design(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    plain = json.loads(vault.make(PHRASE)[0])
    assert {k: plain[k] for k in ("format", "kdf", "n", "r", "p")} == {"format": 1, "kdf": "scrypt", "n": 2**17, "r": 8, "p": 1}


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"n": 2**19}, Outcome.TOO_LARGE),
        ({"n": 2**40}, Outcome.TOO_LARGE),
        ({"n": 2**13}, Outcome.TOO_LARGE),
        ({"n": 2**17 + 1}, Outcome.TOO_LARGE),
        ({"n": True}, Outcome.TOO_LARGE),
        ({"n": "131072"}, Outcome.TOO_LARGE),
        ({"r": 16}, Outcome.TOO_LARGE),
        ({"r": 1}, Outcome.TOO_LARGE),
        ({"p": 5}, Outcome.TOO_LARGE),
        ({"p": 0}, Outcome.TOO_LARGE),
        ({"p": -1}, Outcome.TOO_LARGE),
        ({"kdf": "pbkdf2"}, Outcome.UNREADABLE),
        ({"format": 2}, Outcome.UNREADABLE),
        ({"salt": "00"}, Outcome.LOG_DAMAGED),
        ({"salt": "zz" * 16}, Outcome.LOG_DAMAGED),
        ({"salt": 7}, Outcome.LOG_DAMAGED),
        ({"wrapped": None}, Outcome.LOG_DAMAGED),
        ({"wrapped": "ż"}, Outcome.LOG_DAMAGED),
        ({"wrapped": "A" * 5000}, Outcome.LOG_DAMAGED),
        ({"more": 1}, Outcome.LOG_DAMAGED),
    ],
)
def test_a_hostile_lock_is_refused_before_anything_is_derived(
    change: dict[str, Any], outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, _ = vault.make(PHRASE)
    monkeypatch.setattr(vault, "_derived", lambda *_: pytest.fail("something was derived"))
    refused(outcome, lambda: vault.read_lock(json.dumps({**json.loads(data), **change}).encode()))


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b"null", b"[" * 100_000, b"\xff"])
def test_what_is_no_lock_is_called_damaged(junk: bytes) -> None:
    assert "damaged" in refused(Outcome.LOG_DAMAGED, lambda: vault.read_lock(junk))


@pytest.mark.parametrize("n", [2**14, 2**18])
def test_the_least_and_the_most_that_is_read(n: int) -> None:
    data, _ = vault.make(PHRASE)
    assert vault.read_lock(json.dumps({**json.loads(data), "n": n, "p": 4}).encode()).n == n


def test_a_token_opens_in_its_own_file_only() -> None:
    data_key = Fernet.generate_key()
    data = vault.encrypt(data_key, "private/secrets.json", {"player": "nowak"}, b"hidden")
    assert vault.decrypt(data_key, "private/secrets.json", data) == b"hidden"
    assert vault.read_known(data) == {"player": "nowak"} and b"hidden" not in data
    told = refused(Outcome.LOG_DAMAGED, lambda: vault.decrypt(data_key, "private/key", data))
    assert "another file's place" in told
    refused(Outcome.LOG_DAMAGED, lambda: vault.decrypt(Fernet.generate_key(), "private/secrets.json", data))


def test_what_a_file_shows_is_bound_to_what_it_hides() -> None:
    data_key = Fernet.generate_key()
    plain = json.loads(vault.encrypt(data_key, "f", {"player": "nowak", "restored": True}, b"hidden"))
    for known in ({"player": "yamada", "restored": True}, {"player": "nowak", "restored": False}, {}, {"player": 1.5}):
        changed = json.dumps({**plain, "known": known}).encode()
        refused(Outcome.LOG_DAMAGED, lambda changed=changed: vault.decrypt(data_key, "f", changed))


def test_each_damaged_byte_of_a_token_is_noticed() -> None:
    data_key = Fernet.generate_key()
    data = vault.encrypt(data_key, "f", {"player": "nowak"}, b"hidden")
    for at in range(0, len(data) - 1):
        spoiled = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        if vault.read_known(spoiled) is not None:
            with pytest.raises(ProtocolError):
                vault.decrypt(data_key, "f", spoiled)


# -- a folder -------------------------------------------------------------------------------------------------------------


def test_the_players_name_is_known_without_a_passphrase_and_secrets_are_not(
    folder: GameFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault, "_derived", lambda *_: pytest.fail("something was derived"))
    held = folder.secrets()
    assert held is not None and held.player == "nowak" and held.signed_charter == ""
    assert folder.private.public_key("key").startswith("ssh-ed25519 ")
    assert not folder.private.opens_unasked()
    told = refused(Outcome.WRONG_KEY, lambda: held.chain_secret)
    assert all(source in told for source in SOURCES)
    told = refused(Outcome.WRONG_KEY, lambda: folder.private_key("key"))
    assert all(source in told for source in SOURCES)


def test_secrets_and_key_come_back_with_the_passphrase(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    held = folder.secrets()
    assert held is not None and len(held.chain_secret) == 64 and held.other_chains == []
    signer = folder.private_key("key")
    assert signer is not None and keys.public_text(signer) == folder.private.public_key("key")
    held.sealed["nowak:seal1:0"] = {"order": "x", "salt": "00" * 32}
    folder.save_secrets(held)
    again = GameFolder(folder.path).secrets()
    assert again is not None and again.sealed == held.sealed and again.draw_master == held.draw_master
    assert vault.read_known((folder.path / "private/secrets.json").read_bytes()) is not None


def test_what_was_set_before_the_rest_was_read_stays_set(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    held = folder.secrets()
    assert held is not None
    held.signed_charter = "ab" * 32
    held.escrow_key = "cd" * 32
    folder.save_secrets(held)
    again = GameFolder(folder.path).secrets()
    assert again is not None and (again.signed_charter, again.escrow_key) == ("ab" * 32, "cd" * 32)
    with pytest.raises(AttributeError):
        again.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_encrypted_files_are_the_owners_alone(folder: GameFolder) -> None:
    for name in ("lock.json", "key", "secrets.json"):
        assert (folder.path / "private" / name).stat().st_mode & 0o777 == 0o600


def test_files_put_in_each_others_place_are_refused(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    folder.private.keep_key("key.next", keys.generate())
    (folder.path / "private/key").write_bytes((folder.path / "private/key.next").read_bytes())
    told = refused(Outcome.LOG_DAMAGED, lambda: folder.private_key("key"))
    assert "another file's place" in told and all(way in told for way in WAYS_OUT)


def test_another_passphrase_changes_the_lock_alone(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    before = {p.name: p.read_bytes() for p in (folder.path / "private").iterdir()}
    folder.private.change("another one")
    after = {p.name: p.read_bytes() for p in (folder.path / "private").iterdir()}
    assert [name for name in before if before[name] != after[name]] == ["lock.json"]
    private.forget()
    told = refused(Outcome.WRONG_KEY, folder.private.data_key)
    assert "PBEM_PASSPHRASE does not open" in told and all(word in told for word in (*SOURCES, *WAYS_OUT))
    monkeypatch.setenv("PBEM_PASSPHRASE", "another one")
    assert folder.private_key("key") is not None


def test_a_crash_while_a_folder_is_being_locked_leaves_it_usable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stops(Disk):
        left = 100

        def replace(self, path: Path, data: bytes, mode: int = 0o644) -> None:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            super().replace(path, data, mode)

    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    for steps in range(4):
        made = GameFolder.create(tmp_path / f"g{steps}", {"a": 1}, disk := Stops())
        made.private.keep_key("key", signer := keys.generate())
        made.save_secrets(secrets := PlayerSecrets.fresh("nowak"))
        (made.path / "private/key.next.new").write_text("left by a crash before there was a lock")
        disk.left = steps
        try:
            made.private.lock(PHRASE)
        except KeyboardInterrupt:
            disk.left = 100
        private.forget()
        opened = GameFolder(made.path)
        for _ in range(2):
            held, found = opened.secrets(), opened.private_key("key")
            assert held is not None and held.chain_secret == secrets.chain_secret
            assert found is not None and keys.public_text(found) == keys.public_text(signer)
            opened.private.lock(PHRASE)
        assert all(vault.read_known((made.path / "private" / n).read_bytes()) for n in ("key", "secrets.json"))
        assert not [*made.path.glob("private/*.new")]


def test_a_folder_of_before_with_an_encrypted_key_is_locked_at_its_first_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = GameFolder.create(tmp_path / "old", {"a": 1})
    signer, secrets = keys.generate(), PlayerSecrets.fresh("nowak")
    (made.path / "private/key").write_text(keys.private_text(signer, PHRASE))
    made.save_secrets(secrets)
    assert made.private.public_key("key") == keys.public_text(signer)
    assert all(source in refused(Outcome.WRONG_KEY, lambda: made.private_key("key")) for source in SOURCES)
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    found = made.private_key("key")
    assert found is not None and keys.public_text(found) == keys.public_text(signer)
    everything = b"".join(p.read_bytes() for p in (made.path / "private").iterdir())
    assert secrets.chain_secret.encode() not in everything and b"OPENSSH" not in everything
    again = GameFolder(made.path).secrets()
    assert again is not None and again.chain_secret == secrets.chain_secret


def test_what_is_kept_elsewhere_is_wrapped_where_the_folder_is_locked(
    folder: GameFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    seals = {"nowak:seal1:0": {"order": "attack", "salt": "ab" * 32}}
    held = folder.private.wrap("sealed", seals)
    assert isinstance(held, str) and "attack" not in held and folder.private.unwrap("sealed", held) == seals
    told = refused(Outcome.LOG_DAMAGED, lambda: folder.private.unwrap("other", held))
    assert all(way in told for way in WAYS_OUT)
    plain = GameFolder.create(tmp_path / "plain", {"a": 1}).private
    assert plain.unwrap("sealed", plain.wrap("sealed", seals)) == seals


# -- what is lost ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("lock.json", None),
        ("lock.json", b"{}"),
        ("secrets.json", b"{}"),
        ("secrets.json", b"\x00"),
        ("key", b"junk"),
        ("key", b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"),
    ],
)
def test_a_lost_or_damaged_file_is_named_with_the_ways_out(
    folder: GameFolder, name: str, content: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    path = folder.path / "private" / name
    path.unlink() if content is None else path.write_bytes(content)

    def use() -> None:
        held = folder.secrets()
        assert held is not None
        held.chain_secret  # noqa: B018
        folder.private_key("key")

    with pytest.raises(ProtocolError) as caught:
        use()
    assert name in str(caught.value) and all(way in str(caught.value) for way in WAYS_OUT)


@pytest.mark.parametrize(
    ("charter", "told"),
    [
        ({"lost_keys": "others"}, "have an ally (dubois)"),
        ({"lost_keys": "umpire", "umpire": {"player": "smith", "role": "witness"}}, "have the umpire smith"),
        ({}, "nobody may give the seat a new key"),
        ({"seats": "nonsense"}, "see who may"),
    ],
)
def test_the_ways_out_are_those_of_the_charter(folder: GameFolder, charter: dict[str, Any], told: str) -> None:
    seats = {
        "blue": {"player": "yamada", "side": "one"},
        "red": {"player": "nowak", "side": "two"},
        "rust": {"player": "dubois", "side": "two"},
    }
    folder.save_draft({"seats": seats, **charter})
    (folder.path / "backups").mkdir()
    for number in (2, 10, 9):
        (folder.path / f"backups/{number:04d}.zip").touch()
    (folder.path / "private/lock.json").unlink()
    said = refused(Outcome.LOG_DAMAGED, lambda: folder.private_key("key"))
    assert told in said and "backups/0010.zip" in said and "resign" in said


# -- sources --------------------------------------------------------------------------------------------------------------


def test_a_passphrase_file_is_its_owners_alone(folder: GameFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "phrase"
    file.write_text(PHRASE + "\nsecond line\n")
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", str(file))
    file.chmod(0o640)
    told = refused(Outcome.WRONG_KEY, folder.private.data_key)
    assert "others may read" in told and all(source in told for source in SOURCES)
    file.chmod(0o600)
    assert folder.private.data_key()
    private.forget()
    for content in (b"", b"\n", b"\xff\xfe"):
        file.write_bytes(content)
        assert all(source in refused(Outcome.WRONG_KEY, folder.private.data_key) for source in SOURCES)
    file.unlink()
    assert all(source in refused(Outcome.WRONG_KEY, folder.private.data_key) for source in SOURCES)


def test_the_variable_goes_before_the_file(folder: GameFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", str(tmp_path / "nothing"))
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    assert folder.private.data_key()


def test_the_keyring_holds_the_data_key_and_costs_no_scrypt(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring
    from keyring.backend import KeyringBackend

    class Held(KeyringBackend):
        priority = 1  # type: ignore[assignment]
        entries: dict[tuple[str, str], str] = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self.entries.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.entries[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            raise NotImplementedError

    before = keyring.get_keyring()
    keyring.set_keyring(Held())
    try:
        monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
        folder.private.into_keyring()
        data_key = folder.private.data_key()
        folder.private.change("another one")
        monkeypatch.delenv("PBEM_PASSPHRASE")
        private.forget()
        monkeypatch.setattr(vault, "_derived", lambda *_: pytest.fail("something was derived"))
        assert folder.private.data_key() == data_key and folder.private.opens_unasked()
        assert PHRASE not in str(Held.entries) and "another one" not in str(Held.entries)
        Held.entries = dict.fromkeys(Held.entries, "rubbish")
        private.forget()
        assert all(source in refused(Outcome.WRONG_KEY, folder.private.data_key) for source in SOURCES)
    finally:
        keyring.set_keyring(before)


def test_a_keyring_that_keeps_nothing_is_told(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", PHRASE)
    assert "keyring" in refused(Outcome.UNREADABLE, folder.private.into_keyring)


def at_terminal(monkeypatch: pytest.MonkeyPatch, *typed: str) -> list[str]:
    """Somebody who types these lines; what is left of them."""
    left = list(typed)
    monkeypatch.setattr(passphrase, "at_terminal", lambda: True)
    monkeypatch.setattr(passphrase, "typed", lambda prompt: left.pop(0))
    return left


def test_the_terminal_is_asked_three_times_and_then_once_a_run(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    left = at_terminal(monkeypatch, "wrong", "wrong too", PHRASE)
    assert not folder.private.opens_unasked() and len(left) == 3
    assert folder.private_key("key") is not None and folder.private_key("key") is not None and not left
    private.forget()
    at_terminal(monkeypatch, "wrong", "wrong", "wrong", PHRASE)
    told = refused(Outcome.WRONG_KEY, folder.private.data_key)
    assert all(word in told for word in (*SOURCES, *WAYS_OUT))


def test_a_new_passphrase_is_typed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    at_terminal(monkeypatch, "one", "other", "same", "same")
    assert passphrase.chosen("x") == "same"
    at_terminal(monkeypatch, "")
    assert passphrase.chosen("x") == ""
    at_terminal(monkeypatch)
    assert passphrase.chosen("x", asking=False) == ""
    monkeypatch.setenv("PBEM_PASSPHRASE", "given")
    assert passphrase.chosen("x") == "given"


def test_where_there_is_no_terminal_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passphrase, "typed", lambda prompt: pytest.fail("somebody was asked"))
    for stdin in (io.StringIO("from a pipe"), None):
        monkeypatch.setattr(sys, "stdin", stdin)
        assert passphrase.chosen("x") == ""
