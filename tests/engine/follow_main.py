"""Follow a fake engine on this process's stdout, as `follow_main.py RUN SCRIPT`; for tests with a terminal."""

import sys
from pathlib import Path

from ngcctui.batch.follow import follow
from ngcctui.batch.printers import choose
from ngcctui.console import Console, movable
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Follower
from ngcctui.spawn import start_engine

if __name__ == "__main__":
    run = RunDir(Path(sys.argv[1]))
    engine = start_engine(
        run, [sys.executable, str(Path(__file__).with_name("fake_engine.py")), *sys.argv[1:]]
    )
    out = Console(ascii="--ascii" in sys.argv)
    sys.exit(follow(run, engine, Follower(run.journal), choose(out, movable()), out))
