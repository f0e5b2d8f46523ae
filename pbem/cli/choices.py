"""What a question lets a player choose from, complete and by place: for drafts of order files. Knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.cli.speech import speak, text
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import ENDS, VERB, Form, Partial, Pick, form_of

MOST = 12  # names of a slot that belong to no place, such as ends, in a line


def choices(ask: Ask | Commit, places: Mapping[str, str]) -> list[str]:
    """A line for each verb and place: what can be picked there, prices, what is left to spend. `places`: names by id."""
    form = form_of(ask)
    first = form.step(Partial())
    verbs = [p.value for p in first.picks if p.slot == VERB and p.value not in ENDS]
    lines = [text(first.budget)] if first.budget else []
    told: dict[str, str] = {}
    for verb in verbs:
        for line in _of_verb(form, verb, places):
            same = told.setdefault(line, verb)
            lines += [f"{verb}: {line}"] if same == verb else []
    return list(dict.fromkeys(lines))


def _of_verb(form: Form, verb: str, places: Mapping[str, str]) -> Iterator[str]:
    """By place where the form asks for one, or where its units stand; else in one line."""
    partial = Partial(verb)
    step = form.step(partial)
    if step.budget:
        yield text(step.budget)
    open_picks = [p for p in step.picks if p.why_not is None]
    for place in (p for p in open_picks if p.slot == "at"):
        units = [p for p in form.step(partial.plus(place)).picks if p.slot == "unit" and p.why_not is None]
        if units:
            yield f"{_place(place.value, text(place.name), places)}: {', '.join(map(_named, units))}"
    standing: dict[str, list[Pick]] = {}
    for pick in (p for p in open_picks if p.slot == "unit"):
        standing.setdefault(pick.at, []).append(pick)
    for at, units in standing.items():
        where = f"{_place(at, at, places)}: " if at else ""
        yield where + ", ".join(map(_named, units))
    rest = [p for p in open_picks if p.slot not in ("at", "unit", VERB)]
    if rest:
        more = [speak("and {n} more", n=len(rest) - MOST)] if len(rest) > MOST else []
        yield ", ".join([*map(_named, rest[:MOST]), *more])


def _place(at: str, name: str, places: Mapping[str, str]) -> str:
    return places.get(at, name)


def _named(pick: Pick) -> str:
    """A pick with what one costs and how many there are, where its name does not count them."""
    name, facts = text(pick.name), [text(pick.cost)] if pick.cost else []
    if pick.most > 1 and (pick.cost or "n" not in pick.name.args):
        facts.append(speak("up to {n}", n=pick.most))
    return f"{name} ({', '.join(facts)})" if facts else name
