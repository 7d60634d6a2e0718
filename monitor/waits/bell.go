package waits

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// bellSize is the size of the ring to which programs write. It matters that they write, not what.
var bellSize = os.Getpagesize()

// bell is the reading end of the ring. The kernel wakes its reader for a
// record only if all records before it were read.
type bell struct {
	file           *os.File
	read, written  *uint64
	reader, writer []byte
}

func openBell(file *os.File) (*bell, error) {
	b := &bell{file: file}
	page := os.Getpagesize()
	var err error
	if b.reader, err = unix.Mmap(int(file.Fd()), 0, page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err == nil {
		b.writer, err = unix.Mmap(int(file.Fd()), int64(page), page, unix.PROT_READ, unix.MAP_SHARED)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("map the bell: %w", err), b.close())
	}
	b.read = (*uint64)(unsafe.Pointer(unsafe.SliceData(b.reader)))
	b.written = (*uint64)(unsafe.Pointer(unsafe.SliceData(b.writer)))
	return b, nil
}

// markRead takes all that was written until now as read.
func (b *bell) markRead() { atomic.StoreUint64(b.read, atomic.LoadUint64(b.written)) }

func (b *bell) close() (err error) {
	for _, mapped := range [][]byte{b.reader, b.writer} {
		if mapped != nil {
			err = errors.Join(err, unix.Munmap(mapped))
		}
	}
	return errors.Join(err, b.file.Close())
}
