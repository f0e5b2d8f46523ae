"""Where units come in: within reach of what is wanted, under a headquarters of use to them, not where the enemy takes them."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.activation import hqs
from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.bot.judgement import HELD, points, taken_easily, worth
from pbem.games.empire_of_the_sun.nations import commands
from pbem.games.empire_of_the_sun.state import FOE, JAPAN, State

WANTED = 12  # worth of hexes that units come in for
COMPANY = 8  # attack strength already there that counts one
STRIKING = 6  # hexes to such a one that are near enough
AROUND = 6  # hexes whose units count for the balance about a base
OPEN, MANNED = 24, 8  # what it costs a headquarters that the enemy may land: without troops beside it, with some
HOMES = {  # headquarters -> regions that are theirs to hold
    "hq-seac": ("India", "NIndia", "Ceylon", "Burma"),
    "hq-anzac": ("Australia", "Guinea"),
    "hq-south-west-pacific": ("Australia", "Guinea"),
    "hq-ghormley": ("Hebrides", "Oceania", "AMandates"),
    "hq-halsey": ("Hebrides", "Oceania", "AMandates"),
}
HOME = 24
WATCH, ENOUGH = 12, 9  # for troops where the enemy may take a dear hex that is held with less than that strength
BARE = 16  # what it costs others where no troops stand
LEADS, AIMS = 4, 6  # attack strength that counts one for a headquarters; aims that count for it
LED = 4  # for each unit more that a headquarters leads beyond the card


def coming_in(g: State, side: str, unit: str, place: int) -> int:
    """How good a base is for a unit that comes in."""
    if side == JAPAN:
        return _forward(g, unit, place)
    kind, garrison = g.counter(unit).kind, g.mine_at(side, place, "ground")
    landed_on = kind != "ground" and taken_easily(g, side, place)
    odds = _odds(g, side, unit, place)
    if kind == "hq":
        return _seat(g, side, unit, place) - odds - landed_on * (MANNED if garrison else OPEN)
    company, far = points(g, g.mine_at(side, place)) // COMPANY, _far(g, side, place)
    led = LED * _led(g, side, unit, place) + (_watch(g, side, place) if kind == "ground" else 0)
    return company + led - max(0, far - STRIKING) - odds - BARE * (landed_on and not garrison)


def _forward(g: State, unit: str, place: int) -> int:
    """Japan, which holds what it has taken: near what is wanted, fleets and headquarters together."""
    company = points(g, g.mine_at(JAPAN, place)) // COMPANY
    return company * (2 if g.counter(unit).kind == "hq" else 1) - _far(g, JAPAN, place)


def _far(g: State, side: str, place: int) -> int:
    """To the nearest hex that is wanted."""
    return min((distance(place, h) for h in _wanted(g, side)), default=0)


def _watch(g: State, side: str, place: int) -> int:
    """A dear hex that the enemy may take asks for troops."""
    dear = worth(g, FOE[side], place) >= HELD and taken_easily(g, side, place)
    return WATCH if dear and points(g, g.mine_at(side, place, "ground")) < ENOUGH else 0


def _wanted(g: State, side: str) -> Sequence[int]:
    """Hexes of the enemy that units come in for."""
    foes = (h for h, held in g.control.items() if held == FOE[side])
    return g.memo.cached(("wanted", side, g.turn), lambda: [h for h in foes if worth(g, side, h) >= WANTED])


def _led(g: State, side: str, unit: str, place: int) -> int:
    """By the best headquarters that reaches a base and commands the unit."""
    able = [g.counter(hq) for hq in hqs(g, side) if distance(g.pieces[hq].at, place) <= g.counter(hq).command]
    return max((hq.efficiency for hq in able if commands(g, hq, g.counter(unit))), default=0)


def _odds(g: State, side: str, unit: str, place: int) -> int:
    """By how much the enemy is the stronger about a base."""

    def near(of: str) -> int:
        return points(g, (u for u in g.on_map(of) if distance(g.pieces[u].at, place) <= AROUND))

    theirs, mine = g.memo.cached(("about", side, place), lambda: (near(FOE[side]), near(side)))
    return max(0, theirs - mine - g.attack(unit)) // 4


def _seat(g: State, side: str, hq: str, place: int) -> int:
    """Units that nobody else leads and a headquarters would from a base, hexes that it would lead them to, its own regions."""
    counter = g.counter(hq)
    near = [u for u in g.on_map(side) if distance(g.pieces[u].at, place) <= counter.command]
    leads = [u for u in near if commands(g, counter, g.counter(u)) and not _led(g, side, u, g.pieces[u].at)]
    aims = sum(distance(h, place) <= counter.command for h in _wanted(g, side))
    at_home = g.board.hexes[place].region in HOMES.get(hq, ())
    strength = points(g, (u for u in leads if g.counter(u).nation != "chinese"))
    return strength // LEADS + min(AIMS, aims) + HOME * at_home
