package spread

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ErrPinned says that a thread may not run everywhere: it is kept where
// it is on purpose.
var ErrPinned = errors.New("the thread is bound to some CPUs")

// Mover moves threads. It is not safe for concurrent use.
type Mover struct {
	full unix.CPUSet // of a thread that is not bound
	boot string
	note *note
	only unix.CPUSet // reused
}

// NewMover notes the move under way in the file at path. Call Restore first.
func NewMover(path string) (*Mover, error) {
	h := &Mover{}
	var err error
	if h.full, err = unboundMask(); err != nil {
		return nil, err
	}
	if h.boot, err = bootID(); err != nil {
		return nil, err
	}
	h.note, err = openNote(path)
	return h, err
}

// Usable are the CPUs that threads may be sent to, by number.
func (h *Mover) Usable() []bool { return maskBits(&h.full) }

// maskBits are the CPUs of a mask up to its last one.
func maskBits(mask *unix.CPUSet) (set []bool) {
	for n, left := 0, mask.Count(); left > 0; n++ {
		set = append(set, mask.IsSet(n))
		if mask.IsSet(n) {
			left--
		}
	}
	return set
}

// Move sends a thread to a CPU and leaves it free to go where it could before.
// The error is ErrPinned if it is not free, ESRCH if it ended.
func (h *Mover) Move(m Move) error {
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(m.Thread, &before); err != nil {
		return err
	}
	if before != h.full {
		return ErrPinned
	}
	if err := h.send(m, &before); err != nil {
		return err
	}
	err := unix.SchedSetaffinity(m.Thread, &before)
	h.note.end()
	return err
}

// send notes a move and binds the thread to the CPU it is to go to. If that
// fails there is nothing to be undone.
func (h *Mover) send(m Move, before *unix.CPUSet) error {
	h.note.begin(m, before, h.boot, bootClock())
	h.only.Zero()
	h.only.Set(m.To)
	err := unix.SchedSetaffinity(m.Thread, &h.only)
	if err != nil {
		h.note.end()
	}
	return err
}

// bootClock is the time since the boot, in nanoseconds.
func bootClock() int64 {
	var now unix.Timespec
	_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_BOOTTIME, uintptr(unsafe.Pointer(&now)), 0) // every kernel has it
	return now.Nano()
}

// Close closes the file of notes.
func (h *Mover) Close() error { return h.note.close() }

// unboundMask is the mask of a thread that is not bound: the kernel's own first
// one has it, whatever this process is bound to.
func unboundMask() (mask unix.CPUSet, err error) {
	if err = unix.SchedGetaffinity(1, &mask); err != nil {
		return mask, fmt.Errorf("CPUs of the host: %w", err)
	}
	return mask, nil
}
