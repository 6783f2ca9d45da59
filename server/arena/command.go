package arena

import "flagfall/game"

// Commands of people. By is who asks; what he may is decided here. Why is the reason that an act of an arbiter needs.
type (
	// Create makes the event; By is its first organiser. It is the first command. Civil is the time of day now; Salt
	// begins the ids of the event's games, so that nobody guesses them. Name is that of its addresses, Link and Screen are
	// its keys, Hash that of its password, Club the club it belongs to; Names are those of By and of whom the tables show.
	Create struct {
		By, Salt                       string
		Settings                       Settings
		Civil                          int64
		Name, Link, Screen, Hash, Club string
		Names                          map[string]string
	}
	// Edit changes the settings before the start.
	Edit struct {
		By       string
		Settings Settings
	}
	// Staff says who are the organisers and arbiters. Names are theirs, by id.
	Staff struct {
		By                   string
		Organisers, Arbiters []string
		Names                map[string]string
	}
	// SetPassword changes the hash of the password.
	SetPassword struct{ By, Hash string }
	// Advance moves the event on to the phase: Open, CheckIn, Running, Signed or Published.
	Advance struct {
		By string
		To Phase
	}
	// Cancel ends the event before its start.
	Cancel struct{ By, Why string }
	// Enter is a person's own entry, or with another By the organiser's roster.
	Enter struct {
		By     string
		Player game.Player
		Real   string
		Rating int
	}
	// Roster adds the organiser's list: all lines, or none.
	Roster struct {
		By    string
		Lines []RosterLine
	}
	// Claim is a person's own entry as the player of a line of the list. Rating counts where the line has none.
	Claim struct {
		Player game.Player
		Line   string
		Rating int
	}
	// Admit approves of an entry.
	Admit struct{ By, Who string }
	// Remove takes an entry out before the start.
	Remove struct{ By, Who, Why string }
	// Arrive says during check-in that Who is there.
	Arrive struct{ By, Who string }
	// Pause, Return and Withdraw are for the player himself or an organiser or arbiter.
	Pause    struct{ By, Who string }
	Return   struct{ By, Who string }
	Withdraw struct{ By, Who string }
	// Ready says that Who wants no more rest.
	Ready struct{ By, Who string }
	// Expel puts somebody out for good.
	Expel struct{ By, Who, Why string }
	// StartRound starts the next round of a round robin.
	StartRound struct{ By string }
	// MoveBell moves the end of an arena; not into the past.
	MoveBell struct {
		By, Why string
		Bell    int64
	}
	// Hold stops the pairing, or lets it go on.
	Hold struct {
		By, Why string
		Held    bool
	}
	// PairByHand lets two meet who are both free.
	PairByHand struct{ By, White, Black, Why string }
	// Correct changes the outcome of a game that is over; Void annuls it.
	Correct struct {
		By, Why, Game string
		Outcome       Outcome
	}
	// Announce tells all.
	Announce struct{ By, Text string }
	// Rule is an arbiter's act on a running game; Who and Why of the ruling are filled in here. With Replay an annulled
	// game is played again by the same two with the same colours.
	Rule struct {
		By, Why, Game string
		Ruling        game.Ruling
		Replay        bool
	}
	// Duty switches an arbiter's duty. He is on duty while he is connected to the desk, too.
	Duty struct {
		By string
		On bool
	}
	// Freeze stops all boards and the pairing, or lets all go on.
	Freeze struct {
		By, Why string
		On      bool
	}
	// Hush says that Who may not chat, or may again. Name is his, where he has no entry.
	Hush struct {
		By, Who, Name string
		On            bool
	}
	// Report is a player's word about a game of his that is over (WBCA 22).
	Report struct{ By, Game, Text string }
	// Settle closes a report, or a dispute that stops nothing.
	Settle struct{ By, Why, ID string }
)

// Commands of the server.
type (
	// Presence tells whether Who has a visible page. After a Gap it has to be told anew for everybody.
	Presence struct {
		Who  string
		Here bool
	}
	// Finished reports a game's end, Ago ms before this command. Outcome.NoShow says who did not come.
	Finished struct {
		Game    string
		Outcome Outcome
		Ago     int64
	}
	// Desk tells whether Who is connected to the desk. After a Gap it has to be told anew within deskGrace.
	Desk struct {
		Who  string
		Here bool
	}
	// Forget puts a name in the place of that of somebody whose account is gone, and no real one.
	Forget struct{ Who, Name string }
	// Disputed tells that something in a game waits for a ruling, or no longer. N counts them in the game: one that comes
	// again changes nothing. By is whose dispute or claim it is, Step that of his ladder; Stops: both clocks stand, until
	// the civil time Until at most. Ago is how long ago it was, in ms.
	Disputed struct {
		Game  string
		N     int
		By    game.Side
		Kind  string // QueueDispute, QueueDemo or QueueLadder
		Step  int
		Stops bool
		Until int64
		Ago   int64
		Open  bool
	}
)

// What waits for a ruling.
const (
	QueueDispute = "dispute" // WBCA 10
	QueueDemo    = "demo"    // a demonstration goes on (7a, 8)
	QueueLadder  = "ladder"  // a player climbs the ladder of wrong claims (D30)
	QueueReport  = "report"  // WBCA 22
)

