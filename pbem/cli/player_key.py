"""A player's own key on this machine: made, chosen, shown; and the passphrase of a game folder."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.cli.speech import speak
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import Message, msg
from pbem.protocol import keys, names
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import agent, backups, naming, passphrase
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.store.paths import home
from pbem.store.private import open_key

PUBLIC = ".pub"  # of a key that has no file here: an agent holds it


class Identity(Struct, frozen=True):
    """A player's key, and the passphrase that his secrets get; empty where they stay plain."""

    signer: keys.Signer
    passphrase: str

    @property
    def public(self) -> str:
        """The public half, as a charter has it."""
        return keys.public_text(self.signer)


def show(name: str, generate: bool, use: Path | None = None) -> tuple[Plain, str]:
    """The public key of a player of this machine; `generate` makes one, `use` takes one that there is. Raises ProtocolError."""
    name = names.typed(name)
    path = _path(name)
    if generate or use is not None:
        is_free = not _exists(path) or (use is not None and _public(path) == _public(use))
        if not (is_free and (_make(path, speak("the key of {name}", name=name)) if use is None else _adopt(path, use))):
            raise unreadable(msg("{name} has a key already: {file}", name=name, file=str(_file(path))))
    if not _exists(path):
        raise unreadable(
            msg("there is no key for {name}: `pbem key {name} --new` makes one, --use FILE takes one of yours", name=name)
        )
    text, file = _public(path), _file(path)
    fingerprint = keys.fingerprint(text)
    plain: dict[str, Plain] = {"player": name, "key": text, "fingerprint": fingerprint, "file": str(file)}
    lines = [text, speak("fingerprint {fingerprint}", fingerprint=fingerprint), speak("file {file}", file=str(file))]
    if not path.exists():
        plain["agent"] = agent.find({text}) is not None
        lines.append(
            speak("the ssh-agent holds it")
            if plain["agent"]
            else speak("no ssh-agent holds it now: start one and `ssh-add` it")
        )
    return plain, "\n".join(lines)


def of(name: str, folder: GameFolder, asking: bool) -> Identity:
    """The key of a player who joins, made when there is none, and the passphrase for what he gets in this folder.

    `asking`: there may be somebody at the terminal who wants a new passphrase.
    """
    path = _path(name)
    if not _exists(path) and (made := _make(path, speak("the key of {name}", name=name), asking)):
        return made
    if path.exists():
        signer, phrase = open_key(path.read_text(), msg("the key of {name}", name=name), lambda: _ways_out(path))
        return Identity(signer, phrase or passphrase.given())
    held = agent.find({_public(path)})
    if held is None:
        reason = msg("{name}'s key is in no file, and no ssh-agent holds it now: start one and `ssh-add` it", name=name)
        raise ProtocolError(
            Outcome.WRONG_KEY, msg("{reason}. Where it is lost: {ways_out}", reason=reason, ways_out=_ways_out(path))
        )
    is_locked = folder.private.is_locked
    return Identity(
        held,
        "" if is_locked else passphrase.chosen(speak("{name}'s secrets in {path}", name=name, path=str(folder.path)), asking),
    )


def _ways_out(path: Path) -> Message:
    return msg(
        "games that run have a copy of the key in their own folders; for a new game move {file} away and make another",
        file=str(_file(path)),
    )


def _path(name: str) -> Path:
    return home() / "keys" / naming.of_key(names.typed(name))


def _exists(path: Path) -> bool:
    return _file(path).exists()


def _file(path: Path) -> Path:
    """The private key, or the public half of one that an agent holds."""
    public = path.with_name(path.name + PUBLIC)
    return public if public.exists() and not path.exists() else path


def _public(path: Path) -> str:
    """The public half of a private or public key file; nothing is opened for it. Raises ProtocolError (wrong key)."""
    text = _file(path).read_text("utf-8", "replace")
    return keys.read_public(text) if text.startswith("ssh-") else keys.read_header(text)[1]


def _make(path: Path, what: str, asking: bool = True) -> Identity | None:
    """A new key, kept; None where another program has made one meanwhile."""
    made = Identity(keys.generate(), passphrase.chosen(what, asking))
    return made if _keep(path, path, keys.private_text(made.signer, made.passphrase), made.public) else None


