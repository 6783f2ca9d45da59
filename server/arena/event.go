// Package arena is an event of many games: an arena, where players are paired again and again until the bell, or a round
// robin. An event is one actor: a pure machine over journaled facts. It knows no clock, no socket and no database; games
// are started and stopped by effects and report back by commands.
//
// All times of an event are civil: Unix milliseconds. The machine reckons them from actor time and the gaps it is told of,
// so that an outage moves no bell.
package arena

import (
	"cmp"
	"slices"

	"flagfall/game"
)

// Phase is where an event is in its life. It only moves on.
type Phase int

// The phases.
const (
	Draft       Phase = iota // being written; nobody can enter
	Open                     // entries are taken
	CheckIn                  // who is there says so
	Running                  // games are paired
	LastGames                // the bell has rung, or the last round is played; games still run
	Provisional              // all games are over; results may be disputed
	Signed                   // an arbiter or organiser has signed the results
	Published                // final
)

var phaseNames = [...]string{"draft", "open", "checkin", "running", "last_games", "provisional", "signed", "published"}

func (p Phase) String() string { return phaseNames[p] }

// Status is what an entry is.
type Status string

// The statuses. Only who is In can be paired.
const (
	Asked     Status = "asked"     // waits for approval
	In        Status = "in"        //
	Paused    Status = "paused"    // by himself, or set aside after a no-show; may return
	Withdrawn Status = "withdrawn" // may return while late entries are taken
	Removed   Status = "removed"   // by the organiser, before the start
	Expelled  Status = "expelled"  // by the arbiter
)

// Entry is somebody in the event, and how he stands with the pairing.
type Entry struct {
	ID      string `json:"id"`
	Name    string `json:"name"`           // as the tables show it
	Real    string `json:"real,omitempty"` // for the published tables
	Rating  int    `json:"rating"`         // at the start
	Account bool   `json:"account,omitempty"`
	Bot     bool   `json:"bot,omitempty"`
	Status  Status `json:"status"`
	Why     string `json:"why,omitempty"` // of the status: "no_show", or an arbiter's words

	Admitted bool   `json:"admitted,omitempty"` // he was In before
	Line     bool   `json:"line,omitempty"`     // of the organiser's list; nobody has claimed it, and nobody pairs it
	Claimed  bool   `json:"claimed,omitempty"`  // he came by a line of the list
	Checked  bool   `json:"checked,omitempty"`  // said during check-in that he is there
	Here     bool   `json:"here,omitempty"`     // a visible page
	Since    int64  `json:"since,omitempty"`    // he can be paired from this moment on
	Game     string `json:"game,omitempty"`     // he is to play, or plays
	Leg      bool   `json:"leg,omitempty"`      // the second game of his match is due
	Out      int    `json:"out,omitempty"`      // how often he was left over while others were paired
	Last     string `json:"last,omitempty"`     // his last opponent
	Colors   string `json:"colors,omitempty"`   // "wbbw" of the games he played, the latest last
}

// Game is one game of the event.
type Game struct {
	ID    string `json:"id"`
	White string `json:"white"`
	Black string `json:"black"`
	At    int64  `json:"at"` // of the pairing
	Match int    `json:"match"`
	Leg   int    `json:"leg,omitempty"`   // 1 or 2 of a match of two games
	Round int    `json:"round,omitempty"` // of a round robin, from 1
	Group int    `json:"group,omitempty"` // from 1

	Playoff bool `json:"playoff,omitempty"`
	ByHand  bool `json:"hand,omitempty"`   // paired by an arbiter
	Repeat  bool `json:"repeat,omitempty"` // an immediate repeat, allowed after the stated wait
	Color   bool `json:"color,omitempty"`  // a bound on colours gave way

	Opened   bool    `json:"opened,omitempty"`   // both sit at a table
	Stopping bool    `json:"stopping,omitempty"` // it is to end as void
	Stopped  bool    `json:"stopped,omitempty"`  // its table knows
	Duty     bool    `json:"duty,omitempty"`     // an arbiter is on duty who may rule on it
	Replay   bool    `json:"replay,omitempty"`   // annulled, and to be played again
	Ice      bool    `json:"ice,omitempty"`      // it stands because all boards do
	Renew    int64   `json:"renew,omitempty"`    // when it has to be stopped again
	Told     int     `json:"told,omitempty"`     // number of the last Disputed
	Over     bool    `json:"over,omitempty"`
	Ended    int64   `json:"ended,omitempty"`
	Outcome  Outcome `json:"outcome,omitzero"`
	// Change is set where the outcome is not what the table reported.
	Change *Change `json:"change,omitempty"`
}

