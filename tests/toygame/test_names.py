"""Players play under their own names, in their own letters, through every command; nobody plays under a name like another's."""

from __future__ import annotations

import random
import re
import subprocess
import unicodedata
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli import completion
from pbem.protocol import charter, names, slips, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.report import layout, render
from pbem.runtime.composing import Draft
from pbem.store import naming
from tests.commands import must, run
from tests.toygame.folders import advance_to, as_json, at, due, finish, found, hashes, orders, session, spread, step
from tests.toygame.party import NONCE, Person, found_game
from tests.toygame.skirmish import GAME
from tests.toygame.wording import speak

OWN = {"山田": "blue", "Łukasz": "red", "Иван": "rust"}
WIDE = "Ж" * 32
LETTERS = re.compile(f"[{''.join(names.SCRIPTS.values())}]")


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with at(tmp_path, monkeypatch):
        yield tmp_path


# -- which names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *(
            "nowak",
            "Nowak",
            "Łukasz",
            "Иван",
            "Ґанна",
            "山田",
            "佐々木",
            "さくら",
            "ローマ",
            "김철수",
            "Νίκη",
            "O'Brien",
            "Jean-Luc",
        ),
        *("ÿ", "a" * 32, WIDE, "Иван-2", "x0"),
    ],
)
def test_a_name_in_its_own_letters_is_a_name(name: str) -> None:
    assert names.name(name) == "" and names.typed(name) == name


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "1a",
            "-a",
            "'a",
            "a" * 33,
            "a b",
            "a_b",
            "a:b",
            "a.b",
            "a/b",
            "a\nb",
            "a\n",
            "nоwak",
            "Ивaн",
            "Łλ",
            "山Ω",
            "山김",
        ),
        *(
            "na\u0301",
            "é\u0301",
            "ひ\u3099",
            "ｎowak",
            "ﬁn",
            "ſam",
            "a\u200bb",
            "\u202ea",
            "א",
            "١",
            "a١",
            "a’b",
            "ŀa",
            "ŉa",
            "ĳ",
        ),
        *(7, None, True, ["a"]),
    ],
)
def test_what_mixes_scripts_or_hides_something_is_none(name: Any) -> None:
    assert names.name(name)


def test_every_letter_is_one_character_of_normal_form_c_for_every_reader() -> None:
    """No younger version of Unicode, and no other program, can read the ranges otherwise."""
    for letter in (chr(i) for i in range(0x10000) if not 0xD800 <= i < 0xE000):
        if LETTERS.fullmatch(letter):
            assert unicodedata.category(letter)[0] == "L" and unicodedata.normalize("NFKC", letter) == letter
            bare = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", letter))
            assert all(len(part.lower()) == 1 for part in bare)


def test_a_name_typed_in_two_characters_is_taken_in_one() -> None:
    assert names.typed(" Zoe\u0308 ") == "Zoë"
    with pytest.raises(ProtocolError) as refused:
        names.typed("a b")
    assert refused.value.outcome is Outcome.UNREADABLE and "'a b'" in str(refused.value)


# -- names that look alike ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Łukasz", "Lukasz"), ("nowak", "Nowak"), ("Nowak", "NOWAK"), ("José", "Jose"), ("вова", "boba"), ("ВОВА", "BOBA")),
        *(("alice", "aIice"), ("al", "a1"), ("bob", "b0b"), ("Irma", "lrma"), ("mike", "rnike"), ("wim", "vvim"), ("Іа", "la")),
        *(("ΝΙΚΗ", "NIKH"), ("Νίκη", "ΝΙΚΗ"), ("ρορ", "pop"), ("ΜΑΚ", "МАК"), ("Μακ", "Мак"), ("Øre", "Ore"), ("ışık", "isik")),
        *(("ロロ", "口口"), ("へん", "ヘん"), ("カ", "力"), ("二", "ニ"), ("Ёж", "Еж"), ("ӏа", "la"), ("Æs", "aes")),
    ],
)
def test_names_that_look_alike_are_refused(one: str, other: str) -> None:
    assert names.name(one) == names.name(other) == ""
    with pytest.raises(ProtocolError, match="look alike") as refused:
        names.check_different([one, "Someone", other])
    assert one in str(refused.value) and other in str(refused.value)


