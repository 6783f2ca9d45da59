package game

// Code names why a command was refused or denied.
type Code string

// The codes. Those marked (denied) count on the ladder of wrong claims where the game has one.
const (
	MoveFinal      Code = "move_final"        // a released legal move stands (WBCA 15); (denied) as an answer to a retraction
	RetractFirst   Code = "retract_first"     // an unpressed illegal move has to be taken back first (WBCA 14)
	QueueFull      Code = "already_queued"    // one reply may wait for the opponent's press
	NotOnMove      Code = "not_on_move"       //
	NotRunning     Code = "clock_not_running" // a press while the own clock stands
	NoMove         Code = "no_move"           // a press, or a retraction, with nothing released
	Impossible     Code = "impossible"        // no man there, or it would not leave its square, or the own king stands there
	ClaimInstead   Code = "claim_instead"     // a king does not take a king (WBCA 16)
	TouchMove      Code = "touch_move"        // the man of the retracted move has to move (WBCA 14)
	StalePly       Code = "stale_ply"         // the command meant another move of the game
	NotCompleted   Code = "not_completed"     // the opponent has not pressed
	NoIllegalMove  Code = "no_illegal_move"   // (denied) nothing to claim
	CheapShot      Code = "cheap_shot"        // who set the kings side by side may not profit from it (WBCA 16)
	FlagUp         Code = "flag_up"           // (denied after three) the opponent's flag is up
	OwnFlagDown    Code = "own_flag_down"     // (denied after three)
	NotMet         Code = "not_met"           // the conditions of the claim are not met
	NotInRuleSet   Code = "not_in_ruleset"    // the rule set knows no such claim
	UnknownClaim   Code = "unknown_claim"     //
	NoOffer        Code = "no_offer"          // no draw offer of the opponent is open
	OfferOpen      Code = "offer_open"        // one draw offer at a time
	OfferOnce      Code = "offer_once"        // one offer for each own move
	OfferWait      Code = "offer_wait"        // none for ten own moves after a refusal
	OffersMuted    Code = "muted"             // the opponent wants none
	NotStarted     Code = "not_started"       // the game has not begun
	GameOver       Code = "game_over"         //
	NotAbandoned   Code = "not_away"          // the opponent is here, not on move, or away for less than a minute
	NoMaterial     Code = "no_material"       // the claim needs mating material
	BeingJudged    Code = "being_judged"      // a claim is being judged; only resigning is possible
	ClocksStopped  Code = "clocks_stopped"    // the clocks stand for an arbiter
	TooManyClaims  Code = "too_many_claims"   // twenty wrong claims in one game
	DisputeOnce    Code = "dispute_once"      // one dispute for each own move
	NoDemo         Code = "no_demo"           // nothing is being demonstrated
	DemoIllegal    Code = "demo_illegal"      // only legal moves are played in a demonstration
	BadRuling      Code = "bad_ruling"
	Appeal         Code = "penalty_60s"              // (denied) an appeal for a draw was rejected (WBCA 13b)
	TimeDenied     Code = "penalty_120s_to_opponent" // (denied) CCA 11, 24
	DrawDenied     Code = "penalty_60s_to_opponent"  // (denied) FIDE: a wrong claim of a draw
	UseClaim       Code = "king_capture_use_claim"   // a king is not taken under these rules; claim the illegal move
	FlagDown       Code = "flag_down"                // too late with the flag down (CCA 16)
	BothMoved      Code = "both_must_have_moved"     // no draw before both have moved (FIDE 5.2.3)
	NotAPlayer     Code = "not_a_player"             //
	UnknownCommand Code = "unknown_command"          //
	BadSetup       Code = "bad_setup"                //
	AlreadyCreated Code = "already_created"          //
)

// Refusal is the error of a refused command: nothing happened.
type Refusal struct {
	Code   Code
	Detail string
}

// Error is the code, with the detail where there is one.
func (r *Refusal) Error() string {
	if r.Detail != "" {
		return string(r.Code) + ": " + r.Detail
	}
	return string(r.Code)
}

// Shown is the code that a player may see: whether his unpressed move was legal is not told by a refused release.
func (r *Refusal) Shown() Code {
	if r.Code == RetractFirst || r.Code == MoveFinal {
		return "move_pending"
	}
	return r.Code
}

func refuse(code Code) error { return &Refusal{Code: code} }
