"""Nouns of questions and refusals, for every room: range, light, what stands in a hex, targets, stages of play."""

from __future__ import annotations

from pbem.kernel.wording import Message, counted, msg, verbatim

LIGHT = {
    "am": msg("Day A.M."),
    "pm": msg("Day P.M."),
    "dusk": msg("Dusk"),
    "night": msg("Night"),
    "random": msg("Random Determination"),
}
RANGES = {"long": msg("long"), "medium": msg("medium"), "short": msg("short"), "": msg("none")}
SPOKEN = {  # words of some orders, as a player says them
    **{f"light: {word}": told for word, told in LIGHT.items()},
    "allocate: reserve": counted("{n} command point kept for {month}", "{n} command points kept for {month}", month=""),
    "allocate: {n}": counted("{n} command point", "{n} command points"),
    **{f"bid: {band}": told for band, told in RANGES.items() if band},
    "first: air": msg("air units"),
    "first: land": msg("ground units"),
    "first: sea": msg("task forces"),
    "grounded: {n}": counted("{n} step", "{n} steps"),
    "hits: {n}": counted("{n} hit", "{n} hits"),
    "landing: home": msg("all of them home"),
    "light: no": msg("none"),
    "rebuild: steps": counted("{n} step", "{n} steps"),
    "release: steps": counted("{n} step", "{n} steps"),
    "replace: steps": counted("{n} step", "{n} steps"),
    "replace: {n}": counted("{n} step", "{n} steps"),
    "sail: off": msg("off the map"),
    "search: →": msg("by"),
    "submarines: steps": counted("{n} step", "{n} steps"),
}
INSTALLATIONS = {"airfield": msg("airfield"), "port": msg("port"), "osb": msg("supply base")}
WORKS = {"port": msg("port"), "airfield": msg("airfield"), "upgrade": msg("large airfield")}
TARGETS = {
    **INSTALLATIONS,
    "construction": msg("construction"),
    "resource": msg("resource hex"),
    "strafe": msg("aircraft on the ground"),
    "force": msg("the Force of the hex"),
}
STAGES = {
    "links": msg("emergency links"),
    "barges": msg("barges"),
    "engineering": msg("engineering"),
    "supply": msg("strategic orders"),
    "raid": msg("the Doolittle raid"),
    "activation": msg("activation"),
    "reaction": msg("activation in reaction"),
    "contact": msg("Contact Phase"),
    "landing": msg("landing of troops"),
    "movement": msg("Movement Phase"),
    "air": msg("Air Mission Phase"),
    "bombardment": msg("Bombardment Phase"),
    "rally": msg("rally"),
    "demolition": msg("demolition"),
    "common": msg("common phase"),
}


def range_named(band: str) -> Message:
    """Long, medium or short; any other word as it stands."""
    return RANGES.get(band) or verbatim(band)


def target_named(target: str) -> Message:
    """What may be attacked, hit or demolished: a unit by its name, anything else by its word."""
    return TARGETS.get(target) or verbatim(target)
