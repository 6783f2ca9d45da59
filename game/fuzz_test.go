package game_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/game/board"
)

// positions that games of the fuzz target begin with, besides the usual one.
var positions = []string{
	"",
	"r3k2r/pppq1ppp/8/3pP3/8/8/PPPQ1PPP/R3K2R w KQkq d6 0 1",
	"8/P6k/8/8/4k3/8/4R2p/4K3 w - - 0 1",
	"8/8/4k3/8/4K3/8/4R3/r7 w - - 0 1",
	"4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1",
	"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1",
	"4k3/8/5b2/8/8/8/3r4/4K1B1 w - - 0 1",
	"8/8/8/8/7p/p7/k1K5/1N6 b - - 0 1",
	"8/8/6p1/4k3/4P3/3P4/5b2/4KB2 w - - 0 1",
	"8/8/k7/P7/8/8/8/r3K2R w - - 0 1",
	"8/4k3/4P3/8/8/8/8/4K3 b - - 98 80",
	"6k1/6p1/8/7Q/8/1r6/r7/5K2 w - - 148 90",
	"4k3/P7/8/p1p1p1p1/1pPpPpPp/1P1P1P1P/8/4K3 w - - 0 1",
}

var claims = []game.Claim{game.ClaimIllegal, game.ClaimTime, game.ClaimBothFlags, game.ClaimNoMating, game.ClaimAbandoned,
	game.ClaimThreefold, game.ClaimIllegal, "nonsense"}

// draws are the claims of a draw.
var draws = []game.Claim{game.ClaimIdentical, game.ClaimPawn, game.ClaimFifty, game.ClaimLosing, game.ClaimPerpetual,
	game.ClaimOpposite, game.ClaimRookPawn, game.ClaimThreefold}

var timings = []clock.Timing{{}, {Kind: clock.Fischer, Ms: 500}, {Kind: clock.USDelay, Ms: 300}, {Kind: clock.Bronstein, Ms: 300}}

// acts are the arbiter's, and one that is none.
var acts = []game.Act{game.ActDuty, game.ActOffDuty, game.ActStop, game.ActResume, game.ActClocks, game.ActWarn, game.ActMinute,
	game.ActUnjust, game.ActDelay, game.ActResume, game.ActMinute, game.ActStop, game.ActResult, game.ActLoss, game.ActAnnul, "juggle"}

// driver reads commands from bytes and holds the game to its invariants.
type driver struct {
	t     *testing.T
	data  []byte
	game  *game.Game
	at    int64
	log   []game.Event
	ended int
}

func (d *driver) next() int {
	if len(d.data) == 0 {
		return 0
	}
	n := d.data[0]
	d.data = d.data[1:]
	return int(n)
}

func drive(t *testing.T, data []byte) *driver {
	d := &driver{t: t, data: data, game: game.New()}
	bits, pick, terms, options := d.next(), d.next(), d.next(), d.next()
	setup := game.NewSetup(game.Player{ID: "a"}, game.Player{ID: "b"}, []int64{2000, 8000, 60000, 300000}[pick%4], game.OverTheBoard)
	setup.FEN = positions[(pick/4)%len(positions)]
	if _, err := board.ParseFEN(setup.FEN); err != nil {
		setup.FEN = ""
	}
	if bits&1 != 0 {
		setup.Mode = game.Fast
	}
	setup.RuleSet = game.RuleSets()[[]int{0, 0, 0, 0, 0, 1, 2, 3}[terms%8]]
	setup.Timing = timings[[]int{0, 0, 0, 0, 0, 1, 2, 3}[terms>>3%8]]
	setup.Options.Ladder, setup.Options.Presence = bits&2 != 0, bits&4 != 0
	setup.Options.OnDuty, setup.Options.AddPenalty = options&1 != 0, options&2 != 0
	setup.Options.WideRookPawn, setup.Options.DelayClock = options&4 != 0, options&8 != 0
	setup.Options.ArbiterCallsFlags, setup.Options.ArbiterCallsIllegal = options&0x30 == 0x30, options&0x50 == 0x50
	setup.Options.Window = int64(options >> 6 * 15)
	if bits&8 != 0 {
		setup.Lag = clock.Lag{Start: 1000, Gain: 100, Most: 3000, PerMove: 500}
	}
	if bits&16 != 0 && bits&32 != 0 {
		setup.Base[pick>>7] = 0
	}
	d.do(game.Command{Kind: game.Create, By: game.None, Setup: &setup})
	if bits&64 != 0 {
		d.do(game.Command{Kind: game.Arrive, By: game.White})
		d.do(game.Command{Kind: game.Arrive, By: game.Black})
	}
	for len(d.data) > 0 {
		d.step()
	}
	d.replay()
	return d
}

