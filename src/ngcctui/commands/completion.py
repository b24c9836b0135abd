"""`ngcctui completion SHELL`: a shell asks the program itself what can stand at the cursor.

The words come from the command line's own parser, so that nothing is listed twice.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ngcctui.arguments import command_parser
from ngcctui.catalog import find_schemes, list_campaigns
from ngcctui.console import console
from ngcctui.engine.rundir import list_runs, runs_root
from ngcctui.model.errors import ExitCode, NgccError

#: Each calls back with the words behind the program's name, one a line, the word at the cursor last.
_SCRIPTS = {
    "bash": """\
_ngcctui() {
    local IFS=$'\\n' line
    printf -v line '%s\\n' "${COMP_WORDS[@]:1:COMP_CWORD}"
    COMPREPLY=($(ngcctui completion bash --words="$line" 2>/dev/null))
}
complete -o default -F _ngcctui ngcctui
""",
    "zsh": """\
#compdef ngcctui
_ngcctui() {
    local -a found
    found=("${(@f)$(ngcctui completion zsh --words="${(pj:\\n:)words[2,CURRENT]}"$'\\n' 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then compadd -- "${found[@]}"; else _files; fi
}
if [[ "${funcstack[1]}" = _ngcctui ]]; then _ngcctui "$@"; else compdef _ngcctui ngcctui; fi
""",
    "fish": """\
function __ngcctui
    set -l words (commandline -opc) (commandline -ct)
    ngcctui completion fish --words=(string join \\n -- $words[2..-1] | string collect -N) 2>/dev/null
end
complete -c ngcctui -a '(__ngcctui)'
""",
}


def run(args: argparse.Namespace) -> int:
    """Print the script, or the words that can stand where the cursor is."""
    out = console(args)
    if args.words is None:
        out.raw(_SCRIPTS[args.shell])
    else:
        for word in candidates(args.words.removesuffix("\n").split("\n")):
            out.data(word)
    return int(ExitCode.DONE)


def candidates(words: Sequence[str]) -> list[str]:
    """What the last of `words` can become; empty where a file's name is wanted, or nothing is known."""
    # bash splits `--only=sign` at the sign.
    *before, current = [word for word in words[:-1] if word != "="] + [words[-1].removeprefix("=")]
    parser: argparse.ArgumentParser = command_parser()
    given = 0
    waiting: argparse.Action | None = None  # an option that wants a value
    for word in before:
        if waiting is not None:
            waiting = None
        elif word.startswith("-"):
            option = parser._option_string_actions.get(word)
            waiting = option if option is not None and option.nargs != 0 else None
        elif (commands := _commands(parser)) is not None:
            if word not in commands:
                return []
            parser, given = commands[word], 0
        else:
            given += 1
    if waiting is not None:
        found = _values(waiting)
    elif current.startswith("-"):
        found = [name for name in parser._option_string_actions if name.startswith("--")]
    elif (commands := _commands(parser)) is not None:
        found = list(commands)
    else:
        places = [action for action in parser._actions if not action.option_strings]
        at = places[min(given, len(places) - 1)] if places else None
        found = _values(at) if at is not None and (given < len(places) or at.nargs == "*") else []
    return [word for word in found if word.startswith(current)]


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser] | None:
    """The commands that a parser chooses from; None when it has none."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return None


def _values(action: argparse.Action) -> list[str]:
    """Words that an option or a place takes."""
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    known = _KNOWN.get(action.dest)
    try:
        return list(known()) if known is not None else []
    except NgccError:
        return []


def _schemes() -> Iterable[str]:
    return find_schemes(None, os.environ, Path.cwd())


def _parts() -> Iterable[str]:
    """Schemes, and each with its instances."""
    for key, found in find_schemes(None, os.environ, Path.cwd()).items():
        yield key
        if found.scheme is not None:
            yield from (f"{key}/{instance.name}" for instance in found.scheme.file.instance)


def _campaigns() -> Iterable[str]:
    return list_campaigns(os.environ, Path.cwd())


def _runs() -> Iterable[str]:
    return [run.name for run in list_runs(runs_root(None, os.environ))]


#: What is known of the values of an argument, by its name.
_KNOWN: dict[str, Callable[[], Iterable[str]]] = {
    "campaign": _campaigns,
    "batch": _campaigns,
    "run": _runs,
    "a": _runs,
    "b": _runs,
    "scheme": _schemes,
    "only": _parts,
    "select": _parts,
}
