"""A player who keeps to no rule but those of arithmetic: no guards, no record, every version of the game in his head."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.protocol import heal, slips, turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.composing import Draft, Secrets, compose
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.keyring import DrawKeys
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, chain_in_use, take, take_in_place
from pbem.store.links import next_link
from pbem.store.session import Session
from tests.world.acts import legal, pick
from tests.world.world import Folder, Mail, World

Document = dict[str, Any]


@dataclass(eq=False)
class Node:
    """A file of some version, the table behind it, and the files up to it."""

    table: Table
    files: list[Document]

    @property
    def id(self) -> str:
        return self.table.ledger.entries[-1].id

    def fetch(self, seq: int) -> Mapping[str, Any]:
        return self.files[seq]


@dataclass(eq=False)
class Cheat:
    """What he holds, and what he has signed."""

    world: World
    player: str
    private: Any
    secret: str
    length: int
    master: str
    root: Table
    nodes: dict[str, Node] = field(default_factory=dict)
    waiting: list[Document] = field(default_factory=list)
    slips: list[Document] = field(default_factory=list)
    sealed: dict[str, dict[str, Any]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    notes: int = 0

    @classmethod
    def of(cls, world: World, folder: Folder) -> Cheat:
        """Takes the player's folder away: from now on he writes by himself."""
        world.folders.remove(folder)
        with world.at(folder.machine):
            session = Session.open(folder.path)
            held, private, root = session.me, session.private, Session.open(folder.path)
            table = Table.start(session.charter, session.game, session.scenario)
        made = cls(world, folder.player, private, held.chain_secret, held.chain_length, held.draw_master, table)
        made.nodes[table.ledger.entries[0].id] = Node(table, root.folder.log.files()[:1])
        for document in root.folder.log.files()[1:]:
            made.learn(document)
        return made

    # -- knowing ---------------------------------------------------------------------------------------------------------

    def learn(self, document: Document) -> None:
        """A file finds its place in one of the versions, now or when the one before it comes; slips are kept."""
        if document["type"] == "slip":
            self.slips += [document] if document not in self.slips else []
            return
        if document["type"] == heal.TYPE:
            self._learn_heal(document)
            return
        self.waiting.append(document)
        while fits := next((d for d in self.waiting if d.get("prev") in self.nodes), None):
            self.waiting.remove(fits)
            node = self.nodes[fits["prev"]]
            try:
                taken = take(node.table, fits, node.fetch)
            except (ProtocolError, Refused):
                continue
            self.nodes.setdefault(taken.id, Node(taken.table, [*node.files, fits]))

    def _learn_heal(self, document: Document) -> None:
        """The game goes on behind a heal that all have signed."""
        for file in heal.files_of(document):
            self.learn(dict(file))
        node = self.nodes.get(str(document["prev"]))
        if node is None:
            return
        line = [dict(d) for d in heal.line(node.files, document)]
        table = self.root.fork()
        try:
            for file in line[1:]:
                take_in_place(table, file, lambda seq: line[seq])
        except (ProtocolError, Refused):  # not all have signed it
            return
        self.nodes[document_id(document)] = Node(table, line)

    def fetch_mail(self) -> None:
        """Everything that lies at the post office for him."""
        mails = self.world.waiting(self.player)
        self.world.post = [m for m in self.world.post if m not in mails]
        for mail in mails:
            self.world.ghost.reads(self.player, mail.document)
            self.learn(mail.document)

    def newest(self) -> Node:
        """The longest version."""
        return max(self.nodes.values(), key=lambda n: n.table.last)

    # -- writing ---------------------------------------------------------------------------------------------------------

    def secrets(self, node: Node) -> Secrets:
        ledger, nonce = node.table.ledger, node.table.charter.nonce
        own = [{"secret": self.secret, "length": self.length}]
        keys = DrawKeys(ledger, self.player, nonce, [bytes.fromhex(self.master)], {})
        standing = chain_in_use(node.table, self.player)
        return Secrets(self.player, lambda n: next_link(nonce, own, standing), keys, dict(self.sealed))

    def sign(self, node: Node, draft: Draft, to: list[str]) -> Document | None:
        """A file behind any file where one of his is due, sent to some of the players; None where the rules refuse it."""
        try:
            composed = compose(node.table, self.secrets(node), draft, node.fetch, lambda *_: self.world.random())
            document = turnfile.sign(composed.document, self.private)
            self.sealed.update(composed.sealed)
            self.learn(document)
        except (ProtocolError, Refused):
            return None
        self.send(document, to)
        return document

    def send(self, document: Document, to: list[str]) -> None:
        """By mail; from now on it is signed for good."""
        self.world.ghost.stands(document, document_id(document))
        self.world.post += [Mail(p, self.player, document) for p in to if p != self.player]

    def draft(self, node: Node, choice: int) -> Draft:
        """Something that is due from him behind this file, each time with another note."""
        self.notes += 1
        note, due = [f"note {self.notes}"], node.table.due
        if due.what == "accept":
            on_table = node.table.ledger.offer
            assert on_table is not None
            return Draft(type="accept", extra={"accepts": on_table.id}, note=note)
        return Draft([] if due.what in AUTOMATIC else [pick(legal(node.table), choice)], note=note)

    def is_due(self, node: Node) -> bool:
        return node.table.due.player == self.player

    def has_answered(self, node: Node) -> bool:
        return any(n.files[-1].get("prev") == node.id for n in self.nodes.values() if n.files[-1].get("player") == self.player)


