// Package account knows who somebody is: guests, their names, the tokens that prove it, the keys that sign these, and the
// sessions that were ended.
package account

import (
	"crypto/rand"
	"regexp"
)

// Person is somebody who plays or watches.
type Person struct {
	ID    string // 16 characters of base32, made here
	Name  string // ASCII, see ValidName
	Guest bool
	Bot   bool // a program; it is never rated against people
}

// alphabet has no letter or digit that is easily taken for another; 32 of them, so a byte maps without bias.
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

const (
	idLength    = 16 // 80 bits
	nameLetters = 4
)

// NewGuest makes a person with a random id and a name like "Guest 4F7K". Names may repeat, ids do not.
func NewGuest() Person {
	return Person{ID: random(idLength), Name: "Guest " + random(nameLetters), Guest: true}
}

// random is n letters of the alphabet from the system's random source.
func random(n int) string {
	out := make([]byte, n)
	rand.Read(out) // never fails since Go 1.24: the program ends instead
	for i, b := range out {
		out[i] = alphabet[int(b)%len(alphabet)]
	}
	return string(out)
}

var (
	validID   = regexp.MustCompile(`^[2-9A-HJ-NP-Z]{16}$`)
	validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,22}[A-Za-z0-9.]$`)
)

// ValidID holds for an id that NewGuest may have made.
func ValidID(id string) bool { return validID.MatchString(id) }

// ValidName holds for 2 to 24 ASCII letters, digits, single spaces and . _ - that begin with a letter or digit. Nothing
// else: no homoglyphs, no markup, nothing that could break a line of a log or a PGN header.
func ValidName(name string) bool {
	if !validName.MatchString(name) {
		return false
	}
	for i := 1; i < len(name); i++ {
		if name[i] == ' ' && name[i-1] == ' ' {
			return false
		}
	}
	return true
}
