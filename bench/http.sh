#!/usr/bin/env bash
# Runs the service, the same service with a handler that reads what it
# receives and writes a constant of the same size, and that handler alone in
# a server of net/http, in turns, and prints the ratios of their throughput.
#   CONNECTIONS=32 SECONDS_EACH=10 ROUNDS=5 bench/http.sh
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5} each=${SECONDS_EACH:-10} connections=${CONNECTIONS:-32}
own=127.0.0.1:18080 constant=127.0.0.1:18081 bare=127.0.0.1:18082

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

CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$scratch/uncoil" ./cmd/uncoil
go test -c -o "$scratch/constant.test" ./internal/httpapi
# The log of the service goes to a file, as in production.
"$scratch/uncoil" serve -addr "$own" 2>"$scratch/log" &
pids+=($!)
"$scratch/constant.test" -test.run ^$ -test.bench ConstantServer -test.timeout 0 -constant.addr "$constant" -constant.bytes ${#answer} >/dev/null 2>"$scratch/log2" &
pids+=($!)
"$scratch/constant.test" -test.run ^$ -test.bench ConstantServer -test.timeout 0 -constant.addr "$bare" -constant.bytes ${#answer} -constant.bare >/dev/null &
pids+=($!)
for addr in "$own" "$constant" "$bare"; do
  for ((i = 0; i < 50; i++)); do
    curl -s -o /dev/null "http://$addr/healthz" && break
    sleep 0.1
  done
done

load() { # requests a second and p99 in ms
  wrk -t1 -c"$connections" -d"${each}s" --latency -s "$scratch/post.lua" "http://$1/api/convert" >"$scratch/wrk"
  if grep -q 'Non-2xx\|Socket errors' "$scratch/wrk"; then cat "$scratch/wrk" >&2; exit 1; fi
  awk '/Requests\/sec/ {r = $2}
    $1 == "99%" {v = $2; if (v ~ /us$/) v = v / 1000; else if (v ~ /ms$/) v = v + 0; else v = v * 1000}
    END {print r, v}' "$scratch/wrk"
}
for ((i = 1; i <= rounds; i++)); do
  load "$own" >>"$scratch/own"
  load "$constant" >>"$scratch/constant"
  load "$bare" >>"$scratch/bare"
done
median() { awk -v c="$2" '{print $c}' "$1" | sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
compare() { # a name, and the file of what it got done
  awk -v name="$1" -v o="$(median "$scratch/own" 1)" -v c="$(median "$2" 1)" \
    -v op="$(median "$scratch/own" 2)" -v cp="$(median "$2" 2)" 'BEGIN {
    printf "uncoil %.0f requests a second, %s %.0f, ratio %.2f; p99 %.2f ms, %.2f ms, ratio %.2f\n", o, name, c, o / c, op, cp, op / cp }'
}
compare 'constant in the service' "$scratch/constant"
compare 'constant alone' "$scratch/bare"
