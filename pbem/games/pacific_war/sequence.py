"""Every segment of the game by its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pbem.games.pacific_war.air.missions import air_end, air_phase, mission
from pbem.games.pacific_war.cycle.bidding import bids
from pbem.games.pacific_war.cycle.campaign import month, month_end, operation, operation_check, operation_end
from pbem.games.pacific_war.cycle.common_phase import common_phase
from pbem.games.pacific_war.cycle.contact import contact, contact_air, contact_land, contact_sea
from pbem.games.pacific_war.cycle.cycle import begin, cycle, cycle_end, missions, movement, rally, removal, repair
from pbem.games.pacific_war.cycle.launch import activation, reaction_activation
from pbem.games.pacific_war.land.combat import ground_combat, ground_phase
from pbem.games.pacific_war.land.demolition import demolition
from pbem.games.pacific_war.land.engineering import engineering
from pbem.games.pacific_war.month.merchants import harassment, strategic_bombing, submarine_priority
from pbem.games.pacific_war.month.points import command_points
from pbem.games.pacific_war.month.reinforcements import reinforcements
from pbem.games.pacific_war.month.repair import naval_repair
from pbem.games.pacific_war.month.replacements import replacements
from pbem.games.pacific_war.month.shipping import escort
from pbem.games.pacific_war.month.strategy import strategic_orders
from pbem.games.pacific_war.month.upkeep import isolation, strategic_transport
from pbem.games.pacific_war.sea.bombardment import bombardment
from pbem.games.pacific_war.sea.combat import naval_cycle, sea_combat
from pbem.games.pacific_war.sea.doolittle import doolittle
from pbem.games.pacific_war.world.intelligence import condition_phase, operational_intelligence, strategic_intelligence
from pbem.games.pacific_war.world.light import advantage_phase, light_phase
from pbem.games.pacific_war.world.weather import weather_phase
from pbem.kernel.flow import Flow

SEGMENTS: dict[str, Callable[..., Flow[None] | None]] = {
    "begin": begin,
    "contact": contact,
    "contact-air": contact_air,
    "contact-land": contact_land,
    "contact-sea": contact_sea,
    "cycle": cycle,
    "light": light_phase,
    "advantage": advantage_phase,
    "movement": movement,
    "missions": missions,
    "air-phase": air_phase,
    "mission": mission,
    "air-end": air_end,
    "naval": naval_cycle,
    "sea-combat": sea_combat,
    "bombardment": bombardment,
    "ground": ground_phase,
    "ground-combat": ground_combat,
    "repair": repair,
    "rally": rally,
    "common": common_phase,
    "removal": removal,
    "cycle-end": cycle_end,
    "demolition": demolition,
    "month": month,
    "month-end": month_end,
    "weather": weather_phase,
    "strategic-intelligence": strategic_intelligence,
    "strategic-bombing": strategic_bombing,
    "escort": escort,
    "submarine-priority": submarine_priority,
    "harassment": harassment,
    "command-points": command_points,
    "isolation": isolation,
    "strategic-transport": strategic_transport,
    "reinforcements": reinforcements,
    "naval-repair": naval_repair,
    "replacements": replacements,
    "strategy": strategic_orders,
    "doolittle": doolittle,
    "engineering": engineering,
    "bids": bids,
    "activation": activation,
    "operation": operation,
    "operational-intelligence": operational_intelligence,
    "condition": condition_phase,
    "reaction-activation": reaction_activation,
    "operation-check": operation_check,
    "operation-end": operation_end,
}

# As they were up to version 4 of the rules: who has no points for it bids nothing, but is asked.
VERSION_4: dict[str, Callable[..., Flow[None] | None]] = {**SEGMENTS, "bids": partial(bids, of_nothing=True)}

# As they were up to version 3 of the rules: troops march in secret, but go aboard and ashore openly, and so do aircraft take
# untrained steps that lower their level.
VERSION_3: dict[str, Callable[..., Flow[None] | None]] = {
    **VERSION_4,
    "contact-land": partial(contact_land, boarding=False),
    "movement": partial(movement, boarding=False),
    "replacements": partial(replacements, becoming=False),
}
