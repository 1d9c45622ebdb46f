#!/usr/bin/env bash
# The comparison with the peers: measures, prints a table and writes it to docs/performance.md.
#
#   benches/run.sh              everything; takes a while
#   benches/run.sh exact ours   only what is the same on every run, of one subject and the loop by hand; fails where a bar is missed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo build -q -p retry-benches --profile measured
exec "${CARGO_TARGET_DIR:-target}/measured/table" "$@"
