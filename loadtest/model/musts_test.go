package model_test

import "strings"

// musts are what must have happened in the random games, by rule set: ends, denials, proofs, refusals and the rest.
var musts = wanted(map[string]string{
	"wbca": `
		end: * absent, * annulled, * no_first_move, * outage, 1/2-1/2 agreement 8b, 1/2-1/2 both_flags 8c,
			1/2-1/2 dead_position 8f, 1/2-1/2 identical_piece 8e, 1/2-1/2 illegal_move_insufficient_material 8f,
			1/2-1/2 illegal_move_insufficient_material 8f+8e, 1/2-1/2 illegal_move_insufficient_material 8f+8h,
			1/2-1/2 illegal_move_insufficient_material 8f+8i, 1/2-1/2 king_pawn 8h, 1/2-1/2 opposite_bishops 8g,
			1/2-1/2 perpetual 8d, 1/2-1/2 rook_pawn_blockade 8i, 1/2-1/2 stalemate 8a,
			1/2-1/2 time_insufficient_material 8f, 1/2-1/2 time_insufficient_material 8f+8e,
			1/2-1/2 time_insufficient_material 8f+8g, 1/2-1/2 time_insufficient_material 8f+8h,
			1/2-1/2 time_insufficient_material 8f+8i, 1/2-1/2 unclaimed_flag, win abandoned, win arbiter,
			win checkmate 7a, win illegal_move 7d, win king_capture 7d, win penalty 4, win penalty 9,
			win resignation 7b, win time 7c, win time_called 7c
		denied: 8d penalty_60s, 8e penalty_60s, 8g penalty_60s, 8h penalty_60s, 8i penalty_60s, draw penalty_60s,
			draw_8f not_met, illegal no_illegal_move, retract move_final, time flag_up, time own_flag_down
		proof: 8e, 8g, 8i, draw, draw_8f, illegal, king, time, time_called
		refused: already_queued, bad_ruling, being_judged, claim_instead, clock_not_running, clocks_stopped,
			demo_illegal, flag_up, game_over, impossible, move_final, muted, no_demo, no_illegal_move, no_move,
			no_offer, not_away, not_completed, not_in_ruleset, not_met, not_on_move, not_started, offer_once,
			offer_open, offer_wait, own_flag_down, retract_first, stale_ply, touch_move, unknown_claim
		and: away, back, decline, delay, demo, demoend, demomove, dispute, flag, here, move, muted, offer, pause,
			press, queued, resume, ruling, start, unqueued
`,
	"uscf": `
		end: * absent, * annulled, * no_first_move, * outage, 1/2-1/2 both_flags 14G, 1/2-1/2 fifty_moves 14F1,
			1/2-1/2 insufficient_material 14D1, 1/2-1/2 stalemate 14A, 1/2-1/2 threefold 14C,
			1/2-1/2 time_insufficient_material 14E, 1/2-1/2 unclaimed_flag, win abandoned, win checkmate 13A,
			win resignation 13B, win time 13C, win time_called 13C
		denied: illegal no_illegal_move, retract move_final, time flag_up, time own_flag_down
		proof: abandoned, time, time_called
		refused: already_queued, bad_ruling, being_judged, claim_instead, clock_not_running, clocks_stopped,
			flag_up, game_over, impossible, king_capture_use_claim, move_final, muted, no_demo, no_illegal_move,
			no_move, no_offer, not_away, not_completed, not_in_ruleset, not_met, not_on_move, not_started, offer_once,
			offer_open, offer_wait, own_flag_down, retract_first, stale_ply, touch_move, unknown_claim
		and: away, back, decline, delay, demo, demoend, demomove, dispute, flag, here, move, muted, offer, pause,
			press, queued, restored, resume, ruling, start, unqueued
`,
	"cca": `
		end: * absent, * annulled, * no_first_move, * outage, 1/2-1/2 both_flags 13, 1/2-1/2 fifty_moves 23,
			1/2-1/2 insufficient_material 14D1, 1/2-1/2 stalemate 14A, 1/2-1/2 threefold 24,
			1/2-1/2 time_insufficient_material 12, 1/2-1/2 unclaimed_flag, win arbiter, win checkmate 13A,
			win penalty 4, win penalty 9, win resignation 13B, win time 12, win time_called 12
		denied: illegal no_illegal_move, retract move_final, threefold penalty_120s_to_opponent,
			time penalty_120s_to_opponent
		proof: abandoned, time, time_called
		refused: already_queued, bad_ruling, being_judged, claim_instead, clock_not_running, clocks_stopped,
			flag_down, game_over, impossible, king_capture_use_claim, move_final, muted, no_demo, no_illegal_move,
			no_move, no_offer, not_away, not_completed, not_in_ruleset, not_met, not_on_move, not_started, offer_once,
			offer_open, offer_wait, retract_first, stale_ply, touch_move, unknown_claim
		and: away, back, decline, delay, demo, demoend, demomove, dispute, flag, here, move, muted, offer, pause,
			press, queued, restored, resume, ruling, start, unqueued
`,
	"fide": `
		end: * absent, * no_first_move, * outage, 1/2-1/2 dead_position 5.2.2, 1/2-1/2 fivefold 9.6.1,
			1/2-1/2 flag_arbiter_no_mate_possible 6.5, 1/2-1/2 second_illegal_move_no_mate_possible 7.5.5,
			1/2-1/2 seventyfive_moves 9.6.2, 1/2-1/2 threefold 9.2, win flag_arbiter 6.5, win resignation 5.1.2,
			win second_illegal_move 7.5.5
		denied: draw penalty_60s_to_opponent, fifty penalty_60s_to_opponent, illegal no_illegal_move,
			retract move_final, threefold penalty_60s_to_opponent
		proof: flag, second
		refused: already_queued, bad_ruling, being_judged, both_must_have_moved, clock_not_running, clocks_stopped,
			game_over, impossible, move_final, no_demo, no_illegal_move, no_move, no_offer, not_away, not_completed,
			not_in_ruleset, not_met, not_on_move, not_started, offer_once, offer_open, offer_wait, stale_ply,
			touch_move, unknown_claim
		and: away, back, decline, delay, dispute, fault, flag, here, move, offer, pause, press, queued, restored,
			resume, ruling, start
`,
})

// wanted writes a list out as a census has it.
func wanted(books map[string]string) []string {
	var out []string
	for book, text := range books {
		kind := ""
		for line := range strings.Lines(text) {
			if before, after, ok := strings.Cut(line, ": "); ok {
				kind, line = strings.Replace(strings.TrimSpace(before), "and", "", 1), after
			}
			for item := range strings.SplitSeq(line, ",") {
				if item = strings.TrimSpace(item); item != "" {
					out = append(out, strings.Join(strings.Fields(book+" "+kind+" "+item), " "))
				}
			}
		}
	}
	return out
}
