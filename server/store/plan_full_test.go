//go:build !race

package store_test

// sqliteGames are those that SQLite has when its plans are looked at.
const sqliteGames = 100_000
