"""`python -m ngcctui.engine RUN`: the engine of one run, in the foreground of its own session."""

from __future__ import annotations

import sys

from ngcctui.engine.lean import without_openssl

if __name__ == "__main__":
    without_openssl()
    from ngcctui.engine.service import main

    sys.exit(main())
