package arena

// What people are shown of an event. All times are Unix ms.

// Viewer is who looks: a person's id, "" for nobody known, and the key that came with the question.
type Viewer struct{ ID, Key string }

// Person is somebody as tables show him. Account: the name is that of an account; a guest has chosen his for this event.
type Person struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Rating  int    `json:"rating,omitempty"`
	Account bool   `json:"account,omitempty"`
	Bot     bool   `json:"bot,omitempty"`
}

// Member is one of the people who hold the event. Role is "organiser" or "arbiter".
type Member struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Role string `json:"role"`
}

// Line is a line of the organiser's list that nobody has claimed.
type Line struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Terms are what the event's games are played by.
type Terms struct {
	Rules  string `json:"rules"`
	Base   int64  `json:"base"`
	Mode   string `json:"mode"`
	Timing string `json:"timing,omitempty"`
	Each   int64  `json:"each,omitempty"`
}

// Page is an event as one person may see it.
type Page struct {
	Event     string  `json:"event"`
	Name      string  `json:"name"`
	Phase     string  `json:"phase"`
	Format    Format  `json:"format"`
	Terms     Terms   `json:"terms"`
	Rated     bool    `json:"rated"`
	Two       bool    `json:"two"`
	Scoring   Scoring `json:"scoring"`
	AtBell    AtBell  `json:"at_bell"`
	Access    Access  `json:"access"`
	Approve   bool    `json:"approve"`
	Guests    bool    `json:"guests"`
	Bots      bool    `json:"bots,omitempty"`
	Late      bool    `json:"late"`
	MinRating int     `json:"min_rating"`
	MaxRating int     `json:"max_rating"`
	Most      int     `json:"most"`
	Club      string  `json:"club,omitempty"`
	Zone      string  `json:"zone,omitempty"`

	Starts   int64 `json:"starts,omitempty"`
	CheckIn  int64 `json:"checkin,omitempty"`
	Started  int64 `json:"started,omitempty"`
	Bell     int64 `json:"bell,omitempty"`
	Duration int64 `json:"duration,omitempty"` // ms
	Now      int64 `json:"now"`
	Held     bool  `json:"held"`
	Frozen   bool  `json:"frozen,omitempty"`
	Round    int   `json:"round,omitempty"`
	Rounds   int   `json:"rounds,omitempty"`

	Entries int `json:"entries"` // people who have a place
	Lines   int `json:"lines"`   // of the organiser's list that nobody has claimed; each has a place
	Here    int `json:"here"`    // of them, with a visible page
	Playing int `json:"playing"`
	Waiting int `json:"waiting"` // could be paired
	Games   int `json:"games"`   // that count

	Top       []Row        `json:"top"`            // ten at most
	Next      string       `json:"next,omitempty"` // what comes next, in words
	Notices   []NoticeView `json:"notices"`        // the latest first, twenty at most
	Chat      int          `json:"chat"`           // number of the last message; the caller's
	Staff     []Member     `json:"staff"`
	Roster    []Line       `json:"roster,omitempty"` // while they can be claimed
	Cancelled string       `json:"cancelled,omitempty"`
	You       You          `json:"you"`
}

// NoticeView is a notice; By is a name.
type NoticeView struct {
	At   int64  `json:"at"`
	By   string `json:"by"`
	Text string `json:"text"`
}

// You is what the one who looks is and may. The keys and the settings are for organisers and arbiters.
type You struct {
	Role     Role      `json:"role"`
	Link     string    `json:"link,omitempty"`
	Screen   string    `json:"screen,omitempty"`
	Settings *Settings `json:"settings,omitempty"`
	Entry    *Mine     `json:"entry,omitempty"`
	Playing  string    `json:"playing,omitempty"`
}

// Role is what somebody is in the event beside a player.
type Role struct {
	Organiser bool `json:"organiser"`
	Arbiter   bool `json:"arbiter"`
}

