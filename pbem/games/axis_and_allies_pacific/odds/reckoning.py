"""The odds of a battle as they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.odds.clash import Clash, Moment
from pbem.games.axis_and_allies_pacific.odds.fight import COURSES, LIMIT, Fight
from pbem.games.axis_and_allies_pacific.odds.force import Force
from pbem.games.axis_and_allies_pacific.odds.standing import Plans
from pbem.games.axis_and_allies_pacific.state import LAND
from pbem.kernel.wording import Message
from pbem.odds.chances import Chances


class Odds(Struct, frozen=True):
    """Probabilities of how a battle ends, and means in IPC. They add up: win + loss + draw + retreat = 1.

    `win`: only attackers are left; `loss`: only defenders; `draw`: nobody, or both because neither can hit; `taken`: a
    land unit holds the land. Survivors are texts with their probabilities, the likeliest first; `lost` is the mean cost
    of what a side loses, `swing` the defender's less the attacker's. `error`: 0 when exact, else the largest standard
    error of a probability.
    """

    win: float
    loss: float
    draw: float
    retreat: float
    taken: float
    attackers: Mapping[str, float]
    defenders: Mapping[str, float]
    attack_lost: float
    defence_lost: float
    error: float
    notes: Sequence[Message]

    @property
    def swing(self) -> float:
        """What the attacker gains on the mean, in IPC."""
        return self.defence_lost - self.attack_lost


def odds_of(clash: Clash, plans: Plans, limit: int = LIMIT, courses: int = COURSES) -> Odds:
    """The exact odds; when there are more than `limit` transitions, sampled ones from so many courses with their error."""
    fight = Fight(clash, plans)
    ends, error = fight.ends(limit, courses)
    return _summary(fight, ends, error)


def _summary(fight: Fight, ends: Chances[Moment], error: float) -> Odds:
    attack, defence = fight.attack, fight.defence
    kinds = {"win": 0.0, "loss": 0.0, "draw": 0.0, "retreat": 0.0}
    taken = 0.0
    left: tuple[dict[int, float], dict[int, float]] = ({}, {})
    for moment, p in ends.items():
        mine, theirs = attack.inside(moment.attack), defence.inside(moment.defence)
        kind = "win" if mine and not theirs else "loss" if theirs and not mine else "draw"
        kinds["retreat" if moment.left else kind] += p
        if kind == "win" and not fight.clash.at_sea and any(u.type in LAND for u in attack.fighting(mine)):
            taken += p
        for state, found in ((moment.attack, left[0]), (moment.defence, left[1])):
            found[state] = found.get(state, 0.0) + p
    lost_a, lost_d = (
        sum(p * (f.value(f.whole) - f.value(s)) for s, p in found.items())
        for f, found in zip((attack, defence), left, strict=True)
    )
    ranked = [_ranked(force, found) for force, found in zip((attack, defence), left, strict=True)]
    return Odds(
        **kinds, taken=taken, attackers=ranked[0], defenders=ranked[1], attack_lost=lost_a, defence_lost=lost_d,
        error=error, notes=tuple(fight.clash.notes),
    )  # fmt: skip


def _ranked(force: Force, left: Mapping[int, float]) -> dict[str, float]:
    """What is left in words, the likeliest first."""
    found: dict[str, float] = {}
    for state, p in left.items():
        text = force.spell(state)
        found[text] = found.get(text, 0.0) + p
    return dict(sorted(found.items(), key=lambda item: -item[1]))
