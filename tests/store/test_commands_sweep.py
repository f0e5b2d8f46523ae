"""Every command that writes is stopped or fails at every step it takes on the disk: before or after, never between.

After each failure the folder must open, nothing signed may be missing from the log, no secret may be lost or used twice,
and the same command, given again, must finish the work or say that it is done.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.guiding import asked_of
from pbem.cli.setup import record_of
from pbem.kernel.canon import digest
from pbem.protocol import escrow, keys, turnfile
from pbem.protocol.charter import read_charter
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.runtime.composing import Draft
from pbem.store.folder import GameFolder
from pbem.store.session import Session
from pbem.transport.mail import gather
from tests import turns
from tests.commands import ALLIES, Done, bytes_of, inside, must, prepare, run
from tests.pacific_war.test_folders import ENGAGED, LINE
from tests.store import post
from tests.store.failing_disk import Crash, Failure, everywhere

Files = dict[tuple[str, int], str]


def both_or_neither(*names: str) -> Callable[[], None]:
    """A file or folder that is there is complete."""

    def check() -> None:
        for name in names:
            path = Path(name)
            if path.suffix == ".zip" and path.exists():
                assert set(zipfile.ZipFile(path).namelist()) >= {"pbem.json", "log.jsonl", "private/key"}
                assert path.stat().st_mode & 0o777 == 0o600
            elif path.suffix == ".svg" and path.exists():
                assert path.read_text().rstrip().endswith("</svg>")
            elif path.is_dir():
                assert (path / "check.sh").exists() if name == "proof" else GameFolder(path).format == 2

    return check


def nothing() -> None:
    """This command leaves no file of its own."""


def what_was_asked_for_is_kept() -> None:
    """Whoever writes that he wants a seat holds the key, the chain and the draw keys that he shows."""
    if Path("seat.yaml").exists():
        wanted, taker = read_document(Path("seat.yaml").read_bytes())[0], GameFolder(Path("third"))
        held = taker.secrets()
        assert held is not None and wanted["key"] in own_keys(taker)
        record = record_of(held, taker.draft()["nonce"], str(wanted["key"]))
        assert (record.chain, record.draws) == (wanted["chain"], wanted["draws"])


def hidden_things_are_whole() -> None:
    """The file for the new holder is for his eyes alone; he takes all of it or nothing."""
    if Path("hidden.json").exists():
        shown = json.loads(Path("hidden.json").read_bytes())
        assert Path("hidden.json").stat().st_mode & 0o777 == 0o600 and shown["sealed"]
        assert (handed := handed_over()) == {} or handed == shown["sealed"]


def handed_over() -> dict[str, Any]:
    """Seals that the new holder has from the old one."""
    held = GameFolder(Path("third")).secrets()
    return held.sealed if held is not None else {}


def marked_is_taken() -> None:
    """A mail that is marked on the server is in the log."""
    logged = {document_id(e["document"]) for e in GameFolder(Path("allies")).log.entries}
    assert {document_id(d) for name in post.marked() for _, d in gather(post.MAILBOX / name) if isinstance(d, dict)} <= logged


COMMANDS: dict[str, tuple[str, list[str], Callable[[], None]]] = {
    "key": ("empty", ["key", "petrov", "--new"], nothing),
    "new": ("empty", ["new", "axis"], nothing),
    "join": ("drafted", ["join", "--as", "yamada", "--seats", "japan", "-g", "axis"], nothing),
    "join a draft": ("joined", ["join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "third"], nothing),
    "accept": ("joined", ["accept", "allies/charter.yaml", "-g", "axis"], nothing),
    "accept, the game begins": ("signed", ["accept", "allies/charter.yaml", "-g", "axis"], nothing),
    "orders": ("running", ["orders", "-g", "axis", "--to", "draft.yaml"], nothing),
    "send": ("running", ["send", "o.yaml", "--yes", "-g", "axis"], nothing),
    "receive": ("sent", ["receive", "axis/outbox", "-g", "allies"], nothing),
    "receive --wait": ("engaged", ["receive", "axis/outbox", "--wait", "-g", "allies"], nothing),
    "wait on": ("engaged", ["wait", "on", "-g", "allies"], nothing),
    "wait off": ("kept back", ["wait", "off", "-g", "allies"], nothing),
    "send behind dice": ("kept back", ["send", "line.yaml", "--yes", "-g", "allies"], nothing),
    "undo": ("answered", ["undo", "1", "-g", "axis"], nothing),
    "offer": ("answered", ["offer", "draw", "-g", "axis"], nothing),
    "agree": ("offered", ["agree", "--yes", "-g", "allies"], nothing),
    "refuse": ("offered", ["refuse", "-g", "allies"], nothing),
    "seat renew": ("answered", ["seat", "renew", "-g", "axis"], nothing),
    "seat take": ("watched", ["seat", "take", "yamada", "--to", "seat.yaml", "-g", "third"], what_was_asked_for_is_kept),
    "seat give": ("wanted", ["seat", "give", "seat.yaml", "--secrets", "hidden.json", "-g", "axis"], hidden_things_are_whole),
    "seat secrets": ("handed", ["seat", "secrets", "hidden.json", "-g", "third"], hidden_things_are_whole),
    "umpire join": (
        "drafted",
        ["umpire", "join", "axis/charter.yaml", "--as", "smith", "--role", "escrow", "-g", "third"],
        nothing,
    ),
    "umpire check": ("stalled", ["umpire", "check", "-g", "third"], nothing),
    "umpire stand-in": ("stalled", ["umpire", "stand-in", "-g", "third"], nothing),
    "refuse a file": ("unlawful", ["refuse", "wrong.yaml", "-g", "allies"], nothing),
    "mail setup": ("answered", ["mail", "setup", "-g", "axis"], nothing),
    "mail send": ("mailed", ["mail", "send", "-g", "axis"], nothing),
    "mail fetch": ("mailed", ["mail", "fetch", "-g", "allies"], marked_is_taken),
    "mail run": ("mailed", ["mail", "run", "-g", "allies"], marked_is_taken),
    "mail remind": ("mailed", ["mail", "remind", "--after", "0", "-g", "axis"], nothing),
    "resign": ("answered", ["resign", "--yes", "-g", "allies"], nothing),
    "audit": ("over", ["audit", "-g", "axis"], nothing),
    "verify": ("answered", ["verify", "-g", "axis"], nothing),
    "report": ("answered", ["report", "-g", "axis", "--out", "r.md"], nothing),
    "map": ("answered", ["map", "-g", "axis", "--to", "m.svg"], both_or_neither("m.svg")),
    "backup": ("answered", ["backup", "b.zip", "-g", "axis"], both_or_neither("b.zip")),
    "restore": ("answered", ["restore", "kept.zip", "third"], both_or_neither("third")),
    "prove": ("answered", ["prove", "1", "proof", "-g", "axis"], both_or_neither("proof")),
}
SOUND: set[tuple[str, str]] = set()  # folders that were judged, by their bytes and by the log that they go on from
ANY = -1  # these in turn, step by step
SHARES = 3  # of the steps, of which the usual run takes one
IN_TURN = (0, errno.EIO, 0, errno.ENOSPC, 0, errno.EACCES)
EVERY = [(f"{os.strerror(e) if e else 'crash'}, {part}", e, part) for e in (0, 5, 13, 28) for part in (0.0, 0.5, 1.0)]


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = prepare(tmp_path_factory.mktemp("moments"))
    with inside(made["answered"]):
        must("backup", "kept.zip", "-g", "axis")
    return made | prepare_more(made, tmp_path_factory.mktemp("more"))


def prepare_more(made: dict[str, Path], root: Path) -> dict[str, Path]:
    """A seat that changes hands (watched, wanted, handed), a stall under an umpire, a file to refuse, mail on its way."""
    found: dict[str, Path] = {}

    @contextmanager
    def later(name: str, moment: Path) -> Iterator[None]:
        found[name] = shutil.copytree(moment, root / name)
        with inside(found[name]):
            yield

    with later("watched", made["answered"]):
        must("new", "third")
        must("accept", "axis/files/0000-charter.yaml", "-g", "third")
        must("receive", "axis/files", "-g", "third")
    with later("wanted", found["watched"]):
        must("seat", "take", "yamada", "--to", "seat.yaml", "-g", "third")
    with later("handed", found["wanted"]):
        must("seat", "give", "seat.yaml", "--secrets", "hidden.json", "-g", "axis")
        must("receive", "axis/outbox", "-g", "allies")
        must("agree", "-g", "allies")
        must("receive", "axis/outbox", "-g", "third")
        must("receive", "allies/outbox", "-g", "third")
    with later("stalled", made["empty"]):
        must("new", "draft")
        must("umpire", "join", "draft/charter.yaml", "--as", "smith", "--role", "escrow", "-g", "third")
        must("join", "third/charter.yaml", "--as", "yamada", "--seats", "japan", "-g", "axis")
        must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
        newest = "allies/charter.yaml"
        for name in ("axis", "allies", "third", "axis", "allies"):
            must("accept", newest, "-g", name)
            newest = f"{name}/charter.yaml"
        shutil.rmtree("draft")
        must("send", "o.yaml", "-g", "axis", "--yes")
        must("receive", "axis/outbox", "-g", "third")
    with later("unlawful", made["answered"]):
        must("receive", "axis/outbox", "-g", "allies")
        author = Session.open(Path("axis"))
        asked = asked_of(author.table, "yamada")
        assert asked is not None
        composed = author.try_out(Draft([asked.options[0]]))
        document = turnfile.sign({**composed.document, "orders": ["gallop"]}, author.private)
        Path("wrong.yaml").write_text(write_document(document))
    with later("engaged", made["empty"]):
        must("new", "draft", "--system", "pacific-war", "--scenario", "savo-island")
        must("join", "draft/charter.yaml", "--as", "yamada", "--seats", "japan", "-g", "axis")
        must("join", "axis/charter.yaml", "--as", "nowak", "--seats", "allies", "-g", "allies")
        for newest, name in (("allies", "allies"), ("allies", "axis"), ("axis", "allies")):
            must("accept", f"{newest}/charter.yaml", "-g", name)
        must("receive", "allies/outbox", "-g", "axis")
        must("receive", "axis/outbox", "-g", "allies")
        shutil.rmtree("draft")
        Path("mine.yaml").write_text(ENGAGED)
        Path("line.yaml").write_text(LINE)
        must("send", "mine.yaml", "--yes", "-g", "axis")
    with later("kept back", found["engaged"]):
        must("wait", "on", "-g", "allies")
        must("receive", "axis/outbox", "-g", "allies")
    with later("mailed", made["sent"]):
        post.deliver_to_mailbox(Path("axis/outbox/0001-yamada.eml"))
        post.settle("axis", "yamada", "nowak")
        post.settle("allies", "nowak", "yamada")
    return found


@pytest.fixture(autouse=True)
def mail_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    post.stand_for_servers(monkeypatch)


def games() -> Iterator[GameFolder]:
    for name in ("axis", "allies", "third"):
        if GameFolder(Path(name)).exists:
            yield GameFolder(Path(name))


def outgoing() -> Files:
    """Everything signed that can leave: (player, seq) -> id."""
    found: Files = {}
    for path in Path().glob("*/outbox/*.yaml"):
        document: dict[str, Any] = read_document(path.read_bytes())[0]
        if document["type"] != "slip":
            found[document["player"], document["seq"]] = document_id(document)
    return found


def check_folder(folder: GameFolder, log_before: list[Any]) -> None:
    """`check_anew`, which reads nothing but the folder, once for the same bytes: a command writes to one folder of several."""
    now = bytes_of(folder.path), digest("log", log_before)
    if now not in SOUND:
        check_anew(folder, log_before)
        SOUND.add(now)


def check_anew(folder: GameFolder, log_before: list[Any]) -> None:
    """The log goes on from before; what has left is in it; what it needs of secrets is kept."""
    folder.check()
    documents = [e["document"] for e in folder.log.entries]
    assert documents[: len(log_before)] == log_before
    logged = {document_id(d) for d in documents}
    for path in [*folder.path.glob("outbox/*.yaml"), *folder.path.glob("files/[!r]*.yaml")]:  # a refused file is no file of it
        assert document_id(read_document(path.read_bytes())[0]) in logged, f"{path} is not in the log"
    secrets, draft = folder.secrets(), read_charter(folder.draft())
    assert secrets is None or (folder.path / "private" / "key").exists()
    mine = [p for p in draft.all_players if secrets and p.name == secrets.player and not took_over(folder, p.key)]
    for record in mine:
        assert secrets is not None
        assert record == record_of(secrets, draft.nonce, record.key), "the charter shows a chain that is not kept"
        if record.name in draft.document["signatures"]:
            assert secrets.signed_charter == draft.game_id
        if record.name == draft.umpire_name and draft.escrow_key:
            assert escrow.public(secrets.escrow_key) == draft.escrow_key, "chains are encrypted to a key that is not kept"
    if folder.is_running and secrets and (session := Session(folder)).is_seated:
        ledger, own = session.table.ledger, own_keys(folder)
        seals = [h for h, s in ledger.seals.items() if s.player == secrets.player and ledger.key_at(s.player, s.seq) in own]
        assert all(h in secrets.sealed for h in seals), "a seal was sent whose content is not kept"
        session.secrets().link(ledger.chains[secrets.player].shown + 1)


def own_keys(folder: GameFolder) -> set[str]:
    """The public halves of the keys in a folder."""
    held = [folder.private_key(name) for name in ("key", "key.next")]
    return {keys.public_text(private) for private in held if private is not None}


def took_over(folder: GameFolder, key: str) -> bool:
    """The folder's player is not the one who signed the charter under this name."""
    return folder.is_running and key not in own_keys(folder)


