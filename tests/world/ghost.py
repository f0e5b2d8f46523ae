"""What an observer knows who sees every disk and every mail, and the promises held against it (pbem manual promises)."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.kernel.canon import canonical, sha256_hex
from pbem.kernel.records import to_plain
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.runtime.table import Table
from pbem.runtime.trust import Fork
from tests.toygame.skirmish import DECK

Document = Mapping[str, Any]


class Broken(AssertionError):
    """A promise that does not hold: its number, and what was seen."""

    def __init__(self, promise: str, seen: str) -> None:
        super().__init__(f"{promise}: {seen}")
        self.promise = promise


def hold(condition: object, promise: str, seen: str | Callable[[], str]) -> None:
    """An assertion with the number of the promise; where telling what was seen takes long, it is told on demand."""
    if not condition:
        raise Broken(promise, seen if isinstance(seen, str) else seen())


def signer(document: Document) -> str:
    """Who signed: the umpire for a player, or the player himself."""
    return str(document.get("signed_by") or document.get("player", ""))  # a heal has no one player


def in_short(document: Document) -> str:
    """A file or slip for a message."""
    return f"{document.get('seq', document.get('slip'))} {document.get('player')} {document_id(dict(document))[:8]}"


def _all_in_short(files: Sequence[Document]) -> list[str]:
    return [in_short(f) for f in files[1:]]


@dataclass(slots=True)
class Seen:
    """A file that was signed, and when."""

    document: Document
    at: int


@dataclass
class Ghost:
    """All signatures ever made, all links ever shown, and who held what since when."""

    honest: set[str]
    players: set[str]  # an umpire too
    sides: dict[str, str]
    game: str = ""
    resigned: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)  # players who have lost folder, record and mail at once
    set_back: set[str] = field(default_factory=set)  # players whose folder and record were set back together: they may fork
    time: int = 0
    made: dict[str, str] = field(default_factory=dict)  # what programs of honest players signed, in memory at least: machine
    files: dict[str, Seen] = field(default_factory=dict)  # everything signed that stood on a disk or went by mail
    places: dict[tuple[str, str, int, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    turned_by: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))  # (player, link) -> prev
    shown_to: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))  # player -> link -> when
    states: dict[str, tuple[dict[str, Any], str]] = field(default_factory=dict)  # hash of a log's ids -> state, who had it
    seeds: set[tuple[str, str]] = field(default_factory=set)  # (deciding file, file that turned it), looked at already

    def tick(self) -> int:
        """The next moment."""
        self.time += 1
        return self.time

    # -- what happens -------------------------------------------------------------------------------------------------

    def signed(self, document: Document, machine: str) -> None:
        """A program of an honest player has signed this; it may never leave its memory, and another machine sign the same."""
        name = document_id(dict(document))
        if name not in self.made or name not in self.files:
            self.made[name] = machine

    def reads(self, player: str, document: Document) -> None:
        """A mail with this document was opened by a player, whatever his program made of it."""
        for inner in (document, *_carried(document)):
            link = inner.get("link")
            if isinstance(link, str):
                self.shown_to[player].setdefault(link, self.tick())

    def stands(self, document: Document, name: str, secrets: Mapping[str, Any] | None = None) -> None:
        """A file or slip is on a disk or in a mail: it is signed for good. `secrets`: its author's, to look for leaks."""
        if name in self.files:
            return
        self.files[name] = Seen(document, self.tick())
        author = signer(document)
        if author in self.honest:
            hold(name in self.made, "P5", lambda: f"nobody's program signed {in_short(document)}")
        if document.get("slip") == "resignation":
            self.resigned.add(author)
        if "link" not in document:
            return
        knew = str(document["link"]) in self.shown_to[author]
        self.shown_to[author].setdefault(str(document["link"]), self.tick())
        self.turned_by[str(document["player"]), str(document["link"])].add(str(document["prev"]))
        place = (str(document["player"]), author, int(document["seq"]), str(document["prev"]))
        self.places[place].append(name)
        if author in self.honest:
            self._check_signed_once(place)
            self._check_link(document, knew)
            check_nothing_leaks(document, secrets)

    def _check_signed_once(self, place: tuple[str, str, int, str]) -> None:
        found = [self.files[name].document for name in self.places[place]]
        for second in found:
            for first in found:
                excused = [_replaces(first, second), _replaces(second, first)]
                excused += [self._stands(first, second), self._stands(second, first)]
                if first is not second and not any(excused) and place[1] not in self.set_back:
                    told = [f"{in_short(d)} with {[in_short(s) for s in d.get('slips') or []]}" for d in (first, second)]
                    raise Broken("P12", f"proof against an honest player: {' and '.join(told)}")

    def _stands(self, document: Document, other: Document) -> bool:
        """After a loss: the file carries a question that the other does not, and the answers of all others who have not
        resigned, and he has signed none between the newest file that any of them has named and this one."""
        slips, both = document.get("slips") or [], {document_id(dict(s)) for s in other.get("slips") or []}
        for question in [s for s in slips if s["slip"] == "restored" and s["player"] == document["player"] and "word" not in s]:
            asked = document_id(dict(question))
            heads = {s["player"]: s["head"] for s in slips if s["slip"] == "head" and s.get("answers") == asked}
            others = {*self.players} - self.resigned - {document["player"]}
            line = self._line(document)
            places = [line.index(head) if head in line else -1 for head in (question["head"], *heads.values())]
            if asked in both or not others <= heads.keys() or -1 in places:
                continue
            between = [self.files[name].document for name in line[1 + max(places) :]]
            if all(signer(file) != document["player"] for file in between):
                return True
        return False

    def _line(self, document: Document) -> list[str]:
        """The ids of the files that one follows, from the charter on."""
        line = [str(document["prev"])]
        while line[-1] in self.files:
            line.append(str(self.files[line[-1]].document["prev"]))
        return line[::-1]

    def _is_deceived(self, document: Document) -> bool:
        """Its author has lost everything and asked, and one who is not honest has named a head before a file that he held of
        him, or before one of his own: what the asker answers now, he may have answered before. No proof against him comes of
        it (P12), but a link of his may turn another file of the liar, who has signed that twice (P6). An umpire who stands in
        for him has heard the same answers, and carries none."""
        if document["player"] not in self.lost:
            return False
        heard = [seen.document for seen in self.files.values() if "slip" in seen.document]
        slips = heard if document.get("signed_by") else document.get("slips") or []
        asked = {document_id(dict(s)) for s in slips if s["slip"] == "restored" and s["player"] == document["player"]}
        given = [s for s in slips if s["slip"] == "head" and s.get("answers") in asked and s["player"] not in self.honest]
        return any(self._is_lie(slip, document) for slip in given)

    def _is_stood_in(self, document: Document) -> bool:
        """The umpire has stood in for its player, one of the two has not read the other's file, and the logs that both follow
        part at a liar's two files: each answered the one that he had, and those two prove the lie."""
        place = (str(document["player"]), str(document["link"]))
        found = [s.document for s in self.files.values() if (s.document.get("player"), s.document.get("link")) == place]
        lines = [self._line(d) for d in found]
        parting = [{self.files[name].document["player"] for name in at} for at in zip(*lines, strict=False) if len({*at}) > 1]
        liars = parting[0] if parting else set()
        return len({signer(d) for d in found}) > 1 and len(liars) == 1 and not liars & self.honest

    def _is_lie(self, slip: Document, document: Document) -> bool:
        said = self.files.get(document_id(dict(slip)))
        held = [f for f in self.files.values() if f.document.get("player") in (slip["player"], document["player"])]
        later = [f for f in held if int(f.document.get("seq", 0)) > self.place_of(str(slip["head"]))]
        return said is not None and any(f.at < said.at for f in later)

    def place_of(self, name: str) -> int:
        """The place of a file by its id; -1 of one that was never seen."""
        seen = self.files.get(name)
        return int(seen.document.get("seq", 0)) if seen is not None else 0 if name == self.game else -1

    def _check_link(self, document: Document, knew: bool) -> None:
        turned = self.turned_by[str(document["player"]), str(document["link"])]
        given_away = document["player"] not in self.honest  # by himself; an umpire who stands in for him cannot know it
        hold(
            len(turned) == 1 or given_away or self._is_deceived(document) or (not knew and self._is_stood_in(document)),
            "P6",
            lambda: f"the link of {in_short(document)} was shown for another file too",
        )

    # -- what a log says ----------------------------------------------------------------------------------------------

    def check_table(self, where: str, table: Table, files: Sequence[Document], ids: list[str]) -> None:
        """P1, P5, P6 and P9 for a folder of an honest player: its table, and the files of its log with their ids."""
        hold([e.id for e in table.ledger.entries] == ids, "P1", f"{where}: the table is not that of the log")
        self._check_equal(where, table, ids)
        for name, document in zip(ids[1:], files[1:], strict=True):
            taken = name in self.files or heal.is_place(document)
            hold(taken, "P5", lambda document=document: f"{where} took {in_short(document)}, which nobody signed")
        turned = {r.source for r in table.ledger.rolled} | {d.source for d in table.ledger.draws}
        for source in (
            n for n in turned if not heal.is_place(files[n + 1])
        ):  # dice that a heal turns have no file of their own
            self._check_seed(where, (ids[source], ids[source + 1]), files[source], files[source + 1])
        undone = [*_undone(files)]
        for seq in table.ledger.voided:
            named = any(to <= seq <= last for to, last in undone)
            hold(named, "P9", lambda seq=seq: f"{where}: file {seq} is void, and no undo names it: {_all_in_short(files)}")

    def check_proofs(self, where: str, forks: Sequence[Fork]) -> None:
        """P12: no program says of an honest player that it is proved he signed two files for one place."""
        told = [f"{f.player} at place {f.seq}: {f.ids}" for f in forks if f.player in self.honest - self.set_back]
        hold(not told, "P12", f"{where} holds it for proved: {told}")

    def _check_equal(self, where: str, table: Table, ids: list[str]) -> None:
        ledger = to_plain(table.ledger)
        assert isinstance(ledger, dict)
        del ledger["slips"]  # those beside the log come in any order
        ledger["resigned"] = sorted(table.ledger.resigned)
        key = sha256_hex(canonical([*ids, *sorted(table.ledger.resigned)]))
        state = {"state": table.engine.state_hash(), "due": to_plain(table.due), **ledger}
        known, first = self.states.setdefault(key, (state, where))
        other = {k: (known[k], v) for k, v in state.items() if known[k] != v}
        hold(not other, "P1", f"{where} and {first} have the same {len(ids) - 1} files and different states: {other}")

    def _check_seed(self, where: str, pair: tuple[str, str], source: Document, turning: Document) -> None:
        if pair in self.seeds or signer(turning) not in self.honest or pair[0] not in self.files or self._is_deceived(turning):
            return
        self.seeds.add(pair)
        decided, side = self.files[pair[0]].at, self.sides.get(str(source["player"]), "")
        for player in [p for p, s in self.sides.items() if s == side]:
            known = self.shown_to[player].get(str(turning["link"]))
            if known is not None and known <= decided:
                told = f"{where}: {player} held the link of {in_short(turning)} when {in_short(source)} was signed"
                raise Broken("P6", told)


