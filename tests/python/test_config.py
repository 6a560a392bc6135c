"""One configuration: defaults, sources, their order, and errors that help."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from groundwire import _core
from groundwire.config import Config, core
from groundwire.config.model import key_paths, nearest
from groundwire.config.units import format_duration, parse_duration, parse_size
from groundwire.errors import ConfigError

NONE: dict[str, str] = {}
PROFILES = ["dialogue", "bank", "citation", "hallucination", "stream"]


def load(**overrides: object) -> Config:
    return Config.load(environ=NONE, **overrides)


@pytest.mark.req("U-8")
def test_sections() -> None:
    assert list(Config.model_fields) == [*PROFILES, "serving"]


@pytest.mark.req("S0-029", "S0-030", "S0-031", "S0-032", "S0-065", "S0-073", "D-1", "D-2")
def test_dialogue_defaults() -> None:
    section = load().dialogue
    assert section.detection_threshold == 0.5
    assert set(section.enabled_detectors.model_dump().values()) == {True}
    assert list(section.enabled_detectors.model_dump()) == [
        "fabricated_facts",
        "nonexistent_entities",
        "wrong_attributes",
        "kb_contradictions",
        "history_contradictions",
        "unsupported_claims",
        "temporal_errors",
        "logical_inconsistencies",
    ]
    assert set(section.detector_weights.model_dump().values()) == {1.0}
    assert section.max_claims == 100
    weights = section.evidence_weights
    assert (weights.kb, weights.history, weights.linguistic, weights.consistency) == (
        0.35,
        0.25,
        0.20,
        0.20,
    )
    assert section.mitigation.model_dump() == {
        "flag_threshold": 0.5,
        "auto_correct_threshold": 0.85,
        "regenerate_threshold": 0.9,
        "max_corrections": 5,
    }
    assert section.unsupported_confidence == 0.6


@pytest.mark.req("S1-052", "S1-053", "S1-054", "S1-055", "S1-056", "D-3")
def test_bank_defaults() -> None:
    section = load().bank
    assert section.critical_threshold == 0
    assert section.high_severity_threshold == 3
    assert (section.min_statement_year, section.max_future_years) == (1950, 1)
    assert section.min_content_length == 50
    assert (section.min_account_length, section.max_account_length) == (4, 20)
    assert section.failure == "reject"
    assert section.mask_keep == 4


@pytest.mark.req("D-4")
def test_citation_defaults() -> None:
    section = load().citation
    assert section.fail_on == "critical"
    assert (section.critical_count_threshold, section.warning_count_threshold) == (1, 3)
    assert (section.title_similarity, section.context_similarity) == (0.85, 0.5)
    assert section.leakage_before_year == 2022
    assert section.failure == "exit"


SPEC_08_34 = """
hallucination:
  enabled: true
  backend:
    type: configurable
    default: haiku
  memory_gate:
    enabled: false
    min_confidence: 0.6
    reject_unsupported: false
  output_verification:
    enabled: false
    flag_threshold_bits: 3.5
  trace_auditing:
    enabled: false
    check_post_hoc: false
  batch_size: 4
  timeout: 750ms
  cache_ttl: 1h30m
