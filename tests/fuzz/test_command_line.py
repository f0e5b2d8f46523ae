"""Random words and damaged files for every command: never a traceback, always an exit code of the documented list."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from hypothesis import given
from hypothesis import strategies as st

from pbem.cli.app import app
from pbem.protocol.outcomes import Outcome
from tests.commands import Done, inside, must, prepare, run
from tests.fuzz.amounts import quick, slow

CODES = {2, *(outcome.code for outcome in Outcome)}
TOO_LONG = {"board", "demo", "tutorial"}  # they play whole rounds, or serve a page


def commands(group: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Every command with its options."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*before, name))
        elif name not in TOO_LONG:
            yield (*before, name), [o for p in command.params for o in p.opts if o.startswith("-")]


COMMANDS = dict(commands(typer.main.get_command(app)))
PLACES = [
    "axis",
    "allies",
    "axis/outbox",
    "axis/log.jsonl",
    "axis/charter.yaml",
    "axis/outbox/0001-yamada.yaml",
    "o.yaml",
    "b.zip",
]
PLACES += [
    "allies/outbox/0002-nowak.eml",
    "home/keys/yamada",
    ".",
    "..",
    "/dev/null",
    "",
    "nowhere",
    "new/er",
    "x\x7f",
    "a" * 300,
    "-",
]
VALUES = [
    "1",
    "0",
    "-1",
    "99999999999999999999",
    "yamada",
    "nowak",
    "japan",
    "axis-and-allies-pacific",
    "CM-12",
    "draw",
    "pl",
    "html",
]
VALUES += [
    "bid=6",
    "bid",
    "=",
    "true",
    "\u202e",
    "{{7*7}}",
    "SZ 6",
    "dark",
    "\udcff",
    "--",
    "yamada,nowak",
    "1.5",
    "\u0663",
    "light",
]
WORDS = st.sampled_from(PLACES + VALUES) | st.text(
    st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=8
)


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = prepare(tmp_path_factory.mktemp("moments"))
    for folder in made.values():
        with inside(folder):
            if Path("axis/log.jsonl").exists() and Path("axis/private/key").exists():
                run("backup", "b.zip", "-g", "axis")
    return made


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder three levels down: what goes astray stays in it."""
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    with inside(deep):
        yield deep


def fresh(moment: Path) -> None:
    """The current folder as it was at a moment of the game."""
    for old in Path().iterdir():
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    shutil.copytree(moment, ".", dirs_exist_ok=True)


def judge(done: Done, words: Any) -> None:
    assert done.code in CODES, (words, done)
    assert "Traceback" not in done.err and "fault of the program" not in done.err + done.out, (words, done)
    assert done.code in (0, 2, 3) or done.err.strip() or done.out.strip(), (words, done)


@quick
@given(data=st.data())
def test_random_words(data: st.DataObject, moments: dict[str, Path], work: Path) -> None:
    fresh(moments[data.draw(st.sampled_from(sorted(moments)))])
    command = data.draw(st.sampled_from(sorted(COMMANDS)))
    options = [*COMMANDS[command], "--nonsense"]
    rest = data.draw(st.lists(st.tuples(st.sampled_from(options), WORDS).map(list) | WORDS.map(lambda w: [w]), max_size=4))
    words = [*command, *(w for part in rest for w in part)]
    if data.draw(st.booleans()) and "--game" in COMMANDS[command]:
        words += ["-g", data.draw(st.sampled_from(["axis", "allies"]))]
    if command == ("forecast",):
        words.append("--nonsense")  # its words are read, no games are played
    judge(run(*words, stdin=data.draw(st.text(max_size=20))), words)


def damage(path: Path, dice: random.Random) -> str:
    """One thing that happens to files."""
    data = path.read_bytes()
    at = dice.randrange(len(data) + 1)
    how = dice.choice(["cut", "byte", "gone", "empty", "folder", "noise", "twice", "other", "lines", "word"])
    lines = data.splitlines(keepends=True)
    match how:
        case "cut":
            path.write_bytes(data[:at])
        case "byte":
            path.write_bytes(data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :])
        case "gone":
            path.unlink()
        case "empty":
            path.write_bytes(b"")
        case "folder":
            path.unlink()
            path.mkdir()
        case "noise":
            path.write_bytes(dice.randbytes(dice.randrange(300)))
        case "twice":
            path.write_bytes(data + data)
        case "other":
            path.write_bytes(dice.choice([b"{}", b"[]", b"null", b"1", b'"a"', b"a: 1\n", b'{"a": null}', b"\xff\xfe"]))
        case "lines":
            dice.shuffle(lines)
            path.write_bytes(b"".join(lines))
        case "word":
            words = data.split(b'"')
            words[dice.randrange(len(words))] = dice.choice(
                [b"", b"-1", b"null", b"x" * 99, b"\xe2\x80\xae", b"99999999999999999999"]
            )
            path.write_bytes(b'"'.join(words))
    return how


