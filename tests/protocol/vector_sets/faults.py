"""Which fault gives which word (SPEC 12), row by row, and which of two faults is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.protocol import slips as slip_module
from pbem.protocol import strict_yaml
from pbem.protocol.ids import document_id
from pbem.runtime.composing import Draft
from tests.protocol.vector_sets.form import Vector, failing
from tests.protocol.vector_sets.games import (
    RULES,
    Document,
    Scene,
    accept_all,
    asks,
    link_of,
    renewing,
    resigned,
)
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import GAME
from tests.toygame.test_owed_openings import owing
from tests.toygame.test_umpire import stand_in

COVERS = "SPEC 12"
OTHER, STRANGER = "ab" * 32, "stranger"
Cases = dict[str, tuple[str, bytes]]


def at_the_march(version: int = 1) -> Scene:
    """Red is asked whether it marches: the next file is nowak's."""
    return Scene.start(version=version).until(asks("red", "march"))


def go(scene: Scene, **changes: Any) -> Document:
    """The file that answers, changed and signed."""
    return scene.write(Draft(orders=["go"]), **changes)


def before_the_place() -> Iterator[Vector]:
    """Shape, game, version, player, signature: what is judged before the place."""
    scene = at_the_march()
    good_file = go(scene)
    good = scene.with_files(good_file)

    def case(comment: str, document: Document) -> tuple[str, bytes]:
        return comment, scene.with_files(document)

    def forged(**changes: Any) -> Document:
        return resigned({**good_file, **changes}, "yamada")

    cases = {
        "shape-before-game": case(
            "an unknown key, and another game", resigned({**good_file, "surprise": 1, "game": OTHER}, "nowak")
        )
    }
    cases["other-version-than-the-charter"] = case("the charter says 1, the file 2", go(scene, pbem=2))
    yield from failing("log", "unreadable", good, cases, COVERS)
    cases = {
        "game-before-version": case("another game, and another version", go(scene, game=OTHER, pbem=2)),
        "game-before-player": case("another game, and a stranger", go(scene, game=OTHER, player=STRANGER)),
        "game-before-signature": case("another game, and not signed by him", forged(game=OTHER)),
    }
    yield from failing("log", "foreign game", good, cases, COVERS)
    cases = {
        "stranger-before-signature": case("a stranger, and no key that could have signed", forged(player=STRANGER)),
        "signed-by-a-stranger": case("signed for nowak by somebody unknown", go(scene, signed_by=STRANGER)),
        "signed-by-an-opponent": case("signed for nowak by somebody who is no umpire", forged(signed_by="yamada")),
        "signer-before-signature": case(
            "signed for nowak by yamada, who is no umpire, with another key",
            resigned({**good_file, "signed_by": "yamada"}, "dubois"),
        ),
        "signed-by-himself": case("nowak signs for himself", go(scene, signed_by="nowak")),
    }
    yield from failing("log", "wrong key", good, cases, COVERS)
    known = scene.log[-1]
    other = next(name for name in ("yamada", "dubois") if name != known["player"])
    cases = {
        "signature-before-prev": case("not signed by him, and it follows another file", forged(prev=OTHER)),
        "signature-before-gap": case("not signed by him, and the place after next", forged(seq=len(scene.log) + 1)),
        "signature-before-author": case("not signed by dubois, who is not due either", forged(player="dubois")),
        "signature-before-link": case("not signed by him, and another link", forged(link=OTHER)),
        "known-file-damaged": case("the newest file of the log, its signature another's", resigned(known, other)),
    }
    yield from failing("log", "bad signature", good, cases, COVERS + "; attack: edited after signing")
    cases = {"gap-before-prev": case("the place after next, after an unknown file", go(scene, seq=9000, prev=OTHER))}
    cases["gap-before-link"] = case("the place after next, with another link", go(scene, seq=9000, link=OTHER))
    yield from failing("log", "waiting", good, cases, COVERS)


def keys_of_a_player() -> Iterator[Vector]:
    """A key that was given up; files behind a gap, where the key that holds need not be known yet."""
    scene = with_a_new_key()
    good_file = scene.write(Draft(orders=["go"]))
    good = scene.with_files(good_file)
    old = {"older-key": ("signed with the key that he gave up", scene.with_files(resigned(good_file, "nowak")))}
    wrong = resigned({**good_file, "prev": OTHER}, "nowak")
    old["older-key-before-prev"] = ("the key that he gave up, and another file before", scene.with_files(wrong))
    yield from failing("log", "wrong key", good, old, COVERS + "; attack: key changed without the old key")
    ahead = resigned({**good_file, "seq": 9000}, "nowak")
    behind = {"older-key-behind-a-gap": ("a place that is not reached yet", scene.with_files(ahead))}
    yield from failing("log", "waiting", good, behind, COVERS)


