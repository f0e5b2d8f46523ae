"""What a player may order now, in lists; and what he typed, completed from them. Knows no game."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Reveal, Simultaneous
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import accepted
from pbem.kernel.wording import Text
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError
from pbem.report.quoting import order_text
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table

SHOWN = 12
_WORD = re.compile(r"[A-Za-z][\w'-]*")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a player with the legal orders that the rules list."""

    seat: str
    kind: str
    rule: str
    prompt: Text
    options: tuple[Plain, ...]
    verbs: tuple[str, ...]
    sealed: bool = False
    reads: Callable[[Plain], object] | None = None
    scope: str = ""

    def order(self, answer: Plain) -> Plain:
        """An answer as it stands in a file; a secret one is sealed on the way."""
        return {"seal": answer, "seat": self.seat} if self.sealed else answer

    def in_file(self, answer: Plain) -> str:
        """An answer as an entry of an order file: as a player would write it where that means the same, else as plain data."""
        line = order_text(answer)
        try:
            written = read_line(line)
            if written == answer or (self.reads and self.reads(written) == self.reads(answer)):
                return f"- {line}"
        except (Rejected, ProtocolError):
            pass
        if isinstance(answer, dict) and answer:
            return "- " + strict_yaml.write_document(answer).strip().replace("\n", "\n  ")
        return strict_yaml.write_document([answer]).strip()

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


def asked_of(table: Table, player: str, knowledge: Knowledge | None = None) -> Asked | None:
    """What a table asks of this player now; None while it waits for dice or somebody else. `knowledge`: his own."""
    request = table.engine.request
    asks = request.asks if isinstance(request, Simultaneous) else (request,)
    if table.due.player != player or table.due.what not in ("orders", "seal"):
        return None
    for ask in asks:
        if isinstance(ask, Ask | Commit) and table.player_of(ask.seat) == player and table.due.seat in ("", ask.seat):
            verbs = ask.verbs if isinstance(ask, Ask) else ()
            reads = ask.read
            cards, reveal = (knowledge.hand(ask.seat), knowledge.reveal) if knowledge is not None else ({}, None)
            options = [*table.game.proposals(table.engine.state, ask, cards, reveal)]
            if isinstance(ask, Commit) and reveal is not None:
                options += [o for o in _own_options(table, ask, reveal) if o not in options]
            return Asked(
                ask.seat,
                ask.kind,
                ask.rule,
                ask.prompt,
                tuple(options),
                verbs,
                table.due.what == "seal",
                reads,
                ask.scope,
            )
    return None


def _own_options(table: Table, ask: Commit, reveal: Reveal) -> list[Plain]:
    """What a game proposes for a sealed order to its owner, who knows what is hidden; the legal ones."""
    ideas = table.game.sealed_options(table.engine.state, ask, reveal)
    return list(accepted(lambda order: ask.check(order, reveal), ideas))


def read_line(line: str) -> Plain:
    """One order as it would stand in an order file. Raises ProtocolError."""
    document, _ = strict_yaml.read_document(f"orders:\n  - {line}\n")
    orders = document["orders"]
    assert isinstance(orders, list)
    return orders[0]


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


def open_words(line: str, vocabulary: Sequence[str]) -> list[str]:
    """For each word that may become several known words: which."""
    found = []
    for word in _WORD.findall(line):
        candidates = candidates_for(word, vocabulary)
        if word.lower() not in vocabulary and 1 < len(candidates) <= SHOWN:
            found.append(f"{word}: {', '.join(candidates)}")
    return found
