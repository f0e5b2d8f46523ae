"""A gesture: picks that become an order, and what a click, a drag or a key makes of them. It knows no rule: whatever can be
picked is what the question's form offers.

A gesture is no state of the program: the page sends the picks with each act, and gets them back with what may come next.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.forms import VERB, Chosen, Form, Partial, Pick, Step
from pbem.kernel.wording import NO_WORDS, english, msg, verbatim
from pbem.report import board
from pbem.report.board import UNIT, Shown, Teller
from pbem.report.verbs import name_of
from pbem.runtime.desk import OVER

SLOTS = (UNIT, "card", "hq", "power", "number", "word", "with", "by", "target", "at", "via", "to")  # as the page lists them
NOWHERE = msg("Together these can do nothing: choose fewer of them.")
REMEMBERED = 1000  # steps of one question


def usual(pick: Pick) -> int:
    """How many of it one press takes: one of what is bought, all there are of the rest."""
    return 1 if pick.slot == UNIT and pick.cost != NO_WORDS and not pick.at else pick.most


class Question:
    """A form that looks at the same picks once only; without one, nothing is asked."""

    def __init__(self, form: Form | None) -> None:
        self.form = form
        self._steps: dict[Partial, Step] = {}

    def step(self, partial: Partial) -> Step:
        """What may come next."""
        if self.form is None:
            return OVER
        if partial not in self._steps:
            if len(self._steps) >= REMEMBERED:
                self._steps.clear()
            self._steps[partial] = self.form.step(partial)
        return self._steps[partial]

    @property
    def verbs(self) -> list[Pick]:
        """The verbs of the question."""
        return [p for p in self.step(Partial()).picks if p.slot == VERB]

    def starts(self, verb: str) -> list[Pick]:
        """Where a gesture of this verb can begin."""
        return [p for p in self.step(Partial(verb)).picks if p.at and p.slot != VERB and p.why_not is None]

    def begun(self) -> Gesture:
        """Nothing picked; a question that has one verb only has it picked already, unless pressing it is all there is to do."""
        first, verbs = self.step(Partial()).picks, [v for v in self.verbs if "ends-phase" not in v.leads]
        sole = Gesture(self, Partial(verbs[0].value if len(verbs) == 1 and all(p.slot == VERB for p in first) else ""))
        return replace(sole, partial=Partial()) if sole.is_whole else sole


class Before(Struct, frozen=True):
    """An end that is a stack of one's own as well: the click has selected the stack, a second one moves there."""

    at: str
    partial: Partial


