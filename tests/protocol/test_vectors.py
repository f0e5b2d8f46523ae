"""Every vector is judged by the program's own functions; every failing one without its fault comes out done."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.kernel.canon import NotPlain, canonical, sha256_hex
from pbem.protocol import chain, charter, dice, draws, ids, keys, slips, sshsig, strict_yaml, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.audit import audit, read_disclosure
from pbem.runtime.knowledge import draw_items
from pbem.runtime.ledger import DrawMade, KeyHeld, Ledger, Seal
from pbem.runtime.proofs import fits
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take
from pbem.store import library
from pbem.store.disk import Disk
from pbem.store.log import Log
from pbem.transport.armor import documents
from tests.protocol.make_vectors import FOLDER, make_all
from tests.protocol.vector_sets.form import Vector, read
from tests.toygame.skirmish import GAME as SKIRMISH

MADE = make_all()
Headers = dict[str, str]
KNOWN_HEADERS = {"expect", "kind", "comment", "covers", "needs", "encoding", "key", "id", "canonical-sha256"}


# -- judges: one for each kind --------------------------------------------------------------------------------------------


def judge_yaml(headers: Headers, body: bytes, tmp: Path) -> None:
    document, _ = strict_yaml.read_document(body)
    if headers["expect"] == "done":
        assert sha256_hex(canonical(document)) == headers["canonical-sha256"]


def judge_document(headers: Headers, body: bytes, tmp: Path) -> None:
    document = json.loads(body)
    try:
        signed, made = canonical(ids.signed_part(document)), ids.document_id(document)
    except NotPlain as wrong:
        raise ProtocolError(Outcome.UNREADABLE, str(wrong)) from None
    if headers["expect"] == "done":
        assert (sha256_hex(signed), made) == (headers["canonical-sha256"], headers["id"])


def judge_key(headers: Headers, body: bytes, tmp: Path) -> None:
    keys.key_bytes(body.decode())


def judge_signature(headers: Headers, body: bytes, tmp: Path) -> None:
    case = json.loads(body)
    sshsig.verify(case["key"], case["message"].encode(), case["signature"])


def judge_sshsig(headers: Headers, body: bytes, tmp: Path) -> None:
    case = json.loads(body)
    _, signature = sshsig.from_armored(case["armored"])
    sshsig.verify(case["key"], case["message"].encode(), signature)


def judge_charter(headers: Headers, body: bytes, tmp: Path) -> None:
    charter.verify(strict_yaml.read_document(body)[0])


def judge_file(headers: Headers, body: bytes, tmp: Path) -> None:
    turnfile.verify(strict_yaml.read_document(body)[0], headers["key"])


def judge_slip(headers: Headers, body: bytes, tmp: Path) -> None:
    slip = strict_yaml.read_document(body)[0]
    slips.verify(slip, headers["key"])
    if slip["slip"] == "equivocation":
        first, second = slip["files"]  # type: ignore[misc]
        slips.check_equivocation(first, second, headers["key"])  # type: ignore[arg-type]


def judge_block(headers: Headers, body: bytes, tmp: Path) -> None:
    (document,) = documents(body.decode())
    assert ids.document_id(document) == headers["id"]


def judge_chain(headers: Headers, body: bytes, tmp: Path) -> None:
    case = json.loads(body)
    if not chain.verify_link(case["nonce"], case["last"], case["link"]):
        raise ProtocolError(Outcome.BAD_CHAIN, "not the next link")


def judge_dice(headers: Headers, body: bytes, tmp: Path) -> None:
    case = json.loads(body)
    seed = dice.seed(bytes.fromhex(case["link"]), case["game"], case["k"], case["id"])
    if list(dice.roll(seed, case["index"], case["label"], len(case["dice"]), case["sides"])) != case["dice"]:
        raise ProtocolError(Outcome.BAD_DICE, "the seed gives others")


def judge_merkle(headers: Headers, body: bytes, tmp: Path) -> None:
    case = json.loads(body)
    if not draws.verify_key(case["root"], case["nonce"], case["draw"], bytes.fromhex(case["key"]), case["path"]):
        raise ProtocolError(Outcome.LIE_PROVED, "the key is not in the tree")


def judge_draw(headers: Headers, body: bytes, tmp: Path) -> None:
    case = json.loads(body)
    count = len(case["drawn"][0]) if "sides" in case else len(case["drawn"])
    base, label, sides = case.get("base", []), case.get("label", ""), case.get("sides", 0)
    made = DrawMade(0, "yamada", "blue", case["seed"], 1, count, base=base, label=label, sides=sides)
    if draw_items(made, bytes.fromhex(case["key"]), case.get("less", [])) != case["drawn"]:
        raise ProtocolError(Outcome.LIE_PROVED, "the key gives other items")


def judge_opening(headers: Headers, body: bytes, tmp: Path) -> None:
    """A ledger that holds this one promise, and its opening."""
    case, ledger = json.loads(body), Ledger()
    ledger.keys = {"yamada": case["key"]}
    ledger.held = [KeyHeld("yamada", case["key"], 0)]
    if "order" in case:
        handle = f"yamada:seal{case['seq']}:{case['number']}"
        ledger.seals[handle] = Seal("yamada", case["seq"], case["number"], case["hash"], "bid")
    else:
        handle = f"blue:draw{case['draw']}:{case['number']}"
        ledger.draws.append(DrawMade(case["draw"], "yamada", "blue", "", 1, 9))
        ledger.commits[f"yamada {case['draw']}"] = ["", *[case["hash"]] * 9]
        ledger.committed_in[f"yamada {case['draw']}"] = 1
    if not fits(ledger, case["game"], handle, case):
        raise ProtocolError(Outcome.BAD_OPENING, "not what was promised")


def judge_log(headers: Headers, body: bytes, tmp: Path) -> Table:
    game = json.loads(body)
    terms = charter.verify(game["charter"])
    module: Any = SKIRMISH if terms.system == SKIRMISH.name else games.load(terms.system)
    scenario = None if module is SKIRMISH else library.load_scenario(games.folder_of(terms.system), terms.scenario)
    table, taken = Table.start(terms, module, scenario), [game["charter"]]
    for document in game["files"]:
        try:
            table = take(table, turnfile.read_turn(document), lambda seq: taken[seq]).table
        except ProtocolError as error:
            if error.outcome is Outcome.EQUIVOCATION:
                first = taken[document["seq"]]
                slips.check_equivocation(first, document, table.ledger.keys[first["player"]])
            raise
        taken.append(document)
    return table


def judge_audit(headers: Headers, body: bytes, tmp: Path) -> None:
    table, game = judge_log(headers, body, tmp), json.loads(body)
    for slip in game["slips"]:
        slips.verify(slip, table.ledger.keys[slip["player"]])
    shown = [read_disclosure(s["player"], s) for s in game["slips"]]
    finding = audit(table, shown, lambda seq: game["files"][seq - 1])
    if finding is not None:
        raise ProtocolError(Outcome.LIE_PROVED, f"{finding.player}, file {finding.seq}: {finding.what}")


def judge_store(headers: Headers, body: bytes, tmp: Path) -> None:
    path = tmp / "log.jsonl"
    path.write_bytes(body)
    Log.open(Disk(), path).files()


JUDGES: dict[str, Callable[[Headers, bytes, Path], Any]] = {
    "yaml": judge_yaml,
    "document": judge_document,
    "key": judge_key,
    "signature": judge_signature,
    "sshsig": judge_sshsig,
    "charter": judge_charter,
    "file": judge_file,
    "slip": judge_slip,
    "block": judge_block,
    "chain": judge_chain,
    "dice": judge_dice,
    "merkle": judge_merkle,
    "draw": judge_draw,
    "opening": judge_opening,
    "log": judge_log,
    "audit": judge_audit,
    "store": judge_store,
}


def outcome(headers: Headers, body: bytes, tmp: Path) -> tuple[str, str]:
    """What the program says of a vector, in a word and in a sentence."""
    try:
        JUDGES[headers["kind"]](headers, body, tmp)
    except ProtocolError as error:
        return error.outcome.word, str(error)
    except Refused as error:
        return error.outcome.word, str(error)
    return Outcome.DONE.word, ""


# -- tests ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", MADE, ids=lambda v: v.path)
def test_a_vector_comes_out_as_expected(vector: Vector, tmp_path: Path) -> None:
    headers, body = read((FOLDER / vector.path).read_bytes())
    word, why = outcome(headers, body, tmp_path)
    assert word == headers["expect"], f"{headers['comment']}: {why}"


@pytest.mark.parametrize("vector", [v for v in MADE if v.good is not None], ids=lambda v: v.path)
def test_without_its_fault_it_is_done(vector: Vector, tmp_path: Path) -> None:
    assert vector.good is not None
    headers, _ = read(vector.text())
    assert outcome(headers, vector.good, tmp_path) == ("done", "")


def test_the_folder_holds_what_the_maker_makes() -> None:
    kept = {str(p.relative_to(FOLDER)): p.read_bytes() for p in sorted(FOLDER.glob("*/*"))}
    made = {v.path: v.text() for v in MADE}
    assert sorted(kept) == sorted(made)
    assert [path for path in made if made[path] != kept[path]] == []


def test_there_are_enough_of_every_outcome_and_four_in_five_fail() -> None:
    words = Counter(v.expect for v in MADE)
    assert set(words) == {o.word for o in Outcome}
    assert len(MADE) >= 120
    assert words["done"] * 5 <= len(MADE)


def test_every_failing_vector_has_a_good_twin() -> None:
    assert [v.path for v in MADE if v.expect != "done" and v.good is None] == []


def test_headers_are_a_closed_list() -> None:
    for vector in MADE:
        headers, body = read(vector.text())
        assert set(headers) <= KNOWN_HEADERS and headers["kind"] in JUDGES
        assert body == vector.body, f"{vector.path} does not read back"


def test_every_attack_of_the_published_list_is_covered() -> None:
    named = " ".join(v.covers for v in MADE)
    for attack in (
        "old turn sent again",
        "turn of another game",
        "turn for another side",
        "other namespace",
        "edited after signing",
        "orders after seeing dice",
        "early reveal",
        "no reveal",
        "wrong preimage",
        "forked history",
        "cut history",
        "key changed without the old key",
        "low-order point",
        "two turns for one slot",
        "100 MB file",
        "homoglyph",
        "bidi",
        "path in a file name",
        "template injection",
    ):
        assert attack in named, attack
