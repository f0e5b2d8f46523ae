"""Notes beside a game, from the list in the folder to who may read them; and scenarios put together by the compiler."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from pbem.kernel.canon import canonical
from pbem.protocol import keys, notes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import compiling, talk
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.talk import Said

GAME, TIME = "ab" * 32, "2026-01-02T03:04:05Z"
HEADS = [f"{n:02d}" * 32 for n in range(4)]
KEYS = {name: keys.generate() for name in ("nowak", "yamada", "dubois")}


class Session(SimpleNamespace):
    """A player's session in a game of four files; `name` "" watches."""

    def __init__(self, path: Path, name: str) -> None:
        folder = GameFolder.create(path, {})
        me = PlayerSecrets.fresh(name)
        if name:
            folder.save_secrets(me)
            folder.private.keep_key("key", KEYS[name])
        public = {who: keys.public_text(key) for who, key in KEYS.items()}
        held = [SimpleNamespace(player=who, key=key) for who, key in public.items()]
        ledger = SimpleNamespace(keys=public, held=held, entries=[SimpleNamespace(id=head) for head in HEADS])
        super().__init__(
            folder=folder, me=me, private=KEYS.get(name), head=HEADS[2], charter=SimpleNamespace(game_id=GAME, version=2)
        )
        self.table = SimpleNamespace(ledger=ledger, last=3)

    def now(self) -> str:
        return TIME


@pytest.fixture
def party(tmp_path: Path) -> dict[str, Any]:
    return {name: Session(tmp_path / (name or "watcher"), name) for name in (*KEYS, "")}


