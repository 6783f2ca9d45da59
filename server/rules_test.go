package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// under are the terms of a slow game over the board by a rule book.
func under(rules string) wire.ClientMessage {
	return wire.ClientMessage{Base: 300000, Mode: "board", Rules: rules}
}

// clocks are those of the frame that told of an event.
func (s *somebody) clocks(kind string) (wire.Event, wire.Clocks) {
	s.t.Helper()
	var found wire.Event
	frame := s.until("ev", func(f client.Frame) bool {
		for _, e := range f.Body.(*wire.Events).E {
			if e.K == kind {
				found = e
				return true
			}
		}
		return false
	})
	return found, frame.Body.(*wire.Events).Clocks
}

// pgn is a finished game as PGN.
func (p *program) pgn(t *testing.T, game string) string {
	t.Helper()
	answer, err := http.Get(p.URL + "/api/games/" + game + "/pgn")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", answer.StatusCode, err)
	}
	return string(text)
}

// knights go out and come back: the position that stood before stands again.
var knights = []string{"g1f3", "g8f6", "f3g1", "f6g8"}

// US Chess: an illegal move is set right with two minutes for the opponent, three times the same position can be claimed.
func TestUSChessGame(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pairFor(t, under("uscf"))
	begin(white, black, game)
	white.move("e1e3")
	white.press()
	black.event("press")
	black.claim("illegal")
	e, clocks := black.clocks("restored")
	if e.By != "w" || e.Add != 120000 || e.Ply != 0 || clocks.Run != "w" || clocks.B < 410000 {
		t.Fatalf("restored with %+v, %+v", e, clocks)
	}
	white.event("restored")
	white.ply = 0
	white.move("e2e4") // the king was touched, but he has no move: any other will do
	white.press()
	black.event("press")
	play(black, white, "e7e5", "b1c3", "b8c6")
	play(white, black, append(knights, knights...)...)
	white.claim("draw")
	ended(t, white, "1/2-1/2", "threefold", "US Chess 14C")
	ended(t, black, "1/2-1/2", "threefold", "US Chess 14C")
}

// CCA: a wrong claim gives the opponent two minutes; a claim of insufficient losing chances gets the delay clock.
func TestContinentalGame(t *testing.T) {
	p := start(t, t.TempDir())
	terms := under("cca")
	terms.Base = 100000
	white, black, game := p.pairFor(t, terms)
	begin(white, black, game)
	white.claim("threefold")
	if e, clocks := black.clocks("denied"); e.Code != "penalty_120s_to_opponent" || e.Add != 120000 || e.Rule != "CCA 24" || clocks.B != 220000 {
		t.Fatalf("denied with %+v, %+v", e, clocks)
	}
	play(white, black, "e2e4", "e7e5")
	white.claim("ilc")
	e, clocks := black.clocks("delay")
	if e.By != "w" || e.Ms != 5000 || e.Rule != "CCA 17" || clocks.W > 50000 || clocks.W < 40000 || clocks.Run != "w" || clocks.Delay == 0 {
		t.Fatalf("a delay clock %+v, %+v", e, clocks)
	}
	white.do(wire.ClientMessage{T: "resign"})
	ended(t, black, "0-1", "resignation", "CCA 13B")
}

// FIDE: the server sees every illegal move at the press and every flag when it falls.
func TestFIDEGame(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pairFor(t, under("fide"))
	begin(white, black, game)
	white.move("e1e3")
	white.press()
	if e, clocks := black.clocks("restored"); e.Step != 1 || e.Add != 60000 || clocks.B != 360000 {
		t.Fatalf("restored with %+v, %+v", e, clocks)
	}
	white.event("restored")
	white.ply = 0
	white.do(wire.ClientMessage{T: "offer"})
	white.refused("both_must_have_moved")
	white.move("a1a5")
	white.press()
	ended(t, black, "0-1", "second_illegal_move", "FIDE 7.5.5")

	terms := under("fide")
	terms.Base = 1000
	white, black, game = p.pairFor(t, terms)
	begin(white, black, game)
	ended(t, black, "0-1", "flag_arbiter", "FIDE 6.5")
	ended(t, white, "0-1", "flag_arbiter", "FIDE 6.5")
}

