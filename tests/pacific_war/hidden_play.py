"""Two programs play over signed files: what each player's program proposes and sends."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.state import ALLIES, JAPAN
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.runtime.audit import Disclosure, disclose, read_disclosure
from pbem.runtime.composing import Draft
from tests.pacific_war import random_play, table
from tests.toygame.party import Person, found_game, send


def two_people(
    scenario: str, changes: dict[str, Any] | None = None, protocol: int = 2, rules: Any = GAME, **options: Plain
) -> list[Person]:
    """A game with a player on each side; `changes` of the scenario; versions of the protocol and of the rules."""
    party = [Person("yamada", [JAPAN]), Person("nowak", [ALLIES])]
    standard = {o.name: o.choices[0] for o in GAME.options}
    found_game(rules, party, {**standard, **options}, {**table.scenario(scenario), **(changes or {})}, pbem=protocol)
    return party


Choose = Callable[[Ask | Commit, random.Random], Plain]


def warlike(ask: Ask | Commit, dice: random.Random) -> Plain:
    """As random play decides."""
    return random_play.choose(ask, dice) if isinstance(ask, Ask) else dice.choice(list(ask.options()))


def passive(ask: Ask | Commit, dice: random.Random) -> Plain:
    """Nothing, where that is possible."""
    options = list(ask.options())
    return next((o for o in options if o in random_play.PASSIVE), options[0])


def decide(person: Person, dice: random.Random, choose: Choose = warlike) -> Draft:
    """One decision of this player, or nothing but what his program owes."""
    due, request = person.table.due, person.table.engine.request
    if due.what in ("witness", "open", "claim", "start"):
        return Draft()
    if isinstance(request, Commit):
        lawful = GAME.proposals(person.table.engine.state, request, {}, person.knowledge().reveal)
        return Draft(orders=[{"seal": choose(replace(request, options=lambda: lawful), dice), "seat": due.seat}])
    if isinstance(request, Simultaneous):
        ask = next(a for a in request.asks if a.seat == due.seat)
        order = choose(ask, dice)
        return Draft(orders=[{"seal": order, "seat": due.seat} if due.what == "seal" else order])
    assert isinstance(request, Ask)
    return Draft(orders=[request.forced if request.forced is not None else choose(request, dice)])


def play_on(party: list[Person], seed: int, most: int) -> list[Any]:
    """Files until the game is over or there are so many; both programs agree after each."""
    dice = random.Random(seed)
    files: list[Any] = []
    while party[0].table.due.what != "nothing" and len(files) < most:
        writer = next(p for p in party if p.name == party[0].table.due.player)
        files.append(send(party, decide(writer, dice)))
    return files


def disclosures(party: list[Person]) -> list[Disclosure]:
    """What both players open at the end."""
    return [read_disclosure(p.name, disclose(p.table, p.knowledge(), p.draw_keys())) for p in party]
