"""The rules looked up: a section, words, a card; and refusals that name their rule by its title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbem import games
from pbem.cli import speech
from pbem.cli.speech import rules_of, speak
from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest, unreadable
from pbem.kernel.wording import msg, verbatim
from pbem.runtime.taking import Refused
from pbem.store.folder import GameFolder
from pbem.store.session import Session

if TYPE_CHECKING:  # `check` loads this module
    from pbem.games.index import Card, Entry, RuleIndex, Ruling

ROOT = Path(games.__file__).parents[2]  # what paths of code are told from
_ID = re.compile(r"(?:[A-Z]+(?:-[A-Z0-9]+)+|(?:1e-)?\d+(?:\.\d+)+)")
FEW = 60  # hits of a search that are listed


def rules(path: Path, words: Sequence[str]) -> tuple[Plain, str]:
    """What `pbem rules [SYSTEM] [ID|WORDS]` answers; a card by its number is shown as by `pbem card`. Raises Rejected."""
    game, edition, asked = _named(path, words)
    index = rules_of(game)
    if not asked:
        return _list(index.entries.values(), f"{index.note}\n" if index.note else "")
    id = _as_written(asked)
    found = index.entry(id, edition)
    if found is not None:
        return _whole(index, game, found)
    if id in index.rulings:
        return _ruling(index, index.rulings[id])
    if id in index.cards:
        return _card(index, index.cards[id], edition)
    below = index.children(id, edition)
    return _list(below) if below else _search(index, game, asked, edition)


def card(path: Path, words: Sequence[str]) -> tuple[Plain, str]:
    """What `pbem card [SYSTEM] ID|WORDS` answers. Raises Rejected."""
    game, edition, asked = _dealt(path, words)
    index = rules_of(game)
    exact = index.cards.get(asked.upper())
    found = [exact] if exact else index.search_cards(asked)
    if not found:
        raise unreadable(
            msg("no card has {asked!r}", asked=asked), nearest(asked.title(), [c.name for c in index.cards.values()])
        )
    if len(found) == 1:
        return _card(index, found[0], edition)
    return [_card(index, c, edition)[0] for c in found], "\n".join(_head(c) for c in found)


def ids(system: str) -> list[str]:
    """Every id of a system's rules, rulings and cards, for the shell."""
    index = games.load(system).index()
    return [*index.entries, *index.rulings, *index.cards]


def titled(session: Session, refused: Refused) -> Refused:
    """A refusal whose problems name their rule with its title: `[GC-14 Submarines and aircraft]`."""
    index, edition = rules_of(session.game), session.charter.rules
    return Refused([replace(p, rule=index.label(p.rule, edition)) for p in refused.problems])


# -- which game ------------------------------------------------------------------------------------------------------------


def _named(path: Path, words: Sequence[str]) -> tuple[Module, str, str]:
    """Game, edition and the rest of the words; in a game folder the system need not be named."""
    if words and games.is_known(words[0]):
        return games.load(words[0]), _edition(path, words[0]), " ".join(words[1:])
    here = _here(path)
    if here is not None:
        return here[0], here[1], " ".join(words)
    if words and not _ID.fullmatch(words[0]):
        games.load(words[0])  # tells which names are near
    asked = msg("{section} is a section: name the game before it", section=words[0]) if words else msg("name the game")
    raise unreadable(asked, verbatim(*games.names()))


def _dealt(path: Path, words: Sequence[str]) -> tuple[Module, str, str]:
    """The same for cards: without a game at hand it is the one that has cards."""
    asked = [*words]
    if _here(path) is None and not (words and games.is_known(words[0])):
        asked = [*(name for name in games.names() if games.load(name).index().cards)][:1] + asked
    game, edition, rest = _named(path, asked)
    if not game.index().cards:
        raise unreadable(msg("{title} has no cards to look up", title=game.title))
    if not rest:
        raise unreadable(msg("name a card, or words of it"), msg("for example: pbem card J16"))
    return game, edition, rest


def _here(path: Path) -> tuple[Module, str] | None:
    if not (path / "pbem.json").exists():
        return None
    draft = GameFolder(path).draft()
    return games.load(str(draft["system"])), str(draft.get("rules", ""))


def _edition(path: Path, system: str) -> str:
    here = _here(path)
    return here[1] if here is not None and here[0].name == system else ""


def _as_written(asked: str) -> str:
    """An id in its own letters, whatever the player typed."""
    return asked if asked.startswith("1e-") else asked.upper()


# -- answers ---------------------------------------------------------------------------------------------------------------


