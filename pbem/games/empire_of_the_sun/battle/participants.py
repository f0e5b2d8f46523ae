"""[9.1] Who takes part in a battle."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.state import FOE, LANDINGS, State, offensive


def defender(g: State) -> str:
    """The reacting side."""
    return FOE[offensive(g).side]


def firing_units(g: State, side: str, place: int) -> list[str]:
    """[9.11] [9.12] Air and naval units of a side that add strength in a battle hex."""
    o = offensive(g)
    mine = o.units if side == o.side else o.reactors
    here = g.mine_at(side, place, "air", "naval")
    if side == o.side:
        here = [u for u in here if u in mine and mine[u].mode != "strategic" and mine[u].battle in (0, place)]
    else:
        here = [u for u in here if u not in mine or mine[u].battle in (0, place)]
    away = [u for u, a in mine.items() if a.battle == place and g.pieces[u].box == "map" and g.pieces[u].at != place]
    return [*here, *(u for u in away if g.counter(u).flies)]


def escorts(g: State, side: str, place: int) -> list[str]:
    """[9.12] Other ships in a hex outside the battle with carriers that fight: they can be hit, and add nothing."""
    o = offensive(g)
    mine = o.units if side == o.side else o.reactors
    homes = {g.pieces[u].at for u in firing_units(g, side, place) if g.counter(u).carrier and g.pieces[u].at != place}
    return [
        u
        for h in sorted(homes)
        for u in g.mine_at(side, h, "naval")
        if u in mine and not g.counter(u).carrier and not mine[u].battle
    ]


def ground_units(g: State, side: str, place: int) -> list[str]:
    """[9.13] Ground units of a side in a battle hex, those turned back excepted."""
    o = offensive(g)
    here = g.mine_at(side, place, "ground")
    if side == o.side:
        return [u for u in here if u in o.units and not o.units[u].beaten and not o.units[u].out]
    return here


def landed(g: State, unit: str) -> bool:
    """The unit came into its present hex by amphibious assault."""
    o = offensive(g)
    entry = o.units.get(unit) or o.reactors.get(unit)
    return entry is not None and entry.mode in LANDINGS
