"""Luck over a whole log, and a test of it that may be looked at after every roll.

A roll of n dice that hit with probability p scores its hits k; the surplus is s = k - n p. For fair dice s is
sub-Gaussian with variance factor n c(p), c(p) = (1 - 2p) / (2 ln((1 - p) / p)), c(1/2) = 1/4 (Kearns and Saul 1998).
The total of n dice of m sides scores total/m; its factor is n (m^2 - 1) / (12 m^2), which is also its variance.
Let S be the sum of the surpluses of a player's own rolls less those of the rolls against him, V the sum of the factors.
Then, for any r that is fixed beforehand,

    E = sqrt(r / (V + r)) exp(S^2 / (2 (V + r)))

is the mixture of exp(x S - x^2 V / 2) over x normal with mean 0 and variance 1/r: not above 1 on the mean however the
rolls follow upon each other, and by Ville's inequality ever above 1/a with probability at most a (Robbins 1970; Howard,
Ramdas, McAuliffe and Sekhon 2021). So 1 / max E is a p-value that holds at every moment, whoever chooses the moment, and

    |S| <= sqrt((V + r) ln((V + r) / (r a^2)))

holds at all times together with probability 1 - a.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, exp, log, sqrt

from msgspec import Struct, field

from pbem.kernel.wording import Argument, Message, english, msg
from pbem.odds.decimals import printed, tenths, two_figures

R = 5.0  # sharpest after some two hundred dice
LEVEL = 0.01  # of the verdict, shared among the players
BAND = 0.05  # of the band in the picture
GRID = 400  # points on each side in the search for a variance factor


class Throw(Struct, frozen=True):
    """One roll. `gains` and `loses`: seats, empty for nobody's. `worth`: value of one point of the score.

    `chance`: that fair dice bring such a score or more, or where it is below the mean, such a score or less.
    """

    label: str
    gains: str
    loses: str
    dice: int
    score: float
    mean: float
    factor: float
    worth: float
    chance: float

    @property
    def surplus(self) -> float:
        """Score above expectation."""
        return self.score - self.mean


def hits_thrown(label: str, gains: str, loses: str, hits: int, dice: int, faces: int, sides: int, worth: float) -> Throw:
    """Dice that each hit on `faces` of their `sides`."""
    p = faces / sides
    weights = [comb(dice, k) * faces**k * (sides - faces) ** (dice - k) for k in range(dice + 1)]
    chance = _tail([*enumerate(weights)], hits, dice * p)
    return Throw(label, gains, loses, dice, hits, dice * p, dice * factor(p), worth, chance)


def total_thrown(label: str, gains: str, loses: str, dice: Sequence[int], sides: int, worth: float) -> Throw:
    """Dice whose sum counts; `worth` of one pip."""
    n = len(dice)
    spread = n * (sides * sides - 1) / (12 * sides * sides)
    totals = {0: 1}
    for _ in dice:
        totals = _one_die_more(totals, sides)
    chance = _tail([*totals.items()], sum(dice), n * (sides + 1) / 2)
    return Throw(label, gains, loses, n, sum(dice) / sides, n * (sides + 1) / (2 * sides), spread, worth * sides, chance)


def points_thrown(label: str, gains: str, loses: str, score: float, outcomes: Sequence[float], worth: float) -> Throw:
    """A die each of whose faces scores something: `outcomes`, one for each face."""
    mean = sum(outcomes) / len(outcomes)
    chance = _tail([(outcome, 1) for outcome in outcomes], score, mean)
    return Throw(label, gains, loses, 1, score, mean, proxy(tuple(sorted(outcomes))), worth, chance)


def _one_die_more(totals: Mapping[int, int], sides: int) -> dict[int, int]:
    """In how many ways each total comes about."""
    found: dict[int, int] = {}
    for total, ways in totals.items():
        for face in range(1, sides + 1):
            found[total + face] = found.get(total + face, 0) + ways
    return found


def _tail(outcomes: Sequence[tuple[float, int]], score: float, mean: float) -> float:
    """The chance of scores as far from the mean as this one, or farther on its side. `outcomes`: scores with their weights."""
    far = sum(ways for other, ways in outcomes if (other <= score if score < mean else other >= score))
    return far / sum(ways for _, ways in outcomes)


@lru_cache(4096)
def proxy(outcomes: tuple[float, ...]) -> float:
    """The variance factor of a roll whose outcomes are equally likely: the largest 2 ln E exp(x (s - mean)) / x^2 over x.

    It lies between the variance, its limit at 0, and a quarter of the squared range (Hoeffding 1963). Beyond
    |x| = 2 range / variance the expression is below the variance; inside, a fine grid is searched, with one hundredth added.
    """
    n, mean = len(outcomes), sum(outcomes) / len(outcomes)
    above = [s - mean for s in outcomes]
    spread, variance = outcomes[-1] - outcomes[0], sum(a * a for a in above) / n
    if variance == 0.0:
        return 0.0
    reach = 2 * spread / variance
    best = variance
    for i in range(1, GRID + 1):
        for x in (reach * i / GRID, -reach * i / GRID):
            top = max(x * a for a in above)
            best = max(best, 2 * (top + log(sum(exp(x * a - top) for a in above) / n)) / (x * x))
    return min(1.01 * best, spread * spread / 4)


def factor(p: float) -> float:
    """The variance factor of one die that hits with probability p."""
    if p <= 0.0 or p >= 1.0:
        return 0.0
    return 0.25 if abs(p - 0.5) < 1e-9 else (1 - 2 * p) / (2 * log((1 - p) / p))


class Luck(Struct):
    """What one player's dice and the dice against him brought, in points and in value; `path`: (V, S) after each roll."""

    player: str
    dice: int = 0
    score: float = 0.0
    mean: float = 0.0
    against_dice: int = 0
    against_score: float = 0.0
    against_mean: float = 0.0
    value: float = 0.0
    path: list[tuple[float, float]] = field(default_factory=lambda: [(0.0, 0.0)])
    evidence: float = 1.0  # the largest E so far

    def add(self, throw: Throw, sign: int) -> None:
        """One roll more: of his own (1) or against him (-1)."""
        if sign > 0:
            self.dice, self.score, self.mean = self.dice + throw.dice, self.score + throw.score, self.mean + throw.mean
        else:
            self.against_dice += throw.dice
            self.against_score += throw.score
            self.against_mean += throw.mean
        self.value += sign * throw.surplus * throw.worth
        v, s = self.path[-1]
        self.path.append((v + throw.factor, s + sign * throw.surplus))
        self.evidence = max(self.evidence, e_value(*self.path[-1]))

    @property
    def p_value(self) -> float:
        """Fair dice show such luck or more, at whatever moment one looks, with at most this probability."""
        return min(1.0, 1.0 / self.evidence)


