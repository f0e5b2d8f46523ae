"""Order files drafted: what is asked, orders that are legal, standing orders to edit; and the next question under them."""

from __future__ import annotations

from pathlib import Path

from pbem.cli.play import of_game, own_in_words
from pbem.kernel.canon import Plain, sha256_hex
from pbem.kernel.notation import order_text
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Text
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.paper import read_paper
from pbem.runtime.table import Table
from pbem.store import dues
from pbem.store.session import Session

SAMPLES = 40  # legal orders that a draft shows
MARK = "# draft "  # the first line, with a digest of the others: as long as it fits, nobody has edited the file
NEXT = "# next: "


def draft(path: Path, to: Path) -> tuple[Plain, str]:
    """An order file with what is asked, sample orders, and the usual standing orders. Raises ProtocolError: it was edited."""
    from pbem.cli.guiding import asked_of

    session = Session.open(path)
    due = {"player": session.table.due.player, "what": session.table.due.what}
    if due["what"] in AUTOMATIC or due["player"] != session.me.player:
        why = f"; it holds no order, the program of {due['player']} writes it by itself" if due["what"] in AUTOMATIC else ""
        return {"file": None, "due": {**due}}, f"Nothing to draft: {dues.told(session)}{why}"
    aside = _make_room(session, path, to)
    lines = [f"# {dues.told(session)}", f"# {_heading(session)}", "orders:"]
    asked = asked_of(session.table, session.me.player, session.knowledge())
    lines += _samples(session, session.table)
    lines += [f"# {line}" for line in own_in_words(session)]
    lines += [*_standing_to_edit(session), "note: []"]
    session.folder.disk.replace(to, _marked("\n".join(lines) + "\n").encode())
    plain: Plain = {"file": str(to), "due": {**due}, "proposals": [*asked.options] if asked is not None else []}
    kept = f"The file that you have sent is kept as {aside}.\n" if aside else ""
    return plain, f"{kept}{to} drafted. Edit it, then: pbem check {to}{of_game(path)}"


def more(path: Path, file: Path) -> tuple[Plain, str]:
    """The legal orders of the next question, as remarks under the orders that stand in a file."""
    session = Session.open(path)
    text = read_paper(file.read_bytes()).text
    desk = session.desk(text)
    sheet = desk.sheet
    if sheet.trouble is not None:
        raise ProtocolError(
            Outcome.REFUSED, f"{file.name}: what stands there is not legal yet: pbem check {file}{of_game(path)}"
        )
    if sheet.asked is None:
        return {"file": str(file), "asked": None}, f"Nothing more is asked: pbem send {file}{of_game(path)}"
    told = session.game.words().asked(sheet.asked.kind) or sheet.asked.prompt
    remarks = [NEXT + _english(session, told), *_samples(session, desk.table)]
    added = [line for line in remarks if line not in text.split("\n")]
    session.folder.disk.replace(file, desk.remarked(added).encode())
    return {"file": str(file), "asked": sheet.asked.kind}, f"{file}: {_english(session, told)}. Edit it, then check it again."


def _samples(session: Session, table: Table) -> list[str]:
    """The legal orders of the question at hand, each as a remark."""
    from pbem.cli.guiding import asked_of

    asked = asked_of(table, session.me.player, session.knowledge())
    found = dict.fromkeys(asked.in_file(o) + _places_in(session, table, o) for o in asked.options) if asked else {}
    return [f"#  {line}" for sample in list(found)[:SAMPLES] for line in sample.splitlines()]


# -- what a person has written is not overwritten --------------------------------------------------------------------------


def _marked(text: str) -> str:
    return f"{MARK}{sha256_hex(text.encode())[:12]}: until you change it, `pbem orders` may write it anew\n{text}"


def _make_room(session: Session, path: Path, to: Path) -> str:
    """Where an edited file that was sent is kept now. Raises ProtocolError for one that was not."""
    if not to.exists() or not to.read_bytes().strip():
        return ""
    text = to.read_bytes().decode("utf-8", "replace")
    first, _, rest = text.partition("\n")
    if first.startswith(MARK) and first == _marked(rest).partition("\n")[0]:
        return ""
    seq = _sent_as(session, text)
    if not seq:
        more = f"`pbem orders --continue {to}{of_game(path)}` adds what is asked next, --to names another file"
        raise ProtocolError(Outcome.REFUSED, f"{to} was edited and is not overwritten: {more}")
    aside = to.with_name(f"{to.stem}-{seq:04d}{to.suffix}")
    if not aside.exists():
        session.folder.disk.replace(aside, to.read_bytes())
    return str(aside)


def _sent_as(session: Session, text: str) -> int:
    """The newest own file of the log, when it says what this text says; else 0."""
    try:
        written = [order_text(o) for o in read_paper(text).orders if o != DONE]
    except ProtocolError:
        return 0
    mine = [seq for seq, e in enumerate(session.table.ledger.entries) if e.player == session.me.player and e.decides]
    if not mine:
        return 0
    sent = [o for o in session.folder.fetch(mine[-1]).get("orders") or [] if o != DONE]
    same = len(sent) == len(written) and all(_says(o, w) for o, w in zip(sent, written, strict=True))
    return mine[-1] if same else 0


def _says(sent: Plain, written: str) -> bool:
    """An order as it was signed: sealed, or with the handles of cards behind their names."""
    return (isinstance(sent, dict) and "sealed" in sent) or order_text(sent).startswith(written)


# -- lines -------------------------------------------------------------------------------------------------------------


def _english(session: Session, text: Text) -> str:
    from pbem.report.languages import language

    return language("en", (session.game.words().CATALOGUE,)).text(text)


def _heading(session: Session) -> str:
    """Where the game stands: turn and phase."""
    return _english(session, session.game.words().heading(session.table.engine.state))


def _standing_to_edit(session: Session) -> list[str]:
    """The usual standing orders, and questions that pass unasked, as lines to take the comment sign from."""
    usual: dict[str, Plain] = dict(session.game.usual)
    lines = ["  " + line for line in strict_yaml.write_document(usual).splitlines()] if usual else []
    held = {s.kind for s in session.table.ledger.standing if s.player == session.me.player}
    silent = {k: text for k, text in session.game.unasked(session.table.engine.state).items() if k not in held}
    lines += [f"#  {kind}: ask me  # else it passes unasked: {text}" for kind, text in silent.items()]
    return ["standing:  # from this file on; delete what you want to be asked", *lines] if lines else []


def _places_in(session: Session, table: Table, order: Plain) -> str:
    """A comment with the names of the hexes that a sample order gives by number."""
    found = session.game.places_in(table.engine.state, order)
    return f"  # {', '.join(found)}" if found else ""
