package game

import (
	"encoding/json"
	"strconv"

	"flagfall/game/board"
)

// AppendEvent appends the event's JSON to dst. Releases and presses, which are nearly all that a journal holds, are
// written by hand; a test holds them equal to what encoding/json gives.
func AppendEvent(dst []byte, e Event) ([]byte, error) {
	if !e.common() {
		text, err := json.Marshal(e)
		return append(dst, text...), err
	}
	number := func(name string, n int64) {
		if n != 0 {
			dst = strconv.AppendInt(append(dst, name...), n, 10)
		}
	}
	yes := func(name string, is bool) {
		if is {
			dst = append(dst, name...)
		}
	}
	dst = append(append(append(dst, `{"k":"`...), e.Kind...), `","at":`...)
	dst = strconv.AppendInt(dst, e.At, 10)
	dst = append(append(append(dst, `,"by":"`...), e.By.String()...), '"')
	if !e.Move.IsZero() {
		dst = append(append(append(dst, `,"m":"`...), board.Move(e.Move).UCI()...), '"')
	}
	yes(`,"legal":true`, e.Legal)
	yes(`,"adj":true`, e.Adjacent)
	yes(`,"press":true`, e.Press)
	yes(`,"bare":true`, e.Bare)
	number(`,"charged":`, e.Charged)
	number(`,"credit":`, e.Credit)
	number(`,"lag":`, e.Lag)
	if e.Left != [2]int64{} {
		dst = strconv.AppendInt(append(dst, `,"left":[`...), e.Left[0], 10)
		dst = strconv.AppendInt(append(dst, ','), e.Left[1], 10)
		dst = append(dst, ']')
	}
	return append(dst, '}'), nil
}

// common holds for an event with no other field than releases and presses have.
func (e *Event) common() bool {
	if e.Kind != Released && e.Kind != Pressed && e.Kind != Queued {
		return false
	}
	plain := Event{Kind: e.Kind, At: e.At, By: e.By, Move: e.Move, Legal: e.Legal, Adjacent: e.Adjacent, Press: e.Press, Bare: e.Bare,
		Charged: e.Charged, Credit: e.Credit, Lag: e.Lag, Left: e.Left}
	return *e == plain
}
