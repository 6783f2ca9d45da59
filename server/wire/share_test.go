package wire

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// What is written as bytes is read by gorilla as the frames, whatever form their length has.
func TestShare(t *testing.T) {
	var frames [][]byte
	for _, size := range []int{0, 1, 125, 126, 127, 65535, 65536, 70_000} {
		frames = append(frames, bytes.Repeat([]byte{'a'}, size))
	}
	shared := Share(frames)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer ws.Close()
		if _, err := ws.NetConn().Write(shared.Bytes); err != nil {
			t.Error(err)
		}
	}))
	defer web.Close()
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(web.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for i, want := range frames {
		kind, got, err := ws.ReadMessage()
		if err != nil || kind != websocket.TextMessage || !bytes.Equal(got, want) {
			t.Fatalf("frame %d of %d bytes: kind %d, %d bytes, %v", i, len(want), kind, len(got), err)
		}
	}
}
