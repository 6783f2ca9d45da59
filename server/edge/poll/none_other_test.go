//go:build !linux

package poll

import (
	"errors"
	"testing"
)

func TestUnsupported(t *testing.T) {
	if p, err := New(); p != nil || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v, %v; want errors.ErrUnsupported", p, err)
	}
}
