package game_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/game/board"
)

var rewrite = flag.Bool("rewrite", false, "write what the scenarios gave into their files")

// TestScenarios plays testdata/scenarios/*.txt. `new` sets a game up, every other line is a command at a game time and,
// after the arrow, what it must give: the events, or the refusal.
//
//	new [rules=NAME] [base=MS] [w=MS] [b=MS] [timing=KIND/MS] [mode=fast] [ladder] [presence] [idle=MS] [duty] [add]
//	    [callsflags] [callsillegal] [wide] [delayclock] [window=MS] [lag=START/GAIN/MOST/PERMOVE] [fen=...]
//	T w move e2e4 [press] [ply=N] [lag=MS]     T w press [ply=N] [lag=MS]     T w retract [ply=N]
//	T w claim illegal      T w resign, offer, accept, decline, mute, arrive, depart, dispute, concede
//	T w demo e2e4          a move on the side board of a demonstration
//	T prove yes|no|undecided                   the answer to the question that waits
//	T arbiter ACT [side=w] [clocks=W/B] [score=1-0] [rule=4] [who=NAME] [why=TEXT]
//	T tick                 T recover elapsed=MS gap=MS
//	T show                 the clocks: white/black, whose runs, flags, phase if not play
//	T fen, offer           the last position; whose draw offer is open
//	T asked, demo, seen    the question that waits; the side board; how often the position was seen
//
// What falls due before a command comes first, as "@time"; lines of one time are one batch in the order of the rules.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) { playFile(t, name) })
	}
}

// line is one line of a scenario.
type line struct {
	no    int // in the file, from 0
	words []string
	do    string
	want  string
}