// An increment is added at each press; a flag falls and is claimed as in any game, which WBCA would not rate.
func TestIncrement(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pairFor(t, wire.ClientMessage{Base: 1000, Mode: "board", Timing: "increment", Each: 1500})
	begin(white, black, game)
	state := white.join(game)
	if state.Timing != "increment" || state.Each != 1500 || state.Rated || state.Rules != "wbca" {
		t.Fatalf("the table has %+v", state)
	}
	white.move("e2e4")
	white.press()
	if _, clocks := black.clocks("press"); clocks.W <= 1500 || clocks.W > 2500 {
		t.Errorf("after the press White has %d", clocks.W)
	}
	white.event("flag")
	white.claim("time")
	ended(t, white, "1-0", "time", "WBCA 7c")
	ended(t, black, "1-0", "time", "WBCA 7c")
	if text := p.pgn(t, game); !strings.Contains(text, `[TimeControl "1+1.5"]`) {
		t.Errorf("the PGN says\n%s", text)
	}
}

// A delay is told with the clocks while it runs.
func TestDelay(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pairFor(t, wire.ClientMessage{Base: 60000, Mode: "board", Timing: "delay", Each: 3000})
	begin(white, black, game)
	white.move("e2e4")
	white.press()
	if _, clocks := black.clocks("press"); clocks.W != 60000 || clocks.B != 60000 || clocks.Delay < 2900 || clocks.Delay > 3000 {
		t.Errorf("within the delay the clocks are %+v", clocks)
	}
}

// WBCA section 8, on the way that the rules leave open: illegal moves that nobody claims stand, and so any ending can be
// reached from the start. Each case ends with legal moves, White's first.
func TestSection8(t *testing.T) {
	tables := filepath.Join(t.TempDir(), "tables")
	if err := os.CopyFS(tables, os.DirFS("testdata/endgames")); err != nil {
		t.Fatal(err)
	}
	p := start(t, t.TempDir(), "-tables", tables, "-limit-messages", "1000")
	check := []string{"h5e8", "g8h7", "e8h5", "h7g8"}
	tests := []struct {
		name   string
		keep   map[string]string // a man's square in the beginning: where he stands in the ending
		moves  []string
		early  string // a claim of White that costs him a minute
		more   []string
		claim  string // then Black claims
		reason string
		rule   string
	}{
		{"perpetual check", map[string]string{"e1": "a1", "d1": "h5", "e8": "g8", "g7": "g7"},
			slices.Concat(check, check, check[:1]), "8d", slices.Concat(check[1:], check[:1]), "8d", "perpetual", "WBCA 8d"},
		{"king and pawn", map[string]string{"e1": "d3", "e2": "e4", "e8": "e6"},
			[]string{"d3e3"}, "8h", []string{"e6e5"}, "draw", "king_pawn", "WBCA 8h"},
		{"knight and knight", map[string]string{"e1": "e1", "b1": "c3", "e8": "e8", "b8": "c6"},
			[]string{"e1e2"}, "8h", []string{"e8e7"}, "8e", "identical_piece", "WBCA 8e"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			white, black, game := p.pairFor(t, under("wbca"))
			begin(white, black, game)
			arrange(white, black, test.keep)
			turn := alternate(white, black, test.moves)
			white.claim(test.early)
			if e, _ := black.clocks("denied"); e.Code != "penalty_60s" || e.Take != 60000 || e.Rule != "WBCA 13b" {
				t.Fatalf("denied with %+v", e)
			}
			if turn == white {
				alternate(white, black, test.more)
			} else {
				alternate(black, white, test.more)
			}
			black.claim(test.claim)
			ended(t, white, "1/2-1/2", test.reason, test.rule)
			ended(t, black, "1/2-1/2", test.reason, test.rule)
		})
	}
}

// alternate plays completed moves of both in turn and says who is on move then.
func alternate(first, second *somebody, moves []string) *somebody {
	first.t.Helper()
	play(first, second, moves...)
	return [2]*somebody{first, second}[len(moves)%2]
}

// arrange leaves only some men of the start, each where keep says, with White on move. White's rook from a1 is moved about
// by both and takes all the others, whosoever they are; in the end he is taken himself.
func arrange(white, black *somebody, keep map[string]string) {
	white.t.Helper()
	at := "a1"
	var moves []string
	rook := func(to string) {
		moves = append(moves, at+to)
		at = to
	}
	for _, rank := range "1278" {
		for _, file := range "abcdefgh" {
			square := string(file) + string(rank)
			if keep[square] == "" && square != "a1" {
				rook(square)
			}
		}
	}
	var movers []string
	for from, to := range keep {
		if from != to {
			movers = append(movers, from)
		}
	}
	slices.Sort(movers)
	last := len(movers) - 1
	for _, from := range movers[:last] {
		moves = append(moves, from+keep[from])
	}
	if len(moves)%2 == 1 {
		rook("h3")
	}
	rook(keep[movers[last]])
	moves = append(moves, movers[last]+keep[movers[last]])
	play(white, black, moves...)
}
