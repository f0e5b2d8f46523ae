"""Next War series, standard game: the series rules. Map, counters and charts come with the scenario."""
