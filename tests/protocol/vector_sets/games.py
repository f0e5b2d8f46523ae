"""Whole logs: the charter and the files of a game as one bundle, the fault in the last file; audits; stored logs."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from pbem.kernel.canon import canonical, sha256_hex
from pbem.kernel.flow import Ask, Claim, Commit, Simultaneous
from pbem.protocol import chain, charter, draws, sshsig
from pbem.protocol import slips as slip_module
from pbem.protocol.ids import signed_bytes
from pbem.protocol.keys import key_bytes
from pbem.runtime.audit import disclose
from pbem.runtime.composing import Draft, Secrets
from pbem.runtime.table import Table
from pbem.runtime.taking import chain_in_use
from pbem.store.log import START, bundle
from tests.protocol.vector_sets.form import Vector, failing, person, plain, public
from tests.protocol.vector_sets.papers import signed
from tests.toygame.party import NONCE, Person, fixed, found_game, send
from tests.toygame.skirmish import GAME

RULES = {"needs": "rules"}
Document = dict[str, Any]


@dataclass
class Renewing(Person):
    """A player whose short first chain is followed by a longer one."""

    length: int = 64
    spare: int = 512

    def secrets(self) -> Secrets:
        def link(n: int) -> str:
            standing = chain_in_use(self.table, self.name)
            left = standing.left
            shown = self.spare - left - standing.skip
            if shown >= 0 and self.spare_value(shown) == standing.last:
                return self.spare_value(self.spare - left + 1)
            return self.first_value(self.length - left + 1)

        return replace(super().secrets(), link=link)

    def first_value(self, n: int) -> str:
        return super().secrets().link(n)

    def spare_value(self, n: int) -> str:
        secret = fixed(self.name, "spare")
        return chain.link(NONCE, secret, self.spare, n) if n else chain.tip(NONCE, secret, self.spare)

    @property
    def renewal(self) -> dict[str, Any]:
        return {"next_chain": {"tip": self.spare_value(0), "length": self.spare}}


@dataclass
class Scene:
    """A party in the middle of a game."""

    party: list[Person]
    dice: random.Random = field(default_factory=lambda: random.Random(1))
    cards: str = "any"  # "pass": red never plays one

    @classmethod
    def start(cls, seed: int = 1, allies: int = 2, cards: str = "any", version: int = 1) -> Scene:
        """Two sides; the allied seats are held by two players or by one."""
        if allies == 2:
            party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])]
        else:
            party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
        found_game(GAME, party, {}, pbem=version)
        return cls(party, random.Random(seed), cards)

    @property
    def table(self) -> Table:
        return self.party[0].table

    @property
    def log(self) -> list[Document]:
        return self.party[0].log

    @property
    def due(self) -> Person:
        return next(p for p in self.party if p.name == self.table.due.player)

    def draft(self) -> Draft:
        """A legal decision, or nothing but what is owed."""
        due, request = self.table.due, self.table.engine.request
        if due.what in ("witness", "open", "claim", "start"):
            return Draft()
        if isinstance(request, Commit):
            return Draft(orders=[{"seal": 2, "seat": "blue"}])
        if isinstance(request, Simultaneous):
            bid = self.dice.randrange(6)
            return Draft(orders=[{"seal": bid, "seat": due.seat} if due.what == "seal" else bid])
        assert isinstance(request, Ask)
        if request.kind == "card" and self.cards == "pass":
            return Draft(orders=["pass"])
        return Draft(orders=[self.dice.choice(list(request.options()))])

    def go(self, draft: Draft | None = None) -> Document:
        return send(self.party, draft or self.draft())

    def until(self, wanted: Callable[[Scene], bool]) -> Scene:
        for _ in range(300):
            if wanted(self):
                return self
            if self.table.due.what == "nothing":
                break
            self.go()
        raise AssertionError("never came")

    def to_the_end(self) -> Scene:
        return self.until(lambda s: s.table.due.what == "nothing")

    def write(self, draft: Draft | None = None, by: Person | None = None, **changes: Any) -> Document:
        """The next file, signed as changed; nobody takes it."""
        who = by or self.due
        document = {**who.write(draft or self.draft()).document, **changes}
        return who.sign({k: v for k, v in document.items() if v is not ...})

    def with_files(self, *files: Document) -> bytes:
        return plain(bundle([*self.log, *files], []))


def asks(seat: str, kind: str) -> Callable[[Scene], bool]:
    """A question of this kind is put to this seat."""

    def wanted(scene: Scene) -> bool:
        request = scene.table.engine.request
        return isinstance(request, Ask) and (request.seat, request.kind) == (seat, kind)

    return wanted


def before_the_dice() -> Scene:
    """Blue has stopped red's march: the next file is a witness's and turns the dice of the battle."""
    scene = Scene.start().until(asks("red", "march"))
    scene.go(Draft(orders=["go"]))
    scene.go(Draft(orders=["stop"]))
    assert scene.table.due.what == "witness"
    return scene


# -- whole games that are in order --------------------------------------------------------------------------------------


def good_games() -> Iterator[Vector]:
    """Games to their end."""
    whole = Scene.start(3).to_the_end()
    yield Vector("log", "whole-game", "done", "a game to its end", whole.with_files(), covers="SPEC 4 to 9")
    two = Scene.start(4, allies=1).to_the_end()
    yield Vector("log", "two-players", "done", "one player holds both allied seats", two.with_files(), covers="SPEC 4 to 9")
    yield Vector("log", "charter-alone", "done", "nothing sent yet", Scene.start().with_files(), covers="SPEC 3")
    yield Vector(
        "log", "undo", "done", "orders taken back by agreement, then played on", undone().with_files(), covers="SPEC 9"
    )
    draw = Scene.start().until(asks("red", "march"))
    draw.go(Draft(type="offer", extra={"offer": {"draw": True}}))
    accept_all(draw)
    yield Vector("log", "draw-agreed", "done", "a draw offered and accepted by all", draw.with_files(), covers="SPEC 9")
    declined = Scene.start().until(asks("red", "march"))
    declined.go(Draft(type="offer", extra={"offer": {"draw": True}}))
    declined.go(Draft(type="decline"))
    declined.to_the_end()
    yield Vector("log", "draw-declined", "done", "a draw declined, then played on", declined.with_files(), covers="SPEC 9")
    umpire = with_umpire().until(lambda s: len(s.log) > 12)
    yield Vector("log", "umpire", "done", "an umpire turns all dice", umpire.with_files(), covers="SPEC 6")
    renewed = renewing().until(lambda s: len(s.log) > 14)
    yield Vector(
        "log", "renewal", "done", "each player's second file comes from a new chain", renewed.with_files(), covers="SPEC 4"
    )
    beside = renewing_beside_an_umpire()
    comment = "the file of an umpire lets a new chain take over too"
    yield Vector("log", "renewal-beside-an-umpire", "done", comment, beside.with_files(), covers="SPEC 4")
    stated = undone_after_a_statement()
    comment = "statements that an undo takes back are not counted"
    yield Vector("log", "undo-of-a-statement", "done", comment, stated.with_files(), covers="SPEC 5, 9")


def undone() -> Scene:
    """Red's march is taken back before any die, then the game goes on."""
    scene = Scene.start().until(asks("red", "march"))
    to = len(scene.log)
    scene.go(Draft(orders=["go"]))
    scene.go(Draft(type="undo", extra={"to": to}))
    accept_all(scene)
    return scene.to_the_end()