FOLDER_COMMANDS = [
    ["status"], ["hand"], ["orders"], ["check", "o.yaml"], ["send", "o.yaml", "--yes"], ["receive", "allies/outbox"],
    ["receive", "axis/outbox"], ["report"], ["report", "--format", "html"], ["map"], ["log"], ["dice", "1"],
    ["verify"], ["audit"], ["prove", "1", "proof"], ["hint"], ["review"],
    ["backup", "c.zip"], ["restore", "b.zip", "again"], ["undo", "1"], ["offer", "draw"], ["agree"],
    ["refuse"], ["resign"], ["resign", "--yes"], ["accept"],
    ["accept", "allies/charter.yaml"], ["join", "allies/charter.yaml", "--as", "yamada", "--seats", "japan"], ["key", "yamada"],
    ["mail", "setup"], ["mail", "send"], ["mail", "run"], ["mail", "remind"], ["luck"], ["odds"],
    ["report", "--refused", "axis/outbox/0001-yamada.yaml"], ["umpire", "check"], ["seat", "renew"],
    ["restored"], ["sync"], ["sync", "--join"], ["heal"], ["claim"], ["rule", "loss"], ["dispute", "--to", "d.txt"],
    ["say", "all", "Well played."], ["say", "nowak", "Well played."], ["notes"], ["pin", "yunnan", "hold"],
    ["unsend", "--yes"], ["wait", "off"], ["hold"], ["hold", "off"],
]  # fmt: skip
ADDRESSES = """\
from: a@example.org
to:
  nowak: b@example.org
  yamada: c@example.org
smtp:
  host: localhost
  port: 1
  security: none
"""


@pytest.mark.in_turn(2)
@quick
@given(
    seed=st.integers(0, 2**32), moment=st.sampled_from(["joined", "signed", "running", "sent", "answered", "offered", "over"])
)
def test_damaged_files(seed: int, moment: str, moments: dict[str, Path], work: Path) -> None:
    fresh(moments[moment])
    dice = random.Random(seed)
    Path("axis/mail.yaml").write_text(ADDRESSES)
    Path("axis/mail-state.json").write_text('{"sent": {}, "reminded": {}, "seen": {}}')
    files = [p for p in Path().rglob("*") if p.is_file()]
    hurt = [(str(p), damage(p, dice)) for p in dice.sample(files, min(len(files), dice.choice([1, 1, 2, 5]))) if p.exists()]
    for words in dice.sample(FOLDER_COMMANDS, 5):
        with_game = words[0] in ("restore", "key", "odds")
        words = words if with_game else [*words, "-g", "axis"]
        if words[0] == "mail" or words[0] in {c[0] for c in COMMANDS}:
            judge(run(*words), (seed, hurt, words))


@slow
@given(seed=st.integers(0, 2**32))
def test_nothing_is_lost_in_the_log_by_reading(seed: int, moments: dict[str, Path], work: Path) -> None:
    fresh(moments["answered"])
    dice = random.Random(seed)
    log = Path("axis/log.jsonl")
    damage(log, dice)
    before = log.read_bytes() if log.is_file() else None
    for words in dice.sample([["log"], ["verify"], ["report"], ["map"], ["check", "o.yaml"]], 3):  # `status` mends
        judge(run(*words, "-g", "axis"), words)
    assert (log.read_bytes() if log.is_file() else None) == before


def test_every_command_is_among_the_tried_ones(moments: dict[str, Path], work: Path) -> None:
    """A new command with a game folder is tried on damaged ones too, or named here with the reason."""
    tried = {tuple(w[: 2 if w[0] in ("mail", "seat", "umpire") else 1]) for w in FOLDER_COMMANDS}
    needs_more = {
        ("mail", "fetch"),
        ("seat", "take"),
        ("seat", "give"),
        ("seat", "secrets"),
        ("umpire", "join"),
        ("umpire", "stand-in"),
        ("post",),  # needs a place; its own tests try it
        ("live",),  # goes on until it is stopped; strangers and half files in tests/live
        ("inbox",),  # takes folders of files, damaged ones in tests/cli/test_inbox.py
        ("forecast",),  # plays whole games; damaged results and folders in tests/batch/test_forecast.py
        ("league",),  # takes a folder of games, damaged ones in tests/batch/test_league.py
    }
    without_folder = {
        ("games",),
        ("scenarios",),
        ("scenario", "check"),
        ("rules",),
        ("new",),
        ("play",),
        ("replay",),
        ("arena",),
    }
    without_folder |= {("schema",), ("judge",), ("passphrase",), ("card",), ("manual",), ("charts",)}
    assert len(COMMANDS) > 30
    assert set(COMMANDS) - tried - needs_more - without_folder == set()


def test_a_folder_that_cannot_be_written(moments: dict[str, Path], work: Path) -> None:
    if os.getuid() == 0:  # root writes everywhere: a file where a folder should be does the same
        fresh(moments["running"])
        shutil.rmtree("axis/outbox")
        Path("axis/outbox").write_text("")
    else:
        fresh(moments["running"])
        Path("axis").chmod(0o500)
    try:
        for words in (["send", "o.yaml", "--yes"], ["status"], ["resign", "--yes"], ["backup", "axis/b.zip"]):
            judge(run(*words, "-g", "axis"), words)
    finally:
        Path("axis").chmod(0o700)
    assert must("games")
