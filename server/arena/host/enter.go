package host

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/arena"
	"flagfall/server/wire"
)

// mostShown is how long a guest's name in an event may be, in characters.
const mostShown = 40

// enter takes somebody into the event, by himself or as a line of the organiser's list.
func (e *event) enter(ctx context.Context, q Question, r request) error {
	hash, rules := "", ""
	err := e.read(ctx, func(s *arena.State, _ int64) error {
		rules = s.Settings.Terms.RuleSet
		if s.Settings.Access == arena.ByPassword && !staff(s, q.By.ID) {
			hash = s.Making.Hash
			return nil
		}
		if !s.MayEnter(q.viewer()) {
			return wire.Refusef(wire.CodeForbidden, "You need the event's link to enter.")
		}
		return nil
	})
	if err != nil {
		return err
	}
	if hash != "" {
		if err := e.passwords.compare(ctx, e.h.cfg.Passwords, r.Password, hash); err != nil {
			return err
		}
	}
	who, named, err := entrant(q.By, r.Name)
	if err != nil {
		return err
	}
	if named && q.By.Guest {
		if err := e.h.free(ctx, who.Name); err != nil {
			return err
		}
	}
	rating := e.h.rating(ctx, q.By, rules)
	if r.Claim != "" {
		return e.h.do(ctx, e.name, arena.Claim{Player: who, Line: r.Claim, Rating: rating})
	}
	const names = 8
	for range names {
		err = e.h.do(ctx, e.name, arena.Enter{By: who.ID, Player: who, Rating: rating})
		if named || !errors.Is(err, wire.Refuse(wire.CodeNameTaken)) {
			return err
		}
		who.Name = account.NewGuest().Name // another guest has the one that was made for him
	}
	return err
}

// entrant is somebody as the event's tables show him. Guests choose a name, or keep the one that was made for them.
func entrant(by account.Person, name string) (who game.Player, named bool, err error) {
	who = game.Player{ID: by.ID, Name: by.Name, Account: !by.Guest, Bot: by.Bot}
	if name = strings.TrimSpace(name); name == "" || !by.Guest {
		return who, !by.Guest, nil
	}
	if !shownName(name) {
		return who, true, wire.Refusef(wire.CodeBadName, "A name has 1 to %d letters, digits, spaces and . _ - ' at most.", mostShown)
	}
	who.Name = name
	return who, true, nil
}

// free refuses a guest the name of a member: what he plays would be taken for the member's.
func (h *Host) free(ctx context.Context, name string) error {
	if h.cfg.Member == nil {
		return nil
	}
	taken, err := h.cfg.Member(ctx, name)
	if err == nil && taken {
		err = wire.Refuse(wire.CodeNameTaken)
	}
	return err
}

// shownName holds for a name that a table can show: letters of any script, and nothing that looks like markup.
func shownName(name string) bool {
	return utf8.ValidString(name) && utf8.RuneCountInString(name) <= mostShown && !strings.Contains(name, "  ") &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !strings.ContainsRune(" ._-'’", r)
		})
}

// rating is what somebody is rated in a rule set, 0 for who is not, or while that cannot be read.
func (h *Host) rating(ctx context.Context, by account.Person, rules string) int {
	if by.Guest || h.cfg.Ranks == nil {
		return 0
	}
	ranks, err := h.cfg.Ranks(ctx, by.ID)
	if err != nil {
		h.cfg.Log.Warn("a rating could not be read", "person", by.ID, "err", err)
		return 0
	}
	return int(math.Round(ranks[rules]))
}

// passwords remember the last right one of an event, so that a hall full of people costs one slow hash.
type passwords struct {
	turn  chan struct{} // holds one while a password is compared
	mu    sync.Mutex
	hash  string // that it was compared with
	salt  [16]byte
	right [sha256.Size]byte
}

func (p *passwords) sum(password string) [sha256.Size]byte {
	return sha256.Sum256(append(p.salt[:], password...))
}

func (p *passwords) knows(password, hash string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := p.sum(password)
	return p.hash == hash && subtle.ConstantTimeCompare(sum[:], p.right[:]) == 1
}

// compare refuses a password that is not the one of a hash.
func (p *passwords) compare(ctx context.Context, hasher *account.Hasher, password, hash string) error {
	if p.knows(password, hash) {
		return nil
	}
	// One after the other: those who come together know then what the first one has found out.
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if p.knows(password, hash) {
		return nil
	}
	right, err := hasher.Compare(ctx, password, hash)
	switch {
	case errors.Is(err, account.ErrBusy):
		return wire.Refuse(wire.CodeUnavailable)
	case err != nil:
		return err
	case !right:
		return wire.Refusef(wire.CodeWrongPassword, "The event's password is another one.")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hash = hash
	rand.Read(p.salt[:]) // never fails
	p.right = p.sum(password)
	return nil
}
