"""A report in some ten sentences: orders, battles, what fell, losses, the throw that told most, money, what is next.

Drawn from the view of the report alone, so that no game has to add anything; it tells nothing that everybody may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from zlib import crc32

from msgspec import Struct, field

from pbem.kernel.wording import NO_WORDS, Argument, Message, Term, Things, counted, english, linked, msg, paragraph
from pbem.odds.decimals import tenths
from pbem.odds.luck import Throw, hits_thrown, points_thrown, total_thrown
from pbem.report.announced import announced, answered, deeds
from pbem.report.changes import in_all, new_rows, owners, sums
from pbem.report.journeys import journeys, led_once, together
from pbem.report.tolls import Toll, with_loss
from pbem.report.view import Block, Line, Losses, ReportView, Roll

MOST = 15  # sentences, the one about what is next among them
FEW = 2  # fights of each of which a sentence is told
GROUPS = 3  # sentences about fights; of more stretches all fights stand in one
LISTED = {
    "fights": 10,
    "things": 8,
    "control": 6,
    "income": 6,
    "politics": 3,
    "moves": 6,
    "declared": 8,
    "decided": 4,
    "deeds": 6,
}
BY_ITSELF = ("offer", "drawn")  # topics of lines that are told whatever else happened
LIKELY = 0.35  # a throw that was likelier than this is nothing to tell of
SIDES = 2  # rows of the first table of the situation that are told; of more powers only their income


class Digest(Struct, frozen=True):
    """A report in short. `due`: what is next, or how the game ended."""

    game: str
    title: Message
    lines: tuple[Message, ...]
    due: Message
    over: bool = False


class _Fight(Struct):
    """A battle, all its blocks of one stretch together, and what it cost each seat."""

    where: Message
    title: Message
    toll: Toll = field(default_factory=dict)
    first: Message | None = None  # the first that is told of it beside dice and losses
    came: list[Message] = field(default_factory=list)  # what came of it, where its game says so
    settled: bool = False  # something has come of it, or play has gone on behind it

    @property
    def name(self) -> Argument:
        """The battle by its place, where its heading says no more than that."""
        return _name(self.title)

    def told(self, one_of_several: bool) -> Argument:
        """What came of it, or else how it began; of several with the place, if the first sentence does not name it."""
        found = self.came or [self.first or NO_WORDS]
        named = not one_of_several or "place" in found[0].args
        return linked(". ", *found) if named else linked(" – ", self.name, linked(". ", *found))

    @property
    def weight(self) -> tuple[int, int]:
        """What was lost in money, and how many things."""
        return sum(worth for _, _, worth in self.toll.values()), sum(_number(things) for _, things, _ in self.toll.values())


def digest(view: ReportView) -> Digest:
    """The view in short. Its throws are told with their chances where `story.report` was given the game's."""
    fights = _fights(view)
    said = [
        *_orders(view),
        *_decided(view, len(fights)),
        *_fought(view, fights),
        *_control(view),
        *_losses(view),
        *_throw(view),
    ]
    if view.income:
        said.append(_of_lines(view, "income", sums(view.income), msg("{lines}.")))
    said = said[: MOST - 1]
    said += [*_beside(view)][: MOST - 1 - len(said)]
    files = msg("files {first} to {last}", first=view.first, last=view.last)
    if view.first == view.last:
        files = msg("file {seq}", seq=view.first)
    return Digest(view.game, msg("{title} ({files})", title=view.title, files=files), tuple(said), view.due, view.over)


def _variant(view: ReportView, about: str, *variants: Message) -> Message:
    """One of several wordings: always the same one for the same files, on every machine."""
    return variants[crc32("".join([about, *(file.id for file in view.files)]).encode()) % len(variants)]


def _said(view: ReportView, about: str, *variants: Message, **args: Argument) -> Message:
    return Message(_variant(view, about, *variants).id, args)


def _together(texts: Sequence[Argument]) -> Argument:
    """Clauses as one, of any number."""
    return reduce(lambda one, other: linked("; ", one, other), texts)


def _number(things: Things) -> int:
    return sum(n for n in (thing.args["n"] for thing in things) if isinstance(n, int))


# -- who ordered, where was fought ---------------------------------------------------------------------------------------------


