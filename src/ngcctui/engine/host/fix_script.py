"""A shell script from findings: `fix` writes what mends the host, `undo` writes back what was there."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from ngcctui.engine.host.files import plain
from ngcctui.engine.host.findings import Finding

_HEAD = """\
#!/bin/sh
# Prepares this host for measuring. As root:  sh SCRIPT fix   and afterwards   sh SCRIPT undo
# Keep the file: its undo holds the values found when it was made. They also go back to the defaults at a reboot.
# NGCCTUI_ROOT is put in front of every path (for a trial on a copy); leave it unset.

root=${NGCCTUI_ROOT-}
failed=0

put() { # put VALUE FILE
    if printf '%s\\n' "$1" 2>/dev/null >"$root$2"; then
        printf '%s = %s\\n' "$2" "$1"
    else
        failed=1
        printf 'not written: %s (wanted %s)\\n' "$2" "$1" >&2
    fi
}
"""
_TAIL = """\
case ${1-} in
fix) fix ;;
undo) undo ;;
*)
    printf 'usage: sh %s fix|undo\\n' "$0" >&2
    exit 2
    ;;
esac
exit "$failed"
"""


def fix_script(findings: Iterable[Finding]) -> str:
    """A POSIX sh script that mends all findings with a command (`fix`) and takes that back in reverse order (`undo`).

    Findings without a command appear as comments.  The script goes on after a refused value and then exits 1.
    """
    fix: list[str] = []
    undo: list[str] = []
    for finding in findings:
        fix.append(f"    # {finding.key}: {plain(finding.text, 400)}")
        fix += [f"    put {shlex.quote(write.value)} {shlex.quote(write.path)}" for write in finding.writes]
        undo += [f"    put {shlex.quote(write.before)} {shlex.quote(write.path)}" for write in finding.writes]
    blocks = [_HEAD, _function("fix", fix), _function("undo", undo[::-1]), _TAIL]
    return "\n".join(blocks)


def _function(name: str, lines: list[str]) -> str:
    return "\n".join([f"{name}() {{", *lines, "    :", "}", ""])
