"""The replay of a game: one HTML file, without a network, that steps through board and log and verifies the files anew.

It shows what everybody may know: the files as they were sent, and the rules module's words and picture of the public state.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.games import Module
from pbem.games.parts import Words
from pbem.kernel.canon import Plain
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.kernel.wording import Message, msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.report import render, story, trust, view
from pbem.report.due import due_message
from pbem.report.files import file_view
from pbem.report.filmstrip import Filmstrip, Palette
from pbem.report.languages import Language
from pbem.report.maps.look import Look
from pbem.report.maps.themes import DARK, LIGHT, distinct
from pbem.report.quoting import Named
from pbem.report.steps import played_along
from pbem.runtime.ledger import Ledger
from pbem.runtime.table import Table
from pbem.runtime.taking import take_in_place
from pbem.shipped import data_folder

VERIFIER = ("bytes", "ed25519", "names", "document", "shapes", "formulas", "log", "slips", "heal", "verify")
SCRIPTS = (*(f"{name}.js" for name in VERIFIER), "player.js")
Document = Mapping[str, Any]
Fetch = Callable[[int], Document]


class Scene(Struct, frozen=True):
    """What is shown at a file: where the game stands, who is to act, what happened (HTML), the board."""

    heading: str
    due: str
    log: str
    picture: Picture | HexPicture | None
    ledger: Ledger


PLAYER = (  # what the page's script says; what it finds wrong it says in English, as the other programs do
    msg("Charter"),
    msg("Place {n}: void"),
    msg("Heal {n}: all go on from file {to}"),
    msg("File {n}: {player}, {what}"),
    msg("orders"),
    msg("turns the dice"),
    msg("no decision"),
    msg("signed by all players, keys and tips sound"),
    msg("given up by a heal: nothing stands here"),
    msg("signed by {who}"),
    msg("goes on from file {to}; no dice are turned a second time"),
    msg("signed by {who}, follows the charter, the next link of the chain"),
    msg("signed by {who}, follows file {n}, the next link of the chain"),
    msg("{n} roll recomputed: the same dice"),
    msg("{n} rolls recomputed: the same dice"),
    msg("{n} opened as promised"),
    msg("being checked …"),
    msg("Checking: {n} of {all}"),
    msg("Everything holds: signatures, hash chain, links; files: {files}, rolls: {rolls}"),
    msg("Play"),
    msg("Pause"),
)
PLACE = re.compile(r"\{(\w+)\}")


def player_words(language: Language) -> dict[str, Plain]:
    """The script's sentences by their English; {named} places are filled by the page."""
    return {m.id: language.text(Message(m.id, {n: f"{{{n}}}" for n in PLACE.findall(m.id)})) for m in PLAYER}


def page(
    start: Table,
    documents: Sequence[Document],
    fetch: Fetch,
    language: Language,
    slips: Sequence[Document] = (),
    notes: Sequence[view.Note] = (),
) -> str:
    """The replay of a log (charter first) from the table after the charter on.

    `slips`: those beside the log; what they prove stands beside who is due after the newest file. `notes`: what the players
    have said to everybody; nobody verifies them here.

    Raises ProtocolError, Refused for a log that does not hold.
    """
    packed, board = _Packed(), _Board(start.game, language)
    charter, files = dict(documents[0]), [dict(document) for document in documents[1:]]
    packed.add('{"words":', player_words(language), ',"charter":', charter, ',"files":', [*files], ',"scenes":[')
    for n, (scene, is_last) in enumerate(_with_last(scenes(start, documents[1:], fetch, language, notes))):
        told = trust.told(documents, slips, scene.ledger) if is_last else ()
        packed.add("," if n else "", [scene.heading, " ".join([scene.due, *map(language.text, told)]), scene.log])
        board.add(scene.picture)
    packed.add('],"pieces":', list(board.strip.pieces), ',"boards":', board.strip.changes, "}")
    return _whole(start, packed, board, language)


def _with_last(made: Iterator[Scene]) -> Iterator[tuple[Scene, bool]]:
    """Every scene, and whether it is the last one."""
    held = next(made)
    for scene in made:
        yield held, False
        held = scene
    yield held, True


