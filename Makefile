# `make` alone checks everything.

.PHONY: judges schemathesis quick vscode vscode-host runtimes bench-npm wheel many wasi clib firefox check test fmt bench bench-growth bench-http bench-peers ratios fuzz nightly nightly-fuzz builds attacks formatters prove prove-random differential beam bench-beam bench-scale build engine web site dist manifests load start

check: fmt test

# The quick run while you work: less than two minutes of the processor, where the cache
# has what is not changed.
quick:
	go vet ./...
	go test -short ./...

test:
	go vet ./...
	cd tools && go vet ./... && go test ./...
	GOOS=js GOARCH=wasm go vet ./cmd/uncoil-wasm ./cmd/uncoil
	GOOS=js GOARCH=wasm go vet -tags uncoil_parse ./cmd/uncoil-wasm ./internal/edge/exports ./internal/edge/api
	GOOS=wasip1 GOARCH=wasm go vet ./cmd/uncoil-wasi
	CGO_ENABLED=0 go vet ./clib/... ./internal/proof/...
	go tool -modfile=tools/go.mod staticcheck ./...
	go test -race ./...
	$(MAKE) manifests
	$(MAKE) beam

# The manifests for Kubernetes, held against its types, and what makes a release:
# modules of their own.
manifests:
	cd deploy/kubernetes && go vet ./... && go test ./...
	cd deploy/release && go vet ./... && go test ./...

# The transforms for Apache Beam, in a module of its own.
beam:
	cd integrations/beam && go vet ./... && go test ./...

fmt:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'run gofmt -w on these'; exit 1; }

# The program, built as for a release.
build: engine
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/uncoil ./cmd/uncoil

# A release in dist/: programs for six systems, archives, packages, manifests for
# package managers, lists of what is inside, and checksums. RELEASE_URL is the
# folder from which they will be downloaded.
dist:
	deploy/dist.sh dist

