"""Chain values, dice, draws, Merkle paths, openings: single computations."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.protocol import chain, dice, draws, seals
from pbem.protocol.keys import key_bytes
from pbem.protocol.strict_yaml import write_document
from pbem.transport import armor
from tests.protocol.vector_sets.form import Vector, failing, plain, public
from tests.protocol.vector_sets.papers import FULL, GAME_ID, file, stamp
from tests.toygame.party import NONCE, fixed

LINK, FILE_ID = fixed("link").hex(), fixed("file").hex()


def chain_vectors() -> Iterator[Vector]:
    """One link after another."""
    secret = fixed("chain")

    def body(last: str, link: str, nonce: str = NONCE) -> bytes:
        return plain({"nonce": nonce, "last": last, "link": link})

    def at(n: int) -> str:
        return chain.tip(NONCE, secret, 100) if n == 0 else chain.link(NONCE, secret, 100, n)

    good = body(at(0), at(1))
    yield Vector("chain", "first-link", "done", "the link after the tip", good, covers="SPEC 4")
    yield Vector("chain", "last-link", "done", "the secret itself", body(at(99), at(100)), covers="SPEC 4")
    cases = {
        "skipped": ("a link is called burnt", body(at(0), at(2))),
        "shown-before": ("the link before, again", body(at(1), at(1))),
        "backwards": ("the tip after a link", body(at(1), at(0))),
        "other-nonce": ("a chain of another game", body(at(0), at(1), "00" * 31 + "08")),
        "without-tag": ("plain SHA-256 of the link", body(hashlib.sha256(bytes.fromhex(at(1))).hexdigest(), at(1))),
        "other-chain": ("wrong preimage", body(at(0), fixed("other").hex())),
    }
    yield from failing("chain", "bad chain", good, cases, "attack: wrong preimage; skip a link")


def _roll(stated: Sequence[int] | None = None, **changes: Any) -> bytes:
    """A roll with its dice; `changes` alter what is stated, not what was rolled."""
    base: dict[str, Any] = {
        "link": LINK,
        "game": GAME_ID,
        "k": 17,
        "id": FILE_ID,
        "index": 0,
        "label": "battle 6, Japan",
        "sides": 6,
    }
    seed = dice.seed(bytes.fromhex(LINK), GAME_ID, 17, FILE_ID)
    numbers = stated if stated is not None else dice.roll(seed, 0, "battle 6, Japan", 12, 6)
    return plain({**base, "dice": [*numbers], **changes})


def dice_vectors() -> Iterator[Vector]:
    """Rolls from their seed."""
    seed = dice.seed(bytes.fromhex(LINK), GAME_ID, 17, FILE_ID)
    rolls = {
        "twelve-d6": ("two blocks", 0, "battle 6, Japan", 12, 6),
        "one-d10": ("a ten-sided die", 1, "air-naval combat 5808", 1, 10),
        "label-outside-ascii": ("a label in UTF-8", 2, "łódź 🎲", 5, 6),
        "coin": ("two sides", 3, "coin", 40, 2),
        "rejected-words": ("half of all words are rejected, nearly", 4, "large", 20, 10**6),
        "d100": ("percentile dice", 5, "percent", 10, 100),
    }
    for name, (comment, index, label, count, sides) in rolls.items():
        numbers = [*dice.roll(seed, index, label, count, sides)]
        body = _roll(numbers, index=index, label=label, sides=sides)
        yield Vector("dice", name, "done", comment, body, covers="SPEC 6")
    good = _roll()
    fair = [*dice.roll(seed, 0, "battle 6, Japan", 12, 6)]
    cases = {
        "one-die-changed": ("a six is wished for", _roll([fair[0] % 6 + 1, *fair[1:]])),
        "swapped": ("sorted, highest first", _roll(sorted(fair, reverse=True))),
        "other-index": ("the next roll of the seed", _roll(index=1)),
        "other-label": ("a label with a blank more", _roll(label="battle 6,  Japan")),
        "other-place": ("another place in the log", _roll(k=18)),
        "other-file": ("another deciding file", _roll(id=fixed("file 2").hex())),
        "other-game": ("another game", _roll(game="ac" * 32)),
        "other-link": ("another link", _roll(link=fixed("link 2").hex())),
        "second-block-first": ("dice of the second block", _roll([*dice.roll(seed, 0, "battle 6, Japan", 20, 6)][8:])),
        "zero-based": ("0 to 5 instead of 1 to 6", _roll([n - 1 for n in fair])),
    }
    yield from failing("dice", "bad dice", good, cases, "SPEC 6; attack: choose dice")


def merkle_vectors() -> Iterator[Vector]:
    """Draw keys in their tree."""
    master = fixed("draws")
    root, key = draws.root(NONCE, master), draws.draw_secret(master, 5).hex()
    path = draws.path(NONCE, master, 5)

    def body(j: int = 5, key: str = key, path: list[str] = path, nonce: str = NONCE, root: str = root) -> bytes:
        return plain({"nonce": nonce, "root": root, "draw": j, "key": key, "path": path})

    for j in (0, 5, 512, 1023):
        made = body(j, draws.draw_secret(master, j).hex(), draws.path(NONCE, master, j))
        yield Vector("merkle", f"draw-{j}", "done", f"draw key {j}", made, covers="SPEC 8")
    short_root = hashlib.sha256(b"\x01" + draws.leaf(NONCE, 5, bytes.fromhex(key)) + bytes.fromhex(path[0])).hexdigest()
    cases = {
        "other-draw": ("the key of another draw", body(4)),
        "other-key": ("a key chosen later", body(key=fixed("chosen").hex())),
        "other-nonce": ("a tree of another game", body(nonce="11" * 32)),
        "other-root": ("another player's root", body(root=draws.root(NONCE, fixed("other draws")))),
        "nine-siblings": ("a path of nine", body(path=path[:9])),
        "eleven-siblings": ("a path of eleven", body(path=[*path, "00" * 32])),
        "no-siblings": ("no path at all", body(path=[])),
        "siblings-reversed": ("highest first", body(path=path[::-1])),
        "sibling-changed": ("one sibling differs", body(path=[fixed("x").hex(), *path[1:]])),
        "short-tree": ("a node passed off as the root", body(path=path[:1], root=short_root)),
    }
    yield from failing("merkle", "audit: lie proved", body(), cases, "SPEC 8; attack: choose a draw key")


def draw_vectors() -> Iterator[Vector]:
    """What a private draw gives."""
    key, seed = draws.draw_secret(fixed("draws"), 3), fixed("seed")
    pool = [f"card {n:02}" for n in range(20)]
    private = draws.private_value(key, seed)
    hand = draws.shuffle(private, pool, 6)
    base: dict[str, Any] = {"key": key.hex(), "seed": seed.hex(), "base": pool[::-1], "less": []}

    def cards(drawn: list[str], **changes: Any) -> bytes:
        return plain({**base, "drawn": drawn, **changes})

    good = cards(hand)
    less = draws.shuffle(private, [c for c in pool if c not in ("card 01", "card 07")], 6)
    thrown = [[*draws.private_dice(private, "scouting", 3, 6)]]
    die = {"key": key.hex(), "seed": seed.hex(), "label": "scouting", "sides": 6}
    yield Vector("draw", "six-cards", "done", "six of twenty", good, covers="SPEC 8")
    yield Vector("draw", "all-cards", "done", "a whole deck in order", cards(draws.shuffle(private, pool, 20)), covers="SPEC 8")
    yield Vector(
        "draw", "less", "done", "two cards are held already", cards(less, less=["card 07", "card 01"]), covers="SPEC 8"
    )
    odd = ["\U0001f3b2", "\uff21", "z", "\u00e9", "Z", "\ue000"]
    by_units = sorted(odd, key=lambda text: text.encode("utf-16-be"))
    right, wrong = draws.shuffle(private, sorted(odd), 6), draws.shuffle(private, by_units, 6)
    assert right != wrong
    sorted_well, sorted_by_units = cards(right, base=odd), cards(wrong, base=odd)
    yield Vector("draw", "sorted-by-code-points", "done", "U+FF21 comes before U+1F3B2", sorted_well, covers="SPEC 8")
    comment = "sorted by units of UTF-16"
    yield Vector("draw", "sorted-by-units", "audit: lie proved", comment, sorted_by_units, sorted_well, "SPEC 8")
    twice = ["chit"] * 3 + ["die"] * 2
    left = cards(draws.shuffle(private, ["chit", "chit", "die", "die"], 3), base=twice, less=["chit"])
    yield Vector("draw", "items-more-than-once", "done", "what is held is taken off once", left, covers="SPEC 8")
    yield Vector(
        "draw", "private-dice", "done", "three private dice are one item", plain({**die, "drawn": thrown}), covers="SPEC 8"
    )
    cases = {
        "better-card": ("another first card", cards([next(c for c in pool if c not in hand), *hand[1:]])),
        "reordered": ("the hand in another order", cards(hand[::-1])),
        "card-twice": ("a card that is no longer in the pool", cards([hand[0], hand[0], *hand[2:]])),
        "other-key": ("the key of another draw", cards(hand, key=draws.draw_secret(fixed("draws"), 4).hex())),
        "other-seed": ("the seed of another file", cards(hand, seed=fixed("seed 2").hex())),
        "pool-hidden": ("cards held already are drawn from", cards(hand, less=[hand[0]])),
    }
    yield from failing("draw", "audit: lie proved", good, cases, "SPEC 8; attack: reorder a hand, add a card")
    wrong = plain({**die, "drawn": [[n % 6 + 1 for n in thrown[0]]]})
    yield Vector(
        "draw", "private-die-changed", "audit: lie proved", "other dice", wrong, plain({**die, "drawn": thrown}), "SPEC 8"
    )


def opening_vectors() -> Iterator[Vector]:
    """Items and orders against what was promised."""
    key, salt = key_bytes(public()), fixed("salt")
    promise = draws.commitment(GAME_ID, key, 2, 1, salt, "charge")
    sealed = seals.seal(GAME_ID, key, 17, 3, salt, {"bid": 4})
    card: dict[str, Any] = {"game": GAME_ID, "key": public(), "draw": 2, "number": 1, "salt": salt.hex(), "item": "charge"}
    order: dict[str, Any] = {"game": GAME_ID, "key": public(), "seq": 17, "number": 3, "salt": salt.hex(), "order": {"bid": 4}}
    card["hash"], order["hash"] = promise, sealed
    yield Vector("opening", "card", "done", "a card", plain(card), covers="SPEC 8")
    yield Vector("opening", "sealed-order", "done", "a sealed order", plain(order), covers="SPEC 8")
    nothing = seals.seal(GAME_ID, key, 17, 3, salt, None)
    empty = plain({**order, "order": None, "hash": nothing})
    yield Vector("opening", "unused-seal", "done", "an unused seal holds null", empty, covers="SPEC 8")
    changes: dict[str, tuple[str, dict[str, Any]]] = {
        "other-item": ("another card", {"item": "truce"}),
        "other-draw": ("a card of another draw", {"draw": 3}),
        "other-number": ("another card's place", {"number": 2}),
        "other-game": ("a card of another game", {"game": "ac" * 32}),
        "other-salt": ("another salt", {"salt": fixed("salt 2").hex()}),
        "copied-commitment": ("a commitment copied from another player", {"key": public("nowak")}),
    }
    cases = {f"card-{name}": (comment, plain({**card, **change})) for name, (comment, change) in changes.items()}
    yield from failing("opening", "bad opening", plain(card), cases, "SPEC 8; attack: swap a card")
    changes = {
        "other-order": ("another bid", {"order": {"bid": 5}}),
        "other-place": ("a seal of another file", {"seq": 18}),
        "other-number": ("another seal of the file", {"number": 4}),
        "other-game": ("a seal of another game", {"game": "ac" * 32}),
        "other-salt": ("another salt", {"salt": fixed("salt 2").hex()}),
        "copied-seal": ("a seal copied from another player", {"key": public("nowak")}),
    }
    cases = {f"seal-{name}": (comment, plain({**order, **change})) for name, (comment, change) in changes.items()}
    yield from failing("opening", "bad opening", plain(order), cases, "SPEC 8; attack: copy a seal")


# -- blocks -------------------------------------------------------------------------------------------------------------


def block_vectors() -> Iterator[Vector]:
    """Blocks as mail and forums leave them."""
    import json

    from pbem.protocol.ids import document_id
    from pbem.protocol.strict_yaml import read_document

    document = read_document(stamp(file(**FULL)))[0]
    good, more = armor.write_block(document), {"id": document_id(document)}
    head, tail = good.split("-----PBEM ARMOR-----\n")
    flat = "\n".join(line.lstrip() for line in head.split("\n"))
    packed = "".join(tail.split("-----END")[0].split())
    check = packed[-5:]
    wrong = "=AAAA" if check != "=AAAA" else "=AAAB"
    done = {
        "plain": ("as it is written", good),
        "noise-around": ("greetings before and after", f"Hello,\n\n{good}\n-- \nregards\n"),
        "quoted": ("quoted twice", "".join(f"> > {line}\n" for line in good.splitlines())),
        "crlf": ("lines end in CRLF", good.replace("\n", "\r\n")),
        "indentation-lost": ("the armored copy survives", f"{flat}-----PBEM ARMOR-----\n{tail}"),
        "rewrapped": (
            "the armor was wrapped again",
            f"{flat}-----PBEM ARMOR-----\n" + _wrapped(packed[:-5], 40) + check + "\n-----END PBEM TURN-----\n",
        ),
        "no-break-spaces": ("blanks became no-break spaces", good.replace("  ", "\u00a0\u00a0")),
        "armor-damaged": ("the readable copy is enough", good.replace(check, wrong)),
        "no-armor": ("only the readable copy", head + "-----END PBEM TURN-----\n"),
        "bare-yaml": ("a document without a block", write_document(document)),
        "long-dashes": (
            "hyphens became dashes",
            good.replace("-----BEGIN PBEM TURN-----", "\u2014\u2014BEGIN PBEM TURN\u2014\u2014").replace(
                "\u2014\u2014", "\u2013----"
            ),
        ),
    }
    for name, (comment, text) in done.items():
        yield Vector("block", name, "done", comment, text.encode(), covers="SPEC 11", more=more)
    other = base64.b64encode(armor.canonical({**document, "orders": ["done"]})).decode()
    other_check = base64.b64encode(armor.crc24(base64.b64decode(other)).to_bytes(3, "big")).decode()
    cases = {
        "end-missing": ("the text was cut", good.split("-----END")[0]),
        "cut-in-the-armor": ("cut in the armor, and no end", good[: len(good) * 3 // 4]),
        "armor-says-other": (
            "the armored copy has other orders",
            f"{head}-----PBEM ARMOR-----\n{other}\n={other_check}\n-----END PBEM TURN-----\n",
        ),
        "readable-says-other": ("the readable copy has other orders", good.replace("Kwangsi to Yunnan", "Kwangsi to Hunan", 1)),
        "both-damaged": (
            "indentation lost and the check sum wrong",
            f"{flat}-----PBEM ARMOR-----\n{tail}".replace(check, wrong),
        ),
        "armor-bit-changed": (
            "indentation lost and a letter of the armor changed",
            f"{flat}-----PBEM ARMOR-----\n" + tail.replace("A", "B", 1),
        ),
        "empty-block": ("nothing between the markers", "-----BEGIN PBEM TURN-----\n-----END PBEM TURN-----\n"),
        "other-end": ("the markers do not match", head + "-----END PBEM SLIP-----\n"),
    }
    assert json.loads(base64.b64decode(packed[:-5])) == document
    bodies = {name: (comment, text.encode()) for name, (comment, text) in cases.items()}
    yield from failing("block", "unreadable", good.encode(), bodies, "SPEC 11", **more)
    huge = "x" * (armor.MAX_TEXT + 1)
    yield Vector(
        "block",
        "thirty-two-megabytes",
        "too large",
        "a mail of 32 MiB",
        huge.encode(),
        good.encode(),
        "attack: 100 MB file",
        more=more,
    )


def _wrapped(text: str, width: int) -> str:
    return "".join(text[i : i + width] + "\n" for i in range(0, len(text), width))


def vectors() -> Iterator[Vector]:
    """Single computations and blocks."""
    for make in (chain_vectors, dice_vectors, merkle_vectors, draw_vectors, opening_vectors, block_vectors):
        yield from make()
