"""[16.1] [17.27] [17.38] [17.48] How each scenario is won: the campaign's conditions and the victory points."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import OAHU
from pbem.games.empire_of_the_sun.china_box import burma_road_open
from pbem.games.empire_of_the_sun.deployment import fed_hexes
from pbem.games.empire_of_the_sun.events.politics import HawaiiOccupied
from pbem.games.empire_of_the_sun.events.turns import Won
from pbem.games.empire_of_the_sun.fields import Field
from pbem.games.empire_of_the_sun.happenings.blows import near_tokyo
from pbem.games.empire_of_the_sun.lines import ANY_LENGTH, ANY_PORTS, lines
from pbem.games.empire_of_the_sun.state import ALLIES, COLLAPSED, JAPAN, State
from pbem.games.empire_of_the_sun.supply import limits_of
from pbem.kernel.events import emit
from pbem.kernel.wording import Message, msg

TOWNSVILLE, RABAUL = 3727, 4021
KAUAI, HAWAII = 5708, 5908
HEBRIDES = (4825, 4826, 4828, 4926)
LEVELS = ((2, ALLIES, "Allied decisive"), (5, ALLIES, "Allied tactical"), (9, JAPAN, "Japanese tactical"))
BURMA_LEVELS = ((2, ALLIES, "Allied decisive"), (4, ALLIES, "Allied tactical"), (8, JAPAN, "Japanese tactical"))
Score = list[tuple[str, int]]
RESOURCES_NEEDED = 11
WILL_BROKEN = msg("US Political Will is broken: a treaty is negotiated")
BOMBED = msg("Japan is bombed and blockaded into submission")
HOLDS_OUT = msg("Japan holds out")
HONSHU_LOST = msg("Japan surrenders: Honshu is lost")
CUT_OFF = msg("Japan surrenders: no resources reach the home islands")


def check_end(g: State) -> None:
    """[4.5] Political Will on 0; the campaign after its last turn; the points of the other scenarios."""
    _note_occupation(g)
    if g.will <= 0 and g.board.edges == (10, 60):
        emit(g, Won(JAPAN, WILL_BROKEN, "16.1"))
    elif g.turn < g.last_turn:
        return
    elif g.victory == "campaign":
        if bombed_into_submission(g):
            emit(g, Won(ALLIES, BOMBED, "16.2"))
        else:
            emit(g, Won(JAPAN, HOLDS_OUT, "16.3"))
    else:
        _by_points(g)


def _note_occupation(g: State) -> None:
    """[17.27] J, K: Oahu, Kauai, Hawaii controlled and occupied at the end of a turn count once."""
    new = [h for h in (OAHU, KAUAI, HAWAII) if h in g.board.hexes and g.holds(JAPAN, h) and g.mine_at(JAPAN, h)]
    if set(new) - set(g.occupied_once):
        emit(g, HawaiiOccupied(tuple(new)))


def bombed_into_submission(g: State) -> bool:
    """[16.2] Four turns of bombing in a row, at most one resource hex, a B-29 in range of Tokyo."""
    row = all(t in g.bombing for t in range(g.turn - 3, g.turn + 1))
    in_range = any(g.counter(u).b29 and (p.box == "china" or near_tokyo(g, u)) for u, p in g.pieces.items())
    return row and len(g.resources(JAPAN)) <= 1 and in_range


def _by_points(g: State) -> None:
    if g.victory == "1942" and len(g.resources(JAPAN)) < RESOURCES_NEEDED:
        emit(g, Won(ALLIES, _too_few(g), "17.27"))
        return
    points = _points(g)
    levels = BURMA_LEVELS if g.victory == "burma" else LEVELS
    for most, side, name in levels:
        if points <= most:
            emit(g, Won(side, _at_level(name, points), "17.27"))
            return
    emit(g, Won(JAPAN, _at_level("", points), "17.27"))


def _points(g: State) -> int:
    return sum(vp for _, vp in score(g)) + int(g.options["bid"])


def _too_few(g: State) -> Message:
    held = len(g.resources(JAPAN))
    return msg("Japan holds {held} of 14 resource hexes, {least} are needed", held=held, least=RESOURCES_NEEDED)


def _at_level(level: str, points: int) -> Message:
    """An end by points, as the state writes it down; no level: better than all of them."""
    if not level:
        return Message("Japanese decisive victory with {points} victory points", {"points": points})
    return Message("{level} victory with {points} Japanese victory points", {"level": level, "points": points})


def ended(g: State) -> Message:
    """Why the game is over: the one of the reasons there can be that the state has written down."""
    found = next((why for why in (WILL_BROKEN, BOMBED, HOLDS_OUT, HONSHU_LOST, CUT_OFF) if str(why) == g.win_reason), None)
    if found is None and str(_too_few(g)) == g.win_reason:
        found = _too_few(g)
    return found or msg("Japanese victory points: {n}", n=_points(g))


def why_it_ended(reason: Message) -> Message:
    """The same of a reason that has just been given."""
    points = reason.args.get("points")
    return reason if points is None else msg("Japanese victory points: {n}", n=points)


def score(g: State) -> Score:
    """Japanese victory points, line by line."""
    match g.victory:
        case "1942":
            return [*_common(g), *_hawaii(g)]
        case "1943":
            return [*_common(g), *_hawaii(g), *_year_1943(g)]
        case "1944":
            return [*_common(g), ("Oahu captured", 3 * (OAHU in g.occupied_once)), *_year_1944(g)]
        case "south-pacific":
            return _south_pacific(g)
        case "burma":
            return _burma(g)
    return []


def _common(g: State) -> Score:
    """17.27 A to I."""
    will = 6 - g.will if g.will < 6 else -(g.will - 5)
    return [
        ("China has surrendered", 5 * ("china" in g.surrendered)),
        ("the Burma Road is closed", int(not burma_road_open(g))),
        ("Townsville is cut off from Oahu", 5 * (not townsville_line(g))),
        *_northern_india(g),
        *_unrest(g),
        ("Japan controls the Australian Mandates", int(controls(g, JAPAN, "mandates"))),
        ("Political Will", will),
    ]


def _northern_india(g: State) -> Score:
    north = g.board.region("NIndia")
    held = sum(g.holds(JAPAN, h) for h in north)
    return [("hexes of Northern India", held), ("all of Northern India", 2 * (held == len(north)))]


def _unrest(g: State) -> Score:
    """E, F: Unrest (second edition: or Strikes) 1, Unstable and worse 2."""
    unstable = 3 if g.second else 2
    worst = "india" in g.surrendered or g.india >= unstable
    return [("unrest in India", 2 if worst else int(g.india >= 1))]


def _hawaii(g: State) -> Score:
    """17.27 J, K."""
    return [
        ("Kauai and Hawaii captured", (KAUAI in g.occupied_once) + (HAWAII in g.occupied_once)),
        ("Oahu captured", 3 * (OAHU in g.occupied_once)),
    ]


def townsville_line(g: State) -> bool:
    """17.27 C: an Allied supply line from Oahu to Townsville, both Allied."""
    if OAHU not in g.board.hexes:
        starts = g.board.east_edge
    elif g.holds(ALLIES, OAHU):
        starts = g.board.fields.one[OAHU]
    else:
        return False
    return g.holds(ALLIES, TOWNSVILLE) and g.board.fields.has(_line(g, starts), TOWNSVILLE)


def _line(g: State, starts: Field) -> Field:
    return lines(g, starts, limits_of(g, ALLIES), ANY_LENGTH, ANY_PORTS).all


def controls(g: State, side: str, area: str) -> bool:
    """A side holds the key hexes of an area."""
    return all(g.holds(side, h) for h in g.board.nations[area]["surrender"])


def _bases(g: State, side: str, area: str, ports: bool) -> int:
    return sum(g.holds(side, h) for h in g.board.nations[area]["bases"] if not ports or g.board.hexes[h].port)


def _year_1943(g: State) -> Score:
    """17.38 L to R."""
    mandates, guinea = controls(g, ALLIES, "mandates"), controls(g, ALLIES, "new-guinea")
    return [
        ("the Allies control the Australian Mandates", -3 * mandates),
        ("four hexes of the Mandates", -1 * (not mandates and _bases(g, ALLIES, "mandates", False) >= 4)),
        ("the Allies control the Marshalls", -3 * controls(g, ALLIES, "marshalls")),
        ("the Allies control New Guinea", -3 * guinea),
        ("four ports of New Guinea", -1 * (not guinea and _bases(g, ALLIES, "new-guinea", True) >= 4)),
        ("Allied resource hexes", -len(g.resources(ALLIES))),
    ]


def _year_1944(g: State) -> Score:
    """17.48 K to P."""
    japan, allies = controls(g, JAPAN, "new-guinea"), controls(g, ALLIES, "new-guinea")
    near = [h for h in g.near_tokyo(8) if (g.board.hexes[h].port or g.board.hexes[h].airfield) and g.holds(ALLIES, h)]
    return [
        ("New Guinea", 5 if japan else 0 if allies else 3),
        ("Rabaul neither captured nor cut off", 3 * (g.holds(JAPAN, RABAUL) and RABAUL in fed_hexes(g, JAPAN))),
        ("the Philippines", _philippines(g)),
        ("no Allied base within eight hexes of Tokyo", 5 * (not near)),
    ]


def _philippines(g: State) -> int:
    """17.48 N, O."""
    land = [h for h in g.board.region("Philippines") if g.holds(ALLIES, h)]
    fed = [h for h in land if g.board.hexes[h].port and h in fed_hexes(g, ALLIES)]
    return 5 if not land else 3 if len(fed) == 1 else 0


def _south_pacific(g: State) -> Score:
    """The small scenario of the South Pacific."""
    mandates = (4423, 4222, 4021, 4020, 3820)
    japan = [h for h in mandates if g.holds(JAPAN, h)]
    guinea = [h for h in g.board.nations["new-guinea"]["bases"] if h in g.board.hexes and g.board.hexes[h].port]
    return [
        ("the China front", 5 if "china" in g.surrendered else g.china - 2),
        ("Townsville is cut off", 5 * (not townsville_line(g))),
        ("Political Will below 4", max(0, 4 - g.will)),
        ("ports of the Mandates", len(japan) + 3 * (len(japan) == 5) - 3 * (not japan)),
        ("ports of New Guinea", sum(g.holds(JAPAN, h) for h in guinea) - g.holds(ALLIES, 3219)),
        ("all of New Guinea", 3 * controls(g, JAPAN, "new-guinea") - 3 * controls(g, ALLIES, "new-guinea")),
        ("a port of the New Hebrides", int(any(g.holds(JAPAN, h) for h in HEBRIDES))),
        ("a port of Australia", int(any(g.board.hexes[h].port and g.holds(JAPAN, h) for h in g.board.region("Australia")))),
    ]


def _burma(g: State) -> Score:
    """The small scenario of Burma."""
    europe = (g.europe > 0) - (g.europe < 0)
    captured = any(g.holds(ALLIES, h) for h in g.board.japan_began)
    will = g.will - (not captured) + europe
    return [
        ("the China front", min(g.china, COLLAPSED) - 2 + 3 * ("china" in g.surrendered)),
        ("the Burma Road", -1 if burma_road_open(g) else 3),
        ("Political Will below 4", max(0, 4 - will)),
        ("War in Europe", -europe),
        *_northern_india(g)[:1],
        *_unrest(g),
        ("Rangoon", -2 if g.holds(ALLIES, 2008) else 2),
        ("rivalry of the services", (ALLIES in g.rivalry) - (JAPAN in g.rivalry)),
    ]
