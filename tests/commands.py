"""Running the command line in process, and a small Pacific game prepared by it at several moments."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from pbem.cli import app, speech

ALLIES = "united-states,china,united-kingdom,anzac"
ORDERS = """\
orders:
  - done
  - move: 3 infantry from Kwangsi to Hunan
  - done
standing:
  casualties: cheapest first
sealed_standing:
  retreat: press
note:
  - Good luck.
"""


@dataclass(frozen=True)
class Done:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


def run(*words: str, stdin: str = "") -> Done:
    """A command as the shell would start it, in this process."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = (sys.argv, sys.stdin), ["pbem", *words]
    sys.stdin = io.StringIO(stdin)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            app.main()
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(bool(leaving.code))
    finally:
        sys.argv, sys.stdin = before
        speech.begin("")  # the language was that of this command alone
    return Done(code, out.getvalue(), err.getvalue())


def must(*words: str) -> str:
    """A command that succeeds; its output."""
    done = run(*words)
    assert done.code == 0, (words, done)
    return done.out


def begun() -> None:
    """A game in two folders of this one: `axis` of yamada, `allies` of nowak."""
    must("new", "axis")
    must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
    must("accept", "-g", "allies")
    must("accept", "allies/charter.yaml", "-g", "axis")
    must("accept", "axis/charter.yaml", "-g", "allies")


@contextlib.contextmanager
def inside(folder: Path):  # type: ignore[no-untyped-def]
    """Work in a folder that holds the keys too."""
    before, home = Path.cwd(), os.environ.get("PBEM_HOME")
    os.chdir(folder)
    os.environ["PBEM_HOME"] = "home"
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.pop("PBEM_HOME")
        if home is not None:
            os.environ["PBEM_HOME"] = home


def bytes_of(folder: Path, place: bytes = b"") -> str:
    """A digest of all that lies in a folder, names and rights included; `place`, where it lies, counts for nothing."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        held = b"" if path.is_dir() else path.read_bytes()
        held = held.replace(place, b"") if place else held
        found.update(f"{path}\n{path.stat().st_mode}\n{len(held)}\n".encode() + held)
    return found.hexdigest()


def prepare(root: Path) -> dict[str, Path]:
    """Folders with the same game at these moments: empty, drafted, joined, signed, running, sent, answered, offered, over."""
    moments: dict[str, Path] = {}
    (root / "now").mkdir()

    def keep(name: str) -> None:
        moments[name] = root / name
        shutil.copytree(root / "now", root / name)

    with inside(root / "now"):
        Path("o.yaml").write_text(ORDERS)
        keep("empty")
        must("new", "axis")
        keep("drafted")
        must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
        must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
        keep("joined")
        must("accept", "-g", "allies")
        keep("signed")
        must("accept", "allies/charter.yaml", "-g", "axis")
        must("accept", "axis/charter.yaml", "-g", "allies")
        keep("running")
        must("send", "o.yaml", "-g", "axis", "--yes")
        keep("sent")
        must("receive", "axis/outbox/0001-yamada.eml", "-g", "allies")
        must("receive", "allies/outbox", "-g", "axis")
        keep("answered")
        must("undo", "1", "-g", "axis")
        must("receive", "axis/outbox", "-g", "allies")
        keep("offered")
        must("refuse", "-g", "allies")
        must("receive", "allies/outbox", "-g", "axis")
        must("resign", "--yes", "-g", "allies")
        must("receive", "allies/outbox", "-g", "axis")
        keep("over")
    return moments