def _keep(path: Path, file: Path, text: str, public: str) -> bool:
    """The file of a key, unless there is another key of this name by now: that one may have been shown to somebody."""
    disk = Disk()
    disk.make_folder(path.parent, 0o700)
    with disk.alone_at(home()):
        if _exists(path) and _public(path) != public:
            return False
        disk.replace(file, text.encode(), 0o600)
    return True


def _adopt(path: Path, file: Path) -> bool:
    """A copy of a private key, kept; of a public one the agent must hold the other half."""
    public, text = _public(file), file.read_text("utf-8", "replace")
    if not text.startswith("ssh-"):
        return _keep(path, path, text, public)
    if agent.find({public}) is None:
        held = ", ".join(comment or keys.fingerprint(key) for key, comment in _held()) or speak("no Ed25519 key")
        reason = msg(
            "{file} is a public key, and the ssh-agent does not hold its other half: `ssh-add` it (it holds {held})",
            file=str(file),
            held=held,
        )
        raise ProtocolError(Outcome.WRONG_KEY, reason)
    return _keep(path, path.with_name(path.name + PUBLIC), f"{public}\n", public)


def _held() -> list[tuple[str, str]]:
    try:
        return agent.held()
    except ProtocolError:
        return []


# -- the passphrase of a game folder -----------------------------------------------------------------------------------


def change_passphrase(path: Path, file: Path | None, into_keyring: bool) -> tuple[Plain, str]:
    """Set or change the passphrase of a game folder, or put its data key into the keyring. Raises ProtocolError.

    `file` holds the new passphrase; else it is typed.
    """
    folder = GameFolder(path)
    folder.check()
    with folder.lock():
        if folder.secrets() is None:
            raise folder.private.no_secrets()
        return _to_keyring(folder) if into_keyring else _set(folder, file)


def _to_keyring(folder: GameFolder) -> tuple[Plain, str]:
    if not folder.private.is_locked:
        raise unreadable(msg("{path} has no passphrase: `pbem passphrase` sets one", path=str(folder.path)))
    name = folder.private.into_keyring()
    text = speak(
        "The keyring opens {path} from now on. To take that back: keyring del {service} {name}",
        path=str(folder.path),
        service=passphrase.SERVICE,
        name=name,
    )
    return {"keyring": name}, text


def _set(folder: GameFolder, file: Path | None) -> tuple[Plain, str]:
    private, was_locked = folder.private, folder.private.is_locked
    private.settle()
    done = private.is_locked and not was_locked and file is None  # with the passphrase that the key had
    if private.is_locked and not done:
        private.data_key()
        private.change(_new(folder, file))
    elif not done:
        private.lock(_new(folder, file) if file is not None else passphrase.given() or _new(folder, None))
    gone, told = _renew_backups(folder)
    what = msg("has another passphrase now") if was_locked else msg("is encrypted now")
    text = speak(
        "What is private in {path} {what}. Nobody can open it without the passphrase: keep that safe.",
        path=str(folder.path),
        what=what,
    )
    return {"changed": was_locked, "backups_removed": gone}, f"{text}\n{told}"


def _new(folder: GameFolder, file: Path | None) -> str:
    found = passphrase.read(file) if file is not None else passphrase.typed_twice(str(folder.path))
    if not found:
        raise unreadable(msg("there is no new passphrase: type one at the terminal, or name a file that holds it: --file FILE"))
    return found


def _renew_backups(folder: GameFolder) -> tuple[int, str]:
    """One backup under the new passphrase instead of those that need the old one, or none."""
    if not folder.is_running:
        return 0, speak("Backups that you made yourself open with what was before.")
    made = backups.keep(folder.path, folder.disk, len(folder.log.files()) - 1)
    if made is None:
        return 0, speak("The backups there open with what was before.")
    gone = backups.drop_all_but(made, folder.disk)
    return gone, speak(
        "{made} is the backup from now on; older ones there are removed, those that you made yourself are not.", made=str(made)
    )
