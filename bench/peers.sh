#!/usr/bin/env bash
# Runs uncoil and curlconverter over the same commands, in turns, and prints
# how many times faster uncoil is: in process, as a batch, with JSON and with
# Python code as the answer, and the npm packages in one Node. Everything runs on
# one core: on several, the cost of passing work between them would count for
# uncoil alone. curlconverter is installed by npm in a scratch folder.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}

for tool in node npm taskset; do
  command -v "$tool" >/dev/null || { echo "bench/peers.sh needs $tool" >&2; exit 1; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GOMAXPROCS=1
core=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last of those that this script may use
taskset -cp "$core" $$ >/dev/null
cp bench/peers.mjs "$scratch"
(cd "$scratch" && npm init -y >/dev/null && npm install --silent --no-fund --no-audit curlconverter@4.12.0 >/dev/null)

peer() { node "$scratch/peers.mjs" "$@"; }
peer commands >"$scratch/commands.json"
peer lines 2000 >"$scratch/short.ndjson"
peer lines 400000 >"$scratch/json.ndjson"
peer lines 100000 python-requests >"$scratch/code.ndjson"
split -n l/2 "$scratch/short.ndjson" "$scratch/part."
CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$scratch/" ./cmd/uncoil ./bench/json
go test -c -o "$scratch/bench.test" ./internal/engine

median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
seconds() { # the processor time of a command, which other work on the machine hardly changes
  local TIMEFORMAT=%U
  { time "$@" 2>/dev/null; } 2>&1
}
peer_batch() { # [FUNCTION]
  local part
  for part in "$scratch"/part.*; do
    peer batch "$@" <"$part" >/dev/null
  done
}
peer_start() { # [FUNCTION]; what each of its programs takes to start and to compile
  local part
  for part in "$scratch"/part.*; do
    head -n 1 "$part" | peer batch "$@" >/dev/null
  done
}
json_alone() { "$scratch/json" <"$scratch/json.ndjson" >/dev/null; }
own_batch() { "$scratch/uncoil" batch <"$scratch/$1.ndjson" >/dev/null; }

for ((i = 1; i <= rounds; i++)); do
  UNCOIL_COMMANDS="$scratch/commands.json" "$scratch/bench.test" -test.run '^$' -test.bench 'Convert/case=commands$' -test.cpu 1 |
    awk '/ns\/command/ {for (i = 1; i < NF; i++) if ($(i + 1) == "ns/command") print $i / 1000}' >>"$scratch/own.us"
  peer time "$scratch/commands.json" >>"$scratch/peer.us"
  seconds own_batch json >>"$scratch/own.json"
  seconds json_alone >>"$scratch/alone.json"
  seconds peer_start >>"$scratch/start.json"
  seconds peer_batch >>"$scratch/peer.json"
  seconds own_batch code >>"$scratch/own.code"
  seconds peer_start toPython >>"$scratch/start.code"
  seconds peer_batch toPython >>"$scratch/peer.code"
done

awk -v own="$(median <"$scratch/own.us")" -v peer="$(median <"$scratch/peer.us")" 'BEGIN {
  printf "in process, one core: uncoil %.2f µs a command, curlconverter %.0f µs, %.0f times\n", own, peer, peer / own }'
compare() { # WHAT LINES: the batches
  awk -v what="$1" -v lines="$2" -v own="$(median <"$scratch/own.$1")" -v peer="$(median <"$scratch/peer.$1")" -v start="$(median <"$scratch/start.$1")" 'BEGIN {
    o = lines / own; p = 2000 / (peer - start)
    printf "batch, %s, a second of one core: uncoil %.0f commands, curlconverter %.0f, %.0f times\n", what, o, p, o / p }'
}
compare json 400000
awk -v own="$(median <"$scratch/own.json")" -v alone="$(median <"$scratch/alone.json")" 'BEGIN {
  printf "batch, json: %.2f of decoding and encoding the lines with encoding/json\n", own / alone }'
compare code 100000

node npm/build.mjs
peer npm "$scratch/commands.json" "$PWD/npm"
