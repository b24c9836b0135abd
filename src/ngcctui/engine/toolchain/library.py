"""Build the library of one instance: the candidate's objects, the helpers it does not bring itself, and the shim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ngcctui.engine.toolchain.cache import Cache, Entry, key_of, machine_identity, storage_errors, tree_digest
from ngcctui.engine.toolchain.flags import FLAGS
from ngcctui.engine.toolchain.helpers import LOG, helper_objects, plain_objects, profiled
from ngcctui.engine.toolchain.probe import Toolchain
from ngcctui.engine.toolchain.symbols import HELPERS, Choice, choose_helpers
from ngcctui.engine.toolchain.workshop import BuildError, Workshop
from ngcctui.model.outcome import Outcome
from ngcctui.model.scheme import Instance, Scheme
from ngcctui.share import native_dir

_LIBRARY = "library.so"
_PROFILE = "profile.so"

#: Directories of our own sources that go into a library.
_NATIVE = ("helpers", "library", "profile")

#: Builds that are tried when sources change while they are built.
_ATTEMPTS = 3


@dataclass(frozen=True)
class BuildResult:
    """What became of a build.

    `flags` names the set of flags; the libraries (PASS only) lie in the cache, `static_bytes` is the memory image of
    the first (bytes).  `log` holds every command and what the compiler said; `detail` the first error, or after PASS
    why there is no profile library although one was wanted.
    """

    outcome: Outcome
    detail: str
    flags: str
    log: str
    library: Path | None = None
    profile_library: Path | None = None
    sha256: str | None = None
    profile_sha256: str | None = None
    static_bytes: int = 0


async def build_library(
    toolchain: Toolchain, scheme: Scheme, instance: Instance, flags: str, cache: Path, *, profile: bool
) -> BuildResult:
    """Build the instance's library with the set of flags `flags`, or take it from the cache.

    PASS or BUILDFAIL; StorageError when the cache cannot be written, ConfigError when the scheme's directory is none.
    """
    store = Cache(cache)
    recipe = _Recipe(toolchain, scheme, instance, flags, profile)
    log: list[str] = []
    try:
        for _ in range(_ATTEMPTS):
            key = recipe.key()
            entry = store.get(key) or await _build(recipe, key, store, log)
            if entry is not None:
                return _result(entry, flags)
        raise BuildError("sources changed each time while they were built")
    except BuildError as error:
        store.check_space()
        return BuildResult(Outcome.BUILDFAIL, str(error), flags, "".join(log))


async def _build(recipe: _Recipe, key: str, store: Cache, log: list[str]) -> Entry | None:
    """Build the entry `key`; None when a source has changed meanwhile.  `log` holds what was done, also on BuildError."""
    log.clear()
    helpers = await helper_objects(recipe.toolchain, recipe.flags, store, log)
    with store.workplace() as directory:
        shop = Workshop.open(recipe.toolchain, directory, _places(recipe.scheme, helpers), log)
        notes = await recipe.build(shop, helpers)
        if recipe.key() != key:
            return None
        with storage_errors(shop.out):
            (shop.out / LOG).write_text("".join(log), "utf-8")
        return store.put(key, shop.out, notes)


def _places(scheme: Scheme, helpers: Entry) -> dict[str, Path]:
    """The directories that a workshop links to; `objects` are those of the helpers."""
    native = {name: native_dir() / name for name in _NATIVE}
    return {"scheme": scheme.directory, "objects": helpers.directory, **native}


def _result(entry: Entry, flags: str) -> BuildResult:
    has_profile = _PROFILE in entry.digests
    return BuildResult(
        Outcome.PASS,
        str(entry.notes["detail"]),
        flags,
        entry.file(LOG).read_text("utf-8"),
        entry.file(_LIBRARY),
        entry.file(_PROFILE) if has_profile else None,
        entry.digests[_LIBRARY],
        entry.digests[_PROFILE] if has_profile else None,
        int(entry.notes["static_bytes"]),
    )


@dataclass(frozen=True)
class _Recipe:
    """How one library is made."""

    toolchain: Toolchain
    scheme: Scheme
    instance: Instance
    flags: str
    profile: bool

    def key(self) -> str:
        """Digest of everything that goes into the library."""
        return key_of(
            {
                "toolchain": self.toolchain.identity,
                "base": FLAGS[self.flags],
                "flags": self._candidate_flags(),
                "sources": self.scheme.sources(self.instance),
                "libraries": self.scheme.file.build.libraries,
                "instance": self.instance.name,
                "profile": self.profile,
                "machine": machine_identity(self._candidate_flags()),
                "scheme": tree_digest(self.scheme.directory, frozenset({"scheme.toml"})),
                "native": [tree_digest(native_dir() / name) for name in _NATIVE],
            }
        )

    async def build(self, shop: Workshop, helpers: Entry) -> dict[str, Any]:
        """Build into the workshop's out/; returns the notes of the cache entry.  BuildError names the first error."""
        package = [
            await shop.compile(f"scheme/{source}", [*FLAGS[self.flags], *self._candidate_flags()])
            for source in dict.fromkeys(self.scheme.sources(self.instance))
        ]
        shim = await self._shim(shop, foreign=False)
        ours = [f"objects/{name}" for name in plain_objects(helpers)]
        found = await shop.symbols([*package, *ours, shim])
        brought, offered = found[: len(package)], found[len(package) : -1]
        choice = choose_helpers(brought, offered, found[-1:])
        if choice.problem:
            raise BuildError(choice.problem)
        if choice.dropped:
            shop.log.append(f"# the package brings its own: {', '.join(choice.dropped)} left out\n")
        if any("init_random_number" in item.defined for item in brought):
            shim = await self._shim(shop, foreign=True)
        await shop.link(_LIBRARY, self._link([*package, *choice.kept, shim]))
        detail = await self._build_profile(shop, package, choice, shim) if self.profile else ""
        return {"static_bytes": await shop.static_bytes(_LIBRARY), "detail": detail}

    async def _build_profile(self, shop: Workshop, package: Sequence[str], choice: Choice, shim: str) -> str:
        """Link the same objects with wrapped helpers that count; returns why that did not work, or nothing."""
        foreign = [f"-DNGCC_FOREIGN_HELPERS={2 if choice.merged else 1}"] if choice.dropped else []
        wrapped = [f"-Wl,--wrap={name}" for name in sorted(HELPERS)]
        try:
            flags = [*FLAGS[self.flags], "-Ihelpers", "-DNGCC_PROFILE", *foreign]
            wrap = await shop.compile("profile/wrap.c", flags)
            helpers = [profiled(name) for name in choice.kept]
            await shop.link(_PROFILE, [*self._link([*package, *helpers, shim, wrap]), *wrapped])
        except BuildError as error:
            return f"no profile library: {error}"
        return ""

    async def _shim(self, shop: Workshop, *, foreign: bool) -> str:
        """Compile the shim: it defines the DRNG's state, so it needs the header of the DRNG that is linked."""
        sources = self.scheme.sources(self.instance)
        own = dict.fromkeys(
            [*self._include_dirs(), *(f"-Ischeme/{PurePosixPath(s).parent}" for s in sources)]
        )
        includes = [*(own if foreign else ()), "-Ihelpers"]
        name = f'-DNGCC_INSTANCE="{self.instance.name}"'
        return await shop.compile("library/shim.c", [*FLAGS[self.flags], *includes, name])

    def _include_dirs(self) -> list[str]:
        return [f"-Ischeme/{name}" for name in self.scheme.file.build.include_dirs]

    def _candidate_flags(self) -> list[str]:
        build = self.scheme.file.build
        defines = [f"-D{name}" for name in (*build.defines, *self.instance.defines)]
        return [*build.flags, *self.instance.flags, *defines, *self._include_dirs(), "-Ihelpers"]

    def _link(self, objects: Sequence[str]) -> list[str]:
        libraries = [f"-l{name}" for name in self.scheme.file.build.libraries]
        options = ("-Wl,--version-script=library/exports.map", "-Wl,-z,defs", "-Wl,--build-id=none")
        return ["-shared", *options, *objects, *libraries]
