#!/usr/bin/env bash
# Installs the peers that the benchmarks run beside ours (the bench extra), if they are not there yet.
set -euo pipefail
cd "$(dirname "$0")/.."

if .venv/bin/python -c 'import kenlm, nltk' 2>/dev/null; then exit 0; fi
for tool in cmake c++; do
    command -v "$tool" > /dev/null || { echo "make: kenlm builds from source and needs $tool; install it first" >&2; exit 1; }
done
echo "Building the peers (kenlm takes about a minute) …"
.venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check --editable '.[bench]'