func (d *driver) step() {
	kind, wait := d.next(), d.next()
	pass := []int64{0, 0, 1, 10, 90, 200, 900, 9000}[wait%8]
	if kind == 0xff {
		pass = 65000
	}
	if kind%16 == 15 && kind < 0x40 { // an outage
		d.at += pass
		d.do(game.Command{Kind: game.Recover, By: game.None, Elapsed: pass, Gap: int64(d.next()) * 800})
		return
	}
	if kind == 0xdd { // a long absence
		d.do(game.Command{Kind: game.Depart, By: d.game.Running()})
		pass = 61000
	}
	d.at += pass
	d.ticks()
	if d.judged(kind, wait) {
		return
	}
	c := d.command(kind)
	c.By, c.Ply, c.Lag = game.Side(wait>>3&1), game.AnyPly, int64(wait>>4)*40
	if kind&0x80 != 0 {
		c.Ply = len(d.game.Plies())
	}
	d.do(c)
}

// judged answers what waits for a proof, plays on the side board or lets an arbiter act; else it is false.
func (d *driver) judged(kind, wait int) bool {
	side := game.Side(wait >> 3 & 1)
	q, _, waits := d.game.Asked()
	by, b, _, _ := d.game.Demo(d.at)
	switch {
	case waits && kind%4 != 0:
		if kind&0x70 == 0x70 {
			q.FEN += " " // an answer to something else
		}
		verdict := []game.Verdict{game.Undecided, game.Proved, game.Refuted, game.Undecided}[kind>>2&3]
		d.do(game.Command{Kind: game.Prove, By: game.None, Question: &q, Verdict: verdict})
	case by != game.None && kind%4 != 0:
		legal := b.AppendLegal(nil)
		if len(legal) == 0 || kind>>2&15 == 0 {
			d.do(game.Command{Kind: game.Concede, By: side})
			break
		}
		c := game.Command{Kind: game.DemoMove, By: game.Side(b.Turn()), Move: legal[d.next()%len(legal)]}
		if kind>>2&15 == 1 {
			c.By = side
		}
		d.do(c)
	case d.game.Phase() == game.Disputing && kind%4 == 1:
		d.do(game.Command{Kind: game.Arbitrate, By: game.None, Ruling: &game.Ruling{Act: game.ActResume, Who: "arbiter", Why: "enough"}})
	case kind == 0xee || kind == 0x1e:
		act := acts[d.next()%len(acts)]
		r := game.Ruling{Act: act, Who: "arbiter", Why: "because", Side: game.Side(d.next() % 3), Score: game.WhiteWins, Rule: "9"}
		r.Clocks = [2]int64{int64(d.next()) * 500, int64(d.next()) * 500}
		d.do(game.Command{Kind: game.Arbitrate, By: game.None, Ruling: &r})
	case kind == 0x2e:
		d.do(game.Command{Kind: game.Dispute, By: side})
	default:
		return false
	}
	return true
}

