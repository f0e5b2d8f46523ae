"""The setting of the war: links, nations, initiative, intelligence, weather, light, what lies off the map, optional rules."""
