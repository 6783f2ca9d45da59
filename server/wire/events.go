package wire

// Messages about events: arenas and round robins. Times of an event are civil, in Unix milliseconds; points are half points.

// EventNews is how an event stands. A connection that attends it gets one as the answer, and another whenever it changes.
type EventNews struct {
	T       string   `json:"t"`            // "event"
	ID      string   `json:"id,omitempty"` // of the attend that it answers
	Event   string   `json:"event"`
	N       uint64   `json:"n"` // grows with every change
	Now     int64    `json:"now"`
	Phase   string   `json:"phase"` // "draft", "open", "checkin", "running", "last_games", "provisional", "signed", "published"
	Name    string   `json:"name"`  // its title
	Starts  int64    `json:"starts,omitempty"`
	Bell    int64    `json:"bell,omitempty"`
	Started int64    `json:"started,omitempty"`
	Held    bool     `json:"held"` // an arbiter holds the pairing
	Round   int      `json:"round,omitempty"`
	Rounds  int      `json:"rounds,omitempty"`
	Entries int      `json:"entries"`
	Here    int      `json:"here"`
	Playing int      `json:"playing"`
	Waiting int      `json:"waiting"`
	Games   int      `json:"games"`   // that are over
	Top     []Row    `json:"top"`     // ten at most
	Notices []Notice `json:"notices"` // the latest first, five at most
	Boards  []string `json:"boards"`  // games of those who stand highest, six at most
	Chat    int64    `json:"chat"`    // number of the last message
}

// Row is a line of an event's table.
type Row struct {
	Place       int    `json:"place"` // those equal in everything that decides share one
	Group       int    `json:"group,omitempty"`
	ID          string `json:"id"`
	Name        string `json:"name"`
	Real        string `json:"real,omitempty"`
	Rating      int    `json:"rating"`
	Status      string `json:"status"`
	Points      int    `json:"points"`
	Games       int    `json:"games"`
	Wins        int    `json:"wins"`
	Draws       int    `json:"draws"`
	Losses      int    `json:"losses"`
	Playoff     int    `json:"playoff,omitempty"`
	Performance int    `json:"performance,omitempty"`
	Direct      int    `json:"direct"`
	SB          int    `json:"sb"` // quarter points
	Fire        bool   `json:"fire,omitempty"`
}

// Notice is an announcement of an organiser or arbiter.
type Notice struct {
	At   int64  `json:"at"`
	By   string `json:"by"` // a name
	Text string `json:"text"`
}

// EventEntry is how the person of a connection stands in the event that it attends. It goes out after the answer to
// attend, and whenever it changes.
type EventEntry struct {
	T     string `json:"t"` // "entry"
	Event string `json:"event"`
	Mine
}

// Mine is one's own entry in an event.
type Mine struct {
	Status   string   `json:"status"` // "asked", "in", "paused", "withdrawn", "removed", "expelled"
	Why      string   `json:"why,omitempty"`
	Place    int      `json:"place"` // 0: not on the table
	Points   int      `json:"points"`
	Games    int      `json:"games"`
	Here     bool     `json:"here"`            // a page of his is visible
	Ready    bool     `json:"ready"`           // the rest after his last game is over
	Since    int64    `json:"since,omitempty"` // he can be paired from then on
	Game     string   `json:"game,omitempty"`  // he plays it, or is about to
	Color    string   `json:"color,omitempty"` // "w" or "b" there
	Opponent *Person  `json:"opponent,omitempty"`
	Because  *Because `json:"because,omitempty"` // why he has no game
}

// Because says why somebody has no game at the moment.
type Because struct {
	Code   string `json:"code"`
	Text   string `json:"text"`             // in plain words
	Others int    `json:"others,omitempty"` // who play, or wait too
	Next   int64  `json:"next,omitempty"`   // the next try, or the end of the wait
}

// DeskNews tells a connection that attends with desk that the arbiter's desk has changed.
type DeskNews struct {
	T     string `json:"t"` // "desk"
	Event string `json:"event"`
	N     uint64 `json:"n"`
}

// ValidEvent holds for the name of an event in addresses: 3 to 40 of a-z, 0-9 and -, not - at first.
func ValidEvent(s string) bool {
	if len(s) < 3 || len(s) > 40 || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return true
}

// ValidKey holds for what may be the key of an event: 1 to 64 of [A-Za-z0-9_-].
func ValidKey(s string) bool {
	if len(s) < 1 || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if !ValidID(s[i : i+1]) {
			return false
		}
	}
	return true
}
