"""`ngcctui config`: the settings of the screens and where they come from, or the page of all keys."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ngcctui.console import console, one_line
from ngcctui.model.codec import encode
from ngcctui.model.errors import ExitCode
from ngcctui.tui.actions import SCREENS, actions_of, keys_of, shown_key
from ngcctui.tui.config import Configuration, load_configuration, places


def run(args: argparse.Namespace) -> int:
    """Print the configuration as it counts, or with `--keys` docs/keys.md for it."""
    found = load_configuration(args.config, os.environ, Path.cwd())
    out = console(args)
    if args.keys:
        out.data(keys_page(found.settings.keys))
    elif out.json:
        out.data_json(as_json(found))
    else:
        for row in rows(found, places(args.config, os.environ, Path.cwd())):
            out.data(one_line(row))
    return int(ExitCode.DONE)


def rows(found: Configuration, looked_at: list[Path]) -> Iterator[str]:
    """One line a setting with its origin, then the files that were looked for."""
    table = as_json(found)
    for key, value in table["settings"].items():
        yield f"{key} = {_toml(value)}  # {table['origins'].get(key, 'default')}"
    for path in looked_at:
        yield f"# {'read' if path.exists() else 'not there'}: {path}"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def as_json(found: Configuration) -> dict[str, Any]:
    """Settings by key, keys of actions as `keys.<id>`, and the file behind each that is not the default."""
    settings = encode(found.settings)
    keys = settings.pop("keys")
    settings |= {f"keys.{name}": text for name, text in sorted(keys.items())}
    return {"settings": settings, "origins": {key: str(path) for key, path in found.origins.items()}}


def keys_page(keymap: Mapping[str, str]) -> str:
    """Every action with its keys and its id, a table for each screen."""
    parts = [_HEAD]
    for screen, title in SCREENS.items():
        actions = list(actions_of(screen))
        if actions:
            parts += [f"\n## {title}\n", "| key | what it does | name |", "|---|---|---|"]
        for action in actions:
            keys = " ".join(f"`{shown_key(key)}`" for key in keys_of(action, keymap))
            parts.append(f"| {keys.replace('|', chr(92) + '|')} | {action.help} | `{action.id}` |")
    return "\n".join(parts)


_HEAD = """\
# Keys

Made by `ngcctui config --keys > docs/keys.md` from the table that also makes the bindings, the bar of keys, the help
screen and the palette of commands.

Other keys go into `ngcctui.toml` by name, several with commas between; a printable character stands for itself:

```toml
[keys.monitor]
pause = "p"
[keys.app]
help = "?,f1,h"
```

`^X` is Ctrl and x. A capital letter or Ctrl does what cannot be taken back, and Esc never does."""
