"""A prepared position and one rule of Pacific War, played over signed files by two programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from pbem.games.pacific_war.game import OPTIONS, PacificWar
from pbem.games.pacific_war.sequence import SEGMENTS
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Commit, Flow, Simultaneous
from pbem.kernel.questions import yes_or_no
from pbem.kernel.wording import msg
from pbem.runtime.composing import Draft
from tests.pacific_war import table
from tests.toygame.party import Person, found_game, send

Rule = Callable[[State], Flow[Any]]
Key = tuple[str, str]  # seat and kind of question, `sealed KIND` for one that is answered in secret
MOST = 60


def then(*rules: Rule) -> Rule:
    """One rule after the other."""

    def all_of_them(g: State) -> Flow[None]:
        for rule in rules:
            yield from rule(g)

    return all_of_them


@dataclass
class Scene:
    """Where a rule begins, the rule, and what is ordered; whatever else is asked is declined. `standing`, `plans`: standing
    orders and a plan that a side sends before."""

    position: Callable[[], State]
    rule: Rule
    orders: Mapping[Key, list[Plain]] = field(default_factory=dict)
    scenario: str = "strategic-1941"
    standing: Mapping[str, dict[str, Plain]] = field(default_factory=dict)
    plans: Mapping[str, list[Plain]] = field(default_factory=dict)


class Staged(PacificWar):
    """The rules of Pacific War, beginning at a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.segments = {**SEGMENTS, "scene": self._scene, "curtain": _curtain}

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> State:
        made = self.scene.position()
        g = deepcopy(made, {id(made.board): made.board})
        g.memo.forget()
        g.stack[:] = [Cursor("curtain", []), Cursor("scene", [])]
        return g

    def _scene(self, g: State) -> Flow[None]:
        for side in {**self.scene.standing, **self.scene.plans}:
            yield from yes_or_no(side, "overture", "PW-GEN-02", msg("begin"))
        yield from self.scene.rule(g)


def _curtain(g: State) -> Flow[None]:
    """A question, so that the game is not over."""
    yield from yes_or_no(JAPAN, "curtain", "PW-GEN-02", msg("go home"))


def perform(scene: Scene) -> list[Person]:
    """The scene over signed files, to its end."""
    party = [Person("yamada", [JAPAN]), Person("nowak", [ALLIES])]
    options = {o.name: o.choices[0] for o in OPTIONS}
    found_game(Staged(scene), party, options, table.scenario(scene.scenario))
    waiting = {key: [*rows] for key, rows in scene.orders.items()}
    for _ in range(MOST):
        due, request = party[0].table.due, party[0].table.engine.request
        if isinstance(request, Ask) and request.kind == "curtain":
            assert not any(waiting.values()), f"nobody asked for {waiting}"
            return party
        draft = _draft(due, request, waiting)
        if isinstance(request, Ask) and request.kind == "overture":
            seat = request.seat
            draft = replace(draft, standing=scene.standing.get(seat, {}), plan=scene.plans.get(seat, []))
        send(party, draft)
    raise AssertionError("the scene does not end")


def _draft(due: Any, request: Any, waiting: dict[Key, list[Plain]]) -> Draft:
    if due.what in ("witness", "open", "claim", "start"):
        return Draft()
    if isinstance(request, Simultaneous):
        request = next(a for a in request.asks if a.seat == due.seat)
    assert isinstance(request, Ask | Commit)
    sealed = isinstance(request, Commit)
    rows = waiting.get((request.seat, f"sealed {request.kind}" if sealed else request.kind))
    order = rows.pop(0) if rows else _quiet(request)
    return Draft(orders=[{"seal": order, "seat": request.seat} if sealed or due.what == "seal" else order])


def _quiet(request: Ask | Commit) -> Plain:
    if isinstance(request, Ask) and request.forced is not None:
        return request.forced
    return request.default if request.default is not None else next(iter(request.options()))
