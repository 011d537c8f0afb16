#!/usr/bin/env bash
# Builds a release, the same bytes wherever and however often it is built from
# one commit with one version of Go: the program for each system, the engine for WASI,
# the manual, the completions, and what deploy/release makes of them.
#
#   deploy/dist.sh [FOLDER [OS/ARCH …]]
#
# RELEASE_URL is the folder from which people will download the files.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:-dist}
shift || true
targets=${*:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
mkdir -p "$out"
# Only what this script has written: make site writes below dist too.
rm -rf "$out"/uncoil[-_.]* "$out"/man "$out"/completions "$out"/SHA256SUMS
out=$(cd "$out" && pwd)

# Nothing of the machine goes in: no path, no cgo, no flags of the user. The
# version, the commit and its time come from the repository.
export CGO_ENABLED=0 GOFLAGS= GOAMD64=v1 GOARM64=v8.0
step() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
step engine
go generate ./web # that the page has, the same bytes as well
host=$(go env GOHOSTOS)-$(go env GOHOSTARCH)
own=
for target in $targets; do
  os=${target%/*} arch=${target#*/}
  suffix=$os-$arch
  [ "$os" = windows ] && suffix=$suffix.exe
  name=uncoil-$suffix
  step "$name"
  GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=true -ldflags='-s -w -buildid=' -o "$out/$name" ./cmd/uncoil
  # Go says nothing where it finds no repository, as in a linked work tree.
  go version -m "$out/$name" | grep -q 'vcs.revision=' ||
    { echo "no version is stamped into $name: build in a clone of the repository" >&2; exit 1; }
  [ "$os-$arch" = "$host" ] && own=$out/$name
done

step 'engine for WASI'
go run ./web/build -wasi "$out/uncoil-wasi.wasm"

step 'manual, completions'
[ -n "$own" ] || { echo "$host must be among the systems, because its program writes the manual" >&2; exit 1; }
mkdir "$out/man" "$out/completions"
"$own" __manual "$out/man"
"$own" completion bash >"$out/completions/uncoil.bash"
"$own" completion zsh >"$out/completions/_uncoil"
"$own" completion fish >"$out/completions/uncoil.fish"
"$own" completion powershell >"$out/completions/uncoil.ps1"

step 'archives, packages, manifests'
(cd deploy/release && go run . ${RELEASE_URL:+-url "$RELEASE_URL"} "$out")
step done
