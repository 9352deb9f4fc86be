# `make` lists the targets.
.DEFAULT_GOAL := help
SHELL := /bin/sh

PORT ?= 8080
# Its own folder, so that sample and real data never meet.
DEMO := data/demo
CATTLE := node bin/cattle.js
BENCHES := bench/open.ts bench/cold.ts bench/checksums.ts bench/address-parser.ts bench/lookups.ts bench/http-lookups.ts bench/lookup-shares.ts bench/processes.ts bench/market-build.ts bench/past-sales.ts bench/http-market.ts bench/parcels-build.ts bench/build-jobs.ts bench/nation.ts bench/delta.ts bench/fetch.ts bench/misses.ts
CRASHES := test/lib/delta test/delta/model.test.ts test/crash test/lib/sql/sql-path.test.ts test/pipeline/acting-texts.test.ts test/pipeline/named-files.test.ts test/pipeline/hostile-files.test.ts test/fetch/kills.test.ts test/fetch/nightly.test.ts \
  test/pipeline/publish/crash.test.ts test/pipeline/publish/disk-full.test.ts test/pipeline/publish/faults.test.ts test/pipeline/publish/gates.test.ts
CRASH_TABLE := /tmp/cattle-crash-table.txt
INSTALLED := node_modules/.package-lock.json

.PHONY: help install run build serve test bench crash fuzz kinds interop live-demo faults mutants clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

$(INSTALLED): package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $(INSTALLED)

install: $(INSTALLED) ## install the packages of the lockfile, without running their scripts

# The first free port from PORT on, so that it runs beside a server.
FREE_PORT := const {createServer} = require("node:net"); const look = (port) => createServer() \
  .once("error", () => look(port + 1)).listen(port, "127.0.0.1", function () { console.log(port); this.close(); }); look(Number(process.argv[1]))

run: $(INSTALLED) ## try it: generated sample, build, key, server on PORT (8080) or the next free one
	$(CATTLE) sample
	rm -rf $(DEMO)
	$(CATTLE) build --raw data/sample --out $(DEMO)
	@key=$$(CATTLE_DATA=$(DEMO) $(CATTLE) keys create --label demo) && \
	port=$$(node -e '$(FREE_PORT)' $(PORT)) && \
	printf '\nThis is generated sample data. Try, in another terminal:\n\n' && \
	printf "curl -s -H 'X-API-Key: %s' 'http://127.0.0.1:%s/price-by-county?zip=85326&limit=2'\n\n" "$$key" "$$port" && \
	printf "curl -s -H 'X-API-Key: %s' 'http://127.0.0.1:%s/public/land-agent/property/address-lookup?address=116+W+Bluestem+Rd&state=TX'\n\n" "$$key" "$$port" && \
	printf "curl -s -H 'X-API-Key: %s' 'http://127.0.0.1:%s/public/land-agent/property/location-search?latitude=33.33&longitude=-112.93&radius=0.5&use=agriculture'\n\n" "$$key" "$$port" && \
	printf 'The page, with this key: http://127.0.0.1:%s/#key=%s\n\n' "$$port" "$$key" && \
	printf 'Every endpoint, to try in a browser (Authorize takes the key): http://127.0.0.1:%s/docs\n' "$$port" && \
	printf 'Without a server: CATTLE_DATA=$(DEMO) npx cattle market price-by-county --zip 85326 --class steers\n\n' && \
	printf 'Stop the server with Ctrl-C.\n\n' && \
	CATTLE_DATA=$(DEMO) CATTLE_FILES=1 CATTLE_LOG_LEVEL=$${CATTLE_LOG_LEVEL:-warn} CATTLE_METRICS_PORT=$${CATTLE_METRICS_PORT:-0} exec $(CATTLE) serve --port "$$port"

build: $(INSTALLED) ## build and publish from data/raw
	$(CATTLE) build

serve: $(INSTALLED) ## serve the published build
	$(CATTLE) serve --port $(PORT)

test: $(INSTALLED) ## types, lint and all tests but the long ones, which .ci/run runs
	npm run --silent types
	npm run --silent lint
	npm test --silent

bench: $(INSTALLED) ## speed and memory; prints tables
	@for file in $(BENCHES); do echo "== $$file" && node_modules/.bin/node "$$file" || exit 1; done

crash: $(INSTALLED) ## the long reliability runs, some hours (B3, B14, D6, D7 need root, D4 strace); prints a table. CRASH_KILLRUN=600 s
	@rm -f $(CRASH_TABLE)
	@CRASH=1 CRASH_TABLE=$(CRASH_TABLE) npx vitest run --no-file-parallelism \
	  --reporter=default --reporter=./test/crash/table-reporter.ts $(CRASHES); \
	status=$$?; uname -srm; date -u +%F; sort $(CRASH_TABLE); exit $$status

fuzz: $(INSTALLED) ## 100,000 generated requests of all endpoints
	FUZZ_REQUESTS=100000 npx vitest run test/fuzz

kinds: $(INSTALLED) ## 200 random inputs of each kind of address and file that was once misread: how many are found, and how many wrong. SEED
	KINDS=200 npx vitest run test/written

interop: $(INSTALLED) ## open a build of the sample with other readers, call all endpoints with generated clients, as far as they can be had
	test/interop/run.sh

live-demo: $(INSTALLED) ## a week of nights without keys against a played internet, with a table; then nights with keys, troubles, a full disk and a miss
	node_modules/.bin/node test/fetch/internet/seven-nights.ts
	node_modules/.bin/node test/fetch/troubled-nights.ts

faults: $(INSTALLED) ## each of ten faults at each source that a night asks: what it costs, and what the operator reads; prints a table
	node_modules/.bin/node test/fetch/fault-table.ts

mutants: $(INSTALLED) ## change 300 small things of the program, one at a time, and list those that the related tests let pass. SEED, MUTANTS
	node_modules/.bin/node test/mutants/run.ts

clean: ## remove what make run and make bench made
	rm -rf $(DEMO) data/sample
