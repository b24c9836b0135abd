"""Frames out of hostile bytes: whole frames come through whatever lies between them, and nothing raises."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.engine.frames import HEADER_BYTES, MAX_PAYLOAD, Frame, FrameReader

TAG = "0123456789abcdef" * 2


def packed(kind: str, payload: bytes, tag: str = TAG) -> bytes:
    return tag.encode() + kind.encode() + len(payload).to_bytes(8, "little") + payload


def read(data: bytes, sizes: list[int] | None = None) -> tuple[list[Frame], FrameReader]:
    """Feed `data` in pieces of the given sizes (then the rest) and close."""
    reader = FrameReader(TAG)
    frames: list[Frame] = []
    for size in sizes or []:
        frames += reader.feed(data[:size])
        data = data[size:]
    frames += reader.feed(data)
    reader.close()
    return frames, reader


def test_an_object_is_decoded_and_bytes_are_not() -> None:
    frames, reader = read(
        packed("J", b'{"type":"end"}') + packed("B", b"\x00\x01") + packed("S", b"12345678")
    )
    assert frames == [
        Frame("J", b'{"type":"end"}', {"type": "end"}),
        Frame("B", b"\x00\x01"),
        Frame("S", b"12345678"),
    ]
    assert reader.problem is None


kinds_and_payloads = st.one_of(
    st.tuples(st.sampled_from("SB"), st.binary(max_size=200)),
    st.tuples(
        st.sampled_from("JC"),
        st.dictionaries(st.text(max_size=5), st.integers(), max_size=3).map(lambda d: json.dumps(d).encode()),
    ),
)


@given(
    st.lists(kinds_and_payloads, max_size=6),
    st.lists(st.binary(max_size=80), min_size=7, max_size=7),
    st.lists(st.integers(0, 90), max_size=20),
)
def test_frames_come_through_stray_bytes_in_any_pieces(
    sent: list[tuple[str, bytes]], strays: list[bytes], sizes: list[int]
) -> None:
    data = b"".join(stray + packed(*item) for stray, item in zip(strays, sent, strict=False)) + strays[-1]
    frames, reader = read(data, sizes)
    assert [(frame.type, frame.payload) for frame in frames] == sent
    lost = sum(map(len, strays[: len(sent)])) + len(strays[-1])
    assert (reader.problem is None) == (lost == 0)


@given(st.binary(max_size=500), st.lists(st.integers(0, 60), max_size=9))
def test_noise_never_raises_and_makes_no_frame(noise: bytes, sizes: list[int]) -> None:
    frames, reader = read(noise, sizes)
    assert frames == []
    assert (reader.problem is None) == (noise == b"")


def test_a_frame_with_another_tag_is_stray_bytes() -> None:
    forged = packed("J", b'{"type":"end","status":"ok"}', tag="f" * 32)
    frames, reader = read(forged + packed("J", b"{}"))
    assert [frame.payload for frame in frames] == [b"{}"]
    assert reader.problem == f"{len(forged)} stray bytes between the results"


@pytest.mark.parametrize("payload", [b"", b"[]", b"1", b"{", b'{"a":', b"\xff{}", b"[" * 100_000])
def test_what_is_no_object_is_dropped_and_told(payload: bytes) -> None:
    frames, reader = read(packed("J", payload) + packed("J", b"{}"))
    assert [frame.payload for frame in frames] == [b"{}"]
    assert reader.problem == "1 results that are no JSON object"


@pytest.mark.parametrize("kind", ["X", "\x00", "\xff", "j"])
def test_an_unknown_type_is_skipped(kind: str) -> None:
    header = TAG.encode() + kind.encode("latin-1") + (5).to_bytes(8, "little")
    frames, _ = read(header + b"12345" + packed("B", b"!"))
    assert [frame.payload for frame in frames] == [b"!"]


@pytest.mark.parametrize("kind", sorted(MAX_PAYLOAD))
def test_an_impossible_length_costs_no_memory(kind: str) -> None:
    header = TAG.encode() + kind.encode() + (MAX_PAYLOAD[kind] + 1).to_bytes(8, "little")
    frames, reader = read(header + packed("B", b"!"))
    assert [frame.payload for frame in frames] == [b"!"]
    assert reader.problem == f"{HEADER_BYTES} stray bytes between the results"


def test_a_torn_last_frame_is_told() -> None:
    whole = packed("B", b"12345")
    frames, reader = read(whole + whole[:-2])
    assert len(frames) == 1
    assert reader.problem == f"the last {len(whole) - 2} bytes are no whole result"


def test_above_the_total_everything_is_dropped() -> None:
    reader = FrameReader(TAG, max_total=100)
    frame = packed("B", b"12")
    assert len(list(reader.feed(frame + frame))) == 2
    assert list(reader.feed(frame)) == []
    assert reader.problem == "more than 100 bytes of results"


def test_a_tag_of_another_length_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="32 characters"):
        FrameReader("abc")
