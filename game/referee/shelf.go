package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"flagfall/game"
	"flagfall/game/endgame"
)

// shelf answers questions with endgame tables that are computed when they are needed, and kept in a folder.
type shelf struct {
	library endgame.Library
}

// newShelf keeps its tables in dir, or in the user's cache folder. What takes a while is said on notes.
func newShelf(dir string, notes io.Writer) (*shelf, error) {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no folder for the endgame tables (-tables names one): %w", err)
		}
		dir = filepath.Join(cache, "flagfall", "endgames")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the folder of the endgame tables: %w", err)
	}
	path := func(name string) string { return filepath.Join(dir, name+".table") }
	return &shelf{library: endgame.Library{
		Tables: &endgame.Tables{},
		Load: func(name string) ([]byte, error) {
			packed, err := os.ReadFile(path(name))
			if errors.Is(err, fs.ErrNotExist) {
				fmt.Fprintln(notes, "referee: computing the endgame table", name)
				return nil, nil
			}
			return packed, err
		},
		Save: func(name string, packed []byte) error { return writeFile(path(name), packed) },
	}}, nil
}

// writeFile writes a file whole or not at all.
func writeFile(name string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(name), "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if _, err = temp.Write(data); err == nil {
		err = temp.Close()
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// Answer brings the tables that the question needs and searches.
func (s *shelf) Answer(q game.Question) (game.Verdict, error) {
	if err := s.library.Prepare(q.Tables()); err != nil {
		return "", err
	}
	return q.Answer(endgame.NewProver(s.library.Tables))
}
