package spread

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// note describes the move under way, in a mapped file. The file outlives the process, and writing
// to it is no system call. After a power failure there is no thread left to be undone.
type note struct {
	*page
	mapped []byte
}

// page is the file's content. A thread of 0 says that no move is under way.
type page struct {
	boot   [48]byte // identity of the boot in which it was written
	since  int64    // when, in nanoseconds of the boot clock
	to     int64    // the CPU that the thread was sent to
	mask   unix.CPUSet
	thread int64 // written last, cleared first
	tally  Tally
}

const pageSize = int(unsafe.Sizeof(page{}))

// openNote maps the file at path, which it makes if need be.
func openNote(path string) (*note, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("note of moved threads: %w", err)
	}
	defer file.Close() //nolint:errcheck // the mapping stays
	if err := reserve(file); err != nil {
		return nil, fmt.Errorf("note of moved threads %s: %w", path, err)
	}
	mapped, err := unix.Mmap(int(file.Fd()), 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map the note of moved threads %s: %w", path, err)
	}
	return &note{(*page)(unsafe.Pointer(unsafe.SliceData(mapped))), mapped}, nil
}

// reserve gives the file its size and its space on the disk. Without the space, the first access to the
// mapping on a full disk would end the process by SIGBUS.
func reserve(file *os.File) error {
	err := error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		err = unix.Fallocate(int(file.Fd()), 0, 0, int64(pageSize))
	}
	if !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	old, statErr := file.Stat()
	if statErr != nil || old.Size() >= int64(pageSize) {
		return statErr
	}
	_, writeErr := file.WriteAt(make([]byte, int64(pageSize)-old.Size()), old.Size())
	return writeErr
}

// begin notes a move and the mask that the thread had.
func (n *note) begin(m Move, mask *unix.CPUSet, boot string, since int64) {
	clear(n.boot[copy(n.boot[:], boot):])
	n.since, n.to, n.mask = since, int64(m.To), *mask
	atomic.StoreInt64(&n.thread, int64(m.Thread))
}

// end says that the thread has its mask again.
func (n *note) end() { atomic.StoreInt64(&n.thread, 0) }

func (n *note) close() error {
	n.page = nil
	return unix.Munmap(n.mapped)
}