def _orders(view: ReportView) -> Iterator[Message]:
    who = _people(view, {file.player for file in view.files if file.orders})
    if who:
        yield _said(view, "orders", msg("Orders came from: {who}."), msg("Orders by: {who}."), who=who)
    elif turned := _people(view, {roll.shower for roll in view.rolls}):
        yield _said(view, "orders", msg("Dice turned by: {who}."), msg("Turned the dice: {who}."), who=turned)
    back = [str(file.seq) for file in view.files if file.voided]
    if back:
        yield counted("Taken back: file {files}.", "Taken back: files {files}.", len(back), files=", ".join(back))


def _lines(view: ReportView) -> Iterator[Line]:
    return (line for chapter in view.chapters for block in chapter.blocks for line in block.lines)


def _people(view: ReportView, names: Collection[str]) -> tuple[Message | str, ...]:
    """Players with their sides."""
    return tuple(
        msg("{player} ({seat})", player=one.name, seat=one.side) if one.side else one.name
        for one in view.players
        if one.name in names
    )


def _fights(view: ReportView) -> list[_Fight]:
    """Every battle of the view, in order. It belongs to the phase of some power, or else to its chapter."""
    found: dict[tuple[str, str], _Fight] = {}
    last = next((block for chapter in reversed(view.chapters) for block in reversed(chapter.blocks)), None)
    for nth, chapter in enumerate(view.chapters):
        where = chapter.title
        for block in (block for block in chapter.blocks if block.title is not None):
            assert block.title is not None
            if block.kind == "battle":
                fight = found.setdefault((f"{nth} {where}", str(block.title)), _Fight(where, block.title))
                for loser, text, worth in block.lost:
                    with_loss(fight.toll, loser, text, worth)
                lines = (line.short or line.text for line in block.lines if line.topic == "battle" and line.roll is None)
                fight.first = fight.first or next(lines, None)
                fight.came += _decisive(block)
                fight.settled = fight.settled or block is not last or _has_come_of_it(block)
            elif "power" in block.title.args:
                where = block.title
            else:  # the first chapter is called by the phase in which the view began
                where = chapter.title if nth else NO_WORDS
    return [*found.values()]


def _decisive(block: Block) -> list[Message]:
    return [line.short or line.text for line in block.lines if line.decisive]


def _decided(view: ReportView, fights: int) -> Iterator[Message]:
    """What came of dice beside battles, unless so many were fought that it is no longer known which it was about."""
    blocks = (block for chapter in view.chapters for block in chapter.blocks if block.kind != "battle")
    found = [text for block in blocks for text in _decisive(block)]
    if found and fights <= FEW:
        yield _of_lines(view, "decided", found, msg("{lines}."))


def _has_come_of_it(block: Block) -> bool:
    return bool(block.lost) or any(line.roll is not None or line.topic in ("control", "toll") for line in block.lines)


def _name(title: Message) -> Argument:
    return title.args["place"] if title.args.keys() == {"place"} else title


def _fought(view: ReportView, fights: Sequence[_Fight]) -> Iterator[Message]:
    fought = [fight for fight in fights if fight.settled]
    yield from _places_fought(view, fought)
    declared = announced(view.declared, {str(text) for fight in fought for text in (fight.where, fight.title)})
    if declared:
        yield _of_lines(view, "declared", declared, msg("Declared. {lines}."), msg("Announced. {lines}."))
    known = {str(one.fight) for one in view.declared}
    begun = [fight for fight in fights if not fight.settled and str(fight.title) not in known]
    if begun:
        yield msg("Begun and not decided: {places}.", places=_places(begun))
    if len(fights) <= FEW:
        yield from (
            Message("{line}.", {"line": one.told(len(fights) > 1)}) for one in [*fought, *begun] if one.came or one.first
        )
    yield from _costliest(view, fights)
    if not (view.control or view.losses):
        yield from _quietly(view, bool(fought or declared or begun))


