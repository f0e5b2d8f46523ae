"""The scenarios of jobs: what many jobs of a process have in common is read, checked and made a board of once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.protocol.ids import scenario_hash
from pbem.store.library import load_scenario

MOST = 4  # scenarios that are kept
_KEPT: dict[tuple[str, str], Plain] = {}  # by game and hash


def scenario_of(game: Module, job: Mapping[str, Any]) -> Plain:
    """The scenario of a job, shipped or of the players' own; None where its hash is not what the job says."""
    key = game.name, str(job["hash"])
    if key not in _KEPT:
        scenario = load_scenario(game, str(job["scenario"])) if job["own"] is None else job["own"]
        if scenario_hash(scenario) != job["hash"]:
            return None
        while len(_KEPT) >= MOST:
            del _KEPT[next(iter(_KEPT))]
        _KEPT[key] = scenario
    return _KEPT[key]
