//go:build race

package store_test

// sqliteGames is a small number, since SQLite, which is Go here, is some ten times slower under the race detector. It plans
// without counting.
const sqliteGames = 5_000
