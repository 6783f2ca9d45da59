// Command referee judges games by the rule books, as the server does.
//
// # Games
//
//	go run ./game/referee -pgn FILE [-rules NAME] [FILE...]
//	go run ./game/referee -json FILE [-rules NAME] [FILE...]
//
// It reads games that are over, for clubs that settle a dispute afterwards, and prints for each
//
//   - its moves, one on a line: number, side, move, clock, why an illegal move was one, which claims arose with the move,
//     for whom, until when and with what result, and which ones were gone with it, each with the number of its rule;
//   - a table: the result by each rule book if everything had been claimed as soon as it could be, if nothing had been
//     claimed, and whether the recorded result fits.
//
// -pgn reads PGN. Moves may be illegal: they are read by geometry, in short notation or with squares (Ke3, Ng1-g3, g1g3).
// Clocks come from comments, [%clk h:mm:ss] or [%emt h:mm:ss], the time control from the tag TimeControl ("300",
// "180+2"). Without clocks a flag falls only where the tag Termination says that the game ended by time. Parts of a game,
// as the server exports one in which an illegal move stood, are read as one game.
//
// -json reads games that the server kept: archived games, the entries of their journals, or events, one JSON value after
// the other.
//
// The claims under "moves" are those of the rule book that the game names (tag Rules; WBCA if none), or of -rules: wbca,
// uscf, cca or fide. Losing chances and conduct are not judged: they are an arbiter's.
//
// What is wrong in a file is printed with its line ("BAD"), and the rest of the file is still read.
//
// # Worked examples
//
//	go run ./game/referee [FILE...]
//
// Without -pgn and -json each line of a file, or of standard input, is a worked example as JSON: a game's commands and the
// rulings they must get. It prints a line for each and, last, "N passed, N failed".
//
// # Both
//
// A file named - is standard input. -tables names the folder of the endgame tables, which are computed when they are
// needed. The exit status is 0 when all was read and right, 1 when something was bad or an example failed, 2 when the
// command was not understood or a file could not be read.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"flagfall/game"
	"flagfall/game/vector"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// settings are what the command line says.
type settings struct {
	tables, pgn, json, rules string
	files                    []string
}

func parse(args []string, errs io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("referee", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.StringVar(&s.tables, "tables", "", "`folder` of the endgame tables (default: in the cache folder of the user)")
	flags.StringVar(&s.pgn, "pgn", "", "judge the games of a PGN `file`, and of the files that follow; - is standard input")
	flags.StringVar(&s.json, "json", "", "judge the recorded games of a JSON `file`, and of the files that follow")
	flags.StringVar(&s.rules, "rules", "", "`rule book` of the claims: "+strings.Join(game.RuleSets(), ", ")+" (default: the game's own)")
	flags.Usage = func() {
		fmt.Fprintln(errs, "usage: referee -pgn FILE | -json FILE | [FILE...]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.files = flags.Args()
	switch {
	case s.pgn != "" && s.json != "":
		return s, errors.New("-pgn and -json exclude each other")
	case s.rules != "" && s.pgn == "" && s.json == "":
		return s, errors.New("-rules needs -pgn or -json")
	case s.rules != "" && !slices.Contains(game.RuleSets(), s.rules):
		return s, fmt.Errorf("rule book %q is not known: want one of %s", s.rules, strings.Join(game.RuleSets(), ", "))
	case s.pgn != "":
		s.files = append([]string{s.pgn}, s.files...)
	case s.json != "":
		s.files = append([]string{s.json}, s.files...)
	case len(s.files) == 0:
		s.files = []string{"-"}
	}
	return s, nil
}

func run(args []string, stdin io.Reader, out, errs io.Writer) int {
	s, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	var prover *shelf
	if err == nil {
		prover, err = newShelf(s.tables, errs)
	}
	if err != nil {
		fmt.Fprintln(errs, "referee:", err)
		return 2
	}
	games := gamesOf{out: out, prover: prover, rules: s.rules}
	examples := tally{prover: prover}
	for _, name := range s.files {
		text, err := open(name, stdin)
		switch {
		case err != nil:
		case s.pgn != "":
			err = games.pgn(shown(name), text)
		case s.json != "":
			err = games.json(shown(name), text)
		default:
			err = examples.read(shown(name), strings.NewReader(text), out)
		}
		if err != nil {
			fmt.Fprintln(errs, "referee:", err)
			return 2
		}
	}
	bad := games.bad
	if s.pgn == "" && s.json == "" {
		fmt.Fprintf(out, "%d passed, %d failed\n", examples.passed, examples.failed)
		bad = examples.failed
	}
	if bad > 0 {
		return 1
	}
	return 0
}

func shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

func open(name string, stdin io.Reader) (string, error) {
	if name == "-" {
		text, err := io.ReadAll(stdin)
		return string(text), err
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

// tally counts rulings.
type tally struct {
	prover         vector.Prover
	passed, failed int
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
