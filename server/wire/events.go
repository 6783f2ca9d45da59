package wire

// Messages about events: arenas and round robins. Times are civil, in Unix ms.

// EventNews tells of an event to the sockets that attend it, when something has changed, twice a second at most.
type EventNews struct {
	T       string     `json:"t"` // "event"
	ID      string     `json:"id,omitempty"`
	Event   string     `json:"event"`
	N       uint64     `json:"n"`   // rises with each
	Now     int64      `json:"now"` // Unix ms, as all times here
	Phase   string     `json:"phase"`
	Name    string     `json:"name"`
	Starts  int64      `json:"starts,omitempty"`
	Bell    int64      `json:"bell,omitempty"`
	Started int64      `json:"started,omitempty"`
	Held    bool       `json:"held"` // the arbiter holds the pairing
	Round   int        `json:"round,omitempty"`
	Rounds  int        `json:"rounds,omitempty"`
	Entries int        `json:"entries"` // people
	Lines   int        `json:"lines"`   // of the organiser's list that nobody has claimed
	Here    int        `json:"here"`
	Playing int        `json:"playing"`
	Waiting int        `json:"waiting"`
	Games   int        `json:"games"` // that count
	Top     []Standing `json:"top"`   // ten at most
	Notices []Notice   `json:"notices"`
	Boards  []string   `json:"boards"` // games of the highest places, six at most
	Chat    int        `json:"chat"`   // number of the last message
}

// Standing is a line of an event's table.
type Standing struct {
	Place       int    `json:"place"`
	Group       int    `json:"group,omitempty"`
	ID          string `json:"id"`
	Name        string `json:"name"`
	Real        string `json:"real,omitempty"`
	Rating      int    `json:"rating"`
	Status      string `json:"status"`
	Points      int    `json:"points"` // half points
	Games       int    `json:"games"`
	Wins        int    `json:"wins"`
	Draws       int    `json:"draws"`
	Losses      int    `json:"losses"`
	Playoff     int    `json:"playoff,omitempty"`
	Performance int    `json:"performance,omitempty"`
	Direct      int    `json:"direct"` // half points
	SB          int    `json:"sb"`     // quarter points
	Fire        bool   `json:"fire,omitempty"`
	Account     bool   `json:"account,omitempty"` // the name is that of an account
	Out         bool   `json:"out,omitempty"`     // of a round robin: left before half of the games, which do not count
}

// Notice is an announcement of an event; By is a name.
type Notice struct {
	At   int64  `json:"at"`
	By   string `json:"by"`
	Text string `json:"text"`
}

// EntryNews tells somebody how he stands in an event, whenever that changes.
type EntryNews struct {
	T        string   `json:"t"` // "entry"
	ID       string   `json:"id,omitempty"`
	Event    string   `json:"event"`
	Status   string   `json:"status"`
	Why      string   `json:"why,omitempty"`
	Place    int      `json:"place"`
	Points   int      `json:"points"` // half points
	Games    int      `json:"games"`
	Here     bool     `json:"here"`
	Checked  bool     `json:"checked,omitempty"` // said during check-in that he is there
	Ready    bool     `json:"ready"`             // the rest after a game is over
	Since    int64    `json:"since,omitempty"`   // when it is, or was
	Game     string   `json:"game,omitempty"`
	Color    string   `json:"color,omitempty"` // "w" or "b"
	Opponent string   `json:"opponent,omitempty"`
	Because  *Because `json:"because,omitempty"` // why there is no game
}

// Because is why somebody in an event has no game at the moment.
type Because struct {
	Code   string `json:"code"`
	Text   string `json:"text"`
	Others int    `json:"others,omitempty"`
	Next   int64  `json:"next,omitempty"`
}

// DeskNews tells an arbiter's desk that something has changed.
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

// FreeEvent holds for a name in addresses that an event or a club can be given: none that the addresses need themselves.
func FreeEvent(s string) bool { return ValidEvent(s) && s != "new" && s != "defaults" }

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
