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
// too: it needs twenty descriptors, and writes files of a megabyte.
func (f *forker) limit() error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("forbid core files: %w", err)
	}
	if err := lower(unix.RLIMIT_NOFILE, softFiles, hardFiles); err != nil {
		return fmt.Errorf("limit open files: %w", err)
	}
	if err := lowerIf(f.fileSize, unix.RLIMIT_FSIZE); err != nil {
		return fmt.Errorf("limit the size of files: %w", err)
	}
	if err := lowerIf(f.processes, unix.RLIMIT_NPROC); err != nil {
		return fmt.Errorf("limit processes: %w", err)
	}
	return nil
}

// lowerIf sets a limit that tasks cannot raise, unless it is 0.
func lowerIf(most uint64, what int) error {
	if most == 0 {
		return nil
	}
	return lower(what, most, most)
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
