package client

import (
	"errors"
	"testing"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

func TestParse(t *testing.T) {
	f, err := Parse([]byte(`{"t":"paired","game":"g7","color":"b"}`))
	if paired, ok := f.Body.(*wire.Paired); err != nil || !ok || f.T != "paired" || paired.Game != "g7" || paired.Color != "b" {
		t.Errorf("frame %+v, error %v", f, err)
	}
	for _, bad := range []string{``, `[]`, `{}`, `{"t":"eval"}`, `{"t":"pong","legal":true}`, `{"t":"paired","game":7}`} {
		if f, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%s: %+v", bad, f)
		}
	}
}

func TestCloseCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{&websocket.CloseError{Code: wire.CloseSlow}, wire.CloseSlow},
		{&websocket.CloseError{Code: websocket.CloseAbnormalClosure}, 0},
		{errors.New("reset"), 0},
		{nil, 0},
	} {
		if got := CloseCode(c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}
