"""What the Makefile's installs and builds say while they run."""

from __future__ import annotations

import io
import sys
import time

import progress
from progress import Heartbeat, Pip, follow, run, shorten

PIP = """\
Ignoring colorama: markers 'sys_platform == "win32"' don't match your environment
Looking in links: ../shared/wheels
Requirement already satisfied: rich>=13 in /somewhere (14.0)
Collecting torch>=2.4
  Downloading torch-2.9.0-cp311-cp311-manylinux_2_28_x86_64.whl.metadata (30 kB)
Progress 1000 of 4000
Progress 4000 of 4000
Installing collected packages: mpmath, sympy, torch
Successfully installed mpmath-1.3 sympy-1.14 torch-2.9.0
"""


def test_of_pip_only_the_steps_are_shown_in_a_pipe(capfd):
    status = follow([sys.executable, "-c", f"print({PIP!r})"], Pip())
    shown = capfd.readouterr().out.splitlines()
    assert status == 0
    assert shown == ["  Downloading torch-2.9.0 (30 kB)", "  Installing 3 packages"]


def test_a_failing_command_gives_its_status_and_its_errors(capfd):
    fails = "import sys; print('no such thing', file=sys.stderr); sys.exit(3)"
    assert follow([sys.executable, "-c", fails], Pip()) == 3
    assert run([sys.executable, "-c", fails], "building") == 3
    assert capfd.readouterr().err.count("no such thing") == 2


def test_a_pipe_gets_a_plain_sign_of_life(monkeypatch):
    monkeypatch.setattr(progress, "EVERY_S", 0.02)
    out = io.StringIO()
    with Heartbeat("building", rewrite=False, out=out):
        time.sleep(0.2)
    lines = out.getvalue().splitlines()
    assert lines
    assert set(lines) == {"  still building, 0 s"}


def test_a_terminal_gets_one_line_that_is_rewritten_and_cleared(monkeypatch):
    monkeypatch.setattr(progress, "BLINK_S", 0.01)
    out = io.StringIO()
    reader = Pip()
    with Heartbeat("installing", rewrite=True, out=out) as beat:
        for line in PIP.splitlines()[:6]:
            reader.read(line, beat)
        time.sleep(0.2)
    assert "\n" not in out.getvalue()
    assert "Downloading torch-2.9.0 (30 kB): 25% (0 s)" in out.getvalue()
    assert out.getvalue().split("\r")[-2].strip() == ""


def test_steps_are_said_briefly():
    link = "Downloading https://files.example/a/regex-2025.1-cp311.whl (800 kB)"
    assert shorten(link) == "Downloading regex-2025.1 (800 kB)"
    assert shorten("Installing collected packages: a, b") == "Installing 2 packages"
    assert shorten("Installing collected packages: a") == "Installing 1 package"
    assert shorten("Building wheels for collected packages: a").startswith("Building wheels")
