"""``groundwire bench quality``: how well detectors find what is not grounded."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli import screen
from groundwire.errors import ArgumentError

if TYPE_CHECKING:
    from groundwire.evaluate.detectors import Detector

app = typer.Typer(help="Measure detectors on labelled data.", no_args_is_help=True)


class Mode(StrEnum):
    """What of the text a verdict may use."""

    word = "word"
    sentence = "sentence"
    whole = "whole"


class Aggregate(StrEnum):
    """How the scores of spans make a response's."""

    max = "max"
    mean = "mean"
    noisy_or = "noisy_or"


@app.callback()
def bench() -> None:
    """Measure detectors on labelled data."""


@app.command()
def quality(
    data: Annotated[Path, typer.Option("--data", help="Folder of JSONL sets.")],
    *,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", help="Set to read; all by default.", show_default=False),
    ] = None,
    detectors: Annotated[
        list[str] | None,
        typer.Option("--detector", help="Detector to run; may be repeated.", show_default=False),
    ] = None,
    modes: Annotated[
        list[Mode] | None,
        typer.Option("--mode", help="word, sentence or whole; all by default.", show_default=False),
    ] = None,
    json_out: Annotated[
        Path | None, typer.Option("--json", help="Write results as JSON.", show_default=False)
    ] = None,
    plots: Annotated[
        Path | None, typer.Option("--plots", help="Write plots here.", show_default=False)
    ] = None,
    lm: Annotated[
        str | None,
        typer.Option(
            "--lm",
            help="Add evidence lift under this model: hub name, folder, GGUF file, or smollm2.",
            show_default=False,
        ),
    ] = None,
    lm_cache: Annotated[
        Path | None,
        typer.Option("--lm-cache", help="Keep the model's numbers here.", show_default=False),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Records of a set at most.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of every draw.")] = 0,
    resamples: Annotated[
        int,
        typer.Option("--resamples", min=1, max=10_000, help="Bootstrap resamples of an interval."),
    ] = 1000,
    aggregate: Annotated[
        Aggregate, typer.Option("--aggregate", help="What makes a response's score of its spans'.")
    ] = Aggregate.max,
    thresholds: Annotated[
        str,
        typer.Option(
            "--thresholds",
            help="File of thresholds; shipped ones by default; none cross-fits them here.",
        ),
    ] = "shipped",
    tune: Annotated[
        Path | None,
        typer.Option("--tune", help="Choose thresholds here, write them, measure nothing."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="--tune may replace.")] = False,
    merge: Annotated[
        bool, typer.Option("--merge", help="--tune keeps what FILE has of other detectors.")
    ] = False,
) -> None:
    """Run detectors over labelled sets and print tables.

    Detectors: groundwire, groundwire:as-is, groundwire-TYPE (without findings of a type),
    groundwire=TYPE,TYPE (only those), novelty, length, random, flag-all; entries and no-doi for
    bibliographies; peers, where they are installed: rouge-l, chrf-precision, bert-score, hhem,
    lettucedetect, summac-zs (the last four as NAME@MODEL too), recorded-NAME; with --lm also
    lm-kl, lm-lift, lm-surprisal, NAME+lm.
    """
    _check_options(tune, thresholds, json_out, plots, lm, lm_cache, overwrite, merge, aggregate)
    from groundwire.evaluate import runner, tables, threshold_file, tuning
    from groundwire.evaluate.data import read_folder
    from groundwire.evaluate.forms import HALLMARK

    if merge and tune is not None and tune.exists():
        threshold_file.ThresholdFile.load(tune)
    errors = screen.console(stderr=True)

    def progress(line: str) -> None:
        errors.print(line, style="dim", highlight=False, soft_wrap=True)

    odd: list[str] = []
    found = read_folder(data, names=sets or (), limit=limit, warn=odd.append)
    for line in odd:
        progress(f"warning: {line}")
    chosen: list[Any] = list(dict.fromkeys(mode.value for mode in modes or list(Mode)))
    built = build(
        detectors,
        lm=lm,
        lm_cache=lm_cache,
        seed=seed,
        entries=any(records[0].set == HALLMARK for records in found.values()),
    )
    file = None
    if thresholds == "shipped":
        file = runner.shipped()
    elif thresholds != "none":
        file = threshold_file.ThresholdFile.load(thresholds)
    if tune is not None:
        picked, about = tuning.tune(found, built, modes=chosen, progress=progress)
        command = ["groundwire bench quality --data DIR"]
        command += [f"--set {name}" for name in sets or ()]
        command += [f"--detector {detector.name}" for detector in built]
        command += [f"--limit {limit}"] if limit is not None else []
        command += [f"--lm {Path(lm).name}"] if lm is not None else []
        command += ["--tune FILE"] + ["--merge"] * merge
        threshold_file.write(
            tune, picked, about, made_by=" ".join(command), overwrite=overwrite, merge=merge
        )
        typer.echo(f"thresholds of {len(built)} detectors on {len(found)} sets: {tune}")
        return
    done = runner.run_all(
        found,
        built,
        modes=chosen,
        file=file,
        resamples=resamples,
        seed=seed,
        aggregate=aggregate.value,
        progress=progress,
    )
    done.settings |= {"limit": limit, "lm": None if lm is None else Path(lm).name}
    done.warnings[:0] = odd
    result = done.to_dict()
    if json_out is not None:
        json_out.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    typer.echo(tables.markdown(result))
    if plots is not None:
        from groundwire.evaluate.plots import draw

        for path in draw(done, plots):
            progress(f"wrote {path}")


