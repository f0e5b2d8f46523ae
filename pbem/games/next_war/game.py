"""Next War series, standard game: the module's entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.games.module import GameModule, that_asks_all
from pbem.games.next_war.board import Board
from pbem.games.next_war.board_reading import Reader
from pbem.games.next_war.helicopters import basing_limit
from pbem.games.next_war.parameters import read_parameters
from pbem.games.next_war.planning import PLANNABLE, PlanFacts
from pbem.games.next_war.sequence import SEGMENTS
from pbem.games.next_war.state import ALLIED, FOE, NEWER, OPPOSED, SIDES, Mines, Piece, State
from pbem.games.next_war.victory import ended
from pbem.games.parts import Adviser, Bot, Chances, Checking, Picturing, Words
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.engine import Option, Result
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Commit, Facts
from pbem.kernel.hexes import labels_in
from pbem.kernel.memo import boards
from pbem.kernel.shapes import Fault, Path, ScenarioFault, setting_up
from pbem.kernel.wording import Argument, Message, msg

if TYPE_CHECKING:  # every start with this game loads this module
    from pbem.games.lesson import Lesson

OPTIONS = (
    Option(
        "edition",
        ("source", NEWER),
        "rules of the older printing, or those of the newer where they are known exactly",
        "EDITION",
    ),
    Option("supply", ("off", "on"), "optional supply", "13.1"),
    Option("passed-fortifications", ("off", "on"), "fortifications that were passed fall at the end of the turn", "8.3.1.10"),
    Option("bridges", ("off", "on"), "bridges may be destroyed and repaired (procedure of the newer rules)", "A-40"),
    Option("shift-clamp", ("table", "row"), "shifts end at columns 1 and 13, or at the ends of the terrain's row", "A-59"),
    Option("contested-air", ("level", "turn"), "in a Contested Turn the air level follows the points, or is Contested", "A-10"),
    Option("place-modifier", ("town", "city"), "in 9.6.2 a Town helps the defender, or a City as printed", "A-30"),
    Option(
        "dmz",
        ("off", "on"),
        "hexes beside the border, such as the DMZ of Korea, help who defends his own, and are slow to enter",
        "KOREA-DMZ",
    ),
)
ADDED = ("dmz",)  # options that games begun before them do not have: where they are off the state says nothing of them


class NextWar(GameModule[State]):
    """The rules module."""

    name = "next-war"
    title = "Next War"
    rules_version = 3
    usual: Mapping[str, Plain] = {
        "stand": "yes",
        "failed": "retreat",
        "retreat": "any",
        "advance": "all",
        "defend": "any",
        "lose": "any",
        "lead-clearing": "any",
        "clearing-loss": "any",
        "throw": "yes",  # each throw makes the next one better [12.2]
    }
    postures: Mapping[str, Mapping[str, Plain]] = {
        "careful": {"support": {"air": 1}},
        "bold": {"support": {"air": 2}},
    }
    editions = ("source", NEWER)
    seats: Mapping[str, str] = {ALLIED: ALLIED, OPPOSED: OPPOSED}
    options = OPTIONS
    state_type = State
    segments = SEGMENTS
    weighed = ("support",)
    plannable = PLANNABLE

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> State:
        """[2.0] The set-up of a scenario. Raises ScenarioFault naming everything that is missing or wrong."""
        assert isinstance(scenario, dict)
        g = State(_in_force(options))
        with setting_up(scenario):
            self.attach(g, scenario)
            _set_up(g, scenario)
        return g

    def attach(self, state: State, scenario: Plain) -> None:
        """The board of the scenario."""
        state.board = build_board(scenario)

    def typed(self, state: State, ask: Ask | Commit, order: Plain) -> list[Plain]:
        """Short names, words left out, other verbs."""
        from pbem.games.next_war.shorthand import typed

        return typed(state, ask, order)

    def chosen_way(self, state: State, ask: Ask, order: Plain) -> Message | None:
        """Where a move goes that names its end alone."""
        from pbem.games.next_war.ways import chosen_way

        return chosen_way(state, ask, order)

    def result(self, state: State) -> Result | None:
        """[12.0] The winner, once the game is over."""
        if not state.winner:
            return None
        return Result(state.winner if state.winner in SIDES else None, ended(state), state.win_rule)

    def summary(self, scenario: Any) -> Message:
        """What a scenario is, for a player who chooses one."""
        from pbem.games.next_war.summaries import summary

        return summary(scenario)

    def consequences(self, before: State, after: State, ask: Ask | Commit) -> list[Consequence]:
        """What an answer gives up."""
        from pbem.games.next_war.consequences import consequences

        return consequences(before, after, ask)

    def names_in(self, state: State, order: Plain) -> list[str]:
        """The named hexes of which an order gives the number alone: `Orno (0605)`."""
        hexes, ids = state.board.hexes, state.board.labels
        found = (ids.get(label.lower(), 0) for label in labels_in(order))
        named = (n for n in found if n and hexes[n].name and hexes[n].name not in str(order))
        return list(dict.fromkeys(state.board.name(n) for n in named))

    def facts(self, state: State, seat: str) -> Facts:
        """Where ground units stand."""
        return PlanFacts(state, seat)

    def stretch(self, state: State) -> Plain:
        """A Game Turn."""
        return state.turn

    def words(self) -> Words:
        """What it says."""
        from pbem.games.next_war import wording

        return wording

    def own_turn(self, state: State) -> Plain:
        """[2.0] A movement segment with the combats behind it."""
        return [state.turn, state.moment]

    def measured(self, state: State) -> Sequence[tuple[Argument, int]]:
        """[12.0] Victory Points."""
        from pbem.games.next_war.wording import measured

        return measured(state)

    def picture(self) -> Picturing:
        """Its hexes."""
        from pbem.games.next_war import picture

        return picture

    def chances(self) -> Chances:
        """Exact odds of combats; luck in steps."""
        from pbem.games.next_war import chances

        return chances

    def checking(self) -> Checking:
        """Judges maps, units and parameters of one's own."""
        from pbem.games.next_war import checking

        return checking

    def lesson(self) -> Lesson:
        """An Initiative Turn on the training map."""
        from pbem.games.next_war.lesson import LESSON

        return LESSON

    def adviser(self) -> Adviser:
        """Attacks, and moves that prepare them."""
        from pbem.games.next_war.bot import hints

        return hints

    def bot(self) -> Bot:
        """It plays both sides."""
        from pbem.games.next_war import bot

        return bot


