"""A whole game judged from its documents alone: played as its players' programs did, up to the first fault (protocol, 12).

Whoever judges needs no folder and no key. Signatures, places and proofs of two files are judged without the rules; orders,
dice and states by playing the log.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.wording import NO_WORDS, linked, msg
from pbem.protocol import heal
from pbem.protocol import slips as slip_shapes
from pbem.protocol.charter import Charter
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import audit, overdue, slips
from pbem.runtime.evidence import Document, Evidence, Item, NoGame, Piece, Remark, is_signed, sort
from pbem.runtime.forks import cut, forks_of, orphan, passed_over, replaced_by
from pbem.runtime.slips import restored_by
from pbem.runtime.table import Due, Table
from pbem.runtime.taking import Refused, take, take_in_place
from pbem.runtime.verdicts import CUT, SECTIONS, Fault, Fork, Judgement

Rules = Callable[[Charter], tuple[Module, Plain]]  # the module and the scenario; raises ProtocolError
NO_CLAIMS = ("audit", "equivocation", "head", "restored")
TRIED = 8  # of several files at one place, so many are tried


def judge(items: Sequence[Item], rules: Rules) -> Judgement:
    """The verdict on all documents together. No document keeps another from being read; nothing is raised."""
    try:
        evidence = sort(items)
    except NoGame as none:
        return Judgement(Fault(none.outcome, none.reason, section=SECTIONS.get(none.outcome, "")))
    judging = _Judging(evidence)
    judging.begin(rules)
    judging.play()
    return judging.judgement()


class _Judging:
    """One game on its way through its documents."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.table: Table | None = None
        self.line: list[Piece] = []  # the files that count
        self.fault: Fault | None = None
        self.slips: list[Piece] = []  # judged good
        self.strange_slips: list[Piece] = []  # signed, and of kinds that this program does not know
        self.aside: list[Remark] = []
        self.waiting: dict[str, list[Piece]] = {}  # slips by their head
        for slip in evidence.slips:
            self.waiting.setdefault(str(slip.document.get("head")), []).append(slip)

    @property
    def head(self) -> str:
        return self.line[-1].id if self.line else self.evidence.charter.game_id

    def begin(self, rules: Rules) -> None:
        """The game set up from its charter."""
        try:
            game, scenario = rules(self.evidence.charter)
            self.table = Table.start(self.evidence.charter, game, scenario)
        except ProtocolError as error:
            word = CUT if error.outcome is Outcome.BAD_CHAIN else ""
            self.fault = Fault(error.outcome, msg("{error}; not judged beyond the charter", error=error.told), 1, word=word)
        except Exception as error:
            self.fault = Fault(Outcome.DIVERGED, msg("this program cannot set the game up ({fault})", fault=_named(error)), 1)

    # -- files ------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Every file that follows, to the end or to the first fault."""
        while self.table is not None and self.fault is None:
            self._judge_slips(self.waiting.pop(self.head, []))
            behind = self.evidence.behind.get(self.head, ())
            if self._heal([p for p in behind if p.id in self.evidence.heals]):
                continue
            offered = [p for p in behind if p.id in self.evidence.files and p.seq == len(self.line) + 1]
            if not offered:
                self.fault = self._stopped()
                return
            self.fault = self._step(offered)

    def _heal(self, offered: list[Piece]) -> bool:
        """A heal that all have signed and that fits; one that does not fit is none."""
        for piece in sorted(offered, key=self._standing, reverse=True)[:TRIED]:
            fault = self._take(piece, take)
            if fault is None:
                return True
            self.aside.append(
                Remark(piece.where, fault.outcome, msg("the heal at place {seq}: {reason}", seq=piece.seq, reason=fault.reason))
            )
        return False

    def _step(self, offered: list[Piece]) -> Fault | None:
        """One file more. Of several the one counts that has most files behind it and can be taken."""
        if len(offered) == 1 and not offered[0].document.get("replaces"):
            return self._take(offered[0], take_in_place)
        ranked = sorted(offered, key=self._standing, reverse=True)
        faults: list[Fault] = []
        for piece in ranked[:TRIED]:
            before = self.table
            fault = self._take(piece, take)
            if fault is None:
                return self._replaced_with_reason(piece, before)
            faults.append(fault)
        return faults[0]

    def _standing(self, piece: Piece) -> tuple[int, bool, str]:
        anew = bool(piece.document.get("replaces") or restored_by(piece.document))
        return self.evidence.depth[piece.id], anew, piece.id

    def _take(self, piece: Piece, taking: Callable[..., Any]) -> Fault | None:
        """The file into the log; or what is wrong with it, whatever it is."""
        fault, asked = None, self.table.due.rule if self.table is not None else ""
        strange = [s.get("slip") for s in piece.document.get("slips") or [] if s.get("slip") not in slip_shapes.KINDS]
        if strange:
            return Fault(
                Outcome.DIVERGED,
                msg(
                    "it takes a slip of kind {kind!r} into the log, which this program does not know: update pbem",
                    kind=str(strange[0])[:40],
                ),
                piece.seq,
                piece.signer,
            )
        void = heal.voids(piece.document) if piece.id in self.evidence.heals else []
        places = [*(Piece(piece.where, place, "") for place in void), piece]
        try:
            table = self.table
            for place in places:
                table = taking(table, place.document, self._fetch).table
        except Refused as error:
            outcome = Outcome.DIVERGED if any(p.trace for p in error.problems) else Outcome.REFUSED
            fault = Fault(
                outcome,
                error.told,
                section=error.problems[0].rule or asked or SECTIONS[Outcome.REFUSED],
            )
        except ProtocolError as error:
            roll = int(error.path.removeprefix("dice ")) if error.path.startswith("dice ") else None
            fault = Fault(error.outcome, error.told, section=SECTIONS.get(error.outcome, ""), roll=roll)
        except Exception as error:
            fault = Fault(Outcome.DIVERGED, msg("this program has a fault and cannot judge it ({fault})", fault=_named(error)))
        if fault is None:
            self.table, self.line = table, [*self.line, *places]
            return None
        return replace(fault, seq=piece.seq, player=piece.signer)

    def _fetch(self, seq: int) -> Document:
        return self.line[seq - 1].document

    def _replaced_with_reason(self, piece: Piece, before: Table | None) -> Fault | None:
        """What a file replaces, and what was refused before that, must be at fault in this program's eyes too."""
        assert before is not None
        for first in (self.evidence.files.get(name) for name in replaced_by(piece.document)):
            if first is None or (first.seq, first.document["prev"]) != (piece.seq, piece.document["prev"]):
                continue
            if slips.refusal_in(before, piece.document, first.id):
                fault = self._refused_with_reason(first, piece, before)
                if fault is not None:
                    return fault
        return None

    def _refused_with_reason(self, first: Piece, piece: Piece, before: Table) -> Fault | None:
        """The file that was replaced judged at its place, where the one that replaces it stands again afterwards."""
        after, self.table = self.table, before
        self.line.pop()
        wrong = self._take(first, take)
        if wrong is None:
            self.line.pop()
            self.table = before
            reason = msg("it was refused by another player and replaced, but this program finds it valid")
            return Fault(Outcome.DIVERGED, reason, first.seq, first.signer)
        self.table = after
        self.line.append(piece)
        what = msg(
            "file {seq} of {player} was refused with reason and replaced ({reason})",
            seq=first.seq,
            player=first.signer,
            reason=wrong.reason,
        )
        self.aside.append(Remark(first.where, wrong.outcome, what))
        return None

    def _stopped(self) -> Fault | None:
        """Why nothing follows: a file that nobody has signed, one behind a document that this program does not know."""
        unsigned = self.evidence.unsigned.get((self.head, len(self.line) + 1))
        if unsigned is not None:
            piece, remark = unsigned
            player = str(piece.document["player"])
            return Fault(remark.outcome, remark.reason, piece.seq, player, SECTIONS[remark.outcome])
        for name, remark in self.evidence.strange.items():
            for file in self.evidence.behind.get(name, ()):
                return Fault(
                    Outcome.DIVERGED, msg("it follows {reason}: update pbem", reason=remark.reason), file.seq, file.signer
                )
        return None

    # -- slips ------------------------------------------------------------------------------------------------------

    def _judge_slips(self, pieces: Iterable[Piece]) -> None:
        """Slips as their readers judged them: with the keys in force at their head."""
        for piece in pieces:
            try:
                self._judge_slip(piece)
            except ProtocolError as error:
                self.aside.append(Remark(piece.where, error.outcome, error.told))
            except Exception as error:
                self.aside.append(
                    Remark(piece.where, Outcome.UNREADABLE, msg("a slip that cannot be judged ({fault})", fault=_named(error)))
                )

    def _judge_slip(self, piece: Piece) -> None:
        assert self.table is not None
        slip, player = piece.document, str(piece.document.get("player"))
        if slip.get("slip") in slip_shapes.KINDS:
            slips.check(self.table, slip)
            self.slips.append(piece)
            return
        named = {"kind": str(slip.get("slip"))[:40], "player": player[:40]}
        if not any(is_signed(slip, held.key) for held in self.table.ledger.held if held.player == player):
            raise ProtocolError(Outcome.BAD_SIGNATURE, msg("a slip of kind {kind!r} of {player} is not signed by him", **named))
        reason = msg("a slip of kind {kind!r} of {player}, which this program does not know", **named)
        self.evidence.strange[piece.id] = Remark(piece.where, Outcome.UNREADABLE, reason)
        self.strange_slips.append(piece)

    def _later_slips(self) -> Fault | None:
        """What slips change; and the first of them whose head is not here."""
        assert self.table is not None
        known, missing = self.evidence.known, None
        for head, pieces in self.waiting.items():
            if head in known:
                self._judge_slips(pieces)
                continue
            alone = any(self._is_held_alone(piece, known) for piece in pieces)
            for piece in pieces:
                fault = self._headless(piece, alone)
                missing = missing or fault
        slips.note_beside(self.table, (slip.document for slip in self.slips if self.fault is None))
        return missing

    def _is_held_alone(self, question: Piece, known: Container[str]) -> bool:
        """Whether the newest file that a player has named is nobody else's: he has lost data and asked, and all others have
        answered with files that are here. He may have taken it back before anybody had it."""
        assert self.table is not None
        if question.document.get("slip") != "restored" or not self._is_its_authors(question):
            return False
        answers = [s for s in self.evidence.slips if s.document.get("answers") == question.id and self._is_its_authors(s)]
        here = [s.document for s in answers if s.document.get("slip") == "head" and str(s.document.get("head")) in known]
        given = {str(answer.get("player")) for answer in here}
        return bool(given) and given.issuperset(slips.others(self.table, str(question.document.get("player"))))

    def _is_its_authors(self, slip: Piece) -> bool:
        keys = self.evidence.keys.get(str(slip.document.get("player")), ())
        return any(is_signed(slip.document, key) for key in keys)

    def _headless(self, piece: Piece, alone: bool) -> Fault | None:
        """A slip behind a file that is not here: it cannot be judged, but its author has signed that there is one.

        `alone`: all others have signed that they hold no such file; then nothing is missing of what they play on.
        """
        slip = piece.document
        named = {"slip": str(slip.get("slip"))[:40], "player": str(slip.get("player"))[:40], "where": piece.where}
        if not self._is_its_authors(piece):
            reason = msg("the {slip} slip of {player} ({where}) is not signed by him", **named)
            self.aside.append(Remark(piece.where, Outcome.BAD_SIGNATURE, reason))
            return None
        reason = msg(
            "the {slip} slip of {player} ({where}) names a newest file that is not here: {head}",
            **named,
            head=str(slip.get("head"))[:16],
        )
        if not alone:
            return cut(reason)
        answered = msg("all others have answered that they hold no such file")
        self.aside.append(Remark(piece.where, Outcome.WAITING, linked("; ", reason, answered)))
        return None

    def _refusals(self) -> Fault | None:
        """A refusal of a file that this program finds valid, while its author has not gone on behind that file."""
        places = {file.id: n for n, file in enumerate(self.line)}
        for slip in (s.document for s in self.slips if s.document["slip"] == "refusal"):
            n = places.get(slip["file"])
            if n is not None and all(f.signer != slip["player"] for f in self.line[n + 1 :]):
                named = {name: str(slip[name]) for name in ("player", "outcome", "reason")}
                return Fault(
                    Outcome.DIVERGED,
                    msg("{player} refuses it ({outcome}: {reason}); this program finds it valid", **named),
                    self.line[n].seq,
                    self.line[n].signer,
                )
        return None

    # -- the audit ------------------------------------------------------------------------------------------------------

    def _audit(self) -> tuple[Fault | None, list[Due]]:
        """Of a game that is over: the first lie, or who still has to show what he hid."""
        table = self.table
        assert table is not None
        shown = audit.collect(table, [s.document for s in self.slips if s.document["slip"] == "audit"])
        missing = audit.undisclosed(table.ledger, shown)
        if missing:
            return None, [Due(player, "audit", rule=SECTIONS[Outcome.LIE_PROVED]) for player in missing]
        try:
            found = audit.audit(table, shown, self._fetch)
        except ProtocolError as error:
            return Fault(error.outcome, error.told, len(self.line)), []
        except Exception as error:
            return Fault(
                Outcome.DIVERGED, msg("this program fails at the audit ({fault})", fault=_named(error)), len(self.line)
            ), []
        if found is None:
            return None, []
        return Fault(Outcome.LIE_PROVED, found.what, found.seq, found.player, SECTIONS[Outcome.LIE_PROVED]), []

    # -- the verdict ----------------------------------------------------------------------------------------------------

    def judgement(self) -> Judgement:
        """What is proved comes first, by its place; then what is missing; then who is due."""
        headless = self._later_slips() if self.table is not None else None
        self.fault = self.fault or self._refusals()
        files = [file.document for file in self.line]
        found = Judgement(Fault(Outcome.DONE, NO_WORDS), self.evidence, self.table, files, self.head)
        found.forks = forks_of(self.evidence, self.line, self.table)
        found.aside = [*self.evidence.aside, *self.aside, *passed_over(self.evidence, self.line, self.table, found.forks)]
        lie = None
        if self.table is not None and self.fault is None:
            found.result = self.table.result
            lie, found.due = self._audit() if found.result is not None else (None, [self.table.due])
            found.claims = self._claims(self.table)
        proved = self._proved(found.forks)
        last = Fault(Outcome.WAITING if found.due else Outcome.DONE, NO_WORDS)
        found.fault = proved or lie or self._incomplete() or orphan(self.evidence) or headless or last
        return found

    def _claims(self, table: Table) -> list[Document]:
        """What players have signed about the newest file; of claims that it is overdue those that stand."""
        told = [s.document for s in (*self.slips, *self.strange_slips) if s.document["head"] == self.head]
        lifted = not overdue.standing(table)
        return [s for s in told if s["slip"] not in NO_CLAIMS and not (s["slip"] == "overdue" and lifted)]

    def _proved(self, forks: Sequence[Fork]) -> Fault | None:
        """The first fault or fork. Two signed files need no rules: they count also where this program cannot judge."""
        fork = next((f for f in forks if not f.healed), None)
        fault = self.fault
        if fork is None or (fault is not None and fault.outcome is not Outcome.DIVERGED and (fault.seq or 0) < fork.seq):
            return fault
        reason = msg("{number} different files for one place, behind the same file", number=len(fork.versions))
        return Fault(Outcome.EQUIVOCATION, reason, fork.seq, fork.player, SECTIONS[Outcome.EQUIVOCATION])

    def _incomplete(self) -> Fault | None:
        """Documents of another game, and what cannot be read: what it says is not in this verdict."""
        foreign = self.evidence.foreign
        if foreign:
            count, names = sum(foreign.values()), ", ".join(sorted(name[:16] for name in foreign))
            return Fault(
                Outcome.FOREIGN_GAME,
                msg("{count} documents belong to another game ({names}), whose charter is not here", count=count, names=names),
            )
        if self.evidence.unreadable:
            first = self.evidence.unreadable[0]
            return Fault(first.outcome, linked(": ", first.where, first.reason))
        return None


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"
