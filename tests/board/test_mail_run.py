"""`pbem mail run`, begun by the clock, at work while page and command line write files; killed in the middle of some."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.board.server import Server
from pbem.store.session import Session
from tests.board.serving import ask, post
from tests.commands import must, run
from tests.transport.servers import PostOffice, certificate, smtp_server

SETTINGS = """from: yamada@example.org
to:
  nowak: nowak@example.org
smtp:
  host: localhost
  port: {port}
  security: none
  timeout: 3
"""
ROUNDS = 4


def mailing(folder: Path) -> subprocess.Popen[str]:
    """The command in a process of its own, as a timer begins it."""
    command = [sys.executable, "-m", "pbem", "mail", "run", "-g", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def by_page(server: Server, text: str) -> bool:
    """The page sends a file; whether it was signed. While another program is at work it is told to try again."""
    sheet = ask(server, "/sheet", text=text, seen=ask(server, "/changes")["draft"])
    told = {"text": text, "seen": sheet["changes"]["draft"], "head": sheet["head"], "digest": ask(server, "/review")["digest"]}
    answer = post(server, "/send", {"game": 0, **told})
    assert answer.status in (200, 422), answer
    return answer.status == 200


def by_command(folder: Path, text: str) -> bool:
    """The command line does."""
    file = folder.parent / "orders.yaml"
    file.write_text(text)
    return run("send", str(file), "-g", str(folder), "--yes").code == 0


def numbers(office: PostOffice) -> Counter[int]:
    """How often each file has come by mail, with the one that opens the game."""
    subjects = [str(message_from_bytes(mail, policy=policy.default)["Subject"]) for _, _, mail in office.mails]
    return Counter(int(subject.rpartition("#")[2].rstrip(")")) for subject in subjects)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 12))])
def test_page_command_line_and_timer_on_one_folder(server: Server, folder: Path, tmp_path: Path, seed: int) -> None:
    """The log is whole, no number is given twice, and every file goes out: once, but where the program died while it sent."""
    dice, mine, signed, killed = random.Random(seed), folder / "yamada", 0, 0
    with smtp_server(*certificate(tmp_path), "none") as office:
        (mine / "mail.yaml").write_text(SETTINGS.format(port=office.port))
        for _ in range(ROUNDS):
            text = "orders:\n  - buy: 1 infantry\n"
            with mailing(mine) as timer:
                for _attempt in range(20):
                    done = by_page(server, text) if dice.random() < 0.5 else by_command(mine, text)
                    if done:
                        break
                signed += done
                if dice.random() < 0.5:
                    timer.send_signal(signal.SIGKILL)
                    killed += 1
                else:
                    assert timer.wait(60) == 0, timer.communicate()
        must("mail", "run", "-g", str(mine))
        session = Session.open(mine)
        entries = [entry["seq"] for entry in session.folder.log.files()[1:]]
        assert entries == [*range(1, signed + 1)] and signed == ROUNDS
        assert session.replayed().last == signed and must("verify", "-g", str(mine))
        sent = numbers(office)
        assert set(sent) == {0, *entries} and sum(sent.values()) - len(sent) <= killed
        before = len(office.mails)
        must("mail", "run", "-g", str(mine))
        assert len(office.mails) == before
    assert not list(mine.rglob("*.new"))
