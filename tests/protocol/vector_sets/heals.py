"""Heals: the document by itself, and logs that one closes, with its versions, signatures, links and places."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.protocol import heal
from pbem.runtime.composing import Draft
from pbem.store.log import bundle
from tests.protocol.vector_sets.form import Vector, failing, plain
from tests.protocol.vector_sets.papers import yaml
from tests.toygame.healing import (
    Document,
    Healer,
    branch,
    drafted,
    forged,
    healers,
    named,
    seat_by,
    signed_by,
    take_heal,
)
from tests.toygame.party import send
from tests.toygame.test_attacks import advance_to
from tests.toygame.test_skirmish import choose

GO, HALT, PASS = Draft(orders=["go"]), Draft(orders=["halt"]), Draft(orders=["let pass"])
COVERS = "SPEC 9c"
Versions = Sequence[Sequence[Document]]


def marching(role: str = "", **charter: Any) -> list[Healer]:
    """Nowak is asked whether red marches, and is about to sign two files."""
    party = healers(role, **charter)
    advance_to([*party], "red", "march")
    return party


def with_heal(party: Sequence[Healer], document: Document, before: Sequence[Document] = ()) -> bytes:
    """The log as a folder received it: up to the parting, one version, then the heal."""
    return plain(bundle([*party[0].log, *before, document], []))


def forked(party: Sequence[Healer]) -> tuple[list[Document], list[Document]]:
    return branch(party, GO, PASS), branch(party, HALT)


def documents() -> Iterator[Vector]:
    """The document by itself: its shape and its versions."""
    party = marching()
    first, second = forked(party)
    good = signed_by(drafted(party, [first, second], 0), party)
    second += [forged(named(party, "nowak"), second[-1], 2)]
    longer = signed_by(drafted(party, [first, second], 0), party)
    yield Vector("heal", "good", "done", "it keeps the version that was followed", yaml(good), covers=COVERS)
    yield Vector("heal", "draft", "done", "nobody has signed it yet", yaml({**good, "signatures": {}}), covers=COVERS)
    shapes: dict[str, tuple[str, dict[str, Any]]] = {
        "unknown-key": ("a key that no heal has", {"surprise": 1}),
        "with-a-link": ("a heal shows no link", {"link": "12" * 32}),
        "version-1": ("games of version 1 have no heals", {"pbem": 1}),
        "no-versions": ("no version", {"versions": []}),
        "an-empty-version": ("a version without a file", {"versions": [[*good["versions"][0]], []]}),
        "empty-instead": ("an empty list is left out", {"instead": []}),
        "a-file-that-is-none": ("a file of a version has an unknown key", {"versions": [first, [{**second[0], "x": 1}]]}),
    }
    bodies = {name: (comment, yaml({**good, **changes})) for name, (comment, changes) in shapes.items()}
    yield from failing("heal", "unreadable", yaml(good), bodies, COVERS)
    apart = {**second[0], "prev": "ab" * 32}
    chains: dict[str, tuple[str, dict[str, Any]]] = {
        "seq-too-low": ("its place is in the middle of the longer version", {"seq": longer["seq"] - 1}),
        "seq-too-high": ("a place further on", {"seq": longer["seq"] + 1}),
        "versions-that-do-not-part": ("one version only", {"versions": [first, first]}),
        "behind-two-files": ("the versions follow two files", {"versions": [first, [apart]], "seq": good["seq"]}),
        "beginning-of-another": ("a version is the beginning of another", {"versions": [first, second, first[:1]]}),
        "gap-in-a-version": ("a file of a version is missing", {"versions": [first, [second[0], {**second[1], "seq": 99}]]}),
        "to-in-the-middle": ("`to` is not the newest file of a version", {"to": longer["to"] - 1}),
        "forked-by-another": ("the place where they part is nowak's", {"forked": {"player": "dubois", "seq": first[0]["seq"]}}),
    }
    bodies = {name: (comment, yaml({**longer, **changes})) for name, (comment, changes) in chains.items()}
    yield from failing("heal", "bad chain", yaml(longer), bodies, COVERS + "; attack: heal with a forged old file")
    strange = {
        "file-of-another-game": ("a file of a version", yaml({**good, "versions": [first, [{**second[0], "game": "ab" * 32}]]}))
    }
    yield from failing("heal", "foreign game", yaml(good), strange, COVERS)


def taken() -> Iterator[Vector]:
    """Logs that a heal closes."""
    party = marching()
    nowak = named(party, "nowak")
    first, second = forked(party)
    good_heal = signed_by(drafted(party, [first, second], 0), party)
    good = with_heal(party, good_heal, first)
    yield Vector("log", "heal", "done", "received by who had the version kept", good, covers=COVERS)
    other = with_heal(party, good_heal, second)
    yield Vector("log", "heal-of-the-other-version", "done", "received by who had the other one", other, covers=COVERS)
    played = marching()
    deep = [*second, f := forged(named(played, "dubois"), second[-1]), forged(named(played, "nowak"), f, 5)]
    take_heal(played, signed_by(drafted(played, [first, deep], 0), played))
    dice = random.Random(2)
    while played[0].table.due.what != "nothing":
        send([*played], choose(named(played, played[0].table.due.player), dice))
    whole = plain(bundle(played[0].log, []))
    yield Vector("log", "heal-played-on", "done", "void places, then the game to its end", whole, covers=COVERS)
    yield from _faults(party, (first, second), good, nowak)
    void = plain(bundle([*party[0].log, *first, {"type": "void", "seq": first[-1]["seq"] + 1}], []))
    yield Vector("log", "void-without-a-heal", "unreadable", "a void place that no heal made", void, good, COVERS)


def _faults(
    party: Sequence[Healer], versions: tuple[list[Document], list[Document]], good: bytes, nowak: Healer
) -> Iterator[Vector]:
    first, second = versions

    def case(comment: str, made: Versions = versions, keep: int | None = 0, **changes: Any) -> tuple[str, bytes]:
        return comment, with_heal(party, signed_by(drafted(party, made, keep, **changes), party), first)

    yamada = named(party, "yamada")
    chains = {
        "heal-link-of-nobody": case("a link on no chain", [first, [*second, forged(nowak, second[-1], link="cd" * 32)]]),
    }
    yield from failing("log", "bad chain", good, chains, COVERS)
    choices = {
        "heal-keeps-the-unanswered-file": case("yamada's answer is in the other version", keep=1),
        "heal-chosen-by-the-forker": case("the side that forked chooses", chosen_by="allies"),
        "heal-back-without-all": case("back to the parting, chosen by one side", keep=None, chosen_by="axis"),
    }
    yield from failing("log", "refused by rule", good, choices, COVERS + "; attack: hides his answered file")
    made = drafted(party, versions, 0)
    signed = signed_by(made, party)
    forged_file = {**forged(yamada, second[-1]), "signature": second[0]["signature"]}
    swapped = {**signed, "signatures": {**signed["signatures"], "dubois": signed["signatures"]["nowak"]}}
    bad = {
        "heal-signature-of-another": ("dubois's place holds nowak's", with_heal(party, swapped, first)),
        "heal-edited": ("a note was added after signing", with_heal(party, {**signed, "note": ["x"]}, first)),
        "heal-file-not-signed": case("a file of a version is not its author's", [first, [*second, forged_file]]),
    }
    yield from failing("log", "bad signature", good, bad, COVERS + "; attack: edited after signing")
    waiting = {"heal-not-complete": ("dubois has not signed", with_heal(party, signed_by(made, party[:2]), first))}
    elsewhere = plain(bundle([*party[0].log[:-1], signed], []))
    waiting["heal-behind-a-gap"] = ("the file before the parting is missing", elsewhere)
    yield from failing("log", "waiting", good, waiting, COVERS)
    known = {"heal-void-file-again": ("a file that was given up", plain(bundle([*party[0].log, *first, signed, *second], [])))}
    yield from failing("log", "already known", good, known, COVERS)
    late = nowak.sign({**second[0], "seq": signed["seq"], "note": ["another"]})
    place = {
        "heal-place-filled": ("another file at the heal's own place", plain(bundle([*party[0].log, *first, signed, late], [])))
    }
    yield from failing("log", "refused by rule", good, place, COVERS)


def umpires() -> Iterator[Vector]:
    """An umpire who signs for one who is silent, and for himself only."""
    agreed = {"overdue": {"after": "3d", "grace": "48h", "then": "stand-in"}}
    party = marching("escrow", **agreed)
    first, second = forked(party)
    others = [p for p in party if p.name != "nowak"]
    made = signed_by(drafted(party, [first, second], 0), others)
    smith = named(party, "smith").private
    good = with_heal(party, heal.sign_for(made, "nowak", smith), first)
    yield Vector("log", "heal-signed-for-the-silent", "done", "the umpire signs for nowak", good, covers=COVERS)
    copied = {**made, "signatures": {**made["signatures"], "nowak": made["signatures"]["smith"]}}
    case = {"heal-own-signature-for-another": ("the umpire's own signature copied", with_heal(party, copied, first))}
    yield from failing("log", "bad signature", good, case, COVERS)
    back = heal.sign_for(signed_by(drafted(party, [first, second], None), others), "nowak", smith)
    case = {"heal-signed-for-who-must-choose": ("back to the parting: all choose", with_heal(party, back, first))}
    yield from failing("log", "refused by rule", good, case, COVERS)


def crossed() -> Iterator[Vector]:
    """A player's own file, and a change of his key that another has signed at the same place: nobody has signed twice."""
    covers = "SPEC 9b, 9c; attack: a lost key is reported, and the own file comes late after all"
    party = marching("escrow", lost_keys="umpire")
    own, theirs, smith = branch(party, GO, PASS), [seat_by(party, "smith", 2)], [named(party, "smith")]
    wanted = {"chosen_by": "umpire", "forked": {"player": "nowak", "seq": own[0]["seq"]}}
    good = with_heal(party, signed_by(drafted(party, [own, theirs], 0, **wanted), smith), own)
    yield Vector("log", "heal-crossed-by-umpire", "done", "yamada has followed nowak's own file", good, covers=covers)
    wrong = {
        "heal-crossed-other-kept": ("yamada has followed the other one", {**drafted(party, [own, theirs], 1), **wanted}),
        "heal-crossed-all-back": ("nobody goes back behind both", {**drafted(party, [own, theirs], None), **wanted}),
    }
    bodies = {name: (comment, with_heal(party, signed_by(document, smith), own)) for name, (comment, document) in wrong.items()}
    yield from failing("log", "refused by rule", good, bodies, covers)
    party = marching(lost_keys="others")
    own, theirs = branch(party, GO), [seat_by(party, "dubois", 3)]
    made = drafted(party, [own, theirs], 1, chosen_by="all", forked=wanted["forked"])
    good = with_heal(party, signed_by(made, [p for p in party if p.name != "nowak"]), own)
    yield Vector("log", "heal-crossed-by-others", "done", "nobody of the other side has followed either", good, covers=covers)
    alone = with_heal(party, signed_by(made, party[:1]), own)
    yield from failing("log", "waiting", good, {"heal-crossed-not-complete": ("yamada alone has signed", alone)}, covers)


def vectors() -> Iterator[Vector]:
    """All of them."""
    yield from documents()
    yield from taken()
    yield from umpires()
    yield from crossed()