def accept_all(scene: Scene) -> None:
    """Everybody accepts the offer."""
    offer = scene.table.ledger.offer
    assert offer is not None
    while scene.table.ledger.offer is not None:
        scene.go(Draft(type="accept", extra={"accepts": offer.id}))


def with_umpire() -> Scene:
    """Novotna turns all dice."""
    scene = Scene.start(5)
    umpire = Person("novotna", [])
    base, r = scene.log[0], umpire.record
    record = {"key": r.key, "chain": r.chain, "chain_length": r.chain_length, "draws": r.draws}
    made = {**base, "players": {**base["players"], "novotna": record}, "umpire": {"player": "novotna", "role": "witness"}}
    document = signed(made)
    scene.party = [*scene.party, umpire]
    for who in scene.party:
        who.table, who.log = Table.start(charter.verify(document), GAME, None), [document]
    return scene


class RenewingScene(Scene):
    """Players whose first chains are as short as they may be: each announces another with his first file."""

    def draft(self) -> Draft:
        draft = super().draft()
        who = self.due
        assert isinstance(who, Renewing)
        held = self.table.ledger.chains[who.name]
        if held.left <= 64 and not held.next_tip:
            draft.extra = {**draft.extra, **who.renewal}
        return draft


def renewing() -> RenewingScene:
    """A game with chains of 64."""
    party: list[Person] = [Renewing("yamada", ["blue"]), Renewing("nowak", ["red"]), Renewing("dubois", ["rust"])]
    found_game(GAME, party, {}, pbem=1)
    return RenewingScene(party)


