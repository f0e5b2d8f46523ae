"""Heals by the command line, in one folder per player: written, passed round, signed, taken; accidents on the way."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli import healing
from pbem.cli.heal_draft import Wanted
from pbem.kernel.flow import Ask
from pbem.protocol import keys
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.store import heal_record, pen, record
from pbem.store.folder import GameFolder
from tests.commands import must, run
from tests.toygame.folders import SEATS, TWO, advance_to, as_json, at, finish, found, hashes, orders, session, spread, two_pens

Document = dict[str, Any]
Hours = Callable[[float], None]


@pytest.fixture(autouse=True)
def wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hours]:
    """A workplace with a clock that goes on by hours."""
    clock = SimpleNamespace(now=datetime.datetime(2025, 1, 31, 18))
    monkeypatch.setattr("pbem.store.clock.now", lambda: clock.now.strftime("%Y-%m-%dT%H:%M:%SZ"))

    def on(hours: float) -> None:
        clock.now += datetime.timedelta(hours=hours)

    with at(tmp_path, monkeypatch):
        yield on


def document_in(file: str | Path) -> Document:
    return read_document(Path(file).read_bytes())[0]


def fork(answer: Any, other: Any) -> tuple[str, str]:
    """Nowak signs two files for one place, in his folder and in a copy of it; his record knows both."""
    shutil.copytree("nowak", "copy")
    with two_pens():
        shutil.copy(as_json("send", orders("nowak", answer), "-g", "nowak")["file"], "one.yaml")
        shutil.copy(as_json("send", orders("copy", other, note=["the other"]), "-g", "copy")["file"], "two.yaml")
    shutil.rmtree("copy")
    game = session("nowak")
    with pen.held(game) as rows:
        for file in ("one.yaml", "two.yaml"):
            document = document_in(file)
            answered = dict(game.folder.fetch(document["seq"] - 1))
            rows.append("signed", record.row_of(document, keys.public_text(game.private), answered), game.now())
    return "one.yaml", "two.yaml"


def split(role: str = "", **more: Any) -> list[str]:
    """Yamada has the one file; dubois has the other and has answered it. No program goes over to another version by itself."""
    folders = found(SEATS, role, **more)
    assert advance_to(folders, "card") == "nowak"
    one, two = fork("pass", "pass")
    for name in folders:
        if name not in ("nowak", "dubois"):
            must("receive", one, "-g", name)
    must("receive", two, "-g", "dubois")
    must("send", orders("dubois", {"seal": 3, "seat": "rust"}), "-g", "dubois")
    return folders


def show(*pairs: tuple[str, str]) -> None:
    """What one folder holds is received by another."""
    for giver, taker in pairs:
        for file in sorted(Path(giver, "files").glob("0*.yaml")):
            run("receive", str(file), "-g", taker)


def show_all(folders: list[str]) -> None:
    show(*((one, two) for one in folders for two in folders if one != two))
    for name in folders:
        run("receive", "two.yaml", "-g", name)
        run("receive", "one.yaml", "-g", name)


def write_heal(name: str, *more: str) -> Document:
    """A heal that goes on from the one file, by this player."""
    keep = document_id(document_in("one.yaml"))[:16]
    done: Document = as_json("heal", "--keep", keep, *more, "-g", name)
    return done


def all_sign(folders: list[str], drafted: Document) -> Document:
    """The heal goes from one to the next until it is complete, then to everybody."""
    done = drafted
    while done["missing"]:
        done = as_json("heal", done["file"], "-g", done["missing"][0])
    for name in folders:
        run("receive", done["file"], "-g", name)
    return done


# -- written, signed, taken ---------------------------------------------------------------------------------------------------


def test_a_fork_is_healed_by_everybodys_signature_and_the_game_goes_on() -> None:
    folders = split()
    show_all(folders)
    assert "nowak has signed two different files" in must("status", "-g", "yamada")
    assert session("dubois").head != session("yamada").head
    drafted = write_heal("dubois")
    assert sorted(drafted["missing"]) == ["nowak", "yamada"] and not drafted["complete"]
    assert "waits for" in must("status", "-g", "dubois")
    waiting = as_json("receive", drafted["file"], "-g", "yamada", code=3)
    assert "pbem heal" in waiting["lines"][0]
    done = all_sign(folders, drafted)
    assert {session(f).head for f in folders} == {done["heal"]} and len(hashes(folders)) == 1
    for name in folders:
        told = must("status", "-g", name)
        assert "PROVED" not in told and "Healed at place" in told, told
        assert run("verify", "-g", name).code == 0
    assert " void" in must("log", "-g", "yamada")
    finish(folders)
    for name in folders:
        assert run("verify", "-g", name).code == 0
    for name in folders * 2:
        run("audit", "-g", name)
    spread_slips(folders)
    assert as_json("audit", "-g", "yamada")["clean"]


def spread_slips(folders: list[str]) -> None:
    for giver in folders:
        for taker in folders:
            for slip in Path(giver, "outbox").glob("slip-audit*.yaml"):
                run("receive", str(slip), "-g", taker)


def test_a_program_signs_only_a_heal_that_holds_every_file_that_it_has_signed_behind_the_parting() -> None:
    folders = split()
    run("receive", "two.yaml", "-g", "yamada")  # and not what dubois has answered
    drafted = write_heal("yamada")
    done = run("heal", drafted["file"], "-g", "dubois")
    assert done.code == 1 and "does not hold" in done.err
    run("receive", "one.yaml", "-g", "dubois")
    run("receive", drafted["file"], "-g", "dubois")
    another = write_heal("dubois", "--anew")
    assert document_in(another["file"])["instead"] == [drafted["heal"]]
    done = all_sign(folders, another)
    assert {session(f).head for f in folders} == {another["heal"]} == {done["heal"]}
    finish(folders)


def test_of_one_fork_a_player_signs_a_second_heal_only_where_it_names_the_first() -> None:
    folders = split()
    show_all(folders)
    first = write_heal("dubois", "--note", "first")
    second = write_heal("yamada", "--note", "second")
    assert first["heal"] != second["heal"]
    done = run("heal", second["file"], "-g", "dubois")
    assert done.code == 1 and "stand instead" in done.err
    again = as_json("heal", first["file"], "-g", "dubois")
    assert again["heal"] == first["heal"], "the same is given out again"
    run("receive", first["file"], "-g", "yamada")
    third = write_heal("yamada", "--anew", "--note", "third")
    assert sorted(document_in(third["file"])["instead"]) == sorted([first["heal"], second["heal"]])
    done = all_sign(folders, third)
    assert {session(f).head for f in folders} == {third["heal"]}
    assert "stands instead" in must("receive", first["file"], "-g", "yamada")


def test_the_highest_of_two_complete_heals_holds() -> None:
    """A changed program signs both; whoever has taken the lower one and signed nothing behind it goes over."""
    folders = split()
    show_all(folders)
    first = write_heal("dubois", "--note", "first")
    for name in ("yamada", "dubois"):
        run("receive", first["file"], "-g", name)
    shutil.copytree("nowak", "other")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heal_record, "sign", lambda *_: None)
        first = as_json("heal", as_json("heal", first["file"], "-g", "yamada")["file"], "-g", "nowak")
        second = write_heal("yamada", "--anew", "--note", "second")
        run("receive", first["file"], "-g", "dubois")
        second = as_json("heal", second["file"], "-g", "other")
        signed = as_json("heal", second["file"], "-g", "yamada")
        shutil.rmtree("other")
    assert first["complete"] and session("dubois").head == first["heal"]
    assert document_in(signed["file"])["instead"] == [first["heal"]]
    complete = {**document_in(signed["file"])}
    complete["signatures"]["dubois"] = signature_of("dubois", complete)
    Path("complete.yaml").write_text(write_document(complete))
    for name in folders:
        must("receive", "complete.yaml", "-g", name)
    assert {session(f).head for f in folders} == {second["heal"]}
    assert "stands instead" in must("receive", first["file"], "-g", "dubois")


def signature_of(name: str, document: Document) -> str:
    from pbem.protocol import heal

    return str(heal.sign(document, name, session(name).private)["signatures"][name])


def test_beside_a_heal_that_he_has_signed_a_player_signs_no_file_until_he_drops_it() -> None:
    folders = split()
    show_all(folders)
    write_heal("dubois")
    with pen.held(session("dubois")) as rows:
        assert heal_record.unsettled(session("dubois").folder.log.files(), rows, "dubois")
        with pytest.raises(Exception, match="signed a heal"):
            heal_record.check_settled(session("dubois").folder.log.files(), rows, "dubois")
    assert len(as_json("heal", "--drop", "-g", "dubois")["dropped"]) == 1
    with pen.held(session("dubois")) as rows:
        heal_record.check_settled(session("dubois").folder.log.files(), rows, "dubois")
    assert as_json("heal", "--drop", "-g", "dubois")["dropped"] == []


def test_a_file_that_a_heal_of_its_author_holds_is_not_taken_back() -> None:
    """The heal holds every version whole: whoever gets it to sign has the file."""
    folders = found(SEATS)
    assert advance_to(folders, "card") == "nowak"
    one, two = fork("pass", "pass")
    for file in (two, one):
        run("receive", file, "-g", "dubois")
    must("send", orders("dubois", {"seal": 3, "seat": "rust"}), "-g", "dubois")
    newest = session("dubois").folder.log.files()[-1]
    assert newest["player"] == "dubois" and newest["signature"] in Path(write_heal("dubois")["file"]).read_text()
    done = run("unsend", "--yes", "-g", "dubois")
    assert done.code == 1 and "a heal that you have signed holds it" in done.err, done
    must("heal", "--drop", "-g", "dubois")
    assert run("unsend", "--yes", "-g", "dubois").code == 1, "it may be with the others all the same"
    assert session("dubois").folder.log.files()[-1] == newest


def test_a_heal_that_nobody_who_plays_has_signed_or_that_was_changed_is_refused() -> None:
    folders = split()
    show_all(folders)
    drafted = write_heal("dubois")
    good = document_in(drafted["file"])
    cases: dict[str, tuple[Document, int]] = {
        "unsigned": ({**good, "signatures": {}}, 6),
        "changed": ({**good, "note": ["changed"]}, 6),
        "another game": ({**good, "game": "ab" * 32}, 8),
        "a place in the middle": ({**good, "seq": good["seq"] - 1}, 15),
        "no heal": ({**good, "surprise": 1}, 5),
    }
    head = session("yamada").head
    for name, (document, code) in cases.items():
        Path("bad.yaml").write_text(write_document(document))
        assert run("receive", "bad.yaml", "-g", "yamada").code == code, name
        assert session("yamada").head == head
    assert not Path("yamada/heals").exists()


def test_a_heal_that_is_anybodys_invention_makes_no_program_ask_for_heads(wait: Hours) -> None:
    folders = split()
    show_all(folders)
    good = document_in(write_heal("dubois")["file"])
    wait(25)  # each program asks once a day at most
    Path("bad.yaml").write_text(write_document({**good, "to": good["to"] - 1, "signatures": {}}))
    before = len(session("yamada").folder.log.entries)
    done = run("receive", "bad.yaml", "-g", "yamada")
    assert (done.code, "may exist" in done.out, len(session("yamada").folder.log.entries)) == (15, False, before)


def test_who_refuses_to_heal_stalls_the_game_in_his_own_name() -> None:
    folders = split()
    show_all(folders)
    drafted = write_heal("dubois")
    [other] = [name for name in drafted["missing"] if name != "nowak"]
    drafted = as_json("heal", drafted["file"], "-g", other)
    assert drafted["missing"] == ["nowak"], "only he who signed twice has not signed yet"
    for name in folders:
        run("receive", drafted["file"], "-g", name)
    heads = {name: session(name).head for name in folders}
    for name in folders:
        told = run("status", "-g", name).out
        assert "PROVED" in told and "nowak" in next(line for line in told.splitlines() if "heal" in line), told
    must("heal", "--drop", "-g", "nowak")
    for name in (other, "dubois"):
        done = run("heal", drafted["file"], "--for", "nowak", "-g", name)
        assert done.code and not done.out, "nobody signs for him"
    assert {name: session(name).head for name in folders} == heads and not any(e.type == "heal" for e in entries_of(folders))


def entries_of(folders: list[str]) -> list[Any]:
    return [entry for name in folders for entry in session(name).table.ledger.entries]


def test_there_is_nothing_to_heal_in_a_game_that_has_not_parted() -> None:
    found(TWO)
    done = run("heal", "-g", "yamada")
    assert done.code == 1 and "nothing to heal" in done.err
    assert run("heal", "--for", "nowak", "-g", "yamada").code == 1


# -- accidents ----------------------------------------------------------------------------------------------------------------


def test_a_crash_leaves_the_log_before_or_after_the_heal(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = split()
    show_all(folders)
    drafted = write_heal("dubois")
    others = list(drafted["missing"])
    for name in others[:-1]:
        drafted = as_json("heal", drafted["file"], "-g", name)
    head = session(others[-1]).head

    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    for method in ("add", "write_copy"):
        with monkeypatch.context() as patch:
            patch.setattr(GameFolder, method, crash)
            with pytest.raises(KeyboardInterrupt):
                from pbem.cli import healing
                from pbem.cli.heal_draft import Wanted

                healing.command(Path(others[-1]), Path(drafted["file"]), Wanted())
        log = session(others[-1]).folder.log
        assert [e["kind"] for e in log.entries].count("heal") == (method == "write_copy")
        assert (session(others[-1]).head == head) == (method == "add")
    assert session(others[-1]).head == drafted["heal"], "the next command finds it whole"
    assert run("verify", "-g", others[-1]).code == 0


def test_a_folder_that_has_lost_a_heal_takes_it_again_from_the_record() -> None:
    folders = split()
    show_all(folders)
    must("backup", "kept.zip", "-g", "dubois")
    all_sign(folders, write_heal("dubois"))
    while session("dubois").table.due.player != "dubois":
        finish_one(folders)
    finish_one(folders)
    newest = session("dubois").head
    shutil.rmtree("dubois")
    must("restore", "kept.zip", "dubois")
    show(("yamada", "dubois"))
    assert session("dubois").head in (newest, session("yamada").head)
    assert any(d["type"] == "heal" for d in session("dubois").folder.log.files())


def finish_one(folders: list[str]) -> None:
    import random

    from tests.toygame.folders import step

    step(folders, random.Random(1))


def test_two_folders_of_one_player_come_together_over_a_heal() -> None:
    folders = split()
    show_all(folders)
    shutil.copytree("yamada", "stick")
    all_sign(folders, write_heal("dubois"))
    finish_one(folders)
    done = as_json("sync", "stick", "-g", "yamada")
    assert done["files"] == session("stick").table.last and session("stick").head == session("yamada").head


def test_what_a_player_holds_goes_out_without_void_places() -> None:
    folders = split()
    show_all(folders)
    all_sign(folders, write_heal("dubois"))
    found_ = must("dispute", "--to", "dispute.txt", "-g", "yamada")
    assert "written" in found_
    assert "type: void" not in Path("dispute.txt").read_text()


# -- an umpire ----------------------------------------------------------------------------------------------------------------


LATE = ("--deadline", "72h", "--grace", "48h", "--then", "stand-in")


def test_the_umpire_signs_for_one_who_is_silent_after_a_time_by_his_own_clock(wait: Hours) -> None:
    folders = split("escrow", late=LATE)
    show_all(folders)
    drafted = write_heal("dubois")
    drafted = as_json("heal", drafted["file"], "-g", "yamada")
    done = run("heal", drafted["file"], "--for", "nowak", "-g", "smith")
    assert done.code == 3 and "sign it yourself first" in done.err
    drafted = as_json("heal", drafted["file"], "-g", "smith")
    assert drafted["missing"] == ["nowak"]
    done = run("heal", drafted["file"], "--for", "nowak", "-g", "smith")
    assert done.code == 3 and "left" in done.err
    wait(121)
    done = as_json("heal", drafted["file"], "--for", "nowak", "-g", "smith")
    assert done["complete"]
    for name in folders:
        assert run("receive", done["file"], "-g", name).code in (0, 9)
    assert {session(f).head for f in folders} == {done["heal"]}, "also in the folder of the one who was silent"
    finish(folders)


def crossing(asked: str = "yamada") -> tuple[list[str], str, Path, Path]:
    """The umpire shows a link for a player whose own file is on its way: (folders, who, his file, the umpire's).

    Games are begun until the dice ask somebody else next, or whom one wants.
    """
    for _ in range(30):
        folders = found(SEATS, "escrow")
        advance_to(folders, "march")
        for name, word in (("nowak", "go"), ("yamada", "stop")):
            sent = as_json("send", orders(name, word), "-g", name)["file"]
            for other in folders:
                if (name, other) != ("yamada", "nowak"):
                    run("receive", sent, "-g", other)
        assert (session("smith").table.due.what, session("smith").table.due.player) == ("witness", "nowak")
        theirs = stood_in()
        if session("smith").table.due.player == asked:
            run("receive", sent, "-g", "nowak")  # his program answers by itself
            return folders, "nowak", sorted(Path("nowak/outbox").glob("0*.yaml"))[-1], theirs
        for name in (*folders, "draft"):
            shutil.rmtree(name)
    raise AssertionError(f"the dice never asked {asked}")


def stood_in() -> Path:
    from pbem.cli import umpire

    plain, _ = umpire.stand_in(Path("smith"))
    assert isinstance(plain, dict)
    return Path(str(plain["file"]))


def test_an_own_late_file_and_the_umpires_for_it_come_together_where_the_next_player_went_on() -> None:
    folders, late, own, theirs = crossing()
    mine, his = document_in(own), document_in(theirs)
    assert (mine["dice"], mine["link"]) == (his["dice"], his["link"]) and document_id(mine) != document_id(his)
    must("receive", str(own), "-g", "yamada")
    run("receive", str(theirs), "-g", "dubois")
    sent = as_json("send", orders("yamada", "foot"), "-g", "yamada")["file"]
    for name in ("dubois", "smith", late):
        run("receive", str(own), "-g", name)
        run("receive", sent, "-g", name)
    assert {session(f).table.ledger.entries[mine["seq"]].id for f in folders} == {document_id(mine)}
    assert {session(f).table.ledger.entries[mine["seq"] + 1].id for f in folders} == {document_id(document_in(sent))}
    assert "PROVED" not in must("status", "-g", "dubois"), "nobody has signed twice"


def test_where_nobody_has_followed_either_the_own_file_goes_before_the_umpires() -> None:
    folders, late, own, theirs = crossing()
    must("receive", str(own), "-g", "yamada")
    run("receive", str(theirs), "-g", "dubois")
    for name in ("smith", "dubois"):
        assert "this folder goes on with the other file" in run("receive", str(own), "-g", name).out
    run("receive", str(theirs), "-g", late)
    assert {session(f).head for f in folders} == {document_id(document_in(own))}
    assert all("heal" not in must("status", "-g", name) for name in folders)
    finish(folders)
    assert len(hashes(folders)) == 1


def test_where_only_its_author_has_gone_on_behind_his_own_late_file_the_others_go_there_too() -> None:
    folders, late, own, theirs = crossing(asked="nowak")
    for name in ("yamada", "dubois"):
        run("receive", str(theirs), "-g", name)
    request = session(late).table.engine.request
    assert isinstance(request, Ask)
    sent = as_json("send", orders(late, request.options()[0]), "-g", late)["file"]
    for name in ("smith", "yamada", "dubois"):
        run("receive", sent, "-g", name)
        run("receive", str(own), "-g", name)
    assert {session(f).table.ledger.entries[document_in(sent)["seq"]].id for f in folders} == {document_id(document_in(sent))}
    spread(folders)
    finish(folders)
    assert len(hashes(folders)) == 1


def test_at_a_terminal_a_heal_is_told_and_asked_about_before_it_is_signed(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    folders = split()
    show_all(folders)
    keep = document_id(document_in("one.yaml"))[:16]
    asked: list[str] = []

    def sits(*answers: str) -> None:
        given = list(answers)

        def typed(question: str) -> str:
            asked.append(capsys.readouterr().out)
            return given.pop(0)

        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr("builtins.input", typed)

    for answer in ("", "n"):
        sits(answer)
        with pytest.raises(ProtocolError, match="nothing is signed"):
            healing.command(Path("yamada"), None, Wanted(keep=keep), sure=False)
        assert "Void: file" in asked[-1] and "\nThen " in asked[-1]
    sits("y")
    drafted: Any = healing.command(Path("yamada"), None, Wanted(keep=keep), sure=False)[0]
    assert sorted(drafted["missing"]) == ["dubois", "nowak"]
    sits("y")
    seen = healing._seen(session("dubois"), Path(drafted["file"]), Wanted(), False)
    monkeypatch.setattr(healing, "_seen", lambda *_: "f" * 64)
    with pytest.raises(ProtocolError, match="something has come since"):
        healing.command(Path("dubois"), Path(drafted["file"]), Wanted(), sure=False)
    monkeypatch.setattr(healing, "_seen", lambda *_: seen)
    done: Any = healing.command(Path("dubois"), Path(drafted["file"]), Wanted(), sure=False)[0]
    assert done["missing"] == ["nowak"]
    assert len(asked) == 4, "none of this is asked where nobody sits"
