"""A game of a league judged and drawn, from its log alone: the work of a job, on whatever machine.

A job's arguments: {"log": log.jsonl, compressed and in base 64, "scenario": the players' own or null, "language", "program",
"rules"}. Its result: {"summary": as `pbem.batch.league` tells it, without its folder, "pages": name of a file -> its text}.
"""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.cli import chances, deadlines, faults, look, proof, replaying, reporting, spans, speech
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message
from pbem.odds import luck
from pbem.odds.decimals import printed
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
            return {"summary": {"fault": speech.labelled(outcome.told, "; ".join(lines))}, "pages": {}}
        session = Session.open(path)
        return {"summary": _summary(session), "pages": _pages(path, session)}


# -- in numbers ---------------------------------------------------------------------------------------------------------------


def _summary(session: Session) -> Plain:
    table, charter, words = session.table, session.charter, session.game.words()
    last = [e["received"] for e in session.folder.log.entries if e["kind"] != "slip"][-1]
    result, late = table.result, deadlines.clock(session)
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
        **_courses(session),
    }


def _courses(session: Session) -> dict[str, Plain]:
    """The luck of each player over the game, and turn by turn with the files that he and his program wrote.

    There is no luck in a game that knows no odds.
    """
    rows: dict[int, dict[str, dict[str, int]]] = {}
    thrown: dict[int, list[Throw]] = {}
    words, entries, knows = session.game.words(), session.table.ledger.entries, session.game.chances() is not None
    for step in spans.steps_from(session, 1):
        turn = words.turn(step.state)
        wrote = rows.setdefault(turn, {}).setdefault(str(step.document["player"]), {"hand": 0, "automatic": 0})
        entry = entries[step.taken.seq]
        wrote["hand" if entry.decides or entry.type != "turn" else "automatic"] += 1
        thrown.setdefault(turn, []).extend(chances.throws_of(session, step) if knows else [])
    turns = [_turn(session, turn, wrote, thrown[turn]) for turn, wrote in sorted(rows.items())]
    return {"luck": _luck(session, [throw for turn in rows for throw in thrown[turn]]), "turns": [*turns]}


def _turn(session: Session, turn: int, wrote: Mapping[str, Mapping[str, int]], thrown: Sequence[Throw]) -> dict[str, Plain]:
    """One turn: what each player wrote, and what its dice gave him."""
    gave = chances.luck_in(session, thrown) if thrown else {}
    none = {"hand": 0, "automatic": 0}
    players: list[Plain] = [
        {"player": player, **wrote.get(player, none), "luck": printed(f"{gave[player].value:+.1f}") if player in gave else ""}
        for player in [*session.charter.players_in_order, *(p for p in wrote if p not in session.charter.players_in_order)]
    ]
    return {"turn": turn, "players": players}


def _luck(session: Session, thrown: Sequence[Throw]) -> list[Plain]:
    """What the dice brought each player; nothing for a game that knows no odds."""
    module = session.game.chances()
    if module is None:
        return []
    found = chances.luck_in(session, thrown)
    return [
        {
            "player": one.player,
            "value": printed(f"{one.value:+.1f}"),
            "unit": speech.text(Message(module.UNIT)),
            "p": f"{one.p_value:.2g}",
            "suspect": luck.is_suspect(one, len(found)),
        }
        for one in found.values()
    ]


# -- to look at ---------------------------------------------------------------------------------------------------------------


def _pages(path: Path, session: Session) -> dict[str, Plain]:
    """Report, map and replay, as far as the game has them."""
    code = speech.tongue().code
    reporting.report(path, reporting.Wanted(form="html", lang=code, spectator=True), path / REPORT)
    if session.game.picture() is not None:
        look.draw(path, path / MAP, look.Chart())
    replaying.write(path, path / REPLAY, code)
    return {name: (path / name).read_text("utf-8") for name in PAGES if (path / name).exists()}
