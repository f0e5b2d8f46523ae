"""Two programs in two folders: a game by the commands alone with mails between them, and one in lockstep in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pbem.cli import setup
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.runtime.composing import Draft
from pbem.store.session import Session
from pbem.transport.armor import documents, write_block
from tests.commands import must

Chooser: TypeAlias = Callable[[Engine, Ask], Plain]
Parties: TypeAlias = tuple[Session, Session]


@dataclass(frozen=True)
class Side:
    """A player with his folder."""

    folder: str
    player: str
    seats: Sequence[str]


# -- by the commands -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """The folders of both players below the current one; `first` has drafted the game."""

    first: str
    second: str

    @classmethod
    def begun(cls, system: str, scenario: str, first: Side, second: Side) -> Pair:
        """A game drafted, joined and accepted on both sides."""
        must("new", first.folder, "--system", system, "--scenario", scenario)
        must("join", "--as", first.player, "--seats", ",".join(first.seats), "-g", first.folder)
        draft = f"{first.folder}/charter.yaml"
        must("join", draft, "--as", second.player, "--seats", ",".join(second.seats), "-g", second.folder)
        must("accept", "-g", second.folder)
        must("accept", f"{second.folder}/charter.yaml", "-g", first.folder)
        must("accept", draft, "-g", second.folder)
        return cls(first.folder, second.folder)

    def send(self, folder: str, orders: str) -> None:
        """An order file checked, sent, and taken by both until nobody's program has anything left to answer by itself."""
        Path("orders.yaml").write_text(orders)
        must("check", "orders.yaml", "-g", folder)
        must("send", "orders.yaml", "-g", folder, "--yes")
        for giver, taker in ((self.first, self.second), (self.second, self.first)) * 2:
            must("receive", f"{giver}/outbox", "-g", taker)

    def same_map(self) -> str:
        """The map, which both folders draw alike."""
        for folder in (self.first, self.second):
            must("map", "-g", folder, "--to", f"{folder}.svg")
        drawn = Path(f"{self.first}.svg").read_text()
        assert drawn == Path(f"{self.second}.svg").read_text()
        return drawn


def first_die(folder: str) -> str:
    """What `pbem dice` explains of the first die that the report names."""
    source, roll = must("report", "-g", folder, "--format", "md").split("pbem dice ")[1].split("`")[0].split(" --roll ")
    return must("dice", source, "--roll", roll, "-g", folder)


# -- in this process -----------------------------------------------------------------------------------------------------


def two_sessions(root: Path, system: str, scenario: str, options: Sequence[str], first: Side, second: Side) -> Parties:
    """The same for programs in this process."""
    one, other = root / first.folder, root / second.folder
    setup.new(one, system, scenario, list(options), "72h")
    setup.join(one, None, first.player, list(first.seats))
    setup.join(other, one / "charter.yaml", second.player, list(second.seats))
    setup.accept(other, None)
    setup.accept(one, other / "charter.yaml")
    setup.accept(other, one / "charter.yaml")
    return Session.open(one), Session.open(other)


def orders_of(session: Session, choose: Chooser) -> list[Plain]:
    """Orders for everything asked of this player before dice or somebody else come in."""
    engine = Engine.resume(session.game, session.scenario, session.table.engine.checkpoint())
    given: list[Plain] = []
    while isinstance(engine.request, Ask) and session.table.player_of(engine.request.seat) == session.me.player:
        ask = engine.request
        if ask.forced is None:
            given.append(choose(engine, ask))
        engine.reply(ask.forced if ask.forced is not None else given[-1])
    return given


def lockstep(
    parties: Parties,
    choosers: Mapping[str, Chooser],
    standing: Mapping[str, Any],
    goes_on: Callable[[Any], bool] = lambda state: True,
) -> int:
    """A game to its end, or while its state `goes_on`; each file travels as a pasted block. Returns the number of files.

    `choosers`: who decides, by player. `standing`: what each player's first file with orders lays down.
    """
    by_name = {s.me.player: s for s in parties}
    given: set[str] = set()
    while parties[0].table.result is None and goes_on(parties[0].table.engine.state):
        due = parties[0].table.due
        writer = by_name[due.player]
        reader = next(s for s in parties if s is not writer)
        orders = orders_of(writer, choosers[due.player]) if due.what == "orders" else []
        draft = Draft(orders, standing if due.player not in given and orders else {})
        given.add(due.player)
        (received,) = documents(write_block(writer.write(draft)))
        reader.take(received)
        assert writer.table.engine.state_hash() == reader.table.engine.state_hash()
        assert writer.table.due == reader.table.due
    return parties[0].table.last


def opened_anew(session: Session) -> str:
    """The state hash that a second program finds from the log alone."""
    (session.folder.path / "checkpoint.json").unlink()
    return Session.open(session.folder.path).table.engine.state_hash()
