"""Where a passphrase comes from: environment, file, keyring, terminal; and the words for each failure."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pbem.kernel.wording import Message, english, msg, verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError

VARIABLE, FILE = "PBEM_PASSPHRASE", "PBEM_PASSPHRASE_FILE"
SERVICE = "pbem"  # in the keyring
WAYS = (
    f"it may come from {VARIABLE}, from {FILE} (a file with mode 0600), from the keyring "
    "(extra `keyring`, filled by `pbem passphrase --keyring`), or from the terminal"
)
TRIES = 3  # at the terminal
_MOST = 4096
T = TypeVar("T")


def given() -> str:
    """From the environment or the file that it names; empty where neither is set. Raises ProtocolError (wrong key)."""
    return os.environ.get(VARIABLE, "") or (read(Path(os.environ[FILE])) if os.environ.get(FILE) else "")


def read(file: Path) -> str:
    """The first line of a file that its owner alone may read. Raises ProtocolError (wrong key)."""
    try:
        if os.name == "posix" and file.stat().st_mode & 0o077:
            raise _unusable(msg("others may read {file}: chmod 600 {file}", file=str(file)))
        with file.open("rb") as opened:
            line = opened.read(_MOST).split(b"\n")[0].rstrip(b"\r").decode()
    except (OSError, UnicodeDecodeError) as error:
        why = verbatim(error.strerror or "") if isinstance(error, OSError) else msg("it is no text")
        raise _unusable(msg("the passphrase file {file} cannot be read ({why})", file=str(file), why=why)) from None
    if not line:
        raise _unusable(msg("the passphrase file {file} is empty", file=str(file)))
    return line


def _unusable(why: Message) -> ProtocolError:
    return ProtocolError(Outcome.WRONG_KEY, msg("{why}. The passphrase: {ways}", why=why, ways=WAYS))


def opened(
    what: Message,
    unlock: Callable[[str], T],
    ways_out: Callable[[], Message],
    asking: bool = True,
    kept: Callable[[], T | None] = lambda: None,
) -> T:
    """What `unlock` gives for the passphrase: the one given, else what the keyring has `kept`, else the one typed.

    `unlock` raises ProtocolError (wrong key) for another passphrase, and so does this, naming every source and, for him who
    has forgotten it, the ways out.
    """
    phrase = given()
    if phrase:
        try:
            return unlock(phrase)
        except ProtocolError as error:
            raise _wrong(error, what, verbatim(VARIABLE if os.environ.get(VARIABLE) else FILE), ways_out) from None
    found = kept()
    if found is not None:
        return found
    if not asking or not at_terminal():
        raise _unusable(msg("{what} is encrypted and there is no passphrase", what=what))
    return _typed(what, unlock, ways_out)


def _typed(what: Message, unlock: Callable[[str], T], ways_out: Callable[[], Message]) -> T:
    for left in reversed(range(TRIES)):
        phrase = typed(f"Passphrase for {english(what)}: ")
        try:
            return unlock(phrase)
        except ProtocolError as error:
            if error.outcome is not Outcome.WRONG_KEY or not phrase or not left:
                raise _wrong(error, what, msg("the terminal"), ways_out) from None
        print("That is another one.", file=sys.stderr)
    raise AssertionError


def _wrong(error: ProtocolError, what: Message, source: Message, ways_out: Callable[[], Message]) -> ProtocolError:
    if error.outcome is not Outcome.WRONG_KEY:
        return error
    told = _unusable(msg("the passphrase from {source} does not open {what}", source=source, what=what))
    return ProtocolError(
        Outcome.WRONG_KEY, msg("{told}. Where it is forgotten: {ways_out}", told=told.told, ways_out=ways_out())
    )


# -- terminal -----------------------------------------------------------------------------------------------------------


def at_terminal() -> bool:
    """There is somebody to ask."""
    return sys.stdin is not None and sys.stdin.isatty()


def typed(prompt: str) -> str:
    """One line that is not shown; empty when the reader gives none."""
    import getpass

    try:
        return getpass.getpass(prompt)
    except EOFError:
        return ""


def chosen(what: str, asking: bool = True) -> str:
    """A new passphrase: `given`, else typed twice where `asking`; empty for none."""
    return given() or (typed_twice(what) if asking else "")


def typed_twice(what: str) -> str:
    """A new passphrase from the terminal; empty where there is none, or nobody wants one."""
    while at_terminal():
        first = typed(f"A passphrase for {what} (Enter for none): ")
        if not first or typed("The same once more: ") == first:
            return first
        print("These were two different ones.", file=sys.stderr)
    return ""


# -- keyring ------------------------------------------------------------------------------------------------------------


def from_keyring(name: str) -> bytes:
    """What the keyring holds under this name; empty when it is not installed, locked or does not know."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return b""
    try:
        return (keyring.get_password(SERVICE, name) or "").encode()
    except (KeyringError, OSError, RuntimeError):
        return b""


def into_keyring(name: str, data_key: bytes) -> None:
    """Keep a data key there. Raises ProtocolError (unreadable) when the system has no keyring that takes it."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise ProtocolError(Outcome.UNREADABLE, msg("there is no keyring: pip install 'pbem[keyring]'")) from None
    try:
        keyring.set_password(SERVICE, name, data_key.decode())
    except (KeyringError, OSError, RuntimeError) as error:
        raise ProtocolError(
            Outcome.UNREADABLE, msg("the system's keyring does not take it: {error}", error=str(error))
        ) from None
    if from_keyring(name) != data_key:
        raise ProtocolError(Outcome.UNREADABLE, msg("the system's keyring did not keep it"))
