"""A simulated world of players, disks and post, and the accidents that were found by hand before it stood."""