def with_a_new_key() -> Scene:
    """Nowak has changed his key, chain and draw tree, and all have accepted; red is asked whether it marches."""
    scene = at_the_march()
    nowak = scene.due
    new = nowak.record_of("second")
    seat = {"player": "nowak", "key": new.key, "chain": new.chain, "chain_length": new.chain_length, "draws": new.draws}
    scene.go(Draft(type="seat", extra={"seat": {**seat, "from": len(scene.log) + 3}}))
    accept_all(scene)
    nowak.begin("second")
    return scene


def at_a_filled_place() -> Iterator[Vector]:
    """The log has a file there: the same, one by the umpire, somebody else's, another version, a replaced one, a second one."""
    scene = at_the_march()
    first, second = go(scene), scene.write(Draft(orders=["halt"]))
    good = scene.with_files(first)
    by_yamada = resigned({**second, "player": "yamada", "link": link_of(scene, "yamada")}, "yamada")
    cases = {"filled-by-another": ("a file of yamada's at nowak's place", scene.with_files(first, by_yamada))}
    yield from failing("log", "wrong key", good, cases, COVERS)
    apart = scene.due.sign({**second, "prev": OTHER})
    cases = {"filled-and-parted": ("a second file, which follows another one", scene.with_files(first, apart))}
    yield from failing("log", "bad chain", good, cases, COVERS + "; attack: forked history")
    refusal = refusal_of(scene, first, "dubois")
    replaced = scene.due.sign({**second, "replaces": document_id(first), "slips": [refusal]})
    cases = {"filled-and-replaced": ("it replaces a file that is valid here", scene.with_files(first, replaced))}
    yield from failing("log", "diverged", good, cases, COVERS)
    wrong = scene.due.sign({**second, "state": OTHER, "replaces": document_id(first), "slips": [refusal]})
    both = [refusal, refusal_of(scene, wrong, "dubois")]
    later = scene.due.sign({**second, "replaces": document_id(wrong), "slips": both})
    cases = {
        "filled-and-replaced-twice": ("it replaces what replaced a file that is valid here", scene.with_files(first, later))
    }
    yield from failing("log", "diverged", good, cases, COVERS)
    untold = scene.due.sign({**later, "slips": both[1:]})
    cases = {"filled-and-replaced-untold": ("the refusal of the file here is not told", scene.with_files(first, untold))}
    yield from failing("log", "equivocation proved", good, cases, COVERS)
    alone = scene.due.sign({**second, "replaces": document_id(first)})
    cases = {"filled-and-replaced-without-refusal": ("no refusal comes with it", scene.with_files(first, alone))}
    yield from failing("log", "equivocation proved", good, cases, COVERS)


def refusal_of(scene: Scene, document: Document, by: str) -> Document:
    """A signed refusal of a file at the next place."""
    content = {"file": document_id(document), "outcome": "diverged", "reason": "state before the orders"}
    head = scene.table.ledger.entries[document["seq"] - 1].id
    slip = slip_module.make("refusal", scene.table.charter.game_id, head, by, content, scene.table.charter.version)
    return resigned(slip, by)


def replacements() -> Iterator[Vector]:
    """A file that takes the place of one that was refused."""
    scene = at_the_march()
    wrong = go(scene, state=OTHER)
    refusal = refusal_of(scene, wrong, "yamada")
    right = go(scene, replaces=document_id(wrong), slips=[refusal])
    good = scene.with_files(right)
    yield Vector("log", "replacement", "done", "it takes the place of a refused file", good, covers="SPEC 9")
    by_himself = refusal_of(scene, wrong, "nowak")
    elsewhere = {**refusal, "head": scene.table.ledger.entries[1].id}
    cases = {
        "replaces-without-refusal": ("nobody refused it", go(scene, replaces=OTHER)),
        "replaces-another-file": ("another file was refused", go(scene, replaces=OTHER, slips=[refusal])),
        "refused-by-himself": ("the refusal is his own", go(scene, replaces=document_id(wrong), slips=[by_himself])),
        "refused-elsewhere": (
            "the refusal is of another place",
            go(scene, replaces=document_id(wrong), slips=[resigned(elsewhere, "yamada")]),
        ),
        "refusal-not-signed": (
            "the refusal was changed after signing",
            go(scene, replaces=document_id(wrong), slips=[{**refusal, "reason": "x"}]),
        ),
        "replacement-before-link": ("nobody refused it, and another link", go(scene, replaces=OTHER, link="cd" * 32)),
    }
    made = {name: (comment, scene.with_files(document)) for name, (comment, document) in cases.items()}
    yield from failing("log", "refused by rule", good, made, "SPEC 9, 12")


# -- an umpire with the escrow -------------------------------------------------------------------------------------------