def _check_options(
    tune: Path | None,
    thresholds: str,
    json_out: Path | None,
    plots: Path | None,
    lm: str | None,
    lm_cache: Path | None,
    overwrite: bool,
    merge: bool,
    aggregate: Aggregate,
) -> None:
    """Refuse, before anything is read, what cannot be written or says nothing together."""
    for option, path in (("--json", json_out), ("--tune", tune), ("--lm-cache", lm_cache)):
        if path is not None and path.is_dir():
            raise ArgumentError(f"{option} {path}: that is a folder; name a file")
        if path is not None and not path.parent.is_dir():
            raise ArgumentError(f"{option} {path}: there is no folder {path.parent}; make it first")
    if plots is not None and plots.exists() and not plots.is_dir():
        raise ArgumentError(f"--plots {plots}: that is a file; name a folder")
    if tune is None and (overwrite or merge):
        raise ArgumentError("--overwrite and --merge say what --tune may do; pass --tune FILE too")
    if overwrite and merge:
        raise ArgumentError("--overwrite replaces the file and --merge keeps it: pass one of them")
    if tune is not None and (json_out is not None or plots is not None):
        raise ArgumentError("--tune measures nothing, so --json and --plots have nothing to write")
    if tune is not None and tune.exists() and not (overwrite or merge):
        raise ArgumentError(f"{tune} exists; name another file, or pass --overwrite or --merge")
    if lm_cache is not None and lm is None:
        raise ArgumentError("--lm-cache keeps what a language model read: pass --lm MODEL too")
    if not thresholds:
        raise ArgumentError("--thresholds names a file, or is shipped or none")
    if thresholds not in ("shipped", "none") and aggregate is not Aggregate.max:
        raise ArgumentError(
            "the thresholds of a file are for the highest score of an answer: with --aggregate "
            f"{aggregate.value}, pass --thresholds none"
        )


def build(
    names: list[str] | None,
    *,
    lm: str | None,
    lm_cache: Path | None,
    seed: int,
    entries: bool = False,
) -> list[Detector]:
    """Return detectors by name; else the default ones, with those of entries and of the model."""
    from groundwire.evaluate.detectors import detector
    from groundwire.evaluate.detectors.names import DEFAULT, ENTRY_DEFAULT, LM_DEFAULT

    scores: Any = None
    if lm is not None:
        from groundwire.evaluate.detectors.lm import LmScores
        from groundwire.integrations.models import load
        from groundwire.verifiers.lift import LiftScorer

        scores = LmScores(LiftScorer(*load(lm)), lm, lm_cache)
    wanted = names or [
        *DEFAULT,
        *(ENTRY_DEFAULT if entries else ()),
        *(LM_DEFAULT if lm is not None else ()),
    ]
    return [detector(name, seed=seed, lm=scores) for name in dict.fromkeys(wanted)]
