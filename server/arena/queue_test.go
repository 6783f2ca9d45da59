package arena

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"flagfall/game"
)

// queue is what waits for an arbiter: "id kind by stops".
func (e *event) queue(by string) string {
	var list []string
	for _, w := range e.m.DeskView(by, dawn+e.at).Queue {
		list = append(list, fmt.Sprint(w.ID, " ", w.Kind, " ", w.By, " ", w.Stops))
	}
	return strings.Join(list, ", ")
}

func TestTheQueue(t *testing.T) {
	e := four(t)
	own, g := e.board("a").ID, e.board("c").ID
	e.refused(UnknownGame, Disputed{Game: "n-99", Kind: QueueDispute, Open: true})
	e.refused(BadRuling, Disputed{Game: g, Kind: "quarrel", Open: true})
	e.refused(BadRuling, Disputed{Game: g, Kind: QueueDispute, By: game.None, Open: true})
	step := func(want string, cmd any) {
		t.Helper()
		e.do(cmd)
		if got := e.queue("r"); got != want {
			t.Errorf("after %+v: %s, want %s", cmd, got, want)
		}
	}
	e.pass(1000)
	step("ladder-1 ladder b false", Disputed{Game: g, N: 1, By: game.Black, Kind: QueueLadder, Step: 2, Open: true})
	e.pass(1000)
	dispute := Disputed{Game: g, N: 2, By: game.White, Kind: QueueDispute, Stops: true, Until: dawn + 200000, Open: true}
	step("dispute-2 dispute w true, ladder-1 ladder b false", dispute)
	step("dispute-2 dispute w true, ladder-1 ladder b false", dispute) // told again
	if d := e.m.DeskView("r", dawn).Games[1]; d.Game != g || d.Dispute != "w" {
		t.Errorf("%+v", d)
	}
	e.refused(NotNow, Settle{By: "r", ID: "dispute-2", Why: "x"})
	// nobody rules in time: it stays as a note
	step("ladder-1 ladder b false, dispute-2 dispute w false", Disputed{Game: g, N: 3, By: game.White, Kind: QueueDispute, Stops: true})
	dispute.N = 4
	step("dispute-3 dispute w true, ladder-1 ladder b false, dispute-2 dispute w false", dispute)
	e.do(Rule{By: "r", Game: g, Ruling: game.Ruling{Act: game.ActResume}, Why: "go on"})
	step("ladder-1 ladder b false, dispute-2 dispute w false", Disputed{Game: g, N: 5, By: game.White, Kind: QueueDispute, Stops: true})
	step("dispute-2 dispute w false, ladder-4 ladder b false", Disputed{Game: g, N: 6, By: game.Black, Kind: QueueLadder, Step: 3, Open: true})
	step("demo-5 demo w true, dispute-2 dispute w false, ladder-4 ladder b false", Disputed{Game: g, N: 7, Kind: QueueDemo, Stops: true, Open: true})
	step("dispute-2 dispute w false, ladder-4 ladder b false", Disputed{Game: g, N: 8, Kind: QueueDemo, Stops: true})

	e.refused(Forbidden, Settle{By: "o", ID: "dispute-2", Why: "x"})
	e.refused(NeedsReason, Settle{By: "r", ID: "dispute-2"})
	e.refused(UnknownReport, Settle{By: "r", ID: "dispute-99", Why: "x"})
	step("ladder-4 ladder b false", Settle{By: "r", ID: "dispute-2", Why: "spoke with both"})

	e.do(Disputed{Game: own, By: game.White, Kind: QueueDispute, Open: true})
	if got := e.queue("a"); got != "ladder-4 ladder b false" {
		t.Errorf("a sees %s", got)
	}
	e.refused(OwnGame, Settle{By: "a", ID: "dispute-6", Why: "x"})
	e.same()
}

