package game_test

import (
	"time"
)

var startedAt = time.Date(2026, 3, 1, 18, 30, 5, 0, time.UTC)
