"""For which game an order file was drafted: a remark in it, so that it is not sent in another one by mistake."""

from __future__ import annotations

import re

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.words import in_words
from pbem.store.session import Session

WORDS = 2  # of the game's eight: enough to tell the games of one player apart
_REMARK = re.compile(r"^# game ([a-z]{5,6} [a-z]{5,6}): ", re.MULTILINE)


def remark(session: Session) -> str:
    """The line that a draft gets: the beginning of the game's id in words, and its folder."""
    return f"# game {_name(session)}: {session.folder.path.resolve().name}"


def check(session: Session, source: str) -> None:
    """Raises ProtocolError (foreign game) for a file that was drafted for another game. One without such a remark is any's."""
    found = _REMARK.search(source)
    if found is not None and found[1] != _name(session):
        reason = msg(
            "this file was drafted for the game {other}, this is {name}; if it is meant for both, take out the line `{line}`",
            other=found[1],
            name=_name(session),
            line=found[0].strip(),
        )
        raise ProtocolError(Outcome.FOREIGN_GAME, reason)


def _name(session: Session) -> str:
    return " ".join(in_words(session.charter.game_id).split()[:WORDS])
