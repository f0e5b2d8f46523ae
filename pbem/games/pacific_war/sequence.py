"""Every segment of the game by its name."""

from __future__ import annotations

from pbem.games.pacific_war.bombardment import bombardment
from pbem.games.pacific_war.common import common_phase
from pbem.games.pacific_war.contact import contact, contact_air, contact_land, contact_sea
from pbem.games.pacific_war.cycle import begin, cycle, cycle_end, missions, movement, rally, removal, repair
from pbem.games.pacific_war.ground import ground_combat, ground_phase
from pbem.games.pacific_war.light import advantage_phase, light_phase
from pbem.games.pacific_war.missions import air_end, air_phase, mission
from pbem.games.pacific_war.naval import naval_cycle, sea_combat

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
}
