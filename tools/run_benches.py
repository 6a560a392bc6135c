"""Run every benchmark and write what was measured to ``benches/results/``.

``rust.json`` and ``python.json`` hold the figures, ``README.md`` shows them as tables. Each names
the command, the commit and the machine, without which a figure says nothing.

Each benchmark is measured for about ``--seconds``, so that all of them take minutes, not an hour.
``--filter`` measures those alone whose name holds a text, and the file then holds no others.

Usage: ``python tools/run_benches.py [--only rust|python] [--filter TEXT] [--seconds S]``
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benches" / "results"
Row = dict[str, Any]


def output(*command: str) -> str:
    """Return what ``command`` prints, or an empty string where it cannot run."""
    try:
        answer = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    except FileNotFoundError:
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def machine() -> Row:
    """Return what the figures depend on besides the code."""
    model = platform.processor() or platform.machine()
    cpu_info = Path("/proc/cpuinfo")
    if cpu_info.exists():
        names = [
            line for line in cpu_info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0].split(":", 1)[1].strip() if names else model
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "rustc": output("rustc", "--version"),
    }


def header(command: list[str]) -> Row:
    """Return the head of a results file: command, commit, machine."""
    commit = output("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    # The results themselves are tracked; writing them does not make the code another one.
    changed = output("git", "status", "--porcelain", "--", ".", ":!benches/results")
    return {
        "command": " ".join(command),
        "commit": commit + ("+changes" if changed else ""),
        "machine": machine(),
    }


def run_rust(pattern: str, seconds: float) -> tuple[list[str], list[Row]]:
    """Run criterion; return the command and a row a benchmark."""
    command = ["cargo", "bench", "-p", "groundwire-core", "--bench", "core", "--", "--noplot"]
    command += ["--warm-up-time", f"{seconds / 3:.2g}", "--measurement-time", f"{seconds:g}"]
    command += [pattern] if pattern else []
    stamp = RESULTS / "started.tmp"
    stamp.touch()
    status = subprocess.run(command, check=False, cwd=ROOT).returncode
    if status != 0:
        stamp.unlink()
        sys.exit(status)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    rows: list[Row] = []
    for folder in sorted((target / "criterion").rglob("new")):
        estimates, definition = folder / "estimates.json", folder / "benchmark.json"
        # Figures of an earlier run, or of a benchmark that is gone, are not this run's.
        if not estimates.exists() or estimates.stat().st_mtime < stamp.stat().st_mtime:
            continue
        what = json.loads(definition.read_text())
        found = json.loads(estimates.read_text())
        row: Row = {"name": what["full_id"], "ns": found["median"]["point_estimate"]}
        throughput = what.get("throughput") or {}
        for unit, key in (("Bytes", "bytes"), ("Elements", "elements")):
            if unit in throughput:
                row[key] = throughput[unit]
        rows.append(row)
    stamp.unlink()
    return command, rows


def run_python(pattern: str, seconds: float) -> tuple[list[str], list[Row]]:
    """Run pytest-benchmark; return the command and a row a benchmark."""
    raw = RESULTS / "python.tmp"
    shown = ["python", "-m", "pytest", "benches/python", "-o", "python_files=bench_*.py"]
    shown += [f"--benchmark-max-time={seconds:g}"]
    shown += ["-k", pattern] if pattern else []
    command = [sys.executable, *shown[1:], f"--benchmark-json={raw}"]
    status = subprocess.run(command, check=False, cwd=ROOT).returncode
    if status not in {0, 5}:
        sys.exit(status)
    if not raw.exists() or not raw.read_text():
        return shown, []
    found = json.loads(raw.read_text())["benchmarks"]
    raw.unlink()
    return shown, [
        {"name": b["name"], "ns": b["stats"]["median"] * 1e9, **b["extra_info"]} for b in found
    ]


def human(ns: float) -> str:
    """Return a duration with three digits and a fitting unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def table(title: str, results: Row) -> str:
    """Return one results file as a Markdown section."""
    host = results["machine"]
    lines = [
        f"## {title}",
        "",
        f"`{results['command']}` at commit `{results['commit']}`, on {host['cores']} × "
        f"{host['cpu']}, {host['rustc']}, Python {host['python']}.",
        "",
        "| benchmark | median | per item |",
        "|---|---:|---:|",
    ]
    for row in results["benchmarks"]:
        per = ""
        if row.get("bytes"):
            per = f"{row['bytes'] / row['ns'] * 1e3:.3g} MB/s"
        elif row.get("elements"):
            per = human(row["ns"] / row["elements"])
        lines.append(f"| {row['name']} | {human(row['ns'])} | {per} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the benchmarks and write the files."""
    parser = argparse.ArgumentParser(description="Run every benchmark.")
    parser.add_argument("--only", choices=["rust", "python"])
    parser.add_argument("--filter", default="", help="only benchmarks whose name holds this")
    parser.add_argument("--seconds", type=float, default=1.5, help="measuring time of each")
    arguments = parser.parse_args()
    if not arguments.seconds > 0:
        parser.error("--seconds must be above 0")
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name, run in (("rust", run_rust), ("python", run_python)):
        if arguments.only in {None, name}:
            print(f"benchmarks: {name}", flush=True)
            command, rows = run(arguments.filter, arguments.seconds)
            results = header(command) | {"benchmarks": rows}
            text = json.dumps(results, indent=1, ensure_ascii=False)
            (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    parts = [
        "# Measured\n\nWritten by `make bench`. Each table is of the commit that it names: a page "
        "beside this one that measured the same\nat a later commit counts instead.\n"
    ]
    for name in ("rust", "python"):
        path = RESULTS / f"{name}.json"
        if path.exists():
            parts.append(table(name.capitalize(), json.loads(path.read_text(encoding="utf-8"))))
    (RESULTS / "README.md").write_text("\n".join(parts), encoding="utf-8")
    print(f"written: {RESULTS.relative_to(ROOT)}/README.md")


if __name__ == "__main__":
    main()
