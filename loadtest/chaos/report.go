package chaos

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Report is what Check found. A check is one invariant held against one subject: a game, an actor or a client.
type Report struct {
	Passed   map[Invariant]int
	Failures []Failure
	Counts   Counts
}

// Failure is a check that failed, with the first thing that was wrong.
type Failure struct {
	Invariant Invariant
	Subject   string
	Why       string
}

// Counts say how much there was to check: a report about nothing is worth nothing.
type Counts struct {
	Actors       int // that have a journal
	Entries      int // of them
	Games        int
	Ended        int // of them
	Moves        int // completed
	Acknowledged int // commands that a client saw acknowledged
	Takeovers    int // changes of an actor's owner
	Rolled       int // actors that went on with events of a later version
	Paused       int // games stopped by an outage, as often as that happened
	Flags        int // that fell
}

func newReport() *Report { return &Report{Passed: map[Invariant]int{}} }

// check counts one check; problems is empty where nothing is wrong.
func (r *Report) check(of Invariant, subject string, problems []string) {
	if len(problems) == 0 {
		r.Passed[of]++
		return
	}
	why := problems[0]
	if len(problems) > 1 {
		why = fmt.Sprintf("%s (and %d more)", why, len(problems)-1)
	}
	r.Failures = append(r.Failures, Failure{of, subject, why})
}

// Total is how many checks passed.
func (r *Report) Total() int {
	n := 0
	for _, passed := range r.Passed {
		n += passed
	}
	return n
}

// Failed lists the invariants that do not hold, in the order of Invariants.
func (r *Report) Failed() []Invariant {
	var out []Invariant
	for _, of := range Invariants {
		if slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.Invariant == of }) {
			out = append(out, of)
		}
	}
	return out
}

// mostPrinted failures of an invariant are printed.
const mostPrinted = 10

// Print writes the seed, what was looked at, each invariant with its checks, the failures, and last how many checks
// passed and failed.
func (r *Report) Print(out io.Writer, seed uint64) {
	c := r.Counts
	fmt.Fprintf(out, "seed %d\n%d actors, %d entries, %d takeovers, %d rolled; %d games, %d ended, %d paused; %d moves, %d commands acknowledged, %d flags\n",
		seed, c.Actors, c.Entries, c.Takeovers, c.Rolled, c.Games, c.Ended, c.Paused, c.Moves, c.Acknowledged, c.Flags)
	for _, of := range Invariants {
		failed := 0
		for _, f := range r.Failures {
			if f.Invariant != of {
				continue
			}
			if failed++; failed <= mostPrinted {
				fmt.Fprintf(out, "FAILED %s: %s: %s\n", of, f.Subject, f.Why)
			}
		}
		fmt.Fprintf(out, "%-66s %6d passed, %d failed\n", of, r.Passed[of], failed)
	}
	fmt.Fprintf(out, "%d passed, %d failed\n", r.Total(), len(r.Failures))
}

// Tell prints all entries that concern a subject of a failure: of an actor, or of a game those of its seats, too.
func (h *History) Tell(out io.Writer, subject string) {
	journals := merge(h.Entries)
	for _, name := range []string{subject, gamePrefix + subject} {
		if j := journals[name]; j != nil && name != seatsActor {
			j.tell(out, name, "")
		}
	}
	if j := journals[seatsActor]; j != nil && subject != seatsActor {
		j.tell(out, seatsActor, subject)
	}
}

// tell prints the entries whose events hold a text.
func (j *journal) tell(out io.Writer, name, about string) {
	for _, r := range j.records {
		var events []string
		for _, e := range r.Events {
			events = append(events, string(e))
		}
		if text := strings.Join(events, ","); strings.Contains(text, about) {
			fmt.Fprintf(out, "%s %d at %d, %s in epoch %d, %s %s: %.300s\n", name, r.seq, r.At, r.Owner, r.Epoch, r.From, r.ID, text)
		}
	}
}
