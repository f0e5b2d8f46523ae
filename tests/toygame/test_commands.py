"""Offers, slips, seats, umpire, proofs and audit through the real command line, between two to four folders."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem import games
from pbem.cli import play
from pbem.protocol import keys, slips
from pbem.protocol.outcomes import ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from tests.commands import must, run
from tests.toygame import skirmish
from tests.toygame.folders import (
    SEATS,
    TWO,
    as_json,
    at,
    due,
    finish,
    hashes,
    orders,
    sent_until_a_witness_is_due,
    session,
    spread,
    step,
    two_pens,
)
from tests.toygame.remembered import advance_to, found


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


# -- offers -------------------------------------------------------------------------------------------------------------


def test_undo_is_offered_and_agreed_to() -> None:
    folders = found(TWO)
    advance_to(folders, "march")
    sent = as_json("send", orders("nowak", "go"), "-g", "nowak")["seq"]
    spread(folders)
    offered = as_json("undo", str(sent), "-g", "yamada")
    assert offered["due"] == "nowak"
    spread(folders)
    assert as_json("agree", "-g", "nowak")["due"] == "nowak"
    spread(folders)
    assert session("yamada").table.ledger.voided and len(hashes(folders)) == 1
    request = session("yamada").table.engine.request
    assert request is not None and getattr(request, "kind", "") == "march"


def test_who_resigns_has_to_mean_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word in the wrong folder at midnight ends no game."""
    folders = found(SEATS)
    advance_to(folders, "march")
    said = run("resign", "-g", "nowak")
    assert said.code == 1 and "nothing is signed: you resign red: nothing takes that back" in said.err
    assert not session("nowak").folder.log.slips()
    for answer, meant in (("", False), ("n", False), ("y", True)):
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
            patch.setattr("builtins.input", lambda question, typed=answer: typed)
            if meant:
                play.resign(Path("nowak"))
            else:
                with pytest.raises(ProtocolError, match="nothing is signed"):
                    play.resign(Path("nowak"))
        assert bool(session("nowak").folder.log.slips()) is meant


def test_who_accepts_a_draw_has_to_mean_it_other_offers_do_not_end_a_game() -> None:
    folders = found(TWO)
    writer = advance_to(folders, "march")
    other = next(f for f in folders if f != writer)
    must("offer", "draw", "-g", writer)
    spread(folders)
    head, said = session(other).head, run("agree", "-g", other)
    assert said.code == 1 and f"with the draw that {writer} offers the game is over" in said.err and session(other).head == head
    must("refuse", "-g", other)
    spread(folders)
    must("seat", "renew", "-g", writer)
    spread(folders)
    must("agree", "-g", other)


def test_who_accepts_what_has_changed_while_he_looked_at_it_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(TWO)
    writer = advance_to(folders, "march")
    other = next(f for f in folders if f != writer)
    must("offer", "draw", "-g", writer)
    spread(folders)
    heads = []

    def meanwhile(*_: object) -> None:
        must("refuse", "-g", other)
        spread(folders)
        must("seat", "renew", "-g", writer)
        spread(folders)
        heads.append(session(other).head)

    monkeypatch.setattr(play, "make_sure", meanwhile)
    with pytest.raises(ProtocolError, match="another offer has come meanwhile"):
        play.agree(Path(other))
    assert [session(other).head] == heads, "nothing is signed"
    must("agree", "-g", other)


def test_a_draw_is_offered_declined_offered_and_agreed_to() -> None:
    folders = found(TWO)
    writer = advance_to(folders, "march")
    other = next(f for f in folders if f != writer)
    as_json("offer", "draw", "-g", writer)
    spread(folders)
    head = session(other).head
    meant = run("accept", "-g", other)
    assert meant.code == 3 and f"waits for {other}" in meant.err and f"`pbem agree -g {other}`" in meant.err, meant
    assert session(other).head == head
    as_json("refuse", "-g", other)
    assert "begun already" in must("accept", "-g", other), "no offer waits: nothing is missed"
    spread(folders)
    assert session(writer).table.result is None and due(folders) == writer
    must("offer", "draw", "-g", writer)
    spread(folders)
    must("agree", "--yes", "-g", other)
    spread(folders)
    assert "a draw was agreed" in must("status", "-g", writer)


