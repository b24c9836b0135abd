"""Which columns of the monitor are shown in a given width, and how wide each is."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.tui.view.grid import BUILD, KAT, NAME, SHARE, Column

#: Cells left of the name: cursor and mark; right of all columns: where the window is in the whole.
MARGIN, THUMB = 2, 1
#: Widths with the blank behind: names (least), build, KAT, operations (least, with an interval, most).
_NAME_LEAST, _BUILD, _KAT = 12, 7, 9
_OPERATION_LEAST, _OPERATION, _OPERATION_MOST = 9, 14, 46
_SHARE_LEAST, _SHARE_MOST = 5, 22


@dataclass(frozen=True)
class Layout:
    """Columns from left to right, each with its width in cells."""

    width: int
    columns: tuple[tuple[Column, int], ...]

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns without their widths."""
        return tuple(column for column, _ in self.columns)


def layout(width: int, name: int, operations: int, share: bool, first: int = 0) -> Layout:
    """Columns for a screen of `width` cells.

    `name` is the longest name, `operations` how many operation columns there are, `first` the first of them to show
    when there is no room for all.  An interval beside every figure comes before long names, all operations before
    intervals; what is left goes to the operations and then to the shares.
    """
    room = width - MARGIN - THUMB - _BUILD - _KAT
    share_width = _SHARE_LEAST if share else 0
    name_width = min(name + 1, max(_NAME_LEAST, room - share_width - operations * _OPERATION))
    name_width = max(min(name_width, width - MARGIN - THUMB), 1)
    left = room - name_width
    columns: list[tuple[Column, int]] = [(NAME, name_width)]
    if left < _OPERATION_LEAST:  # too narrow for a table: names, and the column of the cursor where it fits
        return Layout(
            width,
            tuple(columns)
            + (((first, left + _BUILD + _KAT),) if left + _BUILD + _KAT >= 6 and operations else ()),
        )
    columns += [(BUILD, _BUILD), (KAT, _KAT)]
    fitting = max(1, min(operations, (left - share_width) // _OPERATION_LEAST)) if operations else 0
    share_width = (
        share_width if fitting == operations and left - share_width >= fitting * _OPERATION_LEAST else 0
    )
    if fitting:
        each, more = divmod(left - share_width, fitting)
        first = max(0, min(first, operations - fitting))
        for number in range(fitting):
            columns.append((first + number, min(each + (number < more), _OPERATION_MOST)))
    if share_width:
        used = sum(size for _, size in columns)
        columns.append((SHARE, max(share_width, min(_SHARE_MOST, width - MARGIN - THUMB - used))))
    return Layout(width, tuple(columns))
