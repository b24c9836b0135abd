"""Build our own programs for candidates' processes: the timing driver and the isolation library."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.toolchain.cache import Cache, Entry, key_of, tree_digest
from ngcctui.engine.toolchain.flags import FLAGS, GUIDE
from ngcctui.engine.toolchain.probe import Toolchain
from ngcctui.engine.toolchain.workshop import BuildError, Workshop
from ngcctui.model.errors import ConfigError
from ngcctui.share import native_dir

_DRIVER = "ngcc_driver"
_ISOLATION = "isolation.so"


@dataclass(frozen=True)
class Native:
    """Our built programs: the driver that times, and the isolation library that the KAT worker loads."""

    driver: Path
    isolation: Path


async def build_native(toolchain: Toolchain, cache: Path) -> Native:
    """Build driver and isolation library, or take them from the cache; ConfigError when the compiler cannot."""
    store = Cache(cache)
    harness = native_dir() / "harness"
    sources = [
        tree_digest(harness),
        tree_digest(native_dir() / "profile"),
    ]  # headers are shared with the wrappers
    key = key_of({"toolchain": toolchain.identity, "flags": FLAGS[GUIDE], "sources": sources})
    entry = store.get(key)
    if entry is None:
        entry = await _build(toolchain, store, key, harness)
    return Native(entry.file(_DRIVER), entry.file(_ISOLATION))


async def _build(toolchain: Toolchain, store: Cache, key: str, harness: Path) -> Entry:
    with store.workplace() as directory:
        shop = Workshop.open(toolchain, directory, {"harness": harness})
        try:
            isolation = await _compile_all(shop, harness, "isolation/")
            driver = await _compile_all(shop, harness, "")
            await shop.link(_ISOLATION, ["-shared", "-Wl,-z,defs", "-Wl,--build-id=none", *isolation])
            await shop.link(_DRIVER, ["-Wl,--build-id=none", *driver, *isolation, "-ldl"])
        except BuildError as error:
            store.check_space()
            raise ConfigError(f"{toolchain.version}: cannot build the timing driver: {error}") from None
        return store.put(key, shop.out, {})


async def _compile_all(shop: Workshop, harness: Path, part: str) -> list[str]:
    flags = [*FLAGS[GUIDE], "-fvisibility=hidden", "-Iharness"]
    sources = sorted((harness / part).glob("*.c"))
    return [await shop.compile(f"harness/{part}{path.name}", flags) for path in sources]