func (d *driver) command(kind int) game.Command {
	switch kind % 16 {
	case 0, 1, 2, 3, 4:
		b := d.game.Position()
		if legal := b.AppendLegal(nil); len(legal) > 0 {
			return game.Command{Kind: game.Release, Move: legal[d.next()%len(legal)], Press: kind&16 != 0}
		}
		return game.Command{Kind: game.Press}
	case 5:
		b := d.game.Board()
		for from := range board.NoSquare { // a man of the side on move that reaches the other king
			m := board.Move{From: from, To: b.King(b.Turn().Other())}
			if man := b.At(from); man != board.NoPiece && man.Color() == b.Turn() && b.Pseudo(m) {
				return game.Command{Kind: game.Release, Move: m}
			}
		}
		return game.Command{Kind: game.Press}
	case 6:
		b := d.game.Board()
		from, to := board.Square(d.next()%65), board.Square(d.next()%65)
		if kind&32 != 0 {
			to = b.King(board.Color(kind >> 6 & 1))
		} else if kind&64 != 0 { // one of the side's own men
			for s, man := range b.Men() {
				if man.Color() == b.Turn() && s >= from%32 {
					from = s
					break
				}
			}
		}
		return game.Command{Kind: game.Release, Move: board.Move{From: from, To: to, Promo: board.Kind(kind >> 4)}, Press: kind&128 != 0}
	case 7, 8, 9:
		return game.Command{Kind: game.Press}
	case 10:
		return game.Command{Kind: game.Retract}
	case 11:
		if kind&0x80 != 0 {
			claim := draws[kind>>4&7]
			if kind&0x40 != 0 {
				claim = game.ClaimDraw
			}
			return game.Command{Kind: game.MakeClaim, Claim: claim}
		}
		return game.Command{Kind: game.MakeClaim, Claim: claims[kind>>4&7]}
	case 15: // the king goes where he likes, and presses
		b := d.game.Board()
		return game.Command{Kind: game.Release, Move: board.Move{From: b.King(b.Turn()), To: board.Square(d.next() % 64)}, Press: true}
	case 12:
		return game.Command{Kind: []game.CommandKind{game.OfferDraw, game.AnswerDraw}[kind>>4&1], Accept: kind&0xc0 == 0xc0}
	case 13:
		if kind == 0xdd {
			return game.Command{Kind: game.MakeClaim, Claim: game.ClaimAbandoned}
		}
		return game.Command{Kind: []game.CommandKind{game.Arrive, game.Depart, game.Arrive, game.Tick}[kind>>4&3]}
	}
	if kind>>4 == 15 {
		return game.Command{Kind: game.Resign}
	}
	return game.Command{Kind: game.CommandKind(kind >> 4)}
}

// ticks does what is due. A tick that is due either says something or moves the deadline.
func (d *driver) ticks() {
	at := d.at
	for n := 0; ; n++ {
		due, ok := d.game.Deadline()
		if !ok || due > at {
			break
		}
		if n > 10 {
			d.t.Fatalf("%d ticks at %d, and still one is due at %d", n, at, due)
		}
		d.at = max(due, d.last())
		said := len(d.log)
		d.do(game.Command{Kind: game.Tick, By: game.None})
		if again, still := d.game.Deadline(); still && again == due && len(d.log) == said {
			d.t.Fatalf("the tick that was due at %d changes nothing", due)
		}
	}
	d.at = at
}

func (d *driver) last() int64 {
	if len(d.log) == 0 {
		return 0
	}
	return d.log[len(d.log)-1].At
}

func (d *driver) do(c game.Command) {
	before := *d.game
	events, err := d.game.Decide(c, d.at)
	if !reflect.DeepEqual(before, *d.game) {
		d.t.Fatalf("%+v changed the game without its events", c)
	}
	var refusal *game.Refusal
	if err != nil && (!errors.As(err, &refusal) || len(events) > 0 || refusal.Code == "") {
		d.t.Fatalf("%+v: refused with %v and %d events", c, err, len(events))
	}
	if again, _ := d.game.Decide(c, d.at); !reflect.DeepEqual(again, events) {
		d.t.Fatalf("%+v decided twice: %+v, then %+v", c, events, again)
	}
	for _, e := range events {
		if d.ended > 0 {
			d.t.Fatalf("%+v after the end", e)
		}
		if e.Kind == game.Ended {
			d.ended++
		}
		if e.At < d.last() || e.At > d.at {
			d.t.Fatalf("%+v at %d, after an event of %d", e, d.at, d.last())
		}
		d.game.Apply(e)
		d.log = append(d.log, e)
	}
	d.invariants()
}

func (d *driver) invariants() {
	c := d.game.Clock()
	for _, s := range []game.Side{game.White, game.Black} {
		if left := c.Remaining(s, d.at); left < 0 || c.Down(s) && left != 0 {
			d.t.Fatalf("%v shows %d, flag down %v", s, left, c.Down(s))
		}
	}
	over := d.game.Phase() == game.Over
	if over != (d.game.Result() != nil) || over && c.Running() != game.None {
		d.t.Fatalf("phase %q, result %v, %v runs", d.game.Phase(), d.game.Result(), c.Running())
	}
	b := d.game.Board()
	if play := d.game.Phase() == game.Play; play && c.Running() != game.Side(b.Turn()) || !play && c.Running() != game.None {
		d.t.Fatalf("%q: %v is on move, the clock of %v runs", d.game.Phase(), b.Turn(), c.Running())
	}
	_, _, asked := d.game.Asked()
	_, due := d.game.Deadline()
	if d.game.Phase() == game.Proving && asked == due {
		d.t.Fatalf("a claim that is being judged waits for a proof: %v, for its window: %v", asked, due)
	}
	if by, _, _, _ := d.game.Demo(d.at); (by != game.None) && d.game.Phase() != game.Demonstrating && !asked {
		d.t.Fatalf("a demonstration of %v in phase %q", by, d.game.Phase())
	}
	if _, ok := d.game.Deadline(); over && ok {
		d.t.Fatal("a finished game waits for something")
	}
}

