"""Look-ahead: which ideas are played on, how often, and which one is followed."""

from __future__ import annotations

from pbem.bots.lookahead import best_of


class Bench:
    """What comes of each idea with the luck of each sample; what was played is noted."""

    def __init__(self, **worth: list[int]) -> None:
        self.worth, self.played = worth, list[str]()

    def play(self, idea: str, sample: int) -> int:
        self.played.append(f"{idea}{sample}")
        return self.worth[idea][sample]


def test_a_single_idea_is_not_played_at_all() -> None:
    bench = Bench()
    assert best_of(["a"], bench.play, 2, 3, 0) == "a" and not bench.played


def test_all_are_played_once_and_the_first_goes_on_with_the_best_others() -> None:
    bench = Bench(a=[0, 0], b=[5, 5], c=[1, 90], d=[7, 7])
    assert best_of(["a", "b", "c", "d"], bench.play, 2, 2, 0) == "d"
    assert bench.played == ["a0", "b0", "c0", "d0", "a1", "d1", "b1"]


def test_where_nothing_does_better_at_once_nothing_is_played_again() -> None:
    bench = Bench(a=[3], b=[3], c=[1])
    assert best_of(["a", "b", "c"], bench.play, 2, 2, 0) == "a"
    assert bench.played == ["a0", "b0", "c0"]


def test_the_mean_decides_not_the_first_sample() -> None:
    assert best_of(["a", "b", "c"], Bench(a=[0, 0], b=[9, -20], c=[5, 5]).play, 2, 2, 0) == "c"


def test_the_usual_idea_stays_where_no_other_is_better_by_the_margin() -> None:
    assert best_of(["a", "b"], Bench(a=[0, 0], b=[2, 2]).play, 2, 2, 2) == "a"
    assert best_of(["a", "b"], Bench(a=[0, 0], b=[2, 3]).play, 2, 2, 2) == "b"


def test_of_equals_the_first_is_followed() -> None:
    assert best_of(["a", "b", "c"], Bench(a=[0, 0], b=[5, 5], c=[5, 5]).play, 2, 2, 0) == "b"
