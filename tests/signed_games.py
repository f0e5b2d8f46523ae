"""Whole signed games, recorded: `python -m tests.signed_games [word ...]` records all, or those with a word in their name.

Each is one gzipped JSON file under tests/games/signed: charter, files and audit slips as players exchanged them, the scenario,
the state after every file, and documents that came beside the log with the outcome that a program must find. They are
verified by Python and by JavaScript, and played again to the same states by every later version of the program.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pbem import games
from pbem.games.empire_of_the_sun.game import GAME as EMPIRE
from pbem.games.pacific_war.game import GAME as WAR
from pbem.kernel.canon import Plain
from pbem.protocol import chain, charter, deadlines, draws, ids, slips, strict_yaml
from pbem.protocol.ids import document_id
from pbem.runtime.audit import disclose
from pbem.runtime.composing import Draft, Secrets
from pbem.runtime.table import Table
from pbem.runtime.taking import chain_in_use, take
from tests.empire_of_the_sun import hidden_play as empire_play
from tests.empire_of_the_sun import table as empire_table
from tests.pacific_war import hidden_play as war_play
from tests.pacific_war import table as war_table
from tests.protocol.vector_sets.games import Renewing, RenewingScene, Scene, accept_all, asks
from tests.toygame import healing
from tests.toygame.party import NONCE, Person, found_game
from tests.toygame.skirmish import GAME as SKIRMISH
from tests.toygame.test_owed_openings import owing
from tests.toygame.test_umpire import replacement, stand_in

FOLDER = Path(__file__).parent / "games" / "signed"
Document = dict[str, Any]


@dataclass
class Recorded:
    """A game: what was exchanged, and what a program must come to."""

    comment: str
    charter: Document
    files: list[Document]
    slips: list[Document] = field(default_factory=list)  # everybody's disclosure, where the game is over
    aside: list[Document] = field(default_factory=list)  # {after, document, outcome}
    scenario: Plain = None
    states: list[str] = field(default_factory=list)
    result: Plain = None

    @classmethod
    def read(cls, path: Path) -> Recorded:
        """A recorded game."""
        return cls(**json.loads(gzip.decompress(path.read_bytes())))

    def write(self, path: Path) -> None:
        """The same bytes each time."""
        text = json.dumps(vars(self), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))

    def module(self) -> Any:
        """The rules."""
        system = self.charter["system"]
        return SKIRMISH if system == SKIRMISH.name else games.load(system)

    def fetch(self, seq: int) -> Document:
        """A file by its place."""
        return self.files[seq - 1] if seq else self.charter

    def played(self) -> list[Table]:
        """The table after the charter and after each file, taken one by one."""
        tables = [Table.start(charter.verify(self.charter), self.module(), self.scenario)]
        for document in self.files:
            tables.append(take(tables[-1], document, self.fetch).table)
        return tables


def ended(table: Table) -> Plain:
    """How a game ended, as it is recorded."""
    return None if table.result is None else [table.result.winner, str(table.result.reason)]


# -- how games are made ----------------------------------------------------------------------------------------------------


def resignation(person: Person) -> Document:
    """A slip by which a player gives up."""
    made = slips.make(
        "resignation",
        person.table.charter.game_id,
        person.table.ledger.entries[-1].id,
        person.name,
        {"seats": [*person.seats]},
        person.table.charter.version,
    )
    return slips.sign(made, person.private)


def named(scene: Scene, name: str) -> Person:
    """A player by name."""
    return next(p for p in scene.party if p.name == name)


def beside(scene: Scene, document: Document, outcome: str) -> Document:
    """A document that comes now and is not taken."""
    return {"after": len(scene.log) - 1, "document": document, "outcome": outcome}


def finished(scene: Scene, comment: str, aside: list[Document] | None = None, scenario: Plain = None) -> Recorded:
    """The game with everybody's audit slips, where it is over."""
    over = scene.table.result is not None
    shown = [audit_slip(person) for person in scene.party] if over else []
    return Recorded(comment, scene.log[0], scene.log[1:], [s for s in shown if s["keys"] or s["open"]], aside or [], scenario)


