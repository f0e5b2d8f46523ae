"""Troops on land: movement, combat, retreat, sieges, raids, engineering, demolition."""
