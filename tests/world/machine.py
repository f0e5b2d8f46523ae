"""The state machine: rules over the simulated world, their arguments indices taken modulo, so that examples shrink."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from pbem.protocol import chain, draws
from tests.toygame.folders import at
from tests.world import acts, ending, faults, heals
from tests.world.cheat import DEEDS, Cheat, plays
from tests.world.disk import every_disk, memory_folder
from tests.world.ghost import Ghost
from tests.world.talks import loses_all_after_a_talk
from tests.world.world import SEATS, SIDES, UMPIRE, Folder, Machine, Mail, World, fixed_world, found_world

INDEX = st.integers(0, 2**16 - 1)
ROLES = ("", "witness", "escrow")
CHEATS = ("", "", "yamada", "nowak", "dubois")
FOLDERS_AT_MOST = 8


class Worlds:
    """The ground that a run of examples stands on: one game for each umpire's role, founded once."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root, self.patch, self.count = root, patch, 0
        self.made: dict[str, dict[str, str]] = {}

    def fresh(self, role: str, cheat: str = "") -> World:
        """A world in which the game has just begun; one of the players may be a cheat."""
        name = f"founded-{role}-{cheat}"
        if name not in self.made:
            shutil.rmtree(self.root / name, ignore_errors=True)
            founding = World(self.root, self.patch, Ghost(set(), set(), {}), drawn=1)
            with fixed_world(founding):
                found_world(self.root / name, role, self.patch, cheat)
            self.made[name] = founding.ghost.made
        self.count += 1
        if self.count % 5 == 0:
            chain._chain.cache_clear()  # the program's, of which a command of its own knows little
            draws._levels.cache_clear()
        root = self.root / f"world-{self.count}"
        shutil.copytree(self.root / name, root)
        players = [*SEATS, *([UMPIRE] if role else [])]
        world = World(root, self.patch, Ghost({*players} - {cheat}, set(players), SIDES), players=players)
        world.ghost.made.update(self.made[name])
        for player in players:
            machine = Machine(player, root / f"{player}-home")
            world.machines.append(machine)
            world.at_work[player] = machine
            world.folders.append(Folder(root / player, player, machine))
        return world


