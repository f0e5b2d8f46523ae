"""The replay of a game: one HTML file, without a network, that steps through board and log and verifies the files anew.

It shows what everybody may know: the files as they were sent, and the rules module's words and picture of the public state.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.games import Module
from pbem.games.data import data_folder
from pbem.games.module import Words
from pbem.kernel.canon import Plain
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.kernel.wording import msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.report import render, story, trust, view
from pbem.report.due import due_message
from pbem.report.filmstrip import Filmstrip, Palette
from pbem.report.languages import Language
from pbem.report.maps.look import Look
from pbem.report.maps.themes import DARK, LIGHT, Theme, distinct
from pbem.report.quoting import Named
from pbem.report.steps import Step
from pbem.runtime.ledger import Ledger
from pbem.runtime.table import Table
from pbem.runtime.taking import take

VERIFIER = ("bytes", "ed25519", "names", "document", "shapes", "formulas", "log", "slips", "heal", "verify")
SCRIPTS = (*(f"{name}.js" for name in VERIFIER), "player.js")
Document = Mapping[str, Any]
Fetch = Callable[[int], Document]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is shown at a file: where the game stands, who is to act, what happened (HTML), the board."""

    heading: str
    due: str
    log: str
    picture: Picture | HexPicture | None
    ledger: Ledger


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
    made = list(scenes(start, documents[1:], fetch, language, notes))
    made[-1] = replace(
        made[-1], due=" ".join([made[-1].due, *map(language.text, trust.told(documents, slips, made[-1].ledger))])
    )
    palette, board = _board(start.game, [scene.picture for scene in made])
    content: dict[str, Plain] = {
        "charter": dict(documents[0]),
        "files": [dict(document) for document in documents[1:]],
        "scenes": [[scene.heading, scene.due, scene.log] for scene in made],
        "pieces": list(board.pieces),
        "boards": board.changes,
    }
    return _whole(start, content, palette, language)


def scenes(
    start: Table, documents: Sequence[Document], fetch: Fetch, language: Language, notes: Sequence[view.Note] = ()
) -> Iterator[Scene]:
    """The charter, then every file."""
    words, table = start.game.words(), start
    yield Scene(*_place(words, table, language), "", _picture(table, []), table.ledger)
    voided = _voided(start, documents, fetch)
    given_up = _given_up(documents, lambda word: words.named(start.engine.state, word))
    for document in documents:
        taken = take(table, document, fetch)
        picture = _picture(taken.table, [(table.engine.state, taken.events)])
        told = story.report(words, [Step(table, taken, document)], taken.table, fetch)
        told = replace(told, notes=tuple(n for n in notes if (n.seq or 1) == taken.seq))
        gone = given_up.get(taken.seq, ())
        log = render.page("replay/log.html.j2", language, view=told, voided=taken.seq in voided, gone=gone)
        yield Scene(*_place(words, taken.table, language), log, picture, taken.table.ledger)
        table = taken.table


def _voided(start: Table, documents: Sequence[Document], fetch: Fetch) -> set[int]:
    """The files that an undo or a heal took back, as far as the whole log goes."""
    if not any(document["type"] in ("undo", "heal") for document in documents):
        return set()
    table = start
    for document in documents:
        table = take(table, document, fetch).table
    return set(table.ledger.voided)


def _given_up(documents: Sequence[Document], named: Named) -> dict[int, list[view.FileView]]:
    """At each void place the files that stood there, and at a heal all that it gave up."""
    found: dict[int, list[view.FileView]] = {}
    empty = {int(document["seq"]) for document in documents if document["type"] == heal.VOID}
    for one in (document for document in documents if document["type"] == heal.TYPE):
        for file in heal.given_up(one):
            shown = story.file_view(file, msg("void"), document_id(dict(file)), True, named)
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


def _board(game: Module, pictures: Sequence[Picture | HexPicture | None]) -> tuple[Palette, Filmstrip]:
    """Every picture, drawn when it differs from the one before."""
    palette, drawn, last = Palette(), Filmstrip(), None
    drawings: list[str | None] = []
    for picture in pictures:
        if picture is None or picture == last:
            drawings.append(None)
            continue
        last = picture
        drawings.append(_drawing(game, picture, palette))
    for drawing in drawings:
        if drawing is None:
            drawn.repeat()
        else:
            drawn.add(palette.numbered(drawing))
    return palette, drawn


def _drawing(game: Module, picture: Picture | HexPicture, palette: Palette) -> str:
    from pbem.report import svg_map

    def draw(theme: Theme) -> str:
        return svg_map.draw(game, picture, game.title, Look(theme))

    light = draw(distinct(LIGHT))
    palette.learn(light, lambda: draw(DARK))
    return light


# -- the page -----------------------------------------------------------------------------------------------------------


def _whole(start: Table, content: dict[str, Plain], palette: Palette, language: Language) -> str:
    folder = data_folder("templates") / "replay"
    script = "".join((folder / name).read_text("utf-8") for name in SCRIPTS)
    style = (folder / "replay.css").read_text("utf-8")
    dark = palette.css(dark=True)
    style += f":root{{{palette.css(dark=False)}}}@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
    style += f":root[data-theme=dark]{{{dark}}}\n"
    packed = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return render.page(
        "replay/replay.html.j2",
        language,
        game=start.game.title,
        game_id=start.charter.game_id,
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
        data=base64.b64encode(zlib.compress(packed, 9)).decode(),
        has_board=bool(content["pieces"]),
    )


def _hash(text: str) -> str:
    """As a content security policy names an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
