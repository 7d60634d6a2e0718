package shim

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"lull/hostctl/lines"
	"lull/subjects"
)

// input is the source of a task's stdin: the null device, a file that the task reads itself, or
// ranges that a goroutine feeds into a pipe.
type input struct {
	fd      int // what the task gets
	null    bool
	whole   int64        // bytes of that file
	compare func() error // fails if that file has changed, and closes it; nil if it has no pin
	alarm   int          // becomes readable when the feeding has ended; -1 if none
	pipe    *os.File
	todo    *lines.Inputs
	fed     chan fed // nil until the feeding begins
	last    *fed
}

// fed is how the feeding went.
type fed struct {
	bytes int64
	err   error // nil if the task just did not read everything
}

// openInput opens the task's input once, with the rights of the calling thread. It is not
// opened by its path again, except files too many to keep open: see lines.OpenAll.
func openInput(in Stdin, null int) (*input, error) {
	if in.File != "" {
		return openWhole(in.File)
	}
	if in.List != "" {
		b, err := os.ReadFile(in.List)
		if err == nil {
			err = subjects.Unmarshal(b, &in.Ranges)
		}
		if err != nil {
			return nil, fmt.Errorf("list of the input: %w", err)
		}
	}
	if len(in.Ranges) == 0 {
		return &input{fd: null, null: true, alarm: -1}, nil
	}
	all, err := lines.OpenAll(in.Ranges, nil)
	if err != nil {
		return nil, err
	}
	if r := in.Ranges[0]; len(in.Ranges) == 1 && r.Offset == 0 && r.Length == r.Size && !all.FirstGrew() {
		return handOverPinned(all)
	}
	feed, err := openFeed(all)
	if err != nil {
		all.Close()
	}
	return feed, err
}

// openWhole opens a file without a pin.
func openWhole(path string) (*input, error) {
	f, err := lines.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	defer f.Close() //nolint:errcheck // read only
	return handOver(f.(*os.File))
}

// handOverPinned hands over the only file of all, and keeps it open to look at it again when the task has
// ended: a task that read while another program wrote made its result of neither version.
func handOverPinned(all *lines.Inputs) (*input, error) {
	f := all.First().(*os.File)
	in, err := handOver(f)
	if err != nil {
		_ = f.Close() // read only
		return nil, err
	}
	in.compare = func() error {
		defer f.Close() //nolint:errcheck // read only
		return all.CompareFirst(f)
	}
	return in, nil
}

// handOver gives the task the file itself: nothing is copied, and the task can
// seek and map it.
func handOver(f *os.File) (*input, error) {
	// It was opened without blocking, so that a named pipe cannot block the shim; but the
	// task expects a blocking descriptor.
	var stat unix.Stat_t
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = errors.Join(unix.Fstat(fd, &stat), unix.SetNonblock(fd, false))
	}
	if err != nil {
		return nil, fmt.Errorf("input %s: %w", f.Name(), err)
	}
	return &input{fd: fd, whole: stat.Size, alarm: -1}, nil
}

func openFeed(all *lines.Inputs) (*input, error) {
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
	return &input{fd: p[0], alarm: alarm, pipe: os.NewFile(uintptr(p[1]), "stdin"), todo: all}, nil
}

// handedOver closes what only the task needs from now on. If the shim kept the reading end of a
// pipe, writing would never fail after the task has closed it.
func (in *input) handedOver() {
	if in.pipe != nil {
		_ = unix.Close(in.fd)
		in.fd = -1
	}
}

// feed begins to write the ranges into the pipe, on a thread of its own. become moves that
// thread into the background, because it does the task's work, and gives it the reader's
// rights. A file counts the bytes that the attempt takes.
func (in *input) feed(count int, attempt uint64, become func() error) {
	if in.pipe == nil {
		return
	}
	in.fed = make(chan fed, 1)
	to := &counted{to: in.pipe, fd: count, attempt: attempt}
	to.note()
	go func() {
		runtime.LockOSThread() // and never unlock: the thread stays what it becomes
		var n int64
		err := become()
		if err == nil {
			n, err = in.todo.Copy(to)
		} else {
			err = &lines.InputError{Path: "of the task", Err: err}
		}
		in.todo.Close()
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

// close ends the input and returns how many bytes the task took. For a file that it was handed that
// is its whole size, because its reading cannot be observed (it may map the file). The error is
// that of a broken input.
func (in *input) close() (int64, error) {
	if in.null {
		return 0, nil
	}
	if in.pipe == nil {
		err := unix.Close(in.fd)
		if in.compare != nil {
			err = errors.Join(in.compare(), err)
		}
		return in.whole, err
	}
	_ = in.pipe.Close() // wakes a writer without a reader
	if in.fed == nil {  // never begun
		in.todo.Close()
		return 0, unix.Close(in.alarm)
	}
	in.settle()
	return in.last.bytes, in.last.err
}
