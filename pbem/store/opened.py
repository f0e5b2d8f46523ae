"""A game folder that is read: its charter, its game, the table behind its newest file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from pbem import games
from pbem.games import Module
from pbem.kernel.engine import Diverged
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import msg
from pbem.protocol import charter
from pbem.protocol.ids import scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.runtime.table import Table
from pbem.store import library, playing_on
from pbem.store.folder import GameFolder


def cut_of(folder: GameFolder) -> str:
    """What shows that the log was longer once; copies of what another program has written since it was read show nothing."""
    cut, newer = folder.cut(), GameFolder(folder.path, folder.disk)
    return cut_of(newer) if cut and newer.log.head != folder.log.head else cut


@dataclass
class Opened:
    """A game folder with what its log says."""

    folder: GameFolder
    _table: Table | None = field(default=None, repr=False)

    @classmethod
    def open(cls, path: Path, to_mend: bool = False) -> Self:
        """An existing game folder. Raises ProtocolError; also where its log was cut, unless that is mended next."""
        folder = GameFolder(path)
        folder.check()
        cut = "" if to_mend else cut_of(folder)
        if cut:
            raise ProtocolError(
                Outcome.LOG_DAMAGED,
                msg("{path}: {cut}. `pbem status` takes back what lies here", path=str(path / "log.jsonl"), cut=cut),
            )
        return cls(folder)

    def check_begun(self) -> None:
        """Raises ProtocolError (waiting) while the charter is still a draft: there is no log yet."""
        if not self.folder.is_running:
            raise ProtocolError(Outcome.WAITING, msg("the charter is not signed by everybody yet: see `pbem status`"))

    @cached_property
    def charter(self) -> charter.Charter:
        """The signed charter. Raises ProtocolError (waiting) while it is still a draft."""
        self.check_begun()
        return charter.read_charter(self.folder.log.files()[0])

    @cached_property
    def game(self) -> Module:
        """The rules module."""
        return games.load(self.charter.system)

    @cached_property
    def scenario(self) -> Any:
        """The scenario, checked against the charter's hash."""
        plain = self.folder.own_scenario()
        if plain is None:
            shipped = library.shipped(self.game, self.charter.scenario)
            if not shipped.has(self.charter.scenario_hash):
                reason = msg("this program's scenario {scenario} is not the charter's", scenario=self.charter.scenario)
                raise ProtocolError(
                    Outcome.DIVERGED, msg("{reason}: go on with the version of pbem that the game began with", reason=reason)
                )
            return shipped.plain
        if scenario_hash(plain) != self.charter.scenario_hash:
            path = str(self.folder.path / "scenario.json")
            reason = msg("{path} is not the charter's {scenario}", path=path, scenario=self.charter.scenario)
            raise ProtocolError(
                Outcome.DIVERGED, msg("{reason}: another player's game folder has the right one", reason=reason)
            )
        return plain

    @property
    def table(self) -> Table:
        """The table after the newest file, from the checkpoint or by playing the log again, once: then it is kept."""
        if self._table is None:
            self._table = self._cached()
        if self._table is None:
            self._table = self.replayed()
            self.folder.save_checkpoint(self._table.to_plain())
        return self._table

    def _cached(self) -> Table | None:
        """The table of the checkpoint; None when there is none, or one that this program cannot read."""
        saved = self.folder.checkpoint()
        try:
            return None if saved is None else Table.from_plain(self.charter, self.game, self.scenario, saved)
        except (LookupError, TypeError, ValueError, AttributeError, Diverged, Rejected):
            return None

    def replayed(
        self, until: int | None = None, passing_over: Sequence[Any] = (), each: Callable[[Table], None] = lambda _: None
    ) -> Table:
        """The table after playing the log from its beginning, up to file `until`; some slips beside it passed over."""
        table = Table.start(self.charter, self.game, self.scenario)
        playing_on.play_on(self, table, until, each)
        slips.note_beside(table, (slip for slip in self.folder.log.slips() if slip not in passing_over))
        return table

    def forget(self) -> None:
        """After something went wrong: log and table are read again when they are needed."""
        self._table = None
        self.folder.forget_log()

    @property
    def head(self) -> str:
        """The id of the newest file."""
        return self.table.ledger.entries[-1].id

    def withdrawn(self) -> list[dict[str, Any]]:
        """What was taken out of the log: `{seq, id, refusal}`."""
        return [e["document"] for e in self.folder.log.entries if e["kind"] == "withdrawn"]