# Send mixed requests to a running service for a minute; needs wrk.
load:
	wrk -t2 -c$(or $(C),64) -d60s --latency -s deploy/load/mixed.lua $(or $(URL),http://127.0.0.1:8080)

# The engine for the browser, part of the page and of the npm package. It needs
# only Go, and is built again only after a Go file has changed.
engine: web/engine/uncoil.wasm.br

web/engine/uncoil.wasm.br: go.mod go.sum $(shell find *.go cmd/uncoil-wasm diag request code internal web/build -name '*.go' ! -name '*_test.go' 2>/dev/null) $(wildcard code/internal/plan/digest/*) $(wildcard web/page/*)
	go generate ./web

# The library for C, shared and static, for this machine; needs a C compiler.
clib:
	go build -buildmode=c-shared -trimpath -ldflags='-s -w' -o bin/libuncoil.so ./clib
	go build -buildmode=c-archive -trimpath -ldflags='-s -w' -o bin/libuncoil.a ./clib

# The engine for hosts of WebAssembly with WASI.
wasi:
	mkdir -p bin
	go run ./web/build -wasi bin/uncoil-wasi.wasm

# A wheel for Python, for this machine; needs Python.
wheel:
	mkdir -p bin
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/uncoil-$$(go env GOOS)-$$(go env GOARCH)$$(go env GOEXE) ./cmd/uncoil
	python3 python/wheel.py bin bin/uncoil-$$(go env GOOS)-$$(go env GOARCH)$$(go env GOEXE)

# Build and test the page and the npm package; needs Node, npm and Chromium.
web: engine
	go test ./web ./internal/edge/httpapi
	cd web && npm ci && npm test
	cd npm && npm test

# Test and pack the extension for VS Code; needs Go, Node and npm.
vscode:
	cd integrations/vscode && npm ci && npm test && npm run build

# The extension in VS Code itself, in Chromium: a server of VS Code comes from npm, 300 MB.
vscode-host:
	cd integrations/vscode && npm ci && node host/host.mjs

# The main flows of the page in Firefox.
firefox: engine
	cd web && npm ci && node --test nightly/firefox.test.mjs

# The page as plain files, for any host.
SITE ?= dist/site
site: engine
	go run ./web/site $(SITE)

bench:
	go test -run '^$$' -bench . -skip 'Linear|Start' -benchmem -benchtime 0.3s -count 10 ./... | tee bench.out
	go tool -modfile=tools/go.mod benchstat bench.out

# Show how the time per byte grows with the length of each kind of text. This
# takes ten minutes.
bench-growth:
	go test -run '^$$' -bench Linear -cpu 1 -count 3 -timeout 1h ./internal/engine | tee bench.out
	go tool -modfile=tools/go.mod benchstat bench.out

# Compare the service with a constant handler (needs wrk), and uncoil with the
# best-known peer (needs Node and npm), in turns; both print the ratio.
bench-http:
	bench/http.sh

# The three ratios of docs/performance.md: a batch beside JSON alone, beside the best-known
# peer, and the service beside a handler that does the JSON.
ratios:
	ROUNDS=3 bench/peers.sh
	ROUNDS=3 bench/http.sh

bench-peers:
	bench/peers.sh

# What a process of Node takes for one command with the npm package; needs Node and npm.
bench-npm:
	bench/npm.sh

# Compare a pipeline on Beam's embedded runner with uncoil batch.
bench-beam:
	bench/beam.sh

# Measure replicas of the service behind one address; needs two cores.
bench-scale:
	bench/scale.sh

# Compare a run of the command line with an empty program, and print the sizes
# of the programs.
start: engine
	go test -run '^$$' -bench Start -benchtime 500x ./cmd/uncoil

# FUZZTIME for each target in turn; those that fail are named at the end.
FUZZTIME ?= 1m
fuzz:
	tools/fuzz.sh $(FUZZTIME)

# What takes hours: each fuzz target for five minutes, random commands against
# curl, attacks on a service with the default limits, and the programs of all
# targets for fixed and for random commands, run and held against formatters, pages
# that are built, many commands through the package for Python, the npm package in other runtimes, and
# requests that Schemathesis makes of openapi.yaml. All of them run, and then those that failed are named.
nightly:
	$(MAKE) --keep-going nightly-fuzz differential attacks formatters firefox vscode-host builds many runtimes schemathesis prove prove-random

nightly-fuzz:
	tools/fuzz.sh 5m

# Build documents that uncoil snippets has written with the programs that make pages of
# them, those of npm too.
builds:
	go test ./internal/edge/snippets -run TestBuilds -v -builds -timeout 30m

# The npm package in Deno, Bun, workerd and Next, which npm installs in a scratch folder.
runtimes:
	cd npm && node --test nightly/

# A hundred thousand commands through the package for Python.
many:
	UNCOIL_MANY=100000 go test ./python -run TestPackage -count 1 -v -timeout 30m

# Attack a service with the default limits from a few addresses.
attacks:
	go test ./internal/edge/serve -run TestFewAddresses -v -attack.scale 1

# Install the judges of tools/judges/versions.txt, the large ones too, where proofs find them.
UNCOIL_JUDGES ?= $(CURDIR)/bin/judges
export UNCOIL_JUDGES
judges:
	tools/judges/install.sh '$(UNCOIL_JUDGES)' nightly

# Schemathesis asks the service for half an hour what openapi.yaml describes.
schemathesis: judges
	go test ./internal/edge/httpapi -run TestSchemathesis -v -timeout 1h -schemathesis $(or $(FOR),30m)

# Run the programs of all targets whose runtimes are installed, and print the
# table of docs/proof.md. TARGETS and CASES are patterns; UNCOIL_NODE_MODULES is a
# folder with the clients for Node.
prove: judges
	UNCOIL_REQUIRE_CURL=1 go test ./code -run 'TestProof|TestIdiomaticProof|TestWireMock$$' -timeout 0 -v -prove -prove.save -prove.targets '$(TARGETS)' -prove.cases '$(CASES)'

# Hold the programs of all proven commands against the formatters of their languages.
formatters:
	go test ./code -run TestFormatters -timeout 0 -prove

# N random commands in the programs of all targets.
prove-random: judges
	UNCOIL_REQUIRE_CURL=1 go test ./code -run TestRandom -timeout 0 -v -prove -prove.targets '$(TARGETS)' -random.n $(or $(N),300) -random.seed $(or $(SEED),1)

# N random commands against the curl on PATH, or the one that UNCOIL_CURL names, read
# AS posix or auto.
differential:
	UNCOIL_REQUIRE_CURL=1 go test ./internal/proof/oracle -run Differential -timeout 0 -v -differential.seed 0 -differential.n $(or $(N),20000) -differential.shell $(or $(AS),posix)
