"""What the world does once: every folder reads the same lines, texts and charters and verifies the same signatures again and
again. The answers depend on the bytes alone; an error is never kept, and each reader has another copy of what may change.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import pytest

from pbem.protocol import charter, sshsig, strict_yaml
from pbem.store import vault
from pbem.store.log import Log

KEPT = 4096


def once(patch: pytest.MonkeyPatch) -> None:
    """From now on, as long as the patch holds."""
    patch.setattr(Log, "_read", _lines(Log._read))
    patch.setattr(sshsig, "verify", lru_cache(KEPT)(sshsig.verify))
    patch.setattr(strict_yaml, "read_document", _copies(strict_yaml.read_document))
    patch.setattr(charter, "read_charter", _charters(charter.read_charter))
    patch.setattr(vault, "read_known", _copies(vault.read_known))


def _lines(read: Callable[[Log, bytes], None]) -> Callable[[Log, bytes], None]:
    known: dict[tuple[bytes, int, str], str] = {}  # lines that were read and found good before: the head behind them

    def read_once(log: Log, line: bytes) -> None:
        at = (line, len(log.entries), log.head)
        if at in known:
            log.entries.append(json.loads(line))
            log.head = known[at]
        else:
            read(log, line)
            known[at] = log.head

    return read_once


def _copies(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    kept = lru_cache(KEPT)(lambda source: marshal.dumps(read(source)))
    return lambda source: marshal.loads(kept(source))


def _charters(read: Callable[[Mapping[str, Any]], Any]) -> Callable[[Mapping[str, Any]], Any]:
    kept = lru_cache(KEPT)(lambda text: read(json.loads(text)))
    return lambda document: kept(json.dumps(document))
