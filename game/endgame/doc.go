// Package endgame knows what can be proved about a position: exact values of
// all positions with up to four men, forced wins with more, mates that are
// possible at all, and the geometry of section 8 of the WBCA rules.
//
// Tables are computed from nothing but the moves: for every name of Materials,
// in that order, Generate, then Add. Pack and Unpack turn a table into bytes to
// keep; keeping them is the caller's business. All 35 together take 39 MB in
// memory (budget 60), 6 MB packed (budget 40) and about a minute and a half of
// one core; probing one takes well under a microsecond.
//
// A Prover answers whether a win is forced. It waits for no clock: the same
// question has the same answer on every machine, or ErrNotReady as long as a
// table that it needs is not there.
package endgame