def renewing_beside_an_umpire() -> RenewingScene:
    """Nowak's new chain serves though only the umpire, who turns all dice, has written since he announced it."""
    for seed in range(200):
        party: list[Person] = [Renewing("yamada", ["blue"]), Renewing("novotna", [])]
        party.insert(1, Renewing("nowak", ["red", "rust"], length=64 + seed % 8))
        found_game(GAME, party, {}, pbem=1)
        scene = RenewingScene(party, random.Random(seed)).until(lambda s: len(s.log) > 16)
        authors = [(file["player"], "next_chain" in file) for file in scene.log[1:]]
        wanted = [("nowak", True), ("novotna", False), ("nowak", False)]
        if any(authors[at : at + 3] == wanted for at in range(len(authors))):
            return scene  # type: ignore[return-value]
    raise AssertionError("never came")


def undone_after_a_statement() -> Scene:
    """Red passes, which states something about his hand; a later question of his is asked again, and he states it anew."""
    scene = Scene.start(cards="pass").until(asks("red", "card"))
    to = len(scene.log)
    before = len(scene.table.ledger.claims)
    scene.go(Draft(orders=["pass"]))
    scene.until(asks("red", "march"))
    assert len(scene.table.ledger.claims) > before
    scene.go(Draft(type="undo", extra={"to": to}))
    accept_all(scene)
    assert len(scene.table.ledger.claims) == before
    return scene.to_the_end()


# -- place, link, key ---------------------------------------------------------------------------------------------------


def header_faults() -> Iterator[Vector]:
    """Files at a wrong place, of a wrong player, on a wrong link."""
    scene = Scene.start().until(asks("red", "march"))
    good_file = scene.write(Draft(orders=["go"]))
    good, nowak, seq = scene.with_files(good_file), scene.due, len(scene.log)

    def changed(comment: str, **changes: Any) -> tuple[str, bytes]:
        return comment, scene.with_files(scene.write(Draft(orders=["go"]), **changes))

    shown = scene.table.ledger.chains["nowak"].shown

    def link(n: int, name: str = "nowak") -> str:
        return next(p for p in scene.party if p.name == name).secrets().link(n)

    yield from failing(
        "log",
        "foreign game",
        good,
        {"other-game": changed("a turn of another game", game="ab" * 32)},
        "attack: turn of another game",
    )
    cases = {
        "wrong-prev": changed("it answers a file that is not in the log", prev="ab" * 32),
        "prev-skips-a-file": changed("it answers the file before the last", prev=scene.table.ledger.entries[-2].id),
        "skipped-link": changed("a link is called burnt", link=link(shown + 2)),
        "early-reveal": changed("the last link of the chain", link=link(512)),
        "link-shown-before": changed("the link of his last file", link=link(shown)),
        "link-of-another": changed("dubois's next link", link=link(1, "dubois")),
        "invented-link": changed("wrong preimage", link="ab" * 32),
        "forked": ("it answers another file at the place before", forked(scene)),
    }
    yield from failing("log", "bad chain", good, cases, "attack: wrong preimage, early reveal, forked history, skip a link")
    ahead = {
        "seq-too-high": changed("the place after next", seq=seq + 1),
        "cut-history": ("a file of the middle is missing", cut(scene, good_file)),
        "cut-beginning": ("file 1 is missing", plain(bundle([scene.log[0], *scene.log[2:], good_file], []))),
    }
    yield from failing("log", "waiting", good, ahead, "attack: cut history")
    again = {
        "old-turn-again": ("the last turn once more", scene.with_files(good_file, good_file)),
        "first-turn-again": ("file 1 once more", scene.with_files(good_file, scene.log[1])),
    }
    yield from failing("log", "already known", good, again, "attack: old turn sent again")
    second = scene.with_files(good_file, scene.write(Draft(orders=["halt"])))
    yield from failing(
        "log",
        "equivocation proved",
        good,
        {
            "two-turns": ("two turns for one slot", second),
            "second-note": (
                "the same orders with another note",
                scene.with_files(good_file, scene.write(Draft(orders=["go"], note=["x"]))),
            ),
            "orders-after-the-dice": ("other orders once the dice are known", orders_after_dice()),
        },
        "attack: two turns for one slot; orders after seeing dice",
    )
    unknown = {"player-unknown": changed("somebody who does not play", player="stranger")}
    yield from failing("log", "wrong key", good, unknown, "attack: turn for another side")
    stranger = {
        "other-side": ("yamada sends red's orders in his own name", scene.with_files(turn_of_another(scene, "yamada"))),
        "ally": ("dubois sends red's orders in his own name", scene.with_files(turn_of_another(scene, "dubois"))),
    }
    yield from failing("log", "wrong key", good, stranger, "attack: turn for another side", **RULES)
    forged = {
        "signed-by-the-opponent": ("nowak's turn, yamada's key", scene.with_files(resigned(good_file, "yamada"))),
        "signed-by-an-ally": ("nowak's turn, dubois's key", scene.with_files(resigned(good_file, "dubois"))),
        "edited-orders": ("halt instead of go, after signing", scene.with_files({**good_file, "orders": ["halt"]})),
        "edited-dice": ("a note was added after signing", scene.with_files({**good_file, "note": ["x"]})),
        "key-changed-without-the-old-key": ("a new key signs itself in", scene.with_files(seat_file(scene, good_file))),
        "forged-second-turn": (
            "a second turn that he did not sign",
            scene.with_files(good_file, resigned({**good_file, "orders": ["halt"]}, "yamada")),
        ),
        "charter-edited": ("the rules version of the charter was changed", edited_charter(scene, good_file)),
        "other-namespace": ("a good signature for namespace file", scene.with_files(for_namespace_file(good_file))),
    }
    yield from failing(
        "log", "bad signature", good, forged, "attack: edited after signing; key changed without the old key; other namespace"
    )
    assert nowak.name == "nowak"
    witness = with_umpire().until(
        lambda s: s.table.due.what == "witness" and s.table.due.player == "novotna" and len(s.log) > 3
    )
    yours = witness.write(Draft())
    instead = resigned({**yours, "player": "yamada", "link": link_of(witness, "yamada")}, "yamada")
    yield Vector(
        "log", "player-for-the-umpire", "wrong key", "a player turns dice that are the umpire's to turn",
        witness.with_files(instead), witness.with_files(yours), "attack: pick who turns the dice", "rules",
    )  # fmt: skip


