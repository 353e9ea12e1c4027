#!/usr/bin/env bash
# Makes .venv what requirements.lock says, and does nothing when it already is.
#
# The stamp is a copy of everything the environment was made from: this folder's path, since a moved .venv is broken,
# the lock, and what our two packages declare (not how their code is formatted or tested). So a changed lock is noticed
# whatever the files' dates say. Nothing here asks a question or needs root.
set -euo pipefail
cd "$(dirname "$0")/.."

stamp=.venv/made-from
log=.venv/setup.log
wanted() {
    echo "$PWD"
    cat requirements.lock course/pyproject.toml
    sed '/^\[tool/,$d' pyproject.toml
}

if wanted | cmp --silent - "$stamp" 2>/dev/null && .venv/bin/python -c '' 2>/dev/null; then
    exit 0
fi

fail() { echo "make: $*" >&2; exit 1; }

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3 python}; do
        if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "Unrolled needs Python 3.11 to 3.14 and found none${PYTHON:+ in PYTHON=$PYTHON}. Install one, or name it: make PYTHON=/path/to/python3.11 …"
}

new_venv() {
    local python
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$python lacks its venv module. On Debian or Ubuntu: apt-get install python3-venv"
    rm -rf .venv
    "$python" -m venv .venv
}

# One line that counts the packages as pip reaches them; off a terminal only the first and the last are said.
show_progress() {
    local line doing="" seen=0
    while IFS= read -r line; do
        case $line in
            Collecting* | "Requirement already satisfied"*) seen=$((seen + 1)) ;;
            *" Downloading "*) doing=${line#"${line%%[! ]*}"} ;;
            Installing*) doing="found; putting them in place" ;;
        esac
        if [ -t 1 ]; then printf '\r\033[K  %d of %d  %.70s' "$((seen < $1 ? seen : $1))" "$1" "$doing"; fi
    done
    if [ -t 1 ]; then printf '\r\033[K'; fi
}

install() {
    local pip=(.venv/bin/python -m pip install --no-input --disable-pip-version-check --progress-bar off)
    "${pip[@]}" "$@" 2>&1 | tee -a "$log" | show_progress "$(grep -c '==' requirements.lock)" || {
        grep -E '^ *(ERROR|error)' "$log" >&2 || tail -n 5 "$log" >&2
        fail "the environment could not be made; all that pip said is in $log"
    }
}

# JupyterLab asks every newcomer whether it may fetch news; a course need not.
quiet_jupyterlab() {
    local settings=.venv/share/jupyter/lab/settings
    mkdir -p "$settings"
    echo '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}' \
        > "$settings/overrides.json"
}

# The pages for marking by hand, at /autograder/mark.
marking_pages() {
    local settings=.venv/etc/jupyter/jupyter_server_config.d
    mkdir -p "$settings"
    echo '{"ServerApp": {"jpserver_extensions": {"autograder.marking": true}}}' > "$settings/autograder.json"
}

moved() { [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" != "$PWD" ]; }

if moved || ! .venv/bin/python -c '' 2>/dev/null; then new_venv; fi
echo "Setting up .venv from requirements.lock (once; a few minutes, most of it torch) …"
rm -f "$stamp" "$log"
install --requirement requirements.lock
install --no-deps --no-build-isolation --editable ./course --editable .
quiet_jupyterlab
marking_pages
wanted > "$stamp"
echo "Ready: .venv with $(.venv/bin/python --version)"
