package endgame

import (
	"os"
	"testing"
	"time"
)

func TestTmp(t *testing.T) {
	ts := &Tables{}
	depth := os.Getenv("DEPTH") != ""
	total := 0
	t0 := time.Now()
	for _, m := range Materials() {
		s := time.Now()
		tb, st, err := Generate(m, ts, Options{Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		ts.Add(tb)
		total += tb.Bytes()
		t.Log(m, time.Since(s).Round(time.Millisecond), tb.Bytes()/1024, "KB shapes", len(tb.onMove[0].shapes), len(tb.onMove[1].shapes), st.Reduced, st.Full, len(st.Plies[0]), len(st.Plies[1]))
		if depth {
			t.Log(m, st.Plies)
		}
		if m == "KPK" && os.Getenv("ALL") == "" {
			break
		}
	}
	t.Log(total/1024/1024, "MB", time.Since(t0))
}
