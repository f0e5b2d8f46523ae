"""Game folders at work, one step at a time: opening, the table and its cache, whose folder it is, taking, writing, slips."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import keys, turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from pbem.store import backups, pen, private
from pbem.store.folder import GameFolder
from pbem.store.library import Shipped
from pbem.store.session import Session
from tests.commands import inside, run
from tests.toygame.folders import TWO, advance_to, at, found, session


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yamada and nowak in the middle of a game: nowak has to say where he marches. A spectator beside them, and a draft."""
    root = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch, at(root, patch):
        folders = found(TWO)
        assert advance_to(folders, "march") == "nowak"
        shutil.copytree("nowak", "watcher", ignore=shutil.ignore_patterns("key*", "secrets.json", "place.json"))
        yield root


@pytest.fixture
def here(built: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(built, tmp_path / "now", ignore=shutil.ignore_patterns("tables", "reports"))
    with inside(tmp_path / "now"):
        yield tmp_path / "now"


def refused(call: Any) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


# -- opening ---------------------------------------------------------------------------------------------------------


def test_what_is_no_game_folder_is_not_opened(here: Path) -> None:
    assert refused(lambda: Session.open(here / "none"))[1].startswith(f"{here / 'none'} is no game folder")
    draft = Session.open(Path("draft"))
    assert refused(lambda: draft.charter) == (
        Outcome.WAITING,
        "the charter is not signed by everybody yet: see `pbem status`",
    )


def test_a_log_that_was_cut_is_opened_only_to_be_mended(here: Path) -> None:
    path = Path("nowak/log.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    outcome, told = refused(lambda: Session.open(Path("nowak")))
    assert outcome is Outcome.LOG_DAMAGED and told.startswith(f"{path}: it ends with entry {len(lines) - 2}, and was longer: ")
    assert told.endswith(". `pbem status` takes back what lies here")
    assert Session.open(Path("nowak"), to_mend=True).table.last == len(lines) - 2
    with Session.at_work(Path("nowak")) as mended:
        assert mended.table.last == len(lines) - 1


@pytest.mark.parametrize("lines_left", [1, 2])
def test_a_withdrawal_that_the_log_has_lost_is_done_again(lines_left: int, here: Path) -> None:
    mine = session("nowak")
    path = Path("nowak/log.jsonl")
    newest = mine.folder.log.files()[-1]
    mine.withdraw_from(newest["seq"])
    if lines_left == 2:
        mine.add_slip(mine.sign_slip("request", {"text": "please"}))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-lines_left]))
    assert refused(lambda: session("nowak"))[0] is Outcome.LOG_DAMAGED
    with Session.at_work(Path("nowak")) as mended:
        assert mended.table.last == newest["seq"] - 1
        assert [w["id"] for w in mended.withdrawn()] == [document_id(newest)]
    assert session("nowak").table.last == newest["seq"] - 1, "it is opened again, and stays so"


