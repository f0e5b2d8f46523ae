"""Looking: map, log, dice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.cli import forks
from pbem.cli.spans import Walk, places, table_after, told_of_turn
from pbem.cli.speech import speak, text, tongue
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import msg
from pbem.protocol import dice as protocol_dice
from pbem.protocol import outcomes
from pbem.store import talk
from pbem.store.session import Session

if TYPE_CHECKING:
    from pbem.kernel.happened import File
    from pbem.kernel.hex_picture import HexPicture
    from pbem.kernel.picture import Picture
    from pbem.report.map_set import Maps
    from pbem.report.maps.look import Look
    from pbem.runtime.table import Table

BATTLES = "battles"


class Chart(Struct, frozen=True):
    """Which map is wanted: after which file (-1: the newest), whose arrows (turn, round, file or none), how it looks.

    `own`: with what the player of this folder alone knows; `since`: the first file whose moves count; `pinned`: with the
    pins that he has put there for himself.
    """

    file: int = -1
    happened: str = "turn"
    theme: str = "light"
    width: int = 0
    around: str = ""
    changes: bool = False
    own: bool = False
    since: int = 1
    pinned: bool = False


def draw(path: Path, to: Path, wanted: Chart) -> str:
    """One map, or with `around` set to "battles" one for every battle area. Raises ProtocolError."""
    session = Session.open(path)
    walk = _walk(session, wanted)
    title, shown = _picture(session, wanted, walk)
    told = _in_words(session, walk.last) if to.suffix == ".svg" else ""
    if to.suffix == ".txt":
        return put(session, to, _text(session, title, shown, wanted))
    if wanted.around != BATTLES:
        return put(session, to, _drawn(session, title, shown, wanted, told))
    fought = _fought(shown)
    made = [
        put(session, to.with_stem(f"{to.stem}-{id}"), _drawn(session, title, shown, replace(wanted, around=id), told))
        for id in fought
    ]
    return "\n".join(made) or speak("no battles in these files: no map written")


def _fought(shown: Picture | HexPicture) -> list[str]:
    """Where there was a battle or will be one: areas by id, hexes by their printed number."""
    from pbem.kernel.hex_picture import HexPicture

    if not isinstance(shown, HexPicture):
        return [space.id for space in shown.spaces if space.fought]
    numbers = {cell.id: cell.number for cell in shown.map.cells}
    return [numbers[place.id] for place in shown.spaces if place.fought and place.id in numbers]


def of_desk(session: Session, table: Table, around: str) -> str:
    """The map behind orders that are not sent yet, for their player: around a place of a hex map as text, else a picture."""
    from pbem.kernel.hex_picture import HexPicture
    from pbem.report import view

    state, wanted = table.engine.state, Chart(around=around, pinned=True)
    for seat in session.charter.seats_of(session.me.player):
        state = session.game.seen_by(state, seat, session.knowledge().reveal) or state
    title = f"{session.game.title}: {text(session.game.words().heading(state))}"
    shown = view.picture_of(session.game, state, [], "none")
    if around and isinstance(shown, HexPicture):
        return _text(session, title, shown, wanted).rstrip()
    return put(session, session.folder.path / "map.svg", _drawn(session, title, shown, wanted, ""))


def maps(session: Session, wanted: Chart) -> Maps:
    """The maps of a report."""
    from pbem.report import pictures

    title, shown = _picture(session, wanted, _walk(session, wanted))
    return pictures.maps(session.game, shown, title, _look(wanted))


def _walk(session: Session, wanted: Chart) -> Walk:
    """The files up to the one after which the map is drawn. Raises ProtocolError."""
    newest = session.table.last
    if wanted.file > newest:
        raise outcomes.unreadable(msg("there is no file {last}; there are: 0 to {number}", last=wanted.file, number=newest))
    return Walk(session, newest if wanted.file < 0 else wanted.file)


def _picture(session: Session, wanted: Chart, walk: Walk) -> tuple[str, Picture | HexPicture]:
    """Title and position."""
    from pbem.report import view

    last = walk.last
    state = table_after(session, last).engine.state
    title = f"{session.game.title}: {text(session.game.words().heading(state))}"
    happened = _happened(session, wanted, walk)
    if wanted.own:
        title = speak("{title}, as {player} sees it", title=title, player=session.me.player)
        state = _own(session, state, last < session.table.last)
    return title, view.picture_of(session.game, state, happened, wanted.happened, changes=wanted.changes)


def _happened(session: Session, wanted: Chart, walk: Walk) -> list[File[Any]]:
    """The states before files up to `last` and what these brought: so many that the latest turn or round is whole."""
    from pbem.report import view

    files: list[File[Any]] = []
    for first in [*(k + 1 for k in places(session, walk.last - 1)), 1]:
        first = max(first, wanted.since)
        files = [(step.state, step.taken.events) for step in walk.since(first)]
        shown = view.happened_in(session.game, files, wanted.happened)
        if first <= wanted.since or wanted.happened == "none" or (shown and shown[0][0] is not files[0][0]):
            break
    return files


def _own(session: Session, state: Any, earlier: bool) -> Any:
    """The position with what the player of this folder alone knows. Raises ProtocolError."""
    for seat in session.charter.seats_of(session.me.player):
        seen = session.game.seen_by(session.table.engine.state if earlier else state, seat, session.knowledge().reveal)
        if seen is None:
            raise outcomes.unreadable(msg("nothing on the board of this game is hidden"))
        state = seen
    if earlier:
        raise outcomes.unreadable(msg("--own shows the newest position"))
    return state


def _in_words(session: Session, last: int) -> str:
    """The digest of the turn of a map behind a file, for who does not see it; nothing before the first one."""
    from pbem.cli import reporting
    from pbem.report import render

    words = session.game.words()
    if last == 0:
        return ""
    steps = told_of_turn(session, words, words.turn(table_after(session, last).engine.state), last)
    return render.brief(reporting.digest_of(session, steps, last), "spoken", tongue()).strip()


def _drawn(session: Session, title: str, shown: Picture | HexPicture, wanted: Chart, told: str) -> str:
    from pbem.report import svg_map

    look = _look(wanted)
    if wanted.pinned:
        look = replace(look, pins=tuple(talk.pins(session.folder).items()))
    return svg_map.described(svg_map.draw(session.game, shown, title, look), told)


def _look(wanted: Chart) -> Look:
    from pbem.report.maps.look import Look
    from pbem.report.maps.themes import THEMES

    if wanted.theme not in THEMES:
        raise outcomes.unreadable(
            msg("there is no theme {theme!r}; there are: {themes}", theme=wanted.theme, themes=", ".join(THEMES))
        )
    if wanted.width and not 200 <= wanted.width <= 8000:
        raise outcomes.unreadable(msg("a map cannot be {width} pixels wide, but 200 to 8000", width=wanted.width))
    return Look(THEMES[wanted.theme], wanted.width, wanted.around, wanted.changes, text)


def _text(session: Session, title: str, shown: Picture | HexPicture, wanted: Chart) -> str:
    from pbem.kernel.hex_picture import HexPicture
    from pbem.report.maps import hex_text

    if not isinstance(shown, HexPicture):
        raise outcomes.unreadable(msg("only hex maps are drawn as text; for others: pbem report --format spoken --board"))
    return hex_text.text(session.game, shown, title, wanted.around, text)


def put(session: Session, to: Path, drawn: str) -> str:
    """What was drawn, into a file whose suffix names its form."""
    if to.suffix == ".png":
        from pbem.report.png import png

        session.folder.disk.replace(to, png(drawn))
    else:
        session.folder.disk.replace(to, drawn.encode())
    return speak("{to} written", to=str(to))


def log(path: Path) -> tuple[Plain, str]:
    """The files, one line each."""
    from pbem.report.layout import width

    session = Session.open(path)
    rows: list[Plain] = []
    lines = []
    files = session.folder.log.standing()
    for entry, known in zip(files, session.table.ledger.entries, strict=False):
        document = entry["document"]
        n, rolls = len(document.get("orders") or []), len(document.get("dice") or [])
        player = known.player or ("charter" if known.type == "charter" else "")
        rows.append({"id": known.id, "player": player, "type": known.type, "orders": n, "rolls": rolls})
        void = " (" + speak("taken back") + ")" if len(rows) - 1 in session.table.ledger.voided else ""
        held = speak("{orders} orders {rolls} rolls", orders=f"{n:3}", rolls=f"{rolls:3}")
        came = speak("received {time}", time=entry["received"])
        words = f"{known.id[:12]} {player}{' ' * (12 - width(player))} {known.type:8} {held}"
        lines.append(f"{len(rows) - 1:4} {words}  {came}{void}")
    return rows, "\n".join([*lines, *forks.told(session)])


def latest_dice(path: Path) -> tuple[Plain, str]:
    """The rolls after the newest file that led to any, each with the command that explains it."""
    rolled = Session.open(path).table.ledger.rolled
    newest = [r for r in rolled if r.source == rolled[-1].source] if rolled else []
    plain: Plain = [{"file": r.source, "roll": r.index, "label": r.label, "dice": [*r.dice]} for r in newest]
    lines = [f"pbem dice {r.source} --roll {r.index}: {' '.join(map(str, r.dice))}  {r.label}" for r in newest]
    return plain, "\n".join(lines) or speak("no dice have been rolled yet")


def dice(path: Path, source: int, index: int) -> tuple[Plain, str]:
    """One roll from link to numbers."""
    session = Session.open(path)
    ledger = session.table.ledger
    rolled = next((r for r in ledger.rolled if r.source == source and r.index == index), None)
    if rolled is None:
        known = ", ".join(f"{r.source} {r.index}" for r in ledger.rolled[-8:])
        raise unreadable(
            msg("file {source} led to no roll {index}", source=source, index=index),
            msg("the latest are {known}", known=known or msg("none")),
        )
    at, game_id = ledger.behind(source), ledger.entries[0].id
    link, shower = ledger.entries[at].link, ledger.entries[at].player
    shower = shower or speak("a voided file of {player}", player=ledger.entries[at].of)
    seed = protocol_dice.seed(bytes.fromhex(link), game_id, source, ledger.entries[source].id)
    block = protocol_dice.mac(seed, protocol_dice.block_message(index, 0, rolled.label))
    plain: Plain = {
        "label": rolled.label, "rule": rolled.rule, "sides": rolled.sides, "dice": [*rolled.dice], "link": link,
        "seed": seed.hex(), "block": block.hex(),
    }  # fmt: skip
    lines = [
        f"{rolled.label} [{rolled.rule}]",
        speak(
            "link   {link}  (shown in file {at} by {shower}, fixed before file {source})",
            link=link,
            at=at,
            shower=shower,
            source=source,
        ),
        f"seed   {seed.hex()}  = HMAC(link, game, {source}, id of file {source})",
        f"block  {block.hex()}  = HMAC(seed, roll {index}, block 0, label)",
        f"dice   {' '.join(map(str, rolled.dice))}  = 1 + each 32-bit word mod {rolled.sides}",
    ]
    return plain, "\n".join(lines)