def audit_slip(person: Person) -> Document:
    """Everything that a player opens at the end."""
    table = person.table
    content = disclose(table, person.knowledge(), person.draw_keys())
    made = slips.make("audit", table.charter.game_id, table.ledger.entries[-1].id, person.name, content, table.charter.version)
    return slips.sign(made, person.private)


def people(*more: Person) -> list[Person]:
    """Two sides, three players."""
    return [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"]), *more]


def with_umpire(version: int) -> Recorded:
    """An umpire turns all dice; a march is taken back by agreement, a draw is declined, bids are sealed, a hand is hidden."""
    scene = Scene(people(Person("novotna", [])), random.Random(11))
    found_game(SKIRMISH, scene.party, {}, pbem=version)
    scene.until(asks("red", "march"))
    to = len(scene.log)
    scene.go(Draft(orders=["go"], note=["zażółć 🎲"]))
    scene.go(Draft(type="undo", extra={"to": to}))
    accept_all(scene)
    scene.go(Draft(type="offer", extra={"offer": {"draw": True}}))
    scene.go(Draft(type="decline"))
    seals = {"loss": [{"do": "horse", "when": "losses > 0"}, "foot"]}
    scene.go(Draft(orders=["go"], sealed_standing=seals))
    return finished(
        scene.to_the_end(), "an umpire, an undo, a declined draw, sealed bids and standing orders, a hidden hand, an audit"
    )


def with_escrow(version: int) -> Recorded:
    """The umpire shows a silent player's link, replaces his lost key, and a side resigns."""
    party = people(Person("smith", []))
    found_game(SKIRMISH, party, {}, role="escrow", pbem=version, lost_keys="umpire")
    scene = Scene(party, random.Random(5)).until(asks("red", "march"))
    scene.go(Draft(orders=["go"]))
    scene.go(Draft(orders=["stop"]))
    late, smith = scene.write(Draft()), named(scene, "smith")
    shown = stand_in(smith)
    for person in scene.party:
        person.receive(strict_yaml.write_document(shown))
    aside = [beside(scene, late, "already known")]
    scene.until(asks("red", "march"))
    nowak = named(scene, "nowak")
    seat = {
        **_second(nowak),
        "from": len(scene.log) + 1,
        "escrow": nowak.escrow("second", smith.escrow_public),
        "holder": "Jones",
    }
    written = smith.sign(smith.write(Draft(type="seat", extra={"seat": seat})).document)
    for person in scene.party:
        person.receive(strict_yaml.write_document(written))
    aside.append(beside(scene, nowak.sign({**_next(scene, nowak, "second"), "orders": ["halt"]}), "wrong key"))
    nowak.begin("second")
    scene.go(Draft(orders=["halt"]))
    resigned = [resignation(named(scene, name)) for name in ("nowak", "dubois")]
    draft = scene.draft()
    draft.slips = resigned
    scene.go(draft)
    return finished(scene, "an umpire with the escrow: a stand-in, a lost key, a resignation, an audit", aside)


def with_owed_opening(version: int) -> Recorded:
    """The umpire shows the link that an opening owes to dice; then a new key opens it and they fall as they were to fall."""
    party = owing(SKIRMISH, "escrow", pbem=version)
    scene, smith = Scene(party), named(Scene(party), "smith")
    yamada, own = named(scene, "yamada"), scene.write(Draft())
    for written in (stand_in, lambda umpire: replacement(party, yamada)):
        document = written(smith)
        for person in party:
            person.receive(strict_yaml.write_document(document))
    yamada.begin("second")
    aside = [beside(scene, own, "already known")]
    scene.to_the_end()
    return finished(
        scene, "an umpire with the escrow: a link shown before an opening, a lost key, the same dice, an audit", aside
    )


def _second(person: Person) -> Document:
    """A new key, chain and draw tree for a seat."""
    record = person.record_of("second")
    keys = {"key": record.key, "chain": record.chain, "chain_length": record.chain_length, "draws": record.draws}
    return {"player": person.name, **keys}


def _next(scene: Scene, person: Person, life: str) -> Document:
    """The head of a player's next file, written with the chain that he has from then on."""
    begun = Person(person.name, person.seats, lives=[*person.lives, life])
    begun.table, begun.log, begun.sealed = person.table, person.log, person.sealed
    return begun.write(Draft(orders=["halt"])).document


def with_renewals(version: int) -> Recorded:
    """Chains that run out and are renewed, a change of key, new draw keys, all by the players themselves."""
    party: list[Person] = [Renewing("yamada", ["blue"]), Renewing("nowak", ["red"]), Renewing("dubois", ["rust"])]
    found_game(SKIRMISH, party, {}, pbem=version)
    scene: Scene = RenewingScene(party, random.Random(7))
    scene.until(lambda s: asks("red", "card")(s) and s.table.engine.state.round == 2)
    draft = scene.draft()
    draft.extra = {**draft.extra, "next_draws": draws.root(NONCE, scene.due.master_of("later"))}
    scene.due.lives.insert(0, "later")
    scene.go(draft)
    return finished(scene.to_the_end(), "chains of 64 links, each followed by another; new draw keys; an audit")


def with_a_fork(version: int) -> Recorded:
    """Two files at one place, shown in the log; a file that was refused and replaced; one that follows another version."""
    scene = Scene.start(13, version=version).until(asks("red", "march"))
    first, second = scene.write(Draft(orders=["go"])), scene.write(Draft(orders=["halt"]))
    scene.go(Draft(orders=["go"]))
    aside = [beside(scene, second, "equivocation proved")]
    other = {**scene.write(Draft(orders=["stop"])), "prev": document_id(second)}
    aside.append(beside(scene, scene.due.sign(other), "bad chain"))
    accuser = scene.due
    content = {"files": [first, second]}
    made = slips.make("equivocation", scene.table.charter.game_id, document_id(first), accuser.name, content, version)
    scene.go(Draft(orders=["stop"], slips=[slips.sign(made, accuser.private)]))
    scene.until(asks("red", "march"))
    wrong = scene.write(Draft(orders=["go"]), state="ab" * 32)
    aside.append(beside(scene, wrong, "diverged"))
    told = {"file": document_id(wrong), "outcome": "diverged", "reason": "state before the orders"}
    yamada, head = named(scene, "yamada"), scene.table.ledger.entries[-1].id
    refusal = slips.sign(slips.make("refusal", scene.table.charter.game_id, head, "yamada", told, version), yamada.private)
    scene.go(Draft(orders=["halt"], extra={"replaces": document_id(wrong)}, slips=[refusal]))
    return finished(scene.to_the_end(), "a fork that is proved in the log, a refused file that is replaced, an audit", aside)


def refused_twice(version: int) -> Recorded:
    """Two files of one place are refused; the third replaces both, and is no proof with either of them."""
    scene = Scene.start(23, version=version).until(asks("red", "march"))
    yamada, head, game = named(scene, "yamada"), scene.table.ledger.entries[-1].id, scene.table.charter.game_id

    def refusal(document: Document) -> Document:
        told = {"file": document_id(document), "outcome": "diverged", "reason": "state before the orders"}
        return slips.sign(slips.make("refusal", game, head, "yamada", told, version), yamada.private)

    one = scene.write(Draft(orders=["go"]), state="ab" * 32)
    said = [refusal(one)]
    two = scene.write(Draft(orders=["go"], extra={"replaces": document_id(one)}, slips=said), state="cd" * 32)
    aside = [beside(scene, one, "diverged"), beside(scene, two, "diverged")]
    said.append(refusal(two))
    untold = scene.write(Draft(orders=["halt"], extra={"replaces": document_id(two)}, slips=said[1:]))
    scene.go(Draft(orders=["halt"], extra={"replaces": document_id(two)}, slips=said))
    aside += [beside(scene, wrong, "diverged") for wrong in (one, two)]
    aside.append(beside(scene, untold, "equivocation proved"))
    right = scene.log[-1]
    for wrong, outcome in ((one, "diverged"), (two, "diverged"), (untold, "done")):
        made = slips.make("equivocation", game, head, scene.due.name, {"files": [wrong, right]}, version)
        accusing = scene.write(slips=[slips.sign(made, scene.due.private)])
        aside.append(beside(scene, accusing, outcome))
    return finished(scene.to_the_end(), "two refused files of one place, one that replaces both, an audit", aside)


class Skipping(Person):
    """A player who leaves out the links that he has to."""

    def secrets(self) -> Secrets:
        n = self.length - chain_in_use(self.table, self.name).left + 1
        link = chain.link(NONCE, self.chain_of(self.lives[-1]), self.length, n)
        return replace(super().secrets(), link=lambda _: link)


def after_a_loss(scene: Scene, head: str, who: str = "nowak") -> list[Document]:
    """A player's question, and what all others answer: all name this head."""
    game, version, loser = scene.table.charter.game_id, scene.table.charter.version, named(scene, who)
    asked = slips.sign(slips.make("restored", game, head, who, {"asks": "ab" * 32}, version), loser.private)
    answer: Plain = {"answers": document_id(asked)}
    others = sorted(p.name for p in scene.party if p.name != who)
    made = [(named(scene, n), slips.make("head", game, head, n, answer, version)) for n in others]
    return [asked, *(slips.sign(slip, person.private) for person, slip in made)]


def after_a_restore(version: int) -> Recorded:
    """A player has restored a backup: his question, all answers, and links that he leaves out."""
    party = [Person("yamada", ["blue"]), Skipping("nowak", ["red"]), Person("dubois", ["rust"])]
    found_game(SKIRMISH, party, {}, pbem=version)
    scene = Scene(party, random.Random(17)).until(asks("red", "march"))
    head = scene.table.ledger.entries[-1].id
    lost = scene.write(Draft(orders=["go"]))
    said = after_a_loss(scene, head)
    scene.go(Draft(orders=["halt"], slips=said))
    aside = [beside(scene, lost, "refused by rule")]
    return finished(scene.to_the_end(), "a restored backup: a question, two answers, 64 links left out, an audit", aside)


def told_elsewhere(version: int) -> Recorded:
    """A lost file and the one that stands, behind a file that no log here has, are no proof; two without questions are one."""
    scene = Scene.start(17, version=version).until(asks("red", "march"))
    head, game = scene.table.ledger.entries[-1].id, scene.table.charter.game_id
    said, absent = after_a_loss(scene, head), {"prev": "cd" * 32}
    lost, third = (scene.write(Draft(orders=["go"], note=note), **absent) for note in (["lost"], ["a third"]))
    standing = scene.write(Draft(orders=["halt"], slips=said), **absent)
    replacing = scene.write(Draft(orders=["halt"]), replaces=document_id(lost), **absent)
    aside = []
    scene.go(Draft(orders=["halt"]))
    for pair, outcome in (([lost, standing], "waiting"), ([lost, replacing], "waiting"), ([lost, third], "done")):
        made = slips.make("equivocation", game, head, scene.due.name, {"files": pair}, version)
        accusing = scene.write(slips=[slips.sign(made, scene.due.private)])
        aside.append(beside(scene, accusing, outcome))
    return finished(scene.to_the_end(), "two files behind one that is not here: a proof or none, an audit", aside)


def after_a_restore_at_a_renewal(version: int) -> Recorded:
    """The file that carries the question announces the next chain as the lost one did: that one begins later, too."""
    party: list[Person] = [Renewing("yamada", ["blue"]), Renewing("nowak", ["red"]), Renewing("dubois", ["rust"])]
    found_game(SKIRMISH, party, {}, pbem=version)
    scene: Scene = RenewingScene(party, random.Random(17)).until(lambda s: s.due.name == "nowak")
    nowak, draft = named(scene, "nowak"), scene.draft()
    draft.slips = after_a_loss(scene, scene.table.ledger.entries[-1].id)
    scene.go(draft)
    chains = scene.table.ledger.chains["nowak"]
    assert isinstance(nowak, Renewing) and (chains.next_skip, chains.next_length) == (64, nowak.spare)
    scene.until(lambda s: s.due is nowak and chain_in_use(s.table, "nowak").last == nowak.spare_value(0))
    seen = nowak.sign({**scene.write(scene.draft()), "link": nowak.spare_value(1)})
    aside = [beside(scene, seen, "bad chain")]
    scene.go(scene.draft())
    assert scene.log[-1]["link"] == nowak.spare_value(65)
    return finished(scene.to_the_end(), "a restored backup at a renewal: the announced chain leaves out 64 links too", aside)


def after_a_restore_with_few_links(version: int) -> Recorded:
    """Of the chain in use too few are left to leave out: the announced one takes over though no other side has written."""
    party: list[Person] = [Renewing("yamada", ["blue"]), Renewing("nowak", ["red"]), Renewing("dubois", ["rust"])]
    found_game(SKIRMISH, party, {}, pbem=version)
    scene: Scene = RenewingScene(party, random.Random(17)).until(lambda s: s.due.name == "yamada")
    yamada, draft = named(scene, "yamada"), scene.draft()
    draft.slips = after_a_loss(scene, scene.table.ledger.entries[-1].id, "yamada")
    scene.go(draft)
    assert scene.due is yamada and isinstance(yamada, Renewing) and "next_chain" in scene.log[-1]
    written = scene.write(scene.draft())
    links = [yamada.first_value(2), yamada.first_value(2 + 32), yamada.spare_value(1)]
    aside = [beside(scene, yamada.sign({**written, "link": link}), "bad chain") for link in links]
    scene.go(scene.draft())
    assert scene.log[-1]["link"] == yamada.spare_value(65)
    return finished(scene.to_the_end(), "a restored backup with few links left: the announced chain serves at once", aside)


def after_false_answers(version: int) -> Recorded:
    """A player has lost a file behind somebody else's, which all others deny to have written: his second one is no proof."""
    party = [Person("yamada", ["blue"]), Skipping("nowak", ["red"]), Person("dubois", ["rust"])]
    found_game(SKIRMISH, party, {}, pbem=version)
    scene = Scene(party, random.Random(17)).until(asks("red", "march"))
    entries = scene.table.ledger.entries
    head = [e.id for e in entries if e.player == "nowak"][-1]
    assert head != entries[-1].id
    lost = scene.write(Draft(orders=["go"]))
    said = after_a_loss(scene, head)
    again = scene.write(Draft(orders=["go"], slips=said))
    scene.go(Draft(orders=["halt"], slips=said))
    aside = [beside(scene, lost, "refused by rule"), beside(scene, again, "equivocation proved")]
    return finished(scene.to_the_end(), "a loss and false answers, a second file that stands, a third that is proof", aside)


def healed_and_ruled(version: int) -> Recorded:
    """A game that has parted and is healed; an umpire rules on a file that never came, and a substitute takes the seat."""
    party = healing.healers("witness", pbem=version, overdue=deadlines.chosen("72h", "48h", "substitute"))
    scene = Scene([*party], random.Random(19)).until(asks("red", "march"))
    other = healing.branch(party, Draft(orders=["halt"]))
    kept = healing.branch(party, Draft(orders=["go"]), Draft(orders=["let pass"]))
    other += [healing.forged(healing.named(party, "dubois"), other[-1])]
    other += [healing.forged(healing.named(party, "nowak"), other[-1], 2)]
    for draft in (Draft(orders=["go"]), Draft(orders=["let pass"])):
        scene.go(draft)
    healing.healed(party, [kept, other], 0)
    nowak = healing.named(party, "nowak")
    aside = [
        beside(scene, other[0], "already known"),
        beside(scene, nowak.sign({**other[2], "note": ["another"]}), "refused by rule"),
    ]
    scene.until(asks("red", "march"))
    smith, head, game = named(scene, "smith"), scene.table.ledger.entries[-1].id, scene.table.charter.game_id
    late = {"place": len(scene.log), "due": "nowak", "since": "1999-01-01T00:00:00Z"}
    claim = slips.sign(slips.make("overdue", game, head, "smith", late, version), smith.private)
    ruled = {"place": len(scene.log), "then": "substitute", "claim": claim}
    ruling = slips.sign(slips.make("ruling", game, head, "smith", ruled, version), smith.private)
    seat = {**_second(nowak), "from": len(scene.log) + 1, "holder": "Jones"}
    written = smith.write(Draft(type="seat", extra={"seat": seat}, slips=[ruling])).document
    aside.append(beside(scene, smith.sign({**written, "slips": []}), "wrong key"))
    for person in scene.party:
        person.receive(strict_yaml.write_document(smith.sign(written)))
    nowak.begin("second")
    comment = "a heal of three void files, an umpire's ruling, a substitute, an audit"
    return finished(scene.to_the_end(), comment, aside)


def empire(version: int) -> Recorded:
    """Hidden hands of cards, cut short by a resignation."""
    scenario = empire_table.scenario("burma")
    party = [Person("yamada", ["japan"]), Person("nowak", ["allies"])]
    named_so = {"name": "burma", "hash": ids.scenario_hash(scenario)}
    options: dict[str, Plain] = {"rules": "2nd-2015", "simultaneous-hits": "in-order"}
    found_game(EMPIRE, party, options, scenario, pbem=version, named=named_so)
    scene, dice = Scene(party), random.Random(3)
    while len(scene.log) < 40:
        scene.go(empire_play.decide(scene.due, dice))
    draft = empire_play.decide(scene.due, dice)
    draft.slips = [resignation(party[1])]
    scene.go(draft)
    return finished(scene, "Empire of the Sun: hidden hands, a resignation, an audit", scenario=scenario)


def pacific_war(version: int) -> Recorded:
    """Sealed bids, hidden task forces, sealed command points, cut short by a resignation."""
    scenario = war_table.scenario("guadalcanal")
    party = [Person("yamada", ["japan"]), Person("nowak", ["allies"])]
    named_so = {"name": "guadalcanal", "hash": ids.scenario_hash(scenario)}
    standard: dict[str, Plain] = {o.name: o.choices[0] for o in WAR.options}
    found_game(WAR, party, {**standard, "forces": "sealed", "points": "sealed"}, scenario, pbem=version, named=named_so)
    scene, dice = Scene(party), random.Random(4)
    while len(scene.log) < 40:
        scene.go(war_play.decide(scene.due, dice))
    draft = war_play.decide(scene.due, dice)
    draft.slips = [resignation(party[0])]
    scene.go(draft)
    return finished(scene, "Pacific War: sealed bids, forces and points, a resignation, an audit", scenario=scenario)


MAKERS: dict[str, tuple[Callable[[int], Recorded], tuple[int, ...]]] = {
    "umpire": (with_umpire, (1, 2)),
    "escrow": (with_escrow, (1, 2)),
    "owed": (with_owed_opening, (1, 2)),
    "renewals": (with_renewals, (1, 2)),
    "fork": (with_a_fork, (1, 2)),
    "refused-twice": (refused_twice, (1, 2)),
    "restored": (after_a_restore, (2,)),
    "told-elsewhere": (told_elsewhere, (2,)),
    "restored-at-a-renewal": (after_a_restore_at_a_renewal, (2,)),
    "restored-with-few-links": (after_a_restore_with_few_links, (2,)),
    "false-answers": (after_false_answers, (2,)),
    "healed": (healed_and_ruled, (2,)),
    "empire-of-the-sun": (empire, (1, 2)),
    "pacific-war": (pacific_war, (1, 2)),
}


def record(words: list[str]) -> None:
    """Make games and keep them."""
    FOLDER.mkdir(exist_ok=True)
    for name, (make, versions) in MAKERS.items():
        for version in versions:
            title = f"{name}-{version}"
            if not words or any(word in title for word in words):
                game = make(version)
                tables = game.played()
                game.states = [table.engine.state_hash() for table in tables]
                game.result = ended(tables[-1])
                game.write(FOLDER / f"{title}.json.gz")
                print(f"{title}: {len(game.files)} files, {len(game.slips)} audit slips, {game.result}")


if __name__ == "__main__":
    record(sys.argv[1:])
