package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"flagfall/server/rating"
)

// Rated is what somebody is rated.
type Rated struct {
	Kind        string
	Rating      rating.Rating // as it stands now
	Games       int           // rated
	Last        time.Time     // the end of the last of these
	Provisional bool
}

// Leader is a place on a leader board.
type Leader struct {
	Person, Name string
	Rated
}

// LeaderPlace is a place on a leader board: the next page begins after it. The zero value begins at the top.
type LeaderPlace struct {
	Rating float64
	Person string
}

// Point is a rating after a game.
type Point struct {
	Number    int64 // grows with every game that may count
	Game      string
	Ended     time.Time
	Before    float64
	Rating    float64
	Deviation float64
}

// NamePlace is a place in a list by name: the next page begins after it. The zero value begins.
type NamePlace struct{ Name, Person string }

const (
	ratingsQuery = `SELECT person, '', kind, rating, deviation, volatility, games, last FROM rating WHERE person = $1 ORDER BY kind`
	leadersQuery = `SELECT r.person, p.name, r.kind, r.rating, r.deviation, r.volatility, r.games, r.last
		FROM rating AS r JOIN person AS p ON p.id = r.person
		WHERE r.kind = $1 AND r.settled > 0 AND r.settled > $2 AND (r.rating, r.person) < ($3, $4) AND ` + present + ` AND NOT bot
		ORDER BY r.rating DESC, r.person DESC LIMIT $5`
	historyQuery = `SELECT number, game, ended, before, rating, deviation FROM rating_change
		WHERE person = $1 AND kind = $2 AND number < $3 ORDER BY number DESC LIMIT $4`

	// present holds for people who have an account. Who has deleted it has lost the date on which it was made.
	present = `NOT guest AND created > 0`
)

// byName finds the account of a name, whatever its capitals.
func (s *Store) byName() string {
	return `SELECT id, name, guest, bot, created, last_seen FROM person WHERE ` + present + ` AND ` + s.dialect.lowerName + ` = $1 ORDER BY id LIMIT 1`
}

// byPrefix finds accounts whose name lies from $1 to $2; of the name $1 itself those with an id above $3.
func (s *Store) byPrefix() string {
	return `SELECT id, name, bot FROM person WHERE ` + present + ` AND ` + s.dialect.lowerName + ` >= $1 AND ` + s.dialect.lowerName + ` < $2
		AND (` + s.dialect.lowerName + ` > $1 OR id > $3) ORDER BY ` + s.dialect.lowerName + `, id LIMIT $4`
}

// PersonNamed finds the account of a name; capitals make no difference.
func (s *Store) PersonNamed(ctx context.Context, name string) (Person, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var p Person
	var created, seen int64
	err := s.db.QueryRowContext(ctx, s.byName(), strings.ToLower(name)).Scan(&p.ID, &p.Name, &p.Guest, &p.Bot, &created, &seen)
	if err != nil {
		return Person{}, s.wrap("person", name, err)
	}
	p.Created, p.LastSeen = civil(created), civil(seen)
	return p, nil
}

// Search lists accounts whose name begins with a text, by name, at most limit, after a place. Names are ASCII.
func (s *Store) Search(ctx context.Context, prefix string, after NamePlace, limit int) ([]Person, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	prefix = strings.ToLower(prefix)
	from, id := prefix, ""
	if after != (NamePlace{}) {
		from, id = max(prefix, strings.ToLower(after.Name)), after.Person
	}
	list := []Person{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var p Person
		err := rows.Scan(&p.ID, &p.Name, &p.Bot)
		list = append(list, p)
		return err
	}, s.byPrefix(), from, prefix+"\x7f", id, limit)
	return list, s.wrap("search for", prefix, err)
}

// Ratings lists what somebody is rated at a time, by kind.
func (s *Store) Ratings(ctx context.Context, person string, now time.Time) ([]Rated, error) {
	list := []Rated{}
	err := s.ratings(ctx, now, func(l Leader) { list = append(list, l.Rated) }, ratingsQuery, person)
	return list, s.wrap("ratings of", person, err)
}

// Leaders lists the people with the best ratings of a kind that are not provisional at a time, at most limit, after a place. Bots
// are rated among themselves, so they are not there.
func (s *Store) Leaders(ctx context.Context, kind string, after LeaderPlace, limit int, now time.Time) ([]Leader, error) {
	if after == (LeaderPlace{}) {
		after.Rating = 1e9
	}
	list := []Leader{}
	err := s.ratings(ctx, now, func(l Leader) { list = append(list, l) }, leadersQuery, kind, now.UnixMilli(), after.Rating, after.Person, limit)
	return list, s.wrap("leaders of", kind, err)
}

func (s *Store) ratings(ctx context.Context, now time.Time, add func(Leader), query string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return s.each(ctx, func(rows *sql.Rows) error {
		var l Leader
		var r standing
		if err := rows.Scan(&l.Person, &l.Name, &l.Kind, &r.Rating.Rating, &r.Deviation, &r.Volatility, &r.games, &r.last); err != nil {
			return err
		}
		l.Rating, l.Games, l.Last = r.at(now.UnixMilli()), r.games, civil(r.last)
		l.Provisional = l.Rating.Provisional()
		add(l)
		return nil
	}, query, args...)
}

// RatingHistory lists the ratings of a kind that somebody has had, the latest first, at most limit, those with a number below
// `before`; 0 begins with the latest.
func (s *Store) RatingHistory(ctx context.Context, person, kind string, before int64, limit int) ([]Point, error) {
	list := []Point{}
	err := s.points(ctx, person, kind, before, limit, func(p Point) { list = append(list, p) })
	return list, err
}

// RatingDays is RatingHistory with the last game of each day (UTC) alone, of the latest `games` games.
func (s *Store) RatingDays(ctx context.Context, person, kind string, games int) ([]Point, error) {
	list := []Point{}
	day := func(p Point) int64 { return p.Ended.Unix() / 86400 }
	err := s.points(ctx, person, kind, 0, games, func(p Point) {
		if n := len(list); n == 0 || day(list[n-1]) != day(p) {
			list = append(list, p)
		}
	})
	return list, err
}

func (s *Store) points(ctx context.Context, person, kind string, before int64, limit int, add func(Point)) error {
	if before == 0 {
		before = 1 << 62
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return s.wrap("rating history of", person, s.each(ctx, func(rows *sql.Rows) error {
		var p Point
		var ended int64
		if err := rows.Scan(&p.Number, &p.Game, &ended, &p.Before, &p.Rating, &p.Deviation); err != nil {
			return err
		}
		p.Ended = civil(ended)
		add(p)
		return nil
	}, historyQuery, person, kind, before, limit))
}
