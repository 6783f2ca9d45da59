package board

import "testing"

func FuzzFEN(f *testing.F) {
	for _, p := range perfts {
		f.Add(p.fen)
	}
	f.Add("8/8/8/3k4/3K4/8/8/8 w - - 0 1")
	f.Add("P3k3/8/8/3pP3/8/8/8/p3K3 w - d6 65535 65535")
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ParseArrangement(s)
		if err != nil {
			if _, err := ParseFEN(s); err == nil {
				t.Errorf("%q is a position but no arrangement", s)
			}
			return
		}
		if b.FEN() != s {
			t.Errorf("%q became %q", s, b.FEN())
		}
		checkMoves(t, b)
		for _, m := range b.LegalMoves() {
			next := b.Displace(m)
			if next.InCheck(b.Turn()) {
				t.Errorf("%s: %s leaves the king in check", s, m)
			}
			if next != arrange(t, next.FEN()) {
				t.Errorf("%s: %s leads to what cannot be read", s, m)
			}
		}
	})
}

func FuzzUCI(f *testing.F) {
	f.Add(perfts[1].fen, "e1g1")
	f.Add(perfts[3].fen, "b2a1n")
	f.Add(perfts[2].fen, "")
	f.Fuzz(func(t *testing.T, fen, s string) {
		m, err := ParseUCI(s)
		if err != nil {
			return
		}
		if m.UCI() != s {
			t.Errorf("%q became %q", s, m.UCI())
		}
		b, err := ParseArrangement(fen)
		if err != nil {
			return
		}
		next := b.Displace(m)
		if next != arrange(t, next.FEN()) {
			t.Errorf("%s: %s leads to what cannot be read", fen, m)
		}
		if b.Legal(m) && (!b.Pseudo(m) || b.OnlyAdjacent(m) || !b.AnyLegalFrom(m.From) || !b.AnyLegal()) {
			t.Errorf("%s: %s is legal, the rest says otherwise", fen, m)
		}
		b.Neutral(m)
		if back, err := b.ParseSAN(b.SAN(m)); b.Legal(m) && (err != nil || back != b.Normal(m)) {
			t.Errorf("%s: %s read as %s, %v", fen, b.SAN(m), back, err)
		}
		b.Key()
	})
}

func FuzzSAN(f *testing.F) {
	for _, s := range []string{"Nf3", "exd5", "O-O", "e8=Q+", "Qa1xb2#", "a8"} {
		f.Add(perfts[1].fen, s)
	}
	f.Fuzz(func(t *testing.T, fen, s string) {
		b, err := ParseArrangement(fen)
		if err != nil {
			return
		}
		if m, err := b.ParseSAN(s); err == nil && !b.Legal(m) {
			t.Errorf("%s: %q read as %s, which is not legal", fen, s, m)
		}
	})
}
