"""Two programs play over signed files with hidden hands: what each player's program proposes and sends."""

from __future__ import annotations

import random
from typing import Any

from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Open
from pbem.runtime.audit import Disclosure, disclose, read_disclosure
from pbem.runtime.composing import Draft
from tests.empire_of_the_sun import random_play, table
from tests.toygame.party import Person, found_game, send


def two_people(scenario: str, changes: dict[str, Any] | None = None, **options: Plain) -> list[Person]:
    """A game with a player on each side; `changes` of the scenario."""
    party = [Person("yamada", [JAPAN]), Person("nowak", [ALLIES])]
    found_game(
        GAME,
        party,
        {"rules": "2nd-2015", "simultaneous-hits": "in-order", **options},
        {**table.scenario(scenario), **(changes or {})},
    )
    return party


def decide(person: Person, dice: random.Random) -> Draft:
    """Orders for every question to this player until somebody else is asked, cards named as a person names them."""
    if person.table.due.what != "orders":
        return Draft()
    engine = Engine.resume(GAME, person.table.engine.scenario, person.table.engine.checkpoint())
    knowledge = person.knowledge()
    orders: list[Plain] = []
    while engine.request is not None:
        request = engine.request
        if isinstance(request, Ask) and request.seat in person.seats:
            cards = knowledge.hand(request.seat)
            if request.forced is not None:
                engine.reply(request.forced)
                continue
            order = _choose(engine, request, cards, dice)
            orders.append(order)
            engine.reply(GAME.spelled_out(engine.state, request.seat, order, cards))
        elif isinstance(request, Open) and request.seat in person.seats:
            engine.reply(knowledge.reveal(request.handle))
        elif isinstance(request, Claim) and request.seat in person.seats:
            engine.reply(request.truth(knowledge.reveal))
        else:
            break
    return Draft(orders)


def _choose(engine: Engine, ask: Ask, cards: dict[str, str], dice: random.Random) -> Plain:
    """A proposal of the question itself, or something to do with a card of the own hand."""
    with_cards = GAME.hand_options(engine.state, ask, cards)
    if with_cards and (ask.kind == "card" or dice.random() < 0.5):
        return dice.choice(with_cards)
    return random_play.Player(dice).choose(ask)


def play_out(party: list[Person], seed: int, most: int = 2000) -> list[Any]:
    """The whole game; every file is taken by both programs, which agree after each."""
    dice = random.Random(seed)
    files = []
    while party[0].table.due.what != "nothing" and len(files) < most:
        writer = next(p for p in party if p.name == party[0].table.due.player)
        files.append(send(party, decide(writer, dice)))
    return files


def disclosures(party: list[Person]) -> list[Disclosure]:
    """What both players open at the end."""
    return [read_disclosure(p.name, disclose(p.table, p.knowledge(), p.draw_keys())) for p in party]
