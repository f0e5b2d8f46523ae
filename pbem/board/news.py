"""What happened since a player's last file: file by file, with the board after each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.board.game import OpenGame
from pbem.kernel.canon import Plain
from pbem.report import board, board_map, story, view
from pbem.report.board import Shown
from pbem.report.due import due_message
from pbem.report.steps import Step, history
from pbem.runtime.giving_up import copied
from pbem.store import shelf, talk
from pbem.store.session import Session


@dataclass(frozen=True, slots=True)
class Scene:
    """A file: what it brought, and the board behind and before it (None: the game has none)."""

    told: Shown
    picture: Any
    before: Any


def first_of(session: Session) -> int:
    """The player's latest file with orders of his own; 1 before there is any."""
    entries, me = session.table.ledger.entries, session.me.player
    return max((seq for seq, e in enumerate(entries) if e.player == me and e.decides), default=1)


def news_of(session: Session) -> int:
    """How many files have come since then."""
    return max(0, session.table.last - first_of(session) + (first_of(session) == 1 and not _has_written(session)))


def _has_written(session: Session) -> bool:
    return any(e.player == session.me.player and e.decides for e in session.table.ledger.entries)


class News:
    """The scenes of one game, made once for each state of its log."""

    def __init__(self, game: OpenGame) -> None:
        self._game, self._stamp = game, ""
        self._scenes: list[Scene] = []

    def scenes(self) -> Sequence[Scene]:
        """From the player's latest file with orders on."""
        session, stamp = self._game.session, self._game.log_stamp()
        if stamp != self._stamp:
            first = first_of(session)
            steps = history(shelf.table_at(session, first - 1), session.folder.log.files()[first:], session.folder.fetch)
            self._scenes, self._stamp = [self._scene(session, step) for step in steps], stamp
        return self._scenes

    def shown(self) -> Shown:
        """All scenes without their boards."""
        return {"scenes": [scene.told for scene in self.scenes()]}

    def map(self, number: int, held: Mapping[str, str]) -> Shown:
        """The board of one scene, counted from 0."""
        scenes = self.scenes()
        if not 0 <= number < len(scenes) or scenes[number].picture is None:
            return dict(board_map.NOTHING)
        return self._game.drawn(scenes[number].picture, scenes[number].before, held)

    def _scene(self, session: Session, step: Step) -> Scene:
        state = step.taken.table.engine.state
        picture = before = None
        if session.game.picture() is not None:
            start = copied(step.before)
            picture = view.picture_of(session.game, state, [(start, step.taken.events)], "file")
            before = view.picture_of(session.game, start, [], "none")
        teller, words = self._game.teller(state), session.game.words()
        report = story.report(words, [step], step.taken.table, session.folder.fetch, whole=None)
        notes = tuple(view.Note(s.who, s.seq, s.text or "") for s in talk.public(session) if s.seq == step.taken.seq)
        report = replace(report, notes=notes)
        blocks: list[Plain] = board.told(teller, report)
        told: Shown = {
            "seq": step.taken.seq,
            "player": board.texts([str(step.document.get("player", ""))])[0],
            "heading": teller.said(words.heading(state)),
            "due": teller.said(due_message(words, step.taken.table)),
            "blocks": blocks,
        }
        return Scene(told, picture, before)