def link_of(scene: Scene, name: str) -> str:
    """A player's next link."""
    who = next(p for p in scene.party if p.name == name)
    return who.secrets().link(scene.table.ledger.chains[name].shown + 1)


def turn_of_another(scene: Scene, name: str) -> Document:
    """Red's orders by somebody who was not asked."""
    return resigned({**scene.write(Draft(orders=["go"])), "player": name, "link": link_of(scene, name)}, name)


def resigned(document: Document, name: str) -> Document:
    """Signed by this key, whatever it says."""
    return {**document, "signature": sshsig.sign(person(name).private, signed_bytes(document))}


def for_namespace_file(document: Document) -> Document:
    """Signed by its author for another purpose."""
    import base64

    from tests.protocol.vector_sets.signing import _preimage

    raw = person(document["player"]).private.sign(_preimage(b"file", b"sha512", signed_bytes(document)))
    return {**document, "signature": base64.b64encode(raw).decode()}


def seat_file(scene: Scene, good: Document) -> Document:
    """A file that gives nowak's seat a key of dubois's choosing."""
    own = {k: good[k] for k in ("pbem", "game", "seq", "prev", "player", "link")}
    seat = {
        "player": "nowak",
        "key": public("dubois"),
        "chain": "11" * 32,
        "chain_length": 512,
        "draws": "22" * 32,
        "from": good["seq"] + 1,
    }
    return resigned({**own, "type": "seat", "seat": seat}, "dubois")


def edited_charter(scene: Scene, good: Document) -> bytes:
    return plain(bundle([{**scene.log[0], "rules_version": 2}, *scene.log[1:], good], []))


def forked(scene: Scene) -> bytes:
    """The file before comes in two versions; the last one answers the version that is not in the log."""
    before = scene.log[-1]
    writer = next(p for p in scene.party if p.name == before["player"])
    other = writer.sign({**before, "note": ["the other version"]})
    from pbem.protocol.ids import document_id

    return scene.with_files(scene.write(Draft(orders=["go"]), prev=document_id(other)))


def cut(scene: Scene, good: Document) -> bytes:
    middle = len(scene.log) // 2
    return plain(bundle([*scene.log[:middle], *scene.log[middle + 1 :], good], []))


def orders_after_dice() -> bytes:
    """Yamada stops the march, sees the dice that follow, and would rather let it pass."""
    scene = Scene.start().until(asks("red", "march"))
    scene.go(Draft(orders=["go"]))
    second = scene.write(Draft(orders=["let pass"]))
    scene.go(Draft(orders=["stop"]))
    scene.go(Draft())
    return scene.with_files(second)


# -- dice and state -------------------------------------------------------------------------------------------------------


