#!/usr/bin/env bash
# Builds the program for each system, the same bytes wherever and however often
# it is built from one commit with one version of Go, and writes the checksums
# beside them.
#
#   deploy/dist.sh [FOLDER [OS/ARCH …]]
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:-dist}
shift || true
targets=${*:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
mkdir -p "$out"
# Only what this script has written: make site writes below dist too.
rm -f "$out"/uncoil-* "$out"/SHA256SUMS
out=$(cd "$out" && pwd)

# Nothing of the machine goes in: no path, no cgo, no flags of the user. The
# version, the commit and its time come from the repository.
export CGO_ENABLED=0 GOFLAGS= GOAMD64=v1 GOARM64=v8.0
go generate ./web # the engine that the page has, the same bytes as well
for target in $targets; do
  os=${target%/*} arch=${target#*/}
  suffix=$os-$arch
  [ "$os" = windows ] && suffix=$suffix.exe
  name=uncoil-$suffix
  echo "$name"
  GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=true -ldflags='-s -w -buildid=' -o "$out/$name" ./cmd/uncoil
  # Go says nothing where it finds no repository, as in a linked work tree.
  go version -m "$out/$name" | grep -q 'vcs.revision=' ||
    { echo "no version is stamped into $name: build in a clone of the repository" >&2; exit 1; }
done
(cd "$out" && sha256sum uncoil-* > SHA256SUMS)
