package wire

import "fmt"

// Error codes. They are the same in the `err` frames of the socket and in the problem documents of the HTTP API.
const (
	// Of the message itself.
	CodeBadMessage     = "bad_message"     // the message is an object, but not one of the described form
	CodeUnknownMessage = "unknown_message" // no such t
	CodeTooMany        = "too_many"        // come back later

	// Of the lobby and the seats.
	CodeSeated        = "seated"         // one person sits at one table
	CodeUnknownInvite = "unknown_invite" // no such invitation, or it is gone
	CodeOwnInvite     = "own_invite"     // an invitation is for somebody else
	CodeNoRematch     = "no_rematch"     // not a finished game of this person
	CodeUnknownSeek   = "unknown_seek"   // no such open seek, or it is gone
	CodeOwnSeek       = "own_seek"       // a seek is for somebody else
	CodeOutOfRange    = "out_of_range"   // the seek is not for such a rating, or not for programs
	CodeNoChallenge   = "no_challenge"   // one of the two has blocked the other, or it is oneself
	CodeNotForYou     = "not_for_you"    // somebody else is challenged

	// Of the table.
	CodeUnknownGame = "unknown_game"
	CodeNotJoined   = "not_joined" // a command for a game came before join
	CodeNotSeated   = "not_seated" // a spectator cannot play
	CodeRunning     = "running"    // only when the game is over
	CodeGameOver    = "game_over"

	// Of the game.
	CodeStalePly       = "stale_ply"
	CodeNotOnMove      = "not_on_move"
	CodeImpossible     = "impossible"
	CodeMovePending    = "move_pending"
	CodeMoveFinal      = "move_final"
	CodeNoMove         = "no_move"
	CodeAlreadyQueued  = "already_queued"
	CodeTouchMove      = "touch_move"
	CodeClaimInstead   = "claim_instead"
	CodeNotCompleted   = "not_completed"
	CodeNoIllegalMove  = "no_illegal_move"
	CodeCheapShot      = "cheap_shot"
	CodeFlagUp         = "flag_up"
	CodeOwnFlagDown    = "own_flag_down"
	CodeNotMet         = "not_met"
	CodeNotInRuleset   = "not_in_ruleset"
	CodeNoOffer        = "no_offer"
	CodeOfferOpen      = "offer_open"
	CodeOfferOnce      = "offer_once"
	CodeOfferWait      = "offer_wait"
	CodeMuted          = "muted"
	CodeUnknownClaim   = "unknown_claim"
	CodeNoMaterial     = "no_material"
	CodeNotStarted     = "not_started"
	CodeClockRunsNot   = "clock_not_running"
	CodeNotAway        = "not_away"
	CodeBeingJudged    = "being_judged"
	CodeClocksStopped  = "clocks_stopped"
	CodeNoDemo         = "no_demo"
	CodeDemoIllegal    = "demo_illegal"
	CodeAppeal         = "penalty_60s"
	CodeDrawDenied     = "penalty_60s_to_opponent"
	CodeTimeDenied     = "penalty_120s_to_opponent"
	CodeUseClaim       = "king_capture_use_claim"
	CodeFlagDown       = "flag_down"
	CodeBothMoved      = "both_must_have_moved"
	CodeTooManyClaims  = "too_many_claims"
	CodeDisputeOnce    = "dispute_once"
	CodeServerInternal = "internal" // our fault; nothing has changed

	// Of the HTTP API only.
	CodeUnauthorized     = "unauthorized"
	CodeForbiddenOrigin  = "forbidden_origin"
	CodeNotFound         = "not_found"
	CodeMethodNotAllowed = "method_not_allowed"
	CodeTooLarge         = "too_large"
	CodeUnsupportedMedia = "unsupported_media_type"
	CodeUnavailable      = "unavailable"

	// Of accounts.
	CodeBadName       = "bad_name"
	CodeNameTaken     = "name_taken"
	CodeBadPassword   = "bad_password"
	CodeWrongPassword = "wrong_password"
	CodeRegistered    = "registered"
	CodeAccountNeeded = "account_needed"
	CodeAccountClosed = "account_closed"
	CodeForbidden     = "forbidden"
	CodeUnknownPerson = "unknown_person"
	CodeUnknownLink   = "unknown_link"
	CodeNotForBots    = "not_for_bots"
	CodeNoMore        = "no_more"
	CodeLastAdmin     = "last_administrator"

	// Of events and clubs.
	CodeBadSettings    = "bad_settings"
	CodeWrongPhase     = "wrong_phase"
	CodeUnknownEvent   = "unknown_event"
	CodeUnknownEntry   = "unknown_entry"
	CodeAlreadyIn      = "already_in"
	CodeBarred         = "barred"
	CodeNoGuests       = "no_guests"
	CodeRatingLimit    = "rating_limit"
	CodeFull           = "full"
	CodeNoLateEntry    = "no_late_entry"
	CodeTooFew         = "too_few"
	CodeNotNow         = "not_now"
	CodeNeedsReason    = "needs_reason"
	CodeOwnGame        = "own_game"
	CodeBadResult      = "bad_result"
	CodeBadBell        = "bad_bell"
	CodeBadRoster      = "bad_roster"
	CodeUnknownRequest = "unknown_request"
	CodeUnknownReport  = "unknown_report"
	CodeBadRuling      = "bad_ruling"
	CodeAlreadyMade    = "already_made"
	CodeUnknownLine    = "unknown_line"
	CodeLineTaken      = "line_taken"
	CodePlaying        = "playing"
	CodeHushed         = "hushed"
	CodeUnknownClub    = "unknown_club"
	CodeLastOwner      = "last_owner"
)