def record_faults() -> Iterator[Vector]:
    """A record of dice or state that is not what the seed and the rules give."""
    scene = before_the_dice()
    document = scene.write(Draft())
    rolls, good = document["dice"], scene.with_files(document)
    first = rolls[0]

    def stated(comment: str, dice: Any) -> tuple[str, bytes]:
        return comment, scene.with_files(scene.write(Draft(), dice=dice))

    cases = {
        "die-changed": stated("a six is wished for", [{**first, "dice": [n % 6 + 1 for n in first["dice"]]}, *rolls[1:]]),
        "other-label": stated("another label", [{**first, "label": first["label"] + "!"}, *rolls[1:]]),
        "other-index": stated("counted from 1", [{**r, "roll": r["roll"] + 1} for r in rolls]),
        "other-sides": stated("a ten-sided die", [{**first, "sides": 10}, *rolls[1:]]),
    }
    yield from failing("log", "bad dice", good, cases, "attack: wrong dice")
    added = {"die-added": stated("one die more", [{**first, "dice": [*first["dice"], 6]}, *rolls[1:]])}
    yield from failing("log", "bad dice", good, added, "attack: wrong dice", **RULES)
    lost = stated("the last roll is left out", rolls[:-1] or ...)
    yield Vector("log", "roll-left-out", "bad dice", lost[0], lost[1], good, "attack: wrong dice", "rules")
    march = Scene.start().until(asks("red", "march"))
    wrong = march.with_files(march.write(Draft(orders=["go"]), state="ab" * 32))
    right = march.with_files(march.write(Draft(orders=["go"])))
    yield Vector("log", "other-state", "diverged", "another state before the orders", wrong, right, "SPEC 5", "rules")


# -- orders ---------------------------------------------------------------------------------------------------------------


def order_faults() -> Iterator[Vector]:
    """Orders that the rules refuse."""
    scene = Scene.start().until(asks("red", "march"))
    good_file = scene.write(Draft(orders=["go"]))
    good = scene.with_files(good_file)

    silent = {k: v for k, v in good_file.items() if k not in ("orders", "state")}

    def ordered(comment: str, *orders: Any) -> tuple[str, bytes]:
        return comment, scene.with_files(scene.due.sign({**good_file, "orders": [*orders]}))

    cases = {
        "left-over": ordered("orders beyond the question of the other side", "go", "go", "go"),
        "unknown-order": ordered("no such order", "fly"),
        "homoglyph": ordered("a Cyrillic o", "g\u043e"),
        "bidi": ordered("a direction mark", "\u202ego"),
        "template": ordered("a template", "{{ 7*7 }}"),
        "one-of-two-wrong": ordered("one order is wrong: no order stands", "fly", "go"),
        "nothing-asked-for": ("it brings nothing of what is asked", scene.with_files(scene.due.sign(silent))),
    }
    yield from failing_by_rule(good, cases)
    cases = {
        "decline-without-offer": ("nothing was offered", scene.with_files(bare(scene, "decline"))),
        "accept-without-offer": ("nothing was offered", scene.with_files(bare(scene, "accept", accepts="ab" * 32))),
        "undo-of-no-orders": ("file 2 holds no orders", scene.with_files(bare(scene, "undo", to=2))),
        "undo-of-the-future": ("a file that does not exist", scene.with_files(bare(scene, "undo", to=900))),
    }
    yield from failing_by_rule(good, cases, "")
    waiting = Scene.start()
    waiting.go()
    offer = bare(waiting, "offer", offer={"draw": True})
    case = {"offer-by-the-witness": ("who turns dice and has no orders to give offers nothing", waiting.with_files(offer))}
    yield from failing_by_rule(waiting.with_files(waiting.write(Draft())), case)
    offered = Scene.start().until(asks("red", "march"))
    offered.go(Draft(type="offer", extra={"offer": {"draw": True}}))
    accepts = offered.table.ledger.offer.id if offered.table.ledger.offer else ""
    yes = offered.with_files(bare(offered, "accept", accepts=accepts))
    case = {
        "accepts-another-offer": ("the id is of another file", offered.with_files(bare(offered, "accept", accepts="ab" * 32))),
        "turn-instead-of-answer": ("an offer waits for its answer", offered.with_files(bare(offered, "turn"))),
    }
    yield from failing_by_rule(yes, case, "")
    sealing = Scene.start().until(lambda s: s.table.due.what == "seal" and isinstance(s.table.engine.request, Simultaneous))
    sealed = sealing.write()
    case = {
        "bid-not-sealed": ("the first bid of two stands open", sealing.with_files(sealing.due.sign({**sealed, "orders": [3]})))
    }
    yield from failing_by_rule(sealing.with_files(sealed), case)


