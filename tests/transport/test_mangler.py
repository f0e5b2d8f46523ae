"""Real files through the mangler: accepted unchanged or refused with the reason, never misread."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol import charter, keys, slips, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.transport.armor import documents, sift, write_block
from pbem.transport.mail import gather, write_eml
from tests.commands import prepare
from tests.transport.manglers import MAILS, TEXTS, mbox, plain_mail

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
NOTES = [
    'Good luck, "old friend" -- it\'s your turn...',
    "From here on <b>I</b> & you: 3 > 2, caf\u00e9 \\ na\u00efve, 100% #1 *really* _so_",
    "> quoted already; a long line that every mail program is going to wrap somewhere, because it has so many words in it",
    "-----END PBEM TURN-----\n-----BEGIN PBEM TURN-----\npbem: 1",
    "",
]
REFUSED_AS_A_RULE = {"markdown escapes undone"}  # words are gone


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """A turn with a note, the same with a standing order of many clauses, a charter, a slip."""
    moments = prepare(tmp_path_factory.mktemp("moments"))
    turn = read_document((moments["sent"] / "axis/outbox/0001-yamada.yaml").read_bytes())[0]
    witness = read_document((moments["answered"] / "allies/outbox/0002-nowak.yaml").read_bytes())[0]
    clauses = [{"when": "own-strength < enemy-strength", "do": "retreat"}, {"do": "press"}]
    rolls = [{"roll": 0, "label": "battle in Hunan, round 1, Japan", "sides": 6, "dice": [1, 2, 6]}] * 2
    rich = turnfile.sign({**turn, "note": NOTES, "standing": {"retreat": clauses}, "dice": rolls}, KEY)
    slip = read_document((moments["over"] / "allies/outbox/slip-resignation-nowak.yaml").read_bytes())[0]
    full = read_document((moments["running"] / "axis/charter.yaml").read_bytes())[0]
    return {"turn": turn, "turn with a note": rich, "witness": witness, "slip": slip, "charter": full}


KINDS = ("turn", "turn with a note", "witness", "slip", "charter")


def is_genuine(document: dict[str, Any], files: dict[str, dict[str, Any]]) -> bool:
    """Its signature holds: then its content is what its author signed."""
    try:
        if document.get("type") == "charter":
            charter.verify(document)
        elif document.get("type") == "slip":
            slips.verify(document, files["charter"]["players"][document["player"]]["key"])
        else:
            try:
                turnfile.verify(document, files["charter"]["players"][document["player"]]["key"])
            except ProtocolError:
                turnfile.verify(document, keys.public_text(KEY))
    except (ProtocolError, KeyError, TypeError):
        return False
    return True


def judge(found: Any, original: dict[str, Any], files: dict[str, dict[str, Any]]) -> bool:
    """True when accepted unchanged; otherwise it must be a refusal with a reason, or a document whose signature fails."""
    if isinstance(found, ProtocolError):
        assert found.outcome in (Outcome.UNREADABLE, Outcome.TOO_LARGE) and len(str(found)) > 10
        return False
    if found == original:
        return True
    assert not is_genuine(found, files)
    return False


def judge_all(results: list[Any], original: dict[str, Any], files: dict[str, dict[str, Any]]) -> bool:
    assert results, "neither accepted nor refused"
    return False not in [judge(found, original, files) for found in results]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TEXTS)
def test_a_mangled_block(name: str, kind: str, files: Any) -> None:
    accepted = judge_all(list(sift(TEXTS[name](write_block(files[kind])))), files[kind], files)
    assert accepted or name in REFUSED_AS_A_RULE


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("kind", KINDS)
def test_two_manglers_after_each_other(kind: str, files: Any) -> None:
    block, accepted = write_block(files[kind]), 0
    for first, second in product(TEXTS, TEXTS):
        accepted += judge_all(list(sift(TEXTS[second](TEXTS[first](block)))), files[kind], files)
    assert accepted > len(TEXTS) ** 2 * 0.75


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TEXTS)
def test_a_mangled_file_without_a_block(name: str, kind: str, files: Any) -> None:
    judge_all(list(sift(TEXTS[name](write_document(files[kind])))), files[kind], files)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAILS)
def test_a_mail(name: str, kind: str, files: Any, tmp_path: Path) -> None:
    (tmp_path / "m.eml").write_bytes(MAILS[name](write_block(files[kind])))
    assert [d for _, d in gather(tmp_path / "m.eml")] == [files[kind]]


@pytest.mark.parametrize("kind", KINDS)
def test_our_own_mail_and_its_reply(kind: str, files: Any, tmp_path: Path) -> None:
    mail = write_eml(files[kind], "abcdef12", "nowak has to send orders")
    (tmp_path / "m.eml").write_bytes(mail)
    (tmp_path / "m").write_bytes(mail)
    (tmp_path / "m.mbox").write_bytes(mbox(mail, plain_mail("8bit")("no file here"), mail))
    for name in ("m.eml", "m", "m.mbox"):
        assert [d for _, d in gather(tmp_path / name)] == [files[kind]]


@pytest.mark.parametrize("name", MAILS)
def test_an_mbox_of_several_files(name: str, files: Any, tmp_path: Path) -> None:
    chosen = [files["charter"], files["turn"], files["witness"], files["slip"]]
    (tmp_path / "m.mbox").write_bytes(mbox(*(MAILS[name](write_block(d)) for d in reversed(chosen))))
    assert [d for _, d in gather(tmp_path / "m.mbox")] == chosen


def test_two_blocks_in_one_mail_and_a_block_that_was_cut(files: Any) -> None:
    one, two = write_block(files["turn"]), write_block(files["witness"])
    assert list(documents(f"first\n{one}\nthen\n{two}\nbye")) == [files["turn"], files["witness"]]
    found = list(sift(one[: len(one) // 2] + "\n" + two))
    assert files["witness"] in found and any(isinstance(f, ProtocolError) and "cut" in str(f) for f in found)


def test_one_damaged_block_does_not_hide_the_others(files: Any) -> None:
    broken = write_block(files["turn"]).replace("=", "!").replace(":", ";")
    found = list(sift(broken + write_block(files["witness"])))
    assert files["witness"] in found and sum(isinstance(f, ProtocolError) for f in found) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_cut_after_every_line(kind: str, files: Any) -> None:
    lines = write_block(files[kind]).splitlines(keepends=True)
    for n in range(1, len(lines)):
        assert not judge_all(list(sift("".join(lines[:n]))), files[kind], files)
    plain = write_document(files[kind]).splitlines(keepends=True)
    for n in range(1, len(plain)):
        assert not judge_all(list(sift("".join(plain[:n]))), files[kind], files)


def test_a_readable_copy_with_other_orders_is_refused_with_the_difference(files: Any) -> None:
    block = write_block(files["turn"])
    for changed in (
        block.replace("Kwangsi to Hunan", "Hunan to Kwangsi", 1),
        block.replace("- 3 inf", "- 5 inf").replace("3 inf", "5 inf", 1),
    ):
        with pytest.raises(ProtocolError, match=r"orders: .*infantry.* and .*infantry"):
            list(documents(changed))


def test_other_orders_do_not_hide_behind_lost_indentation(files: Any) -> None:
    flat = TEXTS["lost indentation"](write_block(files["turn"]))
    with pytest.raises(ProtocolError, match="says something else"):
        list(documents(flat.replace("Kwangsi to Hunan", "Hunan to Kwangtung", 1)))


def test_a_folder_with_other_things_in_it(files: Any, tmp_path: Path) -> None:
    (tmp_path / "0001.yaml").write_text(write_document(files["turn"]))
    (tmp_path / "orders.yaml").write_text("orders:\n  - done\n")
    (tmp_path / "report.txt").write_text("A report: with [brackets\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\x00")
    (tmp_path / "cut.txt").write_text(write_block(files["slip"])[:200])
    found = gather(tmp_path)
    assert found[0][1] == files["turn"]
    assert [where for where, d in found if isinstance(d, ProtocolError)] == ["cut.txt"]


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_random_damage_is_never_misread(data: st.DataObject, files: Any) -> None:
    original = files[data.draw(st.sampled_from(KINDS))]
    text = data.draw(st.sampled_from([write_block(original), write_document(original)]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        cut = data.draw(st.integers(0, 40))
        text = text[:at] + data.draw(st.text(st.characters(codec="utf-8"), max_size=3)) + text[at + cut :]
    judge_all(list(sift(text)), original, files)


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=300), name=st.sampled_from(["f", "f.eml", "f.mbox", "f.yaml", "f.html"]))
def test_no_bytes_break_the_reader(data: bytes, name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("bytes") / name
    head = b"Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" if name == "f.eml" else b""
    path.write_bytes(head + data)
    for _, found in gather(path):
        assert isinstance(found, dict | ProtocolError)


@pytest.mark.parametrize("filler", ["-", "> ", "-----BEGIN PBEM TURN-----\n", "&amp;", "<", "=", "<div>", "pbem: ", "From "])
def test_hostile_repetition_takes_no_time(filler: str) -> None:
    """Half a megabyte of the same: quadratic matching would never come back."""
    for found in sift("-----BEGIN PBEM TURN-----\n" + filler * (500_000 // len(filler)) + "\n-----END PBEM TURN-----"):
        assert isinstance(found, ProtocolError)
