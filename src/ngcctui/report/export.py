"""Pages as files for other programs: JSON with every key, and a CSV file for each table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ngcctui.engine.store import Storage, write_atomic
from ngcctui.model.codec import encode
from ngcctui.report.markdown import page_markdown
from ngcctui.report.page import Page
from ngcctui.report.toml import page_file, page_toml

#: A spreadsheet takes a text that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

#: The sub-table of raw numbers, None where nothing is known.
_RAW = "raw"


def page_json(page: Page) -> str:
    """The page as JSON: the tables of its TOML form, every key there, null for what is missing."""
    return json.dumps(encode(page_file(page)), ensure_ascii=False, indent=1) + "\n"


def page_csv(page: Page) -> dict[str, str]:
    """The tables of a page that have rows, as CSV text (RFC 4180) by name.

    Heads are the keys of the TOML form, `raw.mean_time_ns` for a key of a sub-table; raw numbers are whole and in the
    unit that the key names, a cell without a value is empty.  Texts that a spreadsheet would run begin with a quote.
    """
    data = encode(page_file(page))
    extra = data.pop("extra")
    tables: dict[str, list[Mapping[str, Any]]] = {
        name: rows for name, rows in data.items() if isinstance(rows, list)
    }
    tables |= {
        name: [row[name] for row in extra if row[name]] for name in ("precision", "profile", "library")
    }
    tables["environment"] = [{"item": item, "value": value} for item, value in data["environment"].items()]
    return {name: _csv([dict(_flat(row)) for row in rows]) for name, rows in tables.items() if rows}


def _flat(row: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, object]]:
    """Keys and cells of a row; tables in it become keys with a dot, arrays one text."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        elif key == _RAW and value is None:
            continue
        elif isinstance(value, list):
            yield prefix + key, _cell("; ".join(str(item) for item in value))
        else:
            yield prefix + key, _cell(value)


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


def _csv(rows: list[dict[str, object]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, dict.fromkeys(head for row in rows for head in row), restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def export_pages(pages: Iterable[Page], directory: Path, storage: Storage) -> list[Path]:
    """Write every page as Markdown, TOML, JSON and CSV below `directory`, which is made; returns the paths.

    `<key>/perf_<system>.md`, `.toml`, `.json`, and `<key>/perf_<system>.<table>.csv`; each file is replaced whole.
    StorageError when one cannot be written.
    """
    paths = []
    for page in pages:
        key = page.facts.scheme if page.facts else page.scheme.id
        stem = f"perf_{page.scheme.system}"
        files = {
            f"{stem}.md": page_markdown(page),
            f"{stem}.toml": page_toml(page),
            f"{stem}.json": page_json(page),
        }
        files |= {f"{stem}.{name}.csv": text for name, text in page_csv(page).items()}
        for name, text in files.items():
            path = directory / key / name
            write_atomic(path, text.encode("utf-8"), storage)
            paths.append(path)
    return paths