def refused(call: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


def damage(session: Any) -> None:
    (session.folder.path / "notes.jsonl").write_bytes(b"\0" * 20 + b"\n")


# -- writing -----------------------------------------------------------------------------------------------------------


def test_a_note_to_all(party: dict[str, Any]) -> None:
    mine = party["nowak"]
    note = talk.write(mine, "", "well played")
    assert {k: v for k, v in note.items() if k != "signature"} == {
        **{"pbem": 2, "type": "note", "game": GAME, "head": HEADS[2], "player": "nowak", "n": 1, "text": "well played"},
    }
    notes.verify(note, keys.public_text(KEYS["nowak"]))
    assert talk.documents(mine.folder) == [note]
    assert talk.said(mine, private=True) == [Said("nowak", "", 2, "well played", TIME)] == talk.public(mine) == talk.heard(mine)
    assert talk.own(mine) == []
    talk.take(mine, talk.write(party["yamada"], "", "thanks"))
    assert talk.write(mine, "", "again")["n"] == 2 and talk.write(mine, "", "and again")["n"] == 3


def test_a_note_to_one(party: dict[str, Any]) -> None:
    mine, his = party["nowak"], party["yamada"]
    note = talk.write(mine, "yamada", "shall we?")
    assert note["to"] == "yamada" and "text" not in note and note["sealed"].keys() == {"reader", "author"}
    assert note["sealed"]["reader"] != note["sealed"]["author"]
    assert talk.take(his, note) is True
    for one in (mine, his):
        assert talk.said(one, private=True) == [Said("nowak", "yamada", 2, "shall we?", TIME)] == talk.own(one)
        assert talk.said(one, private=False) == [] == talk.public(one)
        assert talk.heard(one) == [Said("nowak", "yamada", 2, None, TIME)]
    assert talk.opened(party["dubois"], note) is None is talk.opened(party[""], note)
    _outcome, told = refused(lambda: talk.write(mine, "smith", "x"))
    assert told == str(notes.no_reader("smith"))


def test_a_note_is_opened_with_either_key(party: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    his = party["yamada"]
    note = talk.write(party["nowak"], "yamada", "shall we?")
    talk.take(his, note)
    his.folder.private.keep_key("key.next", keys.generate())
    assert talk.opened(his, note) == "shall we?"
    his.folder.private.keep_key("key", keys.generate())
    assert talk.opened(his, note) is None and talk.own(his) == []
    his.folder.private.keep_key("key.next", KEYS["yamada"])
    assert talk.opened(his, note) == "shall we?"
    monkeypatch.setattr(his.folder.private, "private_key", lambda name: "a key of an agent")
    assert talk.opened(his, note) is None
    monkeypatch.setattr(his.folder.private, "opens_unasked", lambda: False)
    assert talk.own(his) == []
    assert talk.own(party[""]) == []


def test_nobody_is_asked_for_a_passphrase_or_a_key_that_is_not_in_the_folder(
    party: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = party["nowak"]
    note = talk.write(mine, "yamada", "shall we?")
    monkeypatch.setattr(mine.folder.private, "opens_unasked", lambda: False)
    assert talk.own(mine) == [] and talk.opened(mine, note) == "shall we?"
    key = mine.folder.path / "private/key"
    key.with_name("key.pub").write_text(keys.public_text(KEYS["nowak"]) + "\n")
    key.unlink()
    asked: list[str] = []
    monkeypatch.setattr(mine.folder.private, "_of_agent", asked.append)
    assert talk.opened(mine, note) is None and asked == [], "an ssh-agent cannot open what is sealed"


def test_how_much_one_says(party: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MOST_NOTES", 2)
    mine, his = party["nowak"], party["yamada"]
    said = [talk.write(mine, "", f"{n}") for n in range(2)]
    talk.take(mine, talk.write(his, "", "x"))
    too_many = (Outcome.TOO_LARGE, "nowak has said 2 things in this game: no more are kept")
    assert refused(lambda: talk.write(mine, "", "3")) == too_many
    monkeypatch.setattr(notes, "MOST_NOTES", 3)
    said.append(talk.write(mine, "", "3"))
    monkeypatch.setattr(notes, "MOST_NOTES", 2)
    assert [talk.take(his, note) for note in said[:2]] == [True, True]
    assert refused(lambda: talk.take(his, said[2])) == too_many
    assert talk.take(his, said[1]) is False, "what is here already is no more"


# -- taking ------------------------------------------------------------------------------------------------------------


def test_what_is_taken_is_judged(party: dict[str, Any]) -> None:
    his, note = party["yamada"], talk.write(party["nowak"], "", "x")
    foreign = notes.sign({**{k: v for k, v in note.items() if k != "signature"}, "game": "cd" * 32}, KEYS["nowak"])
    assert refused(lambda: talk.take(his, foreign)) == (Outcome.FOREIGN_GAME, "a note of another game")
    assert refused(lambda: talk.take(his, {**note, "text": "y"}))[0] is Outcome.BAD_SIGNATURE
    forged = notes.sign({k: v for k, v in note.items() if k != "signature"}, KEYS["dubois"])
    assert refused(lambda: talk.take(his, forged))[0] in (Outcome.BAD_SIGNATURE, Outcome.WRONG_KEY)
    assert refused(lambda: talk.take(his, {**note, "n": 0}))[0] is Outcome.UNREADABLE
    assert refused(lambda: talk.take(his, {**note, "player": "smith"}))[1] == str(notes.no_reader("smith"))
    his.table.ledger.held.insert(0, SimpleNamespace(player="nowak", key=keys.public_text(keys.generate())))
    his.table.ledger.held.append(SimpleNamespace(player="nowak", key=keys.public_text(keys.generate())))
    assert talk.take(his, note) is True and talk.take(his, note) is False
    assert talk.documents(his.folder) == [note]


def test_a_note_between_others_is_not_kept(party: dict[str, Any]) -> None:
    note = talk.write(party["nowak"], "yamada", "x")
    said = (Outcome.FOREIGN_GAME, "a note that only yamada can read; it is not kept")
    for other in ("dubois", ""):
        assert refused(lambda other=other: talk.take(party[other], note)) == said
        assert talk.take(party[other], talk.write(party["nowak"], "", f"to {other or 'all'}")) is True
    (party["nowak"].folder.path / "notes.jsonl").unlink()
    assert talk.take(party["nowak"], note) is True, "an own one comes back"


def test_where_a_note_was_said(party: dict[str, Any]) -> None:
    mine = party["nowak"]
    for head in (HEADS[0], HEADS[3], "ee" * 32, HEADS[2]):
        mine.head = head
        talk.write(mine, "", head[:2])
    assert [(one.text, one.seq) for one in talk.public(mine)] == [("00", 0), ("03", 3), ("ee", 3), ("02", 2)]
    talk.take(mine, talk.write(party["yamada"], "", "x"))
    talk.write(mine, "yamada", "secret")
    assert [note["text"] for note in talk.own_public(mine, 2)] == ["03", "ee", "02"]
    assert [note["text"] for note in talk.own_public(mine, 3)] == ["03", "ee"]


def test_a_damaged_list_stops_nothing_else(party: dict[str, Any]) -> None:
    mine = party["nowak"]
    talk.write(mine, "", "x")
    damage(mine)
    assert talk.public(mine) == [] == talk.own(mine) == talk.heard(mine) == talk.own_public(mine, 0)
    for call in (lambda: talk.documents(mine.folder), lambda: talk.said(mine, private=False)):
        outcome, told = refused(call)
        path = mine.folder.path / "notes.jsonl"
        assert outcome is Outcome.LOG_DAMAGED
        assert told == f"{path} cannot be read (log entry 0 is not readable): move it away; the game is not concerned"


# -- pins that cannot be read ------------------------------------------------------------------------------------------


def test_pins_are_shown_where_nobody_has_to_be_asked(party: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = party["nowak"].folder
    talk.pin(folder, "0711", "mines")
    assert talk.visible_pins(folder) == [("0711", "mines")]
    monkeypatch.setattr(folder.private, "opens_unasked", lambda: False)
    assert talk.visible_pins(folder) == ()


def test_pins_show_nothing_where_they_are_encrypted(party: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []
    monkeypatch.setattr(party["nowak"].folder.private, "write", lambda *what: written.append(what))
    talk.pin(party["nowak"].folder, "0711", "mines")
    assert written == [("pins.json", b'{"0711": "mines"}', {})]


# -- compiling ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ascii_system")
def test_a_scenario_is_compiled_with_all_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "next-war"
    game.mkdir()
    (game / "base.yaml").write_text("units: units.yaml\nturns: 3\nnotes: kept.txt\n", "utf-8")
    (game / "units.yaml").write_text("1: [a, {2: b}]\n", "utf-8")
    (game / "valley.yaml").write_text("title: Dolina Łez\nextends: base\nturns: 5\n", "utf-8")
    expected = {"name": "valley", "title": "Dolina Łez", "turns": 5, "notes": "kept.txt", "units": {"1": ["a", {"2": "b"}]}}
    data = compiling.compile_scenario(game / "valley.yaml")
    assert data == canonical(expected)  # type: ignore[arg-type]
    (game / "named.yaml").write_text("name: other\ntitle: x\n")
    assert json.loads(compiling.compile_scenario(game / "named.yaml")) == {"name": "other", "title": "x"}
    monkeypatch.setattr(compiling, "data_folder", lambda name: tmp_path if name == "scenarios" else None)
    assert compiling.scenario_files() == [game / "named.yaml", game / "valley.yaml"]
    for _ in range(2):
        compiling.main()
    assert sorted(p.name for p in (game / "compiled").iterdir()) == ["named.json", "valley.json"]
    assert (game / "compiled/valley.json").read_bytes() == data


def test_a_scenario_is_compiled_alike_where_the_fast_reader_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.yaml").write_text("title: x\nturns: [1, 2]\n")
    compiled = compiling.compile_scenario(tmp_path / "x.yaml")
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert compiling.compile_scenario(tmp_path / "x.yaml") == compiled
