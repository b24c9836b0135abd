"""Which columns of the monitor are shown in a given width, and how wide each is."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.tui.view.grid import BUILD, KAT, NAME, SHARE, Column

#: Cells left of the name: cursor and mark; right of all columns: where the window is in the whole.
MARGIN, THUMB = 2, 1
#: Widths with the blank behind: names (least and most), build, KAT, operations (least and most), shares.
_NAME_LEAST, _NAME_MOST, _BUILD, _KAT = 9, 25, 7, 9
_OPERATION_LEAST, _OPERATION_MOST = 9, 46
_SHARE_LEAST, _SHARE_MOST = 5, 22
#: Narrower than this an operation says nothing.
_USEFUL = 6


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
    when there is no room for all.  Whole names come before shares, all operations before intervals beside their
    figures; what is left goes to the operations and then to the shares.
    """
    room = width - MARGIN - THUMB
    name_width = max(1, min(max(name + 1, _NAME_LEAST), _NAME_MOST, room))
    left = room - name_width - _BUILD - _KAT
    if (
        left < _OPERATION_LEAST
    ):  # too narrow for a table: the names, and one operation where it still says something
        rest = room - name_width
        one: tuple[tuple[Column, int], ...] = ((first, rest),) if operations and rest >= _USEFUL else ()
        return Layout(width, ((NAME, name_width), *one))
    columns: list[tuple[Column, int]] = [(NAME, name_width), (BUILD, _BUILD), (KAT, _KAT)]
    share_width = _SHARE_LEAST if share and left >= operations * _OPERATION_LEAST + _SHARE_LEAST else 0
    fitting = min(operations, (left - share_width) // _OPERATION_LEAST)
    if fitting:
        each, more = divmod(left - share_width, fitting)
        first = max(0, min(first, operations - fitting))
        columns += [(first + n, min(each + (n < more), _OPERATION_MOST)) for n in range(fitting)]
    if share_width:
        used = sum(size for _, size in columns)
        columns.append((SHARE, min(_SHARE_MOST, room - used)))
    return Layout(width, tuple(columns))