class Gesture(Struct, frozen=True):
    """What is picked of a question. Each act gives another gesture; the same one where it does nothing."""

    question: Question
    partial: Partial
    before: Before | None = None

    @property
    def step(self) -> Step:
        """What may come next."""
        return self.question.step(self.partial)

    @property
    def offered(self) -> list[Pick | None]:
        """What is picked, each as it was offered on the way; None for what is not."""
        so_far, found = Partial(self.partial.verb), []
        for one in self.partial.chosen:
            picks = self.question.step(so_far).picks
            found.append(next((p for p in picks if (p.slot, p.value) == (one.slot, one.value)), None))
            so_far = replace(so_far, chosen=(*so_far.chosen, one))
        return found

    @property
    def chosen(self) -> list[tuple[Chosen, Pick]]:
        """What is picked; by its bare name where it is offered no longer."""
        pairs = zip(self.partial.chosen, self.offered, strict=True)
        return [(c, p or Pick(c.slot, c.value, verbatim(c.value), most=c.count)) for c, p in pairs]

    @property
    def picks(self) -> list[Pick]:
        """What may come next beside verbs and units that are picked, which are counted where they stand; two task forces may
        have one end, two ships one target."""
        known = {c.value for c in self.partial.chosen if c.slot == UNIT}
        return [p for p in self.step.picks if p.slot != VERB and not (p.slot == UNIT and p.value in known)]

    @property
    def starts(self) -> list[Pick]:
        """Where a gesture of its verb can begin."""
        return self.question.starts(self.partial.verb)

    @property
    def has_units(self) -> bool:
        """Some units are chosen."""
        return any(c.slot == UNIT for c in self.partial.chosen)

    @property
    def whole(self) -> Gesture:
        """What an end is struck for: what is chosen, or all that can act of a stack of which nothing is chosen yet."""
        is_bare = self.partial.chosen and not self.has_units and any(p.slot == UNIT and p.at == self.origin for p in self.picks)
        return self.everything(self.origin) if is_bare else self

    @property
    def kinds(self) -> list[Gesture]:
        """Each kind of unit of a stack of which nothing is chosen yet, all there are of it."""
        chosen = self.partial.chosen
        return [self._with(one) for one in self.whole.partial.chosen[len(chosen) :]]

    def _with(self, one: Chosen) -> Gesture:
        return replace(self, partial=replace(self.partial, chosen=(*self.partial.chosen, one)))

    @property
    def ends(self) -> list[Pick]:
        """Picks that a place stands for: all but its units; those of the whole stack while none of it is chosen, or those
        of its parts where it can go nowhere together."""
        found = self._ends()
        if self.whole is not self:
            found |= self.whole._ends(self.origin) or {
                key: p for kind in self.kinds for key, p in kind._ends(self.origin).items()
            }
        return [*found.values()]

    def _ends(self, but: str = "") -> dict[tuple[str, str], Pick]:
        picks = (p for p in self.picks if p.at not in ("", but) and p.slot != UNIT and p.why_not is None)
        return {(p.slot, p.value): p for p in picks}

    def going(self, end: Pick) -> Gesture:
        """What goes to an end: what is chosen, else the whole stack, or whatever of it can go there together."""
        key = end.slot, end.value
        if key in self._ends() or key in self.whole._ends():
            return self if key in self._ends() else self.whole
        gesture = self
        for kind in self.kinds:
            more = gesture._with(kind.partial.chosen[-1])
            gesture = more if key in kind._ends() and key in more._ends() else gesture
        return gesture

    @property
    def joining(self) -> list[str]:
        """Other places with units that can be added to what is chosen, such as attackers of a hex."""
        units = [p.at for p in self.picks if p.slot == UNIT and p.why_not is None] if self.partial.chosen else []
        return [at for at in dict.fromkeys(units) if at and at != self.origin]

    @property
    def origin(self) -> str:
        """The place where it begins."""
        return next((p.at for _, p in self.chosen if p.at), "")

    @property
    def is_stuck(self) -> bool:
        """Units are chosen that can do nothing together."""
        step = self.step
        return self.has_units and not (step.orders or step.problems or any(p.slot != UNIT for p in self.picks))

    @property
    def is_open(self) -> bool:
        """Something is picked."""
        return bool(self.partial.verb or self.partial.chosen)

    @property
    def is_whole(self) -> bool:
        """It makes an order, and nothing can be added."""
        return bool(self.is_open and self.step.orders) and all(p.why_not is not None for p in self.picks)

    # -- acts ---------------------------------------------------------------------------------------------------------------

    def choose(self, slot: str, value: str) -> Gesture:
        """A pick by its name: another verb begins anew, one of what is bought, all there are of the rest."""
        offered = self.question.verbs if slot == VERB else [*self.picks, *self.ends]
        pick = next((p for p in offered if (p.slot, p.value) == (slot, value)), None)
        return self._to(pick) if pick is not None else self

    def _to(self, pick: Pick) -> Gesture:
        """With a pick that may be an end of the whole stack."""
        return (self if pick.slot == VERB or pick in self.picks else self.going(pick))._plus(pick)

    def _plus(self, pick: Pick, count: int = 0) -> Gesture:
        if pick.why_not is not None:
            return self
        if pick.slot == VERB:
            return Gesture(self.question, Partial(pick.value))
        return replace(self, partial=self.partial.plus(pick, max(1, count or usual(pick))))

    def counted(self, at: int, number: int) -> Gesture:
        """So many of something that is picked, counted from 0; of the last that can be counted for -1. None: without it."""
        found = self.chosen
        if at < 0:
            at = next((i for i in reversed(range(len(found))) if found[i][1].most > 1), -1)
        if not 0 <= at < len(found) or number > found[at][1].most:
            return self
        one = (replace(found[at][0], count=number),) if number > 0 else ()
        chosen = self.partial.chosen
        return replace(self, partial=replace(self.partial, chosen=(*chosen[:at], *one, *chosen[at + 1 :])))

    def everything(self, place: str) -> Gesture:
        """All of a place that can act; a name that another one ends with stands for some of its units."""
        gesture = self
        while True:
            has = [c.value for c in gesture.partial.chosen]
            able = (p for p in gesture.picks if p.slot == UNIT and p.at == place and p.why_not is None)
            pick = next((p for p in able if not any(p.value.endswith(f" {value}") for value in has)), None)
            if pick is None:
                return gesture
            gesture = gesture._plus(pick)

    def one(self, place: str, names: Sequence[str]) -> Gesture | None:
        """One counter of a stack: one more of those that are chosen, or the first of its kind; None: it is neither."""
        for at, (chosen, pick) in enumerate(self.chosen):
            if _is(pick, place, names):
                return self.counted(at, chosen.count + 1)
        able = next((p for p in self.picks if _is(p, place, names) and p.why_not is None), None)
        return self._plus(able, 1) if able is not None else None

    def back(self) -> Gesture:
        """Without the last pick, or the verb."""
        chosen = self.partial.chosen
        return Gesture(self.question, replace(self.partial, chosen=chosen[:-1]) if chosen else Partial())

    def _begin(self, start: Pick) -> Gesture:
        return Gesture(self.question, Partial(self.partial.verb))._plus(start)

    def around(self, by: int) -> Gesture:
        """At the next place where it can begin, or the one before."""
        places = [p.at for p in self.starts]
        now = places.index(self.origin) if self.origin in places else -1
        return self._begin(self.starts[(now + by) % len(places)]) if places else self

    def place(self, names: Sequence[str]) -> str:
        """The name that picks have for a place of the map, which may have several."""
        known = (p.at for p in (*self.picks, *self.ends, *self.starts) if p.at in names)
        return next(known, names[0] if names else "")

    def clicked(self, places: Sequence[str], names: Sequence[str] = ()) -> Gesture | None:
        """A place was clicked, by its names, perhaps on a counter. While no units are chosen one by one, an own stack is
        selected even where it is a legal end; a second click on it is the end. None where nothing can be done there."""
        at = self.place(places)
        end = next((p for p in self.ends if p.at == at), None)
        here = [p for p in self.starts if p.at == at]
        start = next((p for p in here if _is(p, at, names)), here[0] if here else None)
        if self.before is not None and self.before.at == at:
            return self.here()
        if end is not None and start is not None and at != self.origin and not self.has_units and end not in self.picks:
            return replace(self._begin(start), before=Before(at, self.going(end).partial))
        if end is not None and not (end.slot == "via" and at in self.joining):  # units join before a way leads through them
            return self._to(end)
        if at and (at == self.origin or at in self.joining):
            is_stack = self.partial.chosen[0].slot != UNIT and at != self.origin
            return (None if is_stack else self.one(at, names)) or self.everything(at)
        return self._begin(start) if start is not None else None

    def dragged(self, source: Sequence[str], target: Sequence[str]) -> Gesture | None:
        """A stack is drawn to another place: all of it, unless some of it is chosen. None where it cannot go there."""
        at = self.place(source)
        start = next((p for p in self.starts if p.at == at), None)
        gesture = self._begin(start) if start is not None and at != self.origin else self
        to = gesture.place(target)
        end = next((p for p in gesture.ends if p.at == to), None)
        return gesture._to(end) if end is not None else None

    def here(self) -> Gesture:
        """The end that was a stack of one's own, with what was chosen for it."""
        if self.before is None:
            return self
        gesture = Gesture(self.question, self.before.partial)
        end = next((p for p in gesture.ends if p.at == self.before.at), None)
        return gesture._plus(end) if end is not None else gesture