def _list(entries: Iterable[Entry], before: str = "") -> tuple[Plain, str]:
    rows = [*entries]
    wide = max((len(e.id) for e in rows), default=0)
    plain: Plain = [{"id": e.id, "title": e.title} for e in rows]
    return plain, before + "\n".join(f"{e.id:{wide}}  {e.title}" for e in rows)


def _search(index: RuleIndex, game: Module, asked: str, edition: str) -> tuple[Plain, str]:
    found = index.search(asked, edition)
    if not found:
        near = nearest(_as_written(asked), [*index.entries, *index.rulings])
        raise unreadable(msg("no rule of {title} has {asked!r}", title=game.title, asked=asked), near)
    if len(found) == 1:
        return _whole(index, game, found[0])
    plain, text = _list(found[:FEW])
    if len(found) > FEW:
        text += "\n" + speak("{number} more: name another word", number=len(found) - FEW)
    return plain, text


def _whole(index: RuleIndex, game: Module, entry: Entry) -> tuple[Plain, str]:
    """A rule with all that hangs on it."""
    titles = case_titles(game)
    places = {where: _place(index, where) for where in entry.where}
    rulings, below = index.rulings_on(entry.id), index.children(entry.id)
    plain: Plain = {
        "id": entry.id, "title": entry.title, "says": entry.says, "at": {**entry.at}, "status": entry.status, "why": entry.why,
        "rulings": [{"id": r.id, "decision": r.decision, "source": r.source} for r in rulings],
        "cases": [{"id": c, "title": titles.get(c, "")} for c in entry.cases],
        "code": [{"name": w, "place": p} for w, p in places.items()], "below": [e.id for e in below],
    }  # fmt: skip
    lines = [f"{entry.id} {entry.title}", entry.says, speak("In the book: {at}", at=_at(entry))]
    lines += [speak("Not applicable: {why}", why=entry.why)] if entry.status == "not applicable" else []
    lines += _part(speak("Below it"), [f"{e.id} {e.title}" for e in below])
    lines += _part(speak("Rulings"), [f"{r.id}: {r.decision}" for r in rulings])
    lines += _part(speak("Cases"), [f"{c} {titles.get(c, '')}".rstrip() for c in entry.cases])
    lines += _part(speak("Code"), [f"{place} {where}" for where, place in places.items()])
    return plain, "\n".join(lines)


def _at(entry: Entry) -> str:
    told = {
        "step": msg("step {place}", place=entry.at.get("step", "")),
        "page": msg("page {place}", place=entry.at.get("page", "")),
    }
    return speech.text((str(entry.at["chapter"]), *(told[name] for name in entry.at if name in told)))


def _part(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"{heading}:", *(f"  {line}" for line in lines)] if lines else []


def _place(index: RuleIndex, where: str) -> str:
    path, line = index.place(where)
    return f"{path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path}:{line}"


def _ruling(index: RuleIndex, ruling: Ruling) -> tuple[Plain, str]:
    plain: Plain = {"id": ruling.id, "decision": ruling.decision, "source": ruling.source, "rules": [*ruling.rules]}
    lines = [
        speak("{id}, a ruling: {decision}", id=ruling.id, decision=ruling.decision),
        speak("It rests on: {source}", source=ruling.source),
    ]
    return plain, "\n".join([*lines, *_part(speak("On"), [index.label(r) for r in ruling.rules])])


def _card(index: RuleIndex, card: Card, edition: str) -> tuple[Plain, str]:
    """A card in an edition; where none is at hand, with what is otherwise in each."""
    differs = {name: text for name, text in card.differs.items() if edition in ("", name)}
    plain: Plain = {
        "id": card.id, "name": card.name, "type": card.type, "kind": card.kind, "values": card.values, "says": card.says,
        "when": card.when, "section": card.section, "differs": {**differs},
    }  # fmt: skip
    lines = [_head(card), card.values, card.says]
    lines += [speak("In the edition {name}: {text}", name=name, text=text) for name, text in differs.items()]
    return plain, "\n".join([*lines, f"{card.when} [{index.label(card.section, edition)}]"])


def _head(card: Card) -> str:
    return f"{card.id} {card.name} ({', '.join(filter(None, (card.type, card.kind)))})"


def case_titles(game: Module) -> Mapping[str, str]:
    """The titles of a game's cases, in a checkout; an installed package does not bring them."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "tests" / "cases" / game.folder).rglob("*.cases")):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("CASE "):
                id, _, title = line.removeprefix("CASE ").partition("  ")
                found[id.strip()] = title.strip()
    return found
