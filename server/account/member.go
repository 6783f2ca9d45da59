package account

import (
	"context"
	"errors"
	"time"
)

// Errors of members. After each of them everything is as it was.
var (
	ErrNameTaken     = errors.New("somebody has this name, or one that looks like it")
	ErrRegistered    = errors.New("this person has an account")
	ErrCredentials   = errors.New("name or password is wrong")
	ErrClosed        = errors.New("the account was closed by an administrator")
	ErrUnknownMember = errors.New("there is no such account")
	ErrUnknownKey    = errors.New("there is no such API token")
	ErrResetCode     = errors.New("the link is not good any more")
	ErrLastAdmin     = errors.New("there would be no administrator left")
	ErrTooMany       = errors.New("no more of them")
	ErrSessionEnded  = errors.New("the session was ended")
	ErrRole          = errors.New("there is no such role")
	ErrBot           = errors.New("that is not for bots")
	ErrForbidden     = errors.New("that is not for this role")
)

// Role is what a member may do. Each but a player may do what a player may.
type Role string

// The roles.
const (
	Player        Role = "player"
	Organiser     Role = "organiser"
	Arbiter       Role = "arbiter"
	Administrator Role = "administrator"
)

// Roles lists them all.
func Roles() []Role { return []Role{Player, Organiser, Arbiter, Administrator} }

// Valid tells whether there is such a role.
func (r Role) Valid() bool {
	for _, one := range Roles() {
		if r == one {
			return true
		}
	}
	return false
}

// Deleted is the name under which the games of a deleted account stay.
const Deleted = "deleted"

// Member is a person with an account. A bot is one that belongs to another: it has no password.
type Member struct {
	Person   string
	Name     string
	Password string // PHC string, "" for none
	Role     Role
	Owner    string    // of a bot: the person it belongs to
	Created  time.Time // civil time, in whole ms, like all here
	Closed   time.Time // zero while the account is open
}

// Bot tells whether the member is a program.
func (m Member) Bot() bool { return m.Owner != "" }

func (m Member) person() Person { return Person{ID: m.Person, Name: m.Name, Bot: m.Bot()} }

// Login is a session of a member: from a log-in, with all tokens that renewed the first.
type Login struct {
	ID      string // of the Session
	Person  string
	Key     string    // the APIKey that it was made from, "" for a password
	Created time.Time // civil time, in whole ms
	Seen    time.Time // when its token was last renewed
	Until   time.Time // then no token of it can be renewed any more
}

// APIKey lets a bot in: its owner makes it, the bot gets tokens for it. It is good until it is dropped.
type APIKey struct {
	ID      string
	Hash    string // of what the bot sends; that itself is nowhere kept
	Person  string // the bot
	Created time.Time
}

// Reset is a one-time permission to choose a new password.
type Reset struct {
	Hash   string // of the code in the link; that itself is nowhere kept
	Person string
	Until  time.Time
}

// Ending says which sessions of a person are to end. The zero Ending is all of them, with no time.
type Ending struct {
	None   bool
	Only   string // the session of this id, if not ""
	Except string // none of this id
	Key    string // only those of this APIKey, if not ""
	Until  time.Time
}

// MemberStore keeps members. Every method is one step, done or not done; the sessions it ends are revoked in the same step
// (RevocationStore) and listed. It fails with the errors above or its own.
type MemberStore interface {
	// AddMember makes a person, new or a guest, a member under a name whose Skeleton nobody ever had, with a first session
	// unless that is zero, and ends a session of the guest unless ended is zero. A bot must be one of at most bots of its owner. It
	// fails with ErrNameTaken, ErrRegistered, ErrTooMany or ErrUnknownMember (the owner).
	AddMember(ctx context.Context, m Member, first Login, ended Revocation, bots int) error
	// Member finds one by the person's id; ErrUnknownMember.
	Member(ctx context.Context, person string) (Member, error)
	// MemberNamed finds one by the Skeleton of a name; ErrUnknownMember.
	MemberNamed(ctx context.Context, skeleton string) (Member, error)
	// Members lists at most limit of them by skeleton, after one; bots only those of the owner, if that is not "".
	Members(ctx context.Context, owner, after string, limit int) ([]Member, error)

	// AddLogin adds a session, and forgets those of the person that are out. The member's password must be the one given, and
	// the account open, else ErrUnknownMember, ErrCredentials or ErrClosed; a session by an APIKey needs the key instead: ErrUnknownKey.
	AddLogin(ctx context.Context, l Login, password string) error
	// RenewLogin notes that a session goes on; ErrSessionEnded.
	RenewLogin(ctx context.Context, id string, seen, until time.Time) error
	// Logins lists the sessions of a person, the earliest first.
	Logins(ctx context.Context, person string) ([]Login, error)
	// EndLogins ends sessions.
	EndLogins(ctx context.Context, person string, e Ending) (ended []string, err error)

	// SetPassword replaces one password by another and ends sessions; ErrCredentials when it is not that one any more.
	SetPassword(ctx context.Context, person, from, to string, e Ending) (ended []string, err error)
	// AddReset adds a permission; every other of the person is gone. ErrUnknownMember, ErrBot.
	AddReset(ctx context.Context, r Reset) error
	// ResetOf finds the person of a permission that is good at a time; ErrResetCode.
	ResetOf(ctx context.Context, hash string, at time.Time) (person string, err error)
	// UseReset sets the password by a permission that is good at a time, which is gone then; ErrResetCode.
	UseReset(ctx context.Context, hash string, at time.Time, password string, e Ending) (ended []string, err error)

	// SetRole changes a role; ErrUnknownMember, ErrBot, ErrLastAdmin.
	SetRole(ctx context.Context, person string, r Role) error
	// SetClosed closes an account, with its bots, and ends their sessions, or opens it when the time is zero; ErrUnknownMember, ErrLastAdmin.
	SetClosed(ctx context.Context, person string, closed time.Time, e Ending) (ended []string, err error)
	// DeleteMember removes a member and his bots with all that is known of them, ends their sessions, and puts them down as erasures.
	// Their skeletons stay taken. ErrUnknownMember, ErrLastAdmin.
	DeleteMember(ctx context.Context, person string, at time.Time, e Ending) (ended []string, err error)

	// AddAPIKey adds one of at most limit of a bot; ErrUnknownMember, ErrTooMany.
	AddAPIKey(ctx context.Context, k APIKey, limit int) error
	// APIKeys lists those of a bot, the earliest first.
	APIKeys(ctx context.Context, person string) ([]APIKey, error)
	// APIKeyOf finds one by its hash; ErrUnknownKey.
	APIKeyOf(ctx context.Context, hash string) (APIKey, error)
	// DropAPIKey removes one and ends the sessions made from it; ErrUnknownKey.
	DropAPIKey(ctx context.Context, person, id string, e Ending) (ended []string, err error)

	// Erasures lists the deleted persons whose games may have their name, with the time of the deletion.
	Erasures(ctx context.Context) (map[string]time.Time, error)
	// EraseGames puts Deleted for the name of a person in at most limit games after a place, and tells how many had it and
	// where it stopped; "" is the beginning, and the end.
	EraseGames(ctx context.Context, person, after string, limit int) (erased int, next string, err error)
	// DropErasure forgets that a person was deleted.
	DropErasure(ctx context.Context, person string) error
}