func playFile(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	var s *script
	var batch []line
	flush := func() {
		if len(batch) == 0 {
			return
		}
		for i, got := range s.batch(t, batch) {
			l := batch[i]
			if got != l.want && !*rewrite {
				t.Errorf("%s:%d: %s\n  got  %s\n  want %s", name, l.no+1, l.do, got, l.want)
			}
			lines[l.no] = fmt.Sprintf("%-36s -> %s", l.do, got)
		}
		batch = nil
	}
	for i, text := range lines {
		do, want, _ := strings.Cut(text, "->")
		l := line{no: i, words: strings.Fields(do), do: strings.TrimSpace(do), want: strings.TrimSpace(want)}
		switch {
		case len(l.words) == 0 || strings.HasPrefix(text, "#"):
			continue
		case l.words[0] == "new":
			flush()
			if s != nil {
				s.replayed(t)
			}
			s = newScript(t, name, i+1, l.words[1:])
			continue
		case len(batch) > 0 && batch[0].words[0] != l.words[0] || asks(l):
			flush()
		}
		batch = append(batch, l)
		if asks(l) {
			flush()
		}
	}
	flush()
	s.replayed(t)
	if *rewrite {
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// asks tells whether the line only looks at the game.
func asks(l line) bool {
	return len(l.words) == 2 && slices.Contains([]string{"show", "fen", "offer", "asked", "demo", "seen"}, l.words[1])
}

// script is a game that is driven by a scenario.
type script struct {
	where  string
	game   *game.Game
	at     int64
	events []game.Event
}

func newScript(t *testing.T, name string, no int, words []string) *script {
	setup := &game.Setup{RuleSet: "wbca", Mode: game.OverTheBoard, Base: [2]int64{300000, 300000}}
	setup.Options.BothFlagsIdle = 60000
	for i, word := range words {
		key, value, _ := strings.Cut(word, "=")
		if key == "fen" {
			setup.FEN = strings.Join(append([]string{value}, words[i+1:]...), " ")
			break
		}
		if !agree(t, setup, key, value) && !choose(t, &setup.Options, key, value) {
			t.Fatalf("%s:%d: %q is not known", name, no, word)
		}
	}
	s := &script{where: fmt.Sprintf("%s:%d", name, no), game: game.New()}
	if _, err := s.do(game.Command{Kind: game.Create, By: game.None, Setup: setup}); err != nil {
		t.Fatalf("%s: %v", s.where, err)
	}
	return s
}

// agree sets what two players agree on; it is false for other words.
func agree(t *testing.T, setup *game.Setup, key, value string) bool {
	t.Helper()
	switch key {
	case "rules":
		setup.RuleSet = value
	case "base":
		setup.Base = [2]int64{number(t, value), number(t, value)}
	case "w":
		setup.Base[0] = number(t, value)
	case "b":
		setup.Base[1] = number(t, value)
	case "timing":
		kind, ms, _ := strings.Cut(value, "/")
		setup.Timing = clock.Timing{Kind: clock.TimingKind(kind), Ms: number(t, ms)}
	case "mode":
		setup.Mode = game.Mode(value)
	case "lag":
		n := strings.Split(value, "/")
		setup.Lag = clock.Lag{Start: number(t, n[0]), Gain: number(t, n[1]), Most: number(t, n[2]), PerMove: number(t, n[3])}
	default:
		return false
	}
	return true
}

// choose sets an option of the event; it is false for other words.
func choose(t *testing.T, o *game.Options, key, value string) bool {
	t.Helper()
	switch key {
	case "idle":
		o.BothFlagsIdle = number(t, value)
	case "ladder":
		o.Ladder = true
	case "presence":
		o.Presence, o.Abandonment, o.FirstMove = true, true, 20000
	case "duty":
		o.OnDuty = true
	case "add":
		o.AddPenalty = true
	case "callsflags":
		o.ArbiterCallsFlags = true
	case "callsillegal":
		o.ArbiterCallsIllegal = true
	case "wide":
		o.WideRookPawn = true
	case "delayclock":
		o.DelayClock = true
	case "window":
		o.Window = number(t, value)
	default:
		return false
	}
	return true
}

func number(t *testing.T, word string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// do decides and applies, and checks that a decision changes nothing.
func (s *script) do(c game.Command) ([]game.Event, error) {
	before := *s.game
	events, err := s.game.Decide(c, s.at)
	if !reflect.DeepEqual(before, *s.game) {
		return nil, fmt.Errorf("Decide changed the game")
	}
	if err != nil && len(events) > 0 {
		return nil, fmt.Errorf("refused with %v, and events", err)
	}
	for _, e := range events {
		s.game.Apply(e)
	}
	s.events = append(s.events, events...)
	return events, err
}

// pass does what is due up to `at`.
func (s *script) pass(at int64) (told []string) {
	for range 100 {
		due, ok := s.game.Deadline()
		if !ok || due > at {
			break
		}
		s.at = max(s.at, due)
		events, err := s.do(game.Command{Kind: game.Tick, By: game.None})
		if err != nil {
			return append(told, err.Error())
		}
		for _, e := range events {
			told = append(told, fmt.Sprintf("@%d %s", e.At, describe(e)))
		}
		if len(events) == 0 {
			return append(told, "a tick that is due does nothing")
		}
	}
	s.at = max(s.at, at)
	return told
}

// batch plays lines of one time and returns what each gave.
func (s *script) batch(t *testing.T, lines []line) []string {
	at := number(t, lines[0].words[0])
	out := make([]string, len(lines))
	commands := make([]game.Command, len(lines))
	for i, l := range lines {
		if asks(l) {
			told := s.pass(at)
			out[i] = strings.Join(append(told, s.ask(l.words[1])), "; ")
			return out
		}
		commands[i] = s.command(t, l)
	}
	var told []string
	if commands[0].Kind == game.Recover {
		s.at = at // time passed without an owner: what was due comes after it
	} else {
		told = s.pass(at)
	}
	for _, i := range game.Merge(commands) {
		out[i] = strings.Join(append(told, s.outcome(commands[i])...), "; ")
		told = nil
	}
	return out
}

func (s *script) outcome(c game.Command) []string {
	events, err := s.do(c)
	var refusal *game.Refusal
	switch {
	case errors.As(err, &refusal):
		return []string{"refused " + string(refusal.Code)}
	case err != nil:
		return []string{err.Error()}
	case len(events) == 0:
		return nil
	}
	var told []string
	for _, e := range events {
		text := describe(e)
		if e.At != s.at {
			text = fmt.Sprintf("@%d %s", e.At, text)
		}
		told = append(told, text)
	}
	return told
}

// describe is an event in words.
func describe(e game.Event) string {
	words := []string{string(e.Kind)}
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	if e.By != game.None {
		add("%v", e.By)
	}
	switch e.Kind {
	case game.Released, game.Queued, game.Retracted:
		add("%v", board.Move(e.Move))
		if e.Kind == game.Released && !e.Legal {
			add("illegal")
		}
		if e.Press {
			add("press")
		}
	case game.Pressed:
		add("%d", e.Charged)
		if e.Credit > 0 {
			add("credit %d", e.Credit)
		}
	case game.Denied:
		add("%s, step %d", e.Code, e.Step)
	case game.Paused:
		add("charged %d", e.Charged)
	case game.Ended:
		add("%s %s %s", e.Result.Score, e.Result.Reason, e.Result.Rule)
	case game.Held:
		add("%s", e.Claim)
	case game.ProofAsked:
		add("%s: %s of %v?", e.Claim, e.Question.Kind, e.Question.Side)
	case game.ProofGiven:
		add("%s of %v: %v", e.Question.Kind, e.Question.Side, e.Yes)
	case game.DemoMoved:
		add("%v %d/%d", board.Move(e.Move), e.Demo[0], e.Demo[1])
	case game.DemoEnded:
		add("shown: %v", e.Yes)
	case game.Disputed:
		if add("%s", e.Claim); e.Stops {
			add("stops")
		}
	case game.Ruled:
		add("%s", e.Ruling.Act)
	case game.Restored:
		add("ply %d, step %d", e.Ply, e.Step)
	case game.Faulted:
		add("step %d", e.Step)
	case game.DelayInserted:
		add("%d, %d/%d", e.Delay, e.Left[0], e.Left[1])
	}
	if e.Add > 0 {
		add("add %d", e.Add)
	}
	if e.Take > 0 {
		add("take %d", e.Take)
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

func (s *script) ask(what string) string {
	switch what {
	case "fen":
		b := s.game.Position()
		return b.FEN()
	case "offer":
		return "offer of " + s.game.Offer().Name()
	case "asked":
		q, n, waits := s.game.Asked()
		if !waits {
			return "nothing"
		}
		return fmt.Sprintf("%d: %s of %v, %s", n, q.Kind, q.Side, q.FEN)
	case "demo":
		by, b, moves, left := s.game.Demo(s.at)
		if by == game.None {
			return "nothing"
		}
		return fmt.Sprintf("%v, %d/%d, %d moves, %s", by, left[0], left[1], len(moves), b.FEN())
	case "seen":
		return strconv.Itoa(s.game.Seen())
	}
	c := s.game.Clock()
	text := fmt.Sprintf("%d/%d", c.Remaining(game.White, s.at), c.Remaining(game.Black, s.at))
	if running := c.Running(); running != game.None {
		text += fmt.Sprintf(", %v runs", running)
	}
	down := ""
	for _, side := range []game.Side{game.White, game.Black} {
		if c.Down(side) {
			down += side.String()
		}
	}
	if down != "" {
		text += ", down " + down
	}
	if phase := s.game.Phase(); phase != game.Play {
		text += ", " + string(phase)
	}
	return text
}

// simple are the commands that a line names without more.
var simple = map[string]game.CommandKind{"press": game.Press, "retract": game.Retract, "resign": game.Resign,
	"offer": game.OfferDraw, "accept": game.AnswerDraw, "decline": game.AnswerDraw, "mute": game.MuteOffers,
	"arrive": game.Arrive, "depart": game.Depart, "tick": game.Tick, "recover": game.Recover,
	"move": game.Release, "demo": game.DemoMove, "claim": game.MakeClaim, "prove": game.Prove, "concede": game.Concede,
	"dispute": game.Dispute, "arbiter": game.Arbitrate}

func (s *script) command(t *testing.T, l line) game.Command {
	words := l.words[1:]
	c := game.Command{By: game.None, Ply: game.AnyPly}
	if side, err := game.ParseSide(words[0]); err == nil && side != game.None {
		c.By, words = side, words[1:]
	}
	kind, known := simple[words[0]]
	if !known {
		t.Fatalf("%s: %q is not known", s.where, l.do)
	}
	c.Kind, c.Accept = kind, words[0] == "accept"
	words = words[1:]
	switch c.Kind {
	case game.Release, game.DemoMove:
		move, err := board.ParseUCI(words[0])
		if err != nil {
			t.Fatalf("%s: %v", s.where, err)
		}
		c.Move, words = move, words[1:]
	case game.MakeClaim:
		c.Claim, words = game.Claim(words[0]), words[1:]
	case game.Prove:
		q, _, _ := s.game.Asked()
		c.Question, c.Verdict, words = &q, game.Verdict(words[0]), words[1:]
	case game.Arbitrate:
		c.Ruling = ruling(t, words)
		return c
	}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "press":
			c.Press = true
		case "lag":
			c.Lag = number(t, value)
		case "ply":
			c.Ply = int(number(t, value))
		case "elapsed":
			c.Elapsed = number(t, value)
		case "gap":
			c.Gap = number(t, value)
		default:
			t.Fatalf("%s: %q is not known in %q", s.where, word, l.do)
		}
	}
	return c
}

func ruling(t *testing.T, words []string) *game.Ruling {
	t.Helper()
	r := &game.Ruling{Act: game.Act(words[0]), Who: "arbiter", Why: "because", Side: game.None}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "side":
			side, err := game.ParseSide(value)
			if err != nil {
				t.Fatal(err)
			}
			r.Side = side
		case "clocks":
			white, black, _ := strings.Cut(value, "/")
			r.Clocks = [2]int64{number(t, white), number(t, black)}
		case "score":
			r.Score = game.Score(value)
		case "rule":
			r.Rule = value
		case "who":
			r.Who = value
		case "why":
			r.Why = value
		default:
			t.Fatalf("%q is not known in a ruling", word)
		}
	}
	return r
}

// replayed writes the events as a journal does, reads them back and compares the games.
func (s *script) replayed(t *testing.T) {
	t.Helper()
	events := make([]game.Event, len(s.events))
	for i, e := range s.events {
		text, err := game.AppendEvent(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		if events[i], err = game.ParseEvent(text); err != nil {
			t.Fatalf("%s: %s: %v", s.where, text, err)
		}
	}
	again, _ := game.Replay(events)
	if !reflect.DeepEqual(*again, *s.game) {
		t.Errorf("%s: the journal gives\n%+v, the game was\n%+v", s.where, *again, *s.game)
	}
}
