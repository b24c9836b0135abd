"""Object files of the ICCS helpers, built once for a compiler and a set of flags and used by every library."""

from __future__ import annotations

from ngcctui.engine.toolchain.cache import Cache, Entry, key_of, storage_errors, tree_digest
from ngcctui.engine.toolchain.flags import FLAGS
from ngcctui.engine.toolchain.probe import Toolchain
from ngcctui.engine.toolchain.workshop import Workshop
from ngcctui.share import native_dir

LOG = "build.log"


def profiled(name: str) -> str:
    """Name of the object that counts its calls, beside the plain object `name`."""
    return name.removesuffix(".o") + ".profile.o"


def plain_objects(entry: Entry) -> list[str]:
    """Names of the plain objects of an entry."""
    return sorted(name for name in entry.digests if name.endswith(".c.o"))


async def helper_objects(toolchain: Toolchain, flags: str, store: Cache, log: list[str]) -> Entry:
    """The cache entry with every helper's object, plain and counting; BuildError when one does not compile.

    Helpers get the set of flags, and none of a package's own flags or defines: their work is the same for all.  What
    was or is done to build them goes to the empty `log`.
    """
    helpers = native_dir() / "helpers"
    key = key_of({"toolchain": toolchain.identity, "flags": FLAGS[flags], "helpers": tree_digest(helpers)})
    entry = store.get(key)
    if entry is not None:
        log.append(entry.file(LOG).read_text("utf-8"))
        return entry
    with store.workplace() as directory:
        shop = Workshop.open(toolchain, directory, {"helpers": helpers}, log)
        base = [*FLAGS[flags], "-Ihelpers"]
        for source in sorted(path.name for path in helpers.glob("*.c")):
            plain = f"{source}.o"
            await shop.compile(f"helpers/{source}", base, target=f"out/{plain}")
            await shop.compile(
                f"helpers/{source}", [*base, "-DNGCC_PROFILE"], target=f"out/{profiled(plain)}"
            )
        with storage_errors(shop.out):
            (shop.out / LOG).write_text("".join(log), "utf-8")
        return store.put(key, shop.out, {})
