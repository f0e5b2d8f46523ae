"""Games of Pacific 1940 to make replays of: as recorded, with hostile notes, and long."""

from __future__ import annotations

import base64
import copy
import json
import re
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.protocol import charter
from pbem.report import replay
from pbem.report.languages import language
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from tests.axis_and_allies_pacific.table import scenario
from tests.report import recorded
from tests.toygame.party import found_game, send

FOLDER = "axis_and_allies_pacific"
Document = dict[str, Any]
_DATA = re.compile(r'(<script type="application/octet-stream" id="data">)([A-Za-z0-9+/=]*)(</script>)')


def page(documents: Sequence[Document], code: str = "en") -> str:
    """The replay of a log, the charter first, in a language."""
    start = Table.start(charter.verify(documents[0]), GAME, scenario())
    return replay.page(start, documents, lambda seq: documents[seq], language(code, (FOLDER,)))


@cache
def recorded_page(code: str = "en") -> str:
    """The replay of the recorded game."""
    return page(recorded.documents(), code)


def content(html: str) -> dict[str, Any]:
    """The data that a page holds."""
    found = _DATA.search(html)
    assert found is not None
    made: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[2])))
    return made


def tampered(html: str, change: Callable[[dict[str, Any]], None]) -> str:
    """The page with other data, as somebody would spread it who changed the game afterwards."""
    data = content(html)
    change(data)
    packed = base64.b64encode(zlib.compress(json.dumps(data).encode())).decode()
    return _DATA.sub(lambda found: found[1] + packed + found[3], html)


def signed_again(document: Document) -> Document:
    """The document with a good signature of its author, whatever it says now."""
    person = next(p for p in recorded.people() if p.name == document["player"])
    return person.sign({key: value for key, value in document.items() if key != "signature"})


def with_notes(notes: list[str]) -> list[Document]:
    """A log of one file, with these notes."""
    both = recorded.people()
    found_game(GAME, both, {}, scenario())
    writer = next(p for p in both if p.name == both[0].table.due.player)
    send(both, Draft(recorded.bot_orders(writer)[:1], note=notes))
    return copy.deepcopy(both[0].log)


def one_by_one(files: int) -> list[Document]:
    """A log of so many files: every order in a file of its own, no standing orders that would save one."""
    both = recorded.people()
    found_game(GAME, both, {}, scenario())
    plan: list[Any] = []
    while both[0].table.last < files:
        due = both[0].table.due
        writer = next(p for p in both if p.name == due.player)
        if due.what == "orders":
            plan = plan or recorded.bot_orders(writer)
            send(both, Draft([plan.pop(0)]))
        else:
            plan = []
            send(both, Draft())
    return copy.deepcopy(both[0].log)