def _is(pick: Pick, place: str, names: Sequence[str]) -> bool:
    """A pick of the units that a counter stands for; several of a kind are numbered."""
    bare = pick.value.rpartition("-")[0] if pick.value.rpartition("-")[2].isdigit() else pick.value
    return pick.slot == UNIT and pick.at == place and any(name in (pick.value, bare, english(pick.name)) for name in names)


# -- as the page has it -----------------------------------------------------------------------------------------------------


def told(teller: Teller, gesture: Gesture, instead: int = -1, when: str = "") -> Shown:
    """The gesture with all that the page shows of it. `instead`: the order of the file that it is to replace.
    `when`: the condition of a step of the plan that is being picked.

    `asks`: there is something to pick. `isOpen`: something is picked. `lit`: places that can be struck, with the class of each.
    `takes`: nothing is left to be asked. `heard`: for the bar. The only verb of a question is picked and not to be pressed.
    """
    step, chosen, verb, verbs = gesture.step, gesture.chosen, gesture.partial.verb, gesture.question.verbs
    begun = gesture.question.begun().partial
    is_fresh = gesture.partial == begun  # what is asked names a sole verb; nothing is wrong yet
    problems = () if is_fresh else step.problems
    picks = sorted(gesture.picks, key=lambda p: (_rank(p.slot), p.why_not is not None))
    pressed = [teller.said(name_of(p)) for p in verbs if p.value == verb and not is_fresh]
    words = [*pressed, *(_counted(teller, c, p) for c, p in chosen)]
    partial: Shown = {"instead": instead, "when": when, "verb": verb, "before": _before(gesture.before)}
    partial["chosen"] = _plain(gesture.partial)
    budget = teller.said(step.budget)
    heard = [", ".join(words), budget if all(p.cost for _, p in chosen) else "", *map(teller.problem, problems)]
    return {
        **board.step(
            teller, replace(step, picks=tuple(picks), problems=problems, note=NOWHERE if gesture.is_stuck else step.note)
        ),
        **partial,
        "partial": partial,
        "verbs": [
            {"value": p.value, "name": teller.said(name_of(p)), "says": teller.card(p.says), "ends": "ends-phase" in p.leads}
            for p in verbs
            if len(verbs) > 1 or not begun.verb
        ],
        "chosen": [
            {"value": p.value, "count": c.count, "most": p.most, "at": p.at, "name": board.named(teller, p, c.count)}
            for c, p in chosen
        ],
        "asks": gesture.question.form is not None,
        "isOpen": gesture.is_open and not is_fresh,
        "takes": gesture.is_whole,
        "from": gesture.origin,
        "starts": [p.at for p in gesture.starts],
        "lit": [[at, kind] for at, kind in _lit(gesture).items()],
        "heard": ". ".join(text for text in heard if text),
    }


