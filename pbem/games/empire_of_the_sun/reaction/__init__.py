"""[7.2] Steps 4 to 10 of an offensive: what the reacting player does, asked after every offensive that activated units."""
