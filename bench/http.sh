#!/usr/bin/env bash
# Runs the service beside a constant handler under plain net/http, and one that decodes and
# encodes the JSON, in turns, and prints the ratios of requests a second, of the processor time that a request
# takes in the server (user and system, from /proc), and of the 99th percentile.
# Requests a second count the load generator too, which shares the processors.
#   CONNECTIONS=32 SECONDS_EACH=10 ROUNDS=5 bench/http.sh
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5} each=${SECONDS_EACH:-10} connections=${CONNECTIONS:-32}
service=127.0.0.1:18080 constant=127.0.0.1:18081 json=127.0.0.1:18082

if ! command -v wrk >/dev/null; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends wrk
fi
scratch=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT

cat >"$scratch/post.lua" <<'LUA'
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = [[{"curl":"curl -X POST 'https://api.example.com/v1/users' -H 'Content-Type: application/json' -H 'Authorization: Bearer abc.def' -d '{\"name\":\"Ann\",\"age\":41,\"tags\":[\"a\",\"b\"]}'"}]]
LUA
answer='{"method":"POST","url":"https://api.example.com/v1/users","headers":{"Content-Type":"application/json","Authorization":"Bearer abc.def"},"data":{"name":"Ann","age":41,"tags":["a","b"]}}'

CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$scratch/" ./cmd/uncoil ./bench/constant
# The log of the service goes to a file, as it would anywhere.
"$scratch/uncoil" serve -addr "$service" 2>"$scratch/log" &
pids+=($!)
"$scratch/constant" -addr "$constant" -bytes ${#answer} &
pids+=($!)
"$scratch/constant" -addr "$json" -json &
pids+=($!)
for addr in "$service" "$constant" "$json"; do
  for ((i = 0; i < 50; i++)); do
    curl -s -o /dev/null "http://$addr/healthz" && break
    sleep 0.1
  done
done

hertz=$(getconf CLK_TCK)
cpu() { awk '{print $14 + $15}' "/proc/$1/stat"; }
load() { # address, process: requests a second, microseconds of the processor for each, p99 in ms
  local before after
  before=$(cpu "$2")
  wrk -t1 -c"$connections" -d"${each}s" --latency -s "$scratch/post.lua" "http://$1/api/convert" >"$scratch/wrk"
  after=$(cpu "$2")
  if grep -q 'Non-2xx\|Socket errors' "$scratch/wrk"; then cat "$scratch/wrk" >&2; exit 1; fi
  awk -v ticks=$((after - before)) -v hertz="$hertz" '/requests in/ {n = $1} /Requests\/sec/ {r = $2}
    $1 == "99%" {v = $2; if (v ~ /us$/) v = v / 1000; else if (v ~ /ms$/) v = v + 0; else v = v * 1000}
    END {print r, ticks / hertz * 1e6 / n, v}' "$scratch/wrk"
}
for ((i = 1; i <= rounds; i++)); do
  load "$service" "${pids[0]}" >>"$scratch/own"
  load "$constant" "${pids[1]}" >>"$scratch/constant.out"
  load "$json" "${pids[2]}" >>"$scratch/json.out"
done
median() { awk -v c="$2" '{print $c}' "$scratch/$1" | sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
compare() { # column, what it is, format
  awk -v what="$2" -v f="$3" -v o="$(median own "$1")" -v c="$(median constant.out "$1")" \
    -v j="$(median json.out "$1")" \
    'BEGIN { printf "%s: uncoil " f ", constant " f ", ratio %.2f; JSON alone " f ", ratio %.2f\n", what, o, c, o / c, j, o / j }'
}
compare 1 'requests a second' '%.0f'
compare 2 'microseconds of the processor for a request' '%.1f'
compare 3 'p99 in ms' '%.2f'
