"""What has to be meant: what cannot be had back always, what is skipped or unspent once its phase is over."""

from __future__ import annotations

import pytest

from pbem.kernel.consequences import KINDS, Consequence, Kind
from pbem.kernel.wording import NO_WORDS, verbatim


def of(kind: Kind, *, final: bool = False, pending: bool = False) -> Consequence:
    return Consequence(kind, verbatim("x"), final=final, pending=pending)


def test_the_worst_come_first() -> None:
    assert KINDS == ("lost", "binding", "idle", "exposed", "skipped", "unspent", "unfinished", "unasked")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_final_has_to_be_meant_whatever_it_is(kind: Kind) -> None:
    assert of(kind, final=True).has_to_be_meant and of(kind, final=True, pending=True).has_to_be_meant


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_skipped_or_unspent_has_to_be_meant_when_its_phase_is_over(kind: Kind) -> None:
    assert of(kind).has_to_be_meant is (kind in ("skipped", "unspent"))
    assert not of(kind, pending=True).has_to_be_meant


def test_a_consequence_is_told_without_a_rule_and_a_place_where_it_has_none() -> None:
    told = Consequence("idle", NO_WORDS)
    assert (told.rule, told.at, told.final, told.pending) == ("", "", False, False)
