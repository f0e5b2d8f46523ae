"""Hints and reviews of Next War: attacks by the ten faces of the die."""

from __future__ import annotations

from pbem.games.next_war.bot import hints
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.questions import DONE
from tests.next_war import table
from tests.next_war.test_bot import order


def _combat() -> Engine:
    """The first Combat Segment of the training game in which an attack promises something."""
    engine = table.begin("training")
    for _ in range(600):
        asked = engine.request
        if isinstance(asked, Ask):
            if asked.kind == "combat" and len(hints.advise(engine.state, asked)) > 1:
                return engine
            engine.reply(asked.forced if asked.forced is not None else order(engine))
        else:
            engine.reply([5] * asked.dice)  # type: ignore[union-attr]
    raise AssertionError("no combat")


def test_attacks_are_legal_and_ranked_and_doing_nothing_is_among_what_is_weighed() -> None:
    engine = _combat()
    assert isinstance(engine.request, Ask)
    found = hints.advise(engine.state, engine.request)
    values = [one.value or 0 for one in found]
    assert values == sorted(values, reverse=True)
    assert 0 in values or min(values) > 0
    for one in found:
        engine.request.read(one.orders[0])
    faces = [r.args["n"] for one in found for r in one.reasons if r.id.startswith("the hex falls")]
    assert faces
    assert all(isinstance(n, int) and 0 <= n <= 10 for n in faces)


def test_to_make_no_attack_loses_the_best_one() -> None:
    engine = _combat()
    assert isinstance(engine.request, Ask)
    found = hints.advise(engine.state, engine.request)
    lost = hints.review(engine.state, engine.request, [DONE])
    assert [one.value for one in lost] == ([found[0].value] if (found[0].value or 0) > 0 else [])
    attack = next(one for one in found if one.orders != (DONE,))
    bad = hints.review(engine.state, engine.request, [attack.orders[0]])
    assert [one.value for one in bad] == ([-(attack.value or 0)] if (attack.value or 0) < 0 else [])