def e_value(v: float, s: float, r: float = R) -> float:
    """E of the module's description."""
    return sqrt(r / (v + r)) * exp(min(700.0, s * s / (2 * (v + r))))


def band(v: float, level: float = BAND, r: float = R) -> float:
    """How far S may be from 0 at all times together with probability 1 - level."""
    return sqrt((v + r) * log((v + r) / (r * level * level)))


def lucks(throws: Iterable[Throw], player_of: dict[str, str]) -> dict[str, Luck]:
    """The luck of every player; seat -> player. A roll among seats of one player is nobody's luck."""
    found = {player: Luck(player) for player in dict.fromkeys(player_of.values())}
    for throw in throws:
        mine, theirs = player_of.get(throw.gains, ""), player_of.get(throw.loses, "")
        if mine == theirs:
            continue
        if mine:
            found[mine].add(throw, 1)
        if theirs:
            found[theirs].add(throw, -1)
    return found


def is_suspect(luck: Luck, players: int) -> bool:
    """Luck that fair dice show one of so many players with a probability of less than LEVEL."""
    return luck.p_value < LEVEL / players


def in_words(all_lucks: dict[str, Luck], unit: str, speak: Callable[[Argument], str] = english) -> str:
    """A paragraph for each player. `speak`: the reader's language."""
    return "\n".join(_paragraph([*_told(luck, len(all_lucks), unit)], speak) for luck in all_lucks.values())


def _paragraph(lines: Sequence[Message], speak: Callable[[Argument], str]) -> str:
    return "\n  ".join(map(speak, lines))


