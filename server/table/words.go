package table

import (
	"fmt"
	"strings"

	"flagfall/server/wire"
)

// sides are the players in words.
var sides = map[string]string{"w": "White", "b": "Black"}

// plainWords are for the events of which nothing but their side has to be said.
var plainWords = map[string]string{
	"start": "The clock runs", "press": "%s pressed", "queued": "%s answered before the press", "unqueued": "The answer of %s is gone",
	"flag": "The flag of %s fell", "offer": "%s offered a draw", "decline": "%s declined the draw", "proof": "A claim of %s is being judged",
	"demo": "%s has to show a win", "here": "%s came to the table", "away": "%s left the table", "resume": "The clock runs on",
	"muted": "%s takes no more draw offers",
}

// inWords says an event in plain English.
func inWords(e *wire.Event) string {
	who := sides[e.By]
	if who == "" {
		who = "somebody"
	}
	text := plainWords[e.K]
	switch e.K {
	case "move":
		text = fmt.Sprintf("%s moved %s", who, e.M)
	case "back":
		text = fmt.Sprintf("%s took %s back", who, e.M)
	case "demomove":
		text = fmt.Sprintf("%s showed %s", who, e.M)
	case "demoend":
		text = "The win was not shown"
		if e.Shown {
			text = "The win was shown"
		}
	case "denied":
		text = fmt.Sprintf("A claim of %s was denied: %s", who, wire.Message(e.Code))
	case "dispute":
		text = who + " called the arbiter"
		if e.Stops {
			text += "; the clocks stand"
		}
	case "ruling":
		text = ruledInWords(e, who)
	case "restored":
		text = fmt.Sprintf("The position before the illegal move of %s is back", who)
	case "fault":
		text = fmt.Sprintf("An illegal move of %s stands", who)
	case "delay":
		text = "A delay clock was put in"
	case "pause":
		text = "The clocks stand: the server was away"
		if e.Why == "away" {
			text = "The clock waits for the player on move"
		}
	case "end":
		text = e.End.Text
		if e.End.Result != "" {
			text = e.End.Result + ": " + text
		}
	default:
		if e.By != "" {
			text = fmt.Sprintf(text, who)
		}
	}
	return text
}

// rulings are an arbiter's acts: what he did, or with %s did to whom.
var rulings = map[string]string{
	"stop": "stopped the clocks", "resume": "lets the game go on", "clocks": "set the clocks", "warn": "warned %s",
	"minute": "gave the opponent of %s a minute", "loss": "ruled that %s loses", "result": "set the result %s",
	"annul": "annulled the game", "end": "ended the game", "delay": "put in a delay clock for %s", "unjust": "found no reason for the call of %s",
}

// ruledInWords says who did what, and why.
func ruledInWords(e *wire.Event, whom string) string {
	switch e.Act {
	case "duty":
		return "An arbiter is on duty"
	case "offduty":
		return "No arbiter is on duty"
	case "result":
		whom = e.Score
	}
	text := rulings[e.Act]
	if strings.Contains(text, "%s") {
		text = fmt.Sprintf(text, whom)
	}
	return fmt.Sprintf("%s %s (%s)", e.Who, text, e.Why)
}
