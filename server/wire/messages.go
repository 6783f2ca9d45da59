// Package wire holds the messages of Flagfall's WebSocket: plain JSON text frames, one message a frame.
// asyncapi.yaml beside this file is the published description; a test holds the two against each other.
//
// Times are integer milliseconds. Squares and moves are UCI ("e2e4", "a7a8q"). Colours are "w" and "b".
// Nothing here tells whether a move was legal until the game is over (WBCA 12).
package wire

// Version of the protocol; Hello carries it.
const Version = 1

// ClientMessage is anything a client may send. T selects the message; the other fields are those of that message.
//
//	ping                                     -> pong
//	seek    id base mode rules timing each min max casual -> seeking, later paired
//	cancel  id                               -> idle (seek and invitations of this person are gone)
//	list    id                               -> seeks, those of others that are open to everybody
//	take    id seek                          -> paired
//	invite  id base mode color rules timing each casual to -> invited; with `to` a challenge to that person
//	accept  id invite                        -> paired
//	decline id invite                        -> uninvited, to both: a challenge is not taken
//	block   id who                           -> done; from now on neither is paired with the other or challenges him
//	unblock id who                           -> done
//	blocks  id                               -> blocks, whom this person blocks
//	rematch id game                          -> rematch (an offer to the other side), paired when both asked
//	join    id game since              -> state, or the events after number `since`
//	leave                                    stops watching the joined game
//	here    visible                          the page is in front of the player (true) or hidden
//	move    id m ply press                   release; press=true presses the clock in the same command (always so in fast mode)
//	press   id ply                           press the clock
//	retract id ply                           take an unpressed illegal move back
//	claim   id claim                         illegal, time, both_flags, draw, abandoned, draw_8f, 8d, 8e, 8g, 8h, 8i,
//	                                         threefold, fifty, ilc
//	resign  id
//	offer   id                               offer a draw
//	answer  id accept                        answer the opponent's open draw offer
//	demo    id m                             a move on the side board of a demonstration
//	concede id                               gives a demonstration up, or believes it
//	dispute id                               calls the arbiter (WBCA 10)
//	mute    id                               no more draw offers from the opponent in this game
//	attend  id event key visible desk        -> event and, for who is in it, entry; one event a connection; again when the page is hidden or shown
//	depart  id                               -> done; attends no more
type ClientMessage struct {
	T       string `json:"t"`
	ID      string `json:"id,omitempty"`      // command id, 1 to 32 of [A-Za-z0-9_-]; the same id again counts once
	Base    int64  `json:"base,omitempty"`    // ms for each side, 1000 to 10800000
	Mode    string `json:"mode,omitempty"`    // "board" (place, then press) or "fast" (the drop presses too)
	Rules   string `json:"rules,omitempty"`   // "wbca" (the default), "uscf", "cca", "fide"
	Timing  string `json:"timing,omitempty"`  // none (sudden death), "increment", "delay", "bronstein"
	Each    int64  `json:"each,omitempty"`    // ms of the increment or delay, 1 to 180000; 0 without timing
	Min     int64  `json:"min,omitempty"`     // the least rating of an opponent, 0 to 4000; 0 takes any
	Max     int64  `json:"max,omitempty"`     // the highest, 1 to 4000; none takes any
	Casual  bool   `json:"casual,omitempty"`  // the game counts for no rating
	Color   string `json:"color,omitempty"`   // of the sender: "white", "black" or "random"
	To      string `json:"to,omitempty"`      // the name of somebody who is challenged
	Seek    string `json:"seek,omitempty"`    // the id of an open seek
	Who     string `json:"who,omitempty"`     // a person's id
	Invite  string `json:"invite,omitempty"`  // an invitation's id
	Game    string `json:"game,omitempty"`    // a game's id
	Since   uint64 `json:"since,omitempty"`   // number of the last frame seen; 0 asks for a snapshot
	Visible bool   `json:"visible,omitempty"` // the page is visible
	Move    string `json:"m,omitempty"`       // UCI
	Ply     *int   `json:"ply,omitempty"`     // index of the move meant, from 0; another one is refused as stale_ply
	Press   bool   `json:"press,omitempty"`
	Claim   string `json:"claim,omitempty"`
	Accept  bool   `json:"accept,omitempty"`
	Event   string `json:"event,omitempty"` // an event's name
	Key     string `json:"key,omitempty"`   // of an event's link or screen
	Desk    bool   `json:"desk,omitempty"`  // the arbiter's desk is open
}

