"""Two programs play over signed files with hidden hands: what each player's program proposes and sends."""

from __future__ import annotations

import random
from typing import Any

from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine, with_handles
from pbem.kernel.flow import Ask, Claim, Open
from pbem.kernel.orders import Rejected
from pbem.runtime.audit import Disclosure, disclose, read_disclosure
from pbem.runtime.composing import Draft
from tests.empire_of_the_sun import random_play, table
from tests.toygame.party import Person, found_game, send

CARD_WORDS = {
    "card": ("play", "discard", "future"),
    "initiative": ("initiative",),
    "reaction": ("weather", "cancel"),
    "intelligence": ("intelligence",),
    "cards": ("cards",),
}


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
            engine.reply(with_handles(GAME, engine.state, request.seat, order, cards))
        elif isinstance(request, Open) and request.seat in person.seats:
            engine.reply(knowledge.reveal(request.handle))
        elif isinstance(request, Claim) and request.seat in person.seats:
            engine.reply(request.truth(knowledge.reveal))
        else:
            break
    return Draft(orders)


def _choose(engine: Engine, ask: Ask, cards: dict[str, str], dice: random.Random) -> Plain:
    """A proposal of the question itself, or something to do with a card of the own hand."""
    held = [c for c, h in cards.items() if h in (*engine.state.hands[ask.seat], engine.state.future[ask.seat])]
    ideas: list[Plain] = [{word: card} for word in CARD_WORDS.get(ask.kind, ()) for card in held]
    dice.shuffle(ideas)
    for idea in ideas:
        if ask.kind != "card" and dice.random() < 0.5:
            break
        if _stands(engine, ask, idea, cards):
            return idea
    return random_play.choose(ask, dice)


def _stands(engine: Engine, ask: Ask, order: Plain, cards: dict[str, str]) -> bool:
    try:
        ask.read(with_handles(GAME, engine.state, ask.seat, order, cards))
    except Rejected:
        return False
    return True


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
