"""Drawing maps as SVG: what area maps and hex maps share (themes, counters, panels, arrows), and the shapes of area maps."""
