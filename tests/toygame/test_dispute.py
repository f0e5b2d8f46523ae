"""`pbem dispute` and `pbem judge`: one text of a game folder, one verdict for whoever was not there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import slips, turnfile
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.runtime.composing import Draft
from tests.commands import must, run
from tests.toygame import skirmish
from tests.toygame.folders import SEATS, TWO, as_json, at, finish, orders, session, spread
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_commands import lenient
from tests.toygame.test_heal_folders import all_sign, show_all, split, write_heal


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


def text_of(folder: str, name: str = "dispute.txt") -> str:
    must("dispute", "-g", folder, "--to", name)
    return name


def judged(source: str, code: int) -> Any:
    """The verdict for programs; it is told in words too, under the same code."""
    found = as_json("judge", source, code=code)
    done = run("judge", source)
    assert done.code == code and done.out.startswith(found["verdict"])
    return found


def at_march(seats: dict[str, str] = TWO) -> list[str]:
    folders = found(seats)
    advance_to(folders, "march")
    return folders


# -- verdicts -------------------------------------------------------------------------------------------------------------


def test_a_running_game_is_due_with_head_and_time_and_no_key_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = at_march()
    text, table = text_of("yamada"), session("yamada").table
    received = session("yamada").folder.log.entries[-1]["received"]
    Path("elsewhere").mkdir()
    shutil.move(text, "elsewhere/d.txt")
    for folder in [*folders, "draft", "home"]:
        shutil.rmtree(folder)
    monkeypatch.chdir("elsewhere")
    monkeypatch.setenv("PBEM_HOME", "nothing")
    said = judged("d.txt", 3)
    assert said["verdict"] == "due" and said["valid"] is True
    assert said["due"] == [{"player": "nowak", "what": "orders", "seat": "red", "detail": "day 1", "rule": "S5"}]
    assert (said["files"], said["head"], said["since"]) == (table.last, table.ledger.entries[-1].id, received)
    assert f"received {received}, says the text, which nobody has to believe" in run("judge", "d.txt").out
    assert sorted(os.listdir()) == ["d.txt"]


def test_a_game_that_is_over_is_due_until_the_audits_come_and_valid_then() -> None:
    folders = found(TWO)
    finish(folders)
    said = judged(text_of("yamada"), 3)
    assert [(d["player"], d["what"]) for d in said["due"]] == [("nowak", "audit"), ("yamada", "audit")]
    for name in folders:
        run("audit", "-g", name)
    spread(folders)
    said = judged(text_of("yamada"), 0)
    assert said["verdict"] == "valid" and said["result"]["winner"] in ("axis", "allies")
    assert said["rolls"] == len(session("yamada").table.ledger.rolled)


def test_second_files_beside_the_log_are_in_the_text() -> None:
    at_march(SEATS)
    one = as_json("send", orders("nowak", "go"), "-g", "nowak")
    two = second_file(one["file"], note=["again"])
    must("receive", one["file"], "-g", "yamada")
    assert run("receive", two, "-g", "yamada").code == 12
    said = judged(text_of("yamada"), 12)
    assert (said["verdict"], said["player"], said["file"]) == ("signed twice", "nowak", one["seq"])
    assert len(said["forks"][0]["versions"]) == 2 and said["forks"][0]["after_restore"] is False


def second_file(first: str, **changes: Any) -> str:
    """Another file that nowak's key signs for the place of one that he has sent."""
    document = {**read_document(Path(first).read_bytes())[0], **changes}
    private = session("nowak").private
    Path("second.yaml").write_text(write_document(turnfile.sign(document, private)))
    return "second.yaml"


def test_a_file_that_was_refused_is_in_the_text() -> None:
    at_march()
    nowak = session("nowak")
    composed = nowak.try_out(Draft(["go"])).document
    wrong = turnfile.sign({**composed, "orders": ["gallop"]}, nowak.private)
    Path("wrong.yaml").write_text(write_document(wrong))
    must("refuse", "wrong.yaml", "-g", "yamada")
    said = judged(text_of("yamada"), 1)
    assert (said["verdict"], said["outcome"], said["file"]) == ("rule broken", "refused by rule", wrong["seq"])
    assert said["player"] == "nowak" and said["rule"] == "S5"


