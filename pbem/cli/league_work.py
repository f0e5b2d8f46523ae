"""A game of a league judged and drawn, from its log alone: the work of a job, on whatever machine.

A job's arguments: {"log": log.jsonl, compressed and in base 64, "scenario": the players' own or null, "language", "program",
"rules"}. Its result: {"summary": as `pbem.batch.league` tells it, without its folder, "pages": name of a file -> its text}.
"""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.cli import chances, deadlines, faults, look, proof, replaying, reporting, speech
from pbem.cli.spans import steps_from
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message
from pbem.odds import luck
from pbem.odds.luck import Throw
from pbem.protocol.outcomes import Outcome
from pbem.store import dues
from pbem.store.folder import GameFolder
from pbem.store.session import Session

LEAGUE_GAME = "league game"
PAGES = (REPORT, MAP, REPLAY) = ("report.html", "map.svg", "replay.html")


def pack(log: bytes) -> str:
    """A log as a job carries it."""
    return base64.b64encode(zlib.compress(log)).decode("ascii")


def judge(job: Mapping[str, Any]) -> Plain:
    """Everything about one game. What is wrong with it stands in the summary; a fault of the program is raised."""
    speech.begin(str(job["language"]))
    log = zlib.decompress(base64.b64decode(str(job["log"])))
    with tempfile.TemporaryDirectory(prefix="pbem-") as name:
        path = Path(name) / "game"
        charter = json.loads(log.partition(b"\n")[0])["document"]
        folder = GameFolder.create(path, charter)
        folder.disk.replace(path / "log.jsonl", log)
        if job["scenario"] is not None:
            folder.disk.replace(path / "scenario.json", json.dumps(job["scenario"]).encode())
        try:
            proof.verify(path)
        except Exception as error:
            outcome, lines = faults.judged(error, strict=True)
            if outcome is Outcome.FAULT:
                raise
            return {"summary": {"fault": f"{speech.text(outcome.told)}: {'; '.join(lines)}"}, "pages": {}}
        session = Session.open(path)
        return {"summary": _summary(session), "pages": _pages(path, session)}


# -- in numbers ---------------------------------------------------------------------------------------------------------------


def _summary(session: Session) -> Plain:
    table, charter, words = session.table, session.charter, session.game.words()
    last = [e["received"] for e in session.folder.log.entries if e["kind"] != "slip"][-1]
    result, late, turns = table.result, deadlines.clock(session), _turns(session)
    first_keys = {player.name: player.key for player in charter.all_players}
    seats: list[dict[str, Plain]] = [
        {"seat": s.name, "side": s.side, "side_told": speech.text(words.SIDES[s.side]), "player": table.player_of(s.name)}
        for s in charter.seats
    ]
    keys: dict[str, Plain] = {
        str(s["player"]): first_keys.get(str(s["player"])) or table.ledger.keys[str(s["player"])] for s in seats
    }
    return {
        "game": charter.game_id,
        "system": charter.system,
        "title": session.game.title,
        "scenario": charter.scenario,
        "heading": speech.text(words.heading(table.engine.state)),
        "files": table.last,
        "rolls": len(table.ledger.rolled),
        "head": session.head,
        "since": last,
        "until": late.until if late is not None else "",
        "fault": "",
        "over": result is not None,
        "winner": (result.winner or "") if result is not None else "",
        "state": speech.text(dues.told(session)),
        "due": "" if result is not None else table.due.player,
        "seats": [*seats],
        "keys": keys,
        "luck": _luck(session, [throw for turn in turns.values() for throw in turn.throws]),
        "turns": [_turn_told(session, number, turn) for number, turn in turns.items()],
    }


def _luck(session: Session, throws: Sequence[Throw]) -> list[Plain]:
    """What the dice brought each player; nothing for a game that knows no odds."""
    module = session.game.chances()
    if module is None:
        return []
    found = luck.lucks(throws, _players(session))
    return [
        {
            "player": one.player,
            "value": f"{one.value:+.1f}",
            "unit": speech.text(Message(module.UNIT)),
            "p": f"{one.p_value:.2g}",
            "suspect": luck.is_suspect(one, len(found)),
        }
        for one in found.values()
    ]


def _players(session: Session) -> dict[str, str]:
    """Seat -> player."""
    return {seat: session.table.player_of(seat) for seat in session.game.seats}


@dataclass
class _Turn:
    """What was sent in a turn, by player; `throws`: the rolls of its files."""

    hand: Counter[str] = field(default_factory=Counter)
    automatic: Counter[str] = field(default_factory=Counter)
    throws: list[Throw] = field(default_factory=list)


def _turns(session: Session) -> dict[int, _Turn]:
    """Turn by turn: a file counts in the turn in which it was sent."""
    words, entries, weighs = session.game.words(), session.table.ledger.entries, session.game.chances() is not None
    found: dict[int, _Turn] = {}
    for step in steps_from(session, 1):
        turn, entry = found.setdefault(words.turn(step.state), _Turn()), entries[step.taken.seq]
        if entry.player:
            (turn.hand if entry.decides or entry.type != "turn" else turn.automatic)[entry.player] += 1
        if weighs:
            turn.throws += chances.throws_of(session, step)
    return found


def _turn_told(session: Session, number: int, turn: _Turn) -> dict[str, Plain]:
    """A row: for each player the files he wrote by hand, those of his program, and his luck where the game knows odds."""
    seats = _players(session)
    brought = luck.lucks(turn.throws, seats) if session.game.chances() is not None else {}
    players: list[Plain] = [
        {
            "player": name,
            "hand": turn.hand[name],
            "automatic": turn.automatic[name],
            "luck": f"{brought[name].value:+.1f}" if name in brought else "",
        }
        for name in dict.fromkeys(seats.values())
    ]
    return {"turn": number, "players": players}


# -- to look at ---------------------------------------------------------------------------------------------------------------


def _pages(path: Path, session: Session) -> dict[str, Plain]:
    """Report, map and replay, as far as the game has them."""
    code = speech.tongue().code
    reporting.report(path, reporting.Wanted(form="html", lang=code, spectator=True), path / REPORT)
    if session.game.picture() is not None:
        look.draw(path, path / MAP, look.Chart())
    replaying.write(path, path / REPLAY, code)
    return {name: (path / name).read_text("utf-8") for name in PAGES if (path / name).exists()}