// Change says why a game counts otherwise than it ended: an arbiter's correction, or the bell.
type Change struct {
	Times int     `json:"times"` // of which this is the last
	From  Outcome `json:"from"`  // as the table reported it
	By    string  `json:"by,omitempty"`
	Why   string  `json:"why"`
	Filed bool    `json:"filed,omitempty"` // archive and ratings follow it
}

// Outcome is how a game ended, for the event.
type Outcome struct {
	Score   game.Score  `json:"score"`             // Void: it does not count
	Reason  game.Reason `json:"reason,omitempty"`  //
	Forfeit bool        `json:"forfeit,omitempty"` // decided without play; never rated, no colours
	NoShow  [2]bool     `json:"noshow,omitzero"`   // White, Black
}

// Forfeits of round robins: the absent one loses, and of two absent both do.
const (
	bothAbsent game.Score = "0-0"
	// Late is the reason of a game that ran when the bell rang and does not count by the event's setting.
	Late game.Reason = "after_bell"
	// Absent is the reason of a game to which somebody did not come.
	Absent game.Reason = "no_show"
)

// counts tells whether the outcome is part of the standings.
func (o *Outcome) counts() bool { return o.Score != game.Void && o.Score != "" }

// played tells whether the game was played at the board, so that it has colours and a performance.
func (o *Outcome) played() bool { return o.counts() && !o.Forfeit }

// Halves are the half points of White and Black.
func (o *Outcome) Halves() (white, black int) {
	switch o.Score {
	case game.WhiteWins:
		return 2, 0
	case game.BlackWins:
		return 0, 2
	case game.Draw:
		return 1, 1
	}
	return 0, 0
}

// Making is what an event is given when it is made, beside its settings.
type Making struct {
	Name   string `json:"name,omitempty"`   // of its addresses
	Link   string `json:"link,omitempty"`   // key of the link that people come by
	Screen string `json:"screen,omitempty"` // key of the projector
	Hash   string `json:"hash,omitempty"`   // of the password
	Club   string `json:"club,omitempty"`
}

// State is all that is known of an event. It is written by Apply alone.
type State struct {
	Making     Making            `json:"making,omitzero"`
	Names      map[string]string `json:"names,omitempty"` // of people who need not play, by id
	Settings   Settings          `json:"settings"`
	Phase      Phase             `json:"phase"`
	Organisers []string          `json:"organisers"`
	Arbiters   []string          `json:"arbiters,omitempty"`
	Entries    []*Entry          `json:"entries,omitempty"` // in the order in which they came
	Games      []*Game           `json:"games,omitempty"`   // in the order in which they were paired

	Salt    string   `json:"salt"`              // begins the ids of its games
	Origin  int64    `json:"origin"`            // civil time at actor time 0, gaps included
	Now     int64    `json:"now"`               // of the last event
	Started int64    `json:"started,omitempty"` // of the running phase
	Bell    int64    `json:"bell,omitempty"`    // arenas only
	Pass    int64    `json:"pass,omitempty"`    // the last pass of pairing
	Look    int64    `json:"look,omitempty"`    // a wait runs out: time for another
	Left    []string `json:"left,omitempty"`    // left over in the last pass
	Held    bool     `json:"held,omitempty"`    // an arbiter holds the pairing
	Matches int      `json:"matches,omitempty"` // so many were paired
	Legs    []string `json:"legs,omitempty"`    // first games whose second one is due

	Groups  [][]string `json:"groups,omitempty"`  // of a round robin, by number
	Round   int        `json:"round,omitempty"`   // that is played, or was last
	Rested  int64      `json:"rested,omitempty"`  // all games of the round are over since
	Playoff [][]string `json:"playoff,omitempty"` // those who play off, by group

	Duty     []string    `json:"duty,omitempty"`    // arbiters who have switched it on
	AtDesk   []DeskSeat  `json:"at_desk,omitempty"` // who is connected to it, or was a moment ago
	Frozen   int64       `json:"frozen,omitempty"`  // all boards stand since then
	Stood    int64       `json:"stood,omitempty"`   // so long they stood before, ms
	Freezing game.Ruling `json:"freezing,omitzero"` // what their tables were told
	Orders   []*Order    `json:"orders,omitempty"`  // what tables have still to be told, in order
	Ordered  int         `json:"ordered,omitempty"` // the last order's number
	Acts     []Act       `json:"acts,omitempty"`    // the latest last
	Acted    int         `json:"acted,omitempty"`   // the last act's number
	Queue    []*Matter   `json:"queue,omitempty"`   // what waits for a ruling
	Reported []*Matter   `json:"reported,omitempty"`
	Matters  int         `json:"matters,omitempty"` // the last matter's number
	Hushed   []string    `json:"hushed,omitempty"`  // who may not chat
	Lines    int         `json:"lines,omitempty"`   // so many the organiser's lists had

	Notices   []Notice `json:"notices,omitempty"`
	Final     int64    `json:"final,omitempty"`     // when it was published
	Cancelled string   `json:"cancelled,omitempty"` // why
	Closed    bool     `json:"closed,omitempty"`    // nothing happens here any more
	Edition   int      `json:"edition,omitempty"`   // of what is stored: how often it was made anew
	Stored    int      `json:"stored,omitempty"`    // the edition that is stored

	entries map[string]*Entry
	games   map[string]*Game
	running map[string]*Game // not over
	unfiled map[string]*Game
}

