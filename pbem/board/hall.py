"""All games that the page may open, chosen by number from the list made at start, and what happened in each since its player's
last file; on one machine also who sits there.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.board.game import OpenGame
from pbem.board.order_file import Entries
from pbem.board.services import Services
from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report import board, board_map, story, view
from pbem.report.board import Shown
from pbem.report.due import due_message
from pbem.report.languages import Language
from pbem.report.steps import Step, history
from pbem.runtime.giving_up import copied
from pbem.store import shelf, talk
from pbem.store.session import Session
from pbem.transport.mail import gather_bytes

NONE_OF_THESE = msg("nothing in it belongs to one of these games")


# -- what happened: file by file, with the board after each -------------------------------------------------------------


class Scene(Struct, frozen=True):
    """A file: what it brought, and the board behind and before it (None: the game has none)."""

    told: Shown
    picture: Any
    before: Any


def own_files(session: Session) -> list[int]:
    """The player's files with orders of his own."""
    me = session.me.player
    return [seq for seq, e in enumerate(session.table.ledger.entries) if e.player == me and e.decides]


def news_of(session: Session) -> int:
    """How many files have come since the latest of them."""
    return max(0, session.table.last - max(own_files(session), default=0))


class News:
    """The scenes of one game, made once for each state of its log."""

    def __init__(self, game: OpenGame) -> None:
        self._game, self._stamp = game, ""
        self._scenes: list[Scene] = []

    def scenes(self) -> Sequence[Scene]:
        """From the player's latest file with orders on; files in which nothing is to be seen are left out."""
        session, stamp = self._game.session, self._game.log_stamp()
        if stamp != self._stamp:
            first = max(own_files(session), default=1)
            steps = history(shelf.table_at(session, first - 1), session.folder.log.files()[first:], session.folder.fetch)
            every = [self._scene(session, step) for step in steps]
            self._scenes, self._stamp = [scene for scene in every if scene.told["blocks"]] or every[-1:], stamp
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


# -- the games ----------------------------------------------------------------------------------------------------------


class Hall:
    """The games of one start of the program. `together`: the folders of one game whose players share this machine."""

    def __init__(
        self, paths: Sequence[Path], services: Services, file: Path | None = None, together: Sequence[str] | None = None
    ) -> None:
        self._games = [OpenGame(path, services, file) for path in paths]
        self._news = [News(game) for game in self._games]
        self._entries = [Entries(game) for game in self._games]
        self._services = services
        self._people = together  # the players who are persons; None: every folder is this player's own
        self._seat, self._seated = "", -1  # the key of the one who sits there, and his game

    # -- one game ---------------------------------------------------------------------------------------------------------

    def game(self, number: int, seat: str) -> OpenGame:
        """The game with this number. Raises ProtocolError: there is none, or somebody else sits at the machine."""
        if not 0 <= number < len(self._games):
            raise ProtocolError(Outcome.UNREADABLE, msg("there is no such game here"))
        if self._people is not None and not (number == self._seated and secrets.compare_digest(seat, self._seat)):
            raise ProtocolError(Outcome.WAITING, msg("somebody else sits here now"))
        return self._games[number]

    def news(self, number: int, seat: str) -> News:
        """What happened in it. Raises ProtocolError."""
        self.game(number, seat)
        return self._news[number]

    def entries(self, number: int, seat: str) -> Entries:
        """The orders of its file, one by one. Raises ProtocolError."""
        self.game(number, seat)
        return self._entries[number]

    # -- all of them ------------------------------------------------------------------------------------------------------

    def listed(self) -> Shown:
        """Every game: those that wait for this player first, the one that has waited longest on top."""
        rows = [self._row(number, game) for number, game in enumerate(self._games)]
        rows.sort(key=lambda row: (not row.get("mine"), bool(row.get("over")), str(row.get("received", "")), row["name"]))
        listed: list[Plain] = [*rows]
        words, keys = board.vocabulary(self.language), board.keyboard(self.language)
        together = self._people is not None
        sole = together and len(self._people or ()) == 1
        told: Shown = {"words": words, "keys": keys}
        waits = next((row["player"] for row in rows if row.get("mine")), "")
        return {"games": listed, "together": together, "sole": sole, "next": waits, **told}

    def _row(self, number: int, game: OpenGame) -> Shown:
        try:
            return {"number": number, **game.head(), "news": news_of(game.session), "wrong": []}
        except Exception as error:  # one folder that cannot be read hides no other
            wrong: list[Plain] = [*board.texts(self._services.explain(error))]
            return {"number": number, "name": board.texts([game.name])[0], "wrong": wrong, "waits": " ".join(map(str, wrong))}

    @property
    def language(self) -> Language:
        """The one that the page speaks."""
        return self._services.language(self._games[0].path)

    def sit_down(self) -> Shown:
        """Whoever is due at this machine opens his hand; everybody else's is closed from now on. Raises ProtocolError."""
        for number, game in enumerate(self._games):
            if self._people is not None and game.session.me.player in self._people and _is_due(game):
                self._seat, self._seated = secrets.token_urlsafe(18), number
                return {"number": number, "seat": self._seat}
        raise ProtocolError(Outcome.WAITING, msg("nobody at this machine has to give orders"))

    def stand_up(self) -> None:
        """The one who sat there has sent his file."""
        self._seat, self._seated = secrets.token_urlsafe(18), -1

    # -- mail -----------------------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> Shown:
        """Everything that the bytes hold, for whichever game it is: a line for each."""
        found = gather_bytes(data)
        lines: list[str] = []
        for game in self._games:
            told = self._services.receive(game.path, found)
            lines += [f"{game.name}: {line}" for line in told] if len(self._games) > 1 else told
        return {"lines": [*board.texts(lines or [self.language.text(NONE_OF_THESE)])]}


def _is_due(game: OpenGame) -> bool:
    table = game.session.table
    return table.result is None and table.due.player == game.session.me.player
