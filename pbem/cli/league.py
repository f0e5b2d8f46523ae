"""A league: every game of a folder judged, and a site of tables, reports, maps and replays made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem import __version__, games
from pbem.batch import league
from pbem.batch.cache import Cache
from pbem.batch.jobs import Job, Kept
from pbem.batch.pools import pool
from pbem.batch.running import run
from pbem.cli import faults, league_work, progress, speech
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain, digest, sha256_hex
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import linked, msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report import render
from pbem.store import pace, unsending
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.store.session import Session

WORK = {league_work.LEAGUE_GAME: league_work.judge}
CACHE = "league.sqlite"
RECENT = 50  # entries of the feed
NEVER = "1970-01-01T00:00:00Z"  # of a feed without entries

Summary = dict[str, Any]


class Wanted(Struct, frozen=True):
    """What the command says. `address`: where the site will be found, or ""."""

    folder: Path
    to: Path
    title: str = ""
    address: str = ""
    processes: int = 0
    cluster: str = ""


class _Found(Struct, frozen=True):
    """A game folder, with the name under which its result is kept, "" for none; or what is wrong with it.

    `size`, `entries`: bytes and lines of its log, which never changes but by growing; `rules`: the version it is judged by.
    """

    name: str
    path: Path
    key: str = ""
    fault: str = ""
    game: str = ""
    size: int = 0
    entries: int = 0
    rules: int = 0

    @property
    def job(self) -> Job:
        """The work on it."""
        folder = GameFolder(self.path)
        log = league_work.pack(folder.disk.read(self.path / "log.jsonl")[: self.size])
        return Job(league_work.LEAGUE_GAME, {"log": log, "scenario": folder.own_scenario(), **_made_by(self.rules)})


@dataclass
class _Site(Kept):
    """Where results go as they come: pages into the site, what the tables need into the cache."""

    to: Path = field(default_factory=Path)
    cache: Cache | None = None
    keys: dict[str, str] = field(default_factory=dict)  # job id -> key

    def add(self, job: Job, result: Plain) -> None:
        """A game is judged: its pages first, so that a summary never stands for pages that are not there."""
        assert isinstance(result, dict) and isinstance(result["pages"], dict) and self.cache is not None
        pages: dict[str, Plain] = {}
        for name in (name for name in league_work.PAGES if name in result["pages"]):
            text = str(result["pages"][name])
            _write(self.to / _place(self.keys[job.id]) / name, text)
            pages[name] = sha256_hex(text.encode())
        kept: Plain = {"summary": result["summary"], "pages": pages}
        self.cache.put(self.keys[job.id], kept)
        self.found[job.id] = kept


def make(wanted: Wanted) -> tuple[Plain, str]:
    """The site of a folder of games. Raises ProtocolError, Rejected, NotWritten."""
    found = _each_once([_look(path) for path in _folders(wanted.folder)])
    if not found:
        raise unreadable(msg("{folder} holds no game folders", folder=str(wanted.folder)))
    with Cache.opened(wanted.folder / CACHE) as cache:
        kept, new = _judged(wanted, found, cache)
    summaries = [_summary(one, kept) for one in found]
    shown = [one for one in summaries if one is not None]
    title = wanted.title or wanted.folder.resolve().name
    _write_tables(wanted, title, shown)
    faulty = [one for one in shown if one["fault"]]
    lines = [speak("{to} written: {number} games, {new} of them judged anew", to=str(wanted.to), number=len(shown), new=new)]
    lines += [f"{one['folder']}: {one['fault']}" for one in faulty]
    plain: Plain = {"site": str(wanted.to), "games": len(shown), "new": new, "faulty": [str(one["folder"]) for one in faulty]}
    return plain, "\n".join(lines)


# -- which games --------------------------------------------------------------------------------------------------------------


def _folders(folder: Path) -> list[Path]:
    """The game folders below a folder, by name; of `pbem play` those of its players."""
    marks = [*folder.glob("*/pbem.json"), *folder.glob("*/*/pbem.json")]
    return sorted({mark.parent for mark in marks})


def _look(path: Path) -> _Found:
    """What is in a game folder. Nothing is judged here, nothing but log and scenario is read: no key, no secret."""
    name, folder = "/".join(path.parts[-2:]), GameFolder(path)
    try:
        folder.check()
        log = folder.disk.tail(path / "log.jsonl", 0)
        log = log[: log.rfind(b"\n") + 1]
        if not log:
            return _Found(name, path)
        charter = json.loads(log.partition(b"\n")[0])["document"]
        rules, game = games.load(str(charter["system"])).rules_version, document_id(charter)
        scenario = folder.own_scenario()
    except Exception as error:
        outcome, lines = faults.judged(error, strict=True)
        return _Found(name, path, fault=speech.labelled(outcome.told, "; ".join(lines)))
    key = digest("pbem/2 league", {"log": sha256_hex(log), "scenario": scenario, **_made_by(rules)})
    return _Found(name, path, key, game=game, size=len(log), entries=log.count(b"\n"), rules=rules)


def _made_by(rules: int) -> dict[str, Plain]:
    """What a result depends on besides the game."""
    return {"language": speech.tongue().code, "program": __version__, "rules": rules}


def _each_once(found: Sequence[_Found]) -> list[_Found]:
    """Of several folders with one game, those of its players say, the one whose log is the longest, else the first."""
    best: dict[str, _Found] = {}
    for one in found:
        name = one.game or one.name
        if name not in best or best[name].entries < one.entries:
            best[name] = one
    return list(best.values())


def _judged(wanted: Wanted, found: Sequence[_Found], cache: Cache) -> tuple[dict[str, Plain], int]:
    """Results by key, and how many of them are new."""
    kept = {one.key: cache.get(one.key) for one in found if one.key}
    known: dict[str, Plain] = {
        key: result for key, result in kept.items() if result is not None and _is_whole(wanted.to, key, result)
    }
    jobs = {one.key: one.job for one in found if one.key and one.key not in known}
    site = _Site(to=wanted.to, cache=cache, keys={job.id: key for key, job in jobs.items()})
    for one in found:
        if one.key in jobs:
            _note_handed_out(one.path)
    if jobs:
        with progress.shown(speak("games")) as tell:
            for job, result in run([*jobs.values()], WORK, pool(wanted.processes, wanted.cluster), site, tell):
                known[site.keys[job.id]] = result
    return known, len(jobs)


def _note_handed_out(path: Path) -> None:
    """A site shows every file of a player's own folder, so that none of them can be taken back any more."""
    held = None
    with suppress(ProtocolError):
        session = Session(GameFolder(path))
        held = pace.held(session)
        if held is None:
            unsending.note_handed_out(session, "league")
    if held is not None:
        raise ProtocolError(Outcome.WAITING, linked(": ", str(path), pace.told(held)))