def failing_by_rule(good: bytes, cases: dict[str, tuple[str, bytes]], needs: str = "rules") -> Iterator[Vector]:
    for name, (comment, body) in cases.items():
        yield Vector(
            "log", name, "refused by rule", comment, body, good, "SPEC 7, 9; attack: homoglyph, template injection", needs
        )


def bare(scene: Scene, kind: str, **own: Any) -> Document:
    """A file of the player who is due, written without asking the engine."""
    who = scene.due
    head = {"pbem": 1, "type": kind, "game": scene.table.charter.game_id, "seq": len(scene.log)}
    link = {"prev": scene.table.ledger.entries[-1].id, "player": who.name, "link": link_of(scene, who.name)}
    return who.sign({**head, **link, **own})


# -- hidden things ----------------------------------------------------------------------------------------------------------


def opening_faults() -> Iterator[Vector]:
    """Commitments and openings that are missing or do not fit."""
    covers = "SPEC 8; attack: no reveal, swap a card"
    scene = Scene.start().until(lambda s: bool(s.due.write(s.draft()).document.get("commit")))
    document = scene.write()
    good, commit = scene.with_files(document), document["commit"][0]

    def changed(comment: str, **changes: Any) -> tuple[str, bytes]:
        made = {k: v for k, v in {**document, **changes}.items() if v is not ...}
        return comment, scene.with_files(scene.due.sign(made))

    cases = {
        "no-commitment": changed("no commitments to a draw, and an item of it", commit=...),
        "too-few-commitments": changed("the commitment is missing", commit=[{**commit, "items": commit["items"][:-1]}]),
        "commitment-twice": changed("two commitments to one draw", commit=[commit, commit]),
    }
    yield from failing("log", "bad opening", good, cases, covers)
    none = changed("a draw that was not made", commit=[commit, {**commit, "draw": 7}])
    yield Vector("log", "commitment-to-no-draw", "bad opening", *none, good, covers, "rules")
    again = Scene.start().until(lambda s: s.table.ledger.commits and s.due.name == "nowak")  # type: ignore[arg-type,return-value]
    file, given = again.write(), next(f for f in again.log if f.get("commit"))["commit"]
    case = {
        "commitment-again": ("a draw that he has committed to", again.with_files(again.due.sign({**file, "commit": given})))
    }
    yield from failing("log", "bad opening", again.with_files(file), case, covers)
    card = Scene.start().until(asks("red", "card"))
    held = card.table.engine.state.hand
    play = card.write(Draft(orders=[{"play": held[0]}]))
    entry = play["open"][0]
    other = {**entry, "item": "storm" if entry["item"] != "storm" else "ruse"}
    unasked = {"handle": held[1], "item": "ruse", "salt": "11" * 32}
    opened = card.with_files(play)
    swapped = {
        "card-swapped": ("a card that he did not commit to", card.with_files(card.due.sign({**play, "open": [other]}))),
        "other-salt": ("another salt", card.with_files(card.due.sign({**play, "open": [{**entry, "salt": "11" * 32}]}))),
        "opened-unasked": (
            "a card that nobody asked for, and not his",
            card.with_files(card.due.sign({**play, "open": [entry, unasked]})),
        ),
    }
    yield from failing("log", "bad opening", opened, swapped, covers)
    bid = Scene.start().until(lambda s: s.table.due.what == "open")
    shown = bid.write(Draft())
    entry = shown["open"][0]
    other = {**entry, "order": 5 if entry["order"] != 5 else 4}
    late = {"seal-opened-otherwise": ("another bid than was sealed", bid.with_files(bid.due.sign({**shown, "open": [other]})))}
    yield from failing("log", "bad opening", bid.with_files(shown), late, covers)
    without = bid.due.sign({k: v for k, v in shown.items() if k != "open"})
    yield Vector(
        "log",
        "seal-not-opened",
        "refused by rule",
        "no reveal",
        bid.with_files(without),
        bid.with_files(shown),
        covers,
        "rules",
    )