def test_a_file_that_its_author_withdrew_is_in_his_text(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(TWO)
    file = lenient(monkeypatch, folders)
    wrong = read_document(Path(file).read_bytes())[0]
    slip = as_json("refuse", file, "-g", "yamada")["file"]
    must("receive", slip, "-g", "nowak")
    must("send", orders("nowak", "halt"), "-g", "nowak")
    for kept in Path("nowak/files").glob("withdrawn-*"):
        kept.unlink()
    shutil.rmtree("nowak/aside", ignore_errors=True)
    said = judged(text_of("nowak"), 3)
    assert said["files"] == wrong["seq"] and said["aside"][0]["outcome"] == "refused by rule"
    assert "was refused with reason and replaced" in said["aside"][0]["reason"]


def test_proofs_alone_are_enough_where_nothing_else_is_kept() -> None:
    at_march(SEATS)
    must("accept", "yamada/files/0000-charter.yaml", "-g", "watch")
    must("receive", "yamada/files", "-g", "watch")
    one = as_json("send", orders("nowak", "go"), "-g", "nowak")
    two = second_file(one["file"], note=["again"])
    must("receive", one["file"], "-g", "watch")
    assert run("receive", two, "-g", "watch").code == 12
    shutil.rmtree("watch/aside", ignore_errors=True)
    assert judged(text_of("watch"), 12)["player"] == "nowak"


def test_what_nobody_signed_is_not_in_the_text() -> None:
    at_march()
    s = session("yamada")
    slip = slips.sign(slips.make("request", s.charter.game_id, s.head, "yamada", {"text": "hurry"}), s.private)
    file = {**s.folder.log.files()[-1], "note": ["forged"]}
    Path("yamada/aside").mkdir(exist_ok=True)
    for name, forged in (("slip", {**slip, "text": "forged"}), ("file", file)):
        Path(f"yamada/aside/{name}.yaml").write_text(write_document(forged))
    assert "forged" not in Path(text_of("yamada")).read_text()
    Path("yamada/aside/good.yaml").write_text(write_document(slip))
    assert "hurry" in Path(text_of("yamada", "again.txt")).read_text()


def test_a_healed_game_is_handed_over_with_its_heal_and_all_versions() -> None:
    folders = split()
    show_all(folders)
    assert judged(text_of("yamada"), 12)["player"] == "nowak"
    done = all_sign(folders, write_heal("yamada"))
    assert not done["missing"]
    said = judged(text_of("yamada"), 3)
    assert (said["verdict"], said["head"]) == ("due", session("yamada").head)
    assert [(f["player"], bool(f["healed"])) for f in said["forks"]] == [("nowak", True)]
    assert "healed at place" in run("judge", "dispute.txt").out and said["aside"] == []


def test_wrong_dice_say_file_and_roll() -> None:
    folders = found(TWO)
    finish(folders, seed=3)
    files = [d for d in session("yamada").folder.log.files() if d.get("dice")]
    Path("heap").mkdir()
    for document in session("yamada").folder.log.files():
        if document == files[0]:
            rolled = document["dice"][0]
            wrong = {**rolled, "dice": [1 + n % 6 for n in rolled["dice"]]}
            document = resigned({**document, "dice": [wrong, *document["dice"][1:]]})
        Path("heap", f"{document.get('seq', 0):04d}.yaml").write_text(write_document(document))
    said = judged("heap", 16)
    assert (said["verdict"], said["file"], said["roll"]) == ("wrong dice", files[0]["seq"], 0)
    assert said["player"] == files[0]["player"] and said["rule"] == "protocol 6"
    assert (said["files"], said["rolls"]) == (files[0]["seq"] - 1, 0)


def resigned(document: dict[str, Any]) -> dict[str, Any]:
    return turnfile.sign(document, session(document["player"]).private)


def test_documents_left_out_are_a_cut() -> None:
    at_march()
    folder = Path("yamada/files")
    next(folder.glob("0004-*.yaml")).unlink()
    said = judged("yamada/files", 15)
    assert (said["verdict"], said["file"], said["files"]) == ("cut", 4, 3)


def test_two_games_in_one_folder_are_no_such_game() -> None:
    at_march()
    with_other = Path("heap")
    shutil.copytree("yamada/files", with_other)
    foreign = read_document(next(with_other.glob("0003-*")).read_bytes())[0]
    Path(with_other, "foreign.yaml").write_text(write_document({**foreign, "game": "ab" * 32}))
    said = judged("heap", 8)
    assert said["verdict"] == "no such game" and said["foreign"] == {"ab" * 32: 1}
    assert said["due"]  # the game alone has been judged


def test_claims_about_the_newest_file_are_told() -> None:
    at_march()
    s = session("yamada")
    slip = slips.make("request", s.charter.game_id, s.head, "yamada", {"text": "please hurry"})
    Path("slip.yaml").write_text(write_document(slips.sign(slip, s.private)))
    must("receive", "slip.yaml", "-g", "yamada")
    said = judged(text_of("yamada"), 3)
    assert said["claims"] == [{"slip": "request", "player": "yamada", "says": "please hurry"}]
    assert "about the newest file: request of yamada: please hurry" in run("judge", "dispute.txt").out


def test_a_file_on_its_author_s_own_word_is_told() -> None:
    at_march()
    nowak = session("nowak")
    slip = slips.make("restored", nowak.charter.game_id, nowak.head, "nowak", {"asks": "ab" * 32, "word": "the disk broke"})
    composed = nowak.try_out(Draft(["halt"], slips=[slips.sign(slip, nowak.private)])).document
    shutil.copytree("yamada/files", "heap")
    Path("heap/last.yaml").write_text(write_document(turnfile.sign(composed, nowak.private)))
    said = judged("heap", 3)
    assert said["own_words"] == [{"player": "nowak", "file": composed["seq"], "word": "the disk broke"}]
    assert "on his own word: the disk broke" in run("judge", "heap").out


# -- the lie ------------------------------------------------------------------------------------------------------------


def test_a_lie_is_named_with_player_and_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.runtime.knowledge import Knowledge

    def boast(self: Knowledge, n: int, request: Any) -> Any:
        return {"claim": n, "value": 6 if request.truth(self.reveal) in (1, 2, 3) else 1}

    folders = found(TWO)
    with monkeypatch.context() as cheating:
        cheating.setattr(Knowledge, "claim", boast)
        finish(folders)
    for name in folders:
        run("audit", "-g", name)
    spread(folders)
    said = judged(text_of("yamada"), 14)
    assert said["verdict"] == "lie" and said["player"] and said["file"] and "says" in said["reason"]


def test_a_fault_of_the_rules_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = at_march()
    must("send", orders("nowak", "go"), "-g", "nowak")
    spread(folders)
    text = text_of("yamada")

    def failing(*words: str) -> Any:
        return lambda order: [][1]

    monkeypatch.setattr(skirmish, "word_of", failing)
    assert judged(text, 11)["verdict"] == "programs differ"