class WorldMachine(RuleBasedStateMachine):
    """Honest players in a bad world."""

    worlds: ClassVar[Worlds]
    steps: ClassVar[int] = 0
    outcomes: ClassVar[dict[str, int]] = {}
    calm_after: ClassVar[int] = 33  # steps: then nothing more is broken on purpose
    harms: ClassVar[frozenset[str]] = frozenset(
        {"crash", "full", "restore", "copy", "cut", "byte", "upgrade", "post", "cheat", "sync"}
    )

    @initialize(role=st.sampled_from(ROLES), cheat=st.sampled_from(CHEATS), ends=INDEX)
    def begin(self, role: str, cheat: str, ends: int) -> None:
        cheat = cheat if "cheat" in self.harms else ""
        self.ends = ends % 3 == 0
        self.world = self.worlds.fresh(role, cheat)
        self.fixed = fixed_world(self.world)
        self.fixed.__enter__()
        self.disks = every_disk(self.world.patch, self.world.failure)
        self.disks.__enter__()
        self.step = 0
        for folder in self.world.folders:
            self.world.look(folder)
        folders = [f for f in self.world.folders if f.player == cheat]
        self.cheat = Cheat.of(self.world, folders[0]) if folders else None

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        try:
            self.finish()
        finally:
            self.disks.__exit__(None, None, None)
            self.fixed.__exit__(None, None, None)
            shutil.rmtree(self.world.root, ignore_errors=True)

    # -- helpers ---------------------------------------------------------------------------------------------------------

    def may(self, harm: str) -> bool:
        """This kind of harm is done in this run, and it is not too late for it."""
        return harm in self.harms and self.step < self.calm_after and len(self.world.folders) < FOLDERS_AT_MOST

    def folder(self, who: int) -> Folder:
        found: Folder = acts.pick(self.world.folders, who)
        return found

    def asked(self, who: int) -> Folder:
        """One whose player is asked for something, mostly; those who have mail open it until somebody is."""
        if who % 5:
            acts.opened(self.world)
        due = [f for f in self.world.folders if acts.is_due(self.world, f)]
        found: Folder = acts.pick(due if due and who % 5 else self.world.folders, who // 5)
        return found

    def does(self, act: Any, folder: Folder, choice: int) -> str:
        """One act of one player; its outcome is counted."""
        word = acts.quietly(act, self.world, folder, choice)
        key = f"{act.__name__}: {word}"
        type(self).outcomes[key] = type(self).outcomes.get(key, 0) + 1
        return word

    def goes_on(self, first: int) -> None:
        """A step: the game goes on by up to two turns before anything else happens."""
        self.step += 1
        type(self).steps += 1
        self.world.clock += 1
        acts.rounds(self.world, first % 3, first // 3)
        if self.cheat is not None and first % 3:
            plays(self.cheat, first)

    def plays_at_both(self, choice: int) -> None:
        """Half of those who have just made a second folder play in it, and then in the first, as if it were another turn."""
        made = self.world.folders[-1]
        if choice // 8 % 2 and made.entries:
            for n, folder in enumerate([made, *(f for f in self.world.folders if f.player == made.player and f is not made)]):
                self.does(acts.turn_elsewhere, folder, choice // 16 + n)

    def receives(self, mail: Mail | None, folder_of: int, spoilt: bool = False) -> None:
        if mail is None:
            return
        folders = [f for f in self.world.in_use if f.player == mail.to]
        if not folders:
            return

        def receive(world: World, folder: Folder, choice: int) -> None:
            if spoilt:
                faults.deliver_spoilt(world, mail, folder)
            else:
                world.deliver([mail], folder)

        self.does(receive, acts.pick(folders, folder_of), 0)

    # -- playing ---------------------------------------------------------------------------------------------------------

    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def plays(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        self.does(acts.turn, self.asked(who), choice)

    @rule(first=INDEX, who=INDEX)
    def fetches(self, first: int, who: int) -> None:
        self.goes_on(first)
        used: list[Folder] = self.world.in_use
        self.does(lambda world, folder, choice: acts.exchange(world, folder), acts.pick(used, who), 0)

    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def undoes(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        self.does(acts.undo, self.asked(who), choice)

    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def offers(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        self.does(acts.offer, self.asked(who), choice)

    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def looks(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        self.does(acts.look_round, self.folder(who), choice)

    @rule(first=INDEX, who=INDEX)
    def renews_the_key(self, first: int, who: int) -> None:
        self.goes_on(first)
        self.does(acts.renew, self.asked(who), 0)

    @rule(first=INDEX, who=INDEX)
    def resigns(self, first: int, who: int) -> None:
        self.goes_on(first)
        self.does(acts.resign if who % 8 == 0 else acts.audit, self.folder(who // 8), 0)

    @rule(first=INDEX, who=INDEX)
    def asks_the_others(self, first: int, who: int) -> None:
        self.goes_on(first)
        unsure = [f for f in self.world.folders if not ending.is_sure(self.world, f)]
        if unsure:
            self.does(acts.ask_the_others, acts.pick(unsure, who), 0)

    @precondition(lambda self: UMPIRE in self.world.players)
    @rule(first=INDEX)
    def stands_in(self, first: int) -> None:
        self.goes_on(first)
        for folder in [f for f in self.world.folders if f.player == UMPIRE][:1]:
            self.does(acts.stand_in, folder, 0)

    @precondition(lambda self: self.cheat is not None)
    @rule(first=INDEX, deed=INDEX, choice=INDEX)
    def the_cheat_is_at_work(self, first: int, deed: int, choice: int) -> None:
        self.goes_on(first)
        act = acts.pick(DEEDS, deed)
        act(self.cheat, choice)
        key = f"cheat {act.__name__}"
        type(self).outcomes[key] = type(self).outcomes.get(key, 0) + 1

    @precondition(lambda self: self.cheat is not None and self.may("restore"))
    @rule(first=INDEX, choice=INDEX)
    def one_loses_everything_after_a_talk_with_the_cheat(self, first: int, choice: int) -> None:
        cheat = self.cheat
        self.goes_on(first)
        assert cheat is not None

        def after_a_talk(world: World, folder: Folder, choice: int) -> None:
            loses_all_after_a_talk(world, cheat, choice)

        self.does(after_a_talk, self.folder(0), choice)

    @precondition(lambda self: self.cheat is not None)
    @rule(first=INDEX, choice=INDEX)
    def the_game_parts_and_is_healed(self, first: int, choice: int) -> None:
        self.goes_on(first)
        assert self.cheat is not None
        word = heals.parts_and_heals(self.world, self.cheat, choice)
        type(self).outcomes[f"heal: {word}"] = type(self).outcomes.get(f"heal: {word}", 0) + 1

    # -- the post ----------------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.may("post"))
    @rule(first=INDEX, choice=INDEX)
    def one_mail_comes_out_of_order(self, first: int, choice: int) -> None:
        self.goes_on(first)
        self.receives(faults.one(self.world, choice), choice // 16)

    @precondition(lambda self: self.may("post"))
    @rule(first=INDEX, choice=INDEX)
    def a_mail_is_lost(self, first: int, choice: int) -> None:
        self.goes_on(first)
        faults.drop(self.world, choice)

    @precondition(lambda self: self.may("post"))
    @rule(first=INDEX, choice=INDEX)
    def an_old_mail_comes_again(self, first: int, choice: int) -> None:
        self.goes_on(first)
        faults.double(self.world, choice)

    @precondition(lambda self: self.may("post"))
    @rule(first=INDEX, choice=INDEX)
    def a_mail_is_damaged(self, first: int, choice: int) -> None:
        self.goes_on(first)
        self.receives(faults.damage(self.world, choice), choice // 16, spoilt=True)

    @precondition(lambda self: self.may("post"))
    @rule(first=INDEX, choice=INDEX)
    def a_mail_is_forged(self, first: int, choice: int) -> None:
        self.goes_on(first)
        self.receives(faults.forge(self.world, choice), choice // 16, spoilt=True)

    # -- disks -------------------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.may("crash"))
    @rule(first=INDEX, who=INDEX, choice=INDEX, then=INDEX)
    def crashes(self, first: int, who: int, choice: int, then: int) -> None:
        self.goes_on(first)
        folder = self.asked(who) if self.asked(who) in self.world.in_use else self.world.in_use[0]
        faults.crash(self.world, folder, choice)
        self.does(acts.pick([acts.turn, lambda w, f, c: acts.exchange(w, f), acts.undo, acts.renew], then), folder, then // 4)

    @precondition(lambda self: self.may("full"))
    @rule(first=INDEX, who=INDEX)
    def a_disk_is_full(self, first: int, who: int) -> None:
        self.goes_on(first)
        faults.fill(self.world, self.folder(who), who // 16)

    @rule(first=INDEX, who=INDEX)
    def a_disk_has_room(self, first: int, who: int) -> None:
        self.goes_on(first)
        faults.free(self.world, self.folder(who), 0)

    @rule(first=INDEX, who=INDEX)
    def backs_up(self, first: int, who: int) -> None:
        self.goes_on(first)
        self.does(faults.back_up, self.folder(who), 0)

    @precondition(lambda self: self.may("restore"))
    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def restores(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        self.does(faults.restore, self.asked(who), choice)
        self.plays_at_both(choice)

    @precondition(lambda self: self.may("copy"))
    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def copies_the_folder(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        self.does(faults.copy_folder, self.asked(who), choice)
        self.plays_at_both(choice)

    @precondition(lambda self: self.may("sync"))
    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def goes_to_another_machine(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        asked = self.asked(who)
        self.does(faults.take_along, asked if asked in self.world.in_use else self.world.in_use[0], choice)

    @precondition(lambda self: any(f not in self.world.in_use for f in self.world.folders))
    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def an_old_stick_turns_up(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        left = [f for f in self.world.folders if f not in self.world.in_use]
        if left:
            self.does(faults.arrive, acts.pick(left, who), choice)
            self.does(acts.turn_elsewhere, acts.pick(left, who), choice)

    @precondition(lambda self: any(f not in self.world.in_use for f in self.world.folders))
    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def plays_at_the_machine_that_was_left(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        left = [f for f in self.world.folders if f not in self.world.in_use]
        due = [f for f in left if acts.is_due(self.world, f)]
        if left:
            self.does(acts.turn_elsewhere, acts.pick(due or left, who), choice)

    @precondition(lambda self: self.may("cut"))
    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def loses_the_tail_of_a_log(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        self.does(faults.cut_log, self.folder(who), choice)

    @precondition(lambda self: self.may("byte"))
    @rule(first=INDEX, who=INDEX, choice=INDEX)
    def a_byte_is_flipped(self, first: int, who: int, choice: int) -> None:
        self.goes_on(first)
        self.does(faults.flip_byte, self.folder(who), choice)

    @precondition(lambda self: self.may("upgrade"))
    @rule(first=INDEX, who=INDEX)
    def upgrades(self, first: int, who: int) -> None:
        self.goes_on(first)
        self.does(faults.upgrade, self.folder(who), 0)

    # -- the end -----------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """When nothing breaks any more, and everybody sends what he has, the game ends, and all agree."""
        if self.ends and self.cheat is not None:
            ending.show_everything(self.world, self.cheat)
        elif self.ends:
            ending.play_on(self.world)


def run(machine: type[WorldMachine], settings: Any, patch: pytest.MonkeyPatch) -> None:
    """Play the machine under these settings in a folder on a memory disk.

    Of the program's own numbers none is tried: which ones hypothesis finds depends on what was imported before.
    """
    from hypothesis.internal.conjecture import providers
    from hypothesis.stateful import run_state_machine_as_test

    nothing = type(providers.GLOBAL_CONSTANTS)()
    patch.setattr(providers, "_get_local_constants", lambda: nothing)

    with memory_folder() as root, at(root, patch):
        machine.worlds = Worlds(root, patch)
        run_state_machine_as_test(machine, settings=settings)
