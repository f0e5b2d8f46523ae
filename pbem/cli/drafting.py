"""Order files drafted: what is asked, orders that are legal, standing orders to edit; and the next question under them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pbem.cli import behind, drafted, planning, waiting
from pbem.cli.ahead import not_done_yet, passed, to_come
from pbem.cli.play import of_game, own_in_words
from pbem.cli.sent import check_not_sent, sent_as
from pbem.cli.speech import speak, text
from pbem.games.parts import USUAL
from pbem.kernel.canon import Plain, sha256_hex
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.wording import msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.asked import question_of
from pbem.runtime.desk import Desk
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.paper import read_paper
from pbem.runtime.table import Table
from pbem.store import dues, sets
from pbem.store.session import Session

SAMPLES = 40  # legal orders that a draft shows
MARK = "# draft "  # the first line, with a digest of the others: as long as it fits, nobody has edited the file


def draft(path: Path, to: Path, name: str = "") -> tuple[Plain, str]:
    """An order file with what is asked, sample orders, and a set of standing orders. Raises ProtocolError: it was edited."""
    from pbem.cli.guiding import asked_of

    session = Session.open(path)
    chosen = sets.named(session, name or USUAL)
    due = {"player": session.table.due.player, "what": session.table.due.what}
    behind = session.asked_behind()
    table = session.table if behind is None else behind.table
    if behind is None and (due["what"] in AUTOMATIC or due["player"] != session.me.player):
        nothing = speak("Nothing to draft: {told}", told=dues.told(session))
        if due["what"] in AUTOMATIC:
            nothing = speak(
                "Nothing to draft: {told}; it holds no order, the program of {player} writes it by itself",
                told=dues.told(session),
                player=due["player"],
            )
        return {"file": None, "due": {**due}}, nothing
    aside = _make_room(session, path, to)
    desk = session.desk("")
    lines = [drafted.remark(session), f"# {text(dues.clause(table.due))}", f"# {_heading(session, table)}"]
    lines += [*(f"# {line}" for line in waiting.told(session, behind)), "orders:"]
    asked = asked_of(table, session.me.player, desk.knowledge())
    lines += [*_samples(session, desk), *_ahead(session, "")]
    lines += [f"# {line}" for line in own_in_words(session)]
    lines += [*standing_to_edit(session, chosen), *planning.to_edit(session), "note: []"]
    session.folder.disk.replace(to, _marked("\n".join(lines) + "\n").encode())
    plain: Plain = {"file": str(to), "due": {**due}, "proposals": [*asked.options] if asked is not None else []}
    told = [speak("The file that you have sent is kept as {aside}.", aside=aside)] if aside else []
    told.append(speak("{to} drafted. Edit it, then: pbem check {to}{option}", to=str(to), option=of_game(path)))
    return plain, "\n".join(told)


def more(path: Path, file: Path) -> tuple[Plain, str]:
    """The legal orders of the next question, as remarks under the orders that stand in a file."""
    session, option = Session.open(path), of_game(path)
    source = read_paper(file.read_bytes()).text
    drafted.check(session, source)
    desk = session.desk(source)
    sheet = desk.sheet
    if sheet.trouble is not None:
        check_not_sent(session, desk.wanted.orders, sheet.trouble.problems)
        behind.check_not_behind(desk, file, option)
        raise ProtocolError(
            Outcome.REFUSED,
            msg(
                "{name}: what stands there is not legal yet: pbem check {file}{option}",
                name=file.name,
                file=str(file),
                option=option,
            ),
        )
    ahead = [f"# {line}" for line in passed(session, desk)]
    if sheet.asked is None and not ahead:
        over = speak("Nothing more is asked: pbem send {file}{option}", file=str(file), option=option)
        return {"file": str(file), "asked": None}, "\n".join([over, *behind.to_come(session, desk)])
    asked = _asked(session, sheet.asked or sheet.passed[0])
    remarks = ["# " + speak("next: {question}", question=asked), *_samples(session, desk)] if sheet.asked else []
    remarks += [*ahead, *_ahead(session, source)]
    added = [line for line in remarks if line not in source.split("\n")]
    session.folder.disk.replace(file, desk.remarked(source, added).encode())
    told = speak("{file}: {question}. Edit it, then check it again.", file=str(file), question=asked)
    return {"file": str(file), "asked": sheet.asked.kind if sheet.asked else None}, told


def _asked(session: Session, ask: Ask | Commit) -> str:
    return text(session.game.words().ASKED.get(ask.kind) or ask.prompt)


def _ahead(session: Session, source: str) -> list[str]:
    """The questions that follow. Each a remark."""
    found = [f"#  {line}" for told in to_come(session, source) for line in told.splitlines()]
    return ["# " + speak("what follows in the same file, answered like this:"), *found] if found else []


def _samples(session: Session, desk: Desk) -> list[str]:
    """What the question at hand lets choose from, by place; then legal orders. Each a remark."""
    from pbem.cli.choices import choices
    from pbem.cli.guiding import asked_of
    from pbem.cli.talking import places_of

    table = desk.table
    asked = asked_of(table, session.me.player, desk.knowledge())
    ask = question_of(table, session.me.player)
    named = places_of(session) if isinstance(ask, Ask) and session.game.picture() is not None else {}
    can = [f"# {line}" for line in [*not_done_yet(session, desk), *choices(ask, named)]] if isinstance(ask, Ask) else []
    found = dict.fromkeys(asked.in_file(o) + _names_in(session, table, o) for o in asked.options) if asked else {}
    samples = [f"#  {line}" for sample in list(found)[:SAMPLES] for line in sample.splitlines()]
    return [*can, *(["# " + speak("for example:")] if can and samples else []), *samples]


# -- what a person has written is not overwritten --------------------------------------------------------------------------


def _marked(lines: str) -> str:
    told = speak("until you change it, `pbem orders` may write it anew")
    return f"{MARK}{_digest(lines)}: {told}\n{lines}"


def _digest(lines: str) -> str:
    return sha256_hex(lines.encode())[:12]


def _is_untouched(found: str) -> bool:
    """A draft as it was written, in whichever language."""
    first, _, rest = found.partition("\n")
    return first.startswith(f"{MARK}{_digest(rest)}:")


def _make_room(session: Session, path: Path, to: Path) -> str:
    """Where an edited file that was sent is kept now. Raises ProtocolError for one that was not."""
    if not to.exists() or not to.read_bytes().strip():
        return ""
    found = to.read_bytes().decode("utf-8", "replace")
    if _is_untouched(found):
        return ""
    seq = _sent_as(session, found)
    if not seq:
        raise ProtocolError(
            Outcome.REFUSED,
            msg(
                "{to} was edited and is not overwritten: `pbem orders --continue {to}{option}` adds what is asked next, "
                "--to names another file",
                to=str(to),
                option=of_game(path),
            ),
        )
    aside = to.with_name(f"{to.stem}-{seq:04d}{to.suffix}")
    if not aside.exists():
        session.folder.disk.replace(aside, to.read_bytes())
    return str(aside)


def _sent_as(session: Session, found: str) -> int:
    try:
        return sent_as(session, read_paper(found).orders)
    except ProtocolError:
        return 0


# -- lines -------------------------------------------------------------------------------------------------------------


def _heading(session: Session, table: Table) -> str:
    """Where the game stands: turn and phase."""
    return text(session.game.words().heading(table.engine.state))


def standing_to_edit(session: Session, chosen: Mapping[str, Plain]) -> list[str]:
    """The standing orders of a set, and questions that pass unasked, as lines to take the comment sign from."""
    held = {s.kind: s.seq for s in session.table.ledger.standing if s.player == session.me.player}
    game, state = session.game, session.table.engine.state
    usual = {kind: what for kind, what in chosen.items() if kind not in held and not game.never_asks(state, kind)}
    lines = ["  " + line for line in strict_yaml.write_document(usual).splitlines()] if usual else []
    lines += [f"#  {kind}: " + speak("holds since file {seq}", seq=seq) for kind, seq in held.items()]
    silent = {kind: what for kind, what in game.unasked(state).items() if kind not in held}
    passes = {kind: speak("else it passes unasked: {what}", what=what) for kind, what in silent.items()}
    lines += [f"#  {kind}: ask me  # {told}" for kind, told in passes.items()]
    head = "standing:  # " + speak("from this file on; delete what you want to be asked")
    return [head, *lines] if lines else []


def _names_in(session: Session, table: Table, order: Plain) -> str:
    """A comment with the names of what a sample order gives by number."""
    found = session.game.names_in(table.engine.state, order)
    return f"  # {', '.join(found)}" if found else ""