// What clocks stood for ends with the game.
func TestTheQueueWhenAGameEnds(t *testing.T) {
	e := four(t)
	g := e.board("c").ID
	e.do(Disputed{Game: g, By: game.White, Kind: QueueDispute, Stops: true, Open: true})
	e.do(Disputed{Game: g, By: game.Black, Kind: QueueDemo, Stops: true, Open: true})
	e.wins("c")
	if got := e.queue("r"); got != "dispute-1 dispute w false" {
		t.Error(got)
	}
}

func TestTheQueueIsBounded(t *testing.T) {
	e := four(t)
	g := e.board("c").ID
	e.do(Disputed{Game: g, By: game.White, Kind: QueueDispute, Stops: true, Open: true})
	for range mostMatters + 20 {
		e.do(Disputed{Game: g, By: game.Black, Kind: QueueDispute, Open: true})
	}
	if len(e.m.Queue) != mostMatters || !e.m.Queue[0].Stops {
		t.Errorf("%d in the queue, first %+v", len(e.m.Queue), e.m.Queue[0])
	}
	for range mostActs + 20 {
		e.do(Announce{By: "r", Text: "quiet"})
	}
	if a := e.m.Acts; len(a) != mostActs || a[len(a)-1].N != e.m.Acted {
		t.Errorf("%d acts", len(a))
	}
}

// WBCA 22: a player says afterwards what was wrong.
func TestReports(t *testing.T) {
	e := four(t)
	g := *e.board("c")
	report := Report{By: "c", Game: g.ID, Text: "He moved my king"}
	e.refused(UnknownGame, Report{By: "c", Game: "n-99", Text: "x"})
	e.refused(Forbidden, Report{By: "a", Game: g.ID, Text: "x"})
	e.refused(NotNow, report)
	e.wins("c")
	e.refused(NeedsReason, Report{By: "c", Game: g.ID, Text: "  "})
	e.refused(NeedsReason, Report{By: "c", Game: g.ID, Text: strings.Repeat("x", mostReport+1)})
	for range mostReports {
		e.do(report)
	}
	e.refused(TooMany, report)
	e.do(Report{By: "d", Game: g.ID, Text: "He banged the clock"})
	if got := e.queue("r"); got != "report-1 report C false, report-2 report C false, report-3 report C false, report-4 report D false" {
		t.Error(got)
	}
	e.do(Settle{By: "r", ID: "report-1", Why: "spoke with both"})
	e.do(Settle{By: "r", ID: "report-1", Why: "again"})
	d := e.m.DeskView("r", dawn)
	want := ReportView{ID: "report-1", At: d.Reports[3].At, By: "C", Game: g.ID, Text: "He moved my king", Settled: "spoke with both"}
	if len(d.Queue) != 3 || len(d.Reports) != 4 || d.Reports[3] != want {
		t.Errorf("%+v", d.Reports)
	}
	e.wins("a")
	e.do(Report{By: "b", Game: e.m.Games[0].ID, Text: "x"})
	if n := len(e.m.DeskView("a", dawn).Reports); n != 4 {
		t.Errorf("a sees %d reports, one of them about his own game", n)
	}
	e.same()
}

func TestHush(t *testing.T) {
	e := four(t)
	e.refused(Forbidden, Hush{By: "a0", Who: "b", On: true})
	e.refused(UnknownEntry, Hush{By: "r", On: true})
	e.do(Hush{By: "o", Who: "watcher", Name: "Walter", On: true})
	d := e.m.DeskView("r", dawn)
	if !slices.Equal(e.m.Hushed, []string{"watcher"}) || !slices.Equal(d.Hushed, []Person{{ID: "watcher", Name: "Walter"}}) || d.Acts[0].Who != "Walter" {
		t.Errorf("%+v, %+v", d.Hushed, d.Acts[0])
	}
	e.do(Hush{By: "o", Who: "watcher"})
	if len(e.m.Hushed) > 0 {
		t.Error("still hushed")
	}
	for i := range mostEntries {
		e.do(Hush{By: "o", Who: fmt.Sprint("x", i), On: true})
	}
	e.refused(TooMany, Hush{By: "o", Who: "b", On: true})
	e.same()
}
