#!/usr/bin/env bash
# Writes requirements.lock from the two pyproject.toml files: every package once, on every platform.
#
# uv resolves, since it alone answers for Linux, macOS and Windows together and keeps the versions already locked;
# nothing else here needs it. `UPGRADE=1` takes the newest versions instead. CUDA's packages are left out: the Linux
# build of torch names its own, pinned, and the CPU build needs none.
set -euo pipefail
cd "$(dirname "$0")/.."

uv_version=0.13.9
uv=_build/tools/uv-$uv_version/bin/uv
if [ ! -x "$uv" ]; then
    .venv/bin/python -m venv "_build/tools/uv-$uv_version"
    "_build/tools/uv-$uv_version/bin/pip" install --quiet --disable-pip-version-check "uv==$uv_version"
fi

draft=$(mktemp)
trap 'rm -f "$draft"' EXIT
if [ -f requirements.lock ]; then cp requirements.lock "$draft"; fi

"$uv" pip compile pyproject.toml --extra test --extra scale --extra postgresql --extra hub \
    --output-file "$draft" --quiet ${UPGRADE:+--upgrade} --universal --python-version 3.11 \
    --fork-strategy fewest --no-emit-package unrolled --no-annotate --no-header

{
    echo "# Made by \`make lock\` (tools/lock.sh) from the two pyproject.toml files, with the extras test, scale,"
    echo "# postgresql and hub. Do not edit. What follows a semicolon says on which systems a package is needed. CUDA's"
    echo "# packages are not listed: torch's Linux build names them itself. Nor is the extra bench: it builds from source."
    grep -vE '^(nvidia-|cuda-|triton==)' "$draft" | LC_ALL=C sort --field-separator== --key=1,1
} > requirements.lock
echo "requirements.lock: $(grep -c '==' requirements.lock) packages"