// Person is how others see somebody.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Bot  bool   `json:"bot,omitempty"` // a program
	// Guest is said at the tables of events, where guests choose their names.
	Guest bool `json:"guest,omitempty"`
}

// Hello is the first frame on every socket.
type Hello struct {
	T       string `json:"t"` // "hello"
	Version int    `json:"v"`
	You     Person `json:"you"`
	Game    string `json:"game,omitempty"` // where this person sits now
}

// Seeking confirms a seek; Idle that there is none any more. Both go to every socket of the person.
type Seeking struct {
	T    string `json:"t"` // "seeking"
	ID   string `json:"id,omitempty"`
	Base int64  `json:"base"`
	Mode string `json:"mode"`
	Terms
	Wish
	Rating int    `json:"rating"`          // that it is paired by: 1500 for who has none
	Reach  *Reach `json:"reach,omitempty"` // of a pool: other seeks meet wherever both ranges hold
}

// Wish is what somebody asks for beside the terms.
type Wish struct {
	Min    int64 `json:"min,omitempty"`    // the least rating of an opponent
	Max    int64 `json:"max,omitempty"`    // the highest
	Casual bool  `json:"casual,omitempty"` // the game counts for no rating
}

// Reach is how far from its own rating a pool looks for an opponent, in points: From at once, Grows more with each second,
// and after Anybody ms wherever there is one.
type Reach struct {
	From    int   `json:"from"`
	Grows   int   `json:"grows"`
	Anybody int64 `json:"anybody"`
	Waited  int64 `json:"waited"` // so far, ms
}

// Seeks answers list.
type Seeks struct {
	T     string     `json:"t"` // "seeks"
	ID    string     `json:"id,omitempty"`
	Seeks []OpenSeek `json:"seeks"` // 50 at most, who waits longest first
}

// OpenSeek is a seek that others may take.
type OpenSeek struct {
	Seek   string `json:"seek"`
	By     Person `json:"by"`
	Rating int    `json:"rating,omitempty"` // of By; none for who has none
	Base   int64  `json:"base"`
	Mode   string `json:"mode"`
	Terms
	Wish
	Rated bool `json:"rated"` // the game would count, played by the one who asks
	Fits  bool `json:"fits"`  // who asks may take it
}

// Challenge tells somebody that another one wants to play him. It goes to every connection of his, and to new ones while it
// is open.
type Challenge struct {
	T      string `json:"t"` // "challenge"
	Invite string `json:"invite"`
	By     Person `json:"by"`
	Rating int    `json:"rating,omitempty"` // of By; none for who has none
	Base   int64  `json:"base"`
	Mode   string `json:"mode"`
	Color  string `json:"color"` // of who is challenged
	WBCA   bool   `json:"wbca"`  // as in Invited
	Rated  bool   `json:"rated"` // the game would count
	Terms
}

// Uninvited tells that a challenge is no more, to who was challenged and, unless he is told otherwise, to its author.
type Uninvited struct {
	T      string `json:"t"` // "uninvited"
	ID     string `json:"id,omitempty"`
	Invite string `json:"invite"`
	Why    string `json:"why"` // "declined", "unanswered" (for ten minutes), "withdrawn" (its author took it back or is gone, or one of the two plays)
}

// Blocks answers blocks.
type Blocks struct {
	T      string   `json:"t"` // "blocks"
	ID     string   `json:"id,omitempty"`
	People []Person `json:"people"`
}

