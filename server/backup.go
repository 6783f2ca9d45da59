package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"flagfall/server/journal"
	"flagfall/server/store"
	"flagfall/server/table"
)

// backup copies what a server of the same settings keeps, whether it runs or not, into a new folder: database, journal and
// keys, all of one moment. With an SQLite database the copy is a data folder. The exit status is 0 if it is whole.
func backup(ctx context.Context, args, environ []string, out, errs io.Writer) int {
	said, err := makeBackup(ctx, args, environ, out)
	switch {
	case errors.Is(err, errHelp):
		return 0
	case err != nil:
		fmt.Fprintln(errs, "flagfall: backup:", strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	fmt.Fprintln(out, said)
	return 0
}

// makeBackup gives the line that says what was done.
func makeBackup(ctx context.Context, args, environ []string, out io.Writer) (said string, err error) {
	to, flags := "", args
	if n := len(args); n > 0 && !strings.HasPrefix(args[n-1], "-") {
		to, flags = args[n-1], args[:n-1]
	}
	s, err := readSettings(flags, environ, out)
	switch {
	case err != nil:
		return "", err
	case to == "":
		return "", errors.New("want a folder to write to, which must not be there")
	case s.redis != "":
		return "", errors.New("the games of several nodes are in Redis: back up the PostgreSQL database with pg_dump")
	}
	if _, err := os.Lstat(to); err == nil {
		return "", fmt.Errorf("%s is there already", to)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	// Under another name until it is whole.
	unfinished, err := os.MkdirTemp(filepath.Dir(to), "."+filepath.Base(to)+"-unfinished-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(unfinished))
		}
	}()
	games, err := copyData(ctx, s, unfinished)
	if err != nil {
		return "", err
	}
	size, err := settle(unfinished)
	if err == nil {
		err = os.Rename(unfinished, to)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(to))
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("backed up to %s: %.1f MB; games in the journal: %d", to, float64(size)/1e6, games), nil
}

// copyData writes the copies and gives the number of games in the journal.
//
// No result of a game or event gets into the database from before the end of the journal is known until after the moment of the snapshot. So a
// game whose journal says that it is archived is in the copied database, and one that is there is over in the copied
// journal, whose actor at most saves it again, which changes nothing.
func copyData(ctx context.Context, s settings, to string) (games int, err error) {
	folder := filepath.Join(s.data, journalFolder)
	if _, err := os.Stat(folder); err != nil {
		return 0, fmt.Errorf("no server has run over the data folder %s: %w", s.data, err)
	}
	var running *journal.Prefix
	defer func() {
		if running != nil {
			running.Close()
		}
	}()
	database, err := store.TakeSnapshot(ctx, s.database(), func() (err error) {
		running, err = journal.Fix(folder)
		return err
	})
	if err != nil {
		return 0, err
	}
	ids, err := running.WriteTo(filepath.Join(to, journalFolder))
	if err == nil {
		_, err = database.WriteTo(ctx, to)
	}
	if err == nil {
		err = copyKeys(s.data, to)
	}
	for _, id := range ids {
		if id.Kind() == table.KindName {
			games++
		}
	}
	return games, errors.Join(err, database.Close())
}

// copyKeys copies the keys that sign tokens, unless they are in the database. A key that was removed while the copy was
// made is not in it.
func copyKeys(data, to string) error {
	text, err := os.ReadFile(filepath.Join(data, keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, keyFile), text, 0o600)
}

// settle sees all files of a folder on the disk, and gives their size in bytes.
func settle(folder string) (size int64, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return errors.Join(err, syncFolder(path))
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			size += info.Size()
			err = f.Sync()
		}
		return errors.Join(err, f.Close())
	})
	return size, err
}

// syncFolder makes the names of new files last; on Windows the system sees to that.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
