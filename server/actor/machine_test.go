package actor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(childHall) != "" {
		runHall()
	}
	goleak.VerifyTestMain(m)
}

// Commands of the machine under test. A string is said, as it is.
type (
	refuse  struct{}
	nothing struct{}
	boom    struct{}
	unsafe  struct{} // its event cannot be encoded
	alarm   int64    // sets the deadline
	want    string   // asks for an effect
	finish  struct{}
	stuck   struct{} // the tick does not clear the deadline from now on
	settled struct{} // ends the first pending effect
	explode struct{} // its event cannot be applied
	claim   struct {
		rank int
		text string
	}
)

// fact is the only type of event.
type fact struct {
	What  string   `json:"what"`
	Text  string   `json:"text,omitempty"`
	Num   int64    `json:"num,omitempty"`
	Lines []string `json:"lines,omitempty"`
}

var errRefused = errors.New("refused")

// diary is a machine that writes down everything that happens to it.
type diary struct {
	lines   []string
	pending []string
	dead    int64
	set     bool
	done    bool
	stuck   bool
}

func (d *diary) Decide(cmd any, at int64) ([]Event, error) {
	one := func(f fact) ([]Event, error) { return []Event{f}, nil }
	switch c := cmd.(type) {
	case string:
		return one(fact{What: "said", Text: c, Num: at})
	case claim:
		return one(fact{What: "said", Text: c.text, Num: at})
	case nothing:
		return nil, nil
	case boom:
		panic("boom")
	case unsafe:
		return one(fact{What: "unsafe"})
	case explode:
		return one(fact{What: "explode"})
	case alarm:
		return one(fact{What: "alarm", Num: int64(c)})
	case stuck:
		return one(fact{What: "stuck"})
	case Tick:
		if d.stuck {
			return nil, errRefused
		}
		return one(fact{What: "tick", Num: at})
	case Recovered:
		return one(fact{What: "recovered", Text: fmt.Sprintf("%d+%d", c.Elapsed, c.Gap), Num: at})
	case settled:
		return one(fact{What: "acked", Text: d.pending[0]})
	case want:
		return one(fact{What: "want", Text: string(c)})
	case Acked:
		if !slices.Contains(d.pending, c.Effect) {
			return nil, errRefused
		}
		text := fmt.Sprint(c.Effect, " ", c.Result)
		if c.Err != nil {
			text = c.Effect + " " + c.Err.Error()
		}
		return one(fact{What: "acked", Text: text})
	case finish:
		return one(fact{What: "finish"})
	}
	return nil, errRefused
}

func (d *diary) Apply(e Event) {
	f := e.(fact)
	switch f.What {
	case "lines":
		d.lines = slices.Clone(f.Lines)
		return
	case "alarm":
		d.dead, d.set = f.Num, true
	case "tick":
		d.set = false
	case "stuck":
		d.stuck = true
	case "want":
		d.pending = append(d.pending, f.Text)
	case "acked":
		id, _, _ := strings.Cut(f.Text, " ")
		d.pending = slices.DeleteFunc(d.pending, func(s string) bool { return s == id })
	case "finish":
		d.done = true
	case "explode":
		panic("explode")
	}
	d.lines = append(d.lines, strings.Join(strings.Fields(fmt.Sprintf("%s %s @%d", f.What, f.Text, f.Num)), " "))
}

func (d *diary) Deadline() (int64, bool) { return d.dead, d.set }
func (d *diary) Done() bool              { return d.done && len(d.pending) == 0 }
func (d *diary) Effects() []Effect {
	var list []Effect
	for _, id := range d.pending {
		list = append(list, Effect{ID: id, Do: id})
	}
	return list
}

func (d *diary) Hold(c Command) bool { _, ok := c.Body.(claim); return ok }
func (d *diary) Merge(batch []Command) []Command {
	rank := func(c Command) int {
		if cl, ok := c.Body.(claim); ok {
			return cl.rank
		}
		return 0
	}
	slices.SortStableFunc(batch, func(a, b Command) int { return cmp.Compare(rank(a), rank(b)) })
	return batch
}

