"""`done: purchase`: a `done` that names the phase which it ends. What is signed is `done` alone, as ever.

It is read while a file is written, behind no signature: `done` answers the question at which it stands, in every version of
the program, and who has named another phase than that gets no signature at all.
"""

from __future__ import annotations

import re

from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.orders import ambiguous, closest, did_you_mean, illegal, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import english, msg, verbatim

LEAST = 3  # letters by which a phase is known


def named_by(order: Plain) -> str:
    """The words behind a `done`; empty where there are none."""
    if isinstance(order, str):
        found = re.fullmatch(rf"{DONE}(?:\s*:\s*|\s+)(\S.*)", order.strip(), re.IGNORECASE)
        return found[1] if found else ""
    if isinstance(order, dict) and len(order) == 1:
        verb, body = next(iter(order.items()))
        return body.strip() if verb.strip().lower() == DONE and isinstance(body, str) else ""
    return ""


def plainly(order: Plain) -> Plain:
    """A `done` that names its phase as one that does not."""
    return DONE if named_by(order) else order


def phases_of(game: Module, words: str, *asked: str) -> list[str]:
    """The questions that words may mean: by their names, by what they are about, both perhaps cut short."""
    about = game.words().ASKED
    names = {kind: (_flat(kind), _flat(english(about[kind]) if kind in about else "")) for kind in (*about, *asked)}
    word = _flat(words)
    exact = [kind for kind, known in names.items() if word in known]
    short = [kind for kind, known in names.items() if len(word) >= LEAST and any(name.startswith(word) for name in known)]
    return exact or short


def _flat(words: str) -> str:
    return " ".join(re.split(r"[\s_-]+", words.strip().lower()))


def check(game: Module, words: str, asked: str) -> None:
    """Raises Rejected unless the words mean the question that is asked."""
    found = phases_of(game, words, asked)
    if found == [asked]:
        return
    if len(found) > 1:
        raise ambiguous(msg("{words}: several phases", words=verbatim(words)), [f"{DONE}: {kind}" for kind in found])
    about = game.words().ASKED.get(asked) or verbatim(asked)
    legal = verbatim(f"{DONE}: {asked}")
    if found:
        reason = msg("this is the phase {asked} ({about}), not {named}", asked=verbatim(asked), about=about, named=found[0])
        raise illegal(reason, "protocol", legal)
    near = did_you_mean(closest(words.lower(), [*game.words().ASKED]))
    raise unreadable(msg("no phase is called {words!r}; this is {asked}", words=words, asked=verbatim(asked)), near or legal)


def in_step(game: Module, step: Plain) -> Plain:
    """A step of a plan whose orders end their phase by name. Raises Rejected where they name another."""
    orders = step.get("do") if isinstance(step, dict) else None
    if not isinstance(step, dict) or not isinstance(orders, list):
        return step
    for words in filter(None, map(named_by, orders)):
        check(game, words, str(step.get("at")))
    return {**step, "do": [plainly(order) for order in orders]}
