"""An order typed word by word: what the form of its question offers next. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.forms import VERB, Chosen, Form, Partial, Pick, Step

PLACES = ("from", "to", "in")  # words before a place


def next_words(form: Form, head: str) -> list[str]:
    """What may come behind these whole words: verbs, units, the words before places, places."""
    verb, colon, body = head.partition(":")
    if not colon:
        return [_opened(form, p.value) for p in form.step(Partial()).picks if p.slot == VERB]
    words = body.replace(",", " ").split()
    at = [i for i, word in enumerate(words) if word in PLACES]
    units = _units(form, verb, words[: at[0]] if at else words)
    if not at:
        return _behind_units(form, verb, units)
    origin = words[at[0] + 1] if words[at[0]] == "from" and len(words) > at[0] + 1 else ""
    if words[-1] not in PLACES:
        return ["to", "in"] if origin and len(at) == 1 else []
    if words[-1] == "from":
        return [p.value for p in _places(form, verb) if _has(form, verb, p, units)]
    chosen = (*([Chosen("at", origin)] if origin else []), *units)
    return [p.value for p in form.step(Partial(verb, chosen)).picks if p.slot == "to"]


def _opened(form: Form, verb: str) -> str:
    return f"{verb}:" if form.step(Partial(verb)).picks else verb


def _places(form: Form, verb: str) -> list[Pick]:
    return [p for p in form.step(Partial(verb)).picks if p.slot == "at"]


def _free(step: Step) -> list[str]:
    return [p.value for p in step.picks if p.slot == "unit" and p.why_not is None]


def _has(form: Form, verb: str, place: Pick, units: Sequence[Chosen]) -> bool:
    """All these units stand at a place."""
    there = _free(form.step(Partial(verb).plus(place)))
    return all(one.value in there for one in units)


def _known(form: Form, verb: str) -> list[str]:
    """Units that orders of a verb can name, here or anywhere."""
    here = _free(form.step(Partial(verb)))
    away = [u for p in _places(form, verb) for u in _free(form.step(Partial(verb).plus(p)))]
    return list(dict.fromkeys([*here, *away]))


def _units(form: Form, verb: str, words: Sequence[str]) -> list[Chosen]:
    """`3 infantry 1 loaded transport` as picks; words that name nothing are passed over."""
    known, found, count, name = _known(form, verb), list[Chosen](), 1, ""
    for word in words:
        if word.isdecimal():
            count, name = int(word), ""
            continue
        name = f"{name} {word}".strip()
        if name in known:
            found.append(Chosen("unit", name, count))
            count, name = 1, ""
    return found


def _behind_units(form: Form, verb: str, units: Sequence[Chosen]) -> list[str]:
    """More units, and the word before the place that comes next."""
    from_somewhere = ["from"] if units and _places(form, verb) else []
    into = any(p.slot == "to" for p in form.step(Partial(verb, tuple(units))).picks) if units else False
    return [*_known(form, verb), *from_somewhere, *(["in"] if into else [])]
