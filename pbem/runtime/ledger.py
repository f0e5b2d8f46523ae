"""What the runtime remembers of a log: plain records, so that a checkpoint is one JSON value."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.images import copied
from pbem.kernel.standing import WhyNot
from pbem.kernel.wording import Message, msg
from pbem.protocol.draws import LEAVES
from pbem.protocol.outcomes import Outcome, ProtocolError


class Entry(Struct, frozen=True):
    """One file of the log in short. Entry 0 is the charter."""

    id: str
    player: str
    type: str
    link: str = ""
    decides: bool = False  # brought orders that the engine took
    signed_by: str = ""  # the umpire who showed the player's link for him
    of: str = ""  # at a void place: whose link, shown in a version that was given up, turns the dice here


class Chain(Struct):
    """Where a player's hash chain stands: the last value shown (or the tip) and how many links are left."""

    last: str
    left: int
    shown: int = 0
    next_tip: str = ""
    next_length: int = 0
    announced: int = 0  # seq of the file that announced the next chain
    skip: int = 0  # links between `last` and the next one due that are never shown
    later: int = 0  # links that are never shown behind the next one due
    next_skip: int = 0  # of the next chain: links that are never shown before its first one
    used_up: bool = False  # the next chain takes over with the player's next file, whoever has sent one since


class Rolled(Struct, frozen=True):
    """One roll: from which seed (the seq of the deciding file), its index, label and numbers."""

    source: int
    index: int
    label: str
    sides: int
    rule: str
    dice: list[int]


class DrawMade(Struct, frozen=True):
    """A private draw or die: number j of its player's, what it was drawn from, and the seed."""

    j: int
    player: str
    seat: str
    seed: str
    seq: int  # the file whose link turned it
    count: int
    pool: str = ""
    base: list[str] = field(default_factory=list)
    less: list[str] = field(default_factory=list)
    label: str = ""
    sides: int = 0  # 0: items of a pool; else dice
    source: int = 0  # k of its seed

    @property
    def told(self) -> Message:
        """What a private die is for; the label alone is kept, so that a game has the words of it in its catalogue."""
        return Message(self.label.removesuffix(f", {self.seat}").replace("{", "{{").replace("}", "}}"))

    def handles(self) -> list[str]:
        """The opaque names of what was drawn. A private die is one item, however many dice it has."""
        return [f"{self.seat}:draw{self.j}:{i}" for i in range(1 if self.sides else self.count)]


class Seal(Struct, frozen=True):
    """A sealed order, clause or content: its hash and where it stands."""

    player: str
    seq: int
    number: int
    hash: str
    kind: str


class ClaimMade(Struct, frozen=True):
    """A signed statement about hidden things."""

    n: int
    player: str
    seat: str
    kind: str
    about: str
    rule: str
    value: Plain
    seq: int


class StandingOrder(Struct):
    """The standing order of one kind of one player: public clauses, or the handles of eight sealed ones."""

    seq: int
    player: str
    kind: str
    clauses: list[Plain]
    seals: list[str] = field(default_factory=list)
    scopes: list[str] = field(default_factory=list)  # of the seals, where they are shown; "" where the clause hides it
    spent: list[int] = field(default_factory=list)


class PlanHeld(Struct):
    """A plan of one player: its steps as they lie open, each with its seat, and how many orders of each were used.

    `stretch`: the part of the game in which it holds; `seals`: the handle of each sealed step, "" of an open one; `used`: -1
    of a step that is passed over; `over`: it stopped at an illegal order, or its owner ordered otherwise.
    """

    seq: int
    player: str
    stretch: Plain
    steps: list[Plain]
    seals: list[str]
    used: list[int]
    over: bool = False


class Fired(Struct, frozen=True):
    """A standing order, default or plan that answered a question, for the report.

    Of a plan also what did not apply: `passed` (a step or order is left out), `stopped` (it ends there, its owner is asked).
    """

    seq: int
    seat: str
    kind: str
    order: Plain
    by: Literal["clause", "default", "plan", "passed", "stopped"]
    file: int = 0  # of the standing order or plan; 0: there was none
    clause: int = 0  # or step, counted from 1
    why: list[WhyNot] = field(default_factory=list)  # a default: why no clause of the standing order applied


class Offer(Struct):
    """An undo, draw, rules-version or seat offer between two turn files, and who has still to accept it."""

    seq: int
    id: str
    by: str
    type: str
    to: int
    waiting: list[str]
    detail: Plain = None

    @property
    def is_draw(self) -> bool:
        """Who accepts it ends the game."""
        what = self.detail.get("offer") if isinstance(self.detail, dict) else None
        return isinstance(what, dict) and bool(what.get("draw"))


class KeyHeld(Struct, frozen=True):
    """A player's public key, who is said to hold it, and the first file that it signs."""

    player: str
    key: str
    since: int
    holder: str = ""


class DrawTree(Struct, frozen=True):
    """A root over 1024 draw keys: the player's draws `first` and following, turned by seeds `since` and later."""

    player: str
    root: str
    first: int
    since: int