// Mine is how somebody stands.
type Mine struct {
	Status   Status     `json:"status"`
	Why      string     `json:"why,omitempty"`
	Place    int        `json:"place"`  // 0: not in the table
	Points   int        `json:"points"` // half points
	Games    int        `json:"games"`
	Here     bool       `json:"here"`
	Checked  bool       `json:"checked,omitempty"`  // said during the check-in that he is there
	Ready    bool       `json:"ready"`              // the rest after his last game is over
	Since    int64      `json:"since,omitempty"`    // when it is, or was
	Game     string     `json:"game,omitempty"`     // once its table is there
	Color    string     `json:"color,omitempty"`    // "w" or "b"
	Opponent string     `json:"opponent,omitempty"` // a name
	Because  *WaitsView `json:"because,omitempty"`  // why there is no game
}

// WaitsView is a Because with its words.
type WaitsView struct {
	Code   Reason `json:"code"`
	Text   string `json:"text"`
	Others int    `json:"others,omitempty"`
	Next   int64  `json:"next,omitempty"`
}

// EntryView is an entry as organisers and arbiters see it. Last is his last opponent's id. A line of the organiser's list
// has an id that begins with "r-"; Claimed is somebody who came by one.
type EntryView struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Real    string `json:"real,omitempty"`
	Rating  int    `json:"rating"`
	Account bool   `json:"account"`
	Status  Status `json:"status"`
	Why     string `json:"why,omitempty"`
	Checked bool   `json:"checked"`
	Here    bool   `json:"here"`
	Game    string `json:"game,omitempty"`
	Colors  string `json:"colors"`
	Last    string `json:"last,omitempty"`
	Claimed bool   `json:"claimed"`
}

// DeskPage is what an arbiter has before him. Dropped is the caller's: many connections that were lost together.
type DeskPage struct {
	Page    Page         `json:"page"`
	Duty    []Person     `json:"duty"` // who are on duty
	Frozen  bool         `json:"frozen"`
	Dropped *Dropped     `json:"dropped,omitempty"`
	Hushed  []Person     `json:"hushed,omitempty"`
	Games   []DeskGame   `json:"games"`
	Queue   []Waiting    `json:"queue"`
	Acts    []ActView    `json:"acts"` // the latest first
	Reports []ReportView `json:"reports"`
}

// Dropped tells of Count connections that were lost together.
type Dropped struct {
	At    int64 `json:"at"`
	Count int   `json:"count"`
}

// DeskGame is a running game, without what only its table knows.
type DeskGame struct {
	Game    string `json:"game"`
	White   Person `json:"white"`
	Black   Person `json:"black"`
	Dispute string `json:"dispute,omitempty"` // "w" or "b": whose dispute waits
	Round   int    `json:"round,omitempty"`
	Started int64  `json:"started"`
}

// Waiting is something that waits for an arbiter. By is "w" or "b", of a report a name.
type Waiting struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Game  string `json:"game"`
	White Person `json:"white"`
	Black Person `json:"black"`
	By    string `json:"by"`
	At    int64  `json:"at"`
	Text  string `json:"text,omitempty"`
	Stops bool   `json:"stops"` // both clocks stand
	Until int64  `json:"until,omitempty"`
}

// ActView is what an organiser or arbiter did; By and Who are names. Failed says why nothing came of it.
type ActView struct {
	N      int    `json:"n"`
	At     int64  `json:"at"`
	By     string `json:"by"`
	Do     string `json:"do"`
	Game   string `json:"game,omitempty"`
	Who    string `json:"who,omitempty"`
	Text   string `json:"text"`
	Failed string `json:"failed,omitempty"`
}

// ReportView is a player's report; By is a name, Settled what an arbiter answered.
type ReportView struct {
	ID      string `json:"id"`
	At      int64  `json:"at"`
	By      string `json:"by"`
	Game    string `json:"game"`
	Text    string `json:"text"`
	Settled string `json:"settled,omitempty"`
}
