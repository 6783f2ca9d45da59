package main

import (
	"runtime/debug"
	"strconv"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/ops"
)

// metrics are all that this program exposes of itself; README.md lists them.
var metrics = []ops.Metric{
	{Name: "flagfall_build_info", Type: ops.Gauge, Labels: []string{"version", "revision"}, Help: "1, with the version of the program and its revision."},
	{Name: "flagfall_ready", Type: ops.Gauge, Help: "1 while /readyz says ready, else 0."},

	{Name: "flagfall_sockets", Type: ops.Gauge, Help: "Open WebSockets."},
	{Name: "flagfall_sockets_closed_total", Type: ops.Counter, Labels: []string{"code"}, Help: "WebSockets that have ended, by close code."},
	{Name: "flagfall_frames_sent_total", Type: ops.Counter, Help: "Text frames written to sockets."},

	{Name: "flagfall_games", Type: ops.Gauge, Help: "Games whose two seats are taken."},
	{Name: "flagfall_seeks", Type: ops.Gauge, Help: "People who wait in a pool."},
	{Name: "flagfall_invites", Type: ops.Gauge, Help: "Open invitations."},
	{Name: "flagfall_attending_sockets", Type: ops.Gauge, Help: "Sockets that attend an event."},
	{Name: "flagfall_event_games_total", Type: ops.Counter, Help: "Games set up by the events of this node."},
	{Name: "flagfall_claims_denied_total", Type: ops.Counter, Help: "Claims that were wrong and stand on record."},

	{Name: "flagfall_actors", Type: ops.Gauge, Labels: []string{"kind"}, Help: "Running actors."},
	{Name: "flagfall_commands_total", Type: ops.Counter, Labels: []string{"kind", "outcome"}, Help: "Commands answered by actors: accepted, refused, duplicated, failed."},

	{Name: "flagfall_journal_append_seconds", Type: ops.Histogram, Help: "Time from a step's first attempt to its being journaled."},
	{Name: "flagfall_journal_append_failures_total", Type: ops.Counter, Help: "Attempts to journal a step that failed."},
	{Name: "flagfall_journal_waiting_actors", Type: ops.Gauge, Help: "Actors whose step the journal has refused and that try again."},
	{Name: "flagfall_heartbeat_age_seconds", Type: ops.Gauge, Help: "Time since the journal took the last heartbeat."},
	{Name: "flagfall_stopped_seconds_total", Type: ops.Counter, Help: "Time in which the process did not run."},

	{Name: "flagfall_effects_pending", Type: ops.Gauge, Labels: []string{"kind", "pool"}, Help: "Effects of actors on their way."},
	{Name: "flagfall_effects_failing", Type: ops.Gauge, Labels: []string{"kind", "pool"}, Help: "Pending effects whose last try failed."},
	{Name: "flagfall_effect_failures_total", Type: ops.Counter, Labels: []string{"kind", "pool"}, Help: "Tries of effects that failed."},

	{Name: "flagfall_proofs_pending", Type: ops.Gauge, Help: "Questions that wait for a proof."},
	{Name: "flagfall_proofs_total", Type: ops.Counter, Labels: []string{"verdict"}, Help: "Proof searches by verdict: yes, no, undecided, failed."},
	{Name: "flagfall_proof_seconds_total", Type: ops.Counter, Help: "Time spent in proof searches."},
}

// collect reads every counter of the house.
func (o *operators) collect(s *ops.Samples) {
	s.Add("flagfall_build_info", 1, build()...)
	s.Add("flagfall_ready", one(len(o.unready()) == 0))
	h := o.house.Load()
	if h == nil {
		return
	}
	collectPeople(s, h)
	stats := h.hall.Stats()
	collectActors(s, stats)
	collectJournal(s, stats)
	collectProofs(s, h)
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// build tells the version and the revision of the program, as far as the build knows them.
func build() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return []string{"", ""}
	}
	labels := []string{info.Main.Version, ""}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			labels[1] = s.Value
		}
	}
	return labels
}

func collectPeople(s *ops.Samples, h *house) {
	edge, lobby, events := h.edge.Stats(), h.lobby.Stats(), h.events.Stats()
	s.Add("flagfall_sockets", float64(edge.Sockets))
	for code, n := range edge.Closed {
		label := strconv.Itoa(code)
		if code == 0 {
			label = "other"
		}
		s.Add("flagfall_sockets_closed_total", float64(n), label)
	}
	s.Add("flagfall_frames_sent_total", float64(edge.Frames))
	s.Add("flagfall_games", float64(lobby.Games))
	s.Add("flagfall_seeks", float64(lobby.Seeks))
	s.Add("flagfall_invites", float64(lobby.Invites))
	s.Add("flagfall_attending_sockets", float64(events.Attending))
	s.Add("flagfall_event_games_total", float64(events.Opened))
	s.Add("flagfall_claims_denied_total", float64(h.tables.Denied()))
}

func collectActors(s *ops.Samples, stats actor.Stats) {
	for _, k := range stats.Kinds {
		s.Add("flagfall_actors", float64(k.Running), k.Kind)
		s.Add("flagfall_commands_total", float64(k.Accepted), k.Kind, "accepted")
		s.Add("flagfall_commands_total", float64(k.Refused), k.Kind, "refused")
		s.Add("flagfall_commands_total", float64(k.Duplicated), k.Kind, "duplicated")
		s.Add("flagfall_commands_total", float64(k.Failed), k.Kind, "failed")
	}
	for _, e := range stats.Effects {
		s.Add("flagfall_effects_pending", float64(e.Pending), e.Kind, e.Pool)
		s.Add("flagfall_effects_failing", float64(e.Failing), e.Kind, e.Pool)
		s.Add("flagfall_effect_failures_total", float64(e.Failures), e.Kind, e.Pool)
	}
}

func collectJournal(s *ops.Samples, stats actor.Stats) {
	t := stats.AppendTime
	s.AddTimes("flagfall_journal_append_seconds", t.Bounds, t.Counts, t.Sum)
	s.Add("flagfall_journal_append_failures_total", float64(stats.AppendFailures))
	s.Add("flagfall_journal_waiting_actors", float64(stats.Waiting))
	s.Add("flagfall_heartbeat_age_seconds", stats.HeartbeatAge.Seconds())
	s.Add("flagfall_stopped_seconds_total", stats.Gaps.Seconds())
}

func collectProofs(s *ops.Samples, h *house) {
	stats := h.prover.Stats()
	s.Add("flagfall_proofs_pending", float64(stats.Pending))
	for _, v := range []game.Verdict{game.Proved, game.Refuted, game.Undecided} {
		s.Add("flagfall_proofs_total", float64(stats.Answers[v]), string(v))
	}
	s.Add("flagfall_proofs_total", float64(stats.Answers[""]), "failed")
	s.Add("flagfall_proof_seconds_total", stats.Time.Seconds())
}
