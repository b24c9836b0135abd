"""`python -m ngcctui`: the same program as the console script."""

import sys

from ngcctui.cli import main

sys.exit(main())