"""


@pytest.mark.req(
    "SPEC-08.02",
    "SPEC-08.27",
    "SPEC-08.34a",
    "SPEC-08.34b",
    "SPEC-08.34c",
    "SPEC-08.34d",
    "SPEC-08.34e",
    "SPEC-08.34f",
)
def test_hallucination_keys_verbatim(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC_08_34, encoding="utf-8")
    section = Config.load(path, environ=NONE).hallucination
    written = yaml.safe_load(SPEC_08_34)["hallucination"]
    assert section.timeout == timedelta(milliseconds=750)
    assert section.cache_ttl == timedelta(minutes=90)
    dumped = section.model_dump(mode="json")
    for key in ("enabled", "backend", "output_verification", "batch_size", "timeout"):
        assert dumped[key] == written[key]
    for key in ("memory_gate", "trace_auditing"):
        assert written[key].items() <= dumped[key].items()


@pytest.mark.req("SPEC-08.35", "D-5")
def test_hallucination_is_off_by_default() -> None:
    section = load().hallucination
    assert not section.enabled
    assert section.memory_gate.threshold_bits == 2.0
    assert section.memory_gate.min_confidence == 0.7
    assert section.output_verification.flag_threshold_bits == 5.0
    assert (section.timeout, section.cache_ttl) == (timedelta(seconds=5), timedelta(hours=1))
    assert section.batch_size == 10
    assert (section.budget.eps, section.budget.samples) == (0.01, 5)
    assert section.budget.timeout_confidence_factor == 0.5
    assert section.trace_auditing.derivability_threshold == 0.5
    assert section.budget.contradicted_below == 0.2


@pytest.mark.req("D-6", "S4-017", "S4-032")
def test_stream_defaults() -> None:
    section = load().stream
    assert section.tiers.model_dump() == {
        "low": 0.20,
        "medium": 0.45,
        "high": 0.65,
        "critical": 0.85,
    }
    assert section.interruption_threshold == 0.8
    assert section.hallucination_threshold == 0.5
    assert section.release == "claim"
    assert section.max_retained == 1024**2


@pytest.mark.req("U-6")
def test_failure_policy_of_every_profile() -> None:
    config = load()
    assert [getattr(config, name).failure for name in PROFILES] == [
        "continue",
        "reject",
        "exit",
        "continue",
        "continue",
    ]


@pytest.mark.req("U-10")
def test_every_profile_can_be_strict_to_its_seed() -> None:
    config = Config.load(environ={f"GROUNDWIRE_{n.upper()}__STRICT_SEED": "1" for n in PROFILES})
    assert all(getattr(config, name).strict_seed for name in PROFILES)
    assert not any(getattr(load(), name).strict_seed for name in PROFILES)


def test_the_nearer_source_wins(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(
        '[stream]\nrelease = "token"\nmax_hold_ms = 1\nmax_hold_tokens = 1\n', encoding="utf-8"
    )
    environ = {"GROUNDWIRE_STREAM__MAX_HOLD_MS": "2", "GROUNDWIRE_STREAM__MAX_HOLD_TOKENS": "2"}
    stream = Config.load(path, environ=environ, stream={"max_hold_tokens": 3}).stream
    assert (stream.release, stream.max_hold_ms, stream.max_hold_tokens) == ("token", 2, 3)
    assert stream.interruption_threshold == 0.8


def test_file_named_by_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "c.yml"
    path.write_text("bank: {valid_banks: [First Reef]}\n", encoding="utf-8")
    config = Config.load(environ={"GROUNDWIRE_CONFIG": str(path)})
    assert config.bank.valid_banks == ("First Reef",)
    path.write_text("", encoding="utf-8")
    assert Config.load(path, environ=NONE) == load()


def test_environment_values() -> None:
    environ = {
        "GROUNDWIRE_DIALOGUE__ENABLED_DETECTORS__TEMPORAL_ERRORS": "false",
        "GROUNDWIRE_BANK__VALID_BANKS": '["A", "B"]',
        "GROUNDWIRE_STREAM__MAX_RETAINED": "64 KiB",
        "GROUNDWIRE_LOG": "ignored, for it names no section",
        "PATH": "/bin",
    }
    config = Config.load(environ=environ)
    assert config.dialogue.enabled_detectors.temporal_errors is False
    assert config.bank.valid_banks == ("A", "B")
    assert config.stream.max_retained == 65536


@pytest.mark.parametrize(
    ("overrides", "parts"),
    [
        (
            {"stream": {"relese": 1}},
            ["unknown key `stream.relese`", "did you mean `stream.release`"],
        ),
        ({"streem": {"release": "token"}}, ["unknown key `streem`", "`stream`"]),
        ({"max_claims": 5}, ["unknown key `max_claims`", "`dialogue.max_claims`"]),
        (
            {"dialogue": {"enabled_detectors": {"temporal_error": True}}},
            ["`dialogue.enabled_detectors.temporal_errors`"],
        ),
        ({"stream": {"release": "tokn"}}, ["`stream.release` = 'tokn'", "'token', 'claim'"]),
        ({"stream__interruption_threshold": 1.5}, ["interruption_threshold` = 1.5", "less than"]),
        ({"stream__tiers": {"low": 0.9}}, ["`stream.tiers`", "ascend", "0.9"]),
        ({"hallucination__timeout": "soon"}, ["timeout` = 'soon'", '"5s"']),
        ({"hallucination__timeout": -1}, ["timeout` = -1"]),
        ({"stream__max_retained": "1 parsec"}, ["max_retained` = '1 parsec'", "MiB"]),
        ({"stream": 5}, ["`stream` = 5", "section"]),
        ({"dialogue__detection_threshold": float("nan")}, ["detection_threshold` = nan"]),
        ({"bank": {"min_account_length": 30}}, ["`bank`", "above max_account_length"]),
        ({"stream": {"relese": 1, "anotation": 2}}, ["stream.release`", "stream.annotation`"]),
    ],
)
def test_errors_name_key_value_and_what_is_allowed(
    overrides: dict[str, object], parts: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(**overrides)
    for part in parts:
        assert part in str(caught.value)


def test_errors_name_where_the_value_was_set(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="environment variable GROUNDWIRE_STREAM__RELESE"):
        Config.load(environ={"GROUNDWIRE_STREAM__RELESE": "token"})
    path = tmp_path / "c.toml"
    path.write_text("[stream]\nrelese = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"c\.toml"):
        Config.load(path, environ=NONE)


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("c.toml", "[stream\n", "not valid TOML"),
        ("c.yaml", "a: [1\n", "not valid YAML"),
        ("c.yaml", "- 1\n", "holds list"),
        ("c.ini", "", "name it .toml"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str, part: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=part):
        Config.load(path, environ=NONE)


def test_missing_and_binary_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        Config.load(tmp_path / "none.toml", environ=NONE)
    (tmp_path / "c.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot read"):
        Config.load(tmp_path / "c.toml", environ=NONE)


def test_round_trip() -> None:
    config = load(stream__release="response", hallucination__timeout="250ms")
    assert Config.load(environ=NONE, **config.to_dict()) == config
    assert load(stream=config.stream).stream == config.stream


def test_every_key_is_its_own_nearest() -> None:
    for path in key_paths():
        assert nearest(path) == ".".join(path)
    assert nearest(("qqqqqqqq",)) is None


@given(st.integers(min_value=0, max_value=10**13))
def test_durations_round_trip(microseconds: int) -> None:
    value = timedelta(microseconds=microseconds)
    assert parse_duration(format_duration(value)) == value


@given(st.text(max_size=12))
def test_hostile_text_is_a_value_error_or_a_value(text: str) -> None:
    for parse in (parse_duration, parse_size):
        try:
            parse(text)
        except ValueError:
            continue


def test_importing_groundwire_does_not_import_pydantic() -> None:
    code = "import groundwire, sys; sys.exit('pydantic' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_defaults_are_those_of_the_core() -> None:
    """One truth: a default written here and in the core is the same in both."""
    config = load()
    assert core.policy(config) == json.loads(_core.default_policy_json())
    settings = json.loads(_core.default_settings_json())
    assert core.settings(config).items() <= settings.items()
    for name in ("stream", "dialogue", "budget"):
        assert (
            core.profile_changes(config, name).items()
            <= json.loads(_core.profile_json(name)).items()
        )
    assert core.profile_changes(config, "none") == {}


def test_which_profiles_are_on() -> None:
    assert core.profiles(load()) == ("stream", "dialogue")
    on = load(hallucination={"enabled": True}, stream={"enabled": False})
    assert core.profiles(on) == ("dialogue", "budget")


def test_the_nearest_key_of_a_wrong_one_is_a_key() -> None:
    assert nearest(("stream", "zork")) is None
    assert nearest(("stream", "polcy")) is None
    assert nearest(("stream", "relese")) == "stream.release"
    assert nearest(("dialogue", "relese")) == "stream.release"


@pytest.mark.parametrize(
    ("given", "environ", "parts"),
    [
        ({"stream__polcy": 1}, {}, ["`stream.polcy` (argument)", "`stream` has ", "release"]),
        (
            {},
            {"GROUNDWIRE_STREAM__ZORK": "1"},
            ["`stream.zork` (environment variable GROUNDWIRE_STREAM__ZORK)", "max_hold_ms"],
        ),
        ({"dialogue__tiers__zork": 1}, {}, ["`dialogue.tiers` has low, medium, high, critical"]),
        ({"zork": {}}, {}, ["there are dialogue, bank, citation, hallucination, stream"]),
        (
            {"stream__max_hold": 1},
            {},
            ["did you mean `stream.max_hold_tokens` or `stream.max_hold_ms`?"],
        ),
    ],
)
def test_a_key_with_no_neighbour_is_told_what_its_section_has(
    given: dict[str, Any], environ: dict[str, str], parts: list[str]
) -> None:
    with pytest.raises(ConfigError) as raised:
        Config.load(environ=environ, **given)
    for part in parts:
        assert part in str(raised.value)


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("GROUNDWIRE_STREAM_RELEASE", "GROUNDWIRE_STREAM__RELEASE"),
        ("GROUNDWIRE_STREAM_RELESE", "GROUNDWIRE_STREAM__RELEASE"),
        ("GROUNDWIRE_BANK_VALID_BANKS", "GROUNDWIRE_BANK__VALID_BANKS"),
        ("GROUNDWIRE_HALLUCINATION_BUDGET_EPS", "GROUNDWIRE_HALLUCINATION__BUDGET__EPS"),
        ("GROUNDWIRE_STREM_RELEASE", "GROUNDWIRE_STREAM__RELEASE"),
    ],
)
def test_one_underscore_is_refused_with_the_right_name(name: str, right: str) -> None:
    with pytest.raises(ConfigError, match=f"{name} is not read.*{right}\\?"):
        Config.load(environ={name: "1"})


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("GROUNDWIRE_HALLUCINATION", "`hallucination` are set by GROUNDWIRE_HALLUCINATION__KEY"),
        ("GROUNDWIRE_STREAM", "`stream` are set by GROUNDWIRE_STREAM__KEY"),
        ("GROUNDWIRE_STREM", "`stream` are set by GROUNDWIRE_STREAM__KEY"),
        ("GROUNDWIRE_CITATIONS", "`citation` are set by GROUNDWIRE_CITATION__KEY"),
        ("GROUNDWIRE_CONFG", r"did you mean GROUNDWIRE_CONFIG\?"),
    ],
)
def test_a_section_alone_is_no_key(name: str, said: str) -> None:
    with pytest.raises(ConfigError, match=f"environment variable {name} is not read.*{said}"):
        Config.load(environ={name: "1"})


def test_other_variables_of_the_project_are_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    own = [
        "LOG",
        "TEST_MODEL",
        "SERVE_KEY",
        "UPSTREAM_KEY",
        "STOP_ID",
        "VLLM_KEYS",
        "SOAK",
        "LABELLED",
        "TEST_UPSTREAM",
        "KB",
        "UPSTREAM",
    ]
    assert Config.load(environ={f"GROUNDWIRE_{name}": "1" for name in own}) == load()
    assert not caplog.records
    assert Config.load(environ={"GROUNDWIRE_STREAM_QUUX": "1"}) == load()
    assert "GROUNDWIRE_STREAM_QUUX is not read" in caplog.text


def test_a_key_given_twice_is_refused_by_name_and_line(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("stream:\n  release: token\n  max_hold_ms: 1\n  release: claim\n")
    with pytest.raises(ConfigError, match=r"c\.yaml: the key 'release' .* lines 2 and 4"):
        Config.load(path, environ=NONE)
    path.write_text("stream: {}\nbank: {}\n'stream': {}\n")
    with pytest.raises(ConfigError, match="'stream' is given twice"):
        Config.load(path, environ=NONE)
    path.write_text("x: &x {release: token}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="unknown key `x`"):
        Config.load(path, environ=NONE)
    # What is merged in may be set otherwise.
    path.write_text("stream: &s\n  release: token\ndialogue: {}\nbank: {<<: {}, <<: {}}\n")
    assert Config.load(path, environ=NONE).stream.release == "token"
    path = tmp_path / "c.toml"
    path.write_text("[stream]\nrelease = 'token'\nrelease = 'claim'\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="line 3"):
        Config.load(path, environ=NONE)
    twice = '{"temporal_errors": true, "temporal_errors": false}'
    with pytest.raises(ConfigError, match="ENABLED_DETECTORS: the key 'temporal_errors'"):
        Config.load(environ={"GROUNDWIRE_DIALOGUE__ENABLED_DETECTORS": twice})


@pytest.mark.parametrize("path", list(key_paths()))
def test_slips_in_a_key_lead_to_it(path: tuple[str, ...]) -> None:
    *before, key = path
    words = key.split("_")
    written = {
        key.upper(),
        "-".join(words),
        "".join(words),
        words[0] + "".join(word.title() for word in words[1:]),
    }
    if len(key) > 4:
        written |= {key[:i] + key[i + 1 :] for i in range(len(key))}
        written |= {key[: i + 1] + key[i:] for i in range(len(key))}
        written |= {key[:i] + key[i + 1] + key[i] + key[i + 2 :] for i in range(len(key) - 1)}
    known = set(key_paths())
    for wrong in written:
        if (*before, wrong) not in known:
            assert nearest((*before, wrong)) == ".".join(path), wrong


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        (("dialogue", "max_hold_tokens"), "stream.max_hold_tokens"),
        (("serving", "release"), "stream.release"),
        (("release",), "stream.release"),
        (("stream-release",), "stream.release"),
        (("stream", "max_tokens"), "stream.max_hold_tokens"),
        (("serving", "policies", "careful", "anotation"), "serving.policies.careful.annotation"),
        (("serving", "models", "script-1", "polcy"), "serving.models.script-1.policy"),
        (("kb",), None),
        (("evidence",), None),
        (("dialogue", "mitigation_of_it_all"), "dialogue.mitigation"),
        (("stream", "port"), None),
    ],
)
def test_keys_of_other_sections_and_far_ones(wrong: tuple[str, ...], near: str | None) -> None:
    assert nearest(wrong) == near


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"stream__max_hold_tokens": True}, "a number or text is expected"),
        ({"dialogue__tiers__low": False}, "a number or text is expected"),
        ({"hallucination__timeout": True}, "a number or text is expected"),
        ({"stream__max_retained": True}, "a number or text is expected"),
        ({"stream__group_confidence_bar": True}, "a number or text is expected"),
        ({"stream__enabled": 1}, "true or false is expected"),
        ({"bank__strict_seed": 0.0}, "true or false is expected"),
        ({"serving__policies": {"p": {"hold_unresolved": 1}}}, "true or false is expected"),
        ({"serving__policies": {"p": {"max_hold_ms": True}}}, "a number or text is expected"),
    ],
)
def test_a_yes_or_no_is_no_number(keys: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        Config.load(environ={}, **keys)


def test_variables_write_a_yes_or_no_as_they_do() -> None:
    made = Config.load(
        environ={"GROUNDWIRE_STREAM__ENABLED": "0", "GROUNDWIRE_BANK__ENABLED": "yes"}
    )
    assert not made.stream.enabled and made.bank.enabled