# -- the board -----------------------------------------------------------------------------------------------------------


def build_board(scenario: Any) -> Board:
    """The board of a compiled scenario; made once for each scenario object. Raises ScenarioFault."""
    return boards(scenario, _build)


def _build(scenario: Mapping[str, Any]) -> Board:
    return Reader(scenario, read_parameters(scenario)).board()


def _in_force(options: Mapping[str, Plain]) -> dict[str, Plain]:
    """Every option with its value."""
    found = {o.name: options.get(o.name, o.choices[0]) for o in OPTIONS}
    return {name: value for name, value in found.items() if name not in ADDED or value != "off"}


# -- the set-up ----------------------------------------------------------------------------------------------------------


def _set_up(g: State, scenario: Mapping[str, Any]) -> None:
    p = g.p
    g.control = {h: g.board.owner(h) for h, x in g.board.hexes.items() if x.land}
    for side, labels in scenario.get("control", {}).items():
        for label in str(labels).split():
            g.control[g.board.labels[label.lower()]] = side
    g.first = str(p["initiative_start"]["side"])
    g.vp = dict(p["pregame_vp"])
    g.lift_points = dict(p["airmobile_points"])
    g.sea_control = dict(p["sea_control_start"])
    g.threat, g.asw, g.mine_pool = dict(p["submarine_threat"]), dict(p["asw_level"]), dict(p["mine_markers"])
    for label, mark in p["mines_start"].items():
        g.mines[g.board.labels[str(label).lower()]] = Mines(mark["side"], int(mark["density"]))
    _set_units(g, scenario)
    g.stack = [Cursor("turn", [1])]


