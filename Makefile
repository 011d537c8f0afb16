# The few things that are done often. `make` alone checks everything.

.PHONY: check test fmt bench bench-growth bench-http bench-peers fuzz differential build engine web site dist manifests load start

check: fmt test

test:
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./cmd/uncoil-wasm
	go tool -modfile=tools/go.mod staticcheck ./...
	go test -race ./...
	$(MAKE) manifests

# The manifests for Kubernetes, held against its types in a module of its own.
manifests:
	cd deploy/kubernetes && go vet ./... && go test ./...

fmt:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'run gofmt -w on these'; exit 1; }

# The program, as a release has it.
build: engine
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/uncoil ./cmd/uncoil

# The programs for each system, in dist/, with checksums.
dist:
	deploy/dist.sh dist

# Mixed requests for a minute against a service that runs; needs wrk.
load:
	wrk -t2 -c$(or $(C),64) -d60s --latency -s deploy/load/mixed.lua $(or $(URL),http://127.0.0.1:8080)

# The engine for the browser, which the page and the npm package contain. It
# takes nothing but Go, and is built again only when a file of Go has changed.
engine: web/engine/uncoil.wasm.br

web/engine/uncoil.wasm.br: go.mod go.sum $(shell find *.go cmd/uncoil-wasm diag request code internal web/build -name '*.go' ! -name '*_test.go' 2>/dev/null)
	go generate ./web

# The page and the npm package, built and tested. This takes Node, npm and
# Chromium too.
web: engine
	go test ./web ./internal/httpapi
	cd web && npm ci && npm test
	cd npm && npm test

# The page as plain files, for any host.
SITE ?= dist/site
site: engine
	go run ./web/site $(SITE)

bench:
	go test -run '^$$' -bench . -skip 'Linear|Start' -benchmem -benchtime 0.3s -count 10 ./... | tee bench.out
	go tool -modfile=tools/go.mod benchstat bench.out

# How the time for a byte grows with the text, of each kind. This takes ten
# minutes.
bench-growth:
	go test -run '^$$' -bench Linear -cpu 1 -count 3 -timeout 1h . | tee bench.out
	go tool -modfile=tools/go.mod benchstat bench.out

# The service beside a constant answer, and uncoil beside the best-known peer,
# in turns; both print the ratio. They need wrk, and Node with npm.
bench-http:
	bench/http.sh

bench-peers:
	bench/peers.sh

# How soon a run of the command line ends, beside a program that does nothing,
# and the sizes of the programs.
start: engine
	go test -run '^$$' -bench Start -benchtime 500x ./cmd/uncoil

# FUZZTIME for each target in turn.
FUZZTIME ?= 1m
fuzz:
	@for p in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "== $$p $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
	  done; \
	done

# N random commands against the curl on PATH, or the one that UNCOIL_CURL names.
N ?= 20000
differential:
	UNCOIL_REQUIRE_CURL=1 go test ./internal/oracle -run Differential -timeout 0 -v -differential.seed 0 -differential.n $(N)
