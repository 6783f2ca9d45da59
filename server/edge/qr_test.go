package edge

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"flagfall/server/wire"
)

// matrix are the modules of a code, dark ones true, read back from its drawing.
func matrix(t *testing.T, svg string) [][]bool {
	t.Helper()
	var drawing struct {
		ViewBox string `xml:"viewBox,attr"`
		Paths   []struct {
			D    string `xml:"d,attr"`
			Fill string `xml:"fill,attr"`
		} `xml:"path"`
	}
	if err := xml.Unmarshal([]byte(svg), &drawing); err != nil {
		t.Fatalf("%.100s: %v", svg, err)
	}
	var size int
	if _, err := fmt.Sscanf(drawing.ViewBox, "0 0 %d %d", &size, &size); err != nil || len(drawing.Paths) != 2 || drawing.Paths[0].Fill != "#fff" {
		t.Fatalf("%.200s: %v", svg, err)
	}
	all := make([][]bool, size)
	for y := range all {
		all[y] = make([]bool, size)
	}
	for _, run := range strings.Split(strings.TrimSuffix(drawing.Paths[1].D, "z"), "z") {
		var x, y, n, back int
		if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%d", &x, &y, &n, &back); err != nil || n != back {
			t.Fatalf("%q: %v", run, err)
		}
		for i := range n {
			all[y][x+i] = true
		}
	}
	const quiet = 4
	for y := range all {
		for x := range all {
			if edge := min(x, y, size-1-x, size-1-y); edge < quiet && all[y][x] {
				t.Fatalf("a dark module in the quiet zone, at %d, %d", x, y)
			}
		}
	}
	inner := all[quiet : size-quiet]
	for y := range inner {
		inner[y] = inner[y][quiet : size-quiet]
	}
	return inner
}

// readQR reads a code of versions 2 to 6 at level M in byte mode, as ISO/IEC 18004 lays it out; a code without a fault
// needs no correction.
func readQR(t *testing.T, m [][]bool) string {
	t.Helper()
	size := len(m)
	version := (size - 17) / 4
	blocks, words := map[int]int{2: 1, 3: 1, 4: 2, 5: 2, 6: 4}[version], map[int]int{2: 28, 3: 44, 4: 32, 5: 43, 6: 27}[version] // table 9, M
	if blocks == 0 || size != 17+4*version {
		t.Fatalf("%d modules, version %d", size, version)
	}
	// Format information, 7.9: five bits, the first 15 modules around the upper left finder, masked by 101010000010010.
	format := 0
	for _, at := range [][2]int{{0, 8}, {1, 8}, {2, 8}, {3, 8}, {4, 8}} {
		format <<= 1
		if m[at[1]][at[0]] {
			format |= 1
		}
	}
	format ^= 0b10101
	if level := format >> 3; level != 0b00 {
		t.Fatalf("level %02b, want M", level)
	}
	mask := []func(i, j int) bool{ // 7.8.2, i the row
		func(i, j int) bool { return (i+j)%2 == 0 }, func(i, _ int) bool { return i%2 == 0 }, func(_, j int) bool { return j%3 == 0 },
		func(i, j int) bool { return (i+j)%3 == 0 }, func(i, j int) bool { return (i/2+j/3)%2 == 0 },
		func(i, j int) bool { return i*j%2+i*j%3 == 0 }, func(i, j int) bool { return (i*j%2+i*j%3)%2 == 0 },
		func(i, j int) bool { return ((i+j)%2+i*j%3)%2 == 0 },
	}[format&7]
	function := func(y, x int) bool {
		finder := y < 9 && (x < 9 || x >= size-8) || y >= size-8 && x < 9
		middle := size - 7 // of the alignment pattern
		return finder || y == 6 || x == 6 || max(abs(y-middle), abs(x-middle)) <= 2
	}
	var bits []bool
	for right, up := size-1, true; right > 0; right, up = right-2, !up {
		if right == 6 {
			right--
		}
		for i := range size {
			y := i
			if up {
				y = size - 1 - i
			}
			for _, x := range []int{right, right - 1} {
				if !function(y, x) {
					bits = append(bits, m[y][x] != mask(y, x))
				}
			}
		}
	}
	codeword := func(i int) (b byte) {
		for _, bit := range bits[8*i : 8*i+8] {
			b <<= 1
			if bit {
				b |= 1
			}
		}
		return b
	}
	var data []byte // the blocks are interleaved
	for block := range blocks {
		for i := range words {
			data = append(data, codeword(i*blocks+block))
		}
	}
	if data[0]>>4 != 0b0100 {
		t.Fatalf("mode %04b, want bytes", data[0]>>4)
	}
	nibbles := func(i int) byte { return data[i]<<4 | data[i+1]>>4 }
	text := make([]byte, nibbles(0))
	for i := range text {
		text[i] = nibbles(i + 1)
	}
	return string(text)
}