def with_escrow() -> Scene:
    """Smith holds the secrets of all chains; the witness who is due does not answer."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"]), Person("smith", [])]
    found_game(GAME, party, {}, role="escrow", pbem=1)
    scene = Scene(party).until(asks("red", "march"))
    scene.go(Draft(orders=["go"]))
    scene.go(Draft(orders=["stop"]))
    assert scene.table.due.what == "witness"
    return scene


def stand_ins() -> Iterator[Vector]:
    """Files that an umpire signs for somebody else."""
    scene = with_escrow()
    smith = next(p for p in scene.party if p.name == "smith")
    document, own = stand_in(smith), scene.write(Draft())
    good = scene.with_files(document)
    yield Vector("log", "stand-in", "done", "the umpire shows the link that is due", good, covers="SPEC 9")
    late = {"stand-in-then-own": ("the player's own file comes late", scene.with_files(document, own))}
    late["own-then-stand-in"] = ("the umpire's file comes late", scene.with_files(own, document))
    yield from failing("log", "already known", good, late, COVERS)
    other = scene.due.sign({**own, "link": OTHER})
    case = {"stand-in-then-own-with-another-link": ("another link than the umpire showed", scene.with_files(document, other))}
    yield from failing("log", "bad chain", good, case, COVERS)
    more = {
        "stand-in-with-orders": ("the umpire decides", smith.sign({**document, "orders": ["go"]})),
        "stand-in-with-a-standing-order": ("a standing order", smith.sign({**document, "standing": {"loss": ["foot"]}})),
        "stand-in-with-a-new-chain": (
            "a new chain",
            smith.sign({**document, "next_chain": {"tip": OTHER, "length": 512}}),
        ),
        "stand-in-that-offers": ("an offer", smith.sign({**document, "type": "offer", "offer": {"draw": True}})),
    }
    made = {name: (comment, scene.with_files(file)) for name, (comment, file) in more.items()}
    yield from failing("log", "refused by rule", good, made, "SPEC 9")
    decided = with_escrow_at_the_march()
    file = decided.write(Draft(orders=["go"]))
    smith = next(p for p in decided.party if p.name == "smith")
    for_orders = smith.sign({**{k: v for k, v in file.items() if k != "orders"}, "signed_by": "smith"})
    yield Vector(
        "log", "stand-in-for-orders", "refused by rule", "orders are due, which are the player's own",
        decided.with_files(for_orders), decided.with_files(file), "SPEC 9", "rules",
    )  # fmt: skip


def stand_ins_before_openings() -> Iterator[Vector]:
    """The umpire shows the link that an opening owes to dice, once; the opening stays due from its player."""
    scene = Scene(owing(GAME, "escrow"))
    shown = stand_in(scene.party[-1])
    for person in scene.party:
        person.receive(strict_yaml.write_document(shown))
    again, good = stand_in(scene.party[-1]), scene.with_files(scene.write())
    yield Vector("log", "stand-in-before-an-opening", "done", "its link turns dice, its player opens", good, covers="SPEC 9")
    name, twice = "stand-in-before-an-opening-twice", scene.with_files(again)
    yield Vector("log", name, "refused by rule", "no dice wait for this link", twice, good, "SPEC 9", "rules")


def with_escrow_at_the_march() -> Scene:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"]), Person("smith", [])]
    found_game(GAME, party, {}, role="escrow", pbem=1)
    return Scene(party).until(asks("red", "march"))


# -- renewals, slips, state ------------------------------------------------------------------------------------------------


def announcements() -> Iterator[Vector]:
    """Next chains and draw trees: copied, announced twice, with an escrow that nobody holds."""
    scene = renewing()
    first = scene.write()
    good = scene.with_files(first)
    chain, record = first["next_chain"], scene.log[0]["players"]["nowak"]

    def announced(comment: str, **changes: Any) -> tuple[str, bytes]:
        return comment, scene.with_files(scene.due.sign({**first, **changes}))

    copied = {
        "next-chain-copied": announced("the tip of another player's chain", next_chain={**chain, "tip": record["chain"]}),
        "next-draws-copied": announced("the root of another player's draw keys", next_draws=record["draws"]),
    }
    yield from failing("log", "refused by rule", good, copied, "SPEC 4, 8; attack: copy a tip, root or seal")
    escrow = first["signature"][:86] + "A" * 21 + "="
    given = {"next-chain-with-escrow": announced("an escrow for nobody", next_chain={**chain, "escrow": escrow})}
    given["link-before-slips"] = announced("another link, and a slip of another game", link=OTHER, slips=[{"game": OTHER}])
    yield from failing("log", "bad chain", good, given, "SPEC 3, 4, 12")
    who = scene.due
    scene.go()
    scene.go()
    again = scene.until(lambda s: s.due is who)
    file = {**again.write(), "next_chain": chain}
    twice = Vector(
        "log", "next-chain-twice", "refused by rule", "the tip that took over, announced again",
        again.with_files(who.sign(file)), again.with_files(again.write()), "SPEC 4",
    )  # fmt: skip
    yield twice


def slips_in_files() -> Iterator[Vector]:
    """Slips that a file takes into the log are judged like slips alone; their head is in the log."""
    scene = at_the_march()
    game, head = scene.table.charter.game_id, scene.table.ledger.entries[-1].id

    def slip(by: str = "dubois", signer: str = "", **changes: Any) -> Document:
        made = slip_module.make("request", game, head, by, {"text": "May I?"}, 1)
        return resigned({**made, **changes}, signer or by)

    def holding(one: Document) -> bytes:
        return scene.with_files(go(scene, slips=[one]))

    good = holding(slip())
    yield Vector("log", "slip", "done", "a file that holds a slip", good, covers="SPEC 9")
    for expect, cases in {
        "unreadable": {
            "slip-with-an-unknown-key": ("a key that is not known", slip(surprise=1)),
            "slip-of-another-version": ("the charter says 1, the slip 2", slip(pbem=2)),
        },
        "foreign game": {"slip-of-another-game": ("a slip of another game", slip(game=OTHER))},
        "wrong key": {"slip-of-a-stranger": ("by somebody who does not play", slip(STRANGER, "yamada"))},
        "bad signature": {"slip-forged": ("not signed by dubois", slip(signer="yamada"))},
        "bad chain": {"slip-on-an-unknown-head": ("its head is not in the log", slip(head=OTHER))},
    }.items():
        made = {name: (comment, holding(one)) for name, (comment, one) in cases.items()}
        yield from failing("log", expect, good, made, "SPEC 9, 12")
    changed = with_a_new_key()
    head = changed.table.ledger.entries[-1].id
    old = resigned(slip_module.make("request", game, head, "nowak", {"text": "May I?"}, 1), "nowak")
    new = slip_module.sign(slip_module.make("request", game, head, "nowak", {"text": "May I?"}, 1), changed.due.private)
    yield Vector(
        "log", "slip-with-an-older-key", "wrong key", "signed with a key that he gave up",
        changed.with_files(go(changed, slips=[old])), changed.with_files(go(changed, slips=[new])), "SPEC 9, 12",
    )  # fmt: skip
    yield from proofs_in_files()


def proofs_in_files() -> Iterator[Vector]:
    """A proof of two files at one place, taken into the log by somebody else."""
    scene = at_the_march()
    first, second = go(scene), scene.write(Draft(orders=["halt"]))
    scene.go(Draft(orders=["go"]))

    def proof(*files: Document) -> bytes:
        head = scene.table.ledger.entries[-1].id
        made = slip_module.make("equivocation", scene.table.charter.game_id, head, "yamada", {"files": [*files]}, 1)
        return scene.with_files(scene.write(slips=[resigned(made, "yamada")]))

    assert scene.due.name == "yamada"
    good = proof(first, second)
    yield Vector("log", "proof-in-a-file", "done", "the opponent shows two files", good, covers="SPEC 9")
    cases = {"proof-forged": ("the accuser signed the second file", proof(first, resigned(second, "yamada")))}
    yield from failing("log", "bad signature", good, cases, "SPEC 9; attack: two turns for one slot")


def states() -> Iterator[Vector]:
    """From version 2 on every file names its state; before, it may."""
    one, two = at_the_march(), at_the_march(2)
    bare = {k: v for k, v in go(one).items() if k != "state"}
    yield Vector(
        "log",
        "no-state",
        "done",
        "version 1: a file may leave its state out",
        one.with_files(one.due.sign(bare)),
        covers="SPEC 5",
    )
    good = two.with_files(go(two))
    cases = {
        "no-state-in-version-2": ("the state is missing", two.with_files(go(two, state=...))),
        "null-state-in-version-2": ("the state is null", two.with_files(go(two, state=None))),
        "version-1-in-a-game-of-2": ("the charter says 2, the file 1", two.with_files(go(two, pbem=1))),
    }
    yield from failing("log", "unreadable", good, cases, "SPEC 5")
    other = {"other-state-in-version-2": ("another state before the orders", two.with_files(go(two, state=OTHER)))}
    yield from failing("log", "diverged", good, other, "SPEC 5", **RULES)
    whole = Scene.start(3, version=2).to_the_end()
    yield Vector("log", "whole-game-2", "done", "a game of version 2 to its end", whole.with_files(), covers="SPEC 4 to 9")


def vectors() -> Iterator[Vector]:
    """Every row of the table of faults."""
    for make in (
        before_the_place,
        keys_of_a_player,
        at_a_filled_place,
        replacements,
        stand_ins,
        stand_ins_before_openings,
        announcements,
        slips_in_files,
        states,
    ):
        yield from make()