func diaryKind() Kind {
	return Kind{
		Name: "diary",
		New:  func(ID) Machine { return &diary{} },
		Encode: func(dst []byte, e Event) ([]byte, error) {
			if e.(fact).What == "unsafe" {
				return nil, errors.New("not encodable")
			}
			data, err := json.Marshal(e)
			return append(dst, data...), err
		},
		Decode: func(data []byte) (Event, error) {
			var f fact
			err := json.Unmarshal(data, &f)
			return f, err
		},
	}
}

// world is a journal, a clock that can jump, and the halls that come and go.
type world struct {
	t       *testing.T
	journal Journal // outlives the halls
	link    *link
	jump    atomic.Int64 // time in which the process did not run
	kind    Kind
	hall    *Hall
	seen    *watcher
}

// watcher is an observer of all actors.
type watcher struct {
	mu    sync.Mutex
	steps []Step
	ended []error
}

func (w *watcher) Step(s Step) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.steps = append(w.steps, s)
}

func (w *watcher) told() ([]Step, []error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.steps), slices.Clone(w.ended)
}

func (w *watcher) Ended(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = append(w.ended, err)
}

func inBubble(t *testing.T, test func(*testing.T, *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, journal: NewMemory(), kind: diaryKind(), seen: &watcher{}}
		test(t, w)
		w.stop()
	})
}

func (w *world) start() {
	w.t.Helper()
	begin := time.Now()
	w.link = &link{Journal: w.journal}
	w.hall = New(Config{
		Journal: w.link, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Now: func() time.Duration { return time.Since(begin) + time.Duration(w.jump.Load()) },
	})
	w.kind.Observe = func(ID, Machine) Observer { return w.seen }
	w.hall.Register(w.kind)
	if err := w.hall.Start(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) stop() {
	w.t.Helper()
	if w.hall == nil {
		return
	}
	if err := w.hall.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	w.hall = nil
}

// crash ends the hall as the death of the process would: nothing more reaches the
// journal, and time goes on.
func (w *world) crash(away time.Duration) {
	w.link.fail.Store(1 << 30)
	w.hall.cancel()
	_ = w.hall.Close(context.Background())
	w.hall = nil
	w.pass(away)
}

func (w *world) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// link is the way to the journal; it can be slow, or out of order.
type link struct {
	Journal
	fail atomic.Int64 // how many calls will fail
	slow atomic.Int64 // how long the next append takes
	keep atomic.Int64 // how many times forgetting will fail
	lost atomic.Bool  // the end of each journal is gone
	// blind: which actors live cannot be listed
	blind atomic.Bool
}

var errLink = errors.New("no way to the journal")

func (l *link) failing() bool { return l.fail.Load() > 0 && l.fail.Add(-1) >= 0 }

func (l *link) Append(ctx context.Context, id ID, after uint64, data []byte) error {
	if d := time.Duration(l.slow.Swap(0)); d > 0 {
		<-time.After(d)
	}
	if l.failing() {
		return errLink
	}
	if l.lost.Load() {
		return ErrLost
	}
	return l.Journal.Append(ctx, id, after, data)
}

func (l *link) Forget(ctx context.Context, id ID) error {
	if l.failing() || l.keep.Add(-1) >= 0 {
		return errLink
	}
	return l.Journal.Forget(ctx, id)
}

func (l *link) Beat(ctx context.Context, b Beat) error {
	if l.fail.Load() > 0 {
		return errLink
	}
	return l.Journal.Beat(ctx, b)
}

func (w *world) create(id ID, first any) {
	w.t.Helper()
	if err := w.hall.Create(context.Background(), id, first); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) ask(id ID, cmd Command) Result {
	w.t.Helper()
	res, err := w.hall.Ask(context.Background(), id, cmd)
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

func (w *world) send(id ID, body any) {
	w.t.Helper()
	if err := w.hall.Send(id, Command{Body: body}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) steps() []Step {
	steps, _ := w.seen.told()
	return steps
}

func (w *world) ended() []error {
	_, ended := w.seen.told()
	return ended
}

// lines is the diary as it stands, wanted one to a line.
func (w *world) lines(id ID, wanted ...string) {
	w.t.Helper()
	var got []string
	err := w.hall.Inspect(context.Background(), id, func(m Machine, _ uint64, _ int64) {
		got = slices.Clone(m.(*diary).lines)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if !slices.Equal(got, wanted) {
		w.t.Errorf("%s:\n\t%s\nwant:\n\t%s", id, strings.Join(got, "\n\t"), strings.Join(wanted, "\n\t"))
	}
}
