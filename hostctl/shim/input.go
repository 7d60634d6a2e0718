package shim

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"lull/hostctl/contain"
	"lull/hostctl/lines"
	"lull/subjects/spec"
)

// input is where a task's stdin comes from: the null device, a file that the
// task reads itself, or ranges that a goroutine feeds into a pipe.
type input struct {
	fd    int // what the task gets
	null  bool
	whole int64 // bytes of that file
	alarm int   // becomes readable when the feeding has ended; -1 if none
	pipe  *os.File
	todo  []spec.Range
	fed   chan fed // nil until the feeding begins
	last  *fed
}

// fed is how the feeding went.
type fed struct {
	bytes int64
	err   error // nil if the task just did not read everything
}

// openInput opens what the task shall read, after a look at every pin.
func openInput(in Stdin, null int) (*input, error) {
	if in.File != "" {
		return openWhole(in.File)
	}
	if len(in.Ranges) == 0 {
		return &input{fd: null, null: true, alarm: -1}, nil
	}
	if err := lines.Check(in.Ranges, nil); err != nil {
		return nil, err
	}
	if err := readable(in.Ranges); err != nil {
		return nil, err
	}
	if r := in.Ranges[0]; len(in.Ranges) == 1 && r.Offset == 0 && r.Length == r.Size {
		return openWhole(r.Path)
	}
	return openFeed(in.Ranges)
}

// openWhole hands over the file itself: nothing is copied, and the task can
// seek and map it.
func openWhole(path string) (*input, error) {
	// Not blocking, lest a named pipe hold us up; but the task expects it to.
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("input %s: %w", path, err)
	}
	var stat unix.Stat_t
	if err := errors.Join(unix.Fstat(fd, &stat), unix.SetNonblock(fd, false)); err != nil {
		return nil, errors.Join(fmt.Errorf("input %s: %w", path, err), unix.Close(fd))
	}
	return &input{fd: fd, whole: stat.Size, alarm: -1}, nil
}

// readable asks for the task's user: it is the shim that will read the ranges.
func readable(ranges []spec.Range) error {
	for _, r := range ranges {
		if err := contain.May(r.Path, unix.R_OK); err != nil {
			return fmt.Errorf("input %s: %w", r.Path, err)
		}
	}
	return nil
}

func openFeed(ranges []spec.Range) (*input, error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("pipe for the input: %w", err)
	}
	alarm, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err == nil {
		// Only our end: a task may not expect its stdin to be non-blocking.
		err = unix.SetNonblock(p[1], true)
	}
	if err != nil {
		_ = errors.Join(unix.Close(p[0]), unix.Close(p[1]))
		return nil, fmt.Errorf("pipe for the input: %w", err)
	}
	return &input{fd: p[0], alarm: alarm, pipe: os.NewFile(uintptr(p[1]), "stdin"), todo: ranges}, nil
}

// handedOver closes what only the task needs from now on: if we kept the
// reading end of a pipe, writing would never fail after the task has closed it.
func (in *input) handedOver() {
	if in.pipe != nil {
		_ = unix.Close(in.fd)
		in.fd = -1
	}
}

// feed begins to write the ranges into the pipe, on a thread of its own that recede
// puts into the background: it is the task's work. What the attempt takes of them
// is counted in a file.
func (in *input) feed(count int, attempt uint64, recede func() error) {
	if in.pipe == nil {
		return
	}
	in.fed = make(chan fed, 1)
	to := &counted{to: in.pipe, fd: count, attempt: attempt}
	to.note()
	go func() {
		runtime.LockOSThread() // and never unlock: the thread stays in the background
		_ = recede()           // refused with the cgroups gone, which happens to nobody who runs
		n, err := lines.Copy(to, in.todo, nil)
		_ = in.pipe.Close() // the task's end of file
		var broken *lines.InputError
		if !errors.As(err, &broken) {
			err = nil
		}
		in.fed <- fed{n, err}
		_, _ = unix.Write(in.alarm, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	}()
}

// outcome is called when the alarm rang: how the feeding ended.
func (in *input) outcome() error {
	in.settle()
	return in.last.err
}

// settle waits for the feeding to end, which it has done or is about to.
func (in *input) settle() {
	if in.last == nil {
		f := <-in.fed
		in.last = &f
		_ = unix.Close(in.alarm)
		in.alarm = -1
	}
}

// close ends the input and returns how many bytes the task took: all of a file
// that it was handed, whose reading nobody sees (it may map it). The error is
// that of a broken input.
func (in *input) close() (int64, error) {
	if in.null {
		return 0, nil
	}
	if in.pipe == nil {
		return in.whole, unix.Close(in.fd)
	}
	_ = in.pipe.Close() // wakes a writer that nobody reads from
	if in.fed == nil {
		return 0, unix.Close(in.alarm) // never begun
	}
	in.settle()
	return in.last.bytes, in.last.err
}
