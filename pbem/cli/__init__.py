"""The command line.

A command is over before much becomes garbage: what its start imports is not looked through for some again and again, nor at its
end, which takes an eighth of a short one.
"""

import atexit
import gc

gc.set_threshold(50_000, 10, 10)
atexit.register(gc.freeze)
