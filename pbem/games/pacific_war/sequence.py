"""Every segment of the game by its name."""

from __future__ import annotations

from pbem.games.pacific_war.arrivals import naval_repair, reinforcements
from pbem.games.pacific_war.bidding import bids
from pbem.games.pacific_war.bombardment import bombardment
from pbem.games.pacific_war.campaign import month, month_end, operation, operation_check, operation_end
from pbem.games.pacific_war.common import common_phase
from pbem.games.pacific_war.contact import contact, contact_air, contact_land, contact_sea
from pbem.games.pacific_war.cycle import begin, cycle, cycle_end, missions, movement, rally, removal, repair
from pbem.games.pacific_war.engineering import engineering
from pbem.games.pacific_war.ground import ground_combat, ground_phase
from pbem.games.pacific_war.intelligence import condition_phase, operational_intelligence, strategic_intelligence
from pbem.games.pacific_war.launch import activation, reaction_activation
from pbem.games.pacific_war.light import advantage_phase, light_phase
from pbem.games.pacific_war.merchants import harassment, strategic_bombing, submarine_priority
from pbem.games.pacific_war.missions import air_end, air_phase, mission
from pbem.games.pacific_war.naval import naval_cycle, sea_combat
from pbem.games.pacific_war.points import command_points
from pbem.games.pacific_war.replacements import replacements
from pbem.games.pacific_war.shipping import escort
from pbem.games.pacific_war.strategy import doolittle, strategic_orders
from pbem.games.pacific_war.upkeep import demolition, isolation, strategic_transport
from pbem.games.pacific_war.weather import weather_phase

SEGMENTS = {
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
