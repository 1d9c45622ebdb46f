# The steps themselves are in .ci/run.

# list the recipes
default:
    @just --list

# all tests, the code in the documentation included
test:
    .ci/run test

# formatting and lints; warnings are errors
lint:
    .ci/run lint

# the documentation; warnings are errors
docs:
    .ci/run docs

# the comparison with the peers: a table, and docs/performance.md
bench:
    benches/run.sh

# every example, one after another
examples:
    .ci/run examples

# everything that has to hold before a change goes in
ci:
    .ci/run

# rewrite the expected messages of refused code, then read what changed
ui:
    TRYBUILD=overwrite cargo test --test ui
    git diff -- tests/ui