def test_another_rules_version_is_offered_and_agreed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    class Second(skirmish.Skirmish):
        rules_version = 2
        earlier = {1: skirmish.GAME}

    folders = found(TWO)
    writer = advance_to(folders, "march")
    monkeypatch.setitem(games._REGISTERED, "skirmish", Second())
    other = next(f for f in folders if f != writer)
    as_json("offer", "rules", "2", "-g", writer)
    spread(folders)
    as_json("agree", "-g", other)
    spread(folders)
    assert session(writer).table.ledger.rules_version == 2
    finish(folders)
    assert "rules agree" in must("verify", "-g", other)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["offer", "peace"], "cannot be offered"),
        (["offer", "rules"], "offer rules VERSION"),
        (["agree"], "no offer to accept"),
        (["refuse"], "no offer to decline"),
        (["undo", "999"], "holds no orders to take back"),
        (["umpire", "stand-in"], "holds no escrow key"),
        (["umpire", "check"], "holds no escrow key"),
        (["prove", "1", "proof", "--fork"], "only one is known"),
        (["audit"], "when the game is over"),
        (["seat", "give", "orders.yaml"], "not what `pbem seat take` writes"),
        (["seat", "secrets", "orders.yaml"], "not what `pbem seat give --secrets` writes"),
        (["seat", "take", "stranger"], "does not play in this game"),
        (["seat", "take", "yamada"], "take a seat over in a new folder"),
        (["refuse", "orders.yaml"], "holds 0 files"),
    ],
    ids=str,
)
def test_errors_are_one_plain_sentence(words: list[str], said: str) -> None:
    folders = found(TWO)
    orders(advance_to(folders, "march"))
    done = run(*words, "-g", "nowak")
    assert done.code not in (0, 2) and said in done.err and done.err.count("\n") == 1, done
    answered = as_json(*words, "-g", "nowak", code=done.code)
    assert any(said in line for line in answered["problems"])


# -- slips --------------------------------------------------------------------------------------------------------------


def test_a_resignation_ends_the_game_in_every_folder_and_waits_for_the_audit() -> None:
    folders = found(TWO)
    advance_to(folders, "march")
    assert as_json("resign", "--yes", "-g", "nowak")["slip"] == "resignation"
    spread(folders)
    for name in folders:
        text = must("status", "-g", name)
        assert "axis won" in text and "Audit pending: nowak, yamada." in text


def lenient(monkeypatch: pytest.MonkeyPatch, folders: list[str]) -> str:
    """The author's program takes an order that the rules forbid; the path of his file."""
    writer = advance_to(folders, "march")
    with monkeypatch.context() as fault:
        fault.setattr(skirmish, "word_of", lambda *words: lambda order: "go" if order == "gallop" else order)
        seq = as_json("send", orders(writer, "gallop"), "-g", writer)["seq"]
    return f"{writer}/outbox/{seq:04d}-{writer}.yaml"


