#!/usr/bin/env bash
# Runs a command beside a PostgreSQL server of its own, on loopback and in a temporary folder that goes away afterwards:
#
#     scripts/postgres.sh cargo test -p retry-services -- --include-ignored
#
# The command finds the server in DATABASE_URL, and in DATABASE_RESTART a shell command that stops the server without
# warning and starts it again. Needs `initdb` and `pg_ctl`, from PATH or Debian's folder; where they are missing and
# this runs as root, they are installed with apt-get.
set -euo pipefail

find_programs() {
    local folder
    for folder in $(compgen -G '/usr/lib/postgresql/*/bin' | sort -rV); do
        PATH=$PATH:$folder
    done
    command -v initdb > /dev/null && command -v pg_ctl > /dev/null
}

if ! find_programs && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    apt-get install --yes --no-install-recommends postgresql >&2
fi
if ! find_programs; then
    echo 'initdb and pg_ctl are not here: install the package `postgresql`' >&2
    exit 1
fi
if [ $# = 0 ]; then
    echo "usage: $0 COMMAND…" >&2
    exit 2
fi

# The server refuses to run as root.
as_user=()
folder=$(mktemp -d)
if [ "$(id -u)" = 0 ]; then
    user=postgres
    getent passwd "$user" > /dev/null || user=nobody
    as_user=(setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups env HOME="$folder")
    chown "$user" "$folder"
fi
server() {
    (cd "$folder" && "${as_user[@]}" "$@")
}
finish() {
    server pg_ctl --pgdata="$folder/data" --mode=immediate stop > /dev/null 2>&1 || true
    rm -rf "$folder"
}
trap finish EXIT

server initdb --pgdata="$folder/data" --username=retry --auth=trust --encoding=UTF8 --no-sync > /dev/null
start() {
    # Deadlocks are looked for soon, so that the tests are short.
    server pg_ctl --pgdata="$folder/data" --log="$folder/log" --wait start -o \
        "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories='' -c fsync=off -c deadlock_timeout=50ms" \
        > /dev/null
}
for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 12000))
    if start; then break; fi
done
if ! server pg_ctl --pgdata="$folder/data" status > /dev/null; then
    cat "$folder/log" >&2
    exit 1
fi

cat > "$folder/restart" << END
#!/bin/sh
cd '$folder' && ${as_user[*]} pg_ctl --pgdata='$folder/data' --log='$folder/log' --mode=immediate --wait restart
END
export DATABASE_URL="postgres://retry@127.0.0.1:$port/postgres"
export DATABASE_RESTART="sh $folder/restart"
"$@"
