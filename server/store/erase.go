package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"flagfall/server/account"
)

// Erasures lists deleted persons.
func (s *Store) Erasures(ctx context.Context) (map[string]time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	all := map[string]time.Time{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var person string
		var asked int64
		err := rows.Scan(&person, &asked)
		all[person] = civil(asked)
		return err
	}, `SELECT person, asked FROM erasure`)
	if err != nil {
		return nil, s.wrap("read", "the erasures", err)
	}
	return all, nil
}

// DropErasure forgets that a person was deleted.
func (s *Store) DropErasure(ctx context.Context, person string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `DELETE FROM erasure WHERE person = $1`, person)
	return s.wrap("drop erasure", person, err)
}

// named is a game as far as its names go.
type named struct {
	id, white, black     string
	whiteName, blackName string
	ended                int64
	record               string
}

// EraseGames puts account.Deleted for the name of a person in games, the latest first, and in their records; with the first
// of them in what is kept of events, too.
func (s *Store) EraseGames(ctx context.Context, person, after string, limit int) (erased int, next string, err error) {
	ended, id := int64(1<<62), ""
	if after != "" {
		text, rest, found := strings.Cut(after, " ")
		if ended, err = strconv.ParseInt(text, 10, 64); err != nil || !found {
			return 0, "", fmt.Errorf("store: erase games: %q is no place", after)
		}
		id = rest
	}
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		games, err := namedGames(ctx, tx, person, ended, id, limit)
		if err == nil && after == "" {
			erased, err = eraseEvents(ctx, tx, person)
		}
		if err != nil {
			return err
		}
		for _, g := range games {
			changed, err := eraseName(ctx, tx, person, g)
			if err != nil {
				return fmt.Errorf("game %s: %w", g.id, err)
			}
			if changed {
				erased++
			}
			next = strconv.FormatInt(g.ended, 10) + " " + g.id
		}
		if len(games) < limit {
			next = ""
		}
		return nil
	})
	return erased, next, s.wrap("erase games of", person, err)
}

func namedGames(ctx context.Context, tx *sql.Tx, person string, ended int64, id string, limit int) (games []named, err error) {
	const columns = `id, white, black, white_name, black_name, ended, record`
	const half = `SELECT * FROM (SELECT ` + columns + ` FROM game WHERE %s = $1 AND (ended, id) < ($2, $3) ORDER BY ended DESC, id DESC LIMIT $4) AS %[1]s_games`
	rows, err := tx.QueryContext(ctx, fmt.Sprintf(half, "white")+` UNION `+fmt.Sprintf(half, "black")+` ORDER BY ended DESC, id DESC LIMIT $4`,
		person, ended, id, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var g named
		if err := rows.Scan(&g.id, &g.white, &g.black, &g.whiteName, &g.blackName, &g.ended, &g.record); err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, rows.Err()
}

// eraseName writes a game anew, unless it does not have the name any more.
func eraseName(ctx context.Context, tx *sql.Tx, person string, g named) (changed bool, err error) {
	record, changed, err := withoutName([]byte(g.record), person)
	if err != nil {
		return false, err
	}
	for _, side := range []struct {
		id   string
		name *string
	}{{g.white, &g.whiteName}, {g.black, &g.blackName}} {
		if side.id == person && *side.name != account.Deleted {
			*side.name, changed = account.Deleted, true
		}
	}
	if !changed {
		return false, nil
	}
	_, err = tx.ExecContext(ctx, `UPDATE game SET white_name = $2, black_name = $3, record = $4 WHERE id = $1`, g.id, g.whiteName, g.blackName, string(record))
	return true, err
}

// withoutName puts account.Deleted for the name of every player with the id, wherever a record has one: an object with
// "id" and "name"; and his real one out, and that of the staff of an event.
func withoutName(record []byte, person string) (_ []byte, changed bool, err error) {
	if !strings.Contains(string(record), person) {
		return record, false, nil
	}
	decoder := json.NewDecoder(strings.NewReader(string(record)))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, false, err
	}
	if !rename(tree, person) {
		return record, false, nil
	}
	record, err = json.Marshal(tree)
	return record, true, err
}

func rename(node any, person string) (changed bool) {
	switch n := node.(type) {
	case map[string]any:
		if name, ok := n["name"].(string); ok && n["id"] == person && name != account.Deleted {
			n["name"], changed = account.Deleted, true
		}
		if _, ok := n["real"].(string); ok && n["id"] == person {
			delete(n, "real")
			changed = true
		}
		if names, ok := n["names"].(map[string]any); ok { // an event's staff, by id
			if name, ok := names[person].(string); ok && name != account.Deleted {
				names[person], changed = account.Deleted, true
			}
		}
		for _, child := range n {
			changed = rename(child, person) || changed
		}
	case []any:
		for _, child := range n {
			changed = rename(child, person) || changed
		}
	}
	return changed
}