class RulesInForce(Struct, frozen=True):
    """A rules version and the first file that is played under it."""

    version: int
    since: int


class Claimed(Struct, frozen=True):
    """A signed claim that the file at a place, behind `head`, is overdue from a player; `since` is believed by nobody."""

    place: int
    head: str
    due: str
    by: str
    since: str


class Ruled(Struct, frozen=True):
    """What is to follow from a claim, said by the umpire, or confirmed by a player of the side."""

    place: int
    head: str
    due: str
    by: str
    then: str


class OtherLink(Struct, frozen=True):
    """A `seat` file of the umpire's at a place where the player's own link was owed to the dice of file `source`."""

    seq: int
    source: int
    player: str
    by: str


class Ledger(Struct):
    """Everything about a log but the state of the game itself."""

    entries: list[Entry] = field(default_factory=list)
    source: int = 0  # the file with the latest decision: the seed of the next dice
    rolls: int = 0  # rolls made with that seed
    chains: dict[str, Chain] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    rolled: list[Rolled] = field(default_factory=list)
    standing: list[StandingOrder] = field(default_factory=list)
    fired: list[Fired] = field(default_factory=list)
    plans: list[PlanHeld] = field(default_factory=list)
    draws: list[DrawMade] = field(default_factory=list)
    draw_counts: dict[str, int] = field(default_factory=dict)
    commits: dict[str, list[str]] = field(default_factory=dict)  # "player j" -> commitments
    seals: dict[str, Seal] = field(default_factory=dict)
    opened: dict[str, Plain] = field(default_factory=dict)
    claims: list[ClaimMade] = field(default_factory=list)
    sealed_answers: dict[str, str] = field(default_factory=dict)  # simultaneous decision: seat -> handle
    open_answers: dict[str, Plain] = field(default_factory=dict)
    offer: Offer | None = None
    resigned: list[str] = field(default_factory=list)
    voided: list[int] = field(default_factory=list)  # files whose orders an undo took back
    agreed: str = ""  # "draw" when a draw was agreed
    held: list[KeyHeld] = field(default_factory=list)  # every key of every player, oldest first
    trees: list[DrawTree] = field(default_factory=list)
    tips: list[str] = field(default_factory=list)  # of chains that files announced
    committed_in: dict[str, int] = field(default_factory=dict)  # "player j" -> the file that committed
    rules: list[RulesInForce] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)  # ids of the slips taken into the log
    overdue: list[Claimed] = field(default_factory=list)
    rulings: list[Ruled] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # ids of files in versions that a heal gave up
    roots: list[str] = field(default_factory=list)  # roots of draw trees that such files announced
    other_links: list[OtherLink] = field(default_factory=list)

    def fork(self) -> Ledger:
        """A copy to try something on. What is written once is shared: records that never change, and plain values."""
        return copied(self)

    def mark(self, seq: int, **changes: Any) -> None:
        """Say something else of one file: `decides`, or the link shown at its place and whose that is."""
        self.entries[seq] = replace(self.entries[seq], **changes)

    @property
    def newest(self) -> int:
        """The seq of the newest file of a player; void places and heals are none. The charter counts as 0."""
        return next(i for i in range(len(self.entries) - 1, -1, -1) if self.entries[i].type not in ("void", "heal"))

    def behind(self, k: int) -> int:
        """The place behind file k where the next link is shown, which turns its dice: mostly k + 1; 0 while there is none."""
        return next((i for i in range(k + 1, len(self.entries)) if self.entries[i].link), 0)

    def key_at(self, player: str, seq: int) -> str:
        """The key that signs this player's file `seq`. Raises ProtocolError (wrong key) when he has none in this game."""
        keys = [h.key for h in self.held if h.player == player and h.since <= seq]
        if not keys:
            raise ProtocolError(Outcome.WRONG_KEY, msg("{player} does not sign in this game", player=player))
        return keys[-1]

    def tree_of(self, player: str, j: int, source: int) -> DrawTree | None:
        """The tree that holds draw key j of a player for a draw turned by seed `source`."""
        found = [t for t in self.trees if t.player == player and t.first <= j and t.since <= source]
        return found[-1] if found and j < found[-1].first + LEAVES else None

    def draw_keys_left(self, player: str) -> int:
        """How many draw keys the announced trees of a player still hold."""
        return [t for t in self.trees if t.player == player][-1].first + LEAVES - self.draw_counts.get(player, 0)

    @property
    def rules_version(self) -> int:
        """The rules version in force."""
        return self.rules[-1].version

    def uncommitted(self, player: str) -> list[DrawMade]:
        """This player's draws that no file of his has committed to yet."""
        return [d for d in self.draws if d.player == player and f"{player} {d.j}" not in self.commits]

    def turned(self, source: int) -> bool:
        """Whether any die or card came from the seed of this file."""
        return any(roll.source == source for roll in self.rolled) or any(made.source == source for made in self.draws)

    def draw_of(self, handle: str) -> DrawMade | None:
        """The draw that a handle came from; None where none of this log did."""
        return next((d for d in self.draws if handle in d.handles()), None)