def _is_whole(to: Path, key: str, result: Any) -> bool:
    """The site has the pages of a result."""
    return all((to / _place(key) / name).exists() for name in result["pages"])


def _summary(one: _Found, kept: Mapping[str, Any]) -> Summary | None:
    """What is known of a game; None where it has not begun."""
    if one.fault:
        return {"folder": one.name, "fault": one.fault}
    if not one.key:
        return None
    pages = {name: f"{_place(one.key).as_posix()}/{name}" for name in kept[one.key]["pages"]}
    return {**kept[one.key]["summary"], "folder": one.name, "pages": pages}


def _place(key: str) -> Path:
    return Path("games", key[:16])


# -- pages --------------------------------------------------------------------------------------------------------------------


def _write_tables(wanted: Wanted, title: str, summaries: Sequence[Summary]) -> None:
    tables, called = league.tables(summaries), league.names([s for s in summaries if not s["fault"]])
    tongue, address = speech.tongue(), wanted.address.rstrip("/") + "/" if wanted.address else ""
    updated = max((str(one["since"]) for one in tables.games), default=NEVER)
    rows = json.dumps(league.result_rows(summaries), ensure_ascii=False, indent=1, sort_keys=True)
    shown = {"title": title, "tables": tables, "called": called, "updated": updated, "address": address}
    shown["id"] = address or f"urn:pbem:league:{sha256_hex(title.encode())[:16]}"
    _write(wanted.to / "index.html", render.page("league/index.html.j2", tongue, **shown))
    _write(wanted.to / "feed.xml", render.page("league/feed.xml.j2", tongue, recent=tables.games[:RECENT], **shown))
    _write(wanted.to / "calendar.ics", league.calendar(tables.due, called))
    _write(wanted.to / "results.json", rows + "\n")


def _write(path: Path, text: str) -> None:
    """A page, where it is not there already: what serves the site sees no change then."""
    disk = Disk()
    if disk.tail(path, 0) != text.encode():
        disk.make_folder(path.parent)
        disk.replace(path, text.encode())
