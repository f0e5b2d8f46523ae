"""[PW-FOG-01] [PW-FOG-02] Sealed task forces on the bare engine: arranged in secret, shown, hidden again, in campaigns too."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from pbem.games.pacific_war.veil import offer_seal
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Commit, Simultaneous
from tests.pacific_war import random_play, table

FIRST: dict[str, Plain] = {
    "J3": {"core": ["CVL4 Shoho", "CA1 Aoba", "CA2 Furutaka"], "screen": []},
    "J4": {"core": ["AA1 Transports", "CL1 Tenryu", "CVS4 Kamikawa Maru"], "screen": ["CL8 Yubari", "APD5 Mutsuki"]},
}
SECOND: dict[str, Plain] = {
    "J3": {"core": ["AA1 Transports", "CL8 Yubari"], "screen": ["APD5 Mutsuki", "CL1 Tenryu"]},
    "J4": {"core": ["CVL4 Shoho", "CVS4 Kamikawa Maru"], "screen": ["CA1 Aoba", "CA2 Furutaka"]},
}


def up_to(engine: Engine, kind: str, seat: str) -> Any:
    """Quiet play until this is asked of this side; the request."""
    dice = random.Random(1)
    for _ in range(2000):
        request = engine.request
        if getattr(request, "kind", "") == kind and getattr(request, "seat", "") == seat:
            return request
        if isinstance(request, Ask):
            options = list(request.options())
            engine.reply(next((o for o in options if random_play.is_passive(o)), options[0]))
        elif isinstance(request, Simultaneous):
            engine.reply({a.seat: a.default for a in request.asks})
        else:
            assert request is not None
            engine.reply(table.chance(request, dice))
    raise AssertionError(f"{kind} is never asked of {seat}")


def seal(engine: Engine, contents: Plain) -> None:
    assert isinstance(engine.request, Commit), engine.request
    engine.reply(f"seal 1 {json.dumps({'organize': contents})}")


def shown(engine: Engine, marker: str, seat: str) -> Plain:
    """The next time this side may show: what the owner's program states."""
    up_to(engine, "show", seat)
    engine.reply({"show": marker})
    assert isinstance(engine.request, Claim)
    return engine.request.truth(table.behind)


def at_rabaul() -> Engine:
    """Coral Sea, the two task forces at Rabaul arranged in secret."""
    engine = table.begin("coral-sea", forces="sealed")
    request = engine.request
    while not (isinstance(request, Commit) and "Rabaul" in request.prompt):
        engine.reply(table.chance(request, random.Random(1)))  # type: ignore[arg-type]
        request = engine.request
    seal(engine, FIRST)
    return engine


def test_a_sealed_arrangement_is_what_is_shown() -> None:
    assert shown(at_rabaul(), "J3", "japan") == FIRST["J3"]


def test_sealed_task_forces_are_rearranged_while_they_are_sealed() -> None:
    engine = at_rabaul()
    up_to(engine, "hide", "japan")
    engine.reply({"hide": "1630"})
    seal(engine, SECOND)
    assert shown(engine, "J4", "japan") == SECOND["J4"]


def test_a_rearrangement_that_is_not_legal_leaves_what_was_sealed_before() -> None:
    engine = at_rabaul()
    up_to(engine, "hide", "japan")
    engine.reply({"hide": "1630"})
    seal(engine, {**SECOND, "J4": FIRST["J4"]})  # ships twice
    assert shown(engine, "J4", "japan") == FIRST["J4"]


def test_what_was_shown_is_hidden_again_when_the_enemy_has_lost_sight_of_it() -> None:
    engine = at_rabaul()
    stated = shown(engine, "J3", "japan")
    engine.reply(stated)
    assert engine.state.units["CVL4 Shoho"].box == "map"
    up_to(engine, "hide", "japan")
    engine.reply({"hide": "1630"})
    seal(engine, SECOND)
    assert engine.state.units["CVL4 Shoho"].box == "sealed" and engine.state.markers["J3"].handle
    assert shown(engine, "J3", "japan") == SECOND["J3"]


def test_a_detected_task_force_is_not_hidden_again() -> None:
    state = at_rabaul().state
    request = next(offer_seal(state, "japan"), None)
    assert isinstance(request, Ask) and {"hide": "1630"} in list(request.options())
    state.markers["J4"].detected = True
    assert next(offer_seal(state, "japan"), None) is None


@pytest.mark.parametrize("seed", range(2))
def test_campaigns_seal_what_an_activation_put_to_sea(seed: int) -> None:
    dice, engine = random.Random(seed), table.begin("guadalcanal", forces="sealed")
    while (request := engine.request) is not None:
        if isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else random_play.choose(request, dice))
        elif isinstance(request, Simultaneous):
            engine.reply({a.seat: random_play.choose(a, dice) for a in request.asks})
        else:
            engine.reply(table.chance(request, dice))
    state = engine.state
    rules = {e.rule for e in state.events if type(e).__name__ == "Unveiled"}
    assert state.winner and state.veils, "nothing was ever sealed"
    assert rules, "nothing was ever shown"
    assert not any(m.handle for m in state.markers.values()) or state.operation is not None
