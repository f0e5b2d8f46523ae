"""The stage of Empire of the Sun: SETUP and THEN lines of its cases (tests/cases/README.md lists them)."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.activation import eligible
from pbem.games.empire_of_the_sun.events.battles import BattleEnded
from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.orders import read_place, read_unit, read_units
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, MARKERS, Piece, State
from pbem.games.empire_of_the_sun.supply import hostile, in_zone, supplied
from pbem.games.empire_of_the_sun.victory import score
from pbem.games.empire_of_the_sun.words.telling import tell
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Claim, Draw, Open, Request, Simultaneous
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import english
from pbem.protocol.strict_yaml import read_document
from tests.case_driver import Sealed, Stage, read_options, read_sealed, read_value, sealed_answer
from tests.empire_of_the_sun import table


class GameStage(Stage):
    """A case of Empire of the Sun being played. Dice show 0 to 9; every card is known; SEALED lines answer sealed questions."""

    sealed: Sealed

    def face(self, shown: int, sides: int) -> int:
        return 10 if sides == 10 and shown == 0 else shown

    def chance(self, request: Request) -> Plain:
        """Draws take the first cards of the deck list; openings and statements are true; sealed questions have SEALED lines."""
        if isinstance(request, Simultaneous):
            return {a.seat: sealed_answer(self.sealed.get(a.seat, []), a) for a in request.asks}
        if isinstance(request, Draw):
            return [c for c in request.base if c not in request.less][: request.count]
        if isinstance(request, Open):
            return request.handle
        assert isinstance(request, Claim)
        truth = request.truth(lambda handle: handle)
        assert request.allowed(truth, truth), "what is true may be stated"
        assert not request.allowed(not truth, truth) and not request.allowed(truth, not truth), "what is not true may not"
        try:
            request.read(not truth)
        except Rejected:
            return truth
        raise AssertionError("a statement that forbids the order is refused")

    # -- SETUP ----------------------------------------------------------------------------------------------------------

    def set_up(self) -> Engine:
        self.sealed = {}
        lines = [(w, r) for w, _, r in (line.partition(" ") for line in self.case.setup)]
        first = {w: r for w, r in lines if w in ("EDITION", "SCENARIO", "START", "OPTION")}
        options = {**read_options(self.case.setup, GAME.options), "rules": first.get("EDITION", "2nd-2015")}
        scenario = table.scenario(first.get("SCENARIO", "campaign-1941"))
        g = GAME.start(scenario, options)
        if "SCENARIO" not in first:
            clear(g)
        for word, rest in lines:
            if word not in first:
                getattr(self, f"_set_{word.lower()}")(g, rest)
        if "SCENARIO" not in first or "START" in first:
            segments = [s.split() for s in first.get("START", "impulse").split(",")]
            g.stack = [Cursor(name, [read_value(a) for a in arguments]) for name, *arguments in reversed(segments)]
        g.memo.forget()
        return Engine(GAME, scenario, g)

    def run(self) -> None:
        """Every SEALED line has been asked for."""
        super().run()
        assert not any(self.sealed.values()), f"never asked for: {self.sealed}"

    def _set_sealed(self, g: State, rest: str) -> None:
        """SEALED side: order [!! rule]."""
        read_sealed(self.sealed, rest)

    def _set_turn(self, g: State, rest: str) -> None:
        g.turn = int(rest)

    def _set_active(self, g: State, rest: str) -> None:
        g.active = rest

    def _set_units(self, g: State, rest: str) -> None:
        """UNITS place: unit, unit reduced."""
        place, _, units = rest.partition(":")
        for text in units.split(","):
            unit, reduced = _unit_and_side(g, text)
            at = 0 if place.strip() == "China box" else read_place(g, place.strip())
            assert not at or _may_be(g, unit, at), f"{text.strip()} cannot be in {g.board.name(at)}"
            assert not at or _may_command(g, unit, at), f"{text.strip()} cannot be at {g.board.name(at)} [6.11]"
            g.pieces[unit] = Piece(at, "map" if at else "china", reduced)

    def _set_box(self, g: State, rest: str) -> None:
        """BOX delayed|eliminated|removed|event|track N|schedule N: units."""
        box, _, units = rest.partition(":")
        name, *due = box.split()
        for text in units.split(","):
            unit, reduced = _unit_and_side(g, text)
            g.pieces[unit] = Piece(0, name, reduced, int(due[0]) if due else 0)

    def _set_own(self, g: State, rest: str) -> None:
        side, _, places = rest.partition(":")
        for place in places.split(","):
            g.control[read_place(g, place.strip())] = side.strip()

    def _set_hand(self, g: State, rest: str) -> None:
        side, _, cards = rest.partition(":")
        g.hands[side.strip()] = [c.strip() for c in cards.split(",") if c.strip()]

    def _set_future(self, g: State, rest: str) -> None:
        side, _, card = rest.partition(":")
        g.future[side.strip()] = card.strip()

    def _set_pile(self, g: State, rest: str) -> None:
        """PILE discards|out_of_play: cards."""
        pile, _, cards = rest.partition(":")
        for card in (c.strip() for c in cards.split(",")):
            getattr(g, pile.strip())[g.board.cards[card].side].append(card)

    def _set_surrendered(self, g: State, rest: str) -> None:
        g.surrendered = [n.strip() for n in rest.split(",")]
        g.bonuses = [f"{n} surrenders" for n in g.surrendered]

    def _set_mark(self, g: State, rest: str) -> None:
        """MARK name value: a field of the state; `asp japan 3` and such for those that both sides have; lists by words."""
        name, *words = rest.split()
        if name in MARKERS:
            g.in_force = sorted({*g.in_force, name} if words == ["true"] else {*g.in_force} - {name})
            return
        held = getattr(g, name)
        if isinstance(held, dict):
            held[words[0]] = int(words[1])
        elif isinstance(held, list):
            setattr(g, name, [read_value(w) for w in words])
        elif isinstance(held, bool):
            setattr(g, name, words[0] in ("true", "on", "yes"))
        elif isinstance(held, str):
            setattr(g, name, " ".join(words))
        else:
            setattr(g, name, read_value(" ".join(words)) if not words[0].startswith("-") else int(words[0]))

    # -- THEN -----------------------------------------------------------------------------------------------------------

    def _then_units(self, g: State, rest: str, line: str) -> None:
        """UNITS place: exactly these units of both sides, or none."""
        place, _, units = rest.partition(":")
        there = g.china_box() if place.strip() == "China box" else g.units_at(read_place(g, place.strip()))
        found = {(u, g.pieces[u].reduced) for u in there}
        wanted = set() if units.strip() == "none" else {_unit_and_side(g, t) for t in units.split(",")}
        assert found == wanted, f"{line}: there are {sorted(found)}"

    def _then_at(self, g: State, rest: str, line: str) -> None:
        """AT place: among others these units."""
        place, _, units = rest.partition(":")
        for text in units.split(","):
            unit, reduced = _unit_and_side(g, text)
            piece = g.pieces[unit]
            assert (piece.box, piece.at, piece.reduced) == ("map", read_place(g, place.strip()), reduced), (
                f"{line}: {unit} {piece}"
            )

    def _then_box(self, g: State, rest: str, line: str) -> None:
        """BOX name [turn]: units."""
        box, _, units = rest.partition(":")
        name, *due = box.split()
        for unit in read_units(g, units.strip()):
            piece = g.pieces[unit]
            assert piece.box == name and (not due or piece.due == int(due[0])), f"{line}: {unit} {piece}"

    def _then_own(self, g: State, rest: str, line: str) -> None:
        side, _, places = rest.partition(":")
        for place in places.split(","):
            held = g.control[read_place(g, place.strip())]
            assert held == side.strip(), f"{line}: {place} held by {held}"

    def _then_mark(self, g: State, rest: str, line: str) -> None:
        name, *words = rest.split()
        held = name in g.in_force if name in MARKERS else getattr(g, name)
        if not words:
            assert not held, f"{line}: {held}"
        elif isinstance(held, dict):
            assert held[words[0]] == read_value(words[1]), f"{line}: {held}"
        elif isinstance(held, list):
            assert [str(h) for h in held] == words, f"{line}: {held}"
        else:
            assert str(held).lower() == " ".join(words), f"{line}: {held}"

    def _then_offensive(self, g: State, rest: str, line: str) -> None:
        """OFFENSIVE name value: a field of the offensive; `OFFENSIVE none`."""
        if rest == "none":
            assert g.offensive is None, line
            return
        name, *words = rest.split()
        held = getattr(g.offensive, name)
        shown = [str(h) for h in held] if isinstance(held, list) else [str(held).lower()]
        assert [s.lower() for s in shown] == [w.lower() for w in words], f"{line}: {held}"

    def _then_won(self, g: State, rest: str, line: str) -> None:
        """WON side: hexes of battles that are over and who won the whole of them."""
        side, _, places = rest.partition(":")
        over = {e.hex: e.winner for e in g.events if isinstance(e, BattleEnded) and e.kind == "battle"}
        for place in places.split(","):
            assert over.get(read_place(g, place.strip())) == side.strip(), f"{line}: {over}"

    def _then_supplied(self, g: State, rest: str, line: str) -> None:
        for unit in read_units(g, rest):
            assert supplied(g, unit), f"{line}: {unit}"

    def _then_unsupplied(self, g: State, rest: str, line: str) -> None:
        for unit in read_units(g, rest):
            assert not supplied(g, unit), f"{line}: {unit}"

    def _then_told(self, g: State, rest: str, line: str) -> None:
        """TOLD rule: words of the report of an event under this rule."""
        rule, _, words = rest.partition(": ")
        told = [english(said.text) for e in g.events if e.rule == rule and (said := tell(g, e))]
        assert any(words in text for text in told), f"{line}: {told}"

    def _then_zone(self, g: State, rest: str, line: str) -> None:
        """ZONE side: hexes in the zone of influence of that side."""
        side, _, places = rest.partition(":")
        for place in places.split(","):
            assert in_zone(g, side.strip(), read_place(g, place.strip())), f"{line}: {place}"

    def _then_hostile(self, g: State, rest: str, line: str) -> None:
        """HOSTILE side: hexes in an un-neutralised zone of its enemy; NOTHOSTILE the opposite."""
        side, _, places = rest.partition(":")
        for place in places.split(","):
            assert read_place(g, place.strip()) in hostile(g, side.strip()), f"{line}: {place}"

    def _then_nothostile(self, g: State, rest: str, line: str) -> None:
        side, _, places = rest.partition(":")
        for place in places.split(","):
            assert read_place(g, place.strip()) not in hostile(g, side.strip()), f"{line}: {place}"

    def _then_reaches(self, g: State, rest: str, line: str) -> None:
        """REACHES hq: units that it may activate by an operations card; NOTREACHES the opposite."""
        hq, _, units = rest.partition(":")
        able = eligible(g, read_unit(g, hq.strip()))
        for unit in read_units(g, units.strip()):
            assert unit in able, f"{line}: {unit}"

    def _then_notreaches(self, g: State, rest: str, line: str) -> None:
        hq, _, units = rest.partition(":")
        able = eligible(g, read_unit(g, hq.strip()))
        for unit in read_units(g, units.strip()):
            assert unit not in able, f"{line}: {unit}"

    def _then_hand(self, g: State, rest: str, line: str) -> None:
        """HAND side: cards."""
        side, _, cards = rest.partition(":")
        wanted = sorted(c.strip() for c in cards.split(",") if c.strip() != "none")
        assert sorted(g.hands[side.strip()]) == wanted, f"{line}: {g.hands[side.strip()]}"

    def _then_spelled(self, g: State, rest: str, line: str) -> None:
        """SPELLED side CARD handle, CARD handle: order = what his program makes of it, with the places of hidden cards."""
        whose, _, orders = rest.partition(": ")
        side, _, cards = whose.partition(" ")
        own = dict(entry.split() for entry in cards.split(","))
        order, wanted = (read_document(f"value: {text}\n")[0]["value"] for text in orders.split(" = "))
        found = GAME.spelled_out(g, side, order, own)
        assert found == wanted, f"{line}: {found}"

    def _then_pile(self, g: State, rest: str, line: str) -> None:
        """PILE discards|out_of_play: among others these cards."""
        pile, _, cards = rest.partition(":")
        for card in (c.strip() for c in cards.split(",")):
            held = getattr(g, pile.strip())[g.board.cards[card].side]
            assert card in held, f"{line}: {held}"

    def _then_fact(self, g: State, rest: str, line: str) -> None:
        """FACT name value: what the question tells of the situation."""
        name, value = rest.split()
        ask = self.engine.request
        assert isinstance(ask, Ask) and ask.facts is not None and ask.facts[name] == read_value(value), f"{line}: {ask}"

    def _then_points(self, g: State, rest: str, line: str) -> None:
        found = sum(vp for _, vp in score(g))
        assert found == int(rest), f"{line}: {score(g)}"

    def _then_cards(self, g: State, rest: str, line: str) -> None:
        """CARDS side n: so many cards in hand."""
        side, number = rest.split()
        assert len(g.hands[side]) == int(number), f"{line}: {g.hands[side]}"


def clear(g: State) -> None:
    """No units, no cards in hand, the printed control of December 1941, turn 5."""
    g.pieces = {u: Piece(0, "removed") for u in g.board.counters}
    g.hands = {JAPAN: [], ALLIES: []}
    g.turn, g.will = 5, 6
    g.phase = "Offensives Phase"


def _unit_and_side(g: State, text: str) -> tuple[str, bool]:
    name = text.strip()
    reduced = name.endswith(" reduced")
    return read_unit(g, name.removesuffix(" reduced")), reduced


def _may_be(g: State, unit: str, place: int) -> bool:
    """Whether a counter can be in a hex at all: ships at sea or on a coast, all others on land."""
    here = g.board.hexes[place]
    return here.coastal or not here.is_land if g.counter(unit).kind == "naval" else here.is_land


def _may_command(g: State, unit: str, place: int) -> bool:
    """[6.11] A headquarters is in a port and alone of its kind there; all other counters command nothing."""
    if g.counter(unit).kind != "hq":
        return True
    others = [u for u in g.units_at(place) if u != unit and g.counter(u).kind == "hq"]
    return g.board.hexes[place].port and not others
