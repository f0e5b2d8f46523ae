"""The tutorial's opponent: his folder, and what he does as soon as a file of the reader is there."""

from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from pbem import games
from pbem.cli import local, setup
from pbem.games.lesson import Lesson
from pbem.games.parts import NORMAL
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected, unreadable
from pbem.kernel.wording import msg
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.taking import Refused
from pbem.store.folder import GameFolder
from pbem.store.paths import own_keys
from pbem.store.session import Session

ANSWERED = "answered"  # in the opponent's folder: up to where he has answered


class Desk(Struct, frozen=True):
    """The tutorial's folder: the reader's game in `mine`, the opponent's in `nowak`, and the post between them."""

    folder: Path
    game: games.Module
    level: str = NORMAL  # of the opponent, where he has no prepared orders

    @property
    def mine(self) -> GameFolder:
        return GameFolder(self.folder / "mine")

    @property
    def theirs(self) -> Path:
        return self.folder / "nowak" / "game"

    @property
    def lesson(self) -> Lesson:
        """What is played. Raises Rejected where the system has none."""
        found = self.game.lesson()
        if found is None:
            raise unreadable(msg("{system} has no tutorial yet", system=self.game.name))
        return found

    def session(self) -> Session:
        """The reader's game, to look at."""
        path = self.folder.resolve() / "mine"
        log = path / "log.jsonl"
        return _session(path, log.stat().st_size if log.exists() else 0)


@lru_cache(1)
def _session(path: Path, size: int) -> Session:
    """A game as it is while its log is so long: every step of the tutorial looks at it."""
    return Session.open(path)


def sign(desk: Desk) -> None:
    """The opponent signs the reader's charter and sends it back."""
    if desk.mine.is_running or GameFolder(desk.theirs).is_running:
        return
    with own_keys(desk.folder / "nowak"):
        setup.accept(desk.theirs, desk.folder / "mine" / "charter.yaml")
    shutil.copy(desk.theirs / "charter.yaml", desk.folder / "from-nowak.yaml")


def answer(desk: Desk) -> None:
    """The opponent takes what the reader sent, answers, and plays until the reader is due; his mails come to `post`.

    Every later step asks for it again: his game is opened only where something has come since.
    """
    done = desk.folder / "nowak" / ANSWERED
    if done.exists() and done.read_text("ascii") == _stamp(desk):
        return
    with own_keys(desk.folder / "nowak"), Session.at_work(desk.theirs) as nowak:
        reader = desk.session()
        for seq in range(nowak.table.last + 1, reader.table.last + 1):
            nowak.take(dict(reader.folder.fetch(seq)))
        while nowak.table.due.player == "nowak":
            _play(desk, nowak)
    post = desk.folder / "post"
    shutil.rmtree(post, ignore_errors=True)
    post.mkdir()
    for mail in sorted((desk.theirs / "outbox").glob("*.eml")):
        if int(mail.name[:4]) > reader.table.last:  # what the reader does not have yet
            shutil.copy(mail, post / mail.name)
    done.write_text(_stamp(desk), "ascii")


def _stamp(desk: Desk) -> str:
    """How long both logs are: neither ever changes but by growing."""
    return " ".join(str((folder / "log.jsonl").stat().st_size) for folder in (desk.mine.path, desk.theirs))


def _play(desk: Desk, nowak: Session) -> None:
    """One file of the opponent's: prepared orders where the lesson has them and they are legal, else those of the bot."""
    if nowak.table.due.what in AUTOMATIC:
        nowak.write(Draft([]))
        return
    engine = nowak.table.engine
    asked = engine.request
    if isinstance(asked, Ask):
        own = local.own_cards(nowak, asked.seat)
        prepared: list[Plain] = list(desk.lesson.replies(engine.state, asked, own))
        try:
            if prepared:
                nowak.write(Draft(prepared))
                return
        except (Refused, Rejected):
            pass
    nowak.write(Draft(local.bot_orders(nowak, desk.level)))
