#!/usr/bin/env bash
# Runs uncoil batch and uncoil-beam on its embedded runner over the same lines,
# in turns, and prints the ratios of their times, wall and processor. With
# PROFILE=FILE it keeps a profile of the pipeline for go tool pprof.
#   LINES=100000 ROUNDS=3 bench/beam.sh
set -euo pipefail
cd "$(dirname "$0")/.."
lines=${LINES:-100000} rounds=${ROUNDS:-3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

awk -v n="$lines" 'BEGIN { for (i = 0; i < n; i++)
  printf "{\"id\":%d,\"curl\":\"curl -X POST https://api.example.com/v1/users/%d -H \x27Content-Type: application/json\x27 -H \x27Authorization: Bearer abc.def\x27 -d \x27{\\\"name\\\":\\\"Ann\\\",\\\"age\\\":%d}\x27\"}\n", i, i, i }' >"$scratch/in.ndjson"
go build -o "$scratch/uncoil" ./cmd/uncoil
(cd integrations/beam && go build -o "$scratch/uncoil-beam" ./cmd/uncoil-beam)

seconds() { # wall and processor seconds of a command
  local TIMEFORMAT='%R %U %S'
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{print $1, $2 + $3}'
}
batch() { "$scratch/uncoil" batch <"$scratch/in.ndjson" >"$scratch/batch.ndjson"; }
pipeline() { "$scratch/uncoil-beam" ${PROFILE:+-cpuprofile "$PROFILE"} -input "$scratch/in.ndjson" -output "$scratch/beam.ndjson"; }
for ((i = 1; i <= rounds; i++)); do
  seconds batch >>"$scratch/batch"
  seconds pipeline >>"$scratch/beam"
done
cmp <(LC_ALL=C sort "$scratch/batch.ndjson") <(LC_ALL=C sort "$scratch/beam.ndjson")
least() { awk -v c="$2" '{print $c}' "$scratch/$1" | sort -n | head -n 1; }
compare() { # column, what it is
  awk -v what="$2" -v n="$lines" -v o="$(least batch "$1")" -v b="$(least beam "$1")" \
    'BEGIN { printf "lines a second (%s): batch %.0f, pipeline %.0f, ratio %.1f\n", what, n / o, n / b, b / o }'
}
compare 1 'wall clock'
compare 2 'of one processor'
