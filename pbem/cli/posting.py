"""A post for a forum: the digest, a picture's address, and the signed files that the readers' programs take."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.cli import look, reporting, speech
from pbem.cli.spans import steps_from
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import msg, verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report import render
from pbem.report.offered import PLACES
from pbem.store import talk, unsending
from pbem.store.session import Session
from pbem.transport.armor import write_armored

# Characters of a post by each place's own default; a forum may have set another.
MOST = {"phpbb": 60_000, "nodebb": 32_767, "discourse": 32_000, "reddit": 40_000}
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?#@!$&*+,;=%-]{1,2000}")


class Post(Struct, frozen=True):
    """What is wanted: for which place, the files to write, the picture's address, whether it goes to the clipboard."""

    place: str
    out: Path | None = None
    map: Path | None = None
    picture: str = ""
    copy: bool = False


def post(path: Path, wanted: Post) -> tuple[Plain, str]:
    """The post and what became of it; text alone where no file or clipboard has it. Raises Rejected, ProtocolError."""
    if wanted.picture and not _ADDRESS.fullmatch(wanted.picture):
        raise unreadable(msg("this is no address of a picture"), verbatim("https://..."))
    session = Session.open(path)
    last_said, documents = _to_post(session)
    steps = steps_from(session, last_said + 1)
    blocks = "\n".join(map(write_armored, documents))
    told = reporting.digest_of(session, steps, session.table.last)
    made = render.post(told, wanted.place, speech.tongue(), wanted.picture, blocks)
    plain: dict[str, Plain] = {"post": made, "files": [d["seq"] for d in documents if "seq" in d]}
    unsending.hand_out(session, "post")
    done = [*_drawn(path, wanted), *_handed_out(session, made, wanted)]
    most = MOST.get(wanted.place, len(made))
    if len(made) > most:
        place = PLACES[wanted.place]
        done.append(speak("The post has {n} characters; {place} takes {most} by default.", n=len(made), place=place, most=most))
    plain["done"] = [*done]
    return plain, "\n".join(done) if wanted.copy or wanted.out else "\n".join([made.rstrip("\n"), *done])


def _to_post(session: Session) -> tuple[int, list[dict[str, Any]]]:
    """The newest own documents, all those behind the newest of another player, with what was said to all since the own file
    before them; and the number of that file, or 0.

    Nothing to hand out where this folder has written nothing, or watches.
    """
    secrets, entries = session.folder.secrets(), session.folder.log.standing()
    me = secrets.player if secrets else ""
    mine = [seq for seq, entry in enumerate(entries) if entry["document"].get("player") == me]
    if not me or not mine:
        return 0, []
    first = mine[-1]
    while first - 1 in mine:
        first -= 1
    before = max((seq for seq in mine if seq < first), default=0)
    slips = [slip for slip in _slips_behind(session, entries[first]["n"]) if slip.get("player") == me]
    return before, [*(entries[seq]["document"] for seq in mine if seq >= first), *slips, *talk.own_public(session, before)]


def _slips_behind(session: Session, n: int) -> list[dict[str, Any]]:
    return [entry["document"] for entry in session.folder.log.entries[n:] if entry["kind"] == "slip"]


def _drawn(path: Path, wanted: Post) -> list[str]:
    """The picture beside the post: a forum takes it by its own upload, and gives it an address."""
    if wanted.map is None:
        return []
    drawn = look.draw(path, wanted.map, look.Chart(happened="round"))
    told = speak("Upload it, and give its address with --picture, or attach it to the post.")
    return [drawn] if wanted.picture else [drawn, told]


def _handed_out(session: Session, made: str, wanted: Post) -> list[str]:
    done = []
    if wanted.out is not None:
        session.folder.disk.replace(wanted.out, made.encode())
        done.append(speak("{out} written", out=str(wanted.out)))
    if wanted.copy:
        _copy(made)
        done.append(speak("The post is in the clipboard."))
    return done


def _copy(text: str) -> None:
    """To the clipboard of this machine. Raises ProtocolError where there is none, or no library that knows it."""
    try:
        import pyperclip
    except ImportError:
        reason = msg("the clipboard needs the extra: pip install 'pbem[clipboard]'; without --copy the post is printed")
        raise ProtocolError(Outcome.UNREADABLE, reason) from None
    try:
        pyperclip.copy(text)
    except Exception as error:  # one kind for each system
        reason = msg("this machine has no clipboard ({kind}); without --copy the post is printed", kind=type(error).__name__)
        raise ProtocolError(Outcome.UNREADABLE, reason) from None
