package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"flagfall/game"
	"flagfall/game/review"
)

// report writes what a game was, move by move under one rule book, and its result under all of them.
type report struct {
	out    io.Writer
	record *review.Record
	prover review.Prover
	judged string // rule set of the move list
}

func (r *report) write() error {
	prover := review.Once(r.prover)
	var opinions []*review.Opinion
	for _, name := range game.RuleSets() {
		o, err := r.record.Judge(name, prover)
		if err != nil {
			return err
		}
		opinions = append(opinions, o)
	}
	for _, note := range r.record.Notes {
		fmt.Fprintln(r.out, "  Note:", note)
	}
	for _, o := range opinions {
		if o.RuleSet == r.judged {
			r.moves(o)
		}
	}
	r.table(opinions)
	return nil
}

// moves lists the moves, one on a line, with the claims that arose and lapsed under one rule book.
func (r *report) moves(o *review.Opinion) {
	fmt.Fprintf(r.out, "  Moves, and claims under %s:\n", o.Book)
	if remarks := r.claims(o, -1); len(remarks) > 0 {
		fmt.Fprintf(r.out, "    before the first move  %s\n", strings.Join(remarks, "; "))
	}
	for i := range r.record.Lines {
		l := &r.record.Lines[i]
		var words []string
		if l.Why != "" && !(o.End != nil && o.EndLine == i && o.End.Reason == "king_capture") {
			words = append(words, fmt.Sprintf("ILLEGAL (%s %s): %s", o.Book, illegalRules[o.RuleSet], l.Why))
		}
		if !l.Pressed && l.Why != "" {
			words = append(words, "the clock was not pressed: nothing to claim yet")
		}
		words = append(words, l.Notes...)
		words = append(words, r.claims(o, i)...)
		words = append(words, r.ends(o, i)...)
		text := fmt.Sprintf("    %-5s %-5s %-9s %8s  %s", number(l), l.By.Name(), l.Text, clockText(l.Clock), strings.Join(words, "; "))
		fmt.Fprintln(r.out, strings.TrimRight(text, " "))
	}
}

// ends says on a move that the game was over with it, or that the rule book did not let it go on as recorded.
func (r *report) ends(o *review.Opinion, i int) []string {
	switch {
	case o.End != nil && o.EndLine == i:
		return []string{"the game is over: " + verdict(o.End)}
	case o.Stopped != "" && o.StopLine == i:
		return []string{o.Stopped}
	}
	return nil
}

// claims are the words about claims that came and went with a move.
func (r *report) claims(o *review.Opinion, i int) []string {
	var words []string
	said := map[int]bool{}
	for n, c := range o.Claims {
		if c.From != i || said[n] {
			continue
		}
		who := c.By.Name()
		for m := n + 1; m < len(o.Claims); m++ { // the other side's claim to the same
			if other := o.Claims[m]; other.By != c.By && other.Claim == c.Claim && other.From == c.From && other.To == c.To {
				who, said[m] = "either side", true
			}
		}
		until := until(o, c)
		if c.To == i {
			until = "before the press only"
		}
		words = append(words, fmt.Sprintf("%s may claim %s: %s, %s", who, about(c), gain(c), until))
	}
	for _, c := range o.Claims {
		if c.To == i && c.From != i {
			words = append(words, fmt.Sprintf("%s may no longer claim %s", c.By.Name(), about(c)))
		}
	}
	return words
}