def renewal_faults() -> Iterator[Vector]:
    """Chains that run out."""
    covers = "SPEC 4; attack: make a new chain when it suits"
    scene = renewing()
    first = scene.write()
    silent = scene.due.sign({k: v for k, v in first.items() if k != "next_chain"})
    case = {"renewal-not-announced": ("63 links left and no new chain", scene.with_files(silent))}
    yield from failing("log", "bad chain", scene.with_files(first), case, covers)
    later = renewing().until(lambda s: s.table.due.player == "nowak" and len(s.log) > 2)
    who = later.due
    assert isinstance(who, Renewing)
    good = later.write()

    def linked(comment: str, link: str) -> tuple[str, bytes]:
        return comment, later.with_files(who.sign({**good, "link": link}))

    cases = {
        "old-chain-after-renewal": linked("the old chain is dead", who.first_value(2)),
        "new-chain-skips-a-link": linked("the new chain begins with its first link", who.spare_value(2)),
        "new-chain-tip": linked("the tip is no link", who.spare_value(0)),
    }
    yield from failing("log", "bad chain", later.with_files(good), cases, covers)


# -- audits -----------------------------------------------------------------------------------------------------------------


def audit_vectors() -> Iterator[Vector]:
    """Games with everybody's audit slips."""
    whole = Scene.start(2, cards="pass").to_the_end()
    good = audited(whole)
    yield Vector("audit", "clean", "done", "all keys and seals shown, all claims true", good, covers="SPEC 10")
    kinds = Scene.start(2, cards="pass").until(asks("red", "march"))
    odd = {"\U0001f3b2": [["x"]], "\uff21": [["y"]], "z": [["z"]]}
    kinds.go(Draft(orders=["go"], sealed_standing=odd))
    comment = "seals are numbered by kind in the order of code points"
    yield Vector("audit", "seals-by-kind", "done", comment, audited(kinds.to_the_end()), covers="SPEC 5, 10")
    planning = Scene.start(2, cards="pass", version=2).until(asks("red", "march"))
    steps: list[Any] = [{"at": "march", "do": ["go"], "sealed": True}, {"at": "march", "do": ["halt"]}]
    steps += [{"at": "march", "do": ["halt"], "sealed": True}]
    planning.go(Draft(orders=["go"], sealed_standing={"loss": ["foot"]}, plan=steps))
    comment = "sealed steps of a plan are numbered behind the sealed standing orders"
    yield Vector("audit", "plan", "done", comment, audited(planning.to_the_end()), covers="SPEC 5, 7, 10")
    yield Vector("audit", "clean-with-undo", "done", "after an undo", audited(undone()), covers="SPEC 10, 9")

    def cheat(slips: list[Document], who: str, key: str, change: Callable[[list[Any]], list[Any]]) -> bytes:
        made = [{**s, key: change(copy.deepcopy(s[key]))} if s["player"] == who else s for s in slips]
        return plain(bundle(whole.log, [resigned(s, s["player"]) for s in made]))

    slips = audit_slips(whole)
    cases = {
        "refused": ("nowak publishes nothing", plain(bundle(whole.log, [s for s in slips if s["player"] != "nowak"]))),
        "key-missing": ("one draw key is kept back", cheat(slips, "nowak", "keys", lambda k: k[:-1])),
        "key-invented": (
            "a key that is not in the tree",
            cheat(slips, "nowak", "keys", lambda k: [{**k[0], "key": "11" * 32}, *k[1:]]),
        ),
        "path-of-another-draw": (
            "the path of another draw",
            cheat(slips, "nowak", "keys", lambda k: [{**k[0], "path": k[1]["path"]}, *k[1:]]),
        ),
        "seal-missing": ("a seal stays closed", cheat(slips, "yamada", "open", lambda o: o[1:])),
        "seal-opened-otherwise": (
            "another content than was sealed",
            cheat(slips, "yamada", "open", lambda o: [{**o[0], "order": 3}, *o[1:]]),
        ),
    }
    attack = "SPEC 10; attack: lie, win, refuse the audit"
    yield from failing("audit", "audit: lie proved", good, cases, attack)
    by_rules = {
        "false-claim": ("yamada misstates his private die", audited(lying_scout())),
        "swapped-card": ("nowak committed to cards that he did not draw", audited(swapping_red())),
    }
    yield from failing("audit", "audit: lie proved", good, by_rules, attack, **RULES)


def audit_slips(scene: Scene) -> list[Document]:
    """Everybody's disclosure, signed."""

    made = []
    for who in scene.party:
        content = disclose(who.table, who.knowledge(), who.draw_keys())
        head = who.table.ledger.entries[-1].id
        slip = slip_module.make("audit", who.table.charter.game_id, head, who.name, content, who.table.charter.version)
        made.append(slip_module.sign(slip, who.private))
    return made


def audited(scene: Scene) -> bytes:
    return plain(bundle(scene.log, audit_slips(scene)))


