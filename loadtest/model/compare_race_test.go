//go:build race

package model_test

// defaultGames is a small number, since everything is some ten times slower under the race detector.
const defaultGames = 200
