"""[PW-FOG-01] Who meets a Force marker: what its owner states without showing it, and what he may show first."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.secret.forces import ashore_of, of_kind, roster, unveil_force
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import KINDS, hex_term
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.questions import yes_or_no
from pbem.kernel.wording import Message, msg, recorded_as

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
    words = msg("units behind the Force marker in {place}: {kind}", place=hex_term(g, place), kind=KINDS[kind])
    about = recorded_as(f"{place:04d}: {kind}", words)
    stated = yield Claim(side, "behind", about, rule, lambda reveal: bool(behind(g, side, place, kind, reveal)))
    return stated is True


def hexes_with(g: State, side: str, places: Sequence[int], kind: str, about: Message, rule: str) -> Flow[list[int]]:
    """In which of some hexes with Force markers units of a kind are hidden; without a marker nothing is asked."""
    marked = [h for h in places if has_force(g, side, h)]
    if not marked:
        return []

    def truth(reveal: Reveal) -> Plain:
        return [h for h in marked if behind(g, side, h, kind, reveal)]

    stated = yield Claim(side, "hexes", recorded_as(f"{about}: {kind}", about), rule, truth)
    return [h for h in marked if isinstance(stated, list | tuple) and h in stated]


def around(g: State, what: str, place: int) -> Message:
    """Hidden enemies around a hex that units leave: what the statement of where they are is about."""
    return recorded_as(f"{what} from {place:04d}", msg("hidden enemies around {place}", place=hex_term(g, place)))


def anywhere(what: str) -> Message:
    """The same for hexes that have nothing in common."""
    return recorded_as(what, msg("hexes with hidden enemies"))


def room_for(g: State, unit: str, place: int) -> Message:
    """[PW-MOV-05] Room beside hidden friends: what the statement is about."""
    words = msg("there is room in {place} for {unit}", place=hex_term(g, place), unit=unit)
    return recorded_as(f"{place:04d} {unit}", words)


def offer_part(g: State, side: str, place: int, kind: str, rule: str, prompt: Message) -> Flow[None]:
    """The owner of a Force may show its units of one kind, because they could act now."""
    if not has_force(g, side, place) or (kind == AIR and not _base(g, side, place)):
        return
    yes = yield from yes_or_no(side, "show_force", rule, prompt, default="no", reaction=True)
    if yes:
        yield from unveil_force(g, side, place, rule, kind=kind)


def _base(g: State, side: str, place: int) -> bool:
    """Aircraft can be there: on an airfield, or aboard a ship."""
    return g.airfield(side, place) is not None or g.board.sea(place)
