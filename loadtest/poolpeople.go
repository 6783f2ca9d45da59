package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/wire/client"
)

// pastGames is how many rated games everybody has behind him.
const pastGames = 4

// poolKind is the rating by which the pools pair.
const poolKind = "wbca"

// rated is an account with a rating.
type rated struct {
	account.Person
	rating float64
}

// enroll adds people with a past to a server's database: accounts whose strengths are spread around 1500, and the results
// of games that they have played. What they are rated is what the server's own code makes of these.
func enroll(ctx context.Context, s *store.Store, n int, seed uint64) ([]rated, error) {
	dice := rand.New(rand.NewPCG(seed, 1))
	people, strength := make([]rated, n), make([]float64, n)
	now := time.Now().UTC().Truncate(time.Second)
	for i := range people {
		id := account.NewGuest().ID
		people[i].Person = account.Person{ID: id, Name: "Load " + id[:8]}
		strength[i] = 1500 + 350*dice.NormFloat64()
		err := s.SavePerson(ctx, store.Person{ID: id, Name: people[i].Name, Created: now, LastSeen: now})
		if err != nil {
			return nil, err
		}
	}
	for round := range pastGames {
		order := dice.Perm(n)
		for i := 0; i+1 < n; i += 2 {
			a, b := order[i], order[i+1]
			ended := now.Add(-time.Duration(pastGames-round) * 24 * time.Hour)
			if err := pastGame(ctx, s, people[a].Person, people[b].Person, result(dice, strength[a]-strength[b]), ended); err != nil {
				return nil, err
			}
		}
	}
	for i := range people {
		ranks, err := s.Ranks(ctx, people[i].ID)
		if err != nil {
			return nil, err
		}
		people[i].rating = 1500
		if r, ranked := ranks[poolKind]; ranked {
			people[i].rating = r
		}
	}
	return people, nil
}

// result is that of a game in which White is so many points stronger.
func result(dice *rand.Rand, stronger float64) string {
	if dice.Float64() < 1/(1+math.Pow(10, -stronger/400)) {
		return "1-0"
	}
	return "0-1"
}

func pastGame(ctx context.Context, s *store.Store, white, black account.Person, result string, ended time.Time) error {
	_, err := s.SaveGame(ctx, store.Game{
		ID: strings.ToLower(account.NewGuest().ID), White: white.ID, WhiteName: white.Name, Black: black.ID, BlackName: black.Name,
		Rules: poolKind, Mode: "fast", Base: 300_000, Result: result, Reason: "resignation", Rule: "WBCA 7b",
		Started: ended.Add(-5 * time.Minute), Ended: ended, Plies: 40, Rating: poolKind, Counts: true, Record: json.RawMessage(`{}`),
	})
	return err
}

// office makes people and signs their tokens.
type office struct {
	store *store.Store
	keys  *account.Keys
}

// openOffice opens the database of servers, and the keyset by which they sign: in the database where that is shared, else
// beside its file, or in the folder that is given.
func openOffice(ctx context.Context, database, data string) (*office, error) {
	s, err := store.Open(ctx, database, store.Options{})
	if err != nil {
		return nil, err
	}
	var keys account.KeyStore = s
	if !s.Shared() {
		if data == "" {
			data = filepath.Dir(database)
		}
		keys = account.NewKeyFile(filepath.Join(data, "keys.json"))
	}
	k, err := account.OpenKeys(ctx, account.KeysConfig{Store: keys})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &office{s, k}, nil
}

// tokens signs for everybody, for the address that a server gives itself.
func (o *office) tokens(ctx context.Context, base string, people []rated) ([]string, error) {
	audience, err := audienceOf(ctx, base)
	if err != nil {
		return nil, err
	}
	signer, err := account.NewTokens(account.Config{Keys: o.keys, Audience: audience})
	if err != nil {
		return nil, err
	}
	all := make([]string, len(people))
	for i, p := range people {
		session, err := signer.Issue(p.Person)
		if err != nil {
			return nil, err
		}
		all[i] = session.Token
	}
	return all, nil
}

func (o *office) close() error {
	o.keys.Close()
	return o.store.Close()
}

// audienceOf is the audience of the tokens of a server, as a guest's says.
func audienceOf(ctx context.Context, base string) (string, error) {
	s := client.Server{URL: base}
	guest, err := s.NewGuest(ctx)
	if err != nil {
		return "", err
	}
	parts := strings.Split(guest.Token, ".")
	if len(parts) != 3 {
		return "", errors.New("a guest's token is no JWT")
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", fmt.Errorf("a guest's token: %w", err)
	}
	var claims struct {
		Audience any `json:"aud"`
	}
	if err := json.Unmarshal(text, &claims); err != nil {
		return "", fmt.Errorf("a guest's token: %w", err)
	}
	switch of := claims.Audience.(type) {
	case string:
		return of, nil
	case []any:
		if len(of) == 1 {
			if one, ok := of[0].(string); ok {
				return one, nil
			}
		}
	}
	return "", errors.New("a guest's token names no audience")
}
