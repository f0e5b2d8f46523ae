"""A page's requests at random, the command line and another editor between them, and the program killed in the middle of some:
the order file is never lost or half written, and no file is signed but with the orders that were looked at.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli import local
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.paper import read_paper
from pbem.store.session import Session
from tests.board.serving import post
from tests.commands import must

USUAL: dict[str, float] = {}  # seconds that a request takes
LONG = "# " + "kept " * 4000 + "\n"  # a comment that no half of a file would hold whole


# The system kills a program that writes a file beyond so many bytes, in the middle of the write.
DYING = """
import resource, runpy, signal
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
runpy.run_module("pbem", run_name="__main__", alter_sys=True)
"""


@contextmanager
def program(folder: Path, limit: int = 0) -> Iterator[Any]:
    """`pbem board` in a process of its own; killed at the end, if it still runs. `limit`: it dies writing a larger file."""
    begun = ["-c", DYING.format(limit=limit)] if limit else ["-m", "pbem"]
    command = [sys.executable, *begun, "board", "-g", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        door = Path(process.stdout.readline().rpartition(": ")[2].strip())
        address = door.read_text().partition("url=")[2].partition('"')[0]
        port, _, key = address.removeprefix("http://127.0.0.1:").partition("/#")
        try:
            yield SimpleNamespace(port=int(port), key=key, process=process)
        finally:
            process.kill()
            process.wait()


@dataclass
class World:
    """One player's folder, what he knows of it, and what has happened to it."""

    folder: Path
    dice: random.Random
    text: str = ""
    signed: int = 0
    done: dict[str, int] = field(default_factory=dict)

    @property
    def draft(self) -> str:
        file = self.folder / "unsent.yaml"
        return file.read_text() if file.exists() else ""

    def count(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1


def asked(server: Any, address: str, **plain: Any) -> Any:
    """The answer; None when it is refused or the program is gone."""
    try:
        answer = post(server, address, {"game": 0, **plain})
        return answer.plain if answer.status == 200 else None
    except (OSError, LookupError, ValueError):
        return None


def changed(world: World, server: Any, seen: str) -> tuple[str, dict[str, Any]]:
    """A change of the order file as the page asks for it."""
    orders = read_paper(world.text).orders
    text = f"{LONG}orders:\n  - buy: {world.dice.randint(1, 4)} infantry\n  - done\n"
    ways: list[tuple[str, dict[str, Any]]] = [("/sheet", {"text": text})]
    buy = {"verb": "buy", "chosen": [["unit", "infantry", world.dice.randint(1, 3)]]}
    ways.append(("/take", buy if not orders else {"verb": "done", "chosen": []}))
    if orders:
        ways += [("/undo", {}), ("/remove", {"at": world.dice.randrange(len(orders))})]
        ways.append(("/take", {**buy, "instead": 0}))
    address, plain = world.dice.choice(ways)
    return address, {**plain, "seen": seen}


def check(world: World, before: str, address: str) -> None:
    """The file is a whole one: as it was before or as the change leaves it. Nothing of the comment is lost."""
    now = world.draft
    paper = read_paper(now)
    assert LONG in now or LONG not in before or not now, (address, now[:80])
    was = read_paper(before).orders
    if now != before and address in ("/take", "/undo", "/remove"):
        assert abs(len(paper.orders) - len(was)) <= 2 or "instead" in address
    world.text = now


def send(world: World, server: Any, kills: bool) -> None:
    """Look at the file and send it; perhaps the program is killed meanwhile, perhaps somebody else writes in between."""
    sheet, review = asked(server, "/sheet"), asked(server, "/review")
    if not sheet or not review or not sheet["desk"]:
        return
    text, other = sheet["desk"]["text"], world.dice.random() < 0.3
    if other:
        (world.folder / "unsent.yaml").write_text(LONG + "orders:\n  - buy: 4 infantry\n")
    told = {"text": text, "seen": sheet["changes"]["draft"], "head": sheet["head"], "digest": review["digest"]}
    in_between(server, "/send", told, kills, world.dice)
    files = [entry for entry in Session.open(world.folder).folder.log.files()[1:] if entry["player"] == "yamada"]
    if len(files) > world.signed:
        assert len(files) == world.signed + 1 and not other, "signed without having been looked at"
        assert files[-1]["orders"] == [*read_paper(text).draft.orders][: len(files[-1]["orders"])]
        world.signed += 1
        world.count("signed")
    else:
        assert world.draft == (LONG + "orders:\n  - buy: 4 infantry\n" if other else text), "kept while it is not signed"
    world.text = world.draft


def in_between(server: Any, address: str, plain: dict[str, Any], kills: bool, dice: random.Random) -> None:
    """A request; the program dies somewhere in the middle of it."""
    if not kills:
        began = time.monotonic()
        asked(server, address, **plain)
        USUAL[address] = time.monotonic() - began
        return
    thread = threading.Thread(target=asked, args=(server, address), kwargs=plain)
    thread.start()
    time.sleep(USUAL.get(address, 0.02) * dice.random())
    os.kill(server.process.pid, signal.SIGKILL)
    thread.join()


def lived(world: World, server: Any, requests: int) -> None:
    """One life of the program: requests at random, the last one cut off."""
    for n in range(requests):
        last, before = n == requests - 1, world.draft
        if world.dice.random() < (0.5 if last else 0.15):
            send(world, server, last)
            continue
        changes = asked(server, "/changes")
        if changes is None:
            return
        address, plain = changed(world, server, changes["draft"])
        in_between(server, address, plain, last, world.dice)
        check(world, before, address)
        world.count(address)
        if world.dice.random() < 0.15:
            (world.folder / "unsent.yaml").write_text(f"{LONG}orders:\n  - buy: 1 infantry\n")
            world.text = world.draft
            world.count("edited")


def by_command(world: World) -> None:
    """Between two lives the command line sends the same file, or does not."""
    file = world.folder / "unsent.yaml"
    orders = read_paper(world.draft).orders if file.exists() else ()
    if orders and world.dice.random() < 0.4:
        before = Session.open(world.folder).table.last
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(world.folder)
            try:
                must("send", str(file), "-g", str(world.folder), "--yes")
            except (AssertionError, ProtocolError):
                return
        world.signed += Session.open(world.folder).table.last - before
        file.unlink(missing_ok=True)
        world.text = ""
        world.count("command")


def random_life(folder: Path, seed: int, lives: int, requests: int) -> World:
    world = World(folder / "yamada", random.Random(seed))
    with local.own_keys(folder):
        for _ in range(lives):
            with program(world.folder) as server:
                lived(world, server, requests)
            by_command(world)
        session = Session.open(world.folder)
        numbers = [document["seq"] for document in session.folder.log.files()[1:]]
        assert numbers == [*range(1, len(numbers) + 1)], "never two files of one number"
        assert session.replayed().last == session.table.last == world.signed
        assert must("verify", "-g", str(world.folder))
    return world


@pytest.mark.parametrize("address", ["/sheet", "/take"])
def test_the_program_dies_in_the_middle_of_a_write(address: str, folder: Path) -> None:
    """Whatever way it takes, a write that is cut off leaves the file as it was, and the next program goes on with it."""
    long, file = LONG * 20, folder / "yamada" / "unsent.yaml"
    old = "# mine\norders:\n  - buy: 1 infantry\n" if address == "/sheet" else long + "orders:\n  - buy: 1 infantry\n"
    file.write_text(old)
    new = {"/sheet": {"text": long + "orders:\n  - buy: 2 infantry\n"}, "/take": {"verb": "done", "chosen": []}}[address]
    with local.own_keys(folder):
        with program(folder / "yamada", limit=len(long) // 2) as server:
            seen = asked(server, "/changes")["draft"]
            assert asked(server, address, seen=seen, **new) is None
            assert server.process.wait(20) == -signal.SIGXFSZ
        assert file.read_text() == old
        with program(folder / "yamada") as server:
            sheet = asked(server, address, seen=asked(server, "/changes")["draft"], **new)
            assert sheet["desk"]["text"] == file.read_text() != old


def test_a_draft_outlives_kills(folder: Path) -> None:
    world = random_life(folder, 11, 4, 10)
    assert sum(world.done.values()) > 25 and world.signed and len(world.done) > 4, world.done


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_a_draft_outlives_many_kills(folder: Path, seed: int) -> None:
    random_life(folder, 100 + seed, 10, 25)