// Effects of an event. Each is carried out at least once.
type (
	// OpenGame asks for both seats of a game and sets up its table. Its final refusals are a *Busy, or any other
	// error: nobody is seated.
	OpenGame struct {
		Game  string
		Setup game.Setup
	}
	// StopGame ends a game as void if it still runs. A game that is over is reported by Finished; a final refusal
	// says that there is no such game.
	StopGame struct{ Game string }
	// RuleGame has the table carry a ruling out, once by ID. A final refusal says in words why nothing came of it. The
	// rulings of one game come one after the other.
	RuleGame struct {
		Game   string
		ID     string
		Ruling game.Ruling
	}
	// File has archive and ratings follow a changed outcome.
	File struct {
		Game    string
		Outcome Outcome
		By, Why string
	}
	// Store keeps the event as Dump gives it: at least this edition of it.
	Store struct{ Edition int }
)

// Busy is the final refusal of OpenGame for players who sit elsewhere.
type Busy struct{ Who []string }

func (*Busy) Error() string { return "already at another table" }

// Kind names an event of the journal.
type Kind string

// The kinds, with the fields each uses.
const (
	Created   Kind = "created"   // By, Settings, Origin, Text: the salt, Making, Names
	Edited    Kind = "edited"    // Settings, Why
	Staffed   Kind = "staffed"   // Organisers, Arbiters, Names
	Secret    Kind = "password"  // Text: its hash
	Phased    Kind = "phased"    // Phase, Bell and Groups of Running
	Entered   Kind = "entered"   // Entry
	Lined     Kind = "roster"    // Lines
	Claimed   Kind = "claimed"   // Who: the line, Entry
	Judged    Kind = "status"    // Who, Status, Why
	CheckedIn Kind = "arrived"   // Who
	Seen      Kind = "seen"      // Who, Here
	WasReady  Kind = "ready"     // Who
	Paired    Kind = "paired"    // Games; of a pass also Pass, Left, Look
	Skipped   Kind = "skipped"   // Game: the second one of its match is not played
	Opened    Kind = "opened"    // Game
	Unseated  Kind = "unseated"  // Game, Left: who sits elsewhere
	Ended     Kind = "ended"     // Game, Outcome, Time, Change
	Stopping  Kind = "stopping"  // Left: the games
	Stopped   Kind = "stopped"   // Game: its table knows
	Corrected Kind = "corrected" // Game, Outcome, Why
	Filed     Kind = "filed"     // Game, Times
	BellMoved Kind = "bell"      // Bell, Why
	HeldBack  Kind = "held"      // Held, Why, Text: as told to all
	Told      Kind = "told"      // Text
	OnDuty    Kind = "duty"      // Here
	DeskSeen  Kind = "desk"      // Who, Here; Time: away, and gone from then on
	RuledOn   Kind = "ruling"    // Game, Ruling, Change: to be played again, Text
	Carried   Kind = "carried"   // Times: the order, Why: it failed
	Froze     Kind = "freeze"    // Held, Why, Text; of a renewal Left: the games
	Waits     Kind = "waits"     // Game, Matter, Here: open, Times: its number in the game
	Reports   Kind = "report"    // Game, Matter
	Answered  Kind = "settled"   // Text: the matter's id, Why
	Forgot    Kind = "forgot"    // Who, Text: his name from now on
	Hushes    Kind = "hush"      // Who, Here: he may not chat, Names
	RoundOn   Kind = "round"     // Round, Games
	PlayedOff Kind = "playoff"   // Groups: who play off
	Gap       Kind = "gap"       // Time: ms
	CalledOff Kind = "cancelled" // Why
	Shut      Kind = "closed"    //
	Stored    Kind = "stored"    // Times: the edition
	Snapshot  Kind = "snapshot"  // State
)

// Event is a fact of an event's journal.
type Event struct {
	Kind Kind   `json:"k"`
	At   int64  `json:"at"` // civil
	By   string `json:"by,omitempty"`
	Why  string `json:"why,omitempty"`

	Who        string            `json:"who,omitempty"`
	Game       string            `json:"game,omitempty"`
	Text       string            `json:"text,omitempty"`
	Status     Status            `json:"status,omitempty"`
	Here       bool              `json:"here,omitempty"`
	Held       bool              `json:"held,omitempty"`
	Pass       bool              `json:"pass,omitempty"`
	Change     bool              `json:"change,omitempty"`
	Phase      Phase             `json:"phase,omitempty"`
	Round      int               `json:"round,omitempty"`
	Times      int               `json:"times,omitempty"`
	Time       int64             `json:"time,omitempty"`
	Origin     int64             `json:"origin,omitempty"`
	Bell       int64             `json:"bell,omitempty"`
	Look       int64             `json:"look,omitempty"`
	Left       []string          `json:"left,omitempty"`
	Organisers []string          `json:"organisers,omitempty"`
	Arbiters   []string          `json:"arbiters,omitempty"`
	Groups     [][]string        `json:"groups,omitempty"`
	Games      []Game            `json:"games,omitempty"`
	Lines      []RosterLine      `json:"lines,omitempty"`
	Making     *Making           `json:"making,omitempty"`
	Names      map[string]string `json:"names,omitempty"`
	Ruling     *game.Ruling      `json:"ruling,omitempty"`
	Matter     *Matter           `json:"matter,omitempty"`
	Outcome    *Outcome          `json:"outcome,omitempty"`
	Entry      *Entry            `json:"entry,omitempty"`
	Settings   *Settings         `json:"settings,omitempty"`
	State      *State            `json:"state,omitempty"`
}
