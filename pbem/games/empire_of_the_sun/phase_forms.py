"""[5.0] Cards pick by pick: one of the hand by its name and text, then what is done with it; battles, and what comes before and
after: ways home, reinforcements, replacements, emergency moves, bombing.

Which cards a hand holds is known to its owner alone: a form for him is made with his hidden cards and offers those as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.activation import efficiency
from pbem.games.empire_of_the_sun.battle.salvoes import Salvo
from pbem.games.empire_of_the_sun.battle.strengths import GARRISON, defense
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.cards import hidden, usable, with_handles
from pbem.games.empire_of_the_sun.labels import ROUTES, spoken
from pbem.games.empire_of_the_sun.labels import unit as unit_name
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.picks import ALL, hex_word, phrased, picker, place_word, units_of, where
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.forms import Chosen, Form, Partial, Pick, Read, Step
from pbem.kernel.gathering import Counts
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, Verbs, Worded, no_picks, only, sole, worded
from pbem.kernel.questions import NONE
from pbem.kernel.wording import NO_WORDS, Message, msg

MOST = 3  # [5.32] reaction cards in an offensive
DOES = {
    "play": msg("play it: its use is asked next"),
    "future": msg("prepare it face down as the future offensives card"),
    "discard": msg("discard it"),
}
Places = Callable[[str], Sequence[int]]  # where a unit can go
TO = ("unit", "to")


class Hand(Struct, frozen=True):
    """The cards of one side that can be named. `own`: those that only the owner knows, each with its handle."""

    g: State
    side: str
    own: Mapping[str, str] = field(default_factory=dict)

    def cards(self) -> list[str]:
        """By number."""
        held = usable(self.g, self.side)
        found = [*(e for e in held if not hidden(e)), *(c for c, handle in self.own.items() if handle in held)]
        return sorted(found, key=lambda card: int(card[1:]))

    def picks(self, slot: str = "card") -> list[Pick]:
        """Each card with its values."""
        return [card_pick(self.g.board.cards[c], slot) for c in self.cards()]

    def card(self, body: Plain) -> str:
        """The card of `J14`, `J14 japan:draw0:3`, or of a handle that the owner knows. Raises Rejected."""
        words = str(body).split()
        if not words:
            raise no_picks()
        of_handle = {handle: card for card, handle in self.own.items()}
        return of_handle.get(words[0], words[0].upper())


def card_pick(card: Card, slot: str) -> Pick:
    """A card by number and title, with the values for which it is played."""
    told = {"ops": card.ops, "oc": "-" if card.oc is None else card.oc, "ec": "-" if card.ec is None else card.ec}
    return Pick(slot, card.id, card.told, cost=msg("operations {ops}, OC {oc}, EC {ec}", **told))


def card_form(kind: str, g: State, side: str, read: Read, own: Mapping[str, str] | None = None) -> Form:
    """The form of a question of `KINDS`. `own`: hidden cards of whoever is asked, which `read` has to understand."""
    return _FORMS[kind](Hand(g, side, own or {}), read)


def owners_form(g: State, ask: Ask, own: Mapping[str, str]) -> Form | None:
    """The form for the owner of a hand; None for a question that is not about cards."""
    cards = dict(own)

    def read(order: Plain) -> object:
        return ask.read(with_handles(g, ask.seat, order, cards))

    return card_form(ask.kind, g, ask.seat, read, cards) if ask.kind in KINDS else None


# -- the questions -----------------------------------------------------------------------------------------------------


def _one(hand: Hand, verb: str, read: Read, able: Callable[[Card], bool]) -> Fields:
    """`verb: CARD`."""

    def offers(taken: Taken) -> list[Pick]:
        return [p for p in hand.picks() if able(hand.g.board.cards[p.value])]

    return only(verb, Field("card", offers), lambda body: [hand.card(body)], read)


def _some(hand: Hand, verb: str, read: Read) -> Fields:
    """A verb and a list of at most three cards."""

    def make(taken: Taken) -> Plain:
        cards = taken.all("card")
        return {verb: cards[0] if len(cards) == 1 else [*cards]}

    def said(body: Plain) -> Said:
        parts: Sequence[Plain] = body if isinstance(body, list) else [p.strip() for p in str(body).split(",")]
        return {"card": [hand.card(part) for part in parts]}

    return Fields((Field("card", lambda _: hand.picks(), most=MOST),), make, said, read)


def _preparable(card: Card) -> bool:
    """[7.29] [5.37] A hidden card goes face down: its owner is not offered one that he may not prepare."""
    return not card.data.get("must") and not card.data.get("special")


class CardFirst:
    """A card, then what is done with it; or the other way round, as orders are written."""

    def __init__(self, hand: Hand, read: Read) -> None:
        verbs = ("play", "future", "discard")
        gestures = {verb: _one(hand, verb, read, _preparable if verb == "future" else _any) for verb in verbs}
        self._read, self._gestures = read, gestures
        self._written = Verbs(read, (*verbs, "pass"), {**gestures, "pass": _alone("pass", read)}, bare=verbs)

    def step(self, partial: Partial) -> Step:
        """The cards and the verbs; of a card what may be done with it."""
        if partial.verb or not partial.chosen:
            return self._written.step(partial)
        card, *then = partial.chosen
        steps = {verb: gesture.step((card,)) for verb, gesture in self._gestures.items() if gesture.takes((card,))}
        able = [verb for verb, step in steps.items() if step.orders]
        if not then:
            problems = () if able else tuple(p for step in steps.values() for p in step.problems)[:1]
            return Step(tuple(Pick("word", verb, DOES[verb]) for verb in able), problems=problems)
        (use, *more) = then
        return steps[use.value] if use.slot == "word" and use.value in able and not more else Step()

    def partial(self, order: Plain) -> Partial:
        """Card first."""
        found = self._written.partial(order)
        if found.verb not in DOES or len(found.chosen) != 1:
            return found
        return Partial("", (*found.chosen, Chosen("word", found.verb)))

    def line(self, order: Plain) -> Plain:
        """As a player writes it."""
        return self._written.line(order)


def _any(card: Card) -> bool:
    return True


def _initiative(hand: Hand, read: Read) -> Form:
    words = {"no": msg("leave the initiative to the other side")}
    return worded("initiative", words, _one(hand, "initiative", read, _any), read)


def _reacts(hand: Hand, read: Read) -> Form:
    """React, let it pass, or a card that ends the offensive."""
    called = ("weather", "cancel")
    gestures = {verb: _one(hand, verb, read, _any) for verb in called}
    return Verbs(read, ("pass", "react", *called), gestures, bare=called)


def _intelligence(hand: Hand, read: Read) -> Form:
    return worded("intelligence", spoken("intelligence", NONE, "roll"), _some(hand, "intelligence", read), read)


def _others(hand: Hand, read: Read) -> Form:
    return worded("cards", spoken("cards", NONE), _some(hand, "cards", read), read)


def _retrieves(hand: Hand, read: Read) -> Form:
    """[5.33] A card of the discard pile, then the one of the hand that goes there instead."""
    discards = [hand.g.board.cards[c] for c in hand.g.discards[hand.side]]

    def make(taken: Taken) -> Plain:
        return {"retrieve": f"{taken.one('card')} for {taken.one('with')}"}

    def said(body: Plain) -> Said:
        wanted, _, given = str(body).partition(" for ")
        return {"card": [hand.card(wanted)], "with": [hand.card(given)]}

    fields = (Field("card", lambda _: [card_pick(c, "card") for c in discards]), Field("with", lambda _: hand.picks("with")))
    return worded("retrieve", spoken("retrieve", NONE), Fields(fields, make, said, read), read)


_FORMS: Mapping[str, Callable[[Hand, Read], Form]] = {
    "card": CardFirst,
    "initiative": _initiative,
    "reaction": _reacts,
    "intelligence": _intelligence,
    "cards": _others,
    "retrieve": _retrieves,
}
KINDS = tuple(_FORMS)


# -- the use of a card --------------------------------------------------------------------------------------------------


USES = {
    "operations": msg("An offensive with its operations value, led by an HQ."),
    "event": msg("What the card says; an offensive is led by an HQ."),
    "china": msg("A China offensive."),
    "withdraw": msg("An HQ leaves the map."),
    "return": msg("An HQ comes back from the turn track into a port."),
    "air": msg("An air unit leaves the map until the next turn."),
    "route": msg("A transport route is built."),
    "rivalry": msg("The rivalry of your services ends."),
    "discard": msg("The card has no use."),
}


def uses(
    g: State,
    verbs: Sequence[str],
    leaders: Sequence[str],
    of_event: Sequence[str] | None,
    bases: Mapping[str, Callable[[str], int]],
    back: Mapping[str, Sequence[int]],
    wings: Sequence[str],
    read: Read,
) -> Form:
    """[5.0] A use of the card that lies open, then its HQ. `of_event`: who may lead the event; None: nobody is named.

    `bases`: of a use that begins an offensive, the units that each HQ activates beside its efficiency [6.11].
    `leaders`: HQs on the map; `back`: those on the turn track with their ports; `wings`: air units on the map.
    """

    def led(verb: str, units: Sequence[str], slot: str = "hq") -> Fields:
        def offers(_: Taken) -> list[Pick]:
            picks = picker(g).units(slot, units)
            return [replace(p, cost=_reach(g, p.value, bases[verb])) for p in picks] if verb in bases else picks

        return only(verb, Field(slot, offers), lambda body: [read_unit(g, body)], read)

    routes = Field("word", lambda _: [Pick("word", r, ROUTES[r]) for r in ROUTES])
    ports = Field("to", lambda taken: picker(g).places("to", back[taken.one("hq")], "base"))  # [6.15]
    hqs = picker(g).field("hq", [u for u in back if back[u]])
    gestures: dict[str, Gesture] = {verb: _alone(verb, read) for verb in ("china", "rivalry", "discard")}
    gestures["operations"] = led("operations", leaders)
    gestures["event"] = _alone("event", read) if of_event is None else led("event", of_event)
    gestures["withdraw"] = led("withdraw", leaders)
    gestures["return"] = phrased(g, "return", "at", ("hq", "to"), (hqs, ports), read)
    gestures["air"] = led("air", wings, "unit")
    gestures["route"] = only("route", routes, lambda body: [str(body).strip().lower()], read)
    return Verbs(read, verbs, gestures, says=USES)


def _reach(g: State, hq: str, base: Callable[[str], int]) -> Message:
    """[6.11] How many units an HQ activates, and from how far; nothing yet of one that an event brings to the map."""
    if g.pieces[hq].box != "map":
        return NO_WORDS
    return msg("up to {n} units, command range {range}", n=base(hq) + efficiency(g, hq, ()), range=g.counter(hq).command)


def _alone(verb: str, read: Read) -> Fields:
    """A verb that is the whole order, offered while it is legal."""
    return Fields((), lambda taken: verb, lambda body: {}, read)


# -- ways home -----------------------------------------------------------------------------------------------------


def returns(g: State, verbs: Sequence[str], home: str, waiting: Sequence[str], ends: Places, read: Read) -> Form:
    """[9.6] Units of a place and the base to which all of them may go; or all of them home."""

    def to(taken: Taken) -> list[Pick]:
        first, *others = (ends(u) for u in taken.all("unit"))
        return picker(g).places("to", (h for h in first if all(h in more for more in others)), "base")

    fields = (*picker(g).stack(lambda: waiting, MANY), Field("to", to))
    gesture = Worded("return", spoken("return", home), phrased(g, "return", "to", TO, fields, read), read)
    return sole("return", gesture, read, verbs)


def sailings(g: State, verbs: Sequence[str], waiting: Sequence[str], havens: Places, read: Read) -> Form:
    """[17.11] A fleet and its haven."""
    fields = (*picker(g).stack(lambda: waiting, 1), _ends(g, havens))
    return sole("sail", phrased(g, "sail", "to", TO, fields, read), read, verbs)


def _ends(g: State, places: Places) -> Field:
    return Field("to", lambda taken: picker(g).places("to", places(taken.one("unit")), "base"))


# -- units that come in --------------------------------------------------------------------------------------------


def placements(g: State, verbs: Sequence[str], waiting: Sequence[str], places: Places, read: Read) -> Form:
    """[10.11] A unit that comes in and where; those without a place wait."""
    fields = (picker(g).field("unit", [u for u in waiting if places(u)]), _ends(g, places))
    return sole("place", phrased(g, "place", "at", TO, fields, read), read, verbs)


def replacements(g: State, verbs: Sequence[str], able: Mapping[str, Sequence[int]], read: Read) -> Form:
    """[11.0] Reduced units that get a step; eliminated ones that come back, where, and at full strength or not."""

    def make(taken: Taken) -> Plain:
        order = back.make(taken)
        return {"rebuild": f"{order['rebuild']} full"} if taken.one("word") and isinstance(order, dict) else order

    def said(body: Plain) -> Said:
        text = str(body).strip()
        return {**back.said(text.removesuffix(" full")), "word": ["full"] if text.endswith(" full") else []}

    fields = (
        picker(g).field("unit", [u for u in able if able[u]]),
        _ends(g, lambda unit: able[unit]),
        Field("word", lambda _: [Pick("word", "full", msg("at full strength"))], 0),
    )
    back = phrased(g, "rebuild", "at", TO, fields, read)
    reduced = picker(g).field("unit", [u for u in able if not able[u]])
    gestures = {
        "replace": only("replace", reduced, lambda body: [read_unit(g, body)], read),
        "rebuild": replace(back, make=make, said=said),
    }
    return Verbs(read, verbs, gestures, bare=("replace",))


# -- bombing -------------------------------------------------------------------------------------------------------


def bombings(g: State, ready: Sequence[str], read: Read) -> Form:
    """[12.31] The B-29s that bomb Japan."""
    gesture = only("bomb", picker(g).field("unit", ready, most=MANY), lambda body: units_of(g, body), read)
    return worded("bomb", spoken("bomb", ALL, NONE), gesture, read)


# -- battles ------------------------------------------------------------------------------------------------------------


GARRISON_STEP = 12  # [13.76] hits
Losses = Mapping[str, int]


def hits(g: State, salvo: Salvo, losses_of: Callable[[Plain], Losses], read: Read) -> Form:
    """[9.2] Steps of the units that can be hit, while hits are left."""

    def cost(losses: Losses) -> int:
        return sum(n * (GARRISON_STEP if u == GARRISON else defense(g, u, salvo.kind)) for u, n in losses.items())

    def offers(taken: Losses) -> list[Pick]:
        left, found = salvo.hits - cost(taken), []
        for unit in salvo.targets:
            most = min(g.steps(unit) - taken.get(unit, 0), left // max(1, defense(g, unit, salvo.kind)))
            price = msg("hits: {n}", n=defense(g, unit, salvo.kind))
            found += [Pick("unit", unit, unit_name(g, unit), where(g, unit), most, price)] if most > 0 else []
        most = min(salvo.garrison - taken.get(GARRISON, 0), left // GARRISON_STEP)
        there = hex_word(salvo.place)
        found += [Pick("unit", GARRISON, msg("garrison"), there, most, msg("hits: {n}", n=GARRISON_STEP))] if most > 0 else []
        return found

    def told(taken: Losses) -> Message:
        return msg("hits used: {n} of {most}", n=cost(taken), most=salvo.hits)

    gesture = Counts(offers, lambda taken: {"hits": {**taken} or NONE}, losses_of, read, told)
    return sole("hits", gesture, read)


def transfers(g: State, pairs: Sequence[tuple[str, str]], read: Read) -> Form:
    """[9.2] The carrier that is saved, then the one that takes its step."""

    def takers(taken: Taken) -> list[Pick]:
        return picker(g).units("with", (take for take, save in pairs if save == taken.one("unit")))

    fields = (picker(g).field("unit", dict.fromkeys(save for _, save in pairs)), Field("with", takers))
    gesture = phrased(g, "transfer", "for", ("with", "unit"), fields, read)
    return worded("transfer", spoken("transfer", NONE), gesture, read)


def disengagements(g: State, here: Sequence[str], exits: Sequence[int], read: Read) -> Form:
    """[8.43] Units that step aside, then the hex; or all of them, the hex clicked at once."""
    ends = Field("to", lambda _: picker(g).places("to", exits, "retreat"))
    gesture = phrased(g, "disengage", "to", TO, (picker(g).field("unit", here, 0, MANY), ends), read)
    return worded("disengage", spoken("disengage", NONE), gesture, read)


def specials(g: State, hexes: Sequence[int], read: Read) -> Form:
    """[7.27] The landings against which one reacts."""

    def said(body: Plain) -> list[str]:
        parts: Sequence[Plain] = body if isinstance(body, list) else [p for p in str(body).split(",") if p.strip()]
        return [place_word(g, part) for part in parts]

    gesture = only("special", Field("to", lambda _: picker(g).places("to", hexes, "attack"), most=MANY), said, read)
    joined = replace(gesture, make=lambda taken: {"special": ", ".join(taken.all("to"))})
    return worded("special", spoken("special", ALL, NONE), joined, read)
