package arena

import (
	"encoding/json"
	"time"
	_ "time/tzdata" // the zones are the same on every machine

	"flagfall/clock"
	"flagfall/game"
)

// zone is where the event is held. Only dates are made by it: moments are civil times, the same everywhere.
func (s *Settings) zone() (*time.Location, error) {
	if s.Zone == "Local" {
		return nil, refuse(BadSettings, "zone")
	}
	return time.LoadLocation(s.Zone)
}

// terms are the event's terms as people are shown them.
func (s *Settings) terms() Terms {
	t := s.Terms
	return Terms{Rules: t.RuleSet, Base: t.Base, Mode: string(t.Mode), Timing: string(t.Timing.Kind), Each: t.Timing.Ms}
}

// bare are settings that are written field by field.
type bare Settings

// MarshalJSON writes the terms as in messages: rules, base, mode, timing and each.
func (s Settings) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		bare
		Terms termsJSON `json:"terms"`
	}{bare(s), termsJSON{Terms: s.terms(), Casual: s.Terms.Casual}})
}

type termsJSON struct {
	Terms
	Casual bool `json:"casual,omitempty"`
}

// UnmarshalJSON reads what MarshalJSON wrote, and the terms as version 1 wrote them. What is absent stays as it is.
func (s *Settings) UnmarshalJSON(text []byte) error {
	in := struct {
		*bare
		Terms json.RawMessage `json:"terms"`
	}{bare: (*bare)(s)}
	if err := json.Unmarshal(text, &in); err != nil || in.Terms == nil {
		return err
	}
	var first struct { // version 1
		RuleSet *string
		Mode    game.Mode
		Base    int64
		Timing  json.RawMessage
		Casual  bool
	}
	if err := json.Unmarshal(in.Terms, &first); err != nil {
		return err
	}
	if first.RuleSet != nil {
		s.Terms = game.Terms{RuleSet: *first.RuleSet, Base: first.Base, Mode: first.Mode, Casual: first.Casual}
		return json.Unmarshal(first.Timing, &s.Terms.Timing)
	}
	t := termsJSON{Terms: s.terms(), Casual: s.Terms.Casual}
	if err := json.Unmarshal(in.Terms, &t); err != nil {
		return err
	}
	s.Terms = game.Terms{RuleSet: t.Rules, Base: t.Base, Mode: game.Mode(t.Mode), Casual: t.Casual,
		Timing: clock.Timing{Kind: clock.TimingKind(t.Timing), Ms: t.Each}}
	return nil
}
