"""What a reader sees of a Markdown page: its tables, cell by cell, as a Markdown parser shows them."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")


def shown(token: Token) -> str:
    """Text of an inline token; anything but text and code appears in angle brackets with its type."""
    parts = []
    for child in token.children or ():
        parts.append(
            child.content if child.type in ("text", "code_inline", "text_special") else f"<{child.type}>"
        )
    return "".join(parts)


def tables(markdown: str) -> list[list[tuple[str, ...]]]:
    """Rows of every table, heads first."""
    found: list[list[tuple[str, ...]]] = []
    row: list[str] = []
    inside = False
    for token in _PARSER.parse(markdown):
        if token.type == "table_open":
            found.append([])
            inside = True
        elif token.type == "table_close":
            inside = False
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            found[-1].append(tuple(row))
        elif token.type == "inline" and inside:
            row.append(shown(token))
    return found


def paragraphs(markdown: str) -> list[str]:
    """Text of everything outside tables, one entry for each heading, paragraph and list item."""
    inside = False
    texts = []
    for token in _PARSER.parse(markdown):
        inside = token.type == "table_open" or (inside and token.type != "table_close")
        if token.type == "inline" and not inside:
            texts.append(shown(token))
        elif token.type in ("html_block", "code_block", "fence"):
            texts.append(f"<{token.type}>")
    return texts
