"""Players for tests: keys, chains and draw masters from fixed bytes, and a post that hands files round."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.kernel.canon import Plain
from pbem.protocol import chain, charter, draws, keys, strict_yaml, turnfile
from pbem.runtime.composing import Composed, Draft, Secrets, compose
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table
from pbem.runtime.taking import Taken, take

NONCE = "00" * 31 + "07"


def fixed(*words: str) -> bytes:
    """32 bytes that are the same in every run."""
    return hashlib.sha256(" ".join(words).encode()).digest()


class DrawSecrets(dict[int, bytes]):
    """K_j by j, computed when asked for."""

    def __init__(self, master: bytes) -> None:
        super().__init__()
        self.master = master

    def __missing__(self, j: int) -> bytes:
        return draws.draw_secret(self.master, j)

    def __contains__(self, j: object) -> bool:
        return True


@dataclass
class Person:
    """One player with his own copy of the log."""

    name: str
    seats: list[str]
    private: Ed25519PrivateKey = field(init=False)
    length: int = 512
    table: Table = field(init=False)
    log: list[dict[str, Any]] = field(default_factory=list)
    sealed: dict[str, dict[str, Any]] = field(default_factory=dict)
    salts: int = 0

    def __post_init__(self) -> None:
        self.private = Ed25519PrivateKey.from_private_bytes(fixed(self.name, "key"))

    @property
    def master(self) -> bytes:
        return fixed(self.name, "draws")

    @property
    def record(self) -> charter.Player:
        tip = chain.tip(NONCE, fixed(self.name, "chain"), self.length)
        return charter.Player(self.name, keys.public_text(self.private), tip, self.length, draws.root(NONCE, self.master))

    def secrets(self) -> Secrets:
        def link(n: int) -> str:
            return chain.link(NONCE, fixed(self.name, "chain"), self.length, n)

        return Secrets(self.name, link, DrawSecrets(self.master), self.sealed)

    def knowledge(self) -> Knowledge:
        return Knowledge(self.name, DrawSecrets(self.master), self.sealed, self.table.ledger, self.table.charter.game_id)

    def salt(self) -> bytes:
        self.salts += 1
        return fixed(self.name, "salt", str(self.salts))

    def fetch(self, seq: int) -> Mapping[str, Any]:
        return self.log[seq]

    def write(self, draft: Draft) -> Composed:
        return compose(self.table, self.secrets(), draft, self.fetch, self.salt)

    def sign(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return turnfile.sign(document, self.private)

    def receive(self, text: str) -> Taken:
        document, _ = strict_yaml.read_document(text)
        taken = take(self.table, document, self.fetch)
        self.table = taken.table
        self.log.append(document)
        return taken


def found_game(game: Any, people: list[Person], options: Mapping[str, Plain], scenario: Plain = None) -> None:
    """A charter drafted, joined and signed by all; everybody starts his own table from it."""
    draft = charter.new_draft(
        game.name, game.editions[0], game.rules_version, NONCE, {"name": "test", "hash": "00" * 32}, options, game.seats
    )
    for person in people:
        draft = charter.join(draft, person.record, person.seats)
    for person in people:
        draft = charter.sign(draft, person.name, person.private)
    for person in people:
        person.table = Table.start(charter.verify(draft), game, scenario)
        person.log = [draft]


def send(people: list[Person], draft: Draft, **changes: Any) -> dict[str, Any]:
    """The player who is due writes a file; everybody, himself included, takes it from its text."""
    writer = next(p for p in people if p.name == people[0].table.due.player)
    composed = writer.write(draft)
    writer.sealed.update(composed.sealed)
    document = writer.sign({**composed.document, **changes})
    text = strict_yaml.write_document(document)
    for person in people:
        person.receive(text)
    hashes = {p.table.engine.state_hash() for p in people}
    assert len(hashes) == 1, "the tables differ"
    return document