def test_a_scenario_that_is_not_the_charters(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert session("nowak").scenario == session("yamada").scenario
    own = Path("nowak/scenario.json")
    own.write_text(json.dumps(session("nowak").scenario))
    assert session("nowak").scenario == session("yamada").scenario, "the players' own that is the charter's"
    own.write_text("{}")
    assert refused(lambda: session("nowak").scenario) == (
        Outcome.DIVERGED,
        f"{own} is not the charter's hill: another player's game folder has the right one",
    )
    own.unlink()
    monkeypatch.setattr("pbem.store.library.shipped", lambda game, name: Shipped({"game": game.name, "name": name}, ""))
    assert refused(lambda: session("nowak").scenario) == (
        Outcome.DIVERGED,
        "this program's scenario hill is not the charter's: go on with the version of pbem that the game began with",
    )


def test_the_table_comes_from_the_checkpoint_where_it_can(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = session("nowak")
    hash_, path = whole.replayed().engine.state_hash(), Path("nowak/checkpoint.json")
    whole.folder.save_checkpoint(whole.table.to_plain())
    cached = path.read_bytes()
    plain = json.loads(cached)
    for damage in (
        b"",
        b"\0" * 9,
        b"{}",
        json.dumps({**plain, "table": {}}).encode(),
        json.dumps({**plain, "table": 7}).encode(),
    ):
        path.write_bytes(damage)
        assert session("nowak").table.engine.state_hash() == hash_
    path.write_bytes(cached)
    monkeypatch.setattr(Session, "replayed", lambda self: 1 // 0)
    found_ = session("nowak")
    assert found_.table.engine.state_hash() == hash_ and found_.table is found_.table
    assert found_.head == document_id(found_.folder.log.files()[-1])


def test_a_log_that_was_played_again_is_not_played_by_the_next_look(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade, a restored backup, a copy without its by-products: one look pays for the others."""
    path = Path("nowak/checkpoint.json")
    path.unlink(missing_ok=True)
    hash_ = session("nowak").table.engine.state_hash()
    assert json.loads(path.read_bytes())["head"] == session("nowak").folder.log.head
    monkeypatch.setattr(Session, "replayed", lambda self: 1 // 0)
    assert session("nowak").table.engine.state_hash() == hash_


def test_a_log_is_played_up_to_a_file(here: Path) -> None:
    seen: list[int] = []
    table = session("nowak").replayed(until=3, each=lambda played: seen.append(played.last))
    assert table.last == 3 and seen == [1, 2, 3]
    assert session("nowak").replayed(until=0).last == 0


def test_after_something_went_wrong_all_is_read_again(here: Path) -> None:
    one, other = session("nowak"), session("nowak")
    before = one.table
    other.folder.add("slip", {"type": "slip", "slip": "none"}, other.now())
    one.forget()
    assert len(one.folder.log.entries) == len(other.folder.log.entries)
    other.withdraw_from(other.table.last)
    one.forget()
    assert one.table is not before and one.table.last == before.last - 1
    assert [w["seq"] for w in one.withdrawn()] == [before.last]


def test_a_file_that_was_changed_since_it_was_taken(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for outcome, start in ((Outcome.REFUSED, "log entry 1: x"), (Outcome.BAD_SIGNATURE, "nowak/log.jsonl: log entry 1 is not")):

        def fail(*_: Any, outcome: Outcome = outcome) -> Any:
            raise ProtocolError(outcome, pen.msg("x"))  # type: ignore[attr-defined]

        with monkeypatch.context() as patch:
            patch.setattr("pbem.store.playing_on.take_in_place", fail)
            kind, told = refused(session("nowak").replayed)
        assert told.startswith(start), told
        assert kind is (Outcome.REFUSED if outcome is Outcome.REFUSED else Outcome.LOG_DAMAGED)
    assert "taken once (bad signature: x); what stands from there on is lost" in told


# -- whose folder ----------------------------------------------------------------------------------------------------


def test_a_folder_has_its_player_or_watches(here: Path) -> None:
    mine, watcher = session("nowak"), session("watcher")
    assert mine.me.player == "nowak" and mine.is_seated and mine.sees_hidden
    assert keys.public_text(mine.private) == mine.table.ledger.keys["nowak"]
    assert refused(lambda: watcher.me) == (Outcome.WRONG_KEY, "this folder watches the game; it has no player's key")
    assert not watcher.sees_hidden and watcher.folder.secrets() is None and not watcher.is_seated
    for command in (["hint"], ["review"]):
        assert "hints are for players: this folder watches" in run(*command, "-g", "watcher").err


def test_a_key_that_is_lost_or_another_ones(here: Path) -> None:
    for path in Path("nowak/private").glob("key*"):
        path.unlink()
    outcome, told = refused(lambda: session("nowak").private)
    assert outcome is Outcome.WRONG_KEY and told.startswith("nowak/private/key is missing: nothing can be signed for nowak. ")
    assert session("nowak").is_seated, "whoever wants to sign is told"
    for path in Path("yamada/private").glob("key*"):
        shutil.copy(path, "nowak/private")
    assert not session("nowak").is_seated
    told = refused(lambda: session("nowak").private)[1]
    assert told.startswith("the key of this folder does not sign for nowak: the seat has another one now. What can be done")


def test_links_come_from_the_chain_that_the_log_shows(here: Path) -> None:
    mine = session("nowak")
    shown = mine.secrets().link(0)
    kept = mine.folder.secrets()
    assert kept is not None and len(shown) == 64
    chain, kept.chain_secret = kept.chain_secret, "ab" * 32
    for place in ("other_chains", "next_chain", "nowhere"):
        kept.other_chains = [{"secret": chain, "length": kept.chain_length}] if place == "other_chains" else []
        kept.next_chain = {"secret": chain, "length": kept.chain_length} if place == "next_chain" else None
        mine.folder.save_secrets(kept)
        if place != "nowhere":
            assert session("nowak").secrets().link(0) == shown
    outcome, told = refused(lambda: session("nowak").secrets().link(0))
    assert outcome is Outcome.BAD_CHAIN
    assert told.startswith("this folder does not hold the chain that the log shows. What can be done: ")


def test_what_a_player_knows_of_hidden_things(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = session("nowak")
    assert mine.secrets().player == "nowak" and mine.secrets().sealed == mine.me.sealed
    known = mine.knowledge()
    assert known.player == "nowak"
    monkeypatch.setattr(Session, "_hides_something", property(lambda self: True))
    assert session("nowak").knowledge().player == "nowak"
    monkeypatch.setattr(private.PrivateFolder, "opens_unasked", lambda self: False)
    assert not session("nowak").sees_hidden
    monkeypatch.setattr(Session, "_hides_something", property(lambda self: False))
    assert session("nowak").sees_hidden


# -- taking and writing ----------------------------------------------------------------------------------------------


def test_a_file_is_written_kept_put_out_and_backed_up(here: Path) -> None:
    mine = session("nowak")
    last = mine.table.last
    document = mine.write(Draft(["halt"]))
    assert document["seq"] == last + 1 == mine.table.last and mine.head == document_id(document)
    assert mine.folder.log.files()[-1] == document and mine.folder.copy_of(document).exists()
    out = mine.folder.outgoing(document)
    assert out.exists() and out.with_suffix(".eml").exists() and backups.covers(Path("nowak"), last + 1)
    with pen.held(mine) as rows:
        assert rows.signed()[-1]["id"] == document_id(document)
    assert mine.folder.checkpoint() == mine.table.to_plain()
    other = session("yamada")
    taken = other.take(document)
    assert other.table is taken.table and other.table.engine.state_hash() == mine.table.engine.state_hash()
    assert session("yamada").table.last == last + 1 and other.folder.checkpoint() == other.table.to_plain()


def test_a_refused_order_changes_nothing(here: Path) -> None:
    mine = session("nowak")
    before = (mine.head, Path("nowak/log.jsonl").read_bytes(), [*Path("nowak/outbox").iterdir()])
    with pytest.raises((ProtocolError, Refused)):
        mine.write(Draft(["fly to the moon"]))
    assert before == (mine.head, Path("nowak/log.jsonl").read_bytes(), [*Path("nowak/outbox").iterdir()])


def test_whoever_watches_or_is_not_sure_writes_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(lambda: session("watcher").write(Draft(["halt"])))[0] is Outcome.WRONG_KEY
    asked: list[Any] = []
    monkeypatch.setattr(pen, "why_unsure", lambda folder, game: asked.append((folder.path, game)) or pen.msg("a reason"))  # type: ignore[attr-defined,func-returns-value]
    mine = session("nowak")
    told = refused(lambda: mine.write(Draft(["halt"])))[1]
    assert "a reason" in told and asked == [(Path("nowak"), mine.charter.game_id)]
    assert mine.answer_by_itself() == []


def test_a_disk_that_is_full_behind_the_record_says_what_happens_next(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = session("nowak")
    seq = mine.table.last + 1
    for words, shown in (((28, "No space left"), "No space left"), ((), "")):
        with monkeypatch.context() as patch:

            def full(*_: Any, words: Any = words) -> None:
                raise OSError(*words)

            patch.setattr(GameFolder, "add", full)
            outcome, told = refused(lambda: mine.write(Draft(["halt"])))
        assert (outcome, told) == (
            Outcome.NOT_WRITTEN,
            f"file {seq} is signed and kept in the record, but it did not fit into the folder ({shown}): make room, and the "
            "next command finishes it",
        )
        assert mine.table.last == seq - 1
    with Session.at_work(Path("nowak")) as later:
        assert later.table.last == seq and [d["seq"] for d in later.caught_up] == [seq]
    assert Path(f"nowak/outbox/{seq:04d}-nowak.yaml").exists()


def test_a_file_that_comes_back_is_judged_like_a_new_one(here: Path) -> None:
    document = session("nowak").write(Draft(["halt"]))
    other = session("yamada")
    with pytest.raises((ProtocolError, Refused)):
        other.keep_taken({**document, "orders": ["go"]})
    assert other.table.last == document["seq"] - 1
    other.keep_taken(document)
    assert other.table.last == document["seq"]


def test_files_are_withdrawn_with_a_refusal_or_without(here: Path) -> None:
    mine = session("nowak")
    files, last = mine.folder.log.files(), mine.table.last
    mine.withdraw({"type": "slip", "slip": "refusal"})
    assert mine.withdrawn() == [{"seq": last, "id": document_id(files[-1]), "refusal": {"type": "slip", "slip": "refusal"}}]
    assert mine.table.last == last - 1 and session("nowak").table.last == last - 1
    mine.withdraw_from(last - 2, unsent=["x"])
    assert mine.withdrawn()[1] == {"seq": last - 2, "id": document_id(files[last - 2]), "refusal": None, "unsent": ["x"]}
    assert mine.table.last == last - 3


def test_what_is_no_decision_is_written_by_the_program(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert session("nowak").answer_by_itself() == [], "a decision is due"
    assert session("yamada").answer_by_itself() == [] == session("watcher").answer_by_itself()
    folders = ["yamada", "nowak"]
    for _ in range(12):
        name = session("nowak").table.due.player
        mine = session(name)
        request = mine.table.engine.request
        options = [*request.options()] if hasattr(request, "options") else []
        order = next((o for o in ("go", "let pass") if o in options), options[0] if options else "pass")
        document = mine.write(Draft([order]))
        other = session(next(f for f in folders if f != name))
        other.take(document)
        if other.owes_what_is_no_decision():
            break
    else:
        pytest.fail("no link was ever due")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.store.heal_record.waiting", lambda session: ["heal"])
        assert other.answer_by_itself() == []
    with monkeypatch.context() as patch:
        patch.setattr(Session, "is_seated", property(lambda self: False))
        assert other.answer_by_itself() == []
    written = other.answer_by_itself()
    assert [d["player"] for d in written] == [other.me.player] * len(written) and written
    assert not other.owes_what_is_no_decision()


# -- slips -----------------------------------------------------------------------------------------------------------


def test_a_slip_is_signed_about_the_newest_file(here: Path) -> None:
    mine = session("nowak")
    slip = mine.sign_slip("request", {"text": "please"})
    assert (slip["head"], slip["game"], slip["player"], slip["slip"]) == (mine.head, mine.charter.game_id, "nowak", "request")
    assert slip["text"] == "please" and slip["pbem"] == mine.charter.version
    other = keys.generate()
    assert mine.sign_slip("request", {"text": "please"}, other)["signature"] != slip["signature"]


def test_a_slip_is_kept_once_and_the_table_before_it_stays(here: Path) -> None:
    mine = session("nowak")
    slip = mine.sign_slip("request", {"text": "please"})
    before = mine.table
    mine.add_slip(slip)
    assert mine.table is not before and mine.folder.log.slips() == [slip]
    assert mine.folder.checkpoint() == mine.table.to_plain()
    now = mine.table
    mine.add_slip(slip)
    assert mine.table is now and mine.folder.log.slips() == [slip]


def test_one_slip_of_a_kind_and_subject_is_signed(here: Path) -> None:
    mine = session("nowak")
    first = mine.sign_row(mine.sign_slip("resignation", {}))
    assert mine.sign_row({**first}) == first
    with pen.held(mine) as rows:
        row = rows.signed()[-1]
    assert (row["id"], row["key"], row["player"]) == (document_id(first), mine.table.ledger.keys["nowak"], "nowak")


def test_who_has_answered_a_question_takes_only_what_carries_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = session("nowak").write(Draft(["halt"]))
    other, asked = session("yamada"), {"slip": "restored", "player": "nowak"}
    asking: list[Any] = []

    def promised(table: Table, document: Any, slips: Any, player: str) -> Any:
        asking.append((table, document, slips, player))
        return asked

    monkeypatch.setattr("pbem.runtime.slips.promised", promised)
    told = (
        "nowak asked after a restore what you hold, and you have answered that you hold no such file: at its place only one "
        "that carries his question counts"
    )
    assert refused(lambda: other.take(document)) == (Outcome.REFUSED, told) == refused(lambda: other.keep_taken(document))
    assert asking[0] == (other.table, document, other.folder.log.slips(), "yamada")
    assert other.promised(document) == asked and other.promised(document) is not asked
    assert session("watcher").promised(document) is None
    assert turnfile.read_turn(document) and other.table.last == document["seq"] - 1