@pytest.mark.parametrize(("one", "other"), [("nowak", "novak"), ("Иван", "Ivan"), ("山田", "山本"), ("Lukasz", "Lukasz-2")])
def test_names_that_differ_are_two(one: str, other: str) -> None:
    names.check_different([one, other])


@pytest.mark.parametrize("name", [*OWN, "nowak", "Ψυχή", "Ελένη", "김철수", "Ľubica", "Ґанна"])
def test_a_name_in_other_letters_of_the_same_word_is_noticed(name: str) -> None:
    for variant in (name.upper(), name.lower(), unicodedata.normalize("NFD", name), name.swapcase()):
        assert names.skeletons(name) & names.skeletons(variant)


@pytest.mark.parametrize(("letter", "look"), names.LOOKS.items())
def test_a_letter_counts_as_what_it_looks_like(letter: str, look: str) -> None:
    assert names.skeletons(f"a{letter}b") & names.skeletons(f"a{look}b")
    assert look not in names.LOOKS, "the table is done in one step"


def draft(*people: str, version: int = 2) -> dict[str, Any]:
    made = charter.new_draft("skirmish", "1st", 1, NONCE, {"name": "t", "hash": "00" * 32}, {}, GAME.seats, version=version)
    for name, seat in zip(people, GAME.seats, strict=False):
        made = charter.join(made, Person(name, []).record, [seat])
    return made


def test_a_second_name_like_the_first_is_refused_when_joining_and_when_the_charter_is_read() -> None:
    one = draft("Łukasz")
    with pytest.raises(ProtocolError, match=r"Łukasz and Lukasz look alike: .* such as Lukasz-2"):
        charter.join(one, Person("Lukasz", []).record, ["rust"])
    two = draft("Łukasz", "Lukasz-2")
    text = write_document(two).replace("Lukasz-2", "Lukasz")
    with pytest.raises(ProtocolError, match="look alike"):
        charter.read_charter(read_document(text)[0])


def test_the_umpire_s_name_is_one_of_those_that_differ() -> None:
    appointed = charter.appoint(draft(), Person("Иван", []).record, "witness")
    with pytest.raises(ProtocolError, match="look alike"):
        charter.join(appointed, Person("ИВАН", []).record, ["red"])


def test_a_game_of_version_1_keeps_its_plain_names() -> None:
    assert charter.read_charter(draft("nowak", version=1)).version == 1
    with pytest.raises(ProtocolError, match=r"others are for games that begin with `pbem: 2`"):
        draft("Nowak", version=1)
    party = [Person("nowak", ["red", "rust"]), Person("yamada", ["blue"])]
    found_game(GAME, party, {})
    file = party[1].sign(party[1].write(Draft()).document)
    old = {**file, "pbem": 1}
    assert turnfile.read_turn(old)
    for change in ({"player": "Иван"}, {"signed_by": "Иван"}):
        assert turnfile.read_turn({**file, **change})
        with pytest.raises(ProtocolError, match="pbem: 2"):
            turnfile.read_turn({**old, **change})
    slip = slips.sign(slips.make("request", "ab" * 32, "cd" * 32, "Иван", {"text": "x"}, 2), party[0].private)
    assert slips.read_slip(slip)
    with pytest.raises(ProtocolError, match="pbem: 2"):
        slips.read_slip({**slip, "pbem": 1})


def test_seats_and_sides_keep_plain_names() -> None:
    made = draft()
    for odd in ({"Иван": {"player": None, "side": "axis"}}, {"blue": {"player": None, "side": "Ось"}}):
        with pytest.raises(ProtocolError, match="small letters"):
            charter.read_charter({**made, "seats": {**made["seats"], **odd}})


# -- files --------------------------------------------------------------------------------------------------------------


