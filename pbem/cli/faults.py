"""What a player is told when something goes wrong: the outcome, what is lost, what to do; reports of faults of pbem itself."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from pbem.cli.speech import problem, speak, text
from pbem.kernel.canon import NotPlain, Plain, sha256_hex
from pbem.kernel.orders import Rejected
from pbem.kernel.shapes import ScenarioFault
from pbem.kernel.wording import Message, msg
from pbem.protocol.outcomes import Outcome, ProgramFault, ProtocolError
from pbem.runtime.knowledge import Unknown
from pbem.runtime.taking import Refused
from pbem.store.disk import Disk, NotWritten

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_REASONS: dict[int, tuple[Message, Message]] = {
    **dict.fromkeys(_FULL, (msg("the disk is full"), msg("Make room, then give the command again"))),
    errno.EROFS: (msg("the disk is read-only"), msg("Make it writable, then give the command again")),
    errno.EACCES: (
        msg("nobody may write there"),
        msg("Give yourself the right to write there, then give the command again"),
    ),
    errno.EIO: (msg("the disk fails"), msg("Copy the game folder to another disk first, then give the command again")),
}
_REASONS[errno.EPERM] = _REASONS[errno.EACCES]
_UNREAD: dict[int, Message] = {
    errno.ENOENT: msg("there is no such file"),
    errno.ENOTDIR: msg("there is no such file"),
    errno.EISDIR: msg("it is a folder"),
    errno.EACCES: msg("you may not read it"),
}


def judged(error: Exception, strict: bool = False) -> tuple[Outcome, list[str]]:
    """The outcome of an error, and one plain sentence for each thing that is wrong.

    `strict`: it came from a document that was judged, so that no other error than those of judging is meant for the reader.
    """
    if isinstance(error, ProtocolError):
        return error.outcome, [text(error.told)]
    if isinstance(error, Refused | Rejected):
        return Outcome.REFUSED, [
            problem(p) if p.order is None else speak("order {order}: {problem}", order=p.order + 1, problem=p.told)
            for p in error.problems
        ]
    if isinstance(error, BlockingIOError):
        return Outcome.WAITING, [
            speak("another program is at work in this game folder: give the command again when it is done")
        ]
    if isinstance(error, OSError):
        return _of_the_disk(error)
    if not strict and _is_meant_for_the_reader(error):
        return Outcome.UNREADABLE, [str(error)]
    what = speak("this is a fault of the program, not yours: {kind}: {error}", kind=type(error).__name__, error=str(error))
    return Outcome.FAULT, [speak("{what}. What was in the game folder is still there", what=what)]


def offered(error: Exception) -> tuple[dict[str, Plain], list[str]]:
    """What would do instead, for programs and in lines; nothing for most errors."""
    from pbem.cli.behind import CouldBePlanned

    return ({"plan": error.plan}, error.lines) if isinstance(error, CouldBePlanned) else ({}, [])


def _is_meant_for_the_reader(error: Exception) -> bool:
    """What was typed, or stands in a file of his own, is wrong, and the error says what; a key that is missing says nothing."""
    meant = (UnicodeError, ScenarioFault, NotPlain, Unknown)
    return isinstance(error, meant) or type(error) in (ValueError, LookupError)


def _of_the_disk(error: OSError) -> tuple[Outcome, list[str]]:
    name, reason = error.filename or msg("a file"), error.strerror or str(error) or type(error).__name__
    if not _was_writing(error):
        unread = _UNREAD.get(error.errno or 0, reason)
        return Outcome.UNREADABLE, [speak("{name} cannot be read: {reason}", name=name, reason=unread)]
    why, what = _REASONS.get(error.errno or 0, (reason, msg("See to it, then give the command again")))
    told = speak(
        "{name} could not be written: {why}; nothing is half written, and what was in the game folder is still there. {what}",
        name=name,
        why=why,
        what=what,
    )
    return Outcome.NOT_WRITTEN, [told]


def _was_writing(error: OSError) -> bool:
    if isinstance(error, NotWritten) or error.errno in (*_FULL, errno.EROFS):
        return True
    path = error.filename
    return isinstance(error, PermissionError) and bool(path) and (not os.path.exists(path) or os.access(path, os.R_OK))


# -- faults of the program -------------------------------------------------------------------------------------------------


def trace_of(error: Exception, strict: bool = False) -> str:
    """Where the program itself failed; empty where it did not."""
    if isinstance(error, ProgramFault):
        return error.trace
    if isinstance(error, Refused | Rejected):
        return next((p.trace for p in error.problems if p.trace), "")
    if judged(error, strict)[0] is not Outcome.FAULT:
        return ""
    import traceback

    return "".join(traceback.format_exception(error))


def report(folder: Path, disk: Disk, trace: str, document: str) -> Path | None:
    """A file for the makers of pbem: what failed, and on what. None where it cannot be written."""
    from pbem import __version__

    head = f"pbem {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n\n{trace}"
    text = f"{head}\n--- what it was given ---\n{document}\n" if document else head
    path = folder / f"fault-{sha256_hex(text.encode('utf-8', 'backslashreplace'))[:12]}.txt"
    try:
        disk.make_folder(folder)
        if not path.exists():
            disk.replace(path, text.encode("utf-8", "backslashreplace"), 0o600)
    except OSError:
        return None
    return path


def please(path: Path | None) -> str:
    """What the player is asked to do with a report."""
    return speak("please report {path}", path=str(path)) if path else speak("please report it")
