"""[7.27] Special reaction against landings, and who joins the battles that it makes."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.activation import reacting_hqs
from pbem.games.empire_of_the_sun.events.offensives import BattleDeclared, Committed, ConditionSet, IntelligenceRolled
from pbem.games.empire_of_the_sun.labels import places
from pbem.games.empire_of_the_sun.operations.battle_hexes import in_range
from pbem.games.empire_of_the_sun.orders import read_place, split_order
from pbem.games.empire_of_the_sun.phase_forms import specials
from pbem.games.empire_of_the_sun.reaction.intelligence import needed, printed_surprise, rolled
from pbem.games.empire_of_the_sun.state import LANDINGS, State, offensive
from pbem.games.empire_of_the_sun.supply import in_zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, possible
from pbem.kernel.questions import NONE, choose_unit
from pbem.kernel.wording import msg

SPECIAL = "special reaction at {place}, {value} or less with {modifier}"  # a die label


def special_hexes(g: State, side: str) -> list[int]:
    """[7.27] Empty bases of the reacting side into which a landing came, in its zone and in command of an HQ that may react.

    [13.63] Second edition: none in Mainland India once India has surrendered.
    """
    o = offensive(g)
    found = []
    for place in sorted({g.pieces[u].at for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].box == "map"}):
        here = g.board.hexes[place]
        based = here.named if g.second else here.base
        mainland = g.second and here.region == "India" and "india" in g.surrendered
        if not based or place in o.battles or not g.holds(side, place) or not in_zone(g, side, place) or mainland:
            continue
        if not g.mine_at(side, place) and reacting_hqs(g, side, [place]) and (g.second or _escorted(g, place)):
            found.append(place)
    return found


def _escorted(g: State, place: int) -> bool:
    """[7.27, AMB-06] First edition: not against ground units alone."""
    return any(g.counter(u).kind != "ground" and (g.pieces[u].at == place or a.cover) for u, a in offensive(g).units.items())


def special_reaction(g: State, side: str) -> Flow[bool]:
    """[7.27] A roll for each landing against which the reacting side wants one; whether any succeeded."""
    eligible_hexes = special_hexes(g, side)
    if not eligible_hexes:
        return False
    wanted = yield _ask_special(g, side, eligible_hexes)
    success = False
    for place in wanted:
        found = yield from rolled(g, side, SPECIAL, needed(g, special=True), "7.27", place)
        if found:
            success = True
            emit(g, BattleDeclared(place, True, "7.27"))
        if not g.second:
            emit(g, IntelligenceRolled("7.27"))
            if found and not printed_surprise(g):
                emit(g, ConditionSet("intercept"))
            break  # [AMB-07] one roll in an offensive
    return success


def _ask_special(g: State, side: str, hexes: list[int]) -> Ask:
    def read(plain: Plain) -> list[int]:
        _, body = split_order(plain, ("special",))
        if body in (None, "all"):
            return hexes
        if body == NONE:
            return []
        names = body if isinstance(body, list) else [p for p in str(body).split(",") if p.strip()]
        chosen = [read_place(g, n) for n in names]
        for place in chosen:
            if place not in hexes or chosen.count(place) > 1:
                raise illegal(
                    msg("no special reaction in {place}", place=g.board.name(place)), "7.27", possible(places(g, hexes))
                )
        return chosen

    return Ask(
        side,
        "special",
        "7.27",
        msg("special reaction: the landings against which you react"),
        read,
        ("special",),
        default={"special": "all"},
        options=lambda: [{"special": "all"}, {"special": NONE}],
        policy=lambda word: {"special": word},
        form=lambda: specials(g, hexes, read),
    )


# -- who joins -----------------------------------------------------------------------------------------------------


def additions(g: State) -> Flow[None]:
    """[7.27] Battle hexes of the reaction's making: the covering units fight there; first edition: so may others in range."""
    o = offensive(g)
    for place in o.special:
        for unit in [u for u, a in o.units.items() if a.cover == place and not a.battle]:
            emit(g, Committed(unit, place, False, "7.27"))
        while not g.second:
            prompt = msg("who joins the battle in {place}", place=g.board.name(place))
            unit = yield from choose_unit(g.board.unit_index, o.side, "join", "7.27", prompt, _free(g, place), none=True)
            if not unit:
                break
            emit(g, Committed(unit, place, False, "7.27"))


def _free(g: State, place: int) -> list[str]:
    """Air units and carriers of the active side without a battle that can fight in the hex from where they are."""
    idle = [u for u, a in offensive(g).units.items() if g.counter(u).flies and not a.battle]
    return [u for u in idle if not g.battle_hex(g.pieces[u].at) and in_range(g, u, place)]


def draw_escorts(g: State) -> None:
    """[7.27] Second edition: a reaction into the hex of a special reaction draws carriers and wings there into it."""
    o = offensive(g)
    met = {g.pieces[u].at for u in o.reactors} | {a.battle for a in o.reactors.values()}
    for place in (h for h in o.special if g.second and h in met):
        for unit, entry in o.units.items():
            if g.counter(unit).flies and g.pieces[unit].at == place and entry.battle not in (0, place):
                emit(g, Committed(unit, place, False, "7.27"))
