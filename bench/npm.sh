#!/usr/bin/env bash
# Prints the processor time of one Node that answers one command, start and all: an
# empty Node, uncoil-parse, uncoil, its drop-in replacement, and curlconverter, the
# best-known peer; medians of runs in turns. npm installs the peer and the package in a
# scratch folder.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-7}

for tool in node npm; do
  command -v "$tool" >/dev/null || { echo "bench/npm.sh needs $tool" >&2; exit 1; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ -f npm/parse/dist/parse.wasm ] || node npm/build.mjs
for folder in npm npm/parse; do
  (cd "$folder" && npm pack --silent --ignore-scripts --pack-destination "$scratch" >/dev/null)
done
(cd "$scratch" && npm init -y >/dev/null && npm install --silent --no-fund --no-audit curlconverter@4.12.0 ./uncoil-*.tgz >/dev/null)

command='"curl -u ann:pw -d name=Ann https://api.example.com/users"'
declare -A programs=(
  [an empty Node]=''
  [uncoil-parse, convert]="import { loadSync } from 'uncoil-parse'; loadSync().convert($command);"
  [uncoil, convert]="import { loadSync } from 'uncoil'; loadSync().convert($command);"
  [uncoil, code]="import { loadSync } from 'uncoil'; loadSync().code($command, 'python');"
  [uncoil/curlconverter, toPython]="import { toPython } from 'uncoil/curlconverter'; toPython($command);"
  [curlconverter, toPython]="import { toPython } from 'curlconverter'; toPython($command);"
)
for name in "${!programs[@]}"; do echo "${programs[$name]}" >"$scratch/${name//[^a-zA-Z]/-}.mjs"; done

median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
TIMEFORMAT='%U %S'
for ((i = 1; i <= rounds; i++)); do
  for name in "${!programs[@]}"; do
    file=$scratch/${name//[^a-zA-Z]/-}
    { time node "$file.mjs" >/dev/null; } 2>&1 | awk '{print 1000 * ($1 + $2)}' >>"$file.ms"
  done
done
for name in "${!programs[@]}"; do
  printf '%4.0f ms  %s\n' "$(median <"$scratch/${name//[^a-zA-Z]/-}.ms")" "$name"
done | sort -n
for name in uncoil uncoil-parse; do
  du -sk "$scratch/node_modules/$name" | awk -v name="$name" '{printf "%s takes %.1f MB on disk", name, $1 / 1000}'
  stat -c %s "$scratch/$name"-[0-9]*.tgz | awk '{printf ", %.1f MB packed\n", $1 / 1e6}'
done
