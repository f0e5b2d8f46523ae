"""Skirmish played by the real command line in one folder per player."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.runtime.composing import Draft
from pbem.store import catching_up, pen
from pbem.store.folder import GameFolder
from pbem.store.log import Log
from pbem.store.session import Session
from tests.commands import Done, inside, must, run
from tests.toygame import skirmish

SEATS = {"yamada": "blue", "nowak": "red", "dubois": "rust"}
TWO = {"yamada": "blue", "nowak": "red,rust"}


@contextmanager
def at(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in `root`, with Skirmish among the systems."""
    with games.register(skirmish.GAME), inside(root):
        yield


def found(seats: dict[str, str], role: str = "", *, lost_keys: str = "", late: Sequence[str] = ()) -> list[str]:
    """A game that has begun, one folder per player and one for the umpire `smith` when there is a role.

    `late`: the options of `pbem new` for deadlines.
    """
    folders = [*seats, *(["smith"] if role else [])]
    others = ["--lost-keys", "others"] if lost_keys == "others" else []
    must("new", "draft", "--system", "skirmish", "--scenario", "hill", *others, *late)
    newest = "draft/charter.yaml"
    if role:
        more = ["--lost-keys"] if lost_keys == "umpire" else []
        must("umpire", "join", newest, "--as", "smith", "--role", role, *more, "-g", "smith")
        newest = "smith/charter.yaml"
    for name, held in seats.items():
        must("join", newest, "--as", name, "--seats", held, "-g", name)
        newest = f"{name}/charter.yaml"
    for name in folders:
        must("accept", newest, "-g", name)
        newest = f"{name}/charter.yaml"
    for name in folders[:-1]:
        must("accept", newest, "-g", name)
    spread(folders)
    return folders


def session(name: str) -> Session:
    """A folder as the next command would find it."""
    return Session.open(Path(name))


def due(folders: list[str]) -> str:
    """The player who has to send something."""
    return session(folders[0]).table.due.player


def spread(folders: list[str]) -> None:
    """Everybody receives what he lacks of everybody's outbox, until nothing moves."""
    logs = {name: GameFolder(Path(name)).log for name in folders}
    moved = True
    while moved:
        moved = False
        for file in _posted(folders):
            document = read_document(file.read_bytes())[0]
            for name in folders:
                if file.parent.parent.name != name and _lacks(logs[name], document):
                    run("receive", str(file), "-g", name)
                    before, logs[name] = len(logs[name].entries), GameFolder(Path(name)).log
                    moved = moved or len(logs[name].entries) > before


def _posted(folders: list[str]) -> list[Path]:
    return sorted((p for f in folders for p in Path(f, "outbox").glob("*.yaml")), key=lambda p: p.name)


def _lacks(log: Log, document: dict[str, Any]) -> bool:
    """Whether a slip is not in a log, or a file whose place there is reached or taken by another one."""
    files = log.files()
    if document["type"] == "slip":
        return document not in log.slips()
    return document not in files and document["seq"] <= len(files)


def orders(name: str, *answers: Any, **more: Any) -> str:
    """An order file."""
    Path("orders.yaml").write_text(write_document({"orders": [*answers], **more}))
    return "orders.yaml"


def answer(name: str, dice: random.Random) -> Any:
    """One legal order for what is asked of this player."""
    table = session(name).table
    request = table.engine.request
    if isinstance(request, Commit):
        return {"seal": 2, "seat": "blue"}
    if isinstance(request, Simultaneous):
        bid = dice.randrange(6)
        return {"seal": bid, "seat": table.due.seat} if table.due.what == "seal" else bid
    assert isinstance(request, Ask)
    return dice.choice(list(request.options()))


def step(folders: list[str], dice: random.Random) -> None:
    """The player who is due answers; in process, since this is not what is tested."""
    name = due(folders)
    sessions = {f: session(f) for f in folders}
    written = [sessions[name].write(Draft([answer(name, dice)]))]
    while written:
        for document in written:
            for other in folders:
                if sessions[other].table.last < document["seq"]:
                    sessions[other].take(document)
        written = [d for f in folders for d in sessions[f].answer_by_itself()]


def advance_to(folders: list[str], kind: str, seed: int = 1) -> str:
    """Play until a question of this kind is put to somebody; his name."""
    dice = random.Random(seed)
    for _ in range(60):
        request = session(folders[0]).table.engine.request
        if isinstance(request, Ask) and request.kind == kind:
            return due(folders)
        step(folders, dice)
    raise AssertionError("never asked")


def finish(folders: list[str], seed: int = 1) -> None:
    """Play the game to its end."""
    dice = random.Random(seed)
    while session(folders[0]).table.result is None:
        step(folders, dice)


def as_json(*words: str, code: int = 0) -> Any:
    """What a command says to programs."""
    done: Done = run(*words, "--json")
    assert done.code == code, done
    return json.loads(done.out)


def in_file(path: str | Path) -> dict[str, Any]:
    """The one document of a file."""
    return dict(read_document(Path(path).read_bytes())[0])


def give(document: dict[str, Any], name: str) -> str:
    """A player receives one document; what he is told."""
    Path("one.yaml").write_text(write_document(document))
    return run("receive", "one.yaml", "-g", name).out


def slips(name: str, kind: str) -> list[dict[str, Any]]:
    """The slips of a kind in a folder's log, in their order."""
    return [s for s in session(name).folder.log.slips() if s["slip"] == kind]


def answered(question: dict[str, Any], name: str) -> dict[str, Any]:
    """What a player's program answers to `pbem restored`."""
    give(question, name)
    return slips(name, "head")[-1]


def is_sure(name: str = "nowak") -> bool:
    """Whether a folder may sign, as far as it knows what has been signed elsewhere."""
    return not session(name).why_unsure()


def copied_in_part(name: str = "nowak") -> None:
    """A folder copied by hand, without the file that says where it lies."""
    Path(name, "private", "place.json").unlink()


@contextmanager
def two_pens() -> Iterator[None]:
    """A changed program that signs whatever it is told, without a look at what it has signed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pen, "write_row", lambda *_: None)
        patch.setattr(catching_up, "catch_up", lambda *_: [])
        yield


def hashes(folders: list[str]) -> set[str]:
    """The states that the folders hold: one if all agree."""
    return {session(f).table.engine.state_hash() for f in folders}


def sent_until_a_witness_is_due(umpire: str) -> str:
    """Nowak marches and is answered until dice need another player's link; each file goes to the umpire and to whom it is due
    from. Who owes the link."""
    must("send", orders("nowak", "go"), "-g", "nowak")
    must("receive", "nowak/outbox", "-g", umpire)
    while session(umpire).table.due.what != "witness":
        answering = session(umpire).table.due.player
        must("receive", "nowak/outbox", "-g", answering)
        must("send", orders(answering, "let pass"), "-g", answering)
        must("receive", f"{answering}/outbox", "-g", umpire)
    return session(umpire).table.due.player