// Terms are what a game is played by, beside its base time and mode.
type Terms struct {
	Rules  string `json:"rules"`            // "wbca", "uscf", "cca", "fide"
	Timing string `json:"timing,omitempty"` // "increment", "delay", "bronstein"; none is sudden death
	Each   int64  `json:"each,omitempty"`   // ms a move
}

// Idle says that the person has no seek and no invitation open.
type Idle struct {
	T   string `json:"t"` // "idle"
	ID  string `json:"id,omitempty"`
	Why string `json:"why,omitempty"` // "cancelled", "gone" (ten seconds without a connection), "seated"
}

// Invited confirms an invitation.
type Invited struct {
	T      string `json:"t"` // "invited"
	ID     string `json:"id,omitempty"`
	Invite string `json:"invite"`
	URL    string `json:"url"` // the page to send to a friend
	Base   int64  `json:"base"`
	Mode   string `json:"mode"`
	Color  string `json:"color"` // of the inviter
	Rated  bool   `json:"wbca"`  // WBCA rates such a game: its rules, 3 to 7 minutes, no increment or delay
	Terms
	Casual bool   `json:"casual,omitempty"` // the game counts for no rating
	To     string `json:"to,omitempty"`     // the name of who is challenged
	Who    string `json:"who,omitempty"`    // and his id
}

// Rematch tells both players of a finished game that one of them asks for another with colours swapped.
type Rematch struct {
	T    string `json:"t"` // "rematch"
	ID   string `json:"id,omitempty"`
	Game string `json:"game"`
	By   string `json:"by"` // "w" or "b" in the finished game
}

// Paired sends a player to his table; it goes to every socket of the person.
type Paired struct {
	T     string `json:"t"` // "paired"
	ID    string `json:"id,omitempty"`
	Game  string `json:"game"`
	Color string `json:"color"` // "w" or "b"
}

// Error refuses a client's message; nothing has changed.
type Error struct {
	T    string `json:"t"` // "err"
	ID   string `json:"id,omitempty"`
	Code string `json:"code"`
	Msg  string `json:"msg"`
}

// Clocks as of the frame. Run is the side whose clock runs, "" when both stand. Flags lists fallen flags: "", "w", "b", "wb".
type Clocks struct {
	W     int64  `json:"w"`
	B     int64  `json:"b"`
	Run   string `json:"run"`
	Flags string `json:"flags"`
	Delay int64  `json:"delay,omitempty"` // ms left of the delay of the running side's move
}

// State is the snapshot of one game as one seat may see it.
type State struct {
	T     string `json:"t"` // "state"
	ID    string `json:"id,omitempty"`
	Game  string `json:"game"`
	N     uint64 `json:"n"`   // number of the last frame this snapshot contains
	You   string `json:"you"` // "w", "b" or "" for a spectator
	White Person `json:"white"`
	Black Person `json:"black"`
	Mode  string `json:"mode"` // "board" or "fast"
	Base  int64  `json:"base"` // ms each
	Rated bool   `json:"wbca"` // WBCA rates such a game
	// Counts says that the game counts for the players' ratings, unless it is void or given up before the first move.
	Counts bool `json:"rated,omitempty"`
	Terms
	Claims  []string `json:"claims"`            // what a player of this game can claim; draws by the one button "draw"
	Late    int      `json:"late"`              // own moves after which an illegal move of the opponent can still be claimed
	Risk    Risk     `json:"risk"`              // what a wrong claim of a draw costs
	Premove bool     `json:"premove"`           // clients may offer premoves
	Phase   string   `json:"phase"`             // "waiting" (clock not started), "play", "paused" (server was away), "proof" (a claim is being judged), "demo" (a win is being shown), "dispute" (an arbiter is called), "over"
	Start   string   `json:"start"`             // placement and turn the game began with: "rnbqkbnr/... w"
	Board   string   `json:"board"`             // placement and turn now; a pending move is not yet in it
	Moves   []Ply    `json:"moves"`             // completed moves
	Pending string   `json:"pending,omitempty"` // released, not pressed: UCI, by the side on turn
	Queued  *Queued  `json:"queued,omitempty"`  // your own reply that waits for the opponent's press
	Offer   string   `json:"offer,omitempty"`   // side whose draw offer is open
	Clocks  Clocks   `json:"clk"`
	Here    string   `json:"here"`            // sides present: "", "w", "b", "wb"
	Event   string   `json:"event,omitempty"` // the event that the game belongs to
	Seen    int      `json:"seen,omitempty"`  // how often what now stands has stood there, from 2 on
	Claim   *Claim   `json:"claim,omitempty"` // what is being judged
	Demo    *Demo    `json:"demo,omitempty"`  // to the players only
	End     *End     `json:"end,omitempty"`   // set when the phase is "over"
}