def _carried(document: Document) -> Iterator[Document]:
    """The files that slips hold, and slips that files hold."""
    for slip in document.get("slips") or []:
        yield slip
        yield from _carried(slip)
    for file in [*(document.get("files") or []), *(heal.files_of(document) if "versions" in document else [])]:
        if isinstance(file, Mapping):
            yield file


def _undone(files: Sequence[Document]) -> Iterator[tuple[int, int]]:
    """The places that each undo names: from where it goes back to, up to the last acceptance behind it. A heal may stand
    between them: one of the players had signed two answers.

    A heal may ask the last orders again, whose dice are owed."""
    for n, file in enumerate(files):
        if file.get("type") == "undo":
            behind = itertools.takewhile(lambda d: d["type"] in ("accept", heal.TYPE, heal.VOID), files[n + 1 :])
            yield int(file["to"]), n + max((k for k, d in enumerate(behind, 1) if d["type"] == "accept"), default=0)
        if file.get("type") == heal.TYPE:
            decided = [seq for seq in range(1, file["to"] + 1) if files[seq].get("orders")]
            yield decided[-1] if decided else file["to"], n


def _replaces(one: Document, other: Document) -> bool:
    """A file that takes the place of ones which another player refused, this one too, the refusal in hand."""
    name = document_id(dict(other))
    refusals = [s for s in one.get("slips") or [] if s.get("slip") == "refusal"]
    return bool(one.get("replaces")) and any(s["file"] == name and s["player"] != one["player"] for s in refusals)


def check_nothing_leaks(document: Document, secrets: Mapping[str, Any] | None) -> None:
    """P7: no card's name outside an opening, no salt but those of openings, no secret of the author."""
    rest = {k: v for k, v in document.items() if k not in ("open", "slips")}
    text = canonical(rest).decode()
    for card in DECK:
        hold(f'"{card}"' not in text, "P7", lambda card=card: f"{in_short(document)} names the card {card}")
    if secrets is None:
        return
    opened = {o.get("salt") for o in document.get("open") or []}
    whole = canonical(dict(document)).decode()
    salts = {str(s["salt"]) for s in secrets["sealed"].values()} - opened
    chains = [secrets["chain_secret"], *(c["secret"] for c in secrets["other_chains"])]
    for hidden in (*salts, *chains, secrets["draw_master"], *secrets["more_masters"], secrets["escrow_key"]):
        hold(not hidden or hidden not in whole, "P7", lambda: f"{in_short(document)} shows a secret of its author")
