//go:build !linux

package poll

import (
	"errors"
	"testing"
)

func TestUnsupported(t *testing.T) {
	if p, err := New(0); p != nil || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v, %v; want errors.ErrUnsupported", p, err)
	}
}