// messages has one plain line for each code.
var messages = map[string]string{
	CodeBadMessage:     "The message is not of the described form.",
	CodeUnknownMessage: "There is no message of this kind.",
	CodeTooMany:        "Too many requests; wait a moment.",

	CodeSeated:        "You already sit at a table.",
	CodeUnknownInvite: "There is no such invitation any more.",
	CodeOwnInvite:     "This is your own invitation; send it to somebody else.",
	CodeNoRematch:     "A rematch is for the two players of a finished game.",
	CodeUnknownSeek:   "Nobody waits for that any more.",
	CodeOwnSeek:       "This is your own seek; somebody else has to take it.",
	CodeOutOfRange:    "Your opponent looks for other ratings.",
	CodeNoChallenge:   "You cannot challenge this person.",
	CodeNotForYou:     "This challenge is for somebody else.",

	CodeUnknownGame: "There is no such game.",
	CodeNotJoined:   "Join a game first.",
	CodeNotSeated:   "You watch this game; you do not play it.",
	CodeRunning:     "The game is not over yet.",
	CodeGameOver:    "The game is over.",

	CodeStalePly:       "The game has moved on; this was meant for another move.",
	CodeNotOnMove:      "It is not your move.",
	CodeImpossible:     "That cannot be done on this board.",
	CodeMovePending:    "Your move stands on the board: press the clock, or take it back.",
	CodeMoveFinal:      "This move cannot be taken back.",
	CodeNoMove:         "You have not moved yet.",
	CodeAlreadyQueued:  "You have already answered; only one reply can wait.",
	CodeTouchMove:      "You have touched another man and must move it.",
	CodeClaimInstead:   "A king never takes a king. If your opponent has put his king beside yours, claim the illegal move.",
	CodeNotCompleted:   "Your opponent has not pressed the clock yet.",
	CodeNoIllegalMove:  "There is no illegal move to claim.",
	CodeCheapShot:      "Your own king went next to the other one; that cannot be claimed.",
	CodeFlagUp:         "Your opponent's flag is still up.",
	CodeOwnFlagDown:    "Your own flag is down.",
	CodeNotMet:         "What was claimed does not hold.",
	CodeNotInRuleset:   "This game's rules do not know that.",
	CodeNoOffer:        "There is no draw offer to answer.",
	CodeOfferOpen:      "A draw offer is open already.",
	CodeOfferOnce:      "One draw offer for each of your moves.",
	CodeOfferWait:      "Your opponent has declined; offer again ten moves later.",
	CodeUnknownClaim:   "There is no such claim.",
	CodeNoMaterial:     "You have not the men to mate with.",
	CodeNotStarted:     "The game has not begun.",
	CodeMuted:          "Your opponent takes no more draw offers in this game.",
	CodeClockRunsNot:   "Your clock does not run.",
	CodeNotAway:        "Your opponent has not been away for long enough.",
	CodeBeingJudged:    "A claim is being judged; only resigning is possible now.",
	CodeClocksStopped:  "The clocks stand for an arbiter; resigning and draw offers are possible.",
	CodeNoDemo:         "No win is being shown.",
	CodeDemoIllegal:    "Only legal moves are played when a win is shown.",
	CodeAppeal:         "The claim of a draw does not hold; it costs a minute.",
	CodeDrawDenied:     "The claim of a draw does not hold; your opponent gets a minute.",
	CodeTimeDenied:     "The claim does not hold; your opponent gets two minutes.",
	CodeUseClaim:       "The king is not taken by these rules; claim the illegal move instead.",
	CodeFlagDown:       "Your flag is down; it is too late for that.",
	CodeBothMoved:      "No draw before both of you have moved.",
	CodeTooManyClaims:  "You have claimed wrongly twenty times in this game; you are not heard again.",
	CodeDisputeOnce:    "You have called the arbiter once in this move already.",
	CodeServerInternal: "Something went wrong on our side; nothing has changed.",

	CodeUnauthorized:     "Who are you? Get a guest's token first.",
	CodeForbiddenOrigin:  "This server is to be visited by its own address, which is set with -url; this page came by another one.",
	CodeNotFound:         "There is nothing at this address.",
	CodeUnknownPerson:    "Nobody has an account by this name.",
	CodeMethodNotAllowed: "This address does not take that method.",
	CodeTooLarge:         "The request is too large.",
	CodeUnsupportedMedia: "The request's body must be JSON.",
	CodeUnavailable:      "The server is closing or busy; try again in a moment.",

	CodeBadName:       "This name cannot be used.",
	CodeNameTaken:     "Somebody has this name, or one that looks like it.",
	CodeBadPassword:   "This password cannot be used.",
	CodeWrongPassword: "Name or password is wrong.",
	CodeRegistered:    "You have an account already.",
	CodeAccountNeeded: "This is for people with an account; register or log in.",
	CodeAccountClosed: "This account was closed by an administrator.",
	CodeForbidden:     "You may not do that.",
	CodeUnknownLink:   "This link is not good any more; ask an administrator for another one.",
	CodeNotForBots:    "That is not for bots.",
	CodeNoMore:        "You have as many of them as you can have.",
	CodeLastAdmin:     "There would be no administrator left.",

	CodeBadSettings:    "An event cannot have these settings.",
	CodeWrongPhase:     "The event is not at that point.",
	CodeUnknownEvent:   "There is no such event, or you need its link.",
	CodeUnknownEntry:   "This person is not in the event.",
	CodeAlreadyIn:      "You are in this event already.",
	CodeBarred:         "You were taken out of this event.",
	CodeNoGuests:       "This event is for people with an account; register or log in.",
	CodeRatingLimit:    "Your rating is outside the limits of this event.",
	CodeFull:           "The event is full.",
	CodeNoLateEntry:    "The event has begun and takes no more entries.",
	CodeTooFew:         "Too few players are there.",
	CodeNotNow:         "Not now: somebody still plays, or is not free.",
	CodeNeedsReason:    "Give a reason of 1 to 500 characters.",
	CodeOwnGame:        "No arbiter rules on a game of his own.",
	CodeBadResult:      "The game cannot have this result.",
	CodeBadBell:        "The bell cannot be moved there.",
	CodeBadRoster:      "The list cannot be read.",
	CodeUnknownRequest: "The event has asked for nothing of that kind.",
	CodeUnknownReport:  "There is no such report or dispute any more.",
	CodeBadRuling:      "The game cannot have this ruling.",
	CodeAlreadyMade:    "The event exists already.",
	CodeUnknownLine:    "There is no such line in the list of players.",
	CodeLineTaken:      "Somebody else is this player already.",
	CodePlaying:        "You play; the chat is for afterwards.",
	CodeHushed:         "The organisers have taken the word from you.",
	CodeUnknownClub:    "There is no such club.",
	CodeLastOwner:      "The club would have no owner left.",
}

// Message is the plain line that goes with a code, "" for an unknown code.
func Message(code string) string { return messages[code] }

// Codes lists every error code, in no order.
func Codes() []string {
	all := make([]string, 0, len(messages))
	for code := range messages {
		all = append(all, code)
	}
	return all
}

// Refusal is an error with a code of this package: a request was understood and refused, and nothing has changed.
// The sockets and the HTTP API turn any error that wraps one into an `err` frame or a problem document.
type Refusal struct {
	Code string
	Msg  string
}

// Refuse makes a Refusal with the code's own line.
func Refuse(code string) *Refusal {
	msg := messages[code]
	if msg == "" {
		msg = "Refused: " + code + "."
	}
	return &Refusal{Code: code, Msg: msg}
}

// Refusef makes a Refusal with a line of its own.
func Refusef(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Msg: fmt.Sprintf(format, args...)}
}

func (r *Refusal) Error() string { return r.Msg }

// Is holds two refusals equal when their codes are.
func (r *Refusal) Is(target error) bool {
	other, ok := target.(*Refusal)
	return ok && other.Code == r.Code
}
