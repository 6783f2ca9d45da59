package account

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckName(t *testing.T) {
	for _, name := range []string{"Judit", "J. R. Capablanca", "a_b-c.", "4ever", "Bobby Fischer 72", "Adm. Nelson", "Guesstimate", strings.Repeat("a", 24)} {
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", "Jo", " Judit", "Judit ", "Ju  dit", "_Judit", "Jud\u0456t", "Judit\n", "<b>Judit</b>", "Judit\"]", strings.Repeat("a", 25), "\u202eJudit", "Ｊudit",
		"1234", "0-0-0", "19.72",
		"Guest 4F7K", "guest", "G.U.E.S.T", "Gue5t", "admin", "Admin2", "AdminIstrator", "adrnin", "4dmin", "Flagfall", "F1agfaII Team", "deleted", "Deleted 7",
		"Arbiter", "arb1ter", "Mod", "rnod", "The", "Root", "r00t", "White", "vvhite", "FIDE", "fIde", "You", "me.",
	} {
		err := CheckName(name)
		if fine := map[string]bool{"Gue5t": true, "4dmin": true, "The": true}[name]; fine != (err == nil) || !fine && !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The pairs are the ASCII part of confusables.txt of Unicode's UTS 39: 0 O, 1 l, I l, m rn; case and separators besides.
func TestSkeleton(t *testing.T) {
	for _, same := range [][]string{
		{"Capablanca", "CAPABLANCA", "capa-blanca", "Capa. Blanca", "Capab1anca", "CapabIanca"},
		{"Otto 10", "0tt0_lO", "OttoIo"},
		{"Morphy", "rnorphy", "RNorphy"},
		{"Willy", "vviI1y"},
	} {
		for _, name := range same {
			if Skeleton(name) != Skeleton(same[0]) {
				t.Errorf("%q and %q are two names", name, same[0])
			}
		}
	}
	for _, pair := range [][2]string{{"Karl", "Carl"}, {"Ann", "Anna"}, {"Max 1", "Max 2"}, {"Bob5", "Bobs"}} {
		if Skeleton(pair[0]) == Skeleton(pair[1]) {
			t.Errorf("%v are one name", pair)
		}
	}
}
