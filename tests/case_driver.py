"""Case files in players' notation: one ruling each, numbered by rule section (see tests/cases/README.md).

Each game has its own stage (`tests/<game>/stage.py`): how a position is set up and what is expected of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine, Option
from pbem.kernel.flow import Ask, Claim, Request, Roll, Simultaneous
from pbem.kernel.orders import Rejected
from pbem.protocol.strict_yaml import read_document

STANDING = "standing"
NOTHING = "no order"  # what a standing order makes of a question that its owner is asked
NO_ORDERS: tuple[Plain, ...] = (987654321, {}, [], {"no such thing": "nowhere"}, {"no such thing": {"at": []}}, ["?", {}])
NEVER = (NO_ORDERS[0], *NO_ORDERS[3:])  # these mean nothing to any question


@dataclass(slots=True)
class Case:
    """One case as it stands in its file."""

    id: str
    title: str
    cites: list[str] = field(default_factory=list)
    setup: list[str] = field(default_factory=list)
    play: list[str] = field(default_factory=list)
    then: list[str] = field(default_factory=list)


def read_cases(path: Path) -> list[Case]:
    """All cases of a file."""
    cases: list[Case] = []
    part = "setup"
    for raw in path.read_text("utf-8").splitlines():
        line = re.sub(r"(^|\s)#.*$", "", raw).rstrip()
        if not line.strip():
            continue
        if line.startswith("CASE "):
            name, _, title = line[5:].partition("  ")
            cases.append(Case(name.strip(), title.strip()))
            part = "setup"
        elif line.startswith("CITES "):
            cases[-1].cites = line[6:].split()
        elif line.strip() in ("PLAY", "THEN"):
            part = line.strip().lower()
        else:
            getattr(cases[-1], part).append(line.strip())
    return cases


class Stage:
    """A case being played. A game's own stage says how to set it up, what its dice show, and reads THEN lines."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.spoilt: set[tuple[str, str]] = set()  # kinds of questions and verbs under which nonsense was tried
        self.unasked: set[str] = set()  # "seat kind", "seat kind rule": what nobody may be asked for
        self.engine: Engine = self.set_up()

    def set_up(self) -> Engine:
        """The engine at the first question of the case."""
        raise NotImplementedError

    def chance(self, request: Request) -> Plain:
        """The answer to a draw, an opening, a statement."""
        raise AssertionError(f"nothing answers {self.engine.fingerprint}")

    def face(self, shown: int, sides: int) -> int:
        """What the engine calls a die that shows this."""
        return shown

    def _set_unasked(self, g: Any, rest: str) -> None:
        """UNASKED seat kind [rule]: this question or statement never comes."""
        self.unasked.add(rest.strip())

    # -- PLAY -----------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play the lines, then hold the result against THEN."""
        for i, line in enumerate(self.case.play):
            if line.partition(" ")[0].isupper():  # a THEN line, of the question as it stands
                self._expect(line)
                continue
            self._quiet(line)
            if line.startswith("dice"):
                self._dice(line)
            else:
                self._order(line, i)
        self._quiet("")
        for line in self.case.then:
            self._expect(line)

    def _quiet(self, following: str) -> None:
        """Answer what nobody decides, what is forced or has a default, unless the next line answers it."""
        while self.engine.request is not None and not isinstance(self.engine.request, Roll):
            ask = self.engine.request
            for one in ask.asks if isinstance(ask, Simultaneous) else (ask,):
                if isinstance(one, Ask | Claim):
                    asked = {f"{one.seat} {one.kind}", f"{one.seat} {one.kind} {one.rule}"}
                    assert not asked & self.unasked, f"asked for: {self.engine.fingerprint}"
            if not isinstance(ask, Ask):
                self.engine.reply(self.chance(ask))
                continue
            seat, _, order = following.partition(": ")
            verb = order.partition(":")[0].split("!!")[0].strip()
            if seat == ask.seat and verb in (*ask.verbs, f"{STANDING} {ask.kind}"):
                return
            answer = ask.forced if ask.forced is not None else ask.default
            if answer is None:
                return
            self.engine.reply(answer)

    def _dice(self, line: str) -> None:
        match = re.fullmatch(r'dice(?: "([^"]*)")?:? *([0-9 ]+)', line)
        assert match, f"cannot read {line!r}"
        request = self.engine.request
        assert isinstance(request, Roll), f"{line}: asked is {self.engine.fingerprint}"
        assert (match[1] or "") in str(request.label), f"{line}: the roll is {str(request.label)!r}"
        numbers = [int(n) for n in match[2].split()]
        assert len(numbers) == request.dice, f"{line}: {request.dice} dice for {str(request.label)!r}"
        self.engine.reply([self.face(n, request.sides) for n in numbers])

    def _order(self, line: str, number: int) -> None:
        text, _, rule = line.partition("!!")
        seat, _, order = text.partition(": ")
        ask = self.engine.request
        assert isinstance(ask, Ask), f"{line}: asked is {self.engine.fingerprint}"
        assert ask.seat == seat.strip(), f"{line}: {ask.seat} is asked ({ask.kind})"
        plain = read_order(order.strip())
        self._nonsense(ask, plain)
        try:
            made = _made_of(ask, plain)
            assert (made is None) == (rule.strip() == NOTHING), f"{line}: the order is {made}"
            if made is None:
                return
            self.engine.reply(made)
        except Rejected as refusal:
            if not rule:
                raise
            rules = [p.rule or p.verdict for p in refusal.problems]
            assert rule.strip() in rules, f"{line}: refused under {rules}: {refusal}"
            return
        assert not rule, f"{line}: was accepted"

    def _nonsense(self, ask: Ask, plain: Plain) -> None:
        """Bodies that mean nothing under the verb of this order: refused, in words, whatever they are."""
        verb = next(iter(plain)) if isinstance(plain, dict) and len(plain) == 1 else ""
        if (ask.kind, verb) in self.spoilt or verb not in ask.verbs:
            return
        self.spoilt.add((ask.kind, verb))
        for body in NO_ORDERS:
            try:
                ask.read({verb: body})
            except Rejected:
                continue
            assert body not in NEVER, f"{verb}: {body} was accepted for {ask.kind}"

    # -- THEN -----------------------------------------------------------------------------------------------------------

    def _expect(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        getattr(self, f"_then_{word.lower()}")(self.engine.state, rest, line)

    def _then_asked(self, g: Any, rest: str, line: str) -> None:
        ask = self.engine.request
        if rest == "nobody":
            assert ask is None, f"{line}: {self.engine.fingerprint}"
            return
        assert isinstance(ask, Ask) and [ask.seat, ask.kind] == rest.split(), f"{line}: {self.engine.fingerprint}"

    def _then_roll(self, g: Any, rest: str, line: str) -> None:
        request = self.engine.request
        assert isinstance(request, Roll) and rest in str(request.label), f"{line}: {self.engine.fingerprint}"

    def _then_against(self, g: Any, rest: str, line: str) -> None:
        """AGAINST seat: the dice that are due are thrown against it, so that its link turns them; `nobody`: against none."""
        request = self.engine.request
        assert isinstance(request, Roll), f"{line}: {self.engine.fingerprint}"
        assert (request.against or "nobody") == rest.strip(), f"{line}: {request.against}"

    def _then_event(self, g: Any, rest: str, line: str) -> None:
        rules = {e.rule for e in g.events}
        assert rest.strip() in rules, f"{line}: {sorted(rules)}"

    def _then_noevent(self, g: Any, rest: str, line: str) -> None:
        assert rest.strip() not in {e.rule for e in g.events}, line

    def _then_winner(self, g: Any, rest: str, line: str) -> None:
        assert (g.winner or "none") == rest.strip(), f"{line}: {g.winner or 'none'}"

    def _then_legal(self, g: Any, rest: str, line: str) -> None:
        seat, _, order = rest.partition(": ")
        ask = self.engine.request
        assert isinstance(ask, Ask) and ask.seat == seat, f"{line}: {self.engine.fingerprint}"
        ask.read(read_order(order.strip()))

    def _then_refused(self, g: Any, rest: str, line: str) -> None:
        self._order(rest, 0)

    def _then_asks(self, g: Any, rest: str, line: str) -> None:
        """ASKS standing order: of it no answer to the question is made, its owner is asked."""
        ask = self.engine.request
        assert isinstance(ask, Ask), f"{line}: {self.engine.fingerprint}"
        found = ask.policy(read_order(rest))
        assert found is None, f"{line}: {found}"

    def _then_idle(self, g: Any, rest: str, line: str) -> None:
        """IDLE seat kind: this question is asked, and passes unasked; NOTIDLE: its player is asked."""
        assert self._idle(rest) is not None, line

    def _then_notidle(self, g: Any, rest: str, line: str) -> None:
        assert self._idle(rest) is None, line

    def _idle(self, rest: str) -> Plain:
        ask = self.engine.request
        assert isinstance(ask, Ask) and [ask.seat, ask.kind] == rest.split(), self.engine.fingerprint
        if ask.idle is not None:
            ask.read(ask.idle)
        return ask.idle

    def _then_offered(self, g: Any, rest: str, line: str) -> None:
        """OFFERED order: the question proposes it, and each of its proposals can be read; NOTOFFERED the opposite."""
        proposals = proposed(self.engine.request)
        assert read_order(rest) in proposals, f"{line}: {proposals}"

    def _then_notoffered(self, g: Any, rest: str, line: str) -> None:
        proposals = proposed(self.engine.request)
        assert read_order(rest) not in proposals, f"{line}: {proposals}"


def _made_of(ask: Ask, plain: Any) -> Plain:
    """The order itself; of `standing KIND: wanted` what such a standing order makes of a question of this kind."""
    standing = f"{STANDING} {ask.kind}"
    made: Plain = ask.policy(plain[standing]) if isinstance(plain, dict) and standing in plain else plain
    return made


def proposed(ask: Request | None) -> list[Plain]:
    """What a question proposes, each of it read."""
    assert isinstance(ask, Ask) and ask.options is not None, f"{ask} proposes nothing"
    proposals = list(ask.options())
    for proposal in proposals:
        ask.read(proposal)
    return proposals


def read_order(text: str) -> Any:
    """An order as a turn file would hold it."""
    return read_document(f"orders:\n  - {text}\n")[0]["orders"][0]  # type: ignore[index, call-overload]


def read_value(text: str) -> Any:
    """A number or a word."""
    return int(text) if text.isdigit() else text


def read_options(lines: Sequence[str], offered: Sequence[Option]) -> dict[str, Any]:
    """The OPTION lines of a case; each names an option that the game offers, and one of its choices."""
    read: dict[str, Any] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "OPTION":
            name, _, value = rest.partition(" ")
            choices = {str(choice): choice for option in offered if option.name == name for choice in option.choices}
            assert choices, f"no option of this game: {name}"
            assert value in choices, f"{name} is one of {', '.join(choices)}, not {value}"
            assert name not in read, f"{name} stands twice"
            read[name] = choices[value]
    return read


Sealed = dict[str, list[tuple[Any, str]]]  # by seat: orders, each with the rule under which it is refused, or ""
ALL_THE_SAME = "?"  # before this rule: the order is not legal, and is sealed all the same


def read_sealed(lines: Sealed, rest: str) -> None:
    """SEALED seat: order [!! rule | ?? rule]: the next sealed order of a seat; ??: sealed although it is not legal."""
    seat, _, text = rest.partition(": ")
    order, mark, rule = text.partition("??") if "??" in text else text.partition("!!")
    lines.setdefault(seat.strip(), []).append((read_order(order.strip()), mark[1:].replace("!", "") + rule.strip()))


def sealed_answer(waiting: list[tuple[Any, str]], ask: Ask) -> Plain:
    """The next of these orders if the question takes it, refused ones tried first; else what the question has by itself."""
    while waiting:
        order, rule = waiting[0]
        if (next(iter(order)) if isinstance(order, dict) else order) not in ask.verbs:
            break
        waiting.pop(0)
        if sealed_as_it_is(ask.read, order, rule):
            found: Plain = order
            return found
    return ask.default


def sealed_as_it_is(judge: Callable[[Plain], object], order: Plain, rule: str) -> bool:
    """Whether this order is the one: a legal one, or one that is said to be sealed all the same; others are refused."""
    if not rule:
        judge(order)  # else the default would stand for it in silence
        return True
    refused(judge, order, rule.removeprefix(ALL_THE_SAME))
    return rule.startswith(ALL_THE_SAME)


def refused(judge: Callable[[Plain], object], order: Plain, rule: str) -> None:
    """A sealed order that is not legal, under this rule."""
    try:
        judge(order)
    except Rejected as refusal:
        rules = [p.rule or p.verdict for p in refusal.problems]
        assert rule in rules, f"{order}: refused under {rules}: {refusal}"
        return
    raise AssertionError(f"{order}: was accepted")


def stage_of(game: str) -> Callable[[Case], Stage]:
    """The stage of a game, by the name of its folder."""
    found: Callable[[Case], Stage] = import_module(f"tests.{game}.stage").GameStage
    return found
