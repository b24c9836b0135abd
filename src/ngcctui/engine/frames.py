"""Frames: what a child writes on its result descriptor, read piece by piece from hostile bytes.

A frame is the job's random tag (32 bytes), one type byte, the payload's length (8 bytes, little-endian) and the payload.
Types: `J` a JSON object, `S` samples (little-endian u64), `B` raw bytes, `C` the JSON object of a crash handler.  Whoever
does not know the tag cannot write a frame; stray bytes between frames are skipped, counted and told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

TAG_BYTES = 32
HEADER_BYTES = TAG_BYTES + 1 + 8

#: Largest payload of each type, bytes; a longer one is no frame.
MAX_PAYLOAD = {"J": 4 << 20, "C": 64 << 10, "S": 64 << 20, "B": 64 << 20}

#: Bytes that one child may write in all; what comes after them is dropped.
MAX_TOTAL = 1 << 30


@dataclass(frozen=True)
class Frame:
    """One frame; `data` is the decoded object of J and C frames, empty for the others."""

    type: str
    payload: bytes
    data: dict[str, Any] = field(default_factory=dict)


class FrameReader:
    """Turns the bytes of one child into frames; bad input never raises, `problem` tells of it."""

    def __init__(self, tag: str, max_total: int = MAX_TOTAL) -> None:
        self._tag = tag.encode("ascii")
        if len(self._tag) != TAG_BYTES:
            raise ValueError(f"a tag has {TAG_BYTES} characters")
        self._buffer = bytearray()
        self._max_total = max_total
        self._total = 0
        self._stray = 0
        self._damaged = 0
        self._closed = False

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Add bytes as they come and yield every frame that is complete now."""
        self._total += len(data)
        if self._total > self._max_total:
            self._buffer.clear()
            return
        self._buffer += data
        while (frame := self._next()) is not None:
            if frame.type in "JC":
                decoded = _object(frame.payload)
                if decoded is None:
                    self._damaged += 1
                    continue
                frame = Frame(frame.type, frame.payload, decoded)
            yield frame

    def close(self) -> None:
        """No more bytes will come: what is left in the buffer is the start of a frame that never ended."""
        self._closed = True

    @property
    def problem(self) -> str | None:
        """What was wrong with the bytes so far, in one line; None while all of them were frames."""
        if self._total > self._max_total:
            return f"more than {self._max_total} bytes of results"
        said = []
        if self._stray:
            said.append(f"{self._stray} stray bytes between the results")
        if self._damaged:
            said.append(f"{self._damaged} results that are no JSON object")
        if self._closed and self._buffer:
            said.append(f"the last {len(self._buffer)} bytes are no whole result")
        return "; ".join(said) or None

    def _next(self) -> Frame | None:
        """Take the first whole frame out of the buffer, or None until more bytes come."""
        buffer = self._buffer
        while True:
            self._skip_to_tag()
            if len(buffer) < HEADER_BYTES:
                return None
            kind = chr(buffer[TAG_BYTES])
            length = int.from_bytes(buffer[TAG_BYTES + 1 : HEADER_BYTES], "little")
            if length <= MAX_PAYLOAD.get(kind, -1):
                break
            self._drop(TAG_BYTES)
        if len(buffer) < HEADER_BYTES + length:
            return None
        payload = bytes(buffer[HEADER_BYTES : HEADER_BYTES + length])
        del buffer[: HEADER_BYTES + length]
        return Frame(kind, payload)

    def _skip_to_tag(self) -> None:
        buffer = self._buffer
        if buffer.startswith(self._tag):
            return
        at = buffer.find(self._tag)
        if at < 0:
            # The tag may have begun: its longest prefix at the end of the buffer stays.
            keep = next(
                n for n in range(min(TAG_BYTES - 1, len(buffer)), -1, -1) if buffer.endswith(self._tag[:n])
            )
            at = len(buffer) - keep
        self._drop(at)

    def _drop(self, count: int) -> None:
        self._stray += count
        del self._buffer[:count]


def _object(payload: bytes) -> dict[str, Any] | None:
    try:
        decoded = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return decoded if isinstance(decoded, dict) else None
