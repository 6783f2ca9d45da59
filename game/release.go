//go:build !nextrelease

package game

const later = 0
