"""The full runs: python -m tests.axis_and_allies_pacific.long [random games] [bot games] [spoilt orders]"""

from __future__ import annotations

import sys
import time
from collections import Counter

from tests.axis_and_allies_pacific import mutations
from tests.axis_and_allies_pacific.random_play import Watch, at_random, by_bot, count, play


def main(games: int, bots: int, spoilt: int) -> None:
    """Print a table: what was run, with which seeds, what it reached, how long it took."""
    tally: Counter[str] = Counter()
    begun = time.monotonic()
    for seed in range(games):
        count(play(seed, 12, at_random, Watch(200)), tally)
    print(f"random: {games} games of 12 rounds, seeds 0 to {games - 1}, {time.monotonic() - begun:.0f} s")
    for what, number in sorted(tally.items()):
        print(f"  {what:18} {number:8}  per 100 games {100 * number // max(games, 1)}")
    winners: Counter[str] = Counter()
    for seed in range(bots):
        engine = play(seed, 30, by_bot, Watch(400))
        winners[f"{engine.state.winner} [{engine.state.win_rule}]"] += 1
    print(f"bot: {bots} games of at most 30 rounds, seeds 0 to {bots - 1}: {dict(winners)}")
    refused = mutations.run(99, spoilt) if spoilt else Counter[str]()
    print(f"spoilt orders: {sum(refused.values())} refused of {spoilt}, seed 99: {dict(refused)}")


if __name__ == "__main__":
    numbers = [int(w) for w in sys.argv[1:] if w]
    main(*(numbers or [300, 20, 10_000]))