def refuse(shown: Shown, problems: Sequence[str]) -> None:
    """The same gesture, with why it cannot go to the place that was struck, to be read and to be heard."""
    stood, heard = shown["problems"], shown["heard"]
    assert isinstance(stood, list)
    shown |= {"problems": [*stood, *problems], "heard": ". ".join([*([str(heard)] if heard else []), *problems])}


def _before(before: Before | None) -> Plain:
    return None if before is None else {"at": before.at, "verb": before.partial.verb, "chosen": _plain(before.partial)}


def _rank(slot: str) -> int:
    return SLOTS.index(slot) if slot in SLOTS else len(SLOTS)


def _counted(teller: Teller, chosen: Chosen, pick: Pick) -> str:
    name = board.named(teller, pick, chosen.count)
    return f"{chosen.count} {name}" if pick.most > 1 else name


def _plain(partial: Partial) -> list[Plain]:
    return [[c.slot, c.value, c.count] for c in partial.chosen]


def _lit(gesture: Gesture) -> dict[str, str]:
    """Place -> how it is lit: another place to begin at, or what an end means, which goes before a mere way through."""
    found = dict.fromkeys([*(p.at for p in gesture.starts), *gesture.joining], "start")
    for pick in sorted(gesture.ends, key=lambda p: any(lead != "move" for lead in p.leads)):
        is_start = pick.slot == "at" and not gesture.partial.chosen
        found[pick.at] = "start" if is_start else next((lead for lead in pick.leads if lead != "move"), "move")
    return found