def scenes(
    start: Table, documents: Sequence[Document], fetch: Fetch, language: Language, notes: Sequence[view.Note] = ()
) -> Iterator[Scene]:
    """The charter, then every file."""
    words = start.game.words()
    yield Scene(*_place(words, start, language), "", _picture(start, []), start.ledger)
    voided = _voided(start, documents, fetch)
    given_up = _given_up(documents, words, lambda word: words.named(start.engine.state, word))
    for step in played_along(start, documents, fetch):
        taken = step.taken
        picture = _picture(taken.table, [(step.state, taken.events)])
        told = story.report(words, [step], taken.table, fetch, whole=None)
        told = replace(told, notes=tuple(n for n in notes if (n.seq or 1) == taken.seq))
        gone = given_up.get(taken.seq, ())
        log = render.page("replay/log.html.j2", language, view=told, voided=taken.seq in voided, gone=gone)
        yield Scene(*_place(words, taken.table, language), log, picture, taken.table.ledger)


def _voided(start: Table, documents: Sequence[Document], fetch: Fetch) -> set[int]:
    """The files that an undo or a heal took back, as far as the whole log goes."""
    if not any(document["type"] in ("undo", "heal") for document in documents):
        return set()
    table = start.fork()
    for document in documents:
        take_in_place(table, document, fetch)
    return set(table.ledger.voided)


def _given_up(documents: Sequence[Document], words: Words, named: Named) -> dict[int, list[view.FileView]]:
    """At each void place the files that stood there, and at a heal all that it gave up."""
    found: dict[int, list[view.FileView]] = {}
    empty = {int(document["seq"]) for document in documents if document["type"] == heal.VOID}
    for one in (document for document in documents if document["type"] == heal.TYPE):
        for file in heal.given_up(one):
            shown = file_view(file, msg("void"), document_id(dict(file)), True, named, words)
            for place in (int(one["seq"]), *({int(file["seq"])} & empty)):
                found.setdefault(place, []).append(shown)
    return found


def _place(words: Words, table: Table, language: Language) -> tuple[str, str]:
    return language.text(words.heading(table.engine.state)), language.text(due_message(words, table))


def _picture(table: Table, happened: Sequence[tuple[Any, Sequence[Any]]]) -> Picture | HexPicture | None:
    if table.game.picture() is None:
        return None
    return view.picture_of(table.game, table.engine.state, happened, "file" if happened else "none")


# -- the board ----------------------------------------------------------------------------------------------------------


class _Board:
    """Every picture, drawn where it differs from the one before, and of each only what differs."""

    def __init__(self, game: Module, language: Language) -> None:
        from pbem.report.svg_map import Series

        speak = language.text

        self.strip, self.palette = Filmstrip(), Palette()
        self._light = Series(game, game.title, Look(distinct(LIGHT), speak=speak))
        self._dark = Series(game, game.title, Look(DARK, speak=speak))
        self._last: Picture | HexPicture | None = None

    def add(self, picture: Picture | HexPicture | None) -> None:
        """The next one."""
        if picture is None or picture == self._last:
            self.strip.repeat()
            return
        self._last = picture
        light = self._light.pieces(picture)
        fresh = self.strip.fresh(light)

        def dark() -> str:
            drawn = self._dark.pieces(picture)
            return "".join(drawn[n] for n in fresh)

        self.palette.learn("".join(light[n] for n in fresh), dark)
        self.strip.add(light, self.palette.numbered)


# -- the page -----------------------------------------------------------------------------------------------------------


class _Packed:
    """JSON that is compressed while it is made: the text of a long game is never in memory as a whole."""

    def __init__(self) -> None:
        self._squeeze, self._parts = zlib.compressobj(9), list[bytes]()

    def add(self, *parts: Plain) -> None:
        """Text as it is, anything else as JSON."""
        for part in parts:
            text = part if isinstance(part, str) else json.dumps(part, ensure_ascii=False, separators=(",", ":"))
            self._parts.append(self._squeeze.compress(text.encode()))

    def closed(self) -> bytes:
        """All of it."""
        return b"".join([*self._parts, self._squeeze.flush()])


def _whole(start: Table, packed: _Packed, board: _Board, language: Language) -> str:
    folder = data_folder("templates") / "replay"
    script = "".join((folder / name).read_text("utf-8") for name in SCRIPTS)
    style = (folder / "replay.css").read_text("utf-8")
    palette, dark = board.palette, board.palette.css(dark=True)
    style += f":root{{{palette.css(dark=False)}}}"
    style += f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
    style += f"@media screen{{:root[data-theme=dark]{{{dark}}}}}\n"
    return render.page(
        "replay/replay.html.j2",
        language,
        game=start.game.title,
        game_id=start.charter.game_id,
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
        data=base64.b64encode(packed.closed()).decode(),
        has_board=bool(board.strip.pieces),
    )


def _hash(text: str) -> str:
    """As a content security policy names an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