def lying_scout() -> Scene:
    """The first scouting die is misstated by more than the rules allow."""

    def scouting(scene: Scene) -> bool:
        return isinstance(scene.table.engine.request, Claim) and scene.table.due.player == "yamada"

    scene = Scene.start(2, cards="pass").until(scouting)
    document = scene.write(Draft())
    entry = next(e for e in document["open"] if "claim" in e)
    false = {**entry, "value": 6 if entry["value"] < 4 else 1}
    entries = [false if e is entry else e for e in document["open"]]
    deliver(scene, scene.due.sign({k: v for k, v in {**document, "open": entries}.items() if k != "state"}))
    return scene.to_the_end()


def swapping_red() -> Scene:
    """Red commits to a charge where he drew something else, and never plays it."""
    scene = Scene.start(2, cards="pass").until(
        lambda s: s.due.name == "nowak" and bool(s.due.write(s.draft()).document.get("commit"))
    )
    document = scene.write()
    commit, nowak = document["commit"][0], scene.due
    drawn = nowak.knowledge().items(scene.table.ledger.draws[commit["draw"]])
    item = next(c for c in ("charge", "feint") if c != drawn[0])
    salt = draws.salt(nowak.draw_keys()[commit["draw"]], 0)
    false = draws.commitment(scene.table.charter.game_id, key_bytes(public("nowak")), commit["draw"], 0, salt, item)
    deliver(scene, nowak.sign({**document, "commit": [{**commit, "items": [false, *commit["items"][1:]]}]}))
    return scene.to_the_end()


def deliver(scene: Scene, document: Document) -> None:
    """Everybody takes a file."""
    from pbem.protocol.strict_yaml import write_document

    for who in scene.party:
        who.receive(write_document(document))


# -- stored logs --------------------------------------------------------------------------------------------------------------


def store_vectors() -> Iterator[Vector]:
    """The log of a game folder, line by line."""
    scene = Scene.start().until(asks("red", "march"))
    lines = stored(scene.log)
    good = b"".join(lines)
    yield Vector("store", "good", "done", "the charter and some files", good, covers="log")
    yield Vector("store", "empty", "done", "nothing yet", b"", covers="log")
    torn = good + lines[-1][:40]
    yield Vector("store", "torn", "done", "an unfinished last line was never acknowledged", torn, covers="log")
    entry = json.loads(lines[2])
    moved = canonical({**entry, "received": "2026-01-01T00:00:00Z"}) + b"\n"
    cases = {
        "entry-changed": ("the time of receipt of entry 2 was changed", b"".join([*lines[:2], moved, *lines[3:]])),
        "entry-dropped": ("entry 2 is missing", b"".join([*lines[:2], *lines[3:]])),
        "entry-doubled": ("entry 2 stands twice", b"".join([*lines[:3], *lines[2:]])),
        "entries-swapped": ("entries 1 and 2 changed places", b"".join([lines[0], lines[2], lines[1], *lines[3:]])),
        "beginning-cut": ("the charter is missing", b"".join(lines[1:])),
        "number-changed": ("entry 2 says that it is entry 3", good.replace(b'"n":2,', b'"n":3,')),
        "not-canonical": ("a blank more in entry 1", b"".join([lines[0], lines[1].replace(b'"n":1', b'"n": 1'), *lines[2:]])),
        "not-json": ("entry 1 is not JSON", b"".join([lines[0], b"#" + lines[1], *lines[2:]])),
        "not-utf-8": ("a byte that is not UTF-8", b"".join([lines[0], lines[1].replace(b"turn", b"t\xffrn"), *lines[2:]])),
        "not-a-mapping": ("entry 1 is a list", b"".join([lines[0], b"[]\n", *lines[2:]])),
    }
    yield from failing("store", "log damaged", good, cases, "attack: fork, rewrite, cut the log")


def stored(documents: list[Document]) -> list[bytes]:
    """Lines as a game folder keeps them."""
    lines, head = [], START
    for n, document in enumerate(documents):
        kind = "file" if n else "charter"
        line = canonical({"n": n, "prev": head, "kind": kind, "received": "2026-01-02T03:04:05Z", "document": document})
        head = sha256_hex(line)
        lines.append(line + b"\n")
    return lines


def vectors() -> Iterator[Vector]:
    """Logs, audits, stored logs."""
    makers = (
        good_games,
        header_faults,
        record_faults,
        order_faults,
        opening_faults,
        renewal_faults,
        audit_vectors,
        store_vectors,
    )
    for make in makers:
        yield from make()