def test_file_names_are_safe_on_every_system() -> None:
    players = [*OWN, "nowak", "O'Brien", "con", "Nowak-2", WIDE]
    parts = {name: naming.in_game(name, players) for name in players}
    assert parts["nowak"] == "nowak" and len(set(parts.values())) == len(players)
    assert all(re.fullmatch(r"p[1-8]|nowak", part) for part in parts.values())
    assert parts == {name: naming.in_game(name, reversed(players)) for name in players}
    keys = {naming.of_key(name) for name in [*players, "Nowak", "NOWAK"]}
    assert len(keys) == len(players) + 2 and all(re.fullmatch(r"nowak|key-[0-9a-f]{16}", key) for key in keys)
    assert all(naming.of_key(name).startswith("key-") for name in ("con", "nul", "com1", "lpt9", "aux", "prn"))


# -- a whole game ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def spoken_of(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    speak(monkeypatch)


def undone(folders: list[str]) -> None:
    """A march, taken back with everybody's consent."""
    writer = advance_to(folders, "march")
    sent = as_json("send", orders(writer, "go"), "-g", writer)
    assert re.fullmatch(rf"{writer}/outbox/\d{{4}}-p[1-4]\.yaml", sent["file"]) and Path(sent["file"]).exists()
    spread(folders)
    offered = as_json("undo", str(sent["seq"]), "-g", due(folders))
    spread(folders)
    while session(folders[0]).table.ledger.offer:
        must("agree", "-g", due(folders))
        spread(folders)
    assert offered["due"] in folders and session(folders[0]).table.ledger.voided


@pytest.mark.parametrize("seats", [OWN, {"Иван": "blue", "山田": "red,rust"}], ids=["three", "two"])
def test_a_whole_game_under_the_players_own_names(spoken_of: None, seats: dict[str, str]) -> None:
    folders = found(seats, "witness" if len(seats) == 3 else "")
    undone(folders)
    finish(folders)
    assert len(hashes(folders)) == 1
    for name in folders:
        run("audit", "-g", name)
    spread(folders)
    for name in folders:
        assert as_json("audit", "-g", name) == {"clean": True}
        assert "rules agree" in must("verify", "-g", name)
    one = folders[0]
    for form in render.FORMATS:
        text = must("report", "-g", one, "--format", form)
        assert all(name in text for name in seats), form
    assert all(name in must("status", "-g", one) and name in must("log", "-g", one) for name in seats)
    assert set(as_json("status", "-g", one)["messages"]) >= set(seats)
    replay = must("replay", "-g", one)
    assert "written" in replay
    for path in Path().rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert re.fullmatch(r"[a-z0-9.-]+", path.name), path


def test_the_umpire_with_the_escrow_and_sealed_clauses_know_such_names(workplace: Path) -> None:
    folders = found(OWN, "escrow")
    writer = advance_to(folders, "march")
    must("send", orders(writer, "go", sealed_standing={"march": ["halt"]}), "-g", writer)
    spread(folders)
    assert sorted(as_json("umpire", "check", "-g", "smith")["opened"]) == sorted(OWN)
    handles = [h for h in session("smith").table.ledger.seals if h.startswith(f"{writer}:seal")]
    assert len(handles) == 8
    finish(folders)
    for name in OWN:
        run("audit", "-g", name)
    spread(folders)
    assert as_json("audit", "-g", "smith") == {"clean": True}


def test_seats_change_hands_between_such_names(workplace: Path) -> None:
    folders = found(OWN, lost_keys="others")
    must("seat", "renew", "-g", advance_to(folders, "march"))
    spread(folders)
    while session(folders[0]).table.ledger.offer:
        must("agree", "-g", due(folders))
        spread(folders)
    step(folders, random.Random(3))
    assert len(hashes(folders)) == 1 and len(session(folders[0]).table.ledger.held) == 4


