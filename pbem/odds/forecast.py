"""What is told about a battle before it is fought, in the same form for every game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.kernel.canon import Plain

LISTED = 5  # survivors that are named; the rest is summed up


@dataclass(frozen=True, slots=True)
class Forecast:
    """Probabilities of one battle. `outcomes` add up to one; `events` are further chances that may overlap them.

    `survivors`: side -> what is left of it -> probability, the likeliest first. `means`: expected values, `unit` says of
    what. `error`: 0.0 when exact, else the largest standard error of a probability.
    """

    title: str
    outcomes: Mapping[str, float]
    events: Mapping[str, float] = field(default_factory=dict)
    survivors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    means: Mapping[str, float] = field(default_factory=dict)
    unit: str = ""
    error: float = 0.0
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Imagined:
    """A battle in words. Orders of loss and the condition of retreat as in standing orders; empty: the usual ones.

    `place`: land, sea or amphibious.
    """

    attack: str
    defence: str
    place: str = "land"
    losses: str = ""
    defence_losses: str = ""
    retreat: str = ""


def in_words(told: Forecast) -> str:
    """Title, chances, means, survivors, notes; one line each."""
    exact = "exact" if not told.error else f"sampled, standard error at most {told.error * 100:.2g} points"
    lines = [told.title, f"  {_listed(told.outcomes)}  ({exact})"]
    lines += [f"  {_listed(told.events)}"] if told.events else []
    lines += ["  on the mean " + ", ".join(f"{n} {v:.2f}" for n, v in told.means.items()) + f" {told.unit}".rstrip()]
    for side, left in told.survivors.items():
        named = {text: p for text, p in [*left.items()][:LISTED] if p >= 0.0005}
        others = 1.0 - sum(named.values())
        more = f"; other {_percent(others)}" if others >= 0.0005 else ""
        lines.append(f"  left of {side}: " + "; ".join(f"{text} {_percent(p)}" for text, p in named.items()) + more)
    return "\n".join([*lines, *(f"  note: {note}" for note in told.notes)])


def _listed(chances: Mapping[str, float]) -> str:
    return "  ".join(f"{name} {_percent(p)}" for name, p in chances.items())


def _percent(chance: float) -> str:
    return f"{chance * 100:.1f}%"


def to_plain(told: Forecast) -> dict[str, Plain]:
    """For programs: everything, probabilities as numbers."""
    numbers: dict[str, object] = {
        "title": told.title,
        "outcomes": dict(told.outcomes),
        "events": dict(told.events),
        "survivors": {side: dict(left) for side, left in told.survivors.items()},
        "means": dict(told.means),
        "unit": told.unit,
        "exact": not told.error,
        "standard_error": told.error,
        "notes": [*told.notes],
    }
    return numbers  # type: ignore[return-value] # floats: this is told, never signed
