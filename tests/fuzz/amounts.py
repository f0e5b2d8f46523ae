"""How much is tried: little in the suite, PBEM_EXAMPLES in the long run."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("PBEM_EXAMPLES", "60"))
SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
quick = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW)
slow = settings(max_examples=max(EXAMPLES // 4, 1), deadline=None, suppress_health_check=SLOW)
