#!/usr/bin/env bash
# Runs uncoil and curlconverter over the same commands, in turns, and prints
# how many times faster uncoil is: in process, as a batch, for each second of a
# core, and the npm packages in one Node. curlconverter is installed by npm in a
# scratch folder.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
cores=$(nproc)

for tool in node npm; do
  command -v "$tool" >/dev/null || { echo "bench/peers.sh needs $tool" >&2; exit 1; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp bench/peers.mjs "$scratch"
(cd "$scratch" && npm init -y >/dev/null && npm install --silent --no-fund --no-audit curlconverter@4.12.0 >/dev/null)

peer() { node "$scratch/peers.mjs" "$@"; }
peer commands >"$scratch/commands.json"
peer lines 2000 >"$scratch/short.ndjson"
peer lines 400000 >"$scratch/long.ndjson"
split -n "l/$cores" "$scratch/short.ndjson" "$scratch/part."
CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$scratch/uncoil" ./cmd/uncoil
go test -c -o "$scratch/bench.test" .

median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
seconds() { # the processor time of a command, which other work on the machine hardly changes
  local TIMEFORMAT=%U
  { time "$@" 2>/dev/null; } 2>&1
}
peer_batch() {
  local part
  for part in "$scratch"/part.*; do
    peer batch <"$part" >/dev/null &
  done
  wait
}
peer_start() { # what each of its programs takes to start and to compile
  local part
  for part in "$scratch"/part.*; do
    head -n 1 "$part" | peer batch >/dev/null &
  done
  wait
}
own_batch() { "$scratch/uncoil" batch <"$scratch/long.ndjson" >/dev/null; }

for ((i = 1; i <= rounds; i++)); do
  UNCOIL_COMMANDS="$scratch/commands.json" "$scratch/bench.test" -test.run '^$' -test.bench 'Convert/case=commands$' -test.cpu 1 |
    awk '/ns\/command/ {for (i = 1; i < NF; i++) if ($(i + 1) == "ns/command") print $i / 1000}' >>"$scratch/own.us"
  peer time "$scratch/commands.json" >>"$scratch/peer.us"
  seconds own_batch >>"$scratch/own.s"
  seconds peer_start >>"$scratch/start.s"
  seconds peer_batch >>"$scratch/peer.s"
done

awk -v own="$(median <"$scratch/own.us")" -v peer="$(median <"$scratch/peer.us")" 'BEGIN {
  printf "in process, one core: uncoil %.2f µs a command, curlconverter %.0f µs, %.0f times\n", own, peer, peer / own }'
awk -v own="$(median <"$scratch/own.s")" -v peer="$(median <"$scratch/peer.s")" -v start="$(median <"$scratch/start.s")" 'BEGIN {
  o = 400000 / own; p = 2000 / (peer - start)
  printf "batch, a second of one core: uncoil %.0f commands, curlconverter %.0f, %.0f times\n", o, p, o / p }'

node npm/build.mjs
peer npm "$scratch/commands.json" "$PWD/npm"
