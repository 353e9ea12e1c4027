#!/usr/bin/env bash
# usage: system_packages.sh WHAT…      WHAT: browser, jail, node, postgresql
#
# Installs the programs that pip cannot bring, where that may be done unasked: on Debian or Ubuntu, as root or with a
# sudo that needs no password. Elsewhere it says in one line what is missing and what stays undone, and lets the
# caller go on. When everything is there already, nothing is started.
set -euo pipefail

have() { command -v "$1" > /dev/null 2>&1; }
has_server() { have initdb || [ -n "$(find /usr/lib/postgresql -name initdb -print -quit 2>/dev/null)" ]; }
has_browser() { have chromium || have chromium-browser || have google-chrome; }
has_font() { [ -n "$(find /usr/share/fonts "${HOME:-/root}/.fonts" -name 'DejaVuSans*' -print -quit 2>/dev/null)" ]; }

packages=()
without=()
for what in "$@"; do
    case $what in
        browser)
            has_browser || { packages+=(chromium); without+=("tests in a browser are skipped, and the book keeps no exact room for its widgets"); }
            has_font || packages+=(fonts-dejavu-core)
            ;;
        jail)
            have bwrap || { packages+=(bubblewrap); without+=("submissions are graded with fewer walls"); }
            ;;
        node)
            have node || packages+=(nodejs)
            have npm || { packages+=(npm); without+=("the book has no formulas offline"); }
            ;;
        postgresql)
            has_server || { packages+=(postgresql); without+=("the tests of a gradebook in PostgreSQL are skipped"); }
            ;;
        *) echo "system_packages.sh: unknown: $what (browser, jail, node or postgresql)" >&2; exit 2 ;;
    esac
done
if [ ${#packages[@]} -eq 0 ]; then exit 0; fi

# Debian's package would start a server for good; the tests start and stop one of their own.
keep_server_off() {
    local folder=/etc/postgresql-common/createcluster.d
    "$@" mkdir -p "$folder"
    echo "create_main_cluster = off" | "$@" tee "$folder/unrolled.conf" > /dev/null
}

# apt-get, as root or through a sudo that asks nothing; fails where neither is to be had.
install() {
    have apt-get || return 1
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        sudo --non-interactive true 2>/dev/null || return 1
        as_root=(sudo --non-interactive)
    fi
    echo "Installing ${packages[*]} …"
    case " ${packages[*]} " in *" postgresql "*) keep_server_off ${as_root[@]+"${as_root[@]}"} ;; esac
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive sh -c \
        'apt-get -qq update && apt-get -qq install --yes --no-install-recommends "$@"' sh "${packages[@]}" \
        > /dev/null < /dev/null
}

if ! install; then
    printf 'Missing: %s. Please install (Debian, Ubuntu: apt-get install %s). ' "${packages[*]}" "${packages[*]}"
    printf 'Without: %s.\n' "$(IFS=';'; echo "${without[*]:-plainer pictures}" | sed 's/;/; /g')"
fi