def _set_units(g: State, scenario: Mapping[str, Any]) -> None:
    places: dict[str, tuple[str, Path]] = {
        row["id"]: (str(row["at"]), ("units", kind, i, "at"))
        for kind, rows in scenario["units"].items()
        for i, row in enumerate(_rows(rows))
        if "at" in row
    }
    places |= {unit: (str(place), ("setup", unit)) for unit, place in scenario.get("setup", {}).items()}
    due = {u: int(e["turn"]) for e in g.p["reinforcements"] for u in e.get("units", ())}
    faults = [
        Fault(("reinforcements",), msg("there is no unit {unit!r}", unit=u), rule="10.0", word=u)
        for u in due
        if u not in g.board.counters
    ]
    for unit in g.board.counters:
        (place, path), reduced = places.get(unit, ("", ())), False
        if place.endswith(" reduced"):
            place, reduced = place.removesuffix(" reduced"), True
        if unit in due:
            g.pieces[unit] = Piece(0, "due", reduced, due=due[unit])
        elif not place or place == "removed":
            g.pieces[unit] = Piece(0, "removed")
        else:
            g.pieces[unit] = Piece()
            faults += [f.under(*path) for f in _put(g, unit, place, reduced)]
    for piece in g.pieces.values():
        if piece.aboard:
            ship = g.pieces[piece.aboard]
            piece.at, piece.box = ship.at, ship.box
    g.forget()
    faults = faults or [*_homeless(g), *_crowded_bases(g)]
    if faults:
        raise ScenarioFault(faults)


def _homeless(g: State) -> Iterator[Fault]:
    """[6.5.1.1, 6.5.5, 8.5.6.3] Helicopters without a base, ships on land but for an own Port."""
    for unit, piece in g.pieces.items():
        counter = g.counter(unit)
        if counter.kind == "helo" and piece.aboard and not counter.usmc:
            yield Fault(
                (),
                msg("{unit} has no base aboard {ship}", unit=unit, ship=piece.aboard),
                msg("only helicopters of the USMC"),
                "6.5.5",
            )
        elif counter.kind == "helo" and piece.at and not piece.aboard and not basing_limit(g, counter.seat, piece.at):
            bases = msg("an own Airbase, Airfield, City or Urban hex")
            yield Fault(
                (), msg("{unit} has no base at {place}", unit=unit, place=g.board.hexes[piece.at].label), bases, "6.5.1.1"
            )
        elif counter.naval and piece.at and g.board.hexes[piece.at].land and not g.own_port(counter.seat, piece.at):
            yield Fault(
                (),
                msg("{unit} is neither at sea nor in an own Port at {place}", unit=unit, place=g.board.hexes[piece.at].label),
                rule="8.5.6.3",
            )


def _crowded_bases(g: State) -> Iterator[Fault]:
    """[6.5.1.1] Bases with more helicopters than they take."""
    for place in g.by_hex():
        for side in SIDES:
            helos, most = g.here(side, place, "helo"), basing_limit(g, side, place)
            if 0 < most < len(helos):
                yield Fault(
                    (),
                    msg(
                        "{units}: {place} is a base for {most}",
                        units=", ".join(helos),
                        place=g.board.hexes[place].label,
                        most=most,
                    ),
                    rule="6.5.1.1",
                )


def _rows(rows: Any) -> list[Mapping[str, Any]]:
    return rows if isinstance(rows, list) else []


def _put(g: State, unit: str, place: str, reduced: bool) -> list[Fault]:
    """A unit into its hex, area or ship; what is wrong with that."""
    counter, board = g.counter(unit), g.board
    if place in board.areas:
        g.pieces[unit] = Piece(0, place, reduced)
        land = Fault((), msg("{unit} is no naval unit, not for {place}", unit=unit, place=place), rule="7.1")
        return [] if counter.naval else [land]
    if place in board.counters:
        g.pieces[unit] = Piece(0, "", reduced, aboard=place)
        other = Fault((), msg("{unit}: {place} is no AMPH", unit=unit, place=place), rule="7.3.2")
        return [] if board.counters[place].kind == "AMPH" else [other]
    at = board.labels.get(place.lower())
    if at is None:
        return [Fault((), msg("{unit}: there is no place {place!r}", unit=unit, place=place), rule="2.3.6")]
    g.pieces[unit] = Piece(at, "", reduced)
    if counter.ground and not board.hexes[at].land:
        return [Fault((), msg("{unit} stands in the sea at {place}", unit=unit, place=place), rule="8.3.3")]
    if g.control.get(at) == FOE[counter.seat]:
        return [Fault((), msg("{unit} stands in an enemy hex at {place}", unit=unit, place=place), rule="2.3.6")]
    return []


GAME = NextWar()
GAME.earlier = {2: that_asks_all(GAME, 2)}
