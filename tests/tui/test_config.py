"""The operator's configuration: what counts before what, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ngcctui.cli import main
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.tui.config import Settings, load_configuration

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("etc", "xdg/ngcctui", "here"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("NGCCTUI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def load(place: Path, option: Path | None = None, **environ: str) -> Settings:
    environ = {"XDG_CONFIG_HOME": str(place / "xdg"), **environ}
    return load_configuration(option, environ, place / "here", place).settings


def test_without_files_everything_has_its_default(place: Path) -> None:
    assert load(place) == Settings()


def test_the_nearer_file_counts_key_by_key(place: Path) -> None:
    (place / "etc/ngcctui.toml").write_text('theme = "nord"\nrefresh_s = 2\nbell = false\nmouse = false\n')
    (place / "xdg/ngcctui/ngcctui.toml").write_text('refresh_s = 3\ntitle = false\n[keys.app]\nruns = "L"\n')
    (place / "here/ngcctui.toml").write_text('mouse = true\n[keys.app]\nleave = "q,ctrl+d"\n')
    (place / "named.toml").write_text("refresh_s = 4\n")
    (place / "option.toml").write_text("refresh_s = 5.5\n")
    found = load(place)
    assert (found.theme, found.refresh_s, found.bell, found.mouse, found.title) == (
        "nord",
        3.0,
        False,
        True,
        False,
    )
    assert found.keys == {"app.runs": "L", "app.leave": "q,ctrl+d"}
    named = {"NGCCTUI_CONFIG": str(place / "named.toml")}
    assert load(place, **named).refresh_s == 4.0
    assert load(place, place / "option.toml", **named).refresh_s == 5.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("theme = 3\n", "theme: must be a string"),
        ("refesh_s = 3\n", "refesh_s: unknown key (known here: "),
        ("refresh_s = 0.01\n", "refresh_s: must be 0.2 to 60 seconds"),
        ('on_end = "x"\n', "on_end: must be an array"),
        ('[keys.monitor]\npaus = "p"\n', "keys.monitor.paus: no such action; did you mean monitor.pause"),
        ('[keys.monitor]\npause = "esc"\n', "keys.monitor.pause: 'esc' is no key"),
        ('[keys.monitor]\npause = ""\n', "keys.monitor.pause: '' is no key"),
        ('[keys.monitor]\npause = "p,"\n', "keys.monitor.pause: '' is no key"),
        ('[keys.monitor]\npause = "slash"\n', "keys: / would be both monitor.filter and monitor.pause"),
        ('[keys.monitor]\npause = "/"\n', "keys: / would be both monitor.filter and monitor.pause"),
        ('[keys.app]\nruns = "q"\n', "keys: q would be both app.runs and app.leave"),
        ("keys = 3\n", "keys: must be a table"),
        ("[keys]\npause = 3\n", "keys.pause: must be a table"),
        ("x\n", "malformed TOML"),
    ],
)
def test_a_wrong_file_is_one_line(place: Path, text: str, said: str) -> None:
    path = place / "here/ngcctui.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        load(place)
    assert str(error.value).startswith(f"{path}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_key_can_be_swapped(place: Path) -> None:
    (place / "here/ngcctui.toml").write_text('[keys.monitor]\nfilter = "P"\npause = "/"\n')
    assert load(place).keys == {"monitor.filter": "P", "monitor.pause": "slash"}


def test_a_working_directory_starts_no_command(place: Path) -> None:
    (place / "here/ngcctui.toml").write_text('on_end = ["rm"]\n')
    with pytest.raises(
        ConfigError, match="on_end: not taken from a working directory; put it into .*xdg/ngcctui"
    ):
        load(place)
    assert load(place, place / "here/ngcctui.toml").on_end == ("rm",)


@pytest.mark.parametrize("how", ["option", "environ"])
def test_a_file_that_is_named_must_be_there(place: Path, how: str) -> None:
    path = place / "gone.toml"
    with pytest.raises(ConfigError, match="gone.toml: cannot be read: No such file"):
        load(place, path) if how == "option" else load(place, NGCCTUI_CONFIG=str(path))


def test_the_command_shows_what_counts_and_from_where(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "xdg/ngcctui/ngcctui.toml").write_text('theme = "a\\"b"\n[keys.app]\nruns = "L"\n')
    assert main(["config"]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    path = place / "xdg/ngcctui/ngcctui.toml"
    assert f'theme = "a\\"b"  # {path}' in lines
    assert f'keys.app.runs = "L"  # {path}' in lines
    assert "mouse = true  # default" in lines
    assert f"# read: {path}" in lines
    assert f"# not there: {place / 'here/ngcctui.toml'}" in lines


def test_the_page_of_keys_is_that_of_the_table(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    assert main(["config", "--keys"]) == ExitCode.DONE
    assert capsys.readouterr().out == (ROOT / "docs/keys.md").read_text()


def test_the_page_of_keys_follows_the_configuration(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "here/ngcctui.toml").write_text('[keys.app]\nruns = "|"\n')
    main(["config", "--keys"])
    assert "| `\\|` | list the runs | `app.runs` |" in capsys.readouterr().out
