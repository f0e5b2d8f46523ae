"""What the odds and luck commands ask of a game: forecasts of battles, and what each die of fire was worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.games.empire_of_the_sun.events.battles import Fired
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.game import build_board
from pbem.games.empire_of_the_sun.labels import ASKED, CONDITIONS, SIDES
from pbem.games.empire_of_the_sun.odds import imagined, worth
from pbem.games.empire_of_the_sun.odds.endings import Ending, Odds, named, odds_of, participants
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.kernel.orders import possible, unreadable
from pbem.kernel.standing import Clause, read_clauses
from pbem.kernel.wording import Message, msg, quoted
from pbem.odds.forecast import Forecast, Imagined
from pbem.odds.luck import Throw

UNIT = "steps"
Plans = Callable[[str, str], Sequence[Clause]]


# -- odds ----------------------------------------------------------------------------------------------------------------


def forecasts(state: Any, plans: Plans, *, hurry: bool = False) -> list[Forecast]:
    """[9.0] Every battle of the offensive that has not begun, each as if it came next."""
    g: State = state
    o = g.offensive
    if o is None:
        return []
    begun = [*o.fought, *([g.fight.hex] if g.fight is not None else ())]
    settled = g.running is not None and g.running.name == "battles"
    found = [_forecast(g, place, plans, settled) for place in o.battles if place not in begun]
    return [told for told in found if told is not None]


def _forecast(g: State, place: int, plans: Plans, settled: bool) -> Forecast | None:
    """None for a battle in which no die is thrown and nothing is lost."""
    odds = odds_of(g, place, plans)
    if not odds.dice and not any(e.attacker_lost or e.defender_lost for e in odds.chances):
        return None
    o = offensive(g)
    title = msg(
        "battle for {place}, {condition}: {side} with {attackers} against {defenders}",
        place=g.board.name(place),
        condition=CONDITIONS[o.condition],
        side=SIDES[o.side],
        attackers=named(g, participants(g, o.side, place)),
        defenders=named(g, participants(g, FOE[o.side], place)),
    )
    notes = [msg("reactions, the intelligence condition and cards may still change this")] if not settled else []
    return _told(title, odds, [*notes, *_supposed(odds)])


def _told(title: Message, odds: Odds, notes: Sequence[Message]) -> Forecast:
    chances = odds.chances

    def chance(holds: Callable[[Ending], bool]) -> float:
        return sum(p for e, p in chances.items() if holds(e))

    def mean(value: Callable[[Ending], int]) -> float:
        return sum(value(e) * p for e, p in chances.items())

    mine, theirs, win = mean(lambda e: e.attacker_lost), mean(lambda e: e.defender_lost), chance(lambda e: e.won)
    events = {
        "the air-naval round is won": chance(lambda e: e.at_sea),
        "critical hit": chance(lambda e: e.critical),
        "the land is taken": chance(lambda e: e.taken),
        "attacker must retreat": chance(lambda e: e.attacker_retreats),
        "defender must retreat": chance(lambda e: e.defender_retreats),
    }
    return Forecast(
        title,
        {"win": win, "loss": chance(lambda e: not e.won)},
        {name: p for name, p in events.items() if p},
        {"the attacker": _left(odds, attacker=True), "the defender": _left(odds, attacker=False)},
        {"attacker loses": mine, "defender loses": theirs, "swing to the attacker": theirs - mine},
        UNIT,
        notes=notes,
    )


def _left(odds: Odds, *, attacker: bool) -> dict[str, float]:
    """What is left of a side, the likeliest first."""
    found: dict[str, float] = {}
    for ending, p in odds.chances.items():
        text = ending.attacker_left if attacker else ending.defender_left
        found[text] = found.get(text, 0.0) + p
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _supposed(odds: Odds) -> list[Message]:
    """Decisions that no standing order takes."""
    seats = dict.fromkeys(seat for seat, _ in odds.supposed)
    return [
        msg(
            "{side} has no standing order; supposed the weakest or the first choice: {kinds}",
            side=SIDES[seat],
            kinds=tuple(ASKED[kind] for one, kind in odds.supposed if one == seat),
        )
        for seat in seats
    ]


# -- odds in words -------------------------------------------------------------------------------------------------------


def imagine(scenario: Any, asked: Imagined) -> Forecast:
    """Points against points (`24 +3`, `18`), hits of one round; or units against units, the whole battle. Raises Rejected.

    `losses`: the order in which the attacker's units are hit, as in the standing order `hits` of the defender.
    """
    if asked.place not in imagined.PLACES:
        raise unreadable(msg("{given} is no place for a battle", given=quoted(asked.place)), possible(imagined.PLACES))
    if asked.retreat:
        raise unreadable(msg("nobody retreats at will in this game"), msg("leave this option out"))
    mine, theirs = imagined.read_points(asked.attack), imagined.read_points(asked.defence)
    if mine is not None and theirs is not None:
        return _exchange(asked, mine, theirs)
    g, place = imagined.battle_of(build_board(scenario), asked.attack, asked.defence, asked.place)
    side = offensive(g).side
    wanted = {FOE[side]: asked.losses, side: asked.defence_losses}

    def plans(seat: str, kind: str) -> Sequence[Clause]:
        given = [word.strip() for word in wanted[seat].split(",") if word.strip()] or "cheapest"
        return read_clauses(kind, [{"do": [*given] if isinstance(given, list) else given}]) if kind == "hits" else ()

    odds = odds_of(g, place, plans)
    return _told(_words_of(asked), odds, _supposed(odds))


def _words_of(asked: Imagined) -> Message:
    if asked.place == "sea":
        return msg("{attack} against {defence}, at sea", attack=asked.attack, defence=asked.defence)
    if asked.place == "land":
        return msg("{attack} against {defence}, on land", attack=asked.attack, defence=asked.defence)
    return msg("{attack} against {defence}, in an amphibious assault", attack=asked.attack, defence=asked.defence)


def _exchange(asked: Imagined, mine: imagined.Points, theirs: imagined.Points) -> Forecast:
    """Hits of one round of fire: of air and naval units at sea, else of ground units."""
    by, on = (imagined.hits(points, asked.place == "sea") for points in (mine, theirs))
    both = [(a, d, p * q) for a, p in by.items() for d, q in on.items()]
    return Forecast(
        _words_of(asked),
        {
            "attacker scores more": sum(p for a, d, p in both if a > d),
            "defender scores more": sum(p for a, d, p in both if a < d),
            "equal hits": sum(p for a, d, p in both if a == d),
        },
        {},
        {},
        {"the attacker": _mean(by), "the defender": _mean(on)},
        "hits",
        notes=[
            msg("hits scored by the attacker: {chances}", chances=_spread(by)),
            msg("hits scored by the defender: {chances}", chances=_spread(on)),
        ],
    )


def _mean(hits: dict[int, float]) -> float:
    return sum(scored * p for scored, p in hits.items())


def _spread(hits: dict[int, float]) -> str:
    return "; ".join(f"{scored} {p * 100:.0f}%" for scored, p in hits.items())


# -- luck ----------------------------------------------------------------------------------------------------------------


def throw(state: Any, event: Any) -> Throw | None:
    """What a die was worth in steps: of fire, from the state just before it, or of a submarine card. None for other events.

    Steps count as the hits allow, the weakest targets first, whatever the player chooses then.
    """
    match event:
        case Fired():
            return worth.fire(state, event)
        case Rolled():
            return worth.submarine(state, event)
    return None
