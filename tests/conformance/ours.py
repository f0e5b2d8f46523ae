"""This program as a verifier of SPEC 14: `python -m tests.conformance.ours document|log|value FILE [KEY]`."""

from __future__ import annotations

import json
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol import charter, heal, ids, slips, strict_yaml, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.taking import Refused
from pbem.transport import armor
from tests.protocol import judges

_MARKED = re.compile(r"(BEGIN|END)\s+PBEM")


def document(data: bytes, key: str = "") -> dict[str, str]:
    """Read one document out of a text; judge it by its type, and its signature: a charter's by itself, others' by `key`."""
    marked = _MARKED.search(data.decode("utf-8", "replace")) if len(data) <= armor.MAX_TEXT else True
    made = judges.only(armor.documents(data.decode())) if marked else strict_yaml.read_document(data)[0]
    found: Any = made
    match made.get("type"):
        case "charter":
            charter.verify(found)
        case "slip" if key:
            judges.signed_slip(found, key)
        case "slip":
            slips.read_slip(found)
        case "heal":
            heal.read_heal(found)
        case word if word in turnfile.TYPES or key:
            (turnfile.verify(found, key) if key else turnfile.read_turn(found))
    return {"id": ids.document_id(made), "canonical-sha256": sha256_hex(canonical(ids.signed_part(made)))}


def log(data: bytes, key: str = "") -> dict[str, str]:
    """Judge {charter, files, slips} from the charter on; with audit slips, audit it too."""
    game = json.loads(data)
    judge = judges.judge_audit if any(s.get("slip") == "audit" for s in game["slips"]) else judges.judge_log
    judge({}, data, Path())
    return {}


def value(data: bytes, key: str = "") -> dict[str, str]:
    """Judge {kind, case}: one computation."""
    whole = json.loads(data)
    kind, case = whole["kind"], whole["case"]
    body = case.encode() if kind == "key" else json.dumps(case).encode()
    printed = judges.printed(case) if kind == "document" else {}
    judges.JUDGES[kind]({"expect": ""}, body, Path(tempfile.gettempdir()))
    return printed


VERBS: Mapping[str, Callable[[bytes, str], dict[str, str]]] = {"document": document, "log": log, "value": value}


def main(words: list[str]) -> int:
    """The exit code is that of the outcome; what is wrong goes to standard error."""
    if len(words) not in (2, 3) or words[0] not in VERBS:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        printed = VERBS[words[0]](Path(words[1]).read_bytes(), *words[2:])
    except (ProtocolError, Refused) as fault:
        print(fault, file=sys.stderr)
        return fault.outcome.code
    except Exception:
        traceback.print_exc()
        return Outcome.FAULT.code
    for name, text in printed.items():
        print(f"{name}: {text}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
