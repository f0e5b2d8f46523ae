"""What a log says of its lines: the first that is not as it was written, what stands, what was ever in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.disk import Disk
from pbem.store.log import Log, bundle

MANY, OLD = 40, 23  # entries of a long log, and the last of those for which the next line's hash vouches on opening


def written(path: Path, kinds: list[str], documents: list[Any]) -> Log:
    log = Log.open(Disk(), path)
    for n, (kind, document) in enumerate(zip(kinds, documents, strict=True)):
        log.append(kind, document, f"time {n}")
    return log


@pytest.fixture
def long(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    written(path, ["charter", *["file"] * (MANY - 1)], [{"seq": n} for n in range(MANY)])
    return path


def changed(path: Path, n: int, change: Callable[[bytes], bytes]) -> None:
    lines = path.read_bytes().split(b"\n")
    lines[n] = change(lines[n])
    path.write_bytes(b"\n".join(lines))


def damage(path: Path) -> str:
    with pytest.raises(ProtocolError) as caught:
        Log.open(Disk(), path)
    assert caught.value.outcome is Outcome.LOG_DAMAGED
    return str(caught.value)


# -- damage -------------------------------------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no JSON": (lambda line: line[:-1], "is not readable"),
    "no UTF-8": (lambda line: b"\xff" + line, "is not readable"),
    "too deep": (lambda line: b"[" * 100_000, "is not readable"),
    "a number": (lambda line: b"5", "does not follow"),
    "null": (lambda line: b"null", "does not follow"),
    "without keys": (lambda line: b"{}", "does not follow"),
    "another form": (lambda line: line.replace(b",", b", ", 1), "is not in canonical form"),
    "another kind": (lambda line: line.replace(b'"kind":"file"', b'"kind":"note"'), "is no charter, file or slip"),
}


@pytest.mark.parametrize("n", [1, OLD - 1, OLD, OLD + 1, MANY - 1])
@pytest.mark.parametrize("how", BROKEN)
def test_the_first_line_that_is_not_as_it_was_written_is_named(how: str, n: int, long: Path) -> None:
    change, says = BROKEN[how]
    changed(long, n, change)
    assert f"log entry {n} {says}" in damage(long)


@pytest.mark.parametrize("n", [0, 1, OLD, MANY - 2])
def test_a_changed_word_shows_at_the_line_behind_it(n: int, long: Path) -> None:
    changed(long, n, lambda line: line.replace(b'"received":"time', b'"received":"TIME'))
    assert f"log entry {n + 1} does not follow entry {n}" in damage(long)


def rechained(path: Path, n: int) -> None:
    """Line `n` in another form, and the hashes behind it as if it had been written so."""
    head, lines = "", []
    for place, line in enumerate(path.read_bytes().split(b"\n")[:-1]):
        plain = json.loads(line)
        text = canonical({**plain, "prev": head or plain["prev"]})
        text = text.replace(b",", b", ", 1) if place == n else text
        head = sha256_hex(text)
        lines.append(text + b"\n")
    path.write_bytes(b"".join(lines))


def test_opening_looks_at_the_form_of_the_newest_lines_and_check_at_that_of_all(long: Path) -> None:
    rechained(long, 20)
    log = Log.open(Disk(), long)
    assert len(log.entries) == MANY
    with pytest.raises(ProtocolError, match="log entry 20 is not in canonical form"):
        log.check()
    rechained(long, MANY - 5)
    assert f"log entry {MANY - 5} is not in canonical form" in damage(long)


def test_check_reads_the_newest_line_too_as_it_is_on_the_disk_now(long: Path) -> None:
    log = Log.open(Disk(), long)
    log.check()
    changed(long, MANY - 1, lambda line: line.replace(b'"received":"time', b'"received" "tim'))
    with pytest.raises(ProtocolError, match=f"log entry {MANY - 1} is not readable"):
        log.check()


def test_a_log_of_other_kinds_is_checked_by_them(tmp_path: Path) -> None:
    log = Log.open(Disk(), tmp_path / "log.jsonl", kinds=("signed",))
    log.append("signed", {"id": "a"}, "t")
    log.check()


# -- what stands ---------------------------------------------------------------------------------------------------------------


def chain(charter: dict[str, Any], *names: str) -> list[dict[str, Any]]:
    files, before = [], document_id(charter)
    for seq, name in enumerate(names, 1):
        files.append({"type": "turn", "seq": seq, "prev": before, "note": [name]})
        before = document_id(files[-1])
    return files


def test_behind_a_heal_stand_the_files_of_the_version_kept_void_places_and_the_heal(tmp_path: Path) -> None:
    charter: dict[str, Any] = {"type": "charter"}
    kept, other = chain(charter, "a", "b"), chain(charter, "a", "x", "y")
    heal = {
        "type": "heal",
        "seq": 4,
        "to": 2,
        "prev": document_id(kept[1]),
        "forked": {"player": "nowak", "seq": 2},
        "versions": [kept[1:], other[1:]],
    }
    log = written(tmp_path / "log.jsonl", ["charter", *["file"] * 3, "slip", "heal"], [charter, *other, {"slip": "head"}, heal])
    stands = [charter, kept[0], kept[1], {"type": "void", "seq": 3}, heal]
    for one in (log, Log.open(Disk(), log.path)):
        assert one.files() == stands
        assert [e["received"] for e in one.standing()] == ["time 0", "time 1", *["time 5"] * 3]
        assert [e["kind"] for e in one.standing()] == ["charter", *["file"] * 4], "what was here keeps its time of receipt"
        assert one.slips() == [{"slip": "head"}]
        assert one.known() == other, "whatever was in the log, by heal or by post"


@pytest.mark.parametrize(
    "healing", [{"type": "heal"}, {"type": "heal", "seq": 4, "forked": {"seq": 9}, "versions": [[{"prev": "x"}]]}]
)
def test_a_heal_of_another_log_is_damage(healing: dict[str, Any], tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", ["charter", "heal"], [{"type": "charter"}, healing])
    with pytest.raises(ProtocolError) as caught:
        log.files()
    assert caught.value.outcome is Outcome.LOG_DAMAGED
    why = _why(healing)
    assert str(caught.value) == f"log entry 1 heals another log than this: {why}"
    if isinstance(why, ProtocolError):
        assert caught.value.message.args["error"] == why.told, "so that it is told in the reader's language"


def _why(healing: dict[str, Any]) -> Exception:
    """What the protocol says of a heal behind a charter alone."""
    with pytest.raises((ProtocolError, LookupError, TypeError)) as caught:
        heal.line([{"type": "charter"}], healing)
    return caught.value


def test_what_was_withdrawn_was_in_the_log_and_what_was_unsent_never(tmp_path: Path) -> None:
    charter: dict[str, Any] = {"type": "charter"}
    refused, unsent, newest = chain(charter, "refused")[0], chain(charter, "unsent")[0], chain(charter, "newest")[0]
    again = chain(charter, "unsent and sent again")[0]
    out = [{"seq": 1, "id": document_id(d), "refusal": None} for d in (refused, unsent, again)]
    log = Log.open(Disk(), tmp_path / "log.jsonl")
    log.append("charter", charter, "t")
    log.append("file", refused, "t")
    log.append("withdrawn", out[0], "t")
    assert log.files() == [charter] and log.known() == [refused], "nothing was unsent"
    log.append("file", unsent, "t")
    log.append("withdrawn", {**out[1], "unsent": [document_id(unsent)]}, "t")
    log.append("file", newest, "t")
    assert log.files() == [charter, newest] and log.known() == [refused, newest]
    log.append("withdrawn", {**out[2], "unsent": [document_id(newest)]}, "t")
    log.append("file", newest, "t")
    assert log.known() == [refused, newest, newest], "what was taken back and signed again stands"


def test_a_bundle_names_its_newest_file() -> None:
    files: list[dict[str, Any]] = [{"pbem": 2, "type": "charter"}, *chain({"pbem": 2, "type": "charter"}, "a", "b", "c")]
    assert bundle(files, [{"slip": "head"}]) == {
        "pbem": 2,
        "type": "game",
        "charter": files[0],
        "files": files[1:],
        "slips": [{"slip": "head"}],
        "head": document_id(files[-1]),
    }