# -- what he does -----------------------------------------------------------------------------------------------------------


def plays(cheat: Cheat, choice: int) -> None:
    """Like an honest player, in the longest version where it is his turn and he has not written yet."""
    cheat.fetch_mail()
    due = [n for n in cheat.nodes.values() if cheat.is_due(n) and not cheat.has_answered(n)]
    if due:
        node = max(due, key=lambda n: n.table.last)
        cheat.sign(node, cheat.draft(node, choice), cheat.world.players)


def signs_again(cheat: Cheat, choice: int) -> None:
    """Another file at a place where he has signed one, with whatever he has learnt since; to one player, or to all."""
    cheat.fetch_mail()
    signed = [n for n in cheat.nodes.values() if cheat.is_due(n) and cheat.has_answered(n)]
    if signed:
        signed.sort(key=lambda n: -n.table.last)
        node = signed[choice % min(3, len(signed))]
        cheat.sign(node, cheat.draft(node, choice // 3), _some(cheat, choice // 16))


def _some(cheat: Cheat, choice: int) -> list[str]:
    others = [p for p in cheat.world.players if p != cheat.player]
    return others if choice % 2 else [pick(others, choice // 2)]


def answers(cheat: Cheat, choice: int) -> None:
    """What he holds, when somebody asks after a loss: the truth, too little, a file that does not exist, or nothing."""
    cheat.fetch_mail()
    for asked in [s for s in cheat.slips if s["slip"] == "restored" and s["player"] != cheat.player]:
        name = document_id(asked)
        if name in cheat.answered or choice % 5 == 0:
            continue
        cheat.answered.add(name)
        newest = cheat.newest()
        known = [e.id for e in newest.table.ledger.entries]
        low = asked["head"] if asked["head"] in cheat.nodes else known[-1]
        head = {1: known[-1], 2: low, 3: low, 4: "ab" * 32}[choice % 5]
        made = slips.make("head", cheat.world.game, head, cheat.player, {"answers": name}, 2)
        cheat.send(slips.sign(made, cheat.private), cheat.world.players)


def pretends_a_loss(cheat: Cheat, choice: int) -> None:
    """A question without a loss; when all have answered, a file at an old place that carries it."""
    cheat.fetch_mail()
    mine = [s for s in cheat.slips if s["slip"] == "restored" and s["player"] == cheat.player]
    nodes = [n for n in cheat.nodes.values() if cheat.is_due(n)]
    if not nodes:
        return
    nodes.sort(key=lambda n: -n.table.last)
    node = nodes[choice % min(3, len(nodes))]
    if not mine or choice % 3 == 0:
        content = {"asks": cheat.world.random().hex()}
        slip = slips.sign(slips.make("restored", cheat.world.game, node.id, cheat.player, content, 2), cheat.private)
        cheat.slips.append(slip)
        cheat.send(slip, cheat.world.players)
        return
    question = mine[-1]
    given = [s for s in cheat.slips if s["slip"] == "head" and s.get("answers") == document_id(question)]
    draft = cheat.draft(node, choice // 3)
    draft.slips = [question, *given]
    cheat.sign(node, draft, cheat.world.players)


def sends_again(cheat: Cheat, choice: int) -> None:
    """Any file of any version to any player."""
    files = [d for n in cheat.nodes.values() for d in n.files[-1:] if d["type"] not in ("charter", "heal")]
    if files:
        cheat.send(pick(files, choice), _some(cheat, choice // 64))


DEEDS: list[Callable[[Cheat, int], None]] = [plays, signs_again, signs_again, answers, pretends_a_loss, sends_again]