func abs(n int) int { return max(n, -n) }

// What is drawn reads as what was meant.
func TestQRReads(t *testing.T) {
	for _, text := range []string{
		"https://chess.example/e/a", "https://chess.example/e/friday-arena", "http://192.168.17.5:8080/e/friday-arena-7kq2?key=abcdefghijklmnopqrst",
		"https://flagfall.a-chess-club.example/e/friday-night-arena-7kq2?key=abcdefghijklmnopqrst",
	} {
		svg, err := qrSVG(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := readQR(t, matrix(t, string(svg))); got != text {
			t.Errorf("reads %q, want %q", got, text)
		}
	}
	if _, err := qrSVG(strings.Repeat("x", 3000)); err == nil {
		t.Error("a text that no code holds was drawn")
	}
}

// The link and its code follow the public URL, and have the key in them only for who has it.
func TestEventLink(t *testing.T) {
	for public, want := range map[string]string{"https://Chess.example:443/": "https://chess.example", "http://10.0.0.5:8080": "http://10.0.0.5:8080"} {
		st, e := eveningStage(t, func(c *Config) { c.PublicURL = public })
		for query, path := range map[string]string{"": "/e/friday-arena", "?key=" + linkKey: "/e/friday-arena?key=" + linkKey} {
			res, body := st.ask(t, "GET", friday+"/link"+query, "")
			var got struct{ URL string }
			if err := json.Unmarshal([]byte(body), &got); err != nil || res.StatusCode != 200 || got.URL != want+path {
				t.Errorf("link%s: %d %s, %v", query, res.StatusCode, body, err)
			}
			res, body = st.ask(t, "GET", friday+"/qr.svg"+query, "")
			if res.StatusCode != 200 || res.Header.Get("Content-Type") != "image/svg+xml" {
				t.Fatalf("%d %v", res.StatusCode, res.Header)
			}
			if got := readQR(t, matrix(t, body)); got != want+path {
				t.Errorf("the code says %q, want %q", got, want+path)
			}
		}
		e.wants("qrlink", wire.Refuse(wire.CodeForbidden))
		if res, _ := st.ask(t, "GET", friday+"/qr.svg", ""); res.StatusCode != 403 {
			t.Errorf("who may not know the link: %d", res.StatusCode)
		}
	}
}

// Where nobody has set a public URL, the link is the address of the hall by which the page was opened.
func TestLinkOfLocalServer(t *testing.T) {
	st := newStage(t, func(c *Config) { c.LocalHosts, c.PublicURL = true, "http://localhost:8080" })
	for host, want := range map[string]string{
		"192.168.1.5:8080": "http://192.168.1.5:8080", "[fd00::5]:8080": "http://[fd00::5]:8080", "localhost:8080": "http://localhost:8080",
		"evil.example": "http://localhost:8080", "evil.example/@192.168.1.5": "http://localhost:8080", "a@192.168.1.5": "http://localhost:8080", "": "http://localhost:8080",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		if got := st.publicOrigin(r); got != want {
			t.Errorf("%q: %s, want %s", host, got, want)
		}
	}
}
