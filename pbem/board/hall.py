"""All games that the page may open, chosen by number from the list made at start; on one machine also who sits there."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from pbem.board.entries import Entries
from pbem.board.game import OpenGame
from pbem.board.news import News, news_of
from pbem.board.services import Services
from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report import board
from pbem.report.board import Shown
from pbem.report.languages import Language
from pbem.transport.mail import gather_bytes

NONE_OF_THESE = msg("nothing in it belongs to one of these games")


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