// Ply is a completed move and its maker's remaining time after the press.
type Ply struct {
	M  string `json:"m"`
	Ms int64  `json:"ms"`
}

// Risk is the price of a wrong claim, in ms: from the claimant's clock, or for the opponent's.
type Risk struct {
	Take int64 `json:"take,omitempty"`
	Add  int64 `json:"add,omitempty"`
}

// Claim is a claim that waits for its verdict.
type Claim struct {
	By    string `json:"by"`
	Claim string `json:"claim"`
}

// Demo is the side board on which By shows that he wins, as Rule asks for; only legal moves are played there. W and B are
// the ms that both have left for it.
type Demo struct {
	By    string   `json:"by"`
	Rule  string   `json:"rule"`  // "WBCA 8e"
	Board string   `json:"board"` // placement and turn now
	Moves []string `json:"moves"`
	W     int64    `json:"w"`
	B     int64    `json:"b"`
}

// Queued is a reply released before the opponent pressed; only its author is told.
type Queued struct {
	M     string `json:"m"`
	Press bool   `json:"press"`
}

// End is the result and the rule it rests on.
type End struct {
	Result string `json:"result"` // "1-0", "0-1", "1/2-1/2", "*" (void)
	Reason string `json:"reason"` // checkmate, time, illegal_move, ...
	Rule   string `json:"rule"`   // "WBCA 7c", "" where none applies
	Text   string `json:"text"`   // in plain words
}

// Joined ends the frames that a socket had missed: the answer to a join with `since` that needed no snapshot.
type Joined struct {
	T    string `json:"t"` // "joined"
	ID   string `json:"id,omitempty"`
	Game string `json:"game"`
	N    uint64 `json:"n"` // number of the last frame
}

// Done answers a command that was counted before, or that changed nothing.
type Done struct {
	T  string `json:"t"` // "done"
	ID string `json:"id"`
}

// Events is one numbered step of a game. Frames of one audience are numbered without gaps.
type Events struct {
	T      string  `json:"t"` // "ev"
	N      uint64  `json:"n"`
	ID     string  `json:"id,omitempty"` // the command that caused it, to its author only: the acknowledgement
	At     int64   `json:"at"`           // game time
	Clocks Clocks  `json:"clk"`
	E      []Event `json:"e"`
}

