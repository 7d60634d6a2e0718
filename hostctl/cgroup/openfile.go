package cgroup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openFile is a kernel file that stays open and is read many times a second. A reading is one system
// call instead of seven. It bypasses the Go runtime (RawSyscall), which would wake its monitor
// thread each time, and that thread then polls for milliseconds. The files answer within
// microseconds.
type openFile struct {
	path string
	fd   int // -1 while it is closed
	buf  [512]byte
}

func newOpenFile(d dir, file string) openFile { return openFile{path: string(d.sub(file)), fd: -1} }

// read returns the beginning of the file, valid until the next call. After a
// failure the next call opens it anew: a group may have been made again.
func (h *openFile) read() ([]byte, error) {
	if h.fd < 0 {
		fd, err := unix.Open(h.path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: h.path, Err: err}
		}
		h.fd = fd
	}
	n, errno := h.pread()
	if errno != 0 {
		h.close()
		return nil, &fs.PathError{Op: "read", Path: h.path, Err: errno}
	}
	return h.buf[:n], nil
}

func (h *openFile) pread() (int, syscall.Errno) {
	for {
		n, _, errno := unix.RawSyscall6(unix.SYS_PREAD64, uintptr(h.fd), uintptr(unsafe.Pointer(&h.buf[0])), uintptr(len(h.buf)), 0, 0, 0)
		if errno != unix.EINTR {
			return int(n), errno
		}
	}
}

func (h *openFile) close() {
	if h.fd >= 0 {
		_ = unix.Close(h.fd) // only read
		h.fd = -1
	}
}

// number reads the number behind a key, "" for a file that begins with it.
func (h *openFile) number(key string) (uint64, error) {
	text, err := h.read()
	if err != nil {
		return 0, err
	}
	n, err := numberIn(text, key)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", h.path, err)
	}
	return n, nil
}

var errNoNumber = errors.New("no number there")

// numberIn finds the first key in a text and reads the digits behind it.
func numberIn(text []byte, key string) (uint64, error) {
	at := bytes.Index(text, []byte(key))
	if at < 0 {
		return 0, fmt.Errorf("%q: %w", key, errNoNumber)
	}
	text = bytes.TrimLeft(text[at+len(key):], " ")
	digits := 0
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	if digits == 0 {
		return 0, fmt.Errorf("%q: %w", key, errNoNumber)
	}
	return strconv.ParseUint(string(text[:digits]), 10, 64)
}
