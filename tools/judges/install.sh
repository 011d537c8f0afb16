#!/usr/bin/env bash
# install.sh DIR [check|nightly]: installs the judges of versions.txt into DIR, each in a
# folder of its own: DIR/maven/FOLDER holds jars, DIR/pypi/FOLDER an environment of Python,
# DIR/npm/FOLDER modules, DIR/cargo/FOLDER built crates, and DIR/cargo-program/FOLDER/bin and
# DIR/go-program/FOLDER/bin programs that are built. What is there stays. What cannot be
# fetched is one line, and no failure: the proof leaves it out.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
when=${2:-check}

# wanted REGISTRY prints "folder package version" of those to install.
wanted() {
  awk -v registry="$1" -v when="$when" '$1 == registry && (when == "nightly" || $5 == "check") { print $2, $3, $4 }' "$here/versions.txt"
}

# reason LOG prints why an installation failed: the first line of an error, or else the last.
reason() {
  { grep -m 1 -i error "$1" || tail -n 1 "$1"; } | sed 's/\x1b\[[0-9;]*m//g' | cut -c 1-300
}

# fetched FOLDER WANT COMMAND…: runs the command unless the folder has what is wanted.
fetched() {
  local folder=$1 want=$2
  shift 2
  if [ "$(cat "$folder/.version" 2>/dev/null)" = "$want" ]; then return; fi
  rm -rf "$folder"
  mkdir -p "$folder"
  if "$@" >"$folder/.log" 2>&1; then
    echo "$want" >"$folder/.version"
    echo "judge: ${folder#"$dir"/}: ${want//$'\n'/, }"
  else
    echo "judge: ${folder#"$dir"/} cannot be fetched, so nothing is proven with it: $(reason "$folder/.log")"
  fi
}

maven() { # FOLDER WANT
  {
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>judges</groupId><artifactId>judge</artifactId><version>1</version><dependencies>'
    while read -r package version; do
      printf '<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>\n' "${package%:*}" "${package#*:}" "$version"
    done <<<"$2"
    echo '</dependencies></project>'
  } >"$1/pom.xml"
  mvn --batch-mode --quiet --file "$1/pom.xml" dependency:copy-dependencies -DoutputDirectory="$1" -DincludeScope=runtime
}

pypi() { # FOLDER WANT
  python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check $(sed 's/ /==/' <<<"$2")
}

npm_modules() { # FOLDER WANT
  npm install --prefix "$1" --silent --no-fund --no-audit $(sed 's/ /@/' <<<"$2")
}

cargo_crates() { # FOLDER WANT
  mkdir -p "$1/src" && touch "$1/src/lib.rs"
  {
    printf '[package]\nname = "judge"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
    while read -r package version; do
      local features=${package#*[}
      features=${features%]}
      printf '%s = { version = "%s", features = ["%s"] }\n' "${package%%[*}" "$version" "${features//,/\", \"}"
    done <<<"$2"
  } >"$1/Cargo.toml"
  (cd "$1" && cargo build --quiet --target-dir . && rustc --print sysroot >sysroot)
}

cargo_program() { # FOLDER WANT
  cargo install --quiet --debug --locked --root "$1" $(sed 's/ / --version /' <<<"$2")
}

go_program() { # FOLDER WANT
  GOBIN=$1/bin GOFLAGS=-mod=mod go install "${2/ /@}"
}

for registry in maven pypi npm cargo cargo-program go-program; do
  install=${registry/-/_}
  case $registry in npm) install=npm_modules ;; cargo) install=cargo_crates ;; esac
  for folder in $(wanted "$registry" | cut -d ' ' -f 1 | sort -u); do
    want=$(wanted "$registry" | awk -v folder="$folder" '$1 == folder { print $2, $3 }')
    fetched "$dir/$registry/$folder" "$want" "$install" "$dir/$registry/$folder" "$want"
  done
done
