"""Forks and heals among players in memory: branches of one log, drafts of a heal, and the log as a heal leaves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.protocol import chain, heal
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.composing import Draft, Secrets
from pbem.runtime.table import Table
from pbem.runtime.taking import chain_in_use, take_in_place
from tests.toygame.party import NONCE, Person, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_seats import seat

Document = dict[str, Any]
SEATS: Mapping[str, list[str]] = {"yamada": ["blue"], "nowak": ["red"], "dubois": ["rust"]}


class Healer(Person):
    """A player who follows his chain wherever the log has left it."""

    def secrets(self) -> Secrets:
        def link(_: int) -> str:
            return self.link(chain_in_use(self.table, self.name).left)

        return replace(super().secrets(), link=link)

    def link(self, left: int) -> str:
        """The link behind which all but so many have been shown, itself counted."""
        return chain.link(NONCE, self.chain_of(self.lives[-1]), self.length, self.length - left + 1)

    def ahead(self, steps: int) -> str:
        """The link so many places behind the newest one that his log shows."""
        standing = chain_in_use(self.table, self.name)
        return self.link(standing.left + standing.skip - steps + 1)


def healers(role: str = "", **charter: Any) -> list[Healer]:
    """Two sides, three players; with a role an umpire too."""
    umpire = {"smith": list[str]()} if role else {}
    party = [Healer(name, seats) for name, seats in {**SEATS, **umpire}.items()]
    found_game(GAME, [*party], {}, role=role or "witness", **charter)
    return party


def named(party: Sequence[Healer], name: str) -> Healer:
    return next(p for p in party if p.name == name)


def branch(party: Sequence[Healer], *drafts: Draft | Callable[[Sequence[Healer]], Any]) -> list[Document]:
    """The files that these drafts, or other acts, add to the log; then everybody is where he was before."""
    before = [(p.table, [*p.log], dict(p.sealed)) for p in party]
    for draft in drafts:
        send([*party], draft) if isinstance(draft, Draft) else draft(party)
    files = party[0].log[len(before[0][1]) :]
    for person, (table, log, sealed) in zip(party, before, strict=True):
        person.table, person.log = table, log
        person.sealed = {**person.sealed, **sealed}
    return files


def forged(by: Healer, prev: Document, steps: int = 1, **more: Any) -> Document:
    """A file that he signs behind another one, whatever the game asks, with the link `steps` behind his newest one."""
    head = {"pbem": 2, "type": "turn", "game": prev.get("game") or document_id(prev), "seq": prev["seq"] + 1}
    body = {"prev": document_id(prev), "player": by.name, "link": by.ahead(steps), "state": "00" * 32, **more}
    return by.sign({**head, **body})


def seat_by(party: Sequence[Healer], name: str, start: int) -> Document:
    """Nowak's seat gets a new key by this player's file; `start`: so many files behind it the key holds."""
    nowak, by, smith = named(party, "nowak"), named(party, name), [p for p in party if not p.seats]
    escrow = {"escrow": nowak.escrow("second", smith[0].escrow_public)} if smith else {}
    draft = seat(nowak, party[0].table.last + start, **escrow)

    def send_it(people: Sequence[Healer]) -> None:
        document = by.sign(by.write(draft).document)
        for person in people:
            person.receive(write_document(document))

    return branch(party, send_it)[0]


def drafted(party: Sequence[Healer], versions: Sequence[Sequence[Document]], keep: int | None, **changes: Any) -> Document:
    """A heal that keeps one of these versions, or (None) goes back to the parting; as changed, and signed by nobody."""
    first = versions[0][0]
    last = versions[keep][-1] if keep is not None else None
    place = {"prev": document_id(last), "to": last["seq"]} if last else {"prev": first["prev"], "to": first["seq"] - 1}
    newest = max(version[-1]["seq"] for version in versions)
    head = {"pbem": 2, "type": "heal", "game": first["game"], "seq": newest + 1, **place}
    forked = {"player": first["player"], "seq": first["seq"]}
    chosen_by = "all" if keep is None else "axis"
    return {**head, "versions": [[*v] for v in versions], "forked": forked, "chosen_by": chosen_by, **changes}


def signed_by(document: Document, people: Sequence[Healer]) -> Document:
    for person in people:
        document = heal.sign(document, person.name, person.private)
    return document


def replayed(log: Sequence[Document], party: Sequence[Healer]) -> Table:
    """A log as a program finds it when it starts."""
    table = Table.start(party[0].table.charter, GAME, None)
    for document in log[1:]:
        table = take_in_place(table, document, lambda seq: log[seq]).table
    return table


def take_heal(party: Sequence[Healer], document: Document) -> None:
    """Everybody takes the heal."""
    for person in party:
        log = [dict(d) for d in heal.line(person.log, document)]
        person.table, person.log = replayed(log, party), log
    assert len({p.table.engine.state_hash() for p in party}) == 1


def healed(party: Sequence[Healer], versions: Sequence[Sequence[Document]], keep: int | None, **changes: Any) -> Document:
    """The same, signed by everybody and taken by everybody."""
    document = signed_by(drafted(party, versions, keep, **changes), party)
    take_heal(party, document)
    return document
