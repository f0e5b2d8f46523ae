"""[PW-FOG-01] Who meets a Force marker: what its owner states without showing it, and what he may show first."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.secret.forces import ashore_of, of_kind, roster, unveil_force
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.questions import yes_or_no
from pbem.kernel.wording import Text

AIR, GROUND, NAVAL = "air", "ground", "naval"


def has_force(g: State, side: str, place: int) -> bool:
    """A Force marker of a side stands in a hex."""
    return place in g.forces.get(side, ())


def behind(g: State, side: str, place: int, kind: str, reveal: Reveal) -> list[str]:
    """The units of one kind that the Force marker of a hex stands for, for their owner and the audit."""
    units = roster(g, side, reveal)
    return of_kind(g, units, ashore_of(units, place), kind)


def stated_behind(g: State, side: str, place: int, kind: str, rule: str) -> Flow[bool]:
    """Whether units of a kind stand behind the Force marker of a hex: their owner says yes or no, and shows nothing."""
    if not has_force(g, side, place):
        return False
    about = f"{place:04d}: {kind}"
    stated = yield Claim(side, "behind", about, rule, lambda reveal: bool(behind(g, side, place, kind, reveal)))
    return stated is True


def hexes_with(g: State, side: str, places: Sequence[int], kind: str, about: str, rule: str) -> Flow[list[int]]:
    """In which of some hexes with Force markers units of a kind are hidden; without a marker nothing is asked."""
    marked = [h for h in places if has_force(g, side, h)]
    if not marked:
        return []

    def truth(reveal: Reveal) -> Plain:
        return [h for h in marked if behind(g, side, h, kind, reveal)]

    stated = yield Claim(side, "hexes", f"{about}: {kind}", rule, truth)
    return [h for h in marked if isinstance(stated, list | tuple) and h in stated]


def offer_part(g: State, side: str, place: int, kind: str, rule: str, prompt: Text) -> Flow[None]:
    """The owner of a Force may show its units of one kind, because they could act now."""
    if not has_force(g, side, place) or (kind == AIR and not _base(g, side, place)):
        return
    yes = yield from yes_or_no(side, "show_force", rule, prompt, default="no", reaction=True)
    if yes:
        yield from unveil_force(g, side, place, rule, kind=kind)


def _base(g: State, side: str, place: int) -> bool:
    """Aircraft can be there: on an airfield, or aboard a ship."""
    return g.airfield(side, place) is not None or g.board.sea(place)
