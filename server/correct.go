package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"flagfall/server/store"
)

// correctUsage are the words of the command.
const correctUsage = "GAME RESULT WHO WHY"

// correctTime bounds the command, with the ratings that follow.
const correctTime = 10 * time.Minute

// correct sets the result of a finished game (rulings D38), beside a running server or without one.
func correct(ctx context.Context, args, environ []string, out, errs io.Writer) int {
	s, words, err := readCommand(args, environ, out)
	if errors.Is(err, errHelp) {
		return 0
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, correctTime)
		defer cancel()
		err = correctGame(ctx, s.database(), words, out)
	}
	if err != nil {
		fmt.Fprintln(errs, "flagfall: correct:", strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	return 0
}

func correctGame(ctx context.Context, database string, words []string, out io.Writer) (err error) {
	if len(words) != 4 {
		return fmt.Errorf("want: correct %s, where RESULT is 1-0, 0-1, 1/2-1/2, void, or casual for a result that stands and is not rated "+
			"(what has several words goes in quotes)", correctUsage)
	}
	if !strings.Contains(database, ":") { // a file; a new one would have no games in it
		if _, err := os.Stat(database); err != nil {
			return fmt.Errorf("there is no database here (%w): say -data or -db", err)
		}
	}
	db, err := store.Open(ctx, database, store.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	c := store.Correction{Game: words[0], Result: words[1], By: words[2], Why: words[3], At: time.Now()}
	was, err := db.Game(ctx, c.Game)
	if err != nil {
		return err
	}
	switch c.Result {
	case "void":
		c.Result = "*"
	case "casual":
		c.Result, c.Casual = was.Result, true
	}
	if err := db.Correct(ctx, c); err != nil {
		return err
	}
	// A server that runs may be at it, too: each does a part.
	for more := true; more; {
		if more, err = db.Rerate(ctx, time.Now()); err != nil {
			return fmt.Errorf("the result is set; the ratings follow when a server runs: %w", err)
		}
	}
	fmt.Fprintf(out, "%s: %s is now %s\n", c.Game, was.Result, c.Result)
	return nil
}
