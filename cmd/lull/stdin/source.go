package stdin

import (
	"errors"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// ErrFolder means that stdin is a folder, which no program can read.
var ErrFolder = errors.New("stdin is a folder, which cannot be read: redirect it from a file, or add </dev/null")

// nothing reports whether f gives a command nothing to read: a terminal, which lull does not read, the null
// device, which also stands for a closed stdin, what is not open for reading, or the end of a file.
func nothing(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil {
		return true, nil //nolint:nilerr // closed
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE == unix.O_WRONLY {
		return true, nil //nolint:nilerr // closed
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return false, ErrFolder
	case mode.IsRegular():
		return atEnd(f), nil
	case mode&os.ModeCharDevice != 0:
		return isTerminal(f) || isNull(f), nil
	}
	return false, nil
}

// atEnd looks at the next byte, because a file of /proc says of itself that it is empty.
func atEnd(f *os.File) bool {
	_, err := f.ReadAt(make([]byte, 1), position(f))
	return errors.Is(err, io.EOF) // another error is for the command to find
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

func isNull(f *os.File) bool {
	var is unix.Stat_t
	return unix.Fstat(int(f.Fd()), &is) == nil && is.Rdev == unix.Mkdev(1, 3)
}

// position is the offset from which a file is read next.
func position(f *os.File) int64 {
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return at
}

// readable reports whether a task may open f by itself and finds the same bytes: a file that was not read yet, and
// that the user may open.
func readable(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && position(f) == 0 && unix.Access(PathOf(f), unix.R_OK) == nil
}

// PathOf names an open file of this process for other processes of the user.
func PathOf(f *os.File) string {
	return "/proc/" + strconv.Itoa(os.Getpid()) + "/fd/" + strconv.Itoa(int(f.Fd()))
}

// Waiting reports whether f holds bytes now that a reader would get. It reads none of them.
func Waiting(f *os.File) bool {
	if none, err := nothing(f); none || err != nil {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeDevice != 0 { // a device such as /dev/zero always has bytes
		return false
	}
	return info.Mode().IsRegular() || inPipe(f) > 0
}

// inPipe is the number of bytes in a pipe or a socket.
func inPipe(f *os.File) int {
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return n
}

// Await waits until a pipe or a socket holds bytes, and reports false if its writers end it without any. It
// reads none of them.
func Await(f *os.File) bool {
	if none, err := nothing(f); none || err != nil {
		return false
	}
	for {
		wait := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
		switch _, err := unix.Poll(wait, -1); {
		case errors.Is(err, unix.EINTR):
		case err != nil || wait[0].Revents&unix.POLLIN == 0:
			return false
		default:
			return Waiting(f)
		}
	}
}

// unnamed makes a file that is gone when this process is.
func unnamed(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "stdin-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ErrTooLarge means that stdin has more bytes than are sent with a job.
var ErrTooLarge = errors.New("stdin has too many bytes to be sent along")
