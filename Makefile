# Flagfall. `make run` starts the server, `make test` runs every test; both install what a fresh Debian machine lacks.

.PHONY: run test setup web-check go-check go-test go-test-plain browser-test loadtest chaos endgame model bench fuzz web fmt

run:
	go run ./server

# The order is from quick to slow; the runners print their own summaries.
test: setup web-check go-check go-test go-test-plain browser-test

setup:
	@bash .ci/setup

# The web client: types, style, unit tests, and the committed dist/ is what the sources give.
web-check: setup
	cd web && npm run check && npm test && npm run build
	@git diff --exit-code --stat -- web/dist && test -z "$$(git status --porcelain -- web/dist)" || \
		{ echo "web/dist is not what the sources give: run make web and commit it"; exit 1; }

go-check:
	go mod verify
	go mod tidy -diff
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); exit 1; }
	go vet ./...
	go tool staticcheck ./...

go-test:
	go test -race ./...

# Move counts and other big tables are too slow under the race detector.
go-test-plain:
	go test ./game/... $$(go list ./loadtest/... | grep -v chaos/drill)
	go test -run '^TestPlans$$' ./server/store

browser-test: setup
	go build -o web/e2e/.server ./server
	go build -o web/e2e/.table ./web/e2e/table
	cd web && npm run e2e

# Longer forms, not part of `make test`.
loadtest:
	go run ./loadtest -games 200 -duration 60s

# A hall of real processes in which one thing after the other is killed while loadtest plays in it, and the check of all that
# is known afterwards. go test runs a short form of it.
CHAOS_SECONDS ?= 120
CHAOS_SEED ?= $(shell date +%s)
CHAOS_GAMES ?= 200
CHAOS_NODES ?= 3
CHAOS_REDIS ?= 0
CHAOS_KILL ?= 1000
CHAOS_LOSS ?= 100
chaos: setup
	CHAOS_SECONDS=$(CHAOS_SECONDS) CHAOS_SEED=$(CHAOS_SEED) CHAOS_GAMES=$(CHAOS_GAMES) CHAOS_NODES=$(CHAOS_NODES) CHAOS_REDIS=$(CHAOS_REDIS) \
		CHAOS_KILL=$(CHAOS_KILL) CHAOS_LOSS=$(CHAOS_LOSS) go test -count=1 -v -timeout 2h -run '^Test(Chaos|Kill|Loss)$$' ./loadtest/chaos/drill

# Every endgame table against the published counts, five minutes.
endgame:
	go test -timeout 20m ./game/endgame -endgame.all

# The engine against the plain model of the rules, a hundred thousand games.
model:
	go test -timeout 60m ./loadtest/model -games 100000

bench:
	go test -run '^$$' -bench . -benchmem ./clock/... ./game/... ./server/...

FUZZTIME ?= 30s
fuzz:
	@for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
		done; \
	done

web: setup
	cd web && npm run build

fmt:
	gofmt -w $$(git ls-files '*.go')