def _told(luck: Luck, players: int, unit: str) -> Iterator[Message]:
    v, s = luck.path[-1]
    verdict = msg("MORE THAN CHANCE") if is_suspect(luck, players) else msg("nothing that fair dice do not do")
    value = tenths(luck.value, signed=True)
    if unit:
        yield msg("{player}: {value} {unit} by the dice", player=luck.player, value=value, unit=Message(unit))
    else:
        yield msg("{player}: {value} by the dice", player=luck.player, value=value)
    own, against = _score(luck.score, luck.mean), _score(luck.against_score, luck.against_mean)
    yield msg("own dice {dice}: {hits} hits, expected {expected} ({surplus})", dice=luck.dice, **own)
    yield msg("against {dice}: {hits} hits, expected {expected} ({surplus})", dice=luck.against_dice, **against)
    yield msg(
        "together {surplus} hits; fair dice stay within {band} for ever with 95%; p <= {p}: {verdict}",
        surplus=tenths(s, signed=True),
        band=tenths(band(v)),
        p=two_figures(luck.p_value),
        verdict=verdict,
    )


def _score(score: float, mean: float) -> dict[str, Argument]:
    return {"hits": tenths(score), "expected": tenths(mean), "surplus": tenths(score - mean, signed=True)}


# -- picture -------------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, PAD, HEAD = 640, 260, 40, 44
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # Okabe and Ito 2008
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")


def svg(all_lucks: dict[str, Luck], title: str, speak: Callable[[Argument], str] = english, paper: str = "") -> str:
    """Hits above expectation after each roll, with the band of fair dice. Empty without rolls.

    It takes its ink from the page; as a picture by itself it needs `paper`, the colour below it.
    """
    from html import escape

    paths = {name: luck.path for name, luck in all_lucks.items() if len(luck.path) > 1}
    if not paths:
        return ""
    most_v = max(path[-1][0] for path in paths.values())
    reach = max(band(most_v), *(abs(s) for path in paths.values() for _, s in path))
    middle, half = (HEAD + HEIGHT - PAD) / 2, (HEIGHT - PAD - HEAD) / 2

    def at(v: float, s: float) -> str:
        x = PAD + (WIDTH - 2 * PAD) * (v / most_v if most_v else 0.0)
        return f"{x:.1f},{middle - half * s / reach:.1f}"

    steps = [most_v * i / 40 for i in range(41)]
    hull = " ".join([*(at(v, band(v)) for v in steps), *(at(v, -band(v)) for v in reversed(steps))])
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" '
        f'font-size="12"><title>{escape(title)}</title>',
        *([f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{paper}"/>'] if paper else []),
        f'<polygon points="{hull}" fill="#888888" fill-opacity="0.18"/>',
        f'<path d="M{at(0, 0).replace(",", " ")}L{at(most_v, 0).replace(",", " ")}" stroke="#888888"/>',
        *_scale(title, speak, reach, middle),
    ]
    room = (WIDTH - PAD) // len(paths)
    for i, (name, path) in enumerate(paths.items()):
        colour, dash = COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]
        points = " ".join(at(v, s) for v, s in path)
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash or "none"}"/>'
        )
        lines.append(
            f'<text x="{PAD + i * room}" y="34" fill="{colour}">{escape(name)} {printed(f"{path[-1][1]:+.1f}")}</text>'
        )
    return "\n".join([*lines, "</svg>"])


def _scale(title: str, speak: Callable[[Argument], str], reach: float, middle: float) -> list[str]:
    """Title, what the axes are, and how far they reach."""
    from html import escape

    above, across = (
        speak(msg("hits above expectation")),
        speak(msg("dice thrown, each by its spread; grey: where fair dice stay")),
    )
    ink = "currentColor"
    return [
        f'<text x="{PAD}" y="15" font-weight="bold" fill="{ink}">{escape(title)}</text>',
        f'<text x="{PAD - 5}" y="{HEAD + 4}" text-anchor="end" fill="{ink}">+{reach:.0f}</text>',
        f'<text x="{PAD - 5}" y="{middle + 4:.0f}" text-anchor="end" fill="{ink}">0</text>',
        f'<text x="{PAD - 5}" y="{HEIGHT - PAD + 4}" text-anchor="end" fill="{ink}">-{reach:.0f}</text>',
        f'<text transform="translate(12 {middle:.0f}) rotate(-90)" text-anchor="middle" fill="{ink}">{escape(above)}</text>',
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 12}" text-anchor="middle" fill="{ink}">{escape(across)}</text>',
    ]
