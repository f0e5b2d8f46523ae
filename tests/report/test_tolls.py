"""Lists of losses: who is gone is not counted step by step beside."""

import pytest

from pbem import games
from pbem.games.empire_of_the_sun.events.units import Eliminated as Gone
from pbem.games.empire_of_the_sun.events.units import StepLost as Reduced
from pbem.games.next_war.events.losses import Eliminated, StepLost
from pbem.report.languages import language
from pbem.report.tolls import Toll, with_loss
from tests.empire_of_the_sun import table as empire
from tests.next_war import table as next_war


def lost(system: str, state: object, *events: object) -> str:
    """What the seat of the first loss has lost after these."""
    toll: Toll = {}
    for event in events:
        told = games.load(system.replace("_", "-")).words().tell(state, event)
        assert told is not None
        with_loss(toll, told.loser, told.text, told.worth)
    ((_, things, _),) = toll.values()
    return ", ".join(map(language("en", (system,)).text, things))


@pytest.mark.parametrize("game", ["empire_of_the_sun", "next_war"])
def test_steps_of_who_is_gone_are_not_told_beside(game: str) -> None:
    if game == "empire_of_the_sun":
        g, one, other = empire.begin("south-pacific", rules="2nd-2015").state, "raaf", "pm-brigade"
        step, all_of_it = (lambda unit: Reduced(unit, "8.2")), (lambda unit: Gone(unit, "removed", "8.2"))
    else:
        g = next_war.begin("training").state
        one, other = [unit for unit, piece in g.pieces.items() if piece.at and g.seat(unit) == "allied"][:2]
        step, all_of_it = (lambda unit: StepLost(unit, "9.7.1")), (lambda unit: Eliminated(unit, "eliminated", "9.7.1"))
    name, beside = g.counter(one).name, g.counter(other).name
    assert lost(game, g, step(one), step(other)) == f"{name} (−1), {beside} (−1)"
    assert lost(game, g, step(one), step(other), all_of_it(one)) == f"{beside} (−1), {name}"
    assert lost(game, g, all_of_it(one)) == name
