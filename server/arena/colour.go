package arena

import "strings"

// Bounds on colours. They give way, counted, only where no other pairing exists (see pair).
const (
	mostDifference = 2 // of games with White and with Black
	mostInARow     = 3
)

// difference is the games with White less those with Black in a history such as "wbbw", the latest game last.
func difference(colors string) int {
	return 2*strings.Count(colors, "w") - len(colors)
}

// inARow is how many games at the end of the history had the color.
func inARow(colors string, color byte) int {
	n := 0
	for n < len(colors) && colors[len(colors)-1-n] == color {
		n++
	}
	return n
}

// fits tells whether a further game with the color keeps the bounds.
func fits(colors string, color byte) bool {
	d := difference(colors)
	if color == 'b' {
		d = -d
	}
	return d < mostDifference && inARow(colors, color) < mostInARow
}

// bothFit tells whether the game keeps the bounds of both players.
func bothFit(white, black string) bool { return fits(white, 'w') && fits(black, 'b') }

// firstWhite gives the colours of the first of two players, of whom he is ahead by score, then rating: true is White. It is
// Continental rule 34: totals, then the latest round in which the colours were not the same, then the due colour of the
// player ahead. Two who have not played have none due; toss decides, which the caller alternates from board to board. The
// rule gives way to the bounds where only the other way round keeps them. fit tells whether the bounds are kept.
func firstWhite(ahead, other string, toss bool) (white, fit bool) {
	white = byRule34(ahead, other, toss)
	keeps := func(white bool) bool {
		if white {
			return bothFit(ahead, other)
		}
		return bothFit(other, ahead)
	}
	switch {
	case keeps(white):
		return white, true
	case keeps(!white):
		return !white, true
	}
	return white, false
}

func byRule34(ahead, other string, toss bool) bool {
	if a, b := difference(ahead), difference(other); a != b {
		return a < b
	}
	for i, j := len(ahead)-1, len(other)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if ahead[i] != other[j] {
			return ahead[i] == 'b'
		}
	}
	if ahead != "" {
		return ahead[len(ahead)-1] == 'b'
	}
	if other != "" { // even totals, so his last game decides as it would for the one ahead
		return other[len(other)-1] == 'w'
	}
	return toss
}
