"""Looking: map, log, dice, rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem import games
from pbem.cli.session import Session
from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest, unreadable
from pbem.protocol import dice as protocol_dice
from pbem.runtime.table import Table
from pbem.runtime.taking import Taken, take

Step = tuple[Taken, Mapping[str, Any]]


def steps(session: Session) -> list[Step]:
    """Every file of the log taken again from the start, with what happened."""
    table = Table.start(session.charter, session.game, session.scenario)
    found: list[Step] = []
    for document in session.folder.log.files()[1:]:
        taken = take(table, document, session.folder.fetch)
        table = taken.table
        found.append((taken, document))
    return found


def draw(path: Path, to: Path) -> str:
    """The map after the newest file."""
    session = Session.open(path)
    drawn = svg(session)
    if to.suffix == ".png":
        from pbem.report.png import png

        session.folder.disk.replace(to, png(drawn))
    else:
        session.folder.disk.replace(to, drawn.encode())
    return f"{to} written"


def svg(session: Session) -> str:
    """The map after the newest file as SVG."""
    from pbem.report import svg_map, view

    words = view.view_module(games.folder_of(session.charter.system))
    situation = words.situation(session.table.engine.state)
    title = f"{session.game.title}, round {situation['round']}, {situation['power']}: {situation['phase']}"
    last = [s for s in steps(session) if s[0].events][-1:]
    arrows = words.arrows(last[0][0].events) if last else []
    return svg_map.draw(session.scenario["map"], situation, title, arrows)


def log(path: Path) -> tuple[Plain, str]:
    """The files, one line each."""
    session = Session.open(path)
    rows: list[Plain] = []
    lines = []
    files = session.folder.log.standing()
    for entry, known in zip(files, session.table.ledger.entries, strict=False):
        document = entry["document"]
        n, rolls = len(document.get("orders") or []), len(document.get("dice") or [])
        player = known.player or "charter"
        rows.append({"id": known.id, "player": player, "type": known.type, "orders": n, "rolls": rolls})
        void = " (taken back)" if len(rows) - 1 in session.table.ledger.voided else ""
        words = f"{known.id[:12]} {player:12} {known.type:8} {n:3} orders {rolls:3} rolls"
        lines.append(f"{len(rows) - 1:4} {words}  received {entry['received']}{void}")
    return rows, "\n".join(lines)


def dice(path: Path, source: int, index: int) -> tuple[Plain, str]:
    """One roll from link to numbers."""
    session = Session.open(path)
    ledger = session.table.ledger
    rolled = next((r for r in ledger.rolled if r.source == source and r.index == index), None)
    if rolled is None:
        known = ", ".join(f"{r.source} {r.index}" for r in ledger.rolled[-8:])
        raise unreadable(f"file {source} led to no roll {index}", f"the latest are {known or 'none'}")
    link, game_id = ledger.entries[source + 1].link, ledger.entries[0].id
    seed = protocol_dice.seed(bytes.fromhex(link), game_id, source, ledger.entries[source].id)
    block = protocol_dice.mac(seed, protocol_dice.block_message(index, 0, rolled.label))
    plain: Plain = {
        "label": rolled.label, "rule": rolled.rule, "sides": rolled.sides, "dice": [*rolled.dice], "link": link,
        "seed": seed.hex(), "block": block.hex(),
    }  # fmt: skip
    lines = [
        f"{rolled.label} [{rolled.rule}]",
        f"link   {link}  (shown in file {source + 1} by {ledger.entries[source + 1].player}, fixed before file {source})",
        f"seed   {seed.hex()}  = HMAC(link, game, {source}, id of file {source})",
        f"block  {block.hex()}  = HMAC(seed, roll {index}, block 0, label)",
        f"dice   {' '.join(map(str, rolled.dice))}  = 1 + each 32-bit word mod {rolled.sides}",
    ]
    return plain, "\n".join(lines)


def rules(system: str, section: str) -> tuple[Plain, str]:
    """File, line and sentence of every function that cites a section, and the rulings that touch it."""
    games.load(system)
    folder = Path(games.__file__).parent / games.folder_of(system)
    index = _citations(folder)
    if not section:
        return [*sorted(index)], "\n".join(sorted(index))
    if section not in index:
        raise unreadable(f"no section {section!r} is cited", nearest(section, sorted(index)))
    return [*index[section]], "\n".join(index[section])


def _citations(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for section in re.findall(r"\[([A-Z]+(?:-[A-Z0-9]+)+)\]", line):
                words = re.sub(r"\[[A-Z0-9-]+\]|\"\"\"|#", "", line).strip()
                found.setdefault(section, []).append(f"{path.name}:{number}: {words}")
    return found
