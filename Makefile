# Every target sets up all it needs, once: `make lab` and `make test` work on a fresh clone.
.DEFAULT_GOAL := help
SHELL := /bin/bash

BIN := .venv/bin
EDITION ?= public
# nbgrader calls its helpers by name.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONUNBUFFERED := 1

# JupyterLab refuses to start as root, as in a container, unless it is told to.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: help lab test class book format check lock bench verify release clean data setup

help:  ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

lab: setup data  ## Open the course in JupyterLab (more flags: LAB_ARGS="--no-browser --port 9000")
	$(BIN)/jupyter lab --ServerApp.preferred_dir="$(CURDIR)/course" --LabApp.default_url=/lab/tree/course/start.ipynb $(AS_ROOT) $(LAB_ARGS)

test: setup  ## Run ruff and every test (one unit's: UNIT=lstm; some: TEST_ARGS="-k data")
	@tools/system_packages.sh browser jail node postgresql
	@tools/node_modules.sh
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pytest -n auto --dist loadscope --no-loadscope-reorder $(if $(UNIT),--unit $(UNIT)) $(TEST_ARGS)

class: setup data  ## Grade a made-up class of unit 1 and show its marks
	@tools/system_packages.sh jail node
	@tools/node_modules.sh
	$(BIN)/autograder class

book: setup data  ## Build the web book into _build/book (EDITION=instructor: with the answers)
	@tools/system_packages.sh node browser
	@tools/node_modules.sh
	$(BIN)/python -m book --edition $(EDITION)

verify: setup  ## Grade the checks: right answers accepted, wrong ones and mutants caught
	$(BIN)/autograder verify

release: setup  ## Make the students' notebooks in course/ from solutions/
	$(BIN)/autograder release

bench: book  ## Measure ours beside its peers, in one run (the peers build from source)
	@tools/bench_packages.sh
	@for script in $(filter-out benchmarks/ladder.py benchmarks/made_class.py benchmarks/otter_peer.py,$(wildcard benchmarks/*.py)); do echo "$$script"; $(BIN)/python "$$script" || exit 1; done

format: setup  ## Put all Python files into one style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

check: setup  ## Look at the code without running it
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lock: setup  ## Write requirements.lock anew (UPGRADE=1 takes the newest versions)
	@tools/lock.sh

clean:  ## Remove what was built; .venv, node_modules and downloaded data stay
	rm -rf _build .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -not -path './node_modules/*' -prune -exec rm -rf {} +

setup:  ## Set up .venv and nothing else, as the commands for teachers want it
	@tools/environment.sh

data: setup
	@$(BIN)/python -m unrolled.data --all || echo "Going on; a notebook that needs what is missing will say so."
