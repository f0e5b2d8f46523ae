"""What this program makes of each kind of vector."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pbem import games
from pbem.kernel.canon import NotPlain, canonical, sha256_hex
from pbem.protocol import chain, charter, dice, draws, heal, ids, keys, slips, sshsig, strict_yaml, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.audit import audit as audit_of
from pbem.runtime.audit import read_disclosure
from pbem.runtime.knowledge import draw_items
from pbem.runtime.ledger import DrawMade, KeyHeld, Ledger, Seal
from pbem.runtime.proofs import fits
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take
from pbem.store import library
from pbem.store.disk import Disk
from pbem.store.log import Log
from pbem.transport.armor import documents
from tests.toygame.skirmish import GAME as SKIRMISH

Headers = dict[str, str]


# -- judges: one for each kind --------------------------------------------------------------------------------------------


def judge_yaml(headers: Headers, body: bytes, tmp: Path) -> None:
    document, _ = strict_yaml.read_document(body)
    if headers["expect"] == "done":
        assert sha256_hex(canonical(document)) == headers["canonical-sha256"]


def judge_document(headers: Headers, body: bytes, tmp: Path) -> None:
    made = printed(json.loads(body))
    if headers["expect"] == "done":
        assert made == {name: headers[name] for name in ("id", "canonical-sha256")}


def printed(document: Any) -> dict[str, str]:
    """Id and hash of the signed part. Raises ProtocolError (unreadable) for what is outside the data model."""
    try:
        signed, made = canonical(ids.signed_part(document)), ids.document_id(document)
    except NotPlain as wrong:
        raise ProtocolError(Outcome.UNREADABLE, str(wrong)) from None
    return {"id": made, "canonical-sha256": sha256_hex(signed)}


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


def judge_heal(headers: Headers, body: bytes, tmp: Path) -> None:
    heal.read_heal(strict_yaml.read_document(body)[0])


def judge_slip(headers: Headers, body: bytes, tmp: Path) -> None:
    signed_slip(strict_yaml.read_document(body)[0], headers["key"])


def signed_slip(slip: Any, key: str) -> None:
    """A slip, and what two files prove, by this key."""
    slips.verify(slip, key)
    if slip["slip"] == "equivocation":
        slips.check_equivocation(*slip["files"], key)


def judge_block(headers: Headers, body: bytes, tmp: Path) -> None:
    document = only(documents(body.decode()))
    assert ids.document_id(document) == headers["id"]


def only(found: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The one document of a text."""
    (document,) = found
    return document


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
    scenario = None if module is SKIRMISH else library.load_scenario(module, terms.scenario)
    table, taken = Table.start(terms, module, scenario), [game["charter"]]

    def fetch(seq: int) -> Any:
        return taken[seq]

    for at, document in enumerate(game["files"]):
        if document.get("type") == heal.TYPE:
            taken = [dict(d) for d in heal.line(taken, heal.read_heal(document))]
            table = Table.start(terms, module, scenario)
            for known in taken[1:]:
                table = take(table, known, fetch).table
        elif document.get("type") != heal.VOID or not _is_void(document, game["files"][at:]):
            table = take(table, turnfile.read_turn(document), fetch).table
            taken.append(document)
    return table


def _is_void(place: Any, later: Iterable[Any]) -> bool:
    """A void place, written before the heal that makes it."""
    return any(d.get("type") == heal.TYPE and d["to"] < place["seq"] < d["seq"] for d in later)


def judge_audit(headers: Headers, body: bytes, tmp: Path) -> None:
    table, game = judge_log(headers, body, tmp), json.loads(body)
    for slip in game["slips"]:
        slips.verify(slip, table.ledger.keys[slip["player"]])
    shown = [read_disclosure(s["player"], s) for s in game["slips"]]
    finding = audit_of(table, shown, lambda seq: game["files"][seq - 1])
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
    "heal": judge_heal,
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
