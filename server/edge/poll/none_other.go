//go:build !linux

package poll

import "errors"

const batch = 1

type queue struct{}

func newLoop(*Poller) (*loop, error) { return nil, errors.ErrUnsupported }

func (*queue) wake()                     {}
func (*queue) close()                    {}
func (*queue) wait([]event) (int, error) { return 0, errors.ErrUnsupported }
func (*queue) watch(*Conn) error         { return errors.ErrUnsupported }
func (*queue) unwatch(*Conn)             {}
