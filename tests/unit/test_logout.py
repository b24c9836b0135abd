"""Whether logging out ends a detached run, read from trees that look like real machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from ngcctui.logout import killed_at_logout

SESSION = "0::/user.slice/user-1000.slice/session-3.scope\n"
MANAGER = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-term.scope\n"


def tree(root: Path, **files: str) -> Path:
    names = {
        "cgroup": "proc/self/cgroup",
        "etc": "etc/systemd/logind.conf",
        "lib": "usr/lib/systemd/logind.conf",
    }
    for name, text in files.items():
        path = root / names.get(name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "killed"),
    [
        ({}, False),
        ({"cgroup": "0::/system.slice/ssh.service\n", "etc": "KillUserProcesses=yes"}, False),
        ({"cgroup": SESSION}, False),
        ({"cgroup": SESSION, "etc": "[Login]\n#KillUserProcesses=no\n"}, False),
        ({"cgroup": SESSION, "etc": "[Login]\n#KillUserProcesses=yes\n"}, True),
        ({"cgroup": SESSION, "lib": "#KillUserProcesses=yes\n", "etc": "KillUserProcesses=no\n"}, False),
        ({"cgroup": SESSION, "etc": "KillUserProcesses = yes\n"}, True),
        ({"cgroup": SESSION, "etc": "KillUserProcesses=yes\nKillExcludeUsers=root ann\n"}, False),
        ({"cgroup": SESSION, "etc": "KillUserProcesses=yes\nKillOnlyUsers=bob\n"}, False),
        ({"cgroup": SESSION, "etc": "KillUserProcesses=yes\nKillOnlyUsers=bob ann\n"}, True),
        (
            {
                "cgroup": SESSION,
                "etc": "",
                "etc/systemd/logind.conf.d/k.conf": "[Login]\nKillUserProcesses=true\n",
            },
            True,
        ),
        (
            {
                "cgroup": SESSION,
                "usr/lib/systemd/logind.conf.d/k.conf": "KillUserProcesses=yes\n",
                "etc/systemd/logind.conf.d/k.conf": "KillUserProcesses=no\n",
            },
            False,
        ),
        ({"cgroup": MANAGER}, True),
        ({"cgroup": MANAGER, "var/lib/systemd/linger/ann": ""}, False),
    ],
)
def test_killed_at_logout(tmp_path: Path, files: dict[str, str], killed: bool) -> None:
    assert bool(killed_at_logout("ann", tree(tmp_path, **files))) is killed


def test_root_is_left_alone_by_default(tmp_path: Path) -> None:
    assert not killed_at_logout("root", tree(tmp_path, cgroup=SESSION, etc="KillUserProcesses=yes"))
