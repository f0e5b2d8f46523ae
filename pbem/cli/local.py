"""A game whose parties share one machine: real game folders side by side, whose files are handed over at once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem import games
from pbem.cli import setup
from pbem.cli.scenario import OwnFiles
from pbem.games.parts import LEVELS, NORMAL, Bot
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Commit, Open, Simultaneous
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import msg, verbatim
from pbem.report.steps import Step
from pbem.runtime.advising import bot_seed as bot_seed
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.store.paths import own_keys
from pbem.store.session import Session


class Party(Struct):
    """The game folders of one game, by player. `news`: what was taken since somebody last looked."""

    sessions: dict[str, Session]
    news: list[Step] = field(default_factory=list)
    level: str = NORMAL  # of the bots

    @property
    def one(self) -> Session:
        """Any session: all tables are equal."""
        return next(iter(self.sessions.values()))

    @property
    def writer(self) -> Session:
        """Whoever has to send the next file."""
        return self.sessions[self.one.table.due.player]

    def send(self, draft: Draft) -> dict[str, Any]:
        """The next file: written and signed by whoever is due, taken by all others."""
        writer = self.writer
        document = writer.write(draft)
        self.hand_round(document)
        return document

    def hand_round(self, document: dict[str, Any]) -> None:
        """A file goes to everybody who does not have it yet."""
        for session in self.sessions.values():
            if session.table.last < document["seq"]:
                before = session.table
                taken = session.take(document)
                if not self.news or self.news[-1].taken.seq < taken.seq:
                    self.news.append(Step(before, taken, document))

    def catch_up(self) -> None:
        """Files that an interruption kept from somebody."""
        newest = max(self.sessions.values(), key=lambda s: s.table.last)
        for session in self.sessions.values():
            for seq in range(session.table.last + 1, newest.table.last + 1):
                session.take(dict(newest.folder.fetch(seq)))


def found(folder: Path, system: str, scenario: str, options: Sequence[str], seats: Mapping[str, Sequence[str]]) -> None:
    """A new game of these players and their seats below `folder`, keys included. Raises Rejected, ProtocolError."""
    if folder.exists():
        raise unreadable(msg("{folder} exists already", folder=str(folder)))
    first, *others = names = list(seats)
    with own_keys(folder):
        setup.new(folder / first, system, scenario, list(options), "none")
        setup.join(folder / first, None, first, list(seats[first]))
        draft, kept = folder / first / "charter.yaml", folder / first / "scenario.json"
        own_files = OwnFiles(kept) if kept.exists() else setup.NO_FILES
        for name in others:
            setup.join(folder / name, draft, name, list(seats[name]), own_files=own_files)
            draft = folder / name / "charter.yaml"
        for name in [*reversed(names), *names]:
            setup.accept(folder / name, draft)
            draft = folder / name / "charter.yaml"


def go_on(party: Party, bots: Sequence[str]) -> bool:
    """A file that no person writes: a program's, at once, or a bot's. False when a person is due, or nobody."""
    if party.one.table.result is not None:
        return False
    writer = party.writer
    if writer.table.due.what in AUTOMATIC:
        for document in writer.answer_by_itself():
            party.hand_round(document)
    elif writer.me.player in bots:
        party.send(Draft(type="decline") if writer.table.due.what == "accept" else Draft(bot_orders(writer, party.level)))
    else:
        return False
    return True


@contextmanager
def at_work(folder: Path) -> Iterator[Party]:
    """The parties below a folder, locked against other programs, all with the same files."""
    with own_keys(folder), ExitStack() as stack:
        opened = [stack.enter_context(Session.at_work(p.parent)) for p in sorted(folder.glob("*/pbem.json"))]
        if not opened:
            raise unreadable(msg("{folder} holds no game folders", folder=str(folder)))
        party = Party({s.me.player: s for s in opened})
        party.catch_up()
        party.level = level_of(folder)
        yield party


def level_of(folder: Path) -> str:
    """How well the bots of a local game play, as its `play.json` says; games of older programs have normal ones."""
    told = folder / "play.json"
    found = json.loads(told.read_text()).get("level", NORMAL) if told.exists() else NORMAL
    return checked_level(str(found))


def bots_in(folder: Path) -> list[str]:
    """The players of a local game that bots play."""
    return [str(name) for name in json.loads((folder / "play.json").read_text())["bots"]]


def note_bots(folder: Path, bots: Sequence[str], level: str) -> None:
    """Keep which players of a local game are bots, and how well they play."""
    (folder / "play.json").write_text(json.dumps({"bots": [*bots], "level": level}) + "\n")


def checked_level(level: str) -> str:
    """The name of a level. Raises Rejected for one that there is not."""
    if level not in LEVELS:
        raise unreadable(msg("there is no level {level!r}", level=level), verbatim(*LEVELS))
    return level


def bot_of(system: str) -> Bot:
    """The bot of a rules module. Raises Rejected when it has none."""
    bot = games.load(system).bot()
    if bot is None:
        raise unreadable(msg("{system} has no bot yet", system=system))
    return bot


def bot_orders(session: Session, level: str = NORMAL) -> list[Plain]:
    """The bot's orders for everything that is asked of this player until dice or another player come in.

    A bot of a game with hidden hands is told its own cards and writes them by name, as a person would.
    """
    engine = Engine.resume(session.game, session.scenario, session.table.engine.checkpoint())
    if isinstance(engine.request, Simultaneous):
        mine = [ask for ask in engine.request.asks if ask.seat == session.table.due.seat]
        answers = [_bot_order(session, engine, ask, level) for ask in mine]
        sealed = session.table.due.what == "seal"
        return [{"seal": answer, "seat": session.table.due.seat} if sealed else answer for answer in answers]
    if isinstance(engine.request, Commit):
        return [_to_seal(session, engine, engine.request)]
    orders: list[Plain] = []
    while engine.request is not None:
        asked = engine.request
        if isinstance(asked, Ask) and session.table.player_of(asked.seat) == session.me.player:
            order = asked.forced if asked.forced is not None else _bot_order(session, engine, asked, level)
            if asked.forced is None:
                orders.append(order)
            engine.reply(session.game.spelled_out(engine.state, asked.seat, order, own_cards(session, asked.seat)))
        elif isinstance(asked, Open | Claim) and session.table.player_of(asked.seat) == session.me.player:
            reveal = session.knowledge().reveal
            engine.reply(reveal(asked.handle) if isinstance(asked, Open) else asked.truth(reveal))
        else:
            break
    return orders


def _to_seal(session: Session, engine: Engine, asked: Commit) -> Plain:
    """What a bot hides: the first proposal that he may seal, or what the rules take for granted."""
    lawful = session.game.proposals(engine.state, asked, {}, session.knowledge().reveal)
    return lawful[0] if lawful else asked.default


def _bot_order(session: Session, engine: Engine, ask: Ask, level: str) -> Plain:
    seed = bot_seed(session.charter.game_id, ask.seat)
    return bot_of(session.charter.system).choose(engine.state, ask, own_cards(session, ask.seat), seed, level)


def own_cards(session: Session, seat: str) -> dict[str, str]:
    """Hidden cards of the own hand -> handle; nothing in games without them."""
    return session.knowledge().hand(seat) if session.game.hidden_hands else {}
