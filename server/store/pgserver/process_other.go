//go:build !linux

package pgserver

import (
	"os"
	"syscall"
)

func giveAway(string) error { return nil }

func asServant() *syscall.SysProcAttr { return nil }

func (s *Server) kill() error { return s.end(os.Interrupt) }
