"""Parts of the toolchain that need no compiler: helper objects, cache keys, first errors."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ngcctui.engine.toolchain.cache import Cache, cache_dir, key_of, machine_identity, tree_digest
from ngcctui.engine.toolchain.symbols import Choice, ObjectFile, choose_helpers
from ngcctui.engine.toolchain.workshop import first_error
from ngcctui.model.errors import ConfigError, StorageError


def item(name: str, defined: str, undefined: str = "", weak: str = "") -> ObjectFile:
    return ObjectFile(name, frozenset(defined.split()), frozenset(weak.split()), frozenset(undefined.split()))


SM3 = item("sm3.o", "sm3_init sm3_update sm3_final core")
AUX = item("aux.o", "sm3hash pseudohash pseudoXOF", "core")
DRNG = item("drng.o", "init_random_number get_random_number", "core")
OURS = [SM3, AUX, DRNG]
SHIM = [item("shim.o", "ngcc_seed drng_algorithm", "init_random_number")]
ALL = ("sm3.o", "aux.o", "drng.o")


@pytest.mark.parametrize(
    ("package", "choice"),
    [
        ([item("a.o", "sig_sign", "pseudohash")], Choice(ALL)),
        (
            [item("a.o", "sig_sign", "pseudohash"), item("h.o", "sm3hash pseudohash pseudoXOF")],
            Choice(("sm3.o", "drng.o"), ("aux.o",)),
        ),
        (
            [item("a.o", "sig_sign", "pseudohash"), item("h.o", "pseudohash")],
            Choice(("sm3.o", "drng.o"), ("aux.o",)),
        ),
        (
            [item("a.o", "sig_sign pseudohash", "sm3hash")],
            Choice((), problem="pseudohash is defined twice, in a.o and aux.o, which is needed for sm3hash"),
        ),
        ([item("a.o", "sig_sign sm3hash pseudohash")], Choice(("sm3.o", "drng.o"), ("aux.o",), merged=True)),
        (
            [
                item("a.o", "sig_sign", "get_random_number"),
                item("d.o", "init_random_number get_random_number"),
            ],
            Choice(("sm3.o", "aux.o"), ("drng.o",)),
        ),
        (
            [item("a.o", "sig_sign"), item("d.o", "get_random_number")],
            Choice(
                (),
                problem="get_random_number is defined twice, in d.o and drng.o, which is needed for init_random_number",
            ),
        ),
        (
            [item("a.o", "sig_sign"), item("s.o", "sm3_init")],
            Choice((), problem="sm3_init is defined twice, in s.o and sm3.o, which is needed for core"),
        ),
        (
            [item("a.o", "sig_sign sm3hash", "pseudohash", weak="pseudohash")],
            Choice(("sm3.o", "drng.o"), ("aux.o",), merged=True),
        ),
        ([item("a.o", "sig_sign", "pseudohash", weak="pseudohash")], Choice(ALL)),
        ([item("a.o", "f"), item("b.o", "f")], Choice((), problem="f is defined twice, in a.o and b.o")),
        (
            [item("a.o", "drng_algorithm")],
            Choice((), problem="drng_algorithm is defined twice, in shim.o and a.o"),
        ),
        ([], Choice(ALL)),
    ],
)
def test_helpers_that_the_package_brings_are_left_out(package: list[ObjectFile], choice: Choice) -> None:
    assert choose_helpers(package, OURS, SHIM) == choice


@pytest.mark.parametrize(
    ("output", "error"),
    [
        (
            "x.c:1:2: warning: unused\nx.c:3:4: error: expected ';'\nx.c:5: error: no",
            "x.c:3:4: error: expected ';'",
        ),
        (
            "/usr/bin/ld: a.o: in function `f':\na.c:(.text+0x5): undefined reference to `missing'",
            "undefined: missing",
        ),
        ("ld.lld: error: undefined symbol: missing\n>>> referenced by", "undefined: missing"),
        ("/usr/bin/ld: b.o: multiple definition of `f'; a.o: first defined here", "f is defined twice"),
        ("ld.lld: error: duplicate symbol: f", "f is defined twice"),
        (
            "x.c:1:10: fatal error: y.h: No such file or directory",
            "x.c:1:10: fatal error: y.h: No such file or directory",
        ),
        ("warning: all is well", ""),
        ("", ""),
    ],
)
def test_the_first_error_of_a_compiler(output: str, error: str) -> None:
    assert first_error(output) == error


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/ngcctui/build"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/ngcctui/build"),
        ({"HOME": "/h"}, "/h/.cache/ngcctui/build"),
    ],
)
def test_where_the_cache_is(environ: dict[str, str], path: str) -> None:
    assert str(cache_dir(environ)) == path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_digest_of_a_tree_changes_with_every_name_and_byte(tmp_path: Path) -> None:
    write(tmp_path / "a/src/x.c", "int x;")
    write(tmp_path / "b/src/x.c", "int x;")
    same = tree_digest(tmp_path / "a")
    assert tree_digest(tmp_path / "b") == same
    seen = {same}
    for name, text in [("src/x.c", "int y;"), ("src/y.h", ""), ("y.h", "")]:
        write(tmp_path / "b" / name, text)
        seen.add(tree_digest(tmp_path / "b"))
    (tmp_path / "b/src/y.h").rename(tmp_path / "b/src/z.h")
    seen.add(tree_digest(tmp_path / "b"))
    assert len(seen) == 5


def test_what_is_no_source_does_not_count(tmp_path: Path) -> None:
    write(tmp_path / "x.c", "int x;")
    same = tree_digest(tmp_path, frozenset({"scheme.toml"}))
    write(tmp_path / "scheme.toml", "id")
    write(tmp_path / ".git/HEAD", "x")
    write(tmp_path / ".x.swp", "x")
    assert tree_digest(tmp_path, frozenset({"scheme.toml"})) == same


def test_links_in_circles_and_pipes_do_not_hang(tmp_path: Path) -> None:
    write(tmp_path / "src/x.c", "int x;")
    (tmp_path / "src/up").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "src/pipe.c")
    first = tree_digest(tmp_path)
    write(tmp_path / "src/x.c", "int y;")
    assert tree_digest(tmp_path) != first


def test_a_directory_of_more_than_sources_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate((256 << 20) + 1)
    with pytest.raises(ConfigError, match="more than 256 MiB"):
        tree_digest(tmp_path)


def test_native_code_belongs_to_its_cpu(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(
        "processor : 0\nmodel name : A\nflags : aes\nbogomips : 1\nprocessor : 1\nflags : aes\n"
    )
    assert machine_identity(["-O2"], cpuinfo) == ""
    assert machine_identity(["-march=native"], cpuinfo) == "flags : aes\nmodel name : A"


def put(cache: Cache, key: str, content: str = "library") -> Path:
    with cache.workplace() as work:
        (work / "out").mkdir()
        (work / "out" / "x.so").write_text(content)
        return cache.put(key, work / "out", {"n": 1}).file("x.so")


def test_an_entry_is_found_again_and_nothing_else_is_left(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    key = key_of({"a": 1})
    assert cache.get(key) is None
    assert put(cache, key).read_text() == "library"
    entry = cache.get(key)
    assert entry is not None
    assert entry.notes == {"n": 1}
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.parametrize("damage", ["x.so", "result.json"])
@pytest.mark.parametrize("content", ["", "{}", "[]", "libraryX"])
def test_a_damaged_entry_is_missing_and_is_replaced(tmp_path: Path, damage: str, content: str) -> None:
    cache = Cache(tmp_path)
    path = put(cache, "ab" * 32)
    path.with_name(damage).write_text(content)
    assert cache.get("ab" * 32) is None
    assert put(cache, "ab" * 32).read_text() == "library"
    assert list((tmp_path / "work").iterdir()) == []


def test_the_first_of_two_builders_wins(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    put(cache, "ab" * 32, "first")
    assert put(cache, "ab" * 32, "second").read_text() == "first"


def test_leftovers_of_killed_builders_go_after_a_day(tmp_path: Path) -> None:
    for name, age in (("old", 2 * 86400), ("new", 3600)):
        write(tmp_path / "work" / name / "x", "")
        then = (tmp_path / "work" / name).stat().st_mtime - age
        os.utime(tmp_path / "work" / name, (then, then))
    with Cache(tmp_path).workplace():
        pass
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["new"]


def test_a_cache_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StorageError, match="file/work: cannot be written"),
        Cache(tmp_path / "file").workplace(),
    ):
        pass
