package shim

import (
	"fmt"

	"golang.org/x/sys/unix"
)

const (
	// softFiles is what programs expect that use select(2), or close all there
	// might be.
	softFiles = 1024
	// hardFiles is what a task may raise its limit to. What one that hoards
	// descriptors holds of the kernel's memory is bounded by its memory limit.
	hardFiles = 16384
)

// limit sets the limits of resources that tasks inherit. They are the shim's
// too: it needs twenty descriptors.
func (s *server) limit() error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("forbid core files: %w", err)
	}
	if err := lower(unix.RLIMIT_NOFILE, softFiles, hardFiles); err != nil {
		return fmt.Errorf("limit open files: %w", err)
	}
	if s.processes == 0 {
		return nil
	}
	if err := lower(unix.RLIMIT_NPROC, s.processes, s.processes); err != nil {
		return fmt.Errorf("limit processes: %w", err)
	}
	return nil
}

// lower sets a limit, unless the one in force is lower.
func lower(what int, soft, hard uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(what, &now); err != nil {
		return err
	}
	hard = min(hard, now.Max)
	return unix.Setrlimit(what, &unix.Rlimit{Cur: min(soft, hard), Max: hard})
}
