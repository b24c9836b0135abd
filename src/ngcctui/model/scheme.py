"""A scheme: its sources, its instances, what its answers must be (scheme.toml)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path, PurePosixPath

from ngcctui.model.codec import CodecError
from ngcctui.model.errors import ConfigError
from ngcctui.model.operation import SIGNATURE_OPERATIONS, Operation, hash_operation
from ngcctui.model.step import INSTANCE_NAME, SCHEME_KEY
from ngcctui.model.toml_file import load


class Function(str, Enum):
    """What a scheme is for; decides its interface and its operations."""

    SIGNATURE = "signature"
    HASH = "hash"


@dataclass(frozen=True)
class KatSpec:
    """The known answer test of an instance (specification of the official KAT text).

    `mode` is `strict`, `nolen`, either with `:N` (only the first N records are covered), or `selftest` for hash
    instances checked against an independent model.  Digests are lower-case hex SHA-256 of the canonical text; an
    instance without one ends as NOKAT.  `records` names a TOML file with digests per record and field.
    """

    file: str | None = None
    mode: str = "strict"
    sha256: str | None = None
    record0_sha256: str | None = None
    records: str | None = None

    def __post_init__(self) -> None:
        base, colon, count = self.mode.partition(":")
        if base not in ("strict", "nolen", "selftest") or (
            colon and not (count.isdigit() and 1 <= int(count) <= 10)
        ):
            raise CodecError(
                "mode",
                "must be strict, nolen or selftest, with :1 to :10 behind it where fewer records count",
            )
        for name in ("sha256", "record0_sha256"):
            digest = getattr(self, name)
            if digest is not None and (len(digest) != 64 or set(digest) - set("0123456789abcdef")):
                raise CodecError(name, "must be 64 lower-case hex digits")

    @property
    def selftest(self) -> bool:
        """True when the answers come from an independent model instead of a submitted file."""
        return self.mode == "selftest"

    @property
    def covered(self) -> int:
        """Number of records the digest covers (1 to 10; a self test is one whole)."""
        _, _, count = self.mode.partition(":")
        return int(count) if count else 10


@dataclass(frozen=True)
class Instance:
    """One parameter set.

    `sizes` are declared lengths in bytes (public_key, secret_key, signature, or digest).  `digest_bits` and
    `message_bytes` belong to hash instances.
    """

    name: str
    defines: tuple[str, ...] = ()
    sizes: dict[str, int] = field(default_factory=dict)
    kat: KatSpec = field(default_factory=KatSpec)
    digest_bits: int = 0
    message_bytes: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not INSTANCE_NAME.fullmatch(self.name):
            raise CodecError(
                "name", "must be 1 to 80 of A-Z a-z 0-9 . _ + - and start with a letter or digit"
            )
        for key, value in self.sizes.items():
            if key not in ("public_key", "secret_key", "signature", "digest"):
                raise CodecError(
                    f"sizes.{key}", "unknown key (known here: digest, public_key, secret_key, signature)"
                )
            if value < 1:
                raise CodecError(f"sizes.{key}", "must be at least 1 byte")
        if any(not 1 <= n <= 1 << 30 for n in self.message_bytes):
            raise CodecError("message_bytes", "must be 1 byte to 1 GiB each")


@dataclass(frozen=True)
class Build:
    """How the library of every instance is built; an instance's own sources and flags are added behind these."""

    sources: tuple[str, ...]
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Symmetric:
    """The survey verdict on a scheme's symmetric primitives."""

    verdict: str = ""
    note: str = ""


@dataclass(frozen=True)
class SchemeFile:
    """The content of scheme.toml, as written."""

    id: str
    algorithm: str
    category: str
    function: Function
    build: Build
    instance: tuple[Instance, ...]
    implementation: str = "independent"
    symmetric: Symmetric = field(default_factory=Symmetric)

    def __post_init__(self) -> None:
        if not SCHEME_KEY.fullmatch(self.id) or "@" in self.id:
            raise CodecError("id", "must be letters, digits, . _ + - and start with a letter or digit")
        if not self.instance:
            raise CodecError("instance", "a scheme has at least one")
        if not self.build.sources and not all(i.sources for i in self.instance):
            raise CodecError("build.sources", "a scheme has at least one source")
        seen: dict[str, int] = {}
        for number, instance in enumerate(self.instance):
            folded = instance.name.casefold()
            if folded in seen:
                raise CodecError(
                    f"instance[{number}].name", f"{instance.name!r} is there twice (case does not count)"
                )
            seen[folded] = number
            if self.function is Function.HASH and (instance.digest_bits < 1 or not instance.message_bytes):
                raise CodecError(f"instance[{number}]", "a hash instance needs digest_bits and message_bytes")
            if instance.kat.selftest and self.function is not Function.HASH:
                raise CodecError(f"instance[{number}].kat.mode", "selftest belongs to hash instances")


@dataclass(frozen=True)
class Scheme:
    """A scheme as loaded: its file, its key and the directory its paths are relative to."""

    key: str
    directory: Path
    file: SchemeFile

    def instance(self, name: str) -> Instance:
        """The instance called `name`; KeyError when there is none."""
        for instance in self.file.instance:
            if instance.name == name:
                return instance
        raise KeyError(name)

    def operations(self, instance: Instance) -> tuple[Operation, ...]:
        """The operations of an instance in page order."""
        if self.file.function is Function.HASH:
            return tuple(hash_operation(n) for n in sorted(instance.message_bytes))
        return SIGNATURE_OPERATIONS

    def sources(self, instance: Instance) -> tuple[str, ...]:
        """Sources of the instance's library, relative to the scheme's directory."""
        return self.file.build.sources + instance.sources


def load_scheme(directory: Path, key: str | None = None, *, sources: bool = True) -> Scheme:
    """Load and check `directory`/scheme.toml.

    The key is the directory's name when it is `<id>@<variant>`, else the id.  ConfigError names file and key when a
    key is unknown, a value has the wrong type, a path leaves the directory or a source is missing; without `sources`
    nothing is to be built, and sources need not be there.
    """
    path = directory / "scheme.toml"
    file = load(SchemeFile, path)
    key = key or (directory.name if directory.name.startswith(file.id + "@") else file.id)
    if not SCHEME_KEY.fullmatch(key):
        raise ConfigError(f"{directory}: not a scheme key: {key!r}")
    scheme = Scheme(key, directory, file)
    paths: list[tuple[str, str]] = [("build.sources", s) for s in file.build.sources]
    paths += [("build.include_dirs", s) for s in file.build.include_dirs]
    for instance in file.instance:
        paths += [(f"instance {instance.name}: sources", s) for s in instance.sources]
        if instance.kat.records:
            paths.append((f"instance {instance.name}: kat.records", instance.kat.records))
    for where, name in paths:
        pure = PurePosixPath(name)
        if pure.is_absolute() or ".." in pure.parts or name.startswith("-"):
            raise ConfigError(f"{path}: {where}: {name!r} must be a path below the scheme's directory")
        if sources and not (directory / name).exists():
            raise ConfigError(f"{path}: {where}: {name!r} is not there")
    return scheme