def test_an_unlawful_file_is_refused_withdrawn_and_replaced_with_the_same_link(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(TWO)
    file = lenient(monkeypatch, folders)
    wrong, _ = read_document(Path(file).read_bytes())
    assert run("receive", file, "-g", "yamada").code == 1
    slip = as_json("refuse", file, "-g", "yamada")["file"]
    assert list(Path("yamada/files").glob("refused-*.yaml"))
    done = run("receive", slip, "-g", "nowak")
    assert done.code == 0 and "withdrawn" in done.out and "gallop" in done.out
    must("send", orders("nowak", "halt"), "-g", "nowak")
    right, _ = read_document(Path(file).read_bytes())
    assert (
        right["link"] == wrong["link"] and right["replaces"] and right["slips"] == [read_document(Path(slip).read_bytes())[0]]
    )
    spread(folders)
    finish(folders)
    assert len(hashes(folders)) == 1
    for name in folders:
        assert "rules agree" in must("verify", "-g", name)


def test_a_refusal_that_the_author_s_program_does_not_share_stops_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(TWO)
    file = lenient(monkeypatch, folders)
    slip = as_json("refuse", file, "-g", "yamada")["file"]
    with monkeypatch.context() as fault:
        fault.setattr(skirmish, "word_of", lambda *words: lambda order: "go" if order == "gallop" else order)
        done = run("receive", slip, "-g", "nowak")
        assert done.code == 11 and "third judge" in done.out
        assert session("nowak").table.last == int(Path(file).name[:4])


def elsewhere(slip: str) -> dict[str, Any]:
    """The same refusal by the same player, who names another head than his program did."""
    right, _ = read_document(Path(slip).read_bytes())
    game = session("yamada")
    assert right["head"] == game.head
    return slips.sign({**right, "head": game.table.ledger.entries[1].id}, game.private)


def test_a_refusal_signed_elsewhere_takes_no_file_back_since_none_could_replace_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both files would be signed and the refusal would not count in the second: proof of a fork against who is honest."""
    folders = found(TWO)
    file = lenient(monkeypatch, folders)
    slip = as_json("refuse", file, "-g", "yamada")["file"]
    Path("false.yaml").write_text(write_document(elsewhere(slip)))
    done = run("receive", "false.yaml", "-g", "nowak")
    assert done.code == 1 and "was not signed behind file" in done.out and "ask yamada for another" in done.out
    seq = int(Path(file).name[:4])
    assert len(session("nowak").folder.log.files()) == seq + 1 and not session("nowak").withdrawn()
    assert "withdrawn" in must("receive", slip, "-g", "nowak"), "the right one takes it back"
    must("send", orders("nowak", "halt"), "-g", "nowak")
    spread(folders)
    assert session("yamada").folder.log.files()[seq]["orders"] == ["halt"] and len(hashes(folders)) == 1


def test_nobody_signs_behind_a_refusal_that_would_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder whose file went out of the log by such a refusal all the same, as earlier programs did."""
    folders = found(TWO)
    file = lenient(monkeypatch, folders)
    slip = as_json("refuse", file, "-g", "yamada")["file"]
    session("nowak").withdraw(elsewhere(slip))
    done = run("send", orders("nowak", "halt"), "-g", "nowak")
    assert done.code == 1 and "is signed already" in done.err


def test_a_lawful_file_cannot_be_refused() -> None:
    folders = found(TWO)
    writer = advance_to(folders, "march")
    seq = as_json("send", orders(writer, "go"), "-g", writer)["seq"]
    done = run("refuse", f"{writer}/outbox/{seq:04d}-{writer}.yaml", "-g", "yamada")
    assert done.code == 1 and "is lawful" in done.err


# -- forks --------------------------------------------------------------------------------------------------------------


def fork() -> tuple[list[str], str, int]:
    """Red signs two files for one place, on two machines; blue has received both."""
    folders = found(SEATS)
    writer = advance_to(folders, "march")
    shutil.copytree(writer, "copy")
    with two_pens():
        one = as_json("send", orders(writer, "go"), "-g", writer)
        two = as_json("send", orders(writer, "halt", note=["again"]), "-g", "copy")
    must("receive", one["file"], "-g", "yamada")
    done = run("receive", two["file"], "-g", "yamada")
    assert done.code == 12 and "another file" in done.out
    return folders, writer, one["seq"]


def checked(folder: str) -> str:
    return subprocess.run(["sh", "check.sh"], cwd=folder, capture_output=True, text=True, check=False).stdout


def test_a_fork_is_kept_told_to_all_and_proved_by_stock_tools() -> None:
    folders, writer, seq = fork()
    proved = as_json("prove", str(seq), "bundle", "--fork", "-g", "yamada")
    assert (proved["player"], proved["file"]) == (writer, seq)
    assert checked("bundle").startswith(f"PROVED: {writer} signed two different files {seq}")
    slip = read_document(Path("yamada/outbox/slip-equivocation-yamada.yaml").read_bytes())[0]
    assert {f["seq"] for f in slip["files"]} == {seq}
    assert run("receive", "yamada/outbox/slip-equivocation-yamada.yaml", "-g", "dubois").code == 0
    assert set(folders) == set(SEATS)


@pytest.mark.parametrize("change", ["first.json", "seq.txt", "same", "other place"])
def test_a_changed_fork_is_not_proved(change: str) -> None:
    _, writer, seq = fork()
    must("prove", str(seq), "bundle", "--fork", "-g", "yamada")
    bundle = Path("bundle")
    if change == "same":
        for suffix in ("json", "sig"):
            shutil.copy(bundle / f"first.{suffix}", bundle / f"second.{suffix}")
    elif change == "other place":
        hide_in_orders(bundle, writer, seq)
    else:
        path = bundle / change
        path.write_text(path.read_text().replace(str(seq), str(seq + 1)))
    assert checked("bundle").startswith("NOT PROVED")


def hide_in_orders(bundle: Path, writer: str, seq: int) -> None:
    """A file at another place whose orders and note mention this one."""
    from pbem.kernel.canon import canonical
    from pbem.protocol import sshsig
    from pbem.protocol.ids import signed_part

    document = dict(session(writer).folder.fetch(seq))
    document.update(seq=seq + 1, orders=[{"a": 1, "seq": seq, "z": 1}], note=[f'"seq":{seq},'])
    (bundle / "second.json").write_bytes(canonical(signed_part(document)))
    made = sshsig.sign(session(writer).private, canonical(signed_part(document)))
    (bundle / "second.sig").write_text(sshsig.armored(keys.public_text(session(writer).private), made))


def test_a_roll_is_proved_and_a_changed_one_is_not() -> None:
    folders = found(TWO)
    finish(folders, seed=3)
    rolled = session("yamada").table.ledger.rolled
    assert rolled
    for n, roll in enumerate(rolled):
        proved = as_json("prove", str(roll.source), f"p{n}", "--roll", str(roll.index), "-g", "yamada")
        assert proved["dice"] == roll.dice
        assert checked(f"p{n}") == f"PROVED: {roll.label}: {' '.join(map(str, roll.dice))}\n"
    Path("p0/dice.txt").write_text("7")
    assert checked("p0").startswith("NOT PROVED: dice")


def test_a_roll_of_many_dice_is_proved_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    real = skirmish.Roll
    monkeypatch.setattr(skirmish, "Roll", lambda label, dice, *rest: real(label, dice * 11, *rest))
    folders = found(TWO)
    finish(folders, seed=3)
    roll = session("yamada").table.ledger.rolled[0]
    must("prove", str(roll.source), "p", "--roll", str(roll.index), "-g", "yamada")
    assert checked("p") == f"PROVED: {roll.label}: {' '.join(map(str, roll.dice))}\n"
    Path("p/label.txt").write_text(roll.label + "!")
    assert checked("p").startswith("NOT PROVED")


# -- audit --------------------------------------------------------------------------------------------------------------


def test_the_audit_waits_for_all_and_then_is_clean() -> None:
    folders = found(TWO)
    finish(folders)
    assert as_json("audit", "-g", "yamada", code=3) == {"pending": ["nowak"]}
    assert as_json("audit", "-g", "nowak", code=3) == {"pending": ["yamada"]}
    spread(folders)
    for name in folders:
        assert as_json("audit", "-g", name) == {"clean": True}
        assert "Audit pending" not in must("status", "-g", name)
    entries = len(session("yamada").folder.log.entries)
    must("audit", "-g", "yamada")
    assert len(session("yamada").folder.log.entries) == entries


def test_a_lie_is_named_by_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.runtime.knowledge import Knowledge

    def boast(self: Knowledge, n: int, request: object) -> object:
        true = getattr(request, "truth")(self.reveal)  # noqa: B009
        return {"claim": n, "value": 6 if true in (1, 2, 3) else 1}

    folders = found(TWO)
    with monkeypatch.context() as cheating:
        cheating.setattr(Knowledge, "claim", boast)
        finish(folders)
    for name in folders:
        run("audit", "-g", name)
    spread(folders)
    found_out = as_json("audit", "-g", "nowak", code=14)
    assert found_out["player"] in SEATS and found_out["file"] and "says" in found_out["what"]


# -- seats --------------------------------------------------------------------------------------------------------------


def agree_all(folders: list[str]) -> None:
    while session(folders[0]).table.ledger.offer is not None:
        must("agree", "-g", due(folders))
        spread(folders)


def test_a_player_changes_his_key_twice_and_the_game_goes_on_to_a_clean_audit() -> None:
    folders = found(SEATS)
    seen = set()
    for seed in (1, 2):
        writer = advance_to(folders, "march", seed)
        seen.add(session("nowak").table.ledger.keys["nowak"])
        assert as_json("seat", "renew", "-g", writer)["seq"]
        spread(folders)
        agree_all(folders)
        step(folders, random.Random(seed))
    assert len(seen | {session("nowak").table.ledger.keys["nowak"]}) == 3
    finish(folders)
    for name in folders:
        run("audit", "-g", name)
    spread(folders)
    assert as_json("audit", "-g", "yamada") == {"clean": True}
    must("backup", "b.zip", "-g", "nowak")
    must("restore", "b.zip", "again")
    assert session("again").is_seated


def watching(charter_of: str, folder: str) -> None:
    """A folder of somebody who has no key in the game, with all its files."""
    must("new", folder, "--system", "skirmish", "--scenario", "hill")
    must("accept", f"{charter_of}/files/0000-charter.yaml", "-g", folder)
    must("receive", f"{charter_of}/files", "-g", folder)


def test_a_new_player_takes_a_seat_with_its_hidden_hand() -> None:
    folders = found(SEATS)
    advance_to(folders, "march")
    watching("yamada", "jones")
    taken = as_json("seat", "take", "nowak", "--holder", "Jones", "--to", "seat.yaml", "-g", "jones")
    assert "PRIVATE" not in Path("seat.yaml").read_text()
    must("receive", "yamada/files", "-g", "jones")
    must("seat", "give", "seat.yaml", "--secrets", "hidden.json", "-g", "nowak")
    assert Path("hidden.json").stat().st_mode & 0o777 == 0o600
    spread([*folders, "jones"])
    agree_all([*folders, "jones"])
    assert as_json("seat", "secrets", "hidden.json", "-g", "jones")["draws"]
    assert keys.fingerprint(session("yamada").table.ledger.keys["nowak"]) == taken["fingerprint"]
    assert session("jones").is_seated and not session("nowak").is_seated
    done = run("send", orders("nowak", "halt"), "-g", "nowak")
    assert done.code == 7 and "does not sign" in done.err
    shutil.rmtree("nowak")
    Path("jones").rename("nowak")
    finish(folders)
    for name in folders:
        run("audit", "-g", name)
    spread(folders)
    assert as_json("audit", "-g", "yamada") == {"clean": True}


def test_hidden_things_that_were_not_handed_over_stay_due_from_the_last_holder() -> None:
    folders = found(SEATS)
    advance_to(folders, "march")
    watching("yamada", "jones")
    must("seat", "take", "nowak", "--to", "seat.yaml", "-g", "jones")
    must("seat", "give", "seat.yaml", "-g", "nowak")
    everybody = [*folders, "jones"]
    spread(everybody)
    agree_all(everybody)
    must("resign", "--yes", "-g", "jones")
    must("resign", "--yes", "-g", "dubois")
    spread(everybody)
    for name in ("yamada", "dubois", "jones"):
        run("audit", "-g", name)
    spread(everybody)
    assert as_json("audit", "-g", "yamada", code=3) == {"pending": ["nowak"]}
    run("audit", "-g", "nowak")
    spread(everybody)
    assert as_json("audit", "-g", "yamada") == {"clean": True}


def test_an_ally_gives_the_seat_of_a_lost_key_away() -> None:
    folders = found(SEATS, lost_keys="others")
    advance_to(folders, "march")
    shutil.rmtree("nowak")
    watching("yamada", "nowak")
    must("seat", "take", "nowak", "--to", "seat.yaml", "-g", "nowak")
    refused = run("seat", "give", "seat.yaml", "-g", "yamada")
    assert refused.code != 0 and refused.err.count("\n") == 1, refused
    must("seat", "give", "seat.yaml", "-g", "dubois")
    spread(folders)
    agree_all(folders)
    must("send", orders("nowak", "halt"), "-g", "nowak")
    spread(folders)
    assert len(hashes(folders)) == 1


def test_who_has_offered_another_key_resigns_when_that_is_answered() -> None:
    """For whoever has accepted the offer the slip would be signed with a key given up: for some the game would be over."""
    folders = found(TWO)
    writer = advance_to(folders, "march")
    must("seat", "renew", "-g", writer)
    said = run("resign", "--yes", "-g", writer)
    assert said.code != 0 and "resign when it is answered" in said.err
    spread(folders)
    agree_all(folders)
    must("resign", "--yes", "-g", writer)
    spread(folders)
    assert all("won" in must("status", "-g", f) for f in folders)


def test_a_key_is_renewed_also_when_few_links_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.protocol.charter.CHAIN_LENGTH", 68)
    folders = found(TWO)
    writer = advance_to(folders, "march")
    held = session(writer).table.ledger.chains[writer]
    assert held.left == 64 and not held.next_tip  # this very file has to announce another chain
    must("seat", "renew", "-g", writer)
    spread(folders)
    agree_all(folders)
    finish(folders)
    assert len(hashes(folders)) == 1


# -- umpire -------------------------------------------------------------------------------------------------------------


def test_the_link_of_an_umpire_turns_the_dice() -> None:
    folders = found(TWO, "witness")
    finish(folders, seed=3)
    ledger = session("yamada").table.ledger
    assert ledger.rolled and {ledger.entries[r.source + 1].player for r in ledger.rolled} == {"smith"}
    assert "rules agree" in must("verify", "-g", "smith")
    assert as_json("status", "-g", "smith")["messages"]["smith"]["automatic"] == sum(
        e.player == "smith" for e in ledger.entries
    )


def test_the_umpire_opens_the_escrow_and_breaks_a_stall() -> None:
    folders = found(TWO, "escrow")
    assert as_json("umpire", "check", "-g", "smith")["opened"] == ["nowak", "yamada"]
    advance_to(folders, "march")
    waiting = run("umpire", "stand-in", "-g", "smith")
    assert waiting.code == 3 and "no link is due" in waiting.err
    stalled = sent_until_a_witness_is_due("smith")  # who has not even read his mail
    stood = as_json("umpire", "stand-in", "-g", "smith")
    document = read_document(Path(stood["file"]).read_bytes())[0]
    assert (document["player"], document["signed_by"]) == (stalled, "smith")
    assert session("smith").table.due.what != "witness"
    spread(folders)
    assert len(hashes(folders)) == 1
    finish(folders)
    assert "rules agree" in must("verify", "-g", stalled)


def test_the_umpire_replaces_a_lost_key_alone() -> None:
    folders = found(TWO, "escrow", lost_keys="umpire")
    advance_to(folders, "march")
    shutil.rmtree("nowak")
    watching("yamada", "nowak")
    must("seat", "take", "nowak", "--to", "seat.yaml", "-g", "nowak")
    must("seat", "give", "seat.yaml", "-g", "smith")
    spread(folders)
    must("send", orders("nowak", "halt"), "-g", "nowak")
    spread(folders)
    assert as_json("umpire", "check", "-g", "smith")["opened"] == ["nowak", "yamada", "nowak"]


def test_an_escrow_that_does_not_open_keeps_the_umpire_from_signing() -> None:
    must("new", "draft", "--system", "skirmish", "--scenario", "hill")
    must("umpire", "join", "draft/charter.yaml", "--as", "smith", "--role", "escrow", "-g", "smith")
    must("join", "smith/charter.yaml", "--as", "yamada", "--seats", "blue", "-g", "yamada")
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", "red,rust", "-g", "nowak")
    draft = read_document(Path("nowak/charter.yaml").read_bytes())[0]
    draft["escrow"]["nowak"] = draft["escrow"]["yamada"]
    Path("draft.yaml").write_text(write_document(draft))
    for name in ("yamada", "nowak"):
        must("accept", "draft.yaml", "-g", name)
        shutil.copy(f"{name}/charter.yaml", "draft.yaml")
    done = run("accept", "draft.yaml", "-g", "smith")
    assert done.code == 13 and "nowak: the escrow" in done.err
    assert json.dumps(session("smith").folder.secrets().signed_charter) == '""'  # type: ignore[union-attr]
