"""Every character beyond ASCII that the screens draw, with a stand-in for terminals that cannot show it."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.report.text import ascii_only


@dataclass(frozen=True)
class Glyphs:
    """One table of glyphs; `ascii` tells which of the two it is."""

    ascii: bool
    full: str
    empty: str
    plus_minus: str
    times: str
    micro: str
    dash: str
    ellipsis: str
    dot: str
    before: str
    closed: str
    open: str
    tick: str
    marked: str
    half: str
    unmarked: str
    cursor: str
    ascending: str
    descending: str
    sparks: str

    def text(self, text: str) -> str:
        """`text` as this terminal can show it; in ASCII a stand-in may be wider than what it stands for."""
        return ascii_only(text) if self.ascii else text

    def bar(self, fraction: float, width: int) -> str:
        """A bar of `width` cells, `fraction` (0 to 1) of it full."""
        full = int(max(0.0, min(1.0, fraction)) * width)
        return self.full * full + self.empty * (width - full)


UNICODE = Glyphs(
    ascii=False,
    full="█",
    empty="░",
    plus_minus="±",
    times="×",
    micro="µ",
    dash="–",
    ellipsis="…",
    dot="·",
    before="◂",
    closed="▸",
    open="▾",
    tick="●",
    marked="●",
    half="◐",
    unmarked="○",
    cursor="▌",
    ascending="▲",
    descending="▼",
    sparks="▁▂▃▄▅▆▇█",
)

ASCII = Glyphs(
    ascii=True,
    full="#",
    empty=".",
    plus_minus="+-",
    times="x",
    micro="u",
    dash="-",
    ellipsis="...",
    dot="-",
    before="<",
    closed=">",
    open="v",
    tick="*",
    marked="[x]",
    half="[-]",
    unmarked="[ ]",
    cursor=">",
    ascending="^",
    descending="v",
    sparks="_.,-~+*#",
)
