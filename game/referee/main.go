// Command referee replays worked examples of the rule books and prints the rulings that differ.
//
//	go run ./game/referee [-tables DIR] [FILE...]
//
// Each line of a file (or of standard input) is one example as JSON. It prints a line for each and, last,
// "N passed, N failed"; the exit status is 1 when one failed and 2 when a file cannot be read.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"flagfall/game/vector"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, stdin io.Reader, out, errs io.Writer) int {
	flags := flag.NewFlagSet("referee", flag.ContinueOnError)
	flags.SetOutput(errs)
	tables := flags.String("tables", "", "`folder` of the endgame tables (default: in the cache folder of the user)")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	prover, err := newShelf(*tables, errs)
	if err != nil {
		fmt.Fprintln(errs, "referee:", err)
		return 2
	}
	total := tally{prover: prover}
	files := flags.Args()
	if len(files) == 0 {
		if err := total.read("standard input", stdin, out); err != nil {
			fmt.Fprintln(errs, "referee:", err)
			return 2
		}
	}
	for _, name := range files {
		if err := total.readFile(name, out); err != nil {
			fmt.Fprintln(errs, "referee:", err)
			return 2
		}
	}
	fmt.Fprintf(out, "%d passed, %d failed\n", total.passed, total.failed)
	if total.failed > 0 {
		return 1
	}
	return 0
}

// tally counts rulings.
type tally struct {
	prover         vector.Prover
	passed, failed int
}

func (t *tally) readFile(name string, out io.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return t.read(name, f, out)
}

func (t *tally) read(name string, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		v, err := vector.Parse(lines.Bytes())
		if err != nil {
			t.failed++
			fmt.Fprintf(out, "FAIL %s line %d: %v\n", name, n, err)
			continue
		}
		if difference := v.Replay(t.prover); difference != "" {
			t.failed++
			fmt.Fprintf(out, "FAIL %s %s\n", v.ID, difference)
			continue
		}
		t.passed++
		fmt.Fprintf(out, "ok   %s\n", v.ID)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