def test_the_mails_carry_such_names_in_their_text_and_plain_headers(workplace: Path) -> None:
    folders = found(OWN)
    writer = advance_to(folders, "march")
    must("send", orders(writer, "go"), "-g", writer)
    mail = sorted(Path(writer, "outbox").glob("*.eml"))[-1].read_bytes()
    message = message_from_bytes(mail, policy=policy.default)
    head = mail.split(b"\r\n\r\n")[0]
    assert head.isascii() and "#" in message["Subject"]
    body = message.get_body()
    assert body is not None and any(name in body.get_content() for name in OWN)
    assert [p.get_filename().isascii() for p in message.iter_attachments()] == [True]
    other = next(f for f in folders if f != writer)
    Path("m.eml").write_bytes(mail)
    assert as_json("receive", "m.eml", "-g", other)["outcome"] == "done"
    must("mail", "setup", "-g", writer)
    settings = Path(writer, "mail.yaml").read_text("utf-8")
    assert all(re.search(rf"{name}: p\d@example\.org", settings) for name in OWN if name != writer)
    must("mail", "setup", "-g", writer)


def test_what_stock_tools_check_holds_such_names(workplace: Path) -> None:
    folders = found({"O'Brien": "blue", "Łukasz": "red", "Иван": "rust"})
    dice = random.Random(4)
    while not session(folders[0]).table.ledger.rolled:
        step(folders, dice)
    rolled = session(folders[0]).table.ledger.rolled[-1]
    must("prove", str(rolled.source), "proof", "--roll", str(rolled.index), "-g", folders[0])
    done = subprocess.run(["sh", "check.sh"], cwd="proof", capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("PROVED"), done


def test_a_name_like_one_that_plays_is_refused_at_the_command_line(workplace: Path) -> None:
    must("new", "draft", "--system", "skirmish", "--scenario", "hill")
    must("join", "draft/charter.yaml", "--as", "Łukasz", "--seats", "red", "-g", "a")
    done = run("join", "a/charter.yaml", "--as", "Lukasz", "--seats", "rust", "-g", "b")
    assert done.code == Outcome.UNREADABLE.code and "look alike" in done.err
    assert run("join", "a/charter.yaml", "--as", "Ивaн", "--seats", "rust", "-g", "c").code == Outcome.UNREADABLE.code
    must("join", "a/charter.yaml", "--as", "Jose\u0301", "--seats", "rust", "-g", "d")
    assert "José" in read_document(Path("d/charter.yaml").read_bytes())[0]["players"]


def test_keys_of_such_names_are_kept_and_found(workplace: Path) -> None:
    made = as_json("key", "Иван", "--new")
    assert made["player"] == "Иван" and Path(made["file"]).name.startswith("key-")
    assert as_json("key", "Иван") == made
    assert as_json("key", "con", "--new")["file"] != "home/keys/con"
    assert as_json("key", "ИВАН", "--new")["key"] != made["key"]


def test_the_specification_holds_the_same_letters_and_the_same_table() -> None:
    part = (Path(__file__).parents[2] / "pbem" / "protocol" / "SPEC.md").read_text("utf-8").split("## 4. Chains")[0]
    rows = re.findall(r"(?m)^    (\w+) +([0-9A-F]{4}[0-9A-F -]*)$", part)
    spans = {script: [[int(n, 16) for n in span.split("-")] for span in text.split()] for script, text in rows}
    letters = {script: {chr(i) for span in found for i in range(span[0], span[-1] + 1)} for script, found in spans.items()}
    ours = {s: {chr(i) for i in range(0x10000) if re.fullmatch(f"[{inside}]", chr(i))} for s, inside in names.SCRIPTS.items()}
    assert letters == ours
    table = re.findall(r"(?m)^    (0o (?:\S+ ?)+(?:\n    \S.*)*)", part)[0].split()
    assert {entry[0]: entry[1:] for entry in table} == names.LOOKS


def test_a_shell_offers_such_names(workplace: Path) -> None:
    folders = found(OWN)
    asked: Any = SimpleNamespace(params={"game": Path(folders[0])})
    assert sorted(completion.players(asked, "")) == sorted(OWN)
    assert list(completion.players(asked, "Ив")) == list(completion.players(asked, "ив")) == ["Иван"]


def test_a_line_of_the_log_is_as_wide_for_every_name(workplace: Path) -> None:
    found(OWN)
    lines = must("log", "-g", "山田").splitlines()
    starts = {layout.width(line[: line.index(" orders")]) for line in lines}
    assert len(lines) > 1 and len(starts) == 1
