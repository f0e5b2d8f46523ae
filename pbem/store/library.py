"""Shipped scenarios, compiled to JSON."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from pbem.games import Module
from pbem.kernel.canon import Plain, tagged
from pbem.kernel.wording import msg
from pbem.protocol.ids import SCENARIO, scenario_hash
from pbem.protocol.outcomes import ProtocolError, unreadable

KEPT = 8  # scenarios that one process keeps


class Shipped(Struct, frozen=True):
    """A shipped scenario, which nobody changes, and the hash of its bytes: canonical ones have that of the scenario."""

    plain: Plain
    hash: str

    def has(self, wanted: str) -> bool:
        """This is the scenario's hash. A game of somebody else's may write its scenarios in another form."""
        return wanted == self.hash or wanted == scenario_hash(self.plain)


def scenario_names(game: Module) -> list[str]:
    """The scenarios of a game."""
    return sorted(p.stem for p in (game.home("scenarios") / "compiled").glob("*.json"))


def load_scenario(game: Module, name: str) -> Plain:
    """A scenario as plain data of the caller's own. Raises ProtocolError (unreadable) naming those there are."""
    data: Plain = json.loads(_file(game, name).read_bytes())
    return data


def shipped(game: Module, name: str) -> Shipped:
    """The same to be looked at only, read once as long as its file stays as it is."""
    path = _file(game, name)
    found = path.stat()
    return _read(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=KEPT)
def _read(path: Path, changed: int, size: int) -> Shipped:
    data = path.read_bytes()
    return Shipped(json.loads(data), tagged(SCENARIO, data))


def _file(game: Module, name: str) -> Path:
    known = scenario_names(game)
    if name not in known:
        raise _unknown(name, known)
    return game.home("scenarios") / "compiled" / f"{name}.json"


def _unknown(name: str, known: list[str]) -> ProtocolError:
    return unreadable(msg("there is no scenario {name!r}; there are: {known}", name=name, known=", ".join(known) or "none"))