// Event is one thing that happened.
//
//	start                       White's clock runs
//	move    by m ply            released (legal or not); a missing ply is 0
//	press   by lag seen         clock pressed, the move is completed; lag = ms given back; seen = how often what now
//	                            stands has stood there, from 2 on
//	back    by m                an unpressed move was taken back
//	queued  m press             to its author only: your reply waits for the opponent's press (press: with its press)
//	unqueued                    to its author only: the queued reply is gone
//	flag    by                  the flag of `by` is down
//	offer   by                  draw offer
//	decline by                  declined, or lapsed by a move
//	denied  by claim code step add take   a claim was denied; step of the ladder, ms added to the opponent, ms taken from `by`
//	proof   by claim            the claim is being judged; both clocks stand
//	demo    by demo             by has to show on a side board that he wins (the side board: to the players only)
//	demomove by m demo          a move there (to the players only)
//	demoend shown demo          the demonstration is over; demo is the side board as it ended, to everybody
//	dispute by stops            the arbiter was called; stops: both clocks stand until he has ruled
//	ruling  who why by act add score clk  an arbiter's act: see the arbiter's desk
//	restored by board ply step add seen   the position before by's illegal move, with index ply, is back, the moves from
//	                            there on are void; by is on move with the man he touched; step counts his illegal moves;
//	                            ms added to the opponent
//	fault   by step add         an illegal move of by that is not taken back (FIDE 7.5.2, 7.5.3)
//	delay   by ms               a delay clock of ms a move from now on (CCA 17)
//	muted   by                  to its author only: no more offers from the opponent
//	here    by / away by        a player came or left
//	pause   why ms              both clocks stand: the server was away ("server"; ms charged to the side on move), or the side
//	                            on move has still to come back ("away")
//	resume                      clocks run again
//	end     end                 the game is over
type Event struct {
	K     string `json:"k"`
	By    string `json:"by,omitempty"`
	M     string `json:"m,omitempty"`
	Ply   int    `json:"ply,omitempty"`
	Press bool   `json:"press,omitempty"`
	Lag   int64  `json:"lag,omitempty"`
	Claim string `json:"claim,omitempty"`
	Code  string `json:"code,omitempty"`
	Step  int    `json:"step,omitempty"`
	Add   int64  `json:"add,omitempty"`
	Take  int64  `json:"take,omitempty"`
	Seen  int    `json:"seen,omitempty"`
	Demo  *Demo  `json:"demo,omitempty"`
	Shown bool   `json:"shown,omitempty"`
	Stops bool   `json:"stops,omitempty"`
	Board string `json:"board,omitempty"`
	Who   string `json:"who,omitempty"`
	Act   string `json:"act,omitempty"`
	Score string `json:"score,omitempty"`
	Why   string `json:"why,omitempty"`
	Rule  string `json:"rule,omitempty"` // what it rests on: "WBCA 13b"; of denied, restored, fault, delay, dispute and demo
	Ms    int64  `json:"ms,omitempty"`
	End   *End   `json:"end,omitempty"`
}

// Close codes of the socket. 1001, 1008 (too many messages or pings), 1009 (over 4 KiB), 1007 (not UTF-8) and 1012 have
// their registered meaning.
const (
	CloseRestart  = 1012 // the server restarts, or the table moves to another one; come back after a moment
	CloseReplaced = 4001 // a newer tab of the same person joined this game; do not reconnect by itself
	CloseSlow     = 4002 // the outgoing queue was full, or a ping was not answered; come back and resync
	CloseToken    = 4003 // the token expired or was revoked; get a new one first
	CloseProtocol = 4004 // the message was not JSON of the described form
	CloseTooMany  = 4005 // too many sockets of this person or address
)

// Pong answers a client's ping at once.
type Pong struct {
	T string `json:"t"` // "pong"
}

// Hold tells that the clocks of all games stand, or go on: what people do cannot be written down meanwhile. It is kept and
// counts, but nothing is answered before the hold is over. Every socket of a server gets it, whatever is played there; one that opens during
// a hold gets it right after its hello.
type Hold struct {
	T   string `json:"t"` // "hold"
	On  bool   `json:"on"`
	Why string `json:"why,omitempty"` // of one that begins: "journal", the journal takes nothing
}

// New is an empty server message of the kind t, nil for an unknown one.
func New(t string) any {
	switch t {
	case "hello":
		return new(Hello)
	case "pong":
		return new(Pong)
	case "hold":
		return new(Hold)
	case "done":
		return new(Done)
	case "err":
		return new(Error)
	case "seeking":
		return new(Seeking)
	case "idle":
		return new(Idle)
	case "seeks":
		return new(Seeks)
	case "challenge":
		return new(Challenge)
	case "uninvited":
		return new(Uninvited)
	case "blocks":
		return new(Blocks)
	case "invited":
		return new(Invited)
	case "rematch":
		return new(Rematch)
	case "paired":
		return new(Paired)
	case "state":
		return new(State)
	case "joined":
		return new(Joined)
	case "ev":
		return new(Events)
	case "event":
		return new(EventNews)
	case "entry":
		return new(EntryNews)
	case "desk":
		return new(DeskNews)
	}
	return nil
}
