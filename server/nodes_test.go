package main

import (
	"strings"
	"testing"

	"flagfall/server/cluster/redistest"
	"flagfall/server/store/pgtest"
)

// A second node of the same name does not start, and says so and nothing else.
func TestNodeNameTaken(t *testing.T) {
	redis, database := redistest.Single(t), pgtest.Start(t).Database(t)
	args := []string{"-node", "a", "-url", "http://hall.example", "-redis", redis.URL(), "-db", database}
	start(t, t.TempDir(), args...)
	var out, errs strings.Builder
	status := run(t.Context(), append([]string{"-addr", "127.0.0.1:0", "-data", t.TempDir(), "-log", "error"}, args...), nil, &out, &errs)
	said := errs.String()
	if status == 0 || !strings.HasPrefix(said, `flagfall: node "a" runs already: `) || strings.Contains(said, ";") || strings.Contains(said, "closed") {
		t.Errorf("status %d: %s", status, said)
	}
}
