#!/usr/bin/env bash
# Finds the program for a workflow: PROGRAM where that names one, else that of the
# release in the folder RELEASE, else it is built from SOURCES.
set -euo pipefail

if [ -n "$PROGRAM" ]; then
  [ -x "$PROGRAM" ] || { echo "::error::the input program names no program: $PROGRAM"; exit 2; }
  case $PROGRAM in
    /* | [A-Za-z]:*) ;;
    *) PROGRAM=$PWD/$PROGRAM ;;
  esac
elif [ -n "$RELEASE" ]; then
  case ${RUNNER_OS:-Linux} in
    Windows) system=windows suffix=.exe ;;
    macOS) system=darwin suffix= ;;
    *) system=linux suffix= ;;
  esac
  case ${RUNNER_ARCH:-X64} in
    ARM64) machine=arm64 ;;
    *) machine=amd64 ;;
  esac
  name=uncoil-$system-$machine$suffix
  folder=$(mktemp -d "$RUNNER_TEMP/uncoil-XXXXXX")
  cd "$folder"
  for file in "$name" SHA256SUMS; do
    curl -sSfL --proto =https,file --retry 3 -o "$file" "${RELEASE%/}/$file"
  done
  # Only the line of this file: the others are not here.
  awk -v name="$name" '$2 == name' SHA256SUMS >sum
  [ -s sum ] || { echo "::error::SHA256SUMS of the release does not name $name"; exit 2; }
  if command -v sha256sum >/dev/null; then sha256sum --check --quiet sum; else shasum -a 256 --check --quiet sum; fi
  chmod +x "$name"
  PROGRAM=$folder/$name
else
  PROGRAM=$RUNNER_TEMP/uncoil-built
  CGO_ENABLED=0 go build -C "$SOURCES" -o "$PROGRAM" ./cmd/uncoil
fi
echo "program=$PROGRAM" >>"$GITHUB_OUTPUT"
