"""Keys, chains and with them the dice of a test come from its name: a run fails today as it fails tomorrow.

Other dice are asked for by another word in `PBEM_TEST_DICE`. What a test starts as a program of its own throws its own.
"""

from __future__ import annotations

import gc
import os
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pbem.protocol import keys
from tests import turns
from tests.dice import source

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

LONGEST = ("tests/world/",)
gc.disable()  # until all tests are found: nothing of them goes away before the end


def _private() -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ed25519

    return ed25519.Ed25519PrivateKey.from_private_bytes(source.bytes(32))


@pytest.fixture(scope="session", autouse=True)
def source_of_dice() -> Iterator[None]:
    """For the whole run in place of the machine's randomness."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_bytes", source.bytes)
        patch.setattr(secrets, "token_hex", lambda length=None: source.bytes(length).hex())
        patch.setattr(keys, "generate", _private)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_wait_for_the_disk() -> Iterator[None]:
    """No test pulls the plug: what is forced to disk is asked for (a wrong descriptor is noticed), and not waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Each process takes a row of neighbours, so that their fixtures are made once, and helps another when it is done.

    Of what is asked for by name no sample waits for another turn; here, before processes are started that get all names.
    """
    if config.args_source is config.ArgsSource.ARGS:
        os.environ.setdefault(turns.ASKED, "all")
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Samples of another turn are left out; what takes longest comes first: at the end one process would wait for it."""
    items[:], waiting = turns.divided(items)
    config.hook.pytest_deselected(items=waiting)
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def pytest_collection_finish() -> None:
    """Garbage is looked for in what the tests make, not again and again in the tests themselves."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(3_000, 10, 10)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    source.begin(item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Any:
    """What several tests share does not depend on which of them asks first."""
    if fixturedef.scope == "function":
        return (yield)
    with source.under(f"{fixturedef.baseid} {fixturedef.argname} {getattr(request, 'param', '')}"):
        return (yield)
