//go:build !race

package model_test

// defaultGames take less than a minute on two cores.
const defaultGames = 10_000
