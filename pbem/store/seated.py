"""Whose game folder it is: his keys, his secrets, what he knows of hidden things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain as chainer
from typing import Any

from msgspec.structs import replace

from pbem.kernel.wording import linked, msg
from pbem.protocol import keys
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.composing import Secrets
from pbem.runtime.keyring import DrawKeys
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table
from pbem.runtime.taking import chain_in_use
from pbem.store import announcing
from pbem.store.folder import PlayerSecrets
from pbem.store.links import next_link
from pbem.store.opened import Opened

NOTHING: Mapping[str, Mapping[str, Any]] = {}


@dataclass
class Seated(Opened):
    """A game folder with its player; a spectator's has none."""

    @cached_property
    def me(self) -> PlayerSecrets:
        """Whose folder this is. Raises ProtocolError for a spectator."""
        secrets = self.folder.secrets()
        if secrets is None:
            raise self.folder.private.no_secrets()
        return secrets

    @cached_property
    def private(self) -> keys.Signer:
        """The player's signing key."""
        found = self.private_for({self.table.ledger.keys[self.me.player]})
        if found is None:
            raise self.folder.private.no_key(self.me.player)
        return found

    def private_for(self, wanted: set[str]) -> keys.Signer | None:
        """The signing key of this folder, or of the ssh-agent, whose public half is among these; None when there is none."""
        return self.folder.private.signer(wanted)

    @property
    def is_seated(self) -> bool:
        """This folder's key signs for its player now: no other has taken the seat over, and it was taken over if need be."""
        if self.folder.secrets() is None:
            return False
        return self.folder.private.signs_for({self.table.ledger.keys.get(self.me.player, "")})

    @property
    def sees_hidden(self) -> bool:
        """What this player alone knows can be shown without asking for a passphrase, or there is nothing of the kind."""
        return self.folder.secrets() is not None and (not self._hides_something or self.folder.private.opens_unasked())

    @property
    def _hides_something(self) -> bool:
        ledger, me = self.table.ledger, self.me.player
        return any(d.player == me for d in ledger.draws) or any(s.player == me for s in ledger.seals.values())

    def secrets(self) -> Secrets:
        """Links, draw keys and seals for composing."""
        me, nonce = self.me, self.charter.nonce
        standing = chain_in_use(self.table, me.player)
        kept = [*me.other_chains, {"secret": me.chain_secret, "length": me.chain_length}]
        kept += [me.next_chain] if me.next_chain else []

        def link(n: int) -> str:
            shown = next_link(nonce, chainer(kept, announcing.chains(self)), standing)
            if not shown:
                reason = msg("this folder does not hold the chain that the log shows")
                raise ProtocolError(Outcome.BAD_CHAIN, linked(". ", reason, self.folder.private.ways_out()))
            return shown

        return Secrets(me.player, link, self.draw_keys(), dict(me.sealed))

    def draw_keys(self) -> DrawKeys:
        """This player's draw keys, those handed over with the seat included."""
        renewed = announcing.masters(self) if len(self.table.ledger.trees) > len(self.charter.all_players) else []
        masters = [bytes.fromhex(m) for m in (self.me.draw_master, *self.me.more_masters, *renewed)]
        return DrawKeys(self.table.ledger, self.me.player, self.charter.nonce, masters, self.me.handed_over)

    def knowledge(self) -> Knowledge:
        """What this player knows of hidden things."""
        me, ledger, game = self.me, self.table.ledger, self.charter.game_id
        if not self._hides_something:
            return Knowledge(me.player, {}, {}, ledger, game)
        return Knowledge(me.player, self.draw_keys(), me.sealed, ledger, game)

    def knowledge_at(self, table: Table, sealed: Mapping[str, Mapping[str, Any]] = NOTHING) -> Knowledge:
        """The same at a table that this one has led to, with what is sealed on the way."""
        known = self.knowledge()
        return replace(known, ledger=table.ledger, sealed={**known.sealed, **sealed})
