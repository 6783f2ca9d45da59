package edge

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"
)

// tidy runs the tests and lets the HTTP client's idle connections go.
type tidy struct{ m *testing.M }

func (t tidy) Run() int {
	defer http.DefaultClient.CloseIdleConnections()
	return t.m.Run()
}

// No socket leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(tidy{m}) }
