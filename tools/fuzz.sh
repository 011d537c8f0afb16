#!/usr/bin/env bash
# Runs every fuzz target of the module, each for a while, and names those that
# failed: tools/fuzz.sh 5s [FOLDER]. What the fuzzer learns is kept in the folder,
# or else with the cache of Go.
#
# Each package is built once, with the fuzzer's instrumentation; go test -fuzz
# would link it again for each target.
set -euo pipefail
cd "$(dirname "$0")/.."
time=$1
learned=${2:-$(go env GOCACHE)/fuzz}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
binary=$scratch/test log=$scratch/log

# The fuzzer of Go before 1.27 may report the end of its time as the failure of a
# target. Whatever it finds leaves more than that one line.
ended() {
  grep -A1 '^--- FAIL: ' "$log" | grep -qx ' *context deadline exceeded' && ! grep -Eq 'Failing input|panic:|terminated unexpectedly' "$log"
}

count=0
failed=()
while read -r package folder; do
  if ! grep -qs '^func Fuzz' "$folder"/*_test.go; then
    continue
  fi
  if ! go test -c -fuzz . -o "$binary" "$package" || ! targets=$(cd "$folder" && "$binary" -test.list '^Fuzz' | grep '^Fuzz'); then
    failed+=("$package, which does not build or lists no target")
    continue
  fi
  for target in $targets; do
    count=$((count + 1))
    echo "== $package $target"
    if ! (cd "$folder" && "$binary" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" -test.fuzzcachedir "$learned/$package") 2>&1 | tee "$log"; then
      if ended; then
        echo 'The time was over.'
      else
        failed+=("$package $target")
      fi
    fi
  done
done < <(go list -f '{{.ImportPath}} {{.Dir}}' ./...)

echo "$count fuzz targets, ${#failed[@]} failures"
if ((${#failed[@]})); then
  printf '  %s\n' "${failed[@]}"
  exit 1
fi
