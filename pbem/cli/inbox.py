"""The inbox of all games: each new file goes to the folders of its game; a line says what became of it, another who is due."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem.cli import faults, mailing, speech, waiting
from pbem.cli.receiving import Received, named, receive_all
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain, canonical
from pbem.protocol.ids import document_id, scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import dues, known
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.store.paths import home, keys_of
from pbem.store.session import Session
from pbem.transport.mail import files_of, gather_one, in_order
from pbem.transport.mailbox import read_settings

Document = dict[str, Any]
_AGAIN = (
    Outcome.WAITING,
    Outcome.NOT_WRITTEN,
    Outcome.FAULT,
    Outcome.LOG_DAMAGED,
)  # such a file is looked at the next time too
_GOOD = (Outcome.DONE, Outcome.ALREADY_KNOWN, Outcome.FOREIGN_GAME)


class Wanted(Struct, frozen=True):
    """Where files come in; a game folder or a folder of games besides those that this machine knows; also files that were
    looked at before; also what mailboxes hold."""

    sources: Sequence[Path]
    games: Path
    again: bool = False
    mail: bool = True


class _Item(Struct):
    """One document, or why there is none, and what became of it in each game folder (`told`)."""

    file: Path
    where: str
    document: Document | ProtocolError
    outcomes: list[Outcome] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)
    same: _Item | None = None  # which holds the same document and came before it
    again: bool = False  # a folder of its game could not take anything

    def became(self, outcome: Outcome, told: str, game: str = "") -> None:
        """What became of it, in a game folder or without one."""
        self.outcomes.append(outcome)
        self.told.append(speech.labelled(game, told) if game else told)
        self.games += [game] if game else []

    @property
    def is_settled(self) -> bool:
        """No second look would say more."""
        if self.again or (self.same is not None and not self.same.is_settled):
            return False
        return not {*_AGAIN, Outcome.FOREIGN_GAME} & {*self.outcomes}


class _Game(Struct):
    """A game folder, by what documents say of their game."""

    path: Path
    name: str
    tags: set[str]
    items: list[_Item] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)  # of the game, behind those of its documents
    codes: list[Outcome] = field(default_factory=list)


def inbox(wanted: Wanted) -> tuple[Plain, str, int]:
    """Everything new, taken by its game; then whose turn it is in every game. Nothing that is bad keeps the rest from it."""
    games = _games(wanted.games)
    seen = known.seen()
    looked, items = _look(wanted, seen)
    _sort(items, games)
    for game in games:
        _hand_over(game)
        if wanted.mail:
            _fetch(game)
    behind = [speech.labelled(game.name, line) for game in games for line in game.lines]
    turns = [turn for game in games if (turn := _turn(game))]
    turns.sort(key=lambda turn: (not turn["mine"], turn["over"], turn["since"], turn["game"]))
    lines = [speech.labelled(item.where, "; ".join(item.told)) for item in items] + behind + _keep_seen(seen, looked, items)
    lines += [] if items or behind else [speak("Nothing new has come.")]
    lines += [str(turn["text"]) for turn in turns]
    lines += [] if games else [speak("No game is known here: name a game folder or a folder of games with -g")]
    worst = [o for item in items for o in item.outcomes if o not in _GOOD] + [o for game in games for o in game.codes]
    documents: list[Plain] = [_plain(item) for item in items]
    plain: Plain = {"documents": documents, "lines": [*behind], "games": [_of_turn(turn) for turn in turns]}
    return plain, "\n".join(lines), worst[0].code if worst else 0


def _plain(item: _Item) -> Plain:
    words: list[Plain] = [outcome.word for outcome in item.outcomes]
    return {"file": str(item.file), "games": [*item.games], "outcomes": words, "told": [*item.told]}


def _of_turn(turn: dict[str, Any]) -> Plain:
    return {key: value for key, value in turn.items() if key != "text"}


# -- which games --------------------------------------------------------------------------------------------------------------


def _games(folder: Path) -> list[_Game]:
    """The games of a folder, or the one that it is, then those that this machine knows; each folder once."""
    here = [folder] if (folder / "pbem.json").exists() else sorted(p.parent for p in folder.glob("*/pbem.json"))
    for path in here:
        known.note(path)
    found: dict[str, Path] = {}
    for path in [*here, *known.folders()]:
        found.setdefault(os.path.realpath(path), path)
    called = [Path(real).name for real in found]
    names = [name if called.count(name) == 1 else str(path) for name, path in zip(called, found.values(), strict=True)]
    return [_Game(path, name, _tags(path)) for path, name in zip(found.values(), names, strict=True)]


def _tags(path: Path) -> set[str]:
    """By what a document names this game; nothing where the folder cannot be read, which its line will tell."""
    with suppress(Exception):
        draft = GameFolder(path).draft()
        scenario = draft["scenario"] if isinstance(draft.get("scenario"), dict) else {}
        return {document_id(draft), f"nonce {draft.get('nonce')}", f"scenario {scenario.get('hash')}"}
    return set()


def _tags_of(document: Document) -> set[str]:
    """The same of a document."""
    kind = document.get("type")
    if kind == "charter":
        return {document_id(document), f"nonce {document.get('nonce')}"}
    if kind == "scenario":
        return {f"scenario {scenario_hash(document.get('scenario'))}"}
    game = document.get("game")
    return {game} if isinstance(game, str) else set()


# -- documents ----------------------------------------------------------------------------------------------------------------


def _look(wanted: Wanted, seen: dict[str, known.Stamp]) -> tuple[dict[Path, known.Stamp], list[_Item]]:
    """The files that are new, as they were when they were read, and what they hold, in the order of the sources."""
    looked: dict[Path, known.Stamp] = {}
    items: list[_Item] = []
    for source in wanted.sources:
        try:
            files = files_of(source)
        except OSError as error:
            outcome, lines = faults.judged(error)
            items.append(_Item(source, str(source), {}))
            items[-1].became(outcome, speech.labelled(outcome.told, "; ".join(lines)))
            continue
        for path in files:
            with suppress(OSError):  # it went away meanwhile
                stamp = known.stamp(path)
                if path not in looked and (wanted.again or seen.get(_key(path)) != stamp):
                    looked[path] = stamp
                    items += [_Item(path, str(path.parent / where), read) for where, read in gather_one(path, path == source)]
    return looked, items


def _sort(items: Sequence[_Item], games: Sequence[_Game]) -> None:
    """Each document to the folders of its game, the same one once."""
    by_tag: dict[str, list[_Game]] = {}
    for game in games:
        for tag in game.tags:
            by_tag.setdefault(tag, []).append(game)
    first: dict[bytes, _Item] = {}
    for item in (item for item in items if not item.outcomes):
        if isinstance(item.document, ProtocolError):
            item.became(item.document.outcome, speech.labelled(item.document.outcome.told, item.document.told))
            continue
        same = first.setdefault(canonical(item.document), item)
        tags = _tags_of(item.document)
        homes = {id(game): game for tag in sorted(tags) for game in by_tag.get(tag, ())}
        if not homes:
            item.became(*_of_no_game(item.document))
        elif same is not item:
            item.same = same
            told = speak("the same stands in {file}", file=same.where)
            item.became(Outcome.ALREADY_KNOWN, speech.labelled(Outcome.ALREADY_KNOWN.told, told))
        else:
            for game in homes.values():
                game.items.append(item)


def _of_no_game(document: Document) -> tuple[Outcome, str]:
    """What is said of a document that stays where it is."""
    kind, game = document.get("type"), document.get("game")
    if kind == "charter":
        told = speak("a charter of a game that is not here: `pbem join` or `pbem accept`; it stays where it is")
    elif isinstance(game, str):
        told = speak(
            "{document}, of game {game}, which this machine does not know; it stays where it is",
            document=named(document),
            game=game[:8],
        )
    else:
        told = speak("{document} that names no game of this machine; it stays where it is", document=named(document))
    return Outcome.FOREIGN_GAME, speech.labelled(Outcome.FOREIGN_GAME.told, told)


def _keep_seen(seen: dict[str, known.Stamp], looked: dict[Path, known.Stamp], items: Sequence[_Item]) -> list[str]:
    """Note what needs no second look: all that a file holds is settled. What cannot be noted is told."""
    open_still = {item.file for item in items if not item.is_settled}
    folders = {os.path.dirname(_key(path)) for path in looked}
    there = {name: stamp for name, stamp in seen.items() if os.path.dirname(name) not in folders or os.path.exists(name)}
    there |= {_key(path): stamp for path, stamp in looked.items() if path not in open_still}
    try:
        known.write_seen(there)
    except OSError as error:
        return faults.judged(error)[1]
    return []


def _key(path: Path) -> str:
    return os.path.abspath(path)


# -- one game -----------------------------------------------------------------------------------------------------------------


def _hand_over(game: _Game) -> None:
    """What came for a game is taken there, in its order. A folder that is locked or damaged says so at each document."""
    if not game.items:
        return
    pairs = in_order([(item, item.document) for item in game.items])

    def work() -> None:
        received = receive_all(game.path, [(item.where, document) for item, document in pairs], in_short=False)
        for (item, _), outcome, told in zip(pairs, received.outcomes, received.told, strict=True):
            item.became(outcome, told, game.name)
        game.lines += received.after

    error = _guarded(game, work)
    if error is not None:
        for item, _ in pairs:
            item.again = True
            item.became(*error, game.name)


def _fetch(game: _Game) -> None:
    """The mail of a game, where its settings name a mailbox."""

    def work() -> None:
        settings = game.path / mailing.SETTINGS
        if not settings.exists() or "imap" not in read_settings(settings.read_bytes()).servers:
            return
        received, unmarked = mailing.fetched(game.path, in_short=False)
        game.lines += [*_in_mails(received), *received.after, *unmarked]
        game.codes += [o for o in received.outcomes if o not in _GOOD]

    error = _guarded(game, work)
    if error is not None:
        game.codes.append(error[0])
        game.lines.append(error[1])


def _in_mails(received: Received) -> list[str]:
    pairs = zip(received.outcomes, received.told, strict=True)
    return [told for outcome, told in pairs if told and outcome is not Outcome.FOREIGN_GAME]


def _guarded(game: _Game, work: Callable[[], None]) -> tuple[Outcome, str] | None:
    """Work in one game folder, with its words and keys; what failed and how it is told, None where nothing did."""
    speech.of_game(game.path)
    try:
        with keys_of(game.path):
            work()
    except Exception as error:
        outcome, lines = faults.judged(error)
        if trace := faults.trace_of(error):
            lines = [*lines, faults.please(faults.report(home() / "faults", Disk(), trace, ""))]
        return outcome, speech.labelled(outcome.told, "; ".join(lines))
    return None


def _turn(game: _Game) -> dict[str, Any]:
    """Whose turn it is, since when; what keeps the folder from saying it."""
    turn: dict[str, Any] = {"game": str(game.path), "mine": False, "over": False, "since": "", "due": None, "waits": None}

    def work() -> None:
        session = Session.open(game.path)
        if not session.folder.is_running:
            turn["text"] = speak("{game}: the charter is a draft", game=game.name)
            return
        table, secrets = session.table, session.folder.secrets()
        since = [e["received"] for e in session.folder.log.entries if e["kind"] != "slip"][-1]
        over = table.result is not None
        mine = not over and secrets is not None and table.due.player == secrets.player
        turn.update({"mine": mine, "over": over, "since": since, "due": None if over else table.due.player})
        turn["text"] = speech.labelled(game.name, dues.told(session))
        if mine:
            turn["waits"] = session.place_kept_back() or None
            turn["text"] = speak("{told}, since {since}: your turn", told=turn["text"], since=since)
            turn["text"] += "\n" + speech.labelled(game.name, waiting.ways()) if turn["waits"] else ""
        elif not over:
            turn["text"] = speak("{told}, since {since}", told=turn["text"], since=since)

    error = _guarded(game, work)
    if error is not None:
        game.codes.append(error[0])
        turn["text"] = speech.labelled(game.name, error[1])
        turn["wrong"] = error[1]
    return turn
