#!/usr/bin/env bash
# Checks FILES in a workflow, with annotations, and as SARIF where SARIF is true. It
# does with the bash of macOS, 3.2.
set -uo pipefail

arguments=(-format github)
if [ "$ADVICE" = true ]; then arguments+=(-advice); fi
if [ -n "$OPENAPI" ]; then arguments+=(-openapi "$OPENAPI"); fi
if [ -n "$BASELINE" ]; then arguments+=(-baseline "$BASELINE"); fi
if [ -n "$SINCE" ]; then arguments+=(-since "$SINCE"); fi
# A checkout of this action below the workspace is not the project's.
own=${GITHUB_ACTION_PATH#"$PWD"/}
if [ "$own" != "$GITHUB_ACTION_PATH" ]; then arguments+=(-exclude "/$own/"); fi
while read -r pattern; do
  if [ -n "$pattern" ]; then arguments+=(-exclude "$pattern"); fi
done <<<"$EXCLUDE"
arguments+=(--)
while read -r file; do
  if [ -n "$file" ]; then arguments+=("$file"); fi
done <<<"$FILES"

"$PROGRAM" lint "${arguments[@]}"
code=$?
if [ "$SARIF" = true ] && [ "$code" -lt 2 ]; then
  report=$RUNNER_TEMP/uncoil.sarif
  arguments[1]=sarif
  "$PROGRAM" lint "${arguments[@]}" >"$report" 2>/dev/null
  echo "sarif=$report" >>"$GITHUB_OUTPUT"
fi
if [ "$code" = 1 ] && [ "$FAIL" = false ]; then code=0; fi
exit "$code"
