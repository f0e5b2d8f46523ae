"""What a player looks up in the middle of `pbem play`: none of it touches the orders of his file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.cli import chances, choices, hinting, look, rules
from pbem.cli.play import hand_in_words, held, held_in_words, own_in_words
from pbem.cli.speech import rules_of, speak, text
from pbem.cli.talking import places_of
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import Argument, Message, msg
from pbem.odds.forecast import Imagined
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.asked import question_of
from pbem.runtime.desk import Desk
from pbem.runtime.taking import Refused
from pbem.store.session import Session

AGAINST = " v "  # between the forces of an imagined battle
LANDING, AT_SEA = " amphibious", " sea"
Aside = Callable[[Session, Desk, str], str]


def told(session: Session, desk: Desk, word: str, rest: str) -> str:
    """The answer to one of ASIDES; why there is none where it cannot be given."""
    try:
        return ASIDES[word][2](session, desk, rest)
    except (Rejected, Refused, ProtocolError) as error:
        problems = error.problems if isinstance(error, Rejected | Refused) else [error]
        return "\n".join(text(one.told) for one in problems)


def hand(session: Session, known: set[str]) -> list[str]:
    """The cards in hand of a player, with what a card does where `known` does not have it yet; then it has."""
    cards, shown = rules_of(session.game).cards, list[str]()
    for seat, item, openly in held(session):
        shown.append(held_in_words(session, seat, item, openly))
        if item in cards and item not in known:
            shown.append(f"    {cards[item].says}")
            known.add(item)
    return shown


def _hand(session: Session, desk: Desk, rest: str) -> str:
    cards = hand(session, set())
    board = own_in_words(session)[len(hand_in_words(session)) :]
    return "\n".join([*cards, *board]) or speak("you hold nothing that the others do not see")


def _choices(session: Session, desk: Desk, rest: str) -> str:
    ask = question_of(desk.table, session.me.player)
    found = choices.choices(ask, places_of(session)) if ask is not None else []
    wanted = rest.lower().split()
    found = [line for line in found if all(word in line.lower() for word in wanted)]
    none = msg("nothing here has these words") if wanted else msg("nothing is picked by place here: `list` shows legal orders")
    return "\n".join(found) or text(none)


def _map(session: Session, desk: Desk, rest: str) -> str:
    return look.of_desk(session, desk.table, rest)


def _odds(session: Session, desk: Desk, rest: str) -> str:
    """Of the battles at which the orders so far have come; of an imagined one with forces on both sides of a `v`."""
    if not rest:
        return chances.ahead(session, desk.table, desk.sealed)[1] or speak("No battles.")
    attack, _, defence = rest.partition(AGAINST)
    place = "land"
    for words in (LANDING, AT_SEA):
        if defence.endswith(words):
            place, defence = words.strip(), defence.removesuffix(words)
    return chances.imagined(session.charter.system, Imagined(attack, defence, place))[1]


def _rules(session: Session, desk: Desk, rest: str) -> str:
    return rules.rules(session.folder.path, rest.split())[1]


def _card(session: Session, desk: Desk, rest: str) -> str:
    return rules.card(session.folder.path, rest.split())[1]


def _luck(session: Session, desk: Desk, rest: str) -> str:
    return chances.told_luck(session.folder.path, None)[1]


def _hint(session: Session, desk: Desk, rest: str) -> str:
    plain, told = hinting.told(session, desk)
    more = speak("`hint NUMBER` orders one of them.")
    return f"{told}\n{more}" if hinting.orders_of(plain) else told


def _review(session: Session, desk: Desk, rest: str) -> str:
    return hinting.review(session.folder.path, int(rest) if rest.isdecimal() else 0)[1]


ASIDES: Mapping[str, tuple[Argument, Message, Aside]] = {
    "choices": (msg("choices [WORDS]"), msg("what can act, by place; prices and what is left to spend"), _choices),
    "hand": ("hand", msg("what you hold and the others do not see"), _hand),
    "map": (msg("map [PLACE]"), msg("the map with the orders so far; of a hex map the surroundings of a place as text"), _map),
    "odds": (msg("odds [FORCE v FORCE]"), msg("of the battles that are due, or of any you think of"), _odds),
    "rules": (msg("rules [WORDS]"), msg("look a rule up"), _rules),
    "card": (msg("card WORDS"), msg("look a card up"), _card),
    "luck": ("luck", msg("what the dice gave and took"), _luck),
    "hint": (msg("hint [NUMBER]"), msg("what the bot would order here, and why; with a number that is ordered"), _hint),
    "review": (msg("review [TURN]"), msg("your largest losses, and the luckiest and unluckiest dice"), _review),
}
