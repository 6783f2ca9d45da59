package actor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Whatever is sent, however the journal behaves and whenever the process dies: steps
// are numbered without gaps, time never goes back, what was acknowledged is kept, once,
// and a replay gives the state that was.
func TestAnythingGoes(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.kind.Effect = func(context.Context, ID, Effect) (any, error) { return 1, nil }
				r := rand.New(rand.NewPCG(seed, 1))
				w.start()
				w.create(a1, "first")
				acked := map[string]uint64{}
				for range 5 {
					for i := range 40 {
						anything(t, w, r, acked, i)
					}
					w.pass(10 * time.Second)
					w.link.fail.Store(0)
					w.pass(10 * time.Second)
					restartUnchanged(t, w)
				}
				checkSteps(t, w, acked)
			})
		})
	}
}

func anything(t *testing.T, w *world, r *rand.Rand, acked map[string]uint64, i int) {
	id := fmt.Sprint("m", r.IntN(30))
	cmd := Command{From: fmt.Sprint("p", r.IntN(2)), Age: r.Int64N(40) - 10}
	switch r.IntN(12) {
	case 0:
		w.link.fail.Store(r.Int64N(30))
	case 1:
		w.link.slow.Store(r.Int64N(int64(3 * time.Second)))
	case 2:
		w.jump.Add(r.Int64N(int64(4 * time.Second)))
	case 3:
		cmd.Body = alarm(r.Int64N(100_000))
	case 4:
		cmd.Body = []any{refuse{}, nothing{}, boom{}, unsafe{}}[r.IntN(4)]
	case 5:
		cmd.Body = want(fmt.Sprint("e", r.Int64()))
	case 6:
		cmd.Body = claim{r.IntN(3), "claimed"}
	default:
		cmd.Body, cmd.ID = id, id
	}
	if cmd.Body != nil {
		cmd.Reply = func(res Result) {
			key := cmd.From + id
			if res.Err == nil && cmd.ID != "" {
				if seq, ok := acked[key]; ok && seq != res.Seq {
					t.Errorf("%s is step %d and step %d", key, seq, res.Seq)
				}
				acked[key] = res.Seq
			}
		}
		if err := w.hall.Send(a1, cmd); err != nil {
			t.Error(err)
		}
	}
	if r.IntN(3) == 0 {
		w.pass(time.Duration(r.Int64N(int64(500 * time.Millisecond))))
	}
}

func restartUnchanged(t *testing.T, w *world) {
	lines := func() (lines []string) {
		err := w.hall.Inspect(context.Background(), a1, func(m Machine, _ uint64, _ int64) { lines = slices.Clone(m.(*diary).lines) })
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	before := lines()
	w.crash(time.Second)
	w.start()
	after := lines()
	if len(after) <= len(before) || !slices.Equal(after[:len(before)], before) {
		t.Errorf("before the crash %q, after it %q", before, after)
	}
}

func checkSteps(t *testing.T, w *world, acked map[string]uint64) {
	entries, err := w.journal.Read(context.Background(), a1, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]uint64{}
	var at int64
	for i, e := range entries {
		var r record
		if err := json.Unmarshal(e.Data, &r); err != nil {
			t.Fatal(err)
		}
		if r.Seq != uint64(i+1) || r.At < at {
			t.Errorf("entry %d: number %d at %d after %d", i+1, r.Seq, r.At, at)
		}
		at = r.At
		if r.ID == "" {
			continue
		}
		if before, ok := seen[r.From+r.ID]; ok {
			t.Errorf("%s%s counted at %d and %d", r.From, r.ID, before, r.Seq)
		}
		seen[r.From+r.ID] = r.Seq
	}
	for key, seq := range acked {
		if seen[key] != seq {
			t.Errorf("%s was acknowledged as step %d, the journal has it as %d", key, seq, seen[key])
		}
	}
	told := w.steps()
	for i := 1; i < len(told); i++ {
		if told[i].Seq != told[i-1].Seq+1 {
			t.Errorf("step %d was told after step %d", told[i].Seq, told[i-1].Seq)
		}
	}
}

func TestRecordIsJSON(t *testing.T) {
	k := &kind{Kind: diaryKind()}
	for _, s := range []string{"", "white", `quo"te\`, "\x00\x01\x1f\x7f", "жук 漢字 \u2028", "<script>"} {
		r := record{Version: 1, Seq: 1<<64 - 1, At: -5, Mono: 7, Owner: "own", From: s, ID: s, Snapshot: true}
		data, err := appendRecord(nil, k, &r, []Event{fact{What: s}, fact{}})
		if err != nil {
			t.Fatal(err)
		}
		var back record
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		_, events, err := readRecord(&kind{Kind: Kind{Version: 1, Decode: k.Decode}}, Entry{Seq: r.Seq, Data: data})
		if err != nil || len(events) != 2 || events[0].(fact).What != s {
			t.Errorf("%s: %v %v", data, events, err)
		}
		back.Events = nil
		if fmt.Sprint(back) != fmt.Sprint(r) {
			t.Errorf("%+v, want %+v", back, r)
		}
	}
	bad := &kind{Kind: Kind{Encode: func(dst []byte, _ Event) ([]byte, error) { return append(dst, "{"...), nil }}}
	if _, err := appendRecord(nil, bad, &record{}, []Event{1}); err == nil || errors.Is(err, errRefused) {
		t.Errorf("what cannot be read back was taken: %v", err)
	}
}
