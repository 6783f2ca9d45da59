package account

import (
	"errors"
	"regexp"
	"strings"
)

// ErrName says that nobody can take such a name. Why is in the wrapped text, a sentence for people.
var ErrName = errors.New("the name cannot be used")

// nameError is an ErrName with its reason.
type nameError string

func (e nameError) Error() string        { return string(e) }
func (e nameError) Is(target error) bool { return target == ErrName }

const (
	errNameForm     = nameError("A name has 3 to 24 letters, digits, single spaces and . _ - and begins with a letter or digit.")
	errNameLetter   = nameError("A name has a letter in it.")
	errNameReserved = nameError("This name is reserved; choose another one.")
)

// reserved are names of nobody, and begins what no name begins with: who had one would be taken for the house.
var (
	reserved = skeletons("arbiter", "organiser", "organizer", "moderator", "mod", "root", "system", "server", "support", "staff", "team",
		"official", "anonymous", "nobody", "everybody", "bot", "null", "undefined", "white", "black", "player", "spectator", "opponent",
		"wbca", "fide", "me", "you")
	begins = skeletons("guest", "admin", "flagfall", "deleted")
)

var aLetter = regexp.MustCompile(`[A-Za-z]`)

// CheckName tells whether somebody who registers can have a name, whoever has it already. Every error is an ErrName.
func CheckName(name string) error {
	shown := Skeleton(name)
	switch {
	case !ValidName(name) || len(name) < 3:
		return errNameForm
	case !aLetter.MatchString(name):
		return errNameLetter
	}
	for _, one := range reserved {
		if shown == one {
			return errNameReserved
		}
	}
	for _, one := range begins {
		if strings.HasPrefix(shown, one) {
			return errNameReserved
		}
	}
	return nil
}

// lookAlikes are the ASCII letters and digits of Unicode's confusables (UTS 39), in lower case since I and i are one name,
// and w; what only separates counts for nothing.
var lookAlikes = strings.NewReplacer("0", "o", "1", "l", "i", "l", "m", "rn", "w", "vv", " ", "", ".", "", "_", "", "-", "")

// Skeleton is what two names have in common that a reader could take for one another: of such only one person has one.
func Skeleton(name string) string { return lookAlikes.Replace(strings.ToLower(name)) }

func skeletons(names ...string) []string {
	for i, name := range names {
		names[i] = Skeleton(name)
	}
	return names
}
