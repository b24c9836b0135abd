"""`ngcctui new-scheme DIR`: a package that builds, for the operator to fill in."""

from __future__ import annotations

import argparse
from pathlib import Path

from ngcctui.console import console
from ngcctui.model.errors import ConfigError, ExitCode, StorageError
from ngcctui.model.scheme import load_scheme
from ngcctui.model.step import SCHEME_KEY
from ngcctui.share import share_dir


def run(args: argparse.Namespace) -> int:
    """Write the template; ConfigError when the directory is not empty or its name is no scheme key."""
    directory: Path = args.directory
    written = write_package(directory)
    out = console(args)
    if args.json:
        out.data_json({"directory": str(directory), "files": [str(path) for path in written]})
    else:
        for path in written:
            out.data(str(path))
    out.talk(
        f"{directory}: fill it in, then: ngcctui check {directory if '/' in str(directory) else f'./{directory}'}"
    )
    return int(ExitCode.DONE)


def write_package(directory: Path) -> list[Path]:
    """Write a new package into `directory`, which is missing or empty; returns the files."""
    key = directory.resolve().name
    if not SCHEME_KEY.fullmatch(key):
        raise ConfigError(
            f"{directory}: its name is the scheme's id: letters, digits, . _ + - (and @ before a variant)"
        )
    identity, _, variant = key.partition("@")
    words = {"@ID@": identity, "@VARIANT@": variant or "independent", "@KEY@": key, "@DIR@": key}
    template = share_dir() / "data" / "new-scheme"
    try:
        if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise ConfigError(f"{directory}: is there and not empty; name a new directory")
        written = [
            _write(source, directory / source.relative_to(template), words) for source in _files(template)
        ]
    except OSError as error:
        raise StorageError(f"{directory}: cannot be written: {error.strerror}") from None
    load_scheme(directory)
    return written


def _files(template: Path) -> list[Path]:
    return sorted(path for path in template.rglob("*") if path.is_file())


def _write(source: Path, target: Path, words: dict[str, str]) -> Path:
    text = source.read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(word, value)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return target