// table is the result under each rule book.
func (r *report) table(opinions []*review.Opinion) {
	fmt.Fprintln(r.out, "  Result by each rule book:")
	t := tabwriter.NewWriter(r.out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(t, "    book\teverything claimed\tnothing claimed\tas recorded, %s\n", score(r.record.Score))
	var why []string
	for _, o := range opinions {
		all, allWhy := r.everything(o)
		none, noneWhy := r.nothing(o)
		fits, fitsWhy := r.recorded(o)
		fmt.Fprintf(t, "    %s\t%s\t%s\t%s\n", o.Book, all, none, fits)
		for _, w := range [3][2]string{{"everything claimed", allWhy}, {"nothing claimed", noneWhy}, {"as recorded", fitsWhy}} {
			if w[1] != "" {
				why = append(why, fmt.Sprintf("    %s, %s: %s", o.Book, w[0], w[1]))
			}
		}
	}
	t.Flush()
	for _, w := range why {
		fmt.Fprintln(r.out, w)
	}
}

// everything is what comes of the first claim that could be made.
func (r *report) everything(o *review.Opinion) (cell, why string) {
	c := o.First()
	if c == nil {
		cell, _ = r.nothing(o)
		return cell, ""
	}
	why = fmt.Sprintf("%s claims %s %s: %s", c.By.Name(), about(c), r.after(c.From), gain(c))
	if c.Result == nil {
		return "goes back", why
	}
	return string(c.Result.Score), why
}

func (r *report) nothing(o *review.Opinion) (cell, why string) {
	switch {
	case o.End != nil:
		why = fmt.Sprintf("%s %s", verdict(o.End), r.after(o.EndLine))
		if o.Unplayed > 0 {
			why += fmt.Sprintf("; moves of the record that come too late: %d", o.Unplayed)
		}
		return string(o.End.Score), why
	case o.Stopped != "":
		return "unlike the record", fmt.Sprintf("%s: %s", r.after(o.StopLine), o.Stopped)
	}
	return "goes on", ""
}

// recorded holds the recorded result against the rule book.
func (r *report) recorded(o *review.Opinion) (cell, why string) {
	want := r.record.Score
	switch {
	case want == game.Void:
		return "no result", ""
	case o.Stopped != "":
		return "cannot be told", ""
	case r.record.Cut && o.End == nil:
		return "cannot be told", "the last moves could not be followed"
	case o.End != nil && o.End.Score == want:
		return "fits", ""
	case o.End != nil:
		return "contradicts", "the game had ended " + string(o.End.Score)
	}
	for _, c := range o.Claims {
		if c.To == review.StillOpen && c.Result != nil && c.Result.Score == want {
			return "fits a claim", fmt.Sprintf("%s could claim %s at the end: %s", c.By.Name(), about(c), gain(c))
		}
	}
	result := o.Agreed
	how := "if it was agreed"
	for _, side := range [2]game.Side{game.White, game.Black} {
		if given := o.Resigned[side]; given != nil && given.Score == want {
			result, how = given, "if "+side.Name()+" resigned"
		}
	}
	if result == nil {
		return "cannot be told", ""
	}
	return how, fmt.Sprintf("no claim leads to it at the end of the record (%s)", result.Cite())
}

// after names a place in the record.
func (r *report) after(line int) string {
	if line < 0 {
		return "before the first move"
	}
	l := &r.record.Lines[line]
	return "after " + number(l) + " " + l.Text
}

func number(l *review.Line) string {
	if l.By == game.Black {
		return fmt.Sprintf("%d...", l.Number)
	}
	return fmt.Sprintf("%d.", l.Number)
}

func clockText(ms int64) string {
	if ms < 0 {
		return "-"
	}
	tenths := (ms + 99) / 100
	if hours := tenths / 36000; hours > 0 {
		return fmt.Sprintf("%d:%02d:%02d.%d", hours, tenths/600%60, tenths/10%60, tenths%10)
	}
	return fmt.Sprintf("%d:%02d.%d", tenths/600, tenths/10%60, tenths%10)
}

func score(s game.Score) string {
	if s == game.Void || s == "" {
		return "no result"
	}
	return string(s)
}

// verdict is "1-0, White mated Black's king - WBCA 7a".
func verdict(r *game.Result) string { return score(r.Score) + ", " + r.Text() }

// gain is what a claim brings.
func gain(c *review.Claim) string {
	if c.Result == nil {
		text := "the position before it is back"
		if c.Back.Add > 0 {
			text += fmt.Sprintf(" and %s gets %d s", c.By.Name(), c.Back.Add/1000)
		}
		return text
	}
	text := string(c.Result.Score)
	if cite := c.Result.Cite(); cite != "" {
		text += " (" + cite + ")"
	}
	if c.Shower != game.None {
		text += fmt.Sprintf(", unless %s shows a forced win within two minutes", c.Shower.Name())
		if c.Shown != nil {
			text += fmt.Sprintf(": then %s (%s)", c.Shown.Score, c.Shown.Cite())
		}
	}
	return text
}

// illegalRules are the numbers under which the books speak of illegal moves.
var illegalRules = map[string]string{"wbca": "14", "uscf": "11D", "cca": "21", "fide": "7.5.1"}

// subjects are what claims are about.
var subjects = map[game.Claim]string{
	game.ClaimIllegal: "the illegal move", game.ClaimTime: "the flag", game.ClaimBothFlags: "both flags",
	game.ClaimNoMating: "that there is no mating material", game.ClaimPerpetual: "perpetual check",
	game.ClaimPawn: "king and pawn against king", game.ClaimRookPawn: "the blocked rook pawn",
	game.ClaimOpposite: "opposite bishops", game.ClaimIdentical: "one identical piece each",
	game.ClaimThreefold: "the threefold repetition", game.ClaimFifty: "fifty moves",
}

func about(c *review.Claim) string { return subjects[c.Claim] }

// until says how long a claim can be made.
func until(o *review.Opinion, c *review.Claim) string {
	switch c.Claim {
	case game.ClaimIllegal:
		switch {
		case c.Result != nil:
			return "until the claimant makes a legal move or presses after any move"
		case o.RuleSet == "cca" && c.Back.Add > 0:
			return "until the claimant makes a move"
		}
		return "until the claimant has completed two moves"
	case game.ClaimTime:
		return "until the claimant's own flag falls or the game ends"
	case game.ClaimBothFlags, game.ClaimNoMating:
		return "until the game ends"
	case game.ClaimPerpetual:
		return "until the claimant's next move"
	case game.ClaimThreefold, game.ClaimFifty:
		return "while the claimant is on move"
	}
	return "while the position stands"
}
