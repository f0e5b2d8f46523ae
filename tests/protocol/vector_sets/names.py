"""Names in the players' own letters, from version 2 of the protocol on: charters, files, slips, a game; and deadlines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from pbem.protocol import charter, slips
from pbem.runtime.composing import Draft
from tests.protocol.vector_sets.form import Vector, failing, public
from tests.protocol.vector_sets.games import Scene, asks
from tests.protocol.vector_sets.papers import GAME_ID, HEAD, file, signed, stamp, yaml
from tests.toygame.party import NONCE, Person, found_game
from tests.toygame.skirmish import GAME

COVERS = "SPEC 3; attack: a name like another player's"
KEY = {"key": public()}
LATE = {"after": "72h", "grace": "2d", "then": "loss"}


def _charter(*people: str, version: int = 2, **more: Any) -> bytes:
    """Signed by everybody, whatever it says; every player holds one seat, the first those of the other side."""
    seats = {f"seat-{i}": "axis" if i else "allies" for i, _ in enumerate(people)}
    named = {"name": "test", "hash": "00" * 32}
    made = charter.new_draft("skirmish", "1st", 1, NONCE, named, {}, seats, version=version)
    for seat, name in zip(seats, people, strict=True):
        record = Person(name, []).record
        made["seats"][seat]["player"] = name
        made["players"][name] = {
            "key": record.key,
            "chain": record.chain,
            "chain_length": record.chain_length,
            "draws": record.draws,
        }
    return yaml(_signed({**made, **more}))


def _signed(document: dict[str, Any]) -> dict[str, Any]:
    return signed(document, *document["players"])


ALLOWED = {
    "names-of-five-scripts": ("Łukasz", "Иван", "Ελένη", "佐々木", "김철수", "O'Brien", "Jean-Luc-2"),
    "names-of-32-letters": ("Ж" * 32, "a" * 32),
    "names-that-differ": ("novak", "nowak", "Ivan", "Иван", "山田", "山本", "lukasz", "lukasz-2"),
}
REFUSED = {
    "name-of-two-scripts": ("n\u043ewak", "a Cyrillic o in a Latin name"),
    "name-of-kanji-and-greek": ("山Ω", "Japanese and Greek"),
    "name-with-another-digit": ("a\u0661", "an Arabic digit"),
    "name-with-a-mark": ("q\u0301", "a combining mark"),
    "name-in-wide-letters": ("\uff4eowak", "a wide letter"),
    "name-with-a-ligature": ("\ufb01n", "a ligature"),
    "name-younger-than-unicode-6": ("\u9fcc", "a letter of Unicode 6.1"),
    "name-of-33-letters": ("Ж" * 33, "33 letters"),
    "name-with-a-space": ("a b", "a space"),
    "name-begins-with-a-digit": ("1a", "a digit in front"),
    "name-begins-with-an-apostrophe": ("'a", "an apostrophe in front"),
    "name-with-a-colon": ("a:seal1", "a name that would be a handle"),
    "name-ends-the-line": ("a\n", "a line feed at the end"),
}
ALIKE = {
    "alike-without-its-stroke": ("Łukasz", "Lukasz"),
    "alike-in-capitals": ("nowak", "NOWAK"),
    "alike-without-an-accent": ("José", "Jose"),
    "alike-in-cyrillic": ("вова", "boba"),
    "alike-in-cyrillic-capitals": ("ВОВА", "BOBA"),
    "alike-in-greek-capitals": ("ΝΙΚΗ", "NIKH"),
    "alike-in-greek-and-capitals": ("Νίκη", "ΝΙΚΗ"),
    "alike-in-greek-and-cyrillic": ("ΜΑΚ", "МАК"),
    "alike-with-a-digit": ("al", "a1"),
    "alike-with-a-capital-i": ("alice", "aIice"),
    "alike-in-two-letters": ("mike", "rnike"),
    "alike-in-kana": ("へん", "ヘん"),
    "alike-in-kana-and-kanji": ("ロロ", "口口"),
    "alike-with-a-dot": ("Ёж", "Еж"),
}
WRONG_DEADLINES = {
    "deadline-in-minutes": {**LATE, "after": "90m"},
    "deadline-with-a-zero-in-front": {**LATE, "grace": "048h"},
    "deadline-without-grace": {"after": "72h", "then": "loss"},
    "deadline-with-another-consequence": {**LATE, "then": "death"},
}


SLOTS = {"slots": ["06:00", "18:30"]}
WRONG_SLOTS: dict[str, Any] = {
    "pace-at-24": {"slots": ["24:00"]},
    "pace-with-seconds": {"slots": ["06:00:00"]},
    "pace-out-of-order": {"slots": ["18:30", "06:00"]},
    "pace-twice": {"slots": ["06:00", "06:00"]},
    "pace-without-a-slot": {"slots": []},
    "pace-of-49-slots": {"slots": [f"{n // 2:02}:{n % 2 * 30:02}" for n in range(48)] + ["23:59"]},
    "pace-with-a-zone": {"slots": ["06:00"], "zone": "UTC"},
}


def _paces() -> Iterator[Vector]:
    good = _charter("yamada", "nowak", overdue={**LATE, "after": "13h"}, pace=SLOTS)
    yield Vector(
        "charter", "pace", "done", "two slots of a day, and a deadline that is longer than any wait", good, covers="SPEC 3"
    )
    most = _charter("yamada", "nowak", pace={"slots": [f"{n // 2:02}:{n % 2 * 30:02}" for n in range(48)]})
    yield Vector("charter", "pace-of-48-slots", "done", "as many slots as there may be", most, covers="SPEC 3")
    wrong = {k: ("slots of a day", _charter("yamada", "nowak", pace=pace)) for k, pace in WRONG_SLOTS.items()}
    wrong["pace-of-version-2"] = ("`pace` is for version 2", _charter("yamada", "nowak", version=1, pace=SLOTS))
    late = {**LATE, "after": "12h"}
    wrong["pace-slower-than-the-deadline"] = (
        "12 hours and a half from one slot to the next",
        _charter("yamada", "nowak", overdue=late, pace=SLOTS),
    )
    one = _charter("yamada", "nowak", overdue={**LATE, "after": "23h"}, pace={"slots": ["06:00"]})
    wrong["pace-of-a-day"] = ("a day from the one slot to itself", one)
    yield from failing("charter", "unreadable", good, wrong, "SPEC 3")


def _charters() -> Iterator[Vector]:
    good = _charter("yamada", "nowak")
    for name, people in ALLOWED.items():
        yield Vector("charter", name, "done", "names in their own letters", _charter(*people), covers="SPEC 3")
    cases = {k: (comment, _charter("yamada", name)) for k, (name, comment) in REFUSED.items()}
    cases |= {k: ("two names that look alike", _charter("Someone", *people)) for k, people in ALIKE.items()}
    cases["name-before-its-version"] = ("version 1 has plain names", _charter("yamada", "Nowak", version=1))
    yield from failing("charter", "unreadable", good, cases, COVERS)
    yield Vector("charter", "overdue", "done", "a deadline", _charter("yamada", "nowak", overdue=LATE), covers="SPEC 9")
    wrong = {k: ("a deadline", _charter("yamada", "nowak", overdue=late)) for k, late in WRONG_DEADLINES.items()}
    wrong["deadline-of-version-1"] = ("`deadline` is for version 1", _charter("yamada", "nowak", deadline="72h"))
    wrong["overdue-of-version-2"] = ("`overdue` is for version 2", _charter("yamada", "nowak", version=1, overdue=LATE))
    yield from failing("charter", "unreadable", good, wrong, "SPEC 9")


def _files() -> Iterator[Vector]:
    own = {"pbem": 2, "player": "Иван", "state": "34" * 32}
    opened = [{"handle": "Иван:seal3:0", "order": "halt", "salt": "9a" * 32}]
    good = stamp({**file(open=opened), **own})
    yield Vector("file", "player-in-his-own-letters", "done", "a sealed clause of his", good, covers="SPEC 5", more=KEY)
    cases = {
        "player-of-two-scripts": ("a Latin a in a Cyrillic name", stamp({**file(), **own, "player": "Ив\u0061н"})),
        "player-before-his-version": ("version 1 has plain names", stamp({**file(), **own, "pbem": 1})),
        "signer-before-his-version": (
            "version 1 has plain names",
            stamp({**file(), "state": "34" * 32, "signed_by": "Иван"}),
        ),
    }
    yield from failing("file", "unreadable", good, cases, COVERS, **KEY)


def _slip(kind: str, version: int = 2, player: str = "Łukasz", **content: Any) -> bytes:
    return stamp(slips.make(kind, GAME_ID, HEAD, player, content, version))


def _slips() -> Iterator[Vector]:
    claim = {"place": 17, "due": "Иван", "since": "2025-01-31T18:00:00Z"}
    good = _slip("overdue", **claim)
    yield Vector("slip", "overdue", "done", "a claim that file 17 is overdue", good, covers="SPEC 9", more=KEY)
    question = slips.make("overdue", GAME_ID, HEAD, "Łukasz", claim)
    ruling = {"place": 17, "then": "loss", "claim": question}
    yield Vector("slip", "ruling", "done", "what follows from it", _slip("ruling", **ruling), covers="SPEC 9", more=KEY)
    cases = {
        "overdue-since-a-day": ("a time has hours", _slip("overdue", **{**claim, "since": "2025-01-31"})),
        "overdue-the-charter": ("the charter is never overdue", _slip("overdue", **{**claim, "place": 0})),
        "overdue-nobody": ("whose file is it?", _slip("overdue", **{**claim, "due": "a b"})),
        "ruling-without-a-claim": ("what is ruled on?", _slip("ruling", place=17, then="loss")),
        "ruling-something-else": ("a consequence that no charter has", _slip("ruling", **{**ruling, "then": "death"})),
        "slip-before-its-version": ("version 1 has plain names", _slip("request", 1, text="May I?")),
    }
    yield from failing("slip", "unreadable", good, cases, "SPEC 9", **KEY)


def _games() -> Iterator[Vector]:
    """A game whose sealed clauses have such names in their handles, up to the opening of one."""
    party = [Person("山田", ["blue"]), Person("Łukasz", ["red"]), Person("Иван", ["rust"])]
    found_game(GAME, party, {}, pbem=2)
    scene = Scene(party, random.Random(3))
    scene.until(asks("red", "march"))
    scene.go(Draft(orders=["go"], sealed_standing={"loss": [{"do": "horse"}]}))
    scene.go(Draft(orders=["stop"], sealed_standing={"loss": [{"do": "foot"}]}))
    scene.until(lambda s: any(h.startswith(("Łukasz:", "山田:")) for h in s.table.ledger.opened))
    good = scene.with_files()
    yield Vector("log", "names-in-their-own-letters", "done", "handles of sealed clauses too", good, covers="SPEC 3, 5")


def _late(then: str) -> tuple[Scene, Person, dict[str, Any], dict[str, Any]]:
    """Łukasz has to march and does not; the umpire, his question and his ruling."""
    party = [Person("山田", ["blue"]), Person("Łukasz", ["red"]), Person("Иван", ["rust"]), Person("Smith", [])]
    found_game(GAME, party, {}, pbem=2, overdue={**LATE, "then": then})
    scene = Scene(party, random.Random(3)).until(asks("red", "march"))
    place, head, smith = scene.table.last + 1, scene.table.ledger.entries[-1].id, party[-1]
    content = {"place": place, "due": "Łukasz", "since": "2025-01-31T18:00:00Z"}
    question = slips.sign(slips.make("overdue", scene.table.charter.game_id, head, "Smith", content), smith.private)
    return scene, smith, question, _ruled(scene, smith, question, then)


def _ruled(scene: Scene, by: Person, claim: dict[str, Any], then: str) -> dict[str, Any]:
    content = {"place": claim["place"], "then": then, "claim": claim}
    return slips.sign(slips.make("ruling", claim["game"], claim["head"], by.name, content), by.private)


def _rulings() -> Iterator[Vector]:
    """A substitute's seat rests on the ruling that its file brings; a ruling that was lifted leaves no trace."""
    scene, smith, question, ruling = _late("substitute")
    new, seq = scene.due.record_of("second"), scene.table.last + 1
    keys = {"key": new.key, "chain": new.chain, "chain_length": new.chain_length, "draws": new.draws}
    seat = {"seat": {"player": "Łukasz", **keys, "from": seq + 1}}
    with_ruling = smith.write(Draft(type="seat", extra=seat, slips=[ruling])).document
    good = scene.with_files(smith.sign(with_ruling))
    yield Vector("log", "substitute-under-a-ruling", "done", "the umpire gives the seat away", good, covers="SPEC 9")
    early = _ruled(scene, smith, {**question, "since": "2025-01-01T00:00:00Z"}, "substitute")
    theirs = _ruled(scene, scene.party[0], question, "substitute")
    cases: dict[str, tuple[str, str, dict[str, Any]]] = {
        "substitute-without-its-ruling": ("wrong key", "the file brings no ruling", {"slips": []}),
        "substitute-under-a-forged-question": ("bad signature", "the question was changed", {"slips": [early]}),
        "substitute-ruled-by-a-player": ("refused by rule", "only the umpire rules", {"slips": [theirs]}),
    }
    for name, (expect, comment, changes) in cases.items():
        body = scene.with_files(smith.sign({**with_ruling, **changes}))
        yield Vector("log", name, expect, comment, body, good, "SPEC 9")
    scene, smith, question, ruling = _late("loss")
    lifted = _ruled(scene, smith, question, "nothing")
    scene.go(Draft(orders=["halt"], slips=[ruling, lifted]))
    scene.go()
    scene.go()
    yield Vector("log", "ruling-that-was-lifted", "done", "the game goes on", scene.with_files(), covers="SPEC 9")


def vectors() -> Iterator[Vector]:
    """Charters, files, slips, games."""
    yield from _rulings()
    yield from _charters()
    yield from _paces()
    yield from _files()
    yield from _slips()
    yield from _games()