// replay writes the events as a journal does, reads them back and compares the games.
func (d *driver) replay() {
	events := make([]game.Event, len(d.log))
	for i, e := range d.log {
		text, err := game.AppendEvent(nil, e)
		if err != nil {
			d.t.Fatal(err)
		}
		if events[i], err = game.ParseEvent(text); err != nil {
			d.t.Fatalf("%s: %v", text, err)
		}
	}
	again, history := game.Replay(events)
	if !reflect.DeepEqual(*again, *d.game) {
		d.t.Fatalf("the journal gives\n%+v, the game was\n%+v", *again, *d.game)
	}
	history.PGN("id", "here", startedAt)
}

func FuzzGame(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 2, 0, 3, 5, 7, 9, 11})
	f.Add(bytes.Repeat([]byte{6, 3, 0, 8, 7, 16, 1}, 20))
	f.Fuzz(func(t *testing.T, data []byte) {
		drive(t, data[:min(len(data), 4000)])
	})
}

// TestRandomGames plays random bytes through the same invariants, and looks that they reach what they are to test.
func TestRandomGames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds, reasons := map[game.Kind]int{}, map[game.Reason]int{}
	for range 1500 {
		data := make([]byte, 4+random.IntN(600))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		d := drive(t, data)
		for _, e := range d.log {
			kinds[e.Kind]++
			if e.Result != nil {
				reasons[e.Result.Reason]++
			}
		}
	}
	for _, kind := range []game.Kind{game.Created, game.Arrived, game.Departed, game.Started, game.Released, game.Queued,
		game.QueuedPress, game.Unqueued, game.Retracted, game.Pressed, game.Flagged, game.Offered, game.Declined, game.Lapsed,
		game.Muted, game.Denied, game.Paused, game.Resumed, game.Ended, game.ProofAsked, game.ProofGiven, game.DemoBegan,
		game.DemoMoved, game.DemoEnded, game.Disputed, game.Ruled, game.Restored, game.Faulted, game.DelayInserted} {
		if kinds[kind] == 0 {
			t.Errorf("no random game had a %s", kind)
		}
	}
	for _, reason := range []game.Reason{"checkmate", "stalemate", "dead_position", "illegal_move", "king_capture", "time",
		"time_insufficient_material", "both_flags", "agreement", "resignation", "abandoned", "unclaimed_flag", "time_called",
		"absent", "no_first_move", "outage", "identical_piece",
		"flag_arbiter", "second_illegal_move", "fifty_moves", "penalty", "arbiter", "annulled"} {
		if reasons[reason] == 0 {
			t.Errorf("no random game ended by %s", reason)
		}
	}
	t.Log(kinds, reasons)
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"k":"released","at":1000,"by":"w","m":"e2e4","legal":true}`))
	f.Add([]byte(`{"k":"pressed","at":1200,"by":"w","charged":1200,"left":[298800,300000]}`))
	f.Add([]byte(`{"k":"ended","at":9,"by":"","result":{"score":"1-0","reason":"time","rule":"7c","book":"WBCA"}}`))
	f.Add([]byte(`{"k":"created","by":"","setup":{"rules":"wbca","mode":"fast","base":[1000,1000],"fen":"8/8/8/8/8/8/8/8 w - - 0 1"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := game.ParseEvent(text)
		if err != nil {
			if e != (game.Event{}) {
				t.Fatalf("%q was refused, and gave %+v", text, e)
			}
			return
		}
		written, err := game.AppendEvent(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		again, err := game.ParseEvent(written)
		if err != nil || !reflect.DeepEqual(again, e) {
			t.Fatalf("%s was written as %s, read as %+v, %v", text, written, again, err)
		}
	})
}
