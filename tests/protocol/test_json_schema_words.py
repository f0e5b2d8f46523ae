"""What is said of a kind of document that has no schema."""

from __future__ import annotations

import pytest

from pbem.protocol import json_schema
from pbem.protocol.outcomes import Outcome, ProtocolError


def test_an_unknown_kind_is_told_with_those_there_are() -> None:
    with pytest.raises(ProtocolError) as refused:
        json_schema.text_of("letter")
    told = str(refused.value)
    assert refused.value.outcome is Outcome.UNREADABLE
    assert told.startswith("there is no kind of document 'letter'; kinds are ")
    kinds = told.partition("kinds are ")[2].split(", ")
    assert len(kinds) > 1 and all(json_schema.text_of(kind).startswith("{") for kind in kinds)
