"""Real compilers on sound, broken and hostile sources, and the cache in between."""

from __future__ import annotations

import asyncio
import ctypes
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from engine import candidate
from engine.forked import processes_with, run_forked

from ngcctui.engine.toolchain import (
    GUIDE,
    HARNESS_DEFAULT,
    BuildResult,
    Native,
    Toolchain,
    build_library,
    find_toolchain,
    workshop,
)
from ngcctui.engine.toolchain.cache import Cache
from ngcctui.engine.toolchain.flags import OPTIONAL
from ngcctui.engine.toolchain.helpers import helper_objects
from ngcctui.engine.toolchain.workshop import Workshop
from ngcctui.model.errors import ConfigError, StorageError
from ngcctui.model.outcome import Outcome
from ngcctui.model.scheme import Scheme


@pytest.fixture(scope="session")
def helpers_built(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with nothing but the helpers' objects."""
    cache = tmp_path_factory.mktemp("helpers") / "cache"
    run_forked(lambda: helper_objects(toolchain, GUIDE, Cache(cache), []))
    return cache


@pytest.fixture
def cache(helpers_built: Path, tmp_path: Path) -> Path:
    """A cache of one test, with the helpers' objects: they take most of the time of a build."""
    return shutil.copytree(helpers_built, tmp_path / "cache")


def package(directory: Path, **files: str) -> Path:
    """A directory with the candidate and other sources (`name_c` is name.c)."""
    directory.mkdir(parents=True)
    shutil.copy(candidate.SOURCE, directory)
    for name, text in files.items():
        (directory / name.replace("__", "/").replace("_c", ".c").replace("_h", ".h")).write_text(text)
    return directory


def build(
    toolchain: Toolchain, scheme: Scheme, cache: Path, flags: str = GUIDE, *, profile: bool = False
) -> BuildResult:
    instance = scheme.file.instance[0]
    return run_forked(lambda: build_library(toolchain, scheme, instance, flags, cache, profile=profile))


def failure(toolchain: Toolchain, scheme: Scheme, cache: Path) -> str:
    """The detail of a build that must fail and leave nothing in the cache."""
    result = build(toolchain, scheme, cache)
    assert (result.outcome, result.library, result.sha256) == (Outcome.BUILDFAIL, None, None)
    assert list((cache / "work").iterdir()) == []
    assert list(cache.rglob("library.so")) == []
    return result.detail


def exported(library: Path) -> set[str]:
    with library.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".dynsym")
        assert isinstance(table, SymbolTableSection)
        return {s.name for s in table.iter_symbols() if s.name and s["st_shndx"] != "SHN_UNDEF"}


SIGNATURE = {f"sig_get_{part}_len_bytes" for part in ("pk", "sk", "sn")} | {
    "sig_keygen",
    "sig_sign",
    "sig_verify",
}


