"""What lies beside a log or is shown of it: tables of earlier places, the folder as others see it, new chains and keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem import __version__
from pbem.kernel.canon import canonical
from pbem.kernel.engine import Diverged
from pbem.kernel.orders import Rejected
from pbem.protocol import chain, charter, draws, escrow
from pbem.protocol.dice import mac, u32, u64
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.table import Table
from pbem.runtime.taking import RENEW_BELOW, SKIPPED
from pbem.store import announcing, shelf, unsending
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.session import Session
from pbem.store.shown import Shown

GAME, NONCE, TIME = "ab" * 32, "cd" * 32, "2026-01-02T03:04:05Z"
CHARTER: dict[str, Any] = {"pbem": 2, "type": "charter", "players": {"nowak": {}, "yamada": {}}, "nonce": "ab" * 32}


def turn(seq: int, player: str = "nowak", **more: Any) -> dict[str, Any]:
    return {"pbem": 2, "type": "turn", "seq": seq, "player": player, "prev": GAME, "orders": [seq], **more}


# -- the shelf ---------------------------------------------------------------------------------------------------------


class Kept(SimpleNamespace):
    """A session of 400 files; those of places 5 to 9 are void."""

    def __init__(self, path: Path) -> None:
        self.entries = [{"document": {"type": "void" if 5 <= seq < 10 else "turn", "seq": seq}} for seq in range(401)]
        folder = SimpleNamespace(path=path, disk=Disk(), log=SimpleNamespace(standing=lambda: self.entries))
        super().__init__(folder=folder, charter="c", game="g", scenario="s", table=SimpleNamespace(last=400))

    def put(self, seq: int, name: str = "") -> Path:
        shelf._put(self, name or f"{seq:06d}", seq, table={"seq": seq})  # type: ignore[arg-type]
        return self.folder.path / "tables" / f"{name or f'{seq:06d}'}.json"  # type: ignore[no-any-return]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def played(on: Any, table: Any, seq: int, each: Callable[[Any], None]) -> None:
        assert isinstance(on, Kept)
        while table.last < seq:
            table.last += 1
            each(table)

    def read(*words: Any) -> Any:
        assert words[:3] == ("c", "g", "s")
        return SimpleNamespace(last=words[3]["seq"], source="shelf", to_plain=lambda: words[3])

    monkeypatch.setattr(shelf, "play_on", played)
    monkeypatch.setattr(Table, "from_plain", read)
    monkeypatch.setattr(Table, "start", fresh)
    return Kept(tmp_path)


def fresh(*words: Any) -> Any:
    assert words == ("c", "g", "s")
    table = SimpleNamespace(last=0, source="start")
    table.to_plain = lambda: {"seq": table.last}
    return table


def names(kept: Any) -> list[int]:
    return sorted(int(p.stem) for p in (kept.folder.path / "tables").glob("*.json"))


def test_what_a_table_on_the_shelf_says_of_itself(kept: Any) -> None:
    ids = [document_id(entry["document"]) for entry in kept.entries]
    for seq, links in ((16, [ids[16]]), (9, ids[4:10]), (5, ids[4:6]), (4, [ids[4]]), (10, [ids[10]]), (0, [ids[0]])):
        plain = json.loads(kept.put(seq).read_bytes())
        assert plain == {"seq": seq, "program": __version__, "links": links, "table": {"seq": seq}}
    assert b": " not in kept.put(16).read_bytes() and b", " not in kept.put(16).read_bytes()


def test_a_table_is_played_from_the_nearest_on_the_shelf_and_others_are_put_there(kept: Any) -> None:
    table = shelf.table_at(kept, 40)
    assert (table.source, table.last) == ("start", 40) and names(kept) == []
    table = shelf.table_at(kept, 300)
    assert names(kept) == [128, 144, 160, 176, 192, 208, 224, 240, 256, 272, 288] and table.last == 300
    for seq, source in ((127, "start"), (128, "shelf"), (143, "shelf"), (288, "shelf")):
        found = shelf.table_at(kept, seq)
        assert (found.source, found.last) == (source, seq)
    kept.put(16)
    kept.put(130)
    shelf.table_at(kept, 304)
    assert names(kept) == [128, 144, 160, 176, 192, 208, 224, 240, 256, 272, 288, 304], "what is too close goes"


def test_what_is_worth_its_room_depends_on_the_newest_file(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else is written, not even for a moment."""
    kept.entries.append({"document": turn(401)})
    replace, written = kept.folder.disk.replace, []
    monkeypatch.setattr(kept.folder.disk, "replace", lambda path, data: written.append(int(path.stem)) or replace(path, data))
    shelf.table_at(kept, 200)
    assert names(kept) == written == [128, 160, 176, 192], "144 is 257 files behind"


