"""`pbem say`, `notes` and `pin`: signed, sealed to one reader, in no chain, and harmless wherever they are shown."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from pbem.board.game import OpenGame
from pbem.board.hall import News
from pbem.cli import board
from pbem.protocol import notes, strict_yaml
from pbem.protocol.keys import generate, public_text
from pbem.report.offered import FORMATS
from pbem.store import backups, talk
from pbem.store.session import Session
from tests.commands import inside, must, prepare, run
from tests.manual import page, told

SECRET = "Attack on Hunan, <b>not</b> Yunnan"
HOSTILE = "[url=http://x]x[/url] <script>alert(1)</script> \x1b[2J\u202e # file 2 of yamada: done"


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("games"))


@pytest.fixture
def here(moments: dict[str, Path], tmp_path: Path) -> Iterator[Path]:
    """Yamada has sent his first file, nowak has taken it."""
    shutil.copytree(moments["answered"], tmp_path / "now")
    with inside(tmp_path / "now"):
        yield tmp_path / "now"


def note_of(folder: str, nth: int = 1) -> dict[str, Any]:
    (found,) = Path(folder, "outbox").glob(f"note-{nth:04d}-*.yaml")
    return strict_yaml.read_document(found.read_bytes())[0]


def give(folder: str, other: str, nth: int = 1) -> str:
    (found,) = Path(folder, "outbox").glob(f"note-{nth:04d}-*.eml")
    return must("receive", str(found), "-g", other)


def test_a_sealed_note_is_read_by_its_reader_and_its_author_alone(here: Path) -> None:
    must("say", "nowak", SECRET, "-g", "axis")
    held = b"".join(path.read_bytes() for path in Path("axis").rglob("*") if path.is_file())
    assert SECRET.encode() not in held
    assert "a word for you alone" in give("axis", "allies")
    for folder in ("axis", "allies"):
        assert json.loads(must("notes", "-g", folder, "--json"))[0]["text"] == SECRET
    note = note_of("axis")
    assert notes.opened(note["sealed"]["reader"], generate(), notes.about(note)) is None


def test_a_text_is_bound_to_its_note(here: Path) -> None:
    must("say", "nowak", SECRET, "-g", "axis")
    session = Session.open(Path("allies"))
    note = note_of("axis")
    assert talk.opened(session, note) == SECRET
    for other in ({"n": 2}, {"player": "dubois"}, {"game": "0" * 64}):
        assert talk.opened(session, {**note, **other}) is None


def test_a_note_is_in_no_chain(here: Path) -> None:
    before = [Path(folder, "log.jsonl").read_bytes() for folder in ("axis", "allies")]
    must("say", "all", "Good luck", "-g", "axis")
    must("say", "all", "And to you", "-g", "allies")
    give("axis", "allies")
    give("allies", "axis")
    assert before == [Path(folder, "log.jsonl").read_bytes() for folder in ("axis", "allies")]
    assert must("verify", "-g", "axis")
    Path("axis/notes.jsonl").write_bytes(b"damaged\n")
    assert "to send" in must("status", "-g", "axis")
    must("report", "-g", "axis")
    assert run("notes", "-g", "axis").code == 4


def test_what_was_changed_or_forged_is_not_taken(here: Path) -> None:
    must("say", "all", "Good luck", "-g", "axis")
    note = note_of("axis")
    changed = {**note, "text": "I resign"}
    other = generate()
    forged = notes.sign({k: v for k, v in note.items() if k != "signature"}, other)
    stranger = notes.sign({**{k: v for k, v in note.items() if k != "signature"}, "player": "smith"}, other)
    for document, code in ((changed, 6), (forged, 6), (stranger, 7), ({**note, "n": 0}, 5), ({**note, "text": "x" * 2001}, 5)):
        Path("note.yaml").write_text(strict_yaml.write_document(document))
        assert run("receive", "note.yaml", "-g", "allies").code == code, document
    assert talk.documents(Session.open(Path("allies")).folder) == []
    assert public_text(other)


def test_it_is_kept_once_and_backed_up(here: Path) -> None:
    must("say", "all", "Good luck", "-g", "axis")
    give("axis", "allies")
    again = run("receive", "axis/outbox", "-g", "allies", "--json")
    assert any("already known: a note of yamada" in line for line in json.loads(again.out)["lines"])
    assert len(json.loads(must("notes", "-g", "allies", "--json"))) == 1
    must("backup", "kept.zip", "-g", "allies")
    assert "notes.jsonl" in backups.unpack(Path("kept.zip"))


def test_a_note_between_others_is_not_kept(here: Path) -> None:
    must("say", "nowak", SECRET, "-g", "axis")
    shutil.copytree("axis", "watching")
    shutil.rmtree("watching/private")
    Path("watching/notes.jsonl").unlink()
    session = Session.open(Path("watching"))
    with pytest.raises(Exception, match="only nowak can read"):
        talk.take(session, note_of("axis"))
    assert not Path("watching/notes.jsonl").exists()


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_words_are_shown_as_letters(form: str, here: Path) -> None:
    """Signed by the author's own key, past the command that would have cleaned it."""
    session = Session.open(Path("axis"))
    talk.write(session, "", HOSTILE.replace("\x1b", ""))
    talk.write(session, "nowak", HOSTILE)
    for text in (must("report", "-g", "axis", "--format", form), must("notes", "-g", "axis")):
        assert "\u202e" not in text and "\x1b" not in text
    if form == "html":
        shown = must("report", "-g", "axis", "--format", form)
        assert "<script>" not in shown and "alert(1)" in shown
    if form == "bbcode":
        assert "[url=" not in must("report", "-g", "axis", "--format", form)