def logs() -> dict[str, list[Any]]:
    return {f.path.name: [e["document"] for e in f.log.entries] for f in games()}


def check_message(done: Done) -> None:
    """Plain sentences and a documented code."""
    assert done.code in range(18), done
    for line in done.err.splitlines():
        assert "Traceback" not in line and "fault of the program" not in line, done


def attempt(words: list[str], failure: Failure, monkeypatch: pytest.MonkeyPatch) -> Done | None:
    with everywhere(failure, monkeypatch):
        try:
            return run(*words)
        except Crash:
            return None


def sweep(start: Path, words: list[str], check: Callable[[], None], error: int, part: float, monkeypatch: Any) -> int:
    """Fail at step 1, 2, 3 ... until the command gets through, ANY at those in turn; returns about how many steps it has."""
    at, met, by = (turns.now(SHARES) + 1 - SHARES, set[str](), SHARES) if error == ANY else (0, set[str](), 1)
    while True:
        at += by
        work = start.parent / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(start, work)
        with inside(work):
            before = logs()
            failure = Failure(at, error=IN_TURN[at // SHARES % 6] if error == ANY else error, part=part)
            done = attempt(words, failure, monkeypatch)
            if not failure.hit:
                assert done is not None and done.code == 0, done
                return at - 1
            if done is not None:
                check_message(done)
            left = bytes_of(Path())
            if left not in met:  # where a failure leaves the same bytes as one before, the same follows
                met.add(left)
                after_failure(words, check, before)


def after_failure(words: list[str], check: Callable[[], None], before: dict[str, list[Any]]) -> None:
    """What stands now is before or after; the same command again finishes it, and what left does not change."""
    for folder in games():
        check_folder(folder, before.get(folder.path.name, []))
    check()
    left, between = outgoing(), logs()
    again = run(*words)
    check_message(again)
    for folder in games():
        check_folder(folder, between.get(folder.path.name, []))
    check()
    gone = outgoing()
    assert left.items() <= gone.items(), "another file at a place that was taken"
    for folder in games():
        for n, entry in enumerate(folder.log.entries):
            document, secrets = entry["document"], folder.secrets()
            author = document.get("signed_by") or document.get("player")
            newest = n == len(folder.log.entries) - 1
            if entry["kind"] == "file" and secrets and author == secrets.player and newest and Session(folder).is_seated:
                assert (document["player"], document["seq"]) in gone, "a file of the log is not in the outbox"
    assert finished(words), (words, again)


def finished(words: list[str]) -> bool:
    """What the command is for is there in the end."""
    folder = GameFolder(Path(words[-1]))
    match words[:2]:
        case ["key", _]:
            return run("key", "petrov").code == 0
        case ["new" | "join", _]:
            name = words[words.index("-g") + 1] if "-g" in words else "axis"
            return GameFolder(Path(name)).exists and (words[0] == "new" or GameFolder(Path(name)).secrets() is not None)
        case ["accept", _]:
            return "yamada" in GameFolder(Path("axis")).draft()["signatures"]
        case ["orders" | "report" | "map" | "backup" | "restore" | "prove", _]:
            last = {"backup": "b.zip", "restore": "third", "prove": "proof"}.get(words[0], words[-1])
            return Path(last).exists()
        case ["resign" | "audit", _]:
            return bool(folder.log.slips())
        case ["refuse", "wrong.yaml"]:
            return bool(folder.log.slips()) and bool(list(folder.path.glob("files/refused-*.yaml")))
        case ["receive", "axis/outbox"] if folder.log.files()[0]["system"] == "pacific-war":
            return len(folder.log.files()) == 2 and waits_told(folder)
        case ["wait", word]:
            waits = json.loads(run("wait", "--json", "-g", "allies").out)["waits"]
            return waits is (word == "on") and len(folder.log.files()) == (1 if waits else 3)
        case ["verify", _] | ["umpire", "check"]:
            return True
        case ["seat", "take"]:
            return Path("seat.yaml").exists()
        case ["seat", "secrets"]:
            return bool(handed_over())
        case ["umpire", "join"]:
            return read_charter(folder.draft()).umpire_name == "smith"
        case ["mail", "setup"]:
            return (folder.path / "mail.yaml").exists()
        case ["mail", "send"]:
            return post.sent() == {"charter", "0001-yamada"}
        case ["mail", "fetch"]:
            return post.marked() == ["1.eml"] and len(folder.log.files()) == 3
        case ["mail", "run"]:
            return post.marked() == ["1.eml"] and "0002-nowak" in post.sent()
        case ["mail", "remind"]:
            return post.sent() == {"reminder"}
    return newest_type(folder) == WRITES.get(words[0], "turn")


def waits_told(folder: GameFolder) -> bool:
    """A file without a decision is due and kept back, and its player is told so."""
    return bool(json.loads(run("status", "--json", "-g", str(folder.path)).out)["waits"] == 2)


WRITES = {"undo": "undo", "offer": "offer", "agree": "accept", "refuse": "decline", "seat": "seat"}


def newest_type(folder: GameFolder) -> str:
    """The type of the newest file of a log that its program can read."""
    assert json.loads(run("status", "--json", "-g", str(folder.path)).out)
    return str(folder.log.files()[-1]["type"])


STEPS_AT_LEAST = {"send": 20, "receive": 25, "restore": 15, "accept, the game begins": 15}


@pytest.mark.parametrize("name", COMMANDS)
def test_before_or_after(name: str, moments: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    moment, words, check = COMMANDS[name]
    assert sweep(moments[moment], words, check, ANY, 0.5, monkeypatch) >= STEPS_AT_LEAST.get(name, 0)


@pytest.mark.long
@pytest.mark.parametrize(("error", "part"), [q[1:] for q in EVERY], ids=[q[0] for q in EVERY])
@pytest.mark.parametrize("name", COMMANDS)
def test_every_failure_at_every_step(name: str, error: int, part: float, moments: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    moment, words, check = COMMANDS[name]
    assert sweep(moments[moment], words, check, error, part, monkeypatch) >= STEPS_AT_LEAST.get(name, 0)


def test_status_mends_what_a_crash_left_and_says_so(moments: Any, tmp_path: Path) -> None:
    shutil.copytree(moments["sent"], tmp_path / "w")
    with inside(tmp_path / "w"):
        Path("axis/outbox/0001-yamada.eml").unlink()
        with Path("axis/log.jsonl").open("ab") as log:
            log.write(b'{"n":2')
        said = run("status", "-g", "axis").out
        assert "0001-yamada.yaml was missing" in said and "6 bytes was dropped" in said
        assert Path("axis/outbox/0001-yamada.eml").exists()
        assert "missing" not in run("status", "-g", "axis").out


def test_a_damaged_checkpoint_is_no_loss(moments: Any, tmp_path: Path) -> None:
    shutil.copytree(moments["answered"], tmp_path / "w")
    with inside(tmp_path / "w"):
        before = json.loads(run("verify", "-g", "axis", "--json").out)
        path = Path("axis/checkpoint.json")
        saved = json.loads(path.read_bytes())
        for table in ({}, {"ledger": {}, "engine": {}, "due": {}}, {**saved["table"], "ledger": []}, 7):
            path.write_text(json.dumps({"head": saved["head"], "table": table}))
            assert json.loads(run("verify", "-g", "axis", "--json").out) == before
        for text in ("", "[]", "{", "\x00"):
            path.write_text(text)
            assert json.loads(run("verify", "-g", "axis", "--json").out) == before


@pytest.mark.parametrize("name", ["pbem.json", "private/secrets.json"])
@pytest.mark.parametrize("text", ["", "[]", "{}", "{", '{"format": "x"}'])
def test_a_damaged_file_of_the_folder_is_named(moments: Any, tmp_path: Path, name: str, text: str) -> None:
    shutil.copytree(moments["answered"], tmp_path / "w")
    with inside(tmp_path / "w"):
        Path("axis", name).write_text(text)
        done = run("send", "o.yaml", "-g", "axis", "--yes")
        assert done.code == 4 and Path(name).name in done.err, done
