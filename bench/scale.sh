#!/usr/bin/env bash
# Measures what a fleet is made of: replicas of the service behind one address,
# on one core and on two, and the time to the answer at 50 and at 90 % of what
# one replica on one core answers, beside a constant answer under plain net/http
# at the same rate, which shows what the machine adds. The generator has the
# second core, so this takes a machine with two at least. Each number is the
# median of ROUNDS.
#   SECONDS_EACH=5 ROUNDS=3 bench/scale.sh
set -euo pipefail
cd "$(dirname "$0")/.."
each=${SECONDS_EACH:-5} rounds=${ROUNDS:-3} addr=127.0.0.1:18090 constant=127.0.0.1:18091
scratch=$(mktemp -d)
pids=()
stop() {
  for pid in "${pids[@]}"; do
    kill -INT "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true # the replicas are no children of this shell, so it does not know them
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  done
  pids=()
}
trap 'stop; rm -rf "$scratch"' EXIT
go build -o "$scratch/" ./cmd/uncoil ./bench/pace ./bench/constant

# Opens the address, and runs a replica that takes it over from systemd, as each
# of them believes: the kernel gives each connection to one of them.
cat >"$scratch/replicas.py" <<'PY'
import os, socket, sys
program, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("127.0.0.1", port))
s.listen(4096)
for _ in range(count):
    pid = os.fork()
    if pid == 0:
        os.dup2(2, 1)
        os.dup2(s.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
        os.execv(program, [program, "serve", "-addr", "systemd"])
    print(pid, flush=True)
PY
start() { # replicas, cores for them (a list of taskset), GOMAXPROCS of each
  mapfile -t pids < <(GOMAXPROCS=$3 taskset -c "$2" python3 "$scratch/replicas.py" "$scratch/uncoil" "${addr#*:}" "$1" 2>"$scratch/log")
  for ((i = 0; i < 50; i++)); do
    curl -s -o /dev/null "http://$addr/readyz" && return
    sleep 0.1
  done
  cat "$scratch/log" >&2
  exit 1
}
pace() { GOMAXPROCS=2 taskset -c 1 "$scratch/pace" -connections 64 -time "${each}s" "$@"; }

hertz=$(getconf CLK_TCK)
ticks() { local sum=0 pid; for pid in "${pids[@]}"; do sum=$((sum + $(awk '{print $14 + $15}' "/proc/$pid/stat"))); done; echo "$sum"; }
megabytes() { local pid; for pid in "${pids[@]}"; do awk '/VmHWM/ {print $2 / 1024}' "/proc/$pid/status"; done | sort -n | tail -n 1; }
load() { # file: a line of requests a second, microseconds of the processor for each, megabytes of the largest
  local before after out
  pace -addr "$addr" -time 1s >/dev/null # to warm up
  before=$(ticks)
  out=$(pace -addr "$addr")
  after=$(ticks)
  echo "$out $((after - before)) $hertz $each $(megabytes)" | awk '$4 > 0 {exit 1} {print $1, $5 / $6 * 1e6 / ($1 * $7), $8}' >>"$scratch/$1"
}
median() { awk -v c="$2" '{print $c}' "$scratch/$1" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

configurations=("1 0 1" "2 0 1" "4 0 1" "1 0,1 2" "2 0,1 1" "4 0,1 1")
for ((r = 1; r <= rounds; r++)); do
  for c in "${configurations[@]}"; do
    read -r replicas cores procs <<<"$c"
    start "$replicas" "$cores" "$procs"
    load "load-$replicas-$cores"
    stop
  done
done
base=$(median load-1-0 1)
printf 'load average %s\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)"
for c in "${configurations[@]}"; do
  read -r replicas cores _ <<<"$c"
  f=load-$replicas-$cores
  awk -v n="$replicas" -v c="$cores" -v r="$(median "$f" 1)" -v us="$(median "$f" 2)" -v mb="$(median "$f" 3)" -v b="$base" \
    'BEGIN { printf "%d replicas on cores %s: %.0f requests a second (%.2f of one on core 0), %.1f µs of the processor each, %.0f MB the largest\n", n, c, r, r / b, us, mb }'
done
# What one replica answers is asked again before each round, because the speed of a
# shared machine changes within minutes.
start 1 0 1
GOMAXPROCS=1 taskset -c 0 "$scratch/constant" -addr "$constant" -bytes 184 &
pids+=($!)
for ((r = 1; r <= rounds; r++)); do
  read -r now _ <<<"$(pace -addr "$addr")"
  for share in 50 90; do
    rate=$((now * share / 100))
    echo "$now $(pace -addr "$addr" -rate "$rate") $(pace -addr "$constant" -rate "$rate")" >>"$scratch/share-$share"
  done
done
for share in 50 90; do
  f=share-$share
  awk -v s="$share" -v n="$(median "$f" 1)" -v r="$(median "$f" 2)" -v m="$(median "$f" 3)" -v p="$(median "$f" 4)" -v cm="$(median "$f" 7)" -v cp="$(median "$f" 8)" \
    'BEGIN { printf "at %d %% of the %d that one replica on core 0 answers: %d requests a second, p50 %.2f ms, p99 %.2f ms; a constant answer: p50 %.2f ms, p99 %.2f ms\n", s, n, r, m / 1000, p / 1000, cm / 1000, cp / 1000 }'
done
