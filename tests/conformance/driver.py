"""Runs a verifier on every vector and tells where it comes out otherwise: `python -m tests.conformance COMMAND...`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem.protocol.outcomes import Outcome
from tests.protocol.make_vectors import FOLDER
from tests.protocol.vector_sets.form import read

DOCUMENTS = ("heal", "yaml", "block", "charter", "file", "slip")
LOGS = ("log", "audit")
VALUES = ("document", "key", "signature", "sshsig", "chain", "dice", "merkle", "draw", "opening")
CODES = {outcome.word: outcome.code for outcome in Outcome}
WORDS = {outcome.code: outcome.word for outcome in Outcome}
TIME_LIMIT = 60
Verifier = Callable[[list[str]], tuple[int, str, str]]  # words -> exit code, standard output, standard error


@dataclass(frozen=True)
class Case:
    """A vector as a verifier gets it: verb, the bytes of its file, words behind it, and what is to come out."""

    path: str
    verb: str
    body: bytes
    more: tuple[str, ...]
    code: int
    prints: dict[str, str]
    needs: str


@dataclass(frozen=True)
class Difference:
    """Where a verifier comes out otherwise."""

    path: str
    expected: str
    came: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, came out {self.came}"


def cases(folder: Path = FOLDER) -> Iterator[Case]:
    """Every vector that the three verbs cover: all but stored logs, which are nobody else's."""
    for file in sorted(folder.glob("*/*.txt")):
        headers, body = read(file.read_bytes())
        kind, path = headers["kind"], str(file.relative_to(folder))
        prints = {k: headers[k] for k in ("id", "canonical-sha256") if k in headers and headers["expect"] == "done"}
        if kind in DOCUMENTS:
            more = (headers["key"],) if "key" in headers else ()
            yield Case(path, "document", body, more, CODES[headers["expect"]], prints, "")
        elif kind in LOGS:
            yield Case(path, "log", body, (), CODES[headers["expect"]], {}, headers.get("needs", ""))
        elif kind in VALUES:
            whole = b'{"kind":' + json.dumps(kind).encode() + b',"case":' + _case(kind, body) + b"}"
            yield Case(path, "value", whole, (), CODES[headers["expect"]], prints, "")
        elif kind != "store":
            raise AssertionError(f"{path}: no verb judges vectors of kind {kind}")


def _case(kind: str, body: bytes) -> bytes:
    return json.dumps(body.decode()).encode() if kind == "key" else body


def command(words: Sequence[str]) -> Verifier:
    """A verifier that is a command."""

    def run(more: list[str]) -> tuple[int, str, str]:
        done = subprocess.run([*words, *more], capture_output=True, text=True, timeout=TIME_LIMIT)
        return done.returncode, done.stdout, done.stderr

    return run


def judge(verifier: Verifier, case: Case, folder: Path, rules: bool) -> Difference | None:
    """What a verifier makes of one case. One that does not know the rules of the game finds nothing where it takes them."""
    path = folder / "case"
    path.write_bytes(case.body)
    code, out, why = verifier([case.verb, str(path), *case.more])
    expected = 0 if case.needs == "rules" and not rules else case.code
    if code != expected:
        return Difference(case.path, WORDS[expected], f"{WORDS.get(code, f'exit code {code}')}: {why.strip()[-300:]}")
    printed = dict(line.split(": ", 1) for line in out.splitlines() if ": " in line)
    wrong = [name for name, text in case.prints.items() if printed.get(name) != text]
    return Difference(case.path, f"{wrong[0]} {case.prints[wrong[0]]}", str(printed.get(wrong[0]))) if wrong else None


def differences(verifier: Verifier, chosen: Sequence[Case], folder: Path, rules: bool = True) -> list[Difference]:
    """Everything that a verifier does otherwise."""
    found = (judge(verifier, case, folder, rules) for case in chosen)
    return [difference for difference in found if difference is not None]
