"""Players for tests: keys, chains and draw masters from fixed bytes, and a post that hands files round."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Commit
from pbem.protocol import chain, charter, draws, escrow, keys, strict_yaml, turnfile
from pbem.runtime.composing import Composed, Draft, Secrets, compose
from pbem.runtime.keyring import DrawKeys
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table
from pbem.runtime.taking import Taken, take

NONCE = "00" * 31 + "07"


def fixed(*words: str) -> bytes:
    """32 bytes that are the same in every run."""
    return hashlib.sha256(" ".join(words).encode()).digest()


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
    lives: list[str] = field(default_factory=lambda: [""])  # one for each set of key, chain and draw master

    def __post_init__(self) -> None:
        self.private = self.key_of("")

    def key_of(self, life: str) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(fixed(self.name, "key", *life.split()))

    def chain_of(self, life: str) -> bytes:
        return fixed(self.name, "chain", *life.split())

    def master_of(self, life: str) -> bytes:
        return fixed(self.name, "draws", *life.split())

    def record_of(self, life: str) -> charter.Player:
        tip = chain.tip(NONCE, self.chain_of(life), self.length)
        key = keys.public_text(self.key_of(life))
        return charter.Player(self.name, key, tip, self.length, draws.root(NONCE, self.master_of(life)))

    @property
    def escrow_private(self) -> str:
        return fixed(self.name, "escrow").hex()

    @property
    def escrow_public(self) -> str:
        return escrow.public(self.escrow_private)

    def escrow(self, life: str, umpire: str) -> str:
        """This player's chain secret, encrypted to the umpire's key."""
        ephemeral = fixed(self.name, "ephemeral", life).hex()
        return escrow.encrypt(umpire, NONCE, self.record_of(life).chain, self.length, self.chain_of(life), ephemeral)

    @property
    def record(self) -> charter.Player:
        return self.record_of("")

    def begin(self, life: str) -> None:
        """From now on with another key, chain and draw master; what the old masters drew stays known."""
        self.lives.append(life)
        self.private = self.key_of(life)

    def secrets(self) -> Secrets:
        def link(n: int) -> str:
            return chain.link(NONCE, self.chain_of(self.lives[-1]), self.length, n)

        return Secrets(self.name, link, self.draw_keys(), self.sealed)

    def draw_keys(self) -> DrawKeys:
        return DrawKeys(self.table.ledger, self.name, NONCE, [self.master_of(life) for life in self.lives])

    def knowledge(self) -> Knowledge:
        return Knowledge(self.name, self.draw_keys(), self.sealed, self.table.ledger, self.table.charter.game_id)

    def salt(self, *_: Any) -> bytes:
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


def found_game(
    game: Any, people: list[Person], options: Mapping[str, Plain], scenario: Plain = None, role: str = "witness", **more: Any
) -> None:
    """A charter drafted, joined and signed by all; everybody starts his own table from it.

    Who has no seat is the umpire, in this role; he signs last when he stands last. `more`: further keys of the charter,
    `pbem` the version of the protocol, `named` what the charter says of the scenario.
    """
    named, version = more.pop("named", {"name": "test", "hash": "00" * 32}), more.pop("pbem", charter.VERSIONS[-1])
    draft = charter.new_draft(
        game.name, game.editions[0], game.rules_version, NONCE, named, options, game.seats, version=version
    )
    draft.update(more)
    umpires = [p for p in people if not p.seats]
    for umpire in umpires:
        draft = charter.appoint(draft, umpire.record, role, umpire.escrow_public if role == "escrow" else "")
    for person in [p for p in people if p.seats]:
        escrow = person.escrow("", umpires[0].escrow_public) if role == "escrow" else ""
        draft = charter.join(draft, person.record, person.seats, escrow)
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


@contextmanager
def sealing_anything() -> Iterator[None]:
    """A changed program that seals whatever its owner writes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Commit, "check", lambda *_: None)
        yield