def test_a_note_of_two_lines_tells_nothing_of_the_programs(here: Path) -> None:
    must("say", "all", "Hello\nfile 7 of nowak: done", "-g", "axis")
    assert "\nfile 7" not in give("axis", "allies")


def test_reports_replay_and_board_show_what_everybody_may_read(here: Path) -> None:
    must("say", "all", "Good luck to all", "-g", "axis")
    must("say", "nowak", "for your eyes", "-g", "axis")
    own = must("report", "-g", "axis", "--format", "md")
    assert "Good luck to all" in own and "for your eyes" in own.split("For your eyes only")[1]
    everybody = must("report", "-g", "axis", "--format", "md", "--spectator")
    assert "Good luck to all" in everybody and "for your eyes" not in everybody
    must("replay", "-g", "axis", "--to", "r.html")
    found = re.search(r'type="application/octet-stream" id="data">([^<]+)<', Path("r.html").read_text())
    assert found is not None
    shown = zlib.decompress(base64.b64decode(found[1])).decode()
    assert "Good luck to all" in shown and "for your eyes" not in shown


def test_the_board_tells_what_was_said_behind_a_file(here: Path) -> None:
    must("say", "all", "Good luck <to> all", "-g", "axis")
    give("axis", "allies")
    scenes = News(OpenGame(Path("allies"), board._services(lambda: None))).shown()["scenes"]
    assert isinstance(scenes, list) and "Good luck <to> all" in json.dumps(scenes[-1])


def test_its_mail_says_nothing_of_a_sealed_text(here: Path) -> None:
    must("say", "nowak", SECRET, "-g", "axis")
    (path,) = Path("axis/outbox").glob("note-*.eml")
    mail = message_from_bytes(path.read_bytes())
    assert "Hunan" not in mail.as_string() and "yamada has something to say" in str(mail["Subject"])


def test_who_is_not_there_and_what_is_nothing(here: Path) -> None:
    done = run("say", "nowack", "hello", "-g", "axis")
    assert done.code == 1 and "nowak" in done.err
    assert run("say", "nowak", "  ", "-g", "axis").code == 5
    assert run("say", "nowak", "x" * 2001, "-g", "axis").code == 10
    assert run("say", "yamada", "to myself", "-g", "axis").code == 1
    assert run("say", "nowak", "-", "-g", "axis", stdin="from a pipe\n").code == 0
    assert "from a pipe" in must("notes", "-g", "axis")


# -- pins -----------------------------------------------------------------------------------------------------------------


def test_a_pin_is_for_oneself(here: Path) -> None:
    must("pin", "yunnan", "3 fighters <next> turn", "-g", "axis")
    assert "Yunnan: 3 fighters <next> turn" in must("pin", "-g", "axis")
    must("map", "-g", "axis", "--to", "plain.svg")
    must("map", "-g", "axis", "--to", "mine.svg", "--pins")
    assert "fighters" not in Path("plain.svg").read_text()
    drawn = Path("mine.svg").read_text()
    assert "3 fighters &lt;next&gt; turn" in drawn and "<next>" not in drawn
    assert "fighters" in must("report", "-g", "axis") and "fighters" not in must("report", "-g", "axis", "--spectator")
    assert "fighters" not in must("post", "-g", "axis")
    must("pin", "Yunnan", "--off", "-g", "axis")
    assert json.loads(must("pin", "-g", "axis", "--json")) == []


def test_a_place_that_is_none_names_the_nearest(here: Path) -> None:
    done = run("pin", "Yunan", "x", "-g", "axis")
    assert done.code == 5 and "Yunnan" in done.err
    assert run("pin", "Yunnan", "-g", "axis").code == 5


def test_pins_are_encrypted_where_there_is_a_passphrase(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    must("pin", "Yunnan", "before", "-g", "axis")
    Path("phrase").write_text("correct horse battery staple\n")
    Path("phrase").chmod(0o600)
    must("passphrase", "--file", "phrase", "-g", "axis")
    assert b"before" not in Path("axis/private/pins.json").read_bytes()
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", "phrase")
    assert "before" in must("pin", "-g", "axis")


def test_the_lines_of_the_manual(here: Path) -> None:
    shutil.copytree("axis", "pacific")
    shown = [must(*words) for words in told(page("talk"))]
    assert "Sunday as usual?" in shown[2] and "away until the third" in shown[2]
    assert "3 fighters next turn" in shown[4] and Path("mine.svg").exists()
    assert "3 fighters" not in must("pin", "-g", "pacific"), "taken off by the last line"
