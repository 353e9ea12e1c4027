#!/usr/bin/env bash
# Installs the peers that the benchmarks run beside ours, if they are not there yet: the bench extra into .venv,
# KenLM's lmplz, which its Python package leaves out, into _build/kenlm, and otter-grader, whose requirements are its
# own, into _build/otter, from where it sees torch and the course in .venv. `bench_packages.sh otter` stops after that.
set -euo pipefail
cd "$(dirname "$0")/.."
otter=_build/otter

install() { "$1" -m pip install --quiet --no-input --disable-pip-version-check "${@:2}"; }

install_otter() {
    "$otter/bin/python" -c 'import otter, torch, unrolled' 2>/dev/null && return
    echo "Installing otter-grader into $otter …"
    pin=$(.venv/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["peers"])')
    .venv/bin/python -m venv "$otter"
    install "$otter/bin/python" $pin
    home=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    echo "import site; site.addsitedir('$home')" > "$("$otter/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/course.pth"
}

install_peers() {
    .venv/bin/python -c 'import kenlm, nltk' 2>/dev/null && return
    for tool in cmake c++; do
        command -v "$tool" > /dev/null || { echo "make: kenlm builds from source and needs $tool; install it first" >&2; exit 1; }
    done
    echo "Building the peers (kenlm takes about a minute) …"
    install .venv/bin/python --editable '.[bench]'
}

build_lmplz() {
    if [ -x _build/kenlm/bin/lmplz ] || command -v lmplz > /dev/null; then return; fi
    echo "Building KenLM's lmplz into _build/kenlm (about 3 minutes) …"
    PYTHONPATH=benchmarks .venv/bin/python -c 'import ngrams; ngrams.build_lmplz()'
}

install_otter || echo "otter-grader could not be installed; the benchmarks go on without it" >&2
if [ "${1:-}" = otter ]; then exit 0; fi
install_peers
build_lmplz || echo "The benchmark of unit 1 goes on without KenLM" >&2
