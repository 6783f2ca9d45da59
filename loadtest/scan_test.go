package main

import "testing"

func TestScan(t *testing.T) {
	for name, tc := range map[string]struct {
		frame        string
		letter       byte
		ply          int
		move, refuse string
		press, over  bool
	}{
		"the server acknowledges a fast move": {
			`{"t":"ev","n":9,"id":"m12","at":5,"clk":{"w":1,"b":2,"run":"b","flags":""},"e":[{"k":"move","by":"w","m":"e2e4","ply":12},{"k":"press","by":"w"}]}`,
			'm', 12, "e2e4", "", true, false},
		"the opponent's release": {`{"t":"ev","n":9,"at":5,"e":[{"k":"move","by":"w","m":"a7a8q"}]}`, 0, 0, "a7a8q", "", false, false},
		"a press":                {`{"t":"ev","n":9,"id":"p3","at":5,"e":[{"k":"press","by":"b","lag":2}]}`, 'p', 3, "", "", true, false},
		"the relay's move":       {`{"t":"move","id":"m7","m":"g8f6","ply":7,"press":true}`, 'm', 7, "g8f6", "", true, false},
		"the relay's release":    {`{"t":"move","id":"m7","m":"g8f6","ply":7}`, 'm', 7, "g8f6", "", false, false},
		"the relay's press":      {`{"t":"press","id":"p7","ply":7}`, 'p', 7, "", "", true, false},
		"an error":               {`{"t":"err","id":"m7","code":"stale_ply","msg":"no \"k\":\"press\""}`, 0, 0, "", "stale_ply", false, false},
		"the end":                {`{"t":"ev","n":9,"at":5,"e":[{"k":"end","end":{"result":"1-0"}}]}`, 0, 0, "", "", false, true},
		"somebody else's id":     {`{"t":"done","id":"join"}`, 0, 0, "", "", false, false},
		"an id that only begins": {`{"t":"done","id":"m1x"}`, 0, 1, "", "", false, false},
		"cut short":              {`{"t":"ev","id":"m`, 0, 0, "", "", false, false},
		"nothing":                {``, 0, 0, "", "", false, false},
	} {
		h := scan([]byte(tc.frame))
		if h.letter != tc.letter || h.ply != tc.ply || string(h.move) != tc.move || h.moved != (tc.move != "") ||
			h.press != tc.press || h.over != tc.over || string(h.refuse) != tc.refuse {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

func TestFramesOfAMove(t *testing.T) {
	if got := string(appendMove(nil, 7, "g8f6", true)); got != `{"t":"move","id":"m7","m":"g8f6","ply":7,"press":true}` {
		t.Error(got)
	}
	if got := string(appendMove(nil, 0, "e2e4", false)); got != `{"t":"move","id":"m0","m":"e2e4","ply":0}` {
		t.Error(got)
	}
	if got := string(appendPress(nil, 3)); got != `{"t":"press","id":"p3","ply":3}` {
		t.Error(got)
	}
}
