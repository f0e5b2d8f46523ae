"""[PW-FOG-01] [PW-RPL-04] Untrained steps that lower the level of a hidden air unit: the counter that it becomes is sealed."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.pacific_war.air.exchange import spares
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.month.replacements import replacements
from pbem.games.pacific_war.secret.forces import roster, unveil_force
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from tests.pacific_war import table
from tests.pacific_war.staged_files import Scene, perform, then
from tests.pacific_war.test_hidden_hands import audited, lies, named
from tests.pacific_war.test_hidden_months import Phase, in_secret, position, show
from tests.toygame.party import sealing_anything

J, RABAUL, VETERANS, RECRUITS = "japan", 2432, "25th Flotilla bombers", "751st bombers"
FIGHTERS, SCENARIO = "201st fighters", "strategic-1941"


def at_rabaul(left: int = 9) -> State:
    """Veterans of three steps are hidden in Rabaul, where untrained steps wait; so many counters of level 0 are left."""
    g = position(SCENARIO)
    g.units[VETERANS].hits = 3
    for name in [n for n in spares(g, VETERANS, 0) if n != RECRUITS][max(0, left - 1) :]:
        g.units[name] = type(g.units[VETERANS])(RABAUL, "map")
    g.pools[J] = {"air 0": 6}
    g.memo.forget()
    return g


def rows(*given: Plain) -> dict[str, Plain]:
    return {"orders": [*given]}


def replaced(g: State, what: Plain, game: Any = GAME) -> Phase:
    """Steps for the veterans in secret."""
    order = rows({"replace": {VETERANS: what}})
    return Phase(game.segments["replacements"](g), in_secret(J, "replacements", "replacements", order))


LOWERED: Plain = {"steps": 2, "as": RECRUITS}


def test_the_counter_that_the_unit_becomes_is_named_in_the_sealed_order() -> None:
    g = at_rabaul()
    assert replaced(g, LOWERED).said["lawful replacements"] is True
    truth = roster(g, J, table.behind)
    assert VETERANS not in truth and (truth[RECRUITS].at, truth[RECRUITS].hits) == (RABAUL, 1)
    assert g.units[VETERANS].box == "sealed" and RECRUITS not in g.units, "nobody else has seen it"
    show(g, J, RABAUL)
    assert (g.units[RECRUITS].box, g.steps(RECRUITS)) == ("map", 5) and g.units[VETERANS].box != "map"


@pytest.mark.parametrize("left", [1, 2])
def test_a_level_that_falls_is_not_kept_quiet(left: int) -> None:
    """However few counters are left to choose from."""
    g = at_rabaul(left)
    assert replaced(g, 2).said["lawful replacements"] is False
    assert roster(g, J, table.behind)[VETERANS].hits == 3


@pytest.mark.parametrize("what", [{"steps": 1, "as": RECRUITS}, {"steps": 2, "as": FIGHTERS}, {"steps": 2, "as": "nobody"}])
def test_another_counter_or_a_level_that_stays(what: Plain) -> None:
    g = at_rabaul()
    assert replaced(g, what).said["lawful replacements"] is False


def test_a_counter_is_not_taken_twice() -> None:
    g = at_rabaul()
    other = "12th Air Brigade bombers"
    g.units[other].hits, g.units[other].box = 3, "sealed"
    orders = rows({"replace": {VETERANS: LOWERED}}, {"replace": {other: LOWERED}})
    phase = Phase(replacements(g), in_secret(J, "replacements", "replacements", orders))
    assert phase.said["lawful replacements"] is False


def test_a_game_of_version_3_goes_on_as_it_was() -> None:
    assert replaced(at_rabaul(), LOWERED, GAME.earlier[3]).said["lawful replacements"] is False
    assert replaced(at_rabaul(), 1, GAME.earlier[3]).said["lawful replacements"] is True


# -- over signed files -------------------------------------------------------------------------------------------------


def lowering(what: Plain) -> Scene:
    orders: dict[tuple[str, str], list[Plain]] = {
        (J, "replacements"): ["secret"],
        (J, "sealed replacements"): [rows({"replace": {VETERANS: what}})],
    }
    return Scene(at_rabaul, then(replacements, lambda g: unveil_force(g, J, RABAUL, "PW-FOG-01")), orders, SCENARIO)


def test_a_lower_level_is_shown_and_the_audit_is_clean() -> None:
    party = perform(lowering(LOWERED))
    g = party[0].table.engine.state
    assert (g.units[RECRUITS].box, g.steps(RECRUITS)) == ("map", 5)
    assert audited(party) is None


def test_veterans_shown_where_recruits_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def veterans(claim: Any, truth: Any) -> Plain:
        units = {n: row for n, row in truth["units"].items() if n != RECRUITS}
        return {**truth, "units": {**units, VETERANS: {"hits": 1}}}

    lies(monkeypatch, "yamada", force=veterans)
    named(perform(lowering(LOWERED)), "yamada", "force")


def test_a_level_said_to_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "yamada", lawful=lambda claim, truth: True)
    with sealing_anything():
        party = perform(lowering(2))
    named(party, "yamada", "lawful")
