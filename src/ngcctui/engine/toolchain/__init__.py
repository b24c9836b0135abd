"""The C compiler, and what is built with it: candidates' libraries and our own driver, through a cache."""

from ngcctui.engine.toolchain.cache import cache_dir
from ngcctui.engine.toolchain.flags import GUIDE, HARNESS_DEFAULT
from ngcctui.engine.toolchain.library import BuildResult, build_library
from ngcctui.engine.toolchain.native import Native, build_native
from ngcctui.engine.toolchain.probe import Toolchain, find_toolchain

__all__ = [
    "GUIDE",
    "HARNESS_DEFAULT",
    "BuildResult",
    "Native",
    "Toolchain",
    "build_library",
    "build_native",
    "cache_dir",
    "find_toolchain",
]
