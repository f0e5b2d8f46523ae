"""A league: what is known of its games, and the tables that follow from it. Everything here follows from public files.

A game is told by a summary, plain data:

    {"game", "folder", "system", "title", "scenario", "heading", "files", "rolls", "head", "since", "until", "fault", "over",
     "winner", "state", "due", "seats": [{"seat", "side", "side_told", "player"}], "keys": {player: key},
     "luck": [{"player", "value", "unit", "p", "suspect"}],
     "turns": [{"turn", "players": [{"player", "hand", "automatic", "luck"}]}]}

`since`: when its newest file came; `until`: when the next is due, or ""; `fault`: what is wrong with it, or "": then it counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.batch.ratings import Played, Rating, ratings
from pbem.batch.sequential import Score, wilson

Summary = Mapping[str, Any]


class SideTable(Struct, frozen=True):
    """A side of a system: its games, the interval of its share of the points in parts of 10,000, and its players."""

    side: str
    told: str
    score: Score
    interval: tuple[int, int]
    players: tuple[Rating, ...]


class SystemTable(Struct, frozen=True):
    """A system: its players over both sides, then side by side."""

    system: str
    title: str
    games: int
    players: tuple[Rating, ...]
    sides: tuple[SideTable, ...]


class Tables(Struct, frozen=True):
    """All that a league's page shows."""

    players: tuple[Rating, ...]
    systems: tuple[SystemTable, ...]
    due: tuple[Summary, ...]  # games that go on, the longest waiting first
    games: tuple[Summary, ...]  # all sound ones, the newest move first
    faulty: tuple[Summary, ...]


def tables(summaries: Sequence[Summary]) -> Tables:
    """The tables of a league; each game stands once in the summaries."""
    sound = [s for s in summaries if not s["fault"]]
    called = names(sound)
    over = [s for s in sound if s["over"] and len(_sides(s)) == 2]
    systems = sorted({str(s["system"]) for s in over})
    return Tables(
        tuple(ratings([_played(s, called) for s in over])),
        tuple(_system([s for s in over if s["system"] == system], called) for system in systems),
        tuple(sorted((s for s in sound if not s["over"]), key=lambda s: (s["since"], s["game"]))),
        tuple(sorted(sound, key=lambda s: (s["since"], s["game"]), reverse=True)),
        tuple(s for s in summaries if s["fault"]),
    )


def names(summaries: Sequence[Summary]) -> dict[str, str]:
    """Public key -> what its owner is called: a key is a person; a name that two keys use comes with a part of the key."""
    said: dict[str, str] = {}
    for one in sorted(summaries, key=lambda s: (s["since"], s["game"])):
        said.update({str(key): str(name) for name, key in one["keys"].items()})
    called = list(said.values())
    return {key: name if called.count(name) == 1 else f"{name} ({key.split()[-1][-6:]})" for key, name in said.items()}


def result_rows(summaries: Sequence[Summary]) -> list[dict[str, Any]]:
    """What the standings are computed of, game by game."""
    return [
        {
            "game": s["game"],
            "head": s["head"],
            "system": s["system"],
            "scenario": s["scenario"],
            "winner": s["winner"],
            "sides": {side: [s["keys"][name] for name in players] for side, players in _sides(s).items()},
        }
        for s in sorted((s for s in summaries if not s["fault"] and s["over"]), key=lambda s: str(s["game"]))
    ]


def calendar(due: Sequence[Summary], called: Mapping[str, str]) -> str:
    """The games that somebody has to go on with by some time, as an iCalendar file (RFC 5545)."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//pbem//league//EN"]
    for one in (one for one in due if one["until"] and one["due"]):
        until, since = _stamp(one["until"]), _stamp(one["since"])
        player = called.get(one["keys"].get(one["due"], ""), one["due"])
        told = {"SUMMARY": f"{player}: {one['title']}, {one['scenario']}", "DESCRIPTION": one["state"]}
        lines += ["BEGIN:VEVENT", f"UID:{one['game']}-{one['files']}@pbem", f"DTSTAMP:{since}", f"DTSTART:{until}"]
        lines += [f"{name}:{_escaped(value)}" for name, value in told.items()] + ["END:VEVENT"]
    return "".join(_folded(line) + "\r\n" for line in [*lines, "END:VCALENDAR"])


def _stamp(time: str) -> str:
    """2026-01-31T12:00:00Z as a calendar has it."""
    return time.replace("-", "").replace(":", "")


def _escaped(text: str) -> str:
    """A text of a calendar: what is no letter of it is left out, its marks come with a backslash."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return re.sub(r"([\\,;])", r"\\\1", printable)


def _folded(line: str) -> str:
    """Lines of at most 75 bytes, the further ones begun with a space."""
    parts, room = [""], 75
    for letter in line:
        if len((parts[-1] + letter).encode()) > room:
            parts.append("")
            room = 74
        parts[-1] += letter
    return "\r\n ".join(parts)


def _sides(one: Summary) -> dict[str, list[str]]:
    """Side -> its players, each once, in the order of the seats."""
    found: dict[str, list[str]] = {}
    for seat in one["seats"]:
        players = found.setdefault(seat["side"], [])
        players += [seat["player"]] if seat["player"] not in players else []
    return found


def _played(one: Summary, called: Mapping[str, str], by_side: bool = False) -> Played:
    """A game as ratings take it; `by_side`: a player is somebody else on another side."""
    sides = _sides(one)
    ones, others = (
        tuple(called[one["keys"][name]] + (f"\n{side}" if by_side else "") for name in players)
        for side, players in sides.items()
    )
    points = 1 if not one["winner"] else 2 if one["winner"] == next(iter(sides)) else 0
    return Played(ones, others, points)


def _system(games: Sequence[Summary], called: Mapping[str, str]) -> SystemTable:
    together = ratings([_played(s, called) for s in games])
    apart = ratings([_played(s, called, by_side=True) for s in games])
    told = {seat["side"]: seat["side_told"] for s in games for seat in s["seats"]}
    return SystemTable(
        str(games[0]["system"]),
        str(games[0]["title"]),
        len(games),
        tuple(together),
        tuple(_side(side, told[side], games, apart) for side in told),
    )


def _side(side: str, told: str, games: Sequence[Summary], apart: Sequence[Rating]) -> SideTable:
    score = Score()
    for one in games:
        score = score.plus(0 if not one["winner"] else 1 if one["winner"] == side else -1)
    mine = [
        Rating(name, r.elo, r.error, r.won, r.drawn, r.lost)
        for r in apart
        for name, _, of in [r.name.partition("\n")]
        if of == side
    ]
    return SideTable(side, told, score, wilson(score), tuple(mine))