def test_what_cannot_be_read_is_passed_over(kept: Any) -> None:
    kept.put(16)
    kept.put(32).write_bytes(b"{")
    (kept.folder.path / "tables/000048.json").mkdir()
    assert shelf._nearest(kept, 100).last == 16 and [table.last for _, table in shelf.saved(kept)] == [16]  # type: ignore[union-attr]


def test_what_does_not_fit_is_not_read(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = kept.put(16)
    good = json.loads(path.read_bytes())
    assert [(p, t.last) for p, t in shelf.saved(kept)] == [(path, 16)]
    for changed in (
        {"program": "0"},
        {"seq": 0},
        {"seq": -1},
        {"seq": 17},
        {"seq": 900},
        {"links": []},
        {"seq": "16"},
        {"seq": None},
    ):
        path.write_text(json.dumps({**good, **changed}))
        assert [*shelf.saved(kept)] == [] and shelf._nearest(kept, 400) is None, changed
    for damage in (b"", b"7", b"[]", b"{}"):
        path.write_bytes(damage)
        assert [*shelf.saved(kept)] == []
    path.write_text(json.dumps(good))
    path.rename(path.with_name("000017.json"))
    assert [*shelf.saved(kept)] == [], "it lies under another name"
    for error in (TypeError(), AttributeError(), Diverged(1, "y", "z"), Rejected([])):

        def fail(*_: Any, error: Exception = error) -> Any:
            raise error

        kept.put(16)
        monkeypatch.setattr(Table, "from_plain", fail)
        assert [*shelf.saved(kept)] == []


def test_the_shelf_is_read_by_number(kept: Any) -> None:
    for seq in (16, 400):
        kept.put(seq, str(seq))
    kept.put(32)
    kept.put(16, "note")
    assert [int(path.stem) for path, _ in shelf.saved(kept)] == [16, 32, 400]
    assert shelf._nearest(kept, 399).last == 32 and shelf._nearest(kept, 15) is None  # type: ignore[union-attr]


def full(*_: Any) -> None:
    raise OSError


def test_notes_on_the_shelf(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shelf.note(kept, "luck") == (0, {})
    shelf.put_note(kept, "luck", {"a": 1})
    assert shelf.note(kept, "luck") == (400, {"a": 1}) and shelf.note(kept, "other") == (0, {})
    path = kept.folder.path / "tables/luck.json"
    for seq, found in ((0, (0, {})), (1, (1, {"a": 1}))):
        shelf._put(kept, "luck", seq, content={"a": 1})
        assert shelf.note(kept, "luck") == found
    shelf.put_note(kept, "luck", {"a": 1})
    plain = json.loads(path.read_bytes())
    for changed in ({"program": "0"}, {"content": 7}, {"seq": 3}, {"seq": "x"}):
        path.write_text(json.dumps({**plain, **changed}))
        assert shelf.note(kept, "luck") == (0, {})
    path.write_bytes(b"{")
    assert shelf.note(kept, "luck") == (0, {})
    monkeypatch.setattr(kept.folder.disk, "replace", full)
    shelf.put_note(kept, "luck", {"a": 2})
    assert shelf.table_at(kept, 300).last == 300 and names_of(kept) == ["luck"]


def names_of(kept: Any) -> list[str]:
    return sorted(p.stem for p in (kept.folder.path / "tables").iterdir())


# -- what is shown -----------------------------------------------------------------------------------------------------


SLIP = {"pbem": 2, "type": "slip", "slip": "request", "player": "nowak", "text": "?", "head": GAME}


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Nowak's folder, which is shown; `handed`: what counts as handed out."""
    folder = GameFolder.create(tmp_path / "nowak", {})
    folder.add("charter", CHARTER, TIME)
    folder.add("file", turn(1), TIME)
    folder.save_secrets(PlayerSecrets.fresh("nowak"))
    handed: list[Any] = []

    class At:
        def __init__(self, path: Path) -> None:
            self.folder = GameFolder(path)
            self.charter = SimpleNamespace(game_id=GAME, pace=None)

        @property
        def table(self) -> Any:
            entries = [SimpleNamespace(id=document_id(d)) for d in self.folder.log.files()]
            return SimpleNamespace(ledger=SimpleNamespace(entries=entries), last=len(entries) - 1)

        def __enter__(self) -> At:
            return self

        def __exit__(self, *_: Any) -> None: ...

    monkeypatch.setattr(Session, "open", At)
    monkeypatch.setattr(Session, "at_work", At)
    monkeypatch.setattr(unsending, "note_handed_out", lambda session, how, end: handed.append((session, how, end)))
    return SimpleNamespace(shown=Shown(tmp_path / "nowak"), folder=folder, handed=handed)


def test_a_folder_is_looked_at_when_something_was_written(live: Any) -> None:
    view = live.shown
    assert view.game == GAME and view.files == [] == view.ids and view.beside == {} and view.path == live.folder.path
    before = view.session
    assert view.refresh() is True and view.refresh() is False
    assert view.files == [CHARTER, turn(1)] and view.ids == [document_id(CHARTER), document_id(turn(1))]
    assert (view.last, view.head, view.known) == (1, document_id(turn(1)), {*view.ids})
    assert live.handed == [(view.session, "live", 2)] and view.session is not before
    live.folder.outgoing(turn(1)).write_text(write_document(turn(1)))
    assert view.refresh() is False and len(live.handed) == 2, "it is looked at, and the log is the same"
    live.folder.add("file", turn(2, "yamada"), TIME)
    assert view.refresh() is True and (view.last, view.head) == (2, document_id(turn(2, "yamada")))


def test_what_lies_beside_is_shown(live: Any) -> None:
    view, folder = live.shown, live.folder
    folder.add("slip", SLIP, TIME)
    note, lying, heal = (
        {"pbem": 2, "type": "note", "player": "nowak", "n": 1, "head": NONCE, "text": "x"},
        {**SLIP, "text": "!"},
        {"pbem": 2, "type": "heal", "seq": 9},
    )
    written = {}
    for name, document in (("a", note), ("b", lying), ("c", heal), ("d", turn(1)), ("e", {"other": 1})):
        written[name] = f"# {name}\n{write_document(document)}".encode()
        (folder.path / "outbox" / f"{name}.yaml").write_bytes(written[name])
    (folder.path / "outbox/f.yaml").write_bytes(b"\0")
    (folder.path / "outbox/g.eml").write_bytes(written["a"])
    (folder.path / "outbox/h.yaml").mkdir()
    view.refresh()
    assert view.beside == {
        document_id(SLIP): (GAME, write_document(dict(sorted(SLIP.items()))).encode()),
        document_id(note): (NONCE, written["a"]),
        document_id(lying): (GAME, written["b"]),
        document_id(heal): ("", written["c"]),
    }
    assert view.known == {*view.ids, *view.beside}


def test_whose_places_are_shown_byte_by_byte(live: Any) -> None:
    view, folder = live.shown, live.folder
    folder.add("file", turn(2, "yamada"), TIME)
    view.refresh()
    assert [view.is_own(seq) for seq in (0, 1, 2)] == [False, True, False]
    view.files.append({"type": "void", "seq": 3})
    assert [view.is_void(seq) for seq in range(4)] == [False, False, False, True] and not view.is_own(3)
    plain, copy = write_document(turn(1)).encode(), folder.copy_of(turn(1))
    assert view.bytes_of(1) == plain
    copy.write_bytes(b"# as its author wrote it\n" + plain)
    assert view.bytes_of(1) == b"# as its author wrote it\n" + plain
    for damage in (b"\0", write_document(turn(1, orders=["x"])).encode(), None):
        copy.unlink() if damage is None else copy.write_bytes(damage)
        assert view.bytes_of(1) == write_document(dict(sorted(turn(1).items()))).encode(), "as the log has it"
    (folder.path / "private/secrets.json").unlink()
    assert not view.is_own(1)


# -- new chains and draw keys ------------------------------------------------------------------------------------------


class Announcer(SimpleNamespace):
    """Nowak, whose chain has so many links left."""

    def __init__(self) -> None:
        self.left, self.last, self.draw_keys = 100, "link", 100
        self.held = SimpleNamespace(next_tip="", later=0)
        ledger = SimpleNamespace(
            tips=[],
            trees=[],
            roots=[],
            chains={"nowak": self.held},
            draw_keys_left=lambda player: {"nowak": self.draw_keys}[player],
        )
        charter_ = SimpleNamespace(game_id=GAME, nonce=NONCE, umpire_name="smith", escrow_key="")
        me = SimpleNamespace(player="nowak", draw_master="11" * 32)
        super().__init__(table=SimpleNamespace(ledger=ledger), charter=charter_, me=me)

    def secret(self, n: int, tag: str = "next chain") -> str:
        return mac(bytes.fromhex("11" * 32), f"pbem/1 {tag}\n".encode() + bytes.fromhex(GAME) + u32(n)).hex()


@pytest.fixture
def announcer(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(charter, "CHAIN_LENGTH", 3)
    monkeypatch.setattr(
        announcing,
        "chain_in_use",
        lambda table, player: (
            SimpleNamespace(left=made.left, last=made.last) if (table, player) == (made.table, "nowak") else 0
        ),
    )
    made = Announcer()
    return made


def tip(secret: str) -> str:
    return chain.tip(NONCE, bytes.fromhex(secret), 3)


def test_what_is_derived_from_the_draw_master(announcer: Any) -> None:
    master, order = bytes.fromhex("11" * 32), ["halt"]
    about = u64(7) + u32(2) + canonical(order)
    start = b"pbem/1 seal salt\n" + bytes.fromhex(GAME)
    assert announcing.salt(announcer, 7, 2, order) == mac(master, start + about)
    assert announcing.derived(announcer, "tag", b"x") == mac(master, b"pbem/1 tag\n" + bytes.fromhex(GAME) + b"x")


def test_chains_and_masters_go_on_behind_those_that_were_announced(announcer: Any) -> None:
    ledger = announcer.table.ledger
    made = [{"secret": announcer.secret(n), "length": 3} for n in range(3)]
    masters = [announcer.secret(n, "next master") for n in range(3)]
    assert [*announcing.chains(announcer)] == made[:1] and announcing.masters(announcer) == masters[:1]
    ledger.tips = [tip(made[0]["secret"]), "another's"]  # type: ignore[arg-type]
    ledger.trees = [SimpleNamespace(root=draws.root(NONCE, bytes.fromhex(masters[0]))), SimpleNamespace(root="another's")]
    assert [*announcing.chains(announcer)] == made[:2] and announcing.masters(announcer) == masters[:2]
    ledger.tips[1] = tip(made[1]["secret"])  # type: ignore[arg-type]
    ledger.roots = [draws.root(NONCE, bytes.fromhex(masters[1]))]
    assert [*announcing.chains(announcer)] == made and announcing.masters(announcer) == masters
    assert announcing.tip_of(announcer, made[0]["secret"]) == tip(made[0]["secret"])  # type: ignore[arg-type]


def test_a_new_chain_is_announced_where_few_links_are_left(announcer: Any) -> None:
    new = {"next_chain": {"tip": tip(announcer.secret(0)), "length": 3}}
    for left, skips, due in (
        *((RENEW_BELOW + 1, False, False), (RENEW_BELOW, False, True), (RENEW_BELOW + 1, True, True)),
        *((RENEW_BELOW + SKIPPED, True, True), (RENEW_BELOW + SKIPPED + 1, True, False)),
    ):
        announcer.left = left
        assert announcing.announcements(announcer, skips) == (new if due else {}), (left, skips)
    announcer.left, announcer.held.later = RENEW_BELOW + 5, 5
    assert announcing.announcements(announcer, False) == new
    announcer.held.later = 4
    assert announcing.announcements(announcer, False) == {}
    announcer.left, announcer.held.next_tip = 1, "a tip"
    assert announcing.announcements(announcer, False) == {}, "one is announced already"
    announcer.last = "a tip"
    assert announcing.announcements(announcer, False) == new, "which is in use with this file"
    announcer.left, announcer.held.later = RENEW_BELOW + 1, 5
    assert announcing.announcements(announcer, False) == {}


def test_new_draw_keys_are_announced_where_few_are_left(announcer: Any) -> None:
    announcer.draw_keys = RENEW_BELOW
    assert announcing.announcements(announcer, False) == {}
    announcer.draw_keys = RENEW_BELOW - 1
    root = draws.root(NONCE, bytes.fromhex(announcer.secret(0, "next master")))
    assert announcing.announcements(announcer, False) == {"next_draws": root}


def test_an_umpire_gets_the_escrow_of_a_new_chain(announcer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(escrow, "encrypt", lambda *words: [*words])
    announcer.left, announcer.charter.escrow_key = 1, "umpire's key"
    secret = announcer.secret(0)
    found = announcing.announcements(announcer, False)["next_chain"]
    once = mac(bytes.fromhex("11" * 32), b"pbem/1 escrow ephemeral\n" + bytes.fromhex(GAME) + bytes.fromhex(tip(secret))).hex()
    assert found["escrow"] == ["umpire's key", NONCE, tip(secret), 3, bytes.fromhex(secret), once]
    announcer.charter.umpire_name = "nowak"
    assert announcing.announcements(announcer, False)["next_chain"] == {"tip": tip(secret), "length": 3}
    announcer.charter.escrow_key = ""
    assert announcing.escrow_of(announcer, tip(secret), 3, secret) == {}