def _quietly(view: ReportView, told: bool) -> Iterator[Message]:
    """Where nothing was fought over: who went where, or else what was done or decided. `told`: something is said already."""
    moves = [*_moves(view)]
    yield from moves
    done = [] if moves else together(deeds(view, told))
    answers = [] if told or moves or done else answered(view)
    if done:
        yield _of_lines(view, "deeds", done, msg("{lines}."))
    elif answers:
        yield _of_lines(view, "deeds", answers, msg("Decided: {lines}."))
    elif not (
        told
        or moves
        or view.income
        or view.politics
        or any(line.roll is not None or line.topic in BY_ITSELF for line in _lines(view))
    ):
        yield _variant(view, "quiet", msg("Nothing was fought over, taken or lost."), msg("No battle, no loss, no conquest."))


def _places_fought(view: ReportView, fights: Sequence[_Fight]) -> Iterator[Message]:
    here = msg("Fought over: {places}."), msg("Battles: {places}.")
    groups: dict[str, list[_Fight]] = {}
    for fight in fights:
        groups.setdefault(str(fight.where), []).append(fight)
    if len(groups) > GROUPS or [*groups] == [str(view.title)]:
        groups = {"": [*fights]}
    for where, group in groups.items():
        told = _said(view, "fights", *here, places=_places(group))
        yield linked(". ", group[0].where, told) if where else told


def _costliest(view: ReportView, fights: Sequence[_Fight]) -> Iterator[Message]:
    costly = [fight for fight in fights if fight.toll]
    if len(costly) > 1:
        worst = max(costly, key=lambda fight: fight.weight)
        lost = _together([linked(": ", who, _listed(things)) for who, things, _ in worst.toll.values()])
        costliest = msg("The costliest fight: {place}. {losses}."), msg("Most was lost here: {place}. {losses}.")
        yield _said(view, "costliest", *costliest, place=worst.name, losses=lost)


def _moves(view: ReportView) -> Iterator[Message]:
    """Who went where, the latest of it: what is told where nothing else happened."""
    moves = journeys([line.text for line in _lines(view) if line.topic == "move" and line.roll is None])
    if moves:
        yield _of_lines(view, "moves", moves, msg("On the move. {lines}."), msg("Moves. {lines}."))


def _places(fights: Sequence[_Fight]) -> Argument:
    """The names of fights, each once."""
    names = [*{str(fight.name): fight.name for fight in fights}.values()]
    rest = len(names) - LISTED["fights"]
    more = [counted("and {n} more", "and {n} more", rest)] if rest > 0 else []
    listed = [*names[: LISTED["fights"]], *more]
    plain = tuple(name for name in listed if isinstance(name, Message | Term | str) and not _has_parts(name))
    return plain if len(plain) == len(listed) else _together(listed)


def _has_parts(name: Argument) -> bool:
    """It may have a comma of its own."""
    return isinstance(name, Message) and "place" in name.args


# -- what came of it -----------------------------------------------------------------------------------------------------------


def _control(view: ReportView) -> Iterator[Message]:
    changed = owners(in_all(view.control))
    if changed:
        yield _of_lines(view, "control", changed, msg("Changed hands: {lines}."), msg("Control has changed: {lines}."))


def _of_lines(view: ReportView, about: str, lines: Sequence[Argument], *variants: Message) -> Message:
    """The latest lines as one sentence."""
    most = LISTED[about]
    texts: list[Argument] = led_once(lines[-most:])
    if len(lines) > most:
        texts.append(counted("and {n} more", "and {n} more", len(lines) - most))
    return _said(view, about, *variants, lines=_together(texts))


def _losses(view: ReportView) -> Iterator[Message]:
    for loss in view.losses:
        yield _lost(view, loss)


def _lost(view: ReportView, loss: Losses) -> Message:
    args: dict[str, Argument] = {"who": loss.who, "things": _listed(loss.things)}
    if loss.worth:
        variants = msg("Losses, {who}: {things}; worth {n}."), msg("{who} lost {things}, worth {n}.")
        return _said(view, "losses", *variants, n=loss.worth, **args)
    return _said(view, "losses", msg("Losses, {who}: {things}."), msg("{who} lost {things}."), **args)


def _listed(things: Things) -> Things:
    most = LISTED["things"]
    rest = _number(things[most:])
    return (*things[:most], counted("and {n} more", "and {n} more", rest)) if rest else things


