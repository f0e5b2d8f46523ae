"""What is told about a battle before it is fought, in the same form for every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from pbem.kernel.canon import Plain
from pbem.kernel.wording import Argument, Message, english, msg
from pbem.odds.decimals import hundredths, percent

LISTED = 5  # survivors that are named; the rest is summed up
NAMES = (  # of outcomes, events, means and sides, as games name them
    msg("win"),
    msg("loss"),
    msg("draw"),
    msg("retreat"),
    msg("the land is taken"),
    msg("the attacker"),
    msg("the defender"),
    msg("attacker loses"),
    msg("defender loses"),
    msg("swing to the attacker"),
    msg("attacker must retreat"),
    msg("defender must retreat"),
    msg("no retreat"),
    msg("no hit"),
    msg("hit"),
    msg("crippled"),
    msg("sunk"),
    msg("hits"),
    msg("steps"),
    msg("nothing"),
    msg("the air-naval round is won"),
    msg("critical hit"),
    msg("attacker scores more"),
    msg("defender scores more"),
    msg("equal hits"),
)
_KNOWN = {english(name) for name in NAMES}


class Forecast(Struct, frozen=True):
    """Probabilities of one battle. `outcomes` add up to one; `events` are further chances that may overlap them.

    `survivors`: side -> what is left of it -> probability, the likeliest first. `means`: expected values, `unit` says of
    what. `losses`: side -> how many of that unit are lost -> probability. `error`: 0.0 when exact, else the largest
    standard error of a probability.
    """

    title: Message
    outcomes: Mapping[str, float]
    events: Mapping[str, float] = field(default_factory=dict)
    survivors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    means: Mapping[str, float] = field(default_factory=dict)
    unit: str = ""
    error: float = 0.0
    notes: Sequence[Message] = ()
    losses: Mapping[str, Mapping[int, float]] = field(default_factory=dict)


class Imagined(Struct, frozen=True):
    """A battle in words. Orders of loss and the condition of retreat as in standing orders; empty: the usual ones.

    `place`: land, sea or amphibious.
    """

    attack: str
    defence: str
    place: str = "land"
    losses: str = ""
    defence_losses: str = ""
    retreat: str = ""


def in_words(told: Forecast, speak: Callable[[Argument], str] = english, things: Callable[[str], Argument] = Message) -> str:
    """Title, chances, means, survivors, notes; one line each. `speak`: the reader's language; `things`: units in it."""
    exact = msg("exact")
    if told.error:
        exact = msg("sampled, standard error at most {points} points", points=f"{told.error * 100:.2g}")
    lines = [speak(told.title), f"  {_listed(told.outcomes, speak)}  ({speak(exact)})"]
    lines += [f"  {_listed(told.events, speak)}"] if told.events else []
    means = (
        ", ".join(f"{speak(Message(n))} {speak(hundredths(v))}" for n, v in told.means.items())
        + f" {speak(Message(told.unit))}".rstrip()
    )
    lines += ["  " + speak(msg("on average {values}", values=means))]
    for side, left in told.survivors.items():
        named = {text: p for text, p in [*left.items()][:LISTED] if p >= 0.0005}
        others = 1.0 - sum(named.values())
        each = [f"{speak(Message(text) if text in _KNOWN else things(text))} {speak(percent(p))}" for text, p in named.items()]
        each += [speak(msg("other {percent}", percent=percent(others)))] if others >= 0.0005 else []
        lines.append("  " + speak(msg("left of {side}: {things}", side=Message(side), things="; ".join(each))))
    for side, lost in told.losses.items():
        each = [f"{number} {speak(percent(p))}" for number, p in lost.items()]
        row = msg("lost {unit}, {side}: {things}", unit=Message(told.unit), side=Message(side), things="; ".join(each))
        lines.append("  " + speak(row))
    return "\n".join([*lines, *("  " + speak(msg("note: {note}", note=note)) for note in told.notes)])


def _listed(chances: Mapping[str, float], speak: Callable[[Argument], str]) -> str:
    return "  ".join(f"{speak(Message(name))} {speak(percent(p))}" for name, p in chances.items())


def to_plain(told: Forecast) -> dict[str, Plain]:
    """For programs: everything, probabilities as numbers."""
    numbers: dict[str, object] = {
        "title": english(told.title),
        "outcomes": dict(told.outcomes),
        "events": dict(told.events),
        "survivors": {side: dict(left) for side, left in told.survivors.items()},
        "losses": {side: {str(number): p for number, p in lost.items()} for side, lost in told.losses.items()},
        "means": dict(told.means),
        "unit": told.unit,
        "exact": not told.error,
        "standard_error": told.error,
        "notes": [english(note) for note in told.notes],
    }
    return numbers  # type: ignore[return-value] # floats: this is told, never signed
