//go:build nextrelease

package game

// With the tag nextrelease the program is the release after this one, as far as the version of its events goes: what it has
// written this one must leave alone. `make chaos` rolls from the one to the other.
const later = 1