def _beside(view: ReportView) -> Iterator[Message]:
    """What is told where there is room: offers, hidden cards, how the sides stand, politics, standing orders."""
    yield from sums([line for line in _lines(view) if line.topic in BY_ITSELF])
    for overview in view.overviews[:1]:
        if len(overview.rows) <= SIDES:
            yield from new_rows(next(iter(view.earlier), None), overview)
    if view.politics:
        yield _of_lines(view, "politics", in_all(view.politics), msg("Politics. {lines}."), msg("In the wider war. {lines}."))
    times = sum(fired.times for fired in view.fired if not fired.planned)
    if times:
        yield counted("Standing orders answered {n} question.", "Standing orders answered {n} questions.", times)


# -- the throw that told most --------------------------------------------------------------------------------------------------


def _throw(view: ReportView) -> Iterator[Message]:
    blocks = [block for chapter in view.chapters for block in chapter.blocks]
    thrown = [(block, line, line.throw) for block in blocks for line in block.lines if line.throw is not None]
    weighed = bool(thrown)
    if not weighed:
        made = [(block, line, _bare(line.roll)) for block in blocks for line in block.lines if line.roll is not None]
        thrown = [(block, line, throw) for block, line, throw in made if throw is not None]
        thrown = [one for one in thrown if one[0].kind == "battle"] or thrown
    if not thrown:
        return
    rare = [one for one in thrown if one[2].chance <= LIKELY]
    block, line, throw = max(rare or thrown, key=lambda one: (abs(one[2].surplus * one[2].worth), -one[2].chance))
    if rare:
        yield _told(view, block, line, throw, weighed)
    elif not (view.losses or view.control or line.decisive):
        yield msg("Thrown: {throw}.", throw=_thrown(block, line, throw))


def _bare(roll: Roll) -> Throw | None:
    """A roll of a game that weighs none: its hits, or its total; None where tens are read as noughts among several dice."""
    if roll.hit_at:
        return hits_thrown(roll.label, "", "", roll.hits, len(roll.dice), roll.hit_at, roll.sides, 1.0)
    if not roll.ten_is_zero:
        return total_thrown(roll.label, "", "", roll.dice, roll.sides, 1.0)
    return points_thrown(roll.label, "", "", roll.faces[0], range(roll.sides), 1.0) if len(roll.dice) == 1 else None


def _told(view: ReportView, block: Block, line: Line, throw: Throw, weighed: bool) -> Message:
    variants = msg("The most unusual throw: {throw}."), msg("The rarest throw: {throw}.")
    if weighed:
        variants = msg("The throw that told most: {throw}."), msg("The dice weighed most here: {throw}.")
    first = _said(view, "throw", *variants, throw=_thrown(block, line, throw))
    low, high = msg("Chance of as little or less: {chance}."), msg("Chance of as much or more: {chance}.")
    if not weighed and not (line.roll and line.roll.hit_at):  # what its pips are good for, nobody has said
        low, high = msg("Chance of as low a throw or lower: {chance}."), msg("Chance of as high a throw or higher: {chance}.")
    return paragraph([first, Message((low if throw.surplus < 0 else high).id, {"chance": _chance(throw.chance)})])


def _thrown(block: Block, line: Line, throw: Throw) -> Argument:
    """A roll with its dice and what they brought. The long sentence of some rolls names the die and ends before it."""
    roll = line.roll
    what: Argument = line.short or line.text
    if block.kind == "battle" and block.title is not None:
        what = linked(" – ", _name(block.title), what)
    if roll is None:
        return what
    dice = " ".join(map(str, roll.faces))
    is_open = line.short is None and english(line.text).endswith("rolled")
    shown = linked(": ", what, dice) if is_open else msg("{what}; rolled {dice}", what=what, dice=dice)
    if roll.hit_at:
        hits = counted("{n} hit", "{n} hits", roll.hits)
        return msg("{throw} – {hits}, on average {mean}", throw=shown, hits=hits, mean=tenths(throw.mean))
    return linked(" – ", shown, roll.outcome) if roll.outcome is not None else shown


def _chance(chance: float) -> Message:
    """A probability as people say it."""
    if chance >= 0.01:
        return msg("about {percent} in 100", percent=round(100 * chance))
    return msg("about 1 in {number}", number=round(1 / chance))
