# What one can run here. `make help` lists it.
GO ?= go
LINT ?= github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: help build test race lint vet run bench chaos fuzz ci release clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

build: ## build the one binary into ./lull
	$(GO) build -o lull ./cmd/lull

test: ## all tests
	$(GO) test ./...

race: ## all tests with the race detector
	$(GO) test -race ./...

vet: ## go vet
	$(GO) vet ./...

lint: ## golangci-lint, at the version CI uses
	$(GO) run $(LINT) run ./...

run: ## count the words of Go's own source
	GOROOT=$$($(GO) env GOROOT) $(GO) run ./cmd/lull run examples/wordcount.yaml

bench: ## the benchmarks that print tables
	$(GO) run ./test/bench tasks
	$(GO) run ./test/bench decide
	$(GO) run ./test/bench idle

chaos: ## kill everything at random points (SEEDS=20 FROM=1)
	$(GO) test ./test/chaos -count=1 -timeout 60m -chaos.seeds $${SEEDS:-20} -chaos.from $${FROM:-1} -v

fuzz: ## fuzz the decoders for a minute each
	$(GO) test ./subjects -fuzz FuzzDecode -fuzztime 60s
	$(GO) test ./subjects -fuzz FuzzScan -fuzztime 60s
	$(GO) test ./subjects/spec -fuzz FuzzParse -fuzztime 60s
	$(GO) test ./sim/trace -fuzz FuzzHosts -fuzztime 60s
	$(GO) test ./sim/trace -fuzz FuzzJobs -fuzztime 60s
	$(GO) test ./classifier -fuzz FuzzHistory -fuzztime 60s -fuzzminimizetime 1s

release: ## the archives of a release, with their checksums, into ./dist
	deploy/release

ci: ## what CI runs
	bash .ci/run

clean: ## remove what the targets made
	rm -rf lull bin dist examples/*-out