def test_the_same_sources_give_the_same_bytes_in_every_directory(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    results = []
    for place in ("here", "there/and further"):
        scheme = candidate.scheme(package(tmp_path / place), flags=("-g", "-DWHERE=__FILE__"))
        results.append(build(toolchain, scheme, tmp_path / "caches" / place, profile=True))
    first, second = results
    assert first.outcome is Outcome.PASS
    assert first.sha256 == second.sha256
    assert first.profile_sha256 == second.profile_sha256
    assert first.library is not None
    assert str(tmp_path).encode() not in first.library.read_bytes()


def test_a_library_shows_its_interface_alone(toolchain: Toolchain, tmp_path: Path, cache: Path) -> None:
    result = build(toolchain, candidate.scheme(package(tmp_path / "p")), cache, profile=True)
    assert result.library is not None
    assert result.profile_library is not None
    assert exported(result.library) == SIGNATURE | {"ngcc_seed", "ngcc_instance"}
    extra = exported(result.profile_library) - exported(result.library)
    assert "ngcc_profile_read" in extra
    assert all(name.startswith("ngcc_profile_") for name in extra)
    assert 4096 < result.static_bytes < 1 << 20
    loaded = ctypes.CDLL(str(result.library))
    loaded.ngcc_instance.restype = ctypes.c_char_p
    assert loaded.ngcc_instance() == candidate.NAME.encode()


def test_the_log_holds_every_command(toolchain: Toolchain, tmp_path: Path, cache: Path) -> None:
    scheme = candidate.scheme(package(tmp_path / "p"), flags=("-O3",), defines=("A=1",), libraries=("m",))
    log = build(toolchain, scheme, cache).log
    commands = [line for line in log.splitlines() if line.startswith(toolchain.cc[0])]
    (compiled,) = (line for line in commands if line.endswith("scheme/candidate.c"))
    assert " -std=c99 -Wpedantic -Wall -Wextra -O2 -O3 -DA=1 -Ihelpers -fPIC -D_GNU_SOURCE " in compiled
    assert "-ffile-prefix-map=$PWD=. " in compiled
    (linked,) = (line for line in commands if "-shared" in line)
    assert linked.endswith(" -lm")
    assert str(tmp_path) not in log


def test_the_fall_back_flags(toolchain: Toolchain, tmp_path: Path, cache: Path) -> None:
    result = build(toolchain, candidate.scheme(package(tmp_path / "p")), cache, HARNESS_DEFAULT)
    assert (result.outcome, result.flags) == (Outcome.PASS, "harness-default")
    assert " -O2 -std=gnu11 -fno-strict-aliasing -fwrapv " in result.log
    assert "-std=c99" not in result.log


def test_a_second_build_is_taken_from_the_cache(
    toolchain: Toolchain, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheme = candidate.scheme(package(tmp_path / "p", dir_h="int dir;"))
    first = build(toolchain, scheme, cache)
    with monkeypatch.context() as patched:
        patched.setattr(Workshop, "open", None)
        assert build(toolchain, scheme, cache) == first
    (tmp_path / "p" / "dir.h").write_text("int other;")
    second = build(toolchain, scheme, cache)
    assert second.library != first.library
    assert second.sha256 == first.sha256


def test_a_damaged_entry_is_built_again(toolchain: Toolchain, tmp_path: Path, cache: Path) -> None:
    scheme = candidate.scheme(package(tmp_path / "p"))
    first = build(toolchain, scheme, cache)
    assert first.library is not None
    first.library.write_bytes(b"damaged")
    assert build(toolchain, scheme, cache) == first
    assert first.library.read_bytes().startswith(b"\x7fELF")


def test_two_builders_of_the_same_library(toolchain: Toolchain, tmp_path: Path, cache: Path) -> None:
    scheme = candidate.scheme(package(tmp_path / "p"))

    async def both() -> list[BuildResult]:
        one = scheme.file.instance[0]
        return await asyncio.gather(
            *(build_library(toolchain, scheme, one, GUIDE, cache, profile=False) for _ in range(2))
        )

    first, second = run_forked(both)
    assert first == second


@pytest.mark.parametrize(
    ("name", "text", "detail"),
    [
        ("broken_c", "int f(void) {\n  return }\n", "scheme/broken.c:2:10: error: "),
        ("broken_c", '#include "nowhere.h"\n', "scheme/broken.c:1:10: fatal error: "),
        (
            "broken_c",
            "int missing(void); int f(void); int f(void) { return missing(); }\n",
            "undefined: missing",
        ),
        (
            "broken_c",
            "int sig_sign(void); int sig_sign(void) { return 0; }\n",
            "sig_sign is defined twice, in obj/scheme/",
        ),
        ("broken_c", "int pseudohash(void); int pseudohash(void) { return 0; }\n", ""),
        (
            "broken_c",
            "int drng_algorithm;\n",
            "drng_algorithm is defined twice, in obj/library/shim.c.o and ",
        ),
    ],
)
def test_the_first_error_is_told(
    toolchain: Toolchain, tmp_path: Path, cache: Path, name: str, text: str, detail: str
) -> None:
    scheme = candidate.scheme(package(tmp_path / "p", **{name: text}), ("candidate.c", "broken.c"))
    if detail:
        assert failure(toolchain, scheme, cache).startswith(detail)
    else:
        assert build(toolchain, scheme, cache).outcome is Outcome.PASS


def test_a_helper_that_is_there_twice_is_named(toolchain: Toolchain, tmp_path: Path, cache: Path) -> None:
    text = (
        "int pseudohash(void); int pseudohash(void) { return 0; }\n"
        "int sm3hash(int, const unsigned char *, unsigned long long, unsigned char *);\n"
        "int f(void); int f(void) { return sm3hash(256, 0, 0, 0); }\n"
    )
    scheme = candidate.scheme(package(tmp_path / "p", own_c=text), ("candidate.c", "own.c"))
    assert failure(toolchain, scheme, cache) == (
        "pseudohash is defined twice, in obj/scheme/own.c.o and objects/auxfunc.c.o, which is needed for sm3hash"
    )


FOREIGN_HEADER = """
#pragma once
typedef struct { unsigned char fill; unsigned char other[5000]; } DRNG_ctx;
int init_random_number(DRNG_ctx *drng, const unsigned char *seed, unsigned long long seed_bytes);
int get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits);
"""
FOREIGN_DRNG = """
#include "drng.h"
#include <string.h>
int init_random_number(DRNG_ctx *drng, const unsigned char *seed, unsigned long long seed_bytes)
{
    memset(drng, 0, sizeof *drng);
    drng->other[4999] = seed_bytes ? seed[0] : 0;
    return 0;
}
int get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits)
{
    memset(out, drng->other[4999], out_bits / 8);
    return 0;
}
"""


def test_a_package_s_own_drng_is_linked_with_its_own_state(
    toolchain: Toolchain, tmp_path: Path, cache: Path
) -> None:
    directory = package(tmp_path / "p", drng_c=FOREIGN_DRNG, drng_h=FOREIGN_HEADER)
    scheme = candidate.scheme(directory, ("candidate.c", "drng.c"))
    result = build(toolchain, scheme, cache, profile=True)
    assert result.outcome is Outcome.PASS, result.log
    assert "# the package brings its own: objects/drng.c.o left out\n" in result.log
    assert "-DNGCC_FOREIGN_HELPERS=1 " in result.log
    assert result.library is not None
    assert result.static_bytes > 5000
    loaded = ctypes.CDLL(str(result.library))
    assert loaded.ngcc_seed(b"\x07", ctypes.c_ulonglong(1)) == 0
    pk, sk = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
    length = ctypes.c_ulonglong(32)
    assert loaded.sig_keygen(pk, ctypes.byref(length), sk, ctypes.byref(length)) == 0
    assert pk.raw == b"\x07" * 32


def test_helpers_in_one_object_with_the_operations_are_known_as_such(
    toolchain: Toolchain, tmp_path: Path, cache: Path
) -> None:
    directory = package(
        tmp_path / "p",
        drng_c=FOREIGN_DRNG,
        drng_h=FOREIGN_HEADER,
        all_c='#include "candidate.c"\n#include "drng.c"\n',
    )
    result = build(toolchain, candidate.scheme(directory, ("all.c",)), cache, profile=True)
    assert result.outcome is Outcome.PASS, result.log
    assert "-DNGCC_FOREIGN_HELPERS=2 " in result.log


def test_a_profile_library_that_cannot_be_linked_is_only_told(
    toolchain: Toolchain, tmp_path: Path, cache: Path
) -> None:
    text = "int __wrap_sm3_init(void); int __wrap_sm3_init(void) { return 0; }\n"
    scheme = candidate.scheme(package(tmp_path / "p", own_c=text), ("candidate.c", "own.c"))
    result = build(toolchain, scheme, cache, profile=True)
    assert (result.outcome, result.profile_library) == (Outcome.PASS, None)
    assert result.detail == "no profile library: __wrap_sm3_init is defined twice"


def test_a_compiler_that_does_not_end_is_ended(
    toolchain: Toolchain, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "COMPILE_LIMIT_S", 0.5)
    doubled = "".join(f"#define X{n + 1} X{n} X{n}\n" for n in range(40))
    scheme = candidate.scheme(
        package(tmp_path / "p", bomb_c=f"#define X0 1,\n{doubled}int x[] = {{ X40 }};\n"), ("bomb.c",)
    )
    assert failure(toolchain, scheme, cache) == f"{Path(toolchain.cc[0]).name}: not done within 0.5 s"
    assert processes_with("scheme/bomb.c") == []


def test_what_a_compiler_says_is_cut_and_shown_without_power(
    toolchain: Toolchain, tmp_path: Path, cache: Path
) -> None:
    errors = "".join(f'#error "\x1b[2J {"x" * 200} {n}"\n' for n in range(3000))
    scheme = candidate.scheme(package(tmp_path / "p", many_c=errors), ("many.c",))
    result = build(toolchain, scheme, cache)
    assert result.detail.startswith("scheme/many.c:1:2: error: ")
    assert len(result.detail) <= 300
    assert "\x1b" not in result.log
    assert "more bytes were dropped]" in result.log
    assert len(result.log) < 600_000


def test_a_source_that_is_a_pipe_ends_too(
    toolchain: Toolchain, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "COMPILE_LIMIT_S", 0.5)
    os.mkfifo(package(tmp_path / "p") / "pipe.c")
    assert "not done within" in failure(toolchain, candidate.scheme(tmp_path / "p", ("pipe.c",)), cache)


def test_what_a_compiler_says_as_it_is_killed_is_not_what_was_wrong(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "COMPILE_LIMIT_S", 0.5)
    dying = (
        'case "$*" in *-o*/candidate.c) echo "cc: fatal error: Killed"; exec sleep 60;; esac; exec gcc "$@"'
    )
    scheme = candidate.scheme(package(tmp_path / "p"))
    assert (
        failure(find_toolchain(script(tmp_path / "cc", dying)), scheme, cache) == "cc: not done within 0.5 s"
    )


RESTLESS = 'case "$*" in *-o*/candidate.c) {} echo "/* */" >> scheme/candidate.c;; esac; exec gcc "$@" -O0'


def test_a_source_that_changes_meanwhile_is_built_again(tmp_path: Path, cache: Path) -> None:
    once = find_toolchain(script(tmp_path / "cc", RESTLESS.format(f"mkdir {tmp_path}/done 2>/dev/null &&")))
    result = build(once, candidate.scheme(package(tmp_path / "p")), cache)
    assert result.outcome is Outcome.PASS
    assert result.log.count("-o obj/scheme/candidate.c.o") == 1


def test_sources_that_never_rest_are_no_build(tmp_path: Path, cache: Path) -> None:
    restless = find_toolchain(script(tmp_path / "cc", RESTLESS.format("")))
    scheme = candidate.scheme(package(tmp_path / "p"))
    assert failure(restless, scheme, cache) == "sources changed each time while they were built"


def test_a_cache_that_cannot_be_written_is_told_in_one_line(toolchain: Toolchain, tmp_path: Path) -> None:
    scheme = candidate.scheme(package(tmp_path / "p"))
    (tmp_path / "file").write_text("")

    async def work() -> None:
        with pytest.raises(StorageError, match="file/work: cannot be written"):
            await build_library(
                toolchain, scheme, scheme.file.instance[0], GUIDE, tmp_path / "file", profile=False
            )

    run_forked(work)


@pytest.mark.parametrize("name", ["clang", "aarch64-linux-gnu-gcc"])
def test_other_compilers(name: str, tmp_path: Path, cache: Path) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    other = find_toolchain(name)
    result = build(other, candidate.scheme(package(tmp_path / "p")), cache, profile=True)
    assert result.outcome is Outcome.PASS, result.log
    assert result.library is not None
    assert exported(result.library) == SIGNATURE | {"ngcc_seed", "ngcc_instance"}
    with result.library.open("rb") as stream, open("/proc/self/exe", "rb") as ourselves:
        machine, ours = ELFFile(stream)["e_machine"], ELFFile(ourselves)["e_machine"]
    assert machine == ("EM_AARCH64" if name.startswith("aarch64") else ours)
    assert (result.profile_library is not None) == (result.detail == "")


def test_our_own_programs(native: Native) -> None:
    assert os.access(native.driver, os.X_OK)
    assert {"ngcc_isolate", "ngcc_frame"} <= exported(native.isolation)
    done = subprocess.run([native.driver, "/nowhere"], check=False, capture_output=True, timeout=30)
    assert done.returncode == 3


# the compiler itself ------------------------------------------------------------------------------------------


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_the_compiler_of_the_environment_comes_first(tmp_path: Path) -> None:
    path = script(tmp_path / "my cc", 'exec gcc "$@"')
    found = find_toolchain(environ={"CC": f"'{path}' -m64", "PATH": os.environ["PATH"]})
    assert found.cc == (path, "-m64")
    assert "gcc" in found.version
    assert found.target == find_toolchain("gcc").target


def test_without_a_choice_the_first_of_the_usual_names_is_taken(tmp_path: Path) -> None:
    script(tmp_path / "clang", 'exec /usr/bin/gcc "$@"')
    assert find_toolchain(environ={"PATH": str(tmp_path)}).cc == (str(tmp_path / "clang"),)


def test_only_flags_that_the_compiler_knows_are_used(tmp_path: Path) -> None:
    refusing = (
        'for flag; do case "$flag" in *implicit-int|*return-mismatch) exit 1;; esac; done; exec gcc -w "$@"'
    )
    known = find_toolchain(script(tmp_path / "cc", refusing)).optional
    assert "-Wno-error=implicit-int" not in known
    assert "-Wno-error=return-mismatch" not in known
    assert set(known) <= set(OPTIONAL)
    assert known == tuple(
        flag for flag in find_toolchain("gcc").optional if not flag.endswith("implicit-int")
    )


@pytest.mark.parametrize(
    ("cc", "message"),
    [
        ("no-such-compiler", "CC=no-such-compiler: no such program; install it or name another one in CC"),
        ("'", "CC=': not a command line"),
        ("/bin/false", "/bin/false: not a working C compiler"),
        ("/bin/echo", "/bin/echo: not a working C compiler"),
    ],
)
def test_what_is_no_compiler_is_told_in_one_line(cc: str, message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message}$"):
        find_toolchain(environ={"CC": cc, "PATH": os.environ["PATH"]})


def test_no_compiler_at_all(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no C compiler found: install gcc or clang, or name one in CC"):
        find_toolchain(environ={"PATH": str(tmp_path)})