// DeskSeat is an arbiter's place at the desk.
type DeskSeat struct {
	ID   string `json:"id"`
	Till int64  `json:"till,omitempty"` // he is away, and gone from then on
}

// Order is something that the table of a game has to be told.
type Order struct {
	N      int         `json:"n"`
	Game   string      `json:"game"`
	Kind   string      `json:"kind"` // orderRule, orderDuty or orderFreeze
	Ruling game.Ruling `json:"ruling"`
	Replay bool        `json:"replay,omitempty"` // an annulled game is played again
	Act    int         `json:"act,omitempty"`    // number of the act it comes from
}

// Act is what an organiser or arbiter did.
type Act struct {
	N      int    `json:"n"`
	At     int64  `json:"at"`
	By     string `json:"by"`
	Do     string `json:"do"`
	Game   string `json:"game,omitempty"`
	Who    string `json:"who,omitempty"`
	Text   string `json:"text,omitempty"`
	Failed string `json:"failed,omitempty"` // why nothing came of it
}

// Matter is something that an arbiter has to look at.
type Matter struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Game    string    `json:"game"`
	By      game.Side `json:"by"` // of a report the reporter's
	At      int64     `json:"at"`
	Text    string    `json:"text,omitempty"`
	Stops   bool      `json:"stops,omitempty"`
	Until   int64     `json:"until,omitempty"`
	Ruled   bool      `json:"ruled,omitempty"`   // an arbiter has ruled in the game since
	Settled string    `json:"settled,omitempty"` // what he answered to a report
}

// Notice is an announcement, or an act of an arbiter that all may know.
type Notice struct {
	At   int64  `json:"at"`
	By   string `json:"by"`
	Text string `json:"text"`
}

// mostNotices bounds what is kept; older ones are in the journal only.
const mostNotices = 100

// Entry is the entry of a person, or nil.
func (s *State) Entry(id string) *Entry { return s.entries[id] }

// Game is a game of the event, or nil.
func (s *State) Game(id string) *Game { return s.games[id] }

// index builds what is looked up from what is stored.
func (s *State) index() {
	s.entries, s.games = map[string]*Entry{}, map[string]*Game{}
	s.running, s.unfiled = map[string]*Game{}, map[string]*Game{}
	for _, e := range s.Entries {
		s.entries[e.ID] = e
	}
	for _, g := range s.Games {
		s.games[g.ID] = g
		if !g.Over {
			s.running[g.ID] = g
		}
		if g.Change != nil && !g.Change.Filed {
			s.unfiled[g.ID] = g
		}
	}
}

// live lists the games that are not over, in the order of their pairing.
func (s *State) live() []*Game {
	var list []*Game
	for _, g := range s.running {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *Game) int { return cmp.Or(a.Match-b.Match, a.Leg-b.Leg, cmp.Compare(a.ID, b.ID)) })
	return list
}

// free tells whether the entry can be paired once its time has come.
func (e *Entry) free() bool { return e.Status == In && e.Here && e.Game == "" && !e.Leg && !e.Line }

// player is the entry as a game sees it.
func (e *Entry) player() game.Player {
	return game.Player{ID: e.ID, Name: e.Name, Account: e.Account, Bot: e.Bot}
}
