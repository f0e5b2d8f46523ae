"""What a player may order now, in lists; and what he typed, completed from them. Knows no game."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.forms import means_the_same, verbs_of, written
from pbem.kernel.notation import order_text
from pbem.kernel.orders import closest
from pbem.kernel.wording import AS_IT_STANDS, Message
from pbem.runtime.asked import proposals, question_of
from pbem.runtime.entries import entry_of, read_entry
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table

SHOWN = 12
NEAR = 0.75  # how much of a misspelt word has to be right
_ID = re.compile(r"\b[a-z0-9]+(?:-[a-z0-9]+)+\b|\b[a-z][a-z0-9]*\b")
_WORD = re.compile(r"[A-Za-z][\w'-]*")


class Asked(Struct, frozen=True):
    """A question to a player with the legal orders that the rules list."""

    seat: str
    kind: str
    rule: str
    prompt: Message
    options: tuple[Plain, ...]
    verbs: tuple[str, ...]
    sealed: bool = False
    reads: Callable[[Plain], object] | None = None
    scope: str = ""
    name_of: Callable[[str], Message | None] | None = None

    def order(self, answer: Plain) -> Plain:
        """An answer as it stands in a file; a secret one is sealed on the way."""
        return {"seal": answer, "seat": self.seat} if self.sealed else answer

    def in_file(self, answer: Plain) -> str:
        """An answer as an entry of an order file: as a player would write it where that means the same, else as plain data."""
        if self.reads is None:
            return entry_of(answer)
        short = written(answer, self.reads)
        named = with_names(short, self.name_of) if self.name_of else short
        return entry_of(named if named != short and means_the_same(self.reads, named, short) else short)

    def matching(self, words: Sequence[str]) -> list[Plain]:
        """The legal orders that hold all these words, or parts of them."""
        return [o for o in self.options if all(w.lower() in order_text(o).lower() for w in words)]

    def by_verb(self) -> dict[str, int]:
        """How many legal orders begin with each verb; verbs whose orders cannot be listed count 0."""
        counts: dict[str, int] = {}
        for option in self.options:
            verb = order_text(option).partition(":")[0]
            counts[verb] = counts.get(verb, 0) + 1
        return {**counts, **{v: 0 for v in self.verbs if v not in counts}}

    def vocabulary(self) -> list[str]:
        """Every word of the legal orders."""
        words = {w.lower() for o in self.options for w in _WORD.findall(order_text(o))}
        return sorted(words | {w.lower() for v in self.verbs for w in _WORD.findall(v)})


def with_names(order: Plain, name_of: Callable[[str], Message | None]) -> Plain:
    """An order with the printed names of units instead of their ids. `name_of`: what a word names, if it names something."""

    def name(found: re.Match[str]) -> str:
        told = name_of(found[0])
        return str(told) if told is not None and told.id == AS_IT_STANDS else found[0]

    if isinstance(order, dict):
        return {_ID.sub(name, key): with_names(value, name_of) for key, value in order.items()}
    if isinstance(order, list):
        return [with_names(value, name_of) for value in order]
    return _ID.sub(name, order) if isinstance(order, str) else order


def asked_of(table: Table, player: str, knowledge: Knowledge | None = None) -> Asked | None:
    """What a table asks of this player now; None while it waits for dice or somebody else. `knowledge`: his own."""
    ask = question_of(table, player)
    if ask is None:
        return None
    verbs, sealed = verbs_of(ask), table.due.what == "seal"
    options = tuple(proposals(table, ask, knowledge))
    words, state = table.game.words(), table.engine.state
    return Asked(
        ask.seat,
        ask.kind,
        ask.rule,
        ask.prompt,
        options,
        verbs,
        sealed,
        ask.read,
        ask.scope,
        lambda word: words.named(state, word),
    )


def read_line(line: str) -> Plain:
    """One order as it would stand in an order file. Raises ProtocolError."""
    return read_entry(f"- {line}")


def completed(line: str, vocabulary: Sequence[str]) -> str:
    """The line with every word written out that is the beginning of exactly one known word."""

    def whole(found: re.Match[str]) -> str:
        word = found[0].lower()
        candidates = candidates_for(word, vocabulary)
        return candidates[0] if word not in vocabulary and len(candidates) == 1 else found[0]

    return _WORD.sub(whole, line)


def candidates_for(word: str, vocabulary: Sequence[str]) -> list[str]:
    """Known words that begin so."""
    return [known for known in vocabulary if known.startswith(word.lower())]


def corrected(line: str, vocabulary: Sequence[str]) -> str:
    """The line with every misspelt word as the known one that is spelt most like it."""

    def meant(found: re.Match[str]) -> str:
        near = [] if candidates_for(found[0], vocabulary) else closest(found[0].lower(), vocabulary, NEAR)
        return near[0] if near else found[0]

    return _WORD.sub(meant, line)


def open_words(line: str, vocabulary: Sequence[str]) -> list[str]:
    """For each word that may become several known words: which."""
    found = []
    for word in _WORD.findall(line):
        candidates = candidates_for(word, vocabulary)
        if word.lower() not in vocabulary and 1 < len(candidates) <= SHOWN:
            found.append(f"{word}: {', '.join(candidates)}")
    return found
